"""The cards a scenario may name without describing them.

A card is known by its rated power and its memory. It never has a price here: prices change by
the week and differ by the seller, so a scenario states its own.

>>> card("rtx-4090").tdp
450.0
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
    """One GPU: ``tdp`` is its rated power in watts, ``memory_gb`` its memory in gigabytes."""

    name: str
    title: str
    tdp: float
    memory_gb: float
    source: str
    as_of: str | None
    note: str | None


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
                source=row["source"],
                as_of=row["as_of"] or None,
                note=row["note"] or None,
            )
            for row in csv.DictReader(text.splitlines())
        }
    )
