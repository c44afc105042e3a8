"""Tax on profit, of an option as a whole: what its costs save, when, and what it does in the books.

A cost saves tax only where there is a profit to set it against. ``elsewhere``: the taxpayer has
profit enough elsewhere. ``worthless``: only the stated profit of the year counts. ``carried``: what
exceeds it is carried forward. Interest saves tax too; that is in the discount rate, not here.
Settled is in the month itself, or after the close of the fiscal year; what would come after the
last month comes in it.
"""

import numpy as np

from tco.engine.operations import cumulative, lag, sum_product, total, year_to_date
from tco.units import Balance, Money, MoneyPerMonth


def taxable_cost(expense, tax_deduction_through) -> Money:
    """Cost for tax: expenses, depreciation for tax, basis of what is sold less what it brings."""
    return expense + tax_deduction_through


def tax_cost__month(taxable_cost, tax_rate) -> Money:
    """Tax of the month; below 0 it is tax saved."""
    return -taxable_cost * tax_rate


def taxable_cost_to_date__year(taxable_cost, fiscal_year) -> Balance:
    """Cost for tax in the fiscal year up to this month."""
    return year_to_date(taxable_cost, fiscal_year)


def taxable_cost_of_year__year(taxable_cost_to_date, fiscal_year_close) -> Money:
    """Cost for tax of the fiscal year that closes."""
    return taxable_cost_to_date * fiscal_year_close


def tax_due__elsewhere(taxable_cost_of_year, tax_rate) -> Money:
    """Tax for the fiscal year that closes; below 0 it is tax saved."""
    return -taxable_cost_of_year * tax_rate


def profit_of_year__limited(profit_per_year, fiscal_year_close) -> Money:
    """Taxable profit of the fiscal year that closes, before the costs of the option.

    All of it, also where only some months of the year are looked at: tax is assessed by the year.
    """
    return profit_per_year * fiscal_year_close


def taxable_income__limited(profit_of_year, taxable_cost_of_year) -> Money:
    """Taxable income of the fiscal year that closes."""
    return profit_of_year - taxable_cost_of_year


def opening_losses__carried(previous_losses_carried) -> Balance:
    """Losses carried forward at the beginning of the month."""
    return previous_losses_carried


def losses_added__carried(taxable_income) -> Money:
    """Loss of the fiscal year that closes."""
    return np.maximum(-taxable_income, 0)


def losses_used__carried(opening_losses, taxable_income, loss_limit) -> Money:
    """Losses of earlier years set against the income, up to the limit."""
    return np.minimum(opening_losses, np.maximum(taxable_income, 0) * loss_limit)


def losses_carried__carried(opening_losses, losses_added, losses_used) -> Balance:
    """Losses carried forward at the end of the month: opening + added - used."""
    return opening_losses + losses_added - losses_used


def tax_due__limited(taxable_income, losses_used, profit_of_year, tax_rate) -> Money:
    """Tax for the fiscal year that closes, less that on the profit alone; below 0 it is saved."""
    return (np.maximum(taxable_income, 0) - losses_used - profit_of_year) * tax_rate


def tax_due_to_date__year(tax_due) -> Balance:
    """Tax due up to this month."""
    return cumulative(tax_due)


def tax_paid_to_date__year(tax_due_to_date, month, lag_months, final) -> Balance:
    """Tax settled up to this month; what is still due is settled in the last."""
    return np.where(final > 0, tax_due_to_date, lag(tax_due_to_date, month, lag_months))


def tax_cost__year(tax_paid_to_date, previous_tax_paid_to_date) -> Money:
    """Tax settled in the month; below 0 it is tax saved."""
    return tax_paid_to_date - previous_tax_paid_to_date


def total_tax_cost(tax_cost) -> Money:
    """Tax over all months; below 0 it is tax saved."""
    return total(tax_cost)


def equivalent_tax_cost(tax_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Tax, equivalent monthly cost; below 0 it is tax saved."""
    return sum_product(tax_cost, discount_factor) / annuity_factor


# in the books


def deferred_difference(
    tax_deduction_through, financing_deduction, book_deduction_through, finance_cost
) -> Money:
    """What tax deducts in the month beyond the books: a matter of time alone."""
    return tax_deduction_through + financing_deduction - book_deduction_through - finance_cost


def deferred_tax(deferred_difference, tax_rate) -> Money:
    """Tax in the books that falls due in other months."""
    return deferred_difference * tax_rate


def deferred_tax__carried(deferred_difference, losses_added, losses_used, tax_rate) -> Money:
    """Tax in the books that falls due in other months, what losses will save included."""
    return (deferred_difference - losses_added + losses_used) * tax_rate


def tax_expense(current_tax, deferred_tax, financing_tax) -> Money:
    """Tax in the books, current and deferred; below 0 it is tax saved."""
    return current_tax + deferred_tax - financing_tax


# what loans and leases do to tax: in the discount rate, so in no present value, but in the cash


def financing_tax__financed_month(financing_deduction, tax_rate) -> Money:
    """Tax saved in the books by loans and leases."""
    return financing_deduction * tax_rate


def financing_deduction_to_date__financed_year(financing_deduction, fiscal_year) -> Balance:
    """Deducted because of loans and leases in the fiscal year up to this month."""
    return year_to_date(financing_deduction, fiscal_year)


def financing_tax__financed_year(financing_deduction_to_date, fiscal_year_close, tax_rate) -> Money:
    """Tax saved by loans and leases for the fiscal year that closes."""
    return financing_deduction_to_date * fiscal_year_close * tax_rate


def financing_tax_to_date__financed_year(financing_tax) -> Balance:
    """Tax saved by loans and leases up to this month."""
    return cumulative(financing_tax)


def financing_tax_settled__financed_year(
    financing_tax_to_date, month, lag_months, final
) -> Balance:
    """Tax saved by loans and leases that is settled up to this month."""
    return np.where(final > 0, financing_tax_to_date, lag(financing_tax_to_date, month, lag_months))


def financing_tax_cash_flow__financed_year(
    financing_tax_settled, previous_financing_tax_settled
) -> Money:
    """Tax saved by loans and leases, as it is settled; money in is positive."""
    return financing_tax_settled - previous_financing_tax_settled
