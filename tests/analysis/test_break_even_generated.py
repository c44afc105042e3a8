"""Every crossing of drawn scenarios is one, by plain runs on both sides, and none is missed.

The solver computes slices of the model on arrays of draws; here the whole model runs, once on
each side of each crossing, and a scan of 2,001 points looks for changes that the solver has not.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from tco.analysis.axes import inputs_of
from tco.analysis.break_even import BreakEven, Crossing, break_even
from tco.analysis.what_if import WhatIf
from tco.errors import ScenarioError, ScenarioErrors
from tco.results import OK, Result, evaluate, run_scenario
from tests.referee import generator

SEED = 6
SCENARIOS = 110
QUESTIONS = 4  # of a scenario: a run takes longer than an answer
SCANNED = 2_001
BESIDE = 1e-6  # of a value: how far from a crossing the sides are looked at
LEAST = {"crosses": 40, "never": 60, "always": 60, "jump": 8, "smooth": 40}


def asked() -> list[tuple[Result, str, str, str]]:
    """Scenarios, two of their options, and what is varied: the work, the rate or any number."""
    random = Random(SEED)
    found = []
    for scenario in generator.scenarios(SEED, SCENARIOS):
        names = list(scenario["options"])
        some = random.sample(names, min(3, len(names)))
        try:
            result = run_scenario(generator.read(scenario), only=some)
        except ScenarioErrors:
            continue  # what cannot be run is tested elsewhere
        serving = [o.name for o in result.model.complete if result.status[o.name] == OK]
        if not result.model.has_demand or len(serving) < 2:
            continue
        for _ in range(QUESTIONS):
            this, other = random.sample(serving, 2)
            options = [result.option(this), result.option(other)]
            paths = [given.path for given in inputs_of(result, options)]
            over = random.choice(["tokens", "discount-rate", *random.sample(paths, 2)])
            found.append((result, over, this, other))
    return found


def gap_at(result: Result, found: BreakEven, value: float) -> float:
    """What the other option costs more, by a run of the whole model."""
    changes = {name: x[0] for name, x in found.axis.values(value).items()}
    arrays = evaluate(result.model, changes)
    this, other = (
        arrays[result.option(name).line("npv_of_cost")][0, 0] for name in (found.this, found.other)
    )
    return float(other - this)


def sides(found: BreakEven, crossing: Crossing) -> tuple[float, float]:
    """Values next to a crossing: where it leaps the next ones, else a millionth away."""
    if crossing.jump:
        return crossing.value, crossing.after
    away = BESIDE * max(abs(crossing.value), BESIDE * (found.high - found.low))
    return crossing.value - away, crossing.value + away


def missed(result: Result, found: BreakEven) -> list[str]:
    """Stretches of a scan in which the gap changes its sign and the solver does not, or so."""
    x = np.linspace(found.low, found.high, SCANNED)
    x = np.unique(np.round(x)) if found.axis.whole else x
    outcomes = WhatIf(result, found.axis.names, (found.this, found.other))(found.axis.values(x))
    this, other = (outcomes.npv[outcomes.of(name)] for name in (found.this, found.other))
    gap = other - this
    told = np.abs(gap) > 1e-8 * np.maximum(np.abs(this), np.abs(other))
    x, sign = x[told], np.sign(gap[told])
    places = np.array([(c.value + c.after) / 2 for c in found.crossings])
    passed = np.searchsorted(places, x)
    odd = np.diff(passed) % 2 == 1
    wrong = np.flatnonzero(odd != (sign[1:] != sign[:-1]))
    return [f"{x[place]:g} to {x[place + 1]:g}" for place in wrong]


@pytest.fixture(scope="module")
def found() -> list[tuple[Result, BreakEven]]:
    answers = []
    for result, over, this, other in asked():
        try:
            answers.append((result, break_even(result, over, this, other)))
        except ScenarioError as fault:
            if fault.expected != "a demand to vary":
                raise
    return answers


def test_the_drawn_scenarios_show_every_kind_of_answer(
    found: list[tuple[Result, BreakEven]],
) -> None:
    kinds = Counter(answer.status for _, answer in found)
    kinds.update("jump" if c.jump else "smooth" for _, answer in found for c in answer.crossings)
    assert len(found) > 180
    assert {kind: kinds[kind] for kind in LEAST if kinds[kind] < LEAST[kind]} == {}


def test_each_crossing_has_the_cheaper_ones_on_its_two_sides(
    found: list[tuple[Result, BreakEven]],
) -> None:
    wrong = []
    for result, answer in found:
        for crossing in answer.crossings:
            below, above = (gap_at(result, answer, value) for value in sides(answer, crossing))
            sign = 1 if crossing.below == answer.this else -1
            if not (sign * below > 0 > sign * above):
                wrong.append((result.scenario.name, answer.over, crossing, below, above))
    assert wrong == []


def test_no_change_of_sign_is_missed(found: list[tuple[Result, BreakEven]]) -> None:
    wrong = {
        (result.scenario.name, answer.over, answer.this, answer.other): places
        for result, answer in found
        if (places := missed(result, answer))
    }
    assert wrong == {}


def test_never_and_always_hold_at_the_margin_and_at_both_ends(
    found: list[tuple[Result, BreakEven]],
) -> None:
    for _, answer in found:
        if answer.status not in ("never", "always") or answer.crossings:
            continue
        sign = 1 if answer.status == "always" else -1
        assert all(sign * gap.npv >= 0 for gap in (answer.at_low, answer.margin, answer.at_high))
