"""The sheet Sensitivity: what the gap is made of, live; tornado and simulation as delivered."""

from __future__ import annotations

import re
from pathlib import Path

import formualizer
import pytest

from tco.analysis.attribution import attribute
from tco.analysis.uncertainty import sentence
from tco.report.workbook import write_workbook
from tco.results import run
from tests.parity.delivered import rewrite
from tests.report.found import PLAIN, Found, cells, row_of
from tests.report.opened import LABEL, Sheet, opened
from tests.report.rules import RULES

PARTS = "What the gap is made of, live"
TORNADO = "What moves the gap, solved for the inputs as delivered"
SIMULATION = "How sure it is, solved for the inputs as delivered"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Found:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "plain.yaml").write_text(PLAIN, encoding="utf-8")
    return Found(folder / "plain.yaml", folder)


@pytest.fixture(scope="module")
def sheet(plain: Found) -> Sheet:
    return plain.book.sheets["Sensitivity"]


def test_the_parts_are_those_of_arithmetic_and_add_up(sheet: Sheet) -> None:
    start = row_of(sheet, PARTS)
    # a month of ten, without discounting: 500 / 10 of hardware, 0.1 hours at 50
    for label, own, api in (
        ("Hardware", 50, 0),
        ("API", 0, 100),
        ("Staff", 5, 0),
        ("Rack", 5, 0),
    ):
        row = row_of(sheet, label, after=start)
        assert cells(sheet, row)[1:] == pytest.approx([own, api, own - api])
        for column in (2, 3, 4):
            assert str(sheet.cells[row, column].formula).startswith("Comparison!")
    total = row_of(sheet, "All parts, and the gap itself")
    assert cells(sheet, total)[1:3] == pytest.approx([-40, -40])
    assert sheet.text(total, 6) == "holds"


def test_the_parts_are_those_of_the_attribution(tmp_path: Path) -> None:
    result = run(Path(__file__).parents[2] / "scenarios" / "solo.yaml")
    write_workbook(result, tmp_path / "book.xlsx")
    sheet = opened(tmp_path / "book.xlsx").sheets["Sensitivity"]
    assert result.focus is not None
    assert result.baseline is not None
    start = row_of(sheet, PARTS)
    for part in attribute(result, result.focus, result.baseline).parts:
        row = row_of(sheet, part.label[:1].upper() + part.label[1:], after=start)
        found = cells(sheet, row)[1:]
        assert found == pytest.approx([part.this, part.other, part.difference])


def test_the_tornado_is_that_of_arithmetic(plain: Found, sheet: Sheet) -> None:
    start = row_of(sheet, TORNADO)
    assert cells(sheet, start + 1)[:4] == ["The gap as delivered, and now", -40, -40, "holds"]
    # own costs 60 a month at any number of tokens; the API 10 for each million
    tokens = cells(sheet, row_of(sheet, "Output tokens a month", after=start))
    assert tokens[1:3] == ["4 M", "30 M"]
    assert tokens[3:6] == pytest.approx([60 - 40, 60 - 300, 260])
    assert tokens[6] == "6 M"
    price = cells(sheet, row_of(sheet, "Purchase price of a GPU (mine)", after=start))
    assert price[1:3] == ["$400", "$1,500"]
    assert price[3:6] == pytest.approx([50 - 100, 160 - 100, 110])
    assert price[6] == "$900"
    moved = plain.findings.tornado
    assert moved is not None
    swings = [bar.swing for bar in moved.bars]
    rows = range(start + 3, start + 3 + len(swings))
    assert [sheet.number(row, 6) for row in rows] == pytest.approx(swings)
    assert swings == sorted(swings, reverse=True)
    assert all(sheet.cells[row, 4].fill == "FFEDEDED" for row in rows)


def test_the_chart_draws_each_bar_from_one_gap_to_the_other(plain: Found, sheet: Sheet) -> None:
    drawn = next(text for name, text in plain.book.parts.items() if _is_bars(name, text))
    assert '<c:grouping val="stacked"/>' in drawn
    series = re.findall(r"<c:val><c:numRef><c:f>Sensitivity!\$([A-Z])\$(\d+):\$\1\$(\d+)", drawn)
    assert [column for column, _, _ in series] == ["K", "L", "M", "N", "O"]
    first, last = int(series[0][1]), int(series[0][2])
    for row in range(first, last + 1):
        # what is not drawn, two pieces below 0, two above: together from one end to the other
        hidden, *pieces = (sheet.number(row, column) or 0.0 for column in range(11, 16))
        ends = sorted([sheet.number(row, 4) or 0.0, sheet.number(row, 5) or 0.0])
        assert sum(map(abs, pieces)) == pytest.approx(ends[1] - ends[0])
        low = min(hidden, 0.0) + pieces[0] + pieces[1]
        high = max(hidden, 0.0) + pieces[2] + pieces[3]
        assert (low if ends[0] < 0 else hidden) == pytest.approx(ends[0])
        assert (high if ends[1] > 0 else hidden) == pytest.approx(ends[1])


def _is_bars(name: str, text: str) -> bool:
    return name.startswith("xl/charts/chart") and "<c:barChart>" in text


def test_the_simulation_is_that_of_the_engine(plain: Found, sheet: Sheet) -> None:
    simulation = plain.findings.simulation
    assert simulation is not None
    start = row_of(sheet, SIMULATION)
    assert sheet.text(start + 1, LABEL) == "10,000 draws, seed 1, 3 inputs varied"
    chances = 0.0
    for one in simulation.options:
        row = row_of(sheet, one.name, after=start)
        assert cells(sheet, row)[1:] == pytest.approx([
            one.chance, one.chance_low, one.chance_high, one.serves,
            one.expected_regret, one.p10, one.p50, one.p90,
        ], rel=1e-14)  # fmt: skip
        assert one.chance is not None
        chances += sheet.number(row, 2) or 0.0
        assert sheet.cells[row, 2].fill == "FFEDEDED"
    assert chances == pytest.approx(1)


def test_the_summary_says_the_chance_as_the_terminal_does(plain: Found) -> None:
    said = sentence(plain.original, plain.findings.simulation)
    assert said is not None
    summary = plain.book.sheets["Summary"]
    texts = " ".join(summary.text(row, LABEL) for row in sorted(summary.rows))
    assert f"As delivered: {said}" in texts


def test_a_change_moves_the_parts_and_asks_for_another_run(plain: Found, tmp_path: Path) -> None:
    path = rewrite(plain.path, tmp_path / "stripped.xlsx", lambda sheet, text: text)
    book = formualizer.load_workbook(str(path))
    row = int(plain.book.names["in_h1_price"].rpartition("$")[2])
    book.set_value("Inputs", row, 3, 700)
    book.evaluate_all()
    sheet = plain.book.sheets["Sensitivity"]
    hardware = row_of(sheet, "Hardware")
    assert book.get_value("Sensitivity", hardware, 2) == pytest.approx(70)
    total = row_of(sheet, "All parts, and the gap itself")
    assert book.get_value("Sensitivity", total, 4) == pytest.approx(-20)
    assert book.get_value("Sensitivity", total, 6) == "holds"
    start = row_of(sheet, TORNADO)
    found = [book.get_value("Sensitivity", start + 1, column) for column in (2, 3, 4)]
    assert found == [-40, pytest.approx(-20), "run again"]
    assert book.get_value("Checks", 3, 4) == "ALL CHECKS PASS"


def test_a_scenario_without_ranges_says_what_is_missing(tmp_path: Path) -> None:
    text = re.sub(r"\{value: ([^,]+), low[^}]*\}", r"\1", PLAIN)
    (tmp_path / "plain.yaml").write_text(text, encoding="utf-8")
    found = Found(tmp_path / "plain.yaml", tmp_path)
    sheet = found.book.sheets["Sensitivity"]
    none = sheet.text(row_of(sheet, TORNADO) + 1, LABEL)
    assert none == "No input has a low and a high, or none moves the gap: nothing is drawn."
    none = sheet.text(row_of(sheet, SIMULATION) + 1, LABEL)
    assert none == "No input has a low and a high: nothing is drawn from."
    assert not any(_is_bars(name, text) for name, text in found.book.parts.items())
    for rule in RULES:
        assert list(rule.faults(found.book)) == [], rule
