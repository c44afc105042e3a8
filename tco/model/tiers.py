"""One tier of a price that depends on the volume of the month.

Graduated, each unit is paid at the price of the tier it falls in; by all units, the whole volume
at the price of the tier that the month reaches, so that a bill can fall when volume rises. The
first tier begins above 0; the last has no end.
"""

import numpy as np

from tco.engine.operations import at_most
from tco.units import Flag, Money, Volume


def above_from(volume, tier_from) -> Volume:
    """Volume of the month above the beginning of the tier."""
    return np.maximum(volume - tier_from, 0)


def tier_volume__graduated(above_from, tier_from, tier_to) -> Volume:
    """Volume of the month in this tier."""
    return np.minimum(above_from, tier_to - tier_from)


def tier_volume__graduated_last(above_from) -> Volume:
    """Volume of the month in this tier."""
    return above_from


def tier_passed__units(volume, tier_to, tolerance) -> Flag:
    """1 when the volume of the month goes beyond the end of the tier."""
    return 1 - at_most(volume, tier_to, tolerance)


def tier_volume__units(volume, tier_reached, tier_passed) -> Volume:
    """Volume of the month that is paid at the price of this tier.

    A tier is reached when the one before it is passed; the first always is.
    """
    return volume * tier_reached * (1 - tier_passed)


def tier_cost_through(tier_cost_before, tier_volume, tier_price, price_factor) -> Money:
    """Bill of this tier and those before it."""
    return tier_cost_before + tier_volume * tier_price * price_factor
