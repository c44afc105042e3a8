"""Binds what rented GPUs cost: hours, terms, sessions, what is paid beside the hours."""

from __future__ import annotations

from typing import Any

from tco.engine.gpus import Gpus
from tco.engine.graph import Scope
from tco.engine.paths import bind_path
from tco.engine.structure import functions_of
from tco.engine.taking import Place, Taker
from tco.model import prepaid, rent
from tco.scenario.schema import Rent


def bind_rented(gpus: Gpus) -> None:
    """What rented GPUs cost."""
    given, scope = gpus.given, gpus.scope
    assert isinstance(given, Rent)
    variants: list[str] = [given.billed]
    reserved = given.reserved
    quoted = reserved.price if reserved else given.price
    assert quoted is not None
    path = f"{reserved.path}.price" if reserved else ""
    gpus.take("rent.price", quoted.median, path)
    if quoted.minimum is not None:
        variants.append("minimum")
        gpus.take("rent.minimum", quoted.minimum, path)
    if reserved is not None:
        variants.append("reserved")
        zero = (0.0, "not given, so not counted")
        gpus.take("upfront", reserved.upfront, f"{reserved.path}.upfront", default=zero)
        gpus.take("term_months", reserved.term_months, f"{reserved.path}.term_months")
    if given.spot is not None and gpus.measured:
        variants.append("spot")
    if given.sessions is not None:
        variants.remove(given.billed)
        variants.append("sessions")
        _sessions(gpus, given)
        if given.sessions.increment_hours is not None:
            variants.append("increment")
    elif given.billed == "busy" and gpus.measured:
        variants += gpus.by_work
    extras = []
    for name, part, fields in (
        ("storage", given.storage, (("storage_gb", "gb"), ("storage_price", "price"))),
        ("egress", given.egress, (("egress_gb", "gb_per_month"), ("egress_price", "price"))),
    ):
        if part is not None:
            extras.append(name)
            for field, word in fields:
                gpus.take(field, getattr(part, word), f"{part.path}.{word}")
    if reserved is not None:
        extras.append("upfront")
    if given.prepaid is not None:
        extras.append("prepaid")
        bind_prepaid(gpus.taker, scope, given, gpus.owner)
    for name in ("upfront", "storage", "egress", "prepaid"):
        if name not in extras:
            scope.aliases[f"{name}_cost"] = 0
    if given.prepaid is None:
        scope.aliases["prepaid_expense"] = 0
    if reserved is None:
        scope.aliases["upfront_expense"] = 0
    if extras:
        variants += ["extras", *extras]
    else:
        scope.aliases.update(extra_cost=0, equivalent_extra_cost=0)
    weighted = _weights(gpus, given)
    if weighted and "by_volume" in variants:
        variants.append("by_volume_weighted")
    gpus.bind(functions_of(rent, *variants, *weighted))


def _weights(gpus: Gpus, given: Rent) -> list[str]:
    """How an hour's price is found where it changes over the months, or tax is saved on it."""
    scope = gpus.scope
    variants = []
    if given.price_path is not None:
        bind_path(gpus.taker, scope, given.price_path, "path", gpus.prefix, gpus.owner, by="month")
        variants.append("path")
    else:
        scope.aliases["priced_gpu_hours"] = scope.line("billed_gpu_hours")
    if variants or gpus.taker.is_taxed_elsewhere:
        return [*variants, "weighted"]
    price = scope.find("price")
    assert price is not None
    scope.aliases.update(
        hour_price=price,
        hour_cash_price=price,
        billed_hour_price=price,
        billed_hour_cash_price=price,
        discounted_priced_gpu_hours=scope.line("discounted_billed_gpu_hours"),
        average_priced_gpu_hours=scope.line("average_billed_gpu_hours"),
    )
    return []


def _sessions(gpus: Gpus, given: Rent) -> None:
    sessions, scope = given.sessions, gpus.scope
    assert sessions is not None
    gpus.take("sessions_per_month", sessions.per_month, f"{sessions.path}.per_month")
    zero = (0.0, "not given, so not counted")
    for field in ("minimum_hours", "startup_hours"):
        gpus.take(field, getattr(sessions, field), f"{sessions.path}.{field}", default=zero)
    if sessions.increment_hours is not None:
        path = f"{sessions.path}.increment_hours"
        gpus.take("increment_hours", sessions.increment_hours, path)
    else:
        scope.aliases["rounded_session_hours"] = scope.line("session_hours")
    used = "busy_gpu_hours" if given.billed == "busy" else "gpu_hours"
    scope.aliases["used_gpu_hours"] = scope.line(used)


def bind_prepaid(taker: Taker, scope: Scope, given: Any, owner: str) -> None:
    """A balance that is paid in and may be lost."""
    part, prefix = given.prepaid, scope.name.replace("/", "_")
    never = (0.0, "not given: it is not lost")
    for field, default in (("balance", None), ("lost_in_month", never)):
        place = Place(getattr(part, field), f"{prefix}_{field}", f"{part.path}.{field}", owner)
        taker.take(scope, field, place, default=default)
    scope.functions.update(functions_of(prepaid))
