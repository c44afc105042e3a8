"""Straight-line depreciation of hardware, in the books only; it is not cash.

What is bought ``once`` is written off from month 1; of ``cohorts``, each from the month after its
own purchase.
"""

import numpy as np

from tco.engine.operations import cumulative, lag
from tco.units import Balance, Flag, Money


def in_service_life__once(month, life_months, operating) -> Flag:
    """1 while the hardware is being depreciated."""
    return np.where(month <= life_months, 1, 0) * operating


def depreciable_cost__once(hardware_cost, salvage, gpus) -> Balance:
    """Purchase price less the book value that is kept."""
    return hardware_cost - salvage * gpus


def depreciation__once(depreciable_cost, life_months, in_service_life) -> Money:
    """Depreciation of the month.

    (C - S) / n from month 1 to month n: a purchase of 100,000 kept at 10,000 over 60 months loses
    1,500 a month (definition of the straight line; Excel's SLN).
    """
    return depreciable_cost / life_months * in_service_life


def depreciable_purchases__cohorts(capex, salvage, gpus_bought) -> Money:
    """Purchases of the month less the book value that is kept of them."""
    return capex - salvage * gpus_bought


def depreciable_to_date__cohorts(depreciable_purchases) -> Balance:
    """What is bought to be written off, up to this month."""
    return cumulative(depreciable_purchases)


def written_off_cohorts__cohorts(depreciable_to_date, month, life_months) -> Balance:
    """What was bought longer ago than its life."""
    return lag(depreciable_to_date, month, life_months + 1)


def standing_cohorts__cohorts(depreciable_to_date, month) -> Balance:
    """What was bought before this month."""
    return lag(depreciable_to_date, month, 1)


def depreciation__cohorts(standing_cohorts, written_off_cohorts, life_months) -> Money:
    """Depreciation of the month: each purchase from the month after it, over its life."""
    return (standing_cohorts - written_off_cohorts) / life_months


def opening_book_value(previous_book_value) -> Balance:
    """Book value at the beginning of the month."""
    return previous_book_value


def book_value(opening_book_value, capex, depreciation) -> Balance:
    """Book value at the end of the month: opening + purchases - depreciation."""
    return opening_book_value + capex - depreciation


def depreciation_through(depreciation_before, depreciation) -> Money:
    """Depreciation, this supply and those before it."""
    return depreciation_before + depreciation


def book_value_through(book_value_before, book_value) -> Balance:
    """Book value at the end of the month, this supply and those before it."""
    return book_value_before + book_value
