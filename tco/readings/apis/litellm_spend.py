"""Use by way of the LiteLLM proxy: its spend logs, one entry a request.

``prompt_tokens`` includes what was read from a cache and written to one, ``completion_tokens``
includes the reasoning; some versions and providers count them beside each other, which the sums
of an entry tell. ``cache_hit`` is the proxy's own cache: such an answer went to no provider.
Source: https://docs.litellm.ai/docs/proxy/logging_spec and the table LiteLLM_SpendLogs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from tco.prices.list_prices import ListPrice
from tco.readings.apis.api_bill import is_long, listed_on
from tco.readings.apis.api_rows import Fields, table_rows
from tco.readings.apis.api_sums import Tokens, Use, Way, inside
from tco.readings.apis.api_use import reading_of
from tco.readings.prices.providers import sold_by
from tco.readings.reading import Asked, Dropped, Head, Kind, Reading
from tco.readings.texts.cells import Place
from tco.readings.texts.json_values import begins_as_json, values
from tco.readings.texts.spreadsheet import Sheet

BATCH = "retrieve_batch"
RETRIEVED = (BATCH, "get_responses")
"""Calls that fetch what was billed before: each of them may be logged again."""
NO_TEXT = ("embedding", "image", "transcription", "speech", "rerank", "moderation", "ocr", "video")


def recognises(head: Head) -> bool:
    """Whether a file begins as spend logs, in JSON or as a table of the database."""
    names = head.keys if head.is_json else frozenset(head.columns)
    return {"request_id", "spend"} <= names and bool(
        {"total_tokens", "startTime", "starttime", "call_type"} & names
    )


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """The requests of all files, each once.

    Raises ReadingError for a file that is no spend log, and for tokens that cannot be.
    """
    use = Use()
    dropped: list[Dropped] = []
    for path in paths:
        if begins_as_json(path):
            for line, value in values(path, asked.progress):
                for row in _entries(value, Place(str(path), line)):
                    _add_entry(row, use)
        else:
            sheet = Sheet(path, asked)
            for name in ("request_id", "spend", "prompt_tokens", "completion_tokens", "startTime"):
                sheet.need(name)
            for row in table_rows(sheet):
                _add_entry(row, use)
            dropped += sheet.dropped
    return reading_of(KIND.title, paths, use, asked, rows_are="requests", sheets_dropped=dropped)


KIND = Kind("LiteLLM spend logs", recognises, read)


def _entries(value: object, place: Place) -> Iterator[Fields]:
    """The entry, or those of a page of the logs."""
    page = value.get("data", [value]) if isinstance(value, Mapping) else [value]
    for entry in page if isinstance(page, list) else [page]:
        if not isinstance(entry, Mapping) or "spend" not in entry:
            raise place.refused(
                f"{str(entry)[:60]}",
                "entries with request_id, model, spend and tokens",
                "export the table LiteLLM_SpendLogs, or save the answer of /spend/logs",
            )
        yield Fields(entry, place.file, place.line or 1)


def _add_entry(row: Fields, use: Use) -> None:
    call = row.text("call_type").casefold()
    own = row.text("request_id")
    if own and use.repeated(own, always=any(name in call for name in RETRIEVED)):
        use.drop("a request_id that was there before", row.line)
        return
    spend = row.amount("spend")
    metadata = _metadata(row)
    if "failure" in (row.text("status").casefold(), metadata.text("status").casefold()):
        use.drop("failed", row.line)
        if spend:
            use.set_apart("failed requests", 1, "requests", billed=spend)
        return
    total = row.whole("total_tokens")
    prompt, completion = row.whole("prompt_tokens"), row.whole("completion_tokens")
    moment = row.moment("starttime") or row.moment("startTime")
    if not prompt and not completion:
        if spend or total:
            line = "batches, whose tokens are not told" if "batch" in call else call or "other"
            use.set_apart(line, total or 0, "tokens", billed=spend)
            use.drop(f"{line}: set apart", row.line)
        else:
            use.drop("without tokens and spend", row.line)
        return
    if any(name in call for name in NO_TEXT):
        use.set_apart(call, prompt or 0, "tokens", billed=spend)
        use.drop(f"{call}: set apart", row.line)
        return
    if moment is None:
        raise row.place("startTime").refused(
            "no time", "a time as 2026-03-28T10:00:00", "export the entry with its startTime"
        )
    usage = metadata.within("usage_object")
    if prompt is None or completion is None:
        lacking = "prompt_tokens" if prompt is None else "completion_tokens"
        part = _rest(total, prompt or completion or 0, usage)
        if part is None:
            line = f"requests without {lacking}"
            use.set_apart(line, total or prompt or completion or 0, "tokens", billed=spend)
            use.drop(f"no {lacking}, and total_tokens does not tell them: set apart", row.line)
            return
        use.remark(f"no {lacking}: taken as total_tokens less the others")
        prompt = part if prompt is None else prompt
        completion = part if completion is None else completion
    tokens = _tokens(row, usage, prompt, completion, use)
    use.cover(moment.date(), moment.date())
    if row.text("cache_hit").casefold() == "true":
        use.set_apart(
            "answered from the proxy's own cache",
            tokens.input + tokens.output,
            "tokens",
            billed=spend,
        )
        use.drop("answered from the proxy's own cache", row.line)
        return
    provider, model = _names(
        row.text("custom_llm_provider"),
        row.text("model") or row.text("model_group"),
        moment.date().replace(day=1),
    )
    way = Way(
        moment.date(),
        provider,
        model,
        batch=BATCH in call,
        long_context=is_long(provider, model, moment.date(), tokens.input),
    )
    use.add(way, tokens, 1, spend, moment)
    if provider is None:
        use.remark_price("who served is not told: taken at the prices of the model's maker", way)


def _rest(total: int | None, known: int, usage: Fields) -> int | None:
    """What of all tokens is not the part that is known; None where the two do not tell.

    With reasoning told that may stand beside the output, three numbers add up to the total.
    """
    reasoning = usage.within("completion_tokens_details").whole("reasoning_tokens") or 0
    rest = (total or 0) - known
    # an answer without a token is none, and so is one to nothing
    return rest if rest > 0 and reasoning <= max(rest, known) else None


def _metadata(row: Fields) -> Fields:
    """The metadata of an entry; a table of the database has them as a text of JSON."""
    value = row.values.get("metadata")
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value, parse_float=Decimal)
        except (ValueError, RecursionError):
            raise row.place("metadata").refused(
                f"{value[:40]}, no JSON", "metadata as JSON", "export the table again"
            ) from None
        return Fields({"metadata": value}, row.place().file, row.line).within("metadata")
    return row.within("metadata")


def _tokens(row: Fields, usage: Fields, prompt: int, completion: int, use: Use) -> Tokens:
    details = usage.within("prompt_tokens_details")
    read = (
        usage.whole("cache_read_input_tokens")
        or details.whole("cached_tokens")
        or row.whole("cache_read_input_tokens")
        or 0
    )
    written = (
        usage.whole("cache_creation_input_tokens")
        or details.whole("cache_creation_tokens")
        or row.whole("cache_creation_input_tokens")
        or 0
    )
    hour = (
        details.within("cache_creation_token_details").whole("ephemeral_1h_input_tokens")
        or usage.within("cache_creation").whole("ephemeral_1h_input_tokens")
        or 0
    )
    hour = min(hour, written) if written else hour
    reasoning = usage.within("completion_tokens_details").whole("reasoning_tokens") or 0
    total = row.whole("total_tokens")
    beside = reasoning > completion or (reasoning > 0 and total == prompt + completion + reasoning)
    if beside:
        use.remark("reasoning stands beside completion_tokens: added to the output")
    out = Tokens(
        cache_write=max(written - hour, 0),
        cache_write_hour=hour,
        visible=completion if beside else completion - reasoning,
        reasoning=reasoning,
    )
    tokens = inside(read, out, prompt)
    if tokens is None:
        use.warn(
            "more tokens from and to caches than prompt_tokens: there they stand beside each other "
            "and are read so; other requests of that version of the proxy may have more input than "
            "was read here"
        )
        return out._replace(uncached=prompt, cache_read=read)
    return tokens


@lru_cache(4096)
def _names(provider: str, model: str, day: date) -> tuple[str | None, str]:
    """The provider and the model, as the list may know them; never another provider's model."""
    name, own = sold_by(provider, model)
    # bedrock/us-east-1/model: the region is no part of the name
    last = own.rpartition("/")[2]
    for candidate in (own, last):
        if isinstance(listed_on(name, candidate, day), ListPrice):
            return name, candidate
    return name, own
