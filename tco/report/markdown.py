"""``summary.md``: the screen as Markdown. Names of the scenario stay text, whatever they hold."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tco.analysis.summary import Summary
from tco.analysis.tables import Table
from tco.errors import printable


def summary_markdown(summary: Summary, chart: str | None = None) -> bytes:
    """The page in UTF-8; ``chart`` is the path of the picture as seen from it."""
    answer = summary.answer
    parts = [f"# {escaped(summary.title)}"]
    if summary.question:
        parts.append(f"*{escaped(summary.question)}*")
    parts.append(_list(filter(None, (summary.counting, summary.conventions, summary.baseline))))
    parts += ["## Answer", *(paragraph(sentence) for sentence in answer.verdict)]
    if answer.focus:
        parts.append(paragraph(answer.focus))
        parts.append(
            _list(f"({chr(ord('a') + n)}) {text}" for n, text in enumerate(answer.conditions))
        )
    parts += [paragraph(remark) for remark in answer.remarks]
    if chart:
        parts.append(f"![Cumulative cost by month]({chart})")
    parts += ["## Costs", *_table(summary.costs, "option")]
    if summary.cases is not None:
        parts += ["## Cases", *_table(summary.cases, "option")]
    if summary.flips is not None and summary.flips.rows:
        parts += ["## Where it flips", paragraph(summary.flips.title) + ":"]
        parts += _table(summary.flips, "against")
    if summary.moves is not None:
        parts += ["## What moves it", paragraph(summary.moves.title) + ":"]
        parts += _table(summary.moves, "input")
    for heading, texts in (("## How sure", summary.sure), ("## Why", summary.why)):
        if texts:
            parts += [heading, _list(texts)]
    finance = summary.finance
    if finance.texts or finance.statements:
        parts += ["## Finance", *([_list(finance.texts)] if finance.texts else [])]
        for statement in finance.statements:
            parts += [paragraph(statement.title) + ":", *_table(statement, "fiscal year")]
    parts += ["## Rests on", _list(f"{basis}: {inputs}" for basis, inputs in summary.rests_on)]
    if summary.warnings:
        parts += ["## Warnings", _list(summary.warnings)]
    parts += ["## Left out", _list(summary.left_out)]
    return ("\n\n".join(parts) + "\n").encode()


def escaped(text: str) -> str:
    r"""A text in which Markdown finds nothing to obey, for the middle of a line.

    >>> escaped("a|b *c* <d>")
    'a\\|b \\*c\\* \\<d\\>'
    """
    return re.sub(r"([\\`*_\[\]<>|~$#&!])", r"\\\1", printable(text))


def paragraph(text: str) -> str:
    r"""The same for the beginning of a line, where Markdown would see a list or a rule.

    >>> paragraph("1. x"), paragraph("- x"), paragraph("2.5 M")
    ('1\\. x', '\\- x', '2.5 M')
    """
    return re.sub(r"^(\d*)([-+=.)])(?=[-=\s]|$)", r"\1\\\2", escaped(text))


def _list(texts: Iterable[str]) -> str:
    return "\n".join(f"- {paragraph(text)}" for text in texts)


def _table(table: Table, first: str) -> list[str]:
    heads = [first, "", *(escaped(head) for head in table.heads)]
    lines = [_row(heads), _row([":--", ":--", *("--:" for _ in table.heads)])]
    below = []
    for row in table.rows:
        if row.cells:
            lines.append(_row([escaped(row.name), escaped(row.marks), *map(escaped, row.cells)]))
        if row.note:
            below.append(f"{row.name}: {row.note}")
    texts = [*below, *table.notes]
    return ["\n".join(lines), *([_list(texts)] if texts else [])]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
