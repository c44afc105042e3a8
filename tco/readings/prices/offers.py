"""Offers of GPUs for rent: what is asked for a GPU-hour of a card, and how that spreads.

Cards, their forms, marketplaces and ways of billing are never mixed: a median over H100 with PCIe
and with SXM is the price of neither. The median, with each offer counted once, is what a scenario
is given; the lowest offer is one machine on one day, and only a bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Literal

from tco.prices.book import GPU_HOUR, Price, price_at
from tco.prices.cards import card as known_card
from tco.prices.gpu_names import Gpu, gpu_of
from tco.readings.reading import Asked, Basis, Dropped, Entry, Reading, ReadingError, Source, Table

Billing = Literal["on-demand", "spot", "reserved"]

FEW_OFFERS = 5
"""Fewer offers than this have no quartiles worth the name."""
HIGHEST = Decimal(100)
"""USD for a GPU-hour above which a price is none: hosts ask so much to stay unrented."""
LOWEST_OF_KNOWN = Decimal("0.05")
"""USD for a GPU-hour below which the price of a known card is the floor of an auction."""
TIMES_OFF = 10
"""How many times dearer or cheaper than the median of its card a price must be to be none."""
TIMES_DOUBTED = 3
"""How many times dearer or cheaper than in the price book a median must be to be doubted."""
MOST_ROWS = 20

SHARES = {
    "P10": Fraction(1, 10),
    "P25": Fraction(1, 4),
    "median": Fraction(1, 2),
    "P75": Fraction(3, 4),
    "P90": Fraction(9, 10),
}
QUANTILES = (
    "a quantile is the lowest price that so large a share of the offers is at or below; where the "
    "share is met exactly, the mean of that price and the next (Hyndman and Fan 1996, definition 2)"
)


class LeftOut:
    """Rows that are not used, counted by reason, with the line of the first.

    Of rows that say two prices one may be left out and the other used: such prices are counted
    apart, since the row is not left out.
    """

    def __init__(self) -> None:
        self._rows: dict[str, Dropped] = {}
        self._prices: Counter[str] = Counter()

    def add(self, why: str, line: int | None = None, rows: int = 1) -> None:
        """One more row for a reason."""
        so_far = self._rows.get(why, Dropped(why, 0, line))
        self._rows[why] = replace(so_far, rows=so_far.rows + rows)

    def add_price(self, why: str, rows: int = 1) -> None:
        """The price of one more row that is used for its other price."""
        self._prices[why] += rows

    @property
    def prices(self) -> tuple[str, ...]:
        """What is said of the prices left out of rows that are used."""
        return tuple(
            f"left out, of {_rows(rows)} used for another price: {why}"
            for why, rows in self._prices.items()
        )

    @property
    def reasons(self) -> tuple[Dropped, ...]:
        """Each reason once, the first found first."""
        return tuple(self._rows.values())


@dataclass(frozen=True)
class Offer:
    """A price of one GPU-hour in USD.

    ``gpus`` are rented together, ``marketplace`` is where. ``row`` numbers the row that says it
    among those of all files, ``rows`` is how many say the same, ``line`` where the first stands.
    """

    gpu: Gpu
    marketplace: str
    price: Decimal
    gpus: Fraction
    billing: Billing = "on-demand"
    row: int = 0
    rows: int = 1
    line: int | None = None


@dataclass(frozen=True)
class Group:
    """The offers of one card at one marketplace, billed in one way."""

    gpu: Gpu
    marketplace: str
    billing: Billing
    offers: tuple[Offer, ...]

    @property
    def gpus(self) -> Fraction:
        """The GPUs of all offers together."""
        return sum((offer.gpus for offer in self.offers), Fraction(0))

    @property
    def minimum(self) -> Decimal:
        """The lowest offer, in USD for a GPU-hour."""
        return min(offer.price for offer in self.offers)

    def quantile(self, share: Fraction, *, by_gpu: bool = False) -> Decimal:
        """The price that so large a share of the offers, or of their GPUs, is at or below."""
        weights = [offer.gpus if by_gpu else Fraction(1) for offer in self.offers]
        return weighted_quantile([offer.price for offer in self.offers], weights, share)


def weighted_quantile(
    prices: Sequence[Decimal], weights: Sequence[Fraction], share: Fraction
) -> Decimal:
    """The lowest price at or below which ``share`` of all weight stands.

    Where the share is met exactly, the mean of that price and the next: with equal weights the
    usual median. Weights are positive; the calculation is exact, so that no rounding decides
    between two prices.

    Source: Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician
    50 (1996), definition 2 (``averaged_inverted_cdf`` of NumPy), with counts replaced by weights.

    Raises ValueError without prices, and for a weight that is not positive.

    >>> prices = [Decimal(4), Decimal(1), Decimal(2), Decimal(3)]
    >>> weighted_quantile(prices, [Fraction(1)] * 4, SHARES["median"])
    Decimal('2.5')
    >>> weighted_quantile([Decimal(1), Decimal(9)], [Fraction(1), Fraction(7)], SHARES["median"])
    Decimal('9')
    """
    if not prices or any(weight <= 0 for weight in weights):
        raise ValueError("a quantile is of one price or more, each with a weight above 0")
    ordered = sorted(zip(prices, weights, strict=True))
    target = share * sum(weights, Fraction(0))
    reached = Fraction(0)
    for place, (price, weight) in enumerate(ordered):
        reached += weight
        if reached > target:
            return price
        if reached == target and place + 1 < len(ordered):
            return (price + ordered[place + 1][0]) / 2
    return ordered[-1][0]


def reading_of(
    kind: str,
    paths: Sequence[Path],
    offers: Iterable[Offer],
    asked: Asked,
    *,
    basis: Basis,
    rows_are: str,
    left_out: LeftOut,
    remarks: Sequence[str] = (),
    warnings: Sequence[str] = (),
    next_step: str,
) -> Reading:
    """What offers, as ``plausible`` gives them, say of the prices of their cards.

    ``left_out`` are the rows that gave none. Raises ReadingError if no offer can be used, with
    ``next_step``.
    """
    kept = [*offers]
    if not kept:
        reasons = "; ".join(f"{each.why}: {each.rows}" for each in left_out.reasons)
        raise ReadingError(
            str(paths[0]),
            None,
            None,
            f"no offer of a GPU with a price ({reasons or 'nothing in it'})",
            "one offer or more with a GPU and its price",
            next_step,
        )
    groups = grouped(kept)
    entries, doubts = entries_of(groups, basis)
    return Reading(
        kind=kind,
        sources=tuple(Source.of(path) for path in paths),
        used=sum({offer.row: offer.rows for offer in kept}.values()),
        rows_are=rows_are,
        dropped=left_out.reasons,
        entries=entries,
        tables=tables(groups),
        remarks=(
            *remarks,
            *left_out.prices,
            "written is the median with each offer counted once, P25 and P75 beside it; the "
            "minimum is one offer and only a bound",
            *(
                ("spot prices stand in the tables only: no option's price is taken from them",)
                if any(group.billing == "spot" for group in groups)
                else ()
            ),
        ),
        warnings=(
            *warnings,
            *doubts,
            *(
                f"{group.gpu.name}, {group.marketplace}: {doubt}"
                for group in groups
                if (doubt := _doubt(group)) is not None
            ),
            *_unmatched(kept, asked.gpu),
        ),
    )


def _settled(offer: Offer, name: str | None) -> Offer:
    """The offer, of the card that the user says it is of where its own name leaves that open."""
    if name is None:
        return offer
    asked = gpu_of(name)
    open_to = {asked.name, name} & set(offer.gpu.ambiguous)
    return replace(offer, gpu=asked) if open_to else offer


def _unmatched(offers: Iterable[Offer], name: str | None) -> tuple[str, ...]:
    if name is None or any(offer.gpu.name == gpu_of(name).name for offer in offers):
        return ()
    return (f"no offer is of {name}, which was asked for with --gpu",)


def _doubt(group: Group) -> str | None:
    """How far the median is from the price book, None if it is not far or not in the book."""
    price = book_price(group.gpu) if group.billing == "on-demand" else None
    median = group.quantile(SHARES["median"])
    if price is None or price.value / TIMES_DOUBTED < median < price.value * TIMES_DOUBTED:
        return None
    far, cause = (
        ("below", "the floor of an auction, or the price of a part")
        if median < price.value
        else ("above", "the price of several GPUs, or of more than GPUs")
    )
    return (
        f"{shown(median)} is far {far} the {price.value:.4g} USD of the price book "
        f"({len(price.providers)} providers, the newest of {price.newest}): it may be {cause}"
    )


def plausible(found: Iterable[Offer], asked: Asked, left_out: LeftOut) -> list[Offer]:
    """The offers without those whose price cannot be that of a GPU-hour.

    A price is held to the median of its card among the offers, or in the price book if they are
    few; one that is ten times that, or a tenth, is none. A row without any other price is added to
    ``left_out``, once.
    """
    offers = [_settled(offer, asked.gpu) for offer in found]
    medians = {
        key: weighted_quantile(prices, [Fraction(1)] * len(prices), SHARES["median"])
        for key, prices in _by_card(offers).items()
        if len(prices) >= FEW_OFFERS
    }
    kept, absurd = [], []
    for offer in offers:
        why = _absurd(offer, medians.get((offer.gpu.name, offer.billing)) or _book_median(offer))
        if why:
            absurd.append((offer, f"{offer.gpu.name} {offer.billing} {why}"))
        else:
            kept.append(offer)
    used = {offer.row for offer in kept}
    counted: set[int] = set()
    for offer, why in absurd:
        if offer.row in used:
            left_out.add_price(why, offer.rows)
        elif offer.row not in counted:
            counted.add(offer.row)
            left_out.add(why, offer.line, offer.rows)
    return kept


def _absurd(offer: Offer, usual: Decimal | None) -> str | None:
    """Why a price is none of a GPU-hour, None if it may be one."""
    if offer.price > HIGHEST:
        return f"above {HIGHEST} USD for a GPU-hour"
    if offer.gpu.card and offer.price < LOWEST_OF_KNOWN:
        return f"under {LOWEST_OF_KNOWN} USD for a GPU-hour: the floor of an auction, no price"
    if usual is not None and offer.price * TIMES_OFF <= usual:
        return (
            f"at a tenth or less of the median of {shown(usual)} USD: the floor of an auction, or "
            "the price of a part"
        )
    if usual is not None and offer.price >= usual * TIMES_OFF:
        return f"at ten times the median of {shown(usual)} USD or more"
    return None


def _book_median(offer: Offer) -> Decimal | None:
    price = book_price(offer.gpu) if offer.billing == "on-demand" else None
    return Decimal(repr(price.value)) if price else None


def book_price(gpu: Gpu) -> Price | None:
    """What the price book has for a GPU-hour on demand, in USD; None for a card not in it."""
    price = price_at(gpu.card, GPU_HOUR, None) if gpu.card else None
    return price if price and price.currency == "USD" else None


def _by_card(offers: Iterable[Offer]) -> dict[tuple[str, str], list[Decimal]]:
    prices: dict[tuple[str, str], list[Decimal]] = {}
    for offer in offers:
        prices.setdefault((offer.gpu.name, offer.billing), []).append(offer.price)
    return prices


def grouped(offers: Iterable[Offer]) -> tuple[Group, ...]:
    """The offers by card, marketplace and billing: known cards first, then by the most offers."""
    parts: dict[tuple[Gpu, str, Billing], list[Offer]] = {}
    for offer in offers:
        parts.setdefault((offer.gpu, offer.marketplace, offer.billing), []).append(offer)
    groups = [Group(*key, tuple(members)) for key, members in parts.items()]
    return tuple(
        sorted(
            groups,
            key=lambda group: (
                group.gpu.card is None,
                -sum(len(g.offers) for g in groups if g.gpu == group.gpu),
                group.gpu.name,
                group.marketplace,
                group.billing,
            ),
        )
    )


def entries_of(groups: Sequence[Group], basis: Basis) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The price of each card that is settled, and what keeps the others from being written."""
    priced = [group for group in groups if group.billing == "on-demand"]
    places = Counter(group.gpu.name for group in priced)
    entries, doubts = [], []
    for group in priced:
        name = group.gpu.name
        if group.gpu.ambiguous:
            may_be = " or ".join(group.gpu.ambiguous)
            doubts.append(
                f"{name} ({_count(group)}) may be {may_be}: its price is not written; "
                f"--gpu {group.gpu.ambiguous[-1]} says which it is"
            )
        elif places[name] > 1:
            continue
        else:
            entries.append(_entry(group, basis))
    for name, count in places.items():
        here = [group for group in priced if group.gpu.name == name]
        if count > 1 and not here[0].gpu.ambiguous:
            listed = ", ".join(
                f"{shown(group.quantile(SHARES['median']))} in {group.marketplace}"
                f"{' as ' + group.gpu.form.upper() if group.gpu.form else ''}"
                for group in here
            )
            doubts.append(
                f"{name} has {count} medians ({listed}): none is written; read one file to "
                "write its price"
            )
    few = [group.gpu.name for group in priced if len(group.offers) < FEW_OFFERS]
    if few:
        listed = ", ".join(dict.fromkeys(few[:MOST_ROWS]))
        doubts.append(
            f"fewer than {FEW_OFFERS} offers: {listed}{_more(len(few))}; too small a sample for "
            "quartiles, so no P25 and P75 are written"
        )
    return tuple(entries), tuple(doubts)


def _entry(group: Group, basis: Basis) -> Entry:
    median = group.quantile(SHARES["median"])
    content: dict[str, float | str] = {"median": six_digits(median)}
    if len(group.offers) >= FEW_OFFERS:
        content["p25"] = six_digits(group.quantile(SHARES["P25"]))
        content["p75"] = six_digits(group.quantile(SHARES["P75"]))
    content |= {"minimum": six_digits(group.minimum), "currency": "USD"}
    by_gpu = group.quantile(SHARES["median"], by_gpu=True)
    doubt = _doubt(group)
    notes = (
        f"median of {_count(group)}, {group.marketplace}",
        f"each offer counted once (with each GPU counted once {shown(by_gpu)})",
        "minimum: one offer, a bound",
        *((f"a small sample, under {FEW_OFFERS}",) if len(group.offers) < FEW_OFFERS else ()),
        *((doubt,) if doubt else ()),
    )
    return Entry(
        room="rental",
        subject=group.gpu.name,
        field="price",
        content=content,
        label=f"{title(group.gpu)}, on demand, {group.marketplace}",
        shown=f"{shown(median)} USD/GPU-hour",
        basis=basis,
        note="; ".join(notes),
    )


def tables(groups: Sequence[Group]) -> tuple[Table, ...]:
    """The quantiles of each group by offer, and by GPU where that makes a difference.

    At most ``MOST_ROWS`` groups are in a table.
    """
    uneven = [group for group in groups if len({offer.gpus for offer in group.offers}) > 1]
    by_offer = _table("offer", groups, QUANTILES, by_gpu=False)
    if not uneven:
        return (by_offer,)
    return by_offer, _table("GPU", uneven, "for comparison: not written", by_gpu=True)


def _table(counted: str, groups: Sequence[Group], note: str, *, by_gpu: bool) -> Table:
    more = len(groups) - MOST_ROWS
    return Table(
        f"USD per GPU-hour, each {counted} counted once",
        (
            ("card", "at", "billed", "offers", "GPUs", "minimum", *SHARES),
            *(_row(group, by_gpu=by_gpu) for group in groups[:MOST_ROWS]),
        ),
        (*((f"and {more} more, with fewer offers",) if more > 0 else ()), note),
    )


def _row(group: Group, *, by_gpu: bool) -> tuple[str, ...]:
    return (
        _with_form(group.gpu),
        group.marketplace,
        group.billing,
        str(len(group.offers)),
        f"{float(group.gpus):g}",
        shown(group.minimum),
        *(shown(group.quantile(share, by_gpu=by_gpu)) for share in SHARES.values()),
    )


def _with_form(gpu: Gpu) -> str:
    """The name of a card with its form, where that is not in the name.

    >>> [_with_form(gpu_of(text)) for text in ("H100 SXM", "A100 SXM4 40GB", "H100", "RTX 4090")]
    ['h100-sxm', 'a100-40gb (SXM)', 'h100 (form not told)', 'rtx-4090']
    """
    if gpu.ambiguous:
        return f"{gpu.name} (form not told)"
    if gpu.form is None or gpu.form in gpu.name:
        return gpu.name
    return f"{gpu.name} ({'PCIe' if gpu.form == 'pcie' else gpu.form.upper()})"


def title(gpu: Gpu) -> str:
    """What a GPU is called in a text."""
    known = known_card(gpu.card) if gpu.card else None
    return known.title if known else gpu.name


def shown(price: Decimal) -> str:
    """A price as it is printed: four digits, or the cents.

    >>> shown(Decimal("2.950")), shown(Decimal("0.2466667")), shown(Decimal("12.2912"))
    ('2.95', '0.2467', '12.29')
    """
    return f"{float(price):.4g}" if price < 100 else f"{float(price):.2f}"


def six_digits(number: Decimal) -> float:
    """A number for a scenario, with six significant digits."""
    return float(f"{number:.6g}")


def _rows(rows: int) -> str:
    return f"{rows} row{'s' * (rows != 1)}"


def _count(group: Group) -> str:
    offers, gpus = len(group.offers), float(group.gpus)
    return f"{offers} offer{'s' * (offers != 1)} of {gpus:g} GPU{'s' * (gpus != 1)}"


def _more(count: int) -> str:
    return f" and {count - MOST_ROWS} more" if count > MOST_ROWS else ""
