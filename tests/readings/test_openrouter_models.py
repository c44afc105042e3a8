"""Models of OpenRouter and of gateways like it: texts for one token, other units, no prices."""

import json
from pathlib import Path
from typing import Any

import pytest

from tco.readings.prices.openrouter_models import KIND
from tco.readings.reading import Asked, Dropped, Head, Reading, ReadingError

FILES = Path(__file__).parent / "files" / "openrouter_models"
MODELS = FILES / "models.json"


def saved(folder: Path, content: Any) -> Path:
    path = folder / "models.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def model(name: str = "m", **pricing: Any) -> dict[str, Any]:
    return {"id": name, "pricing": {"prompt": "0.000001", "completion": "0.000002", **pricing}}


def prices_of(reading: Reading, subject: str = "m") -> dict[str, Any]:
    return {
        entry.field: entry.content["value"] for entry in reading.entries if entry.subject == subject
    }


def test_texts_for_one_token_become_prices_of_a_million() -> None:
    reading = KIND.read([MODELS], Asked())
    # 0.000025 x 1,000,000
    assert prices_of(reading, "anthropic/claude-opus-4.8") == {
        "input_price": 5.0,
        "output_price": 25.0,
        "cache_read_price": 0.5,
        "cache_write_price": 6.25,
        "cache_write_1h_price": 10.0,
    }
    assert {entry.provider for entry in reading.entries} == {"openrouter"}
    assert reading.remarks[0] == (
        "prices are in USD for one token in the file; shown and written for a million"
    )


def test_what_is_no_price_is_dropped_with_its_reason() -> None:
    reading = KIND.read([MODELS], Asked())
    assert reading.dropped == (
        Dropped("a price that depends on the model that answers (-1)", 1),
        Dropped("no price by the token", 1),
        Dropped("priced 0: free, or its price is not told", 1),
    )
    assert reading.used == 2


def test_prices_of_long_prompts_are_told() -> None:
    assert prices_of(KIND.read([MODELS], Asked()), "google/gemini-2.5-pro") == {
        "input_price": 1.25,
        "output_price": 10.0,
    }
    entry = next(
        entry
        for entry in KIND.read([MODELS], Asked()).entries
        if (entry.subject, entry.field) == ("google/gemini-2.5-pro", "output_price")
    )
    assert entry.note == (
        "for prompts above 200,000 tokens 15, which stands under long_context in a scenario and "
        "is not written"
    )


def test_a_price_that_an_override_leaves_out_is_that_of_the_base(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        {
            "data": [
                model(
                    overrides=[
                        {"min_prompt_tokens": 500_000, "prompt": "0.000009"},
                        {"min_prompt_tokens": 100_000, "prompt": "0.000003"},
                        {"utc_start": 0, "utc_end": 800, "prompt": "0.0000005"},
                    ]
                )
            ]
        },
    )
    reading = KIND.read([path], Asked())
    notes = {entry.field: str(entry.note).partition(",")[2] for entry in reading.entries}
    assert {field: note.partition(" which")[0] for field, note in notes.items()} == {
        "input_price": "000 tokens 3,",
        "output_price": "000 tokens 2,",
    }
    assert reading.tables[0].rows[1][7] == "100,000"
    assert reading.remarks[1:] == (
        "prices of certain hours or of other conditions, not written: 1",
        "models with other prices for long prompts, to be written by hand as long_context: 1",
        "of these, models with several such lengths, the shortest of which is used: 1",
    )


@pytest.mark.parametrize(
    ("pricing", "note"),
    [
        (
            {"internal_reasoning": "0.000004"},
            "models with another price for reasoning, not written",
        ),
        ({"request": "0.01"}, "models with a price for each request as well, not written"),
        ({"discount": 0.5}, "models with a discount, which is not taken off"),
    ],
)
def test_what_else_is_billed_is_told(tmp_path: Path, pricing: dict[str, Any], note: str) -> None:
    reading = KIND.read([saved(tmp_path, {"data": [model(**pricing)]})], Asked())
    assert f"{note}: 1" in reading.remarks
    # the same as completion, or 0, is nothing of its own
    same = {"internal_reasoning": "0.000002", "request": "0", "discount": 0}
    reading = KIND.read([saved(tmp_path, {"data": [model(**same)]})], Asked())
    assert reading.remarks == (
        "prices are in USD for one token in the file; shown and written for a million",
    )


@pytest.mark.parametrize(
    ("unit", "tokens"),
    [
        ("per_token", 1),
        ("per_1k_tokens", 1_000),
        ("per 1K tokens", 1_000),
        ("per_1m_tokens", 1_000_000),
        ("per-1M-tokens", 1_000_000),
        ("per_million", 1_000_000),
    ],
)
def test_a_gateway_may_state_its_unit(tmp_path: Path, unit: str, tokens: int) -> None:
    # 3 USD for a million, in each unit
    price = f"{3 * tokens / 1_000_000:.7f}"
    for content in (
        {"unit": unit, "data": [model(prompt=price, completion=price)]},
        {"data": [{**model(prompt=price, completion=price), "unit": unit}]},
        {"data": [model(prompt=price, completion=price, unit=unit)]},
    ):
        reading = KIND.read([saved(tmp_path, content)], Asked())
        assert prices_of(reading) == {"input_price": 3.0, "output_price": 3.0}


def test_a_currency_goes_with_its_prices(tmp_path: Path) -> None:
    content = {
        "unit": "per_1m_tokens",
        "currency": "CNY",
        "models": [{"model": "m", "input": 7.0, "output": 25, "cached_input": "1.5"}],
    }
    reading = KIND.read([saved(tmp_path, content)], Asked())
    assert {entry.field: entry.content for entry in reading.entries} == {
        "input_price": {"value": 7.0, "currency": "CNY"},
        "output_price": {"value": 25.0, "currency": "CNY"},
        "cache_read_price": {"value": 1.5, "currency": "CNY"},
    }
    assert reading.entries[0].provider == "not told"
    assert reading.entries[0].shown == "25 CNY per million tokens"
    assert reading.tables[0].rows[1][-1] == "CNY"


def test_models_by_their_names(tmp_path: Path) -> None:
    content = {"unit": "per_1m_tokens", "models": {"m": {"input": 7.0, "output": 25}}}
    assert prices_of(KIND.read([saved(tmp_path, content)], Asked())) == {
        "input_price": 7.0,
        "output_price": 25.0,
    }


@pytest.mark.parametrize(
    ("stated", "field", "expected"),
    [
        ({"unit": "per_1m_characters"}, "m unit", "per_token, per_1k_tokens or per_1m_tokens"),
        ({"unit": "credits"}, "m unit", "per_token, per_1k_tokens or per_1m_tokens"),
        ({"currency": "credits"}, "m currency", "three letters, such as USD or CNY"),
        ({"currency": "¥"}, "m currency", "three letters, such as USD or CNY"),
    ],
)
def test_a_unit_or_currency_that_is_not_known_is_refused_by_its_name(
    tmp_path: Path, stated: dict[str, str], field: str, expected: str
) -> None:
    path = saved(tmp_path, {**stated, "data": [model()]})
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    (name,) = stated.values()
    assert (caught.value.field, caught.value.found, caught.value.expected) == (
        field,
        name,
        expected,
    )


def test_prices_by_group_are_refused(tmp_path: Path) -> None:
    content = {"currency": "CNY", "unit": "per_1m_tokens", "price_table": {"models": []}}
    with pytest.raises(ReadingError) as caught:
        KIND.read([path := saved(tmp_path, content)], Asked())
    assert str(caught.value) == (
        f"{path}: price_table\n"
        "  found:    prices by group, each with a multiplier\n"
        "  expected: one price for each model\n"
        "  next:     write the prices of your own group into the scenario"
    )


def test_prices_of_a_million_that_do_not_say_so_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, {"data": [model(prompt="3", completion="15")]})
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert str(caught.value) == (
        f"{path}: m output\n"
        "  found:    15,000,000 USD for a million tokens, if the price is in USD for one token; "
        "1 of 1 models\n"
        "            are like it\n"
        "  expected: prices in USD for one token: at most 1,000 USD for a million\n"
        "  next:     it may be the price of 100,000 or of a million tokens, not of one; save it "
        "again: curl\n"
        "            https://openrouter.ai/api/v1/models > models.json"
    )


@pytest.mark.parametrize("price", ["n/a", "-2", None, True])
def test_a_price_that_is_none_is_no_zero(tmp_path: Path, price: Any) -> None:
    content = {"data": [model("good"), model("bad", completion=price)]}
    reading = KIND.read([saved(tmp_path, content)], Asked())
    written = prices_of(reading, "bad")
    # a price that is missing leaves the other; one that is none leaves the whole model out
    assert written == ({"input_price": 1.0} if price is None else {})
    assert prices_of(reading, "good") == {"input_price": 1.0, "output_price": 2.0}


def test_it_is_known_by_its_content() -> None:
    assert KIND.recognises(Head(Path("a"), MODELS.read_text()))
    assert not KIND.recognises(Head(MODELS, '{"data": [{"id": "m", "usage": 1}]}'))
    assert not KIND.recognises(Head(MODELS, "id,pricing,prompt\n"))


@pytest.mark.parametrize("content", ["[]", '{"data": 3}', '{"data": []}'])
def test_what_is_no_list_of_models(tmp_path: Path, content: str) -> None:
    with pytest.raises(ReadingError) as caught:
        KIND.read([path := saved(tmp_path, content)], Asked())
    assert str(caught.value) == (
        f"{path}\n"
        "  found:    no list of models\n"
        '  expected: a list of models under "data"\n'
        "  next:     save it again: curl https://openrouter.ai/api/v1/models > models.json"
    )


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    path = saved(tmp_path, MODELS.read_text()[:500])
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert caught.value.found == "the file ends in the middle of a value that begins on this line"
    assert caught.value.next_step == "export or copy the file again; it was cut off"
