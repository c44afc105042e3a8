"""``report.html``: the answer on one page, with curves, tables and every assumption.

It holds all it shows, so that it can be sent by mail: no script, no font, no picture from
elsewhere. Its texts and numbers are those of the summary, its charts those of ``charts/``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import tco
from tco.analysis.bases import value_text
from tco.analysis.figures import cell
from tco.analysis.files import origin_of, shape_words, source_cell
from tco.analysis.findings import Findings
from tco.analysis.staleness import ages
from tco.analysis.summary import Summary
from tco.analysis.tables import Row, Table
from tco.errors import printable
from tco.report import gap
from tco.report.inlining import inlined
from tco.results import INCOMPLETE, Result
from tco.scenario.inputs import DEFINITION, LIVE, SOLVED, Input

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
STYLES = Path(__file__).with_name("page.css")
MOST_COLUMNS = 6  # of options in one table of months, so that it prints on A4
# what each kind of chart is
NAMES = {
    "cumulative-cost": "cumulative cost by month",
    "tokens": "cost by tokens a month",
    "utilisation": "cost by busy share",
    "map": "the cheapest option over two inputs",
    "tornado": "what moves the difference",
    "waterfall": "the difference part by part",
    "monthly": "cost a month by its parts",
}


@dataclass(frozen=True)
class Picture:
    """A chart for the page: its kind, what it shows in words, and the SVG file."""

    kind: str
    title: str
    headline: str
    file: Path

    @property
    def words(self) -> str:
        """The chart for those who do not see it."""
        return printable(f"{NAMES.get(self.kind, self.kind)}: {self.title}. {self.headline}")


def page(
    result: Result, findings: Findings, summary: Summary, pictures: Sequence[Picture]
) -> bytes:
    """The page in UTF-8; ``pictures`` are the charts that were drawn for it."""
    charts = {
        picture.kind: _figure(picture, f"c{number}")
        for number, picture in enumerate(pictures, start=1)
    }
    body = "\n".join(
        [
            "<header>",
            *_title(result, summary),
            "</header>",
            *_section("Answer", _answer(summary)),
            *_section("Costs", [_table(summary.costs, "option", _roles(result), "numbers")]),
            *_section("Cumulative cost", _some(charts, "cumulative-cost")),
            *_section("Where it flips", _flips(result, findings, summary, charts)),
            *_section("Which is the cheapest where", _some(charts, "map")),
            *_section("What moves it", _moves(summary, charts)),
            *_section("Why", _why(result, findings, summary, charts)),
            *_section("Cost a month by its parts", _some(charts, "monthly")),
            *_section("Cases", _cases(result, summary)),
            *_section("Finance", _finance(summary)),
            *_section("Month by month", _months(result)),
            *_section("Assumptions", _assumptions(result, summary)),
            *_section("Conventions", _conventions(result, summary)),
            *_section("Warnings", _list(summary.warnings)),
            *_section("Left out", _list(summary.left_out)),
        ]
    )
    style = STYLES.read_text(encoding="utf-8")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="format-detection" content="telephone=no">\n'
        f"<title>{text(summary.title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    ).encode()


def text(content: str) -> str:
    """A text in which a browser finds nothing to obey, for content and for attributes.

    >>> text('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    return escape(printable(content))


# the parts, each as lines of HTML; a section without lines is left out


def _section(heading: str, lines: Iterable[str]) -> list[str]:
    content = list(lines)
    return ["<section>", f"<h2>{text(heading)}</h2>", *content, "</section>"] if content else []


def _title(result: Result, summary: Summary) -> Iterator[str]:
    yield f"<h1>{text(summary.title)}</h1>"
    if summary.question:
        yield f'<p class="question">{text(summary.question)}</p>'
    made = f"scenario {result.scenario.digest[:12]}, tco {tco.__version__}"
    master = (summary.counting, summary.conventions, summary.baseline, made)
    yield from _list((line for line in master if line), "master")


def _answer(summary: Summary) -> Iterator[str]:
    answer = summary.answer
    for number, sentence in enumerate(answer.verdict):
        yield _paragraph(sentence, "" if number else "verdict")
    if answer.focus:
        yield _paragraph(answer.focus)
    if answer.conditions:
        yield "<ol>"
        yield from (f"<li>{text(condition)}</li>" for condition in answer.conditions)
        yield "</ol>"
    yield from (_paragraph(remark) for remark in answer.remarks)
    if summary.sure:
        yield "<h3>How sure</h3>"
        yield from (_paragraph(sentence) for sentence in summary.sure)


def _flips(
    result: Result, findings: Findings, summary: Summary, charts: Mapping[str, str]
) -> Iterator[str]:
    if summary.flips is not None and summary.flips.rows:
        yield from _titled(summary.flips, "against")
    zeros = gap.zeros(result, findings.flips)
    if zeros is not None:
        yield from _titled(zeros, "input")
    yield from _some(charts, "tokens", "utilisation")


def _moves(summary: Summary, charts: Mapping[str, str]) -> Iterator[str]:
    if summary.moves is not None:
        yield from _titled(summary.moves, "input")
    yield from _some(charts, "tornado")


def _why(
    result: Result, findings: Findings, summary: Summary, charts: Mapping[str, str]
) -> Iterator[str]:
    yield from (_paragraph(sentence) for sentence in summary.why)
    yield from _some(charts, "waterfall")
    if findings.attribution is not None:
        yield from _titled(gap.parts(result, findings.attribution), "part", "numbers single")


def _cases(result: Result, summary: Summary) -> Iterator[str]:
    if summary.cases is not None:
        yield _table(summary.cases, "option", _roles(result), "numbers")


def _finance(summary: Summary) -> Iterator[str]:
    yield from (_paragraph(sentence) for sentence in summary.finance.texts)
    for statement in summary.finance.statements:
        yield from _titled(statement, "fiscal year", "numbers single")


def _months(result: Result) -> Iterator[str]:
    """The cumulative cost of every option at the end of each month."""
    costed = [option.name for option in result.ranked if result.status[option.name] != INCOMPLETE]
    first = [name for name in (result.focus, result.baseline) if name in costed]
    names = list(dict.fromkeys([*first, *costed]))
    if not names:
        return
    costs = {name: result.line(name, "cumulative_cost") for name in names}
    decimals = 2 if max(abs(cost) for line in costs.values() for cost in line) < 1000 else 0
    title = f"Cumulative cost by month in {result.currency}, not discounted"
    yield f"<details><summary>{text(title)}</summary>"
    tables = math.ceil(len(names) / MOST_COLUMNS)
    columns = math.ceil(len(names) / tables)
    for start in range(0, len(names), columns):
        shown = names[start : start + columns]
        rows = tuple(
            Row(str(month), cells=tuple(cell(costs[name][month], decimals) for name in shown))
            for month in range(result.scenario.months + 1)
        )
        yield _table(Table(title, tuple(shown), rows), "month", {}, "numbers months", turned=False)
    yield "</details>"


def _assumptions(result: Result, summary: Summary) -> Iterator[str]:
    yield from _list(f"{basis}: {inputs}" for basis, inputs in summary.rests_on)
    heads = ("value", "unit", "low", "high", "basis", "source", "date")
    wide = len(heads) + 1
    days = {given.name: old for given, old in ages(result)}
    yield '<div class="scroll"><table class="inputs turned">'
    yield f"<thead>{_heads(('input', *heads))}</thead>"
    numbers = [given for given in result.model.numbers if given.kind in GROUPS]
    for kind, heading in GROUPS.items():
        group = [given for given in numbers if given.kind == kind]
        if group:
            yield f'<tbody><tr class="group"><th colspan="{wide}">{text(heading)}</th></tr>'
            for given in group:
                about = _about(result, given, days.get(given.name))
                yield _assumption(given.label, heads, about)
            if kind == LIVE and (load := _load(result)):
                yield _assumption("Load within a month", heads, load)
            yield "</tbody>"
    yield "</table></div>"


def _assumption(label: str, heads: Sequence[str], about: Sequence[str]) -> str:
    """A row of the table: a number and what is known of it."""
    cells = "".join(_cell(head, part, head) for head, part in zip(heads, about, strict=True))
    return f'<tr><th scope="row">{text(label)}</th>{cells}</tr>'


def _load(result: Result) -> tuple[str, ...]:
    """What is known of the load within a month; empty where nothing is said of it."""
    load = result.scenario.demand.load if result.scenario.demand else None
    if load is None or not (load.basis or load.source or load.files):
        return ()
    found = origin_of(load)
    parts = (load.source, found and found.cell, load.note)
    source = "; ".join(" ".join(part.split()) for part in parts if part)
    basis = load.basis or "not stated"
    return shape_words(load), "", "", "", basis, source, load.as_of or ""


def _conventions(result: Result, summary: Summary) -> list[str]:
    """How the numbers are counted, and which scenario and program gave them."""
    given = [line for line in (summary.counting, summary.conventions, summary.baseline) if line]
    made = f"scenario {result.scenario.digest}, tco {tco.__version__}"
    return _list([*given, *CONVENTIONS, made])


CONVENTIONS = (
    "costs are positive; a cash flow, an EBITDA effect and a profit are positive where money comes "
    "in",
    "month 0 is the decision; a month that never comes is said so, and no number stands for it",
    "rates are annual and effective, unless their label says otherwise; nothing is rounded but "
    "what is shown",
)
GROUPS = {LIVE: "Numbers of the scenario", SOLVED: "Solved before the months are run",
          DEFINITION: "Definitions"}  # fmt: skip


def _about(result: Result, given: Input, days: int | None) -> tuple[str, ...]:
    """What is known of an input: value, unit, low, high, basis, source, date and age of a price."""
    quantity = given.quantity
    ends = (quantity.low, quantity.high) if quantity else (None, None)
    low, high = (
        value_text(result, replace(given, values=(end,))) if end is not None else "" for end in ends
    )
    files = source_cell(result, given)
    parts = (files, quantity.note) if quantity else (given.why_default, files)
    source = "; ".join(" ".join(part.split()) for part in parts if part)
    date = (quantity.as_of if quantity else None) or ""
    date += f", {days:,} days old" if days is not None else ""
    value = value_text(result, given)
    return value, given.unit_text, low, high, given.basis, source, date


# tables, lists and charts


def _roles(result: Result) -> dict[str, str]:
    """The options whose rows stand out, and as what."""
    roles = {result.baseline: "baseline", result.focus: "focus"}
    return {name: role for name, role in roles.items() if name}


def _titled(table: Table, first: str, kind: str = "words") -> Iterator[str]:
    yield f"<h3>{text(table.title)}</h3>"
    yield _table(table, first, {}, kind)


def _table(
    table: Table, first: str, roles: Mapping[str, str], kind: str, *, turned: bool = True
) -> str:
    """A table in a box that it may scroll in, with its notes below."""
    turned_too = " turned" if turned else ""
    lines = [f'<div class="scroll"><table class="{kind}{turned_too}">']
    lines += [f"<thead>{_heads((first, *table.heads))}</thead>", "<tbody>"]
    wide = len(table.heads)
    for row in table.rows:
        role = f' class="{roles[row.name]}"' if row.name in roles else ""
        marks = f' <span class="marks">{text(row.marks)}</span>' if row.marks else ""
        cells = "".join(_cell(*pair) for pair in zip(table.heads, row.cells, strict=False))
        note = f'<td class="note" colspan="{wide}">{text(row.note)}</td>' if row.note else ""
        name = f'<th scope="row">{text(row.name)}{marks}</th>'
        if row.cells:
            lines.append(f"<tr{role}>{name}{cells}</tr>")
            if note:
                lines.append(f"<tr{role}><td></td>{note}</tr>")
        else:
            lines.append(f"<tr{role}>{name}{note}</tr>")
    lines += ["</tbody>", "</table></div>", *_list(table.notes, "notes")]
    return "\n".join(lines)


def _heads(heads: Iterable[str]) -> str:
    cells = (f'<th scope="col">{text(head)}</th>' for head in heads)
    return f"<tr>{''.join(cells)}</tr>"


def _cell(head: str, content: str, kind: str = "") -> str:
    classed = f' class="{kind}"' if kind else ""
    return f'<td{classed} data-head="{text(head)}">{text(content)}</td>'


def _list(texts: Iterable[str], kind: str = "") -> list[str]:
    items = [f"<li>{text(item)}</li>" for item in texts]
    return [f'<ul class="{kind}">' if kind else "<ul>", *items, "</ul>"] if items else []


def _paragraph(content: str, kind: str = "") -> str:
    return f'<p class="{kind}">{text(content)}</p>' if kind else f"<p>{text(content)}</p>"


def _some(charts: Mapping[str, str], *kinds: str) -> list[str]:
    return [charts[kind] for kind in kinds if kind in charts]


def _figure(picture: Picture, prefix: str) -> str:
    drawn = inlined(picture.file.read_bytes(), prefix, picture.words)
    return f'<figure><div class="scroll">{drawn}</div></figure>'
