"""What every option costs when some inputs are changed: for break-evens, maps, draws and cases.

Only the lines between the changed inputs and the costs are computed again, on arrays of months x
draws, in chunks of draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tco.engine.graph import NotFinite
from tco.engine.operations import Array
from tco.engine.slices import Slice
from tco.engine.structure import BoundOption
from tco.engine.work import CACHES
from tco.errors import ScenarioErrors
from tco.results import Result, overflow

CHUNK = 1_000  # draws at once: larger arrays leave the cache of the processor
INPUT = "input_tokens"
COSTS = ("npv_of_cost", "equivalent_monthly_cost")


@dataclass(frozen=True)
class Outcomes:
    """What options cost in each draw: arrays of options x draws.

    ``npv`` is the present value of all cost, ``monthly`` the equivalent monthly cost; ``serves``
    tells where an option serves the whole demand (everywhere, without a demand).
    """

    options: tuple[str, ...]
    npv: Array
    monthly: Array
    serves: Any

    def of(self, option: str) -> int:
        """The row of an option."""
        return self.options.index(option)


class WhatIf:
    """A result whose inputs of some ``names`` are changed, for ``options`` (all that are costed).

    ``lines`` are full names of further lines to compute, for `lines_at`. Rows of a live table have
    names of their own.
    """

    def __init__(
        self,
        result: Result,
        names: Iterable[str],
        options: Sequence[str] | None = None,
        lines: Iterable[str] = (),
    ) -> None:
        self.result = result
        self.names = tuple(dict.fromkeys(names))
        chosen = [o for o in result.model.complete if options is None or o.name in options]
        self.options = tuple(option.name for option in chosen)
        self._costs = [[option.line(name) for option in chosen] for name in COSTS]
        self._flags = [_flag(option) for option in chosen]
        self._more = tuple(lines)
        inputs = result.model.inputs
        self._tables = {
            row.name: (table.name, number)
            for table in inputs.values()
            if table.table
            for number, row in enumerate(table.rows)
        }
        self._base = {
            name: np.array(given.values, dtype=float).reshape(-1, 1)
            for name, given in inputs.items()
        }
        self._cached = list(self._parts_of_input())
        parts = [name for whole, cached in self._cached for name in (whole, *cached)]
        changed = [self._tables[n][0] if n in self._tables else n for n in (*self.names, *parts)]
        wanted = [*self._costs[0], *self._costs[1], *filter(None, self._flags), *self._more]
        known = {**self._base, **result.arrays}
        self.slice = Slice(result.model.graph, changed, wanted, known, result.scenario.months)

    def _parts_of_input(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Input tokens that are changed, or whose parts are, with these: tokens of a cache."""
        inputs = self.result.model.inputs
        for whole in inputs:
            if not whole.endswith(INPUT):
                continue
            before = whole.removesuffix(INPUT)
            cached = [f"{before}{cache}_tokens" for cache in CACHES]
            cached = [name for name in cached if name in inputs]
            if cached and not {whole, *cached}.isdisjoint(self.names):
                yield whole, tuple(cached)

    def moves(self, option: str) -> bool:
        """Whether any of the inputs reaches the cost of an option."""
        return self.result.option(option).line(COSTS[0]) in self.slice.lines

    def __call__(self, values: Mapping[str, ArrayLike]) -> Outcomes:
        """The costs for values of the inputs, one for each draw.

        Raises `ScenarioErrors` when a number overflows.
        """
        found = [self._outcomes(self._evaluated(part)) for part in self._chunks(values)]
        return _joined(self.options, found)

    def decided(self, values: Mapping[str, ArrayLike]) -> tuple[Outcomes, Any]:
        """The costs, and one number for the decisions of each draw; see `Slice.decided`."""
        found, signatures = [], []
        for part in self._chunks(values):
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                try:
                    lines, signature = self.slice.decided(part)
                except NotFinite as fault:
                    raise ScenarioErrors([overflow(self.result.model, fault)]) from fault
            found.append(self._outcomes(self._spread(lines, part)))
            signatures.append(signature)
        return _joined(self.options, found), np.concatenate(signatures)

    def lines_at(self, values: Mapping[str, ArrayLike]) -> dict[str, Array]:
        """The lines that were asked for beside the costs: months x draws, or (1, draws)."""
        parts = [self._evaluated(part) for part in self._chunks(values)]
        return {name: np.hstack([part[name] for part in parts]) for name in self._more}

    def _chunks(self, values: Mapping[str, ArrayLike]) -> Iterable[dict[str, Array]]:
        given = {name: np.atleast_1d(np.asarray(v, dtype=float)) for name, v in values.items()}
        draws = max((len(v) for v in given.values()), default=1)
        given = {name: np.broadcast_to(v, draws) for name, v in given.items()}
        for first in range(0, draws, CHUNK):
            yield self._arrays({name: v[first : first + CHUNK] for name, v in given.items()})

    def _arrays(self, given: Mapping[str, Array]) -> dict[str, Array]:
        """The arrays of the changed inputs; a table keeps the rows that are not changed."""
        draws = max((len(v) for v in given.values()), default=1)
        found: dict[str, Array] = {name: self._base[name] for name in self.slice.changed}
        for name, values in given.items():
            if name in self._tables:
                table, row = self._tables[name]
                if found[table] is self._base[table]:
                    found[table] = np.repeat(self._base[table], draws, axis=1)
                found[table][row] = values
            else:
                found[name] = values[None, :]
        for whole, cached in self._cached:
            # what is read from a cache or written to it is never more than is read in all
            part = sum(found[name] for name in cached)
            share = found[whole] / np.where(part > 0, part, 1)
            room = np.where(part > 0, np.minimum(share, 1), 1)
            found |= {name: found[name] * room for name in cached}
        return found

    def _evaluated(self, part: Mapping[str, Array]) -> dict[str, Array]:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            try:
                return self._spread(self.slice.evaluate(part), part)
            except NotFinite as fault:
                raise ScenarioErrors([overflow(self.result.model, fault)]) from fault

    def _spread(self, lines: Mapping[str, Array], part: Mapping[str, Array]) -> dict[str, Array]:
        """The same lines, each with a column for every draw."""
        draws = max((array.shape[1] for array in part.values()), default=1)
        return {name: np.broadcast_to(array, (len(array), draws)) for name, array in lines.items()}

    def _outcomes(self, lines: Mapping[str, Array]) -> tuple[Array, Array, Any]:
        npv, monthly = (np.stack([lines[name][0] for name in names]) for names in self._costs)
        everywhere = np.ones(npv.shape[1], dtype=bool)
        serves = np.stack(
            [everywhere if flag is None else lines[flag][0] == 0 for flag in self._flags]
        )
        return npv, monthly, serves


def _flag(option: BoundOption) -> str | None:
    """The line that is 1 where an option leaves work unserved."""
    scope = option.scope
    if scope is None or "infeasible" not in scope.functions:
        return None
    return option.line("infeasible")


def _joined(options: tuple[str, ...], parts: Sequence[tuple[Array, Array, Any]]) -> Outcomes:
    return Outcomes(options, *(np.hstack(pieces) for pieces in zip(*parts, strict=True)))
