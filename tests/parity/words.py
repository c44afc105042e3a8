"""The cells that hold no line of the model: the answer, checks, words, totals and links."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from tests.report.opened import Opened, address

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def disagreements(book: Opened, value: Callable[[str, int, int], object]) -> list[str]:
    """Formulas that do not say what was cached, recalculated to ``value(sheet, row, column)``.

    The months of calculation sheets are left out: they are held against the engine.
    """
    wrong, held = [], 0
    for sheet, cell in book.formulas():
        cached = cell.value
        in_a_month = sheet.calculates and cell.column in sheet.month_columns
        if cached is None or (isinstance(cached, float) and in_a_month):
            continue
        held += 1
        found = value(sheet.name, cell.row, cell.column)
        if isinstance(cached, str):
            right = _same_words(str(found), cached)
        else:
            right = isinstance(found, (int, float)) and math.isclose(
                found, cached, rel_tol=1e-9, abs_tol=1e-6
            )
        if not right:
            place = f"{sheet.name}!{address(cell.row, cell.column)}"
            wrong.append(f"{place}: {cell.formula}: {found!r} is not {cached!r}")
    assert held > 50, "a Summary and a Checks sheet have more formulas than that"
    return wrong


def _same_words(found: str, cached: str) -> bool:
    """Whether two texts are the same, but for halves that were rounded either way."""
    if NUMBER.sub("", found) != NUMBER.sub("", cached):
        return False
    for one, two in zip(NUMBER.findall(found), NUMBER.findall(cached), strict=True):
        places = [len(number.partition(".")[2]) for number in (one, two)]
        gap = abs(float(one.replace(",", "")) - float(two.replace(",", "")))
        if places[0] != places[1] or gap > 1.001 * 10.0 ** -places[0]:
            return False
    return True
