"""List prices of APIs, from the data that genai-prices carries; nothing is ever fetched.

Prices are USD for a million tokens. The library and its data are imported when a price is first
asked for. They are the makers' price lists: what a reseller asks is not among them.

>>> from genai_prices import Usage, calc_price
>>> listed = list_price("OpenAI", "GPT-4o", "2026-11-30")
>>> bill = calc_price(Usage(output_tokens=1_000_000), "gpt-4o", provider_id="openai")
>>> listed.output_price == float(bill.total_price)
True
>>> for difference in differences({"output_price": 15}, listed):
...     print(difference)  # doctest: +ELLIPSIS
output price 15, list 10 (openai gpt-4o, genai-prices ..., as of 2026-11-30)
"""

from __future__ import annotations

import csv
import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo, ModelPrice, Provider

TOLERANCE = 0.005
"""Share of a list price by which a given one may differ before that is said."""

PRICES = (
    "input_price",
    "output_price",
    "cache_read_price",
    "cache_write_price",
    "cache_write_hour_price",
    "long_context_input_price",
    "long_context_output_price",
    "long_context_cache_read_price",
    "long_context_cache_write_price",
    "batch_input_price",
    "batch_output_price",
)
"""The prices of a ListPrice, by name."""


@dataclass(frozen=True)
class ListPrice:
    """What a provider lists for a model on a day, in USD for a million tokens.

    None is no price of its own: cache reads and writes are then billed as input. Cache writes are
    those kept for five minutes, ``cache_write_hour_price`` those kept for an hour. A request with
    more than ``long_context_threshold`` input tokens is billed at the long-context prices, all of
    it. ``valid_from`` is the day from which the price holds, None for a model's first price: the
    data do not say when that began. ``retired`` says that, and since when, the model is not or
    will not be served; ``note`` what else there is to know about the price.
    """

    provider: str
    model: str
    as_of: str | None
    input_price: float | None
    output_price: float | None
    cache_read_price: float | None
    cache_write_price: float | None
    cache_write_hour_price: float | None
    long_context_threshold: int | None
    long_context_input_price: float | None
    long_context_output_price: float | None
    long_context_cache_read_price: float | None
    long_context_cache_write_price: float | None
    batch_input_price: float | None
    batch_output_price: float | None
    valid_from: str | None
    retired: str | None
    note: str | None
    source: str


@dataclass(frozen=True)
class NotListed:
    """Why there is no list price: what is unknown, and the names that come near to it."""

    unknown: Literal["provider", "model", "price", "day"]
    reason: str
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.reason}; near: {', '.join(self.near)}" if self.near else self.reason


@dataclass(frozen=True)
class Difference:
    """A given price that is not the list price, both in USD for a million tokens."""

    price: str
    given: float
    listed: float
    list_price: ListPrice

    def __str__(self) -> str:
        source = self.list_price
        as_of = f", as of {source.as_of}" if source.as_of else ""
        return (
            f"{self.price.replace('_', ' ')} {self.given:g}, list {self.listed:g} "
            f"({source.provider} {source.model}, {source.source}{as_of})"
        )


@dataclass(frozen=True)
class Retirement:
    """From ``day`` on the provider does not serve the model.

    The source is at ``url``; ``as_of`` it was read, where that is known.
    """

    model: str
    provider: str
    day: str
    source: str
    url: str
    as_of: str | None

    def __str__(self) -> str:
        read = f", read {self.as_of}" if self.as_of else ""
        return f"not served from {self.day} on ({self.source}{read})"


def list_price(
    provider: str | None, model: str, as_of: str | None, *, exactly: bool = False
) -> ListPrice | NotListed:
    """The list price of a model, in USD for a million tokens, or why there is none.

    The provider is named as people write it, or not at all: then the maker's price is taken. A
    month stands for its last day, None for the last price known, so that the answer never depends
    on the day of the run.

    ``exactly`` takes a provider by its own name alone and only models of its own list: no other
    that is called alike (a server that is "openai_like"), and not the maker's price for a reseller.

    Source: the data of genai-prices, https://github.com/pydantic/genai-prices.

    >>> print(list_price("OpenAI", "gpt-4oo", "2026-11"))  # doctest: +ELLIPSIS
    genai-prices ... lists no model gpt-4oo of openai; near: gpt-4o, ...
    >>> print(list_price("azure", "gpt-4o", "2026-11", exactly=True))  # doctest: +ELLIPSIS
    genai-prices ... lists gpt-4o of its maker, not of azure
    """
    day = _last_day(as_of)
    if day is None:
        return NotListed("day", f"{as_of} is no day or month; write for example 2026-11-30")
    supplier = _provider(provider, model, exactly)
    if isinstance(supplier, NotListed):
        return supplier
    entry = _model(supplier, model)
    if isinstance(entry, NotListed):
        return entry
    # such a model has none of the batch prices of the provider who lists it
    borrowed = not any(entry is own for own in supplier.models)
    if borrowed and exactly:
        return NotListed("model", f"{_source()} lists {model} of its maker, not of {supplier.id}")
    moment, notes = _usual_moment(entry, day)
    prices = entry.get_prices(moment)
    if prices.input_mtok is None and prices.output_mtok is None:
        return NotListed(
            "price", f"{_source()} lists no price by tokens for {supplier.id} {entry.id}"
        )
    if borrowed:
        notes = (*notes, "taken from the list of the model's maker")
    batch = None if borrowed else _batch_prices(entry, moment)
    starts = _tier_starts(prices)
    if len(starts) > 1:
        notes = (*notes, f"a further tier above {starts[1]} input tokens is not used")
    # one token above the threshold is where the second price begins
    above = starts[0] + 1 if starts else None
    return ListPrice(
        provider=supplier.id,
        model=entry.id,
        as_of=as_of,
        input_price=_price(prices, "input_mtok"),
        output_price=_price(prices, "output_mtok"),
        cache_read_price=_price(prices, "cache_read_mtok"),
        cache_write_price=_price(prices, "cache_write_mtok"),
        cache_write_hour_price=_price(prices, "cache_write_1h_mtok"),
        long_context_threshold=starts[0] if starts else None,
        long_context_input_price=_price(prices, "input_mtok", above) if above else None,
        long_context_output_price=_price(prices, "output_mtok", above) if above else None,
        long_context_cache_read_price=_price(prices, "cache_read_mtok", above) if above else None,
        long_context_cache_write_price=_price(prices, "cache_write_mtok", above) if above else None,
        batch_input_price=_price(batch, "input_mtok") if batch else None,
        batch_output_price=_price(batch, "output_mtok") if batch else None,
        valid_from=_valid_from(entry, prices),
        retired=_retired(supplier, entry),
        note="; ".join(notes) or None,
        source=_source(),
    )


def seller(provider: str | None, model: str) -> str | None:
    """Who sells a model, as this list calls them: by the name given, else the maker of the model.

    None where the list does not know.

    >>> seller("Google", "gemini-2.5-pro"), seller(None, "gpt-4o"), seller("nobody", "gpt-4o")
    ('google', 'openai', None)
    """
    found = _provider(provider, model)
    return None if isinstance(found, NotListed) else found.id


def differences(given: Mapping[str, float], listed: ListPrice) -> tuple[Difference, ...]:
    """The given prices, in USD for a million tokens, that are not the list price.

    ``given`` is by the names in ``PRICES``; a price that the list has none for is not compared.
    Less than ``TOLERANCE`` apart is the same price, printed with fewer digits.

    Raises KeyError for a name that is none of ``PRICES``.
    """
    found = []
    for name, value in given.items():
        if name not in PRICES:
            raise KeyError(f"{name} is no price of a list; expected one of {', '.join(PRICES)}")
        on_list = getattr(listed, name)
        if on_list is not None and abs(value - on_list) > TOLERANCE * on_list:
            found.append(Difference(name, value, on_list, listed))
    return tuple(found)


def retirement(model: str, provider: str | None = None) -> Retirement | None:
    """When a model stops being served, or None if that is not known.

    ``model`` and ``provider`` as ListPrice names them; without a provider, that of its maker.

    >>> retirement("gemini-2.0-flash").day
    '2026-06-01'
    >>> retirement("gemini-2.0-flash", "openrouter") is None
    True
    """
    for known in _retirements():
        if known.model == _hyphenated(model) and provider in (None, known.provider):
            return known
    return None


@cache
def _retirements() -> tuple[Retirement, ...]:
    text = (files("tco.prices") / "retired_models.csv").read_text(encoding="utf-8")
    return tuple(
        Retirement(
            row["model"],
            row["provider"],
            row["day"],
            row["source"],
            row["url"],
            row["as_of"] or None,
        )
        for row in csv.DictReader(text.splitlines())
    )


@cache
def _snapshot() -> DataSnapshot:
    # not the library's own snapshot, which another program may have replaced by fetched prices
    from genai_prices.data import providers
    from genai_prices.data_snapshot import DataSnapshot

    return DataSnapshot(providers=providers, from_auto_update=False)


@cache
def _source() -> str:
    return f"genai-prices {version('genai-prices')}"


def _last_day(as_of: str | None) -> date | None:
    if as_of is None:
        return date.max
    try:
        if re.fullmatch(r"\d{4}-\d\d", as_of, re.ASCII):
            year, month = int(as_of[:4]), int(as_of[5:])
            return date(year, month, monthrange(year, month)[1])
        if re.fullmatch(r"\d{4}-\d\d-\d\d", as_of, re.ASCII):
            return date.fromisoformat(as_of)
    except ValueError:
        pass
    return None


def _provider(name: str | None, model: str, exactly: bool = False) -> Provider | NotListed:
    """The provider of that name; without a name, the maker by the model's name."""
    providers = _snapshot().providers
    if name is None:
        reference = _hyphenated(model)
        for one in providers:
            if one.model_match is not None and one.model_match.is_match(reference):
                return one
        return NotListed(
            "provider", f"{_source()} does not tell by the name who makes {model}: add a provider"
        )
    for one in providers:
        if _letters(name) in (_letters(one.id), _letters(one.name)):
            return one
    words = re.findall(r"\w+", name.casefold())
    meant = [
        one
        for one in providers
        if one.id in words
        or (one.provider_match is not None and one.provider_match.is_match(name.casefold()))
    ]
    if len(meant) == 1 and not exactly:
        return meant[0]
    if meant and not exactly:
        # "Azure OpenAI" sells at Azure's prices; which list is meant is not for us to guess
        ids = tuple(one.id for one in meant)
        return NotListed("provider", f"{name} may be {' or '.join(ids)}: write one of them", ids)
    return NotListed(
        "provider",
        f"{_source()} lists no provider {name}",
        _near(name, (text for one in providers for text in (one.name, one.id))),
    )


def _model(provider: Provider, name: str) -> ModelInfo | NotListed:
    # the data spell "GPT-4o mini" gpt-4o-mini; names with spaces of their own come first
    for reference in (name.strip(), _hyphenated(name)):
        found = provider.find_model(reference, all_providers=_snapshot().providers)
        if found is not None:
            return found
    # some models answer only to the names that requests carry, not to their own
    for one in provider.models:
        if one.id.casefold() == _hyphenated(name):
            return one
    return NotListed(
        "model",
        f"{_source()} lists no model {name} of {provider.id}",
        _near(name, (one.id for one in provider.models)),
    )


def _near(name: str, names: Iterable[str]) -> tuple[str, ...]:
    by_lower = {one.casefold(): one for one in names}
    return tuple(by_lower[one] for one in get_close_matches(_hyphenated(name), by_lower, n=3))


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())


def _hyphenated(name: str) -> str:
    return re.sub(r"\s+", "-", name.strip().casefold())


def _usual_moment(model: ModelInfo, day: date) -> tuple[datetime, tuple[str, ...]]:
    """A moment of the day at which the price of most hours holds, and what the others cost.

    Some providers list a price of its own for busy hours; a month's bill is none of one hour.
    """
    moments = _half_hours(day) if isinstance(model.prices, list) else _half_hours(day)[:1]
    prices = {moment: _price_text(model.get_prices(moment)) for moment in moments}
    (usual, _), *others = Counter(prices.values()).most_common()
    notes = tuple(f"in {halves / 2:g} of 24 hours {text}" for text, halves in others)
    return next(moment for moment, text in prices.items() if text == usual), notes


def _price_text(prices: ModelPrice) -> str:
    parts = {"input": _price(prices, "input_mtok"), "output": _price(prices, "output_mtok")}
    return ", ".join(f"{name} {value:g}" for name, value in parts.items() if value is not None)


def _half_hours(day: date) -> list[datetime]:
    midnight = datetime.combine(day, time(0), tzinfo=UTC)
    return [midnight + timedelta(minutes=30 * count) for count in range(48)]


def _batch_prices(model: ModelInfo, moment: datetime) -> ModelPrice | None:
    batch = model.get_prices(moment, {"processing": "batch"})
    return None if batch == model.get_prices(moment) else batch


def _tier_starts(prices: ModelPrice) -> list[int]:
    from genai_prices.types import TieredPrices

    tiered = (prices.input_mtok, prices.output_mtok)
    starts = {t.start for price in tiered if isinstance(price, TieredPrices) for t in price.tiers}
    return sorted(starts)


def _price(prices: ModelPrice, key: str, input_tokens: int = 0) -> float | None:
    """A price in USD for a million tokens, in a request of so many input tokens."""
    from genai_prices.types import TieredPrices

    price = getattr(prices, key)
    if isinstance(price, TieredPrices):
        reached = [tier.price for tier in price.tiers if input_tokens > tier.start]
        price = reached[-1] if reached else price.base
    return None if price is None else float(price)


def _valid_from(model: ModelInfo, prices: ModelPrice) -> str | None:
    from genai_prices.types import StartDateConstraint

    if isinstance(model.prices, list):
        for dated in model.prices:
            if dated.prices is prices and isinstance(dated.constraint, StartDateConstraint):
                return dated.constraint.start_date.isoformat()
    return None


def _retired(provider: Provider, model: ModelInfo) -> str | None:
    known = retirement(model.id, provider.id)
    if known is not None:
        return str(known)
    return f"marked deprecated in {_source()}, without a day" if model.deprecated else None
