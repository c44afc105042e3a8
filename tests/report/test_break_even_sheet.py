"""The sheets Break_even and Trials: right values, values put back, and what a change does."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import cast

import formualizer
import pytest

from tco.analysis.break_even import BreakEven
from tco.analysis.findings import Findings
from tco.report.workbook import write_workbook
from tco.report.workbook.break_even_trials import MOST, Trials
from tco.results import run
from tests.parity.delivered import SCENARIOS, changed_value, rewrite, values
from tests.parity.words import disagreements
from tests.recalculation import recalculate_with_libreoffice
from tests.report.found import PLAIN, TRIALS, Found, cells, row_of
from tests.report.opened import CONSTANT, LABEL, column_number, opened
from tests.report.rules import ALLOWED, RULES

# one where the cost leaps, one of Chinese yuan with tax, one with cases
SHOWN = ("hybrid-peak", "chinese", "three-cases")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Found:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "plain.yaml").write_text(PLAIN, encoding="utf-8")
    return Found(folder / "plain.yaml", folder)


@pytest.fixture(scope="module")
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Found:
    scenario = next(path for path in SCENARIOS if path.stem == request.param)
    return Found(scenario, tmp_path_factory.mktemp(scenario.stem))


def _recalculated(file: Found, tmp_path: Path) -> formualizer.Workbook:
    path = rewrite(file.path, tmp_path / "stripped.xlsx", lambda sheet, text: text)
    book = formualizer.load_workbook(str(path))
    book.evaluate_all()
    return book


def _lines_of(file: Found, book: formualizer.Workbook) -> dict[str, dict[tuple[int, int], object]]:
    months = file.result.scenario.months + 1
    read: dict[str, dict[tuple[int, int], object]] = {}
    for place in file.places:
        for column in range(7, 7 + months) if place.months else [CONSTANT]:
            value = book.get_value(place.sheet, place.row, column)
            read.setdefault(place.sheet, {})[place.row, column] = value
    return read


def test_closed_forms_are_those_of_arithmetic(plain: Found) -> None:
    sheet = plain.book.sheets["Break_even"]
    # own: 500 + 10 months of 5 for the rack and of 0.1 hours at 50; API: 10 Mtok at 10 a month
    own, api = 500 + 10 * (5 + 0.1 * 50), 10 * 10 * 10
    assert (own, api) == (600, 1000)
    for label, used, flips in (
        ("Output tokens a month, cash", 10, 600 / 10 / 10),
        ("Output tokens a month", 10, 600 / 10 / 10),
        ("Price of a GPU bought", 500, 500 + (api - own)),
        ("API price of output tokens", 10, own / 10 / 10),
        ("Hours of work a month", 0.1, 0.1 + (api - own) / 10 / 50),
    ):
        row = row_of(sheet, label)
        assert sheet.number(row, 3) == pytest.approx(used)
        assert sheet.number(row, 4) == pytest.approx(flips), label
        assert sheet.number(row, 5) == pytest.approx(flips / used - 1)
        assert sheet.text(row, 6) == "holds"


def test_solved_values_stand_beside_a_live_check(plain: Found) -> None:
    sheet = plain.book.sheets["Break_even"]
    start = row_of(sheet, "Solved for the inputs as delivered, against api")
    shown = {
        label: cells(sheet, row_of(sheet, label, after=start))
        for label in ("Tokens a month", "Purchase price of a GPU", "Hours of work a month")
    }
    assert shown["Tokens a month"][2:4] == ["10 M", "6 M"]
    assert shown["Tokens a month"][4] == pytest.approx(6 / 10 - 1)
    assert shown["Tokens a month"][5:9] == ["holds", "api", "own", "both"]
    assert shown["Tokens a month"][9] == pytest.approx(0, abs=1e-9)
    assert shown["Purchase price of a GPU"][3] == "$900"
    assert shown["Hours of work a month"][3] == "0.9"
    for row, _ in sheet.data_rows():
        if row > start and sheet.text(row, 6):
            formula = str(sheet.cells[row, 6].formula)
            assert re.fullmatch(r'IF\(Checks!\$C\$4=1,Trials!\$D\$\d+,"run again"\)', formula)
    inputs = plain.book.sheets["Inputs"]
    where = plain.book.names["in_trial_1"]
    assert inputs.number(int(where.rpartition("$")[2]), 3) == pytest.approx(6e6)
    assert inputs.text(int(where.rpartition("$")[2]), ALLOWED) == "not to be changed"


def test_a_solved_value_is_shaded_and_a_closed_form_is_not(plain: Found) -> None:
    sheet = plain.book.sheets["Break_even"]
    start = row_of(sheet, "Solved for the inputs as delivered, against api")
    solved, live = (
        row_of(sheet, "Tokens a month", after=start),
        row_of(sheet, "Hours of work a month"),
    )
    assert sheet.cells[solved, 4].fill == "FFEDEDED"
    assert sheet.cells[solved, 4].formula is None
    assert sheet.cells[live, 4].fill in ("", None)
    assert str(sheet.cells[live, 4].formula).startswith("Comparison!")


def test_the_text_of_the_inputs_as_delivered_stands_on_the_sheet(plain: Found) -> None:
    for name in ("Break_even", "Sensitivity"):
        cell = plain.book.sheets[name].cells[3, LABEL]
        assert (cell.formula, cell.value) == ("Checks!$D$4", "inputs as delivered")


@pytest.mark.parametrize("found", SHOWN, indirect=True)
def test_rules_cached_values_and_every_line_of_a_trial(found: Found, tmp_path: Path) -> None:
    faults = {str(rule): list(rule.faults(found.book)) for rule in RULES}
    assert {says: wrong for says, wrong in faults.items() if wrong} == {}
    lines = {place.line for place in found.places}
    assert lines == set(found.result.model.graph.lines), "every line has its row"
    assert any(line.startswith("x1/") for line in lines)
    compared, _, wrong = found.compare(values(found.path), found.expected({}))
    assert compared > 0
    assert wrong == []
    assert 0 < len(found.trials.tried) <= MOST
    checks = found.book.sheets["Checks"]
    masked = [c for c in checks.cells.values() if "$C$4*Trials!" in str(c.formula)]
    # and the gap that the tornado starts from
    assert len(masked) == len(found.trials.tried) + (found.findings.tornado is not None)
    assert all(cell.value == 0 for cell in masked)


@pytest.mark.parametrize("found", SHOWN, indirect=True)
def test_changed_inputs_with_formualizer(found: Found, tmp_path: Path) -> None:
    book = _recalculated(found, tmp_path)
    assert disagreements(found.book, book.get_value) == []
    chance = random.Random(5)
    inputs = found.inputs
    tried = [given for given in inputs if given.name.startswith("trial_")]
    assert tried
    for group in (inputs, tried, *([given] for given in chance.sample(inputs, 6))):
        changes = {given.name: changed_value(given) for given in group}
        for given in group:
            book.set_value("Inputs", *found.position(given), changes[given.name])
        book.evaluate_all()
        _, _, wrong = found.compare(_lines_of(found, book), found.expected(changes))
        assert not wrong, "\n".join(map(str, wrong[:5]))
        assert book.get_value("Checks", 4, 4) == "inputs were changed"
        sheet = found.book.sheets["Break_even"]
        words = {
            book.get_value("Break_even", row, 6)
            for (row, column), cell in sheet.cells.items()
            if column == 6 and "run again" in str(cell.formula)
        }
        assert words == {"run again"}
        for given in group:
            book.set_value("Inputs", *found.position(given), given.value)


def test_changed_inputs_with_libreoffice(plain: Found, tmp_path: Path) -> None:
    changes = {given.name: changed_value(given) for given in plain.inputs}
    plain.edited(changes, tmp_path / "changed.xlsx")
    rewrite(plain.path, tmp_path / "same.xlsx", lambda sheet, text: text)
    names = ("same", "changed")
    recalculated = recalculate_with_libreoffice([tmp_path / f"{name}.xlsx" for name in names])
    same, changed = (
        {
            sheet: {_place(cell): value for cell, value in held.items()}
            for sheet, held in book.items()
        }
        for book in recalculated
    )
    assert {place.sheet for place in plain.places} >= {TRIALS}
    assert plain.compare(same, plain.expected({}))[2] == []
    assert plain.compare(changed, plain.expected(changes))[2] == []
    assert disagreements(plain.book, lambda sheet, row, col: same[sheet].get((row, col))) == []


def _place(cell: str) -> tuple[int, int]:
    match = re.fullmatch(r"([A-Z]+)(\d+)", cell)
    assert match
    return int(match[2]), column_number(match[1])


def test_a_wrong_solved_value_fails_the_check(plain: Found, tmp_path: Path) -> None:
    book = _recalculated(plain, tmp_path)
    number = next(one.number for one in plain.trials.tried if one.found.over == "tokens")
    row = int(plain.book.names[f"in_trial_{number}"].rpartition("$")[2])
    wrong = 6e6 * 1.001
    for column in (3, 4):  # and as delivered: a book that was delivered with a wrong number
        book.set_value("Inputs", row, column, wrong)
    book.evaluate_all()
    assert book.get_value("Checks", 4, 4) == "inputs as delivered"
    assert book.get_value("Checks", 3, 4) == "CHECKS FAIL"
    sheet = plain.book.sheets["Break_even"]
    shown = row_of(sheet, "Tokens a month")
    assert book.get_value("Break_even", shown, 6) == "FAILS"
    # 0.1 % more of 600 is paid to the API
    assert book.get_value("Break_even", shown, 10) == pytest.approx(600 * 0.001)


@pytest.mark.parametrize("found", ["hybrid-peak"], indirect=True)
def test_where_the_cost_leaps_the_saving_changes_its_sign(found: Found) -> None:
    leaps = [tried for tried in found.trials.tried if tried.leaps]
    assert leaps
    sheet = found.book.sheets["Break_even"]
    for tried in leaps:
        label = tried.found.axis.label
        shown = row_of(sheet, label[:1].upper() + label[1:])
        below, above = sheet.number(shown, 10), sheet.number(shown, 11)
        assert below is not None
        assert above is not None
        assert below * above < 0
        assert sheet.text(shown, 6) == "holds"
        cheaper = tried.found.nearest
        assert cheaper is not None
        assert (below > 0) == (cheaper.below == tried.found.this)


def test_no_more_than_six_are_put_back_those_without_a_closed_form_first(plain: Found) -> None:
    flips = [flip for flip in plain.findings.flips if flip.crossings]
    many = [replace(flip, over=f"{flip.over} {n}") for n in range(3) for flip in flips]

    class Many:
        tornado = None
        flips: tuple[BreakEven, ...] = tuple(many)

    tried = Trials(plain.original, cast(Findings, Many())).tried
    assert len(many) > MOST == len(tried)
    words = [one.found.axis.word for one in tried]
    closed = ("tokens", "hardware-price", "token-price", "staff-hours")
    assert [word in closed for word in words] == sorted(word in closed for word in words)


def test_without_findings_the_sheet_says_so(plain: Found, tmp_path: Path) -> None:
    write_workbook(plain.original, tmp_path / "book.xlsx")
    book = opened(tmp_path / "book.xlsx")
    assert TRIALS not in book.sheets
    sheet = book.sheets["Break_even"]
    start = row_of(sheet, "Solved for the inputs as delivered, against api")
    assert sheet.text(start + 1, LABEL) == "Nothing was solved for this workbook."
    assert sheet.text(row_of(sheet, "Price of a GPU bought"), 6) == "holds"
    for rule in RULES:
        assert list(rule.faults(book)) == [], rule


def test_where_nothing_is_compared_there_is_no_such_sheet(tmp_path: Path) -> None:
    scenario = next(path for path in SCENARIOS if path.stem == "lease-or-buy")
    write_workbook(run(scenario), tmp_path / "book.xlsx")
    assert not {"Break_even", "Sensitivity", TRIALS} & set(opened(tmp_path / "book.xlsx").sheets)


@pytest.mark.parametrize("found", ["midteam"], indirect=True)
def test_a_workbook_grows_by_no_more_than_three_fifths(found: Found, tmp_path: Path) -> None:
    write_workbook(found.original, tmp_path / "without.xlsx")
    assert found.path.stat().st_size < 1.6 * (tmp_path / "without.xlsx").stat().st_size


@pytest.mark.parametrize("found", ["midteam"], indirect=True)
def test_every_pair_of_the_option_has_its_closed_forms(found: Found) -> None:
    result = found.original
    sheet = found.book.sheets["Break_even"]
    assert result.focus is not None
    for pair in result.model.pairs:
        if pair.this.name != result.focus:
            continue
        start = row_of(sheet, f"Live, against {pair.other.name}")
        row = row_of(sheet, "Price of a GPU bought", after=start)
        comparison = result.comparison(result.focus, pair.other.name)
        price = comparison["break_even_hardware_price"]
        if price is None:
            assert sheet.text(row, 4) == "never"
        else:
            assert sheet.number(row, 4) == pytest.approx(price)
        assert sheet.text(row, 6) == "holds"
