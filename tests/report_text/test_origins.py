"""Which file each number was read from, and how old each price is: screen, page, JSON, explain."""

from __future__ import annotations

import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import tco
from tco.analysis.files import Origin, load_words, origin
from tco.analysis.findings import Findings
from tco.analysis.summary import ages_of_prices, summarise
from tco.report import explain
from tco.report.markdown import summary_markdown
from tco.report.page import page
from tco.report.record import record
from tco.report.terminal import render
from tco.report.workbook.structure import structure
from tco.results import Result
from tco.scenario.demand import Load
from tco.scenario.reading import ReadFile
from tests.report_text.conftest import ROOT, Run

FILE = ROOT / "tests/cli/files/measured.yaml"
GPU, SHORT, LONG = (
    hashlib.sha256((FILE.parent / name).read_bytes()).hexdigest()
    for name in ("logs/gpu.csv", "runs/short.json", "runs/long.json")
)


@pytest.fixture(scope="module")
def measured() -> Result:
    return tco.run(FILE)


def rests_on(result: Result) -> dict[str, str]:
    return dict(summarise(result).rests_on)


# the screen and the Markdown page


def test_numbers_stand_with_the_file_that_they_were_read_from(measured: Result) -> None:
    assert rests_on(measured)["measured"] == (
        "output tokens a month 50.2 M from usage/week1.json and usage/week2.json to 2026-11-14; "
        "power of an idle GPU 30.9 W from ./logs/gpu.csv to 2026-11-14; "
        "power of a busy GPU 390.12 W, 24 loads from logs/gpu.csv to 2026-11-14"
    )


def test_what_is_quoted_or_published_is_of_a_day(measured: Result) -> None:
    assert rests_on(measured)["quoted"] == (
        "purchase price of a GPU $1,599; rental price of a GPU-hour, median $0.49, "
        "rental price of a GPU-hour, lowest offer $0.14 "
        "from offers/=cmd|' -C calc'!A0.json of 2026-11-16"
    )
    published = "exchange rate 6.8321 CNY/USD from prices/ecb.csv of 2026-11-13"
    assert rests_on(measured)["published"] == published


def test_rates_that_are_solved_from_points_were_read_from_the_files_of_all(
    measured: Result,
) -> None:
    """Decoding writes 800.5 a second; 1/571.4 less 1/800.5, over 4, gives 7986 of prefill."""
    assert pytest.approx(7986.13, rel=1e-6) == 4 / (1 / 571.4 - 1 / 800.5)
    assert rests_on(measured)["solved before the months are run"] == (
        "decoding alone, output tokens a second of a GPU, rtx-4090 800.5 tokens/s, "
        "prefill alone, input tokens a second of a GPU, rtx-4090 7,986.131820166 tokens/s "
        "from runs/short.json and runs/long.json of 2026-11-11"
    )


def test_the_age_of_each_price_is_told(measured: Result) -> None:
    """From 2026-10-30 to 2026-11-30 are 31 days, from the first of June 182."""
    assert dict(ages_of_prices(measured)) == {
        "age of prices on 2026-11-30, in days": "rental price of a GPU-hour, lowest offer 14; "
        "rental price of a GPU-hour, median 14; exchange rate 17; purchase price of a GPU 31; "
        "API price of a million output tokens 182; 1 without a date"
    }


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (("30",), "0; 1 without a date"),
        (("30", "29", "20", "10", "01"), "(0, 1, 10, 20, 29); 1 without a date"),
        (("30", "29", "28", "20", "10", "01"), "0 to 29; 1 without a date"),
        (("30", "30", "29"), "(0, 1); 1 without a date"),
    ],
)
def test_ages_of_one_kind_of_price(run: Run, days: tuple[str, ...], told: str) -> None:
    options = "".join(
        f"  m{n}: {{api: m{n}, output_price: {{value: {n + 1}, as_of: 2026-11-{day}}}}}\n"
        for n, day in enumerate(days)
    )
    demand = "as_of: 2026-11-30\ndemand: {output_tokens: 50 M}\noptions:\n"
    result = run(f"name: a\n{demand}{options}  none: {{api: n, output_price: 9}}\n")
    ((_, words),) = ages_of_prices(result)
    assert words == f"API price of a million output tokens {told}"


def test_an_age_of_years_is_told_in_days(run: Run) -> None:
    """Four years from 2022-10-01 have 1461 days, October and the days to 30 November 60."""
    price = "output_price: {value: 1, as_of: 2022-10}"
    demand = "as_of: 2026-11-30\ndemand: {output_tokens: 1 M}\n"
    text = f"name: a\n{demand}options: {{b: {{api: c, {price}}}}}"
    ((_, words),) = ages_of_prices(run(text))
    assert words == f"API price of a million output tokens {1461 + 60:,}"


def test_nothing_is_said_where_no_price_has_an_age(run: Run) -> None:
    demand = "demand: {output_tokens: 50 M}\noptions: "
    for day, price in (("", "{value: 1, as_of: 2026-11-01}"), ("as_of: 2026-11-30\n", "1")):
        result = run(f"name: a\n{day}{demand}{{b: {{api: c, output_price: {price}}}}}\n")
        assert list(ages_of_prices(result)) == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (1, "from f0"),
        (2, "from f0 and f1"),
        (4, "from f0, f1, f2 and f3"),
        (5, "from f0, f1, f2 and 2 more"),
        (100, "from f0, f1, f2 and 97 more"),
    ],
)
def test_many_files_are_counted(files: int, words: str) -> None:
    read = tuple(ReadFile(f"f{n}", "0" * 64) for n in range(files))
    assert Origin(read, None).words("measured") == words


def test_the_load_is_told_with_how_it_is_known(measured: Result, run: Run) -> None:
    demand = measured.scenario.demand
    assert demand is not None
    assert load_words(demand.load) == "24 loads, measured, from logs/gpu.csv to 2026-11-14"
    assert load_words(Load(shape="office-hours")) == "office-hours"
    text = "name: a\ndemand: {{output_tokens: 1 M, load: {}}}\noptions: {{b: {{api: c, {}}}}}\n"
    price = "output_price: 1"
    levels = run(text.format("{loads: [4, 2, 1], shares: [10%, 0.4, 50%], basis: measured}", price))
    assert "3 levels of load" in rests_on(levels)["measured"]
    stated = inputs(levels)["load"]
    assert (stated["value"], stated["shares"]) == ([4, 2, 1], [0.1, 0.4, 0.5])
    assert "load within a month: 3 levels of load, measured: see the table".casefold() in (
        f"{label}: {words}".casefold() for label, words in structure(levels)
    )
    assumed = run(text.format("{loads: office-hours, basis: assumed}", price))
    assert "office-hours" in rests_on(assumed)["assumed"].split("; ")
    plain = run(text.format("office-hours", price))
    assert not any("office-hours" in words for words in rests_on(plain).values())


def test_screen_and_markdown_name_every_file_of_the_scenario(measured: Result) -> None:
    summary = summarise(measured)
    screen = " ".join(render(summary).split())
    markdown = re.sub(r"\\(.)", r"\1", summary_markdown(summary).decode())
    for given in measured.model.numbers:
        found = origin(measured, given)
        for file in found.files if found else ():
            assert file.path in screen
            assert file.path in markdown


# the page


def test_the_page_has_file_digest_and_age_beside_a_number(measured: Result) -> None:
    written = page(measured, Findings(measured), summarise(measured), []).decode()
    rows = {
        name: [
            html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<td.*?</td>", row)
        ]
        for name, row in re.findall('<tr><th scope="row">(.*?)</th>(.*?)</tr>', written)
    }
    idle = rows["Power of an idle GPU, rtx-4090"]
    assert idle[5:] == [
        f"nvidia-smi log; read from ./logs/gpu.csv (SHA-256 {GPU[:12]})",
        "2026-11-14",
    ]
    price = rows["Purchase price of a GPU, rtx-4090"]
    assert price[4:] == ["quoted", "a shop", "2026-10-30, 31 days old"]
    rate = rows["Decoding alone, output tokens a second of a GPU, rtx-4090"]
    files = f"runs/short.json (SHA-256 {SHORT[:12]}) and runs/long.json (SHA-256 {LONG[:12]})"
    assert rate[5].endswith(f"; read from {files}")
    assert rows["Load within a month"] == [
        "24 loads",
        *[""] * 3,
        "measured",
        f"nvidia-smi log; read from logs/gpu.csv (SHA-256 {GPU[:12]}); one day, hour by hour",
        "2026-11-14",
    ]


def test_the_page_says_nothing_of_a_load_that_nobody_measured(midteam: Result) -> None:
    written = page(midteam, Findings(midteam), summarise(midteam), []).decode()
    assert "Load within a month" not in written


# result.json


def inputs(result: Result) -> dict[str, dict[str, Any]]:
    found = json.loads(json.dumps(record(result)))["inputs"]
    return {given["name"]: given for given in found}


def test_the_json_holds_every_number_with_its_files(measured: Result) -> None:
    found = inputs(measured)
    demand = measured.scenario.demand
    assert demand is not None
    assert demand.output_tokens is not None
    assert found["output_tokens"] == {
        "name": "output_tokens",
        "label": "Output tokens a month",
        "value": 50187500.0,
        "unit": "tokens/month",
        "low": None,
        "high": None,
        "path": "demand.output_tokens",
        "age_days": None,
        "line": 13,
        "basis": "measured",
        "source": "usage export",
        "as_of": "2026-11-14",
        "files": {file.path: file.sha256 for file in demand.output_tokens.files},
        "note": None,
    }
    assert found["h1_price"]["age_days"] == 31
    assert found["fx_cny"]["age_days"] == 17
    assert found["h1_decode_rate"]["files"] == {"runs/short.json": SHORT, "runs/long.json": LONG}
    assert found["load"]["files"] == {"logs/gpu.csv": GPU}
    assert found["load"]["value"] == list(demand.load.shape)
    assert "shares" not in found["load"]


def test_the_json_has_a_load_where_one_is_given(midteam: Result, hostile: Result) -> None:
    found = inputs(midteam)
    assert (found["load"]["value"], found["load"]["basis"]) == ("flat", "not stated")
    assert all(given["files"] == {} for given in found.values())
    assert found["h1_price"]["source"] == "article C"
    assert "load" not in inputs(hostile)


def test_the_table_of_inputs_has_the_files(measured: Result) -> None:
    table = measured.inputs_table.set_index("input")
    assert table.loc["h1_idle_power", "files"] == f"./logs/gpu.csv {GPU}"
    assert table.loc["output_tokens", "files"].count("; ") == 1
    assert pd.isna(table.loc["h1_price", "files"])


# tco explain


def explained(result: Result, line: str, **more: Any) -> str:
    return " ".join(explain.render(result, explain.Asked(line, **more)).split())


def test_an_explained_number_names_its_files_with_the_whole_digest(measured: Result) -> None:
    text = explained(measured, "idle_power")
    assert f"of 2026-11-14; measured; read from ./logs/gpu.csv, SHA-256 {GPU}" in text
    rate = explained(measured, "decode_rate")
    assert f"; read from runs/short.json, SHA-256 {SHORT}; read from runs/long.json" in rate
    assert f"runs/long.json, SHA-256 {LONG}; to give it, write" in rate


def test_the_explained_load_names_its_file(measured: Result) -> None:
    text = explained(measured, "load_level")
    words = "24 loads, measured, from logs/gpu.csv to 2026-11-14"
    assert f"follows from demand.load; {words}; read from logs/gpu.csv, SHA-256 {GPU}" in text


def test_a_number_that_is_set_was_read_from_no_file() -> None:
    result = tco.run(FILE, settings=["hardware.rtx-4090.idle_power=20", "demand.load=flat"])
    measured = rests_on(result)["measured"]
    assert "idle" not in measured
    assert "loads" not in measured
    assert "read from" not in explained(result, "idle_power")


def test_no_file_is_opened_by_a_run(tmp_path: Path) -> None:
    """The folder holds nothing but the scenario."""
    path = tmp_path / "measured.yaml"
    path.write_bytes(FILE.read_bytes())
    assert dict(summarise(tco.run(path)).rests_on) == rests_on(tco.run(FILE))
