"""What `tco attribute` prints: the gap between two options, part by part."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tco.analysis.answer import conventions, counting, horizon
from tco.analysis.attribution import Attribution, attribute
from tco.analysis.break_even import options_of
from tco.analysis.figures import cell, money, share
from tco.errors import printable
from tco.report.columns import wrap
from tco.report.simulation import INDENT, named_rows
from tco.results import Result


def answered(result: Result, of: str | None, against: str | None) -> str:
    """The screen of `tco attribute` for what was asked.

    Raises `ScenarioError` for an option that is none, or that is compared with itself.
    """
    return render(result, attribute(result, *options_of(result, of, against)))


def render(result: Result, found: Attribution) -> str:
    """The screen of `tco attribute`, in 100 columns."""
    lines = wrap(result.scenario.name)
    lines += wrap(f"{counting(result)}; {horizon(result)}")
    lines += wrap(conventions(result))
    lines += ["", *wrap(_headline(result, found)), ""]
    lines += [*_table(result, found), ""]
    for text in _remarks(found):
        lines += wrap(text, rest=INDENT)
    return "\n".join(printable(line).rstrip() for line in lines)


def _headline(result: Result, found: Attribution) -> str:
    gap, cost = money(abs(found.gap), result.currency), _cost(result, found.other)
    compared = f"{found.this} costs {money(_cost(result, found.this), result.currency)} a month"
    beside = f"{found.other} {money(cost, result.currency)}"
    if not found.gap:
        return f"{compared}, as much as {found.other}"
    of_it = f" ({share(abs(found.gap) / cost)})" if cost > 0 else ""
    return f"{compared}, {beside}: {gap}{of_it} {'less' if found.gap < 0 else 'more'}"


def _cost(result: Result, option: str) -> float:
    cost = result.metrics[option]["equivalent_monthly_cost"]
    assert cost is not None
    return cost


def _table(result: Result, found: Attribution) -> list[str]:
    """The parts and their sums, in the reporting currency."""
    rows = [
        (part.label, [cell(x, 2) for x in (part.this, part.other, part.difference, part.npv)])
        for part in found.parts
    ]
    sums = (
        _cost(result, found.this),
        _cost(result, found.other),
        math.fsum(part.difference for part in found.parts),
        math.fsum(part.npv for part in found.parts),
    )
    rows.append(("all", [cell(amount, 2) for amount in sums]))
    heads = [found.this, found.other, "difference", "present value"]
    return named_rows(f"{result.currency} a month", heads, rows)


def _remarks(found: Attribution) -> Iterator[str]:
    yield (
        f"Equivalent monthly cost of {found.this} less that of {found.other}; below 0 "
        f"{found.this} is cheaper. Present value: that of the difference over all months. The "
        "parts add up to the gap; shown rounded."
    )
    for text in found.remarks:
        yield f"{text[0].upper()}{text[1:]}."
