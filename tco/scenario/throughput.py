"""Measured points of a card's throughput, and the rates of prefill and decode behind them.

One point holds for its own mix of input and output. From two or more, the time that a GPU spends
on an input token and on an output token are told apart: times are added, never rates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tco.scenario.document import Block
from tco.scenario.reading import Reading
from tco.scenario.supplies import Throughput


@dataclass(frozen=True)
class Rates:
    """Tokens a second of one GPU that only reads (``prefill``) or only writes (``decode``)."""

    prefill: float
    decode: float
    how: str


def input_per_output(point: Throughput) -> float | None:
    """Input tokens for each output token of a point; None where its lengths are not given."""
    if point.input_length is None or not point.output_length or not point.output_length.value:
        return None
    return point.input_length.value / point.output_length.value


def rates_of(points: Sequence[Throughput]) -> Rates:
    """The two rates by least squares of time: 1 = out/decode + in/prefill for each point.

    Raises ``ValueError`` where no positive rates explain the points; those of a scenario do.
    """
    per_gpu = [
        point.output_rate.value / (point.gpus.value if point.gpus else 1) for point in points
    ]
    mixes = [input_per_output(point) or 0.0 for point in points]
    # seconds of a GPU for one output token at each mix: 1/decode + mix/prefill
    seconds = np.array([1 / rate for rate in per_gpu])
    terms = np.array([[1.0, mix] for mix in mixes])
    (decode, prefill), *_ = np.linalg.lstsq(terms, seconds, rcond=None)
    if decode <= 0 or prefill <= 0:
        raise ValueError("the points give no positive rates")
    how = "seconds for an output token = 1/decode + input for each output/prefill"
    return Rates(float(1 / prefill), float(1 / decode), how)


def check(points: Sequence[Throughput], reading: Reading) -> None:
    """Report points from which prefill and decode cannot be told apart; one alone is enough."""
    if len(points) < 2:
        return
    for point in points:
        if input_per_output(point) is None:
            lacking = [
                name for name in ("input_length", "output_length") if getattr(point, name) is None
            ]
            reading.report(
                Block(point.line, point.path),
                "the lengths of every point, where there are two or more: they tell prefill "
                "and decode apart",
                "add the tokens of a request,  input_length: 1024  and  output_length: 256, "
                "or keep one point",
                found=f"no {' and no '.join(lacking)}" if lacking else "an output_length of 0",
            )
            return
    mixes = {input_per_output(point) for point in points}
    first = points[0]
    whole = Block(first.line, first.path.rpartition("[")[0] or first.path)
    if len(mixes) < 2:
        reading.report(
            whole,
            "points that differ in input for each output token: they tell prefill and decode apart",
            "keep the point that is nearest to the demand, or measure another mix",
            found=f"{len(points)} points with {mixes.pop():g} input tokens for each output token",
        )
        return
    try:
        rates_of(points)
    except ValueError:
        reading.report(
            whole,
            "points of which those with more input for each output token write fewer a second",
            "check the rates, the lengths and the number of cards of each point",
            found="points that no positive rates of prefill and decode explain",
        )
