"""Runs of ``vllm bench serve``, formerly ``benchmark_serving.py``, as ``--save-result`` has them.

``output_throughput`` is output tokens over the whole wall time, the reading of prompts included;
``total_token_throughput`` counts the input as well and is not used. The file tells neither the
card nor how many there are. Times are in ms where their key ends in ``_ms``, else in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tco.readings.benchmarks.serving import serving_run
from tco.readings.benchmarks.throughput import reading_of, usable
from tco.readings.reading import Asked, Head, Kind, Reading
from tco.readings.texts.json_objects import records_of

TITLE = "benchmark of vLLM (bench serve)"


def recognises(head: Head) -> bool:
    """Whether it holds a run with the keys that only vLLM writes."""
    keys = head.keys
    return (
        bool(keys & {"output_throughput", "total_output_tokens"})
        and bool(keys & {"completed", "duration"})
        and bool(keys & {"model_id", "tokenizer_id", "total_token_throughput"})
    )


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """All runs of the files; raises `ReadingError` for what is no JSON and where no run is left."""
    records = []
    for path in paths:
        found, faults = records_of(path)
        if faults:
            raise faults[0]
        records += found
    several = len(records) > len(paths)
    runs, unusable = usable(records, lambda record: serving_run(record, "vLLM", several))
    return reading_of(TITLE, paths, asked, runs, unusable)


KIND = Kind(TITLE, recognises, read)
