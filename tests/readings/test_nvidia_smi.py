"""Logs of nvidia-smi --query-gpu in every form that the program and its users give them."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.readings.gpus import log_text
from tco.readings.gpus.nvidia_smi import KIND, Named, layout_of, layout_of_rows
from tco.readings.reading import Asked, Reading, ReadingError
from tests.readings.logs import (
    FILES,
    Sample,
    column,
    entry,
    lost,
    recognised,
    smi,
    stamp,
    values,
    written,
)

HERE = FILES / "nvidia_smi"
# 0 % and 20 W for 10 s, then 100 % and 320 W for 20 s, 10 s of them rising
ROWS: list[Sample] = [(0, 0, 0, 20), (10, 0, 0, 20), (20, 0, 100, 320), (30, 0, 100, 320)]
USE = (0 + 5 + 10) / 30
MEAN = (10 * 20 + 10 * 170 + 10 * 320) / 30
ACTIVE = (MEAN - 20 * (1 - USE)) / USE
RIGHT = {"utilisation": USE, "idle_power": 20.0, "active_power": ACTIVE}


def read(*paths: Path, gpu: str | None = "rtx-4090") -> Reading:
    return KIND.read(paths, Asked(gpu=gpu))


def read_text(folder: Path, text: str | bytes, gpu: str | None = "rtx-4090") -> Reading:
    path = written(folder, text)
    assert recognised(KIND, path) or isinstance(text, bytes)
    return read(path, gpu=gpu)


def test_two_gpus_that_interleave() -> None:
    found = read(HERE / "two_gpus.csv", gpu=None)
    # GPU 0: 10 s at 0 %, 60 s from 0 to 100 %: 30 of 70 s busy; 10 x 20 + 60 x 220 = 13,400 J
    # GPU 1: half busy, 200 W for 70 s: 14,000 J
    assert column(found, "busy") == ["42.86 %", "50 %", "46.43 %"]
    assert column(found, "mean W") == ["191.43", "200.00", "195.71"]
    assert column(found, "kWh") == ["0.003722", "0.003889", "0.007611"]
    busy, mean = (30 + 35) / 140, (13_400 + 14_000) / 140
    assert values(found) == pytest.approx(
        {
            "utilisation": busy,
            "idle_power": 20,
            "active_power": (mean - 20 * (1 - busy)) / busy,
        },
        rel=1e-5,
    )
    assert {e.subject for e in found.entries} == {"rtx-4090"}
    assert (found.used, found.rows_are, found.dropped) == (6, "samples", ())
    assert found.period is not None
    assert found.period.begin == datetime(2026, 6, 29, 10)
    assert found.period.end == datetime(2026, 6, 29, 10, 1, 10, 4000)
    assert found.period.zone == "local time of the machine, the zone is not stated"
    assert found.warnings == (
        "0 whole weeks: two are needed to plan with (article C); no low and high written",
    )


def test_one_moment_of_two_cards() -> None:
    found = read(HERE / "moment.csv", gpu=None)
    by_card = {(e.subject, e.field): e.content["value"] for e in found.entries}
    assert by_card == {
        ("rtx-4090", "utilisation"): 0.0,
        ("rtx-4090", "idle_power"): 21.5,
        ("l40s", "utilisation"): 0.97,
        ("l40s", "active_power"): 287.25,
    }
    assert found.period is None
    assert "one sample of each GPU: a moment, not its use over time" in found.warnings
    assert any(text.startswith("no times in the file: ") for text in found.warnings)


HEADS = {
    "as it comes": smi(ROWS),
    "nounits": "timestamp, index, utilization.gpu [%], power.draw [W]\n"
    + "".join(f"{stamp(s)}, {g}, {u}, {w}\n" for s, g, u, w in ROWS),
    "nounits under a head without units": "timestamp, index, utilization.gpu, power.draw\n"
    + "".join(f"{stamp(s)}, {g}, {u}, {w}.00\n" for s, g, u, w in ROWS),
    "own names": "timestamp,gpu_index,power_w,util_gpu_pct\n"
    + "".join(f"{stamp(s)},{g},{w},{u}\n" for s, g, u, w in ROWS),
    "own names of a share and of kilowatts": "time,gpu,power_kw,gpu_util_ratio\n"
    + "".join(f"{stamp(s)},{g},{w / 1000},{u / 100}\n" for s, g, u, w in ROWS),
    "milliwatts in the cells": "timestamp, index, utilization.gpu [%], power.draw [W]\n"
    + "".join(f"{stamp(s)}, {g}, {u} %, {w * 1000} mW\n" for s, g, u, w in ROWS),
    "noheader": smi(ROWS).partition("\n")[2],
    "another order, with the limit and the use of the memory": (
        "power.limit [W], utilization.memory [%], power.draw [W], fan.speed [%], "
        "utilization.gpu [%], index, timestamp\n"
        + "".join(
            f"450.00 W, 7 %, {w:.2f} W, 30 %, {u} %, {g}, {stamp(s)}\n" for s, g, u, w in ROWS
        )
    ),
    "the head of another program above": "# logged by cron\n" + smi(ROWS),
    "blank lines between": smi(ROWS).replace("\n", "\n\n"),
    "lines of Windows": smi(ROWS).replace("\n", "\r\n"),
    "the mark of UTF-8": "\ufeff" + smi(ROWS),
    "no line end at the end": smi(ROWS).rstrip("\n"),
    "semicolons and decimal commas": smi(ROWS)
    .replace(".", ",", 0)
    .replace(", ", ";")
    .replace(".00 W", ",00 W"),
    "tabs": smi(ROWS).replace(", ", "\t"),
    "all cells in quotes": "\n".join(
        ",".join(f'"{cell}"' for cell in line.split(", ")) for line in smi(ROWS).splitlines()
    ),
    "a cell of two lines' name": smi(ROWS, 'A "named" GPU')
    .replace('A "named" GPU', "Tesla, V100")
    .replace("Tesla, V100", '"Tesla, V100"'),
}


@pytest.mark.parametrize("text", HEADS.values(), ids=HEADS.keys())
def test_every_form_says_the_same(tmp_path: Path, text: str) -> None:
    if text.startswith("# logged"):
        found = read(written(tmp_path, text))
    elif "Tesla" in text:
        found = read_text(tmp_path, text, gpu=None)
    else:
        found = read_text(tmp_path, text)
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    assert found.used == 4
    assert found.dropped == ()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_powershell_writes_utf_16(tmp_path: Path, encoding: str) -> None:
    found = read_text(tmp_path, smi(ROWS).encode(encoding))
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)


STAMPS = {
    "native": ("%Y/%m/%d %H:%M:%S.%f", "local"),
    "native without a fraction": ("%Y/%m/%d %H:%M:%S", "local"),
    "ISO": ("%Y-%m-%dT%H:%M:%S", "local"),
    "ISO with a zone": ("%Y-%m-%dT%H:%M:%S.%f+02:00", "UTC"),
    "ISO in UTC": ("%Y-%m-%dT%H:%M:%SZ", "UTC"),
    # date --iso-8601=ns writes a comma before the fraction, which parts the cell
    "date --iso-8601=ns": ("%Y-%m-%dT%H:%M:%S,%f000+02:00", "UTC"),
    "saved by a spreadsheet": ("%d.%m.%Y %H:%M:%S", "local"),
    "day above 12 tells the order": ("%d/%m/%Y %H:%M:%S", "local"),
    "month first": ("%m/%d/%Y %H:%M:%S", "local"),
}


@pytest.mark.parametrize(("form", "zone"), STAMPS.values(), ids=STAMPS.keys())
def test_every_form_of_a_stamp(tmp_path: Path, form: str, zone: str) -> None:
    text = "timestamp,index,utilization.gpu [%],power.draw [W]\n" + "".join(
        f"{datetime(2026, 6, 29, 10) + timedelta(seconds=s):{form}},{g},{u} %,{w} W\n"
        for s, g, u, w in ROWS
    )
    found = read_text(tmp_path, text)
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    assert found.period is not None
    hours = 2 if "+02:00" in form else 0
    assert found.period.begin == datetime(2026, 6, 29, 10 - hours)
    assert found.period.zone == (
        "UTC" if zone == "UTC" else "local time of the machine, the zone is not stated"
    )


@pytest.mark.parametrize("unit", [1, 1000, 1_000_000, 1_000_000_000])
def test_seconds_since_1970_and_their_parts(tmp_path: Path, unit: int) -> None:
    text = "timestamp,index,util_gpu_pct,power_w\n" + "".join(
        f"{int((1_782_727_200 + s) * unit)},{g},{u},{w}\n" for s, g, u, w in ROWS
    )
    found = read_text(tmp_path, text)
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    assert found.period is not None
    assert found.period.begin == datetime(2026, 6, 29, 10)
    assert found.period.zone == "UTC"


BAD = ["[N/A]", "N/A", "[Not Supported]", "[GPU requires reset]", "[Unknown Error]", "ERR!", ""]


@pytest.mark.parametrize("cell", BAD)
def test_a_bad_cell_is_no_zero(tmp_path: Path, cell: str) -> None:
    lines = smi([*ROWS[:2], (15, 0, 55, 100), *ROWS[2:]]).splitlines()
    lines[3] = f"{stamp(15)}, 0, {cell}, {cell}"
    found = read_text(tmp_path, "\n".join(lines) + "\n")
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    shown = cell if cell.startswith(("[", "N")) else f'"{cell}"' if cell else "left empty"
    assert lost(found) == {f"use {shown}": (1, 4)}


@pytest.mark.parametrize("cell", BAD)
def test_a_card_without_power_still_has_its_use(tmp_path: Path, cell: str) -> None:
    text = "timestamp, index, utilization.gpu [%], power.draw [W]\n" + "".join(
        f"{stamp(s)}, {g}, {u} %, {cell}\n" for s, g, u, _ in ROWS
    )
    found = read_text(tmp_path, text)
    assert values(found) == pytest.approx({"utilisation": USE}, rel=1e-5)
    hint = "log it too (power.draw, DCGM_FI_DEV_POWER_USAGE)"
    if cell == "ERR!":
        hint = "no cell of it can be used"
    assert found.warnings[-1] == f"rtx-4090: no power is known: {hint}"


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("-300 W", "power out of bounds"),
        ("99999 W", "power out of bounds"),
        ('"$1,234.50"', 'power "$1,234.50"'),
        ("300 V", 'power "300 V"'),
        ("high", 'power "high"'),
    ],
)
def test_cells_of_power_that_hold_none_are_counted(tmp_path: Path, cell: str, why: str) -> None:
    head = "timestamp, index, utilization.gpu [%], power.draw [W]\n"
    bad = "".join(f"{stamp(s)}, {g}, {u} %, {cell}\n" for s, g, u, _ in ROWS)
    found = read_text(tmp_path, head + bad)
    assert values(found) == pytest.approx({"utilisation": USE}, rel=1e-5)
    assert found.warnings[0] == (
        f"{why}: 4 cells left out of rows that are used for their other number, the first in line 2"
    )
    assert found.warnings[-1] == "rtx-4090: no power is known: no cell of it can be used"
    # one among good ones: its use counts, and the power is read past it
    text = smi(ROWS) + f"{stamp(40)}, 0, 100 %, {cell}\n"
    found = read_text(tmp_path, text)
    assert found.used == 5
    assert found.warnings[0] == (
        f"{why}: 1 cell left out of rows that are used for their other number, the first in line 6"
    )
    assert not any("no power is known" in text for text in found.warnings)


def test_cells_of_use_that_hold_none_are_counted(tmp_path: Path) -> None:
    found = read_text(tmp_path, smi(ROWS) + f"{stamp(40)}, 0, 101 %, 300.00 W\n")
    assert found.used == 5
    assert found.warnings[0] == (
        "use out of bounds: 1 cell left out of rows that are used for their other number, the "
        "first in line 6"
    )


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("101 %, 20 W", "use out of bounds"),
        ("-1 %, 20 W", "use out of bounds"),
        ("5 °C, 20 W", 'use "5 °C"'),
        ("x, y", 'use "x"'),
        ("[N/A], 18446744073709551615 W", "use [N/A]"),
    ],
)
def test_what_is_no_use_is_said(tmp_path: Path, cell: str, why: str) -> None:
    text = smi(ROWS) + f"{stamp(40)}, 0, {cell.split(', ')[0]}, [N/A]\n"
    found = read_text(tmp_path, text)
    assert lost(found) == {why: (1, 6)}
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)


def test_appended_logs_repeat_their_heads(tmp_path: Path) -> None:
    other = "index, power.draw [W], utilization.gpu [%], temperature.gpu, timestamp\n"
    text = (
        smi(ROWS[:1])
        + smi(ROWS[1:2])
        + other
        + "".join(f"{g}, {w:.2f} W, {u} %, 61, {stamp(s)}\n" for s, g, u, w in ROWS[2:])
    )
    found = read_text(tmp_path, text)
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    assert lost(found) == {"the head again": (1, 3)}


@pytest.mark.parametrize(
    "cut",
    ["2026/06/29 10:00:40.000, 0, 10", "2026/06/29 10:00:40.000, 0, 100 %, 32", "2026/06/29 10:0"],
)
def test_a_last_row_that_is_cut_off_is_left_out(tmp_path: Path, cut: str) -> None:
    found = read_text(tmp_path, smi(ROWS) + cut)
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    assert lost(found) == {"the last row cut off": (1, 6)}


def test_rows_of_another_width_are_left_out(tmp_path: Path) -> None:
    lines = smi(ROWS).splitlines()
    lines.insert(2, f"{stamp(1)}, 0, 100 %")
    lines.insert(4, f"{stamp(12)}, 0, 100 %, 2026/06/29 10:00:13, 0, 100 %, 320.00 W")
    found = read_text(tmp_path, "\n".join(lines) + "\n")
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    assert lost(found) == {
        "fewer cells than the head": (1, 3),
        "more cells than the head": (1, 5),
    }


def test_stamps_that_are_none_are_left_out(tmp_path: Path) -> None:
    text = smi(ROWS) + "1970/01/01 00:00:00.000, 0, 0 %, 20.00 W\nyesterday, 0, 0 %, 20.00 W\n"
    found = read_text(tmp_path, text)
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    assert lost(found) == {"a moment that is none, or not from 2000 to 2099": (2, 6)}


@pytest.mark.parametrize(
    ("names", "cells"),
    [
        ("uuid", ["GPU-0a", "GPU-0b"]),
        ("pci.bus_id", ["00000000:01:00.0", "00000000:02:00.0"]),
        ("index", ["0", "1"]),
        ("name", ["Tesla V100", "Tesla P100"]),
        ("gpu", ["0", "1"]),
    ],
)
def test_gpus_are_told_apart_by_what_the_log_has(
    tmp_path: Path, names: str, cells: list[str]
) -> None:
    text = f"timestamp, {names}, utilization.gpu [%], power.draw [W]\n" + "".join(
        f"{stamp(10 * n)}, {cells[0]}, 0 %, 20 W\n"
        f"{stamp(10 * n + 0.01)}, {cells[1]}, 100 %, 320 W\n"
        for n in range(4)
    )
    found = read_text(tmp_path, text, gpu=None)
    assert column(found, "busy") == ["0 %", "100 %", "50 %"]
    assert column(found, "mean W") == ["20.00", "320.00", "170.00"]


def test_gpus_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    text = "timestamp, utilization.gpu [%], power.draw [W]\n" + "".join(
        f"{stamp(10 * n + gpu / 100)}, {30 * gpu} %, {20 + gpu} W\n"
        for n in range(10)
        for gpu in range(3)
    )
    path = written(tmp_path, text)
    with pytest.raises(ReadingError) as refused:
        read(path)
    assert refused.value.found == (
        "rows that come in bunches, as of several GPUs, and no column that tells which GPU"
    )
    assert "--query-gpu=timestamp,index,uuid,name" in refused.value.next_step


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # with nounits and noheader nothing tells use from memory use or temperature
        (
            "".join(f"{stamp(s)}, {g}, {u}, {w}\n" for s, g, u, w in ROWS),
            "rows without a head: 2026/06/29 10:00:00.000, 0, 0, 20",
        ),
        (
            "".join(f"{stamp(s)}, {g}, {u} %, 9 %, {w} W\n" for s, g, u, w in ROWS),
            "rows without a head: 2026/06/29 10:00:00.000, 0, 0 %, 9 %, 20 W",
        ),
        (
            "".join(f"{stamp(s)}, {g}, {u} %, {w} W, 450 W\n" for s, g, u, w in ROWS),
            "rows without a head: 2026/06/29 10:00:00.000, 0, 0 %, 20 W, 450 W",
        ),
    ],
    ids=["no units", "two of percent", "two of watts"],
)
def test_rows_that_do_not_tell_what_they_are_need_a_head(
    tmp_path: Path, text: str, found: str
) -> None:
    path = written(tmp_path, text)
    assert recognised(KIND, path)
    with pytest.raises(ReadingError) as refused:
        read(path)
    fault = refused.value
    assert (fault.file, fault.line, fault.found) == (str(path), 1, found)
    assert fault.next_step.startswith(
        "write the names of the columns into a first line, for example  "
        "timestamp, index, utilization.gpu [%], power.draw [W]"
    )


def test_a_log_of_another_gpu_is_refused() -> None:
    with pytest.raises(ReadingError) as refused:
        read(HERE / "two_gpus.csv", gpu="h100-sxm")
    assert str(refused.value).startswith(
        f"{HERE / 'two_gpus.csv'}: name\n"
        "  found:    NVIDIA GeForce RTX 4090\n"
        "  expected: h100-sxm: the use and the power of one GPU do not size another\n"
        "  next:     log it on a h100-sxm with  nvidia-smi\n"
    )


def test_of_two_cards_the_one_asked_for_is_taken() -> None:
    found = read(HERE / "moment.csv", gpu="l40s")
    assert {e.subject for e in found.entries} == {"l40s"}
    assert "left out, as --gpu l40s asks: NVIDIA GeForce RTX 4090" in found.remarks


def test_a_log_that_does_not_name_its_card_says_to_add_it(tmp_path: Path) -> None:
    found = read_text(tmp_path, smi(ROWS), gpu=None)
    assert [e for e in found.entries if e.room == "card"] == []
    assert found.warnings[0] == (
        "the file does not name the GPU: add --gpu and the name of the card, or log the column "
        "name too"
    )


def test_a_name_that_may_be_two_cards_says_which(tmp_path: Path) -> None:
    found = read_text(tmp_path, smi(ROWS, "NVIDIA H100"), gpu=None)
    assert [e for e in found.entries if e.room == "card"] == []
    assert found.warnings[0] == (
        "NVIDIA H100 may be h100-pcie or h100-sxm: add --gpu and one of them to write its numbers"
    )
    told = read_text(tmp_path, smi(ROWS, "NVIDIA H100"), gpu="h100-sxm")
    assert {e.subject for e in told.entries} == {"h100-sxm"}


MIG = {
    "mode": "timestamp, index, mig.mode.current, utilization.gpu [%], power.draw [W]\n"
    + "".join(f"{stamp(s)}, 0, Enabled, 0 %, {w} W\n" for s, _, _, w in ROWS),
    "uuid": "timestamp, uuid, utilization.gpu [%], power.draw [W]\n"
    + "".join(f"{stamp(s)}, MIG-0a1b, 0 %, {w} W\n" for s, _, _, w in ROWS),
    "no use": "timestamp, index, utilization.gpu [%], power.draw [W]\n"
    + "".join(f"{stamp(s)}, 0, [N/A], {w} W\n" for s, _, _, w in ROWS),
    "power at 0 %": "timestamp, index, utilization.gpu [%], power.draw [W]\n"
    + "".join(f"{stamp(s)}, 0, 0 %, {w + 200} W\n" for s, _, _, w in ROWS),
}


@pytest.mark.parametrize("text", MIG.values(), ids=MIG.keys())
def test_a_card_that_mig_cuts_has_no_use(tmp_path: Path, text: str) -> None:
    found = read_text(tmp_path, text)
    assert found.entries == ()
    assert found.warnings[-1].startswith(
        "rtx-4090: no busy share, no idle and no busy power are written: "
    )
    assert found.warnings[-1].endswith(
        "; what would do: an export of DCGM_FI_PROF_GR_ENGINE_ACTIVE from Prometheus"
    )
    # the energy is that of the whole card all the same
    (energy,) = column(found, "kWh")
    watts = MEAN + (200 if "0 %, 220" in text else 0)
    assert float(energy) == pytest.approx(watts * 30 / 3.6e6, rel=1e-3)


def halves(folder: Path) -> tuple[Path, Path]:
    lines = smi(ROWS).splitlines(keepends=True)
    return (
        written(folder, "".join(lines[:3]), "week1.csv"),
        written(folder, lines[0] + "".join(lines[3:]), "week2.csv"),
    )


def test_two_files_are_one_log_in_any_order(tmp_path: Path) -> None:
    one, two = halves(tmp_path)
    assert values(read(one, two)) == pytest.approx(RIGHT, rel=1e-5)
    assert values(read(two, one)) == pytest.approx(RIGHT, rel=1e-5)


def test_a_file_given_twice_counts_once(tmp_path: Path) -> None:
    one = written(tmp_path, smi(ROWS), "one.csv")
    copy = written(tmp_path, smi(ROWS), "copy.csv")
    found = read(one, copy)
    assert found.used == 4
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    assert f"{copy}: the same content as another file, read once" in found.warnings


def test_logs_of_two_machines_are_kept_apart(tmp_path: Path) -> None:
    hour = [(float(s), 0, 100.0, 300.0) for s in range(0, 7201, 60)]
    idle = [(float(s), 0, 0.0, 20.0) for s in range(0, 7201, 60)]
    found = read(written(tmp_path, smi(hour), "a.csv"), written(tmp_path, smi(idle), "b.csv"))
    assert column(found, "GPU") == ["0 on a.csv", "0 on b.csv", "all"]
    assert column(found, "busy") == ["100 %", "0 %", "50 %"]
    assert any("taken to be of 2 machines" in text for text in found.warnings)
    assert found.dropped == ()


def test_a_gpu_logged_twice_at_once_counts_once(tmp_path: Path) -> None:
    head = "timestamp, uuid, utilization.gpu [%], power.draw [W]\n"
    rows = [f"{stamp(s)}, GPU-0a, 50 %, 200.00 W\n" for s in range(0, 7201, 60)]
    late = [f"{stamp(s + 1)}, GPU-0a, 50 %, 200.00 W\n" for s in range(0, 7201, 60)]
    found = read(
        written(tmp_path, head + "".join(rows), "a.csv"),
        written(tmp_path, head + "".join(late), "b.csv"),
    )
    # 7,201 s at 200 W
    assert column(found, "kWh") == [f"{7201 * 200 / 3.6e6:.4g}"]
    assert lost(found) == {"a moment before that of a row above it": (120, 2)}


def test_stamps_with_and_without_zone_are_not_one_log(tmp_path: Path) -> None:
    with_zone = smi(ROWS).replace(".000, 0", ".000+02:00, 0")
    one = written(tmp_path, with_zone, "a.csv")
    two = written(tmp_path, smi(ROWS), "b.csv")
    with pytest.raises(ReadingError) as refused:
        read(one, two)
    assert refused.value.file == str(two)
    assert (
        refused.value.found == f"stamps without a zone, beside those of {one}, which state theirs"
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (smi([]), "no row that can be used: a head and nothing under it"),
        (
            "timestamp, utilization.gpu [%], power.draw [W]\n10:00:00, 5 %, 20 W\n",
            '"10:00:00", a time of day without its date',
        ),
        (
            "timestamp, utilization.gpu [%], power.draw [W]\n03/04/2026 10:00, 5 %, 20 W\n",
            '"03/04/2026 10:00", in which the day or the month may stand first',
        ),
        (
            "timestamp;index;utilization.gpu [%];power.draw [W]\n"
            "2026/06/29 10:00:00;0;5 %;1,234 W\n",
            '"1,234 W", which can be read in two ways; no other cell of the file settles it',
        ),
        (
            smi([]) + f"{stamp(0)}, 0, [N/A], [N/A]\n",
            "no row that can be used: 1 with use [N/A]",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, text: str, found: str) -> None:
    with pytest.raises(ReadingError) as refused:
        read(written(tmp_path, text))
    assert refused.value.found == found


def test_a_use_without_unit_that_may_be_a_share_is_refused(tmp_path: Path) -> None:
    text = "timestamp,gpu,gpu_util,power_w\n" + "".join(
        f"{stamp(s)},{g},{u / 100},{w}\n" for s, g, u, w in [*ROWS, (40, 0, 45, 100)]
    )
    path = written(tmp_path, text)
    with pytest.raises(ReadingError) as refused:
        read(path)
    assert str(refused.value) == (
        f"{path}: gpu_util\n"
        "  found:    numbers from 0 to 1 without a unit, such as 0.45, which may be 0.45 % or "
        "45 %\n"
        "  expected: a use in percent, or one that says it is a share\n"
        "  next:     name the column gpu_util_ratio if 1 is full use, gpu_util_pct if 100 is"
    )
    whole = text.replace("0.45", "45").replace("1.0", "100")
    assert values(read(written(tmp_path, whole)))["utilisation"] > 0.4


@pytest.mark.parametrize("name", ["utilization.gpu [%]", "utilization.gpu"])
@pytest.mark.parametrize(("separator", "sign"), [(",", "."), (";", ","), ("\t", ".")])
def test_percents_that_a_spreadsheet_saved_as_shares_are_refused(
    tmp_path: Path, name: str, separator: str, sign: str
) -> None:
    """nvidia-smi writes whole percents: 0.7 in its column is 70 % saved as a number, or 0.7 %."""
    cells = [["timestamp", "index", name, "power.draw [W]"]]
    for n, use in enumerate(("0", "0.7", "1", "0.25")):
        cells.append([stamp(10 * n), "0", use.replace(".", sign), f"{100 + n} W"])
    path = written(tmp_path, "".join(separator.join(row) + "\n" for row in cells))
    with pytest.raises(ReadingError) as refused:
        read(path)
    shown = f"0{sign}7"
    assert refused.value.found == (
        f"numbers from 0 to 1 without a unit, such as {shown}, which may be {shown} % or 70 %"
    )
    assert refused.value.next_step == (
        "name the column gpu_util_ratio if 1 is full use, gpu_util_pct if 100 is"
    )
    # what it says to do does: 0, 0.7, 1, 0.25 of 30 s are 0.35 + 0.85 + 0.625 of 3
    for new, factor in (("gpu_util_ratio", 1), ("gpu_util_pct", 0.01)):
        path = written(tmp_path, path.read_text().replace(name, new), f"{new}.csv")
        again = read(path)
        path = written(tmp_path, path.read_text().replace(new, name))
        expected = (0.35 + 0.85 + 0.625) / 3 * factor
        assert values(again)["utilisation"] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("uses", [("0", "1", "0", "1"), ("0", "0.7 %", "1 %", "1"), ("0.7", "45")])
def test_whole_percents_and_those_with_their_sign_are_no_shares(
    tmp_path: Path, uses: tuple[str, ...]
) -> None:
    text = "timestamp, index, utilization.gpu [%], power.draw [W]\n" + "".join(
        f"{stamp(10 * n)}, 0, {use}, 100 W\n" for n, use in enumerate(uses)
    )
    assert values(read_text(tmp_path, text))["utilisation"] < 0.25


@pytest.mark.parametrize("above", [1, 3])
@pytest.mark.parametrize("block", [1 << 22, 64])
def test_rows_above_the_names_of_the_columns_are_counted(
    tmp_path: Path, above: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs that were joined or sorted: nothing names the columns of what stands above."""
    monkeypatch.setattr(log_text, "BLOCK", block)
    earlier = smi([(-100 + n, 0, 100, 320) for n in range(above)]).split("\n", 1)[1]
    found = read_text(tmp_path, earlier + smi(ROWS))
    assert values(found) == pytest.approx(RIGHT, rel=1e-5)
    assert (found.used, lost(found)) == (4, {"a row above the names of the columns": (above, 1)})


def test_a_line_of_words_above_the_names_is_no_row(tmp_path: Path) -> None:
    path = written(tmp_path, "\nlog of the machine in the corner\n" + smi(ROWS))
    found = read(path)
    assert (found.used, lost(found)) == (4, {})


@pytest.mark.parametrize("year", [1970, 1999, 2100, 2999])
def test_stamps_none_of_which_may_be_are_refused(tmp_path: Path, year: int) -> None:
    path = written(tmp_path, smi(ROWS, begin=datetime(year, 1, 1)))
    with pytest.raises(ReadingError) as refused:
        read(path)
    assert refused.value.field == "timestamp"
    assert refused.value.found == (
        f'"{year}/01/01 00:00:00.000", as in every row at its beginning: no moment from 2000 to '
        "2099"
    )
    # without the column, as it says, each sample counts alike: two of four are at full use
    text = "\n".join(line.partition(", ")[2] for line in smi(ROWS).splitlines())
    again = read(written(tmp_path, text + "\n"))
    assert values(again)["utilisation"] == 0.5


def test_several_samples_a_second_without_a_fraction_are_one_gpu(tmp_path: Path) -> None:
    text = "timestamp, utilization.gpu [%], power.draw [W]\n" + "".join(
        f"2026/06/29 10:00:{second:02}, {20 * part} %, 100 W\n"
        for second in range(11)
        for part in range(5)
    )
    found = read_text(tmp_path, text)
    assert values(found)["utilisation"] == pytest.approx(0.4)
    assert found.remarks[3] == (
        "rows that share GPU and moment with another (44): their mean is taken"
    )
    assert found.warnings[1] == (
        "no column tells the GPU (index, uuid): the rows are taken to be of one"
    )


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "an empty file"),
        (
            smi(ROWS).encode() + b"2026/06/29 10:01:00.000, 0, 5 \xff, 20 W\n",
            "bytes that are not UTF-8, on this line or further down",
        ),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, found: str) -> None:
    with pytest.raises(ReadingError) as refused:
        read(written(tmp_path, content))
    assert refused.value.found == found


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadingError) as refused:
        read(tmp_path / "gone.csv")
    assert refused.value.found == "No such file or directory"


@pytest.mark.parametrize(
    ("name", "is_use", "is_power"),
    [
        ("utilization.gpu [%]", True, False),
        ("utilization.memory [%]", False, False),
        ("utilization.encoder [%]", False, False),
        ("util_gpu_pct", True, False),
        ("power.draw [W]", False, True),
        ("power.draw.instant [W]", False, True),
        ("power.limit [W]", False, False),
        ("enforced.power.limit [W]", False, False),
        ("power.max_limit [W]", False, False),
        ("power.management", False, False),
        ("cpu_util", False, False),
        ("power_w", False, True),
        ("memory.used [MiB]", False, False),
    ],
)
def test_names_of_columns(name: str, is_use: bool, is_power: bool) -> None:
    found = Named.of(name)
    assert (found.is_use, found.is_power) == (is_use, is_power)


def test_the_draw_is_taken_before_its_average_and_never_the_limit() -> None:
    names = [
        "power.limit [W]",
        "power.draw.instant [W]",
        "power.draw.average [W]",
        "power.draw [W]",
    ]
    found = layout_of(names)
    assert found is not None
    assert found.power == 3
    assert layout_of(["power.limit [W]", "memory.used [MiB]"]) is None
    assert layout_of_rows([]) is None


OTHERS = {
    "amd-smi": "timestamp,gpu,gfx_activity,socket_power,power_management\n1,0,50,90,x\n",
    "a benchmark": "hw,conc,model,isl,osl,tp,tput_per_gpu\nh100,1,m,1,1,1,2\n",
    "a price list": "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region\n",
    "use of an API": "start_time,end_time,num_model_requests,model,input_tokens,output_tokens\n",
    "jobs": "JobIDRaw|JobName|State|ElapsedRaw|AllocTRES\n1|a|COMPLETED|5|gres/gpu=1\n",
    "dmon": "# gpu    pwr     sm    mem\n# Idx      W      %      %\n    0     40      0     27\n",
    "JSON": '{"data": {"result": []}}',
    "rates": "Date, USD, JPY, \n13 April 2026, 1.1684, 160.2, \n",
    "prose": "The power of the GPU, and its use.\n",
    "nothing": "",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS.keys())
def test_files_of_other_kinds_are_not_taken(tmp_path: Path, text: str) -> None:
    assert not recognised(KIND, written(tmp_path, text))


samples = st.lists(
    st.tuples(st.integers(1, 250), st.integers(0, 2), st.integers(0, 100), st.integers(10, 700)),
    min_size=1,
    max_size=40,
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
@given(samples, st.data())
def test_blocks_and_files_change_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    gaps: list[tuple[int, int, int, int]],
    data: st.DataObject,
) -> None:
    rows: list[Sample] = []
    seconds = 0
    for gap, gpu, use, watts in gaps:
        seconds += gap
        rows.append((seconds, gpu, use, watts))
    whole = read(written(tmp_path, smi(rows)))
    cut = data.draw(st.integers(0, len(rows)))
    parts = [part for part in (rows[:cut], rows[cut:]) if part]
    files = [written(tmp_path, smi(part), f"{n}.csv") for n, part in enumerate(parts)]
    with monkeypatch.context() as small:
        small.setattr(log_text, "BLOCK", data.draw(st.integers(20, 500)))
        in_blocks = read(*files)
    assert in_blocks.entries == whole.entries
    assert in_blocks.tables == whole.tables
    assert in_blocks.period == whole.period
    assert in_blocks.used == whole.used


def test_progress_is_told_to_the_end(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    paths = halves(tmp_path)
    KIND.read(paths, Asked(gpu="rtx-4090", progress=lambda done, total: told.append((done, total))))
    size = sum(path.stat().st_size for path in paths)
    assert told[-1] == (size, size)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_entries_say_what_they_are(tmp_path: Path) -> None:
    found = entry(read_text(tmp_path, smi(ROWS)), "idle_power")
    assert (found.room, found.subject, found.basis) == ("card", "rtx-4090", "measured")
    assert (found.label, found.shown) == ("power at 0 % use", "20 W")
    assert found.day == datetime(2026, 6, 29).date()
