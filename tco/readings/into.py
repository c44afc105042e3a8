"""What was read, written into a scenario: the places its numbers go to, and where they came from.

A file that is there keeps its comments and its order; a new one is begun with the options that the
readings are of. Nothing is written unless the whole is a scenario that can be read.
"""

from __future__ import annotations

import codecs
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from tco.errors import OutputError, ScenarioErrors
from tco.readings.beginning import TOKENS, begun, dated_by, day_of
from tco.readings.places import INSTEAD_OF, WORK, Places, Target, dotted
from tco.readings.prices.ecb import rates_of
from tco.readings.reading import Asked, Entry, Reading, ReadingError
from tco.scenario import loading, writing
from tco.scenario.document import read_bytes
from tco.scenario.schema import Scenario
from tco.scenario.writing import CannotWrite, Step


@dataclass(frozen=True)
class Change:
    """A value that was written: where, what stood there before, what stands there now."""

    path: str
    before: str | None
    after: str


@dataclass(frozen=True)
class Written:
    """What was written into a scenario, and what was not and why."""

    file: str
    is_new: bool
    changes: tuple[Change, ...]
    left: tuple[str, ...]

    def told(self) -> tuple[str, ...]:
        """A line for each value that was written, then one for each that was not."""
        return (
            f"{self.file}: {'begun with' if self.is_new else ''} {len(self.changes)} "
            f"value{'s' if len(self.changes) > 1 else ''}".replace(":  ", ": "),
            *(
                f"{change.path}: {change.after}"
                + (f", before {change.before}" if change.before else "")
                for change in self.changes
            ),
            *self.left,
        )


def write(
    readings: Sequence[Reading],
    into: str,
    as_of: date | None = None,
    runs: Callable[[Scenario], object] = lambda scenario: scenario,
) -> Written:
    """Write the numbers of readings into the scenario that ``into`` names, or begin one with them.

    ``as_of`` is the day of the files that do not say their own; without it, it is the day on which
    a file was last changed, which is told. ``runs`` is asked whether the scenario can be run, and
    raises ``ScenarioErrors`` where it cannot.

    Raises ``ScenarioErrors`` where that is no scenario, or would be none afterwards; `ReadingError`
    where no number has a place in it; `OutputError` where it cannot be written. Nothing is changed
    then.
    """
    target = Target.of(into)
    name = str(target.file)
    is_new = not target.file.exists()
    if is_new and target.place is not None:
        read_bytes(name)  # says that there is no such file
    content = begun(readings, target.file, as_of).encode() if is_new else read_bytes(name)
    text = content.decode("utf-8-sig")
    # lines that all end as Windows ends them are edited as others are, and end so again
    ends = "\r\n" if text.count("\r\n") == text.count("\n") else "\n"
    text = text.replace(ends, "\n")
    entries = [entry for reading in readings for entry in reading.entries]
    places = Places(
        text,
        loading.read(content, name),
        target,
        is_new,
        frozenset(entry.subject for entry in entries if entry.field == "throughput"),
        frozenset(str(e.content["currency"]) for e in entries if "currency" in e.content),
    )
    draft = _Draft(text, places, as_of)
    # what the rates say decides whether an amount in another currency can be written
    for reading in sorted(readings, key=lambda one: not _has_rates(one)):
        draft.take(reading)
    if not draft.changes:
        raise ReadingError(
            name,
            None,
            None,
            "; ".join(places.left) or "no number that a scenario takes",
            "a number that has a place in this scenario",
            "add the option or the card it belongs to, or name a place:  "
            f"--into {name}:hardware.rtx-4090",
        )
    _check(text, draft, name, runs)
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    _replace(target.file, mark + draft.text.replace("\n", ends).encode())
    return Written(name, is_new, tuple(draft.changes), tuple(places.left))


def _has_rates(reading: Reading) -> bool:
    return any(entry.room == "currency" for entry in reading.entries)


def _check(before: str, draft: _Draft, name: str, runs: Callable[[Scenario], object]) -> None:
    """Whether what is to be written is a scenario still, with all its comments."""
    lost = writing.comments(before) - writing.comments(draft.text)
    if lost:
        raise OutputError(
            name, f"a comment would be lost: {next(iter(lost))}", "write the value by hand"
        )
    try:
        runs(loading.read(draft.text.encode(), name))
    except ScenarioErrors as error:
        first = error.faults[0]
        raise ReadingError(
            name,
            first.line,
            first.field,
            f"{first.found}, once the values that were read are written; nothing was written",
            first.expected,
            first.next_step,
        ) from None


@dataclass
class _Draft:
    """The text of a scenario while numbers are put into it."""

    text: str
    places: Places
    as_of: date | None
    changes: list[Change] = field(default_factory=list)
    # the reading that each place was given by
    given_by: dict[tuple[Step, ...], str] = field(default_factory=dict)

    def take(self, reading: Reading) -> None:
        """Put every number of a reading where it belongs."""
        points: dict[tuple[str, str], list[Entry]] = {}
        undated = [e for e in reading.entries if dated_by(reading, e, self.as_of)]
        if undated and self.as_of is None:
            names = ", ".join(source.path.name for source in reading.sources)
            self.places.leave(
                f"{names}: no date in it, so its day is the one on which it was last changed, "
                f"{day_of(reading, undated[0], None)}; a copy would be dated later: say the day "
                "with --as-of"
            )
        self.places.look_at(reading)
        for entry in reading.entries:
            if entry.field == "throughput":
                points.setdefault((entry.subject, entry.field), []).append(entry)
            else:
                self._put(reading, entry, self._content(reading, entry))
        for entries in points.values():
            contents = [self._content(reading, entry) for entry in entries]
            self._put(reading, entries[0], contents)
        self._take_out_what_is_not_told(reading)

    def _put(self, reading: Reading, entry: Entry, content: Any) -> None:
        if content is None:
            return
        places = list(self.places.of(entry))
        for place in places:
            *above, last = place
            if not self._can_be_spent(content, place):
                continue
            other = self.given_by.setdefault(place, reading.kind)
            if other != reading.kind:
                raise ReadingError(
                    str(self.places.target.file),
                    None,
                    dotted(place),
                    f"two values, of {other} and of {reading.kind}; nothing was written",
                    "one",
                    "give the files one kind at a time, or name another place for one of them",
                )
            if entry.room == "demand" and last in WORK:
                self._clear_other_work(place, entry)
            before = self._shown(place)
            self._write(place, content)
            for other in INSTEAD_OF.get(str(last), ()):
                self._take_out((*above, other), f"{last} stands in its place")
            after = str(content["value"]) if entry.room == "currency" else entry.shown
            more = (
                f" and {len(content) - 1} more" if isinstance(content, list) and content[1:] else ""
            )
            self.changes.append(Change(dotted(place), before, after + more))

    def _can_be_spent(self, content: Any, place: tuple[Step, ...]) -> bool:
        """Whether an amount is in a currency of the scenario."""
        currency = content.get("currency") if isinstance(content, dict) else None
        known = (self.places.scenario.currency, *self.places.scenario.exchange_rates)
        if currency is None or currency in known:
            return True
        if writing.has(self.text, ("exchange_rates", currency)):
            return True
        self.places.leave(
            f"{dotted(place)}: the price is in {currency}, and the scenario has no exchange rate "
            f"for it: add  exchange_rates: {{{currency}: ...}}, or read the rates of the ECB too"
        )
        return False

    def _take_out_what_is_not_told(self, reading: Reading) -> None:
        """Classes of tokens of an earlier file, where another says what was used."""
        of_use = {e.field for e in reading.entries if e.room == "demand" and e.field in TOKENS}
        places = [place for place in self.given_by if place[-1] in of_use]
        if not of_use or not places or self.given_by[places[0]] != reading.kind:
            return
        if self.places.target.place is not None and str(places[0][-1]) in self.places.target.place:
            return  # one field alone was asked for
        told = {entry.field for entry in reading.entries}
        for name in (*TOKENS, "requests"):
            if name not in told:
                self._take_out((*places[0][:-1], name), "the file that was read tells none")

    def _clear_other_work(self, place: tuple[Step, ...], entry: Entry) -> None:
        """Demand of another kind goes; tokens that the file does not tell stay."""
        *above, last = place
        if last == "gpu_hours":
            self._write((*above, "card"), entry.subject)
        else:
            for other in ("tasks", "task", "gpu_hours", "card"):
                self._take_out((*above, other), f"{last} stands in its place")

    def _write(self, place: tuple[Step, ...], content: Any) -> None:
        try:
            self.text = writing.put(self.text, place, content)
        except CannotWrite as refused:
            raise ReadingError(
                str(self.places.target.file),
                None,
                dotted(place),
                f"{refused.found}; nothing was written",
                "a place of its own for the value that was read",
                refused.next_step,
            ) from None

    def _take_out(self, place: tuple[Step, ...], why: str) -> None:
        if not writing.has(self.text, place):
            return
        before = self._shown(place)
        try:
            self.text = writing.without(self.text, place)
        except CannotWrite as refused:
            raise ReadingError(
                str(self.places.target.file),
                None,
                dotted(place),
                f"{refused.found}; nothing was written",
                f"no {place[-1]} where {why}",
                f"delete {place[-1]} first",
            ) from None
        self.changes.append(Change(dotted(place), before, f"taken out: {why}"))

    def _shown(self, place: tuple[Step, ...]) -> str | None:
        """What stands at a place, as the user wrote it."""
        if not writing.has(self.text, place):
            return None
        content = writing.content_at(self.text, place)
        if isinstance(content, dict):
            main = content.get("value", content.get("median"))
            if main is None:
                return f"{len(content.get('loads', content))} values"
            basis = content.get("basis")
            return f"{main} ({basis})" if basis else str(main)
        return f"{len(content)} values" if isinstance(content, list) else str(content)

    def _content(self, reading: Reading, entry: Entry) -> Any:
        """What stands in the scenario: the numbers with their basis, source, day and files."""
        numbers: dict[str, Any] = dict(entry.content)
        if entry.room == "currency":
            rate = _rate(reading, entry, self.places.scenario.currency)
            if rate is None:
                return None
            numbers = rate
        known: dict[str, Any] = {
            "basis": entry.basis,
            "source": reading.kind,
            "as_of": str(day_of(reading, entry, self.as_of)),
            "files": {self._relative(source.path): source.sha256 for source in reading.sources},
        }
        dated = dated_by(reading, entry, self.as_of)
        note = "; ".join(text for text in (entry.note, dated) if text)
        if note:
            known["note"] = note
        if entry.field == "throughput":
            tokens = dict(numbers.pop("output_rate"))
            return {"output_rate": {**tokens, **known}, **numbers}
        return {**numbers, **known}

    def _relative(self, path: Path) -> str:
        folder = self.places.target.file.resolve().parent
        try:
            return Path(os.path.relpath(path.resolve(), folder)).as_posix()
        except ValueError:  # on another drive
            return path.resolve().as_posix()


def _rate(reading: Reading, entry: Entry, reporting: str) -> dict[str, Any] | None:
    """Units of a currency for one of the reporting currency, whatever both were quoted against.

    The spread is that of the days of a year, each with the two rates of that day.
    """
    known = {other.subject for other in reading.entries if other.room == "currency"}
    if entry.subject == reporting or reporting not in known:
        return None
    paths = [source.path for source in reading.sources]
    rate = rates_of(paths, Asked()).rate(entry.subject, per=reporting)
    pair = f"{entry.subject}/{reporting}"
    return {
        name: f"{writing.number(number)} {pair}"
        for name, number in (("value", rate.value), ("low", rate.low), ("high", rate.high))
        if number is not None
    }


def _replace(file: Path, content: bytes) -> None:
    """Put a content in place of a file: all of it, or none."""
    file = file.resolve()  # a link stays a link
    try:
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o666 & ~_umask()
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, mode)
            os.replace(temporary, file)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as fault:
        why = (fault.strerror or str(fault)).lower()
        raise OutputError(str(file), why, "choose a file in a folder that may be written") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def hours_per_month(into: str | None) -> float:
    """The hours of a month of the scenario that is written into; 730 where it does not say."""
    if into is None or not Target.of(into).file.exists():
        return 730.0
    name = str(Target.of(into).file)
    given = loading.read(read_bytes(name), name).hours_per_month
    return given.value if given is not None and not isinstance(given, str) else 730.0
