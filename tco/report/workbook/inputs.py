"""The Inputs sheet: every number once, with its source; structure and tables below."""

from __future__ import annotations

import math
from typing import Any

from tco.analysis.cases import Cases, cases
from tco.analysis.files import source_cell
from tco.analysis.staleness import ages, today
from tco.report.columns import width
from tco.report.workbook import styles
from tco.report.workbook.layout import column
from tco.report.workbook.page import FIXED_NOTE, Desk, Page
from tco.report.workbook.structure import structure
from tco.scenario.inputs import DEFINITION, LIVE, SOLVED, Input

# the columns of the sheet
VALUE, DELIVERED = "C", "D"
BASIS, AGE = 6, 9
TOP = {"valign": "top"}  # beside a source or note of several lines
SHORTEST_LABEL, LONGEST_LABEL, SOURCE_ROOM, NOTE_ROOM = 52, 92, 40, 56
TALLEST = 405  # points of a row; Excel takes 409
INDENTED: dict[str, Any] = {"align": "right", "indent": 1}  # a text stands to the right of it
NO_AGE = "-"  # of what is no price, or has no date
# where the cases stand: the row of their names, and the cell of the Summary where one is chosen
NAMES_ROW = 7
CHOSEN = "Summary!$B$3"
GIVEN, LONGEST_NAME = "_given", 60  # of the name of a cell, after in_


def cases_of(desk: Desk) -> Cases | None:
    """The cases of the scenario, if it has any."""
    if not desk.result.scenario.in_cases:
        return None
    return desk.findings.cases if desk.findings is not None else cases(desk.result)


def names_of_cases(found: Cases) -> str:
    """The cells that hold the names of the cases, the scenario as given first."""
    return _row_of_cases(found, NAMES_ROW)


def _row_of_cases(found: Cases, row: int) -> str:
    last = column(1 + len(found.cases))
    return f"${VALUE}${row}:${last}${row}"


class InputsPage(Page):
    """The inputs; `changeable` is where the first and the last of them stand.

    A number that some case changes has a cell for each case; its own cell takes the one of the case
    that is chosen on the Summary.
    """

    changeable: tuple[int, int] = (0, 0)
    by_case: dict[str, int]

    def __init__(self, desk: Desk, page: Any) -> None:
        super().__init__(desk, page)
        self.cases = cases_of(desk)

    def write(self) -> None:
        """Write inputs, structure and tables."""
        self.open("Inputs", (0, 2))
        self.page.freeze_panes(5, 1)
        self.page.repeat_rows(0, 4)
        columns = (
            ("Input", self._label_room()),
            ("Unit", 18),
            ("Value", 18),
            ("As delivered", 18),
            ("Low", 18),
            ("High", 18),
            ("Basis", 13),
            ("Source", SOURCE_ROOM),
            ("Date", 12),
            (f"Days old on {day}" if (day := today(self.result)) else "Days old", 24),
            ("Note", NOTE_ROOM),
            ("Allowed", 18),
            ("Where in the scenario", 46),
            ("Name of the cell", 32),
        )
        legend = (
            ("blue on yellow: change it, everything follows", styles.INPUT),
            ("grey: " + FIXED_NOTE, styles.FIXED),
            ("orange basis: assumed, not found anywhere", styles.ASSUMED),
        )
        self.text(1, 0, self.result.scenario.name, self.style(styles.NOTE))
        for position, (text, kind) in zip((0, 1, 7), legend, strict=True):
            self.text(2, position, text, self.style(kind))
            for more in range(position + 1, position + 4 if position == 1 else position):
                self.page.write_blank(2, more, None, self.style(kind))
        for position, (text, room) in enumerate(columns):
            self.page.set_column(position, position, room)
            align: dict[str, Any] = {"align": "right"} if 2 <= position <= 5 else {}
            if position == BASIS:
                align = {"align": "left", "indent": 1}
            if position == AGE:
                align = INDENTED
            self.text(4, position, text, self.style(styles.HEADER, **align))
        self.by_case = {}
        self.days = {given.name: old for given, old in ages(self.result)}
        at = 5 if self.cases is None else self._cases(5, self.cases, len(columns))
        given = self.result.model.inputs.values()
        groups: tuple[tuple[str, list[Input]], ...] = (
            ("Numbers of the scenario", [i for i in given if i.kind == LIVE]),
            ("Definitions", [i for i in given if i.kind == DEFINITION]),
            (
                "Solved before this calculation, " + FIXED_NOTE,
                [*(i for i in given if i.kind == SOLVED), *self.answer.solved],
            ),
        )
        first = at + 2
        for heading, inputs in groups:
            if not inputs and heading.startswith("Solved"):
                continue
            at = self.heading(at, heading, len(columns))
            if self.cases is not None and heading == groups[0][0]:
                self._chosen(at, self.cases)
                at += 1
            for number in inputs:
                first_row = at
                for row in number.rows:
                    self._input(at, row)
                    at += 1
                if number.table and number.kind == LIVE:
                    cells = f"=Inputs!${VALUE}${first_row + 1}:${VALUE}${at}"
                    self.workbook.define_name(f"in_{number.name}", cells)
        self.changeable = (first, at)
        at = self.heading(at, f"Structure, {FIXED_NOTE}", len(columns))
        for label, text in structure(self.result):
            self.text(at, 0, label)
            self.text(at, 2, text, self.style(styles.FIXED))
            for more in range(3, 7):
                self.page.write_blank(at, more, None, self.style(styles.FIXED))
            at += 1
        tables = [i for i in given if i.table and i.kind != LIVE]
        if tables:
            self._tables(at, tables, len(columns))

    def _label_room(self) -> int:
        """The width of the column of names, so that none is cut."""
        named = [*self.result.model.inputs.values(), *self.answer.solved]
        longest = max((width(row.label) for given in named for row in given.rows), default=0)
        return min(max(longest + 2, SHORTEST_LABEL), LONGEST_LABEL)

    def _cases(self, at: int, found: Cases, columns: int) -> int:
        """The numbers that some case changes, a column for each case; gives the next row."""
        at = self.heading(
            at, "Cases: one is chosen on the Summary; black numbers are as given", columns
        )
        header = self.style(styles.HEADER)
        self.text(at, 0, "What the cases change", header)
        self.text(at, 1, "Unit", header)
        wrapped = self.style(styles.HEADER, align="right")
        for position, case in enumerate(found.cases, start=2):
            self.text(at, position, case.name, wrapped)
        lines = max(-(-width(case.name) // 16) for case in found.cases)
        self.page.set_row(at, 15 * lines)
        at += 1
        self.text(at, 0, "Chosen (1 is yes)")
        self.text(at, 1, "0/1", self.style(styles.NOTE))
        for position, case in enumerate(found.cases, start=2):
            formula = f"=IF({column(position)}${NAMES_ROW}={CHOSEN},1,0)"
            chosen = int(case is found.cases[0])
            self.formula(at, position, formula, chosen, self.style(styles.LINKED, "0"))
        for given in found.inputs:
            at += 1
            self.text(at, 0, given.label, self.style(styles.TEXT, text_wrap=True, **TOP))
            self.text(at, 1, given.unit_text, self.style(styles.NOTE, text_wrap=True, **TOP))
            for position, case in enumerate(found.cases, start=2):
                value = found.values[given.name][position - 2]
                number = _input_format(given, value)
                if position > 2 and given.name not in case.values:
                    # a case that says nothing of a number has it as given
                    look = self.style(styles.COMPUTED, number, **TOP)
                    self.formula(at, position, f"=${VALUE}{at + 1}", value, look)
                    continue
                self.page.write_number(at, position, value, self.style(styles.INPUT, number, **TOP))
                self._validate(at, given, position)
            self.by_case[given.name] = at + 1
            name = f"{given.name[: LONGEST_NAME - len(GIVEN)]}{GIVEN}"
            self.workbook.define_name(f"in_{name}", f"=Inputs!${VALUE}${at + 1}")
        return at + 1

    def _chosen(self, at: int, found: Cases) -> None:
        """The number of the case that is chosen; another name than those listed is an error."""
        note = self.style(styles.NOTE, text_wrap=True, **TOP)
        self.text(at, 0, "Number of the case that is chosen")
        self.text(at, 1, "case", note)
        formula = f"=MATCH(1,{_row_of_cases(found, NAMES_ROW + 1)},0)"
        self.formula(at, 2, formula, 1, self.style(styles.COMPUTED, "0"))
        self.page.write_number(at, 3, 1, self.style(styles.FIXED, "0"))
        self.text(at, BASIS, "chosen", self.style(styles.TEXT, align="left", indent=1))
        for position, text in enumerate(
            ("the Summary", "not stated", NO_AGE, "every number below that a case changes follows",
             "chosen on the Summary", "cases", "in_case"),
            start=7,
        ):  # fmt: skip
            look = self.style(styles.NOTE, **INDENTED, **TOP) if position == AGE else note
            self.text(at, position, text, look)
        self.workbook.define_name("in_case", f"=Inputs!${VALUE}${at + 1}")

    def _input(self, at: int, given: Input) -> None:
        quantity, live = given.quantity, given.kind == LIVE
        kind = styles.INPUT if live else styles.FIXED
        number = _input_format(given, given.value)
        note_style = self.style(styles.NOTE, text_wrap=True, **TOP)
        self.text(at, 0, given.label, self.style(styles.TEXT, text_wrap=True, **TOP))
        self.text(at, 1, given.unit_text, note_style)
        by_case = self.by_case.get(given.name)
        if by_case is not None and self.cases is not None:
            formula = f"=INDEX({_row_of_cases(self.cases, by_case)},in_case)"
            self.formula(at, 2, formula, given.value, self.style(styles.COMPUTED, number, **TOP))
        else:
            self.page.write_number(at, 2, given.value, self.style(kind, number, **TOP))
        fixed = self.style(styles.FIXED, number, **TOP)
        self.page.write_number(at, 3, given.value, fixed)
        for position, bound in ((4, quantity and quantity.low), (5, quantity and quantity.high)):
            if bound is not None:
                self.page.write_number(at, position, bound, fixed)
        basis = styles.ASSUMED if given.basis == "assumed" else styles.TEXT
        self.text(at, BASIS, given.basis, self.style(basis, align="left", indent=1, **TOP))
        label = width(given.label) / (self._label_room() - 1)
        files = source_cell(self.result, given)
        source = files or ("not stated" if quantity else "this program")
        note = (quantity.note if quantity else given.why_default or "what the word means") or "none"
        if by_case is not None:
            note = f"by the case, change it in row {by_case}; {note}".removesuffix("; none")
        date = (quantity.as_of if quantity else None) or "not stated"
        days = self.days.get(given.name)
        if days is not None:
            self.page.write_number(
                at, AGE, days, self.style(styles.FIXED, "#,##0", **INDENTED, **TOP)
            )
        else:
            self.text(at, AGE, NO_AGE, self.style(styles.NOTE, **INDENTED, **TOP))
        for position, text in (
            (7, source),
            (8, date),
            (10, note),
            (11, _allowed(given)),
            (12, self._place(given)),
            (13, f"in_{given.name}"),
        ):
            self.text(at, position, " ".join(text.split()), note_style)
        lines = max(label, width(source) / (SOURCE_ROOM - 4), width(note) / (NOTE_ROOM - 4))
        if lines > 1:
            self.page.set_row(at, min(15 * math.ceil(lines), TALLEST))
        self.workbook.define_name(f"in_{given.name}", f"=Inputs!${VALUE}${at + 1}")
        if live and by_case is None:
            self._validate(at, given)

    def _validate(self, at: int, given: Input, position: int = 2) -> None:
        rule: dict[str, Any] = {
            "validate": "integer" if given.whole else "decimal",
            "ignore_blank": False,
            "error_title": "Not allowed here",
            "error_message": f"Allowed: {_allowed(given)}.",
        }
        low, high = given.minimum, given.maximum
        if low is not None and high is not None:
            rule |= {"criteria": "between", "minimum": low, "maximum": high}
        elif low is not None:
            rule |= {"criteria": ">=", "value": low}
        else:
            rule |= {"criteria": "between", "minimum": -1e300, "maximum": 1e300}
        self.page.data_validation(at, position, at, position, rule)

    def _place(self, given: Input) -> str:
        if given.kind == DEFINITION:
            return "a definition"
        if given.kind == SOLVED:
            return f"{given.path}, solved"
        if given.line is not None:
            return f"{given.path}, line {given.line}"
        return (
            f"{given.path}, set on the command line"
            if given.quantity
            else f"{given.path}, not given"
        )

    def _tables(self, at: int, tables: list[Input], columns: int) -> None:
        at = self.heading(at, f"Tables, {FIXED_NOTE}", columns)
        header = self.style(styles.HEADER, align="right")
        heads = [f"{table.label} ({table.unit_text})" for table in tables]
        self.page.set_row(at, 15 * max(-(-width(head) // 10) for head in heads))
        for position, (table, head) in enumerate(zip(tables, heads, strict=True), start=2):
            self.text(at, position, head, header)
            for row, value in enumerate(table.values, start=at + 1):
                self.page.write_number(row, position, value, self.style(styles.FIXED))
            letter = column(position)
            cells = f"=Inputs!${letter}${at + 2}:${letter}${at + 1 + len(table.values)}"
            self.workbook.define_name(f"in_{table.name}", cells)


def _allowed(given: Input) -> str:
    whole = ", whole" if given.whole else ""
    if given.kind in (DEFINITION, SOLVED):
        return "not to be changed"
    if given.minimum is None:
        return f"any number{whole}"
    if 0 < given.minimum < 1 and given.maximum is None:
        return f"above 0{whole}"
    if given.maximum is None:
        return f"{given.minimum:g} or more{whole}"
    return f"{given.minimum:g} to {given.maximum:g}{whole}"


def _input_format(given: Input, value: float) -> str:
    if given.unit_text == "fraction" and value == round(value, 3):
        return "0.0%"
    if given.unit_text == "fraction/year":
        return "0.00%"
    return "#,##0" if abs(value) >= 1000 and value == int(value) else "General"
