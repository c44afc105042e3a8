"""The load within a month as a load-duration curve: levels over the mean, shares of the hours.

It is reduced before the model runs, so that the model reads a short table.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise

MOST_LEVELS = 24
# all work in ten hours of five days, of the 168 hours of a week
OFFICE_HOURS = (*(1.0,) * 50, *(0.0,) * 118)
# a peak alone is taken to last one hour in a hundred (the P99 hour)
PEAK_SHARE = 0.01

Curve = tuple[tuple[float, ...], tuple[float, ...]]


def curve_of(
    load: str | Sequence[float],
    peak_to_mean: float | None,
    shares: Sequence[float] | None = None,
) -> Curve | None:
    """Levels in descending order with their shares of the hours; None for a flat load.

    ``shares`` are those of the hours at each load; without them the loads are of equal hours. The
    mean of the levels, weighted by their shares, is 1.

    >>> curve_of((1, 1, 4, 2), None)
    ((2.0, 1.0, 0.5), (0.25, 0.25, 0.5))
    >>> curve_of((1, 4, 2), None, shares=(0.5, 0.25, 0.25))
    ((2.0, 1.0, 0.5), (0.25, 0.25, 0.5))
    >>> levels, shares = curve_of("office-hours", None)
    >>> round(levels[0], 12), levels[1], round(shares[0] * 168, 9)
    (3.36, 0.0, 50.0)
    >>> curve_of("flat", 3)[0][0]
    3.0
    >>> curve_of("flat", None) is None
    True
    """
    if load == "flat":
        if peak_to_mean is None or peak_to_mean == 1:
            return None
        rest = (1 - peak_to_mean * PEAK_SHARE) / (1 - PEAK_SHARE)
        return (float(peak_to_mean), _digits(rest)), (PEAK_SHARE, 1 - PEAK_SHARE)
    weights = OFFICE_HOURS if isinstance(load, str) else tuple(load)
    hours = tuple(shares or (1.0,) * len(weights))
    total = sum(hours)
    mean = sum(weight * part for weight, part in zip(weights, hours, strict=True)) / total
    relative = sorted(
        ((weight / mean, part) for weight, part in zip(weights, hours, strict=True)), reverse=True
    )
    groups = [
        (level, sum(part for _, part in same))
        for level, same in groupby(relative, key=lambda one: one[0])
    ]
    if len(groups) == 1:
        return None
    if len(groups) > MOST_LEVELS:
        groups = _reduced(relative)
    levels = tuple(_digits(level) for level, _ in groups)
    return levels, tuple(_digits(part / total) for _, part in groups)


def _reduced(relative: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The highest load as it is, the rest in bins of about the same hours at their mean.

    ``relative`` has loads in descending order with the hours at each.
    """
    top = [part for level, part in relative if level == relative[0][0]]
    rest = relative[len(top) :]
    ends = [0.0, *accumulate(part for _, part in rest)]
    bins = MOST_LEVELS - 1
    edges = [_nearest(ends, ends[-1] * number / bins) for number in range(bins + 1)]
    groups = [(relative[0][0], sum(top))]
    for begin, end in pairwise(edges):
        if end > begin:
            hours = sum(part for _, part in rest[begin:end])
            groups.append((sum(level * part for level, part in rest[begin:end]) / hours, hours))
    return groups


def _nearest(ascending: list[float], value: float) -> int:
    """The place of the number that is nearest to a value not above the last."""
    place = min(bisect_left(ascending, value), len(ascending) - 1)
    is_below = place > 0 and value - ascending[place - 1] < ascending[place] - value
    return place - is_below


def _digits(value: float) -> float:
    """As many digits as a cell keeps."""
    return float(f"{value:.15g}")
