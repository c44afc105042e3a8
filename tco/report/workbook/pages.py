"""Writes the sheets: cells, looks, printing and the chart."""

from __future__ import annotations

from typing import Any

import tco
from tco.analysis.marks import marks
from tco.analysis.summary import NOT_COUNTED
from tco.engine import tracing
from tco.report.columns import width
from tco.report.workbook import styles
from tco.report.workbook.answer import Answer
from tco.report.workbook.layout import (
    CALL_UP,
    CONSTANT,
    HEADING,
    LABEL,
    MONTH_0,
    NOTE,
    OPENING,
    TOTAL,
    UNIT,
    Book,
    Row,
    Sheet,
    Value,
    column,
    in_month,
)
from tco.report.workbook.plain import PlainWorksheet
from tco.report.workbook.styles import Styles, number_format
from tco.report.workbook.texts import cell_text, chain, fitted
from tco.results import INCOMPLETE, OK, Result
from tco.scenario.inputs import DEFINITION, LIVE, SOLVED, Input

PASS, FAIL = "ALL CHECKS PASS", "CHECKS FAIL"
FIXED_NOTE = "fixed in this workbook: change the scenario and run again"
MARKS = {
    "M": "M another model than the baseline's",
    "?": "? throughput not given, capacity not checked",
    "P": "P throughput of cards together not measured",
    "~": "~ one printed number read in two currencies",
    "*": "* rests on an assumed number of its own",
}
CHECKS = (
    "parts_differ",
    "books_differ_from_cash",
    "work_lost",
    "input_tokens_unpriced",
    "caches_above_input",
)
MOST_ROWS = 12
LABEL_ROOM = 84
A4, A3 = 9, 8
# the columns of the Inputs sheet
VALUE, DELIVERED = "C", "D"
COLOURS = ("#0072B2", "#D55E00", "#595959", "#009E73", "#CC79A7", "#E69F00")
CHANGES = (
    ("0.1.0", "first version"),
    ("0.2.0", "load curves, whole GPUs, how rent and bills are counted"),
)
ABOUT = (
    ("Purpose", "What each option costs month by month, and where the cheaper one changes."),
    ("How to use", "Change a blue cell on Inputs; every other sheet follows."),
    ("", "Options, months and currency are fixed here: change the scenario and run again."),
    ("", "It calculates on opening, so a program may ask to save it on closing."),
    ("Sheets", "Summary: the answer on one page. Inputs: every number, with its source."),
    ("", "Timeline: months, discounting, demand. Option_1 and on: one for each option."),
    ("", "Comparison: pairs of options, ranking, the Summary's words. Checks: 0 is right."),
    ("Columns", "Line, unit, how it is computed, constant, total, opening, months."),
    ("", "They are the same on every sheet. Opening is empty: balances start from nothing."),
    (
        "Conventions",
        "Costs are positive. Month 0 is the decision; running costs fall at a month's end.",
    ),
    ("", "Rates are annual, effective. A month that never comes is N + 1, and the word never."),
    ("", "A row of months holds one formula. Nothing is rounded; formats show fewer digits."),
)


class Pages:
    """The sheets of one workbook, in their order."""

    def __init__(self, workbook: Any, result: Result, book: Book, answer: Answer) -> None:
        self.workbook = workbook
        self.result = result
        self.book = book
        self.answer = answer
        self.style = Styles(workbook)
        self.digest = result.scenario.digest[:8]
        self.months = result.scenario.months
        self.changeable: tuple[int, int] = (0, 0)

    def write(self) -> None:
        """All sheets: Summary, Inputs, the calculations, Checks, About."""
        names = ["Summary", "Inputs", *(s.name for s in self.book.sheets), "Checks", "About"]
        sheets = {name: self.workbook.add_worksheet(name, PlainWorksheet) for name in names}
        self._inputs(sheets["Inputs"])
        for sheet in self.book.sheets:
            self._calculation(sheets[sheet.name], sheet)
        self._checks(sheets["Checks"])
        self._summary(sheets["Summary"])
        self._about(sheets["About"])
        sheets["Summary"].activate()

    # what all sheets share

    def _open(self, page: Any, title: str, check: tuple[int, int], *, paper: int = A3) -> None:
        self._text(page, 0, 0, title, self.style(styles.TITLE))
        page.set_landscape()
        page.set_paper(paper)
        page.fit_to_pages(1, 0)
        page.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
        page.hide_gridlines(2)
        page.set_footer(
            f"&L&8&F   {self.digest}&C&8Page &P of &N"
            "&R&8Blue cells on Inputs may be changed; options and months need the scenario file"
        )
        if page.get_name() != "Checks":
            self._formula(page, *check, "=Checks!$D$3", self._verdict(), self._verdict_style())
        self._colour(page, *check)

    def _verdict(self) -> str:
        return FAIL if sum(value for *_, value in self._check_lines()) else PASS

    def _verdict_style(self) -> Any:
        return self.style(styles.LINKED, bold=True, align="right")

    def _colour(self, page: Any, row: int, col: int) -> None:
        for word, ink, fill in ((PASS, "#006100", "#C6EFCE"), (FAIL, "#9C0006", "#FFC7CE")):
            page.conditional_format(
                row,
                col,
                row,
                col,
                {
                    "type": "cell",
                    "criteria": "==",
                    "value": f'"{word}"',
                    "format": self.workbook.add_format({"font_color": ink, "bg_color": fill}),
                },
            )

    def _text(self, page: Any, row: int, col: int, text: str, style: Any = None) -> None:
        page.write_string(row, col, cell_text(text), style)

    def _formula(
        self, page: Any, row: int, col: int, formula: str, value: Value, style: Any
    ) -> None:
        page.write_formula(row, col, formula, style, value)

    # calculations

    def _calculation(self, page: Any, sheet: Sheet) -> None:
        self._open(page, sheet.title, (0, NOTE))
        page.freeze_panes(4, 1)
        page.repeat_rows(0, 3)
        page.repeat_columns(0, UNIT)
        label = min(
            LABEL_ROOM, 2 + max(width(row.label) for row in sheet.rows if row.kind != HEADING)
        )
        widths = {
            LABEL: label,
            UNIT: 18,
            NOTE: 46,
            CONSTANT: self._room(sheet, False),
            TOTAL: 16,
            OPENING: 9,
        }
        for position, room in widths.items():
            page.set_column(position, position, room)
        page.set_column(MONTH_0, MONTH_0 + self.months, self._room(sheet, True))
        self._time_header(page)
        for row in sheet.rows:
            self._row(page, row)

    def _room(self, sheet: Sheet, monthly: bool) -> int:
        """The width of the month columns, or of the constants, for the largest number there."""
        rows = [row for row in sheet.rows if (row.shape == tracing.MONTHS) == monthly]
        numbers = [abs(x) for row in rows for x in row.values if not isinstance(x, str)]
        return max(11, len(f"{max(numbers, default=0.0):,.2f}") + 1)

    def _time_header(self, page: Any) -> None:
        header = self.style(styles.HEADER)
        right = self.style(styles.HEADER, align="right")
        for position, text in (
            (LABEL, "Line"),
            (UNIT, "Unit"),
            (NOTE, "How it is computed"),
            (CONSTANT, "Constant"),
            (TOTAL, "Total"),
            (OPENING, "Opening"),
        ):
            self._text(page, 3, position, text, header if position < CONSTANT else right)
        for month in range(self.months + 1):
            self._text(page, 3, MONTH_0 + month, f"month {month}", right)
            if self.result.scenario.start:
                when = _calendar_month(self.result.scenario.start, month)
                self._text(page, 2, MONTH_0 + month, when, self.style(styles.NOTE, align="right"))

    def _row(self, page: Any, row: Row) -> None:
        at = row.number - 1
        if row.kind == HEADING:
            for position in range(MONTH_0):
                page.write_blank(at, position, None, self.style(styles.HEADING))
            self._text(page, at, LABEL, row.label, self.style(styles.HEADING))
            return
        self._text(page, at, LABEL, row.label)
        self._text(page, at, UNIT, row.unit, self.style(styles.NOTE))
        if row.note:
            self._text(page, at, NOTE, fitted(row.note, 54), self.style(styles.NOTE))
        number = number_format(row.unit)
        kind = styles.LINKED if row.kind == CALL_UP else styles.COMPUTED
        style = self.style(kind, number)
        if row.shape != tracing.MONTHS:
            # a word stands where a number would; a text has the room of the empty months
            word = isinstance(row.values[0], str) and row.unit != "text"
            aligned = self.style(kind, number, align="right") if word else style
            self._formula(page, at, CONSTANT, row.formula, row.values[0], aligned)
            return
        formulas = ((in_month(row.formula, m), value) for m, value in enumerate(row.values))
        page.write_formulas(at, MONTH_0, formulas, style)
        if row.adds_up:
            first, last = column(MONTH_0), column(MONTH_0 + self.months)
            total = sum(value for value in row.values if not isinstance(value, str))
            formula = f"=SUM(${first}{row.number}:${last}{row.number})"
            self._formula(page, at, TOTAL, formula, total, self.style(styles.COMPUTED, number))

    # inputs

    def _inputs(self, page: Any) -> None:
        self._open(page, "Inputs", (0, 2))
        page.freeze_panes(5, 1)
        page.repeat_rows(0, 4)
        columns = (
            ("Input", 52),
            ("Unit", 18),
            ("Value", 18),
            ("As delivered", 18),
            ("Low", 18),
            ("High", 18),
            ("Basis", 13),
            ("Source", 34),
            ("Date", 12),
            ("Note", 44),
            ("Allowed", 18),
            ("Where in the scenario", 46),
            ("Name of the cell", 32),
        )
        legend = (
            ("blue on yellow: change it, everything follows", styles.INPUT),
            ("grey: " + FIXED_NOTE, styles.FIXED),
            ("orange basis: assumed, not found anywhere", styles.ASSUMED),
        )
        self._text(page, 1, 0, self.result.scenario.name, self.style(styles.NOTE))
        for position, (text, kind) in zip((0, 1, 7), legend, strict=True):
            self._text(page, 2, position, text, self.style(kind))
            for more in range(position + 1, position + 4 if position == 1 else position):
                page.write_blank(2, more, None, self.style(kind))
        for position, (text, room) in enumerate(columns):
            page.set_column(position, position, room)
            align = {"align": "right"} if 2 <= position <= 5 else {}
            self._text(page, 4, position, text, self.style(styles.HEADER, **align))
        at = 5
        given = self.result.model.inputs.values()
        groups: tuple[tuple[str, list[Input]], ...] = (
            ("Numbers of the scenario", [i for i in given if i.kind == LIVE]),
            ("Definitions", [i for i in given if i.kind == DEFINITION]),
            (
                "Solved before this calculation, " + FIXED_NOTE,
                [i for i in given if i.kind == SOLVED],
            ),
        )
        first = at + 2
        for heading, inputs in groups:
            if not inputs and heading.startswith("Solved"):
                continue
            at = self._heading(page, at, heading, len(columns))
            for number in inputs:
                first_row = at
                for row in number.rows:
                    self._input(page, at, row)
                    at += 1
                if number.table and number.kind == LIVE:
                    cells = f"=Inputs!${VALUE}${first_row + 1}:${VALUE}${at}"
                    self.workbook.define_name(f"in_{number.name}", cells)
        self.changeable = (first, at)
        at = self._heading(page, at, f"Structure, {FIXED_NOTE}", len(columns))
        for label, text in self._structure():
            self._text(page, at, 0, label)
            self._text(page, at, 2, text, self.style(styles.FIXED))
            for more in range(3, 7):
                page.write_blank(at, more, None, self.style(styles.FIXED))
            at += 1
        tables = [i for i in given if i.table and i.kind != LIVE]
        if tables:
            self._tables(page, at, tables, len(columns))

    def _heading(self, page: Any, at: int, text: str, columns: int) -> int:
        for position in range(columns):
            page.write_blank(at, position, None, self.style(styles.HEADING))
        self._text(page, at, 0, text, self.style(styles.HEADING))
        return at + 1

    def _input(self, page: Any, at: int, given: Input) -> None:
        quantity, live = given.quantity, given.kind == LIVE
        kind = styles.INPUT if live else styles.FIXED
        number = _input_format(given)
        note_style = self.style(styles.NOTE)
        self._text(page, at, 0, given.label)
        self._text(page, at, 1, given.unit_text, note_style)
        page.write_number(at, 2, given.value, self.style(kind, number))
        page.write_number(at, 3, given.value, self.style(styles.FIXED, number))
        for position, bound in ((4, quantity and quantity.low), (5, quantity and quantity.high)):
            if bound is not None:
                page.write_number(at, position, bound, self.style(styles.FIXED, number))
        basis = self.style(styles.ASSUMED if given.basis == "assumed" else styles.TEXT)
        self._text(page, at, 6, given.basis, basis)
        source = (quantity.source if quantity else "this program") or "not stated"
        note = (quantity.note if quantity else given.why_default or "what the word means") or "none"
        date = (quantity.as_of if quantity else None) or "not stated"
        for position, text in (
            (7, source),
            (8, date),
            (9, note),
            (10, _allowed(given)),
            (11, self._place(given)),
            (12, f"in_{given.name}"),
        ):
            self._text(page, at, position, " ".join(text.split()), note_style)
        self.workbook.define_name(f"in_{given.name}", f"=Inputs!${VALUE}${at + 1}")
        if live:
            self._validate(page, at, given)

    def _validate(self, page: Any, at: int, given: Input) -> None:
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
        page.data_validation(at, 2, at, 2, rule)

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

    def _structure(self) -> list[tuple[str, str]]:
        scenario = self.result.scenario
        calendar = scenario.hours_per_month == "calendar"
        rows = [
            ("Currency", scenario.currency),
            ("Months of operation", f"{scenario.months} months"),
            ("Month 1", scenario.start or "not given: months are numbered"),
            ("Hours in a month", "by the calendar" if calendar else "the same every month"),
            ("Load within a month", self._load()),
            ("Compared with", self.result.baseline or "nothing: no demand is given"),
        ]
        for option in self.result.model.options:
            missing = f"; not costed: {option.missing.what}" if option.missing else ""
            rows.append(
                (f"Option {option.number}", f"{option.name}: {chain(option, self.result)}{missing}")
            )
        for number, cost in enumerate(scenario.other_costs, start=1):
            whose = ", ".join(cost.options) if cost.options else "all options"
            rows.append((f"Cost {number}", f"{cost.name}, per {cost.per}, {whose}"))
        return rows

    def _load(self) -> str:
        demand = self.result.scenario.demand
        if demand is None or self.result.model.demand is None:
            return "no demand is given"
        if self.result.model.demand.curve is None:
            return "flat"
        levels = len(self.result.model.demand.curve[0])
        given = demand.load if isinstance(demand.load, str) else f"{len(demand.load)} loads"
        return f"{given}, as {levels} levels: see the table"

    def _tables(self, page: Any, at: int, tables: list[Input], columns: int) -> None:
        at = self._heading(page, at, f"Tables, {FIXED_NOTE}", columns)
        header = self.style(styles.HEADER, align="right")
        for position, table in enumerate(tables, start=2):
            self._text(page, at, position, f"{table.label} ({table.unit_text})", header)
            for row, value in enumerate(table.values, start=at + 1):
                page.write_number(row, position, value, self.style(styles.FIXED))
            letter = column(position)
            cells = f"=Inputs!${letter}${at + 2}:${letter}${at + 1 + len(table.values)}"
            self.workbook.define_name(f"in_{table.name}", cells)

    # checks

    def _check_lines(self) -> list[tuple[str, str, str, float]]:
        """What is checked, of which option, the line, and its flag as delivered."""
        found = []
        graph = self.result.model.graph
        for option in self.result.model.complete:
            assert option.scope is not None
            scopes = [*(supply.scope for supply in option.supplies), option.scope]
            if option is self.result.model.complete[0] and self.result.model.demand is not None:
                scopes = [w.scope for w in self.result.model.demand.workloads] + scopes
            for scope in scopes:
                for name in CHECKS:
                    if name in scope.functions:
                        line = scope.line(name)
                        label = f"{graph.lines[line].label}, {scope.name.replace('/s', ' supply ')}"
                        label = label.replace(f", o{option.number}", f", option {option.number}")
                        found.append((label, option.name, line, self.result.value(line)))
        for label, line in self.answer.checks:
            found.append((label, self.result.focus or "", line, self.answer.term(line).number))
        return found

    def _checks(self, page: Any) -> None:
        self._open(page, "Checks", (2, 3), paper=A4)
        page.freeze_panes(6, 1)
        page.repeat_rows(0, 5)
        for position, room in ((0, 88), (1, 46), (2, 10), (3, 26)):
            page.set_column(position, position, room)
        lines = self._check_lines()
        first, last = 7, 6 + len(lines)
        failed = sum(value for *_, value in lines)
        bold = self.style(styles.COMPUTED, "0", bold=True)
        self._text(page, 2, 0, "Checks that fail (0 is right)", self.style(styles.TEXT, bold=True))
        self._formula(page, 2, 2, f"=SUM($C${first}:$C${last})", failed, bold)
        verdict = f'=IF($C$3=0,"{PASS}","{FAIL}")'
        self._formula(page, 2, 3, verdict, self._verdict(), self.style(styles.COMPUTED, bold=True))
        top, bottom = self.changeable
        cells = "<>".join(f"Inputs!${c}${top}:${c}${bottom}" for c in (VALUE, DELIVERED))
        self._text(page, 3, 0, "Inputs unchanged since delivery (1 is yes)")
        self._formula(
            page, 3, 2, f"=IF(SUMPRODUCT(({cells})*1)=0,1,0)", 1, self.style(styles.LINKED, "0")
        )
        self._formula(
            page,
            3,
            3,
            '=IF($C$4=1,"inputs as delivered","inputs were changed")',
            "inputs as delivered",
            self.style(styles.COMPUTED),
        )
        for position, text in enumerate(
            ("A check that fails is 1: what is wrong then", "Option", "0/1")
        ):
            self._text(page, 5, position, text, self.style(styles.HEADER))
        for at, (label, option, line, value) in enumerate(lines, start=6):
            self._text(page, at, 0, label)
            self._text(page, at, 1, fitted(option, 44), self.style(styles.NOTE))
            self._formula(
                page, at, 2, f"={self.book.cell(line)}", value, self.style(styles.LINKED, "0")
            )

    # summary

    def _summary(self, page: Any) -> None:
        result, scenario = self.result, self.result.scenario
        self._open(page, fitted(scenario.name, 84), (0, 7), paper=A4)
        page.set_portrait()
        page.fit_to_pages(1, 1)
        page.center_horizontally()
        page.print_area(0, 0, 66, 7)
        page.set_column(0, 0, 40)
        page.set_column(1, 7, 12.5)
        page.set_column(7, 7, 19)
        note = self.style(styles.NOTE)
        right = self.style(styles.NOTE, align="right")
        self._text(page, 1, 0, fitted(scenario.question or "What does each option cost?", 96))
        self._text(page, 1, 7, f"{self.digest}  tco {tco.__version__}", right)
        self._formula(
            page,
            2,
            7,
            "=Checks!$D$4",
            "inputs as delivered",
            self.style(styles.LINKED, align="right", font_size=9),
        )
        self._link(page, 3, 0, "answer/basis")
        self._link(page, 4, 0, "answer/counting")
        focus, base = result.focus, result.baseline
        asked = f": {fitted(focus, 40)} against {fitted(str(base), 40)}" if focus and base else ""
        self._band(page, 5, f"ANSWER{asked}")
        if result.model.has_demand:
            for row, name in enumerate(("line_1", "line_2", "line_3", "only_if", "model"), start=6):
                self._link(page, row, 0, f"answer/{name}", bold=row < 9)
        else:
            self._text(
                page,
                6,
                0,
                "Costs of ownership per option, beside printed figures where there are any.",
            )
        self._table(page)
        self._rests_on(page)
        if result.model.has_demand:
            self._flips(page)
        self._chart(page)
        page.freeze_panes(4, 1)
        page.repeat_rows(0, 0)
        self._text(
            page,
            66,
            0,
            f"Scenario file: {scenario.path.replace(chr(92), '/').rpartition('/')[2]}",
            note,
        )

    def _band(self, page: Any, row: int, text: str) -> None:
        for position in range(8):
            page.write_blank(row, position, None, self.style(styles.HEADING))
        self._text(page, row, 0, text, self.style(styles.HEADING))

    def _link(
        self, page: Any, row: int, col: int, line: str, number: str = "", **more: Any
    ) -> None:
        if line not in self.book.homes:
            return
        home = self.book.homes[line]
        style = self.style(styles.LINKED, number or number_format(home.unit), **more)
        self._formula(page, row, col, f"={home.cell}", home.values[0], style)

    def _table(self, page: Any) -> None:
        demand = self.result.model.has_demand
        months = f"Cash {self.months} months"
        heads = (
            (
                "Option",
                "Up-front cash",
                "Cash a month, running",
                months,
                "NPV of cost",
                "Equivalent a month",
                f"Cost per {self.result.model.counted.lot}",
                "Equivalent a month, less baseline",
            )
            if demand
            else (
                "Option",
                "Up-front cash",
                "Cash a month, running",
                months,
                "Equivalent a month",
                "Cost a month, undiscounted",
                "Printed a month",
                "Calculated less printed",
            )
        )
        page.set_row(11, 30)
        for position, text in enumerate(heads):
            align = {} if position == 0 else {"align": "right"}
            self._text(page, 11, position, text, self.style(styles.HEADER, **align))
        shown, left = self._shown()
        wrapped = self.style(styles.TEXT, text_wrap=True, valign="top")
        for at, option in enumerate(shown, start=12):
            name = f"{option.name}  {marks(self.result, option.name)}".rstrip()
            self._text(page, at, 0, name, wrapped)
            page.set_row(at, 14.5 * max(1, -(-width(name) // 40)))
            if option.missing is not None:
                reason = f"{option.missing.what}: add {option.missing.add}"
                self._text(page, at, 1, fitted(reason, 96), self.style(styles.NOTE, valign="top"))
                continue
            n = option.number
            lines = [
                (option.line("upfront_cost"), "#,##0"),
                (option.line("running_cost_per_month"), ""),
                (option.line("total_cost"), "#,##0"),
            ]
            lines += (
                [
                    (option.line("npv_of_cost"), "#,##0"),
                    (f"answer/ranked/{n}", ""),
                    (f"answer/per_mtok/{n}", self._unit_price()),
                    (f"answer/difference/{n}", "+#,##0.00;-#,##0.00;0.00"),
                ]
                if demand
                else [
                    (option.line("equivalent_monthly_cost"), ""),
                    (f"answer/cost/{n}", ""),
                    (f"answer/printed/{n}", ""),
                    (f"answer/difference/{n}", "+#,##0.00;-#,##0.00;0.00"),
                ]
            )
            for position, (line, number) in enumerate(lines, start=1):
                self._link(page, at, position, line, number, align="right", valign="top")
        legend = [
            text
            for mark, text in MARKS.items()
            if any(mark in marks(self.result, option.name) for option in shown)
        ]
        if left:
            legend.insert(0, f"{left} more on their own sheets")
        self._text(page, 24, 0, "   ".join(legend) or self._order(), self.style(styles.NOTE))

    def _order(self) -> str:
        ranked = self.result.model.has_demand
        return "cheapest first, as delivered" if ranked else "in the order of the scenario"

    def _shown(self) -> tuple[list[Any], int]:
        """The options of the table, the baseline always among them, and how many are left out."""
        ranked = self.result.ranked
        kept = ranked[:MOST_ROWS]
        base = self.result.baseline
        if base is not None and all(option.name != base for option in kept):
            kept = [*ranked[: MOST_ROWS - 1], self.result.option(base)]
        return kept, len(ranked) - len(kept)

    def _unit_price(self) -> str:
        """The format of a levelised cost: that of a small thing, such as an image, is small."""
        return "#,##0.00" if self.result.model.counted.lot == "Mtok" else "#,##0.0000"

    def _left_out(self) -> list[str]:
        bound = self.result.model.demand
        flat = bound is not None and bound.curve is None
        return [*NOT_COUNTED, *(["peaks within a month"] if flat else [])]

    def _rests_on(self, page: Any) -> None:
        self._band(page, 26, "What it rests on")
        given = [i for i in self.result.model.numbers if i.kind == LIVE]
        kinds = ("measured", "quoted", "published", "assumed", "not stated", "known", "default")
        counted = ", ".join(f"{sum(i.basis == kind for i in given)} {kind}" for kind in kinds)
        assumed = [i.label for i in given if i.basis == "assumed"]
        not_costed = sum(status == INCOMPLETE for status in self.result.status.values())
        lines = [
            f"Inputs by basis: {counted}.",
            f"Assumed: {'; '.join(assumed) or 'nothing'}.",
            f"Left out: {', '.join(self._left_out())}.",
            "Costs are positive. Month 0 is the decision; running costs fall at the end of 1 "
            f"to {self.months}.",
            "Every number here is a link; the formulas are on the option sheets and on Comparison.",
        ]
        if not_costed:
            all_options = len(self.result.status)
            lines.append(f"{not_costed} of {all_options} options lack a number: not costed.")
        for at, text in enumerate(lines, start=27):
            self._text(page, at, 0, fitted(text, 138), self.style(styles.NOTE))

    def _flips(self, page: Any) -> None:
        heads = ("Where it flips", "Used", "Flips at", "Headroom", "Live", "Check", "Unit", "")
        for position, text in enumerate(heads):
            align = {"align": "right"} if 0 < position < 6 else {}
            self._text(page, 37, position, text, self.style(styles.HEADING, **align))
        for at, flip in enumerate(self.answer.flips, start=38):
            self._text(page, at, 0, flip.what)
            if flip.reason:
                self._text(page, at, 1, flip.reason, self.style(styles.NOTE))
                continue
            number = number_format(flip.unit)
            self._link(page, at, 1, flip.lines["used"], number, align="right")
            self._link(page, at, 2, flip.lines["flip"], number, align="right")
            self._link(page, at, 3, flip.lines["headroom"], "+0%;-0%;0%", align="right")
            self._text(page, at, 4, "L", self.style(styles.NOTE, align="right"))
            self._link(page, at, 5, flip.lines["check"], align="right")
            self._text(page, at, 6, flip.unit, self.style(styles.NOTE))

    def _chart(self, page: Any) -> None:
        chart = self.workbook.add_chart({"type": "scatter", "subtype": "straight"})
        for colour, option in zip(COLOURS, self._drawn(), strict=False):
            line: dict[str, Any] = {"color": colour, "width": 2.0}
            if option.name == self.result.baseline:
                line["dash_type"] = "dash"
            chart.add_series(
                {
                    "name": self._name_of(option),
                    "categories": self.book.cells("month"),
                    "values": self.book.cells(option.line("cumulative_cost")),
                    "line": line,
                    "marker": {"type": "none"},
                }
            )
        marker = self.book.homes.get("answer/marker")
        pair = self.answer.main_pair()
        if marker is not None and pair is not None:
            chart.add_series(
                {
                    "name": "break-even",
                    "categories": f"={self.book.cell(pair.scope.line('break_even_month'))}",
                    "values": f"={marker.cell}",
                    "line": {"none": True},
                    "marker": {
                        "type": "diamond",
                        "size": 10,
                        "fill": {"color": "#000000"},
                        "border": {"color": "#000000"},
                    },
                }
            )
        chart.set_title(
            {"name": "Cumulative cash cost", "name_font": {"size": 11}, "overlay": False}
        )
        # a break-even that never comes is month N + 1, beyond the end of this axis
        chart.set_x_axis(
            {
                "name": "month",
                "min": 0,
                "max": self.months,
                "num_format": "0",
                "major_gridlines": {"visible": False},
                "major_unit": 6 if self.months > 12 else 1,
            }
        )
        chart.set_y_axis(
            {
                "name": self.result.currency,
                "num_format": "#,##0",
                "min": 0,
                "major_gridlines": {"visible": True, "line": {"color": "#D9D9D9"}},
            }
        )
        chart.set_legend({"position": "bottom", "font": {"size": 9}})
        chart.set_size({"width": 985, "height": 400})
        page.insert_chart(
            45, 0, chart, {"object_position": 2, "description": "Cumulative cash cost by month"}
        )

    def _drawn(self) -> list[Any]:
        ranked = [option for option in self.result.ranked if option.missing is None]
        if not self.result.model.has_demand:
            return ranked[: len(COLOURS)]
        named = (self.result.focus, self.result.baseline)
        chosen = [self.result.option(name) for name in named if name]
        chosen = [option for option in chosen if option.missing is None]
        runner_up = [o for o in ranked if o.name not in named and self.result.status[o.name] == OK]
        return [*chosen[:1], *runner_up[:1], *chosen[1:]]

    def _name_of(self, option: Any) -> list[Any]:
        key = "ranked" if self.result.model.has_demand else "cost"
        row = next(s for s in self.book.sheets if s.name == "Comparison").positions[
            f"answer/{key}/{option.number}"
        ]
        return ["Comparison", row.number - 1, NOTE]

    # about

    def _about(self, page: Any) -> None:
        scenario = self.result.scenario
        self._open(page, "About this workbook", (0, 1), paper=A4)
        page.freeze_panes(1, 0)
        page.repeat_rows(0, 0)
        page.set_column(0, 0, 30)
        page.set_column(1, 1, 100)
        rows = [
            ABOUT[0],
            ("Scenario", fitted(scenario.name, 98)),
            ("Digest of the scenario", scenario.digest),
            ("Version", f"tco {tco.__version__}"),
            ("Date of the prices", scenario.as_of or "not stated"),
            *ABOUT[1:],
        ]
        at = 2
        for label, text in rows:
            self._text(page, at, 0, label, self.style(styles.TEXT, bold=True))
            self._text(page, at, 1, text)
            at += 1
        self._text(page, at, 0, "How tokens are counted", self.style(styles.TEXT, bold=True))
        self._link(page, at, 1, "answer/counting")
        at += 2
        self._text(page, at, 0, "Colours", self.style(styles.TEXT, bold=True))
        for text, kind in (
            ("an input: change it", styles.INPUT),
            ("computed on this sheet", styles.COMPUTED),
            ("brought from another sheet", styles.LINKED),
            (FIXED_NOTE, styles.FIXED),
            ("an assumed input: its basis is marked so", styles.ASSUMED),
        ):
            self._text(page, at, 1, text, self.style(kind))
            at += 1
        at += 1
        self._text(page, at, 0, "Changes of the workbook", self.style(styles.TEXT, bold=True))
        for version, what in CHANGES:
            self._text(page, at, 1, f"{version}: {what}")
            at += 1


def _calendar_month(start: str, month: int) -> str:
    """The calendar month of a month of operation; month 0 shares that of month 1.

    >>> _calendar_month("2026-12", 0), _calendar_month("2026-12", 2)
    ('2026-12', '2027-01')
    """
    year, first = (int(part) for part in start.split("-"))
    passed = first - 1 + max(month - 1, 0)
    return f"{year + passed // 12:04d}-{passed % 12 + 1:02d}"


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


def _input_format(given: Input) -> str:
    if given.unit_text == "fraction" and given.value == round(given.value, 3):
        return "0.0%"
    if given.unit_text == "fraction/year":
        return "0.00%"
    return "#,##0" if abs(given.value) >= 1000 and given.value == int(given.value) else "General"
