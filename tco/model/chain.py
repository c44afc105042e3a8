"""What every supply and cost item of an option hands on to the next."""

import numpy as np

from tco.units import Flag, Money, MoneyPerMonth


def cost_through(cost_before, cash_cost) -> Money:
    """Cash cost, this item and those before it."""
    return cost_before + cash_cost


def parts_through(parts_before, equivalent_parts) -> MoneyPerMonth:
    """Equivalent monthly cost added up from parts, this item and those before it."""
    return parts_before + equivalent_parts


def unfit_through__fit(unfit_before, does_not_fit, tensor_parallel_not_allowed) -> Flag:
    """1 when the model of this supply, or of one before it, does not fit its cards."""
    return np.maximum(unfit_before, np.maximum(does_not_fit, tensor_parallel_not_allowed))
