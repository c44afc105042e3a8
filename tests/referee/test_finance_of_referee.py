"""The referee's own finance, on cases that a reader can redo by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee import books, financing, referee, tax
from tests.referee.books import Cohort
from tests.referee.market import Market, factors

MACRS_SHARES = [0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576]


def market(**given: Any) -> Market:
    return Market({"name": "a", "months": 36, "options": {}, **given})


def of_years(shares: list[float], rate: float) -> float:
    """The worth of shares at the ends of years 1, 2, ..."""
    return sum(share / (1 + rate) ** year for year, share in enumerate(shares, start=1))


def test_straight_line_to_a_salvage() -> None:
    shares = books.written_off({}, 60, 0.10, 70)
    assert 100_000 * shares[1] == pytest.approx(1500)
    assert 100_000 * (1 - sum(shares[:25])) == pytest.approx(64_000)
    assert 100_000 * sum(shares) == pytest.approx(90_000)


def test_straight_line_from_the_month_after_service() -> None:
    cohort = Cohort(month=0, cost=1e6, equipment=0, gpus=1, retired=37)
    profile = books.written_off({"start": "next-month"}, 36, 0.05, 37)
    row, left = books.by_profile(market(months=37), [cohort], profile)
    assert row[0] == row[1] == 0
    assert row[2] == row[37] == pytest.approx(1e6 * 0.95 / 36)
    assert left[37] == pytest.approx(50_000)


@pytest.mark.parametrize(
    ("cost", "salvage", "years", "schedule"),
    [
        (
            2400,
            300,
            10,
            # each year a fifth of what is left, in the tenth down to 300
            [*(480 * 0.8**year for year in range(9)), 2400 * 0.8**9 - 300],
        ),
        (10_000, 1000, 5, [4000, 2400, 1440, 864, 296]),
    ],
)
def test_double_declining_without_a_switch(
    cost: float, salvage: float, years: int, schedule: list[float]
) -> None:
    given = {"method": "declining", "switch": "no"}
    shares = books.written_off(given, years, salvage / cost, years)
    assert [cost * share for share in shares[1:]] == pytest.approx(schedule)


def test_declining_switches_to_straight_once_that_is_more() -> None:
    shares = books.written_off({"method": "declining"}, 5, 0.0, 7)
    assert shares == pytest.approx([0, 0.4, 0.24, 0.144, 0.108, 0.108, 0, 0])


def test_macrs_by_calendar_year_with_and_without_a_bonus() -> None:
    assert tax.shares_by_year({"method": "macrs"}, 0) == pytest.approx(MACRS_SHARES)
    bonus = tax.shares_by_year({"method": "macrs", "bonus": 0.4}, 0)
    assert [1e6 * share for share in bonus] == pytest.approx(
        [520_000, 192_000, 115_200, 69_120, 69_120, 34_560]
    )
    assert tax.shares_by_year({"method": "macrs", "bonus": 1}, 0) == pytest.approx([1] + [0] * 5)
    for quarter in range(4):
        assert sum(tax.shares_by_year({"method": "macrs-mid-quarter"}, quarter)) == pytest.approx(1)


def test_shares_are_deducted_when_a_fiscal_year_closes() -> None:
    cohort = Cohort(month=0, cost=1000, equipment=0, gpus=1, retired=36)
    of_july = market(start="2026-07")
    row, left = tax.by_year(of_july, {"method": "macrs"}, [cohort])
    # month 6 is December; in the year of disposal, the fourth, half of its share
    assert {month: amount for month, amount in enumerate(row) if amount} == pytest.approx(
        {6: 200, 18: 320, 30: 192, 36: 115.2 / 2}
    )
    assert left[36] == pytest.approx(1000 - 200 - 320 - 192 - 57.6)


def test_present_value_of_the_tax_that_depreciation_saves() -> None:
    shield = 1e6 * 0.25
    evenly = [12 * share for share in books.written_off({}, 60, 0.0, 60)[1::12]]
    assert shield * of_years(evenly, 0.1) == pytest.approx(189_539.3384704224)
    macrs = tax.shares_by_year({"method": "macrs"}, 0)
    assert shield * of_years(macrs, 0.1) == pytest.approx(193_315.1045885521)
    for at_once in ({"method": "macrs", "bonus": 1}, {"method": "china-one-off"}):
        shares = tax.shares_by_year(at_once, 0)
        assert shield * of_years(shares, 0.1) == pytest.approx(227_272.7272727273)
    chinese = [12 * share for share in books.written_off({}, 36, 0.05, 36)[1::12]]
    chinese[-1] += 0.05
    assert shield * of_years(chinese, 0.1) == pytest.approx(206_267.217630854)


def test_level_payments_of_a_loan() -> None:
    instalments, interest, principal = financing.loan_profile(0.08 / 12, 60)
    assert 15_000 * instalments[1] == pytest.approx(304.1459143262)
    assert 15_000 * interest[1] == pytest.approx(100)
    assert 15_000 * principal[1] == pytest.approx(204.1459143262)
    assert 15_000 * sum(interest) == pytest.approx(3248.7548595725)
    instalments, interest, principal = financing.loan_profile(0.1 / 12, 60)
    assert 55_000 * instalments[60] == pytest.approx(1168.5874591198)
    assert 55_000 * principal[1] == pytest.approx(710.254126)


def test_loan_without_interest() -> None:
    instalments, interest, _ = financing.loan_profile(0.0, 60)
    assert 15_000 * instalments[1] == pytest.approx(250)
    assert sum(interest) == 0


def test_grace_and_balloon_pay_the_loan_back_all_the_same() -> None:
    instalments, interest, principal = financing.loan_profile(0.01, 24, grace=6, balloon=0.3)
    assert principal[1:7] == [0.0] * 6
    assert instalments[3] == interest[3] == pytest.approx(0.01)
    assert instalments[24] - instalments[23] == pytest.approx(0.3)
    assert sum(principal) == pytest.approx(1)
    worth = sum(paid * 1.01**-age for age, paid in enumerate(instalments))
    assert worth == pytest.approx(1)


@pytest.mark.parametrize(("recoverable", "of_a_month"), [("yes", 100_000), ("no", 113_000)])
def test_recoverable_tax_is_no_cost(recoverable: str, of_a_month: float) -> None:
    vat = {"rate": 0.13, "recoverable": recoverable}
    if recoverable == "yes":
        vat["refund_months"] = 2
    scenario = {
        "name": "a",
        "options": {
            "buy": {
                "own": "rtx-4090",
                "count": 1,
                "price": 100_000,
                "purchase": {"vat": vat},
                "life_months": 36,
            }
        },
    }
    option = referee.cost(scenario)["options"]["buy"]
    assert option["supplies"][0]["depreciation"][1] == pytest.approx(of_a_month / 36)
    assert option["monthly"]["cash_cost"][0] == pytest.approx(113_000)
    assert option["monthly"]["cash_cost"][2] == pytest.approx(of_a_month - 113_000)
    assert option["metrics"]["total_cost"] == pytest.approx(of_a_month)


def test_residual_value_by_year_and_by_age() -> None:
    assert 100_000 * books.residual_share({"loss_per_year": 0.3}, 36) == pytest.approx(34_300)
    ages = [
        {"months": 12 * year, "share": share}
        for year, share in enumerate((1, 0.78, 0.6, 0.46, 0.35))
    ]
    assert 100_000 * books.residual_share({"by_age": ages}, 30) == pytest.approx(53_000)
    assert books.residual_share({"by_age": ages}, 99) == 0.35
    assert books.residual_share({"by_age": ages[2:]}, 12) == pytest.approx(0.8)


def test_demand_charge_with_a_ratchet() -> None:
    billed = books.billed_kilowatts([0, 60, 80, 55], 0.8)
    assert [15 * peak for peak in billed[1:]] == pytest.approx([900, 1200, 960])
    after_a_year = books.billed_kilowatts([0.0, 100.0] + [10.0] * 12, 0.5)
    assert after_a_year[12] == 50
    assert after_a_year[13] == 10


def test_price_that_falls_by_40_per_cent_a_year() -> None:
    path = factors({"change_per_year": -0.4}, 12)
    assert 10 * path[12] == pytest.approx(6.2609270876)
    assert 10 * sum(path[1:]) == pytest.approx(95.9797182427)


def test_failures_counted_in_a_large_fleet() -> None:
    counted = {"events": 148 + 72, "gpus": 16_384, "days": 54}
    assert books.failure_rate(counted) == pytest.approx(0.0907615379)


def test_losses_are_carried_to_the_years_with_profit() -> None:
    terms = {"rate": 0.25, "losses": "carried", "profit_per_year": 1200, "loss_limit": 0.5}
    levied = tax.levied(market(tax=terms), [3000.0] + [0.0] * 36)
    closing = (12, 24, 36)
    assert [levied.taxable_income[month] for month in closing] == [-1800, 1200, 1200]
    assert [levied.loss_used[month] for month in closing] == [0, 600, 600]
    assert [levied.loss_carried[month] for month in closing] == [1800, 1200, 600]
    # 25 % of a profit of 1,200 is saved in the first year, of 600 in each of the others
    assert [levied.due[month] for month in closing] == [-300, -150, -150]
    worthless = tax.levied(market(tax=terms | {"losses": "worthless"}), [3000.0] + [0.0] * 36)
    assert [worthless.due[month] for month in closing] == [-300, 0, 0]


def test_tax_is_paid_after_a_lag_and_at_the_latest_in_the_last_month() -> None:
    terms = {"rate": 0.25, "lag_months": 4}
    levied = tax.levied(market(tax=terms), [0.0] + [100.0] * 36)
    assert {month: paid for month, paid in enumerate(levied.paid) if paid} == {
        16: -300,
        28: -300,
        36: -300,
    }


def test_lease_or_buy_at_the_borrowing_rate_after_tax() -> None:
    scenario = {
        "name": "a",
        "months": 60,
        "discount_rate": 0.3,
        "tax": {"rate": 0.34, "paid": "month"},
        "options": {
            "lease": {
                "own": "rtx-4090",
                "count": 1,
                "price": 10_000,
                "financing": {"lease": {"payment": 250, "months": 60, "rate": 0.12}},
            }
        },
    }
    lines = referee.cost(scenario)["options"]["lease"]["supplies"][0]
    # the payment after tax, and the tax that depreciation would have saved
    of_a_month = 250 * (1 - 0.34) + 0.34 * 10_000 / 60
    rate = 0.01 * (1 - 0.34)
    expected = 10_000 - of_a_month * (1 - (1 + rate) ** -60) / rate
    assert lines["net_advantage_of_leasing"] == pytest.approx(expected)


THREE_WAYS: dict[str, Any] = {
    "name": "buy, rent or call",
    "months": 36,
    "discount_rate": 0.1,
    "staff": {"hourly_cost": 150_000 / 2080},
    "demand": {"output_tokens": 200e6},
    "site": {"pue": 1.3, "electricity_price": 0.1},
    "hardware": {"h100-sxm": {"output_rate": 200e6 / 3600 / 730 / 0.6}},
    "options": {
        "buy": {
            "own": "h100-sxm",
            "count": 1,
            "price": 30_000,
            "idle_power": 511,
            "active_power": 511,
            "salvage": 3000,
            "maintenance": {"share_per_year": 0.05},
            "staff_hours_per_month": 0.05 * 2080 / 12,
            "residual_value": {"amount": 4500},
        },
        "rent": {
            "rent": "h100-sxm",
            "count": 1,
            "price": 3.06,
            "billed": "busy",
            "price_path": {"change_per_year": -0.15},
        },
        "api": {"api": "x", "output_price": 8, "price_path": {"change_per_year": -0.3}},
    },
}
TAX = {"rate": 0.25, "paid": "month"}


@pytest.mark.parametrize(
    ("metric", "given", "buy", "rent", "api"),
    [
        ("total_cost", {}, 54245.7804, 38446.5196408878, 35894.8595595033),
        ("npv_of_cost", {}, 51521.280224658, 33691.3213315275, 31875.709355009),
        ("npv_of_cost", {"tax": TAX}, 39730.0131099013, 25268.4909986457, 23906.7820162568),
        ("equivalent_monthly_cost", {}, 1652.0401096558, 1080.3189273303, 1022.1009677667),
        ("levelised_cost", {}, 8.2602005483, 5.4015946367, 5.1105048388),
    ],
)
def test_buy_rent_or_call_for_36_months(
    metric: str, given: dict[str, Any], buy: float, rent: float, api: float
) -> None:
    options = referee.cost(THREE_WAYS | given)["options"]
    for name, expected in (("buy", buy), ("rent", rent), ("api", api)):
        assert options[name]["metrics"][metric] == pytest.approx(expected, rel=1e-8), name


def test_profit_and_loss_of_a_life_is_its_cash() -> None:
    bought = referee.cost(THREE_WAYS | {"tax": TAX})["options"]["buy"]["monthly"]
    assert sum(bought["pretax_cost"]) == pytest.approx(54245.7804)
    assert sum(bought["pnl_cost"]) == pytest.approx(0.75 * 54245.7804)
    assert sum(bought["cash_cost"]) == pytest.approx(0.75 * 54245.7804)
