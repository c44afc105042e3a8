"""What a file was read into: its numbers, where they belong, and what was left out and why.

Every kind of file gives the same thing, a `Reading`, so that the screen and ``--into`` know none
of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from tco.errors import Fault

WEEK = timedelta(days=7)
FEW_WEEKS = 2
"""Under this many whole weeks a measurement is said to be too short to plan with (article C)."""

Room = Literal["card", "demand", "rental", "api", "currency"]
"""The part of a scenario that a number belongs to.

``card``: ``hardware.<card>``; ``demand``: ``demand``; ``rental``: the options that rent the card;
``api``: the options that call the model; ``currency``: ``exchange_rates``.
"""
Basis = Literal["measured", "quoted", "published"]


class ReadingError(Fault):
    """A file that cannot be read: where, what was found, what was expected, what to do."""


@dataclass(frozen=True)
class Source:
    """A file that was read, under the name it was given by."""

    path: Path
    sha256: str

    @classmethod
    def of(cls, path: Path) -> Source:
        """The file with the SHA-256 of its content."""
        with path.open("rb") as stream:
            return cls(path, hashlib.file_digest(stream, "sha256").hexdigest())


@dataclass(frozen=True)
class Asked:
    """What the user says of the files: what a file itself does not hold.

    ``gpu`` is the name of a card, ``gpus`` how many were measured together, ``tensor_parallel``
    how many of them hold one copy of the model. ``progress`` is told how many bytes of how many
    have been read, and may be told often. ``hours_per_month`` makes a month of a measured period.
    """

    gpu: str | None = None
    gpus: int | None = None
    tensor_parallel: int | None = None
    hours_per_month: float = 730.0
    progress: Callable[[int, int], None] = field(default=lambda done, total: None)


@dataclass(frozen=True)
class Dropped:
    """Rows that were not used: why, how many, and the first of them."""

    why: str
    rows: int
    first_line: int | None = None


@dataclass(frozen=True)
class Period:
    """From the first moment measured to the last; ``zone`` says whose clock that is."""

    begin: datetime
    end: datetime
    zone: str = "the zone is not stated"

    @property
    def length(self) -> timedelta:
        """How long it is."""
        return self.end - self.begin

    @property
    def whole_weeks(self) -> int:
        """How many times seven days fit into it."""
        return self.length // WEEK

    @property
    def last_day(self) -> date:
        """The day on which it ends; one that ends at midnight ends on the day before."""
        at_midnight = self.end.time() == datetime.min.time() and self.length
        return (self.end - timedelta(microseconds=1) if at_midnight else self.end).date()


@dataclass(frozen=True)
class Entry:
    """A number, or a few that belong together, and the place of a scenario it belongs to.

    ``subject`` is the card, the model or the currency it is of, empty for the demand. ``content``
    is what stands in the scenario under ``field``: of a quantity ``value`` with ``low`` and
    ``high`` where they are known, of a rental price ``median`` and the rest, of a measured point
    its parts (it is added to the points of the card). Numbers are plain numbers in the unit of the
    field, or texts with their unit. The basis, the source and the file are added where it is
    written. ``shown`` is the number as the screen has it, ``label`` what it is.
    """

    room: Room
    subject: str
    field: str
    content: Mapping[str, Any]
    label: str
    shown: str
    basis: Basis = "measured"
    note: str | None = None
    day: date | None = None
    provider: str | None = None


@dataclass(frozen=True)
class Table:
    """Numbers beside each other, as texts; the first row is its head."""

    title: str
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Reading:
    """What one or more files of one kind say.

    ``kind`` names the kind of file. ``used`` rows were read, called ``rows_are``; ``dropped`` were
    not. ``models`` are those that were used, each as provider and name, the largest bill first;
    ``gpus`` is how many of each card were seen.
    ``remarks`` say what was taken from the file and how, ``warnings`` what may be wrong with
    it or with using it, and which file would do.
    """

    kind: str
    sources: tuple[Source, ...]
    used: int
    rows_are: str = "rows"
    dropped: tuple[Dropped, ...] = ()
    period: Period | None = None
    entries: tuple[Entry, ...] = ()
    tables: tuple[Table, ...] = ()
    remarks: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    models: tuple[tuple[str, str], ...] = ()
    gpus: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Head:
    """The beginning of a file, by which its kind is recognised; no name is looked at."""

    path: Path
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """Its lines that are not empty."""
        return [line for line in self.text.splitlines() if line.strip()]

    @cached_property
    def is_json(self) -> bool:
        """Whether it begins as JSON does."""
        return self.text.lstrip()[:1] in ("{", "[")

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of JSON that stand in it, at any depth."""
        import re

        return (
            frozenset(re.findall(r'"([^"\\\n]{1,100})"\s*:', self.text))
            if self.is_json
            else (frozenset())
        )

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, stripped and in small letters, by the separator it uses."""
        first = self.lines[0] if self.lines else ""
        separator = max(",;\t|", key=first.count)
        return tuple(name.strip().strip('"').strip().casefold() for name in first.split(separator))


@dataclass(frozen=True)
class Kind:
    """A kind of file: its name, how it is recognised, how all files of it are read together."""

    title: str
    recognises: Callable[[Head], bool]
    read: Callable[[Sequence[Path], Asked], Reading]
