"""Where the cheaper of some options changes along an axis, looked for where costs come close.

`tco.analysis.break_even` looks everywhere between two options. A tornado asks the same of every
input and of all options at once: here costs are taken at evenly spread values first, and only
stretches in which another option may come below the cheapest one are looked at closely. Between
two options every whole number and every tier in them is tried; between all options that serve the
demand the changes are solved that show at neighbouring values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tco.analysis.axes import Axis
from tco.analysis.crossings import NONE, Known, explore
from tco.analysis.what_if import WhatIf
from tco.engine.operations import Array
from tco.engine.slices import NEAR
from tco.results import Result

POINTS = 257
NEAR_LOW = 64  # and so many more towards 0, down to the high end over `WIDE`
WIDE = 1e6
BESIDE = 1  # points on both sides of a stretch that bound what a cost may be in it
END = 1e-6  # of the value used: what is the cheapest below it is not told, as next to 0 tokens


@dataclass(frozen=True)
class Turn:
    """A value of an axis at which the cheaper option changes; None where none serves."""

    value: float
    before: str | None
    after: str | None


def turns(
    result: Result,
    axis: Axis,
    between: tuple[float, float],
    options: Sequence[str] | None = None,
    *,
    serving: bool,
) -> tuple[Turn, ...]:
    """The values at which the cheapest of options (of all by default) changes, in order.

    With ``serving`` only an option that serves the whole demand is the cheapest; without, the costs
    alone are compared, and every decision in them is followed. Raises `ScenarioErrors` when a
    number overflows.
    """
    low, high = between
    if not low < high:
        return ()
    points = _points(axis, low, high)
    what_if = WhatIf(result, axis.names, options)
    outcomes = what_if(axis.values(points))
    able = outcomes.serves if serving else np.ones(outcomes.npv.shape, dtype=bool)
    rows = _different(outcomes.npv, able)
    rivals, open_ = _rivals(outcomes.npv[rows], able[rows])
    if not open_.any():
        return ()
    rows = rows[rivals]
    names = {NONE: None, **dict(enumerate(what_if.options[row] for row in rows))}
    close = WhatIf(result, axis.names, [what_if.options[row] for row in rows])

    def ask(x: Array) -> Known:
        if serving:
            found = close(axis.values(x))
            return Known(x, found.npv, found.serves, np.zeros(len(x)), serving)
        found, decisions = close.decided(axis.values(x))
        return Known(x, found.npv, found.serves, decisions, serving)

    # two options may leave the demand unserved at one value: their gap has then no slope
    with np.errstate(divide="ignore", invalid="ignore"):
        found = [
            Turn(turn.until, names[turn.before], names[turn.then])
            for start, end in _stretches(open_)
            for turn in explore(ask, points[start : end + 1], whole=axis.whole).turns
        ]
    least = low + END * abs(axis.base - low) if serving else low
    return tuple(turn for turn in found if turn.value >= least)


def _points(axis: Axis, low: float, high: float) -> Array:
    """Evenly over the range, closer towards 0, the value used, and both ends of what is stated."""
    spread = [np.linspace(low, high, POINTS)]
    if low >= 0:
        spread.append(np.geomspace(max(low, high / WIDE), high, NEAR_LOW))
    quantity = axis.given.quantity
    stated = (axis.base, quantity and quantity.low, quantity and quantity.high)
    spread.append(np.array([x for x in stated if x is not None]))
    points = np.clip(np.concatenate(spread), low, high)
    return np.unique(np.round(points)) if axis.whole else np.unique(points)


def _different(cost: Array, able: Any) -> Any:
    """The rows of options, without those that cost the same as an earlier one everywhere."""
    kept: list[int] = []
    for row in range(len(cost)):
        near = NEAR * np.abs(cost[row])
        if not any(
            (np.abs(cost[row] - cost[other]) <= near).all() and (able[row] == able[other]).all()
            for other in kept
        ):
            kept.append(row)
    return np.array(kept)


def _rivals(cost: Array, able: Any) -> tuple[Any, Any]:
    """Which options may be the cheapest somewhere that counts, and where that may change.

    Options x points give options, and points less one. Between two points a cost lies within what
    it is at both and at those beside them.
    """
    first, last = _windows(cost.shape[1])
    floor = np.stack([cost[:, a : b + 1].min(axis=1) for a, b in zip(first, last, strict=True)], 1)
    roof = np.stack([cost[:, a : b + 1].max(axis=1) for a, b in zip(first, last, strict=True)], 1)
    somewhere, throughout = able[:, :-1] | able[:, 1:], able[:, :-1] & able[:, 1:]
    bar = np.where(throughout, roof, np.inf).min(axis=0)
    rival = somewhere & (floor <= bar)
    leaves = (able[:, :-1] != able[:, 1:]) & rival
    open_ = (rival.sum(axis=0) > 1) | leaves.any(axis=0)
    return rival[:, open_].any(axis=1), open_


def _windows(points: int) -> tuple[Any, Any]:
    """For each stretch between two points, the first and last point beside it."""
    places = np.arange(points - 1)
    return np.maximum(places - BESIDE, 0), np.minimum(places + 1 + BESIDE, points - 1)


def _stretches(open_: Any) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring stretches: the first and the last point of each."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], open_.astype(int), [0]])))
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        yield int(start), int(end)
