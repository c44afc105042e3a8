"""Rented cards are compared by like quantiles: medians, whatever is printed beside them."""

import pytest

from tco.results import Result, run_scenario
from tco.scenario.loading import read

# article B: a fine-tuning job, on an RTX 4090 and on an H100
JOB = """\
name: a
months: 12
demand: {{gpu_hours: 400, card: rtx-4090}}
hardware: {{h100-sxm: {{speed_up: 4}}}}
options:
  slow: {{rent: rtx-4090, count: 2, billed: busy, price: {slow}}}
  fast: {{rent: h100-sxm, count: 1, billed: busy, price: {fast}}}
"""


def result_of(slow: str, fast: str) -> Result:
    return run_scenario(read(JOB.format(slow=slow, fast=fast).encode(), "s.yaml"))


def comparison(result: Result) -> dict[str, float | None]:
    (found,) = result.comparisons
    return {name: metric.value for name, metric in found.metrics.items()}


def test_a_minimum_moves_no_comparison() -> None:
    """3.06 a median hour against 0.49 a median hour, beside lowest offers of 1.99 and 0.14."""
    plain = result_of("0.49", "3.06")
    offered = result_of(
        "{median: 0.49, minimum: 0.14, p25: 0.39, p75: 0.6}", "{median: 3.06, minimum: 1.99}"
    )
    assert comparison(offered) == comparison(plain)
    assert offered.metrics["slow"]["equivalent_monthly_cost"] == pytest.approx(400 * 0.49)
    assert offered.metrics["fast"]["equivalent_monthly_cost"] == pytest.approx(400 / 4 * 3.06)


def test_the_speed_up_that_pays_is_the_ratio_of_the_medians() -> None:
    """3.06 / 0.49 = 6.245: that many times faster, and the dear hour costs no more."""
    found = comparison(result_of("{median: 0.49, minimum: 0.14}", "{median: 3.06, minimum: 1.99}"))
    speeds = [value for name, value in found.items() if name == "break_even_speed_up"]
    assert speeds == [pytest.approx(3.06 / 0.49)]


def test_no_formula_of_a_cost_reads_the_lowest_offer() -> None:
    result = result_of("{median: 0.49, minimum: 0.14}", "3.06")
    graph = result.model.graph
    (lowest,) = [name for name, given in result.model.inputs.items() if given.value == 0.14]
    (bound,) = [line for line in graph.lines if lowest in graph.reads(line)]
    assert bound == "o1/s1/rent_at_lowest_offer"
    assert not any(bound in graph.reads(line) for line in graph.lines)
