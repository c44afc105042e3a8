"""Puts a model together from a scenario: which functions, in which scopes, read which inputs.

All branching on what a scenario says happens here, before any number is computed. A function named
``line__variant`` is the line ``line`` where that variant is chosen.

An option is a chain of supplies and cost items, evaluated as a fold: what a function calls
``capacity_before`` is the last earlier ``capacity_through``, and so on; the first finds 0, and the
whole of the demand.
"""

from __future__ import annotations

import calendar
import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from tco.engine.graph import Graph, InputSpecification, Scope
from tco.model import (
    api,
    appraisal,
    break_even,
    capacity,
    chain,
    checks,
    demand,
    depreciation,
    energy,
    exchange,
    gpu_hours,
    other_cost,
    own,
    rent,
    staff,
    time,
)
from tco.prices import cards
from tco.scenario import defaults
from tco.scenario.inputs import FIELDS, Input, Inputs
from tco.scenario.schema import Api, OtherCost, Own, Quantity, Rent, Scenario
from tco.units import Hours, Month, unit_of

Supply = Own | Rent | Api
STARTS = {
    "capacity_before": 0,
    "unserved_before": 1,
    "served_output_before": 0,
    "cost_before": 0,
    "parts_before": 0,
    "capex_before": 0,
    "depreciation_before": 0,
    "book_value_before": 0,
    "gpu_hours_before": 0,
    "busy_gpu_hours_before": 0,
    "staff_hours_before": 0,
}
CONVERSIONS: dict[str, Callable[..., Any]] = {
    "own.price": exchange.gpu_price,
    "salvage": exchange.gpu_price,
    "rent.price": exchange.gpu_hour_price,
    "rent.minimum": exchange.gpu_hour_price,
    "output_price": exchange.megatoken_price,
    "input_price": exchange.megatoken_price,
    "electricity_price": exchange.kilowatt_hour_price,
    "hourly_cost": exchange.staff_hour_cost,
    "amount": exchange.amount,
    "published_per_month": exchange.amount_per_month,
}
DUE = {"once": "commissioning", "month": "operating", "year": "year_end"}


@dataclass(frozen=True)
class Missing:
    """Why an option cannot be costed, and what to add to the scenario."""

    what: str
    add: str


@dataclass(frozen=True)
class BoundSupply:
    """One supply of an option: what the scenario says and the scope of its lines."""

    number: int
    given: Supply
    scope: Scope
    measured: bool
    card: str | None


@dataclass(frozen=True)
class BoundOption:
    """One option: its place in the scenario, its scope and its supplies, or what it lacks."""

    number: int
    name: str
    supplies: tuple[BoundSupply, ...]
    items: tuple[tuple[OtherCost, Scope], ...]
    scope: Scope | None
    missing: Missing | None

    @property
    def sole(self) -> BoundSupply | None:
        """The only supply, or None for a chain."""
        return self.supplies[0] if len(self.supplies) == 1 else None

    def line(self, name: str) -> str:
        """The full name of one of the option's own lines."""
        assert self.scope is not None
        return self.scope.line(name)


@dataclass(frozen=True)
class Pair:
    """A comparison of two options: ``this`` against ``other``."""

    number: int
    this: BoundOption
    other: BoundOption
    scope: Scope
    variants: frozenset[str]


@dataclass(frozen=True)
class Model:
    """A scenario as a graph, with its inputs, options and comparisons."""

    scenario: Scenario
    inputs: dict[str, Input]
    time: Scope
    options: tuple[BoundOption, ...]
    pairs: tuple[Pair, ...]
    baseline: str | None
    scopes: tuple[Scope, ...]
    graph: Graph = field(repr=False)

    @property
    def complete(self) -> list[BoundOption]:
        """The options that can be costed."""
        return [option for option in self.options if option.missing is None]

    @property
    def has_demand(self) -> bool:
        """Whether there is a demand to serve; without one costs are shown and nothing is ranked."""
        return self.scenario.demand is not None

    def unread(self) -> list[Quantity]:
        """Values that the scenario gives and no option reads."""
        read = {given.path for given in self.inputs.values()}
        costed = {option.name for option in self.complete}
        set_aside = [option for name, option in self.scenario.options.items() if name not in costed]
        excused = {quantity.path for option in set_aside for quantity in given_quantities(option)}
        return [q for q in given_quantities(self.scenario) if q.path not in read | excused]


def functions_of(module: ModuleType, *variants: str) -> dict[str, Callable[..., Any]]:
    """The model functions of a module, by the line they compute, for the chosen variants."""
    found: dict[str, Callable[..., Any]] = {}
    for name, function in vars(module).items():
        if inspect.isfunction(function) and function.__module__ == module.__name__:
            line, _, variant = name.partition("__")
            if not variant or variant in variants:
                found[line] = function
    return found


def build(scenario: Scenario, only: Sequence[str] = (), pairs: Iterable[tuple[str, str]] = ()) -> Model:
    """The model of a scenario.

    ``only`` restricts it to these options and the baseline; ``pairs`` names the options to compare.
    """
    return _Builder(scenario, only).build(list(pairs))


def baseline_of(scenario: Scenario) -> str | None:
    """The option that all are compared with: the one named, else the first API, else the first."""
    if scenario.demand is None:
        return scenario.baseline
    if scenario.baseline:
        return scenario.baseline
    for name, option in scenario.options.items():
        if option.supplies[0].kind == "api":
            return name
    return next(iter(scenario.options))


def given_quantities(part: Any) -> Iterable[Quantity]:
    """Every quantity that a scenario, or a part of one, gives for the model to read."""
    if isinstance(part, Quantity):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from given_quantities(value)
    elif isinstance(part, (list, tuple)):
        for value in part:
            yield from given_quantities(value)
    elif hasattr(type(part), "model_fields"):
        for name in type(part).model_fields:
            if name not in ("p25", "p75"):
                yield from given_quantities(getattr(part, name))


class _Builder:
    def __init__(self, scenario: Scenario, only: Sequence[str]) -> None:
        self.scenario = scenario
        self.baseline = baseline_of(scenario)
        self.only = set(only)
        self.inputs = Inputs(scenario)
        self.scopes: list[Scope] = []
        self.time = Scope("")
        self.has_output = bool(scenario.demand and scenario.demand.output_tokens and scenario.demand.output_tokens.value)

    def build(self, pairs: list[tuple[str, str]]) -> Model:
        self._bind_time()
        options = []
        for number, (name, option) in enumerate(self.scenario.options.items(), start=1):
            if not self.only or name in self.only or name == self.baseline:
                options.append(self._bind_option(number, name, option.supplies))
        by_name = {option.name: option for option in options}
        bound = [self._bind_pair(n, by_name[this], by_name[other]) for n, (this, other) in enumerate(pairs, start=1)]
        # an input that was entered for an option that turned out incomplete, or for none, is not one
        used = {name for scope in self.scopes for name in _read(scope)}
        inputs = {name: given for name, given in self.inputs.by_name.items() if name in used}
        graph = Graph(self.scopes, {name: InputSpecification(i.unit, "table" if i.table else "scalar") for name, i in inputs.items()})
        return Model(
            self.scenario, inputs, self.time, tuple(options), tuple(bound), self.baseline, tuple(self.scopes), graph
        )

    def _bind_time(self) -> None:
        scenario, scope = self.scenario, self.time
        scope.inputs.update(self.inputs.define())
        self._take(scope, "discount_rate", [scenario.discount_rate], "discount_rate", "discount_rate")
        variants = []
        if scenario.hours_per_month == "calendar":
            variants.append("calendar")
            months = tuple(float(month) for month in range(scenario.months + 1))
            hours = calendar_hours(str(scenario.start), scenario.months)
            for name, label, unit, values in (
                ("calendar_month", "Month, by the calendar", Month, months),
                ("calendar_hours", "Hours in the month, by the calendar", Hours, hours),
            ):
                scope.inputs[name] = self.inputs.table(name, label, unit, values, "hours_per_month")
        else:
            variants.append("average")
            given = scenario.hours_per_month
            self._take(scope, "hours_per_month", [given], "hours_per_month", "hours_per_month")
        if any(cost.per == "year" for cost in scenario.other_costs):
            variants.append("yearly")
        scope.functions.update(functions_of(time, *variants))
        if scenario.demand is not None:
            for name in ("output_tokens", "input_tokens"):
                self._take(scope, name, [getattr(scenario.demand, name)], name, f"demand.{name}")
            scope.functions.update(functions_of(demand))
        hourly = scenario.staff.hourly_cost if scenario.staff else None
        self._take(scope, "hourly_cost", [hourly], "hourly_cost", "staff.hourly_cost")
        self.scopes.append(scope)

    def _take(self, scope: Scope, parameter: str, given: Sequence[Quantity | None], name: str, path: str,
              *, field_name: str | None = None, owner: str = "", default: float | None = None,
              why: str | None = None) -> None:  # fmt: skip
        """Give a scope an input: the first quantity that is given, else the neutral default."""
        field_name = field_name or parameter
        quantity = next((candidate for candidate in given if candidate is not None), None)
        if quantity is None and default is None:
            default, why = self._neutral(parameter)
        currency = quantity.currency if quantity else None
        foreign = currency is not None and currency != self.scenario.currency
        found = self.inputs.take(
            field_name, quantity, path=path, name=name, owner=owner, default=default, why=why or "", foreign=foreign
        )
        if not foreign:
            scope.inputs[parameter] = found
            return
        rate = self.scenario.exchange_rates[str(currency)]
        rate_name = f"fx_{str(currency).lower()}"
        rate_path = f"exchange_rates.{currency}"
        self.inputs.take("exchange_rate", rate, path=rate_path, name=rate_name, owner=f"{currency} for 1 {self.scenario.currency}")
        converted = Scope(
            scope.name,
            inputs={"quoted": found, "exchange_rate": rate_name},
            functions={parameter: CONVERSIONS[field_name]},
        )
        self.scopes.append(converted)
        scope.aliases[parameter] = converted.line(parameter)

    def _neutral(self, parameter: str) -> tuple[float, str]:
        """The neutral default of a field, and why."""
        known = defaults.neutral(parameter)
        if parameter == "hourly_cost":
            return defaults.staff_yardstick(self.scenario.currency), known.why
        if known.value == "months":
            return float(self.scenario.months), known.why
        assert isinstance(known.value, float)
        return known.value, known.why

    def _bind_option(self, number: int, name: str, supplies: Sequence[Supply]) -> BoundOption:
        missing = self._missing(supplies)
        if missing:
            return BoundOption(number, name, (), (), None, missing)
        scope = Scope(f"o{number}", around=self.time)
        state: dict[str, str | int] = dict(STARTS)
        bound = [self._bind_supply(number, n, supply, name, scope, state) for n, supply in enumerate(supplies, start=1)]
        items = []
        for n, cost in enumerate(self.scenario.other_costs, start=1):
            if cost.options is None or name in cost.options:
                items.append((cost, self._bind_cost(n, cost, scope, state)))
        variants = []
        if self.scenario.demand is not None:
            variants.append("demand")
        if any(supply.card for supply in bound):
            variants.append("gpus")
        if any(supply.given.kind == "own" for supply in bound):
            variants.append("books")
        sole = bound[0] if len(bound) == 1 else None
        if sole:
            self._expose(scope, sole, variants)
        published = supplies[0].published
        if published is not None:
            variants.append("published")
            self._take(scope, "published_per_month", [published.per_month], f"o{number}_published",
                       f"{supplies[0].path}.published.per_month", owner=name)  # fmt: skip
        scope.aliases.update({key: line for key, line in state.items() if key.endswith("_through")})
        for key in STARTS:
            scope.aliases.setdefault(key.replace("_before", "_through"), 0)
        scope.functions.update(functions_of(appraisal, *variants))
        scope.functions.update(functions_of(checks, *variants))
        self.scopes.append(scope)
        return BoundOption(number, name, tuple(bound), tuple(items), scope, None)

    def _expose(self, scope: Scope, sole: BoundSupply, variants: list[str]) -> None:
        """Let the functions of an option with one supply read that supply's lines."""
        kind = sole.given.kind
        if kind == "own":
            variants.append("owned")
        if kind == "rent":
            variants.append("rented")
        if self.has_output:
            variants.append("tokens")
            scope.aliases["variable_cost_per_mtok"] = sole.scope.find("variable_cost_per_mtok") or 0
        for name in ("busy_hour_cost", "equivalent_busy_gpu_hours", "average_busy_gpu_hours", "price",
                     "equivalent_billed_gpu_hours", "average_billed_gpu_hours"):  # fmt: skip
            found = sole.scope.find(name)
            if found is not None:
                scope.aliases[name] = found

    def _bind_supply(self, option: int, number: int, supply: Supply, name: str, around: Scope,
                     state: dict[str, str | int]) -> BoundSupply:  # fmt: skip
        scope = Scope(f"{around.name}/s{number}", around=around)
        scope.aliases.update({key: value for key, value in state.items() if key.endswith("_before")})
        prefix = f"o{option}_s{number}"
        owner = name if number == 1 and len(self.scenario.options[name].supplies) == 1 else f"{name}, supply {number}"
        card = None if isinstance(supply, Api) else (supply.own if isinstance(supply, Own) else supply.rent)
        measured = self.has_output and card is not None and self._output_rate(supply) is not None
        demand_given = self.scenario.demand is not None
        variants = ["measured" if measured else "assumed"]
        if demand_given:
            variants += ["measured"] if measured else ["unlimited"]
            if card and not measured:
                variants.append("required")
            scope.functions.update(functions_of(capacity, *variants))

        def take(field_name: str, given: Sequence[Quantity | None], **more: Any) -> None:
            parameter = field_name.rpartition(".")[2]
            self._take(scope, parameter, given, f"{prefix}_{parameter}", f"{supply.path}.{parameter}",
                       field_name=field_name, owner=owner, **more)  # fmt: skip

        take("staff_hours_per_month", [supply.staff_hours_per_month])
        scope.functions.update(functions_of(staff))
        if isinstance(supply, Api):
            self._bind_api(supply, scope, take)
        else:
            assert card is not None
            take("count", [supply.count])
            if measured:
                self._take_of_card(scope, supply, card, "output_rate", prefix, owner)
            else:
                self._take_of_card(scope, supply, card, "utilisation", prefix, owner)
            scope.functions.update(functions_of(gpu_hours, *variants))
            if isinstance(supply, Own):
                self._bind_own(supply, card, measured, scope, prefix, owner, take)
            else:
                self._bind_rent(supply, measured, scope, take)
        scope.functions.update(functions_of(chain))
        if not demand_given:
            for needless in ("served_output_through",):
                scope.functions.pop(needless, None)
        self.scopes.append(scope)
        self._hand_on(scope, state)
        return BoundSupply(number, supply, scope, measured, card)

    def _hand_on(self, scope: Scope, state: dict[str, str | int]) -> None:
        for name in scope.functions:
            if name.endswith("_through"):
                state[name] = scope.line(name)
                state[name.replace("_through", "_before")] = scope.line(name)

    def _output_rate(self, supply: Supply) -> Quantity | None:
        if isinstance(supply, Api):
            return None
        card = supply.own if isinstance(supply, Own) else supply.rent
        hardware = self.scenario.hardware.get(card)
        return supply.output_rate or (hardware.output_rate if hardware else None)

    def _take_of_card(self, scope: Scope, supply: Own | Rent, card: str, parameter: str, prefix: str, owner: str,
                      **more: Any) -> None:  # fmt: skip
        """An input that a supply may give, or its card under ``hardware``, or the site."""
        own_value = getattr(supply, parameter, None)
        field_name = more.pop("field_name", parameter)
        if own_value is not None:
            self._take(scope, parameter, [own_value], f"{prefix}_{parameter}", f"{supply.path}.{parameter}",
                       field_name=field_name, owner=owner)  # fmt: skip
            return
        hardware = self.scenario.hardware.get(card)
        of_card = getattr(hardware, parameter, None) if hardware else None
        of_site = getattr(self.scenario.site, parameter, None) if self.scenario.site else None
        if of_card is None and (of_site is not None or parameter in ("utilisation", "pue", "electricity_price")):
            self._take(scope, parameter, [of_site], parameter, f"site.{parameter}", field_name=field_name, **more)
            return
        self._take(scope, parameter, [of_card], f"h{self.inputs.card_number(card)}_{parameter}",
                   f"hardware.{card}.{parameter}", field_name=field_name, owner=card, **more)  # fmt: skip

    def _bind_own(self, supply: Own, card: str, measured: bool, scope: Scope, prefix: str, owner: str,
                  take: Callable[..., None]) -> None:  # fmt: skip
        self._take_of_card(scope, supply, card, "price", prefix, owner, field_name="own.price")
        for parameter in ("pue", "electricity_price"):
            self._take_of_card(scope, supply, card, parameter, prefix, owner)
        known = cards.card(card)
        rated = {"default": known.tdp, "why": f"rated power of the card: {known.source}"} if known else {}
        if measured:
            self._take_of_card(scope, supply, card, "idle_power", prefix, owner)
            hardware = self.scenario.hardware.get(card)
            if supply.active_power is None and (hardware is None or hardware.active_power is None):
                self._take_of_card(scope, supply, card, "tdp", prefix, owner, **rated)
                scope.aliases["active_power"] = scope.inputs.pop("tdp")
            else:
                self._take_of_card(scope, supply, card, "active_power", prefix, owner)
        else:
            self._take_of_card(scope, supply, card, "tdp", prefix, owner, **rated)
        for parameter in ("life_months", "salvage"):
            if getattr(supply, parameter) is None and self._of_card(card, parameter) is not None:
                self._take_of_card(scope, supply, card, parameter, prefix, owner)
            else:
                take(parameter, [getattr(supply, parameter)])
        scope.functions.update(functions_of(energy, "metered" if measured else "rated"))
        scope.functions.update(functions_of(own, *(["measured"] if measured else [])))
        scope.functions.update(functions_of(depreciation))

    def _of_card(self, card: str, parameter: str) -> Quantity | None:
        hardware = self.scenario.hardware.get(card)
        return getattr(hardware, parameter, None) if hardware else None

    def _bind_rent(self, supply: Rent, measured: bool, scope: Scope, take: Callable[..., None]) -> None:
        assert supply.price is not None
        variants = [supply.billed]
        take("rent.price", [supply.price.median])
        if supply.price.minimum is not None:
            variants.append("minimum")
            take("rent.minimum", [supply.price.minimum])
        bound = functions_of(rent, *variants)
        if supply.billed == "busy" and not measured:
            bound.pop("variable_cost_per_mtok")
        scope.functions.update(bound)

    def _bind_api(self, supply: Api, scope: Scope, take: Callable[..., None]) -> None:
        take("output_price", [supply.output_price])
        if supply.input_price is None:
            take("input_price", [None], default=0.0, why="not given; needed as soon as there are input tokens")
        else:
            take("input_price", [supply.input_price])
        scope.functions.update(functions_of(api, *(["unpriced"] if supply.input_price is None else [])))

    def _bind_cost(self, number: int, cost: OtherCost, around: Scope, state: dict[str, str | int]) -> Scope:
        scope = Scope(f"{around.name}/c{number}", around=around)
        scope.aliases.update({key: value for key, value in state.items() if key.endswith("_before")})
        scope.aliases["due"] = DUE[cost.per]
        self._take(scope, "amount", [cost.amount], f"c{number}_amount", f"other_costs[{number - 1}].amount", owner=cost.name)
        scope.functions.update(functions_of(other_cost))
        scope.functions.update(functions_of(chain))
        self.scopes.append(scope)
        self._hand_on(scope, state)
        return scope

    def _missing(self, supplies: Sequence[Supply]) -> Missing | None:
        tokens_given = self.scenario.demand
        input_tokens = tokens_given.input_tokens.value if tokens_given and tokens_given.input_tokens else 0.0
        for supply in supplies:
            if isinstance(supply, Api):
                if tokens_given is None:
                    return Missing("no demand: an API is paid by the token", "demand.output_tokens")
                if supply.output_price is None:
                    return Missing("no price of output tokens", f"{supply.path}.output_price")
                if input_tokens and supply.input_price is None:
                    return Missing("no price of input tokens", f"{supply.path}.input_price")
                continue
            card = supply.own if isinstance(supply, Own) else supply.rent
            if isinstance(supply, Own) and supply.price is None and self._of_card(card, "price") is None:
                return Missing("no price", f"{supply.path}.price or hardware.{card}.price")
            if isinstance(supply, Rent) and supply.price is None:
                return Missing("no price", f"{supply.path}.price")
            rate = self._output_rate(supply)
            if rate is not None and input_tokens and not self.has_output:
                return Missing("its throughput counts output tokens, and the demand has none", "demand.output_tokens")
            if tokens_given is not None and rate is None:
                where = f"hardware.{card}.output_rate"
                if len(supplies) > 1:
                    return Missing("a chain needs the throughput of its GPUs", where)
                if isinstance(supply, Rent) and supply.billed == "busy":
                    return Missing("paying for busy hours needs the throughput of the GPUs", where)
        return None

    def _bind_pair(self, number: int, this: BoundOption, other: BoundOption) -> Pair:
        scope = Scope(f"p{number}", around=self.time)
        variants = _pair_variants(this, other)
        scope.functions.update(functions_of(break_even, *variants))
        for function in scope.functions.values():
            for parameter in inspect.signature(function).parameters:
                for prefix, option in (("this_", this), ("other_", other)):
                    if parameter.startswith(prefix):
                        found = _line_of(option, parameter.removeprefix(prefix))
                        if found is not None:
                            scope.aliases[parameter] = found
        self.scopes.append(scope)
        return Pair(number, this, other, scope, frozenset(variants))


def _line_of(option: BoundOption, name: str) -> str | int | None:
    """A line of an option, or of its only supply."""
    assert option.scope is not None
    if name in option.scope.functions or option.sole is None:
        return option.scope.find(name)
    found = option.sole.scope.find(name)
    return option.scope.find(name) if found is None else found


def _pair_variants(this: BoundOption, other: BoundOption) -> list[str]:
    assert this.scope is not None and other.scope is not None
    variants = []
    if all("fixed_cost_per_month" in option.scope.functions for option in (this, other) if option.scope):
        variants.append("tokens")
        if this.sole and this.sole.measured:
            variants.append("capacity")
    if not this.sole or not other.sole:
        return variants
    kinds = (this.sole.given.kind, other.sole.given.kind)
    if kinds[0] == "own":
        variants.append("own")
    if kinds[1] in ("api", "rent"):
        variants.append(kinds[1])
    if kinds == ("rent", "rent"):
        variants.append("rented")
    if kinds == ("own", "rent") and this.sole.card == other.sole.card and _count(this) == _count(other):
        variants.append("hours")
    return variants


def _count(option: BoundOption) -> float:
    assert option.sole is not None and not isinstance(option.sole.given, Api)
    return option.sole.given.count.value


def _read(scope: Scope) -> Iterable[str]:
    for function in scope.functions.values():
        for parameter in inspect.signature(function).parameters:
            found = scope.find(parameter)
            if isinstance(found, str):
                yield found


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
