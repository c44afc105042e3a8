"""The Summary: the answer on one page."""

from __future__ import annotations

from typing import Any

import tco
from tco.analysis.answer import counting, write_answer
from tco.analysis.closeness import TOO_CLOSE
from tco.analysis.marks import marks
from tco.analysis.staleness import in_short
from tco.analysis.summary import NOT_COUNTED, not_given
from tco.analysis.uncertainty import sentence
from tco.engine.structure import Pair
from tco.report.columns import width, wrap
from tco.report.workbook import styles
from tco.report.workbook.chart import Chart
from tco.report.workbook.fiscal import FiscalYears
from tco.report.workbook.inputs import cases_of, names_of_cases
from tco.report.workbook.page import A4, Desk, Page
from tco.report.workbook.rates import RATE
from tco.report.workbook.styles import number_format
from tco.report.workbook.texts import fitted, lines_of
from tco.results import INCOMPLETE
from tco.scenario.inputs import LIVE

MARKS = {
    "M": "M another model than the baseline's",
    "?": "? throughput not given, capacity not checked",
    "P": "P throughput of cards together not measured",
    "~": "~ one printed number read in two currencies",
    "*": "* rests on an assumed number of its own",
}
MOST_ROWS, MOST_LEFT_OUT, MOST_LEASES, MOST_TURNING = 12, 2, 4, 2  # lines
FONT = 11
# A4 upright, in points: at this scale, or a larger one, no text is printed smaller than 8 points.
# Widths are counted in digits of the default font; a wider one than Calibri, where there is no
# Calibri, makes wider columns, so that what fits a page is less than Calibri alone would allow.
SCALE = 8.1 / FONT
MARGINS = {"left": 0.25, "right": 0.25, "top": 0.3, "bottom": 0.45}
HEIGHT = (842 - (MARGINS["top"] + MARGINS["bottom"]) * 72) / SCALE
NAME, NUMBER, LAST = 37, 9, 10
LINE, LINE_OF_CHINESE = 13.8, 15.6
LEAST_CHART, MOST_CHART = 8, 30
LONGEST = 116
# a number that is wider than its column is printed smaller, never as ###
RIGHT = {"align": "right", "shrink": True}
FOOTER = "the blue cells on Inputs"
SHORTEST_BY_YEAR = 12  # months up to which one year is all there is


class SummaryPage(Page):
    """One upright page: answer, options, fiscal years, flips, what it rests on and a chart.

    Blocks follow one another, so that the chart has what is left of the page.
    """

    def __init__(self, desk: Desk, page: Any) -> None:
        super().__init__(desk, page)
        self.at = 0
        self.used = 0.0
        self.note = self.style(styles.NOTE, font_size=FONT)
        self.right = self.style(styles.NOTE, font_size=FONT, align="right")

    def write(self) -> None:
        """Write the page."""
        self.open(fitted(self.result.scenario.name, 64), (0, 7), paper=A4, check_width=2)
        self.page.set_portrait()
        self.page.fit_to_pages(1, 1)
        self.page.set_margins(**MARGINS)
        size = f"&{FONT}"  # it is scaled with the page
        changed = f"the case and {FOOTER}" if self.result.scenario.in_cases else FOOTER
        said = f"change only {changed}"
        footer = f"&L{size}&F   {self.digest}&C{size}Page &P of &N&R{size}{said}"
        self.page.set_footer(footer)
        self.page.center_horizontally()
        self.page.set_column(0, 0, NAME)
        self.page.set_column(1, 7, NUMBER)
        self.page.set_column(7, 7, LAST)
        self.page.freeze_panes(4, 1)
        self.page.repeat_rows(0, 0)
        self._title()
        self._words()
        self._table()
        pair = self.answer.main_pair()
        if pair is not None:
            self._by_year(pair)
            self._payback(pair)
        self._leases()
        if self.result.model.has_demand:
            self._flips()
        self._rests_on()
        left = int((HEIGHT - self.used) / LINE)
        rows = min(max(left, LEAST_CHART), MOST_CHART) - 1
        columns = (NAME, *(NUMBER,) * 6, LAST)
        room = sum(int(width * 7 + 5) for width in columns)
        Chart(self.desk, self.page).write(self.at, room, rows * int(LINE * 4 / 3))
        for row in range(self.at, self.at + rows + 1):
            self.page.set_row(row, LINE)
        self.page.print_area(0, 0, self.at + rows, 7)

    def _row(self, height: float = LINE) -> int:
        """The next row, with its height in points."""
        row = self.at
        self.page.set_row(row, height)
        self.at += 1
        self.used += height
        return row

    def _title(self) -> None:
        scenario = self.result.scenario
        self._row(20)
        row = self._row(LINE_OF_CHINESE)
        self.text(row, 0, fitted(scenario.question or "What does each option cost?", 88))
        self.text(row, 7, f"{self.digest}  tco {tco.__version__}", self.right)
        row = self._row()
        file = scenario.path.replace(chr(92), "/").rpartition("/")[2]
        said = f"Scenario file: {fitted(file, 60)}"
        if scenario.in_cases:
            self._case(row)
        else:
            self.text(row, 0, said, self.note)
        linked = self.style(styles.LINKED, align="right")
        self.formula(row, 7, "=Checks!$D$4", "inputs as delivered", linked)
        self.link(self._row(), 0, "answer/basis")
        self.link(self._row(), 0, "answer/counting")
        if scenario.in_cases:
            self.text(self._row(), 0, said, self.note)
        if self.result.model.has_demand and not self.answer.is_plain:
            self._delivered(counting(self.result), self.note)

    def _case(self, row: int) -> None:
        """The case that every sheet follows, chosen from the names on Inputs."""
        found = cases_of(self.desk)
        assert found is not None
        self.text(
            row, 0, "Case: choose one, every sheet follows", self.style(styles.TEXT, bold=True)
        )
        # a text whatever is chosen, and room for a long name
        look = self.style(styles.INPUT, "@", border=0)
        self.text(row, 1, found.cases[0].name, look)
        for position in range(2, 5):
            self.page.write_blank(row, position, None, look)
        self.page.data_validation(
            row,
            1,
            row,
            1,
            {
                "validate": "list",
                "source": f"=Inputs!{names_of_cases(found)}",
                "ignore_blank": False,
                "error_title": "No such case",
                "error_message": "Choose a name of the list: the cases stand on Inputs.",
            },
        )

    def _delivered(self, text: str, style: Any) -> None:
        """A text that is solved or told of the scenario: it does not follow changed inputs."""
        for line in wrap(f"As delivered: {text}", places=LONGEST):
            self.text(self._row(), 0, line, style)

    def _words(self) -> None:
        focus, base = self.result.focus, self.result.baseline
        asked = f": {fitted(focus, 40)} against {fitted(str(base), 40)}" if focus and base else ""
        self._band(f"ANSWER{asked}")
        if not self.result.model.has_demand:
            said = "Costs of ownership per option, beside printed figures where there are any."
            self.text(self._row(), 0, said)
        findings = self.desk.findings
        told = write_answer(self.result, findings)
        for said in told.verdict:
            if said.startswith(TOO_CLOSE):
                self._delivered(said, self.style(styles.TEXT, bold=True))
        chance = sentence(self.result, findings.simulation) if findings is not None else None
        for name in ("line_1", "line_2", "line_3", "only_if", "and_if"):
            if f"answer/{name}" in self.book.homes:
                self.link(self._row(), 0, f"answer/{name}", bold=name.startswith("line"))
        for more in (*told.turning[:MOST_TURNING], chance):
            if more is not None:
                self._delivered(more, self.style(styles.TEXT))

    def _band(self, text: str) -> int:
        row = self._row(LINE_OF_CHINESE)
        for position in range(8):
            self.page.write_blank(row, position, None, self.style(styles.HEADING))
        self.text(row, 0, text, self.style(styles.HEADING))
        return row

    def _table(self) -> None:
        demand = self.result.model.has_demand
        months = f"Cash {self.months} months"
        heads = (
            (
                "Option",
                "Up-front cash",
                "Cash a month, running",
                months,
                "NPV of cost",
                "Equiv. a month",
                f"Cost per {self.result.model.counted.lot}",
                "A month, less baseline",
            )
            if demand
            else (
                "Option",
                "Up-front cash",
                "Cash a month, running",
                months,
                "Equiv. a month",
                "Cash a month, mean",
                "Printed a month",
                "Calculated less printed",
            )
        )
        head = self._row(3 * LINE)
        for position, text in enumerate(heads):
            align = {} if position == 0 else {"align": "right"}
            self.text(head, position, text, self.style(styles.HEADER, **align))
        shown, left = self._shown()
        wrapped = self.style(styles.TEXT, text_wrap=True, valign="top")
        for option in shown:
            name = f"{option.name}  {marks(self.result, option.name)}".rstrip()
            line = LINE if name.isascii() else LINE_OF_CHINESE
            at = self._row(line * max(1, -(-width(name) // (NAME - 2))))
            self.text(at, 0, name, wrapped)
            if option.missing is not None:
                reason = f"{option.missing.what}: add {option.missing.add}"
                self.text(at, 1, fitted(reason, 72), self.style(styles.NOTE, font_size=FONT))
                continue
            n = option.number
            lines = [
                (option.line("upfront_cost"), "#,##0"),
                (option.line("running_cost_per_month"), ""),
                (option.line("total_cost"), "#,##0"),
            ]
            lines += (
                [
                    (option.line("npv_of_cost"), "#,##0"),
                    (f"answer/ranked/{n}", ""),
                    (f"answer/per_mtok/{n}", self._unit_price()),
                    (f"answer/difference/{n}", "+#,##0.00;-#,##0.00;0.00"),
                ]
                if demand
                else [
                    (option.line("equivalent_monthly_cost"), ""),
                    (f"answer/cost/{n}", ""),
                    (f"answer/printed/{n}", ""),
                    (f"answer/difference/{n}", "+#,##0.00;-#,##0.00;0.00"),
                ]
            )
            for position, (line, number) in enumerate(lines, start=1):
                self.link(at, position, line, number, **RIGHT, valign="top")
        legend = [
            text
            for mark, text in MARKS.items()
            if any(mark in marks(self.result, option.name) for option in shown)
        ]
        if left:
            legend.insert(0, f"{left} more on their own sheets")
        for said in lines_of(legend or [self._order()], LONGEST):
            self.text(self._row(), 0, said, self.note)

    def _order(self) -> str:
        ranked = self.result.model.has_demand
        return "cheapest first, as delivered" if ranked else "in the order of the scenario"

    def _shown(self) -> tuple[list[Any], int]:
        """The options of the table, the baseline always among them, and how many are left out."""
        ranked = self.result.ranked
        kept = ranked[:MOST_ROWS]
        base = self.result.baseline
        if base is not None and all(option.name != base for option in kept):
            kept = [*ranked[: MOST_ROWS - 1], self.result.option(base)]
        return kept, len(ranked) - len(kept)

    def _unit_price(self) -> str:
        """The format of a levelised cost: that of a small thing, such as an image, is small."""
        return "#,##0.00" if self.result.model.counted.lot == "Mtok" else "#,##0.0000"

    def _left_out(self) -> list[str]:
        bound = self.result.model.demand
        flat = bound is not None and bound.curve is None
        peaks = ["peaks within a month"] if flat else []
        return [*NOT_COUNTED, *peaks, *not_given(self.result)]

    def _by_year(self, pair: Pair) -> None:
        """What the option brings and takes against the baseline, by fiscal year."""
        if self.months <= SHORTEST_BY_YEAR:
            return
        years = FiscalYears(self.book, self.periods, pair)
        heads = ["Less the baseline, + is money in", *years.heads]
        row = self._band("")
        for position, text in enumerate(heads):
            align = {"align": "right"} if position else {}
            self.text(row, position, text, self.style(styles.HEADING, **align))
        total = len(heads)
        self.text(row, total, "Total", self.style(styles.HEADING, align="right"))
        money = self.style(styles.LINKED, "#,##0", **RIGHT)
        for shown in years.rows():
            row = self._row()
            self.text(row, 0, shown.label)
            for position, (formula, value) in enumerate(shown.cells, start=1):
                self.formula(row, position, formula, value, money)
            if shown.total:
                self.formula(row, total, *shown.total, money)

    def _payback(self, pair: Pair) -> None:
        """Peak funding, payback and internal rate, two rows."""
        row = self._row()
        if "answer/peak_funding_need" in self.book.homes:
            self.text(row, 0, "Peak funding beyond baseline, its month")
            self.link(row, 1, "answer/peak_funding_need", "#,##0", **RIGHT)
            self.link(row, 2, "answer/peak_funding_month", '"month "0', **RIGHT)
        label = self.style(styles.TEXT, indent=1)
        self.text(row, 4, "Internal rate of return a year", label)
        home = self.book.homes[f"answer/irr/{pair.number}/{RATE}"]
        rate = self.style(styles.LINKED, "0.0%", **RIGHT)
        formula = f'=IF(Checks!$C$4=1,{home.cell},"run again")'
        self.formula(row, 7, formula, home.values[0], rate)
        row = self._row()
        self.text(row, 0, "Payback: first, for good, times taken")
        names = ("break_even_month_first", "break_even_month", "payback_crossings")
        for position, name in enumerate(names, start=1):
            self.link(row, position, f"answer/{name}", "0", **RIGHT)
        if "answer/discounted_payback_month" in self.book.homes:
            self.text(row, 4, "Payback month, discounted", label)
            self.link(row, 7, "answer/discounted_payback_month", "0", **RIGHT)

    def _leases(self) -> None:
        """What each lease is worth, as far as there is room."""
        for lease in self.answer.leases[:MOST_LEASES]:
            row = self._row()
            self.text(row, 0, fitted(f"Lease or buy: {lease.option}", NAME - 2))
            self.link(row, 1, lease.worth, "+#,##0;-#,##0;0", **RIGHT)
            self.link(row, 2, lease.word, align="right", bold=True)
            after = " after tax" if self.result.scenario.tax else ""
            said = f"worth of leasing, at the borrowing rate{after}"
            self.text(row, 3, said, self.style(styles.NOTE, font_size=FONT, indent=1))

    def _rests_on(self) -> None:
        self._band("What it rests on")
        given = [i for i in self.result.model.numbers if i.kind == LIVE]
        kinds = ("measured", "quoted", "published", "assumed", "not stated", "known", "default")
        numbers = {kind: sum(i.basis == kind for i in given) for kind in kinds}
        counted = ", ".join(
            f"{number} {kind}" for kind, number in numbers.items() if number or kind == "measured"
        )
        assumed = [i.label for i in given if i.basis == "assumed"]
        not_costed = sum(status == INCOMPLETE for status in self.result.status.values())
        lines = [
            f"Inputs by basis: {counted}.",
            *in_short(self.result),
            f"Assumed: {'; '.join(assumed) or 'nothing'}.",
            "Costs are positive. Month 0 is the decision, running costs fall at the end of 1 to "
            f"{self.months}. Every number is a link.",
        ]
        if not_costed:
            all_options = len(self.result.status)
            lines.insert(1, f"{not_costed} of {all_options} options lack a number: not costed.")
        first, *others = self._left_out()
        pieces = [f"{piece}," for piece in (f"Left out: {first}", *others)]
        left_out = lines_of([*pieces[:-1], pieces[-1].removesuffix(",")], LONGEST, gap=" ")
        for text in [*lines_of(lines, LONGEST), *left_out[:MOST_LEFT_OUT]]:
            self.text(self._row(), 0, text, self.note)

    def _flips(self) -> None:
        heads = ("Where it flips", "Used", "Flips at", "Margin", "Live", "Check", "Unit", "")
        head = self._row()
        for position, text in enumerate(heads):
            align = {"indent": 1} if position == 6 else {"align": "right"} if position else {}
            self.text(head, position, text, self.style(styles.HEADING, **align))
        for flip in self.answer.flips:
            at = self._row()
            self.text(at, 0, flip.what)
            if flip.reason:
                self.text(at, 1, flip.reason, self.note)
                continue
            number = number_format(flip.unit)
            self.link(at, 1, flip.lines["used"], number, **RIGHT)
            self.link(at, 2, flip.lines["flip"], number, **RIGHT)
            self.link(at, 3, flip.lines["headroom"], "+0%;-0%;0%", **RIGHT)
            self.text(at, 4, "L", self.right)
            self.link(at, 5, flip.lines["check"], align="right")
            self.text(at, 6, flip.unit, self.style(styles.NOTE, font_size=FONT, indent=1))
