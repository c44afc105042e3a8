"""Prefill and decode from measured points: exact for two, least squares of time for more."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.scenario.fields import Quantity
from tco.scenario.supplies import Throughput
from tco.scenario.throughput import input_per_output, rates_of


def point(
    rate: float, read: float | None = None, written: float | None = None, gpus: float | None = None
) -> Throughput:
    """A measured point: output tokens a second, tokens read and written by each request."""

    def quantity(value: float | None) -> Quantity | None:
        return None if value is None else Quantity(value=value)

    return Throughput(
        output_rate=Quantity(value=rate),
        input_length=quantity(read),
        output_length=quantity(written),
        gpus=quantity(gpus),
    )


def seconds(decode: float, prefill: float, mix: float) -> float:
    """What a GPU needs for one output token and the input that goes with it."""
    return 1 / decode + mix / prefill


def test_input_for_each_output_token() -> None:
    assert input_per_output(point(1, 1024, 256)) == 1024 / 256
    assert input_per_output(point(1, 0, 256)) == 0
    assert input_per_output(point(1, 1024)) is None
    assert input_per_output(point(1, None, 256)) is None
    assert input_per_output(point(1, 1024, 0)) is None


def test_two_points_are_met_exactly() -> None:
    """Decode 1000 and prefill 8000 a second: with 4 in for each out, 1/1000 + 4/8000 = 1/666.7."""
    points = [point(1000, 0, 256), point(1 / (1 / 1000 + 4 / 8000), 1024, 256)]
    rates = rates_of(points)
    assert rates.decode == pytest.approx(1000, rel=1e-12)
    assert rates.prefill == pytest.approx(8000, rel=1e-12)


def test_times_are_added_and_not_rates() -> None:
    """At 4 in for each out: 1 + 4 / 8 = 1.5 thousandths of a second, so 666.7 a second.

    Adding what is left of each rate, as if both were done at once, would give 1000 or 2000.
    """
    rates = rates_of([point(500, 800, 100), point(1 / (1 / 1000 + 2 / 8000), 200, 100)])
    assert 1 / seconds(rates.decode, rates.prefill, 8) == pytest.approx(500)
    assert 1 / seconds(rates.decode, rates.prefill, 4) == pytest.approx(1000 / 1.5)


def test_a_point_of_several_cards_counts_for_one_each() -> None:
    """Four cards that write 4000 a second together are as one that writes 1000."""
    alone = rates_of([point(1000, 0, 1), point(500, 8, 1)])
    together = rates_of([point(4000, 0, 1, gpus=4), point(1000, 8, 1, gpus=2)])
    assert together.decode == pytest.approx(alone.decode, rel=1e-12)
    assert together.prefill == pytest.approx(alone.prefill, rel=1e-12)


def test_more_points_are_fitted_by_least_squares_of_time() -> None:
    """Thousandths of a second 1, 1.6, 1.9 at mixes 0, 1, 2.

    Means 1.5 and 1; slope (-1 x -0.5 + 0 x 0.1 + 1 x 0.4) / 2 = 0.45, start 1.5 - 0.45 = 1.05.
    """
    rates = rates_of([point(1000, 0, 1), point(1000 / 1.6, 1, 1), point(1000 / 1.9, 2, 1)])
    assert rates.prefill == pytest.approx(1000 / 0.45, rel=1e-12)
    assert rates.decode == pytest.approx(1000 / 1.05, rel=1e-12)


@given(
    decode=st.floats(10, 1e5),
    prefill=st.floats(10, 1e6),
    mixes=st.lists(st.integers(0, 400), min_size=2, max_size=6, unique=True),
)
@settings(max_examples=200, deadline=None)
def test_points_without_error_give_their_rates_back(
    decode: float, prefill: float, mixes: list[int]
) -> None:
    points = [point(1 / seconds(decode, prefill, mix / 10), mix, 10) for mix in mixes]
    rates = rates_of(points)
    for mix in mixes:
        found = seconds(rates.decode, rates.prefill, mix / 10)
        assert found == pytest.approx(seconds(decode, prefill, mix / 10), rel=1e-9)


def test_points_that_no_rates_explain() -> None:
    """Writing faster the more is read: a prefill that takes less than no time."""
    with pytest.raises(ValueError, match="no positive rates"):
        rates_of([point(1000, 0, 1), point(2000, 8, 1)])
    # and so much slower that nothing is left for writing
    with pytest.raises(ValueError, match="no positive rates"):
        rates_of([point(1000, 1, 1), point(100, 2, 1)])
