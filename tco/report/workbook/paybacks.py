"""Payback and funding as the Summary shows them: a number, or the word never or none."""

from __future__ import annotations

from tco.engine.structure import Pair
from tco.report.workbook import words
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.words import Term

NEVER, NONE = "never", "none"
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
        self._funding(pair)
        if "payback_crossings" in pair.scope.functions:
            taken = self.rows.term(pair.scope.line("payback_crossings"))
            self.rows.add("payback_crossings", "How often the lead is taken", "count", taken)

    def _funding(self, pair: Pair) -> None:
        """The most cash that it takes beyond the baseline, and when; a word where it takes none."""
        if "peak_funding_need" not in pair.scope.functions:
            return
        need, month = (
            self.rows.term(pair.scope.line(name))
            for name in ("peak_funding_need", "peak_funding_month")
        )
        some = words.above_zero(need)
        label = "Peak funding need against the baseline"
        unit = self.rows.currency
        self.rows.add("peak_funding_need", label, unit, words.chosen(some, need, NONE))
        self.rows.add(
            "peak_funding_month", f"{label}, its month", "month", words.chosen(some, month, NONE)
        )
