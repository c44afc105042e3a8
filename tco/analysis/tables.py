"""Tables of texts, as every output that a person reads lays them out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of a table; ``note`` is a sentence in place of the cells, or below them."""

    name: str
    marks: str = ""
    cells: tuple[str, ...] = ()
    note: str | None = None


@dataclass(frozen=True)
class Table:
    """A table of texts: the heads of the columns after the name, then the rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
