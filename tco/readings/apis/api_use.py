"""Use of APIs, from whatever export: a month of its tokens, and its bill computed again.

A reader of an export gives rows of tokens in classes that do not overlap (``api_sums``). Here they
become a reading: the mean day makes the month, and the bill at the list prices of each day
(``api_bill``) is set beside what was billed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, time
from decimal import Context, Decimal, localcontext
from pathlib import Path

from tco.prices.list_prices import ListPrice
from tco.readings.apis.api_bill import (
    HALF,
    AsInput,
    cached_as_input,
    cost,
    likely_unit,
    listed_on,
)
from tco.readings.apis.api_sums import MOST_REMEMBERED, Tokens, Use, Way
from tco.readings.apis.api_tables import (
    DAY,
    Bill,
    Model,
    bill_of,
    days_of,
    every_month,
    models_of,
    months_of,
    name_on_list,
    named,
    shown,
    table_of_classes,
    table_of_days,
    table_of_lines,
    table_of_models,
    total,
    usd,
    worth,
)
from tco.readings.reading import (
    FEW_WEEKS,
    Asked,
    Dropped,
    Entry,
    Period,
    Reading,
    ReadingError,
    Source,
)
from tco.readings.weeks import left_over, shortfall

MOST_NAMED = 10
DEAREST_TOKEN = Decimal("0.001")
"""No list has a price above this, in USD a token; a bill above it is one of another unit."""
REASONING_INSIDE = "reasoning is in the output tokens; the export does not tell it apart"
EXACT = Context(prec=60)


def reading_of(
    kind: str,
    paths: Sequence[Path],
    use: Use,
    asked: Asked,
    *,
    rows_are: str = "rows",
    sheets_dropped: Iterable[Dropped] = (),
) -> Reading:
    """What the use says: a month of each class of tokens, the models, and the bill.

    A month is ``asked.hours_per_month`` of the mean day. Raises ReadingError where there is no row
    of use and no bill.
    """
    with localcontext(EXACT):
        return _reading(kind, paths, use, asked, rows_are, tuple(sheets_dropped))


def _reading(
    kind: str,
    paths: Sequence[Path],
    use: Use,
    asked: Asked,
    rows_are: str,
    sheets_dropped: tuple[Dropped, ...],
) -> Reading:
    if not use.rows and not use.bills and not use.apart:
        left_out = ", ".join(f"{one.rows} {one.why}" for one in use.dropped)
        raise ReadingError(
            ", ".join(str(path) for path in paths),
            None,
            None,
            f"no row of use{f' ({left_out})' if left_out else ''}",
            "rows with tokens",
            "export a period in which the API was used",
        )
    costs = {way: cost(way, one.tokens) for way, one in use.sums.items()}
    period = _period(use)
    models = models_of(use, costs)
    bill = bill_of(use, costs, period) if period else None
    remarks = [*_remarks_of_days(use, period), *_most(models)]
    warnings: list[str] = []
    if use.rows:
        remarks += _remarks_of_rows(use, costs)
        warnings += [text for text in (shortfall(period),) if text]
        remarks += [text for text in (left_over(period),) if text]
        warnings += _partial(use, period)
        warnings += _nothing_in_whole_weeks(use, period, asked)
        warnings += _without_price(use, costs)
        warnings += _caches_as_input(use)
        warnings += _units(models, bill)
    else:
        warnings.append(
            "amounts only: a cost export has no tokens; give the usage export of the same days "
            "beside it"
        )
    remarks += _counted({**use.remarks, **_of_priced(use.price_remarks, costs)})
    warnings += _counted({**use.warnings, **_of_priced(use.price_warnings, costs)})
    if use.forgetful:
        warnings.append(f"repeated rows were looked for among the first {MOST_REMEMBERED:,} only")
    tables = (
        table_of_classes(use, period, asked),
        table_of_models(models),
        table_of_days(bill) if bill else None,
        table_of_lines(use),
    )
    return Reading(
        kind=kind,
        sources=tuple(Source.of(path) for path in paths),
        used=use.rows or len(use.bills),
        rows_are=rows_are if use.rows else "days with costs",
        dropped=(*use.dropped, *sheets_dropped),
        period=period,
        entries=_entries(use, period, asked),
        tables=tuple(table for table in tables if table is not None),
        remarks=tuple(remarks),
        warnings=tuple(warnings),
        models=tuple((one.provider, one.name) for one in models if one.provider),
    )


def _period(use: Use) -> Period | None:
    first, last = use.first_day, use.last_day
    if first is None or last is None:
        if not use.bills:
            return None
        first, last = min(use.bills), max(use.bills)
    begin = datetime.combine(first, time())
    return Period(begin, datetime.combine(last, time()) + DAY, "UTC")


def _entries(use: Use, period: Period | None, asked: Asked) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            room="demand",
            subject="",
            field=month.field,
            content=dict(month.content),
            label=f"{month.label} a month",
            shown=shown(month.content),
            note=month.note,
        )
        for month in months_of(use, period, asked)
    )


def _most(models: Sequence[Model]) -> Iterator[str]:
    if not models:
        return
    what, weights = "the bill", [worth(one) for one in models]
    if total(weights) <= 0:
        what, weights = (
            "the tokens",
            [Decimal(one.tokens.input + one.tokens.output) for one in models],
        )
    if total(weights) <= 0:
        return
    most = models[weights.index(max(weights))]
    share = max(weights) / total(weights)
    part = "most" if share > HALF else "the largest part"
    yield f"{part} of {what}: {named(most.name, most.provider)} ({100 * share:.0f} %)"


def _remarks_of_days(use: Use, period: Period | None) -> Iterator[str]:
    if period is None or not use.rows:
        return
    days = period.length // DAY
    busy = {way.day for way, one in use.sums.items() if any(one.counts) or one.requests}
    first = period.begin.date()
    empty = [day for n in range(days) if (day := first + n * DAY) not in busy]
    if empty:
        first_ones = ", ".join(day.isoformat() for day in empty[:3])
        more = f" and {len(empty) - 3} more" if len(empty) > 3 else ""
        yield (
            f"{days_of(len(empty))} of {days} without use ({first_ones}{more}): counted as days of "
            "no use"
        )


def _partial(use: Use, period: Period | None) -> Iterator[str]:
    """What makes the mean day too low."""
    if period is None:
        return
    days = period.length // DAY
    if use.moments and days < 7 * FEW_WEEKS:
        begin, end = use.moments
        yield (
            f"the requests are from {begin:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}; the first and "
            "the last day count as whole days"
        )
    busy = len({way.day for way, one in use.sums.items() if any(one.counts)})
    if busy * 2 < days:
        yield (
            f"use on {days_of(busy)} of {days} only: if exports of a time between them are "
            "missing, give them too, or the mean day is too low"
        )


def _remarks_of_rows(use: Use, costs: Mapping[Way, Decimal | str]) -> Iterator[str]:
    batch = Tokens()
    by_rule = 0
    long_context = 0
    for way, sums in use.sums.items():
        tokens = sums.tokens
        if way.batch:
            batch = batch.and_more(tokens)
        if not _is_priced(way, costs):
            continue
        listed = listed_on(way.provider, way.model, way.day)
        assert isinstance(listed, ListPrice)
        if way.batch and listed.batch_input_price is None:
            by_rule += tokens.input + tokens.output
        if way.long_context and listed.long_context_input_price is None:
            long_context += tokens.input + tokens.output
    if any(batch):
        yield f"in batches: {batch.input:,} input and {batch.output:,} output tokens"
    if by_rule:
        yield (
            f"{by_rule:,} of them on days for which the list has no batch price: taken at half of "
            "the price, as OpenAI, Anthropic and Google bill batches"
        )
    if long_context:
        yield (
            f"{long_context:,} tokens of long prompts of models for which the list has one price "
            "for all prompts: taken at that price"
        )
    if use.without_requests and use.without_requests < use.rows:
        yield (
            f"{use.without_requests:,} of {use.rows:,} rows do not say how many requests: requests "
            "left out"
        )


def _is_priced(way: Way, costs: Mapping[Way, Decimal | str]) -> bool:
    """Whether the rows of a way are in the bill at prices of the list; what is free is at none."""
    return isinstance(costs.get(way), Decimal) and not way.free


def _of_priced(
    texts: Mapping[tuple[str, Way], int], costs: Mapping[Way, Decimal | str]
) -> dict[str, int]:
    """What is said of prices, of the rows alone that have one."""
    found: dict[str, int] = {}
    for (text, way), rows in texts.items():
        if _is_priced(way, costs):
            found[text] = found.get(text, 0) + rows
    return found


def _counted(texts: Mapping[str, int]) -> list[str]:
    return [
        f"{text} ({rows:,} row{'' if rows == 1 else 's'})" if rows else text
        for text, rows in sorted(texts.items())
    ]


def _without_price(use: Use, costs: Mapping[Way, Decimal | str]) -> Iterator[str]:
    found: dict[tuple[str, str, str], int] = {}
    for way, why in costs.items():
        if isinstance(why, str):
            key = (way.model or "use", way.provider or "", why)
            found[key] = found.get(key, 0) + sum(use.sums[way].counts)
    largest = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    for (model, provider, why), tokens in largest[:MOST_NAMED]:
        yield (
            f"no list price for {named(model, provider)}: {why}; its {tokens:,} tokens are in the "
            "tokens and not in the bill at list prices"
        )
    if len(largest) > MOST_NAMED:
        yield f"and {len(largest) - MOST_NAMED} more without a list price"


_CACHES = {
    "read": ("read from a cache", "cache reads", "too high by at most {}"),
    "written": (
        "written to a cache",
        "cache writes",
        "too high by at most {} if writing is free, and too low if it costs more than input",
    ),
}


def _caches_as_input(use: Use) -> Iterator[str]:
    """Cached tokens for which the list has no price, and how much too high the bill may be."""
    found: dict[tuple[str, str, str], AsInput] = {}
    for way, one in use.sums.items():
        for name, own in cached_as_input(way, one.tokens).items():
            key = (name, *name_on_list(way.provider, way.model, way.day))
            more = found.get(key, AsInput(0, Decimal(0)))
            found[key] = AsInput(own.tokens + more.tokens, own.billed + more.billed)
    largest = sorted(found.items(), key=lambda item: (-item[1].billed, item[0]))
    for (name, model, provider), own in largest[:MOST_NAMED]:
        what, price, wrong = _CACHES[name]
        yield (
            f"{named(model, provider)}: {own.tokens:,} tokens {what} are billed as input, for the "
            f"list has no price of {price} on those days; the bill at list prices may be "
            f"{wrong.format(f'{usd(own.billed)} USD')}"
        )
    if len(largest) > MOST_NAMED:
        yield f"and so are cached tokens of {len(largest) - MOST_NAMED} more"


def _nothing_in_whole_weeks(use: Use, period: Period | None, asked: Asked) -> Iterator[str]:
    """Classes of tokens that only the days outside of the whole weeks have."""
    for month in every_month(use, period, asked):
        if month.counted and not month.content["value"]:
            yield (
                f"{month.label}: {month.counted:,} in the file, none in its whole weeks; left out, "
                "for a month cannot be told from them"
            )


def _units(models: Sequence[Model], bill: Bill | None) -> Iterator[str]:
    """Bills that are so far from the list price that a unit must be wrong."""
    if bill and not any(one.billed for one in models):
        days = bill.compared
        likely = likely_unit(
            total(bill.billed[day] for day in days), total(bill.listed[day] for day in days)
        )
        if likely:
            yield likely
    for one in models:
        tokens = one.tokens.input + one.tokens.output
        if one.billed is None or not tokens:
            continue
        whose = named(one.name, one.provider)
        likely = likely_unit(one.billed, one.listed) if one.listed and one.whole else None
        if likely:
            yield f"{whose}: {likely}"
        elif one.billed / tokens > DEAREST_TOKEN:
            yield (
                f"{whose}: {usd(one.billed / tokens)} billed for a token, above {DEAREST_TOKEN}: a "
                "price for a million or for 1,000 tokens may stand as one for a token"
            )
