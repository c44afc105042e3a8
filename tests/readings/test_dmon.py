"""Logs of nvidia-smi dmon: names that repeat and change, with and without times."""

from datetime import datetime
from pathlib import Path

import pytest

from tco.readings.gpus.dmon import KIND
from tco.readings.reading import Asked, Reading, ReadingError
from tests.readings.logs import FILES, column, lost, recognised, values, written

HERE = FILES / "dmon"


def read(*paths: Path) -> Reading:
    assert all(recognised(KIND, path) for path in paths)
    return KIND.read(paths, Asked(gpu="l40s"))


def test_columns_are_found_by_their_names_wherever_they_stand() -> None:
    found = read(HERE / "pucm.txt")
    # four samples: 0, 100, 95 and 65 % at 40, 240, 260 and 180 W; mem is not the use
    use, mean = (0 + 1 + 0.95 + 0.65) / 4, (40 + 240 + 260 + 180) / 4
    assert values(found) == pytest.approx(
        {
            "utilisation": use,
            "idle_power": 40,
            "active_power": (mean - 40 * (1 - use)) / use,
        },
        rel=1e-5,
    )
    assert (found.used, lost(found)) == (4, {"use -": (1, 9)})
    assert found.period is None
    assert found.warnings[0].startswith("no times in the file: ")


def test_date_and_time_are_integrated() -> None:
    found = read(HERE / "dated.txt")
    # GPU 0: 10 s at 0 % and 40 W, 10 s up to 100 % and 240 W; GPU 1 rises from 50 W to 250 W
    assert column(found, "busy") == ["25 %", "100 %", "62.5 %"]
    assert column(found, "mean W") == ["90.00", "200.00", "145.00"]
    assert column(found, "kWh") == ["0.0005", "0.001111", "0.001611"]
    assert found.period is not None
    assert found.period.begin == datetime(2026, 6, 29, 10)
    assert found.period.length.total_seconds() == 20


def timed(*rows: tuple[str, int, int, int]) -> str:
    lines = ["#Time        gpu    pwr     sm    mem", "#HH:MM:SS    Idx      W      %      %"]
    lines += [f" {time}    {gpu}    {pwr}    {sm}    9" for time, gpu, pwr, sm in rows]
    return "\n".join(lines) + "\n"


def test_hours_without_a_date_go_on_over_midnight(tmp_path: Path) -> None:
    rows = [("23:59:50", 0, 100, 0), ("00:00:00", 0, 100, 0), ("00:00:10", 0, 300, 100)]
    found = read(written(tmp_path, timed(*rows)))
    # 10 s at 100 W, 10 s at 200 W in the mean
    assert column(found, "kWh") == [f"{3000 / 3.6e6:.4g}"]
    assert column(found, "busy") == ["25 %"]
    assert found.period is None
    assert {e.day for e in found.entries} == {None}
    assert "hours without a date: the samples are integrated, the period is not known" in (
        found.remarks
    )


def test_several_logs_with_the_hour_alone_have_no_order(tmp_path: Path) -> None:
    one = written(tmp_path, timed(("10:00:00", 0, 100, 0)), "one.txt")
    two = written(tmp_path, timed(("11:00:00", 0, 100, 0)), "two.txt")
    with pytest.raises(ReadingError) as refused:
        read(one, two)
    assert refused.value.found == "one.txt: the time alone"
    assert refused.value.expected == (
        "several logs together only with date and time in each, which put them in order"
    )


def test_dated_logs_are_one_in_any_order(tmp_path: Path) -> None:
    head = "#Date       Time        gpu    pwr     sm\n#YYYYMMDD   HH:MM:SS    Idx      W      %\n"
    one = written(tmp_path, head + " 20260629   10:00:00      0    100      0\n", "1.txt")
    two = written(tmp_path, head + " 20260629   10:00:10      0    300    100\n", "2.txt")
    assert column(read(two, one), "kWh") == [f"{10 * 200 / 3.6e6:.4g}"]


CUT = " 20260629   10:00:30      0    2"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (CUT, {"the last row cut off": (1, 11)}),
        (CUT + "\n", {"another number of cells than names": (1, 11)}),
        (
            " 20269999   10:00:30      0    240     33      -    100      0\n",
            {"a moment that is none": (1, 11)},
        ),
        (
            " 20260629   10:00:30      0      -     33      -      -      0\n",
            {"use -": (1, 11)},
        ),
        (
            " 20260629   10:00:05      0    240     33      -    100      0\n",
            {"a moment before that of a row above it": (1, 11)},
        ),
    ],
)
def test_rows_that_are_not_used_are_said(
    tmp_path: Path, more: str, why: dict[str, tuple[int, int]]
) -> None:
    text = (HERE / "dated.txt").read_text(encoding="utf-8") + more
    found = read(written(tmp_path, text))
    assert lost(found) == why
    assert column(found, "kWh") == ["0.0005", "0.001111", "0.001611"]


def test_cells_between_commas_are_read_too(tmp_path: Path) -> None:
    text = "#gpu, pwr, sm, mem\n#Idx, W, %, %\n0, 40, 0, 1\n0, 240, 100, 1\n"
    assert values(read(written(tmp_path, text))) == {
        "utilisation": 0.5,
        "idle_power": 40.0,
        "active_power": 240.0,
    }


def test_a_card_that_mig_cuts_has_no_use(tmp_path: Path) -> None:
    text = "# gpu    pwr     sm    mem\n# Idx      W      %      %\n    0    200      -      -\n"
    found = read(written(tmp_path, text))
    assert found.entries == ()
    assert "DCGM_FI_PROF_GR_ENGINE_ACTIVE" in found.warnings[-1]


def test_a_log_without_use_and_power_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "# gpu     mem    fb\n# Idx      %     MB\n    0     10    500\n")
    with pytest.raises(ReadingError) as refused:
        KIND.read([path], Asked())
    assert str(refused.value) == (
        f"{path}, line 1\n"
        "  found:    the columns gpu mem fb\n"
        "  expected: the column sm, pwr or both\n"
        "  next:     log with  nvidia-smi dmon -s pu -o DT -f gpus.txt"
    )


@pytest.mark.parametrize(
    "text",
    [
        "timestamp, index, utilization.gpu [%], power.draw [W]\n",
        "# a comment about a gpu\n1,2\n",
        "gpu,pwr\n0,40\n",
        '{"gpu": 1}',
    ],
)
def test_files_of_other_kinds_are_not_taken(tmp_path: Path, text: str) -> None:
    assert not recognised(KIND, written(tmp_path, text))
