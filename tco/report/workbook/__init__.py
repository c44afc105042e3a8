"""The workbook: inputs to change, every line as a live formula, checks, one page of answer.

Every computed cell holds a formula and the engine's number as its cached value, so that viewers
which do not calculate show the right numbers. Formulas of lines are printed from the model's own
functions; only the texts of the Summary and what they look up are written here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import xlsxwriter

from tco.engine.structure import BoundOption
from tco.report.workbook.answer import Answer
from tco.report.workbook.break_even_trials import Trials
from tco.report.workbook.layout import Book, Row
from tco.report.workbook.pages import write_pages
from tco.report.workbook.periods import Periods
from tco.report.workbook.statement import add_statement
from tco.report.workbook.texts import described
from tco.results import Result

if TYPE_CHECKING:
    from tco.analysis.findings import Findings

# the document's own date is fixed: the same scenario gives the same bytes
CREATED = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)


def write_workbook(result: Result, path: Path, findings: Findings | None = None) -> None:
    """Write the live workbook of a result to ``path``, with what was found beyond the costs.

    Raises ``OSError`` when the path cannot be written.
    """
    trials = Trials(result, findings)
    result = trials.result
    answer = Answer(result)
    book = Book(result, answer.solved)
    periods = Periods(result)
    book.add_sheet("Timeline", "Time and demand", [("", book.lines(""))])
    for option in result.model.complete:
        book.add_sheet(f"Option_{option.number}", option.name, _option_blocks(book, option))
        add_statement(book, periods, option)
    book.add_sheet("Comparison", "Comparison of the options", _comparison_blocks(book, answer))
    blocks = trials.blocks(book)
    if blocks:
        book.add_sheet("Trials", "Solved values put back", blocks)
    workbook = xlsxwriter.Workbook(
        str(path),
        {
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
            "in_memory": True,
        },
    )
    workbook.set_properties({"title": result.scenario.name, "created": CREATED})
    workbook.set_calc_mode("auto")
    write_pages(workbook, book, answer, trials, findings)
    try:
        workbook.close()
    except xlsxwriter.exceptions.FileCreateError as fault:
        raise (
            fault.args[0] if isinstance(fault.args[0], OSError) else OSError(str(fault))
        ) from fault


def _option_blocks(book: Book, option: BoundOption) -> list[tuple[str, list[Row]]]:
    blocks = []
    for supply in option.supplies:
        heading = f"Supply {supply.number}: {described(supply.given)}"
        blocks.append((heading, book.lines(supply.scope.name, f"supply {supply.number}")))
    for number, (cost, scope) in enumerate(option.items, start=1):
        blocks.append(
            (f"Cost {number}: {cost.name}", book.lines(scope.name, f"cost {number}", alone=True))
        )
    assert option.scope is not None
    return [*blocks, ("The option as a whole", book.lines(option.scope.name, alone=True))]


def _comparison_blocks(book: Book, answer: Answer) -> list[tuple[str, list[Row]]]:
    blocks = []
    for pair in book.result.model.pairs:
        heading = f"Pair {pair.number}: {pair.this.name} against {pair.other.name}"
        blocks.append((heading, book.lines(pair.scope.name, f"pair {pair.number}", alone=True)))
    return [*blocks, *answer.blocks()]
