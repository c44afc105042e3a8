"""One run of a serving benchmark that keeps the keys of vLLM, as SGLang's does too."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Literal

from tco.readings.benchmarks import file_names
from tco.readings.benchmarks.throughput import Doubt, Latency, Rate, Run, Time
from tco.readings.reading import ReadingError
from tco.readings.texts.json_objects import Record

Engine = Literal["vLLM", "SGLang"]

_BENCHMARKS = {"vLLM": "vLLM bench serve", "SGLang": "SGLang bench_serving"}
_TIMES: Mapping[Time, tuple[str, ...]] = {
    "first token": ("ttft",),
    "token": ("tpot",),
    "request": ("e2el", "e2e_latency"),
}
_PARTS = ("mean", "median", "p99")


def serving_run(record: Record, engine: Engine, several: bool) -> Run:
    """The run of one record; ``several`` where its file holds others, so that its line is said.

    Raises `ReadingError` where it answered no request or has no output rate.
    """
    completed = record.number("completed")
    if completed == 0:
        prompts = record.number("num_prompts")
        raise _unusable(
            record,
            "completed",
            f"0 of {prompts:g} requests" if prompts else "0 requests",
            "a run that answered requests",
            "look into its log for why all failed, and measure again",
        )
    duration = record.number("duration")
    outputs = record.number("total_output_tokens", "total_output")
    inputs = record.number("total_input_tokens", "total_input")
    told = record.number("output_throughput")
    counted = outputs / duration if outputs is not None and duration else None
    rate = told if told is not None else counted
    if not rate:
        raise _unusable(
            record,
            "output_throughput",
            "0" if rate == 0 else "none, nor total_output_tokens with duration",
            "output tokens a second",
            "give the file of a benchmark of text generation",
        )
    requests = record.number("request_throughput")
    input_length = _length(inputs, completed, record.number("input_throughput"), requests)
    output_length = _length(outputs, completed, told, requests)
    lasted = duration or (completed / requests if completed and requests else None)
    times, in_ms = _times(record, lasted, output_length)
    concurrency = record.number("max_concurrency") or record.number("concurrency")
    offered = record.values.get("request_rate")
    server = record.within("server_info")
    return Run(
        file=record.file,
        line=record.line if several else None,
        engine=_engine(record, server, engine),
        output_rate=rate,
        model=record.text("model_id", "model", "model_path", "tokenizer_id")
        or server.text("model_path", "served_model_name"),
        input_length=input_length,
        output_length=output_length,
        concurrency=concurrency,
        most_in_flight=record.number("num_prompts") or completed,
        duration=lasted,
        completed=completed,
        failed=_failed(record, completed),
        offered=offered if isinstance(offered, int | float) and 0 < offered < 1e9 else None,
        asked_output=_asked_output(record, engine),
        named_output=file_names.output_length(record.file),
        also=tuple(_also(record, rate, counted, inputs, duration)),
        times=times,
        tokens_per_step=record.number("accept_length", "spec_decode_acceptance_length") or 1.0,
        tensor_parallel=_parallel(record, server),
        day=_day(record),
        doubts=tuple(map(Doubt, in_ms)),
        note=_note(record, completed, lasted, times),
    )


def _unusable(
    record: Record, field: str, found: str, expected: str, next_step: str
) -> ReadingError:
    return ReadingError(record.file, record.line, field, found, expected, next_step)


def _length(
    tokens: float | None,
    completed: float | None,
    tokens_rate: float | None,
    requests_rate: float | None,
) -> float | None:
    """Tokens of a request: those of all requests over their number, or the rates of both."""
    if tokens is not None and completed:
        return tokens / completed
    if tokens_rate is not None and requests_rate:
        return tokens_rate / requests_rate
    return None


def _failed(record: Record, completed: float | None) -> float:
    """Requests that failed; older files tell it only by what is missing of the prompts."""
    told = record.number("failed")
    if told is not None:
        return told
    prompts = record.number("num_prompts")
    return max(prompts - completed, 0.0) if prompts and completed else 0.0


def _asked_output(record: Record, engine: Engine) -> float | None:
    """Output tokens that were asked of a request, where the file tells it.

    SGLang writes its options whatever the data set was, so they count for random prompts only. It
    draws a length evenly from the range ratio times the length up to the length; vLLM draws it
    from as much below as above.
    """
    length = record.number("random_output_len", "output_len", "osl")
    data_set = record.text("dataset_name")
    if data_set is not None and not data_set.startswith("random"):
        return record.number("sharegpt_output_len")
    if length is None or engine == "vLLM":
        return length
    ratio = record.number("random_range_ratio")
    return length if ratio is None or ratio > 1 else (max(int(length * ratio), 1) + length) / 2


def _also(
    record: Record,
    rate: float,
    counted: float | None,
    inputs: float | None,
    duration: float | None,
) -> list[Rate]:
    """Output rates that other figures of the run come to."""
    also = []
    if counted is not None:
        also.append(Rate(counted, "total_output_tokens over duration"))
    together, name = record.number("total_token_throughput"), "total_token_throughput"
    if together is None:
        together, name = record.number("total_throughput"), "total_throughput"
    reading = record.number("input_throughput")
    if reading is None and inputs is not None and duration:
        reading = inputs / duration
    # of the little that is left of two large numbers nothing can be told
    if together is not None and reading is not None and rate > together / 20:
        also.append(Rate(max(together - reading, 0.0), f"{name} without the input"))
    return also


def _times(
    record: Record, duration: float | None, output_length: float | None
) -> tuple[dict[Time, Latency], tuple[str, ...]]:
    """The times in seconds; the keys tell their unit, and the length of the run if they can be."""
    in_ms: dict[Time, dict[str, float | None]] = {}
    bare: dict[Time, dict[str, float | None]] = {}
    for time, names in _TIMES.items():
        for found, ending in ((in_ms, "_ms"), (bare, "")):
            parts = {
                part: record.number(*(f"{part}_{name}{ending}" for name in names))
                for part in _PARTS
            }
            if any(value is not None for value in parts.values()):
                found[time] = parts
    scale, warnings = 1.0, []
    if _too_long(bare, 1.0, duration, output_length):
        scale = 1e-3
        warnings.append(
            "times whose keys name no unit are read as ms: as seconds they are longer than the run"
        )
    for found, factor in ((bare, scale), (in_ms, 1e-3)):
        if _too_long(found, factor, duration, output_length):
            warnings.append(f"times of requests are longer than the run of {duration:.4g} s")
            break
    times: dict[Time, Latency] = {}
    for found, factor in ((bare, scale), (in_ms, 1e-3)):
        for time, parts in found.items():
            times[time] = Latency(
                **{
                    part: value * factor if value is not None else None
                    for part, value in parts.items()
                }
            )
    return times, tuple(warnings)


def _too_long(
    found: Mapping[Time, Mapping[str, float | None]],
    factor: float,
    duration: float | None,
    output_length: float | None,
) -> bool:
    """Whether a time is longer than the run, or the usual time of a token for all of a request."""
    if not duration:
        return False
    longest = [
        value * factor
        for time, parts in found.items()
        for part, value in parts.items()
        if value is not None and (time != "token" or part == "p99")
    ]
    longest += [
        value * factor * max((output_length or 1.0) - 1.0, 1.0)
        for part, value in found.get("token", {}).items()
        if value is not None and part != "p99"
    ]
    return any(value > 1.05 * duration for value in longest)


def _engine(record: Record, server: Record, engine: Engine) -> str:
    """The benchmark, the version that is told, and the server where it is another's."""
    version = record.text("version") or server.text("version")
    backend = (record.text("backend") or "").split("-")[0]
    other = backend if backend not in ("", "openai", engine.casefold()) else None
    return " ".join(
        part for part in (_BENCHMARKS[engine], version, f"of {other}" if other else None) if part
    )


def _parallel(record: Record, server: Record) -> int | None:
    """GPUs that hold a copy of the model: SGLang's server tells it, users add it to vLLM's file."""
    size = record.number("tensor_parallel_size", "tp_size", "tp")
    if size is None:
        size = server.number("tp_size")
    return int(size) if size and size == int(size) else None


def _day(record: Record) -> date | None:
    """The day of ``20260213-075258``."""
    found = re.match(r"(\d{4})-?(\d\d)-?(\d\d)", record.text("date") or "")
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def _note(
    record: Record,
    completed: float | None,
    duration: float | None,
    times: Mapping[Time, Latency],
) -> str | None:
    """What a reader of the point should know: how much was measured, and how long one waits."""
    parts = []
    if completed and duration:
        parts.append(f"{completed:,.0f} requests in {duration:.4g} s")
    first = times.get("first token", Latency())
    if first.p99 is not None:
        parts.append(f"p99 of the first token {first.p99:.3g} s")
    return "; ".join(parts) or None
