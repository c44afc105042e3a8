"""The values of a JSON file one after the other, so that a large file needs little memory."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from tco.readings.reading import ReadingError

CHUNK = 1 << 20
"""Characters read at a time."""
BLANK = " \t\r\n"


def begins_as_json(path: Path) -> bool:
    """Whether the first character of a file that is no blank is a bracket of JSON."""
    with path.open("rb") as stream:
        begin = stream.read(400)
    return begin.decode(_encoding(begin), "ignore").lstrip("\ufeff" + BLANK)[:1] in ("{", "[")


class Value(NamedTuple):
    """A value of a JSON file and the line it begins on."""

    line: int
    value: Any


def values(
    path: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> Iterator[Value]:
    """The elements of a list, or the values that follow one another in JSON lines.

    Numbers with a point are Decimal, so that an amount keeps its digits. A list within the list,
    or a list of pages, is not opened.

    Raises ReadingError for a file that is not JSON in UTF-8 (or UTF-16 with its mark), or that ends
    in the middle.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "a.json")
    ...     _ = file.write_text('[{"spend": 0.10},\\n {"spend": 2}]')
    ...     [(line, value) for line, value in values(file)]
    [(1, {'spend': Decimal('0.10')}), (2, {'spend': 2})]
    """
    with path.open("rb") as source:
        size = path.stat().st_size
        encoding = _encoding(source.read(3))
        source.seek(0)
        with TextIOWrapper(source, encoding=encoding, newline="") as stream:
            text = _Text(path, stream, lambda: progress(source.tell(), size))
            if text.at_end():
                return
            if text.rest.startswith("["):
                yield from _elements(text)
                return
            while not text.at_end():
                yield text.value()


def _elements(text: _Text) -> Iterator[Value]:
    text.skip("[")
    if text.rest.startswith("]"):
        text.skip("]")
    else:
        while True:
            yield text.value()
            text.skip_blanks()
            if text.at_end():
                text.fail_truncated(text.line)
            if text.rest[0] not in ",]":
                text.fail(text.rest[:40], "a comma or ] after an element of the list")
            if text.rest[0] == "]":
                text.skip("]")
                break
            text.skip(",")
    if not text.at_end():
        text.fail(text.rest[:40], "nothing after the end of the list")


class _Text:
    """The text of a file from where it has been read to; ``line`` is the line of that place."""

    def __init__(self, path: Path, stream: TextIOWrapper, read_on: Callable[[], None]) -> None:
        self.path = path
        self.line = 1
        self._read_on = read_on
        self._stream = stream
        self._decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=self._constant)
        self._buffer = ""
        self._place = 0
        self._ended = False

    @property
    def rest(self) -> str:
        """The next characters, at least one unless the file ends here."""
        return self._buffer[self._place : self._place + 200]

    def at_end(self) -> bool:
        self.skip_blanks()
        return self._place == len(self._buffer)

    def skip(self, character: str) -> None:
        self._place += len(character)
        self.skip_blanks()

    def skip_blanks(self) -> None:
        while True:
            while self._place < len(self._buffer) and self._buffer[self._place] in BLANK:
                self.line += self._buffer[self._place] == "\n"
                self._place += 1
            if self._place < len(self._buffer) or not self._read(CHUNK):
                return

    def value(self) -> Value:
        """The value that begins here."""
        line = self.line
        wanted = CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._place)
            except json.JSONDecodeError as error:
                # it may only be cut off by the end of what has been read; a long one is read in
                # ever larger parts, or it would be decoded from its beginning too often
                if self._read(wanted):
                    wanted *= 2
                    continue
                if error.pos >= len(self._buffer.rstrip(BLANK)) or "Unterminated" in error.msg:
                    self.fail_truncated(line)
                self.line += self._buffer.count("\n", self._place, error.pos)
                self.fail(self._buffer[error.pos : error.pos + 40], f"JSON: {_in_words(error)}")
            except (ValueError, ArithmeticError, RecursionError):
                self.fail(
                    self._buffer[self._place : self._place + 40],
                    "JSON with numbers of at most some thousand digits, not nested too deep",
                )
            if end == len(self._buffer) and self._read(wanted):
                continue  # a number may go on
            self.line += self._buffer.count("\n", self._place, end)
            self._place = end
            return Value(line, value)

    def fail_truncated(self, line: int) -> NoReturn:
        raise ReadingError(
            str(self.path),
            line,
            None,
            found="the file ends in the middle of a value that begins on this line"
            if line != self.line or self._place < len(self._buffer)
            else "the file ends before the list does",
            expected="a whole JSON file",
            next_step="export or copy the file again; it was cut off",
        )

    def fail(self, found: str, expected: str) -> NoReturn:
        raise ReadingError(
            str(self.path),
            self.line,
            None,
            found=found.strip() or "nothing",
            expected=expected,
            next_step="export the file again, as JSON or as one JSON object a line",
        )

    def _read(self, characters: int) -> bool:
        """Read on; whether there was more. What lies behind is forgotten."""
        if self._ended:
            return False
        try:
            more = self._stream.read(characters)
        except UnicodeDecodeError as error:
            raise ReadingError(
                str(self.path),
                None,
                None,
                found=f"bytes that are no UTF-8 ({error.reason})",
                expected="JSON in UTF-8",
                next_step="save the file as UTF-8",
            ) from None
        self._read_on()
        if not more:
            self._ended = True
            return False
        self._buffer = self._buffer[self._place :] + more
        self._place = 0
        return True

    def _constant(self, name: str) -> NoReturn:
        raise json.JSONDecodeError(f"{name} is no number of JSON", self._buffer, self._place)


def _encoding(begin: bytes) -> str:
    wide = begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return "utf-16" if wide else "utf-8-sig"


def _in_words(error: json.JSONDecodeError) -> str:
    first = error.msg.split()[0]
    return error.msg.replace(first, first.lower(), 1) if first.istitle() else error.msg
