"""Numbers as a person reads them: a few digits, thousands apart, the unit in view.

Nothing is computed here but the rounding of what is shown.

>>> money(-217.79, "USD"), money(0.42, "USD"), money(2767.75, "CNY"), money(12, "CHF")
('-$218', '$0.42', '¥2,768', 'CHF 12')
>>> tokens(50e6), megatokens(132.4), share(0.1582), significant(19.026)
('50 M', '132 M', '15.8 %', '19')
"""

from __future__ import annotations

import math

SYMBOLS = {"USD": "$", "CNY": "¥", "EUR": "€", "GBP": "£"}
LARGEST = 1e12


def significant(value: float, digits: int = 3) -> str:
    """A number to so many significant digits, whole above them, thousands apart.

    >>> significant(1234.5), significant(4.264), significant(0.00012345), significant(-0.0)
    ('1,234', '4.26', '0.000123', '0')
    """
    if value == 0:
        return "0"
    if abs(value) >= LARGEST:
        return f"{value:.{digits}g}"
    decimals = max(digits - 1 - math.floor(math.log10(abs(value))), 0)
    if decimals > 8:
        return f"{value:.{digits}g}"
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def exact(value: float) -> str:
    """A number as it was given, thousands apart.

    >>> exact(1599.0), exact(0.42), exact(78.125)
    ('1,599', '0.42', '78.125')
    """
    if value != 0 and not 1e-6 <= abs(value) < LARGEST:
        return f"{value:.10g}"
    text = f"{value:,.9f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def symbol(currency: str) -> str:
    """What stands before an amount: a sign, or the three letters and a space."""
    return SYMBOLS.get(currency, f"{currency} ")


def money(value: float, currency: str) -> str:
    """An amount: whole from 100 on, else with cents."""
    size = abs(value)
    if size >= 99.995 or size == 0:
        text = f"{size:,.0f}" if size < LARGEST else f"{size:.4g}"
    elif size < 0.1:
        text = significant(size, 2)
    else:
        text = f"{size:.2f}".removesuffix(".00")
    sign = "-" if value < 0 and text != "0" else ""
    return f"{sign}{symbol(currency)}{text}"


def price(value: float, currency: str) -> str:
    """A price as it was given."""
    sign = "-" if value < 0 else ""
    return f"{sign}{symbol(currency)}{exact(abs(value))}"


def tokens(value: float) -> str:
    """A number of tokens, in millions from ten thousand on."""
    return megatokens(value / 1e6) if abs(value) >= 1e4 else exact(value)


def megatokens(value: float) -> str:
    """A number of tokens that is given in millions."""
    return f"{significant(value)} M"


def share(value: float) -> str:
    """A fraction as a percentage."""
    return f"{significant(value * 100)} %"


def cell(value: float, decimals: int) -> str:
    """A number of a table, with fixed decimals.

    >>> cell(-0.001, 2), cell(1234.5, 0)
    ('0.00', '1,234')
    """
    if abs(value) >= LARGEST:
        return f"{value:.4g}"
    text = f"{value:,.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text
