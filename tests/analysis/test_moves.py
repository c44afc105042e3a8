"""Too close to call, ranges that turn the answer, ties, old prices: each rule by an example."""

from tco.analysis.answer import write_answer
from tco.analysis.findings import Findings
from tco.analysis.moves import moves, why
from tco.analysis.staleness import stale_prices
from tco.analysis.summary import flips
from tco.results import Result, run_scenario
from tco.scenario.loading import read


def result_of(basis: str, low: str = "500", high: str = "2000") -> Result:
    text = f"""
name: a card or an API
months: 10
discount_rate: 0
as_of: 2026-11-30
demand: {{output_tokens: 10 M}}
options:
  own: {{own: rtx-4090, count: 1, price: {{value: 1000, low: {low}, high: {high}, basis: {basis}}}}}
  api: {{api: mine, output_price: {{value: 15, as_of: 2026-06}}}}
"""
    return run_scenario(read(text.encode(), "moves.yaml"))


def verdict_of(result: Result) -> tuple[str, ...]:
    return write_answer(result, Findings(result)).verdict


# 1,000 over 10 months is 100 a month against 10 M at 15, 150: the price turns it at 1,500


def test_an_assumed_price_that_turns_the_order_makes_it_too_close() -> None:
    assert verdict_of(result_of("assumed"))[0] == (
        "Too close to call: own is $50 a month cheaper than api, and purchase price of a GPU "
        "(own), $500 to $2,000 (assumed), moves that by $150."
    )


def test_a_quoted_price_does_not() -> None:
    assert verdict_of(result_of("quoted"))[0] == "Cheapest of all: own."


def test_an_assumed_price_that_turns_nothing_does_not() -> None:
    assert verdict_of(result_of("assumed", high="1400"))[0] == "Cheapest of all: own."


def test_the_value_at_which_it_turns_is_a_condition() -> None:
    result = result_of("quoted")
    answer = write_answer(result, Findings(result))
    assert answer.turning == (
        "purchase price of a GPU (own): only below $1,500 [$1,000 quoted; $500 to $2,000]",
    )
    assert answer.conditions[-1:] == answer.turning


def test_the_table_of_what_moves_it() -> None:
    result = result_of("quoted")
    table = moves(result, Findings(result).tornado)
    assert table is not None
    assert table.title == "own less api, a month; as given -$50"
    assert [row.cells for row in table.rows] == [
        ("$500 .. $2,000", "-$100", "+$50", "$1,500 !"),
    ]


def test_why_names_the_parts_by_their_size() -> None:
    result = result_of("quoted")
    assert list(why(result, Findings(result))) == [
        "own less api, -$50 a month: API -$150, hardware +$100"
    ]


def test_equal_costs_are_no_win() -> None:
    text = b"""
name: a tie
demand: {output_tokens: 10 M}
options:
  one: {api: mine, output_price: 15}
  two: {api: yours, output_price: 15}
  dear: {api: theirs, output_price: 20}
"""
    result = run_scenario(read(text, "tie.yaml"))
    assert verdict_of(result)[0] == "No difference: one and two cost the same, $150 a month."


def test_a_price_of_more_than_90_days_is_warned_of() -> None:
    # from the first of June to 30 November: 30 - 1 + 31 + 31 + 30 + 31 + 30 = 182 days
    assert list(stale_prices(result_of("quoted"))) == [
        "1 price is more than 90 days old on 2026-11-30, the oldest 182 days: API price of a "
        "million output tokens 2026-06: look it up again"
    ]


GROWING = b"""
name: as many cards as needed
demand: {output_tokens: 300 M}
discount_rate: 0
options:
  own: {own: rtx-4090, count: auto, price: 20000, output_rate: 100}
  api: {api: mine, output_price: 2.9}
"""


def test_a_card_that_is_exactly_full_serves_it_all() -> None:
    # 100 tokens/s x 3,600 s x 730 h = 262.8 M a month; a billionth of a card more is still one card
    text = GROWING.replace(b"300 M", b"262800000.2628")
    result = run_scenario(read(text, "full.yaml"))
    assert result.status == {"own": "ok", "api": "ok"}


def test_tokens_without_a_closed_form_are_solved_in_the_table() -> None:
    result = run_scenario(read(GROWING, "growing.yaml"))
    table = flips(result, Findings(result))
    assert table is not None
    # the n-th card for 20,000 / 36 a month against 2.9 for a million: from 191.6 M for each card
    # until the next is needed at 262.8 M; for good where n x 191.6 M passes n - 1 cards' capacity
    assert table.rows[0].cells[1] == "192 M to 575 M, 5 times"
