"""What options cost along one axis, and which is the cheapest over two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tco.analysis.axes import TOKENS, UTILISATION, Axis
from tco.analysis.what_if import WhatIf
from tco.engine.operations import Array
from tco.engine.pairs import is_same_gpus
from tco.engine.slices import NEAR
from tco.engine.structure import BoundOption
from tco.errors import ScenarioError
from tco.results import OK, Result

POINTS = 401  # along an axis: a step of whole GPUs is then about as steep as it should look
LITTLE = 1e-6  # of the range: work at which the least number of cards is there
CELLS = 41  # along each side of a map
HALVINGS = 24  # of a step, until the end of what an option serves is as good as exact
REFINED = 6  # parts of a side of a cell, when a map is drawn


@dataclass(frozen=True)
class Sweep:
    """Equivalent monthly cost of options (rows) at points of an axis, and where they serve."""

    axis: Axis
    points: Array
    options: tuple[str, ...]
    monthly: Array
    serves: Any


def sweep(
    result: Result,
    axis: Axis,
    between: tuple[float, float],
    options: Sequence[str],
    also: Sequence[float] = (),
) -> Sweep:
    """What options cost from one value of an axis to another, and ``also`` at some between.

    Raises `ScenarioErrors` when a number overflows.
    """
    low, high = _off_nothing(axis, between)
    whole = axis.whole and high - low <= POINTS
    spread = np.arange(low, high + 1) if whole else np.linspace(low, high, POINTS)
    points = np.unique([*spread, *(x for x in also if low <= x <= high)])
    what_if = WhatIf(result, axis.names, options)
    found = what_if(axis.values(points))
    limits = [] if whole else _limits(what_if, axis, points, found.serves)
    if limits:
        points = np.unique([*points, *limits])
        found = what_if(axis.values(points))
    return Sweep(axis, points, found.options, found.monthly, found.serves)


def _limits(what_if: WhatIf, axis: Axis, points: Array, serves: Any) -> list[float]:
    """The last value at which each option serves the demand that it does not serve beyond."""
    rows, places = np.nonzero(serves[:, :-1] & ~serves[:, 1:])
    if not len(rows):
        return []
    served, unserved = points[places], points[places + 1]
    for _ in range(HALVINGS):
        middle = (served + unserved) / 2
        does = what_if(axis.values(middle)).serves[rows, np.arange(len(rows))]
        served, unserved = np.where(does, middle, served), np.where(does, unserved, middle)
    return [float(value) for value in served]


@dataclass(frozen=True)
class CheapestMap:
    """Equivalent monthly cost over two axes: options x rows of ``y`` x columns of ``x``.

    ``cheapest`` is the row of the cheapest option that serves, -1 where none does.
    """

    axes: tuple[Axis, Axis]
    x: Array
    y: Array
    options: tuple[str, ...]
    monthly: Array
    serves: Any
    cheapest: Any

    @property
    def second_share(self) -> float:
        """The share of the map that the second largest region takes; 0 where there is one only."""
        sizes = sorted(np.bincount(self.cheapest.ravel() + 1), reverse=True)
        return float(sizes[1] / self.cheapest.size) if len(sizes) > 1 else 0.0

    def refined(self) -> CheapestMap:
        """The same map with points between, so that the borders of three regions meet.

        Costs between are those of a straight line along each axis; who serves, and all along an
        axis of whole numbers, is as at the nearest point.
        """
        places = [_between(len(points)) for points in (self.y, self.x)]
        monthly = self.monthly
        for number, (axis, at) in enumerate(zip(self.axes[::-1], places, strict=True), start=1):
            at = np.round(at) if axis.whole else at
            below = np.minimum(at.astype(int), monthly.shape[number] - 2)
            above = (at - below).reshape([-1 if d == number else 1 for d in range(3)])
            low, high = (np.take(monthly, below + step, axis=number) for step in (0, 1))
            monthly = low + (high - low) * above
        rows, columns = (np.floor(at + 0.5).astype(int) for at in places)
        serves = self.serves[:, rows][:, :, columns]
        y, x = (
            np.interp(at, np.arange(len(points)), points)
            for at, points in zip(places, (self.y, self.x), strict=True)
        )
        return CheapestMap(
            self.axes, x, y, self.options, monthly, serves, _cheapest(monthly, serves)
        )

    def lead(self, option: str) -> Array:
        """How much less an option costs than the best of the others; below 0, how much more.

        An option that does not serve is behind by as much as the best is ahead of the second, and
        one that alone serves ahead by its cost: so the borders of two regions meet.
        """
        costs = np.where(self.serves, self.monthly, np.inf)
        row = self.options.index(option)
        others = np.delete(costs, row, axis=0)
        best = others.min(axis=0, initial=np.inf)
        second = np.sort(costs, axis=0)[1] if len(costs) > 1 else np.full(best.shape, np.inf)
        alone = np.abs(self.monthly).max(axis=0) + 1.0
        first = costs.min(axis=0)
        with np.errstate(invalid="ignore"):
            margin = np.where(np.isfinite(second), second - first, alone)
            ahead = np.where(np.isfinite(best), best - costs[row], alone)
        found = np.where(self.serves[row], ahead, -margin)
        # of two that cost the same the first is the cheapest: no border runs where they part
        least = NEAR * (np.abs(self.monthly).max(axis=0) + 1.0)
        won = self.cheapest == row
        lead: Array = np.where(won, np.maximum(found, least), np.minimum(found, -least))
        return lead

    def gap(self, this: str, other: str) -> Array:
        """What one option costs more than another; nan where one of them does not serve."""
        a, b = self.options.index(this), self.options.index(other)
        both = self.serves[a] & self.serves[b]
        return np.where(both, self.monthly[a] - self.monthly[b], np.nan)


def cheapest_map(
    result: Result,
    axes: tuple[Axis, Axis],
    between: tuple[tuple[float, float], tuple[float, float]],
    options: Sequence[str],
    cells: int = CELLS,
) -> CheapestMap:
    """The cheapest of some options over two axes, 41 by 41 points unless asked otherwise.

    Raises `ScenarioError` where both axes vary the same input, `ScenarioErrors` when a number
    overflows.
    """
    shared = set(axes[0].names) & set(axes[1].names)
    if shared:
        raise ScenarioError(
            result.scenario.path,
            None,
            "--y",
            f"{axes[1].word}: it varies the same input as {axes[0].word}",
            "two different inputs",
            "ask for another --y, for example  --x tokens --y electricity-price",
        )
    x, y = (
        _points(axis, low, high, cells) for axis, (low, high) in zip(axes, between, strict=True)
    )
    across, up = np.meshgrid(x, y)
    values = {**axes[0].values(across.ravel()), **axes[1].values(up.ravel())}
    found = WhatIf(result, [*axes[0].names, *axes[1].names], options)(values)
    shape = (len(found.options), len(y), len(x))
    monthly, serves = found.monthly.reshape(shape), found.serves.reshape(shape)
    return CheapestMap(axes, x, y, found.options, monthly, serves, _cheapest(monthly, serves))


def _cheapest(monthly: Array, serves: Any) -> Any:
    """The row of the cheapest option that serves at each point; -1 where none does."""
    costs = np.where(serves, monthly, np.inf)
    return np.where(serves.any(axis=0), costs.argmin(axis=0), -1)


def _between(points: int) -> Array:
    """The places of points, and of `REFINED` - 1 more between two of them."""
    return np.linspace(0, points - 1, (points - 1) * REFINED + 1)


def _off_nothing(axis: Axis, between: tuple[float, float]) -> tuple[float, float]:
    """A range that begins a little above no work at all, where no card is needed yet."""
    low, high = between
    return (low or high * LITTLE if axis.word in (TOKENS, UTILISATION) else low), high


def _points(axis: Axis, low: float, high: float, cells: int) -> Array:
    points = np.linspace(*_off_nothing(axis, (low, high)), cells)
    return np.unique(np.round(points)) if axis.whole else points


@dataclass(frozen=True)
class BusyShares:
    """What the same GPUs cost a month at a busy share of u, owned and rented.

    Owned: ``owned`` + ``busy`` u. Rented by the busy hour: ``rented`` + ``rent`` u; held in all
    hours: ``rented`` + ``rent``. ``here`` is the busy share of the owned ones in the scenario.
    """

    this: str
    other: str
    owned: float
    busy: float
    rented: float
    rent: float
    here: float

    @property
    def crossing(self) -> float | None:
        """The share above which owning is the cheaper one, F / (H (p - v)); None beyond all hours.

        >>> BusyShares("own", "rent", 500.0, 100.0, 200.0, 700.0, 0.1).crossing
        0.5
        """
        saved = self.rent - self.busy
        if saved <= 0:
            return None
        share = max((self.owned - self.rented) / saved, 0.0)
        return share if share <= 1 else None


def busy_shares(result: Result, this: str | None, other: str | None) -> BusyShares | None:
    """Owned against rented GPUs over their busy share; None where no two options have the same.

    Of several the focus comes first, then what is cheapest. ``this`` and ``other``, where given,
    are among the two.
    """
    kinds: dict[str, list[BoundOption]] = {"own": [], "rent": []}
    for option in sorted(result.ranked, key=lambda found: found.name != result.focus):
        if result.status[option.name] == OK and option.sole and option.sole.given.kind in kinds:
            kinds[option.sole.given.kind].append(option)
    asked = {this, other} - {None}
    for owned in kinds["own"]:
        for rented in kinds["rent"]:
            found = _busy_shares(result, owned, rented)
            if asked <= {owned.name, rented.name} and found is not None:
                return found
    return None


def _busy_shares(result: Result, owned: BoundOption, rented: BoundOption) -> BusyShares | None:
    if not (owned.sole and rented.sole and is_same_gpus(owned.sole, rented.sole)):
        return None
    found = [
        _number(result, option, name)
        for option, name in (
            (owned, "equivalent_gpu_hours"),
            (owned, "fixed_cost_per_month_of_hours"),
            (owned, "busy_hour_cost"),
            (rented, "fixed_cost_per_month_of_hours"),
            (rented, "hour_price"),
        )
    ]
    known = [number for number in found if number is not None]
    if len(known) < len(found):
        return None
    hours, owned_fixed, busy_hour, rented_fixed, price = known
    here = result.metrics[owned.name]["busy_share"] or 0.0
    return BusyShares(
        owned.name,
        rented.name,
        owned_fixed,
        hours * busy_hour,
        rented_fixed,
        hours * price,
        here,
    )


def _number(result: Result, option: BoundOption, name: str) -> float | None:
    """A number of an option, whether it is a line or an input; None where it has none."""
    found = option.scope.find(name) if option.scope else None
    if not isinstance(found, str):
        return None
    inputs = result.model.inputs
    return inputs[found].value if found in inputs else result.value(found)
