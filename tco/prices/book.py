"""Prices with their dates and sources: cards, GPU-hours, servers, electricity, exchange rates.

The rows are what was read where the source says, never a forecast; nothing is fetched. Files are
only added to. Of what is known on a day, ``price_at`` makes one price with its spread.

>>> from datetime import date
>>> price = price_at("h100-sxm", "GPU-hour", date(2026, 8, 31))
>>> price.value == (3.26 + 3.5825) / 2, len(price.providers), price.newest
(True, 8, '2026-08-21')
>>> rate_at("CNY", "USD", date(2026, 4, 13)).value == 7.9827 / 1.1684
True
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from types import MappingProxyType

FILES: Mapping[str, str] = MappingProxyType(
    {
        "cards": "book_cards.csv",
        "rentals": "book_rentals.csv",
        "servers": "book_servers.csv",
        "site": "book_site.csv",
        "exchange rates": "book_exchange_rates.csv",
    }
)
"""The files of the book, by what they hold."""

GPU, GPU_HOUR, SERVER, KWH, KW_MONTH = "GPU", "GPU-hour", "server", "kWh", "kW-month"
LAUNCH, SPOT, FROM, USED, PRINTED = "launch", "spot", "from", "used", "printed"
ON_DEMAND = ("median", "list")
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "median": "the median of the offers on a market",
        "list": "the price list of the seller",
        FROM: "the lowest price a seller advertises, for whichever terms",
        SPOT: "of hardware that may be taken away, or of third parties",
        "quote": "what a seller offered for one purchase",
        LAUNCH: "the price the maker named when the card came out; not an offer",
        USED: "of used hardware",
        PRINTED: "a figure that is printed without its seller",
        "average": "the average of a statistic",
        "reference": "the reference rate of a central bank",
    }
)
"""What the kinds of price are."""

EURO = "EUR"


@dataclass(frozen=True)
class Observation:
    """One price that was read, a row of the book.

    ``thing`` is the name that scenarios know it by, ``form`` how the card is built. ``market`` is
    the provider or seller and, after a slash, which of its offers. ``value`` is in ``currency``
    for one ``unit``. ``day`` is as exact as it is known: a day, a month or a year.
    """

    thing: str
    form: str
    market: str
    value: float
    unit: str
    currency: str
    day: str
    kind: str
    source: str
    note: str

    @property
    def provider(self) -> str:
        """Who sells it, whichever the offer."""
        return self.market.partition("/")[0]

    @property
    def since(self) -> date:
        """The first day that it may be of."""
        return first_day(self.day)


@dataclass(frozen=True)
class Price:
    """One price made of what is known on a day.

    ``value``, ``p25`` and ``p75`` are in ``currency`` for one ``unit``, over the providers of
    ``used``; the quarters are None where there is one provider alone. ``left_out`` are the newest
    prices that are no basis to plan with: "from" and spot prices.
    """

    thing: str
    unit: str
    currency: str
    value: float
    p25: float | None
    p75: float | None
    used: tuple[Observation, ...]
    left_out: tuple[Observation, ...] = ()

    @property
    def lowest(self) -> Observation:
        """The lowest of the observations that it is made of."""
        return min(self.used, key=lambda row: row.value)

    @property
    def minimum(self) -> float:
        """The lowest that is asked for it, in ``currency`` for one ``unit``."""
        return self.lowest.value

    @property
    def oldest(self) -> str:
        """The day of the oldest observation that it is made of."""
        return min(self.used, key=lambda row: row.since).day

    @property
    def newest(self) -> str:
        """The day of the newest."""
        return max(self.used, key=lambda row: row.since).day

    @property
    def kinds(self) -> tuple[str, ...]:
        """What kinds of price it is made of."""
        return tuple(dict.fromkeys(row.kind for row in self.used))

    @property
    def providers(self) -> tuple[str, ...]:
        """Whose prices it is made of."""
        return tuple(dict.fromkeys(row.provider for row in self.used))

    @property
    def sources(self) -> tuple[str, ...]:
        """Who says so, each once."""
        return tuple(dict.fromkeys(row.source for row in self.used))

    @property
    def is_launch(self) -> bool:
        """Whether it is the price of a launch and no offer."""
        return self.kinds == (LAUNCH,)


@dataclass(frozen=True)
class Rate:
    """How many units of one currency one unit of another is worth, and the rates it is made of."""

    foreign: str
    reporting: str
    value: float
    day: str
    used: tuple[Observation, ...]


def first_day(text: str) -> date:
    """The first day of a day, a month or a year: nothing seems younger than it is.

    Raises ValueError for what is none of them.

    >>> first_day("2026").isoformat(), first_day("2026-04").isoformat()
    ('2026-01-01', '2026-04-01')
    """
    return date.fromisoformat(text + "-01" * (2 - text.count("-")))


def observations(subject: str | None = None) -> tuple[Observation, ...]:
    """All rows in the order in which they were added, or those of one of ``FILES``."""
    subjects = FILES if subject is None else (subject,)
    return tuple(row for one in subjects for row in _rows(one))


def things(subject: str) -> tuple[str, ...]:
    """The names that one of ``FILES`` has a price for."""
    return tuple(dict.fromkeys(row.thing for row in _rows(subject)))


def last_day() -> date:
    """The newest day of the book, from which ages are counted where no other day is given."""
    return max(row.since for row in observations())


def price_at(thing: str, unit: str, day: date | None) -> Price | None:
    """The price of a thing by what was known on a day (None: by all that is known).

    Of a GPU-hour: the median over the providers, each with its newest median or list price, or the
    median of its offers of that day; "from" and spot prices are left out. Of anything else: the
    newest price; a launch price, or one that repeats it, only where there is no other. None where
    there is none.

    >>> price_at("rtx-4090", "GPU", None).is_launch
    True
    >>> price_at("rtx-5090", "GPU", date(2026, 3, 31)).value == (2909 + 3510) / 2
    True
    """
    known = [
        row
        for row in observations()
        if (row.thing, row.unit) == (thing, unit) and (day is None or row.since <= day)
    ]
    if unit == GPU_HOUR:
        used = _newest_of_each(row for row in known if row.kind in ON_DEMAND)
        left_out = _newest_of_each(row for row in known if row.kind not in ON_DEMAND)
    else:
        launches = {row.value for row in known if row.kind == LAUNCH}
        offers = [row for row in known if row.value not in launches]
        used = _newest(offers or [row for row in known if row.kind == LAUNCH])
        left_out = []
    if not used:
        return None
    of_each: dict[str, list[float]] = {}
    for row in used:
        of_each.setdefault(row.provider, []).append(row.value)
    values = sorted(quantile(sorted(offered), 0.5) for offered in of_each.values())
    several = len(values) > 1
    return Price(
        thing=thing,
        unit=unit,
        currency=used[0].currency,
        value=quantile(values, 0.5),
        p25=quantile(values, 0.25) if several else None,
        p75=quantile(values, 0.75) if several else None,
        used=tuple(used),
        left_out=tuple(left_out),
    )


def launch_price(card: str) -> Observation | None:
    """The price at which a card came out, or None where that is not known."""
    rows = (row for row in _rows("cards") if row.thing == card and row.kind == LAUNCH)
    return next(rows, None)


def rate_at(foreign: str, reporting: str, day: date | None) -> Rate | None:
    """Units of ``foreign`` for one ``reporting``, by the newest reference rates up to a day.

    The rates are units for one euro, so that between two other currencies it is their quotient.
    None where one of the two is not among them.

    >>> round(rate_at("USD", "EUR", None).value, 4)
    1.1684
    """
    known = [row for row in _rows("exchange rates") if day is None or row.since <= day]
    for newest in sorted({row.day for row in known}, key=first_day, reverse=True):
        rates = {row.thing: row for row in known if row.day == newest}
        pair = [code for code in (foreign, reporting) if code != EURO]
        if all(code in rates for code in pair):
            per_euro = {EURO: 1.0, **{code: rates[code].value for code in pair}}
            value = per_euro[foreign] / per_euro[reporting]
            return Rate(foreign, reporting, value, newest, tuple(rates[code] for code in pair))
    return None


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of sorted values lies, by linear interpolation.

    >>> quantile([1.0, 2.0, 4.0], 0.5), quantile([1.0, 2.0, 4.0, 5.0], 0.25)
    (2.0, 1.75)
    """
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def _newest(rows: Sequence[Observation]) -> list[Observation]:
    newest = max((row.since for row in rows), default=None)
    return [row for row in rows if row.since == newest]


def _newest_of_each(rows: Iterable[Observation]) -> list[Observation]:
    """The newest rows of each provider, of each kind of price that is not another's."""
    found: dict[tuple[str, str], list[Observation]] = {}
    for row in rows:
        kind = "" if row.kind in ON_DEMAND else row.kind
        found.setdefault((row.provider, kind), []).append(row)
    return [row for of_one in found.values() for row in _newest(of_one)]


@cache
def _rows(subject: str) -> tuple[Observation, ...]:
    text = (files("tco.prices") / FILES[subject]).read_text(encoding="utf-8")
    return tuple(
        Observation(
            thing=row["thing"],
            form=row["form"],
            market=row["market"],
            value=float(row["value"]),
            unit=row["unit"],
            currency=row["currency"],
            day=row["date"],
            kind=row["kind"],
            source=row["source"],
            note=row["note"],
        )
        for row in csv.DictReader(text.splitlines())
    )
