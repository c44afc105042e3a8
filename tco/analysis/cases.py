"""What every option costs in each case of a scenario, beside the scenario as it is given.

A case changes numbers and nothing else: its model has to have the same lines, reading the same
inputs, so that the one model, and the one workbook, gives all cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tco.analysis import answer as wording
from tco.analysis.bases import field_label, value_text
from tco.analysis.figures import cell, money
from tco.analysis.tables import Row, Table
from tco.analysis.what_if import Outcomes, WhatIf
from tco.engine import bounds
from tco.engine.missing import faults_of_staying
from tco.engine.options import build
from tco.engine.structure import Model
from tco.errors import ScenarioError, ScenarioErrors
from tco.results import INCOMPLETE, INFEASIBLE, OK, Result
from tco.scenario import cases as scenario_cases
from tco.scenario.cases import AS_GIVEN, Change
from tco.scenario.inputs import LIVE, Input

MARK = ">"
STAYS = "a number that leaves the model as it is: not months, options, methods, ranges or words"
ANOTHER = "delete it here, and write a scenario of its own for it"


@dataclass(frozen=True)
class Case:
    """One case: what it changes, and what follows for each option.

    ``values`` are the inputs that the case sets, by name, in the unit of the input. ``monthly`` and
    ``npv`` are of the options that can be costed: equivalent monthly cost and present value of
    cost. ``difference`` is the monthly cost less the baseline's, None where an option or the
    baseline does not serve the demand. ``cheapest`` is the option that serves at the least cost;
    None without demand or where none serves.
    """

    name: str
    values: Mapping[str, float]
    status: Mapping[str, str]
    monthly: Mapping[str, float]
    npv: Mapping[str, float]
    difference: Mapping[str, float | None]
    cheapest: str | None


@dataclass(frozen=True)
class Cases:
    """All cases, the scenario as given first.

    ``inputs`` are those that some case sets, as given; ``values`` has for each of them its number
    in every case.
    """

    cases: tuple[Case, ...]
    inputs: tuple[Input, ...]
    values: Mapping[str, tuple[float, ...]]

    def case(self, name: str) -> Case:
        """A case by its name; `KeyError` if there is none."""
        for found in self.cases:
            if found.name == name:
                return found
        raise KeyError(name)


def cases(result: Result) -> Cases | None:
    """The cases of a scenario; None where it has none.

    Raises `ScenarioErrors` for a case that changes more than numbers, or a number that no option
    reads.
    """
    given = result.scenario.in_cases
    if not given:
        return None
    sets = changes_of(result)
    rows = {row.name: row for row in result.model.numbers}
    inputs = [row for name, row in rows.items() if any(name in found for found in sets)]
    values = {
        row.name: (row.value, *(found.get(row.name, row.value) for found in sets)) for row in inputs
    }
    outcomes = WhatIf(result, values)({name: np.array(drawn) for name, drawn in values.items()})
    names = (AS_GIVEN, *(case.name for case in given))
    return Cases(
        tuple(
            _case(result, name, found, outcomes, place)
            for place, (name, found) in enumerate(zip(names, ({}, *sets), strict=True))
        ),
        tuple(inputs),
        values,
    )


def _typed(case: scenario_cases.Case) -> str:
    return "; ".join(f"{change.path}: {change.text}" for change in case.changes)


def _case(
    result: Result, name: str, values: Mapping[str, float], outcomes: Outcomes, place: int
) -> Case:
    monthly, npv, status = {}, {}, dict.fromkeys(result.status, INCOMPLETE)
    for option in outcomes.options:
        row = outcomes.of(option)
        monthly[option] = float(outcomes.monthly[row, place])
        npv[option] = float(outcomes.npv[row, place])
        status[option] = OK if outcomes.serves[row, place] else INFEASIBLE
    serving = [option for option in outcomes.options if status[option] == OK]
    base = result.baseline
    difference = {
        option: monthly[option] - monthly[base] if base in serving and option in serving else None
        for option in outcomes.options
    }
    cheapest = min(serving, key=monthly.__getitem__, default=None)
    ranked = result.model.has_demand
    return Case(name, values, status, monthly, npv, difference, cheapest if ranked else None)


def changes_of(result: Result) -> list[dict[str, float]]:
    """The inputs that each case sets: name and value; a row of a live table by its own name.

    Raises `ScenarioErrors` as `cases` does.
    """
    found: list[dict[str, float]] = []
    faults: list[ScenarioError] = []
    read = {row.name for row in result.model.numbers}
    every = len(result.model.options) == len(result.scenario.options)
    base = result.model if every else build(result.scenario)
    for case in result.scenario.in_cases:
        try:
            values = _Comparison(result, base, case).values()
            found.append({name: value for name, value in values.items() if name in read})
        except ScenarioErrors as error:
            faults += error.faults
    if faults:
        raise ScenarioErrors(faults)
    return found


class _Comparison:
    """The model of a case beside that of the scenario as given."""

    def __init__(self, result: Result, base: Model, case: scenario_cases.Case) -> None:
        self.result = result
        self.case = case
        # of a run of some options alone all are compared: a case is right or wrong for the file
        self.base = base
        self.model = build(case.scenario)

    def values(self) -> dict[str, float]:
        """What the case sets; raises ``ScenarioErrors``."""
        faults = [fault for change in self.case.changes for fault in self._faults_of(change)]
        faults = faults or list(self._faults_of_bounds()) or list(self._faults_of_shape())
        if faults:
            raise ScenarioErrors(faults)
        as_given = {row.name: row.value for row in self.base.numbers}
        set_here = {row.name for change in self.case.changes for row in self._rows(change)}
        return {
            row.name: row.value
            for row in self.model.numbers
            if row.name in set_here or row.value != as_given[row.name]
        }

    def _rows(self, change: Change) -> list[Input]:
        """The inputs that a change gives."""
        ways = (change.place, f"{change.place}.median", f"{change.place}.value")
        return [row for row in self.model.numbers if row.quantity and row.path in ways]

    def _faults_of(self, change: Change) -> Iterator[ScenarioError]:
        rows = self._rows(change)
        if not change.place or (rows and all(row.kind == LIVE for row in rows)):
            return
        if change.place not in {quantity.path for quantity in self.model.unread()}:
            yield self._fault(change, f"{change.path}: {change.text}", STAYS, ANOTHER)
        else:
            yield self._fault(
                change,
                f"{change.path}: {change.text}, which no option reads",
                "a number that an option reads",
                "write the path where the option takes it from, or delete it here",
            )

    def _faults_of_bounds(self) -> Iterator[ScenarioError]:
        """What a scenario with these numbers would be refused for."""
        scenario = self.case.scenario
        lines = {change.line for change in self.case.changes}
        for fault in (*bounds.faults_of(scenario), *faults_of_staying(scenario)):
            line = fault.line if fault.line in lines else self.case.line
            field = f"{self.case.path}.{fault.field}"
            yield ScenarioError(
                fault.file, line, field, fault.found, fault.expected, fault.next_step
            )

    def _faults_of_shape(self) -> Iterator[ScenarioError]:
        """What makes the model of the case another one."""
        new = self.model.inputs.keys() - self.base.inputs.keys()
        for change in self.case.changes:
            rows = [row for row in self._rows(change) if row.name in new]
            for row in rows[:1]:
                yield self._fault(
                    change,
                    f"{change.path}: {change.text}, which the scenario does not give there",
                    "a number that the scenario gives, or has by default, at that path",
                    f"write it into the scenario first; in the case it is {field_label(row)}",
                )
            if rows:
                return
            foreign = [
                self.base.inputs[row.name]
                for row in self._rows(change)
                if row.name in self.base.inputs
                and row.unit_text != self.base.inputs[row.name].unit_text
            ]
            for row in foreign[:1]:
                yield self._fault(
                    change,
                    f"{change.path}: {change.text}",
                    f"an amount in {row.unit_text}, as the scenario gives it",
                    "write both in one currency",
                )
            if foreign:
                return
        if _shape(self.model) != _shape(self.base):
            change = self.case.changes[0]
            alone = len(self.case.changes) == 1
            yield self._fault(
                change if alone else None,
                _typed(self.case),
                f"numbers with which the model stays as it is{self._what_differs()}",
                ANOTHER if alone else "delete the one that does it, and write a scenario for it",
            )

    def _what_differs(self) -> str:
        here, given_before = self.model.graph.lines, self.base.graph.lines
        of_pairs = {pair.scope.name for pair in self.base.pairs}
        for lines, others, word in (
            (here, given_before, "comes in"),
            (given_before, here, "falls away"),
        ):
            for name in lines:
                if name in others or lines[name].scope in of_pairs:
                    continue
                return f' ("{lines[name].label}" {word})'
        for given in self.model.inputs.values():
            if given.kind != LIVE and given.values != self.base.inputs[given.name].values:
                return f' ("{given.label}" is solved before it runs)'
        return ""

    def _fault(
        self, change: Change | None, found: str, expected: str, next_step: str
    ) -> ScenarioError:
        return ScenarioError(
            self.result.scenario.path,
            change.line if change else self.case.line,
            self.case.path,
            found,
            expected,
            next_step,
        )


def _shape(model: Model) -> Any:
    """All of a model but its live numbers and its pairs: options, scopes, inputs that are fixed."""
    options = [(option.name, option.missing) for option in model.options]
    of_pairs = {pair.scope.name for pair in model.pairs}
    scopes = [
        (scope.name, scope.inputs, scope.aliases, scope.functions)
        for scope in model.scopes
        if scope.name not in of_pairs
    ]
    inputs = [
        (given.name, given.kind, given.unit_text, len(given.values))
        for given in model.inputs.values()
    ]
    fixed = [given.values for given in model.inputs.values() if given.kind != LIVE]
    return options, scopes, inputs, fixed


def table(result: Result, found: Cases) -> Table:
    """Monthly cost of each option, a column for each case, the cheapest of each marked."""
    ranked = result.model.has_demand
    rows = []
    for option in result.ranked:
        if option.missing is not None:
            rows.append(Row(option.name, note=wording.reason(result, option)))
            continue
        cells = (_cell(case, option.name) for case in found.cases)
        rows.append(Row(option.name, cells=tuple(cells)))
    notes = [_verdict(result, found)] if ranked else []
    notes += [f"{case.name}: {changes_text(result, found, case)}" for case in found.cases[1:]]
    legend = f"equivalent monthly cost, {result.currency}"
    notes.append(f"{legend}; {MARK} the cheapest that serves in its case" if ranked else legend)
    return Table("CASES", tuple(case.name for case in found.cases), tuple(rows), tuple(notes))


def _cell(case: Case, option: str) -> str:
    if case.status[option] == INFEASIBLE:
        return INFEASIBLE
    mark = f"{MARK} " if option == case.cheapest else ""
    return f"{mark}{cell(case.monthly[option], 2)}"


def _verdict(result: Result, found: Cases) -> str:
    """Which option is the cheapest, and in which cases it is another."""
    as_given, *others = found.cases
    first = as_given.cheapest
    elsewhere = [
        f"in {case.name} {_cheapest_text(result, case)}"
        for case in others
        if case.cheapest != first
    ]
    if not elsewhere:
        return f"in every case the cheapest is {first}" if first else "no option serves in any case"
    return f"as given the cheapest is {first or 'none: none serves'}; {'; '.join(elsewhere)}"


def _cheapest_text(result: Result, case: Case) -> str:
    if case.cheapest is None:
        return "none serves"
    return f"{case.cheapest} at {money(case.monthly[case.cheapest], result.currency)}"


def changes_text(result: Result, found: Cases, case: Case) -> str:
    """What a case changes: each number in it, and as given in brackets."""
    texts = []
    for given in found.inputs:
        if given.name in case.values:
            here = value_text(result, replace(given, values=(case.values[given.name],)))
            texts.append(f"{_label(given)} {here} ({value_text(result, given)})")
    return "; ".join(texts)


def _label(given: Input) -> str:
    """What an input is and whose, in the middle of a sentence."""
    label = given.label
    return label[0].lower() + label[1:] if label[1:2].islower() else label
