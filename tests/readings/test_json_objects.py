"""Objects of a JSON text, however they stand in it, and what is no object."""

import json
from pathlib import Path

import pytest

from tco.readings.reading import ReadingError
from tco.readings.texts.json_objects import Record, records_of

ONE, TWO = {"completed": 1}, {"completed": 2, "text": "} and {"}


def lines_of(tmp_path: Path, text: str, encoding: str = "utf-8") -> list[tuple[int, object]]:
    path = tmp_path / "runs.json"
    path.write_bytes(text.encode(encoding))
    records, faults = records_of(path)
    assert not faults
    return [(record.line, record.values) for record in records]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{json.dumps(ONE)}\n{json.dumps(TWO)}\n", (1, 2)),
        (f"\n{json.dumps(ONE)}\r\n\r\n{json.dumps(TWO)}", (2, 4)),
        (f"{json.dumps(ONE)}{json.dumps(TWO)}", (1, 1)),
        (f"{json.dumps(ONE, indent=1)}\n{json.dumps(TWO, indent=1)}", (1, 4)),
        (f"[{json.dumps(ONE)},\n {json.dumps(TWO)}]", (1, 2)),
        (f"{json.dumps(ONE)},\n{json.dumps(TWO)}", (1, 2)),
    ],
    ids=["lines", "empty lines", "no line between", "indented", "list", "commas"],
)
def test_objects_in_any_arrangement(tmp_path: Path, text: str, lines: tuple[int, int]) -> None:
    assert lines_of(tmp_path, text) == [(lines[0], ONE), (lines[1], TWO)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    assert lines_of(tmp_path, '{"model_id": "größer"}', encoding) == [(1, {"model_id": "größer"})]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ('{"a": 1}\n{"b": 2, "c"', 2, "the file ends inside an object that begins on line 2"),
        ('{\n "a": [1,\n 2', 3, "the file ends inside an object that begins on line 1"),
        ('{\n "a": "bro', 2, "the file ends inside an object that begins on line 1"),
        ('[{"a": 1},\n{"a": 2}', 2, "the file ends before its list does"),
        ("{invalid}", 1, "no JSON: expecting property name enclosed in double quotes at column 2"),
        ('{"a": 1}\n[2.5]', 2, "2.5"),
        ("{" + '"a":{' * 100_000, 1, "no JSON: numbers too long or objects too deep"),
        ('{"a": ' + "9" * 5000 + "}", 1, "no JSON: numbers too long or objects too deep"),
    ],
    ids=["line", "indented", "text", "list", "invalid", "number", "deep", "long number"],
)
def test_what_is_no_object(tmp_path: Path, text: str, line: int, found: str) -> None:
    path = tmp_path / "runs.json"
    path.write_text(text)
    _, faults = records_of(path)
    assert (faults[0].line, faults[0].found) == (line, found)


def test_a_fault_costs_no_other_object(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text('{"a": 1}\n{invalid}\nRunning ...\n{"a": 2}\n{"a"')
    records, faults = records_of(path)
    assert [record.values["a"] for record in records] == [1, 2]
    assert [fault.line for fault in faults] == [2, 3, 5]


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_bytes(b'{\n"model_id": "gr\xf6\xdfer"}')
    with pytest.raises(ReadingError) as refused:
        records_of(path)
    assert str(refused.value) == (
        f"{path}, line 2\n"
        "  found:    the byte 0xF6, which is no UTF-8\n"
        "  expected: text in UTF-8\n"
        "  next:     save the file again as UTF-8"
    )


def test_numbers() -> None:
    values = {"null": None, "empty": "", "whole": 3, "text": " 2.5e1 ", "zero": 0}
    record = Record("a.json", 1, values)
    found = [record.number(name) for name in ("absent", "null", "empty", "whole", "text", "zero")]
    assert found == [None, None, None, 3.0, 25.0, 0.0]
    assert record.number("null", "whole") == 3.0


@pytest.mark.parametrize(
    "value", [True, "fast", "1,234", "1_000", "nan", "inf", float("inf"), float("nan"), -1, [1], {}]
)
def test_what_is_no_number(value: object) -> None:
    with pytest.raises(ReadingError) as refused:
        Record("a.json", 4, {"duration": value}).number("duration")
    assert str(refused.value) == (
        "a.json, line 4: duration\n"
        f"  found:    {json.dumps(value)}\n"
        "  expected: a number of 0 or more\n"
        "  next:     correct or delete the run, or measure again"
    )
