"""What an option costs: cash, books, present value, cost per month and per million tokens.

Costs are positive. Books replace a purchase by its depreciation; the decision uses cash only.
"""

import numpy as np

from tco.engine.operations import (
    at_most,
    cumulative,
    highest,
    highest_yet,
    ratio,
    sum_product,
    total,
)
from tco.units import (
    Balance,
    Flag,
    Fraction,
    GpuHours,
    GpuHoursPerMonth,
    Money,
    MoneyPerGpuHour,
    MoneyPerMonth,
    MoneyPerVolume,
    Month,
    StaffHoursPerMonth,
    Volume,
    VolumePerMonth,
    Work,
)


def cash_cost(cost_through) -> Money:
    """Cash cost of the month."""
    return cost_through


def capex(capex_through, commissioning, operating) -> Money:
    """Purchases of hardware."""
    # in every month; an option without hardware of its own has a row of zeros
    return capex_through * (commissioning + operating)


def depreciation(depreciation_through, operating) -> Money:
    """Depreciation of the month."""
    return depreciation_through * operating


def book_cost(cash_cost, capex, depreciation) -> Money:
    """Cost of the month in the books: depreciation instead of purchases."""
    return cash_cost - capex + depreciation


def cumulative_cost(cash_cost) -> Balance:
    """Cash cost from the decision date to this month."""
    return cumulative(cash_cost)


def upfront_cost(cash_cost, commissioning) -> Money:
    """Cash paid at the decision date."""
    return sum_product(cash_cost, commissioning)


def running_cost(cash_cost, operating) -> Money:
    """Cash paid in the months of operation."""
    return sum_product(cash_cost, operating)


def running_cost_per_month(running_cost, operating_months) -> MoneyPerMonth:
    """Cash per month of operation, without what is paid at the decision date."""
    return running_cost / operating_months


def total_cost(cash_cost) -> Money:
    """Cash cost over all months, not discounted."""
    return total(cash_cost)


def cost_per_month(total_cost, operating_months) -> MoneyPerMonth:
    """Cash cost over all months, not discounted, divided by the months of operation."""
    return total_cost / operating_months


def npv_of_cost(cash_cost, discount_factor) -> Money:
    """Net present value of the cost; positive is a cost.

    Sum of cost x (1 + i)^-m.
    """
    return sum_product(cash_cost, discount_factor)


def equivalent_monthly_cost(npv_of_cost, annuity_factor) -> MoneyPerMonth:
    """Even monthly payment with the same present value."""
    return npv_of_cost / annuity_factor


def total_depreciation(depreciation) -> Money:
    """Depreciation over all months."""
    return total(depreciation)


def total_book_cost(book_cost) -> Money:
    """Cost over all months in the books."""
    return total(book_cost)


def final_book_value__books(book_value_through, final) -> Balance:
    """Book value left at the end of the last month."""
    return sum_product(book_value_through, final)


def largest_cumulative_cost(cumulative_cost) -> Balance:
    """Largest cumulative outlay."""
    return highest(cumulative_cost)


def highest_cumulative_cost_yet(cumulative_cost) -> Balance:
    """Largest cumulative outlay up to this month."""
    return highest_yet(cumulative_cost)


def before_largest(highest_cumulative_cost_yet, largest_cumulative_cost, tolerance) -> Flag:
    """1 before the month of the largest cumulative outlay."""
    return 1 - at_most(largest_cumulative_cost, highest_cumulative_cost_yet, tolerance)


def largest_cumulative_cost_month(before_largest) -> Month:
    """Month of the largest cumulative outlay."""
    return total(before_largest)


def average_staff_hours(staff_hours_through, operating, operating_months) -> StaffHoursPerMonth:
    """Hours of work a month."""
    return sum_product(staff_hours_through, operating) / operating_months


def total_gpu_hours__gpus(gpu_hours_through, operating) -> GpuHours:
    """GPU-hours held over all months."""
    return sum_product(gpu_hours_through, operating)


def total_busy_gpu_hours__gpus(busy_gpu_hours_through, operating) -> GpuHours:
    """GPU-hours busy over all months."""
    return sum_product(busy_gpu_hours_through, operating)


def busy_share__gpus(total_busy_gpu_hours, total_gpu_hours) -> Fraction:
    """Share of the GPU-hours held that are busy."""
    return ratio(total_busy_gpu_hours, total_gpu_hours)


def equivalent_useful_gpu_hours__gpus(
    busy_gpu_hours_through, discount_factor, annuity_factor
) -> GpuHoursPerMonth:
    """GPU-hours busy a month, levelled over the horizon."""
    return sum_product(busy_gpu_hours_through, discount_factor) / annuity_factor


def cost_per_useful_gpu_hour__gpus(
    equivalent_monthly_cost, equivalent_useful_gpu_hours
) -> MoneyPerGpuHour:
    """Equivalent monthly cost for each GPU-hour that is busy."""
    return ratio(equivalent_monthly_cost, equivalent_useful_gpu_hours)


def served_work__demand(served_work_through, operating) -> Work:
    """Output tokens served."""
    return served_work_through * operating


def total_served_work__demand(served_work) -> Work:
    """Output tokens served over all months."""
    return total(served_work)


def unserved_work__demand(work_demanded, unserved_through) -> Work:
    """Output tokens that nothing serves."""
    return work_demanded * unserved_through


def total_unserved_work__demand(unserved_work) -> Work:
    """Output tokens over all months that nothing serves."""
    return total(unserved_work)


def total_demanded_work__demand(work_demanded) -> Work:
    """Output tokens asked for over all months."""
    return total(work_demanded)


def left_unserved__demand(total_demanded_work, total_served_work, tolerance) -> Flag:
    """1 when some of the demand is left unserved."""
    return 1 - at_most(total_demanded_work, total_served_work, tolerance)


def infeasible__any(left_unserved) -> Flag:
    """1 when the option cannot do the work."""
    return left_unserved


def infeasible__fit(left_unserved, unfit_through) -> Flag:
    """1 when the option cannot do the work, or its model does not fit its cards."""
    return np.maximum(left_unserved, unfit_through)


def served_volume__demand(served_work, work_per_volume) -> Volume:
    """Output tokens served, in millions."""
    return served_work / work_per_volume


def discounted_volume__demand(served_volume, discount_factor) -> Volume:
    """Output tokens served over all months, in millions, discounted."""
    return sum_product(served_volume, discount_factor)


def useful_volume__useful(
    served_work, work_demanded, useful_work, useful_staying_work, work_per_volume
) -> Volume:
    """Work done that counts, in what a price is for: without failed attempts, what stays included.

    The cost of an option holds the bill of what stays where it is, so its work is counted too.
    """
    return (ratio(served_work, work_demanded) * useful_work + useful_staying_work) / work_per_volume


def discounted_useful_volume__useful(useful_volume, discount_factor) -> Volume:
    """Work done that counts over all months, in what a price is for, discounted."""
    return sum_product(useful_volume, discount_factor)


def levelised_cost__demand(npv_of_cost, discounted_useful_volume) -> MoneyPerVolume:
    """Levelised cost of a million output tokens, the tokens discounted too.

    Sum of cost x D / sum of tokens x D (the definition of a levelised cost of energy).
    """
    return ratio(npv_of_cost, discounted_useful_volume)


def equivalent_volume__demand(discounted_volume, annuity_factor) -> VolumePerMonth:
    """Output tokens served a month, in millions, levelled over the horizon."""
    return discounted_volume / annuity_factor


def average_volume__demand(served_volume, operating, operating_months) -> VolumePerMonth:
    """Output tokens served a month, in millions, plain average."""
    return sum_product(served_volume, operating) / operating_months


def fixed_cost_per_month__tokens(
    equivalent_monthly_cost, marginal_cost, equivalent_volume
) -> MoneyPerMonth:
    """Equivalent monthly cost without the part that grows with tokens."""
    return equivalent_monthly_cost - marginal_cost * equivalent_volume


def fixed_cash_per_month__tokens(
    cost_per_month, marginal_cash_cost, average_volume
) -> MoneyPerMonth:
    """Undiscounted cost a month without the part that grows with tokens."""
    return cost_per_month - marginal_cash_cost * average_volume


def fixed_cost_per_month_of_hours__owned(
    equivalent_monthly_cost, busy_hour_cost, equivalent_busy_gpu_hours
) -> MoneyPerMonth:
    """Equivalent monthly cost of owning without the electricity of busy hours."""
    return equivalent_monthly_cost - busy_hour_cost * equivalent_busy_gpu_hours


def fixed_cash_per_month_of_hours__owned(
    cost_per_month, busy_hour_cost, average_busy_gpu_hours
) -> MoneyPerMonth:
    """Undiscounted cost a month of owning without the electricity of busy hours."""
    return cost_per_month - busy_hour_cost * average_busy_gpu_hours


def fixed_cost_per_month_of_hours__rented(
    equivalent_monthly_cost, price, equivalent_billed_gpu_hours
) -> MoneyPerMonth:
    """Equivalent monthly cost of renting without the rent."""
    return equivalent_monthly_cost - price * equivalent_billed_gpu_hours


def fixed_cash_per_month_of_hours__rented(
    cost_per_month, price, average_billed_gpu_hours
) -> MoneyPerMonth:
    """Undiscounted cost a month of renting without the rent."""
    return cost_per_month - price * average_billed_gpu_hours


def published_difference__published(cost_per_month, published_per_month) -> MoneyPerMonth:
    """Undiscounted cost a month less the printed figure."""
    return cost_per_month - published_per_month
