"""What is fixed in a workbook, in words: months, tax, how hardware is written off and paid."""

from __future__ import annotations

from collections.abc import Iterator

from tco.analysis.answer import LOSSES
from tco.analysis.files import load_words
from tco.analysis.ownership import owned, said
from tco.report.workbook.texts import chain
from tco.results import Result
from tco.scenario.schema import Own

TIMINGS = {
    "month-end": "at the end of its month",
    "mid-month": "in the middle of its month",
    "year-end": "at the end of its year",
}
PAID = {"month": "in the month itself", "year-end": "for the fiscal year, after its close"}
STARTS = {"service-month": "from the month of service", "next-month": "from the month after"}


def structure(result: Result) -> Iterator[tuple[str, str]]:
    """What it is, and what the scenario says of it."""
    scenario = result.scenario
    calendar = scenario.hours_per_month == "calendar"
    yield "Currency", scenario.currency
    yield "Months of operation", f"{scenario.months} months"
    yield "Month 1", scenario.start or "not given: months are numbered"
    yield "Hours in a month", "by the calendar" if calendar else "the same every month"
    yield "Load within a month", _load(result)
    yield "Compared with", result.baseline or "nothing: no demand is given"
    ends = f"with month {scenario.fiscal_year_end} of the calendar year"
    yield "A fiscal year ends", ends if scenario.start else "after twelve months of operation"
    yield "Cash counts in present values", TIMINGS[scenario.cash_timing]
    tax = scenario.tax
    yield "Tax", f"paid {PAID[tax.paid]}; {LOSSES[tax.losses]}" if tax else "not counted"
    for option in result.model.options:
        missing = f"; not costed: {option.missing.what}" if option.missing else ""
        yield f"Option {option.number}", f"{option.name}: {chain(option, result)}{missing}"
    for option, supply, given in owned(result):
        whose = f"option {option.number}, supply {supply.number}"
        yield f"Written off in the books, {whose}", _in_the_books(result, given)
        if tax:
            yield f"Deducted for tax, {whose}", _for_tax(result, given)
        yield f"Paid by, {whose}", _financing(given)
    for number, cost in enumerate(scenario.other_costs, start=1):
        options = ", ".join(cost.options) if cost.options else "all options"
        yield f"Cost {number}", f"{cost.name}, per {cost.per}, {options}"
    for line, account in scenario.accounts.items():
        yield f"Account of {line}", account


def _load(result: Result) -> str:
    demand = result.scenario.demand
    if demand is None or result.model.demand is None:
        return "no demand is given"
    if result.model.demand.curve is None:
        return load_words(demand.load)
    levels = len(result.model.demand.curve[0])
    is_as_given = demand.load.shares is not None and len(demand.load.shares) == levels
    counted = "" if is_as_given else f", as {levels} levels"
    return f"{load_words(demand.load)}{counted}: see the table"


def _in_the_books(result: Result, given: Own) -> str:
    found = said(result, given, "depreciation")
    if found is None:
        return f"straight-line, {STARTS['service-month']}"
    over = ", then straight-line" if found.method == "declining" and found.switch == "yes" else ""
    return f"{found.method}{over}, {STARTS[found.start]}"


def _for_tax(result: Result, given: Own) -> str:
    tax = result.scenario.tax
    found = said(result, given, "tax_depreciation") or (tax.depreciation if tax else None)
    return "as in the books" if found is None or found.method == "book" else found.method


def _financing(given: Own) -> str:
    if given.financing is None:
        return "own money"
    lease = given.financing.lease
    if lease is None:
        return "a loan"
    return f"a lease, paid in {lease.paid}, {'bought at its end' if lease.buyout else 'given back'}"
