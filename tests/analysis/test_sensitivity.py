"""The tornado: gaps at the ends, related numbers together, and the values at which it turns."""

from pathlib import Path

import pytest

from tco.analysis.break_even import break_even
from tco.analysis.sensitivity import Bar, Tornado, Winner, tornado
from tco.errors import ScenarioError
from tco.report.sensitivity import render
from tco.results import Result, evaluate, run, run_scenario
from tco.scenario.loading import read

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.yaml"))
# undiscounted over 10 months: two cards of 1,000 are 200 a month, 1 M tokens at 250 are 250
TEXT = """\
name: a
months: 10
discount_rate: 0%
demand: {{output_tokens: {tokens}}}
options:
  own: {{own: l40s, count: 2, tdp: 0 W, price: {price}, output_rate: 1}}
  api: {{api: x, output_price: {output}}}
  rent: {{rent: l40s, count: 2, billed: held, price: {rent}, output_rate: 1}}
baseline: api
{more}"""


def result_of(
    price: str = "1000",
    output: str = "250",
    tokens: str = "1 M",
    rent: str = "1",
    more: str = "",
) -> Result:
    text = TEXT.format(price=price, output=output, tokens=tokens, rent=rent, more=more)
    return run_scenario(read(text.encode(), "s.yaml"))


PRICE = "{value: 1000, low: 700, high: 1600}"
OUTPUT = "{value: 250, low: 240, high: 260}"


def bars_of(found: Tornado) -> dict[str, Bar]:
    return {bar.inputs[0]: bar for bar in found.bars}


def test_the_gap_at_both_ends_of_each_number() -> None:
    result = result_of(PRICE, OUTPUT)
    found = tornado(result)
    assert (found.this, found.other) == ("own", "api")
    assert found.base == pytest.approx(2 * 1000 / 10 - 250)
    price, output = found.bars
    assert (price.at_low, price.at_high) == pytest.approx((140 - 250, 320 - 250))
    assert (output.at_low, output.at_high) == pytest.approx((200 - 240, 200 - 260))
    assert (price.swing, output.swing) == pytest.approx((180, 20))
    assert (price.low_text, price.high_text) == ("$700", "$1,600")


def test_a_flip_within_low_and_high_and_one_outside() -> None:
    """2 x price / 10 = 250 at 1,250; 200 = the API's at 200 a million."""
    price, output = tornado(result_of(PRICE, OUTPUT)).bars
    assert (price.flips_at, price.flips_within) == ("$1,250", True)
    assert (output.flips_at, output.flips_within) == ("$200", False)


def test_the_values_at_which_the_cheapest_of_all_changes() -> None:
    """Renting is 2 x 730 x 0.16 = 233.60 a month: cheaper than the API, dearer than owning."""
    price, output = tornado(result_of(PRICE, OUTPUT, rent="0.16")).bars
    assert price.winners == (Winner("$1,168", "own", "rent"),)  # 2 x 1168 / 10 = 233.60
    assert (price.looked_from, price.looked_to) == ("$0", "$10,000")
    assert output.winners == (Winner("$200", "api", "own"),)


def test_a_number_that_moves_neither_is_named() -> None:
    found = tornado(result_of(PRICE, rent="{value: 1, low: 0.5, high: 2}"))
    assert [bar.inputs for bar in found.bars] == [("o1_s1_price",)]
    assert found.unmoved == ("rental price of a GPU-hour, median (rent)",)
    other = tornado(result_of(PRICE, rent="{value: 1, low: 0.5, high: 2}"), "rent", "api")
    assert [bar.label for bar in other.bars] == ["rental price of a GPU-hour, median (rent)"]
    assert other.base == pytest.approx(2 * 730 - 250)


def test_an_end_that_is_not_given_is_the_value() -> None:
    (bar,) = tornado(result_of("{value: 1000, high: 1600}")).bars
    assert (bar.at_low, bar.at_high) == pytest.approx((200 - 250, 320 - 250))


@pytest.mark.parametrize(("sign", "ends"), [("60%", (240, 260)), ("-60%", (260, 240))])
def test_related_numbers_move_together(sign: str, ends: tuple[int, int]) -> None:
    more = (
        "correlations: [{between: [options.own.price, options.api.output_price], "
        f"correlation: {sign}}}]\n"
    )
    (bar,) = tornado(result_of(PRICE, OUTPUT, more=more)).bars
    assert (bar.at_low, bar.at_high) == pytest.approx((140 - ends[0], 320 - ends[1]))
    assert bar.low_text == f"$700, ${ends[0]}"
    assert bar.flips_within
    assert bar.flips_at is not None
    assert bar.flips_at.startswith("P")
    # they turn where the one is what the other says: at the P that both have there
    assert bar.inputs == ("o1_s1_price", "o2_s1_output_price")


def test_related_numbers_turn_at_their_common_quantile() -> None:
    """0.2 x 1000 x 1.6^t = 250 x 1.04^t at t = log 1.25 / log(1.6 / 1.04) of 1.2816."""
    from math import log
    from statistics import NormalDist

    from tco.analysis.ranges import Z90

    more = (
        "correlations: [{between: [options.own.price, options.api.output_price], correlation: 1}]\n"
    )
    (bar,) = tornado(result_of(PRICE, OUTPUT, more=more)).bars
    t = log(1.25) / log(1.6 / 1.04)
    share = 100 * NormalDist().cdf(t * Z90)
    assert bar.flips_at == f"P{share:.1f} (${1000 * 1.6**t:,.0f})"


def test_an_end_at_which_an_option_does_not_serve_is_marked() -> None:
    """Two cards of 1 token/s serve 5.256 M tokens a month."""
    result = result_of(tokens="{value: 1 M, low: 0.5 M, high: 6 M}")
    (bar,) = tornado(result).bars
    assert (bar.served_at_low, bar.served_at_high) == (True, False)
    # 200 = 250 x 0.8 M, and from where the cards do not suffice the API alone serves
    assert (bar.flips_at, bar.flips_within) == ("0.8 M", True)
    assert bar.winners == (Winner("0.8 M", "api", "own"), Winner("5.26 M", "own", "api"))
    assert "* there one of the two does not serve the whole demand." in render(
        result, tornado(result)
    )


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_bars_of_every_scenario(path: Path) -> None:
    """The gaps by whole runs of the model; a gap that changes its sign turns within."""
    result = run(path)
    if result.focus is None or result.pair(result.focus, result.baseline) is None:
        return
    found = tornado(result)
    assert [bar.swing for bar in found.bars] == sorted(
        (bar.swing for bar in found.bars), reverse=True
    )
    monthly = [result.option(o).line("equivalent_monthly_cost") for o in (found.this, found.other)]
    for bar in found.bars[:2]:
        given = next(i for i in result.model.numbers if i.name == bar.inputs[0])
        assert given.quantity is not None
        for end, gap in ((given.quantity.low, bar.at_low), (given.quantity.high, bar.at_high)):
            if len(bar.inputs) == 1 and end is not None:
                one, two = (
                    evaluate(result.model, {given.name: end})[name][0, 0] for name in monthly
                )
                assert gap == pytest.approx(one - two, rel=1e-9, abs=1e-9 * abs(one))
    for bar in found.bars:
        if bar.at_low * bar.at_high < 0:
            assert bar.flips_within


def test_the_turn_is_that_of_the_break_even() -> None:
    midteam = Path(__file__).parents[2] / "scenarios" / "midteam.yaml"
    result = run(midteam)
    found = tornado(result)
    for bar in found.bars:
        given = next(i for i in result.model.numbers if i.name == bar.inputs[0])
        even = break_even(result, given.path, found.this, found.other)
        nearest = even.nearest
        expected = None if nearest is None else even.axis.text(result, nearest.value)
        assert bar.flips_at == expected, bar.label


def test_an_option_against_itself() -> None:
    with pytest.raises(ScenarioError, match="own against itself"):
        tornado(result_of(PRICE), "own", "own")


def test_without_a_demand_there_is_no_gap() -> None:
    text = "name: a\noptions:\n  own: {own: l40s, count: 2, tdp: 0 W, price: " + PRICE + "}\n"
    with pytest.raises(ScenarioError, match="no demand"):
        tornado(run_scenario(read(text.encode(), "s.yaml")))


def test_the_screen_where_nothing_is_varied() -> None:
    result = result_of()
    assert (
        render(result, tornado(result)).splitlines()[3].startswith("Nothing is varied: no number")
    )


def test_the_screen_where_no_number_moves_the_two() -> None:
    result = result_of(rent="{value: 1, low: 0.5, high: 2}")
    assert render(result, tornado(result)).splitlines()[3:] == [
        "No number with a low or a high moves own against api: rental price of a GPU-hour, median "
        "(rent).",
    ]


def test_the_screen() -> None:
    result = result_of(PRICE, OUTPUT, rent="{value: 0.16, low: 0.1}")
    assert (
        render(result, tornado(result))
        == """\
a
1 M output tokens and 0 input tokens a month: all counted as output; 10 months, numbered
USD, discounted at 0 % a year, 730 hours a month, before tax

own minus api, equivalent cost a month: -$50 as given; each number at its low (P10) and its high
(P90), all others as given

varied                                       low    high  gap at low  at high  swing      turns at
purchase price of a GPU (own)               $700  $1,600       -$110     +$70   $180  $1,250 FLIPS
API price of a million output tokens (api)  $240    $260        -$40     -$60    $20          $200

Below 0 own is the cheaper one. Turns at: the nearest value at which the other one is; FLIPS: it
  lies between low and high. Bars do not add up.
Moves neither of the two: rental price of a GPU-hour, median (rent).

The cheapest of all options that serve the demand, all other numbers as given:
  purchase price of a GPU (own): own from $0, rent from $1,168 to $10,000
  API price of a million output tokens (api): api from $0, own from $200 to $2,500"""
    )
