"""Speed, as ratios within one run: ``python tests/benchmark.py``. Not a test: nothing fails here.

``tco --help`` is set beside importing click, ``tco run`` on the mid-size team beside importing the
libraries that it needs, and the engine's time is given for the base case and for 10,000 draws. Each
figure is the best of several runs taken in turn, so that a busy machine slows both sides.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tco.engine.options import build
from tco.results import evaluate
from tco.scenario.inputs import LIVE
from tco.scenario.loading import load

SCENARIO = Path(__file__).parent.parent / "scenarios" / "midteam.yaml"
LIBRARIES = (
    "import click, matplotlib.backends.backend_agg, matplotlib.backends.backend_svg, "
    "matplotlib.figure, matplotlib.font_manager, numpy, pydantic, ruamel.yaml, xlsxwriter"
)
DRAWS, CHUNK = 10_000, 1_000


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


def best(work: Callable[[], object], runs: int) -> float:
    """Best time of a call in milliseconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def main() -> None:
    """Measure and print."""
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

    model = build(load(SCENARIO))
    print(f"base case, {len(model.graph.lines)} lines: {best(lambda: evaluate(model), 20):.1f} ms")

    generator = np.random.default_rng(1)
    values = {}
    for name, given in model.inputs.items():
        base = np.array(given.values).reshape(-1, 1)
        varied = given.kind == LIVE and not given.whole and given.maximum is None
        spread = generator.lognormal(0, 0.1, (1, CHUNK)) if varied else np.ones((1, 1))
        values[name] = base * spread
    wanted = [option.line("npv_of_cost") for option in model.complete]

    def draw() -> None:
        for _ in range(DRAWS // CHUNK):
            model.graph.evaluate(values, model.scenario.months, keep=wanted)

    print(f"{DRAWS:,} draws of every option's present value: {best(draw, 3):.0f} ms")


if __name__ == "__main__":
    main()
