"""The values of one row of an export, of a table or of JSON, by name; wrong ones are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from operator import itemgetter
from pathlib import Path

from tco.readings.apis.api_sums import Use
from tco.readings.reading import Asked, Dropped
from tco.readings.texts import cells
from tco.readings.texts.cells import DOLLARS, YEARS, Place
from tco.readings.texts.json_values import begins_as_json, values
from tco.readings.texts.spreadsheet import Sheet

MOST_TOKENS = 10**15
MOST_MONEY = Decimal(10) ** 12


NO_COLUMNS: Mapping[str, str] = {}


class Fields:
    """The values of one row, of a table or of JSON, by name; wrong ones are refused.

    ``columns`` has the names of a table's columns as they stand there, by the names used here.
    """

    __slots__ = ("_columns", "_file", "_sheet", "line", "values")

    def __init__(
        self,
        values: Mapping[str, object],
        file: str,
        line: int,
        sheet: Sheet | None = None,
        columns: Mapping[str, str] = NO_COLUMNS,
    ) -> None:
        self.values = values
        self.line = line
        self._file = file
        self._sheet = sheet
        self._columns = columns

    def within(self, name: str) -> Fields:
        """The row inside the row, empty where there is none."""
        inner = self.values.get(name)
        return Fields(inner if isinstance(inner, Mapping) else {}, self._file, self.line)

    def place(self, name: str | None = None) -> Place:
        """Where a value stands."""
        return Place(self._file, self.line, name)

    @property
    def key(self) -> str:
        """What two rows have in common that are the same in every value."""
        return repr(sorted(self.values.items(), key=itemgetter(0)))

    def text(self, name: str) -> str:
        """A text, empty where there is none."""
        value = self.values.get(name)
        return value.strip() if isinstance(value, str) else "" if value is None else str(value)

    def true(self, name: str) -> bool:
        """Whether a flag is set: TRUE, true, 1. Raises ReadingError for what is no flag."""
        text = self.text(name).casefold()
        if text in ("true", "t", "yes", "1"):
            return True
        if text in ("", "false", "f", "no", "0", "none", "null"):
            return False
        raise self.place(name).refused(
            f'"{text[:60]}"', "true or false", "correct the cell, or export the file again"
        )

    def whole(self, name: str) -> int | None:
        """A number of tokens or requests, 59200 or 59200.0. Raises ReadingError below 0."""
        value = self.values.get(name)
        if value is None or value == "":
            return None
        # nearly all of them, in files of millions
        if type(value) is int and 0 <= value <= MOST_TOKENS:
            return value
        if isinstance(value, str) and len(value) < 16 and value.isascii() and value.isdigit():
            return int(value)
        number = self._decimal(name)
        if number is None:
            return None
        if not 0 <= number <= MOST_TOKENS or number != int(number):
            raise self.place(name).refused(
                plain(number), "a whole number of 0 or more", "correct or delete the row"
            )
        return int(number)

    def amount(self, name: str) -> Decimal | None:
        """An amount of money, exact; below 0 it is a credit."""
        number = self._decimal(name)
        if number is not None and not abs(number) < MOST_MONEY:
            raise self.place(name).refused(
                plain(number), "an amount below 1,000,000,000,000", "correct or delete the row"
            )
        return number

    def moment(self, name: str) -> datetime | None:
        """A moment in UTC. One that states no zone is taken to be UTC."""
        value = self.values.get(name)
        found = _iso(value) if isinstance(value, str) else None
        if found is None:
            if isinstance(value, Decimal):
                value = str(value)
            found = (
                self._sheet.moment(value, self._columns[name], self.line)
                if self._sheet and isinstance(value, str)
                else cells.moment(value, self.place(name))
            )
        if found is None:
            return None
        if found.year not in YEARS:
            raise self.place(name).refused(
                f'"{value}"', "a time from 1990 to 2099", "correct or delete the row"
            )
        return found if found.tzinfo is None else found.astimezone(UTC).replace(tzinfo=None)

    def day(self, name: str) -> date | None:
        """The day of a moment in UTC."""
        found = self.moment(name)
        return found.date() if found else None

    def need_day(self, *names: str) -> date:
        """The day under the first of the names that has one. Raises ReadingError if none has."""
        for name in names:
            found = self.day(name)
            if found:
                return found
        raise self.place(names[0]).refused(
            "no day", "the day of the use, as 2026-06-29", "export the file again"
        )

    def _decimal(self, name: str) -> Decimal | None:
        value = self.values.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, Decimal):
            if value.is_finite():
                return value
            raise self.place(name).refused(str(value), "a number", "correct or delete the row")
        if self._sheet and isinstance(value, str):
            return self._sheet.decimal(value, self._columns[name], self.line, DOLLARS)
        return cells.decimal(value, self.place(name), DOLLARS)


def _iso(text: str) -> datetime | None:
    if len(text) < 10 or text[4] != "-":
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def table_rows(sheet: Sheet) -> Iterator[Fields]:
    """The rows of a table, by the names of its columns in small letters."""
    columns = {name.casefold(): name for name in sheet.columns}
    in_small = all(name == own for name, own in columns.items())
    file = str(sheet.path)
    for row in sheet.rows():
        values = row.cells if in_small else {n.casefold(): cell for n, cell in row.cells.items()}
        yield Fields(values, file, row.line, sheet, columns)


def plain(number: Decimal) -> str:
    """A number with its digits in groups; one of very many digits by its size."""
    if abs(number.adjusted()) > 30:
        return f"{number:.3e}"
    return f"{number.normalize():,f}"


def take_exports(
    paths: Sequence[Path],
    asked: Asked,
    use: Use,
    read_page: Callable[[object, Place, Use], None],
    read_table: Callable[[Sheet, Use], tuple[Dropped, ...]],
) -> list[Dropped]:
    """The files of a provider taken into its use: answers of an API by pages, exports by tables.

    Gives the rows that the tables leave out.
    """
    dropped: list[Dropped] = []
    for path in paths:
        if begins_as_json(path):
            for line, value in values(path, asked.progress):
                read_page(value, Place(str(path), line), use)
        else:
            dropped += read_table(Sheet(path, asked), use)
    return dropped


def buckets_of(value: object, place: Place, use: Use, page_of: str) -> list[object]:
    """The buckets of a page of an API, or a bucket that stands alone; whether more pages follow
    is told.

    Raises ReadingError for JSON that has neither.
    """
    page = value if isinstance(value, Mapping) else {}
    entries = page.get("data")
    # a bucket alone, as a list of buckets or one on each line has them
    buckets = entries if isinstance(entries, list) else [page] if "results" in page else None
    if buckets is None:
        raise place.refused(
            "JSON without data or results",
            f"a page of {page_of}, with buckets under data",
            "save the whole answer of the API",
        )
    if page.get("has_more") is True:
        use.warn(
            "the file says that more pages follow: give every page, all files together", rows=0
        )
    return buckets


def has_costs(bucket: object) -> bool:
    """Whether a bucket holds amounts of money."""
    results = bucket.get("results") if isinstance(bucket, Mapping) else None
    return isinstance(results, list) and any(
        isinstance(result, Mapping) and "amount" in result for result in results
    )
