"""monthly.csv, result.json and summary.md: whole, tidy, and names stay text."""

import csv
import io
import json
import re
from typing import Any

import pandas as pd

from tco.analysis.summary import summarise
from tco.report.markdown import summary_markdown
from tco.report.monthly import COLUMNS, monthly_csv
from tco.report.record import result_json
from tco.results import Result


def rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_the_csv_holds_the_rows_of_the_data_frame(midteam: Result) -> None:
    content = monthly_csv(midteam)
    head = b"option,supply,line,month,unit,value,account,fiscal_year,quarter"
    assert content.startswith(b"\xef\xbb\xbf" + head + b"\n")
    read = pd.read_csv(io.BytesIO(content), encoding="utf-8-sig", keep_default_na=False)
    pd.testing.assert_frame_equal(read, midteam.monthly, check_dtype=False, check_exact=True)


def test_names_stay_text_in_the_csv(hostile: Result) -> None:
    table = rows(monthly_csv(hostile))
    assert table[0] == list(COLUMNS)
    texts = {cell for row in table[1:] for cell in (*row[:3], row[4])}
    assert {"'=1+1", "'@SUM(A1)", "'+rack"} <= texts
    assert not [text for text in texts if text.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_numbers_of_the_csv_are_numbers(hostile: Result) -> None:
    for row in rows(monthly_csv(hostile))[1:]:
        assert float(row[5]) == float(repr(float(row[5])))
        assert row[3].isdigit()


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def load(content: bytes) -> Any:
    return json.loads(content, parse_constant=refuse)


def test_the_json_holds_numbers_or_null_with_a_status(midteam: Result) -> None:
    record = load(result_json(midteam))
    assert record["schema"] == "tco-result/1"
    assert record["tool"]["name"] == "gpu-tco"
    assert record["scenario"]["file"] == "midteam.yaml"
    assert record["scenario"]["digest"] == midteam.scenario.digest
    for owner in (*record["options"], *record["comparisons"]):
        for metric in owner["metrics"].values():
            assert metric["unit"]
            assert isinstance(metric["value"], float) or metric["status"] != "ok"
    by_name = {option["name"]: option for option in record["options"]}
    own = by_name["own-2x4090"]["metrics"]
    assert (
        own["equivalent_monthly_cost"]["value"]
        == (midteam.metrics["own-2x4090"]["equivalent_monthly_cost"])
    )
    missing = by_name["rent-a100"]
    assert (missing["status"], missing["metrics"]) == ("incomplete", {})
    assert missing["reason"] == "no price: add options.rent-a100.price"
    assert by_name["own-then-api"]["chain"] == [
        {"kind": "own", "card": "rtx-4090", "count": 1.0},
        {"kind": "api", "api": "deepseek-v3.2", "provider": None},
    ]


def test_the_json_says_how_tokens_are_counted(midteam: Result) -> None:
    counting = load(result_json(midteam))["conventions"]["counting"]
    own = "50 M output tokens and 0 input tokens a month: all counted as output"
    assert counting == f"{own}, as article C counts"


def test_names_stay_text_in_the_json(hostile: Result) -> None:
    record = load(result_json(hostile))
    assert {option["name"] for option in record["options"]} == {
        "=1+1",
        "@SUM(A1)",
        "[red]x |_*$y^2$",
    }


def test_names_stay_text_in_the_markdown(hostile: Result) -> None:
    page = summary_markdown(summarise(hostile)).decode()
    assert page.startswith("# =1+1\n")
    assert r"\[red\]x \|\_\*\$y^2\$" in page
    columns = {len(re.findall(r"(?<!\\)\|", line)) for line in page.splitlines() if line[:1] == "|"}
    assert len(columns) == 2, "one number of columns in each of the two tables"


def test_the_page_has_what_the_screen_has(midteam: Result) -> None:
    summary = summarise(midteam)
    page = summary_markdown(summary, "charts/cumulative-cost.png").decode()
    plain = re.sub(r"\\(.)", r"\1", page)
    assert "](charts/cumulative-cost.png)" in page
    for text in (
        *summary.answer.verdict,
        *summary.answer.conditions,
        *summary.answer.remarks,
        *summary.left_out,
        summary.counting,
        summary.conventions,
    ):
        assert text in plain
