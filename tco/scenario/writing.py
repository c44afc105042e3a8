"""One value of a scenario changed in its text, and every other byte left as it stands.

The text is edited where the value stands, never written anew from a tree: comments, order,
quotes and columns are the user's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

Step = str | int
Content = str | float | int | Sequence["Content"] | Mapping[str, "Content"]

# words that YAML readers, this one or an older one, take for something else than a text
NOT_A_TEXT = re.compile(
    r"(?i)true|false|yes|no|on|off|null|~|[-+.]?(\d[\d_.,:eE+-]*|inf|nan)|\d{4}-\d\d-\d\d.*"
)
PLAIN = re.compile(r"[^\W_](?:[\w ./%+()-]*[\w/%)])?")


class CannotWrite(Exception):
    """A place that cannot be written to, and what to do instead."""

    def __init__(self, found: str, next_step: str) -> None:
        super().__init__(found, next_step)
        self.found = found
        self.next_step = next_step


def put(text: str, path: Sequence[Step], content: Content) -> str:
    r"""The text with ``content`` at a path, whose last steps may be new.

    Raises `CannotWrite` where an anchor, an alias or a single value stands in the way.

    >>> print(put("a: {b: 1}  # why\n", ("a", "b"), {"value": 2, "source": "x, y"}), end="")
    a: {b: {value: 2, source: "x, y"}}  # why
    >>> print(put("a: 1  # why\n", ("a",), {"value": 2, "source": "x, y"}), end="")
    a:  # why
      value: 2
      source: "x, y"
    >>> print(put("a:\n  b: 1  # why\nc: 3\n", ("a", "d", "e"), 2), end="")
    a:
      b: 1  # why
      d:
        e: 2
    c: 3
    """
    node = _composed(text)
    if node is None:
        return text + _lines(path, content, 0)
    key: Node | None = None
    above: Node = node
    for depth, step in enumerate(path):
        if key is not None and _is_empty(node):
            return _filled(text, key, _nested(path[depth:], content))
        child = _child(node, step)
        if child is None:
            return _inserted(text, node, path[depth:], content)
        key, value = child
        begin = key.end_mark.index if key is not None else node.start_mark.index
        if value.start_mark.index < begin:
            return _unaliased(text, begin, path, depth, content)
        if value.anchor:
            raise _anchored(value)
        above, node = node, value
    if key is not None and _is_empty(node):
        return _filled(text, key, content)
    if _plain(node) == _typed(content):
        return text
    for part in _parts(node):
        if part.anchor:
            raise _anchored(part)
    if isinstance(node, MappingNode) and not node.flow_style and isinstance(content, Mapping):
        return _rewritten(text, path, node, content)
    in_lines = isinstance(above, MappingNode) and not above.flow_style
    if key is not None and in_lines and "\n" in _behind_key(content, 0):
        return _opened(text, key, node, content)
    return _replaced(text, key, node, content)


def without(text: str, path: Sequence[Step]) -> str:
    r"""The text without the key at a path; its comments stay, on lines of their own.

    >>> print(without("a:\n  b: 1  # why\n  c: 2\n", ("a", "b")), end="")
    a:
      # why
      c: 2
    >>> without("a: {b: 1, c: 2}", ("a", "c")), without("a: {b: 1, c: 2}", ("a", "b"))
    ('a: {b: 1}', 'a: {c: 2}')
    """
    node = _composed(text)
    for step in path[:-1]:
        child = _child(node, step) if node is not None else None
        node = child[1] if child else None
    child = _child(node, path[-1]) if isinstance(node, MappingNode) else None
    if child is None or child[0] is None or not isinstance(node, MappingNode):
        return text
    key, value = child
    assert key is not None
    if value.anchor:
        raise _anchored(value)
    begin, end = key.start_mark.index, max(_end(text, value), key.end_mark.index + 1)
    if node.flow_style:
        after = re.compile(r"\s*,[ \t]*").match(text, end)
        before = re.search(r",\s*$", text[:begin])
        if after:
            return text[:begin] + text[after.end() :]
        return text[: before.start() if before else begin] + text[end:]
    kept = _comments(text[begin : _end_of_line(text, end)])
    if len(node.value) == 1:
        # a key with nothing below it would be empty, which is a fault
        raise CannotWrite(f"{path[-1]} alone below {path[-2]}", "put another key beside it first")
    indentation = " " * key.start_mark.column
    line_begin = text.rfind("\n", 0, begin) + 1
    if text[line_begin:begin].strip():
        # the first key of an item stands behind its hyphen, where the next one takes its place
        following = node.value[1][0].start_mark.index
        lines = "".join(f"{comment}\n{indentation}" for comment in _comments(text[begin:following]))
        return text[:begin] + lines + text[following:]
    lines = "".join(f"{indentation}{comment}\n" for comment in kept)
    return text[:line_begin] + lines + text[_end_of_line(text, end) + 1 :]


def has(text: str, path: Sequence[Step]) -> bool:
    """Whether something stands at a path.

    >>> has("a: [{b: 1}]", ("a", 0, "b")), has("a: [{b: 1}]", ("a", 1))
    (True, False)
    """
    node = _composed(text)
    for step in path:
        child = _child(node, step) if node is not None else None
        if child is None:
            return False
        node = child[1]
    return True


def comments(text: str) -> Counter[str]:
    """The comments of a YAML text, and how often each of them stands there.

    >>> comments("a: 1  # one\\n# two\\nb: '# none'\\n")
    Counter({'# one': 1, '# two': 1})
    """
    return Counter(_comments(text))


def flow(content: Content) -> str:
    """A value on one line, as a flow mapping, a flow list, a number or a text in quotes if needed.

    >>> flow({"value": "30.9 W", "files": {"a b.csv": "0f"}, "note": "x: y", "loads": [1.0, 0.25]})
    '{value: 30.9 W, files: {a b.csv: 0f}, note: "x: y", loads: [1, 0.25]}'
    """
    if isinstance(content, Mapping):
        return (
            "{" + ", ".join(f"{flow(key)}: {flow(value)}" for key, value in content.items()) + "}"
        )
    if isinstance(content, str):
        plain = PLAIN.fullmatch(content) and not NOT_A_TEXT.fullmatch(content)
        return content if plain else _quoted(content)
    if isinstance(content, Sequence):
        return "[" + ", ".join(flow(item) for item in content) + "]"
    return number(content)


def number(value: float) -> str:
    """A number with at most 15 significant digits, without an exponent where it is not needed.

    >>> number(0.1 + 0.2), number(1e6), number(3), number(2.5e-7)
    ('0.3', '1000000', '3', '0.00000025')
    """
    text = f"{value:.15g}"
    if "e" in text:
        text = f"{value:.25f}".rstrip("0").rstrip(".") if abs(value) < 1 else f"{value:.0f}"
        digits = f"{value:.14e}".partition("e")[0].replace(".", "").rstrip("0").lstrip("-")
        if abs(value) < 1:
            places = len(digits) - 1 - int(f"{value:e}".partition("e")[2])
            text = f"{value:.{places}f}"
    return text


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    return f'"{escaped}"'


@lru_cache(maxsize=8)  # a text is asked about several times before it is changed
def _composed(text: str) -> Node | None:
    node: Node | None = YAML(typ="safe", pure=True).compose(text)
    return node


def _child(node: Node, step: Step) -> tuple[Node | None, Node] | None:
    """The key, None in a list, and the value of a step; None where there is none."""
    if isinstance(node, MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(step)), None)
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None


def _nested(path: Sequence[Step], content: Content) -> Content:
    for step in reversed(path):
        content = {str(step): content}
    return content


def _lines(path: Sequence[Step], content: Content, column: int) -> str:
    """New keys below each other, the value of the last on its line."""
    *above, last = path
    lines = ""
    for step in above:
        lines += f"{' ' * column}{flow(str(step))}:\n"
        column += 2
    return f"{lines}{' ' * column}{flow(str(last))}:{_behind_key(content, column)}\n"


def _behind_key(content: Content, column: int) -> str:
    """What stands behind the colon of a key in block style: one value, or lines below the key."""
    if isinstance(content, Mapping) and content:
        return "".join(
            f"\n{' ' * (column + 2)}{flow(key)}:{_behind_key(value, column + 2)}"
            for key, value in content.items()
        )
    if isinstance(content, Sequence) and content and all(isinstance(x, Mapping) for x in content):
        return "".join(
            f"\n{' ' * (column + 2)}-{_behind_key(item, column + 2)[column + 4 :]}"
            for item in content
        )
    return f" {flow(content)}"


def _is_empty(node: Node) -> bool:
    return isinstance(node, ScalarNode) and not node.value and node.style is None


def _filled(text: str, key: Node, content: Content) -> str:
    """A value behind a key that had none: the mark of nothing may lie lines below it."""
    at = text.index(":", key.end_mark.index) + 1
    return f"{text[:at]} {flow(content)}{text[at:]}"


def _opened(text: str, key: Node, node: Node, content: Content) -> str:
    """Lines below a key in place of its one value; a comment behind it stays behind the key."""
    colon = text.index(":", key.end_mark.index) + 1
    end = _end(text, node)
    kept = _comments(text[colon:end])
    behind = text[end : _end_of_line(text, end)].rstrip()
    comment = f"  {behind.lstrip()}" if behind.strip() else ""
    column = key.start_mark.column
    return (
        text[:colon] + comment + _below(kept, column + 2) + _behind_key(content, column)
        + text[_end_of_line(text, end) :]
    )  # fmt: skip


def _inserted(text: str, node: Node, path: Sequence[Step], content: Content) -> str:
    if not isinstance(node, MappingNode):
        what = "one value" if isinstance(node, ScalarNode) else f"a list of {len(node.value)}"
        raise CannotWrite(f"{what} where keys with values are expected", "choose another place")
    if node.flow_style:
        pair = flow(_nested(path, content))[1:-1]
        if not node.value:
            at = node.start_mark.index + 1
            return text[:at] + pair + text[at:]
        at = _end(text, node.value[-1][1])
        return f"{text[:at]}, {pair}{text[at:]}"
    key, value = node.value[-1]
    at = _end_of_line(text, max(_end(text, value), key.end_mark.index))
    before, after = text[:at], text[at + 1 :]
    return f"{before}\n{_lines(path, content, node.value[0][0].start_mark.column)}{after}"


def _unaliased(text: str, begin: int, path: Sequence[Step], depth: int, content: Content) -> str:
    """An alias is replaced by a value of its own; what lies below one belongs to others too."""
    alias = re.compile(r"\s*:\s*(\*[^\s,\]}]+)").match(text, begin)
    if alias is None or depth < len(path) - 1:
        raise CannotWrite(
            "an alias, whose values are those of another place",
            "write the values out in place of the alias first",
        )
    return text[: alias.start(1)] + flow(content) + text[alias.end(1) :]


def _replaced(text: str, key: Node | None, node: Node, content: Content) -> str:
    """One value in place of what stands there; the comments within that follow below it."""
    end = _end(text, node)
    begin, space = node.start_mark.index, ""
    if key is not None and not isinstance(node, ScalarNode):
        # a block begins on the line below its key
        begin, space = text.index(":", key.end_mark.index) + 1, " "
    kept = _comments(text[begin:end])
    column = node.start_mark.column if key is None else key.start_mark.column + 2
    line_end = _end_of_line(text, end)
    return (
        text[:begin] + space + flow(content) + text[end:line_end] + _below(kept, column)
        + text[line_end:]
    )  # fmt: skip


def _below(kept: Sequence[str], column: int) -> str:
    return "".join(f"\n{' ' * column}{comment}" for comment in kept)


def _rewritten(
    text: str, path: Sequence[Step], node: MappingNode, content: Mapping[str, Content]
) -> str:
    """The keys of a block set one by one, so that the comments between them stay where they are."""
    old = [str(key.value) for key, _ in node.value]
    for key, value in content.items():
        text = put(text, (*path, key), value)
    for key in old:
        if key not in content:
            text = without(text, (*path, key))
    return text


def _anchored(node: Node) -> CannotWrite:
    return CannotWrite(
        f"a value with the anchor &{node.anchor}, which other places of the file take over",
        "write the value out where the alias stands, and delete the anchor",
    )


def _parts(node: Node) -> list[Node]:
    parts = [node]
    if isinstance(node, MappingNode):
        for key, value in node.value:
            parts += [key, *_parts(value)]
    elif isinstance(node, SequenceNode):
        for value in node.value:
            parts += _parts(value)
    return parts


def _end(text: str, node: Node) -> int:
    """Where the last character of a value stands: a block runs on over the blank lines after it."""
    if isinstance(node, (MappingNode, SequenceNode)) and not node.flow_style and node.value:
        last = node.value[-1]
        key, value = last if isinstance(last, tuple) else (None, last)
        # an alias has the marks of its anchor: the end of its own line is looked for instead
        if value.start_mark.index < node.start_mark.index or (
            key is not None and value.start_mark.index < key.end_mark.index
        ):
            return _end_of_line(text, key.end_mark.index if key else node.end_mark.index)
        return max(_end(text, value), key.end_mark.index + 1 if key is not None else 0)
    begin, end = node.start_mark.index, node.end_mark.index
    return int(begin) + len(text[begin:end].rstrip())


def _end_of_line(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _comments(text: str) -> list[str]:
    """The comments between the tokens of a piece of YAML, which may be cut out of a whole."""
    spans = []
    try:
        for token in YAML(typ="safe", pure=True).scan(text):
            begin, end = token.start_mark.index, token.end_mark.index
            if end > begin:
                spans.append((begin, end))
    except Exception:
        # a piece that is no YAML by itself: whatever looks like a comment is kept
        return re.findall(r"(?:^|(?<=\s))#[^\n]*", text)
    found: list[str] = []
    at = 0
    for begin, end in [*spans, (len(text), len(text))]:
        gap = text[at:begin] if begin > at else ""
        found += [comment.rstrip() for comment in re.findall(r"#[^\n]*", gap)]
        at = max(at, end)
    return found


def content_at(text: str, path: Sequence[Step]) -> Any:
    """What stands at a path, as plain data; None where nothing does."""
    node = _composed(text)
    for step in path:
        child = _child(node, step) if node is not None else None
        node = child[1] if child else None
    return _plain(node) if node is not None else None


def _plain(node: Node) -> Any:
    if isinstance(node, MappingNode):
        return {key.value: _plain(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [_plain(value) for value in node.value]
    return node.value


def _typed(content: Content) -> Any:
    """A content as it is read back, before anybody says what its texts mean."""
    if isinstance(content, Mapping):
        return {key: _typed(value) for key, value in content.items()}
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return [_typed(item) for item in content]
    return number(content)
