"""Quantities: what people write, what it means, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.scenario import kinds
from tco.scenario.kinds import Kind
from tco.scenario.quantities import Amount, NotAQuantity, parse, parse_exchange_rate


@pytest.mark.parametrize(
    ("text", "kind", "value", "currency"),
    [
        ("0.7", kinds.FRACTION, 0.7, None),
        ("70%", kinds.FRACTION, 0.7, None),
        ("70 %", kinds.FRACTION, 0.7, None),
        ("\uff17\uff10\uff05", kinds.FRACTION, 0.7, None),
        ("10 %/year", kinds.ANNUAL_RATE, 0.1, None),
        ("-5%", kinds.ANNUAL_RATE, -0.05, None),
        ("50 M", kinds.TOKENS, 50e6, None),
        ("20M tokens", kinds.TOKENS, 20e6, None),
        ("50Mtok", kinds.TOKENS, 50e6, None),
        ("1.5 B tokens/month", kinds.TOKENS, 1.5e9, None),
        ("50 million tokens per month", kinds.TOKENS, 50e6, None),
        ("3000万", kinds.TOKENS, 3000 * 1e4, None),
        ("1.2亿", kinds.TOKENS, 1.2 * 1e8, None),
        ("1_000", kinds.TOKENS, 1000, None),
        ("1e3", kinds.TOKENS, 1000, None),
        ("1,599", kinds.TOKENS, 1599, None),
        ("1,234,567.5", kinds.MONEY, 1234567.5, None),
        ("700 W", kinds.POWER, 700, None),
        ("0.45 kW", kinds.POWER, 450, None),
        ("700瓦", kinds.POWER, 700, None),
        ("800 tokens/s", kinds.TOKENS_PER_SECOND, 800, None),
        ("36 months", kinds.MONTHS, 36, None),
        ("3 years", kinds.LIFE_MONTHS, 3 * 12, None),
        ("730 hours", kinds.HOURS_PER_MONTH, 730, None),
        ("4 hours/month", kinds.STAFF_HOURS, 4, None),
        ("2 cards", kinds.COUNT, 2, None),
        ("$1,599", kinds.MONEY_PER_GPU, 1599, "USD"),
        ("1599 USD", kinds.MONEY_PER_GPU, 1599, "USD"),
        ("US$ 1599", kinds.MONEY_PER_GPU, 1599, "USD"),
        ("20000 元", kinds.MONEY_PER_GPU, 20000, "CNY"),
        ("2万元/张", kinds.MONEY_PER_GPU, 20000, "CNY"),
        ("0.62 元/度", kinds.MONEY_PER_KILOWATT_HOUR, 0.62, "CNY"),
        ("€0.19/kWh", kinds.MONEY_PER_KILOWATT_HOUR, 0.19, "EUR"),
        ("0.10 USD/kWh", kinds.MONEY_PER_KILOWATT_HOUR, 0.10, "USD"),
        ("1.24 元/小时", kinds.MONEY_PER_GPU_HOUR, 1.24, "CNY"),
        ("3.06 USD/GPU-hour", kinds.MONEY_PER_GPU_HOUR, 3.06, "USD"),
        ("8 元/百万", kinds.MONEY_PER_MEGATOKEN, 8, "CNY"),
        ("$15/M", kinds.MONEY_PER_MEGATOKEN, 15, "USD"),
        ("$0.015/1K", kinds.MONEY_PER_MEGATOKEN, 0.015 * 1000, "USD"),
        ("0.000015 USD/token", kinds.MONEY_PER_MEGATOKEN, 0.000015 * 1e6, "USD"),
        ("150 元/小时", kinds.MONEY_PER_STAFF_HOUR, 150, "CNY"),
        ("168 USD/month", kinds.MONEY_PER_MONTH, 168, "USD"),
        ("150 元/千瓦/月", kinds.MONEY_PER_KILOWATT_MONTH, 150, "CNY"),
        ("$150/kW-mo", kinds.MONEY_PER_KILOWATT_MONTH, 150, "USD"),
        ("4500 USD/GPU/year", kinds.MONEY_PER_GPU_YEAR, 4500, "USD"),
        ("1 M USD/year", kinds.MONEY_PER_YEAR, 1e6, "USD"),
        ("200 USD/GPU", kinds.MONEY_FOR_EACH_GPU, 200, "USD"),
        ("10.2 kW", kinds.KILOWATTS, 10.2, None),
        ("900 W", kinds.KILOWATTS, 900 / 1000, None),
        ("1.5 years", kinds.DAYS, 1.5 * 365, None),
        ("-36 %/year", kinds.PRICE_CHANGE, -0.36, None),
        ("8%/year", kinds.NOMINAL_RATE, 0.08, None),
        ("¥8", kinds.MONEY, 8, "¥"),
        ("-0.0", kinds.MONEY, 0, None),
    ],
)
def test_what_people_write(text: str, kind: Kind, value: float, currency: str | None) -> None:
    assert parse(text, kind) == Amount(float(f"{value:.15g}"), currency)


@pytest.mark.parametrize(
    "text",
    ["", ".", "e5", "abc", "--1", "1__0", "1_", "0x10", "1,5", "0,100", "1.2.3", "1/0", "十", "½x"],
)
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(NotAQuantity):
        parse(text, kinds.MONEY)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7.10", 7.10),
        ("7.10 CNY/USD", 7.10),
        ("7.10cny/usd", 7.10),
        ("0.1408 USD/CNY", 1 / 0.1408),
    ],
)
def test_an_exchange_rate_is_always_foreign_for_one_of_the_reporting_currency(
    text: str, value: float
) -> None:
    assert parse_exchange_rate(text, "CNY", "USD")[0] == float(f"{value:.15g}")


@pytest.mark.parametrize("text", ["7.1 EUR/USD", "0", "-7", "nan", "7,1", "7.1 CNY", ""])
def test_what_is_no_exchange_rate(text: str) -> None:
    with pytest.raises(NotAQuantity):
        parse_exchange_rate(text, "CNY", "USD")


numbers = st.floats(min_value=1e-6, max_value=1e9).map(lambda x: float(f"{x:.15g}"))


@given(
    number=numbers,
    unit=st.sampled_from(sorted(kinds.MONEY_PER_GPU_HOUR.units)),
    currency=st.sampled_from(["USD", "EUR", "CNY"]),
)
@settings(max_examples=200, deadline=None)
def test_money_written_is_money_read(number: float, unit: str, currency: str) -> None:
    for text in (f"{number!r} {currency}{unit}", f"{currency} {number!r}{unit}"):
        assert parse(text, kinds.MONEY_PER_GPU_HOUR) == Amount(number, currency)


@given(number=st.integers(0, 10**15))
@settings(max_examples=200, deadline=None)
def test_separators_of_thousands_change_nothing(number: int) -> None:
    plain = parse(str(number), kinds.TOKENS)
    assert parse(f"{number:,}", kinds.TOKENS) == plain
    assert parse(f"{number:_}", kinds.TOKENS) == plain


@given(number=numbers, unit=st.sampled_from(sorted(kinds.TOKENS.units)))
@settings(max_examples=200, deadline=None)
def test_a_unit_multiplies(number: float, unit: str) -> None:
    product = float(f"{number * kinds.TOKENS.units[unit]:.15g}")
    assert parse(f"{number!r} {unit}", kinds.TOKENS) == Amount(product)


@given(fraction=st.floats(0, 1).filter(lambda x: x == 0 or x > 1e-6))
@settings(max_examples=200, deadline=None)
def test_a_percentage_is_its_fraction(fraction: float) -> None:
    fraction = float(f"{fraction:.12g}")
    read = parse(f"{fraction * 100:.15g}%", kinds.FRACTION).value
    assert read == pytest.approx(fraction, rel=1e-12)


@given(text=st.text(max_size=30), kind=st.sampled_from(kinds.KINDS))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str, kind: Kind) -> None:
    try:
        value = parse(text, kind).value
    except NotAQuantity:
        return
    assert float(f"{value:.15g}") == value
