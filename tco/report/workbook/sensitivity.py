"""The sheet Sensitivity: what moves the gap, how sure it is, and what it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tco.report.workbook import styles
from tco.report.workbook.break_even import RUN_AGAIN, SOLVED_NOTE
from tco.report.workbook.break_even_trials import GAP
from tco.report.workbook.layout import column
from tco.report.workbook.page import A4, Page
from tco.report.workbook.texts import fitted

if TYPE_CHECKING:
    from tco.analysis.sensitivity import Bar, Tornado
    from tco.analysis.uncertainty import Simulation

RIGHT = {"align": "right", "shrink": True}
LOW, HIGH = "#0072B2", "#D55E00"
ROOM = (50, *(17,) * 8)
DRAWN = 12  # bars of the chart
# the columns of what the chart is drawn from: the gap nearest to 0, then outwards on both sides
PIECES = ("Not drawn", "Below 0, near", "Below 0, far", "Above 0, near", "Above 0, far")
FIRST_PIECE = 10


class SensitivityPage(Page):
    """Tornado and simulation as delivered, the parts of the gap live."""

    def write(self) -> None:
        """Write the page."""
        self.open("Sensitivity", (0, 8), paper=A4, check_width=2)
        self.page.freeze_panes(3, 1)
        self.page.repeat_rows(0, 2)
        for position, room in enumerate(ROOM):
            self.page.set_column(position, position, room)
        focus, base = self.result.focus, self.result.baseline
        if not focus or not base:
            self.text(1, 0, "Nothing is compared here.")
            return
        gap = f"The gap: {fitted(focus, 40)} less {fitted(base, 40)}, {self._unit}"
        self.text(1, 0, f"{gap}; below 0 it is cheaper")
        self.formula(2, 0, "=Checks!$D$4", "inputs as delivered", self.style(styles.LINKED))
        self.text(2, 2, f"Grey: {SOLVED_NOTE}.", self.style(styles.NOTE))
        at = self._parts(3)
        findings = self.desk.findings
        at = self._tornado(at + 1, findings.tornado if findings else None)
        at = self._simulation(at + 1, findings.simulation if findings else None)
        self.page.print_area(0, 0, at, len(ROOM) - 1)

    @property
    def _unit(self) -> str:
        return f"{self.result.currency}/month"

    def _heads(self, at: int, heads: Sequence[str]) -> int:
        for position, text in enumerate(heads):
            align = {} if position == 0 else {"align": "right"}
            self.text(at, position, text, self.style(styles.HEADER, **align))
        return at + 1

    def _parts(self, at: int) -> int:
        """What the gap is made of; every number is live."""
        at = self.heading(at, "What the gap is made of, live", len(ROOM))
        names = (str(self.result.focus), str(self.result.baseline))
        at = self._heads(at, (f"Part, {self._unit}", *(fitted(n, 16) for n in names), "Gap"))
        for part in self.answer.gap_parts:
            self.text(at, 0, _capital(fitted(part.label, ROOM[0] - 2)))
            for position, line in enumerate((part.this, part.other, part.difference), start=1):
                self.link(at, position, line, "#,##0.00", **RIGHT)
            at += 1
        bold = self.style(styles.TEXT, bold=True)
        self.text(at, 0, "All parts, and the gap itself", bold)
        self.link(at, 3, "answer/gap/total", "#,##0.00", **RIGHT, bold=True)
        pair = self.answer.main_pair()
        assert pair is not None
        self.link(at, 4, pair.scope.line("equivalent_difference"), "#,##0.00", **RIGHT)
        self.link(at, 5, "answer/gap/word", align="right")
        return at + 1

    def _tornado(self, at: int, found: Tornado | None) -> int:
        at = self.heading(at, f"What moves the gap, {SOLVED_NOTE}", len(ROOM))
        if found is None or not found.bars:
            said = "No input has a low and a high, or none moves the gap: nothing is drawn."
            self.text(at, 0, said, self.style(styles.NOTE))
            return at + 1
        line = "answer/delivered_gap/word"
        self.text(at, 0, "The gap as delivered, and now")
        self.link(at, 1, GAP, "#,##0.00", **RIGHT)
        pair = self.answer.main_pair()
        assert pair is not None
        self.link(at, 2, pair.scope.line("equivalent_difference"), "#,##0.00", **RIGHT)
        home = self.book.homes[line]
        formula = f'=IF(Checks!$C$4=1,{home.cell},"{RUN_AGAIN}")'
        linked = self.style(styles.LINKED, align="right")
        self.formula(at, 3, formula, home.values[0], linked)
        at = self._heads(
            at + 1,
            (
                "Input, from its low to its high",
                "Low",
                "High",
                "Gap at low",
                "Gap at high",
                "Swing",
                "Gap turns at",
                "Cheapest changes",
            ),
        )
        first = at
        right, money = (
            self.style(styles.FIXED, number, align="right") for number in ("", "#,##0.00")
        )
        for bar in found.bars:
            self.text(at, 0, _capital(fitted(bar.label, ROOM[0] - 2)))
            ends = (bar.low_text, bar.served_at_low), (bar.high_text, bar.served_at_high)
            for position, (text, served) in enumerate(ends, start=1):
                self.text(at, position, text if served else f"{text}, not served", right)
            for position, number in enumerate((bar.at_low, bar.at_high, bar.swing), start=3):
                self.page.write_number(at, position, number, money)
            self.text(at, 6, bar.flips_at or "none seen", right)
            changes = ", ".join(winner.value for winner in bar.winners)
            self.text(at, 7, changes or "none seen", right)
            at += 1
        return self._chart(at + 1, first, found)

    def _chart(self, at: int, first: int, found: Tornado) -> int:
        """A bar for each input, from the gap at one end to the gap at the other."""
        bars = found.bars[:DRAWN]
        grey = self.style(styles.NOTE)
        for position, text in enumerate(PIECES, start=FIRST_PIECE):
            self.text(first - 1, position, text, grey)
            self.page.set_column(position, position, 14)
        self.text(first - 2, FIRST_PIECE, "What the chart is drawn from", grey)
        drawn = [_pieces(bar, found.base) for bar in bars]
        for row, pieces in enumerate(drawn, start=first):
            for position, (size, _) in enumerate(pieces, start=FIRST_PIECE):
                self.page.write_number(row, position, size, self.style(styles.FIXED, "#,##0.00"))
        last = first + len(bars)
        chart = self.workbook.add_chart({"type": "bar", "subtype": "stacked"})
        for place in range(len(PIECES)):
            letter = column(FIRST_PIECE + place)
            series: dict[str, Any] = {
                "categories": f"=Sensitivity!$A${first + 1}:$A${last}",
                "values": f"=Sensitivity!${letter}${first + 1}:${letter}${last}",
                "gap": 40,
                "fill": {"none": True},
                "border": {"none": True},
            }
            if place:
                series["fill"] = {"color": LOW}
                series["points"] = [
                    {"fill": {"color": pieces[place][1]}, "border": {"none": True}}
                    for pieces in drawn
                ]
            chart.add_series(series)
        font = {"size": 9}
        title = f"Gap, {self._unit}: blue towards the low of an input, orange towards its high"
        chart.set_title({"name": title, "name_font": {"size": 10}, "overlay": False})
        chart.set_y_axis(
            {
                "reverse": True,
                "num_font": font,
                "label_position": "low",
                "major_gridlines": {"visible": False},
            }
        )
        chart.set_x_axis(
            {
                "num_font": font,
                "num_format": "#,##0",
                "label_position": "high",
                "major_gridlines": {"visible": True, "line": {"color": "#D9D9D9"}},
            }
        )
        chart.set_legend({"none": True})
        rows = 6 + 2 * len(bars)
        room = sum(int(width * 7 + 5) for width in ROOM)
        chart.set_size({"width": room, "height": rows * 20})
        where = {"object_position": 2, "description": "How far each input moves the gap"}
        self.page.insert_chart(at, 0, chart, where)
        return at + rows + 1

    def _simulation(self, at: int, found: Simulation | None) -> int:
        at = self.heading(at, f"How sure it is, {SOLVED_NOTE}", len(ROOM))
        if found is None or not found.varied:
            said = "No input has a low and a high: nothing is drawn from."
            self.text(at, 0, said, self.style(styles.NOTE))
            return at + 1
        said = f"{found.draws:,} draws, seed {found.seed}, {len(found.varied)} inputs varied"
        self.text(at, 0, said, self.style(styles.NOTE))
        money = f"NPV of cost, {self.result.currency}"
        at = self._heads(
            at + 1,
            (
                "Option",
                "Chance of cheapest",
                "95 %, from",
                "95 %, to",
                "Serves",
                "Expected regret",
                "P10",
                "P50",
                "P90",
            ),
        )
        self.text(at - 2, 6, money, self.style(styles.NOTE))
        share, amount = (
            self.style(styles.FIXED, number, align="right") for number in ("0.0%", "#,##0")
        )
        for one in found.options:
            self.text(at, 0, fitted(one.name, ROOM[0] - 2))
            shares = (one.chance, one.chance_low, one.chance_high, one.serves)
            amounts = (one.expected_regret, one.p10, one.p50, one.p90)
            for position, number in enumerate((*shares, *amounts), start=1):
                style = share if position <= len(shares) else amount
                if number is None:
                    self.text(at, position, "none", style)
                else:
                    self.page.write_number(at, position, number, style)
            at += 1
        if found.none_serves:
            self.text(at, 0, "No option serves the demand")
            self.page.write_number(at, 1, found.none_serves, share)
            at += 1
        return at


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _pieces(bar: Bar, base: float) -> list[tuple[float, str]]:
    """The pieces of a bar, stacked outwards from 0 on both sides, each with its colour.

    >>> from types import SimpleNamespace
    >>> bar = SimpleNamespace(at_low=-30.0, at_high=10.0)
    >>> [size for size, _ in _pieces(bar, -20.0)]
    [0.0, -20.0, -10.0, 0.0, 10.0]
    >>> bar = SimpleNamespace(at_low=-10.0, at_high=-50.0)
    >>> [size for size, _ in _pieces(bar, -20.0)]
    [-10.0, -10.0, -30.0, 0.0, 0.0]
    """
    ends = sorted([(bar.at_low, LOW), (bar.at_high, HIGH)])
    (left, left_colour), (right, right_colour) = ends
    middle = min(max(base, left), right)
    hidden = max(left, 0.0) + min(right, 0.0)
    below = [min(right, 0.0) - min(middle, 0.0), min(middle, 0.0) - min(left, 0.0)]
    above = [max(middle, 0.0) - max(left, 0.0), max(right, 0.0) - max(middle, 0.0)]
    return [
        (hidden, "#FFFFFF"),
        (0.0 - below[0], right_colour),
        (0.0 - below[1], left_colour),
        (above[0], left_colour),
        (above[1], right_colour),
    ]
