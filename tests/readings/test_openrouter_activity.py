"""OpenRouter's activity: reasoning and caches inside, free models, keys of one's own."""

import csv
import json
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.readings.apis.openrouter_activity import KIND, read
from tco.readings.reading import Asked, Head, Reading, ReadingError, Table

LOG = Path(__file__).parent / "files" / "openrouter" / "activity.csv"
HEAD = LOG.read_text().splitlines()[0]


def table(reading: Reading, title: str) -> Table:
    return next(one for one in reading.tables if one.title == title)


def bill(reading: Reading) -> dict[str, tuple[str, ...]]:
    return {row[0]: tuple(row[1:]) for row in table(reading, "The bill, in USD").rows[1:]}


def contents(reading: Reading) -> dict[str, float]:
    return {entry.field: entry.content["value"] for entry in reading.entries}


def log(folder: Path, *rows: dict[str, object], name: str = "activity.csv") -> Path:
    """A log with these requests, of gpt-4.1 (2, 0.5 from cache, 8) unless they say otherwise."""
    out = StringIO()
    writer = csv.DictWriter(out, HEAD.split(","), lineterminator="\n")
    for n, row in enumerate(rows):
        usual = {"generation_id": f"gen-{n}", "created_at": "2026-06-28 03:46:57.713"}
        writer.writerow({**usual, "model_permaslug": "openai/gpt-4.1", **row})
    path = folder / name
    path.write_text(f"{HEAD}\n{out.getvalue()}")
    return path


def refusal(*paths: Path) -> str:
    with pytest.raises(ReadingError) as refused:
        read(paths, Asked())
    return str(refused.value)


def test_a_log_is_billed_again() -> None:
    reading = read((LOG,), Asked(hours_per_month=48))
    # gen-1: 600 at 2, 400 cached at 0.5, 500 out at 8; gen-2 is free; gen-3: 1,000 at 2 and at 8,
    # billed 0.0045 - 0.004 for a search + 0.01 by the provider; gen-5: 1,000 at 2
    assert bill(reading) == {
        "2026-06-28": ("0.0054", "0.0054", "0.00", ""),
        "2026-06-29": ("0.012", "0.0125", "0.0005", "0.006"),
        "all": ("0.0174", "0.0179", "0.0005", "0.006"),
    }
    assert contents(reading) == {
        "input_tokens": 1_000 + 10_000 + 1_000 + 1_000 + 1_000,
        "cache_read_tokens": 400,
        "output_tokens": 300 + 100 + 1_000 + 500,
        "reasoning_tokens": 200,
        "requests": 5,
    }
    assert table(reading, "Apart from the tokens, in USD").rows[1:] == [
        ("web search", "", "0.004", "")
    ]
    assert [(one.why, one.rows, one.first_line) for one in reading.dropped] == [
        ("cancelled, without tokens and cost", 1, 5)
    ]
    assert reading.remarks == (
        "most of the bill: openai/gpt-4.1 of openrouter (100 %)",
        "OpenRouter lists one price for a model; the provider that served may ask another",
        "cancelled, with tokens or a cost: counted (1 row)",
        "sent with a key of your own: what the provider took is in the billed amounts, beside what "
        "OpenRouter took (1 row)",
    )


@pytest.mark.parametrize(
    ("cells", "listed"),
    [
        # 20,212 in of which 16,298 cached; 931 out
        (
            {"tokens_prompt": 20_212, "tokens_cached": 16_298, "tokens_completion": 931},
            3_914 * Decimal(2) + 16_298 * Decimal("0.5") + 931 * 8,
        ),
        # 1,360 of 1,944 out are reasoning
        (
            {"tokens_prompt": 14_746, "tokens_completion": 1_944, "tokens_reasoning": 1_360},
            14_746 * Decimal(2) + 1_944 * 8,
        ),
        # Sonnet 4.5 above 200,000 tokens: 6 instead of 3
        (
            {
                "tokens_prompt": 250_000,
                "model_permaslug": "anthropic/claude-4.5-sonnet-20250929",
            },
            250_000 * Decimal(6),
        ),
        ({"tokens_prompt": 10_389, "tokens_completion": 137, "variant": "free"}, Decimal(0)),
    ],
)
def test_each_token_is_billed_once(
    cells: dict[str, object], listed: Decimal, tmp_path: Path
) -> None:
    reading = read((log(tmp_path, cells),), Asked())
    assert Decimal(bill(reading)["all"][0]) == listed / 1_000_000


def test_a_price_of_long_prompts_that_the_list_lacks_is_told(tmp_path: Path) -> None:
    # Google asks 4 and not 2 for 250,000 tokens of Gemini 3.1 Pro: 1.00 and not 0.50
    row = {"tokens_prompt": 250_000, "model_permaslug": "google/gemini-3.1-pro-preview"}
    reading = read((log(tmp_path, row, {**row, "tokens_prompt": 200_000}),), Asked())
    assert reading.warnings[-1] == (
        "a prompt so long that the model's maker asks more for it; OpenRouter's list has no such "
        "price, and the bill at list prices may be too low (1 row)"
    )


def test_what_a_free_model_cost_is_a_difference(tmp_path: Path) -> None:
    row = {"tokens_prompt": 10_389, "variant": "free", "cost_total": "0.0123"}
    assert bill(read((log(tmp_path, row),), Asked()))["all"] == ("0.00", "0.0123", "0.0123")


@pytest.mark.parametrize("variant", ["nitro", "floor", "thinking", "online"])
def test_another_variant_is_counted_and_not_priced(variant: str, tmp_path: Path) -> None:
    reading = read((log(tmp_path, {"tokens_completion": 24, "variant": variant}),), Asked())
    assert contents(reading)["output_tokens"] == 730
    assert any(
        f"variant {variant} has no price in genai-prices" in text for text in reading.warnings
    )


def test_a_request_of_both_files_counts_once(tmp_path: Path) -> None:
    row = {"tokens_completion": 24}
    one, two = (log(tmp_path, row, name=name) for name in ("one.csv", "two.csv"))
    reading = read((one, two), Asked())
    assert contents(reading)["output_tokens"] == 730
    assert [(one.why, one.rows) for one in reading.dropped] == [
        ("a generation_id that was there before", 1)
    ]


def test_the_activity_of_the_api(tmp_path: Path) -> None:
    path = tmp_path / "activity.json"
    day = {
        "date": "2026-06-28",
        "model": "openai/gpt-4.1",
        "model_permaslug": "openai/gpt-4.1-2025-04-14",
        "provider_name": "OpenAI",
        "usage": 0.009,
        "byok_usage_inference": 0.001,
        "requests": 5,
        "prompt_tokens": 1_000,
        "completion_tokens": 1_000,
        "reasoning_tokens": 250,
    }
    path.write_text(json.dumps({"data": [day]}))
    assert KIND.recognises(Head(path, path.read_text()))
    reading = read((path,), Asked(hours_per_month=24))
    assert contents(reading) == {
        "input_tokens": 1_000,
        "output_tokens": 750,
        "reasoning_tokens": 250,
        "requests": 5,
    }
    assert bill(reading)["all"] == ("0.01", "0.01", "0.00")
    assert "cached tokens are not told: at list prices all input is billed as uncached" in (
        reading.remarks
    )


def test_the_dashboard_has_no_tokens_and_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spend.csv"
    path.write_text('Model,Spend\nopenai/gpt-4.1,"$1,234.50"\n')
    assert KIND.recognises(Head(path, path.read_text()))
    assert refusal(path) == (
        f"{path}\n"
        "  found:    the spend by model of the dashboard, without tokens and without days\n"
        "  expected: the log of requests, with generation_id, created_at and tokens_prompt\n"
        "  next:     export the log: openrouter.ai/activity, the menu at the top, Export as CSV"
    )


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            {"tokens_prompt": 10, "tokens_cached": 11},
            ": tokens_cached\n"
            "  found:    11 cached of 10 prompt tokens\n"
            "  expected: a prompt that includes its cached tokens\n"
            "  next:     export the file again, or delete the row",
        ),
        (
            {"tokens_completion": 10, "tokens_reasoning": 11},
            ": tokens_reasoning\n"
            "  found:    11 reasoning of 10 completion tokens\n"
            "  expected: a completion that includes its reasoning\n"
            "  next:     export the file again, or delete the row",
        ),
        (
            {"tokens_completion": 10, "created_at": ""},
            ": created_at\n"
            "  found:    no time\n"
            "  expected: a time as 2026-06-28 03:46:57.713\n"
            "  next:     export the log again",
        ),
        (
            {"tokens_completion": 10, "created_at": "0001-01-01 00:00:00"},
            ": created_at\n"
            '  found:    "0001-01-01 00:00:00"\n'
            "  expected: a time from 1990 to 2099\n"
            "  next:     correct or delete the row",
        ),
        (
            {"tokens_completion": 10, "cancelled": "maybe"},
            ": cancelled\n"
            '  found:    "maybe"\n'
            "  expected: true or false\n"
            "  next:     correct the cell, or export the file again",
        ),
    ],
)
def test_what_cannot_be_is_refused(cells: dict[str, object], message: str, tmp_path: Path) -> None:
    path = log(tmp_path, cells)
    assert refusal(path) == f"{path}, line 2{message}"


def test_a_log_is_recognised() -> None:
    assert KIND.recognises(Head(LOG, LOG.read_text()))


ROWS = st.lists(
    st.builds(
        lambda day, model, prompt, share, out, cost: {
            "created_at": f"2026-06-{day:02} 03:46:57.713",
            "model_permaslug": model,
            "tokens_prompt": prompt,
            "tokens_cached": prompt * share // 100,
            "tokens_completion": out,
            "tokens_reasoning": out * share // 100,
            "cost_total": f"{cost:.8f}",
        },
        st.integers(1, 30),
        st.sampled_from(["openai/gpt-4.1", "openai/gpt-oss-120b", "none/none"]),
        st.integers(0, 400_000),
        st.integers(0, 100),
        st.integers(1, 10**6),
        st.decimals(0, 10, places=8),
    ),
    min_size=2,
    max_size=10,
).map(lambda rows: [{**row, "generation_id": f"gen-{n}"} for n, row in enumerate(rows)])


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=ROWS, data=st.data())
def test_the_order_of_rows_and_their_files_change_nothing(
    rows: list[dict[str, object]], data: st.DataObject, tmp_path: Path
) -> None:
    whole = read((log(tmp_path, *rows),), Asked())
    order = data.draw(st.permutations(rows))
    at = data.draw(st.integers(1, len(rows) - 1))
    one = log(tmp_path, *order[:at], name="one.csv")
    two = log(tmp_path, *order[at:], name="two.csv")
    parts = read((one, two), Asked())
    for name in ("entries", "tables", "period", "remarks", "warnings", "used"):
        assert getattr(parts, name) == getattr(whole, name)


# -------------------------------------------------------------------- prices that are not there


@pytest.mark.parametrize(
    ("day", "listed", "most"),
    [
        # 298,414 of 500,000 cached; the list has no price of a cache before 2026-10-19: all at 2.5
        ("2026-10-18", 500_000 * Decimal("2.5"), "0.746035"),
        # then 1.25
        ("2026-10-19", 201_586 * Decimal("2.5") + 298_414 * Decimal("1.25"), None),
    ],
)
def test_cached_tokens_without_a_price_are_told(
    day: str, listed: Decimal, most: str | None, tmp_path: Path
) -> None:
    row = {
        "model_permaslug": "openai/gpt-4o",
        "created_at": f"{day} 03:46:57.713",
        "tokens_prompt": 500_000,
        "tokens_cached": 298_414,
    }
    reading = read((log(tmp_path, row),), Asked())
    assert Decimal(bill(reading)["all"][0]) == listed / 1_000_000
    said = [text for text in reading.warnings if "cache" in text]
    # were they for nothing, 298,414 at 2.5 for a million less
    assert said == (
        [
            "openai/gpt-4o of openrouter: 298,414 tokens read from a cache are billed as input, "
            "for the list has no price of cache reads on those days; the bill at list prices may "
            f"be too high by at most {most} USD"
        ]
        if most
        else []
    )


@pytest.mark.parametrize("variant", ["free", "nitro"])
def test_no_remark_on_prices_of_requests_without_one(variant: str, tmp_path: Path) -> None:
    row = {"tokens_prompt": 250_000, "tokens_cached": 1_000, "variant": variant}
    row["model_permaslug"] = "google/gemini-3.1-pro-preview"
    reading = read((log(tmp_path, row),), Asked())
    said = " ".join((*reading.remarks, *reading.warnings))
    assert "OpenRouter lists one price" not in said
    assert "asks more for it" not in said
    assert "billed as input" not in said


def test_no_remark_on_prices_of_days_of_free_models(tmp_path: Path) -> None:
    entry = {
        "date": "2026-06-28",
        "model_permaslug": "openai/gpt-4.1",
        "byok_usage_inference": 0,
        "usage": 0,
        "prompt_tokens": 10,
        "completion_tokens": 1,
        "reasoning_tokens": 0,
        "requests": 1,
    }
    said = "cached tokens are not told: at list prices all input is billed as uncached"
    for model, there in (("openai/gpt-4.1", True), ("openai/gpt-4.1:free", False)):
        path = tmp_path / "days.json"
        path.write_text(json.dumps({"data": [{**entry, "model_permaslug": model}]}))
        assert (said in read((path,), Asked()).remarks) is there
