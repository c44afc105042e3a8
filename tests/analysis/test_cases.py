"""Cases: what each option costs in each of them, from closed forms, and what no case may change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tco.analysis.cases import Cases, cases, changes_of, changes_text, table
from tco.errors import ScenarioErrors
from tco.report.cases import tables
from tco.report.columns import width
from tco.results import Result, run, run_scenario
from tco.scenario.loading import read

SCENARIOS = Path(__file__).parents[2] / "scenarios"
WITH_CASES = ("three-cases", "everything")
FILE = """\
name: a
months: 12
hours_per_month: 730
demand: {output_tokens: {value: 50 M, low: 10 M, high: 60 M}}
staff: {hourly_cost: 94}
exchange_rates: {CNY: 7.1}
hardware: {rtx-4090: {output_rate: 100, price: 1599, tdp: 450 W}}
options:
  rent: {rent: rtx-4090, count: 2, price: 0.49}
  api: {api: gpt-4o, output_price: 15}
  free: {rent: rtx-4090, count: 1, price: 0.01, price_path: {steps: [{month: 7, factor: 2}]}}
  unpriced: {rent: h100-sxm, count: 1}
"""
CASES = """\
cases:
  half the work: {demand.output_tokens: 25 M}
  twice the work: {demand.output_tokens: 1000 M, options.api.output_price: 0.5}
  as it is: {options.rent.price: 0.49}
"""
HOURS = 730
MOST = 3600 * HOURS * 100  # tokens a month of one card: 263 M


def result_of(cases_of_file: str, *, only: tuple[str, ...] = (), text: str = FILE) -> Result:
    return run_scenario(read(f"{text}{cases_of_file}".encode(), "s.yaml"), only=only)


def found(cases_of_file: str = CASES, *, only: tuple[str, ...] = ()) -> Cases:
    all_cases = cases(result_of(cases_of_file, only=only))
    assert all_cases is not None
    return all_cases


def refused(cases_of_file: str, text: str = FILE) -> str:
    with pytest.raises(ScenarioErrors) as caught:
        cases(result_of(cases_of_file, text=text))
    return str(caught.value)


def test_what_each_option_costs_in_each_case() -> None:
    given, half, twice, same = found().cases
    assert [case.name for case in found().cases] == [
        "as given",
        "half the work",
        "twice the work",
        "as it is",
    ]
    for case, tokens, price in (
        (given, 50, 15),
        (half, 25, 15),
        (twice, 1000, 0.5),
        (same, 50, 15),
    ):
        assert case.monthly["api"] == pytest.approx(tokens * price)
        assert case.monthly["rent"] == pytest.approx(2 * 0.49 * HOURS)
    # one card at 0.01, from month 7 on at 0.02, at 10 % a year
    months = [(1.1 ** (-m / 12), 0.01 if m < 7 else 0.02) for m in range(1, 13)]
    worth = sum(discount * price * HOURS for discount, price in months)
    assert given.npv["free"] == pytest.approx(worth)
    assert given.monthly["free"] == pytest.approx(worth / sum(d for d, _ in months))


def test_what_does_not_serve_is_not_the_cheapest() -> None:
    given, _, twice, _ = found().cases
    assert MOST < 1000e6 < 4 * MOST  # neither one card nor two serve twice the work
    assert (given.cheapest, twice.cheapest) == ("free", "api")
    assert twice.status == {
        "rent": "infeasible",
        "api": "ok",
        "free": "infeasible",
        "unpriced": "incomplete",
    }
    assert twice.difference == {"rent": None, "api": 0, "free": None}
    assert given.difference["rent"] == pytest.approx(2 * 0.49 * HOURS - 750)


def test_the_cheapest_of_none() -> None:
    text = FILE.replace("  api: {api: gpt-4o, output_price: 15}\n", "")
    result = result_of("cases: {a: {demand.output_tokens: 9000 M}}\n", text=text)
    all_cases = cases(result)
    assert all_cases is not None
    assert [case.cheapest for case in all_cases.cases] == ["free", None]
    assert table(result, all_cases).notes[0] == "as given the cheapest is free; in a none serves"


def test_a_number_as_given_is_a_change_too() -> None:
    all_cases = found()
    assert all_cases.case("as it is").values == {"o1_s1_price": 0.49}
    assert all_cases.values["o1_s1_price"] == (0.49, 0.49, 0.49, 0.49)
    assert all_cases.values["output_tokens"] == (50e6, 25e6, 1000e6, 50e6)
    with pytest.raises(KeyError):
        all_cases.case("another")


def test_a_default_is_changed_and_a_row_of_a_table() -> None:
    changed = "cases: {a: {discount_rate: 5%, 'options.free.price_path.steps[0].factor': 3}}\n"
    (values,) = changes_of(result_of(changed))
    assert values == {"discount_rate": 0.05, "o3_s1_path_factor_2": 3.0}
    months = [(1.05 ** (-m / 12), 0.01 if m < 7 else 0.03) for m in range(1, 13)]
    case = found(changed).case("a")
    assert case.npv["free"] == pytest.approx(sum(d * price * HOURS for d, price in months))


def test_a_rental_price_in_each_way_of_writing_it() -> None:
    text = FILE.replace("price: 0.49}", "price: {median: 0.49, p75: 0.6, low: 0.4}}")
    ways = ("1.2", "{value: 1.2, source: a list}", "{median: 1.2, basis: quoted}")
    changed = "".join(f"  case {n}: {{options.rent.price: {way}}}\n" for n, way in enumerate(ways))
    changed += "  case 3: {options.rent.price.median: 1.2}\n"
    together = (
        "correlations: [{between: [options.rent.price, demand.output_tokens], correlation: 1}]\n"
    )
    sets = changes_of(result_of(f"{together}cases:\n{changed}", text=text))
    assert sets == [{"o1_s1_price": 1.2}] * 4


def test_without_demand_nothing_is_ranked() -> None:
    text = "name: a\noptions:\n  own: {own: rtx-4090, count: 2, price: 1599}\n"
    result = result_of("cases: {dear: {options.own.price: 2000}}\n", text=text)
    all_cases = cases(result)
    assert all_cases is not None
    given, dear = all_cases.cases
    assert (given.cheapest, dear.cheapest, dear.difference) == (None, None, {"own": None})
    assert dear.npv["own"] - given.npv["own"] == pytest.approx(2 * (2000 - 1599))
    assert table(result, all_cases).notes[-1] == "equivalent monthly cost, USD"


def test_a_scenario_without_cases() -> None:
    assert cases(result_of("")) is None


def test_options_that_are_left_out_take_their_changes_with_them() -> None:
    changed = "cases: {a: {options.rent.price: 1, options.api.output_price: 3}}\n"
    assert found(changed, only=("api",)).case("a").values == {"o2_s1_output_price": 3}


@pytest.mark.parametrize("name", WITH_CASES)
def test_a_case_is_what_its_numbers_on_the_command_line_give(name: str) -> None:
    path = SCENARIOS / f"{name}.yaml"
    result = run(path)
    all_cases = cases(result)
    assert all_cases is not None
    for case, given in zip(all_cases.cases[1:], result.scenario.in_cases, strict=True):
        alone = run(path, settings=[f"{change.path}={change.text}" for change in given.changes])
        assert case.status == alone.status
        for option in alone.model.complete:
            npv = alone.value(option.line("npv_of_cost"))
            monthly = alone.value(option.line("equivalent_monthly_cost"))
            assert case.npv[option.name] == pytest.approx(npv, rel=1e-12)
            assert case.monthly[option.name] == pytest.approx(monthly, rel=1e-12)


STAYS = "a number that leaves the model as it is: not months, options, methods, ranges or words"
ANOTHER = "delete it here, and write a scenario of its own for it"


@pytest.mark.parametrize(
    ("changes", "found_text", "expected", "next_step"),
    [
        ("months: 24", "months: 24", STAYS, ANOTHER),
        ("start: 2027-01", "start: 2027-01", STAYS, ANOTHER),
        ("baseline: rent", "baseline: rent", STAYS, ANOTHER),
        ("options.rent.count: auto", "options.rent.count: auto", STAYS, ANOTHER),
        ("options.rent.billed: busy", "options.rent.billed: busy", STAYS, ANOTHER),
        ("options.api.api: gpt-5", "options.api.api: gpt-5", STAYS, ANOTHER),
        ("demand.output_tokens.low: 9 M", "demand.output_tokens.low: 9 M", STAYS, ANOTHER),
        (
            "options.free.price_path.steps[0].month: 5",
            "options.free.price_path.steps[0].month: 5",
            STAYS,
            ANOTHER,
        ),
        (
            "hardware.rtx-4090.price: 1400",
            "hardware.rtx-4090.price: 1400, which no option reads",
            "a number that an option reads",
            "write the path where the option takes it from, or delete it here",
        ),
        (
            "options.api.input_price: 3 CNY",
            "options.api.input_price: 3 CNY",
            "an amount in USD/Mtok, as the scenario gives it",
            "write both in one currency",
        ),
        (
            "options.rent.output_rate: 90",
            "options.rent.output_rate: 90, which the scenario does not give there",
            "a number that the scenario gives, or has by default, at that path",
            "write it into the scenario first; in the case it is throughput of a GPU, output "
            "tokens",
        ),
        (
            "options.unpriced.price: 3",
            "options.unpriced.price: 3, which the scenario does not give there",
            "a number that the scenario gives, or has by default, at that path",
            "write it into the scenario first; in the case it is rental price of a GPU-hour, "
            "median",
        ),
    ],
)
def test_what_no_case_may_change(
    changes: str, found_text: str, expected: str, next_step: str
) -> None:
    assert refused(f'cases:\n  a:\n    "{changes.replace(": ", chr(34) + ": ", 1)}\n') == (
        "s.yaml, line 15: cases.a\n"
        f"  found:    {found_text}\n"
        f"  expected: {expected}\n"
        f"  next:     {next_step}"
    )


def test_a_throughput_that_the_memory_does_not_allow() -> None:
    text = FILE.replace("price: 0.49}", "price: 0.49, model: llama-3-8b, memory: {sequences: 1}}")
    text = text.replace("output_rate: 100", "output_rate: 50")
    message = refused("cases: {a: {hardware.rtx-4090.output_rate: 5000}}\n", text)
    # one sequence reads 16 GB of weights for each token, at 1,008 GB/s
    assert message.startswith(
        "s.yaml, line 13: cases.a.hardware.rtx-4090.output_rate\n"
        "  found:    5,000 tokens/s\n"
        "  expected: at most 63 tokens/s, which the memory of the cards allows: "
    )


def test_the_table() -> None:
    result = result_of(CASES)
    all_cases = cases(result)
    assert all_cases is not None
    shown = table(result, all_cases)
    assert tables(shown) == (shown,)
    assert (shown.title, shown.heads) == (
        "CASES",
        ("as given", "half the work", "twice the work", "as it is"),
    )
    assert [(row.name, row.cells) for row in shown.rows[:3]] == [
        ("free", ("> 10.86", "> 10.86", "infeasible", "> 10.86")),
        ("rent", ("715.40", "715.40", "infeasible", "715.40")),
        ("api", ("750.00", "375.00", "> 500.00", "750.00")),
    ]
    assert (shown.rows[3].name, shown.rows[3].note) == (
        "unpriced",
        "no price: add options.unpriced.price",
    )
    assert shown.notes == (
        "as given the cheapest is free; in twice the work api at $500",
        "half the work: output tokens a month 25 M (50 M)",
        "twice the work: output tokens a month 1,000 M (50 M); "
        "API price of a million output tokens, api $0.5 ($15)",
        "as it is: rental price of a GPU-hour, median, rent $0.49 ($0.49)",
        "equivalent monthly cost, USD; > the cheapest that serves in its case",
    )


def test_what_a_case_changes_in_words() -> None:
    result = result_of(CASES)
    all_cases = cases(result)
    assert all_cases is not None
    twice = all_cases.case("twice the work")
    assert changes_text(result, all_cases, twice) == (
        "output tokens a month 1,000 M (50 M); API price of a million output tokens, api $0.5 ($15)"
    )


def test_more_cases_than_fit_are_a_second_table() -> None:
    names = [f"a case with a long name, number {n}" for n in range(1, 9)]
    many = "cases:\n" + "".join(f"  '{name}': {{options.rent.price: 0.5}}\n" for name in names)
    result = result_of(many)
    all_cases = cases(result)
    assert all_cases is not None
    parts = tables(table(result, all_cases))
    assert [head for part in parts for head in part.heads] == ["as given", *names]
    assert len(parts) > 1
    assert [bool(part.notes) for part in parts] == [False] * (len(parts) - 1) + [True]
    for part in parts:
        assert [row.name for row in part.rows if row.cells] == ["free", "rent", "api"]
        columns = zip(part.heads, *(row.cells for row in part.rows if row.cells), strict=True)
        taken = sum(max(map(width, column)) + 1 for column in columns)
        assert len("  unpriced  ") + taken <= 100
