"""What an option lacks to be costed, and what to add to the scenario.

Nothing is invented for it: an option without a price, or one whose answer hangs on a throughput
that nobody gives, is listed with its reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from tco.engine.structure import Missing, Supply, card_of
from tco.errors import ScenarioError
from tco.scenario.schema import Api, Own, Rent, Scenario, Workload
from tco.scenario.supplies import AUTO, PRESENT, Throughput


def missing_of(scenario: Scenario, supplies: Sequence[Supply]) -> Missing | None:
    """The first thing that a chain of supplies lacks; None when it can be costed."""
    for supply in supplies:
        if isinstance(supply, Api):
            missing = _missing_of_api(scenario, supply) or _missing_of_failures(scenario, supply)
        else:
            missing = _missing_of_gpus(scenario, supply, chained=len(supplies) > 1)
        if missing:
            return missing
    return None


def faults_of_staying(scenario: Scenario) -> list[ScenarioError]:
    """What the APIs lack on which work stays that cannot move: no option can do without it."""
    found: dict[str, ScenarioError] = {}
    for workload in scenario.demand.parts.values() if scenario.demand else ():
        share = workload.addressable
        if workload.present is None or share is None:
            continue
        missing = _missing_of_present(scenario, workload)
        if missing is not None:
            found[missing.add] = ScenarioError(
                scenario.path,
                scenario.lines.get(f"options.{workload.present}"),
                missing.add,
                missing.what,
                f"all that the bill of {workload.present} needs: what is not addressable "
                f"({share.path} {share.text}) stays on it in every option",
                f"give {missing.add}, or delete {share.path}",
            )
    return list(found.values())


def work_rate_of(scenario: Scenario, supply: Supply) -> str | None:
    """The field that says what one GPU of a supply does in an hour; None where nothing does.

    A field of the supply goes before one of its card.
    """
    if isinstance(supply, Api) or scenario.demand is None:
        return None
    card = str(card_of(supply))
    fields = {
        "tokens": ("output_rate", "throughput"),
        "tasks": ("tasks_per_hour", "hours_per_task"),
        "gpu_hours": ("speed_up",),
    }[scenario.demand.kind]
    for part in (supply, scenario.hardware.get(card)):
        for field in fields:
            if part is not None and getattr(part, field):
                return field
    if scenario.demand.kind == "gpu_hours":
        measured = {workload.card for workload in scenario.demand.parts.values()}
        return "speed_up" if measured == {card} else None
    return None


def points_of(scenario: Scenario, supply: Own | Rent) -> list[Throughput]:
    """The measured points of a supply, or of its card."""
    hardware = scenario.hardware.get(str(card_of(supply)))
    return supply.throughput or (hardware.throughput if hardware else None) or []


def replacement_of(scenario: Scenario) -> str | None:
    """The model that replaces the present ones, where all that can move name the same."""
    if scenario.demand is None:
        return None
    named = {part.replacement for part in scenario.demand.parts.values() if part.replacement}
    return named.pop() if len(named) == 1 else None


def input_tokens(scenario: Scenario) -> float:
    """Input tokens of a month."""
    parts = scenario.demand.parts.values() if scenario.demand else ()
    return sum(part.input_tokens.value for part in parts if part.input_tokens)


def output_tokens(scenario: Scenario) -> float:
    """Output tokens of a month, visible and reasoning."""
    parts = scenario.demand.parts.values() if scenario.demand else ()
    given = [(part.output_tokens, part.reasoning_tokens) for part in parts]
    return sum(tokens.value for pair in given for tokens in pair if tokens)


def _missing_of_api(scenario: Scenario, supply: Api) -> Missing | None:
    demand = scenario.demand
    if demand is None:
        return Missing("no demand: an API is paid by the token", "demand.output_tokens")
    if supply.api == PRESENT:
        for name, workload in demand.parts.items():
            if workload.present is None:
                where = f"demand.workloads.{name}.present" if name else "demand.present"
                return Missing(
                    f"where the work {name} is now is not said".replace("  ", " "), where
                )
            missing = _missing_of_present(scenario, workload)
            if missing is not None:
                return missing
        return None
    if demand.kind != "tokens" and supply.rate_limit is not None:
        return Missing("its rate_limit counts tokens, and the demand does not", supply.path)
    if demand.kind != "tokens":
        if supply.task_price is None:
            return Missing("no price of a task", f"{supply.path}.task_price")
        return None
    if supply.output_price is None and supply.output_tiers is None:
        return Missing("no price of output tokens", f"{supply.path}.output_price")
    if input_tokens(scenario) and supply.input_price is None and supply.input_tiers is None:
        return Missing("no price of input tokens", f"{supply.path}.input_price")
    if supply.long_context is not None and demand.request_sizes is None:
        what = "prices of long prompts need the sizes of the requests"
        return Missing(what, "demand.request_sizes")
    return None


def _missing_of_present(scenario: Scenario, workload: Workload) -> Missing | None:
    """What the API lacks on which a workload is now."""
    supply = scenario.options[str(workload.present)].supplies[0]
    return _missing_of_api(scenario, supply) if isinstance(supply, Api) else None


def _missing_of_failures(scenario: Scenario, supply: Api) -> Missing | None:
    """What stands in the way of not billing attempts that fail."""
    parts = scenario.demand.parts.values() if scenario.demand else ()
    failing = {part.retries.value if part.retries else 0.0 for part in parts}
    if supply.retries_billed == "yes" or len(failing) < 2:
        return None
    what = "attempts that fail are not billed, and the workloads fail at different rates"
    return Missing(what, "the same retries to each of demand.workloads")


def _missing_of_gpus(scenario: Scenario, supply: Own | Rent, *, chained: bool) -> Missing | None:
    card = str(card_of(supply))
    hardware = scenario.hardware.get(card)
    if isinstance(supply, Rent) and supply.price is None and supply.reserved is None:
        return Missing("no price", f"{supply.path}.price")
    if isinstance(supply, Own) and not (
        supply.price or supply.quote or supply.already_owned or (hardware and hardware.price)
    ):
        return Missing("no price", f"{supply.path}.price or hardware.{card}.price")
    demand = scenario.demand
    auto = supply.count == AUTO
    if demand is None:
        if auto:
            return Missing("count: auto needs a demand", "demand")
        return None
    if work_rate_of(scenario, supply) is not None:
        if demand.kind == "tokens" and input_tokens(scenario) and not output_tokens(scenario):
            what = "its throughput counts output tokens, and the demand has none"
            return Missing(what, "demand.output_tokens")
        if auto and isinstance(supply, Rent) and supply.reserved is not None:
            return Missing("a reservation is for a number of cards", f"{supply.path}.count")
        return None
    return _missing_rate(scenario, supply, card, chained=chained, auto=auto)


def _missing_rate(
    scenario: Scenario, supply: Own | Rent, card: str, *, chained: bool, auto: bool
) -> Missing | None:
    """Why a supply of unknown throughput cannot be costed."""
    assert scenario.demand is not None
    where = f"hardware.{card}.output_rate"
    if scenario.demand.kind == "tasks":
        what = f"how long a {card} takes for a task is not known: too early to pay for it"
        return Missing(what, f"hardware.{card}.hours_per_task")
    if scenario.demand.kind == "gpu_hours":
        what = f"how much faster a {card} is has not been measured: too early to pay for it"
        return Missing(what, f"hardware.{card}.speed_up")
    if chained:
        return Missing("a chain needs the throughput of its GPUs", where)
    if auto:
        return Missing("count: auto needs the throughput of the GPUs", where)
    if isinstance(supply, Rent) and supply.billed != "held":
        return Missing("paying for busy hours needs the throughput of the GPUs", where)
    if isinstance(supply, Rent) and supply.spot is not None:
        return Missing("spot cards need the throughput of the GPUs", where)
    return None
