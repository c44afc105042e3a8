"""A cost that is named in the scenario: once at the decision date, every month or every year."""

from tco.engine.operations import sum_product
from tco.units import Money, MoneyPerMonth


def cash_cost__named(amount, due) -> Money:
    """Cash cost of this item."""
    return amount * due


def cash_cost__staying(staying_cost) -> Money:
    """Bill of what cannot move, in every option."""
    return staying_cost


def expense(cash_cost) -> Money:
    """Expense of this item."""
    return cash_cost


def equivalent_parts(cash_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Equivalent monthly cost of this item."""
    return sum_product(cash_cost, discount_factor) / annuity_factor
