"""Where each line of the model stands in the workbook, and what its formula is there.

A sheet is a list of blocks; a block has a heading, then the call-ups of what its lines read from
elsewhere, then its lines. Formulas therefore read cells of their own sheet only, and only cells
above (save last month's of a balance). Nothing here writes a file.

Formulas are kept as templates in which ``{line}`` is this month's cell of a line (or its only
one), ``{<line}`` last month's, ``{line:next}`` next month's, ``{line:past}`` the cells from month
0 to here, ``{line:opened}`` the same with the opening column, ``{line:all}`` the whole row,
``{line:end}`` its last cell, ``{line:total}`` its total and ``{line:years}`` that of its fiscal
years, and ``{line:name}`` what stands in its note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from tco.engine import tracing
from tco.engine.graph import Line
from tco.engine.operations import Reference
from tco.report.workbook.order import reading_order
from tco.results import Result
from tco.scenario.inputs import Input

if TYPE_CHECKING:
    from tco.report.workbook.periods import Periods

LABEL, UNIT, NOTE, CONSTANT, TOTAL, OPENING, MONTH_0 = range(7)
# in a printed formula, what stands for the letters of this, of last and of next month's column
THIS, LAST, NEXT = "\x01", "\x02", "\x03"
HEADING, CALL_UP, LINE, WORDS = "heading", "call-up", "line", "words"
FIRST_ROW = 5  # rows 1 to 4 are the header
_TOKEN = re.compile(r"\{(<?)([^{}:<]+)(?::(\w+))?\}")

Value = float | str


@dataclass
class Row:
    """One row of a calculation sheet; ``number`` is its row in the sheet, counted from 1."""

    id: str
    kind: str
    label: str
    unit: str = ""
    note: str = ""
    template: str = ""
    shape: str = tracing.SCALAR
    values: Sequence[Value] = ()
    adds_up: bool = False
    number: int = 0
    formula: str = ""

    @property
    def reads(self) -> list[str]:
        """The lines and inputs that its template names."""
        return list(dict.fromkeys(match[2] for match in _TOKEN.finditer(self.template)))


@dataclass(frozen=True)
class Home:
    """Where the original of a line or an input is: what a call-up on another sheet says."""

    cell: str
    label: str
    unit: str
    shape: str
    values: Sequence[Value]


@dataclass
class Sheet:
    """One calculation sheet: its rows in order, each with its formula printed."""

    name: str
    title: str
    rows: list[Row] = field(default_factory=list)
    positions: dict[str, Row] = field(default_factory=dict)
    periods: Periods | None = None


@cache
def column(index: int) -> str:
    """The letters of a column, counted from 0.

    >>> column(0), column(26), column(42)
    ('A', 'AA', 'AQ')
    """
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


class Book:
    """Puts lines on sheets, one after the other; a sheet may call up what stands before it.

    ``solved`` are inputs that the model does not read: what was solved from its lines.
    """

    def __init__(self, result: Result, solved: Iterable[Input] = ()) -> None:
        self.result = result
        self.first = column(MONTH_0)
        self.last = column(MONTH_0 + result.scenario.months)
        self.homes: dict[str, Home] = {
            given.name: _input_home(given) for given in [*result.model.inputs.values(), *solved]
        }
        self.sheets: list[Sheet] = []

    def lines(self, scope: str, tag: str = "", *, alone: bool = False) -> list[Row]:
        """The rows of a scope and of those within it, in the order in which they can be computed.

        ``alone`` leaves out the scopes within it, which have blocks of their own.
        """
        model = self.result.model
        inner = {} if alone else model.inner_scopes(scope)
        lines = model.graph.lines
        names = [name for group in model.graph.order for name in group]
        here = (name for name in names if lines[name].scope in {scope, *inner})
        rows: list[Row] = []
        for name in reading_order(model.graph, here):
            line = lines[name]
            if line.scope == scope:
                rows.append(self._line(line, tag))
            else:
                whose = ", ".join(filter(None, (tag, inner[line.scope])))
                within = line.scope.removeprefix(f"{scope}/")
                rows.append(self._line(line, whose, f"{within}/"))
        return _computed_once(rows)

    def lines_named(self, names: Iterable[str], tag: str) -> list[Row]:
        """The rows of some lines within one scope, in the order in which they can be computed.

        Their notes give their full names: they may be of several scopes within it.
        """
        model = self.result.model
        wanted = set(names)
        order = [name for group in model.graph.order for name in group if name in wanted]
        rows = []
        for name in reading_order(model.graph, order):
            line = model.graph.lines[name]
            whose = ", ".join(filter(None, (scope_words(line.scope), tag)))
            rows.append(self._line(line, whose, f"{line.scope}/" if line.scope else ""))
        return _computed_once(rows)

    def _line(self, line: Line, tag: str, within: str = "") -> Row:
        graph = self.result.model.graph
        expression = graph.expressions[line.name]
        spoken = {
            (given.line, given.previous): parameter
            for parameter, given in line.arguments.items()
            if isinstance(given, Reference)
        }
        equation = tracing.equation(
            expression, lambda reference, _: spoken[reference.line, reference.previous]
        )
        shape = graph.shapes[line.name]
        array = self.result.arrays[line.name][:, 0]
        return Row(
            line.name,
            LINE,
            f"{line.label} ({tag})" if tag else line.label,
            self.result.unit(line.name),
            f"{within}{line.short_name} = {equation}",
            tracing.formula(expression, _token),
            shape,
            [float(x) for x in array],
            line.unit.adds_up and shape == tracing.MONTHS,
        )

    def add_sheet(
        self,
        name: str,
        title: str,
        blocks: Iterable[tuple[str, list[Row]]],
        periods: Periods | None = None,
    ) -> Sheet:
        """Lay out a sheet from its blocks (a heading and its rows) and print its formulas.

        ``periods`` are the columns after the months, on a sheet that has them.
        """
        sheet = Sheet(name, title, periods=periods)
        self.sheets.append(sheet)
        labels: dict[str, int] = {}
        for heading, rows in blocks:
            own = {row.id for row in rows}
            needed = dict.fromkeys(read for row in rows for read in row.reads)
            call_ups = [
                self.call_up(read)
                for read in needed
                if read not in own | set(sheet.positions) and not self._is_table(read)
            ]
            top = [Row("", HEADING, heading)] if heading else []
            for row in [*top, *call_ups, *rows]:
                labels[row.label] = labels.get(row.label, 0) + 1
                if labels[row.label] > 1:
                    row.label = f"{row.label} ({labels[row.label]})"
                row.number = FIRST_ROW + len(sheet.rows)
                sheet.rows.append(row)
                if row.id:
                    sheet.positions[row.id] = row
        for row in sheet.rows:
            if row.kind == CALL_UP:
                row.formula = f"={self.homes[row.id].cell}"
            elif row.template:
                row.formula = self.printed(row.template, sheet)
        for row in sheet.rows:
            if row.kind in (LINE, WORDS):
                place = f"{THIS}{row.number}" if row.shape == tracing.MONTHS else f"$D${row.number}"
                label = f"{row.label}, {_of_sheet(name)}"
                self.homes[row.id] = Home(f"{name}!{place}", label, row.unit, row.shape, row.values)
        return sheet

    def _is_table(self, name: str) -> bool:
        return self.homes[name].shape == tracing.TABLE

    def call_up(self, name: str) -> Row:
        """A row that brings a line or an input from its home, as it stands on another sheet."""
        home = self.homes[name]
        return Row(name, CALL_UP, home.label, home.unit, "", name, home.shape, home.values)

    def printed(self, template: str, sheet: Sheet) -> str:
        """The formula of a template on a sheet, with its leading ``=``."""

        def cell(match: re.Match[str]) -> str:
            previous, name, cells = match.groups()
            if name not in sheet.positions:
                return self.homes[name].cell
            row = sheet.positions[name]
            if cells == "name":
                return f"${column(NOTE)}${row.number}"
            if cells == "total":
                return f"${column(TOTAL)}${row.number}"
            if cells == "years" and sheet.periods:
                return f"${column(sheet.periods.total)}${row.number}"
            if row.shape != tracing.MONTHS:
                return f"$D${row.number}"
            if cells == "all":
                return f"${self.first}{row.number}:${self.last}{row.number}"
            if cells == "past":
                return f"${self.first}{row.number}:{THIS}{row.number}"
            if cells == "opened":
                return f"${column(OPENING)}{row.number}:{THIS}{row.number}"
            if cells == "next":
                return f"{NEXT}{row.number}"
            if cells == "end":
                return f"${self.last}{row.number}"
            return f"{LAST if previous else THIS}{row.number}"

        return "=" + _TOKEN.sub(cell, template)

    def cell(self, name: str) -> str:
        """The one cell of a scalar line on its home sheet: ``Option_1!$D$45``."""
        return self.homes[name].cell

    def cells(self, name: str) -> str:
        """The row of a monthly line on its home sheet: ``=Option_1!$G$45:$AQ$45``."""
        sheet, _, place = self.homes[name].cell.partition("!")
        number = place.replace(THIS, "")
        return f"={sheet}!${self.first}${number}:${self.last}${number}"


def _computed_once(rows: list[Row]) -> list[Row]:
    """The same rows; one that computes what a row above does reads that row instead."""
    first: dict[tuple[str, str], str] = {}
    for row in rows:
        key = (row.template, row.shape)
        if key in first:
            row.template = f"{{{first[key]}}}"
        else:
            first[key] = row.id
    return rows


def scope_words(scope: str) -> str:
    """The option and the supply of a scope within another, where it has them.

    >>> scope_words("x1/o2/s1/t"), scope_words("x1")
    ('option 2 supply 1 t', '')
    """
    words = []
    for part in scope.split("/")[1:]:
        kind = {"o": "option ", "s": "supply ", "c": "cost "}.get(part[:1])
        words.append(f"{kind}{part[1:]}" if kind and part[1:].isdigit() else part)
    return " ".join(words)


def in_month(formula: str, index: int) -> str:
    """A printed formula in the column of a month."""
    this = MONTH_0 + index
    formula = formula.replace(THIS, column(this)).replace(LAST, column(this - 1))
    return formula.replace(NEXT, column(this + 1))


def _token(reference: Reference, cells: str) -> str:
    before = "<" if reference.previous else ""
    return f"{{{before}{reference.line}{':' + cells if cells else ''}}}"


def _input_home(given: Input) -> Home:
    shape = tracing.TABLE if given.table else tracing.SCALAR
    return Home(f"in_{given.name}", given.label, given.unit_text, shape, given.values)


def _of_sheet(name: str) -> str:
    return name.replace("Option_", "option ") if name.startswith("Option_") else name.lower()
