"""How uncertain the numbers of a scenario are: their P10, P50 and P90, and which move together.

A low, a value and a high are the 1-in-10 low, the median and the 1-in-10 high. Between and beyond
them a number is spread evenly in a normal score z, with one slope below the median and another one
above it, on the scale that suits it:

- an amount (money, tokens, watts) on that of its logarithm: ``value * (high / value)^(z / z90)``;
- a share from 0 to 1 on that of its odds: ``log(x / (1 - x))``;
- a rate a year, which may be negative, on that of its growth: ``log(1 + x)``;
- one of which a logarithm is infinite (a value of 0, a share of 100 %) on its own.

What is then out of the bounds of its field is cut off there, and whole numbers are rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tco.analysis.bases import label_with_owner, value_text
from tco.engine.operations import Array
from tco.results import Result
from tco.scenario.correlations import Stated, numbers_of, ways_to_name
from tco.scenario.inputs import LIVE, Input

Z90 = NormalDist().inv_cdf(0.9)
Z75 = NormalDist().inv_cdf(0.75)
# what a correlation joins moves together; what is stated to be independent does not
INDEPENDENT = 0.0


@dataclass(frozen=True)
class Scale:
    """On which a number is spread evenly, and the way back from there."""

    there: Callable[[Any], Any]
    back: Callable[[Any], Any]


def _logit(x: Any) -> Any:
    return np.log(x) - np.log1p(-np.asarray(x))


def _share(x: Any) -> Any:
    return 1 / (1 + np.exp(-np.asarray(x)))


LOGARITHM = Scale(np.log, np.exp)
ODDS = Scale(_logit, _share)
GROWTH = Scale(np.log1p, np.expm1)
OWN = Scale(np.asarray, np.asarray)


@dataclass(frozen=True)
class Ranged:
    """A number of the scenario that is varied, with the inputs of the model that it gives.

    ``low`` and ``high`` are its P10 and P90, None on a side on which it stays at its value.
    """

    inputs: tuple[Input, ...]
    low: float | None
    high: float | None

    @property
    def given(self) -> Input:
        """The input, or the first of several that the same number gives."""
        return self.inputs[0]

    @property
    def path(self) -> str:
        """Where the scenario gives it."""
        return self.given.path

    @property
    def value(self) -> float:
        """The number itself, the median."""
        return self.given.value

    @property
    def label(self) -> str:
        """What it is, in the middle of a sentence, with whose it is."""
        return label_with_owner(self.given)

    def text(self, result: Result, value: float) -> str:
        """A value of this number as a person reads it: what is computed has four digits."""
        as_given = float(f"{value:.6g}") == value
        shown = value if as_given else float(f"{value:.4g}")
        return value_text(result, replace(self.given, values=(shown,)))

    @cached_property
    def scale(self) -> Scale:
        """On which it is spread."""
        numbers = [x for x in (self.low, self.value, self.high) if x is not None]
        return _scale(self.given, numbers)

    def at(self, score: ArrayLike) -> Array:
        """The number at normal scores: its P10 at -1.2816, its value at 0, its P90 at 1.2816."""
        scores = np.asarray(score, dtype=float)
        middle = self.scale.there(self.value)
        below = 0.0 if self.low is None else (middle - self.scale.there(self.low)) / Z90
        above = 0.0 if self.high is None else (self.scale.there(self.high) - middle) / Z90
        moved = scores * np.where(scores < 0, below, above)
        with np.errstate(over="ignore"):  # a share far out is 0
            drawn = np.where(moved == 0, self.value, self.scale.back(middle + moved))
        return _allowed(self.given, drawn)

    def ends(self, sign: float = 1.0) -> tuple[float, float]:
        """The numbers at the low and the high end, exchanged where the sign is below 0."""
        low = self.value if self.low is None else self.low
        high = self.value if self.high is None else self.high
        return (low, high) if sign >= 0 else (high, low)

    def values(self, drawn: ArrayLike) -> dict[str, Any]:
        """Values of the number for every input of the model that it gives."""
        return {given.name: drawn for given in self.inputs}


@dataclass(frozen=True)
class Group:
    """Numbers that move together: the first as it does, each other with it or against it (-1)."""

    members: tuple[Ranged, ...]
    signs: tuple[float, ...]

    def at(self, score: ArrayLike) -> dict[str, Any]:
        """Values of the inputs with every number at the same normal score."""
        found: dict[str, Any] = {}
        for member, sign in zip(self.members, self.signs, strict=True):
            found |= member.values(member.at(np.asarray(score) * sign))
        return found

    def ends(self) -> tuple[dict[str, float], dict[str, float]]:
        """Values of the inputs with the first number at its low, and at its high."""
        low: dict[str, float] = {}
        high: dict[str, float] = {}
        for member, sign in zip(self.members, self.signs, strict=True):
            first, last = member.ends(sign)
            low |= member.values(first)
            high |= member.values(last)
        return low, high


def ranged(result: Result) -> list[Ranged]:
    """The numbers with a low or a high that the model reads, in the order of its inputs.

    The quartiles of a rental price serve where its low or high is not given.
    """
    stated = _stated(result)
    found: dict[str, list[Input]] = {}
    for given in result.model.numbers:
        if given.kind == LIVE and given.quantity is not None and given.path in stated:
            found.setdefault(given.path, []).append(given)
    both = [_ranged(tuple(inputs), stated[path]) for path, inputs in found.items()]
    return [number for number in both if number.low is not None or number.high is not None]


def set_aside(result: Result) -> list[str]:
    """The paths of numbers with a low or a high that the model does not read as an input.

    They shape it before it is run, or belong to an option that is not costed.
    """
    read = {number.path for number in ranged(result)}
    return [
        path for path, stated in _stated(result).items() if path not in read and not _stays(stated)
    ]


def groups(result: Result) -> list[Group]:
    """The numbers that are varied, those that correlations join together in one group."""
    numbers = ranged(result)
    waiting = {number.path: number for number in numbers}
    correlated = correlations(result)
    found = []
    for number in numbers:
        if number.path not in waiting:
            continue
        signs = {number.path: 1.0}
        reached = [number.path]
        for path in reached:
            for (one, other), correlation in correlated.items():
                near = other if one == path else one if other == path else None
                if near is not None and near not in signs and correlation != INDEPENDENT:
                    signs[near] = signs[path] * float(np.sign(correlation))
                    reached.append(near)
        members = tuple(waiting.pop(path) for path in reached)
        found.append(Group(members, tuple(signs[path] for path in reached)))
    return found


def correlations(result: Result) -> Mapping[tuple[str, str], float]:
    """The correlation of each pair of numbers that are varied, by their paths."""
    varied = {number.path for number in ranged(result)}
    found = {}
    for given in result.scenario.correlations:
        pair = [next((w for w in ways_to_name(p) if w in varied), None) for p in given.between]
        if pair[0] is not None and pair[1] is not None:
            found[pair[0], pair[1]] = given.correlation
    return found


def correlation_matrix(result: Result, numbers: list[Ranged]) -> Array:
    """The correlations of the normal scores of some numbers: 1 with itself, 0 if not stated."""
    places = {number.path: place for place, number in enumerate(numbers)}
    matrix = np.eye(len(numbers))
    for (one, other), correlation in correlations(result).items():
        row, column = places[one], places[other]
        matrix[row, column] = matrix[column, row] = correlation
    return matrix


def _stated(result: Result) -> dict[str, Stated]:
    return {
        stated.quantity.path: stated
        for stated in numbers_of(result.scenario)
        if stated.is_uncertain
    }


def _stays(stated: Stated) -> bool:
    """Whether every bound that is given is the value itself."""
    return all(bound == stated.quantity.value for bound in _bounds(stated))


def _bounds(stated: Stated) -> Iterator[float]:
    quantity = stated.quantity
    for bound in (quantity.low, quantity.high):
        if bound is not None:
            yield bound
    for quartile in (stated.p25, stated.p75):
        if quartile is not None:
            yield quartile.value


def _ranged(inputs: tuple[Input, ...], stated: Stated) -> Ranged:
    value = inputs[0].value
    ends = []
    quantity = stated.quantity
    for end, quartile in ((quantity.low, stated.p25), (quantity.high, stated.p75)):
        if end is None and quartile is not None and quartile.currency == quantity.currency:
            end = _from_quartile(inputs[0], value, quartile.value)
        ends.append(None if end == value else end)
    return Ranged(inputs, *ends)


def _from_quartile(given: Input, value: float, quartile: float) -> float:
    """The P10 or P90 of a number from its P25 or P75."""
    scale = _scale(given, [value, quartile])
    middle = scale.there(value)
    moved = (scale.there(quartile) - middle) * Z90 / Z75
    return float(_allowed(given, scale.back(middle + moved)))


def _scale(given: Input, numbers: list[float]) -> Scale:
    """The scale of an input, or its own where a logarithm of one of the numbers is infinite."""
    least = 0.0 if given.minimum is None else given.minimum
    is_share = given.unit.label.startswith("fraction")
    scale = GROWTH if least < 0 else ODDS if is_share else LOGARITHM
    with np.errstate(divide="ignore", invalid="ignore"):
        return scale if np.isfinite(scale.there(np.array(numbers))).all() else OWN


def _allowed(given: Input, drawn: Any) -> Array:
    """Values within the bounds of the field, whole where it takes whole numbers."""
    whole = np.rint(drawn) if given.whole else drawn
    return np.asarray(np.clip(whole, given.minimum, given.maximum), dtype=float)
