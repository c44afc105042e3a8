"""Calculation sheets: one row a line, one column a month."""

from __future__ import annotations

from tco.engine import tracing
from tco.report.columns import width
from tco.report.workbook import styles
from tco.report.workbook.layout import (
    CALL_UP,
    CONSTANT,
    HEADING,
    LABEL,
    MONTH_0,
    NOTE,
    OPENING,
    TOTAL,
    UNIT,
    Row,
    Sheet,
    column,
    in_month,
)
from tco.report.workbook.page import Page
from tco.report.workbook.styles import number_format
from tco.report.workbook.texts import fitted

LABEL_ROOM = 84


class CalculationPage(Page):
    """Timeline, an option, or Comparison."""

    def write(self, sheet: Sheet) -> None:
        """Write all its rows."""
        self.open(sheet.title, (0, NOTE))
        self.page.freeze_panes(4, 1)
        self.page.repeat_rows(0, 3)
        self.page.repeat_columns(0, UNIT)
        label = max(width(row.label) for row in sheet.rows if row.kind != HEADING)
        widths = {
            LABEL: min(LABEL_ROOM, 2 + label),
            UNIT: 18,
            NOTE: 46,
            CONSTANT: self._room(sheet, False),
            TOTAL: 16,
            OPENING: 9,
        }
        for position, room in widths.items():
            self.page.set_column(position, position, room)
        self.page.set_column(MONTH_0, MONTH_0 + self.months, self._room(sheet, True))
        self._time_header()
        for row in sheet.rows:
            self._row(row)

    def _room(self, sheet: Sheet, monthly: bool) -> int:
        """The width of the month columns, or of the constants, for the largest number there."""
        rows = [row for row in sheet.rows if (row.shape == tracing.MONTHS) == monthly]
        numbers = [abs(x) for row in rows for x in row.values if not isinstance(x, str)]
        return max(11, len(f"{max(numbers, default=0.0):,.2f}") + 1)

    def _time_header(self) -> None:
        header = self.style(styles.HEADER)
        right = self.style(styles.HEADER, align="right")
        for position, text in (
            (LABEL, "Line"),
            (UNIT, "Unit"),
            (NOTE, "How it is computed"),
            (CONSTANT, "Constant"),
            (TOTAL, "Total"),
            (OPENING, "Opening"),
        ):
            self.text(3, position, text, header if position < CONSTANT else right)
        for month in range(self.months + 1):
            self.text(3, MONTH_0 + month, f"month {month}", right)
            if self.result.scenario.start:
                when = _calendar_month(self.result.scenario.start, month)
                self.text(2, MONTH_0 + month, when, self.style(styles.NOTE, align="right"))

    def _row(self, row: Row) -> None:
        at = row.number - 1
        if row.kind == HEADING:
            for position in range(MONTH_0):
                self.page.write_blank(at, position, None, self.style(styles.HEADING))
            self.text(at, LABEL, row.label, self.style(styles.HEADING))
            return
        self.text(at, LABEL, row.label)
        self.text(at, UNIT, row.unit, self.style(styles.NOTE))
        if row.note:
            self.text(at, NOTE, fitted(row.note, 54), self.style(styles.NOTE))
        number = number_format(row.unit)
        kind = styles.LINKED if row.kind == CALL_UP else styles.COMPUTED
        style = self.style(kind, number)
        if row.shape != tracing.MONTHS:
            # a word stands where a number would; a text has the room of the empty months
            word = isinstance(row.values[0], str) and row.unit != "text"
            aligned = self.style(kind, number, align="right") if word else style
            self.formula(at, CONSTANT, row.formula, row.values[0], aligned)
            return
        formulas = ((in_month(row.formula, m), value) for m, value in enumerate(row.values))
        self.page.write_formulas(at, MONTH_0, formulas, style)
        if row.adds_up:
            first, last = column(MONTH_0), column(MONTH_0 + self.months)
            total = sum(value for value in row.values if not isinstance(value, str))
            formula = f"=SUM(${first}{row.number}:${last}{row.number})"
            self.formula(at, TOTAL, formula, total, self.style(styles.COMPUTED, number))


def _calendar_month(start: str, month: int) -> str:
    """The calendar month of a month of operation; month 0 shares that of month 1.

    >>> _calendar_month("2026-12", 0), _calendar_month("2026-12", 2)
    ('2026-12', '2027-01')
    """
    year, first = (int(part) for part in start.split("-"))
    passed = first - 1 + max(month - 1, 0)
    return f"{year + passed // 12:04d}-{passed % 12 + 1:02d}"
