"""Prices of models by the token, from a list of them: to USD per million, and held to another list.

A list is wrong by a power of ten more often than by a little, because each keeps its prices in a
unit of its own: for one token, for a thousand, for a million. A price that is off so is said and
not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import log10
from pathlib import Path

from tco.prices.list_prices import TOLERANCE, ListPrice, list_price
from tco.readings.prices.offers import LeftOut
from tco.readings.prices.providers import on_list
from tco.readings.reading import Entry, Reading, ReadingError, Source, Table

MILLION = 1_000_000

PRICES = {
    "output_price": "output",
    "input_price": "input",
    "cache_read_price": "cache read",
    "cache_write_price": "cache write",
    "cache_write_1h_price": "cache write, 1 h",
}
"""The prices of an API in a scenario, and what they are called."""

HIGHEST, LOWEST = Decimal(1000), Decimal("0.001")
"""For a million tokens: no list has a price above the one or, but for 0, below the other."""
CACHE_MULTIPLE = 4
"""No price of cached tokens is so many times that of input; an hour's writes cost twice as much."""
POWER_MARGIN = 0.1
"""Share by which a price may miss a power of ten times the listed one and still be it."""
MOST_ROWS = 20
MOST_TOLD = 5

_VERSION = re.compile(r"(?:[-@]?20\d{2}-?\d{2}-?\d{2}|-latest|-v\d+(?::\d+)?|:beta)$")


@dataclass(frozen=True)
class ModelPrice:
    """What a list has for a model: prices of a million tokens by the names in ``PRICES``.

    ``above`` is the length of a prompt, in tokens, above which ``long`` prices hold.
    """

    provider: str
    model: str
    prices: Mapping[str, Decimal]
    currency: str = "USD"
    above: int | None = None
    long: Mapping[str, Decimal] | None = None
    line: int | None = None

    @property
    def name(self) -> str:
        """The model and who sells it."""
        return f"{self.model} ({self.provider})"


@dataclass(frozen=True)
class _Difference:
    share: float
    text: str


def reading_of(
    kind: str,
    paths: Sequence[Path],
    models: Sequence[ModelPrice],
    left_out: LeftOut,
    *,
    unit: str,
    remarks: Sequence[str],
    next_step: str,
) -> Reading:
    """What a price list says, of the models first that another list has as well.

    Raises ReadingError if no model has a price, or if most prices are in another ``unit`` than
    the list is said to be in.
    """
    believed, warnings = _believed(models, left_out, paths, unit, next_step)
    free = [one for one in believed if not any(one.prices.values())]
    for one in free:
        left_out.add("priced 0: free, or its price is not told", one.line)
    priced = _once([one for one in believed if any(one.prices.values())], left_out)
    listed = {one.name: found for one, found in _listed(priced)}
    priced, doubts = _without_wrong_powers(priced, listed, left_out)
    if not priced:
        reasons = "; ".join(f"{each.why}: {each.rows}" for each in left_out.reasons)
        raise ReadingError(
            str(paths[0]),
            None,
            None,
            f"no model with a price by the token ({reasons or 'the list is empty'})",
            "one model or more with its prices",
            next_step,
        )
    priced, cached = _without_wrong_caches(priced)
    priced.sort(key=lambda one: one.name not in listed)
    return Reading(
        kind=kind,
        sources=tuple(Source.of(path) for path in paths),
        used=len(priced),
        rows_are="models",
        dropped=left_out.reasons,
        entries=tuple(entry for one in priced for entry in _entries(one)),
        tables=(_table(priced),),
        remarks=(*remarks, *_zeros(priced)),
        warnings=(*warnings, *doubts, *cached, *_differences(priced, listed)),
    )


def _believed(
    models: Sequence[ModelPrice],
    left_out: LeftOut,
    paths: Sequence[Path],
    unit: str,
    next_step: str,
) -> tuple[list[ModelPrice], tuple[str, ...]]:
    """The models none of whose prices is out of all bounds, and what is said of the others."""
    believed, refused = [], []
    for one in models:
        wrong = next(
            (
                (name, price)
                for name, price in (*one.prices.items(), *(one.long or {}).items())
                if price and not LOWEST <= price <= HIGHEST
            ),
            None,
        )
        if wrong is None:
            believed.append(one)
        else:
            refused.append((one, *wrong))
    if len(refused) > len(models) / 2:
        one, name, price = refused[0]
        raise ReadingError(
            str(paths[0]),
            one.line,
            f"{one.model} {PRICES[name]}",
            f"{_money(price)} {one.currency} for a million tokens, if the price is {unit}; "
            f"{len(refused)} of {len(models)} models are like it",
            f"prices {unit}: at most {_money(HIGHEST)} {one.currency} for a million",
            f"{_other_unit(price)}; {next_step}",
        )
    for one, _, _ in refused:
        left_out.add("a price out of all bounds", one.line)
    return believed, _some(
        [
            f"{one.name} is left out: its {PRICES[name]} price would be {_money(price)} "
            f"{one.currency} for a million tokens; {_other_unit(price)}"
            for one, name, price in refused
        ]
    )


def _other_unit(price: Decimal) -> str:
    """In what unit a price that is out of all bounds probably is; it was taken for one token's."""
    if price < LOWEST:
        return "it looks divided by a million, or a thousand, once too often"
    names = {
        Decimal(1000): "a thousand",
        Decimal(100_000): "100,000",
        Decimal(MILLION): "a million",
    }
    likely = [
        name for tokens, name in names.items() if Decimal("0.01") <= price / tokens <= HIGHEST / 5
    ]
    return (
        f"it may be the price of {' or of '.join(likely)} tokens, not of one"
        if likely
        else "no unit makes a price of it"
    )


def _once(models: Sequence[ModelPrice], left_out: LeftOut) -> list[ModelPrice]:
    """Each model of a provider once: the first, unless another has other prices."""
    by_name: dict[str, ModelPrice] = {}
    for one in models:
        first = by_name.setdefault(one.name, one)
        if first is not one:
            same = first.prices == one.prices
            left_out.add(
                "the same model once more"
                if same
                else "the same model once more, with other prices: the first are used",
                one.line,
            )
    return list(by_name.values())


def _listed(models: Iterable[ModelPrice]) -> Iterable[tuple[ModelPrice, ListPrice]]:
    """The models that the other list has under the same name, with what it has."""
    unknown: set[str] = set()
    for one in models:
        provider = on_list(one.provider)
        if provider in unknown or one.currency != "USD":
            continue
        found = list_price(provider, one.model, None, exactly=True)
        if isinstance(found, ListPrice):
            if _plain(found.model) == _plain(one.model):
                yield one, found
        elif found.unknown == "provider":
            unknown.add(provider)


def _plain(model: str) -> str:
    """The name without the version behind it.

    >>> _plain("claude-sonnet-4-5-20250929"), _plain("GPT-4o@2024-08-06"), _plain("o3-mini")
    ('claude-sonnet-4-5', 'gpt-4o', 'o3-mini')
    """
    return _VERSION.sub("", model.casefold())


def _on_list(found: ListPrice, name: str) -> float | None:
    field = "cache_write_hour_price" if name == "cache_write_1h_price" else name
    price: float | None = getattr(found, field)
    return price


def _without_wrong_powers(
    models: Sequence[ModelPrice], listed: Mapping[str, ListPrice], left_out: LeftOut
) -> tuple[list[ModelPrice], tuple[str, ...]]:
    """The models without those whose price is the listed one times a power of ten."""
    kept, wrong = [], []
    for one in models:
        found = listed.get(one.name)
        said = found and next(
            (
                (name, power, on_list)
                for name in ("output_price", "input_price")
                if (on_list := _on_list(found, name))
                and (power := power_of_ten(one.prices.get(name), on_list))
            ),
            None,
        )
        if found is None or not said:
            kept.append(one)
            continue
        name, power, on_list = said
        times, unit = _in_words(power)
        left_out.add("a price that is off by a power of ten", one.line)
        wrong.append(
            f"{one.name} is left out: {PRICES[name]} {_money(one.prices[name])} is {times} the "
            f"{on_list:g} of {found.source}; {unit}"
        )
    return kept, _some(wrong)


def power_of_ten(price: Decimal | None, listed: float) -> int | None:
    """By how many powers of ten a price is off, from 1 to 6 or -1 to -6; None if it is not.

    >>> power_of_ten(Decimal("0.25"), 2.5), power_of_ten(Decimal("2500"), 2.5)
    (-1, 3)
    >>> power_of_ten(Decimal("2.5"), 2.5), power_of_ten(Decimal("20"), 2.5)
    (None, None)
    >>> power_of_ten(Decimal("0.22"), 2.3)  # a tenth of what was listed before 2.3
    -1
    """
    if not price or listed <= 0:
        return None
    power = round(log10(float(price) / listed))
    exact = abs(float(price) / (listed * 10**power) - 1) <= POWER_MARGIN
    return power if exact and 1 <= abs(power) <= 6 else None


def _in_words(power: int) -> tuple[str, str]:
    times = f"{10 ** abs(power):,}"
    said = f"{times} times" if power > 0 else f"1/{times} of"
    if abs(power) in (3, 6):
        tokens = "a thousand" if abs(power) == 3 else "a million"
        return said, f"a unit is wrong by {tokens} tokens"
    return said, "a decimal point is misplaced"


def _without_wrong_caches(
    models: Sequence[ModelPrice],
) -> tuple[list[ModelPrice], tuple[str, ...]]:
    """The models without prices of cached tokens that are no such thing, and what is said."""
    kept, said = [], []
    for one in models:
        whole = one.prices.get("input_price")
        wrong = [
            name
            for name, price in one.prices.items()
            if name.startswith("cache") and whole and price > CACHE_MULTIPLE * whole
        ]
        said += [
            f"{one.name}: {PRICES[name]} {_money(one.prices[name])} is "
            f"{float(one.prices[name] / whole):.3g} times its input price; not written"
            for name in wrong
            if whole
        ]
        left = {name: price for name, price in one.prices.items() if name not in wrong}
        kept.append(replace(one, prices=left) if wrong else one)
    return kept, _some(said)


def _differences(models: Sequence[ModelPrice], listed: Mapping[str, ListPrice]) -> tuple[str, ...]:
    """How many models the two lists price differently, and the largest differences."""
    found: list[_Difference] = []
    for one in models:
        other = listed.get(one.name)
        if other is None:
            continue
        of_model = [
            _Difference(share, text)
            for name in PRICES
            if (on_list := _on_list(other, name)) and (price := one.prices.get(name)) is not None
            if (share := abs(float(price) / on_list - 1)) > TOLERANCE
            for text in [f"{one.name} {PRICES[name]} {_money(price)}, there {on_list:g}"]
        ]
        above, long = other.long_context_threshold, other.long_context_output_price
        if one.above is None and above is not None and long and other.output_price:
            share = abs(long / other.output_price - 1)
            if share > TOLERANCE:
                of_model.append(
                    _Difference(
                        share, f"{one.name} has no price above {above:,} tokens, there {long:g}"
                    )
                )
        found += sorted(of_model, key=lambda each: -each.share)[:1]
    if not found:
        return ()
    source = next(iter(listed.values())).source
    largest = sorted(found, key=lambda each: -each.share)[:MOST_TOLD]
    return (
        f"of {len(listed)} models that {source} knows as well, {len(found)} have other prices "
        f"there; the largest differences: {'; '.join(each.text for each in largest)}",
    )


def _entries(one: ModelPrice) -> Iterable[Entry]:
    for name, price in one.prices.items():
        if price:
            yield Entry(
                room="api",
                subject=one.model,
                field=name,
                content={"value": float(price), "currency": one.currency},
                label=f"{one.name}: {PRICES[name]}",
                shown=f"{_money(price)} {one.currency} per million tokens",
                basis="published",
                note=_long_prompts(one, name),
                provider=one.provider,
            )


def _long_prompts(one: ModelPrice, name: str) -> str | None:
    """What a price is for long prompts, which a scenario has under long_context."""
    if one.above is None or not one.long or name not in one.long:
        return None
    return (
        f"for prompts above {one.above:,} tokens {_money(one.long[name])}, which stands under "
        f"long_context in a scenario and is not written"
    )


def _zeros(models: Iterable[ModelPrice]) -> Iterable[str]:
    zeros = sum(not price for one in models for price in one.prices.values())
    if zeros:
        yield (
            f"prices of 0 beside others: {zeros}; not written, for a list has a 0 where it does "
            "not know as well"
        )


def _table(models: Sequence[ModelPrice]) -> Table:
    shown = models[:MOST_ROWS]
    more = len(models) - len(shown)
    return Table(
        "price of a million tokens",
        (
            ("model", "provider", *PRICES.values(), "above", "currency"),
            *(
                (
                    one.model,
                    one.provider,
                    *(_money(one.prices[name]) if name in one.prices else "" for name in PRICES),
                    f"{one.above:,}" if one.above else "",
                    one.currency,
                )
                for one in shown
            ),
        ),
        (f"and {more} more; all of them can be written into a scenario",) if more > 0 else (),
    )


def _money(amount: Decimal) -> str:
    """An amount with all its digits and no more.

    >>> _money(Decimal("3.00")), _money(Decimal("135000")), _money(Decimal("0.0750"))
    ('3', '135,000', '0.075')
    """
    return f"{amount.normalize():,f}"


def _some(texts: Sequence[str]) -> tuple[str, ...]:
    """The first of many texts, and how many more there are."""
    more = len(texts) - MOST_TOLD
    return (*texts[:MOST_TOLD], *((f"and so are {more} more",) if more > 0 else ()))
