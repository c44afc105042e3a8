"""How old the prices are on the day from which ages are counted, and which of them are no offers.

No clock is looked at. What is no offer is told by the book of prices: the price of a launch, and
what a seller advertises as "from".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tco.analysis.bases import field_label
from tco.analysis.figures import price
from tco.analysis.ownership import said
from tco.prices import book
from tco.results import Result
from tco.scenario.inputs import LIVE, Input
from tco.scenario.schema import Own, Quantity, Rent

STALE_DAYS = 90
MOST_NAMED = 3
CENT = 0.005
"""Prices that are less than this apart are the same to the cent."""


def today(result: Result) -> date | None:
    """The day from which ages are counted: ``as_of``, else the first of ``start``."""
    scenario = result.scenario
    day = scenario.as_of or scenario.start
    return _day(day) if day else None


def _day(text: str) -> date:
    """A day; of a month its first, so that no price seems younger than it is.

    >>> _day("2026-11"), _day("2026-11-30")
    (datetime.date(2026, 11, 1), datetime.date(2026, 11, 30))
    """
    return date.fromisoformat(text if text.count("-") == 2 else f"{text}-01")


def ages(result: Result) -> list[tuple[Input, int]]:
    """Each price that has a date, with its age in days; the oldest first, a later one at 0."""
    return [(given, max(days, 0)) for given, days in _days_since(result)]


def _days_since(result: Result) -> list[tuple[Input, int]]:
    """Each price that has a date, with the days since then, below 0 for a later date."""
    now = today(result)
    if now is None:
        return []
    found = []
    for given in result.model.numbers:
        quantity = given.quantity
        if given.kind == LIVE and quantity and quantity.as_of and is_price(given):
            found.append((given, (now - _day(quantity.as_of)).days))
    return sorted(found, key=lambda aged: -aged[1])


def is_price(given: Input) -> bool:
    """Whether an input is an amount of money, or what money of another currency is worth."""
    return not {"money", "foreign"}.isdisjoint(dict(given.unit.dimensions))


def stale_prices(result: Result) -> Iterator[str]:
    """Warnings of the prices that are older than `STALE_DAYS` days, and of those of later days."""
    dated = _days_since(result)
    old = [(given, days) for given, days in dated if days > STALE_DAYS]
    if old:
        yield (
            f"{_number(old)} more than {STALE_DAYS} days old on {today(result)}, the oldest "
            f"{old[0][1]} days: {_named(old)}: look {'them' if len(old) > 1 else 'it'} up again"
        )
    later = [(given, days) for given, days in reversed(dated) if days < 0]
    if later:
        # a month counts from its first day: it is of a later month, not of a later day of this one
        yield (
            f"{_number(later)} dated after {today(result)}, from which ages are counted, the "
            f"latest by {_days(-later[0][1])}: {_named(later)}: correct as_of, or look up the "
            f"price{'s' if len(later) > 1 else ''} of that day"
        )


def _number(dated: list[tuple[Input, int]]) -> str:
    return f"{len(dated)} price{'s are' if len(dated) > 1 else ' is'}"


def _named(dated: list[tuple[Input, int]]) -> str:
    """What the first of these prices are, with their dates, and how many more there are."""
    named = [f"{field_label(given)} {given.quantity.as_of}" for given, _ in dated if given.quantity]
    kinds = list(dict.fromkeys(named))
    more = f" and {len(kinds) - MOST_NAMED} more" if kinds[MOST_NAMED:] else ""
    return f"{', '.join(kinds[:MOST_NAMED])}{more}"


def oldest_prices(result: Result) -> Iterator[str]:
    """The oldest of the prices with their ages, and how many have no date."""
    prices = [
        given
        for given in result.model.numbers
        if given.kind == LIVE and given.quantity and is_price(given)
    ]
    if not prices:
        return
    if today(result) is None:
        yield "the ages of prices are not counted: add as_of, the day to count them to"
        return
    named = [
        f"{field_label(given)} {given.quantity.as_of} ({_days(days)})"
        for given, days in ages(result)
        if given.quantity
    ]
    without = sum(given.quantity is None or not given.quantity.as_of for given in prices)
    if not named:
        price = f"{without} prices have" if without > 1 else "1 price has"
        yield f"{price} no date: add as_of, the day of each, so that its age is known"
        return
    words = [", ".join(list(dict.fromkeys(named))[:MOST_NAMED])]
    words += [f"{without} without a date"] if without else []
    yield f"oldest prices on {today(result)}: {'; '.join(words)}"


@dataclass(frozen=True)
class NoOffer:
    """A price of the scenario that is, to the cent, one of the book that nobody offers."""

    path: str
    row: book.Observation

    @property
    def warning(self) -> str:
        """The whole sentence."""
        amount = price(self.row.value, self.row.currency)
        kind = "launch price"
        if self.row.kind == book.FROM:
            kind = f'"from" price of {self.row.provider}'
        what = f"the {kind} of the {self.row.thing} of {self.row.day}"
        return f"{self.path}: {amount} is {what}, not an offer: ask for one"

    @property
    def short(self) -> str:
        """In a list of such prices."""
        what = "launch price" if self.row.kind == book.LAUNCH else '"from" price'
        return f"{self.row.thing} {price(self.row.value, self.row.currency)} ({what})"


def no_offers(result: Result) -> Iterator[NoOffer]:
    """The prices of what is bought or rented that are launch prices or "from" prices."""
    for option in result.model.complete:
        for supply in option.supplies:
            given = supply.given
            if isinstance(given, Own):
                launch = book.launch_price(given.own)
                rows = [launch] if launch else []
                quantity = said(result, given, "price")
            elif isinstance(given, Rent) and given.price is not None:
                rows = [
                    row
                    for row in book.observations("rentals")
                    if row.thing == given.rent and row.kind == book.FROM
                ]
                quantity = given.price.median
            else:
                continue
            yield from (
                NoOffer(quantity.path, row) for row in rows if _is_the(row, quantity, result)
            )


def _is_the(row: book.Observation, quantity: Quantity | None, result: Result) -> bool:
    return (
        quantity is not None
        and (quantity.currency or result.currency) == row.currency
        and abs(quantity.value - row.value) < CENT
    )


def in_short(result: Result) -> list[str]:
    """How old the prices are and which are no offers, each in a few words."""
    dated = ages(result)
    found = []
    if dated:
        oldest, day = dated[0][1], today(result)
        stale = sum(days > STALE_DAYS for _, days in dated)
        more = f", {stale} older than {STALE_DAYS}" if stale else ""
        found.append(f"Oldest price: {_days(oldest)} on {day}{more}.")
    none = list(dict.fromkeys(one.short for one in no_offers(result)))
    if none:
        found.append(f"Not an offer: {', '.join(none)}.")
    return found


def _days(number: int) -> str:
    return f"{number:,} day{'' if number == 1 else 's'}"
