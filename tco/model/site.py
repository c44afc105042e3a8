"""Where owned hardware stands: a room of one's own, or colocation with or without the power.

In colocation the contracted power is paid, not what is drawn. All-in, it pays for the energy too,
so that there is no bill for electricity beside it. A demand charge is paid for the highest power of
the month, and never for less than a part (the ratchet) of the highest of the months before.
"""

import numpy as np

from tco.engine.operations import lookup, sum_product, trailing_highest
from tco.units import Flag, Kilowatts, Money, MoneyPerMonth


def contracted_kw__contracted(gpus, tdp, host_power, watts_per_kilowatt) -> Kilowatts:
    """Power that is contracted: the rated power of all cards and what is around them."""
    return gpus * (tdp + host_power) / watts_per_kilowatt


def standing__service(gpus) -> Flag:
    """1 in the months in which the hardware stands in its place."""
    return np.where(gpus > 0, 1, 0)


def colocation_cost__colocation(contracted_kw, colocation_price, standing, operating) -> Money:
    """Colocation of the month, by the contracted power."""
    return contracted_kw * colocation_price * standing * operating


def peak_kw__peak(gpus, tdp, host_power, watts_per_kilowatt, pue, operating) -> Kilowatts:
    """Highest power of the month: all cards at their rated power, cooling and losses included."""
    return gpus * (tdp + host_power) / watts_per_kilowatt * pue * operating


def peak_kw__peaks(month, peak_month, peak_kw_of_steps, operating) -> Kilowatts:
    """Highest power of the month, as it is given."""
    return lookup(month, peak_month, peak_kw_of_steps) * operating


def ratchet_kw__ratchet(peak_kw, month, ratchet_months) -> Kilowatts:
    """Highest power of this month and those before it that the ratchet looks back on."""
    return trailing_highest(peak_kw, month, ratchet_months)


def billed_kw__ratchet(peak_kw, ratchet, ratchet_kw) -> Kilowatts:
    """Power that is billed: the month's peak, or a part of the highest before it.

    Peaks of 60, 80 and 55 kW with a ratchet of 80 % are billed as 60, 80 and 64.
    """
    return np.maximum(peak_kw, ratchet * ratchet_kw)


def demand_cost__demand(billed_kw, demand_charge) -> Money:
    """Demand charge of the month."""
    return billed_kw * demand_charge


def floor_cost__room(room_cost, standing, operating) -> Money:
    """Room of one's own for the month."""
    return room_cost * standing * operating


def site_cost(colocation_cost, demand_cost, floor_cost) -> Money:
    """What the place costs in the month, electricity by the kWh apart."""
    return colocation_cost + demand_cost + floor_cost


def equivalent_site_cost(site_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Place, equivalent monthly cost."""
    return sum_product(site_cost, discount_factor) / annuity_factor
