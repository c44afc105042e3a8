"""What all options of a scenario share: months, money, the work that is asked for, its shape."""

from __future__ import annotations

import calendar
import itertools
import math
from dataclasses import astuple, dataclass, field
from typing import Any

SAME = 1e-9
"""The relative difference below which two amounts count as equal."""
YARDSTICK_OF_AN_HOUR = {"USD": 78.125, "CNY": 156.25}
WORK_OF_A_PRICE = {"tokens": 1e6, "tasks": 1.0, "gpu_hours": 1.0}
RATE_STEP = 0.03
"""How much higher the other discount rate is at which costs are shown."""

Given = dict[str, Any]
"""A part of the scenario as it stands in the file."""


def at_most(one: float, other: float) -> bool:
    """Whether ``one`` is below or equal to ``other``, up to the rounding of the machine.

    >>> at_most(0.1 + 0.2, 0.3), at_most(2.0, 1.0)
    (True, False)
    """
    return one - other <= SAME * max(one, other, 1.0)


def whole_above(amount: float) -> float:
    """The next whole number, unless the amount is one already but for a rounding.

    >>> whole_above(2.2), whole_above(0.1 * 3 / 0.3)
    (3.0, 1.0)
    """
    return float(math.ceil(amount - SAME))


def whole_below(amount: float) -> float:
    """The whole number below, unless the amount is the next one but for a rounding.

    >>> whole_below(2.9), whole_below(0.7 / 0.1)
    (2.0, 7.0)
    """
    return float(math.floor(amount + SAME))


def worth(amounts: list[float], weights: list[float]) -> float:
    """Amounts by month, each times the weight of its month.

    >>> worth([1.0, 2.0], [1.0, 0.5])
    2.0
    """
    return sum(amount * weight for amount, weight in zip(amounts, weights, strict=True))


def factors(path: Given | None, months: int, by: str = "month") -> list[float]:
    """What a price of the first month is multiplied by, month 0 first (as month 1).

    >>> factors({"change_per_year": -0.4}, 13)[13]
    0.6
    >>> factors({"change_per_year": 0.5, "by": "year"}, 13)[12:]
    [1.0, 1.5]
    >>> factors({"steps": [{"month": 3, "factor": 2}]}, 4)
    [1.0, 1.0, 1.0, 2.0, 2.0]
    >>> factors({"level": 0.5, "reverting_per_month": 0.5}, 3)
    [1.0, 1.0, 0.75, 0.625]
    """
    found = []
    for month in range(months + 1):
        elapsed = max(month - 1, 0)
        factor = 1.0
        if path is None:
            pass
        elif "change_per_year" in path:
            whole = path.get("by", by) == "year"
            years = elapsed // 12 if whole else elapsed / 12
            factor = float((1 + float(path["change_per_year"])) ** years)
        elif "steps" in path:
            for step in path["steps"]:
                if step["month"] <= month:
                    factor = float(step["factor"])
        else:
            level, share = float(path["level"]), float(path["reverting_per_month"])
            factor = level + (1 - level) * (1 - share) ** elapsed
        found.append(factor)
    return found


def between(points: list[tuple[float, float]], at: float) -> float:
    """Straight between the points; the last value after the last of them.

    >>> between([(0, 1.0), (12, 0.78), (24, 0.6)], 18), between([(0, 1.0), (12, 0.78)], 99)
    (0.69, 0.78)
    """
    for (start, low), (end, high) in itertools.pairwise(points):
        if start <= at < end:
            return low + (high - low) * (at - start) / (end - start)
    return points[-1][1]


@dataclass(frozen=True)
class Amount:
    """What is asked for, or served, in one month."""

    work: float = 0.0
    useful: float = 0.0
    useful_input: float = 0.0
    input_tokens: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0
    cache_write_1h: float = 0.0

    def times(self, share: float) -> Amount:
        """A share of it.

        >>> Amount(4.0, input_tokens=2.0).times(0.5).work
        2.0
        """
        return Amount(*(part * share for part in astuple(self)))

    def plus(self, other: Amount) -> Amount:
        """Both together.

        >>> Amount(4.0).plus(Amount(1.0)).work
        5.0
        """
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Amount(*(one + another for one, another in pairs))


@dataclass
class Workload:
    """One kind of work: what may move and what stays, month 0 first."""

    name: str
    present: str | None
    moving: list[Amount] = field(default_factory=list)
    staying: list[Amount] = field(default_factory=list)


class Market:
    """What all options of a scenario share."""

    def __init__(self, scenario: Given) -> None:
        self.scenario = scenario
        self.currency = scenario.get("currency", "USD")
        self.months = int(scenario.get("months", 36))
        self.hours = [0.0] + [self._hours_of(month) for month in range(1, self.months + 1)]
        self._fiscal_years()
        self._discount_factors()
        self._tax()
        staff = scenario.get("staff") or {}
        yardstick = YARDSTICK_OF_AN_HOUR.get(self.currency, 0.0)
        self.hourly_cost = self.number(staff.get("hourly_cost"), yardstick)

        self.demand: Given = scenario.get("demand") or {}
        self.has_demand = scenario.get("demand") is not None
        named = self.demand.get("workloads") or {"": self.demand}
        self.given_workloads: dict[str, Given] = named if self.has_demand else {}
        self.kind = next(
            (kind for kind in ("tasks", "gpu_hours") for one in named.values() if kind in one),
            "tokens",
        )
        self.work_of_a_price = WORK_OF_A_PRICE[self.kind]
        self.workloads = [self._workload(name, one) for name, one in self.given_workloads.items()]
        self.asked = [Amount()] * (self.months + 1)
        for workload in self.workloads:
            for month in range(self.months + 1):
                self.asked[month] = self.asked[month].plus(workload.moving[month])
        self.levels = self._levels()
        self.peak_to_mean = max(level for _, level in self.levels)
        self.rate = [
            amount.work / hours if hours else 0.0
            for amount, hours in zip(self.asked, self.hours, strict=True)
        ]
        self.total_work = sum(amount.work for amount in self.asked)

    def _fiscal_years(self) -> None:
        """Fiscal year and quarter of each month, counted from 0, and where a year closes."""
        offset = 0
        if "start" in self.scenario:
            first = int(str(self.scenario["start"]).split("-")[1])
            offset = (first - int(self.scenario.get("fiscal_year_end", 12)) - 1) % 12
        since = [max(month - 1, 0) + offset for month in range(self.months + 1)]
        self.fiscal_year = [months // 12 for months in since]
        self.fiscal_quarter = [months // 3 for months in since]
        self.closing = [0] * (self.months + 1)
        """The last month, at or before month N, of the fiscal year that a month is in."""
        for month in range(self.months + 1):
            self.closing[month] = max(
                other
                for other in range(self.months + 1)
                if self.fiscal_year[other] == self.fiscal_year[month]
            )

    def closes(self, month: int) -> bool:
        """Whether a fiscal year closes with this month, or the scenario does."""
        return self.closing[month] == month

    def _discount_factors(self) -> None:
        annual = self.number(self.scenario.get("discount_rate"), 0.10)
        timing = self.scenario.get("cash_timing", "month-end")
        every = range(self.months + 1)
        year_ends = [math.ceil(month / 12) * 12.0 for month in every]
        at = [float(month) for month in every]
        if timing == "mid-month":
            at = [max(month - 0.5, 0.0) for month in every]
        elif timing == "year-end":
            at = year_ends
        self.discount_month = at
        self.discount = [(1 + annual) ** (-month / 12) for month in at]
        self.higher_discount = [(1 + annual + RATE_STEP) ** (-month / 12) for month in at]
        self.year_end_discount = [(1 + annual) ** (-month / 12) for month in year_ends]
        self.annuity = sum(self.discount[1:])

    def _tax(self) -> None:
        """When tax is paid, and what an amount is worth after the tax that it saves."""
        tax = self.tax = self.scenario.get("tax")
        self.tax_rate = self.number(tax["rate"]) if tax else 0.0
        self.losses = str(tax.get("losses", "elsewhere")) if tax else "elsewhere"
        # tax in proportion to what is deducted; else a cost more may save no tax
        self.in_proportion = self.losses == "elsewhere"
        self.taxed_monthly = (tax or {}).get("paid") == "month"
        self.tax_month = list(range(self.months + 1))
        if tax and tax.get("paid", "year-end") == "year-end":
            lag = int(self.number(tax.get("lag_months")))
            self.tax_month = [min(close + lag, self.months) for close in self.closing]
        saved = self.tax_rate if self.in_proportion else 0.0
        self.kept = 1 - saved
        """What an amount costs when the tax that it saves is taken off."""
        self.after_tax = [
            self.discount[month] - saved * self.discount[self.tax_month[month]]
            for month in range(self.months + 1)
        ]

    def number(self, given: Any, default: float = 0.0) -> float:
        """A number of the file in the reporting currency."""
        if given is None:
            return default
        if not isinstance(given, dict):
            return float(given)
        return self.converted(float(given["value"]), str(given.get("currency", self.currency)))

    def converted(self, amount: float, currency: str) -> float:
        """An amount of any currency in the reporting one."""
        if currency == self.currency:
            return amount
        return amount / self.number(self.scenario["exchange_rates"][currency], 1.0)

    def months_of_service(self) -> range:
        """The months with running costs."""
        return range(1, self.months + 1)

    def discounted(self, amounts: list[float]) -> float:
        """The worth of monthly amounts at month 0."""
        return worth(amounts, self.discount)

    def discounted_after_tax(self, costs: list[float]) -> float:
        """The worth of monthly costs, less that of the tax they save."""
        return worth(costs, self.after_tax)

    def calendar_month(self, month: int) -> tuple[int, int]:
        """Year and month of the year (January is 1) of a month of service."""
        year, first = (int(part) for part in str(self.scenario["start"]).split("-"))
        months = first - 1 + month - 1
        return year + months // 12, months % 12 + 1

    def unserved_share(self, month: int, capacity: float) -> float:
        """Share of the month's work above a capacity in work an hour."""
        rate = self.rate[month]
        if rate == 0:
            return 0.0
        above = sum(share * max(level * rate - capacity, 0.0) for share, level in self.levels)
        return above / rate

    def long_shares(self, above: float) -> tuple[float, float]:
        """Share of the requests with longer prompts, and of the input tokens within them."""
        sizes = [
            (self.number(size["share"]), self.number(size["prompt_tokens"]))
            for size in self.demand["request_sizes"]
        ]
        requests = sum(share for share, prompt in sizes if prompt > above)
        tokens = sum(share * prompt for share, prompt in sizes)
        long_tokens = sum(share * prompt for share, prompt in sizes if prompt > above)
        return requests, long_tokens / tokens if tokens else 0.0

    def _hours_of(self, month: int) -> float:
        hours = self.scenario.get("hours_per_month", 730)
        if hours != "calendar":
            return self.number(hours, 730.0)
        return 24.0 * calendar.monthrange(*self.calendar_month(month))[1]

    def _workload(self, name: str, given: Given) -> Workload:
        attempts = 1 + self.number(given.get("retries"))
        addressable = self.number(given.get("addressable"), 1.0)
        if self.kind == "tokens":
            work = self.number(given.get("output_tokens"))
            work += self.number(given.get("reasoning_tokens"))
        else:
            work = self.number(given.get(self.kind))
        first = Amount(
            work * attempts,
            work,
            self.number(given.get("input_tokens")),
            *(
                self.number(given.get(f"{part}_tokens")) * attempts
                for part in ("input", "cache_read", "cache_write", "cache_write_1h")
            ),
        )
        workload = Workload(name, given.get("present"))
        stays = 1 - addressable if workload.present else 0.0
        for month in range(self.months + 1):
            growing = self._growth(given, month) * self._season(given, month) if month else 0.0
            workload.moving.append(first.times(growing * addressable))
            workload.staying.append(first.times(growing * stays))
        return workload

    def _growth(self, given: Given, month: int) -> float:
        if "growth_per_year" in given:
            return float((1 + self.number(given["growth_per_year"])) ** ((month - 1) / 12))
        if "growth_per_month" in given:
            return float((1 + self.number(given["growth_per_month"])) ** (month - 1))
        factor = 1.0
        for step in given.get("growth", ()):
            if self.number(step["month"]) <= month:
                factor = self.number(step["factor"])
        return factor

    def _season(self, given: Given, month: int) -> float:
        if "season" not in given:
            return 1.0
        weights = [self.number(weight) for weight in given["season"]]
        return weights[self.calendar_month(month)[1] - 1] / (sum(weights) / 12)

    def _levels(self) -> list[tuple[float, float]]:
        """The shape within the month: shares of the hours, and load over the mean in them."""
        load = self.demand.get("load", "flat")
        if load == "office-hours":
            return [(50 / 168, 168 / 50), (118 / 168, 0.0)]
        if isinstance(load, dict):
            loads = [self.number(one) for one in load["loads"]]
            shares = [self.number(one) for one in load["shares"]]
            mean = sum(one * share for one, share in zip(loads, shares, strict=True))
            return [(share, one / mean) for one, share in zip(loads, shares, strict=True)]
        if isinstance(load, list):
            loads = [self.number(one) for one in load]
            mean = sum(loads) / len(loads)
            return [(1 / len(loads), one / mean) for one in loads]
        peak = self.number(self.demand.get("peak_to_mean"), 1.0)
        return [(0.01, peak), (0.99, (1 - 0.01 * peak) / 0.99)]
