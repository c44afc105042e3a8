"""The reference rates of the European Central Bank: ``eurofxref.csv`` and its history.

Every rate is foreign units for one euro. A rate between two others is the quotient of theirs on
the same day: 7.9827 CNY and 1.1684 USD for one euro are 7.9827 / 1.1684 = 6.8322 CNY for one USD.
An entry holds the rate to the euro, ``{"value": 7.9827, "per": "EUR"}``; `rates_of` gives those
between any two, low and high too, which are not the quotients of the lows and highs to the euro.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from tco.readings.prices.offers import SHARES, LeftOut, six_digits, weighted_quantile
from tco.readings.reading import (
    Asked,
    Dropped,
    Entry,
    Head,
    Kind,
    Period,
    Reading,
    ReadingError,
    Source,
    Table,
)
from tco.readings.texts.spreadsheet import Row, Sheet

TITLE = "reference rates of the ECB (eurofxref)"
NEXT = "give eurofxref.csv or eurofxref-hist.csv of the European Central Bank"
EURO = "EUR"
SET_AT = time(16)
YEAR = timedelta(days=365)
REACHES_BACK = timedelta(days=358)
"""A history this long holds the year: no rates are set at weekends and on holidays."""
SMALL_UNITS = ("JPY", "KRW", "IDR")
"""Currencies of which one euro is always many."""
FIRST_SHOWN = ("USD", "CNY")
MOST_ROWS = 20
SMALLEST, LARGEST = Decimal("1e-6"), Decimal("1e9")
"""No currency has been so dear, or so cheap, for a euro."""


@dataclass(frozen=True)
class Rate:
    """Units of one currency for one of another on ``day``; low and high of the year before it.

    ``low`` and ``high`` are the P10 and the P90 of the ``days``, the rate itself taken in; None
    where the file does not hold a year.
    """

    value: float
    day: date
    low: float | None = None
    high: float | None = None
    days: int = 1


@dataclass(frozen=True)
class Rates:
    """The rates of the days of a year, in units for one euro."""

    days: Mapping[date, Mapping[str, Decimal]]
    dropped: tuple[Dropped, ...] = ()

    @cached_property
    def last_day(self) -> date:
        """The latest day."""
        return max(self.days)

    @property
    def currencies(self) -> tuple[str, ...]:
        """Those with a rate on the latest day, in the order of the file, and the euro."""
        return (EURO, *self.days[self.last_day])

    def rate(self, of: str, per: str = EURO) -> Rate:
        """How many units of a currency are one of another, on the latest day.

        Raises KeyError for a currency without a rate on that day.

        >>> day = date(2026, 4, 13)
        >>> rates = Rates({day: {"USD": Decimal("1.1684"), "CNY": Decimal("7.9827")}})
        >>> rates.rate("CNY", per="USD").value, rates.rate("USD").value
        (6.83216, 1.1684)
        """
        value = self._on(self.last_day, of, per)
        if value is None:
            raise KeyError(f"no rate of {of} for one {per} on {self.last_day}")
        exact = float(value) if per == EURO else six_digits(value)
        year = {day: rate for day in self.days if (rate := self._on(day, of, per)) is not None}
        if of == per or self.last_day - min(year) < REACHES_BACK:
            return Rate(exact, self.last_day)
        weights = [Fraction(1)] * len(year)
        low, high = (
            six_digits(weighted_quantile([*year.values()], weights, SHARES[share]))
            for share in ("P10", "P90")
        )
        # a scenario has no value outside its own low and high
        return Rate(exact, self.last_day, min(low, exact), max(high, exact), len(year))

    def _on(self, day: date, of: str, per: str) -> Decimal | None:
        above, below = (
            Decimal(1) if name == EURO else self.days[day].get(name) for name in (of, per)
        )
        return None if above is None or below is None else above / below


def recognises(head: Head) -> bool:
    """Whether the columns are a date and currencies, the dollar among them."""
    date_column, *currencies = head.columns or ("",)
    currencies = [name for name in currencies if name]
    return (
        date_column == "date"
        and "usd" in currencies
        and all(len(name) == len("usd") and name.isalpha() for name in currencies)
    )


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """The rates of the latest day.

    Raises ReadingError for a rate that is no number above 0, for two rates of one day that
    differ, and for euros for a foreign unit.
    """
    rates = rates_of(paths, asked)
    days = sorted(rates.days)
    by_currency = {of: rates.rate(of) for of in rates.currencies}
    yearly = next((rate.days for rate in by_currency.values() if rate.low is not None), None)
    missing = sorted({name for day in days for name in rates.days[day]} - by_currency.keys())
    return Reading(
        kind=TITLE,
        sources=tuple(Source.of(path) for path in paths),
        used=len(days),
        rows_are="days",
        dropped=rates.dropped,
        period=Period(
            datetime.combine(days[0], SET_AT),
            datetime.combine(days[-1], SET_AT),
            "the rates are set about 16:00 CET",
        ),
        entries=tuple(_entry(of, rate) for of, rate in by_currency.items()),
        tables=(_table(rates),),
        remarks=(
            f"the rates are those of {rates.last_day}, foreign units for one euro; none are set "
            "at weekends and on holidays",
            f"low and high: the P10 and the P90 of the {yearly} days of the year before it"
            if yearly
            else "low and high need a year of days: the file eurofxref-hist.csv has them",
            *(
                (f"no rate on {rates.last_day}, so none is written: {', '.join(missing)}",)
                if missing
                else ()
            ),
        ),
    )


def rates_of(paths: Sequence[Path], asked: Asked) -> Rates:
    """The rates of the latest day in the files and of the year before it.

    Raises ReadingError as `read` does.
    """
    left_out = LeftOut()
    rows: list[tuple[date, Sheet, Row]] = []
    for path in paths:
        sheet = Sheet(path, asked)
        column = sheet.need("Date")
        for row in sheet.rows():
            moment = sheet.moment(row.cells[column], column, row.line)
            if moment is None:
                left_out.add("no date", row.line)
            else:
                rows.append((moment.date(), sheet, row))
        for dropped in sheet.dropped:
            left_out.add(dropped.why, dropped.first_line, dropped.rows)
    latest = max((day for day, _, _ in rows), default=date.min)
    days: dict[date, dict[str, Decimal]] = {}
    for day, sheet, row in rows:
        if latest - day >= YEAR:
            left_out.add("more than a year before the latest day", row.line)
            continue
        of_day = days.setdefault(day, {})
        for name, rate in _row_rates(sheet, row):
            if of_day.setdefault(name, rate) != rate:
                raise sheet.place(row.line, name).refused(
                    f"{rate}, and {of_day[name]} before it on the same day, {day}",
                    "one rate of a currency on a day",
                    "leave one of the two rows or files out",
                )
    days = {day: of_day for day, of_day in days.items() if of_day}
    if not days:
        raise ReadingError(
            str(paths[0]), None, None, "no day with a rate", "a row for each day", NEXT
        )
    return Rates(days, left_out.reasons)


def _row_rates(sheet: Sheet, row: Row) -> Iterable[tuple[str, Decimal]]:
    for column in sheet.columns:
        name = column.upper()
        if not column or name == "DATE":
            continue
        rate = sheet.decimal(row.cells[column], column, row.line)
        if rate is None:
            continue
        if not SMALLEST < rate < LARGEST:
            raise sheet.place(row.line, column).refused(
                f"{rate:.6g}",
                "a rate above 0" if rate <= 0 else f"a rate between {SMALLEST:g} and {LARGEST:g}",
                f"mend it or empty the cell; {NEXT}",
            )
        if name in SMALL_UNITS and rate < 1:
            raise sheet.place(row.line, column).refused(
                f"{rate}: euros for one {name}", f"{name} for one euro", NEXT
            )
        yield name, rate


def _entry(of: str, rate: Rate) -> Entry:
    content: dict[str, object] = {"value": rate.value, "per": EURO}
    if rate.low is not None:
        content |= {"low": rate.low, "high": rate.high}
    return Entry(
        room="currency",
        subject=of,
        field="currency",
        content=content,
        label=f"{of} for one {EURO}",
        shown=f"{rate.value:.15g} {of}/{EURO}",
        basis="published",
        note=(f"low and high: P10 and P90 of {rate.days} days" if rate.low is not None else None),
        day=rate.day,
    )


def _table(rates: Rates) -> Table:
    known = rates.currencies
    first = [of for of in FIRST_SHOWN if of in known]
    shown = [EURO, *first, *(of for of in known if of not in (EURO, *first))][:MOST_ROWS]
    more = len(known) - len(shown)
    return Table(
        f"rates of {rates.last_day}",
        (
            ("currency", *(f"for one {per}" for per in (EURO, *first))),
            *(
                (of, *(f"{rates.rate(of, per).value:.15g}" for per in (EURO, *first)))
                for of in shown
            ),
        ),
        (f"and {more} more",) if more > 0 else (),
    )


KIND = Kind(TITLE, recognises, read)
