"""What an option costs by fiscal year and by quarter, in cash and in the books.

The amounts of a period are those of its months added up; month 0, the decision, belongs to the
period of month 1. Costs are positive; a cash flow is positive where money comes in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from tco.results import Result

# the lines of an option, in the order of a statement; those that it has not are left out
CASH = (
    ("operating_cash_flow", "operating cash flow before tax"),
    ("capex", "of which purchases, a cost"),
    ("tax_cash_flow", "tax cash flow"),
    ("financing_cash_flow", "financing cash flow"),
    ("financing_tax_cash_flow", "tax saved by loans and leases"),
    ("net_cash_flow", "net cash flow"),
)
PROFIT_AND_LOSS = (
    ("expense", "expense"),
    ("ebitda_effect", "EBITDA effect"),
    ("depreciation", "depreciation"),
    ("disposal_loss", "loss on disposal (a gain is below 0)"),
    ("interest_cost", "interest and fees"),
    ("pretax_cost", "cost before tax"),
    ("financing_tax", "less: tax saved by loans and leases, in the books"),
    ("tax_expense", "tax expense"),
    ("pnl_cost", "cost after tax"),
)
CUMULATIVE = ("cumulative_net_cash_flow", "cumulative net cash flow")


@dataclass(frozen=True)
class StatementRow:
    """One line of a statement: its name in the model, what it is, an amount for each period."""

    line: str
    label: str
    amounts: tuple[float, ...]


@dataclass(frozen=True)
class Statement:
    """An option's statement: the names of the periods, and its rows of cash and of the books."""

    option: str
    periods: tuple[str, ...]
    rows: tuple[StatementRow, ...]

    def row(self, line: str) -> StatementRow | None:
        """The row of a line; None where the option has no such line."""
        return next((row for row in self.rows if row.line == line), None)


def by_fiscal_year(result: Result, option: str) -> Statement:
    """The statement of an option by fiscal year.

    A year is named as `Result.fiscal_periods` names it. Raises `KeyError` for no option.
    """
    return _statement(result, option, [year for year, _ in result.fiscal_periods])


def by_fiscal_quarter(result: Result, option: str) -> Statement:
    """The statement of an option by fiscal quarter, named as `by_fiscal_year` names years."""
    return _statement(result, option, [quarter for _, quarter in result.fiscal_periods])


def _statement(result: Result, option: str, period_of_month: Sequence[str]) -> Statement:
    periods = tuple(dict.fromkeys(period_of_month))
    scope = result.option(option).scope
    if scope is None:
        return Statement(option, periods, ())
    rows = []
    for line, label in (*CASH, *PROFIT_AND_LOSS):
        months = result.amounts(scope, line)
        if months is None:
            continue
        sums = dict.fromkeys(periods, 0.0)
        for period, amount in zip(period_of_month, months, strict=True):
            sums[period] += amount
        rows.append(StatementRow(line, label, tuple(sums.values())))
        if line == "net_cash_flow":
            rows.append(StatementRow(*CUMULATIVE, tuple(accumulate(sums.values()))))
    return Statement(option, periods, tuple(rows))
