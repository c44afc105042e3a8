"""The Summary's chart: cumulative cost, with the break-even as a point of its own."""

from __future__ import annotations

from typing import Any

from tco.report.workbook.layout import NOTE
from tco.report.workbook.page import Page
from tco.results import OK

COLOURS = ("#0072B2", "#D55E00", "#595959", "#009E73", "#CC79A7", "#E69F00")
DASHES = ("solid", "long_dash", "dash", "dash_dot", "square_dot", "round_dot")
FONT = 11


class Chart(Page):
    """Drawn from the rows of the calculation sheets."""

    def write(self, row: int, width: int, height: int) -> None:
        """Draw the chosen option, the runner-up and the baseline, from a row on; in pixels."""
        font = {"size": FONT}
        chart = self.workbook.add_chart({"type": "scatter", "subtype": "straight"})
        for colour, option in zip(COLOURS, self._drawn(), strict=False):
            line: dict[str, Any] = {"color": colour, "width": 2.0}
            if option.name == self.result.baseline:
                line["dash_type"] = "dash"
            elif not self.result.model.has_demand:
                # options that are paid for in another way only cost the same: all are to be seen
                line["dash_type"] = DASHES[COLOURS.index(colour)]
            chart.add_series(
                {
                    "name": self._name_of(option),
                    "categories": self.book.cells("month"),
                    "values": self.book.cells(option.line("cumulative_cost")),
                    "line": line,
                    "marker": {"type": "none"},
                }
            )
        marker = self.book.homes.get("answer/marker")
        pair = self.answer.main_pair()
        if marker is not None and pair is not None:
            chart.add_series(
                {
                    "name": "break-even",
                    "categories": f"={self.book.cell(pair.scope.line('break_even_month'))}",
                    "values": f"={marker.cell}",
                    "line": {"none": True},
                    "marker": {
                        "type": "diamond",
                        "size": 10,
                        "fill": {"color": "#000000"},
                        "border": {"color": "#000000"},
                    },
                }
            )
        chart.set_title(
            {"name": "Cumulative cash cost", "name_font": {"size": FONT}, "overlay": False}
        )
        drawn = [self.result.months(option.line("cumulative_cost")) for option in self._drawn()]
        lowest = min((x for months in drawn for x in months), default=0.0)
        # a break-even that never comes is month N + 1, beyond the end of this axis
        chart.set_x_axis(
            {
                "name": "month",
                "name_font": font,
                "num_font": font,
                "min": 0,
                "max": self.months,
                "num_format": "0",
                "major_gridlines": {"visible": False},
                "major_unit": 6 if self.months > 12 else 1,
            }
        )
        chart.set_y_axis(
            {
                "name": self.result.currency,
                "name_font": font,
                "num_font": font,
                "num_format": "#,##0",
                "min": 0 if lowest >= 0 else None,
                "major_gridlines": {"visible": True, "line": {"color": "#D9D9D9"}},
            }
        )
        chart.set_legend({"position": "bottom", "font": font})
        chart.set_size({"width": width, "height": height})
        self.page.insert_chart(
            row, 0, chart, {"object_position": 2, "description": "Cumulative cash cost by month"}
        )

    def _drawn(self) -> list[Any]:
        ranked = [option for option in self.result.ranked if option.missing is None]
        if not self.result.model.has_demand:
            return ranked[: len(COLOURS)]
        named = (self.result.focus, self.result.baseline)
        chosen = [self.result.option(name) for name in named if name]
        chosen = [option for option in chosen if option.missing is None]
        runner_up = [o for o in ranked if o.name not in named and self.result.status[o.name] == OK]
        return [*chosen[:1], *runner_up[:1], *chosen[1:]]

    def _name_of(self, option: Any) -> list[Any]:
        key = "ranked" if self.result.model.has_demand else "cost"
        row = next(s for s in self.book.sheets if s.name == "Comparison").positions[
            f"answer/{key}/{option.number}"
        ]
        return ["Comparison", row.number - 1, NOTE]
