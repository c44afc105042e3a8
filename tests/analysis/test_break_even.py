"""Break-evens of scenarios: closed forms, steps, whole numbers, months, and plain answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tco.analysis.axes import axis_of
from tco.analysis.break_even import (
    BreakEven,
    break_even,
    break_even_months,
)
from tco.analysis.turns import turns
from tco.analysis.what_if import WhatIf
from tco.errors import ScenarioError
from tco.report.break_even import answered, render
from tco.report.columns import width
from tco.results import Result, evaluate, run, run_scenario
from tco.scenario.loading import read

SCENARIOS = Path(__file__).parents[2] / "scenarios"
Ask = Callable[..., Result]


def ask(text: str, rate: str = "0%", months: int = 36) -> Result:
    """Runs a scenario that is given as text."""
    head = f"name: case\ndiscount_rate: {rate}\nmonths: {months}\n"
    return run_scenario(read((head + text).encode(), "case.yaml"))


def close(expected: float) -> Any:
    return pytest.approx(expected, rel=1e-11)


def annuity(annual: float, months: int) -> float:
    """Present value of 1 at the end of each month."""
    i = (1 + annual) ** (1 / 12) - 1
    return (1 - (1 + i) ** -months) / i


def places(found: BreakEven) -> list[float]:
    return [crossing.value for crossing in found.crossings]


OWN_OR_API = """
demand: {output_tokens: 50 M}
site: {electricity_price: 0.90}
staff: {hourly_cost: 50}
options:
  own: {own: l40s, count: 1, price: 3600, active_power: 500 W, idle_power: 0, output_rate: 250,
        staff_hours_per_month: 2}
  api: {api: model, output_price: 8}
baseline: api
"""
# 250 tokens/s are 0.9 Mtok an hour, for which 0.5 kWh at 0.90 are paid: 0.5 a Mtok.
# Besides the electricity the card costs 3,600 once and 100 a month.


# Closed forms


def test_tokens_of_one_card_are_fixed_cost_over_price_less_electricity() -> None:
    found = break_even(ask(OWN_OR_API), "tokens")
    (only,) = found.crossings
    assert only.value == close((3_600 / 36 + 100) / (8 - 0.5) * 1e6)
    assert (only.below, only.above, only.jump, only.served) == ("api", "own", False, True)
    assert (found.this, found.other, found.status) == ("own", "api", "crosses")
    assert found.first == found.lasting == found.nearest == only


def test_discounted_and_not() -> None:
    """The price of the card counts once, whatever the rate; all else comes month by month."""
    found = break_even(ask(OWN_OR_API, rate="10%"), "tokens")
    a = annuity(0.1, 36)
    assert places(found) == [close((3_600 / a + 100) / 7.5 * 1e6)]
    assert [c.value for c in found.cash_crossings] == [close((3_600 / 36 + 100) / 7.5 * 1e6)]
    gap = 50 * 7.5 - 100 - 3_600 / a
    assert found.at_base.monthly == close(gap)
    assert found.gap_at_base == close(gap * a)
    assert found.at_low.monthly == close(-100 - 3_600 / a)


@pytest.mark.parametrize(
    ("over", "expected", "below"),
    [
        # 50 Mtok: the API takes 400 a month, the card 100 of its price, 100 of work, 25 of power
        ("hardware-price", 36 * (400 - 100 - 25), "own"),
        ("token-price", (100 + 100 + 25) / 50, "api"),
        ("electricity-price", (400 - 100 - 100) / (50 / 0.9 * 0.5), "own"),
        ("staff-hours", (400 - 100 - 25) / 50, "own"),
        ("staff.hourly_cost", (400 - 100 - 25) / 2, "own"),
    ],
)
def test_prices_enter_in_proportion(over: str, expected: float, below: str) -> None:
    found = break_even(ask(OWN_OR_API), over)
    assert places(found) == [close(expected)]
    assert found.crossings[0].below == below
    assert found.straight


@pytest.mark.parametrize(
    ("over", "metric"),
    [
        ("hardware-price", "break_even_hardware_price"),
        ("token-price", "break_even_output_price"),
        ("staff-hours", "break_even_staff_hours"),
        ("tokens", "break_even_volume"),
    ],
)
def test_what_is_solved_is_what_the_model_has_in_closed_form(over: str, metric: str) -> None:
    result = run(SCENARIOS / "midteam.yaml")
    assert result.focus is not None
    assert result.baseline is not None
    found = break_even(result, over)
    closed = result.comparison(result.focus, result.baseline)[metric]
    assert closed is not None
    assert places(found) == [close(closed * (1e6 if over == "tokens" else 1))]


def test_a_rental_price_is_what_the_model_has_in_closed_form() -> None:
    result = run(SCENARIOS / "midteam.yaml")
    closed = result.comparison("own-2x4090", "rent-4090")["break_even_rental_price"]
    assert closed is not None
    found = break_even(result, "rental-price", "own-2x4090", "rent-4090")
    assert places(found) == [close(closed)]
    # the other way round it is the same place, with the two exchanged
    turned = break_even(result, "rental-price", "rent-4090", "own-2x4090")
    assert places(turned) == [close(closed)]
    assert turned.gap_at_base == close(-found.gap_at_base)


def test_the_discount_rate_is_where_a_price_paid_at_once_is_worth_it() -> None:
    """The internal rate of buying instead of paying: 3,600 at once saves 275 a month."""
    result = ask(OWN_OR_API, rate="10%")
    found = break_even(result, "discount-rate", between=(0.0, 5.0))
    (only,) = found.crossings
    rate = (1 + only.value) ** (1 / 12) - 1
    assert 275 * (1 - (1 + rate) ** -36) / rate == close(3_600)
    assert not found.straight
    comparison = result.comparison("own", "api")
    assert comparison["irr"] == pytest.approx(only.value, rel=1e-8)


# Whole cards, tiers


WHOLE_CARDS = """
demand: {{output_tokens: 50 M}}
hardware: {{l40s: {{price: 9000, tdp: 0, output_rate: {rate}}}}}
options:
  own: {{own: l40s, count: auto}}
  api: {{api: model, output_price: 3}}
baseline: api
"""
MONTH = 3_600 * 730


def test_a_tier_for_all_units_leaps() -> None:
    """2.60 a Mtok against 3 up to 100 Mtok a month and 2 for all of them above."""
    result = ask("""
demand: {output_tokens: 50 M}
options:
  tiered: {api: model, tiering: all-units,
           output_tiers: [{up_to: 100 M, price: 3}, {price: 2}]}
  flat: {api: model, output_price: 2.60}
baseline: flat
""")
    found = break_even(result, "tokens", "tiered", "flat", (1e6, 300e6))
    (only,) = found.crossings
    assert (only.below, only.above, only.jump) == ("flat", "tiered", True)
    assert only.value == pytest.approx(100e6, rel=1e-6)
    assert np.nextafter(only.value, np.inf) == only.after


def test_a_graduated_tier_bends_and_does_not_leap() -> None:
    """3 for the first 100 Mtok, 1 beyond: 200 + V = 2 V at 200."""
    result = ask("""
demand: {output_tokens: 50 M}
options:
  tiered: {api: model, tiering: graduated, output_tiers: [{up_to: 100 M, price: 3}, {price: 1}]}
  flat: {api: model, output_price: 2}
baseline: flat
""")
    found = break_even(result, "tokens", "tiered", "flat")
    assert places(found) == [close(200e6)]
    assert not found.crossings[0].jump
    assert not found.straight


def test_cards_that_follow_a_growing_load_are_all_tried() -> None:
    """Work that doubles in a year: every month buys when it needs, and each purchase is a leap."""
    text = WHOLE_CARDS.format(rate=100e6 / MONTH).replace("9000", "4000")
    growing = text.replace("output_tokens: 50 M", "output_tokens: 50 M, growth_per_year: 100%")
    result = ask(growing, months=24)
    found = break_even(result, "tokens", between=(20e6, 400e6))
    assert found.exhaustive
    # ahead for a moment where the last card is full, again and again
    assert len(found.crossings) == 30
    for crossing in found.crossings:
        below, above = (
            gap_at(result, found, value + side * 1e-9 * value)
            for value, side in ((crossing.value, -1), (crossing.after, +1))
        )
        assert below * above < 0
        assert (below > 0) == (crossing.below == "own")
    axis = found.axis
    x = np.linspace(20e6, 400e6, 20_001)
    outcomes = WhatIf(result, axis.names, ("own", "api"))(axis.values(x))
    saved = outcomes.npv[outcomes.of("api")] - outcomes.npv[outcomes.of("own")]
    scanned = np.flatnonzero(np.diff(np.sign(saved)))
    assert len(scanned) == len(found.crossings)
    for place, crossing in zip(scanned, found.crossings, strict=True):
        assert x[place] < crossing.value < x[place + 1]


def gap_at(result: Result, found: BreakEven, value: float) -> float:
    """The gap by a plain run of the whole model."""
    arrays = evaluate(result.model, found.axis.values(value))
    cost = {
        name: arrays[result.option(name).line("npv_of_cost")][0, 0]
        for name in (found.this, found.other)
    }
    return float(cost[found.other] - cost[found.this])


def test_a_number_of_cards_crosses_between_two_whole_numbers() -> None:
    """Each card costs 100 a month; the API takes 250."""
    result = ask("""
demand: {output_tokens: 50 M}
options:
  own: {own: l40s, count: 1, price: 3600, tdp: 0}
  api: {api: model, output_price: 5}
baseline: api
""")
    found = break_even(result, "options.own.count")
    (only,) = found.crossings
    assert (only.value, only.after, only.below, only.above) == (2.0, 3.0, "own", "api")
    assert "The cheaper one changes between 2 and 3: own below, api above." in render(result, found)


# What is not served


def test_a_crossing_beyond_what_the_card_can_serve_is_none_that_counts() -> None:
    """956 a month against 1 a Mtok: 956 Mtok, but one card does 657."""
    result = ask("""
demand: {output_tokens: 50 M}
options:
  own: {own: l40s, count: 1, price: 34416, tdp: 0, output_rate: 250}
  api: {api: model, output_price: 1}
baseline: api
""")
    most = 250 * MONTH
    assert most == 657e6
    found = break_even(result, "tokens", between=(0.0, 1e9))
    (only,) = found.crossings
    assert only.value == close(956e6)
    assert not only.served
    assert [(limit.option, limit.above) for limit in found.limits] == [("own", True)]
    assert found.limits[0].value == pytest.approx(most, rel=1e-6)
    text = render(result, found)
    assert "own serves the whole demand up to 657 M." in text
    assert "Not served at 956 M: one of the two leaves work undone there" in text


# Never, always, equal


def test_never_and_always_come_with_the_smallest_gap() -> None:
    result = ask(OWN_OR_API)
    found = break_even(result, "electricity-price", between=(0.0, 1.0))
    assert (found.status, found.crossings) == ("always", ())
    least = 400 - 200 - 50 / 0.9 * 0.5  # dearest at 1 a kWh
    assert found.margin.value == 1.0
    assert found.margin.monthly == close(least)
    assert found.margin.npv == close(36 * least)
    assert found.beyond == close(200 / (50 / 0.9 * 0.5))
    assert "own is always the cheaper one from $0/kWh to $1/kWh: at least $172 a month" in render(
        result, found
    )
    turned = break_even(result, "electricity-price", "api", "own", (0.0, 1.0))
    assert turned.status == "never"
    assert turned.margin.monthly == close(-least)


def test_equal_everywhere() -> None:
    result = ask("""
demand: {output_tokens: 10 M}
options:
  one: {own: l40s, count: 1, price: 1000, tdp: 0}
  two: {own: l40s, count: 1, price: 1000, tdp: 0}
baseline: two
""")
    found = break_even(result, "discount-rate")
    assert found.status == "equal"
    assert "Both cost the same everywhere from -50 % a year to 50 % a year." in render(
        result, found
    )


def test_a_number_that_neither_option_depends_on() -> None:
    result = run(SCENARIOS / "midteam.yaml")
    found = break_even(result, "hardware.rtx-4090.price", "rent-4090", "api-gpt-4o")
    assert found.depending == ()
    text = " ".join(render(result, found).split())
    assert "Neither option depends on it, so there is no break-even." in text
    assert "They depend on discount_rate, hours_per_month, staff.hourly_cost" in text


def test_a_number_that_moves_nothing_says_so() -> None:
    """The PUE of cards that take no power."""
    found = break_even(ask(WHOLE_CARDS.format(rate=100e6 / MONTH)), "site.pue")
    assert found.constant
    assert found.status == "never"


# Which option is the cheapest


def test_the_cheapest_of_three_changes_twice() -> None:
    """12 M and nothing, 6 M and 2 a Mtok by the card, 5 a Mtok: at 2 and at 3."""
    result = ask("""
demand: {output_tokens: 1 M}
options:
  dear: {own: l40s, count: 1, price: 432, tdp: 0}
  middle:
    - {api: model, output_price: 2}
  api: {api: model, output_price: 5}
baseline: api
other_costs: [{name: fee, amount: 6, per: month, options: [middle]}]
""")
    axis = axis_of(result, "tokens", "dear", "api")
    changes = turns(result, axis, (0.0, 10e6), serving=True)
    assert [(c.before, c.after) for c in changes] == [("api", "middle"), ("middle", "dear")]
    assert [c.value for c in changes] == [close(2e6), close(3e6)]
    (only,) = turns(result, axis, (0.0, 10e6), ("dear", "api"), serving=True)
    assert only.value == close(12 / 5 * 1e6)
    assert turns(result, axis, (1e6, 1e6), serving=True) == ()


# Months


def test_the_month_of_two_options_that_the_model_does_not_compare() -> None:
    """30,000 at once and 100 a month against 1,340.28 a month (no pair of the model)."""
    result = ask("""
demand: {output_tokens: 1 M}
options:
  cheap: {own: l40s, count: 1, price: 1, tdp: 0}
  own: {own: l40s, count: 1, price: 30000, tdp: 0}
  rent: {rent: l40s, count: 1, price: 1.836}
  api: {api: model, output_price: 10}
baseline: api
other_costs: [{name: running, amount: 100, per: month, options: [own]}]
""")
    assert result.pair("own", "rent") is None
    found = break_even_months(result, "own", "rent")
    (only,) = found.cash.crossings
    assert (only.month, only.before, only.after) == (25, "rent", "own")
    assert only.inside == close(30_000 / (1.836 * 730 - 100))
    assert (found.cash.first, found.cash.lasting) == (25, 25)
    assert found.cash.saved == close(36 * (1.836 * 730 - 100) - 30_000)
    turned = break_even_months(result, "rent", "own")
    assert (turned.cash.first, turned.cash.lasting) == (0, None)


def test_an_option_that_falls_behind_again_and_again() -> None:
    """10 a month against 125 at months 12 and 24: behind from 12, from 24 to the 25th month."""
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
    course = break_even_months(result, "yearly", "monthly").cash
    assert course.ahead_at_start
    assert [(c.month, c.after) for c in course.crossings] == [
        (12, "monthly"),
        (13, "yearly"),
        (24, "monthly"),
        (25, "yearly"),
    ]
    assert course.crossings[0].inside == close(12 - 5 / 115)  # 110 ahead, 125 due, 10 saved
    assert course.crossings[1].inside == close(12.5)
    assert (course.first, course.lasting, course.saved) == (0, 25, close(50))
    comparison = result.comparison("yearly", "monthly")
    assert comparison["break_even_month_first"] == 0
    assert comparison["break_even_month"] == 25


@pytest.mark.parametrize("name", ["midteam.yaml", "midteam-articles.yaml"])
def test_months_are_those_of_the_model(name: str) -> None:
    result = run(SCENARIOS / name)
    assert result.comparisons
    for comparison in result.comparisons:
        found = break_even_months(result, comparison.this, comparison.other)
        assert comparison["break_even_month_first"] == found.cash.first
        assert comparison["break_even_month"] == found.cash.lasting
        assert comparison["final_saving"] == close(found.cash.saved)
        unrounded = comparison["break_even_month_unrounded"]
        if unrounded and found.cash.crossings:
            assert found.cash.crossings[-1].inside == close(unrounded)
        if comparison.other == result.baseline:
            assert comparison["discounted_payback_month"] == found.discounted.lasting
            assert comparison["discounted_payback_month_first"] == found.discounted.first


# Bad input


MIDTEAM = SCENARIOS / "midteam.yaml"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            {"of": "own-2x409"},
            "--of\n  found:    own-2x409\n  expected: one of own-2x4090, own-a100-40gb, "
            "own-a100-80gb, own-h100, rent-4090, rent-h100,\n            rent-a100, api-gpt-4o, "
            "api-reseller-yuan, api-reseller-dollar, api-deepseek-v3.2,\n            own-then-api\n"
            "  next:     did you mean own-2x4090?",
        ),
        (
            {"of": "rent-a100"},
            "--of\n  found:    rent-a100: no price\n  expected: an option that can be costed\n"
            "  next:     add options.rent-a100.price",
        ),
        (
            {"of": "rent-4090", "against": "rent-4090"},
            "--against\n  found:    rent-4090 against itself\n  expected: another option: "
            "api-deepseek-v3.2, api-reseller-yuan, api-reseller-dollar, own-then-api,\n            "
            "own-2x4090, own-a100-40gb, api-gpt-4o, own-a100-80gb, own-h100, rent-h100\n"
            "  next:     name two options",
        ),
        (
            {"between": "20 M:10 M"},
            "--range\n  found:    20 M to 10 M\n  expected: a low end below the high end\n"
            "  next:     give the low end first, such as 10:20",
        ),
        (
            {"between": "20 M:20 M"},
            "--range\n  found:    20 M to 20 M\n  expected: a low end below the high end\n"
            "  next:     give two different ends",
        ),
        (
            {"between": "20 M"},
            "--range\n  found:    20 M\n  expected: two values with a colon between them\n"
            "  next:     write for example  --range 0:500M",
        ),
        (
            {"over": "month", "between": "1:5"},
            "--range\n  found:    1:5\n  expected: no range: all months are looked at\n"
            "  next:     leave --range out",
        ),
    ],
)
def test_bad_questions_end_in_a_message(words: dict[str, str], message: str) -> None:
    result = run(MIDTEAM)
    asked: dict[str, str | None] = {"over": "tokens", "of": None, "against": None, "between": None}
    asked.update(words)
    with pytest.raises(ScenarioError) as fault:
        answered(result, asked["over"] or "", asked["of"], asked["against"], asked["between"])
    assert str(fault.value) == f"{MIDTEAM}: {message}"


@pytest.mark.parametrize(
    ("over", "between", "expected"),
    [
        ("options.own-2x4090.count", (1.5, 4.0), "GPUs: whole numbers"),
        ("hardware-price", (-5.0, 5.0), "purchase price of a GPU: at least $0"),
        ("discount-rate", (-2.0, 0.5), "discount rate, annual effective: at least -99 % a year"),
    ],
)
def test_a_range_that_cannot_be(over: str, between: tuple[float, float], expected: str) -> None:
    result = run(MIDTEAM)
    with pytest.raises(ScenarioError) as fault:
        break_even(result, over, between=between)
    assert fault.value.expected == expected


def test_an_option_that_serves_nowhere_in_the_range() -> None:
    result = ask("""
demand: {output_tokens: 500 M}
options:
  own: {own: l40s, count: 1, price: 3600, tdp: 0, output_rate: 100}
  api: {api: model, output_price: 1}
baseline: api
""")
    assert result.status["own"] == "infeasible"
    with pytest.raises(ScenarioError) as fault:
        break_even(result, "tokens", "own", "api", (400e6, 900e6))
    assert fault.value.field == "options.own"
    assert "tokens a month of 400 M to 900 M" in fault.value.found
    assert fault.value.next_step == "give it more cards, or a supply behind them such as an API"
    with pytest.raises(ScenarioError, match="an option that serves the whole demand"):
        break_even_months(result, "own", "api")
    # where it serves some of the values, those are looked at
    assert break_even(result, "tokens", "own", "api").limits


def test_without_a_demand_nothing_is_compared() -> None:
    result = ask("options: {one: {own: l40s, count: 1, price: 1}}")
    with pytest.raises(ScenarioError) as fault:
        break_even(result, "hardware-price")
    assert fault.value.next_step == "add for example  demand: {output_tokens: 50 M}"


def test_one_option_has_no_break_even() -> None:
    result = ask("demand: {output_tokens: 1 M}\noptions: {one: {api: a, output_price: 1}}")
    with pytest.raises(ScenarioError) as fault:
        break_even(result, "tokens")
    assert fault.value.expected == "two options to compare"


# The screen


def test_the_screen_of_tokens() -> None:
    text = answered(run(MIDTEAM), "tokens", None, None, None)
    assert (
        text.split("\n\n", 1)[1]
        == """\
own-2x4090 against api-gpt-4o over tokens a month, 0 to 500 M

Below 35.5 M api-gpt-4o is the cheaper one, above it own-2x4090.
With 50 M, as given, own-2x4090 costs $218 a month ($6,792 in present value) less than api-gpt-4o.

  tokens a month  from as given  cheaper below  cheaper above  found
  35.5 M          -29.1 %        api-gpt-4o     own-2x4090     closed form

Not discounted, by total cash: 34.6 M.
The model was switched: own-2x4090 runs llama-3-8b, api-gpt-4o runs gpt-4o; the gap is that of two
  models, whose answers may differ in quality.
With gpt-4o itself, a month: api-reseller-yuan $56.34, api-reseller-dollar $400.
Compared is the present value of all cash, not what is booked, all other inputs as given."""
    )


def test_the_screen_of_months() -> None:
    text = answered(run(MIDTEAM), "month", None, None, None)
    assert (
        text.split("\n\n", 1)[1]
        == """\
own-2x4090 against api-gpt-4o by month, to month 36

By cash own-2x4090 is ahead of api-gpt-4o from month 10 (2027-09) on: by month 36 it has saved
  $8,334.
By discounted cash own-2x4090 is ahead of api-gpt-4o from month 11 (2027-10) on: by month 36 it has
  saved $6,792.

  month               inside it  ahead before  ahead after  counted
  month 10 (2027-09)  9.98       api-gpt-4o    own-2x4090   cash
  month 11 (2027-10)  10.45      api-gpt-4o    own-2x4090   discounted

Ahead is the one that has cost less from the decision on, at the end of a month; own-2x4090 is ahead
  too where both have cost the same. Inside it: when, with the month's flows taken as even. A sale
  of hardware counts in the month that it is sold in."""
    )


def test_rented_cards_say_how_they_are_billed() -> None:
    result = run(MIDTEAM)
    text = answered(result, "rental-price", "own-2x4090", "rent-4090", None)
    assert (
        "Rented GPUs of rent-4090 are paid for all hours that they are held, busy or not." in text
    )


def test_every_line_fits_the_terminal_with_chinese_names() -> None:
    result = ask("""
demand: {output_tokens: 50 M}
options:
  自有双卡四零九零加机架加电费加人工的很长很长的名字: {own: l40s, count: 1, price: 3600, tdp: 0}
  云上接口按量付费的另外一个也是很长很长的名字: {api: model, output_price: 8}
baseline: 云上接口按量付费的另外一个也是很长很长的名字
""")
    for over in ("tokens", "month", "token-price"):
        text = answered(result, over, None, None, None)
        assert max(width(line) for line in text.splitlines()) <= 100
