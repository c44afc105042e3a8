"""A balance paid in at the decision, kept up, used up in the last month, and perhaps lost once."""

import numpy as np

from tco.units import Flag, Money


def balance_lost(month, lost_in_month, operating) -> Flag:
    """1 in the month in which the balance is lost and paid in again."""
    return np.where(month == lost_in_month, 1, 0) * operating


def prepaid_cost(balance, commissioning, final, balance_lost) -> Money:
    """Payments into the balance, less what of it pays the last bills."""
    return balance * (commissioning - final + balance_lost)


def prepaid_expense(balance, balance_lost) -> Money:
    """Balance that is lost in the month; what pays bills is an expense with them."""
    return balance * balance_lost
