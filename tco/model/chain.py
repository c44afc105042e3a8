"""What every supply and cost item of an option hands on to the next."""

from tco.units import Money, MoneyPerMonth


def cost_through(cost_before, cash_cost) -> Money:
    """Cash cost, this item and those before it."""
    return cost_before + cash_cost


def parts_through(parts_before, equivalent_parts) -> MoneyPerMonth:
    """Equivalent monthly cost added up from parts, this item and those before it."""
    return parts_before + equivalent_parts
