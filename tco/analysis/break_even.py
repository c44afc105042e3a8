"""Where one option overtakes another as one input is varied, and in which month.

The gap is the present value of the other option's cost less that of this one: above 0 this one is
the cheaper one. Every value at which it changes its sign is found (`tco.analysis.crossings`): by
passing through 0, or by a leap where a whole GPU, a tier or a least bill comes in.

Where a price enters in proportion the gap is a straight line, and its zero is the closed form of
`tco.model.break_even`: x0 + (NPV of the other - NPV of this) / discounted quantity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tco.analysis.answer import reason
from tco.analysis.axes import Axis, axis_of, inputs_of
from tco.analysis.crossings import NARROW, Explored, Known, explore
from tco.analysis.what_if import WhatIf
from tco.engine.operations import Array
from tco.engine.slices import NEAR
from tco.errors import ScenarioError, ScenarioErrors
from tco.results import OK, Result
from tco.scenario.document import nearest

CROSSES, ALWAYS, NEVER, EQUAL = "crosses", "always", "never", "equal"
POINTS = 257  # evenly over the range to begin with
NEAR_LOW = 64  # and so many more towards its lower end, where steps are closer
WIDE = 1e4
END = 1e-7  # of the range: a change so close to an end of it is left out
PRECISE = 1e-6  # of the range: how far a range is narrowed where costs are no numbers
MOST_EDGES = 10_000
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Crossing:
    """A value at which the cheaper one changes: ``below`` is cheaper below it, ``above`` above.

    Where the gap leaps (``jump``) ``value`` is the last at which ``below`` is cheaper and ``after``
    the next; else they are the same. ``served`` tells whether both options serve the whole demand
    on both sides.
    """

    value: float
    after: float
    below: str
    above: str
    jump: bool
    served: bool


@dataclass(frozen=True)
class Gap:
    """What the other option costs more than this one at a value: present value and a month."""

    value: float
    npv: float
    monthly: float


@dataclass(frozen=True)
class Limit:
    """An option serves the whole demand up to a value, or (``above`` False) from it on."""

    option: str
    value: float
    above: bool


@dataclass(frozen=True)
class BreakEven:
    """Where ``this`` is cheaper than ``other`` along an axis, between ``low`` and ``high``.

    ``status`` is ``crosses``, ``always`` (this one is cheaper everywhere), ``never`` or ``equal``.
    ``crossings`` are in ascending order, ``cash_crossings`` those of total cash, not discounted.
    ``at_low``, ``at_base`` and ``at_high`` are gaps there, ``margin`` the smallest gap in the
    range. ``limits`` are where an option begins or ceases to serve the whole demand; ``serving``
    the options that do somewhere. ``depending`` are the options that the input moves, ``moving``
    paths that move them, the input itself left out. ``straight`` tells that the gap is one straight
    line, ``beyond`` where that line meets 0 outside the range; ``exhaustive`` that every value at
    which a whole number or a tier changes was found.
    """

    over: str
    this: str
    other: str
    axis: Axis
    low: float
    high: float
    crossings: tuple[Crossing, ...]
    cash_crossings: tuple[Crossing, ...]
    at_low: Gap
    at_base: Gap
    at_high: Gap
    margin: Gap
    limits: tuple[Limit, ...]
    serving: tuple[str, ...]
    depending: tuple[str, ...]
    moving: tuple[str, ...]
    straight: bool
    beyond: float | None
    exhaustive: bool

    @property
    def notable(self) -> tuple[Crossing, ...]:
        """The crossings that are not next to an end of the range.

        What changes there is a matter of tolerances, as a part of a card for a few tokens.
        """
        least = 0.0 if self.axis.whole else END * (self.high - self.low)
        return tuple(
            crossing
            for crossing in self.crossings
            if min(crossing.value - self.low, self.high - crossing.after) >= least
        )

    @property
    def served(self) -> tuple[Crossing, ...]:
        """Those on both sides of which both options serve the whole demand."""
        return tuple(crossing for crossing in self.notable if crossing.served)

    @property
    def status(self) -> str:
        """Whether the cheaper one changes where both serve, and if not which one it is."""
        if self.served:
            return CROSSES
        if self.crossings:
            return ALWAYS if self.at_base.npv > 0 else NEVER
        inside = self.low < self.axis.base < self.high
        at_ends = (self.at_high, self.at_low)
        ends = [gap.npv for gap in ((self.at_base,) if inside else ()) + at_ends if gap.npv]
        if not ends:
            return EQUAL
        return ALWAYS if ends[0] > 0 else NEVER

    @property
    def constant(self) -> bool:
        """Whether the gap is the same at every value."""
        apart = abs(self.at_high.npv - self.at_low.npv)
        return self.straight and apart <= NEAR * max(abs(self.at_low.npv), abs(self.at_high.npv))

    @property
    def first(self) -> Crossing | None:
        """The lowest value at which the cheaper one changes."""
        return self.served[0] if self.served else None

    @property
    def lasting(self) -> Crossing | None:
        """The highest one: above it nothing changes any more in the range."""
        return self.served[-1] if self.served else None

    @property
    def nearest(self) -> Crossing | None:
        """The one that is nearest to the value used."""
        return min(self.served, key=self._distance, default=None)

    def _distance(self, crossing: Crossing) -> float:
        return abs(crossing.value - self.axis.base)

    @property
    def gap_at_low(self) -> float:
        """The gap at the lower end, present value."""
        return self.at_low.npv

    @property
    def gap_at_base(self) -> float:
        """The gap at the value used, present value."""
        return self.at_base.npv

    @property
    def gap_at_high(self) -> float:
        """The gap at the upper end, present value."""
        return self.at_high.npv


@dataclass(frozen=True)
class MonthCrossing:
    """A month at whose end the one that has cost less so far has changed.

    ``inside`` is when, the flows of the month taken as even.
    """

    month: int
    inside: float
    before: str
    after: str


@dataclass(frozen=True)
class Course:
    """How two cumulative costs run: who is ahead at the start, changes, and the last saving.

    This option is ahead where it has cost no more than the other. ``first`` is the first month at
    whose end it is, ``lasting`` the month from whose end on it stays so, None for never.
    """

    ahead_at_start: bool
    crossings: tuple[MonthCrossing, ...]
    first: int | None
    lasting: int | None
    saved: float


@dataclass(frozen=True)
class BreakEvenMonths:
    """In which month this option has cost no more than the other: cash, and discounted."""

    this: str
    other: str
    months: int
    cash: Course
    discounted: Course


def break_even(
    result: Result,
    over: str,
    of: str | None = None,
    against: str | None = None,
    between: tuple[float, float] | None = None,
) -> BreakEven:
    """Where an option is cheaper than another as one input varies.

    ``over`` is a word or a path (`tco.analysis.axes`); ``of`` is the focus and ``against`` the
    baseline if nothing else is asked; ``between`` bounds the values looked at. Raises
    `ScenarioError` for names that are none, options that cannot be compared and a range that is
    none; `ScenarioErrors` when a number overflows within the range.
    """
    this, other = options_of(result, of, against)
    axis = axis_of(result, over, this, other)
    low, high = _range(result, axis, between)
    cash = [result.option(name).line("total_cost") for name in (this, other)]
    what_if = WhatIf(result, axis.names, (this, other), cash)
    if between is None:
        low, high = _computable(what_if, axis, low, high)
    order = [what_if.options.index(name) for name in (this, other)]
    points = _points(axis, low, high)
    found = explore(_asking(what_if, axis, order), points, whole=axis.whole)
    known = found.known
    serving = [name for row, name in enumerate((this, other)) if known.serves[row].any()]
    for name in (this, other):
        if name not in serving:
            raise _serves_nowhere(result, name, axis, low, high)
    places = [0, _least_gap(known), len(known.value) - 1]
    at_low, margin, at_high = _gaps(what_if, axis, known, order, places)
    depending = [name for name in (this, other) if what_if.moves(name)]
    straight = _is_straight(known)
    beyond = _beyond(what_if, axis, known) if straight and not axis.whole else None
    paths = dict.fromkeys(
        given.path for given in inputs_of(result, [result.option(this), result.option(other)])
    )
    varied = {given.path for given in result.model.numbers if given.name in axis.names}
    return BreakEven(
        over,
        this,
        other,
        axis,
        low,
        high,
        _crossings(found, (this, other)),
        _cash_crossings(what_if, axis, cash, known, points, (this, other)),
        at_low,
        _gap_as_given(result, axis, this, other),
        at_high,
        margin,
        tuple(_limits(known, (this, other))),
        tuple(serving),
        tuple(depending),
        tuple(path for path in paths if path not in varied),
        straight,
        beyond,
        found.exhaustive,
    )


def break_even_months(
    result: Result, of: str | None = None, against: str | None = None
) -> BreakEvenMonths:
    """In which months an option overtakes another: by cumulative cash, and discounted.

    Raises `ScenarioError` for names that are none and options that cannot be compared.
    """
    this, other = options_of(result, of, against)
    for name in (this, other):
        if result.status[name] != OK:
            raise _serves_nowhere(result, name)
    cash, discounted = (
        _course(result, line, this, other)
        for line in ("cumulative_cost", "cumulative_discounted_cost")
    )
    return BreakEvenMonths(this, other, result.scenario.months, cash, discounted)


def options_of(result: Result, of: str | None, against: str | None) -> tuple[str, str]:
    """The two options that are compared: this one and the other.

    The focus against the baseline, as far as nothing else is asked. Raises `ScenarioError`.
    """
    if not result.model.has_demand:
        raise _fault(
            result,
            None,
            "no demand: nothing tells that the options do the same work",
            "a demand, so that costs can be compared",
            "add for example  demand: {output_tokens: 50 M}",
        )
    this, other = _known(result, "--of", of), _known(result, "--against", against)
    costed = [option.name for option in result.ranked if option.missing is None]
    wanted = [result.focus, *costed, result.baseline]
    if other is None:
        defaults = [result.baseline, *wanted]
        if this is None:
            this = next((name for name in wanted if name and name != result.baseline), None)
        other = next((name for name in defaults if name and name in costed and name != this), None)
    elif this is None:
        this = next((name for name in wanted if name and name != other), None)
    if this is None or other is None:
        raise _fault(
            result,
            None,
            f"one option that can be costed, {this or other}",
            "two options to compare",
            "add an option, or what the incomplete ones lack (see  tco check FILE)",
        )
    if this == other:
        others = ", ".join(name for name in costed if name != this)
        raise _fault(
            result,
            "--against",
            f"{this} against itself",
            "another option" + (f": {others}" if others else ""),
            "name two options",
        )
    return this, other


def _known(result: Result, asked: str, name: str | None) -> str | None:
    """An option that can be costed, by its name."""
    if name is None:
        return None
    names = [option.name for option in result.model.options]
    if name not in names:
        near = nearest(name, names)
        hint = f"did you mean {near}?" if near else "write one of these names"
        raise _fault(result, asked, name, f"one of {', '.join(names)}", hint)
    missing = result.option(name).missing
    if missing is not None:
        raise _fault(
            result,
            asked,
            f"{name}: {missing.what}",
            "an option that can be costed",
            f"add {missing.add}",
        )
    return name


def _range(result: Result, axis: Axis, between: tuple[float, float] | None) -> tuple[float, float]:
    if between is None:
        return axis.low, axis.high
    low, high = between
    asked = f"{axis.text(result, low)} to {axis.text(result, high)}"
    if not low < high:
        raise _fault(
            result,
            "--range",
            asked,
            "a low end below the high end",
            "give the low end first, such as 10:20" if low > high else "give two different ends",
        )
    least, most = axis.given.minimum, axis.given.maximum
    if (least is not None and low < least) or (most is not None and high > most):
        bounds = [
            f"{word} {axis.text(result, bound)}"
            for word, bound in (("at least", least), ("at most", most))
            if bound is not None
        ]
        expected = f"{axis.label}: {' and '.join(bounds)}"
        raise _fault(result, "--range", asked, expected, "ask for a range within it")
    if axis.whole and (low % 1 or high % 1):
        raise _fault(result, "--range", asked, f"{axis.label}: whole numbers", "round both ends")
    return low, high


def _computable(what_if: WhatIf, axis: Axis, low: float, high: float) -> tuple[float, float]:
    """The part of a range in which costs are numbers: a rate next to 0 may make them infinite."""

    def computes(value: float) -> bool:
        try:
            what_if(axis.values([value]))
        except ScenarioErrors:
            return False
        return True

    found = []
    for end in (low, high):
        inside, outside = float(np.clip(axis.base, low, high)), end
        if not computes(end):
            while abs(outside - inside) > PRECISE * abs(high - low):
                middle = (inside + outside) / 2
                inside, outside = (middle, outside) if computes(middle) else (inside, middle)
            end = inside
        found.append(end)
    return found[0], found[1]


def _points(axis: Axis, low: float, high: float) -> Array:
    """Where to begin: evenly over the range, closer towards 0, the value used and both ends."""
    if axis.whole:
        points = np.round(np.linspace(low, high, int(min(POINTS, high - low + 1))))
        return np.unique([*points, low, high])
    points = np.linspace(low, high, POINTS)
    if low >= 0:
        points = np.concatenate([points, np.geomspace(max(low, high / WIDE), high, NEAR_LOW)])
    within = [axis.base] if low < axis.base < high else []
    points = np.concatenate([points, within])
    return np.unique(np.clip(points, low, high))


def _asking(what_if: WhatIf, axis: Axis, order: Sequence[int]) -> Callable[[Array], Known]:
    """The costs of options at points of an axis, with the decisions that lead to them."""
    rows = list(order)

    def ask(points: Array) -> Known:
        outcomes, decisions = what_if.decided(axis.values(points))
        serves, costs = outcomes.serves[rows], outcomes.npv[rows]
        weights = _ODD * np.arange(1, len(rows) + 1, dtype=np.uint64)
        piece = decisions + (serves.astype(np.uint64) * weights[:, None]).sum(axis=0)
        return Known(points, costs, serves, piece)

    return ask


def _crossings(found: Explored, names: tuple[str, str]) -> tuple[Crossing, ...]:
    crossings = []
    serves, last = found.known.serves, len(found.known.value) - 1
    for turn in found.turns:
        before, after = np.searchsorted(found.known.value, [turn.until, turn.after])
        # a point that is exactly full may fall on the other side of the tolerance
        sides = (serves[:, [max(before - 1, 0), before]], serves[:, [after, min(after + 1, last)]])
        if turn.jump:
            served = all(bool(side.any(axis=1).all()) for side in sides)
        else:
            served = all(bool(side.all()) for side in sides)
        crossings.append(
            Crossing(
                turn.until, turn.after, names[turn.before], names[turn.then], turn.jump, served
            )
        )
    return tuple(crossings)


def _cash_crossings(
    what_if: WhatIf,
    axis: Axis,
    cash: Sequence[str],
    known: Known,
    points: Array,
    names: tuple[str, str],
) -> tuple[Crossing, ...]:
    """The same of total cash: the pieces are known already."""

    def ask(points: Array) -> Known:
        lines = what_if.lines_at(axis.values(points))
        place = np.searchsorted(known.value, points, side="right") - 1
        costs = np.vstack([lines[name] for name in cash])
        return Known(points, costs, known.serves[:, place], known.piece[place])

    points = np.union1d(points, known.edges) if len(known.edges) < MOST_EDGES else points
    return _crossings(explore(ask, points, whole=axis.whole), names)


def _least_gap(known: Known) -> int:
    """Where the gap is smallest, of the points at which both serve the whole demand, if any."""
    served = known.serves.all(axis=0)
    counted = served if served.any() else ~served
    return int(np.argmin(np.where(counted, np.abs(known.cost[1] - known.cost[0]), np.inf)))


def _gaps(
    what_if: WhatIf, axis: Axis, known: Known, order: Sequence[int], places: Sequence[int]
) -> list[Gap]:
    """The gap at some of the points that were looked at; what rounding leaves of it is 0."""
    outcomes = what_if(axis.values(known.value[places]))
    this, other = order
    gaps = []
    for at, place in enumerate(places):
        npv = float(known.cost[1, place] - known.cost[0, place])
        monthly = float(outcomes.monthly[other, at] - outcomes.monthly[this, at])
        equal = abs(npv) <= known.equal(place, 0, 1)
        value = float(known.value[place])
        gaps.append(Gap(value, 0.0, 0.0) if equal else Gap(value, npv, monthly))
    return gaps


def _gap_as_given(result: Result, axis: Axis, this: str, other: str) -> Gap:
    npv, monthly = (
        result.value(result.option(other).line(name)) - result.value(result.option(this).line(name))
        for name in ("npv_of_cost", "equivalent_monthly_cost")
    )
    return Gap(axis.base, npv, monthly)


def _limits(known: Known, names: Sequence[str]) -> list[Limit]:
    """Where an option begins or ceases to serve; what is as narrow as a tolerance is no limit."""
    limits = []
    for row, name in enumerate(names):
        serves = known.serves[row]
        places = list(np.flatnonzero(serves[1:] != serves[:-1]))
        for one, another in pairwise(places):
            width = known.value[another] - known.value[one]
            if width <= NARROW * (known.value[-1] - known.value[0]):
                places = [place for place in places if place not in (one, another)]
        for place in places:
            until = bool(serves[place])
            limits.append(Limit(name, float(known.value[place if until else place + 1]), until))
    return limits


def _is_straight(known: Known) -> bool:
    """Whether the gap is one straight line."""
    value, gap = known.value, known.cost[1] - known.cost[0]
    share = (value - value[0]) / (value[-1] - value[0])
    off = gap - gap[0] - (gap[-1] - gap[0]) * share
    return bool((np.abs(off) <= known.equal(slice(None), 0, 1)).all())


def _beyond(what_if: WhatIf, axis: Axis, known: Known) -> float | None:
    """Where a gap that is a straight line meets 0 outside of the range, all work served."""
    value, gap = known.value, known.cost[1] - known.cost[0]
    rise = gap[-1] - gap[0]
    if abs(rise) <= known.equal(-1, 0, 1):
        return None
    met = float(value[0] - gap[0] * (value[-1] - value[0]) / rise)
    least, most = axis.given.minimum, axis.given.maximum
    if (least is not None and met < least) or (most is not None and met > most):
        return None
    if value[0] <= met <= value[-1]:
        return None
    there = what_if(axis.values([met]))
    costs = there.npv[:, 0]
    goes_on = abs(costs[1] - costs[0]) <= NEAR * np.abs(costs).max()
    return met if goes_on and there.serves.all() else None


def _course(result: Result, line: str, this: str, other: str) -> Course:
    """How two cumulative costs run; ahead is whoever has cost no more, as in the model."""
    one, two = (np.array(result.line(name, line)) for name in (this, other))
    tolerance = result.model.inputs["tolerance"].value
    saved = two - one
    ahead = one - two <= tolerance * np.maximum(np.maximum(one, two), 1)
    crossings = []
    for month in np.flatnonzero(ahead[1:] != ahead[:-1]) + 1:
        flow = saved[month] - saved[month - 1]
        inside = month - saved[month] / flow if flow else float(month)
        before, after = (this, other) if ahead[month - 1] else (other, this)
        crossings.append(
            MonthCrossing(int(month), float(np.clip(inside, month - 1, month)), before, after)
        )
    behind = np.flatnonzero(~ahead)
    lasting = int(behind[-1]) + 1 if len(behind) else 0
    return Course(
        bool(ahead[0]),
        tuple(crossings),
        int(np.argmax(ahead)) if ahead.any() else None,
        lasting if lasting < len(ahead) else None,
        float(saved[-1]),
    )


def _serves_nowhere(
    result: Result, name: str, axis: Axis | None = None, low: float = 0.0, high: float = 0.0
) -> ScenarioError:
    why = reason(result, result.option(name)) or "it does not serve the whole demand"
    where = ""
    if axis is not None:
        where = (
            f"; nor does it with {axis.label} of {axis.text(result, low)} to "
            f"{axis.text(result, high)}"
        )
    line = result.scenario.lines.get(f"options.{name}")
    return ScenarioError(
        result.scenario.path,
        line,
        f"options.{name}",
        f"{why}{where}",
        "an option that serves the whole demand",
        "give it more cards, or a supply behind them such as an API",
    )


def _fault(
    result: Result, asked: str | None, found: str, expected: str, next_step: str
) -> ScenarioError:
    return ScenarioError(result.scenario.path, None, asked, found, expected, next_step)
