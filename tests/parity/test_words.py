"""How recalculated words and totals are held against cached ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.parity.delivered import SCENARIOS, Delivered
from tests.parity.words import _same_words, disagreements


def test_words_differ_by_more_than_a_half() -> None:
    assert _same_words("USD 5,224,549 less", "USD 5,224,548 less")
    assert not _same_words("USD 5,224,550 less", "USD 5,224,548 less")
    assert not _same_words("USD 5,224,548 more", "USD 5,224,548 less")
    assert not _same_words("month 1.25", "month 1.3")


@pytest.mark.parametrize("wrong", ["other words", 1.5e9, None])
@pytest.mark.parametrize("kind", [str, float])
def test_a_cell_that_says_something_else_is_seen(
    deliver: Callable[[Path], Delivered], kind: type, wrong: object
) -> None:
    book = deliver(next(s for s in SCENARIOS if s.stem == "five-numbers")).book
    spoiled = next(
        cell
        for sheet, cell in book.formulas()
        if sheet.name == "Summary" and isinstance(cell.value, kind)
    )

    def cached(sheet: str, row: int, column: int) -> object:
        return book.sheets[sheet].cells[row, column].value

    def spoilt(sheet: str, row: int, column: int) -> object:
        here = (sheet, row, column) == ("Summary", spoiled.row, spoiled.column)
        return wrong if here else cached(sheet, row, column)

    assert disagreements(book, cached) == []
    assert len(disagreements(book, spoilt)) == 1
