"""Use and costs of the OpenAI API: the exports of the console and the answers of the usage API.

``input_tokens`` includes the tokens read from a cache and, where they are told, those written to
one. The text of a row is told apart from its audio and images, which have prices of their own.
Reasoning is a part of the output that these files do not tell.
Source: https://platform.openai.com/docs/api-reference/usage and exports of 2025 and 2026.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from tco.readings.apis.api_bill import is_long
from tco.readings.apis.api_rows import (
    Fields,
    buckets_of,
    has_costs,
    table_rows,
    take_exports,
)
from tco.readings.apis.api_sums import REPEATED, Tokens, Use, Way, inside
from tco.readings.apis.api_use import REASONING_INSIDE, reading_of
from tco.readings.reading import Asked, Dropped, Head, Kind, Reading
from tco.readings.texts.cells import Place
from tco.readings.texts.spreadsheet import Sheet

PROVIDER = "openai"
BLANK = "blank: no use in that time"
BATCH_TIER = "batch"
"""The tier of requests in a batch, whose price is the batch's and no other."""
USUAL_TIERS = frozenset({"", "default", "standard", "auto", BATCH_TIER})
AUDIO_AND_IMAGES = {
    "input_audio_tokens": "audio, input",
    "input_cached_audio_tokens": "audio, input from a cache",
    "output_audio_tokens": "audio, output",
    "input_image_tokens": "images, input",
    "input_cached_image_tokens": "images, input from a cache",
    "output_image_tokens": "images, output",
}
OTHER_RESULTS = {
    "embeddings": ("input_tokens", "embeddings", "tokens"),
    "moderations": ("input_tokens", "moderations", "tokens"),
    "images": ("images", "images made", ""),
    "audio_speeches": ("characters", "speech", "characters"),
    "audio_transcriptions": ("seconds", "transcriptions", "seconds"),
    "vector_stores": ("usage_bytes", "file search storage", "bytes"),
    "code_interpreter_sessions": ("num_sessions", "code interpreter", "sessions"),
    "web_search_calls": ("num_requests", "web search", "calls"),
    "file_search_calls": ("num_requests", "file search", "calls"),
}
"""Results of the usage API that are no text of a model: what they count and what to call them."""


def is_usage(head: Head) -> bool:
    """Whether a file begins as an export of use, of the console or of either API."""
    if head.is_json:
        legacy = {"n_context_tokens_total", "n_generated_tokens_total"} <= head.keys
        return legacy or ("organization.usage." in head.text and "start_time" in head.keys)
    return {"start_time", "input_tokens", "num_model_requests"} <= set(head.columns)


def is_costs(head: Head) -> bool:
    """Whether a file begins as an export of costs."""
    if head.is_json:
        return "organization.costs.result" in head.text and "start_time" in head.keys
    return {"start_time", "amount_value", "amount_currency"} <= set(head.columns)


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """Use and costs together: costs are set beside the use of the same days.

    Raises ReadingError for a file that is neither, for amounts that are not in dollars, and for
    tokens that cannot be.
    """
    use = Use()
    dropped = take_exports(paths, asked, use, _read_page, _read_table)
    if use.rows:
        use.remark(REASONING_INSIDE, rows=0)
    return reading_of(KIND.title, paths, use, asked, sheets_dropped=dropped)


KIND = Kind("OpenAI usage and costs", lambda head: is_usage(head) or is_costs(head), read)


def _read_table(sheet: Sheet, use: Use) -> tuple[Dropped, ...]:
    if sheet.column("amount_value"):
        for name in ("start_time", "amount_currency"):
            sheet.need(name)
        for row in table_rows(sheet):
            first, last = _days(row)
            _add_amount(row, row.amount("amount_value"), row.text("amount_currency"), first, use)
            _cover_bills(use, first, last)
    else:
        for name in ("start_time", "model", "input_tokens", "output_tokens"):
            sheet.need(name)
        for row in table_rows(sheet):
            _add_row(row, *_days(row), use)
    return sheet.dropped


def _days(row: Fields) -> tuple[datetime, datetime]:
    """The first moment of a bucket and the last."""
    begin = row.moment("start_time") or row.moment("start_time_iso")
    if begin is None:
        raise row.place("start_time").refused(
            "no start of the bucket", "seconds since 1970, or 2026-06-29", "export the file again"
        )
    end = row.moment("end_time") or row.moment("end_time_iso")
    return begin, max(begin, end - timedelta(microseconds=1)) if end else begin


def _add_row(row: Fields, first: datetime, last: datetime, use: Use) -> None:
    """A row of the export of use, or a result of the usage API: the names are the same."""
    use.cover(first.date(), last.date())
    whole_input, output = row.whole("input_tokens"), row.whole("output_tokens")
    if whole_input is None and output is None:
        use.drop(BLANK, row.line)
        return
    if use.repeated(row.key):
        use.drop(REPEATED, row.line)
        return
    model = row.text("model")
    tokens = _text_tokens(row, whole_input or 0, output or 0, use)
    requests = row.whole("num_model_requests")
    tier = row.text("service_tier").casefold()
    long_context = _are_long(model, first, tokens.input, requests)
    way = Way(
        first.date(),
        PROVIDER,
        model,
        batch=row.true("batch") or tier == BATCH_TIER,
        long_context=bool(long_context),
        special="" if tier in USUAL_TIERS else f"service tier {tier}",
    )
    use.add(way, tokens, requests)
    if long_context is None:
        use.remark_price(
            "several requests in a row, to a model with another price for long prompts: taken as "
            "short ones",
            way,
        )


def _text_tokens(row: Fields, whole_input: int, output: int, use: Use) -> Tokens:
    """The tokens of text; those of audio and images are set apart.

    Where the row tells its text, that is its text not read from a cache, in the console's exports
    and in the API alike; the audio and the images stand beside it, and beside or in
    ``input_tokens``.
    """
    cached = row.whole("input_cached_tokens") or 0
    written = row.whole("input_cache_write_tokens") or 0
    tokens = inside(cached, Tokens(cache_write=written, visible=output), whole_input)
    if tokens is None:
        raise row.place("input_cached_tokens").refused(
            f"{cached + written:,} tokens read from a cache or written to one, of {whole_input:,} "
            "input tokens",
            "input_tokens that include them",
            "export the file again; other tools count the two beside each other",
        )
    others = {name: row.whole(name) or 0 for name in AUDIO_AND_IMAGES}
    for name, count in others.items():
        if count:
            use.set_apart(AUDIO_AND_IMAGES[name], count, "tokens")
    if not any(others.values()):
        return tokens
    text, text_out = row.whole("input_text_tokens"), row.whole("output_text_tokens")
    cached_text = row.whole("input_cached_text_tokens")
    return tokens._replace(
        uncached=tokens.uncached if text is None else min(text, tokens.uncached),
        cache_read=cached if cached_text is None else min(cached_text, cached),
        visible=output if text_out is None else min(text_out, output),
    )


def _are_long(model: str, day: datetime, tokens: int, requests: int | None) -> bool | None:
    """Whether the prompts are long; None where some of several in a row may be."""
    if not model or not is_long(PROVIDER, model, day.date(), tokens):
        return False
    if requests == 1:
        return True
    if requests and is_long(PROVIDER, model, day.date(), tokens // requests):
        return True
    return None


# ---------------------------------------------------------------------------------- costs


def _add_amount(
    row: Fields, amount: Decimal | None, currency: str, day: datetime, use: Use
) -> None:
    """An amount of the export of costs."""
    if amount is None:
        return
    if currency.casefold() != "usd":
        raise row.place("amount_currency").refused(
            f'"{currency[:20]}"', "usd", "export the costs in US dollars, as the list prices are"
        )
    if use.repeated(("cost", row.key)):
        use.drop(REPEATED, row.line)
        return
    item = row.text("line_item")
    if not item:
        use.bill(day.date(), amount)
        if amount:
            use.remark(
                "the costs are not split by line item: what is no text (images, audio, web search) "
                "is in the billed amounts",
                rows=0,
            )
        return
    model = text_model(item)
    if model is None:
        use.set_apart(item, billed=amount)
    else:
        use.bill(day.date(), amount, model)


def _cover_bills(use: Use, first: datetime, last: datetime) -> None:
    day = first.date()
    while day <= last.date():
        use.bill(day, Decimal(0))
        day += timedelta(days=1)


_NO_TEXT = re.compile(
    r"audio|image|video|speech|tts|whisper|transcri|embedding|moderation|realtime|dall|sora|"
    r"search|interpreter|storage|session|fine|train|container"
)
_TEXT_MODEL = re.compile(r"(gpt|chatgpt|o\d|codex|ft:|davinci|computer-use)")


def text_model(line_item: str) -> str | None:
    """The model whose text a line of the costs is of; None for anything else.

    >>> text_model("gpt-4o-2024-08-06, cached input"), text_model("GPT-4 Turbo")
    ('gpt-4o-2024-08-06', 'GPT-4 Turbo')
    >>> text_model("gpt-image-1 image, output"), text_model("web search tool calls")
    (None, None)
    """
    text = line_item.casefold()
    if _NO_TEXT.search(text) or not _TEXT_MODEL.match(text):
        return None
    return line_item.split(",")[0].strip()


# ------------------------------------------------------------------- answers of the API


def _read_page(value: object, place: Place, use: Use) -> None:
    """A page of the usage API, of the costs API, or of the usage API before them."""
    buckets = buckets_of(value, place, use, "the usage or the costs API")
    costs = any(has_costs(bucket) for bucket in buckets)
    for bucket in buckets:
        if not isinstance(bucket, Mapping):
            raise place.refused(
                f"{str(bucket)[:40]} in data", "buckets, { ... }", "save the whole answer again"
            )
        row = Fields(bucket, place.file, place.line or 1)
        if "n_context_tokens_total" in bucket or "snapshot_id" in bucket:
            _add_legacy(row, use)
        else:
            _read_bucket(row, costs, use)


def _read_bucket(bucket: Fields, costs: bool, use: Use) -> None:
    """A bucket of a page; one without results is of the kind of the page."""
    first, last = _days(bucket)
    if costs:
        _cover_bills(use, first, last)
    else:
        use.cover(first.date(), last.date())
    empty = True
    for result in _mappings(bucket.values.get("results"), bucket):
        empty = False
        values_of_row = {**bucket.values, "results": None, **result}
        row = Fields(values_of_row, bucket.place().file, bucket.line)
        name = row.text("object").removeprefix("organization.usage.").removesuffix(".result")
        if "amount" in result:
            amount = row.within("amount")
            _add_amount(row, amount.amount("value"), amount.text("currency"), first, use)
        elif name in OTHER_RESULTS:
            counted, line, unit = OTHER_RESULTS[name]
            use.set_apart(line, row.whole(counted) or 0, unit)
        else:
            _add_row(row, first, last, use)
    if empty and not costs:
        use.drop(BLANK, bucket.line)


def _mappings(results: object, bucket: Fields) -> Iterator[Mapping[str, object]]:
    if not isinstance(results, list):
        raise bucket.place("results").refused(
            "no list of results", "results: [ ... ]", "save the whole answer of the API"
        )
    for result in results:
        if not isinstance(result, Mapping):
            raise bucket.place("results").refused(
                f"{str(result)[:40]}", "results, { ... }", "save the whole answer of the API"
            )
        yield result


def _add_legacy(row: Fields, use: Use) -> None:
    """An entry of the usage API before 2025: a model in five minutes."""
    moment = row.moment("aggregation_timestamp")
    if moment is None:
        raise row.place("aggregation_timestamp").refused(
            "no time", "seconds since 1970", "save the whole answer of the API"
        )
    use.cover(moment.date(), moment.date())
    whole, output = row.whole("n_context_tokens_total"), row.whole("n_generated_tokens_total")
    if whole is None and output is None:
        use.drop("without tokens", row.line)
        return
    cached = row.whole("n_cached_context_tokens_total") or 0
    tokens = inside(cached, Tokens(visible=output or 0), whole or 0)
    if tokens is None:
        raise row.place("n_cached_context_tokens_total").refused(
            f"{cached:,} cached of {whole or 0:,} context tokens",
            "n_context_tokens_total that includes them",
            "save the answer of the API again",
        )
    model = row.text("snapshot_id")
    way = Way(moment.date(), PROVIDER, model, batch="batch" in row.text("operation").casefold())
    use.add(way, tokens, row.whole("n_requests"))
