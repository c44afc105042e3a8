"""The Checks sheet: every check is 0 or 1, and the master check adds them up."""

from __future__ import annotations

from dataclasses import dataclass

from tco.engine.guards import examine
from tco.engine.structure import functions_of_module
from tco.model import checks
from tco.report.workbook import styles
from tco.report.workbook.answer import Answer
from tco.report.workbook.break_even_trials import Trials
from tco.report.workbook.inputs import DELIVERED, VALUE
from tco.report.workbook.page import A4, FAIL, PASS, Page
from tco.report.workbook.statement import check_line
from tco.report.workbook.texts import fitted
from tco.results import Result
from tco.units import Flag, unit_of

# every flag of the model's own checks, and two that stand beside what they check
CHECKS = (
    *(
        name.partition("__")[0]
        for name, function in functions_of_module(checks).items()
        if examine(function)[1] == unit_of(Flag)
    ),
    "input_tokens_unpriced",
    "caches_above_input",
)


@dataclass(frozen=True)
class Check:
    """What is checked, of which option, the line, and its flag as delivered.

    ``solved`` is one that holds only for the inputs as delivered.
    """

    label: str
    option: str
    line: str
    value: float
    solved: bool = False


def checks_of(result: Result, answer: Answer, trials: Trials) -> list[Check]:
    """Every check, in the order of the sheet."""
    found = []
    graph = result.model.graph
    for option in result.model.complete:
        assert option.scope is not None
        scopes = [*(supply.scope for supply in option.supplies), option.scope]
        if option is result.model.complete[0] and result.model.demand is not None:
            scopes = [w.scope for w in result.model.demand.workloads] + scopes
        inner = {
            name
            for supply in option.supplies
            for name in result.model.inner_scopes(supply.scope.name)
        }
        scopes += [scope for scope in result.model.scopes if scope.name in inner]
        for scope in scopes:
            for name in CHECKS:
                if name in scope.functions:
                    line = scope.line(name)
                    label = f"{graph.lines[line].label}, {scope.name.replace('/s', ' supply ')}"
                    label = label.replace(f", o{option.number}", f", option {option.number}")
                    found.append(Check(label, option.name, line, result.value(line)))
        label = f"Fiscal years of the statement differ from its months, option {option.number}"
        found.append(Check(label, option.name, check_line(option), 0.0))
    for label, line in answer.checks:
        found.append(Check(label, result.focus or "", line, answer.term(line).number))
    for label, whose, line in answer.rates_checks:
        found.append(Check(label, whose, line, answer.term(line).number, solved=True))
    for label, whose, line, value in trials.checks:
        found.append(Check(label, whose, line, value, solved=True))
    return found


class ChecksPage(Page):
    """The checks, and whether the inputs are as delivered."""

    def write(self, changeable: tuple[int, int]) -> None:
        """Write the checks; ``changeable`` is where the inputs stand."""
        self.open("Checks", (2, 3), paper=A4)
        self.page.freeze_panes(6, 1)
        self.page.repeat_rows(0, 5)
        for position, room in ((0, 88), (1, 46), (2, 10), (3, 26)):
            self.page.set_column(position, position, room)
        found = checks_of(self.result, self.answer, self.desk.trials)
        first, last = 7, 6 + len(found)
        failed = sum(check.value for check in found)
        bold = self.style(styles.COMPUTED, "0", bold=True)
        self.text(2, 0, "Checks that fail (0 is right)", self.style(styles.TEXT, bold=True))
        self.formula(2, 2, f"=SUM($C${first}:$C${last})", failed, bold)
        verdict = f'=IF($C$3=0,"{PASS}","{FAIL}")'
        self.formula(2, 3, verdict, self.verdict, self.style(styles.COMPUTED, bold=True, indent=1))
        top, bottom = changeable
        cells = "<>".join(f"Inputs!${c}${top}:${c}${bottom}" for c in (VALUE, DELIVERED))
        self.text(3, 0, "Inputs unchanged since delivery (1 is yes)")
        self.formula(3, 2, f"=IF(SUMPRODUCT(({cells})*1)=0,1,0)", 1, self.style(styles.LINKED, "0"))
        self.formula(
            3,
            3,
            '=IF($C$4=1,"inputs as delivered","inputs were changed")',
            "inputs as delivered",
            self.style(styles.COMPUTED, indent=1),
        )
        for position, text in enumerate(
            ("A check that fails is 1: what is wrong then", "Option", "0/1")
        ):
            align = {"align": "right"} if position == 2 else {}
            self.text(5, position, text, self.style(styles.HEADER, **align))
        for at, check in enumerate(found, start=6):
            self.text(at, 0, check.label)
            self.text(at, 1, fitted(check.option, 44), self.style(styles.NOTE))
            cell = self.book.cell(check.line)
            formula = f"=$C$4*{cell}" if check.solved else f"={cell}"
            self.formula(at, 2, formula, check.value, self.style(styles.LINKED, "0"))
