"""What the gap between the option and the baseline is made of, live: a row for each part.

The parts are those of `tco.analysis.attribution`, by the same names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tco.analysis.attribution import GIVEN_UP, TAX, WORDS
from tco.engine.graph import Scope
from tco.engine.structure import BoundOption
from tco.report.workbook import words
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.texts import fitted
from tco.report.workbook.words import Term
from tco.results import PARTS

KINDS = {**{kind: WORDS.get(kind, kind) for kind in PARTS}, "opportunity": GIVEN_UP, "tax": TAX}
LAST = (GIVEN_UP, TAX)
NAME = 40


@dataclass(frozen=True)
class GapPart:
    """One part of the gap: its label and the rows of its cells."""

    label: str
    this: str
    other: str
    difference: str


class GapParts:
    """Rows of the parts of both options, their differences, and a check that these add up."""

    def __init__(self, rows: Lookups) -> None:
        self.rows = rows
        self.found: list[GapPart] = []
        self.checks: list[tuple[str, str]] = []
        pair = rows.main_pair()
        if pair is None:
            return
        rows.begin("The gap to the baseline by part")
        this, other = _parts(pair.this), _parts(pair.other)
        labels = _in_order({**this, **other})
        for side, whose, parts in (("this", "one", this), ("other", "the other", other)):
            for number, label in enumerate(labels, start=1):
                self._part(f"{side}/{number}", f"{label} of {whose}", parts.get(label, []))
        unit = f"{rows.currency}/month"
        for number, label in enumerate(labels, start=1):
            one, two, difference = (
                f"answer/gap/{name}/{number}" for name in ("this", "other", "difference")
            )
            left, right = rows.term(one), rows.term(two)
            less = Term(f"{left.formula}-{right.formula}", left.number - right.number)
            said = f"{fitted(label, NAME)} of the one less that of the other"
            rows.add(f"gap/difference/{number}", said, unit, less)
            self.found.append(GapPart(label, one, two, difference))
        differences = [part.difference for part in self.found]
        total = rows.add(
            "gap/total",
            "Parts of the gap, added up",
            unit,
            Term(
                f"SUM({{{differences[0]}}}:{{{differences[-1]}}})",
                sum(rows.term(line).number for line in differences),
            ),
        )
        label = "The parts of the gap do not add up to it"
        gap = rows.term(pair.scope.line("equivalent_difference"))
        apart = words.differ(total, gap, rows.term("tolerance"))
        check = rows.add("gap/apart", label, "0/1", apart)
        word = words.chosen(check, "FAILS", "holds")
        rows.add("gap/word", "Check in words, parts of the gap", "text", word)
        self.checks.append((label, "answer/gap/apart"))

    def _part(self, name: str, label: str, lines: list[str]) -> None:
        terms = [self.rows.term(line) for line in lines]
        added = Term("+".join(t.formula for t in terms) or "0", sum((t.number for t in terms), 0.0))
        self.rows.add(f"gap/{name}", fitted(label, NAME + 14), f"{self.rows.currency}/month", added)


def _in_order(labels: dict[str, list[str]]) -> list[str]:
    """Kinds of cost in the order of the model, the other costs as they come, then tax."""
    kinds = [label for label in KINDS.values() if label in labels and label not in LAST]
    named = [label for label in labels if label not in KINDS.values()]
    return [*kinds, *named, *(label for label in LAST if label in labels)]


def _parts(option: BoundOption) -> dict[str, list[str]]:
    """The lines of each part of an option's equivalent monthly cost, by the part's label."""
    found: dict[str, list[str]] = {}
    for label, line in _lines(option):
        found.setdefault(label, []).append(line)
    return found


def _lines(option: BoundOption) -> Iterator[tuple[str, str]]:
    scopes: list[tuple[Scope, Iterable[str]]] = [(s.scope, PARTS) for s in option.supplies]
    if option.scope is not None:
        scopes.append((option.scope, ("opportunity", "tax")))
    for scope, kinds in scopes:
        for kind in kinds:
            if f"equivalent_{kind}_cost" in scope.functions:
                yield KINDS[kind], scope.line(f"equivalent_{kind}_cost")
    for cost, scope in option.items:
        own = cost.name in KINDS.values()
        yield (f"{cost.name} (other cost)" if own else cost.name), scope.line("equivalent_parts")
