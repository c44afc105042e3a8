"""Speed, as ratios within one run: ``python tests/benchmark.py``. Not a test: nothing fails here.

``tco --help`` is set beside importing click, ``tco run`` on the mid-size team beside importing the
libraries that it needs, and the engine's time is given for the base case. Ten thousand draws of
the mid-size team are set beside the same model functions called one after the other on arrays that
are there already, the memory of ten times as many beside theirs, and a map of 41 by 41 points
beside a run of the base case. Each figure is the best of several runs taken in turn, so that a
busy machine slows both sides.

``python tests/benchmark.py log [ROWS]`` sets reading a log of nvidia-smi of so many rows, 10 M if
not said otherwise, beside pandas reading and parsing the same columns, with the memory of both.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tco.analysis.axes import axis_of
from tco.analysis.ranges import correlation_matrix, ranged
from tco.analysis.sweeps import cheapest_map
from tco.analysis.uncertainty import normal_scores, simulate
from tco.analysis.what_if import CHUNK, WhatIf
from tco.engine.graph import shifted
from tco.engine.operations import Literal, Reference
from tco.results import Result, evaluate, run

SCENARIO = Path(__file__).parent.parent / "scenarios" / "midteam.yaml"
LIBRARIES = (
    "import click, matplotlib.backends.backend_agg, matplotlib.backends.backend_svg, "
    "matplotlib.figure, matplotlib.font_manager, numpy, pydantic, ruamel.yaml, xlsxwriter"
)
DRAWS = 10_000


def seconds(command: list[str]) -> float:
    """Wall time of a command in seconds."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def ratio(ours: list[str], theirs: list[str], runs: int) -> tuple[float, float, float]:
    """Best time of each command in seconds, taken in turn, and their ratio."""
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(runs)]
    mine, other = min(a for a, _ in pairs), min(b for _, b in pairs)
    return mine, other, mine / other


def best(*works: Callable[[], object], runs: int) -> list[float]:
    """Best time of each call in milliseconds, taken in turn."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for work, taken in zip(works, times, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return [min(taken) * 1000 for taken in times]


def one_pass(result: Result) -> Callable[[], None]:
    """The lines that the draws move, once for each chunk: functions called on arrays, no more."""
    numbers = ranged(result)
    what_if = WhatIf(result, [given.name for number in numbers for given in number.inputs])
    graph, rows = result.model.graph, result.scenario.months + 1
    scores = next(normal_scores(correlation_matrix(result, numbers), CHUNK, seed=1))
    arrays = {**what_if.slice.known}
    for number, score in zip(numbers, scores, strict=True):
        arrays |= {name: x[None, :] for name, x in number.values(number.at(score)).items()}
    calls: list[tuple[Callable[..., Any], dict[str, Any]]] = []
    for (name,) in what_if.slice.order:
        line = graph.lines[name]
        arrays[name] = graph.evaluate_line(name, arrays, rows)
        arguments: dict[str, Any] = {}
        for parameter, argument in line.arguments.items():
            if isinstance(argument, Literal):
                arguments[parameter] = float(argument.value)
            elif isinstance(argument, Reference):
                read = arrays[argument.line]
                arguments[parameter] = shifted(read) if argument.previous else read
        calls.append((line.function, arguments))

    def work() -> None:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            for _ in range(DRAWS // CHUNK):
                for function, arguments in calls:
                    function(**arguments)

    return work


MEMORY = """
import resource, sys
from tco.analysis.uncertainty import simulate
from tco.results import run
simulate(run(sys.argv[1]), int(sys.argv[2]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def megabytes(draws: int) -> float:
    """The most memory that a process with so many draws of the mid-size team takes."""
    command = [sys.executable, "-c", MEMORY, str(SCENARIO), str(draws)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024


LOG_ROWS = 10_000_000
OUR_LOG = """
import resource, sys, time
from pathlib import Path
import pandas
from tco.readings.gpus.nvidia_smi import KIND
from tco.readings.reading import Asked
start = time.process_time()
assert KIND.read([Path(sys.argv[1])], Asked(gpu="rtx-4090")).used == int(sys.argv[2])
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
PANDAS_LOG = """
import resource, sys, time
import pandas
start = time.process_time()
log = pandas.read_csv(sys.argv[1], skipinitialspace=True)
log["timestamp"] = pandas.to_datetime(log["timestamp"], format="%Y/%m/%d %H:%M:%S.%f")
for column, unit in (("utilization.gpu [%]", " %"), ("power.draw [W]", " W")):
    if log[column].dtype.kind not in "if":
        log[column] = log[column].str.removesuffix(unit).astype(float)
assert len(log) == int(sys.argv[2])
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_log(path: Path, rows: int, *, units: bool) -> None:
    """A log of eight GPUs, asked once a second."""
    draw = np.random.default_rng(seed=1)
    use_unit, power_unit = (" %", " W") if units else ("", "")
    begin = np.datetime64("2026-06-01T00:00:00.000")
    with path.open("w") as file:
        file.write("timestamp, index, utilization.gpu [%], power.draw [W]\n")
        for first in range(0, rows, 200_000):
            row = np.arange(first, min(first + 200_000, rows))
            stamps = np.datetime_as_string(begin + row // 8 * 1000 + row % 8 * 3, unit="ms")
            use = draw.integers(0, 101, len(row))
            watts = 30 + 2.5 * use + draw.normal(0, 5, len(row))
            for stamp, gpu, busy, power in zip(stamps, row % 8, use, watts, strict=True):
                moment = stamp.replace("-", "/").replace("T", " ")
                file.write(f"{moment}, {gpu}, {busy}{use_unit}, {power:.2f}{power_unit}\n")


def measured(program: str, path: Path, rows: int) -> tuple[float, float]:
    """Seconds of the processor and megabytes at most of a program that reads a log."""
    command = [sys.executable, "-c", program, str(path), str(rows)]
    took, most = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(took), int(most) / 1024


def log(rows: int) -> None:
    """Measure reading a log, with units in its cells and without, and print."""
    for units in (True, False):
        name = "with units" if units else "nounits"
        with tempfile.TemporaryDirectory() as folder:
            path, tenth = Path(folder, "log.csv"), Path(folder, "tenth.csv")
            write_log(path, rows, units=units)
            write_log(tenth, rows // 10, units=units)
            ours, our_memory = measured(OUR_LOG, path, rows)
            theirs, their_memory = measured(PANDAS_LOG, path, rows)
            _, few = measured(OUR_LOG, tenth, rows // 10)
        print(f"log {name}, {rows:,} rows / pandas: {ours:.1f} s / {theirs:.1f} s", end="")
        print(f" = {ours / theirs:.2f}; memory {our_memory:.0f} MB / {their_memory:.0f} MB")
        print(f"  memory, {rows:,} / {rows // 10:,} rows: {our_memory / few:.2f}")


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["log"]:
        log(int(sys.argv[2]) if len(sys.argv) > 2 else LOG_ROWS)
        return
    python = sys.executable
    tco = [python, "-m", "tco"]
    for name, ours, theirs, runs in (
        ("tco --help / import click", [*tco, "--help"], [python, "-c", "import click"], 15),
        ("tco run midteam / import of its libraries", None, [python, "-c", LIBRARIES], 7),
    ):
        with tempfile.TemporaryDirectory() as folder:
            command = ours or [*tco, "run", str(SCENARIO), "-o", folder]
            mine, other, quotient = ratio(command, theirs, runs)
        print(f"{name}: {mine * 1000:.0f} ms / {other * 1000:.0f} ms = {quotient:.2f}")

    result = run(SCENARIO)
    model = result.model
    (base,) = best(lambda: evaluate(model), runs=20)
    print(f"base case, {len(model.graph.lines)} lines: {base:.1f} ms")

    drawn, passed = best(lambda: simulate(result, DRAWS), one_pass(result), runs=15)
    print(f"{DRAWS:,} draws / one pass: {drawn:.0f} ms / {passed:.0f} ms = {drawn / passed:.2f}")

    few, many = megabytes(DRAWS), megabytes(10 * DRAWS)
    print(f"memory, {10 * DRAWS:,} / {DRAWS:,} draws: {many:.0f} MB / {few:.0f} MB", end="")
    print(f" = {many / few:.2f}")

    axes = [axis_of(result, word, "own-2x4090", "api-gpt-4o") for word in ("tokens", "token-price")]
    options = [option.name for option in model.complete]
    between = [(axis.low, axis.high) for axis in axes]
    (charted,) = best(
        lambda: cheapest_map(result, (axes[0], axes[1]), (between[0], between[1]), options), runs=5
    )
    print(f"map of 41 x 41 / base case: {charted:.0f} ms / {base:.1f} ms = {charted / base:.1f}")


if __name__ == "__main__":
    main()
