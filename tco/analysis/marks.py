"""The marks that an option carries in every table, and what they mean."""

from __future__ import annotations

from tco.engine.missing import points_of, replacement_of
from tco.engine.structure import BoundOption, BoundSupply
from tco.results import Result
from tco.scenario.schema import Api, Quantity
from tco.scenario.supplies import PRESENT


def marks(result: Result, name: str) -> str:
    """The marks of an option in a table.

    ``M`` another model than the baseline's, ``?`` throughput unknown, ``P`` throughput of cards in
    parallel not measured, ``~`` one printed number in two currencies, ``*`` rests on an assumed
    input of its own.
    """
    option = result.option(name)
    found = ""
    base = result.option(result.baseline) if result.baseline else None
    if base is not None and other_models(result, option, base):
        found += "M"
    if result.model.has_demand and any(s.card and not s.measured for s in option.supplies):
        found += "?"
    if any(parallel_unmeasured(result, supply) for supply in option.supplies):
        found += "P"
    if _ambiguous(result, option):
        found += "~"
    if any(q.basis == "assumed" for q in own_inputs(result, option)):
        found += "*"
    return found


def other_models(result: Result, option: BoundOption, base: BoundOption) -> list[str]:
    """The models of an option that would take the place of a baseline's.

    Where each workload is on a model of its own now, one model for all is another for some.
    """
    own, now = list(models_of(result, option)), set(models_of(result, base))
    moved = len(now) > 1 and set(own) != now
    return own if moved else [name for name in own if name not in now]


def parallel_unmeasured(result: Result, supply: BoundSupply) -> bool:
    """Whether several cards hold one copy of the model, at a throughput not measured so.

    Two cards without a link are not one pool: what one does alone says little of two together.
    """
    given = supply.given
    if isinstance(given, Api) or not supply.measured or given.sizing is None:
        return False
    together = given.sizing.gpus_per_replica
    if together is None or together.value == 1 or result.model.counted.lot != "Mtok":
        return False
    points = points_of(result.scenario, given)
    return not any(
        point.tensor_parallel is not None and point.tensor_parallel.value == together.value
        for point in points
    )


def own_inputs(result: Result, option: BoundOption) -> list[Quantity]:
    """The quantities that only an option's supplies read, not the whole scenario."""
    scopes = {supply.scope.name for supply in option.supplies}
    scopes |= {name for scope in list(scopes) for name in result.model.inner_scopes(scope)}
    names = {
        read
        for line in result.model.graph.lines.values()
        if line.scope in scopes
        for read in result.model.graph.reads(line.name)
    }
    shared = set(result.model.time.inputs.values())
    inputs = (
        result.model.inputs.get(name) for name in names - shared if not name.startswith("fx_")
    )
    return [given.quantity for given in inputs if given is not None and given.quantity is not None]


def models_of(result: Result, option: BoundOption) -> dict[str, None]:
    """The models that an option runs, as far as the scenario names them."""
    found: list[str | None] = []
    for supply in option.supplies:
        given = supply.given
        if not isinstance(given, Api):
            found.append(given.model or replacement_of(result.scenario))
        elif given.api != PRESENT:
            found.append(given.api)
        else:
            demand = result.scenario.demand
            names = [w.present for w in demand.parts.values()] if demand else []
            found += [_api_of(result, name) for name in names if name]
    return dict.fromkeys(model for model in found if model)


def _api_of(result: Result, option: str) -> str | None:
    given = result.scenario.options[option].supplies[0]
    return given.api if isinstance(given, Api) else None


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
