"""What an API bills for the work of a month."""

from __future__ import annotations

from dataclasses import dataclass

from tests.referee.market import Amount, Given, Market, factors

CACHES = ("cache_read", "cache_write", "cache_write_1h")


@dataclass
class Bill:
    """The bill of one month, and how it comes about."""

    output_volume: float = 0.0
    input_volume: float = 0.0
    fresh_input_volume: float = 0.0
    output_token_cost: float = 0.0
    input_token_cost: float = 0.0
    cache_read_cost: float = 0.0
    cache_write_cost: float = 0.0
    cache_write_1h_cost: float = 0.0
    list_cost: float = 0.0
    usage_cost: float = 0.0
    charged_cost: float = 0.0
    api_cost: float = 0.0


def price(market: Market, terms: Given, field: str) -> float | None:
    """A price as the seller bills it, in the reporting currency; None where there is none."""
    given = terms.get(field)
    if given is None:
        return None
    if "billing_rate" not in terms:
        return market.number(given)
    rate, _, currencies = str(terms["billing_rate"]).partition(" ")
    listed = float(given["value"] if isinstance(given, dict) else given)
    return market.converted(listed * float(rate), currencies.split("/")[0])


def fee_and_tax(market: Market, terms: Given) -> float:
    """What is paid of a bill: the bank's fee, and the tax that is not got back."""
    vat = terms.get("vat") or {}
    borne = market.number(vat.get("rate")) if vat.get("recoverable") == "no" else 0.0
    return (1 + market.number(terms.get("fx_fee"))) * (1 + borne)


def batch_factor(market: Market, terms: Given) -> float:
    """What is paid of the price when a part of the work is sent as a batch."""
    batch = terms.get("batch") or {}
    return 1 - market.number(batch.get("share")) * market.number(batch.get("discount"))


def bill(market: Market, terms: Given, amount: Amount, month: int) -> Bill:
    """The bill for an amount of work of a month, without any commitment."""
    found = Bill()
    attempts_paid = 1.0
    if terms.get("retries_billed") == "no" and amount.work > 0:
        attempts_paid = amount.useful / amount.work
    elif terms.get("retries_billed") == "no" and amount.input_tokens > 0:
        attempts_paid = amount.useful_input / amount.input_tokens
    billed = attempts_paid * market.number(terms.get("tokeniser_factor"), 1.0)
    volume = amount.times(billed / market.work_of_a_price)
    found.output_volume = volume.work
    if market.kind != "tokens":
        found.output_token_cost = volume.work * (price(market, terms, "task_price") or 0.0)
    else:
        _token_costs(market, terms, volume, found)
    now = factors(terms.get("price_path"), market.months)[month]
    for part in ("output_token", "input_token", *CACHES):
        setattr(found, f"{part}_cost", getattr(found, f"{part}_cost") * now)
    found.list_cost = (
        found.output_token_cost
        + found.input_token_cost
        + found.cache_read_cost
        + found.cache_write_cost
        + found.cache_write_1h_cost
    )
    found.usage_cost = found.list_cost * batch_factor(market, terms)
    found.charged_cost = found.usage_cost
    found.api_cost = found.charged_cost * fee_and_tax(market, terms)
    return found


def commit(market: Market, terms: Given, month: int, found: Bill) -> None:
    """Raise a bill to what is to be paid at least."""
    if "commitment" not in terms:
        return
    amount = market.number(terms["commitment"]["amount"]) if month else 0.0
    discount = market.number(terms["commitment"].get("overage_discount"))
    found.charged_cost = amount + max(found.usage_cost - amount, 0.0) * (1 - discount)
    found.api_cost = found.charged_cost * fee_and_tax(market, terms)


def long_output_share(market: Market, terms: Given) -> float:
    """Share of the output that is not billed at the output price but at that of long prompts."""
    long = terms.get("long_context")
    if not long or "output_price" not in long:
        return 0.0
    return market.long_shares(market.number(long["above"]))[0]


def _token_costs(market: Market, terms: Given, volume: Amount, found: Bill) -> None:
    output_price = price(market, terms, "output_price") or 0.0
    input_price = price(market, terms, "input_price") or 0.0
    read_price = price(market, terms, "cache_read_price")
    write_price = price(market, terms, "cache_write_price")
    write_1h_price = price(market, terms, "cache_write_1h_price")
    cache_prices = [
        input_price if read_price is None else read_price,
        input_price if write_price is None else write_price,
    ]
    cache_prices.append(cache_prices[1] if write_1h_price is None else write_1h_price)
    found.input_volume = volume.input_tokens
    found.fresh_input_volume = volume.input_tokens
    for cache, of_cache in zip(CACHES, cache_prices, strict=True):
        found.fresh_input_volume -= getattr(volume, cache)
        setattr(found, f"{cache}_cost", getattr(volume, cache) * of_cache)
    if "long_context" in terms:
        long = {"billing_rate": terms["billing_rate"]} if "billing_rate" in terms else {}
        long |= terms["long_context"]
        requests, tokens = market.long_shares(market.number(long["above"]))
        long_output, long_input = (price(market, long, f"{side}_price") for side in SIDES)
        if long_output is not None:
            output_price += (long_output - output_price) * requests
        if long_input is not None:
            input_price += (long_input - input_price) * tokens
            # a long prompt makes what is cached dearer in the same proportion
            short = price(market, terms, "input_price") or 0.0
            for cache in CACHES if short else ():
                dearer = getattr(found, f"{cache}_cost") * input_price / short
                setattr(found, f"{cache}_cost", dearer)
    found.output_token_cost = found.output_volume * output_price
    found.input_token_cost = found.fresh_input_volume * input_price
    if "output_tiers" in terms:
        found.output_token_cost = _tiered(market, terms, "output_tiers", found.output_volume)
    if "input_tiers" in terms:
        found.input_token_cost = _tiered(market, terms, "input_tiers", found.fresh_input_volume)


SIDES = ("output", "input")


def _tiered(market: Market, terms: Given, field: str, volume: float) -> float:
    """A volume at prices by tier: each unit at its own, or all at that of the last one reached."""
    billing = {"billing_rate": terms["billing_rate"]} if "billing_rate" in terms else {}
    begins, whole = 0.0, 0.0
    for tier in terms[field]:
        of_tier = price(market, {**billing, **tier}, "price") or 0.0
        ends = market.number(tier["up_to"]) / 1e6 if "up_to" in tier else None
        if terms.get("tiering") == "all-units":
            if volume > begins * (1 + 1e-9):
                whole = volume * of_tier
        else:
            within = volume if ends is None else min(volume, ends)
            whole += max(within - begins, 0.0) * of_tier
        begins = ends or 0.0
    return whole
