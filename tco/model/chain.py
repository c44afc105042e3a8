"""What every supply and cost item of an option hands on to the next."""

import numpy as np

from tco.units import Flag, Money, MoneyPerMonth


def cost_through(cost_before, cash_cost) -> Money:
    """Cash cost, this item and those before it."""
    return cost_before + cash_cost


def expense_through(expense_before, expense) -> Money:
    """Expense of the month, this item and those before it."""
    return expense_before + expense


def parts_through(parts_before, equivalent_parts) -> MoneyPerMonth:
    """Equivalent monthly cost added up from parts, this item and those before it."""
    return parts_before + equivalent_parts


def unfit_through__alone(unfit_before, input_alone) -> Flag:
    """1 when this supply, or one before it, cannot do the work: it has input and no output."""
    return np.maximum(unfit_before, input_alone)


def unfit_through__fit_and_alone(
    unfit_before, does_not_fit, tensor_parallel_not_allowed, input_alone
) -> Flag:
    """1 when the model of this supply, or of one before it, does not fit, or has no output."""
    return np.maximum(
        np.maximum(unfit_before, input_alone),
        np.maximum(does_not_fit, tensor_parallel_not_allowed),
    )


def unfit_through__fit(unfit_before, does_not_fit, tensor_parallel_not_allowed) -> Flag:
    """1 when the model of this supply, or of one before it, does not fit its cards."""
    return np.maximum(unfit_before, np.maximum(does_not_fit, tensor_parallel_not_allowed))
