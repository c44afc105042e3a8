"""A scenario begun with readings, where there is none to write them into."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from tco.prices import book
from tco.prices.cards import card as known_card
from tco.readings.reading import Entry, Reading, ReadingError
from tco.scenario import writing

TOKENS = ("output_tokens", "reasoning_tokens", "input_tokens", "cache_read_tokens",
          "cache_write_tokens", "cache_write_1h_tokens")  # fmt: skip
MOST_MODELS = 3  # options of APIs that a scenario is begun with: the largest of the bill


def day_of(reading: Reading, entry: Entry, as_of: date | None) -> date:
    """The day of a number: its own, the last of what was measured, or the day of the file."""
    if entry.day is not None:
        return entry.day
    if reading.period is not None:
        return reading.period.last_day
    if as_of is not None:
        return as_of
    changed = max(source.path.stat().st_mtime for source in reading.sources)
    return datetime.fromtimestamp(changed, UTC).date()


def dated_by(reading: Reading, entry: Entry, as_of: date | None) -> str | None:
    """How a number has got its day, where its file does not say it."""
    if entry.day is not None or reading.period is not None:
        return None
    if as_of is not None:
        return "the file holds no date: the day was given with --as-of"
    return "the file holds no date: the day it was last changed"


def begun(readings: Sequence[Reading], file: Path, as_of: date | None = None) -> str:
    """A scenario to put readings into: an option for each card, rent and model that was read."""
    cards: dict[str, int] = {}
    rented: dict[str, int] = {}
    models: dict[tuple[str, str], None] = {}
    work = False
    hours = ""
    for reading in readings:
        for entry in reading.entries:
            if entry.room == "card" and entry.subject:
                gpus = entry.content.get("gpus") if entry.field == "throughput" else None
                known = cards.get(entry.subject, reading.gpus.get(entry.subject, 1))
                cards[entry.subject] = max(known, int(gpus or 1))
            elif entry.room == "rental":
                rented[entry.subject] = 1
            elif entry.room == "demand" and entry.field in TOKENS:
                work = True
            elif entry.room == "demand" and entry.field == "gpu_hours":
                hours = entry.subject
                cards.setdefault(hours, 1)
        models.update(dict.fromkeys(reading.models))
    days = [day_of(reading, entry, as_of) for reading in readings for entry in reading.entries]
    files = sum(len(reading.sources) for reading in readings)
    lines = [
        "# yaml-language-server: $schema=scenario.schema.json",
        f"# Begun from {'one file that was' if files == 1 else f'{files} files that were'} read.",
        f"name: {writing.flow(file.stem.replace('-', ' '))}",
    ]
    if days:
        lines.append(f"as_of: {max(days)}  # the last day that was measured or quoted")
    if work:
        lines += ["demand:", "  output_tokens: 0"]
    elif hours:
        lines += ["demand:", "  gpu_hours: 0", f"  card: {writing.flow(hours)}"]
    options = []
    for card, gpus in cards.items():
        if known_card(card) is not None:
            options += [
                f"  own-{card}:",
                f"    own: {card}",
                f"    count: {gpus}",
            ]
            if book.price_at(card, book.GPU, max(days, default=None)) is not None:
                options.append("    price: book  # the price book's; put your own quote here")
    for card in rented:
        if known_card(card) is not None:
            options += [f"  rent-{card}:", f"    rent: {card}", f"    count: {cards.get(card, 1)}"]
    for provider, model in [*models][:MOST_MODELS]:
        options += [
            f"  {writing.flow(f'api-{model}')}:",
            f"    api: {writing.flow(model)}",
            f"    provider: {writing.flow(provider)}",
            "    price: book",
        ]
    if not options:
        raise ReadingError(
            str(file),
            None,
            None,
            "a file that does not exist, and readings of no card, rent or API",
            "a scenario to write into, or files from which options follow",
            f"write a scenario first:  tco new {file}",
        )
    return "\n".join([*lines, "options:", *options, ""])
