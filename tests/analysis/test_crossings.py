"""Where the cheapest of several costs changes, on costs whose changes are known by hand."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tco.analysis.crossings import NONE, Known, Turn, explore
from tco.engine.operations import Array

Costs = Callable[[Array], list[Any]]


def turns(costs: Costs, piece: Callable[[Array], Any], points: Array, **words: Any) -> list[Turn]:
    """What `explore` finds for costs given as functions of the value."""

    def ask(x: Array) -> Known:
        cost = np.vstack([np.broadcast_to(row, x.shape) for row in costs(x)])
        return Known(x, cost, np.ones(cost.shape, dtype=bool), np.broadcast_to(piece(x), x.shape))

    return explore(ask, points, **words).turns


def smooth(x: Array) -> Array:
    return np.zeros_like(x)


GRID = np.linspace(0, 1, 257)


def test_two_straight_lines_meet_once() -> None:
    found = turns(lambda x: [1 + x, 3 * x], smooth, GRID * 10)
    assert found == [Turn(0.5, 0.5, 1, 0, jump=False)]


def test_a_root_is_exact_to_rounding_where_the_line_is_no_number_of_the_grid() -> None:
    (found,) = turns(lambda x: [956 + 0.5 * x, 8 * x], smooth, GRID * 1000)
    assert found.until == pytest.approx(956 / 7.5, rel=1e-14)


def test_two_crossings_between_two_points_are_both_found() -> None:
    """A dip that is a tenth as wide as the distance of the points."""
    centre, depth = 0.5003, 1e-8
    found = turns(lambda x: [np.ones_like(x), 1 + (x - centre) ** 2 - depth], smooth, GRID)
    assert math.sqrt(depth) < 0.1 / 256
    expected = [centre - math.sqrt(depth), centre + math.sqrt(depth)]
    assert [turn.until for turn in found] == pytest.approx(expected, abs=1e-9)
    assert [(turn.before, turn.then) for turn in found] == [(0, 1), (1, 0)]


def test_touching_is_no_crossing() -> None:
    assert turns(lambda x: [np.ones_like(x), 1 + (x - 0.5) ** 2], smooth, GRID) == []
    assert turns(lambda x: [np.ones_like(x), 1 + np.abs(x - 0.3)], lambda x: x > 0.3, GRID) == []


def test_equal_costs_have_no_crossing() -> None:
    noise = np.random.default_rng(1)
    found = turns(
        lambda x: [np.ones_like(x), 1 + 1e-15 * noise.standard_normal(x.shape)], smooth, GRID
    )
    assert found == []


def test_a_stretch_of_equal_costs_ends_where_one_becomes_the_cheaper_one() -> None:
    """Both cost the same from 0.2 to 0.6; above it the second does less."""
    found = turns(
        lambda x: [np.ones_like(x), 1 + np.maximum(0.2 - x, 0) - np.maximum(x - 0.6, 0)],
        lambda x: np.where(x < 0.2, 0, np.where(x > 0.6, 2, 1)),
        GRID,
    )
    (only,) = found
    assert (only.before, only.then, only.jump) == (0, 1, False)
    assert only.until == pytest.approx(0.6, abs=1e-6)


def test_a_leap_is_found_to_neighbouring_floats() -> None:
    (found,) = turns(lambda x: [np.where(x < 0.3, 1, 3), 2 + 0 * x], lambda x: x < 0.3, GRID)
    assert found == Turn(np.nextafter(0.3, 0), 0.3, 0, 1, jump=True)


def test_a_leap_over_and_back_between_two_points_is_found() -> None:
    """A tier that holds for a ten-thousandth of the range, between two points of the grid."""
    start, end = 0.3001, 0.3002
    found = turns(
        lambda x: [np.where((x >= start) & (x < end), 3, 1), 2 + 0 * x],
        lambda x: np.searchsorted([start, end], x, side="right"),
        GRID,
    )
    assert int(start * 256) == int(end * 256)
    assert [turn.after for turn in found] == [start, end]
    assert all(turn.until == np.nextafter(turn.after, 0) for turn in found)


def test_whole_units_against_a_price() -> None:
    """A unit for every 100 costs 250: each is repaid after 250 / 3 of the work it brings."""
    found = turns(
        lambda x: [250 * np.ceil(x / 100), 3 * x], lambda x: np.ceil(x / 100), GRID * 1000
    )
    paid = [250 * n / 3 for n in range(1, 6)]
    added = [100.0 * n for n in range(1, 5)]
    assert [t.until for t in found if not t.jump] == pytest.approx(paid, rel=1e-14)
    assert [t.until for t in found if t.jump] == added
    assert [t.until for t in found] == sorted(t.until for t in found)
    # at 500 the sixth unit costs what all it serves costs elsewhere: no crossing
    assert 250 * 6 == 3 * 500


def test_three_options_hand_on_the_lead() -> None:
    """12, 6 + 2 x and 5 x: the last is cheapest to 2, the second to 3, the first from there."""
    found = turns(lambda x: [12 + 0 * x, 6 + 2 * x, 5 * x], smooth, np.array([0.0, 10.0]))
    assert [(t.before, t.then) for t in found] == [(2, 1), (1, 0)]
    assert [t.until for t in found] == pytest.approx([2, 3], rel=1e-14)


def test_only_who_serves_may_lead() -> None:
    """The cheap one serves up to 0.25, the dear one up to 0.75, then nobody."""

    def ask(x: Array) -> Known:
        serves = np.vstack([x <= 0.25, x <= 0.75])
        cost = np.vstack([np.ones_like(x), 2 + x])
        return Known(x, cost, serves, serves.sum(axis=0), serving=True)

    found = explore(ask, GRID).turns
    assert [(t.before, t.then, t.until) for t in found] == [(0, 1, 0.25), (1, NONE, 0.75)]


def test_whole_numbers_cross_between_two_of_them() -> None:
    found = turns(lambda x: [5 + 0 * x, 2 * x], smooth, np.array([1.0, 2.0, 10.0]), whole=True)
    assert found == [Turn(2.0, 3.0, 1, 0, jump=True)]


def test_more_decisions_than_can_be_followed_are_given_up_and_that_is_said() -> None:
    """A million steps: the crossing is found, and not all steps."""
    steps = 1e6

    def ask(x: Array) -> Known:
        piece = np.floor(x * steps)
        cost = np.vstack([piece / steps + 1, np.full_like(x, 1.25)])
        return Known(x, cost, np.ones(cost.shape, dtype=bool), piece)

    found = explore(ask, GRID)
    assert not found.exhaustive
    assert len(found.known.value) < 40_000
    (turn,) = found.turns
    assert (turn.before, turn.then) == (0, 1)
    assert turn.until == pytest.approx(0.25, abs=2 / steps)


@pytest.mark.parametrize("seed", range(5))
def test_random_steps_are_all_found(seed: int) -> None:
    """Two random walks in 40 steps at random places: every change of their order."""
    random = np.random.default_rng(seed)
    places = np.sort(random.uniform(0, 1, 40))
    heights = random.integers(0, 4, (2, 41)) + np.array([[0.0], [0.5]])

    def piece(x: Array) -> Any:
        return np.searchsorted(places, x, side="right")

    found = turns(lambda x: list(heights[:, piece(x)]), piece, GRID)
    leader = np.argmin(heights, axis=0)
    expected = places[leader[1:] != leader[:-1]]
    assert [turn.after for turn in found] == list(expected)
    assert len(expected) > 5
