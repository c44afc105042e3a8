"""A cost that is named in the scenario: once at the decision date, every month or every year."""

from tco.engine.operations import sum_product
from tco.units import Money, MoneyPerMonth


def cash_cost(amount, due) -> Money:
    """Cash cost of this item."""
    return amount * due


def equivalent_parts(cash_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Equivalent monthly cost of this item."""
    return sum_product(cash_cost, discount_factor) / annuity_factor
