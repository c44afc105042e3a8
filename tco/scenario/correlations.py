"""Numbers of a scenario that are uncertain together, such as a rental and a resale price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from tco.scenario.document import Block, Items, Node, Scalar, nearest
from tco.scenario.fields import Part, Quantity, RentalPrice, reads
from tco.scenario.kinds import Kind
from tco.scenario.reading import Reading, Rejected
from tco.units import Factor, unit_of

if TYPE_CHECKING:
    from tco.scenario.schema import Scenario

CORRELATION = Kind(
    "a correlation",
    unit_of(Factor),
    "a correlation from -1 to 1, or a percentage from -100% to 100%",
    "60%",
    {"%": 0.01},
    least=-1.0,
    most=1.0,
)
EXAMPLE = "{between: [options.rent.price, options.own.price], correlation: 60%}"
LEAST_EIGENVALUE = -1e-12  # what rounding leaves of a matrix that has an eigenvalue of 0
PAIR = 2


@dataclass(frozen=True)
class Stated:
    """A number of the scenario with all that says how uncertain it is."""

    quantity: Quantity
    p25: Quantity | None = None
    p75: Quantity | None = None

    @property
    def is_uncertain(self) -> bool:
        """Whether a low, a high or a quartile stands beside it."""
        beside = (self.quantity.low, self.quantity.high, self.p25, self.p75)
        return any(given is not None for given in beside)


def numbers_of(part: Any) -> Iterator[Stated]:
    """Every number that a scenario, or a part of one, gives for the model to read."""
    if isinstance(part, Quantity):
        yield Stated(part)
    elif isinstance(part, RentalPrice):
        yield Stated(part.median, part.p25, part.p75)
        if part.minimum is not None:
            yield Stated(part.minimum)
    elif isinstance(part, dict):
        for value in part.values():
            yield from numbers_of(value)
    elif isinstance(part, (list, tuple)):
        for value in part:
            yield from numbers_of(value)
    elif hasattr(type(part), "model_fields"):
        for name in type(part).model_fields:
            yield from numbers_of(getattr(part, name))


def _read_between(reading: Reading, node: Node) -> tuple[str, str]:
    if not isinstance(node, Items) or len(node) != PAIR:
        found = f"{len(node)} numbers" if isinstance(node, Items) else None
        raise reading.reject(
            node,
            "two numbers of the scenario, by their paths",
            "write for example  [options.rent.price, options.own.price]",
            found=found,
        )
    first, second = (reading.text(item) for item in node)
    return first, second


def _read_correlation(reading: Reading, node: Node) -> float:
    return reading.amount(node, CORRELATION).value


class Correlation(Part):
    """Two uncertain numbers and how closely the one follows the other."""

    example = EXAMPLE

    between: Annotated[tuple[str, str], reads(_read_between, list[str])]
    """The paths of two numbers that have a low or a high."""
    correlation: Annotated[float, CORRELATION, reads(_read_correlation, float | str)]
    """From -1 (the one is high where the other is low) to 1; 0 is none."""


def read_correlations(reading: Reading, node: Node) -> Items:
    """The list of correlations, each still to be read."""
    if isinstance(node, Items):
        return node
    raise reading.reject(node, "a list of correlations", f"begin each with a hyphen:  - {EXAMPLE}")


def ways_to_name(written: str) -> tuple[str, ...]:
    """The ways in which a path may name a number: its block, or the value or median in it."""
    return written, f"{written}.median", written.removesuffix(".value")


def check_correlations(scenario: Scenario, reading: Reading) -> None:
    """Report pairs that are none, and correlations that no numbers can have together."""
    if not scenario.correlations:
        return
    stated = {found.quantity.path: found for found in numbers_of(scenario)}
    pairs: dict[frozenset[str], Correlation] = {}
    faults = len(reading.faults)
    for given in scenario.correlations:
        try:
            pair = frozenset(_number(path, stated, given, reading) for path in given.between)
            between = Block(given.line, f"{given.path}.between")
            if len(pair) < PAIR:
                raise reading.reject(
                    between,
                    "two different numbers",
                    "a number follows itself in any case: name another, or delete the line",
                    found=f"{given.between[0]} twice",
                )
            if pair in pairs:
                raise reading.reject(
                    between,
                    "each pair once",
                    f"delete one of the two; the other stands on line {pairs[pair].line}"
                    if pairs[pair].line != given.line
                    else "delete one of the two",
                    found=f"{' and '.join(given.between)} again",
                )
            pairs[pair] = given
        except Rejected:
            continue
    if len(reading.faults) == faults:
        _check_matrix(pairs, reading)


def _number(path: str, stated: Mapping[str, Stated], given: Correlation, reading: Reading) -> str:
    """The path of the number that is meant."""
    uncertain = [name for name, found in stated.items() if found.is_uncertain]
    found = next((stated[way] for way in ways_to_name(path) if way in stated), None)
    node = Scalar(path, True, given.line, f"{given.path}.between")
    if found is None:
        near = nearest(path, uncertain) or nearest(path, list(stated))
        raise reading.reject(
            node,
            "the path of a number of this scenario",
            f"did you mean {near}?" if near else "write keys with dots between them",
        )
    if not found.is_uncertain:
        raise reading.reject(
            node,
            "a number that has a low or a high",
            f"add them:  {{value: {found.quantity.text}, low: ..., high: ...}}",
        )
    return found.quantity.path


def _check_matrix(pairs: Mapping[frozenset[str], Correlation], reading: Reading) -> None:
    least = least_eigenvalue({pair: given.correlation for pair, given in pairs.items()})
    if least >= LEAST_EIGENVALUE:
        return
    shown = "; ".join(
        f"{' and '.join(given.between)} {given.correlation:g}" for given in pairs.values()
    )
    reading.report(
        Block(next(iter(pairs.values())).line, "correlations"),
        "correlations that numbers can have together; a pair that is not named has 0 "
        f"(the least eigenvalue of the matrix is {least:.3g}, and it may not be below 0)",
        "bring them nearer to 0, or name the pairs that are missing",
        found=shown,
    )


def least_eigenvalue(pairs: Mapping[frozenset[str], float]) -> float:
    """The least eigenvalue of the matrix of these correlations; below 0 it is none.

    >>> round(least_eigenvalue({frozenset("ab"): 0.9, frozenset("bc"): 0.9}), 3)
    -0.273
    """
    import numpy as np

    names = sorted({name for pair in pairs for name in pair})
    matrix = np.eye(len(names))
    for pair, correlation in pairs.items():
        row, column = (names.index(name) for name in pair)
        matrix[row, column] = matrix[column, row] = correlation
    return float(np.linalg.eigvalsh(matrix).min())
