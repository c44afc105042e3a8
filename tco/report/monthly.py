"""``monthly.csv``: every monthly line of every option, one number a row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from tco.results import Result, describe_supply

COLUMNS = ("option", "supply", "line", "month", "unit", "value")
# a spreadsheet would take a text that begins with one of these for a formula
DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def monthly_csv(result: Result) -> bytes:
    """The table as UTF-8 with a byte order mark, so that Excel reads Chinese names.

    The same rows as `Result.monthly`, without the half second that importing pandas takes.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for option, supply, scope in _blocks(result):
        named = [as_text(option), as_text(supply)]
        for name in _lines(result, scope):
            start = [*named, as_text(result.model.graph.lines[name].short_name)]
            unit = as_text(result.unit(name))
            writer.writerows(
                [*start, month, unit, repr(value)]
                for month, value in enumerate(result.arrays[name][:, 0].tolist())
            )
    return text.getvalue().encode("utf-8-sig")


def as_text(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> as_text("=1+1"), as_text("own-2x4090")
    ("'=1+1", 'own-2x4090')
    """
    return f"'{text}" if text.startswith(DANGEROUS) else text


def _blocks(result: Result) -> Iterator[tuple[str, str, str]]:
    """Option, supply or cost, and scope, in the order of the scenario; shared lines first."""
    yield "", "", result.model.time.name
    for option in result.model.complete:
        assert option.scope is not None
        for supply in option.supplies:
            yield option.name, describe_supply(supply), supply.scope.name
        for cost, scope in option.items:
            yield option.name, cost.name, scope.name
        yield option.name, "", option.scope.name


def _lines(result: Result, scope: str) -> Iterator[str]:
    graph = result.model.graph
    for name, line in graph.lines.items():
        if line.scope == scope and graph.shapes[name] == "months":
            yield name
