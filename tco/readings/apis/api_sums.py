"""Rows of use added up by day and model, in memory that does not grow with the file."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from tco.readings.reading import Dropped

MOST_REMEMBERED = 1_000_000
"""So many rows are remembered to find repeated ones; more would take memory with the file."""
REPEATED = "there before, the same in every value"


class Tokens(NamedTuple):
    """Tokens by classes that do not overlap: each is billed once."""

    uncached: int = 0
    """Read by the model, neither from a cache nor into one."""
    cache_read: int = 0
    cache_write: int = 0
    """Written to a cache for five minutes."""
    cache_write_hour: int = 0
    """Written to a cache for an hour."""
    visible: int = 0
    """Written by the model, without its reasoning."""
    reasoning: int = 0

    @property
    def input(self) -> int:
        """All that the model read."""
        return self.uncached + self.cache_read + self.cache_write + self.cache_write_hour

    @property
    def output(self) -> int:
        """All that the model wrote."""
        return self.visible + self.reasoning

    def and_more(self, other: Tokens) -> Tokens:
        """Both together, class by class."""
        return Tokens(*(own + more for own, more in zip(self, other, strict=True)))


def inside(read: int, written: Tokens, whole: int) -> Tokens | None:
    """``written`` with what is left of ``whole`` input tokens after its caches, as uncached.

    None if the caches hold more than the whole, so that they cannot be a part of it.

    >>> inside(16_298, Tokens(visible=931), 20_212)
    Tokens(uncached=3914, cache_read=16298, cache_write=0, cache_write_hour=0, visible=931, \
reasoning=0)
    >>> inside(10, Tokens(cache_write=10), 19) is None
    True
    """
    uncached = whole - read - written.cache_write - written.cache_write_hour
    return None if uncached < 0 else written._replace(uncached=uncached, cache_read=read)


class Way(NamedTuple):
    """How use is billed: everything that a price depends on."""

    day: date
    provider: str | None
    model: str
    batch: bool = False
    long_context: bool = False
    special: str = ""
    """A way of serving that no list has a price for: ``service tier priority``."""
    free: bool = False


class Sum:
    """What the rows of one way add up to."""

    __slots__ = ("billed", "counts", "requests")

    def __init__(self) -> None:
        self.counts = [0] * len(Tokens._fields)
        self.requests = 0
        self.billed: Decimal | None = None

    @property
    def tokens(self) -> Tokens:
        """The tokens of all rows."""
        return Tokens(*self.counts)


@dataclass
class Apart:
    """What is billed by something else than tokens of text."""

    quantity: Decimal = Decimal(0)
    unit: str = ""
    billed: Decimal | None = None
    listed: Decimal | None = None


class Use:
    """Rows of use added up by day, model and way of billing, with what was billed."""

    def __init__(self) -> None:
        self.rows = 0
        self.sums: dict[Way, Sum] = {}
        self.apart: dict[str, Apart] = {}
        self.bills: dict[date, Decimal] = {}
        """The bill of a cost export, by day; only days that it covers."""
        self.bills_by_model: dict[str, Decimal] = {}
        self.without_requests = 0
        self.first_day: date | None = None
        self.last_day: date | None = None
        self.moments: tuple[datetime, datetime] | None = None
        self.remarks: dict[str, int] = {}
        """What is said of rows, and of how many; 0 where it is said of the whole file."""
        self.warnings: dict[str, int] = {}
        self.price_remarks: dict[tuple[str, Way], int] = {}
        """What is said of the prices of rows; of those that have none it is not said."""
        self.price_warnings: dict[tuple[str, Way], int] = {}
        self._dropped: dict[str, tuple[int, int | None]] = {}
        self._seen: set[int] = set()
        self._forgetful = False

    def add(
        self,
        way: Way,
        tokens: Tokens,
        requests: int | None,
        billed: Decimal | None = None,
        moment: datetime | None = None,
    ) -> None:
        """A row of use. ``moment`` where the row is one request."""
        self.rows += 1
        one = self.sums.get(way)
        if one is None:
            one = self.sums[way] = Sum()
            self.cover(way.day, way.day)
        counts = one.counts
        for place, count in enumerate(tokens):
            if count:
                counts[place] += count
        if requests is None:
            self.without_requests += 1
        else:
            one.requests += requests
        if billed is not None:
            one.billed = (one.billed or Decimal(0)) + billed
        if moment is not None:
            first, last = self.moments or (moment, moment)
            self.moments = min(first, moment), max(last, moment)

    def cover(self, first: date, last: date) -> None:
        """The export covers these days, whether there was use or not."""
        self.first_day = min(first, self.first_day or first)
        self.last_day = max(last, self.last_day or last)

    def bill(self, day: date, amount: Decimal, model: str | None = None) -> None:
        """An amount of a cost export; 0 for a day that it covers and has nothing for."""
        self.bills[day] = self.bills.get(day, Decimal(0)) + amount
        if model is not None:
            self.bills_by_model[model] = self.bills_by_model.get(model, Decimal(0)) + amount

    def set_apart(
        self,
        line: str,
        quantity: Decimal | int = 0,
        unit: str = "",
        billed: Decimal | None = None,
        listed: Decimal | None = None,
    ) -> None:
        """What is no text: counted and shown under its own name, in no tokens and no token bill."""
        one = self.apart.setdefault(line, Apart())
        one.quantity += quantity
        one.unit = unit or one.unit
        if billed is not None:
            one.billed = (one.billed or Decimal(0)) + billed
        if listed is not None:
            one.listed = (one.listed or Decimal(0)) + listed

    def drop(self, why: str, line: int | None, rows: int = 1) -> None:
        """Rows that are not used, and why."""
        count, first = self._dropped.get(why, (0, line))
        self._dropped[why] = count + rows, first

    def remark(self, text: str, rows: int = 1) -> None:
        """A remark on so many more rows, whose number is added to it; on the whole file with 0."""
        self.remarks[text] = self.remarks.get(text, 0) + rows

    def warn(self, text: str, rows: int = 1) -> None:
        """As ``remark``, of what may be wrong."""
        self.warnings[text] = self.warnings.get(text, 0) + rows

    def remark_price(self, text: str, way: Way, rows: int = 1) -> None:
        """As ``remark``, on the price of rows of this way: dropped where they have no price."""
        self.price_remarks[text, way] = self.price_remarks.get((text, way), 0) + rows

    def warn_price(self, text: str, way: Way, rows: int = 1) -> None:
        """As ``remark_price``, of what may be wrong."""
        self.price_warnings[text, way] = self.price_warnings.get((text, way), 0) + rows

    def repeated(self, key: Hashable, always: bool = False) -> bool:
        """Whether a row with this key was there before; the first million keys are remembered."""
        own = hash(key)
        if own in self._seen:
            return True
        if always or len(self._seen) < MOST_REMEMBERED:
            self._seen.add(own)
        else:
            self._forgetful = True
        return False

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What was not used, in the order of its first lines."""
        found = (Dropped(why, rows, line) for why, (rows, line) in self._dropped.items())
        return tuple(sorted(found, key=lambda one: (one.first_line or 0, one.why)))

    @property
    def forgetful(self) -> bool:
        """Whether there were more rows than are remembered to find repeated ones."""
        return self._forgetful
