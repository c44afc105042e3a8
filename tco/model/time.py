"""The time axis: month 0 is the decision date, months 1 to N are the months of operation.

Purchases fall in month 0; running costs fall at the end of each month of operation. Rates are
annual and effective; the monthly rate is the one that compounds to it, never a twelfth.
"""

import numpy as np

from tco.engine.operations import lookup, modulo, total
from tco.units import Factor, Flag, Hours, Month, MonthlyRate, Months


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


def discount_factor(monthly_discount_rate, month) -> Factor:
    """Present value of one unit of money paid at the end of the month.

    (1 + i)^-m; 1 at the decision date, and everywhere when the rate is 0.
    """
    return (1 + monthly_discount_rate) ** (-month)


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
