"""Buying GPUs: paid in the month before they are needed, powered and run from the next.

A fixed number is bought ``once``, at the decision; one that follows the demand in ``cohorts``.
"""

from tco.engine.operations import ratio, sum_product, total
from tco.units import Balance, Factor, Gpus, Money, MoneyPerMonth, MoneyPerVolume


def hardware_cost__once(price, gpus) -> Balance:
    """Purchase price of all these GPUs, those that fill a node included."""
    return price * gpus


def capex__once(hardware_cost, commissioning) -> Money:
    """Purchase of hardware."""
    return hardware_cost * commissioning


def capex__cohorts(gpus_bought, purchase_price) -> Money:
    """Purchases of hardware in the month."""
    return gpus_bought * purchase_price


def discounted_gpus_bought__cohorts(gpus_bought, discount_factor) -> Gpus:
    """GPUs bought over all months, discounted."""
    return sum_product(gpus_bought, discount_factor)


def price_over_first__changing(purchase_price, price) -> Factor:
    """Purchase price of the month over that at the decision."""
    return ratio(purchase_price, price)


def weighted_gpus_bought__changing(gpus_bought, price_over_first) -> Gpus:
    """GPUs bought in the month, at the price over that at the decision."""
    return gpus_bought * price_over_first


def discounted_gpus_bought__changing(weighted_gpus_bought, discount_factor) -> Gpus:
    """GPUs bought over all months at prices over that at the decision, discounted."""
    return sum_product(weighted_gpus_bought, discount_factor)


def capex_through(capex_before, capex) -> Money:
    """Purchases, this supply and those before it."""
    return capex_before + capex


def cash_cost(capex, electricity_cost, staff_cost) -> Money:
    """Cash cost of owning."""
    return capex + electricity_cost + staff_cost


def equivalent_hardware_cost(capex, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Hardware, equivalent monthly cost."""
    return sum_product(capex, discount_factor) / annuity_factor


def equivalent_electricity_cost(electricity_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Electricity, equivalent monthly cost."""
    return sum_product(electricity_cost, discount_factor) / annuity_factor


def equivalent_parts(
    equivalent_hardware_cost, equivalent_electricity_cost, equivalent_staff_cost
) -> MoneyPerMonth:
    """Equivalent monthly cost of this supply, added up from its parts."""
    return equivalent_hardware_cost + equivalent_electricity_cost + equivalent_staff_cost


def marginal_cost__by_volume(busy_hour_cost, volume_per_gpu_hour) -> MoneyPerVolume:
    """Cost of one more unit of volume: the electricity of being busy instead of idle."""
    return busy_hour_cost / volume_per_gpu_hour


def marginal_cost__by_hours(
    busy_hour_cost, busy_gpu_hours, served_volume, discount_factor
) -> MoneyPerVolume:
    """The same where the mix of input and output decides how long a unit takes: over all months."""
    return busy_hour_cost * ratio(
        sum_product(busy_gpu_hours, discount_factor), sum_product(served_volume, discount_factor)
    )


def marginal_cash_cost__by_hours(busy_hour_cost, busy_gpu_hours, served_volume) -> MoneyPerVolume:
    """The same from undiscounted hours and volume."""
    return busy_hour_cost * ratio(total(busy_gpu_hours), total(served_volume))
