"""Binds a line through points of ages and shares, one stretch after the other."""

from __future__ import annotations

from collections.abc import Sequence

from tco.engine.graph import Scope
from tco.engine.settling import settle
from tco.engine.structure import functions_of
from tco.engine.taking import Place, Taker
from tco.model import points
from tco.scenario.schema import Quantity
from tco.units import Month


def bind_points(
    taker: Taker,
    scope: Scope,
    letter: str,
    given: Sequence[tuple[Quantity, Quantity]],
    start: int,
    field: str,
    holder: str,
    owner: str,
    delay: int = 0,
) -> str | int:
    """The line that gives the share at each age; ``given`` are ages in months and their shares.

    ``start`` is the share at age 0 where no point gives it; ``delay`` are the months by which all
    ages are later; ``letter`` names the scopes.
    """
    inner = Scope(f"{scope.name}/{letter}0", around=scope)
    share: str | int | None = start
    age, before = float(delay), share
    for number, (reached, quantity) in enumerate(given, start=1):
        months = reached.value + delay
        taker.beforehand.append(reached.path)
        inner = Scope(f"{scope.name}/{letter}{number}", around=scope)
        name = f"{holder}_{letter}{number}"
        whose = f"{owner}, point {number}"
        taker.take(inner, field, Place(quantity, f"{name}_share", quantity.path, whose))
        point = inner.find(field)
        assert point is not None
        if months > age:
            for parameter, value in (("stretch_from", age), ("stretch_to", months)):
                inner.inputs[parameter] = taker.inputs.table_row(
                    f"{name}_{parameter}", f"Age {parameter[8:]} which a stretch runs, {whose}",
                    Month, value, quantity.path,
                )  # fmt: skip
            inner.aliases.update(
                share_before=before or 0, point_share_before=share or 0, point_share=point
            )
            settle(inner, functions_of(points), ("share_through",))
            before = inner.find("share_through")
        else:
            before = point
        taker.scopes.append(inner)
        share, age = point, months
    assert before is not None
    return before
