"""Renting GPUs by the hour, at the median price.

Billed are all hours held (``held``), only the busy ones (``busy``), or those in which the load is
above what stands before the supply (``needed``, level by level of the load). The lowest offer on
the board (``minimum``) is a bound that is printed; nothing is planned with it. A ``reserved`` term
is paid for all its hours; ``spot`` GPUs lose a part of theirs to interruptions.
"""

import numpy as np

from tco.engine.operations import ceil, cumulative, lag, modulo, ratio, sum_product, total
from tco.units import (
    Balance,
    Flag,
    Fraction,
    GpuHours,
    GpuHoursPerMonth,
    Hours,
    Money,
    MoneyPerGpuHour,
    MoneyPerMonth,
    MoneyPerVolume,
)


def rent_cost(billed_gpu_hours, price, price_factor) -> Money:
    """Rent of the month."""
    return billed_gpu_hours * price * price_factor


def extra_cost__extras(upfront_cost, storage_cost, egress_cost, prepaid_cost) -> Money:
    """What is paid beside the hours: terms, storage, traffic, balance."""
    return upfront_cost + storage_cost + egress_cost + prepaid_cost


def cash_cost(rent_cost, extra_cost, staff_cost) -> Money:
    """Cash cost of renting."""
    return rent_cost + extra_cost + staff_cost


def expense(
    rent_cost, upfront_expense, storage_cost, egress_cost, prepaid_expense, staff_cost
) -> Money:
    """Expense of renting: what is paid at the beginning of a term is spread over it."""
    return rent_cost + upfront_expense + storage_cost + egress_cost + prepaid_expense + staff_cost


def discounted_billed_gpu_hours(billed_gpu_hours, discount_factor) -> GpuHours:
    """GPU-hours billed over all months, discounted."""
    return sum_product(billed_gpu_hours, discount_factor)


def equivalent_billed_gpu_hours(discounted_billed_gpu_hours, annuity_factor) -> GpuHoursPerMonth:
    """GPU-hours billed a month, levelled over the horizon."""
    return discounted_billed_gpu_hours / annuity_factor


def average_billed_gpu_hours(billed_gpu_hours, operating, operating_months) -> GpuHoursPerMonth:
    """GPU-hours billed a month, plain average."""
    return sum_product(billed_gpu_hours, operating) / operating_months


def equivalent_rent_cost(rent_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Rent, equivalent monthly cost."""
    return sum_product(rent_cost, discount_factor) / annuity_factor


def equivalent_extra_cost__extras(extra_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """What is paid beside the hours, equivalent monthly cost."""
    return sum_product(extra_cost, discount_factor) / annuity_factor


def equivalent_parts(
    equivalent_rent_cost, equivalent_extra_cost, equivalent_staff_cost
) -> MoneyPerMonth:
    """Equivalent monthly cost of this supply, added up from its parts."""
    return equivalent_rent_cost + equivalent_extra_cost + equivalent_staff_cost


def billed_gpu_hours__held(gpu_hours) -> GpuHours:
    """GPU-hours billed: all that are held."""
    return gpu_hours


def billed_gpu_hours__busy(busy_gpu_hours) -> GpuHours:
    """GPU-hours billed: only the busy ones."""
    return busy_gpu_hours


def billed_gpu_hours__needed(gpu_hours) -> GpuHours:
    """GPU-hours billed: those held while they are needed."""
    return gpu_hours


def used__sessions(used_gpu_hours) -> Flag:
    """1 in a month in which the GPUs are used at all."""
    return np.where(used_gpu_hours > 0, 1, 0)


def session_hours__sessions(used_gpu_hours, sessions_per_month, startup_hours) -> GpuHours:
    """GPU-hours of one session, start-up included."""
    return used_gpu_hours / sessions_per_month + startup_hours


def rounded_session_hours__increment(session_hours, increment_hours, tolerance) -> GpuHours:
    """GPU-hours of one session in whole increments."""
    return ceil(session_hours / increment_hours, tolerance) * increment_hours


def billed_gpu_hours__sessions(
    sessions_per_month, minimum_hours, rounded_session_hours, used
) -> GpuHours:
    """GPU-hours billed: every session at its minimum or more."""
    return sessions_per_month * np.maximum(minimum_hours, rounded_session_hours) * used


def rent_at_lowest_offer__minimum(billed_gpu_hours, minimum, price_factor) -> Money:
    """Rent of the month at the lowest offer."""
    return billed_gpu_hours * minimum * price_factor


def priced_gpu_hours__path(billed_gpu_hours, price_factor) -> GpuHours:
    """GPU-hours at the price of month 1 that would cost as much."""
    return billed_gpu_hours * price_factor


def discounted_priced_gpu_hours__weighted(priced_gpu_hours, cost_discount_factor) -> GpuHours:
    """GPU-hours at the price of month 1 over all months, after tax, discounted."""
    return sum_product(priced_gpu_hours, cost_discount_factor)


def average_priced_gpu_hours__weighted(
    priced_gpu_hours, kept_share, operating_months
) -> GpuHoursPerMonth:
    """GPU-hours at the price of month 1 a month, after tax, plain average."""
    return total(priced_gpu_hours) * kept_share / operating_months


def billed_hour_price__weighted(
    price, discounted_priced_gpu_hours, discounted_billed_gpu_hours
) -> MoneyPerGpuHour:
    """Price of a GPU-hour that is billed, over all months, after tax."""
    return price * ratio(discounted_priced_gpu_hours, discounted_billed_gpu_hours)


def billed_hour_cash_price__weighted(
    price, priced_gpu_hours, kept_share, billed_gpu_hours
) -> MoneyPerGpuHour:
    """The same from undiscounted cost."""
    return price * ratio(total(priced_gpu_hours) * kept_share, total(billed_gpu_hours))


def held_price__weighted(gpu_hours, price, price_factor) -> Money:
    """Rent of the month if all hours were billed."""
    return gpu_hours * price * price_factor


def hour_price__weighted(
    held_price, cost_discount_factor, gpu_hours, discount_factor
) -> MoneyPerGpuHour:
    """Price of an hour held in every month alike, after tax."""
    return ratio(
        sum_product(held_price, cost_discount_factor), sum_product(gpu_hours, discount_factor)
    )


def hour_cash_price__weighted(held_price, kept_share, gpu_hours) -> MoneyPerGpuHour:
    """The same from undiscounted cost."""
    return ratio(total(held_price) * kept_share, total(gpu_hours))


def marginal_cost__by_volume(billed_hour_price, volume_per_gpu_hour) -> MoneyPerVolume:
    """Cost of one more unit of volume, when only busy hours are billed."""
    return billed_hour_price / volume_per_gpu_hour


def marginal_cash_cost__by_volume_weighted(
    billed_hour_cash_price, volume_per_gpu_hour
) -> MoneyPerVolume:
    """The same from undiscounted cost."""
    return billed_hour_cash_price / volume_per_gpu_hour


def marginal_cost__by_hours(
    billed_hour_price, busy_gpu_hours, served_volume, discount_factor
) -> MoneyPerVolume:
    """The same where the mix of input and output decides how long a unit takes: over all months."""
    return billed_hour_price * ratio(
        sum_product(busy_gpu_hours, discount_factor), sum_product(served_volume, discount_factor)
    )


def marginal_cash_cost__by_hours(
    billed_hour_cash_price, busy_gpu_hours, served_volume
) -> MoneyPerVolume:
    """The same from undiscounted hours and volume."""
    return billed_hour_cash_price * ratio(total(busy_gpu_hours), total(served_volume))


def term_begins__reserved(month, term_months, final) -> Flag:
    """1 when a term begins."""
    return np.where(modulo(month, term_months) == 0, 1, 0) * (1 - final)


def upfront_cost__reserved(upfront, gpus, term_begins) -> Money:
    """Paid at the beginning of a term, for all GPUs that are held."""
    return upfront * gpus * term_begins


def upfront_to_date__reserved(upfront_cost) -> Balance:
    """Paid at the beginning of terms, up to this month."""
    return cumulative(upfront_cost)


def upfront_due__reserved(upfront_to_date, month, term_months) -> Money:
    """Part of the month in what was paid at the beginning of its term."""
    return (
        lag(upfront_to_date, month, 1) - lag(upfront_to_date, month, term_months + 1)
    ) / term_months


def opening_prepaid__reserved(previous_prepaid_terms) -> Balance:
    """Paid for terms and not yet used, at the beginning of the month."""
    return previous_prepaid_terms


def upfront_expense__reserved(upfront_due, opening_prepaid, final) -> Money:
    """Expense of the month for terms paid at their beginning; in the last, all that is left."""
    return np.where(final > 0, opening_prepaid, upfront_due)


def prepaid_terms__reserved(opening_prepaid, upfront_cost, upfront_expense) -> Balance:
    """Paid for terms and not yet used: opening + paid - expense."""
    return opening_prepaid + upfront_cost - upfront_expense


def mean_hours__reserved(hours, operating_months) -> Hours:
    """Hours of a mean month."""
    return total(hours) / operating_months


def effective_price__reserved(price, upfront, term_months, mean_hours) -> MoneyPerGpuHour:
    """Price of an hour of the term, what is paid at its beginning included."""
    return price + upfront / (term_months * mean_hours)


def lost_hours__spot(checkpoint_hours, mean_share_lost, restart_hours) -> Hours:
    """Hours lost by an interruption: half of what lies between checkpoints, and the restart."""
    return checkpoint_hours * mean_share_lost + restart_hours


def useful_share_of_hours__spot(lost_hours, hours_between_interruptions) -> Fraction:
    """Share of the hours that do work which counts."""
    return np.maximum(1 - ratio(lost_hours, hours_between_interruptions), 0)


def effective_price__spot(price, useful_share_of_hours) -> MoneyPerGpuHour:
    """Price of an hour that does work which counts: p T / (T - c/2 - R)."""
    return ratio(price, useful_share_of_hours)


def storage_cost__storage(storage_gb, storage_price, operating) -> Money:
    """Storage of the month, kept while GPUs are off."""
    return storage_gb * storage_price * operating


def egress_cost__egress(egress_gb, egress_price, operating) -> Money:
    """Traffic of the month."""
    return egress_gb * egress_price * operating
