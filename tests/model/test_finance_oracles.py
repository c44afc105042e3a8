"""Right answers of finance, as arithmetic that a reader can redo.

The identifiers (DEP-02, LOAN-01, ...) name worked cases with a known outcome. Purchases, rentals
and bills are asked as scenarios, so that reading, wiring and arithmetic are all in it; bare flows
are put through the functions that the graph itself calls.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tco.engine.graph import Graph, InputSpecification, Scope
from tco.engine.structure import functions_of
from tco.model import appraisal, break_even, time
from tco.results import Result
from tco.units import Factor, Money, MonthlyRate, unit_of
from tests.model.conftest import Ask


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-10, abs=1e-8)


def annuity(rate: float, periods: int) -> float:
    """Present value of 1 at the end of each period."""
    return float(periods) if rate == 0 else (1 - float((1 + rate) ** -periods)) / rate


def monthly(annual: float) -> float:
    """The monthly rate that compounds to a yearly one."""
    return float((1 + annual) ** (1 / 12)) - 1


def line(result: Result, name: str, option: str = "own") -> list[float]:
    """A line of the first supply of an option."""
    return result.line(option, name, supply=1)


def for_tax(result: Result, name: str, option: str = "own") -> list[float]:
    """A line of what a supply deducts for tax."""
    return result.months(f"{result.option(option).supplies[0].scope.name}/t/{name}")


# Depreciation in the books


def test_dep_02_from_the_month_after_service_to_five_percent(ask: Ask) -> None:
    text = """
currency: CNY
hardware: {l40s: {price: 1000000, salvage: 50000, life_months: 36, tdp: 0,
                  depreciation: {start: next-month}}}
options: {own: {own: l40s, count: 1}}
"""
    result = ask(text, months=40)
    depreciation = line(result, "depreciation")
    month = (1_000_000 - 50_000) / 36
    assert month == close(26_388.8888888889)
    # in use from month 1, so written off from month 2 to month 37
    assert depreciation == close([0, 0] + [month] * 36 + [0] * 3)
    assert sum(depreciation) == close(950_000)
    assert line(result, "book_value")[37:40] == close([50_000] * 3)
    at_once = ask(text.replace("next-month", "service-month"), months=40)
    assert line(at_once, "depreciation") == close([0] + [month] * 36 + [0] * 4)


DECLINING = """
hardware: {{l40s: {{price: {price}, salvage: {salvage}, life_months: {life}, tdp: 0,
                  depreciation: {{method: declining, switch: {switch}, factor: {factor}}}}}}}
options: {{own: {{own: l40s, count: 1}}}}
"""


def declining(
    ask: Ask, price: float, salvage: float, life: int, factor: float = 2, switch: str = "no"
) -> list[float]:
    text = DECLINING.format(price=price, salvage=salvage, life=life, factor=factor, switch=switch)
    return line(ask(text, months=life), "depreciation")[1:]


def test_dep_06_double_declining_without_switch(ask: Ask) -> None:
    """The periods are months here; Excel's DDB has the same figures for years."""
    schedule = declining(ask, 2_400, 300, 10)
    left = [2_400 * 0.8**k for k in range(10)]
    assert schedule[:9] == close([0.2 * value for value in left[:9]])
    assert schedule[9] == close(left[9] - 300)
    assert [round(schedule[k], 2) for k in (0, 9)] == [480.00, 22.12]
    assert declining(ask, 2_400, 300, 120)[0] == close(40)
    assert declining(ask, 2_400, 300, 10, factor=1.5)[1] == close((2_400 - 360) * 0.15)
    assert round((2_400 - 360) * 0.15, 2) == 306.00


@pytest.mark.parametrize("switch", ["no", "yes"])
def test_dep_08_never_below_what_is_kept(ask: Ask, switch: str) -> None:
    text = DECLINING.format(price=10_000, salvage=1_000, life=5, factor=2, switch=switch)
    result = ask(text, months=6)
    # 4,000, 2,400, 1,440, 864; then 0.4 x 1,296 would go below 1,000
    assert line(result, "depreciation") == close([0, 4_000, 2_400, 1_440, 864, 296, 0])
    assert line(result, "book_value")[5] == close(1_000)
    assert result.metrics["own"]["final_book_value"] == close(1_000)


def test_declining_goes_over_to_straight_once_that_is_faster(ask: Ask) -> None:
    """Excel's VDB: 1/(11 - k) of what is left is more than 0.2 of it from the seventh on."""
    schedule = declining(ask, 2_400, 0, 10, switch="yes")
    left = 2_400 * 0.8**6
    expected = [2_400 * 0.8**k * 0.2 for k in range(6)] + [left / 4] * 4
    assert schedule == close(expected)
    assert sum(schedule) == close(2_400)


def test_a_table_of_what_is_written_off_is_straight_between_its_ages(ask: Ask) -> None:
    result = ask(
        """
hardware: {l40s: {price: 1000, tdp: 0, depreciation: {method: table,
           written_off: [{months: 4, share: 40%}, {months: 10, share: 100%}]}}}
options: {own: {own: l40s, count: 1}}
""",
        months=12,
    )
    assert line(result, "depreciation") == close([0] + [100] * 4 + [100] * 6 + [0, 0])
    quick = ask(
        """
hardware: {l40s: {price: 1000, tdp: 0, depreciation: {method: table,
           written_off: [{months: 4, share: 40%}, {months: 6, share: 100%}]}}}
options: {own: {own: l40s, count: 1}}
""",
        months=12,
    )
    assert line(quick, "depreciation") == close([0] + [100] * 4 + [300] * 2 + [0] * 6)


# Depreciation for tax

TAXED = """
start: 2026-01
fiscal_year_end: 12
tax: {{rate: {rate}, depreciation: {{{method}}}}}
hardware: {{l40s: {{price: 1000000, tdp: 0}}}}
options: {{own: {{own: l40s, count: 1}}}}
"""
MACRS = (0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576)


def yearly(result: Result, years: int) -> list[float]:
    deducted = for_tax(result, "depreciation")
    return [sum(deducted[1 + 12 * k : 13 + 12 * k]) for k in range(years)]


def test_dep_03_macrs_half_year(ask: Ask) -> None:
    result = ask(TAXED.format(rate="21%", method="method: macrs"), months=84)
    assert yearly(result, 7) == close([1_000_000 * share for share in (*MACRS, 0)])
    assert sum(MACRS) == close(1)


@pytest.mark.parametrize("bonus", [0.4, 1.0])
def test_dep_05_a_bonus_then_macrs(ask: Ask, bonus: float) -> None:
    text = TAXED.format(rate="21%", method=f"method: macrs, bonus: {bonus:.0%}")
    expected = [1_000_000 * (1 - bonus) * share for share in MACRS]
    expected[0] += 1_000_000 * bonus
    assert yearly(ask(text, months=84), 6) == close(expected)
    printed = [520_000, 192_000, 115_200, 69_120, 69_120, 34_560] if bonus < 1 else [1e6] + [0] * 5
    assert expected == close(printed)


QUARTERS = {
    1: (35, 26, 15.60, 11.01, 11.01, 1.38),
    2: (25, 30, 18, 11.37, 11.37, 4.26),
    3: (15, 34, 20.40, 12.24, 11.30, 7.06),
    4: (5, 38, 22.80, 13.68, 10.94, 9.58),
}


@pytest.mark.parametrize("quarter", QUARTERS)
def test_macrs_by_the_quarter_of_service(ask: Ask, quarter: int) -> None:
    """IRS Publication 946, Tables A-2 to A-5."""
    text = TAXED.format(rate="21%", method="method: macrs-mid-quarter")
    first = 3 * quarter - 2
    result = ask(text.replace("2026-01", f"2026-{first:02}"), months=84)
    deducted = for_tax(result, "depreciation")
    closes = range(13 - first, 84, 12)
    expected = [10_000 * share for share in QUARTERS[quarter]]
    assert [deducted[month] for month in closes][:6] == close(expected)
    assert sum(deducted) == close(1_000_000)


def test_what_is_left_of_the_basis_is_deducted_with_the_sale(ask: Ask) -> None:
    result = ask(TAXED.format(rate="21%", method="method: macrs"), months=36)
    # half of the third year's share is left in the year of disposal
    assert yearly(result, 3) == close([200_000, 320_000, 192_000 / 2])
    left = for_tax(result, "disposed_value")
    assert left[:36] == close([0] * 36)
    assert left[36] == close(1_000_000 - 200_000 - 320_000 - 96_000)


# TAX-01: present value of what a deduction saves at 25 %, at the end of each tax year, at 10 %

SHIELDS = {
    "method: straight-line, life_months: 60": (60, [0.2] * 5, 189_539.3384704224),
    "method: macrs": (84, MACRS, 193_315.1045885521),
    "method: macrs, bonus: 100%": (84, [1], 227_272.7272727273),
    "method: straight-line, life_months: 36, residual: 5%": (
        36,
        [0.95 / 3, 0.95 / 3, 0.95 / 3 + 0.05],
        206_267.217630854,
    ),
    "method: table, shares: [40%, 30%, 30%]": (36, [0.4, 0.3, 0.3], None),
}


@pytest.mark.parametrize("method", SHIELDS)
def test_tax_01_present_value_of_the_tax_saved(ask: Ask, method: str) -> None:
    months, shares, printed = SHIELDS[method]
    result = ask(TAXED.format(rate="25%", method=method), months=months, rate="10%")
    saved = sum(0.25 * 1e6 * share * 1.1**-k for k, share in enumerate(shares, start=1))
    assert result.metrics["own"]["npv_of_cost"] == close(1_000_000 - saved)
    if printed is not None:
        assert saved == pytest.approx(printed, abs=1e-4)


CHINESE = """
currency: CNY
start: 2026-01
fiscal_year_end: 12
tax: {{rate: 25%, depreciation: {{{method}}}}}
hardware: {{l40s: {{price: 1000000, tdp: 0}}}}
options: {{own: {{own: l40s, count: 1}}}}
"""


def test_tax_01_the_one_off_deduction(ask: Ask) -> None:
    result = ask(CHINESE.format(method="method: china-one-off"), months=36, rate="10%")
    assert result.metrics["own"]["npv_of_cost"] == close(1_000_000 - 250_000 / 1.1)
    assert round(250_000 / 1.1, 6) == 227_272.727273


@pytest.mark.parametrize(("method", "life"), [("china-straight-line", 36), ("china-shortened", 22)])
def test_chinese_straight_lines_begin_the_month_after_service(
    ask: Ask, method: str, life: int
) -> None:
    """Art. 59, 60(5) and 98 of the regulations; 5 % is kept in practice."""
    deducted = for_tax(ask(CHINESE.format(method=f"method: {method}"), months=48), "depreciation")
    assert deducted == close([0, 0] + [950_000 / life] * life + [0] * (47 - life))


def test_chinese_double_declining(ask: Ask) -> None:
    deducted = for_tax(
        ask(CHINESE.format(method="method: china-declining"), months=48), "depreciation"
    )
    assert deducted[:4] == close([0, 0, 1e6 * 2 / 36, 1e6 * (1 - 2 / 36) * 2 / 36])
    assert sum(deducted[:38]) == close(950_000)
    assert deducted[38:] == close([0] * 11)


VAT = """
hardware: {{l40s: {{price: 100000, life_months: 36, tdp: 0,
                  purchase: {{vat: {{rate: 13%, recoverable: {recoverable}{refund}}}}}}}}}
options: {{own: {{own: l40s, count: 1}}}}
"""


def test_tax_03_value_added_tax_that_is_got_back_is_cash_only(ask: Ask) -> None:
    result = ask(VAT.format(recoverable="yes", refund=", refund_months: 2"))
    cash = result.line("own", "cash_cost")
    assert cash[:4] == close([113_000, 0, -13_000, 0])
    assert result.metrics["own"]["total_cost"] == close(100_000)
    assert line(result, "depreciation")[1] == close(100_000 / 36)


def test_tax_03_value_added_tax_that_is_borne_is_part_of_the_cost(ask: Ask) -> None:
    result = ask(VAT.format(recoverable="no", refund=""))
    assert result.metrics["own"]["upfront_cost"] == close(113_000)
    assert result.metrics["own"]["total_cost"] == close(113_000)
    assert line(result, "depreciation")[1] == close(113_000 / 36)


# Loans

LOAN = """
hardware: {{l40s: {{price: {price}, life_months: 60, tdp: 0}}}}
options: {{own: {{own: l40s, count: 1, financing: {{loan: {{rate: {rate}, months: 60{more}}}}}}}}}
"""


def payment(principal: float, rate: float, months: int) -> float:
    return principal / annuity(rate / 12, months)


def test_loan_01_level_payments(ask: Ask) -> None:
    result = ask(LOAN.format(price=15_000, rate="8%", more=""), months=60)
    interest, principal = line(result, "loan_interest"), line(result, "loan_principal")
    level = payment(15_000, 0.08, 60)
    assert round(level, 6) == 304.145914
    assert [a + b for a, b in zip(interest, principal, strict=True)] == close([0] + [level] * 60)
    assert interest[1] == close(15_000 * 0.08 / 12) == close(100)
    assert principal[1] == close(level - 100)
    assert round(level - 100, 6) == 204.145914
    assert sum(interest) == close(60 * level - 15_000)
    assert result.metrics["own"]["total_interest_cost"] == close(60 * level - 15_000)
    assert round(60 * level - 15_000, 6) == 3248.75486
    assert sum(principal) == close(15_000)
    assert line(result, "loan_balance")[60] == close(0)


def test_loan_02_payments_at_the_end_of_the_month(ask: Ask) -> None:
    result = ask(LOAN.format(price=55_000, rate="10%", more=""), months=60)
    first = payment(55_000, 0.10, 60) - 55_000 * 0.10 / 12
    assert line(result, "loan_principal")[1] == close(first)
    assert first == pytest.approx(710.254126, abs=1e-6)


def test_loan_02_in_advance_the_first_payment_is_all_principal(ask: Ask) -> None:
    result = ask(LOAN.format(price=55_000, rate="10%", more=", paid: advance"), months=60)
    interest, principal = line(result, "loan_interest"), line(result, "loan_principal")
    begin = payment(55_000, 0.10, 60) / (1 + 0.10 / 12)
    assert begin == pytest.approx(1_158.929712, abs=1e-6)
    assert (interest[0], principal[0]) == (0, close(begin))
    assert interest[1] == close((55_000 - begin) * 0.10 / 12)
    assert sum(principal) == close(55_000)
    assert sum(interest) + sum(principal) == close(60 * begin)
    assert interest[60] + principal[60] == close(0)


def test_a_lease_in_advance_owes_nothing_but_principal_at_first(ask: Ask) -> None:
    begin = payment(55_000, 0.10, 60) / (1 + 0.10 / 12)
    result = ask(
        f"""
hardware: {{l40s: {{price: 55000, tdp: 0}}}}
options: {{own: {{own: l40s, count: 1,
          financing: {{lease: {{payment: {begin!r}, months: 60, paid: advance, rate: 10%}}}}}}}}
""",
        months=60,
    )
    assert line(result, "finance_cost")[0] == 0
    assert line(result, "lease_paid")[0] == close(begin)
    assert line(result, "lease_liability")[0] == close(55_000 - begin)
    assert line(result, "lease_liability")[59] == close(0)
    assert sum(line(result, "lease_paid")) == close(60 * begin)


def test_loan_04_a_loan_without_interest(ask: Ask) -> None:
    result = ask(LOAN.format(price=15_000, rate="0%", more=""), months=60)
    assert line(result, "loan_principal") == close([0] + [15_000 / 60] * 60)
    assert line(result, "loan_interest") == close([0] * 61)


def test_a_loan_with_fee_grace_and_balloon(ask: Ask) -> None:
    more = ", share: 80%, fee: 1%, grace_months: 6, balloon: 20%"
    result = ask(LOAN.format(price=10_000, rate="12%", more=more), months=60)
    interest, principal = line(result, "loan_interest"), line(result, "loan_principal")
    assert line(result, "loan_drawn")[0] == close(8_000)
    assert line(result, "financing_cash_flow")[0] == close(8_000 - 80)
    assert interest[1:7] == close([80] * 6)
    assert principal[1:7] == close([0] * 6)
    # 54 instalments repay what is more than the balloon's present value
    level = 8_000 * (1 - 0.2 * 1.01**-54) / annuity(0.01, 54)
    assert interest[7] + principal[7] == close(level)
    assert interest[60] + principal[60] == close(level + 1_600)
    assert sum(principal) == close(8_000)
    flows = line(result, "financing_cash_flow")
    worth = sum(flow * 1.01**-month for month, flow in enumerate(flows))
    assert worth == pytest.approx(-80, abs=1e-6), "at its own rate a loan is worth its fee"


# Discounting


def test_npv_02_at_the_end_the_middle_and_the_beginning_of_the_month(ask: Ask) -> None:
    paid = """
cash_timing: {timing}
options: {{own: {{own: l40s, count: 1, price: 0, tdp: 0}}}}
other_costs: [{{name: payment, amount: 1000, per: month}}]
"""
    i = monthly(0.12)
    end = 1_000 * annuity(i, 36)
    expected = {"month-end": end, "mid-month": end * (1 + i) ** 0.5}
    for timing, worth in expected.items():
        result = ask(paid.format(timing=timing), rate="12%")
        assert result.metrics["own"]["npv_of_cost"] == close(worth)
    begin = ask(
        """
options: {own: {own: l40s, count: 1, price: 0, tdp: 0, licences: {price_per_year: 12000}}}
""",
        rate="12%",
    )
    assert begin.metrics["own"]["npv_of_cost"] == close(end * (1 + i))
    assert [round(x, 4) for x in (end, end * (1 + i) ** 0.5, end * (1 + i))] == [
        30_374.7541,
        30_518.5237,
        30_662.9739,
    ]


def test_cash_at_the_end_of_its_year(ask: Ask) -> None:
    result = ask(
        """
cash_timing: year-end
options: {own: {own: l40s, count: 1, price: 500, tdp: 0}}
other_costs: [{name: payment, amount: 100, per: month}]
""",
        rate="10%",
        months=30,
    )
    expected = 500 + 1_200 / 1.1 + 1_200 / 1.1**2 + 600 / 1.1**3
    assert result.metrics["own"]["npv_of_cost"] == close(expected)
    assert result.metrics["own"]["npv_of_cost_year_end"] == close(expected)


def test_npv_04_a_price_that_rises_with_inflation_is_a_flat_one_at_the_real_rate(ask: Ask) -> None:
    """(1 + n)/(1 + p) - 1 is 4.854 %, not 5 %."""
    real = 1.08 / 1.03 - 1
    assert round(real, 10) == 0.0485436893
    text = """
options: {{rent: {{rent: l40s, count: 1, price: 1 {path}}}}}
"""
    rising = ask(text.format(path=", price_path: {change_per_year: 3%}"), rate="8%")
    flat = ask(text.format(path=""), rate=repr(real))
    # the price of month 1 is that of today, a month before it is paid
    first_month = 1.03 ** (1 / 12)
    found = rising.metrics["rent"]["npv_of_cost"]
    assert found == close((flat.metrics["rent"]["npv_of_cost"] or 0) / first_month)
    wrong = ask(text.format(path=""), rate="5%").metrics["rent"]["npv_of_cost"]
    assert abs((found or 0) - (wrong or 0) / first_month) > 10


# Payback


PAYBACK = (
    "discounted_saving",
    "cumulative_discounted_saving",
    "discounted_ahead",
    "discounted_behind_until",
    "discounted_payback_month",
    "discounted_turning",
    "discounted_crossing",
    "discounted_payback_month_unrounded",
)


def discounted_payback(cost: float, inflows: list[float], rate: float) -> float:
    """Discounted payback of bare flows, a month for each, by the functions of the graph."""
    axis = Scope("", inputs={"tolerance": "tolerance", "monthly_discount_rate": "rate"})
    axis.aliases["discount_month"] = "month"
    axis.functions.update(named(time.period, time.month, time.discount_factor))
    flows = (appraisal.discounted_cost, appraisal.cumulative_discounted_cost)
    options = [
        Scope(name, around=axis, inputs={"cash_cost": name}, functions=named(*flows))
        for name in ("this", "other")
    ]
    pair = Scope("pair", around=axis)
    for option in options:
        for flow in flows:
            pair.aliases[f"{option.name}_{flow.__name__}"] = option.line(flow.__name__)
    payback = functions_of(break_even, "baseline")
    pair.functions.update({name: payback[name] for name in PAYBACK})
    inputs = {
        "tolerance": InputSpecification(unit_of(Factor)),
        "rate": InputSpecification(unit_of(MonthlyRate)),
        "this": InputSpecification(unit_of(Money), "months"),
        "other": InputSpecification(unit_of(Money), "months"),
    }
    values = {"tolerance": [1e-12], "rate": [rate], "this": [cost] + [0] * len(inflows),
              "other": [0, *inflows]}  # fmt: skip
    arrays = {name: np.array(value, float).reshape(-1, 1) for name, value in values.items()}
    found = Graph([axis, *options, pair], inputs).evaluate(arrays, len(inflows))
    return float(found["pair/discounted_payback_month_unrounded"][0, 0])


def named(*functions: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    return {function.__name__: function for function in functions}


@pytest.mark.parametrize(("cost", "printed"), [(6_000, 1.986), (8_100, 2.579), (11_100, 3.572)])
def test_pb_01_discounted_payback(cost: float, printed: float) -> None:
    inflows = [3_300.0, 4_200.0, 5_400.0, 4_600.0]
    left, month = float(cost), 0
    while left > inflows[month] * 1.15 ** -(month + 1):
        left -= inflows[month] * 1.15 ** -(month + 1)
        month += 1
    expected = month + left / (inflows[month] * 1.15 ** -(month + 1))
    found = discounted_payback(cost, inflows, 0.15)
    assert found == close(expected)
    assert round(found, 3) == printed


def test_pb_03_paid_back_simply_but_never_with_interest(ask: Ask) -> None:
    """-1,000 and three times 360 a year: 2.78 years; at 10 % it stays 104.73 short."""
    result = ask(
        """
demand: {output_tokens: 1 M}
options:
  own: {own: l40s, count: 1, price: 1000, tdp: 0}
  api: {api: model, output_price: 0}
baseline: api
other_costs: [{name: bill, amount: 360, per: year, options: [api]}]
""",
        rate="10%",
    )
    pair = result.comparison("own", "api")
    assert pair["npv_difference"] == close(1_000 - 360 * annuity(0.1, 3))
    assert round(1_000 - 360 * annuity(0.1, 3), 4) == 104.7333
    # the third bill is spread over the month in which it comes: 280 of 360 are still to be had
    assert pair["break_even_month_unrounded"] == close(35 + 280 / 360)
    assert pair["break_even_month"] == 36
    for name in ("discounted_payback_month", "discounted_payback_month_first"):
        assert pair[name] is None
        assert pair.metrics[name].status == "never"
    assert pair["final_saving"] == close(3 * 360 - 1_000)


# Unequal lives


@pytest.mark.parametrize(
    ("capex", "running", "years", "npv", "eac"),
    [(85, 130, 2, 307.628, 179.63), (155, 105, 3, 411.590, 168.43)],
)
def test_eac_01_unequal_lives_compare_by_their_equivalent(
    ask: Ask, capex: float, running: float, years: int, npv: float, eac: float
) -> None:
    """By present value alone the first looks cheaper; by the year it is the second."""
    result = ask(
        f"""
options: {{own: {{own: l40s, count: 1, price: {capex}, tdp: 0}}}}
other_costs: [{{name: running, amount: {running}, per: year}}]
""",
        rate="11%",
        months=12 * years,
    )
    worth = capex + running * annuity(0.11, years)
    assert result.metrics["own"]["npv_of_cost"] == close(worth)
    assert worth == pytest.approx(npv, abs=0.001)
    # a payment at the end of the year is worth twelve at the end of each month, with interest
    year = (result.metrics["own"]["equivalent_monthly_cost"] or 0) * 0.11 / monthly(0.11)
    assert year == close(worth / annuity(0.11, years))
    assert round(year, 2) == eac


# Lease or buy


def test_lease_01_the_net_advantage_of_leasing(ask: Ask) -> None:
    """Five payments of 2,500 against 10,000, tax 34 %, 5 % a period after tax: buy."""
    result = ask(
        """
tax: {rate: 34%, paid: month, depreciation: {method: straight-line, life_months: 5}}
options:
  own: {own: l40s, count: 1, price: 10000, tdp: 0, life_months: 5,
        financing: {lease: {payment: 2500, months: 5, rate: 90.9090909090909%}}}
""",
        months=5,
    )
    after_tax = 0.909090909090909 / 12 * (1 - 0.34)
    assert round(after_tax, 12) == 0.05
    period = 2_500 * (1 - 0.34) + 10_000 / 5 * 0.34
    assert period == close(2_330)
    assert round(2_500 * (1 - 0.34), 9) == 1_650
    assert round(2_000 * 0.34, 9) == 680
    expected = 10_000 - period * annuity(0.05, 5)
    found = result.metrics["own"]["net_advantage_of_leasing"]
    assert found == pytest.approx(expected, abs=1e-6)
    assert round(expected, 2) == -87.68


LEASED = """
tax: {{rate: 20%, paid: month, depreciation: {{method: straight-line, life_months: 60}}}}
options:
  own: {{own: l40s, count: 1, price: 10000, tdp: 0, life_months: 60,
        residual_value: {{amount: 5000}},
        financing: {{lease: {{payment: 250, months: 36, rate: 12%{more}}}}}}}
"""


def test_a_leased_card_that_goes_back_takes_its_sale_and_its_deductions_along(ask: Ask) -> None:
    result = ask(LEASED.format(more=", residual_rate: 15%"))
    i = 0.12 / 12 * 0.8
    # a month: a payment deducted, a 60th not deducted; at the end what is left of the basis is not
    month = 250 * 0.8 + 10_000 / 60 * 0.2
    left = 10_000 * 24 / 60 * 0.2 * (1 + i) ** -36
    sale = 5_000 * 0.8 * 1.15**-3
    expected = 10_000 - month * annuity(i, 36) - left - sale
    assert result.metrics["own"]["net_advantage_of_leasing"] == close(expected)


def test_a_leased_card_that_is_kept_is_sold_and_taxed_as_one_that_was_bought(ask: Ask) -> None:
    result = ask(LEASED.format(more=", buyout: 1000"))
    i = 0.12 / 12 * 0.8
    month = 250 * 0.8 + 10_000 / 60 * 0.2
    left = (10_000 * 24 / 60 * 0.2 + 1_000 * 0.8) * (1 + i) ** -36
    expected = 10_000 - month * annuity(i, 36) - left
    assert result.metrics["own"]["net_advantage_of_leasing"] == close(expected)


# Residual value


@pytest.mark.parametrize(
    ("residual", "months", "share"),
    [
        ("loss_per_year: 30%", 36, 0.7**3),  # 34,300
        (
            "by_age: [{months: 12, share: 78%}, {months: 24, share: 60%}, {months: 36, share: 46%},"
            " {months: 48, share: 35%}]",
            30,
            (0.60 + 0.46) / 2,  # 53,000
        ),
        ("by_age: [{months: 12, share: 78%}]", 6, (1 + 0.78) / 2),
        ("by_age: [{months: 12, share: 78%}]", 20, 0.78),
        ("amount: 53000", 30, 0.53),
    ],
)
def test_res_01_resale_by_age(ask: Ask, residual: str, months: int, share: float) -> None:
    text = f"""
options: {{own: {{own: l40s, count: 1, price: 100000, tdp: 0, residual_value: {{{residual}}}}}}}
"""
    result = ask(text, months=months)
    assert result.metrics["own"]["total_cost"] == close(100_000 * (1 - share))
    costly = ask(
        text.replace("residual_value: {", "residual_value: {sale_cost: 10%, "), months=months
    )
    assert costly.metrics["own"]["total_cost"] == close(100_000 * (1 - 0.9 * share))


def test_tax_on_the_gain_of_a_sale(ask: Ask) -> None:
    """Sold at 45, written off to 40: tax on a gain of 5; sold at 30: tax saved on a loss of 10."""
    text = """
tax: {{rate: 25%, paid: month}}
options: {{own: {{own: l40s, count: 1, price: 100, salvage: 40, life_months: 12, tdp: 0,
                residual_value: {{amount: {amount}}}}}}}
"""
    for amount in (45, 30):
        result = ask(text.format(amount=amount), months=12)
        tax = result.line("own", "tax_cost")
        assert tax[1:12] == close([-0.25 * 60 / 12] * 11)
        assert tax[12] == close(-0.25 * (60 / 12 + 40 - amount))
        assert result.metrics["own"]["total_tax_cost"] == close(-0.25 * (100 - amount))


# Power, failures, price paths


def test_pwr_03_a_demand_charge_with_a_ratchet(ask: Ask) -> None:
    result = ask(
        """
site: {demand_charge: {price: 15, ratchet: 80%,
       peak_kw: [{month: 1, kw: 60}, {month: 2, kw: 80}, {month: 3, kw: 55}]}}
options: {own: {own: l40s, count: 1, price: 0, tdp: 0}}
""",
        months=15,
    )
    billed = line(result, "billed_kw")
    assert billed[1:4] == close([60, 80, 0.8 * 80])
    assert line(result, "demand_cost")[1:4] == close([60 * 15, 80 * 15, 64 * 15])
    # the 80 of month 2 are among the 11 months before until month 13
    assert billed[13:16] == close([64, 55, 55])


def test_electricity_rises_in_steps_or_smoothly(ask: Ask) -> None:
    text = """
site: {{electricity_price: 0.1, utilisation: 100%, electricity_price_path: {{{path}}}}}
options: {{own: {{own: l40s, count: 1, price: 0, tdp: 1000}}}}
"""
    stepped = line(ask(text.format(path="change_per_year: 4%")), "electricity_cost")
    assert [stepped[m] for m in (1, 12, 13, 25)] == close([73, 73, 73 * 1.04, 73 * 1.04**2])
    smooth = line(ask(text.format(path="change_per_year: 4%, by: month")), "electricity_cost")
    assert [smooth[m] for m in (1, 7, 13)] == close([73, 73 * 1.04**0.5, 73 * 1.04])


def test_fail_01_failures_counted_among_others(ask: Ask) -> None:
    """148 faulty GPUs and 72 memories among 16,384 in 54 days are 9.08 % a year."""
    rate = (148 + 72) / 16_384 * 365 / 54
    assert round(rate, 10) == 0.0907615379
    result = ask(
        """
options:
  own: {own: l40s, count: 100, price: 0, tdp: 0,
        failures: {events: 220, gpus: 16384, days: 54, warranty_months: 12,
                   replacement_price: 30000}}
"""
    )
    cost = line(result, "failure_cost")
    assert cost[:13] == close([0] * 13)
    assert cost[13:] == close([rate / 12 * 100 * 30_000] * 24)
    assert round(148 / 16_384 * 365 / 54, 10) == 0.0610577619
    assert round(148 / 419, 3) == 0.353  # printed as 30.1 %


def test_maintenance_after_the_warranty(ask: Ask) -> None:
    result = ask(
        """
options:
  own: {own: l40s, count: 4, price: 1000, tdp: 0, purchase: {host: 500, installation: 100},
        maintenance: {share_per_year: 5%, warranty_months: 12}}
"""
    )
    cost = line(result, "maintenance_cost")
    assert cost == close([0] * 13 + [0.05 / 12 * 4 * (1_000 + 500)] * 24)


def test_rent_03_a_price_that_falls_by_the_month(ask: Ask) -> None:
    result = ask(
        """
hours_per_month: 730
options: {rent: {rent: l40s, count: 1, price: 10, price_path: {change_per_year: -40%}}}
""",
        months=12,
    )
    prices = [cost / 730 for cost in line(result, "rent_cost", "rent")]
    assert prices[1:] == close([10 * 0.6 ** ((m - 1) / 12) for m in range(1, 13)])
    assert round(prices[12], 10) == 6.2609270876
    assert sum(prices) == close(10 * (1 - 0.6) / (1 - 0.6 ** (1 / 12)))
    assert round(sum(prices), 10) == 95.9797182427


@pytest.mark.parametrize(
    ("path", "factors"),
    [
        ("{change_per_year: 38%, by: year}", {1: 1, 12: 1, 13: 1.38, 25: 1.38**2}),
        ("{steps: [{month: 7, factor: 1.4}, {month: 13, factor: 0.6}]}",
         {1: 1, 6: 1, 7: 1.4, 12: 1.4, 13: 0.6, 36: 0.6}),
        ("{level: 0.8, reverting_per_month: 10%}",
         {1: 1, 2: 0.8 + 0.2 * 0.9, 13: 0.8 + 0.2 * 0.9**12}),
        ("{level: 1.5, reverting_per_month: 10%}", {1: 1, 3: 1.5 - 0.5 * 0.9**2}),
    ],
)  # fmt: skip
def test_prices_in_steps_and_back_to_a_level(
    ask: Ask, path: str, factors: dict[int, float]
) -> None:
    result = ask(
        f"""
demand: {{output_tokens: 100 M, input_tokens: 50 M}}
options:
  rent: {{rent: l40s, count: 1, price: 1, output_rate: 1000, price_path: {path}}}
  api: {{api: model, output_price: 3, input_price: 2, price_path: {path}}}
"""
    )
    rent, bill = line(result, "rent_cost", "rent"), line(result, "api_cost", "api")
    assert [rent[m] for m in factors] == close([730 * f for f in factors.values()])
    assert [bill[m] for m in factors] == close([(3 * 100 + 2 * 50) * f for f in factors.values()])


# Purchases


def test_a_purchase_with_all_that_comes_on_top(ask: Ask) -> None:
    result = ask(
        """
options:
  own: {own: l40s, count: 4, price: 1000, tdp: 0, purchase: {discount: 10%, host: 300, network: 50,
        rack_and_cooling: 80, installation: 40, shipping: 20, duty: 5%,
        vat: {rate: 20%, recoverable: no}, spares: 1}}
"""
    )
    untaxed = 900 + 300 + 50 + 80 + 40 + 20 + 0.05 * (900 + 300 + 50 + 20)
    spare = 900 * 1.05 * 1.2  # duty on the card too
    assert result.metrics["own"]["upfront_cost"] == close(4 * untaxed * 1.2 + spare)


def test_a_quote_is_paid_by_its_schedule_and_serves_after_its_lead_time(ask: Ask) -> None:
    result = ask(
        """
site: {electricity_price: 0.1, utilisation: 100%}
options:
  own: {own: l40s, count: 4, tdp: 250, life_months: 34,
        quote: {payment: [{month: 0, share: 30%}, {month: 2, share: 70%}], lead_time_months: 2,
                items: [{name: node, amount: 9000}, {name: switch, kind: network, amount: 1000},
                        {name: support, kind: support, months: 12, amount: 600}]}}
"""
    )
    electricity = 4 * 0.25 * 730 * 0.1
    cash = result.line("own", "cash_cost")
    assert cash[:4] == close([0.3 * 10_600, 0, 0.7 * 10_600, electricity])
    assert line(result, "gpus")[:4] == [0, 0, 0, 4]
    assert line(result, "depreciation")[:4] == close([0, 0, 0, 10_000 / 34])
    assert line(result, "support_expense")[2:16] == close([0] + [50] * 12 + [0])
    assert result.metrics["own"]["total_cost"] == close(10_600 + 34 * electricity)


# Everything together


E2E_01 = """
demand: {output_tokens: 200 M}
site: {electricity_price: 0.1, pue: 1.3}
staff: {hourly_cost: 75}
hardware: {h100-sxm: {price: 30000, salvage: 3000, life_months: 36, output_rate: 1000,
                      active_power: 511, idle_power: 511}}
options:
  buy: {own: h100-sxm, count: 1, maintenance: {share_per_year: 5%}, residual_value: {amount: 4500},
        staff_hours_per_month: 8.33333333333333}
  rent: {rent: h100-sxm, count: 1, price: 1.836, price_path: {change_per_year: -15%}}
  api: {api: model, output_price: 8, price_path: {change_per_year: -30%}}
"""
TAX = "tax: {rate: 25%, paid: month}\n"


def falling(first: float, decline: float, discount: float) -> float:
    """Present value of 36 payments that fall by a yearly rate from the first."""
    i = monthly(discount)
    return sum(first * float((1 - decline) ** ((m - 1) / 12) * (1 + i) ** -m) for m in range(1, 37))


def test_e2e_01_before_tax(ask: Ask) -> None:
    """3.06 at 60 % of the hours is rented as 1.836 at all of them."""
    assert round(3.06 * 0.6, 12) == 1.836
    result = ask(E2E_01, rate="10%")
    metrics = result.metrics
    energy = 0.511 * 1.3 * 730 * 0.1
    month = energy + 0.05 / 12 * 30_000 + 0.05 * 150_000 / 12
    assert round(month, 4) == 798.4939
    total = 30_000 + 36 * month - 4_500
    assert metrics["buy"]["total_cost"] == pytest.approx(total, rel=1e-8)
    assert sum(result.line("buy", "pretax_cost")) == pytest.approx(total, rel=1e-8)
    factor, last = annuity(monthly(0.1), 36), 1.1**-3
    worth = {
        "buy": 30_000 + month * factor - 4_500 * last,
        "rent": falling(1_340.28, 0.15, 0.1),
        "api": falling(1_600, 0.30, 0.1),
    }
    printed = {"buy": 51_521.280224658, "rent": 33_691.3213315275, "api": 31_875.709355009}
    assert worth == pytest.approx(printed, rel=1e-8)
    for option, value in worth.items():
        assert metrics[option]["npv_of_cost"] == pytest.approx(value, rel=1e-8)
        assert metrics[option]["equivalent_monthly_cost"] == pytest.approx(value / factor, rel=1e-8)
        levelised = value / (200 * factor)
        assert metrics[option]["levelised_cost"] == pytest.approx(levelised, rel=1e-8)


def test_e2e_01_after_tax(ask: Ask) -> None:
    result = ask(TAX + E2E_01, rate="10%")
    month = 0.511 * 1.3 * 730 * 0.1 + 0.05 / 12 * 30_000 + 0.05 * 150_000 / 12
    factor, last = annuity(monthly(0.1), 36), 1.1**-3
    # running costs and 750 of depreciation a month are deducted, the gain on the sale is taxed
    buy = 30_000 + 0.75 * month * factor - 0.25 * 750 * factor - (4_500 - 0.25 * 1_500) * last
    worth = {
        "buy": buy,
        "rent": 0.75 * falling(1_340.28, 0.15, 0.1),
        "api": 0.75 * falling(1_600, 0.30, 0.1),
    }
    printed = {"buy": 39_730.0131099013, "rent": 25_268.4909986457, "api": 23_906.7820162568}
    assert worth == pytest.approx(printed, rel=1e-8)
    for option, value in worth.items():
        assert result.metrics[option]["npv_of_cost"] == pytest.approx(value, rel=1e-8)
    assert result.ranked[0].name == "api"
