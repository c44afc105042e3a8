"""Scenarios drawn at random, as they would stand in a file.

Every choice that the model knows comes up often: chains, busy billing, calendar hours, unknown
throughput, foreign currencies, no demand, zero rates, lives shorter and longer than the horizon.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

SECONDS_OF_A_MONTH = 3600 * 730
HORIZONS = (1, 12, 13, 24, 29, 36, 36, 37, 48, 60)
CARDS = ("rtx-4090", "a100-40gb", "a100-80gb", "h100-sxm")
UNKNOWN_CARD = "prototype-x"


def scenarios(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """``count`` scenarios; the same seed gives the same ones.

    >>> [one["name"] for one in scenarios(1, 2)]
    ['drawn 1', 'drawn 2']
    """
    random = Random(seed)
    for number in range(1, count + 1):
        yield Draw(random).scenario(f"drawn {number}")


def write(scenario: dict[str, Any], folder: Path) -> Path:
    """Write a scenario as a file; JSON is YAML."""
    path = folder / f"{scenario['name'].replace(' ', '-')}.yaml"
    path.write_text(json.dumps(scenario, indent=1), encoding="utf-8")
    return path


class Draw:
    """One scenario in the making."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.foreign = self.chance(0.35)
        self.rates_known = self.chance(0.8)

    def scenario(self, name: str) -> dict[str, Any]:
        """Everything of a file."""
        random = self.random
        drawn: dict[str, Any] = {"name": name, "months": random.choice(HORIZONS)}
        drawn["currency"] = random.choice(("USD", "USD", "USD", "CNY", "GBP"))
        if self.foreign:
            drawn["exchange_rates"] = {"EUR": self.between(0.5, 9, 3)}
        if self.chance(0.35):
            drawn["hours_per_month"] = "calendar"
            drawn["start"] = f"{random.randint(2023, 2028)}-{random.randint(1, 12):02}"
        elif self.chance(0.3):
            drawn["hours_per_month"] = random.choice((720, 744, 500.5, 730))
        if self.chance(0.8):
            drawn["discount_rate"] = random.choice((0, 0, -0.05, 0.03, 0.085, 0.1, 0.25))
        if self.chance(0.7):
            drawn["staff"] = {"hourly_cost": self.money(20, 200)}
            if self.chance(0.1):
                drawn["staff"] = {"hourly_cost": 0}
        self.has_staff = "staff" in drawn
        self.demand = self._demand()
        if self.demand is not None:
            drawn["demand"] = self.demand
        site = {
            "electricity_price": self.money(0.02, 0.6, 4),
            "pue": self.between(1, 2, 2),
            "utilisation": self.between(0, 1, 2),
        }
        kept = {key: value for key, value in site.items() if self.chance(0.7)}
        if kept:
            drawn["site"] = kept
        drawn["hardware"] = {
            card: self._hardware(card) for card in (*CARDS, UNKNOWN_CARD) if self.chance(0.6)
        } or {UNKNOWN_CARD: self._hardware(UNKNOWN_CARD)}
        self.cards = sorted({*CARDS, *drawn["hardware"]} if self.chance(0.8) else CARDS)
        drawn["options"] = self._options(drawn["hardware"])
        drawn["other_costs"] = self._other_costs(list(drawn["options"]))
        if self.chance(0.4):
            drawn["baseline"] = random.choice(list(drawn["options"]))
        return drawn

    def chance(self, probability: float) -> bool:
        """True as often as ``probability`` says."""
        return self.random.random() < probability

    def between(self, low: float, high: float, digits: int) -> float:
        """A number with few digits."""
        return round(self.random.uniform(low, high), digits)

    def quantity(self, value: float) -> Any:
        """A number, or now and then a mapping with its provenance."""
        if self.chance(0.8):
            return value
        return {"value": value, "source": "drawn", "basis": "assumed"}

    def money(self, low: float, high: float, digits: int = 2) -> Any:
        """An amount, in a foreign currency where the scenario has one."""
        value = self.between(low, high, digits)
        if self.foreign and self.chance(0.4):
            return {"value": value, "currency": "EUR"}
        return self.quantity(value)

    def _demand(self) -> dict[str, Any] | None:
        kind = self.random.random()
        if kind < 0.10:
            return None
        if kind < 0.14:
            return {"input_tokens": self.random.choice((0, 40_000_000))}
        if kind < 0.20:
            return {"output_tokens": 0}
        if kind < 0.24:
            # Just what one, two or three cards of 1,000 tokens a second write in 730 hours.
            return {"output_tokens": 1000 * SECONDS_OF_A_MONTH * self.random.randint(1, 3)}
        tokens = round(10 ** self.random.uniform(6.5, 10.6)) if self.chance(0.6) else 6_500_000_000
        demand: dict[str, Any] = {"output_tokens": self.quantity(tokens)}
        if self.chance(0.4):
            demand["input_tokens"] = self.random.choice((0, 30_000_000, 7_654_321_000))
            demand["load"] = "flat"
        return demand

    def _hardware(self, card: str) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if card == UNKNOWN_CARD or self.chance(0.3):
            fields["tdp"] = self.random.choice((250, 450, 600.5, 1000))
        if self.chance(0.8):
            fields["price"] = self.money(1000, 30000, 0)
        if self.rates_known and self.chance(0.8):
            fields["output_rate"] = self.random.choice((1000, self.between(50, 2500, 1)))
        if self.chance(0.3):
            fields["idle_power"] = self.random.choice((0, 20, 61.5))
        if self.chance(0.3):
            fields["active_power"] = self.random.choice((200, 333.3, 410))
        if self.chance(0.3):
            fields["utilisation"] = self.between(0, 1, 2)
        if self.chance(0.4):
            fields["life_months"] = self.random.choice((1, 7, 24, 36, 60, 84))
        if self.chance(0.3):
            fields["salvage"] = self.money(0, 50)
        return fields

    def _options(self, hardware: dict[str, Any]) -> dict[str, Any]:
        # The first one can always be costed, so that no scenario is without an answer.
        card = self.random.choice(CARDS)
        sure = self._own(card)
        sure["price"] = self.money(1000, 9000, 0)
        rate = sure.get("output_rate", hardware.get(card, {}).get("output_rate"))
        if self.demand is not None and rate is not None and not self.demand.get("output_tokens"):
            sure = {"api": "gpt-4o", "output_price": 3, "input_price": 1}
        options: dict[str, Any] = {"sure": sure}
        if "own" in sure and self.chance(0.7):
            twin = self._rent(card)
            twin["count"] = sure["count"]
            options["twin rented"] = twin
        for kind, likely in (("own", 0.5), ("rent", 0.6), ("api", 0.85), ("api again", 0.25)):
            if self.chance(likely):
                options[kind] = self._supply(kind.split()[0])
        for number in range(1, self.random.choice((1, 2, 3, 3))):
            kinds = self.random.choice(
                (
                    ("own", "api"),
                    ("rent", "api"),
                    ("own", "rent"),
                    ("own", "rent", "api"),
                    ("own", "own", "rent"),
                    ("api", "own"),
                )
            )
            options[f"chain {number}"] = [self._link(kind) for kind in kinds]
        if self.chance(0.3):
            options = dict(self.random.sample(sorted(options.items()), len(options)))
        return options

    def _supply(self, kind: str) -> dict[str, Any]:
        if kind == "api":
            return self._api()
        card = self.random.choice(self.cards)
        return self._own(card) if kind == "own" else self._rent(card)

    def _link(self, kind: str) -> dict[str, Any]:
        """A supply of a chain, seldom without what a chain needs."""
        supply = self._supply(kind)
        if kind != "api" and self.chance(0.9):
            supply.setdefault("price", self.random.randint(1, 4) * (1000 if kind == "own" else 1))
            supply.setdefault("output_rate", self.between(50, 2500, 1))
        return supply

    def _own(self, card: str) -> dict[str, Any]:
        fields: dict[str, Any] = {"own": card, "count": self.random.randint(1, 4)}
        if self.chance(0.7):
            fields["price"] = self.money(1000, 30000, 0)
        for name, low, high, digits in (
            ("tdp", 200, 800, 0),
            ("idle_power", 5, 60, 1),
            ("active_power", 100, 700, 1),
            ("utilisation", 0, 1, 2),
            ("pue", 1, 2, 2),
        ):
            if self.chance(0.2):
                fields[name] = self.quantity(self.between(low, high, digits))
        if self.chance(0.2):
            fields["electricity_price"] = self.money(0.01, 0.9, 4)
        if self.chance(0.3):
            fields["life_months"] = self.random.choice((5, 12, 48, 60, 100))
        if self.chance(0.3):
            fields["salvage"] = self.money(0, 50)
        return self._served(fields)

    def _rent(self, card: str) -> dict[str, Any]:
        fields: dict[str, Any] = {"rent": card, "count": self.random.randint(1, 4)}
        if self.chance(0.92):
            median = self.between(0.1, 4, 2)
            if self.chance(0.5):
                fields["price"] = {"median": median, "minimum": round(median / 2, 3)}
                if self.foreign and self.chance(0.5):
                    fields["price"]["currency"] = "EUR"
            else:
                fields["price"] = median
        if self.chance(0.4):
            fields["billed"] = "busy"
        elif self.chance(0.3):
            fields["billed"] = "held"
        if self.chance(0.2):
            fields["utilisation"] = self.between(0, 1, 2)
        return self._served(fields)

    def _api(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"api": self.random.choice(("gpt-4o", "deepseek-v3.2"))}
        if self.chance(0.96):
            fields["output_price"] = self.money(0.2, 20)
        if self.chance(0.85):
            fields["input_price"] = self.money(0.05, 5)
        return self._staffed(fields)

    def _served(self, fields: dict[str, Any]) -> dict[str, Any]:
        if self.rates_known and self.chance(0.7):
            fields["output_rate"] = self.quantity(
                self.random.choice((1000, self.between(50, 2500, 1)))
            )
        return self._staffed(fields)

    def _staffed(self, fields: dict[str, Any]) -> dict[str, Any]:
        if self.has_staff and self.chance(0.5):
            fields["staff_hours_per_month"] = self.quantity(self.between(0, 40, 1))
        if self.chance(0.2):
            fields["published"] = {"per_month": self.money(10, 2000, 0), "source": "drawn"}
        return fields

    def _other_costs(self, options: list[str]) -> list[dict[str, Any]]:
        drawn = []
        for number in range(self.random.choice((0, 0, 1, 2, 3))):
            other: dict[str, Any] = {
                "name": f"other {number}",
                "amount": self.money(0, 3000),
                "per": self.random.choice(("once", "month", "year")),
            }
            if self.chance(0.6):
                other["options"] = self.random.sample(options, self.random.randint(1, len(options)))
            drawn.append(other)
        return drawn
