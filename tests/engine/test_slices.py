"""A slice gives what the whole model gives, and tells draws apart by what is decided in them."""

from pathlib import Path

import numpy as np
import pytest

from tco.analysis.what_if import CHUNK, WhatIf
from tco.results import Result, evaluate, run, run_scenario
from tco.scenario.inputs import LIVE
from tco.scenario.loading import read

SCENARIOS = Path(__file__).parents[2] / "scenarios"
NAMES = ("midteam", "workloads", "hybrid-peak", "us-hgx-h100-loan")


@pytest.mark.parametrize("name", NAMES)
def test_all_inputs_at_once_cost_what_the_whole_model_says(name: str) -> None:
    result = run(SCENARIOS / f"{name}.yaml")
    moved = {
        given.name: given.value * 0.97
        for given in result.model.numbers
        if given.kind == LIVE and not given.whole and given.value and given.minimum != 1
    }
    found = WhatIf(result, moved)({key: [value, value] for key, value in moved.items()})
    whole = evaluate(result.model, moved)
    for place, option in enumerate(found.options):
        expected = float(whole[result.option(option).line("npv_of_cost")][0, 0])
        assert found.npv[place] == pytest.approx([expected, expected], rel=1e-12)


def test_chunks_of_draws_are_joined_in_order() -> None:
    result = run(SCENARIOS / "midteam.yaml")
    prices = np.linspace(1000, 2000, CHUNK + 3)
    found = WhatIf(result, ["h1_price"], ["own-2x4090"])({"h1_price": prices})
    # two cards at the price, paid in month 0: a straight line
    assert np.diff(found.npv[0]) == pytest.approx(2 * np.diff(prices))


def test_only_what_the_input_reaches_is_computed_again() -> None:
    result = run(SCENARIOS / "midteam.yaml")
    what_if = WhatIf(result, ["h1_price"])
    assert what_if.moves("own-2x4090")
    assert not what_if.moves("api-gpt-4o")
    assert "o8/npv_of_cost" not in what_if.slice.lines


STEPS = b"""
name: whole cards
months: 1
demand: {output_tokens: 50 M}
hours_per_month: 100
options:
  own: {own: rtx-4090, count: auto, price: 1000, output_rate: 100}
  api: {api: mine, output_price: 15}
"""


def test_draws_of_one_whole_number_have_one_signature() -> None:
    result = run_scenario(read(STEPS, "steps.yaml"))
    # one card does 100 x 3600 x 100 = 36 M tokens a month
    tokens = np.array([10e6, 20e6, 35.9e6, 36.1e6, 71.9e6, 72.1e6])
    _, signature = WhatIf(result, ["output_tokens"]).decided({"output_tokens": tokens})
    assert signature[0] == signature[1] == signature[2]
    assert signature[3] == signature[4]
    assert len(set(signature.tolist())) == 3


def test_a_draw_alone_has_the_signature_that_it_has_among_others() -> None:
    result: Result = run_scenario(read(STEPS, "steps.yaml"))
    what_if = WhatIf(result, ["output_tokens"])
    _, among = what_if.decided({"output_tokens": np.array([10e6, 50e6, 90e6])})
    _, alone = what_if.decided({"output_tokens": np.array([50e6])})
    assert alone[0] == among[1]


CACHED = b"""
name: a cache is a part
months: 2
demand: {output_tokens: 1 M, input_tokens: 20 M, cache_read_tokens: 15 M}
options:
  api: {api: mine, output_price: 0, input_price: 2, cache_read_price: 1}
"""


def test_what_is_read_from_a_cache_stays_within_what_is_read() -> None:
    result = run_scenario(read(CACHED, "cached.yaml"))
    found = WhatIf(result, ["input_tokens"])({"input_tokens": [20e6, 10e6]})
    # 5 M at 2 and 15 M at 1; then all of 10 M at 1, never 15 M of 10 M
    assert found.monthly[0] == pytest.approx([5 * 2 + 15 * 1, 10 * 1])
