"""What a run gives: every line and metric of every option, with units, and how options compare.

A metric that does not exist (a cost per token without tokens, a break-even that never comes) is
None, with the reason in its status; it is never 0 for want of a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tco.engine import bounds
from tco.engine.graph import Line, NotFinite, Scope
from tco.engine.internal_rate import ONE, InternalRate, internal_rate
from tco.engine.missing import faults_of_staying
from tco.engine.operations import Array
from tco.engine.options import build
from tco.engine.pairs import compare
from tco.engine.structure import (
    BoundOption,
    BoundSupply,
    Model,
    Pair,
    card_of,
    lines_of_money,
)
from tco.errors import ScenarioError, ScenarioErrors
from tco.scenario.finance import faults_of_accounts
from tco.scenario.loading import load
from tco.scenario.schema import Api, Scenario

if TYPE_CHECKING:
    import pandas as pd

OK, INCOMPLETE, INFEASIBLE = "ok", "incomplete", "infeasible"

# the metrics of an option, in the order in which they are shown
METRICS = (
    "upfront_cost",
    "running_cost_per_month",
    "total_cost",
    "cost_per_month",
    "npv_of_cost",
    "npv_of_cost_higher_rate",
    "npv_of_cost_year_end",
    "equivalent_monthly_cost",
    "levelised_cost",
    "cost_per_request",
    "cost_per_customer",
    "busy_share",
    "cost_per_useful_gpu_hour",
    "largest_cumulative_cost",
    "largest_cumulative_cost_month",
    "peak_funding_need",
    "peak_funding_month",
    "total_tax_cost",
    "total_interest_cost",
    "total_depreciation",
    "total_book_cost",
    "total_pretax_cost",
    "final_book_value",
    "average_staff_hours",
    "total_served_work",
    "total_unserved_work",
    "fixed_cost_per_month",
    "fixed_cash_per_month",
    "published_difference",
)
UNDEFINED_WHEN_ZERO = {
    "levelised_cost": "no tokens",
    "cost_per_useful_gpu_hour": "never busy",
    "busy_share": "no GPU-hours",
}
PAIR_METRICS = (
    "equivalent_difference",
    "npv_difference",
    "break_even_month_first",
    "break_even_month",
    "break_even_month_unrounded",
    "final_saving",
    "payback_crossings",
    "payback_month_without_resale",
    "discounted_payback_month_first",
    "discounted_payback_month",
    "discounted_payback_month_unrounded",
    "npv_difference_higher_rate",
    "npv_difference_year_end",
    "peak_funding_need",
    "peak_funding_month",
    "break_even_staff_hours",
    "break_even_volume",
    "break_even_volume_undiscounted",
    "break_even_utilisation",
    "break_even_utilisation_undiscounted",
    "break_even_hardware_price",
    "break_even_output_price",
    "break_even_rental_price",
    "break_even_speed_up",
    "break_even_share_of_hours",
)
DISCOUNTED = (
    "discounted_payback_month_first",
    "discounted_payback_month",
    "discounted_payback_month_unrounded",
)
NEVER = "never"
# the parts of an equivalent monthly cost, in the order in which they are shown
PARTS = (
    "hardware",
    "electricity",
    "site",
    "upkeep",
    "resale",
    "rent",
    "api",
    "extra",
    "staff",
)
# the discounted quantity that a break-even price divides by
BILLED = {
    "break_even_hardware_price": "this_discounted_gpus_bought",
    "break_even_output_price": "other_discounted_output_charge",
    "break_even_rental_price": "other_discounted_priced_gpu_hours",
}


@dataclass(frozen=True)
class Metric:
    """A number with its unit, or None with the reason why there is none."""

    value: float | None
    unit: str
    status: str = OK


@dataclass(frozen=True)
class Comparison:
    """One option (``this``) against another, metric by metric; see `tco.model.break_even`."""

    pair: Pair
    metrics: Mapping[str, Metric]

    @property
    def this(self) -> str:
        """Name of the option that is asked about."""
        return self.pair.this.name

    @property
    def other(self) -> str:
        """Name of the option it is compared with."""
        return self.pair.other.name

    def __getitem__(self, metric: str) -> float | None:
        return self.metrics[metric].value


@dataclass(frozen=True)
class Result:
    """The outcome of one scenario: the model, every line's numbers, and what follows from them."""

    model: Model = field(repr=False)
    arrays: Mapping[str, Array] = field(repr=False)
    focus: str | None

    @property
    def scenario(self) -> Scenario:
        """The scenario as it was read."""
        return self.model.scenario

    @property
    def currency(self) -> str:
        """The reporting currency."""
        return self.scenario.currency

    @property
    def baseline(self) -> str | None:
        """The option that all others are compared with; None without demand."""
        return self.model.baseline if self.model.has_demand else None

    @cached_property
    def status(self) -> dict[str, str]:
        """ok, incomplete or infeasible, by option."""
        found = {}
        for option in self.model.options:
            if option.scope is None:
                found[option.name] = INCOMPLETE
            elif "infeasible" in option.scope.functions and self.value(option.line("infeasible")):
                found[option.name] = INFEASIBLE
            else:
                found[option.name] = OK
        return found

    def option(self, name: str) -> BoundOption:
        """An option of the model by its name; `KeyError` if there is none."""
        return next(option for option in self.model.options if option.name == name)

    def value(self, line: str) -> float:
        """The number of a scalar line, or of a monthly line's month 0."""
        return float(self.arrays[line][0, 0])

    def months(self, line: str) -> list[float]:
        """A line's numbers for months 0 to N; a scalar line's number in each."""
        array = self.arrays[line][:, 0]
        return [
            float(x)
            for x in (array if len(array) > 1 else np.repeat(array, self.scenario.months + 1))
        ]

    def line(self, option: str, name: str, supply: int | None = None) -> list[float]:
        """One line of an option, or of one of its supplies, for months 0 to N."""
        bound = self.option(option)
        scope = bound.scope if supply is None else bound.supplies[supply - 1].scope
        assert scope is not None, f"{option} is incomplete"
        return self.months(scope.line(name))

    def amounts(self, scope: Scope, name: str) -> list[float] | None:
        """What a name stands for in a scope, its own line or another, for months 0 to N.

        None where it stands for nothing, or for a number such as the 0 of what is not given.
        """
        found = scope.find(name)
        return self.months(found) if isinstance(found, str) and found in self.arrays else None

    @cached_property
    def fiscal_periods(self) -> list[tuple[str, str]]:
        """The fiscal year and quarter of months 0 to N: ``FY2027`` and ``FY2027 Q1``.

        A fiscal year is named after the calendar year in which it ends; without a start years are
        those of operation, ``year 1``.
        """
        start, last = self.scenario.start, self.scenario.fiscal_year_end
        first = 0
        if start is not None:
            year, month = (int(part) for part in start.split("-"))
            first = year if month <= last else year + 1
        found = []
        years, quarters = self.months("fiscal_year"), self.months("fiscal_quarter")
        for passed, quarter in zip(years, quarters, strict=True):
            name = f"FY{first + int(passed)}" if first else f"year {int(passed) + 1}"
            found.append((name, f"{name} Q{int(quarter) % 4 + 1}"))
        return found

    def account(self, line: Line) -> str:
        """The ledger account of a line; empty where it has none.

        What the supplies of an option book is not booked again by the option that adds it up, and
        what is deducted for tax alone is in no ledger.
        """
        account = self.scenario.accounts.get(line.short_name, "")
        within = f"{line.scope}/"
        parts = line.scope.split("/")
        if not account or "t" in parts:
            return ""
        booked = any(
            other.short_name == line.short_name
            and other.scope.startswith(within)
            and "t" not in other.scope.split("/")
            for other in self.model.graph.lines.values()
        )
        return "" if booked else account

    def unit(self, line: str) -> str:
        """The unit of a line, in the reporting currency."""
        return self.model.graph.unit(line).text(self.currency, self.model.counted)

    @cached_property
    def ranked(self) -> list[BoundOption]:
        """Options as a table shows them: feasible by monthly cost, infeasible, incomplete.

        Without demand nothing is ranked: the order of the scenario stays.
        """
        order = {OK: 0, INFEASIBLE: 1, INCOMPLETE: 2}

        def place(option: BoundOption) -> tuple[int, float]:
            rank = order[self.status[option.name]]
            if option.missing is not None or not self.model.has_demand:
                return rank, 0.0
            return rank, self.value(option.line("equivalent_monthly_cost"))

        return sorted(self.model.options, key=place)

    @cached_property
    def metrics_with_units(self) -> dict[str, dict[str, Metric]]:
        """The metrics of every option that can be costed."""
        return {option.name: self._metrics(option) for option in self.model.options}

    @cached_property
    def metrics(self) -> dict[str, dict[str, float | None]]:
        """The numbers of the metrics alone: ``metrics[option][name]``."""
        return {
            option: {name: metric.value for name, metric in metrics.items()}
            for option, metrics in self.metrics_with_units.items()
        }

    def _metrics(self, option: BoundOption) -> dict[str, Metric]:
        if option.scope is None:
            return {}
        found: dict[str, Metric] = {}
        for name in METRICS:
            if name not in option.scope.functions:
                continue
            line = option.line(name)
            value, unit = self.value(line), self.unit(line)
            if name in UNDEFINED_WHEN_ZERO and value == 0 and not self._defined(option, name):
                found[name] = Metric(None, unit, UNDEFINED_WHEN_ZERO[name])
            else:
                found[name] = Metric(value + 0.0, unit)  # never -0
        unit = self.unit(option.line("equivalent_monthly_cost"))
        pair = self.pair(option.name, self.baseline)
        if option.name == self.baseline:
            found["difference_to_baseline"] = Metric(0.0, unit)
        elif pair is not None:
            difference = self.value(pair.scope.line("equivalent_difference"))
            found["difference_to_baseline"] = Metric(difference, unit)
        for supply in option.supplies:
            for name, status in (("required_output_rate", "if"), ("net_advantage_of_leasing", OK)):
                if name in supply.scope.functions:
                    line = supply.scope.line(name)
                    found[name] = Metric(self.value(line), self.unit(line), status)
        return found

    def _defined(self, option: BoundOption, metric: str) -> bool:
        below = {"levelised_cost": "discounted_useful_volume", "busy_share": "total_gpu_hours",
                 "cost_per_useful_gpu_hour": "equivalent_useful_gpu_hours"}[metric]  # fmt: skip
        assert option.scope is not None
        found = option.scope.find(below)
        assert isinstance(found, str)
        return self.value(found) != 0

    def pair(self, this: str, other: str | None) -> Pair | None:
        """The comparison of two options in the model, if it holds one."""
        return next(
            (p for p in self.model.pairs if (p.this.name, p.other.name) == (this, other)), None
        )

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Every option against the baseline, and the focus against every other option."""
        return [Comparison(pair, self._pair_metrics(pair)) for pair in self.model.pairs]

    def comparison(self, this: str, other: str) -> Comparison:
        """The comparison of two options; `KeyError` when the model does not hold it."""
        for comparison in self.comparisons:
            if (comparison.this, comparison.other) == (this, other):
                return comparison
        raise KeyError((this, other))

    def _pair_metrics(self, pair: Pair) -> dict[str, Metric]:
        def flag(name: str) -> bool:
            return name in pair.scope.functions and self.value(pair.scope.line(name)) == 1

        found: dict[str, Metric] = {}
        for name in PAIR_METRICS:
            if name not in pair.scope.functions:
                continue
            line = pair.scope.line(name)
            value, unit = self.value(line), self.unit(line)
            status = OK
            if name.startswith("break_even_month"):
                reached = (
                    value <= self.scenario.months if name.endswith("first") else flag("breaks_even")
                )
                status = OK if reached else NEVER
            elif name in ("payback_month_without_resale", *DISCOUNTED):
                lasting = name.replace("_first", "").replace("_unrounded", "")
                counted = name if name.endswith("first") else lasting
                reached = self.value(pair.scope.line(counted)) <= self.scenario.months
                status = OK if reached else NEVER
            elif name.startswith("break_even_volume"):
                if not flag("volumes_cross"):
                    always = flag("cheaper_at_the_margin") or flag("cheaper_fixed")
                    status = "always" if always else NEVER
                elif flag("beyond_capacity") and name == "break_even_volume":
                    status = "beyond capacity"
            elif name.startswith("break_even_utilisation"):
                status = OK if flag("utilisation_within_reach") else NEVER
            elif name == "break_even_staff_hours" and not self._divisor(pair, "hour_of_work_cost"):
                status = "no cost of an hour of work"
            elif name in BILLED and not self._divisor(pair, BILLED[name]):
                bought = name == "break_even_hardware_price"
                status = "nothing bought" if bought else "nothing billed"
            elif name.startswith("break_even_") and value < 0:
                status = NEVER
            shown = value if status in (OK, "beyond capacity") else None
            found[name] = Metric(shown, unit, status)
        if "baseline" in pair.variants:
            rate = self.internal_rates[pair.number]
            one = rate.status == ONE
            found["irr"] = Metric(
                rate.annual[0] if one else None, "fraction/year", OK if one else rate.status
            )
        return found

    @cached_property
    def internal_rates(self) -> dict[int, InternalRate]:
        """The internal rate of one option instead of the other, by the number of the pair.

        It is that of what the option saves, month by month; of the cost of one option alone there
        is none. It ranks nothing: a rate says not how much.
        """
        return {pair.number: self._internal_rate(pair) for pair in self.model.pairs}

    def _internal_rate(self, pair: Pair) -> InternalRate:
        months = self.amounts(self.model.time, "discount_month")
        costs = [
            amount
            for side in (pair.this, pair.other)
            if side.scope is not None
            for amount in self.amounts(side.scope, "cash_cost") or ()
        ]
        scale = max(map(abs, costs), default=0.0)
        return internal_rate(
            self.amounts(pair.scope, "monthly_saving") or [], periods=months, scale=scale
        )

    def _divisor(self, pair: Pair, name: str) -> float:
        """What a break-even divides by, in the base case."""
        found = pair.scope.find(name)
        assert isinstance(found, str)
        inputs = self.model.inputs
        return inputs[found].value if found in inputs else self.value(found)

    def parts(self, option: str) -> list[tuple[str, str, float]]:
        """Equivalent monthly cost by part: owner (supply or item), what, amount a month."""
        bound = self.option(option)
        found = []
        for supply in bound.supplies:
            for name in PARTS:
                if f"equivalent_{name}_cost" in supply.scope.functions:
                    line = supply.scope.line(f"equivalent_{name}_cost")
                    found.append((describe_supply(supply), name, self.value(line)))
        for cost, scope in bound.items:
            found.append((cost.name, "other", self.value(scope.line("equivalent_parts"))))
        assert bound.scope is not None
        for name, words in (("opportunity", "resale given up"), ("tax", "tax")):
            if f"equivalent_{name}_cost" in bound.scope.functions:
                line = bound.scope.line(f"equivalent_{name}_cost")
                found.append(("the option", words, self.value(line)))
        return found

    @property
    def options_table(self) -> pd.DataFrame:
        """Tidy metrics: option, metric, value, unit, status."""
        import pandas as pd

        rows = [
            (option, name, metric.value, metric.unit, metric.status)
            for option, metrics in self.metrics_with_units.items()
            for name, metric in metrics.items()
        ]
        return pd.DataFrame(rows, columns=["option", "metric", "value", "unit", "status"])

    @property
    def comparisons_table(self) -> pd.DataFrame:
        """Tidy comparisons: option, against, metric, value, unit, status."""
        import pandas as pd

        rows = [
            (c.this, c.other, name, metric.value, metric.unit, metric.status)
            for c in self.comparisons
            for name, metric in c.metrics.items()
        ]
        return pd.DataFrame(
            rows, columns=["option", "against", "metric", "value", "unit", "status"]
        )

    @property
    def inputs_table(self) -> pd.DataFrame:
        """Every input: name, label, value, unit, where it is given, basis, source, date, files."""
        import pandas as pd

        rows = []
        for given in self.model.numbers:
            source = given.quantity.source if given.quantity else given.why_default
            as_of = given.quantity.as_of if given.quantity else None
            read = given.quantity.files if given.quantity else ()
            files = "; ".join(f"{file.path} {file.sha256}" for file in read) or None
            place = (given.path, given.line, given.basis, source, as_of, files)
            rows += [(given.name, given.label, v, given.unit_text, *place) for v in given.values]
        names = ["input", "label", "value", "unit", "path", "line", "basis", "source", "as_of"]
        return pd.DataFrame(rows, columns=[*names, "files"])

    def monthly_lines(self) -> Iterator[tuple[str, str, Line]]:
        """Every line that differs by month, with its option and supply or cost item."""
        model = self.model
        blocks = [("", "", model.time.name)]
        blocks += [("", words, name) for name, words in model.inner_scopes("").items()]
        for option in model.complete:
            assert option.scope is not None
            for supply in option.supplies:
                what = describe_supply(supply)
                blocks.append((option.name, what, supply.scope.name))
                inner = model.inner_scopes(supply.scope.name)
                blocks += [(option.name, f"{what}, {words}", name) for name, words in inner.items()]
            blocks += [(option.name, item.name, scope.name) for item, scope in option.items]
            blocks.append((option.name, "", option.scope.name))
        graph = model.graph
        for option_name, supply_words, scope_name in blocks:
            for name, line in graph.lines.items():
                if line.scope == scope_name and graph.shapes[name] == "months":
                    yield option_name, supply_words, line

    @property
    def monthly(self) -> pd.DataFrame:
        """Tidy months: option, supply, line, month, unit, value, account, fiscal_year, quarter.

        Shared lines carry no option; only lines that the scenario gives an account have one.
        """
        import pandas as pd

        frames = []
        years, quarters = zip(*self.fiscal_periods, strict=True)
        months = np.arange(self.scenario.months + 1)
        for option, supply, line in self.monthly_lines():
            columns = {"option": option, "supply": supply, "line": line.short_name, "month": months}
            values = {"unit": self.unit(line.name), "value": self.arrays[line.name][:, 0]}
            account = self.account(line)
            ledger = {"account": account, "fiscal_year": years, "quarter": quarters}
            frames.append(pd.DataFrame({**columns, **values, **ledger}))
        return pd.concat(frames, ignore_index=True)


def describe_supply(supply: BoundSupply) -> str:
    """A supply in a few words: ``1 own rtx-4090``."""
    given = supply.given
    what = given.api if isinstance(given, Api) else card_of(given)
    return f"{supply.number} {given.kind} {what}"


def run(path: str | Path, *, settings: Sequence[str] = (), only: Sequence[str] = ()) -> Result:
    """Read a scenario and run its model.

    ``settings`` are ``PATH=VALUE`` texts that change the scenario; ``only`` keeps these options and
    the baseline. Raises `ScenarioErrors` for a scenario that cannot be run.
    """
    given = (settings,) if isinstance(settings, str) else settings
    return run_scenario(load(path, given), only=(only,) if isinstance(only, str) else only)


def run_scenario(scenario: Scenario, *, only: Sequence[str] = ()) -> Result:
    """Run the model of a scenario that is already read.

    Raises `ScenarioErrors` for one that cannot be run.
    """
    _refuse_unknown(scenario, only)
    faults = [*bounds.faults_of(scenario), *faults_of_staying(scenario)]
    if faults:
        raise ScenarioErrors(faults)
    model = build(scenario, only)
    if scenario.accounts:
        faults = faults_of_accounts(scenario, lines_of_money())
        if faults:
            raise ScenarioErrors(faults)
    if not model.complete:
        _refuse_all_incomplete(model)
    first = Result(model, evaluate(model), None)
    if not model.has_demand:
        return first
    focus = choose_focus(first)
    base = first.baseline
    # half the work is not compared with all of it
    serving = [option.name for option in model.complete if first.status[option.name] == OK]
    pairs = [(name, base) for name in serving if base in serving and name != base]
    if focus is not None:
        pairs += [(focus, name) for name in serving if name not in (focus, base)]
    model = compare(model, [(this, other) for this, other in pairs if other is not None])
    return Result(model, evaluate(model, known=first.arrays), focus)


def evaluate(
    model: Model,
    changes: Mapping[str, ArrayLike] | None = None,
    known: Mapping[str, Array] | None = None,
) -> dict[str, Array]:
    """Every line of a model, with inputs changed by name: each to a number, or to one per draw.

    A row of a live table has its own name: that of the table and its number.

    ``known`` holds lines that were computed from the same inputs before. Raises `ScenarioErrors`
    when a number overflows.
    """
    values: dict[str, Array] = {}
    for name, given in model.inputs.items():
        values[name] = np.array(given.values, dtype=float).reshape(-1, 1)
        if changes and name in changes:
            values[name] = np.reshape(np.asarray(changes[name], dtype=float), (1, -1))
        for number, row in enumerate(given.rows if changes and given.table else ()):
            if changes and row.name in changes:
                values[name][number] = changes[row.name]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        try:
            return model.graph.evaluate(values, model.scenario.months, known=known)
        except NotFinite as fault:
            raise ScenarioErrors([overflow(model, fault)]) from fault


def choose_focus(result: Result) -> str | None:
    """The option that the answer is about: the cheapest feasible one that only owns.

    Without one, the cheapest chain with hardware of its own; then the cheapest rented; then the
    cheapest that is not the baseline. One supply comes before a chain because its break-evens in
    tokens and hours exist; the answer says so when a chain is cheaper.
    """
    feasible = [
        o for o in result.ranked if result.status[o.name] == OK and o.name != result.baseline
    ]
    for kind in ("own", "rent", "api"):
        holders = [o for o in feasible if any(supply.given.kind == kind for supply in o.supplies)]
        for option in [o for o in holders if o.sole] + holders:
            return option.name
    return None


def _refuse_unknown(scenario: Scenario, only: Sequence[str]) -> None:
    from difflib import get_close_matches

    for name in only:
        if name not in scenario.options:
            close = get_close_matches(name, scenario.options, n=1)
            hint = f"did you mean {close[0]}?" if close else "run without --only to see all options"
            options = ", ".join(scenario.options)
            raise ScenarioErrors(
                [ScenarioError(scenario.path, None, "--only", name, f"one of {options}", hint)]
            )


def _refuse_all_incomplete(model: Model) -> None:
    faults = []
    for option in model.options:
        assert option.missing is not None
        line = model.scenario.lines.get(f"options.{option.name}")
        faults.append(
            ScenarioError(
                model.scenario.path,
                line,
                f"options.{option.name}",
                option.missing.what,
                "at least one option that can be costed",
                f"give {option.missing.add}",
            )
        )
    raise ScenarioErrors(faults)


def overflow(model: Model, fault: NotFinite) -> ScenarioError:
    """The fault of a number so large that a line is not finite: it names the likeliest input."""
    graph = model.graph
    reached, waiting = set(), [fault.line]
    while waiting:
        for read in (
            graph.reads(waiting.pop()) if waiting[-1] in graph.lines else [waiting.pop()][:0]
        ):
            if read not in reached:
                reached.add(read)
                waiting.append(read)
    inputs = [
        model.inputs[name]
        for name in reached
        if name in model.inputs and model.inputs[name].quantity
    ]
    largest = max(inputs, key=lambda given: abs(np.log10(abs(given.value) or 1.0)))
    return ScenarioError(
        model.scenario.path,
        largest.line,
        largest.path,
        f"{largest.value:g}: {graph.lines[fault.line].label.lower()} is then not a finite number",
        "numbers of a size that occurs",
        "check the number and its unit",
    )
