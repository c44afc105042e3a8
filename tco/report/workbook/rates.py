"""Internal rates of return on Comparison: solved by the engine, and checked live.

A rate that is found by trying has no formula. So each root stands on Inputs, fixed, as solved for
the inputs as delivered, and here beside it what the saving is worth at that rate: 0 as long as the
inputs are those.
"""

from __future__ import annotations

from tco.engine.internal_rate import ONE
from tco.engine.structure import Pair
from tco.report.workbook import words
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.words import Term
from tco.scenario.inputs import SOLVED, Input
from tco.units import MonthlyRate, unit_of

RATE, WHY = "rate", "why"


class Rates:
    """Rows of the internal rates of every option against the baseline.

    ``solved`` are the roots, to stand on Inputs; ``checks`` the rows that are 1 where a root is
    none, as what is checked, the option and the row.
    """

    def __init__(self, rows: Lookups) -> None:
        self.rows = rows
        self.result = rows.result
        self.solved: list[Input] = []
        self.checks: list[tuple[str, str, str]] = []
        self._when = rows.time_input("discount_month")
        rows.begin("Internal rates of return against the baseline")
        for pair in self.result.model.pairs:
            if pair.other.name == self.result.baseline:
                self._rate(pair)

    def _rate(self, pair: Pair) -> None:
        found = self.result.internal_rates[pair.number]
        n = pair.number
        annual = [self._root(pair, j, root) for j, root in enumerate(found.roots, start=1)]
        rate = annual[0] if found.status == ONE else words.quoted(found.status)
        self.rows.add(
            f"irr/{n}/{RATE}",
            f"Internal rate of return, pair {n}",
            "fraction/year",
            rate,
            self.rows.names[pair.this.name],
        )
        if found.reason:
            reason = words.quoted(found.reason)
            label = f"What the internal rate says, as delivered, pair {n}"
            self.rows.add(f"irr/{n}/{WHY}", label, "text", reason)

    def _root(self, pair: Pair, number: int, root: float) -> Term:
        """Rows of one root: what the saving is worth at it, and the rate of a year."""
        n, name = pair.number, f"irr_{pair.number}_{number}"
        which = f"root {number}, pair {n}"
        self._enter(name, f"Internal rate of a month, {which}", root, pair)
        base = self.rows.term(name)
        months = self.result.months(self._when)
        saving = self.result.months(pair.scope.line("monthly_saving"))
        flows, when = (
            f"{{{line}:all}}" for line in (pair.scope.line("monthly_saving"), self._when)
        )
        factors = [(1 + base.number) ** -month for month in months]
        size = self.rows.add(
            f"irr/{n}/size_{number}",
            f"Present value of the saving's sizes at {which}",
            self.rows.currency,
            Term(
                f"SUMPRODUCT({flows}*(({flows}>0)-({flows}<0))*(1+{base.formula})^(-{when}))",
                sum(abs(x) * factor for x, factor in zip(saving, factors, strict=True)),
            ),
        )
        # over its sizes: at a rate near -100 % a month what rounding leaves is a large amount
        worth = self.rows.add(
            f"irr/{n}/worth_{number}",
            f"Present value of the saving over that of its sizes at {which}",
            "ratio",
            Term(
                f"SUMPRODUCT({flows}*(1+{base.formula})^(-{when}))/{size.formula}",
                sum(x * factor for x, factor in zip(saving, factors, strict=True)) / size.number,
            ),
        )
        tolerance = self.rows.term("tolerance")
        line = f"irr/{n}/off_{number}"
        self.rows.add(
            line,
            f"Worth something at {which}",
            "0/1",
            Term(
                f"IF(ABS({worth.formula})<={tolerance.formula},0,1)",
                float(abs(worth.number) > tolerance.number),
            ),
        )
        label = f"The saving is worth something at its internal rate, {which}"
        self.checks.append((label, pair.this.name, f"answer/{line}"))
        year = self.rows.term("months_per_year")
        return self.rows.add(
            f"irr/{n}/annual_{number}",
            f"Internal rate of a year, {which}",
            "fraction/year",
            Term(
                f"(1+{base.formula})^{year.formula}-1",
                (1 + base.number) ** year.number - 1,
            ),
        )

    def _enter(self, name: str, label: str, root: float, pair: Pair) -> None:
        unit = unit_of(MonthlyRate)
        value = float(f"{root:.15g}")
        self.solved.append(
            Input(
                name,
                label,
                (value,),
                unit,
                unit.text(self.result.currency),
                f"{pair.this.name} against {pair.other.name}",
                kind=SOLVED,
                why_default="solved for the inputs as delivered; the check says where it is none",
            )
        )
        self.rows.values[name] = value
