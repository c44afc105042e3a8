"""Runs of ``sglang.bench_serving``: JSON lines, to which each run appends one.

Its ``total_throughput`` counts input and output and is not used. A line that is no JSON or that
holds no run is left out and counted, so a run that was cut off costs no other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tco.readings.benchmarks import vllm
from tco.readings.benchmarks.serving import serving_run
from tco.readings.benchmarks.throughput import reading_of, usable
from tco.readings.reading import Asked, Head, Kind, Reading
from tco.readings.texts.json_objects import records_of

TITLE = "benchmark of SGLang (bench_serving)"


def recognises(head: Head) -> bool:
    """Whether lines of it hold a run of a serving benchmark that is not vLLM's."""
    # the first line may be no JSON, so the keys are looked for in every line
    keys = frozenset(re.findall(r'"(\w{1,60})"\s*:', head.text))
    begins = head.lines[0].lstrip("\ufeff").lstrip() if head.lines else ""
    return (
        (begins.startswith(("{", "[")) or any(line.startswith("{") for line in head.lines))
        and "completed" in keys
        and bool(keys & {"request_throughput", "output_throughput"})
        and not vllm.recognises(head)
    )


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """All runs of the files; raises `ReadingError` where none is left."""
    records, faults = [], []
    for path in paths:
        found, no_json = records_of(path)
        records += found
        faults += no_json
    several = len(records) > len(paths)
    runs, unusable = usable(records, lambda record: serving_run(record, "SGLang", several))
    return reading_of(TITLE, paths, asked, runs, [*faults, *unusable])


KIND = Kind(TITLE, recognises, read)
