"""Buying GPUs: paid in month 0, powered and run from month 1."""

from tco.engine.operations import sum_product
from tco.units import Balance, Money, MoneyPerMegatoken, MoneyPerMonth


def hardware_cost(price, count) -> Balance:
    """Purchase price of all these GPUs."""
    return price * count


def capex(hardware_cost, commissioning) -> Money:
    """Purchase of hardware."""
    return hardware_cost * commissioning


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


def variable_cost_per_mtok__measured(busy_hour_cost, megatokens_per_gpu_hour) -> MoneyPerMegatoken:
    """Cost of one more million output tokens: the electricity of being busy instead of idle."""
    return busy_hour_cost / megatokens_per_gpu_hour
