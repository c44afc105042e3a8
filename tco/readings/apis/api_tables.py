"""The use of an API as tables: its classes, its models, its bill by day, what is no text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from tco.prices.list_prices import ListPrice
from tco.readings.apis.api_bill import listed_on
from tco.readings.apis.api_rows import plain
from tco.readings.apis.api_sums import Tokens, Use, Way
from tco.readings.reading import Asked, Period, Table
from tco.readings.weeks import significant, weekly

MOST_DAYS = 40
"""A bill of more days than this is shown by the month."""
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Model:
    """The use of one model, over all days."""

    name: str
    provider: str
    tokens: Tokens
    requests: int
    listed: Decimal | None
    """None where no part of it has a list price."""
    whole: bool
    """Whether all of it has."""
    billed: Decimal | None


# the fields of a demand that an export of use fills, with their words
_FIELDS: dict[str, tuple[str, Callable[[Tokens, int], int]]] = {
    "input_tokens": ("all input tokens", lambda tokens, _: tokens.input),
    "cache_read_tokens": ("input tokens read from a cache", lambda tokens, _: tokens.cache_read),
    "cache_write_tokens": (
        "input tokens written to a cache for 5 minutes",
        lambda tokens, _: tokens.cache_write,
    ),
    "cache_write_1h_tokens": (
        "input tokens written to a cache for an hour",
        lambda tokens, _: tokens.cache_write_hour,
    ),
    "output_tokens": ("output tokens", lambda tokens, _: tokens.visible),
    "reasoning_tokens": ("reasoning tokens", lambda tokens, _: tokens.reasoning),
    "requests": ("requests", lambda _, requests: requests),
}


@dataclass(frozen=True)
class Month:
    """A field of the demand: what was counted, and what that is in a month."""

    field: str
    label: str
    counted: int
    content: Mapping[str, float]
    note: str


def months_of(use: Use, period: Period | None, asked: Asked) -> Iterator[Month]:
    """The fields of the demand, without those not told and those of which no month is known."""
    # a class that stands outside of the whole weeks alone is not one of nothing
    return (month for month in every_month(use, period, asked) if month.content["value"])


def every_month(use: Use, period: Period | None, asked: Asked) -> Iterator[Month]:
    """Every field of the demand, a month of ``asked.hours_per_month``; 0 where there is none."""
    if period is None or not use.rows:
        return
    first = period.begin.date()
    days = period.length // DAY
    per_month = asked.hours_per_month / 24
    for name, (label, counts) in _FIELDS.items():
        if name == "requests" and use.without_requests:
            continue
        by_week = dict.fromkeys(range(period.whole_weeks), 0)
        total = 0
        for way, one in use.sums.items():
            amount = counts(one.tokens, one.requests)
            week = (way.day - first).days // 7
            total += amount
            if week in by_week:
                by_week[week] += amount
        spread = weekly(period, {week: own / 7 * per_month for week, own in by_week.items()})
        value = total / days * per_month
        content = spread.content if spread else {"value": significant(value)}
        note = spread.note if spread else f"the mean of {days_of(days)}"
        yield Month(name, label, total, content, f"{note}; a month is {per_month:.4g} days")


def shown(content: Mapping[str, float]) -> str:
    """A value as the screen has it, with low and high where they are known."""
    value = count_in_words(content["value"])
    if "low" not in content:
        return value
    low, high = count_in_words(content["low"]), count_in_words(content["high"])
    return f"{value} ({low} to {high})"


def count_in_words(value: float) -> str:
    """A count as people write it.

    >>> [count_in_words(value) for value in (0.5, 12345.6, 1234567, 2.5e9)]
    ['0.5', '12,346', '1.235 M', '2,500 M']
    """
    if value >= 1e6:
        millions = value / 1e6
        return f"{millions:,.0f} M" if millions >= 1000 else f"{millions:.4g} M"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def models_of(use: Use, costs: Mapping[Way, Decimal | str]) -> list[Model]:
    """The models, the dearest first; one that the list knows by its name there."""
    parts: dict[tuple[str, str], list[Way]] = {}
    for way in use.sums:
        parts.setdefault(name_on_list(way.provider, way.model, way.day), []).append(way)
    bills: dict[str, Decimal] = {}
    providers = {way.provider for way in use.sums}
    for model, amount in use.bills_by_model.items():
        # a cost export spells a model in its own way
        name, _ = name_on_list(min(providers, key=str, default=None), model, max(use.bills))
        bills[name] = bills.get(name, Decimal(0)) + amount
    found = []
    for (name, provider), ways in parts.items():
        tokens = Tokens()
        for way in ways:
            tokens = tokens.and_more(use.sums[way].tokens)
        known = [own for way in ways if isinstance(own := costs[way], Decimal)]
        billed = [bill for way in ways if (bill := use.sums[way].billed) is not None]
        found.append(
            Model(
                name,
                provider,
                tokens,
                sum(use.sums[way].requests for way in ways),
                total(known) if known else None,
                len(known) == len(ways),
                total(billed) if billed else bills.get(name),
            )
        )
    return sorted(found, key=lambda one: (-worth(one), one.name, one.provider))


def name_on_list(provider: str | None, model: str, day: date) -> tuple[str, str]:
    """The model and its provider as the list has them; as the file has them if it does not."""
    if not model:
        return "not stated", provider or ""
    listed = listed_on(provider, model, day)
    if isinstance(listed, ListPrice):
        return listed.model, listed.provider
    return model, provider or ""


def worth(model: Model) -> Decimal:
    """What a model weighs in the bill: its list price, without one what was billed."""
    return model.listed if model.listed is not None else model.billed or Decimal(0)


def named(model: str, provider: str | None) -> str:
    """A model and who serves it."""
    return f"{model} of {provider}" if provider else model


def days_of(count: int) -> str:
    """So many days, in words."""
    return f"{count} day{'' if count == 1 else 's'}"


def table_of_classes(use: Use, period: Period | None, asked: Asked) -> Table | None:
    """Each class of tokens and the requests: what was counted, what that is a month."""
    rows = [
        (month.label, f"{month.counted:,}", shown(month.content))
        for month in months_of(use, period, asked)
    ]
    if not rows:
        return None
    return Table("Tokens and requests", (("", "in the file", "a month"), *rows))


def table_of_models(models: Sequence[Model]) -> Table | None:
    """Each model with its tokens, its list price and its bill."""
    if not models:
        return None
    columns: list[tuple[str, Callable[[Model], str]]] = [
        ("model", lambda one: one.name),
        ("provider", lambda one: one.provider),
    ]
    if any(one.requests for one in models):
        columns.append(("requests", lambda one: f"{one.requests:,}"))
    columns.append(("input", lambda one: f"{one.tokens.input:,}"))
    if any(one.tokens.cache_read for one in models):
        columns.append(("from cache", lambda one: f"{one.tokens.cache_read:,}"))
    if any(one.tokens.cache_write or one.tokens.cache_write_hour for one in models):
        columns.append(
            (
                "to cache",
                lambda one: f"{one.tokens.cache_write + one.tokens.cache_write_hour:,}",
            )
        )
    columns.append(("output", lambda one: f"{one.tokens.output:,}"))
    if any(one.tokens.reasoning for one in models):
        columns.append(("of it reasoning", lambda one: f"{one.tokens.reasoning:,}"))
    columns.append(("at list prices", _listed_cell))
    if any(one.billed is not None for one in models):
        columns.append(("billed", lambda one: "" if one.billed is None else usd(one.billed)))
    rows = [tuple(name for name, _ in columns)]
    rows += [tuple(shows(one) for _, shows in columns) for one in models]
    return Table("Models", rows)


def _listed_cell(one: Model) -> str:
    if one.listed is None:
        return "no list price"
    return usd(one.listed) if one.whole else f"{usd(one.listed)} and a part without a price"


@dataclass(frozen=True)
class Bill:
    """What each day costs at its list prices and what was billed, in USD.

    ``listed`` is empty without use, ``billed`` has the days that a bill is known for. What was
    billed for use without a list price is in ``billed_beside``, where rows tell their bill; where
    only days do, ``partly`` holds the days that cannot be compared.
    """

    days: Sequence[date]
    listed: Mapping[date, Decimal]
    billed: Mapping[date, Decimal]
    billed_beside: Mapping[date, Decimal]
    partly: frozenset[date]

    @property
    def compared(self) -> list[date]:
        """The days that can be compared."""
        return [
            day
            for day in self.days
            if day in self.listed and day in self.billed and day not in self.partly
        ]

    @property
    def beyond(self) -> Decimal:
        """What was billed on days outside of the use."""
        inside = set(self.days)
        return total(own for day, own in self.billed.items() if day not in inside)


def total(amounts: Iterable[Decimal]) -> Decimal:
    """The sum, exact."""
    return sum(amounts, Decimal(0))


def bill_of(use: Use, costs: Mapping[Way, Decimal | str], period: Period) -> Bill:
    """The bill by day; ``costs`` are those of each way at list prices, or why they are unknown."""
    days = [period.begin.date() + n * DAY for n in range(period.length // DAY)]
    listed = dict.fromkeys(days, Decimal(0)) if use.rows else {}
    billed = _bills_of_days(use)
    beside: dict[date, Decimal] = {}
    by_row = any(one.billed is not None for one in use.sums.values())
    if by_row and not billed:
        billed = dict.fromkeys(days, Decimal(0))
    unknown = set()
    for way, own in costs.items():
        bill = use.sums[way].billed or Decimal(0)
        if isinstance(own, Decimal):
            listed[way.day] += own
            if by_row:
                billed[way.day] = billed.get(way.day, Decimal(0)) + bill
        else:
            unknown.add(way.day)
            if bill:
                beside[way.day] = beside.get(way.day, Decimal(0)) + bill
    return Bill(days, listed, billed, beside, frozenset() if by_row else frozenset(unknown))


def _bills_of_days(use: Use) -> dict[date, Decimal]:
    """The bill of each day from the first of a cost export to the last."""
    if not use.bills:
        return {}
    first, last = min(use.bills), max(use.bills)
    days = (first + n * DAY for n in range((last - first) // DAY + 1))
    return {day: use.bills.get(day, Decimal(0)) for day in days}


def table_of_days(bill: Bill) -> Table:
    """The bill by day, by month if there are many days; the last row is all of them."""
    by_month = len(bill.days) > MOST_DAYS
    parts: dict[str, list[date]] = {}
    for day in bill.days:
        parts.setdefault(f"{day:%Y-%m}" if by_month else day.isoformat(), []).append(day)
    columns: list[tuple[str, Callable[[Sequence[date]], str]]] = []
    if bill.listed:
        columns.append(("at list prices", lambda days: _listed_sum(bill, days)))
    if bill.billed:
        columns.append(("billed", lambda days: _sum(bill.billed, days)))
    if bill.listed and bill.billed:
        columns.append(("difference", lambda days: _difference(bill, days)))
    if bill.billed_beside:
        columns.append(("billed, no list price", lambda days: _sum(bill.billed_beside, days)))
    rows = [("month" if by_month else "day", *(name for name, _ in columns))]
    for name, days in (*parts.items(), ("all", bill.days)):
        rows.append((name, *(shows(days) for _, shows in columns)))
    return Table("The bill, in USD", rows, tuple(_notes(bill)))


def _listed_sum(bill: Bill, days: Sequence[date]) -> str:
    more = " and more" if any(day in bill.partly for day in days) else ""
    return usd(total(bill.listed[day] for day in days)) + more


def _sum(amounts: Mapping[date, Decimal], days: Sequence[date]) -> str:
    own = [amounts[day] for day in days if day in amounts]
    return usd(total(own)) if own else ""


def _difference(bill: Bill, days: Sequence[date]) -> str:
    compared = set(bill.compared)
    if not all(day in compared for day in days):
        return ""
    return usd(total(bill.billed[day] - bill.listed[day] for day in days))


def _notes(bill: Bill) -> Iterator[str]:
    if not bill.listed:
        return
    if not bill.billed:
        yield "no billed amounts to compare with"
        return
    compared = bill.compared
    same = [day for day in compared if bill.billed[day] == bill.listed[day] != 0]
    different = [day for day in compared if bill.billed[day] != bill.listed[day]]
    yield f"equal to the digit: {days_of(len(same))}; different: {days_of(len(different))}"
    if bill.partly:
        yield "a day with use that has no list price is not compared"
    if any(day not in bill.billed for day in bill.days):
        yield "a day that the costs do not cover is not compared"
    if bill.beyond:
        yield f"{usd(bill.beyond)} billed on days outside of the use: not compared"


def table_of_lines(use: Use) -> Table | None:
    """What is billed by something else than tokens of text."""
    if not use.apart:
        return None
    rows = [("", "quantity", "billed", "at list prices")]
    for line, one in sorted(use.apart.items()):
        quantity = f"{plain(one.quantity)} {one.unit}".strip() if one.quantity else ""
        rows.append(
            (
                line,
                quantity,
                "" if one.billed is None else usd(one.billed),
                "" if one.listed is None else usd(one.listed),
            )
        )
    return Table("Apart from the tokens, in USD", rows, ("in no number above",))


def usd(amount: Decimal) -> str:
    """An amount with the digits that matter: eight decimals below 10, two from 1,000 on.

    >>> [usd(Decimal(text)) for text in ("0.0720540000", "25.5", "1234.567", "-0.0000000004", "0")]
    ['0.072054', '25.50', '1,234.57', '-0.0000000004', '0.00']
    """
    size = abs(amount)
    if size and size < Decimal("0.0000001"):
        return f"{Decimal(f'{amount:.3g}'):f}"
    places = 8 if size < 10 else 4 if size < 1000 else 2
    whole, _, decimals = f"{amount:,.{places}f}".partition(".")
    return f"{whole}.{decimals.rstrip('0'):0<2}"
