"""Values put into the text of a scenario: the value changes, nothing else does."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from tco.scenario.writing import (
    CannotWrite,
    comments,
    content_at,
    flow,
    has,
    number,
    put,
    without,
)

# anchors, lists of costs, chains, block and flow style, Chinese names, blocks of every kind
SCENARIOS = [
    Path("scenarios") / f"{name}.yaml"
    for name in ("midteam", "chinese", "us-hgx-h100-loan", "workloads", "published/lenovo-case1")
]
NEW = {
    "value": 0.38,
    "basis": "measured",
    "source": "a log, of June: #1",
    "files": {"a b.csv": "0f"},
}


def tree(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def paths(node: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [above] if above else []
    items = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for step, value in items:
        found += paths(value, (*above, step))
    return found


def changed(node: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    step, *rest = path
    copy = dict(node) if isinstance(node, dict) else list(node)
    copy[step] = changed(node[step], tuple(rest), value)
    return copy


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_every_value_of_every_scenario_can_be_replaced_and_no_other_changes(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    before = tree(text)
    places = paths(before)
    for path in places[:: max(1, len(places) // 5)]:
        try:
            after = put(text, path, NEW)
        except CannotWrite:
            assert "&" in text  # what has an anchor belongs to other places too
            continue
        assert tree(after) == changed(before, path, NEW), path
        assert not comments(text) - comments(after), path
        assert put(after, path, NEW) == after


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_keys_can_be_added_to_every_block_and_taken_out_again(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    before = tree(text)
    blocks = [path for path in paths(before) if isinstance(content_at(text, path), dict)]
    for path in [(), *blocks[:: max(1, len(blocks) // 3)]]:
        try:
            after = put(text, (*path, "added", "below"), 7)
        except CannotWrite:
            assert "&" in text  # what has an anchor belongs to other places too
            continue
        whole = tree(after)
        for step in path:
            whole = whole[step]
        assert whole["added"] == {"below": 7}
        assert not comments(text) - comments(after), path
        assert tree(without(after, (*path, "added"))) == before
        assert not comments(text) - comments(without(after, (*path, "added")))


BLOCK = """\
a:  # of a
  # above the first
  value: 1     # the number
  low: 0       # the low one
  # between
  note: old    # gone

b: 2
"""


def test_a_block_keeps_the_comments_between_its_keys_and_those_of_keys_that_go() -> None:
    assert put(BLOCK, ("a",), {"value": 3, "basis": "measured"}) == """\
a:  # of a
  # above the first
  value: 3     # the number
  # the low one
  # between
  # gone
  basis: measured

b: 2
"""  # fmt: skip


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a:\n", ("a", "b"), "a: {b: 5}\n"),
        ("a:   # empty\n", ("a", "b"), "a: {b: 5}   # empty\n"),
        ("a: {}\n", ("a", "b"), "a: {b: 5}\n"),
        ("a: {c: 1,}\n", ("a", "b"), "a: {c: 1, b: 5,}\n"),
        ("a: {c: 1 # one\n }\n", ("a", "b"), "a: {c: 1, b: 5 # one\n }\n"),
        ("a: 1", ("b",), "a: 1\nb: 5\n"),
        ("a: 1\r\nb: 2\r\n", ("b",), "a: 1\r\nb: 5\r\n"),
        ("a:\n  - {c: 1}\n  - {c: 2}\n", ("a", 1, "c"), "a:\n  - {c: 1}\n  - {c: 5}\n"),
        ("a:\n- c: 1\n  d: 2\n", ("a", 0, "b"), "a:\n- c: 1\n  d: 2\n  b: 5\n"),
        ("a: &x 1\nb: *x\n", ("b",), "a: &x 1\nb: 5\n"),
        ("a: {b: \"q\"}\n", ("a", "b"), "a: {b: 5}\n"),
        ("a: |\n  text\n  more\nb: 1\n", ("a",), "a: 5\nb: 1\n"),
        ("a:\n  - 1  # one\n  - 2\nb: 1\n", ("a",), "a: 5\n  # one\nb: 1\n"),
        ("a:  # why\n  - 1\n  - 2\nb: 1\n", ("a",), "a: 5\n  # why\nb: 1\n"),
        ("a.b: {c: 1}\n", ("a.b", "c"), "a.b: {c: 5}\n"),
        ("# only a comment\n", ("a",), "# only a comment\na: 5\n"),
        ("", ("a", "b"), "a:\n  b: 5\n"),
        ("a:\n  b: 1\n\n# of c\nc: 2\n", ("a", "d"), "a:\n  b: 1\n  d: 5\n\n# of c\nc: 2\n"),
    ],
)  # fmt: skip
def test_a_value_is_put_where_it_belongs(text: str, path: tuple[Any, ...], expected: str) -> None:
    assert put(text, path, 5) == expected
    assert has(expected, path)


@pytest.mark.parametrize(
    ("text", "path", "found"),
    [
        ("a: &x 1\nb: *x\n", ("a",), "a value with the anchor &x, which other places"),
        ("a: &x {c: 1}\nb: *x\n", ("b", "c"), "an alias, whose values are those of another place"),
        ("a: 1\n", ("a", "b"), "one value where keys with values are expected"),
        ("a: [1]\n", ("a", "b"), "a list of 1 where keys with values are expected"),
    ],
)
def test_what_belongs_to_other_places_too_is_refused(
    text: str, path: tuple[str, ...], found: str
) -> None:
    with pytest.raises(CannotWrite) as refused:
        put(text, path, 5)
    assert refused.value.found.startswith(found)


@given(
    st.recursive(
        st.one_of(
            st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"))),
            st.floats(-1e15, 1e15).filter(lambda x: x == 0 or abs(x) > 1e-12),
            st.integers(-(10**12), 10**12),
        ),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(
                st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1),
                inner, max_size=4,
            ),
        ),
        max_leaves=8,
    )
)  # fmt: skip
def test_what_is_written_is_read_back(content: Any) -> None:
    def same(read: Any, given: Any) -> bool:
        if isinstance(given, dict):
            return read.keys() == given.keys() and all(same(read[k], given[k]) for k in given)
        if isinstance(given, list):
            return len(read) == len(given) and all(map(same, read, given))
        if isinstance(given, str):
            return bool(read == given)
        return bool(abs(read - given) <= 1e-14 * abs(given))

    assert same(tree(f"a: {flow(content)}  # end")["a"], content)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_fifteen_digits_and_have_no_exponent(value: float) -> None:
    if value == 0 or 1e-12 < abs(value) < 1e18:
        assert "e" not in number(value)
        assert float(number(value)) == pytest.approx(value, rel=1e-14)


def test_comments_in_quotes_are_none() -> None:
    assert comments("a: 'x # y'  # z\nb: \"# q\"\n") == Counter({"# z": 1})
