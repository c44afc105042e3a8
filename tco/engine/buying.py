"""Binds what is bought: the price or the quote, what comes on top, when it is paid and serves."""

from __future__ import annotations

from tco.engine.graph import Scope
from tco.engine.owned import Owned
from tco.engine.settling import settle
from tco.engine.structure import functions_of
from tco.engine.taking import Place
from tco.model import capacity, purchase, sizing, upkeep
from tco.scenario.finance import Quote
from tco.units import Month

# what comes on top of the price of a card: the parameter of the model and the word of the scenario
ON_TOP = (
    ("discount_of_list", "discount"),
    ("host", "host"),
    ("network", "network"),
    ("rack_and_cooling", "rack_and_cooling"),
    ("installation", "installation"),
    ("shipping", "shipping"),
    ("duty_rate", "duty"),
    ("spares", "spares"),
)
# what has no meaning for hardware that is there already
OF_A_PRICE = (
    "net_price",
    "untaxed_unit_cost",
    "hardware_cost",
    "equipment_price",
    "equipment_value",
)
OF_CHANGING_PRICES = ("discounted_gpus_bought", "price_over_first", "weighted_gpus_bought")


def bind_purchase(owned: Owned) -> None:
    """The purchase of a supply, or what is given up where it is there already."""
    scope, given = owned.scope, owned.given
    scope.aliases.update(in_service="operating", lead_time_months=0)
    if owned.has_lead_time:
        _serve_later(owned)
    elif not owned.gpus.is_auto:
        sized = owned.gpus.is_sized
        scope.aliases["bought_gpus"] = scope.line("gpus") if sized else scope.inputs["count"]
    if owned.is_owned_already:
        _keep(owned)
        if not owned.buys_nothing:
            _time(owned, spares=False, tax="")
        return
    if given.quote is not None:
        _quote(owned, given.quote)
    else:
        _price(owned)
    spares, vat = _on_top(owned)
    _time(owned, spares, vat)
    parts, *_ = owned.part("purchase")
    owned.plain = parts is None and given.quote is None


def _serve_later(owned: Owned) -> None:
    """Cards that come after a lead time serve nothing, draw nothing and are not held before."""
    scope, quote = owned.scope, owned.given.quote
    assert quote is not None
    del scope.aliases["in_service"], scope.aliases["lead_time_months"]
    owned.take("lead_time_months", quote.lead_time_months, f"{quote.path}.lead_time_months")
    if "gpus" in scope.functions:
        scope.functions["bought_gpus"] = scope.functions.pop("gpus")
        scope.functions["serving_replicas"] = sizing.serving_replicas__later
    else:
        scope.aliases["bought_gpus"] = scope.aliases.pop("gpus")
    scope.functions.update(in_service=purchase.in_service__later, gpus=purchase.gpus__later)
    if scope.functions.get("capacity") is capacity.capacity__unlimited:
        scope.functions["capacity"] = capacity.capacity__unlimited_later


def _keep(owned: Owned) -> None:
    """Nothing is bought; what the hardware would fetch now is given up."""
    scope, already = owned.scope, owned.given.already_owned
    assert already is not None
    owned.plain = False
    owned.take("resale_value", already.resale_value, f"{already.path}.resale_value")
    taxed = owned.gpus.taker.scenario.tax is not None
    of_keeping = functions_of(purchase, "owned", *(["owned_taxed"] if taxed else []))
    if not taxed:
        scope.aliases.update(tax_rate=0, tax_month_of_sale=0)
    lines = ("equipment_value", "opportunity_cost", "opportunity_through", "tax_month_of_sale")
    owned.add({name: f for name, f in of_keeping.items() if name in lines})
    nothing = ("capex", "vat_cost", "discounted_gpus_bought", "hardware_cost", "net_price")
    scope.aliases.update(dict.fromkeys(nothing, 0))
    scope.aliases["disposing"] = "final"


def _price(owned: Owned) -> None:
    """The price of a card, which may change for those bought later."""
    scope, gpus, given = owned.scope, owned.gpus, owned.given
    gpus.inherit("own.price")
    if owned.is_changing:
        gpus.take("price_change_per_year", given.price_change_per_year)
        # the line of the changing price is bound with the number of cards
        owned.add({name: f for name, f in functions_of(purchase, "changing").items()
                   if name in OF_CHANGING_PRICES})  # fmt: skip
    else:
        scope.aliases["purchase_price"] = owned.found("price")
        if gpus.is_auto:
            owned.add({"discounted_gpus_bought": purchase.discounted_gpus_bought__cohorts})
        else:
            scope.aliases["discounted_gpus_bought"] = scope.aliases["bought_gpus"]


def _quote(owned: Owned, quote: Quote) -> None:
    """The items of a quote: hardware and network make the price, support is apart."""
    scope, taker = owned.scope, owned.gpus.taker
    capital: str | int | None = 0
    support: str | int | None = 0
    used: str | int | None = 0
    for number, item in enumerate(quote.items, start=1):
        inner = Scope(f"{scope.name}/b{number}", around=scope)
        holder, owner = f"{owned.gpus.prefix}_b{number}", f"{item.name}, {owned.gpus.owner}"
        place = Place(item.amount, f"{holder}_amount", f"{item.path}.amount", owner)
        taker.take(inner, "item_amount", place)
        if item.kind == "support":
            place = Place(item.months, f"{holder}_months", f"{item.path}.months", owner)
            why = "not given: the months that are looked at"
            default = (float(taker.scenario.months), why)
            taker.take(inner, "support_months", place, default=default)
            inner.aliases.update(support_before=support or 0, support_used_before=used or 0)
            settle(inner, functions_of(upkeep, "support_item"), ("support_used_through",))
            support, used = inner.find("support_through"), inner.find("support_used_through")
        else:
            inner.aliases["quoted_capital_before"] = capital or 0
            settle(inner, {"quoted_capital_through": purchase.quoted_capital_through__item})
            capital = inner.find("quoted_capital_through")
        taker.scopes.append(inner)
    scope.aliases.update(
        quoted_capital=capital or 0, support_price=support or 0, support_used=used or 0
    )
    owned.add({"purchase_price": purchase.price__quote, **functions_of(upkeep, "service")})


def _on_top(owned: Owned) -> tuple[bool, str]:
    """What comes on top of the price; returns whether there are spares, and what tax there is."""
    scope = owned.scope
    parts, holder, owner = owned.part("purchase")
    for parameter, word in ON_TOP:
        quantity = getattr(parts, word) if parts else None
        owned.take_or(
            0, parameter, quantity, f"{parts.path}.{word}" if parts else "", holder, owner
        )
    spares = parts is not None and parts.spares is not None
    found = functions_of(
        purchase, *(["duty"] if parts and parts.duty else []), *(["spares"] if spares else [])
    )
    if "duty_cost" not in found:
        scope.aliases["duty_cost"] = 0
    vat = parts.vat if parts else None
    tax = ""
    if vat is not None:
        path = vat.path
        owned.take("purchase_vat_rate", vat.rate, f"{path}.rate", holder, owner)
        tax = "back" if vat.recoverable == "yes" else "borne"
        if tax == "back":
            owned.take_or(0, "refund_months", vat.refund_months, f"{path}.refund_months",
                          holder, owner)  # fmt: skip
    if tax == "borne":
        found.update(functions_of(purchase, "vat", *(["spares_vat"] if spares else [])))
    else:
        scope.aliases["unit_cost"] = scope.line("untaxed_unit_cost")
        if spares:
            scope.aliases["spare_unit_cost"] = scope.line("untaxed_spare_cost")
    owned.add({name: f for name, f in found.items() if name in (
        "net_price", "duty_cost", "untaxed_unit_cost", "unit_cost", "spare_unit_cost",
        "untaxed_spare_cost",
        "equipment_price")})  # fmt: skip
    return spares, tax


def _time(owned: Owned, spares: bool, tax: str) -> None:
    """When the hardware is put into service, and when it is paid."""
    scope, given, gpus = owned.scope, owned.given, owned.gpus
    found: dict[str, object] = {}
    of_spares = ["spares"] if spares else []
    if spares and owned.is_changing:
        of_spares.append("first")
    elif spares:
        scope.aliases["first_net_price"] = scope.line("net_price")
        scope.aliases["first_spare_unit_cost"] = owned.found("spare_unit_cost")
    else:
        scope.aliases.update(spare_cost=0, spare_equipment=0, first_spare_unit_cost=0)
    variants = [*of_spares, *(["back"] if tax == "back" else [])]
    if gpus.is_auto:
        variants += ["cohorts", *(["cohorts_spares"] if spares else [])]
        scope.aliases.update(gpus_added=scope.line("gpus_bought"), disposing="final")
    else:
        variants.append("once")
        if owned.has_lead_time:
            variants.append("later")
        else:
            scope.aliases["commissioned"] = "commissioning"
        if given.refresh is not None:
            scope.aliases.pop("disposing", None)
            variants.append("refresh")
            path = given.refresh.path
            owned.take("refresh_months", given.refresh.after_months, f"{path}.after_months")
            owned.take("refresh_price", given.refresh.price, f"{path}.price")
        else:
            scope.aliases["disposing"] = "final"
    found.update(functions_of(purchase, *variants))
    for name in ("in_service", "gpus", *OF_CHANGING_PRICES):
        found.pop(name, None)
    if tax != "back":
        scope.aliases["vat_cost"] = 0
        for name in ("vat_of_purchase", "vat_paid"):
            found.pop(name, None)
    _pay(owned, found)
    for name in OF_A_PRICE if owned.is_owned_already else ():
        found.pop(name, None)
    owned.add({name: f for name, f in found.items() if name not in owned.functions})


def _pay(owned: Owned, found: dict[str, object]) -> None:
    """The cash of the purchase: with the order, by a schedule, or when it is put into service."""
    scope, quote = owned.scope, owned.given.quote
    scope.aliases["paid_share"] = "commissioning"
    if quote is None or not (quote.payment or owned.has_lead_time):
        # what is put into service is paid then: one line for both
        scope.aliases.pop("capex", None)
        found["capex"] = found.pop("additions")
        scope.aliases["additions"] = scope.line("capex")
        return
    found["paid_on_order"] = purchase.paid_on_order__payments
    refresh = owned.given.refresh is not None
    found["capex"] = purchase.capex__payments_refresh if refresh else purchase.capex__payments
    taker = owned.gpus.taker
    before: str | int = 0
    for number, payment in enumerate(quote.payment or (), start=1):
        inner = Scope(f"{scope.name}/p{number}", around=scope)
        holder, owner = f"{owned.gpus.prefix}_p{number}", f"payment {number}, {owned.gpus.owner}"
        inner.inputs["payment_month"] = taker.inputs.table_row(
            f"{holder}_month", f"Month of {owner}", Month, payment.month.value,
            f"{payment.path}.month",
        )  # fmt: skip
        place = Place(payment.share, f"{holder}_share", f"{payment.path}.share", owner)
        taker.take(inner, "payment_share", place)
        inner.aliases["payment_before"] = before
        inner.functions["payment_through"] = purchase.payment_through__payments
        taker.scopes.append(inner)
        before = inner.line("payment_through")
        scope.aliases["paid_share"] = before
