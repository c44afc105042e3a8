"""Logs as text: read a few megabytes at a time, number by number, with what is lost on the way.

Each text that the cells of a column hold is read once in a block, however many rows hold it, so
that reading it may be as careful as it has to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from io import TextIOWrapper
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tco.readings.gpus.gpu_use import COMMAND, SAME_CLOCK
from tco.readings.gpus.integration import Mask, Moments, Numbers
from tco.readings.reading import Dropped, ReadingError
from tco.readings.texts.cells import Place, is_missing, moments, quantity_of, short, two_numbers

Texts = NDArray[np.object_]

BLOCK = 1 << 22
"""Characters that are read at a time."""
LONGEST_LINE = 1 << 20
PEEKED = 1 << 16
"""Bytes at the beginning and the end of a file that are looked at before it is read."""
KINDS_OF_LOSS = 20
MOST_KNOWN = 200_000
"""Texts of cells whose number is remembered."""
FIRST_YEAR, LAST_YEAR = np.datetime64("2000-01-01", "us"), np.datetime64("2100-01-01", "us")
NO_MOMENT = np.iinfo(np.int64).min
"""Stands for a stamp that is no moment."""
OUT_OF_BOUNDS = "out of bounds"

SHARES = {"%": 0.01, "percent": 0.01, "pct": 0.01, "ratio": 1.0, "fraction": 1.0, "share": 1.0}
WATTS = {"w": 1.0, "watt": 1.0, "watts": 1.0, "mw": 0.001, "kw": 1000.0}

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([^\d\s.,][^\d]*?)?\s*")


@dataclass(frozen=True)
class Clock:
    """How the stamps of a file are written, and whether they state their zone."""

    way: Literal["iso", "epoch", "other", "none"]
    has_zone: bool = False
    month_first: bool = False

    def moments(self, texts: Texts) -> Moments:
        """Microseconds since 1970, the smallest number for what is no moment of 2000 to 2099."""
        import pandas as pd

        if self.way == "epoch":
            numbers = pd.to_numeric(pd.Series(texts), errors="coerce").to_numpy(np.float64)
            with np.errstate(divide="ignore", invalid="ignore"):
                # seconds, or thousandths, millionths or billionths of them
                size = np.floor((np.log10(np.abs(numbers)) - 8) / 3)
                micro = numbers * 10 ** (6 - 3 * np.clip(np.nan_to_num(size), 0, 3))
            bad = ~np.isfinite(micro) | (np.abs(micro) > 5e15)
            stamps = np.where(bad, 0, np.round(micro)).astype(np.int64).astype("datetime64[us]")
        elif self.way == "iso":
            stamps = _iso(texts)
            lost = np.isnat(stamps)
            if lost.any():
                stamps[lost] = _iso(np.array([text.strip() for text in texts[lost]], object))
        else:
            codes, unique = pd.factorize(texts)
            stamps = np.array([self._moment(text) for text in unique], "datetime64[us]")[codes]
        with np.errstate(invalid="ignore"):
            known = (stamps >= FIRST_YEAR) & (stamps < LAST_YEAR)
        return np.where(known, stamps.astype(np.int64), NO_MOMENT)

    def _moment(self, text: str) -> np.datetime64:
        try:
            meanings = moments(text, Place(""))
        except ReadingError:
            meanings = None
        if meanings is None:
            return np.datetime64("NaT")
        found = meanings.second if self.month_first else meanings.first
        found = found or meanings.first or meanings.second
        if found is None:
            return np.datetime64("NaT")
        if found.tzinfo is not None:
            found = found.astimezone(UTC).replace(tzinfo=None)
        return np.datetime64(found)


def _iso(texts: Texts) -> NDArray[np.datetime64]:
    """Moments of ISO 8601 in UTC, or by the clock they are of; NaT for another text."""
    import pandas as pd

    parsed = pd.to_datetime(pd.Index(texts), format="ISO8601", utc=True, errors="coerce")
    stamps: NDArray[np.datetime64] = parsed.tz_localize(None).to_numpy().astype("datetime64[us]")
    return stamps


@dataclass
class Losses:
    """Rows that are not used, by the reason, with the first of each in each file."""

    found: dict[str, Dropped] = field(default_factory=dict)
    cells: dict[str, Dropped] = field(default_factory=dict)
    """Cells that cannot be used, in rows that are used for their other number."""

    def add(self, why: str, lines: Sequence[int] | NDArray[np.int64]) -> None:
        """Rows on these lines were dropped for this reason."""
        self._add(self.found, why, lines)

    def add_cells(self, why: str, lines: Sequence[int] | NDArray[np.int64]) -> None:
        """A cell on each of these lines was dropped for this reason, and the row was not."""
        self._add(self.cells, why, lines)

    @staticmethod
    def _add(found: dict[str, Dropped], why: str, lines: Sequence[int] | NDArray[np.int64]) -> None:
        if not len(lines):
            return
        if why not in found and len(found) >= KINDS_OF_LOSS:
            why = "other cells that hold no number"
        before = found.get(why, Dropped(why, 0, int(lines[0])))
        found[why] = replace(before, rows=before.rows + len(lines))

    def count(self, why: str, rows: int) -> None:
        """So many rows, of a file in which lines say nothing, were dropped for this reason."""
        if rows:
            before = self.found.get(why, Dropped(why, 0))
            self.found[why] = replace(before, rows=before.rows + rows)

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """All of them."""
        return tuple(self.found.values())

    @property
    def warnings(self) -> tuple[str, ...]:
        """The cells that cannot be used in rows that are used, by the reason."""
        return tuple(
            f"{one.why}: {one.rows:,} cell{'s' * (one.rows != 1)} left out of rows that are used "
            f"for their other number, the first in line {one.first_line}"
            for one in self.cells.values()
        )


@dataclass(frozen=True)
class Reader:
    """Reads the cells of one column: what number each text means, or why it means none."""

    what: str
    units: Mapping[str, float]
    unit: str | None
    most: float
    decimal_sign: str | None
    place: Place
    known: dict[str, float | str] = field(default_factory=dict)

    def numbers(self, texts: Texts) -> tuple[Numbers, dict[str, Mask]]:
        """The numbers, not a number where there is none, and which rows lack one and why."""
        import pandas as pd

        codes, unique = pd.factorize(texts)
        if len(self.known) > MOST_KNOWN:
            self.known.clear()
        read = [self._known(text) for text in unique]
        values = np.array([x if isinstance(x, float) else np.nan for x in read])
        why: dict[str, list[int]] = {}
        for n, found in enumerate(read):
            if isinstance(found, str):
                why.setdefault(found, []).append(n)
        return values[codes], {text: np.isin(codes, places) for text, places in why.items()}

    def _known(self, text: str) -> float | str:
        """As ``number``, of a text that may have come before."""
        found = self.known.get(text)
        if found is None:
            found = self.known[text] = self.number(text)
        return found

    def number(self, text: str) -> float | str:
        """The number that a cell means in the unit of the quantity, or why it means none.

        Raises ``ReadingError`` for a number that can be read in two ways.
        """
        unit: str | None
        match = _NUMBER.fullmatch(text) if self.decimal_sign == "." else None
        if match:
            value, unit = float(match[1]), match[2]
        else:
            if is_missing(text):
                return f"{self.what} {text.strip() or 'left empty'}"
            quantity = quantity_of(text)
            if quantity is None or quantity.before:
                return f'{self.what} "{short(text.strip())}"'
            meanings = quantity.meanings
            if meanings.ambiguous and self.decimal_sign is None:
                raise two_numbers(text.strip(), meanings, self.place)
            found = meanings.second if self.decimal_sign == "," else meanings.first
            if found is None:
                return f'{self.what} "{short(text.strip())}"'
            value, unit = float(found), quantity.after
        factor = self.units.get(unit.strip().casefold() if unit else self.unit or "")
        if factor is None:
            return f'{self.what} "{short(text.strip())}"'
        value *= factor
        if not 0 <= value <= self.most:
            return f"{self.what} {OUT_OF_BOUNDS}"
        return value


def is_fault(why: str) -> bool:
    """Whether a cell holds something that is no number of its column, by what ``number`` says.

    A cell that is empty, or says that it has none, is no fault.

    >>> is_fault('power "$1,234.50"'), is_fault("power out of bounds"), is_fault("power [N/A]")
    (True, True, False)
    """
    return why.endswith(('"', OUT_OF_BOUNDS))


def blocks(path: Path, encoding: str, progress: Callable[[int], None]) -> Iterator[tuple[int, str]]:
    """Whole lines, a few megabytes at a time, with the number of the first.

    ``progress`` is told how many bytes have been read. Raises ``ReadingError`` for another encoding
    and for a line of more than 1,048,576 characters.
    """
    line, rest = 1, ""
    try:
        with (
            path.open("rb") as stream,
            TextIOWrapper(stream, encoding, newline=None) as text,
        ):
            while part := text.read(BLOCK):
                rest += part
                progress(stream.tell())
                # one whole line stays, so that a last line that is cut off has one above it
                end = rest.rfind("\n", 0, max(rest.rfind("\n"), 0)) + 1
                if end:
                    yield line, rest[:end]
                    line += rest.count("\n", 0, end)
                    rest = rest[end:]
                elif len(rest) > BLOCK + LONGEST_LINE:
                    raise Place(str(path), line).refused(
                        f"a line of more than {LONGEST_LINE:,} characters",
                        "rows of a log, each on a line",
                        "check that this is the file you mean",
                    )
    except UnicodeDecodeError as error:
        raise Place(str(path), line).refused(
            f"bytes that are not {error.encoding.upper()}, on this line or further down",
            "UTF-8, or UTF-16 with its mark",
            "save the log as UTF-8",
        ) from error
    if rest:
        yield line, rest


@dataclass(frozen=True)
class Ends:
    """The beginning and the end of a text file: its lines that are not blank, and its encoding.

    ``head_lines`` are the numbers of the lines of the beginning.
    """

    encoding: str
    head: list[str]
    tail: list[str]
    head_lines: list[int]


def ends_of(path: Path) -> Ends:
    """The first and the last lines of a log. Raises ``ReadingError`` if there are none."""
    try:
        with path.open("rb") as stream:
            begin = stream.read(PEEKED)
            size = stream.seek(0, 2)
            # at an even byte, where a character of UTF-16 begins
            stream.seek(max(size - PEEKED, 0) // 2 * 2)
            end = stream.read()
    except OSError as error:
        raise Place(str(path)).refused(
            error.strerror or "it cannot be opened", "a file that can be read", "check the path"
        ) from error
    wide = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(begin[:2])
    encoding = "utf-16" if wide else "utf-8-sig"
    numbered = _not_blank(begin.decode(encoding, "replace"))
    head = [line for _, line in numbered]
    tail = [line for _, line in _not_blank(end.decode(wide or "utf-8", "replace"))]
    if size > PEEKED:
        # one of each is not whole
        head, tail = head[:-1], tail[1:]
    if not head:
        raise Place(str(path)).refused("an empty file", "a log", f"log with  {COMMAND}")
    return Ends(encoding, head, tail, [number for number, _ in numbered])


def _not_blank(text: str) -> list[tuple[int, str]]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


@dataclass(frozen=True)
class Span:
    """A log among others: its first and last moment, None without times; ``digest`` its content.

    ``is_unique``: it names its GPUs as nobody else does, by uuid.
    """

    path: Path
    first: int | None
    last: int | None
    digest: str
    is_unique: bool


@dataclass(frozen=True)
class Placed:
    """In which order logs are read and which machine each is of; ``twice`` are not read."""

    order: tuple[int, ...]
    machine: tuple[int, ...]
    twice: tuple[Path, ...]

    @property
    def machines(self) -> int:
        """How many machines there are, as far as the logs tell."""
        return max(self.machine, default=0) + 1

    @property
    def warnings(self) -> list[str]:
        """What the user has to know of it."""
        told = [f"{path}: the same content as another file, read once" for path in self.twice]
        if self.machines > 1:
            told.append(
                "the logs overlap in time and name no uuid: they are taken to be of "
                f"{self.machines} machines"
            )
        return told


def placed(spans: Sequence[Span]) -> Placed:
    """The logs in the order of time, each by its number, with the machine that it is of.

    Logs that name a GPU by its number only and overlap in time are of several machines.
    """
    once: dict[str, int] = {}
    twice = []
    for n, span in enumerate(spans):
        if once.setdefault(span.digest, n) != n:
            twice.append(span.path)
    order = sorted(once.values(), key=lambda n: (spans[n].first is not None, spans[n].first or 0))
    ends: list[int] = []
    machine = []
    for n in order:
        span = spans[n]
        if span.first is None or span.last is None or span.is_unique:
            machine.append(0)
            continue
        free = [place for place, end in enumerate(ends) if end - SAME_CLOCK <= span.first]
        place = free[0] if free else len(ends)
        ends[place : place + 1] = [span.last]
        machine.append(place)
    return Placed(tuple(order), tuple(machine), tuple(twice))
