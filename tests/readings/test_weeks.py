"""How far a measurement carries: whole weeks, their mean, their lowest and highest."""

from datetime import datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tco.readings.reading import Period
from tco.readings.weeks import left_over, shortfall, significant, spread, week_of, weekly

BEGIN = datetime(2026, 6, 1)


def period(**length: float) -> Period:
    return Period(BEGIN, BEGIN + timedelta(**length))


def test_the_value_is_the_mean_of_the_whole_weeks_alone() -> None:
    found = weekly(period(days=16), {0: 0.2, 1: 0.6, 2: 1.0})
    assert found is not None
    assert found.value == pytest.approx((0.2 + 0.6) / 2)
    assert found.content == {"value": 0.4, "low": 0.2, "high": 0.6}
    assert found.note == "low and high: the lowest and highest of 2 whole weeks"


def test_a_week_counts_by_how_much_of_it_was_measured() -> None:
    found = weekly(period(weeks=2), {0: 0.2, 1: 0.6}, {0: 168.0, 1: 56.0})
    assert found is not None
    assert found.value == pytest.approx((168 * 0.2 + 56 * 0.6) / (168 + 56))
    assert (found.low, found.high) == (0.2, 0.6)


def test_a_week_without_a_number_was_not_measured() -> None:
    assert weekly(period(weeks=2), {0: 0.2}) is None
    found = weekly(period(weeks=3), {0: 0.2, 2: 0.4})
    assert found is not None
    assert found.value == pytest.approx(0.3)


@pytest.mark.parametrize("length", [{"days": 13, "hours": 23}, {"days": 7}, {"hours": 0}])
def test_under_two_whole_weeks_there_is_no_low_and_no_high(length: dict[str, float]) -> None:
    assert weekly(period(**length), {0: 0.2, 1: 0.6}) is None
    assert weekly(None, {0: 0.2, 1: 0.6}) is None


def test_from_ten_weeks_on_low_and_high_are_p10_and_p90() -> None:
    # of eleven numbers P10 is the second and P90 the tenth
    found = spread([float(n) for n in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)])
    assert found is not None
    assert (found.low, found.value, found.high) == (1.0, 5.0, 9.0)
    assert found.note == "low and high: P10 and P90 of 11 whole weeks"
    nine = spread([float(n) for n in range(9)])
    assert nine is not None
    assert (nine.low, nine.high) == (0.0, 8.0)


def test_a_mean_beyond_nine_weeks_in_ten_keeps_the_lowest_and_the_highest() -> None:
    # eleven weeks, ten of them 0: the mean 1 lies above P90, which is 0
    found = spread([0.0] * 10 + [11.0])
    assert found is not None
    assert (found.low, found.value, found.high) == (0.0, 1.0, 11.0)
    assert found.note == "low and high: the lowest and highest of 11 whole weeks"


@given(st.lists(st.floats(0, 1e9), min_size=2, max_size=30))
@example([119304649.0] * 8 + [119304648.0697175] * 2)
def test_the_value_lies_between_low_and_high(weeks: list[float]) -> None:
    found = spread(weeks)
    assert found is not None
    assert min(weeks) <= found.low <= found.value <= found.high <= max(weeks)


def test_what_is_too_short_is_said() -> None:
    assert shortfall(period(weeks=2)) is None
    assert shortfall(period(days=13)) == (
        "1 whole week: two are needed to plan with (article C); no low and high written"
    )
    assert shortfall(period(days=3)) == (
        "0 whole weeks: two are needed to plan with (article C); no low and high written"
    )
    no_times = shortfall(None)
    assert no_times is not None
    assert no_times.startswith("no times in the file: ")


@pytest.mark.parametrize(
    ("length", "said"),
    [
        ({"weeks": 2}, None),
        ({"days": 13}, None),
        ({"days": 16}, "the values are those of 2 whole weeks; 2 days after them are left over"),
        (
            {"days": 21, "hours": 5},
            "the values are those of 3 whole weeks; 5 hours after them are left over",
        ),
    ],
)
def test_what_is_left_over_is_said(length: dict[str, float], said: str | None) -> None:
    assert left_over(period(**length)) == said


def test_weeks_are_counted_from_the_first_moment() -> None:
    assert [week_of(timedelta(days=days)) for days in (0, 6.99, 7, 14)] == [0, 0, 1, 2]


def test_numbers_keep_six_digits() -> None:
    assert [significant(x) for x in (0.3812345678, 30.91, 0.0)] == [0.381235, 30.91, 0.0]
