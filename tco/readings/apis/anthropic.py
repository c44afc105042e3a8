"""Use and costs of the Claude API: the exports of the console and the answers of the Admin API.

The columns of input tokens do not overlap: not from a cache, written to one for five minutes or
for an hour, read from one. Thinking is a part of the output that these files do not tell.
Source: https://platform.claude.com/docs/en/api/admin/usage_report and .../cost_report, exports of
2025 and 2026.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

from tco.readings.apis.api_rows import (
    Fields,
    buckets_of,
    has_costs,
    table_rows,
    take_exports,
)
from tco.readings.apis.api_sums import REPEATED, Tokens, Use, Way
from tco.readings.apis.api_use import REASONING_INSIDE, reading_of
from tco.readings.reading import Asked, Dropped, Head, Kind, Reading
from tco.readings.texts.cells import Place
from tco.readings.texts.spreadsheet import Sheet

PROVIDER = "anthropic"
WEB_SEARCH_PRICE = Decimal("0.01")
"""USD for a search: 10 for 1,000 (Anthropic, web search tool, on pricing)."""
CENTS = Decimal(100)
SINGLE_WRITE = "usage_input_tokens_cache_write"
USUAL = frozenset({"", "standard", "not_available", "message", "global", "not_specified"})
WEB_SEARCHES = "web search"


def is_usage(head: Head) -> bool:
    """Whether a file begins as an export of use, of the console or of the Admin API."""
    if head.is_json:
        return "uncached_input_tokens" in head.keys
    return "usage_input_tokens_no_cache" in head.columns


def is_costs(head: Head) -> bool:
    """Whether a file begins as an export of costs."""
    if head.is_json:
        return {"starting_at", "amount", "cost_type"} <= head.keys
    return {"usage_date_utc", "token_type", "cost_usd"} <= set(head.columns)


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """Use and costs together: costs are set beside the use of the same days.

    Raises ReadingError for a file that is neither, and for tokens that cannot be.
    """
    use = Use()
    dropped = take_exports(paths, asked, use, _read_page, _read_table)
    if use.rows:
        use.remark(REASONING_INSIDE, rows=0)
    return reading_of(KIND.title, paths, use, asked, sheets_dropped=dropped)


KIND = Kind("Anthropic usage and costs", lambda head: is_usage(head) or is_costs(head), read)


def _read_table(sheet: Sheet, use: Use) -> tuple[Dropped, ...]:
    if sheet.column("cost_usd"):
        for row in table_rows(sheet):
            _add_cost(row, row.need_day("usage_date_utc"), row.amount("cost_usd"), use)
    else:
        for name in ("usage_date_utc", "model_version", "usage_output_tokens"):
            sheet.need(name)
        single = sheet.column(SINGLE_WRITE) is not None
        for row in table_rows(sheet):
            _add_row(row, single, use)
    return sheet.dropped


def _add_row(row: Fields, single: bool, use: Use) -> None:
    day = row.need_day("usage_date_utc")
    write = row.whole("usage_input_tokens_cache_write_5m") or 0
    if single and not write:
        write = row.whole(SINGLE_WRITE) or 0
        if write:
            use.remark("how long a cache was written for is not told: taken as 5 minutes")
    tokens = Tokens(
        uncached=row.whole("usage_input_tokens_no_cache") or 0,
        cache_read=row.whole("usage_input_tokens_cache_read") or 0,
        cache_write=write,
        cache_write_hour=row.whole("usage_input_tokens_cache_write_1h") or 0,
        visible=row.whole("usage_output_tokens") or 0,
    )
    _add_use(
        row,
        day,
        row.text("model_version"),
        tokens,
        row.whole("web_search_count") or 0,
        row.text("usage_type"),
        use,
    )


def _add_use(
    row: Fields, day: date, model: str, tokens: Tokens, searches: int, tier: str, use: Use
) -> None:
    use.cover(day, day)
    if use.repeated(row.key):
        use.drop(REPEATED, row.line)
        return
    if searches:
        use.set_apart(WEB_SEARCHES, searches, "searches", listed=searches * WEB_SEARCH_PRICE)
    way = Way(
        day,
        PROVIDER,
        model,
        batch=tier.casefold() == "batch",
        long_context=_is_long(row),
        special=_special(tier, row.text("speed"), row.text("inference_geo")),
    )
    use.add(way, tokens, None)


def _is_long(row: Fields) -> bool:
    """Whether the prompts have more than 200,000 tokens: ``> 200k`` or ``200k-1M``, not ``≤ 200k``.

    Raises ReadingError for a window that is none of those known.
    """
    window = row.text("context_window").casefold().replace(" ", "")
    if window in (">200k", "200k-1m", ">=200k"):
        return True
    if window in ("", "≤200k", "<=200k", "0-200k", "<200k", "null", "none", "not_available"):
        return False
    raise row.place("context_window").refused(
        f'"{row.text("context_window")[:40]}"',
        "≤ 200k or > 200k: longer prompts may have prices of their own",
        "export the file again, as UTF-8; or write one of the two",
    )


def _special(tier: str, speed: str, place: str) -> str:
    """What the list has no price for: a priority tier, fast serving, a place that costs more."""
    parts = [
        f"{what} {text}"
        for what, text, usual in (
            ("service tier", tier.casefold(), USUAL | {"batch"}),
            ("speed", speed.casefold(), USUAL),
            ("inference in", place.casefold(), USUAL),
        )
        if text not in usual
    ]
    return " and ".join(parts)


def _add_cost(row: Fields, day: date, amount: Decimal | None, use: Use) -> None:
    if amount is None:
        use.bill(day, Decimal(0))
        return
    if use.repeated(row.key):
        use.drop(REPEATED, row.line)
        return
    kind = row.text("cost_type").casefold().removesuffix("s")
    if kind in ("", "token", "standard"):
        use.bill(day, amount, row.text("model") or None)
    else:
        use.set_apart(kind.replace("_", " "), billed=amount)
        use.bill(day, Decimal(0))


# ------------------------------------------------------------------- answers of the API


def _read_page(value: object, place: Place, use: Use) -> None:
    """A page of the usage report or of the cost report."""
    buckets = buckets_of(value, place, use, "the usage or the cost report")
    costs = any(has_costs(bucket) for bucket in buckets)
    for bucket in buckets:
        for day, row in _results(bucket, costs, place, use):
            if "amount" in row.values:
                _add_cents(row, day, use)
            else:
                _add_result(row, day, use)


def _results(bucket: object, costs: bool, place: Place, use: Use) -> Iterator[tuple[date, Fields]]:
    """The results of a bucket with its day; one without results is of the kind of its page."""
    results = bucket.get("results") if isinstance(bucket, Mapping) else None
    if not isinstance(bucket, Mapping) or not isinstance(results, list):
        raise place.refused(
            f"{str(bucket)[:40]} in data",
            "buckets with starting_at, ending_at and results",
            "save the whole answer of the API",
        )
    own = Fields(bucket, place.file, place.line or 1)
    begin = own.moment("starting_at")
    if begin is None:
        raise own.place("starting_at").refused(
            "no time", "2026-06-29T00:00:00Z", "save the whole answer of the API"
        )
    end = own.moment("ending_at") or datetime.combine(begin.date(), time()) + timedelta(days=1)
    if costs:
        use.bill(begin.date(), Decimal(0))
    else:
        use.cover(begin.date(), max(begin, end - timedelta(microseconds=1)).date())
    if not results and not costs:
        use.drop("blank: no use in that time", own.line)
    for result in results:
        if not isinstance(result, Mapping):
            raise place.refused(
                f"{str(result)[:40]} in results", "results, { ... }", "save the answer again"
            )
        # the hour or minute of the bucket belongs to the row: two may be equal but for it
        yield (
            begin.date(),
            Fields({**result, "starting_at": bucket.get("starting_at")}, place.file, own.line),
        )


def _add_result(row: Fields, day: date, use: Use) -> None:
    creation = row.within("cache_creation")
    tokens = Tokens(
        uncached=row.whole("uncached_input_tokens") or 0,
        cache_read=row.whole("cache_read_input_tokens") or 0,
        cache_write=creation.whole("ephemeral_5m_input_tokens") or 0,
        cache_write_hour=creation.whole("ephemeral_1h_input_tokens") or 0,
        visible=row.whole("output_tokens") or 0,
    )
    searches = row.within("server_tool_use").whole("web_search_requests") or 0
    _add_use(row, day, row.text("model"), tokens, searches, row.text("service_tier"), use)


def _add_cents(row: Fields, day: date, use: Use) -> None:
    if row.text("currency").casefold() not in ("", "usd"):
        raise row.place("currency").refused(
            f'"{row.text("currency")[:20]}"', "USD", "export the costs in US dollars"
        )
    cents = row.amount("amount")
    _add_cost(row, day, None if cents is None else cents / CENTS, use)
