"""A delivered workbook as a reader finds it: which cell holds which line, and the inputs.

Nothing is asked of the writer. The sheets' own words are read: a heading names a supply, a cost,
the option or a pair, and the note of a row begins with the line's name. Inputs are edited in the
file itself; the values cached beside formulas are taken out before anything is recalculated.
"""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import openpyxl

from tco.engine.operations import Array
from tco.report.workbook import write_workbook
from tco.results import Result, evaluate, run
from tco.scenario.inputs import STRUCTURAL, Input

CONSTANT, MONTH_0 = 4, 7  # columns D and G, counted from 1
NAMED = re.compile(r"([a-z][a-z0-9_/]*) = ")
RELATIVE, OF_SCALE = 1e-9, 1e-12
SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").rglob("*.yaml"))
NAMES = [scenario.stem for scenario in SCENARIOS]


@dataclass(frozen=True)
class Place:
    """A row of a sheet that holds a line, in one constant cell or in a cell for each month."""

    sheet: str
    row: int
    line: str
    months: bool


@dataclass(frozen=True)
class Difference:
    """A cell that is not what the engine says."""

    place: Place
    month: int
    sheet_value: object
    engine_value: float
    size: float

    def __str__(self) -> str:
        where = f"{self.place.sheet} row {self.place.row} ({self.place.line}, month {self.month})"
        return f"{where}: {self.sheet_value!r}, the engine has {self.engine_value!r}"


class Delivered:
    """The workbook of one scenario, written once."""

    def __init__(self, scenario: Path, folder: Path) -> None:
        self.scenario = scenario
        self.result: Result = run(scenario)
        self.path = folder / f"{scenario.stem}.xlsx"
        write_workbook(self.result, self.path)
        self.stripped = folder / f"{scenario.stem}-stripped.xlsx"

    @property
    def inputs(self) -> list[Input]:
        """Inputs with a cell of their own that may be changed: all but structural tables."""
        return [given for given in self.result.model.numbers if given.kind != STRUCTURAL]

    @cached_property
    def input_cells(self) -> dict[str, str]:
        """The cell of each input on the Inputs sheet, from the workbook's own names."""
        book = openpyxl.load_workbook(self.path, read_only=False)
        return {
            name.removeprefix("in_"): defined.attr_text.rpartition("!")[2].replace("$", "")
            for name, defined in book.defined_names.items()
            if name.startswith("in_")
        }

    @cached_property
    def places(self) -> list[Place]:
        """Every row that holds a line of the model."""
        book = openpyxl.load_workbook(self.path, read_only=True)
        found = []
        for sheet in book.worksheets:
            if sheet.title == "Timeline" or sheet.title.startswith(("Option_", "Comparison")):
                found += list(self._places(sheet))
        return found

    def _places(self, sheet: openpyxl.worksheet.worksheet.Worksheet) -> Iterator[Place]:
        graph = self.result.model.graph
        scope: str | None = "" if sheet.title == "Timeline" else None
        for number, row in enumerate(sheet.iter_rows(values_only=True, max_col=MONTH_0), start=1):
            label, note = str(row[0] or ""), str(row[2] or "")
            if label and not any(row[1:]):
                scope = self._scope(sheet.title, label, scope)
            match = NAMED.match(note)
            if match and scope is not None:
                line = f"{scope}/{match[1]}" if scope else match[1]
                if line in graph.lines:
                    yield Place(sheet.title, number, line, row[CONSTANT - 1] is None)

    def _scope(self, sheet: str, heading: str, current: str | None) -> str | None:
        if match := re.match(r"Pair (\d+): ", heading):
            return f"p{match[1]}"
        if not sheet.startswith("Option_"):
            return current
        option = next(o for o in self.result.model.complete if f"Option_{o.number}" == sheet)
        if match := re.match(r"Supply (\d+): ", heading):
            return option.supplies[int(match[1]) - 1].scope.name
        if match := re.match(r"Cost (\d+): ", heading):
            return option.items[int(match[1]) - 1][1].name
        return option.scope.name if heading == "The option as a whole" and option.scope else current

    def edited(self, changes: Mapping[str, float], target: Path) -> Path:
        """A copy of the delivered file with input cells changed in its XML, cached values out."""
        cells = {self.input_cells[name]: value for name, value in changes.items()}

        def edit(sheet: str, content: str) -> str:
            if sheet == "Inputs":
                for cell, value in cells.items():
                    pattern = rf'(<c r="{cell}"[^>]*><v>)[^<]*(</v>)'
                    content, times = re.subn(pattern, rf"\g<1>{value!r}\g<2>", content)
                    assert times == 1, f"Inputs!{cell} holds no number"
            return content

        return rewrite(self.path, target, edit)

    def expected(self, changes: Mapping[str, float]) -> dict[str, Array]:
        """Every line of the engine at the same changes."""
        return evaluate(self.result.model, changes)

    def compare(
        self,
        cells: Mapping[str, Mapping[tuple[int, int], object]],
        arrays: Mapping[str, Array],
        lines: Collection[str] | None = None,
    ) -> tuple[int, float, list[Difference]]:
        """Cells compared, the worst relative difference, and the cells that differ.

        ``lines`` are those to compare; all of them if not given.
        """
        scales = self._scales(arrays)
        compared, worst, wrong = 0, 0.0, []
        for place in self.places:
            if lines is not None and place.line not in lines:
                continue
            sheet = cells[place.sheet]
            expected = arrays[place.line][:, 0]
            columns = range(MONTH_0, MONTH_0 + len(expected)) if place.months else [CONSTANT]
            for month, column in enumerate(columns):
                found = sheet.get((place.row, column))
                value = float(expected[month])
                compared += 1
                if not isinstance(found, (int, float)) or isinstance(found, bool):
                    wrong.append(Difference(place, month, found, value, math.inf))
                    continue
                gap = abs(found - value)
                scale = scales[place.line]
                worst = max(worst, gap / max(abs(value), scale, 1e-300))
                if gap > RELATIVE * max(abs(found), abs(value)) + OF_SCALE * scale:
                    wrong.append(Difference(place, month, found, value, gap))
        return compared, worst, wrong

    def downstream(self, given: Input) -> set[str]:
        """The lines that an input, or the table that it is a row of, can move."""
        graph = self.result.model.graph
        inputs = self.result.model.inputs
        read = next(
            name
            for name, held in inputs.items()
            if any(row.name == given.name for row in held.rows)
        )
        moved = {read}
        for group in graph.order:
            if any(found in moved for name in group for found in graph.reads(name)):
                moved.update(group)
        return moved - {read}

    def position(self, given: Input) -> tuple[int, int]:
        """The row and the column of an input's cell, counted from 1."""
        match = re.fullmatch(r"([A-Z]+)(\d+)", self.input_cells[given.name])
        assert match
        column = 0
        for letter in match[1]:
            column = column * 26 + ord(letter) - ord("A") + 1
        return int(match[2]), column

    def in_turn(self) -> Iterator[tuple[Input, dict[str, Array]]]:
        """Each input, and every line of the engine when it alone is changed.

        All numbers that are no rows of a table are changed in one run, a draw for each.
        """
        single = [given for given in self.inputs if given.name in self.result.model.inputs]
        changes = {}
        for place, given in enumerate(single):
            values = np.full(len(single), given.value)
            values[place] = changed_value(given)
            changes[given.name] = values
        drawn = evaluate(self.result.model, changes)
        for place, given in enumerate(single):
            yield (
                given,
                {
                    name: array[:, [place if array.shape[1] > 1 else 0]]
                    for name, array in drawn.items()
                },
            )
        for given in self.inputs:
            if given.name not in self.result.model.inputs:
                yield given, self.expected({given.name: changed_value(given)})

    def _scales(self, arrays: Mapping[str, Array]) -> dict[str, float]:
        """The largest amount of the same dimension in a line's block."""
        graph = self.result.model.graph
        largest: dict[tuple[str, object], float] = {}
        for name, line in graph.lines.items():
            key = (line.scope, line.unit.dimensions)
            largest[key] = max(largest.get(key, 0.0), float(np.abs(arrays[name]).max()))
        return {n: largest[line.scope, line.unit.dimensions] for n, line in graph.lines.items()}


def changed_value(given: Input) -> float:
    """The value that an input is changed to: a fraction towards one half, a whole number + 1."""
    value = given.value
    if given.whole:
        return value + 1
    if given.maximum == 1:
        return value + (0.5 - value) / 10 if value != 0.5 else 0.45
    if value == 0:
        return 0.1 if given.unit.label.startswith("fraction") else 1.0
    if given.maximum is not None:
        return value * 0.93
    return float(f"{value * 1.07:.15g}")


def rewrite(path: Path, target: Path, edit: object) -> Path:
    """Copy a workbook, editing the XML of its sheets and taking cached values out."""
    assert callable(edit)
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as copy:
        sheets = _sheet_files(source)
        for part in source.infolist():
            content = source.read(part.filename)
            if part.filename in sheets:
                text = edit(sheets[part.filename], content.decode("utf-8"))
                text = re.sub(r"(<f(?:\s[^>]*)?(?:/>|>[^<]*</f>))<v>[^<]*</v>", r"\1", text)
                content = text.encode("utf-8")
            copy.writestr(part.filename, content)
    return target


def numbers(path: Path) -> dict[str, dict[tuple[int, int], object]]:
    """The numbers of a workbook by sheet, row and column, as they stand in its XML."""
    cell = re.compile(r'<c r="([A-Z]+)(\d+)"([^>]*)>(?:<f[^>]*>[^<]*</f>|<f[^>]*/>)?<v>([^<]*)</v>')
    found: dict[str, dict[tuple[int, int], object]] = {}
    with zipfile.ZipFile(path) as source:
        for part, sheet in _sheet_files(source).items():
            text = source.read(part).decode("utf-8")
            found[sheet] = {
                (int(row), _column(letters)): float(value)
                for letters, row, attributes, value in cell.findall(text)
                if ' t="' not in attributes or ' t="n"' in attributes
            }
    return found


def _sheet_files(source: zipfile.ZipFile) -> dict[str, str]:
    book = source.read("xl/workbook.xml").decode("utf-8")
    relations = source.read("xl/_rels/workbook.xml.rels").decode("utf-8")
    targets = {}
    for relation in re.findall(r"<Relationship [^>]*>", relations):
        identity, target = (
            re.search(r'Id="([^"]*)"', relation),
            re.search(r'Target="([^"]*)"', relation),
        )
        assert identity
        assert target
        targets[identity[1]] = "xl/" + target[1].removeprefix("/xl/")
    sheets = re.findall(r'<sheet [^>]*name="([^"]*)"[^>]*r:id="([^"]*)"', book)
    return {targets[identity]: name for name, identity in sheets}


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
