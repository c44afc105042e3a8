"""Reads from a result what the charts of bars show: monthly cost by part, tornado, waterfall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tco.analysis import answer as wording
from tco.analysis.figures import money
from tco.report.curves import choose
from tco.report.drawing import Bar, Bars, Step, Swing, Swings, Waterfall
from tco.report.subject import Subject

if TYPE_CHECKING:
    from tco.analysis.attribution import Attribution
    from tco.analysis.sensitivity import Tornado

# what a part of the cost is called; in this order the parts lie on one another
PARTS = {
    "hardware": "hardware",
    "rent": "rent",
    "api": "API",
    "electricity": "electricity",
    "site": "site",
    "upkeep": "upkeep",
    "staff": "staff",
    "extra": "storage and traffic",
    "tax": "tax",
    "other": "other costs",
    "resale given up": "resale given up",
    "resale": "resale",
}
MOST_BARS = 12


def monthly(about: Subject) -> Bars:
    """The equivalent monthly cost of every option by its parts, at most twelve options."""
    result = about.result
    shown, hidden = choose(result, *about.pair, most=MOST_BARS)
    amounts: dict[str, dict[str, float]] = {}
    for name in shown:
        parts = amounts.setdefault(name, {})
        for _, part, amount in result.parts(name):
            parts[part] = parts.get(part, 0.0) + amount
    largest = max(abs(amount) for parts in amounts.values() for amount in parts.values())
    found = {
        part for parts in amounts.values() for part in parts if abs(parts[part]) > 1e-9 * largest
    }
    order = [part for part in PARTS if part in found]
    order += sorted(found - set(order))
    bars = []
    for name in shown:
        cost = wording.equivalent(result, name)
        bars.append(
            Bar(
                about.noted(name),
                about.role(name),
                tuple(amounts[name].get(part, 0.0) for part in order),
                cost,
                money(cost, result.currency),
            )
        )
    return Bars(
        title=_monthly_title(about),
        headline=about.question,
        convention=about.convention,
        footer=f"not shown: {', '.join(hidden)}" if hidden else "",
        currency=result.currency,
        caption=f"Equivalent monthly cost in {result.currency}, by part",
        parts=tuple(PARTS.get(part, part) for part in order),
        bars=tuple(bars),
    )


def _monthly_title(about: Subject) -> str:
    result = about.result
    this = about.this or next(option.name for option in result.ranked)
    parts: dict[str, float] = {}
    for _, part, amount in result.parts(this):
        parts[part] = parts.get(part, 0.0) + amount
    largest = max(parts, key=lambda part: abs(parts[part]))
    cost = money(wording.equivalent(result, this), result.currency)
    word = PARTS.get(largest, largest)
    most = money(parts[largest], result.currency)
    return f"{this}: {cost} a month; the largest part is {word}, {most}"


def tornado(about: Subject, found: Tornado) -> Swings:
    """What each input does to the difference of two options, the largest first."""
    result = about.result
    shown, small = found.bars[:MOST_BARS], found.bars[MOST_BARS:]
    first = found.bars[0]
    swing = money(first.swing, result.currency)
    return Swings(
        title=f"{sentence(first.label)} moves the difference most: by {swing} a month",
        headline=about.question,
        convention=about.convention,
        footer=f"not shown, smaller: {', '.join(bar.label for bar in small)}" if small else "",
        currency=result.currency,
        caption=f"Monthly cost of {found.this} less that of {found.other}, in {result.currency}, "
        "each input at its P10 (plain) and at its P90 (hatched)",
        this=found.this,
        other=found.other,
        base=found.base,
        swings=tuple(
            Swing(
                bar.label,
                bar.low_text,
                bar.high_text,
                bar.at_low,
                bar.at_high,
                f"turns at {bar.flips_at}" if bar.flips_at else "",
            )
            for bar in shown
        ),
    )


def sentence(text: str) -> str:
    """A text as it begins a sentence."""
    return text[:1].upper() + text[1:]


def waterfall(about: Subject, found: Attribution) -> Waterfall:
    """From the monthly cost of the other option to that of this one, part by part."""
    result = about.result
    this, other = (wording.equivalent(result, name) for name in (found.this, found.other))
    parts = [part for part in found.parts if part.difference]
    gap = money(abs(found.gap), result.currency)
    more = "less" if found.gap < 0 else "more"
    largest = max(parts, key=lambda part: abs(part.difference), default=None)
    why = ""
    if largest is not None:
        by = signed(largest.difference, result.currency)
        why = f"; the largest difference is {largest.label}, {by}"
    return Waterfall(
        title=f"{found.this} costs {gap} a month {more} than {found.other}{why}",
        headline=about.question,
        convention=about.convention,
        footer="; ".join(found.remarks),
        currency=result.currency,
        caption=f"Equivalent monthly cost in {result.currency}",
        first=(found.other, other, money(other, result.currency)),
        steps=tuple(
            Step(part.label, part.difference, signed(part.difference, result.currency))
            for part in parts
        ),
        last=(found.this, this, money(this, result.currency)),
    )


def signed(amount: float, currency: str) -> str:
    """An amount with its sign.

    >>> signed(5, "USD"), signed(-5, "USD")
    ('+$5', '-$5')
    """
    text = money(amount, currency)
    return text if text.startswith("-") else f"+{text}"
