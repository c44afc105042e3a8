"""Worksheets that take a formula as it is printed."""

from __future__ import annotations

from xlsxwriter.worksheet import Worksheet


class PlainWorksheet(Worksheet):
    """A worksheet for formulas of Excel 2007 only.

    XlsxWriter looks through every formula for functions that came later and need a prefix, some
    thirty searches a cell, which is half of the time a workbook takes. No word of the model's
    vocabulary is one of them, and a test holds the list of functions that a workbook may use.
    """

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        return formula.removeprefix("=")
