"""A delivered workbook as a reader finds it: which cell holds which line, and the inputs.

Nothing is asked of the writer. The sheets' own words are read: a heading names a supply, a cost,
the option or a pair, and the note of a row begins with the line's name. Inputs are edited in the
file itself; the values cached beside formulas are taken out before anything is recalculated. A
number that cases change is edited in the cell of a case; the case is chosen on the Summary.
The file is read once, by `tests.report.opened`; where a line stands is in `Delivered.places`, the
cell of an input in `Delivered.input_cells`, what is cached in a cell in `Delivered.book`.
"""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path

import numpy as np

from tco.analysis.cases import Case, cases
from tco.engine.operations import Array
from tco.report.workbook import write_workbook
from tco.results import Result, evaluate, run
from tco.scenario.inputs import STRUCTURAL, Input
from tests.report.opened import (
    CONSTANT,
    LABEL,
    MONTH_0,
    NOTE,
    QUOTED,
    REFERENCE,
    Cell,
    Opened,
    Sheet,
    address,
    column_number,
    opened,
)

# after a formula of its own or a shared one
CACHED = re.compile(r"(?:(?<=</f>)|(?<=/>))<v>[^<]*</v>")
NAMED = re.compile(r"([a-z][a-z0-9_/]*) = ")
RELATIVE, OF_SCALE = 1e-9, 1e-12
SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").rglob("*.yaml"))
NAMES = [scenario.stem for scenario in SCENARIOS]
# those that LibreOffice recalculates too
RECALCULATED = [
    scenario
    for scenario in SCENARIOS
    if scenario.stem
    in (
        "burst-images",
        "china-4090-tax",
        "enterprise",
        "everything",
        "hybrid-peak",
        "lease-or-buy",
        "llmtco-rented",
        "midteam",
        "mixed-quotes",
        "price-lists",
        "training-run",
        "us-hgx-h100-loan",
        "workloads",
        "young-company",
    )
]


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

    @cached_property
    def book(self) -> Opened:
        """The file as it stands in its XML."""
        return opened(self.path)

    @cached_property
    def forms(self) -> set[str]:
        """Its formulas without what tells one cell from another: of references, the kind is left.

        Of the months, which have one formula a row, the first two are read.
        """
        return {
            _form(sheet, cell)
            for sheet, cell in self.book.formulas()
            if not sheet.calculates or cell.column not in sheet.month_columns[2:]
        }

    @property
    def inputs(self) -> list[Input]:
        """Inputs with a cell of their own that may be changed: all but structural tables."""
        return [given for given in self.result.model.numbers if given.kind != STRUCTURAL]

    @cached_property
    def input_cells(self) -> dict[str, str]:
        """The cell of each input on the Inputs sheet, from the workbook's own names."""
        return {
            name.removeprefix("in_"): where.rpartition("!")[2].replace("$", "")
            for name, where in self.book.names.items()
            if name.startswith("in_")
        }

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The cases of the scenario, as given first; none where it has none."""
        found = cases(self.result)
        return found.cases if found else ()

    def input_cell(self, name: str, case: int = 0) -> str:
        """The cell where an input is typed: of a number that the case sets, that of the case."""
        given = self.input_cells.get(f"{name}_given")
        if given is None or not case or name not in self.cases[case].values:
            return given or self.input_cells[name]
        match = re.fullmatch(r"([A-Z]+)(\d+)", given)
        assert match
        return address(int(match[2]), column_number(match[1]) + case)

    @cached_property
    def case_cells(self) -> tuple[str, list[str]]:
        """The cell of the Summary in which a case is chosen, and those of the names on Inputs."""
        match = re.search(
            r'<dataValidation type="list"[^>]* sqref="([A-Z]+\d+)"[^>]*>'
            r"<formula1>Inputs!\$([A-Z]+)\$(\d+):\$([A-Z]+)\$\3</formula1>",
            self.book.sheets["Summary"].xml,
        )
        assert match
        first, last = column_number(match[2]), column_number(match[4])
        return match[1], [address(int(match[3]), column) for column in range(first, last + 1)]

    @cached_property
    def places(self) -> list[Place]:
        """Every row that holds a line of the model."""
        found = []
        for name, sheet in self.book.sheets.items():
            if name == "Timeline" or name.startswith(("Option_", "Comparison")):
                found += list(self._places(sheet))
        return found

    def _places(self, sheet: Sheet) -> Iterator[Place]:
        graph = self.result.model.graph
        scope: str | None = "" if sheet.name == "Timeline" else None
        for number, row in sorted(sheet.rows.items()):
            filled = {c for c, cell in row.items() if cell.value is not None and c <= MONTH_0}
            if filled == {LABEL}:
                scope = self._scope(sheet.name, sheet.text(number, LABEL), scope)
            match = NAMED.match(sheet.text(number, NOTE))
            if match and scope is not None:
                line = f"{scope}/{match[1]}" if scope else match[1]
                if line in graph.lines:
                    yield Place(sheet.name, number, line, CONSTANT not in filled)

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

    def edited(self, changes: Mapping[str, float], target: Path, case: int = 0) -> Path:
        """A copy of the delivered file with input cells changed in its XML, cached values out.

        ``case`` is the number of the case that is chosen, whose cells are changed.
        """
        cells = {self.input_cell(name, case): value for name, value in changes.items()}
        shared = re.compile(r'(?P<before><c r="(?P<cell>[A-Z]+\d+)"[^>]* t="s"><v>)(?P<text>\d+)')
        texts = {
            found["cell"]: found["text"]
            for found in shared.finditer(self.book.sheets["Inputs"].xml)
        }

        def edit(sheet: str, content: str) -> str:
            if sheet == "Inputs":
                for cell, value in cells.items():
                    pattern = rf'(<c r="{cell}"[^>]*><v>)[^<]*(</v>)'
                    content, times = re.subn(pattern, rf"\g<1>{value!r}\g<2>", content)
                    assert times == 1, f"Inputs!{cell} holds no number"
            if sheet == "Summary" and case:
                chosen, names = self.case_cells
                pattern = rf'(<c r="{chosen}"[^>]* t="s"><v>)\d+'
                content, times = re.subn(pattern, rf"\g<1>{texts[names[case]]}", content)
                assert times == 1, f"Summary!{chosen} holds no name"
            return content

        return rewrite(self.path, target, edit)

    def expected(self, changes: Mapping[str, float], case: int = 0) -> dict[str, Array]:
        """Every line of the engine at the same changes, in a case."""
        values = self.cases[case].values if case else {}
        return evaluate(self.result.model, {**values, **changes})

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
        held = [place for place in self.places if lines is None or place.line in lines]
        found: list[object] = []
        expected: list[float] = []
        scale: list[float] = []
        at: list[tuple[Place, int]] = []
        for place in held:
            sheet = cells[place.sheet]
            values = arrays[place.line][:, 0].tolist()
            columns = range(MONTH_0, MONTH_0 + len(values)) if place.months else [CONSTANT]
            found += [sheet.get((place.row, column)) for column in columns]
            expected += values[: len(columns)]
            scale += [scales[place.line]] * len(columns)
            at += [(place, month) for month in range(len(columns))]
        right, scaled = np.array(expected), np.array(scale)
        numbers = np.array([x if type(x) in (int, float) else math.nan for x in found], float)
        gaps = np.abs(numbers - right)
        allowed = RELATIVE * np.maximum(np.abs(numbers), np.abs(right)) + OF_SCALE * scaled
        # what is no number is as far off as can be
        gaps[np.isnan(gaps)] = math.inf
        sizes = np.maximum(np.maximum(np.abs(right), scaled), 1e-300)
        wrong = [
            Difference(*at[cell], found[cell], expected[cell], float(gaps[cell]))
            for cell in np.flatnonzero(~(gaps <= allowed))
        ]
        worst = np.max(gaps / sizes, initial=0.0, where=np.isfinite(gaps))
        return len(found), float(worst), wrong

    def downstream(self, changed: Collection[Input]) -> set[str]:
        """The lines that inputs, or the tables that they are rows of, can move."""
        graph = self.result.model.graph
        names = {given.name for given in changed}
        read = {
            name
            for name, held in self.result.model.inputs.items()
            if not names.isdisjoint(row.name for row in held.rows)
        }
        moved = set(read)
        for group in graph.order:
            if any(not moved.isdisjoint(graph.reads(name)) for name in group):
                moved.update(group)
        return moved - read

    def position(self, given: Input, case: int = 0) -> tuple[int, int]:
        """The row and the column of an input's cell, counted from 1."""
        match = re.fullmatch(r"([A-Z]+)(\d+)", self.input_cell(given.name, case))
        assert match
        return int(match[2]), column_number(match[1])

    def in_turn(self) -> Iterator[tuple[Input, dict[str, Array]]]:
        """Each input, and every line of the engine when it alone is changed."""
        single, drawn = self._drawn_in_turn
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

    def unmoved(self) -> list[Input]:
        """The inputs that move no line when each is changed alone."""
        base = self.expected({})
        single, drawn = self._drawn_in_turn
        moved = np.zeros(len(single), bool)
        for name, array in drawn.items():
            moved |= np.any(array != base[name], axis=0)
        still = [given for given, moves in zip(single, moved, strict=True) if not moves]
        for given in self.inputs:
            if given.name not in self.result.model.inputs:
                alone = self.expected({given.name: changed_value(given)})
                if all(np.array_equal(base[name], alone[name]) for name in base):
                    still.append(given)
        return still

    @property
    def _drawn_in_turn(self) -> tuple[list[Input], dict[str, Array]]:
        """Numbers that are no rows of a table, and a run with a draw for each: it alone changed."""
        single = [given for given in self.inputs if given.name in self.result.model.inputs]
        changes = {}
        for place, given in enumerate(single):
            values = np.full(len(single), given.value)
            values[place] = changed_value(given)
            changes[given.name] = values
        return single, evaluate(self.result.model, changes)

    def _scales(self, arrays: Mapping[str, Array]) -> dict[str, float]:
        """The largest amount of the same dimension in a line's block."""
        graph = self.result.model.graph
        largest: dict[tuple[str, object], float] = {}
        for name, line in graph.lines.items():
            key = (line.scope, line.unit.dimensions)
            largest[key] = max(largest.get(key, 0.0), float(np.abs(arrays[name]).max()))
        return {n: largest[line.scope, line.unit.dimensions] for n, line in graph.lines.items()}


def _form(sheet: Sheet, cell: Cell) -> str:
    def kind(match: re.Match[str]) -> str:
        if match[1]:
            return "other"
        fixed = match[2] or not sheet.calculates
        return "$" if fixed else f"[{column_number(match[3]) - cell.column}]"

    text = re.sub(r"\bin_\w+", "in", QUOTED.sub('""', cell.formula or ""))
    return REFERENCE.sub(kind, text)


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
                text = CACHED.sub("", text)
                content = text.encode("utf-8")
            copy.writestr(part.filename, content)
    return target


def values(path: Path) -> dict[str, dict[tuple[int, int], object]]:
    """What formulas gave, by sheet, row and column, as it stands in the XML of a workbook.

    A typed text is the number of a shared string and left out: no formula gives one.
    """
    cell = re.compile(r'<c r="([A-Z]+)(\d+)"([^>]*)>(?:<f[^>]*>[^<]*</f>|<f[^>]*/>)?<v>([^<]*)</v>')
    found: dict[str, dict[tuple[int, int], object]] = {}
    with zipfile.ZipFile(path) as source:
        for part, sheet in _sheet_files(source).items():
            text = source.read(part).decode("utf-8")
            found[sheet] = {
                (int(row), column_number(letters)): _content(attributes, value)
                for letters, row, attributes, value in cell.findall(text)
            }
    return found


def _content(attributes: str, value: str) -> object:
    kind = re.search(r' t="(\w+)"', attributes)
    if kind is None or kind[1] in ("n", "b"):
        return float(value)
    return None if kind[1] == "s" else unescape(value)


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
