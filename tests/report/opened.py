"""A delivered workbook as it stands in its XML: cells, looks, names and the settings of pages.

Read without any spreadsheet library, so that what is judged is the file and nothing else.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
REFERENCE = re.compile(r"(?:(\w+)!)?(\$?)([A-Z]{1,3})(\$?)(\d+)(?![\w(])")
QUOTED = re.compile(r'"[^"]*"')
LABEL, UNIT, NOTE, CONSTANT, TOTAL, OPENING, MONTH_0 = range(1, 8)
CALCULATIONS = re.compile(r"Timeline|(?:Option|Statement)_\d+|Comparison|Trials")


class Cell(NamedTuple):
    """One cell: its formula without ``=``, the value cached or typed, and its looks."""

    row: int
    column: int
    formula: str | None
    value: str | float | None
    kind: str
    ink: str
    fill: str
    size: float
    array: bool = False

    @property
    def is_number(self) -> bool:
        return isinstance(self.value, float)


@dataclass(frozen=True)
class Reference:
    """A cell that a formula reads; ``sheet`` is None for its own."""

    sheet: str | None
    row: int
    column: int
    fixed_column: bool


@dataclass
class Sheet:
    name: str
    xml: str
    cells: dict[tuple[int, int], Cell]

    @cached_property
    def rows(self) -> dict[int, dict[int, Cell]]:
        found: dict[int, dict[int, Cell]] = {}
        for (row, column), cell in self.cells.items():
            found.setdefault(row, {})[column] = cell
        return found

    @cached_property
    def month_columns(self) -> range:
        """The columns of the months, by the header; those to their right are longer periods."""
        heads = [c for c, cell in self.rows[4].items() if str(cell.value).startswith("month ")]
        return range(MONTH_0, max(heads, default=MONTH_0) + 1)

    @cached_property
    def period_columns(self) -> list[range]:
        """The columns of the fiscal years and their total, and of the quarters."""
        heads = sorted(c for c in self.rows[4] if c >= self.month_columns.stop)
        starts = [c for c in heads if c - 1 not in heads]
        return [
            range(s, next(c for c in heads if c >= s and c + 1 not in heads) + 1) for s in starts
        ]

    @cached_property
    def calculates(self) -> bool:
        return CALCULATIONS.fullmatch(self.name) is not None

    def text(self, row: int, column: int) -> str:
        cell = self.cells.get((row, column))
        return cell.value if cell and isinstance(cell.value, str) else ""

    def number(self, row: int, column: int) -> float | None:
        cell = self.cells.get((row, column))
        return cell.value if cell and isinstance(cell.value, float) else None

    def data_rows(self) -> Iterator[tuple[int, dict[int, Cell]]]:
        """Rows below the header that hold more than a heading."""
        for number, row in self.rows.items():
            if number > 4 and any(c.formula or c.is_number for c in row.values()):
                yield number, row

    def row_of(self, line: str) -> int:
        """The row of a line, by the name that its note begins with."""
        return next(r for r in self.rows if self.text(r, NOTE).startswith(f"{line} = "))

    def row_noted(self, line: str) -> int:
        """The row of a statement that shows a line, by its note: an account may stand before it."""
        return next(r for r in self.rows if self.text(r, NOTE).rpartition(": ")[2] == line)


@dataclass
class Opened:
    """A workbook: its sheets in order, its defined names, and every part of the file as text."""

    sheets: dict[str, Sheet]
    names: dict[str, str]
    parts: Mapping[str, str]

    @property
    def calculations(self) -> list[Sheet]:
        return [sheet for sheet in self.sheets.values() if sheet.calculates]

    def formulas(self) -> Iterator[tuple[Sheet, Cell]]:
        for sheet in self.sheets.values():
            for cell in sheet.cells.values():
                if cell.formula is not None:
                    yield sheet, cell


def opened(path: Path) -> Opened:
    """Read a workbook."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name).decode("utf-8", "replace") for name in file.namelist()}
    strings, styles = parts.get("xl/sharedStrings.xml", "<sst/>"), parts["xl/styles.xml"]
    book = ElementTree.fromstring(parts["xl/workbook.xml"])
    sheets = {}
    for name, part in sheet_parts(parts).items():
        sheets[name] = Sheet(name, parts[part], _cells(parts[part], strings, styles))
    names = {
        str(n.get("name")): n.text or ""
        for n in book.iter(f"{MAIN}definedName")
        if not str(n.get("name")).startswith("_xlnm")
    }
    return Opened(sheets, names, parts)


def rewritten(path: Path, target: Path, parts: Mapping[str, str]) -> Path:
    """Copy a workbook with some of its parts replaced or added."""
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as copy:
        for part in source.infolist():
            changed = parts.get(part.filename)
            copy.writestr(part, source.read(part) if changed is None else changed)
        for name in parts.keys() - set(source.namelist()):
            copy.writestr(name, parts[name])
    return target


def sheet_parts(parts: Mapping[str, str]) -> dict[str, str]:
    """Which part of the file holds which sheet, in the order of the sheets."""
    found = {}
    relations = ElementTree.fromstring(parts["xl/_rels/workbook.xml.rels"])
    targets = {r.get("Id"): f"xl/{r.get('Target')}" for r in relations}
    book = ElementTree.fromstring(parts["xl/workbook.xml"])
    for sheet in book.iter(f"{MAIN}sheet"):
        relation = next(value for key, value in sheet.attrib.items() if key.endswith("}id"))
        found[str(sheet.get("name"))] = targets[relation]
    return found


# two rules go through the formulas of a workbook, one after the other
@lru_cache(maxsize=100_000)
def references(formula: str) -> tuple[Reference, ...]:
    """The cells that a formula names; of a range its two corners."""
    found = []
    sheet = None
    text = QUOTED.sub("", formula)
    end = -1
    for match in REFERENCE.finditer(text):
        ranged = match.start() == end + 1 and text[end : end + 1] == ":"
        sheet = match[1] or (sheet if ranged else None)
        end = match.end()
        fixed_column = match[2] == "$"
        found.append(Reference(sheet, int(match[5]), column_number(match[3]), fixed_column))
    return tuple(found)


def relative(formula: str, column: int) -> str:
    """A formula with the columns that are not fixed written as distances: R1C1 in spirit.

    >>> relative("F5+$G5+G6", 7)
    '[-1]5+$G5+[0]6'
    """

    def distance(match: re.Match[str]) -> str:
        sheet = f"{match[1]}!" if match[1] else ""
        if match[2]:
            return match[0]
        return f"{sheet}[{column_number(match[3]) - column}]{match[4]}{match[5]}"

    return REFERENCE.sub(distance, formula)


@cache
def column_number(letters: str) -> int:
    """The number of a column, counted from 1.

    >>> column_number("G"), column_number("AQ")
    (7, 43)
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def address(row: int, column: int) -> str:
    """The name of a cell: ``G5``."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


@lru_cache(maxsize=1)
def _strings(xml: str) -> list[str]:
    table = ElementTree.fromstring(xml)
    return ["".join(t.text or "" for t in si.iter(f"{MAIN}t")) for si in table.iter(f"{MAIN}si")]


@lru_cache(maxsize=1)
def _looks(xml: str) -> list[tuple[str, str, float]]:
    """Ink, fill and size of each style."""
    sheet = ElementTree.fromstring(xml)
    inks, sizes = [], []
    for font in sheet.find(f"{MAIN}fonts") or ():
        colour, size = font.find(f"{MAIN}color"), font.find(f"{MAIN}sz")
        sizes.append(float(size.get("val", 11)) if size is not None else 11.0)
        inks.append((colour.get("rgb") if colour is not None else None) or "FF000000")
    fills = []
    for fill in sheet.find(f"{MAIN}fills") or ():
        colour = next(iter(fill.iter(f"{MAIN}fgColor")), None)
        fills.append((colour.get("rgb") if colour is not None else None) or "")
    return [
        (
            inks[int(xf.get("fontId", 0))],
            fills[int(xf.get("fillId", 0))],
            sizes[int(xf.get("fontId", 0))],
        )
        for xf in sheet.find(f"{MAIN}cellXfs") or ()
    ]


# a broken workbook is a whole one with a sheet or two changed: the rest has been read before
@lru_cache(maxsize=16)
def _cells(xml: str, shared_strings: str, styles: str) -> dict[tuple[int, int], Cell]:
    strings, looks = _strings(shared_strings), _looks(styles)
    found = {}
    for element in ElementTree.fromstring(xml).iter(f"{MAIN}c"):
        letters, digits = re.fullmatch(r"([A-Z]+)(\d+)", str(element.get("r"))).groups()  # type: ignore[union-attr]
        formula, value = element.find(f"{MAIN}f"), element.find(f"{MAIN}v")
        kind = element.get("t", "n")
        content: str | float | None = None
        if value is not None and value.text is not None:
            if kind == "s":
                content = strings[int(value.text)]
            else:
                number = re.fullmatch(r"[-+.0-9Ee]+", value.text) and kind in ("n", "b")
                content = float(value.text) if number else value.text
        ink, fill, size = looks[int(element.get("s", 0))]
        place = (int(digits), column_number(letters))
        text = (formula.text or "") if formula is not None else None
        array = formula is not None and formula.get("t") == "array"
        found[place] = Cell(*place, text, content, kind, ink, fill, size, array)
    return found
