"""Charts of bars that lie: monthly cost by part, the tornado, the waterfall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tco.report.charts.frame import (
    BLUE,
    FILLS,
    GREY,
    HATCH,
    INK,
    WIDTH,
    Sheet,
    amount,
    caption,
    dress,
    plate,
    weight_of,
)
from tco.report.columns import width
from tco.report.drawing import Bars, Swing, Swings, Waterfall

ROW, HIGH_ROW = 0.36, 0.5  # inches that a bar takes with the room around it
TWO_LINES, MOST_LINES = 44, 3  # places that a name has in two lines, and lines at most
THICK = 0.62  # of it that is bar
NAMES = 2.35  # inches for the names at the left
FLIPS = 1.6  # inches for where an input turns the answer, at the right
CHEAPER, DEARER, TOTAL = "#A5DBC9", "#F2B896", "#A6CEE8"


def rows(sheet: Sheet, axes: Any, labels: Sequence[tuple[str, str]]) -> None:
    """The names of the bars, the first at the top, in three lines at most."""
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_yticks([])
    for place, (label, weight) in enumerate(labels):
        lines = sheet.wrapped(label, 9, (NAMES - 0.35) * 72, weight)
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1][:-1]}…"]
        axes.annotate(
            "\n".join(lines),
            (0, place),
            xycoords=("axes fraction", "data"),
            xytext=(-7, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            size=9,
            weight=weight,
            color=INK,
            linespacing=1.05,
        )


def _height(names: Sequence[str]) -> float:
    row = HIGH_ROW if any(width(name) > TWO_LINES for name in names) else ROW
    return max(3.6, 2.5 + row * len(names))


def _values(axes: Any, currency: str) -> None:
    dress(axes, grid="x")
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_formatter(lambda value, _: amount(value, currency))


def monthly(drawing: Bars) -> Sheet:
    """The monthly cost of each option, its parts one after the other."""
    sheet = Sheet(drawing, _height([bar.name for bar in drawing.bars]))
    axes = sheet.axes(NAMES, 1.25, 0.22, 0.32)
    lowest = min(sum(a for a in bar.amounts if a < 0) for bar in drawing.bars)
    highest = max(sum(a for a in bar.amounts if a > 0) for bar in drawing.bars)
    span = highest - lowest or 1.0
    axes.set_xlim(lowest - (0.02 * span if lowest < 0 else 0), highest + 0.02 * span)
    rows(sheet, axes, [(bar.name, weight_of(bar.role)) for bar in drawing.bars])
    _values(axes, drawing.currency)
    left, right = axes.get_xlim()
    per_point = (right - left) / sheet.size[0]
    named: set[str] = set()
    for number, part in enumerate(drawing.parts):
        colour, hatch = FILLS[number % len(FILLS)]
        for place, bar in enumerate(drawing.bars):
            size = bar.amounts[number]
            if not size:
                continue
            before = bar.amounts[:number]
            start = sum(a for a in before if (a > 0) == (size > 0))
            _bar(axes, place, start, size, colour, hatch)
            if sheet.width(part, 8) + 8 < abs(size) / per_point:
                named.add(part)
                axes.text(
                    start + size / 2,
                    place,
                    part,
                    ha="center",
                    va="center",
                    size=8,
                    color=INK,
                    bbox={"boxstyle": "square,pad=0.1", "facecolor": colour, "edgecolor": "none"},
                    zorder=3,
                )
    for place, bar in enumerate(drawing.bars):
        end = max(sum(a for a in bar.amounts if a > 0), 0.0)
        if lowest < 0:
            axes.plot([bar.sum] * 2, [place - 0.42, place + 0.42], color=INK, linewidth=2, zorder=4)
        axes.annotate(
            bar.total,
            (end, place),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            size=9,
            weight=weight_of(bar.role),
            color=INK,
            annotation_clip=False,
        )
    text = f"{drawing.caption}{'; the line is the sum' if lowest < 0 else ''}"
    caption(axes, [text])
    _key(sheet, axes, drawing, [p for p in drawing.parts if p not in named])
    axes.axvline(0, color="#777777", linewidth=1, zorder=3)
    return sheet


def _key(sheet: Sheet, axes: Any, drawing: Bars, parts: Sequence[str]) -> None:
    """Patches with names for the parts that are too small everywhere to hold theirs."""
    if not parts:
        return
    from matplotlib.patches import Rectangle

    across, height = sheet.size
    right = across + 75
    for part in reversed(parts):
        colour, hatch = FILLS[drawing.parts.index(part) % len(FILLS)]
        right -= sheet.width(part, 8.5)
        axes.annotate(
            part,
            (0, 1),
            xycoords="axes fraction",
            xytext=(right, 10),
            textcoords="offset points",
            size=8.5,
            color=INK,
            annotation_clip=False,
        )
        axes.add_patch(
            Rectangle(
                ((right - 18) / across, 1 + 9.5 / height),
                14 / across,
                8 / height,
                transform=axes.transAxes,
                facecolor=colour,
                hatch=hatch,
                edgecolor=HATCH,
                linewidth=0.6,
                clip_on=False,
            )
        )
        right -= 28


def tornado(drawing: Swings) -> Sheet:
    """What each input does to a difference, the largest at the top."""
    sheet = Sheet(drawing, _height([swing.label for swing in drawing.swings]) + 0.2)
    lines = sheet.wrapped(drawing.caption, 9, (WIDTH - NAMES - 0.3) * 72)
    axes = sheet.axes(NAMES, FLIPS, 0.38, 0.15 + 0.16 * len(lines))
    ends = [end for swing in drawing.swings for end in (swing.at_low, swing.at_high)]
    low, high = min([*ends, drawing.base]), max([*ends, drawing.base])
    span = high - low or abs(drawing.base) or 1.0
    # 0, where the other option becomes the cheaper one, if it is not far away
    low, high = (0.0 if 0 < low < span else low), (0.0 if -span < high < 0 else high)
    texts = [text for swing in drawing.swings for text in (swing.low, swing.high)]
    wide = max(sheet.width(text, 8.5) for text in texts) + 10
    beside = (high - low or 1.0) * wide / max(sheet.size[0] - 2 * wide, 60)
    axes.set_xlim(low - beside, high + beside)
    rows(sheet, axes, [(swing.label, "normal") for swing in drawing.swings])
    _values(axes, drawing.currency)
    for place, swing in enumerate(drawing.swings):
        _swing(sheet, axes, place, swing, drawing.base)
    axes.axvline(drawing.base, color=INK, linewidth=1.2, zorder=3)
    if low <= 0 <= high:
        axes.axvline(0, color=BLUE, linewidth=1.4, linestyle=(0, (5, 2)), zorder=1.8)
    caption(axes, lines)
    below = f"below 0 {drawing.this} is the cheaper one, above 0 {drawing.other}"
    axes.set_xlabel(sheet.wrapped(below, 9, sheet.size[0] + 130)[0], color=GREY, size=9)
    return sheet


def _swing(sheet: Sheet, axes: Any, place: int, swing: Swing, base: float) -> None:
    """One bar of a tornado: plain to the low end, hatched to the high one, named at both."""
    ends = sorted(
        ((swing.at_low, swing.low, FILLS[0]), (swing.at_high, swing.high, FILLS[1])),
        key=lambda end: end[0],
    )
    for end, _, (colour, hatch) in ends:
        _bar(axes, place, base, end - base, colour, hatch)
    (left, low, _), (right, high, _) = ends
    for at, text, side in ((min(left, base), low, -1), (max(right, base), high, 1)):
        axes.annotate(
            text,
            (at, place),
            xytext=(5 * side, 0),
            textcoords="offset points",
            ha="right" if side < 0 else "left",
            va="center",
            size=8.5,
            color=INK,
            bbox=plate(),
            zorder=1.9,
        )
    if swing.flips:
        axes.annotate(
            "\n".join(sheet.wrapped(swing.flips, 8.5, (FLIPS - 0.15) * 72)),
            (1, place),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            size=8.5,
            color=BLUE,
            annotation_clip=False,
            linespacing=1.05,
        )


def _bar(axes: Any, place: int, start: float, size: float, colour: str, hatch: str) -> None:
    axes.barh(
        place,
        size,
        THICK,
        left=start,
        color=colour,
        hatch=hatch,
        edgecolor=HATCH,
        linewidth=0.6,
        zorder=2,
    )


def waterfall(drawing: Waterfall) -> Sheet:
    """From the cost of one option to that of another, each part from where the last one ended."""
    steps = drawing.steps
    labels = [drawing.first[0], *(step.label for step in steps), drawing.last[0]]
    sheet = Sheet(drawing, _height(labels))
    axes = sheet.axes(NAMES, 0.95, 0.22, 0.32)
    level = drawing.first[1]
    levels = [level]
    for step in steps:
        level += step.difference
        levels.append(level)
    low, high = min(0.0, *levels, drawing.last[1]), max(0.0, *levels, drawing.last[1])
    span = high - low or 1.0
    axes.set_xlim(low - (0.12 * span if low < 0 else 0), high + 0.02 * span)
    inner = len(labels) - 2
    rows(sheet, axes, list(zip(labels, ("bold", *["normal"] * inner, "bold"), strict=True)))
    _values(axes, drawing.currency)
    for place, (_, cost, text) in ((0, drawing.first), (len(steps) + 1, drawing.last)):
        _step(axes, place, 0.0, cost, text, TOTAL, "", "bold")
    for place, step in enumerate(steps, start=1):
        start = levels[place - 1]
        cheaper = step.difference < 0
        colour, hatch = (CHEAPER, "..") if cheaper else (DEARER, "////")
        _step(axes, place, start, step.difference, step.amount, colour, hatch, "normal")
    for place, at in enumerate(levels):
        axes.plot([at, at], [place + THICK / 2, place + 1 - THICK / 2], color="#777777", lw=0.8)
    axes.axvline(0, color="#777777", linewidth=1, zorder=3)
    caption(axes, [drawing.caption])
    return sheet


def _step(
    axes: Any,
    place: int,
    start: float,
    size: float,
    text: str,
    colour: str,
    hatch: str,
    weight: str,
) -> None:
    _bar(axes, place, start, size, colour, hatch)
    axes.annotate(
        text,
        (max(start, start + size), place),
        xytext=(5, 0),
        textcoords="offset points",
        va="center",
        size=9,
        weight=weight,
        color=INK,
        annotation_clip=False,
        bbox=plate(),
        zorder=1.5,
    )
