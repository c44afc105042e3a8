"""Comparisons of one option with another, added to a model that is already put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tco.engine.graph import Graph, Scope
from tco.engine.guards import examine
from tco.engine.structure import BoundOption, BoundSupply, Model, Pair, functions_of
from tco.model import break_even
from tco.scenario.schema import Api


def compare(model: Model, pairs: Iterable[tuple[str, str]]) -> Model:
    """The same model with comparisons added, each of an option against another, by name."""
    options = {option.name: option for option in model.options}
    bound = tuple(
        _bind_pair(model.time, number, options[this], options[other])
        for number, (this, other) in enumerate(pairs, start=1)
    )
    scopes = [pair.scope for pair in bound]
    graph = Graph(scopes, model.graph.inputs, onto=model.graph) if bound else model.graph
    return replace(model, pairs=bound, scopes=(*model.scopes, *scopes), graph=graph)


def _bind_pair(time_axis: Scope, number: int, this: BoundOption, other: BoundOption) -> Pair:
    scope = Scope(f"p{number}", around=time_axis)
    variants = _pair_variants(this, other)
    scope.functions.update(functions_of(break_even, *variants))
    for function in scope.functions.values():
        for parameter in examine(function)[0]:
            side, _, name = parameter.partition("_")
            option = {"this": this, "other": other}.get(side)
            found = option.scope.find(name) if option and option.scope else None
            if found is not None:
                scope.aliases[parameter] = found
    return Pair(number, this, other, scope, frozenset(variants))


def _pair_variants(this: BoundOption, other: BoundOption) -> list[str]:
    variants = []
    if this.sole and this.sole.given.kind == "own":
        variants.append("own")
    if other.sole and other.sole.given.kind in ("api", "rent"):
        variants.append(other.sole.given.kind)
    if not this.sole or not other.sole:
        return variants
    kinds = (this.sole.given.kind, other.sole.given.kind)
    # between two sets of GPUs tokens decide nothing: neither is paid by the token
    if "api" in kinds:
        variants.append("tokens")
        if this.sole.measured:
            variants.append("capacity")
    if kinds == ("rent", "rent"):
        variants.append("rented")
    if kinds == ("own", "rent") and _gpus(this.sole) == _gpus(other.sole):
        variants.append("hours")
    return variants


def _gpus(supply: BoundSupply) -> tuple[str | None, float]:
    assert not isinstance(supply.given, Api)
    return supply.card, supply.given.count.value
