"""How a price moves over the months: its size over that of month 1.

Prices may rise as well as fall. A month-by-month decline of 40 % a year is (1 - 0.4)^((m-1)/12), so
that month 13 costs 0.6 of month 1; by the year it is one step every twelve months.
"""

from tco.engine.operations import lookup, whole
from tco.units import Factor


def price_factor__month(path_change_per_year, elapsed_months, months_per_year) -> Factor:
    """Price of the month over that of month 1, changing every month.

    (1 + e)^((m - 1) / 12).
    """
    return (1 + path_change_per_year) ** (elapsed_months / months_per_year)


def price_factor__year(path_change_per_year, elapsed_months, months_per_year, tolerance) -> Factor:
    """Price of the month over that of month 1, changing once a year.

    (1 + e)^floor((m - 1) / 12).
    """
    return (1 + path_change_per_year) ** whole(elapsed_months / months_per_year, tolerance)


def price_factor__steps(month, path_month, path_factor) -> Factor:
    """Price of the month over that of month 1, by steps."""
    return lookup(month, path_month, path_factor)


def price_factor__level(path_level, reverting_per_month, elapsed_months) -> Factor:
    """Price of the month over that of month 1, on its way to a level.

    L + (1 - L) (1 - k)^(m - 1): the expectation of a price that reverts to its mean.
    """
    return path_level + (1 - path_level) * (1 - reverting_per_month) ** elapsed_months
