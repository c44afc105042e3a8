"""What a scenario says of hardware that is owned: of the supply itself, else of its card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tco.engine.structure import BoundOption, BoundSupply
from tco.results import Result
from tco.scenario.schema import Own

# words of which one makes a statement by fiscal year worth reading
FINANCE = (
    "financing",
    "residual_value",
    "already_owned",
    "refresh",
    "quote",
    "purchase",
    "depreciation",
    "tax_depreciation",
)


def owned(result: Result) -> Iterator[tuple[BoundOption, BoundSupply, Own]]:
    """The owned supplies of every option that can be costed."""
    for option in result.model.complete:
        for supply in option.supplies:
            if isinstance(supply.given, Own):
                yield option, supply, supply.given


def said(result: Result, given: Own, word: str) -> Any:
    """What is said of a supply, or of its card; None where neither says anything."""
    own = getattr(given, word, None)
    hardware = result.scenario.hardware.get(given.own)
    return own if own is not None or hardware is None else getattr(hardware, word, None)


def is_financed(result: Result) -> bool:
    """Whether the scenario says anything of tax, financing or how hardware is bought and sold."""
    if result.scenario.tax is not None:
        return True
    return any(said(result, given, word) for _, _, given in owned(result) for word in FINANCE)


def last(result: Result, supply: BoundSupply, line: str) -> float | None:
    """A line of a supply in the last month, or a line without months; None where it has none."""
    found = result.amounts(supply.scope, line)
    return None if found is None else found[-1]
