"""What is checked of every benchmark, and which runs become points of a card."""

from dataclasses import replace
from pathlib import Path

import pytest

from tco.readings.benchmarks import genai_perf, llama_bench, sglang, vllm
from tco.readings.benchmarks.throughput import Doubt, Run, reading_of
from tco.readings.reading import Asked, Head, Reading, ReadingError

ONE = Asked(gpu="h100-sxm", gpus=1)
# one H100 writes 10 x 3,350/16 = 2,093.75 tokens/s of 8 billion parameters in 16 bits at 10 in
# flight, and calculates 989e12/16e9 = 61,812.5 tokens a second
RUN = Run(
    file="a.json",
    line=None,
    engine="engine",
    output_rate=1000.0,
    model="meta-llama/Llama-3.1-8B-Instruct-BF16",
    input_length=1000.0,
    output_length=500.0,
    concurrency=10.0,
    duration=60.0,
    completed=120.0,
)


def read(tmp_path: Path, *runs: Run, asked: Asked = ONE) -> Reading:
    path = tmp_path / "a.json"
    path.touch()
    return reading_of("benchmark", [path], asked, runs)


def warnings_of(tmp_path: Path, run: Run, asked: Asked = ONE) -> list[str]:
    return [text.removeprefix("a.json: ") for text in read(tmp_path, run, asked=asked).warnings]


def test_a_run_that_nothing_speaks_against(tmp_path: Path) -> None:
    reading = read(tmp_path, RUN)
    assert (len(reading.entries), reading.warnings, reading.remarks) == (1, (), ())
    assert reading.entries[0].shown == "1,000 tokens/s on 1 GPU"


@pytest.mark.parametrize(
    ("asked", "produced", "requests", "text", "written"),
    [
        (
            1024,
            1.0,
            160,
            "1 output token a request produced of 1,024 asked, 160 of 163,840 in all (0.1%)",
            False,
        ),
        (
            512,
            43.0,
            100,
            "43 output tokens a request produced of 512 asked, 4,300 of 51,200 in all (8.4%)",
            False,
        ),
        (
            1024,
            123_383 / 160,
            160,
            "771.144 output tokens a request produced of 1,024 asked, "
            "123,383 of 163,840 in all (75.3%)",
            True,
        ),
        (
            1000,
            499.0,
            100,
            "499 output tokens a request produced of 1,000 asked, 49,900 of 100,000 in all (49.9%)",
            False,
        ),
        (
            1000,
            500.0,
            100,
            "500 output tokens a request produced of 1,000 asked, 50,000 of 100,000 in all (50.0%)",
            True,
        ),
    ],
)
def test_less_produced_than_asked(
    tmp_path: Path, asked: float, produced: float, requests: float, text: str, written: bool
) -> None:
    run = replace(RUN, asked_output=asked, output_length=produced, completed=requests)
    reading = read(tmp_path, run)
    ends = "; let the server ignore the end of a text (--ignore-eos)"
    assert reading.warnings[0] == f"a.json: {text}{ends}{'' if written else '; not written'}"
    assert bool(reading.entries) is written


@pytest.mark.parametrize("produced", [950.0, 1000.0, 1010.0])
def test_as_much_produced_as_asked(tmp_path: Path, produced: float) -> None:
    run = replace(RUN, asked_output=1000.0, output_length=produced)
    assert warnings_of(tmp_path, run) == []


@pytest.mark.parametrize("asked", [None, 1.0])
def test_about_one_token_is_no_writing(tmp_path: Path, asked: float | None) -> None:
    run = replace(RUN, output_rate=2.0, output_length=1.0, asked_output=asked)
    assert warnings_of(tmp_path, run) == [
        "1 output token a request: it measured the reading of prompts, not the writing; not written"
    ]


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (
            4.9,
            "it lasted 4.9 s for 120 requests: too short to be a steady state, under 5 s; "
            "measure for a few minutes; not written",
        ),
        (5.0, "it lasted 5 s for 120 requests, under 30 s: short for a steady state"),
        (29.0, "it lasted 29 s for 120 requests, under 30 s: short for a steady state"),
    ],
)
def test_short_runs(tmp_path: Path, duration: float, text: str) -> None:
    reading = read(tmp_path, replace(RUN, duration=duration))
    assert reading.warnings == (f"a.json: {text}",)
    assert bool(reading.entries) is (duration >= 5)


def test_few_requests_for_those_in_flight(tmp_path: Path) -> None:
    assert warnings_of(tmp_path, replace(RUN, completed=29.0)) == [
        "29 requests with 10 in flight: filling and emptying are much of the run; send at least 3 "
        "times as many as are in flight"
    ]


@pytest.mark.parametrize(("rate", "written"), [(2093.0, True), (2190.0, True), (2200.0, False)])
def test_the_bound_of_memory(tmp_path: Path, rate: float, written: bool) -> None:
    reading = read(tmp_path, replace(RUN, output_rate=rate))
    assert bool(reading.entries) is written
    if rate < 2093.75:
        assert reading.warnings == ()
    else:
        end = "" if written else "; not written"
        assert reading.warnings == (
            f"a.json: {rate:,.0f} output tokens/s are above what the memory bandwidth of H100 SXM "
            "(Llama 3.1 8B, 8B parameters a token, 16 bits) allows with 10 requests in flight, "
            "2,093.75; speculative decoding would explain it, but the file tells of none" + end,
        )


def test_all_requests_bound_those_in_flight(tmp_path: Path) -> None:
    run = replace(RUN, output_rate=2200.0, concurrency=None, most_in_flight=10.0)
    assert read(tmp_path, run).entries == ()


@pytest.mark.parametrize(
    ("rate", "lengths", "text"),
    [
        # 61,812.5 tokens a second, of which a third are written
        (
            22_000.0,
            (1000.0, 500.0),
            " with 2 input tokens for each, 20,604.2: the prompts came "
            "from a cache, or were not read",
        ),
        (66_000.0, (1000.0, 500.0), ", 61,812.5"),
        (66_000.0, (0.0, 500.0), ", 61,812.5"),
    ],
)
def test_the_bound_of_arithmetic(
    tmp_path: Path, rate: float, lengths: tuple[float, float], text: str
) -> None:
    run = replace(
        RUN, output_rate=rate, input_length=lengths[0], output_length=lengths[1], concurrency=1000.0
    )
    run = replace(run, completed=10_000.0)
    assert warnings_of(tmp_path, run) == [
        f"{rate:,.0f} output tokens/s are above what the arithmetic of H100 SXM (Llama 3.1 8B, 8B "
        f"parameters a token, 16 bits) allows{text}; not written"
    ]


def test_a_size_by_a_name_that_may_be_a_mixture(tmp_path: Path) -> None:
    # 120 billion in 4 bits are 60 GB, read 55.8 times a second; a token reads 5 of them
    run = replace(RUN, model="openai/gpt-oss-120b", output_rate=200.0, concurrency=1.0)
    reading = read(tmp_path, run)
    assert len(reading.entries) == 1
    assert reading.warnings == (
        "a.json: 200 output tokens/s are above what the memory bandwidth of H100 SXM (120B "
        "parameters a token and 4 bits at least, by its name) allows with 1 request in flight, "
        "55.8333; speculative decoding would explain it, but the file tells of none; a mixture of "
        "experts that reads less may reach it",
    )


@pytest.mark.parametrize(
    ("asked", "model", "unknown"),
    [
        (Asked(gpu="rtx-4080", gpus=1), RUN.model, "the speed of rtx-4080"),
        (ONE, "zai-org/GLM-5-FP8", "the parameters of zai-org/GLM-5-FP8"),
        (ONE, None, "the model"),
    ],
)
def test_bounds_that_are_not_known_are_said(
    tmp_path: Path, asked: Asked, model: str | None, unknown: str
) -> None:
    reading = read(tmp_path, replace(RUN, model=model, output_rate=1e6), asked=asked)
    assert len(reading.entries) == 1
    assert reading.remarks == (
        f"not held against the most the card can do, not known here: {unknown}",
    )


def test_runs_of_two_models(tmp_path: Path) -> None:
    reading = read(tmp_path, RUN, replace(RUN, model="Qwen/Qwen2.5-7B-Instruct"))
    assert reading.entries == ()
    assert reading.warnings == (
        "no throughput of h100-sxm is written: the runs are of 2 models, "
        "Qwen/Qwen2.5-7B-Instruct, meta-llama/Llama-3.1-8B-Instruct-BF16, and a card has the "
        "throughput of one; give the files of one",
    )
    assert reading.tables[0].title == "Runs"
    assert [row[1] for row in reading.tables[0].rows] == [
        "model",
        "meta-llama/Llama-3.1-8B-Instruct-BF16",
        "Qwen/Qwen2.5-7B-Instruct",
    ]


def test_every_mix_is_a_point(tmp_path: Path) -> None:
    # a token written takes 0.5 ms and one read 0.1 ms: 1/(0.5 + 2 x 0.1) and 1/(0.5 + 8 x 0.1)
    short = replace(RUN, output_rate=1 / 0.7e-3)
    long = replace(RUN, output_rate=1 / 1.3e-3, input_length=4000.0)
    reading = read(tmp_path, long, short)
    assert [entry.content["input_length"] for entry in reading.entries] == [1000, 4000]
    assert (reading.warnings, reading.remarks) == ((), ())


@pytest.mark.parametrize(
    "rates",
    [(1000.0, 1100.0), (1000.0, 100.0)],
    ids=["reading gains time", "writing takes none"],
)
def test_mixes_that_no_speeds_explain(tmp_path: Path, rates: tuple[float, float]) -> None:
    short = replace(RUN, output_rate=rates[0])
    long = replace(RUN, output_rate=rates[1], input_length=4000.0)
    reading = read(tmp_path, short, long)
    assert reading.entries == ()
    assert reading.warnings == (
        "no throughput of h100-sxm is written: no speed of reading and of writing explains its "
        "mixes of input and output together; measure them at the same load, or give the files of "
        "the mix that is nearest to your demand",
    )


def test_lengths_that_differ_little_are_one_mix(tmp_path: Path) -> None:
    reading = read(tmp_path, RUN, replace(RUN, input_length=1090.0, output_rate=990.0))
    assert len(reading.entries) == 1
    assert reading.remarks == (
        "of 2 runs with about 2 input tokens for each output token the one with 10 in flight is "
        "taken, 1,000 output tokens/s: the least load within 5% of the highest rate, 1,000; give "
        "one file alone to take another",
    )


@pytest.mark.parametrize(
    ("loads", "rates", "taken"),
    [
        ((1, 10, 20), (100.0, 900.0, 1000.0), 20),
        ((1, 10, 20), (100.0, 950.0, 1000.0), 10),
        ((1, 10, 20), (100.0, 1000.0, 900.0), 10),
        ((10, 10, 10), (900.0, 1000.0, 990.0), 10),
    ],
)
def test_the_least_load_that_writes_nearly_as_much(
    tmp_path: Path, loads: tuple[int, ...], rates: tuple[float, ...], taken: int
) -> None:
    runs = [
        replace(RUN, concurrency=float(load), output_rate=rate)
        for load, rate in zip(loads, rates, strict=True)
    ]
    (entry,) = read(tmp_path, *runs).entries
    assert entry.content["concurrency"] == taken
    if len(set(loads)) == 1:
        assert entry.content["output_rate"] == {"value": max(rates)}


def test_a_run_that_is_refused_is_not_chosen(tmp_path: Path) -> None:
    fastest = replace(RUN, output_rate=1500.0, duration=2.0)
    (entry,) = read(tmp_path, RUN, fastest).entries
    assert entry.content["output_rate"] == {"value": 1000.0}


def test_a_doubt_of_the_reader_is_said(tmp_path: Path) -> None:
    reading = read(tmp_path, replace(RUN, doubts=(Doubt("the processor did it", stops=True),)))
    assert reading.entries == ()
    assert reading.warnings == ("a.json: the processor did it; not written",)


def test_files_of_the_same_name_are_told_by_their_folders(tmp_path: Path) -> None:
    runs = [replace(RUN, file=f"{folder}/a.json") for folder in ("one", "two")]
    shown = [row[0] for row in read(tmp_path, *runs).tables[0].rows[1:]]
    assert shown == ["one/a.json", "two/a.json"]


def test_no_run_at_all(tmp_path: Path) -> None:
    with pytest.raises(ReadingError) as error:
        read(tmp_path)
    assert str(error.value).replace(f"{tmp_path}/", "") == (
        "a.json\n"
        "  found:    no run of a benchmark\n"
        "  expected: at least one\n"
        "  next:     give the file that the benchmark wrote"
    )


@pytest.mark.parametrize("kind", ["vllm", "sglang", "genai_perf", "llama_bench"])
def test_no_other_benchmark_takes_the_file(kind: str) -> None:
    readers = {"vllm": vllm, "sglang": sglang, "genai_perf": genai_perf, "llama_bench": llama_bench}
    files = sorted((Path(__file__).parent / "files" / kind).iterdir())
    assert files
    for path in files:
        head = Head(Path("any"), path.read_text(encoding="utf-8-sig")[:65536])
        assert [name for name, reader in readers.items() if reader.recognises(head)] == [kind]
