"""Worksheets that take a formula as it is printed."""

from __future__ import annotations

from collections.abc import Iterable

from xlsxwriter.format import Format
from xlsxwriter.worksheet import CellFormulaTuple, Worksheet


class PlainWorksheet(Worksheet):  # type: ignore[misc]  # XlsxWriter ships no types
    """A worksheet for formulas of Excel 2007 only.

    XlsxWriter looks through every formula for functions that came later and need a prefix, some
    thirty searches a cell, which would be most of the time a workbook takes. No word of the model's
    vocabulary is one of them, and a test holds the list of functions that a workbook may use.
    """

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        return formula.removeprefix("=")

    def write_formulas(
        self, row: int, column: int, formulas: Iterable[tuple[str, float | str]], style: Format
    ) -> None:
        """Write formulas with their values into the cells of a row, from a column on."""
        for formula, value in formulas:
            self.table[row][column] = CellFormulaTuple(formula.removeprefix("="), style, value)
            self._check_dimensions(row, column)
            column += 1
