"""Puts a model together from a scenario: which functions, in which scopes, read which inputs.

All branching on what a scenario says happens here and in the rooms beside it (`work`, `gpus`,
`apis`), before any number is computed.

An option is a chain of supplies and cost items, evaluated as a fold: what a function calls
``capacity_before`` is the last earlier ``capacity_through``, and so on; the first finds 0, and the
whole of the demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tco.engine.apis import ApiSupply, bind_api, bind_capacity, is_present
from tco.engine.gpus import Gpus, bind_gpus
from tco.engine.graph import Graph, InputSpecification, Scope
from tco.engine.guards import examine
from tco.engine.missing import missing_of
from tco.engine.owning import bind_owned
from tco.engine.pairs import compare
from tco.engine.renting import bind_rented
from tco.engine.settling import resolve, settle
from tco.engine.structure import (
    BoundOption,
    BoundSupply,
    Item,
    Model,
    Supply,
    card_of,
    functions_of,
)
from tco.engine.taking import Place, Taker
from tco.engine.work import PER_HEAD, BoundDemand, BoundWorkload, bind_demand, bind_time
from tco.model import api, appraisal, chain, checks, other_cost, present, staff, tax
from tco.scenario.schema import Api, OtherCost, Own, Scenario

# what the first supply of a chain finds
STARTS = {
    "capacity": 0,
    "unserved": 1,
    "served_work": 0,
    "cost": 0,
    "parts": 0,
    "capex": 0,
    "expense": 0,
    "depreciation": 0,
    "disposed_value": 0,
    "disposal_loss": 0,
    "book_deduction": 0,
    "tax_deduction": 0,
    "net_resale": 0,
    "opportunity": 0,
    "financing_cash_flow": 0,
    "finance_cost": 0,
    "financing_deduction": 0,
    "gpu_hours": 0,
    "busy_gpu_hours": 0,
    "staff_hours": 0,
    "unfit": 0,
}
# the lines of an API that follow from its bill alone
OF_A_BILL = (
    "cash_cost",
    "expense",
    "equivalent_api_cost",
    "equivalent_parts",
    "served_volume",
    "marginal_cost",
    "marginal_cash_cost",
)
# lines of an option that come to another, or to nothing, where a scenario does not give them
MAY_VANISH = (
    "parts_with_tax",
    "untaxed_cash_flow",
)
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


@dataclass
class _Fold:
    """What the supplies and items of one option have handed on so far."""

    lines: dict[str, str | int]

    def link(self, scope: Scope) -> Scope:
        """Let a scope find what those before it hand on."""
        scope.aliases.update({f"{key}_before": line for key, line in self.lines.items()})
        return scope

    def hand_on(self, scope: Scope) -> None:
        """What a scope hands on takes the place of what it found."""
        for key in self.lines:
            name = f"{key}_through"
            if name in scope.functions:
                self.lines[key] = scope.line(name)
            elif name in scope.aliases:
                self.lines[key] = scope.aliases[name]


class _Builder:
    def __init__(self, scenario: Scenario, only: Sequence[str]) -> None:
        self.scenario = scenario
        self.baseline = baseline_of(scenario)
        self.only = set(only)
        self.taker = Taker(scenario)
        self.time = Scope("")
        self.demand: BoundDemand | None = None

    def build(self) -> Model:
        bind_time(self.taker, self.time)
        self.demand = bind_demand(self.taker, self.time)
        self.taker.scopes.append(self.time)
        self._bind_staying()
        options = [
            self._bind_option(number, name, option.supplies)
            for number, (name, option) in enumerate(self.scenario.options.items(), start=1)
            if not self.only or name in self.only or name == self.baseline
        ]
        scopes = self.taker.scopes
        resolve(scopes)
        read = {found for scope in scopes for found in _names_read(scope)}
        inputs = {name: given for name, given in self.taker.inputs.by_name.items() if name in read}
        specifications = {
            name: InputSpecification(given.unit, "table" if given.table else "scalar")
            for name, given in inputs.items()
        }
        return Model(
            scenario=self.scenario,
            inputs=inputs,
            time=self.time,
            demand=self.demand,
            options=tuple(options),
            pairs=(),
            baseline=self.baseline,
            beforehand=tuple(self.taker.beforehand),
            scopes=tuple(scopes),
            graph=Graph(scopes, specifications),
        )

    # options

    def _tax_of_financing(
        self, scope: Scope, fold: _Fold, by_year: bool
    ) -> dict[str, Callable[..., Any]]:
        """What loans and leases save in tax, where every cost saves tax."""
        if fold.lines["financing_deduction"] == 0 or not self.taker.is_taxed_elsewhere:
            nothing = ("financing_deduction", "finance_cost", "financing_tax")
            scope.aliases.update(dict.fromkeys((*nothing, "financing_tax_cash_flow"), 0))
            return {}
        scope.aliases["financing_deduction"] = fold.lines["financing_deduction"]
        scope.aliases["finance_cost"] = fold.lines["finance_cost"]
        variant = "financed_year" if by_year else "financed_month"
        if not by_year:
            scope.aliases["financing_tax_cash_flow"] = scope.line("financing_tax")
        of_financing = functions_of(tax, variant)
        return {name: f for name, f in of_financing.items() if name.startswith("financing_")}

    def _bind_option(self, number: int, name: str, given: Sequence[Supply]) -> BoundOption:
        missing = missing_of(self.scenario, given)
        if missing:
            return BoundOption(number, name, (), (), None, missing)
        scope = Scope(f"o{number}", around=self.time)
        fold = _Fold(dict(STARTS))
        supplies = []
        for place, supply in enumerate(given, start=1):
            owner = name if len(given) == 1 else f"{name}, supply {place}"
            supplies.append(self._bind_supply(scope.name, fold, place, supply, owner))
        items = [
            self._bind_cost(scope.name, fold, place, cost)
            for place, cost in enumerate(self.scenario.other_costs, start=1)
            if cost.options is None or name in cost.options
        ]
        items += self._bind_staying_costs(scope.name, fold)
        scope.aliases.update({f"{key}_through": line for key, line in fold.lines.items()})
        variants = []
        if self.demand is not None:
            variants += ["demand", "fit" if fold.lines["unfit"] != 0 else "any"]
            variants += [word for word in PER_HEAD if word in self.time.inputs]
            if self.demand.counts_useful:
                variants.append("useful")
            else:
                scope.aliases["discounted_useful_volume"] = scope.line("discounted_volume")
        if any(supply.card for supply in supplies):
            variants.append("gpus")
        bought = fold.lines["capex"] != 0 or fold.lines["depreciation"] != 0
        variants.append("books" if bought else "no_books")
        if len(supplies) == 1:
            # an option of one supply may read that supply's own lines, as F / (p - v) does
            scope.around = supplies[0].scope
            variants += self._of_sole(scope, supplies[0])
        if given[0].published is not None:
            variants.append("published")
            printed = given[0].published.per_month
            if printed.source is None:
                source = {"source": given[0].published.source, "basis": "published"}
                printed = printed.model_copy(update=source)
            path = f"{given[0].path}.published.per_month"
            self.taker.take(
                scope,
                "published_per_month",
                Place(printed, f"o{number}_published", path, name),
            )
        variants += self._ledgers(scope, fold)
        found = {**functions_of(appraisal, *variants), **functions_of(checks, *variants)}
        settle(scope, found, [name for name in found if name not in MAY_VANISH])
        self.taker.scopes.append(scope)
        return BoundOption(number, name, tuple(supplies), tuple(items), scope, None)

    def _ledgers(self, scope: Scope, fold: _Fold) -> list[str]:
        """Tax, financing, what is given up: the ledgers that the option has."""
        variants = []
        scope.aliases["operating_cost"] = fold.lines["cost"]
        scope.aliases["opportunity_cost"] = fold.lines["opportunity"]
        of_tax = self.scenario.tax
        if of_tax is not None:
            variants += ["taxed", "ledgers"]
            by_year = of_tax.paid == "year-end"
            regime = {
                "elsewhere": ["elsewhere"],
                "worthless": ["limited"],
                "carried": ["limited", "carried"],
            }[of_tax.losses]
            found = functions_of(tax, *(["year", *regime] if by_year else ["month"]))
            scope.aliases["current_tax"] = scope.line("tax_due" if by_year else "tax_cost")
            if of_tax.losses == "worthless":
                scope.aliases["losses_used"] = 0
            found.update(self._tax_of_financing(scope, fold, by_year))
            settle(scope, found, [name for name in found if name not in MAY_VANISH])
        else:
            scope.aliases.update(dict.fromkeys(("tax_cost", "tax_cash_flow"), 0))
            scope.aliases.update(equivalent_tax_cost=0, financing_tax_cash_flow=0)
        if fold.lines["financing_cash_flow"] != 0:
            variants.append("financed")
        else:
            scope.aliases.update(financing_cash_flow=0, interest_cost=0)
        if fold.lines["opportunity"] != 0:
            variants += ["owned_already", *([] if "ledgers" in variants else ["ledgers"])]
        else:
            scope.aliases["equivalent_opportunity_cost"] = 0
        if fold.lines["net_resale"] != 0:
            variants.append("resale")
        else:
            scope.aliases["cumulative_cost_without_resale"] = scope.line("cumulative_cost")
        if fold.lines["disposal_loss"] != 0:
            variants.append("disposals")
        else:
            scope.aliases["disposal_loss"] = 0
        return variants

    def _of_sole(self, scope: Scope, supply: BoundSupply) -> list[str]:
        """What can be said of an option of one supply whose cost is linear in its work."""
        given = supply.given
        variants = {"own": ["owned"], "rent": ["rented"], "api": []}[given.kind]
        if self.taker.is_taxed_by_limits:
            return []
        if "busy_energy_cost" in supply.scope.functions:
            variants.append("owned_weighted")
        if given.kind == "own" and given.count == "auto":
            variants = []
        if self.demand is not None and supply.linear:
            variants.append("tokens")
            if scope.find("marginal_cost") is None:
                scope.aliases["marginal_cost"] = 0
            if scope.find("marginal_cash_cost") is None:
                found = scope.find("marginal_cost")
                assert found is not None
                scope.aliases["marginal_cash_cost"] = found
        return variants

    def _bind_supply(
        self, option: str, fold: _Fold, number: int, given: Supply, owner: str
    ) -> BoundSupply:
        scope = fold.link(Scope(f"{option}/s{number}", around=self.time))
        name, path = (
            f"{option}_s{number}_staff_hours_per_month",
            f"{given.path}.staff_hours_per_month",
        )
        hours = Place(given.staff_hours_per_month, name, path, owner)
        self.taker.take(scope, "staff_hours_per_month", hours)
        scope.functions.update(functions_of(staff))
        measured, linear, plain = False, True, False
        if isinstance(given, Api):
            assert self.demand is not None
            prefix = f"{option}_s{number}"
            caches = self.demand.caches
            supply = ApiSupply(self.taker, self.demand, scope, given, owner, prefix, caches)
            bind_capacity(supply)
            if is_present(given):
                self._bind_present(scope)
            else:
                linear = bind_api(supply)
        else:
            card = str(card_of(given))
            gpus = Gpus(self.taker, self.demand, scope, given, card, owner)
            bind_gpus(gpus)
            if isinstance(given, Own):
                plain = bind_owned(gpus)
            else:
                bind_rented(gpus)
            measured = gpus.measured
            linear = not gpus.is_auto and getattr(given, "sessions", None) is None
            linear = linear and getattr(given, "billed", "held") != "needed"
            linear = linear and getattr(given, "prepaid", None) is None
        fits = ["fit"] if "does_not_fit" in scope.functions else []
        alone = ["alone"] if measured and self.demand and self.demand.kind == "tokens" else []
        scope.functions.update(functions_of(chain, *filter(None, ["_and_".join([*fits, *alone])])))
        self.taker.scopes.append(scope)
        fold.hand_on(scope)
        linear = linear and not self.taker.is_taxed_by_limits
        return BoundSupply(number, given, scope, measured, card_of(given), linear, plain)

    def _bind_present(self, scope: Scope) -> None:
        """Each workload's share of the work on the API where it is now."""
        assert self.demand is not None
        before: str | int = 0
        for workload in self.demand.workloads:
            inner = Scope(f"{scope.name}/{workload.scope.name or 'w1'}", around=scope)
            for name in ("work", "input_tokens", *(f"{c}_tokens" for c in self.demand.caches)):
                found = workload.scope.find(f"{name}_demanded")
                inner.aliases[f"{name}_demanded"] = 0 if found is None else found
            self._bind_moved(inner, workload)
            inner.aliases["present_cost_before"] = before
            inner.functions.update(functions_of(present, "moved"))
            self.taker.scopes.append(inner)
            before = inner.line("present_cost_through")
        scope.aliases["api_cost"] = before
        scope.aliases.update(prepaid_cost=0, equivalent_extra_cost=0, prepaid_expense=0)
        of_any_api = functions_of(api, "bill")
        scope.functions.update({name: of_any_api[name] for name in OF_A_BILL})

    def _bind_moved(self, inner: Scope, workload: BoundWorkload) -> None:
        assert workload.given.present is not None
        self._bind_bill(inner, workload)
        if workload.given.kind == "tokens":
            inner.functions.update(functions_of(present, "moved_tokens"))

    def _bind_bill(self, inner: Scope, workload: BoundWorkload) -> None:
        """The bill of a workload at the prices of the option it is on now."""
        assert self.demand is not None
        assert workload.given.present is not None
        names = list(self.scenario.options)
        number = names.index(workload.given.present) + 1
        given = self.scenario.options[workload.given.present].supplies[0]
        assert isinstance(given, Api)
        supply = ApiSupply(
            self.taker,
            self.demand,
            inner,
            given,
            workload.given.present,
            f"o{number}_s1",
            workload.caches,
            extras=False,
        )
        bind_api(supply)
        if inner.aliases["billed_share"] != 1:
            # the attempts of this workload, not the mean of all
            inner.aliases["billed_share"] = workload.scope.line("useful_share")
        for name in ("cash_cost", "expense", "priced_output_volume", "equivalent_parts",
                     "marginal_cost", "marginal_cash_cost",
                     "served_volume", "discounted_output_volume", "discounted_output_charge",
                     "output_charge", "ordinary_request_share", "equivalent_api_cost",
                     "total_served_input_tokens", "input_tokens_priced",
                     "input_tokens_unpriced"):  # fmt: skip
            inner.functions.pop(name, None)

    def _bind_staying(self) -> None:
        """What cannot move, at the prices of where it is: once, and borne by every option."""
        for workload in self.demand.workloads if self.demand else ():
            if not workload.stays:
                continue
            name = f"{workload.scope.name or 'w1'}/present"
            inner = Scope(name, around=workload.scope)
            assert self.demand is not None
            for kind in ("work", "input_tokens", *(f"{c}_tokens" for c in self.demand.caches)):
                found = workload.scope.find(f"staying_{kind}")
                if kind == "work":
                    assert found is not None
                    inner.aliases["served_work"] = found
                elif kind == "input_tokens" and found is not None:
                    inner.aliases["served_input_tokens"] = found
                else:
                    inner.aliases[f"{kind}_demanded"] = 0 if found is None else found
            inner.aliases["served_share"] = 1
            self._bind_bill(inner, workload)
            self.taker.scopes.append(inner)

    def _bind_staying_costs(self, option: str, fold: _Fold) -> list[tuple[Item, Scope]]:
        items = []
        for workload in self.demand.workloads if self.demand else ():
            if not workload.stays:
                continue
            inner = workload.scope.name or "w1"
            scope = fold.link(Scope(f"{option}/{inner}", around=self.time))
            scope.aliases["staying_cost"] = f"{inner}/present/api_cost"
            for module in (other_cost, chain):
                scope.functions.update(functions_of(module, "staying"))
            self.taker.scopes.append(scope)
            fold.hand_on(scope)
            what = f"what stays of {workload.name}" if workload.name else "what stays"
            items.append((Item(f"{what} on {workload.given.present}"), scope))
        return items

    def _bind_cost(
        self, option: str, fold: _Fold, number: int, cost: OtherCost
    ) -> tuple[Item, Scope]:
        scope = fold.link(Scope(f"{option}/c{number}", around=self.time))
        scope.aliases["due"] = DUE[cost.per]
        path = f"other_costs[{number - 1}].amount"
        self.taker.take(scope, "amount", Place(cost.amount, f"c{number}_amount", path, cost.name))
        for module in (other_cost, chain):
            scope.functions.update(functions_of(module, "named"))
        self.taker.scopes.append(scope)
        fold.hand_on(scope)
        return Item(cost.name), scope


def _names_read(scope: Scope) -> Iterable[str]:
    for function in scope.functions.values():
        for parameter in examine(function)[0]:
            found = scope.find(parameter.removeprefix("previous_"))
            if isinstance(found, str):
                yield found
