"""Work that is done where it is now: each workload at the prices of its own present API."""

from tco.engine.operations import ratio, sum_product, total
from tco.units import Money, MoneyPerMonth, MoneyPerVolume, Tokens, Volume, Work


def served_work__moved(served_share, work_demanded) -> Work:
    """Work of this workload that is served where it is now."""
    return served_share * work_demanded


def served_input_tokens__moved_tokens(served_share, input_tokens_demanded) -> Tokens:
    """Input tokens of this workload that are served where it is now."""
    return served_share * input_tokens_demanded


def present_cost_through__moved(present_cost_before, api_cost) -> Money:
    """Bill of the month, this workload and those before it."""
    return present_cost_before + api_cost


def cash_cost__supply(api_cost, staff_cost) -> Money:
    """Cash cost of leaving the work where it is."""
    return api_cost + staff_cost


def equivalent_api_cost__supply(api_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """API, equivalent monthly cost."""
    return sum_product(api_cost, discount_factor) / annuity_factor


def equivalent_parts__supply(equivalent_api_cost, equivalent_staff_cost) -> MoneyPerMonth:
    """Equivalent monthly cost of this supply, added up from its parts."""
    return equivalent_api_cost + equivalent_staff_cost


def served_volume__supply(served_work, work_per_volume) -> Volume:
    """Work served, in what a price is for."""
    return served_work / work_per_volume


def marginal_cost__supply(api_cost, served_volume, discount_factor) -> MoneyPerVolume:
    """Cost of one more unit of output, with the input that goes with it: bill over volume."""
    return ratio(
        sum_product(api_cost, discount_factor), sum_product(served_volume, discount_factor)
    )


def marginal_cash_cost__supply(api_cost, served_volume) -> MoneyPerVolume:
    """The same from undiscounted cost."""
    return ratio(total(api_cost), total(served_volume))
