"""What `tco run` prints: the summary in 100 columns, plain text but for bold headings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tco.analysis.finance import Finance
from tco.analysis.summary import Summary
from tco.analysis.tables import Row, Table
from tco.errors import printable
from tco.report.cases import tables
from tco.report.columns import LINE, fill, table, width, wrap

INDENT = "  "
HEAD = 10
NAMES = 34
Emphasis = Callable[[str], str]


def render(summary: Summary, written: str | None = None, emphasis: Emphasis = str) -> str:
    """The screen; ``emphasis`` marks a heading, ``written`` says where the files are."""
    blocks = [_title(summary), _answer(summary), _costs(summary.costs)]
    if summary.cases is not None:
        blocks.append([line for part in tables(summary.cases) for line in _costs(part)])
    if summary.flips is not None and summary.flips.rows:
        blocks.append(["WHERE IT FLIPS", *_flips(summary.flips)])
    if summary.moves is not None:
        blocks.append(["WHAT MOVES IT", *_flips(summary.moves)])
    if summary.sure:
        blocks.append(_section("HOW SURE", summary.sure))
    if summary.why:
        blocks.append(_section("WHY", summary.why))
    if summary.finance.texts or summary.finance.statements:
        blocks.append(_finance(summary.finance))
    rests = [f"{basis}: {inputs}" for basis, inputs in summary.rests_on]
    blocks.append(_section("RESTS ON", rests))
    if summary.warnings:
        blocks.append(_section("WARNINGS", summary.warnings))
    blocks.append(_section("LEFT OUT", summary.left_out))
    if written:
        blocks.append(_section("WROTE", [written]))
    lines: list[str] = []
    for block in blocks:
        lines += [*([""] if lines else []), *(printable(line).rstrip() for line in block)]
    return "\n".join(_emphasised(line, emphasis) for line in lines)


HEADINGS = (
    "ANSWER",
    "COSTS",
    "CASES",
    "WHERE IT FLIPS",
    "WHAT MOVES IT",
    "HOW SURE",
    "WHY",
    "FINANCE",
    "RESTS ON",
    "WARNINGS",
    "LEFT OUT",
    "WROTE",
)


def _emphasised(line: str, emphasis: Emphasis) -> str:
    for heading in HEADINGS:
        if line == heading or line.startswith(f"{heading} "):
            return emphasis(heading) + line.removeprefix(heading)
    return line


def _title(summary: Summary) -> list[str]:
    texts = [summary.title, summary.question, summary.counting, summary.conventions]
    return [line for text in (*texts, summary.baseline) if text for line in wrap(text)]


def _section(heading: str, texts: Iterable[str]) -> list[str]:
    """Texts beside their heading, each beginning a line."""
    lines: list[str] = []
    for text in texts:
        first = fill(heading, HEAD) if not lines else " " * HEAD
        lines += wrap(text, first=first, rest=" " * (HEAD + 2))
    return lines


def _answer(summary: Summary) -> list[str]:
    answer = summary.answer
    lines = _section("ANSWER", answer.verdict)
    if answer.focus:
        lines += wrap(answer.focus, first=" " * HEAD, rest=" " * (HEAD + 2))
    for letter, condition in zip("abcdefghijklmnopqrstuvwxyz", answer.conditions, strict=False):
        start = " " * (HEAD + 2)
        lines += wrap(condition, first=f"{start}({letter}) ", rest=f"{start}    ")
    for remark in answer.remarks:
        lines += wrap(remark, first=" " * HEAD, rest=" " * (HEAD + 2))
    return lines


def _finance(finance: Finance) -> list[str]:
    """Sentences, then a table by fiscal year for each option that is shown, its notes but once."""
    lines = _section("FINANCE", finance.texts) or ["FINANCE"]
    notes: dict[str, None] = {}
    for statement in finance.statements:
        lines += _grid(f"{INDENT}{statement.title}", statement.heads, statement.rows)
        notes.update(dict.fromkeys(statement.notes))
    for note in notes:
        lines += wrap(note, first=INDENT, rest=INDENT * 2)
    return lines


def _costs(costs: Table) -> list[str]:
    lines = _grid(costs.title, costs.heads, costs.rows)
    for note in costs.notes:
        lines += wrap(note, first=INDENT, rest=INDENT * 2)
    return lines


def _grid(title: str, heads: Sequence[str], rows: Sequence[Row]) -> list[str]:
    """A table with names that are too long for their column on lines of their own."""
    numbers = table([heads, *(row.cells for row in rows if row.cells)], left=0, gap=" ")
    head, *rest = (fill(line, max(width(n) for n in numbers), right=True) for line in numbers)
    marks = max((width(row.marks) for row in rows), default=0)
    longest = max([width(title), *(width(row.name) + 2 for row in rows)])
    room = min(LINE - width(head) - marks - 3, NAMES, longest)
    lines = [f"{fill(title, room)} {' ' * marks}  {head}"]
    for row in rows:
        name = f"{INDENT}{row.name}"
        if row.cells:
            if width(name) > room:
                lines += wrap(row.name, first=INDENT, rest=INDENT * 2)
                name = ""
            lines.append(f"{fill(name, room)} {fill(row.marks, marks)}  {rest.pop(0)}")
            if row.note:
                lines += wrap(row.note, first=INDENT * 2, rest=INDENT * 2)
        else:
            if width(name) > room:
                lines += wrap(row.name, first=INDENT, rest=INDENT * 2)
                name = ""
            lines += wrap(
                row.note or "",
                first=f"{fill(name, room)} {' ' * marks}  ",
                rest=" " * (room + marks + 3),
            )
    return lines


def _flips(flips: Table) -> list[str]:
    """Like the costs, but of words: cells to the left, long names on lines of their own."""
    rows = [flips.heads, *(row.cells for row in flips.rows)]
    places = [max(width(cells[n]) for cells in rows) for n in range(len(flips.heads))]
    longest = max(width(row.name) for row in flips.rows) + 4
    room = min(longest, NAMES)
    lines = wrap(flips.title, first=INDENT, rest=INDENT * 2)
    for name, cells in [("", flips.heads), *((row.name, row.cells) for row in flips.rows)]:
        if width(name) + 4 > room:
            lines += wrap(name, first=INDENT, rest=INDENT * 2)
            name = ""
        numbers = "  ".join(fill(text, places[n]) for n, text in enumerate(cells))
        lines.append(fill(f"{INDENT}{name}", room) + numbers)
    for note in flips.notes:
        lines += wrap(note, first=INDENT, rest=INDENT * 2)
    return lines
