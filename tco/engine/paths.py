"""Binds how a price moves over the months."""

from __future__ import annotations

from tco.engine.graph import Scope
from tco.engine.structure import functions_of
from tco.engine.taking import Place, Taker
from tco.model import path as model
from tco.scenario.finance import PricePath
from tco.scenario.schema import Quantity
from tco.units import Factor, Month


def bind_path(
    taker: Taker, scope: Scope, given: PricePath, name: str, holder: str, owner: str, by: str
) -> None:
    """A scope ``name`` within ``scope`` with the factor of the month; ``by`` where it is not said.

    The factor is known in ``scope`` as ``price_factor``, or ``<name>_factor`` of a tariff.
    """
    inner = Scope(f"{scope.name}/{name}", around=scope)

    def take(field: str, quantity: Quantity | None, word: str) -> None:
        place = Place(quantity, f"{holder}_{field}", f"{given.path}.{word}", owner)
        taker.take(inner, field, place)

    if given.steps is not None:
        first = Quantity(value=1.0, path=f"{given.path}.steps", line=given.line)
        rows = [(0.0, 1.0, first)] if given.steps[0].month.value > 1 else []
        rows += [(step.month.value, step.factor.value, step.factor) for step in given.steps]
        months = (0.0, *(month for month, *_ in rows[1:]))
        inner.inputs["path_month"] = taker.inputs.table(
            f"{holder}_path_month", f"First month of a step, {owner}", Month, months, given.path
        )
        inner.inputs["path_factor"] = taker.inputs.live_table(
            f"{holder}_path_factor", f"Factor of the first price, {owner}", Factor,
            [(factor, quantity) for _, factor, quantity in rows],
        )  # fmt: skip
        variant = "steps"
    elif given.level is not None:
        take("path_level", given.level, "level")
        take("reverting_per_month", given.reverting_per_month, "reverting_per_month")
        variant = "level"
    else:
        take("path_change_per_year", given.change_per_year, "change_per_year")
        variant = given.by or by
    inner.functions.update(functions_of(model, variant))
    taker.scopes.append(inner)
    known_as = "price_factor" if name == "path" else f"{name}_factor"
    scope.aliases[known_as] = inner.line("price_factor")
