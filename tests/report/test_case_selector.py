"""The case that is chosen on the Summary, and the numbers of the cases on Inputs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import formualizer
import pytest

from tco.report.workbook import write_workbook
from tco.results import run, run_scenario
from tco.scenario.loading import read
from tests.parity.delivered import SCENARIOS, Delivered, rewrite
from tests.recalculation import recalculate_with_libreoffice
from tests.report.opened import Opened, address, opened, rewritten
from tests.report.rules import BLUE, VALUE, Faults, with_cell

NAMES_ROW, CHOSEN_ROW, FIRST = 7, 8, 9
SCENARIO = next(scenario for scenario in SCENARIOS if scenario.stem == "three-cases")


@pytest.fixture(scope="module")
def three(deliver: Callable[[Path], Delivered]) -> Delivered:
    return deliver(SCENARIO)


def faults(book: Opened) -> Faults:
    """A number that cases change has a cell for each, and takes the one that is chosen.

    The cell is blue where the case sets the number; elsewhere it follows the number as given.
    """
    inputs = book.sheets["Inputs"]
    validated = set(re.findall(r'<dataValidation [^>]*sqref="([A-Z]+\d+)"', inputs.xml))
    names = [cell for cell in inputs.rows[NAMES_ROW].values() if cell.column >= VALUE]
    last = address(1, VALUE + len(names) - 1).removesuffix("1")
    for cell in names:
        letters = address(1, cell.column).removesuffix("1")
        chosen = inputs.cells[CHOSEN_ROW, cell.column]
        if chosen.formula != f"IF({letters}${NAMES_ROW}=Summary!$B$3,1,0)":
            yield f"{letters}{CHOSEN_ROW}: {chosen.formula}"
        if chosen.value != (cell.column == VALUE):
            yield f"{letters}{CHOSEN_ROW}: {chosen.value} is delivered"
    given = {name: where for name, where in book.names.items() if name.endswith("_given")}
    for name, where in given.items():
        row = int(where.rpartition("$")[2])
        taken = inputs.cells[int(book.names[name[:-6]].rpartition("$")[2]), VALUE]
        if taken.formula != f"INDEX($C${row}:${last}${row},in_case)":
            yield f"{name}: {taken.formula}"
        if taken.value != inputs.number(row, VALUE):
            yield f"{name}: {taken.value} is delivered, not the number as given"
        for cell in names:
            place = address(row, cell.column)
            typed = inputs.cells[row, cell.column]
            if cell.column > VALUE and typed.formula == f"$C{row}":
                if typed.ink == BLUE or typed.value != inputs.number(row, VALUE):
                    yield f"{place} does not follow the number as given"
            elif typed.ink != BLUE or not typed.fill or typed.formula or place not in validated:
                yield f"{place} is no cell to be changed"
    taking = [c for c in inputs.cells.values() if (c.formula or "").startswith("INDEX(")]
    if len(taking) != len(given):
        yield f"{len(taking)} numbers are taken by case, {len(given)} are given"


def test_every_case_has_a_blue_cell_for_each_number_that_changes(three: Delivered) -> None:
    book = three.book
    assert list(faults(book)) == []
    inputs = book.sheets["Inputs"]
    assert [inputs.text(NAMES_ROW, column) for column in (3, 4, 5)] == [
        "as given",
        "pessimistic",
        "optimistic",
    ]
    rows = {inputs.text(row, 1): row for row in range(FIRST, FIRST + 6)}
    shown = {
        label: [inputs.number(row, column) for column in (3, 4, 5)] for label, row in rows.items()
    }
    assert shown == {
        "Output tokens a month": [50e6, 15e6, 100e6],
        "Hours of work a month, own-2x4090": [4, 8, 2],
        "Purchase price of a GPU, rtx-4090": [1599, 2817, 1599],
        "Electricity price": [0.10, 0.24, 0.06],
        "What a GPU sells for in the last month, rtx-4090": [500, 100, 500],
        "API price of a million output tokens, api-gpt-4o": [15, 10, 15],
    }
    # what the optimistic case says nothing of is as given, whatever that is changed to
    follow = [address(row, 5) for row in rows.values() if inputs.cells[row, 5].formula]
    assert follow == ["E11", "E13", "E14"]


@pytest.mark.parametrize(
    ("cell", "old", "new"),
    [
        ("D9", r's="\d+"', 's="0"'),
        ("E11", r"\$C11", "$C12"),
        ("D10", "<v>", "<f>1+1</f><v>"),
        ("D8", "<v>0</v>", "<v>1</v>"),
        ("D8", r"D\$7", "E$7"),
        ("C20", "in_case", "1"),
    ],
)
def test_a_broken_case_is_seen(three: Delivered, cell: str, old: str, new: str) -> None:
    parts = dict(three.book.parts)
    with_cell(parts, "Inputs", cell, lambda xml: re.sub(old, new, xml))
    target = three.path.with_name("broken.xlsx")
    assert list(faults(opened(rewritten(three.path, target, parts))))


def test_a_case_is_chosen_from_the_names_on_inputs(three: Delivered) -> None:
    summary = three.book.sheets["Summary"]
    assert summary.text(3, 1) == "Case: choose one, every sheet follows"
    assert summary.text(3, 2) == "as given"
    assert summary.cells[3, 2].ink == BLUE
    assert three.case_cells == ("B3", ["C7", "D7", "E7"])
    assert summary.text(6, 1) == "Scenario file: three-cases.yaml"
    texts = [cell.value for cell in three.book.sheets["About"].cells.values()]
    assert "Choose a case on the Summary: its numbers are the blue cells at the top of Inputs." in (
        texts
    )


def test_what_another_case_does_to_checks_and_solved_numbers(
    three: Delivered, tmp_path: Path
) -> None:
    path = rewrite(three.path, tmp_path / "stripped.xlsx", lambda sheet, text: text)
    book = formualizer.load_workbook(str(path))

    def shown(case: str, answer_row: int = 8) -> tuple[object, ...]:
        book.set_value("Summary", 3, 2, case)
        book.evaluate_all()
        rate = next(
            book.get_value("Summary", row, 8)
            for row in range(1, 50)
            if book.get_value("Summary", row, 5) == "Internal rate of return a year"
        )
        cells = (("Checks", 3, 4), ("Checks", 4, 4), ("Summary", answer_row, 1))
        return *(book.get_value(*cell) for cell in cells), rate

    delivered = shown("as given")
    assert delivered[:3] == (
        "ALL CHECKS PASS",
        "inputs as delivered",
        "Cheapest is own-2x4090: USD 458.12 a month, up-front cost included",
    )
    assert isinstance(delivered[3], float)
    # 15 million tokens at 10 a million
    assert shown("pessimistic") == (
        "ALL CHECKS PASS",
        "inputs were changed",
        "Cheapest is api-gpt-4o: USD 150.00 a month, up-front cost included",
        "run again",
    )
    assert shown("optimistic")[1:] == (
        "inputs were changed",
        "Cheapest is own-2x4090: USD 269.10 a month, up-front cost included",
        "run again",
    )
    assert shown("as given") == delivered
    # another number in a case that is not chosen changes nothing that is shown
    book.set_value("Inputs", FIRST, 4, 16e6)
    assert shown("as given") == delivered
    book.set_value("Inputs", FIRST, 3, 49e6)
    assert shown("as given")[1] == "inputs were changed"
    # 100 million tokens at 1.6 a million: the price as given holds in a case that sets no other
    book.set_value("Inputs", FIRST + 5, 3, 1.6)
    assert shown("optimistic")[2] == (
        "Cheapest is api-gpt-4o: USD 160.00 a month, up-front cost included"
    )


def test_a_name_that_is_no_case_is_seen_everywhere(three: Delivered, tmp_path: Path) -> None:
    """Capitals do not count; any other name is an error in every number."""
    path = rewrite(three.path, tmp_path / "stripped.xlsx", lambda sheet, text: text)
    book = formualizer.load_workbook(str(path))
    cost = next(place for place in three.places if place.line == "o1/npv_of_cost")
    for name, is_one in (("Pessimistic", True), ("another", False)):
        book.set_value("Summary", 3, 2, name)
        book.evaluate_all()
        assert isinstance(book.get_value(cost.sheet, cost.row, 4), float) is is_one, name

    def another(sheet: str, content: str) -> str:
        pattern = r'(<c r="B3"[^>]* t="s"><v>)\d+'
        return re.sub(pattern, r"\g<1>0", content) if sheet == "Summary" else content

    (cells,) = recalculate_with_libreoffice([rewrite(three.path, tmp_path / "no.xlsx", another)])
    assert cells["Summary"]["B3"] not in [case.name for case in three.cases]
    assert cells[cost.sheet][f"D{cost.row}"] == "#N/A"


ODD = """\
name: odd
months: 3
demand: {output_tokens: 50 M}
options:
  api: {api: a, output_price: 15}
  other: {api: b, output_price: 14}
cases:
  "*": {options.api.output_price: 10}
  "=1+1": {options.api.output_price: 11}
  "2027": {options.api.output_price: 12}
  "a*": {options.api.output_price: 13}
  "ab": {options.api.output_price: 5}
  最坏的情况，价格翻倍: {options.api.output_price: 30}
  "~?": {options.api.output_price: 1}
"""


PATTERNS = ("*", "=1+1", "2027", "a*", "~?")


def test_names_of_any_kind_choose_their_own_case(tmp_path: Path) -> None:
    scenario = tmp_path / "odd.yaml"
    scenario.write_text(ODD, encoding="utf-8")
    file = Delivered(scenario, tmp_path)
    assert list(faults(file.book)) == []
    price = next(row for row in file.places if row.line == "o1/equivalent_monthly_cost")
    stripped = rewrite(file.path, tmp_path / "stripped.xlsx", lambda sheet, text: text)
    book = formualizer.load_workbook(str(stripped))
    expected = {case.name: 50 * case.values.get("o1_s1_output_price", 15) for case in file.cases}
    assert len(expected) == 8
    files = []
    for number, name in enumerate(expected):
        book.set_value("Summary", 3, 2, name)
        book.evaluate_all()
        assert book.get_value(price.sheet, price.row, 4) == pytest.approx(expected[name]), name
        # which a search for a name might take for a pattern, a formula or a number
        if name in PATTERNS:
            files.append(file.edited({}, tmp_path / f"case-{number}.xlsx", number))
    recalculated = recalculate_with_libreoffice(files)
    for name, cells in zip(PATTERNS, recalculated, strict=True):
        assert cells[price.sheet][f"D{price.row}"] == pytest.approx(expected[name]), name


def test_twenty_cases_with_long_names(tmp_path: Path) -> None:
    names = [f"很长的名称{n:02}, quite a long one, of 40 places"[:40] for n in range(20)]
    cases = "".join(f"  '{n}': {{options.api.output_price: {i}}}\n" for i, n in enumerate(names))
    text = ODD.partition("cases:")[0] + "cases:\n" + cases
    path = tmp_path / "many.xlsx"
    write_workbook(run_scenario(read(text.encode(), "many.yaml")), path)
    book = opened(path)
    assert list(faults(book)) == []
    assert [book.sheets["Inputs"].text(NAMES_ROW, column) for column in range(4, 24)] == names


def test_a_scenario_without_cases_has_nothing_of_it(tmp_path: Path) -> None:
    write_workbook(run(SCENARIO.with_name("five-numbers.yaml")), tmp_path / "book.xlsx")
    book = opened(tmp_path / "book.xlsx")
    assert not [name for name in book.names if name == "in_case" or name.endswith("_given")]
    assert book.sheets["Summary"].text(3, 1) == "Scenario file: five-numbers.yaml"
    assert book.sheets["Inputs"].text(6, 1) == "Numbers of the scenario"
    assert "dataValidation" not in book.sheets["Summary"].xml
