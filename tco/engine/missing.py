"""What an option lacks to be costed, and what to add to the scenario.

Nothing is invented for it: an option without a price, or one whose answer hangs on a throughput
that nobody gives, is listed with its reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from tco.engine.structure import Missing, Supply, card_of
from tco.scenario.schema import Api, Own, Quantity, Rent, Scenario


def missing_of(scenario: Scenario, supplies: Sequence[Supply]) -> Missing | None:
    """The first thing that a chain of supplies lacks; None when it can be costed."""
    for supply in supplies:
        if isinstance(supply, Api):
            missing = _missing_of_api(scenario, supply)
        else:
            missing = _missing_of_gpus(scenario, supply, chained=len(supplies) > 1)
        if missing:
            return missing
    return None


def output_rate_of(scenario: Scenario, supply: Supply) -> Quantity | None:
    """The throughput of one GPU of a supply, given there or with its card; None for an API."""
    if isinstance(supply, Api):
        return None
    hardware = scenario.hardware.get(str(card_of(supply)))
    return supply.output_rate or (hardware.output_rate if hardware else None)


def _input_tokens(scenario: Scenario) -> float:
    given = scenario.demand.input_tokens if scenario.demand else None
    return given.value if given else 0.0


def _missing_of_api(scenario: Scenario, supply: Api) -> Missing | None:
    if scenario.demand is None:
        return Missing("no demand: an API is paid by the token", "demand.output_tokens")
    if supply.output_price is None:
        return Missing("no price of output tokens", f"{supply.path}.output_price")
    if _input_tokens(scenario) and supply.input_price is None:
        return Missing("no price of input tokens", f"{supply.path}.input_price")
    return None


def _missing_of_gpus(scenario: Scenario, supply: Own | Rent, *, chained: bool) -> Missing | None:
    card = str(card_of(supply))
    hardware = scenario.hardware.get(card)
    if isinstance(supply, Rent) and supply.price is None:
        return Missing("no price", f"{supply.path}.price")
    if isinstance(supply, Own) and not (supply.price or (hardware and hardware.price)):
        return Missing("no price", f"{supply.path}.price or hardware.{card}.price")
    if scenario.demand is None:
        return None
    where = f"hardware.{card}.output_rate"
    if output_rate_of(scenario, supply) is not None:
        output = scenario.demand.output_tokens
        if _input_tokens(scenario) and not (output and output.value):
            what = "its throughput counts output tokens, and the demand has none"
            return Missing(what, "demand.output_tokens")
    elif chained:
        return Missing("a chain needs the throughput of its GPUs", where)
    elif isinstance(supply, Rent) and supply.billed == "busy":
        return Missing("paying for busy hours needs the throughput of the GPUs", where)
    return None
