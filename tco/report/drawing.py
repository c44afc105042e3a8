"""What each chart shows, as plain data that another process can be sent.

Amounts are in the reporting currency; every text is ready to be drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

FOCUS, BASELINE, OTHER = "focus", "baseline", "other"
Ticks = tuple[tuple[float, str], ...]  # places on an axis and what is written there
Grid = tuple[tuple[float, ...], ...]  # rows from low to high, each from left to right


@dataclass(frozen=True)
class Drawing:
    """The texts around a chart: what it says, by which conventions, and what it leaves out."""

    title: str
    headline: str
    convention: str
    footer: str
    currency: str

    @property
    def characters(self) -> set[str]:
        """All the characters that a font has to have."""
        return set().union(*_texts(self))


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple) and part and not isinstance(part[0], float):
        for item in part:
            yield from _texts(item)
    elif hasattr(part, "__dataclass_fields__"):
        for field in fields(part):
            yield from _texts(getattr(part, field.name))


@dataclass(frozen=True)
class Mark:
    """A point to ring, and what to write beside it."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Curve:
    """The cost of one option along the axis; ``amount`` is written behind its name.

    Where ``serves`` is False the option leaves work unserved and the curve is dotted.
    """

    name: str
    role: str
    amount: str
    values: tuple[float, ...]
    serves: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Curves(Drawing):
    """Costs along an axis: months, tokens or the busy share. ``here`` is the scenario's own place.

    All curves have a value at each of ``places``.
    """

    caption: str
    axis: str
    places: tuple[float, ...]
    ticks: Ticks
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]
    here: float | None = None
    here_text: str = ""


@dataclass(frozen=True)
class Side:
    """One axis of a map."""

    label: str
    places: tuple[float, ...]
    ticks: Ticks


@dataclass(frozen=True)
class Region:
    """Where an option is the cheapest one: there its ``lead`` over the next is above 0."""

    name: str
    role: str
    lead: Grid


@dataclass(frozen=True)
class Border:
    """Where two options cost the same: there the ``gap`` between them is 0."""

    text: str
    gap: Grid


@dataclass(frozen=True)
class Map(Drawing):
    """The cheapest option over two inputs.

    ``cheapest`` is the number of the region that each point is in, -1 for none of them;
    ``unserved`` is 1 where no option serves the demand, and empty if one does everywhere.
    """

    x: Side
    y: Side
    cheapest: Grid
    regions: tuple[Region, ...]
    borders: tuple[Border, ...]
    unserved: Grid
    here: Mark | None


@dataclass(frozen=True)
class Swing:
    """What one input, or several together, do to a difference between two options."""

    label: str
    low: str
    high: str
    at_low: float
    at_high: float
    flips: str


@dataclass(frozen=True)
class Swings(Drawing):
    """A tornado: the inputs that move a difference most, the largest first.

    Below 0 ``this`` is the cheaper one, above it ``other``.
    """

    caption: str
    this: str
    other: str
    base: float
    swings: tuple[Swing, ...]


@dataclass(frozen=True)
class Step:
    """What one part adds to the cost of one option to come to the cost of another."""

    label: str
    difference: float
    amount: str


@dataclass(frozen=True)
class Waterfall(Drawing):
    """From the cost of one option, part by part, to that of another."""

    caption: str
    first: tuple[str, float, str]  # name, cost, cost as it is written
    steps: tuple[Step, ...]
    last: tuple[str, float, str]


@dataclass(frozen=True)
class Bar:
    """The cost of one option, part by part, in the order of ``Bars.parts``; ``total`` in words."""

    name: str
    role: str
    amounts: tuple[float, ...]
    sum: float
    total: str


@dataclass(frozen=True)
class Bars(Drawing):
    """The monthly cost of each option by its parts."""

    caption: str
    parts: tuple[str, ...]
    bars: tuple[Bar, ...]
