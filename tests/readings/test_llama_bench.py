"""Tests of ``llama-bench``: reading and writing of one stream, put together into points."""

import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tco.readings.benchmarks import llama_bench
from tco.readings.reading import Asked, Head, Reading, ReadingError

FILES = Path(__file__).parent / "files" / "llama_bench"
ROWS: list[dict[str, Any]] = json.loads((FILES / "llama_bench.json").read_text())
PROMPT, WRITE = ROWS


def read(tmp_path: Path, *rows: dict[str, Any], asked: Asked | None = None) -> Reading:
    path = tmp_path / "bench.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return llama_bench.read([path], asked or Asked())


def refused(tmp_path: Path, *rows: dict[str, Any], asked: Asked | None = None) -> str:
    with pytest.raises(ReadingError) as error:
        read(tmp_path, *rows, asked=asked)
    return str(error.value).replace(f"{tmp_path}/", "")


@pytest.mark.parametrize("name", ["llama_bench.csv", "llama_bench.json"])
def test_reading_and_writing_are_one_point(name: str) -> None:
    reading = llama_bench.read([FILES / name], Asked())
    (entry,) = reading.entries
    # 512 tokens at 8,000 a second, then 128 at 128: 0.064 s + 1 s
    assert entry.content == {
        "output_rate": {"value": pytest.approx(128 / (512 / 8000 + 128 / 128), rel=1e-5)},
        "gpus": 1,
        "input_length": 512,
        "output_length": 128,
        "concurrency": 1,
        "tensor_parallel": 1,
        "source": "Qwen2.5-7B-Instruct-Q4_K_M.gguf, llama-bench 0a1b2c3d",
    }
    # the same by time for each output token, 1/tg + (n_prompt/n_gen)/pp
    assert entry.content["output_rate"]["value"] == pytest.approx(
        1 / (1 / 128 + 4 / 8000), rel=1e-5
    )
    assert entry.subject == "rtx-4090"
    assert entry.day == date(2026, 4, 24)
    assert entry.note == (
        "prompt 8,000 ± 112.5 tokens/s (pp512), generation 128 ± 0.512 tokens/s (tg128)"
    )
    assert (reading.used, reading.rows_are, reading.warnings) == (2, "tests", ())
    assert reading.remarks == (
        "a request of n_prompt and n_gen tokens takes n_prompt/pp + n_gen/tg seconds: the rows pp "
        "and tg of one setting are one point",
        "one stream, concurrency 1: a server that answers many at the same time writes more",
    )


def test_columns_in_any_order_and_saved_by_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "bench.csv"
    columns = ["avg_ts", "n_gen", "gpu_info", "n_prompt", "stddev_ts"]
    cells = [["8000,25", "0", "NVIDIA GeForce RTX 4090", "512", "12,5"]]
    cells += [["128,5", "128", "NVIDIA GeForce RTX 4090", "0", "0,25"]]
    path.write_text("\ufeff" + "\n".join(";".join(row) for row in [columns, *cells]))
    (entry,) = llama_bench.read([path], Asked()).entries
    expected = 128 / (512 / 8000.25 + 128 / 128.5)
    assert entry.content["output_rate"]["value"] == pytest.approx(expected, rel=1e-5)


def test_writing_alone(tmp_path: Path) -> None:
    reading = read(tmp_path, WRITE)
    (entry,) = reading.entries
    assert entry.content["output_rate"] == {"value": 128.0}
    assert (entry.content["input_length"], entry.content["concurrency"]) == (0, 1)
    assert entry.note == "generation 128 ± 0.512 tokens/s (tg128), without a prompt"


def test_a_row_of_both_counts_both(tmp_path: Path) -> None:
    # 512 read and 128 written in 1.064 s are 601.5 tokens a second, of which 120.3 are output
    both = {
        **PROMPT,
        "n_gen": 128,
        "avg_ns": 1_064_000_000,
        "avg_ts": 640 / 1.064,
        "stddev_ts": 1.5,
    }
    (entry,) = read(tmp_path, both).entries
    assert entry.content["output_rate"]["value"] == pytest.approx(128 / 1.064, rel=1e-5)
    assert (entry.content["input_length"], entry.content["output_length"]) == (512, 128)
    assert entry.note == ("601.504 ± 1.5 tokens/s of input and output together (pp512+tg128)")


def test_reading_alone_is_no_point(tmp_path: Path) -> None:
    assert refused(tmp_path, PROMPT) == (
        "bench.jsonl, line 1: n_gen\n"
        "  found:    rows that read only (pp), n_gen 0\n"
        "  expected: a row that writes (tg)\n"
        "  next:     run llama-bench with  -n 128  as well"
    )


def test_rows_of_other_settings_are_not_put_together(tmp_path: Path) -> None:
    reading = read(tmp_path, {**PROMPT, "flash_attn": "1"}, WRITE)
    (entry,) = reading.entries
    assert entry.content["output_rate"] == {"value": 128.0}
    assert reading.remarks[2:] == (
        "1 row pp without a row tg of the same setting gave no point",
        "2 settings of llama-bench",
    )


def test_every_prompt_with_every_answer(tmp_path: Path) -> None:
    longer = {**PROMPT, "n_prompt": 2048, "avg_ts": 7680.0, "avg_ns": 2048 / 7680 * 1e9}
    reading = read(tmp_path, PROMPT, longer, WRITE)
    found = {
        (entry.content["input_length"], entry.content["output_rate"]["value"])
        for entry in reading.entries
    }
    assert found == {
        (512, float(f"{128 / (512 / 8000 + 1):.6g}")),
        (2048, float(f"{128 / (2048 / 7680 + 1):.6g}")),
    }


def test_a_rate_that_its_time_does_not_give(tmp_path: Path) -> None:
    reading = read(tmp_path, {**WRITE, "avg_ns": 2_000_000_000})
    assert reading.entries == ()
    assert reading.warnings == (
        "bench.jsonl, line 1: the file says 128 output tokens/s, but the tokens and avg_ns of line "
        "1 come to 64; not written",
    )
    # the prompt says 8,000 tokens a second, and 512 in 0.128 s
    reading = read(tmp_path, {**PROMPT, "avg_ns": 128_000_000}, WRITE)
    assert reading.entries == ()
    assert "but the tokens and avg_ns of line 1 come to" in reading.warnings[0]


def test_the_mean_of_uneven_rates_is_above_the_rate_of_the_mean_time(tmp_path: Path) -> None:
    # 160 and 106.67 tokens/s, 128 tokens in 0.8 s and in 1.2 s: 133.3 on average, and 128 by time
    uneven = {**WRITE, "avg_ts": (160 + 128 / 1.2) / 2, "stddev_ts": 37.7}
    (entry,) = read(tmp_path, uneven).entries
    assert entry.content["output_rate"] == {"value": 133.333}


def test_a_head_with_one_name_too_many_that_nothing_rests_on() -> None:
    # the columns that are read stand left and right of those in doubt, and nowhere else
    reading = llama_bench.read([FILES / "one_cell_too_few.csv"], Asked())
    whole = llama_bench.read([FILES / "llama_bench.csv"], Asked())
    assert [entry.content for entry in reading.entries] == [e.content for e in whole.entries]
    assert reading.dropped == ()
    assert reading.used == whole.used
    assert reading.remarks[0] == (
        "the head has 42 names and the rows have 41 cells: about use_mmap, about use_direct_io, "
        "about embeddings, about no_op_offload, about no_host, about repack, about fit_target are "
        "not read, the others stand where they are under any of them"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("avg_ns", "; the cell that is missing is likely that of avg_ns"),
        (
            "gpu_info",
            "; the cell that is missing is likely that of one of cpu_info, gpu_info, backends, "
            "model_filename, model_type",
        ),
    ],
)
def test_the_name_without_a_cell(tmp_path: Path, name: str, said: str) -> None:
    head, *rows = csv.reader(io.StringIO((FILES / "llama_bench.csv").read_text()))
    place = head.index(name)
    path = tmp_path / "bench.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([head, *([*row[:place], *row[place + 1 :]] for row in rows)])
    with pytest.raises(ReadingError) as error:
        llama_bench.read([path], Asked())
    assert error.value.found == f"41 cells under 42 names{said}"


@pytest.mark.parametrize(
    ("change", "gpus"),
    [
        ({"gpu_info": "NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 4090"}, 2),
        ({"gpu_info": "NVIDIA GeForce RTX 4090,NVIDIA GeForce RTX 4090"}, 2),
        ({"gpu_info": "NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 4090", "split_mode": "none"}, 1),
        ({"gpu_info": "NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 4090", "devices": "CUDA1"}, 1),
        (
            {
                "gpu_info": ", ".join(["NVIDIA GeForce RTX 4090"] * 4),
                "devices": "CUDA0/CUDA1",
            },
            2,
        ),
    ],
)
def test_how_many_gpus(tmp_path: Path, change: dict[str, str], gpus: int) -> None:
    (entry,) = read(tmp_path, {**WRITE, **change}).entries
    assert (entry.content["gpus"], entry.content["tensor_parallel"]) == (gpus, gpus)


def test_gpus_of_two_kinds(tmp_path: Path) -> None:
    mixed = {**WRITE, "gpu_info": "NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 3090"}
    assert refused(tmp_path, mixed) == (
        "bench.jsonl, line 1: gpu_info\n"
        '  found:    "NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 3090"\n'
        "  expected: GPUs of one kind: the throughput of a card is of that card\n"
        "  next:     measure with GPUs of one kind (CUDA_VISIBLE_DEVICES)"
    )


@pytest.mark.parametrize(
    ("asked", "field", "found", "expected"),
    [
        (
            Asked(gpu="l40s"),
            "gpu",
            '"NVIDIA GeForce RTX 4090", which is rtx-4090',
            "the l40s of --gpu",
        ),
        (Asked(gpus=2), "gpus", "1 GPU", "the 2 of --gpus"),
    ],
)
def test_another_machine_than_the_file_tells(
    tmp_path: Path, asked: Asked, field: str, found: str, expected: str
) -> None:
    assert refused(tmp_path, WRITE, asked=asked) == (
        f"bench.jsonl, line 1: {field}\n"
        f"  found:    {found}\n"
        f"  expected: {expected}\n"
        "  next:     leave out what the file tells, or give the file of the other machine"
    )


@pytest.mark.parametrize("gpu", [None, "rtx-4090", "NVIDIA GeForce RTX 4090", "RTX_4090"])
def test_the_machine_that_the_file_tells(tmp_path: Path, gpu: str | None) -> None:
    (entry,) = read(tmp_path, WRITE, asked=Asked(gpu=gpu)).entries
    assert entry.subject == "rtx-4090"


def test_a_name_that_may_be_two_cards(tmp_path: Path) -> None:
    row = {**WRITE, "gpu_info": "NVIDIA H100"}
    reading = read(tmp_path, row)
    assert reading.entries == ()
    assert reading.warnings == (
        'no throughput is written: "NVIDIA H100" may be h100-pcie or h100-sxm; add '
        "--gpu h100-pcie or --gpu h100-sxm",
    )
    (entry,) = read(tmp_path, row, asked=Asked(gpu="h100-pcie")).entries
    assert entry.subject == "h100-pcie"


@pytest.mark.parametrize("change", [{"n_gpu_layers": 0}, {"backends": "CPU"}])
def test_the_processor_did_the_work(tmp_path: Path, change: dict[str, Any]) -> None:
    reading = read(tmp_path, {**WRITE, **change})
    assert reading.entries == ()
    assert reading.warnings == (
        "bench.jsonl, line 1: the processor did the work, not the GPU (n_gpu_layers, backends); "
        "not written",
    )


def test_above_the_memory_bandwidth(tmp_path: Path) -> None:
    # an RTX 4090 reads 1,008 GB/s, so 4.68 GB of weights at most 215.4 times a second
    fast = {**WRITE, "avg_ts": 300.0, "avg_ns": 128 / 300 * 1e9}
    reading = read(tmp_path, fast)
    assert reading.entries == ()
    assert reading.warnings == (
        "bench.jsonl, line 1: 300 output tokens/s are above what the memory bandwidth of RTX 4090 "
        "(4.68 GB of weights a token, by the file) allows with 1 request in flight, 215.385; "
        "speculative decoding would explain it, but the file tells of none; not written",
    )


@pytest.mark.parametrize(
    ("kind", "parameters", "size", "written"),
    [
        # 3B of 30.5B parameters a token: 18.6 GB / 30.5 x 3 = 1.83 GB, 551 tokens/s
        ("qwen3moe 30B.A3B Q4_K - Medium", 30.5e9, 18.6e9, True),
        # one expert of 8, 7B: 26.4 GB / 46.7 x 7 = 3.96 GB, 255 tokens/s
        ("llama 8x7B Q4_K - Medium", 46.7e9, 26.4e9, True),
        # all of it: 18.6 GB, 54 tokens/s
        ("qwen2 32B Q4_K - Medium", 32.8e9, 18.6e9, False),
        # whether this is a mixture the name does not say
        ("deepseek2 16B Q4_K - Medium", 15.7e9, 10.4e9, True),
    ],
)
def test_what_a_token_reads_of_a_mixture(
    tmp_path: Path, kind: str, parameters: float, size: float, written: bool
) -> None:
    fast = {**WRITE, "model_type": kind, "model_n_params": parameters, "model_size": size}
    reading = read(tmp_path, {**fast, "avg_ts": 200.0, "avg_ns": 128 / 200 * 1e9})
    assert bool(reading.entries) is written


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    for name in ("llama_bench.csv", "llama_bench.json"):
        path = tmp_path / name
        path.write_bytes((FILES / name).read_text().encode(encoding))
        assert len(llama_bench.read([path], Asked()).entries) == 1


def test_recognised_by_content_alone() -> None:
    for path in FILES.iterdir():
        assert llama_bench.recognises(Head(Path("any"), path.read_text())), path


@pytest.mark.parametrize(
    "text",
    [
        "n_prompt,n_gen,latency\n512,0,1\n",
        '{"n_prompt": 3, "n_gen": 4}',
        "| model | size | params | backend | test | t/s |\n",
        '{"completed": 1, "request_throughput": 1.0, "output_throughput": 3.0}',
    ],
)
def test_other_files_are_not_taken(text: str) -> None:
    assert not llama_bench.recognises(Head(Path("llama_bench.csv"), text))
