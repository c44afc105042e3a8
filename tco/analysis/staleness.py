"""How old the prices are on the day from which ages are counted, never by the clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from tco.analysis.bases import field_label
from tco.results import Result
from tco.scenario.inputs import LIVE, Input

STALE_DAYS = 90
MOST_NAMED = 3


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
    """Each price that has a date, with its age in days; the oldest first."""
    now = today(result)
    if now is None:
        return []
    found = []
    for given in result.model.numbers:
        quantity = given.quantity
        if given.kind == LIVE and quantity and quantity.as_of and _is_price(given):
            found.append((given, (now - _day(quantity.as_of)).days))
    return sorted(found, key=lambda aged: -aged[1])


def _is_price(given: Input) -> bool:
    """Whether an input is an amount of money, or what money of another currency is worth."""
    dimensions = dict(given.unit.dimensions)
    return "money" in dimensions or given.name.startswith("fx_")


def stale_prices(result: Result) -> Iterator[str]:
    """A warning of the prices that are older than `STALE_DAYS` days, if there are any."""
    old = [(given, days) for given, days in ages(result) if days > STALE_DAYS]
    if not old:
        return
    named = [f"{field_label(given)} {given.quantity.as_of}" for given, _ in old if given.quantity]
    kinds = list(dict.fromkeys(named))
    more = f" and {len(kinds) - MOST_NAMED} more" if kinds[MOST_NAMED:] else ""
    number = f"{len(old)} price{'s are' if len(old) > 1 else ' is'}"
    yield (
        f"{number} more than {STALE_DAYS} days old on {today(result)}, the oldest {old[0][1]} "
        f"days: {', '.join(kinds[:MOST_NAMED])}{more}: look {'them' if len(old) > 1 else 'it'} up "
        "again"
    )
