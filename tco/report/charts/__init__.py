"""Charts as PNG and SVG: the same bytes for the same result.

Matplotlib is used without pyplot, whose import would cost as much as the rest of a run.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib

from tco.report.charts import bars, lines, regions
from tco.report.charts.fonts import fonts_for
from tco.report.charts.frame import Sheet
from tco.report.drawing import Bars, Curves, Drawing, Map, Swings, Waterfall

DRAW: Mapping[type[Drawing], Callable[[Any], Sheet]] = {
    Bars: bars.monthly,
    Curves: lines.draw,
    Map: regions.draw,
    Swings: bars.tornado,
    Waterfall: bars.waterfall,
}


class Chart:
    """A chart, drawn once and saved in any format; ``notes`` are for the user."""

    def __init__(self, drawing: Drawing) -> None:
        families, self.notes = fonts_for(drawing.characters)
        # text as outlines, so that the picture looks the same where the fonts are missing; the
        # salt fixes the ids that matplotlib would draw at random
        self._style: Any = {
            "font.family": families,
            "font.size": 9.5,
            "text.parse_math": False,
            # what is drawn at 120 dots an inch needs no hints, which take longest of all
            "text.hinting": "none",
            "svg.fonttype": "path",
            "svg.hashsalt": "tco",
            "axes.unicode_minus": False,
            "hatch.linewidth": 0.6,
        }
        with self.styled():
            self.sheet = DRAW[type(drawing)](drawing)

    def save(self, path: Path) -> None:
        """Write the chart into a .png or .svg file."""
        kind = path.suffix.removeprefix(".")
        metadata = {"Software": None} if kind == "png" else {"Date": None, "Creator": None}
        more: Any = {"pil_kwargs": {"compress_level": 4}} if kind == "png" else {}
        with self.styled():
            self.sheet.figure.savefig(path, format=kind, dpi=120, metadata=metadata, **more)

    @contextmanager
    def styled(self) -> Iterator[None]:
        """The style of the charts; no warning for each character that a note speaks of."""
        with matplotlib.rc_context(self._style), warnings.catch_warnings():
            if self.notes:
                warnings.filterwarnings("ignore", message="Glyph .* missing")
            yield
