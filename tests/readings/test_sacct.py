"""Jobs of Slurm: each once, each GPU once, hours by state, card and week."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.readings.gpus.sacct import COMMAND, KIND, Job, by_week, gpus_of, seconds_of
from tco.readings.reading import Asked, Period, Reading, ReadingError
from tests.readings.logs import FILES, column, entry, lost, recognised, written

HERE = FILES / "sacct"
BEGIN = datetime(2026, 6, 1)


def read(*paths: Path, gpu: str | None = None, hours_per_month: float = 730) -> Reading:
    assert all(recognised(KIND, path) for path in paths)
    return KIND.read(paths, Asked(gpu=gpu, hours_per_month=hours_per_month))


def test_gpu_hours_by_state_and_card() -> None:
    found = read(HERE / "jobs.txt")
    # 2 GPUs x 10 h, 5 h cancelled, 5 h failed, 24 h running; one waits; the steps repeat the first
    assert column(found, "state") == [
        *("CANCELLED", "COMPLETED", "FAILED", "PENDING", "RUNNING", "all")
    ]
    assert column(found, "GPU-hours") == ["5.00", "20.00", "5.00", "0.00", "24.00", "54.00"]
    assert column(found, "GPU-hours", 1) == ["54.00"]
    assert (found.used, found.rows_are) == (5, "jobs")
    assert lost(found) == {
        "a step of a job, which repeats its resources": (3, 3),
        "no GPU": (1, 10),
    }
    assert f"{5 / 54 * 100:.4g} % of the GPU-hours went to jobs that failed (FAILED)" in (
        found.remarks
    )
    assert found.remarks[0].startswith("GPU-hours allocated to jobs, whether the GPUs were busy")


def test_gpu_hours_of_a_month_are_those_of_the_whole_weeks() -> None:
    found = read(HERE / "jobs.txt", hours_per_month=336)
    # the first week holds 20 + 5 + 5 hours, the second the 24 of the job that runs
    hours = entry(found, "gpu_hours")
    assert hours.content == {"value": 54.0, "low": 48.0, "high": 60.0}
    assert (hours.room, hours.subject) == ("demand", "h200-sxm")
    assert hours.note == "low and high: the lowest and highest of 2 whole weeks"
    assert found.period is not None
    assert found.period.length == timedelta(weeks=2)


HEAD = "JobID|JobName|State|Start|End|Elapsed|AllocTRES\n"
ROW = (
    "7|a|COMPLETED|2026-06-01T00:00:00|2026-06-02T02:03:04|1-02:03:04|gres/gpu:a100=4,gres/gpu=4\n"
)
HOURS = 4 * (26 + 3 / 60 + 4 / 3600)


@pytest.mark.parametrize(
    "text",
    [
        HEAD + ROW,
        # sacct -p ends each row with a bar
        (HEAD + ROW).replace("\n", "|\n"),
        (HEAD + ROW).replace("|a|", "|a|b|c|"),
        (HEAD + ROW).replace("\n", "|\n").replace("|a|", "|a|b|c|"),
        (HEAD + ROW).replace("\n", "\r\n"),
        "\ufeff" + HEAD + ROW,
        HEAD + ROW + HEAD,
        HEAD + ROW + ROW,
        # an array and a job of several kinds
        (HEAD + ROW).replace("\n7|", "\n7_12|"),
        (HEAD + ROW).replace("\n7|", "\n7+1|"),
        (HEAD + ROW).replace("Elapsed", "ElapsedRaw").replace("1-02:03:04", "93784"),
        (HEAD + ROW).replace("COMPLETED", "CANCELLED by 50001"),
        (HEAD + ROW).replace("2026-06-02T02:03:04", "Unknown"),
        # without names: the elapsed time is what lies between two moments
        ROW,
    ],
)
def test_every_form_says_the_same(tmp_path: Path, text: str) -> None:
    found = read(written(tmp_path, text))
    assert column(found, "GPU-hours", 1) == [f"{HOURS:.2f}"]
    assert column(found, "type", 1) == ["a100"]
    assert found.used == 1


@pytest.mark.parametrize(
    ("text", "gpus"),
    [
        ("billing=8,cpu=8,gres/gpu:h200=1,gres/gpu=1,mem=180G", {"h200": 1}),
        ("billing=8,cpu=8,gres/gpu=1,gres/gpu:h200=1,mem=180G", {"h200": 1}),
        ("cpu=8,gres/gpu=4", {"": 4}),
        ("gres/gpu:a100=2,gres/gpu:h100=2,gres/gpu=4", {"a100": 2, "h100": 2}),
        ("gres/gpu:a100=2", {"a100": 2}),
        ("gpu:h200:2", {"h200": 2}),
        ("gpu:2", {"": 2}),
        ("gres/gpu=0", {}),
        ("gres/gpumem=80G,gres/gpuutil=50", {}),
        ("", {}),
    ],
)
def test_typed_and_untyped_gpus_count_once(text: str, gpus: dict[str, int]) -> None:
    assert gpus_of(text) == gpus


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0),
        ("1978", 1978),
        ("00:33", 33),
        ("01:02:03", 3723),
        ("1-02:03:04", 93784),
        ("00:00.5", 0),
        ("Unknown", None),
        ("INVALID", None),
        ("", None),
    ],
)
def test_elapsed_times(text: str, seconds: float | None) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("8|a|PENDING|None|Unknown|Unknown|gres/gpu=1", "no elapsed time: Unknown"),
        ("8|a|PENDING|None|Unknown||gres/gpu=1", "no elapsed time: empty"),
        ("8.batch|batch|COMPLETED|||5|gres/gpu=1", "a step of a job, which repeats its resources"),
        ("8|a|COMPLETED|||5|cpu=8,mem=4G", "no GPU"),
        ("8|a|COMPLETED|||5", "another number of cells than names"),
    ],
)
def test_rows_that_are_not_used_are_said(tmp_path: Path, row: str, why: str) -> None:
    found = read(written(tmp_path, HEAD + ROW + row + "\n"))
    assert lost(found) == {why: (1, 3)}
    assert column(found, "GPU-hours", 1) == [f"{HOURS:.2f}"]


def test_a_job_in_two_tables_counts_once(tmp_path: Path) -> None:
    june = written(tmp_path, HEAD + ROW, "june.txt")
    both = written(tmp_path, HEAD + ROW + ROW.replace("7|", "9|", 1), "both.txt")
    found = read(june, both)
    assert found.used == 2
    assert lost(found) == {"a job that stands above already": (1, 2)}


def test_without_a_start_no_month_is_known(tmp_path: Path) -> None:
    text = "JobIDRaw|State|ElapsedRaw|AllocTRES\n1|COMPLETED|7200|gres/gpu:a100=1\n"
    found = read(written(tmp_path, text), gpu="a100-80gb")
    assert found.entries == ()
    assert found.period is None
    assert found.warnings == (
        f"no Start in the file, so the hours of a month are not known and none are written: "
        f"{COMMAND}",
    )


def test_submit_stands_for_the_start(tmp_path: Path) -> None:
    text = (
        "JobIDRaw|State|Submit|ElapsedRaw|AllocTRES\n"
        "1|COMPLETED|2026-06-01T00:00:00|36000|gres/gpu:l40s=1\n"
    )
    found = read(written(tmp_path, text), hours_per_month=720)
    # 10 hours of 10 are 720 of 720
    assert entry(found, "gpu_hours").content == {"value": 720.0}
    assert "no Start: each job is taken to begin when it was submitted" in found.remarks
    assert found.warnings == (
        "0 whole weeks: two are needed to plan with (article C); no low and high written",
    )


TWO = HEAD + ROW + ROW.replace("7|", "8|", 1).replace("a100", "l40s").replace("=4", "=1")


def test_hours_of_two_cards_are_not_one_number(tmp_path: Path) -> None:
    found = read(written(tmp_path, TWO))
    assert found.entries == ()
    assert found.warnings[0] == (
        "hours of several types of GPU (a100, l40s) are not one number, and none is written: add "
        "--gpu and one of them"
    )
    assert column(found, "GPU-hours", 1) == [f"{HOURS:.2f}", f"{HOURS / 4:.2f}"]


def test_of_two_cards_the_one_asked_for_is_taken(tmp_path: Path) -> None:
    found = read(written(tmp_path, TWO), gpu="l40s", hours_per_month=100)
    assert entry(found, "gpu_hours").subject == "l40s"
    # one GPU all of the time
    assert entry(found, "gpu_hours").content == {"value": 100.0}
    assert "left out, as --gpu l40s asks: a100" in found.remarks


def test_another_card_than_asked_for_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + ROW)
    with pytest.raises(ReadingError) as refused:
        read(path, gpu="rtx-4090")
    assert str(refused.value) == (
        f"{path}: alloctres\n"
        "  found:    GPUs of the type a100\n"
        "  expected: rtx-4090, as --gpu asks\n"
        "  next:     leave --gpu out, or give the jobs of that card"
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "JobID           JobName      State    Elapsed  AllocTRES\n"
            "------------ ---------- ---------- ---------- ----------\n",
            "columns cut to their width: JobID           JobName      State    Elapsed  AllocTRES",
        ),
        # -n without Start and End: elapsed or processors, nothing tells
        (
            "7|COMPLETED|8|3600|gres/gpu=1\n",
            "rows without the names of the columns: 7|COMPLETED|8|3600|gres/gpu=1",
        ),
        ("JobID|State|AllocTRES\n7|COMPLETED|gres/gpu=1\n", "the columns jobid, state, alloctres"),
        ("JobID|State|Elapsed\n7|COMPLETED|00:10\n", "the columns jobid, state, elapsed"),
        (
            "JobID|State|Elapsed|AllocTRES\n7|COMPLETED|00:10|cpu=8\n",
            "no job that held a GPU; 1 with no GPU",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, text: str, found: str) -> None:
    with pytest.raises(ReadingError) as refused:
        read(written(tmp_path, text))
    assert refused.value.found == found
    assert COMMAND in refused.value.next_step


@given(
    st.lists(
        st.tuples(st.integers(0, 40 * 86_400), st.integers(0, 20 * 86_400), st.integers(1, 8)),
        min_size=1,
    )
)
def test_weeks_share_out_every_hour(spans: list[tuple[int, int, int]]) -> None:
    jobs = [
        Job("COMPLETED", float(seconds), {"a100": gpus}, BEGIN + timedelta(seconds=begin))
        for begin, seconds, gpus in spans
    ]
    # a period of whole weeks that holds all of them
    period = Period(BEGIN, BEGIN + timedelta(weeks=9))
    assert sum(by_week(jobs, period).values()) == pytest.approx(sum(job.gpu_hours for job in jobs))


@pytest.mark.parametrize(
    "text",
    [
        "timestamp, index, utilization.gpu [%], power.draw [W]\n",
        "# gpu pwr sm\n",
        "a|b|c\n1|2|3\n",
        '{"State": "COMPLETED"}',
    ],
)
def test_files_of_other_kinds_are_not_taken(tmp_path: Path, text: str) -> None:
    assert not recognised(KIND, written(tmp_path, text))
