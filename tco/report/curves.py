"""Reads from a result what the charts of costs along an axis show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tco.analysis import answer as wording
from tco.analysis.axes import Axis
from tco.analysis.break_even import break_even_months
from tco.analysis.closeness import TOO_CLOSE
from tco.analysis.figures import money, share
from tco.analysis.marks import marks
from tco.analysis.summary import Summary
from tco.analysis.sweeps import BusyShares, Sweep, sweep
from tco.report.drawing import BASELINE, FOCUS, OTHER, Curve, Curves, Mark, Ticks
from tco.report.scales import ticks
from tco.report.subject import Subject, subject
from tco.results import INCOMPLETE, OK, Result

MOST_CURVES = 8
MOST_MARKS = 3


def cumulative_cost(result: Result, summary: Summary, about: Subject | None = None) -> Curves:
    """The chart of a result: at most eight options, the answer above, what is left out below."""
    about = about or subject(result, summary)
    shown, hidden = choose(result, *about.pair)
    months = range(result.scenario.months + 1)
    return Curves(
        title=summary.question or summary.title,
        headline=headline(summary) if about.is_usual else _course_text(about),
        convention=f"{summary.counting}; {summary.conventions}",
        footer=f"not shown: {', '.join(hidden)}" if hidden else "",
        currency=result.currency,
        caption=f"Cumulative cost in {result.currency}, not discounted",
        axis="month, counted from the decision",
        places=tuple(float(month) for month in months),
        ticks=_month_ticks(result),
        curves=merged([_cumulative(about, name) for name in shown]),
        marks=_paid_back(about),
    )


def headline(summary: Summary) -> str:
    """The answer with the first of its conditions, which is that on hours of work."""
    answer = summary.answer
    if answer.focus is None or answer.verdict[0].startswith(TOO_CLOSE):
        return answer.verdict[0]
    first = answer.conditions[0] if answer.conditions else ""
    if "hours of work" not in first:
        return answer.focus.partition(" [")[0]
    others = len(answer.conditions) - 1
    more = f" (and {others} more, see the summary)" if others else ""
    return f"{answer.focus} {first.partition(' [')[0]}{more}"


def choose(result: Result, *first: str, most: int = MOST_CURVES) -> tuple[list[str], list[str]]:
    """The options to draw, focus and baseline among them, and the others with what they cost.

    Other options than those are the ``first`` to draw, where given.
    """
    costed = [option.name for option in result.ranked if result.status[option.name] != INCOMPLETE]
    asked = first or (result.baseline, result.focus)
    first = tuple(name for name in asked if name in costed)
    chosen = dict.fromkeys([*first, *costed])
    shown = set(list(chosen)[:most])
    hidden = [
        f"{name} ({_why_hidden(result, name)})"
        for name in (option.name for option in result.ranked)
        if name not in shown
    ]
    return [name for name in costed if name in shown], hidden


def _why_hidden(result: Result, name: str) -> str:
    missing = result.option(name).missing
    if missing:
        return missing.what
    return money(wording.equivalent(result, name), result.currency) + " a month"


def _course_text(about: Subject) -> str:
    """When one option is paid back against another that the answer is not about."""
    result = about.result
    if len(about.pair) < 2 or any(result.status[name] != OK for name in about.pair):
        return f"{' and '.join(about.pair)}: not compared, one leaves work unserved"
    this, other = about.pair
    costs = [money(wording.equivalent(result, name), result.currency) for name in about.pair]
    start = f"{this}: {costs[0]} a month, {other}: {costs[1]} a month"
    cash = break_even_months(result, this, other).cash
    if cash.lasting is None:
        short = money(abs(cash.saved), result.currency)
        return f"{start}; never paid back: {short} short at month {result.scenario.months}"
    if cash.lasting == 0:
        return f"{start}; {this} is ahead from the first day"
    return f"{start}; paid back in {wording.month_name(result, cash.lasting)}"


def _cumulative(about: Subject, name: str) -> Curve:
    values = tuple(about.result.line(name, "cumulative_cost"))
    amount = money(values[-1], about.result.currency)
    return Curve(about.noted(name), about.role(name), amount, values)


def _month_ticks(result: Result) -> Ticks:
    last = result.scenario.months
    step = next((s for s in (1, 2, 3, 6, 12) if last / s <= 8), 24)
    return tuple((float(month), _month(result, month)) for month in range(0, last + 1, step))


def _month(result: Result, month: int) -> str:
    if result.scenario.start is None or month == 0:
        return str(month)
    return f"{month}\n{wording.month_name(result, month)[-8:-1]}"


def _paid_back(about: Subject) -> tuple[Mark, ...]:
    """The month from whose end on the one option has cost no more than the other."""
    result = about.result
    if len(about.pair) < 2 or any(result.status[name] != OK for name in about.pair):
        return ()
    if not result.model.has_demand:
        return ()
    this, other = about.pair
    month = break_even_months(result, this, other).cash.lasting
    if not month:
        return ()
    cost = result.line(this, "cumulative_cost")[month]
    return (Mark(month, cost, f"paid back in {wording.month_name(result, month)}"),)


def merged(curves: Sequence[Curve]) -> tuple[Curve, ...]:
    """Curves that are the same as one, with all their names."""
    found: list[Curve] = []
    for curve in curves:
        for place, other in enumerate(found):
            roles = {curve.role, other.role} - {OTHER}
            if len(roles) < 2 and curve.serves == other.serves and _alike(curve, other):
                role = roles.pop() if roles else OTHER
                found[place] = replace(other, name=f"{other.name}, {curve.name}", role=role)
                break
        else:
            found.append(curve)
    return tuple(found)


def _alike(curve: Curve, other: Curve) -> bool:
    scale = max(map(abs, curve.values), default=0.0)
    pairs = zip(curve.values, other.values, strict=True)
    return all(abs(a - b) <= 1e-9 * scale for a, b in pairs)


def along(
    about: Subject, axis: Axis, between: tuple[float, float], crossings: Sequence[float]
) -> Curves:
    """The monthly cost of options along an axis, and where the two that are asked about cross."""
    result = about.result
    shown, hidden = choose(result, *about.pair)
    crossings = [x for x in crossings if between[0] < x < between[1]][:MOST_MARKS]
    found = sweep(result, axis, between, shown, [*crossings, axis.base])
    return Curves(
        title=_along_title(about, found, crossings),
        headline=about.question,
        convention=about.convention,
        footer="; ".join(_footnotes(about, shown, hidden)),
        currency=result.currency,
        caption=f"Equivalent monthly cost in {result.currency}",
        axis=axis.label,
        places=tuple(found.points.tolist()),
        ticks=ticks(*between, lambda x: axis.text(result, x)),
        curves=merged([_swept(about, found, name) for name in shown]),
        marks=tuple(Mark(x, _cost(about, found, x), axis.text(result, x)) for x in crossings),
        here=axis.base if between[0] <= axis.base <= between[1] else None,
        here_text=f"here {axis.text(result, axis.base)}",
    )


def _footnotes(about: Subject, shown: Sequence[str], hidden: Sequence[str]) -> Iterator[str]:
    if hidden:
        yield f"not shown: {', '.join(hidden)}"
    unknown = [name for name in shown if "?" in marks(about.result, name)]
    if unknown:
        yield f"capacity not checked, no throughput given: {', '.join(unknown)}"


def _swept(about: Subject, found: Sweep, name: str) -> Curve:
    row = found.options.index(name)
    serves = tuple(bool(flag) for flag in found.serves[row])
    amount = money(found.monthly[row, -1], about.result.currency)
    if not serves[-1]:
        last = max((x for x, flag in zip(found.points, serves, strict=True) if flag), default=None)
        until = "nowhere" if last is None else f"to {found.axis.text(about.result, last)}"
        amount = f"serves {until}"
    return Curve(_plain(about, name), about.role(name), amount, _row(found, name), serves)


def _row(found: Sweep, name: str) -> tuple[float, ...]:
    return tuple(found.monthly[found.options.index(name)].tolist())


def _plain(about: Subject, name: str) -> str:
    return f"{name} (baseline)" if name == about.result.baseline else name


def _cost(about: Subject, found: Sweep, x: float) -> float:
    assert about.this is not None
    return _row(found, about.this)[int(np.searchsorted(found.points, x))]


def _along_title(about: Subject, found: Sweep, crossings: Sequence[float]) -> str:
    """What the chart says: which of the two is the cheaper one, and from where to where."""
    this, other = about.this, about.other
    if this is None or other is None:
        return f"Cost against {found.axis.label}"
    result, axis = about.result, found.axis
    a, b = _row(found, this), _row(found, other)
    cheaper_first = this if a[0] < b[0] or (a[0] == b[0] and a[1] < b[1]) else other
    if not crossings:
        dearer = other if cheaper_first == this else this
        low, high = (axis.text(result, float(x)) for x in (found.points[0], found.points[-1]))
        return f"{cheaper_first} costs less than {dearer} from {low} to {high} {axis.label}"
    places = [axis.text(result, x) for x in crossings]
    if len(crossings) > 1:
        return f"{this} and {other} change places at {', '.join(places)} {axis.label}"
    side = "below" if cheaper_first == this else "above"
    return f"{this} costs less than {other} {side} {places[0]} {axis.label}"


def busy_share(about: Subject, shares: BusyShares) -> Curves:
    """What the same GPUs cost at a busy share: owned, rented by the busy hour, rented and held."""
    result = about.result
    places = tuple(n / 100 for n in range(101))
    held = shares.rented + shares.rent
    kinds = (
        (shares.this, "owned", FOCUS, shares.owned, shares.busy),
        (shares.other, "rented, paid by the busy hour", BASELINE, shares.rented, shares.rent),
        (shares.other, "rented, held all month", OTHER, held, 0.0),
    )
    crossing = shares.crossing
    cost = None if crossing is None else shares.owned + shares.busy * crossing
    return Curves(
        title=_busy_title(shares),
        headline=about.question,
        convention=about.convention,
        footer="busy: share of the hours of a month; electricity of busy hours counted when owned",
        currency=result.currency,
        caption=f"Equivalent monthly cost in {result.currency}",
        axis="share of the hours in which the GPUs are busy",
        places=places,
        ticks=ticks(0, 1, share, 10),
        curves=tuple(
            Curve(
                f"{name}: {how}",
                role,
                money(fixed + rising, result.currency),
                tuple(fixed + rising * u for u in places),
            )
            for name, how, role, fixed, rising in kinds
        ),
        marks=() if crossing is None or cost is None else (Mark(crossing, cost, share(crossing)),),
        here=shares.here,
        here_text=f"here {share(shares.here)}",
    )


def _busy_title(shares: BusyShares) -> str:
    pair = f"{shares.this} costs less than {shares.other} paid by the busy hour"
    if shares.crossing is None:
        return f"{shares.other} by the busy hour costs less than {shares.this} however busy"
    if shares.crossing == 0:
        return f"{pair}, however little it is busy"
    return f"{pair} if busy more than {share(shares.crossing)} of the time"
