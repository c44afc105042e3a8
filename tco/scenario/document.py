"""A YAML file as a tree that remembers where everything stands.

The tree is built from ruamel.yaml's events, so that nothing in the file is ever run, a file that
explodes is stopped while it is still small, and every value keeps its line and the text as typed.
Plain words are read as YAML 1.2 reads them: only ``true``, ``false`` and ``null`` are special.
"""

from __future__ import annotations

import codecs
import difflib
import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from tco.errors import ScenarioError, ScenarioErrors, is_control

MOST_BYTES = 2_000_000
MOST_DEEP = 50
MOST_NODES = 10_000

PLAIN_TAGS = ("int", "float", "bool", "null", "str", "map", "seq")
TAG_PREFIX = "tag:yaml.org,2002:"

# Punctuation that a Chinese or Japanese keyboard types in place of YAML's own.
FULL_WIDTH = {
    "\uff1a": ("colon", "an ordinary colon followed by a space"),
    "\uff0c": ("comma", "an ordinary comma followed by a space"),
    "\u3001": ("enumeration comma", "an ordinary comma followed by a space"),
    "\uff1b": ("semicolon", "an ordinary comma followed by a space"),
    "\u3010": ("bracket", "an ordinary ["),
    "\u3011": ("bracket", "an ordinary ]"),
    "\uff3b": ("bracket", "an ordinary ["),
    "\uff3d": ("bracket", "an ordinary ]"),
    "\uff5b": ("brace", "an ordinary {"),
    "\uff5d": ("brace", "an ordinary }"),
    "\u201c": ("quotation mark", 'an ordinary "'),
    "\u201d": ("quotation mark", 'an ordinary "'),
    "\u2018": ("quotation mark", "an ordinary '"),
    "\u2019": ("quotation mark", "an ordinary '"),
    "\uff03": ("number sign", "an ordinary # after a space"),
    "\uff0d": ("hyphen", "an ordinary - followed by a space"),
    "\uff05": ("per cent sign", "an ordinary %"),
    "\u3000": ("space", "an ordinary space"),
}


@dataclass
class Scalar:
    """One value as typed; ``plain`` when it stood without quotes."""

    text: str
    plain: bool
    line: int | None
    path: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing, or null, was written."""
        return self.plain and self.text in ("", "~", "null", "Null", "NULL")

    @property
    def is_boolean(self) -> bool:
        """Whether true or false was written."""
        return self.plain and self.text.lower() in ("true", "false")


class Block(dict[str, "Node"]):
    """Keys with their values; a value's ``line`` is the line its key stands on."""

    def __init__(self, line: int | None, path: str = "") -> None:
        super().__init__()
        self.line = line
        self.path = path


class Items(list["Node"]):
    """A list of values."""

    def __init__(self, line: int | None, path: str = "") -> None:
        super().__init__()
        self.line = line
        self.path = path


Node = Scalar | Block | Items


@dataclass(frozen=True)
class Document:
    """The tree of a file and the faults found while it was built, which do not stop the reading."""

    file: str
    root: Block
    faults: tuple[ScenarioError, ...]


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a scenario file, at most 2 MB of it.

    Raises ``ScenarioErrors`` when the file is missing, a folder, unreadable or over 2 MB.
    """
    file = os.fspath(path)
    try:
        with open(file, "rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise _alone(file, None, "no such file", "a scenario file", _near_files(file)) from None
    except IsADirectoryError:
        raise _alone(
            file, None, "a folder", "a scenario file", "name a .yaml file in this folder"
        ) from None
    except PermissionError:
        raise _alone(
            file,
            None,
            "a file that may not be read",
            "a scenario file that you may read",
            "change its permissions, or copy it to a place of your own",
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _alone(file, None, reason, "a scenario file", "check the name of the file") from None
    if len(content) > MOST_BYTES:
        raise _alone(
            file,
            None,
            "a file of more than 2 MB",
            "a scenario of at most 2 MB; most take a few kilobytes",
            "check that this is the scenario and not a data file",
        )
    return content


def parse(content: bytes, file: str) -> Document:
    """The tree of a scenario file.

    Raises ``ScenarioErrors`` when there is no tree: not UTF-8, not YAML, more than one document,
    too deep, too large, or the top level is not a list of keys.
    """
    text = _decoded(content, file)
    builder = _Builder(file, text)
    root = builder.build()
    if root is None or (isinstance(root, Scalar) and root.is_empty):
        raise _alone(
            file,
            None,
            "an empty file",
            "a scenario",
            "write a starter to change with  tco new FILE",
        )
    if not isinstance(root, Block):
        raise _alone(
            file,
            root.line,
            describe(root),
            "keys with values at the top level, such as  name: my question",
            full_width_hint(_first_line(root), root.line)
            or "see a complete example with  tco new FILE",
        )
    expanded = _Expansion(file).copy(root, 0)
    assert isinstance(expanded, Block)
    return Document(file, expanded, tuple(builder.faults))


def parse_value(text: str, file: str) -> Node:
    """A value typed on the command line, read as YAML; no part of it has a line.

    Raises ``ScenarioErrors`` as ``parse`` does.
    """
    builder = _Builder(file, text)
    node = builder.build()
    if builder.faults:
        raise ScenarioErrors(builder.faults)
    value = _Expansion(file).copy(node if node is not None else Scalar("", True, None), 0)
    _forget_lines(value)
    return value


def place(node: Node, path: str = "") -> None:
    """Give every node of a tree its dotted path, as ``--set`` takes it."""
    node.path = path
    if isinstance(node, Block):
        for key, value in node.items():
            step = path_step(key, node)
            place(value, f"{path}.{step}" if path else step)
    elif isinstance(node, Items):
        for index, value in enumerate(node):
            place(value, f"{path}[{index}]")


def path_step(key: str, siblings: Block) -> str:
    """A key as it stands in a path: in quotes where it could be misread without them."""
    mistaken = any(key.startswith(f"{other}.") for other in siblings)
    if mistaken or not key or key != key.strip() or re.search(r'[\[\]="]', key):
        return '"' + key.replace('"', '""') + '"'
    return key


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it."""
    yield node
    for value in (
        node.values() if isinstance(node, Block) else node if isinstance(node, Items) else ()
    ):
        yield from walk(value)


def digest(node: Node) -> str:
    """SHA-256 of the content: what is typed counts, comments, quotes and spacing do not.

    The order of the keys counts, since the order of the options is the order of the sheets.
    """
    text = json.dumps(_content(node), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def describe(node: Node | None) -> str:
    """A value in a few words, for ``found:``."""
    if node is None:
        return "nothing"
    origin = " (set on the command line)" if node.line is None else ""
    if isinstance(node, Scalar):
        if node.is_empty:
            return f"nothing after the colon{origin}"
        text = node.text if node.text.strip() else f'"{node.text}"'
        return shortened(text) + origin
    if isinstance(node, Block):
        keys = shortened(", ".join(node))
        return (f"keys with values: {keys}" if node else "an empty {}") + origin
    return f"a list of {len(node)}{origin}"


def shortened(text: str, most: int = 100) -> str:
    """The text, cut to a length that fits a message."""
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def full_width_hint(text: str, line: int | None) -> str | None:
    """What to type instead of the first full-width punctuation mark of a text, if it has one.

    >>> full_width_hint("pue\\uff1a1.2", 5)
    'full-width colon \\uff1a (U+FF1A) on line 5: type an ordinary colon followed by a space'
    """
    for character in text:
        if character in FULL_WIDTH:
            name, instead = FULL_WIDTH[character]
            shown = "" if character.isspace() else f" {character}"
            where = f" on line {line}" if line is not None else ""
            return f"full-width {name}{shown} (U+{ord(character):04X}){where}: type {instead}"
    return None


def nearest(word: str, words: Iterator[str] | list[str] | tuple[str, ...]) -> str | None:
    """The word that was probably meant."""
    by_lower = {candidate.casefold(): candidate for candidate in words}
    close = difflib.get_close_matches(word.casefold(), list(by_lower), n=1, cutoff=0.6)
    return by_lower[close[0]] if close else None


def _alone(
    file: str, line: int | None, found: str, expected: str, next_step: str
) -> ScenarioErrors:
    return ScenarioErrors([ScenarioError(file, line, None, found, expected, next_step)])


def _near_files(file: str) -> str:
    folder = Path(file).parent
    try:
        beside = sorted(
            entry.name for entry in folder.iterdir() if entry.suffix in (".yaml", ".yml")
        )
    except (OSError, ValueError):
        return f"check the folder: there is no folder {folder}"
    near = nearest(Path(file).name, beside)
    if near:
        return f"did you mean {folder / near}?"
    return f"check the name, or write a starter to change with  tco new {file}"


def _decoded(content: bytes, file: str) -> str:
    for mark, name in (
        (codecs.BOM_UTF32_LE, "UTF-32"),
        (codecs.BOM_UTF32_BE, "UTF-32"),
        (codecs.BOM_UTF16_LE, "UTF-16"),
        (codecs.BOM_UTF16_BE, "UTF-16"),
    ):
        if content.startswith(mark):
            raise _alone(file, 1, f"text in {name}", "text in UTF-8", "save the file as UTF-8")
    body = content.removeprefix(codecs.BOM_UTF8)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start + len(content) - len(body)
        raise _alone(
            file,
            _line_of(body[: error.start].decode("utf-8", "replace")),
            f"byte 0x{body[error.start]:02X} at offset {offset}, which is not UTF-8",
            "text in UTF-8",
            "open the file in your editor and save it as UTF-8 (not as ANSI, GBK or UTF-16)",
        ) from None
    for position, character in enumerate(text):
        if character in "\n\r\t\x85\u2028\u2029" or not is_control(character):
            continue
        raise _alone(
            file,
            _line_of(text[:position]),
            f"control character U+{ord(character):04X}",
            "text without control characters",
            "save the file as UTF-8"
            if character == "\0"
            else "delete the character; it may be invisible in your editor",
        )
    return text


def _line_of(text_before: str) -> int:
    return len(re.findall(r"\r\n|[\n\r\x85\u2028\u2029]", text_before)) + 1


def _content(node: Node) -> Any:
    if isinstance(node, Block):
        return {key: _content(value) for key, value in node.items()}
    if isinstance(node, Items):
        return [_content(value) for value in node]
    if node.is_empty:
        return None
    if node.is_boolean:
        return node.text.lower() == "true"
    try:
        number = float(node.text) if node.text.isascii() else None
    except ValueError:
        number = None
    return node.text if number is None or number - number != 0 else number


def _first_line(node: Node) -> str:
    for part in walk(node):
        if isinstance(part, Scalar):
            return part.text
    return ""


def _forget_lines(node: Node) -> None:
    for part in walk(node):
        part.line = None


class _Builder:
    """Builds the tree from the events of the parser; aliases share their node."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.faults: list[ScenarioError] = []
        self.anchors: dict[str, Node | None] = {}
        self.nodes = 0

    def build(self) -> Node | None:
        try:
            events = iter(YAML(typ="safe", pure=True).parse(self.text))
            return self._documents(events)
        except MarkedYAMLError as error:
            raise ScenarioErrors([*self.faults, self._syntax_fault(error)]) from None
        except (YAMLError, ValueError, ArithmeticError, LookupError) as error:
            # The scanner lets Python's own errors through, for an escape such as "\UFFFFFFFF".
            escape = re.search(r"\\U(?!000|0010)[0-9A-Fa-f]{8}", self.text)
            raise _alone(
                self.file,
                _line_of(self.text[: escape.start()]) if escape else None,
                escape[0] if escape else shortened(str(error)),
                "the code of a character" if escape else "a file that YAML can read",
                "write the character itself, or put the text in single quotes",
            ) from None

    def _documents(self, events: Iterator[Any]) -> Node | None:
        root: Node | None = None
        documents = 0
        for event in events:
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _alone(
                        self.file,
                        _line(event),
                        "a second document, begun by ---",
                        "one scenario in a file",
                        "put each scenario into a file of its own",
                    )
            elif not isinstance(event, (StreamStartEvent, StreamEndEvent, DocumentEndEvent)):
                root = self._node(event, events, 1, "")
        return root

    def _node(self, event: Any, events: Iterator[Any], depth: int, path: str) -> Node:
        line = _line(event)
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise _too_many(self.file, line)
        if depth > MOST_DEEP:
            raise _too_deep(self.file, line)
        if isinstance(event, AliasEvent):
            return self._aliased(event, line)
        self._check_tag(event, line, path)
        if event.anchor:
            # None until it is complete: an alias to it from inside would have no end.
            self.anchors[event.anchor] = None
        node: Node
        if isinstance(event, ScalarEvent):
            node = Scalar(event.value, _is_plain(event), line)
        elif isinstance(event, SequenceStartEvent):
            node = Items(line)
            while not isinstance(item := next(events), SequenceEndEvent):
                node.append(self._node(item, events, depth + 1, f"{path}[{len(node)}]"))
        else:
            node = Block(line)
            inherited: dict[str, Node] = {}
            while not isinstance(key := next(events), MappingEndEvent):
                self._add_pair(node, inherited, key, events, depth + 1, path)
            # A merge key is refused, but what it brings is not reported as missing as well.
            for name, value in inherited.items():
                node.setdefault(name, value)
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def _add_pair(
        self,
        block: Block,
        inherited: dict[str, Node],
        event: Any,
        events: Iterator[Any],
        depth: int,
        above: str,
    ) -> None:
        key = self._node(event, events, depth, above)
        word = key.text if isinstance(key, Scalar) else ""
        path = f"{above}.{word}" if above and word else above or word
        value_event = next(events)
        value = self._node(value_event, events, depth, path)
        line = _line(event)
        if not isinstance(key, Scalar) or key.is_empty:
            self._report(
                line,
                above or None,
                "a key that is not a word" if not isinstance(key, Scalar) else "an empty key",
                "a word before the colon",
                full_width_hint(_first_line(key), line) or "write  key: value",
            )
        elif key.text == "<<":
            inherited.update(value if isinstance(value, Block) else {})
            self._report(
                line,
                above or None,
                "a merge key (<<)",
                "keys written out",
                "write the keys out; *name may still repeat a whole value",
            )
        elif key.text in block:
            self._report(
                line,
                path,
                f"the key {key.text} again; it stands on line {block[key.text].line} already",
                "every key once",
                "delete one of the two, or give it another name",
            )
        elif isinstance(value_event, ScalarEvent) and value_event.value:
            block[key.text] = value
        else:
            # Values share nodes through aliases, but each stands on the line of its own key.
            block[key.text] = _standing_on(value, line)

    def _aliased(self, event: Any, line: int) -> Node:
        if event.anchor not in self.anchors:
            raise _alone(
                self.file,
                line,
                f"*{event.anchor}, which repeats a value that has no name",
                f"a value named &{event.anchor} above this line",
                "put the value in quotes if the * belongs to it",
            )
        node = self.anchors[event.anchor]
        if node is None:
            raise _alone(
                self.file,
                line,
                f"*{event.anchor} inside the value that it repeats",
                "a value that does not hold itself",
                "write the value out",
            )
        return node

    def _check_tag(self, event: Any, line: int, path: str) -> None:
        tag = event.tag
        if tag is None or tag == "!" or tag.removeprefix(TAG_PREFIX) in PLAIN_TAGS:
            return
        self._report(
            line,
            path or None,
            "the tag " + shortened(tag.replace(TAG_PREFIX, "!!")),
            "plain values: tags are refused, since some of them run code",
            "delete the tag; write numbers, texts, lists and keys as they are",
        )

    def _report(
        self, line: int, field: str | None, found: str, expected: str, next_step: str
    ) -> None:
        self.faults.append(ScenarioError(self.file, line, field, found, expected, next_step))

    def _syntax_fault(self, error: MarkedYAMLError) -> ScenarioError:
        lines = re.split(r"\r\n|[\n\r\x85\u2028\u2029]", self.text)
        problem = str(error.problem or error.context or "")
        last = error.problem_mark.line if error.problem_mark else 0
        first = error.context_mark.line if error.context_mark else last
        # The parser notices a missing colon one line late, at the colon of the next line.
        for index in range(max(min(first, last - 1), 0), min(last + 1, len(lines))):
            hint = full_width_hint(_outside_quotes(lines[index]), index + 1)
            if hint:
                return self._fault_on(index, lines, "YAML's own punctuation", hint)
        for pattern, expected, next_step, at_start in SYNTAX:
            if re.search(pattern, f"{error.context or ''}: {problem}"):
                return self._fault_on(first if at_start else last, lines, expected, next_step)
        return self._fault_on(last, lines, f"YAML ({problem})", "put texts with signs in quotes")

    def _fault_on(
        self, index: int, lines: list[str], expected: str, next_step: str
    ) -> ScenarioError:
        # A file that ends too early is shown by its last line that says something.
        while index > 0 and (index >= len(lines) or not lines[index].strip()):
            index -= 1
        found = shortened(lines[index].strip()) or "nothing"
        return ScenarioError(self.file, index + 1, None, found, expected, next_step)


# What the parser says (context: problem), what was expected, what to do, and whether the fault
# is shown where the parser began (True) or where it stopped.
SYNTAX = (
    (
        r"found character '\\t'",
        "spaces at the beginning of the line",
        "replace the tab by spaces",
        False,
    ),
    (
        r"quoted scalar: found unexpected (end of stream|document)",
        "a quotation mark that closes the text",
        "add the missing quotation mark",
        True,
    ),
    (
        r"unknown escape character|expected escape sequence",
        "a backslash sequence that YAML knows",
        "write the text in single quotes, where a backslash is only itself",
        False,
    ),
    (
        r"cannot start any token|while scanning (an alias|an anchor|a tag|a directive)",
        "a value that begins with a letter, a digit or a quotation mark",
        "put the value in quotes:  '...'",
        False,
    ),
    (
        r"mapping values are not allowed here",
        "one key and one value on a line, keys of one level at the same indentation",
        "put a text that holds a colon in quotes, or correct the indentation",
        False,
    ),
    (
        r"could not find expected ':'",
        "a key, a colon and a space",
        "write  key: value",
        True,
    ),
    (
        r"expected the node content",
        "a value, and every bracket closed",
        "write the missing value or the closing bracket",
        False,
    ),
    (
        r"flow mapping",
        "a comma between two entries, and } at the end",
        "add the missing comma or }",
        True,
    ),
    (
        r"flow sequence",
        "a comma between two entries, and ] at the end",
        "add the missing comma or ]",
        True,
    ),
    (
        r"expected <block end>",
        "keys of one level at the same indentation, and no bracket too many",
        "indent this line as its neighbours are, or delete the bracket",
        False,
    ),
)


class _Expansion:
    """Copies a tree so that no two places share a node, and stops when it grows too large."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.nodes = 0

    def copy(self, node: Node, depth: int) -> Node:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise _too_many(self.file, node.line)
        if depth > MOST_DEEP:
            raise _too_deep(self.file, node.line)
        if isinstance(node, Scalar):
            return Scalar(node.text, node.plain, node.line)
        if isinstance(node, Items):
            items = Items(node.line)
            items.extend(self.copy(item, depth + 1) for item in node)
            return items
        block = Block(node.line)
        for key, value in node.items():
            block[key] = self.copy(value, depth + 1)
        return block


def _standing_on(node: Node, line: int) -> Node:
    if node.line == line:
        return node
    moved: Node
    if isinstance(node, Scalar):
        return Scalar(node.text, node.plain, line)
    if isinstance(node, Items):
        moved = Items(line)
        moved.extend(node)
        return moved
    moved = Block(line)
    moved.update(node)
    return moved


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _is_plain(event: Any) -> bool:
    if event.tag == f"{TAG_PREFIX}str" or event.tag == "!":
        return False
    return event.style is None or event.style == ""


def _outside_quotes(line: str) -> str:
    without_texts = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'", "", line)
    return re.sub(r"(^|\s)#.*", "", without_texts)


def _too_many(file: str, line: int | None) -> ScenarioErrors:
    return _alone(
        file,
        line,
        f"more than {MOST_NODES:,} values, counting what *aliases repeat",
        f"at most {MOST_NODES:,} values",
        "write fewer options, and no aliases that repeat aliases",
    )


def _too_deep(file: str, line: int | None) -> ScenarioErrors:
    return _alone(
        file,
        line,
        f"values nested more than {MOST_DEEP} deep",
        "at most five levels, as in  options: {name: {own: card, price: {value: 1}}}",
        "look for brackets that are opened again and again",
    )
