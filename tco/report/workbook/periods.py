"""Fiscal years and quarters: their names, and where they stand to the right of the months."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tco.report.workbook.layout import MONTH_0, column
from tco.results import Result


@dataclass(frozen=True)
class Group:
    """The fiscal years, or the quarters: the line that numbers them, their names, their columns.

    ``first`` is the column of the first period, counted from 0.
    """

    line: str
    names: tuple[str, ...]
    numbers: tuple[int, ...]
    first: int

    @property
    def columns(self) -> range:
        """The columns of the periods."""
        return range(self.first, self.first + len(self.names))

    def sums(self, months: Sequence[float], periods: Sequence[float]) -> list[float]:
        """What the months of each period come to."""
        return [
            sum(x for x, period in zip(months, periods, strict=True) if period == number)
            for number in self.numbers
        ]

    def last(self, months: Sequence[float], periods: Sequence[float]) -> list[float]:
        """What stands in the last month of each period."""
        return [
            [x for x, period in zip(months, periods, strict=True) if period == number][-1]
            for number in self.numbers
        ]


class Periods:
    """The columns after the months: fiscal years and their total, then quarters.

    One column is left empty before each of the two groups.
    """

    def __init__(self, result: Result) -> None:
        self._result = result

    @cached_property
    def years(self) -> Group:
        """The fiscal years."""
        after = MONTH_0 + self._result.scenario.months + 1
        names = (year for year, _ in self._result.fiscal_periods)
        return self._group("fiscal_year", after + 1, names)

    @property
    def total(self) -> int:
        """The column in which the fiscal years are added up."""
        return self.years.columns.stop

    @cached_property
    def quarters(self) -> Group:
        """The fiscal quarters."""
        names = (quarter for _, quarter in self._result.fiscal_periods)
        return self._group("fiscal_quarter", self.total + 2, names)

    @property
    def groups(self) -> tuple[Group, Group]:
        """Years, then quarters."""
        return self.years, self.quarters

    def cells(self, row: int) -> str:
        """The fiscal years of a row: ``$AS$9:$AV$9``."""
        first, last = (column(self.years.columns[i]) for i in (0, -1))
        return f"${first}${row}:${last}${row}"

    def _group(self, line: str, first: int, names: Iterable[str]) -> Group:
        numbers = dict.fromkeys(int(number) for number in self._result.months(line))
        return Group(line, tuple(dict.fromkeys(names)), tuple(numbers), first)
