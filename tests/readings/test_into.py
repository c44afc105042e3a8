"""What was read, written into scenarios: the places, where the numbers came from, what is left."""

import hashlib
import os
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tco import results
from tco.errors import OutputError, ScenarioError, ScenarioErrors
from tco.readings.into import hours_per_month, write
from tco.readings.places import Target
from tco.readings.prices import ecb
from tco.readings.reading import Asked, Entry, Period, Reading, ReadingError, Source
from tco.scenario.writing import comments

ROOT = Path(__file__).parents[2]
SCENARIO = """\
# a scenario with comments
name: Test  # of the name
currency: USD
exchange_rates: {CNY: 7.1}  # assumed
demand:
  output_tokens: 50 M  # a guess
  peak_to_mean: 3
hardware:
  # the card
  rtx-4090:
    price: 1599
    output_rate: 800  # assumed
options:
  own: {own: rtx-4090, count: 2}
  rent: {rent: rtx-4090, count: 2, price: {median: 0.49, minimum: 0.14, source: article B}}
  chain:  # one after the other
    - {own: rtx-4090, count: 1, idle_power: 25 W}
    - {api: gpt-4o, provider: openai, output_price: 15}
"""


def tree(file: Path) -> Any:
    return YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8"))


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    file = tmp_path / "mine.yaml"
    file.write_text(SCENARIO, encoding="utf-8")
    return file


def reading(folder: Path, *entries: Entry, name: str = "logs/a log.csv", **details: Any) -> Reading:
    file = folder / name
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text("a,b\n1,2\n")
    week = Period(datetime(2026, 11, 2), datetime(2026, 11, 16))
    return Reading(
        **{
            "kind": "a log of a test",
            "sources": (Source.of(file),),
            "used": 2,
            "entries": entries,
            "period": week,
            **details,
        }
    )


def entry(room: Any, subject: str, field: str, content: dict[str, Any], **details: Any) -> Entry:
    return Entry(
        room, subject, field, content, label=f"{field} of {subject}", shown="it", **details
    )


IDLE = entry("card", "rtx-4090", "idle_power", {"value": 30.91, "low": 30, "high": 32})


def test_a_number_says_where_it_came_from_and_comments_stay(scenario: Path) -> None:
    before = scenario.read_text()
    given = reading(scenario.parent, IDLE)
    written = write([given], str(scenario))
    assert tree(scenario)["hardware"]["rtx-4090"]["idle_power"] == {
        "value": 30.91,
        "low": 30,
        "high": 32,
        "basis": "measured",
        "source": "a log of a test",
        # the period ends at midnight, so the day before is the last that was measured
        "as_of": "2026-11-15",
        "files": {"logs/a log.csv": hashlib.sha256(b"a,b\n1,2\n").hexdigest()},
    }
    assert comments(scenario.read_text()) == comments(before)
    # the lines that were there are there still, in their order
    old, new = before.splitlines(), scenario.read_text().splitlines()
    assert [line for line in new if line in old] == old
    assert written.told()[0] == f"{scenario}: 1 value"
    assert written.told()[1] == "hardware.rtx-4090.idle_power: it"
    assert results.run(str(scenario)).status["own"] == "ok"


def test_a_supply_that_says_it_itself_is_left_and_told(scenario: Path) -> None:
    written = write([reading(scenario.parent, IDLE)], str(scenario))
    assert written.left == (
        "options.chain[0].idle_power goes before hardware.rtx-4090.idle_power and was left: "
        f"write it there with --into {scenario}:options.chain[0]",
    )
    write([reading(scenario.parent, IDLE)], f"{scenario}:options.chain[0]")
    assert tree(scenario)["options"]["chain"][0]["idle_power"]["value"] == 30.91


def test_reading_the_same_again_changes_no_byte(scenario: Path) -> None:
    given = [reading(scenario.parent, IDLE, LOAD, POINT)]
    write(given, str(scenario))
    once = scenario.read_bytes()
    write(given, str(scenario))
    assert scenario.read_bytes() == once


LOAD = entry("demand", "", "load", {"loads": [0.5, 1, 1.5]})
POINT = entry(
    "card",
    "rtx-4090",
    "throughput",
    {"output_rate": {"value": 403.5}, "gpus": 2, "input_length": 1024, "output_length": 128},
)


def test_what_says_the_same_in_another_way_goes_and_its_comment_stays(scenario: Path) -> None:
    written = write([reading(scenario.parent, LOAD, POINT)], str(scenario))
    demand, card = tree(scenario)["demand"], tree(scenario)["hardware"]["rtx-4090"]
    assert demand["load"]["loads"] == [0.5, 1, 1.5]
    assert "peak_to_mean" not in demand
    assert "output_rate" not in card
    assert "# assumed" in scenario.read_text()
    point = card["throughput"][0]
    assert point["output_rate"]["value"] == 403.5
    assert point["output_rate"]["basis"] == "measured"
    assert (point["gpus"], point["input_length"], point["output_length"]) == (2, 1024, 128)
    assert (
        "hardware.rtx-4090.output_rate: taken out: throughput stands in its place, before 800"
        in (written.told())
    )


@pytest.mark.parametrize(
    ("model", "is_told"), [("llama-3-8b", False), ("llama-3-70b", True), (None, False)]
)
def test_a_rate_of_another_model_is_told(scenario: Path, model: str | None, is_told: bool) -> None:
    runs = f", model: {model}" if model else ""
    scenario.write_text(SCENARIO.replace("count: 2}\n  rent", f"count: 2{runs}}}\n  rent"))
    source = "meta-llama/Meta-Llama-3-8B-Instruct, vLLM bench serve"
    point = entry("card", "rtx-4090", "throughput", {**POINT.content, "source": source})
    written = write([reading(scenario.parent, point)], str(scenario))
    told = (
        f"options.own runs {model}, and what was measured is {source}: the rate counts for it too; "
        f"to keep it apart, name the option that it is of with --into {scenario}:options.NAME"
    )
    assert (told in written.left) == is_told


def test_two_points_of_a_card_stand_in_one_list(scenario: Path) -> None:
    other = entry(
        "card",
        "rtx-4090",
        "throughput",
        {"output_rate": {"value": 900}, "gpus": 2, "input_length": 256, "output_length": 256},
    )
    write([reading(scenario.parent, POINT, other)], str(scenario))
    points = tree(scenario)["hardware"]["rtx-4090"]["throughput"]
    assert [point["output_rate"]["value"] for point in points] == [403.5, 900]


def test_a_measurement_of_one_card_sizes_no_other(scenario: Path) -> None:
    other = entry("card", "rtx-3090", "idle_power", {"value": 20})
    written = write([reading(scenario.parent, other)], str(scenario))
    assert tree(scenario)["hardware"]["rtx-3090"]["idle_power"]["value"] == 20
    assert written.left == (
        "no option runs on rtx-3090, and what is measured on one card sizes no other: "
        "a file from rtx-4090 would",
    )
    before = scenario.read_bytes()
    for place in ("hardware.rtx-4090", "options.own", "options.chain[0].idle_power"):
        with pytest.raises(ReadingError) as refused:
            write([reading(scenario.parent, other)], f"{scenario}:{place}")
        assert refused.value.found == "a place of rtx-4090, and a measurement of rtx-3090"
    assert scenario.read_bytes() == before


def test_a_file_that_names_no_card_needs_one(scenario: Path) -> None:
    nameless = Entry("card", "", "idle_power", {"value": 20}, label="watts idle", shown="20 W")
    before = scenario.read_bytes()
    with pytest.raises(ReadingError) as refused:
        write([reading(scenario.parent, nameless)], str(scenario))
    assert (
        str(refused.value)
        == f"""\
{scenario}
  found:    watts idle: the file does not name its card; add --gpu NAME, or name the place with
            --into FILE:hardware.NAME
  expected: a number that has a place in this scenario
  next:     add the option or the card it belongs to, or name a place:  --into
            {scenario}:hardware.rtx-4090"""
    )
    assert scenario.read_bytes() == before
    write([reading(scenario.parent, nameless)], f"{scenario}:hardware.rtx-4090")
    assert tree(scenario)["hardware"]["rtx-4090"]["idle_power"]["value"] == 20


def test_rates_become_units_for_one_of_the_reporting_currency(scenario: Path) -> None:
    file = scenario.parent / "eurofxref.csv"
    file.write_text("Date, USD, JPY, CNY, \n13 April 2026, 1.1684, 186.75, 7.9827, \n")
    written = write([ecb.read([file], Asked())], str(scenario))
    given = tree(scenario)["exchange_rates"]
    # 7.9827 CNY and 1.1684 USD are one EUR: 7.9827 / 1.1684 = 6.83216 CNY are one USD
    assert given["CNY"]["value"] == "6.83216 CNY/USD"
    assert given["CNY"]["basis"] == "published"
    assert given["CNY"]["as_of"] == "2026-04-13"
    assert list(given) == ["CNY"]
    assert written.told()[1] == "exchange_rates.CNY: 6.83216 CNY/USD, before 7.1"


LISTED = {
    "openai/gpt-4o": entry("api", "gpt-4o", "output_price", {"value": 10}, provider="openai"),
    "azure/gpt-4o": entry("api", "gpt-4o", "output_price", {"value": 11}, provider="azure"),
    "router": entry("api", "openai/gpt-4o", "output_price", {"value": 12}, provider="openrouter"),
}


@pytest.mark.parametrize(
    ("provider", "listed", "price"),
    [
        ("openai", ["openai/gpt-4o", "azure/gpt-4o"], 10),
        ("openai", ["azure/gpt-4o", "openai/gpt-4o"], 10),
        ("Azure", ["azure/gpt-4o", "openai/gpt-4o"], 11),
        (None, ["azure/gpt-4o", "openai/gpt-4o"], 10),  # that of its maker
        (None, ["router"], 12),  # there is no other
        ("openai", ["router"], None),
        (None, ["azure/gpt-4o", "router"], None),
    ],
)
def test_a_price_is_that_of_the_seller(
    scenario: Path, provider: str | None, listed: list[str], price: float | None
) -> None:
    if provider != "openai":
        new = "" if provider is None else f" provider: {provider},"
        scenario.write_text(SCENARIO.replace(" provider: openai,", new))
    written = write(
        [reading(scenario.parent, IDLE, *(LISTED[one] for one in listed))], str(scenario)
    )
    given = tree(scenario)["options"]["chain"][1]["output_price"]
    assert given == 15 if price is None else given["value"] == price
    told = [line for line in written.left if "is sold by" in line]
    assert len(told) == (price is None)


def test_a_price_goes_to_the_options_that_pay_it(scenario: Path) -> None:
    rent = entry(
        "rental", "rtx-4090", "price", {"median": 0.5, "p25": 0.4, "p75": 0.6, "minimum": 0.3},
        basis="quoted", day=date(2026, 11, 20),
    )  # fmt: skip
    listed = [
        entry("api", "gpt-4o", "output_price", {"value": 10}, basis="published", provider="openai"),
        entry("api", "gpt-4o", "output_price", {"value": 11}, basis="published", provider="azure"),
        entry("api", "gpt-4o-mini", "output_price", {"value": 0.6}, provider="openai"),
    ]
    write([reading(scenario.parent, rent, *listed)], str(scenario))
    options = tree(scenario)["options"]
    assert options["rent"]["price"]["median"] == 0.5
    assert options["rent"]["price"]["as_of"] == "2026-11-20"
    assert options["rent"]["price"]["basis"] == "quoted"
    assert "article B" not in scenario.read_text()
    assert options["chain"][1]["output_price"]["value"] == 10


HOURS = """\
name: a
demand: {gpu_hours: 400, card: rtx-4090}
options: {own: {own: rtx-4090, count: 1, price: 1599}}
"""


def test_work_of_another_kind_is_put_in_its_place_only_where_that_is_said(scenario: Path) -> None:
    scenario.write_text(HOURS)
    tokens = reading(scenario.parent, entry("demand", "", "output_tokens", {"value": 5}))
    with pytest.raises(ReadingError) as refused:
        write([tokens], str(scenario))
    assert refused.value.found == (
        "output_tokens of : the demand is in gpu-hours, and the file has tokens: to put them in "
        f"its place, write --into {scenario}:demand"
    )
    assert scenario.read_text() == HOURS
    write([tokens], f"{scenario}:demand")
    assert list(tree(scenario)["demand"]) == ["output_tokens"]
    hours = entry("demand", "h100-sxm", "gpu_hours", {"value": 7})
    write([reading(scenario.parent, hours)], f"{scenario}:demand")
    demand = tree(scenario)["demand"]
    assert demand["gpu_hours"]["value"] == 7
    assert demand["card"] == "h100-sxm"
    assert "output_tokens" not in demand


def test_what_an_earlier_file_told_and_this_one_does_not_goes(scenario: Path) -> None:
    def told(**tokens: float) -> Reading:
        entries = [entry("demand", "", name, {"value": value}) for name, value in tokens.items()]
        return reading(scenario.parent, *entries)

    write([told(output_tokens=7, reasoning_tokens=3, input_tokens=9, requests=2)], str(scenario))
    written = write([told(output_tokens=10, input_tokens=9)], str(scenario))
    demand = tree(scenario)["demand"]
    # the output of the second file holds its reasoning: 3 of the first would be counted on top
    assert "reasoning_tokens" not in demand
    assert "requests" not in demand
    assert demand["output_tokens"]["value"] == 10
    assert (
        "demand.reasoning_tokens: taken out: the file that was read tells none, before 3 (measured)"
        in written.told()
    )


def test_two_files_that_say_the_same_number_are_refused(scenario: Path) -> None:
    before = scenario.read_bytes()
    one = reading(scenario.parent, entry("demand", "", "output_tokens", {"value": 5}))
    other = reading(
        scenario.parent, entry("demand", "", "output_tokens", {"value": 6}), kind="another log"
    )
    with pytest.raises(ReadingError) as refused:
        write([one, other], str(scenario))
    assert refused.value.field == "demand.output_tokens"
    assert refused.value.found == (
        "two values, of a log of a test and of another log; nothing was written"
    )
    assert scenario.read_bytes() == before


@pytest.mark.parametrize(
    ("number", "place", "left"),
    [
        (
            entry("rental", "h100-sxm", "price", {"median": 2}),
            "options.rent",
            "price of h100-sxm: options.rent is of rtx-4090",
        ),
        (
            entry("api", "claude-opus-5", "output_price", {"value": 25}, provider="anthropic"),
            "options.chain[1]",
            "options.chain[1] calls gpt-4o, of which these files have no price of its own",
        ),
    ],
)
def test_a_named_place_takes_its_own_card_and_model_alone(
    scenario: Path, number: Entry, place: str, left: str
) -> None:
    before = scenario.read_bytes()
    with pytest.raises(ReadingError) as refused:
        write([reading(scenario.parent, number)], f"{scenario}:{place}")
    assert left in refused.value.found
    assert scenario.read_bytes() == before


def test_an_amount_needs_a_rate_of_its_currency(scenario: Path) -> None:
    scenario.write_text(SCENARIO.replace("currency: USD", "currency: EUR"))
    dollars = entry("rental", "rtx-4090", "price", {"median": 0.5, "currency": "USD"})
    written = write([reading(scenario.parent, IDLE, dollars)], str(scenario))
    assert written.left[-1] == (
        "options.rent.price: the price is in USD, and the scenario has no exchange rate for it: "
        "add  exchange_rates: {USD: ...}, or read the rates of the ECB too"
    )
    assert tree(scenario)["options"]["rent"]["price"]["median"] == 0.49
    file = scenario.parent / "eurofxref.csv"
    file.write_text("Date, USD, CNY, \n13 April 2026, 1.1684, 7.9827, \n")
    write([reading(scenario.parent, dollars), ecb.read([file], Asked())], str(scenario))
    assert tree(scenario)["exchange_rates"]["USD"]["value"] == "1.1684 USD/EUR"
    assert tree(scenario)["options"]["rent"]["price"]["median"] == 0.5


def test_a_price_of_a_term_is_left(scenario: Path) -> None:
    term = "reserved: {price: 0.4, term_months: 12}"
    scenario.write_text(
        SCENARIO.replace("price: {median: 0.49, minimum: 0.14, source: article B}", term)
    )
    rent = entry("rental", "rtx-4090", "price", {"median": 0.5})
    written = write([reading(scenario.parent, IDLE, rent)], str(scenario))
    assert "options.rent is paid by its term (reserved) and was left" in written.left


def test_what_can_be_read_but_not_run_is_not_written(scenario: Path) -> None:
    def runs(_: object) -> None:
        raise ScenarioErrors([ScenarioError(str(scenario), 3, "a.b", "x", "y", "z")])

    before = scenario.read_bytes()
    with pytest.raises(ReadingError) as refused:
        write([reading(scenario.parent, IDLE)], str(scenario), runs=runs)
    assert (
        refused.value.found == "x, once the values that were read are written; nothing was written"
    )
    assert scenario.read_bytes() == before


def test_of_several_workloads_one_is_named(scenario: Path) -> None:
    text = (
        "name: a\ndemand: {workloads: {chat: {output_tokens: 1 M}}}\n"
        "options: {a: {api: gpt-4o, output_price: 1}}\n"
    )
    scenario.write_text(text)
    tokens = entry("demand", "", "output_tokens", {"value": 5000})
    with pytest.raises(ReadingError) as refused:
        write([reading(scenario.parent, tokens)], str(scenario))
    assert refused.value.found == (
        "output_tokens of : name the workload it is of with --into FILE:demand.workloads.chat"
    )
    assert scenario.read_text() == text
    write([reading(scenario.parent, tokens)], f"{scenario}:demand.workloads.chat")
    assert tree(scenario)["demand"]["workloads"]["chat"]["output_tokens"]["value"] == 5000


def test_one_field_can_be_named(scenario: Path) -> None:
    busy = entry("card", "rtx-4090", "active_power", {"value": 300})
    write([reading(scenario.parent, IDLE, busy)], f"{scenario}:hardware.rtx-4090.active_power")
    card = tree(scenario)["hardware"]["rtx-4090"]
    assert card["active_power"]["value"] == 300
    assert "idle_power" not in card


def test_a_file_without_dates_has_the_day_it_was_last_changed(scenario: Path) -> None:
    given = reading(scenario.parent, IDLE, period=None)
    os.utime(given.sources[0].path, (1_790_000_000, 1_790_000_000))  # 2026-09-21 13:33:20 UTC
    written = write([given], str(scenario))
    idle = tree(scenario)["hardware"]["rtx-4090"]["idle_power"]
    assert idle["as_of"] == "2026-09-21"
    assert idle["note"] == "the file holds no date: the day it was last changed"
    assert written.left[0] == (
        "a log.csv: no date in it, so its day is the one on which it was last changed, 2026-09-21; "
        "a copy would be dated later: say the day with --as-of"
    )
    write([given], str(scenario), as_of=date(2026, 8, 1))
    idle = tree(scenario)["hardware"]["rtx-4090"]["idle_power"]
    assert idle["as_of"] == "2026-08-01"
    assert idle["note"] == "the file holds no date: the day was given with --as-of"


def test_a_list_price_goes_to_no_option_whose_seller_is_not_known(scenario: Path) -> None:
    second = "  reseller: {api: gpt-4o, output_price: 8}\n"
    scenario.write_text(SCENARIO.replace(" provider: openai,", "") + second)
    before = tree(scenario)["options"]
    written = write([reading(scenario.parent, IDLE, LISTED["openai/gpt-4o"])], str(scenario))
    assert tree(scenario)["options"] == before
    assert written.left[-1] == (
        "options.chain[1], options.reseller call gpt-4o and name no provider, so whose price this "
        "list has is not known: add  provider: ...  to the one that is meant"
    )
    write([reading(scenario.parent, LISTED["openai/gpt-4o"])], f"{scenario}:options.reseller")
    assert tree(scenario)["options"]["reseller"]["output_price"]["value"] == 10


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("options: {own: {own: rtx-4090, count: -2, price: 1}}\n", "-2"),
        ("options: [\n", "every bracket closed"),
    ],
)
def test_a_file_that_is_no_scenario_is_left_as_it_is(scenario: Path, text: str, found: str) -> None:
    scenario.write_text(text)
    with pytest.raises(ScenarioErrors) as refused:
        write([reading(scenario.parent, IDLE)], str(scenario))
    assert found in str(refused.value)
    assert scenario.read_text() == text
    assert sorted(path.name for path in scenario.parent.iterdir()) == ["logs", "mine.yaml"]


def test_what_would_be_no_scenario_any_more_is_not_written(scenario: Path) -> None:
    before = scenario.read_bytes()
    wrong = entry("card", "rtx-4090", "idle_power", {"value": -5})
    with pytest.raises(ReadingError) as refused:
        write([reading(scenario.parent, wrong)], str(scenario))
    assert refused.value.field == "hardware.rtx-4090.idle_power.value"
    assert (
        refused.value.found == "-5, once the values that were read are written; nothing was written"
    )
    assert scenario.read_bytes() == before


def test_a_value_with_an_anchor_belongs_to_others_too(scenario: Path) -> None:
    text = SCENARIO.replace(
        "    price: 1599\n", "    idle_power: &idle 20\n    active_power: *idle\n"
    )
    scenario.write_text(text)
    with pytest.raises(ReadingError) as refused:
        write([reading(scenario.parent, IDLE)], str(scenario))
    assert refused.value.found == (
        "a value with the anchor &idle, which other places of the file take over; "
        "nothing was written"
    )
    assert scenario.read_text() == text


@pytest.mark.parametrize(
    "place", ["hardware.", "nowhere[0]", "options.chain[7]", "options.no.price"]
)
def test_places_that_are_none_are_refused(scenario: Path, place: str) -> None:
    before = scenario.read_bytes()
    with pytest.raises((ReadingError, ScenarioErrors)):
        write([reading(scenario.parent, IDLE)], f"{scenario}:{place}")
    assert scenario.read_bytes() == before


def test_bytes_around_the_values_stay(scenario: Path) -> None:
    text = "\ufeff" + SCENARIO.replace("\n", "\r\n")
    scenario.write_bytes(text.encode())
    write([reading(scenario.parent, IDLE)], str(scenario))
    after = scenario.read_bytes().decode()
    assert after.startswith("\ufeff# a scenario with comments\r\n")
    new = [line for line in after.split("\r\n") if line not in text.split("\r\n")]
    assert [line for line in after.split("\r\n") if line not in new] == text.split("\r\n")
    assert "\n" not in after.replace("\r\n", "")


def test_names_of_files_are_text_and_a_link_stays_one(scenario: Path) -> None:
    link = scenario.parent / "link.yaml"
    link.symlink_to(scenario)
    given = reading(scenario.parent, IDLE, name="=cmd|' /C calc'!A0, {x: y} #.csv")
    write([given], str(link))
    assert link.is_symlink()
    files = tree(scenario)["hardware"]["rtx-4090"]["idle_power"]["files"]
    assert list(files) == ["=cmd|' /C calc'!A0, {x: y} #.csv"]
    assert results.run(str(scenario)).status["own"] == "ok"


def test_a_folder_that_may_not_be_written_says_so(
    scenario: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    before = scenario.read_bytes()
    with pytest.raises(OutputError) as refused:
        write([reading(scenario.parent, IDLE)], str(scenario))
    assert refused.value.why == "permission denied"
    assert scenario.read_bytes() == before


def test_a_run_killed_while_it_writes_leaves_the_file(
    scenario: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", kill)
    before = scenario.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        write([reading(scenario.parent, IDLE)], str(scenario))
    assert scenario.read_bytes() == before
    assert sorted(path.name for path in scenario.parent.iterdir()) == ["logs", "mine.yaml"]


def test_a_new_file_has_an_option_for_all_that_was_read(tmp_path: Path) -> None:
    file = tmp_path / "new.yaml"
    rent = entry("rental", "h100-sxm", "price", {"median": 2.5}, basis="quoted")
    tokens = entry("demand", "", "output_tokens", {"value": 30e6})
    given = reading(tmp_path, POINT, rent, tokens, models=(("openai", "gpt-4o"),))
    written = write([given], str(file))
    assert written.is_new
    options = tree(file)["options"]
    assert options["own-rtx-4090"] == {"own": "rtx-4090", "count": 2, "price": "book"}
    assert options["rent-h100-sxm"]["price"]["median"] == 2.5
    assert options["api-gpt-4o"] == {"api": "gpt-4o", "provider": "openai", "price": "book"}
    assert tree(file)["demand"]["output_tokens"]["value"] == 30_000_000
    assert str(tree(file)["as_of"]) == "2026-11-15"


def test_a_new_file_has_as_many_cards_as_were_seen(tmp_path: Path) -> None:
    given = reading(tmp_path, IDLE, gpus={"rtx-4090": 4})
    write([given], str(tmp_path / "new.yaml"))
    assert tree(tmp_path / "new.yaml")["options"]["own-rtx-4090"]["count"] == 4


def test_a_new_file_needs_something_to_be_about(tmp_path: Path) -> None:
    file = tmp_path / "new.yaml"
    tokens = entry("demand", "", "output_tokens", {"value": 30e6})
    with pytest.raises(ReadingError) as refused:
        write([reading(tmp_path, tokens)], str(file))
    assert refused.value.next_step == f"write a scenario first:  tco new {file}"
    assert not file.exists()


def test_a_place_of_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioErrors) as refused:
        write([reading(tmp_path, IDLE)], f"{tmp_path / 'no.yaml'}:demand")
    assert "no such file" in str(refused.value)


def test_the_hours_of_a_month_are_those_of_the_scenario(scenario: Path) -> None:
    assert hours_per_month(None) == hours_per_month(str(scenario)) == 730
    scenario.write_text("hours_per_month: 720\n" + SCENARIO)
    assert hours_per_month(f"{scenario}:demand") == 720


def test_into_names_a_file_and_a_place() -> None:
    assert Target.of("a.yaml") == Target(Path("a.yaml"), None)
    assert Target.of("a:b.yml:c.d[0]") == Target(Path("a:b.yml"), "c.d[0]")
