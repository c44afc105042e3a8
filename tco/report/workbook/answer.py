"""The part of Comparison that the Summary shows: ranking, flips and the answer in words."""

from __future__ import annotations

from tco.engine.structure import Pair
from tco.report.workbook.break_even_forms import Flip
from tco.report.workbook.conventions import Conventions
from tco.report.workbook.flips import Flips
from tco.report.workbook.layout import Row
from tco.report.workbook.leasing import Lease, Leasing
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.paybacks import Paybacks
from tco.report.workbook.ranking import Ranking
from tco.report.workbook.rates import Rates
from tco.report.workbook.sensitivity_gap import GapPart, GapParts
from tco.report.workbook.sentences import Sentences
from tco.report.workbook.words import Term
from tco.results import Result
from tco.scenario.inputs import Input


class Answer:
    """Rows that look up and join what the options and comparisons give."""

    def __init__(self, result: Result) -> None:
        self._rows = Lookups(result)
        self.flips: list[Flip] = []
        self.gap_parts: list[GapPart] = []
        self.closed_forms: dict[str, list[Flip]] = {}
        self.checks: list[tuple[str, str]] = []
        self.solved: list[Input] = []
        self.rates_checks: list[tuple[str, str, str]] = []
        ranking = Ranking(self._rows)
        if result.model.has_demand:
            ranking.rank()
            flips = Flips(self._rows)
            self.flips, self.checks = flips.found, flips.checks
            self.closed_forms = flips.against
            parts = GapParts(self._rows)
            self.gap_parts = parts.found
            self.checks = [*self.checks, *parts.checks]
            Sentences(self._rows)
            Paybacks(self._rows)
            rates = Rates(self._rows)
            self.solved, self.rates_checks = rates.solved, rates.checks
        else:
            ranking.beside_printed_figures()
        self.leases: list[Lease] = Leasing(self._rows).found
        Conventions(self._rows)

    def blocks(self) -> list[tuple[str, list[Row]]]:
        """Headings and rows, in order."""
        return self._rows.blocks()

    def term(self, line: str) -> Term:
        """A scalar line of the model, an input or one of these rows, as a piece of a formula."""
        return self._rows.term(line)

    @property
    def is_plain(self) -> bool:
        """Whether the demand is one number of output tokens and one of input tokens."""
        return self._rows.is_plain()

    def main_pair(self) -> Pair | None:
        """The option that the answer is about against the baseline."""
        return self._rows.main_pair()
