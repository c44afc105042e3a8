"""Measured points of a card's throughput, and the rates of prefill and decode behind them.

One point holds for its own mix of input and output. From two or more, the time that a GPU spends
on an input token and on an output token are told apart: times are added, never rates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tco.scenario.supplies import Throughput


@dataclass(frozen=True)
class Rates:
    """Tokens a second of one GPU that only reads (``prefill``) or only writes (``decode``)."""

    prefill: float
    decode: float
    how: str


def can_be_told_apart(points: Sequence[Throughput]) -> bool:
    """Whether two points differ in their mix, so that two rates can be told apart."""
    mixes = {input_per_output(point) for point in points}
    return len(mixes) > 1 and None not in mixes


def input_per_output(point: Throughput) -> float | None:
    """Input tokens for each output token of a point; None where its lengths are not given."""
    if point.input_length is None or not point.output_length or not point.output_length.value:
        return None
    return point.input_length.value / point.output_length.value


def rates_of(points: Sequence[Throughput]) -> Rates:
    """The two rates by least squares of time: 1 = out/decode + in/prefill for each point.

    Raises ``ValueError`` where no positive rates explain the points.
    """
    per_gpu = [point.output_rate.value / (point.gpus.value if point.gpus else 1) for point in points]
    mixes = [input_per_output(point) or 0.0 for point in points]
    # seconds of a GPU for one output token at each mix: 1/decode + mix/prefill
    seconds = np.array([1 / rate for rate in per_gpu])
    terms = np.array([[1.0, mix] for mix in mixes])
    (decode, prefill), *_ = np.linalg.lstsq(terms, seconds, rcond=None)
    if decode <= 0 or prefill <= 0:
        raise ValueError("the points give no positive rates")
    how = "seconds for an output token = 1/decode + input for each output/prefill"
    return Rates(float(1 / prefill), float(1 / decode), how)
