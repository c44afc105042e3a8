"""The rules that a delivered workbook holds to, and for each a way to break it.

Numbers 1 to 24 are those of common modelling standards (FAST, ICAEW, SMART): inputs apart from
calculations, one formula a row, no hidden parts, no bare numbers. A rule gives the faults it finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.report.opened import (
    CALCULATIONS,
    CONSTANT,
    LABEL,
    MONTH_0,
    NOTE,
    OPENING,
    QUOTED,
    TOTAL,
    UNIT,
    Cell,
    Opened,
    Sheet,
    address,
    references,
    relative,
    sheet_parts,
)

Parts = dict[str, str]
Faults = Iterator[str]
Node = tuple[str, int, int]
BLUE, GREEN, BLACK = "FF0000FF", "FF007A33", "FF000000"
FUNCTIONS = {
    "IF",
    "SUM",
    "SUMPRODUCT",
    "MIN",
    "MAX",
    "MOD",
    "SUMIF",
    "PV",
    "LOOKUP",
    "INDEX",
    "MATCH",
    "COUNT",
    "INT",
    "ROUNDUP",
    "ABS",
    "TEXT",
}
HEADERS = ("Line", "Unit", "How it is computed", "Constant", "Total", "Opening")
NAME = re.compile(r"(in|out)_[a-z0-9_]{1,60}")
LONGEST = 120
NEVER_NEGATIVE = (
    "capex",
    "electricity_cost",
    "staff_cost",
    "rent_cost",
    "api_cost",
    "depreciation",
)
# the columns of the Inputs sheet
VALUE, DELIVERED, SOURCE, DATE, AGE, WHY, ALLOWED = 3, 4, 8, 9, 10, 11, 12


@dataclass(frozen=True)
class Rule:
    """A rule: what it says, how to find faults, and how to break a workbook that holds to it."""

    number: str
    says: str
    faults: Callable[[Opened], Faults]
    spoil: Callable[[Opened, Parts], None]

    def __str__(self) -> str:
        return f"{self.number} {self.says}"


RULES: list[Rule] = []


def rule(
    number: str, says: str, spoil: Callable[[Opened, Parts], None]
) -> Callable[[Callable[[Opened], Faults]], Callable[[Opened], Faults]]:
    """Enter a rule in the list."""

    def enter(faults: Callable[[Opened], Faults]) -> Callable[[Opened], Faults]:
        RULES.append(Rule(number, says, faults, spoil))
        return faults

    return enter


# how to break a workbook


def replaced(parts: Parts, part: str, old: str, new: str) -> None:
    """Replace a piece of a part of the file, once; it has to be there."""
    assert old in parts[part], f"{old!r} is not in {part}"
    parts[part] = parts[part].replace(old, new, 1)


def with_cell(parts: Parts, sheet: str, cell: str, new: Callable[[str], str]) -> None:
    """Replace the XML of a cell."""
    part = sheet_parts(parts)[sheet]
    found = re.search(rf'<c r="{cell}"[^>]*?(?:/>|>.*?</c>)', parts[part])
    assert found, f"{sheet}!{cell} is empty"
    changed = new(found[0])
    assert changed != found[0], found[0]
    parts[part] = parts[part].replace(found[0], changed, 1)


def _in_period(line: str, formula: str) -> Callable[[Opened, Parts], None]:
    """Put another formula into the first fiscal year of a line of Statement_1."""

    def spoil(book: Opened, parts: Parts) -> None:
        sheet = book.sheets["Statement_1"]
        cell = address(sheet.row_noted(line), sheet.period_columns[0][0])
        with_formula(parts, "Statement_1", cell, formula)

    return spoil


def with_formula(parts: Parts, sheet: str, cell: str, formula: str) -> None:
    """Put another formula in a cell, the cached value left as it is."""
    with_cell(parts, sheet, cell, lambda xml: re.sub("<f>.*?</f>", f"<f>{formula}</f>", xml))


def in_sheet(sheet: str, old: str, new: str) -> Callable[[Opened, Parts], None]:
    """Replace a piece of a sheet's XML."""
    return lambda book, parts: replaced(parts, sheet_parts(parts)[sheet], old, new)


def formula_of(line: str, formula: str, sheet: str = "Option_1") -> Callable[[Opened, Parts], None]:
    """Put a formula in the first cell of a line: its constant, or its month 1."""

    def spoil(book: Opened, parts: Parts) -> None:
        row = book.sheets[sheet].row_of(line)
        months = (row, MONTH_0) in book.sheets[sheet].cells
        with_formula(parts, sheet, address(row, MONTH_0 + 1 if months else CONSTANT), formula)

    return spoil


def without_cell(sheet: str, cell: str) -> Callable[[Opened, Parts], None]:
    """Take a cell away."""
    return lambda book, parts: with_cell(parts, sheet, cell, lambda xml: "")


def _first_input(book: Opened) -> int:
    return min(int(where.rpartition("$")[2]) for where in book.names.values() if ":" not in where)


def _spoil_input(column: int) -> Callable[[Opened, Parts], None]:
    return lambda book, parts: with_cell(
        parts, "Inputs", address(_first_input(book), column), lambda xml: ""
    )


def _number_instead_of_formula(book: Opened, parts: Parts) -> None:
    row = book.sheets["Option_1"].row_of("npv_of_cost")
    with_cell(parts, "Option_1", f"D{row}", lambda xml: re.sub("<f>.*?</f>", "", xml))


def _another_style(sheet: str, line: str, like: str) -> Callable[[Opened, Parts], None]:
    def spoil(book: Opened, parts: Parts) -> None:
        row = book.sheets[sheet].row_of(line)
        style = re.search(rf'<c r="{like}" s="(\d+)"', parts[sheet_parts(parts)["Inputs"]])
        assert style
        with_cell(parts, sheet, f"D{row}", lambda xml: re.sub(r's="\d+"', f's="{style[1]}"', xml))

    return spoil


def _twice(book: Opened, parts: Parts) -> None:
    sheet = book.sheets["Option_1"]
    formula = sheet.cells[sheet.row_of("npv_of_cost"), CONSTANT].formula
    row = sheet.row_of("equivalent_monthly_cost")
    with_formula(parts, "Option_1", f"D{row}", str(formula))


def _same_label(book: Opened, parts: Parts) -> None:
    sheet = book.sheets["Option_1"]
    one, two = sheet.row_of("npv_of_cost"), sheet.row_of("total_cost")
    found = re.search(rf'<c r="A{one}"[^>]*>(<v>\d+</v>)', sheet.xml)
    assert found
    with_cell(parts, "Option_1", f"A{two}", lambda xml: re.sub(r"<v>\d+</v>", found[1], xml))


def _cached(line: str, value: str) -> Callable[[Opened, Parts], None]:
    def spoil(book: Opened, parts: Parts) -> None:
        row = book.sheets["Option_1"].row_of(line)
        months = (row, MONTH_0) in book.sheets["Option_1"].cells
        cell = address(row, MONTH_0 + 1 if months else CONSTANT)
        with_cell(
            parts, "Option_1", cell, lambda xml: re.sub("<v>[^<]*</v>", f"<v>{value}</v>", xml)
        )

    return spoil


def _closing_without_opening(book: Opened, parts: Parts) -> None:
    sheet = book.sheets["Option_1"]
    row, opening = sheet.row_of("book_value"), sheet.row_of("opening_book_value")
    with_formula(parts, "Option_1", f"H{row}", f"H{opening - 1}")


def _reads_below(book: Opened, parts: Parts) -> None:
    sheet = book.sheets["Option_1"]
    with_formula(parts, "Option_1", f"D{sheet.row_of('total_cost')}", f"D{max(sheet.rows)}")


def _circle(book: Opened, parts: Parts) -> None:
    row = book.sheets["Option_1"].row_of("total_cost")
    with_formula(parts, "Option_1", f"D{row}", f"$D${row}+0")


# the rules


def _place(sheet: Sheet, cell: Cell) -> str:
    return f"{sheet.name}!{address(cell.row, cell.column)}"


@rule(
    "01",
    "inputs, calculations, outputs and checks on sheets of their own",
    lambda book, parts: with_cell(
        parts, "Inputs", f"C{_first_input(book)}", lambda xml: xml.replace("<v>", "<f>1+1</f><v>")
    ),
)
def separate(book: Opened) -> Faults:
    names = list(book.sheets)
    calculations = [name for name in names if CALCULATIONS.fullmatch(name)]
    outputs = [name for name in names if name in ("Break_even", "Sensitivity")]
    if names != ["Summary", *outputs, "Inputs", *calculations, "Checks", "About"]:
        yield f"the sheets are {names}"
    for cell in book.sheets["Inputs"].cells.values():
        if cell.formula is not None and cell.formula != "Checks!$D$3" and not _by_case(cell):
            yield f"Inputs!{address(cell.row, cell.column)} computes {cell.formula}"


def _by_case(cell: Cell) -> bool:
    """Whether a cell of Inputs takes the number of a case, or tells which case is chosen.

    The numbers of the cases stand side by side at the top of the sheet; see test_case_selector.
    """
    formula = cell.formula or ""
    taken = re.fullmatch(r"INDEX\(\$C\$(\d+):\$[A-Z]\$\1,in_case\)", formula)
    number = re.fullmatch(r"MATCH\(1,\$C\$8:\$[A-Z]\$8,0\)", formula)
    if cell.column == VALUE and cell.row > 8:
        return bool(taken or number)
    as_given = f"$C{cell.row}"
    chosen = f"IF({address(7, cell.column).replace('7', '$7')}=Summary!$B$3,1,0)"
    return formula == (chosen if cell.row == 8 else as_given)


@rule(
    "02",
    "every number on a calculation sheet is a formula, every input is given once",
    _number_instead_of_formula,
)
def formulas_only(book: Opened) -> Faults:
    for sheet in book.calculations:
        for cell in sheet.cells.values():
            if cell.is_number and cell.formula is None:
                yield f"{_place(sheet, cell)} is typed"
    cells = [where for where in book.names.values() if ":" not in where]
    if len(cells) != len(set(cells)):
        yield "two names have one cell"
    for name, where in book.names.items():
        row = int(where.rpartition("$")[2])
        if not where.startswith("Inputs!$"):
            yield f"{name} is at {where}"
        elif ":" not in where and book.sheets["Inputs"].number(row, VALUE) is None:
            yield f"{name} holds no number"


@rule("03", "one formula a row across the timeline", formula_of("cash_cost", "$D$7"))
def one_formula_a_row(book: Opened) -> Faults:
    for sheet in book.calculations:
        for number, row in sheet.data_rows():
            for columns in (sheet.month_columns, *_periods_alone(sheet)):
                cells = {c: cell for c, cell in row.items() if c in columns}
                found = {relative(cell.formula or "", c) for c, cell in cells.items()}
                if len(found) > 1:
                    yield f"{sheet.name} row {number}: {sorted(found)[:2]}"


def _periods_alone(sheet: Sheet) -> list[range]:
    """The fiscal years without their total, and the quarters."""
    if not sheet.period_columns:
        return []
    years, quarters = sheet.period_columns
    return [years[:-1], quarters]


@rule("04", "the same column is the same month on every sheet", without_cell("Option_1", "H4"))
def same_months(book: Opened) -> Faults:
    axes = []
    for sheet in book.calculations:
        header = sheet.rows[4]
        axes.append([header[c].value for c in sheet.month_columns if c in header])
        if axes[-1] != [f"month {m}" for m in range(len(axes[-1]))]:
            yield f"{sheet.name}: {axes[-1][:3]}"
        for number, row in sheet.data_rows():
            filled = [c for c in sheet.month_columns if c in row]
            if filled and filled != list(range(MONTH_0, MONTH_0 + len(axes[-1]))):
                yield f"{sheet.name} row {number} does not fill its months"
    if any(axis != axes[0] for axis in axes):
        yield "the sheets have different months"


@rule(
    "05",
    "a column has one purpose: label, unit, constant, total, opening, months",
    without_cell("Option_1", "F4"),
)
def fixed_columns(book: Opened) -> Faults:
    for sheet in book.calculations:
        heads = tuple(sheet.text(4, column) for column in range(LABEL, MONTH_0))
        if heads != HEADERS:
            yield f"{sheet.name}: {heads}"
        for number, row in sheet.data_rows():
            if (CONSTANT in row) == (MONTH_0 in row):
                yield f"{sheet.name} row {number} has not either a constant or months"
            if OPENING in row:
                yield f"{sheet.name} row {number} has an opening cell"
            if TOTAL in row:
                last = address(number, sheet.month_columns[-1]).removesuffix(str(number))
                if row[TOTAL].formula != f"SUM($G{number}:${last}{number})":
                    yield f"{sheet.name} row {number}: total {row[TOTAL].formula}"


@rule(
    "06",
    "every row has a unit",
    lambda book, parts: with_cell(
        parts, "Option_1", f"B{book.sheets['Option_1'].row_of('npv_of_cost')}", lambda xml: ""
    ),
)
def units(book: Opened) -> Faults:
    for sheet in book.calculations:
        for number, _ in sheet.data_rows():
            if not sheet.text(number, UNIT):
                yield f"{sheet.name} row {number} ({sheet.text(number, LABEL)})"


@rule("07", "no constants in formulas but 0, 1, -1", formula_of("npv_of_cost", "$D$7*12"))
def no_constants(book: Opened) -> Faults:
    for sheet, cell in book.formulas():
        text = re.sub(r"\$?[A-Z]{1,3}\$?\d+|\b\w+_\w+\b", "", QUOTED.sub("", cell.formula or ""))
        for number in re.findall(r"\d+(?:\.\d+)?", text):
            if number not in ("0", "1"):
                yield f"{_place(sheet, cell)} holds {number}: {cell.formula}"


@rule(
    "08",
    "inputs blue on a fill, links to other sheets green, the rest black",
    _another_style("Option_1", "npv_of_cost", "C7"),
)
def colours(book: Opened) -> Faults:
    for sheet, cell in book.formulas():
        expected = GREEN if _other_sheets(cell) else BLACK
        if cell.ink != expected:
            yield f"{_place(sheet, cell)} is {cell.ink}, not {expected}"
    inputs = book.sheets["Inputs"]
    live = set(_validated(inputs))
    for where in book.names.values():
        if ":" in where:
            continue
        cell = inputs.cells[int(where.rpartition("$")[2]), VALUE]
        blue = cell.ink == BLUE and bool(cell.fill)
        if blue != (address(cell.row, cell.column) in live):
            yield f"{_place(inputs, cell)} is {cell.ink} on {cell.fill or 'nothing'}"
    texts = {cell.value for cell in book.sheets["About"].cells.values()}
    if "an input: change it" not in texts:
        yield "About has no legend of colours"


def _other_sheets(cell: Cell) -> bool:
    text = QUOTED.sub("", cell.formula or "")
    return "!" in text or re.fullmatch(r"in_\w+", text) is not None


@rule("09", "formulas on one line and short", formula_of("npv_of_cost", "+".join(["$D$7"] * 30)))
def short(book: Opened) -> Faults:
    for sheet, cell in book.formulas():
        if len(cell.formula or "") > LONGEST or "\n" in (cell.formula or ""):
            yield f"{_place(sheet, cell)}: {len(cell.formula or '')} characters"


@rule("10", "no IF inside an IF", formula_of("npv_of_cost", "IF($D$7=0,IF($D$8=0,0,1),1)"))
def no_nested_if(book: Opened) -> Faults:
    for sheet, cell in book.formulas():
        if _deepest_if(QUOTED.sub("", cell.formula or "")) > 1:
            yield f"{_place(sheet, cell)}: {cell.formula}"


def _deepest_if(formula: str) -> int:
    """How many IFs stand inside one another."""
    open_calls: list[bool] = []
    deepest = 0
    for match in re.finditer(r"([A-Z]*)\(|\)", formula):
        if match[0] == ")":
            open_calls.pop()
        else:
            open_calls.append(match[1] == "IF")
            deepest = max(deepest, sum(open_calls))
    return deepest


@rule(
    "11",
    "only functions of the list: nothing volatile, no arrays, no macros",
    formula_of("npv_of_cost", "OFFSET($D$7,0,0)"),
)
def known_functions(book: Opened) -> Faults:
    for sheet, cell in book.formulas():
        used = set(re.findall(r"([A-Z][A-Z0-9.]*)\(", QUOTED.sub("", cell.formula or "")))
        if used - FUNCTIONS or cell.array:
            yield f"{_place(sheet, cell)} uses {used - FUNCTIONS or 'an array'}"
    for part in book.parts:
        if "vba" in part.lower():
            yield f"the file holds {part}"


@rule(
    "12",
    "no NPV(): a row of factors and SUMPRODUCT",
    formula_of("npv_of_cost", "NPV($D$7,$G$9:$H$9)"),
)
def no_npv(book: Opened) -> Faults:
    for sheet, cell in book.formulas():
        if re.search(r"\bX?NPV\(", cell.formula or ""):
            yield f"{_place(sheet, cell)}: {cell.formula}"


@rule("13", "balances are opening + additions - reductions = closing", _closing_without_opening)
def balances(book: Opened) -> Faults:
    for sheet in book.calculations:
        for number, row in sheet.data_rows():
            if MONTH_0 + 1 not in row:
                continue
            column = MONTH_0 + 1
            text = relative(row[column].formula or "", column)
            if "[-1]" not in text or re.fullmatch(rf"\[-1\]{number}\+1", text):
                continue  # no balance, or the counter of months
            if all(int(above) < number for above in re.findall(r"\[-1\](\d+)", text)):
                continue  # what a row above has changed by since last month
            closing = re.fullmatch(r"\[-1\](\d+)", text)
            if not closing:
                yield f"{sheet.name} row {number} reads last month but is no opening: {text}"
                continue
            found = relative(sheet.rows[int(closing[1])][column].formula or "", column)
            terms = re.split(r"(?<=\d)(?=[+-])", found)
            moved = r"[+-]?(?:\$D\$\d+\*)?\[0\](\d+)"
            if f"[0]{number}" not in [term.lstrip("+") for term in terms] or not all(
                re.fullmatch(moved, term) for term in terms
            ):
                yield f"{sheet.name} row {closing[1]} is no closing balance: {found}"


@rule("14", "no circular references", _circle)
def no_circles(book: Opened) -> Faults:
    reads: dict[Node, set[Node]] = {}
    for sheet, cell in book.formulas():
        for reference in references(cell.formula or ""):
            other = book.sheets[reference.sheet or sheet.name]
            before = not reference.fixed_column and reference.column == cell.column - 1
            if not (before and other is sheet and sheet.calculates):
                target = _node(other, reference.row, reference.column)
                reads.setdefault(_node(sheet, cell.row, cell.column), set()).add(target)
    done: set[Node] = set()
    for start in reads:
        if start not in done:
            yield from _circles(start, reads, done)


def _node(sheet: Sheet, row: int, column: int) -> Node:
    """A cell; of a calculation sheet the row of months as one."""
    as_one = sheet.calculates and column in sheet.month_columns
    return sheet.name, row, MONTH_0 if as_one else column


def _circles(start: Node, reads: dict[Node, set[Node]], done: set[Node]) -> Faults:
    stack = [(start, iter(sorted(reads.get(start, ()))))]
    on_path = {start}
    while stack:
        here, ahead = stack[-1]
        step = next(ahead, None)
        if step is None:
            done.add(here)
            on_path.discard(here)
            stack.pop()
        elif step in on_path:
            yield f"{step[0]} row {step[1]} leads back to itself"
        elif step not in done:
            on_path.add(step)
            stack.append((step, iter(sorted(reads.get(step, ())))))


@rule("15", "a formula reads rows above it; last month of a balance may stand below", _reads_below)
def downwards(book: Opened) -> Faults:
    for sheet in book.calculations:
        for cell in sheet.cells.values():
            for reference in references(cell.formula or ""):
                if reference.sheet is not None:
                    continue
                before = not reference.fixed_column and reference.column == cell.column - 1
                sums = cell.column == TOTAL or cell.column >= sheet.month_columns.stop
                below = reference.row > cell.row or (reference.row == cell.row and not sums)
                if below and not before:
                    yield f"{_place(sheet, cell)} reads row {reference.row}"


@rule("16", "each calculation once, each call-up once, formulas read their own sheet", _twice)
def once(book: Opened) -> Faults:
    for sheet in book.calculations:
        seen: dict[tuple[int, str], int] = {}
        headings = [n for n in sheet.rows if n > 4 and not sheet.text(n, UNIT)]
        for number, row in sheet.data_rows():
            cell = row.get(CONSTANT) or row.get(MONTH_0)
            assert cell is not None
            text = relative(cell.formula or "", cell.column)
            whole_link = re.fullmatch(r"(?:\w+!)?[$\[\]A-Z0-9]+|in_\w+", text)
            if "!" in text and not whole_link:
                yield f"{sheet.name} row {number} computes with another sheet: {text}"
            if re.fullmatch(r'[$A-Z0-9]+|\[0\]\d+|"[^"]*"|IF\(.*"never".*\)', text):
                continue  # the same cell or word may be shown twice, a row may take another's
            # two pairs may come to the same where a chain starts from 0: one block at a time
            block = 0 if whole_link else max((n for n in headings if n < number), default=0)
            if (block, text) in seen:
                yield f"{sheet.name} rows {seen[block, text]} and {number}: {text}"
            seen[block, text] = number


@rule(
    "17",
    "checks are 0 or 1 on Checks, one master check on every sheet",
    without_cell("Option_1", "C1"),
)
def checks(book: Opened) -> Faults:
    sheet = book.sheets["Checks"]
    rows = [number for number in sheet.rows if number > 6 and (number, VALUE) in sheet.cells]
    master = sheet.cells[3, VALUE]
    if master.formula != f"SUM($C$7:$C${max(rows)})" or master.value != 0:
        yield f"the master check is {master.formula}, {master.value}"
    for number in rows:
        if sheet.number(number, VALUE) not in (0, 1):
            yield f"Checks row {number} is {sheet.number(number, VALUE)}"
    for other in book.sheets.values():
        header = [cell for (row, _), cell in other.cells.items() if row <= 3]
        shown = [cell for cell in header if cell.value == "ALL CHECKS PASS"]
        linked = other.name == "Checks" or any(c.formula == "Checks!$D$3" for c in shown)
        if not shown or not linked:
            yield f"{other.name} does not show the master check"


@rule(
    "18", "no errors in cells, a cached value beside every formula", _cached("npv_of_cost", "#N/A")
)
def no_errors(book: Opened) -> Faults:
    for sheet, cell in book.formulas():
        text = str(cell.value)
        if cell.value is None or cell.kind == "e" or text.startswith("#") or text in ("nan", "inf"):
            yield f"{_place(sheet, cell)} shows {cell.value}"
        if cell.value == "":
            yield f"{_place(sheet, cell)} is an empty text"


@rule(
    "19",
    "nothing merged, nothing hidden",
    in_sheet(
        "Option_1",
        "</sheetData>",
        '</sheetData><mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>',
    ),
)
def nothing_hidden(book: Opened) -> Faults:
    for sheet in book.sheets.values():
        if "<mergeCell" in sheet.xml or 'hidden="1"' in sheet.xml:
            yield f"{sheet.name} has merged or hidden cells"
        if re.search(r'<col [^>]*width="0"|<row [^>]*ht="0"', sheet.xml):
            yield f"{sheet.name} has a column or row of no size"
    if re.search(r'state="(?:veryH|h)idden"', book.parts["xl/workbook.xml"]):
        yield "a sheet is hidden"


@rule(
    "20",
    "panes frozen, titles repeated, landscape and one page wide, pages numbered",
    in_sheet("Option_1", 'orientation="landscape"', 'orientation="portrait"'),
)
def printing(book: Opened) -> Faults:
    for sheet in book.sheets.values():
        xml = sheet.xml
        wanted = ['state="frozen"', "fitToPage", "&amp;P of &amp;N", "<pageSetup"]
        # the Summary is one upright page: a table above a chart
        wanted.append(f'orientation="{"portrait" if sheet.name == "Summary" else "landscape"}"')
        if sheet.name != "Summary":
            wanted.append('fitToHeight="0"')
        elif 'fitToHeight="' in xml:
            yield "the Summary may be more than one page"
        for piece in wanted:
            if piece not in xml:
                yield f"{sheet.name} lacks {piece}"
        if 'fitToWidth="' in xml:
            yield f"{sheet.name} is more than one page wide"
    titles = len(re.findall("_xlnm.Print_Titles", book.parts["xl/workbook.xml"]))
    if titles != len(book.sheets):
        yield f"{titles} of {len(book.sheets)} sheets repeat their titles"


@rule("21", "costs are positive, and the workbook says so", _cached("capex", "-5"))
def costs_positive(book: Opened) -> Faults:
    for sheet in book.calculations:
        for number, row in sheet.data_rows():
            # tax saved and hardware sold make the cost of a month negative, these never
            if sheet.text(number, NOTE).partition(" = ")[0] in NEVER_NEGATIVE:
                for cell in row.values():
                    if isinstance(cell.value, float) and cell.value < 0:
                        yield f"{_place(sheet, cell)} is {cell.value}"
    if "costs positive" not in book.sheets["Summary"].text(4, LABEL):
        yield "the Summary does not state the sign of costs"


@rule(
    "22",
    "flags of time are rows of their own",
    lambda book, parts: with_cell(
        parts,
        "Timeline",
        f"G{book.sheets['Timeline'].row_of('operating')}",
        lambda xml: re.sub("<v>[^<]*</v>", "<v>0.5</v>", xml),
    ),
)
def flags(book: Opened) -> Faults:
    sheet = book.sheets["Timeline"]
    for line in ("operating", "commissioning", "final"):
        row = sheet.rows[sheet.row_of(line)]
        values = {cell.value for column, cell in row.items() if column >= MONTH_0}
        if values != {0.0, 1.0} or sheet.text(sheet.row_of(line), UNIT) != "0/1":
            yield f"{line} is {sorted(map(str, values))}"


@rule(
    "23", "every input has unit, basis, source, date, note and allowed range", _spoil_input(SOURCE)
)
def inputs_complete(book: Opened) -> Faults:
    sheet = book.sheets["Inputs"]
    validated = _validated(sheet)
    for name, where in book.names.items():
        # what cases change has its words where it is taken, not once more where it is typed
        if ":" in where or name.endswith("_given"):
            continue
        row = int(where.rpartition("$")[2])
        for column in (LABEL, UNIT, 7, SOURCE, DATE, WHY, ALLOWED):
            if not sheet.text(row, column):
                yield f"{name}: {address(row, column)} is empty"
        if sheet.number(row, AGE) is None and sheet.text(row, AGE) != "-":
            yield f"{name}: {address(row, AGE)} tells no age"
        if sheet.number(row, DELIVERED) != sheet.number(row, VALUE):
            yield f"{name} differs from the value as delivered"
        fixed = sheet.text(row, ALLOWED) == "not to be changed" or _by_case(sheet.cells[row, VALUE])
        if (address(row, VALUE) in validated) == fixed:
            yield f"{name} has no validation, or has one and is fixed"


def _validated(sheet: Sheet) -> list[str]:
    return re.findall(r'<dataValidation [^>]*sqref="([A-Z]+\d+)"', sheet.xml)


@rule("24", "no external links, unique row labels, short and plain sheet names", _same_label)
def plain(book: Opened) -> Faults:
    for part in book.parts:
        if "externalLink" in part:
            yield f"the file holds {part}"
    for sheet, cell in book.formulas():
        if "[" in QUOTED.sub("", cell.formula or ""):
            yield f"{_place(sheet, cell)} reads another file"
    for sheet in book.calculations:
        labels = [sheet.text(number, LABEL) for number in sheet.rows if number > 4]
        doubled = {label for label in labels if labels.count(label) > 1}
        if doubled:
            yield f"{sheet.name}: {sorted(doubled)[:3]}"
    for name in book.sheets:
        if not re.fullmatch(r"[A-Z][a-z]+(?:_(?:\d+|[a-z]+))?", name) or re.fullmatch(
            r"[A-Z]{1,3}\d+", name, re.I
        ):
            yield f"the sheet name {name}"


@rule(
    "25",
    "the cover says purpose, version, date, use, colours and changes",
    without_cell("About", "A6"),
)
def cover(book: Opened) -> Faults:
    sheet = book.sheets["About"]
    texts = {sheet.text(row, LABEL) for row in sheet.rows}
    for label in (
        "Purpose",
        "Version",
        "Date of the prices",
        "How to use",
        "Colours",
        "Changes of the workbook",
    ):
        if label not in texts:
            yield f"About lacks {label}"


@rule(
    "26",
    "names are in_ or out_ and no cell's name",
    lambda book, parts: replaced(
        parts, "xl/workbook.xml", 'name="in_discount_rate"', 'name="RTX4090"'
    ),
)
def names(book: Opened) -> Faults:
    for name in book.names:
        if not NAME.fullmatch(name):
            yield f"the name {name}"


@rule(
    "27",
    "a statement brings its rows from its option, month by month; accounts are added up",
    lambda book, parts: with_formula(
        parts,
        "Statement_1",
        f"G{book.sheets['Statement_1'].row_noted('depreciation')}",
        "Option_1!G5",
    ),
)
def statements_are_called_up(book: Opened) -> Faults:
    for sheet in _statements(book):
        option = book.sheets[sheet.name.replace("Statement", "Option")]
        for number, row in sheet.data_rows():
            if MONTH_0 not in row:
                continue
            line = sheet.text(number, NOTE).rpartition(": ")[2]
            above = re.fullmatch(r"(?:SUM\(G(\d+):)?G(\d+)\)?", row[MONTH_0].formula or "")
            if above:
                yield from _is_of_rows_above(sheet, number, *above.groups())
                continue
            found = re.fullmatch(r"(\w+)!G(\d+)", row[MONTH_0].formula or "")
            home = book.sheets.get(found[1]) if found else None
            if home not in (option, book.sheets["Timeline"]):
                yield f"{sheet.name} row {number} is {row[MONTH_0].formula}"
            elif found and f"{line} = " not in f"{home.text(int(found[2]), NOTE)} = ":
                yield f"{sheet.name} row {number} ({line}) is row {found[2]} of {home.name}"


def _is_of_rows_above(sheet: Sheet, number: int, first: str | None, last: str) -> Faults:
    """A row that adds up the rows of its account just above it, or shows a line once more."""
    note = sheet.text(number, NOTE)
    if first is None:
        if sheet.text(int(last), NOTE) != note:
            yield f"{sheet.name} row {number} ({note}) is row {last}"
        return
    parts = [n for n in sheet.rows if sheet.text(n, NOTE).startswith(f"{note}: ")]
    parts = [n for n in parts if int(first) <= n]
    if parts != list(range(int(first), int(last) + 1)) or number != int(last) + 1:
        yield f"{sheet.name} row {number} ({note}) adds up {first} to {last}, not {parts}"


def _statements(book: Opened) -> list[Sheet]:
    return [sheet for sheet in book.calculations if sheet.name.startswith("Statement")]


@rule(
    "28",
    "a fiscal year or quarter adds up its months, or closes with its last; years add up to totals",
    _in_period("depreciation", "SUMIF($G$6:$H$6,I$3,$G$9:$H$9)"),
)
def periods_add_up(book: Opened) -> Faults:
    for sheet in _statements(book):
        last = address(1, sheet.month_columns[-1]).removesuffix("1")
        kinds = list(zip(("fiscal_year", "fiscal_quarter"), _periods_alone(sheet), strict=True))
        for number, row in sheet.data_rows():
            if MONTH_0 not in row or sheet.text(number, NOTE) in dict(kinds):
                continue
            for line, columns in kinds:
                at = sheet.row_noted(line)
                months = [
                    (sheet.number(at, c), sheet.number(number, c) or 0.0)
                    for c in sheet.month_columns
                ]
                for column in columns:
                    ranges = [f"$G${at}:${last}${at}", f"$G{number}:${last}{number}"]
                    head = f"{address(3, column).removesuffix('3')}$3"
                    expected = (
                        f"SUMIF({ranges[0]},{head},{ranges[1]})"
                        if TOTAL in row
                        else f"LOOKUP({head},{ranges[0]},{ranges[1]})"
                    )
                    within = [x for period, x in months if period == sheet.number(3, column)]
                    value = sum(within) if TOTAL in row else within[-1]
                    size = max(abs(x) for x in within)
                    if row[column].formula != expected:
                        yield f"{_place(sheet, row[column])}: {row[column].formula}"
                    elif abs((sheet.number(number, column) or 0.0) - value) > 1e-9 * size:
                        yield f"{_place(sheet, row[column])} is {row[column].value}, not {value}"
            total = sheet.period_columns[0][-1]
            if TOTAL in row:
                years = [sheet.number(number, c) or 0.0 for c in kinds[0][1]]
                whole = sheet.number(number, TOTAL) or 0.0
                if abs(sum(years) - whole) > 1e-9 * max(map(abs, years)):
                    yield f"{sheet.name} row {number}: years {sum(years)}, months {whole}"
                first, end = (address(number, kinds[0][1][i]) for i in (0, -1))
                wanted = f"SUM({_fixed(first)}:{_fixed(end)})"
                if row[total].formula != wanted:
                    yield f"{_place(sheet, row[total])}: {row[total].formula}"


def _fixed(cell: str) -> str:
    return re.sub(r"([A-Z]+)(\d+)", r"$\1$\2", cell)


@rule(
    "29",
    "a statement is printed as fiscal years and quarters, its labels repeated",
    lambda book, parts: replaced(parts, "xl/workbook.xml", ">Statement_1!$", ">Statement_1!$Z$"),
)
def statements_are_printed(book: Opened) -> Faults:
    xml = book.parts["xl/workbook.xml"]
    areas = dict(re.findall(r"_xlnm.Print_Area\"[^>]*>(\w+)!([^<]*)<", xml))
    titles = dict(re.findall(r"_xlnm.Print_Titles\"[^>]*>(\w+)!([^<]*)<", xml))
    for sheet in _statements(book):
        years, quarters = sheet.period_columns
        headings = [n for n in sheet.rows if n > 4 and not sheet.text(n, UNIT)]
        last = address(headings[-1] - 1, quarters[-1])
        if areas.get(sheet.name) != f"{_fixed(address(headings[1], years[0]))}:{_fixed(last)}":
            yield f"{sheet.name} prints {areas.get(sheet.name)}"
        if not titles.get(sheet.name, "").startswith("$A:$B,"):
            yield f"{sheet.name} repeats {titles.get(sheet.name)}"


@rule(
    "30",
    "an internal rate is fixed on Inputs and checked live, as long as the inputs are as delivered",
    in_sheet("Checks", "<f>$C$4*", "<f>"),
)
def rates_are_checked(book: Opened) -> Faults:
    solved = [name for name in book.names if name.startswith("in_irr_")]
    comparison, checks = book.sheets["Comparison"], book.sheets["Checks"]
    called = {cell.formula for (_, column), cell in comparison.cells.items() if column == CONSTANT}
    yield from (f"{name} is not on Comparison" for name in solved if name not in called)
    masked = [
        cell
        for cell in checks.cells.values()
        if re.fullmatch(r"\$C\$4\*Comparison!\$D\$\d+", cell.formula or "")
    ]
    if len(masked) != len(solved):
        yield f"{len(solved)} internal rates, {len(masked)} of them checked"


A4_WIDTH, A4_HEIGHT = 595.0, 842.0  # points
POINTS_PER_INCH = 72
# the width of a digit of the default font, in points: of Calibri, and of what stands in for it
DIGITS = (5.25, 7.14)


@rule(
    "31",
    "the Summary is one page, and nothing on it is printed smaller than 8 points",
    lambda book, parts: with_row_height(parts, "Summary", 2, 1500),
)
def legible_summary(book: Opened) -> Faults:
    sheet = book.sheets["Summary"]
    margins = re.search(
        r'<pageMargins left="([\d.]+)" right="([\d.]+)" top="([\d.]+)" bottom="([\d.]+)"', sheet.xml
    )
    area = re.search(r'Print_Area"[^>]*>Summary!\$A\$1:\$H\$(\d+)<', book.parts["xl/workbook.xml"])
    assert margins
    assert area
    left, right, top, bottom = (float(inches) * POINTS_PER_INCH for inches in margins.groups())
    heights = dict(re.findall(r'<row r="(\d+)"[^>]*? ht="([\d.]+)"', sheet.xml))
    last = int(area[1])
    if any(str(row) not in heights for row in range(1, last + 1)):
        yield "a row of the Summary has no height of its own"
    height = sum(float(heights.get(str(row), 15)) for row in range(1, last + 1))
    columns = re.findall(r'<col min="(\d+)" max="(\d+)" width="([\d.]+)"', sheet.xml)
    digits = sum((int(end) - int(start) + 1) * float(width) for start, end, width in columns)
    smallest = min(
        cell.size for cell in sheet.cells.values() if cell.row <= last and cell.value is not None
    )
    for digit in DIGITS:
        scale = min(
            1.0,
            (A4_WIDTH - left - right) / (digits * digit),
            (A4_HEIGHT - top - bottom) / height,
        )
        # a spreadsheet scales by whole percents
        if smallest * int(scale * 100) / 100 < 8:
            yield f"{smallest:g} points at {scale:.1%} are {smallest * scale:.2f}"


def with_row_height(parts: Parts, sheet: str, row: int, height: float) -> None:
    """Give a row another height."""
    part = sheet_parts(parts)[sheet]
    found = re.search(rf'<row r="{row}"[^>]*? ht="[\d.]+"', parts[part])
    assert found
    changed = re.sub(r'ht="[\d.]+"', f'ht="{height}"', found[0])
    parts[part] = parts[part].replace(found[0], changed, 1)
