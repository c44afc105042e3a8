"""What a word or a path stands for, how far it is looked at, and what is none."""

from pathlib import Path

import pytest

from tco.analysis.axes import axis_of
from tco.errors import ScenarioError
from tco.results import Result, run

SCENARIOS = Path(__file__).parents[2] / "scenarios"


@pytest.fixture(scope="module")
def midteam() -> Result:
    return run(SCENARIOS / "midteam.yaml")


@pytest.fixture(scope="module")
def node() -> Result:
    return run(SCENARIOS / "us-hgx-h100-loan.yaml")


@pytest.mark.parametrize(
    ("over", "names"),
    [
        ("tokens", ("output_tokens",)),
        ("hardware-price", ("h1_price",)),
        ("hardware price", ("h1_price",)),
        ("rental-price", ("o5_s1_price",)),
        ("electricity-price", ("electricity_price",)),
        ("staff-hours", ("o1_s1_staff_hours_per_month",)),
        ("speed-up", ("h1_output_rate",)),
        ("discount-rate", ("discount_rate",)),
        ("hardware.rtx-4090.price", ("h1_price",)),
        ("options.own-2x4090.price", ("h1_price",)),
        ("options.rent-4090.price", ("o5_s1_price",)),
        ("exchange_rates.CNY", ("fx_cny",)),
    ],
)
def test_words_and_paths(midteam: Result, over: str, names: tuple[str, ...]) -> None:
    assert axis_of(midteam, over, "own-2x4090", "rent-4090").names == names


@pytest.mark.parametrize(
    ("over", "close"),
    [
        ("options.own-on-a-loan.price", "did you mean options.own-on-a-loan[1].price?"),
        ("options.own-on-a-loan.price_path.change_per_year", "did you mean"),
        ("options.own-on-a-loan.quote.items[1].amount", "did you mean"),
        ("options.own-on-a-loan.nothing.pue", "did you mean"),
    ],
)
def test_a_path_is_that_number_or_none(node: Result, over: str, close: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        axis_of(node, over, "own-on-a-loan", "api")
    assert close in str(caught.value)


def test_all_the_work_moves_in_proportion() -> None:
    result = run(SCENARIOS / "workloads.yaml")
    axis = axis_of(result, "tokens", "own-4090", "stay")
    doubled = axis.values(2 * axis.base)
    for name, value in zip(axis.names, axis.bases, strict=True):
        assert doubled[name].tolist() == pytest.approx([2 * value])
    written = sum(v for n, v in zip(axis.names, axis.bases, strict=True)
                  if n.endswith(("output_tokens", "reasoning_tokens")))  # fmt: skip
    assert axis.base == written


def test_the_busy_share_is_the_work_over_what_the_cards_can_do(midteam: Result) -> None:
    axis = axis_of(midteam, "utilisation", "own-2x4090", "rent-4090")
    # 50 M / (2 cards x 800 tokens/s x 3,600 s x 730 h)
    assert axis.base == pytest.approx(50e6 / (2 * 800 * 3600 * 730))
    assert axis.values(1.0)["output_tokens"].tolist() == pytest.approx([2 * 800 * 3600 * 730])
    assert (axis.low, axis.high) == (0, 1)


@pytest.mark.parametrize(
    ("over", "text", "value"),
    [
        ("tokens", "20 M", 20e6),
        ("tokens", "2000万", 20e6),
        ("utilisation", "50%", 0.5),
        ("discount-rate", "50 % a year", 0.5),
        ("electricity-price", "$0.2", 0.2),
        ("speed-up", "900", 900),
    ],
)
def test_ends_of_a_range_are_typed_as_in_a_scenario(
    midteam: Result, over: str, text: str, value: float
) -> None:
    assert axis_of(midteam, over, "own-2x4090", "rent-4090").parse(midteam, text) == value


def test_tokens_of_a_cache_are_looked_at_up_to_the_input() -> None:
    result = run(SCENARIOS / "enterprise.yaml")
    axis = axis_of(result, "demand.cache_read_tokens", "own-h100", "api-gpt-4o")
    read = next(i.value for i in result.model.numbers if i.path == "demand.input_tokens")
    assert axis.high == read
    with pytest.raises(ScenarioError):
        axis.parse(result, "30000 M")


def test_the_month_is_no_number(midteam: Result) -> None:
    with pytest.raises(ScenarioError) as caught:
        axis_of(midteam, "month", "own-2x4090", "rent-4090")
    assert str(caught.value).endswith("""--over
  found:    month
  expected: a number of the scenario: the month is the axis of time itself
  next:     ask for  tco breakeven FILE --over month""")


def test_what_stands_for_nothing_names_what_there_is(midteam: Result) -> None:
    with pytest.raises(ScenarioError) as caught:
        axis_of(midteam, "token-price", "own-2x4090", "own-h100")
    assert str(caught.value).endswith("""--over
  found:    token-price
  expected: a number that own-2x4090 and own-h100 depend on
  next:     there is: month, tokens, utilisation, hardware-price, electricity-price, staff-hours,
            speed-up, discount-rate""")
