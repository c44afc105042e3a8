"""JSON read value by value: lists, lines, pieces of any size, files that are cut off."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.readings.reading import ReadingError
from tco.readings.texts import json_values
from tco.readings.texts.json_values import begins_as_json, values

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def of(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "a.json"
    path.write_bytes(text.encode(encoding))
    return path


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    parts=st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=4), max_size=6),
    chunk=st.sampled_from([1, 2, 7, 64, 1 << 20]),
    indent=st.sampled_from([None, 1]),
    ascii_only=st.booleans(),
)
def test_a_list_and_lines_in_pieces_of_any_size(
    parts: list[object], chunk: int, indent: int | None, ascii_only: bool, tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_values, "CHUNK", chunk)
        whole = json.dumps(parts, indent=indent, ensure_ascii=ascii_only)
        whole = whole.encode("utf-8", "replace").decode()
        assert [value for _, value in values(of(tmp_path, whole))] == json.loads(whole)
        lines = "\n".join(json.dumps(part) for part in parts)
        assert list(values(of(tmp_path, lines))) == list(enumerate(parts, 1))


def test_amounts_keep_their_digits(tmp_path: Path) -> None:
    path = of(tmp_path, '{"spend": 0.10000000000000000555, "n": 3}')
    assert [value for _, value in values(path)] == [
        {"spend": Decimal("0.10000000000000000555"), "n": 3}
    ]


def test_lines_are_counted(tmp_path: Path) -> None:
    path = of(tmp_path, '[\n {"a":\n 1},\n\n {"b": 2}\n]\n')
    assert [line for line, _ in values(path)] == [2, 5]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_any_unicode(encoding: str, tmp_path: Path) -> None:
    path = of(tmp_path, '{"a": "é"}', encoding)
    assert begins_as_json(path)
    assert [value for _, value in values(path)] == [{"a": "é"}]


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "", "12"])
def test_a_table_does_not_begin_as_json(text: str, tmp_path: Path) -> None:
    assert not begins_as_json(of(tmp_path, text))


CUT = (
    "  found:    the file ends in the middle of a value that begins on this line\n"
    "  expected: a whole JSON file\n"
    "  next:     export or copy the file again; it was cut off"
)
CUT_LIST = CUT.replace("in the middle of a value that begins on this line", "before the list does")
AGAIN = "  next:     export the file again, as JSON or as one JSON object a line"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1', f", line 1\n{CUT}"),
        ('{"a": 1}\n{"b": "x', f", line 2\n{CUT}"),
        ('[{"a": 1},\n{"b": [1, 2', f", line 2\n{CUT}"),
        ('[{"a": 1},\n', f", line 2\n{CUT_LIST}"),
        ('[{"a": 1}', f", line 1\n{CUT_LIST}"),
        (
            '[{"a": 1} {"b": 2}]',
            ', line 1\n  found:    {"b": 2}]\n'
            f"  expected: a comma or ] after an element of the list\n{AGAIN}",
        ),
        (
            '[{"a": 1}] x',
            f", line 1\n  found:    x\n  expected: nothing after the end of the list\n{AGAIN}",
        ),
        (
            '{"a": 1}\n{"b": NaN}',
            ', line 2\n  found:    {"b": NaN}\n'
            f"  expected: JSON: NaN is no number of JSON\n{AGAIN}",
        ),
        (
            "{'a': 1}",
            ", line 1\n  found:    'a': 1}\n"
            "  expected: JSON: expecting property name enclosed in double quotes\n"
            f"{AGAIN}",
        ),
        (
            "[" * 100_000,
            f", line 1\n  found:    {'[' * 40}\n"
            "  expected: JSON with numbers of at most some thousand digits, not nested too deep\n"
            f"{AGAIN}",
        ),
    ],
    ids=range(10),
)
def test_what_is_no_json_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = of(tmp_path, text)
    with pytest.raises(ReadingError) as refused:
        list(values(path))
    assert str(refused.value) == f"{path}{message}"


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    path = of(tmp_path, '{"a": "é"}', "latin-1")
    with pytest.raises(ReadingError) as refused:
        list(values(path))
    assert "bytes that are no UTF-8" in str(refused.value)


def test_progress_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_values, "CHUNK", 10)
    path = of(tmp_path, '{"a": 1}\n' * 20)
    told: list[tuple[int, int]] = []
    assert len(list(values(path, lambda done, whole: told.append((done, whole))))) == 20
    assert told[-1] == (180, 180)
    assert told == sorted(told)
