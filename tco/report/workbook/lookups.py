"""Rows that look up and join what the options and comparisons give, block by block."""

from __future__ import annotations

from tco.engine.structure import BoundOption, Pair
from tco.report.workbook.layout import WORDS, Row, Value
from tco.report.workbook.texts import option_texts
from tco.report.workbook.words import Term
from tco.results import Result


class Lookups:
    """The rows so far; `begin` names the block that the next ones stand in."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.names = option_texts(result)
        self.currency = result.currency
        self.values: dict[str, Value] = {}
        self._rows: dict[str, list[Row]] = {}
        self._block = ""

    def begin(self, block: str) -> None:
        """Put the rows that follow under this heading."""
        self._block = block

    def blocks(self) -> list[tuple[str, list[Row]]]:
        """Headings and rows, in order."""
        return list(self._rows.items())

    def term(self, line: str) -> Term:
        """A scalar line of the model, an input or one of these rows, as a piece of a formula."""
        if line in self.values:
            return Term(f"{{{line}}}", self.values[line])
        inputs = self.result.model.inputs
        value = inputs[line].value if line in inputs else self.result.value(line)
        return Term(f"{{{line}}}", value)

    def add(self, name: str, label: str, unit: str, term: Term, note: str = "") -> Term:
        """Add a row; what comes back names its cell."""
        line = f"answer/{name}"
        row = Row(line, WORDS, label, unit, note, term.formula, values=[term.value])
        self._rows.setdefault(self._block, []).append(row)
        self.values[line] = term.value
        return self.term(line)

    def of(self, option: BoundOption, name: str) -> Term:
        """A line or input of an option, or of its only supply."""
        assert option.scope is not None
        found = option.scope.find(name)
        assert found is not None, f"{name} of {option.name}"
        return self.term(found) if isinstance(found, str) else Term(str(found), float(found))

    def time_input(self, parameter: str) -> str:
        """The line or input that a name stands for on the time axis."""
        found = self.result.model.time.find(parameter)
        assert isinstance(found, str)
        return found

    def main_pair(self) -> Pair | None:
        """The option that the answer is about against the baseline."""
        focus, base = self.result.focus, self.result.baseline
        return self.result.pair(focus, base) if focus and base else None

    @property
    def work(self) -> str:
        """What the demand counts, as the beginning of a label."""
        counted = self.result.model.counted
        work = "output tokens" if counted.lot == "Mtok" else counted.work
        return work[0].upper() + work[1:]

    def is_plain(self) -> bool:
        """Whether the demand is one number of output tokens and one of input tokens."""
        inputs = self.result.model.time.inputs
        aliases = self.result.model.time.aliases
        return (
            "output_tokens" in inputs
            and "reasoning_tokens" not in inputs
            and aliases.get("activity") == "operating"
            and aliases.get("addressable") == 1
        )
