"""Months of payback as the Summary shows them: a number, or the word never."""

from __future__ import annotations

from tco.engine.structure import Pair
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.words import Term

NEVER = "never"
MONTHS = {
    "break_even_month_first": "Payback month, the first",
    "break_even_month": "Payback month, for good",
    "discounted_payback_month": "Payback month, discounted",
    "payback_month_without_resale": "Payback month, sales of hardware apart",
}


class Paybacks:
    """Rows of the option that the answer is about against the baseline."""

    def __init__(self, rows: Lookups) -> None:
        self.rows = rows
        rows.begin("Payback in months or words")
        pair = rows.main_pair()
        if pair is not None:
            self._months(pair)

    def _months(self, pair: Pair) -> None:
        months = self.rows.term("operating_months")
        for name, label in MONTHS.items():
            if name not in pair.scope.functions:
                continue
            month = self.rows.term(pair.scope.line(name))
            reached = month.number <= months.number
            formula = f'IF({month.formula}<={months.formula},{month.formula},"{NEVER}")'
            self.rows.add(name, label, "month", Term(formula, month.value if reached else NEVER))
        if "payback_crossings" in pair.scope.functions:
            taken = self.rows.term(pair.scope.line("payback_crossings"))
            self.rows.add("payback_crossings", "How often the lead is taken", "count", taken)
