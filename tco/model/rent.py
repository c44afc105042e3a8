"""Renting GPUs by the hour, at the median price.

Either every hour held is billed (``held``) or only the busy ones (``busy``). The lowest offer on
the board (``minimum``) is a bound that is printed; nothing is planned with it.
"""

from tco.engine.operations import sum_product
from tco.units import GpuHours, GpuHoursPerMonth, Money, MoneyPerMegatoken, MoneyPerMonth


def rent_cost(billed_gpu_hours, price) -> Money:
    """Rent of the month."""
    return billed_gpu_hours * price


def cash_cost(rent_cost, staff_cost) -> Money:
    """Cash cost of renting."""
    return rent_cost + staff_cost


def discounted_billed_gpu_hours(billed_gpu_hours, discount_factor) -> GpuHours:
    """GPU-hours billed over all months, discounted."""
    return sum_product(billed_gpu_hours, discount_factor)


def equivalent_billed_gpu_hours(discounted_billed_gpu_hours, annuity_factor) -> GpuHoursPerMonth:
    """GPU-hours billed a month, levelled over the horizon."""
    return discounted_billed_gpu_hours / annuity_factor


def average_billed_gpu_hours(billed_gpu_hours, operating, operating_months) -> GpuHoursPerMonth:
    """GPU-hours billed a month, plain average."""
    return sum_product(billed_gpu_hours, operating) / operating_months


def equivalent_rent_cost(rent_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Rent, equivalent monthly cost."""
    return sum_product(rent_cost, discount_factor) / annuity_factor


def equivalent_parts(equivalent_rent_cost, equivalent_staff_cost) -> MoneyPerMonth:
    """Equivalent monthly cost of this supply, added up from its parts."""
    return equivalent_rent_cost + equivalent_staff_cost


def billed_gpu_hours__held(gpu_hours) -> GpuHours:
    """GPU-hours billed: all that are held."""
    return gpu_hours


def billed_gpu_hours__busy(busy_gpu_hours) -> GpuHours:
    """GPU-hours billed: only the busy ones."""
    return busy_gpu_hours


def rent_at_lowest_offer__minimum(billed_gpu_hours, minimum) -> Money:
    """Rent of the month at the lowest offer."""
    return billed_gpu_hours * minimum


def variable_cost_per_mtok__by_tokens(price, megatokens_per_gpu_hour) -> MoneyPerMegatoken:
    """Cost of one more million output tokens, when only busy hours are billed."""
    return price / megatokens_per_gpu_hour
