"""Two options that are alike: whether the cheaper one is known to be the cheaper one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tco.analysis.closeness import closeness, closeness_texts
from tco.results import Result, run

Ask = Callable[[str], Result]
# undiscounted over 10 months, so that a price of 1 is 0.1 a month
HEAD = "name: quotes\nmonths: 10\ndiscount_rate: 0%\n"
DEMAND = "demand: {output_tokens: 1 M}\n"
CARD = "own: l40s, count: 2, tdp: 0 W"


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def from_text(text: str) -> Result:
        path = tmp_path / "case.yaml"
        path.write_text(HEAD + text, encoding="utf-8")
        return run(path)

    return from_text


def two(first: str, second: str, *, demand: str = DEMAND, more: str = "") -> str:
    return (
        f"{demand}{more}options:\n"
        f"  one: {{{CARD}, price: {first}}}\n  two: {{{CARD}, price: {second}}}\n"
    )


def quoted(first: str, second: str) -> str:
    options = (
        f"  {name}: {{{CARD}, quote: {{items: [{{name: node, amount: {amount}}}]}}}}\n"
        for name, amount in (("one", first), ("two", second))
    )
    return f"{DEMAND}options:\n{''.join(options)}"


@pytest.mark.parametrize("demand", [DEMAND, ""])
def test_a_gap_below_what_one_input_moves_it_is_too_close(ask: Ask, demand: str) -> None:
    result = ask(two("{value: 3000, low: 2500, high: 3400}", "3100", demand=demand))
    (found,) = closeness(result)
    assert (found.cheaper, found.dearer) == ("one", "two")
    # two cards over ten months: 2 x 100 / 10
    assert found.gap == pytest.approx(20)
    (swing,) = found.swings
    assert (swing.at_low, swing.at_high) == pytest.approx((120, -60))
    assert swing.size == pytest.approx(2 * (3400 - 2500) / 10)
    assert found.too_close
    close, apart = closeness_texts(result)
    assert close == [
        "Too close to call: one is $20 a month cheaper than two, and purchase price of a GPU "
        "(one), from $2,500 to $3,400, moves that by $180 ($120 cheaper to $60 dearer)."
    ]
    assert apart == []


def test_a_gap_between_quotes_above_what_any_input_moves_it_is_not(ask: Ask) -> None:
    result = ask(quoted("{value: 6000, low: 5800, high: 6100}", "8000"))
    (found,) = closeness(result)
    # over ten months: (8,000 - 6,000) / 10, and (6,100 - 5,800) / 10
    assert (found.gap, found.swings[0].size) == pytest.approx((200, 30))
    assert not found.too_close
    close, apart = closeness_texts(result)
    assert close == []
    assert apart == [
        "one is $200 a month cheaper than two, more than any one input moves that (most: amount "
        "of an item of the quote (node, one), from $5,800 to $6,100: $220 cheaper to $190 cheaper)."
    ]


def test_of_prices_that_are_apart_nothing_is_said(ask: Ask) -> None:
    assert closeness_texts(ask(two("3000", "4000"))) == ([], [])


def test_what_moves_both_alike_moves_no_gap(ask: Ask) -> None:
    electricity = "site: {electricity_price: {value: 0.10, low: 0.05, high: 0.50}}\n"
    (found,) = closeness(ask(two("3000", "3100", more=electricity)))
    assert [swing.size for swing in found.swings] == [pytest.approx(0, abs=1e-9)]
    assert not found.too_close


def test_the_largest_swing_is_the_one_that_is_said(ask: Ask) -> None:
    one = "{value: 3000, low: 2990, high: 3010}"
    two_ = "{value: 3100, low: 2900, high: 3300}"
    (found,) = closeness(ask(two(one, two_)))
    assert [swing.size for swing in found.swings] == [pytest.approx(80), pytest.approx(4)]
    assert found.swings[0].given.path == "options.two.price"


def test_without_a_range_nothing_was_varied(ask: Ask) -> None:
    result = ask(quoted("6000", "6200"))
    nothing = "nothing was varied, since no input has a low and a high."
    assert closeness_texts(result) == ([], [f"one is $20 a month cheaper than two; {nothing}"])
    assert not closeness(result)[0].too_close


def test_what_costs_the_same_is_not_said(ask: Ask) -> None:
    assert closeness_texts(ask(two("3000", "3000"))) == ([], [])


@pytest.mark.parametrize(
    ("other", "pairs"),
    [
        ("{own: l40s, count: 2, tdp: 0 W, price: 3100}", 1),
        ("{own: l40s, count: 3, tdp: 0 W, price: 3100}", 0),
        ("{own: rtx-4090, count: 2, price: 3100}", 0),
        ("{rent: l40s, count: 2, price: 1}", 0),
        ("{api: m, output_price: 1000}", 0),
    ],
)
def test_what_is_alike(ask: Ask, other: str, pairs: int) -> None:
    text = f"{DEMAND}options:\n  one: {{{CARD}, price: 3000}}\n  two: {other}\n"
    assert len(closeness(ask(text))) == pairs


def test_three_quotes_are_two_pairs(ask: Ask) -> None:
    text = two("3000", "3100") + f"  three: {{{CARD}, price: 3050}}\n"
    found = closeness(ask(text))
    assert [(pair.cheaper, pair.dearer) for pair in found] == [("one", "three"), ("three", "two")]


def test_an_option_that_is_not_costed_is_no_quote(ask: Ask) -> None:
    text = f"{DEMAND}options:\n  one: {{{CARD}, price: 3000}}\n  two: {{{CARD}}}\n"
    assert closeness(ask(text)) == []


def test_a_row_of_a_table_is_varied_too(ask: Ask) -> None:
    steps = "[{month: 6, factor: {value: 2, low: 1, high: 3}}]"
    one = (
        f"own: l40s, count: 2, price: 0, tdp: 1000 W, utilisation: 100%, electricity_price: 1, "
        f"electricity_price_path: {{steps: {steps}}}"
    )
    result = ask(
        f"hours_per_month: 1\n{DEMAND}options:\n  one: {{{one}}}\n  two: {{{CARD}, price: 20}}\n"
    )
    (found,) = closeness(result)
    # 2 kWh a month at 1 for five months and at 2 (1, 3) for five, against 2 x 20, over ten months
    assert found.gap == pytest.approx((2 * 20 - 5 * 2 - 5 * 2 * 2) / 10)
    (swing,) = found.swings
    assert (swing.at_low, swing.at_high) == pytest.approx((2, 0))
