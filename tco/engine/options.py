"""Puts a model together from a scenario: which functions, in which scopes, read which inputs.

All branching on what a scenario says happens here, before any number is computed.

An option is a chain of supplies and cost items, evaluated as a fold: what a function calls
``capacity_before`` is the last earlier ``capacity_through``, and so on; the first finds 0, and the
whole of the demand.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tco.engine.graph import Graph, InputSpecification, Scope
from tco.engine.guards import examine
from tco.engine.missing import missing_of, output_rate_of
from tco.engine.pairs import compare
from tco.engine.structure import (
    BoundOption,
    BoundSupply,
    Model,
    Supply,
    card_of,
    functions_of,
)
from tco.model import (
    api,
    appraisal,
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
from tco.scenario.inputs import Inputs
from tco.scenario.schema import Api, OtherCost, Own, Quantity, Rent, Scenario
from tco.units import Hours, Month

# what the first supply of a chain finds
STARTS = {
    "capacity": 0,
    "unserved": 1,
    "served_output": 0,
    "cost": 0,
    "parts": 0,
    "capex": 0,
    "depreciation": 0,
    "book_value": 0,
    "gpu_hours": 0,
    "busy_gpu_hours": 0,
    "staff_hours": 0,
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


def build(
    scenario: Scenario, only: Sequence[str] = (), pairs: Iterable[tuple[str, str]] = ()
) -> Model:
    """The model of a scenario.

    ``only`` restricts it to these options and the baseline; ``pairs`` names the options to compare.
    """
    return compare(_Builder(scenario, only).build(), pairs)


def baseline_of(scenario: Scenario) -> str | None:
    """The option that all are compared with: the one named, else the first API, else the first.

    Without demand nothing is compared unless the scenario names a baseline.
    """
    if scenario.demand is None or scenario.baseline:
        return scenario.baseline
    for name, option in scenario.options.items():
        if option.supplies[0].kind == "api":
            return name
    return next(iter(scenario.options))


@dataclass(frozen=True)
class _Place:
    """Where a scenario gives a number, or could: the number, its cell's name, path and owner."""

    quantity: Quantity | None
    name: str
    path: str
    owner: str = ""


class _Builder:
    def __init__(self, scenario: Scenario, only: Sequence[str]) -> None:
        self.scenario = scenario
        self.baseline = baseline_of(scenario)
        self.only = set(only)
        self.inputs = Inputs(scenario)
        self.scopes: list[Scope] = []
        self.time = Scope("")
        self.has_demand = scenario.demand is not None

    def build(self) -> Model:
        self._bind_time()
        options = [
            self._bind_option(number, name, option.supplies)
            for number, (name, option) in enumerate(self.scenario.options.items(), start=1)
            if not self.only or name in self.only or name == self.baseline
        ]
        read = {found for scope in self.scopes for found in _names_read(scope)}
        inputs = {name: given for name, given in self.inputs.by_name.items() if name in read}
        specifications = {
            name: InputSpecification(given.unit, "table" if given.table else "scalar")
            for name, given in inputs.items()
        }
        return Model(
            scenario=self.scenario,
            inputs=inputs,
            time=self.time,
            options=tuple(options),
            pairs=(),
            baseline=self.baseline,
            scopes=tuple(self.scopes),
            graph=Graph(self.scopes, specifications),
        )

    # inputs

    def _take(
        self, scope: Scope, field: str, *places: _Place, default: tuple[float, str] | None = None
    ) -> None:
        """Give a scope an input: the first place with a number, else the last with its default."""
        parameter = field.rpartition(".")[2]
        place = next((p for p in places if p.quantity is not None), places[-1])
        quantity = place.quantity
        value, why = (None, "") if quantity else default or self._neutral(parameter)
        foreign = quantity is not None and quantity.currency not in (None, self.scenario.currency)
        found = self.inputs.take(
            field,
            quantity,
            path=place.path,
            # a line of the time axis has no other name than its input's
            name=place.name if scope.name or not foreign else f"quoted_{place.name}",
            owner=place.owner,
            default=value,
            why=why,
            foreign=foreign,
        )
        if not foreign:
            scope.inputs[parameter] = found
            return
        assert quantity is not None
        converted = Scope(
            scope.name,
            inputs={"quoted": found, "exchange_rate": self._exchange_rate(str(quantity.currency))},
            functions={parameter: CONVERSIONS[field]},
        )
        self.scopes.append(converted)
        scope.aliases[parameter] = converted.line(parameter)

    def _exchange_rate(self, currency: str) -> str:
        return self.inputs.take(
            "exchange_rate",
            self.scenario.exchange_rates[currency],
            path=f"exchange_rates.{currency}",
            name=f"fx_{currency.lower()}",
            owner=f"{currency} for 1 {self.scenario.currency}",
        )

    def _neutral(self, parameter: str) -> tuple[float, str]:
        """The neutral default of a field, and why."""
        known = defaults.neutral(parameter)
        if parameter == "hourly_cost":
            return defaults.staff_yardstick(self.scenario.currency), known.why
        if known.value == "months":
            return float(self.scenario.months), known.why
        assert isinstance(known.value, float), f"{parameter} has no neutral number"
        return known.value, known.why

    def _of_scenario(self, name: str) -> _Place:
        return _Place(getattr(self.scenario, name), name, name)

    def _of_site(self, parameter: str) -> _Place:
        given = getattr(self.scenario.site, parameter) if self.scenario.site else None
        return _Place(given, parameter, f"site.{parameter}")

    def _of_card(self, card: str, parameter: str) -> _Place:
        hardware = self.scenario.hardware.get(card)
        given = getattr(hardware, parameter) if hardware else None
        name = f"h{self.inputs.card_number(card)}_{parameter}"
        return _Place(given, name, f"hardware.{card}.{parameter}", card)

    # time, demand

    def _bind_time(self) -> None:
        scenario, scope = self.scenario, self.time
        scope.inputs.update(self.inputs.define())
        self._take(scope, "discount_rate", self._of_scenario("discount_rate"))
        variants = []
        if scenario.hours_per_month == "calendar":
            variants.append("calendar")
            self._take_calendar(scope)
        else:
            variants.append("average")
            self._take(scope, "hours_per_month", self._of_scenario("hours_per_month"))
        if any(cost.per == "year" for cost in scenario.other_costs):
            variants.append("yearly")
        scope.functions.update(functions_of(time, *variants))
        if scenario.demand is not None:
            for name in ("output_tokens", "input_tokens"):
                place = _Place(getattr(scenario.demand, name), name, f"demand.{name}")
                self._take(scope, name, place)
            scope.functions.update(functions_of(demand))
        hourly = scenario.staff.hourly_cost if scenario.staff else None
        self._take(scope, "hourly_cost", _Place(hourly, "hourly_cost", "staff.hourly_cost"))
        self.scopes.append(scope)

    def _take_calendar(self, scope: Scope) -> None:
        months = tuple(float(month) for month in range(self.scenario.months + 1))
        hours = calendar_hours(str(self.scenario.start), self.scenario.months)
        for name, label, unit, values in (
            ("calendar_month", "Month, by the calendar", Month, months),
            ("calendar_hours", "Hours in the month, by the calendar", Hours, hours),
        ):
            scope.inputs[name] = self.inputs.table(name, label, unit, values, "hours_per_month")

    # options

    def _bind_option(self, number: int, name: str, given: Sequence[Supply]) -> BoundOption:
        missing = missing_of(self.scenario, given)
        if missing:
            return BoundOption(number, name, (), (), None, missing)
        scope = Scope(f"o{number}", around=self.time)
        fold: dict[str, str | int] = dict(STARTS)
        supplies = []
        for place, supply in enumerate(given, start=1):
            owner = name if len(given) == 1 else f"{name}, supply {place}"
            supplies.append(self._bind_supply(scope.name, fold, place, supply, owner))
        items = [
            (cost, self._bind_item(scope.name, fold, place, cost))
            for place, cost in enumerate(self.scenario.other_costs, start=1)
            if cost.options is None or name in cost.options
        ]
        scope.aliases.update({f"{key}_through": line for key, line in fold.items()})
        variants = []
        if self.has_demand:
            variants.append("demand")
        if any(supply.card for supply in supplies):
            variants.append("gpus")
        if any(supply.given.kind == "own" for supply in supplies):
            variants.append("books")
        if len(supplies) == 1:
            # an option of one supply may read that supply's own lines, as F / (p - v) does
            scope.around = supplies[0].scope
            variants += {"own": ["owned"], "rent": ["rented"], "api": []}[given[0].kind]
            if self.has_demand:
                variants.append("tokens")
                if scope.find("variable_cost_per_mtok") is None:
                    scope.aliases["variable_cost_per_mtok"] = 0
        if given[0].published is not None:
            variants.append("published")
            printed = given[0].published.per_month
            if printed.source is None:
                source = {"source": given[0].published.source, "basis": "published"}
                printed = printed.model_copy(update=source)
            path = f"{given[0].path}.published.per_month"
            self._take(
                scope, "published_per_month", _Place(printed, f"o{number}_published", path, name)
            )
        for module in (appraisal, checks):
            scope.functions.update(functions_of(module, *variants))
        self.scopes.append(scope)
        return BoundOption(number, name, tuple(supplies), tuple(items), scope, None)

    def _bind_supply(
        self, option: str, fold: dict[str, str | int], number: int, supply: Supply, owner: str
    ) -> BoundSupply:
        scope = self._link(Scope(f"{option}/s{number}", around=self.time), fold)
        card = card_of(supply)
        measured = self.has_demand and output_rate_of(self.scenario, supply) is not None
        if self.has_demand:
            variants = ["measured"] if measured else ["unlimited", *(["required"] if card else [])]
            scope.functions.update(functions_of(capacity, *variants))
        prefix = f"{option}_s{number}"

        def take(field: str, quantity: Quantity | None, **more: Any) -> None:
            parameter = field.rpartition(".")[2]
            path = f"{supply.path}.{parameter}"
            self._take(scope, field, _Place(quantity, f"{prefix}_{parameter}", path, owner), **more)

        def inherit(field: str, **more: Any) -> None:
            """An input that the supply may give, or its card, or the site."""
            assert card is not None
            parameter = field.rpartition(".")[2]
            places = []
            if parameter in type(supply).model_fields:
                path = f"{supply.path}.{parameter}"
                own_value = getattr(supply, parameter)
                places.append(_Place(own_value, f"{prefix}_{parameter}", path, owner))
            if parameter not in ("pue", "electricity_price"):
                places.append(self._of_card(card, parameter))
            if parameter in ("pue", "electricity_price", "utilisation"):
                places.append(self._of_site(parameter))
            self._take(scope, field, *places, **more)

        take("staff_hours_per_month", supply.staff_hours_per_month)
        scope.functions.update(functions_of(staff))
        if isinstance(supply, Api):
            self._bind_api(scope, supply, take)
        else:
            take("count", supply.count)
            inherit("output_rate" if measured else "utilisation")
            hours = functions_of(gpu_hours, "measured" if measured else "assumed")
            scope.functions.update(hours)
            if isinstance(supply, Own):
                self._bind_own(scope, supply, measured, inherit)
            else:
                self._bind_rent(scope, supply, measured, take)
        scope.functions.update(functions_of(chain))
        self._hand_on(scope, fold)
        return BoundSupply(number, supply, scope, measured, card)

    def _bind_own(
        self, scope: Scope, supply: Own, measured: bool, inherit: Callable[..., None]
    ) -> None:
        for field in ("own.price", "pue", "electricity_price", "life_months", "salvage"):
            inherit(field)
        known = cards.card(supply.own)
        rated = (known.tdp, f"rated power of the card: {known.source}") if known else None
        if not measured:
            inherit("tdp", default=rated)
        else:
            inherit("idle_power")
            if (
                supply.active_power or self._of_card(supply.own, "active_power").quantity
            ) is not None:
                inherit("active_power")
            else:
                # a busy card draws its rated power, for want of better
                inherit("tdp", default=rated)
                scope.aliases["active_power"] = scope.inputs.pop("tdp")
        scope.functions.update(functions_of(energy, "metered" if measured else "rated"))
        scope.functions.update(functions_of(own, *(["measured"] if measured else [])))
        scope.functions.update(functions_of(depreciation))

    def _bind_rent(
        self, scope: Scope, supply: Rent, measured: bool, take: Callable[..., None]
    ) -> None:
        assert supply.price is not None
        variants: list[str] = [supply.billed]
        take("rent.price", supply.price.median)
        if supply.price.minimum is not None:
            variants.append("minimum")
            take("rent.minimum", supply.price.minimum)
        if supply.billed == "busy" and measured:
            variants.append("by_tokens")
        scope.functions.update(functions_of(rent, *variants))

    def _bind_api(self, scope: Scope, supply: Api, take: Callable[..., None]) -> None:
        take("output_price", supply.output_price)
        why = "not given; needed as soon as there are input tokens"
        take("input_price", supply.input_price, default=(0.0, why))
        variants = ["unpriced"] if supply.input_price is None else []
        scope.functions.update(functions_of(api, *variants))

    def _bind_item(
        self, option: str, fold: dict[str, str | int], number: int, cost: OtherCost
    ) -> Scope:
        scope = self._link(Scope(f"{option}/c{number}", around=self.time), fold)
        scope.aliases["due"] = DUE[cost.per]
        path = f"other_costs[{number - 1}].amount"
        self._take(scope, "amount", _Place(cost.amount, f"c{number}_amount", path, cost.name))
        for module in (other_cost, chain):
            scope.functions.update(functions_of(module))
        self._hand_on(scope, fold)
        return scope

    def _link(self, scope: Scope, fold: dict[str, str | int]) -> Scope:
        scope.aliases.update({f"{key}_before": line for key, line in fold.items()})
        return scope

    def _hand_on(self, scope: Scope, fold: dict[str, str | int]) -> None:
        self.scopes.append(scope)
        for key in fold:
            if f"{key}_through" in scope.functions:
                fold[key] = scope.line(f"{key}_through")


def _names_read(scope: Scope) -> Iterable[str]:
    for function in scope.functions.values():
        for parameter in examine(function)[0]:
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
