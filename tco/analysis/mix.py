"""How many cards a chain should own before it sends the rest on: a screening curve in whole cards.

The n-th card is worth owning while the share of its hours that it works, times what each of those
hours saves, covers its fixed cost: s x (p - v) >= F (the newsvendor's critical ratio, F / (p - v)).
`cheapest_base` is that rule on a load-duration curve. For a scenario nothing is taken from the
rule: the model is evaluated with every number of cards (`mixes`), and s, F, p and v are read off
two neighbours, whose costs differ by exactly F - s x (p - v) for each hour of the card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
from numpy.typing import ArrayLike

from tco.analysis.marks import marks
from tco.engine.missing import output_rate_of
from tco.engine.options import build
from tco.engine.structure import BoundOption, BoundSupply, Model, Supply
from tco.errors import ScenarioError
from tco.results import OK, Result, evaluate
from tco.scenario.schema import Api, Own, Rent, Scenario

MOST_CARDS = 1000
ROUNDING = 1e-9
EXAMPLE = (
    "own-then-api: [{own: rtx-4090, count: 1, price: 1599, output_rate: 800}, "
    "{api: gpt-4o, output_price: 15}]"
)


# On a load-duration curve


@dataclass(frozen=True)
class Base:
    """The cheapest number of owned units, with its cost an hour and those of its neighbours."""

    units: int
    cost: float
    cost_of_one_fewer: float | None
    cost_of_one_more: float


def worth_owning(
    served_share: float, fixed_cost: float, variable_cost: float, price: float
) -> bool:
    """Whether a unit that works this share of its hours costs no more than buying its work.

    s x (p - v) >= F, all three in money per unit-hour: ``fixed_cost`` F is paid busy or not,
    ``variable_cost`` v for an hour of work, ``price`` p for the same work elsewhere. Never where
    p <= v or F / (p - v) >= 1, nor for a unit with nothing to do.

    >>> worth_owning(0.405, 1.2, 0.1, 3.1), worth_owning(0.395, 1.2, 0.1, 3.1)
    (True, False)
    """
    saved = price - variable_cost
    return served_share > 0 and fixed_cost < saved and served_share * saved >= fixed_cost


def served_share_of_unit(
    number: int, levels: ArrayLike, shares: ArrayLike, capacity: float
) -> float:
    """Share of its hours that the n-th owned unit works: the load between n - 1 and n units.

    ``levels`` are loads in work an hour, each for its share of the hours; ``capacity`` is the work
    an hour of one unit. A load of 1.5 units in half of the hours keeps the second busy a quarter:

    >>> served_share_of_unit(2, [15.0, 5.0], [0.5, 0.5], 10.0)
    0.25
    """
    load = np.asarray(levels, dtype=float) / capacity
    return float(np.sum(np.asarray(shares) * np.clip(load - (number - 1), 0, 1)))


def cheapest_base(
    levels: ArrayLike,
    shares: ArrayLike,
    capacity: float,
    fixed_cost: float,
    variable_cost: float,
    price: float,
) -> Base:
    """The cheapest whole number of owned units by the rule, and costs an hour around it.

    ``levels`` are loads in work an hour, each for its share of the hours; ``capacity`` is the work
    an hour of one unit; costs are in money per unit-hour, as `worth_owning` has them. The number
    is never a rounded optimum of fractional units: a unit is kept or refused whole. Raises
    `ValueError` for shares that do not sum to 1, a capacity that is not above 0, or a load or cost
    below 0.

    >>> cheapest_base([15.0, 5.0], [0.5, 0.5], 10.0, 0.2, 0.1, 1.1)
    Base(units=2, cost=0.5, cost_of_one_fewer=0.55, cost_of_one_more=0.7)
    """
    _check(levels, shares, capacity, fixed_cost, variable_cost, price)

    def saved_by(number: int) -> float:
        served = served_share_of_unit(number, levels, shares, capacity)
        return served * (price - variable_cost) - fixed_cost

    units, fewer = 0, None
    cost = price * float(np.dot(levels, shares)) / capacity
    while worth_owning(
        served_share_of_unit(units + 1, levels, shares, capacity),
        fixed_cost,
        variable_cost,
        price,
    ):
        units += 1
        fewer, cost = cost, cost - saved_by(units)
    return Base(units, cost, fewer, cost - saved_by(units + 1))


def enumerate_base(
    levels: Sequence[float],
    shares: Sequence[float],
    capacity: float,
    fixed_cost: float,
    variable_cost: float,
    price: float,
) -> list[float]:
    """Cost an hour with 0, 1, 2, ... owned units, up to one more than the highest load needs.

    Adds up level by level what the units serve and what is bought; `cheapest_base` for the
    parameters and for what is refused.

    >>> [round(cost, 9) for cost in enumerate_base([15.0, 5.0], [0.5, 0.5], 10.0, 0.2, 0.1, 1.1)]
    [1.1, 0.55, 0.5, 0.7]
    """
    _check(levels, shares, capacity, fixed_cost, variable_cost, price)
    costs: list[float] = []
    needed = int(np.ceil(max(levels) / capacity))
    for units in range(needed + 2):
        cost = units * fixed_cost
        for level, share in zip(levels, shares, strict=True):
            served = min(level, units * capacity)
            bought = level - served
            cost += share * (served * variable_cost + bought * price) / capacity
        costs.append(cost)
    return costs


def _check(levels: ArrayLike, shares: ArrayLike, capacity: float, *costs: float) -> None:
    load, hours = np.asarray(levels, dtype=float), np.asarray(shares, dtype=float)
    if not abs(hours.sum() - 1) <= ROUNDING:
        raise ValueError(f"the shares of the hours sum to {hours.sum():g}, not 1")
    if not capacity > 0:
        raise ValueError(f"a unit's capacity of {capacity:g} is not above 0")
    if min(load.min(), hours.min(), *costs) < 0:
        raise ValueError("a load, a share of the hours or a cost is below 0")


# On a scenario


@dataclass(frozen=True)
class Point:
    """A chain with so many cards of its own.

    Costs are in money, a month or in all; ``shares`` is the part of the demand that each supply
    serves, an even average of the months. ``own_cost`` is that of the owned cards and of the cost
    items, which belong to no supply; it and the hours of the owned cards are a month's, levelled
    over the horizon.
    """

    count: int
    equivalent_monthly_cost: float
    npv_of_cost: float
    shares: tuple[float, ...]
    feasible: bool
    own_cost: float
    owns_all: bool = False
    gpu_hours: float = 0.0
    busy_gpu_hours: float = 0.0
    busy_hour_cost: float = 0.0

    @property
    def unserved_share(self) -> float:
        """Part of the demand that nothing serves."""
        return max(1 - sum(self.shares), 0.0)


@dataclass(frozen=True)
class Card:
    """The n-th card as the rule sees it, in money per hour of that card.

    It works ``served_share`` of its hours; ``fixed_cost`` is paid busy or not, ``variable_cost``
    for an hour of work; ``price`` is what that hour's work costs elsewhere, None for a card with
    nothing to do.
    """

    number: int
    served_share: float
    fixed_cost: float
    variable_cost: float
    price: float | None


@dataclass(frozen=True)
class Mix:
    """A chain that owns first, with every whole number of cards.

    ``option`` is its name, ``then`` the option whose API was put behind it where the scenario has
    no such chain. ``items`` are the cost items of every number of cards, ``items_with_cards``
    those that come with the first card. ``points`` are the costs by number of cards, without gaps
    from 0; ``given`` is the point of the scenario's own number, ``cheapest`` None when no number
    serves the demand. ``peak_served`` is False when even `MOST_CARDS` leave some of the load to
    others.
    """

    option: str
    then: str | None
    supplies: tuple[BoundSupply, ...]
    items: tuple[str, ...]
    items_with_cards: tuple[str, ...]
    points: tuple[Point, ...]
    given: Point
    cheapest: Point | None
    peak_served: bool

    @property
    def one_fewer(self) -> Point | None:
        """The point of one card fewer than the cheapest."""
        count = self.cheapest.count if self.cheapest else 0
        return self.points[count - 1] if count else None

    @property
    def one_more(self) -> Point | None:
        """The point of one card more than the cheapest."""
        return self.points[self.cheapest.count + 1] if self.cheapest else None

    @property
    def in_proportion(self) -> bool:
        """Whether what is not served at home is paid by the work done, so that the rule speaks."""
        rest = (supply.given for supply in self.supplies[1:])
        return all(
            isinstance(given, Api) or (isinstance(given, Rent) and given.billed == "busy")
            for given in rest
        )

    @property
    def last_kept(self) -> Card | None:
        """The last card of the cheapest number; None without one, or if it is needed anyway."""
        return _card(self.one_fewer, self.cheapest)

    @property
    def first_refused(self) -> Card | None:
        """The card that the cheapest number does without; None where counting ended before it."""
        return None if self.at_the_end else _card(self.cheapest, self.one_more)

    @property
    def at_the_end(self) -> bool:
        """Whether the cheapest number is the highest counted, and one more might be cheaper."""
        end = len(self.points) - 2
        return not self.peak_served and self.cheapest is not None and self.cheapest.count == end


@dataclass(frozen=True)
class Mixes:
    """The mixes of a scenario, and why chains that own first have none, by their names."""

    found: tuple[Mix, ...]
    left_out: Mapping[str, str]


def mixes(result: Result, option: str | None = None) -> Mixes:
    """The cheapest whole number of cards for each chain that owns first, or for one ``option``.

    Without such a chain, each option that only owns is tried with the cheapest feasible API of the
    scenario behind it; one printed price in two currencies is no price for that. Raises
    `ScenarioError` when nothing can be mixed, or for an option that there is not.
    """
    scenario = result.scenario
    if option is not None and option not in scenario.options:
        close = get_close_matches(option, scenario.options, n=1)
        hint = f"did you mean {close[0]}?" if close else "choose one of these"
        expected = f"one of {', '.join(scenario.options)}"
        raise ScenarioError(scenario.path, None, "--option", option, expected, hint)
    wanted = [name for name in scenario.options if option in (None, name)]
    found: list[Mix] = []
    reasons: dict[str, _Reason] = {}
    chains = [name for name in wanted if len(scenario.options[name].supplies) > 1]
    single = [name for name in wanted if name not in chains]
    for names in (chains, single):
        for name in names if not found else ():
            mix = _mix(result, name)
            if isinstance(mix, Mix):
                found.append(mix)
            elif mix is not None:
                reasons[name] = mix
    if not found:
        raise _nothing(scenario, option, reasons)
    return Mixes(
        tuple(found),
        {name: str(reasons[name]) for name in chains if name in reasons},
    )


@dataclass(frozen=True)
class _Reason:
    """Why an option that owns cannot be mixed, and what to add."""

    what: str
    add: str

    def __str__(self) -> str:
        return f"{self.what}: add {self.add}"


def _nothing(scenario: Scenario, option: str | None, reasons: dict[str, _Reason]) -> ScenarioError:
    where = f"options.{option}" if option else "options"
    expected = "cards of known throughput that are owned first, and something that takes the rest"
    if scenario.demand is None:
        reason = _Reason("no demand to divide", "demand.output_tokens")
        where = "demand"
    elif reasons:
        name, reason = next(iter(reasons.items()))
        where = f"options.{name}"
    else:
        what = "an option that does not own first" if option else "no option that owns first"
        reason = _Reason(what, f"for example  {EXAMPLE}")
    line = scenario.lines.get(where)
    return ScenarioError(scenario.path, line, where, reason.what, expected, f"add {reason.add}")


def _mix(result: Result, name: str) -> Mix | _Reason | None:
    """The mix of one option, or why there is none; None for one that does not own first."""
    scenario = result.scenario
    supplies: list[Supply] = list(scenario.options[name].supplies)
    first, rest = supplies[0], supplies[1:]
    if not isinstance(first, Own):
        return None
    if any(isinstance(supply, Own) for supply in rest):
        return _Reason("more owned cards behind the first", "rented cards or an API in their place")
    if scenario.demand is None:
        return _Reason("no demand to divide", "demand.output_tokens")
    if output_rate_of(scenario, first) is None:
        add = f"hardware.{first.own}.output_rate, the output tokens a second of one card"
        return _Reason("no throughput of the cards that are owned", add)
    then = None
    if not rest:
        then = _cheapest_api(result)
        if then is None:
            what = "owned cards and no API that can be costed to take the rest"
            return _Reason(what, "an option such as  api-gpt-4o: {api: gpt-4o, output_price: 15}")
        rest = list(scenario.options[then].supplies)
    chain = _alone(_bearing_both(scenario, name, then), name, [first, *rest])
    bound = chain.options[0]
    if bound.missing is not None:
        return _Reason(bound.missing.what, bound.missing.add)
    if bound.supplies[0].scope.inputs.get("count") not in chain.inputs:
        return _Reason("a number of cards that is no single input", "count: a whole number")
    # without a card an offered mix is the option that calls the API, with that one's cost items
    return _enumerated(chain, _alone(scenario, then or name, rest), then)


def _cheapest_api(result: Result) -> str | None:
    for option in result.ranked:
        sole = option.sole
        if sole is None or not isinstance(sole.given, Api) or result.status[option.name] != OK:
            continue
        if "~" not in marks(result, option.name):
            return option.name
    return None


def _bearing_both(scenario: Scenario, name: str, then: str | None) -> Scenario:
    """The scenario with the cost items of ``then`` borne by the option ``name`` as well."""
    costs = [
        cost.model_copy(update={"options": [*cost.options, name]})
        if cost.options is not None and then in cost.options
        else cost
        for cost in scenario.other_costs
    ]
    return scenario.model_copy(update={"other_costs": costs})


def _alone(scenario: Scenario, name: str, supplies: list[Supply]) -> Model:
    """The model of one option alone, made of these supplies."""
    option = scenario.options[name].model_copy(update={"supplies": supplies})
    return build(scenario.model_copy(update={"options": {name: option}, "baseline": None}))


def _enumerated(chain: Model, rest: Model, then: str | None) -> Mix:
    bound = chain.options[0]
    given = round(chain.inputs[_count(bound)].value)
    points = list(_points(chain, rest))
    peak_served = points[-1].owns_all
    # the last point is there to be one more than the cheapest
    serving = [point for point in points[:-1] if point.feasible]
    lowest = min((point.npv_of_cost for point in serving), default=0.0)
    limit = lowest + ROUNDING * max(abs(lowest), 1)
    items = [cost.name for cost, _ in bound.items]
    always = [cost.name for cost, _ in rest.options[0].items]
    cheapest = next((point for point in serving if point.npv_of_cost <= limit), None)
    return Mix(
        option=bound.name,
        then=then,
        supplies=bound.supplies,
        items=tuple(always),
        items_with_cards=tuple(item for item in items if item not in always),
        points=tuple(points),
        given=points[given] if given < len(points) else _point(chain, given),
        cheapest=cheapest,
        peak_served=peak_served,
    )


def _count(option: BoundOption) -> str:
    return option.supplies[0].scope.inputs["count"]


def _points(chain: Model, rest: Model) -> Iterator[Point]:
    """From no card to one more than serve the whole load alone, or to one more than the most."""
    yield _without(rest)
    for count in range(1, MOST_CARDS + 1):
        point = _point(chain, count)
        yield point
        if point.owns_all:
            break
    yield _point(chain, count + 1)


def _without(rest: Model) -> Point:
    result = Result(rest, evaluate(rest), None)
    shares = (0.0, *(_average(result, supply) for supply in rest.options[0].supplies))
    return Point(0, *_costs(result), shares, _feasible(result), _cost_of_items(result))


def _point(chain: Model, count: int) -> Point:
    option = chain.options[0]
    result = Result(chain, evaluate(chain, {_count(option): float(count)}), None)
    own = option.supplies[0].scope

    def of_cards(name: str) -> float:
        return result.value(own.line(name))

    return Point(
        count,
        *_costs(result),
        tuple(_average(result, supply) for supply in option.supplies),
        _feasible(result),
        of_cards("equivalent_parts") + _cost_of_items(result),
        min(_by_month(result, option.supplies[0])) >= 1 - ROUNDING,
        of_cards("equivalent_gpu_hours"),
        of_cards("equivalent_busy_gpu_hours"),
        of_cards("busy_hour_cost"),
    )


def _costs(result: Result) -> tuple[float, float]:
    option = result.model.options[0]
    return (
        result.value(option.line("equivalent_monthly_cost")),
        result.value(option.line("npv_of_cost")),
    )


def _feasible(result: Result) -> bool:
    return result.status[result.model.options[0].name] == OK


def _cost_of_items(result: Result) -> float:
    items = result.model.options[0].items
    return sum(result.value(scope.line("equivalent_parts")) for _, scope in items)


def _by_month(result: Result, supply: BoundSupply) -> list[float]:
    # nothing is asked for in month 0
    return result.months(supply.scope.line("served_share"))[1:]


def _average(result: Result, supply: BoundSupply) -> float:
    return float(np.mean(_by_month(result, supply)))


def _card(before: Point | None, after: Point | None) -> Card | None:
    """What the one card between two neighbours costs and saves; None unless both serve all."""
    if before is None or after is None or not (before.feasible and after.feasible):
        return None
    hours = after.gpu_hours - before.gpu_hours
    busy = after.busy_gpu_hours - before.busy_gpu_hours
    own = after.own_cost - before.own_cost
    elsewhere = (before.equivalent_monthly_cost - before.own_cost) - (
        after.equivalent_monthly_cost - after.own_cost
    )
    variable = after.busy_hour_cost
    idle = busy <= ROUNDING * hours
    return Card(
        number=after.count,
        served_share=0.0 if idle else busy / hours,
        fixed_cost=(own - variable * busy) / hours,
        variable_cost=variable,
        price=None if idle else elsewhere / busy,
    )
