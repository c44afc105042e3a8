"""Quantities as people write them: ``70%``, ``50 M``, ``3000万``, ``0.62 元/度``, ``$1,599``.

A ``Kind`` of ``tco.scenario.kinds`` says what a field takes; ``parse`` turns a text into a number
in the field's own unit. Whatever could be read in two ways is refused with both readings.

>>> from tco.scenario.kinds import FRACTION, MONEY_PER_KILOWATT_HOUR, POWER
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
from dataclasses import dataclass

from tco.scenario.kinds import EXCHANGE_RATE, KINDS, Kind

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
    if "%" in kind.units:
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
    is_share = kind.most == 1
    if not is_share and number == 1:
        raise NotAQuantity(kind.expected, "write 0.01 or 1%, or 100% if you mean it")
    if 1 < number <= 100:
        raise NotAQuantity(kind.expected, f"write {rounded(number / 100):g} or {number:g}%")
    if not is_share and number > 100:
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
