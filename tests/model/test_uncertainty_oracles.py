"""Right answers of uncertainty: chances, intervals and regrets with a known outcome.

The identifiers name worked cases; their answers are written as arithmetic a reader can redo.
"""

import numpy as np
import pytest

from tco.analysis.uncertainty import Tally, probability_below, wilson


def test_mc_01_the_chance_that_owning_is_cheaper_than_300_rented_hours() -> None:
    """956 a month against 300 hours at a price of mean 3.06 and standard deviation 0.5."""
    own, hours = 956, 300
    # owning less renting is normal; it is below 0 where owning is the cheaper one
    found = probability_below(own - hours * 3.06, hours * 0.5, 0)
    assert found == pytest.approx(0.4000053199, abs=1e-9)
    assert found == pytest.approx(1 - probability_below(3.06, 0.5, own / hours), abs=1e-12)
    # z = (956 / 300 - 3.06) / 0.5, and the table of the normal distribution
    z = (own / hours - 3.06) / 0.5
    assert z == pytest.approx(0.2533333333, abs=1e-10)
    assert probability_below(0, 1, -z) == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize(("mean", "expected"), [(0.9, 1.0), (1.0, 0.0), (1.1, 0.0)])
def test_a_number_without_spread_is_below_a_limit_or_not(mean: float, expected: float) -> None:
    assert probability_below(mean, 0, 1.0) == expected


def test_mc_02_the_wilson_interval_of_400_wins_in_1000_draws() -> None:
    low, high = wilson(400, 1000, 0.95)
    assert low == pytest.approx(0.3700747812, abs=1e-9)
    assert high == pytest.approx(0.4306905705, abs=1e-9)
    # the ends solve (p - 0.4)^2 = z^2 p (1 - p) / 1000
    z = 1.959963984540054
    for end in (low, high):
        assert (end - 0.4) ** 2 == pytest.approx(z**2 * end * (1 - end) / 1000, abs=1e-14)


def test_the_interval_of_a_chance_that_never_or_always_came() -> None:
    """At 0 of n it is 0 to z^2 / (n + z^2), and the mirror image at n of n."""
    z = 1.959963984540054
    assert wilson(0, 1000) == pytest.approx((0, z**2 / (1000 + z**2)), abs=1e-15)
    assert wilson(1000, 1000) == pytest.approx((1000 / (1000 + z**2), 1), abs=1e-15)


def test_met_02_equal_chances_with_different_regrets() -> None:
    """Each of two options is the cheapest in one of two draws; one loses by 10, the other by 40."""
    npv = np.array([[100.0, 100.0], [90.0, 140.0]])
    tally = Tally(2)
    tally.add(npv, npv / 10, np.ones((2, 2), dtype=bool))
    assert tally.wins.tolist() == [1, 1]
    assert (tally.regret / 2).tolist() == [(100 - 90) / 2, (140 - 100) / 2]
    assert (tally.monthly_regret / 2).tolist() == [0.5, 2]
    # perfect information is worth the least expected cost less the expected least cost
    assert min(npv.mean(axis=1)) - npv.min(axis=0).mean() == (tally.regret / 2).min()


def test_ties_are_split_and_draws_that_none_serves_are_apart() -> None:
    npv = np.array([[1.0, 1.0, 5.0, 1.0], [1.0 + 1e-12, 2.0, 4.0, 1.0], [1.0, 3.0, 1.0, 1.0]])
    serves = np.array([[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 0, 0]], dtype=bool)
    tally = Tally(3)
    tally.add(npv, npv, serves)
    # draw 1 is a tie of three; in draw 3 the cheapest does not serve; in draw 4 none does
    assert tally.wins == pytest.approx([1 / 3 + 1, 1 / 3 + 1, 1 / 3])
    assert (tally.draws, tally.ranked) == (4, 3)
    assert tally.wins.sum() + tally.draws - tally.ranked == pytest.approx(4)
    assert tally.regret == pytest.approx([5 - 4, 2 - 1, 3 - 1], abs=1e-9)
