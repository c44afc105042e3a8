"""Writes the sheets in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tco.report.workbook.about import AboutPage
from tco.report.workbook.answer import Answer
from tco.report.workbook.break_even import BreakEvenPage
from tco.report.workbook.break_even_trials import Trials
from tco.report.workbook.calculation import CalculationPage
from tco.report.workbook.checks import ChecksPage, checks_of
from tco.report.workbook.inputs import InputsPage
from tco.report.workbook.layout import Book
from tco.report.workbook.page import FAIL, PASS, Desk
from tco.report.workbook.periods import Periods
from tco.report.workbook.plain import PlainWorksheet
from tco.report.workbook.sensitivity import SensitivityPage
from tco.report.workbook.statement import StatementPage
from tco.report.workbook.styles import Styles
from tco.report.workbook.summary import SummaryPage

if TYPE_CHECKING:
    from tco.analysis.findings import Findings


def write_pages(
    workbook: Any,
    book: Book,
    answer: Answer,
    trials: Trials,
    findings: Findings | None,
) -> None:
    """All sheets: Summary, what was found, Inputs, the calculations, Checks, About."""
    result = book.result
    verdict = FAIL if any(check.value for check in checks_of(result, answer, trials)) else PASS
    desk = Desk(
        workbook,
        result,
        book,
        answer,
        Periods(result),
        Styles(workbook),
        verdict,
        trials,
        findings,
    )
    found = ["Break_even", "Sensitivity"] if answer.main_pair() is not None else []
    calculations = [sheet.name for sheet in book.sheets]
    names = ["Summary", *found, "Inputs", *calculations, "Checks", "About"]
    pages = {name: workbook.add_worksheet(name, PlainWorksheet) for name in names}
    inputs = InputsPage(desk, pages["Inputs"])
    inputs.write()
    for sheet in book.sheets:
        page = pages[sheet.name]
        if sheet.periods is None:
            CalculationPage(desk, page).write(sheet)
        else:
            StatementPage(desk, page).write(sheet)
    ChecksPage(desk, pages["Checks"]).write(inputs.changeable)
    SummaryPage(desk, pages["Summary"]).write()
    if found:
        BreakEvenPage(desk, pages["Break_even"]).write()
        SensitivityPage(desk, pages["Sensitivity"]).write()
    AboutPage(desk, pages["About"]).write()
    pages["Summary"].activate()
