"""Wires model functions into a graph by the names of their parameters, checks it, and evaluates it.

A function's name is a line; its parameters name the lines and inputs it reads. A scope is a set of
functions evaluated together (one supply, one option, the time axis); a name that a scope does not
hold is looked up in the scope around it. ``previous_x`` is last month's ``x``, 0 before month 0.

Arrays are always months x draws: a monthly line is (months + 1, 1 or draws), a scalar (1, 1 or
draws).

>>> def cash_cost(price) -> Money: return price * 1
>>> scope = Scope("", inputs={"price": "price"}, functions={"cash_cost": cash_cost})
>>> graph = Graph([scope], {"price": InputSpecification(unit_of(Money), "scalar")})
>>> float(graph.evaluate({"price": np.array([[7.0]])}, months=2)["cash_cost"][0, 0])
7.0
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np

from tco.engine import tracing
from tco.engine.guards import GraphError, examine, where_is
from tco.engine.loops import strongly_connected
from tco.engine.operations import Array, Expression, Literal, NotTraceable, Reference
from tco.units import Money, Unit, UnitMismatch, unit_of  # noqa: F401  Money serves the example above

PREVIOUS = "previous_"


class NotFinite(ArithmeticError):
    """A line came out infinite or undefined."""

    def __init__(self, line: str, inputs: Sequence[str]) -> None:
        super().__init__(f"{line} is not a finite number; it is computed from {', '.join(inputs)}")
        self.line, self.inputs = line, inputs


@dataclass(frozen=True)
class InputSpecification:
    """The unit of an input and its shape: ``scalar``, ``months`` or ``table``."""

    unit: Unit
    shape: str = tracing.SCALAR


@dataclass
class Scope:
    """Functions that are evaluated together, and where the names they do not define come from.

    ``inputs`` maps a parameter to the id of an input; ``aliases`` maps a parameter to a line of
    another scope or to a literal 0, 1 or -1 (the start of a fold).
    """

    name: str
    around: Scope | None = None
    inputs: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str | int] = field(default_factory=dict)
    functions: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def line(self, name: str) -> str:
        """The full name of one of this scope's lines: ``o1/s2/electricity_cost``."""
        return f"{self.name}/{name}" if self.name else name

    def find(self, parameter: str) -> str | int | None:
        """The line, input or literal a parameter stands for; None where nothing has that name."""
        if parameter in self.functions:
            return self.line(parameter)
        if parameter in self.aliases:
            return self.aliases[parameter]
        if parameter in self.inputs:
            return self.inputs[parameter]
        return self.around.find(parameter) if self.around else None

    def names(self) -> set[str]:
        """Every name that a function of this scope may use as a parameter."""
        own = {*self.functions, *self.aliases, *self.inputs}
        return own | (self.around.names() if self.around else set())


@dataclass(frozen=True)
class Line:
    """One line of the model in one scope."""

    name: str
    scope: str
    function: Callable[..., Any]
    arguments: Mapping[str, Expression]
    unit: Unit

    @property
    def label(self) -> str:
        """What the line is, in a few words: the first line of its function's docstring."""
        return (inspect.getdoc(self.function) or self.function.__name__).splitlines()[0].rstrip(".")

    @property
    def short_name(self) -> str:
        """The name of the function: what a person types to ask for this line."""
        return self.name.rpartition("/")[2]


class Graph:
    """Checked lines in an order in which they can be computed.

    ``onto`` is a graph to build on: its lines stay as they are, and the new scopes may read them.
    """

    def __init__(
        self,
        scopes: Iterable[Scope],
        inputs: Mapping[str, InputSpecification],
        onto: Graph | None = None,
    ) -> None:
        self.inputs = dict(inputs)
        added = {
            scope.line(name): _wire(scope, name, function)
            for scope in scopes
            for name, function in scope.functions.items()
        }
        self.lines: dict[str, Line] = {**(onto.lines if onto else {}), **added}
        self._reads: dict[str, list[str]] = {}  # asked for at every evaluation
        self.expressions: dict[str, Expression] = dict(onto.expressions) if onto else {}
        self.shapes: dict[str, str] = {name: given.shape for name, given in self.inputs.items()}
        self.shapes.update(onto.shapes if onto else {})
        order = self._order(added)
        self.order: list[list[str]] = [*(onto.order if onto else []), *order]
        for group in order:
            self._trace(group)
        self._refuse_unread_inputs()

    def reads(self, name: str) -> list[str]:
        """The lines and inputs that a line reads, each once, in the order of its parameters."""
        found = self._reads.get(name)
        if found is None:
            arguments = self.lines[name].arguments.values()
            found = list(dict.fromkeys(a.line for a in arguments if isinstance(a, Reference)))
            self._reads[name] = found
        return found

    def unit(self, name: str) -> Unit:
        """The unit of a line or an input."""
        return self.lines[name].unit if name in self.lines else self.inputs[name].unit

    def _refuse_unread_inputs(self) -> None:
        read = {name for line in self.lines for name in self.reads(line)}
        unread = sorted(set(self.inputs) - read)
        if unread:
            raise GraphError(
                f"no function reads the input {unread[0]}: use it in the model or leave it out"
            )

    def _order(self, names: Iterable[str]) -> list[list[str]]:
        """Groups of lines in order; a group of several is a loop through ``previous_`` lines."""
        groups = strongly_connected(names, self.reads)
        return [self._sort_loop(group) if len(group) > 1 else group for group in groups]

    def _sort_loop(self, group: list[str]) -> list[str]:
        def this_month(name: str) -> list[str]:
            arguments = self.lines[name].arguments.values()
            return [
                a.line
                for a in arguments
                if isinstance(a, Reference) and not a.previous and a.line in group
            ]

        singles = strongly_connected(dict.fromkeys(group), this_month)
        for single in singles:
            if len(single) > 1 or single[0] in this_month(single[0]):
                path = " -> ".join([*single, single[0]])
                raise GraphError(
                    f"{path} is a circle within one month; one of them must read a previous_ line"
                )
        return [single[0] for single in singles]

    def loops(self, group: list[str]) -> bool:
        """Whether a group of lines is computed month by month, reading its own last month."""
        return len(group) > 1 or group[0] in self.reads(group[0])

    def _trace(self, group: list[str]) -> None:
        loops = self.loops(group)
        if loops:
            self._sort_loop(group)
            self.shapes.update(dict.fromkeys(group, tracing.MONTHS))
        for name in group:
            line = self.lines[name]
            try:
                traced = line.function(**line.arguments)
                expression = traced if isinstance(traced, Expression) else _constant(traced)
                for word in tracing.words(expression):
                    if loops and word.reads_whole_row:
                        raise NotTraceable(
                            f"{word.name} needs the whole row; it cannot stand inside a loop"
                        )
                for reference, cells in tracing.references(expression):
                    one_cell = self.shapes[reference.line] == tracing.SCALAR
                    if one_cell and (cells or reference.previous):
                        raise NotTraceable(
                            f"{reference.line} is the same in every month; it has no "
                            f"{'row' if cells else 'last month'}"
                        )
                if expression.is_comparison:
                    raise NotTraceable("a line may not be TRUE or FALSE: write np.where(..., 1, 0)")
                found = tracing.unit(expression, self.unit)
                if found is not None and found.dimensions != line.unit.dimensions:
                    raise UnitMismatch(
                        f"it gives {found.describe()}, but its unit is {line.unit.describe()}"
                    )
            except (NotTraceable, UnitMismatch, tracing.NoRow) as fault:
                raise GraphError(f"{where_is(line.function)}: {name}: {fault}") from fault
            self.expressions[name] = expression
            if not loops:
                self.shapes[name] = tracing.shape(expression, self.shapes.__getitem__)

    def evaluate(
        self,
        values: Mapping[str, Array],
        months: int,
        keep: Iterable[str] | None = None,
        known: Mapping[str, Array] | None = None,
    ) -> dict[str, Array]:
        """Every line's array for the given input values (scalars (1, draws), tables (length, 1)).

        ``keep`` names the lines to return; the others are dropped as soon as nothing reads them.
        ``known`` holds lines that were computed from the same values before.
        Raises `NotFinite` for a line that is infinite or undefined.
        """
        kept = None if keep is None else set(keep)
        last_use = {} if kept is None else self._last_uses()
        arrays: dict[str, Array] = {**values, **(known or {})}
        for position, group in enumerate(self.order):
            if known and group[0] in known:
                continue
            if self.loops(group):
                self.evaluate_loop(group, arrays, months + 1)
            else:
                arrays[group[0]] = self.evaluate_line(group[0], arrays, months + 1)
            for name in last_use.get(position, ()):
                if kept is not None and name not in kept:
                    del arrays[name]
        wanted = self.lines if kept is None else kept
        return {name: arrays[name] for name in wanted}

    def _last_uses(self) -> dict[int, list[str]]:
        last: dict[str, int] = {}
        for position, group in enumerate(self.order):
            for name in group:
                last[name] = max(last.get(name, 0), position)
                for read in self.reads(name):
                    last[read] = position
        uses: dict[int, list[str]] = {}
        for name, position in last.items():
            uses.setdefault(position, []).append(name)
        return uses

    def evaluate_line(self, name: str, arrays: Mapping[str, Array], rows: int) -> Array:
        """Compute one line from what it reads in ``arrays``."""
        line = self.lines[name]
        arguments = {
            parameter: shifted(arrays[argument.line])
            if argument.previous
            else arrays[argument.line]
            for parameter, argument in line.arguments.items()
            if isinstance(argument, Reference)
        }
        literals = {p: float(a.value) for p, a in line.arguments.items() if isinstance(a, Literal)}
        return self.checked(name, line.function(**arguments, **literals), rows)

    def evaluate_loop(self, group: list[str], arrays: dict[str, Array], rows: int) -> None:
        """Compute lines that read their own last month, into ``arrays``, month by month."""
        outside = {read for name in group for read in self.reads(name)} - set(group)
        draws = max((arrays[name].shape[1] for name in outside), default=1)
        for name in group:
            arrays[name] = np.zeros((rows, draws))
        for month in range(rows):
            for name in group:
                line = self.lines[name]
                arguments: dict[str, Any] = {}
                for parameter, argument in line.arguments.items():
                    if isinstance(argument, Literal):
                        arguments[parameter] = float(argument.value)
                    elif isinstance(argument, Reference):
                        arguments[parameter] = _cell(
                            arrays[argument.line], month - argument.previous
                        )
                arrays[name][month] = line.function(**arguments)
        for name in group:
            self.checked(name, arrays[name], rows)

    def checked(self, name: str, value: Any, rows: int) -> Array:
        """The value of a line as an array of its shape; `NotFinite` if it is no number."""
        array = np.asarray(value)
        if array.dtype == bool:
            raise GraphError(f"{name} is TRUE or FALSE: write np.where(..., 1, 0)")
        array = np.atleast_2d(array.astype(float, copy=False))
        expected = rows if self.shapes[name] == tracing.MONTHS else 1
        if array.ndim != 2 or array.shape[0] != expected:
            raise GraphError(
                f"{name} has the shape {array.shape}; {expected} rows by draws were expected"
            )
        # a sum is finite only if all of it is, and takes a fraction of the time
        if not np.isfinite(np.add.reduce(array, axis=None)) and not np.isfinite(array).all():
            raise NotFinite(name, self.reads(name))
        return array


def _wire(scope: Scope, name: str, function: Callable[..., Any]) -> Line:
    parameters, unit = examine(function)
    arguments: dict[str, Expression] = {}
    for parameter in parameters:
        previous = parameter.startswith(PREVIOUS)
        wanted = parameter.removeprefix(PREVIOUS) if previous else parameter
        found = scope.find(wanted)
        if found is None:
            close = get_close_matches(wanted, scope.names(), n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            reads = f"{scope.line(name)} reads {wanted}, which is no line or input here{hint}"
            raise GraphError(f"{where_is(function)}: {reads}")
        arguments[parameter] = (
            Literal(found) if isinstance(found, int) else Reference(found, previous)
        )
    return Line(scope.line(name), scope.name, function, arguments, unit)


def _constant(value: Any) -> Expression:
    if type(value) is int and value in (0, 1, -1):
        return Literal(value)
    raise NotTraceable(f"it returns {value!r}, which has no form in a spreadsheet")


def shifted(array: Array) -> Array:
    """Each month's number in the month after it, 0 in month 0."""
    return array if array.shape[0] == 1 else np.vstack([np.zeros((1, array.shape[1])), array[:-1]])


def _cell(array: Array, month: int) -> Array:
    if array.shape[0] == 1:
        return array
    return array[month : month + 1] if month >= 0 else np.zeros((1, array.shape[1]))
