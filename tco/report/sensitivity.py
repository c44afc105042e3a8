"""What `tco sensitivity` prints: how far each number moves a gap, and where the answer turns."""

from __future__ import annotations

from collections.abc import Iterator

from tco.analysis.answer import conventions, counting, horizon
from tco.analysis.figures import money
from tco.analysis.sensitivity import Bar, Tornado
from tco.errors import printable
from tco.report.columns import wrap
from tco.report.simulation import INDENT, NOTHING, named_rows
from tco.results import INFEASIBLE, Result

FLIPS = "FLIPS"


def render(result: Result, found: Tornado) -> str:
    """The screen of `tco sensitivity`, in 100 columns."""
    lines = wrap(result.scenario.name)
    lines += wrap(f"{counting(result)}; {horizon(result)}")
    lines += wrap(conventions(result))
    if found.bars:
        lines += ["", *wrap(_title(result, found)), "", *_bars(result, found), ""]
        for text in _remarks(result, found):
            lines += wrap(text, rest=INDENT)
        lines += ["", *_winners(found)]
    else:
        lines += wrap(_no_bars(found), rest=INDENT)
    return "\n".join(printable(line).rstrip() for line in lines)


def _no_bars(found: Tornado) -> str:
    if not found.unmoved:
        return NOTHING
    return (
        f"No number with a low or a high moves {found.this} against {found.other}: "
        f"{'; '.join(found.unmoved)}."
    )


def _title(result: Result, found: Tornado) -> str:
    base = _amount(result, found.base)
    return (
        f"{found.this} minus {found.other}, equivalent cost a month: {base} as given; each number "
        "at its low (P10) and its high (P90), all others as given"
    )


def _amount(result: Result, gap: float) -> str:
    """A gap with its sign: below 0 the first option is the cheaper one."""
    text = money(gap, result.currency)
    return f"+{text}" if gap > 0 and text.strip("+-") != money(0, result.currency) else text


def _bars(result: Result, found: Tornado) -> list[str]:
    rows = []
    for bar in found.bars:
        gaps = [
            f"{_amount(result, gap)}{'' if served else ' *'}"
            for gap, served in ((bar.at_low, bar.served_at_low), (bar.at_high, bar.served_at_high))
        ]
        flips = bar.flips_at or "none seen"
        mark = f" {FLIPS}" if bar.flips_within else ""
        swing = money(bar.swing, result.currency)
        rows.append((bar.label, [bar.low_text, bar.high_text, *gaps, swing, f"{flips}{mark}"]))
    heads = ["low", "high", "gap at low", "at high", "swing", "turns at"]
    return named_rows("varied", heads, rows)


def _remarks(result: Result, found: Tornado) -> Iterator[str]:
    yield (
        f"Below 0 {found.this} is the cheaper one. Turns at: the nearest value at which the other "
        f"one is; {FLIPS}: it lies between low and high. Bars do not add up."
    )
    if not all(bar.served_at_low and bar.served_at_high for bar in found.bars):
        yield "* there one of the two does not serve the whole demand."
    for name in (found.this, found.other):
        if result.status[name] == INFEASIBLE:
            yield f"{name} does not serve the whole demand as given: its cost is that of less work."
    if found.unmoved:
        yield f"Moves neither of the two: {'; '.join(found.unmoved)}."


def _winners(found: Tornado) -> list[str]:
    """Where the cheapest of all options changes, number by number."""
    lines = ["The cheapest of all options that serve the demand, all other numbers as given:"]
    for bar in found.bars:
        lines += wrap(f"{bar.label}: {_path(bar)}", first=INDENT, rest=INDENT * 2)
    return lines


def _path(bar: Bar) -> str:
    if not bar.winners:
        return f"never changes from {bar.looked_from} to {bar.looked_to}"
    first = bar.winners[0].before
    parts = [f"{first or 'none'} from {bar.looked_from}"]
    parts += [f"{change.after or 'none'} from {change.value}" for change in bar.winners]
    return f"{', '.join(parts)} to {bar.looked_to}"
