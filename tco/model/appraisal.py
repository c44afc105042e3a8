"""What an option costs: ledgers of cash, books, present value, cost per month and per unit.

Four ledgers are kept apart: operating cash before tax, tax, financing, and the books. The decision
counts the first two and what is given up; financing is in the discount rate. Costs are positive;
rows called ``..._cash_flow`` are money in.
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
    MoneyPerCustomer,
    MoneyPerGpuHour,
    MoneyPerMonth,
    MoneyPerRequest,
    MoneyPerVolume,
    Month,
    StaffHoursPerMonth,
    Volume,
    VolumePerMonth,
    Work,
)


def cash_cost(operating_cost, tax_cost, opportunity_cost) -> Money:
    """Cash cost of the month after tax, what is given up included: what the decision counts."""
    return operating_cost + tax_cost + opportunity_cost


def capex__books(capex_through) -> Money:
    """Purchases of hardware."""
    return capex_through


def capex__no_books(operating) -> Money:
    """Purchases of hardware: none."""
    # a row of zeros, so that every option has one
    return np.where(operating > 1, 0, 0)


# the ledgers: cash before tax, tax, financing; money in is positive


def operating_cash_flow(operating_cost) -> Money:
    """Operating cash before tax and financing; money in is positive."""
    return -operating_cost


def tax_cash_flow__taxed(tax_cost) -> Money:
    """Tax; money in, and tax saved, is positive."""
    return -tax_cost


def financing_cash_flow__financed(financing_cash_flow_through) -> Money:
    """Loans and leases, before tax; money in is positive."""
    return financing_cash_flow_through


def net_cash_flow(
    operating_cash_flow, tax_cash_flow, financing_cash_flow, financing_tax_cash_flow
) -> Money:
    """All cash of the month; money in is positive."""
    return operating_cash_flow + tax_cash_flow + financing_cash_flow + financing_tax_cash_flow


def cumulative_net_cash_flow(net_cash_flow) -> Balance:
    """All cash from the decision date to this month; money in is positive."""
    return cumulative(net_cash_flow)


def funding_need(cumulative_net_cash_flow) -> Balance:
    """Cash paid out so far, all told."""
    return -cumulative_net_cash_flow


def peak_funding_need(funding_need) -> Balance:
    """Most cash that has been paid out at any time."""
    return highest(funding_need)


def highest_funding_need_yet(funding_need) -> Balance:
    """Most cash that has been paid out up to this month."""
    return highest_yet(funding_need)


def before_peak_funding(highest_funding_need_yet, peak_funding_need, tolerance) -> Flag:
    """1 before the month in which most cash has been paid out."""
    return 1 - at_most(peak_funding_need, highest_funding_need_yet, tolerance)


def peak_funding_month(before_peak_funding) -> Month:
    """Month at whose end most cash has been paid out."""
    return total(before_peak_funding)


# the books: what the month costs, whenever it is paid


def expense(expense_through) -> Money:
    """Expense of the month, depreciation apart."""
    return expense_through


def ebitda_effect(expense) -> Money:
    """Effect on EBITDA: the expenses of the month; a cost lowers it."""
    return -expense


def depreciation__books(depreciation_through) -> Money:
    """Depreciation of the month."""
    return depreciation_through


def depreciation__no_books(operating) -> Money:
    """Depreciation of the month: none."""
    return np.where(operating > 1, 0, 0)


def disposal_loss__disposals(disposal_loss_through) -> Money:
    """Losses from hardware sold or given up; below 0 it is a gain."""
    return disposal_loss_through


def book_cost(expense, depreciation, disposal_loss) -> Money:
    """Cost of the month in the books, before interest and tax."""
    return expense + depreciation + disposal_loss


def interest_cost__financed(finance_cost_through) -> Money:
    """Interest and fees of the month."""
    return finance_cost_through


def pretax_cost(book_cost, interest_cost) -> Money:
    """Cost of the month in the books, before tax."""
    return book_cost + interest_cost


def pnl_cost__taxed(pretax_cost, tax_expense) -> Money:
    """Cost of the month in the books, after tax."""
    return pretax_cost + tax_expense


def total_pretax_cost(pretax_cost) -> Money:
    """Cost over all months in the books, before tax."""
    return total(pretax_cost)


def total_interest_cost__financed(interest_cost) -> Money:
    """Interest and fees over all months."""
    return total(interest_cost)


def total_net_cash_flow(net_cash_flow) -> Balance:
    """All cash over all months; money in is positive."""
    return total(net_cash_flow)


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


def npv_of_cost_higher_rate(cash_cost, higher_discount_factor) -> Money:
    """Net present value of the cost at a rate some points higher.

    A higher rate makes costs look smaller, and late ones, rent and bills, smaller still.
    """
    return sum_product(cash_cost, higher_discount_factor)


def npv_of_cost_year_end(cash_cost, year_end_discount_factor) -> Money:
    """Net present value of the cost as if the cash of each year were paid at its end."""
    return sum_product(cash_cost, year_end_discount_factor)


def discounted_cost(cash_cost, discount_factor) -> Money:
    """Cash cost of the month, discounted."""
    return cash_cost * discount_factor


def cumulative_discounted_cost(discounted_cost) -> Balance:
    """Cash cost from the decision date to this month, discounted."""
    return cumulative(discounted_cost)


def cash_cost_without_resale__resale(cash_cost, net_resale_through) -> Money:
    """Cash cost of the month, sales of hardware apart."""
    return cash_cost + net_resale_through


def cumulative_cost_without_resale__resale(cash_cost_without_resale) -> Balance:
    """Cash cost from the decision date to this month, sales of hardware apart."""
    return cumulative(cash_cost_without_resale)


def equivalent_opportunity_cost__owned_already(
    opportunity_cost, discount_factor, annuity_factor
) -> MoneyPerMonth:
    """Resale value given up, equivalent monthly cost."""
    return sum_product(opportunity_cost, discount_factor) / annuity_factor


def equivalent_monthly_cost(npv_of_cost, annuity_factor) -> MoneyPerMonth:
    """Even monthly payment with the same present value."""
    return npv_of_cost / annuity_factor


def total_depreciation(depreciation) -> Money:
    """Depreciation over all months."""
    return total(depreciation)


def total_book_cost(book_cost) -> Money:
    """Cost over all months in the books."""
    return total(book_cost)


def final_book_value__books(disposed_value_through, final) -> Balance:
    """Book value left in the last month, when the hardware is sold or given up."""
    return sum_product(disposed_value_through, final)


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
    """1 when some of the demand is left unserved.

    Whole cards are counted with a tolerance, which may leave as much of one card's work undone:
    twice of it is none.
    """
    return 1 - at_most(total_demanded_work, total_served_work, tolerance + tolerance)


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


def cost_per_request__requests(equivalent_monthly_cost, requests) -> MoneyPerRequest:
    """Levelised cost of a request: equivalent monthly cost over the requests of a month.

    Requests are as many in every month, so discounting them too leaves the quotient as it is.
    Where the work grows and the requests do not, each of them comes to hold more of it.
    """
    return equivalent_monthly_cost / requests


def cost_per_customer__customers(equivalent_monthly_cost, customers) -> MoneyPerCustomer:
    """Levelised cost of a customer for a month: equivalent monthly cost over the customers.

    Customers are as many in every month; where the work grows, each of them asks for more of it.
    """
    return equivalent_monthly_cost / customers


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
    cost_per_month, busy_cash_hour_cost, average_busy_gpu_hours
) -> MoneyPerMonth:
    """Undiscounted cost a month of owning without the electricity of busy hours."""
    return cost_per_month - busy_cash_hour_cost * average_busy_gpu_hours


def fixed_cost_per_month_of_hours__owned_weighted(
    equivalent_monthly_cost, equivalent_busy_energy_cost
) -> MoneyPerMonth:
    """Equivalent monthly cost of owning without the electricity of busy hours."""
    return equivalent_monthly_cost - equivalent_busy_energy_cost


def fixed_cash_per_month_of_hours__owned_weighted(
    cost_per_month, average_busy_energy_cost
) -> MoneyPerMonth:
    """Undiscounted cost a month of owning without the electricity of busy hours."""
    return cost_per_month - average_busy_energy_cost


def fixed_cost_per_month_of_hours__rented(
    equivalent_monthly_cost, price, discounted_priced_gpu_hours, annuity_factor
) -> MoneyPerMonth:
    """Equivalent monthly cost of renting without the rent."""
    return equivalent_monthly_cost - price * discounted_priced_gpu_hours / annuity_factor


def fixed_cash_per_month_of_hours__rented(
    cost_per_month, price, average_priced_gpu_hours
) -> MoneyPerMonth:
    """Undiscounted cost a month of renting without the rent."""
    return cost_per_month - price * average_priced_gpu_hours


def published_difference__published(cost_per_month, published_per_month) -> MoneyPerMonth:
    """Undiscounted cost a month less the printed figure."""
    return cost_per_month - published_per_month
