"""What `tco breakeven` prints: every crossing of two costs, the first, the lasting, the margin."""

from __future__ import annotations

from collections.abc import Iterator

from tco.analysis.answer import conventions, counting, horizon, month_name, work_price
from tco.analysis.attribution import hidden
from tco.analysis.axes import Axis, axis_of, is_field
from tco.analysis.break_even import (
    ALWAYS,
    EQUAL,
    BreakEven,
    BreakEvenMonths,
    Course,
    Crossing,
    Gap,
    break_even,
    break_even_months,
    options_of,
)
from tco.analysis.figures import money, share
from tco.errors import ScenarioError, printable
from tco.report.columns import LINE, table, width, wrap
from tco.results import Result
from tco.scenario.schema import Rent

INDENT = "  "
MONTH = ("month", "months")
SHOWN = 24
PATHS_SHOWN = 8


def answered(
    result: Result, over: str, of: str | None, against: str | None, between: str | None
) -> str:
    """The screen of `tco breakeven` for what was asked.

    Raises `ScenarioError` for an input, an option or a range that is none.
    """
    if over.strip().lower() in MONTH:
        if between is not None:
            raise _no_range(
                result, between, "no range: all months are looked at", "leave --range out"
            )
        return render(result, break_even_months(result, of, against))
    bounds = None
    if between is not None:
        axis = axis_of(result, over, *options_of(result, of, against))
        ends = between.split(":")
        if len(ends) != 2 or not all(end.strip() for end in ends):
            example = ":".join(_typed(result, axis, x) for x in (axis.low, axis.high))
            hint = f"write for example  --range {example}"
            raise _no_range(result, between, "two values with a colon between them", hint)
        bounds = axis.parse(result, ends[0]), axis.parse(result, ends[1])
    return render(result, break_even(result, over, of, against, bounds))


def _typed(result: Result, axis: Axis, value: float) -> str:
    """A value as it may be typed: in its unit, where that can be read back."""
    text = axis.text(result, value).replace(" ", "")
    try:
        axis.parse(result, text)
    except ScenarioError:
        return f"{value:g}"
    return text


def _no_range(result: Result, found: str, expected: str, next_step: str) -> ScenarioError:
    return ScenarioError(result.scenario.path, None, "--range", found, expected, next_step)


def render(result: Result, found: BreakEven | BreakEvenMonths) -> str:
    """The screen of `tco breakeven`, in 100 columns."""
    lines = wrap(result.scenario.name)
    lines += wrap(f"{counting(result)}; {horizon(result)}")
    lines += wrap(conventions(result))
    body = _months(result, found) if isinstance(found, BreakEvenMonths) else _over(result, found)
    lines += ["", *body]
    return "\n".join(printable(line).rstrip() for line in lines)


def _over(result: Result, found: BreakEven) -> Iterator[str]:
    low, high = _at(result, found, found.low), _at(result, found, found.high)
    yield from wrap(f"{found.this} against {found.other} over {found.axis.label}, {low} to {high}")
    yield ""
    for text in _verdict(result, found):
        yield from wrap(text, rest=INDENT)
    if found.notable:
        yield ""
        yield from _table(result, found)
        yield ""
    for text in _remarks(result, found):
        yield from wrap(text, rest=INDENT)


def _at(result: Result, found: BreakEven, value: float) -> str:
    return found.axis.text(result, value)


def _place(result: Result, found: BreakEven, crossing: Crossing) -> str:
    """A crossing in words: a value, or the two whole numbers that it lies between."""
    if found.axis.whole and crossing.value != crossing.after:
        return (
            f"between {_at(result, found, crossing.value)} and {_at(result, found, crossing.after)}"
        )
    return _at(result, found, crossing.value)


def _verdict(result: Result, found: BreakEven) -> Iterator[str]:
    crossings = found.served
    if not found.depending:
        yield from _neither_depends(result, found)
        return
    if not crossings:
        yield _no_crossing(result, found)
    elif len(crossings) == 1:
        only = crossings[0]
        place = _place(result, found, only)
        if found.axis.whole:
            yield f"The cheaper one changes {place}: {only.below} below, {only.above} above."
        else:
            yield f"Below {place} {only.below} is the cheaper one, above it {only.above}."
    else:
        first, last = (_place(result, found, c) for c in (crossings[0], crossings[-1]))
        yield (
            f"The cheaper one changes {len(crossings)} times: first at {first} to "
            f"{crossings[0].above}, for the last time at {last}, above which "
            f"{crossings[-1].above} stays the cheaper one."
        )
    yield _as_given(result, found)
    nearest = found.nearest
    if len(crossings) > 1 and nearest is not None:
        place, away = _place(result, found, nearest), _headroom(found, nearest)
        yield f"The nearest to it is {place} ({away})."
    lone = [name for name in (found.this, found.other) if name not in found.depending]
    if lone:
        yield f"The cost of {lone[0]} does not depend on it."


def _neither_depends(result: Result, found: BreakEven) -> Iterator[str]:
    yield f"Neither option depends on it, so there is no break-even. {_as_given(result, found)}"
    if found.moving:
        shown = ", ".join(found.moving[:PATHS_SHOWN])
        more = len(found.moving) - PATHS_SHOWN
        yield f"They depend on {shown}{f' and {more} more' if more > 0 else ''}."


def _no_crossing(result: Result, found: BreakEven) -> str:
    low, high = _at(result, found, found.low), _at(result, found, found.high)
    if found.status == EQUAL:
        return f"Both cost the same everywhere from {low} to {high}."
    word = "always" if found.status == ALWAYS else "never"
    least = "cheaper" if found.status == ALWAYS else "dearer"
    text = f"{found.this} is {word} the cheaper one from {low} to {high}"
    if found.limits:
        text += ", as far as both serve the whole demand"
    where = _at(result, found, found.margin.value)
    if found.constant:
        return f"{text}: by {_amount(result, found.margin)}, the same at every value."
    if not found.margin.npv:
        return f"{text}; at {where} both cost the same."
    return f"{text}: at least {_amount(result, found.margin)} {least}, at {where}."


def _amount(result: Result, gap: Gap) -> str:
    """The size of a gap: a month, and its present value."""
    month, npv = (money(abs(x), result.currency) for x in (gap.monthly, gap.npv))
    return f"{month} a month ({npv} in present value)"


def _as_given(result: Result, found: BreakEven) -> str:
    gap = found.at_base
    where = f"With {_at(result, found, gap.value)}, as given,"
    if abs(gap.monthly) <= 0:
        return f"{where} both cost the same."
    cheaper, dearer = (found.this, found.other) if gap.npv > 0 else (found.other, found.this)
    return f"{where} {cheaper} costs {_amount(result, gap)} less than {dearer}."


def _table(result: Result, found: BreakEven) -> list[str]:
    rows: list[tuple[str, ...]] = [
        (found.axis.label, "from as given", "cheaper below", "cheaper above", "found")
    ]
    for crossing in found.notable[:SHOWN]:
        how = "closed form" if found.straight else "solved"
        if crossing.jump:
            how = "whole numbers" if found.axis.whole else "by a jump"
        if not crossing.served:
            how += ", not served"
        place = _place(result, found, crossing)
        rows.append((place, _headroom(found, crossing), crossing.below, crossing.above, how))
    return _rows(rows)


def _rows(rows: list[tuple[str, ...]]) -> list[str]:
    """A table; where names are too long for one, each row in a sentence of its own."""
    lines = [f"{INDENT}{line}" for line in table(rows, left=len(rows[0]))]
    if max(map(width, lines)) <= LINE:
        return lines
    heads, *others = rows
    sentences = [
        "; ".join([row[0], *(f"{h}: {x}" for h, x in zip(heads[1:], row[1:], strict=True))])
        for row in others
    ]
    return [line for text in sentences for line in wrap(text, first=INDENT, rest=2 * INDENT)]


def _headroom(found: BreakEven, crossing: Crossing) -> str:
    base = found.axis.base
    if not base:
        return "-"
    away = crossing.value / base - 1
    return f"{'+' if away > 0 else ''}{share(away)}"


def _remarks(result: Result, found: BreakEven) -> Iterator[str]:
    if len(found.notable) > SHOWN:
        yield f"{len(found.notable) - SHOWN} more crossings are not shown: ask for a --range."
    yield from _cash(result, found)
    yield from _service(result, found)
    if found.beyond is not None and not found.notable:
        place = _at(result, found, found.beyond)
        yield f"Outside that range both cost the same at {place}: the gap is a straight line."
    if not found.exhaustive:
        yield (
            "More whole numbers and tiers change in this range than are followed one by one: a "
            "crossing that is undone at once may be missing. Ask for a narrower --range."
        )
    yield from _billing(result, found.this, found.other)
    if is_field(found.axis.given, "staff_hours_per_month"):
        price = work_price(result)
        yield f"{price[0].upper()}{price[1:]}."
    for text in hidden(result, found.this, found.other):
        yield f"{text[0].upper()}{text[1:]}."
    yield (
        "Compared is the present value of all cash, not what is booked, all other inputs as given."
    )


def _cash(result: Result, found: BreakEven) -> Iterator[str]:
    """Where total cash crosses, where that is somewhere else."""
    places = [_place(result, found, crossing) for crossing in found.cash_crossings]
    if places == [_place(result, found, crossing) for crossing in found.crossings]:
        return
    if not places:
        yield "Not discounted, total cash crosses nowhere in this range."
    else:
        more = f" and {len(places) - 6} more" if len(places) > 6 else ""
        yield f"Not discounted, by total cash: {', '.join(places[:6])}{more}."


def _service(result: Result, found: BreakEven) -> Iterator[str]:
    """Where an option leaves work unserved: a crossing there compares half the work with all."""
    for limit in found.limits:
        place = _at(result, found, limit.value)
        side = "up to" if limit.above else "from"
        yield f"{limit.option} serves the whole demand {side} {place}."
    unserved = [c for c in found.notable if not c.served]
    if unserved:
        places = ", ".join(_place(result, found, crossing) for crossing in unserved[:6])
        yield (
            f"Not served at {places}: one of the two leaves work undone there, so that the costs "
            "are not those of the same work."
        )


def _billing(result: Result, *names: str) -> Iterator[str]:
    """How rented GPUs are billed."""
    words = {
        "held": "paid for all hours that they are held, busy or not",
        "busy": "paid for busy hours only",
        "needed": "paid for while the load needs them",
    }
    for name in names:
        for supply in result.option(name).supplies:
            if isinstance(supply.given, Rent):
                yield f"Rented GPUs of {name} are {words[supply.given.billed]}."


def _months(result: Result, found: BreakEvenMonths) -> Iterator[str]:
    yield from wrap(f"{found.this} against {found.other} by month, to month {found.months}")
    yield ""
    yield from wrap(_course(result, found, found.cash, "cash"), rest=INDENT)
    yield from wrap(_course(result, found, found.discounted, "discounted cash"), rest=INDENT)
    rows: list[tuple[str, ...]] = [("month", "inside it", "ahead before", "ahead after", "counted")]
    for course, words in ((found.cash, "cash"), (found.discounted, "discounted")):
        for crossing in course.crossings[:SHOWN]:
            rows.append(
                (
                    month_name(result, crossing.month),
                    f"{crossing.inside:.2f}",
                    crossing.before,
                    crossing.after,
                    words,
                )
            )
    if len(rows) > 1:
        yield ""
        yield from _rows(rows)
        yield ""
    yield from wrap(
        "Ahead is the one that has cost less from the decision on, at the end of a month; "
        f"{found.this} is ahead too where both have cost the same. Inside it: when, with the "
        "month's flows taken as even. A sale of hardware counts in the month that it is sold in.",
        rest=INDENT,
    )
    for text in _billing(result, found.this, found.other):
        yield from wrap(text, rest=INDENT)


def _course(result: Result, found: BreakEvenMonths, course: Course, what: str) -> str:
    saved = money(abs(course.saved), result.currency)
    end = f"by month {found.months} it has {'saved' if course.saved >= 0 else 'cost'} {saved}"
    end += "" if course.saved >= 0 else " more"
    if course.first is None:
        return f"By {what} {found.this} is never ahead of {found.other}: {end}."
    if course.first == 0 and course.lasting == 0:
        return f"By {what} {found.this} is ahead of {found.other} from the start: {end}."
    first = month_name(result, course.first)
    if course.lasting is None:
        return f"By {what} {found.this} is ahead first in {first}, but not at the end: {end}."
    if course.first == course.lasting:
        return f"By {what} {found.this} is ahead of {found.other} from {first} on: {end}."
    lasting = month_name(result, course.lasting)
    return (
        f"By {what} {found.this} is ahead first in {first}, and for good from {lasting} on: {end}."
    )
