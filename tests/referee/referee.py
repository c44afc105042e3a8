"""The model once more, in plain Python floats and loops.

It shares no line with the package: it takes the scenario as it stands in the file (numbers and
mappings) and walks through the months one by one. Where the package and this file differ, one
of them has misread the definitions.

>>> cost({"name": "a", "months": 2, "discount_rate": 0, "options": {
...     "buy": {"own": "rtx-4090", "count": 2, "price": 1599}}})["options"]["buy"]["metrics"][
...     "total_cost"]
3198.0
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass, field
from typing import Any

Metrics = dict[str, float | None]
Lines = dict[str, float | list[float]]

WATTS_OF_KNOWN_CARDS = {
    "rtx-4090": 450.0,
    "a100-40gb": 400.0,
    "a100-80gb": 400.0,
    "h100-sxm": 700.0,
}
YARDSTICK_OF_AN_HOUR = {"USD": 78.125, "CNY": 156.25}
SAME = 1e-9
"""The relative difference below which two amounts count as equal."""


def at_most(one: float, other: float) -> bool:
    """Whether ``one`` is below or equal to ``other``, up to the rounding of the machine.

    >>> at_most(0.1 + 0.2, 0.3), at_most(2.0, 1.0)
    (True, False)
    """
    return one - other <= SAME * max(one, other, 1.0)


@dataclass
class Supply:
    """What one supply does and costs; lists have one entry a month, month 0 first."""

    kind: str
    name: str
    count: float = 0.0
    price: float = 0.0
    input_price: float = 0.0
    minimum: float | None = None
    billed: str = "held"
    output_rate: float | None = None
    capex: float = 0.0
    running: list[float] = field(default_factory=list)
    depreciation: list[float] = field(default_factory=list)
    served_output: list[float] = field(default_factory=list)
    served_input: list[float] = field(default_factory=list)
    gpu_hours: list[float] = field(default_factory=list)
    busy_gpu_hours: list[float] = field(default_factory=list)
    billed_gpu_hours: list[float] = field(default_factory=list)
    staff_hours: float = 0.0
    staff_cost: list[float] = field(default_factory=list)
    electricity_cost: list[float] = field(default_factory=list)
    cost_per_mtok: float = 0.0
    cost_per_busy_gpu_hour: float = 0.0
    capacity_per_hour: float = 0.0
    work_left: list[float] = field(default_factory=list)


@dataclass
class Option:
    """What one option costs; lists have one entry a month, month 0 first."""

    status: str
    supplies: list[Supply] = field(default_factory=list)
    cash_cost: list[float] = field(default_factory=list)
    depreciation: list[float] = field(default_factory=list)
    book_cost: list[float] = field(default_factory=list)
    cumulative_cost: list[float] = field(default_factory=list)
    metrics: Metrics = field(default_factory=dict)


class Market:
    """What all options of a scenario share."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        self.scenario = scenario
        self.currency = scenario.get("currency", "USD")
        self.months = int(scenario.get("months", 36))
        self.hours = [0.0] + [self._hours_of(month) for month in range(1, self.months + 1)]
        annual = self.number(scenario.get("discount_rate"), 0.10)
        monthly = (1 + annual) ** (1 / 12) - 1
        self.discount: list[float] = [(1 + monthly) ** -month for month in range(self.months + 1)]
        self.annuity = sum(self.discount[1:])
        demand = scenario.get("demand")
        self.has_demand = demand is not None
        self.output_tokens = self.number((demand or {}).get("output_tokens"), 0.0)
        self.input_tokens = self.number((demand or {}).get("input_tokens"), 0.0)
        staff = scenario.get("staff") or {}
        yardstick = YARDSTICK_OF_AN_HOUR.get(self.currency, 0.0)
        self.hourly_cost = self.number(staff.get("hourly_cost"), yardstick)

    def number(self, given: Any, default: float) -> float:
        """A number of the file in the reporting currency."""
        if given is None:
            return default
        if not isinstance(given, dict):
            return float(given)
        currency = given.get("currency", self.currency)
        if currency == self.currency:
            return float(given["value"])
        return float(given["value"]) / self.number(self.scenario["exchange_rates"][currency], 1.0)

    def _hours_of(self, month: int) -> float:
        hours = self.scenario.get("hours_per_month", 730)
        if hours != "calendar":
            return self.number(hours, 730.0)
        year, first = (int(part) for part in str(self.scenario["start"]).split("-"))
        months = first - 1 + month - 1
        return 24.0 * calendar.monthrange(year + months // 12, months % 12 + 1)[1]

    def months_of_service(self) -> range:
        """The months with running costs."""
        return range(1, self.months + 1)

    def discounted(self, amounts: list[float]) -> float:
        """The worth of monthly amounts at month 0."""
        return sum(amount * factor for amount, factor in zip(amounts, self.discount, strict=True))


def cost(scenario: dict[str, Any]) -> dict[str, Any]:
    """Cost every option of a scenario, and compare every two of them."""
    market = Market(scenario)
    options = {name: _option(market, name, chain) for name, chain in scenario["options"].items()}
    costed = [name for name in options if options[name].status != "incomplete"]
    return {
        "baseline": _baseline(scenario),
        "demand": _demand(market),
        "options": {
            name: {
                "status": option.status,
                "metrics": option.metrics,
                "monthly": {
                    "cash_cost": option.cash_cost,
                    "depreciation": option.depreciation,
                    "book_cost": option.book_cost,
                    "cumulative_cost": option.cumulative_cost,
                },
                "supplies": [_lines(market, supply) for supply in option.supplies],
            }
            for name, option in options.items()
        },
        "comparisons": {
            (this, other): _comparison(market, options[this], options[other])
            for this in costed
            for other in costed
            if this != other
        },
    }


def _demand(market: Market) -> Lines:
    per_hour = [market.output_tokens / hours if hours else 0.0 for hours in market.hours]
    megatokens = [0.0] + [market.output_tokens / 1e6] * market.months
    return {
        "demanded_rate_per_second": [rate / 3600 for rate in per_hour],
        "highest_demanded_rate": max(per_hour) / 3600,
        "demanded_megatokens": megatokens,
        "total_demanded_megatokens": sum(megatokens),
    }


def _lines(market: Market, supply: Supply) -> Lines:
    """What a supply does month by month, under the names of the report."""
    lines: Lines = {
        "cash_cost": [supply.capex, *supply.running[1:]],
        "staff_cost": supply.staff_cost,
    }
    if market.has_demand:
        lines["served_output_tokens"] = supply.served_output
        lines["served_input_tokens"] = supply.served_input
        limited = supply.capacity_per_hour > 0
        lines["capacity"] = supply.capacity_per_hour if limited else supply.work_left
    if supply.kind != "api":
        lines["gpu_hours"] = supply.gpu_hours
        lines["busy_gpu_hours"] = supply.busy_gpu_hours
        if market.has_demand and supply.output_rate is None:
            rate = max(_per_second(market, supply.served_output))
            lines["required_output_rate"] = rate
            lines["required_output_rate_per_gpu"] = rate / supply.count
        if market.has_demand and supply.output_rate is not None:
            lines["capacity_megatokens"] = _capacity_megatokens(market, supply)
    if supply.kind == "own":
        value, values = 0.0, []
        for month in range(market.months + 1):
            value += (supply.capex if month == 0 else 0.0) - supply.depreciation[month]
            values.append(value)
        lines["book_value"] = values
        lines["electricity_cost"] = supply.electricity_cost
    if supply.minimum is not None:
        lines["rent_at_lowest_offer"] = [
            hours * supply.minimum for hours in supply.billed_gpu_hours
        ]
    return lines


def _per_second(market: Market, tokens: list[float]) -> list[float]:
    return [
        amount / hours / 3600 if hours else 0.0
        for amount, hours in zip(tokens, market.hours, strict=True)
    ]


def _capacity_megatokens(market: Market, supply: Supply) -> float:
    """Output tokens of a month when busy all the time, later months counting less."""
    capable = [supply.capacity_per_hour * hours / 1e6 for hours in market.hours]
    return market.discounted(capable) / market.annuity


def _baseline(scenario: dict[str, Any]) -> str:
    if "baseline" in scenario:
        return str(scenario["baseline"])
    for name, chain in scenario["options"].items():
        if "api" in (chain[0] if isinstance(chain, list) else chain):
            return str(name)
    return str(next(iter(scenario["options"])))


def _option(market: Market, name: str, chain: Any) -> Option:
    given = chain if isinstance(chain, list) else [chain]
    if any(_is_incomplete(market, supply, len(given)) for supply in given):
        return Option("incomplete")
    option = Option("ok")
    months = market.months
    option.cash_cost = [0.0] * (months + 1)
    option.depreciation = [0.0] * (months + 1)
    served = [0.0] * (months + 1)
    share_left = [1.0] * (months + 1)
    capacity = [0.0] * (months + 1)
    for terms in given:
        supply = _supply(market, terms, share_left, capacity)
        option.supplies.append(supply)
        option.cash_cost[0] += supply.capex
        for month in market.months_of_service():
            option.cash_cost[month] += supply.running[month]
            option.depreciation[month] += supply.depreciation[month]
            served[month] += supply.served_output[month]
    for other in market.scenario.get("other_costs", []):
        if "options" in other and name not in other["options"]:
            continue
        amount = market.number(other["amount"], 0.0)
        for month in range(months + 1):
            if (
                (other["per"] == "once" and month == 0)
                or (other["per"] == "month" and month > 0)
                or (other["per"] == "year" and month > 0 and month % 12 == 0)
            ):
                option.cash_cost[month] += amount
    cumulative = 0.0
    capex = sum(supply.capex for supply in option.supplies)
    for month in range(months + 1):
        cumulative += option.cash_cost[month]
        option.cumulative_cost.append(cumulative)
        bought = capex if month == 0 else 0.0
        option.book_cost.append(option.cash_cost[month] - bought + option.depreciation[month])
    unserved = [0.0] + [market.output_tokens - served[m] for m in market.months_of_service()]
    if any(not at_most(market.output_tokens, served[m]) for m in market.months_of_service()):
        option.status = "infeasible"
    option.metrics = _metrics(market, option, served, unserved)
    first_published = given[0].get("published")
    if first_published is not None:
        printed = market.number(first_published["per_month"], 0.0)
        option.metrics["published_difference"] = (option.metrics["cost_per_month"] or 0.0) - printed
    return option


def _is_incomplete(market: Market, terms: dict[str, Any], supplies: int) -> bool:
    if "api" in terms:
        return (
            terms.get("output_price") is None
            or not market.has_demand
            or (market.input_tokens > 0 and terms.get("input_price") is None)
        )
    hardware = _hardware(market, terms)
    price = terms.get("price", hardware.get("price") if "own" in terms else None)
    has_rate = terms.get("output_rate", hardware.get("output_rate")) is not None
    return (
        price is None
        or (market.has_demand and supplies > 1 and not has_rate)
        or (market.has_demand and terms.get("billed") == "busy" and not has_rate)
        or (has_rate and market.input_tokens > 0 and market.output_tokens == 0)
    )


def _hardware(market: Market, terms: dict[str, Any]) -> dict[str, Any]:
    hardware: dict[str, Any] = market.scenario.get("hardware", {})
    card = terms["own"] if "own" in terms else terms["rent"]
    return dict(hardware.get(card, {}))


def _supply(
    market: Market, terms: dict[str, Any], share_left: list[float], capacity: list[float]
) -> Supply:
    """One supply of a chain; what it leaves is noted in ``share_left`` and ``capacity``."""
    kind = next(kind for kind in ("own", "rent", "api") if kind in terms)
    supply = Supply(kind, terms[kind])
    hardware = _hardware(market, terms) if kind != "api" else {}

    def given(field_name: str, default: float) -> float:
        for place in (terms, hardware, market.scenario.get("site", {})):
            if place.get(field_name) is not None:
                return market.number(place[field_name], default)
        return default

    supply.count = float(terms.get("count", 0))
    supply.billed = terms.get("billed", "held")
    if kind != "api" and (terms.get("output_rate") or hardware.get("output_rate")):
        supply.output_rate = given("output_rate", 0.0)
    supply.staff_hours = market.number(terms.get("staff_hours_per_month"), 0.0)
    months = market.months
    for line in (
        supply.running,
        supply.staff_cost,
        supply.electricity_cost,
        supply.work_left,
        supply.depreciation,
        supply.served_output,
        supply.served_input,
        supply.gpu_hours,
        supply.busy_gpu_hours,
        supply.billed_gpu_hours,
    ):
        line.extend([0.0] * (months + 1))

    idle = active = tdp = electricity = pue = life = 0.0
    if kind == "own":
        supply.price = given("price", 0.0)
        supply.capex = supply.price * supply.count
        tdp = given("tdp", WATTS_OF_KNOWN_CARDS.get(supply.name, 0.0))
        idle = given("idle_power", 0.0)
        active = given("active_power", tdp)
        pue = given("pue", 1.0)
        electricity = given("electricity_price", 0.0)
        life = given("life_months", float(months))
        salvage = given("salvage", 0.0)
    elif kind == "rent":
        price = terms["price"]
        if isinstance(price, dict) and "median" in price:
            currency = {"currency": price["currency"]} if "currency" in price else {}
            supply.price = market.number({"value": price["median"], **currency}, 0.0)
            if "minimum" in price:
                supply.minimum = market.number({"value": price["minimum"], **currency}, 0.0)
        else:
            supply.price = market.number(price, 0.0)
    else:
        supply.price = market.number(terms["output_price"], 0.0)
        supply.input_price = market.number(terms.get("input_price"), 0.0)

    measured = market.has_demand and supply.output_rate is not None
    for month in market.months_of_service():
        hours = market.hours[month]
        load = market.output_tokens / hours
        left_before = share_left[month]
        if kind == "api" or supply.output_rate is None:
            left_after = 0.0
            supply.work_left[month] = left_before * load
        else:
            supply.capacity_per_hour = supply.count * supply.output_rate * 3600
            capacity[month] += supply.capacity_per_hour
            left_after = max(load - capacity[month], 0.0) / load if load > 0 else 0.0
            left_after = min(left_after, left_before)
        share_left[month] = left_after
        served = left_before - left_after
        supply.served_output[month] = served * market.output_tokens
        supply.served_input[month] = served * market.input_tokens
        supply.staff_cost[month] = supply.staff_hours * market.hourly_cost
        cost_of_month = supply.staff_cost[month]
        if kind == "api":
            cost_of_month += supply.served_output[month] / 1e6 * supply.price
            cost_of_month += supply.served_input[month] / 1e6 * supply.input_price
        else:
            if measured and supply.output_rate is not None:
                busy = supply.served_output[month] / (supply.capacity_per_hour * hours)
            else:
                busy = given("utilisation", 0.70)
            supply.gpu_hours[month] = supply.count * hours
            supply.busy_gpu_hours[month] = supply.count * hours * busy
        if kind == "own":
            watts = idle + (active - idle) * busy if measured else tdp * busy
            kilowatts = supply.count * watts / 1000
            supply.electricity_cost[month] = kilowatts * pue * hours * electricity
            cost_of_month += supply.electricity_cost[month]
            if month <= life:
                supply.depreciation[month] = (supply.price - salvage) * supply.count / life
        if kind == "rent":
            hours_paid = supply.gpu_hours if supply.billed == "held" else supply.busy_gpu_hours
            supply.billed_gpu_hours[month] = hours_paid[month]
            cost_of_month += supply.price * hours_paid[month]
        supply.running[month] = cost_of_month

    mtok_per_busy_hour = supply.output_rate * 3600 / 1e6 if supply.output_rate else None
    if kind == "own":
        watts_of_work = active - idle if measured else tdp
        supply.cost_per_busy_gpu_hour = watts_of_work / 1000 * pue * electricity
        if mtok_per_busy_hour:
            supply.cost_per_mtok = (active - idle) / 1000 * pue * electricity / mtok_per_busy_hour
    elif kind == "rent" and supply.billed == "busy" and mtok_per_busy_hour:
        supply.cost_per_mtok = supply.price / mtok_per_busy_hour
    elif kind == "api" and market.output_tokens > 0:
        supply.cost_per_mtok = supply.price
        supply.cost_per_mtok += supply.input_price * market.input_tokens / market.output_tokens
    return supply


def _metrics(market: Market, option: Option, served: list[float], unserved: list[float]) -> Metrics:
    total = sum(option.cash_cost)
    npv = market.discounted(option.cash_cost)
    largest = max(option.cumulative_cost)
    first = next(
        month for month, amount in enumerate(option.cumulative_cost) if at_most(largest, amount)
    )
    megatokens = market.discounted([tokens / 1e6 for tokens in served])
    months = market.months
    gpu_hours = sum(sum(supply.gpu_hours) for supply in option.supplies)
    busy_gpu_hours = sum(sum(supply.busy_gpu_hours) for supply in option.supplies)
    useful_gpu_hours = sum(market.discounted(supply.busy_gpu_hours) for supply in option.supplies)
    metrics: Metrics = {
        "upfront_cost": option.cash_cost[0],
        "running_cost_per_month": sum(option.cash_cost[1:]) / market.months,
        "total_cost": total,
        "cost_per_month": total / market.months,
        "npv_of_cost": npv,
        "equivalent_monthly_cost": npv / market.annuity,
        "total_depreciation": sum(option.depreciation),
        "total_book_cost": sum(option.book_cost),
        "largest_cumulative_cost": largest,
        "largest_cumulative_cost_month": float(first),
        "levelised_cost_per_mtok": npv / megatokens if megatokens > 0 else None,
        "busy_share": busy_gpu_hours / gpu_hours if gpu_hours > 0 else None,
        "total_unserved_tokens": sum(unserved),
        "total_served_tokens": sum(served),
        "average_staff_hours": sum(supply.staff_hours for supply in option.supplies),
        "final_book_value": sum(
            supply.capex - sum(supply.depreciation) for supply in option.supplies
        ),
        "cost_per_useful_gpu_hour": npv / useful_gpu_hours if useful_gpu_hours > 0 else None,
    }
    if len(option.supplies) == 1:
        supply = option.supplies[0]
        volume = megatokens / market.annuity
        volume_cash = sum(served) / 1e6 / months
        variable = supply.cost_per_mtok
        metrics["fixed_cost_per_month"] = npv / market.annuity - variable * volume
        metrics["fixed_cash_per_month"] = total / months - variable * volume_cash
    return metrics


def _comparison(market: Market, this: Option, other: Option) -> Metrics:
    first = permanent = market.months + 1
    for month in reversed(range(market.months + 1)):
        if at_most(this.cumulative_cost[month], other.cumulative_cost[month]):
            first = month
            if permanent == month + 1:
                permanent = month
    # Walking backwards, the permanent month is the end of the unbroken run that reaches month N.
    npv_this, npv_other = _value(this, "npv_of_cost"), _value(other, "npv_of_cost")
    emc_this = _value(this, "equivalent_monthly_cost")
    emc_other = _value(other, "equivalent_monthly_cost")
    staff_hours = sum(supply.staff_hours for supply in this.supplies)
    result: Metrics = {
        "break_even_month_first": float(first),
        "break_even_month": float(permanent),
        "final_saving": other.cumulative_cost[-1] - this.cumulative_cost[-1],
        "equivalent_difference": emc_this - emc_other,
        "npv_difference": npv_this - npv_other,
        "breaks_even": 1.0 if permanent <= market.months else 0.0,
        "break_even_month_unrounded": _crossing(this, other, permanent, market.months),
        "break_even_staff_hours": (
            staff_hours + (emc_other - emc_this) / market.hourly_cost
            if market.hourly_cost > 0
            else None
        ),
    }
    one_each = len(this.supplies) == 1 and len(other.supplies) == 1
    if one_each and market.output_tokens > 0:
        result.update(_break_even_megatokens(market, this, other))
    mine, theirs = this.supplies[0], other.supplies[0]
    same_cards = mine.name == theirs.name and mine.count == theirs.count
    if one_each and same_cards and mine.kind == "own" and theirs.kind == "rent":
        result.update(_break_even_utilisation(market, this, other, mine, theirs))
    if one_each and mine.kind == theirs.kind == "rent" and theirs.price > 0:
        result["break_even_speed_up"] = mine.price / theirs.price
    if len(this.supplies) == 1 and mine.kind == "own":
        result["break_even_hardware_price"] = mine.price + (npv_other - npv_this) / mine.count
    if len(other.supplies) == 1 and theirs.kind == "api":
        billed = market.discounted([tokens / 1e6 for tokens in theirs.served_output])
        result["break_even_output_price"] = (
            theirs.price + (npv_this - npv_other) / billed if billed > 0 else None
        )
    if len(other.supplies) == 1 and theirs.kind == "rent":
        billed = market.discounted(theirs.billed_gpu_hours)
        result["break_even_rental_price"] = (
            theirs.price + (npv_this - npv_other) / billed if billed > 0 else None
        )
    return result


def _value(option: Option, metric: str) -> float:
    value = option.metrics[metric]
    assert value is not None
    return value


def _crossing(this: Option, other: Option, permanent: int, months: int) -> float:
    """The permanent break-even month with its fraction, the costs of a month being even.

    0 when there is none.
    """
    if permanent in (0, months + 1):
        return 0.0
    before = this.cumulative_cost[permanent - 1] - other.cumulative_cost[permanent - 1]
    after = this.cumulative_cost[permanent] - other.cumulative_cost[permanent]
    return permanent - 1 + before / (before - after)


def _break_even_megatokens(market: Market, this: Option, other: Option) -> Metrics:
    mine, theirs = this.supplies[0], other.supplies[0]
    names = ("fixed_cost_per_month", "fixed_cash_per_month")
    gap, gap_cash = (_value(this, name) - _value(other, name) for name in names)
    slope = theirs.cost_per_mtok - mine.cost_per_mtok
    cross = _sign(_value(this, names[0]), _value(other, names[0])) * _sign(
        theirs.cost_per_mtok, mine.cost_per_mtok
    )
    result: Metrics = {
        "tokens_cross": 1.0 if cross > 0 else 0.0,
        "break_even_megatokens": gap / slope if cross > 0 else 0.0,
        "break_even_megatokens_undiscounted": max(gap_cash / slope, 0.0) if cross > 0 else 0.0,
    }
    if mine.kind != "api" and mine.output_rate is not None:
        within = at_most(result["break_even_megatokens"] or 0.0, _capacity_megatokens(market, mine))
        result["beyond_capacity"] = 0.0 if within else 1.0
    return result


def _sign(one: float, other: float) -> int:
    """1 when ``one`` is the larger, -1 when it is the smaller, 0 when they are equal."""
    return int(not at_most(one, other)) - int(not at_most(other, one))


def _break_even_utilisation(
    market: Market, this: Option, other: Option, mine: Supply, theirs: Supply
) -> Metrics:
    energy = mine.cost_per_busy_gpu_hour
    result: Metrics = {}
    for name, metric, weights in (
        ("break_even_utilisation", "equivalent_monthly_cost", market.discount),
        ("break_even_utilisation_undiscounted", "cost_per_month", [1.0] * (market.months + 1)),
    ):
        if at_most(theirs.price, energy):
            result[name] = 0.0
            continue
        span = sum(weights[1:])
        busy, billed, held = (
            sum(hours * weight for hours, weight in zip(line, weights, strict=True)) / span
            for line in (mine.busy_gpu_hours, theirs.billed_gpu_hours, theirs.gpu_hours)
        )
        fixed_own = _value(this, metric) - energy * busy
        fixed_rent = _value(other, metric) - theirs.price * billed
        result[name] = max((fixed_own - fixed_rent) / (held * (theirs.price - energy)), 0.0)
    within = not at_most(theirs.price, energy) and at_most(
        result["break_even_utilisation"] or 0.0, 1.0
    )
    result["utilisation_within_reach"] = 1.0 if within else 0.0
    return result
