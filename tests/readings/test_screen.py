"""The screen of one reading, and the page of several."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from tco.readings.reading import Dropped, Entry, Period, Reading, Source, Table
from tco.readings.recognition import NotRead
from tco.report.columns import LINE, width
from tco.report.readings import place, shown, spread


def source(name: str) -> Source:
    return Source(Path("logs") / name, "0" * 64)


UTILISATION = Entry(
    "card",
    "rtx-4090",
    "utilisation",
    {"value": 0.38, "low": 0.31, "high": 0.45},
    "busy share of the time",
    "38 %",
    note="low and high: the lowest and highest of 2 whole weeks",
)
IDLE = Entry("card", "rtx-4090", "idle_power", {"value": "30.9 W"}, "power at 0 % use", "30.9 W")
LOG = Reading(
    "nvidia-smi log",
    (source("week1.csv"), source("week2.csv")),
    24_192,
    "samples",
    (Dropped("[N/A] in logs/week1.csv", 5, 34), Dropped("the last row, which is cut off", 1, 99)),
    Period(datetime(2026, 6, 1), datetime(2026, 6, 15, 0, 30), "UTC"),
    (UTILISATION, IDLE),
    (Table("GPUs", (("GPU", "busy", "card", "kWh"), ("0", "38 %", "RTX 4090", "")), ("a note",)),),
    ("use from the column utilization.gpu [%]",),
    ("logs/week2.csv: a hole of 3 hours",),
)
POINT = Entry(
    "card",
    "h100-sxm",
    "throughput",
    {
        "output_rate": {"value": 403.581},
        "gpus": 8,
        "input_length": 1024,
        "output_length": 128,
        "concurrency": 16,
    },
    "output tokens a second",
    "403.581 tokens/s",
)
PRICE = Entry(
    "rental",
    "rtx-4090",
    "price",
    {"median": 0.32, "p25": 0.28, "p75": 0.4, "minimum": 0.2},
    "RTX 4090, on demand",
    "0.32 USD/GPU-hour",
    "quoted",
)
TOKENS = Entry(
    "demand", "", "output_tokens", {"value": 2387530.0}, "output tokens a month", "2.388 M"
)
BILL = Table("The bill, in USD", (("day", "billed", "difference"), ("all", "2.99", "0.94")))


def test_one_reading_in_full() -> None:
    assert shown((LOG,)) == (
        "nvidia-smi log                                                                   "
        "24,192 samples used\n"
        "  week1.csv, week2.csv\n"
        "  2026-06-01 to 2026-06-15 00:30, UTC: 2 whole weeks\n"
        "  left out: 5 samples, [N/A] in week1.csv (first: line 34)\n"
        "  left out: 1 sample, the last row, which is cut off (first: line 99)\n"
        "\n"
        "NUMBERS\n"
        "                                  spread        in a scenario\n"
        "  busy share of the time    38 %  31 % .. 45 %  hardware.rtx-4090.utilisation\n"
        "  power at 0 % use        30.9 W                hardware.rtx-4090.idle_power\n"
        "  low and high: the lowest and highest of 2 whole weeks\n"
        "\n"
        "WARNINGS\n"
        "  - week2.csv: a hole of 3 hours\n"
        "\n"
        "GPUs\n"
        "  GPU  busy  card\n"
        "  0    38 %  RTX 4090\n"
        "  a note\n"
        "\n"
        "REMARKS\n"
        "  - use from the column utilization.gpu [%]\n"
    )


def test_several_readings_are_a_page_that_begins_with_what_was_measured() -> None:
    benchmark = Reading("benchmark of vLLM", (source("a.json"),), 1, "runs", entries=(POINT,))
    usage = Reading("OpenAI usage", (source("u.csv"),), 6, entries=(TOKENS,), tables=(BILL,))
    prices = Reading("offers of Vast.ai", (source("o.json"),), 7, "offers", entries=(PRICE,))
    left = (NotRead(Path("logs/x.png"), "a picture, which is not read", "give the numbers"),)
    assert shown((LOG, benchmark, usage, prices), not_read=left, written=("plan.yaml",)) == (
        "5 files read, of 4 kinds; 1 not read\n"
        "\n"
        "WHAT WAS READ\n"
        "  use of GPUs     rtx-4090: busy 38 %, idle 30.9 W [week1.csv and 1 more]\n"
        "  throughput      h100-sxm: 403.581 tokens/s, 1,024 in, 128 out, 16 at once [a.json]\n"
        "  demand          2.388 M output tokens [u.csv]\n"
        "  bill            in USD: 2.99 billed [u.csv]\n"
        "  rental prices   rtx-4090 0.32 USD/GPU-hour [o.json]\n"
        "\n"
        "NOT READ\n"
        "  x.png: a picture, which is not read; give the numbers\n"
        "\n"
        "nvidia-smi log                                                                   "
        "24,192 samples used\n"
        "  week1.csv, week2.csv\n"
        "  2026-06-01 to 2026-06-15 00:30, UTC: 2 whole weeks\n"
        "  left out: 5 samples, [N/A] in week1.csv (first: line 34)\n"
        "  left out: 1 sample, the last row, which is cut off (first: line 99)\n"
        "  - week2.csv: a hole of 3 hours\n"
        "\n"
        "benchmark of vLLM                                                                        "
        " 1 run used\n"
        "  a.json\n"
        "\n"
        "OpenAI usage                                                                            "
        " 6 rows used\n"
        "  u.csv\n"
        "\n"
        "offers of Vast.ai                                                                     "
        " 7 offers used\n"
        "  o.json\n"
        "\n"
        "A kind of file given alone is shown with its tables and remarks.\n"
        "\n"
        "WROTE\n"
        "  - plan.yaml\n"
    )


def test_what_was_measured_is_told_where_no_number_of_it_can_be_written() -> None:
    runs = Table("Runs", (("run", "output tokens/s"), ("r1", "403"), ("r2", "1,200")))
    jobs = Table("Jobs", (("state", "GPU-hours"), ("COMPLETED", "3"), ("all", "4")))
    several = (
        Reading("vLLM", (source("a.json"),), 2, tables=(runs,)),
        Reading("sacct", (source("b.txt"),), 2, tables=(jobs,)),
        Reading("ECB", (source("c.csv"),), 2),
    )
    assert shown(several).splitlines()[3:6] == [
        "  not written     vLLM: r1: output tokens/s 403; r2: output tokens/s 1,200 [a.json]",
        "  not written     sacct: all: GPU-hours 4 [b.txt]",
        "  not written     ECB: see below [c.csv]",
    ]


@pytest.mark.parametrize(
    ("entry", "beside"),
    [
        (UTILISATION, "31 % .. 45 %"),
        (replace(UTILISATION, shown="38 % (31 % to 45 %)"), ""),
        (replace(TOKENS, content={"value": 2.4e6, "low": 2e6, "high": 3e6}), "2 M .. 3 M"),
        (
            replace(TOKENS, content={"value": 5e4, "low": 4e4, "high": 6e4}, shown="50,000"),
            "40,000 .. 60,000",
        ),
        (replace(IDLE, content={"value": "3 W", "low": "2 W", "high": "4 W"}), "2 W .. 4 W"),
        (PRICE, "P25 0.28, P75 0.4"),
        (replace(PRICE, content={"median": 0.32, "minimum": 0.2}), "minimum 0.2"),
        (POINT, "8 GPUs, 1,024 in, 128 out, 16 at once"),
        (
            replace(TOKENS, field="load", content={"loads": [3, 1], "shares": [0.25, 0.75]}),
            "2 levels",
        ),
        (IDLE, ""),
    ],
)
def test_the_spread_is_in_the_unit_of_the_number(entry: Entry, beside: str) -> None:
    assert spread(entry) == beside


def test_the_place_in_a_scenario() -> None:
    rate = Entry("currency", "CNY", "currency", {"value": 6.8}, "", "", "published")
    assert [place(entry) for entry in (UTILISATION, TOKENS, rate, PRICE)] == [
        "hardware.rtx-4090.utilisation",
        "demand.output_tokens",
        "exchange_rates.CNY",
        "",
    ]
    prices = Reading("offers", (source("o.json"),), 7, "offers", entries=(PRICE,))
    assert "  in a scenario: price of each option that rents the card\n" in shown((prices,))


def test_columns_that_do_not_fit_stand_below_with_the_first() -> None:
    head = ["name", *(f"column {n:02}" for n in range(12))]
    wide = Table("Wide", (head, ["a", *(str(n) for n in range(12))]))
    lines = shown((replace(LOG, tables=(wide,)),)).splitlines()
    first = lines.index("Wide") + 1
    assert lines[first].split() == ["name", *" ".join(head[1:9]).split()]
    assert lines[first + 1].split() == ["a", *map(str, range(8))]
    assert lines[first + 2].split() == ["name", *" ".join(head[9:]).split()]
    assert lines[first + 3].split() == ["a", "8", "9", "10", "11"]


def test_long_tables_and_lists_are_counted() -> None:
    rows = [("n",), *((str(n),) for n in range(100))]
    many = replace(LOG, entries=(UTILISATION,) * 45, tables=(Table("Many", rows),))
    text = shown((many,))
    assert "  and 5 more\n" in text
    assert "  and 60 more rows\n" in text
    assert text.count("hardware.rtx-4090.utilisation") == 40


def test_no_line_is_wider_than_the_screen_and_nothing_steers_it() -> None:
    strange = "\x1b[31m双卡4090 \u202e" * 30
    reading = Reading(
        strange,
        tuple(source(f"{strange}{n}") for n in range(6)),
        1,
        "rows",
        (Dropped(strange, 1, 2),),
        Period(datetime(2026, 6, 1), datetime(2026, 6, 2), strange),
        (replace(UTILISATION, subject=strange, label=strange, shown=strange, note=strange),) * 2,
        (Table(strange, ((strange, strange), (strange, strange)), (strange,)),),
        (strange,),
        (strange,),
    )
    left = (NotRead(Path(strange), strange, strange),)
    for text in (shown((reading,)), shown((reading, reading), not_read=left, written=(strange,))):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert all(width(line) <= LINE for line in text.splitlines())
