"""How a scope gets its inputs: from the first place that gives the number, else by default.

Amounts in another currency keep a cell of their own and are converted by a line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tco.engine.graph import Scope
from tco.model import exchange
from tco.scenario import defaults
from tco.scenario.inputs import Inputs
from tco.scenario.schema import Quantity, Scenario

CONVERSIONS: dict[str, Callable[..., Any]] = {
    "own.price": exchange.gpu_price,
    "salvage": exchange.gpu_price,
    "upfront": exchange.gpu_price,
    "rent.price": exchange.gpu_hour_price,
    "rent.minimum": exchange.gpu_hour_price,
    "output_price": exchange.volume_price,
    "input_price": exchange.volume_price,
    "cache_read_price": exchange.volume_price,
    "cache_write_price": exchange.volume_price,
    "cache_write_1h_price": exchange.volume_price,
    "long_output_price": exchange.volume_price,
    "long_input_price": exchange.volume_price,
    "tier_price": exchange.volume_price,
    "task_price": exchange.volume_price,
    "electricity_price": exchange.kilowatt_hour_price,
    "hourly_cost": exchange.staff_hour_cost,
    "storage_price": exchange.gigabyte_month_price,
    "egress_price": exchange.gigabyte_price,
    "amount": exchange.amount,
    "balance": exchange.amount,
    "commitment": exchange.amount_per_month,
    "published_per_month": exchange.amount_per_month,
    "host": exchange.gpu_price,
    "network": exchange.gpu_price,
    "rack_and_cooling": exchange.gpu_price,
    "installation": exchange.gpu_price,
    "shipping": exchange.gpu_price,
    "resale_value": exchange.gpu_price,
    "refresh_price": exchange.gpu_price,
    "replacement_price": exchange.gpu_price,
    "residual_amount": exchange.gpu_price,
    "decommissioning": exchange.gpu_price,
    "licence_price_per_year": exchange.gpu_year_price,
    "item_amount": exchange.amount,
    "buyout": exchange.amount,
    "lease_payment": exchange.amount_per_month,
    "room_cost": exchange.amount_per_month,
    "profit_per_year": exchange.amount_per_year,
    "colocation_price": exchange.kilowatt_month_price,
    "demand_charge": exchange.kilowatt_month_price,
}


@dataclass(frozen=True)
class Place:
    """Where a scenario gives a number, or could: the number, its cell's name, path and owner."""

    quantity: Quantity | None
    name: str
    path: str
    owner: str = ""


class Taker:
    """Gives scopes their inputs, and notes the scopes and what shapes them beforehand."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.inputs = Inputs(scenario)
        self.scopes: list[Scope] = []
        self.beforehand: list[str] = []

    @property
    def is_taxed_elsewhere(self) -> bool:
        """Whether every cost saves tax, because there is profit enough elsewhere."""
        return self.scenario.tax is not None and self.scenario.tax.losses == "elsewhere"

    @property
    def is_taxed_by_limits(self) -> bool:
        """Whether costs save tax only up to a profit, so that tax is not in proportion to cost."""
        return self.scenario.tax is not None and self.scenario.tax.losses != "elsewhere"

    def take(
        self,
        scope: Scope,
        field: str,
        *places: Place,
        default: tuple[float, str] | None = None,
        billing: Quantity | None = None,
        known: bool = False,
    ) -> None:
        """Give a scope an input: the first place with a number, else the last with its default.

        ``billing`` is what a reseller bills for one unit of the list price; ``known`` marks a
        default that is a fact of a card or a model.
        """
        parameter = field.rpartition(".")[2]
        place = next((p for p in places if p.quantity is not None), places[-1])
        quantity = place.quantity
        value, why = (None, "") if quantity else default or self.neutral(parameter)
        foreign = quantity is not None and quantity.currency not in (None, self.scenario.currency)
        found = self.inputs.take(
            field,
            quantity,
            path=place.path,
            # a line of the time axis has no other name than its input's
            name=place.name if scope.name or not foreign else f"quoted_{place.name}",
            owner=place.owner,
            default=value,
            why=why,
            foreign=foreign,
            known=known,
        )
        if billing is not None and quantity is not None:
            self._bill(scope, parameter, found, quantity, billing)
        elif not foreign:
            scope.inputs[parameter] = found
        else:
            assert quantity is not None
            self._convert(
                scope,
                parameter,
                CONVERSIONS[field],
                {"quoted": found, "exchange_rate": self.exchange_rate(str(quantity.currency))},
            )

    def _convert(
        self, scope: Scope, parameter: str, function: Callable[..., Any], inputs: dict[str, str]
    ) -> Scope:
        converted = Scope(scope.name, inputs=inputs, functions={parameter: function})
        self.scopes.append(converted)
        scope.aliases[parameter] = converted.line(parameter)
        return converted

    def _bill(
        self, scope: Scope, parameter: str, found: str, listed: Quantity, billing: Quantity
    ) -> None:
        """A list price that is billed at a rate of the seller, then converted."""
        billed_in = billing.currency or self.scenario.currency
        rate = self.inputs.billing_rate(
            billing, f"{scope.name.replace('/', '_')}_billing_rate", listed.currency
        )
        inputs = {"quoted": found, "billing_rate": rate}
        if billed_in == self.scenario.currency:
            self._convert(scope, parameter, exchange.billed_volume_price__reporting, inputs)
        else:
            inputs["exchange_rate"] = self.exchange_rate(billed_in)
            self._convert(scope, parameter, exchange.billed_volume_price__foreign, inputs)

    def exchange_rate(self, currency: str) -> str:
        """The input of an exchange rate."""
        return self.inputs.take(
            "exchange_rate",
            self.scenario.exchange_rates[currency],
            path=f"exchange_rates.{currency}",
            name=f"fx_{currency.lower()}",
            owner=f"{currency} for 1 {self.scenario.currency}",
        )

    def neutral(self, parameter: str) -> tuple[float, str]:
        """The neutral default of a field, and why."""
        known = defaults.neutral(parameter)
        if parameter == "hourly_cost":
            return defaults.staff_yardstick(self.scenario.currency), known.why
        if known.value == "months":
            return float(self.scenario.months), known.why
        assert isinstance(known.value, float), f"{parameter} has no neutral number"
        return known.value, known.why

    def of_scenario(self, name: str) -> Place:
        """A number at the top of the scenario."""
        return Place(getattr(self.scenario, name), name, name)

    def of_site(self, parameter: str) -> Place:
        """A number of the site."""
        given = getattr(self.scenario.site, parameter) if self.scenario.site else None
        return Place(given, parameter, f"site.{parameter}")

    def of_card(self, card: str, parameter: str) -> Place:
        """A number of a card."""
        hardware = self.scenario.hardware.get(card)
        given = getattr(hardware, parameter, None) if hardware else None
        name = f"h{self.inputs.card_number(card)}_{parameter}"
        return Place(given, name, f"hardware.{card}.{parameter}", card)
