"""The internal rate of return: every rate at which a stream of flows is worth nothing.

A stream can have one rate, none or several, and which of these it is decides whether a rate says
anything at all. So the roots are not searched for from a guess: the range of rates is cut until a
bound proves of every piece that it holds no root, or at most one.

>>> [round(rate, 12) for rate in internal_rate([-100, 110]).roots]
[0.1]
>>> internal_rate([-1600, 10000, -10000]).status
'several'
>>> internal_rate([-100, -10]).reason
'no sign change: every month costs more'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

ONE, NONE, SEVERAL = "one", "none", "several"
HIGHEST = 10.0  # a month, 1,000 %: nobody decides by more
NOTHING = 1e-12  # of the scale of the flows: what rounding leaves where two costs are the same
MONTHS_PER_YEAR = 12
FIRST_PIECES, MOST_PIECES, NARROWEST = 32, 512, 1e-8


@dataclass(frozen=True)
class InternalRate:
    """The rates at which a stream is worth nothing, and what that means.

    ``roots`` are rates of one period as fractions, ascending, above -1 and up to ``HIGHEST``;
    ``status`` is one, none or several; ``reason`` says in words why there is not one, or what must
    be known of the one there is; ``sign_changes`` counts those of the flows.
    """

    status: str
    reason: str
    roots: tuple[float, ...]
    sign_changes: int

    @property
    def annual(self) -> tuple[float, ...]:
        """The rates of flows by month as effective rates of a year: (1 + x)^12 - 1, not 12 x."""
        return tuple((1 + root) ** MONTHS_PER_YEAR - 1 for root in self.roots)


def internal_rate(
    flows: Sequence[float] | Numbers,
    *,
    periods: Sequence[float] | Numbers | None = None,
    scale: float | None = None,
) -> InternalRate:
    """Every real root x in (-1, 10] of the sum of flow x (1 + x)^-period.

    ``flows`` are inflows less outflows, by default one a period from 0 on; ``periods`` says when
    they count otherwise. ``scale`` is the size of the amounts whose difference the flows are: what
    is 1e-12 of it and less is what rounding leaves, and counts as 0. A root that only touches 0 is
    found too. Raises `ValueError` for a flow that is not finite.

    The definition of the internal rate; the number of roots is at most that of the sign changes
    (Descartes). Above the rate of a stream that begins with an outflow its present value is below
    0; of one that begins with an inflow it is the other way round.
    """
    when, amounts = _merged(flows, periods)
    size = max(float(np.abs(amounts).max(initial=0.0)), scale or 0.0)
    kept = np.abs(amounts) > size * NOTHING
    when, amounts = when[kept], amounts[kept]
    changes = int(np.count_nonzero(np.diff(np.sign(amounts))))
    if not changes:
        return InternalRate(NONE, _no_change(amounts), (), 0)
    stream = _Stream(when - when[0], amounts / np.abs(amounts).max())
    found = tuple(float(np.expm1(place)) for place in stream.roots())
    if len(found) > 1:
        reason = f"the sign of the flows changes {changes} times: use the present value"
        return InternalRate(SEVERAL, reason, found, changes)
    if not found:
        last = stream.worth(stream.highest)
        limit = "" if amounts[0] * last > 0 else _LIMIT  # at an endless rate the first flow is all
        side = "above" if last > 0 else "below"
        reason = f"the present value stays {side} 0 at every rate{limit}"
        return InternalRate(NONE, reason, (), changes)
    return InternalRate(ONE, stream.caution(), found, changes)


_LIMIT = f" up to {HIGHEST * 100:,.0f} % a period"


def _merged(
    flows: Sequence[float] | Numbers, periods: Sequence[float] | Numbers | None
) -> tuple[Numbers, Numbers]:
    """Flows by when they count, those of one time added up."""
    amounts = np.asarray(flows, dtype=float)
    if not np.isfinite(amounts).all():
        raise ValueError("a flow is not a finite number")
    when = np.arange(len(amounts)) if periods is None else np.asarray(periods)
    times, place = np.unique(when.astype(float), return_inverse=True)
    return times, np.bincount(place, amounts, len(times)).astype(float)


def _no_change(amounts: Numbers) -> str:
    if not len(amounts):
        return "nothing differs: both cost the same in every month"
    return f"no sign change: every month costs {'more' if amounts[0] < 0 else 'less'}"


class _Stream:
    """Present value as a function of u = log(1 + x), where a rate of -1 is infinitely far away."""

    def __init__(self, when: Numbers, amounts: Numbers) -> None:
        self.when, self.amounts = when, amounts
        self.signs, self.sizes = np.sign(amounts), np.log(np.abs(amounts))
        self.highest = float(np.log1p(HIGHEST))
        # below this the last flow outweighs all others together
        others = float(np.abs(amounts[:-1]).sum() / abs(amounts[-1]))
        self.lowest = -max(float(np.log(others)), 0.0) / float(when[-1] - when[-2]) - 1e-6
        self.rounding = 4 * len(amounts) * np.finfo(float).eps

    def worth(self, place: float, order: int = 0) -> float:
        """Present value, or its slope for ``order`` 1; what rounding cannot tell from 0 is 0."""
        value = self._value(place, order)
        return 0.0 if abs(value) <= self.rounding else value

    def _value(self, place: float, order: int) -> float:
        """The same as it comes out, over the sum of the sizes of its terms."""
        exponents = self.sizes - place * self.when
        terms = np.exp(exponents - exponents.max()) * (-self.when) ** order
        return float((self.signs * terms).sum() / np.abs(terms).sum())

    def roots(self) -> list[float]:
        """Every root, ascending; places between which nothing differs from 0 are one."""
        found: list[list[float]] = []
        for place in sorted(self._roots()):
            if found and self.worth((place + found[-1][-1]) / 2) == 0:
                found[-1].append(place)
            else:
                found.append([place])
        return [(places[0] + places[-1]) / 2 for places in found]

    def _roots(self) -> Iterator[float]:
        edges = np.linspace(self.lowest, self.highest, FIRST_PIECES + 1)
        low, high = edges[:-1], edges[1:]
        while len(low):
            open_, monotone = self._proved(low, high)
            for start, end in zip(low[open_ & monotone], high[open_ & monotone], strict=True):
                yield from self._crossing(float(start), float(end))
            low, high = low[open_ & ~monotone], high[open_ & ~monotone]
            if len(low) > MOST_PIECES or (len(low) and high[0] - low[0] < NARROWEST):
                for start, end in zip(low, high, strict=True):
                    yield from self._turning(float(start), float(end))
                return
            middle = (low + high) / 2
            low, high = np.concatenate([low, middle]), np.concatenate([middle, high])

    def _proved(self, low: Numbers, high: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Of each piece: whether it may hold a root, and whether the present value is monotone.

        What comes in and what goes out, each discounted, fall as the rate rises. So over a piece
        their difference lies between inflows at its end less outflows at its beginning, and the
        other way round; so does the slope, with each flow times its period.
        """
        at_low = self.sizes - np.outer(low, self.when)
        at_high = self.sizes - np.outer(high, self.when)
        shift = at_low.max(axis=1, keepdims=True)
        at_low, at_high = np.exp(at_low - shift), np.exp(at_high - shift)
        inflow, outflow = self.signs > 0, self.signs < 0

        def spans_zero(weights: Numbers) -> NDArray[np.bool_]:
            least = at_high @ (weights * inflow) - at_low @ (weights * outflow)
            most = at_low @ (weights * inflow) - at_high @ (weights * outflow)
            return np.asarray((least <= 0) & (most >= 0))

        return spans_zero(np.ones_like(self.when)), ~spans_zero(self.when)

    def _crossing(self, low: float, high: float, order: int = 0) -> Iterator[float]:
        """The root of the present value, or of its slope, between two places: by bisection."""
        first, last = self.worth(low, order), self.worth(high, order)
        if first == 0 or last == 0:
            yield low if first == 0 else high
        elif first * last < 0:
            middle = (low + high) / 2
            while low < middle < high:
                same = self._value(middle, order) * first > 0
                low, high = (middle, high) if same else (low, middle)
                middle = (low + high) / 2
            yield middle

    def _turning(self, low: float, high: float) -> Iterator[float]:
        """Roots in a piece in which the present value turns, or is too flat to tell."""
        turns = list(self._crossing(low, high, order=1))
        touched = [turn for turn in turns if self.worth(turn) == 0]
        yield from touched
        if not touched:
            places = [low, *turns, high]
            for start, end in pairwise(places):
                yield from self._crossing(start, end)

    def caution(self) -> str:
        """What must be known of the only root: empty where the usual rule holds."""
        if self.amounts[-1] * self.worth(self.highest) > 0:
            return "the present value only touches 0 at this rate: use the present value"
        if self.amounts[-1] < 0:
            return "it begins with an inflow, as a loan does: worth it below this rate, not above"
        return ""
