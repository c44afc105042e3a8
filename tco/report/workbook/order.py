"""The order of lines on a sheet: what a line reads first, and balances as they are read aloud.

The graph's own order can be computed; a person reads a balance as opening, additions, reductions,
closing, so these are brought together where nothing that they need has to stand between them.
"""

from __future__ import annotations

from collections.abc import Iterable

from tco.engine import tracing
from tco.engine.graph import Graph
from tco.engine.operations import Reference


def reading_order(graph: Graph, names: Iterable[str]) -> list[str]:
    """Some lines of a graph, each below what it reads of the same month.

    ``names`` stand in the graph's own order.
    """
    return _Order(graph, list(names)).lines()


class _Order:
    def __init__(self, graph: Graph, names: list[str]) -> None:
        self.graph = graph
        self.names = names
        self.known = set(names)
        self.placed: dict[str, None] = {}
        self.balances: dict[str, list[str]] = {}
        for closing in names:
            movements = self._movements(closing)
            for movement in movements:
                self.balances.setdefault(movement, [*movements, closing])

    def lines(self) -> list[str]:
        for name in self.names:
            self._place(name)
        return list(self.placed)

    def _place(self, name: str) -> None:
        if name in self.balances and name not in self.placed:
            self._place_balance(self.balances[name])
        self.placed.setdefault(name)

    def _place_balance(self, balance: list[str]) -> None:
        """What its movements rest on, then its opening, its movements and its closing."""
        for name in balance:
            self.balances.pop(name, None)
        moving = set(balance)
        rests_on = set().union(*map(self._needs, balance)) - moving
        for name in self.names:
            if name in rests_on and not self._needs(name) & moving:
                self._place(name)
        for name in balance:
            needs = self._needs(name)
            self.placed.update({need: None for need in self.names if need in needs})
            self.placed.setdefault(name)

    def _movements(self, closing: str) -> list[str]:
        """The opening of a balance, then what is added and taken off; empty for other lines."""
        read = [
            reference.line
            for reference, cells in tracing.references(self.graph.expressions[closing])
            if not reference.previous and not cells and reference.line in self.known
        ]
        openings = [line for line in read if self._opens(line, closing)]
        return [*openings, *(line for line in read if line not in openings)] if openings else []

    def _opens(self, line: str, closing: str) -> bool:
        found = self.graph.expressions[line]
        return isinstance(found, Reference) and found.previous and found.line == closing

    def _needs(self, name: str) -> set[str]:
        """The lines of the same month that a line rests on."""
        found: set[str] = set()
        ahead = [name]
        while ahead:
            for reference, _ in tracing.references(self.graph.expressions[ahead.pop()]):
                line = reference.line
                if line in self.known and not reference.previous and line not in found:
                    found.add(line)
                    ahead.append(line)
        return found
