"""The load within a month: its mean stays 1, its peak stays the peak, its table stays short."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.engine.load import MOST_LEVELS, OFFICE_HOURS, Curve, curve_of

loads = st.lists(
    st.one_of(st.just(0.0), st.integers(0, 30).map(float), st.floats(1e-6, 1e6)),
    min_size=2,
    max_size=100,
).filter(any)
# so many different loads that they must be put together
many = st.lists(st.integers(1, 9999), min_size=100, max_size=200, unique=True)


def mean(curve: Curve) -> float:
    return sum(level * share for level, share in zip(*curve, strict=True))


def excess(curve: Curve, limit: float) -> float:
    """What is above a limit, on average over the hours."""
    return sum(max(level - limit, 0) * share for level, share in zip(*curve, strict=True))


def excess_of_hours(load: Sequence[float], limit: float) -> float:
    average = sum(load) / len(load)
    return sum(max(hour / average - limit, 0) for hour in load) / len(load)


def curve(load: Sequence[float]) -> Curve:
    """The curve of a load; one level where it is flat."""
    return curve_of(load, None) or ((1.0,), (1.0,))


# Shapes that have a name


def test_a_flat_load_has_no_curve() -> None:
    assert curve_of("flat", None) is None
    assert curve_of("flat", 1.0) is None
    assert curve_of([5, 5, 5], None) is None


def test_office_hours_are_fifty_of_a_week() -> None:
    levels, shares = curve(OFFICE_HOURS)
    assert curve_of("office-hours", None) == (levels, shares)
    assert levels == pytest.approx((168 / 50, 0), rel=1e-14)
    assert shares == pytest.approx((50 / 168, 118 / 168), rel=1e-14)


@pytest.mark.parametrize("peak", [1.5, 3.0, 10.0, 100.0])
def test_a_peak_lasts_a_hundredth_of_the_hours(peak: float) -> None:
    """At a peak of 100 all the work is done in it."""
    found = curve_of("flat", peak)
    assert found is not None
    levels, shares = found
    assert levels == pytest.approx((peak, (1 - 0.01 * peak) / 0.99), rel=1e-14, abs=1e-15)
    assert shares == (0.01, 0.99)
    assert mean(found) == pytest.approx(1, rel=1e-12)


# Loads that are given


def test_levels_descend_and_equal_hours_are_put_together() -> None:
    """Loads 1, 1, 4, 2 over their mean of 2."""
    assert curve_of([1, 1, 4, 2], None) == ((4 / 2, 2 / 2, 1 / 2), (1 / 4, 1 / 4, 2 / 4))


def test_only_proportions_count() -> None:
    assert curve([1, 2, 5]) == curve([200, 400, 1000]) == curve([5, 1, 2])


@given(loads)
@settings(max_examples=100, deadline=None)
def test_the_mean_is_one_and_the_peak_is_kept(load: list[float]) -> None:
    levels, shares = curve(load)
    assert mean((levels, shares)) == pytest.approx(1, rel=1e-12)
    assert sum(shares) == pytest.approx(1, rel=1e-12)
    assert levels[0] == pytest.approx(max(load) / (sum(load) / len(load)), rel=1e-12)
    assert list(levels) == sorted(levels, reverse=True)
    assert len(levels) <= MOST_LEVELS == 24
    assert all(level >= 0 for level in levels)
    assert all(share > 0 for share in shares)


@given(load=loads, limit=st.floats(0, 10))
@settings(max_examples=100, deadline=None)
def test_a_short_list_of_loads_is_exact(load: list[float], limit: float) -> None:
    short = [round(hour, 0) for hour in load][:24]
    if any(short):
        expected = excess_of_hours(short, limit)
        assert excess(curve(short), limit) == pytest.approx(expected, rel=1e-12, abs=1e-12)


# Loads with shares of the hours


def test_each_load_has_its_share_of_the_hours() -> None:
    """(4 x 10 % + 2 x 40 % + 1 x 50 %) = 1.7 is the mean; in whatever order they stand."""
    levels, shares = curve_of([1, 4, 2], None, [0.5, 0.1, 0.4]) or ((), ())
    assert levels == pytest.approx((4 / 1.7, 2 / 1.7, 1 / 1.7), rel=1e-14)
    assert shares == (0.1, 0.4, 0.5)


def test_equal_levels_are_put_together_with_their_shares() -> None:
    """The mean of 1, 7 and 1 for a quarter, a half and a quarter of the hours is 4."""
    assert curve_of([1, 7, 1], None, [0.25, 0.5, 0.25]) == ((7 / 4, 1 / 4), (0.5, 0.5))
    assert curve_of([3, 3], None, [0.1, 0.9]) is None


def test_one_hour_of_eight_weeks_stays_one() -> None:
    """A peak of 1 for one of 1,344 hours, 0.04 in the others: 1,344 / (1 + 1,343 x 0.04)."""
    levels, shares = curve_of([1, 0.04], None, [1 / 1344, 1343 / 1344]) or ((), ())
    assert levels[0] == pytest.approx(1344 / (1 + 1343 * 0.04), rel=1e-12)
    assert shares[0] == pytest.approx(1 / 1344, rel=1e-14)


@given(load=loads)
@settings(max_examples=100, deadline=None)
def test_equal_shares_are_equal_hours(load: list[float]) -> None:
    levels, shares = curve(load)
    with_shares = curve_of(load, None, [1 / len(load)] * len(load)) or ((1.0,), (1.0,))
    if len(set(load)) <= MOST_LEVELS:
        assert with_shares[0] == pytest.approx(levels, rel=1e-12)
        assert with_shares[1] == pytest.approx(shares, rel=1e-12)
    else:
        assert len(with_shares[0]) <= MOST_LEVELS
        assert with_shares[0][0] == pytest.approx(levels[0], rel=1e-12)


shared = st.lists(
    st.tuples(st.integers(0, 9999), st.integers(1, 1000)), min_size=2, max_size=200
).filter(lambda pairs: any(level for level, _ in pairs))


@given(pairs=shared, limit=st.floats(0, 10))
@settings(max_examples=100, deadline=None)
def test_reducing_levels_with_shares_keeps_mean_and_peak(
    pairs: list[tuple[int, int]], limit: float
) -> None:
    """The loads for so many hours each: the same as that many loads of equal hours."""
    load, hours = [level for level, _ in pairs], [part for _, part in pairs]
    total = sum(hours)
    found = curve_of(load, None, [part / total for part in hours]) or ((1.0,), (1.0,))
    levels, shares = found
    average = sum(level * part for level, part in pairs) / total
    assert len(levels) <= MOST_LEVELS
    assert list(levels) == sorted(levels, reverse=True)
    assert mean(found) == pytest.approx(1, rel=1e-12)
    assert sum(shares) == pytest.approx(1, rel=1e-12)
    assert levels[0] == pytest.approx(max(load) / average, rel=1e-12)
    at_top = sum(part for level, part in pairs if level == max(load))
    assert shares[0] == pytest.approx(at_top / total, rel=1e-12)
    expected = sum(max(level / average - limit, 0) * part for level, part in pairs) / total
    assert excess(found, limit) <= expected + 1e-12
    if len(set(load)) <= MOST_LEVELS:
        assert excess(found, limit) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_the_bins_are_of_about_the_same_hours() -> None:
    """A peak and 46 loads of 1 % or 3 % by turns: 23 bins of 4 % each."""
    load = [100, *range(46, 0, -1)]
    shares = [0.08, *([0.01, 0.03] * 23)]
    found = curve_of(load, None, shares) or ((), ())
    assert found[1] == pytest.approx((0.08, *[0.04] * 23), rel=1e-9)
    # the first of them holds 46 for 1 % and 45 for 3 %
    average = sum(level * share for level, share in zip(load, shares, strict=True))
    assert found[0][1] == pytest.approx((46 * 0.25 + 45 * 0.75) / average, rel=1e-9)


# Many levels are put together


@given(load=many, limit=st.floats(0, 10))
@settings(max_examples=100, deadline=None)
def test_putting_levels_together_keeps_mean_and_peak(load: list[int], limit: float) -> None:
    """What is above a limit is never more than it was, and the same at 0 and above the peak."""
    reduced = curve(load)
    levels, shares = reduced
    average = sum(load) / len(load)
    assert len(levels) == MOST_LEVELS
    assert mean(reduced) == pytest.approx(1, rel=1e-12)
    assert levels[0] == pytest.approx(max(load) / average, rel=1e-12)
    assert shares[0] == pytest.approx(1 / len(load), rel=1e-12)
    # the maximum is convex: hours put together are above a limit by no more than each for itself
    assert excess(reduced, limit) <= excess_of_hours(load, limit) + 1e-12
    assert excess(reduced, 0) == pytest.approx(1, rel=1e-12)
    assert excess(reduced, levels[0]) == 0
    # the other hours are shared out evenly
    hours = [round(share * len(load)) for share in shares[1:]]
    assert max(hours) - min(hours) <= 1
    assert sum(hours) == len(load) - 1


def test_a_peak_of_several_hours_is_kept_as_long_as_it_is() -> None:
    """Three of 103 hours at the peak of 200; loads 1 to 100 are in 23 bins."""
    load = [*range(1, 101), 200, 200, 200]
    levels, shares = curve(load)
    assert shares[0] == pytest.approx(3 / 103, rel=1e-14)
    assert levels[0] == pytest.approx(200 / (sum(load) / 103), rel=1e-14)
    assert len(levels) == 1 + 23


def test_twenty_four_levels_are_kept_and_twenty_five_are_not() -> None:
    exact = curve(list(range(1, 25)))
    assert exact[0] == pytest.approx([hour / 12.5 for hour in range(24, 0, -1)], rel=1e-14)
    assert len(curve(list(range(1, 26)))[0]) == 24
    # the two loads that share a bin stand at their mean
    reduced = [level * 13 for level in curve(list(range(1, 26)))[0]]
    assert reduced[0] == pytest.approx(25)
    halves = [level for level in reduced if abs(level - round(level)) > 0.4]
    assert len(halves) == 1


def test_the_hours_of_a_leap_year_are_read_quickly() -> None:
    levels, shares = curve([1 + (hour % 24) / 7 + (hour % 168) / 13 for hour in range(8784)])
    assert len(levels) == 24
    assert mean((levels, shares)) == pytest.approx(1, rel=1e-12)


def test_levels_are_as_a_cell_keeps_them() -> None:
    """15 digits: what stands in the workbook is what is calculated with."""
    for values in curve([1 / 3, 2 / 7, 1.1, 0.123456789012345678]):
        assert all(float(f"{value:.15g}") == value for value in values)
