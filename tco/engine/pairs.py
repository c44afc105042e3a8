"""Comparisons of one option with another, added to a model that is already put together."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from tco.engine.graph import Graph, Scope
from tco.engine.guards import examine
from tco.engine.structure import BoundOption, BoundSupply, Model, Pair, functions_of
from tco.model import break_even
from tco.scenario.schema import Api, Rent


def compare(model: Model, pairs: Iterable[tuple[str, str]]) -> Model:
    """The same model with comparisons added, each of an option against another, by name."""
    options = {option.name: option for option in model.options}
    bound = tuple(
        _bind_pair(model, number, options[this], options[other])
        for number, (this, other) in enumerate(pairs, start=1)
    )
    scopes = [pair.scope for pair in bound]
    graph = Graph(scopes, model.graph.inputs, onto=model.graph) if bound else model.graph
    return replace(model, pairs=bound, scopes=(*model.scopes, *scopes), graph=graph)


def _bind_pair(model: Model, number: int, this: BoundOption, other: BoundOption) -> Pair:
    scope = Scope(f"p{number}", around=model.time)
    tax = model.scenario.tax
    # a tax that is saved only up to a profit is not in proportion to cost
    linear = tax is None or tax.losses == "elsewhere"
    variants = _pair_variants(this, other, linear)
    if other.name == model.baseline:
        variants.append("baseline")
    scope.functions.update(functions_of(break_even, *variants))
    for function in scope.functions.values():
        for parameter in examine(function)[0]:
            side, _, name = parameter.partition("_")
            option = {"this": this, "other": other}.get(side)
            found = option.scope.find(name) if option and option.scope else None
            if found is not None:
                scope.aliases[parameter] = found
    _share_one_margin(scope)
    return Pair(number, this, other, scope, frozenset(variants))


def _share_one_margin(scope: Scope) -> None:
    """One row for a price gap that is the same with and without discounting."""
    for cash_gap, gap, operands in (
        ("cash_price_gap", "price_gap",
         (("this_marginal_cash_cost", "this_marginal_cost"),
          ("other_marginal_cash_cost", "other_marginal_cost"))),
        ("hour_cash_price_gap", "hour_price_gap",
         (("this_busy_cash_hour_cost", "this_busy_hour_cost"),
          ("other_hour_cash_price", "other_hour_price"))),
    ):  # fmt: skip
        if cash_gap in scope.functions and all(
            scope.find(one) == scope.find(another) for one, another in operands
        ):
            del scope.functions[cash_gap]
            scope.aliases[cash_gap] = scope.line(gap)


def _pair_variants(this: BoundOption, other: BoundOption, linear: bool) -> list[str]:
    variants = ["staff"] if linear else []
    if this.sole and this.sole.plain:
        variants.append("own")
    if linear and other.sole and _has_price(other.sole):
        variants.append(other.sole.given.kind)
    if any(
        o.scope and "cumulative_cost_without_resale" in o.scope.functions for o in (this, other)
    ):
        variants.append("resale")
    if not this.sole or not other.sole:
        return variants
    kinds = (this.sole.given.kind, other.sole.given.kind)
    # between two sets of GPUs tokens decide nothing: neither is paid by the token
    if "api" in kinds and this.sole.linear and other.sole.linear:
        variants.append("tokens")
        if this.sole.measured:
            variants.append("capacity")
    if kinds == ("rent", "rent"):
        if all(_is_paid_by_the_busy_hour(supply) for supply in (this.sole, other.sole)):
            variants.append("rented")
        reserved = [getattr(supply.given, "reserved", None) for supply in (this.sole, other.sole)]
        if reserved[0] and not reserved[1] and this.sole.card == other.sole.card:
            variants.append("reserved")
    if kinds == ("own", "rent") and is_same_gpus(this.sole, other.sole):
        variants.append("hours")
    return variants


def _is_paid_by_the_busy_hour(supply: BoundSupply) -> bool:
    """Whether a finished job costs its hours times a price, so that more speed saves money."""
    given = supply.given
    return isinstance(given, Rent) and given.billed == "busy" and given.sessions is None


def _has_price(supply: BoundSupply) -> bool:
    """Whether one price of a supply enters its cost in proportion."""
    if isinstance(supply.given, Api):
        return supply.scope.find("discounted_output_charge") is not None
    return isinstance(supply.given, Rent)


def is_same_gpus(this: BoundSupply, other: BoundSupply) -> bool:
    """Whether two supplies are the same number of the same card, held or by the busy hour."""
    if not (this.linear and other.linear) or this.card != other.card:
        return False
    # cards that come later are not there in all the hours
    if "in_service" in this.scope.functions:
        return False
    return _gpus_of(this) == _gpus_of(other)


def _gpus_of(supply: BoundSupply) -> float | None:
    """GPUs of a supply of a fixed number, those that fill a node included; None for an API."""
    if isinstance(supply.given, Api) or isinstance(supply.given.count, str):
        return None
    count, sizing = supply.given.count.value, supply.given.sizing
    if not supply.measured or sizing is None or sizing.gpus_per_node is None:
        return count
    node = sizing.gpus_per_node.value
    return math.ceil(count / node - 1e-9) * node
