"""List prices: what the library's own bills say, and what is not listed."""

from __future__ import annotations

import csv
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime
from importlib.resources import files

import pytest
from genai_prices import Usage, calc_price

from tco.prices.list_prices import (
    PRICES,
    ListPrice,
    NotListed,
    differences,
    list_price,
    retirement,
)

MILLION = 1_000_000


def listed(provider: str | None, model: str, as_of: str | None = "2026-11-30") -> ListPrice:
    found = list_price(provider, model, as_of)
    assert isinstance(found, ListPrice), found
    return found


def not_listed(provider: str | None, model: str, as_of: str | None = "2026-11-30") -> NotListed:
    found = list_price(provider, model, as_of)
    assert isinstance(found, NotListed), found
    return found


def bill(
    provider: str,
    model: str,
    moment: datetime,
    usage: Usage,
    price_context: dict[str, str] | None = None,
) -> float:
    """What the library itself would bill, in USD."""
    calculated = calc_price(
        usage,
        model,
        provider_id=provider,
        genai_request_timestamp=moment,
        price_context=price_context,
    )
    return float(calculated.total_price)


NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("openai", "gpt-4o"),
        ("openai", "gpt-4.1"),
        ("anthropic", "claude-sonnet-4-0"),
        ("google", "gemini-2.0-flash"),
        ("deepseek", "deepseek-v3.2"),
    ],
)
def test_prices_are_what_the_library_bills_for_a_million_tokens(provider: str, model: str) -> None:
    price = listed(provider, model)
    assert price.input_price == bill(provider, model, NOON, Usage(input_tokens=MILLION))
    assert price.output_price == bill(provider, model, NOON, Usage(output_tokens=MILLION))


@pytest.mark.parametrize(
    ("price", "kept"),
    [
        ("cache_read_price", {"cache_read_tokens": MILLION}),
        ("cache_write_price", {"cache_write_tokens": MILLION}),
        (
            "cache_write_hour_price",
            {"cache_write_tokens": MILLION, "cache_write_1h_tokens": MILLION},
        ),
    ],
)
def test_cache_prices_are_what_the_library_bills(price: str, kept: dict[str, int]) -> None:
    # claude-sonnet-4-0 has no long-context tier, so a million tokens are billed at one price
    usage = Usage(input_tokens=MILLION, **kept)
    billed = bill("anthropic", "claude-sonnet-4-0", NOON, usage)
    assert getattr(listed("anthropic", "claude-sonnet-4-0"), price) == billed


def test_cache_reads_without_a_price_are_billed_as_input() -> None:
    price = listed("deepseek", "deepseek-v3.2")
    assert price.cache_read_price is None
    usage = Usage(input_tokens=MILLION, cache_read_tokens=MILLION)
    assert bill("deepseek", "deepseek-v3.2", NOON, usage) == price.input_price


def test_a_long_request_is_billed_at_the_long_context_prices_all_of_it() -> None:
    price = listed("anthropic", "claude-sonnet-4-5")
    assert price.long_context_threshold is not None
    assert price.input_price is not None
    assert price.long_context_input_price is not None
    assert price.long_context_output_price is not None

    def billed(usage: Usage) -> float:
        return bill("anthropic", "claude-sonnet-4-5", NOON, usage)

    at = price.long_context_threshold
    assert billed(Usage(input_tokens=at)) == pytest.approx(at * price.input_price / MILLION)
    assert billed(Usage(input_tokens=at + 1, output_tokens=1000)) == pytest.approx(
        (at + 1) * price.long_context_input_price / MILLION
        + 1000 * price.long_context_output_price / MILLION
    )
    usage = Usage(input_tokens=at + 1, cache_read_tokens=at + 1)
    assert price.long_context_cache_read_price == pytest.approx(billed(usage) / (at + 1) * MILLION)
    usage = Usage(input_tokens=at + 1, cache_write_tokens=at + 1)
    assert price.long_context_cache_write_price == pytest.approx(billed(usage) / (at + 1) * MILLION)


def test_of_several_tiers_the_first_is_the_long_context_and_the_next_is_said() -> None:
    price = listed("openrouter", "qwen/qwen3-coder-flash")
    assert price.long_context_threshold == 32_000
    usage = Usage(input_tokens=100_000)
    billed = bill("openrouter", "qwen/qwen3-coder-flash", NOON, usage)
    assert price.long_context_input_price == pytest.approx(billed / 100_000 * MILLION)
    assert price.note == "a further tier above 128000 input tokens is not used"


def test_a_model_without_a_tier_has_no_long_context_prices() -> None:
    price = listed("openai", "gpt-4o")
    assert price.long_context_threshold is None
    assert price.long_context_input_price is None
    assert price.long_context_output_price is None


def test_batch_prices_are_what_the_library_bills() -> None:
    price = listed("openai", "gpt-4o")
    batch = {"processing": "batch"}
    usage = Usage(output_tokens=MILLION)
    assert price.batch_output_price == bill("openai", "gpt-4o", NOON, usage, batch)
    assert price.batch_input_price == bill(
        "openai", "gpt-4o", NOON, Usage(input_tokens=MILLION), batch
    )
    assert price.batch_output_price != price.output_price


def test_no_batch_price_before_the_data_have_one() -> None:
    assert listed("openai", "gpt-4o", "2026-10-13").batch_output_price is None
    assert listed("openai", "gpt-4o", "2026-10-14").batch_output_price is not None


def test_a_day_takes_the_price_of_that_day_and_a_month_that_of_its_last() -> None:
    # o3 became cheaper on 10 June 2025
    output = Usage(output_tokens=MILLION)
    before = bill("openai", "o3", datetime(2025, 6, 9, tzinfo=UTC), output)
    after = bill("openai", "o3", datetime(2025, 6, 10, tzinfo=UTC), output)
    assert before > after
    assert listed("openai", "o3", "2025-06-09").output_price == before
    assert listed("openai", "o3", "2025-06-10").output_price == after
    assert listed("openai", "o3", "2025-05").output_price == before
    assert listed("openai", "o3", "2025-06").output_price == after
    assert listed("openai", "o3", None).output_price == after
    assert listed("openai", "o3", "2025-06-09").valid_from is None
    assert listed("openai", "o3", "2025-06").valid_from == "2025-06-10"


@pytest.mark.parametrize("as_of", ["2026-13", "2026-02-30", "30.11.2026", "2026", "", "0000-01"])
def test_what_is_no_day_or_month_is_refused(as_of: str) -> None:
    assert not_listed("openai", "gpt-4o", as_of) == NotListed(
        "day", f"{as_of} is no day or month; write for example 2026-11-30"
    )


def test_a_price_by_the_hour_is_that_of_most_hours_and_the_others_are_said() -> None:
    # dear from 01:00 to 04:00 and from 06:00 to 10:00 UTC: 3 + 4 of 24 hours
    model = "deepseek-v4-flash"
    output = Usage(output_tokens=MILLION)
    cheap = bill("deepseek", model, NOON, output)
    dear = bill("deepseek", model, datetime(2026, 11, 30, 9, 59, tzinfo=UTC), output)
    assert dear > cheap
    price = listed("deepseek", model)
    assert price.output_price == cheap
    assert price.note is not None
    assert price.note.startswith("in 7 of 24 hours input ")
    assert price.note.endswith(f", output {dear:g}")
    assert price.valid_from == "2026-09-10"


@pytest.mark.parametrize(
    ("written", "provider"),
    [
        ("openai", "openai"),
        ("OpenAI", "openai"),
        ("OpenAI API", "openai"),
        ("x.ai", "x-ai"),
        ("xAI", "x-ai"),
        ("Together AI", "together"),
        ("DeepSeek AI", "deepseek"),
        ("Google Gemini", "google"),
        ("Mistral AI", "mistral"),
        ("Z.ai", "zai"),
    ],
)
def test_providers_as_people_write_them(written: str, provider: str) -> None:
    found = list_price(written, "no such model", "2026-11")
    assert isinstance(found, NotListed)
    assert found.unknown == "model"
    assert found.reason.endswith(f"lists no model no such model of {provider}")


@pytest.mark.parametrize(
    ("written", "provider", "model"),
    [
        ("GPT-4o mini", "openai", "gpt-4o-mini"),
        ("gpt-4o-2024-08-06", "openai", "gpt-4o"),
        ("Claude Sonnet 4.5", "anthropic", "claude-sonnet-4-5"),
        ("Gemini 2.0 Flash", "google", "gemini-2.0-flash"),
        ("DeepSeek-V3.2", "deepseek", "deepseek-v3.2"),
    ],
)
def test_models_as_people_write_them_are_those_of_their_maker(
    written: str, provider: str, model: str
) -> None:
    price = listed(None, written)
    assert (price.provider, price.model) == (provider, model)


def test_a_model_that_another_provider_resells_says_whose_list_it_is() -> None:
    assert listed("google", "claude-sonnet-5").note == "taken from the list of the model's maker"
    assert listed("google", "gemini-2.5-pro").note is None


def test_an_unknown_provider_is_not_listed_and_near_names_are_given() -> None:
    found = not_listed("opneai", "gpt-4o")
    assert found.unknown == "provider"
    assert found.near == ("openai",)
    assert str(found).endswith("lists no provider opneai; near: openai")
    assert not_listed("reseller", "gpt-4o").near == ()


def test_a_provider_that_may_be_two_is_not_guessed() -> None:
    found = not_listed("Azure OpenAI", "gpt-4o")
    assert found == NotListed(
        "provider", "Azure OpenAI may be azure or openai: write one of them", ("azure", "openai")
    )


def test_a_model_whose_maker_the_name_does_not_tell_asks_for_a_provider() -> None:
    found = not_listed(None, "llama-3-8b")
    assert found.unknown == "provider"
    assert found.reason.endswith("who makes llama-3-8b: add a provider")


def test_an_unknown_model_is_not_listed_and_near_names_are_given() -> None:
    found = not_listed("openai", "gpt-4oo")
    assert found.unknown == "model"
    assert "gpt-4o" in found.near


def test_a_model_without_a_price_by_tokens_is_not_free() -> None:
    found = not_listed("openai", "whisper-1")
    assert found.unknown == "price"
    assert found.reason.endswith("lists no price by tokens for openai whisper-1")


def test_each_model_of_the_data_is_found_by_its_own_id() -> None:
    from genai_prices.data import providers

    for provider in providers:
        for model in provider.models:
            found = list_price(provider.id, model.id, "2026-11-30")
            assert isinstance(found, ListPrice) or found.unknown == "price", found


def test_a_given_price_that_is_not_the_list_price_is_said_with_both() -> None:
    price = replace(listed("openai", "gpt-4o"), input_price=2.5, output_price=10.0)
    (found,) = differences({"input_price": 2.5, "output_price": 15}, price)
    assert (found.price, found.given, found.listed) == ("output_price", 15, 10.0)
    assert str(found) == (
        f"output price 15, list 10 (openai gpt-4o, {price.source}, as of 2026-11-30)"
    )


@pytest.mark.parametrize(("given", "differs"), [(10.04, False), (9.96, False), (10.06, True)])
def test_less_than_half_a_percent_is_no_difference(given: float, differs: bool) -> None:
    price = replace(listed("openai", "gpt-4o"), output_price=10.0)
    assert bool(differences({"output_price": given}, price)) is differs


def test_a_price_for_what_is_listed_free_differs() -> None:
    price = replace(listed("openai", "gpt-4o"), output_price=0.0)
    assert differences({"output_price": 0.1}, price)
    assert not differences({"output_price": 0.0}, price)


def test_a_price_that_the_list_does_not_have_is_not_compared() -> None:
    assert listed("openai", "gpt-4o").cache_write_price is None
    assert differences({"cache_write_price": 3}, listed("openai", "gpt-4o")) == ()


def test_a_name_that_is_no_price_is_refused() -> None:
    with pytest.raises(KeyError, match="output is no price of a list; expected one of input_price"):
        differences({"output": 3}, listed("openai", "gpt-4o"))


def test_the_names_of_prices_are_fields() -> None:
    price = listed("openai", "gpt-4o")
    fields = [name for name in price.__dataclass_fields__ if name.endswith("_price")]
    assert fields == list(PRICES)


def test_a_retired_model_is_said_to_be_retired_with_its_day_and_source() -> None:
    found = retirement("gemini-2.0-flash")
    assert found is not None
    assert (found.provider, found.day) == ("google", "2026-06-01")
    price = listed("google", "Gemini 2.0 Flash")
    assert price.retired == str(found)
    assert price.retired.startswith("not served from 2026-06-01 on (Firebase AI Logic")
    # the last price stays on the list, for usage of the past
    assert price.output_price == bill(
        "google", "gemini-2.0-flash", NOON, Usage(output_tokens=MILLION)
    )


def test_a_retirement_is_one_of_a_provider_not_of_all_who_serve_the_model() -> None:
    assert retirement("GPT-4o") == retirement("gpt-4o", "openai") is not None
    assert retirement("gpt-4o", "azure") is None
    assert listed("azure", "gpt-4o").retired is None


def test_a_model_without_a_known_retirement() -> None:
    assert retirement("claude-opus-5") is None
    assert listed("anthropic", "claude-opus-5").retired is None


def test_a_model_that_the_data_mark_deprecated_is_said_to_be_so() -> None:
    price = listed("mistral", "devstral-small")
    assert price.retired == f"marked deprecated in {price.source}, without a day"


def retired_models() -> list[dict[str, str]]:
    text = (files("tco.prices") / "retired_models.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.parametrize("row", retired_models(), ids=lambda row: str(row["model"]))
def test_each_retired_model_is_named_as_the_data_name_it(row: dict[str, str]) -> None:
    price = listed(row["provider"], row["model"])
    assert (price.provider, price.model) == (row["provider"], row["model"])
    assert date.fromisoformat(row["day"])
    assert row["source"]
    assert row["url"].startswith("https://")
    if row["as_of"]:
        date.fromisoformat(row["as_of"])


def test_prices_are_imported_when_asked_for_and_never_fetched() -> None:
    program = """
import socket
import sys

import tco.prices.list_prices as list_prices

assert "genai_prices" not in sys.modules


def refuse(*arguments, **named):
    raise AssertionError("the network was asked")


socket.socket.connect = refuse
socket.getaddrinfo = refuse
print(list_prices.list_price("openai", "gpt-4o", None).model)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("gpt-4o\n", "")
