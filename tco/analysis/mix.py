"""How many cards a chain should own before it sends the rest on: a screening curve in whole cards.

The n-th card is worth owning while the share of its hours that it works, times what each of those
hours saves, covers its fixed cost: s x (p - v) >= F (the newsvendor's critical ratio, F / (p - v)).
`cheapest_base` is that rule on a load-duration curve. For a scenario nothing is taken from the
rule: the model is evaluated with every number of cards (`mixes`), and s, F, p and v are read off
two neighbours, whose costs differ by exactly F - s x (p - v) for each hour of the card.
Cards that come together, as a node or as the replica of a model, are counted together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
from numpy.typing import ArrayLike

from tco.analysis.marks import marks
from tco.engine.missing import work_rate_of
from tco.engine.operations import Array
from tco.engine.options import build
from tco.engine.structure import BoundSupply, Model, Supply
from tco.errors import ScenarioError
from tco.results import OK, Result, evaluate
from tco.scenario.schema import Api, Own, Quantity, Rent, Scenario
from tco.scenario.supplies import AUTO

MOST_CARDS = 1000
ROUNDING = 1e-9


@dataclass(frozen=True)
class _Words:
    """What a kind of work asks of a card that is owned, and what may take the rest of it."""

    rate: str
    what_it_is: str
    rest: str


WORDS = {
    "tokens": _Words(
        "output_rate: 800", "the output tokens a second of one card",
        "api: gpt-4o, output_price: 15",
    ),
    "tasks": _Words(
        "tasks_per_hour: 240", "the tasks an hour of one card", "api: flux-dev, task_price: 0.02"
    ),
    "gpu_hours": _Words(
        "speed_up: 1", "the hours of work that it does in one",
        "rent: rtx-4090, count: 1, price: 0.49, billed: busy, speed_up: 1",
    ),
}  # fmt: skip


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

    Costs are in money, a month or in all; ``shares`` is the part of the work of all months that
    each supply serves. ``own_cost`` is that of the owned cards and of the cost items, which belong
    to no supply; it and the hours of the owned cards are a month's, levelled over the horizon.
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
    """The n-th card, or node or replica, as the rule sees it, in money per hour of a card.

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
    no such chain. ``unit`` is what is counted: a card, or a node or replica of ``step`` cards.
    ``items`` are the cost items of every number of cards, ``items_with_cards`` those that come with
    the first card. ``points`` are the costs by number of units, without gaps from 0; ``given`` is
    the point of the scenario's own number, and of the most cards it comes to if ``follows_demand``
    (count: auto). ``cheapest`` is None when no number serves the demand. ``peak_served`` is False
    when even `MOST_CARDS` leave some of the load to others.
    """

    option: str
    then: str | None
    supplies: tuple[BoundSupply, ...]
    unit: str
    step: int
    follows_demand: bool
    items: tuple[str, ...]
    items_with_cards: tuple[str, ...]
    points: tuple[Point, ...]
    given: Point
    cheapest: Point | None
    peak_served: bool

    @property
    def one_fewer(self) -> Point | None:
        """The point of one card, or node or replica, fewer than the cheapest."""
        return self.points[self._place - 1] if self._place else None

    @property
    def one_more(self) -> Point | None:
        """The point of one card, or node or replica, more than the cheapest."""
        return self.points[self._place + 1] if self.cheapest else None

    @property
    def _place(self) -> int:
        return self.cheapest.count // self.step if self.cheapest else 0

    @property
    def in_proportion(self) -> bool:
        """Whether what is not served at home is paid by the work done, so that the rule speaks."""
        return all(_pays_by_work(supply) for supply in self.supplies[1:])

    @property
    def last_kept(self) -> Card | None:
        """The last card of the cheapest number; None without one, or if it is needed anyway."""
        return _card(self.one_fewer, self.cheapest, self.step)

    @property
    def first_refused(self) -> Card | None:
        """The card that the cheapest number does without; None where counting ended before it."""
        return None if self.at_the_end else _card(self.cheapest, self.one_more, self.step)

    @property
    def at_the_end(self) -> bool:
        """Whether the cheapest number is the highest counted, and one more might be cheaper."""
        end = len(self.points) - 2
        return not self.peak_served and self.cheapest is not None and self._place == end


@dataclass(frozen=True)
class Mixes:
    """The mixes of a scenario, and why others that own first have none, by their names."""

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
    return Mixes(tuple(found), {name: str(reasons[name]) for name in wanted if name in reasons})


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
        words = WORDS[scenario.demand.kind]
        own = f"{{own: rtx-4090, count: 1, price: 1599, {words.rate}}}"
        name = f"own-then-{words.rest.partition(':')[0]}"
        reason = _Reason(what, f"for example  {name}: [{own}, {{{words.rest}}}]")
    line = scenario.lines.get(where)
    return ScenarioError(scenario.path, line, where, reason.what, expected, f"add {reason.add}")


def _mix(result: Result, name: str) -> Mix | _Reason | None:
    """The mix of one option, or why there is none; None for one that does not own first."""
    scenario = result.scenario
    first, *rest = scenario.options[name].supplies
    if not isinstance(first, Own):
        return None
    for word in ("quote", "already_owned"):
        if getattr(first, word) is not None:
            of = "a quote" if word == "quote" else "what is owned already"
            return _Reason(f"{of} is for a fixed number of cards", f"{first.path}.price")
    if first.financing is not None and first.financing.lease is not None:
        return _Reason("a lease is for a fixed number of cards", f"{first.path}.price, for cash")
    if any(isinstance(supply, Own) for supply in rest):
        return _Reason("more owned cards behind the first", "rented cards or an API in their place")
    if scenario.demand is None:
        return _Reason("no demand to divide", "demand.output_tokens")
    words = WORDS[scenario.demand.kind]
    if work_rate_of(scenario, first) is None:
        add = f"hardware.{first.own}.{words.rate.partition(':')[0]}, {words.what_it_is}"
        return _Reason("no throughput of the cards that are owned", add)
    then = None
    if not rest:
        then = _cheapest_api(result)
        if then is None:
            what = "owned cards and no API that can be costed to take the rest"
            add = f"what takes it behind them:  [{{own: {first.own}, ...}}, {{{words.rest}}}]"
            return _Reason(what, add)
        rest = list(scenario.options[then].supplies)
    both = _bearing_both(scenario, name, then)
    given = _alone(both, name, [first, *rest])
    missing = given.options[0].missing
    if missing is not None:
        return _Reason(missing.what, missing.add)
    at_given = Result(given, evaluate(given), None)
    unfit = _unfit(at_given)
    if unfit is not None:
        add = "cards to each replica (sizing.gpus_per_replica), or a smaller memory.precision"
        return _Reason(f"a model that does not fit {unfit.card}", add)
    one = Quantity(value=1.0, path=f"{first.path}.count", text="1")
    chain = _alone(both, name, [first.model_copy(update={"count": one}), *rest])
    # without a card an offered mix is the option that calls the API, with that one's cost items
    return _enumerated(chain, _alone(scenario, then or name, rest), at_given, then)


def _unfit(result: Result) -> BoundSupply | None:
    """The first supply whose model does not fit its cards, whatever their number."""
    for supply in result.model.options[0].supplies:
        line = supply.scope.line("does_not_fit")
        if "does_not_fit" in supply.scope.functions and result.value(line):
            return supply
    return None


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
    # the others stay in the scenario: what cannot move is billed at the prices of one of them
    options = {**scenario.options, name: option}
    return build(scenario.model_copy(update={"options": options, "baseline": name}), only=[name])


def _unit(first: Own) -> tuple[str, int]:
    """What can be bought at a time that adds to what is served, and of how many cards it is."""
    sizes = first.sizing
    node = round(sizes.gpus_per_node.value) if sizes and sizes.gpus_per_node else 1
    replica = round(sizes.gpus_per_replica.value) if sizes and sizes.gpus_per_replica else 1
    step = math.ceil(replica / node) * node
    return ("card" if step == 1 else "node" if step == node else "replica"), step


def _enumerated(chain: Model, rest: Model, at_given: Result, then: str | None) -> Mix:
    bound = chain.options[0]
    first = at_given.model.options[0].supplies[0].given
    assert isinstance(first, Own)
    unit, step = _unit(first)
    points = _points(chain, rest, step)
    # the last point is there to be one more than the cheapest
    serving = [point for point in points[:-1] if point.feasible]
    lowest = min((point.npv_of_cost for point in serving), default=0.0)
    limit = lowest + _rounding(lowest)
    items = [cost.name for cost, _ in bound.items]
    always = [cost.name for cost, _ in rest.options[0].items]
    return Mix(
        option=bound.name,
        then=then,
        supplies=bound.supplies,
        unit=unit,
        step=step,
        follows_demand=first.count == AUTO,
        items=tuple(always),
        items_with_cards=tuple(item for item in items if item not in always),
        points=points,
        given=_among(points, _point(at_given, _cards_of(at_given))),
        cheapest=next((point for point in serving if point.npv_of_cost <= limit), None),
        peak_served=points[-1].owns_all,
    )


def _rounding(cost: float) -> float:
    return ROUNDING * max(abs(cost), 1)


def _cards_of(result: Result) -> int:
    """How many cards the first supply comes to: whole nodes, and the most of any month."""
    scope = result.model.options[0].supplies[0].scope
    found = scope.find("gpus")
    assert isinstance(found, str)
    inputs = result.model.inputs
    return round(inputs[found].value if found in inputs else max(result.months(found)))


def _among(points: Sequence[Point], given: Point) -> Point:
    """The point of the same cards at the same cost, if there is one.

    Cards that follow the demand cost less than all of them from the start, if it grows.
    """
    for point in points:
        difference = abs(point.npv_of_cost - given.npv_of_cost)
        if point.count == given.count and difference <= _rounding(given.npv_of_cost):
            return point
    return given


def _points(chain: Model, rest: Model, step: int) -> tuple[Point, ...]:
    """From no card to one unit more than serve the whole load alone, or than the most."""
    points = [_without(rest)]
    enough = most = max(MOST_CARDS // step, 1)
    while len(points) < enough + 2:
        numbers = range(len(points), min(2 * len(points), enough + 1) + 1)
        points += _counted(chain, [number * step for number in numbers])
        enough = next((number for number, point in enumerate(points) if point.owns_all), most)
    return tuple(points[: enough + 2])


def _counted(chain: Model, counts: Sequence[int]) -> list[Point]:
    """The chain with each of these numbers of cards: each is a draw of one evaluation."""
    option = chain.options[0]
    arrays = evaluate(chain, {option.supplies[0].scope.inputs["count"]: counts})
    return [
        _point(
            Result(chain, {line: _of_draw(array, draw) for line, array in arrays.items()}, None),
            count,
        )
        for draw, count in enumerate(counts)
    ]


def _of_draw(array: Array, draw: int) -> Array:
    return array[:, draw : draw + 1] if array.shape[1] > 1 else array


def _without(rest: Model) -> Point:
    result = Result(rest, evaluate(rest), None)
    shares = (0.0, *(_share(result, supply) for supply in rest.options[0].supplies))
    return Point(0, *_costs(result), shares, _feasible(result), _cost_of_items(result))


def _point(result: Result, count: int) -> Point:
    option = result.model.options[0]
    first = option.supplies[0]

    def of_cards(name: str) -> float:
        return result.value(first.scope.line(name))

    # nothing is asked for in month 0
    served = result.months(first.scope.line("served_share"))[1:]
    return Point(
        count,
        *_costs(result),
        tuple(_share(result, supply) for supply in option.supplies),
        _feasible(result),
        of_cards("equivalent_parts") + _cost_of_items(result),
        min(served) >= 1 - ROUNDING,
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


def _share(result: Result, supply: BoundSupply) -> float:
    """Part of the work of all months that a supply serves; 0 where there is no work."""
    demanded = result.value(result.model.options[0].line("total_demanded_work"))
    served = sum(result.months(supply.scope.line("served_work")))
    return served / demanded if demanded else 0.0


def _pays_by_work(supply: BoundSupply) -> bool:
    given = supply.given
    if isinstance(given, Rent):
        return given.billed == "busy" and given.sessions is None
    return isinstance(given, Api) and supply.linear


def _card(before: Point | None, after: Point | None, step: int) -> Card | None:
    """What the one unit between two neighbours costs and saves; None unless both serve all."""
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
        number=after.count // step,
        served_share=0.0 if idle else busy / hours,
        fixed_cost=(own - variable * busy) / hours,
        variable_cost=variable,
        price=None if idle else elsewhere / busy,
    )
