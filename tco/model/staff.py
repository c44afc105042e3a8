"""Hours of work that running a supply takes."""

from tco.engine.operations import sum_product
from tco.units import Money, MoneyPerMonth, StaffHours


def staff_hours(staff_hours_per_month, operating) -> StaffHours:
    """Hours of work in the month."""
    return staff_hours_per_month * operating


def staff_cost(staff_hours, hourly_cost) -> Money:
    """Cost of the hours of work."""
    return staff_hours * hourly_cost


def staff_hours_through(staff_hours_before, staff_hours) -> StaffHours:
    """Hours of work, this supply and those before it."""
    return staff_hours_before + staff_hours


def equivalent_staff_cost(staff_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Staff, equivalent monthly cost."""
    return sum_product(staff_cost, discount_factor) / annuity_factor
