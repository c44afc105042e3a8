"""The table of the cases, in as many tables as fit the columns of a terminal."""

from __future__ import annotations

from dataclasses import replace

from tco.analysis.tables import Row, Table
from tco.report.columns import LINE, width

NAMES = 36  # what the names of the options take at most, with the gap after them


def tables(cases: Table, places: int = LINE) -> tuple[Table, ...]:
    """The columns of a table divided so that each part fits; notes stand under the last.

    >>> cases = Table("CASES", ("a" * 60, "b" * 60), (Row("own", cells=("1", "2")),), ("note",))
    >>> [(part.title, part.rows[0].cells, part.notes) for part in tables(cases)]
    [('CASES', ('1',), ()), ('CASES', ('2',), ('note',))]
    """
    room = places - min(max(width(row.name) for row in cases.rows) + 4, NAMES)
    parts: list[list[int]] = []
    used = 0
    for number, head in enumerate(cases.heads):
        texts = [head, *(row.cells[number] for row in cases.rows if row.cells)]
        taken = max(map(width, texts)) + 1
        if not parts or used + taken > room:
            parts.append([])
            used = 0
        parts[-1].append(number)
        used += taken
    return tuple(
        Table(
            cases.title,
            tuple(cases.heads[n] for n in part),
            tuple(_row(row, part) for row in cases.rows if row.cells or part is parts[0]),
            cases.notes if part is parts[-1] else (),
        )
        for part in parts
    )


def _row(row: Row, part: list[int]) -> Row:
    return replace(row, cells=tuple(row.cells[n] for n in part)) if row.cells else row
