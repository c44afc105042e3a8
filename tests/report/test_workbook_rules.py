"""Every machine-checkable rule of a workbook that finance signs sees a file that breaks it.

That all delivered files hold to the rules is seen where they are recalculated, in tests/parity.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tco.report.workbook import write_workbook
from tco.results import Result, run
from tests.parity.delivered import SCENARIOS, Delivered, values
from tests.report.opened import opened, rewritten
from tests.report.rules import RULES, Rule

BROKEN = next(scenario for scenario in SCENARIOS if scenario.stem == "five-numbers")


@pytest.fixture(scope="module")
def whole(deliver: Callable[[Path], Delivered]) -> Delivered:
    """The delivered file that is broken in all ways."""
    return deliver(BROKEN)


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_broken(rule: Rule, whole: Delivered, tmp_path: Path) -> None:
    book = whole.book
    parts = dict(book.parts)
    rule.spoil(book, parts)
    changed = {name: text for name, text in parts.items() if text != book.parts.get(name)}
    assert changed, "nothing was broken"
    broken = rewritten(whole.path, tmp_path / "broken.xlsx", changed)
    assert list(rule.faults(opened(broken))), f"{rule} was broken and nobody saw it"


def test_a_cached_value_that_is_not_the_engines_is_seen(whole: Delivered) -> None:
    cells = values(whole.path)
    place = next(place for place in whole.places if place.line == "o1/npv_of_cost")
    cells[place.sheet][place.row, 4] = cells[place.sheet][place.row, 4] * 1.000001  # type: ignore[operator]
    assert [d.place.line for d in whole.compare(cells, whole.expected({}))[2]] == ["o1/npv_of_cost"]


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
        f"name: many\nmonths: 12\nbaseline: 15{long[:33]}\n"
        f"demand: {{output_tokens: 1 M}}\noptions:\n{options}"
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
