"""Statements: what an option means in cash and in profit and loss, by month, quarter and year."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tco.analysis.statement import CASH, CUMULATIVE, PROFIT_AND_LOSS
from tco.engine import tracing
from tco.engine.structure import BoundOption
from tco.report.workbook import styles
from tco.report.workbook.calculation import CalculationPage
from tco.report.workbook.layout import HEADING, LABEL, WORDS, Book, Row, Sheet, column, in_month
from tco.report.workbook.page import A3
from tco.report.workbook.periods import Group, Periods
from tco.report.workbook.styles import number_format
from tco.report.workbook.texts import fitted

PERIODS = {"fiscal_year": "fiscal year", "fiscal_quarter": "fiscal quarter"}
# the tax of the books is shown in its two parts and as a whole
TAX = (("current_tax", "current tax"), ("deferred_tax", "deferred tax"))
BEFORE = {"financing_tax": TAX}
BLOCKS = {
    "Cash, money in is positive": (*CASH, CUMULATIVE),
    "Profit and loss, costs are positive (in EBITDA below 0)": tuple(
        row for line, label in PROFIT_AND_LOSS for row in (*BEFORE.get(line, ()), (line, label))
    ),
}
ACCOUNT = 24  # characters of an account in a label
NUMBERS, NAMES = 2, 3  # rows of the header, counted from 0


def add_statement(book: Book, periods: Periods, option: BoundOption) -> None:
    """Lay out the statement of an option; its sheet stands in the book already."""
    blocks = [("Fiscal years and quarters", [_row(book, *line) for line in PERIODS.items()])]
    shown: set[str] = set()
    for title, lines in BLOCKS.items():
        found = [(line, label) for name, label in lines if (line := _line(book, option, name))]
        rows = [_row(book, line, label, again=line in shown) for line, label in found]
        blocks.append((title, rows))
        shown |= {row.id for row in rows}
    accounts = _by_account(book, option, shown)
    if accounts:
        blocks.append(("By account", accounts))
    rows = [row for _, rows in blocks[1:] for row in rows]
    tolerance = replace(book.call_up("tolerance"), label="Tolerance")
    checks = _checks(option, rows, book.result.currency)
    blocks.append(("Checks", [tolerance, *checks]))
    book.add_sheet(f"Statement_{option.number}", f"Statement of {option.name}", blocks, periods)


def check_line(option: BoundOption) -> str:
    """The row that is 1 where the fiscal years of a statement are not its months."""
    return f"statement/{option.number}/years_differ"


def _line(book: Book, option: BoundOption, name: str) -> str | None:
    """The option's line of a name; the current tax is known by another one. None if it has none."""
    assert option.scope is not None
    line = option.scope.find(name)
    own = isinstance(line, str) and book.result.model.graph.lines[line].scope == option.scope.name
    return str(line) if own else None


def _row(
    book: Book, line: str, label: str = "", whose: str | None = None, *, again: bool = False
) -> Row:
    """A line of the option sheet by month; label and note name the account that it is booked on.

    The account comes first where ``whose`` is given: which part of the option the line is of.
    ``again`` is a line that stands above already: this row takes that one.
    """
    given = book.result.model.graph.lines[line]
    label = label[:1].upper() + label[1:] or given.label
    account = book.result.scenario.accounts.get(given.short_name)
    if account:
        short = fitted(account, ACCOUNT)
        label = f"{label} ({short})" if whose is None else f"{short}: {label}"
    row = replace(
        book.call_up(line),
        label=f"{label} ({whose})" if whose else label,
        note=f"account {account}: {given.short_name}" if account else given.short_name,
        adds_up=given.unit.adds_up,
    )
    if again:
        return replace(row, id=f"{line}/again", kind=WORDS, template=f"{{{line}}}")
    return row


def _by_account(book: Book, option: BoundOption, shown: set[str]) -> list[Row]:
    """The lines of each account, and what they come to where there are several."""
    scenario, lines = book.result.scenario, book.result.model.graph.lines
    parts: dict[str, list[Row]] = {account: [] for account in scenario.accounts.values()}
    for line, whose in _accounted(book, option, shown):
        row = _row(book, line, whose=whose)
        parts[scenario.accounts[lines[line].short_name]].append(row)
    rows: list[Row] = []
    for number, (account, found) in enumerate(parts.items(), start=1):
        rows += found
        if len(found) > 1:
            total = replace(
                found[0],
                id=f"statement/{option.number}/account_{number}",
                kind=WORDS,
                label=f"{fitted(account, ACCOUNT)}: all of it",
                note=f"account {account}",
                template=f"SUM({{{found[0].id}}}:{{{found[-1].id}}})",
                values=[
                    sum(float(x) for x in month)
                    for month in zip(*(row.values for row in found), strict=True)
                ],
            )
            rows.append(total)
    return rows


def _accounted(book: Book, option: BoundOption, shown: set[str]) -> Iterator[tuple[str, str]]:
    """Lines of the option with an account of their own, and whose they are."""
    graph = book.result.model.graph
    assert option.scope is not None
    scopes = {option.scope.name: ""}
    for supply in option.supplies:
        what = f"supply {supply.number}"
        inner = book.result.model.inner_scopes(supply.scope.name)
        scopes[supply.scope.name] = what
        # what is deducted for tax is no entry in the ledger
        scopes |= {n: f"{what}, {words}" for n, words in inner.items() if not n.endswith("/t")}
    scopes |= {scope.name: cost.name for cost, scope in option.items}
    for account in book.result.scenario.accounts:
        for scope, whose in scopes.items():
            line = f"{scope}/{account}"
            known = line in graph.lines and graph.shapes[line] == tracing.MONTHS
            if known and line not in shown and graph.lines[line].unit.adds_up:
                yield line, whose


def _checks(option: BoundOption, rows: list[Row], currency: str) -> list[Row]:
    """Whether the fiscal years come to the totals of the months, over all rows at once."""
    months, years = (f"{{{rows[0].id}:{cells}}}:{{{rows[-1].id}:{cells}}}"
                     for cells in ("total", "years"))  # fmt: skip
    prefix = f"statement/{option.number}"
    apart = Row(
        f"{prefix}/apart",
        WORDS,
        "Squares of the differences",
        f"{currency} x {currency}",
        template=f"SUMPRODUCT(({months}-{years})*({months}-{years}))",
        values=[0.0],
    )
    size = Row(
        f"{prefix}/size",
        WORDS,
        "Squares of the totals",
        f"{currency} x {currency}",
        template=f"SUMPRODUCT({months}*{months})",
        values=[sum(sum(float(x) for x in row.values) ** 2 for row in rows if row.adds_up)],
    )
    tolerance = "{tolerance}"
    differ = Row(
        check_line(option),
        WORDS,
        "Fiscal years differ from months",
        "0/1",
        template=f"IF({{{apart.id}}}<={tolerance}*{tolerance}*MAX({{{size.id}}},1),0,1)",
        values=[0.0],
    )
    return [apart, size, differ]


class StatementPage(CalculationPage):
    """A statement: the months as everywhere, then the fiscal years and the quarters to print."""

    def write(self, sheet: Sheet) -> None:
        """Write months and periods."""
        super().write(sheet)
        last = self.periods.quarters.columns[-1]
        first = self.periods.years.first
        headings = [row.number - 1 for row in sheet.rows if row.kind == HEADING]
        # the numbers of the periods above the first amounts, and the checks below, are not printed
        self.page.print_area(headings[1], first, headings[-1] - 1, last)
        right = self.style(styles.LINKED, bold=True, align="right")
        self.formula(0, last, "=Checks!$D$3", self.verdict, right)
        self.page.set_paper(A3)
        self.page.set_column(first - 1, last, self._room(sheet, True) + 2)
        for gap in (first - 1, self.periods.total + 1):
            self.page.set_column(gap, gap, 3)
        self.text(NUMBERS, LABEL, "Fiscal periods, counted from 0", self.style(styles.NOTE))
        for group in self.periods.groups:
            self._group_header(group)
        right = self.style(styles.HEADER, align="right")
        self.text(NAMES, self.periods.total, "all fiscal years", right)
        for at in headings[1:-1]:
            for position in (*self.periods.years.columns, self.periods.total):
                self.page.write_blank(at, position, None, self.style(styles.HEADING))
            for position in self.periods.quarters.columns:
                self.page.write_blank(at, position, None, self.style(styles.HEADING))
        for row in sheet.rows:
            if row.shape == tracing.MONTHS and row.id not in PERIODS:
                self._row_by_period(row, sheet)

    def _group_header(self, group: Group) -> None:
        links = (self.style(kind, "0", font_size=9) for kind in (styles.LINKED, styles.COMPUTED))
        linked, counted = links
        for position, name, number in zip(group.columns, group.names, group.numbers, strict=True):
            first = position == group.first
            formula = f"={column(position - 1)}${NUMBERS + 1}+1"
            if first:
                formula = in_month(f"={self.book.cell(group.line)}", 0)
            self.formula(NUMBERS, position, formula, number, linked if first else counted)
            self.text(NAMES, position, name, self.style(styles.HEADER, align="right"))

    def _row_by_period(self, row: Row, sheet: Sheet) -> None:
        number = number_format(row.unit)
        style = self.style(styles.COMPUTED, number)
        values = [float(value) for value in row.values]
        months = f"${self.book.first}{row.number}:${self.book.last}{row.number}"
        for group in self.periods.groups:
            at = sheet.positions[group.line].number
            periods = f"${self.book.first}${at}:${self.book.last}${at}"
            of = self.result.months(group.line)
            found = group.sums(values, of) if row.adds_up else group.last(values, of)
            for position, value in zip(group.columns, found, strict=True):
                which = f"{column(position)}${NUMBERS + 1}"
                # the last of equal numbers is what LOOKUP finds: a balance closes with its period
                formula = (
                    f"=SUMIF({periods},{which},{months})"
                    if row.adds_up
                    else f"=LOOKUP({which},{periods},{months})"
                )
                self.formula(row.number - 1, position, formula, value, style)
        if row.adds_up:
            formula = f"=SUM({self.periods.cells(row.number)})"
            self.formula(row.number - 1, self.periods.total, formula, sum(values), style)
