"""What an owned supply says together with its card, the site and the months that are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tco.prices import cards
from tco.scenario.document import Block, Node
from tco.scenario.fields import Quantity, typed
from tco.scenario.finance import COVERED, ONE_OFF, PurchaseParts, Quote
from tco.scenario.reading import Reading
from tco.scenario.supplies import Own, Purchase

if TYPE_CHECKING:
    from tco.scenario.schema import Scenario

# Announcement 2023 No. 37 of the Ministry of Finance and the State Taxation Administration
ONE_OFF_MOST = 5_000_000
ONE_OFF_MONTHS = ("2024-01", "2027-12")
ANNOUNCEMENT = "Announcement 2023 No. 37"


def check(scenario: Scenario, supply: Own, reading: Reading) -> None:
    """Report what one owned supply cannot mean."""
    card: Purchase = scenario.hardware.get(supply.own) or Purchase()
    _check_power(supply, card, reading)
    _check_salvage(scenario, supply, card, reading)
    _check_months(scenario, supply, reading)
    _check_upkeep(supply, card, reading)
    _check_residual(supply, card, reading)
    _check_site(scenario, supply, reading)
    _check_one_off(scenario, supply, card, reading)


def worth(scenario: Scenario, amount: Quantity | None) -> float:
    """An amount in the reporting currency; nothing is 0."""
    if amount is None:
        return 0.0
    if amount.currency in (None, scenario.currency):
        return amount.value
    return amount.value / scenario.exchange_rates[str(amount.currency)].value


def _check_power(supply: Own, card: Purchase, reading: Reading) -> None:
    if supply.tdp or card.tdp or cards.card(supply.own) is not None:
        return
    reading.report(
        Block(supply.line, supply.path),
        f"the rated power of {supply.own}, which is no known card",
        f"add  tdp: 450 W  under hardware.{supply.own}, with the watts of your card",
        found="nothing",
        below="tdp",
    )


def _check_salvage(scenario: Scenario, supply: Own, card: Purchase, reading: Reading) -> None:
    """What is kept in the books is at most what was paid for a card and all that belongs to it."""
    salvage = supply.salvage or card.salvage
    if salvage is None or supply.already_owned is not None:
        return
    price = supply.price or card.price
    parts = supply.purchase or card.purchase
    if supply.quote is not None:
        gpus = supply.count.value if isinstance(supply.count, Quantity) else 1.0
        cost = _quoted(scenario, supply.quote) / gpus
        said = f"cost of a card by the quote ({supply.quote.path}"
        line = supply.quote.line
    elif price is not None:
        cost = worth(scenario, price)
        said, line = f"price of {price.text} ({price.path}", price.line
    else:
        return
    if parts is not None:
        cost = _unit_cost(scenario, cost, parts)
        said = f"cost of a card with all that belongs to it, {cost:.6g} ({parts.path}"
        line = parts.line
    if worth(scenario, salvage) > cost:
        reading.report(
            typed(salvage),
            f"a salvage value that is not above the {said}{f', line {line}' if line else ''})",
            "lower the salvage value: it is that of one card at the end of its life",
        )


def _quoted(scenario: Scenario, quote: Quote) -> float:
    """What the quote asks for all cards, without support."""
    return sum(worth(scenario, item.amount) for item in quote.items if item.kind != "support")


def _unit_cost(scenario: Scenario, price: float, parts: PurchaseParts) -> float:
    """What one card costs with its share of the parts, duty and the tax that is not got back."""
    net_price = price * (1 - (parts.discount.value if parts.discount else 0.0))
    dutiable = net_price + sum(
        worth(scenario, part) for part in (parts.host, parts.network, parts.shipping)
    )
    others = worth(scenario, parts.rack_and_cooling) + worth(scenario, parts.installation)
    untaxed = dutiable * (1 + (parts.duty.value if parts.duty else 0.0)) + others
    borne = parts.vat.rate.value if parts.vat and parts.vat.recoverable == "no" else 0.0
    return untaxed * (1 + borne)


def _check_months(scenario: Scenario, supply: Own, reading: Reading) -> None:
    """What happens after the months that are looked at."""
    months = scenario.months
    quote, lease = supply.quote, supply.financing.lease if supply.financing else None
    lead = quote.lead_time_months if quote else None
    if lead is not None and lead.value >= months:
        reading.report(
            typed(lead),
            f"fewer months than the {months} that are looked at: the cards would never serve",
            "shorten the lead time, or look at more months",
        )
    for payment in (quote.payment if quote else None) or ():
        if payment.month.value > months:
            reading.report(
                typed(payment.month),
                f"a month up to {months}, the last one that is looked at",
                "pay it earlier, or look at more months",
            )
    if lease is not None and lease.buyout is None and lease.months.value < months:
        reading.report(
            typed(lease.months),
            f"at least the {months} months that are looked at, as the cards go back after the "
            "lease",
            "lease them for longer, or add for example  buyout: 1000",
        )


def _check_upkeep(supply: Own, card: Purchase, reading: Reading) -> None:
    for one, other in (("maintenance", "failures"), ("failures", "maintenance")):
        given, beside = getattr(supply, one), getattr(card, other)
        if given is not None and beside is not None:
            reading.report(
                Block(given.line, given.path),
                f"maintenance or failures: {beside.path} holds for this supply too",
                "keep one: a contract covers what fails",
                found=f"{one} beside {other}",
            )


def _check_residual(supply: Own, card: Purchase, reading: Reading) -> None:
    residual = supply.residual_value or card.residual_value
    if supply.refresh is not None and residual is not None and residual.amount is not None:
        reading.report(
            typed(residual.amount),
            "a value by age where the cards are replaced again and again",
            "write for example  loss_per_year: 30%  or  by_age: [{months: 36, share: 30%}]",
        )


def _check_site(scenario: Scenario, supply: Own, reading: Reading) -> None:
    """A supply that stands where the site's colocation pays for its electricity."""
    site = scenario.site.colocation if scenario.site else None
    if supply.colocation is not None or site is None or site.kind != "all-in":
        return
    for word in COVERED:
        given = getattr(supply, word, None)
        if given is not None:
            reading.report(
                typed(given) if isinstance(given, Quantity) else Block(given.line, given.path),
                f"no {word} beside the all-in colocation of the site, whose price covers it",
                f"delete it, or write  kind: metered  under {site.path}",
                found=None if isinstance(given, Quantity) else word,
            )


def _check_one_off(scenario: Scenario, supply: Own, card: Purchase, reading: Reading) -> None:
    """Only what is cheap enough, and bought in time, is deducted at once."""
    of_all = scenario.tax.depreciation if scenario.tax else None
    tax = supply.tax_depreciation or card.tax_depreciation or of_all
    if tax is None or tax.method != ONE_OFF or supply.already_owned is not None:
        return
    instead = "write for example  method: china-straight-line"
    start = scenario.start
    earliest, latest = ONE_OFF_MONTHS
    if start is not None and not earliest <= start <= latest:
        reading.report(
            Block(tax.line, tax.path),
            f"a purchase from {earliest} to {latest}, for which {ANNOUNCEMENT} holds",
            instead,
            found=f"{ONE_OFF} and a start in {start}",
            below="method",
        )
    price = supply.price or card.price
    if supply.quote is not None:
        cost = _quoted(scenario, supply.quote)
        where: Node = Block(supply.quote.line, supply.quote.path)
        found = f"a quote of CNY {cost:,.0f}"
    elif price is not None:
        cost, where, found = worth(scenario, price), typed(price), price.text
    else:
        return
    if cost > ONE_OFF_MOST:
        reading.report(
            where,
            f"at most CNY {ONE_OFF_MOST:,} a unit, the most that is deducted at once "
            f"({ANNOUNCEMENT})",
            instead,
            found=found,
        )
