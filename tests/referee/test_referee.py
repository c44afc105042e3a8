"""The model against its referee: on 200 drawn scenarios, and with every model function falsified.

Recalculating the workbook finds faults of translation; this finds faults of the model itself.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import tco
import tco.model
from tco.engine.graph import NotFinite
from tco.engine.operations import Array
from tco.engine.options import build
from tco.engine.structure import Model
from tco.results import Result, evaluate
from tests.referee import cards, features, generator, referee
from tests.referee.market import Market

SEED = 16
SCENARIOS = 200
# Numbers agree when they differ by at most RELATIVE of them plus OF_SCALE of the scenario's sums.
RELATIVE = 1e-9
OF_SCALE = 1e-12

AT_LEAST = 20
OFTEN = (
    "chains with work left over",
    "busy billing",
    "calendar hours",
    "no throughput",
    "foreign currency",
    "growth",
    "season",
    "load curves",
    "several workloads",
    "staying work",
    "tasks",
    "GPU-hours",
    "count auto, owned",
    "count auto, rented",
    "nodes",
    "needed",
    "sessions",
    "reserved",
    "spot",
    "tiers, graduated",
    "tiers, all-units",
    "commitment",
    "caches",
    "long context",
    "batch",
    "VAT",
    "billing rate",
    "tokeniser",
    "retries unbilled",
    "prepaid",
    "present",
    "throughput points",
    "memory fit",
    *features.OFTEN,
)
# Labels that are the words of the file.
AS_IN_THE_FILE = ("sessions", "reserved", "spot", "commitment", "batch", "prepaid")
FALSIFIED_BY = 1.01

# Break-evens that only some pairs of options have.
WHERE_LINEAR = (
    "break_even_volume",
    "break_even_utilisation",
    "break_even_hardware_price",
    "break_even_output_price",
    "break_even_rental_price",
    "break_even_share_of_hours",
)

# The model's checks on itself: 0 wherever the model is right, whatever the scenario.
CHECKS = (
    "parts_differ",
    "books_differ_from_cash",
    "ledgers_differ",
    "book_value_left",
    "loan_not_repaid",
    "loan_not_worth_its_price",
    "lease_not_paid",
    "work_lost",
    "input_tokens_unpriced",
)

# Functions that are 0 in every scenario that can be costed, so that 1.01 times them is 0 as well.
ALWAYS_ZERO = {
    "demand.input_alone_now__tokens": "no drawn month has input and no output",
    "demand.input_alone__tokens": "no drawn month has input and no output",
    "checks.parts_differ": "a check that holds",
    "checks.books_differ_from_cash__books": "a check that holds",
    "checks.ledgers_differ__ledgers": "a check that holds",
    "checks.left_in_books__supply": "a check that holds",
    "checks.book_value_left__supply": "a check that holds",
    "checks.loan_not_repaid__loan": "a check that holds",
    "checks.loan_not_worth_its_price__loan": "a check that holds",
    "loan.loan_present_value": "a check that holds",
    "checks.owed_after_all__lease": "a check that holds",
    "checks.lease_not_paid__lease": "a check that holds",
    "checks.work_lost__demand": "a check that holds",
    "tax_depreciation.new_table_deduction_through__quarter_refresh": "no drawn refresh under the "
    "mid-quarter convention falls in the month that closes a fiscal year",
    "appraisal.capex__no_books": "nothing is bought",
    "appraisal.depreciation__no_books": "nothing is bought",
    "workload.caches_above_input__caches": "a check that holds: the reading refuses the scenario",
    "api.input_tokens_unpriced__unpriced": "with input tokens the option is incomplete",
    "api.total_served_input_tokens__unpriced": "with input tokens the option is incomplete",
    "api.input_tokens_priced__unpriced": "there is no price: the option is priced for output alone",
}
# Functions that give whole numbers in which 1 % more is no more; they are falsified by 1 more.
IN_WHOLES = {
    "workload.month_of_year__season": "the row of a table: 11.11 is row 11",
}
# Functions that no option is bound to: the command `tco fit` alone asks for them.
FIT_ALONE = {
    "fit.active_weights_gb": "weights that a token goes through, for the bound of decoding",
    "fit.decode_bound": "what memory bandwidth allows",
}


@dataclasses.dataclass
class Compared:
    """One line of the model and what the referee says of it."""

    line: str
    label: str
    expected: np.ndarray[Any, Any]
    scale: float

    def difference(self, arrays: Mapping[str, Array]) -> float:
        """The largest difference, in units of what is allowed."""
        found = arrays[self.line][:, 0]
        allowed = RELATIVE * np.maximum(np.abs(self.expected), np.abs(found))
        distance = np.abs(self.expected - found)
        return float(np.max(distance / (allowed + OF_SCALE * self.scale)))


@dataclasses.dataclass
class Case:
    """A scenario, what the referee says of it, and the model's numbers."""

    scenario: dict[str, Any]
    path: Path
    expected: dict[str, Any]
    model: Model
    arrays: dict[str, Array]
    compared: list[Compared]

    @cached_property
    def reads(self) -> list[tuple[list[str], frozenset[str]]]:
        """The groups of lines in order, and what each of them reads."""
        graph = self.model.graph
        return [
            (group, frozenset(read for name in group for read in graph.reads(name)))
            for group in graph.order
        ]

    @cached_property
    def compared_by_line(self) -> dict[str, list[Compared]]:
        """What agrees with the referee, by the line that it is about."""
        found: dict[str, list[Compared]] = {}
        for compared in self.compared:
            if compared.difference(self.arrays) <= 1:
                found.setdefault(compared.line, []).append(compared)
        return found

    @cached_property
    def lines_by_function(self) -> dict[Callable[..., Any], list[str]]:
        """The lines that each function of the model computes."""
        found: dict[Callable[..., Any], list[str]] = {}
        for name, line in self.model.graph.lines.items():
            found.setdefault(line.function, []).append(name)
        return found

    @cached_property
    def values(self) -> dict[str, Array]:
        """The inputs as the engine takes them: scalars (1, 1), tables (length, 1)."""
        return {
            name: np.array(given.values, dtype=float).reshape(-1, 1)
            for name, given in self.model.inputs.items()
        }

    @cached_property
    def result(self) -> Result:
        """The outcome as a user gets it, with the comparisons of this case."""
        return Result(self.model, self.arrays, None)


def pairs_of(scenario: dict[str, Any], expected: dict[str, Any]) -> list[tuple[str, str]]:
    """All options against the baseline, owned ones against rented ones, terms against hours."""
    every = list(expected["comparisons"])
    words = {
        name: {key for supply in (chain if isinstance(chain, list) else [chain]) for key in supply}
        for name, chain in scenario["options"].items()
    }
    chosen = [
        (this, other)
        for this, other in every
        if other == expected["baseline"]
        or ("own" in words[this] and "rent" in words[other])
        or ("reserved" in words[this] and "rent" in words[other])
        or ("rent" in words[this] and "rent" in words[other] and "reserved" not in words[other])
    ]
    rest = [pair for pair in every if pair not in chosen]
    return chosen + Random(len(every)).sample(rest, min(3, len(rest)))


def compared_lines(model: Model, expected: dict[str, Any]) -> Iterator[Compared]:
    """Every number that both the model and the referee know."""
    totals = [
        max(option["monthly"]["cumulative_cost"])
        for option in expected["options"].values()
        if option["status"] != "incomplete"
    ]
    work = float(np.sum(expected["demand"]["work_demanded"]))

    def compared(scope: Any, name: str, value: Any) -> Iterator[Compared]:
        if value is not None and scope.line(name) in model.graph.lines:
            counts_work = name.endswith(("_tokens", "_work", "work_demanded"))
            scale = max(1.0, work if counts_work else max(totals))
            yield Compared(scope.line(name), name, np.atleast_1d(value), scale)

    for name, value in expected["time"].items():
        yield from compared(model.time, name, value)
    if model.has_demand:
        for name, value in expected["demand"].items():
            yield from compared(model.time, name, value)
        assert model.demand is not None
        for workload, lines in zip(model.demand.workloads, expected["workloads"], strict=True):
            for name, value in lines.items():
                yield from compared(workload.scope, name, value)
    for option in model.complete:
        of_option = expected["options"][option.name]
        for name, value in (of_option["metrics"] | of_option["monthly"]).items():
            yield from compared(option.scope, name, value)
        yield from compared(option.scope, "infeasible", float(of_option["status"] == "infeasible"))
        for supply, lines in zip(option.supplies, of_option["supplies"], strict=True):
            for name, value in lines.items():
                yield from compared(supply.scope, name, value)
            for check in CHECKS:
                yield from compared(supply.scope, check, 0.0)
        for check in CHECKS:
            yield from compared(option.scope, check, 0.0)
    for pair in model.pairs:
        names = pair.this.name, pair.other.name
        for name, value in (expected["savings"][names] | expected["comparisons"][names]).items():
            yield from compared(pair.scope, name, value)


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    """The drawn scenarios, costed by both."""
    folder = tmp_path_factory.mktemp("scenarios")
    found = []
    for scenario in generator.scenarios(SEED, SCENARIOS):
        path = generator.write(scenario, folder)
        expected = referee.cost(scenario)
        model = build(generator.read(scenario), pairs=pairs_of(scenario, expected))
        compared = list(compared_lines(model, expected))
        found.append(Case(scenario, path, expected, model, evaluate(model), compared))
    return found


def occurrences(case: Case) -> Iterator[str]:
    """What the case is an example of."""
    yield from of_scenario(case)
    yield from features.of_scenario(case.scenario)
    market = Market(case.scenario)
    demanded = float(np.sum(case.expected["demand"]["work_demanded"]))
    for option in case.model.complete:
        expected = case.expected["options"][option.name]["supplies"]
        first = float(np.sum(expected[0].get("served_work", 0.0)))
        if len(expected) > 1 and first < demanded * (1 - RELATIVE):
            yield "chains with work left over"
        chain = case.scenario["options"][option.name]
        for terms, lines in zip(
            chain if isinstance(chain, list) else [chain], expected, strict=True
        ):
            yield from features.of_supply(market, terms)
            if demanded > 0 and "required_output_rate" in lines:
                yield "no throughput"
            if "does_not_fit" in lines:
                yield "memory fit"
            if "nodes" in lines and terms.get("sizing", {}).get("gpus_per_node", 1) > 1:
                yield "nodes"
            if demanded > 0:
                yield from of_supply(case, terms)


def of_scenario(case: Case) -> Iterator[str]:
    """What the demand and the rest of the scenario are an example of."""
    scenario = case.scenario
    demand = scenario.get("demand", {})
    if scenario.get("hours_per_month") == "calendar":
        yield "calendar hours"
    if any(name.startswith("fx_") for name in case.model.inputs):
        yield "foreign currency"
    if "peak_to_mean" in demand or demand.get("load", "flat") != "flat":
        yield "load curves"
    if "workloads" in demand:
        yield "several workloads"
    if np.sum(case.expected["demand"]["total_staying_work"]) > 0:
        yield "staying work"
    for workload in demand.get("workloads", {"": demand}).values():
        for label, given in (
            ("growth", [name for name in workload if name.startswith("growth")]),
            ("season", "season" in workload),
            ("tasks", "tasks" in workload),
            ("GPU-hours", "gpu_hours" in workload),
        ):
            if given:
                yield label


def of_supply(case: Case, terms: dict[str, Any]) -> Iterator[str]:
    """What a supply that is costed is an example of."""
    demand = case.scenario["demand"]
    workloads = demand.get("workloads", {"": demand}).values()
    cached = any("cache" in name for workload in workloads for name in workload)
    retried = any("retries" in workload for workload in workloads)
    tiered = "output_tiers" in terms or "input_tiers" in terms
    all_units = terms.get("tiering") == "all-units"
    rate = {} if "api" in terms else cards.work_fields(Market(case.scenario), terms)
    for label, given in (
        ("busy billing", terms.get("billed") == "busy"),
        ("needed", terms.get("billed") == "needed"),
        ("count auto, owned", terms.get("count") == "auto" and "own" in terms),
        ("count auto, rented", terms.get("count") == "auto" and "rent" in terms),
        ("tiers, graduated", tiered and not all_units),
        ("tiers, all-units", tiered and all_units),
        ("caches", cached and "api" in terms),
        ("VAT", terms.get("vat", {}).get("recoverable") == "no"),
        ("billing rate", "billing_rate" in terms),
        ("tokeniser", "tokeniser_factor" in terms),
        ("retries unbilled", retried and terms.get("retries_billed") == "no"),
        ("present", terms.get("api") == "present"),
        ("throughput points", rate and "throughput" in rate),
        ("long context", "long_context" in terms),
        *((name, name in terms) for name in AS_IN_THE_FILE),
    ):
        if given:
            yield label


def test_model_agrees_with_the_referee(cases: list[Case]) -> None:
    differences = [
        (compared.difference(case.arrays) * RELATIVE, case.scenario["name"], compared.line)
        for case in cases
        for compared in case.compared
    ]
    worst = max(differences)
    counts = Counter(label for case in cases for label in {*occurrences(case)})
    shown = ", ".join(f"{label} {counts[label]}" for label in OFTEN)
    print(
        f"\nreferee: {len(cases)} scenarios, {len(differences)} lines compared, "
        f"worst difference {worst[0]:.1e} ({worst[1]}, {worst[2]}), {shown}"
    )
    wrong = sorted((row for row in differences if row[0] > RELATIVE), reverse=True)
    assert not wrong, f"{len(wrong)} lines differ: {wrong[:10]}"
    assert len(cases) == SCENARIOS
    assert all(counts[label] >= AT_LEAST for label in OFTEN), shown


def test_every_number_of_the_referee_is_compared_somewhere(cases: list[Case]) -> None:
    known: set[str] = set()
    for case in cases:
        known |= {*case.expected["time"], *case.expected["demand"]}
        for option in case.expected["options"].values():
            known |= {*option["metrics"], *option["monthly"]}.union(*option["supplies"])
        known = known.union(*case.expected["workloads"])
        known = known.union(*case.expected["savings"].values())
        known = known.union(*case.expected["comparisons"].values())
    compared = {compared.label for case in cases for compared in case.compared}
    assert known <= compared, known - compared


def test_status_and_baseline_agree(cases: list[Case]) -> None:
    for case in cases:
        status = {name: option["status"] for name, option in case.expected["options"].items()}
        assert case.result.status == status, case.scenario["name"]
        assert case.model.baseline in (case.expected["baseline"], None)
        if case.model.has_demand:
            assert case.result.baseline == case.expected["baseline"]


def test_metrics_are_none_where_the_referee_finds_none(cases: list[Case]) -> None:
    for case in cases:
        for option, metrics in case.result.metrics.items():
            expected = case.expected["options"][option]["metrics"]
            for name in metrics.keys() & expected.keys():
                where = f"{case.scenario['name']}, {option}, {name}"
                assert (metrics[name] is None) == (expected[name] is None), where


def test_comparisons_are_none_where_the_options_never_meet(cases: list[Case]) -> None:
    for case in cases:
        for comparison in case.result.comparisons:
            expected = case.expected["comparisons"][comparison.this, comparison.other]
            for name in comparison.metrics.keys() & expected.keys():
                where = f"{case.scenario['name']}, {comparison.this}, {comparison.other}, {name}"
                value = expected[name]
                signed = name.endswith(("_price", "_hours")) and value is not None
                if signed and abs(value) < RELATIVE:
                    continue  # the sign of nothing is that of a rounding
                never = is_never(name, expected, case.scenario.get("months", 36))
                assert (comparison[name] is None) == never, where


def is_never(name: str, expected: referee.Metrics, months: int) -> bool:
    """Whether the referee's number stands for a break-even that does not exist."""
    value = expected[name]
    if value is None:
        return True
    if name == "break_even_month_first":
        return value > months
    if name.startswith("discounted_payback_month"):
        whole = "discounted_payback_month" if name.endswith("unrounded") else name
        return (expected[whole] or 0.0) > months
    if name == "payback_month_without_resale":
        return value > months
    if name.startswith("break_even_month"):
        return expected["breaks_even"] == 0
    if name.startswith("break_even_volume"):
        return expected["volumes_cross"] == 0
    if name.startswith("break_even_utilisation"):
        return expected["utilisation_within_reach"] == 0
    return name.startswith("break_even") and value < 0


def test_rates_of_return_are_where_savings_are_worth_nothing(cases: list[Case]) -> None:
    statuses: Counter[str] = Counter()
    turns = 0
    # rates of a month from -50 % to 1,000 %, and where the worth turns between two of them
    grid = 0.5 * 22 ** (np.arange(401) / 400) - 1
    for case in cases:
        months = market_months(case)
        factors = (1 + grid[:, None]) ** -np.array(months)
        for comparison in case.result.comparisons:
            names = comparison.this, comparison.other
            flows = case.expected["savings"][names]["monthly_saving"]
            found = case.result.internal_rates[comparison.pair.number]
            statuses[found.status] += 1
            for root in found.roots:
                parts = present_values(flows, months, root)
                assert abs(sum(parts)) <= 1e-6 * sum(map(abs, parts)), (
                    case.scenario["name"],
                    names,
                )
            scale = max(map(abs, flows))
            costs = case.expected["options"][comparison.this]["monthly"]["cumulative_cost"]
            if scale <= 1e-9 * max(map(abs, costs)):
                continue  # nothing is saved but a rounding
            worths = factors @ np.array(flows)
            for step in np.flatnonzero(worths[:-1] * worths[1:] < 0):
                low, high = grid[step], grid[step + 1]
                assert any(low <= root <= high for root in found.roots), names
                turns += 1
    assert turns > 100
    assert len(statuses) == 3, statuses


def present_values(flows: list[float], months: list[float], rate: float) -> list[float]:
    """What each flow is worth at a rate of a month."""
    return [flow * (1 + rate) ** -month for flow, month in zip(flows, months, strict=True)]


def market_months(case: Case) -> list[float]:
    """When the cash of each month counts."""
    return [float(month) for month in Market(case.scenario).discount_month]


def test_run_gives_what_was_compared(cases: list[Case]) -> None:
    # rates are drawn without regard to what memory allows so many sequences, which a run refuses
    allowed = [case for case in cases if "sequences" not in str(case.scenario)]
    for case in allowed[:: len(allowed) // 10]:
        result = tco.run(case.path)
        # the other cases are not read from their files
        assert result.scenario.digest == case.model.scenario.digest
        metrics = result.metrics
        for option, compared in case.result.metrics.items():
            both = metrics[option].keys() & compared.keys()
            assert "npv_of_cost" in both or not compared
            assert {name: metrics[option][name] for name in both} == {
                name: compared[name] for name in both
            }


def model_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every function of the model, named module.function."""
    for module in pkgutil.iter_modules(tco.model.__path__):
        loaded = importlib.import_module(f"tco.model.{module.name}")
        for name, function in vars(loaded).items():
            if inspect.isfunction(function) and function.__module__ == loaded.__name__:
                yield f"{module.name}.{name}", function


def lines_of(case: Case, function: Callable[..., Any]) -> list[str]:
    """The lines of a case that a function computes."""
    return case.lines_by_function.get(function, [])


def is_caught(
    case: Case, function: Callable[..., Any], lines: list[str], more: float = 0.0
) -> bool:
    """Whether a compared number leaves the referee's when the function gives 1 % more.

    Or so many more, where that is given.
    """
    lines_as_they_are = {name: case.model.graph.lines[name] for name in lines}

    def falsified(**arguments: Any) -> Any:
        right = function(**arguments)
        return right + more if more else right * FALSIFIED_BY

    graph, rows = case.model.graph, case.model.scenario.months + 1
    arrays = {**case.values, **case.arrays}
    moved = {*lines}
    try:
        for name, line in lines_as_they_are.items():
            graph.lines[name] = dataclasses.replace(line, function=falsified)
        # what follows is computed line by line, up to the first number that is seen to be wrong
        for group, read in case.reads:
            if moved.isdisjoint(read) and moved.isdisjoint(group):
                continue
            before = {name: arrays[name] for name in group}
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                if graph.loops(group):
                    graph.evaluate_loop(group, arrays, rows)
                else:
                    arrays[group[0]] = graph.evaluate_line(group[0], arrays, rows)
            for name in group:
                if not np.array_equal(before[name], arrays[name]):
                    moved.add(name)
                    if any(c.difference(arrays) > 1 for c in case.compared_by_line.get(name, ())):
                        return True
    except (NotFinite, IndexError):
        return False  # a month that is not in its table; another case has to show it
    finally:
        graph.lines.update(lines_as_they_are)
    return False


def test_every_model_function_is_caught_when_it_gives_one_per_cent_more(cases: list[Case]) -> None:
    survived, unbound, caught = [], [], 0
    smallest = sorted(cases, key=lambda case: len(case.arrays))
    for name, function in model_functions():
        bound = [(case, lines) for case in smallest if (lines := lines_of(case, function))]
        moving = (
            (case, lines)
            for case, lines in bound
            if any(np.any(case.arrays[line] != 0) for line in lines)
        )
        if not bound:
            unbound.append(name)
        elif any(is_caught(case, function, lines) for case, lines in moving):
            caught += 1
        else:
            survived.append(name)
    print(
        f"\nreferee: {caught} model functions falsified and caught, "
        f"{len(ALWAYS_ZERO)} always 0, {len(IN_WHOLES)} in wholes, {len(FIT_ALONE)} of fit alone"
    )
    known = {*ALWAYS_ZERO, *IN_WHOLES, *FIT_ALONE}
    print(f"survived {sorted({*survived} - known)}, unbound {sorted({*unbound} - known)}")
    assert {*survived} == {*ALWAYS_ZERO, *IN_WHOLES}
    assert {*unbound} == {*FIT_ALONE}


def test_checks_and_functions_in_wholes_are_caught_when_they_give_one_more(
    cases: list[Case],
) -> None:
    functions = dict(model_functions())
    checks = [name for name, why in ALWAYS_ZERO.items() if why.startswith("a check that holds")]
    for name in (*IN_WHOLES, *checks):
        assert any(
            is_caught(case, functions[name], lines, more=1.0)
            for case in cases
            if (lines := lines_of(case, functions[name]))
        ), name


def test_break_evens_exist_where_the_referee_has_them(cases: list[Case]) -> None:
    for case in cases:
        for pair in case.model.pairs:
            expected = case.expected["comparisons"][pair.this.name, pair.other.name]
            found = {*pair.scope.functions} & {*WHERE_LINEAR}
            if not case.expected["demand"]["total_demanded_volume"]:
                found -= {"break_even_volume"}
            where = f"{case.scenario['name']}, {pair.this.name}, {pair.other.name}"
            assert found == {*expected} & {*WHERE_LINEAR}, where
