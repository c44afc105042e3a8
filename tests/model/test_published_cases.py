"""Worked examples that others have published: what they print, from what they put in.

Each is a scenario under ``scenarios/published``; the figures are those of the publisher, within
half a unit of the last printed place.
"""

from pathlib import Path

import pytest

from tco.results import Result, run

PUBLISHED = Path(__file__).parents[2] / "scenarios" / "published"


def asked(name: str) -> Result:
    return run(PUBLISHED / f"{name}.yaml")


def cost_per_month(result: Result, option: str) -> float:
    value = result.metrics[option]["cost_per_month"]
    assert value is not None
    return value


def printed(value: float, decimals: int) -> float:
    """A figure as it is printed: within half a unit of its last place."""
    return round(value, decimals)


def test_nvidia_s_agentic_example() -> None:
    result = asked("nvidia-llm-tco")
    scope = result.option("own").supplies[0].scope
    peak = result.months("peak_rate")[1] / 3_600
    assert printed(peak, 1) == 6.7 == printed(120_000 * 0.20 / 3_600, 1)
    instances = result.months(scope.line("replicas"))[1]
    assert instances == 3
    assert instances * 2 == 6
    assert result.months(scope.line("nodes"))[1] == 1
    yearly = 12 * cost_per_month(result, "own")
    assert yearly == pytest.approx(320_000 / 4 + 3_000 + 4_500)
    assert printed(yearly, 0) == 87_500
    cost = result.metrics["own"]["levelised_cost"]
    assert cost is not None
    assert printed(1_000 * cost, 1) == 2.0  # for 1,000 requests
    assert printed(120_000 / 30_000 * cost, 3) == 0.008  # for a run of four requests
    read, written = (30_000 * 365 * tokens / 1e6 for tokens in (12_700, 1_300))
    assert printed(yearly / (read + written), 2) == 0.57
    input_price = yearly / (read + 3 * written)
    assert printed(input_price, 2) == 0.48
    assert printed(3 * input_price, 2) == 1.44


def test_llmtco_owned_hardware() -> None:
    result = asked("llmtco-owned")
    assert printed(15_000 / 36, 2) == 416.67
    electricity = result.line("owned", "electricity_cost", supply=1)[1]
    assert printed(electricity, 2) == 17.28 == printed(0.4 * 24 * 30 * 0.5 * 0.12, 2)
    assert printed(cost_per_month(result, "owned"), 2) == 933.95
    difference = result.metrics["owned"]["published_difference"]
    assert difference is not None
    assert abs(difference) < 0.005
    # the tokens of the same page are counted over 730 hours, its electricity over 720
    assert printed(2_500 * 3_600 * 730 * 0.5 / 1e9, 1) == 3.3


def test_llmtco_rented_hardware() -> None:
    assert printed(cost_per_month(asked("llmtco-rented"), "rented"), 2) == 328.50


def test_llmtco_worked_examples() -> None:
    result = asked("llmtco-examples")
    assert printed(cost_per_month(result, "priced-api"), 2) == 10.50
    crossing = result.comparison("self-hosted", "blended-api")["break_even_volume"]
    assert crossing is not None
    assert printed(crossing * 1e6, 0) == 106_666_667
    cost = result.metrics["rented"]["levelised_cost"]
    assert cost is not None
    assert printed(cost, 2) == 0.21
