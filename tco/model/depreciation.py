"""Depreciation of hardware: in the books, and with other methods for tax. It is not cash.

A method is a row of shares by age: the share of its cost that hardware loses in the first, second,
... month of its service (``straight``, ``declining`` with or without ``switching``, ``points``).
The row of months is read as the row of ages. What was bought ``once`` before month 1 has the
month's own share; of ``cohorts`` each has the share of its age. What is left when the hardware is
sold or given up is written off then.
"""

import numpy as np

from tco.engine.operations import backwards, over_cohorts, ratio, sum_product
from tco.units import Balance, Flag, Fraction, Money, Months


def salvage_share__kept(salvage, unit_cost) -> Fraction:
    """Share of the cost that is kept as book value at the end of life."""
    return ratio(salvage, unit_cost)


def salvage_share__kept_first(salvage, unit_cost, commissioning) -> Fraction:
    """Share of the cost that is kept as book value at the end of life."""
    return ratio(salvage, sum_product(unit_cost, commissioning))


def depreciating(month, depreciation_delay, life_months) -> Flag:
    """1 at the ages at which hardware is depreciated."""
    return np.where(month > depreciation_delay, 1, 0) * np.where(
        month <= life_months + depreciation_delay, 1, 0
    )


def depreciation_share__straight(salvage_share, life_months, depreciating) -> Fraction:
    """Share of the cost lost at this age.

    (1 - s) / n: a purchase of 100,000 kept at 10,000 over 60 months loses 1,500 a month (definition
    of the straight line; Excel's SLN).
    """
    return (1 - salvage_share) / life_months * depreciating


def opening_share__declining(previous_share_left) -> Fraction:
    """Share of the cost that is left at the beginning of the month."""
    return previous_share_left


def declining_share__declining(opening_share, declining_factor, life_months) -> Fraction:
    """Share lost if a constant part of what is left is lost each month."""
    return opening_share * declining_factor / life_months


def life_left__to_straight(life_months, depreciation_delay, month) -> Months:
    """Months of life left at the beginning of the month, one at least."""
    return np.maximum(life_months + depreciation_delay - month + 1, 1)


def straight_share__to_straight(opening_share, salvage_share, life_left) -> Fraction:
    """Share lost if what is left is lost evenly over the rest of the life."""
    return (opening_share - salvage_share) / life_left


def depreciation_share__switching(
    declining_share, straight_share, opening_share, salvage_share, depreciating
) -> Fraction:
    """Share of the cost lost at this age: declining, straight where that is more, never below S.

    Excel's VDB: 10,000 kept at 1,000 over 5 periods at twice the straight rate loses 4,000, 2,400,
    1,440, 864 and 296.
    """
    return (
        np.minimum(
            np.maximum(declining_share, straight_share),
            np.maximum(opening_share - salvage_share, 0),
        )
        * depreciating
    )


def depreciation_share__last_years(
    declining_share,
    straight_share,
    month,
    life_months,
    depreciation_delay,
    straight_last_months,
    depreciating,
) -> Fraction:
    """Share of the cost lost at this age: declining, and evenly in the last years of the life.

    The Chinese rule of double declining balance: in the last two years what is left, less the
    residual, is spread evenly (Guoshuifa [2009] No. 81, Art. 5).
    """
    return (
        np.where(
            month + straight_last_months > life_months + depreciation_delay,
            straight_share,
            declining_share,
        )
        * depreciating
    )


def depreciation_share__unswitched(
    declining_share, opening_share, salvage_share, depreciating
) -> Fraction:
    """Share of the cost lost at this age: declining, never below what is kept (Excel's DDB)."""
    return np.minimum(declining_share, np.maximum(opening_share - salvage_share, 0)) * depreciating


def share_left__declining(commissioning, opening_share, depreciation_share) -> Fraction:
    """Share of the cost that is left at the end of the month."""
    return commissioning + opening_share - depreciation_share


def depreciation_share__points(written_off_share, previous_written_off_share) -> Fraction:
    """Share of the cost lost at this age, by the table of what is written off."""
    return written_off_share - previous_written_off_share


def share_in_service__refresh(depreciation_share, month, refresh_months) -> Fraction:
    """Share of the cost lost at this age, while the hardware is not sold."""
    return depreciation_share * np.where(month <= refresh_months, 1, 0)


def backward_share__cohorts(share_in_service, month, operating_months) -> Fraction:
    """Share of the cost lost by age, the row turned round."""
    return backwards(share_in_service, month, operating_months)


def depreciation__once(depreciable_cost, depreciation_share) -> Money:
    """Depreciation of the month."""
    return depreciable_cost * depreciation_share


def depreciation__cohorts(cost_added, backward_share, month, operating_months) -> Money:
    """Depreciation of the month: each purchase at its age."""
    return over_cohorts(cost_added, backward_share, month, operating_months)


def disposing__refresh(refreshed, final) -> Flag:
    """1 in a month in which hardware is sold or given up."""
    return np.maximum(refreshed, final)


def opening_book_value(previous_book_value) -> Balance:
    """Book value at the beginning of the month."""
    return previous_book_value


def disposed_value(opening_book_value, depreciation, disposing) -> Money:
    """Book value written off because the hardware is sold or given up."""
    return (opening_book_value - depreciation) * disposing


def book_value(opening_book_value, cost_added, depreciation, disposed_value) -> Balance:
    """Book value at the end of the month: opening + additions - depreciation - disposals."""
    return opening_book_value + cost_added - depreciation - disposed_value
