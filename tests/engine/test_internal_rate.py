"""Every rate at which flows are worth nothing: one, none or several, and why."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.engine.internal_rate import HIGHEST, NONE, ONE, SEVERAL, internal_rate


def worth(flows: list[float], rate: float) -> float:
    return sum(flow * (1 + rate) ** -period for period, flow in enumerate(flows))


def close(expected: float) -> Any:
    return pytest.approx(expected, rel=1e-9, abs=1e-9)


# The worked cases


def test_irr_01_conventional() -> None:
    found = internal_rate([-250_000, 100_000, 150_000, 200_000, 250_000, 300_000])
    assert (found.status, found.reason) == (ONE, "")
    assert found.roots == (close(0.5672303344358536),)


def test_irr_02_two_rates_and_yet_no_gain_at_10_percent() -> None:
    flows: list[float] = [-1600, 10000, -10000]
    found = internal_rate(flows)
    # 16 (1+x)^2 - 100 (1+x) + 100 = 0: 1 + x = 1.25 and 5
    assert found.roots == (close(0.25), close(4))
    assert found.status == SEVERAL
    assert found.reason == "the sign of the flows changes 2 times: use the present value"
    assert worth(flows, 0.10) == pytest.approx(-773.5537190083)


def test_irr_03_four_rates() -> None:
    wanted = (0.05, 0.2, 0.5, 1.5)
    flows = np.array([-1.0])
    for rate in wanted:
        flows = np.convolve(flows, [1, -(1 + rate)])
    found = internal_rate(flows)
    assert found.roots == tuple(close(rate) for rate in wanted)
    assert found.sign_changes == 4


def test_irr_04_none_although_the_sign_changes_twice() -> None:
    flows: list[float] = [1000, -3000, 2500]
    assert 3000**2 - 4 * 1000 * 2500 < 0
    found = internal_rate(flows)
    assert (found.status, found.roots) == (NONE, ())
    assert found.reason == "the present value stays above 0 at every rate"
    assert worth(flows, 0.10) == pytest.approx(338.8429752066)


@pytest.mark.parametrize(("sign", "word"), [(1, "more"), (-1, "less")])
def test_irr_05_no_sign_change(sign: int, word: str) -> None:
    found = internal_rate([-100 * sign, -10 * sign, -10 * sign])
    assert (found.status, found.roots) == (NONE, ())
    assert found.reason == f"no sign change: every month costs {word}"


def test_irr_07_buying_instead_of_renting() -> None:
    net = 3.06 * 730 * 0.6 - 100
    assert net == pytest.approx(1240.28)
    found = internal_rate([-30_000, *[net] * 35, net + 9_000])
    assert found.roots == pytest.approx((0.0303594232,), abs=1e-10)
    # the effective rate of a year, not 12 times that of a month
    assert found.annual == pytest.approx((0.4317426671,), abs=1e-9)
    assert 12 * found.roots[0] == pytest.approx(0.3643130778, abs=1e-9)


# What other programs got wrong


@pytest.mark.parametrize(
    ("flows", "rates"),
    [
        # a guess finds the one below -0.99 or the other; there are two
        (
            [-1678.87, 771.96, 1814.05, 3520.30, 3552.95, 3584.99, 4789.91, -1],
            (-0.9997912604, 1.0042698487),
        ),
        ([-50, -100, 600, 300, -100], (-0.7688954707, 1.8544178285)),
    ],
)
def test_both_rates_are_said(flows: list[float], rates: tuple[float, float]) -> None:
    found = internal_rate(flows)
    assert found.status == SEVERAL
    assert found.roots == pytest.approx(rates, abs=1e-9)


def test_a_pure_cost_has_no_rate() -> None:
    assert internal_rate([-100, 0, 0, -7]).status == NONE


# Where roots are easily missed


def test_a_root_where_a_search_begins_is_exact() -> None:
    assert internal_rate([-100, 102]).roots == pytest.approx((0.02,), abs=1e-15)


def test_a_rate_that_only_touches_0() -> None:
    # -(1 - 2v)^2 is 0 at v = 1/2, a rate of 100 %, and below 0 everywhere else
    found = internal_rate([-1, 4, -4])
    assert found.roots == pytest.approx((1,), abs=1e-6)
    assert found.status == ONE
    assert found.reason == "the present value only touches 0 at this rate: use the present value"


def test_three_roots_in_one() -> None:
    found = internal_rate([-1, 3 * 1.02, -3 * 1.02**2, 1.02**3])
    assert found.roots == pytest.approx((0.02,), abs=1e-4)
    assert (found.status, found.reason) == (ONE, "")


@pytest.mark.parametrize("apart", [1e-3, 1e-5])
def test_two_rates_side_by_side(apart: float) -> None:
    one, two = 1.02, 1.02 + apart
    found = internal_rate([-1, one + two, -one * two])
    assert found.roots == pytest.approx((one - 1, two - 1), abs=1e-8)


def test_the_highest_rate_is_the_last_that_counts() -> None:
    assert internal_rate([-1, 1 + HIGHEST]).roots == (close(HIGHEST),)
    beyond = internal_rate([-1, 2 + HIGHEST])
    assert beyond.status == NONE
    assert beyond.reason == "the present value stays above 0 at every rate up to 1,000 % a period"
    below = internal_rate([1, -2 - HIGHEST])
    assert below.reason == "the present value stays below 0 at every rate up to 1,000 % a period"


def test_expansions_change_the_sign_often_and_have_one_rate() -> None:
    flows = [-10_000.0 if month % 12 == 0 else 1_500.0 for month in range(60)]
    found = internal_rate(flows)
    assert found.sign_changes == 9
    assert found.status == ONE


def test_what_begins_with_an_inflow_is_read_the_other_way_round() -> None:
    found = internal_rate([1000, *[-30.0] * 36])
    assert found.status == ONE
    assert found.reason == (
        "it begins with an inflow, as a loan does: worth it below this rate, not above"
    )
    assert worth([1000, *[-30.0] * 36], found.roots[0] - 0.001) < 0


def test_what_rounding_leaves_of_equal_costs_is_no_flow() -> None:
    assert internal_rate([1e-13, -2e-13, 1e-13], scale=750).reason == (
        "nothing differs: both cost the same in every month"
    )
    assert internal_rate([0, 0]).status == NONE


def test_flows_may_count_at_other_times() -> None:
    # twelve months that all count at the end of the year: 1,200 for 1,000 is 20 % a year
    found = internal_rate([-1000, *[100.0] * 12], periods=[0, *[12.0] * 12])
    assert found.annual == (close(0.2),)
    half = internal_rate([-1000, 1100], periods=[0, 0.5])
    assert half.roots == (close(1.1**2 - 1),)


def test_a_flow_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        internal_rate([-1, float("nan")])


# What holds for all


flow_lists = st.lists(st.integers(-9, 9).map(float), min_size=2, max_size=7)


@settings(max_examples=200, deadline=None)
@given(flow_lists)
def test_the_roots_are_those_of_the_polynomial(flows: list[float]) -> None:
    held = np.trim_zeros(np.array(flows))
    found = internal_rate(flows)
    assert len(found.roots) <= found.sign_changes
    if not len(held):
        assert found.status == NONE
        return
    roots = np.roots(held[::-1])
    # near a double root eigenvalues are too coarse to say whether it is one, none or two
    distances = np.abs(roots[:, None] - roots[None, :]) + np.eye(len(roots))
    if len(roots) and distances.min() < 1e-4:
        return
    least = 1 / (1 + HIGHEST)
    real = roots.real[(np.abs(roots.imag) < 1e-9) & (roots.real > least)]
    assert found.roots == pytest.approx(sorted(1 / real - 1), rel=1e-6, abs=1e-7)


monthly = st.builds(
    lambda first, rest: [-first, *rest],
    st.floats(1, 1e5),
    st.lists(st.floats(-100, 3000), min_size=1, max_size=60),
)


@settings(max_examples=100, deadline=None)
@given(monthly)
def test_at_every_root_the_present_value_is_0(flows: list[float]) -> None:
    for rate in internal_rate(flows).roots:
        # at rates near -1 the late flows count for more than a number can hold
        exponents = -np.arange(len(flows)) * np.log1p(rate)
        weights = np.exp(exponents - exponents.max())
        # and a rate that is near -1 has few digits left in 1 + x
        slack = 1e-9 + len(flows) * 2.3e-16 / (1 + rate)
        assert abs(np.dot(flows, weights)) <= slack * np.dot(np.abs(flows), weights)


@settings(max_examples=60, deadline=None)
@given(monthly, st.sampled_from([1e-6, 0.5, 7.1, 1e9]))
def test_another_currency_changes_no_rate(flows: list[float], rate: float) -> None:
    ours, theirs = internal_rate(flows), internal_rate([flow * rate for flow in flows])
    assert ours.status == theirs.status
    assert theirs.roots == pytest.approx(ours.roots, rel=1e-6, abs=1e-7)
