"""The price list of LiteLLM, ``model_prices_and_context_window.json``.

Prices are USD for one token, as floats: read exactly and multiplied by a million. The first entry
(``sample_spec``) is documentation. Keys that end in ``_batches``, ``_flex`` and ``_priority`` are
of other ways of sending the work, ``_above_200k_tokens`` and the like of long prompts; they are
never taken for the price itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from tco.readings.prices.model_prices import MILLION, ModelPrice, reading_of
from tco.readings.prices.offers import LeftOut
from tco.readings.reading import Asked, Head, Kind, Reading, ReadingError
from tco.readings.texts.json_numbers import exact
from tco.readings.texts.json_values import values

TITLE = "price list of LiteLLM (model_prices_and_context_window.json)"
OTHERWISE = "no price by the token: by image, second, page, or none at all"
TIERED = "prices by tiers of the length of a prompt (tiered_pricing), which are not read"
NEXT = "give model_prices_and_context_window.json of LiteLLM"

KEYS = {
    "output_price": "output_cost_per_token",
    "input_price": "input_cost_per_token",
    "cache_read_price": "cache_read_input_token_cost",
    "cache_write_price": "cache_creation_input_token_cost",
    "cache_write_1h_price": "cache_creation_input_token_cost_above_1hr",
}
_LONG = re.compile(r"(?:input|output)_cost_per_token_above_(\d+)(k?)_tokens")
_OTHER_WAYS = {
    "batch": re.compile(r"_batches$"),
    "flex": re.compile(r"_flex$"),
    "priority": re.compile(r"_priority$"),
}


def recognises(head: Head) -> bool:
    """Whether this is the list, by the keys of its entries."""
    return "litellm_provider" in head.keys and not {"request_id", "spend"} & head.keys


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """The prices of the models.

    Raises ReadingError for a file that is cut off, is not the list, or has no model with a price.
    """
    left_out = LeftOut()
    models: list[ModelPrice] = []
    ways = Counter[str]()
    bands = 0
    for path in paths:
        for name, entry in _entries(path, asked):
            if name == "sample_spec":
                left_out.add("sample_spec, which explains the file")
                continue
            if not isinstance(entry, dict):
                left_out.add("no entry of a model")
                continue
            prices = _prices(entry, KEYS)
            if prices is None:
                left_out.add("a price that is no number, or below 0")
                continue
            if not {"output_price", "input_price"} & prices.keys():
                left_out.add(TIERED if entry.get("tiered_pricing") else OTHERWISE)
                continue
            provider = str(entry.get("litellm_provider") or "not told")
            above, long, count = _long_context(entry)
            models.append(
                ModelPrice(provider, _model(name, provider), prices, above=above, long=long or None)
            )
            bands += count > 1
            ways.update(
                way for way, key in _OTHER_WAYS.items() if any(key.search(one) for one in entry)
            )
    return reading_of(
        TITLE,
        paths,
        models,
        left_out,
        unit="in USD for one token",
        remarks=(
            "prices are for one token in the file; shown and written for a million",
            *_remarks(models, ways, bands),
        ),
        next_step=NEXT,
    )


def _entries(path: Path, asked: Asked) -> Iterable[tuple[str, Any]]:
    found = [each.value for each in values(path, asked.progress)]
    if len(found) != 1 or not isinstance(found[0], dict):
        raise ReadingError(
            str(path),
            None,
            None,
            "JSON that is not one object",
            "an object with an entry for each model",
            NEXT,
        )
    return found[0].items()


def _prices(entry: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Decimal] | None:
    """The prices of a million tokens, without those not told; None if one is no price."""
    prices = {}
    for name, key in keys.items():
        value = entry.get(key)
        if value is None or value == "":
            continue
        price = exact(value)
        if price is None or price < 0:
            return None
        prices[name] = price * MILLION
    return prices


def _model(name: str, provider: str) -> str:
    """The name without its provider before it.

    >>> _model("gemini/gemini-2.5-pro", "gemini"), _model("azure/eu/gpt-4o", "azure")
    ('gemini-2.5-pro', 'eu/gpt-4o')
    """
    return name.removeprefix(f"{provider}/")


def _long_context(entry: Mapping[str, Any]) -> tuple[int | None, dict[str, Decimal], int]:
    """The shortest prompt with prices of its own, these prices, and how many such lengths."""
    lengths = {
        int(found[1]) * (1000 if found[2] else 1): f"_above_{found[1]}{found[2]}_tokens"
        for key in entry
        if (found := _LONG.fullmatch(key)) and len(found[1]) < 10
    }
    if not lengths:
        return None, {}, 0
    above = min(lengths)
    keys = {name: KEYS[name] + lengths[above] for name in ("output_price", "input_price")}
    prices = _prices(entry, keys)
    return (above, prices, len(lengths)) if prices else (None, {}, 0)


def _remarks(models: Sequence[ModelPrice], ways: Mapping[str, int], bands: int) -> Iterable[str]:
    if ways:
        listed = ", ".join(f"{count} for {way}" for way, count in ways.items())
        yield f"models with prices of their own that are not written: {listed}"
    tiers = sum(one.above is not None for one in models)
    if tiers:
        yield (
            "models with other prices for long prompts, to be written by hand as long_context: "
            f"{tiers}"
        )
    if bands:
        yield f"of these, models with several such lengths, the shortest of which is used: {bands}"


KIND = Kind(TITLE, recognises, read)
