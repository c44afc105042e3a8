"""The gap between the option of the answer and the baseline, in tables: its parts, its zeros."""

from __future__ import annotations

from collections.abc import Sequence

from tco.analysis.attribution import Attribution
from tco.analysis.break_even import ALWAYS, CROSSES, EQUAL, NEVER, BreakEven, Crossing
from tco.analysis.figures import cell
from tco.analysis.tables import Row, Table
from tco.results import Result

MOST_PLACES = 3
UNSERVED = "#  one of the two leaves work unserved there"


def parts(result: Result, found: Attribution) -> Table:
    """What each part of the cost adds to the gap, a month and in present value.

    The last row is the gap, to which the parts add up.
    """
    rows = [
        (part.label, (part.this, part.other, part.difference, part.npv)) for part in found.parts
    ]
    one, other = (
        result.metrics[name]["equivalent_monthly_cost"] or 0.0 for name in (found.this, found.other)
    )
    rows.append(("all", (one, other, found.gap, found.gap_npv)))
    return Table(
        f"{found.this} less {found.other}, {result.currency} a month",
        (found.this, found.other, "difference", "present value"),
        tuple(Row(label, cells=tuple(cell(x, 2) for x in amounts)) for label, amounts in rows),
        found.remarks,
    )


def zeros(result: Result, flips: Sequence[BreakEven]) -> Table | None:
    """Where the gap is 0 as one input is varied, the others as given; None where nothing is.

    An input that neither option depends on is left out.
    """
    shown = [found for found in flips if found.depending]
    if not shown:
        return None
    rows = []
    for found in shown:
        ends = f"{found.axis.text(result, found.low)} to {found.axis.text(result, found.high)}"
        below, above = _cheaper(found)
        given = found.axis.text(result, found.axis.base)
        rows.append(
            Row(found.axis.label, cells=(given, _places(result, found), below, above, ends))
        )
    heads = ("as given", "turns at", "cheaper below", "cheaper above", "looked at")
    unserved = any(not crossing.served for found in shown for crossing in found.crossings)
    notes = (UNSERVED,) if unserved else ()
    return Table(f"{shown[0].this} against {shown[0].other}", heads, tuple(rows), notes)


def _places(result: Result, found: BreakEven) -> str:
    if found.status != CROSSES:
        return "none seen"
    places = [_place(result, found, crossing) for crossing in found.crossings[:MOST_PLACES]]
    more = len(found.crossings) - MOST_PLACES
    return ", ".join(places) + (f" and {more} more" if more > 0 else "")


def _place(result: Result, found: BreakEven, crossing: Crossing) -> str:
    """A value, or the two whole numbers that the zero lies between."""
    place = found.axis.text(result, crossing.value)
    if found.axis.whole and crossing.value != crossing.after:
        place = f"{place} to {found.axis.text(result, crossing.after)}"
    return place if crossing.served else f"{place} #"


def _cheaper(found: BreakEven) -> tuple[str, str]:
    """Which one is the cheaper one below all zeros, and above them."""
    if found.first is not None and found.lasting is not None:
        return found.first.below, found.lasting.above
    one = {ALWAYS: found.this, NEVER: found.other, EQUAL: "neither"}[found.status]
    return one, one
