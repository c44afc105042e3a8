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
