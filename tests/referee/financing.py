"""How purchases are paid for: by a loan, or by a lease instead."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.referee import books
from tests.referee.books import Books, Row
from tests.referee.market import Given, Market, worth
from tests.referee.tax import TaxBooks


@dataclass
class Financing:
    """Cash and interest of one owned supply; cash flows are positive when they come in."""

    cash_flow: Row
    interest: Row
    """What the profit and loss account bears, fees included."""
    deduction: Row
    """What is deducted for tax because of it, beyond what an owner who pays cash deducts."""
    lines: dict[str, float | Row] = field(default_factory=dict)
    books: Books | None = None
    """The right to use the cards, where that is in the books instead of the purchase."""
    given_back: bool = False


def annuity(rate: float, months: int) -> float:
    """The worth of 1 at the end of each of so many months.

    >>> annuity(0.0, 60)
    60.0
    """
    return sum((1 + rate) ** -month for month in range(1, months + 1))


def loan_profile(
    rate: float, months: int, grace: int = 0, balloon: float = 0.0, advance: bool = False
) -> tuple[Row, Row, Row]:
    """Instalment, interest and principal of a loan of 1 at each age in months, age 0 first.

    >>> instalments, interest, principal = loan_profile(0.08 / 12, 60)
    >>> round(15000 * instalments[1], 6), round(15000 * interest[1], 6)
    (304.145914, 100.0)
    """
    level = (1 - balloon * (1 + rate) ** (grace - months)) / annuity(rate, months - grace)
    if advance:
        level /= 1 + rate
    balance = 1.0
    instalments: Row = []
    interests: Row = []
    principals: Row = []
    for age in range(months + 1):
        interest = balance * rate if age else 0.0
        paying = grace <= age < months if advance else grace < age
        principal = level - interest if paying else 0.0
        if age == months:
            principal += balloon
        instalments.append(interest + principal)
        interests.append(interest)
        principals.append(principal)
        balance -= principal
    return instalments, interests, principals


def financed(market: Market, terms: Given, owned: Books, taxed: TaxBooks) -> Financing:
    """The financing of an owned supply; cash where nothing is said."""
    given = terms.get("financing") or {}
    if "loan" in given:
        return _loan(market, given["loan"], owned)
    if "lease" in given:
        return _lease(market, terms, given["lease"], owned, taxed)
    nothing = [0.0] * (market.months + 1)
    return Financing(nothing, nothing, nothing)


def _loan(market: Market, given: Given, owned: Books) -> Financing:
    last = market.months
    rate = market.number(given["rate"]) / 12
    months = int(market.number(given["months"]))
    _, _, principals = loan_profile(
        rate,
        months,
        int(market.number(given.get("grace_months"))),
        market.number(given.get("balloon")),
        given.get("paid") == "advance",
    )
    share = market.number(given.get("share"), 1.0)
    drawn = [share * amount for amount in owned.capex]
    interest, principal, opening, balance = ([0.0] * (last + 1) for _ in range(4))
    for month in range(last + 1):
        opening[month] = balance[month - 1] if month else 0.0
        interest[month] = opening[month] * rate
        for draw in range(max(month - months, 0), month + 1):
            principal[month] += drawn[draw] * principals[month - draw]
        if month == last:
            principal[month] = opening[month] + drawn[month]
        balance[month] = opening[month] + drawn[month] - principal[month]
    fees = [market.number(given.get("fee")) * amount for amount in drawn]
    borne = books.total(interest, fees)
    flow = [
        drawn[month] - fees[month] - interest[month] - principal[month] for month in range(last + 1)
    ]
    lines: dict[str, float | Row] = {
        "loan_drawn": drawn,
        "loan_interest": interest,
        "loan_principal": principal,
        "opening_loan": opening,
        "loan_balance": balance,
        "loan_discount_factor": [(1 + rate) ** -month for month in range(last + 1)],
        "service_cash_flow": [paid + fee for paid, fee in zip(flow, fees, strict=True)],
        "financing_cash_flow": flow,
    }
    return Financing(flow, borne, borne, lines)


def _lease(market: Market, terms: Given, given: Given, owned: Books, taxed: TaxBooks) -> Financing:
    last = market.months
    rate = market.number(given["rate"]) / 12
    months = int(market.number(given["months"]))
    bought = "buyout" in given
    buyout = market.number(given.get("buyout"))
    payment = market.number(given["payment"])
    first = 0 if given.get("paid") == "advance" else 1
    due = range(first, first + months)
    right = sum(payment * (1 + rate) ** -month for month in due)
    right += buyout * (1 + rate) ** -months

    paid, interest, liability = ([0.0] * (last + 1) for _ in range(3))
    bought_for = [0.0] * (last + 1)
    left = right
    for month in range(last + 1):
        interest[month] = left * rate if month else 0.0
        left += interest[month]
        paid[month] = payment if month in due else 0.0
        bought_for[month] = buyout if month == months else 0.0
        if month == last:
            # what is still owed is settled
            paid[month] = left - bought_for[month]
        left -= paid[month] + bought_for[month]
        liability[month] = left
    sold = [0.0 if bought else amount for amount in owned.net_resale]
    cash_flow = [
        owned.capex[month] - paid[month] - bought_for[month] - sold[month]
        for month in range(last + 1)
    ]
    life = books.life_of(market, terms) if bought else months
    held = Books(additions=[right] + [0.0] * last)
    held.depreciation = [right / life if 0 < month <= life else 0.0 for month in range(last + 1)]
    held.disposed_value = [0.0] * last + [right - sum(held.depreciation)]
    held.book_value = books.left_over(held.additions, held.depreciation, held.disposed_value)

    saving = market.tax_rate if market.tax and market.in_proportion else 0.0
    deduction = [
        paid[month]
        + bought_for[month]
        - taxed.depreciation[month]
        - taxed.disposed_value[month]
        + sold[month]
        for month in range(last + 1)
    ]
    difference = [saving * amount for amount in deduction]
    of_loans = rate * (1 - saving)
    monthly = of_loans
    if "residual_rate" in given:
        monthly = (1 + market.number(given["residual_rate"])) ** (1 / 12) - 1
    lost = [amount * (1 - saving) for amount in sold]
    advantage = worth(
        [cash_flow[m] + difference[m] + lost[m] for m in range(last + 1)],
        [(1 + of_loans) ** -month for month in range(last + 1)],
    ) - worth(lost, [(1 + monthly) ** -month for month in range(last + 1)])
    lines: dict[str, float | Row] = {
        "lease_paid": books.total(paid, bought_for),
        "lease_liability": liability,
        "lease_tax_difference": difference,
        "net_advantage_of_leasing": advantage,
        "financing_cash_flow": cash_flow,
    }
    return Financing(cash_flow, interest, deduction, lines, held, not bought)
