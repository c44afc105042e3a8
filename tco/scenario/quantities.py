"""Quantities as people write them: ``70%``, ``50 M``, ``3000万``, ``0.62 元/度``, ``$1,599``.

A ``Kind`` says what a field takes; ``parse`` turns a text into a number in the field's own unit.
Whatever could be read in two ways is refused with both readings.

>>> parse("70%", FRACTION).value
0.7
>>> parse("0.62 元/度", MONEY_PER_KILOWATT_HOUR)
Amount(value=0.62, currency='CNY')
>>> parse("0.45 kW", POWER).value
450.0
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from tco import units
from tco.units import Unit, unit_of

LARGEST = 1e18
SMALLEST = 1e-12

# ISO 4217, the currencies in use.
CURRENCIES = frozenset(
    re.findall(
        r"[A-Z]{3}",
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN
        BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD
        FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY
        KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP
        MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR
        RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT
        TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW
        ZWG
        """,
    )
)

# The sign of yuan and of yen alike; which one is meant depends on the reporting currency.
YUAN_OR_YEN = "¥"

SIGNS = {
    "US$": "USD",
    "HK$": "HKD",
    "NT$": "TWD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "₩": "KRW",
    "₹": "INR",
    YUAN_OR_YEN: YUAN_OR_YEN,
    "人民币": "CNY",
    "RMB": "CNY",
    "元": "CNY",
    "yuan": "CNY",
    "美元": "USD",
    "欧元": "EUR",
    "日元": "JPY",
    "円": "JPY",
    "港元": "HKD",
    "dollars": "USD",
    "dollar": "USD",
    "euros": "EUR",
    "euro": "EUR",
}

SCALES = {
    "千万": 1e7,
    "百万": 1e6,
    "万": 1e4,
    "亿": 1e8,
    "千": 1e3,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "K": 1e3,
    "k": 1e3,
    "M": 1e6,
    "B": 1e9,
}

HOURS = {"h": 1.0, "hr": 1.0, "hrs": 1.0, "hour": 1.0, "hours": 1.0, "小时": 1.0, "时": 1.0}
PER_MONTH = ("", "/month", "/mo", "/月")


class NotAQuantity(Exception):
    """A text that is not the quantity its field takes: what was expected, and what to write."""

    def __init__(self, expected: str, next_step: str) -> None:
        super().__init__(expected, next_step)
        self.expected = expected
        self.next_step = next_step


@dataclass(frozen=True)
class Amount:
    """A number in the unit of its field; ``currency`` only when the text named one."""

    value: float
    currency: str | None = None


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
MONEY = Kind("money", unit_of(units.Money), "an amount of money, 0 or more", "50", money=True)
MONEY_PER_GPU = Kind(
    "money for a card",
    unit_of(units.MoneyPerGpu),
    "the price of one card, 0 or more",
    "1599",
    _per("gpu", "card", "卡", "张", "块"),
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
    GIGABYTES,
    HOURS_PER_TASK,
)

NUMBER = re.compile(r"(?:\d[\d_,]*)?(?:\.\d*)?(?:[eE][+-]?\d+)?", re.ASCII)
SIGN = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
CURRENCY_BEFORE = re.compile(rf"({SIGN}|[A-Za-z]{{3}}(?![A-Za-z]))\s*", re.ASCII)
CURRENCY_AFTER = re.compile(rf"({SIGN}|[A-Za-z]{{3}}(?![A-Za-z]))", re.ASCII)
SCALE = re.compile(r"(千万|百万|万|亿|千|(?:thousand|million|billion|[KkMB])(?![A-Za-z]))")


def parse(text: str, kind: Kind) -> Amount:
    """The number that a text means in a field of this kind, with 15 significant digits.

    Raises ``NotAQuantity`` when it means none, more than one, or one outside the field's bounds.
    """
    plain = normalised(text)
    if kind in (ANNUAL_RATE, MONTHLY_RATE, GROWTH, FRACTION, SHARE):
        _refuse_bare_percentage(plain, kind)
    number, currency, unit = _split(plain, kind)
    if currency is not None and not kind.money:
        raise NotAQuantity(kind.expected, f"write it without a currency:  {kind.example}")
    factor = _factor(unit, kind)
    return Amount(within(number * factor, kind), currency)


def parse_exchange_rate(text: str, foreign: str, reporting: str) -> tuple[float, bool]:
    """Units of ``foreign`` for one unit of ``reporting``, and whether the text said the inverse.

    Raises ``NotAQuantity`` when the text names another pair or is no positive number.

    >>> parse_exchange_rate("7.10 CNY/USD", "CNY", "USD")
    (7.1, False)
    >>> parse_exchange_rate("0.125 USD/CNY", "CNY", "USD")
    (8.0, True)
    """
    plain = normalised(text)
    number, rest = _number(plain, EXCHANGE_RATE)
    value = within(number, EXCHANGE_RATE)
    pair = rest.replace(" ", "").upper()
    if pair in ("", f"{foreign}/{reporting}"):
        return value, False
    if pair == f"{reporting}/{foreign}":
        return within(1 / value, EXCHANGE_RATE), True
    raise NotAQuantity(
        f"{foreign} for one {reporting}, or {reporting} for one {foreign}",
        f"write it as  7.10 {foreign}/{reporting}  with your own number",
    )


def currency_of(text: str) -> str | None:
    """The ISO code of a currency as people write it, ``¥`` for yuan or yen, None if unknown."""
    plain = normalised(text)
    if plain.upper() in CURRENCIES:
        return plain.upper()
    return SIGNS.get(plain) or SIGNS.get(plain.lower())


def normalised(text: str) -> str:
    """The text with full-width letters, digits and signs made ordinary and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def rounded(value: float) -> float:
    """The value with 15 significant digits, so that 70% is 0.7 and -0 is 0."""
    return float(f"{value:.15g}") + 0.0


def within(value: float, kind: Kind) -> float:
    """The value, rounded, if the field's bounds allow it.

    Raises ``NotAQuantity`` otherwise.
    """
    if math.isnan(value) or abs(value) > LARGEST or 0 < abs(value) < SMALLEST:
        raise NotAQuantity(
            f"{kind.expected}, of a size between {SMALLEST:g} and {LARGEST:g}",
            f"write a usual number, for example  {kind.example}",
        )
    value = rounded(value)
    if (
        (kind.least is not None and value < kind.least)
        or (kind.more_than is not None and value <= kind.more_than)
        or (kind.most is not None and value > kind.most)
        or (kind.whole and value != int(value))
    ):
        raise NotAQuantity(kind.expected, f"write for example  {kind.example}")
    return value


def _refuse_bare_percentage(plain: str, kind: Kind) -> None:
    try:
        number = float(plain)
    except ValueError:
        return
    if kind not in (FRACTION, SHARE) and number == 1:
        raise NotAQuantity(kind.expected, "write 0.01 or 1%, or 100% if you mean it")
    if 1 < number <= 100:
        raise NotAQuantity(kind.expected, f"write {rounded(number / 100):g} or {number:g}%")
    if kind not in (FRACTION, SHARE) and number > 100:
        raise NotAQuantity(kind.expected, f"write for example  {kind.example}")


def _split(plain: str, kind: Kind) -> tuple[float, str | None, str]:
    negative = plain.startswith("-")
    rest = plain[1:].strip() if plain[:1] in ("+", "-") else plain
    if rest != plain and rest[:1] in ("+", "-"):
        raise NotAQuantity(kind.expected, f"write a number, for example  {kind.example}")
    before = None
    match = CURRENCY_BEFORE.match(rest)
    if match and rest[match.end() : match.end() + 1] in tuple("0123456789.+-"):
        before = currency_of(match[1])
        if before is None:
            raise NotAQuantity(
                f"{kind.expected}; {match[1]} is no currency",
                "write a currency by its three letters, for example USD, EUR or CNY",
            )
        rest = rest[match.end() :]
    number, rest = _number(rest, kind)
    if (match := SCALE.match(rest)) and _unit_key(rest) not in kind.units:
        number *= SCALES[match[1]]
        rest = rest[match.end() :].strip()
    after = None
    match = CURRENCY_AFTER.match(rest)
    if match and currency_of(match[1]) and _unit_key(rest) not in kind.units:
        after = currency_of(match[1])
        rest = rest[match.end() :].strip()
    if before and after and before != after:
        raise NotAQuantity(
            f"{kind.expected}, in one currency", f"write either {before} or {after}, not both"
        )
    return (-number if negative else number), before or after, rest


def _number(plain: str, kind: Kind) -> tuple[float, str]:
    sign, digits = (plain[:1], plain[1:].strip()) if plain[:1] in ("+", "-") else ("", plain)
    match = NUMBER.match(digits)
    text = match[0] if match else ""
    # An e without digits before it, or a lone dot, is no number.
    if not re.match(r"\.?\d", text, re.ASCII):
        if re.fullmatch(r"\.?(nan|inf|infinity)", digits, re.IGNORECASE):
            raise NotAQuantity(kind.expected, "leave the line out if the number is not known")
        raise NotAQuantity(kind.expected, f"write a number, for example  {kind.example}")
    whole = text.partition(".")[0]
    rest = digits[len(text) :].strip()
    if "," in whole or rest.startswith((",", ".")):
        grouped = re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+", whole, re.ASCII)
        if not grouped or rest.startswith((",", ".")):
            raise _two_readings(text, rest, kind)
    if whole.endswith("_") or "__" in whole:
        raise NotAQuantity(kind.expected, f"write a number, for example  {kind.example}")
    value = float(text.replace(",", "").replace("_", ""))
    return (-value if sign == "-" else value), rest


def _two_readings(text: str, rest: str, kind: Kind) -> NotAQuantity:
    if rest.startswith((",", ".")) or text.count(",") != 1 or "." in text:
        return NotAQuantity(
            f"{kind.expected}, with a point before the decimals",
            "write the number without separators, for example  1234.5",
        )
    return NotAQuantity(
        f"{kind.expected}, with a point before the decimals",
        f"write {text.replace(',', '.')} if the comma begins the decimals, "
        f"or {text.replace(',', '')} if it separates thousands",
    )


def _unit_key(unit: str) -> str:
    return re.sub(r"^(per |每)", "/", unit.casefold()).replace(" per ", "/").replace(" ", "")


def _factor(unit: str, kind: Kind) -> float:
    if not unit:
        return 1.0
    key = _unit_key(unit)
    if key in kind.units:
        return kind.units[key]
    if key in ("m", "b"):
        raise NotAQuantity(kind.expected, f"write {key.upper()} for {_WORDS[key]}")
    for other in KINDS:
        if key in other.units:
            raise NotAQuantity(
                f"{kind.expected}; {unit} belongs to {other.title}, this field takes {kind.title}",
                f"write for example  {kind.example}",
            )
    raise NotAQuantity(
        f"{kind.expected}; {unit} is no unit {'or currency ' if kind.money else ''}of it",
        f"write for example  {kind.example}",
    )


_WORDS = {"m": "millions", "b": "billions"}
