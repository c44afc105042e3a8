"""What hardware fetches when it is sold: by a table of ages, by a yearly loss, or a quoted amount.

The market decides, never the books: nothing is taken to be worth its book value.
"""

import numpy as np

from tco.engine.operations import backwards, over_cohorts, sum_product
from tco.units import Balance, Fraction, Money, MoneyPerMonth


def residual_share__loss(residual_loss_per_year, month, months_per_year) -> Fraction:
    """Share of its price that hardware of this age still fetches.

    (1 - d)^(age in years): 100,000 that lose 30 % a year fetch 34,300 after three.
    """
    return (1 - residual_loss_per_year) ** (month / months_per_year)


def used_share__cohorts(residual_share, operating) -> Fraction:
    """Share of its price that used hardware of this age still fetches; new one is not for sale."""
    return residual_share * operating


def used_share__refresh(residual_share, operating, month, refresh_months) -> Fraction:
    """Share of its price that used hardware of this age still fetches; new one is not for sale."""
    return residual_share * operating * np.where(month <= refresh_months, 1, 0)


def backward_used_share__cohorts(used_share, month, operating_months) -> Fraction:
    """Share of its price by age, the row turned round."""
    return backwards(used_share, month, operating_months)


def resale_worth__cohorts(
    equipment_additions, backward_used_share, month, operating_months
) -> Balance:
    """What all used hardware would fetch at the end of the month."""
    return over_cohorts(equipment_additions, backward_used_share, month, operating_months)


def resale_worth__once(equipment_value, residual_share, operating) -> Balance:
    """What the hardware would fetch at the end of the month."""
    return equipment_value * residual_share * operating


def resale__worth(resale_worth, disposing) -> Money:
    """Sale of hardware in the month."""
    return resale_worth * disposing


def resale__amount(residual_amount, gpus, final) -> Money:
    """Sale of hardware in the last month."""
    return residual_amount * gpus * final


def sale_expense__costly(resale, sale_cost) -> Money:
    """What the sale costs."""
    return resale * sale_cost


def net_resale(resale, sale_expense) -> Money:
    """Sale of hardware, less what the sale costs."""
    return resale - sale_expense


def equivalent_resale(net_resale, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Sale of hardware, a month."""
    return sum_product(net_resale, discount_factor) / annuity_factor


def equivalent_resale_cost(equivalent_resale) -> MoneyPerMonth:
    """Sale of hardware, equivalent monthly cost; below 0 since it is money in."""
    return -equivalent_resale
