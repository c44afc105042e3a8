"""A lease in place of paying the purchase: what is paid, what is owed, and whether it is worth it.

The decision is taken as if the hardware were bought; the lease is its financing. It brings the
price and costs the payments, at the end the hardware (``returned``) or the price at which it is
kept (``kept``). In the books the right of use is written off and the debt bears interest (IFRS 16).
"""

import numpy as np

from tco.engine.operations import annuity, sum_product
from tco.units import Balance, Factor, Flag, Money, MonthlyRate


def lease_monthly_rate(lease_rate, months_per_year) -> MonthlyRate:
    """Borrowing rate of a month: a twelfth of the nominal rate."""
    return lease_rate / months_per_year


def lease_running__arrears(month, lease_months, operating) -> Flag:
    """1 in a month at whose end a payment is due."""
    return np.where(month <= lease_months, 1, 0) * operating


def lease_running__advance(month, lease_months) -> Flag:
    """1 in a month at whose end the next month is paid for."""
    return np.where(month < lease_months, 1, 0)


def lease_ends__kept(month, lease_months) -> Flag:
    """1 in the last month of the lease."""
    return np.where(month == lease_months, 1, 0)


def buyout_due__kept(buyout, lease_ends) -> Money:
    """Paid to keep the hardware."""
    return buyout * lease_ends


def lease_due(lease_payment, lease_running, buyout_due) -> Money:
    """Due in the month by the lease, what it takes to keep the hardware included."""
    return lease_payment * lease_running + buyout_due


def payments_at_start__arrears(lease_payment, lease_monthly_rate, lease_months) -> Balance:
    """Present value of the payments at the borrowing rate."""
    return lease_payment * annuity(lease_monthly_rate, lease_months)


def payments_at_start__advance(lease_payment, lease_monthly_rate, lease_months) -> Balance:
    """Present value of the payments at the borrowing rate, each at the beginning of its month."""
    return lease_payment * annuity(lease_monthly_rate, lease_months) * (1 + lease_monthly_rate)


def buyout_at_start__kept(buyout, lease_monthly_rate, lease_months) -> Balance:
    """Present value of what it takes to keep the hardware."""
    return buyout * (1 + lease_monthly_rate) ** (-lease_months)


def right_of_use(payments_at_start, buyout_at_start) -> Balance:
    """Right to use the hardware and the debt for it, at the start: the value of what is due."""
    return payments_at_start + buyout_at_start


def opening_liability(previous_lease_liability) -> Balance:
    """Owed by the lease at the beginning of the month."""
    return previous_lease_liability


def finance_cost(opening_liability, lease_monthly_rate) -> Money:
    """Interest in the lease of the month."""
    return opening_liability * lease_monthly_rate


def lease_paid(lease_due, opening_liability, finance_cost, final) -> Money:
    """Paid in the month by the lease; in the last of all, what is owed."""
    return np.where(final > 0, opening_liability + finance_cost, lease_due)


def lease_liability(
    opening_liability, right_of_use, commissioning, finance_cost, lease_paid
) -> Balance:
    """Owed by the lease at the end of the month: opening + start + interest - paid."""
    return opening_liability + right_of_use * commissioning + finance_cost - lease_paid


def right_of_use_added(right_of_use, commissioning) -> Money:
    """Right of use that begins at the end of the month."""
    return right_of_use * commissioning


def financing_cash_flow(capex, lease_paid, resale_forgone) -> Money:
    """Price that is not paid, less the lease and the sale given up; money in is positive."""
    return capex - lease_paid - resale_forgone


# whether it is worth it


def financing_deduction(lease_paid, tax_deduction, resale_kept) -> Money:
    """Deducted for tax because of the lease: its payments in place of what an owner deducts.

    An owner is taxed on the sale; a lessee only where he keeps the hardware to sell it.
    """
    return lease_paid - tax_deduction - resale_kept


def lease_tax_difference__taxed(financing_deduction, tax_rate) -> Money:
    """Tax saved by leasing in place of buying, in the month of its cause."""
    return financing_deduction * tax_rate


def after_tax_borrowing_rate(lease_monthly_rate, kept_share) -> MonthlyRate:
    """Borrowing rate of a month, after tax where costs save tax."""
    return lease_monthly_rate * kept_share


def borrowing_discount_factor(after_tax_borrowing_rate, month) -> Factor:
    """Present value of one unit of money at the borrowing rate, after tax where costs save it."""
    return (1 + after_tax_borrowing_rate) ** (-month)


def residual_monthly_rate__risky(residual_rate, months_per_year) -> MonthlyRate:
    """Rate of a month at which the sale is discounted, since it is less certain."""
    return (1 + residual_rate) ** (1 / months_per_year) - 1


def residual_discount_factor(residual_monthly_rate, month) -> Factor:
    """Present value of one unit of money of the sale."""
    return (1 + residual_monthly_rate) ** (-month)


def forgone_after_tax(resale_forgone, kept_share) -> Money:
    """Sale given up, less the tax on it."""
    return resale_forgone * kept_share


def certain_lease_cash_flow(financing_cash_flow, lease_tax_difference, forgone_after_tax) -> Money:
    """Price not paid, payments and tax of the lease, the sale apart; money in is positive."""
    return financing_cash_flow + lease_tax_difference + forgone_after_tax


def net_advantage_of_leasing(
    certain_lease_cash_flow, borrowing_discount_factor, forgone_after_tax, residual_discount_factor
) -> Balance:
    """Worth of leasing instead of buying; below 0 buying is better.

    Price less the present value, at the borrowing rate after tax, of payments and lost
    depreciation, and of the lost sale at a rate of its own (Ross, Westerfield and Jordan, chapter
    on leasing): 10,000 against five payments of 2,500 at 34 % tax is -87.68 at 5 %.
    """
    return sum_product(certain_lease_cash_flow, borrowing_discount_factor) - sum_product(
        forgone_after_tax, residual_discount_factor
    )
