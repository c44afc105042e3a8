"""How often each option is the cheapest when the uncertain numbers are drawn at once.

Every draw takes all the numbers that have a low or a high from their distributions (see
`tco.analysis.ranges`), correlated as the scenario says, and costs every option with them. The
draws are the same for all options, and the first ones are the same however many are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from tco.analysis.figures import money
from tco.analysis.ranges import Ranged, correlation_matrix, ranged, set_aside
from tco.analysis.what_if import CHUNK, Outcomes, WhatIf
from tco.engine.operations import Array
from tco.engine.slices import NEAR
from tco.errors import ScenarioError
from tco.results import Result

DRAWS, SEED = 10_000, 1
MOST_DRAWS = 1_000_000
LARGEST_SEED = 2**63 - 1
LEVEL = 0.95
QUANTILES = (0.1, 0.5, 0.9)
OFTEN = 0.99  # of the draws that some option serves


@dataclass(frozen=True)
class OptionOutcome:
    """What an option costs over all draws, and how often it is the cheapest.

    ``serves`` is the share of the draws in which it serves the whole demand. ``chance`` is the
    share of all draws in which it is the cheapest of those that do, between ``chance_low`` and
    ``chance_high`` (Wilson, 95 %). The expected regret is the mean of what it costs above the
    cheapest one, over the draws in which it serves: of present values, and a month. These are None
    without a demand, where nothing is ranked. The P10, P50 and P90 are those of the present value
    of its cost in all draws.
    """

    name: str
    serves: float
    chance: float | None
    chance_low: float | None
    chance_high: float | None
    expected_regret: float | None
    monthly_regret: float | None
    mean: float
    p10: float
    p50: float
    p90: float


@dataclass(frozen=True)
class Duel:
    """How often one option costs less than another, with its interval (Wilson, 95 %).

    Of the draws in which both serve the demand; equal costs count as half.
    """

    this: str
    other: str
    chance: float
    chance_low: float
    chance_high: float


@dataclass(frozen=True)
class Simulation:
    """The outcome of all draws; options by their chance, those that are never cheapest by regret.

    ``none_serves`` is the share of the draws in which no option serves the demand, so that it and
    the chances add up to 1. ``set_aside`` are the paths of numbers that have a range and are not
    varied. ``perfect_information`` is what it would be worth to know the draw before deciding: the
    least expected regret, that of ``least_regret``, among the options that serve whenever any does;
    None where none does.
    """

    draws: int
    seed: int
    options: tuple[OptionOutcome, ...]
    none_serves: float
    varied: tuple[Ranged, ...]
    set_aside: tuple[str, ...]
    perfect_information: float | None
    least_regret: str | None
    ranked: bool
    duel: Duel | None = None


@dataclass
class Tally:
    """Counts wins and adds up regrets, draw by draw: arrays of one number for each option.

    >>> tally = Tally(2)
    >>> cost = np.array([[100.0, 100.0], [90.0, 140.0]])
    >>> tally.add(cost, cost, np.ones((2, 2), dtype=bool))
    >>> tally.wins.tolist(), (tally.regret / 2).tolist()
    ([1.0, 1.0], [5.0, 20.0])
    """

    def __init__(self, options: int) -> None:
        self.draws = self.ranked = 0
        self.wins, self.regret, self.monthly_regret, self.served, self.total = np.zeros(
            (5, options)
        )

    def add(self, npv: Array, monthly: Array, serves: Any) -> None:
        """Count some draws: present values, monthly costs and who serves, options x draws."""
        lowest = np.where(serves, npv, np.inf).min(axis=0)
        ranked = np.isfinite(lowest)
        lowest = np.where(ranked, lowest, 0.0)
        above = np.where(serves, npv - lowest, 0.0)
        near = NEAR * np.maximum(np.abs(npv), np.abs(lowest))
        cheapest = serves & (above <= near)
        self.wins += (cheapest / np.maximum(cheapest.sum(axis=0), 1)).sum(axis=1)
        self.regret += above.sum(axis=1)
        lowest_monthly = np.where(serves, monthly, np.inf).min(axis=0)
        lowest_monthly = np.where(ranked, lowest_monthly, 0.0)
        self.monthly_regret += np.where(serves, monthly - lowest_monthly, 0.0).sum(axis=1)
        self.served += serves.sum(axis=1)
        self.total += npv.sum(axis=1)
        self.draws += npv.shape[1]
        self.ranked += int(ranked.sum())


def simulate(result: Result, draws: int = DRAWS, seed: int = SEED) -> Simulation | None:
    """Draw the uncertain numbers of a scenario and cost every option; None where there are none.

    Raises `ScenarioError` for a number of draws or a seed that is none, `ScenarioErrors` when a
    number overflows.
    """
    _refuse(result, "--draws", draws, 1, MOST_DRAWS, DRAWS)
    _refuse(result, "--seed", seed, 0, LARGEST_SEED, SEED)
    numbers = ranged(result)
    if not numbers:
        return None
    what_if = WhatIf(result, [given.name for number in numbers for given in number.inputs])
    npv = np.empty((len(what_if.options), draws))
    tally = Tally(len(what_if.options))
    wins = np.zeros(2)
    for scores in normal_scores(correlation_matrix(result, numbers), draws, seed):
        values: dict[str, Array] = {}
        for number, score in zip(numbers, scores, strict=True):
            values |= number.values(number.at(score))
        outcomes = what_if(values)
        npv[:, tally.draws : tally.draws + scores.shape[1]] = outcomes.npv
        tally.add(outcomes.npv, outcomes.monthly, outcomes.serves)
        wins += _ahead(result, outcomes)
    ranks = result.model.has_demand
    options = [
        _outcome(name, place, tally, npv[place], ranks=ranks)
        for place, name in enumerate(what_if.options)
    ]
    if ranks:
        options.sort(key=_place)
    worth, least = _perfect_information(tally, what_if.options) if ranks else (None, None)
    return Simulation(
        draws,
        seed,
        tuple(options),
        1 - tally.ranked / draws,
        tuple(numbers),
        tuple(set_aside(result)),
        worth,
        least,
        ranks,
        _duel(result, float(wins[0]), float(wins[1])),
    )


def _ahead(result: Result, outcomes: Outcomes) -> Array:
    """In how many draws the focus costs less than the baseline, and of how many."""
    names = (result.focus, result.baseline)
    if names[0] is None or names[1] is None or not {*names} <= {*outcomes.options}:
        return np.zeros(2)
    this, other = outcomes.of(names[0]), outcomes.of(names[1])
    both = outcomes.serves[this] & outcomes.serves[other]
    gap = (outcomes.npv[other] - outcomes.npv[this])[both]
    near = NEAR * np.abs(outcomes.npv[other][both])
    won = np.where(np.abs(gap) <= near, 0.5, gap > 0)
    return np.array([won.sum(), both.sum()])


def _duel(result: Result, wins: float, draws: float) -> Duel | None:
    if not draws or result.focus is None or result.baseline is None:
        return None
    return Duel(result.focus, result.baseline, wins / draws, *wilson(wins, draws))


def normal_scores(matrix: Array, draws: int, seed: int) -> Iterator[Array]:
    """Correlated standard normal scores, numbers x draws, a chunk of at most 1,000 draws at a time.

    Each chunk has a generator of its own, so that it is the same whatever is drawn after it.

    >>> few, many = (next(normal_scores(np.eye(2), draws, seed=1)) for draws in (3, 5000))
    >>> bool((few == many[:, :3]).all())
    True
    """
    eigenvalues, vectors = np.linalg.eigh(matrix)
    root = vectors * np.sqrt(np.maximum(eigenvalues, 0)) @ vectors.T
    chunks = math.ceil(draws / CHUNK)
    for number, sequence in enumerate(np.random.SeedSequence(seed).spawn(chunks)):
        generator = np.random.Generator(np.random.PCG64(sequence))
        scores = root @ generator.standard_normal((len(matrix), CHUNK))
        yield scores[:, : draws - number * CHUNK]


def wilson(wins: float, draws: float, level: float = LEVEL) -> tuple[float, float]:
    """The interval that holds a chance with this confidence, after so many wins (Wilson's score).

    >>> low, high = wilson(400, 1000)
    >>> round(low, 4), round(high, 4)
    (0.3701, 0.4307)
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    observed = wins / draws
    spread = z / draws * math.sqrt(wins * (1 - observed) + z * z / 4)
    middle = observed + z * z / (2 * draws)
    below = 1 + z * z / draws
    return max((middle - spread) / below, 0.0), min((middle + spread) / below, 1.0)


def probability_below(mean: float, sd: float, limit: float) -> float:
    """The probability that a normal number is below a limit; at an ``sd`` of 0, 0 or 1.

    >>> round(probability_below(0, 1, 1.2815515655446004), 12)
    0.9
    """
    if sd == 0:
        return 1.0 if mean < limit else 0.0
    return NormalDist(mean, sd).cdf(limit)


def sentence(result: Result, simulation: Simulation | None) -> str | None:
    """What the draws say, in one sentence; None where nothing is drawn or nothing is ranked."""
    if simulation is None or not simulation.ranked:
        return None
    inputs = len(simulation.varied)
    head = (
        f"Of {simulation.draws:,} draws of {inputs} input{'s'[: inputs - 1]} "
        f"(seed {simulation.seed}), "
    )
    first, *rest = simulation.options
    if not first.chance:
        return f"{head}no option serves the demand in any."
    assert first.chance_low is not None
    assert first.chance_high is not None
    interval = f"({points(first.chance_low)} to {points(first.chance_high)})"
    said = f"{head}{first.name} is the cheapest in {points(first.chance)} % {interval}"
    for other in rest[:1]:
        if other.chance:
            said += f", {other.name} in {points(other.chance)} %"
    if simulation.none_serves:
        said += f"; in {points(simulation.none_serves)} % none serves the demand"
    least = min(
        (
            o
            for o in simulation.options
            if o.monthly_regret is not None and o.serves == first.serves
        ),
        key=lambda option: option.monthly_regret or 0.0,
    )
    regret = money(least.monthly_regret or 0.0, result.currency)
    whose = "expected regret" if least is first else f"the least expected regret has {least.name}:"
    duel = simulation.duel
    if duel is not None and len(simulation.options) > 2 and duel.this != first.name:
        said += f"; {duel.this} costs less than {duel.other} in {points(duel.chance)} %"
    return f"{said}; {whose} {regret} a month."


def points(chance: float) -> str:
    """A chance in per cent without the sign: as many digits as tell it from never and always.

    >>> points(0.6215), points(0.99962), points(0.99998), points(1.0), points(0.0)
    ('62.2', '99.96', '99.998', '100', '0')
    """
    for decimals in range(1, 5):
        text = f"{chance * 100:.{decimals}f}"
        if float(text) not in (0.0, 100.0) or chance in (0.0, 1.0):
            break
    return text.rstrip("0").rstrip(".")


def _refuse(result: Result, option: str, found: int, least: int, most: int, usual: int) -> None:
    if not least <= found <= most:
        raise ScenarioError(
            result.scenario.path,
            None,
            option,
            f"{found}",
            f"a whole number from {least} to {most:,}",
            f"write for example  {option} {usual}",
        )


def _outcome(name: str, place: int, tally: Tally, npv: Array, *, ranks: bool) -> OptionOutcome:
    served = tally.served[place]
    low, high = wilson(float(tally.wins[place]), tally.draws)
    p10, p50, p90 = np.quantile(npv, QUANTILES, overwrite_input=True)
    regret = ranks and served > 0
    return OptionOutcome(
        name,
        float(served / tally.draws),
        float(tally.wins[place] / tally.draws) if ranks else None,
        low if ranks else None,
        high if ranks else None,
        float(tally.regret[place] / served) if regret else None,
        float(tally.monthly_regret[place] / served) if regret else None,
        float(tally.total[place] / tally.draws),
        float(p10),
        float(p50),
        float(p90),
    )


def _place(option: OptionOutcome) -> tuple[float, float]:
    regret = option.expected_regret
    return -(option.chance or 0.0), math.inf if regret is None else regret


def _perfect_information(tally: Tally, names: tuple[str, ...]) -> tuple[float | None, str | None]:
    """The least expected regret, among the options that serve whenever any does, and whose it is.

    It is the least of the expected costs less the expected cost of the cheapest of each draw. An
    option that fails in 1 of 100 of these draws still counts: else a few extremes would leave out
    the one that is the best in all others.
    """
    always = np.flatnonzero(tally.served >= OFTEN * tally.ranked)
    if not tally.ranked or not len(always):
        return None, None
    least = always[tally.regret[always].argmin()]
    return float(tally.regret[least] / max(tally.served[least], 1)), names[least]
