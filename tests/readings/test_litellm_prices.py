"""The price list of LiteLLM: to USD per million, and what is no price or one in another unit."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.prices.list_prices import ListPrice, list_price
from tco.readings.prices.litellm_prices import KIND
from tco.readings.reading import Asked, Dropped, Head, Reading, ReadingError

FILES = Path(__file__).parent / "files" / "litellm_prices"
PRICES = FILES / "prices.json"


def saved(folder: Path, models: Any) -> Path:
    path = folder / "model_prices.json"
    path.write_text(models if isinstance(models, str) else json.dumps(models), "utf-8")
    return path


def model(provider: str = "somebody", **prices: Any) -> dict[str, Any]:
    return {"litellm_provider": provider, "mode": "chat", **prices}


def priced(per_token: Any, output: Any = None, provider: str = "somebody") -> dict[str, Any]:
    return model(
        provider,
        input_cost_per_token=per_token,
        output_cost_per_token=per_token if output is None else output,
    )


def prices_of(reading: Reading, subject: str) -> dict[str, Any]:
    return {
        entry.field: entry.content["value"] for entry in reading.entries if entry.subject == subject
    }


def listed(provider: str, name: str) -> ListPrice:
    found = list_price(provider, name, None)
    assert isinstance(found, ListPrice)
    return found


def test_prices_of_a_token_become_those_of_a_million() -> None:
    reading = KIND.read([PRICES], Asked())
    # 2.5e-06 x 1,000,000; what is for batches and for priority is another price
    assert prices_of(reading, "gpt-4o") == {
        "input_price": 2.5,
        "output_price": 10.0,
        "cache_read_price": 1.25,
    }
    assert prices_of(reading, "claude-sonnet-4-5") == {
        "input_price": 3.0,
        "output_price": 15.0,
        "cache_read_price": 0.3,
        "cache_write_price": 3.75,
        "cache_write_1h_price": 6.0,
    }
    entry = next(entry for entry in reading.entries if entry.subject == "gpt-4o")
    assert (entry.room, entry.provider, entry.basis, entry.shown) == (
        "api",
        "openai",
        "published",
        "10 USD per million tokens",
    )
    assert (
        "models with prices of their own that are not written: 1 for batch, 2 for priority"
    ) in reading.remarks


def test_dearer_prices_of_long_prompts_are_told() -> None:
    # 250,000 tokens at the base price of 2 would be 0.50, at that of long prompts 1.00
    reading = KIND.read([PRICES], Asked())
    notes = {
        entry.field: entry.note for entry in reading.entries if entry.subject == "gemini-2.5-pro"
    }
    end = "which stands under long_context in a scenario and is not written"
    assert notes == {
        "input_price": f"for prompts above 200,000 tokens 2.5, {end}",
        "output_price": f"for prompts above 200,000 tokens 15, {end}",
    }
    row = next(row for row in reading.tables[0].rows if row[0] == "gemini-2.5-pro")
    assert row[7] == "200,000"
    assert (
        "models with other prices for long prompts, to be written by hand as long_context: 1"
    ) in reading.remarks


@pytest.mark.parametrize(
    ("key", "above"),
    [
        ("input_cost_per_token_above_128k_tokens", 128_000),
        ("input_cost_per_token_above_200k_tokens", 200_000),
        ("input_cost_per_token_above_272k_tokens", 272_000),
        ("input_cost_per_token_above_512k_tokens", 512_000),
    ],
)
def test_the_length_is_read_from_the_key(tmp_path: Path, key: str, above: int) -> None:
    path = saved(tmp_path, {"m": {**priced(1e-6, 2e-6), key: 3e-6}})
    entry = next(e for e in KIND.read([path], Asked()).entries if e.field == "input_price")
    assert entry.content == {"value": 1.0, "currency": "USD"}
    assert str(entry.note).startswith(f"for prompts above {above:,} tokens 3, ")


@pytest.mark.parametrize(
    "key",
    [
        "input_cost_per_token_above_200k_tokens_priority",
        "input_cost_per_token_flex",
        "input_cost_per_token_batches",
        "cache_creation_input_token_cost_above_1hr_above_200k_tokens",
        "input_cost_per_character_above_128k_tokens",
        "input_cost_per_audio_token",
    ],
)
def test_what_is_priced_otherwise_is_no_price_of_long_prompts(tmp_path: Path, key: str) -> None:
    path = saved(tmp_path, {"m": {**priced(1e-6, 2e-6), key: 9e-6}})
    reading = KIND.read([path], Asked())
    assert prices_of(reading, "m") == {"input_price": 1.0, "output_price": 2.0}
    assert {entry.note for entry in reading.entries} == {None}


@given(st.integers(1, 10**9))
def test_no_digit_is_lost_or_invented(thousandths: int) -> None:
    from tco.readings.prices.model_prices import MILLION
    from tco.readings.texts.json_numbers import exact

    # the price of a million in thousandths of a cent and less, as the float of one token
    per_token = float(f"{thousandths}e-12")
    found = exact(per_token)
    assert found is not None
    assert float(found * MILLION) == float(f"{thousandths}e-6")


def test_a_price_of_0_and_no_price_are_told_apart() -> None:
    reading = KIND.read([PRICES], Asked())
    assert reading.dropped == (
        Dropped("sample_spec, which explains the file", 1),
        Dropped("no price by the token: by image, second, page, or none at all", 2),
        Dropped("priced 0: free, or its price is not told", 1),
    )
    assert (reading.used, reading.rows_are) == (4, "models")
    assert not any(entry.subject == "free-model" for entry in reading.entries)


def test_a_price_of_0_beside_others_is_not_written(tmp_path: Path) -> None:
    path = saved(tmp_path, {"m": {**priced(1e-6, 2e-6), "cache_read_input_token_cost": 0}})
    reading = KIND.read([path], Asked())
    assert prices_of(reading, "m") == {"input_price": 1.0, "output_price": 2.0}
    assert reading.remarks[-1] == (
        "prices of 0 beside others: 1; not written, for a list has a 0 where it does not know as "
        "well"
    )


def test_numbers_may_be_texts(tmp_path: Path) -> None:
    path = saved(tmp_path, {"m": priced("1.5e-07", "6e-07")})
    assert prices_of(KIND.read([path], Asked()), "m") == {"input_price": 0.15, "output_price": 0.6}


@pytest.mark.parametrize("price", ["free", -1e-6, True, [1e-6], "1_0"])
def test_a_price_that_is_none(tmp_path: Path, price: Any) -> None:
    path = saved(tmp_path, {"m": priced(price), "n": priced(1e-6)})
    reading = KIND.read([path], Asked())
    assert reading.dropped == (Dropped("a price that is no number, or below 0", 1),)
    assert {entry.subject for entry in reading.entries} == {"n"}


@pytest.mark.parametrize(
    ("price", "said"),
    [
        # 0.135 for 10,000 tokens was billed as 1,350 USD
        (
            0.135,
            "135,000 USD for a million tokens; it may be the price of a thousand or of 100,000 or "
            "of a million tokens, not of one",
        ),
        (
            15,
            "15,000,000 USD for a million tokens; it may be the price of 100,000 or of a million "
            "tokens, not of one",
        ),
        (
            0.015,
            "15,000 USD for a million tokens; it may be the price of a thousand or of 100,000 or "
            "of a million tokens, not of one",
        ),
        (
            2e-12,
            "0.000002 USD for a million tokens; it looks divided by a million, or a thousand, "
            "once too often",
        ),
    ],
)
def test_a_price_out_of_all_bounds_is_left_out_with_its_likely_unit(
    tmp_path: Path, price: float, said: str
) -> None:
    models = {"wrong": priced(price), "one": priced(1e-6), "two": priced(2e-6)}
    reading = KIND.read([saved(tmp_path, models)], Asked())
    assert {entry.subject for entry in reading.entries} == {"one", "two"}
    assert reading.dropped == (Dropped("a price out of all bounds", 1),)
    assert reading.warnings == (f"wrong (somebody) is left out: its output price would be {said}",)


def test_a_list_in_another_unit_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, {"a": priced(2.5, 10), "b": priced(3, 15), "c": priced(0, 0)})
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert str(caught.value) == (
        f"{path}: a output\n"
        "  found:    10,000,000 USD for a million tokens, if the price is in USD for one token; "
        "2 of 3 models\n"
        "            are like it\n"
        "  expected: prices in USD for one token: at most 1,000 USD for a million\n"
        "  next:     it may be the price of 100,000 or of a million tokens, not of one; give\n"
        "            model_prices_and_context_window.json of LiteLLM"
    )


@pytest.mark.parametrize("power", [-3, -2, -1, 1, 2, 3])
def test_a_price_off_by_a_power_of_ten_is_left_out(tmp_path: Path, power: int) -> None:
    # dearer than 1,000 USD or cheaper than a thousandth is out of all bounds before
    usual = listed("openai", "gpt-4o")
    assert usual.input_price
    assert usual.output_price
    factor = 10.0**power
    models = {
        "gpt-4o": priced(
            usual.input_price * factor / 1e6, usual.output_price * 1e-6, provider="openai"
        ),
        "other": priced(1e-6),
    }
    reading = KIND.read([saved(tmp_path, models)], Asked())
    assert {entry.subject for entry in reading.entries} == {"other"}
    (dropped,) = reading.dropped
    if power < 3:
        assert dropped == Dropped("a price that is off by a power of ten", 1)
        times = f"{10 ** abs(power):,} times" if power > 0 else f"1/{10**-power:,} of"
        assert f"is {times} the {usual.input_price:g} of {usual.source}" in reading.warnings[0]
    else:
        assert dropped.why == "a price out of all bounds"


def test_a_list_of_nothing_but_wrong_powers_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, {"gpt-4o": priced(2.5e-7, 1e-6, provider="openai")})
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert caught.value.found == (
        "no model with a price by the token (a price that is off by a power of ten: 1)"
    )


def test_a_price_of_long_prompts_has_the_same_bounds(tmp_path: Path) -> None:
    wrong = {**priced(1e-6), "input_cost_per_token_above_200k_tokens": 2.5}
    reading = KIND.read([saved(tmp_path, {"m": wrong, "n": priced(1e-6)})], Asked())
    assert {entry.subject for entry in reading.entries} == {"n"}


def test_a_price_ten_times_too_low(tmp_path: Path) -> None:
    # aider listed kimi-k2 at a tenth; the list has moved a little since
    usual = listed("moonshotai", "kimi-k2")
    assert usual.output_price
    models = {
        "moonshot/kimi-k2": priced(1e-8, 0.22e-6, provider="moonshot"),
        "other": priced(1e-6),
    }
    assert 0.9 < 0.22 / usual.output_price * 10 < 1.1
    reading = KIND.read([saved(tmp_path, models)], Asked())
    assert {entry.subject for entry in reading.entries} == {"other"}
    assert reading.warnings[0] == (
        f"kimi-k2 (moonshot) is left out: output 0.22 is 1/10 of the {usual.output_price:g} of "
        f"{usual.source}; a decimal point is misplaced"
    )


def test_a_cache_price_that_is_none_is_not_written() -> None:
    # 6 USD for an hour's cache where input is 0.25: 24 times, where twice is usual
    reading = KIND.read([PRICES], Asked())
    assert prices_of(reading, "claude-3-haiku-20240307") == {
        "input_price": 0.25,
        "output_price": 1.25,
        "cache_write_price": 0.3,
    }
    assert (
        "claude-3-haiku-20240307 (anthropic): cache write, 1 h 6 is 24 times its input price; not "
        "written"
    ) in reading.warnings


def test_two_current_lists_disagree_and_it_is_said() -> None:
    # 300,000 tokens in and 1,000 out: 0.3 x 6 + 0.0225 = 1.8225 with the tier, 0.915 without
    usual = listed("anthropic", "claude-sonnet-4-5")
    assert usual.long_context_input_price
    assert usual.long_context_output_price
    long = 0.3 * usual.long_context_input_price + 0.001 * usual.long_context_output_price
    assert long == pytest.approx(1.8225)
    without = 0.3 * 3 + 0.001 * 15
    assert without == pytest.approx(0.915)
    reading = KIND.read([PRICES], Asked())
    said = next(warning for warning in reading.warnings if "knows as well" in warning)
    assert "claude-sonnet-4-5 (anthropic) has no price above 200,000 tokens, there 22.5" in said


def test_the_largest_differences_are_told_and_small_ones_are_none(tmp_path: Path) -> None:
    names = ["gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "o3"]
    factors = [1.004, 1.10, 1.20, 1.30, 1.40, 1.50]
    models = {}
    for name, factor in zip(names, factors, strict=True):
        usual = listed("openai", name)
        assert usual.input_price
        assert usual.output_price
        models[name] = priced(
            usual.input_price / 1e6, usual.output_price * factor / 1e6, provider="openai"
        )
    reading = KIND.read([saved(tmp_path, models)], Asked())
    (said,) = reading.warnings
    assert said.startswith("of 6 models that genai-prices ")
    assert "knows as well, 5 have other prices there" in said
    told = said.partition("differences: ")[2].split("; ")
    assert [each.split(" ")[0] for each in told] == names[:0:-1]


def test_thousands_of_models_are_counted_shown_in_part_and_kept_whole(tmp_path: Path) -> None:
    models = {f"m-{number}": priced(1e-6, 2e-6) for number in range(3000)}
    reading = KIND.read([saved(tmp_path, models)], Asked())
    assert len(reading.entries) == 6000
    (table,) = reading.tables
    assert len(table.rows) == 1 + 20
    assert table.notes == ("and 2980 more; all of them can be written into a scenario",)


def test_models_that_another_list_has_as_well_come_first(tmp_path: Path) -> None:
    models = {"m": priced(1e-6), "gpt-4o": priced(2.5e-6, 1e-5, provider="openai")}
    reading = KIND.read([saved(tmp_path, models)], Asked())
    assert [row[0] for row in reading.tables[0].rows[1:]] == ["gpt-4o", "m"]


def test_many_of_a_kind_are_told_by_their_number(tmp_path: Path) -> None:
    models = {f"m-{number}": priced(1.0 if number < 8 else 1e-6) for number in range(20)}
    reading = KIND.read([saved(tmp_path, models)], Asked())
    assert len(reading.warnings) == 6
    assert reading.warnings[-1] == "and so are 3 more"


def test_a_model_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    models = {
        "gemini/m": priced(1e-6, provider="gemini"),
        "m": priced(1e-6, provider="gemini"),
        "gemini/n": priced(1e-6, provider="gemini"),
        "n": priced(2e-6, provider="gemini"),
    }
    reading = KIND.read([saved(tmp_path, models)], Asked())
    assert prices_of(reading, "n") == {"input_price": 1.0, "output_price": 1.0}
    assert reading.dropped == (
        Dropped("the same model once more", 1),
        Dropped("the same model once more, with other prices: the first are used", 1),
    )


def test_it_is_known_by_its_content() -> None:
    assert KIND.recognises(Head(Path("x.txt"), PRICES.read_text()[:3000]))
    spend = '{"request_id": "a", "spend": 1, "litellm_provider": "openai"}'
    assert not KIND.recognises(Head(PRICES, spend))
    assert not KIND.recognises(Head(PRICES, '{"data": []}'))


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    path = saved(tmp_path, PRICES.read_text()[:900])
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert str(caught.value) == (
        f"{path}, line 1\n"
        "  found:    the file ends in the middle of a value that begins on this line\n"
        "  expected: a whole JSON file\n"
        "  next:     export or copy the file again; it was cut off"
    )


def test_a_list_in_place_of_an_object(tmp_path: Path) -> None:
    path = saved(tmp_path, '[{"litellm_provider": "openai"}]')
    # a list of one object is that object, which has no model in it
    with pytest.raises(ReadingError, match="no model with a price by the token"):
        KIND.read([path], Asked())
    path = saved(tmp_path, '[{"litellm_provider": "openai"}, {}]')
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert str(caught.value) == (
        f"{path}\n"
        "  found:    JSON that is not one object\n"
        "  expected: an object with an entry for each model\n"
        "  next:     give model_prices_and_context_window.json of LiteLLM"
    )


def test_a_list_without_a_price(tmp_path: Path) -> None:
    path = saved(tmp_path, {"a": model(), "b": priced(0)})
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert str(caught.value) == (
        f"{path}\n"
        "  found:    no model with a price by the token (no price by the token: by image, second, "
        "page, or\n"
        "            none at all: 1; priced 0: free, or its price is not told: 1)\n"
        "  expected: one model or more with its prices\n"
        "  next:     give model_prices_and_context_window.json of LiteLLM"
    )


def test_prices_by_tiers_are_said_to_be_what_is_not_read(tmp_path: Path) -> None:
    tiers = [
        {"input_cost_per_token": 3e-7, "output_cost_per_token": 1.5e-6, "range": [0, 32_000]},
        {"input_cost_per_token": 5e-7, "output_cost_per_token": 2.5e-6, "range": [32_000, 1e6]},
    ]
    path = saved(
        tmp_path, {"a": model(tiered_pricing=tiers), "b": model(), "c": priced(2e-6, 1e-5)}
    )
    reading = KIND.read([path], Asked())
    assert [(one.why, one.rows) for one in reading.dropped] == [
        ("prices by tiers of the length of a prompt (tiered_pricing), which are not read", 1),
        ("no price by the token: by image, second, page, or none at all", 1),
    ]
    assert {entry.subject for entry in reading.entries} == {"c"}
