"""The map of the cheapest option: regions with their names in them, and the borders between."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from tco.report.charts.frame import (
    BESIDE,
    BLUE,
    FILLS,
    GREY,
    HATCH,
    INK,
    Sheet,
    Space,
    dress,
    plate,
    weight_of,
)
from tco.report.drawing import Border, Map, Mark

Array = NDArray[np.float64]
DASHED: Any = (0, (6, 3))
NOWHERE, WHITE = "#EDEDED", "#FFFFFF"
COARSE = 40  # places along each side that a name may stand at
THIN = 15.0  # points: a region that is less wide cannot hold a name


def draw(drawing: Map) -> Sheet:
    """The chart of a map."""
    sheet = Sheet(drawing)
    axes = sheet.axes(1.05, 0.6, 0.38, 0.1)
    x, y = np.array(drawing.x.places), np.array(drawing.y.places)
    axes.set_xlim(x[0], x[-1])
    axes.set_ylim(y[0], y[-1])
    _dress(axes, drawing)
    axes.autoscale(enable=False)
    _ground(axes, x, y, drawing)
    space = Space(sheet, axes)
    names = []
    for number, region in enumerate(drawing.regions):
        colour, hatch = FILLS[number % len(FILLS)]
        lead = np.array(region.lead)
        _fill(axes, x, y, lead, colour, hatch)
        if lead.min() < 0 < lead.max():
            _line(space, x, y, lead, colors=[INK], linewidths=1.1, zorder=3)
        names.append((region.name, lead > 0, colour, weight_of(region.role)))
    if drawing.unserved:
        unserved = np.array(drawing.unserved)
        _fill(axes, x, y, unserved - 0.5, NOWHERE, "xxxx")
        names.append(("no option serves", unserved > 0.5, NOWHERE, "normal"))
    lines = [_dashed(space, x, y, border) for border in drawing.borders]
    if drawing.here:
        _here(sheet, space, drawing.here)
    for border, points in zip(drawing.borders, lines, strict=True):
        if len(points):
            text = sheet.wrapped(border.text, 9, 190)
            spot = space.spot(points[:: max(len(points) // 40, 1)], sheet.box(text, 9), 5)
            space.write(spot, text, size=9, color=BLUE, bbox=plate(), zorder=5)
    for name, inside, colour, weight in names:
        _name(sheet, space, inside, name, colour, weight)
    return sheet


def _ground(axes: Any, x: Array, y: Array, drawing: Map) -> None:
    """The colour of the region of each point under all: where three meet, a gap would stay."""
    colours = [WHITE, *(FILLS[number % len(FILLS)][0] for number in range(len(drawing.regions)))]
    numbers = np.array(drawing.cheapest, dtype=int) + 1
    half_x, half_y = ((places[-1] - places[0]) / (len(places) - 1) / 2 for places in (x, y))
    axes.imshow(
        np.array([to_rgb(colour) for colour in colours])[numbers],
        extent=(x[0] - half_x, x[-1] + half_x, y[0] - half_y, y[-1] + half_y),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        zorder=0.5,
    )


def _fill(axes: Any, x: Array, y: Array, above: Array, colour: str, hatch: str) -> None:
    """The places where a grid is above 0, ties among them."""
    top = float(above.max())
    if top <= 0:
        return
    filled = axes.contourf(
        x,
        y,
        above,
        levels=[-1e-9 * top, top * 1.01],
        colors=[colour],
        hatches=[hatch or None],
        zorder=1,
    )
    filled.set_edgecolor(HATCH)
    filled.set_linewidth(0.0)


def _line(space: Space, x: Array, y: Array, grid: Any, **style: Any) -> Any:
    """The line on which a grid is 0, and its points."""
    drawn = space.axes.contour(x, y, grid, levels=[0.0], **style)
    found = [path.vertices for path in drawn.get_paths() if len(path.vertices) > 1]
    for vertices in found:
        space.draw(vertices[:, 0], vertices[:, 1])
    every = np.vstack(found) if found else np.zeros((0, 2))
    return space.points(every[:, 0], every[:, 1])


def _dashed(space: Space, x: Array, y: Array, border: Border) -> Any:
    gap = np.ma.masked_invalid(np.array(border.gap))
    style = {"colors": [BLUE], "linewidths": 1.8, "linestyles": [DASHED], "zorder": 4}
    return _line(space, x, y, gap, **style)


def _dress(axes: Any, drawing: Map) -> None:
    dress(axes, grid="both")
    axes.grid(visible=False)
    axes.set_xticks(*zip(*drawing.x.ticks, strict=True))
    axes.set_yticks(*zip(*drawing.y.ticks, strict=True))
    axes.set_xlabel(drawing.x.label, color=GREY, size=9)
    axes.set_ylabel(drawing.y.label, color=GREY, size=9)


def _depths(inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many cells each cell is away from the outside of its region, up and down or across."""
    padded = np.pad(inside, 1)
    depth = np.zeros(inside.shape, dtype=np.int64)
    while padded.any():
        depth += padded[1:-1, 1:-1]
        around = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
        padded = np.pad(padded[1:-1, 1:-1] & around, 1)
    return depth


def _name(
    sheet: Sheet, space: Space, inside: NDArray[np.bool_], name: str, colour: str, weight: str
) -> None:
    """Write a name where its region is widest; beside it where it is too thin."""
    coarse = max(min(inside.shape) // COARSE, 1)
    # places far enough apart to choose from, but no region so thin that it falls between them
    inside = inside[::coarse, ::coarse] if inside[::coarse, ::coarse].any() else inside
    if not inside.any():
        return
    depth = _depths(inside)
    rows, columns = np.nonzero(depth >= max(int(depth.max()) - 2, 1))
    # the deepest cells first, and of those the middle ones
    order = np.lexsort((np.abs(columns - np.median(columns)), -depth[rows, columns]))[:60]
    cells = np.array([inside.shape[1] - 1, inside.shape[0] - 1], dtype=float)
    room = np.array([space.width, space.height])
    anchors = np.column_stack([columns, rows])[order] / cells * room
    lines = sheet.wrapped(name, 10, 170, weight)
    size = sheet.box(lines, 10, weight)
    thin = (2 * depth.max() - 1) * min(room / cells) < THIN
    spot = space.spot(anchors, size, 14 if thin else 0, BESIDE if thin else ((0, 0),))
    style = {"size": 10, "weight": weight, "color": INK, "zorder": 5}
    space.write(spot, lines, bbox=plate(colour), **style)
    if thin:
        near = anchors[int(((anchors - spot) ** 2).sum(axis=1).argmin())]
        ends = np.array([near, spot]) / room
        space.axes.plot(
            ends[:, 0],
            ends[:, 1],
            transform=space.axes.transAxes,
            color=INK,
            linewidth=0.8,
            zorder=4.5,
        )


def _here(sheet: Sheet, space: Space, mark: Mark) -> None:
    space.axes.plot(
        [mark.x],
        [mark.y],
        "o",
        color="white",
        markeredgecolor=INK,
        markersize=9,
        markeredgewidth=2,
        zorder=6,
        clip_on=False,
    )
    at = space.points([mark.x], [mark.y])
    space.take(at[0], (12, 12))
    lines = [mark.text]
    places = ((1, 0), (-1, 0), *BESIDE)
    spot = space.spot(at, sheet.box(lines, 9, "bold"), 8, places)
    space.write(spot, lines, size=9, color=INK, weight="bold", bbox=plate(), zorder=6)
