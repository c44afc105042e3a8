"""Use of models by way of OpenRouter: the log of its activity page, one row a request.

``tokens_prompt`` includes ``tokens_cached``, ``tokens_completion`` includes ``tokens_reasoning``.
``cost_total`` is what OpenRouter took, ``byok_usage_inference`` what a provider took for a request
with a key of one's own.
Source: https://openrouter.ai/docs, activity export and /api/v1/activity; exports of 2025 and 2026.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from tco.readings.apis.api_bill import is_long
from tco.readings.apis.api_rows import Fields, table_rows
from tco.readings.apis.api_sums import REPEATED, Tokens, Use, Way, inside
from tco.readings.apis.api_use import reading_of
from tco.readings.reading import Asked, Dropped, Head, Kind, Reading
from tco.readings.texts.cells import Place
from tco.readings.texts.json_values import begins_as_json, values
from tco.readings.texts.spreadsheet import Sheet

PROVIDER = "openrouter"
USUAL_VARIANTS = frozenset({"", "standard"})
APART = {"cost_web_search": "web search", "cost_file_processing": "file processing"}
SPEND_BY_MODEL = {"spend", "total spend", "cost"}


def is_log(head: Head) -> bool:
    """Whether a file begins as a log of requests, or as the activity of days of the API."""
    if head.is_json:
        return {"byok_usage_inference", "prompt_tokens"} <= head.keys
    return {"generation_id", "created_at", "tokens_prompt"} <= set(head.columns)


def is_spend(head: Head) -> bool:
    """Whether a file is the dashboard's spend by model, which has no tokens."""
    if head.is_json or len(head.columns) > 3:
        return False
    return head.columns[0] in ("model", "model name") and bool(SPEND_BY_MODEL & set(head.columns))


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """The requests of all files, each once.

    Raises ReadingError for the dashboard's spend by model, which has neither tokens nor days, and
    for tokens that cannot be.
    """
    use = Use()
    dropped: list[Dropped] = []
    for path in paths:
        if begins_as_json(path):
            for line, value in values(path, asked.progress):
                _read_days(value, Place(str(path), line), use)
            continue
        sheet = Sheet(path, asked)
        if sheet.column("generation_id") is None:
            raise sheet.place().refused(
                "the spend by model of the dashboard, without tokens and without days",
                "the log of requests, with generation_id, created_at and tokens_prompt",
                "export the log: openrouter.ai/activity, the menu at the top, Export as CSV",
            )
        for name in ("created_at", "tokens_prompt", "tokens_completion", "model_permaslug"):
            sheet.need(name)
        for row in table_rows(sheet):
            _add_request(row, use)
        dropped += sheet.dropped
    for way in use.sums:
        use.remark_price(
            "OpenRouter lists one price for a model; the provider that served may ask another",
            way,
            rows=0,
        )
    return reading_of(KIND.title, paths, use, asked, rows_are="requests", sheets_dropped=dropped)


KIND = Kind("OpenRouter activity", lambda head: is_log(head) or is_spend(head), read)


def _add_request(row: Fields, use: Use) -> None:
    moment = row.moment("created_at")
    if moment is None:
        raise row.place("created_at").refused(
            "no time", "a time as 2026-06-28 03:46:57.713", "export the log again"
        )
    own = row.text("generation_id")
    if own and use.repeated(own):
        use.drop("a generation_id that was there before", row.line)
        return
    prompt, completion = row.whole("tokens_prompt") or 0, row.whole("tokens_completion") or 0
    billed = _billed(row, use)
    use.cover(moment.date(), moment.date())
    if row.true("cancelled"):
        if not prompt and not completion and not billed:
            use.drop("cancelled, without tokens and cost", row.line)
            return
        use.remark("cancelled, with tokens or a cost: counted")
    tokens = _tokens(
        row,
        prompt,
        row.whole("tokens_cached") or 0,
        completion,
        row.whole("tokens_reasoning") or 0,
        ("tokens_cached", "tokens_reasoning"),
    )
    model, variant = row.text("model_permaslug"), row.text("variant").casefold()
    long_context = is_long(PROVIDER, model, moment.date(), prompt)
    way = Way(
        moment.date(),
        PROVIDER,
        model,
        long_context=long_context,
        special="" if variant in USUAL_VARIANTS | {"free"} else f"variant {variant}",
        free=variant == "free",
    )
    use.add(way, tokens, 1, billed, moment)
    maker, _, name = model.partition("/")
    if not long_context and is_long(maker, name, moment.date(), prompt):
        use.warn_price(
            "a prompt so long that the model's maker asks more for it; OpenRouter's list has no "
            "such price, and the bill at list prices may be too low",
            way,
        )


def _billed(row: Fields, use: Use) -> Decimal | None:
    """What the tokens of a request cost: without searches and files, with what was paid elsewhere.

    ``cost_cache`` is a part of the cost of the tokens: below 0 a discount.
    """
    total, elsewhere = row.amount("cost_total"), row.amount("byok_usage_inference")
    if elsewhere:
        use.remark(
            "sent with a key of your own: what the provider took is in the billed amounts, beside "
            "what OpenRouter took"
        )
    if total is None and elsewhere is None:
        return None
    billed = (total or Decimal(0)) + (elsewhere or Decimal(0))
    for name, line in APART.items():
        amount = row.amount(name)
        if amount:
            use.set_apart(line, billed=amount)
            billed -= amount
    return billed


def _tokens(
    row: Fields,
    prompt: int,
    cached: int,
    completion: int,
    reasoning: int,
    names: tuple[str, str],
) -> Tokens:
    tokens = inside(cached, Tokens(visible=completion - reasoning, reasoning=reasoning), prompt)
    if tokens is None:
        raise row.place(names[0]).refused(
            f"{cached:,} cached of {prompt:,} prompt tokens",
            "a prompt that includes its cached tokens",
            "export the file again, or delete the row",
        )
    if reasoning > completion:
        raise row.place(names[1]).refused(
            f"{reasoning:,} reasoning of {completion:,} completion tokens",
            "a completion that includes its reasoning",
            "export the file again, or delete the row",
        )
    return tokens


def _read_days(value: object, place: Place, use: Use) -> None:
    """The answer of /api/v1/activity: a day, a model and a provider in each entry."""
    entries = value.get("data", [value]) if isinstance(value, Mapping) else None
    for entry in entries if isinstance(entries, list) else [None]:
        if not isinstance(entry, Mapping) or "prompt_tokens" not in entry:
            raise place.refused(
                "JSON without the activity of days",
                "data with date, model and prompt_tokens",
                "save the whole answer of /api/v1/activity",
            )
        row = Fields(entry, place.file, place.line or 1)
        day = row.need_day("date")
        if use.repeated(row.key):
            use.drop(REPEATED, row.line)
            continue
        tokens = _tokens(
            row,
            row.whole("prompt_tokens") or 0,
            0,
            row.whole("completion_tokens") or 0,
            row.whole("reasoning_tokens") or 0,
            ("prompt_tokens", "reasoning_tokens"),
        )
        usage, elsewhere = row.amount("usage"), row.amount("byok_usage_inference")
        # the API writes the variant behind the name
        model, _, variant = (row.text("model_permaslug") or row.text("model")).partition(":")
        way = Way(
            day,
            PROVIDER,
            model,
            special="" if variant in USUAL_VARIANTS | {"free"} else f"variant {variant}",
            free=variant == "free",
        )
        billed = None if usage is None else usage + (elsewhere or Decimal(0))
        use.add(way, tokens, row.whole("requests"), billed)
        use.remark_price(
            "cached tokens are not told: at list prices all input is billed as uncached",
            way,
            rows=0,
        )
