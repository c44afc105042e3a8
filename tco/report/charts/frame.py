"""What all charts have in common: texts above and below, colours, axes, and labels kept apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from tco.analysis.figures import cell, symbol
from tco.report.columns import wrap
from tco.report.drawing import BASELINE, FOCUS, Drawing

INK, GREY, PALE, BLUE = "#222222", "#666666", "#E4E4E4", "#0072B2"
# Okabe and Ito's colours, told apart with any colour vision, and dashes for print without colour
STYLES: tuple[tuple[str, Any], ...] = (
    ("#D55E00", "-"),
    ("#009E73", (0, (5, 1.5))),
    ("#CC79A7", (0, (1, 1))),
    ("#E69F00", (0, (4, 1, 1, 1))),
    ("#56B4E9", (0, (7, 2))),
    ("#8C6D31", (0, (2, 1))),
    ("#7F7F7F", (0, (6, 1, 1, 1, 1, 1))),
)
# the same colours, light enough to read on, and patterns for print without colour
FILLS: tuple[tuple[str, str], ...] = (
    ("#A6CEE8", ""),
    ("#F6D08C", "////"),
    ("#A5DBC9", ".."),
    ("#F2B896", "\\\\\\\\"),
    ("#E9C6DB", "----"),
    ("#F7F1A5", "xxxx"),
    ("#D8CBB0", "||||"),
    ("#D5D5D5", "++++"),
    ("#C6E4F5", "oo"),
    ("#E3E3F4", "**"),
    ("#EFE3D0", "//"),
    ("#DDEBD2", "\\\\"),
)
HATCH = "#8A8A8A"
WIDTH, HEIGHT = 10.0, 5.8  # inches
LEFT, RIGHT = 0.75, 0.25  # inches beside the texts
UNIT, JOINT = re.compile(r"(\d) (%|M\b)"), "\x01"
FARTHER = 16.0  # points: the second ring of places that a text may take
EVERY = 3.0  # points between the places of a line that texts keep off
EM = 100.0  # size at which characters are measured
Box = tuple[float, float, float, float]  # left, bottom, right, top in points within the axes
# where a text may stand beside a point: how far its middle is off, in halves of its size
BESIDE = ((1, -1), (-1, 1), (1, 1), (-1, -1), (0, -1), (0, 1), (1, 0), (-1, 0))


_ems: dict[tuple[str, ...], float] = {}


class Sheet:
    """A figure of so many inches with its texts; ``room`` is what they leave for the axes."""

    def __init__(self, drawing: Drawing, height: float = HEIGHT) -> None:
        self.height = height
        self.figure = Figure(figsize=(WIDTH, height), facecolor="white")
        canvas: Any = FigureCanvasAgg(self.figure)
        self._renderer: Any = canvas.get_renderer()
        top = height - 0.2
        for text, size, colour, weight in (
            (drawing.title, 14, INK, "bold"),
            (drawing.headline, 10.5, INK, "normal"),
            (drawing.convention, 9, GREY, "normal"),
        ):
            lines = self.wrapped(text, size, (WIDTH - LEFT - RIGHT) * 72, weight)
            self._text(lines, top, size, colour, weight, "top")
            top -= len(lines) * size * 1.35 / 72 + 0.045
        self._bottom, self._top = 0.1, top
        if drawing.footer:
            lines = self.wrapped(drawing.footer, 8.5, (WIDTH - LEFT - RIGHT) * 72)
            self._text(lines, 0.09, 8.5, GREY, "normal", "bottom")
            self._bottom += len(lines) * 8.5 * 1.35 / 72 + 0.04

    def _text(
        self, lines: list[str], inches: float, size: float, colour: str, weight: str, side: str
    ) -> None:
        self.figure.text(
            LEFT / WIDTH,
            inches / self.height,
            "\n".join(lines),
            size=size,
            color=colour,
            weight=weight,
            va=side,
            linespacing=1.25,
        )

    def axes(self, left: float, right: float, below: float, above: float) -> Any:
        """Axes in the room between the texts, with so many inches around them."""
        bottom, top = self._bottom + below, self._top - above
        inches = (left, bottom, WIDTH - left - right, top - bottom)
        self.size = (inches[2] * 72, inches[3] * 72)
        across, up = WIDTH, self.height
        return self.figure.add_axes(
            (inches[0] / across, inches[1] / up, inches[2] / across, inches[3] / up)
        )

    def box(self, lines: Sequence[str], size: float, weight: str = "normal") -> tuple[float, float]:
        """Points across and up that some lines of text take, with a little room around them."""
        across = max(self.width(line, size, weight) for line in lines)
        return across + 5, len(lines) * size * 1.25 + 4

    def width(self, text: str, size: float, weight: str = "normal") -> float:
        """Points that a line of text takes, its characters one by one."""
        return size * sum(self._em(character, weight) for character in text)

    def _em(self, character: str, weight: str) -> float:
        """The width of a character in parts of the size; each is measured once."""
        key = (*rcParams["font.family"], weight, character)
        found = _ems.get(key)
        if found is None:
            font = FontProperties(size=EM, weight=weight)
            # between two others, as a space alone is not measured
            pixels = [
                self._renderer.get_text_width_height_descent(text, font, False)[0]
                for text in (f"n{character}n", "nn")
            ]
            found = _ems[key] = (pixels[0] - pixels[1]) * 72 / self.figure.dpi / EM
        return found

    def wrapped(self, text: str, size: float, room: float, weight: str = "normal") -> list[str]:
        """A text in lines of at most so many points; a number keeps its unit."""
        held = UNIT.sub(rf"\1{JOINT}\2", text)
        places = max(int(room / size * 2), 4)
        while True:
            lines = [line.replace(JOINT, " ") for line in wrap(held, places=places)]
            widest = max(self.width(line, size, weight) for line in lines)
            if widest <= room or places <= 4:
                return lines
            places = max(min(int(places * room / widest), places - 1), 4)


def dress(axes: Any, *, grid: str) -> None:
    """Axes with few lines: two spines, and a grid across the axis of amounts."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#999999")
    axes.grid(axis=grid, color=PALE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=GREY, length=3, labelsize=9)


def caption(axes: Any, lines: Sequence[str]) -> None:
    """What the axis of amounts shows, above it."""
    axes.annotate(
        "\n".join(lines),
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 8),
        textcoords="offset points",
        color=GREY,
        size=9,
        va="bottom",
        annotation_clip=False,
        linespacing=1.15,
    )


def amount(value: float, currency: str) -> str:
    """An amount at a tick."""
    size = abs(value)
    text = cell(size, 0) if size >= 10 or size == 0 else f"{size:.4g}"
    return f"{'-' if value < 0 else ''}{symbol(currency)}{text}"


def apart(wanted: Sequence[float], needs: Sequence[float], room: float) -> list[float]:
    """Places in ascending order, as near to the wanted ones as their heights allow."""
    places: list[float] = []
    for n, place in enumerate(wanted):
        least = places[-1] + (needs[n - 1] + needs[n]) / 2 if places else 0.0
        places.append(max(place, least))
    ceiling = max(room, sum(needs) - needs[0])
    for n in reversed(range(len(places))):
        places[n] = min(places[n], ceiling)
        ceiling = places[n] - (needs[n] + needs[n - 1]) / 2 if n else ceiling
    return places


class Space:
    """The room within axes: what is drawn and written there, in points from the lower left."""

    def __init__(self, sheet: Sheet, axes: Any) -> None:
        self.axes, (self.width, self.height) = axes, sheet.size
        self._drawn: list[Any] = []
        self.taken: list[Box] = []

    def points(self, x: Any, y: Any) -> Any:
        """Places of the data in points, two columns."""
        (left, right), (bottom, top) = self.axes.get_xlim(), self.axes.get_ylim()
        across = (np.asarray(x, dtype=float) - left) / (right - left) * self.width
        up = (np.asarray(y, dtype=float) - bottom) / (top - bottom) * self.height
        return np.column_stack([across, up])

    def draw(self, x: Any, y: Any) -> None:
        """Note a line that texts should not lie on."""
        points = self.points(x, y)
        along = np.hstack([0.0, np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        every = np.arange(0.0, along[-1] + 1.0, EVERY)
        self._drawn.append(
            np.column_stack([np.interp(every, along, points[:, side]) for side in (0, 1)])
        )

    def spot(
        self, anchors: Any, size: tuple[float, float], off: float, places: Any = BESIDE
    ) -> Any:
        """The middle of the text beside one of the anchors that hides least; it is taken then."""
        anchors = np.atleast_2d(anchors)
        half = np.array(size) / 2
        rings = (0.0, FARTHER) if off else (0.0,)
        offsets = np.array(
            [
                (a * (half[0] + off + more), b * (half[1] + off + more))
                for more in rings
                for a, b in places
            ]
        )
        middles = (anchors[:, None, :] + offsets[None, :, :]).reshape(-1, 2)
        room = np.array([self.width, self.height])
        # kept inside the axes, as near to the anchor as that allows
        middles = np.clip(middles, np.minimum(half, room / 2), np.maximum(room - half, room / 2))
        # the order of the places counts a little, being near as much as a line crossed
        ring = np.tile(np.repeat(np.arange(len(rings)), len(places)), len(anchors))
        cost = np.arange(len(middles)) * 1e-3 + ring * 4.0
        drawn = np.vstack(self._drawn) if self._drawn else np.zeros((0, 2))
        inside = (np.abs(drawn[None, :, :] - middles[:, None, :]) < half).all(axis=2)
        cost += inside.sum(axis=1)
        for left, bottom, right, top in self.taken:
            middle = np.array([(left + right) / 2, (bottom + top) / 2])
            reach = np.array([(right - left) / 2, (top - bottom) / 2]) + half
            cost += 1e4 * (np.abs(middles - middle) < reach).all(axis=1)
        best = middles[int(cost.argmin())]
        self.take(best, size)
        return best

    def take(self, middle: Any, size: tuple[float, float]) -> None:
        """Note that a text, or a mark, stands at a place."""
        x, y = middle
        self.taken.append((x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2))

    def write(self, middle: Any, lines: Sequence[str], **style: Any) -> None:
        """Write lines of text around a place."""
        self.axes.annotate(
            "\n".join(lines),
            (0, 0),
            xycoords="axes fraction",
            xytext=tuple(middle),
            textcoords="offset points",
            ha="center",
            va="center",
            annotation_clip=False,
            linespacing=1.15,
            **style,
        )


def weight_of(role: str) -> str:
    """Focus and baseline are written bold."""
    return "bold" if role in (FOCUS, BASELINE) else "normal"


def plate(colour: str = "white") -> dict[str, Any]:
    """A ground for a text, so that it can be read over lines and patterns."""
    return {"boxstyle": "square,pad=0.15", "facecolor": colour, "edgecolor": "none", "alpha": 0.9}
