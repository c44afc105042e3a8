"""How far a measurement carries: it is planned with after two whole weeks (article C), not before.

A whole week is seven days counted from the first moment measured. With two of them or more the
value is the mean over the whole weeks, so that no day of the week weighs more than another, and
what is left over is said; low and high are the lowest and the highest of the weeks, from ten weeks
on the P10 and the P90 of them. With less, the value is that of all that was measured and there is
neither low nor high.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import quantiles

from tco.readings.reading import FEW_WEEKS, WEEK, Period

MANY_WEEKS = 10
"""From so many whole weeks on, low and high are the P10 and the P90 of the weeks."""


@dataclass(frozen=True)
class Spread:
    """The mean of whole weeks with the lowest and the highest of them, in the unit of the weeks."""

    value: float
    low: float
    high: float
    note: str

    @property
    def content(self) -> dict[str, float]:
        """What stands in a scenario: ``value``, ``low`` and ``high``."""
        return {name: significant(getattr(self, name)) for name in ("value", "low", "high")}


def significant(value: float) -> float:
    """The number with six significant digits, as many as a measurement is written with.

    >>> significant(30.9100000001), significant(1234567.8)
    (30.91, 1234570.0)
    """
    return float(f"{value:.6g}")


def spread(weeks: Sequence[float], weights: Sequence[float] | None = None) -> Spread | None:
    """The mean of the whole weeks with low and high; None where there are fewer than two.

    ``weeks`` has one number for each whole week, ``weights`` how much of the week was measured,
    in any unit; without it the weeks count alike.

    >>> spread([0.25, 0.75])
    Spread(value=0.5, low=0.25, high=0.75, note='low and high: the lowest and highest of 2 whole \
weeks')
    >>> spread([0.25, 0.75], weights=[3, 1]).value
    0.375
    >>> ten = spread([10.0 * week for week in range(11)])
    >>> ten.low, ten.high, ten.note
    (10.0, 90.0, 'low and high: P10 and P90 of 11 whole weeks')
    >>> spread([0.25]) is None
    True
    """
    count = len(weeks)
    if count < FEW_WEEKS:
        return None
    shares = weights or [1.0] * count
    value = sum(w * s for w, s in zip(weeks, shares, strict=True)) / sum(shares)
    lowest, highest = min(weeks), max(weeks)
    # rounding may not carry a mean of equal weeks past them
    value = min(max(value, lowest), highest)
    if count >= MANY_WEEKS:
        tenths = [
            min(max(tenth, lowest), highest)  # here neither
            for tenth in quantiles(weeks, n=10, method="inclusive")
        ]
        # a mean that a few weeks carry may lie beyond nine in ten of them
        if tenths[0] <= value <= tenths[-1]:
            note = f"low and high: P10 and P90 of {count} whole weeks"
            return Spread(value, tenths[0], tenths[-1], note)
    note = f"low and high: the lowest and highest of {count} whole weeks"
    return Spread(value, lowest, highest, note)


def weekly(
    period: Period | None, weeks: Mapping[int, float], weights: Mapping[int, float] | None = None
) -> Spread | None:
    """The spread of the weeks that lie whole within a period; None where there are fewer than two.

    ``weeks`` holds the number of each week by its count from the first moment, 0 first: see
    ``week_of``. A week without a number was not measured and does not count.
    """
    whole = range(period.whole_weeks) if period else range(0)
    measured = [week for week in whole if week in weeks]
    return spread(
        [weeks[week] for week in measured],
        [weights[week] for week in measured] if weights else None,
    )


def week_of(since_begin: timedelta) -> int:
    """Which week a moment lies in, so long after the first moment; the first week is 0.

    >>> week_of(timedelta(days=6, hours=23)), week_of(timedelta(days=7))
    (0, 1)
    """
    return since_begin // WEEK


def shortfall(period: Period | None) -> str | None:
    """The warning of a measurement that is too short to plan with, or None.

    >>> from datetime import datetime
    >>> shortfall(Period(datetime(2026, 6, 1), datetime(2026, 6, 9)))
    '1 whole week: two are needed to plan with (article C); no low and high written'
    """
    if period is None:
        return (
            "no times in the file: how long was measured is not known, and two whole weeks are "
            "needed to plan with (article C); no low and high written"
        )
    whole = period.whole_weeks
    if whole >= FEW_WEEKS:
        return None
    return (
        f"{whole} whole week{'' if whole == 1 else 's'}: two are needed to plan with (article C); "
        "no low and high written"
    )


def left_over(period: Period | None) -> str | None:
    """The remark on what lies after the last whole week, where there are two or more; or None.

    >>> from datetime import datetime
    >>> left_over(Period(datetime(2026, 6, 1), datetime(2026, 6, 16, 12)))
    'the values are those of 2 whole weeks; 1.5 days after them are left over'
    """
    if period is None or period.whole_weeks < FEW_WEEKS:
        return None
    rest = period.length - period.whole_weeks * WEEK
    if not rest:
        return None
    days = rest / timedelta(days=1)
    text = f"{days:.3g} days" if days >= 1 else f"{days * 24:.3g} hours"
    return (
        f"the values are those of {period.whole_weeks} whole weeks; {text} after them are left over"
    )
