"""The options in order of their monthly cost, and the words where there is no number."""

from __future__ import annotations

from tco.engine.structure import BoundOption
from tco.report.workbook import words
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.words import Term


class Ranking:
    """Rows of the options side by side: ranked, or beside printed figures without demand."""

    def __init__(self, rows: Lookups) -> None:
        self.rows = rows
        self.result = rows.result

    def beside_printed_figures(self) -> None:
        """What each option costs, and what its source printed."""
        self.rows.begin("Beside the printed figures")
        for option in self.result.model.complete:
            n = option.number
            assert option.scope is not None
            cost = self.rows.term(option.line("cost_per_month"))
            if "published_difference" in option.scope.functions:
                figure = self.rows.of(option, "published_per_month")
                difference = self.rows.term(option.line("published_difference"))
            else:
                figure = difference = words.quoted("none")
            unit = f"{self.rows.currency}/month"
            note = self.rows.names[option.name]
            self.rows.add(f"cost/{n}", f"Cost per month, option {n}", unit, cost, note)
            self.rows.add(f"printed/{n}", f"Printed cost per month, option {n}", unit, figure)
            self.rows.add(
                f"difference/{n}", f"Calculated less printed, option {n}", unit, difference
            )

    def rank(self) -> None:
        """Which option that serves the demand costs least."""
        complete = self.result.model.complete
        self.rows.begin("Ranking")
        unit = f"{self.rows.currency}/month"
        for option in complete:
            ranked = words.chosen(
                self.rows.term(option.line("infeasible")),
                "infeasible",
                self.rows.term(option.line("equivalent_monthly_cost")),
            )
            self.rows.add(
                f"ranked/{option.number}",
                f"Equivalent monthly cost if feasible, option {option.number}",
                unit,
                ranked,
                self.rows.names[option.name],
            )
        first, last = (f"answer/ranked/{complete[i].number}" for i in (0, -1))
        costs = [self.rows.values[f"answer/ranked/{option.number}"] for option in complete]
        feasible = [cost for cost in costs if not isinstance(cost, str)]
        cells = f"{{{first}}}:{{{last}}}"
        names = f"{{{first}:name}}:{{{last}:name}}"
        count = self.rows.add(
            "feasible",
            "Options that serve the demand",
            "options",
            Term(f"COUNT({cells})", float(len(feasible))),
        )
        lowest = self.rows.add(
            "lowest",
            "Lowest equivalent monthly cost",
            unit,
            Term(f"MIN({cells})", min(feasible, default=0.0)),
        )
        name = (
            self.rows.names[complete[costs.index(lowest.value)].name] if feasible else "no option"
        )
        found = f"INDEX({names},MATCH({lowest.formula},{cells},0))"
        self.rows.add(
            "cheapest",
            "Cheapest option",
            "text",
            Term(f'IF({count.formula}=0,"no option",{found})', name),
        )
        for option in complete:
            self._shown(option, unit)

    def _shown(self, option: BoundOption, unit: str) -> None:
        """Cells of the Summary that hold a word where there is no number."""
        n = option.number
        if option.scope and "levelised_cost" in option.scope.functions:
            tokens = self.rows.of(option, "discounted_useful_volume")
            self.rows.add(
                f"per_mtok/{n}",
                f"Levelised cost, option {n}",
                self.result.unit(option.line("levelised_cost")),
                words.chosen(
                    words.above_zero(tokens),
                    self.rows.term(option.line("levelised_cost")),
                    f"no {self.result.model.counted.work}",
                ),
            )
        unserved = self.rows.term(option.line("total_unserved_work"))
        asked = self.rows.term(option.line("total_demanded_work"))
        share_value = unserved.number / asked.number if asked.number else 0.0
        share = self.rows.add(
            f"unserved/{n}",
            f"Share of the work unserved, option {n}",
            "fraction",
            Term(f"IF({asked.formula}=0,0,{unserved.formula}/{asked.formula})", share_value),
        )
        base = self.result.baseline
        pair = self.result.pair(option.name, base) if base else None
        if option.name == base:
            difference = words.quoted("base")
        elif pair is None:
            difference = words.quoted("no baseline")
        else:
            difference = self.rows.term(pair.scope.line("equivalent_difference"))
        self.rows.add(
            f"difference/{n}",
            f"Equivalent monthly cost less the baseline's, option {n}",
            unit,
            words.chosen(
                self.rows.term(option.line("infeasible")),
                self._why_infeasible(option, share),
                difference,
            ),
        )

    def _why_infeasible(self, option: BoundOption, share: Term) -> Term:
        unserved = words.joined(words.text(share, words.PERCENT), " unserved")
        assert option.scope is not None
        unfit = option.scope.find("unfit_through")
        if not isinstance(unfit, str) or "infeasible" not in option.scope.functions:
            return unserved
        name = f"unserved_words/{option.number}"
        said = self.rows.add(name, f"Unserved in words, option {option.number}", "text", unserved)
        name = f"why/{option.number}"
        return self.rows.add(
            name,
            f"Why it is infeasible, option {option.number}",
            "text",
            words.chosen(self.rows.term(unfit), "cannot do it", said),
        )
