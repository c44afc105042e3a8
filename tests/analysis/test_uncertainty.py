"""Draws: which they are, what is counted of them, and what is said of it."""

from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from tco.analysis.ranges import Z90
from tco.analysis.uncertainty import Simulation, normal_scores, sentence, simulate
from tco.errors import ScenarioError
from tco.report.simulation import render
from tco.results import Result, run, run_scenario
from tco.scenario.loading import read

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.yaml"))
# undiscounted over 10 months: two cards of 1,000 against 10 x 1 M tokens at 200 a million
TEXT = """\
name: a
months: 10
discount_rate: 0%
demand: {{output_tokens: {tokens}}}
options:
  own: {{own: l40s, count: 2, tdp: 0 W, price: {price}, output_rate: 1}}
  api: {{api: x, output_price: {output}}}
{more}"""


def result_of(
    price: str = "1000", output: str = "200", tokens: str = "1 M", more: str = ""
) -> Result:
    text = TEXT.format(price=price, output=output, tokens=tokens, more=more)
    return run_scenario(read(text.encode(), "s.yaml"))


def drawn(result: Result, draws: int = 10_000, seed: int = 1) -> Simulation:
    found = simulate(result, draws, seed)
    assert found is not None
    return found


PRICE = "{value: 1000, low: 700, high: 1600}"


def test_the_chance_is_that_of_a_lognormal_price() -> None:
    """Owning costs 2 x price, the API 10 x 120: owning is cheaper below a price of 600."""
    found = drawn(result_of(PRICE, "120"))
    own = next(option for option in found.options if option.name == "own")
    score = np.log(600 / 1000) / (np.log(1000 / 700) / Z90)
    chance = NormalDist().cdf(score)
    assert own.chance_low is not None
    assert own.chance_high is not None
    assert own.chance_low < chance < own.chance_high
    assert (own.p10, own.p50, own.p90) == pytest.approx((1400, 2000, 3200), rel=0.02)


def test_the_draws_counted_one_by_one() -> None:
    """The same by plain arithmetic: price and tokens of each draw, the cheaper one, the regret."""
    draws = 1500
    result = result_of(PRICE, "200", "{value: 1 M, low: 0.5 M, high: 1.5 M}")
    found = drawn(result, draws, seed=7)
    wins = {"own": 0, "api": 0}
    regret = {"own": 0.0, "api": 0.0}
    for chunk in normal_scores(np.eye(2), draws, seed=7):
        for tokens_score, price_score in chunk.T:
            tokens = 1e6 * (0.5 if tokens_score < 0 else 1.5) ** (abs(tokens_score) / Z90)
            price = 1000 * (0.7 if price_score < 0 else 1.6) ** (abs(price_score) / Z90)
            cost = {"own": 2 * price, "api": 10 * 200 * tokens / 1e6}
            wins[min(cost, key=lambda name: cost[name])] += 1
            for name in cost:
                regret[name] += cost[name] - min(cost.values())
    assert {option.name: option.chance for option in found.options} == {
        name: count / draws for name, count in wins.items()
    }
    for option in found.options:
        assert option.expected_regret == pytest.approx(regret[option.name] / draws, rel=1e-10)
        # undiscounted over 10 months, a tenth of it a month
        assert option.monthly_regret == pytest.approx(regret[option.name] / draws / 10, rel=1e-10)
    assert found.perfect_information == pytest.approx(min(regret.values()) / draws, rel=1e-10)
    assert found.least_regret == min(regret, key=lambda name: regret[name])


def test_the_first_draws_are_the_same_however_many_are_drawn() -> None:
    few, many = (np.hstack(list(normal_scores(np.eye(3), n, seed=5))) for n in (1300, 4000))
    assert few.shape == (3, 1300)
    assert (few == many[:, :1300]).all()
    other = np.hstack(list(normal_scores(np.eye(3), 1300, seed=6)))
    assert not (few == other).any()


def test_the_same_seed_gives_the_same_answer() -> None:
    result = result_of(PRICE, "200")
    assert drawn(result, 500, 3) == drawn(result, 500, 3)
    assert drawn(result, 500, 3) != drawn(result, 500, 4)


def test_scores_are_standard_normal_and_correlated_as_asked() -> None:
    matrix = np.array([[1, 0.6, 0], [0.6, 1, -0.3], [0, -0.3, 1]])
    scores = np.hstack(list(normal_scores(matrix, 40_000, seed=1)))
    assert scores.mean(axis=1) == pytest.approx([0, 0, 0], abs=0.02)
    assert np.cov(scores) == pytest.approx(matrix, abs=0.02)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_correlation_of_one_makes_two_numbers_one(sign: int) -> None:
    first, second = np.hstack(
        list(normal_scores(np.array([[1.0, sign], [sign, 1.0]]), 2000, seed=1))
    )
    assert second == pytest.approx(sign * first, abs=1e-12)


def test_prices_that_move_together_keep_the_order_of_the_options() -> None:
    """Both prices are 20 % lower or higher: together the cheaper option always stays it."""
    output = "{value: 220, low: 176, high: 264}"
    price = "{value: 1000, low: 800, high: 1200}"
    alone = drawn(result_of(price, output))
    joined = drawn(result_of(price, output, more="""\
correlations: [{between: [options.own.price, options.api.output_price], correlation: 100%}]
"""))  # fmt: skip
    assert [option.chance for option in joined.options] == [1, 0]
    assert alone.options[0].chance is not None
    assert 0.6 < alone.options[0].chance < 0.8
    assert joined.perfect_information == 0


def test_what_does_not_serve_is_not_the_cheapest() -> None:
    """Two cards of 1 token/s serve 2 x 730 x 3,600 = 5.256 M tokens a month at most."""
    tokens = "{value: 5.256 M, low: 2 M, high: 9 M}"
    found = drawn(result_of("1", "200", tokens))
    own, api = sorted(found.options, key=lambda option: option.name, reverse=True)
    assert own.chance == own.serves
    assert api.chance == pytest.approx(1 - own.serves, abs=1e-15)
    # in half of the draws there is more work than that
    assert own.serves == pytest.approx(0.5, abs=0.02)
    assert own.expected_regret == 0
    # only the API serves whenever any does
    assert found.least_regret == "api"


def test_draws_that_no_option_serves_are_counted_apart() -> None:
    tokens = "{value: 5.256 M, low: 2 M, high: 9 M}"
    text = TEXT.format(price="1", output="200", tokens=tokens, more="")
    alone = "\n".join(line for line in text.splitlines() if "api" not in line)
    found = drawn(run_scenario(read(alone.encode(), "s.yaml")))
    (own,) = found.options
    assert own.chance == own.serves
    assert own.chance == pytest.approx(1 - found.none_serves, abs=1e-15)
    assert found.perfect_information == 0


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_chances_and_the_rest_add_up_to_one(path: Path) -> None:
    found = simulate(run(path), draws=150)
    if found is None or not found.ranked:
        return
    chances = [option.chance or 0.0 for option in found.options]
    assert sum(chances) + found.none_serves == pytest.approx(1, abs=1e-12)
    for option in found.options:
        assert option.p10 <= option.p50 <= option.p90
        assert option.expected_regret is None or option.expected_regret >= 0


def test_nothing_is_drawn_where_nothing_is_uncertain() -> None:
    result = result_of()
    assert simulate(result) is None
    assert sentence(result, None) is None
    assert render(result, None).splitlines()[-2:] == [
        "Nothing is varied: no number that the model reads has a low or a high. Give them to what "
        "is",
        "  uncertain, the 1-in-10 low and the 1-in-10 high: "
        "price: {value: 1599, low: 1400, high: 2800}",
    ]


def test_without_a_demand_costs_are_drawn_and_nothing_is_ranked() -> None:
    text = "name: a\noptions:\n  own: {own: l40s, count: 2, tdp: 0 W, price: " + PRICE + "}\n"
    result = run_scenario(read(text.encode(), "s.yaml"))
    found = drawn(result, 200)
    (own,) = found.options
    assert (own.chance, own.chance_low, own.expected_regret) == (None, None, None)
    assert own.p10 < 2000 < own.p90
    assert sentence(result, found) is None
    assert (
        "There is no demand, so nothing is ranked: add one to ask what is the cheapest."
        in render(result, found).splitlines()
    )


@pytest.mark.parametrize("draws", [0, -3, 1_000_001])
def test_a_number_of_draws_that_is_none(draws: int) -> None:
    with pytest.raises(ScenarioError) as raised:
        simulate(result_of(PRICE), draws)
    assert str(raised.value) == (
        "s.yaml: --draws\n"
        f"  found:    {draws}\n"
        "  expected: a whole number from 1 to 1,000,000\n"
        "  next:     write for example  --draws 10000"
    )


def test_a_seed_that_is_none() -> None:
    with pytest.raises(ScenarioError, match="a whole number from 0 to "):
        simulate(result_of(PRICE), seed=-1)


def test_one_draw_is_enough() -> None:
    found = drawn(result_of(PRICE), draws=1)
    assert sorted(option.chance or 0.0 for option in found.options) == [0, 1]


def test_the_sentence() -> None:
    result = result_of(PRICE, "120")
    assert sentence(result, drawn(result, 1000)) == (
        "Of 1,000 draws of 1 input (seed 1), api is the cheapest in 96.8 % (95.5 to 97.7), own in "
        "3.2 %; expected regret $0.32 a month."
    )


def test_the_screen() -> None:
    result = result_of(PRICE, "{value: 200, low: 150}", more="""\
correlations: [{between: [options.own.price, options.api.output_price], correlation: 50%}]
""")  # fmt: skip
    assert (
        render(result, drawn(result, 1000))
        == """\
a
1 M output tokens and 0 input tokens a month: all counted as output; 10 months, numbered
USD, discounted at 0 % a year, 730 hours a month, before tax
1,000 draws of 2 inputs, seed 1, the same for every option

option  cheapest in  95 % interval  regret  NPV P10     P50     P90
api          63.6 %   60.6 to 66.5  $99.81   $1,497  $2,000  $2,000
own          36.4 %   33.5 to 39.4    $427   $1,427  $2,004  $3,118

Of 1,000 draws of 2 inputs (seed 1), api is the cheapest in 63.6 % (60.6 to 66.5), own in 36.4 %;
  expected regret $9.98 a month.
Regret is the present value that an option costs above the cheapest one of the draw, on average over
  the draws in which it serves the demand.
To know the draw before deciding would be worth $99.81 at most: the least regret, that of api, of
  the options that serve whenever any does.

varied                                      low (P10)   value  high (P90)
purchase price of a GPU (own)                    $700  $1,000      $1,600
API price of a million output tokens (api)       $150    $200           -

Low and high are P10 and P90. Amounts are spread evenly on a logarithmic scale, shares on that of
  their odds, rates a year on that of 1 + rate, below and above the value each at its own width.
  Numbers that are not named here stay at their values.
Correlated: purchase price of a GPU (own) with API price of a million output tokens (api), 0.5."""
    )
