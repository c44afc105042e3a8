"""Renting GPUs by the hour, at the median price.

Billed are all hours held (``held``), only the busy ones (``busy``), or those in which the load is
above what stands before the supply (``needed``, level by level of the load). The lowest offer on
the board (``minimum``) is a bound that is printed; nothing is planned with it. A ``reserved`` term
is paid for all its hours; ``spot`` GPUs lose a part of theirs to interruptions.
"""

import numpy as np

from tco.engine.operations import ceil, modulo, ratio, sum_product, total
from tco.units import (
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


def rent_cost(billed_gpu_hours, price) -> Money:
    """Rent of the month."""
    return billed_gpu_hours * price


def extra_cost__extras(upfront_cost, storage_cost, egress_cost, prepaid_cost) -> Money:
    """What is paid beside the hours: terms, storage, traffic, balance."""
    return upfront_cost + storage_cost + egress_cost + prepaid_cost


def cash_cost(rent_cost, extra_cost, staff_cost) -> Money:
    """Cash cost of renting."""
    return rent_cost + extra_cost + staff_cost


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


def rent_at_lowest_offer__minimum(billed_gpu_hours, minimum) -> Money:
    """Rent of the month at the lowest offer."""
    return billed_gpu_hours * minimum


def marginal_cost__by_volume(price, volume_per_gpu_hour) -> MoneyPerVolume:
    """Cost of one more unit of volume, when only busy hours are billed."""
    return price / volume_per_gpu_hour


def marginal_cost__by_hours(
    price, busy_gpu_hours, served_volume, discount_factor
) -> MoneyPerVolume:
    """The same where the mix of input and output decides how long a unit takes: over all months."""
    return price * ratio(
        sum_product(busy_gpu_hours, discount_factor), sum_product(served_volume, discount_factor)
    )


def marginal_cash_cost__by_hours(price, busy_gpu_hours, served_volume) -> MoneyPerVolume:
    """The same from undiscounted hours and volume."""
    return price * ratio(total(busy_gpu_hours), total(served_volume))


def term_begins__reserved(month, term_months, final) -> Flag:
    """1 when a term begins."""
    return np.where(modulo(month, term_months) == 0, 1, 0) * (1 - final)


def upfront_cost__reserved(upfront, gpus, term_begins) -> Money:
    """Paid at the beginning of a term, for all GPUs that are held."""
    return upfront * gpus * term_begins


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
