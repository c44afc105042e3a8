"""What all exports of API use share: classes billed once, the month, the weeks, the bill."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from tco.prices.list_prices import ListPrice
from tco.readings.apis import api_bill
from tco.readings.apis.api_bill import cached_as_input, cost, likely_unit, listed_on
from tco.readings.apis.api_sums import MOST_REMEMBERED, Tokens, Use, Way, inside
from tco.readings.apis.api_tables import bill_of
from tco.readings.apis.api_use import reading_of
from tco.readings.reading import Asked, Reading, ReadingError

MILLION = Decimal(1_000_000)
DAY = date(2026, 6, 1)
MINI = ("openai", "gpt-5-mini")


def read(use: Use, asked: Asked | None = None) -> Reading:
    return reading_of("a kind", (Path(__file__),), use, asked or Asked())


def contents(reading: Reading) -> dict[str, dict[str, float]]:
    return {entry.field: dict(entry.content) for entry in reading.entries}


def priced(monkeypatch: pytest.MonkeyPatch, **prices: float | int | None) -> None:
    """Every model has these prices, in USD for a million tokens, and no others."""
    known = listed_on(*MINI, DAY)
    assert isinstance(known, ListPrice)
    bare = {name: None for name in vars(known) if name.endswith(("_price", "_threshold"))}
    monkeypatch.setattr(api_bill, "listed_on", lambda *_: replace(known, **{**bare, **prices}))


# ------------------------------------------------------------------------ each class once


def test_cached_tokens_are_not_billed_as_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    # 20,212 in, of which 16,298 from a cache; billed twice it would be 0.0137
    priced(monkeypatch, input_price=0.5, output_price=3, cache_read_price=0.05)
    tokens = inside(16_298, Tokens(visible=931), 20_212)
    assert tokens is not None
    by_hand = (3_914 * Decimal("0.5") + 16_298 * Decimal("0.05") + 931 * 3) / MILLION
    assert cost(Way(DAY, *MINI), tokens) == by_hand
    assert round(by_hand, 6) == Decimal("0.005565")


@pytest.mark.parametrize(
    ("tokens", "by_hand"),
    [
        (Tokens(uncached=1_000), 1_000 * Decimal(5)),
        (Tokens(cache_read=1_000), 1_000 * Decimal("0.5")),
        (Tokens(cache_write=1_000), 1_000 * Decimal("6.25")),
        (Tokens(cache_write_hour=1_000), 1_000 * Decimal(10)),
        (Tokens(visible=1_000), 1_000 * Decimal(25)),
        (Tokens(reasoning=1_000), 1_000 * Decimal(25)),
        (Tokens(1, 2, 3, 4, 5, 6), Decimal("5") + 1 + Decimal("18.75") + 40 + 11 * 25),
        (Tokens(uncached=109_911, cache_write=2_528, visible=34_988), Decimal(1_440_055)),
    ],
)
def test_each_class_has_its_own_price(tokens: Tokens, by_hand: Decimal) -> None:
    # claude-opus-5: 5 in, 0.5 read, 6.25 and 10 written, 25 out
    way = Way(date(2026, 7, 31), "anthropic", "claude-opus-5")
    assert cost(way, tokens) == by_hand / MILLION


def test_writes_for_an_hour_have_their_own_price() -> None:
    # 9,634 written for an hour, 4 read and 6 written out; at the price of 5 minutes 0.0603825
    tokens = Tokens(uncached=4, cache_write_hour=9_634, visible=6)
    for provider, model in (
        ("anthropic", "claude-opus-5"),
        ("aws", "global.anthropic.claude-opus-4-5-20251101-v1:0"),
    ):
        assert cost(Way(DAY, provider, model), tokens) == Decimal("0.09651")


def test_writes_for_an_hour_without_a_price_are_not_billed_at_another() -> None:
    way = Way(DAY, "openrouter", "anthropic/claude-4.5-sonnet-20250929")
    assert isinstance(cost(way, Tokens(cache_write=10)), Decimal)
    listed = listed_on(way.provider, way.model, way.day)
    assert isinstance(listed, ListPrice)
    assert cost(way, Tokens(cache_write_hour=10)) == (
        f"{listed.source} has no price for cache writes kept for an hour of "
        "anthropic/claude-sonnet-4.5"
    )


@pytest.mark.parametrize("name", ["cache_read", "cache_write", "cache_write_hour"])
def test_a_cache_without_a_price_of_its_own_is_input(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    priced(monkeypatch, input_price=2, output_price=8)
    assert cost(Way(DAY, *MINI), Tokens(**{name: 1_000})) == 1_000 * 2 / MILLION


def test_reasoning_is_billed_as_output_and_not_again() -> None:
    # 14,746 in at 30, 1,944 out at 180 of which 1,360 are reasoning; added on top it would be 1.04
    tokens = Tokens(uncached=14_746, visible=1_944 - 1_360, reasoning=1_360)
    by_hand = (14_746 * 30 + 1_944 * 180) / MILLION
    assert cost(Way(DAY, "openai", "gpt-5.4-pro"), tokens) == by_hand == Decimal("0.7923")


@pytest.mark.parametrize(
    ("model", "provider", "prompt", "price"),
    [
        ("gemini-3.1-pro-preview", "google", 200_000, 2),
        ("gemini-3.1-pro-preview", "google", 200_001, 4),
        ("gemini-3.1-pro-preview", "google", 250_000, 4),
        ("gpt-5.5", "openai", 272_000, 5),
        ("gpt-5.5", "openai", 272_001, 10),
        ("claude-sonnet-4-5", "anthropic", 300_000, 6),
        ("claude-opus-5", "anthropic", 300_000, 5),
    ],
)
def test_a_long_prompt_is_billed_at_its_own_price(
    model: str, provider: str, prompt: int, price: int
) -> None:
    long_context = api_bill.is_long(provider, model, DAY, prompt)
    way = Way(DAY, provider, model, long_context=long_context)
    assert cost(way, Tokens(uncached=prompt)) == prompt * Decimal(price) / MILLION


def test_a_long_prompt_costs_what_the_provider_bills() -> None:
    # 250,000 in at 4; at the price of short prompts it would be 0.50
    way = Way(DAY, "google", "gemini-3.1-pro-preview", long_context=True)
    assert cost(way, Tokens(uncached=250_000)) == Decimal("1.00")


@pytest.mark.parametrize(
    ("provider", "model", "full"),
    [
        ("openai", "gpt-5-mini", 1_000 * Decimal("0.25") + 2_000 * Decimal("2")),
        ("openai", "o3", 1_000 * Decimal(2) + 2_000 * Decimal(8)),
        ("anthropic", "claude-haiku-4-5", 1_000 * Decimal(1) + 2_000 * Decimal(5)),
        ("google", "gemini-2.5-flash", 1_000 * Decimal("0.3") + 2_000 * Decimal("2.5")),
    ],
)
@pytest.mark.parametrize("day", [date(2025, 11, 1), date(2026, 11, 30)])
def test_a_batch_is_billed_at_half(provider: str, model: str, full: Decimal, day: date) -> None:
    tokens = Tokens(uncached=1_000, visible=2_000)
    assert cost(Way(day, provider, model), tokens) == full / MILLION
    assert cost(Way(day, provider, model, batch=True), tokens) == full / 2 / MILLION


def test_a_batch_is_billed_at_the_listed_price_where_it_is_not_half() -> None:
    # grok-4.3: 1.25 and 2.5, in batches 1.0 and 2.0; a cache read 0.2 x 1.0 / 1.25
    way = Way(date(2026, 11, 30), "x-ai", "grok-4.3", batch=True)
    tokens = Tokens(uncached=1_000, cache_read=1_000, visible=1_000)
    assert cost(way, tokens) == (1_000 * (Decimal(1) + Decimal("0.16") + 2)) / MILLION


def test_a_batch_of_a_provider_without_a_batch_price_is_not_priced() -> None:
    way = Way(date(2026, 6, 28), "openrouter", "openai/gpt-4.1", batch=True)
    listed = listed_on(way.provider, way.model, way.day)
    assert isinstance(listed, ListPrice)
    assert cost(way, Tokens(visible=1)) == (
        f"{listed.source} has no batch price for openrouter openai/gpt-4.1"
    )


@pytest.mark.parametrize(
    ("way", "why"),
    [
        (Way(DAY, "openai", ""), "the file does not say which model: export it grouped by model"),
        (Way(DAY, "openai", "gpt-4oo"), "{source} lists no model gpt-4oo of openai"),
        (Way(DAY, "somebody", "gpt-4o"), "{source} lists no provider somebody"),
        (
            Way(DAY, *MINI, special="service tier priority"),
            "service tier priority has no price in {source}",
        ),
    ],
)
def test_what_has_no_list_price_says_why_and_is_never_0(way: Way, why: str) -> None:
    listed = listed_on(*MINI, DAY)
    assert isinstance(listed, ListPrice)
    found = cost(way, Tokens(uncached=1))
    assert isinstance(found, str)
    assert found.split("; near:")[0] == why.format(source=listed.source)


def test_the_price_is_that_of_the_day() -> None:
    # o3 cost 10 and 40 before 2025-06-10, and 2 and 8 from then on
    before, after = date(2025, 6, 9), date(2025, 6, 10)
    tokens = Tokens(uncached=1_000, visible=1_000)
    assert cost(Way(before, "openai", "o3"), tokens) == 1_000 * (10 + 40) / MILLION
    assert cost(Way(after, "openai", "o3"), tokens) == 1_000 * (2 + 8) / MILLION


@pytest.mark.parametrize(
    ("billed", "listed", "said"),
    [
        ("1620", "0.0162", "billed is about 100,000 times the list price"),
        ("0.0162", "1620", "billed is about 1/100,000 of the list price"),
        ("16", "0.0162", "billed is about 1,000 times the list price"),
        ("0.000016", "16", "billed is about 1/1,000,000 of the list price"),
        ("162", "1.62", "billed is about 100 times the list price: cents stand as dollars"),
    ],
)
def test_a_bill_of_another_unit_is_named(billed: str, listed: str, said: str) -> None:
    found = likely_unit(Decimal(billed), Decimal(listed))
    assert found is not None
    assert found.startswith(said)


@pytest.mark.parametrize(("billed", "listed"), [("1", "1"), ("5", "1"), ("0", "1"), ("40", "1")])
def test_an_ordinary_difference_is_no_other_unit(billed: str, listed: str) -> None:
    assert likely_unit(Decimal(billed), Decimal(listed)) is None


def test_a_bill_of_another_unit_is_warned_of() -> None:
    use = Use()
    # 10,000 in at 0.25 and 500 out at 2 are 0.0035; billed is 100,000 times that
    use.add(Way(DAY, *MINI), Tokens(uncached=10_000, visible=500), 1, Decimal("350"))
    # no list price: 10,500 tokens for 1,620 are 0.154 a token
    use.add(
        Way(DAY, "wandb", "DeepSeek-R1"), Tokens(uncached=10_000, visible=500), 1, Decimal(1620)
    )
    warnings = read(use).warnings
    assert (
        "gpt-5-mini of openai: billed is about 100,000 times the list price: a price was moved by "
        "five places, as with cents or yuan for 1,000 tokens"
    ) in warnings
    assert (
        "DeepSeek-R1 of wandb: 0.15428571 billed for a token, above 0.001: a price for a million "
        "or for 1,000 tokens may stand as one for a token"
    ) in warnings


# ------------------------------------------------------------------------------- the month


def one_day(tokens: Tokens, requests: int | None = 3) -> Use:
    use = Use()
    use.add(Way(DAY, *MINI), tokens, requests)
    return use


def test_a_month_of_a_day() -> None:
    found = contents(read(one_day(Tokens(100, 200, 30, 40, 500, 60))))
    days = 730 / 24
    assert found == {
        "input_tokens": {"value": float(f"{370 * days:.6g}")},
        "cache_read_tokens": {"value": float(f"{200 * days:.6g}")},
        "cache_write_tokens": {"value": float(f"{30 * days:.6g}")},
        "cache_write_1h_tokens": {"value": float(f"{40 * days:.6g}")},
        "output_tokens": {"value": float(f"{500 * days:.6g}")},
        "reasoning_tokens": {"value": float(f"{60 * days:.6g}")},
        "requests": {"value": float(f"{3 * days:.6g}")},
    }


def test_what_is_not_told_is_left_out() -> None:
    found = contents(read(one_day(Tokens(visible=24), requests=None), Asked(hours_per_month=720)))
    assert found == {"output_tokens": {"value": 24 * 30}}


def test_requests_of_some_rows_are_not_requests_of_all() -> None:
    use = one_day(Tokens(visible=24))
    use.add(Way(DAY, *MINI), Tokens(visible=24), None)
    reading = read(use)
    assert set(contents(reading)) == {"output_tokens"}
    assert "1 of 2 rows do not say how many requests: requests left out" in reading.remarks


def test_an_empty_day_counts_as_a_day() -> None:
    use = one_day(Tokens(visible=1_000))
    use.cover(DAY, DAY + timedelta(days=3))
    reading = read(use, Asked(hours_per_month=720))
    assert contents(reading)["output_tokens"] == {"value": 1_000 / 4 * 30}
    assert (
        "3 days of 4 without use (2026-06-02, 2026-06-03, 2026-06-04): counted as days of no use"
        in reading.remarks
    )
    assert reading.warnings == (
        "0 whole weeks: two are needed to plan with (article C); no low and high written",
        "use on 1 day of 4 only: if exports of a time between them are missing, give them too, or "
        "the mean day is too low",
    )


def test_two_whole_weeks_have_low_and_high() -> None:
    use = Use()
    for n in range(16):
        # 100 a day in the first week, 300 in the second, 10,000 in the two days left over
        tokens = 100 if n < 7 else 300 if n < 14 else 10_000
        use.add(Way(DAY + timedelta(days=n), *MINI), Tokens(visible=tokens), 1)
    reading = read(use, Asked(hours_per_month=720))
    assert contents(reading)["output_tokens"] == {"value": 6_000, "low": 3_000, "high": 9_000}
    assert reading.entries[0].note == (
        "low and high: the lowest and highest of 2 whole weeks; a month is 30 days"
    )
    assert reading.entries[0].shown == "6,000 (3,000 to 9,000)"
    assert "the values are those of 2 whole weeks; 2 days after them are left over" in (
        reading.remarks
    )
    assert reading.warnings == ()


def test_a_week_without_use_is_a_week_of_nothing() -> None:
    use = Use()
    use.add(Way(DAY, *MINI), Tokens(visible=70), 1)
    use.cover(DAY, DAY + timedelta(days=13))
    assert contents(read(use, Asked(hours_per_month=720)))["output_tokens"] == {
        "value": 5 * 30,
        "low": 0,
        "high": 10 * 30,
    }


# -------------------------------------------------------------------------------- the bill


def test_days_add_up_to_the_whole() -> None:
    use = Use()
    for n in range(5):
        way = Way(DAY + timedelta(days=n), *MINI)
        use.add(way, Tokens(uncached=1 + 17 * n, visible=3 * n), 1, Decimal("0.0001") * n)
    costs = {way: cost(way, sums.tokens) for way, sums in use.sums.items()}
    period = read(use).period
    assert period is not None
    bill = bill_of(use, costs, period)
    by_hand = (
        sum(((1 + 17 * n) * Decimal("0.25") + 3 * n * 2 for n in range(5)), Decimal(0)) / MILLION
    )
    assert sum(bill.listed.values()) == by_hand
    assert sum(bill.billed.values()) == Decimal("0.0001") * (1 + 2 + 3 + 4)
    table = next(table for table in read(use).tables if table.title == "The bill, in USD")
    *days, whole = table.rows[1:]
    for column in (1, 2, 3):
        assert sum(Decimal(day[column]) for day in days) == Decimal(whole[column])


def test_use_without_a_list_price_is_named_and_not_in_the_difference() -> None:
    use = one_day(Tokens(uncached=1_000_000))
    use.add(Way(DAY, "openai", "gpt-9"), Tokens(visible=500), 1, Decimal("7"))
    use.add(Way(DAY, *MINI), Tokens(), 1, Decimal("0.30"))
    reading = read(use)
    assert next(text for text in reading.warnings if "gpt-9" in text).startswith(
        "no list price for gpt-9 of openai: genai-prices "
    )
    assert next(text for text in reading.warnings if "gpt-9" in text).endswith(
        "; its 500 tokens are in the tokens and not in the bill at list prices"
    )
    table = next(table for table in reading.tables if table.title == "The bill, in USD")
    assert table.rows == [
        ("day", "at list prices", "billed", "difference", "billed, no list price"),
        ("2026-06-01", "0.25", "0.30", "0.05", "7.00"),
        ("all", "0.25", "0.30", "0.05", "7.00"),
    ]
    models = next(table for table in reading.tables if table.title == "Models")
    assert [row[0] for row in models.rows] == ["model", "gpt-9", "gpt-5-mini"]
    assert models.rows[1][-2:] == ("no list price", "7.00")


def test_a_day_without_a_list_price_is_not_compared_with_the_bill_of_the_day() -> None:
    use = one_day(Tokens(uncached=1_000_000))
    use.add(Way(DAY, "openai", "gpt-9"), Tokens(visible=500), 1)
    use.bill(DAY, Decimal("7.25"))
    table = next(table for table in read(use).tables if table.title == "The bill, in USD")
    assert table.rows[1] == ("2026-06-01", "0.25 and more", "7.25", "")
    assert "a day with use that has no list price is not compared" in table.notes


def test_many_days_are_shown_by_the_month() -> None:
    use = Use()
    for n in range(61):
        use.add(Way(DAY + timedelta(days=n), *MINI), Tokens(uncached=1_000_000), 1)
    table = next(table for table in read(use).tables if table.title == "The bill, in USD")
    assert table.rows == [
        ("month", "at list prices"),
        ("2026-06", "7.50"),
        ("2026-07", "7.75"),
        ("all", "15.25"),
    ]


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        ([("gpt-5-mini", 71), ("gpt-5", 1)], "most of the bill: gpt-5-mini of openai (93 %)"),
        ([("gpt-9", 71), ("gpt-8", 29)], "most of the tokens: gpt-9 of openai (71 %)"),
        (
            [("gpt-9", 40), ("gpt-8", 30), ("gpt-7", 30)],
            "the largest part of the tokens: gpt-9 of openai (40 %)",
        ),
    ],
)
def test_the_model_with_most_of_the_bill_is_named(ways: list[tuple[str, int]], said: str) -> None:
    use = Use()
    for model, tokens in ways:
        use.add(Way(DAY, "openai", model), Tokens(uncached=tokens), 1)
    assert said in read(use).remarks


def test_a_file_without_use_is_refused() -> None:
    use = Use()
    use.drop("blank", 2, rows=3)
    with pytest.raises(ReadingError) as refused:
        read(use)
    assert str(refused.value) == (
        f"{__file__}\n"
        "  found:    no row of use (3 blank)\n"
        "  expected: rows with tokens\n"
        "  next:     export a period in which the API was used"
    )


def test_repeated_rows_are_looked_for_in_memory_that_does_not_grow() -> None:
    use = Use()
    use._seen = set(range(MOST_REMEMBERED))
    assert not use.repeated("a row")
    assert not use.repeated("a row")
    assert len(use._seen) == MOST_REMEMBERED
    assert not use.repeated("a batch", always=True)
    assert use.repeated("a batch", always=True)
    use.add(Way(DAY, *MINI), Tokens(visible=1), 1)
    assert "repeated rows were looked for among the first 1,000,000 only" in read(use).warnings


# ---------------------------------------------------------------- caches and classes left out


@pytest.mark.parametrize(
    ("prices", "expected"),
    [
        # 1,000 read, 2,000 and 4,000 written, at 2 for a million as input
        ({}, {"read": (1_000, "0.002"), "written": (6_000, "0.012")}),
        ({"cache_read_price": 0.2}, {"written": (6_000, "0.012")}),
        ({"cache_write_price": 2.5, "cache_write_hour_price": 4}, {"read": (1_000, "0.002")}),
        (
            {"cache_write_hour_price": 4},
            {"read": (1_000, "0.002"), "written": (2_000, "0.004")},
        ),
        # the list has no price for writes of an hour but one for others: nothing is billed at all
        ({"cache_write_price": 2.5}, {}),
        ({"cache_read_price": 0.2, "cache_write_price": 2.5, "cache_write_hour_price": 4}, {}),
        # free of charge is a price
        ({"cache_read_price": 0.0, "cache_write_price": 0.0, "cache_write_hour_price": 0.0}, {}),
    ],
)
def test_cached_tokens_that_are_billed_as_input(
    prices: dict[str, float],
    expected: dict[str, tuple[int, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    priced(monkeypatch, input_price=2, output_price=8, **prices)
    tokens = Tokens(500, 1_000, 2_000, 4_000, 10)
    found = cached_as_input(Way(DAY, *MINI), tokens)
    assert {name: (one.tokens, one.billed) for name, one in found.items()} == {
        name: (count, Decimal(amount)) for name, (count, amount) in expected.items()
    }
    # no tokens of caches, nothing to say
    assert cached_as_input(Way(DAY, *MINI), Tokens(500, visible=10)) == {}


@pytest.mark.parametrize(
    "way",
    [
        Way(DAY, *MINI, free=True),
        Way(DAY, *MINI, special="service tier flex"),
        Way(DAY, "wandb", "no-such"),
        Way(DAY, "openai", ""),
    ],
)
def test_what_has_no_price_is_not_billed_as_input(way: Way) -> None:
    assert cached_as_input(way, Tokens(cache_read=1_000, cache_write=1_000)) == {}


@pytest.mark.parametrize(
    ("tokens", "field", "label"),
    [
        (Tokens(cache_write=15_969), "cache_write_tokens", "to a cache for 5 minutes"),
        (Tokens(cache_write_hour=15_969), "cache_write_1h_tokens", "to a cache for an hour"),
        (Tokens(cache_read=15_969), "cache_read_tokens", "from a cache"),
        (Tokens(reasoning=15_969), "reasoning_tokens", "reasoning tokens"),
    ],
)
def test_a_class_that_the_whole_weeks_lack_is_left_out_and_told(
    tokens: Tokens, field: str, label: str
) -> None:
    use = Use()
    for n in range(16):
        # two whole weeks; the tokens are of the last of the two days left over
        more = tokens if n == 15 else Tokens()
        use.add(Way(DAY + timedelta(days=n), *MINI), more.and_more(Tokens(uncached=100)), 1)
    reading = read(use)
    assert field not in contents(reading)
    (said,) = (text for text in reading.warnings if "whole weeks; left out" in text)
    assert said.endswith(
        f"{label}: 15,969 in the file, none in its whole weeks; left out, for a month cannot be "
        "told from them"
    )
    shown = next(one for one in reading.tables if one.title == "Tokens and requests")
    assert not any("0 (0 to 0)" in cell for row in shown.rows for cell in row)
    assert not any(label in row[0] for row in shown.rows)


def test_a_class_of_one_whole_week_is_not_left_out() -> None:
    use = Use()
    for n in range(16):
        use.add(Way(DAY + timedelta(days=n), *MINI), Tokens(uncached=1, cache_read=n == 13), 1)
    reading = read(use, Asked(hours_per_month=720))
    # 1 in the second of two weeks: 0 and 1 / 7 x 30 a month
    assert contents(reading)["cache_read_tokens"] == {"value": 2.14286, "low": 0, "high": 4.28571}
    assert not any("left out" in text for text in reading.warnings)
