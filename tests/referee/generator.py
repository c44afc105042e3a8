"""Scenarios drawn at random, as they would stand in a file.

Every choice that the model knows comes up often: chains, busy billing, calendar hours, unknown
throughput, foreign currencies, no demand, zero rates, lives shorter and longer than the horizon,
workloads that grow, loads with a shape, cards by the replica, rent by the session, API bills by
class and tier, purchases by quote, loan and lease, and taxes of two countries.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from tco.scenario.document import Block, Document, Items, Node, Scalar
from tco.scenario.loading import _read_tree
from tco.scenario.schema import Scenario

SECONDS_OF_A_MONTH = 3600 * 730
HORIZONS = (1, 2, 5, 12, 12, 13, 18, 24, 29, 36)
CARDS = ("rtx-4090", "a100-40gb", "a100-80gb", "h100-sxm")
UNKNOWN_CARD = "prototype-x"
MODELS = ("llama-3-8b", "llama-3-70b", "mistral-7b-v0.1", "deepseek-v3", "own-model")
WORK_FIELDS = {"output_rate", "throughput", "tasks_per_hour", "hours_per_task", "speed_up"}
COVERED = ("electricity_price", "electricity_price_path", "pue", "demand_charge")
"""What an all-in price of colocation covers."""
NOW = "now"
"""The option that serves the work today, where a part of it stays."""


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


def read(scenario: dict[str, Any]) -> Scenario:
    """A scenario as `load` reads it from its file, without the scanner: in half of the time."""
    root = _node(scenario)
    assert isinstance(root, Block)
    return _read_tree(Document(f"{scenario['name']}.yaml", root, ()), (), [])


def _node(value: Any) -> Node:
    if isinstance(value, dict):
        block = Block(1)
        block.update((str(key), _node(item)) for key, item in value.items())
        return block
    if isinstance(value, list):
        items = Items(1)
        items.extend(map(_node, value))
        return items
    return Scalar(value, False, 1) if isinstance(value, str) else Scalar(json.dumps(value), True, 1)


class Draw:
    """One scenario in the making."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.foreign = self.chance(0.35)
        self.rates_known = self.chance(0.8)

    def scenario(self, name: str) -> dict[str, Any]:
        """Everything of a file."""
        random = self.random
        self.months = random.choice(HORIZONS)
        drawn: dict[str, Any] = {"name": name, "months": self.months}
        self.currency = random.choice(("USD",) * 3 + ("CNY",) * 4 + ("GBP",))
        drawn["currency"] = self.currency
        # most words of finance at once, or none
        self.financial = self.chance(0.9)
        self.upkeep = random.choice(("maintenance", "failures"))
        self.place = random.choice(("plain", "plain", "room", "metered", "all-in"))
        if self.foreign:
            drawn["exchange_rates"] = {"EUR": self.between(0.5, 9, 3)}
        # not billing failures is only for workloads that fail alike
        self.retries = random.choice((None, None, 0.05, 0.2))
        self.has_start = self.chance(0.6)
        if self.has_start:
            drawn["start"] = f"{random.randint(2024, 2027)}-{random.randint(1, 12):02}"
            if self.maybe(0.6):
                drawn["fiscal_year_end"] = random.randint(1, 12)
        if self.has_start and self.chance(0.5):
            drawn["hours_per_month"] = "calendar"
        elif self.chance(0.3):
            drawn["hours_per_month"] = random.choice((720, 744, 500.5, 730))
        if self.chance(0.8):
            drawn["discount_rate"] = random.choice((0, 0, -0.05, 0.03, 0.085, 0.1, 0.25))
        if self.maybe(0.5):
            drawn["cash_timing"] = random.choice(("mid-month", "year-end", "month-end"))
        if self.maybe(0.85):
            drawn["tax"] = self._tax()
        if self.chance(0.7):
            drawn["staff"] = {"hourly_cost": self.money(20, 200)}
            if self.chance(0.1):
                drawn["staff"] = {"hourly_cost": 0}
        self.has_staff = "staff" in drawn
        self.kind = random.choice(("tokens",) * 5 + ("tasks", "gpu_hours"))
        self.has_present = self.chance(0.4)
        self.demand = self._demand()
        if self.demand is None:
            self.kind = "tokens"
        else:
            drawn["demand"] = self.demand
            if int(name.split()[-1]) % 3 == 0:
                self.demand |= {"requests": 12500, "customers": 40}
        given = (self.demand or {}).get("workloads", {"": self.demand or {}}).values()
        self.has_input = any(one.get("input_tokens") for one in given)
        self.has_output = any(
            one.get("output_tokens") or one.get("reasoning_tokens") for one in given
        )
        self.has_sizes = "request_sizes" in (self.demand or {})
        site = self._site()
        if site:
            drawn["site"] = site
        self.hardware = drawn["hardware"] = {
            card: self._hardware(card) for card in (*CARDS, UNKNOWN_CARD) if self.chance(0.6)
        } or {UNKNOWN_CARD: self._hardware(UNKNOWN_CARD)}
        self.cards = sorted({*CARDS, *drawn["hardware"]} if self.chance(0.8) else CARDS)
        drawn["models"] = {
            "own-model": {
                "parameters": self.between(1, 40, 1), "layers": 40, "heads": 24,
                "kv_heads": random.choice((2, 3, 8)), "head_dim": 128,
            }
        }  # fmt: skip
        drawn["options"] = self._options(drawn["hardware"])
        drawn["other_costs"] = self._other_costs(list(drawn["options"]))
        if self.chance(0.4):
            drawn["baseline"] = random.choice(list(drawn["options"]))
        return drawn

    def chance(self, probability: float) -> bool:
        """True as often as ``probability`` says."""
        return self.random.random() < probability

    def maybe(self, probability: float) -> bool:
        """As ``chance``, and never where the scenario has no word of finance."""
        return self.chance(probability) and self.financial

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

    def _site(self) -> dict[str, Any]:
        """Where owned cards stand."""
        site: dict[str, Any] = {
            "electricity_price": self.money(0.02, 0.6, 4),
            "pue": self.between(1, 2, 2),
            "utilisation": self.between(0, 1, 2),
        }
        site = {key: value for key, value in site.items() if self.chance(0.7)}
        if self.maybe(0.7):
            site["electricity_price_path"] = self._path()
        if self.maybe(0.45):
            site["demand_charge"] = {"price": self.money(5, 20)}
            if self.chance(0.6):
                site["demand_charge"]["ratchet"] = 0.8
            if self.chance(0.5):
                site["demand_charge"]["peak_kw"] = [
                    {"month": 1, "kw": self.between(0.5, 3, 2)},
                    {"month": 3, "kw": self.between(0.5, 9, 2)},
                    {"month": self.random.randint(4, 20), "kw": self.between(0, 3, 2)},
                ]
        if not self.financial or self.place == "plain":
            return site
        if self.place == "room":
            return site | {"room_cost": self.money(10, 500)}
        if self.place == "all-in":
            for covered in COVERED:
                site.pop(covered, None)
        return site | {"colocation": self._colocation(self.place)}

    def _colocation(self, kind: str) -> dict[str, Any]:
        fields: dict[str, Any] = {"kind": kind, "price": self.money(80, 300)}
        if self.chance(0.5):
            fields["contracted_kw"] = self.between(1, 12, 1)
        return fields

    def _path(self) -> dict[str, Any]:
        """How a price changes over the months."""
        kind = self.random.random()
        if kind < 0.55:
            path: dict[str, Any] = {
                "change_per_year": self.random.choice((-0.4, -0.15, 0.05, 0.38))
            }
            if self.chance(0.8):
                path["by"] = self.random.choice(("month", "year"))
            return path
        if kind < 0.77:
            return {
                "steps": [
                    {"month": self.random.randint(1, 5), "factor": self.between(0.5, 1.5, 2)},
                    {"month": self.random.randint(6, 18), "factor": self.between(0.2, 1.5, 2)},
                ]
            }
        return {
            "level": self.between(0.3, 1.4, 2),
            "reverting_per_month": self.random.choice((0.02, 0.1, 0.5)),
        }

    def _tax(self) -> dict[str, Any]:
        """Tax, with the rules of the country of the currency."""
        tax: dict[str, Any] = {"rate": self.random.choice((0.15, 0.21, 0.25))}
        if self.chance(0.25):
            tax["paid"] = "month"
        else:
            if self.chance(0.3):
                tax["paid"] = "year-end"
            if self.chance(0.7):
                tax["lag_months"] = self.random.choice((0, 1, 4, 5, 15))
            losses = self.random.choice(("", "elsewhere") + ("carried", "worthless") * 2)
            if losses:
                tax["losses"] = losses
            if losses in ("carried", "worthless") and self.chance(0.85):
                tax["profit_per_year"] = self.money(1000, 90000, 0)
            if losses == "carried" and self.chance(0.9):
                tax["loss_limit"] = 0.8
        if self.chance(0.6):
            tax["depreciation"] = self._tax_depreciation()
        return tax

    def _tax_depreciation(self) -> dict[str, Any]:
        methods = {
            "USD": ("macrs", "macrs-mid-quarter"),
            "CNY": ("china-straight-line", "china-shortened", "china-declining", "china-one-off"),
        }.get(self.currency, ())
        method = self.random.choice(
            (*methods * 5, "book", *("straight-line", "declining", "table") * 2)
        )
        given: dict[str, Any] = {"method": method}
        if method == "table":
            given["shares"] = [0.4, 0.3, 0.2, 0.1]
        if method in ("straight-line", "declining") and self.chance(0.6):
            given["life_months"] = self.random.choice((6, 24, 60))
        if method.startswith("china") and method != "china-one-off" and self.chance(0.4):
            given["life_months"] = self.random.choice((36, 48))
        if method in ("straight-line", "declining") or method in methods[:3]:
            if "macrs" in method:
                if self.chance(0.5):
                    given["bonus"] = self.random.choice((0.4, 1))
            elif self.chance(0.4):
                given["residual"] = self.random.choice((0, 0.05, 0.1))
        if method == "declining" and self.chance(0.5):
            given["factor"] = 1.5
        return given

    def _demand(self) -> dict[str, Any] | None:
        kind = self.random.random()
        if kind < 0.06:
            return None
        if kind < 0.26:
            demand: dict[str, Any] = {
                "workloads": {
                    name: self._workload()
                    for name in self.random.sample(("chat", "search", "code"), 2)
                }
            }
        elif self.kind == "tokens" and kind < 0.29:
            demand = {"input_tokens": self.random.choice((0, 40_000_000)), "retries": 0.05}
        elif self.kind == "tokens" and kind < 0.32:
            demand = {"output_tokens": 0}
        elif self.kind == "tokens" and kind < 0.35:
            # Just what one, two or three cards of 1,000 tokens a second write in 730 hours.
            demand = {"output_tokens": 1000 * SECONDS_OF_A_MONTH * self.random.randint(1, 3)}
        else:
            demand = self._workload()
        shape = self.random.random()
        if shape < 0.15:
            demand["load"] = "office-hours"
        elif shape < 0.40:
            hours = self.random.choice((2, 6, 24))
            demand["load"] = [self.random.choice((0, 1, 1, 2, 5, 3.5)) for _ in range(hours)]
            demand["load"][-1] = 4
            if hours == 6 and demand["load"][0] <= 1:
                # not drawn, so that the scenarios after this one stay what they are
                shares = [0.05, 0.1, 0.15, 0.2, 0.2, 0.3]
                demand["load"] = {"loads": demand["load"], "shares": shares}
        elif shape < 0.55:
            demand["peak_to_mean"] = self.quantity(self.random.choice((1.5, 3, 20, 100)))
        elif self.chance(0.3):
            demand["load"] = "flat"
        if self.kind == "tokens" and self.chance(0.5):
            demand["request_sizes"] = [
                {"prompt_tokens": 2000, "share": 0.6},
                {"prompt_tokens": 50000, "share": 0.3},
                {"prompt_tokens": 200000, "share": 0.1},
            ]
        return demand

    def _workload(self) -> dict[str, Any]:
        """One kind of work, of the kind that the scenario counts."""
        given: dict[str, Any] = {}
        if self.kind == "tasks":
            given |= {"tasks": self.random.randint(10, 20000), "task": "image"}
        elif self.kind == "gpu_hours":
            given |= {"gpu_hours": self.random.randint(50, 4000), "card": "rtx-4090"}
        else:
            tokens = round(10 ** self.random.uniform(6.5, 10.2))
            given["output_tokens"] = self.quantity(tokens)
            if self.chance(0.25):
                given["reasoning_tokens"] = 10 * self.random.randint(0, tokens // 10)
            if self.chance(0.55):
                given["input_tokens"] = self.random.choice((0, 30_000_000, 7_654_321_000))
                self._caches(given)
        growth = self.random.random()
        if growth < 0.2:
            given["growth_per_year"] = self.random.choice((-0.3, 0.5, 0.95))
        elif growth < 0.35:
            given["growth_per_month"] = self.random.choice((-0.1, 0.02, 0.08))
        elif growth < 0.5:
            given["growth"] = [
                {"month": 1, "factor": 1},
                {"month": self.random.randint(2, 9), "factor": self.between(0.2, 3, 2)},
                {"month": self.random.randint(10, 20), "factor": self.between(0.2, 3, 2)},
            ]
        if self.has_start and self.chance(0.4):
            given["season"] = [self.random.choice((0, 1, 1, 1, 2, 1.5)) for _ in range(12)]
            given["season"][self.random.randrange(12)] = 1.25
        if self.retries is not None:
            given["retries"] = self.retries
        elif self.chance(0.1):
            given["retries"] = self.random.choice((0.05, 0.2))
        if self.chance(0.25):
            given["replacement"] = self.random.choice(MODELS)
        if self.has_present:
            given["present"] = NOW
            if self.chance(0.8):
                given["addressable"] = self.random.choice((0, 0.4, 0.75, 0.9, 1))
        return given

    def _caches(self, given: dict[str, Any]) -> None:
        left = given["input_tokens"]
        for name in ("cache_read", "cache_write", "cache_write_1h"):
            if left and self.chance(0.4):
                given[f"{name}_tokens"] = round(left * self.between(0.05, 0.6, 2))
                left -= given[f"{name}_tokens"]

    def _hardware(self, card: str) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if card == UNKNOWN_CARD or self.chance(0.3):
            fields["tdp"] = self.random.choice((250, 450, 600.5, 1000))
        if self.chance(0.8):
            fields["price"] = self.money(1000, 30000, 0)
        if self.rates_known and self.chance(0.8):
            fields |= self._rate()
        if self.chance(0.2):
            fields["memory_gb"] = self.random.choice((12, 48, 96))
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
        return fields | self._purchase(0.12)

    def _purchase(self, likely: float) -> dict[str, Any]:
        """What belongs to a purchase, said of a card or of a supply."""
        random = self.random
        fields: dict[str, Any] = {}
        if self.maybe(likely * 1.5):
            fields["purchase"] = self._purchase_parts()
        if self.maybe(likely * 2):
            fields["depreciation"] = self._depreciation()
        if self.maybe(likely * 4):
            fields["tax_depreciation"] = self._tax_depreciation()
        if self.maybe(likely * 1.5):
            fields[self.upkeep] = {"warranty_months": random.choice((0, 3, 12))}
            if self.upkeep == "maintenance" or self.chance(0.45):
                fields[self.upkeep]["share_per_year"] = self.between(0.02, 0.12, 2)
            else:
                fields[self.upkeep] |= {"events": 220, "gpus": 16384, "days": 54}
            if self.upkeep == "failures" and self.chance(0.6):
                fields[self.upkeep]["replacement_price"] = self.money(500, 9000, 0)
        if self.maybe(likely):
            fields["licences"] = {"price_per_year": self.money(100, 4500, 0)}
        if self.maybe(likely):
            fields["insurance"] = {"share_per_year": 0.012}
        if self.maybe(likely * 2):
            fields["residual_value"] = self._residual_value()
        if self.maybe(likely * 1.5):
            fields["host_power"] = random.choice((40, 85.5))
        return fields

    def _purchase_parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = {
            name: self.money(20, 900, 0)
            for name in ("host", "network", "rack_and_cooling", "installation", "shipping")
            if self.chance(0.6)
        }
        if self.chance(0.6):
            parts["discount"] = 0.08
        if self.chance(0.6):
            parts["duty"] = 0.05
        if self.chance(0.85):
            parts["vat"] = {"rate": 0.13, "recoverable": self.random.choice(("yes", "no"))}
            if parts["vat"]["recoverable"] == "yes" and self.chance(0.8):
                parts["vat"]["refund_months"] = self.random.choice((0, 1, 2, 14))
        if self.chance(0.6) or not parts:
            parts["spares"] = self.random.randint(1, 2)
        return parts

    def _depreciation(self) -> dict[str, Any]:
        given: dict[str, Any] = {
            "method": self.random.choice(("straight-line", "declining", "declining", "table"))
        }
        if self.chance(0.5):
            given["start"] = "next-month"
        if given["method"] == "declining":
            if self.chance(0.5):
                given["factor"] = 1.5
            if self.chance(0.6):
                given["switch"] = self.random.choice(("no", "no", "yes"))
        if given["method"] == "table":
            given["written_off"] = [
                {"months": 6, "share": 0.4},
                {"months": 15, "share": 0.7},
                {"months": self.random.choice((20, 36)), "share": 1},
            ]
        return given

    def _residual_value(self) -> dict[str, Any]:
        ages = [{"months": 12, "share": 0.7}, {"months": 30, "share": 0.25}]
        if self.chance(0.3):
            ages.insert(0, {"months": 0, "share": 0.9})
        given: dict[str, Any] = self.random.choice(
            ({"by_age": ages}, {"loss_per_year": 0.3}, {"amount": self.money(50, 600, 0)})
        )
        if self.chance(0.6):
            given["sale_cost"] = 0.1
        return given

    def _rate(self) -> dict[str, Any]:
        """What one card does, for the kind of work that the scenario counts."""
        random = self.random
        if self.kind == "tasks":
            if self.chance(0.5):
                return {"tasks_per_hour": self.between(0.5, 300, 1)}
            return {"hours_per_task": self.between(0.01, 2, 3)}
        if self.kind == "gpu_hours":
            return {"speed_up": self.between(0.5, 4, 2)}
        if self.chance(0.7):
            return {"output_rate": self.quantity(random.choice((1000, self.between(50, 2500, 1))))}
        gpus = random.choice((1, 1, 2, 4))
        together = {"gpus": gpus} if gpus > 1 else {}
        if gpus > 1 and self.chance(0.4):
            together["tensor_parallel"] = random.choice((gpus, 2))
        if self.chance(0.35):
            return {"throughput": [{"output_rate": self.between(50, 5000, 1), **together}]}
        decode, prefill = self.between(200, 3000, 0), self.between(2000, 30000, 0)
        points = []
        for prompt, answer in ((128, 1024), (1024, 256), (4000, 500))[: random.choice((2, 3))]:
            seconds = 1 / decode + prompt / answer / prefill * self.between(0.97, 1.03, 3)
            points.append(
                {
                    "output_rate": round(gpus / seconds, 2),
                    "input_length": prompt,
                    "output_length": answer,
                    **together,
                }
            )
        return {"throughput": points}

    def _options(self, hardware: dict[str, Any]) -> dict[str, Any]:
        # The first one can always be costed, so that no scenario is without an answer.
        card = self.random.choice(CARDS)
        sure = self._own(card)
        if not {"quote", "already_owned"} & {*sure}:
            sure["price"] = self.money(1000, 9000, 0)
        needs_rate = self.kind != "tokens" or sure["count"] == "auto"
        if self.demand is not None and needs_rate and not WORK_FIELDS & {*sure}:
            sure |= self._rate()
        if self.demand is None and sure["count"] == "auto":
            sure["count"] = 1
        if self.demand is not None and self.kind == "tokens" and not self.has_output:
            sure = {"api": "gpt-4o", "output_price": 3, "input_price": 1}
        options: dict[str, Any] = {"sure": sure}
        if "own" in sure and self.chance(0.6):
            twin = self._rent(card)
            if "reserved" not in twin or sure["count"] != "auto":
                twin["count"] = sure["count"]
            options["twin rented"] = twin
            if "reserved" in twin:
                options["by the hour"] = self._rent(card)
        if self.has_present:
            options[NOW] = self._present()
            if self.chance(0.5):
                options["as today"] = self._staffed({"api": "present"})
        for kind, likely in (("own", 0.75), ("rent", 0.7), ("api", 0.85), ("api again", 0.4)):
            if self.chance(likely):
                options[kind] = self._supply(kind.split()[0])
        for number in range(1, self.random.choice((1, 2, 3))):
            kinds = self.random.choice(
                (
                    ("own", "api"),
                    ("rent", "api"),
                    ("own", "rent"),
                    ("own", "rent", "api"),
                    ("own", "own", "rent"),
                    ("own", "own", "own"),
                    ("api", "own"),
                    ("own", "present"),
                )
            )
            options[f"chain {number}"] = [self._link(kind) for kind in kinds]
        if self.demand is not None and self.chance(0.2):
            for name in ("busy", "busy too"):
                rented = self._rent(self.random.choice(CARDS))
                for word in ("reserved", "sessions", "price_path"):
                    rented.pop(word, None)
                options[name] = rented | {"billed": "busy", "price": self._rental_price()}
        if self.chance(0.3):
            options = dict(self.random.sample(sorted(options.items()), len(options)))
        return options

    def _supply(self, kind: str) -> dict[str, Any]:
        if kind == "present":
            return {"api": "present"} if self.has_present else self._api()
        if kind == "api":
            return self._api()
        card = self.random.choice(self.cards)
        return self._own(card) if kind == "own" else self._rent(card)

    def _link(self, kind: str) -> dict[str, Any]:
        """A supply of a chain, seldom without what a chain needs."""
        supply = self._supply(kind)
        if "api" not in supply and self.chance(0.9):
            if "reserved" not in supply:
                price = self.random.randint(1, 4) * (1000 if kind == "own" else 1)
                if not {"quote", "already_owned"} & {*supply}:
                    supply.setdefault("price", price)
            if not WORK_FIELDS & {*supply}:
                supply |= self._rate()
        return supply

    def _own(self, card: str) -> dict[str, Any]:
        fields: dict[str, Any] = {"own": card, "count": self._count(0.35)}
        if self.chance(0.7):
            fields["price"] = self.money(1000, 30000, 0)
        if self.chance(0.3):
            fields["price_change_per_year"] = self.random.choice((-0.2, 0.1))
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
        fields |= self._purchase(0.2)
        if self.maybe(0.15):
            fields["decommissioning"] = self.money(10, 300, 0)
        if fields["count"] != "auto":
            self._sourced(fields)
        self._financed(fields)
        self._housed(fields)
        return self._served(fields)

    def _sourced(self, fields: dict[str, Any]) -> None:
        """Cards by quote, or there already, and cards that are replaced."""
        on_the_card = self.hardware.get(fields["own"], {})
        source = self.random.random()
        if source < 0.3 and self.financial:
            fields.pop("price", None)
            fields["quote"] = self._quote(fields["count"])
        elif source < 0.5 and self.financial and "purchase" not in on_the_card:
            for name in ("price", "salvage", "purchase"):
                fields.pop(name, None)
            fields["already_owned"] = {"resale_value": self.money(100, 2000, 0)}
        residual = fields.get("residual_value", on_the_card.get("residual_value", {}))
        if self.maybe(0.4) and "amount" not in residual:
            fields["refresh"] = {
                "after_months": self.random.choice((3, 3, 6, 12, 12, 5, 24)),
                "price": self.money(500, 6000, 0),
            }

    def _quote(self, count: int) -> dict[str, Any]:
        quote: dict[str, Any] = {
            "items": [{"name": "cards", "amount": self.money(1000 * count, 9000 * count, 0)}],
        }
        if self.chance(0.5):
            quote["items"].append({"name": "switch", "amount": 700, "kind": "network"})
        for _ in range(self.random.choice((0, 1, 1, 2))):
            quote["items"].append(
                {
                    "name": "support", "amount": self.money(100, 3000, 0), "kind": "support",
                    "months": self.random.choice((3, 12, 36)),
                }
            )  # fmt: skip
        if self.chance(0.7) and self.months > 1:
            later = self.random.randint(1, min(self.months, 5))
            quote["payment"] = [{"month": 0, "share": 0.3}, {"month": later, "share": 0.7}]
        if self.chance(0.7) and self.months > 1:
            quote["lead_time_months"] = self.random.randint(1, min(self.months - 1, 4))
        if self.chance(0.3):
            quote["valid_until"] = "2031-12-31"
        return quote

    def _financed(self, fields: dict[str, Any]) -> None:
        """A loan or a lease."""
        quote = fields.get("quote", {})
        one_delivery = not {"payment", "lead_time_months"} & {*quote} and not (
            {"refresh", "already_owned"} & {*fields}
        )
        kind = self.random.random()
        if not self.financial or ("already_owned" in fields and "refresh" not in fields):
            return
        if kind < 0.7 and one_delivery and fields["count"] != "auto":
            lease: dict[str, Any] = {
                "payment": self.money(50, 900, 0),
                "months": self.months + self.random.choice((0, 0, 6)),
                "rate": self.random.choice((0, 0.06, 0.09)),
            }
            if self.chance(0.7):
                lease["paid"] = self.random.choice(("advance", "arrears"))
            if self.chance(0.5):
                lease["buyout"] = self.money(1, 2000, 0)
                lease["months"] = self.random.choice((6, 12, 24, 36))
            if self.chance(0.55):
                lease["residual_rate"] = 0.14
            fields["financing"] = {"lease": lease}
        elif kind < 0.85 and (kind > 0.7 or kind < 0.3):
            loan: dict[str, Any] = {
                "rate": self.random.choice((0, 0.05, 0.08)),
                "months": self.random.choice((6, 12, 24, 48)),
            }
            for name, low, high in (("share", 0.5, 1), ("fee", 0.005, 0.02), ("balloon", 0.1, 0.4)):
                if self.chance(0.5):
                    loan[name] = self.between(low, high, 3)
            if self.chance(0.5):
                loan["grace_months"] = self.random.choice((0, 2, 5))
            if self.chance(0.3):
                loan["paid"] = "advance"
            fields["financing"] = {"loan": loan}

    def _housed(self, fields: dict[str, Any]) -> None:
        """Where the cards of one supply stand, if not where the others do."""
        if self.maybe(0.15):
            fields["colocation"] = self._colocation(self.random.choice(("metered", "all-in")))
        elif self.maybe(0.3):
            fields["electricity_price_path"] = self._path()
        colocation = fields.get("colocation", {"kind": self.place if self.financial else ""})
        if colocation["kind"] == "all-in":
            for covered in COVERED:
                fields.pop(covered, None)

    def _rent(self, card: str) -> dict[str, Any]:
        fields: dict[str, Any] = {"rent": card, "count": self._count(0.35)}
        if self.chance(0.15):
            fields["count"] = self.random.randint(1, 4)
            fields["reserved"] = {
                "price": self._rental_price(),
                "term_months": self.random.choice((1, 3, 12, 24)),
            }
            if self.chance(0.6):
                fields["reserved"]["upfront"] = self.money(10, 2000, 0)
        else:
            if self.chance(0.92):
                fields["price"] = self._rental_price()
                if self.maybe(0.7):
                    fields["price_path"] = self._path()
            fields |= self._billing()
        if self.chance(0.2):
            fields["utilisation"] = self.between(0, 1, 2)
        if self.chance(0.2):
            fields["storage"] = {"gb": 500, "price": self.money(0.02, 0.2)}
        if self.chance(0.2):
            fields["egress"] = {
                "gb_per_month": self.between(1, 900, 0),
                "price": self.money(0.01, 0.2),
            }
        if self.chance(0.15):
            fields["prepaid"] = self._prepaid()
        return self._served(fields)

    def _rental_price(self) -> Any:
        median = self.between(0.1, 4, 2)
        if self.chance(0.5):
            return median
        price: dict[str, Any] = {"median": median, "minimum": round(median / 2, 3)}
        if self.foreign and self.chance(0.5):
            price["currency"] = "EUR"
        return price

    def _billing(self) -> dict[str, Any]:
        """How hours are paid, where not for a term."""
        fields: dict[str, Any] = {}
        billed = self.random.random()
        if billed < 0.65:
            fields["billed"] = "busy" if billed < 0.35 else "needed"
            if self.chance(0.4):
                fields["sessions"] = {"per_month": self.between(1, 60, 0)}
                for name in ("minimum_hours", "increment_hours", "startup_hours"):
                    if self.chance(0.6):
                        fields["sessions"][name] = self.random.choice((0.1, 0.25, 1, 5))
        elif billed < 0.75:
            fields["billed"] = "held"
        if self.chance(0.3):
            fields["spot"] = {
                "hours_between_interruptions": self.between(2, 20, 1),
                "checkpoint_hours": 0.5,
                "restart_hours": self.quantity(0.15),
            }
        return fields

    def _prepaid(self) -> dict[str, Any]:
        prepaid: dict[str, Any] = {"balance": self.money(50, 5000, 0)}
        if self.chance(0.6):
            prepaid["lost_in_month"] = self.random.randint(0, self.months + 2)
        return prepaid

    def _count(self, likely_auto: float) -> Any:
        return "auto" if self.chance(likely_auto) else self.random.randint(1, 4)

    def _present(self) -> dict[str, Any]:
        """What serves the work today: one API, its bill in proportion to the work."""
        fields = self._api()
        for name in ("output_tiers", "input_tiers", "tiering", "commitment", "prepaid"):
            fields.pop(name, None)
        if not self.has_sizes:
            fields.pop("long_context", None)
        needed = {"output_price", "input_price"} if self.kind == "tokens" else {"task_price"}
        if not needed <= {*fields}:
            fields.pop("billing_rate", None)
        if self.kind == "tokens":
            fields.setdefault("output_price", 5)
            fields.setdefault("input_price", 2)
        else:
            fields.setdefault("task_price", 0.5)
        return fields

    def _api(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"api": self.random.choice(("gpt-4o", "deepseek-v3.2"))}
        billing = self._billing_rate()
        if billing:
            fields["billing_rate"] = billing
        listed = "EUR" if billing.endswith("/EUR") else self.currency

        def price(low: float, high: float) -> Any:
            value = self.between(low, high, 2)
            if billing:
                return {"value": value, "currency": listed} if listed == "EUR" else value
            return self.money(low, high)

        if self.kind != "tokens":
            if self.chance(0.96):
                fields["task_price"] = price(0.01, 2)
        elif self.chance(0.3):
            fields |= {"output_price": price(0.2, 20), "input_price": price(0.05, 5)}
            return self._staffed(fields)
        else:
            self._token_prices(fields, price)
        if self.maybe(0.6):
            fields["price_path"] = self._path()
        if self.chance(0.25):
            fields["batch"] = {"share": self.between(0, 1, 2), "discount": 0.5}
        if self.chance(0.2):
            fields["commitment"] = {"amount": self.money(100, 30000, 0)}
            if self.chance(0.6):
                fields["commitment"]["overage_discount"] = 0.1
        if self.chance(0.25):
            fields["fx_fee"] = 0.015
        if self.chance(0.3):
            fields["vat"] = {"rate": 0.06}
            if self.chance(0.7):
                fields["vat"]["recoverable"] = self.random.choice(("no", "no", "yes"))
        if self.chance(0.5):
            fields["retries_billed"] = self.random.choice(("no", "no", "yes"))
        if self.chance(0.15):
            fields["prepaid"] = self._prepaid()
        return self._staffed(fields)

    def _billing_rate(self) -> str:
        if not self.chance(0.25):
            return ""
        rate = self.between(0.5, 1.5, 2)
        if not self.foreign or self.chance(0.3):
            return f"{rate} {self.currency}/{self.currency}"
        if self.chance(0.5):
            return f"{rate} EUR/{self.currency}"
        return f"{rate} {self.currency}/EUR"

    def _token_prices(self, fields: dict[str, Any], price: Callable[[float, float], Any]) -> None:
        tiered = self.chance(0.42)
        if tiered:
            fields["output_tiers"] = self._tiers(price, 0.2, 20)
        elif self.chance(0.96):
            fields["output_price"] = price(0.2, 20)
        if self.has_input and self.chance(0.2):
            fields["input_tiers"] = self._tiers(price, 0.05, 5)
        elif self.chance(0.85):
            fields["input_price"] = price(0.05, 5)
        if tiered and self.chance(0.85):
            words = ("graduated", "all-units", "all-units", "all-units")
            fields["tiering"] = self.random.choice(words)
        for name in ("cache_read", "cache_write", "cache_write_1h"):
            # tiers of input say nothing of caches
            if "input_tiers" in fields or ("input_price" in fields and self.chance(0.5)):
                fields[f"{name}_price"] = price(0.05, 5)
        if self.has_sizes and not tiered and "input_price" in fields and self.chance(0.9):
            fields["long_context"] = {"above": 100000}
            for name in ("output_price", "input_price"):
                if self.chance(0.7):
                    fields["long_context"][name] = price(5, 30)
        if self.chance(0.2):
            fields["tokeniser_factor"] = self.between(0.8, 1.4, 2)
        if self.chance(0.2):
            fields["rate_limit"] = self.between(50, 3000, 0)

    def _tiers(
        self, price: Callable[[float, float], Any], low: float, high: float
    ) -> list[dict[str, Any]]:
        tiers: list[dict[str, Any]] = [{"up_to": 50_000_000, "price": price(low, high)}]
        if self.chance(0.5):
            tiers.append({"up_to": 1_000_000_000, "price": price(low, high)})
        return [*tiers, {"price": price(low, high)}]

    def _served(self, fields: dict[str, Any]) -> dict[str, Any]:
        if self.rates_known and self.chance(0.75):
            fields |= self._rate()
        if self.demand is not None and self.rates_known and self.chance(0.3):
            fields["sizing"] = {"gpus_per_replica": self.random.choice((1, 2, 4))}
            if self.chance(0.5):
                fields["sizing"]["gpus_per_node"] = self.random.choice((2, 4, 8))
            if self.chance(0.4):
                fields["sizing"]["busy_ceiling"] = 0.7
            if self.chance(0.3):
                fields["sizing"]["spare_replicas"] = self.random.randint(0, 1)
            elif self.chance(0.3):
                fields["sizing"]["availability"] = 0.95
        if self.kind == "tokens" and self.chance(0.15):
            fields["tokeniser_factor"] = self.between(0.8, 1.4, 2)
        if self.chance(0.25):
            fields["model"] = self.random.choice((*MODELS, "unheard-of"))
        if self.chance(0.3):
            fields["memory"] = {"precision": self.random.choice(("fp16", "fp8", "int4"))}
            if self.chance(0.7):
                fields["memory"]["context"] = self.random.choice((2048, 8192, 131072))
            if self.chance(0.5):
                fields["memory"]["sequences"] = self.random.choice((1, 4, 16))
            if self.chance(0.2):
                fields["memory"]["overhead_gb"] = 3
            if self.chance(0.2):
                fields["memory"]["usable_share"] = 0.95
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
