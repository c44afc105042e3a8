"""The models of OpenRouter (``/api/v1/models``), or of a gateway that answers like it.

OpenRouter states USD for one token, as texts of digits: ``""`` is no price and ``-1`` one that
depends on the model that answers. Other gateways state their ``unit`` and ``currency``; one that
is not known here is refused by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from tco.readings.prices.model_prices import MILLION, ModelPrice, reading_of
from tco.readings.prices.offers import LeftOut
from tco.readings.reading import Asked, Head, Kind, Reading, ReadingError
from tco.readings.texts.json_numbers import exact
from tco.readings.texts.json_values import values

TITLE = "list of models of OpenRouter (/api/v1/models)"
PROVIDER = "openrouter"
NEXT = "save it again: curl https://openrouter.ai/api/v1/models > models.json"

KEYS = {
    "output_price": ("completion", "output"),
    "input_price": ("prompt", "input"),
    "cache_read_price": ("input_cache_read", "cache_read", "cached_input"),
    "cache_write_price": ("input_cache_write", "cache_write"),
    "cache_write_1h_price": ("input_cache_write_1h", "cache_write_1h"),
}
UNITS = {
    "per_token": 1,
    "per_1k_tokens": 1_000,
    "per_1k": 1_000,
    "per_1000_tokens": 1_000,
    "per_thousand_tokens": 1_000,
    "per_1m_tokens": MILLION,
    "per_1m": MILLION,
    "per_m_tokens": MILLION,
    "per_million_tokens": MILLION,
    "per_million": MILLION,
}
"""How many tokens a price is for, by the names of its unit."""


@dataclass(frozen=True)
class _Unit:
    """How many tokens a price is for, in what currency, and whether the file says so."""

    tokens: int
    currency: str
    stated: bool

    @property
    def text(self) -> str:
        """The unit in words."""
        tokens = {1: "one token", 1_000: "a thousand tokens", MILLION: "a million tokens"}
        return f"in {self.currency} for {tokens[self.tokens]}"


def recognises(head: Head) -> bool:
    """Whether these are models with ``pricing`` of prompts and completions."""
    keys = head.keys
    sides = {"prompt", "completion"} & keys or {"input", "output"} <= keys
    return bool("pricing" in keys and sides and {"id", "model"} & keys) or (
        "unit" in keys and "models" in keys and {"input", "output"} <= keys
    )


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """The prices of the models.

    Raises ReadingError for a file that is cut off, is no list of models, has prices in a unit or
    a currency that is not known, or has no model with a price.
    """
    left_out = LeftOut()
    models: list[ModelPrice] = []
    notes = Counter[str]()
    units: dict[str, None] = {}
    for path in paths:
        for line, row, above in _models(path, asked):
            pricing = row.get("pricing", row)
            name = row.get("id") or row.get("model") or row.get("name")
            if not isinstance(pricing, dict) or not isinstance(name, str) or not name.strip():
                left_out.add("no model with its prices", line)
                continue
            unit = _unit(path, line, name, (pricing, row, above))
            units[unit.text] = None
            provider = PROVIDER if not unit.stated else "not told"
            found = _model_price(name, provider, pricing, unit, line, notes)
            if isinstance(found, str):
                left_out.add(found, line)
            else:
                models.append(found)
    return reading_of(
        TITLE,
        paths,
        models,
        left_out,
        unit=next(iter(units), "in USD for one token"),
        remarks=(
            f"prices are {' and '.join(units) or 'not there'} in the file; shown and written for "
            "a million",
            *(f"{what}: {count}" for what, count in notes.items()),
        ),
        next_step=NEXT,
    )


def _models(
    path: Path, asked: Asked
) -> Iterable[tuple[int | None, Mapping[str, Any], Mapping[str, Any]]]:
    """Each model with its line, where known, and what stands around the list."""
    found = [*values(path, asked.progress)]
    above: Mapping[str, Any] = {}
    rows: list[tuple[int | None, Any]] = [(each.line, each.value) for each in found]
    if len(found) == 1 and isinstance(found[0].value, dict):
        above = found[0].value
        if "price_table" in above:
            raise ReadingError(
                str(path),
                None,
                "price_table",
                "prices by group, each with a multiplier",
                "one price for each model",
                "write the prices of your own group into the scenario",
            )
        listed = above.get("data", above.get("models", [above]))
        if isinstance(listed, dict):
            listed = [{"id": name, **row} for name, row in listed.items() if isinstance(row, dict)]
        if not isinstance(listed, list):
            raise _no_list(path)
        rows = [(None, row) for row in listed]
    if not rows:
        raise _no_list(path)
    return [(line, row if isinstance(row, dict) else {}, above) for line, row in rows]


def _no_list(path: Path) -> ReadingError:
    return ReadingError(
        str(path), None, None, "no list of models", 'a list of models under "data"', NEXT
    )


def _unit(path: Path, line: int | None, name: str, places: Sequence[Mapping[str, Any]]) -> _Unit:
    """The unit of a model's prices: as it says itself, else as the list says."""
    unit = next((place["unit"] for place in places if place.get("unit")), None)
    currency = next((place["currency"] for place in places if place.get("currency")), None)
    spelt = re.sub(r"[\s-]+", "_", str(unit or "per_token").strip().casefold())
    if spelt not in UNITS:
        raise ReadingError(
            str(path),
            line,
            f"{name} unit",
            str(unit)[:60],
            "per_token, per_1k_tokens or per_1m_tokens",
            "write its prices for a million tokens into the scenario",
        )
    code = str(currency or "USD").strip().upper()
    if not re.fullmatch("[A-Z]{3}", code, re.ASCII):
        raise ReadingError(
            str(path),
            line,
            f"{name} currency",
            str(currency)[:60],
            "three letters, such as USD or CNY",
            "correct the currency, or write the prices into the scenario",
        )
    return _Unit(UNITS[spelt], code, unit is not None or currency is not None)


def _model_price(
    name: str,
    provider: str,
    pricing: Mapping[str, Any],
    unit: _Unit,
    line: int | None,
    notes: Counter[str],
) -> ModelPrice | str:
    """The prices of a model, or why they are not used."""
    prices = _prices(pricing, unit)
    if isinstance(prices, str):
        return prices
    if not {"output_price", "input_price"} & prices.keys():
        return "no price by the token"
    reasoning = exact(pricing.get("internal_reasoning"))
    if reasoning and reasoning != exact(pricing.get("completion")):
        notes["models with another price for reasoning, not written"] += 1
    if exact(pricing.get("request")):
        notes["models with a price for each request as well, not written"] += 1
    if exact(pricing.get("discount")):
        notes["models with a discount, which is not taken off"] += 1
    above, long = _long_context(pricing, prices, unit, notes)
    return ModelPrice(provider, name, prices, unit.currency, above, long, line)


def _prices(pricing: Mapping[str, Any], unit: _Unit) -> dict[str, Decimal] | str:
    """Prices of a million tokens, without those not told; why they are none, if they are none."""
    prices = {}
    for name, keys in KEYS.items():
        value = next((pricing[key] for key in keys if pricing.get(key) not in (None, "")), None)
        if value is None:
            continue
        price = exact(value)
        if price is None:
            return "a price that is no number"
        if price == -1:
            return "a price that depends on the model that answers (-1)"
        if price < 0:
            return "a price below 0"
        prices[name] = price * MILLION / unit.tokens
    return prices


def _long_context(
    pricing: Mapping[str, Any],
    prices: Mapping[str, Decimal],
    unit: _Unit,
    notes: Counter[str],
) -> tuple[int | None, dict[str, Decimal] | None]:
    """The shortest prompt that is priced otherwise and its prices, those of the base beside."""
    overrides = pricing.get("overrides")
    bands: dict[int, dict[str, Decimal]] = {}
    for each in overrides if isinstance(overrides, list) else []:
        above = exact(each.get("min_prompt_tokens")) if isinstance(each, dict) else None
        timed = isinstance(each, dict) and any(key.startswith("utc_") for key in each)
        own = _prices(each, unit) if isinstance(each, dict) else "no override"
        if above is None or above <= 0 or timed or isinstance(own, str):
            notes["prices of certain hours or of other conditions, not written"] += 1
            continue
        both = {name: prices[name] for name in ("output_price", "input_price") if name in prices}
        both |= {name: price for name, price in own.items() if not name.startswith("cache")}
        bands[int(above)] = both
    if not bands:
        return None, None
    notes["models with other prices for long prompts, to be written by hand as long_context"] += 1
    if bands.keys() - {min(bands)}:
        notes["of these, models with several such lengths, the shortest of which is used"] += 1
    return min(bands), bands[min(bands)]


KIND = Kind(TITLE, recognises, read)
