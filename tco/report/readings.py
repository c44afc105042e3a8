"""What was read of files, on the screen: of one kind in full, of several on one page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from tco.errors import printable
from tco.readings.reading import Dropped, Entry, Period, Reading, Source, Table
from tco.readings.recognition import NotRead
from tco.report.columns import LINE, fill, width, wrap

MOST_ROWS = 40
"""Rows of a table, and numbers, that are shown; the rest is counted."""
MOST_OF_ONE = 4
"""Cards, models or currencies of one reading on the page of several readings."""
MOST_FILES = 4
MOST_NOTES = 3
WIDEST_CELL = 48
"""Two of them and a gap stand beside each other."""
TITLE = 18
GAP = "  "

PLACES = {
    "card": "hardware.{subject}.{field}",
    "demand": "demand.{field}",
    "currency": "exchange_rates.{subject}",
}
WORDS = {
    "utilisation": "busy",
    "idle_power": "idle",
    "active_power": "at work",
    "gpu_hours": "GPU-hours a month",
    "load": "of load",
    "requests": "requests a month",
}
MEASURED = ("busy", "mean W", "output tokens/s", "GPU-hours")
"""Columns of tables that say what was measured where no number of it can be written."""
OF_OPTIONS = {
    "rental": "in a scenario: price of each option that rents the card",
    "api": "in a scenario: the prices of each option that calls the model",
}


def shown(
    readings: Sequence[Reading],
    *,
    not_read: Sequence[NotRead] = (),
    written: Sequence[str] = (),
) -> str:
    """The screen, in lines of at most 100 columns.

    One reading: its numbers, warnings, tables and remarks. Several, or files that were not read:
    one page that begins with what was measured. ``written`` are lines that say where the numbers
    were written to, or why they were not.
    """
    alone = len(readings) == 1 and not not_read
    lines = list(_in_full(readings[0]) if alone else _page(readings, not_read))
    if written:
        lines += ["", "WROTE", *_items(written)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _in_full(reading: Reading) -> Iterator[str]:
    yield from _head(reading)
    yield from _numbers(reading)
    yield from _section("WARNINGS", reading.warnings, reading)
    for table in reading.tables:
        yield from _table(table, reading)
    yield from _section("REMARKS", reading.remarks, reading)


def _page(readings: Sequence[Reading], not_read: Sequence[NotRead]) -> Iterator[str]:
    files = sum(len(reading.sources) for reading in readings)
    yield (
        f"{_counted(files, 'file')} read, of {_counted(len(readings), 'kind')}"
        + (f"; {len(not_read)} not read" if not_read else "")
    )
    yield from ("", "WHAT WAS READ")
    for reading in readings:
        for title, text in _measured(reading):
            line = _named(text, reading.sources)
            if len(reading.sources) > 1 or reading.sources[0].path.name not in line:
                line += f"  [{_files(reading)}]"
            yield from wrap(printable(line), first=fill(f"  {title}", TITLE), rest=" " * TITLE)
    if not_read:
        yield from ("", "NOT READ")
        for left in not_read:
            yield from wrap(
                printable(f"{left.path.name}: {left.why}; {left.next_step}"),
                first="  ",
                rest="    ",
            )
    for reading in readings:
        yield ""
        yield from _head(reading)
        yield from _items(_named(text, reading.sources) for text in reading.warnings)
    yield ""
    yield "A kind of file given alone is shown with its tables and remarks."


# ------------------------------------------------------------------------------- its parts


def _head(reading: Reading) -> Iterator[str]:
    """Kind, files, rows, period and what was left out."""
    rows = f"{_rows(reading.used, reading)} used"
    room = LINE - width(rows) - 1
    yield fill(_cut(printable(reading.kind), room), room) + " " + rows
    names = [source.path.name for source in reading.sources[:MOST_FILES]]
    more = len(reading.sources) - MOST_FILES
    files = ", ".join(names) + (f" and {more} more" if more > 0 else "")
    yield from wrap(printable(files), first="  ", rest="  ")
    if reading.period:
        weeks = _counted(reading.period.whole_weeks, "whole week")
        of_prices = any(entry.basis != "measured" for entry in reading.entries)
        text = _period(reading.period) + ("" if of_prices else f": {weeks}")
        yield from wrap(printable(text), first="  ", rest="  ")
    for dropped in reading.dropped:
        yield from wrap(printable(_dropped(dropped, reading)), first="  ", rest="    ")


def _period(period: Period) -> str:
    return f"{_moment(period.begin)} to {_moment(period.end)}, {period.zone}"


def _moment(moment: datetime) -> str:
    at_midnight = moment.time() == datetime.min.time()
    return f"{moment:%Y-%m-%d}" if at_midnight else f"{moment:%Y-%m-%d %H:%M}"


def _dropped(dropped: Dropped, reading: Reading) -> str:
    first = f" (first: line {dropped.first_line})" if dropped.first_line is not None else ""
    rows = _rows(dropped.rows, reading)
    return _named(f"left out: {rows}, {dropped.why}{first}", reading.sources)


def _rows(count: int, reading: Reading) -> str:
    words = reading.rows_are if count != 1 else reading.rows_are.removesuffix("s")
    return f"{count:,} {words}"


def _numbers(reading: Reading) -> Iterator[str]:
    """Each number with its spread and the place of a scenario that it belongs to."""
    if not reading.entries:
        return
    yield from ("", "NUMBERS")
    entries = reading.entries[:MOST_ROWS]
    rows = [("", "", "spread", "in a scenario")] + [
        (_named(entry.label, reading.sources), entry.shown, spread(entry), place(entry))
        for entry in entries
    ]
    yield from _columns(rows, indent="  ")
    if len(reading.entries) > MOST_ROWS:
        yield f"  and {len(reading.entries) - MOST_ROWS:,} more"
    for room in dict.fromkeys(entry.room for entry in entries if entry.room in OF_OPTIONS):
        yield f"  {OF_OPTIONS[room]}"
    notes = dict.fromkeys(entry.note for entry in entries if entry.note)
    # a note of one number alone is written beside it in the scenario
    if len(notes) <= MOST_NOTES:
        for note in notes:
            yield from wrap(printable(_named(note, reading.sources)), first="  ", rest="    ")


def _measured(reading: Reading) -> Iterator[tuple[str, str]]:
    """What a reading holds, a line for each place of a scenario: what it is, and the numbers."""
    by_room: dict[str, list[Entry]] = {}
    for entry in reading.entries:
        by_room.setdefault(entry.room, []).append(entry)
    if "card" in by_room:
        yield from _of_cards(by_room["card"])
    if "demand" in by_room:
        yield "demand", ", ".join(_of_demand(entry) for entry in by_room["demand"])
    yield from _bill(reading)
    for room, title in (("rental", "rental prices"), ("currency", "exchange rates")):
        if room in by_room:
            each = [f"{entry.subject} {entry.shown}" for entry in by_room[room]]
            yield title, _some(each)
    if "api" in by_room:
        models: dict[str, list[str]] = {}
        for entry in by_room["api"]:
            word = entry.field.removesuffix("_price").replace("_", " ")
            models.setdefault(entry.subject, []).append(f"{word} {entry.shown}")
        yield "API prices", _some([f"{model} ({', '.join(models[model])})" for model in models])
    if not reading.entries:
        yield from _not_written(reading)


def _not_written(reading: Reading) -> Iterator[tuple[str, str]]:
    """What a reading without a number for a scenario has measured all the same, by its tables."""
    for table in reading.tables:
        head, *rows = table.rows
        own = [n for n, name in enumerate(head) if name in MEASURED]
        if own and rows:
            rows = rows[-1:] if rows[-1][0] == "all" else rows
            each = [f"{row[0]}: " + ", ".join(f"{head[n]} {row[n]}" for n in own) for row in rows]
            yield "not written", f"{reading.kind}: {_some(each)}"
            return
    if not any(_bill(reading)):
        yield "not written", f"{reading.kind}: see below"


def _of_cards(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    for card in dict.fromkeys(entry.subject for entry in entries):
        own = [entry for entry in entries if entry.subject == card]
        use = [entry for entry in own if entry.field != "throughput"]
        points = [entry for entry in own if entry.field == "throughput"]
        if use:
            each = [f"{WORDS.get(entry.field, entry.field)} {entry.shown}" for entry in use]
            yield "use of GPUs", f"{card}: {', '.join(each)}"
        if points:
            best = max(points, key=_output_rate)
            of = f", the most of {len(points)} points" if len(points) > 1 else ""
            run = ", ".join(list(_run(best.content))[1:])
            yield "throughput", f"{card}: {best.shown}{', ' * bool(run)}{run}{of}"


def _output_rate(point: Entry) -> float:
    rate = point.content.get("output_rate")
    value = rate.get("value") if isinstance(rate, Mapping) else rate
    return float(value) if isinstance(value, (int, float)) else 0.0


def _of_demand(entry: Entry) -> str:
    word = WORDS.get(entry.field) or entry.field.replace("_", " ")
    return f"{entry.shown} {word}"


def _bill(reading: Reading) -> Iterator[tuple[str, str]]:
    """The totals of a bill, the last row of its table."""
    for table in reading.tables:
        if table.title.startswith("The bill") and table.rows and table.rows[-1][0] == "all":
            head, total = table.rows[0], table.rows[-1]
            each = [
                f"{amount} {name}"
                for name, amount in zip(head[1:], total[1:], strict=False)
                if amount and name != "difference"
            ]
            if each:
                yield "bill", f"{table.title.removeprefix('The bill, ')}: {', '.join(each)}"


def _some(texts: Sequence[str]) -> str:
    more = len(texts) - MOST_OF_ONE
    return "; ".join(texts[:MOST_OF_ONE]) + (f"; and {more:,} more" if more > 0 else "")


def _files(reading: Reading) -> str:
    more = len(reading.sources) - 1
    return reading.sources[0].path.name + (f" and {more} more" if more > 0 else "")


def place(entry: Entry) -> str:
    """The place of a scenario that a number belongs to; empty for one of several options."""
    return PLACES.get(entry.room, "").format(subject=entry.subject, field=entry.field)


def spread(entry: Entry) -> str:
    """What stands beside the value of a number: its bounds, or what it was measured with."""
    content = entry.content
    if " to " in entry.shown:
        return ""
    if "low" in content and "high" in content:
        return f"{_like(entry.shown, content['low'])} .. {_like(entry.shown, content['high'])}"
    if "p25" in content and "p75" in content:
        return f"P25 {_text(content['p25'])}, P75 {_text(content['p75'])}"
    if "minimum" in content:
        return f"minimum {_text(content['minimum'])}"
    if "gpus" in content:
        return ", ".join(_run(content))
    if "shares" in content:
        return f"{len(content['shares'])} levels"
    return ""


def _run(content: Mapping[str, object]) -> Iterator[str]:
    yield f"{content['gpus']} GPU{'s' * (content['gpus'] != 1)}"
    for key, word in (("input_length", "in"), ("output_length", "out"), ("concurrency", "at once")):
        if content.get(key) is not None:
            yield f"{_text(content[key])} {word}"


SCALES = {" %": 0.01, " k": 1e3, " M": 1e6, " B": 1e9}


def _like(example: str, value: object) -> str:
    """A bound in the unit that the number beside it is shown in."""
    if isinstance(value, (int, float)):
        for unit, scale in SCALES.items():
            if example.endswith(unit):
                return f"{value / scale:.4g}{unit}"
    return _text(value)


def _text(value: object) -> str:
    if isinstance(value, (int, float)):
        return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"
    return str(value)


# ------------------------------------------------------------------------- lines and tables


def _section(title: str, texts: Sequence[str], reading: Reading) -> Iterator[str]:
    if texts:
        yield from ("", title)
        yield from _items(_named(text, reading.sources) for text in texts)


def _items(texts: Sequence[str] | Iterator[str]) -> Iterator[str]:
    for text in texts:
        yield from wrap(printable(text), first="  - ", rest="    ")


def _table(table: Table, reading: Reading) -> Iterator[str]:
    if not table.rows:
        return
    yield ""
    yield from wrap(printable(_named(table.title, reading.sources)))
    rows = [[_named(cell, reading.sources) for cell in row] for row in table.rows]
    yield from _columns(rows[: MOST_ROWS + 1], indent="  ")
    if len(rows) > MOST_ROWS + 1:
        yield f"  and {len(rows) - MOST_ROWS - 1:,} more rows"
    for note in table.notes:
        yield from wrap(printable(_named(note, reading.sources)), first="  ", rest="  ")


def _named(text: str, sources: Sequence[Source]) -> str:
    """A text with the files in it by their names, where these tell them apart."""
    names = {source.path.name for source in sources}
    if len(names) == len(sources):
        for source in sorted(sources, key=lambda source: -len(str(source.path))):
            text = text.replace(str(source.path), source.path.name)
    return text


NUMBER = re.compile(r"[-+]?[\d$][\d.,]*( ?[%kMB]| ?[A-Za-z/µ-]{1,14})?|-|")


def _columns(rows: Sequence[Sequence[str]], *, indent: str = "") -> Iterator[str]:
    """Rows in columns, numbers to the right; columns that do not fit stand below, with the first.

    The first row is the head. A column of blanks is left out; cells are cut at 48 places.
    """
    cells = [[_cut(printable(cell)) for cell in row] for row in rows]
    count = max(len(row) for row in cells)
    cells = [row + [""] * (count - len(row)) for row in cells]
    filled = [n for n in range(count) if n == 0 or any(row[n] for row in cells[1:])]
    cells = [[row[n] for n in filled] for row in cells]
    count = len(filled)
    right = [all(NUMBER.fullmatch(row[n]) for row in cells[1:]) for n in range(count)]
    right[0] = False
    places = [max(width(row[n]) for row in cells) for n in range(count)]
    for block in _blocks(places, LINE - len(indent)):
        for row in cells:
            line = GAP.join(fill(row[n], places[n], right=right[n]) for n in block)
            yield (indent + line).rstrip()


def _blocks(places: Sequence[int], room: int) -> Iterator[list[int]]:
    """The columns that stand beside each other, each time with the first."""
    block, used = [0], places[0]
    for n in range(1, len(places)):
        if len(block) > 1 and used + len(GAP) + places[n] > room:
            yield block
            block, used = [0], places[0]
        block.append(n)
        used += len(GAP) + places[n]
    yield block


def _cut(text: str, room: int = WIDEST_CELL) -> str:
    if width(text) <= room:
        return text
    while width(text) > room - 3:
        text = text[:-1]
    return text.rstrip() + "..."


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"
