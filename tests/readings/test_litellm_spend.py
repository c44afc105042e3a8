"""Spend logs of LiteLLM: caches and reasoning inside or beside, batches, copies, failures."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.readings.apis.litellm_spend import KIND, read
from tco.readings.reading import Asked, Head, Reading, ReadingError, Table

LOGS = Path(__file__).parent / "files" / "litellm" / "logs.jsonl"


def table(reading: Reading, title: str) -> Table:
    return next(one for one in reading.tables if one.title == title)


def bill(reading: Reading) -> dict[str, tuple[str, ...]]:
    return {row[0]: tuple(row[1:]) for row in table(reading, "The bill, in USD").rows[1:]}


def contents(reading: Reading) -> dict[str, float]:
    return {entry.field: entry.content["value"] for entry in reading.entries}


def entry(**values: object) -> dict[str, object]:
    return {
        "request_id": "r",
        "call_type": "acompletion",
        "model": "openai/gpt-5-mini",
        "spend": 0.001,
        "prompt_tokens": 0,
        "completion_tokens": 1,
        "startTime": "2026-08-05T10:00:00Z",
        "metadata": {},
        **values,
    }


def logs(folder: Path, *entries: object, name: str = "logs.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in entries))
    return path


def refusal(*paths: Path) -> str:
    with pytest.raises(ReadingError) as refused:
        read(paths, Asked())
    return str(refused.value)


def test_the_logs_are_billed_again_to_the_digit() -> None:
    reading = read((LOGS,), Asked(hours_per_month=24))
    # 9,634 written for an hour; 1,360 of 1,944 out are reasoning; 250,000 in is a long prompt
    assert [row[-2:] for row in table(reading, "Models").rows[1:]] == [
        ("1.00", "1.00"),
        ("0.7923", "0.7923"),
        ("0.09651", "0.09651"),
    ]
    assert bill(reading)["all"] == ("1.88881", "1.88881", "0.00")
    assert contents(reading) == {
        "input_tokens": 9_638 + 14_746 + 250_000,
        "cache_write_1h_tokens": 9_634,
        "output_tokens": 6 + 584,
        "reasoning_tokens": 1_360,
        "requests": 3,
    }
    assert (reading.used, reading.rows_are) == (3, "requests")


def test_what_is_not_used_is_told() -> None:
    reading = read((LOGS,), Asked())
    assert [(one.why, one.rows, one.first_line) for one in reading.dropped] == [
        ("answered from the proxy's own cache", 1, 4),
        ("failed", 1, 5),
        ("batches, whose tokens are not told: set apart", 1, 6),
        ("a request_id that was there before", 1, 7),
        ("aembedding: set apart", 1, 8),
        ("aimage_generation: set apart", 1, 9),
    ]
    # the batch that was retrieved twice was billed once
    assert table(reading, "Apart from the tokens, in USD").rows[1:] == [
        ("aembedding", "1,000 tokens", "0.00002", ""),
        ("aimage_generation", "", "0.04", ""),
        ("answered from the proxy's own cache", "150 tokens", "0.00", ""),
        ("batches, whose tokens are not told", "35 tokens", "0.000008", ""),
    ]


@pytest.mark.parametrize(
    "usage",
    [
        {"cache_read_input_tokens": 16_298},
        {"prompt_tokens_details": {"cached_tokens": 16_298}},
        {"cache_read_input_tokens": 16_298, "prompt_tokens_details": {"cached_tokens": 16_298}},
        {"cache_read_input_tokens": None, "prompt_tokens_details": {"cached_tokens": 16_298}},
        {"cache_read_input_tokens": 0, "prompt_tokens_details": {"cached_tokens": 16_298}},
    ],
)
@pytest.mark.parametrize("cache_hit", ["False", False, None, "", "None"])
def test_cached_tokens_are_billed_once_wherever_they_are_told(
    usage: dict[str, object], cache_hit: object, tmp_path: Path
) -> None:
    # the provider's cache is not the proxy's: cache_hit is False with all of them
    one = entry(prompt_tokens=20_212, completion_tokens=931, cache_hit=cache_hit)
    path = logs(tmp_path, {**one, "metadata": {"usage_object": usage}})
    reading = read((path,), Asked(hours_per_month=24))
    assert contents(reading)["input_tokens"] == 20_212
    assert contents(reading)["cache_read_tokens"] == 16_298
    by_hand = 3_914 * Decimal("0.25") + 16_298 * Decimal("0.025") + 931 * 2
    assert Decimal(bill(reading)["all"][0]) == by_hand / 1_000_000


@pytest.mark.parametrize(
    ("usage", "five_minutes", "hour"),
    [
        ({"cache_creation_input_tokens": 1_253}, 1_253, 0),
        ({"prompt_tokens_details": {"cache_creation_tokens": 1_253}}, 1_253, 0),
        (
            {
                "cache_creation_input_tokens": 1_253,
                "cache_creation": {
                    "ephemeral_5m_input_tokens": 253,
                    "ephemeral_1h_input_tokens": 1_000,
                },
            },
            253,
            1_000,
        ),
        (
            {
                "prompt_tokens_details": {
                    "cache_creation_tokens": 1_253,
                    "cache_creation_token_details": {"ephemeral_1h_input_tokens": 1_253},
                }
            },
            0,
            1_253,
        ),
    ],
)
def test_cache_writes_by_how_long_they_are_kept(
    usage: dict[str, object], five_minutes: int, hour: int, tmp_path: Path
) -> None:
    one = entry(model="anthropic/claude-opus-5", prompt_tokens=2_000, completion_tokens=0)
    path = logs(tmp_path, {**one, "metadata": {"usage_object": usage}})
    reading = read((path,), Asked(hours_per_month=24))
    found = contents(reading)
    assert found["input_tokens"] == 2_000
    assert (found.get("cache_write_tokens", 0), found.get("cache_write_1h_tokens", 0)) == (
        five_minutes,
        hour,
    )
    by_hand = (2_000 - 1_253) * 5 + five_minutes * Decimal("6.25") + hour * 10
    assert Decimal(bill(reading)["all"][0]) == by_hand / 1_000_000


def test_caches_beside_the_prompt_are_read_so_and_told(tmp_path: Path) -> None:
    one = entry(prompt_tokens=31, completion_tokens=467, total_tokens=498)
    usage = {"cache_creation_input_tokens": 1_253, "cache_read_input_tokens": 0}
    path = logs(tmp_path, {**one, "metadata": {"usage_object": usage}})
    reading = read((path,), Asked(hours_per_month=24))
    assert contents(reading)["input_tokens"] == 31 + 1_253
    assert reading.warnings[-1] == (
        "more tokens from and to caches than prompt_tokens: there they stand beside each other and "
        "are read so; other requests of that version of the proxy may have more input than was "
        "read here (1 row)"
    )


@pytest.mark.parametrize(
    ("completion", "total", "visible"),
    [
        # inside, as OpenAI, Anthropic and OpenRouter count: 1,944 of which 1,360
        (1_944, 16_690, 584),
        (1_944, None, 584),
        # beside it, as xAI counts: the total is larger by the reasoning
        (584, 16_690, 584),
        # beside it: it cannot be inside
        (584, None, 584),
    ],
)
def test_reasoning_is_inside_or_beside_by_the_sums(
    completion: int, total: int | None, visible: int, tmp_path: Path
) -> None:
    one = entry(
        model="openai/gpt-5.4-pro",
        prompt_tokens=14_746,
        completion_tokens=completion,
        total_tokens=total,
    )
    usage = {"completion_tokens_details": {"reasoning_tokens": 1_360}}
    path = logs(tmp_path, {**one, "metadata": {"usage_object": usage}})
    reading = read((path,), Asked(hours_per_month=24))
    assert contents(reading)["output_tokens"] == visible
    assert contents(reading)["reasoning_tokens"] == 1_360
    assert bill(reading)["all"][0] == "0.7923"


@pytest.mark.parametrize(
    ("model", "provider", "named"),
    [
        ("anthropic/claude-sonnet-4-6", None, ("claude-sonnet-4-6", "anthropic")),
        ("claude-sonnet-4-6", "anthropic", ("claude-sonnet-4-6", "anthropic")),
        ("claude-sonnet-4-6", None, ("claude-sonnet-4-6", "anthropic")),
        ("vertex_ai/gemini-2.5-pro", "vertex_ai", ("gemini-2.5-pro", "google")),
        ("openrouter/openai/gpt-4.1", None, ("openai/gpt-4.1", "openrouter")),
        (
            "bedrock/us-east-1/us.anthropic.claude-opus-4-5-20251101-v1:0",
            "bedrock",
            ("regional.anthropic.claude-opus-4-5-v1:0", "aws"),
        ),
        ("hosted_vllm/my-own", "hosted_vllm", ("my-own", "hosted_vllm")),
        ("wandb/deepseek-ai/DeepSeek-R1", "wandb", ("deepseek-ai/DeepSeek-R1", "wandb")),
    ],
)
def test_the_provider_is_in_the_name_of_the_model(
    model: str, provider: str | None, named: tuple[str, str], tmp_path: Path
) -> None:
    path = logs(tmp_path, entry(model=model, custom_llm_provider=provider))
    row = table(read((path,), Asked()), "Models").rows[1]
    assert (row[0], row[1]) == named


@pytest.mark.parametrize(
    "time",
    [
        "2026-08-05T10:00:00",
        "2026-08-05T10:00:00Z",
        "2026-08-05 10:00:00.123",
        "2026-08-05T12:00:00+02:00",
        1785924000,
        1785924000.25,
        "2026-08-06T01:00:00+05:00",
    ],
)
def test_the_day_is_that_of_utc(time: object, tmp_path: Path) -> None:
    reading = read((logs(tmp_path, entry(startTime=time)),), Asked())
    assert reading.period is not None
    assert (str(reading.period.begin.date()), reading.period.zone) == ("2026-08-05", "UTC")


def test_a_list_a_page_and_lines_are_the_same(tmp_path: Path) -> None:
    entries = [json.loads(line) for line in LOGS.read_text().splitlines()]
    for name, value in (("list.json", entries), ("page.json", {"data": entries, "total": 9})):
        path = tmp_path / name
        path.write_text(json.dumps(value, indent=1))
        found, known = read((path,), Asked()), read((LOGS,), Asked())
        assert (found.entries, found.tables) == (known.entries, known.tables)


def test_a_table_of_the_database_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "logs.csv"
    path.write_text(
        "request_id,call_type,spend,total_tokens,prompt_tokens,completion_tokens,startTime,model,"
        "metadata,cache_hit\n"
        "a-2,acompletion,0.7923,16690,14746,1944,2026-08-05 11:00:00.25,openai/gpt-5.4-pro,"
        '"{""usage_object"": {""completion_tokens_details"": {""reasoning_tokens"": 1360}}}",'
        "False\n"
    )
    reading = read((path,), Asked(hours_per_month=24))
    assert contents(reading)["reasoning_tokens"] == 1_360
    assert bill(reading)["all"] == ("0.7923", "0.7923", "0.00")


@pytest.mark.parametrize("status", [{"status": "failure"}, {"metadata": {"status": "failure"}}])
def test_a_failed_request_is_no_use_and_its_spend_is_shown(
    status: dict[str, object], tmp_path: Path
) -> None:
    failed = entry(request_id="f", prompt_tokens=900, spend=0.5, **status)
    reading = read((logs(tmp_path, failed, entry()),), Asked())
    assert "input_tokens" not in contents(reading)
    assert table(reading, "Apart from the tokens, in USD").rows[1] == (
        "failed requests", "1 requests", "0.50", "",
    )  # fmt: skip


def test_a_response_that_is_fetched_again_is_billed_once(tmp_path: Path) -> None:
    one = entry(call_type="aget_responses", prompt_tokens=121, completion_tokens=400)
    reading = read((logs(tmp_path, one, {**one, "startTime": "2026-08-05T12:00:00Z"}),), Asked())
    assert reading.used == 1


def test_a_batch_whose_tokens_are_told_is_billed_at_half(tmp_path: Path) -> None:
    # 1,000 at 0.25 and 2,000 at 2, half of it
    one = entry(
        call_type="aretrieve_batch", prompt_tokens=1_000, completion_tokens=2_000, spend="0.002125"
    )
    assert bill(read((logs(tmp_path, one),), Asked()))["all"] == ("0.002125", "0.002125", "0.00")


def test_a_price_of_another_unit_is_told(tmp_path: Path) -> None:
    # 10,000 in at 0.25 and 500 out at 2 are 0.0035
    path = logs(tmp_path, entry(prompt_tokens=10_000, completion_tokens=500, spend=350))
    assert any(
        text.startswith("gpt-5-mini of openai: billed is about 100,000 times the list price")
        for text in read((path,), Asked()).warnings
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"request_id": "a", "spend": 1',
            ", line 1\n"
            "  found:    the file ends in the middle of a value that begins on this line\n"
            "  expected: a whole JSON file\n"
            "  next:     export or copy the file again; it was cut off",
        ),
        (
            '{"hello": 1}',
            ", line 1\n"
            "  found:    {'hello': 1}\n"
            "  expected: entries with request_id, model, spend and tokens\n"
            "  next:     export the table LiteLLM_SpendLogs, or save the answer of /spend/logs",
        ),
        (
            '{"request_id": "a", "spend": 1, "prompt_tokens": 5, "completion_tokens": 5}',
            ", line 1: startTime\n"
            "  found:    no time\n"
            "  expected: a time as 2026-03-28T10:00:00\n"
            "  next:     export the entry with its startTime",
        ),
        (
            '\n{"request_id": "a", "spend": 1, "prompt_tokens": -5, "completion_tokens": 5}',
            ", line 2: prompt_tokens\n"
            "  found:    -5\n"
            "  expected: a whole number of 0 or more\n"
            "  next:     correct or delete the row",
        ),
        (
            '{"request_id": "a", "spend": 1e400, "prompt_tokens": 5, "completion_tokens": 5}',
            ", line 1: spend\n"
            "  found:    1.000e+400\n"
            "  expected: an amount below 1,000,000,000,000\n"
            "  next:     correct or delete the row",
        ),
        (
            '{"request_id": "a", "spend": 0, "prompt_tokens": 0}',
            "\n"
            "  found:    no row of use (1 without tokens and spend)\n"
            "  expected: rows with tokens\n"
            "  next:     export a period in which the API was used",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "logs.jsonl"
    path.write_text(text)
    assert refusal(path) == f"{path}{message}"


def test_the_logs_are_recognised() -> None:
    assert KIND.recognises(Head(LOGS, LOGS.read_text()))
    assert not KIND.recognises(Head(LOGS, '{"request_id": "a", "output_throughput": 3}'))


MODELS = ["openai/gpt-5-mini", "anthropic/claude-opus-5", "wandb/none"]
ENTRIES = st.lists(
    st.builds(
        lambda day, model, prompt, share, out, spend: entry(
            model=model,
            startTime=f"2026-07-{day:02}T10:00:00Z",
            prompt_tokens=prompt,
            completion_tokens=out,
            spend=spend,
            metadata={"usage_object": {"cache_read_input_tokens": prompt * share // 100}},
        ),
        st.integers(1, 31),
        st.sampled_from(MODELS),
        st.integers(0, 400_000),
        st.integers(0, 100),
        st.integers(1, 10**6),
        st.floats(0, 10),
    ),
    min_size=2,
    max_size=10,
).map(lambda entries: [{**one, "request_id": f"r-{n}"} for n, one in enumerate(entries)])


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(entries=ENTRIES, data=st.data())
def test_the_order_of_entries_and_their_files_change_nothing(
    entries: list[dict[str, object]], data: st.DataObject, tmp_path: Path
) -> None:
    whole = read((logs(tmp_path, *entries),), Asked())
    order = data.draw(st.permutations(entries))
    at = data.draw(st.integers(1, len(entries) - 1))
    one = logs(tmp_path, *order[:at], name="one.jsonl")
    # the second file overlaps the first: an entry of both counts once
    two = logs(tmp_path, *order[at - 1 :], name="two.jsonl")
    parts = read((one, two), Asked())
    for name in ("entries", "tables", "period", "remarks", "warnings", "used"):
        assert getattr(parts, name) == getattr(whole, name)


# -------------------------------------------------------------------- the provider that is told


R1 = "deepseek-ai/DeepSeek-R1-0528"


@pytest.mark.parametrize(
    ("model", "provider", "name", "seller"),
    [
        (f"wandb/{R1}", "", R1, "wandb"),
        (f"wandb/{R1}", "wandb", R1, "wandb"),
        (R1, "wandb", R1, "wandb"),
        (f"together_ai/{R1}", "", R1, "together"),
        ("fireworks_ai/deepseek-reasoner", "", "deepseek-reasoner", "fireworks"),
        (f"deepinfra/{R1}", "", R1, "deepinfra"),
        ("bedrock/deepseek-reasoner", "", "deepseek-reasoner", "aws"),
        ("bedrock_converse/deepseek-reasoner", "", "deepseek-reasoner", "aws"),
        ("azure_ai/deepseek-reasoner", "", "deepseek-reasoner", "azure"),
        ("azure/deepseek-reasoner", "azure", "deepseek-reasoner", "azure"),
        ("azure/gpt-4o", "azure", "gpt-4o", "azure"),
        ("vertex_ai/deepseek-reasoner", "", "deepseek-reasoner", "google"),
        ("vertex_ai/openai/gpt-4o", "", "openai/gpt-4o", "google"),
        ("openrouter/no-such/gpt-4o", "", "no-such/gpt-4o", "openrouter"),
        ("groq/gpt-4o", "", "gpt-4o", "groq"),
        ("huggingface/nobody/openai/gpt-4o", "", "openai/gpt-4o", "huggingface_nobody"),
        # servers that speak OpenAI's language, and proxies, are not OpenAI
        ("gpt-4o", "openai_like", "gpt-4o", "openai_like"),
        ("gpt-4o", "custom_openai", "gpt-4o", "custom_openai"),
        ("hosted_vllm/gpt-4o", "", "gpt-4o", "hosted_vllm"),
        ("litellm_proxy/gpt-4o", "litellm_proxy", "gpt-4o", "litellm_proxy"),
        ("openai/claude-sonnet-4-6", "openai", "claude-sonnet-4-6", "openai"),
        # nobody by that name is known: it is not left away
        ("my-team/gpt-4o", "", "gpt-4o", "my-team"),
    ],
)
def test_nobody_elses_list_is_taken(
    model: str, provider: str, name: str, seller: str, tmp_path: Path
) -> None:
    one = entry(model=model, custom_llm_provider=provider, prompt_tokens=10_000)
    path = logs(tmp_path, {**one, "completion_tokens": 500, "spend": 0.0162})
    reading = read((path,), Asked(hours_per_month=24))
    row = table(reading, "Models").rows[1]
    assert (row[0], row[1], row[-2:]) == (name, seller, ("no list price", "0.0162"))
    (said,) = (text for text in reading.warnings if text.startswith("no list price"))
    assert said.startswith(f"no list price for {name} of {seller}: ")
    assert said.endswith("; its 10,500 tokens are in the tokens and not in the bill at list prices")
    # counted all the same
    assert contents(reading)["input_tokens"] == 10_000


@pytest.mark.parametrize(
    ("model", "provider", "row", "input_price", "output_price"),
    [
        # 0.55 and 2.19 are deepseek.com's; others sell R1 at their own prices
        ("deepseek/deepseek-reasoner", "", ("deepseek-reasoner", "deepseek"), "0.55", "2.19"),
        (
            "huggingface/together/deepseek-ai/DeepSeek-R1",
            "huggingface",
            ("deepseek-ai/DeepSeek-R1", "huggingface_together"),
            "3",
            "7",
        ),
        ("xai/grok-4", "", ("grok-4-0709", "x-ai"), "3", "15"),
        ("gemini/gemini-2.5-pro", "", ("gemini-2.5-pro", "google"), "1.25", "10"),
        ("vertex_ai/claude-sonnet-4-5", "vertex_ai", ("claude-sonnet-4-5", "google"), "3", "15"),
        (
            "claude-sonnet-4-5",
            "vertex_ai-anthropic_models",
            ("claude-sonnet-4-5", "google"),
            "3",
            "15",
        ),
        ("azure/o3-mini", "azure", ("o3-mini", "azure"), "1.1", "4.4"),
        ("openrouter/openai/gpt-4o", "openrouter", ("openai/gpt-4o", "openrouter"), "2.5", "10"),
    ],
)
def test_the_provider_that_is_told_is_priced(
    model: str,
    provider: str,
    row: tuple[str, str],
    input_price: str,
    output_price: str,
    tmp_path: Path,
) -> None:
    one = entry(model=model, custom_llm_provider=provider, prompt_tokens=10_000)
    reading = read((logs(tmp_path, {**one, "completion_tokens": 500}),), Asked())
    found = table(reading, "Models").rows[1]
    assert tuple(found[:2]) == row
    by_hand = 10_000 * Decimal(input_price) + 500 * Decimal(output_price)
    assert Decimal(found[-2]) == by_hand / 1_000_000


@pytest.mark.parametrize(
    "model",
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic.claude-3-haiku-20240307-v1:0"],
)
def test_a_name_of_bedrock_tells_who_served(model: str, tmp_path: Path) -> None:
    reading = read((logs(tmp_path, entry(model=model)),), Asked())
    assert table(reading, "Models").rows[1][1] == "aws"


TAKEN = "who served is not told: taken at the prices of the model's maker (1 row)"


@pytest.mark.parametrize(
    ("model", "provider", "said"),
    [
        ("gpt-5-mini", "", True),
        ("gpt-5-mini", "openai", False),
        ("openai/gpt-5-mini", "", False),
        ("no-such-model", "", False),  # it has no price of which to say something
    ],
)
def test_the_makers_price_is_not_taken_without_a_word(
    model: str, provider: str, said: bool, tmp_path: Path
) -> None:
    path = logs(tmp_path, entry(model=model, custom_llm_provider=provider))
    assert (TAKEN in read((path,), Asked()).remarks) is said


def test_batches_of_a_provider_without_a_batch_price_have_no_remark_on_it(tmp_path: Path) -> None:
    one = entry(model="groq/llama-3.3-70b-versatile", call_type="aretrieve_batch")
    reading = read((logs(tmp_path, one),), Asked())
    assert any("has no batch price for groq" in text for text in reading.warnings)
    assert not any("half of the price" in text for text in reading.remarks)


def test_a_cache_without_a_price_is_warned_of(tmp_path: Path) -> None:
    usage_object = {"cache_read_input_tokens": 1_000}
    one = entry(model="openrouter/openai/gpt-4o", prompt_tokens=1_200)
    path = logs(tmp_path, {**one, "metadata": {"usage_object": usage_object}})
    # 1,000 at 2.5 for a million
    assert (
        "openai/gpt-4o of openrouter: 1,000 tokens read from a cache are billed as input, for the "
        "list has no price of cache reads on those days; the bill at list prices may be too high "
        "by at most 0.0025 USD"
    ) in read((path,), Asked()).warnings


@pytest.mark.parametrize("missing", [{}, {"absent": True}])
@pytest.mark.parametrize(
    ("name", "known", "read_as"),
    [
        # 467 in all less 317 out are 150 in, and less 150 in are 317 out
        ("prompt_tokens", {"completion_tokens": 317, "total_tokens": 467}, 150),
        ("completion_tokens", {"prompt_tokens": 150, "total_tokens": 467}, 317),
        ("total_tokens", {"prompt_tokens": 150, "completion_tokens": 317}, None),
    ],
)
def test_a_missing_count_is_taken_from_the_total_and_told(
    name: str,
    known: dict[str, int],
    read_as: int | None,
    missing: dict[str, bool],
    tmp_path: Path,
) -> None:
    one = entry(**known)
    one[name] = None
    if missing:
        del one[name]
    reading = read((logs(tmp_path, one),), Asked(hours_per_month=24))
    assert contents(reading) == {"input_tokens": 150, "output_tokens": 317, "requests": 1}
    assert not reading.dropped
    said = [text for text in reading.remarks if text.startswith("no ")]
    assert said == (
        [f"no {name}: taken as total_tokens less the others (1 row)"] if read_as else []
    )


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("prompt_tokens", {"completion_tokens": 317}),
        ("prompt_tokens", {"completion_tokens": 317, "total_tokens": None}),
        ("prompt_tokens", {"completion_tokens": 317, "total_tokens": 0}),
        # the sum of what is there, with nothing for what is not
        ("prompt_tokens", {"completion_tokens": 317, "total_tokens": 317}),
        ("prompt_tokens", {"completion_tokens": 317, "total_tokens": 300}),
        ("completion_tokens", {"prompt_tokens": 317}),
        ("completion_tokens", {"prompt_tokens": 317, "total_tokens": 317}),
        # reasoning beside the output is in the total as well
        (
            "prompt_tokens",
            {
                "completion_tokens": 317,
                "total_tokens": 1_317,
                "metadata": {
                    "usage_object": {"completion_tokens_details": {"reasoning_tokens": 1_100}}
                },
            },
        ),
    ],
)
def test_a_missing_count_that_the_total_does_not_tell_leaves_the_row_out(
    name: str, counts: dict[str, object], tmp_path: Path
) -> None:
    whole = entry(request_id="whole", prompt_tokens=150, completion_tokens=20)
    reading = read(
        (logs(tmp_path, whole, entry(**{name: None}, **counts)),), Asked(hours_per_month=24)
    )
    assert contents(reading) == {"input_tokens": 150, "output_tokens": 20, "requests": 1}
    (left_out,) = reading.dropped
    why = f"no {name}, and total_tokens does not tell them: set apart"
    assert (left_out.why, left_out.rows, left_out.first_line) == (why, 1, 2)
    # what was spent on it is not lost
    apart = table(reading, "Apart from the tokens, in USD").rows[1:]
    assert [(row[0], row[2]) for row in apart] == [(f"requests without {name}", "0.001")]


def test_a_missing_count_in_a_table_is_an_empty_cell(tmp_path: Path) -> None:
    path = tmp_path / "logs.csv"
    path.write_text(
        "request_id,spend,prompt_tokens,completion_tokens,total_tokens,startTime,model\n"
        "a,0.001,,317,467,2026-08-05T10:00:00Z,openai/gpt-5-mini\n"
        "b,0.001,,317,,2026-08-05T10:00:00Z,openai/gpt-5-mini\n"
    )
    reading = read((path,), Asked(hours_per_month=24))
    assert contents(reading) == {"input_tokens": 150, "output_tokens": 317, "requests": 1}
    assert [one.rows for one in reading.dropped] == [1]
