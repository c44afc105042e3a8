"""Kinds of quantities: what each field takes, in which unit, how it is typed, within which bounds.

How a text is read as one of them is the matter of ``tco.scenario.quantities``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tco import units
from tco.units import Unit, unit_of

HOURS = {"h": 1.0, "hr": 1.0, "hrs": 1.0, "hour": 1.0, "hours": 1.0, "小时": 1.0, "时": 1.0}
PER_MONTH = ("", "/month", "/mo", "/月")


@dataclass(frozen=True, eq=False)
class Kind:
    """What a field takes.

    ``unit`` is the field's own unit. ``units`` maps a unit as typed, in lower case and without
    spaces, to the factor that brings it there. ``least`` and ``most`` bound the value,
    ``more_than`` excludes its bound.
    """

    title: str
    unit: Unit
    expected: str
    example: str
    units: Mapping[str, float] = field(default_factory=dict)
    money: bool = False
    whole: bool = False
    least: float | None = 0.0
    more_than: float | None = None
    most: float | None = None


def _per(*units: str, factor: float = 1.0) -> dict[str, float]:
    return {f"/{unit}": factor for unit in units}


FRACTION = Kind(
    "a fraction",
    unit_of(units.Fraction),
    "a fraction from 0 to 1, or a percentage from 0% to 100%",
    "70%",
    {"%": 0.01},
    most=1.0,
)
ANNUAL_RATE = Kind(
    "a yearly rate",
    unit_of(units.AnnualRate),
    "a rate above -1 and below 1 a year, or a percentage",
    "10%",
    {"%": 0.01, "%/year": 0.01, "%/y": 0.01, "%/a": 0.01, "%/年": 0.01},
    least=None,
    more_than=-1.0,
)
PUE = Kind(
    "a power usage effectiveness",
    unit_of(units.Ratio),
    "a number of 1 or more: what the site draws for each watt of its computers",
    "1.2",
    least=1.0,
)
COUNT = Kind(
    "a number of cards",
    unit_of(units.Gpus),
    "a whole number of 1 or more",
    "2",
    dict.fromkeys(("gpu", "gpus", "card", "cards", "张", "卡", "块"), 1.0),
    whole=True,
    least=1.0,
)
MONTHS = Kind(
    "a number of months",
    unit_of(units.Months),
    "a whole number of months from 1 to 120",
    "36",
    {
        **dict.fromkeys(("month", "months", "mo", "月", "个月"), 1.0),
        **dict.fromkeys(("year", "years", "y", "年"), 12.0),
    },
    whole=True,
    least=1.0,
    most=120.0,
)
MONTH_OF_YEAR = Kind(
    "a month of the year",
    unit_of(units.Month),
    "the number of a month of the year, 1 to 12",
    "12",
    whole=True,
    least=1.0,
    most=12.0,
)
LIFE_MONTHS = Kind(
    "a life in months",
    unit_of(units.Months),
    "a whole number of months, 1 or more",
    "48",
    MONTHS.units,
    whole=True,
    least=1.0,
)
HOURS_PER_MONTH = Kind(
    "hours a month",
    unit_of(units.HoursPerMonth),
    "hours a month, more than 0 and at most 744, or the word calendar",
    "730",
    {f"{hour}{month}": 1.0 for hour in ("", *HOURS) for month in PER_MONTH if hour + month},
    more_than=0.0,
    most=744.0,
)
STAFF_HOURS = Kind(
    "hours of work a month",
    unit_of(units.StaffHoursPerMonth),
    "hours of work a month, 0 or more",
    "4",
    HOURS_PER_MONTH.units,
)
TOKENS = Kind(
    "tokens a month",
    unit_of(units.TokensPerMonth),
    "tokens a month, 0 or more",
    "50 M",
    {
        f"{prefix}{token}{month}": factor
        for prefix, factor in (("", 1.0), ("k", 1e3), ("m", 1e6), ("b", 1e9))
        for token in ("token", "tokens", "tok", *(("",) if not prefix else ()))
        for month in PER_MONTH
        if token + month
    },
)
TOKENS_PER_SECOND = Kind(
    "tokens a second of one card",
    unit_of(units.TokensPerSecondPerGpu),
    "tokens a second of one card, more than 0",
    "800",
    dict.fromkeys(
        (
            f"{token}/{second}{card}"
            for token in ("token", "tokens", "tok", "t", "")
            for second in ("s", "sec", "second", "秒")
            for card in ("", "/gpu", "/card", "/卡")
        ),
        1.0,
    )
    | {"tps": 1.0},
    least=None,
    more_than=0.0,
)
TOKENS_PER_SECOND_TOGETHER = Kind(
    "tokens a second of all cards together",
    unit_of(units.TokensPerSecond),
    "output tokens a second, more than 0",
    "2400",
    {unit: 1.0 for unit in TOKENS_PER_SECOND.units if not unit.endswith(("/gpu", "/card", "/卡"))},
    least=None,
    more_than=0.0,
)
REQUESTS = Kind(
    "requests in flight",
    unit_of(units.Factor),
    "requests in flight at the same time, more than 0",
    "64",
    least=None,
    more_than=0.0,
)
REQUESTS_PER_MONTH = Kind(
    "requests a month",
    unit_of(units.RequestsPerMonth),
    "requests a month, more than 0",
    "200000",
    {
        f"{request}{month}": 1.0
        for request in ("request", "requests", "req", "")
        for month in PER_MONTH
        if request + month
    },
    least=None,
    more_than=0.0,
)
CUSTOMERS = Kind(
    "customers",
    unit_of(units.Customers),
    "customers, more than 0",
    "500",
    dict.fromkeys(("customer", "customers", "user", "users"), 1.0),
    least=None,
    more_than=0.0,
)
POWER = Kind(
    "a power",
    unit_of(units.WattsPerGpu),
    "watts of one card, 0 or more",
    "450 W",
    {
        f"{unit}{card}": factor
        for unit, factor in (
            ("w", 1.0),
            ("watt", 1.0),
            ("watts", 1.0),
            ("瓦", 1.0),
            ("kw", 1e3),
            ("kilowatt", 1e3),
            ("kilowatts", 1e3),
        )
        for card in ("", "/gpu", "/card", "/卡")
    },
)
HOST_POWER = Kind(
    "a power for each card",
    POWER.unit,
    "watts for each card, 0 or more",
    "100 W",
    POWER.units,
)
MONEY = Kind("money", unit_of(units.Money), "an amount of money, 0 or more", "50", money=True)
MONEY_PER_GPU = Kind(
    "money for a card",
    unit_of(units.MoneyPerGpu),
    "the price of one card, 0 or more",
    "1599",
    _per("gpu", "card", "卡", "张", "块"),
    money=True,
)
MONEY_FOR_EACH_GPU = Kind(
    "money for each card",
    MONEY_PER_GPU.unit,
    "an amount of money for each card, 0 or more",
    "200",
    MONEY_PER_GPU.units,
    money=True,
)
MONEY_PER_KILOWATT_HOUR = Kind(
    "money for a kWh",
    unit_of(units.MoneyPerKilowattHour),
    "the price of one kWh, 0 or more",
    "0.10",
    _per("kwh", "度", "千瓦时"),
    money=True,
)
MONEY_PER_GPU_HOUR = Kind(
    "money for a GPU-hour",
    unit_of(units.MoneyPerGpuHour),
    "the price of one GPU-hour, 0 or more",
    "0.49",
    _per(
        *HOURS,
        *(
            f"{card}{dash}{hour}"
            for card in ("gpu", "card", "卡")
            for dash in ("", "-")
            for hour in HOURS
        ),
        *(f"{card}/{hour}" for card in ("gpu", "card", "卡") for hour in HOURS),
        *(f"{hour}/{card}" for card in ("gpu", "card", "卡") for hour in HOURS),
    ),
    money=True,
)
MONEY_PER_MEGATOKEN = Kind(
    "money for a million tokens",
    unit_of(units.MoneyPerVolume),
    "the price of a million tokens, 0 or more",
    "15",
    {
        f"/{amount}{token}": factor
        for amounts, factor in (
            (("m", "1m", "million", "1million", "百万", "100万"), 1.0),
            (("k", "1k", "1000", "thousand", "千", "1千"), 1e3),
            (("万", "1万", "10k"), 1e2),
        )
        for amount in amounts
        for token in ("", "tok", "token", "tokens")
    }
    | {"/token": 1e6},
    money=True,
)
MONEY_PER_STAFF_HOUR = Kind(
    "money for an hour of work",
    unit_of(units.MoneyPerStaffHour),
    "the cost of one hour of work, 0 or more",
    "94",
    _per(*HOURS, "hourofwork"),
    money=True,
)
MONEY_PER_MONTH = Kind(
    "money a month",
    unit_of(units.MoneyPerMonth),
    "an amount of money a month, 0 or more",
    "168",
    _per("month", "mo", "月"),
    money=True,
)
MONTHLY_RATE = Kind(
    "a monthly rate",
    unit_of(units.MonthlyRate),
    "a growth above -100% and up to 50% a month",
    "5%",
    {"%": 0.01, "%/month": 0.01, "%/月": 0.01},
    least=None,
    more_than=-1.0,
    most=0.5,
)
GROWTH = Kind(
    "a growth a year",
    unit_of(units.AnnualRate),
    "a growth above -100% and up to 1000% a year",
    "30%",
    ANNUAL_RATE.units,
    least=None,
    more_than=-1.0,
    most=10.0,
)
FACTOR = Kind(
    "a factor",
    unit_of(units.Factor),
    "a number above 0",
    "1.15",
    least=None,
    more_than=0.0,
)
LOAD = Kind(
    "a load",
    unit_of(units.Ratio),
    "a load of 0 or more: only its size beside the others counts",
    "2",
)
PEAK = Kind(
    "a peak to mean",
    unit_of(units.Ratio),
    "the load of the busiest hundredth of the hours over the mean, from 1 to 100",
    "3",
    least=1.0,
    most=100.0,
)
WHOLE = Kind(
    "a whole number",
    unit_of(units.Factor),
    "a whole number, 0 or more",
    "1",
    whole=True,
)
NUMBER_OF = Kind(
    "a number of parts",
    unit_of(units.Factor),
    "a whole number of 1 or more",
    "8",
    whole=True,
    least=1.0,
)
SHARE = Kind(
    "a share",
    unit_of(units.Fraction),
    "a fraction above 0 and up to 1, or a percentage up to 100%",
    "80%",
    {"%": 0.01},
    least=None,
    more_than=0.0,
    most=1.0,
)
TIMES_PER_MONTH = Kind(
    "a number a month",
    unit_of(units.PerMonth),
    "how often a month, more than 0",
    "20",
    {month: 1.0 for month in PER_MONTH if month},
    least=None,
    more_than=0.0,
)
TASKS = Kind(
    "tasks a month",
    unit_of(units.WorkPerMonth),
    "tasks a month, 0 or more",
    "20000",
    {
        f"{task}{month}": 1.0
        for task in (
            "task",
            "tasks",
            "image",
            "images",
            "clip",
            "clips",
            "job",
            "jobs",
            "张",
            "个",
            "",
        )
        for month in PER_MONTH
        if task + month
    },
)
WORK_HOURS = Kind(
    "GPU-hours of work a month",
    unit_of(units.WorkPerMonth),
    "GPU-hours of work a month, 0 or more",
    "500",
    {
        f"{hour}{month}": 1.0
        for hour in ("gpu-hour", "gpu-hours", "gpuhour", "gpuhours", *HOURS, "")
        for month in PER_MONTH
        if hour + month
    },
)
TASKS_PER_HOUR = Kind(
    "tasks an hour",
    unit_of(units.WorkPerGpuHour),
    "tasks an hour of one card, more than 0",
    "240",
    dict.fromkeys(
        (
            f"{task}/{hour}{card}"
            for task in ("task", "tasks", "image", "images", "clip", "clips", "job", "jobs", "")
            for hour in HOURS
            for card in ("", "/gpu", "/card", "/卡")
        ),
        1.0,
    ),
    least=None,
    more_than=0.0,
)
HOURS_PER_TASK = Kind(
    "hours of one task",
    unit_of(units.GpuHoursPerWork),
    "hours of one card for one task, more than 0",
    "12",
    {
        **HOURS,
        **dict.fromkeys(("min", "minute", "minutes", "分钟"), 1 / 60),
        **dict.fromkeys(("s", "sec", "second", "seconds", "秒"), 1 / 3600),
    },
    least=None,
    more_than=0.0,
)
SPEED_UP = Kind(
    "a speed-up",
    unit_of(units.WorkPerGpuHour),
    "how many hours of work of the card that was measured one hour of this card does, above 0",
    "4",
    {"x": 1.0, "times": 1.0, "倍": 1.0},
    least=None,
    more_than=0.0,
)
DURATION_HOURS = Kind(
    "hours",
    unit_of(units.Hours),
    "hours, 0 or more",
    "0.5",
    {**HOURS, **dict.fromkeys(("min", "minute", "minutes", "分钟"), 1 / 60)},
)
STEP_HOURS = Kind(
    "hours",
    unit_of(units.Hours),
    "hours, more than 0",
    "1",
    DURATION_HOURS.units,
    least=None,
    more_than=0.0,
)
TOKEN_LENGTH = Kind(
    "a number of tokens",
    unit_of(units.Tokens),
    "tokens of one request, 0 or more",
    "2048",
    {
        f"{prefix}{token}": factor
        for prefix, factor in (("", 1.0), ("k", 1e3), ("m", 1e6))
        for token in ("token", "tokens", "tok", *(("",) if not prefix else ()))
        if token
    },
)
GIGABYTES = Kind(
    "gigabytes",
    unit_of(units.Gigabytes),
    "gigabytes (1 GB is 10^9 bytes), 0 or more",
    "24",
    {"gb": 1.0, "tb": 1e3, "mb": 1e-3},
)
BANDWIDTH = Kind(
    "a memory bandwidth",
    unit_of(units.GigabytesPerSecond),
    "gigabytes a second, more than 0",
    "1008",
    {"gb/s": 1.0, "tb/s": 1e3},
    least=None,
    more_than=0.0,
)
PARAMETERS = Kind(
    "parameters of a model",
    unit_of(units.BillionParameters),
    "billions of parameters, more than 0",
    "8 B",
    {"b": 1.0, "billion": 1.0, "m": 1e-3, "million": 1e-3, "t": 1e3},
    least=None,
    more_than=0.0,
)
MONEY_PER_TASK = Kind(
    "money for a task",
    unit_of(units.MoneyPerVolume),
    "the price of one task, 0 or more",
    "0.02",
    _per("task", "image", "clip", "job", "张", "个"),
    money=True,
)
MONEY_PER_GIGABYTE_MONTH = Kind(
    "money for a gigabyte and month",
    unit_of(units.MoneyPerGigabyteMonth),
    "the price of a gigabyte kept for a month, 0 or more",
    "0.10",
    {f"/gb{dash}month": 1.0 for dash in ("-", "/", "")} | {"/gb": 1.0, "/tb-month": 1e-3},
    money=True,
)
MONEY_PER_GIGABYTE = Kind(
    "money for a gigabyte",
    unit_of(units.MoneyPerGigabyte),
    "the price of a gigabyte sent out, 0 or more",
    "0.09",
    {"/gb": 1.0, "/tb": 1e-3},
    money=True,
)
EXCHANGE_RATE = Kind(
    "an exchange rate",
    unit_of(units.ExchangeRate),
    "units of the foreign currency for one unit of the reporting currency, more than 0",
    "7.10",
    least=None,
    more_than=0.0,
)

NOMINAL_RATE = Kind(
    "a nominal yearly rate",
    unit_of(units.AnnualRate),
    "a rate above -100% and up to 100% a year, nominal, compounded monthly",
    "8%",
    ANNUAL_RATE.units,
    least=None,
    more_than=-1.0,
    most=1.0,
)
PRICE_CHANGE = Kind(
    "a change of price a year",
    unit_of(units.AnnualRate),
    "a change above -100% and up to 1000% a year",
    "-20%",
    ANNUAL_RATE.units,
    least=None,
    more_than=-1.0,
    most=10.0,
)
SHARE_PER_YEAR = Kind(
    "a share a year",
    unit_of(units.AnnualRate),
    "a fraction from 0 to 1 a year, or a percentage from 0% to 100%",
    "5%",
    ANNUAL_RATE.units,
    most=1.0,
)
SHARE_PER_MONTH = Kind(
    "a share a month",
    unit_of(units.MonthlyRate),
    "a fraction from 0 to 1 a month, or a percentage from 0% to 100%",
    "5%",
    MONTHLY_RATE.units,
    most=1.0,
)
DECLINING_FACTOR = Kind(
    "a factor",
    unit_of(units.Factor),
    "how many times the straight-line rate, 1 or more",
    "2",
    least=1.0,
)
MONTH_NUMBER = Kind(
    "the number of a month",
    unit_of(units.Month),
    "the number of a month, 0 for the decision",
    "3",
    whole=True,
)
OPERATING_MONTH = Kind(
    "the number of a month",
    unit_of(units.Month),
    "the number of a month, 1 or more",
    "13",
    whole=True,
    least=1.0,
)
WHOLE_MONTHS = Kind(
    "a number of months",
    unit_of(units.Months),
    "a whole number of months, 0 or more",
    "12",
    MONTHS.units,
    whole=True,
)
CARDS_OR_NONE = Kind(
    "a number of cards",
    unit_of(units.Gpus),
    "a whole number, 0 or more",
    "1",
    COUNT.units,
    whole=True,
)
DAYS = Kind(
    "days",
    unit_of(units.Days),
    "days, more than 0",
    "54",
    {
        **dict.fromkeys(("day", "days", "d", "天", "日"), 1.0),
        **dict.fromkeys(("year", "years", "y", "年"), 365.0),
    },
    least=None,
    more_than=0.0,
)
KILOWATTS = Kind(
    "kilowatts",
    unit_of(units.Kilowatts),
    "kilowatts, 0 or more",
    "10 kW",
    {
        **dict.fromkeys(("kw", "kilowatt", "kilowatts", "千瓦"), 1.0),
        **dict.fromkeys(("w", "watt", "watts", "瓦"), 1e-3),
    },
)
MONEY_PER_KILOWATT_MONTH = Kind(
    "money for a kW and month",
    unit_of(units.MoneyPerKilowattMonth),
    "the price of one kW for a month, 0 or more",
    "150",
    _per(
        *(
            f"{kilowatt}{dash}{month}"
            for kilowatt in ("kw", "千瓦")
            for dash in ("-", "/", "")
            for month in ("month", "mo", "月")
        )
    ),
    money=True,
)
MONEY_PER_GPU_YEAR = Kind(
    "money for a card and year",
    unit_of(units.MoneyPerGpuYear),
    "the price of one card for a year, 0 or more",
    "4500",
    _per(
        *(
            f"{card}{dash}{year}"
            for card in ("gpu", "card", "卡", "张")
            for dash in ("-", "/")
            for year in ("year", "y", "年")
        ),
        "year",
        "y",
        "年",
    ),
    money=True,
)
MONEY_PER_YEAR = Kind(
    "money a year",
    unit_of(units.MoneyPerYear),
    "an amount of money a year, 0 or more",
    "100000",
    _per("year", "y", "年"),
    money=True,
)

KINDS = (
    FRACTION,
    POWER,
    TOKENS,
    TOKENS_PER_SECOND,
    STAFF_HOURS,
    MONTHS,
    COUNT,
    MONEY_PER_KILOWATT_HOUR,
    MONEY_PER_GPU_HOUR,
    MONEY_PER_GPU,
    MONEY_PER_MEGATOKEN,
    MONEY_PER_MONTH,
    MONEY_PER_KILOWATT_MONTH,
    GIGABYTES,
    HOURS_PER_TASK,
)
