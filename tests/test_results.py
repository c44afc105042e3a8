"""What a run gives: tables with units, reasons instead of numbers, focus, marks, what is unread."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tco
from tco.analysis.marks import marks
from tco.errors import ScenarioErrors
from tco.results import INCOMPLETE, INFEASIBLE, NEVER, OK, Result, choose_focus, evaluate, run

SCENARIOS = Path(__file__).parents[1] / "scenarios"
Ask = Callable[..., Result]


@pytest.fixture(scope="module")
def midteam() -> Result:
    return run(SCENARIOS / "midteam.yaml")


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def ask(text: str, **arguments: list[str]) -> Result:
        path = tmp_path / "case.yaml"
        path.write_text("name: case\n" + text, encoding="utf-8")
        return run(path, **arguments)

    return ask


def message(fault: pytest.ExceptionInfo[ScenarioErrors]) -> str:
    return " ".join(str(fault.value).split())


# Tables


def test_every_table_says_its_units(midteam: Result) -> None:
    tables = (
        midteam.options_table,
        midteam.comparisons_table,
        midteam.inputs_table,
        midteam.monthly,
    )
    for table in tables:
        assert len(table) > 10
        assert table["unit"].str.len().gt(0).all()


def test_the_options_table_is_tidy(midteam: Result) -> None:
    table = midteam.options_table
    assert list(table.columns) == ["option", "metric", "value", "unit", "status"]
    assert not table.duplicated(["option", "metric"]).any()
    row = table[(table.option == "api-gpt-4o") & (table.metric == "equivalent_monthly_cost")]
    assert row[["value", "unit", "status"]].to_numpy().tolist() == [
        [pytest.approx(50 * 15), "USD/month", "ok"]
    ]


def test_the_monthly_table_has_every_month_of_every_line(midteam: Result) -> None:
    table = midteam.monthly
    names = ["option", "supply", "line", "month", "unit", "value"]
    assert list(table.columns) == [*names, "account", "fiscal_year", "quarter"]
    assert not table.duplicated(["option", "supply", "line", "month"]).any()
    assert (table.groupby(["option", "supply", "line"]).size() == 36 + 1).all()
    cost = table[
        (table.option == "own-2x4090") & (table.line == "cash_cost") & (table.supply == "")
    ]
    assert cost["value"].sum() == pytest.approx(midteam.metrics["own-2x4090"]["total_cost"])
    assert set(table["option"]) == {"", *(option.name for option in midteam.model.complete)}


def test_the_inputs_table_names_source_and_place(midteam: Result) -> None:
    table = midteam.inputs_table.set_index("input")
    assert table.index.is_unique
    price = table.loc["h1_price"]
    assert (price["value"], price["unit"], price["source"]) == (1599, "USD/GPU", "article C")
    assert (price["path"], price["basis"]) == ("hardware.rtx-4090.price", "published")
    text = (SCENARIOS / "midteam.yaml").read_text(encoding="utf-8").splitlines()
    assert "price: {value: 1599" in text[int(price["line"]) - 1]
    assert table.loc["months_per_year", "basis"] == "definition"


def test_a_number_given_on_the_command_line_has_no_line() -> None:
    result = run(SCENARIOS / "midteam.yaml", settings=["hardware.rtx-4090.price=2000"])
    given = result.model.inputs["h1_price"]
    assert (given.value, given.line) == (2000, None)


def test_a_path_may_be_a_text_or_a_path() -> None:
    one = tco.run(SCENARIOS / "five-numbers.yaml")
    other = tco.run(str(SCENARIOS / "five-numbers.yaml"))
    assert one.metrics == other.metrics


def test_lines_are_read_by_option_supply_and_name(midteam: Result) -> None:
    prices = midteam.line("api-gpt-4o", "api_cost", supply=1)
    assert prices == [0, *[pytest.approx(750)] * 36]
    assert midteam.line("api-gpt-4o", "total_cost") == [pytest.approx(36 * 750)] * 37
    with pytest.raises(KeyError):
        midteam.comparison("api-gpt-4o", "no-such-option")


def test_inputs_can_be_changed_by_name(midteam: Result) -> None:
    line = midteam.option("own-2x4090").line("upfront_cost")
    assert evaluate(midteam.model, {"h1_price": 2000.0})[line] == [[pytest.approx(2 * 2000)]]
    assert midteam.value(line) == pytest.approx(2 * 1599)


# Reasons instead of numbers


def test_a_number_that_does_not_exist_is_none_with_its_reason(midteam: Result) -> None:
    for metrics in midteam.metrics_with_units.values():
        for metric in metrics.values():
            assert metric.unit
            if metric.value is None:
                assert metric.status not in (OK, "if")
    deepseek = midteam.comparison("own-2x4090", "api-deepseek-v3.2")
    assert deepseek["break_even_month"] is None
    assert deepseek.metrics["break_even_month"].status == NEVER
    assert deepseek.metrics["break_even_month"].unit == "month"


@pytest.mark.parametrize(
    ("demand", "option", "what", "add"),
    [
        (
            "{output_tokens: 1 M}",
            "{own: h100-sxm, count: 1}",
            "no price",
            "options.case.price or hardware.h100-sxm.price",
        ),
        ("{output_tokens: 1 M}", "{rent: h100-sxm, count: 1}", "no price", "options.case.price"),
        (
            "{output_tokens: 1 M}",
            "{rent: h100-sxm, count: 1, price: 3, billed: busy}",
            "paying for busy hours needs the throughput of the GPUs",
            "hardware.h100-sxm.output_rate",
        ),
        (
            "{output_tokens: 1 M}",
            "[{own: h100-sxm, count: 1, price: 3}, {api: model, output_price: 1}]",
            "a chain needs the throughput of its GPUs",
            "hardware.h100-sxm.output_rate",
        ),
        (
            "{output_tokens: 1 M}",
            "{api: model}",
            "no price of output tokens",
            "options.case.output_price",
        ),
        (
            "{output_tokens: 1 M, input_tokens: 1 M}",
            "{api: model, output_price: 1}",
            "no price of input tokens",
            "options.case.input_price",
        ),
        (
            "{output_tokens: 1 M, input_tokens: 1 M}",
            "[{rent: rtx-4090, count: 1, price: 1, output_rate: 9}, {api: model, output_price: 1}]",
            "no price of input tokens",
            "options.case[1].input_price",
        ),
        (
            "{input_tokens: 1 M}",
            "{own: h100-sxm, count: 1, price: 1, output_rate: 100}",
            "its throughput counts output tokens, and the demand has none",
            "demand.output_tokens",
        ),
    ],
)
def test_an_option_that_cannot_be_costed_says_what_to_add(
    ask: Ask, demand: str, option: str, what: str, add: str
) -> None:
    options = f"options: {{case: {option}, base: {{rent: rtx-4090, count: 1, price: 1}}}}"
    result = ask(f"demand: {demand}\n{options}\nbaseline: base\n")
    case = result.option("case")
    assert result.status == {"case": INCOMPLETE, "base": OK}
    assert case.missing is not None
    assert (case.missing.what, case.missing.add) == (what, add)
    assert result.metrics["case"] == {}
    assert [option.name for option in result.ranked] == ["base", "case"]
    assert result.focus is None
    assert result.comparisons == []
    assert "case" not in set(result.monthly["option"])


def test_an_api_without_demand_is_incomplete(ask: Ask) -> None:
    result = ask("""
options:
  api: {api: model, output_price: 1}
  own: {own: h100-sxm, count: 1, price: 1}
""")
    missing = result.option("api").missing
    assert missing is not None
    assert (missing.what, missing.add) == (
        "no demand: an API is paid by the token",
        "demand.output_tokens",
    )
    assert result.metrics["own"]["total_cost"] is not None


def test_when_nothing_can_be_costed_each_option_says_why(ask: Ask) -> None:
    with pytest.raises(ScenarioErrors) as fault:
        ask("""demand: {output_tokens: 1 M}
options:
  bought: {own: h100-sxm, count: 1}
  called: {api: model}
""")
    text = message(fault)
    assert "options.bought found: no price" in text
    assert "give options.bought.price or hardware.h100-sxm.price" in text
    assert "line 5: options.called found: no price of output tokens" in text


def test_an_infeasible_option_is_costed_and_ranked_last(ask: Ask) -> None:
    result = ask("""
demand: {output_tokens: 5000 M}
hardware: {rtx-4090: {price: 1, output_rate: 100}}
options:
  too-small: {own: rtx-4090, count: 1}
  api: {api: model, output_price: 1}
  no-price: {api: other}
""")
    assert result.status == {"too-small": INFEASIBLE, "api": OK, "no-price": INCOMPLETE}
    cost = {
        name: metrics.get("equivalent_monthly_cost") for name, metrics in result.metrics.items()
    }
    assert cost["too-small"] is not None
    assert cost["too-small"] < (cost["api"] or 0)
    assert [option.name for option in result.ranked] == ["api", "too-small", "no-price"]
    assert result.focus is None


def test_without_demand_nothing_is_ranked(ask: Ask) -> None:
    result = ask("""
options:
  dear: {own: h100-sxm, count: 1, price: 9}
  cheap: {own: h100-sxm, count: 1, price: 1}
""")
    assert [option.name for option in result.ranked] == ["dear", "cheap"]
    assert (result.focus, result.baseline, result.comparisons) == (None, None, [])
    assert "difference_to_baseline" not in result.metrics["dear"]


def test_numbers_beyond_all_measure_are_a_fault_of_the_scenario(ask: Ask) -> None:
    with pytest.raises(ScenarioErrors) as fault:
        ask("""demand: {output_tokens: 1 M}
options:
  own:
    own: h100-sxm
    count: 1e200
    price: 1e200
""")
    assert "line " in message(fault)
    assert "own" in message(fault)


# Only some options


def test_only_keeps_the_named_options_and_the_baseline(midteam: Result) -> None:
    result = run(SCENARIOS / "midteam.yaml", only=["rent-h100"])
    assert [option.name for option in result.model.options] == ["rent-h100", "api-gpt-4o"]
    assert result.baseline == "api-gpt-4o"
    assert result.metrics["rent-h100"] == midteam.metrics["rent-h100"]
    assert [(c.this, c.other) for c in result.comparisons] == [("rent-h100", "api-gpt-4o")]


def test_only_of_the_baseline_is_the_baseline() -> None:
    result = run(SCENARIOS / "midteam.yaml", only=["api-gpt-4o"])
    assert [option.name for option in result.model.options] == ["api-gpt-4o"]
    assert result.comparisons == []
    assert result.focus is None


def test_only_of_an_unknown_option_is_refused_with_a_suggestion() -> None:
    with pytest.raises(ScenarioErrors) as fault:
        run(SCENARIOS / "midteam.yaml", only=["rent-h10"])
    assert "--only found: rent-h10 expected: one of own-2x4090," in message(fault)
    assert "did you mean rent-h100?" in message(fault)


def test_the_cell_names_of_an_option_do_not_depend_on_only(midteam: Result) -> None:
    result = run(SCENARIOS / "midteam.yaml", only=["rent-h100"])
    assert set(result.model.inputs) <= set(midteam.model.inputs)


# Baseline, focus and comparisons


def test_the_baseline_is_the_first_api_unless_it_is_named(ask: Ask) -> None:
    text = """
demand: {output_tokens: 1 M}
options:
  own: {own: h100-sxm, count: 1, price: 9}
  dear: {api: model, output_price: 9}
  cheap: {api: model, output_price: 1}
"""
    assert ask(text).baseline == "dear"
    assert ask(text + "baseline: cheap\n").baseline == "cheap"
    rent = "demand: {output_tokens: 1 M}\noptions: {rent: {rent: h100-sxm, count: 1, price: 1}}\n"
    assert ask(rent).baseline == "rent"


OWN = "own: {own: rtx-4090, count: 1, price: 4000}"
RENT = "rent: {rent: rtx-4090, count: 1, price: 0.1}"
CHAIN = "chain: [{own: rtx-4090, count: 1, price: 1}, {api: model, output_price: 1}]"


@pytest.mark.parametrize(
    ("options", "focus"),
    [
        ((OWN, RENT, CHAIN), "own"),  # bought alone, though the chain and the rent cost less
        ((RENT, CHAIN), "chain"),
        ((RENT,), "rent"),
        (("dear: {api: other, output_price: 90}", "mid: {api: other, output_price: 80}"), "mid"),
        ((), None),
    ],
)
def test_the_focus_is_what_is_owned_before_what_is_rented(
    ask: Ask, options: tuple[str, ...], focus: str | None
) -> None:
    listed = "\n".join(f"  {option}" for option in ("api: {api: model, output_price: 1}", *options))
    result = ask(f"""
demand: {{output_tokens: 1 M}}
hardware: {{rtx-4090: {{output_rate: 100}}}}
options:
{listed}
""")
    assert result.focus == choose_focus(result) == focus
    pairs = {(comparison.this, comparison.other) for comparison in result.comparisons}
    names = {option.name for option in result.model.complete}
    assert pairs == {(name, "api") for name in names - {"api"}} | {
        (focus, name) for name in names - {"api", focus} if focus
    }


# Marks and what is not read


def test_marks(midteam: Result) -> None:
    found = {option.name: marks(midteam, option.name) for option in midteam.model.options}
    assert found["api-gpt-4o"] == ""
    assert found["own-2x4090"] == "M*"  # another model; an assumed throughput
    assert found["own-h100"] == "M?"
    assert found["rent-h100"] == "?"
    assert found["api-reseller-yuan"].startswith("~")
    assert found["api-reseller-dollar"].startswith("~")
    assert found["api-deepseek-v3.2"] == "M"


def test_a_value_that_no_option_reads_is_listed_with_its_line(ask: Ask) -> None:
    result = ask("""demand: {output_tokens: 1 M}
site: {pue: 1.2}
hardware: {h100-sxm: {price: 1}, l40s: {idle_power: 30}}
options:
  own: {own: h100-sxm, count: 1, idle_power: 50}
  no-price: {rent: h100-sxm, count: 2, output_rate: 7}
""")
    unread = [(quantity.path, quantity.line) for quantity in result.model.unread()]
    # idle watts count whether or not the busy share is known; an incomplete option is excused
    assert unread == [("hardware.l40s.idle_power", 4)]


def test_the_delivered_scenarios_give_nothing_that_is_not_read() -> None:
    for path in sorted(SCENARIOS.glob("*.yaml")):
        result = run(path)
        # what an incomplete option would read is not missed
        assert [quantity.path for quantity in result.model.unread()] == [], path.stem


def test_two_runs_give_the_same_bits(midteam: Result) -> None:
    again = run(SCENARIOS / "midteam.yaml")
    assert list(again.arrays) == list(midteam.arrays)
    for name, array in midteam.arrays.items():
        np.testing.assert_array_equal(array, again.arrays[name])
