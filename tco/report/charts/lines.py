"""Costs along an axis, each line named at its end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection

from tco.report.charts.frame import (
    BLUE,
    GREY,
    INK,
    LEFT,
    STYLES,
    Sheet,
    Space,
    amount,
    apart,
    caption,
    dress,
    plate,
    weight_of,
)
from tco.report.drawing import BASELINE, FOCUS, Curve, Curves, Mark

SIDE = 2.5  # inches for the names at the ends of lines
GAP = 17.0  # points from the end of a line to its name
NEAR = 30.0  # points between marks that share their words
DOTTED: Any = (0, (1, 2.5))
End = tuple[float, Curve, str]


def draw(drawing: Curves) -> Sheet:
    """The chart of some curves."""
    sheet = Sheet(drawing)
    below = 0.55 if any("\n" in text for _, text in drawing.ticks) else 0.38
    amounts = [value for curve in drawing.curves for value in curve.values]
    # what is written at the ticks is about as wide as the largest amounts
    widest = max(
        sheet.width(amount(end * 1.1, drawing.currency), 9) for end in (min(amounts), max(amounts))
    )
    left = widest / 72 + 0.2
    axes = sheet.axes(max(left, LEFT), SIDE, below, 0.3)
    spare = iter(STYLES)
    dashes: Any
    ends: list[End] = []
    for curve in drawing.curves:
        if curve.role == BASELINE:
            colour, dashes, thickness, order = INK, (0, (4, 2)), 2.2, 3.0
        elif curve.role == FOCUS:
            colour, dashes, thickness, order = BLUE, "-", 2.8, 4.0
        else:
            (colour, dashes), thickness, order = next(spare), 1.5, 2.0
        for places, values, serving in _pieces(drawing.places, curve):
            axes.plot(
                places,
                values,
                color=colour,
                linestyle=dashes if serving else DOTTED,
                linewidth=thickness if serving else 1.3,
                zorder=order,
            )
        ends.append((curve.values[-1], curve, colour))
    _scale(axes, drawing)
    caption(axes, [drawing.caption])
    space = Space(sheet, axes)
    for curve in drawing.curves:
        space.draw(drawing.places, curve.values)
    _marks(sheet, space, drawing.marks)
    _here(sheet, space, drawing)
    _label_ends(sheet, axes, ends)
    return sheet


def _pieces(
    places: Sequence[float], curve: Curve
) -> list[tuple[Sequence[float], Sequence[float], bool]]:
    """A curve cut where the option ceases to serve, or serves again."""
    serves = curve.serves
    if not serves or len(set(serves)) == 1:
        return [(places, curve.values, all(serves))]
    cuts = [n for n in range(1, len(serves)) if serves[n] != serves[n - 1]]
    starts, stops = [0, *cuts], [*cuts, len(serves)]
    pieces: list[tuple[Sequence[float], Sequence[float], bool]] = []
    for begin, end in zip(starts, stops, strict=True):
        # the way to and from where it serves is dotted too
        a, b = (begin, end) if serves[begin] else (max(begin - 1, 0), end + 1)
        pieces.append((places[a:b], curve.values[a:b], serves[begin]))
    return pieces


def _scale(axes: Any, drawing: Curves) -> None:
    axes.set_xlim(drawing.places[0], drawing.places[-1])
    # what an option costs that does not serve sets no scale
    served = [
        value
        for curve in drawing.curves
        for value, serves in zip(curve.values, curve.serves or repeat(True), strict=False)
        if serves
    ] or [value for curve in drawing.curves for value in curve.values]
    low, high = min(0.0, *served), max(0.0, *served)
    room = 0.05 * (high - low or 1.0)
    axes.set_ylim(low - room if low < -1e-9 * high else 0.0, high + room)
    dress(axes, grid="y")
    axes.set_xticks(*zip(*drawing.ticks, strict=True))
    axes.yaxis.set_major_formatter(lambda value, _: amount(value, drawing.currency))
    axes.set_xlabel(drawing.axis, color=GREY, size=9)


def _here(sheet: Sheet, space: Space, drawing: Curves) -> None:
    """A thin line at the scenario's own place."""
    if drawing.here is None:
        return
    space.axes.axvline(drawing.here, color="#AAAAAA", linewidth=1, zorder=1)
    low, high = space.axes.get_ylim()
    heights = low + (high - low) * np.array([0.97, 0.9, 0.04, *np.linspace(0.85, 0.1, 26)])
    anchors = space.points([drawing.here] * len(heights), heights)
    lines = [drawing.here_text]
    spot = space.spot(anchors, sheet.box(lines, 8.5), 2, ((1, 0), (-1, 0)))
    space.write(spot, lines, size=8.5, color=GREY, bbox=plate(), zorder=1.5)


def _marks(sheet: Sheet, space: Space, marks: Sequence[Mark]) -> None:
    """Rings where something happens, each with its words where they hide least."""
    for mark in marks:
        space.axes.plot(
            [mark.x],
            [mark.y],
            "o",
            color="white",
            markeredgecolor=BLUE,
            markersize=9,
            markeredgewidth=2.2,
            zorder=6,
        )
        space.take(space.points([mark.x], [mark.y])[0], (11, 11))
    for group in _clusters(space, marks):
        text = ", ".join(mark.text for mark in group)
        if len(group) > 2:
            text = f"{group[0].text} to {group[-1].text}"
        lines = sheet.wrapped(text, 9.5, 200, "bold")
        size = sheet.box(lines, 9.5, "bold")
        anchors = space.points([mark.x for mark in group], [mark.y for mark in group])
        spot = space.spot(anchors, size, 6)
        space.write(spot, lines, size=9.5, color=BLUE, weight="bold", bbox=plate(), zorder=7)


def _clusters(space: Space, marks: Sequence[Mark]) -> list[list[Mark]]:
    """Marks so near to one another that their words would not tell them apart."""
    groups: list[list[Mark]] = []
    for mark in marks:
        last = groups[-1][-1] if groups else None
        if last is not None:
            ends = space.points([last.x, mark.x], [last.y, mark.y])
            if np.abs(ends[1] - ends[0]).max() < NEAR:
                groups[-1].append(mark)
                continue
        groups.append([mark])
    return groups


def _label_ends(sheet: Sheet, axes: Any, ends: Sequence[End]) -> None:
    """Name each line at its end, moved apart where names would overlap."""
    low, high = axes.get_ylim()
    span = (high - low) or 1.0
    height = sheet.size[1]
    ordered = sorted(ends, key=lambda end: (end[0], end[1].name))
    blocks = [(end, _end_label(sheet, end[1])) for end in ordered]
    needs = [(label.count("\n") + 1) * 12.0 + 2.0 for _, label in blocks]
    wanted = [min(max(end[0] - low, 0.0), span) / span * height for end, _ in blocks]
    first, last = axes.get_xlim()
    beside = last + (last - first) * GAP / sheet.size[0]
    leaders, colours = [], []
    for (end, label), place in zip(blocks, apart(wanted, needs, height), strict=True):
        value, curve, colour = end
        y = low + place / height * span
        leaders.append([(last, min(max(value, low), high)), (beside - (beside - last) * 0.15, y)])
        colours.append(colour)
        axes.text(
            beside,
            y,
            label,
            color=colour,
            size=9,
            weight=weight_of(curve.role),
            va="center",
            linespacing=1.1,
        )
    # in one piece and without arrows, which take long to draw
    lines = LineCollection(leaders, colors=colours, linewidths=0.7, clip_on=False)
    axes.add_collection(lines, autolim=False)


def _end_label(sheet: Sheet, curve: Curve) -> str:
    room, weight = SIDE * 72 - GAP - 4, weight_of(curve.role)
    lines = sheet.wrapped(curve.name, 9, room, weight)
    beside = f"{lines[-1]}  {curve.amount}"
    if sheet.width(beside, 9, weight) <= room:
        return "\n".join([*lines[:-1], beside])
    return "\n".join([*lines, *sheet.wrapped(curve.amount, 9, room, weight)])
