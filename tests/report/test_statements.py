"""Statements, fiscal years on the Summary, internal rates: right values, and what happens to them.

The amounts by period are held against `tco.analysis.statement`, which adds up months by itself.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tco.analysis.statement import by_fiscal_quarter, by_fiscal_year
from tco.engine.operations import Reference
from tco.report.workbook import write_workbook
from tco.report.workbook.order import reading_order
from tco.results import Result, run
from tests.recalculation import recalculate_with_formualizer
from tests.report.opened import (
    CONSTANT,
    MONTH_0,
    NOTE,
    TOTAL,
    Opened,
    Sheet,
    address,
    opened,
    rewritten,
)
from tests.report.rules import with_cell

SCENARIOS = Path(__file__).parents[2] / "scenarios"
TAXED = """
name: taxed
start: 2026-11
months: {months}
fiscal_year_end: 3
tax: {{rate: 25%}}
accounts: {{rent_cost: 6420 Rent, net_cash_flow: 1000 Bank}}
demand: {{output_tokens: 10 M}}
hardware: {{mine: {{price: 1200, tdp: 0 W, output_rate: 100}}}}
options:
  own: {{own: mine, count: 1, life_months: 12}}
  rent: {{rent: mine, count: 1, price: 0.1}}
  api: {{api: theirs, output_price: 11}}
"""
ONE_MONTH = """
name: one month
months: 1
demand: {output_tokens: 1 M}
hardware: {mine: {price: 100, tdp: 0 W, output_rate: 100}}
options:
  own: {own: mine, count: 1}
  api: {api: theirs, output_price: PRICE}
"""


def _written(tmp_path: Path, text: str) -> tuple[Result, Opened]:
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(text, encoding="utf-8")
    result = run(scenario)
    write_workbook(result, tmp_path / "book.xlsx")
    return result, opened(tmp_path / "book.xlsx")


def _line(sheet: Sheet, row: int) -> str:
    return sheet.text(row, NOTE).rpartition(": ")[2]


@pytest.mark.parametrize("name", ["midteam", "china-4090-tax", "us-hgx-h100-loan", "lease-or-buy"])
def test_periods_are_those_of_the_months(name: str, tmp_path: Path) -> None:
    result = run(SCENARIOS / f"{name}.yaml")
    write_workbook(result, tmp_path / "book.xlsx")
    book = opened(tmp_path / "book.xlsx")
    compared = 0
    for option in result.model.complete:
        sheet = book.sheets[f"Statement_{option.number}"]
        years, quarters = sheet.period_columns
        for columns, statement in (
            (years[:-1], by_fiscal_year(result, option.name)),
            (quarters, by_fiscal_quarter(result, option.name)),
        ):
            assert tuple(sheet.text(4, c) for c in columns) == statement.periods
            for number, _ in sheet.data_rows():
                found = statement.row(_line(sheet, number))
                if found is None:
                    continue
                amounts = [sheet.number(number, c) for c in columns]
                assert amounts == pytest.approx(found.amounts, rel=1e-9, abs=1e-6), found.line
                compared += len(amounts)
        for row in ("capex", "net_cash_flow", "pretax_cost"):
            months = sum(result.months(option.line(row)))
            assert sheet.number(sheet.row_noted(row), TOTAL) == pytest.approx(months, abs=1e-6)
    assert compared > 100


def test_a_fiscal_year_by_hand(tmp_path: Path) -> None:
    # 2026-11 to 2027-03 are five months of the year that ends in March 2027; the purchase of
    # month 0 is in it, and 25 % of 5 x 100 of depreciation is saved in its last month
    _, book = _written(tmp_path, TAXED.format(months=24))
    sheet = book.sheets["Statement_1"]
    years = sheet.period_columns[0]
    assert [sheet.text(4, c) for c in years] == ["FY2027", "FY2028", "FY2029", "all fiscal years"]
    assert [sheet.text(4, c) for c in sheet.period_columns[1]][:3] == [
        "FY2027 Q3",
        "FY2027 Q4",
        "FY2028 Q1",
    ]

    def amounts(line: str) -> list[float | None]:
        return [sheet.number(sheet.row_noted(line), c) for c in years]

    assert amounts("operating_cash_flow") == [-1200, 0, 0, -1200]
    assert amounts("tax_cash_flow") == pytest.approx([5 * 100 * 0.25, 7 * 100 * 0.25, 0, 300])
    assert amounts("depreciation") == pytest.approx([500, 700, 0, 1200])
    assert amounts("cumulative_net_cash_flow") == pytest.approx([-1075, -900, -900, None])


def test_the_summary_shows_fiscal_years_only_where_there_are_several(tmp_path: Path) -> None:
    result, book = _written(tmp_path, TAXED.format(months=24))
    summary = book.sheets["Summary"]
    assert (result.focus, result.baseline) == ("own", "api")
    heads = {summary.text(row, 1): row for row in summary.rows}
    row = heads["Less the baseline, + is money in"]
    assert [summary.text(row, c) for c in range(2, 6)] == ["FY2027", "FY2028", "FY2029", "Total"]
    # the API costs 110 a month: five of them saved, less the card
    operating = [
        summary.number(heads["Operating cash, purchases included"], c) for c in range(2, 6)
    ]
    assert operating == pytest.approx([5 * 110 - 1200, 12 * 110, 7 * 110, 24 * 110 - 1200])
    assert summary.number(heads["   of which purchases"], 2) == -1200
    # profit: what the API would have cost, less depreciation
    profit = [summary.number(heads["Profit before tax"], c) for c in range(2, 6)]
    assert profit == pytest.approx([550 - 500, 1320 - 700, 770, 2640 - 1200])
    assert "Cumulative net cash" in heads
    _, short = _written(tmp_path, TAXED.format(months=12))
    labels = [short.sheets["Summary"].text(row, 1) for row in short.sheets["Summary"].rows]
    assert "Less the baseline, + is money in" not in labels
    row = labels.index("Peak funding beyond baseline, its month") + 1
    # the card in month 0; from then on it saves 110 of the API a month
    assert [short.sheets["Summary"].number(row, c) for c in (2, 3)] == [1200, 0]


def test_what_needs_no_funding_and_is_ahead_from_the_start_says_so(tmp_path: Path) -> None:
    text = TAXED.format(months=24).replace("mine, count: 1, price: 0.1", "mine, count: 1, price: 0")
    _, book = _written(
        tmp_path, text.replace("  own: {own: mine, count: 1, life_months: 12}\n", "")
    )
    summary = book.sheets["Summary"]
    labels = {summary.text(row, 1): row for row in summary.rows}
    row = labels["Peak funding beyond baseline, its month"]
    assert [summary.text(row, c) for c in (2, 3)] == ["none", "none"]
    assert any(label.startswith("It is ahead from month 0 on; ") for label in labels)


def test_accounts_stand_in_the_notes(tmp_path: Path) -> None:
    _, book = _written(tmp_path, TAXED.format(months=24))
    rent = book.sheets["Statement_2"]
    row = rent.row_noted("rent_cost")
    assert rent.text(row, NOTE) == "account 6420 Rent: rent_cost"
    assert rent.text(row, 1).startswith("6420 Rent: ")
    assert rent.text(row, 1).endswith(" (supply 1)")
    assert rent.text(rent.row_noted("net_cash_flow"), NOTE) == "account 1000 Bank: net_cash_flow"
    inputs = book.sheets["Inputs"]
    structure = {inputs.text(row, 1): inputs.text(row, 3) for row in inputs.rows}
    assert structure["Account of rent_cost"] == "6420 Rent"
    assert structure["A fiscal year ends"] == "with month 3 of the calendar year"
    assert structure["Deducted for tax, option 1, supply 1"] == "as in the books"


def test_an_account_is_added_up_below_its_parts(tmp_path: Path) -> None:
    # two supplies of one option at 0.1 and 0.2 an hour, 730 hours: 73 and 146 a month
    text = TAXED.format(months=24).replace(
        "  rent: {rent: mine, count: 1, price: 0.1}",
        "  rent: [{rent: mine, count: 1, price: 0.1}, {rent: mine, count: 1, price: 0.2}]",
    )
    _, book = _written(tmp_path, text)
    sheet = book.sheets["Statement_2"]
    total = next(r for r in sheet.rows if sheet.text(r, 1) == "6420 Rent: all of it")
    months = [
        [sheet.number(row, MONTH_0 + m) for row in range(total - 2, total + 1)] for m in (0, 1)
    ]
    assert months == [[0, 0, 0], pytest.approx([73, 146, 219])]
    assert sheet.cells[total, MONTH_0].formula == f"SUM(G{total - 2}:G{total - 1})"


def test_tax_saved_by_loans_stands_in_cash_and_in_the_books(tmp_path: Path) -> None:
    result = run(SCENARIOS / "lease-or-buy.yaml")
    write_workbook(result, tmp_path / "book.xlsx")
    book = opened(tmp_path / "book.xlsx")
    sheet = book.sheets["Statement_2"]
    rows = {sheet.text(row, 1): row for row in sheet.rows}
    saved = sum(result.months(result.option("loan").line("financing_tax")))
    assert saved > 0
    for label in (
        "Tax saved by loans and leases",
        "Less: tax saved by loans and leases, in the books",
    ):
        assert sheet.number(rows[label], TOTAL) == pytest.approx(saved)
    # the four rows of cash come to the fifth
    names = ("Operating cash flow before tax", "Tax cash flow", "Financing cash flow",
             "Tax saved by loans and leases")  # fmt: skip
    cash = sum(sheet.number(rows[name], TOTAL) or 0 for name in names)
    assert sheet.number(rows["Net cash flow"], TOTAL) == pytest.approx(cash)
    summary = book.sheets["Summary"]
    verdicts = {
        summary.text(r, 1): (summary.number(r, 2), summary.text(r, 3)) for r in summary.rows
    }
    for option, word in (("lease-and-return", "lease"), ("lease-to-own", "buy")):
        worth, said = verdicts[f"Lease or buy: {option}"]
        line = result.option(option).supplies[0].scope.line("net_advantage_of_leasing")
        assert worth == pytest.approx(result.value(line))
        assert said == word


def test_quotes_too_close_to_call_are_said_first(tmp_path: Path) -> None:
    result = run(SCENARIOS / "two-quotes.yaml")
    write_workbook(result, tmp_path / "book.xlsx")
    summary = opened(tmp_path / "book.xlsx").sheets["Summary"]
    answer = next(row for row in summary.rows if summary.text(row, 1).startswith("ANSWER"))
    assert summary.text(answer + 1, 1).startswith("As delivered: Too close to call: ")


def test_an_internal_rate_is_solved_and_held_to_the_inputs_as_delivered(tmp_path: Path) -> None:
    # 100 spent for 110 saved a month later: 10 % a month, 1.1^12 - 1 a year
    _, book = _written(tmp_path, ONE_MONTH.replace("PRICE", "110"))
    inputs = book.sheets["Inputs"]
    row = int(book.names["in_irr_1_1"].rpartition("$")[2])
    assert inputs.number(row, 3) == pytest.approx(0.1, rel=1e-12)
    summary = book.sheets["Summary"]
    shown = next(cell for cell in summary.cells.values() if "run again" in str(cell.formula))
    assert shown.value == pytest.approx(1.1**12 - 1, rel=1e-9)
    _, worse = _written(tmp_path, ONE_MONTH.replace("PRICE", "0"))
    words = [cell.value for cell in worse.sheets["Comparison"].cells.values()]
    assert "none" in words
    assert "no sign change: every month costs more" in words


def test_a_changed_input_asks_for_another_run_and_fails_no_check(tmp_path: Path) -> None:
    _, book = _written(tmp_path, ONE_MONTH.replace("PRICE", "110"))
    cell = next(where for name, where in book.names.items() if name.endswith("output_price"))
    parts = dict(book.parts)
    place = cell.rpartition("!")[2].replace("$", "")
    with_cell(parts, "Inputs", place, lambda xml: xml.replace("<v>110</v>", "<v>120</v>"))
    changed = {name: text for name, text in parts.items() if text != book.parts[name]}
    path = rewritten(tmp_path / "book.xlsx", tmp_path / "changed.xlsx", changed)
    values = recalculate_with_formualizer(path)
    shown = next(
        address(cell.row, cell.column)
        for cell in book.sheets["Summary"].cells.values()
        if "run again" in str(cell.formula)
    )
    assert values["Summary"][shown] == "run again"
    comparison = book.sheets["Comparison"]
    off = next(
        r for r in comparison.rows if comparison.text(r, 1) == "Worth something at root 1, pair 1"
    )
    assert values["Comparison"][address(off, CONSTANT)] == 1
    assert values["Checks"]["C3"] == 0


def test_balances_read_opening_additions_reductions_closing() -> None:
    graph = run(SCENARIOS / "us-hgx-h100-loan.yaml").model.graph
    names = [name for group in graph.order for name in group]
    order = reading_order(graph, names)
    assert sorted(order) == sorted(names)
    place = {name: at for at, name in enumerate(order)}
    for name in names:
        assert all(
            place[read] < place[name] or argument.previous
            for read, argument in (
                (argument.line, argument)
                for argument in graph.lines[name].arguments.values()
                if isinstance(argument, Reference) and argument.line in place
            )
        ), name
    balance = [
        f"o2/s1/{line}" for line in ("opening_loan", "loan_drawn", "loan_principal", "loan_balance")
    ]
    assert sorted(balance, key=place.__getitem__) == balance
    tax = [
        f"o2/s1/t/{line}"
        for line in ("opening_book_value", "depreciation", "disposed_value", "book_value")
    ]
    assert sorted(tax, key=place.__getitem__) == tax
