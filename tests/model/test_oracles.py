"""Right answers: what the model must give, written as arithmetic that a reader can redo.

The identifiers (DEP-01, BE-03, ...) name worked cases with a known outcome. Each is
asked as a scenario, so that reading, wiring and arithmetic are all in it.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.errors import ScenarioErrors
from tco.results import Result, evaluate, run
from tests.model.conftest import Ask

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-10, abs=1e-9)


def annuity(annual: float, months: int) -> float:
    """Present value of 1 at the end of each month, by the closed form."""
    i = (1 + annual) ** (1 / 12) - 1
    return months if i == 0 else (1 - (1 + i) ** -months) / i


# The worked cases


def test_dep_01_straight_line_with_salvage(ask: Ask) -> None:
    result = ask(
        """
hardware: {l40s: {price: 100000, salvage: 10000, life_months: 60}}
options: {own: {own: l40s, count: 1}}
""",
        months=60,
    )
    depreciation = result.line("own", "depreciation", supply=1)
    assert depreciation == close([0] + [(100_000 - 10_000) / 60] * 60)
    assert sum(depreciation[1:13]) == close(18_000)
    assert result.line("own", "book_value", supply=1)[24] == close(100_000 - 24 * 1_500)
    assert result.metrics["own"]["final_book_value"] == close(10_000)


def test_npv_01_the_monthly_rate_compounds_to_the_annual_one(ask: Ask) -> None:
    result = ask(
        """
options: {own: {own: l40s, count: 1, price: 0, tdp: 0}}
other_costs: [{name: payment, amount: 1000, per: month}]
""",
        rate="12%",
    )
    i = 1.12 ** (1 / 12) - 1
    assert result.value("monthly_discount_rate") == close(i)
    npv = result.metrics["own"]["npv_of_cost"]
    assert npv == close(1_000 * (1 - (1 + i) ** -36) / i)
    nominal = 1_000 * (1 - 1.01**-36) / 0.01  # a twelfth of 12 % would compound to 12.68 %
    assert npv - nominal == pytest.approx(267.2490725072, abs=1e-6)
    assert round(1.01**12 - 1, 6) == 0.126825


BUY_OR_RENT = """
demand: {{output_tokens: 1 M}}
options:
  own: {{own: h100-sxm, count: 1, price: {price}}}
  rent: {{rent: h100-sxm, count: 1, price: {rent}, billed: held}}
baseline: rent
other_costs: [{{name: running, amount: {running}, per: month, options: [own]}}]
"""


def test_be_01_break_even_month_of_buying_against_renting(ask: Ask) -> None:
    rent = 1_340.28 / 730
    comparison = ask(BUY_OR_RENT.format(price=30_000, rent=rent, running=100)).comparison(
        "own", "rent"
    )
    assert comparison["break_even_month_unrounded"] == close(30_000 / (1_340.28 - 100))
    assert comparison["break_even_month"] == comparison["break_even_month_first"] == 25


@pytest.mark.parametrize("rent", [3.06, 1.73])
def test_be_02_break_even_utilisation_of_a_fixed_cost(ask: Ask, rent: float) -> None:
    result = ask(BUY_OR_RENT.format(price=0, rent=rent, running=956))
    comparison = result.comparison("own", "rent")
    assert comparison["break_even_utilisation"] == close(956 / (rent * 730))
    assert comparison["break_even_utilisation_undiscounted"] == close(956 / (rent * 730))


def test_be_03_break_even_utilisation_with_electricity_in_proportion_to_use(ask: Ask) -> None:
    text = BUY_OR_RENT.format(price=30_000, rent=3.06, running=0)
    result = ask(text, settings=["site.electricity_price=0.10", "options.own.tdp=700 W"])
    expected = 30_000 / 36 / (730 * (3.06 - 0.7 * 0.10))
    assert result.comparison("own", "rent")["break_even_utilisation"] == close(expected)


def test_be_03_discounted_it_asks_for_more_hours(ask: Ask) -> None:
    text = BUY_OR_RENT.format(price=30_000, rent=3.06, running=0)
    comparison = ask(text, rate="10%").comparison("own", "rent")
    discounted = 30_000 / annuity(0.1, 36) / (730 * 3.06)
    assert comparison["break_even_utilisation"] == close(discounted)
    assert comparison["break_even_utilisation_undiscounted"] == close(30_000 / 36 / (730 * 3.06))


OWN_OR_API = """
demand: {{output_tokens: 50 M}}
site: {{electricity_price: {electricity}}}
options:
  own: {{own: l40s, count: 1, price: 0, active_power: 500 W, idle_power: 0, output_rate: {rate}}}
  api: {{api: model, output_price: {price}}}
baseline: api
other_costs: [{{name: fixed, amount: {fixed}, per: month, options: [own]}}]
"""


def test_be_06_break_even_tokens(ask: Ask) -> None:
    # 250 tokens/s are 0.9 Mtok an hour, for which 0.5 kWh at 0.90 are paid: 0.5 a Mtok
    assert round(0.5 * 0.90 / (250 * 3_600 / 1e6), 12) == 0.5
    text = OWN_OR_API.format(electricity=0.90, rate=250, price=8, fixed=956)
    comparison = ask(text).comparison("own", "api")
    assert comparison["break_even_volume"] == close(956 / (8 - 0.5))
    assert comparison["break_even_volume_undiscounted"] == close(956 / (8 - 0.5))
    without = ask(OWN_OR_API.format(electricity=0, rate=250, price=8, fixed=956))
    assert without.comparison("own", "api")["break_even_volume"] == close(956 / 8)


@pytest.mark.parametrize(
    ("fast", "slow", "printed"),
    [
        (3.06, 0.49, 6.2448979592),
        (1.73, 0.14, 12.3571428571),  # both lowest offers: never one of each
        (1.49, 0.49, 3.0408163265),
        (3.06, 1.49, 2.0536912752),
    ],
)
def test_be_08_break_even_speed_up(ask: Ask, fast: float, slow: float, printed: float) -> None:
    result = ask(f"""
demand: {{output_tokens: 1 M}}
hardware: {{h100-sxm: {{output_rate: 100}}, rtx-4090: {{output_rate: 100}}}}
options:
  fast: {{rent: h100-sxm, count: 1, billed: busy, price: {{median: {fast}, minimum: 0.01}}}}
  slow: {{rent: rtx-4090, count: 1, billed: busy, price: {{median: {slow}, minimum: 0.01}}}}
baseline: slow
""")
    found = result.comparison("fast", "slow")["break_even_speed_up"]
    assert found == close(fast / slow)
    assert found == pytest.approx(printed, abs=1e-9)


def test_lcot_01_levelised_cost_discounts_the_tokens_too(ask: Ask) -> None:
    text = """
demand: {output_tokens: 1000 M}
options: {own: {own: l40s, count: 1, price: 30000, tdp: 0}}
other_costs: [{name: operation, amount: 500, per: month}]
"""
    factor = annuity(0.1, 36)
    found = ask(text, rate="10%")
    assert found.value("annuity_factor") == close(factor)
    levelised = found.metrics["own"]["levelised_cost"]
    assert levelised == close((30_000 + 500 * factor) / (1_000 * factor))
    assert levelised == close((30_000 / factor + 500) / 1_000)
    # the two usual slips: discount the cost only, or nothing
    assert levelised != close((30_000 + 500 * factor) / (1_000 * 36))
    assert levelised != close((30_000 + 500 * 36) / (1_000 * 36))


@pytest.mark.parametrize("megatokens", [50, 100])
def test_cap_02_average_rate(ask: Ask, megatokens: int) -> None:
    result = ask(f"""
demand: {{output_tokens: {megatokens} M}}
options: {{own: {{own: l40s, count: 2, price: 1, tdp: 0}}}}
""")
    expected = megatokens * 1e6 / (3_600 * 730)
    assert result.value("highest_demanded_rate") == close(expected)
    assert result.metrics["own"]["required_output_rate"] == close(expected)
    assert result.metrics_with_units["own"]["required_output_rate"].status == "if"


@pytest.mark.parametrize("utilisation", [0.05, 0.2, 0.4, 1])
def test_met_01_cost_of_a_useful_hour(ask: Ask, utilisation: float) -> None:
    result = ask(f"""
site: {{utilisation: {utilisation:.0%}}}
options: {{own: {{own: l40s, count: 1, price: 0, tdp: 0}}}}
other_costs: [{{name: everything, amount: 956, per: month}}]
""")
    found = result.metrics["own"]["cost_per_useful_gpu_hour"]
    assert found == close(956 / (730 * utilisation))


CARDS = {"own-2x4090": 2 * 0.45, "own-a100-40gb": 0.40, "own-a100-80gb": 0.40, "own-h100": 0.70}


def electricity(result: Result, option: str) -> float:
    return sum(result.line(option, "electricity_cost", supply=1))


def test_pwr_02_electricity_of_three_calendar_years() -> None:
    hours = (365 * 2 + 366) * 24  # 2026, 2027 and 2028
    assert hours == 26_304
    result = run(SCENARIOS / "article-c-ownership.yaml")
    for option, kilowatts in CARDS.items():
        assert electricity(result, option) == close(kilowatts * 0.7 * hours * 0.10)


def test_pwr_02_the_printed_cells_follow_from_other_inputs() -> None:
    """All of them come out, to 10 dollars, at full load, a PUE of 1.2 and two cards in each row."""
    counts = [f"options.{option}.count=2" for option in CARDS]
    changes = ["site.utilisation=100%", "site.pue=1.2", *counts]
    result = run(SCENARIOS / "article-c-ownership.yaml", settings=changes)
    for option, printed in zip(CARDS, (2_840, 2_530, 2_530, 4_420), strict=True):
        assert round(electricity(result, option), -1) == printed


def test_aud_01_break_even_volumes_of_the_printed_monthly_costs(ask: Ask) -> None:
    printed = {"rtx4090x2": 168, "a100_40": 348, "a100_80": 487, "h100": 956}
    prices = {"list": 15, "gpt4o": 8, "gemini": 2.5, "deepseek": 0.42}
    owned = "\n".join(f"  {name}: {{own: l40s, count: 1, price: 0, tdp: 0}}" for name in printed)
    apis = "\n".join(f"  {name}: {{api: {name}, output_price: {p}}}" for name, p in prices.items())
    costs = "\n".join(
        f"  - {{name: {name}, amount: {amount}, per: month, options: [{name}]}}"
        for name, amount in printed.items()
    )
    text = f"demand: {{output_tokens: 100 M}}\noptions:\n{owned}\n{apis}\nother_costs:\n{costs}\n"
    api_cheaper = 0
    for api, price in prices.items():
        result = ask(text, settings=[f"baseline={api}"])
        for own, month in printed.items():
            megatokens = result.comparison(own, api)["break_even_volume"]
            assert megatokens == close(month / price)
            emc = {name: result.metrics[name]["equivalent_monthly_cost"] for name in (own, api)}
            assert emc == {own: close(month), api: close(100 * price)}
            api_cheaper += megatokens > 100
    assert api_cheaper == 8  # of 16: "under 100 M tokens the API is certainly cheaper" is not so


# The scenarios that are delivered


def test_article_c_ownership_table() -> None:
    result = run(SCENARIOS / "article-c-ownership.yaml")
    hardware = {
        "own-2x4090": 3_200,
        "own-a100-40gb": 10_000,
        "own-a100-80gb": 15_000,
        "own-h100": 30_000,
    }
    shown = {
        "own-2x4090": 134.92,
        "own-a100-40gb": 298.24,
        "own-a100-80gb": 437.13,
        "own-h100": 869.14,
    }
    printed = {"own-2x4090": 168, "own-a100-40gb": 348, "own-a100-80gb": 487, "own-h100": 956}
    for option, price in hardware.items():
        month = (price + CARDS[option] * 0.7 * 26_304 * 0.10) / 36
        assert result.metrics[option]["cost_per_month"] == close(month)
        assert round(month, 2) == shown[option]
        assert result.metrics[option]["published_difference"] == close(month - printed[option])
    assert result.baseline is None
    assert result.comparisons == []
    assert [option.name for option in result.ranked] == list(hardware)


def power(kilowatts: float) -> float:
    """A month's electricity at 70 % of rated power and 0.10 a kWh."""
    return kilowatts * 0.7 * 730 * 0.10


# option: up-front cash, cash a month; 50 M tokens, 36 months, 10 % a year
ARTICLE_ROWS = {
    "api-deepseek-v3.2": (0, 50 * 0.42),
    "api-reseller-yuan": (0, 50 * 8 / 7.10),
    "own-2x4090": (2 * 1_599, power(0.9)),
    "own-a100-40gb": (10_000, power(0.4)),
    "api-reseller-dollar": (0, 50 * 8),
    "own-a100-80gb": (15_000, power(0.4)),
    "rent-2x4090": (0, 2 * 0.49 * 730),
    "api-openai-gpt-4o": (0, 50 * 15),
    "own-h100": (30_000, power(0.7)),
    "rent-h100": (0, 3.06 * 730),
}


def test_midteam_articles_has_ten_costed_rows_in_this_order() -> None:
    result = run(SCENARIOS / "midteam-articles.yaml")
    costed = [option.name for option in result.ranked if result.status[option.name] == "ok"]
    assert costed == list(ARTICLE_ROWS)
    factor = annuity(0.1, 36)
    for name, (upfront, monthly) in ARTICLE_ROWS.items():
        metrics = result.metrics[name]
        assert metrics["upfront_cost"] == close(upfront)
        assert metrics["running_cost_per_month"] == close(monthly)
        assert metrics["total_cost"] == close(upfront + 36 * monthly)
        assert metrics["npv_of_cost"] == close(upfront + monthly * factor)
        emc = upfront / factor + monthly
        assert metrics["equivalent_monthly_cost"] == close(emc)
        assert metrics["levelised_cost"] == close(emc / 50)
        assert metrics["difference_to_baseline"] == close(emc - 750)


def test_midteam_articles_shows_these_numbers() -> None:
    """Equivalent cost a month as a reader sees it."""
    result = run(SCENARIOS / "midteam-articles.yaml")
    found = [result.metrics[name]["equivalent_monthly_cost"] or 0 for name in ARTICLE_ROWS]
    expected = [21.00, 56.34, 148.53, 341.09, 400.00, 501.42, 715.40, 750.00, 997.73, 2_233.80]
    assert [round(value, 2) for value in found] == expected


def test_midteam_articles_flips_in_these_months() -> None:
    result = run(SCENARIOS / "midteam-articles.yaml")
    against = {
        "api-openai-gpt-4o": 5,
        "api-reseller-dollar": 10,
        "api-reseller-yuan": None,  # never; short by what 36 months do not bring back
        "api-deepseek-v3.2": None,
        "rent-2x4090": 5,
    }
    for other, month in against.items():
        assert result.comparison("own-2x4090", other)["break_even_month"] == month
    yuan = result.comparison("own-2x4090", "api-reseller-yuan")
    assert yuan.metrics["break_even_month"].status == "never"
    assert yuan["final_saving"] == close(36 * (400 / 7.10 - power(0.9)) - 3_198)
    assert round(yuan["final_saving"] or 0) == -2_825


def test_midteam_two_cards_of_ones_own() -> None:
    result = run(SCENARIOS / "midteam.yaml")
    parts = {what: amount for _, what, amount in result.parts("own-2x4090")}
    busy = 50e6 / (2 * 800 * 3_600 * 730)
    kilowatts = 2 * (20 + (450 - 20) * busy) / 1_000
    assert parts == {
        "hardware": close(2 * 1_599 / annuity(0.1, 36)),
        "electricity": close(kilowatts * 730 * 0.10),
        "staff": close(4 * 94),
        "other": close(50),
    }
    assert [round(amount, 2) for amount in parts.values()] == [102.54, 3.67, 376, 50]
    emc = result.metrics["own-2x4090"]["equivalent_monthly_cost"]
    assert emc == close(sum(parts.values()))
    assert round(emc or 0, 2) == 532.21
    assert result.metrics["own-2x4090"]["busy_share"] == close(busy)
    assert result.focus == "own-2x4090"


def test_midteam_api_and_rent() -> None:
    result = run(SCENARIOS / "midteam.yaml")
    assert result.metrics["api-gpt-4o"]["equivalent_monthly_cost"] == close(50 * 15)
    parts = {what: amount for _, what, amount in result.parts("rent-4090")}
    assert parts == {"rent": close(2 * 0.49 * 730), "staff": close(94)}


# Closed forms and limits

LEASE = """
demand: {output_tokens: 10 M}
options:
  own: {own: l40s, count: 3, price: 1000, tdp: 0}
  api: {api: model, output_price: 5}
other_costs: [{name: insurance, amount: 100, per: year}, {name: move, amount: 70, per: once}]
"""


def test_at_a_rate_of_0_the_present_value_is_the_total(ask: Ask) -> None:
    for metrics in ask(LEASE).metrics.values():
        assert metrics["npv_of_cost"] == close(metrics["total_cost"])
        assert metrics["equivalent_monthly_cost"] == close(metrics["cost_per_month"])


@pytest.mark.parametrize("months", [1, 11, 12, 25, 37, 120])
def test_horizons_that_are_not_whole_years(ask: Ask, months: int) -> None:
    """A yearly cost falls due in months 12, 24, ...; a part of a year owes nothing."""
    metrics = ask(LEASE, months=months, rate="10%").metrics["own"]
    years = range(1, months // 12 + 1)
    assert metrics["total_cost"] == close(3_000 + 70 + 100 * len(years))
    expected = 3_000 + 70 + sum(100 * 1.1**-year for year in years)
    assert metrics["npv_of_cost"] == close(expected)
    assert metrics["equivalent_monthly_cost"] == close(expected / annuity(0.1, months))


@pytest.mark.parametrize("rate", ["-10%", "0%", "0.0001%", "100%"])
def test_even_payments_are_their_own_equivalent(ask: Ask, rate: str) -> None:
    """Whatever the rate, also one so small that the closed form would lose its digits."""
    metrics = ask(LEASE, rate=rate).metrics["api"]
    insurance = ask(LEASE, rate=rate, settings=["options.api.output_price=0"]).metrics["api"]
    alone = metrics["equivalent_monthly_cost"] - insurance["equivalent_monthly_cost"]
    assert alone == close(10 * 5)


@pytest.mark.parametrize("tokens", ["output_tokens: 0", "output_tokens: 0, input_tokens: 5 M"])
def test_without_output_tokens_there_is_no_cost_per_token(ask: Ask, tokens: str) -> None:
    result = ask(f"""
demand: {{{tokens}}}
options:
  own: {{own: l40s, count: 1, price: 3600, tdp: 0}}
  api: {{api: model, output_price: 5, input_price: 2}}
""")
    for option in ("own", "api"):
        levelised = result.metrics_with_units[option]["levelised_cost"]
        assert (levelised.value, levelised.status) == (None, "no tokens")
    assert result.metrics["own"]["equivalent_monthly_cost"] == close(100)
    assert result.metrics["api"]["total_cost"] == close(36 * 2 * 5 if "input" in tokens else 0)


@pytest.mark.parametrize("life", [12, 36, 60])
def test_book_life_shorter_or_longer_than_the_horizon(ask: Ask, life: int) -> None:
    result = ask(f"""
hardware: {{l40s: {{price: 1000, salvage: 100, life_months: {life}}}}}
options: {{own: {{own: l40s, count: 2}}}}
""")
    depreciated = 2 * (1_000 - 100) / life * min(life, 36)
    metrics = result.metrics["own"]
    assert metrics["total_depreciation"] == close(depreciated)
    # what is left is given up in the last month: a loss in the books, which come to the cash paid
    assert metrics["final_book_value"] == close(2 * 1_000 - depreciated)
    assert result.line("own", "disposal_loss")[36] == close(2 * 1_000 - depreciated)
    assert metrics["total_book_cost"] == close(2 * 1_000)
    assert result.line("own", "depreciation")[min(life, 36)] == close(2 * 900 / life)
    if life < 36:
        assert result.line("own", "depreciation")[life + 1] == 0


def test_identical_options_break_even_in_month_0(ask: Ask) -> None:
    result = ask("""
demand: {output_tokens: 10 M}
options:
  one: {own: l40s, count: 1, price: 1000, tdp: 0}
  two: {own: l40s, count: 1, price: 1000, tdp: 0}
baseline: two
""")
    comparison = result.comparison("one", "two")
    assert comparison["break_even_month"] == comparison["break_even_month_first"] == 0
    assert comparison["equivalent_difference"] == comparison["final_saving"] == 0


def test_tokens_break_even_always_or_never_when_a_token_costs_the_same(ask: Ask) -> None:
    """F / (p - v) with p = v: the fixed cost decides."""
    # 250 tokens/s, 500 W, 0.90 a kWh: 0.5 a Mtok, as the API takes
    never = ask(OWN_OR_API.format(electricity=0.90, rate=250, price=0.5, fixed=956))
    metric = never.comparison("own", "api").metrics["break_even_volume"]
    assert (metric.value, metric.status) == (None, "never")
    always = ask(
        OWN_OR_API.format(electricity=0.90, rate=250, price=0.5, fixed=956).replace(
            "[own]", "[api]"
        )
    )
    metric = always.comparison("own", "api").metrics["break_even_volume"]
    assert (metric.value, metric.status) == (None, "always")


def test_break_even_beyond_what_the_cards_can_serve_says_so(ask: Ask) -> None:
    result = ask(OWN_OR_API.format(electricity=0, rate=250, price=1, fixed=956))
    metric = result.comparison("own", "api").metrics["break_even_volume"]
    assert 956 > 250 * 3_600 * 730 / 1e6
    assert (metric.value, metric.status) == (close(956), "beyond capacity")


def test_never_comes_with_its_shortfall(ask: Ask) -> None:
    comparison = ask(BUY_OR_RENT.format(price=30_000, rent=1, running=0)).comparison("own", "rent")
    for name in ("break_even_month", "break_even_month_first", "break_even_month_unrounded"):
        assert comparison[name] is None
        assert comparison.metrics[name].status == "never"
    assert comparison["final_saving"] == close(36 * 730 * 1 - 30_000)


def test_an_option_that_falls_behind_again_has_a_first_and_a_lasting_month(ask: Ask) -> None:
    """Cheap until its yearly bill is due: ahead in months 1 to 11, behind at 12, and so on."""
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
    comparison = result.comparison("yearly", "monthly")
    # 10 a month against 125 at months 12 and 24: 120 < 125, 240 < 250, 250 = 250 at month 25
    assert comparison["break_even_month_first"] == 0
    assert comparison["break_even_month"] == 25
    assert comparison["final_saving"] == close(30 * 10 - 2 * 125)


CHAIN = """
demand: {output_tokens: 3000 M, input_tokens: 6000 M}
site: {electricity_price: 0.10}
staff: {hourly_cost: 50}
hardware: {l40s: {price: 2000, active_power: 400 W, idle_power: 50 W, output_rate: 500}}
options:
  mixed:
    - {own: l40s, count: 1, staff_hours_per_month: 2}
    - {rent: l40s, count: 1, price: 0.5, billed: BILLED}
    - {api: model, output_price: 2, input_price: 0.5}
  short: {own: l40s, count: 1}
  api: {api: model, output_price: 2, input_price: 0.5}
"""


def test_a_chain_serves_each_token_once(ask: Ask) -> None:
    result = ask(CHAIN.replace("BILLED", "busy"))
    capacity = 500 * 3_600 * 730
    served = [result.line("mixed", "served_work", supply=n)[1] for n in (1, 2, 3)]
    assert served == close([capacity, capacity, 3_000e6 - 2 * capacity])
    inputs = [result.line("mixed", "served_input_tokens", supply=n)[1] for n in (1, 2, 3)]
    assert inputs == close([2 * tokens for tokens in served])
    cost = result.line("mixed", "cash_cost")[1]
    own = 0.400 * 730 * 0.10 + 2 * 50
    api = (served[2] * 2 + inputs[2] * 0.5) / 1e6
    assert cost == close(own + 0.5 * 730 + api)
    for option, metrics in result.metrics.items():
        total = metrics["total_served_work"] + metrics["total_unserved_work"]
        assert total == close(36 * 3_000e6), option


def test_what_nothing_serves_is_shown_and_never_ranked_first(ask: Ask) -> None:
    result = ask(CHAIN.replace("BILLED", "held"))
    assert result.status["short"] == "infeasible"
    unserved = result.metrics["short"]["total_unserved_work"]
    assert unserved == close(36 * (3_000e6 - 500 * 3_600 * 730))
    costs = {name: metrics["equivalent_monthly_cost"] for name, metrics in result.metrics.items()}
    assert costs["short"] == min(costs.values())
    assert [option.name for option in result.ranked][-1] == "short"
    assert result.focus == "mixed"


def test_a_chain_of_one_rented_card_and_an_api_it_never_needs_is_renting(ask: Ask) -> None:
    result = ask("""
demand: {output_tokens: 50 M}
hardware: {l40s: {output_rate: 500}}
options:
  chain:
    - {rent: l40s, count: 2, price: 0.5}
    - {api: model, output_price: 2}
  rent: {rent: l40s, count: 2, price: 0.5}
""")
    for name in ("total_cost", "npv_of_cost", "levelised_cost", "busy_share"):
        assert result.metrics["chain"][name] == close(result.metrics["rent"][name])
    assert result.line("chain", "served_work", supply=2)[1] == 0


@pytest.mark.parametrize("setting", ["options.short.count=0", "hardware.l40s.output_rate=0"])
def test_a_supply_without_capacity_is_refused(ask: Ask, setting: str) -> None:
    with pytest.raises(ScenarioErrors):
        ask(CHAIN.replace("BILLED", "busy"), settings=[setting])


# What holds for every scenario

DELIVERED = pytest.mark.parametrize(
    "path", sorted(SCENARIOS.glob("*.yaml")), ids=lambda path: path.stem
)


@cache
def run_once(path: Path) -> Result:
    return run(path)


@DELIVERED
def test_present_value_is_the_sum_of_its_parts(path: Path) -> None:
    result = run_once(path)
    for option in result.model.complete:
        emc = result.metrics[option.name]["equivalent_monthly_cost"]
        assert sum(amount for _, _, amount in result.parts(option.name)) == close(emc)
        npv = sum(
            cost * factor
            for cost, factor in zip(
                result.line(option.name, "cash_cost"), result.months("discount_factor"), strict=True
            )
        )
        assert result.metrics[option.name]["npv_of_cost"] == close(npv)


@DELIVERED
def test_every_check_of_the_model_on_itself_holds(path: Path) -> None:
    result = run_once(path)
    checks = ("parts_differ", "books_differ_from_cash", "work_lost", "input_tokens_unpriced")
    lines = [name for name, line in result.model.graph.lines.items() if line.short_name in checks]
    assert len(lines) >= len(result.model.complete)
    assert [name for name in lines if result.arrays[name].any()] == []


@DELIVERED
def test_a_higher_price_never_lowers_a_cost(path: Path) -> None:
    result = run_once(path)
    lines = [option.line("equivalent_monthly_cost") for option in result.model.complete]
    prices = [
        given for given in result.model.inputs.values()
        if given.name.endswith(("price", "_amount", "hourly_cost", "minimum"))
        and not given.name.endswith("residual_amount")  # what a sale brings
    ]  # fmt: skip
    assert prices
    # a draw for each price, in which it alone is higher
    drawn = {price.name: np.full(len(prices), price.value) for price in prices}
    for draw, price in enumerate(prices):
        drawn[price.name][draw] = price.value * 1.5 + 0.01
    changed = evaluate(result.model, drawn)
    for line in lines:
        before = result.value(line)
        after = np.broadcast_to(changed[line], (1, len(prices)))[0]
        lower = [price.name for price, y in zip(prices, after, strict=True)
                 if not y >= before - 1e-9 * abs(before)]  # fmt: skip
        assert lower == [], line


MONEY = """
currency: CURRENCY
exchange_rates: RATES
demand: {output_tokens: 60 M, input_tokens: 20 M}
site: {electricity_price: <0.12>}
staff: {hourly_cost: <80>}
hardware:
  l40s: {price: <1600>, salvage: <200>, active_power: 400, idle_power: 20, output_rate: 300}
options:
  own: {own: l40s, count: 1, staff_hours_per_month: 3}
  rent: {rent: l40s, count: 1, price: {median: <0.5>, minimum: <0.2>}}
  api: {api: model, output_price: <8>, input_price: <2>}
  chain:
    - {own: l40s, count: 1}
    - {api: model, output_price: <8>, input_price: <2>}
baseline: api
other_costs: [{name: rack, amount: <50>, per: month, options: [own, rent]}]
"""


def priced(text: str, factor: float = 1.0, currency: str = "", reporting: str = "USD",
           rates: str = "{}") -> str:  # fmt: skip
    """The text with every amount of money times ``factor``, quoted in ``currency``."""

    def amount(match: re.Match[str]) -> str:
        value = repr(float(match[1]) * factor)
        return f"{value} {currency}" if currency else value

    text = re.sub(r"<([\d.]+)>", amount, text)
    return text.replace("CURRENCY", reporting).replace("RATES", rates)


PER_MONEY = {"busy_share", "average_staff_hours", "largest_cumulative_cost_month",
             "peak_funding_month", "total_served_work", "total_unserved_work"}  # fmt: skip


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(factor=st.floats(0.001, 1_000))
def test_a_times_the_money_is_a_times_the_cost(ask: Ask, factor: float) -> None:
    one, other = ask(priced(MONEY), rate="8%"), ask(priced(MONEY, factor), rate="8%")
    for option, metrics in one.metrics.items():
        for name, value in metrics.items():
            expected = value if name in PER_MONEY or value is None else value * factor
            assert other.metrics[option][name] == pytest.approx(
                expected, rel=1e-9, abs=1e-7 * factor
            )
    for mine, theirs in zip(one.comparisons, other.comparisons, strict=True):
        for name in ("break_even_month", "break_even_staff_hours", "break_even_volume"):
            if name in mine.metrics:
                assert theirs[name] == (mine[name] and pytest.approx(mine[name], rel=1e-7))


def test_the_currency_an_amount_is_quoted_in_changes_nothing(ask: Ask) -> None:
    at_home = ask(priced(MONEY), rate="8%")
    abroad = priced(MONEY, 7.1, currency="CNY", rates="{CNY: 7.1 CNY/USD}")
    converted = ask(abroad, rate="8%")
    assert any(name.startswith("fx_") for name in converted.model.inputs)
    for option, metrics in at_home.metrics.items():
        for name, value in metrics.items():
            assert converted.metrics[option][name] == (value and close(value)), (option, name)


def test_the_reporting_currency_scales_every_amount(ask: Ask) -> None:
    dollars = ask(priced(MONEY), rate="8%")
    yuan = ask(
        priced(MONEY, currency="USD", reporting="CNY", rates="{USD: 7.1 CNY/USD}"), rate="8%"
    )
    assert yuan.unit("o1/total_cost") == "CNY"
    for option, metrics in dollars.metrics.items():
        for name, value in metrics.items():
            expected = value if name in PER_MONEY or value is None else value * 7.1
            assert yuan.metrics[option][name] == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_break_even_prices_make_the_options_equal(ask: Ask) -> None:
    """Each closed form put back into the scenario leaves no difference."""
    result = ask(priced(MONEY), rate="8%")
    pair = result.comparison("own", "api")
    price = pair["break_even_hardware_price"]
    output = pair["break_even_output_price"]
    hours = pair["break_even_staff_hours"]
    for setting in (
        f"hardware.l40s.price={price!r}",
        f"options.api.output_price={output!r}",
        f"options.own.staff_hours_per_month={hours!r}",
    ):
        changed = ask(priced(MONEY), rate="8%", settings=[setting])
        difference = changed.comparison("own", "api")["equivalent_difference"]
        assert difference == pytest.approx(0, abs=1e-6), setting


def test_break_even_tokens_make_the_options_equal(ask: Ask) -> None:
    """At 10 % a year, with the electricity of busy hours and input tokens in proportion."""
    text = OWN_OR_API.format(electricity=0.90, rate=250, price=8, fixed=956)
    megatokens = ask(text, rate="10%").comparison("own", "api")["break_even_volume"]
    changed = ask(text, rate="10%", settings=[f"demand.output_tokens={megatokens * 1e6!r}"])
    difference = changed.comparison("own", "api")["equivalent_difference"]
    assert difference == pytest.approx(0, abs=1e-6)


def test_largest_outlay_and_its_month(ask: Ask) -> None:
    result = ask(LEASE)
    metrics = result.metrics["own"]
    assert metrics["largest_cumulative_cost"] == close(3_000 + 70 + 300)
    assert metrics["largest_cumulative_cost_month"] == 36
    cumulative = np.cumsum(result.line("own", "cash_cost"))
    assert result.line("own", "cumulative_cost") == close(cumulative.tolist())
