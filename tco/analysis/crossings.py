"""Where the cheapest of several costs changes along one number: every such place, none between.

Costs are smooth but where something is decided: a whole number of GPUs, a tier, the smaller of two
amounts. The values at which a decision changes are enumerated first: each to 1 in 100,000 of the
range, and down to neighbouring floats where the cheapest may change there. Between two of them a
change of the cheapest is solved. So a cost that leaps over another and back is seen as well as one
that passes through it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from tco.engine.operations import Array
from tco.engine.slices import NEAR

NOISE = 1e-12  # of the larger cost: what rounding may leave of costs that are equal
ROOT = 1e-14  # of the larger cost: a gap as small as this is solved
NARROW = 1e-8  # of the range: decisions come with a tolerance of 1e-9
APART = 1e-5  # of the range: two decisions are told apart at least this far
SAFE = 10.0  # times what costs change by: a lead that no decision so near undoes
MOST_OPEN = 3_000  # decisions that are followed at once
MOST_POINTS = 40_000
ROUND = 2_000  # points that are asked for at once, where there is a choice
ROUNDS = 80
NONE = -1
# which decisions are followed: all, those near a change of the cheapest, only such changes
ALL, NEXT, LEADERS = "all", "next", "leaders"


@dataclass(frozen=True)
class Known:
    """Costs (options x points) at values in ascending order.

    Two points of one ``piece`` have no jump and no kink between them. ``serves`` tells (options x
    points) where an option serves all work; with ``serving`` only such an option is the cheapest.
    """

    value: Array
    cost: Array
    serves: Any
    piece: Any
    serving: bool = False

    @property
    def edges(self) -> Array:
        """The first and the last value of each piece."""
        changes = self.piece[1:] != self.piece[:-1]
        first, last = np.append(True, changes), np.append(changes, True)
        return np.asarray(self.value[first | last], dtype=float)

    @cached_property
    def able(self) -> Any:
        """Where an option may be the cheapest."""
        return self.serves if self.serving else np.ones(self.cost.shape, dtype=bool)

    @cached_property
    def leader(self) -> Any:
        """The cheapest option at each point that may be it; `NONE` where none may."""
        cost = np.where(self.able, self.cost, np.inf)
        return np.where(self.able.any(axis=0), np.argmin(cost, axis=0), NONE)

    @cached_property
    def margin(self) -> Array:
        """How far the next option is behind the cheapest, of those that may be it; 0 for none."""
        if len(self.cost) < 2:
            return np.full(len(self.value), np.inf)
        cost = np.sort(np.where(self.able, self.cost, np.inf), axis=0)
        with np.errstate(invalid="ignore"):
            gap = np.nan_to_num(cost[1] - cost[0], nan=0.0, posinf=np.inf)
        return np.asarray(gap, dtype=float)

    @cached_property
    def usual(self) -> float:
        """What an option costs at the point in the middle: near 0 nothing is smaller than it."""
        return float(np.median(np.abs(self.cost)))

    def equal(self, places: Any, one: Any, another: Any) -> Any:
        """The difference at points up to which the costs of two options are equal."""
        larger = np.maximum(np.abs(self.cost[one, places]), np.abs(self.cost[another, places]))
        return NEAR * np.maximum(larger, self.usual)

    def joined(self, more: Known) -> Known:
        """These points and more, in order."""
        value = np.concatenate([self.value, more.value])
        order = np.argsort(value, kind="stable")
        return Known(
            value[order],
            np.hstack([self.cost, more.cost])[:, order],
            np.hstack([self.serves, more.serves])[:, order],
            np.concatenate([self.piece, more.piece])[order],
            self.serving,
        )

    def lead(self, place: int, one: int, another: int) -> float:
        """By how much one option is cheaper than another at a point; 0 for equal but rounding."""
        if not self.able[another, place]:
            return np.inf
        lead = float(self.cost[another, place] - self.cost[one, place])
        return lead if abs(lead) > self.equal(place, one, another) else 0.0


Ask = Callable[[Array], Known]


@dataclass(frozen=True)
class Turn:
    """One option is the cheapest up to ``until``, another from ``after`` on.

    They are one value where the costs pass through each other, and neighbours where they ``jump``:
    floats, or whole numbers.
    """

    until: float
    after: float
    before: int
    then: int
    jump: bool


@dataclass(frozen=True)
class Explored:
    """All points that were looked at, and whether every value where something is decided is."""

    known: Known
    exhaustive: bool
    whole: bool

    @property
    def turns(self) -> list[Turn]:
        """Where the cheapest option changes; where two are equal none of them begins to be it."""
        runs = _merged(self.known, _runs(self.known.leader))
        return [
            _turn(self.known, end, before, then, whole=self.whole)
            for (before, _, end), (then, _, _) in pairwise(runs)
        ]


def explore(ask: Ask, values: Array, *, whole: bool = False) -> Explored:
    """Looks at costs along a number until no change of the cheapest can lie between two points.

    ``values`` are where to begin, the ends of the range among them; with ``whole`` the number
    takes whole values only. With more than `MOST_OPEN` decisions only those are followed that are
    near a change of the cheapest.

    >>> def ask(x):  # 3 for every 10 begun against 1 for each
    ...     cost = np.stack([3 * np.ceil(x / 10), x])
    ...     return Known(x, cost, cost >= 0, np.ceil(x / 10))
    >>> [(turn.until, turn.jump) for turn in explore(ask, np.array([1.0, 14.0])).turns]
    [(3.0, False)]
    """
    known = ask(np.unique(values))
    followed = ALL
    for _ in range(ROUNDS):
        left = _open(known, whole, followed)
        if followed != LEADERS and (len(left) > MOST_OPEN or len(known.value) > MOST_POINTS):
            followed = NEXT if followed == ALL else LEADERS
            continue
        new = _new(known, _inside(known, left, whole) if len(left) else [], whole)
        if not len(new):
            new = _new(known, _doubtful(known), whole)
        if not len(new):
            break
        known = known.joined(ask(new))
    return Explored(known, followed == ALL, whole)


def _new(known: Known, points: Any, whole: bool) -> Array:
    """The points that were not looked at yet."""
    return np.setdiff1d(np.round(points) if whole else points, known.value)


def _open(known: Known, whole: bool, followed: str) -> Any:
    """The points after which something changes that is not yet narrowed down."""
    value = known.value
    # what is decided next to 0 is not followed down to the smallest of floats
    smallest = np.spacing(value[-1] - value[0]) * 2.0**-20
    narrow = 1.0 if whole else np.maximum(np.spacing(np.abs(value[1:])), smallest)
    wide = np.diff(value) > narrow
    leaps = wide & (known.piece[1:] != known.piece[:-1])
    # so far decisions are told apart in any case; on to neighbouring floats it goes where what
    # changes could make another option the cheapest
    coarse = np.diff(value) > APART * (value[-1] - value[0])
    change = np.abs(np.diff(known.cost)).max(axis=0)
    close = np.minimum(known.margin[1:], known.margin[:-1]) <= SAFE * change
    close |= (known.serves[:, 1:] != known.serves[:, :-1]).any(axis=0)
    leaps &= {ALL: coarse | close, NEXT: close, LEADERS: np.zeros_like(close)}[followed]
    changes = wide & (known.leader[1:] != known.leader[:-1])
    if changes.any():
        places = np.flatnonzero(changes)
        before, then, scale = _leads(known, places)
        smaller = np.minimum(np.abs(before), np.abs(then))
        larger = np.maximum(np.abs(before), np.abs(then))
        solved = (smaller <= ROOT * scale) | (larger <= NOISE * np.maximum(scale, known.usual))
        changes[places[solved]] = False
    return np.flatnonzero(leaps | changes)


def _leads(known: Known, places: Any) -> tuple[Array, Array, Array]:
    """How far the next cheapest option is behind the cheapest: at points, at those after, scale."""
    one, another = known.leader[places], known.leader[places + 1]
    cost = known.cost
    before = cost[another, places] - cost[one, places]
    then = cost[another, places + 1] - cost[one, places + 1]
    scale = np.maximum(np.abs(cost[one, places]), np.abs(cost[another, places + 1]))
    return before, then, scale


def _inside(known: Known, left: Any, whole: bool) -> Array:
    """Points inside of intervals: evenly, and where a straight line would meet."""
    start, end = known.value[left], known.value[left + 1]
    each = int(np.clip(ROUND // len(left), 1, 15))
    parts = np.arange(1, each + 1) / (each + 1)
    even = start[:, None] + (end - start)[:, None] * parts
    smooth = (known.piece[left] == known.piece[left + 1]) & (
        known.leader[left] != known.leader[left + 1]
    )
    if whole or not smooth.any():
        return np.unique(even)
    places = left[smooth]
    before, then, _ = _leads(known, places)
    start, end = known.value[places], known.value[places + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        met = start + (end - start) * before / (before - then)
    within = np.isfinite(met) & (met > start) & (met < end)
    return np.unique(np.concatenate([even.ravel(), met[within]]))


def _doubtful(known: Known) -> Array:
    """Points between which a cost may dip below the cheapest one and come back.

    A piece is looked at in its middle; where it is not straight, at more points, and where a
    parabola through three of them says that a lead shrinks by half in between, there too.
    """
    value, piece, leader = known.value, known.piece, known.leader
    changes = np.flatnonzero(piece[1:] != piece[:-1]) + 1
    starts = np.concatenate([[0], changes])
    ends = np.concatenate([changes - 1, [len(value) - 1]])
    room = value[ends] - value[starts] > 64 * np.spacing(np.abs(value[ends]))
    bare = room & (ends - starts == 1)
    new = [(value[starts[bare]] + value[ends[bare]]) / 2]
    if len(value) >= 3:
        same = (piece[2:] == piece[1:-1]) & (piece[1:-1] == piece[:-2])
        same &= (leader[2:] == leader[1:-1]) & (leader[1:-1] == leader[:-2])
        same &= leader[1:-1] != NONE
        middle = np.flatnonzero(same) + 1
        few = np.isin(middle - 1, starts) & np.isin(middle + 1, ends)
        for option in range(len(known.cost)):
            new += _dips(known, option, middle, few)
    return np.unique(np.concatenate(new))


def _dips(known: Known, option: int, middle: Any, few: Any) -> list[Array]:
    """Points at which one option may come below the cheapest, by three points around ``middle``."""
    x0, x1, x2 = (known.value[middle + step] for step in (-1, 0, 1))
    cheapest = known.leader[middle]
    y0, y1, y2 = (
        known.cost[option, middle + step] - known.cost[cheapest, middle + step]
        for step in (-1, 0, 1)
    )
    scale = np.maximum(np.abs(known.cost[cheapest, middle]), np.abs(known.cost[option, middle]))
    rise, later = (y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1)
    bend = (later - rise) / (x2 - x0)
    straight = np.abs(bend) * (x2 - x0) ** 2 <= NEAR * scale
    lowest = np.minimum(np.minimum(y0, y1), y2)
    convex = ~straight & (bend > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        vertex = (x0 + x1) / 2 - rise / (2 * bend)
    vertex = np.where(convex, np.clip(vertex, x0, x2), x1)
    depth = y0 + rise * (vertex - x0) + bend * (vertex - x0) * (vertex - x1)
    dips = convex & (depth < lowest / 2) & (lowest > NEAR * scale)
    dips &= x2 - x0 > 64 * np.spacing(np.abs(x2))
    sparse = few & ~straight
    wide = np.linspace(x0[sparse], x2[sparse], 9)[1:-1].ravel()
    halves = [(x0 + x1)[dips] / 2, (x1 + x2)[dips] / 2]
    return [vertex[dips], *halves, wide]


def _runs(leader: Any) -> list[tuple[int, int, int]]:
    """Stretches of one cheapest option: the option, the first point, the last."""
    starts = np.concatenate([[0], np.flatnonzero(np.diff(leader)) + 1])
    ends = np.concatenate([starts[1:] - 1, [len(leader) - 1]])
    return [(int(leader[a]), int(a), int(b)) for a, b in zip(starts, ends, strict=True)]


def _merged(known: Known, runs: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The stretches without those in which nobody is cheaper than the one before or after."""
    kept: list[tuple[int, int, int]] = []
    for option, start, end in runs:
        if kept and not _is_ahead(known, (option, start, end), kept[-1][0]):
            option = kept[-1][0]
        while kept and (kept[-1][0] == option or not _is_ahead(known, kept[-1], option)):
            start = kept.pop()[1]
        kept.append((option, start, end))
    return kept


def _is_ahead(known: Known, run: tuple[int, int, int], other: int) -> bool:
    """Whether the option of a stretch is cheaper than another at some point of it.

    Not in a stretch that is as narrow as the tolerance by which the model decides.
    """
    option, start, end = run
    value = known.value
    if start > 0 and end + 1 < len(value):
        width = value[end + 1] - value[start - 1]
        if width <= NARROW * (value[-1] - value[0]):
            return False
    if NONE in (option, other):
        return option != other
    return any(known.lead(place, option, other) > 0 for place in range(start, end + 1))


def _turn(known: Known, place: int, before: int, then: int, *, whole: bool) -> Turn:
    """The change of the cheapest after a point."""
    until, after = float(known.value[place]), float(known.value[place + 1])
    if whole or NONE in (before, then):
        return Turn(until, after, before, then, jump=True)
    leads = known.lead(place, before, then), known.lead(place + 1, then, before)
    leaps = known.piece[place] != known.piece[place + 1] and min(leads) > 0
    if leaps or not np.isfinite(leads).all():
        return Turn(until, after, before, then, jump=True)
    gaps = known.cost[then, place : place + 2] - known.cost[before, place : place + 2]
    below = gaps[0] - gaps[1]
    met = until + (after - until) * float(np.clip(gaps[0] / below, 0, 1)) if below > 0 else until
    return Turn(met, met, before, then, jump=False)
