"""Workbooks with what was found beyond the costs: break-evens, tornado, simulation."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from tco.analysis.findings import Findings
from tco.report.workbook import write_workbook
from tco.report.workbook.break_even_trials import Trials
from tco.results import run
from tests.parity.delivered import Delivered, Place
from tests.report.opened import Sheet

TRIALS = "Trials"
# no discounting, no power: ten months of a card at 500 against 10 million tokens a month at 10
PLAIN = """
name: plain
months: 10
discount_rate: {value: 0%, low: 0%, high: 20%, basis: assumed}
demand: {output_tokens: {value: 10 M, low: 4 M, high: 30 M, basis: assumed}}
staff: {hourly_cost: 50}
hardware:
  mine: {price: {value: 500, low: 400, high: 1500, basis: assumed}, tdp: 0 W, output_rate: 100}
options:
  own: {own: mine, count: 1, staff_hours_per_month: 0.1}
  api: {api: theirs, output_price: 10}
other_costs:
  - {name: rack, amount: 5, per: month, options: [own]}
"""


class Found(Delivered):
    """The workbook of a scenario and its findings; ``result`` holds the lines of the trials too."""

    def __init__(self, scenario: Path, folder: Path) -> None:
        self.scenario = scenario
        self.original = run(scenario)
        self.findings = Findings(self.original)
        self.trials = Trials(self.original, self.findings)
        self.result = self.trials.result
        self.path = folder / f"{scenario.stem}.xlsx"
        write_workbook(self.original, self.path, self.findings)

    @cached_property
    def places(self) -> list[Place]:
        """Every row that holds a line of the model or of a trial."""
        sheet = self.book.sheets.get(TRIALS)
        return [*super().places, *(self._places(sheet) if sheet else ())]

    def _scope(self, sheet: str, heading: str, current: str | None) -> str | None:
        # the notes of this sheet give the whole names of lines
        return "" if sheet == TRIALS else super()._scope(sheet, heading, current)


def row_of(sheet: Sheet, label: str, after: int = 0) -> int:
    """The row of a label, the first below another row."""
    return next(row for row in sorted(sheet.rows) if row > after and sheet.text(row, 1) == label)


def cells(sheet: Sheet, row: int) -> list[str | float | None]:
    """What stands in a row, from its label on."""
    return [cell.value for _, cell in sorted(sheet.rows[row].items())]
