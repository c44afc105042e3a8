"""What was read, written into a scenario: the places its numbers go to, and where they came from.

A file that is there keeps its comments and its order; a new one is begun with the options that the
readings are of. Nothing is written unless the whole is a scenario that can be read.
"""

from __future__ import annotations

import codecs
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from tco.errors import OutputError, ScenarioErrors
from tco.prices import book
from tco.prices.cards import card as known_card
from tco.prices.list_prices import seller
from tco.readings.prices.ecb import rates_of
from tco.readings.prices.litellm_prices import PROVIDERS
from tco.readings.reading import Asked, Entry, Reading, ReadingError
from tco.scenario import loading, writing
from tco.scenario.document import Scalar, nearest, parse, read_bytes
from tco.scenario.schema import Api, Own, Rent, Scenario
from tco.scenario.settings import Setting
from tco.scenario.writing import CannotWrite, Step

# what says the same as a field that is read, and has to go
INSTEAD_OF = {
    "throughput": ("output_rate",),
    "output_rate": ("throughput",),
    "load": ("peak_to_mean",),
    "output_price": ("output_tiers",),
    "input_price": ("input_tiers",),
    "gpu_hours": ("output_tokens", "input_tokens", "reasoning_tokens", "tasks", "task"),
}
TOKENS = ("output_tokens", "reasoning_tokens", "input_tokens", "cache_read_tokens",
          "cache_write_tokens", "cache_write_1h_tokens")  # fmt: skip
WORK = (*TOKENS, "gpu_hours")
MOST_MODELS = 3  # options of APIs that a scenario is begun with: the largest of the bill
ROOMS = {"card": ("hardware", "options"), "demand": ("demand",), "rental": ("options",),
         "api": ("options",), "currency": ("exchange_rates",)}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """A value that was written: where, what stood there before, what stands there now."""

    path: str
    before: str | None
    after: str
    file: str


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


@dataclass(frozen=True)
class Target:
    """A scenario file, and the place in it where values are to go, if one was named."""

    file: Path
    place: str | None

    @classmethod
    def of(cls, text: str) -> Target:
        """What ``--into`` names: a file, or a file and a path in it with a colon between them.

        >>> Target.of("my.yaml:hardware.rtx-4090").place
        'hardware.rtx-4090'
        >>> Target.of("C:/a/my.yaml").place is None
        True
        """
        match = re.fullmatch(r"(.+?\.ya?ml):(.+)", text)
        return cls(Path(match[1]), match[2]) if match else cls(Path(text), None)


def write(readings: Sequence[Reading], into: str, as_of: date | None = None) -> Written:
    """Write the numbers of readings into the scenario that ``into`` names, or begin one with them.

    ``as_of`` is the day of the files that do not say their own; without it, it is the day on which
    a file was last changed, which is told.

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
    draft = _Draft(text, loading.read(content, name), target, is_new, as_of)
    draft.with_throughput = frozenset(
        entry.subject
        for reading in readings
        for entry in reading.entries
        if entry.field == "throughput"
    )
    for reading in readings:
        draft.take(reading)
    if not draft.changes:
        raise ReadingError(
            name,
            None,
            None,
            "; ".join(draft.left) or "no number that a scenario takes",
            "a number that has a place in this scenario",
            "add the option or the card it belongs to, or name a place:  "
            f"--into {name}:hardware.rtx-4090",
        )
    _check(text, draft, name)
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    _replace(target.file, mark + draft.text.replace("\n", ends).encode())
    return Written(name, is_new, tuple(draft.changes), tuple(draft.left))


def _check(before: str, draft: _Draft, name: str) -> None:
    """Whether what is to be written is a scenario still, with all its comments."""
    lost = writing.comments(before) - writing.comments(draft.text)
    if lost:
        raise OutputError(
            name, f"a comment would be lost: {next(iter(lost))}", "write the value by hand"
        )
    try:
        loading.read(draft.text.encode(), name)
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
    scenario: Scenario
    target: Target
    is_new: bool
    as_of: date | None
    changes: list[Change] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    with_throughput: frozenset[str] = frozenset()
    # of each model of the list that is being put in, who sells it
    sellers: dict[str, set[str | None]] = field(default_factory=dict)

    def take(self, reading: Reading) -> None:
        """Put every number of a reading where it belongs."""
        points: dict[tuple[str, str], list[Entry]] = {}
        undated = [e for e in reading.entries if _dated_by(reading, e, self.as_of)]
        if undated and self.as_of is None:
            names = ", ".join(source.path.name for source in reading.sources)
            self._leave(
                f"{names}: no date in it, so its day is the one on which it was last changed, "
                f"{_day(reading, undated[0], None)}; a copy would be dated later: say the day with "
                "--as-of"
            )
        self.sellers = {}
        for entry in reading.entries:
            if entry.room == "api":
                sold = self.sellers.setdefault(_model(entry.subject), set())
                sold.add(_seller(entry.provider, entry.subject))
        for entry in reading.entries:
            if entry.field == "throughput":
                points.setdefault((entry.subject, entry.field), []).append(entry)
            else:
                self._put(reading, entry, self._content(reading, entry))
        for entries in points.values():
            contents = [self._content(reading, entry) for entry in entries]
            self._put(reading, entries[0], contents)

    def _put(self, reading: Reading, entry: Entry, content: Any) -> None:
        if content is None:
            return
        places = list(self._places(entry))
        for place in places:
            *above, last = place
            if entry.room == "demand" and last in WORK:
                self._clear_other_work(place, entry)
            before = self._shown(place)
            self._write(place, content)
            for other in INSTEAD_OF.get(str(last), ()):
                self._take_out((*above, other), f"{last} stands in its place")
            files = ", ".join(source.path.name for source in reading.sources)
            after = str(content["value"]) if entry.room == "currency" else entry.shown
            more = (
                f" and {len(content) - 1} more" if isinstance(content, list) and content[1:] else ""
            )
            self.changes.append(Change(_dotted(place), before, after + more, files))

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
                str(self.target.file),
                None,
                _dotted(place),
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
                str(self.target.file),
                None,
                _dotted(place),
                f"{refused.found}; nothing was written",
                f"no {place[-1]} where {why}",
                f"delete {place[-1]} first",
            ) from None
        self.changes.append(Change(_dotted(place), before, f"taken out: {why}", ""))

    def _shown(self, place: tuple[Step, ...]) -> str | None:
        """What stands at a place, as the user wrote it."""
        if not writing.has(self.text, place):
            return None
        content = writing.content_at(self.text, place)
        if isinstance(content, dict):
            main = content.get("value", content.get("median"))
            basis = content.get("basis")
            return f"{main} ({basis})" if basis else str(main)
        return f"{len(content)} values" if isinstance(content, list) else str(content)

    def _content(self, reading: Reading, entry: Entry) -> Any:
        """What stands in the scenario: the numbers with their basis, source, day and files."""
        numbers: dict[str, Any] = dict(entry.content)
        if entry.room == "currency":
            rate = _rate(reading, entry, self.scenario.currency)
            if rate is None:
                return None
            numbers = rate
        known: dict[str, Any] = {
            "basis": entry.basis,
            "source": reading.kind,
            "as_of": str(_day(reading, entry, self.as_of)),
            "files": {self._relative(source.path): source.sha256 for source in reading.sources},
        }
        dated = _dated_by(reading, entry, self.as_of)
        note = "; ".join(text for text in (entry.note, dated) if text)
        if note:
            known["note"] = note
        if entry.field == "throughput":
            tokens = dict(numbers.pop("output_rate"))
            return {"output_rate": {**tokens, **known}, **numbers}
        return {**numbers, **known}

    def _relative(self, path: Path) -> str:
        folder = self.target.file.resolve().parent
        try:
            return Path(os.path.relpath(path.resolve(), folder)).as_posix()
        except ValueError:  # on another drive
            return path.resolve().as_posix()

    def _places(self, entry: Entry) -> Iterator[tuple[Step, ...]]:
        if self.target.place is not None:
            yield from self._named_place(entry, self.target.place)
        elif entry.room == "card":
            if not self._is_a_result(entry):
                yield from self._places_of_card(entry)
        elif entry.room == "demand":
            yield from self._places_of_demand(entry)
        elif entry.room == "currency":
            if entry.subject in self.scenario.exchange_rates:
                yield "exchange_rates", entry.subject
        else:
            yield from self._places_of_option(entry)

    def _is_a_result(self, entry: Entry) -> bool:
        """Whether a new scenario says how busy the card is: by its demand and its throughput."""
        known = self.scenario.demand is not None and entry.subject in self.with_throughput
        if not (self.is_new and entry.field == "utilisation" and known):
            return False
        self._leave(
            f"{entry.label} of {entry.subject}, {entry.shown}: measured, and not written, since "
            "demand and throughput are known and say how busy it would be"
        )
        return True

    def _places_of_card(self, entry: Entry) -> Iterator[tuple[Step, ...]]:
        if not entry.subject:
            self._leave(
                f"{entry.label}: the file does not name its card; add --gpu NAME, or name the "
                "place with --into FILE:hardware.NAME"
            )
            return
        yield "hardware", entry.subject, entry.field
        used = {
            supply.own if isinstance(supply, Own) else supply.rent
            for _, supply in self._supplies()
            if isinstance(supply, (Own, Rent))
        }
        if entry.subject not in used and used:
            self._leave(
                f"no option runs on {entry.subject}, and what is measured on one card sizes no "
                f"other: a file from {', '.join(sorted(used))} would"
            )
        for place, supply in self._supplies():
            of_card = isinstance(supply, (Own, Rent)) and entry.subject == getattr(
                supply, "own", getattr(supply, "rent", None)
            )
            own = [name for name in (entry.field, *INSTEAD_OF.get(entry.field, ()))
                   if writing.has(self.text, (*place, name))]  # fmt: skip
            if of_card and own:
                self._leave(
                    f"{_dotted((*place, own[0]))} goes before hardware.{entry.subject}."
                    f"{entry.field} and was left: write it there with "
                    f"--into {self.target.file}:{_dotted(place)}"
                )

    def _places_of_demand(self, entry: Entry) -> Iterator[tuple[Step, ...]]:
        demand = self.scenario.demand
        if demand is None:
            self._leave(f"{entry.label}: the scenario has no demand; add one, or begin a new file")
        elif demand.workloads and entry.field in WORK:
            names = ", ".join(f"demand.workloads.{name}" for name in demand.workloads)
            self._leave(f"{entry.label}: name the workload it is of with --into FILE:{names}")
        else:
            yield "demand", entry.field

    def _places_of_option(self, entry: Entry) -> Iterator[tuple[Step, ...]]:
        found = False
        for place, supply in self._supplies():
            if entry.room == "rental" and isinstance(supply, Rent) and supply.rent == entry.subject:
                found = True
                yield (*place, entry.field)
            if entry.room == "api" and isinstance(supply, Api) and self._buys(place, supply, entry):
                yield (*place, entry.field)
        if not found and entry.room == "rental":
            self._leave(f"{entry.label}: no option rents {entry.subject}")

    def _buys(self, place: tuple[Step, ...], supply: Api, entry: Entry) -> bool:
        """Whether an API is the model of a price list, and its seller the one of the list."""
        if _model(supply.api) != _model(entry.subject):
            return False
        sellers = self.sellers[_model(entry.subject)]
        if supply.provider is None and not self._is_named(place):
            others = [
                _dotted(other)
                for other, one in self._supplies()
                if isinstance(one, Api) and one.provider is None
                and _model(one.api) == _model(supply.api)
            ]  # fmt: skip
            if len(others) > 1:
                self._leave(
                    f"{', '.join(others)} call {supply.api} and name no provider, so whose price "
                    "this list has is not known: add  provider: ...  to the one that is meant"
                )
                return False
        wanted = _seller(supply.provider, supply.api)
        if wanted in sellers or (supply.provider is None and len(sellers) == 1):
            return len(sellers) == 1 or _seller(entry.provider, entry.subject) == wanted
        names = ", ".join(sorted(str(name) for name in sellers))
        self._leave(
            f"{_dotted(place)}: {supply.api} is sold by {names} in this list, "
            f"not by {wanted or 'a maker that is known'}; name who sells it with  provider: ..."
        )
        return False

    def _is_named(self, place: tuple[Step, ...]) -> bool:
        return self.target.place is not None and self.target.place.startswith(_dotted(place))

    def _named_place(self, entry: Entry, place: str) -> Iterator[tuple[Step, ...]]:
        setting = Setting(place, Scalar("", True, None), str(self.target.file), f"--into {place}")
        steps = setting.steps(parse(self.text.encode(), str(self.target.file)).root)
        sections = list(dict.fromkeys(section for room in ROOMS.values() for section in room))
        if steps[0] not in sections:
            near = nearest(str(steps[0]), sections)
            raise ReadingError(
                str(self.target.file),
                None,
                place,
                str(steps[0]),
                f"a place below {', '.join(sections)}",
                f"did you mean {near}?" if near else "name the place as --set does",
            )
        if steps[0] not in ROOMS[entry.room]:
            self._leave(f"{entry.label}: does not belong below {steps[0]}")
            return
        if entry.room == "card" and entry.subject:
            card = self._card_at(steps)
            if card is not None and card != entry.subject:
                raise ReadingError(
                    str(self.target.file),
                    None,
                    place,
                    f"a place of {card}, and a measurement of {entry.subject}",
                    f"a file from {card}: what is measured on one card sizes no other",
                    f"name hardware.{entry.subject}, or read a file from {card}",
                )
        if steps[-1] == entry.field or (entry.room == "currency" and steps[-1] == entry.subject):
            yield steps
        elif len(steps) > 1 and steps[-1] in FIELDS_READ:
            return  # one field is named, and this is another
        elif entry.room == "currency":
            if entry.subject in self.scenario.exchange_rates:
                yield "exchange_rates", entry.subject
        else:
            yield (*steps, entry.field)

    def _card_at(self, steps: tuple[Step, ...]) -> str | None:
        """The card that a place of the scenario is of."""
        if steps[0] == "hardware":
            return str(steps[1]) if len(steps) > 1 else None
        for place, supply in self._supplies():
            if steps[: len(place)] == place and isinstance(supply, (Own, Rent)):
                return supply.own if isinstance(supply, Own) else supply.rent
        return None

    def _supplies(self) -> Iterator[tuple[tuple[Step, ...], Own | Rent | Api]]:
        """Each supply with its place in the file."""
        for name, option in self.scenario.options.items():
            if not writing.has(self.text, ("options", name)):
                continue  # one of two readings of one price, which has no place of its own
            in_list = isinstance(writing.content_at(self.text, ("options", name)), list)
            for number, supply in enumerate(option.supplies):
                yield ("options", name, *((number,) if in_list else ())), supply

    def _leave(self, why: str) -> None:
        if why not in self.left:
            self.left.append(why)


FIELDS_READ = (
    *WORK, "load", "requests", "utilisation", "idle_power", "active_power", "throughput", "price",
    "output_price", "input_price", "cache_read_price", "cache_write_price", "cache_write_1h_price",
)  # fmt: skip


def _model(name: str) -> str:
    """A model without who sells it: openai/gpt-4o is gpt-4o."""
    return name.casefold().rpartition("/")[2]


def _seller(provider: str | None, model: str) -> str | None:
    """Who sells a model, by one name for each; a name that no list knows stands for itself."""
    name = PROVIDERS.get(provider, provider) if provider else None
    return seller(name, _model(model)) or (name.casefold() if name else None)


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


def _day(reading: Reading, entry: Entry, as_of: date | None) -> date:
    """The day of a number: its own, the last of what was measured, or the day of the file."""
    if entry.day is not None:
        return entry.day
    if reading.period is not None:
        return reading.period.last_day
    if as_of is not None:
        return as_of
    changed = max(source.path.stat().st_mtime for source in reading.sources)
    return datetime.fromtimestamp(changed, UTC).date()


def _dated_by(reading: Reading, entry: Entry, as_of: date | None) -> str | None:
    if entry.day is not None or reading.period is not None:
        return None
    if as_of is not None:
        return "the file holds no date: the day was given with --as-of"
    return "the file holds no date: the day it was last changed"


def _dotted(place: Sequence[Step]) -> str:
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


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
                cards[entry.subject] = max(cards.get(entry.subject, 1), int(gpus or 1))
            elif entry.room == "rental":
                rented[entry.subject] = 1
            elif entry.room == "demand" and entry.field in TOKENS:
                work = True
            elif entry.room == "demand" and entry.field == "gpu_hours":
                hours = entry.subject
                cards.setdefault(hours, 1)
        models.update(dict.fromkeys(reading.models))
    days = [_day(reading, entry, as_of) for reading in readings for entry in reading.entries]
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


def hours_per_month(into: str | None) -> float:
    """The hours of a month of the scenario that is written into; 730 where it does not say."""
    if into is None or not Target.of(into).file.exists():
        return 730.0
    name = str(Target.of(into).file)
    given = loading.read(read_bytes(name), name).hours_per_month
    return given.value if given is not None and not isinstance(given, str) else 730.0
