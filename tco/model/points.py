"""A line through points of ages and shares, one stretch after the other.

Straight between two points; after the last it stays where it is. Each stretch adds what it rises
or falls to what those before it have come to.
"""

import numpy as np

from tco.units import Fraction


def stretch_passed(month, stretch_from, stretch_to) -> Fraction:
    """Share of the stretch that lies behind at this age."""
    return np.minimum(np.maximum((month - stretch_from) / (stretch_to - stretch_from), 0), 1)


def share_through(share_before, point_share, point_share_before, stretch_passed) -> Fraction:
    """Share at this age, as far as this stretch and those before it say."""
    return share_before + (point_share - point_share_before) * stretch_passed
