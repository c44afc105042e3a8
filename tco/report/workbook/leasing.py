"""Lease or buy: what each lease is worth against buying, and the word for it."""

from __future__ import annotations

from dataclasses import dataclass

from tco.report.workbook import words
from tco.report.workbook.lookups import Lookups


@dataclass(frozen=True)
class Lease:
    """A leased supply: the option it is of, the line of its worth and the line of the word."""

    option: str
    worth: str
    word: str


class Leasing:
    """Rows of every leased supply, in the order of the options."""

    def __init__(self, rows: Lookups) -> None:
        self.found: list[Lease] = []
        rows.begin("Lease or buy")
        for option in rows.result.model.complete:
            for supply in option.supplies:
                if "net_advantage_of_leasing" not in supply.scope.functions:
                    continue
                line = supply.scope.line("net_advantage_of_leasing")
                name = f"lease/{option.number}_{supply.number}"
                which = f"option {option.number}, supply {supply.number}"
                word = words.chosen(words.above_zero(rows.term(line)), "lease", "buy")
                rows.add(name, f"Lease or buy, {which}", "text", word, rows.names[option.name])
                self.found.append(Lease(option.name, line, f"answer/{name}"))
