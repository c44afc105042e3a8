"""A trial computes what the model computes at the values tried, and leaves the model as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tco.engine.trials import add_trial
from tco.results import Result, evaluate, run
from tco.scenario.inputs import SOLVED

SCENARIOS = Path(__file__).parents[2] / "scenarios"


@pytest.fixture(scope="module")
def midteam() -> Result:
    return run(SCENARIOS / "midteam.yaml")


@pytest.mark.parametrize(
    "names",
    [["output_tokens"], ["electricity_price"], ["discount_rate"], ["h1_price", "hourly_cost"]],
    ids=", ".join,
)
def test_the_lines_of_a_trial_are_those_of_the_model_at_its_values(
    midteam: Result, names: list[str]
) -> None:
    model = midteam.model
    changed = {name: model.inputs[name].value * 1.3 for name in names}
    values = {
        name: replace(model.inputs[name], name=f"trial_{name}", values=(value,), kind=SOLVED)
        for name, value in changed.items()
    }
    wanted = ["o1/npv_of_cost", "o8/npv_of_cost"]
    tried, trial = add_trial(model, "x1", values, wanted)
    arrays, there = evaluate(tried, known=midteam.arrays), evaluate(model, changed)
    assert len(trial.lines) > 2
    for line, repeated in trial.lines.items():
        assert repeated == f"x1/{line}"
        assert np.array_equal(arrays[repeated], there[line]), line
        assert np.array_equal(arrays[line], midteam.arrays[line]), line
    for line in wanted:
        assert np.array_equal(arrays[trial.line(line)], there[line])


def test_a_line_that_nothing_moves_is_not_repeated(midteam: Result) -> None:
    given = midteam.model.inputs["electricity_price"]
    values = {given.name: replace(given, name="trial_1", kind=SOLVED)}
    _, trial = add_trial(midteam.model, "x1", values, ["o1/npv_of_cost", "o8/npv_of_cost"])
    # an API draws no power of one's own
    assert trial.line("o8/npv_of_cost") == "o8/npv_of_cost"
    assert trial.line("o1/npv_of_cost") == "x1/o1/npv_of_cost"
    assert not any(line.startswith("o8") for line in trial.lines)


def test_two_trials_stand_side_by_side(midteam: Result) -> None:
    model = midteam.model
    given = model.inputs["h1_price"]
    for name, price in (("x1a", 1000.0), ("x1b", 3000.0)):
        tried = replace(given, name=f"trial_{name}", values=(price,), kind=SOLVED)
        model, _ = add_trial(model, name, {given.name: tried}, ["o1/npv_of_cost"])
    arrays = evaluate(model, known=midteam.arrays)
    base = float(arrays["o1/npv_of_cost"][0, 0])
    # two cards, bought in month 0
    assert arrays["x1a/o1/npv_of_cost"][0, 0] == pytest.approx(base - 2 * (1599 - 1000))
    assert arrays["x1b/o1/npv_of_cost"][0, 0] == pytest.approx(base + 2 * (3000 - 1599))
