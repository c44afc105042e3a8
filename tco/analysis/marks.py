"""The marks that an option carries in every table, and what they mean."""

from __future__ import annotations

from tco.engine.structure import BoundOption
from tco.results import Result
from tco.scenario.schema import Api, Quantity


def marks(result: Result, name: str) -> str:
    """The marks of an option in a table.

    ``M`` another model than the baseline's, ``?`` throughput unknown, ``~`` one printed number in
    two currencies, ``*`` rests on an assumed input of its own.
    """
    option = result.option(name)
    found = ""
    base = result.option(result.baseline) if result.baseline else None
    if base is not None and _models(option) - _models(base):
        found += "M"
    if result.model.has_demand and any(s.card and not s.measured for s in option.supplies):
        found += "?"
    if _ambiguous(result, option):
        found += "~"
    if any(q.basis == "assumed" for q in own_inputs(result, option)):
        found += "*"
    return found


def own_inputs(result: Result, option: BoundOption) -> list[Quantity]:
    """The quantities that only an option's supplies read, not the whole scenario."""
    scopes = {supply.scope.name for supply in option.supplies}
    names = {
        read
        for line in result.model.graph.lines.values()
        if line.scope in scopes
        for read in result.model.graph.reads(line.name)
    }
    shared = {"discount_rate", "hourly_cost", "output_tokens", "input_tokens"}
    inputs = (
        result.model.inputs.get(name) for name in names - shared if not name.startswith("fx_")
    )
    return [given.quantity for given in inputs if given is not None and given.quantity is not None]


def _models(option: BoundOption) -> set[str]:
    given = (supply.given for supply in option.supplies)
    return {m for m in (g.api if isinstance(g, Api) else g.model for g in given) if m}


def _ambiguous(result: Result, option: BoundOption) -> bool:
    sole = option.sole
    if sole is None or not isinstance(sole.given, Api) or sole.given.output_price is None:
        return False
    for other in result.model.options:
        twin = other.sole.given if other.sole else None
        if (
            other.name != option.name
            and isinstance(twin, Api)
            and twin.api == sole.given.api
            and twin.output_price
        ):
            one, two = sole.given.output_price, twin.output_price
            if one.value == two.value and (one.currency or result.currency) != (
                two.currency or result.currency
            ):
                return True
    return False
