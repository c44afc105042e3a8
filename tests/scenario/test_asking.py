"""A question of one line: the scenario that it becomes, and what is said of what is no question."""

from __future__ import annotations

from typing import Any

import pytest

from tco.errors import ScenarioErrors
from tco.results import Result, run_scenario
from tco.scenario.asking import ask
from tco.scenario.loading import read
from tco.scenario.schema import Api, Own, Rent

USUAL: dict[str, Any] = {
    "tokens": "30M", "own": ["2x RTX 4090@1599"], "rent": ["0.49"], "api": ["15"],
}  # fmt: skip


def answered(**asked: Any) -> Result:
    return run_scenario(read(ask(**asked).encode(), "s.yaml"))


def refused(**asked: Any) -> str:
    with pytest.raises(ScenarioErrors) as caught:
        ask(**asked)
    return str(caught.value)


def owned(text: str) -> tuple[str, float]:
    scenario = read(ask(tokens="1M", own=[text]).encode(), "s.yaml")
    (option,) = scenario.options.values()
    (supply,) = option.supplies
    assert isinstance(supply, Own)
    assert not isinstance(supply.count, str)
    return supply.own, supply.count.value


def test_the_whole_text() -> None:
    asked = {**USUAL, "months": "24", "electricity": "0.10", "currency": "EUR"}
    assert (
        ask(**asked, input_tokens="90M")
        == """\
# yaml-language-server: $schema=scenario.schema.json
# What is not written here is not counted or has a neutral default: the answer lists it.
name: 30M tokens a month
question: Own cards, rent cards or call an API?
currency: EUR
months: 24
demand: {output_tokens: 30M, input_tokens: 90M}  # a month
site: {electricity_price: 0.10}  # a kWh
options:
  own-2x-rtx-4090: {own: rtx-4090, count: 2, price: 1599}  # the price of one card
  rent-2x-rtx-4090: {rent: rtx-4090, count: 2, price: 0.49}  # a GPU-hour; all hours are paid
  api: {api: api, output_price: 15}  # a million output tokens; input is not billed
# No output_rate of the cards is given: whether they can serve the tokens is not checked.
# No hours of work are given: none are counted.
"""
    )


def test_the_answer_is_that_of_the_numbers_alone() -> None:
    metrics = answered(**USUAL).metrics
    assert metrics["own-2x-rtx-4090"]["total_cost"] == 2 * 1599
    assert metrics["rent-2x-rtx-4090"]["total_cost"] == pytest.approx(36 * 730 * 2 * 0.49)
    assert metrics["api"]["total_cost"] == pytest.approx(36 * 30 * 15)


def test_nothing_is_written_that_was_not_said() -> None:
    scenario = read(ask(**USUAL).encode(), "s.yaml")
    assert scenario.model_fields_set == {"name", "question", "demand", "options"}
    assert scenario.demand is not None
    assert scenario.demand.model_fields_set == {"output_tokens"}


@pytest.mark.parametrize(
    ("text", "card", "count"),
    [
        ("2x RTX 4090@1599", "rtx-4090", 2),
        ("8x H100 SXM@30000", "h100-sxm", 8),
        ("rtx-4090@1599", "rtx-4090", 1),
        ("4 A100 80GB@15000", "a100-80gb", 4),
        ("2x4090@1,599", "rtx-4090", 2),
        ("4090@1599 USD", "rtx-4090", 1),
        ("3\u00d7 GeForce RTX4090 24GB @ $1599", "rtx-4090", 3),
        ("2 X NVIDIA A100-40G@10000", "a100-40gb", 2),
        ("H100 SXM5 80 GB@30000", "h100-sxm", 1),
        ("RTX PRO 6000@9000", "rtx-pro-6000", 1),
        ("8x H200@31000", "h200-sxm", 8),
        ("mi300x@20000", "mi300x", 1),
        ("\uff12x RTX 4090\uff201599", "rtx-4090", 2),
    ],
)
def test_cards_as_people_write_them(text: str, card: str, count: int) -> None:
    assert owned(text) == (card, count)


def test_rent_names_its_own_cards_or_takes_those_that_are_owned() -> None:
    text = ask(tokens="1M", own=["H200@31000", "2x H200@30000"], rent=["3.5", "8x H100 SXM@3.06"])
    scenario = read(text.encode(), "s.yaml")
    assert list(scenario.options) == [
        "own-1x-h200-sxm", "own-2x-h200-sxm",
        "rent-1x-h200-sxm", "rent-2x-h200-sxm", "rent-8x-h100-sxm",
    ]  # fmt: skip
    rented = [option.supplies[0] for option in scenario.options.values()][2:]
    prices = [
        supply.price.median.value for supply in rented if isinstance(supply, Rent) and supply.price
    ]
    assert prices == [3.5, 3.5, 3.06]


def test_an_api_has_a_name_where_one_is_given_and_may_have_two_prices() -> None:
    text = ask(tokens="1M", input_tokens="4M", api=["15", "gpt-4o@2.50/10", "8"])
    options = read(text.encode(), "s.yaml").options
    assert list(options) == ["api", "api-gpt-4o", "api-2"]
    supply = options["api-gpt-4o"].supplies[0]
    assert isinstance(supply, Api)
    assert supply.input_price is not None
    assert supply.output_price is not None
    assert (supply.api, supply.input_price.value, supply.output_price.value) == ("gpt-4o", 2.5, 10)


def test_costs_alone_are_calculated_without_tokens() -> None:
    result = answered(own=["2x RTX 4090@1599"], electricity="0.10")
    assert not result.model.has_demand
    assert result.metrics["own-2x-rtx-4090"]["upfront_cost"] == 3198


REFUSED = [
    pytest.param(
        {"tokens": "30M"},
        """\
tco ask: --own, --rent, --api
  found:    nothing
  expected: at least one of them: what the tokens could be served by
  next:     write for example  --own "2x RTX 4090@1599" --rent 0.49 --api 15""",
        id="no option",
    ),
    pytest.param(
        {"api": ["15"]},
        """\
tco ask: --tokens
  found:    nothing
  expected: the output tokens of a month
  next:     write for example  --tokens 30M""",
        id="no tokens",
    ),
    pytest.param(
        {"tokens": "banana", "months": "400", "currency": "US", "api": ["15 xx"]},
        """\
tco ask: --api
  found:    15 xx
  expected: the price of a million tokens, 0 or more; xx is no unit or currency of it
  next:     write for example  15

tco ask: --currency
  found:    US
  expected: a currency by its three letters, such as USD, EUR or CNY
  next:     did you mean UZS?

tco ask: --months
  found:    400
  expected: a whole number of months from 1 to 120
  next:     write for example  36

tco ask: --tokens
  found:    banana
  expected: tokens a month, 0 or more
  next:     write a number, for example  50 M""",
        id="four values that are none",
    ),
    pytest.param(
        {"tokens": "30M", "rent": ["0.49"]},
        """\
tco ask: --rent
  found:    0.49
  expected: cards and, after an @, the price of a GPU-hour, or a price alone beside one --own
  next:     write for example  --rent "2x RTX 4090@0.49\"""",
        id="a price of which cards",
    ),
    pytest.param(
        {"tokens": "30M", "own": ["2x RTX 4090"]},
        """\
tco ask: --own
  found:    2x RTX 4090
  expected: cards and, after an @, the price of one
  next:     write for example  --own "2x RTX 4090@1599\"""",
        id="cards without a price",
    ),
    pytest.param(
        {"tokens": "30M", "own": ["2x RTX 4099@1"]},
        """\
tco ask: --own
  found:    2x RTX 4099@1
  expected: a card that is known: rtx-4090, rtx-5090, rtx-pro-6000, l40s, a100-40gb, a100-80gb,
            a100-40gb-pcie, a100-80gb-pcie, h100-pcie, h100-sxm, h200-sxm, b200-sxm, mi300x
  next:     did you mean rtx-4090? Otherwise describe your own card in a file: begin with  tco new
            FILE""",
        id="an unknown card",
    ),
    pytest.param(
        {"tokens": "30M", "own": ["2x A100@10000"]},
        """\
tco ask: --own
  found:    2x A100@10000
  expected: one card: a100-40gb or a100-80gb or a100-40gb-pcie or a100-80gb-pcie
  next:     write its whole name, for example  --own "2x a100-40gb@10000\"""",
        id="one of two cards",
    ),
    pytest.param(
        {"tokens": "30M", "own": ["0x RTX 4090@1599"]},
        """\
tco ask: --own
  found:    0
  expected: a whole number of 1 or more, or the word auto
  next:     write for example  2""",
        id="no cards",
    ),
    pytest.param(
        {"tokens": "30M", "api": ["gpt-4o"]},
        """\
tco ask: --api
  found:    gpt-4o
  expected: the price of a million output tokens after the name
  next:     write for example  --api gpt-4o@15""",
        id="an API without a price",
    ),
    pytest.param(
        {"tokens": "30M", "api": ["gpt-4o@"]},
        """\
tco ask: --api
  found:    gpt-4o@
  expected: the price of a million output tokens, or a name, an @ and the price
  next:     write for example  --api 15  or  --api gpt-4o@15""",
        id="an API and no number",
    ),
]


@pytest.mark.parametrize(("asked", "message"), REFUSED)
def test_the_whole_message(asked: dict[str, Any], message: str) -> None:
    assert refused(**asked) == message


@pytest.mark.parametrize("text", ["RTX 6000 Ada", "4090 D", "RTX 3090", "80GB", "rtx", "L40", "2x"])
def test_no_card_is_taken_for_another(text: str) -> None:
    assert "expected: " in refused(tokens="1M", own=[f"{text}@9"])


@pytest.mark.parametrize("text", ["x: {y", "a # b", "'", '"', "- 1", "\\", "{}", "*a", "!b", "%"])
def test_what_yaml_would_misread_is_written_in_quotes(text: str) -> None:
    message = refused(tokens=text, api=["15"])
    assert message.startswith("tco ask: --tokens\n")
    scenario = read(ask(tokens="1M", api=[f"{text}@15"]).encode(), "s.yaml")
    supply = next(iter(scenario.options.values())).supplies[0]
    assert isinstance(supply, Api)
    assert supply.api == text
