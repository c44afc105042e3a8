"""Files that are no scenario at all, or one made to do harm: refused, quickly, in words."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tco.errors import ScenarioErrors
from tco.scenario import document
from tco.scenario.loading import load, read

GOOD = "name: a\noptions: {b: {api: c, output_price: 15}}\n"


def message_of(content: str | bytes, settings: tuple[str, ...] = ()) -> str:
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    with pytest.raises(ScenarioErrors) as caught:
        read(data, "s.yaml", settings)
    return str(caught.value)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def failing(name: str) -> str:
    with pytest.raises(ScenarioErrors) as caught:
        load(name)
    return str(caught.value)


def test_a_file_that_is_missing(folder: Path) -> None:
    (folder / "midteam.yaml").write_text(GOOD)
    assert failing("midtaem.yaml") == (
        "midtaem.yaml\n"
        "  found:    no such file\n"
        "  expected: a scenario file\n"
        "  next:     did you mean midteam.yaml?"
    )


def test_a_file_unlike_any_other(folder: Path) -> None:
    assert failing("x.yaml") == (
        "x.yaml\n"
        "  found:    no such file\n"
        "  expected: a scenario file\n"
        "  next:     check the name, or write a starter to change with  tco new x.yaml"
    )


def test_a_file_in_no_folder(folder: Path) -> None:
    assert failing("no/x.yaml") == (
        "no/x.yaml\n"
        "  found:    no such file\n"
        "  expected: a scenario file\n"
        "  next:     check the folder: there is no folder no"
    )


def test_a_folder(folder: Path) -> None:
    (folder / "scenarios").mkdir()
    assert failing("scenarios") == (
        "scenarios\n"
        "  found:    a folder\n"
        "  expected: a scenario file\n"
        "  next:     name a .yaml file in this folder"
    )


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(document, "open", refuse, raising=False)
    assert failing("s.yaml") == (
        "s.yaml\n"
        "  found:    a file that may not be read\n"
        "  expected: a scenario file that you may read\n"
        "  next:     change its permissions, or copy it to a place of your own"
    )


def test_a_name_that_no_file_can_have() -> None:
    assert failing("s\0.yaml") == (
        "s\\x00.yaml\n"
        "  found:    embedded null byte\n"
        "  expected: a scenario file\n"
        "  next:     check the name of the file"
    )


def test_over_two_megabytes_is_refused_before_parsing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "big.yaml").write_bytes(b"#" * 2_000_001)
    monkeypatch.setattr(document, "YAML", None)
    assert failing("big.yaml") == (
        "big.yaml\n"
        "  found:    a file of more than 2 MB\n"
        "  expected: a scenario of at most 2 MB; most take a few kilobytes\n"
        "  next:     check that this is the scenario and not a data file"
    )


def test_a_byte_order_mark_is_accepted() -> None:
    assert read(b"\xef\xbb\xbf" + GOOD.encode(), "s.yaml").name == "a"


def test_text_that_is_not_utf_8_names_the_byte_and_the_line() -> None:
    assert message_of(b"name: a\n# " + "中".encode("gbk")) == (
        "s.yaml, line 2\n"
        "  found:    byte 0xD6 at offset 10, which is not UTF-8\n"
        "  expected: text in UTF-8\n"
        "  next:     open the file in your editor and save it as UTF-8 (not as ANSI, GBK or UTF-16)"
    )


@pytest.mark.parametrize(
    ("encoding", "name"), [("utf-16", "UTF-16"), ("utf-32", "UTF-32"), ("utf-16-be", None)]
)
def test_other_encodings_are_named(encoding: str, name: str | None) -> None:
    found = f"text in {name}" if name else "control character U+0000"
    expected = "text in UTF-8" if name else "text without control characters"
    assert message_of(GOOD.encode(encoding)) == (
        "s.yaml, line 1\n"
        f"  found:    {found}\n"
        f"  expected: {expected}\n"
        "  next:     save the file as UTF-8"
    )


@pytest.mark.parametrize("character", ["\x07", "\x1b", "\x7f", "\u202e"])
def test_control_characters_are_refused_where_they_stand(character: str) -> None:
    assert message_of(f"name: a\nquestion: b{character}\n") == (
        "s.yaml, line 2\n"
        f"  found:    control character U+{ord(character):04X}\n"
        "  expected: text without control characters\n"
        "  next:     delete the character; it may be invisible in your editor"
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("name: " + "[" * 3_000 + "]" * 3_000, 1),
        ("name: " + "{a: " * 3_000 + "}" * 3_000, 1),
        ("- " * 3_000, 1),
        ("".join(" " * level + "a:\n" for level in range(60)), 50),
    ],
    ids=["lists", "mappings", "hyphens", "blocks"],
)
def test_deep_nesting_is_stopped(text: str, line: int) -> None:
    assert message_of(text) == (
        f"s.yaml, line {line}\n"
        "  found:    values nested more than 50 deep\n"
        "  expected: at most five levels, as in  "
        "options: {name: {own: card, price: {value: 1}}}\n"
        "  next:     look for brackets that are opened again and again"
    )


def too_many(line: int) -> str:
    return (
        f"s.yaml, line {line}\n"
        "  found:    more than 10,000 values, counting what *aliases repeat\n"
        "  expected: at most 10,000 values\n"
        "  next:     write fewer options, and no aliases that repeat aliases"
    )


def test_aliases_that_explode_are_stopped() -> None:
    steps = [
        f"{name}: &{name} [{','.join([f'*{last}'] * 9)}]"
        for last, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert message_of("\n".join(["a: &a [x, x, x]", *steps])) == too_many(1)


def test_many_values_are_stopped() -> None:
    options = "".join(f"  x{number}: {{api: a}}\n" for number in range(6_000))
    # Each line has four values: its key, the block, the key and the value in it.
    assert message_of(f"name: a\noptions:\n{options}") == too_many(2_501)


def test_aliases_in_moderate_number_are_fine() -> None:
    text = (
        "name: a\noptions:\n"
        "  x: {api: a, output_price: &price {value: 15, source: b}}\n"
        "  y: {api: b, output_price: *price}\n"
    )
    price = read(text.encode(), "s.yaml").options["y"].supplies[0]
    assert price.kind == "api"
    assert price.output_price is not None
    assert price.output_price.value == 15
    assert price.output_price.path == "options.y.output_price"


def test_long_names_are_cut_in_the_message() -> None:
    name = "n" * 300
    assert message_of(f"name: a\noptions: {{{name}: {{api: a}}}}\n") == (
        "s.yaml, line 2: options.nnnnnnnnnnnnnnnnnnnn...\n"
        f"  found:    a name of 300 characters: {'n' * 40} ...\n"
        "  expected: a name of an option of at most 80 characters\n"
        "  next:     shorten the name; a note or a comment may say the rest"
    )
    assert message_of(f"name: {name}\noptions: {{a: {{api: a}}}}\n") == (
        "s.yaml, line 1: name\n"
        f"  found:    300 characters: {'n' * 40} ...\n"
        "  expected: a text of at most 80 characters\n"
        "  next:     shorten it by 220 characters"
    )


def test_long_texts_are_refused() -> None:
    assert message_of(f"name: a\nquestion: {'q' * 501}\noptions: {{a: {{api: a}}}}\n") == (
        "s.yaml, line 2: question\n"
        f"  found:    501 characters: {'q' * 40} ...\n"
        "  expected: a text of at most 500 characters\n"
        "  next:     shorten it by 1 characters"
    )


def test_all_faults_of_a_file_are_reported_in_the_order_of_their_lines() -> None:
    text = (
        "name: a\n"
        "months: 0\n"
        "baseline: z\n"
        "site: {pue: 0.5, utilisation: 70}\n"
        "options:\n"
        "  b: {own: rtx-4099, count: -1, prise: 5}\n"
        "  c: {api: d, output_price: 8 EUR}\n"
    )
    with pytest.raises(ScenarioErrors) as caught:
        read(text.encode(), "s.yaml")
    assert [(fault.line, fault.field) for fault in caught.value.faults] == [
        (2, "months"),
        (3, "baseline"),
        (4, "site.pue"),
        (4, "site.utilisation"),
        (6, "options.b.count"),
        (6, "options.b.own"),
        (6, "options.b.prise"),
        (7, "options.c.output_price"),
    ]


def test_twenty_faults_are_printed_and_the_rest_counted() -> None:
    options = "".join(f"  x{number}: {{api: a, output_price: -1}}\n" for number in range(23))
    message = message_of(f"name: a\noptions:\n{options}")
    assert message.count("found:") == 20
    assert message.endswith("\n\nand 3 more; put these right and run again")
