"""The edges of finance, each with the answer that it must give."""

from typing import Any

import pytest

from tco.analysis.cautions import warnings
from tco.errors import ScenarioErrors
from tco.results import Result
from tests.model.conftest import Ask


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-10, abs=1e-8)


def line(result: Result, name: str, option: str = "own") -> list[float]:
    """A line of the first supply of an option."""
    return result.line(option, name, supply=1)


def refused(ask: Ask, text: str, **keywords: Any) -> str:
    """What is said about a scenario that is refused."""
    with pytest.raises(ScenarioErrors) as fault:
        ask(text, **keywords)
    return str(fault.value)


TAXED = """
tax: {tax}
site: {{electricity_price: 0.1, utilisation: 100%}}
options:
  own: {{own: l40s, count: 2, price: 1000, tdp: 350, life_months: 24,
        residual_value: {{amount: 150, sale_cost: 10%}}}}
"""
POWER = 2 * 0.35 * 730 * 0.1


# months and years


@pytest.mark.parametrize("months", [1, 7, 12, 25, 30])
def test_a_year_that_the_horizon_cuts_short_is_settled_in_the_last_month(
    ask: Ask, months: int
) -> None:
    result = ask(TAXED.format(tax="{rate: 20%, lag_months: 4}"), months=months)
    total = 2_000 + months * POWER - 270
    tax = result.line("own", "tax_cost")
    assert sum(tax) == close(-0.2 * total)
    assert result.metrics["own"]["total_cost"] == close(0.8 * total)
    paid = [month for month, amount in enumerate(tax) if abs(amount) > 1e-9]
    assert paid == sorted({*range(16, months, 12), months})


def test_months_are_counted_by_the_fiscal_year_and_not_by_the_horizon(ask: Ask) -> None:
    """October to September: a start in August closes the first year in month 2."""
    text = "start: 2027-08\nfiscal_year_end: 9\n" + TAXED.format(tax="{rate: 20%}")
    result = ask(text, months=16)
    closes = [month for month, flag in enumerate(result.months("fiscal_year_close")) if flag]
    assert closes == [2, 14, 16]
    tax = result.line("own", "tax_cost")
    expense = POWER + 2_000 / 24
    assert tax[2] == close(-0.2 * 2 * expense)
    assert tax[14] == close(-0.2 * 12 * expense)


def test_a_leap_month_has_its_own_hours_and_no_other_cost_of_its_own(ask: Ask) -> None:
    text = """
start: 2028-01
hours_per_month: calendar
site: {electricity_price: 0.1, utilisation: 100%, room_cost: 100}
options: {own: {own: l40s, count: 1, price: 0, tdp: 1000, insurance: {share_per_year: 0}}}
"""
    result = ask(text, months=3)
    hours = [31 * 24, 29 * 24, 31 * 24]
    assert line(result, "electricity_cost")[1:] == close([0.1 * hour for hour in hours])
    assert line(result, "floor_cost")[1:] == close([100] * 3)


# rates


@pytest.mark.parametrize("tax", ["month", "year-end"])
def test_at_a_rate_of_0_the_present_value_is_the_cash(ask: Ask, tax: str) -> None:
    result = ask(TAXED.format(tax=f"{{rate: 25%, paid: {tax}}}"), rate="0%")
    assert result.metrics["own"]["npv_of_cost"] == close(sum(result.line("own", "cash_cost")))
    assert result.metrics["own"]["npv_of_cost_year_end"] == close(
        result.metrics["own"]["total_cost"]
    )


def test_a_rate_below_0_makes_later_cash_weigh_more(ask: Ask) -> None:
    text = """
options: {own: {own: l40s, count: 1, price: 1000, tdp: 0, residual_value: {amount: 100}}}
"""
    result = ask(text, rate="-10%")
    assert result.metrics["own"]["npv_of_cost"] == close(1_000 - 100 * 0.9**-3)
    assert result.metrics["own"]["npv_of_cost_higher_rate"] == close(1_000 - 100 * 0.93**-3)


def test_a_rate_of_minus_100_percent_is_refused(ask: Ask) -> None:
    text = "\noptions: {own: {own: l40s, count: 1, price: 1000}}\n"
    assert "discount_rate" in refused(ask, text, rate="-100%")


def test_a_tax_rate_of_0_changes_nothing(ask: Ask) -> None:
    for paid in ("month", "year-end"):
        taxed = ask(TAXED.format(tax=f"{{rate: 0%, paid: {paid}}}"), rate="10%")
        untaxed = ask(TAXED.format(tax="{rate: 0%}").replace("tax: {rate: 0%}", ""), rate="10%")
        for name, value in untaxed.metrics["own"].items():
            assert taxed.metrics["own"][name] == (value and close(value)), name


# hardware that is there already


def test_what_was_paid_once_is_out_and_what_a_sale_would_bring_is_in(ask: Ask) -> None:
    text = """
{tax}
options:
  own: {{own: l40s, count: 4, tdp: 0, already_owned: {{resale_value: 800}},
        residual_value: {{amount: 300, sale_cost: 10%}}}}
"""
    result = ask(text.format(tax=""))
    cash = result.line("own", "cash_cost")
    assert cash[0] == close(4 * 800 * 0.9)
    assert cash[36] == close(-4 * 300 * 0.9)
    assert result.line("own", "capex") == close([0] * 37)
    assert result.line("own", "depreciation") == close([0] * 37)
    taxed = ask(text.format(tax="tax: {rate: 25%, paid: month}"))
    assert taxed.metrics["own"]["total_cost"] == close(0.75 * 4 * 0.9 * (800 - 300))
    # nobody pays the value that is given up: it is in no ledger
    assert sum(taxed.line("own", "net_cash_flow")) == close(0.75 * 4 * 0.9 * 300)


# lives and horizons


@pytest.mark.parametrize("life", [12, 36, 60])
def test_a_book_life_never_moves_cash_but_through_tax(ask: Ask, life: int) -> None:
    text = f"""
options: {{own: {{own: l40s, count: 1, price: 1200, tdp: 0, life_months: {life},
                residual_value: {{amount: 200}}}}}}
"""
    untaxed = ask(text, rate="10%").metrics["own"]
    assert untaxed["npv_of_cost"] == close(1_200 - 200 * 1.1**-3)
    left = max(0, 1_200 * (1 - 36 / life))
    assert untaxed["final_book_value"] == close(left)
    taxed = ask("tax: {rate: 25%, paid: month}\n" + text, rate="10%")
    i = 1.1 ** (1 / 12) - 1
    months = min(life, 36)
    shield = 0.25 * 1_200 / life * (1 - (1 + i) ** -months) / i
    end = (200 - 0.25 * (200 - left)) * 1.1**-3
    assert taxed.metrics["own"]["npv_of_cost"] == close(1_200 - shield - end)
    # in the books what is left is lost with the sale, or gained
    loss = line(taxed, "disposal_loss")
    assert loss[36] == close(left - 200)
    assert line(taxed, "book_value")[36] == close(0)


LOAN = """
options:
  own: {{own: l40s, count: 1, price: 12000, tdp: 0,
        financing: {{loan: {{rate: {rate}, months: {months}{more}}}}}}}
"""


def test_a_loan_longer_than_the_horizon_is_paid_back_in_its_last_month(ask: Ask) -> None:
    result = ask(LOAN.format(rate="12%", months=60, more=""), months=24)
    level = 12_000 * 0.01 / (1 - 1.01**-60)
    owed = 12_000 * 1.01**24 - level * (1.01**24 - 1) / 0.01
    principal, balance = line(result, "loan_principal"), line(result, "loan_balance")
    assert balance[23] == close(12_000 * 1.01**23 - level * (1.01**23 - 1) / 0.01)
    assert balance[24] == close(0)
    assert principal[24] == close(balance[23])
    assert principal[24] == close(level - 0.01 * balance[23] + owed)
    assert sum(principal) == close(12_000)


def test_a_loan_shorter_than_the_horizon_ends_by_itself(ask: Ask) -> None:
    result = ask(LOAN.format(rate="12%", months=12, more=""), months=24)
    assert line(result, "loan_balance")[12:] == close([0] * 13)
    assert line(result, "loan_interest")[13:] == close([0] * 12)


@pytest.mark.parametrize("more", ["", ", share: 50%, fee: 2%, grace_months: 3, balloon: 30%"])
def test_a_loan_moves_no_present_value_of_the_decision(ask: Ask, more: str) -> None:
    financed = ask(LOAN.format(rate="12%", months=36, more=more), rate="10%").metrics["own"]
    cash = ask("\noptions: {own: {own: l40s, count: 1, price: 12000, tdp: 0}}\n", rate="10%")
    for name in ("npv_of_cost", "total_cost", "upfront_cost"):
        assert financed[name] == close(cash.metrics["own"][name])


def test_a_loan_without_interest_has_no_division_by_0(ask: Ask) -> None:
    result = ask(
        LOAN.format(rate="0%", months=40, more=", grace_months: 4, balloon: 10%"), months=40
    )
    assert line(result, "loan_principal")[5:40] == close([12_000 * 0.9 / 36] * 35)
    assert line(result, "loan_principal")[40] == close(12_000 * 0.9 / 36 + 1_200)
    assert line(result, "loan_interest") == close([0] * 41)


def test_a_lease_longer_than_the_horizon_settles_what_is_owed(ask: Ask) -> None:
    text = """
options:
  own: {own: l40s, count: 1, price: 12000, tdp: 0,
        financing: {lease: {payment: 300, months: 48, buyout: 1000, rate: 12%}}}
"""
    result = ask(text, months=24)
    owed = 300 * (1 - 1.01**-24) / 0.01 + 1_000 * 1.01**-24
    flows = line(result, "financing_cash_flow")
    assert flows[0] == close(12_000)
    assert flows[1:24] == close([-300] * 23)
    assert flows[24] == close(-300 - owed)
    assert line(result, "lease_liability")[24] == close(0)


def test_a_lease_that_ends_before_the_horizon_must_say_what_keeping_costs(ask: Ask) -> None:
    text = """
options:
  own: {own: l40s, count: 1, price: 12000, tdp: 0,
        financing: {lease: {payment: 300, months: 24, rate: 12%}}}
"""
    assert "buyout" in refused(ask, text, months=36)


REFRESHED = """
options:
  own: {{own: l40s, count: 2, price: 1000, tdp: 0, life_months: 24,
        refresh: {{after_months: 12, price: 800}}, residual_value: {{loss_per_year: 40%}}}}
"""


@pytest.mark.parametrize(("months", "bought"), [(24, [0, 12]), (25, [0, 12, 24]), (12, [0])])
def test_nothing_is_bought_in_the_last_month(ask: Ask, months: int, bought: list[int]) -> None:
    result = ask(REFRESHED.format(), months=months)
    capex = line(result, "capex")
    assert [month for month, amount in enumerate(capex) if amount] == bought
    assert capex[0] == close(2_000)
    assert sum(capex) == close(2_000 + 1_600 * (len(bought) - 1))


def test_what_is_replaced_is_sold_and_its_book_value_goes_with_it(ask: Ask) -> None:
    result = ask(REFRESHED.format(), months=18)
    loss = line(result, "disposal_loss")
    # 2,000 half written off, sold for 60 %; then 1,600 a quarter written off, for 0.6^(1/2)
    assert loss[12] == close(1_000 - 1_200)
    assert loss[18] == close(1_600 * 0.75 - 1_600 * 0.6**0.5)
    assert sum(line(result, "depreciation")) == close(1_000 + 400)
    cash = result.line("own", "cash_cost")
    assert cash[12] == close(1_600 - 1_200)
    assert cash[18] == close(-1_600 * 0.6**0.5)


# what is paid before it is due


def test_licences_and_insurance_are_paid_a_month_ahead_and_first_at_the_decision(ask: Ask) -> None:
    result = ask(
        """
options:
  own: {own: l40s, count: 2, price: 1000, tdp: 0, licences: {price_per_year: 600},
        insurance: {share_per_year: 6%}}
""",
        months=12,
    )
    month = 2 * 600 / 12 + 2_000 * 0.06 / 12
    cash = result.line("own", "cash_cost")
    assert cash == close([2_000 + month] + [month] * 11 + [0])
    assert line(result, "upkeep_expense") == close([0] + [month] * 12)


def test_a_payment_before_the_decision_is_refused(ask: Ask) -> None:
    text = """
options:
  own: {own: l40s, count: 1, quote: {items: [{name: card, amount: 1000}],
        payment: [{month: -1, share: 30%}, {month: 0, share: 70%}]}}
"""
    said = refused(ask, text)
    assert "options.own.quote.payment" in said
    assert "found:    -1" in said


# a tie


def test_two_ways_that_cost_the_same_pay_back_at_once(ask: Ask) -> None:
    result = ask(
        """
demand: {output_tokens: 10 M}
options:
  one: {own: l40s, count: 1, price: 1000, tdp: 0, residual_value: {amount: 100}}
  two: {own: l40s, count: 1, price: 1000, tdp: 0, residual_value: {amount: 100}}
baseline: two
""",
        rate="10%",
    )
    pair = result.comparison("one", "two")
    for name in (
        "discounted_payback_month",
        "discounted_payback_month_first",
        "npv_difference",
        "npv_difference_higher_rate",
        "final_saving",
        "payback_crossings",
    ):
        assert pair[name] == 0, name


def test_how_often_the_lead_changes(ask: Ask) -> None:
    """Cheap until the yearly bill: ahead to month 11, behind at 12, ahead again, behind at 24."""
    result = ask(
        """
demand: {output_tokens: 1 M}
options:
  yearly: {own: l40s, count: 1, price: 0, tdp: 0}
  monthly: {api: model, output_price: 10}
baseline: monthly
other_costs: [{name: bill, amount: 125, per: year, options: [yearly]}]
""",
        months=30,
    )
    # behind at 12 (125 against 120) and at 24 (250 against 240), ahead again a month later
    assert result.comparison("yearly", "monthly")["payback_crossings"] == 4


# losses

LOSSES = """
tax: {{rate: 25%, losses: {losses}, profit_per_year: 1200{more}}}
options: {{own: {{own: l40s, count: 1, price: 6000, tdp: 0, life_months: 24}}}}
"""


def test_losses_that_find_no_profit_are_worth_nothing(ask: Ask) -> None:
    result = ask(LOSSES.format(losses="worthless", more=""))
    # 3,000 a year against a profit of 1,200: the tax on that is all that can be saved
    tax = result.line("own", "tax_cost")
    assert [tax[month] for month in (12, 24, 36)] == close([-300, -300, 0])
    assert sum(tax) == close(-600)


@pytest.mark.parametrize(("limit", "used"), [("", 1_200), (", loss_limit: 80%", 960)])
def test_losses_are_carried_to_later_profits(ask: Ask, limit: str, used: float) -> None:
    result = ask(LOSSES.format(losses="carried", more=limit), months=48)
    carried = result.line("own", "losses_carried")
    lost = 3_000 - 1_200
    assert [carried[month] for month in (12, 24, 36, 48)] == close(
        [lost, 2 * lost, 2 * lost - used, 2 * lost - 2 * used]
    )
    tax = result.line("own", "tax_cost")
    assert [tax[month] for month in (12, 24, 36, 48)] == close(
        [-300, -300, -0.25 * used, -0.25 * used]
    )


def test_a_tax_on_costs_alone_is_not_settled_by_the_month_where_losses_are_counted(
    ask: Ask,
) -> None:
    text = LOSSES.format(losses="worthless", more=", paid: month")
    assert "tax" in refused(ask, text)


# what is refused


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("licences: {price_per_year: -1}", "licences.price_per_year"),
        ("residual_value: {amount: -1}", "residual_value.amount"),
        ("decommissioning: -5", "decommissioning"),
        ("already_owned: {resale_value: -800}", "already_owned.resale_value"),
        ("purchase: {host: -10}", "purchase.host"),
        ("failures: {share_per_year: -4%}", "failures.share_per_year"),
        ("financing: {loan: {rate: .nan, months: 12}}", "financing.loan.rate"),
        ("financing: {lease: {payment: .inf, months: 36, rate: 8%}}", "financing.lease.payment"),
        ("life_months: 0", "life_months"),
    ],
)
def test_numbers_that_cannot_be_are_refused_by_name(ask: Ask, words: str, path: str) -> None:
    price = "" if "already" in words else "price: 1000, "
    text = f"\noptions: {{own: {{own: l40s, count: 1, {price}tdp: 0, {words}}}}}\n"
    assert f"options.own.{path}" in refused(ask, text)


def test_a_price_in_a_currency_without_a_rate_is_refused(ask: Ask) -> None:
    text = "\noptions: {own: {own: l40s, count: 1, price: 1000, decommissioning: 50 EUR}}\n"
    said = refused(ask, text)
    assert "options.own.decommissioning" in said
    assert "exchange_rates" in said


def test_a_model_that_is_retired_within_the_horizon_is_said(ask: Ask) -> None:
    result = ask(
        """
start: 2026-01
demand: {output_tokens: 10 M}
options:
  old: {api: gemini-2.0-flash, output_price: 0.40}
  new: {api: gemini-2.5-flash, output_price: 2.50}
baseline: new
"""
    )
    said = [text for text in warnings(result) if "gemini-2.0-flash" in text]
    assert len(said) == 1
    assert "2026-06-01" in said[0]
