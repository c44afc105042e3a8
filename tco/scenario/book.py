"""What a scenario takes from the book of prices, where it says so: ``price: book``.

Prices of cards, GPU-hours and electricity, and exchange rates, are written into the tree before it
is read, as a person would write them, with their source and their day. Prices of APIs are those of
the makers' lists; what the scenario gives itself goes before them. Nothing is taken without the
word, and nothing is fetched: the prices are those that are installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from tco.errors import ScenarioError
from tco.prices import book
from tco.scenario import quantities
from tco.scenario.document import Block, Items, Node, Scalar, nearest
from tco.scenario.reading import is_day
from tco.scenario.schema import Api, Quantity, Scenario
from tco.scenario.supplies import LongContext

BOOK = "book"
OF_A_PLACE = rf"{BOOK}(?: +(\S.*))?"
# what may be said beside the word, in place of what the book says
BESIDE = ("low", "high", "note")
PRICE_OF = {"own": book.GPU, "rent": book.GPU_HOUR}
# the field of a scenario for each price of the list
FIELDS = {
    "output_price": "output_price",
    "input_price": "input_price",
    "cache_read_price": "cache_read_price",
    "cache_write_price": "cache_write_price",
    "cache_write_1h_price": "cache_write_hour_price",
}


class _NotInTheBook(Exception):
    """What was expected, and what to write instead."""


@dataclass(frozen=True)
class _Context:
    """What of the scenario decides what a price is: its day and its currencies."""

    day: date | None
    currency: str
    rates: tuple[str, ...]


def write_prices(root: Block, file: str) -> list[ScenarioError]:
    """Put the prices of the book into a tree where it says book; what cannot be is returned.

    The tree has its paths. Of an option that is like another, the price stays the other's.
    """
    context = _context(root)
    faults = []
    written: dict[str, _Content] = {}
    for place in _asked(root):
        said, beside = place.said, place.beside
        try:
            content = place.take(said.text, context)
        except _NotInTheBook as missing:
            expected, instead = missing.args
            faults.append(ScenarioError(file, said.line, said.path, said.text, expected, instead))
            # one error is enough: any number stands in its place for the rest of the file
            content, beside = {"value": "1"}, {}
        # another card than that of the option it is like has a price of its own
        path = place.path
        if written.setdefault(path, content) != content:
            path = f"{place.block.path}.{place.key}"
        taken = Block(said.line, path)
        _fill(taken, content)
        taken.update(beside)
        place.block[place.key] = taken
    return faults


def _fill(block: Block, content: _Content) -> None:
    for part, said in content.items():
        path = f"{block.path}.{part}"
        if isinstance(said, str):
            block[part] = Scalar(said, True, block.line, path)
        else:
            block[part] = inside = Block(block.line, path)
            _fill(inside, said)


_Content = Mapping[str, "str | Mapping[str, str]"]
_Take = Callable[[str, _Context], _Content]


@dataclass(frozen=True)
class _Place:
    """Where a scenario says book: the block, its key, what is said, and what to take for it.

    ``path`` is that of the number, ``beside`` what the scenario itself says of it.
    """

    block: Block
    key: str
    said: Scalar
    take: _Take
    path: str
    beside: Mapping[str, Node]


def _asked(root: Block) -> Iterator[_Place]:
    """Each place that says book, or what it is of where that is not told by the place."""

    def at(block: Node | None, key: str, take: _Take, word: str = BOOK) -> Iterator[_Place]:
        number = said = block.get(key) if isinstance(block, Block) else None
        beside: dict[str, Node] = {}
        if isinstance(number, Block):
            said = next((number[name] for name in ("value", "median") if name in number), None)
            if said is not None and said.line is not None:
                beside = {name: number[name] for name in BESIDE if name in number}
        if isinstance(block, Block) and isinstance(said, Scalar) and re.fullmatch(word, said.text):
            assert number is not None
            yield _Place(block, key, said, take, number.path, beside)

    yield from at(root.get("site"), "electricity_price", _electricity, OF_A_PLACE)
    rates = _block(root.get("exchange_rates"))
    for code in (code for code in rates if code in quantities.CURRENCIES):
        yield from at(rates, code, _rate_of(code))
    for card, block in _block(root.get("hardware")).items():
        yield from at(block, "price", _price_of(card, "own"))
    for option in _block(root.get("options")).values():
        for supply in option if isinstance(option, Items) else [option]:
            yield from at(supply, "electricity_price", _electricity, OF_A_PLACE)
            for kind in PRICE_OF:
                named = _block(supply).get(kind)
                if isinstance(named, Scalar):
                    yield from at(supply, "price", _price_of(named.text, kind))


def _block(node: Node | None) -> Block:
    return node if isinstance(node, Block) else Block(None)


def _context(root: Block) -> _Context:
    currency, day, rates = (root.get(key) for key in ("currency", "as_of", "exchange_rates"))
    code = quantities.currency_of(currency.text) if isinstance(currency, Scalar) else None
    return _Context(
        date.fromisoformat(day.text) if isinstance(day, Scalar) and is_day(day.text) else None,
        code if code and code in quantities.CURRENCIES else "USD",
        tuple(rates) if isinstance(rates, Block) else (),
    )


def _price_of(card: str, kind: str) -> _Take:
    """What stands in place of the word for the price of a card, or of its GPU-hour."""
    example = {"own": "1500", "rent": "0.50"}[kind]

    def take(_: str, context: _Context) -> _Content:
        found = book.price_at(card, PRICE_OF[kind], context.day)
        if found is None:
            what = "a card whose price" if kind == "own" else "a card whose rental price"
            raise _missing(card, PRICE_OF[kind], what, context, f"price: {example}")
        if kind == "own":
            return _content(found, context, "value")
        content: dict[str, str | Mapping[str, str]] = {**_content(found, context, "median")}
        if len(found.providers) > 1:
            assert found.p25 is not None
            assert found.p75 is not None
            content |= {
                # it is one row, whose day and source are its own
                "minimum": {
                    "value": _digits(found.minimum),
                    "source": found.lowest.source,
                    "as_of": _dated(found.lowest.day),
                    "note": f"the lowest: {found.lowest.market}",
                },
                "p25": _digits(found.p25),
                "p75": _digits(found.p75),
            }
        return content

    return take


def _electricity(said: str, context: _Context) -> dict[str, str]:
    """What stands in place of ``book PLACE`` for the price of a kWh."""
    match = re.fullmatch(OF_A_PLACE, said)
    place = match[1] if match and match[1] else ""
    found = book.price_at(place, book.KWH, context.day)
    if found is None:
        example = f"electricity_price: 0.10  or  {BOOK} us-industrial"
        raise _missing(place, book.KWH, f"{BOOK} and a place whose price", context, example)
    return _content(found, context, "value")


def _rate_of(code: str) -> _Take:
    """What stands in place of the word for the rate of a currency."""

    def take(_: str, context: _Context) -> dict[str, str]:
        found = book.rate_at(code, context.currency, context.day)
        if found is None:
            codes = [book.EURO, *book.things("exchange rates")]
            first = min(row.day for row in book.observations("exchange rates"))
            expected = f"two currencies that the book has a rate of: {', '.join(codes)}"
            if code in codes and context.currency in codes:
                expected = f"an as_of from {first} on, from which the book has exchange rates"
            raise _NotInTheBook(
                expected,
                f"write the rate itself, for example  {code}: 7.10 {code}/{context.currency}",
            )
        per_euro = " and ".join(f"{row.value:g} {row.thing}" for row in found.used)
        return {
            "value": f"{_digits(found.value)} {code}/{context.currency}",
            "source": found.used[0].source,
            "as_of": _dated(found.day),
            "basis": "published",
            "note": f"{per_euro} for one {book.EURO}",
        }

    return take


def _content(price: book.Price, context: _Context, key: str) -> dict[str, str]:
    """A price as a person would write it: the number, whose it is, of which day."""
    if price.currency != context.currency and price.currency not in context.rates:
        raise _NotInTheBook(
            f"an exchange rate for {price.currency}, in which the book has this price",
            f"add  exchange_rates: {{{price.currency}: ...}}  with the number of "
            f"{price.currency} for one {context.currency}, or with the word {BOOK}",
        )
    several = len(price.used) > 1
    content = {
        key: _digits(price.value),
        "source": f"price book, {price.thing}: {', '.join(price.providers)}"
        if several
        else price.used[0].source,
        "as_of": _dated(price.oldest),
        "basis": "published",
        "note": note_of(price),
    }
    if price.currency != context.currency:
        content["currency"] = price.currency
    return content


def note_of(price: book.Price) -> str:
    """What a reader should know of a price of the book.

    >>> note_of(book.price_at("rtx-5090", "GPU", date(2025, 12, 31)))
    'launch price of 2025-01-30, not an offer'
    """
    if price.is_launch:
        return f"launch price of {price.newest}, not an offer"
    if price.unit != book.GPU_HOUR:
        (row, *others) = price.used
        said = [] if others else [row.note] if row.note else []
        return "; ".join([f"{book.KINDS[row.kind]}, of {row.day}", *said])
    between = price.oldest if price.oldest == price.newest else f"{price.oldest} to {price.newest}"
    number = len(price.providers)
    text = f"median of {number} providers" if number > 1 else f"of {price.providers[0]} alone"
    text += f", {between}"
    lowest = [row for row in price.left_out if row.kind == book.FROM]
    if lowest:
        named = ", ".join(f"{row.provider} {row.value:g}" for row in lowest)
        text += f"; left out: advertised as from {named}"
    return text


def _missing(thing: str, unit: str, what: str, context: _Context, example: str) -> _NotInTheBook:
    """A thing without a price by the day of the scenario."""
    rows = [row for row in book.observations() if row.unit == unit]
    names = list(dict.fromkeys(row.thing for row in rows))
    if thing in names:
        first = min((row for row in rows if row.thing == thing), key=lambda row: row.since).day
        expected = f"an as_of from {first} on, from which the book has a price of {thing}"
        return _NotInTheBook(expected, f"write the price of that day, for example  {example}")
    known = [name for name in names if book.price_at(name, unit, context.day)]
    by = f" by {context.day}" if context.day else ""
    expected = f"{what} is in the book{by}: {', '.join(known) or 'there is none'}"
    near = nearest(thing, known) if thing and unit == book.KWH else None
    if near:
        return _NotInTheBook(expected, f"did you mean  {BOOK} {near}?")
    return _NotInTheBook(expected, f"write the price that you pay, for example  {example}")


def _digits(value: float) -> str:
    return f"{value:.6g}" if value < 1e5 else f"{value:.15g}"


def _dated(day: str) -> str:
    """A day or a month, as scenarios have it: of a year its first month."""
    return day if "-" in day else f"{day}-01"


def with_list_prices(scenario: Scenario, faults: list[ScenarioError]) -> Scenario:
    """The scenario with the prices that it asks the book for; what is not there is a fault."""
    options = dict(scenario.options)
    for name, option in options.items():
        supplies = [
            _priced(scenario, supply, faults)
            if isinstance(supply, Api) and supply.price == BOOK
            else supply
            for supply in option.supplies
        ]
        if supplies != option.supplies:
            options[name] = option.model_copy(update={"supplies": supplies})
    if options == scenario.options:
        return scenario
    return scenario.model_copy(update={"options": options})


def _priced(scenario: Scenario, supply: Api, faults: list[ScenarioError]) -> Api:
    # the list is large: it is read only when it is asked for
    from tco.prices.list_prices import NotListed, list_price

    listed = list_price(supply.provider, supply.api, scenario.as_of)
    where = (scenario.path, supply.line, f"{supply.path}.price")
    if isinstance(listed, NotListed):
        expected = "a model of a provider that the price list knows"
        faults.append(
            ScenarioError(*where, BOOK, expected, f"{listed}; or write the prices yourself")
        )
        return supply
    if scenario.currency != "USD" and "USD" not in scenario.exchange_rates:
        faults.append(
            ScenarioError(
                *where,
                f"{BOOK}, whose prices are in USD",
                "an exchange rate for USD",
                f"add  exchange_rates: {{USD: ...}}  with the number of USD for one "
                f"{scenario.currency}",
            )
        )
        return supply
    # the list does not say since when a model's first price holds
    when = listed.valid_from

    def quoted(field: str, value: float) -> Quantity:
        return Quantity(
            value=float(f"{value:.15g}"),
            currency=None if scenario.currency == "USD" else "USD",
            source=f"{listed.provider} {listed.model}, {listed.source}",
            as_of=when,
            basis="published",
            note=listed.note,
            path=f"{supply.path}.{field}",
            line=supply.line,
            text=f"{value:g}",
        )

    found: dict[str, Any] = {}
    for field, price in FIELDS.items():
        value = getattr(listed, price)
        tiers = getattr(supply, f"{field.partition('_')[0]}_tiers", None)
        if value is not None and getattr(supply, field) is None and tiers is None:
            found[field] = quoted(field, value)
    sizes = scenario.demand.request_sizes if scenario.demand else None
    if listed.long_context_threshold is not None and sizes and supply.long_context is None:
        above = Quantity(
            value=float(listed.long_context_threshold), text=f"{listed.long_context_threshold}"
        )
        found["long_context"] = LongContext(
            above=above,
            **{
                f"{side}_price": quoted(f"long_context.{side}_price", value)
                for side in ("input", "output")
                if (value := getattr(listed, f"long_context_{side}_price")) is not None
            },
        )
    return supply.model_copy(update=found)
