"""Logs of ``nvidia-smi dmon``: columns of blanks under two lines of names and units.

The lines of names come again every few rows, and other options print other columns: each row is
read by the names above it. ``sm`` is the use of the GPU; ``mem`` is that of its memory controller.
A row has a moment with ``-o DT`` only; with ``-o T`` it has the hour without the date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tco.readings.gpus.gpu_use import MOST_WATTS, reading
from tco.readings.gpus.integration import SECOND, Device, Log, Mask, Moments, Numbers
from tco.readings.gpus.log_text import (
    NO_MOMENT,
    SHARES,
    WATTS,
    Clock,
    Losses,
    Reader,
    Span,
    Texts,
    blocks,
    ends_of,
    placed,
)
from tco.readings.reading import Asked, Head, Kind, Reading, ReadingError, Source
from tco.readings.texts.cells import Place, short

COMMAND = "nvidia-smi dmon -s pu -o DT -f gpus.txt"
DAY = 86_400 * SECOND
HALF_A_DAY = DAY // 2
_NAMES = re.compile(r"#\s*(?:(?:date|time)[\s,]+)*gpu(?=[\s,]|$)(?!\s+pid\b)", re.IGNORECASE)


@dataclass
class _Table:
    """Rows under the names that hold for them, column by column, with their lines."""

    names: tuple[str, ...]
    units: tuple[str, ...] = ()
    lines: list[int] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)

    def texts(self, name: str) -> Texts | None:
        """The cells of a column, None where it is not printed."""
        if name not in self.names:
            return None
        place = self.names.index(name)
        return np.array([row[place] for row in self.rows], object)

    def unit(self, name: str, usual: str) -> str:
        """The unit that stands under a name."""
        place = self.names.index(name) if name in self.names else len(self.units)
        return self.units[place].casefold() if place < len(self.units) else usual


@dataclass(frozen=True)
class _File:
    path: Path
    encoding: str
    way: str
    first: int | None
    last: int | None


def recognises(head: Head) -> bool:
    """Whether one of the first lines names the columns of dmon."""
    return any(_is_names(line) for line in head.lines[:5])


def _is_names(line: str) -> bool:
    return bool(_NAMES.match(line.lstrip("\ufeff").strip()))


def _cells(line: str) -> list[str]:
    """The cells of a line; ``--format csv`` puts commas between them."""
    return line.replace(",", " ").lstrip("\ufeff#").split()


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """One reading of all logs together.

    Raises ``ReadingError`` for a log without use and without power, for one with dates beside one
    without, and for several with the hour alone, which nothing puts in order.
    """
    files = [_open(path) for path in paths]
    places = placed(
        [Span(f.path, f.first, f.last, Source.of(f.path).sha256, is_unique=False) for f in files]
    )
    files = [files[n] for n in places.order]
    way = _one_way(files)
    begin = min((file.first for file in files if file.first is not None), default=None)
    log = Log(begin, local=way == "DT", dated=way == "DT")
    losses = Losses()
    total = sum(file.path.stat().st_size for file in files)
    done = used = 0
    for file, machine in zip(files, places.machine, strict=True):
        taken = _Taken(file, log, losses, machine, shows_file=places.machines > 1)
        done_before = done

        def progress(bytes_read: int, before: int = done_before) -> None:
            asked.progress(before + bytes_read, total)

        for table in _tables(file, losses, progress):
            used += taken.take(table)
        done += file.path.stat().st_size
    asked.progress(total, total)
    told = ["use from the column sm, power from the column pwr"]
    if way == "T":
        told.append("hours without a date: the samples are integrated, the period is not known")
    return reading(
        "nvidia-smi dmon log",
        log,
        [file.path for file in files],
        asked,
        used=used,
        dropped=losses.dropped,
        remarks=told,
        warnings=places.warnings,
        name_field="gpu",
    )


_WAYS = {"DT": "date and time", "T": "the time alone", "": "no time"}


def _one_way(files: Sequence[_File]) -> str:
    """How the rows of all files are dated."""
    ways = {file.way: file for file in reversed(files)}
    way = files[0].way
    if len(ways) == 1 and not (way == "T" and len(files) > 1):
        return way
    raise ReadingError(
        str(files[0].path),
        None,
        None,
        "; ".join(f"{file.path.name}: {_WAYS[way]}" for way, file in sorted(ways.items())),
        "several logs together only with date and time in each, which put them in order",
        f"read them one by one, or log with  {COMMAND}",
    )


def _open(path: Path) -> _File:
    """How the rows of a log are dated. Raises ``ReadingError`` for one without names."""
    ends = ends_of(path)
    names = next((_names(line) for line in ends.head if _is_names(line)), None)
    if names is None:
        raise Place(str(path), 1).refused(
            short(ends.head[0]), "a first line of names, # gpu pwr ...", f"log with  {COMMAND}"
        )
    if not {"sm", "pwr"} & set(names):
        raise Place(str(path), 1).refused(
            f"the columns {' '.join(names)}",
            "the column sm, pwr or both",
            f"log with  {COMMAND}",
        )
    way = "DT" if {"date", "time"} <= set(names) else "T" if "time" in names else ""
    if way != "DT":
        return _File(path, ends.encoding, way, 0 if way else None, 0 if way else None)
    stamps = [
        _table_moments(_Table(names, rows=rows))
        for rows in (_rows(ends.head, names), _rows(ends.tail, names))
    ]
    first, last = (known[known != NO_MOMENT] for known in stamps)
    if not len(first):
        raise Place(str(path), 1, "Date Time").refused(
            "no row with a date and a time", "20260629 10:00:00", f"log with  {COMMAND}"
        )
    latest = int(last.max()) if len(last) else int(first.max())
    return _File(path, ends.encoding, way, int(first.min()), latest)


def _names(line: str) -> tuple[str, ...]:
    return tuple(name.casefold() for name in _cells(line))


def _rows(lines: Sequence[str], names: Sequence[str]) -> list[list[str]]:
    rows = [_cells(line) for line in lines if not line.lstrip("\ufeff ").startswith("#")]
    return [row for row in rows if len(row) == len(names)]


def _table_moments(table: _Table) -> Moments:
    dates, times = table.texts("date"), table.texts("time")
    assert dates is not None
    assert times is not None
    text = [
        f"{date[:4]}-{date[4:6]}-{date[6:]} {time}" if len(date) == 8 else f"{date} {time}"
        for date, time in zip(dates, times, strict=True)
    ]
    return Clock("iso").moments(np.array(text, object))


def _tables(file: _File, losses: Losses, progress: Callable[[int], None]) -> Iterator[_Table]:
    """The rows, a few megabytes at a time, a table for each stretch under the same names."""
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    for first, block in blocks(file.path, file.encoding, progress):
        table = _Table(names, units)
        for n, line in enumerate(block.split("\n"), first):
            if "#" in line:
                if _is_names(line):
                    found = _names(line)
                    if found != names:
                        yield table
                        names, units = found, ()
                        table = _Table(names)
                elif not units:
                    units = table.units = tuple(_cells(line))
                continue
            cells = line.replace(",", " ").split()
            if not cells:
                continue
            if len(cells) == len(names):
                table.lines.append(n)
                table.rows.append(cells)
            else:
                ended = block.endswith("\n") or n < first + block.count("\n")
                losses.add(
                    "another number of cells than names" if ended else "the last row cut off", [n]
                )
        yield table


@dataclass
class _Taken:
    """What has been taken of a file, and the hour of its last row where it has no dates."""

    file: _File
    log: Log
    losses: Losses
    machine: int
    shows_file: bool
    last_time: int | None = None
    day: int = 0

    def take(self, table: _Table) -> int:
        """Take rows into the log; how many were used."""
        gpus = table.texts("gpu")
        if gpus is None or not len(gpus):
            return 0
        lines = np.array(table.lines)
        good = np.ones(len(lines), bool)
        times: Moments | None = None
        if self.file.way:
            if not {"DT": {"date", "time"}}.get(self.file.way, {"time"}) <= set(table.names):
                raise Place(str(self.file.path), table.lines[0]).refused(
                    "rows without the time that the rows before them have",
                    "one way of logging in a file",
                    "give each log as a file of its own",
                )
            times = _table_moments(table) if self.file.way == "DT" else self._hours(table)
            good = times != NO_MOMENT
            self.losses.add("a moment that is none", lines[~good])
        use, no_use = self._numbers(table, "sm", "use", SHARES, "%", 1.0)
        power, no_power = self._numbers(table, "pwr", "power", WATTS, "w", MOST_WATTS)
        neither = good & np.isnan(use) & np.isnan(power)
        for why, without in (no_use or no_power).items():
            self.losses.add(why, lines[neither & without])
        good &= ~neither
        used = 0
        if times is not None:
            self.log.saw(times[good], self.machine)
        for gpu in dict.fromkeys(gpus[good]):
            rows = np.flatnonzero(good & (gpus == gpu))
            label = f"{gpu} on {self.file.path.name}" if self.shows_file else gpu
            kept = self.log.add(
                Device(f"{self.machine}\n{gpu}", label),
                times[rows] if times is not None else None,
                use[rows],
                power[rows],
            )
            self.losses.add("a moment before that of a row above it", lines[rows][~kept])
            used += int(kept.sum())
        return used

    def _numbers(
        self,
        table: _Table,
        name: str,
        what: str,
        units: Mapping[str, float],
        usual: str,
        most: float,
    ) -> tuple[Numbers, dict[str, Mask]]:
        texts = table.texts(name)
        if texts is None:
            return np.full(len(table.rows), np.nan), {}
        place = Place(str(self.file.path), None, name)
        return Reader(what, units, table.unit(name, usual), most, ".", place).numbers(texts)

    def _hours(self, table: _Table) -> Moments:
        """Microseconds from the midnight before the first row; the day ends where hours go back."""
        texts = table.texts("time")
        assert texts is not None
        clock = Clock("iso").moments(np.array([f"2000-01-01 {text}" for text in texts], object))
        good = clock != NO_MOMENT
        hours = clock[good] - _MIDNIGHT
        if len(hours):
            before = hours[0] if self.last_time is None else self.last_time
            days = self.day + np.cumsum(np.diff(hours, prepend=before) < -HALF_A_DAY)
            self.day, self.last_time = int(days[-1]), int(hours[-1])
            clock[good] = hours + DAY * days
        return clock


_MIDNIGHT = int(np.datetime64("2000-01-01", "us").astype(np.int64))

KIND = Kind("a log of nvidia-smi dmon (use and power of GPUs)", recognises, read)
