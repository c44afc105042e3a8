"""Anthropic's exports: four classes of input that do not overlap, costs beside them."""

import csv
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.readings.apis.anthropic import KIND, read
from tco.readings.reading import Asked, Head, Reading, ReadingError, Table

FILES = Path(__file__).parent / "files" / "anthropic"
USAGE, COSTS = FILES / "usage.csv", FILES / "costs.csv"
HEAD = USAGE.read_text(encoding="utf-8").splitlines()[0]
DAYS = 730 / 24
MILLION = Decimal(1_000_000)


def table(reading: Reading, title: str) -> Table:
    return next(one for one in reading.tables if one.title == title)


def bill(reading: Reading) -> dict[str, tuple[str, ...]]:
    return {row[0]: tuple(row[1:]) for row in table(reading, "The bill, in USD").rows[1:]}


def contents(reading: Reading) -> dict[str, float]:
    return {entry.field: entry.content["value"] for entry in reading.entries}


def usage(folder: Path, *rows: dict[str, object], name: str = "usage.csv") -> Path:
    """An export with these rows, of Opus 5 (5, 0.5, 6.25, 10 and 25) unless they say otherwise."""
    usual = {
        "usage_date_utc": "2026-07-31",
        "model_version": "claude-opus-5",
        "usage_type": "standard",
        "context_window": "≤ 200k",
    }
    out = StringIO()
    writer = csv.DictWriter(out, HEAD.split(","), restval="0", lineterminator="\n")
    for row in rows:
        writer.writerow({**usual, "inference_geo": "global", "speed": "", **row})
    path = folder / name
    path.write_text(f"{HEAD}\n{out.getvalue()}", encoding="utf-8")
    return path


def refusal(*paths: Path) -> str:
    with pytest.raises(ReadingError) as refused:
        read(paths, Asked())
    return str(refused.value)


@pytest.mark.parametrize(
    ("cells", "listed"),
    [
        (
            {
                "usage_input_tokens_no_cache": 109_911,
                "usage_input_tokens_cache_write_5m": 2_528,
                "usage_output_tokens": 34_988,
            },
            "1.440055",
        ),
        ({"usage_input_tokens_no_cache": 1_000_000}, "5.00"),
        ({"usage_input_tokens_cache_read": 1_000_000}, "0.50"),
        ({"usage_input_tokens_cache_write_5m": 1_000_000}, "6.25"),
        ({"usage_input_tokens_cache_write_1h": 1_000_000}, "10.00"),
        ({"usage_output_tokens": 1_000_000}, "25.00"),
        ({"usage_output_tokens": 1_000_000, "usage_type": "batch"}, "12.50"),
        ({"usage_input_tokens_cache_write_1h": 1_000_000, "usage_type": "batch"}, "5.00"),
        (
            {
                "model_version": "claude-sonnet-4-5-20250929",
                "context_window": "> 200k",
                "usage_input_tokens_no_cache": 300_000,
                "usage_output_tokens": 1_000,
            },
            # 6 and 22.5 above 200,000 tokens, 3 and 15 below
            "1.8225",
        ),
    ],
)
def test_each_class_is_billed_once_at_its_price(
    cells: dict[str, object], listed: str, tmp_path: Path
) -> None:
    assert bill(read((usage(tmp_path, cells),), Asked()))["all"] == (listed,)


def test_input_is_the_sum_of_the_four(tmp_path: Path) -> None:
    row = {
        "usage_input_tokens_no_cache": 1,
        "usage_input_tokens_cache_write_5m": 20,
        "usage_input_tokens_cache_write_1h": 300,
        "usage_input_tokens_cache_read": 4_000,
        "usage_output_tokens": 50_000,
    }
    found = contents(read((usage(tmp_path, row),), Asked(hours_per_month=24)))
    assert found == {
        "input_tokens": 4_321,
        "cache_read_tokens": 4_000,
        "cache_write_tokens": 20,
        "cache_write_1h_tokens": 300,
        "output_tokens": 50_000,
    }


def test_a_whole_export_with_its_costs() -> None:
    reading = read((USAGE, COSTS), Asked())
    # Opus 1.440055, Sonnet 1.8225; Haiku in a batch (400,000 x 1 + 100,000 x 5) / 2
    assert bill(reading) == {
        "2026-07-31": ("3.262555", "1.44", "-1.822555"),
        "2026-08-01": ("0.00", "", ""),
        "2026-08-02": ("0.45 and more", "", ""),
        "all": ("3.712555 and more", "1.44", ""),
    }
    assert [row[0] for row in table(reading, "Models").rows[1:]] == [
        "claude-sonnet-4-5",
        "claude-opus-5",
        "claude-haiku-4-5",
        "claude-opus-4-6",
    ]
    # 12 searches at 10 dollars for 1,000, and what was billed for them
    assert table(reading, "Apart from the tokens, in USD").rows[1:] == [
        ("web search", "12 searches", "0.12", "0.12")
    ]
    assert "in batches: 400,000 input and 100,000 output tokens" in reading.remarks
    assert (
        "500,000 of them on days for which the list has no batch price: taken at half of the "
        "price, as OpenAI, Anthropic and Google bill batches"
    ) in reading.remarks


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ({"speed": "fast"}, "speed fast"),
        ({"usage_type": "priority"}, "service tier priority"),
        ({"inference_geo": "us"}, "inference in us"),
        ({"speed": "fast", "usage_type": "batch"}, "speed fast"),
    ],
)
def test_what_costs_more_is_counted_and_not_priced(
    cells: dict[str, object], why: str, tmp_path: Path
) -> None:
    reading = read((usage(tmp_path, {**cells, "usage_output_tokens": 24}),), Asked())
    assert contents(reading)["output_tokens"] == 730
    assert any(f"{why} has no price in genai-prices" in text for text in reading.warnings)


@pytest.mark.parametrize("window", ["≤ 200k", "≤200K", "<= 200k", "0-200k", ""])
def test_short_windows(window: str, tmp_path: Path) -> None:
    row = {"model_version": "claude-sonnet-4-5", "context_window": window}
    path = usage(tmp_path, {**row, "usage_input_tokens_no_cache": 1_000_000})
    assert bill(read((path,), Asked()))["all"] == ("3.00",)


@pytest.mark.parametrize("window", ["> 200k", ">200K", "200k-1M"])
def test_long_windows(window: str, tmp_path: Path) -> None:
    row = {"model_version": "claude-sonnet-4-5", "context_window": window}
    path = usage(tmp_path, {**row, "usage_input_tokens_no_cache": 1_000_000})
    assert bill(read((path,), Asked()))["all"] == ("6.00",)


def test_a_long_window_of_a_model_with_one_price(tmp_path: Path) -> None:
    path = usage(tmp_path, {"context_window": "> 200k", "usage_input_tokens_no_cache": 1_000_000})
    reading = read((path,), Asked())
    assert bill(reading)["all"] == ("5.00",)
    assert (
        "1,000,000 tokens of long prompts of models for which the list has one price for all "
        "prompts: taken at that price"
    ) in reading.remarks


def test_a_window_that_is_not_known_is_refused(tmp_path: Path) -> None:
    path = usage(tmp_path, {"context_window": "? 200k", "usage_output_tokens": 1})
    assert refusal(path) == (
        f"{path}, line 2: context_window\n"
        '  found:    "? 200k"\n'
        "  expected: ≤ 200k or > 200k: longer prompts may have prices of their own\n"
        "  next:     export the file again, as UTF-8; or write one of the two"
    )


def test_cache_writes_of_2025_are_taken_as_of_five_minutes() -> None:
    reading = read((FILES / "usage_2025.csv",), Asked(hours_per_month=24))
    assert contents(reading) == {
        "input_tokens": 43_000,
        "cache_read_tokens": 40_000,
        "cache_write_tokens": 2_000,
        "output_tokens": 500,
    }
    # Sonnet 4: 1,000 at 3, 40,000 at 0.3, 2,000 at 3.75, 500 at 15
    by_hand = (1_000 * 3 + 40_000 * Decimal("0.3") + 2_000 * Decimal("3.75") + 500 * 15) / MILLION
    assert Decimal(bill(reading)["all"][0]) == by_hand
    assert "how long a cache was written for is not told: taken as 5 minutes (1 row)" in (
        reading.remarks
    )


def test_hours_of_a_day_are_summed(tmp_path: Path) -> None:
    hours = [
        {"usage_date_utc": f"2026-07-31 {hour:02}:00", "usage_output_tokens": 10}
        for hour in (9, 10)
    ]
    found = contents(read((usage(tmp_path, *hours),), Asked(hours_per_month=24)))
    assert found == {"output_tokens": 20}


def test_a_row_that_stands_twice_counts_once(tmp_path: Path) -> None:
    row = {"usage_output_tokens": 10}
    one, two = (usage(tmp_path, row, name=name) for name in ("one.csv", "two.csv"))
    reading = read((one, two), Asked(hours_per_month=24))
    assert contents(reading) == {"output_tokens": 10}
    assert [(one.why, one.rows) for one in reading.dropped] == [
        ("there before, the same in every value", 1)
    ]


def test_the_answers_of_the_admin_api() -> None:
    reading = read((FILES / "usage.json", FILES / "costs.json"), Asked(hours_per_month=24))
    # over two days, the second of them empty
    assert contents(reading) == {
        "input_tokens": (1_000 + 9_634 + 2_528 + 20_000) / 2,
        "cache_read_tokens": 20_000 / 2,
        "cache_write_tokens": 2_528 / 2,
        "cache_write_1h_tokens": 9_634 / 2,
        "output_tokens": 500 / 2,
    }
    by_hand = (
        1_000 * 5 + 20_000 * Decimal("0.5") + 2_528 * Decimal("6.25") + 9_634 * 10 + 500 * 25
    ) / MILLION
    # the API gives cents as a text: "13.964" is 0.13964 dollars
    assert by_hand == Decimal("0.13964")
    assert bill(reading)["2026-07-31"] == ("0.13964", "0.13964", "0.00")
    assert table(reading, "Apart from the tokens, in USD").rows[1:] == [
        ("web search", "3 searches", "0.03", "0.03")
    ]


def test_costs_alone_have_no_tokens() -> None:
    reading = read((COSTS,), Asked())
    assert reading.entries == ()
    assert bill(reading)["all"] == ("1.44",)
    assert reading.warnings[0].startswith("amounts only: a cost export has no tokens")


def test_a_bill_in_cents_is_told(tmp_path: Path) -> None:
    path = usage(tmp_path, {"usage_output_tokens": 1_000_000})
    costs = tmp_path / "costs.csv"
    costs.write_text(
        "usage_date_utc,model,token_type,cost_usd,cost_type\n"
        "2026-07-31,Claude Opus 5,output,2500,token\n"
    )
    assert (
        "claude-opus-5 of anthropic: billed is about 100 times the list price: cents stand as "
        "dollars"
    ) in read((path, costs), Asked()).warnings


def test_a_file_of_another_kind_is_refused() -> None:
    path = FILES.parent / "openai" / "usage.csv"
    assert refusal(path).startswith(
        f"{path}: usage_date_utc\n  found:    columns start_time, end_time"
    )


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[3]",
        '{"data": [{"results": [4]}]}',
        '{"data": [{"starting_at": "x", "results": []}]}',
    ],
)
def test_other_json_is_refused_in_words(text: str, tmp_path: Path) -> None:
    path = tmp_path / "usage.json"
    path.write_text(text)
    assert refusal(path).startswith(f"{path}, line 1")


@pytest.mark.parametrize(
    "name", ["usage.csv", "usage_2025.csv", "costs.csv", "usage.json", "costs.json"]
)
def test_the_files_are_recognised(name: str) -> None:
    path = FILES / name
    assert KIND.recognises(Head(path, path.read_text(encoding="utf-8")))


TOKENS = st.integers(0, 10**9)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "usage_date_utc": st.dates(
                min_value=date(2026, 7, 1),
                max_value=date(2026, 8, 9),
            ).map(str),
            "model_version": st.sampled_from(["claude-opus-5", "claude-haiku-4-5", "claude-none"]),
            "usage_type": st.sampled_from(["standard", "batch"]),
            "usage_input_tokens_no_cache": TOKENS,
            "usage_input_tokens_cache_read": TOKENS,
            "usage_output_tokens": TOKENS.filter(bool),
        }
    ),
    min_size=2,
    max_size=12,
    unique_by=repr,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=ROWS, data=st.data())
def test_the_order_of_rows_and_their_files_change_nothing(
    rows: list[dict[str, object]], data: st.DataObject, tmp_path: Path
) -> None:
    whole = read((usage(tmp_path, *rows),), Asked())
    order = data.draw(st.permutations(rows))
    at = data.draw(st.integers(1, len(rows) - 1))
    one = usage(tmp_path, *order[:at], name="one.csv")
    two = usage(tmp_path, *order[at:], name="two.csv")
    parts = read((one, two), Asked())
    for name in ("entries", "tables", "period", "remarks", "warnings", "used"):
        assert getattr(parts, name) == getattr(whole, name)
    counted = sum(int(str(row["usage_output_tokens"])) for row in rows)
    assert table(whole, "Tokens and requests").rows[-1][1] == f"{counted:,}"


# -------------------------------------------------------------------- prices that are not there


@pytest.mark.parametrize("cells", [{"speed": "fast"}, {"inference_geo": "us"}])
def test_no_remark_on_the_price_of_batches_without_one(
    cells: dict[str, object], tmp_path: Path
) -> None:
    row = {"usage_type": "batch", "usage_input_tokens_no_cache": 1_000, "usage_output_tokens": 24}
    row |= {"model_version": "claude-2", "context_window": "> 200k"}
    said = ("half of the price", "taken at that price")
    priced = read((usage(tmp_path, row),), Asked())
    # half of 8 and of 24 for a million
    assert Decimal(bill(priced)["all"][0]) == Decimal(1_000 * 4 + 24 * 12) / MILLION
    assert all(any(text in one for one in priced.remarks) for text in said)
    not_priced = read((usage(tmp_path, {**row, **cells}),), Asked())
    assert not any(text in one for one in not_priced.remarks for text in said)
    assert "in batches: 1,000 input and 24 output tokens" in not_priced.remarks


@pytest.mark.parametrize(("tier", "price"), [("standard", 8), ("batch", 4)])
def test_caches_without_a_price_are_told(tier: str, price: int, tmp_path: Path) -> None:
    row = {
        "model_version": "claude-2",
        "usage_type": tier,
        "usage_input_tokens_cache_read": 2_000,
        "usage_input_tokens_cache_write_5m": 3_000,
        "usage_input_tokens_cache_write_1h": 4_000,
        "usage_output_tokens": 1,
    }
    warnings = read((usage(tmp_path, row),), Asked()).warnings
    why = "are billed as input, for the list has no price of"
    end = "on those days; the bill at list prices may be too high by at most"
    # 7,000 and 2,000 at 8 for a million, in batches at half
    written, cached = Decimal(7_000 * price) / MILLION, Decimal(2_000 * price) / MILLION
    assert [text for text in warnings if "billed as input" in text] == [
        f"claude-2 of anthropic: 7,000 tokens written to a cache {why} cache writes {end} "
        f"{written.normalize()} USD if writing is free, and too low if it costs more than input",
        f"claude-2 of anthropic: 2,000 tokens read from a cache {why} cache reads {end} "
        f"{cached.normalize()} USD",
    ]
