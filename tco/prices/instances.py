"""What GPUs the instances of a cloud hold: a name of an instance is not that of a card.

>>> said_of("AWS G5 (2x A100)")[:79]
'AWS G5 is a family of instances with 1, 4 or 8 A10G of 24 GB each, none of A100'
>>> said_of("AWS G5 (2x A100)")[81:]
'A100 (a100-40gb) stand in AWS P4d, 8 in each'
>>> said_of("rtx-4090") is None
True
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Family:
    """A family of instances: its GPUs, how many an instance may have, and who says so.

    ``card`` is the name by which scenarios know its GPU, None for one that is not known.
    """

    provider: str
    name: str
    gpu: str
    card: str | None
    memory_gb: float
    counts: tuple[int, ...]
    source: str
    as_of: str


@cache
def families() -> tuple[Family, ...]:
    """The families that are known."""
    text = (files("tco.prices") / "instances.csv").read_text(encoding="utf-8")
    return tuple(
        Family(
            provider=row["provider"],
            name=row["family"],
            gpu=row["gpu"],
            card=row["card"] or None,
            memory_gb=float(row["memory_gb"]),
            counts=tuple(int(count) for count in row["counts"].split()),
            source=row["source"],
            as_of=row["as_of"],
        )
        for row in csv.DictReader(text.splitlines())
    )


def family(text: str) -> Family | None:
    """The family that a text names: ``AWS G5``, ``g5.12xlarge``.

    >>> found = family("p4d.24xlarge")
    >>> found.gpu, found.counts
    ('A100', (8,))
    """
    words = re.findall(r"[a-z0-9]+", text.lower())
    return next((found for found in families() if found.name.lower() in words), None)


def said_of(text: str) -> str | None:
    """What the instances that a text names hold; None where it names none."""
    found = family(text)
    if found is None:
        return None
    counts = [str(count) for count in found.counts]
    number = " or ".join([", ".join(counts[:-1]), counts[-1]] if counts[1:] else counts)
    title = f"{found.provider} {found.name}"
    known = "" if found.card is None else f" ({found.card})"
    said = (
        f"{title} is a family of instances with {number} {found.gpu}{known} of "
        f"{found.memory_gb:g} GB each"
    )
    asked = [f for f in families() if f.gpu != found.gpu and f.gpu.lower() in text.lower()]
    for other in asked:
        known = "" if other.card is None else f" ({other.card})"
        said += (
            f", none of {other.gpu}; {other.gpu}{known} stand in {other.provider} {other.name}, "
            f"{' or '.join(map(str, other.counts))} in each"
        )
    return said
