"""What is used when something is not given.

``NEUTRAL`` holds the neutral defaults: whatever is not given is 0, or a plain convention. Each one
used is printed as assumed and stands on the Inputs sheet. ``ESTIMATES`` are guesses of costs that
scenarios often leave out; this version lists them and uses none.

>>> neutral("hours_per_month").value
730.0
>>> staff_yardstick("CNY")
156.25
"""

from __future__ import annotations

from dataclasses import dataclass

from tco.units import (
    AnnualRate,
    Factor,
    Fraction,
    Gpus,
    HoursPerMonth,
    Kilowatts,
    MoneyPerGpu,
    MoneyPerGpuYear,
    MoneyPerKilowattHour,
    MoneyPerKilowattMonth,
    MoneyPerMonth,
    MoneyPerStaffHour,
    MoneyPerYear,
    Month,
    Months,
    Ratio,
    StaffHoursPerMonth,
    TokensPerMonth,
    WattsPerGpu,
    unit_of,
)

# bytes that a weight takes by how it is stored, and bytes of a value of the KV cache
BYTES_PER_PARAMETER = {
    "fp16": 2.0,
    "bf16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    "int4": 0.5,
    "awq": 0.5,
    "gptq": 0.5,
}
KV_BYTES = 2.0
WHEN_ESTIMATED = "only with --defaults full, which a later version brings"


@dataclass(frozen=True)
class Default:
    """The value of a field that is not given.

    ``value`` is a number, a word, or the name of the field whose value is taken; ``unit`` is the
    label to print, with ``{currency}`` for the reporting currency.
    """

    field: str
    value: float | str
    unit: str
    basis: str
    why: str


@dataclass(frozen=True)
class Estimate:
    """A cost that is often left out, with its 1-in-10 low and high and where it comes from."""

    item: str
    value: str
    low: str
    high: str
    source: str


NEUTRAL: tuple[Default, ...] = (
    Default("months", 36.0, unit_of(Months).label, "assumed", "three years, as the articles take"),
    Default(
        "hours_per_month",
        730.0,
        unit_of(HoursPerMonth).label,
        "assumed",
        "8,760 hours of a year over 12 months",
    ),
    Default(
        "discount_rate",
        0.10,
        unit_of(AnnualRate).label,
        "assumed",
        "effective rate on flows before tax; no firm source, one published case takes 10 %",
    ),
    Default("pue", 1.0, unit_of(Ratio).label, "assumed", "no cooling is added unless it is given"),
    Default(
        "utilisation",
        0.70,
        unit_of(Fraction).label,
        "assumed",
        "used only where demand or output_rate is missing; else the busy share is a result",
    ),
    Default(
        "life_months",
        "months",
        unit_of(Months).label,
        "assumed",
        "written off over the months that are looked at",
    ),
    Default("salvage", 0.0, unit_of(MoneyPerGpu).label, "assumed", "nothing is left in the books"),
    Default("idle_power", 0.0, unit_of(WattsPerGpu).label, "assumed", "not given, so not counted"),
    Default(
        "active_power",
        "tdp",
        unit_of(WattsPerGpu).label,
        "assumed",
        "a busy card draws its rated power, the most it can draw",
    ),
    Default("input_tokens", 0.0, unit_of(TokensPerMonth).label, "assumed", "not given"),
    Default("output_tokens", 0.0, unit_of(TokensPerMonth).label, "assumed", "not given"),
    Default(
        "electricity_price",
        0.0,
        unit_of(MoneyPerKilowattHour).label,
        "assumed",
        "not given, so not counted",
    ),
    Default(
        "staff_hours_per_month",
        0.0,
        unit_of(StaffHoursPerMonth).label,
        "assumed",
        "not given, so not counted; the report says how many hours turn the answer",
    ),
    Default(
        "hourly_cost",
        "78.125 USD or 156.25 CNY",
        unit_of(MoneyPerStaffHour).label,
        "assumed",
        "a yardstick that only turns a gap into hours of work: 150,000 USD or 300,000 CNY a year "
        "over 1,920 hours; 0 in other currencies",
    ),
    Default("load", "flat", "word", "assumed", "every hour of a month is like the next"),
    Default("growth_per_year", 0.0, unit_of(AnnualRate).label, "assumed", "not given: no growth"),
    Default("retries", 0.0, unit_of(Fraction).label, "assumed", "not given, so not counted"),
    Default("addressable", 1.0, unit_of(Fraction).label, "assumed", "all of the work can move"),
    Default(
        "tokeniser_factor",
        1.0,
        unit_of(Ratio).label,
        "assumed",
        "every model is taken to count tokens alike; they differ",
    ),
    Default("gpus_per_replica", 1.0, "GPUs/replica", "assumed", "one card holds the model"),
    Default("gpus_per_node", 1.0, "GPUs/node", "assumed", "cards are bought one by one"),
    Default("busy_ceiling", 1.0, unit_of(Fraction).label, "assumed", "planned to the last second"),
    Default("spare_replicas", 0.0, "replicas", "assumed", "no spare"),
    Default("availability", 1.0, unit_of(Fraction).label, "assumed", "cards are never down"),
    Default("overhead_gb", 1.5, "GB", "assumed", "memory of a usual runtime on each card"),
    Default("usable_share", 0.9, unit_of(Fraction).label, "assumed", "what engines fill"),
    Default("precision", "fp16", "word", "assumed", "2 bytes for a weight"),
    Default("billed", "held", "word", "assumed", "rented cards are paid for all hours"),
    Default("cash_timing", "month-end", "word", "assumed", "the cash of a month counts at its end"),
    Default(
        "fiscal_year_end",
        12.0,
        unit_of(Month).label,
        "assumed",
        "the calendar year; without a start, years of operation",
    ),
    Default("tax.paid", "year-end", "word", "assumed", "settled when the fiscal year ends"),
    Default(
        "lag_months",
        0.0,
        unit_of(Months).label,
        "assumed",
        "paid in the month in which the fiscal year ends",
    ),
    Default(
        "tax.losses",
        "elsewhere",
        "word",
        "assumed",
        "other profits of the company use every cost at once",
    ),
    Default(
        "loss_limit",
        1.0,
        unit_of(Fraction).label,
        "assumed",
        "earlier losses may take away a whole profit",
    ),
    Default(
        "profit_per_year",
        0.0,
        unit_of(MoneyPerYear).label,
        "assumed",
        "no profit that costs could be set off against",
    ),
    Default(
        "tax_depreciation.method",
        "book",
        "word",
        "assumed",
        "deducted as it is written off in the books",
    ),
    Default(
        "tax_life_months",
        "life_months",
        unit_of(Months).label,
        "assumed",
        "as in the books; by Chinese law 36 months, 22 if shortened",
    ),
    Default(
        "tax_residual",
        0.0,
        unit_of(Fraction).label,
        "assumed",
        "all is deducted; 5 % by Chinese practice, set by the enterprise under Art. 59",
    ),
    Default(
        "tax_declining_factor", 2.0, unit_of(Factor).label, "assumed", "double declining balance"
    ),
    Default(
        "bonus",
        0.0,
        unit_of(Fraction).label,
        "assumed",
        "nothing is deducted before the table of MACRS",
    ),
    Default("depreciation.method", "straight-line", "word", "assumed", "written off evenly"),
    Default(
        "depreciation.start",
        "service-month",
        "word",
        "assumed",
        "the first month of service is written off",
    ),
    Default("declining_factor", 2.0, unit_of(Factor).label, "assumed", "double declining balance"),
    Default("depreciation.switch", "yes", "word", "assumed", "straight-line once that is faster"),
    Default("host", 0.0, unit_of(MoneyPerGpu).label, "assumed", "not given, so not counted"),
    Default("network", 0.0, unit_of(MoneyPerGpu).label, "assumed", "not given, so not counted"),
    Default(
        "rack_and_cooling", 0.0, unit_of(MoneyPerGpu).label, "assumed", "not given, so not counted"
    ),
    Default(
        "installation", 0.0, unit_of(MoneyPerGpu).label, "assumed", "not given, so not counted"
    ),
    Default("shipping", 0.0, unit_of(MoneyPerGpu).label, "assumed", "not given, so not counted"),
    Default(
        "discount_of_list", 0.0, unit_of(Fraction).label, "assumed", "not given, so not counted"
    ),
    Default("duty_rate", 0.0, unit_of(Fraction).label, "assumed", "not given, so not counted"),
    Default(
        "purchase_vat_rate", 0.0, unit_of(Fraction).label, "assumed", "not given, so not counted"
    ),
    Default("vat.recoverable", "yes", "word", "assumed", "a company gets it back: it is no cost"),
    Default(
        "refund_months",
        0.0,
        unit_of(Months).label,
        "assumed",
        "got back in the month in which it is paid",
    ),
    Default("spares", 0.0, unit_of(Gpus).label, "assumed", "not given, so not counted"),
    Default(
        "payment",
        0.0,
        unit_of(Month).label,
        "assumed",
        "all is paid when it is ordered, in month 0",
    ),
    Default("lead_time_months", 0.0, unit_of(Months).label, "assumed", "in service from month 1"),
    Default(
        "maintenance_share_per_year",
        0.0,
        unit_of(AnnualRate).label,
        "assumed",
        "not given, so not counted",
    ),
    Default(
        "maintenance_warranty_months",
        0.0,
        unit_of(Months).label,
        "assumed",
        "paid from the first month on",
    ),
    Default(
        "failure_share_per_year",
        0.0,
        unit_of(AnnualRate).label,
        "assumed",
        "not given, so not counted",
    ),
    Default(
        "failure_warranty_months",
        0.0,
        unit_of(Months).label,
        "assumed",
        "replaced at one's own cost from the first month on",
    ),
    Default(
        "replacement_price",
        "price",
        unit_of(MoneyPerGpu).label,
        "assumed",
        "the net price of a card",
    ),
    Default(
        "licence_price_per_year",
        0.0,
        unit_of(MoneyPerGpuYear).label,
        "assumed",
        "not given, so not counted",
    ),
    Default(
        "insurance_share_per_year",
        0.0,
        unit_of(AnnualRate).label,
        "assumed",
        "not given, so not counted",
    ),
    Default(
        "residual_share", 0.0, unit_of(Fraction).label, "assumed", "nothing is sold in the end"
    ),
    Default("sale_cost", 0.0, unit_of(Fraction).label, "assumed", "not given, so not counted"),
    Default("host_power", 0.0, unit_of(WattsPerGpu).label, "assumed", "not given, so not counted"),
    Default(
        "decommissioning", 0.0, unit_of(MoneyPerGpu).label, "assumed", "not given, so not counted"
    ),
    Default("loan_share", 1.0, unit_of(Fraction).label, "assumed", "all purchases are lent"),
    Default("loan_fee", 0.0, unit_of(Fraction).label, "assumed", "not given, so not counted"),
    Default(
        "grace_months", 0.0, unit_of(Months).label, "assumed", "paid back from the first month on"
    ),
    Default("balloon", 0.0, unit_of(Fraction).label, "assumed", "equal instalments to the end"),
    Default("lease.paid", "arrears", "word", "assumed", "a month is paid at its end"),
    Default(
        "residual_rate",
        "lease_rate",
        unit_of(AnnualRate).label,
        "assumed",
        "the borrowing rate after tax",
    ),
    Default(
        "contracted_kw",
        "tdp",
        unit_of(Kilowatts).label,
        "assumed",
        "rated watts of all cards and of their hosts",
    ),
    Default(
        "demand_charge",
        0.0,
        unit_of(MoneyPerKilowattMonth).label,
        "assumed",
        "not given, so not counted",
    ),
    Default(
        "ratchet", 0.0, unit_of(Fraction).label, "assumed", "only the month's own peak is paid"
    ),
    Default(
        "peak_kw",
        "tdp",
        unit_of(Kilowatts).label,
        "assumed",
        "rated watts of all cards and of their hosts, times PUE",
    ),
    Default("room_cost", 0.0, unit_of(MoneyPerMonth).label, "assumed", "not given, so not counted"),
    Default(
        "path_change_per_year", 0.0, unit_of(AnnualRate).label, "assumed", "prices stay as they are"
    ),
    Default(
        "electricity_price_path.by",
        "year",
        "word",
        "assumed",
        "tariffs change once a year; other prices by the month",
    ),
)

# Cost of an hour of work by reporting currency: a year's cost over 1,920 hours.
STAFF_YARDSTICKS = {"USD": 150_000 / 1_920, "CNY": 300_000 / 1_920}

ESTIMATES: tuple[Estimate, ...] = (
    Estimate(
        "GPU power at work",
        "0.76 x tdp",
        "0.57 x tdp",
        "0.82 x tdp",
        "arXiv 2506.14551: 76 % of the rating",
    ),
    Estimate("GPU power without work", "12 % of tdp", "10 %", "15 %", "secondary sources"),
    Estimate(
        "host power",
        "25 % of the GPUs' watts in a server, 100 W for a desktop",
        "-",
        "-",
        "no source: a gap, assumed",
    ),
    Estimate("PUE", "1.54", "1.1", "2.0", "Uptime Institute survey, average of 2025"),
    Estimate(
        "electricity price",
        "0.10 USD, 0.19 EUR or 0.62 CNY a kWh",
        "0.06 USD",
        "0.245 USD",
        "article C and EIA; Eurostat, first half of 2025; China Briefing",
    ),
    Estimate(
        "host and the rest on top of the GPUs",
        "43 % of the GPUs' price for a server, 25 % for a desktop",
        "30 %",
        "54 %",
        "23 to 35 % of the price of a server is not GPU; desktop: a secondary source",
    ),
    Estimate(
        "maintenance", "5 % of the hardware a year, desktop 0", "3 %", "12 %", "published ranges"
    ),
    Estimate(
        "failures, without maintenance",
        "4 % of the cards a year",
        "2.5 %",
        "6 %",
        "published ranges",
    ),
    Estimate(
        "resale after 36 months", "30 % less 10 % cost of sale", "10 %", "50 %", "published ranges"
    ),
    Estimate(
        "book life and salvage",
        "5 years and 0 (US), 3 years and 5 % (China)",
        "-",
        "-",
        "annual reports: 5 to 6 years; Chinese tax minimum of 3 years",
    ),
    Estimate(
        "staff for a server that is owned",
        "0.1 full-time post",
        "0.03",
        "0.5",
        "10 to 30 servers to an administrator; the largest of all estimates",
    ),
    Estimate("staff for rented cards", "0.05 full-time post", "-", "-", "assumed"),
    Estimate("staff for an API", "0.02 full-time post", "-", "-", "assumed"),
    Estimate(
        "cost of a full-time post",
        "150,000 USD or 300,000 CNY a year",
        "-",
        "250,000 USD",
        "a secondary source",
    ),
    Estimate("peak to average load of GPUs", "3.0", "1.5", "6", "assumed"),
    Estimate("highest busy share", "70 %", "50 %", "80 %", "assumed"),
    Estimate("growth of the demand", "0 % a year", "0 %", "100 %", "no source"),
    Estimate(
        "path of rental prices",
        "flat",
        "-36 % a year",
        "+38 % over 5 months, then flat",
        "published ranges",
    ),
    Estimate("path of API prices", "flat", "-50 % a year", "flat", "assumed"),
)


def neutral(field: str) -> Default:
    """The neutral default of a field.

    Raises ``KeyError`` for a field that has none.
    """
    for default in NEUTRAL:
        if default.field == field:
            return default
    raise KeyError(field)


def staff_yardstick(currency: str) -> float:
    """Cost of an hour of work that turns a gap into hours; 0 where there is no yardstick."""
    return STAFF_YARDSTICKS.get(currency, 0.0)
