"""Whether two options that are alike are too close to call: two quotes for the same cards.

What is not known of a scenario moves both costs. Where one input alone, taken from its low to its
high, moves the gap between two quotes by more than the gap itself, so that the order turns, the
cheaper one is not known to be the cheaper one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from tco.analysis.bases import label_with_owner, value_text
from tco.analysis.figures import money
from tco.engine.slices import NEAR
from tco.results import OK, Result, evaluate
from tco.scenario.inputs import LIVE, Input
from tco.scenario.schema import Api

TOO_CLOSE = "Too close to call"  # how such a sentence begins


@dataclass(frozen=True)
class Swing:
    """How far one input moves the gap: what the gap is at its low and at its high."""

    given: Input
    at_low: float
    at_high: float

    @property
    def size(self) -> float:
        """The distance between the two, in money a month."""
        return abs(self.at_high - self.at_low)

    @property
    def turns(self) -> bool:
        """Whether the other one is the cheaper one at one of the ends."""
        return min(self.at_low, self.at_high) < 0


@dataclass(frozen=True)
class Closeness:
    """Two options that are alike: the cheaper one, the other, and what moves the gap.

    ``gap`` is the equivalent monthly cost of the dearer one less that of the cheaper one;
    ``swings`` has the largest first, and none where no input has a low and a high.
    """

    cheaper: str
    dearer: str
    gap: float
    swings: tuple[Swing, ...]

    @property
    def too_close(self) -> bool:
        """Whether one input alone, between its low and its high, turns the order round."""
        return any(swing.turns for swing in self.swings)


def closeness(result: Result) -> list[Closeness]:
    """Every pair of options that are alike: the cheaper one and the next one after it.

    Alike are options of one owned supply of the same cards in the same number. Raises
    `ScenarioErrors` where a low or a high gives a number that is not finite.
    """
    pairs = list(dict.fromkeys(_pairs(result)))
    if not pairs:
        return []
    names = dict.fromkeys(option for pair in pairs for option in pair)
    base = {name: _cost(result, name) for name in names}
    varied = _varied(result, list(names))
    found = []
    for cheaper, dearer in pairs:
        swings = [
            Swing(given, _gap(low, cheaper, dearer), _gap(high, cheaper, dearer))
            for given, low, high in varied
        ]
        swings.sort(key=lambda swing: -swing.size)
        found.append(Closeness(cheaper, dearer, _gap(base, cheaper, dearer), tuple(swings)))
    return found


def _gap(costs: Mapping[str, float], cheaper: str, dearer: str) -> float:
    """What one costs more than the other; what rounding leaves of equal costs is nothing."""
    gap = costs[dearer] - costs[cheaper]
    return gap if abs(gap) > NEAR * max(abs(costs[dearer]), abs(costs[cheaper])) else 0.0


def closeness_texts(result: Result) -> tuple[list[str], list[str]]:
    """What is said of options that are alike: each pair too close to call, else two quotes.

    The first list belongs at the head of an answer, the second below it.
    """
    differing = [found for found in closeness(result) if found.gap or found.too_close]
    close = [found for found in differing if found.too_close]
    if close:
        return [_said(result, found) for found in close], []
    quoted = [f for f in differing if all(_is_quoted(result, n) for n in (f.cheaper, f.dearer))]
    return [], [_said(result, found) for found in quoted[:1]]


def _is_quoted(result: Result, option: str) -> bool:
    sole = result.option(option).sole
    return sole is not None and getattr(sole.given, "quote", None) is not None


def _said(result: Result, found: Closeness) -> str:
    """One pair in a sentence."""
    gap = money(found.gap, result.currency)
    pair = f"{found.cheaper} is {gap} a month cheaper than {found.dearer}"
    if not found.swings:
        return f"{pair}; nothing was varied, since no input has a low and a high."
    turning = [swing for swing in found.swings if swing.turns]
    most = (turning or found.swings)[0]
    low, high = (_end(result, most.given, end) for end in _ends(most.given))
    moved = f"{_signed(result, most.at_low)} to {_signed(result, most.at_high)}"
    what = f"{label_with_owner(most.given)}, from {low} to {high}"
    if found.too_close:
        size = money(most.size, result.currency)
        return f"{TOO_CLOSE}: {pair}, and {what}, moves that by {size} ({moved})."
    return f"{pair}, more than any one input moves that (most: {what}: {moved})."


def _pairs(result: Result) -> Iterator[tuple[str, str]]:
    """Names of options that are alike, the cheaper one first."""
    feasible = [option for option in result.ranked if result.status[option.name] == OK]
    feasible.sort(key=lambda option: _cost(result, option.name))  # without demand too
    quotes: dict[object, list[str]] = {}
    for option in feasible:
        sole = option.sole
        if sole is not None and sole.given.kind == "own":
            assert not isinstance(sole.given, Api)
            count = sole.given.count
            number = count if isinstance(count, str) else count.value
            quotes.setdefault((sole.card, number), []).append(option.name)
    for alike in quotes.values():
        yield from pairwise(alike)


def _cost(result: Result, option: str) -> float:
    return result.value(result.option(option).line("equivalent_monthly_cost"))


def _varied(
    result: Result, names: list[str]
) -> list[tuple[Input, Mapping[str, float], Mapping[str, float]]]:
    """Each input with a low and a high, and what the options cost a month at the one and the other.

    All that are numbers of their own are varied in one run, a draw for each end; a row of a live
    table has no draws, and a run for each.
    """
    ranged = [
        given
        for given in result.model.numbers
        if given.kind == LIVE
        and given.quantity is not None
        and given.quantity.low is not None
        and given.quantity.high is not None
    ]
    single = [given for given in ranged if given.name in result.model.inputs]
    changes = {}
    for place, given in enumerate(single):
        values = np.full(2 * len(single), given.value)
        values[2 * place], values[2 * place + 1] = _ends(given)
        changes[given.name] = values
    found: list[tuple[Input, Mapping[str, float], Mapping[str, float]]] = []
    if single:
        costs = _costs(result, names, changes)
        for place, given in enumerate(single):
            low, high = ({n: costs[n][2 * place + at] for n in names} for at in (0, 1))
            found.append((given, low, high))
    for given in ranged:
        if given.name not in result.model.inputs:
            low, high = (
                {n: cost[0] for n, cost in _costs(result, names, {given.name: end}).items()}
                for end in _ends(given)
            )
            found.append((given, low, high))
    return found


def _ends(given: Input) -> tuple[float, float]:
    assert given.quantity is not None
    assert given.quantity.low is not None
    assert given.quantity.high is not None
    return given.quantity.low, given.quantity.high


def _costs(
    result: Result, names: list[str], changes: Mapping[str, float | np.ndarray]
) -> dict[str, list[float]]:
    """Equivalent monthly cost of options, by draw."""
    arrays = evaluate(result.model, changes)
    draws = max(np.size(values) for values in changes.values())
    return {
        name: np.broadcast_to(
            arrays[result.option(name).line("equivalent_monthly_cost")][0], draws
        ).tolist()
        for name in names
    }


def _end(result: Result, given: Input, value: float) -> str:
    return value_text(result, replace(given, values=(value,)))


def _signed(result: Result, gap: float) -> str:
    word = "cheaper" if gap >= 0 else "dearer"
    return f"{money(abs(gap), result.currency)} {word}"
