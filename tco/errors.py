"""What goes wrong in front of a user, as messages that say what to do next."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable

MOST_SHOWN = 20
LINE = 100


class TcoError(Exception):
    """Something the user can put right; ``str(error)`` is the whole message."""


class Fault(TcoError):
    """One fault in a file: where it is, what was found, what was expected, what to do.

    >>> print(Fault("a.yaml", 12, "options.own.count", "-2", "1 or more", "write 2"))
    a.yaml, line 12: options.own.count
      found:    -2
      expected: 1 or more
      next:     write 2
    """

    def __init__(
        self,
        file: str,
        line: int | None,
        field: str | None,
        found: str,
        expected: str,
        next_step: str,
    ) -> None:
        super().__init__(file, line, field, found, expected, next_step)
        self.file = file
        self.line = line
        self.field = field
        self.found = found
        self.expected = expected
        self.next_step = next_step

    def __str__(self) -> str:
        place = printable(self.file)
        if self.line is not None:
            place += f", line {self.line}"
        if self.field:
            place += f": {printable(self.field)}"
        return (
            f"{place}\n"
            f"{_wrapped('found:', self.found)}\n"
            f"{_wrapped('expected:', self.expected)}\n"
            f"{_wrapped('next:', self.next_step)}"
        )


class ScenarioError(Fault):
    """A fault in a scenario."""


class ScenarioErrors(TcoError):
    """All faults of one scenario, in the order of their lines; the first 20 are printed."""

    def __init__(self, faults: Iterable[ScenarioError]) -> None:
        self.faults = tuple(
            sorted(
                faults, key=lambda fault: (fault.line is None, fault.line or 0, fault.field or "")
            )
        )
        super().__init__(*self.faults)

    def __str__(self) -> str:
        text = "\n\n".join(str(fault) for fault in self.faults[:MOST_SHOWN])
        more = len(self.faults) - MOST_SHOWN
        return f"{text}\n\nand {more} more; put these right and run again" if more > 0 else text


class OutputError(TcoError):
    """A file or folder could not be written: what, why and what to do next.

    >>> print(OutputError("reports/a.xlsx", "it is open in another program", "close it"))
    reports/a.xlsx could not be written
      why:      it is open in another program
      next:     close it
    """

    def __init__(self, what: str, why: str, next_step: str) -> None:
        super().__init__(what, why, next_step)
        self.what = what
        self.why = why
        self.next_step = next_step

    def __str__(self) -> str:
        return (
            f"{printable(self.what)} could not be written\n"
            f"{_wrapped('why:', self.why)}\n"
            f"{_wrapped('next:', self.next_step)}"
        )


def _wrapped(label: str, text: str) -> str:
    return textwrap.fill(
        printable(text),
        LINE,
        initial_indent=f"  {label:<9} ",
        subsequent_indent=" " * 12,
        break_long_words=False,
        break_on_hyphens=False,
    )


def printable(text: str) -> str:
    r"""The text on one line, with whatever a terminal would obey or hide written as an escape.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(
        character if not is_control(character) else _escaped(character) for character in text
    )


def is_control(character: str) -> bool:
    """Whether a character steers a terminal, breaks a line, turns text round or is no text."""
    return (
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        or "\u202a" <= character <= "\u202e"
        or "\u2066" <= character <= "\u2069"
        or character in "\ufeff\ufffe\uffff"
    )


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")
