"""Electricity of owned hardware.

Power lies between idle and active watts. Where nobody says what a card draws, busy is its rated
power and idle is nothing: rated power times load, for want of better. PUE multiplies the energy of
the equipment once.
"""

from tco.units import KilowattHours, Kilowatts, Money, MoneyPerGpuHour


def it_power_kw(
    gpus, idle_power, active_power, busy_share, host_power, watts_per_kilowatt
) -> Kilowatts:
    """Average electric power of the GPUs and of what is around them.

    A GPU that is powered but idle still draws its idle watts.
    """
    return (
        gpus
        * (idle_power + (active_power - idle_power) * busy_share + host_power)
        / watts_per_kilowatt
    )


def busy_hour_cost(
    active_power, idle_power, watts_per_kilowatt, pue, electricity_price
) -> MoneyPerGpuHour:
    """Extra cost of an hour that a GPU is busy instead of idle."""
    return (active_power - idle_power) / watts_per_kilowatt * pue * electricity_price


def facility_power_kw(it_power_kw, pue) -> Kilowatts:
    """Average power drawn from the grid, cooling and losses included."""
    return it_power_kw * pue


def energy_kwh(facility_power_kw, hours) -> KilowattHours:
    """Energy of the month."""
    return facility_power_kw * hours


def electricity_cost(energy_kwh, electricity_price, tariff_factor) -> Money:
    """Electricity bill of the month."""
    return energy_kwh * electricity_price * tariff_factor
