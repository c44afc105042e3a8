"""Runs of ``vllm bench serve``: what is taken from them, and which are refused."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tco.readings.benchmarks import vllm
from tco.readings.reading import Asked, Head, Reading, ReadingError

FILES = Path(__file__).parent / "files" / "vllm"
BASE: dict[str, Any] = json.loads((FILES / "bench_serve.json").read_text())
ON_FOUR = Asked(gpu="h100-sxm", gpus=4)


def read(tmp_path: Path, *runs: dict[str, Any], asked: Asked = ON_FOUR) -> Reading:
    path = tmp_path / "runs.json"
    path.write_text("\n".join(map(json.dumps, runs)))
    return vllm.read([path], asked)


def refused(tmp_path: Path, *runs: dict[str, Any]) -> str:
    with pytest.raises(ReadingError) as error:
        read(tmp_path, *runs)
    return str(error.value).replace(f"{tmp_path}/", "")


def test_a_run_in_ms() -> None:
    reading = vllm.read([FILES / "bench_serve.json"], ON_FOUR)
    (entry,) = reading.entries
    # 81,920 output tokens in 102.4 s; not the 4,000 a second of input and output
    assert entry.content["output_rate"] == {"value": 81_920 / 102.4} == {"value": 800.0}
    assert (entry.room, entry.subject, entry.field) == ("card", "h100-sxm", "throughput")
    assert {key: value for key, value in entry.content.items() if key != "output_rate"} == {
        "gpus": 4,
        "input_length": 327_680 / 320,
        "output_length": 81_920 / 320,
        "concurrency": 32,
        "source": "meta-llama/Llama-3.1-70B-Instruct-FP8, vLLM bench serve",
    }
    assert entry.shown == "800 tokens/s on 4 GPUs, 200 each"
    assert entry.label == "output tokens a second"
    assert entry.day == date(2026, 7, 4)
    assert entry.note == "320 requests in 102.4 s; p99 of the first token 1.9 s"
    assert (reading.used, reading.dropped, reading.warnings) == (1, (), ())
    assert reading.tables[0].title == "Runs of meta-llama/Llama-3.1-70B-Instruct-FP8"
    assert [list(row) for row in reading.tables[0].rows] == [
        [
            *("run", "in flight", "input", "output", "requests", "seconds"),
            *("output tokens/s", "per GPU", "written"),
        ],
        ["bench_serve.json", "32", "1,024", "256", "320", "102.4", "800", "200", "yes"],
    ]
    assert list(reading.tables[1].rows[1]) == [
        "bench_serve.json",
        *("412 ms", "1.9 s", "37.5 ms", "61.5 ms", "-", "-"),
    ]


def test_a_run_in_seconds() -> None:
    asked = Asked(gpu="NVIDIA H200", gpus=8, tensor_parallel=8)
    reading = vllm.read([FILES / "seconds.json"], asked)
    (entry,) = reading.entries
    # 20,480 tokens in 51.2 s, on 8 GPUs 50 each
    assert entry.content["output_rate"] == {"value": 20_480 / 51.2} == {"value": 400.0}
    assert entry.content["tensor_parallel"] == 8
    assert entry.subject == "h200-sxm"
    assert entry.shown == "400 tokens/s on 8 GPUs, 50 each"
    assert list(reading.tables[1].rows[1]) == [
        "seconds.json",
        *("290 ms (median)", "2.05 s", "33.5 ms (median)", "71.5 ms", "4.6 s (median)", "9.6 s"),
    ]
    assert reading.remarks == (
        "not held against the most the card can do, not known here: "
        "the parameters of zai-org/GLM-5-FP8",
    )


@pytest.mark.parametrize(
    ("times", "shown"),
    [
        ({"median_ttft": 290.0, "median_tpot": 33.5, "p99_tpot": 71.5}, "33.5 ms (median)"),
        ({"median_ttft": 40.0, "median_tpot": 33.5, "p99_tpot": 45.5}, "33.5 ms (median)"),
    ],
    ids=["longer than the run", "longer for all tokens of a request"],
)
def test_times_without_unit_that_are_no_seconds(
    tmp_path: Path, times: dict[str, float], shown: str
) -> None:
    base = json.loads((FILES / "seconds.json").read_text())
    reading = read(
        tmp_path, {**base, "median_e2el": None, "p99_e2el": None, "p99_ttft": 50.0, **times}
    )
    assert reading.tables[1].rows[1][3] == shown
    assert (
        "runs.json: times whose keys name no unit are read as ms: as seconds they are longer than "
        "the run"
    ) in reading.warnings


def test_times_in_ms_longer_than_the_run(tmp_path: Path) -> None:
    reading = read(tmp_path, {**BASE, "p99_ttft_ms": 190_475.0})
    assert reading.warnings == ("runs.json: times of requests are longer than the run of 102.4 s",)


@pytest.mark.parametrize("name", ["appended.json", "one_after_the_other.json", "list.json"])
def test_several_runs_in_a_file(name: str) -> None:
    reading = vllm.read([FILES / name], ON_FOUR)
    assert reading.used == 4
    rates = [row[6] for row in reading.tables[0].rows[1:]]
    # 20,480/64, 81,920/102.4, 163,840/163.84 and 327,680/320
    assert rates == ["320", "800", "1,000", "1,024"]
    # 64 in flight write 1,000, over 95 % of the 1,024 that 128 write, and nobody waits longer
    (entry,) = reading.entries
    assert entry.content["output_rate"] == {"value": 1000.0}
    assert entry.content["concurrency"] == 64
    assert [row[-1] for row in reading.tables[0].rows[1:]] == ["no", "no", "yes", "no"]
    assert reading.remarks == (
        "of 4 runs with about 4 input tokens for each output token the one with 64 in flight is "
        "taken, 1,000 output tokens/s: the least load within 5% of the highest rate, 1,024; give "
        "one file alone to take another",
    )


def test_appended_runs_are_told_by_their_lines() -> None:
    reading = vllm.read([FILES / "appended.json"], ON_FOUR)
    assert [row[0] for row in reading.tables[0].rows[1:]] == [
        f"appended.json, line {line}" for line in (1, 2, 3, 4)
    ]


def test_a_file_with_every_request() -> None:
    reading = vllm.read([FILES / "detailed.json"], ON_FOUR)
    (entry,) = reading.entries
    assert entry.content["output_rate"] == {"value": 800.0}
    # max_concurrency is null: all requests were sent at once, so none is written
    assert "concurrency" not in entry.content


@pytest.mark.parametrize("gone", ["failed", "total_token_throughput", "request_throughput"])
def test_older_files_lack_keys(tmp_path: Path, gone: str) -> None:
    old = {key: value for key, value in BASE.items() if key != gone}
    (entry,) = read(tmp_path, old).entries
    assert entry.content["output_rate"] == {"value": 800.0}


def test_the_rate_by_tokens_and_time_where_it_is_not_told(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, {**BASE, "output_throughput": None}).entries
    assert entry.content["output_rate"] == {"value": 800.0}


@pytest.mark.parametrize(
    ("asked", "add"),
    [
        (Asked(), "--gpu NAME and --gpus N"),
        (Asked(gpu="h100-sxm"), "--gpus N"),
        (Asked(gpus=4), "--gpu NAME"),
    ],
)
def test_what_the_file_does_not_tell(tmp_path: Path, asked: Asked, add: str) -> None:
    reading = read(tmp_path, BASE, asked=asked)
    assert reading.entries == ()
    assert reading.warnings == (
        "no throughput is written: the file does not tell the card, or how many were measured "
        f"together; add {add}",
    )
    assert reading.tables[0].rows[1][-2:] == ("-", "no")


def test_the_gpus_that_hold_one_copy_stand_for_all(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, BASE, asked=Asked(gpu="h100-sxm", tensor_parallel=8)).entries
    assert (entry.content["gpus"], entry.content["tensor_parallel"]) == (8, 8)
    # vllm bench serve --metadata tp=8 writes a text
    (entry,) = read(tmp_path, {**BASE, "tp": "8"}, asked=Asked(gpu="h100-sxm")).entries
    assert (entry.content["gpus"], entry.content["tensor_parallel"]) == (8, 8)


def test_a_card_that_may_be_two(tmp_path: Path) -> None:
    reading = read(tmp_path, BASE, asked=Asked(gpu="h100", gpus=4))
    assert reading.entries == ()
    assert reading.warnings == (
        'no throughput is written: "h100" may be h100-pcie or h100-sxm; add --gpu h100-pcie or '
        "--gpu h100-sxm",
    )


def test_gpus_that_are_no_whole_copies(tmp_path: Path) -> None:
    with pytest.raises(ReadingError) as error:
        read(tmp_path, BASE, asked=Asked(gpu="h100-sxm", gpus=6, tensor_parallel=4))
    assert str(error.value).replace(f"{tmp_path}/", "") == (
        "runs.json: tensor_parallel\n"
        "  found:    6 GPUs with 4 to a copy of the model\n"
        "  expected: whole copies of the model\n"
        "  next:     write all the GPUs that were measured together:  --gpus 8"
    )


def test_a_run_that_answered_nothing(tmp_path: Path) -> None:
    nothing = {**BASE, "completed": 0, "failed": 320, "output_throughput": 0.0}
    assert refused(tmp_path, nothing) == (
        "runs.json, line 1: completed\n"
        "  found:    0 of 320 requests\n"
        "  expected: a run that answered requests\n"
        "  next:     look into its log for why all failed, and measure again"
    )
    reading = read(tmp_path, BASE, nothing)
    assert reading.used == 1
    assert [(left.why, left.rows, left.first_line) for left in reading.dropped] == [
        ("completed: 0 of 320 requests", 1, 2)
    ]


def test_a_file_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text((FILES / "bench_serve.json").read_text()[:300])
    with pytest.raises(ReadingError) as error:
        vllm.read([path], ON_FOUR)
    assert str(error.value).replace(f"{tmp_path}/", "") == (
        "cut.json, line 12\n"
        "  found:    the file ends inside an object that begins on line 1\n"
        "  expected: whole JSON objects\n"
        "  next:     copy the file again, or delete what is no whole object"
    )


def test_another_kind_of_json(tmp_path: Path) -> None:
    assert refused(tmp_path, {"data": {"result": []}}) == (
        "runs.json, line 1: output_throughput\n"
        "  found:    none, nor total_output_tokens with duration\n"
        "  expected: output tokens a second\n"
        "  next:     give the file of a benchmark of text generation"
    )


@pytest.mark.parametrize("empty", ["", "[]", "\n"])
def test_an_empty_file(tmp_path: Path, empty: str) -> None:
    path = tmp_path / "empty.json"
    path.write_text(empty)
    with pytest.raises(ReadingError, match="no run of a benchmark"):
        vllm.read([path], ON_FOUR)


@pytest.mark.parametrize(
    ("change", "warning"),
    [
        (
            {"output_throughput": 4000.0},
            "the file says 4,000 output tokens/s, but total_output_tokens over duration come to "
            "800; not written",
        ),
        (
            {"total_token_throughput": 5000.0},
            "the file says 800 output tokens/s, but total_token_throughput without the input come "
            "to 1,800; not written",
        ),
        (
            # 32 x 256 / (0.412 + 255 x 0.0775) = 406.057
            {"mean_tpot_ms": 77.5},
            "32 requests in flight with a mean TPOT of 77.5 ms write 406.057 output tokens/s at "
            "most, but the file says 800; not written",
        ),
    ],
    ids=["rate of input and output", "sum", "time of a token"],
)
def test_figures_that_contradict_each_other(
    tmp_path: Path, change: dict[str, float], warning: str
) -> None:
    reading = read(tmp_path, {**BASE, **change})
    assert reading.entries == ()
    assert f"runs.json: {warning}" in reading.warnings


@pytest.mark.parametrize("rate", [799.99, 800.004, 804.0])
def test_figures_that_are_rounded(tmp_path: Path, rate: float) -> None:
    reading = read(tmp_path, {**BASE, "output_throughput": rate})
    assert (len(reading.entries), reading.warnings) == (1, ())


@pytest.mark.parametrize("rate", [790.0, 812.0])
def test_figures_that_differ_by_more_than_rounding(tmp_path: Path, rate: float) -> None:
    assert read(tmp_path, {**BASE, "output_throughput": rate}).entries == ()


@pytest.mark.parametrize(
    ("failed", "prompts", "text"),
    [
        (80, 400, "80 of 400 requests failed, 20.0%"),
        (None, 400, "80 of 400 requests failed, 20.0%"),
    ],
)
def test_requests_that_failed(tmp_path: Path, failed: int | None, prompts: int, text: str) -> None:
    reading = read(tmp_path, {**BASE, "failed": failed, "num_prompts": prompts})
    assert len(reading.entries) == 1
    assert reading.warnings == (f"runs.json: {text}: they took time and gave no tokens",)


def test_most_requests_failed(tmp_path: Path) -> None:
    reading = read(tmp_path, {**BASE, "failed": 480, "num_prompts": 800})
    assert reading.entries == ()
    assert reading.warnings == (
        "runs.json: 480 of 800 requests failed, 60.0%: they took time and gave no tokens; "
        "not written",
    )


def test_requests_that_came_no_faster_than_they_were_answered(tmp_path: Path) -> None:
    # 320 requests in 102.4 s are 3.125 a second
    slow = read(tmp_path, {**BASE, "request_rate": 3.2})
    assert slow.warnings == (
        "runs.json: requests came at 3.2 a second and 3.125 a second were answered: the cards may "
        "do more than they were asked",
    )
    assert len(slow.entries) == 1
    for rate in (8.0, "inf", float("inf"), None):
        assert read(tmp_path, {**BASE, "request_rate": rate}).warnings == ()


def test_recognised_by_content_alone() -> None:
    for path in FILES.iterdir():
        assert vllm.recognises(Head(Path("any"), path.read_text()[:65536])), path


@pytest.mark.parametrize(
    "text",
    [
        '{"requests_per_second": 3.1, "tokens_per_second": 800, "elapsed_time": 10}',
        '{"object": "list", "data": [{"model": "x", "total_output_tokens": 3}]}',
        '{"completed": 1, "request_throughput": 1.0, "output_throughput": 3.0}',
        '{"output_token_throughput": {"avg": 1}, "request_throughput": {"avg": 1}}',
        "model_id,output_throughput,duration\na,1,2\n",
    ],
)
def test_other_files_are_not_taken(text: str) -> None:
    assert not vllm.recognises(Head(Path("vllm.json"), text))


# ------------------------------------------------------------------ lengths in the file's name


def named(folder: Path, name: str, produced: int, **more: object) -> Reading:
    """A run of 320 requests of so many output tokens each, in 102.4 s."""
    path = folder / name
    tokens = 320 * produced
    figures = {
        "total_output_tokens": tokens,
        "output_throughput": tokens / 102.4,
        "total_token_throughput": (tokens + 327_680) / 102.4,
        "mean_tpot_ms": None,
    }
    path.write_text(json.dumps({**BASE, **figures, **more}))
    return vllm.read([path], ON_FOUR)


@pytest.mark.parametrize(
    "name",
    [
        "glm5_fp8_vllm_tp8_isl1024_osl512_conc16.json",
        "OSL-512.json",
        "osl_512-20260213.json",
        "osl=512.json",
        "a-random-output-len-512.json",
        "output_length512.json",
        "output-tokens-512.json",
        "in1024_out512.json",
        "input1024-output512.json",
        "1024in_512out.json",
    ],
)
def test_a_length_that_only_the_name_tells(name: str, tmp_path: Path) -> None:
    reading = named(tmp_path, name, 43)
    # 320 x 43 = 13,760 of 320 x 512 = 163,840, that is 43 / 512 = 8.4 %
    assert reading.warnings == (
        f"{name}: 43 output tokens a request produced, but its name says 512, 13,760 of 163,840 in "
        "all (8.4%); let the server ignore the end of a text (--ignore-eos); not written",
    )
    assert reading.entries == ()


@pytest.mark.parametrize(
    ("name", "produced", "flagged", "written"),
    [
        ("osl512.json", 512, False, True),
        # drawn evenly from 0.8 to 1 of 512, in the mean 0.9: 461
        ("osl512.json", 461, False, True),
        ("osl512.json", 436, False, True),  # 0.852
        ("osl512.json", 435, True, True),  # 0.8496
        ("osl512.json", 256, True, True),
        ("osl512.json", 255, True, False),
        ("osl1k.json", 1_000, False, True),
        ("osl1k.json", 499, True, False),
    ],
)
def test_how_far_a_run_may_be_from_its_name(
    name: str, produced: int, flagged: bool, written: bool, tmp_path: Path
) -> None:
    reading = named(tmp_path, name, produced)
    assert any("its name says" in text for text in reading.warnings) is flagged
    assert bool(reading.entries) is written


@pytest.mark.parametrize(
    "name",
    [
        "run.json",
        "out512.json",
        "output_512.json",
        "osl512_osl1024.json",
        "osl0.json",
        "osl1.5.json",
        "isl512_conc16.json",
        "1k8k.json",
        "consol512.json",
    ],
)
def test_names_that_tell_no_length(name: str, tmp_path: Path) -> None:
    assert named(tmp_path, name, 43).warnings == ()


def test_the_file_is_believed_before_its_name(tmp_path: Path) -> None:
    reading = named(tmp_path, "osl512.json", 43, random_output_len=43)
    assert (reading.warnings, len(reading.entries)) == ((), 1)
