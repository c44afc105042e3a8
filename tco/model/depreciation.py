"""Straight-line depreciation of hardware bought in month 0, in the books only; it is not cash."""

import numpy as np

from tco.units import Balance, Flag, Money


def in_service_life(month, life_months, operating) -> Flag:
    """1 while the hardware is being depreciated."""
    return np.where(month <= life_months, 1, 0) * operating


def depreciable_cost(hardware_cost, salvage, count) -> Balance:
    """Purchase price less the book value that is kept."""
    return hardware_cost - salvage * count


def depreciation(depreciable_cost, life_months, in_service_life) -> Money:
    """Depreciation of the month.

    (C - S) / n from month 1 to month n: a purchase of 100,000 kept at 10,000 over 60 months loses
    1,500 a month (definition of the straight line; Excel's SLN).
    """
    return depreciable_cost / life_months * in_service_life


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
