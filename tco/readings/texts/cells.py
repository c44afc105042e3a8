"""What a cell means: a number with its unit, or a moment, by whichever convention it is written.

A number or a date that can be read in two ways is refused with both readings; it is never guessed.

>>> place = Place("prices.csv", 2, "price")
>>> number("$1,234.50", place, DOLLARS), number("45 %", place, PERCENT), number("[N/A]", place)
(1234.5, 45.0, None)
>>> moment("2026/06/29 10:00:00.250", place)
datetime.datetime(2026, 6, 29, 10, 0, 0, 250000)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from functools import lru_cache
from typing import Generic, Literal, TypeVar

from tco.readings.reading import ReadingError

EVERY_MOMENT = 10**20
"""No moment is so many nanoseconds, or more, after 1970."""
LARGEST_EXPONENT = 300
LONGEST_NUMBER = 60
"""Characters of a number with its unit; a longer text is none."""

PERCENT = {"%": 1.0}
"""The unit of 45 %, read as 45."""
DOLLARS = {"$": 1.0, "US$": 1.0, "USD": 1.0, "usd": 1.0}
WATTS = {"W": 1.0, "kW": 1e3, "mW": 1e-3}
MEBIBYTES = {"MiB": 1.0, "GiB": 1024.0}
NO_UNIT: Mapping[str, float] = {}

MISSING = frozenset({"", "-", "--", "n/a", "na", "#n/a", "nan", "null", "none"})
"""Texts, in small letters, that say that there is no value; so does anything in [brackets]."""

Value = TypeVar("Value", Decimal, datetime)


@dataclass(frozen=True)
class Place:
    """Where a text stands: the file, the line and the column or key."""

    file: str
    line: int | None = None
    field: str | None = None

    def refused(self, found: str, expected: str, next_step: str) -> ReadingError:
        """The error of a text found here."""
        return ReadingError(self.file, self.line, self.field, found, expected, next_step)


@dataclass(frozen=True)
class Meanings(Generic[Value]):
    """What a text means by the one convention and by the other; None where it means nothing.

    Of a number: with a decimal point, with a decimal comma. Of a date: with the day first, with
    the month first.
    """

    first: Value | None
    second: Value | None

    @property
    def side(self) -> Literal[0, 1] | None:
        """The one convention by which it can be read; None if it does not matter or both do."""
        if self.first == self.second or (self.first is not None and self.second is not None):
            return None
        return 0 if self.second is None else 1

    @property
    def ambiguous(self) -> bool:
        """Whether the conventions read different things."""
        return self.first is not None and self.second is not None and self.first != self.second


@dataclass(frozen=True)
class _Quantity:
    before: str
    after: str
    meanings: Meanings[Decimal]


_POINT = re.compile(r"(?:\d+|[1-9]\d{0,2}([, '])\d{3}(?:\1\d{3})*)?(?:\.\d*)?", re.ASCII)
_COMMA = re.compile(r"(?:\d+|[1-9]\d{0,2}([. '])\d{3}(?:\1\d{3})*)?(?:,\d*)?", re.ASCII)
_QUANTITY = re.compile(
    r"(?P<sign>[+-]?) ?(?P<before>[^\d.,'() +-]*) ?(?P<inner>[+-]?)"
    r"(?P<body>[.,]?\d(?:[\d.,]|[ '](?=\d))*)(?P<exponent>[eE][+-]?\d{1,4}(?![\d.,]))?"
    r" ?(?P<after>[^\d()+-][^()]*|)",
    re.ASCII,
)
_ORDINARY = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_ORDINARY |= dict.fromkeys(map(ord, "\u00a0\u202f\u2009\u2007\u3000\t"), ord(" "))
_ORDINARY |= dict.fromkeys(map(ord, "’ʼ‘"), ord("'"))
_ORDINARY |= {ord("\u2212"): ord("-")}


def ordinary(text: str) -> str:
    """The text without spaces around it; full-width signs, special spaces and minus made plain."""
    text = text.strip()
    return text if text.isascii() else text.translate(_ORDINARY).strip()


def is_missing(text: str) -> bool:
    """Whether a cell says that there is no value: empty, ``-``, ``N/A``, ``NaN``, ``[...]``."""
    plain = ordinary(text).casefold()
    return plain in MISSING or re.fullmatch(r"\[[^\d\]]*\]", plain) is not None


def quantity_of(text: str) -> _Quantity | None:
    """A number with its unit, by both conventions; None if it is no number by either."""
    # a log repeats the same cells; a text that is longer than any number is not kept
    return _quantity(text) if len(text) <= LONGEST_NUMBER else None


@lru_cache(4096)
def _quantity(text: str) -> _Quantity | None:
    plain = ordinary(text)
    negative = plain.startswith("(") and plain.endswith(")")
    match = _QUANTITY.fullmatch(plain[1:-1].strip() if negative else plain)
    if not match:
        return None
    signs = match["sign"] + match["inner"]
    if len(signs) + negative > 1:
        return None
    exponent = match["exponent"] or ""

    def by(convention: re.Pattern[str], decimal_sign: str) -> Decimal | None:
        found = convention.fullmatch(match["body"])
        # 1.234E+05 is scientific: nobody groups the digits before an exponent
        if not found or (found[1] and exponent):
            return None
        digits = "".join(d for d in match["body"] if d not in ".,' " or d == decimal_sign)
        sign = "-" if negative or "-" in signs else ""
        return Decimal(sign + digits.replace(",", ".") + exponent)

    meanings = Meanings(by(_POINT, "."), by(_COMMA, ","))
    if meanings.first is None and meanings.second is None:
        return None
    return _Quantity(match["before"], match["after"].strip(), meanings)


def in_unit(
    text: str, place: Place, units: Mapping[str, float]
) -> tuple[Meanings[Decimal], float] | None:
    """The meanings of a text in the units a caller takes, with the factor of its unit."""
    if is_missing(text):
        return None
    quantity = None if ordinary(text).startswith("#") else quantity_of(text)
    takes = "a number" + (f", bare or in {' or '.join(units)}" if units else " without a unit")
    if quantity is None:
        raise place.refused(f'"{short(text)}"', takes, _next_for(text))
    factor = 1.0
    for unit in filter(None, (quantity.before, quantity.after)):
        if unit not in units:
            raise place.refused(
                f'"{short(text)}"; {short(unit)} is not a unit that is known here',
                takes,
                "write the number in that unit, or leave the unit out if it is the one expected",
            )
        factor *= units[unit]
    return quantity.meanings, factor


def _next_for(text: str) -> str:
    if ordinary(text).startswith("#"):
        return "a formula of a spreadsheet failed here: mend it or empty the cell, and save again"
    if ordinary(text).casefold().lstrip("+-") in ("inf", "infinity"):
        return "an infinite value is no measurement: empty the cell or leave the row out"
    return "write a number such as 1234.5, or empty the cell if there is none"


def decimal(value: object, place: Place, units: Mapping[str, float] = NO_UNIT) -> Decimal | None:
    """The exact number that a value of JSON or a text of a program means; None if it has none.

    A text has a decimal point, as programs write it. ``units`` are those it may carry, with what
    each multiplies by. Raises ``ReadingError`` for anything else: true, a list, infinity, a text
    that is no number, a unit that is not taken.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, float) and math.isfinite(value):
        return Decimal(repr(value))
    if not isinstance(value, str):
        raise place.refused(short(repr(value)), "a number", "write a number such as 1234.5")
    found = in_unit(value, place, units)
    if found is None:
        return None
    meanings, factor = found
    if meanings.first is None:
        raise place.refused(
            f'"{short(value)}"', "a number with a decimal point", "write 1234.5, not 1234,5"
        )
    return times(meanings.first, factor)


def number(value: object, place: Place, units: Mapping[str, float] = NO_UNIT) -> float | None:
    """As ``decimal``, as a float. Raises ``ReadingError`` if it is too large for one."""
    return as_float(decimal(value, place, units), place)


def times(amount: Decimal, factor: float) -> Decimal:
    """An amount in the unit it is expected in, exact."""
    return amount if factor == 1 else amount * Decimal(repr(factor))


def as_float(amount: Decimal | None, place: Place) -> float | None:
    """An amount as a float. Raises ``ReadingError`` for a size that no float has."""
    if amount is None:
        return None
    if amount and abs(amount.adjusted()) > LARGEST_EXPONENT:
        raise place.refused(
            f"a number of the size 1e{amount.adjusted()}",
            f"a number between 1e-{LARGEST_EXPONENT} and 1e{LARGEST_EXPONENT}",
            "empty the cell or leave the row out",
        )
    return float(amount)


_TIME = (
    r"(?:(?:T|,? +|-)(?P<hour>\d{1,2}):(?P<minute>\d{2})"
    r"(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,12}))?)?"
    r" ?(?P<half>[AaPp]\.?[Mm]\.?)?"
    r" ?(?P<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?(?: UTC)?)?)?"
)
_YEAR_FIRST = re.compile(
    r"(?P<year>\d{4})(?P<between>[-/.])(?P<month>\d{1,2})(?P=between)(?P<day>\d{1,2})" + _TIME,
    re.ASCII,
)
_YEAR_LAST = re.compile(
    r"(?P<one>\d{1,2})(?P<between>[-/.])(?P<two>\d{1,2})(?P=between)(?P<year>\d{4})" + _TIME,
    re.ASCII,
)
_COMPACT = re.compile(
    r"(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})"
    r"(?:[-T_](?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})(?P<zone>Z)?)?",
    re.ASCII,
)
_NAMED = re.compile(
    r"(?:(?P<day>\d{1,2})[ -](?P<name>[A-Za-z]{3,9})\.?,?|"
    r"(?P<name_first>[A-Za-z]{3,9})\.? (?P<day_second>\d{1,2}),?)[ -](?P<year>\d{4})" + _TIME,
    re.ASCII,
)
_EPOCH = re.compile(r"\d{9,19}(?:\.\d*)?", re.ASCII)
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)

YEARS = range(1990, 2100)
"""The years that a measurement or a price can be of."""
# their ends, in seconds since 1970
_EARLIEST, _LATEST = 631_152_000, 4_102_444_800
_SERIAL = re.compile(r"\d{5}(?:[.,]\d*)?", re.ASCII)
_SERIAL_BEGIN = datetime(1899, 12, 30)


def moment(value: object, place: Place) -> datetime | None:
    """The moment that a text or a number means, with its zone if it states one; None if missing.

    Read: ISO 8601 to the nanosecond (cut to the microsecond), ``2026/06/29 10:00:00.250``,
    ``29.06.2026 10:00``, ``13 April 2026``, ``April 13, 2026``, ``20260629-100000``, and seconds,
    milli-, micro- or nanoseconds since 1970 (UTC). Raises ``ReadingError`` for what is none of
    these, for ``03/04/2026``, which may be April or March, and for the day numbers of a
    spreadsheet, which begin in 1900 or in 1904.
    """
    if value is None:
        return None
    if isinstance(value, float) and math.isfinite(value):
        value = Decimal(repr(value))
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        within = -EVERY_MOMENT < value < EVERY_MOMENT
        value = f"{value:f}" if within else "a number beyond every calendar"
    if not isinstance(value, str):
        raise place.refused(short(repr(value)), "a date or time", "write it as 2026-06-29")
    meanings = moments(value, place)
    if meanings is None:
        return None
    if meanings.ambiguous:
        raise two_moments(value, meanings, place)
    return meanings.first if meanings.first is not None else meanings.second


def moments(text: str, place: Place) -> Meanings[datetime] | None:
    """A moment with the day first and with the month first; None if the cell says it has none."""
    if is_missing(text):
        return None
    plain = ordinary(text)
    try:
        meanings = dates_of(plain)
    except (ValueError, OverflowError):
        meanings = None
    if meanings is not None:
        return meanings
    if _SERIAL.fullmatch(plain):
        day = _SERIAL_BEGIN + timedelta(days=float(plain.replace(",", ".")))
        raise place.refused(
            f'"{plain}", a day number of a spreadsheet ({day:%Y-%m-%d} if it counts from 1900)',
            "a date and time",
            "format the column as yyyy-mm-dd hh:mm:ss in the spreadsheet and save it again",
        )
    raise place.refused(
        f'"{short(text)}"', "a date or time of the calendar", "write it as 2026-06-29 10:00:00"
    )


def dates_of(plain: str) -> Meanings[datetime] | None:
    """A moment with the day first and with the month first; None for a text of another shape.

    Raises ``ValueError`` for a text in the shape of one that is not in the calendar.
    """
    if match := _YEAR_FIRST.fullmatch(plain) or _COMPACT.fullmatch(plain):
        known = _moment(match, int(match["year"]), int(match["month"]), int(match["day"]))
        return Meanings(known, known)
    if match := _YEAR_LAST.fullmatch(plain):
        return _by_order(match)
    if match := _NAMED.fullmatch(plain):
        name = (match["name"] or match["name_first"]).casefold()
        months = [n for n, month in enumerate(_MONTHS, 1) if name in (month, month[:3])]
        if name == "sept":
            months = [9]
        if not months:
            return None
        day = int(match["day"] or match["day_second"])
        known = _moment(match, int(match["year"]), months[0], day)
        return Meanings(known, known)
    if _EPOCH.fullmatch(plain):
        seconds = Decimal(plain)
        while seconds > _LATEST:
            seconds /= 1000
        if seconds < _EARLIEST:
            return None
        whole = int(seconds)
        known = datetime.fromtimestamp(whole, UTC) + timedelta(
            microseconds=int((seconds - whole) * 1_000_000)
        )
        return Meanings(known, known)
    return None


def _by_order(match: re.Match[str]) -> Meanings[datetime] | None:
    one, two, year = int(match["one"]), int(match["two"]), int(match["year"])
    day_first = _moment(match, year, two, one) if two <= 12 else None
    # 03.04.2026 is the third of April wherever dates are written with points
    month_first = _moment(match, year, one, two) if one <= 12 and match["between"] != "." else None
    if match["between"] == "." and day_first is not None:
        return Meanings(day_first, day_first)
    if day_first is None and month_first is None:
        return None
    return Meanings(day_first, month_first)


def _moment(match: re.Match[str], year: int, month: int, day: int) -> datetime:
    """Raises ``ValueError`` for what is not in the calendar, on the clock or in these times."""
    if year not in YEARS:
        raise ValueError(year)
    parts = match.groupdict()
    hour = int(parts.get("hour") or 0)
    if half := parts.get("half"):
        if not 1 <= hour <= 12:
            raise ValueError(half)
        hour = hour % 12 + (12 if half.casefold().startswith("p") else 0)
    return datetime(
        year,
        month,
        day,
        hour,
        int(parts.get("minute") or 0),
        int(parts.get("second") or 0),
        int((parts.get("fraction") or "0")[:6].ljust(6, "0")),
        _zone(parts.get("zone")),
    )


@lru_cache(64)
def _zone(text: str | None) -> timezone | None:
    if not text:
        return None
    if text in ("Z", "UTC", "GMT"):
        return UTC
    digits = text.removesuffix(" UTC")[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text.startswith("-") else offset) if offset else UTC


def two_moments(text: str, meanings: Meanings[datetime], place: Place) -> ReadingError:
    """The error of a date that can be read in two ways."""
    return place.refused(
        f'"{short(text)}", which can be read in two ways',
        "a date that can be read in one way",
        f"write {meanings.first:%Y-%m-%d} if the day stands first, "
        f"{meanings.second:%Y-%m-%d} if the month does",
    )


def two_numbers(text: str, meanings: Meanings[Decimal], place: Place) -> ReadingError:
    """The error of a number that can be read in two ways."""
    assert meanings.first is not None
    assert meanings.second is not None
    # the lesser of the two reads the sign as the beginning of the decimals
    low, high = sorted((meanings.first, meanings.second), key=abs)
    sign = "point" if low == meanings.first else "comma"
    return place.refused(
        f'"{short(text)}", which can be read in two ways; no other cell of the file settles it',
        "a number that can be read in one way",
        f"write {low.normalize():f} if the {sign} begins the decimals, "
        f"{high:f} if it separates thousands",
    )


def short(text: str) -> str:
    """A text in at most 80 characters, for a message."""
    return text if len(text) <= 80 else text[:77] + "..."
