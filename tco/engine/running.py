"""Binds what running owned hardware takes: power, place, upkeep, and what it fetches at the end."""

from __future__ import annotations

from typing import Any

from tco.engine.owned import Owned
from tco.engine.paths import bind_path
from tco.engine.points import bind_points
from tco.engine.structure import functions_of
from tco.model import energy, own, residual, site, upkeep
from tco.prices import cards
from tco.scenario.finance import DemandCharge, Failures, Maintenance
from tco.scenario.schema import Quantity
from tco.units import Kilowatts, Month


def bind_power(owned: Owned) -> None:
    """Electricity, and what one more busy hour costs."""
    gpus, scope = owned.gpus, owned.scope
    _watts(owned)
    if owned.colocation is not None and owned.colocation.kind == "all-in":
        nothing = ("electricity_cost", "busy_hour_cost", "busy_cash_hour_cost",
                   "spent_hour_cost", "spent_cash_hour_cost")  # fmt: skip
        scope.aliases.update(dict.fromkeys(nothing, 0))
        weighted = False
    else:
        gpus.inherit("pue")
        gpus.inherit("electricity_price")
        weighted = _tariff(owned) or gpus.taker.is_taxed_elsewhere
        found = functions_of(energy)
        if weighted:
            found["busy_hour_cost_now"] = found.pop("busy_hour_cost")
            found.update(_of_one_more_hour("weighted"))
        else:
            same = ("busy_cash_hour_cost", "spent_hour_cost", "spent_cash_hour_cost")
            scope.aliases.update(dict.fromkeys(same, scope.line("busy_hour_cost")))
        owned.add(found)
    if gpus.measured:
        by_volume = weighted and gpus.by_work == ["by_volume"]
        cash = ["by_volume_weighted"] if by_volume else []
        owned.add(_of_one_more_hour(*gpus.by_work, *cash))


def _of_one_more_hour(*variants: str) -> dict[str, Any]:
    plain = functions_of(own)
    return {name: f for name, f in functions_of(own, *variants).items() if name not in plain}


def _watts(owned: Owned) -> None:
    """Idle, active and rated power of a card, and of what is around it."""
    gpus, given, scope = owned.gpus, owned.given, owned.scope
    known = cards.card(given.own)
    rated = (known.tdp, f"rated power of the card: {known.source}") if known else None
    idle, active = (
        getattr(given, name) or gpus.taker.of_card(given.own, name).quantity
        for name in ("idle_power", "active_power")
    )
    if gpus.measured or idle is not None or active is not None:
        gpus.inherit("idle_power")
    else:
        # where nothing is known but the rating, power is the rating times the load
        scope.aliases["idle_power"] = 0
    if active is not None:
        gpus.inherit("active_power")
    else:
        # a busy card draws its rated power, for want of better
        gpus.inherit("tdp", default=rated, known=True)
        scope.aliases["active_power"] = scope.inputs["tdp"]
    if _is_paid_by_rating(owned):
        gpus.inherit("tdp", default=rated, known=True)
    host_power, holder, owner = owned.part("host_power")
    owned.take_or(0, "host_power", host_power, _path_of(host_power), holder, owner)


def _is_paid_by_rating(owned: Owned) -> bool:
    """Whether the place is paid by what the cards are rated at."""
    colocation, site_given = owned.colocation, owned.gpus.taker.scenario.site
    if colocation is not None and colocation.contracted_kw is None:
        return True
    charge = site_given.demand_charge if site_given and not owned.given.colocation else None
    return charge is not None and charge.peak_kw is None


def _path_of(quantity: Quantity | None) -> str:
    return quantity.path if quantity is not None else ""


def _tariff(owned: Owned) -> bool:
    """How the price of electricity moves; returns whether it does."""
    given, gpus = owned.given, owned.gpus
    of_site = gpus.taker.scenario.site
    mine = given.electricity_price_path is not None
    path = given.electricity_price_path or (of_site.electricity_price_path if of_site else None)
    if path is None:
        return False
    holder, owner = (gpus.prefix, gpus.owner) if mine else ("site", "electricity")
    bind_path(gpus.taker, owned.scope, path, "tariff", f"{holder}_tariff", owner, by="year")
    return True


def bind_site(owned: Owned) -> None:
    """Colocation, demand charge, a room of one's own."""
    scope, given, colocation = owned.scope, owned.given, owned.colocation
    # a supply in a place of its own has nothing of the site's
    of_site = owned.gpus.taker.scenario.site if given.colocation is None else None
    charge = of_site.demand_charge if of_site else None
    room = of_site.room_cost if of_site and colocation is None else None
    variants = []
    if colocation is not None:
        mine = given.colocation is not None
        whose = (owned.gpus.prefix, owned.gpus.owner) if mine else ("site", "site")
        owned.take("colocation_price", colocation.price, f"{colocation.path}.price", *whose)
        variants += ["colocation", "service"]
        if colocation.contracted_kw is not None:
            path = f"{colocation.path}.contracted_kw"
            owned.take("contracted_kw", colocation.contracted_kw, path, *whose)
        else:
            variants.append("contracted")
    else:
        scope.aliases["colocation_cost"] = 0
    if charge is not None:
        variants += ["demand", *_demand(owned, charge)]
    else:
        scope.aliases["demand_cost"] = 0
    if room is not None:
        owned.take("room_cost", room, "site.room_cost", "site", "site")
        variants += ["room", "service"]
    else:
        scope.aliases["floor_cost"] = 0
    owned.add(functions_of(site, *variants))


def _demand(owned: Owned, charge: DemandCharge) -> list[str]:
    scope, inputs = owned.scope, owned.gpus.taker.inputs
    owned.take("demand_charge", charge.price, f"{charge.path}.price", "site", "site")
    variants = ["peak"]
    if charge.peak_kw is not None:
        variants = ["peaks"]
        months = (0.0, *(peak.month.value for peak in charge.peak_kw[1:]))
        scope.inputs["peak_month"] = inputs.table(
            "peak_month", "First month of a peak", Month, months, charge.path
        )
        scope.inputs["peak_kw_of_steps"] = inputs.live_table(
            "peak_kw", "Highest power of a month", Kilowatts,
            [(peak.kw.value, peak.kw) for peak in charge.peak_kw],
        )  # fmt: skip
    if charge.ratchet is not None:
        owned.take("ratchet", charge.ratchet, f"{charge.path}.ratchet", "site", "site")
        return [*variants, "ratchet"]
    scope.aliases["billed_kw"] = scope.line("peak_kw")
    return variants


def bind_upkeep(owned: Owned) -> None:
    """Maintenance or failures, licences, insurance, support, removal."""
    scope, given = owned.scope, owned.given
    refreshed = given.refresh is not None
    variants = []
    for word, cost in (("maintenance", "maintenance_cost"), ("failures", "failure_cost")):
        part, holder, owner = owned.part(word)
        if part is None:
            scope.aliases[cost] = 0
            continue
        _after_warranty(owned, part, holder, owner)
        variants += [word, f"{word}_{owned.spread}", "warranty"]
        variants += ["warranty_refresh"] if refreshed else []
        variants += ["warranty_cohorts"] if owned.is_cohorts else []
    licences, holder, owner = owned.part("licences")
    if licences is not None:
        variants.append("licences")
        path = f"{licences.path}.price_per_year"
        owned.take("licence_price_per_year", licences.price_per_year, path, holder, owner)
    else:
        scope.aliases.update(licence_due=0, licence_cost=0)
    insurance, holder, owner = owned.part("insurance")
    if insurance is not None:
        variants += ["insurance", f"insurance_{owned.spread}"]
        variants += ["insurance_refresh"] if refreshed else []
        path = f"{insurance.path}.share_per_year"
        owned.take("insurance_share_per_year", insurance.share_per_year, path, holder, owner)
        scope.aliases.setdefault("insured_age", "operating")
        owned.plain = False
    else:
        scope.aliases.update(insurance_due=0, insurance_cost=0)
    if scope.aliases.get("support_price", 0) != 0:
        variants.append("support")
    else:
        scope.aliases.update(support_cost=0, support_expense=0)
    if given.decommissioning is not None:
        variants.append("decommissioning")
        owned.take("decommissioning", given.decommissioning, f"{given.path}.decommissioning")
    else:
        scope.aliases["decommissioning_cost"] = 0
    owned.add(functions_of(upkeep, *variants))


def _after_warranty(owned: Owned, part: Maintenance | Failures, holder: str, owner: str) -> None:
    """What is paid for by oneself when the warranty has ended."""
    scope, path = owned.scope, part.path
    owned.plain = False
    word = "maintenance" if isinstance(part, Maintenance) else "failure"
    field = f"{word}_warranty_months"
    owned.take_or(0, field, part.warranty_months, f"{path}.warranty_months", holder, owner)
    scope.aliases["warranty_months"] = owned.found(field)
    if part.share_per_year is not None:
        field = f"{word}_share_per_year"
        owned.take(field, part.share_per_year, f"{path}.share_per_year", holder, owner)
    if isinstance(part, Maintenance):
        return
    if part.share_per_year is None:
        for name in ("events", "gpus", "days"):
            quantity = getattr(part, name)
            owned.take(f"failure_{name}", quantity, f"{path}.{name}", holder, owner)
        owned.add({"failure_share_per_year": upkeep.failure_share_per_year__events})
    if part.replacement_price is not None:
        owned.take(
            "replacement_price", part.replacement_price, f"{path}.replacement_price", holder, owner
        )
    elif owned.is_owned_already:
        # the price of a new one where it is known, else what the old one would fetch
        known = owned.part("price")[0] is not None
        if known:
            owned.gpus.inherit("own.price")
        scope.aliases["replacement_price"] = owned.found("price" if known else "resale_value")
    else:
        scope.aliases["replacement_price"] = owned.found("net_price")


def bind_residual(owned: Owned) -> None:
    """What the hardware fetches when it is sold."""
    scope = owned.scope
    part, holder, owner = owned.part("residual_value")
    if part is None:
        nothing = ("net_resale", "equivalent_resale_cost", "sale_cost")
        scope.aliases.update(dict.fromkeys(nothing, 0))
        return
    if part.amount is not None:
        variants = ["amount"]
        owned.take("residual_amount", part.amount, f"{part.path}.amount", holder, owner)
    else:
        owned.plain = False
        variants = ["worth", owned.spread]
        if part.loss_per_year is not None:
            variants.append("loss")
            path = f"{part.path}.loss_per_year"
            owned.take("residual_loss_per_year", part.loss_per_year, path, holder, owner)
        else:
            points = [(age.months, age.share) for age in part.by_age or ()]
            scope.aliases["residual_share"] = bind_points(
                owned.gpus.taker, scope, "r", points, 1, "residual_share", holder, owner
            )
        if owned.given.refresh is not None:
            variants.append("refresh")
    if part.sale_cost is not None:
        variants.append("costly")
        owned.take("sale_cost", part.sale_cost, f"{part.path}.sale_cost", holder, owner)
    else:
        scope.aliases.update(sale_expense=0, sale_cost=0)
    owned.add(functions_of(residual, *variants))
