"""The distributions of uncertain numbers: their P10, P50 and P90, scales, bounds and groups."""

from math import exp, log
from statistics import NormalDist

import numpy as np
import pytest

from tco.analysis.ranges import Z75, Z90, Ranged, groups, ranged, set_aside
from tco.errors import ScenarioErrors
from tco.results import Result, run_scenario
from tco.scenario.loading import read

HEAD = "name: a\nmonths: 12\nstaff: {hourly_cost: 50}\n"
API = "  api: {api: x, output_price: 15}\n"


def result_of(text: str) -> Result:
    return run_scenario(read((HEAD + text).encode(), "s.yaml"))


def owning(price: str, more: str = "", demand: str = "1 M") -> Result:
    card = f"own: l40s, count: 2, tdp: 0 W, price: {price}"
    return result_of(
        f"demand: {{output_tokens: {demand}}}\noptions:\n  own: {{{card}{more}}}\n{API}"
    )


def only(result: Result) -> Ranged:
    (found,) = ranged(result)
    return found


def test_the_normal_scores_of_quantiles() -> None:
    assert pytest.approx(1.2815515655446004, abs=1e-15) == Z90
    assert pytest.approx(0.6744897501960817, abs=1e-15) == Z75


def test_an_amount_is_lognormal_on_each_side_of_its_median() -> None:
    found = only(owning("{value: 1599, low: 1400, high: 2800}"))
    assert found.at([-Z90, 0, Z90]) == pytest.approx([1400, 1599, 2800], rel=1e-14)
    # at twice the score, twice as far in the logarithm
    assert found.at([-2 * Z90, 2 * Z90]) == pytest.approx(
        [1599 * (1400 / 1599) ** 2, 1599 * (2800 / 1599) ** 2], rel=1e-13
    )


def test_one_draw_in_ten_is_below_low_and_one_above_high() -> None:
    found = only(owning("{value: 1599, low: 1400, high: 2800}"))
    even = [NormalDist().inv_cdf((n + 0.5) / 1000) for n in range(1000)]
    drawn = found.at(even)
    assert [(drawn < 1400).sum(), (drawn < 1599).sum(), (drawn > 2800).sum()] == [100, 500, 100]


@pytest.mark.parametrize(
    ("price", "low", "high"),
    [
        ("1599", None, None),
        ("{value: 1599, high: 2800}", 1599, 2800),
        ("{value: 1599, low: 1599, high: 2800}", 1599, 2800),
        ("{value: 1599, low: 1400}", 1400, 1599),
        ("{value: 1599, low: 1400, high: 1599}", 1400, 1599),
        ("{value: 1599, low: 1599, high: 1599}", None, None),
    ],
)
def test_a_side_that_is_not_given_is_not_varied(
    price: str, low: float | None, high: float | None
) -> None:
    found = ranged(owning(price))
    if low is None:
        assert found == []
        return
    assert found[0].at([-3, -Z90]) == pytest.approx([1599 if low == 1599 else 1599 * exp(
        -3 * log(1599 / 1400) / Z90), low])  # fmt: skip
    assert found[0].at(Z90) == pytest.approx(high)


def test_a_share_is_spread_on_the_scale_of_its_odds() -> None:
    text = ", purchase: {discount: {value: 20%, low: 10%, high: 50%}}"
    found = only(owning("1599", text))
    assert found.at([-Z90, 0, Z90]) == pytest.approx([0.1, 0.2, 0.5], rel=1e-14)
    # odds of 1 to 4, and of 1 to 1 one score above: 4 to 1 two scores above
    assert found.at(2 * Z90) == pytest.approx(4 / 5, rel=1e-13)
    assert 0 < float(found.at(-40.0)) < float(found.at(40.0)) <= 1


def test_a_rate_that_may_be_negative_is_spread_on_the_scale_of_growth() -> None:
    text = "discount_rate: {value: 10%, low: -10%, high: 21%}\n"
    options = f"options:\n{API}"
    found = only(result_of(f"{text}demand: {{output_tokens: 1 M}}\n{options}"))
    assert found.at([-Z90, 0, Z90]) == pytest.approx([-0.1, 0.1, 0.21], rel=1e-14)
    assert found.at(2 * Z90) == pytest.approx(1.1**3 - 1, rel=1e-13)
    assert found.at(-100.0) == -0.99  # the least that the field allows


def test_a_median_of_0_is_normal_above_and_never_below() -> None:
    found = only(owning("{value: 0, high: 1000}"))
    assert found.at([-Z90, 0, Z90, 2 * Z90]) == pytest.approx([0, 0, 1000, 2000])


def test_a_low_of_0_is_normal_and_cut_off_at_0() -> None:
    found = only(owning("{value: 100, low: 0, high: 300}"))
    assert found.at([-Z90, 0, Z90]) == pytest.approx([0, 100, 300])
    assert found.at([-2 * Z90, 2 * Z90]) == pytest.approx([0, 500])


def test_a_share_of_one_is_normal_and_cut_off_at_one() -> None:
    text = ", purchase: {discount: {value: 50%, low: 20%, high: 100%}}"
    found = only(owning("1599", text))
    assert found.at([-Z90, 0, Z90, 2 * Z90]) == pytest.approx([0.2, 0.5, 1, 1])


def test_whole_numbers_stay_whole() -> None:
    found = only(owning("1599", ", life_months: {value: 36, low: 24, high: 60}"))
    drawn = found.at(np.linspace(-3, 3, 101))
    assert (drawn == np.rint(drawn)).all()
    assert found.at([-Z90, 0, Z90]).tolist() == [24, 36, 60]


RENTED = "demand: {output_tokens: 1 M}\noptions:\n  rent: {rent: l40s, count: 1, billed: held, "


@pytest.mark.parametrize(
    ("beside", "low", "high"),
    [
        ("p25: 0.25, p75: 1", 0.5 * 0.5 ** (Z90 / Z75), 0.5 * 2 ** (Z90 / Z75)),
        ("p75: 1", None, 0.5 * 2 ** (Z90 / Z75)),
        ("p25: 0.25, low: 0.4, high: 0.9", 0.4, 0.9),
        ("p25: 0.25, p75: 1, high: 0.9", 0.5 * 0.5 ** (Z90 / Z75), 0.9),
        ("minimum: 0.1", None, None),
    ],
)
def test_quartiles_of_a_rental_price_serve_where_low_and_high_do_not(
    beside: str, low: float | None, high: float | None
) -> None:
    result = result_of(f"{RENTED}price: {{median: 0.5, {beside}}}}}\n{API}")
    found = ranged(result)
    if high is None:
        assert found == []
        return
    assert (found[0].low, found[0].high) == (
        None if low is None else pytest.approx(low),
        pytest.approx(high),
    )
    if "p75: 1" in beside and "high" not in beside:
        assert found[0].at(Z75) == pytest.approx(1)


def test_a_number_that_several_options_read_is_one() -> None:
    result = result_of(
        "demand: {output_tokens: 1 M}\n"
        "hardware: {l40s: {price: {value: 1599, low: 1400}, tdp: 0 W}}\n"
        f"options:\n  one: {{own: l40s, count: 1}}\n  two: {{own: l40s, count: 2}}\n{API}"
    )
    assert [number.path for number in ranged(result)] == ["hardware.l40s.price"]


def test_what_shapes_the_model_before_it_runs_is_set_aside() -> None:
    result = result_of(
        "demand: {output_tokens: {value: 1 M, low: 0.5 M}, "
        "peak_to_mean: {value: 3, low: 2, high: 5}}\n"
        f"options:\n  own: {{own: l40s, count: 1, price: 1, tdp: 0 W}}\n{API}"
    )
    assert [number.path for number in ranged(result)] == ["demand.output_tokens"]
    assert set_aside(result) == ["demand.peak_to_mean"]


CORRELATED = """\
demand: {output_tokens: {value: 1 M, low: 0.5 M, high: 2 M}}
options:
  rent: {rent: l40s, count: 1, billed: held, price: {median: 0.5, low: 0.4, high: 0.7}}
  own: {own: l40s, count: 1, tdp: 0 W, price: {value: 1600, low: 1400, high: 2500}}
  api: {api: x, output_price: {value: 15, low: 5, high: 20}}
correlations:
"""


def test_what_correlations_join_moves_together_and_against_each_other() -> None:
    result = result_of(
        f"{CORRELATED}  - {{between: [options.rent.price, options.own.price.value], "
        "correlation: 60%}\n"
        "  - {between: [options.own.price, options.api.output_price], correlation: -20%}\n"
    )
    alone, together = groups(result)
    assert [member.path for member in alone.members] == ["demand.output_tokens"]
    paths = [member.path for member in together.members]
    assert paths == ["options.rent.price.median", "options.own.price", "options.api.output_price"]
    assert together.signs == (1, 1, -1)
    low, high = together.ends()
    assert list(low.values()) == [0.4, 1400, 20]
    assert list(high.values()) == [0.7, 2500, 5]
    assert [float(x) for x in together.at(-Z90).values()] == pytest.approx(list(low.values()))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "  - {between: [options.rent.price, options.own.prise], correlation: 0.5}\n",
            """\
s.yaml, line 10: correlations[0].between
  found:    options.own.prise
  expected: the path of a number of this scenario
  next:     did you mean options.own.price?""",
        ),
        (
            "  - {between: [options.rent.price, staff.hourly_cost], correlation: 0.5}\n",
            """\
s.yaml, line 10: correlations[0].between
  found:    staff.hourly_cost
  expected: a number that has a low or a high
  next:     add them:  {value: 50, low: ..., high: ...}""",
        ),
        (
            "  - {between: [options.own.price, options.own.price.value], correlation: 0.5}\n",
            """\
s.yaml, line 10: correlations[0].between
  found:    options.own.price twice
  expected: two different numbers
  next:     a number follows itself in any case: name another, or delete the line""",
        ),
        (
            "  - {between: [options.own.price], correlation: 0.5}\n",
            """\
s.yaml, line 10: correlations[0].between
  found:    1 numbers
  expected: two numbers of the scenario, by their paths
  next:     write for example  [options.rent.price, options.own.price]""",
        ),
        (
            "  - {between: [options.own.price, options.rent.price], correlation: 1.2}\n",
            """\
s.yaml, line 10: correlations[0].correlation
  found:    1.2
  expected: a correlation from -1 to 1, or a percentage from -100% to 100%
  next:     write 0.012 or 1.2%""",
        ),
        (
            "  - {between: [options.own.price, options.rent.price], correlation: 0.5}\n"
            "  - {between: [options.rent.price, options.own.price], correlation: 0.2}\n",
            """\
s.yaml, line 11: correlations[1].between
  found:    options.rent.price and options.own.price again
  expected: each pair once
  next:     delete one of the two; the other stands on line 10""",
        ),
        (
            "  - {between: [options.own.price, options.rent.price], correlation: 90%}\n"
            "  - {between: [options.own.price, demand.output_tokens], correlation: 90%}\n",
            """\
s.yaml, line 10: correlations
  found:    options.own.price and options.rent.price 0.9; options.own.price and demand.output_tokens
            0.9
  expected: correlations that numbers can have together; a pair that is not named has 0 (the least
            eigenvalue of the matrix is -0.273, and it may not be below 0)
  next:     bring them nearer to 0, or name the pairs that are missing""",
        ),
        (
            "  correlation: 0.5\n",
            """\
s.yaml, line 9: correlations
  found:    keys with values: correlation
  expected: a list of correlations
  next:     begin each with a hyphen:  - {between: [options.rent.price, options.own.price],
            correlation: 60%}""",
        ),
    ],
)
def test_correlations_that_are_none(lines: str, message: str) -> None:
    with pytest.raises(ScenarioErrors) as raised:
        result_of(CORRELATED + lines)
    assert str(raised.value) == message


def test_correlations_of_one_and_minus_one_are_a_matrix() -> None:
    result = result_of(
        f"{CORRELATED}"
        "  - {between: [options.own.price, options.rent.price], correlation: 100%}\n"
        "  - {between: [options.own.price, demand.output_tokens], correlation: -1}\n"
        "  - {between: [options.rent.price, demand.output_tokens], correlation: -1}\n"
    )
    assert len(groups(result)) == 2
