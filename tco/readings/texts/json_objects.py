"""The objects of a JSON text, each with its line: one object, a list, or one after the other.

Benchmarks append a run to the file of the runs before, so one file may hold several objects, a
line for each or spread over lines.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from tco.readings.reading import ReadingError

MOST_FAULTS = 1000
"""After so many places that are no object the rest is not looked at."""

_BETWEEN = re.compile(r"[\s,\[\]]*")
"""What stands between objects, in a list or one after the other."""
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Record:
    """One object of a file, and the line it begins on."""

    file: str
    line: int
    values: Mapping[str, Any]

    def number(self, *names: str) -> float | None:
        """The number under the first of the names that is there; None where it is null or absent.

        Raises `ReadingError` for a text that is no number, for less than 0 and for NaN.
        """
        for name in names:
            value = self.values.get(name)
            if value is None or value == "":
                continue
            number = _number(value)
            if number is None or not isfinite(number) or number < 0:
                raise ReadingError(
                    self.file,
                    self.line,
                    name,
                    json.dumps(value)[:80],
                    "a number of 0 or more",
                    "correct or delete the run, or measure again",
                )
            return number
        return None

    def text(self, *names: str) -> str | None:
        """The text under the first of the names that holds one."""
        for name in names:
            value = self.values.get(name)
            if isinstance(value, str) and value.strip():
                return value.strip()
        return None

    def within(self, *names: str) -> Record:
        """The object at the end of these names, empty where there is none."""
        value: Any = self.values
        for name in names:
            value = value.get(name) if isinstance(value, Mapping) else None
        return Record(self.file, self.line, value if isinstance(value, Mapping) else {})


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def is_json(path: Path) -> bool:
    """Whether the file begins as JSON does."""
    with path.open("rb") as stream:
        start = stream.read(200)
    wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = start.decode("utf-16" if wide else "utf-8-sig", "ignore")
    return text.lstrip()[:1] in ("{", "[")


def text_of(path: Path) -> str:
    """The text of a file in UTF-8, or in UTF-16 with a byte order mark as PowerShell writes it.

    Raises `ReadingError` for any other.
    """
    content = path.read_bytes()
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReadingError(
            str(path),
            content.count(b"\n", 0, error.start) + 1,
            None,
            f"the byte 0x{content[error.start]:02X}, which is no {'UTF-16' if wide else 'UTF-8'}",
            "text in UTF-8",
            "save the file again as UTF-8",
        ) from None


def records_of(path: Path) -> tuple[list[Record], list[ReadingError]]:
    """Every object of the file, and a fault for each place that is not one.

    After a fault reading goes on with the next line, so that a run that was cut off costs no other.
    """
    text = text_of(path)
    decoder = json.JSONDecoder()
    records: list[Record] = []
    faults: list[ReadingError] = []
    line, counted, lists = 1, 0, 0
    place = 0
    while True:
        between = _BETWEEN.match(text, place)
        assert between is not None
        lists += between[0].count("[") - between[0].count("]")
        place = between.end()
        line, counted = line + text.count("\n", counted, place), place
        if place == len(text):
            break
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            faults.append(_no_json(path, line, text, error))
            place = text.find("\n", place)
            if place < 0 or len(faults) == MOST_FAULTS:
                return records, faults
        else:
            if isinstance(value, dict):
                records.append(Record(str(path), line, value))
            else:
                faults.append(_no_object(path, line, value))
                if len(faults) == MOST_FAULTS:
                    return records, faults
    if lists > 0:
        faults.append(_cut_off(path, line, "the file ends before its list does"))
    return records, faults


def _no_json(path: Path, line: int, text: str, error: Exception) -> ReadingError:
    if not isinstance(error, json.JSONDecodeError):
        return _cut_off(path, line, "no JSON: numbers too long or objects too deep")
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return _cut_off(
            path, error.lineno, f"the file ends inside an object that begins on line {line}"
        )
    what = error.msg[:1].lower() + error.msg[1:]
    return _cut_off(path, error.lineno, f"no JSON: {what} at column {error.colno}")


def _cut_off(path: Path, line: int, found: str) -> ReadingError:
    return ReadingError(
        str(path),
        line,
        None,
        found,
        "whole JSON objects",
        "copy the file again, or delete what is no whole object",
    )


def _no_object(path: Path, line: int, value: Any) -> ReadingError:
    return ReadingError(
        str(path),
        line,
        None,
        json.dumps(value)[:80],
        "a JSON object, { ... }",
        "give the file as the benchmark wrote it",
    )
