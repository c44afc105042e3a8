"""The files that numbers were read from, and up to which day: in words, file by file.

No file is opened here: what is said of them is what the scenario says. Whether they are still what
they were is asked by `tco.report.changed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tco.engine.structure import given_quantities
from tco.results import Result
from tco.scenario.demand import Load
from tco.scenario.fields import Known
from tco.scenario.inputs import SOLVED, Input
from tco.scenario.reading import ReadFile

MOST_NAMED, MOST_LISTED = 3, 5
DIGITS = 12  # of a SHA-256, which tell two contents apart


@dataclass(frozen=True)
class Origin:
    """The files that numbers were read from, and the day or month that they tell of."""

    files: tuple[ReadFile, ...]
    as_of: str | None

    def words(self, basis: str) -> str:
        """In the middle of a sentence; what is measured is measured up to a day.

        >>> Origin((ReadFile("logs/gpu.csv", "0" * 64),), "2026-11-14").words("measured")
        'from logs/gpu.csv to 2026-11-14'
        """
        when = f" {'to' if basis == 'measured' else 'of'} {self.as_of}" if self.as_of else ""
        return f"from {listed([file.path for file in self.files], MOST_NAMED)}{when}"

    @property
    def cell(self) -> str:
        """For a cell: each file with the first digits of its SHA-256."""
        named = [f"{file.path} (SHA-256 {file.sha256[:DIGITS]})" for file in self.files]
        return f"read from {listed(named, MOST_LISTED)}"


def origin(result: Result, given: Input) -> Origin | None:
    """What an input was read from; None where the scenario names no file.

    An input that is solved from measured points was read from the files of all of them.
    """
    if given.quantity is not None:
        return origin_of(given.quantity)
    if given.kind != SOLVED or given.name not in result.model.inputs:
        return None
    points = [
        quantity
        for quantity in given_quantities(result.scenario)
        if quantity.path.startswith(f"{given.path}[") and quantity.files
    ]
    files = dict.fromkeys(file for point in points for file in point.files)
    days = [point.as_of for point in points if point.as_of]
    return Origin(tuple(files), max(days, default=None)) if files else None


def origin_of(known: Known) -> Origin | None:
    """What a number was read from; None where the scenario names no file."""
    return Origin(known.files, known.as_of) if known.files else None


def load_words(load: Load) -> str:
    """The load within a month, with how it is known.

    >>> load_words(Load(shape=(1.0, 2.0), basis="measured"))
    '2 loads, measured'
    """
    known = origin_of(load)
    parts = [shape_words(load), load.basis, known and known.words(load.basis or "")]
    return ", ".join(part for part in parts if part)


def shape_words(load: Load) -> str:
    """The shape of the load: its word, or how many loads there are.

    >>> shape_words(Load(shape=(2.0, 1.0), shares=(0.25, 0.75)))
    '2 levels of load'
    """
    if isinstance(load.shape, str):
        return load.shape
    return f"{len(load.shape)} {'levels of load' if load.shares else 'loads'}"


def source_cell(result: Result, given: Input) -> str:
    """Who says so and which files it was read from, for a table; empty where neither is stated."""
    found = origin(result, given)
    source = given.quantity.source if given.quantity else None
    return "; ".join(part for part in (source, found and found.cell) if part)


def listed(texts: Sequence[str], most: int) -> str:
    """Texts in a row, those beyond the first few by their number.

    >>> listed(["a", "b"], 3), listed(["a", "b", "c", "d", "e"], 3)
    ('a and b', 'a, b, c and 2 more')
    """
    if len(texts) > most + 1:
        return f"{', '.join(texts[:most])} and {len(texts) - most} more"
    return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def known_of(scenario: object) -> Iterable[Known]:
    """Every number of a scenario with what is known of it, and the load."""
    demand = getattr(scenario, "demand", None)
    yield from given_quantities(scenario)
    if demand is not None:
        yield demand.load
