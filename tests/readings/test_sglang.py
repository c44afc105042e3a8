"""Runs of ``sglang.bench_serving``: JSON lines, of which some hold no run."""

import json
from pathlib import Path
from typing import Any

import pytest

from tco.readings.benchmarks import sglang, vllm
from tco.readings.reading import Asked, Head, Reading, ReadingError

FILES = Path(__file__).parent / "files" / "sglang"
ON_TWO = Asked(gpu="h100-sxm", gpus=2)
BASE: dict[str, Any] = json.loads((FILES / "appended.jsonl").read_text().splitlines()[1])


def read(tmp_path: Path, *runs: dict[str, Any], asked: Asked = ON_TWO) -> Reading:
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, runs)))
    return sglang.read([path], asked)


def test_the_lines_that_hold_runs() -> None:
    reading = sglang.read([FILES / "appended.jsonl"], ON_TWO)
    (entry,) = reading.entries
    # 80,000 output tokens in 80 s; total_throughput, 3,000, counts the input
    assert entry.content["output_rate"] == {"value": 80_000 / 80.0} == {"value": 1000.0}
    assert {key: value for key, value in entry.content.items() if key != "output_rate"} == {
        "gpus": 2,
        "input_length": 1000,
        "output_length": 500,
        "concurrency": 16,
        "source": "SGLang bench_serving",
    }
    assert entry.shown == "1,000 tokens/s on 2 GPUs, 500 each"
    assert reading.used == 1
    assert [(left.why, left.rows, left.first_line) for left in reading.dropped] == [
        ("no JSON: expecting property name enclosed in double quotes at column 2", 1, 1),
        ("the file ends inside an object that begins on line 5", 1, 5),
        ("completed: 0 requests", 1, 3),
        ("output_throughput: none, nor total_output_tokens with duration", 1, 4),
    ]
    assert list(reading.tables[1].rows[1])[1:] == [
        *("150 ms", "640 ms", "15.5 ms", "17 ms", "7.9 s", "-"),
    ]


def test_no_line_holds_a_run(tmp_path: Path) -> None:
    nothing = {**BASE, "completed": 0}
    with pytest.raises(ReadingError) as error:
        read(tmp_path, nothing, nothing)
    assert str(error.value).replace(f"{tmp_path}/", "") == (
        "runs.jsonl, line 1: completed\n"
        "  found:    0 requests\n"
        "  expected: a run that answered requests\n"
        "  next:     look into its log for why all failed, and measure again"
    )


def test_lengths_by_the_rates_where_tokens_are_not_told(tmp_path: Path) -> None:
    run = {
        "completed": 160,
        "request_throughput": 2.0,
        "input_throughput": 2000.0,
        "output_throughput": 1000.0,
        "total_throughput": 3000.0,
    }
    reading = read(tmp_path, run)
    (entry,) = reading.entries
    # 2,000 and 1,000 tokens a second over 2 requests a second
    assert (entry.content["input_length"], entry.content["output_length"]) == (1000, 500)
    assert reading.warnings == ()


def test_the_mean_in_flight_where_no_limit_was_set(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, {**BASE, "max_concurrency": None}).entries
    assert entry.content["concurrency"] == 15.8


def test_what_a_newer_file_tells_of_the_server(tmp_path: Path) -> None:
    server = {"model_path": "Qwen/Qwen2.5-72B-Instruct", "tp_size": 4, "version": "0.5.6"}
    reading = read(tmp_path, {**BASE, "server_info": server}, asked=Asked(gpu="h100-sxm"))
    (entry,) = reading.entries
    assert entry.content["source"] == "Qwen/Qwen2.5-72B-Instruct, SGLang bench_serving 0.5.6"
    assert (entry.content["gpus"], entry.content["tensor_parallel"]) == (4, 4)


@pytest.mark.parametrize(
    ("backend", "source"),
    [
        ("sglang", "SGLang bench_serving"),
        ("sglang-oai", "SGLang bench_serving"),
        ("vllm", "SGLang bench_serving of vllm"),
    ],
)
def test_the_server_may_be_another(tmp_path: Path, backend: str, source: str) -> None:
    (entry,) = read(tmp_path, {**BASE, "backend": backend}).entries
    assert entry.content["source"] == source


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ({"random_range_ratio": 1.0}, "1,000"),
        # lengths are drawn evenly from 1 to 1,000, or from 500 to 1,000
        ({"random_range_ratio": 0.0}, "500.5"),
        ({"random_range_ratio": 0.5}, "750"),
        ({"dataset_name": None}, "1,000"),
        ({"dataset_name": "random-ids"}, "1,000"),
        # the options are written with any data set
        ({"dataset_name": "sharegpt"}, None),
        ({"dataset_name": "sharegpt", "sharegpt_output_len": 1000}, "1,000"),
    ],
)
def test_the_length_that_was_asked(
    tmp_path: Path, options: dict[str, Any], asked: str | None
) -> None:
    short = {
        **BASE,
        "random_output_len": 1000,
        "random_range_ratio": 1.0,
        "total_output_tokens": 160 * 450,
        "output_throughput": 900.0,
        "total_throughput": 2900.0,
        **options,
    }
    reading = read(tmp_path, short)
    if asked is None:
        assert reading.warnings == ()
        return
    (warning,) = reading.warnings
    assert warning.startswith(
        f"runs.jsonl: 450 output tokens a request produced of {asked} asked, 72,000 of "
    )


def test_a_rate_that_is_that_of_input_and_output(tmp_path: Path) -> None:
    wrong = {**BASE, "total_output_tokens": None, "output_throughput": 3000.0}
    reading = read(tmp_path, wrong)
    assert reading.entries == ()
    assert (
        "runs.jsonl: the file says 3,000 output tokens/s, but total_throughput without the input "
        "come to 1,000; not written"
    ) in reading.warnings


def test_tokens_of_a_step_with_speculative_decoding(tmp_path: Path) -> None:
    # one request of Llama 3 70B in 16 bits on one H100 writes 3,350/140 = 23.9 tokens/s at most
    slow = {
        **BASE,
        "model": "meta-llama/Llama-3-70B-BF16",
        "max_concurrency": 1,
        "random_output_len": None,
        "completed": 20,
        "total_input_tokens": 20_000,
        "total_output_tokens": 4_000,
        "duration": 80.0,
        "request_throughput": 0.25,
        "output_throughput": 50.0,
        "input_throughput": 250.0,
        "total_throughput": 300.0,
        "mean_tpot_ms": 18.0,
    }
    one = Asked(gpu="h100-sxm", gpus=1)
    reading = read(tmp_path, slow, asked=one)
    assert reading.entries == ()
    assert reading.warnings == (
        "runs.jsonl: 50 output tokens/s are above what the memory bandwidth of H100 SXM (Llama 3 "
        "70B, 70B parameters a token, 16 bits) allows with 1 request in flight, 23.9286; "
        "speculative decoding would explain it, but the file tells of none; not written",
    )
    (entry,) = read(tmp_path, {**slow, "accept_length": 2.5}, asked=one).entries
    assert entry.content["output_rate"] == {"value": 50.0}


@pytest.mark.parametrize(
    "text",
    [
        (FILES / "appended.jsonl").read_text(),
        "Running benchmark\n" + json.dumps(BASE),
        json.dumps({"completed": 3, "request_throughput": 2.5, "mean_ttft_ms": 1.0}),
    ],
    ids=["invalid line first", "text first", "few keys"],
)
def test_recognised_by_content_alone(text: str) -> None:
    assert sglang.recognises(Head(Path("any"), text))


@pytest.mark.parametrize(
    "text",
    [
        (FILES.parent / "vllm" / "bench_serve.json").read_text(),
        (FILES.parent / "vllm" / "appended.json").read_text(),
        '{"output_token_throughput": {"avg": 1}, "request_throughput": {"avg": 1}}',
        '{"id": "x", "completed": true}',
        "completed,request_throughput\n1,2\n",
        "",
    ],
)
def test_other_files_are_not_taken(text: str) -> None:
    head = Head(Path("sglang.jsonl"), text)
    assert not sglang.recognises(head)
    assert not (sglang.recognises(head) and vllm.recognises(head))
