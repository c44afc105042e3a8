"""Whatever stands in a scenario, a run ends in numbers or in words, never in a traceback."""

import math

import pytest
from hypothesis import HealthCheck, given, settings

from tco.errors import ScenarioErrors
from tco.results import OK, Result, run_scenario
from tco.scenario.loading import read
from tests.scenario.everything import ALL, spoilt


def assert_every_number_is_one(result: Result) -> None:
    for option, metrics in result.metrics.items():
        for name, value in metrics.items():
            assert value is None or math.isfinite(value), (option, name)
    for comparison in result.comparisons:
        for name, metric in comparison.metrics.items():
            assert metric.value is None or math.isfinite(metric.value), name


@pytest.mark.parametrize("text", ALL, ids=["tokens", "tasks", "hours", "finance", "china"])
def test_scenarios_with_every_word_run(text: str) -> None:
    result = run_scenario(read(text.encode(), "s.yaml"))
    assert all(option.missing is None for option in result.model.options)
    assert OK in result.status.values()
    assert_every_number_is_one(result)


@given(content=spoilt())
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_spoilt_scenario_runs_or_is_refused(content: bytes) -> None:
    message = ""
    try:
        assert_every_number_is_one(run_scenario(read(content, "s.yaml")))
    except ScenarioErrors as error:
        message = str(error)
    assert not message or "next:" in message
