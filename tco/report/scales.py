"""Round numbers for the ticks of an axis.

>>> round_steps(0, 100), round_steps(0.2, 0.9)
([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
>>> rounded_up(71.2), rounded_up(100), rounded_up(0.031)
(75.0, 100.0, 0.04)
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tco.report.drawing import Ticks

MOST_TICKS = 8
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
CEILINGS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 8.0, 10.0)


def ticks(low: float, high: float, text: Callable[[float], str], most: int = MOST_TICKS) -> Ticks:
    """Ticks at round numbers between two values."""
    return tuple((place, text(place)) for place in round_steps(low, high, most))


def round_steps(low: float, high: float, most: int = MOST_TICKS) -> list[float]:
    """At most so many round numbers, evenly spaced, from one value to another."""
    if high <= low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(s * power for s in STEPS if s * power > rough * (1 - 1e-9))
    if math.floor(high / step + 1e-9) - math.ceil(low / step - 1e-9) >= most:
        step = next(s * power * f for f in (1, 10) for s in STEPS if s * power * f > step * 1.01)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{n * step:.12g}") for n in range(first, last + 1)]


def rounded_up(value: float) -> float:
    """The next round number that is not smaller."""
    if value <= 0:
        return value
    power = 10.0 ** math.floor(math.log10(value))
    return float(f"{next(c for c in CEILINGS if c * power >= value * (1 - 1e-9)) * power:.12g}")
