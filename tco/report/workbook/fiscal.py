"""The chosen option less the baseline by fiscal year, as the Summary shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tco.engine.structure import BoundOption, Pair
from tco.report.workbook.layout import Book, Row, Sheet, Value, column
from tco.report.workbook.periods import Periods

MOST_YEARS = 6
# what a row shows, of which line, and its sign: all are shown as money that comes in or is earned
ROWS = (
    ("Operating cash, purchases included", "operating_cash_flow", 1),
    ("   of which purchases", "capex", -1),
    ("Tax", "tax_cash_flow", 1),
    ("Loans and leases", "financing_cash_flow", 1),
    ("Tax saved by loans and leases", "financing_tax_cash_flow", 1),
    ("Net cash", "net_cash_flow", 1),
    ("Cumulative net cash", "cumulative_net_cash_flow", 1),
    ("Profit before tax", "pretax_cost", -1),
    ("EBITDA", "ebitda_effect", 1),
)


@dataclass(frozen=True)
class FiscalRow:
    """One row: what it is, and a formula with its value for each column and for the total.

    A balance has no total.
    """

    label: str
    cells: tuple[tuple[str, Value], ...]
    total: tuple[str, Value] | None


class FiscalYears:
    """The columns and rows of a pair: up to six years, then the rest as one."""

    def __init__(self, book: Book, periods: Periods, pair: Pair) -> None:
        self.book = book
        self.periods = periods
        self.pair = pair
        years = periods.years
        self.groups = [[position] for position in years.columns]
        self.heads = list(years.names)
        if len(self.groups) > MOST_YEARS:
            kept = MOST_YEARS - 1
            self.heads = [*self.heads[:kept], f"{self.heads[kept]} on"]
            self.groups = [*self.groups[:kept], list(years.columns[kept:])]

    def rows(self) -> Iterator[FiscalRow]:
        """The rows that either side has."""
        for label, name, sign in ROWS:
            sides = list(self._sides(name, sign))
            if not sides:
                continue
            adds_up = sides[0][1].adds_up
            cells = tuple(self._cell(sides, group, adds_up) for group in self.groups)
            yield FiscalRow(label, cells, self._total(sides) if adds_up else None)

    def _sides(self, name: str, sign: int) -> Iterator[tuple[Sheet, Row, int]]:
        """The statements that hold a line, the one to be taken off last."""
        sides = [(self.pair.this, sign), (self.pair.other, -sign)]
        for option, side_sign in sorted(sides, key=lambda side: -side[1]):
            found = self._row(option, name)
            if found:
                yield *found, side_sign

    def _row(self, option: BoundOption, name: str) -> tuple[Sheet, Row] | None:
        sheet = next(s for s in self.book.sheets if s.name == f"Statement_{option.number}")
        found = option.scope.find(name) if option.scope else None
        row = sheet.positions.get(found) if isinstance(found, str) else None
        return (sheet, row) if row else None

    def _cell(
        self, sides: list[tuple[Sheet, Row, int]], group: list[int], adds_up: bool
    ) -> tuple[str, Value]:
        """The formula and value of some fiscal years together."""
        of = self.book.result.months(self.periods.years.line)
        formula, value = "=", 0.0
        first = self.periods.years.first
        for sheet, row, sign in sides:
            shown = group if adds_up else group[-1:]
            ends = [f"{column(position)}{row.number}" for position in (shown[0], shown[-1])]
            cells = f"{sheet.name}!{ends[0]}"
            if len(shown) > 1:
                cells = f"SUM({cells}:{ends[1]})"
            formula += f"{'-' if sign < 0 else '+' if formula != '=' else ''}{cells}"
            values = [float(x) for x in row.values]
            group_of = self.periods.years
            years = group_of.sums(values, of) if adds_up else group_of.last(values, of)
            value += sign * sum(years[position - first] for position in shown)
        return formula, value

    def _total(self, sides: list[tuple[Sheet, Row, int]]) -> tuple[str, Value]:
        formula, value = "=", 0.0
        for sheet, row, sign in sides:
            cell = f"{sheet.name}!{column(self.periods.total)}{row.number}"
            formula += f"{'-' if sign < 0 else '+' if formula != '=' else ''}{cell}"
            value += sign * sum(float(x) for x in row.values)
        return formula, value
