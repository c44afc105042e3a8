"""What tokens cost at the list prices of their day, in exact decimals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from tco.prices.list_prices import ListPrice, NotListed, list_price
from tco.readings.apis.api_sums import Tokens, Way

MILLION = Decimal(1_000_000)
HALF = Decimal("0.5")
BATCH_AT_HALF = frozenset({"openai", "anthropic", "google"})
"""Who bills batches at half the price of every class, caches too (their pages on batches)."""


@lru_cache(1 << 14)
def listed_on(provider: str | None, model: str, day: date) -> ListPrice | NotListed:
    """The list price of a model on a day, or why there is none.

    Of the provider told and no other: where none is told, of the model's maker.
    """
    return list_price(provider, model, day.isoformat(), exactly=True)


def is_long(provider: str | None, model: str, day: date, prompt: int) -> bool:
    """Whether a request with so many input tokens is billed at long-context prices, all of it.

    >>> day = date(2026, 6, 28)
    >>> [is_long("google", "gemini-3.1-pro-preview", day, prompt) for prompt in (200_000, 200_001)]
    [False, True]
    """
    listed = listed_on(provider, model, day)
    threshold = listed.long_context_threshold if isinstance(listed, ListPrice) else None
    return threshold is not None and prompt > threshold


def cost(way: Way, tokens: Tokens) -> Decimal | str:
    """What the tokens cost at the list prices of the day, in USD; or why that is not known.

    Each class is billed once, reasoning as output. Without a price of its own a class of cached
    tokens is billed as input. A batch is billed at the listed batch prices, where the list has
    none at half the price with the providers of ``BATCH_AT_HALF``.

    >>> way = Way(date(2025, 10, 11), "openai", "gpt-5-mini-2025-08-07")
    >>> cost(way, Tokens(uncached=22_688, visible=33_191))
    Decimal('0.072054')
    """
    if way.free:
        return Decimal(0)
    if not way.model:
        return "the file does not say which model: export it grouped by model"
    listed = listed_on(way.provider, way.model, way.day)
    if isinstance(listed, NotListed):
        return str(listed)
    if way.special:
        return f"{way.special} has no price in {listed.source}"
    prices = _prices(listed, way.batch, way.long_context)
    if isinstance(prices, str):
        return prices
    parts = zip(Tokens._fields, tokens, prices, strict=True)
    billed = [(name, count, price) for name, count, price in parts if count]
    missing = next((name for name, _, price in billed if price is None), None)
    if missing:
        return f"{listed.source} has no price for {_CLASS_WORDS[missing]} of {listed.model}"
    return sum((count * price for _, count, price in billed if price is not None), Decimal(0)) / (
        MILLION
    )


@dataclass(frozen=True)
class AsInput:
    """Cached tokens that are billed as input, for the list has no price of their class."""

    tokens: int
    billed: Decimal
    """What they cost so, in USD: a bill that has them for nothing is lower by as much."""


def cached_as_input(way: Way, tokens: Tokens) -> Mapping[str, AsInput]:
    """The cached tokens that ``cost`` bills as input, by ``read`` and ``written``.

    >>> way = Way(date(2026, 6, 1), "openrouter", "openai/gpt-4o")  # 2.5 in, no price of a cache
    >>> cached_as_input(way, Tokens(uncached=10, cache_read=1_000, visible=5))
    {'read': AsInput(tokens=1000, billed=Decimal('0.0025'))}
    """
    if not isinstance(cost(way, tokens), Decimal) or way.free:
        return {}
    listed = listed_on(way.provider, way.model, way.day)
    assert isinstance(listed, ListPrice)
    own = _own_prices(listed, way.long_context)
    counts = dict.fromkeys(("read", "written"), 0)
    if own["read"] is None:
        counts["read"] = tokens.cache_read
    if own["write"] is None:
        counts["written"] = tokens.cache_write
        counts["written"] += tokens.cache_write_hour if own["hour"] is None else 0
    each = _prices(listed, way.batch, way.long_context)[0]
    return {
        name: AsInput(count, count * each / MILLION)
        for name, count in counts.items()
        if count and isinstance(each, Decimal)
    }


_CLASS_WORDS = {
    "uncached": "input",
    "cache_read": "tokens read from a cache",
    "cache_write": "cache writes",
    "cache_write_hour": "cache writes kept for an hour",
    "visible": "output",
    "reasoning": "output",
}


def _prices(listed: ListPrice, batch: bool, long_context: bool) -> tuple[Decimal | None, ...] | str:
    """USD for a million tokens of each class."""
    own = _own_prices(listed, long_context)
    exact = {name: None if p is None else Decimal(repr(p)) for name, p in own.items()}
    if exact["hour"] is None and exact["write"] is None:
        exact["hour"] = exact["input"]  # a provider who does not charge for writing
    for name in ("read", "write"):
        if exact[name] is None:
            exact[name] = exact["input"]
    if batch:
        if listed.batch_input_price is not None and listed.input_price:
            share = Decimal(repr(listed.batch_input_price)) / Decimal(repr(listed.input_price))
            on_output = (
                Decimal(repr(listed.batch_output_price)) / Decimal(repr(listed.output_price))
                if listed.batch_output_price is not None and listed.output_price
                else share
            )
        elif listed.provider in BATCH_AT_HALF:
            share = on_output = HALF
        else:
            return f"{listed.source} has no batch price for {listed.provider} {listed.model}"
        exact = {
            name: None if p is None else p * (on_output if name == "output" else share)
            for name, p in exact.items()
        }
    return (
        exact["input"],
        exact["read"],
        exact["write"],
        exact["hour"],
        exact["output"],
        exact["output"],
    )


def _own_prices(listed: ListPrice, long_context: bool) -> dict[str, float | None]:
    """What the list has for each class, None where it has nothing of its own."""
    own: dict[str, float | None] = {
        "input": listed.input_price,
        "output": listed.output_price,
        "read": listed.cache_read_price,
        "write": listed.cache_write_price,
        "hour": listed.cache_write_hour_price,
    }
    if long_context and listed.long_context_input_price is not None:
        own = {
            "input": listed.long_context_input_price,
            "output": listed.long_context_output_price,
            "read": listed.long_context_cache_read_price,
            "write": listed.long_context_cache_write_price,
            "hour": None,
        }
    return own


_UNITS = {
    1_000_000: "a price for a million tokens stands as one for a token",
    100_000: "a price was moved by five places, as with cents or yuan for 1,000 tokens",
    1_000: "a price for a million tokens stands as one for 1,000, or one for 1,000 as one for one",
    100: "cents stand as dollars",
}


def likely_unit(billed: Decimal, recomputed: Decimal) -> str | None:
    """What went wrong where a bill is a round number of times the list price, or None.

    >>> likely_unit(Decimal("1620"), Decimal("0.0162"))
    'billed is about 100,000 times the list price: a price was moved by five places, as with cents \
or yuan for 1,000 tokens'
    >>> likely_unit(Decimal("0.90"), Decimal("0.25")) is None
    True
    """
    if billed <= 0 or recomputed <= 0:
        return None
    for factor, why in _UNITS.items():
        for ratio, text in (
            (billed / recomputed, f"{factor:,} times the list price"),
            (recomputed / billed, f"1/{factor:,} of the list price"),
        ):
            if Decimal("0.8") <= ratio / factor <= Decimal("1.25"):
                return f"billed is about {text}: {why}"
    return None
