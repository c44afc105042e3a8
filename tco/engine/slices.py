"""The part of a model that has to be computed again when some of its inputs change.

A map, a break-even or ten thousand draws change a few inputs and ask for a few lines. What lies
between them, downstream of the one and upstream of the other, is a slice; all else keeps the
numbers of the base case.

`Slice.decided` also tells draws apart by their decisions: which whole number a count was rounded
up to, which of two amounts was the smaller, which branch was taken, which tier a volume fell into.
Between two draws of the same decisions a line has neither a jump nor a kink.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from tco.engine import tracing
from tco.engine.graph import Graph, shifted
from tco.engine.operations import Array, Expression, Literal, Reference

NEAR = 1e-9  # relative difference below which two amounts are equal, the tolerance of the model
_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads neighbouring numbers


class Slice:
    """The lines between changed inputs and wanted lines, in an order in which they are computed.

    ``known`` holds the base case: the arrays of every line and input. ``lines`` are those that are
    computed again; a wanted line that no changed input reaches keeps its known numbers.
    """

    def __init__(
        self,
        graph: Graph,
        changed: Iterable[str],
        wanted: Iterable[str],
        known: Mapping[str, Array],
        months: int,
    ) -> None:
        self.graph, self.rows = graph, months + 1
        self.wanted = tuple(dict.fromkeys(wanted))
        self.changed = tuple(dict.fromkeys(changed))
        below = _downstream(graph, self.changed)
        needed = _upstream(graph, self.wanted)
        self.order = [
            [name for name in group if name in below]
            for group in graph.order
            if group[0] in below and not needed.isdisjoint(group)
        ]
        self.lines = tuple(name for group in self.order for name in group)
        computed = set(self.lines)
        outside = {read for name in self.lines for read in graph.reads(name)} - computed
        kept = outside.union(self.wanted) - computed - set(self.changed)
        self.known = {name: known[name] for name in kept if name in known}
        self._last_use = self._last_uses()
        self._steps = [_step(graph, group) for group in self.order]
        self._deciding = {
            name
            for name in self.lines
            if any(word.name in _DECISIONS for word in tracing.words(graph.expressions[name]))
        }

    def _last_uses(self) -> list[tuple[str, ...]]:
        """Which lines nothing reads any more, after each group."""
        last: dict[str, int] = {}
        for position, group in enumerate(self.order):
            for name in group:
                last.setdefault(name, position)
                for read in self.graph.reads(name):
                    last[read] = position
        found: list[list[str]] = [[] for _ in self.order]
        dropped = set(self.lines) - set(self.wanted)
        for name, position in last.items():
            if name in dropped:
                found[position].append(name)
        return [tuple(names) for names in found]

    def evaluate(self, values: Mapping[str, Array]) -> dict[str, Array]:
        """The wanted lines for the values of the changed inputs, scalars of (1, draws).

        Out of finite numbers an infinite or undefined one comes only by an operation that the
        processor flags: without a flag no line is looked at again. Raises
        `tco.engine.graph.NotFinite` for a line that is infinite or undefined.
        """
        arrays: dict[str, Array] = {**self.known, **values}
        try:
            with np.errstate(over="raise", invalid="raise", divide="raise"):
                for group, step, done in zip(self.order, self._steps, self._last_use, strict=True):
                    if step is None:
                        self.graph.evaluate_loop(group, arrays, self.rows)
                    else:
                        arrays[group[0]] = step(arrays)
                    for name in done:
                        del arrays[name]
        except FloatingPointError:
            return self._evaluate_checked(values)
        return {name: arrays[name] for name in self.wanted}

    def _evaluate_checked(self, values: Mapping[str, Array]) -> dict[str, Array]:
        """The same, with every line looked at: a flag may come of a branch that is not taken."""
        arrays: dict[str, Array] = {**self.known, **values}
        for group, done in zip(self.order, self._last_use, strict=True):
            if self.graph.loops(group):
                self.graph.evaluate_loop(group, arrays, self.rows)
            else:
                arrays[group[0]] = self.graph.evaluate_line(group[0], arrays, self.rows)
            for name in done:
                del arrays[name]
        return {name: arrays[name] for name in self.wanted}

    def decided(self, values: Mapping[str, Array]) -> tuple[dict[str, Array], Any]:
        """The wanted lines, and one number for each draw's decisions (uint64, draws).

        The numbers are read off the expressions of the lines, operation by operation.
        """
        arrays: dict[str, Array] = {**self.known, **values}
        draws = max((np.shape(array)[1] for array in values.values()), default=1)
        decisions = _Decisions(draws)
        for group in self.order:
            if self.graph.loops(group):
                self.graph.evaluate_loop(group, arrays, self.rows)
                for name in group:
                    decisions.value(self.graph.expressions[name], arrays)
                continue
            name = group[0]
            if name in self._deciding:
                value = decisions.value(self.graph.expressions[name], arrays)
                arrays[name] = self.graph.checked(name, value, self.rows)
            else:
                arrays[name] = self.graph.evaluate_line(name, arrays, self.rows)
        return {name: arrays[name] for name in self.wanted}, decisions.signature


def _step(graph: Graph, group: list[str]) -> Callable[[Mapping[str, Array]], Array] | None:
    """How a line is computed from the arrays of what it reads; None for a loop."""
    if graph.loops(group):
        return None
    line = graph.lines[group[0]]
    literals: dict[str, Any] = {}
    reads: list[tuple[str, str, bool]] = []
    for parameter, argument in line.arguments.items():
        if isinstance(argument, Literal):
            literals[parameter] = float(argument.value)
        elif isinstance(argument, Reference):
            reads.append((parameter, argument.line, argument.previous))

    def step(arrays: Mapping[str, Array]) -> Array:
        given = {
            parameter: shifted(arrays[name]) if previous else arrays[name]
            for parameter, name, previous in reads
        }
        return np.atleast_2d(np.asarray(line.function(**given, **literals), dtype=float))

    return step


def _downstream(graph: Graph, changed: Iterable[str]) -> set[str]:
    found: set[str] = set(changed)
    for group in graph.order:
        if any(read in found for name in group for read in graph.reads(name)):
            found.update(group)
    return found - set(changed)


def _upstream(graph: Graph, wanted: Iterable[str]) -> set[str]:
    found: set[str] = set()
    waiting = [name for name in wanted if name in graph.lines]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [read for read in graph.reads(name) if read in graph.lines]
    return found


class _Decisions:
    """Computes expressions on arrays and folds every decision on the way into a signature."""

    def __init__(self, draws: int) -> None:
        self.signature = np.zeros(draws, dtype=np.uint64)
        self._number = 0

    def value(self, expression: Expression, arrays: Mapping[str, Array]) -> Any:
        """The number of an expression, as its function would give it."""
        if isinstance(expression, Literal):
            return float(expression.value)
        if isinstance(expression, Reference):
            found = arrays[expression.line]
            return shifted(found) if expression.previous else found
        operation = expression.operation
        assert operation is not None
        operands = [self.value(operand, arrays) for operand in expression.operands]
        made = _DECISIONS.get(operation.name)
        if made is not None:
            for decision in made(*operands):
                self._fold(decision)
        return operation.numbers(*operands)

    def _fold(self, decision: Any) -> None:
        """Add the whole numbers of one decision (months x draws), each with a weight of its own.

        Weights are odd-looking numbers of 64 bits, so that different decisions do not add up to
        the same.
        """
        self._number += 1
        found = np.atleast_2d(np.asarray(decision))
        whole = found.astype(np.int64).astype(np.uint64)
        weights = _weights(self._number, len(whole))
        self.signature += (whole * weights[:, None]).sum(axis=0, dtype=np.uint64)


def _weights(number: int, rows: int) -> Any:
    """Numbers of 64 bits that look drawn: those of SplitMix64 (Steele, Lea, Flood 2014)."""
    state = (np.arange(1, rows + 1, dtype=np.uint64) + np.uint64(number << 20)) * _ODD
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


def _sides(x: Any, y: Any) -> Iterable[Any]:
    """Which of two amounts is the larger: 1, -1, or 0 where they are equal but for rounding."""
    scale = np.maximum(np.maximum(np.abs(x), np.abs(y)), 1e-300)
    apart = np.asarray(x) - y
    yield np.where(np.abs(apart) <= NEAR * scale, 0, np.sign(apart))


def _whole_numbers(x: Any, tolerance: Any) -> Iterable[Any]:
    yield np.ceil(np.maximum(np.asarray(x) - tolerance, 0))


def _whole_below(x: Any, tolerance: Any) -> Iterable[Any]:
    yield np.floor(np.asarray(x) + tolerance)


def _within(x: Any, y: Any, tolerance: Any) -> Iterable[Any]:
    scale = np.maximum(np.maximum(x, y), 1)
    yield np.where(np.asarray(x) - y <= tolerance * scale, 1, 0)


def _is_zero(_: Any, below: Any) -> Iterable[Any]:
    yield np.asarray(below) == 0


def _remainder(x: Any, y: Any) -> Iterable[Any]:
    yield np.floor_divide(x, y)


def _place(x: Any, knots: Any, _: Any) -> Iterable[Any]:
    yield np.searchsorted(knots[:, 0], x, side="right")


def _levels(x: Any, limit: Any, levels: Any, __: Any) -> Iterable[Any]:
    for level in levels[:, 0]:
        yield from _sides(level * np.asarray(x), limit)


def _largest(x: Any) -> Iterable[Any]:
    yield np.argmax(x, axis=0)[None, :]


def _largest_yet(x: Any) -> Iterable[Any]:
    before = np.maximum.accumulate(x, axis=0)
    yield from _sides(x, before)


def _moved(_: Any, month: Any, months: Any) -> Iterable[Any]:
    yield np.asarray(month - months, dtype=int)


def _look_back(x: Any, month: Any, months: Any) -> Iterable[Any]:
    yield np.floor(np.asarray(month - months, dtype=float))
    yield from _largest_yet(x)


def _grouped(_: Any, group: Any) -> Iterable[Any]:
    yield group


def _ages(x: Any, group: Any, *rest: Any) -> Iterable[Any]:
    yield group
    yield np.floor(np.asarray(rest[-1], dtype=float))
    yield np.asarray(x) != 0


# what is decided where, by the name of the word; comparisons are what np.where decides upon
_DECISIONS: Mapping[str, Callable[..., Iterable[Any]]] = {
    ">": _sides,
    ">=": _sides,
    "<": _sides,
    "<=": _sides,
    "==": _sides,
    "minimum": _sides,
    "maximum": _sides,
    "at_most": _within,
    "ceil": _whole_numbers,
    "whole": _whole_below,
    "modulo": _remainder,
    "ratio": _is_zero,
    "lookup": _place,
    "mean_excess": _levels,
    "highest": _largest,
    "highest_yet": _largest_yet,
    "lag": _moved,
    "trailing_highest": _look_back,
    "year_to_date": _grouped,
    "shares_by_age": _ages,
}
