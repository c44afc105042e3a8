"""OpenAI's exports: days billed again to the digit, caches once, costs beside the use."""

import csv
import json
import re
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.readings.apis.openai import KIND, read
from tco.readings.reading import Asked, Head, Reading, ReadingError, Table

FILES = Path(__file__).parent / "files" / "openai"
USAGE, COSTS = FILES / "usage.csv", FILES / "costs.csv"
HEAD = USAGE.read_text().splitlines()[0]
COLUMNS = HEAD.split(",")
DAYS = 730 / 24


def table(reading: Reading, title: str) -> Table:
    return next(one for one in reading.tables if one.title == title)


def bill(reading: Reading) -> dict[str, tuple[str, ...]]:
    return {row[0]: tuple(row[1:]) for row in table(reading, "The bill, in USD").rows[1:]}


def contents(reading: Reading) -> dict[str, float]:
    return {entry.field: entry.content["value"] for entry in reading.entries}


def usage_row(**cells: object) -> str:
    """A row of one request on 2025-10-11 with these cells."""
    row = {
        "start_time": 1760140800,
        "end_time": 1760227200,
        "num_model_requests": "1.0",
        "model": "gpt-5-mini-2025-08-07",
        "batch": "FALSE",
        "service_tier": "default",
        "input_tokens": "0.0",
        "output_tokens": "0.0",
    }
    out = StringIO()
    csv.DictWriter(out, COLUMNS, lineterminator="\n").writerow({**row, **cells})
    return out.getvalue()


def usage(folder: Path, *rows: str, name: str = "usage.csv") -> Path:
    path = folder / name
    path.write_text(HEAD + "\n" + "".join(rows))
    return path


def refusal(*paths: Path) -> str:
    with pytest.raises(ReadingError) as refused:
        read(paths, Asked())
    return str(refused.value)


# ------------------------------------------------------------------------ the real figures


def test_days_are_billed_again_to_the_digit() -> None:
    reading = read((USAGE, COSTS), Asked())
    # gpt-5-mini at 0.25 and 2: 80,992 and 274,770; 124,784 and 154,852; 22,688 and 33,191
    assert bill(reading) == {
        "2025-10-05": ("0.24726", "0.895874", "0.648614"),
        "2025-10-06": ("0.00", "0.00", "0.00"),
        "2025-10-07": ("0.569788", "0.569788", "0.00"),
        "2025-10-08": ("0.00", "0.5455665", "0.5455665"),
        "2025-10-09": ("0.00", "0.00", "0.00"),
        "2025-10-10": ("0.3409", "0.3409", "0.00"),
        "2025-10-11": ("0.072054", "0.072054", "0.00"),
        "all": ("1.230002", "2.4241825", "1.1941805"),
    }
    assert table(reading, "The bill, in USD").notes == (
        "equal to the digit: 3 days; different: 2 days",
        "0.25 billed on days outside of the use: not compared",
    )


def test_a_day_is_its_tokens_at_their_prices() -> None:
    # gpt-4o at 2.5, 1.25 from cache and 10: 53,440 + 5,760 cached in, 10,646 out
    by_hand = 53_440 * Decimal("2.5") + 5_760 * Decimal("1.25") + 10_646 * 10
    assert by_hand == 247_260
    assert bill(read((USAGE,), Asked()))["2025-10-05"] == ("0.24726",)


def test_the_month_of_the_use() -> None:
    reading = read((USAGE,), Asked())
    assert reading.period is not None
    assert (str(reading.period.begin), str(reading.period.end), reading.period.zone) == (
        "2025-10-05 00:00:00",
        "2025-10-12 00:00:00",
        "UTC",
    )
    whole_input = 59_200 + 80_992 + 124_784 + 22_688
    output = 10_646 + 274_770 + 154_852 + 33_191
    assert contents(reading) == {
        "input_tokens": float(f"{whole_input / 7 * DAYS:.6g}"),
        "cache_read_tokens": float(f"{5_760 / 7 * DAYS:.6g}"),
        "output_tokens": float(f"{output / 7 * DAYS:.6g}"),
        "requests": float(f"{44 / 7 * DAYS:.6g}"),
    }
    assert (reading.used, reading.rows_are) == (4, "rows")
    assert [(one.why, one.rows, one.first_line) for one in reading.dropped] == [
        ("blank: no use in that time", 1, 3)
    ]
    assert reading.remarks == (
        "3 days of 7 without use (2025-10-06, 2025-10-08, 2025-10-09): counted as days of no use",
        "most of the bill: gpt-5-mini of openai (80 %)",
        "reasoning is in the output tokens; the export does not tell it apart",
    )


def test_the_order_of_the_files_does_not_matter() -> None:
    one, other = read((USAGE, COSTS), Asked()), read((COSTS, USAGE), Asked())
    assert (one.tables, one.entries, one.period) == (other.tables, other.entries, other.period)


def test_costs_alone_have_no_tokens() -> None:
    reading = read((COSTS,), Asked())
    assert reading.entries == ()
    assert bill(reading)["all"] == ("2.6741825",)
    assert (reading.used, reading.rows_are) == (8, "days with costs")
    assert reading.warnings == (
        "amounts only: a cost export has no tokens; give the usage export of the same days beside "
        "it",
    )


# ---------------------------------------------------------------------- classes and flags


@pytest.mark.parametrize(
    ("cells", "listed"),
    [
        # 20,212 in of which 16,298 cached: 3,914 x 0.25 + 16,298 x 0.025 + 931 x 2
        (
            {"input_tokens": "20212.0", "input_cached_tokens": "16298.0", "output_tokens": "931"},
            3_914 * Decimal("0.25") + 16_298 * Decimal("0.025") + 931 * 2,
        ),
        # all but nine from the cache
        (
            {"input_tokens": "17111", "input_cached_tokens": "17102"},
            9 * Decimal("0.25") + 17_102 * Decimal("0.025"),
        ),
        # a batch is half
        ({"input_tokens": "1000", "output_tokens": "500", "batch": "TRUE"}, Decimal(625)),
        ({"input_tokens": "1000", "output_tokens": "500", "batch": "true"}, Decimal(625)),
        ({"input_tokens": "1000", "output_tokens": "500", "service_tier": ""}, Decimal(1250)),
    ],
)
def test_each_token_is_billed_once(cells: dict[str, str], listed: Decimal, tmp_path: Path) -> None:
    reading = read((usage(tmp_path, usage_row(**cells)),), Asked())
    assert Decimal(bill(reading)["all"][0]) == listed / 1_000_000


@pytest.mark.parametrize("tier", ["flex", "priority", "scale"])
def test_another_service_tier_is_counted_and_not_priced(tier: str, tmp_path: Path) -> None:
    row = usage_row(input_tokens=1000, output_tokens=500, service_tier=tier)
    reading = read((usage(tmp_path, row),), Asked())
    assert contents(reading)["output_tokens"] == float(f"{500 * DAYS:.6g}")
    assert any(
        f"no list price for gpt-5-mini-2025-08-07 of openai: service tier {tier} has no price in"
        in text
        for text in reading.warnings
    )
    assert table(reading, "Models").rows[1][-1] == "no list price"


@pytest.mark.parametrize("whole", ["1500", "1000"])
def test_audio_and_images_are_apart_whether_they_are_in_the_input_or_beside_it(
    whole: str, tmp_path: Path
) -> None:
    row = usage_row(
        input_tokens=whole,
        input_uncached_tokens=whole,
        input_text_tokens="1000",
        output_tokens="300",
        output_text_tokens="200",
        input_audio_tokens="400",
        input_image_tokens="100",
        output_audio_tokens="100",
    )
    reading = read((usage(tmp_path, row),), Asked())
    found = contents(reading)
    assert found["input_tokens"] == float(f"{1000 * DAYS:.6g}")
    assert found["output_tokens"] == float(f"{200 * DAYS:.6g}")
    assert table(reading, "Apart from the tokens, in USD").rows[1:] == [
        ("audio, input", "400 tokens", "", ""),
        ("audio, output", "100 tokens", "", ""),
        ("images, input", "100 tokens", "", ""),
    ]


@pytest.mark.parametrize(
    ("requests", "price", "said"), [("1", 10, False), ("2", 5, True), ("", 5, True)]
)
def test_long_prompts_of_one_request_are_known(
    requests: str, price: int, said: bool, tmp_path: Path
) -> None:
    # gpt-5.5 above 272,000: 10 instead of 5; two requests of 150,000 are taken as short
    row = usage_row(model="gpt-5.5", input_tokens="300000", num_model_requests=requests)
    reading = read((usage(tmp_path, row),), Asked())
    assert Decimal(bill(reading)["all"][0]) == Decimal(price) * 300_000 / 1_000_000
    remark = (
        "several requests in a row, to a model with another price for long prompts: taken as short "
        "ones (1 row)"
    )
    assert (remark in reading.remarks) is said


def test_what_is_written_to_a_cache_is_a_part_of_the_input(tmp_path: Path) -> None:
    path = tmp_path / "usage.csv"
    path.write_text(
        "start_time,model,num_model_requests,input_tokens,output_tokens,input_cached_tokens,"
        "input_cache_write_tokens\n1760140800,gpt-5-mini,1,1000,0,300,200\n"
    )
    reading = read((path,), Asked())
    found = contents(reading)
    assert found["input_tokens"] == float(f"{1000 * DAYS:.6g}")
    assert found["cache_write_tokens"] == float(f"{200 * DAYS:.6g}")
    # OpenAI asks the price of input for it: 700 at 0.25, 300 at 0.025
    assert bill(reading)["all"] == ("0.0001825",)


def test_an_export_without_models_has_tokens_and_no_price(tmp_path: Path) -> None:
    row = usage_row(model="", input_tokens="1000", output_tokens="500")
    reading = read((usage(tmp_path, row),), Asked())
    assert contents(reading)["input_tokens"] == float(f"{1000 * DAYS:.6g}")
    assert (
        "no list price for use of openai: the file does not say which model: export it grouped by "
        "model; its 1,500 tokens are in the tokens and not in the bill at list prices"
    ) in reading.warnings


def test_a_row_that_stands_twice_counts_once(tmp_path: Path) -> None:
    row, other = (usage_row(output_tokens="500", user_id=user) for user in ("a", "b"))
    one = usage(tmp_path, row, other, name="one.csv")
    overlapping = usage(tmp_path, other, name="two.csv")
    reading = read((one, overlapping), Asked())
    assert contents(reading)["output_tokens"] == float(f"{1000 * DAYS:.6g}")
    assert [(one.why, one.rows) for one in reading.dropped] == [
        ("there before, the same in every value", 1)
    ]


# --------------------------------------------------------------------------- JSON of the API


def test_the_answers_of_the_api_are_read_like_the_exports() -> None:
    reading = read((FILES / "usage.json", FILES / "costs.json"), Asked())
    assert bill(reading) == {
        "2025-10-11": ("0.072054", "0.072054", "0.00"),
        "2025-10-12": ("0.00", "0.00", "0.00"),
        "all": ("0.072054", "0.072054", "0.00"),
    }
    # by line item: 22,688 in at 0.25 and 33,191 out at 2
    assert table(reading, "Models").rows[1] == (
        "gpt-5-mini", "openai", "2", "22,688", "33,191", "0.072054", "0.072054",
    )  # fmt: skip
    assert table(reading, "Apart from the tokens, in USD").rows[1:] == [
        ("web search", "7 calls", "", ""),
        ("web search tool calls", "", "0.07", ""),
    ]
    assert reading.warnings[-1] == (
        "the file says that more pages follow: give every page, all files together"
    )


def test_a_bucket_on_each_line(tmp_path: Path) -> None:
    page = json.loads((FILES / "usage.json").read_text())
    path = tmp_path / "usage.jsonl"
    path.write_text("".join(json.dumps(bucket) + "\n" for bucket in page["data"]))
    assert read((path,), Asked()).entries == read((FILES / "usage.json",), Asked()).entries


def test_the_usage_api_before_2025() -> None:
    # gpt-4o: 976 at 2.5, 1,024 cached at 1.25, 300 out at 10
    reading = read((FILES / "legacy.json",), Asked())
    by_hand = (976 * Decimal("2.5") + 1_024 * Decimal("1.25") + 300 * 10) / 1_000_000
    assert Decimal(bill(reading)["all"][0]) == by_hand
    assert contents(reading)["requests"] == float(f"{3 * DAYS:.6g}")


@pytest.mark.parametrize(
    ("item", "apart"),
    [
        ("gpt-5-mini-2025-08-07, input", False),
        ("gpt-5-mini-2025-08-07, cached input", False),
        ("gpt-5-mini", False),
        ("o3-2025-04-16, output", False),
        ("web search tool calls", True),
        ("gpt-image-1 image, output", True),
        ("gpt-4o-audio-preview, audio input", True),
        ("text-embedding-3-small, input", True),
        ("whisper-1", True),
        ("code interpreter sessions", True),
        ("file search storage", True),
        ("container", True),
    ],
)
def test_lines_of_the_costs_that_are_no_text_are_apart(
    item: str, apart: bool, tmp_path: Path
) -> None:
    path = tmp_path / "costs.csv"
    head = COSTS.read_text().splitlines()[0]
    path.write_text(f'{head}\n1760140800,1760227200,,,0.5,usd,"{item}",,org,Team\n')
    reading = read((path,), Asked())
    assert bill(reading)["all"] == ("0.00" if apart else "0.50",)
    assert any(one.title == "Apart from the tokens, in USD" for one in reading.tables) is apart


# ------------------------------------------------------------------------------- refusals


def test_more_cached_than_read_is_refused(tmp_path: Path) -> None:
    path = usage(tmp_path, usage_row(input_tokens="10", input_cached_tokens="11"))
    assert refusal(path) == (
        f"{path}, line 2: input_cached_tokens\n"
        "  found:    11 tokens read from a cache or written to one, of 10 input tokens\n"
        "  expected: input_tokens that include them\n"
        "  next:     export the file again; other tools count the two beside each other"
    )


@pytest.mark.parametrize(
    ("cell", "found"),
    [("-5", "-5"), ("1.5", "1.5"), ("99999999999999999", "99,999,999,999,999,999")],
)
def test_tokens_that_cannot_be_are_refused(cell: str, found: str, tmp_path: Path) -> None:
    path = usage(tmp_path, usage_row(output_tokens=cell))
    assert refusal(path) == (
        f"{path}, line 2: output_tokens\n"
        f"  found:    {found}\n"
        "  expected: a whole number of 0 or more\n"
        "  next:     correct or delete the row"
    )


def test_a_file_of_another_kind_is_refused() -> None:
    path = FILES.parent / "anthropic" / "usage.csv"
    message = refusal(path)
    assert message.startswith(
        f"{path}: start_time\n  found:    columns usage_date_utc, model_version"
    )
    assert message.endswith(
        "  expected: a column start_time\n  next:     export the file with that column"
    )


def test_only_blank_rows_are_refused(tmp_path: Path) -> None:
    path = usage(tmp_path, "1759708800,1759795200" + "," * (len(COLUMNS) - 2) + "\n")
    assert refusal(path) == (
        f"{path}\n"
        "  found:    no row of use (1 blank: no use in that time)\n"
        "  expected: rows with tokens\n"
        "  next:     export a period in which the API was used"
    )


def test_another_currency_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "costs.csv"
    path.write_text(COSTS.read_text().replace("usd", "eur"))
    assert refusal(path) == (
        f"{path}, line 2: amount_currency\n"
        '  found:    "eur"\n'
        "  expected: usd\n"
        "  next:     export the costs in US dollars, as the list prices are"
    )


def test_json_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "usage.json"
    path.write_text((FILES / "usage.json").read_text()[:600])
    assert refusal(path) == (
        f"{path}, line 1\n"
        "  found:    the file ends in the middle of a value that begins on this line\n"
        "  expected: a whole JSON file\n"
        "  next:     export or copy the file again; it was cut off"
    )


@pytest.mark.parametrize(
    "text", ['{"object": "list"}', "[1, 2]", '{"data": [3]}', '{"data": [{}]}']
)
def test_other_json_is_refused_in_words(text: str, tmp_path: Path) -> None:
    path = tmp_path / "usage.json"
    path.write_text(text)
    assert refusal(path).startswith(f"{path}, line 1")


@pytest.mark.parametrize(
    "name", ["usage.csv", "costs.csv", "usage.json", "costs.json", "legacy.json"]
)
def test_the_files_are_recognised(name: str) -> None:
    path = FILES / name
    assert KIND.recognises(Head(path, path.read_text()))


def test_an_export_with_bom_semicolons_and_capitals_is_the_same(tmp_path: Path) -> None:
    text = USAGE.read_text().replace(",", ";").replace("start_time;", "START_TIME;", 1)
    text = re.sub(r"\.0(?=;|$)", ",0", text, flags=re.MULTILINE)
    path = tmp_path / "usage.csv"
    path.write_text(text, encoding="utf-8-sig")
    one, other = read((path,), Asked()), read((USAGE,), Asked())
    assert (one.tables, one.entries) == (other.tables, other.entries)


# ------------------------------------------------------------------- what changes nothing

ROWS = USAGE.read_text().splitlines(keepends=True)[1:]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(order=st.permutations(ROWS), at=st.integers(1, len(ROWS) - 1))
def test_the_order_of_rows_and_their_files_change_nothing(
    order: list[str], at: int, tmp_path: Path
) -> None:
    whole = read((USAGE, COSTS), Asked())
    one = usage(tmp_path, *order[:at], name="one.csv")
    two = usage(tmp_path, *order[at:], name="two.csv")
    parts = read((one, two, COSTS), Asked())
    for name in ("entries", "tables", "period", "remarks", "warnings", "used"):
        assert getattr(parts, name) == getattr(whole, name)


# ------------------------------------------------------------------- batches and their remarks


@pytest.mark.parametrize("batch", ["TRUE", "FALSE", ""])
@pytest.mark.parametrize("tier", ["batch", "Batch"])
def test_the_tier_of_batches_is_the_batch(batch: str, tier: str, tmp_path: Path) -> None:
    row = usage_row(batch=batch, service_tier=tier, input_tokens=1_000, output_tokens=500)
    reading = read((usage(tmp_path, row),), Asked())
    # half of 0.25 and of 2 for a million: 1,000 x 0.125 + 500 x 1
    assert Decimal(bill(reading)["all"][0]) == Decimal("0.000625")
    assert not any("list price" in text for text in reading.warnings)
    assert "in batches: 1,000 input and 500 output tokens" in reading.remarks


def test_the_tier_of_batches_in_the_answer_of_the_api(tmp_path: Path) -> None:
    result = {
        "object": "organization.usage.completions.result",
        "model": "gpt-5-mini-2025-08-07",
        "service_tier": "batch",
        "batch": True,
        "input_tokens": 1_000,
        "output_tokens": 500,
        "num_model_requests": 1,
    }
    bucket = {"start_time": 1760140800, "end_time": 1760227200, "results": [result]}
    path = tmp_path / "usage.json"
    path.write_text(json.dumps({"object": "page", "data": [bucket], "has_more": False}))
    assert Decimal(bill(read((path,), Asked()))["all"][0]) == Decimal("0.000625")


@pytest.mark.parametrize("tier", ["flex", "priority", "scale"])
def test_no_remark_on_the_price_of_batches_without_one(tier: str, tmp_path: Path) -> None:
    # the list has the batch price of gpt-4o from a later day on; this row has no price at all
    cells = {"model": "gpt-4o-2024-08-06", "batch": "TRUE", "input_tokens": 1_000}
    said = "1,000 of them on days for which the list has no batch price"
    priced = read((usage(tmp_path, usage_row(**cells)),), Asked())
    assert any(text.startswith(said) for text in priced.remarks)
    not_priced = read((usage(tmp_path, usage_row(**cells, service_tier=tier)),), Asked())
    assert f"service tier {tier} has no price" in " ".join(not_priced.warnings)
    assert not any("half of the price" in text for text in not_priced.remarks)
    assert "in batches: 1,000 input and 0 output tokens" in not_priced.remarks


@pytest.mark.parametrize(("tier", "said"), [("default", True), ("batch", True), ("flex", False)])
def test_long_prompts_are_remarked_of_rows_with_a_price(
    tier: str, said: bool, tmp_path: Path
) -> None:
    # 300,000 tokens in two requests: one may be above 272,000, their mean is not
    row = usage_row(
        model="gpt-5.5",
        start_time=1785888000,
        end_time=1785974400,
        service_tier=tier,
        input_tokens=300_000,
        num_model_requests=2,
    )
    reading = read((usage(tmp_path, row),), Asked())
    assert any("taken as short ones (1 row)" in text for text in reading.remarks) is said


def test_cache_writes_without_a_price_are_told(tmp_path: Path) -> None:
    path = tmp_path / "usage.csv"
    row = usage_row(input_tokens=5_000, output_tokens=0).rstrip("\n")
    path.write_text(f"{HEAD},input_cache_write_tokens\n{row},4000\n")
    reading = read((path,), Asked())
    # all 5,000 at 0.25 for a million, of it 4,000 for the writes
    assert Decimal(bill(reading)["all"][0]) == Decimal("0.00125")
    assert (
        "gpt-5-mini of openai: 4,000 tokens written to a cache are billed as input, for the list "
        "has no price of cache writes on those days; the bill at list prices may be too high "
        "by at most 0.001 USD if writing is free, and too low if it costs more than input"
    ) in reading.warnings
