"""What a scenario becomes before any number is computed: options, comparisons and a graph."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

import tco.model
from tco.engine.graph import Graph, Scope
from tco.engine.guards import examine
from tco.scenario.inputs import SOLVED, STRUCTURAL, Input, counted
from tco.scenario.schema import Api, Own, Quantity, Rent, Scenario
from tco.units import Counted

if TYPE_CHECKING:
    from tco.engine.work import BoundDemand

Supply = Own | Rent | Api
# what the scopes within a supply are, by their name or its letter
NAMED_SCOPES = {"t": "for tax", "tariff": "electricity price", "path": "price"}
LETTERS = {
    "l": "level",
    "o": "output tier",
    "i": "input tier",
    "b": "item",
    "p": "payment",
    "r": "age",
    "d": "age",
    "k": "quarter",
}


@dataclass(frozen=True)
class Missing:
    """Why an option cannot be costed, and what to add to the scenario."""

    what: str
    add: str


@dataclass(frozen=True)
class BoundSupply:
    """One supply of an option: what the scenario says and the scope of its lines.

    ``linear`` tells whether its cost is a fixed part and a part in proportion to its work;
    ``plain`` whether what is bought is a price and nothing else, so that it enters in proportion.
    """

    number: int
    given: Supply
    scope: Scope
    measured: bool
    card: str | None
    linear: bool = True
    plain: bool = False


@dataclass(frozen=True)
class Item:
    """A cost of an option that belongs to no supply."""

    name: str


@dataclass(frozen=True)
class BoundOption:
    """One option: its place in the scenario, its scope and its supplies, or what it lacks."""

    number: int
    name: str
    supplies: tuple[BoundSupply, ...]
    items: tuple[tuple[Item, Scope], ...]
    scope: Scope | None
    missing: Missing | None

    @property
    def sole(self) -> BoundSupply | None:
        """The only supply, or None for a chain."""
        return self.supplies[0] if len(self.supplies) == 1 else None

    def line(self, name: str) -> str:
        """The full name of one of the option's own lines."""
        assert self.scope is not None
        return self.scope.line(name)


@dataclass(frozen=True)
class Pair:
    """A comparison of two options: ``this`` against ``other``."""

    number: int
    this: BoundOption
    other: BoundOption
    scope: Scope
    variants: frozenset[str]


@dataclass(frozen=True)
class Model:
    """A scenario as a graph, with its inputs, options and comparisons.

    ``beforehand`` are the paths of what is read while the graph is put together.
    """

    scenario: Scenario
    inputs: dict[str, Input]
    time: Scope
    demand: BoundDemand | None
    options: tuple[BoundOption, ...]
    pairs: tuple[Pair, ...]
    baseline: str | None
    scopes: tuple[Scope, ...]
    graph: Graph = field(repr=False)
    beforehand: tuple[str, ...] = ()

    @property
    def complete(self) -> list[BoundOption]:
        """The options that can be costed."""
        return [option for option in self.options if option.missing is None]

    @property
    def numbers(self) -> list[Input]:
        """Every input, the rows of a live table each by itself."""
        return [row for given in self.inputs.values() for row in given.rows]

    @property
    def counted(self) -> Counted:
        """The words for what the demand counts."""
        return counted(self.scenario)

    @property
    def has_demand(self) -> bool:
        """Whether there is a demand to serve; without one costs are shown and nothing is ranked."""
        return self.scenario.demand is not None

    def inner_scopes(self, scope: str) -> dict[str, str]:
        """The scopes within a supply or the time axis, each with what it is in words."""
        begins = f"{scope}/" if scope else "w"
        names = dict.fromkeys(found.name for found in self.scopes if found.name.startswith(begins))
        return {name: self._inner_words(name.removeprefix(f"{scope}/")) for name in names}

    def _inner_words(self, path: str) -> str:
        words = []
        for part in path.split("/"):
            letter, number = part[:1], part[1:]
            if part == "present":
                words.append("where it is now")
            elif letter == "w" and self.demand is not None:
                words.append(self.demand.workloads[int(number) - 1].name or "the work")
            else:
                words.append(NAMED_SCOPES.get(part) or f"{LETTERS[letter]} {number}")
        return ", ".join(words)

    def unread(self) -> list[Quantity]:
        """Values that the scenario gives and no option reads."""
        read = {given.path for given in self.inputs.values()}
        excused = (*self._read_by_set_aside(), *self._read_beforehand())
        return [
            quantity
            for quantity in given_quantities(self.scenario)
            if quantity.path not in read and not quantity.path.startswith(excused)
        ]

    def _read_beforehand(self) -> Iterable[str]:
        """Where the paths begin that are read before the model runs: curves, points, steps."""
        yield from (
            given.path for given in self.inputs.values() if given.kind in (SOLVED, STRUCTURAL)
        )
        yield from self.beforehand
        yield "demand.request_sizes"
        for name in self.scenario.models:
            used = any(
                getattr(s.given, "model", None) == name for o in self.options for s in o.supplies
            )
            if used:
                yield f"models.{name}."
        for option in self.complete:
            for supply in option.supplies:
                if isinstance(supply.given, Api) and supply.given.long_context is not None:
                    yield f"{supply.given.long_context.path}.above"
                if isinstance(supply.given, Api) and supply.given.price is not None:
                    yield f"{supply.given.path}."
                if not isinstance(supply.given, Api) and supply.measured:
                    path = (
                        supply.given.path if supply.given.throughput else f"hardware.{supply.card}"
                    )
                    yield f"{path}.throughput"

    def _read_by_set_aside(self) -> Iterable[str]:
        """Where the paths begin that options would read which are not costed here."""
        costed = {option.name for option in self.complete}
        for name, option in self.scenario.options.items():
            if name in costed:
                continue
            for quantity in given_quantities(option):
                yield quantity.path
                yield f"exchange_rates.{quantity.currency}"
            for supply in option.supplies:
                if isinstance(supply, Own):
                    yield from (f"hardware.{supply.own}.", "site.")
                if isinstance(supply, Rent):
                    yield from (f"hardware.{supply.rent}.", "site.utilisation")
            for number, cost in enumerate(self.scenario.other_costs):
                if cost.options and name in cost.options:
                    yield f"other_costs[{number}]."


def card_of(supply: Supply) -> str | None:
    """The card of a supply; None for an API."""
    if isinstance(supply, Own):
        return supply.own
    return supply.rent if isinstance(supply, Rent) else None


def functions_of_module(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """Every model function of a module, by its whole name."""
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__
    }


def functions_of(module: ModuleType, *variants: str) -> dict[str, Callable[..., Any]]:
    """The model functions of a module, by the line they compute, for the chosen variants."""
    found: dict[str, Callable[..., Any]] = {}
    for name, function in functions_of_module(module).items():
        line, _, variant = name.partition("__")
        if not variant or variant in variants:
            found[line] = function
    return found


def given_quantities(part: Any) -> Iterable[Quantity]:
    """Every quantity that a scenario, or a part of one, gives for the model to read."""
    if isinstance(part, Quantity):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from given_quantities(value)
    elif isinstance(part, (list, tuple)):
        for value in part:
            yield from given_quantities(value)
    elif hasattr(type(part), "model_fields"):
        for name in type(part).model_fields:
            if name not in ("p25", "p75"):
                yield from given_quantities(getattr(part, name))


@cache
def lines_of_money() -> frozenset[str]:
    """The names of all lines that are amounts of a month, whatever a scenario binds."""
    found = set()
    for module in pkgutil.iter_modules(tco.model.__path__):
        functions = functions_of_module(importlib.import_module(f"tco.model.{module.name}"))
        for name, function in functions.items():
            unit = examine(function)[1]
            if unit.adds_up and unit.dimensions == (("money", 1),):
                found.add(name.partition("__")[0])
    return frozenset(found)
