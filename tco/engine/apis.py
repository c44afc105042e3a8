"""Binds a supply that is an API: its prices by class, tiers, discounts, fees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tco.engine.graph import Scope
from tco.engine.paths import bind_path
from tco.engine.renting import bind_prepaid
from tco.engine.structure import functions_of
from tco.engine.taking import Place, Taker
from tco.engine.work import CACHES, BoundDemand
from tco.model import api, capacity, tiers
from tco.scenario.schema import Api
from tco.scenario.supplies import PRESENT, Tier
from tco.units import Fraction

NOT_GIVEN = "not given; needed as soon as there are input tokens"


@dataclass(frozen=True)
class ApiSupply:
    """What binding one API needs to know; ``caches`` are the classes that its work has."""

    taker: Taker
    demand: BoundDemand
    scope: Scope
    given: Api
    owner: str
    prefix: str
    caches: tuple[str, ...] = ()
    extras: bool = True

    def take(self, parameter: str, quantity: Any, path: str = "", **more: Any) -> None:
        """An input of the API."""
        path = path or f"{self.given.path}.{parameter}"
        place = Place(quantity, f"{self.prefix}_{parameter}", path, self.owner)
        self.taker.take(self.scope, parameter, place, **more)

    def price(self, parameter: str, quantity: Any, path: str = "", **more: Any) -> None:
        """A price, billed at the seller's rate where there is one."""
        self.take(parameter, quantity, path, billing=self.given.billing_rate, **more)


def bind_api(supply: ApiSupply) -> bool:
    """All lines of an API; returns whether its bill is in proportion to the work."""
    given, scope = supply.given, supply.scope
    variants = []
    if given.tokeniser_factor is not None:
        supply.take("tokeniser_factor", given.tokeniser_factor)
    else:
        scope.aliases["tokeniser_factor"] = 1
    unbilled = given.retries_billed == "no" and supply.demand.retries
    scope.aliases["billed_share"] = "useful_share" if unbilled else 1
    if supply.demand.kind == "tokens":
        variants += _token_prices(supply)
    else:
        supply.price("task_price", given.task_price)
        price = _named(scope, "task_price")
        scope.aliases.update(output_price=price, mean_output_price=price)
        variants.append("priced")
        scope.aliases.update(input_token_cost=0, ordinary_request_share=1)
    for cache in CACHES:
        if cache not in supply.caches or supply.demand.kind != "tokens":
            scope.aliases.update({f"{cache}_cost": 0, f"{cache}_volume": 0})
    variants += _charges(supply)
    if supply.extras and given.prepaid is not None:
        bind_prepaid(supply.taker, scope, given, supply.owner)
        variants.append("extras")
    else:
        scope.aliases.update(prepaid_cost=0, equivalent_extra_cost=0, prepaid_expense=0)
    if given.price_path is not None:
        whose = supply.owner
        bind_path(supply.taker, scope, given.price_path, "path", supply.prefix, whose, by="month")
        variants.append("path")
    else:
        scope.aliases["priced_output_volume"] = scope.line("output_volume")
    linear = not (given.output_tiers or given.input_tiers or given.commitment or given.prepaid)
    simple = (
        linear
        and supply.demand.kind == "tokens"
        and len(supply.demand.workloads) == 1
        and not (supply.caches or given.long_context or given.tokeniser_factor or unbilled)
        and not {"charged", "batch", "path"} & set(variants)
        and supply.taker.scenario.tax is None
    )
    if simple:
        variants += ["mix", "linear"]
        scope.aliases["discounted_output_charge"] = scope.line("discounted_output_volume")
    elif linear:
        variants += ["bill", "linear"]
        if given.tokeniser_factor is None and not unbilled:
            # what is billed is what is served
            scope.aliases["served_volume"] = scope.line("output_volume")
    functions = functions_of(api, *variants)
    if "cached_price_factor" in scope.aliases:
        functions.pop("cached_price_factor", None)
    if "ordinary_request_share" in scope.aliases:
        functions.pop("ordinary_request_share", None)
    if simple:
        functions.pop("discounted_output_charge", None)
    if "served_volume" in scope.aliases:
        functions.pop("served_volume", None)
    if linear and scope.aliases.get("output_charge") == 1:
        functions.pop("discounted_output_charge", None)
        scope.aliases["discounted_output_charge"] = scope.line("discounted_output_volume")
    scope.functions.update(functions)
    return bool(linear)


def _named(scope: Scope, parameter: str) -> str | int:
    """What a parameter of the scope itself stands for."""
    found = scope.aliases.get(parameter, scope.inputs.get(parameter))
    assert found is not None, f"{scope.name} has no {parameter}"
    return found


def _token_prices(supply: ApiSupply) -> list[str]:
    given, scope = supply.given, supply.scope
    variants = ["tokens"]
    if given.output_tiers is not None:
        scope.aliases["output_token_cost"] = _tiers(supply, given.output_tiers, "output")
    else:
        supply.price("output_price", given.output_price)
        variants.append("priced")
    if given.input_tiers is not None:
        scope.aliases["input_token_cost"] = _tiers(supply, given.input_tiers, "input")
    else:
        supply.price("input_price", given.input_price, default=(0.0, NOT_GIVEN))
        variants.append("input")
        if given.input_price is None:
            variants.append("unpriced")
    for cache in supply.caches:
        quoted = getattr(given, f"{cache}_price")
        # what is kept for an hour costs at least what is kept for minutes
        instead = "cache_write_price" if cache == "cache_write_1h" else ""
        if quoted is not None:
            supply.price(f"{cache}_price", quoted)
        elif instead and given.cache_write_price is not None:
            supply.price(instead, given.cache_write_price)
            scope.aliases[f"{cache}_price"] = _named(scope, instead)
        else:
            scope.aliases[f"{cache}_price"] = _plain_input(supply)
        variants.append(cache)
    if supply.caches:
        variants.append("caches")
    else:
        scope.aliases["fresh_input_volume"] = scope.line("input_volume")
    variants += _long_context(supply)
    return variants


def _plain_input(supply: ApiSupply) -> str | int:
    """The price of input that a class without a price of its own has."""
    return _named(supply.scope, "input_price") if supply.given.input_tiers is None else 0


def _long_context(supply: ApiSupply) -> list[str]:
    """Prices of requests with long prompts, by the shares of such requests."""
    given, scope = supply.given, supply.scope
    long = given.long_context
    if long is None or not supply.caches:
        scope.aliases["cached_price_factor"] = 1
    if long is None:
        scope.aliases["ordinary_request_share"] = 1
        for side in ("output", "input"):
            if getattr(given, f"{side}_tiers") is None:
                scope.aliases[f"mean_{side}_price"] = _named(scope, f"{side}_price")
        return []
    demand = supply.taker.scenario.demand
    assert demand is not None
    assert demand.request_sizes is not None
    requests, read = long_shares(
        [(size.prompt_tokens.value, size.share.value) for size in demand.request_sizes],
        long.above.value,
    )
    why = f"solved from demand.request_sizes: prompts above {long.above.text}"
    for name, label, value in (
        ("long_request_share", "Share of the requests with a long prompt", requests),
        ("long_input_share", "Share of the input in long prompts", read),
    ):
        scope.inputs[name] = supply.taker.inputs.solved(
            f"{supply.prefix}_{name}", f"{label}, {supply.owner}", Fraction, value,
            "demand.request_sizes", why,
        )  # fmt: skip
    for side in ("output", "input"):
        quoted = getattr(long, f"{side}_price")
        if quoted is not None:
            supply.price(f"long_{side}_price", quoted, f"{long.path}.{side}_price")
        else:
            scope.aliases[f"long_{side}_price"] = _named(scope, f"{side}_price")
    if long.output_price is None:
        # a long prompt does not change what output costs
        scope.aliases["ordinary_request_share"] = 1
    return ["long"]


def long_shares(sizes: list[tuple[float, float]], above: float) -> tuple[float, float]:
    """Shares of the requests and of their input that lie in prompts above a size.

    >>> long_shares([(1000, 0.9), (300_000, 0.1)], 200_000)
    (0.1, 0.970873786407767)
    """
    requests = sum(share for size, share in sizes if size > above)
    read = sum(size * share for size, share in sizes)
    long = sum(size * share for size, share in sizes if size > above)
    return requests, long / read if read else 0.0


def _tiers(supply: ApiSupply, given: list[Tier], side: str) -> str:
    """The tiers of a price as a fold; the line of the whole bill."""
    scope = supply.scope
    found: str | int = 0
    begins: str | int = 0
    reached: str | int = 1
    for number, tier in enumerate(given, start=1):
        name = f"{side[0]}{number}"
        inner = Scope(f"{scope.name}/{name}", around=scope)
        # input read from or written to a cache has prices of its own
        fresh = "fresh_" if side == "input" and supply.caches else ""
        inner.aliases["volume"] = scope.line(f"{fresh}{side}_volume")
        inner.aliases["tier_cost_before"] = found
        inner.aliases["tier_from"] = begins
        prefix = f"{supply.prefix}_{name}"
        owner = f"{side} tier {number}, {supply.owner}"
        place = Place(tier.price, f"{prefix}_tier_price", f"{tier.path}.price", owner)
        supply.taker.take(inner, "tier_price", place, billing=supply.given.billing_rate)
        graduated = supply.given.tiering == "graduated"
        if tier.up_to is not None:
            # a tier ends at a volume in what a price is for
            end = tier.up_to.model_copy(
                update={"value": tier.up_to.value / supply.taker.inputs.counted.work_per_volume}
            )
            place = Place(end, f"{prefix}_tier_to", f"{tier.path}.up_to", owner)
            supply.taker.take(inner, "tier_to", place)
            begins = inner.inputs["tier_to"]
            variants = ["graduated"] if graduated else ["units"]
        else:
            variants = ["graduated_last"] if graduated else ["units"]
            inner.aliases["tier_passed"] = 0
        functions = functions_of(tiers, *variants)
        if not graduated:
            functions.pop("above_from")
            if tier.up_to is None:
                functions.pop("tier_passed")
            inner.aliases["tier_reached"] = reached
            reached = inner.line("tier_passed")
        inner.functions.update(functions)
        supply.taker.scopes.append(inner)
        found = inner.line("tier_cost_through")
    return str(found)


def _charges(supply: ApiSupply) -> list[str]:
    """Batch, commitment, fee and tax: what is not given leaves the bill as it is."""
    given, scope = supply.given, supply.scope
    zero = (0.0, "not given, so not counted")
    variants = []
    bill = scope.line("list_cost")
    if given.batch is not None:
        supply.take("batch_share", given.batch.share, f"{given.batch.path}.share")
        supply.take("batch_discount", given.batch.discount, f"{given.batch.path}.discount")
        variants.append("batch")
        bill = scope.line("usage_cost")
    else:
        scope.aliases.update(batch_factor=1, usage_cost=bill)
    commitment = given.commitment
    if commitment is not None:
        path = commitment.path
        supply.take("commitment", commitment.amount, f"{path}.amount")
        discount = commitment.overage_discount
        supply.take("overage_discount", discount, f"{path}.overage_discount", default=zero)
        variants.append("commitment")
        bill = scope.line("charged_cost")
    else:
        scope.aliases["charged_cost"] = bill
    if given.fx_fee is not None or given.vat is not None:
        supply.take("fx_fee", given.fx_fee, default=zero)
        vat = given.vat
        path = vat.path if vat else f"{given.path}.vat"
        supply.take("vat_rate", vat.rate if vat else None, f"{path}.rate", default=zero)
        borne = 1.0 if vat is not None and vat.recoverable == "no" else 0.0
        why = f"vat.recoverable: {vat.recoverable if vat else 'not given'}"
        supply.take("vat_borne", None, f"{path}.recoverable", default=(borne, why))
        variants.append("charged")
        scope.functions["charge_factor"] = api.charge_factor__charged
    else:
        scope.aliases["charge_factor"] = 1
        scope.functions["api_cost"] = api.api_cost__charged
        if given.batch is not None or given.long_context is not None:
            scope.functions["output_charge"] = api.output_charge__charged
        else:
            scope.aliases["output_charge"] = 1
    return variants


def bind_capacity(supply: ApiSupply) -> None:
    """What the API serves: what is left, or as much as the provider lets one have."""
    given, demand = supply.given, supply.demand
    shape = "profile" if demand.curve else "flat"
    tokens = ["tokens"] if demand.kind == "tokens" else []
    limit = "unlimited"
    if given.rate_limit is not None:
        supply.take("rate_limit", given.rate_limit)
        limit = "limited"
    found = functions_of(capacity, limit, shape)
    if tokens:
        found["served_input_tokens"] = capacity.served_input_tokens__tokens
    supply.scope.functions.update(found)


def is_present(given: Api) -> bool:
    """Whether a supply stands for where each workload is now."""
    return given.api == PRESENT
