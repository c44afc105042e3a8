"""Logs written for the tests, and what is read from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from tco.readings.reading import Entry, Head, Kind, Reading

FILES = Path(__file__).parent / "files"
BEGIN = datetime(2026, 6, 29, 10)  # a Monday

Sample = tuple[float, int, float, float]
"""Seconds from the beginning, the number of the GPU, use in percent, watts."""


def stamp(seconds: float, begin: datetime = BEGIN) -> str:
    return f"{begin + timedelta(seconds=seconds):%Y/%m/%d %H:%M:%S.%f}"[:-3]


def smi(samples: Iterable[Sample], name: str = "", begin: datetime = BEGIN) -> str:
    """The samples as nvidia-smi logs them."""
    named = ", name" if name else ""
    lines = [f"timestamp, index{named}, utilization.gpu [%], power.draw [W]"]
    lines += [
        f"{stamp(seconds, begin)}, {gpu}{', ' + name if name else ''}, {use:g} %, {watts:.2f} W"
        for seconds, gpu, use, watts in samples
    ]
    return "\n".join(lines) + "\n"


def written(folder: Path, text: str | bytes, name: str = "a.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def recognised(kind: Kind, path: Path) -> bool:
    return kind.recognises(Head(path, path.read_text(encoding="utf-8", errors="replace")))


def entry(found: Reading, field: str, subject: str | None = None) -> Entry:
    (one,) = (
        e for e in found.entries if e.field == field and (subject is None or e.subject == subject)
    )
    return one


def values(found: Reading) -> dict[str, float]:
    """The value of each number of a card."""
    return {e.field: e.content["value"] for e in found.entries if e.room == "card"}


def lost(found: Reading) -> dict[str, tuple[int, int | None]]:
    """The rows that were dropped and the first of them, by the reason."""
    return {dropped.why: (dropped.rows, dropped.first_line) for dropped in found.dropped}


def column(found: Reading, name: str, table: int = 0) -> Sequence[str]:
    head, *rows = found.tables[table].rows
    return [row[head.index(name)] for row in rows]


def every(
    seconds: float, length: timedelta, of: Callable[[float], tuple[float, float]]
) -> list[Sample]:
    """Samples of GPU 0 at equal gaps, both ends included; ``of`` gives use and watts."""
    count = int(length.total_seconds() / seconds)
    return [(n * seconds, 0, *of(n * seconds)) for n in range(count + 1)]
