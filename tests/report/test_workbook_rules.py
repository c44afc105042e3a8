"""Every machine-checkable rule of a workbook that finance signs, on every delivered file.

Each rule has a twin, in which a delivered file is broken on purpose and the rule has to see it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tco.report.workbook import write_workbook
from tco.results import Result, run
from tests.parity.delivered import Delivered, numbers
from tests.recalculation import (
    Values,
    recalculate_with_formualizer,
    recalculate_with_libreoffice,
)
from tests.report.opened import Opened, address, opened, rewritten
from tests.report.rules import RULES, Rule

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").rglob("*.yaml"))
BROKEN = next(scenario for scenario in SCENARIOS if scenario.stem == "five-numbers")


@pytest.fixture(scope="module")
def delivered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The delivered file of every scenario."""
    folder = tmp_path_factory.mktemp("delivered")
    for scenario in SCENARIOS:
        write_workbook(run(scenario), folder / f"{scenario.stem}.xlsx")
    return {scenario.stem: folder / f"{scenario.stem}.xlsx" for scenario in SCENARIOS}


@cache
def _opened(path: Path) -> Opened:
    return opened(path)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.stem)
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_rule(rule: Rule, scenario: Path, delivered: dict[str, Path]) -> None:
    assert list(rule.faults(_opened(delivered[scenario.stem]))) == []


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_broken(rule: Rule, delivered: dict[str, Path], tmp_path: Path) -> None:
    whole = delivered[BROKEN.stem]
    book = _opened(whole)
    parts = dict(book.parts)
    rule.spoil(book, parts)
    changed = {name: text for name, text in parts.items() if text != book.parts.get(name)}
    assert changed, "nothing was broken"
    broken = rewritten(whole, tmp_path / "broken.xlsx", changed)
    assert list(rule.faults(opened(broken))), f"{rule} was broken and nobody saw it"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.stem)
def test_cached_values_are_the_engines(scenario: Path, tmp_path: Path) -> None:
    file = Delivered(scenario, tmp_path)
    compared, _, wrong = file.compare(numbers(file.path), file.expected({}))
    assert compared > 0
    assert wrong == []


def test_a_cached_value_that_is_not_the_engines_is_seen(tmp_path: Path) -> None:
    file = Delivered(BROKEN, tmp_path)
    cells = numbers(file.path)
    place = next(place for place in file.places if place.line == "o1/npv_of_cost")
    cells[place.sheet][place.row, 4] = cells[place.sheet][place.row, 4] * 1.000001  # type: ignore[operator]
    assert [d.place.line for d in file.compare(cells, file.expected({}))[2]] == ["o1/npv_of_cost"]


def test_words_and_links_recalculated_by_formualizer(delivered: dict[str, Path]) -> None:
    for path in delivered.values():
        _agree(_opened(path), recalculate_with_formualizer(path))


def test_words_and_links_recalculated_by_libreoffice(delivered: dict[str, Path]) -> None:
    for path, values in zip(
        delivered.values(), recalculate_with_libreoffice(list(delivered.values())), strict=True
    ):
        _agree(_opened(path), values)


def _agree(book: Opened, recalculated: Values) -> None:
    """Every formula that is not traced (Summary, Checks, words, totals) says what was cached."""
    for sheet, cell in book.formulas():
        found = recalculated[sheet.name][address(cell.row, cell.column)]
        where = f"{sheet.name}!{address(cell.row, cell.column)}: {cell.formula}"
        if isinstance(cell.value, float) and cell.column not in sheet.month_columns:
            assert found == pytest.approx(cell.value, rel=1e-9, abs=1e-6), where
        elif isinstance(cell.value, str):
            assert _same_words(str(found), cell.value), f"{where}: {found} is not {cell.value}"


NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def _same_words(found: str, cached: str) -> bool:
    """Whether two texts are the same, but for halves that were rounded either way."""
    if NUMBER.sub("", found) != NUMBER.sub("", cached):
        return False
    for one, two in zip(NUMBER.findall(found), NUMBER.findall(cached), strict=True):
        places = [len(number.partition(".")[2]) for number in (one, two)]
        gap = abs(float(one.replace(",", "")) - float(two.replace(",", "")))
        if places[0] != places[1] or gap > 1.001 * 10.0 ** -places[0]:
            return False
    return True


def test_words_differ_by_more_than_a_half() -> None:
    assert _same_words("USD 5,224,549 less", "USD 5,224,548 less")
    assert not _same_words("USD 5,224,550 less", "USD 5,224,548 less")
    assert not _same_words("USD 5,224,548 more", "USD 5,224,548 less")
    assert not _same_words("month 1.25", "month 1.3")


SPOKEN = """
name: "=1+1"
question: "@SUM(A1) and http://example.com"
demand: {output_tokens: 50 M}
hardware: {rtx-4090: {price: 1599, output_rate: RATE}}
options:
  "=cmd|' /C calc'!A0": {own: rtx-4090, count: 1}
  "@SUM(A1)": {api: "+gpt", output_price: {value: 0.1, source: "=HYPERLINK(1)", note: "-2+3"}}
"""


def _result(tmp_path: Path, text: str) -> Result:
    path = tmp_path / "scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return run(path)


def test_what_users_type_stays_text(tmp_path: Path) -> None:
    result = _result(tmp_path, SPOKEN.replace("RATE", "800"))
    write_workbook(result, tmp_path / "book.xlsx")
    book = opened(tmp_path / "book.xlsx")
    for _, cell in book.formulas():
        for piece in ("cmd", "HYPERLINK", "gpt", "1+1"):
            assert piece not in str(cell.formula)
    assert book.sheets["Summary"].text(1, 1) == "=1+1"
    names = [book.sheets["Summary"].text(row, 1) for row in (13, 14)]
    assert sorted(name.split("  ")[0] for name in names) == ["=cmd|' /C calc'!A0", "@SUM(A1)"]
    assert not any("<hyperlink" in part for part in book.parts.values())
    for rule in RULES:
        assert list(rule.faults(book)) == [], rule


def test_an_option_that_cannot_serve_is_named_and_not_ranked(tmp_path: Path) -> None:
    result = _result(tmp_path, SPOKEN.replace("RATE", "1"))
    write_workbook(result, tmp_path / "book.xlsx")
    summary = opened(tmp_path / "book.xlsx").sheets["Summary"]
    assert summary.text(7, 1).startswith("Cheapest is @SUM(A1): ")
    row = next(row for row in summary.rows if summary.text(row, 1).startswith("=cmd|"))
    assert summary.text(row, 6) == "infeasible"
    # 3,600 x 730 of 50 million tokens are served
    assert summary.text(row, 8) == f"{1 - 3600 * 730 / 50e6:.0%} unserved"


def test_never_is_a_word_and_its_marker_lies_beyond_the_axis(tmp_path: Path) -> None:
    result = _result(tmp_path, SPOKEN.replace("RATE", "800"))
    write_workbook(result, tmp_path / "book.xlsx")
    book = opened(tmp_path / "book.xlsx")
    assert book.sheets["Summary"].text(9, 1).startswith("Break-even: never, short by USD ")
    chart = book.parts["xl/charts/chart1.xml"]
    assert '<c:max val="36"/>' in chart
    assert result.value("p1/break_even_month") == 37


def test_twelve_options_and_the_baseline_are_kept(tmp_path: Path) -> None:
    long = "很长的中文名称" * 5
    options = "".join(f"  {n}{long[:33]}: {{api: m{n}, output_price: {n}}}\n" for n in range(1, 16))
    text = (
        f"name: many\nbaseline: 15{long[:33]}\ndemand: {{output_tokens: 1 M}}\noptions:\n{options}"
    )
    result = _result(tmp_path, text)
    write_workbook(result, tmp_path / "book.xlsx")
    book = opened(tmp_path / "book.xlsx")
    summary = book.sheets["Summary"]
    shown = [summary.text(row, 1) for row in range(13, 25)]
    assert all(shown)
    assert shown[-1].startswith("15")
    assert summary.text(25, 1).startswith("3 more on their own sheets")
    assert sum(name.startswith("Option_") for name in book.sheets) == 15
    for rule in RULES:
        assert list(rule.faults(book)) == [], rule


def test_the_same_result_gives_the_same_bytes(tmp_path: Path) -> None:
    result = run(BROKEN)
    write_workbook(result, tmp_path / "one.xlsx")
    write_workbook(result, tmp_path / "two.xlsx")
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()


def test_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="absent"):
        write_workbook(run(BROKEN), tmp_path / "absent" / "book.xlsx")
