"""Cost of a request and of a customer: closed forms, also where the work grows."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioErrors
from tco.results import Result, run_scenario
from tco.scenario.loading import read

FILE = """\
name: a
months: 24
discount_rate: {rate}
demand: {{output_tokens: 50 M, {more}}}
options:
  api: {{api: y, output_price: 10}}
  own: {{own: rtx-4090, count: 2, price: 1200}}
"""


def of(more: str, rate: str = "0%") -> Result:
    return run_scenario(read(FILE.format(more=more, rate=rate).encode(), "s.yaml"))


def number(result: Result, option: str, name: str) -> float:
    return result.value(result.option(option).line(name))


def test_a_month_is_divided_by_its_requests_and_its_customers() -> None:
    result = of("requests: 200k, customers: 500 users")
    # 50 M tokens at 10 a million are 500 a month; two cards of 1200 over 24 months are 100
    assert number(result, "api", "cost_per_request") == pytest.approx(500 / 200_000, rel=1e-12)
    assert number(result, "own", "cost_per_request") == pytest.approx(100 / 200_000, rel=1e-12)
    assert number(result, "api", "cost_per_customer") == pytest.approx(1.0, rel=1e-12)
    assert number(result, "own", "cost_per_customer") == pytest.approx(0.2, rel=1e-12)
    assert result.unit(result.option("api").line("cost_per_request")) == "USD/request"
    assert result.unit(result.option("api").line("cost_per_customer")) == "USD/customer"
    assert result.model.unread() == []


def test_it_is_levelised_as_the_cost_of_a_million_tokens_is() -> None:
    result = of("requests: 50 requests/month", rate="10%")
    # one request for each million tokens: the cost of a request is that of a million
    for option in ("api", "own"):
        each = number(result, option, "cost_per_request")
        assert each == pytest.approx(number(result, option, "levelised_cost"), rel=1e-12)
    # 2400 paid at once, and 24 months of 1.1^(1/12) - 1 each
    rate = 1.1 ** (1 / 12) - 1
    annuity = (1 - (1 + rate) ** -24) / rate
    assert number(result, "own", "cost_per_request") == pytest.approx(
        2400 / annuity / 50, rel=1e-12
    )


def test_requests_are_as_many_in_every_month_where_the_work_grows() -> None:
    growing = of("requests: 1000, growth: [{month: 1, factor: 1}, {month: 13, factor: 3}]")
    # a year at 500 and a year at 1500 a month
    assert number(growing, "api", "cost_per_request") == pytest.approx(1000 / 1000, rel=1e-12)


def test_nothing_is_divided_where_nothing_is_given() -> None:
    scope = of("requests: 1000").option("own").scope
    assert scope is not None
    assert "cost_per_customer" not in scope.functions
    assert "cost_per_request" in scope.functions


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            "requests: 0",
            "s.yaml, line 4: demand.requests\n  found:    0\n"
            "  expected: requests a month, more than 0\n  next:     write for example  200000",
        ),
        (
            "customers: many",
            "s.yaml, line 4: demand.customers\n  found:    many\n"
            "  expected: customers, more than 0\n  next:     write a number, for example  500",
        ),
    ],
)
def test_what_cannot_be_divided_by_is_refused(more: str, message: str) -> None:
    with pytest.raises(ScenarioErrors) as caught:
        of(more)
    assert str(caught.value) == message
