"""What moves the answer and how sure it is, in a table and a few sentences.

A rule decides what is too close to call, and no score: an input that is only assumed (or a
default, or of no stated basis), taken alone from its low to its high, turns the order round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tco.analysis.axes import is_field
from tco.analysis.bases import value_text
from tco.analysis.closeness import TOO_CLOSE
from tco.analysis.figures import money
from tco.analysis.tables import Row, Table
from tco.results import Result
from tco.scenario.inputs import Input

if TYPE_CHECKING:
    from tco.analysis.findings import Findings
    from tco.analysis.sensitivity import Bar, Tornado

MOST_BARS = 8
KNOWN_BASES = ("measured", "quoted", "published")


def moves(result: Result, found: Tornado | None) -> Table | None:
    """The inputs that move the gap of the focus to the baseline, the largest swing first."""
    if found is None or not found.bars:
        return None
    rows = []
    for bar in found.bars[:MOST_BARS]:
        turns = bar.flips_at or "none seen"
        cells = (
            f"{bar.low_text} .. {bar.high_text}",
            _signed(result, bar.at_low) + ("" if bar.served_at_low else " #"),
            _signed(result, bar.at_high) + ("" if bar.served_at_high else " #"),
            f"{turns} !" if bar.flips_within else turns,
        )
        rows.append(Row(bar.label, "", cells))
    notes = []
    if any(bar.flips_within for bar in found.bars[:MOST_BARS]):
        notes.append("!  it lies within the range, so that the answer turns there")
    if any(bar.flips_at is None for bar in found.bars[:MOST_BARS]):
        notes.append(
            "none seen: at no value that is looked at, mostly 0 to ten times the given one; the "
            "ranges are in  tco sensitivity"
        )
    if found.bars[MOST_BARS:]:
        notes.append(f"{len(found.bars) - MOST_BARS} more with  tco sensitivity")
    if any(not (bar.served_at_low and bar.served_at_high) for bar in found.bars[:MOST_BARS]):
        notes.append("#  one of the two leaves work unserved there")
    title = f"{found.this} less {found.other}, a month; as given {_signed(result, found.base)}"
    return Table(title, ("from .. to", "at low", "at high", "turns at"), tuple(rows), tuple(notes))


def _signed(result: Result, gap: float) -> str:
    text = money(gap, result.currency)
    return f"+{text}" if gap > 0 and text != money(0, result.currency) else text


def sure(result: Result, findings: Findings) -> Iterator[str]:
    """How sure the answer is: the chance of being the cheapest, or why nothing is drawn."""
    from tco.analysis.uncertainty import sentence

    said = sentence(result, findings.simulation)
    if said is not None:
        yield said
    elif result.model.has_demand:
        yield (
            "Not known: no input has a low and a high; give them as "
            "{value: 50 M, low: 10 M, high: 90 M}"
        )


def why(result: Result, findings: Findings) -> Iterator[str]:
    """What the gap of the focus to the baseline is made of, largest part first."""
    found = findings.attribution
    if found is None:
        return
    parts = sorted((p for p in found.parts if p.difference), key=lambda p: -abs(p.difference))
    if not parts:
        return
    listed = ", ".join(f"{part.label} {_signed(result, part.difference)}" for part in parts)
    yield f"{found.this} less {found.other}, {_signed(result, found.gap)} a month: {listed}"


def ranges_that_turn(result: Result, found: Tornado | None) -> Iterator[str]:
    """A condition for each input whose own range holds the value at which the answer turns."""
    if found is None or found.base >= 0:
        return
    for bar in found.bars:
        if not bar.flips_within or bar.flips_at is None:
            continue
        given = _given(result, bar)
        if given is not None and is_field(given, "staff_hours_per_month"):
            continue  # a condition of its own in every answer
        side = "above" if bar.at_high < bar.at_low else "below"
        held = f"{value_text(result, given)} {given.basis}" if given else "as given"
        yield f"{bar.label}: only {side} {bar.flips_at} [{held}; {bar.low_text} to {bar.high_text}]"


def too_close(result: Result, found: Tornado | None) -> str | None:
    """A sentence where one assumed input alone turns two options round; None where none does."""
    if found is None:
        return None
    for bar in found.bars:
        given = _given(result, bar)
        if given is None or given.basis in KNOWN_BASES:
            continue
        if not (bar.served_at_low and bar.served_at_high):
            continue
        if min(bar.at_low, bar.at_high) < 0 < max(bar.at_low, bar.at_high):
            cheaper, dearer = (
                (found.this, found.other) if found.base < 0 else (found.other, found.this)
            )
            gap = money(abs(found.base), result.currency)
            swing = money(bar.swing, result.currency)
            return (
                f"{TOO_CLOSE}: {cheaper} is {gap} a month cheaper than {dearer}, and "
                f"{bar.label}, {bar.low_text} to {bar.high_text} ({given.basis}), "
                f"moves that by {swing}."
            )
    return None


def _given(result: Result, bar: Bar) -> Input | None:
    return next((i for i in result.model.numbers if i.name == bar.inputs[0]), None)
