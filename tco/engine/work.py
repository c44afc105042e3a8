"""Binds the time axis and the demand: months, workloads, the shape of the load."""

from __future__ import annotations

import calendar
from dataclasses import dataclass

from tco.engine.graph import Scope
from tco.engine.load import Curve, curve_of
from tco.engine.structure import functions_of
from tco.engine.taking import Place, Taker
from tco.model import demand, time, workload
from tco.scenario.demand import Workload
from tco.scenario.finance import Tax
from tco.scenario.schema import Api, Own, Quantity, Rent, Scenario
from tco.units import Factor, Fraction, Hours, Month, Months, Ratio

CACHES = ("cache_read", "cache_write", "cache_write_1h")
# what a cost may be divided by beside the work
PER_HEAD = ("requests", "customers")


@dataclass(frozen=True)
class BoundWorkload:
    """One workload: its name, what the scenario says, the scope of its lines."""

    name: str
    given: Workload
    scope: Scope

    @property
    def caches(self) -> tuple[str, ...]:
        """The classes of cached input that it has."""
        return tuple(c for c in CACHES if getattr(self.given, f"{c}_tokens") is not None)

    @property
    def stays(self) -> bool:
        """Whether a part of it stays where it is."""
        return self.given.addressable is not None and self.given.present is not None


@dataclass(frozen=True)
class BoundDemand:
    """What has to be served: the workloads, which tokens they have, the shape of the load."""

    kind: str
    workloads: tuple[BoundWorkload, ...]
    caches: tuple[str, ...]
    curve: Curve | None
    retries: bool

    @property
    def counts_useful(self) -> bool:
        """Whether work that counts differs from work that moves: some fails, or some stays."""
        return any(w.given.retries is not None or w.stays for w in self.workloads)

    @property
    def has_input(self) -> bool:
        """Whether input tokens are counted at all."""
        return self.kind == "tokens"


def bind_time(taker: Taker, scope: Scope) -> None:
    """The months, their hours and their discounting."""
    scenario = taker.scenario
    scope.inputs.update(taker.inputs.define())
    taker.take(scope, "discount_rate", taker.of_scenario("discount_rate"))
    variants = []
    if scenario.hours_per_month == "calendar":
        variants.append("calendar")
        months = tuple(float(month) for month in range(scenario.months + 1))
        hours = calendar_hours(str(scenario.start), scenario.months)
        for name, label, unit, values in (
            ("calendar_month", "Month, by the calendar", Month, months),
            ("calendar_hours", "Hours in the month, by the calendar", Hours, hours),
        ):
            scope.inputs[name] = taker.inputs.table(name, label, unit, values, "hours_per_month")
    else:
        variants.append("average")
        taker.take(scope, "hours_per_month", taker.of_scenario("hours_per_month"))
    if any(cost.per == "year" for cost in scenario.other_costs):
        variants.append("yearly")
    hourly = scenario.staff.hourly_cost if scenario.staff else None
    taker.take(scope, "hourly_cost", Place(hourly, "hourly_cost", "staff.hourly_cost"))
    variants += _bind_fiscal_years(taker, scope)
    scope.functions.update(functions_of(time, *variants))


def _bind_fiscal_years(taker: Taker, scope: Scope) -> list[str]:
    """Fiscal years, when cash counts, and tax; returns the variants that compute them."""
    scenario = taker.scenario
    offset = 0.0
    if scenario.start is not None:
        first = int(scenario.start.split("-")[1])
        offset = float((first - scenario.fiscal_year_end - 1) % 12)
    scope.inputs["fiscal_offset"] = taker.inputs.table_row(
        "fiscal_offset", "Months of the first fiscal year before month 1", Months, offset,
        "fiscal_year_end",
    )  # fmt: skip
    variants = []
    if scenario.cash_timing == "mid-month":
        variants.append("mid_month")
    else:
        year_end = scenario.cash_timing == "year-end"
        scope.aliases["discount_month"] = "end_of_year_month" if year_end else "month"
    # what an option or a supply does not say otherwise
    scope.aliases.update(price_factor=1, tariff_factor=1)
    tax = scenario.tax
    if tax is not None:
        variants += _bind_tax(taker, scope, tax)
    if not taker.is_taxed_elsewhere:
        scope.aliases.update(
            cost_discount_factor="discount_factor",
            kept_share=1,
            hour_of_work_cost=_named(scope, "hourly_cost"),
        )
    return variants


def _named(scope: Scope, parameter: str) -> str | int:
    found = scope.find(parameter)
    assert found is not None, f"nothing is called {parameter}"
    return found


def _bind_tax(taker: Taker, scope: Scope, tax: Tax) -> list[str]:
    """The inputs of tax; returns the variants that discount what it saves."""
    scope.aliases.update(lag_months=0, loss_limit=1)
    for field, word, default in (
        ("tax_rate", "rate", None),
        ("lag_months", "lag_months", None),
        ("loss_limit", "loss_limit", None),
        ("profit_per_year", "profit_per_year", (0.0, "not given, so there is none")),
    ):
        quantity = getattr(tax, word)
        wanted = field != "profit_per_year" or tax.losses != "elsewhere"
        if quantity is None and not (default and wanted):
            continue
        scope.aliases.pop(field, None)
        taker.take(scope, field, Place(quantity, field, f"tax.{word}"), default=default)
    settled = "year_of_tax" if tax.paid == "year-end" else "month_of_tax"
    if tax.losses != "elsewhere":
        return [settled]
    scope.aliases["cost_discount_factor"] = "after_tax_discount_factor"
    return ["taxed", settled]


def bind_demand(taker: Taker, scope: Scope) -> BoundDemand | None:
    """The demand of a scenario in the time axis's scope; None without one."""
    given = taker.scenario.demand
    if given is None:
        return None
    parts = given.parts
    several = given.workloads is not None
    peak = given.peak_to_mean.value if given.peak_to_mean else None
    curve = curve_of(given.load.shape, peak, given.load.shares)
    bound = BoundDemand(
        given.kind,
        tuple(
            BoundWorkload(name, part, Scope(f"w{number}", around=scope) if several else scope)
            for number, (name, part) in enumerate(parts.items(), start=1)
        ),
        tuple(
            cache
            for cache in CACHES
            if any(getattr(part, f"{cache}_tokens") is not None for part in parts.values())
        ),
        curve,
        any(part.retries is not None for part in parts.values())
        and any(
            isinstance(supply, Api) and supply.retries_billed == "no"
            for option in taker.scenario.options.values()
            for supply in option.supplies
        ),
    )
    for workload_ in bound.workloads:
        _bind_workload(
            taker, workload_, bound, f"demand.workloads.{workload_.name}" if several else "demand"
        )
    for word in PER_HEAD:
        quantity = getattr(given, word)
        if quantity is not None:
            taker.take(scope, word, Place(quantity, word, f"demand.{word}"))
    where = "demand.peak_to_mean" if given.peak_to_mean is not None else "demand.load"
    variants = _shape(taker, scope, curve, where)
    if several:
        _add_up(scope, bound)
        variants.append("total")
        if bound.has_input:
            variants.append("by_month")
    elif bound.kind == "tokens":
        variants.append("mix")
    variants.append("tokens" if bound.kind == "tokens" else "counted")
    if bound.retries and several:
        variants.append("attempts")
    if any(workload_.stays for workload_ in bound.workloads):
        variants.append("total_staying")
    functions = functions_of(demand, *variants)
    if not _is_apart(taker.scenario):
        functions.pop("prefilled_per_output", None)
    elif "prefilled_per_output" not in functions:
        functions["prefilled_per_output"] = demand.prefilled_per_output__by_month
    if several and bound.kind != "tokens":
        functions.pop("input_tokens_demanded", None)
    for cache in CACHES:
        if cache not in bound.caches:
            scope.aliases.setdefault(f"{cache}_tokens_demanded", 0)
    scope.functions.update(functions)
    return bound


def _shape(taker: Taker, scope: Scope, curve: Curve | None, where: str) -> list[str]:
    """The load-duration curve, as a table; a flat load has none."""
    if curve is None:
        scope.aliases.update(peak_to_mean=1, peak_rate=scope.line("demanded_rate"))
        return []
    levels, shares = curve
    for name, label, unit, values in (
        ("load_level", "Load over the mean, highest first", Ratio, levels),
        ("load_share", "Share of the hours", Fraction, shares),
    ):
        scope.inputs[name] = taker.inputs.table(name, label, unit, values, where)
    return ["profile"]


def _bind_workload(taker: Taker, bound: BoundWorkload, all_: BoundDemand, path: str) -> None:
    given, scope = bound.given, bound.scope
    prefix = f"{scope.name}_" if scope.name else ""

    def take(field: str) -> None:
        place = Place(getattr(given, field), f"{prefix}{field}", f"{path}.{field}", bound.name)
        taker.take(scope, field, place)

    variants = _activity(taker, bound, prefix, path, take)
    if given.kind == "tokens":
        variants.append("tokens")
        for field in ("output_tokens", "input_tokens"):
            take(field)
        if given.reasoning_tokens is not None:
            take("reasoning_tokens")
            variants.append("reasoning")
        else:
            scope.aliases["work_per_month"] = scope.inputs["output_tokens"]
        caches = [cache for cache in CACHES if getattr(given, f"{cache}_tokens") is not None]
        for cache in caches:
            take(f"{cache}_tokens")
        variants += caches
        if caches:
            variants.append("caches")
            scope.aliases.update({f"{cache}_tokens": 0 for cache in CACHES if cache not in caches})
        scope.aliases.update(
            {f"{cache}_tokens_demanded": 0 for cache in CACHES if cache not in caches}
        )
    else:
        take(given.kind)
        scope.aliases["work_per_month"] = scope.inputs[given.kind]
    if given.addressable is not None:
        take("addressable")
    else:
        scope.aliases["addressable"] = 1
    if bound.stays:
        variants.append("staying")
        if given.kind == "tokens":
            variants += ["staying_tokens", *(f"staying_{cache}" for cache in caches)]
    if all_.retries:
        variants.append("unbilled")
    if all_.counts_useful:
        variants += ["useful", *(["useful_staying"] if bound.stays else [])]
    scope.functions.update(functions_of(workload, *variants))
    if all_.counts_useful and not bound.stays:
        scope.aliases["useful_staying_work"] = 0
    if scope.aliases.get("activity"):
        del scope.functions["activity"]
    if scope.name:
        taker.scopes.append(scope)


def _activity(
    taker: Taker, bound: BoundWorkload, prefix: str, path: str, take: object
) -> list[str]:
    """Growth, season and retries: what is not given counts as 1."""
    assert callable(take)
    given, scope = bound.given, bound.scope
    variants = []
    if given.growth_per_year is not None:
        take("growth_per_year")
        variants.append("year")
    elif given.growth_per_month is not None:
        take("growth_per_month")
        variants.append("month")
    elif given.growth is not None:
        steps = given.growth
        months = (0.0, *(step.month.value for step in steps[1:]))
        of = f", {bound.name}" if bound.name else ""
        scope.inputs["growth_month"] = taker.inputs.table(
            f"{prefix}growth_month", f"First month of a step{of}", Month, months, f"{path}.growth"
        )
        scope.inputs["growth_step"] = taker.inputs.live_table(
            f"{prefix}growth_step",
            f"Work of a step over that of month 1{of}",
            Factor,
            [(step.factor.value, step.factor) for step in steps],
        )
        variants.append("steps")
    else:
        scope.aliases["growth_factor"] = 1
    if given.season is not None:
        mean = sum(given.season) / 12
        first = int(str(taker.scenario.start).split("-")[1]) - 1
        of = f", {bound.name}" if bound.name else ""
        where = f"{path}.season"
        scope.inputs["season_month"] = taker.inputs.table(
            f"{prefix}season_month", f"Month of the year, January 0{of}", Month,
            tuple(float(month) for month in range(12)), where,
        )  # fmt: skip
        line = taker.scenario.lines.get(where)
        scope.inputs["season_weight"] = taker.inputs.live_table(
            f"{prefix}season_weight",
            f"Work of a month of the year over the mean month's{of}",
            Factor,
            [
                (value, Quantity(value=value, path=f"{where}[{number}]", line=line))
                for number, value in enumerate(float(f"{w / mean:.15g}") for w in given.season)
            ],
        )
        scope.inputs["first_month_of_year"] = taker.inputs.table_row(
            f"{prefix}first_month_of_year", f"Month of the year of month 1, {bound.name}", Month,
            float(first), "start",
        )  # fmt: skip
        variants.append("season")
    else:
        scope.aliases["season_factor"] = 1
    if given.retries is not None:
        take("retries")
        variants.append("retries")
    else:
        scope.aliases["attempts"] = 1
    if not variants:
        scope.aliases["activity"] = "operating"
    return variants


def _add_up(scope: Scope, bound: BoundDemand) -> None:
    """The workloads as a fold: each adds its work to that of those before it."""
    totals = ["work"]
    if bound.has_input:
        totals += ["input_tokens", *(f"{cache}_tokens" for cache in bound.caches)]
    if bound.counts_useful:
        totals.append("useful_work")
    stays = [workload_ for workload_ in bound.workloads if workload_.stays]
    of_staying = ("staying_work", "useful_staying_work")
    before: dict[str, str | int] = dict.fromkeys([*totals, *of_staying], 0)
    for workload_ in bound.workloads:
        inner = workload_.scope
        for name in [*totals, *(of_staying if workload_ in stays else ())]:
            inner.aliases[f"{name}_before"] = before[name]
            line = f"{name}_through"
            inner.functions[line] = functions_of(demand, "several")[line]
            before[name] = inner.line(line)
    for name in totals[:]:
        if name in ("work", "input_tokens"):
            scope.aliases[f"{name}_through"] = before[name]
        elif name == "useful_work":
            scope.aliases[name] = before[name]
        else:
            scope.aliases[f"{name}_demanded"] = before[name]
    if stays:
        scope.aliases["staying_work"] = before["staying_work"]
    scope.aliases["useful_staying_work"] = before["useful_staying_work"]


def _is_apart(scenario: Scenario) -> bool:
    """Whether any supply's throughput is that of prefill and decode, told apart."""
    given = [*scenario.hardware.values()]
    supplies = [s for option in scenario.options.values() for s in option.supplies]
    points = [part.throughput for part in given]
    points += [supply.throughput for supply in supplies if isinstance(supply, (Own, Rent))]
    return any(len(measured or ()) > 1 for measured in points)


def calendar_hours(start: str, months: int) -> tuple[float, ...]:
    """Hours of month 0 (none) and of each calendar month from ``start`` (YYYY-MM) on.

    >>> calendar_hours("2028-01", 3)
    (0.0, 744.0, 696.0, 744.0)
    """
    year, month = (int(part) for part in start.split("-"))
    hours = [0.0]
    for index in range(months):
        passed = month - 1 + index
        hours.append(calendar.monthrange(year + passed // 12, passed % 12 + 1)[1] * 24.0)
    return tuple(hours)
