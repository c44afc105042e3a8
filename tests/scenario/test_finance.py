"""What a purchase, a site or a tax may say: the last value still taken, and what it means."""

from __future__ import annotations

import pytest

from tco.scenario.loading import read
from tco.scenario.schema import Own, Scenario

CARD = "name: a\noptions: {x: {own: rtx-4090, count: 2, %s}}\n"
BOUGHT = CARD.replace("%s", "price: 1599, %s")
QUOTED = CARD.replace("%s", "quote: {items: [{name: a, amount: 9000}], %s}")
YUAN = "currency: CNY\nstart: %s\ntax: {rate: 25%%, depreciation: {method: %s}}\n"


def owned(scenario: Scenario) -> Own:
    supply = scenario.options["x"].supplies[0]
    assert isinstance(supply, Own)
    return supply


@pytest.mark.parametrize(
    "text",
    [
        BOUGHT % "refresh: {after_months: 120, price: 9}",
        BOUGHT % "financing: {lease: {payment: 9, months: 36, rate: 8%}}",
        BOUGHT % "financing: {lease: {payment: 9, months: 1, rate: 8%, buyout: 0}}",
        BOUGHT % "financing: {loan: {rate: -1%, months: 2, grace_months: 1, balloon: 100%}}",
        BOUGHT % "salvage: 1600, purchase: {host: 1}",
        QUOTED % "lead_time_months: 35, payment: [{month: 36, share: 1}]",
        QUOTED
        % "payment: [{month: 0, share: 0.1}, {month: 1, share: 0.2}, {month: 2, share: 70%}]",
        CARD % "already_owned: {resale_value: 9}, refresh: {after_months: 1, price: 9}, "
        "financing: {loan: {rate: 8%, months: 12}}",
        YUAN % ("2027-12", "china-one-off") + BOUGHT.replace("1599", "5000000") % "model: b",
        YUAN % ("2024-01", "china-one-off") + BOUGHT % "model: b",
        YUAN % ("2028-01", "china-shortened, life_months: 22") + BOUGHT % "model: b",
        YUAN % ("2028-01", "china-declining, life_months: 36") + BOUGHT % "model: b",
    ],
)
def test_what_is_still_taken(text: str) -> None:
    assert owned(read(text.encode(), "s.yaml"))


def test_a_supply_in_a_colocation_of_its_own_has_its_own_electricity() -> None:
    site = "site: {colocation: {kind: all-in, price: 300}}\n"
    own = "colocation: {kind: metered, price: 150}, electricity_price: 0.10, pue: 1.2"
    supply = owned(read((site + BOUGHT % own).encode(), "s.yaml"))
    assert supply.colocation is not None
    assert (supply.colocation.kind, supply.colocation.price.value) == ("metered", 150)


def test_a_quote_goes_before_the_price_of_the_card() -> None:
    text = QUOTED % "valid_until: 2026-12-31" + "hardware: {rtx-4090: {price: 1599}}\n"
    supply = owned(read(text.encode(), "s.yaml"))
    assert supply.price is None
    assert supply.quote is not None
    assert [item.amount.value for item in supply.quote.items] == [9000]


def test_words_that_are_not_given() -> None:
    scenario = read((BOUGHT % "tax_depreciation: {bonus: 0, method: macrs}").encode(), "s.yaml")
    assert (scenario.cash_timing, scenario.fiscal_year_end) == ("month-end", 12)
    assert (scenario.tax, scenario.accounts) == (None, {})
    tax = owned(scenario).tax_depreciation
    assert tax is not None
    assert (tax.method, tax.life_months, tax.shares) == ("macrs", None, None)
