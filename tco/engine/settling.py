"""Lines that come to nothing of their own: what a scenario does not give leaves no row behind.

A function whose terms are all left out but one is another name for that one; one without any is 0.
Neither is a line: the name is kept as an alias, so that whatever reads it reads what it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from tco.engine.graph import PREVIOUS, Scope
from tco.engine.guards import examine
from tco.engine.operations import Expression, Literal, Reference


def settle(
    scope: Scope, functions: dict[str, Callable[..., Any]], keep: Collection[str] = ()
) -> None:
    """Add functions to a scope, those as aliases that come to one other line or to a number.

    The lines of ``keep`` stay lines whatever they come to. Of two functions the one that the other
    reads must be in the same call, or be in the scope already.
    """
    _Settling(scope, dict(functions), keep).settle()


def resolve(scopes: Iterable[Scope]) -> None:
    """Let every alias of a name that came to another stand for what that stands for."""
    scopes = list(scopes)
    lines = {scope.line(name) for scope in scopes for name in scope.functions}
    stands_for = {
        scope.line(name): found for scope in scopes for name, found in scope.aliases.items()
    }
    for scope in scopes:
        for name, found in scope.aliases.items():
            while isinstance(found, str) and found not in lines and found in stands_for:
                found = stands_for[found]
            scope.aliases[name] = found


class _Settling:
    def __init__(
        self, scope: Scope, functions: dict[str, Callable[..., Any]], keep: Collection[str]
    ) -> None:
        self.scope = scope
        self.waiting = functions
        self.keep = keep

    def settle(self) -> None:
        while self.waiting:
            self._place(next(iter(self.waiting)))

    def _place(self, name: str) -> None:
        function = self.waiting.pop(name)
        operands: dict[str, Expression] = {}
        for parameter in examine(function)[0]:
            previous = parameter.startswith(PREVIOUS)
            wanted = parameter.removeprefix(PREVIOUS)
            if wanted in self.waiting and not previous:
                self._place(wanted)
            # a loop reads last month's value of what is not placed yet
            found = self._found(wanted) if wanted not in self.waiting else None
            if isinstance(found, int):
                operands[parameter] = Literal(found)
            else:
                operands[parameter] = Reference(found or self.scope.line(wanted), previous)
        comes_to = function(**operands)
        if name not in self.keep:
            if isinstance(comes_to, Literal):
                self.scope.aliases[name] = comes_to.value
                return
            if isinstance(comes_to, Reference) and not comes_to.previous:
                self.scope.aliases[name] = comes_to.line
                return
            if type(comes_to) is int:
                self.scope.aliases[name] = comes_to
                return
        self.scope.functions[name] = function

    def _found(self, name: str) -> str | int | None:
        """What a name stands for, through names that came to others or wait to be placed."""
        found = self.scope.find(name)
        prefix = self.scope.line("")
        while isinstance(found, str) and found.startswith(prefix):
            own = found.removeprefix(prefix)
            if own in self.waiting:
                self._place(own)
            further = self.scope.find(own)
            if further is None or further == found:
                break
            found = further
        return found
