"""What `tco prices` prints: every price with its day, its age and its source.

Ages are counted from the day that is asked about, else from the newest day of the book: no clock
is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from difflib import get_close_matches

from tco.analysis.figures import exact, price
from tco.errors import TcoError, printable
from tco.prices import book, cards
from tco.prices.book import Observation, Price
from tco.prices.cards import Card
from tco.prices.gpu_names import gpu_of
from tco.report.columns import LINE, fill, width, wrap

TITLES = {
    book.GPU_HOUR: "GPU-HOURS RENTED",
    book.GPU: "CARDS",
    book.SERVER: "SERVERS",
    book.KWH: "ELECTRICITY, A KWH",
    book.KW_MONTH: "COLOCATION, A KW-MONTH",
}
UNITS = {
    book.GPU_HOUR: "a GPU-hour",
    book.GPU: "a card",
    book.SERVER: "a server",
    book.KWH: "a kWh",
    book.KW_MONTH: "a kW for a month",
    book.EURO: "for one EUR",
}
NOT_COUNTED = {
    book.GPU_HOUR: 'spot and "from" prices, and the older ones of a provider',
    book.GPU: "older, or the price of the launch",
}


class UnknownPrice(TcoError):
    """A name that no price is known by: the names that come near, or what to write."""


def named(name: str) -> str | None:
    """The thing of the book, the card or the currency that a name means; None for none of them.

    Raises UnknownPrice for a name that may be several cards.

    >>> named("NVIDIA H100 PCIe"), named("us-industrial"), named("cny"), named("gpt-4o")
    ('h100-pcie', 'us-industrial', 'CNY', None)
    """
    known = (*_things(), book.EURO, *cards.names())
    for text in (name, name.lower(), name.upper()):
        if text in known:
            return text
    gpu = gpu_of(name)
    if gpu.ambiguous:
        raise UnknownPrice(
            f"{printable(name)!r} may be {' or '.join(gpu.ambiguous)}: name one of them"
        )
    return gpu.card


def everything(day: date | None) -> str:
    """All things with their price on a day, its spread, age, kind and source."""
    now = day or book.last_day()
    lines: list[str] = []
    for unit, title in TITLES.items():
        found = [
            price
            for thing in dict.fromkeys(row.thing for row in book.observations() if row.unit == unit)
            if (price := book.price_at(thing, unit, now))
        ]
        if found:
            rented = unit == book.GPU_HOUR
            lines += [*(_rented if rented else _bought)(title, found, now), ""]
    rate = book.rate_at("USD", book.EURO, now)
    if rate is not None:
        source = rate.used[0].source
        lines += [f"EXCHANGE RATES  of {rate.day}, {_age(rate.used[0], now)} days old"]
        lines += wrap(", ".join(_rates(now)), first="  ", rest="  ")
        lines += [*wrap(source, first="  ", rest="  "), ""]
    if not lines:
        lines = [*wrap(f"nothing is known by {now}"), ""]
    lines.append("a GPU, a model, or whatever stands here:  tco prices NAME")
    lines += _counted(day)
    return _printed(lines)


def thing(name: str, day: date | None) -> str:
    """What is known of one thing: of a GPU its figures, its price and each provider's."""
    now = day or book.last_day()
    card = cards.card(name)
    lines = [*_specifications(card), ""] if card else []
    sources = _Sources()
    if name in _currencies():
        lines += [*_rates_of(name, now, sources), ""]
    for unit in TITLES:
        rows = [row for row in _known(name, now) if row.unit == unit]
        found = book.price_at(name, unit, now)
        if found is not None:
            lines += [*_price(found, rows, now, sources), ""]
    if card and sources.known and book.price_at(name, book.GPU, now) is None:
        lines += [f"{TITLES[book.GPU]}: no price of one is known: ask for an offer", ""]
    if sources.known:
        lines += [*sources.listed(), ""]
    if not sources.known:
        known = [row for row in book.observations() if row.thing == name]
        said = f"no price is known by {now}" if known else "no price is known"
        since = f"; the first is of {min(known, key=lambda row: row.since).day}" if known else ""
        lines += [f"{name}: {said}{since}", ""]
    return _printed([*lines, *_counted(day)])


def history(name: str | None, day: date | None) -> str:
    """Every row by its day, of one thing or of each."""
    now = day or book.last_day()
    card = cards.card(name) if name else None
    lines = [*_specifications(card), ""] if card else []
    sources = _Sources()
    for subject in book.FILES:
        # one table holds the rates of all currencies, which are all for one euro
        rates = subject == "exchange rates" and name in (None, book.EURO)
        for thing in [None] if rates else book.things(subject):
            rows = [
                row
                for row in book.observations(subject)
                if row.since <= now and (rates or (row.thing == thing and name in (None, thing)))
            ]
            if rows:
                lines.append(f"{thing or 'exchange rates'}, {UNITS[rows[0].unit]}")
                rows.sort(key=lambda row: row.since)
                lines += [*sources.table(rows, now, of_things=rates), ""]
    if not sources.known:
        lines += [f"{name or 'the book'}: no price is known by {now}", ""]
    else:
        lines += [*sources.listed(), ""]
    return _printed([*lines, *_counted(day)])


def model(name: str, day: date | None, *, every: bool = False) -> str:
    """The list price of a model, ``MODEL`` of its maker or ``PROVIDER/MODEL``.

    ``every`` says that its earlier prices were asked for too.

    Raises UnknownPrice for a name that is none, with the names that come near.
    """
    from tco.prices.list_prices import ListPrice, list_price

    provider, slash, rest = name.partition("/")
    at = day.isoformat() if day else None
    found = list_price(None, name, at)
    if not isinstance(found, ListPrice) and slash:
        found = list_price(provider, rest, at) if rest.strip() else found
    if not isinstance(found, ListPrice):
        raise _unknown(name, str(found), found.near)
    when = f"on {day}" if day else "the last price that is listed"
    lines = [f"{found.provider} {found.model}, USD for a million tokens, {when}"]
    rows = [
        ("input", found.input_price),
        ("output", found.output_price),
        ("input read from a cache", found.cache_read_price),
        ("input written to a cache, 5 minutes", found.cache_write_price),
        ("input written to a cache, an hour", found.cache_write_hour_price),
        ("input in a batch", found.batch_input_price),
        ("output in a batch", found.batch_output_price),
    ]
    if found.long_context_threshold is not None:
        above = f"of a prompt above {found.long_context_threshold:,} tokens"
        rows += [
            (f"input {above}", found.long_context_input_price),
            (f"output {above}", found.long_context_output_price),
        ]
    shown = [(label, exact(value)) for label, value in rows if value is not None]
    lines += _table([(f"  {label}", value, "") for label, value in shown], left=(0,))
    if found.valid_from:
        since = f"valid from {found.valid_from}"
        since += f", {(day - date.fromisoformat(found.valid_from)).days:,} days old" if day else ""
    else:
        since = "its first price: the list does not say since when it holds"
    notes = [since, f"source: {found.source}, a list of the makers' prices"]
    notes += [found.note] if found.note else []
    notes += [f"retired: {found.retired}"] if found.retired else []
    if every:
        notes.append("history: the list is asked for one day at a time, with --at DATE")
    for note in notes:
        lines += wrap(note, first="  ", rest="    ")
    return _printed(lines)


def _unknown(name: str, why: str, near: Sequence[str]) -> UnknownPrice:
    names = (*_things(), *cards.names())
    asked = gpu_of(name).name
    close = [*get_close_matches(asked, names, n=2), *near]
    meant = " or ".join(dict.fromkeys(close))
    hint = f"did you mean {meant}?" if close else "all names:  tco prices"
    lines = wrap(f"{printable(name)!r} is no name that a price is known by; {hint}")
    return UnknownPrice("\n".join([*lines, *wrap(f"as a model: {why}", first="  ", rest="    ")]))


def _things() -> tuple[str, ...]:
    return tuple(dict.fromkeys(row.thing for row in book.observations()))


def _known(name: str, now: date) -> list[Observation]:
    return [row for row in book.observations() if row.thing == name and row.since <= now]


def _specifications(card: Card) -> list[str]:
    """What a card is: figures without sparsity."""
    fp8 = {None: "not known", 0.0: "none"}.get(
        card.dense_fp8_tflops, f"{exact(card.dense_fp8_tflops or 0)}"
    )
    joined = f"{exact(card.nvlink_gb_s)} GB/s" if card.nvlink_gb_s else "none"
    facts = [
        f"{exact(card.memory_gb)} GB at {exact(card.bandwidth_gb_s)} GB/s",
        f"rated {exact(card.tdp)} W",
        f"TFLOPS without sparsity: FP16 {exact(card.dense_fp16_tflops)}, FP8 {fp8}",
        f"NVLink {joined}",
    ]
    if card.board_sizes != (1,):
        facts.append(f"sold on boards of {' or '.join(map(str, card.board_sizes))}")
    facts += [card.note] if card.note else []
    return [
        *wrap(f"{card.name}: {card.title}, {'; '.join(facts)}", rest="  "),
        *wrap(f"power and memory: {card.source}", first="  ", rest="    "),
        *wrap(card.speed_source, first="  ", rest="    "),
    ]


def _price(
    found: Price, rows: Sequence[Observation], now: date, sources: _Sources
) -> Iterator[str]:
    """One price of a thing, then the rows that it is made of and those that it is not."""
    head = f"{TITLES[found.unit]}: {_derived(found.value, found.currency)}"
    if found.unit == book.GPU_HOUR:
        several = len(found.providers) > 1
        head += f", the median of {len(found.providers)} providers" if several else ", one provider"
        if several:
            head += f"; {_quarters(found)} between the quarters, lowest "
            head += _derived(found.minimum, found.currency)
    elif found.is_launch:
        head += f", the launch price of {found.newest}, not an offer: no other price is known"
    else:
        middle = ", the middle of the newest" if found.used[1:] else ""
        head += f", {book.KINDS[found.kinds[0]]}{middle}"
    yield from wrap(f"{head}; {_ages(found.used, now)} days old", rest="  ")
    yield from sources.table(_by_value(found.used), now)
    left = [*_by_value(found.left_out)]
    counted = {*found.used, *left}
    left += sorted((row for row in rows if row not in counted), key=lambda row: row.since)[::-1]
    if left:
        yield f"not counted: {NOT_COUNTED.get(found.unit, 'older')}"
        yield from sources.table(left, now)


def _by_value(rows: Iterable[Observation]) -> list[Observation]:
    return sorted(rows, key=lambda row: row.value)


def _quarters(found: Price) -> str:
    if found.p25 is None or found.p75 is None:
        return "-"
    return f"{_derived(found.p25, found.currency)} to {_derived(found.p75, found.currency)}"


def _rented(title: str, found: Sequence[Price], now: date) -> list[str]:
    rows = [(title, "median", "quarters", "lowest", "providers", "age, days", "kinds")]
    for one in found:
        rows.append(
            (
                f"  {one.thing}",
                _derived(one.value, one.currency),
                _quarters(one),
                _derived(one.minimum, one.currency),
                f"{len(one.providers)}",
                _ages(one.used, now),
                ", ".join(one.kinds),
            )
        )
    notes = (
        'each provider with its newest median or list price; "from" and spot prices are left out; '
        "whose prices, with their sources:  tco prices GPU"
    )
    return [*_table(rows, left=(0, 6)), *wrap(notes, first="  ", rest="  ")]


def _bought(title: str, found: Sequence[Price], now: date) -> list[str]:
    rows = [(title, "price", "of", "age, days", "kind", "source")]
    for one in found:
        kinds = ", ".join(one.kinds) + (" (!)" if one.is_launch else "")
        source = "; ".join(one.sources)
        shown = _derived(one.value, one.currency)
        rows.append((f"  {one.thing}", shown, one.newest, _ages(one.used, now), kinds, source))
    lines = _table(rows, left=(0, 2, 4, 5))
    if any(one.is_launch for one in found):
        lines += wrap("! the price of a launch is not an offer", first="  ")
    return lines


class _Sources:
    """The sources of what is listed, each once under its number."""

    def __init__(self) -> None:
        self.known: list[str] = []

    def table(
        self, rows: Sequence[Observation], now: date, *, of_things: bool = False
    ) -> list[str]:
        """Rows of the book, each with the number of its source and what there is to know."""
        shown = [("  of" if of_things else "  from", "price", "of", "age, days", "kind", "source")]
        for row in rows:
            if row.source not in self.known:
                self.known.append(row.source)
            number = f"[{self.known.index(row.source) + 1}]"
            shown.append(
                (
                    f"  {row.thing if of_things else row.market}",
                    exact(row.value) if row.unit == book.EURO else _money(row.value, row.currency),
                    row.day,
                    _age(row, now),
                    row.kind,
                    f"{number} {row.note}",
                )
            )
        return _table(shown, left=(0, 2, 4, 5))

    def listed(self) -> Iterator[str]:
        """The sources by their numbers."""
        for number, source in enumerate(self.known, start=1):
            label = f"[{number}] "
            yield from wrap(f"{label}{source}", rest=" " * len(label))


def _derived(value: float, currency: str) -> str:
    """A price that was computed, with up to four decimals."""
    return _money(round(value, 4), currency)


def _money(value: float, currency: str) -> str:
    """A price as it was read, with its cents.

    >>> _money(2.4, "USD"), _money(3.5825, "USD"), _money(10000, "USD"), _money(0.0806, "USD")
    ('$2.40', '$3.5825', '$10,000', '$0.0806')
    """
    text = price(value, currency)
    whole, _, decimals = text.partition(".")
    return text if value >= 1000 else f"{whole}.{decimals:0<2}"


def _rates(now: date) -> Iterator[str]:
    """Every currency for one dollar."""
    for code in _currencies():
        rate = book.rate_at(code, "USD", now)
        if code != "USD" and rate is not None:
            yield f"{code} {rate.value:.5g}"


def _rates_of(code: str, now: date, sources: _Sources) -> Iterator[str]:
    """What a currency is worth."""
    used: dict[Observation, None] = {}
    for reporting in (book.EURO, "USD"):
        rate = book.rate_at(code, reporting, now)
        if code != reporting and rate is not None:
            used.update(dict.fromkeys(rate.used))
            made = " / ".join(f"{row.value:g} {row.thing}" for row in rate.used)
            by = f" ({made}, each for one {book.EURO})" if rate.used[1:] else ""
            yield f"{rate.value:.6g} {code} for one {reporting}{by}"
    if used:
        yield from sources.table([*used], now, of_things=True)


def _currencies() -> tuple[str, ...]:
    return (book.EURO, *book.things("exchange rates"))


def _age(row: Observation, now: date) -> str:
    return f"{(now - row.since).days:,}"


def _ages(rows: Iterable[Observation], now: date) -> str:
    days = sorted((now - row.since).days for row in rows)
    return f"{days[0]:,}" if days[0] == days[-1] else f"{days[0]:,} to {days[-1]:,}"


def _counted(day: date | None) -> list[str]:
    if day is not None:
        return [f"ages are counted to {day}"]
    return wrap(
        f"ages are counted to {book.last_day()}, the newest day in the book; --at DATE counts to "
        "another; a month or a year counts from its first day"
    )


def _table(rows: Sequence[Sequence[str]], left: Sequence[int]) -> list[str]:
    """Rows in columns; the last column is wrapped where it does not fit."""
    last = len(rows[0]) - 1
    places = [max(width(row[n]) for row in rows) for n in range(last)]
    start = sum(places) + 2 * last
    lines = []
    for row in rows:
        head = "  ".join(fill(row[n], places[n], right=n not in left) for n in range(last))
        cell = wrap(row[last], places=LINE - start) if row[last] else [""]
        lines.append(f"{head}  {cell[0]}".rstrip())
        lines += [" " * start + more for more in cell[1:]]
    return lines


def _printed(lines: Iterable[str]) -> str:
    return "\n".join(printable(line) for line in lines)
