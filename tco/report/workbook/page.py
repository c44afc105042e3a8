"""What all sheets share: looks, the printed page, the master check, texts and links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tco.report.workbook import styles
from tco.report.workbook.answer import Answer
from tco.report.workbook.break_even_trials import Trials
from tco.report.workbook.layout import Book, Value, column
from tco.report.workbook.periods import Periods
from tco.report.workbook.styles import Styles, number_format
from tco.report.workbook.texts import cell_text
from tco.results import Result

if TYPE_CHECKING:
    from tco.analysis.findings import Findings

PASS, FAIL = "ALL CHECKS PASS", "CHECKS FAIL"
FIXED_NOTE = "fixed in this workbook: change the scenario and run again"
A4, A3 = 9, 8


@dataclass(frozen=True)
class Desk:
    """What every sheet is written with; ``verdict`` is what the master check says as delivered.

    ``findings`` are what was found beyond the costs, None where nothing was.
    """

    workbook: Any
    result: Result
    book: Book
    answer: Answer
    periods: Periods
    style: Styles
    verdict: str
    trials: Trials
    findings: Findings | None


class Page:
    """One sheet while it is written."""

    def __init__(self, desk: Desk, page: Any) -> None:
        self.desk = desk
        self.page = page
        self.workbook = desk.workbook
        self.result = desk.result
        self.book = desk.book
        self.answer = desk.answer
        self.periods = desk.periods
        self.style = desk.style
        self.verdict = desk.verdict
        self.months = desk.result.scenario.months
        self.digest = desk.result.scenario.digest[:8]

    def open(
        self, title: str, check: tuple[int, int], *, paper: int = A3, check_width: int = 1
    ) -> None:
        """Set up the page, with its title and the master check, which may run to the left."""
        self.text(0, 0, title, self.style(styles.TITLE))
        self.page.set_landscape()
        self.page.set_paper(paper)
        self.page.fit_to_pages(1, 0)
        self.page.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
        self.page.hide_gridlines(2)
        self.page.set_footer(
            f"&L&8&F   {self.digest}&C&8Page &P of &N"
            "&R&8Blue cells on Inputs may be changed; options and months need the scenario file"
        )
        if self.page.get_name() != "Checks":
            self.formula(
                *check,
                "=Checks!$D$3",
                self.verdict,
                self.style(styles.LINKED, bold=True, align="right"),
            )
        self._colour(*check, check_width)

    def _colour(self, row: int, col: int, columns: int) -> None:
        for word, ink, fill in ((PASS, "#006100", "#C6EFCE"), (FAIL, "#9C0006", "#FFC7CE")):
            self.page.conditional_format(
                row,
                col - columns + 1,
                row,
                col,
                {
                    "type": "formula",
                    "criteria": f'=${column(col)}${row + 1}="{word}"',
                    "format": self.workbook.add_format({"font_color": ink, "bg_color": fill}),
                },
            )

    def text(self, row: int, col: int, text: str, style: Any = None) -> None:
        """Write a text; it stays one, whatever it begins with."""
        self.page.write_string(row, col, cell_text(text), style)

    def formula(self, row: int, col: int, formula: str, value: Value, style: Any) -> None:
        """Write a formula with its value as delivered."""
        self.page.write_formula(row, col, formula, style, value)

    def link(self, row: int, col: int, line: str, number: str = "", **more: Any) -> None:
        """Show the number or text of a line, brought from its sheet."""
        if line not in self.book.homes:
            return
        home = self.book.homes[line]
        style = self.style(styles.LINKED, number or number_format(home.unit), **more)
        self.formula(row, col, f"={home.cell}", home.values[0], style)

    def heading(self, at: int, text: str, columns: int) -> int:
        """Write a heading across some columns; gives the next row."""
        for position in range(columns):
            self.page.write_blank(at, position, None, self.style(styles.HEADING))
        self.text(at, 0, text, self.style(styles.HEADING))
        return at + 1
