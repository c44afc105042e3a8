"""The time axis: month 0 is the decision date, months 1 to N are the months of operation.

Purchases fall in month 0; running costs fall at the end of each month of operation. Rates are
annual and effective; the monthly rate is the one that compounds to it, never a twelfth.
"""

import numpy as np

from tco.engine.operations import ceil, lookup, modulo, total, whole
from tco.units import (
    AnnualRate,
    Factor,
    Flag,
    Fraction,
    Hours,
    MoneyPerStaffHour,
    Month,
    MonthlyRate,
    Months,
    Period,
)


def period(previous_period) -> Month:
    """Position in the timeline, counted from 1."""
    return previous_period + 1


def month(period) -> Month:
    """Month, counted from the decision date (0)."""
    return period - 1


def operating(month) -> Flag:
    """1 in a month of operation, 0 at the decision date."""
    return np.where(month > 0, 1, 0)


def commissioning(operating) -> Flag:
    """1 at the decision date, when purchases are paid."""
    return 1 - operating


def year_end__yearly(month, months_per_year, operating) -> Flag:
    """1 in the last month of each year of operation."""
    return np.where(modulo(month, months_per_year) == 0, 1, 0) * operating


def operating_months(operating) -> Months:
    """Months of operation."""
    return total(operating)


def final(month, operating_months) -> Flag:
    """1 in the last month."""
    return np.where(month == operating_months, 1, 0)


def monthly_discount_rate(discount_rate, months_per_year) -> MonthlyRate:
    """Discount rate of a month, compounding to the annual effective rate.

    (1 + r)^(1/12) - 1. At 12 % a year it is 0.949 %, not 1 %.
    """
    return (1 + discount_rate) ** (1 / months_per_year) - 1


def end_of_year_month(month, months_per_year, tolerance) -> Month:
    """Month at whose end a year of operation ends that the month lies in."""
    return ceil(month / months_per_year, tolerance) * months_per_year


def discount_month__mid_month(month, half_month, operating) -> Month:
    """Month from which the cash of the month is discounted: its middle."""
    return month - half_month * operating


def discount_factor(monthly_discount_rate, discount_month) -> Factor:
    """Present value of one unit of money paid in the month.

    (1 + i)^-m, at the end of the month unless the scenario says otherwise; 1 at the decision date,
    and everywhere when the rate is 0. At a month's beginning it would be (1 + i) times as much.
    """
    return (1 + monthly_discount_rate) ** (-discount_month)


def higher_discount_rate(discount_rate, rate_step) -> AnnualRate:
    """A discount rate some points higher, to see how far the choice hangs on it."""
    return discount_rate + rate_step


def higher_monthly_discount_rate(higher_discount_rate, months_per_year) -> MonthlyRate:
    """The higher discount rate of a month."""
    return (1 + higher_discount_rate) ** (1 / months_per_year) - 1


def higher_discount_factor(higher_monthly_discount_rate, discount_month) -> Factor:
    """Present value of one unit of money paid in the month, at the higher rate."""
    return (1 + higher_monthly_discount_rate) ** (-discount_month)


def year_end_discount_factor(monthly_discount_rate, end_of_year_month) -> Factor:
    """Present value of one unit of money of the month, as if paid at the end of its year."""
    return (1 + monthly_discount_rate) ** (-end_of_year_month)


def elapsed_months(month, operating) -> Months:
    """Whole months of operation before this one; month 0 lies in the same calendar month as 1."""
    return (month - 1) * operating


def fiscal_year(elapsed_months, fiscal_offset, months_per_year, tolerance) -> Period:
    """Fiscal year, counted from 0; month 0 belongs to that of month 1."""
    return whole((elapsed_months + fiscal_offset) / months_per_year, tolerance)


def fiscal_quarter(elapsed_months, fiscal_offset, months_per_quarter, tolerance) -> Period:
    """Fiscal quarter, counted from the first of fiscal year 0."""
    return whole((elapsed_months + fiscal_offset) / months_per_quarter, tolerance)


def fiscal_month(elapsed_months, fiscal_offset, months_per_year) -> Month:
    """Month of the fiscal year, counted from 0."""
    return modulo(elapsed_months + fiscal_offset, months_per_year)


def fiscal_year_close(fiscal_month, months_per_year, operating, final) -> Flag:
    """1 in the last month of a fiscal year, and in the last of all months."""
    return np.maximum(np.where(fiscal_month == months_per_year - 1, 1, 0) * operating, final)


def tax_payment_month__month_of_tax(month) -> Month:
    """Month in which the tax on the month's cost is settled."""
    return month


def tax_payment_month__year_of_tax(
    month, elapsed_months, fiscal_month, months_per_year, lag_months, operating_months
) -> Month:
    """Month in which the tax on the month's cost is settled: after the close of its year.

    What would be settled after the last month is settled in it.
    """
    return np.minimum(
        elapsed_months + months_per_year - fiscal_month + lag_months, operating_months
    )


def tax_discount_factor__taxed(tax_payment_month, month, discount_factor) -> Factor:
    """Present value of one unit of tax on the month's cost."""
    return lookup(tax_payment_month, month, discount_factor)


def after_tax_discount_factor__taxed(discount_factor, tax_rate, tax_discount_factor) -> Factor:
    """Present value of one unit of deductible cost of the month, less the tax that it saves."""
    return discount_factor - tax_rate * tax_discount_factor


def kept_share__taxed(tax_rate) -> Fraction:
    """Share of a deductible cost that is left after tax."""
    return 1 - tax_rate


def operating_after_tax_factor__taxed(after_tax_discount_factor, operating) -> Factor:
    """Present value after tax of one unit of cost of the month, 0 at the decision date."""
    return after_tax_discount_factor * operating


def after_tax_annuity_factor__taxed(operating_after_tax_factor) -> Factor:
    """Present value after tax of one unit of cost in each month of operation."""
    return total(operating_after_tax_factor)


def hour_of_work_cost__taxed(
    hourly_cost, after_tax_annuity_factor, annuity_factor
) -> MoneyPerStaffHour:
    """Cost of an hour of work less the tax that it saves."""
    return hourly_cost * after_tax_annuity_factor / annuity_factor


def operating_discount_factor(discount_factor, operating) -> Factor:
    """Discount factor in months of operation, 0 at the decision date."""
    return discount_factor * operating


def annuity_factor(operating_discount_factor) -> Factor:
    """Present value of one unit of money in each month of operation.

    (1 - (1 + i)^-N) / i, or N at a rate of 0.
    """
    return total(operating_discount_factor)


def hours__average(hours_per_month, operating) -> Hours:
    """Hours in the month."""
    return hours_per_month * operating


def hours__calendar(month, calendar_month, calendar_hours) -> Hours:
    """Hours in the month, by the calendar."""
    return lookup(month, calendar_month, calendar_hours)
