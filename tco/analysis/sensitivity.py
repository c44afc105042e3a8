"""How far each uncertain number moves the difference between two options, and where it turns.

Each number with a low or a high is set to the one and to the other (P10 and P90), the others as
given; numbers that correlations join are set together. The ends of all bars are one run of the
model. Bars do not add up: what two numbers do together shows in `tco.analysis.uncertainty` alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from tco.analysis.axes import Axis, axis_of
from tco.analysis.break_even import options_of
from tco.analysis.ranges import Z90, Group, groups
from tco.analysis.turns import Turn, turns
from tco.analysis.uncertainty import points
from tco.analysis.what_if import WhatIf
from tco.engine.operations import Array
from tco.engine.slices import NEAR
from tco.results import Result

BESIDE = 1e-6  # of a value, to both sides
FARTHEST = 3.0  # normal scores that a group is taken to on both sides: 1 in 740


@dataclass(frozen=True)
class Bar:
    """One number, or several that move together, at its low and at its high.

    ``at_low`` and ``at_high`` are the gaps there, in money a month; ``served_at_low`` tells whether
    both options serve the demand there. ``flips_at`` is the value nearest to the given one at which
    the gap changes its sign, None where there is none in the range that is looked at;
    ``flips_within`` whether it lies between low and high. ``winners`` are the values at which the
    cheapest of all options changes, from ``looked_from`` to ``looked_to``.
    """

    label: str
    inputs: tuple[str, ...]
    low_text: str
    high_text: str
    at_low: float
    at_high: float
    served_at_low: bool
    served_at_high: bool
    flips_at: str | None = None
    flips_within: bool = False
    winners: tuple[Winner, ...] = ()
    looked_from: str = ""
    looked_to: str = ""

    @property
    def swing(self) -> float:
        """The distance between the two gaps."""
        return abs(self.at_high - self.at_low)


@dataclass(frozen=True)
class Winner:
    """A value at which the cheapest option that serves changes; None where none serves."""

    value: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Tornado:
    """What moves the gap: the equivalent monthly cost of ``this`` less that of ``other``.

    ``base`` is the gap as given; ``bars`` have the largest swing first; ``unmoved`` are the labels
    of numbers that have a range and move neither option.
    """

    this: str
    other: str
    base: float
    bars: tuple[Bar, ...]
    unmoved: tuple[str, ...]


@dataclass(frozen=True)
class Together(Axis):
    """Numbers that move together, as an axis of their common normal score."""

    group: Group = field(kw_only=True)

    def values(self, x: ArrayLike) -> dict[str, Array]:
        """The values of the inputs with every number at the same scores."""
        return self.group.at(np.atleast_1d(np.asarray(x, dtype=float)))

    def text(self, result: Result, value: float) -> str:
        """The share of cases below a score, and the number that the first one has there."""
        first = self.group.members[0]
        return f"P{points(NormalDist().cdf(value))} ({first.text(result, float(first.at(value)))})"


def tornado(
    result: Result,
    this: str | None = None,
    other: str | None = None,
    *,
    winners: bool = True,
    solved: bool = True,
) -> Tornado:
    """What moves the difference between two options, the focus and the baseline by default.

    Without ``winners`` the changes of the cheapest of all options are not looked for, and with
    ``solved`` off no value at which anything turns: the ends of the bars alone take a moment.
    Raises `ScenarioError` for names that are none, one option against itself, and where there are
    no two options to compare; `ScenarioErrors` when a number overflows.
    """
    this, other = options_of(result, this, other)
    moving = groups(result)
    ends = [end for group in moving for end in group.ends()]
    what_if = WhatIf(result, [name for end in ends for name in end], [this, other])
    base = {name: _given(result, name) for end in ends for name in end}
    at_ends = {name: np.array([end.get(name, base[name]) for end in ends]) for name in base}
    outcomes = what_if(at_ends)
    one, two = outcomes.of(this), outcomes.of(other)
    gaps = outcomes.monthly[one] - outcomes.monthly[two]
    scale = np.abs(outcomes.monthly).max(axis=0)
    served = outcomes.serves[one] & outcomes.serves[two]
    given = _monthly(result, this) - _monthly(result, other)
    bars, unmoved = [], []
    for place, group in enumerate(moving):
        low, high = 2 * place, 2 * place + 1
        label = " with ".join(member.label for member in group.members)
        if np.abs(gaps[[low, high]] - given).max() <= NEAR * scale[[low, high]].max():
            unmoved.append(label)
            continue
        bar = _bar(result, group, label, gaps[[low, high]], served[[low, high]])
        axis = _axis(result, group, this, other) if solved else None
        bars.append(_turning(result, bar, *axis, (this, other), winners) if axis else bar)
    bars.sort(key=lambda bar: -bar.swing)
    return Tornado(this, other, given, tuple(bars), tuple(unmoved))


def _bar(result: Result, group: Group, label: str, gaps: Array, served: Sequence[bool]) -> Bar:
    """The ends of a bar."""
    ends = [", ".join(texts) for texts in _end_texts(result, group)]
    return Bar(
        label,
        tuple(given.name for member in group.members for given in member.inputs),
        ends[0],
        ends[1],
        float(gaps[0]),
        float(gaps[1]),
        bool(served[0]),
        bool(served[1]),
    )


def _turning(
    result: Result,
    bar: Bar,
    axis: Axis,
    low: float,
    high: float,
    pair: tuple[str, str],
    winners: bool,
) -> Bar:
    """The bar with the values at which the gap turns and, if asked, the cheapest option changes."""
    least, most = min(axis.low, low), max(axis.high, high)
    between = (least, most)
    values = [turn.value for turn in turns(result, axis, between, pair, serving=False)]
    values = _both_serve(result, axis, pair, values)
    # of several the nearest, one between low and high before one that is not
    nearest = min(values, key=lambda x: (not low <= x <= high, abs(x - axis.base)), default=None)
    changes = turns(result, axis, between, serving=True) if winners else []
    return replace(
        bar,
        flips_at=None if nearest is None else axis.text(result, nearest),
        flips_within=nearest is not None and low <= nearest <= high,
        winners=tuple(_winner(result, axis, turn) for turn in changes),
        looked_from=axis.text(result, least),
        looked_to=axis.text(result, most),
    )


def _both_serve(
    result: Result, axis: Axis, pair: tuple[str, str], values: Sequence[float]
) -> list[float]:
    """The values beside which both options serve the demand."""
    if not values:
        return []
    beside = np.array([value * (1 + step) for value in values for step in (-BESIDE, BESIDE)])
    serves = WhatIf(result, axis.names, pair)(axis.values(beside)).serves.all(axis=0)
    return [value for place, value in enumerate(values) if serves[2 * place : 2 * place + 2].all()]


def _winner(result: Result, axis: Axis, turn: Turn) -> Winner:
    return Winner(axis.text(result, turn.value), turn.before, turn.after)


def _axis(result: Result, group: Group, this: str, other: str) -> tuple[Axis, float, float]:
    """The axis of a number or of several, with the low and high on it."""
    first = group.members[0]
    axis = axis_of(result, first.path, this, other)
    if len(group.members) == 1:
        return axis, *first.ends()
    names = tuple(given.name for member in group.members for given in member.inputs)
    together = Together(
        first.path, " with ".join(member.label for member in group.members), "normal score",
        0.0, -FARTHEST, FARTHEST, axis.given, names, (0.0,) * len(names), group=group,
    )  # fmt: skip
    return together, -Z90, Z90


def _end_texts(result: Result, group: Group) -> tuple[list[str], list[str]]:
    low, high = [], []
    for member, sign in zip(group.members, group.signs, strict=True):
        first, last = member.ends(sign)
        low.append(member.text(result, first))
        high.append(member.text(result, last))
    return low, high


def _given(result: Result, name: str) -> float:
    return next(given.value for given in result.model.numbers if given.name == name)


def _monthly(result: Result, option: str) -> float:
    return result.value(result.option(option).line("equivalent_monthly_cost"))
