"""Reads from a result what the chart of cumulative cost shows."""

from __future__ import annotations

from tco.analysis import answer as wording
from tco.analysis.closeness import TOO_CLOSE
from tco.analysis.figures import money
from tco.analysis.summary import Summary
from tco.report.drawing import BASELINE, FOCUS, OTHER, BreakEven, Curve, Drawing
from tco.results import INCOMPLETE, OK, Result

MOST_CURVES = 8


def cumulative_cost(result: Result, summary: Summary) -> Drawing:
    """The chart of a result: at most eight options, the answer above, what is left out below."""
    shown, hidden = choose(result)
    months = range(result.scenario.months + 1)
    return Drawing(
        title=summary.question or summary.title,
        headline=headline(summary),
        convention=f"{summary.counting}; {summary.conventions}",
        footer=f"not shown: {', '.join(hidden)}" if hidden else "",
        currency=result.currency,
        curves=tuple(_curve(result, name) for name in shown),
        months=tuple(_month(result, month) for month in months),
        break_even=_break_even(result),
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


def choose(result: Result) -> tuple[list[str], list[str]]:
    """The options to draw, focus and baseline among them, and the others with what they cost."""
    costed = [option.name for option in result.ranked if result.status[option.name] != INCOMPLETE]
    first = [name for name in (result.baseline, result.focus) if name in costed]
    chosen = dict.fromkeys([*first, *costed])
    shown = set(list(chosen)[:MOST_CURVES])
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


def _curve(result: Result, name: str) -> Curve:
    values = tuple(result.line(name, "cumulative_cost"))
    role = {result.focus: FOCUS, result.baseline: BASELINE}.get(name, OTHER)
    note = " (baseline)" if role == BASELINE else ""
    if result.model.has_demand and result.status[name] != OK:
        note = " (serves too little)"
    return Curve(f"{name}{note}", role, money(values[-1], result.currency), values)


def _month(result: Result, month: int) -> str:
    if result.scenario.start is None or month == 0:
        return str(month)
    return f"{month}\n{wording.month_name(result, month)[-8:-1]}"


def _break_even(result: Result) -> BreakEven | None:
    focus, base = result.focus, result.baseline
    if focus is None or base is None or focus == base or result.status[base] != OK:
        return None
    month = result.comparison(focus, base)["break_even_month"]
    if not month:
        return None
    cost = result.line(focus, "cumulative_cost")[int(month)]
    return BreakEven(month, cost, f"paid back in {wording.month_name(result, int(month))}")
