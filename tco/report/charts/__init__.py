"""The chart of cumulative cost by month, as PNG and SVG: the same bytes for the same result.

Matplotlib is used without pyplot, whose import would cost as much as the rest of a run.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tco.analysis.figures import cell, symbol
from tco.report.columns import width, wrap
from tco.report.drawing import BASELINE, FOCUS, OTHER, Curve, Drawing

INK, GREY, BLUE = "#222222", "#666666", "#0072B2"
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
CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
    "Droid Sans Fallback",
    "Arial Unicode MS",
)
FONT_FILES = (
    "notosanscjk",
    "notosanssc",
    "sourcehansans",
    "wqy",
    "pingfang",
    "msyh",
    "simhei",
    "droidsansfallback",
)
MISSING_FONT = (
    "the chart shows boxes for names that no installed font can draw; install one, on Debian and "
    "Ubuntu:  apt install fonts-noto-cjk"
)
WIDTH, HEIGHT = 10.0, 5.8  # inches


class CumulativeCost:
    """A chart, drawn once and saved in any format; ``notes`` are for the user."""

    def __init__(self, drawing: Drawing) -> None:
        families, self.notes = _fonts(drawing.names)
        # text as outlines, so that the picture looks the same where the fonts are missing; the
        # salt fixes the ids that matplotlib would draw at random
        self._style: Any = {
            "font.family": families,
            "font.size": 9.5,
            "text.parse_math": False,
            "svg.fonttype": "path",
            "svg.hashsalt": "tco",
            "axes.unicode_minus": False,
        }
        self._figure = Figure(figsize=(WIDTH, HEIGHT), facecolor="white")
        FigureCanvasAgg(self._figure)
        with matplotlib.rc_context(self._style):
            _draw(self._figure, drawing)

    def save(self, path: Path) -> None:
        """Write the chart into a .png or .svg file."""
        kind = path.suffix.removeprefix(".")
        metadata = {"Software": None} if kind == "png" else {"Date": None, "Creator": None}
        with matplotlib.rc_context(self._style), warnings.catch_warnings():
            if self.notes:
                warnings.filterwarnings("ignore", message="Glyph .* missing")
            more: Any = {"pil_kwargs": {"compress_level": 4}} if kind == "png" else {}
            self._figure.savefig(path, format=kind, dpi=120, metadata=metadata, **more)


def _draw(figure: Figure, drawing: Drawing) -> None:
    title = _wrapped(drawing.title, 88)
    headline = _wrapped(drawing.headline, 118)
    convention = _wrapped(drawing.convention, 128)
    left, top = 0.075, 0.965
    for lines, size, colour, weight in (
        (title, 14, INK, "bold"),
        (headline, 10.5, INK, "normal"),
        (convention, 9, GREY, "normal"),
    ):
        figure.text(
            left,
            top,
            "\n".join(lines),
            size=size,
            color=colour,
            weight=weight,
            va="top",
            linespacing=1.25,
        )
        top -= len(lines) * size * 1.35 / 72 / HEIGHT + 0.008
    bottom = 0.12
    if drawing.footer:
        lines = _wrapped(drawing.footer, 128)
        figure.text(left, 0.015, "\n".join(lines), size=8.5, color=GREY, va="bottom")
        bottom += 0.03 * len(lines)
    axes = figure.add_axes((left, bottom, 0.675, top - bottom - 0.05))
    months = range(len(drawing.months))
    spare = iter(STYLES)
    ends: list[tuple[float, Curve, str]] = []
    dashes: Any
    for curve in drawing.curves:
        if curve.role == BASELINE:
            colour, dashes, thickness, order = INK, (0, (4, 2)), 2.2, 3.0
        elif curve.role == FOCUS:
            colour, dashes, thickness, order = BLUE, "-", 2.8, 4.0
        else:
            (colour, dashes), thickness, order = next(spare), 1.5, 2.0
        style = {"color": colour, "linestyle": dashes, "linewidth": thickness, "zorder": order}
        axes.plot(months, curve.values, **style)
        ends.append((curve.values[-1], curve, colour))
    _dress(axes, drawing)
    _mark_break_even(axes, drawing)
    _label_ends(axes, ends)


def _dress(axes: Any, drawing: Drawing) -> None:
    last = len(drawing.months) - 1
    axes.set_xlim(0, last)
    low, high = axes.get_ylim()
    lowest = min(min(curve.values) for curve in drawing.curves)
    axes.set_ylim(0 if lowest > -1e-9 * abs(high) else low, high)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#999999")
    axes.grid(axis="y", color="#E4E4E4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=GREY, length=3, labelsize=9)
    step = next((s for s in (1, 2, 3, 6, 12) if last / s <= 8), 24)
    ticks = range(0, last + 1, step)
    axes.set_xticks(ticks, [drawing.months[month] for month in ticks])
    axes.yaxis.set_major_formatter(lambda value, _: _amount(value, drawing.currency))
    axes.set_title(
        f"Cumulative cost in {drawing.currency}, not discounted",
        color=GREY,
        size=9,
        loc="left",
        pad=8,
    )
    axes.set_xlabel("month, counted from the decision", color=GREY, size=9)


def _amount(value: float, currency: str) -> str:
    size = abs(value)
    text = cell(size, 0) if size >= 10 or size == 0 else f"{size:.4g}"
    return f"{'-' if value < 0 else ''}{symbol(currency)}{text}"


def _mark_break_even(axes: Any, drawing: Drawing) -> None:
    mark = drawing.break_even
    if mark is None:
        return
    axes.plot(
        [mark.month],
        [mark.cost],
        "o",
        color="white",
        markeredgecolor=BLUE,
        markersize=9,
        markeredgewidth=2.2,
        zorder=6,
    )
    early = mark.month < len(drawing.months) * 0.55
    axes.annotate(
        mark.text,
        (mark.month, mark.cost),
        xytext=(12 if early else -12, -14),
        textcoords="offset points",
        ha="left" if early else "right",
        va="top",
        size=9.5,
        color=BLUE,
        weight="bold",
        zorder=7,
        bbox={
            "boxstyle": "square,pad=0.15",
            "facecolor": "white",
            "edgecolor": "none",
            "alpha": 0.9,
        },
    )


def _label_ends(axes: Any, ends: Sequence[tuple[float, Curve, str]]) -> None:
    """Name each line at its end, moved apart where names would overlap."""
    low, high = axes.get_ylim()
    span = (high - low) or 1.0
    height = axes.get_position().height * HEIGHT * 72  # points
    ordered = sorted(ends, key=lambda end: (end[0], end[1].name))
    blocks = [(end, _end_label(end[1])) for end in ordered]
    needs = [(label.count("\n") + 1) * 12.0 + 2.0 for _, label in blocks]
    wanted = [(end[0] - low) / span * height for end, _ in blocks]
    for (end, label), place in zip(blocks, _apart(wanted, needs, height), strict=True):
        value, curve, colour = end
        y = low + place / height * span
        bold = "normal" if curve.role == OTHER else "bold"
        axes.annotate(
            label,
            (1, value),
            xycoords=("axes fraction", "data"),
            xytext=(1.025, y),
            textcoords=("axes fraction", "data"),
            color=colour,
            size=9,
            weight=bold,
            va="center",
            annotation_clip=False,
            linespacing=1.1,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.7,
                # from the left end of the name, so that no line runs through a name
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 0,
            },
        )


def _end_label(curve: Curve) -> str:
    *above, last = _wrapped(curve.name, 26)
    beside = f"{last}  {curve.amount}"
    ending = beside if width(beside) <= 30 else f"{last}\n{curve.amount}"
    return "\n".join([*above, ending])


def _apart(wanted: Sequence[float], needs: Sequence[float], room: float) -> list[float]:
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


def _wrapped(text: str, places: int) -> list[str]:
    return wrap(text, places=places)


def _fonts(text: str) -> tuple[list[str], list[str]]:
    """Fonts that draw the text, in order of preference, and a note when none can."""
    from matplotlib import font_manager

    manager = font_manager.fontManager
    latin = "DejaVu Sans"
    missing = {ord(c) for c in text} - _characters(font_manager.findfont(latin))
    if not missing:
        return [latin], []
    known = {entry.name: entry.fname for entry in manager.ttflist}
    for family in (name for name in CHINESE_FONTS if name in known):
        if missing <= _characters(known[family]):
            return [latin, family], []
    for file in sorted(font_manager.findSystemFonts()):
        # installed after matplotlib made its list of fonts
        if Path(file).name.lower().startswith(FONT_FILES):
            manager.addfont(file)
            if missing <= _characters(file):
                return [latin, font_manager.FontProperties(fname=file).get_name()], []
    return [latin], [MISSING_FONT]


def _characters(file: str) -> set[int]:
    from matplotlib.ft2font import FT2Font

    return set(FT2Font(file).get_charmap())
