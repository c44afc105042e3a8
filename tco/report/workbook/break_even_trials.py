"""Solved break-evens put back into the model, live: the sheet Trials.

What has no closed form is solved by the engine and stands on Inputs, fixed. Here the lines that
follow from it are written once more, with the solved value in place of the input; the saving is 0
there, or changes its sign between two neighbouring values where the cost leaps. Both hold for the
inputs as delivered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tco.analysis.what_if import WhatIf
from tco.engine.trials import Trial, add_trial
from tco.report.workbook import words
from tco.report.workbook.layout import Book, Row
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.words import Term
from tco.results import Result, evaluate
from tco.scenario.inputs import SOLVED, Input
from tco.units import MoneyPerMonth, unit_of

if TYPE_CHECKING:
    from tco.analysis.break_even import BreakEven, Crossing
    from tco.analysis.findings import Findings

MOST = 6  # break-evens that are put back
# where both sides of a leap are tried: this share of the value below and above it
BESIDE = 1e-9
TIE = 1e-9  # of the costs, the tolerance of the model
CLOSED = {
    "tokens": "break_even_volume",
    "hardware-price": "break_even_hardware_price",
    "token-price": "break_even_output_price",
    "rental-price": "break_even_rental_price",
    "staff-hours": "break_even_staff_hours",
}
GAP = "delivered_gap"
SIDES = ("just below", "just above")


@dataclass(frozen=True)
class Tried:
    """A break-even that is put back: where it crosses, and the rows that the page shows."""

    number: int
    found: BreakEven
    crossing: Crossing
    trials: tuple[Trial, ...]
    sides: tuple[str, ...]

    @property
    def leaps(self) -> bool:
        """Whether the saving leaps over 0, so that a value on either side is tried."""
        return len(self.trials) > 1

    def row(self, name: str) -> str:
        """One of its rows: ``saving`` or ``check``, ``word``."""
        return f"answer/trial/{self.number}/{name}"


class Trials:
    """The break-evens of a result that are put back; ``result`` is the same with their lines.

    ``checks`` are what is checked, the option, the row and its value, 0 as long as the inputs are
    as delivered.
    """

    def __init__(self, result: Result, findings: Findings | None) -> None:
        self.result = result
        self.delivered_gap: float | None = None
        if findings is not None and findings.tornado is not None:
            self._deliver(findings.tornado.base)
        self.tried: list[Tried] = []
        self.checks: list[tuple[str, str, str, float]] = []
        self._try(findings.flips if findings is not None else ())

    def _try(self, found: Sequence[BreakEven]) -> None:
        """Put back those that cross, the ones without a closed form before the others."""
        result, model = self.result, self.result.model
        crossing = [f for f in found if f.crossings and self._can_be_tried(f)]
        crossing.sort(key=self._has_closed_form)
        for number, break_even in enumerate(crossing[:MOST], start=1):
            at = break_even.nearest
            assert at is not None
            values = _values(result, break_even, at)
            sides = [""] if len(values) == 1 else [f", {side}" for side in SIDES]
            wanted = [result.option(o).line("npv_of_cost") for o in _options(break_even)]
            trials = []
            for place, (value, side) in enumerate(zip(values, sides, strict=True)):
                which = f"{number}{'ab'[place]}" if side else f"{number}"
                given = self._inputs(break_even, value, which, f"break-even {number}{side}")
                model, trial = add_trial(model, f"x{which}", given, wanted)
                trials.append(trial)
            self.tried.append(Tried(number, break_even, at, tuple(trials), tuple(sides)))
        if self.tried:
            self.result = replace(result, model=model, arrays=evaluate(model, known=result.arrays))

    def _deliver(self, gap: float) -> None:
        """Put the gap of the tornado among the inputs that are fixed."""
        unit = unit_of(MoneyPerMonth)
        self.delivered_gap = float(f"{gap:.15g}")
        given = Input(
            GAP,
            "Gap to the baseline that the tornado starts from",
            (self.delivered_gap,),
            unit,
            unit.text(self.result.currency),
            f"{self.result.focus} less {self.result.baseline}",
            kind=SOLVED,
            why_default="found for the inputs as delivered; the check says where it is not",
        )
        model = self.result.model
        self.result = replace(
            self.result, model=replace(model, inputs={**model.inputs, GAP: given})
        )

    def _can_be_tried(self, found: BreakEven) -> bool:
        """Whether its inputs are numbers of their own, no rows of a table."""
        inputs = self.result.model.inputs
        return all(name in inputs and not inputs[name].table for name in found.axis.names)

    def _has_closed_form(self, found: BreakEven) -> bool:
        pair = self.result.pair(found.this, found.other)
        return pair is not None and CLOSED.get(found.axis.word, "") in pair.scope.functions

    def _inputs(
        self, found: BreakEven, value: float, which: str, where: str
    ) -> Mapping[str, Input]:
        """What the inputs of the axis are at a value, as inputs of their own."""
        tried = {}
        for place, (changed, values) in enumerate(found.axis.values(value).items(), start=1):
            given = self.result.model.inputs[changed]
            number = float(np.ravel(values)[0])
            tried[changed] = replace(
                given,
                name=f"trial_{which}" if len(found.axis.names) == 1 else f"trial_{which}_{place}",
                label=f"{given.label}, {where}",
                values=(float(f"{number:.15g}"),),
                kind=SOLVED,
                quantity=None,
                known=False,
                why_default="solved for the inputs as delivered; the check says where it is none",
            )
        return tried

    def blocks(self, book: Book) -> list[tuple[str, list[Row]]]:
        """Headings and rows of the sheet; fills ``checks``."""
        rows = Lookups(self.result)
        found = []
        if self.delivered_gap is not None:
            heading = "The gap that the tornado starts from"
            rows.begin(heading)
            self._gap(rows)
            found += rows.blocks()
        for tried in self.tried:
            heading = f"Break-even {tried.number}: {tried.found.axis.label}"
            rows.begin(heading)
            lines = [
                row
                for side, trial in zip(tried.sides, tried.trials, strict=True)
                for row in book.lines_named(
                    trial.lines.values(), f"break-even {tried.number}{side}"
                )
            ]
            self._check(rows, tried)
            found.append((heading, [*lines, *dict(rows.blocks())[heading]]))
        return found

    def _gap(self, rows: Lookups) -> None:
        pair = rows.main_pair()
        assert pair is not None
        gap, delivered = rows.term(pair.scope.line("equivalent_difference")), rows.term(GAP)
        label = "The gap to the baseline is not the one that the tornado starts from"
        check = rows.add(
            "delivered_gap/check",
            label,
            "0/1",
            words.differ(gap, delivered, rows.term("tolerance")),
        )
        word = words.chosen(check, "FAILS", "holds")
        rows.add("delivered_gap/word", "Check in words, gap of the tornado", "text", word)
        line = "answer/delivered_gap/check"
        self.checks.append((label, pair.this.name, line, check.number))

    def _check(self, rows: Lookups, tried: Tried) -> None:
        n = tried.number
        costs = [
            [
                rows.term(trial.line(self.result.option(name).line("npv_of_cost")))
                for name in _options(tried.found)
            ]
            for trial in tried.trials
        ]
        savings = []
        for place, ((this, other), side) in enumerate(zip(costs, tried.sides, strict=True)):
            savings.append(
                rows.add(
                    f"trial/{n}/saving" if not place else f"trial/{n}/saving_above",
                    f"Present value saved at break-even {n}{side}",
                    rows.currency,
                    Term(f"{other.formula}-{this.formula}", other.number - this.number),
                )
            )
        if tried.leaps:
            one, two = savings
            off = Term(f"IF({one.formula}*{two.formula}>0,1,0)", float(one.number * two.number > 0))
        else:
            this, other = costs[0]
            off = words.differ(this, other, rows.term("tolerance"))
        label = f"The saving is not 0 at the solved value, break-even {n}"
        check = rows.add(f"trial/{n}/check", label, "0/1", off)
        rows.add(
            f"trial/{n}/word",
            f"Check in words, break-even {n}",
            "text",
            words.chosen(check, "FAILS", "holds"),
        )
        self.checks.append((label, tried.found.this, tried.row("check"), check.number))


def _options(found: BreakEven) -> tuple[str, str]:
    return found.this, found.other


def _values(result: Result, found: BreakEven, at: Crossing) -> tuple[float, ...]:
    """The value to be put back; where the cost leaps, one on either side.

    It leaps too where it is so steep that the 15 digits of a cell do not meet the zero.
    """
    value = float(f"{at.value:.15g}")
    npv = WhatIf(result, found.axis.names, _options(found))(found.axis.values(value)).npv[:, 0]
    if not at.jump and abs(npv[0] - npv[1]) <= TIE * max(*abs(npv), 1.0):
        return (value,)
    if found.axis.whole:
        return at.value, at.after
    return at.value - abs(at.value) * BESIDE, at.after + abs(at.after) * BESIDE
