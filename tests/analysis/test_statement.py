"""An option's statement by fiscal year and quarter: the months of each added up."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tco.analysis.statement import by_fiscal_quarter, by_fiscal_year
from tco.results import Result, run

Ask = Callable[[str], Result]
# 1,200 for a card that is written off over 12 months, and 10 a month
OWNED = """
options: {own: {own: l40s, count: 1, price: 1200, tdp: 0 W, life_months: 12}}
other_costs: [{name: rack, amount: 10, per: month}]
"""


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def from_text(text: str) -> Result:
        path = tmp_path / "case.yaml"
        path.write_text(f"name: statement\ndiscount_rate: 0%\n{text}", encoding="utf-8")
        return run(path)

    return from_text


def amounts(result: Result, line: str) -> dict[str, float]:
    statement = by_fiscal_year(result, "own")
    row = statement.row(line)
    assert row is not None, line
    return dict(zip(statement.periods, row.amounts, strict=True))


@pytest.mark.parametrize(
    ("when", "years"),
    [
        # named after the calendar year in which it ends; month 0 lies in the year of month 1
        ("start: 2027-01\n", {"FY2027": 12, "FY2028": 6}),
        ("start: 2026-12\n", {"FY2026": 1, "FY2027": 12, "FY2028": 5}),
        ("start: 2027-01\nfiscal_year_end: 3\n", {"FY2027": 3, "FY2028": 12, "FY2029": 3}),
        ("start: 2027-04\nfiscal_year_end: 3\n", {"FY2028": 12, "FY2029": 6}),
        ("start: 2027-09\nfiscal_year_end: 6\n", {"FY2028": 10, "FY2029": 8}),
        ("", {"year 1": 12, "year 2": 6}),
    ],
)
def test_fiscal_years_are_named_by_their_end(ask: Ask, when: str, years: dict[str, int]) -> None:
    result = ask(f"months: 18\n{when}{OWNED}")
    paid = amounts(result, "operating_cash_flow")
    first = next(iter(years))
    assert paid == pytest.approx(
        {year: -10 * months - (1200 if year == first else 0) for year, months in years.items()}
    )


def test_quarters_are_those_of_the_fiscal_year(ask: Ask) -> None:
    result = ask(f"months: 8\nstart: 2027-02\nfiscal_year_end: 3\n{OWNED}")
    statement = by_fiscal_quarter(result, "own")
    # February and March end the year 2027
    assert statement.periods == ("FY2027 Q4", "FY2028 Q1", "FY2028 Q2")
    row = statement.row("expense")
    assert row is not None
    assert row.amounts == pytest.approx((20, 30, 30))


def test_cash_and_books_are_kept_apart(ask: Ask) -> None:
    result = ask(f"months: 18\nstart: 2027-01\n{OWNED}")
    assert amounts(result, "capex") == pytest.approx({"FY2027": 1200, "FY2028": 0})
    assert amounts(result, "net_cash_flow") == pytest.approx({"FY2027": -1320, "FY2028": -60})
    assert amounts(result, "cumulative_net_cash_flow") == pytest.approx(
        {"FY2027": -1320, "FY2028": -1380}
    )
    assert amounts(result, "ebitda_effect") == pytest.approx({"FY2027": -120, "FY2028": -60})
    assert amounts(result, "depreciation") == pytest.approx({"FY2027": 1200, "FY2028": 0})
    assert amounts(result, "pretax_cost") == pytest.approx({"FY2027": 1320, "FY2028": 60})


def test_years_add_up_to_the_months_and_quarters_to_years(ask: Ask) -> None:
    result = ask(f"months: 29\nstart: 2027-05\nfiscal_year_end: 9\n{OWNED}")
    years, quarters = by_fiscal_year(result, "own"), by_fiscal_quarter(result, "own")
    for row in years.rows:
        if row.line == "cumulative_net_cash_flow":
            continue
        fine = quarters.row(row.line)
        assert fine is not None
        scope = result.option("own").scope
        assert scope is not None
        assert sum(row.amounts) == pytest.approx(sum(result.amounts(scope, row.line) or []))
        for period, amount in zip(years.periods, row.amounts, strict=True):
            parts = [
                part
                for quarter, part in zip(quarters.periods, fine.amounts, strict=True)
                if quarter.startswith(f"{period} ")
            ]
            assert amount == pytest.approx(sum(parts))


def test_an_option_that_is_not_costed_has_no_rows(ask: Ask) -> None:
    result = ask("options: {own: {own: l40s, count: 1, price: 1}, other: {own: l40s, count: 1}}\n")
    assert by_fiscal_year(result, "other").rows == ()
