"""``files``: which files a number was read from, wherever a number stands, and what is refused."""

from __future__ import annotations

import builtins
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tco.errors import ScenarioErrors
from tco.scenario.demand import LEVELS, LOADS, SHAPES, Load
from tco.scenario.document import MOST_NODES
from tco.scenario.fields import Known
from tco.scenario.json_schema import schema
from tco.scenario.loading import load, read
from tco.scenario.reading import MOST_FILES, ReadFile
from tco.scenario.schema import Api, Own, Rent, Scenario

ONE, TWO = "0123456789abcdef" * 4, "F" * 64
FILES = f"files: {{a.csv: {ONE}, b/c.json: {TWO}}}"
READ = (ReadFile("a.csv", ONE), ReadFile("b/c.json", "f" * 64))
FILE = f"""\
name: a
exchange_rates: {{CNY: {{value: 7.10 CNY/USD, {FILES}}}}}
demand:
  output_tokens: 50 M
  load: {{loads: [1, 3], basis: measured, source: b, as_of: 2026-11-14, {FILES}, note: c}}
hardware:
  rtx-4090:
    price: {{value: 1599, {FILES}}}
    throughput: [{{output_rate: {{value: 900, {FILES}}}, gpus: 2}}]
options:
  own: {{own: rtx-4090, count: 2}}
  rent: {{rent: rtx-4090, count: 2, price: {{median: 0.49, p25: 0.4, minimum: 0.2, {FILES}}}}}
  api: {{api: m, output_price: 15 USD, billing_rate: {{value: 1 CNY/USD, {FILES}}}}}
"""


def loaded(*settings: str, text: str = FILE) -> Scenario:
    return read(text.encode(), "s.yaml", settings)


def owned(scenario: Scenario) -> Own:
    found = scenario.options["own"].supplies[0]
    assert isinstance(found, Own)
    return found


def rented(scenario: Scenario, part: str) -> Known:
    found = scenario.options["rent"].supplies[0]
    assert isinstance(found, Rent)
    assert found.price is not None
    price = getattr(found.price, part)
    assert isinstance(price, Known)
    return price


def billed(scenario: Scenario) -> Known:
    found = scenario.options["api"].supplies[0]
    assert isinstance(found, Api)
    assert found.billing_rate is not None
    return found.billing_rate


def load_of(scenario: Scenario) -> Known:
    assert scenario.demand is not None
    return scenario.demand.load


def point(scenario: Scenario) -> Known:
    points = scenario.hardware["rtx-4090"].throughput
    assert points is not None
    return points[0].output_rate


def price_of_card(scenario: Scenario) -> Known:
    price = scenario.hardware["rtx-4090"].price
    assert price is not None
    return price


PLACES: dict[str, Callable[[Scenario], Known]] = {
    "quantity": price_of_card,
    "exchange rate": lambda scenario: scenario.exchange_rates["CNY"],
    "billing rate": billed,
    "throughput": point,
    "load": load_of,
    **{part: partial(rented, part=part) for part in ("median", "p25", "minimum")},
}


@pytest.mark.parametrize("place", PLACES)
def test_the_files_of_a_number_are_kept_in_their_order(place: str) -> None:
    assert PLACES[place](loaded()).files == READ


def test_a_number_without_files_has_none() -> None:
    demand = loaded().demand
    assert demand is not None
    assert demand.output_tokens is not None
    assert demand.output_tokens.files == ()


def test_no_file_is_opened_while_a_scenario_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(FILE, encoding="utf-8")
    (tmp_path / "a.csv").write_text("not what it was", encoding="utf-8")
    opened: list[object] = []
    really = builtins.open

    def noted(file: Any, *rest: Any, **more: Any) -> Any:
        opened.append(file)
        return really(file, *rest, **more)

    monkeypatch.setattr(builtins, "open", noted)
    load(path)
    assert opened == [os.fspath(path)]


def test_the_digest_of_a_scenario_counts_what_its_numbers_were_read_from() -> None:
    assert loaded().digest != loaded(text=FILE.replace(ONE, "e" + ONE[1:], 1)).digest


# what is set replaces what was read


@pytest.mark.parametrize(
    ("setting", "place"),
    [
        ("exchange_rates.CNY=7.2", "exchange rate"),
        ("hardware.rtx-4090.price=1700", "quantity"),
        ("hardware.rtx-4090.price.value=1700", "quantity"),
        ("hardware.rtx-4090.throughput[0].output_rate=950", "throughput"),
        ("options.rent.price=0.5", "median"),
        ("options.rent.price.median=0.5", "median"),
        ('options.api.billing_rate="1.1 CNY/USD"', "billing rate"),
        ("demand.load=flat", "load"),
        ("demand.load.loads=[1, 2]", "load"),
        ("demand.load={loads: [1, 2]}", "load"),
    ],
)
def test_a_number_that_is_set_was_read_from_no_file(setting: str, place: str) -> None:
    known = PLACES[place](loaded(setting))
    assert (known.files, known.line) == ((), None)


def test_files_that_are_set_with_the_number_stay() -> None:
    known = price_of_card(loaded(f"hardware.rtx-4090.price={{value: 9, files: {{d.csv: {ONE}}}}}"))
    assert known.files == (ReadFile("d.csv", ONE),)


def test_files_alone_may_be_set() -> None:
    assert price_of_card(loaded(f"hardware.rtx-4090.price.files={{d.csv: {ONE}}}")).files == (
        ReadFile("d.csv", ONE),
    )


def test_a_case_changes_the_number_and_not_what_another_was_read_from() -> None:
    text = f"{FILE}cases:\n  dear: {{hardware.rtx-4090.price: 2000}}\n"
    text += f"  read: {{hardware.rtx-4090.price: {{value: 1800, files: {{d.csv: {ONE}}}}}}}\n"
    dear, other = (case.scenario for case in loaded(text=text).in_cases)
    assert price_of_card(dear).files == ()
    assert price_of_card(other).files == (ReadFile("d.csv", ONE),)
    assert point(dear).files == READ


# an option that is like another


def test_an_option_like_another_takes_the_files_over_with_the_number() -> None:
    text = f"{FILE}  second: {{like: rent, count: 3}}\n  third: {{like: rent, price: 0.5}}\n"
    same, other = (loaded(text=text).options[name].supplies[0] for name in ("second", "third"))
    assert isinstance(same, Rent)
    assert isinstance(other, Rent)
    assert same.price is not None
    assert other.price is not None
    assert (same.price.median.files, other.price.median.files) == (READ, ())


def test_files_are_added_to_a_plain_number_of_another_option() -> None:
    text = FILE.replace("count: 2}\n  rent", "count: 2, utilisation: 40%}\n  rent")
    text += f"  second: {{like: own, utilisation: {{basis: measured, {FILES}}}}}\n"
    second = loaded(text=text).options["second"].supplies[0]
    assert isinstance(second, Own)
    assert second.utilisation is not None
    assert (second.utilisation.value, second.utilisation.files) == (0.4, READ)


# the load within a month


def test_a_load_is_a_word_a_list_or_a_block_that_says_more() -> None:
    known = loaded().demand
    assert known is not None
    assert known.load.shape == (1, 3)
    assert (known.load.basis, known.load.source, known.load.note) == ("measured", "b", "c")
    assert (known.load.as_of, known.load.path) == ("2026-11-14", "demand.load")
    for typed, shape in (("[1, 3]", (1, 3)), *((word, word) for word in SHAPES)):
        for text in (typed, f"{{loads: {typed}}}"):
            demand = loaded(f"demand.load={text}").demand
            assert demand is not None
            assert demand.load.shape == shape
    without = read(b"{name: a, demand: {output_tokens: 1}, options: {b: {api: c}}}", "s").demand
    assert without is not None
    assert without.load.shape == "flat"


def test_a_load_may_have_shares_of_the_hours() -> None:
    text = FILE.replace("loads: [1, 3]", "loads: [4, 2, 1], shares: [10%, 0.4, 50%]")
    assert text != FILE
    known = load_of(loaded(text=text))
    assert isinstance(known, Load)
    assert (known.shape, known.shares) == ((4, 2, 1), (0.1, 0.4, 0.5))
    assert (known.files, known.basis) == (READ, "measured")
    # other loads do not have the shares of those in the file, nor were they read from its files
    other = load_of(loaded("demand.load.loads=[1, 2, 3]", text=text))
    assert isinstance(other, Load)
    assert (other.shape, other.shares, other.files, other.line) == ((1, 2, 3), None, (), None)
    set_too = loaded("demand.load.loads=[5, 1]", "demand.load.shares=[20%, 80%]", text=text)
    both = load_of(set_too)
    assert isinstance(both, Load)
    assert (both.shape, both.shares) == ((5, 1), (0.2, 0.8))
    # nor were the loads with other shares
    set_alone = load_of(loaded("demand.load.shares=[0.2, 0.3, 0.5]", text=text))
    assert isinstance(set_alone, Load)
    assert (set_alone.shape, set_alone.shares) == ((4, 2, 1), (0.2, 0.3, 0.5))
    assert (set_alone.files, set_alone.basis, set_alone.line) == ((), None, None)
    equal = load_of(loaded())
    assert isinstance(equal, Load)
    assert equal.shares is None


def test_shares_may_miss_one_by_what_rounding_leaves() -> None:
    # more levels than are calculated with, each share with 15 digits
    shares = ", ".join([f"{1 / 4392:.15g}"] * 4392)
    loads = ", ".join(["1", "2"] * 2196)
    known = load_of(loaded(f"demand.load={{loads: [{loads}], shares: [{shares}]}}"))
    assert isinstance(known, Load)
    assert len(known.shares or ()) == 4392
    assert load_of(loaded("demand.load={loads: [1, 2], shares: [0.3, 0.7000000009]}")) is not None
    with pytest.raises(ScenarioErrors):
        loaded("demand.load={loads: [1, 2], shares: [0.3, 0.7000000011]}")


def test_as_many_files_as_may_be_are_taken() -> None:
    files = ", ".join(f"f{n}.csv: {ONE}" for n in range(MOST_FILES))
    assert MOST_FILES < MOST_NODES
    known = price_of_card(loaded(f"hardware.rtx-4090.price={{value: 1, files: {{{files}}}}}"))
    assert len(known.files) == MOST_FILES


@pytest.mark.parametrize("path", ["=1+1", "+a", "-a.csv", "@a", "C:\\logs\\a.csv", "/b/c", "日志"])
def test_a_path_is_a_text_whatever_it_looks_like(path: str) -> None:
    text = json.dumps({path: ONE})
    known = price_of_card(loaded(f"hardware.rtx-4090.price={{value: 1, files: {text}}}"))
    assert known.files == (ReadFile(path, ONE),)


# what is refused, whole

BEFORE = "name: a\noptions:\n  b: {api: c, output_price: {value: 1, files: "
PLACE = "s.yaml, line 3: options.b.output_price.files"
DIGITS = "  expected: the SHA-256 of the file's content: 64 hexadecimal digits\n"
NEXT = "  next:     tco read FILE --into SCENARIO  writes it, and  sha256sum FILE  prints it"
KEYS = "  expected: keys with values, such as  {logs/gpu.csv: SHA-256 of its content}\n"
WRITE = "  next:     write  {logs/gpu.csv: SHA-256 of its content}"
REFUSED = {
    "a text": ("logs/gpu.csv", f"{PLACE}\n  found:    logs/gpu.csv\n{KEYS}{WRITE}"),
    "a list": (f"[{ONE}]", f"{PLACE}\n  found:    a list of 1\n{KEYS}{WRITE}"),
    "nothing": ("", f"{PLACE}\n  found:    nothing after the colon\n{KEYS}{WRITE}"),
    "no file": (
        "{}",
        f"{PLACE}\n  found:    no file\n  expected: at least one file\n"
        "  next:     name the file, or delete the line",
    ),
    "one digit too few": (
        f"{{a.csv: {ONE[1:]}}}",
        f"{PLACE}.a.csv\n  found:    63 digits: {ONE[1:37]} ...\n{DIGITS}{NEXT}",
    ),
    "one digit too many": (
        f"{{a.csv: {ONE}0}}",
        f"{PLACE}.a.csv\n  found:    65 digits: {ONE[:36]} ...\n{DIGITS}{NEXT}",
    ),
    "no hexadecimal digit": (
        f"{{a.csv: g{ONE[1:]}}}",
        f"{PLACE}.a.csv\n  found:    g{ONE[1:]}\n{DIGITS}{NEXT}",
    ),
    "digits of another script": (
        f"{{a.csv: '{'٣' * 64}'}}",
        f"{PLACE}.a.csv\n  found:    {'٣' * 64}\n{DIGITS}{NEXT}",
    ),
    "no digest": (
        "{a.csv: }",
        f"{PLACE}.a.csv\n  found:    nothing after the colon\n{DIGITS}{NEXT}",
    ),
    "a digest that is a list": (
        f"{{a.csv: [{ONE}]}}",
        f"{PLACE}.a.csv\n  found:    a list of 1\n{DIGITS}{NEXT}",
    ),
    "another digest": (
        "{a.csv: md5}",
        f"{PLACE}.a.csv\n  found:    md5\n{DIGITS}{NEXT}",
    ),
    "an empty path": (
        f'{{" ": {ONE}}}',
        f'{PLACE}." "\n  found:    the name " "\n'
        "  expected: a name of a file that does not begin or end with a space\n"
        "  next:     delete the spaces at its ends, or write a name",
    ),
    "a path with a control character": (
        f'{{"a\\x1b[2J.csv": {ONE}}}',
        f'{PLACE}."a\\x1b[2J.csv"\n  found:    a\\x1b[2J.csv\n'
        "  expected: a name of a file without control characters\n"
        "  next:     delete the character, which is shown as an escape here",
    ),
    "a path that turns its letters round": (
        f'{{"a\\u202Evsc.exe": {ONE}}}',
        f"{PLACE}.a\\u202evsc.exe\n  found:    a\\u202evsc.exe\n"
        "  expected: a name of a file without control characters\n"
        "  next:     delete the character, which is shown as an escape here",
    ),
    "a path that is too long": (
        f"{{{'a' * 501}: {ONE}}}",
        f"{PLACE}.{'a' * 20}...\n  found:    a name of 501 characters: {'a' * 40} ...\n"
        "  expected: a name of a file of at most 500 characters\n"
        "  next:     shorten the name; a note or a comment may say the rest",
    ),
    "too many files": (
        "{" + ", ".join(f"f{n}: {ONE}" for n in range(101)) + "}",
        f"{PLACE}\n  found:    101 files\n  expected: at most 100 files of one number\n"
        "  next:     put them together into fewer files, and read those",
    ),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_the_whole_message(fault: str) -> None:
    typed, message = REFUSED[fault]
    with pytest.raises(ScenarioErrors) as caught:
        read(f"{BEFORE}{typed}}}}}\n".encode(), "s.yaml")
    assert str(caught.value) == message


def test_every_file_that_is_wrong_is_told() -> None:
    with pytest.raises(ScenarioErrors) as caught:
        read(f"{BEFORE}{{a: 1, b: {ONE}, c: 2}}}}}}\n".encode(), "s.yaml")
    assert [fault.field for fault in caught.value.faults] == [
        "options.b.output_price.files.a",
        "options.b.output_price.files.c",
    ]


LOAD = "s.yaml, line 2: demand.load"
REFUSED_LOADS = {
    "no loads": (
        "{basis: measured}",
        f"{LOAD}.loads\n  found:    nothing\n  expected: the loads that the rest is said of\n"
        f"  next:     add for example  loads: {LOADS}",
    ),
    "an unknown word": (
        "{loads: [1, 2], sauce: b}",
        f"{LOAD}.sauce\n  found:    the key sauce\n"
        "  expected: one of loads, shares, source, as_of, basis, files, note\n"
        "  next:     did you mean source?",
    ),
    "a currency": (
        "{loads: [1, 2], currency: USD}",
        f"{LOAD}.currency\n  found:    the key currency\n"
        "  expected: one of loads, shares, source, as_of, basis, files, note\n"
        "  next:     delete the line, or use one of the words above",
    ),
    "loads that are all 0": (
        "{loads: [0, 0], basis: measured}",
        f"{LOAD}.loads\n  found:    loads that are all 0\n"
        "  expected: 2 to 8784 loads of equal hours, not all of them 0\n"
        f"  next:     24 for a day, 168 for a week, or a measured series:  load: {LOADS}",
    ),
    "one load with its share": (
        "{loads: [1], shares: [1]}",
        f"{LOAD}.loads\n  found:    a list of 1\n"
        "  expected: 2 to 8784 loads with shares of the hours, not all of them 0\n"
        f"  next:     as levels of load:  load: {LEVELS}",
    ),
    "shares of no loads": (
        "{shares: [1]}",
        f"{LOAD}.loads\n  found:    nothing\n  expected: the loads that the rest is said of\n"
        f"  next:     add for example  loads: {LOADS}",
    ),
    "shares of a word": (
        "{loads: office-hours, shares: [0.5, 0.5]}",
        f"{LOAD}.shares\n  found:    a list of 2\n"
        "  expected: no shares beside  loads: office-hours, which has its own\n"
        f"  next:     delete the key shares, or list a load for each:  loads: {LOADS}",
    ),
    "fewer shares than loads": (
        "{loads: [3, 2, 1], shares: [0.5, 0.5]}",
        f"{LOAD}.shares\n  found:    a list of 2\n"
        "  expected: a list of 3 shares of the hours, one for each load\n"
        f"  next:     write one for each load:  load: {LEVELS}",
    ),
    "more shares than loads": (
        "{loads: [2, 1], shares: [0.5, 0.25, 0.25]}",
        f"{LOAD}.shares\n  found:    a list of 3\n"
        "  expected: a list of 2 shares of the hours, one for each load\n"
        f"  next:     write one for each load:  load: {LEVELS}",
    ),
    "no list of shares": (
        "{loads: [2, 1], shares: even}",
        f"{LOAD}.shares\n  found:    even\n"
        "  expected: a list of 2 shares of the hours, one for each load\n"
        f"  next:     write one for each load:  load: {LEVELS}",
    ),
    "shares of nothing": (
        "{loads: [2, 1], shares: }",
        f"{LOAD}.shares\n  found:    nothing after the colon\n"
        "  expected: a list of 2 shares of the hours, one for each load\n"
        f"  next:     write one for each load:  load: {LEVELS}",
    ),
    "a share of 0": (
        "{loads: [2, 1], shares: [0, 100%]}",
        f"{LOAD}.shares[0]\n  found:    0\n"
        "  expected: a fraction above 0 and up to 1, or a percentage up to 100%\n"
        "  next:     write for example  80%",
    ),
    "a share below 0": (
        "{loads: [2, 1], shares: [-50%, 150%]}",
        f"{LOAD}.shares[0]\n  found:    -50%\n"
        "  expected: a fraction above 0 and up to 1, or a percentage up to 100%\n"
        "  next:     write for example  80%",
    ),
    "shares that sum to less": (
        "{loads: [2, 1], shares: [30%, 60%]}",
        f"{LOAD}.shares\n  found:    0.9 in all\n"
        "  expected: shares of the hours that sum to 100%\n"
        "  next:     correct the shares, or write  load:  as a list of loads of equal hours",
    ),
    "shares in hours": (
        "{loads: [2, 1], shares: [8, 16]}",
        f"{LOAD}.shares[0]\n  found:    8\n"
        "  expected: a fraction above 0 and up to 1, or a percentage up to 100%\n"
        "  next:     write 0.08 or 8%",
    ),
    "an unknown shape": (
        "{loads: nights}",
        f"{LOAD}.loads\n  found:    nights\n"
        "  expected: flat, office-hours or a list of loads of equal hours\n"
        f"  next:     write for example  load: {LOADS}",
    ),
    "an unknown basis": (
        "{loads: [1, 2], basis: guessed}",
        f"{LOAD}.basis\n  found:    guessed\n"
        "  expected: one of measured, quoted, published, assumed\n"
        "  next:     write one of these words",
    ),
    "a file without a digest": (
        "{loads: [1, 2], files: {a.csv: 1}}",
        f"{LOAD}.files.a.csv\n  found:    1\n{DIGITS}{NEXT}",
    ),
}


@pytest.mark.parametrize("fault", REFUSED_LOADS)
def test_the_whole_message_of_a_load(fault: str) -> None:
    typed, message = REFUSED_LOADS[fault]
    text = f"name: a\ndemand: {{output_tokens: 1, load: {typed}}}\noptions: {{b: {{api: c}}}}\n"
    with pytest.raises(ScenarioErrors) as caught:
        read(text.encode(), "s.yaml")
    assert str(caught.value) == message


def test_the_schema_takes_files_wherever_a_number_may_say_where_it_is_from() -> None:
    parts = schema()["$defs"]
    for part in ("QuantityMapping", "RentalPriceMapping", "LoadMapping"):
        files = parts[part]["properties"]["files"]
        assert files["additionalProperties"] == {
            "type": "string",
            "pattern": "^[0-9a-fA-F]{64}$",
        }
        assert (files["minProperties"], files["maxProperties"]) == (1, MOST_FILES)
    assert parts["Demand"]["properties"]["load"]["default"] == "flat"
