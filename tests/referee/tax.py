"""What the tax office lets be deducted, and what tax is paid when."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.referee import books
from tests.referee.books import Books, Cohort, Row
from tests.referee.market import Given, Market

# Rev. Proc. 87-57: 5-year property by year of service, half-year and by quarter of service
HALF_YEAR = (0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576)
MID_QUARTER = (
    (0.35, 0.26, 0.156, 0.1101, 0.1101, 0.0138),
    (0.25, 0.30, 0.18, 0.1137, 0.1137, 0.0426),
    (0.15, 0.34, 0.204, 0.1224, 0.1130, 0.0706),
    (0.05, 0.38, 0.228, 0.1368, 0.1094, 0.0958),
)
OF_THE_YEAR_OF_DISPOSAL = (0.125, 0.375, 0.625, 0.875)
# months of life, and the share of the cost that is left at the end
CHINESE = {
    "china-straight-line": ("straight-line", 36, 0.05),
    "china-shortened": ("straight-line", 22, 0.05),
    "china-declining": ("declining", 36, 0.05),
}
BY_YEAR = ("table", "macrs", "macrs-mid-quarter", "china-one-off")


@dataclass
class TaxBooks:
    """What of purchases is deducted, month by month."""

    depreciation: Row = field(default_factory=list)
    disposed_value: Row = field(default_factory=list)
    value: Row = field(default_factory=list)


def method_of(market: Market, terms: Given) -> Given:
    """How a supply is written off for tax."""
    given = books.word(market, terms, "tax_depreciation")
    return dict(given or (market.tax or {}).get("depreciation") or {"method": "book"})


def deducted(market: Market, terms: Given, owned: Books) -> TaxBooks:
    """The purchases of a supply, as the tax office sees them."""
    given = method_of(market, terms)
    method = given["method"]
    found = TaxBooks(owned.depreciation, owned.disposed_value, owned.book_value)
    if method == "book":
        return found
    if method in BY_YEAR:
        found.depreciation, found.disposed_value = by_year(market, given, owned.cohorts)
    else:
        named, life, floor = CHINESE.get(method, (method, books.life_of(market, terms), 0.0))
        profile = books.written_off(
            {
                "method": named,
                "factor": given.get("factor", 2),
                # Guoshuifa [2009] No. 81, Art. 5
                "straight_at_last": 24 if method == "china-declining" else None,
                "start": "next-month" if method in CHINESE else "service-month",
            },
            int(market.number(given.get("life_months"), life)),
            market.number(given.get("residual"), floor),
            market.months,
        )
        found.depreciation, found.disposed_value = books.by_profile(market, owned.cohorts, profile)
    found.value = books.left_over(owned.additions, found.depreciation, found.disposed_value)
    return found


def shares_by_year(given: Given, quarter: int) -> Row:
    """The shares of the cost that fiscal years of service deduct, after a bonus.

    >>> [round(share, 4) for share in shares_by_year({"method": "macrs", "bonus": 0.4}, 0)]
    [0.52, 0.192, 0.1152, 0.0691, 0.0691, 0.0346]
    """
    if given["method"] == "china-one-off":
        return [1.0]
    if given["method"] == "table":
        return [float(share) for share in given["shares"]]
    table = HALF_YEAR if given["method"] == "macrs" else MID_QUARTER[quarter]
    bonus = float(given.get("bonus", 0))
    return [(bonus if year == 0 else 0.0) + (1 - bonus) * share for year, share in enumerate(table)]


def by_year(market: Market, given: Given, cohorts: list[Cohort]) -> tuple[Row, Row]:
    """Shares by fiscal year of service, each deducted when the year closes."""
    depreciation, disposed = [0.0] * (market.months + 1), [0.0] * (market.months + 1)
    for cohort in cohorts:
        first = market.fiscal_year[cohort.month]
        shares = shares_by_year(given, market.fiscal_quarter[cohort.month] % 4)
        left = cohort.cost
        for month in range(cohort.month, cohort.retired + 1):
            year = market.fiscal_year[month] - first
            if not market.closes(month) or year >= len(shares):
                continue
            # the bonus is for the year of service, whenever in it that is
            at_once = float(given.get("bonus", 0)) if year == 0 else 0.0
            by_table = shares[year] - at_once
            if month == market.months and given["method"] == "macrs":
                by_table *= 0.5
            elif month == market.months and given["method"] == "macrs-mid-quarter":
                by_table *= OF_THE_YEAR_OF_DISPOSAL[market.fiscal_quarter[month] % 4]
            share = at_once + by_table
            depreciation[month] += cohort.cost * share
            left -= cohort.cost * share
        disposed[cohort.retired] += left
    return depreciation, disposed


@dataclass
class Tax:
    """Tax of an option by month; negative where it is saved."""

    taxable_cost: Row
    taxable_cost_of_year: Row = field(default_factory=list)
    taxable_income: Row = field(default_factory=list)
    loss_added: Row = field(default_factory=list)
    loss_used: Row = field(default_factory=list)
    loss_carried: Row = field(default_factory=list)
    due: Row = field(default_factory=list)
    paid: Row = field(default_factory=list)


def levied(market: Market, taxable_cost: Row) -> Tax:
    """What is due, and what is paid, on costs that are deducted."""
    assert market.tax is not None
    found = Tax(taxable_cost)
    every = range(market.months + 1)
    if market.taxed_monthly:
        found.due = [-market.tax_rate * cost for cost in taxable_cost]
        found.paid = found.due
        return found
    profit = market.number(market.tax.get("profit_per_year"))
    limit = market.number(market.tax.get("loss_limit"), 1.0)
    pool = 0.0
    for month in every:
        of_the_year = [other for other in every if market.closing[other] == month]
        cost = sum(taxable_cost[other] for other in of_the_year)
        added = used = income = 0.0
        due = -market.tax_rate * cost
        if market.losses != "elsewhere":
            # tax is assessed by the year, also where only a part of it is looked at
            without = profit if market.closes(month) else 0.0
            income = without - cost
            if market.losses == "carried":
                used = min(pool, max(income, 0.0) * limit)
                added = max(-income, 0.0)
                pool += added - used
            due = market.tax_rate * (max(income, 0.0) - used - without)
        found.taxable_cost_of_year.append(cost)
        found.taxable_income.append(income)
        found.loss_added.append(added)
        found.loss_used.append(used)
        found.loss_carried.append(pool)
        found.due.append(due)
    found.paid = [0.0 for _ in every]
    for month in every:
        found.paid[market.tax_month[month]] += found.due[month]
    return found
