"""Every delivered workbook holds to the rules, and every input is changed in it and in the engine.

formualizer recalculates the workbook; both must give the same numbers in every cell of every line
that the change can reach. In a few scenarios each input is changed alone; in the others all at
once, which sees an input that a formula does not follow just as well, and the engine says of each
alone whether it moves anything. Words, totals and checks are recalculated as delivered.
``pytest tests/parity -s`` prints what was done for each scenario.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import formualizer
import pytest

from tco.scenario.inputs import LIVE, Input
from tests.parity.delivered import (
    NAMES,
    RECALCULATED,
    SCENARIOS,
    Delivered,
    changed_value,
    rewrite,
    values,
)
from tests.parity.words import disagreements
from tests.report.rules import RULES

# inputs that may move nothing, by the end of their name, and why; for one scenario or for all
UNMOVED = {
    ("*", "tolerance"): "1e-9 and 1.07e-9 of an amount separate the same amounts",
    ("*", "one_replica"): "more than the least is needed",
    ("article-c-ownership", "months_per_year"): "the discount rate is 0",
    ("article-c-ownership", "hourly_cost"): "no hours of work are given and nothing is compared",
    ("llmtco-examples", "h1_life_months"): "the card costs nothing",
    ("mixed-quotes", "o3_s1_context"): "the model looks back 4,096 tokens only",
    ("burst-images", "o2_s1_minimum_hours"): "every session is longer",
    **{
        (name, unmoved): why
        for name in ("nvidia-llm-tco", "llmtco-owned", "llmtco-rented", "llmtco-examples")
        for unmoved, why in (
            ("months_per_year", "the discount rate is 0"),
            ("hourly_cost", "no hours of work are given and nothing is compared"),
            ("pue", "no power is drawn"),
            ("electricity_price", "no power is drawn"),
            ("watts_per_kilowatt", "no power is drawn"),
        )
    },
}
# how many inputs are changed together: each alone in four scenarios, a few in the largest of many
# kinds of options; elsewhere all of them
TOGETHER = {"five-numbers": 1, "chinese": 1, "lease-or-buy": 1, "two-quotes": 1, "midteam": 8}
# examples printed without discounting, power or work: more of their inputs move nothing
FREE_OF_POWER = ("nvidia-llm-tco", "llmtco-rented", "llmtco-examples", "llmtco-owned")


def _load(path: Path) -> formualizer.Workbook:
    book = formualizer.load_workbook(str(path))
    book.evaluate_all()
    return book


def _cells(
    delivered: Delivered, book: formualizer.Workbook, lines: set[str] | None = None
) -> dict[str, dict[tuple[int, int], object]]:
    months = delivered.result.scenario.months + 1
    found: dict[str, dict[tuple[int, int], object]] = {}
    for place in delivered.places:
        if lines is not None and place.line not in lines:
            continue
        columns = range(7, 7 + months) if place.months else [4]
        sheet = found.setdefault(place.sheet, {})
        for column in columns:
            sheet[place.row, column] = book.get_value(place.sheet, place.row, column)
    return found


def _reason(scenario: str, given: Input) -> str | None:
    return UNMOVED.get(("*", given.name)) or UNMOVED.get((scenario, given.name))


@pytest.mark.parametrize("delivered", SCENARIOS, ids=NAMES, indirect=True)
def test_rules_and_cached_values(delivered: Delivered) -> None:
    faults = {str(rule): list(rule.faults(delivered.book)) for rule in RULES}
    assert len(faults) == len(RULES)
    assert {says: found for says, found in faults.items() if found} == {}
    compared, _, wrong = delivered.compare(values(delivered.path), delivered.expected({}))
    assert compared > 0
    assert wrong == []


@pytest.mark.parametrize("delivered", SCENARIOS, ids=NAMES, indirect=True)
def test_each_input_in_turn_with_formualizer(delivered: Delivered, tmp_path: Path) -> None:
    assert bool(delivered.cases) == (delivered.scenario in WITH_CASES)
    base = delivered.expected({})
    assert {place.line for place in delivered.places} == set(base), "every line has its row"
    path = rewrite(delivered.path, tmp_path / "stripped.xlsx", lambda sheet, text: text)
    book = _load(path)
    assert disagreements(delivered.book, book.get_value) == []
    assert delivered.forms  # asked for while its cells are at hand
    compared, worst, wrong = delivered.compare(_cells(delivered, book), base)
    size = TOGETHER.get(delivered.path.stem, len(delivered.inputs))
    in_turn = delivered.in_turn() if size == 1 else ()
    alone = {given.name: lines for given, lines in in_turn}
    changed, unmoved = 0, delivered.unmoved()
    for first in range(0, len(delivered.inputs), size):
        group = delivered.inputs[first : first + size]
        changes = {given.name: changed_value(given) for given in group}
        for given in group:
            assert changes[given.name] != given.value
            book.set_value("Inputs", *delivered.position(given), changes[given.name])
            changed += given.kind == LIVE
        book.evaluate_all()
        # what an input cannot reach stays as it was; that all cells are read right where all
        # inputs differ is seen by LibreOffice
        reached = delivered.downstream(group)
        cells = _cells(delivered, book, reached)
        right = alone[group[0].name] if size == 1 else delivered.expected(changes)
        count, gap, different = delivered.compare(cells, right, reached)
        compared, worst, wrong = compared + count, max(worst, gap), wrong + different
        if first + size < len(delivered.inputs):
            for given in group:
                book.set_value("Inputs", *delivered.position(given), given.value)
    live = [given for given in delivered.inputs if given.kind == LIVE]
    still = [given for given in unmoved if given.kind == LIVE]
    moved = len(live) - len(still)
    print(
        f"\n{delivered.path.stem}: {len(live)} live inputs, {changed} changed, {moved} moved, "
        f"{len(still)} unmoved, {compared:,} cells compared, worst difference {worst:.1e}"
    )
    for given in unmoved:
        print(f"  unmoved: {given.name}: {_reason(delivered.path.stem, given)}")
    assert not wrong, "\n".join(map(str, wrong[:5]))
    assert compared > 0
    assert changed == len(live) > 0
    assert all(_reason(delivered.path.stem, given) for given in unmoved)
    assert len(still) * 20 <= len(live) or delivered.path.stem in FREE_OF_POWER


# by their text: to read them all takes each worker seconds before any test begins
WITH_CASES = [
    scenario
    for scenario in SCENARIOS
    if re.search(r"^cases:", scenario.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("delivered", WITH_CASES, ids=lambda s: s.stem, indirect=True)
def test_each_case_with_formualizer(delivered: Delivered, tmp_path: Path) -> None:
    path = rewrite(delivered.path, tmp_path / "stripped.xlsx", lambda sheet, text: text)
    book = _load(path)
    inputs = {given.name: given for given in delivered.inputs}
    assert len(delivered.cases) > 1
    compared, wrong = 0, []
    for number, case in [*enumerate(delivered.cases), (0, delivered.cases[0])]:
        book.set_value("Summary", 3, 2, case.name)
        book.evaluate_all()
        count, _, found = delivered.compare(_cells(delivered, book), delivered.expected({}, number))
        compared, wrong = compared + count, wrong + found
        # a number of the case itself, then numbers as given, which hold where it sets no other
        others = {name for other in delivered.cases for name in other.values} - case.values.keys()
        changes = [(number, name) for name in list(case.values)[:1]]
        changes += [(0, name) for name in [*list(case.values)[-1:], *sorted(others)[:1]]]
        for at, name in changes:
            place = delivered.position(inputs[name], at)
            as_delivered = delivered.cases[at].values.get(name, inputs[name].value)
            book.set_value("Inputs", *place, changed := changed_value(inputs[name]))
            book.evaluate_all()
            followed = at == number or name not in case.values
            expected = delivered.expected({name: changed} if followed else {}, number)
            reached = delivered.downstream([inputs[name]])
            count, _, found = delivered.compare(_cells(delivered, book, reached), expected, reached)
            compared, wrong = compared + count, wrong + found
            book.set_value("Inputs", *place, as_delivered)
    print(f"\n{delivered.path.stem}: {len(delivered.cases)} cases, {compared:,} cells compared")
    assert not wrong, "\n".join(map(str, wrong[:5]))


def test_every_form_of_formula_is_recalculated_by_libreoffice(
    deliver: Callable[[Path], Delivered],
) -> None:
    """Here, since the workbooks of all scenarios are at hand."""
    recalculated: set[object] = set()
    everywhere: dict[object, str] = {}
    for scenario in SCENARIOS:
        delivered = deliver(scenario)
        functions = {line.function for line in delivered.result.model.graph.lines.values()}
        everywhere.update(dict.fromkeys(functions | delivered.forms, scenario.stem))
        if scenario in RECALCULATED:
            recalculated |= functions | delivered.forms
        vars(delivered).pop("book", None)
    assert len(everywhere) > 1_000
    assert {form: name for form, name in everywhere.items() if form not in recalculated} == {}


def test_a_formula_broken_on_purpose_does_not_survive(tmp_path: Path) -> None:
    delivered = Delivered(next(s for s in SCENARIOS if s.stem == "five-numbers"), tmp_path)
    place = next(p for p in delivered.places if p.line == "o1/s1/electricity_cost")

    def spoil(sheet: str, text: str) -> str:
        if sheet != place.sheet:
            return text
        row = re.search(rf'<row r="{place.row}".*?</row>', text)
        assert row
        spoiled = row[0].replace("*", "+")
        assert spoiled != row[0]
        return text.replace(row[0], spoiled)

    path = rewrite(delivered.path, tmp_path / "broken.xlsx", spoil)
    _, _, wrong = delivered.compare(_cells(delivered, _load(path)), delivered.expected({}))
    lines = {difference.place.line for difference in wrong}
    assert {"o1/s1/electricity_cost", "o1/npv_of_cost", "o1/equivalent_monthly_cost"} <= lines
