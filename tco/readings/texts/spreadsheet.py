"""Delimited text as programs write it and as spreadsheets save it again, read row by row.

A number or a date that can be read in two ways is settled by the other cells of the file, or
refused with both readings; it is never guessed. The free functions ``number``, ``decimal`` and
``moment`` read the values of JSON.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Generic, Literal

from tco.readings.reading import Asked, Dropped, ReadingError
from tco.readings.texts.cells import (
    DOLLARS,
    MEBIBYTES,
    NO_UNIT,
    PERCENT,
    WATTS,
    Meanings,
    Place,
    Value,
    as_float,
    dates_of,
    decimal,
    in_unit,
    is_missing,
    moment,
    moments,
    number,
    ordinary,
    quantity_of,
    short,
    times,
    two_moments,
    two_numbers,
)

__all__ = [
    "DOLLARS",
    "MEBIBYTES",
    "PERCENT",
    "WATTS",
    "Place",
    "Row",
    "Sheet",
    "decimal",
    "is_missing",
    "moment",
    "number",
    "raw_rows",
]

SEPARATORS = "\t|;,"
"""In the order of preference: what is rare in texts is a separator where it divides all rows."""

LONGEST_LINE = 1 << 20
"""Characters of a line, and of a cell in quotes, that are read before the file is refused."""

LINES_COMPARED = 20
ROWS_COMPARED = 10_000
PROGRESS_ROWS = 1_000
LONGEST_KEPT = 60
MOST_KEPT = 20_000
"""Cells, and minutes, whose meaning is kept for the next row that has the same."""

# one global limit of the csv module, smaller than a cell with a long prompt in it
csv.field_size_limit(LONGEST_LINE)


@dataclass(frozen=True)
class Row:
    """A row under the head: the line it begins on, its cells by the names of their columns."""

    line: int
    cells: Mapping[str, str]


def lines_of(path: Path, asked: Asked) -> Iterator[str]:
    """The lines of a text file with their ends, UTF-8 or UTF-16 with its mark.

    Raises ``ReadingError`` for a file that cannot be opened, for another encoding or no text (with
    the line of the first byte that is wrong) and for a line of more than 1,048,576 characters.
    """
    place = Place(str(path))
    count = 0
    try:
        with path.open("rb") as stream:
            total = path.stat().st_size
            mark = stream.read(3)
            stream.seek(3 if mark == b"\xef\xbb\xbf" else 0)
            encoding = "utf-16" if mark[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
            errors = "strict" if encoding == "utf-16" else "surrogateescape"
            with TextIOWrapper(stream, encoding, errors, newline="") as text:
                while line := text.readline(LONGEST_LINE + 1):
                    count += 1
                    _check(line, Place(str(path), count))
                    if count % PROGRESS_ROWS == 0:
                        asked.progress(stream.tell(), total)
                    yield line
            asked.progress(total, total)
    except UnicodeDecodeError as error:
        raise Place(str(path), count + 1).refused(
            "text that begins as UTF-16 and does not go on so", "UTF-8, or UTF-16", _SAVE_AS_UTF_8
        ) from error
    except OSError as error:
        raise place.refused(
            error.strerror or "it cannot be opened", "a file that can be read", "check the path"
        ) from error


_SAVE_AS_UTF_8 = 'save it again as UTF-8 (in a spreadsheet: "CSV UTF-8")'
_NOT_UTF_8 = re.compile("[\udc80-\udcff]")


def _check(line: str, place: Place) -> None:
    if len(line) > LONGEST_LINE:
        raise place.refused(
            f"a line of more than {LONGEST_LINE:,} characters",
            "rows of a table, each on a line",
            "check that this is the file you mean",
        )
    if "\0" in line:
        raise place.refused(
            "bytes of zero: no text, or UTF-16 without its mark", "UTF-8", _SAVE_AS_UTF_8
        )
    if not line.isascii() and (match := _NOT_UTF_8.search(line)):
        raise place.refused(
            f"the byte 0x{ord(match[0]) - 0xDC00:02X}, which is not UTF-8", "UTF-8", _SAVE_AS_UTF_8
        )


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return []


def separator_of(lines: Sequence[str]) -> str:
    """What divides most of these lines into as many cells as the first; the comma if nothing does.

    >>> separator_of(["time;power", "10:00;298,48", "10:01;301,02"])
    ';'
    """
    best, most = ",", 0
    for separator in SEPARATORS:
        widths = [len(_cells(line, separator)) for line in lines if line.strip()]
        same = sum(width == widths[0] for width in widths) if widths and widths[0] > 1 else 0
        if same > most:
            best, most = separator, same
    return best


_SEP_LINE = re.compile(r'"?sep=(.)"?[,;\t|]*\s*', re.IGNORECASE)


def raw_rows(path: Path, asked: Asked) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line it begins on, its cells stripped; an empty line is a row of none.

    For a file of more than one table. The separator is the one the first lines agree on, or the
    one that a first line ``sep=;`` names. Raises ``ReadingError`` as ``lines_of`` does, and for
    quotes that are not closed.
    """
    yield from ((line, cells) for line, cells, _ in _divided(path, asked))


def _divided(path: Path, asked: Asked) -> Iterator[tuple[int, list[str], bool]]:
    """Line, cells and whether the row ends with the end of a line."""
    lines = lines_of(path, asked)
    first = list(islice(lines, LINES_COMPARED))
    skipped = 0
    if first and (match := _SEP_LINE.fullmatch(first[0])):
        separator, skipped = match[1], 1
        del first[0]
    else:
        separator = separator_of(first)
    # a program that divides by | does not quote: a quote in a name is a part of it
    plain = separator == "|" and bool(first) and '"' not in first[0]
    ended = True

    def all_lines() -> Iterator[str]:
        nonlocal ended
        for source in (first, lines):
            for line in source:
                ended = line.endswith(("\n", "\r"))
                yield line

    reader = csv.reader(
        all_lines(),
        delimiter=separator,
        quoting=csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL,
        skipinitialspace=True,
        strict=True,
    )
    begin = skipped + 1
    try:
        for cells in reader:
            yield begin, [cell.strip() for cell in cells], ended
            begin = reader.line_num + skipped + 1
    except csv.Error as error:
        last = reader.line_num + skipped
        if "end of data" in str(error) and last == begin:
            # the file ends inside a cell of its last line: a row that is cut off
            yield begin, [], False
            return
        raise Place(str(path), begin).refused(
            f"a cell in quotes that is not closed properly (up to line {last})",
            'quotes around a whole cell, and "" for a quote inside it',
            "mend the quotes of that row, or save the file again",
        ) from error


_CLOCK = re.compile(
    r"(\d[\d/.-]{7,9}[ T]\d{1,2}:\d{2}):([0-5]\d)(?:[.,](\d{1,6})\d{0,6})?"
    r"(Z|[+-]\d{2}:?\d{2})?",
    re.ASCII,
)
"""A moment by a clock of 24 hours, in four parts: up to the minute, second, fraction, zone."""


class Sheet:
    """A table in a text file: its columns, its rows one by one, and what its cells mean.

    ``columns`` are the names of the head as they stand, stripped; with ``columns`` given, the file
    has no head. Names in a file that ends its rows with a separator are those before it. The file
    is read anew by each ``rows()``, in memory that does not grow with it.

    Raises ``ReadingError`` for a file without a row, a head that names a column twice, and as
    ``lines_of``.
    """

    def __init__(self, path: Path, asked: Asked, columns: Sequence[str] | None = None) -> None:
        self.path = path
        self.asked = asked
        self.ragged = 0
        self.repeated_heads = 0
        self._has_head = columns is None
        self._first_ragged: tuple[int, int] | None = None
        self._first_repeated: int | None = None
        self._cut_line: int | None = None
        self._settled: dict[str | None, _Evidence] = {}
        self._numbers: dict[tuple[str, str], tuple[Mapping[str, float], float | None]] = {}
        self._minutes: dict[tuple[str, str, str], datetime] = {}
        if columns is None:
            silent = Asked()
            head = next((cells for _, cells in raw_rows(path, silent) if any(cells)), None)
            if head is None:
                raise self.place().refused(
                    "no row at all" if path.stat().st_size else "an empty file",
                    "a head with the names of the columns, and rows under it",
                    "export the file again, or check that this is the file you mean",
                )
            while not head[-1]:
                head.pop()
            columns = head
        self.columns = tuple(columns)
        for n, name in enumerate(self.columns):
            if name and name in self.columns[:n]:
                raise self.place(column=name).refused(
                    f"two columns of the name {short(name)}",
                    "each column once",
                    "delete or rename one of them",
                )

    def place(self, line: int | None = None, column: str | None = None) -> Place:
        """A place in this file."""
        return Place(str(self.path), line, column)

    def column(self, *names: str) -> str | None:
        """The first of these names that the head has, as it stands there; letters in any case."""
        own = {name.casefold(): name for name in reversed(self.columns)}
        return next((own[name.casefold()] for name in names if name.casefold() in own), None)

    def need(self, *names: str) -> str:
        """As ``column``. Raises ``ReadingError`` if the head has none of them."""
        found = self.column(*names)
        if found is None:
            raise self.place(column=names[0]).refused(
                "columns " + short(", ".join(self.columns)),
                f"a column {' or '.join(names)}",
                "export the file with that column",
            )
        return found

    def rows(self) -> Iterator[Row]:
        """The rows under the head that have a cell for each column.

        Rows of blanks are passed over. Left out and counted (``dropped``): the head again, rows
        with more or fewer cells than the head, a last row that is cut off. Raises ``ReadingError``
        when every row has another number of cells than the head, and for another head among the
        rows.
        """
        self.ragged = self.repeated_heads = 0
        self._first_ragged = self._first_repeated = self._cut_line = None
        names, places = frozenset(self.columns), len(self.columns)
        used, is_head = 0, self._has_head
        for line, cells, ended in _divided(self.path, self.asked):
            if not any(cells):
                # a row cut off inside quotes has no cells, and no end
                if not cells and not ended:
                    self._cut_line = line
                continue
            if is_head:
                is_head = False
                continue
            while len(cells) > places and not cells[-1]:
                cells.pop()
            if cells[0] in names and self._has_head and self._is_head(cells, line):
                continue
            if len(cells) == places:
                used += 1
                yield Row(line, dict(zip(self.columns, cells, strict=True)))
            elif not ended and len(cells) < places:
                self._cut_line = line
            else:
                self.ragged += 1
                self._first_ragged = self._first_ragged or (line, len(cells))
        if self.ragged and not used:
            assert self._first_ragged
            line, found = self._first_ragged
            raise self.place(line).refused(
                f"{found} cell{'s' * (found != 1)} under {places} names, and no row has {places}",
                "as many cells as the head has names",
                "the head and the rows are of different versions: export the file again",
            )

    def _is_head(self, cells: list[str], line: int) -> bool:
        if tuple(cells) == self.columns:
            self.repeated_heads += 1
            self._first_repeated = self._first_repeated or line
            return True
        known = sum(cell in self.columns for cell in cells if cell)
        if known > 2 and known * 2 > len(self.columns):
            raise self.place(line).refused(
                f"another head: {short(', '.join(cells))}",
                f"the head of the first line, {short(', '.join(self.columns))}",
                "give each table as a file of its own",
            )
        return False

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What the last ``rows()`` left out and why, to be shown."""
        left_out = []
        if self.ragged and self._first_ragged:
            line, _ = self._first_ragged
            why = "another number of cells than the head"
            left_out.append(Dropped(why, self.ragged, line))
        if self.repeated_heads:
            left_out.append(Dropped("the head again", self.repeated_heads, self._first_repeated))
        if self._cut_line is not None:
            left_out.append(Dropped("the last row, which is cut off", 1, self._cut_line))
        return tuple(left_out)

    def number(
        self, text: str, column: str, line: int, units: Mapping[str, float] = NO_UNIT
    ) -> float | None:
        """The number in a cell of this file; None if it says that there is none (``MISSING``).

        ``units`` are those the cell may carry, before or after the number, and what each
        multiplies by: ``PERCENT`` reads 45 % as 45, ``WATTS`` 0.3 kW as 300. Read are 1,234.50 and
        1.234,50, groups divided by a space or an apostrophe, (5) as -5, full-width digits. Raises
        ``ReadingError`` for a text that is no number (infinity, ``#DIV/0!``), for a unit that is
        not taken, for a cell that follows another convention than the others of the file, and for
        one such as 1.000 that no other cell settles.
        """
        kept = self._numbers.get((text, column))
        # a log repeats the same cells, and what one of them means stays the same in a file
        if kept is not None and kept[0] is units:
            return kept[1]
        value = as_float(self.decimal(text, column, line, units), self.place(line, column))
        if len(text) <= LONGEST_KEPT and len(self._numbers) < MOST_KEPT:
            self._numbers[text, column] = units, value
        return value

    def decimal(
        self, text: str, column: str, line: int, units: Mapping[str, float] = NO_UNIT
    ) -> Decimal | None:
        """As ``number``, exact."""
        place = self.place(line, column)
        found = in_unit(text, place, units)
        if found is None:
            return None
        meanings, factor = found
        return times(self._settle(meanings, text, place, _NUMBERS), factor)

    def moment(self, text: str, column: str, line: int) -> datetime | None:
        """The moment in a cell, as ``moment``; the other cells of the column settle the order.

        Raises ``ReadingError`` for 03/04/2026 if no other cell of the column tells whether the day
        or the month stands first, for a cell of the other order, and as ``moment`` does.
        """
        clock = _CLOCK.fullmatch(text)
        if clock is None:
            return self._moment(text, column, line)
        # a log has many rows of the same minute
        minute, second, fraction, zone = clock.groups(default="")
        key = (minute, zone, column)
        begin = self._minutes.get(key)
        if begin is None:
            begin = self._moment(text, column, line)
            if begin is not None and len(self._minutes) < MOST_KEPT:
                self._minutes[key] = begin
            return begin
        return begin.replace(second=int(second), microsecond=int(fraction.ljust(6, "0")))

    def _moment(self, text: str, column: str, line: int) -> datetime | None:
        place = self.place(line, column)
        meanings = moments(text, place)
        return None if meanings is None else self._settle(meanings, text, place, _DATES)

    def _settle(
        self, meanings: Meanings[Value], text: str, place: Place, way: _Way[Value]
    ) -> Value:
        """The one meaning of a cell by the convention of the file (numbers) or column (dates)."""
        if meanings.first is not None and meanings.first == meanings.second:
            return meanings.first
        key = None if way.of_whole_file else place.field
        settled = self._settled.get(key)
        side = meanings.side
        if side is None:
            settled = settled or self._evidence(place.field, way)
            if settled is None:
                raise way.refuse(text, meanings, place)
            side = settled.side
        else:
            settled = settled or _Evidence(side, text, place.line, place.field)
        self._settled[key] = settled
        value = (meanings.first, meanings.second)[side]
        if value is None or settled.side != side:
            raise place.refused(
                f'"{short(text)}" ({way.names[side]}), after "{short(settled.text)}" '
                f"({way.names[settled.side]}) on line {settled.line}",
                f"one way of writing {way.what} in the whole "
                f"{'file' if way.of_whole_file else 'column'}",
                "write them all in one way; two files put together are read as two files",
            )
        return value

    def _evidence(self, column: str | None, way: _Way[Value]) -> _Evidence | None:
        """The first cell that settles the convention: of the column, else of all the others."""
        others: dict[Literal[0, 1], _Evidence] = {}
        rows = Sheet.__new__(Sheet)
        rows.__dict__.update(self.__dict__, asked=Asked())
        for n, row in enumerate(rows.rows(), 1):
            for name, text in row.cells.items():
                if name != column and (not way.of_whole_file or len(others) == 2):
                    continue
                side = way.side(text)
                if side is not None:
                    found = _Evidence(side, text, row.line, name)
                    if name == column:
                        return found
                    others.setdefault(side, found)
            if n % ROWS_COMPARED == 0 and len(others) == 1:
                break
        return next(iter(others.values())) if len(others) == 1 else None


@dataclass(frozen=True)
class _Evidence:
    """The cell by which a convention is settled."""

    side: Literal[0, 1]
    text: str
    line: int | None
    column: str | None


@dataclass(frozen=True)
class _Way(Generic[Value]):
    """A convention with two sides: how it is named, seen in a cell and refused."""

    what: str
    names: tuple[str, str]
    of_whole_file: bool
    side: Callable[[str], Literal[0, 1] | None]
    refuse: Callable[[str, Meanings[Value], Place], ReadingError]


def _number_side(text: str) -> Literal[0, 1] | None:
    quantity = quantity_of(text)
    # a longer text around it is a name with digits in it
    if quantity is None or len(quantity.before + quantity.after) > 4:
        return None
    return quantity.meanings.side


def _date_side(text: str) -> Literal[0, 1] | None:
    try:
        meanings = dates_of(ordinary(text))
    except (ValueError, OverflowError):
        return None
    return meanings.side if meanings else None


_NUMBERS: _Way[Decimal] = _Way(
    "numbers", ("a decimal point", "a decimal comma"), True, _number_side, two_numbers
)
_DATES: _Way[datetime] = _Way("dates", ("day first", "month first"), False, _date_side, two_moments)
