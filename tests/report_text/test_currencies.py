"""Prices in other currencies than the report's: read, and said as they were given."""

from tco.analysis.summary import summarise
from tests.report_text.conftest import Run

EUROS = """
name: euros
currency: EUR
exchange_rates: {USD: 1.1, CNY: 7.8}
staff: {hourly_cost: 94 USD}
demand: {output_tokens: 50 M}
options:
  api: {api: m, output_price: 15 USD}
  own: {own: rtx-4090, count: 2, price: 1599 USD}
  rent: {rent: rtx-4090, count: 2, price: {median: 0.49 USD, minimum: 1 CNY}}
"""


def test_a_minimum_in_another_currency_is_not_compared_by_its_digits(run: Run) -> None:
    result = run(EUROS)
    months = result.line("rent", "rent_at_lowest_offer", supply=1)
    assert abs(months[1] - 2 * 730 * 1 / 7.8) < 1e-9


def test_an_hour_of_work_has_the_price_that_was_given(run: Run) -> None:
    answer = summarise(run(EUROS)).answer
    assert any("an hour at $94" in condition for condition in answer.conditions)
