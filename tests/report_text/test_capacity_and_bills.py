"""What a person reads of capacity, memory, list prices and of what cannot move."""

from collections.abc import Callable

import pytest

from tco.analysis.cautions import warnings
from tco.analysis.summary import costs, summarise
from tco.errors import ScenarioErrors
from tco.results import Result
from tests.report_text.conftest import Run

Ask = Callable[[str], Result]


@pytest.fixture
def ask(run: Run) -> Ask:
    return lambda text: run(f"name: case\nas_of: 2026-11-30\n{text}")


def notes(result: Result) -> list[str]:
    return [note for row in costs(result).rows for note in [row.note] if note]


def test_a_model_that_fits_nowhere_says_what_it_lacks(ask: Ask) -> None:
    result = ask(
        """
demand: {output_tokens: 10 M}
options:
  own: {own: rtx-4090, count: 2, price: 1599, model: llama-3-70b, output_rate: 50}
  api: {api: model, output_price: 1}
"""
    )
    needed, usable = 140 + 1.5, 0.9 * 24
    assert (needed, round(needed - usable, 1)) == (141.5, 119.9)
    assert notes(result) == [
        "llama-3-70b does not fit rtx-4090: 142 GB needed on each card, 21.6 GB usable, "
        "120 GB short: see  tco fit llama-3-70b"
    ]


def test_heads_that_cannot_be_shared_out(ask: Ask) -> None:
    result = ask(
        """
demand: {output_tokens: 10 M}
options:
  own: {own: h200-sxm, count: 3, price: 1, model: llama-3-70b, output_rate: 50,
        sizing: {gpus_per_replica: 3}}
  api: {api: model, output_price: 1}
"""
    )
    assert notes(result) == [
        "3 cards cannot share out 64 query heads and 8 KV heads: change sizing.gpus_per_replica"
    ]


def test_growth_beyond_capacity_names_the_month(ask: Ask) -> None:
    result = ask(
        """
start: 2027-01
months: 6
demand: {output_tokens: 200 M, growth_per_month: 10%}
options:
  own: {own: l40s, count: 1, price: 1, output_rate: 100}
  api: {api: model, output_price: 1}
"""
    )
    # 262.8 M a month are served; 200 x 1.1^3 = 266.2 in month 4, 292.8 and 322.1 after it
    left = 200 * (1.1**3 + 1.1**4 + 1.1**5) - 3 * 262.8
    whole = 200 * (1.1**6 - 1) / 0.1
    assert (round(left, 1), round(whole)) == (92.7, 1543)
    assert notes(result) == [
        "leaves 92.7 M of 1,543 M output tokens unserved over 6 months, from month 4 (2027-04) on: "
        "add cards or a supply after it"
    ]


POINT = """
demand: {{output_tokens: 10 M, input_tokens: {read} M}}
options:
  own: {{own: l40s, count: 2, price: 1, sizing: {{gpus_per_replica: 2}},
         throughput: {{output_rate: 50, gpus: 2, input_length: 1000, output_length: 500{tp}}}}}
  api: {{api: model, output_price: 1, input_price: 1}}
"""


@pytest.mark.parametrize(("read", "said"), [(40, False), (41, True), (10, False), (9, True)])
def test_another_mix_than_was_measured_is_said(ask: Ask, read: int, said: bool) -> None:
    """Measured at 2 input tokens for each output token: 4 and 1 are as far as it may be."""
    found = [w for w in warnings(ask(POINT.format(read=read, tp=""))) if "was measured at 2" in w]
    assert bool(found) == said


@pytest.mark.parametrize(("tp", "marked"), [("", True), (", tensor_parallel: 2", False)])
def test_cards_in_parallel_are_marked_unless_measured_so(ask: Ask, tp: str, marked: bool) -> None:
    rows = {row.name: row.marks for row in costs(ask(POINT.format(read=20, tp=tp))).rows}
    assert ("P" in rows["own"]) == marked


def test_list_prices_fill_what_is_not_given_and_differ_from_what_is(ask: Ask) -> None:
    from tco.prices.list_prices import ListPrice, list_price

    listed = list_price("openai", "gpt-4o", "2026-11-30")
    assert isinstance(listed, ListPrice)
    assert listed.output_price is not None
    result = ask(
        """
demand: {output_tokens: 50 M}
options:
  listed: {api: gpt-4o, provider: openai, price: book}
  given: {api: gpt-4o, provider: openai, output_price: 15}
"""
    )
    assert result.metrics["listed"]["cost_per_month"] == pytest.approx(50 * listed.output_price)
    assert result.metrics["given"]["cost_per_month"] == pytest.approx(50 * 15)
    said = list(warnings(result))
    assert any(
        w.startswith(f"given: output price 15, list {listed.output_price:g} (openai gpt-4o")
        for w in said
    )
    assert sum("is not served from 2027-01-14 on" in w for w in said) == 1


def test_the_book_does_not_invent_a_model(ask: Ask) -> None:
    with pytest.raises(ScenarioErrors) as refused:
        ask(
            """
demand: {output_tokens: 50 M}
options: {api: {api: gpt-4x, provider: openai, price: book}}
"""
        )
    text = str(refused.value)
    assert "options.api.price" in text
    assert "found:    book" in text
    assert "expected: a model of a provider that the price list knows" in text
    assert "gpt-4x" in text


def test_an_ambiguous_number_is_read_both_ways_on_one_screen(ask: Ask) -> None:
    result = ask(
        """
exchange_rates: {CNY: 8}
demand: {output_tokens: 50 M}
options:
  api: {api: gpt-4o, output_price: 15}
  reseller: {api: gpt-4o, output_price: {value: 8, currency: ambiguous}}
"""
    )
    verdict = " ".join(summarise(result).answer.verdict)
    assert "gpt-4o is printed at 8 in two currencies" in verdict
    assert "as CNY (reseller (as CNY)) $50 a month" in verdict
    assert "as USD (reseller (as USD)) $400 a month" in verdict


def test_what_cannot_move_is_shown_with_its_cost(ask: Ask) -> None:
    result = ask(
        """
demand: {output_tokens: 10 M, present: now, addressable: 60%}
options:
  now: {api: big, output_price: 10}
  small: {api: small, output_price: 1}
"""
    )
    assert (
        "40 % of the work stays on now in every option: $40 a month, counted in each row"
        in costs(result).notes
    )


def test_a_share_of_a_board_is_said(ask: Ask) -> None:
    text = """
demand: {{output_tokens: 10 M}}
options:
  own: {{own: h100-sxm, count: {count}, price: 30000, output_rate: 100}}
  api: {{api: model, output_price: 1}}
"""
    said = "sold on boards of several cards, so this is a share of one: own (4 or 8)"
    assert said in costs(ask(text.format(count=1))).notes
    assert said not in costs(ask(text.format(count=8))).notes


def test_a_yearly_cost_that_never_falls_due_is_said(ask: Ask) -> None:
    result = ask(
        """
months: 6
options: {own: {own: rtx-4090, count: 1, price: 1}}
other_costs: [{name: audit, amount: 300, per: year}]
"""
    )
    assert "audit falls due in month 12: never within 6 months" in list(warnings(result))
