"""Reads from a map of the cheapest option what its chart shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tco.analysis import answer as wording
from tco.analysis.axes import Axis
from tco.analysis.figures import money
from tco.analysis.sweeps import CheapestMap
from tco.engine.operations import Array
from tco.report.drawing import Border, Grid, Map, Mark, Region, Side
from tco.report.scales import ticks
from tco.report.subject import Subject

MOST_REGIONS = 8


def cheapest(about: Subject, found: CheapestMap) -> Map:
    """The map: regions by size, the border of the two options that are asked about, the place."""
    result, found = about.result, found.refined()
    x, y = found.axes
    sizes = {name: int(np.sum(found.cheapest == row)) for row, name in enumerate(found.options)}
    won = sorted((name for name in sizes if sizes[name]), key=lambda name: -sizes[name])
    shown, small = won[:MOST_REGIONS], won[MOST_REGIONS:]
    unserved = found.cheapest < 0
    order = {found.options.index(name): number for number, name in enumerate(shown)}
    here = _here(about, found)
    footer = []
    if small:
        footer.append(f"cheapest in small places, not coloured: {', '.join(small)}")
    if unserved.any():
        footer.append("hatched grey: no option serves the demand")
    footer.append("prices and other inputs as in the scenario where no axis varies them")
    return Map(
        title=_title(found, won),
        headline=_headline(about, found),
        convention=about.convention,
        footer="; ".join(footer),
        currency=result.currency,
        x=_side(about, x, found.x),
        y=_side(about, y, found.y),
        cheapest=_grid([[order.get(row, -1) for row in line] for line in found.cheapest.tolist()]),
        regions=tuple(Region(name, about.role(name), _grid(found.lead(name))) for name in shown),
        borders=_borders(about, found, won),
        unserved=_grid(unserved) if unserved.any() else (),
        here=here,
    )


def _grid(values: ArrayLike) -> Grid:
    return tuple(tuple(row) for row in np.asarray(values, dtype=float).tolist())


def _side(about: Subject, axis: Axis, points: Array) -> Side:
    places = tuple(points.tolist())
    first = 0.0 if 0 < places[0] < places[-1] / 1000 else places[0]
    return Side(axis.label, places, ticks(first, places[-1], lambda v: axis.text(about.result, v)))


def _here(about: Subject, found: CheapestMap) -> Mark | None:
    x, y = found.axes
    inside = (
        points[0] <= axis.base <= points[-1]
        for axis, points in zip((x, y), (found.x, found.y), strict=True)
    )
    if not all(inside):
        return None
    texts = (axis.text(about.result, axis.base) for axis in (x, y))
    return Mark(x.base, y.base, f"here: {', '.join(texts)}")


def _borders(about: Subject, found: CheapestMap, won: list[str]) -> tuple[Border, ...]:
    """Where the two options cost the same, if another option hides that on the map."""
    this, other = about.this, about.other
    if this is None or other is None or {this, other} <= set(won):
        return ()
    if not {this, other} <= set(found.options):
        return ()
    gap = found.gap(this, other)
    if np.isnan(gap).all() or np.nanmin(gap) >= 0 or np.nanmax(gap) <= 0:
        return ()
    return (Border(f"{this} costs the same as {other}", _grid(gap)),)


def _title(found: CheapestMap, won: list[str]) -> str:
    x, y = found.axes
    over = f"{x.label} and {y.label}"
    if not won:
        return f"No option serves the demand anywhere here, whatever the {over}"
    if len(won) == 1 and (found.cheapest < 0).any():
        return f"{won[0]} is the cheapest where the demand is served, whatever the {over}"
    if len(won) == 1:
        return f"{won[0]} is the cheapest everywhere here, whatever the {over}"
    return f"Which option is the cheapest, by {over}"


def _headline(about: Subject, found: CheapestMap) -> str:
    result = about.result
    x, y = found.axes
    where = f"{x.text(result, x.base)} {x.label}, {y.label} {y.text(result, y.base)}"
    best = [option.name for option in wording.feasible(result) if option.name in found.options]
    if not best:
        return f"In the scenario, at {where}, no option serves the demand"
    cost = wording.equivalent(result, best[0])
    money_text = money(cost, result.currency)
    return f"In the scenario, at {where}, it is {best[0]}: {money_text} a month"
