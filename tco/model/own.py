"""Owning GPUs: what is paid for them and for running them, and what it costs in the books.

The books take what is used in a month, the cash what is paid in it; over all months they agree.
"""

from tco.engine.operations import ratio, sum_product, total
from tco.units import Money, MoneyPerGpuHour, MoneyPerMonth, MoneyPerVolume


def net_resale_through(net_resale_before, net_resale) -> Money:
    """Sales of hardware less what they cost, this supply and those before it."""
    return net_resale_before + net_resale


def financing_cash_flow_through__financed(financing_cash_flow_before, financing_cash_flow) -> Money:
    """Loans and leases, this supply and those before it; money in is positive."""
    return financing_cash_flow_before + financing_cash_flow


def financing_deduction_through__financed(financing_deduction_before, financing_deduction) -> Money:
    """Deducted for tax because of loans and leases, this supply and those before it."""
    return financing_deduction_before + financing_deduction


def finance_cost_through__financed(finance_cost_before, finance_cost) -> Money:
    """Interest and fees, this supply and those before it."""
    return finance_cost_before + finance_cost


def capex_through(capex_before, capex) -> Money:
    """Purchases, this supply and those before it."""
    return capex_before + capex


def running_cost(electricity_cost, site_cost, upkeep_cost, staff_cost) -> Money:
    """What is paid in the month to run the hardware."""
    return electricity_cost + site_cost + upkeep_cost + staff_cost


def cash_cost(capex, vat_cost, running_cost, net_resale) -> Money:
    """Cash cost of owning, before tax and financing."""
    return capex + vat_cost + running_cost - net_resale


def expense(electricity_cost, site_cost, upkeep_expense, staff_cost) -> Money:
    """Expense of the month, depreciation apart."""
    return electricity_cost + site_cost + upkeep_expense + staff_cost


def disposal_loss(disposed_value, net_resale) -> Money:
    """Book value given up, less what the sale brings; below 0 it is a gain."""
    return disposed_value - net_resale


def tax_deduction(tax_depreciation, tax_disposed_value, net_resale) -> Money:
    """Deducted for tax in the month beside expenses: depreciation, basis sold less the sale."""
    return tax_depreciation + tax_disposed_value - net_resale


def tax_deduction_through(tax_deduction_before, tax_deduction) -> Money:
    """Deducted for tax beside expenses, this supply and those before it."""
    return tax_deduction_before + tax_deduction


def book_deduction(depreciation, disposal_loss) -> Money:
    """Written off in the books in the month, less gains."""
    return depreciation + disposal_loss


def book_deduction_through(book_deduction_before, book_deduction) -> Money:
    """Written off in the books, less gains, this supply and those before it."""
    return book_deduction_before + book_deduction


def depreciation_through(depreciation_before, depreciation) -> Money:
    """Depreciation, this supply and those before it."""
    return depreciation_before + depreciation


def disposal_loss_through(disposal_loss_before, disposal_loss) -> Money:
    """Losses from disposal, this supply and those before it."""
    return disposal_loss_before + disposal_loss


def disposed_value_through(disposed_value_before, disposed_value) -> Money:
    """Book value given up, this supply and those before it."""
    return disposed_value_before + disposed_value


def equivalent_hardware_cost(capex, vat_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Hardware, equivalent monthly cost."""
    return (
        sum_product(capex, discount_factor) + sum_product(vat_cost, discount_factor)
    ) / annuity_factor


def equivalent_electricity_cost(electricity_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Electricity, equivalent monthly cost."""
    return sum_product(electricity_cost, discount_factor) / annuity_factor


def equivalent_parts(
    equivalent_hardware_cost,
    equivalent_electricity_cost,
    equivalent_site_cost,
    equivalent_upkeep_cost,
    equivalent_staff_cost,
    equivalent_resale_cost,
) -> MoneyPerMonth:
    """Equivalent monthly cost of this supply, added up from its parts."""
    return (
        equivalent_hardware_cost
        + equivalent_electricity_cost
        + equivalent_site_cost
        + equivalent_upkeep_cost
        + equivalent_staff_cost
        + equivalent_resale_cost
    )


# what one more busy hour, or one more unit of work, costs


def busy_energy_cost__weighted(busy_gpu_hours, busy_hour_cost_now, tariff_factor) -> Money:
    """Electricity of being busy instead of idle."""
    return busy_gpu_hours * busy_hour_cost_now * tariff_factor


def equivalent_busy_energy_cost__weighted(
    busy_energy_cost, cost_discount_factor, annuity_factor
) -> MoneyPerMonth:
    """Electricity of being busy instead of idle, after tax, equivalent monthly cost."""
    return sum_product(busy_energy_cost, cost_discount_factor) / annuity_factor


def average_busy_energy_cost__weighted(
    busy_energy_cost, kept_share, operating_months
) -> MoneyPerMonth:
    """The same from undiscounted cost."""
    return total(busy_energy_cost) * kept_share / operating_months


def spent_hour_cost__weighted(
    busy_energy_cost, cost_discount_factor, busy_gpu_hours, discount_factor
) -> MoneyPerGpuHour:
    """Electricity of one more busy hour, after tax, as the busy hours lie over the months."""
    return ratio(
        sum_product(busy_energy_cost, cost_discount_factor),
        sum_product(busy_gpu_hours, discount_factor),
    )


def spent_cash_hour_cost__weighted(busy_energy_cost, kept_share, busy_gpu_hours) -> MoneyPerGpuHour:
    """The same from undiscounted cost."""
    return ratio(total(busy_energy_cost) * kept_share, total(busy_gpu_hours))


def held_energy_cost__weighted(gpu_hours, busy_hour_cost_now, tariff_factor) -> Money:
    """Electricity of being busy instead of idle in every hour held."""
    return gpu_hours * busy_hour_cost_now * tariff_factor


def busy_hour_cost__weighted(
    held_energy_cost, cost_discount_factor, gpu_hours, discount_factor
) -> MoneyPerGpuHour:
    """Electricity of an hour busy instead of idle in every month alike, after tax."""
    return ratio(
        sum_product(held_energy_cost, cost_discount_factor),
        sum_product(gpu_hours, discount_factor),
    )


def busy_cash_hour_cost__weighted(held_energy_cost, kept_share, gpu_hours) -> MoneyPerGpuHour:
    """The same from undiscounted cost."""
    return ratio(total(held_energy_cost) * kept_share, total(gpu_hours))


def marginal_cost__by_volume(spent_hour_cost, volume_per_gpu_hour) -> MoneyPerVolume:
    """Cost of one more unit of volume: the electricity of being busy instead of idle."""
    return spent_hour_cost / volume_per_gpu_hour


def marginal_cash_cost__by_volume_weighted(
    spent_cash_hour_cost, volume_per_gpu_hour
) -> MoneyPerVolume:
    """The same from undiscounted cost."""
    return spent_cash_hour_cost / volume_per_gpu_hour


def marginal_cost__by_hours(
    spent_hour_cost, busy_gpu_hours, served_volume, discount_factor
) -> MoneyPerVolume:
    """The same where the mix of input and output decides how long a unit takes: over all months."""
    return spent_hour_cost * ratio(
        sum_product(busy_gpu_hours, discount_factor), sum_product(served_volume, discount_factor)
    )


def marginal_cash_cost__by_hours(
    spent_cash_hour_cost, busy_gpu_hours, served_volume
) -> MoneyPerVolume:
    """The same from undiscounted hours and volume."""
    return spent_cash_hour_cost * ratio(total(busy_gpu_hours), total(served_volume))
