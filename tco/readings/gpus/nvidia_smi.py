"""Logs of ``nvidia-smi --query-gpu=... --format=csv``, and tables people log in their own way."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tco.readings.gpus.gpu_use import COMMAND, CUT_BY_MIG, LOG_POWER, MOST_WATTS, reading
from tco.readings.gpus.integration import Device, Log, Mask, Moments, Numbers
from tco.readings.gpus.log_text import (
    NO_MOMENT,
    SHARES,
    WATTS,
    Clock,
    Ends,
    Losses,
    Reader,
    Span,
    Texts,
    blocks,
    ends_of,
    is_fault,
    placed,
)
from tco.readings.reading import Asked, Head, Kind, Reading, ReadingError, Source
from tco.readings.texts.cells import Meanings, Place, is_missing, moments, quantity_of, short
from tco.readings.texts.spreadsheet import separator_of

HEADER = "timestamp, index, utilization.gpu [%], power.draw [W]"

STAMP = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(\.\d+)?")
_UNIT = re.compile(r"(.*?)\s*[\[(]\s*([^\])]*?)\s*[\])]")

_USE = {"util", "utilization", "utilisation"}
_NOT_USE = {
    *("memory", "mem", "vram", "encoder", "enc", "decoder", "dec", "jpeg", "jpg", "ofa", "cpu"),
    *("max", "min", "fan", "bus", "pcie", "ram"),
}
_POWER = {"power", "pwr", "watt", "watts"}
_NOT_POWER = {
    *("limit", "lim", "cap", "max", "min", "default", "enforced", "requested", "management"),
    *("state", "module", "memory", "cpu", "socket", "scheme", "usage%", "mode"),
}
_OF_ANOTHER_PROGRAM = {"gfx", "umc", "tput", "tok", "emissions"}
"""Words of the heads of amd-smi, benchmarks and CodeCarbon."""
_PREFERRED_POWER = ("power.draw", "power.draw.average", "power.draw.instant")


@dataclass(frozen=True)
class Named:
    """A name of a head: in small letters without its unit, its words, its unit if it states one."""

    name: str
    words: frozenset[str]
    unit: str | None

    @classmethod
    def of(cls, text: str) -> Named:
        """The parts of a name.

        >>> Named.of("power.draw [W]").unit, sorted(Named.of("util_gpu_pct").words)
        ('w', ['gpu', 'pct', 'util'])
        """
        name = text.strip().strip('"').strip().casefold()
        match = _UNIT.fullmatch(name)
        name, unit = (match[1], match[2]) if match else (name, None)
        words = [word for word in re.split(r"[^a-z0-9%]+", name) if word]
        if unit is None:
            units = [word for word in words if word in SHARES or word in WATTS]
            unit = units[-1] if units else "%" if name.endswith("%") else None
        return cls(name, frozenset(words), unit)

    @property
    def is_use(self) -> bool:
        """Whether it is the use of the GPU, not that of its memory or another part."""
        words = {word.rstrip("%") for word in self.words}
        return bool(words & _USE) and not words & _NOT_USE

    @property
    def is_power(self) -> bool:
        """Whether it is what the GPU draws, not what it may draw."""
        return bool(self.words & _POWER) and not self.words & _NOT_POWER


@dataclass(frozen=True)
class Layout:
    """Which column holds what, by its number; None where no column does.

    ``names`` are those of the head as they stand. ``gpu`` tells the GPUs apart. ``comma_in_time``:
    the stamp is written with a decimal comma, ``date --iso-8601=ns``, and takes two cells.
    ``head_line`` is the line of the names, None in a log without.
    """

    names: tuple[str, ...]
    separator: str = ","
    time: int | None = None
    use: int | None = None
    power: int | None = None
    gpu: int | None = None
    index: int | None = None
    name: int | None = None
    host: int | None = None
    mig: int | None = None
    memory: int | None = None
    use_unit: str | None = None
    power_unit: str | None = None
    comma_in_time: bool = False
    head_line: int | None = None

    @property
    def cells(self) -> int:
        """How many cells a row has."""
        return len(self.names) + self.comma_in_time

    @property
    def device(self) -> tuple[int, ...]:
        """The columns that say which GPU a row is of."""
        found = (self.gpu, self.index, self.name, self.host, self.mig, self.memory)
        return tuple(dict.fromkeys(place for place in found if place is not None))

    @property
    def gpu_is_unique(self) -> bool:
        """Whether the GPU is told from those of every other machine."""
        return self.gpu is not None and bool(
            {"uuid", "serial"} & Named.of(self.names[self.gpu]).words
        )

    def is_native(self, place: int | None) -> bool:
        """Whether a column has the name that nvidia-smi gives it."""
        return place is not None and Named.of(self.names[place]).name in (
            "utilization.gpu",
            *_PREFERRED_POWER,
        )


def layout_of(names: Sequence[str], separator: str = ",") -> Layout | None:
    """The layout of a head; None if it names neither the use nor the power of a GPU.

    >>> found = layout_of(["power.limit [W]", " utilization.memory [%]", " power.draw [W]"])
    >>> found.power, found.use
    (2, None)
    """
    named = [Named.of(name) for name in names]
    uses = [n for n, name in enumerate(named) if name.is_use]
    powers = [n for n, name in enumerate(named) if name.is_power]
    if not uses and not powers:
        return None

    def first(*wanted: str) -> int | None:
        places = {name.name: place for place, name in reversed(list(enumerate(named)))}
        return next((places[name] for name in wanted if name in places), None)

    use = first("utilization.gpu") if first("utilization.gpu") in uses else None
    use = use if use is not None else (uses[0] if uses else None)
    power = first(*_PREFERRED_POWER)
    power = power if power is not None else (powers[0] if powers else None)
    index = first("index", "gpu_index", "gpu_idx", "gpu_id", "gpu", "gpuid", "idx", "device", "id")
    unique = first("uuid", "gpu_uuid", "gpu.uuid", "serial", "gpu_serial")
    bus = first("pci.bus_id", "gpu_bus_id", "pci_bus_id", "bus_id")
    return Layout(
        names=tuple(name.strip() for name in names),
        separator=separator,
        time=first("timestamp", "datetime", "date_time", "time", "ts", "date", "epoch"),
        use=use,
        power=power,
        gpu=next((place for place in (unique, bus, index) if place is not None), None),
        index=index,
        name=first("name", "gpu_name", "gpu.name", "product_name", "model", "gpu_model"),
        host=first("hostname", "host", "node", "server", "machine"),
        mig=first("mig.mode.current", "mig_mode", "mig.mode"),
        memory=first("memory.total"),
        use_unit=named[use].unit if use is not None else None,
        power_unit=named[power].unit if power is not None else None,
    )


def layout_of_rows(rows: Sequence[Sequence[str]]) -> Layout | None:
    """The layout of a log without a head, by the shape of its cells; None if it is not certain.

    One column alone may carry ``%`` and one ``W``: with two nothing tells use from memory use.

    >>> found = layout_of_rows([["2026/06/29 10:00:00.250", "0", "45 %", "298.48 W"]])
    >>> found.time, found.use, found.power
    (0, 2, 3)
    >>> layout_of_rows([["2026/06/29 10:00:00.250", "0", "45", "298.48"]]) is None
    True
    """
    if not rows or not rows[0]:
        return None
    columns = list(zip(*(row for row in rows if len(row) == len(rows[0])), strict=True))

    def those(pattern: str) -> list[int]:
        of_all = [
            n
            for n, cells in enumerate(columns)
            if all(re.fullmatch(pattern, cell.strip()) or is_missing(cell) for cell in cells)
        ]
        return [n for n in of_all if not all(is_missing(cell) for cell in columns[n])]

    uses, powers = those(r"\d+ %"), those(r"\d+(\.\d+)? W")
    if len(uses) > 1 or len(powers) > 1 or not uses + powers:
        return None
    times = those(r"\d{4}[/-]\d\d[/-]\d\d[ T]\d\d:\d\d:\d\d.*")
    unique = those(r"(GPU|MIG)-[0-9a-fA-F-]+")
    bus = those(r"[0-9a-fA-F]{8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.\d")
    whole = those(r"\d{1,2}")
    # a temperature is a bare whole number too: an index begins with 0
    index = whole if len(whole) == 1 and "0" in {cell.strip() for cell in columns[whole[0]]} else []
    names = those(r"(NVIDIA|GeForce|Tesla|Quadro|GTX|RTX) ?.*")
    found = [next(iter(places), None) for places in (unique, bus, index)]
    kinds = {
        **dict.fromkeys(times[:1], "timestamp"),
        **dict.fromkeys(unique[:1], "uuid"),
        **dict.fromkeys(bus[:1], "pci.bus_id"),
        **dict.fromkeys(index[:1], "index"),
        **dict.fromkeys(names[:1], "name"),
        **dict.fromkeys(uses, "utilization.gpu [%]"),
        **dict.fromkeys(powers, "power.draw [W]"),
    }
    return Layout(
        names=tuple(kinds.get(n, "") for n in range(len(columns))),
        time=next(iter(times), None),
        use=next(iter(uses), None),
        power=next(iter(powers), None),
        gpu=next((place for place in found if place is not None), None),
        index=found[2],
        name=next(iter(names), None),
        use_unit="%" if uses else None,
        power_unit="w" if powers else None,
    )


def recognises(head: Head) -> bool:
    """Whether a file begins as a log of nvidia-smi, or as a table of the use of GPUs."""
    if head.is_json or not head.lines or head.lines[0].lstrip("\ufeff").startswith("#"):
        return False
    lines = [line.lstrip("\ufeff") for line in head.lines]
    for line in lines[:HEAD_LINES]:
        if any(name in line.casefold() for name in ("utilization.gpu", *_PREFERRED_POWER)):
            return True
    separator = separator_of(lines[:HEAD_LINES])
    layout = layout_of(lines[0].split(separator), separator)
    if layout is not None:
        named = [Named.of(name) for name in layout.names]
        if any(name.words & _OF_ANOTHER_PROGRAM for name in named):
            return False
        of_gpus = layout.index is not None or layout.gpu is not None or layout.name is not None
        says_gpu = any("gpu" in name.words for name in named)
        return layout.time is not None and (of_gpus or says_gpu)
    if not STAMP.match(lines[0]) and layout_of_rows(_split(lines[:HEAD_LINES], separator)) is None:
        return False
    # a log without its head: rows of stamps, or of cells with their units
    cells = lines[0].split(separator)
    return len(cells) > 1 and any(
        STAMP.fullmatch(cell.strip()) or re.fullmatch(r"\d+ %|[\d.]+ W", cell.strip())
        for cell in cells
    )


HEAD_LINES = 20


def _split(lines: Sequence[str], separator: str) -> list[list[str]]:
    return [line.split(separator) for line in lines]


@dataclass(frozen=True)
class _File:
    """A log before it is read: how it is laid out, and its first and last moment."""

    path: Path
    encoding: str
    layout: Layout
    quoted: bool
    clock: Clock
    decimal_sign: str | None
    first: int | None
    last: int | None
    digest: str
    machine: int = 0

    @property
    def span(self) -> Span:
        """Its place among other logs."""
        return Span(self.path, self.first, self.last, self.digest, self.layout.gpu_is_unique)


_ISO = re.compile(
    r"\d{4}([-/])\d\d\1\d\d[ T]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(\s*(Z|[+-]\d\d:?\d\d))?"
)
_ZONE = re.compile(r"(Z|UTC|[+-]\d\d:?\d\d)\s*$")
_COMMA_STAMP = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d")
_COMMA_REST = re.compile(r"\d{1,9}(Z|[+-]\d\d:?\d\d)?")


def _open(path: Path) -> _File:
    """What is to be known of a log before it is read. Raises ``ReadingError``."""
    ends = ends_of(path)
    head = ends.head
    quoted = any('"' in line for line in head)
    layout, rows = _laid_out(path, ends, quoted)
    last_rows = [
        row for row in _cut(ends.tail, layout.separator, quoted) if len(row) == layout.cells
    ]
    _check_scale(path, layout, [*rows, *last_rows])
    clock = _clock(path, layout, rows, last_rows)
    first = last = None
    if layout.time is not None:
        stamps = clock.moments(np.array([_stamp(row, layout) for row in rows], object))
        later = clock.moments(np.array([_stamp(row, layout) for row in last_rows], object))
        known, known_later = stamps[stamps != NO_MOMENT], later[later != NO_MOMENT]
        if rows and not len(known):
            raise ReadingError(
                str(path),
                None,
                layout.names[layout.time],
                f'"{short(_stamp(rows[0], layout))}", as in every row at its beginning: no moment '
                "from 2000 to 2099",
                "moments of the measurement",
                f"set the clock of the machine and log with  {COMMAND}  or delete the column "
                f"{layout.names[layout.time]}: each sample then counts alike",
            )
        first = int(known.min()) if len(known) else None
        last = int(known_later.max()) if len(known_later) else first
    return _File(
        path=path,
        encoding=ends.encoding,
        layout=layout,
        quoted=quoted,
        clock=clock,
        decimal_sign=_decimal_sign(layout, rows, quoted=quoted),
        first=first,
        last=last,
        digest=Source.of(path).sha256,
    )


def _cut(lines: Sequence[str], separator: str, quoted: bool) -> list[list[str]]:
    if quoted:
        return [*csv.reader(lines, delimiter=separator, skipinitialspace=True)]
    return [line.split(separator) for line in lines]


def _laid_out(path: Path, ends: Ends, quoted: bool) -> tuple[Layout, list[list[str]]]:
    """The layout with the rows of the beginning that have its shape."""
    lines = ends.head
    separator = separator_of(lines[:HEAD_LINES])
    rows = _cut(lines, separator, quoted)
    for n, row in enumerate(rows[:HEAD_LINES]):
        layout = layout_of(row, separator)
        if layout is None:
            continue
        under = rows[n + 1 :]
        layout = replace(layout, head_line=ends.head_lines[n])
        while len(layout.names) > 1 and not layout.names[-1]:
            layout = replace(layout, names=layout.names[:-1])
        wide = [row for row in under if len(row) == len(layout.names) + 1]
        time = layout.time
        if (
            time is not None
            and len(wide) * 2 > len(under)
            and all(
                _COMMA_STAMP.fullmatch(row[time].strip())
                and _COMMA_REST.fullmatch(row[time + 1].strip())
                for row in wide[:HEAD_LINES]
            )
        ):
            layout = replace(layout, comma_in_time=True)
        return layout, [row for row in under if len(row) == layout.cells]
    layout = layout_of_rows(rows[:1000])
    if layout is None:
        raise ReadingError(
            str(path),
            1,
            None,
            f"rows without a head: {short(lines[0])}",
            "a first line that names the columns, since the numbers alone do not tell them apart",
            f"write the names of the columns into a first line, for example  {HEADER}  or log "
            f"again without noheader",
        )
    return replace(layout, separator=separator), [r for r in rows if len(r) == layout.cells]


def _stamp(row: Sequence[str], layout: Layout) -> str:
    assert layout.time is not None
    text = row[layout.time].strip()
    return f"{text}.{row[layout.time + 1].strip()}" if layout.comma_in_time else text


def _clock(
    path: Path, layout: Layout, rows: Sequence[Sequence[str]], last: Sequence[Sequence[str]]
) -> Clock:
    """How the stamps are written. Raises ``ReadingError`` if none of them can be read."""
    if layout.time is None:
        return Clock("none")
    texts = [_stamp(row, layout) for row in rows]
    shown = next((text for text in texts if text), "")
    for text in texts:
        if _ISO.fullmatch(text):
            return Clock("iso", has_zone=_ZONE.search(text) is not None)
        if re.fullmatch(r"\d{9,19}(\.\d*)?", text):
            return Clock("epoch", has_zone=True)
    column = layout.names[layout.time]
    found: list[Meanings[datetime]] = []
    fault: ReadingError | None = None
    for text in [*texts, *(_stamp(row, layout) for row in last)]:
        try:
            meanings = moments(text, Place(str(path), None, column))
        except ReadingError as error:
            fault = fault or error
            continue
        if meanings is not None:
            found.append(meanings)
    if not found:
        if not rows:
            return Clock("iso")
        if re.fullmatch(r"\d\d:\d\d(:\d\d([.,]\d+)?)?", shown):
            raise ReadingError(
                str(path),
                None,
                column,
                f'"{shown}", a time of day without its date',
                "a date and a time",
                f"log with  {COMMAND}",
            )
        raise fault or ReadingError(
            str(path),
            None,
            column,
            f'"{short(shown)}"',
            "a date and a time",
            f"log with  {COMMAND}",
        )
    sides = {meanings.side for meanings in found} - {None}
    if any(meanings.ambiguous for meanings in found) and len(sides) != 1:
        raise ReadingError(
            str(path),
            None,
            column,
            f'"{short(shown)}", in which the day or the month may stand first',
            "dates that can be read in one way",
            "write them as 2026-06-29 10:00:00, or keep the timestamps of nvidia-smi",
        )
    zones = {getattr(m.first or m.second, "tzinfo", None) is not None for m in found}
    return Clock("other", has_zone=zones == {True}, month_first=sides == {1})


def _check_scale(path: Path, layout: Layout, rows: Sequence[Sequence[str]]) -> None:
    """Raises ``ReadingError`` for use that states no unit and may be a share or a percentage.

    The head of nvidia-smi states %, but its numbers are whole: a spreadsheet saves 70 % as 0.7.
    """
    if layout.use is None:
        return
    is_native = layout.is_native(layout.use)
    if layout.use_unit and not is_native:
        return
    name = layout.names[layout.use]
    found = [cell for row in rows if (cell := row[layout.use].strip()) not in ("", name)]
    parts = [cell for cell in found if re.fullmatch(r"0?[.,]\d*[1-9]\d*", cell)]
    if parts and all(re.fullmatch(r"[01]?([.,]\d*)?", cell) or is_missing(cell) for cell in found):
        percent = Decimal(parts[0].replace(",", ".")) * 100
        new = "gpu_util" if is_native else name
        raise Place(str(path), None, name).refused(
            f"numbers from 0 to 1 without a unit, such as {parts[0]}, which may be {parts[0]} % or "
            f"{percent.normalize():f} %",
            "a use in percent, or one that says it is a share",
            f"name the column {new}_ratio if 1 is full use, {new}_pct if 100 is",
        )


def _decimal_sign(layout: Layout, rows: Sequence[Sequence[str]], *, quoted: bool) -> str | None:
    """What the decimals of a file begin with: a point or a comma; None if no cell tells."""
    if layout.separator == "," and not quoted:
        return "."
    for row in rows:
        for place in (layout.power, layout.use):
            quantity = quantity_of(row[place]) if place is not None else None
            if quantity is not None and quantity.meanings.side is not None:
                return ".,"[quantity.meanings.side]
    return None


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """One reading of all logs together: one after the other, or of several machines.

    Raises ``ReadingError`` for a log that cannot be read: without a head where the rows do not
    tell what they are, of another GPU than asked for, with GPUs that cannot be told apart.
    """
    opened = [_open(path) for path in paths]
    places = placed([file.span for file in opened])
    files = [
        replace(opened[n], machine=machine)
        for n, machine in zip(places.order, places.machine, strict=True)
    ]
    timed = [file for file in files if file.first is not None]
    _check_clocks(timed)
    begin = min((file.first for file in timed if file.first is not None), default=None)
    log = Log(begin, local=not any(file.clock.has_zone for file in timed))
    losses = Losses()
    total = sum(file.path.stat().st_size for file in files)
    done = used = 0
    for file in files:
        used += _read_file(file, log, losses, asked, done, total, several=places.machines > 1)
        done += file.path.stat().st_size
    asked.progress(total, total)
    layout = files[0].layout
    has_faults = any(why.startswith("power ") for why in losses.cells)
    return reading(
        "nvidia-smi log",
        log,
        paths,
        asked,
        used=used,
        dropped=losses.dropped,
        remarks=tuple(dict.fromkeys(text for file in files for text in _columns_taken(file))),
        warnings=[*places.warnings, *losses.warnings],
        without_power="no cell of it can be used" if has_faults else LOG_POWER,
        name_field=layout.names[layout.name] if layout.name is not None else "name",
    )


def _check_clocks(files: Sequence[_File]) -> None:
    with_zone = [file for file in files if file.clock.has_zone]
    if with_zone and len(with_zone) < len(files):
        without = next(file for file in files if not file.clock.has_zone)
        raise ReadingError(
            str(without.path),
            None,
            without.layout.names[without.layout.time or 0],
            f"stamps without a zone, beside those of {with_zone[0].path}, which state theirs",
            "stamps of one clock",
            "read the files one by one, or write the stamps with their zone",
        )


def _columns_taken(file: _File) -> Iterator[str]:
    layout = file.layout
    for what, place in (("use", layout.use), ("power", layout.power)):
        if place is not None:
            name = layout.names[place]
            yield f"{what} from the column {name}" + (
                "" if layout.head_line else ", by the shape of its cells: the file has no head"
            )
    if layout.use is not None and layout.use_unit is None and not layout.is_native(layout.use):
        yield f"{layout.names[layout.use]} states no unit where its cells state none: taken as %"


def _read_file(
    file: _File,
    log: Log,
    losses: Losses,
    asked: Asked,
    done: int,
    total: int,
    *,
    several: bool,
) -> int:
    """Take the rows of a file; how many were used."""
    used = 0
    layout = file.layout
    readers = _readers(file, layout)
    for line, block in blocks(
        file.path, file.encoding, lambda bytes_read: asked.progress(done + bytes_read, total)
    ):
        for other, lines, columns in _rows(block, line, file, layout, losses):
            if other is not layout:
                layout = other
                readers = _readers(file, layout)
            used += _take(file, layout, readers, lines, columns, log, losses, several=several)
    return used


def _readers(file: _File, layout: Layout) -> tuple[Reader, Reader]:
    def reader(what: str, place: int | None, units: Mapping[str, float], most: float) -> Reader:
        name = layout.names[place] if place is not None else None
        unit = layout.use_unit if what == "use" else layout.power_unit
        plain = "%" if what == "use" else "w"
        return Reader(
            what, units, unit or plain, most, file.decimal_sign, Place(str(file.path), None, name)
        )

    return reader("use", layout.use, SHARES, 1.0), reader("power", layout.power, WATTS, MOST_WATTS)


Rows = tuple[Layout, NDArray[np.int64], dict[int, Texts]]


def _rows(block: str, line: int, file: _File, layout: Layout, losses: Losses) -> Iterator[Rows]:
    """The columns of the rows that have the shape of the head, with the lines they stand on.

    A head among the rows holds for those under it.
    """
    if layout.head_line is not None and line <= layout.head_line:
        # no names tell what the columns above them are
        above = layout.head_line - line + 1
        all_lines = block.split("\n")
        losses.add(
            "a row above the names of the columns",
            [
                number
                for number, text in enumerate(all_lines[:above], line)
                if number != layout.head_line and _is_row(text, layout.separator)
            ],
        )
        block = "\n".join(all_lines[above:])
        line += above
    heads = [] if layout.head_line is None else _heads(block, layout)
    if not heads:
        yield (layout, *_columns(block, line, file, layout, losses))
        return
    lines = block.split("\n")
    begin = 0
    for place in [*heads, len(lines)]:
        text = "\n".join(lines[begin:place]) + ("\n" if place < len(lines) else "")
        yield (layout, *_columns(text, line + begin, file, layout, losses))
        if place < len(lines):
            cells = _cut([lines[place]], layout.separator, file.quoted)[0]
            found = layout_of(cells, layout.separator)
            if found is not None and found.names != layout.names:
                layout = replace(
                    found, comma_in_time=layout.comma_in_time, head_line=layout.head_line
                )
            else:
                losses.add("the head again", [line + place])
        begin = place + 1


def _is_row(text: str, separator: str) -> bool:
    """Whether a line has several cells, and does not only name the separator of a spreadsheet."""
    return separator in text and not text.lstrip("\ufeff#").startswith("sep=")


def _heads(block: str, layout: Layout) -> list[int]:
    words = {
        *("utilization.gpu", "power.draw"),
        *(layout.names[n] for n in (layout.use, layout.power) if n is not None),
    }
    if not any(word in block for word in words):
        return []
    return [
        n
        for n, line in enumerate(block.split("\n"))
        if any(word in line for word in words)
        and layout_of(line.split(layout.separator), layout.separator) is not None
    ]


def _columns(
    block: str, line: int, file: _File, layout: Layout, losses: Losses
) -> tuple[NDArray[np.int64], dict[int, Texts]]:
    """The cells that are needed, column by column, of the rows that have as many as the head."""
    needed = [layout.time, layout.use, layout.power, *layout.device]
    if not block.strip():
        return np.zeros(0, np.int64), {place: np.zeros(0, object) for place in needed if place}
    places = sorted({place for place in needed if place is not None})
    # the cells behind a stamp that takes two of them stand one further
    of_row = {p: p + (layout.comma_in_time and p > (layout.time or 0)) for p in places}
    if file.quoted:
        rows = [*csv.reader(block.split("\n"), delimiter=layout.separator, skipinitialspace=True)]
        counts = np.array([len(row) for row in rows], np.int64)
        blank = np.array([not any(row) for row in rows], bool)
    else:
        counts, blank = _counts(block, layout.separator)
    lines = line + np.arange(len(counts))
    whole = (counts == layout.cells) & ~blank
    ended = block.endswith("\n")
    if not whole.all():
        less = (counts < layout.cells) & ~blank
        if not ended and less[-1]:
            losses.add("the last row cut off", lines[-1:])
            less[-1] = False
        losses.add("fewer cells than the head", lines[less])
        losses.add("more cells than the head", lines[(counts > layout.cells) & ~blank])
    if not ended and whole[-1] and _is_cut(block, layout):
        losses.add("the last row cut off", lines[-1:])
        whole[-1] = False
    if file.quoted:
        kept = [row for row, good in zip(rows, whole, strict=True) if good]
        columns = {p: np.array([row[n] for row in kept], object) for p, n in of_row.items()}
    else:
        columns = _parsed(block, whole, of_row, layout)
    if layout.comma_in_time and layout.time is not None:
        rest = (
            _parsed(block, whole, {-1: layout.time + 1}, layout)[-1]
            if not file.quoted
            else np.array([row[layout.time + 1] for row in kept], object)
        )
        columns[layout.time] = columns[layout.time] + "." + rest
    return lines[whole], columns


def _counts(block: str, separator: str) -> tuple[NDArray[np.int64], Mask]:
    """How many cells each line has, and which lines are blank."""
    # the separators and the end of a line are one byte each, wherever the rest is more
    data = np.frombuffer(block.encode("utf-8", "surrogatepass"), np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    if not block.endswith("\n"):
        ends = np.append(ends, len(data))
    separators = np.searchsorted(np.flatnonzero(data == ord(separator)), ends)
    counts = np.diff(separators, prepend=0) + 1
    lengths = np.diff(ends, prepend=-1) - 1
    blank = lengths == 0
    for n in np.flatnonzero((counts == 1) & ~blank & (lengths < 100)):
        begin = 0 if n == 0 else ends[n - 1] + 1
        blank[n] = not data[begin : ends[n]].tobytes().strip()
    return counts, blank


def _is_cut(block: str, layout: Layout) -> bool:
    """Whether the last cell lacks the unit that the one above it has."""
    *above, last = block.rstrip("\n").rsplit("\n", 2)[-2:]
    ends = [line.rpartition(layout.separator)[2].strip() for line in (*above, last)]
    return (
        len(ends) == 2
        and not is_missing(ends[0])
        and (bool(re.search(r"[%A-Za-z]$", ends[0])) != bool(re.search(r"[%A-Za-z]$", ends[1])))
    )


def _parsed(block: str, whole: Mask, of_row: Mapping[int, int], layout: Layout) -> dict[int, Texts]:
    import pandas as pd

    if not whole.all():
        lines = block.split("\n")
        block = "\n".join(lines[n] for n in np.flatnonzero(whole))
    if not block:
        return {place: np.zeros(0, object) for place in of_row}
    table = pd.read_csv(
        StringIO(block),
        sep=layout.separator,
        header=None,
        names=range(layout.cells),
        usecols=sorted(of_row.values()),
        dtype=object,
        quoting=csv.QUOTE_NONE,
        skipinitialspace=True,
        na_filter=False,
        index_col=False,
        skip_blank_lines=False,
        low_memory=False,
    )
    return {place: table[n].to_numpy() for place, n in of_row.items()}


def _take(
    file: _File,
    layout: Layout,
    readers: tuple[Reader, Reader],
    lines: NDArray[np.int64],
    columns: dict[int, Texts],
    log: Log,
    losses: Losses,
    *,
    several: bool,
) -> int:
    """Take rows into the log; how many were used."""
    count = len(lines)
    if not count:
        return 0
    good = np.ones(count, bool)
    times: Moments | None = None
    if layout.time is not None and log.begin is not None:
        times = file.clock.moments(columns[layout.time])
        good = times != NO_MOMENT
        if not good.all():
            losses.add("a moment that is none, or not from 2000 to 2099", lines[~good])
    elif log.begin is not None:
        losses.add("no moment, beside others that have one", lines)
        return 0
    numbers: list[Numbers] = []
    lacking: list[dict[str, Mask]] = []
    for reader, place in zip(readers, (layout.use, layout.power), strict=True):
        if place is None:
            numbers.append(np.full(count, np.nan))
            lacking.append({})
        else:
            values, why = reader.numbers(columns[place])
            numbers.append(values)
            lacking.append(why)
    use, power = numbers
    neither = good & np.isnan(use) & np.isnan(power)
    if neither.any():
        for reason, without in (lacking[0] or lacking[1]).items():
            losses.add(reason, lines[neither & without])
        good &= ~neither
    for values, of_one in zip(numbers, lacking, strict=True):
        for reason, without in of_one.items():
            if is_fault(reason):
                losses.add_cells(reason, lines[good & np.isnan(values) & without])
    if not good.all():
        lines, use, power = lines[good], use[good], power[good]
        times = times[good] if times is not None else None
    used = 0
    if times is not None:
        log.saw(times, file.machine)
    for device, rows in _by_device(file, layout, columns, good, len(lines), several=several):
        kept = log.add(device, times[rows] if times is not None else None, use[rows], power[rows])
        losses.add("a moment before that of a row above it", lines[rows][~kept])
        used += int(kept.sum())
    return used


def _by_device(
    file: _File,
    layout: Layout,
    columns: dict[int, Texts],
    good: Mask,
    count: int,
    *,
    several: bool,
) -> Iterator[tuple[Device, NDArray[np.int64]]]:
    """Each GPU with its rows, in the order in which the GPUs come."""
    import pandas as pd

    if not count:
        return
    code = np.zeros(count, np.int64)
    for place in layout.device:
        codes, unique = pd.factorize(columns[place][good])
        code = pd.factorize(code * len(unique) + codes)[0]
    order = np.argsort(code, kind="stable")
    edges = np.flatnonzero(np.diff(code[order])) + 1
    for rows in np.split(order, edges):
        cells = {place: columns[place][good][rows[0]].strip() for place in layout.device}
        yield _device(file, layout, cells, several=several), rows


def _device(file: _File, layout: Layout, cells: Mapping[int, str], *, several: bool) -> Device:
    def cell(place: int | None) -> str:
        text = cells.get(place, "") if place is not None else ""
        return "" if is_missing(text) else text

    gpu, name, host = cell(layout.gpu), cell(layout.name), cell(layout.host)
    index = cell(layout.index)
    if not name and gpu and layout.gpu == layout.index and not gpu.isdecimal():
        # a column gpu may hold what card it is
        name = gpu if re.search(r"[A-Za-z].*\d", gpu) else ""
    own = layout.gpu_is_unique and gpu
    machine = host or (file.path.name if several else "")
    identity = gpu if own else "\n".join((host or str(file.machine), gpu, name))
    label = index or gpu or name or "the GPU"
    mig = cell(layout.mig).casefold() == "enabled" or gpu.startswith("MIG-") or " MIG " in name
    return Device(
        identity=identity,
        label=f"{label} on {machine}" if machine else label,
        name=name,
        hint=cell(layout.memory),
        doubt=CUT_BY_MIG if mig else None,
        is_known=layout.gpu is not None or layout.time is None,
    )


KIND = Kind("a log of nvidia-smi (use and power of GPUs)", recognises, read)
