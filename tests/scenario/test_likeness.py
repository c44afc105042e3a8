"""An option that is another with changes: what it takes over, and what is refused."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioErrors
from tco.results import evaluate, run_scenario
from tco.scenario.loading import read
from tco.scenario.schema import Api, Own, RentalPrice, Scenario

FILE = """\
name: a
demand: {output_tokens: 50 M}
site: {electricity_price: 0.10}
staff: {hourly_cost: 94}
hardware: {rtx-4090: {output_rate: 800}}
options:
  own-4x: {like: own-2x4090, count: 4}
  own-2x4090:
    own: rtx-4090
    count: 2
    price: {value: 1599, source: article C, basis: published}
    sizing: {busy_ceiling: 70%, spare_replicas: 0}
    staff_hours_per_month: 4
    published: {per_month: 168}
  own-6x:
    like: own-4x
    count: 6
    sizing: {spare_replicas: 1}
  api: {api: gpt-4o, output_price: 15}
"""
COSTS = """\
other_costs:
  - {name: rack space, amount: 50, per: month, options: [own-2x4090]}
  - {name: rack space, amount: 80, per: month, options: [own-6x]}
  - {name: a lawyer, amount: 900, per: once, options: [own-2x4090]}
  - {name: audit, amount: 7, per: month}
"""


def loaded(text: str, *settings: str) -> Scenario:
    return read(text.encode(), "s.yaml", settings)


def own(scenario: Scenario, name: str) -> Own:
    supply = scenario.options[name].supplies[0]
    assert isinstance(supply, Own)
    return supply


def counts(*settings: str) -> list[float]:
    scenario = loaded(FILE, *settings)
    found = [own(scenario, name).count for name in ("own-2x4090", "own-4x", "own-6x")]
    return [count.value for count in found if not isinstance(count, str)]


def with_options(*lines: str) -> str:
    return "name: a\noptions:\n" + "".join(f"  {line}\n" for line in lines)


def refused(text: str) -> str:
    with pytest.raises(ScenarioErrors) as caught:
        loaded(text)
    return str(caught.value)


def test_what_is_not_changed_is_taken_over_and_remembers_its_line() -> None:
    scenario = loaded(FILE)
    price = own(scenario, "own-6x").price
    assert price is not None
    assert (price.value, price.source, price.line) == (1599, "article C", 11)
    assert price.path == "options.own-2x4090.price"
    count = own(scenario, "own-6x").count
    assert not isinstance(count, str)
    assert (count.value, count.line, count.path) == (6, 17, "options.own-6x.count")
    assert scenario.options["own-6x"].line == 15
    assert list(scenario.options) == ["own-4x", "own-2x4090", "own-6x", "api"]


def test_blocks_are_joined_key_by_key() -> None:
    sizing = own(loaded(FILE), "own-6x").sizing
    assert sizing is not None
    assert sizing.busy_ceiling is not None
    assert sizing.spare_replicas is not None
    assert (sizing.busy_ceiling.value, sizing.busy_ceiling.line) == (0.7, 12)
    assert (sizing.spare_replicas.value, sizing.spare_replicas.line) == (1, 18)


def test_an_option_costs_what_it_would_cost_written_out() -> None:
    short = loaded(with_options(
        "own: {own: rtx-4090, count: 2, price: 1000}", "same: {like: own, count: 3}",
        "out: {own: rtx-4090, count: 3, price: 1000}",
    ))  # fmt: skip
    metrics = run_scenario(short).metrics
    assert metrics["same"]["upfront_cost"] == 3000
    assert metrics["same"] == metrics["out"]


def test_a_number_that_is_taken_over_is_one_input_of_both() -> None:
    model = run_scenario(loaded(FILE)).model
    prices = [given for given in model.numbers if given.label.startswith("Purchase price")]
    assert [(given.label, given.line) for given in prices] == [
        ("Purchase price of a GPU, own-2x4090", 11)
    ]
    ceilings = [given.label for given in model.numbers if "busy share to plan" in given.label]
    assert ceilings == ["Highest busy share to plan with, own-2x4090"]


def test_changing_that_input_is_setting_the_number_where_it_is_written() -> None:
    result = run_scenario(loaded(FILE))
    for given in result.model.numbers:
        if not given.path.startswith("options.") or given.quantity is None:
            continue
        value = 0.5 if given.maximum == 1 else given.value + 1
        arrays = evaluate(result.model, {given.name: value})
        other = run_scenario(loaded(FILE, f"{given.path}={value:g}"))
        for option in other.model.complete:
            line = option.line("npv_of_cost")
            assert arrays[line][0, 0] == pytest.approx(other.value(line), rel=1e-12), given.path


def test_what_is_set_in_the_first_moves_those_that_are_like_it() -> None:
    assert counts() == [2, 4, 6]
    assert counts("options.own-4x.count=8") == [2, 8, 6]
    scenario = loaded(FILE, "options.own-2x4090.price=1000")
    prices = [own(scenario, name).price for name in ("own-2x4090", "own-4x", "own-6x")]
    assert [price.value for price in prices if price] == [1000, 1000, 1000]
    without = FILE.replace("like: own-4x\n    count: 6", "like: own-4x")
    moved = loaded(without, "options.own-4x.count=3")
    count = own(moved, "own-6x").count
    assert not isinstance(count, str)
    assert (count.value, count.line) == (3, None)


def test_a_range_may_be_added_to_a_number_that_is_taken_over() -> None:
    scenario = loaded(FILE, "options.own-6x.price.high=2000")
    price, first = own(scenario, "own-6x").price, own(scenario, "own-2x4090").price
    assert price is not None
    assert first is not None
    assert (price.value, price.high, price.source) == (1599, 2000, "article C")
    assert first.high is None
    plain = loaded(with_options(
        "own: {own: rtx-4090, count: 2, price: 1000}", "b: {like: own, price: {high: 1200}}"
    ))  # fmt: skip
    opened = own(plain, "b").price
    assert opened is not None
    assert (opened.value, opened.high) == (1000, 1200)


def test_another_number_comes_without_the_words_of_the_old_one() -> None:
    scenario = loaded(FILE + "  b: {like: own-2x4090, price: {value: 1400, note: an offer}}\n")
    price = own(scenario, "b").price
    assert price is not None
    assert (price.value, price.source, price.basis, price.note) == (1400, None, None, "an offer")
    text = with_options(
        "a: {rent: rtx-4090, count: 2, price: {median: 0.49, minimum: 0.14, source: B}}",
        "b: {like: a, price: {median: 0.60}}",
    )
    rental = loaded(text).options["b"].supplies[0]
    given = getattr(rental, "price", None)
    assert isinstance(given, RentalPrice)
    assert (given.median.value, given.median.source, given.minimum) == (0.6, None, None)


def test_null_takes_a_word_away_and_what_was_printed_is_not_taken_over() -> None:
    scenario = loaded(FILE + "  b: {like: own-2x4090, sizing: null, published: {per_month: 9}}\n")
    assert own(scenario, "b").sizing is None
    assert own(scenario, "own-4x").published is None
    printed = own(scenario, "b").published
    assert printed is not None
    assert printed.per_month.value == 9


def test_a_quote_goes_with_the_number_of_cards_that_it_is_for() -> None:
    quoted = "a: {own: rtx-4090, count: 2, quote: {items: [{name: x, amount: 3000}]}}"
    more = "{items: [{name: x, amount: 5000}]}"
    scenario = loaded(with_options(
        quoted, f"b: {{like: a, count: 4, quote: {more}}}", "c: {like: a, count: 2, model: x}",
        "d: {like: a, count: 4, quote: null, price: 1400}",
    ))  # fmt: skip
    costs = {name: found["total_cost"] for name, found in run_scenario(scenario).metrics.items()}
    assert costs == {"a": 3000, "b": 5000, "c": 3000, "d": 5600}


def test_another_card_is_a_change() -> None:
    scenario = loaded(FILE + "  b: {like: own-2x4090, own: h100-sxm, price: 30000}\n")
    assert own(scenario, "b").own == "h100-sxm"


def test_a_chain_and_its_links_may_be_like_others() -> None:
    text = FILE + (
        "  chain: [{like: own-4x, count: 1}, {like: api, output_price: 8}]\n  same: {like: chain}\n"
    )
    first, second = loaded(text).options["same"].supplies
    assert isinstance(first, Own)
    assert isinstance(second, Api)
    assert not isinstance(first.count, str)
    assert second.output_price is not None
    assert (first.count.value, second.output_price.value, second.api) == (1, 8, "gpt-4o")


def test_costs_of_an_option_are_borne_by_those_like_it_unless_they_have_their_own() -> None:
    found = [(cost.name, cost.options) for cost in loaded(FILE + COSTS).other_costs]
    assert found == [
        ("rack space", ["own-2x4090", "own-4x"]),
        ("rack space", ["own-6x"]),
        ("a lawyer", ["own-2x4090", "own-4x", "own-6x"]),
        ("audit", None),
    ]


def test_both_readings_of_a_price_are_made_of_an_option_that_is_like_it() -> None:
    text = (
        "name: a\nexchange_rates: {CNY: 7.1}\ndemand: {output_tokens: 1 M}\noptions:\n"
        "  r: {api: x, output_price: {value: 8, currency: ambiguous}}\n  s: {like: r, api: y}\n"
    )
    assert list(loaded(text).options) == [
        "r (as USD)", "r (as CNY)", "s (as USD)", "s (as CNY)"
    ]  # fmt: skip
    costs = {
        name: found["total_cost"] for name, found in run_scenario(loaded(text)).metrics.items()
    }
    assert costs["r (as USD)"] == costs["s (as USD)"] == pytest.approx(36 * 8)
    assert costs["s (as CNY)"] == pytest.approx(36 * 8 / 7.1)


REFUSED = [
    pytest.param(
        ("a: {api: x, output_price: 15}", "b: {like: c, output_price: 8}"),
        """\
s.yaml, line 4: options.b.like
  found:    c
  expected: the name of another option: a
  next:     write one of these names""",
        id="unknown",
    ),
    pytest.param(
        ("own-2x4090: {own: rtx-4090, count: 2, price: 9}", "b: {like: own-2x490}"),
        """\
s.yaml, line 4: options.b.like
  found:    own-2x490
  expected: the name of another option: own-2x4090
  next:     did you mean own-2x4090?""",
        id="did you mean",
    ),
    pytest.param(
        ("a: {like: a, output_price: 15}",),
        """\
s.yaml, line 3: options.a.like
  found:    a
  expected: another option than itself
  next:     write the name of the option that it is like""",
        id="itself",
    ),
    pytest.param(
        ("a: {like: b}", "b: {like: c}", "c: {like: a}", "d: {like: a, count: 2}"),
        """\
s.yaml, line 5: options.c.like
  found:    a is like b is like c is like a
  expected: a first option that is like no other
  next:     write one of a, b, c out""",
        id="circle",
    ),
    pytest.param(
        ("a: {own: rtx-4090, count: 2, price: 9}", "b: {like: a, rent: rtx-4090, price: 0.49}"),
        """\
s.yaml, line 4: options.b.rent
  found:    rent
  expected: own, as a says: an option keeps the kind of what it is like
  next:     write the option out, without  like: a""",
        id="another kind",
    ),
    pytest.param(
        (
            "a: [{own: rtx-4090, count: 2, price: 9}, {api: x, output_price: 1}]",
            "b: {like: a, count: 2}",
        ),
        """\
s.yaml, line 4: options.b.count
  found:    count
  expected: no change beside  like: a, which is a chain
  next:     write the chain out; each of its supplies may be like an option of one supply""",
        id="changes of a chain",
    ),
    pytest.param(
        ("a: [{own: rtx-4090, count: 2, price: 9}]", "b: [{like: a}, {api: x, output_price: 1}]"),
        """\
s.yaml, line 4: options.b[0].like
  found:    a
  expected: an option of one supply: a chain is no part of a chain
  next:     write its supplies here, one after the other""",
        id="a chain in a chain",
    ),
    pytest.param(
        ("a: 5", "b: {like: a}"),
        """\
s.yaml, line 3: options.a
  found:    5
  expected: a supply that says own, rent or api
  next:     write for example  {own: rtx-4090, count: 2, price: 1599}

s.yaml, line 4: options.b.like
  found:    5
  expected: an option with a supply
  next:     write first what a is""",
        id="of no option",
    ),
    pytest.param(
        ("a: {own: rtx-4090, count: 2, price: -9}", "b: {like: a, count: 2.5}", "c: {like: b}"),
        """\
s.yaml, line 3: options.a.price
  found:    -9
  expected: the price of one card, 0 or more
  next:     write for example  1599

s.yaml, line 4: options.b.count
  found:    2.5
  expected: a whole number of 1 or more, or the word auto
  next:     write for example  2""",
        id="a fault is told once, where it is written",
    ),
    pytest.param(
        (
            "a: {own: rtx-4090, count: 2, quote: {items: [{name: x, amount: 3000}]}}",
            "b: {like: a, count: 4}",
        ),
        """\
s.yaml, line 4: options.b.count
  found:    4
  expected: a quote for that number of cards too: that of a is for its own
  next:     write the quote that holds for it under quote, or  quote: null""",
        id="a quote for another number of cards",
    ),
    pytest.param(
        (
            "a: {own: rtx-4090, count: 2, price: 9, "
            "financing: {lease: {payment: 5, months: 36, rate: 8%}}}",
            "b: {like: a, count: 4}",
        ),
        """\
s.yaml, line 4: options.b.count
  found:    4
  expected: a lease for that number of cards too: that of a is for its own
  next:     write the lease that holds for it under financing, or  financing: null""",
        id="a lease of another number of cards",
    ),
    pytest.param(
        ("a: {api: x, output_price: 15}", "b: {like: a, outputprice: 8}"),
        """\
s.yaml, line 4: options.b.outputprice
  found:    the key outputprice
  expected: one of api, output_price, provider, price, input_price, cache_read_price,
            cache_write_price, cache_write_1h_price, output_tiers, input_tiers, tiering,
            long_context, batch, commitment, task_price, fx_fee, vat, billing_rate, retries_billed,
            tokeniser_factor, price_path, rate_limit, prepaid, staff_hours_per_month, published
  next:     did you mean output_price?""",
        id="unknown key",
    ),
    pytest.param(
        ("a: {api: x, output_price: 15}", "b: {like: }"),
        """\
s.yaml, line 4: options.b.like
  found:    nothing after the colon
  expected: the name of another option: a
  next:     write one of these names""",
        id="nothing",
    ),
]


@pytest.mark.parametrize(("lines", "message"), REFUSED)
def test_the_whole_message(lines: tuple[str, ...], message: str) -> None:
    assert refused(with_options(*lines)) == message


def test_a_file_that_grows_by_likeness_is_stopped() -> None:
    big = "a: {api: x, output_tiers: [" + "{price: 1}, " * 900 + "{price: 1}]}"
    message = refused(with_options(big, *(f"b{n}: {{like: a}}" for n in range(900))))
    assert message.startswith("s.yaml, line 3: options.a.output_tiers\n")
    assert "found:    more than 10,000 values, counting what is taken over\n" in message
    assert message.count("counting what is taken over") == 1
