"""Prices of APIs taken from the makers' price lists, where a scenario says ``price: book``.

What the scenario gives itself goes before the list. Nothing is taken without that word, and
nothing is fetched: the list is the one that is installed.
"""

from __future__ import annotations

from typing import Any

from tco.errors import ScenarioError
from tco.scenario.schema import Api, Quantity, Scenario
from tco.scenario.supplies import LongContext

BOOK = "book"
# the field of a scenario for each price of the list
FIELDS = {
    "output_price": "output_price",
    "input_price": "input_price",
    "cache_read_price": "cache_read_price",
    "cache_write_price": "cache_write_price",
    "cache_write_1h_price": "cache_write_hour_price",
}


def with_list_prices(scenario: Scenario, faults: list[ScenarioError]) -> Scenario:
    """The scenario with the prices that it asks the book for; what is not there is a fault."""
    options = dict(scenario.options)
    for name, option in options.items():
        supplies = [
            _priced(scenario, supply, faults)
            if isinstance(supply, Api) and supply.price == BOOK
            else supply
            for supply in option.supplies
        ]
        if supplies != option.supplies:
            options[name] = option.model_copy(update={"supplies": supplies})
    if options == scenario.options:
        return scenario
    return scenario.model_copy(update={"options": options})


def _priced(scenario: Scenario, supply: Api, faults: list[ScenarioError]) -> Api:
    # the list is large: it is read only when it is asked for
    from tco.prices.list_prices import NotListed, list_price

    listed = list_price(supply.provider, supply.api, scenario.as_of)
    where = (scenario.path, supply.line, f"{supply.path}.price")
    if isinstance(listed, NotListed):
        expected = "a model of a provider that the price list knows"
        faults.append(
            ScenarioError(*where, BOOK, expected, f"{listed}; or write the prices yourself")
        )
        return supply
    if scenario.currency != "USD" and "USD" not in scenario.exchange_rates:
        faults.append(
            ScenarioError(
                *where,
                f"{BOOK}, whose prices are in USD",
                "an exchange rate for USD",
                f"add  exchange_rates: {{USD: ...}}  with the number of USD for one "
                f"{scenario.currency}",
            )
        )
        return supply
    # the list does not say since when a model's first price holds
    when = listed.valid_from

    def quoted(field: str, value: float) -> Quantity:
        return Quantity(
            value=float(f"{value:.15g}"),
            currency=None if scenario.currency == "USD" else "USD",
            source=f"{listed.provider} {listed.model}, {listed.source}",
            as_of=when,
            basis="published",
            note=listed.note,
            path=f"{supply.path}.{field}",
            line=supply.line,
            text=f"{value:g}",
        )

    found: dict[str, Any] = {}
    for field, price in FIELDS.items():
        value = getattr(listed, price)
        tiers = getattr(supply, f"{field.partition('_')[0]}_tiers", None)
        if value is not None and getattr(supply, field) is None and tiers is None:
            found[field] = quoted(field, value)
    sizes = scenario.demand.request_sizes if scenario.demand else None
    if listed.long_context_threshold is not None and sizes and supply.long_context is None:
        above = Quantity(
            value=float(listed.long_context_threshold), text=f"{listed.long_context_threshold}"
        )
        found["long_context"] = LongContext(
            above=above,
            **{
                f"{side}_price": quoted(f"long_context.{side}_price", value)
                for side in ("input", "output")
                if (value := getattr(listed, f"long_context_{side}_price")) is not None
            },
        )
    return supply.model_copy(update=found)
