"""The cards a scenario may name without describing them.

A card is known by its rated power, its memory, its speed and the boards it is sold on. It has no
price here: prices change by the week and differ by the seller; dated ones are in `tco.prices.book`.

>>> card("rtx-4090").tdp
450.0
>>> card("h100-sxm").board_sizes, card("h100-sxm").linked, card("rtx-4090").linked
((4, 8), 8, 1)
>>> card("rtx-4099") is None
True
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True)
class Card:
    """One GPU.

    ``tdp`` is its rated power in watts, ``memory_gb`` its memory in gigabytes, as printed;
    ``bandwidth_gb_s`` reads that memory; ``nvlink_gb_s`` joins it to others, both ways together,
    0 for none; ``dense_fp16_tflops`` is FP16 or BF16 without sparsity, accumulated in FP32;
    ``dense_fp8_tflops`` is FP8 so, 0 for a card without FP8, None where no source is read;
    ``board_sizes`` are the numbers of GPUs that are sold together. ``source`` is of power and
    memory, ``speed_source`` of the rest.
    """

    name: str
    title: str
    tdp: float
    memory_gb: float
    bandwidth_gb_s: float
    nvlink_gb_s: float
    dense_fp16_tflops: float
    dense_fp8_tflops: float | None
    board_sizes: tuple[int, ...]
    source: str
    speed_source: str
    as_of: str | None
    note: str | None

    @property
    def linked(self) -> int:
        """How many of them NVLink joins: those of a board, two by a bridge, one without it."""
        if self.nvlink_gb_s == 0:
            return 1
        return max(*self.board_sizes, 2)


def card(name: str) -> Card | None:
    """The card of that name, as scenarios spell it, or None."""
    return _cards().get(name)


def names() -> tuple[str, ...]:
    """The known names, in the order of the data file."""
    return tuple(_cards())


@cache
def _cards() -> Mapping[str, Card]:
    text = (files("tco.prices") / "cards.csv").read_text(encoding="utf-8")
    return MappingProxyType(
        {
            row["name"]: Card(
                name=row["name"],
                title=row["title"],
                tdp=float(row["tdp"]),
                memory_gb=float(row["memory_gb"]),
                bandwidth_gb_s=float(row["bandwidth_gb_s"]),
                nvlink_gb_s=float(row["nvlink_gb_s"]),
                dense_fp16_tflops=float(row["dense_fp16_tflops"]),
                dense_fp8_tflops=float(row["dense_fp8_tflops"])
                if row["dense_fp8_tflops"]
                else None,
                board_sizes=tuple(int(size) for size in row["board_sizes"].split()),
                source=row["source"],
                speed_source=row["speed_source"],
                as_of=row["as_of"] or None,
                note=row["note"] or None,
            )
            for row in csv.DictReader(text.splitlines())
        }
    )
