"""What a drawn scenario with words of finance is an example of."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee import books, tax
from tests.referee.market import Given, Market

PARTS_OF_A_PURCHASE = (
    "discount",
    "host",
    "network",
    "rack_and_cooling",
    "installation",
    "shipping",
    "duty",
    "spares",
)
KEEP = ("maintenance", "licences", "insurance", "host_power")
PATHS = ("by month", "by year", "in steps", "to a level")
PATHS_OF = ("rent", "api", "electricity")
METHODS_FOR_TAX = ("book", "straight-line", "declining", *tax.BY_YEAR, *tax.CHINESE)

OFTEN = (
    "fiscal_year_end",
    "cash mid-month",
    "cash year-end",
    "room_cost",
    "demand_charge",
    "peaks given",
    "ratchet",
    "colocation metered",
    "colocation all-in",
    *PARTS_OF_A_PURCHASE,
    "VAT of a purchase recoverable",
    "VAT of a purchase borne",
    "refund later",
    "support",
    "network by quote",
    "payment in parts",
    "lead time",
    "already_owned",
    "refresh",
    "decommissioning",
    *KEEP,
    "warranty",
    "failures by share",
    "failures counted",
    "replacement_price",
    "residual by_age",
    "residual loss_per_year",
    "residual amount",
    "sale_cost",
    "books straight-line",
    "books declining",
    "books table",
    "next-month",
    "without switch",
    "salvage",
    "tax in the month",
    "tax at the year's end",
    "lag_months",
    "losses elsewhere",
    "losses carried",
    "losses worthless",
    "loss_limit",
    *(f"tax {method}" for method in METHODS_FOR_TAX),
    "bonus",
    "loan",
    "grace_months",
    "balloon",
    "fee",
    "lease in advance",
    "lease in arrears",
    "lease bought out",
    "lease given back",
    "residual_rate",
    *(f"{price} {path}" for price in PATHS_OF for path in PATHS),
)


def of_scenario(scenario: Given) -> Iterator[str]:
    """What tax, time and the site are an example of."""
    timing = scenario.get("cash_timing")
    site, levied = scenario.get("site", {}), scenario.get("tax")
    charge = site.get("demand_charge", {})
    for label, given in (
        ("fiscal_year_end", "fiscal_year_end" in scenario),
        ("cash mid-month", timing == "mid-month"),
        ("cash year-end", timing == "year-end"),
        ("room_cost", "room_cost" in site),
        ("demand_charge", charge),
        ("peaks given", "peak_kw" in charge),
        ("ratchet", "ratchet" in charge),
    ):
        if given:
            yield label
    if levied:
        in_the_month = levied.get("paid") == "month"
        yield "tax in the month" if in_the_month else "tax at the year's end"
        yield f"losses {levied.get('losses', 'elsewhere')}"
        for word in ("lag_months", "loss_limit"):
            if levied.get(word):
                yield word


def of_supply(market: Market, terms: Given) -> Iterator[str]:
    """What a supply is an example of."""
    if "own" not in terms:
        if "price_path" in terms:
            yield from _of_path("rent" if "rent" in terms else "api", terms["price_path"])
        return
    site = market.scenario.get("site", {})
    path = terms.get("electricity_price_path", site.get("electricity_price_path"))
    if path and (books.word(market, terms, "electricity_price") or site.get("electricity_price")):
        yield from _of_path("electricity", path)
    colocation = terms.get("colocation", site.get("colocation"))
    if colocation:
        yield f"colocation {colocation['kind']}"
    yield from _of_purchase(market, terms)
    yield from _of_books(market, terms)
    yield from _of_financing(terms.get("financing", {}))


def _of_path(price: str, path: Given) -> Iterator[str]:
    if "change_per_year" in path:
        by = path.get("by", "year" if price == "electricity" else "month")
        yield f"{price} by {by}"
    else:
        yield f"{price} in steps" if "steps" in path else f"{price} to a level"


def _of_purchase(market: Market, terms: Given) -> Iterator[str]:
    parts: Given = books.word(market, terms, "purchase") or {}
    yield from (part for part in PARTS_OF_A_PURCHASE if part in parts)
    if "vat" in parts:
        borne = parts["vat"].get("recoverable") == "no"
        yield f"VAT of a purchase {'borne' if borne else 'recoverable'}"
        if parts["vat"].get("refund_months"):
            yield "refund later"
    quote: Given = terms.get("quote", {})
    kinds = {item.get("kind") for item in quote.get("items", ())}
    for label, given in (
        ("support", "support" in kinds),
        ("network by quote", "network" in kinds),
        ("payment in parts", "payment" in quote),
        ("lead time", quote.get("lead_time_months")),
        *((word, word in terms) for word in ("already_owned", "refresh", "decommissioning")),
    ):
        if given:
            yield label


def _of_books(market: Market, terms: Given) -> Iterator[str]:
    words = {
        word: books.word(market, terms, word)
        for word in (*KEEP, "failures", "residual_value", "depreciation", "salvage")
    }
    yield from (word for word in (*KEEP, "salvage") if words[word])
    failures: Given = words["failures"] or {}
    residual: Given = words["residual_value"] or {}
    in_books: Given = words["depreciation"] or {}
    if (failures or words["maintenance"] or {}).get("warranty_months"):
        yield "warranty"
    if failures:
        yield "failures counted" if "events" in failures else "failures by share"
        if "replacement_price" in failures:
            yield "replacement_price"
    yield from (f"residual {word}" for word in residual if word != "sale_cost")
    if "sale_cost" in residual:
        yield "sale_cost"
    yield f"books {in_books.get('method', 'straight-line')}"
    if in_books.get("start") == "next-month":
        yield "next-month"
    if in_books.get("switch") == "no":
        yield "without switch"
    if market.tax:
        method = tax.method_of(market, terms)
        yield f"tax {method['method']}"
        if "bonus" in method:
            yield "bonus"


def _of_financing(given: Given) -> Iterator[str]:
    if "loan" in given:
        yield "loan"
        yield from (word for word in ("grace_months", "balloon", "fee") if given["loan"].get(word))
    if "lease" in given:
        lease = given["lease"]
        yield f"lease in {lease.get('paid', 'arrears')}"
        yield "lease bought out" if "buyout" in lease else "lease given back"
        if "residual_rate" in lease:
            yield "residual_rate"
