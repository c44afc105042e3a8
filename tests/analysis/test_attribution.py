"""The gap between two options, part by part: the parts add up, remarks say what they hide."""

from __future__ import annotations

import math
from itertools import permutations
from pathlib import Path

import pytest

from tco.analysis.attribution import attribute
from tco.errors import ScenarioError
from tco.report.attribution import answered
from tco.results import Result, run, run_scenario
from tco.scenario.loading import read

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.yaml"))

# 24 months without discounting: amounts a month are those of a person with a pencil
PLAIN = """\
name: a
months: 24
discount_rate: 0%
hours_per_month: 730
demand: {output_tokens: 50 M}
site: {electricity_price: 0.10}
staff: {hourly_cost: 50}
options:
  own:
    {own: rtx-4090, count: 2, price: 1200, tdp: 500 W, output_rate: 800, staff_hours_per_month: 2,
     model: x}
  rent: {rent: rtx-4090, count: 2, price: 0.50, output_rate: 800, model: x}
  api: {api: y, output_price: 10}
  cheap: {api: z, output_price: 1}
  resold: {api: y, output_price: 8}
other_costs:
  - {name: rack, amount: 24, per: once, options: [own]}
  - {name: rack, amount: 2, per: month, options: [own]}
  - {name: staff, amount: 7, per: month, options: [cheap]}
"""


def plain() -> Result:
    return run_scenario(read(PLAIN.encode(), "s.yaml"))


def differences(result: Result, this: str, other: str) -> dict[str, object]:
    found = attribute(result, this, other)
    return {part.label: pytest.approx(part.difference) for part in found.parts}


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_parts_add_up_to_the_gap_of_every_two_options(file: Path) -> None:
    result = run(file)
    names = [option.name for option in result.model.complete]
    for this, other in permutations(names, 2):
        found = attribute(result, this, other)
        one, two = (result.metrics[name] for name in (this, other))
        size = max(
            abs(one["equivalent_monthly_cost"] or 0), abs(two["equivalent_monthly_cost"] or 0)
        )
        gap = (one["equivalent_monthly_cost"] or 0) - (two["equivalent_monthly_cost"] or 0)
        assert found.gap == gap
        summed = math.fsum(part.difference for part in found.parts)
        assert summed == pytest.approx(gap, rel=1e-9, abs=1e-9 * size)
        assert found.gap_npv == (one["npv_of_cost"] or 0) - (two["npv_of_cost"] or 0)
        present = math.fsum(part.npv for part in found.parts)
        assert present == pytest.approx(
            found.gap_npv, rel=1e-9, abs=1e-9 * size * result.value("annuity_factor")
        )
        assert all(part.difference == part.this - part.other for part in found.parts)


def test_each_part_is_what_it_is_by_hand() -> None:
    result = plain()
    # 50 M tokens at 800 a second of each card keep two cards busy 17.36 of 730 hours
    busy = 50e6 / 3600 / 800
    assert differences(result, "own", "api") == {
        "hardware": 2 * 1200 / 24,
        "electricity": busy * 0.5 * 0.10,
        "API": -500.0,
        "staff": 100.0,
        "rack": 24 / 24 + 2,
    }
    assert differences(result, "rent", "own") == {
        "hardware": -100.0,
        "electricity": -busy * 0.5 * 0.10,
        "rent": 2 * 730 * 0.50,
        "staff": -100.0,
        "rack": -3.0,
    }
    assert differences(result, "cheap", "api") == {"API": -450.0, "staff (other cost)": 7.0}


def test_the_other_way_round_every_sign_turns() -> None:
    result = plain()
    there, back = attribute(result, "own", "rent"), attribute(result, "rent", "own")
    assert back.gap == -there.gap
    assert [part.difference for part in back.parts] == [-part.difference for part in there.parts]


def test_remarks_say_that_the_model_was_switched_and_what_the_same_one_costs() -> None:
    assert attribute(plain(), "cheap", "api").remarks == (
        "the model was switched: cheap runs z, api runs y; the gap is that of two models, whose "
        "answers may differ in quality",
        "with y itself, a month: resold $400",
    )
    assert attribute(plain(), "resold", "api").remarks == ()
    assert attribute(plain(), "own", "rent").remarks == (
        "hours of work are counted for own and none for rent",
    )


def test_remarks_say_what_is_not_known_of_an_option() -> None:
    text = PLAIN.replace("output_rate: 800, staff", "staff").replace(
        "price: 0.50, output_rate: 800", "price: 0.50, output_rate: 5"
    )
    result = run_scenario(read(text.encode(), "s.yaml"))
    assert attribute(result, "own", "rent").remarks == (
        "no throughput is given for own: whether its cards do the work is not checked",
        "not all of the work is done by rent: the gap is not that of two equal services",
        "hours of work are counted for own and none for rent",
    )


def test_remarks_name_a_number_of_two_currencies_and_work_that_stays() -> None:
    text = """\
name: a
months: 12
discount_rate: 0%
exchange_rates: {CNY: 8}
demand: {output_tokens: 10 M, addressable: 60%, present: now}
options:
  now: {api: x, output_price: 5}
  r: {api: x, output_price: {value: 4, currency: ambiguous}}
"""
    found = attribute(run_scenario(read(text.encode(), "s.yaml")), "r (as CNY)", "now")
    # 6 M tokens move to 0.50 a million, 4 M stay at 5
    assert found.gap == pytest.approx(6 * 0.5 - 6 * 5)
    assert [part.label for part in found.parts] == ["API", "what stays on now"]
    amounts = [amount for part in found.parts for amount in (part.this, part.other)]
    assert amounts == pytest.approx([3, 30, 20, 20])
    assert found.remarks == (
        "the price of r (as CNY) is one printed number, which another option reads in another "
        "currency",
        "40 % of the work stays on now in every option: $20 a month, counted in each row",
    )


def test_the_screen() -> None:
    screen = answered(plain(), "cheap", "api")
    assert screen.splitlines()[3:] == [
        "",
        "cheap costs $57 a month, api $500: $443 (88.6 %) less",
        "",
        "USD a month         cheap     api  difference  present value",
        "API                 50.00  500.00     -450.00     -10,800.00",
        "staff (other cost)   7.00    0.00        7.00         168.00",
        "all                 57.00  500.00     -443.00     -10,632.00",
        "",
        "Equivalent monthly cost of cheap less that of api; below 0 cheap is cheaper. Present "
        "value: that of",
        "  the difference over all months. The parts add up to the gap; shown rounded.",
        "The model was switched: cheap runs z, api runs y; the gap is that of two models, whose "
        "answers may",
        "  differ in quality.",
        "With y itself, a month: resold $400.",
    ]
    assert max(map(len, screen.splitlines())) <= 100


def test_an_option_against_itself_and_one_that_cannot_be_costed_are_refused() -> None:
    with pytest.raises(ScenarioError, match="api against itself"):
        answered(plain(), "api", "api")
    text = PLAIN + "  - {name: x, amount: 1, per: month, options: [bare]}\n"
    bare = text.replace("options:\n  own", "options:\n  bare: {rent: rtx-4090, count: 1}\n  own", 1)
    result = run_scenario(read(bare.encode(), "s.yaml"))
    with pytest.raises(KeyError):
        attribute(result, "bare", "api")
    with pytest.raises(ScenarioError):
        answered(result, "bare", "api")
