"""Where in a scenario the numbers of a reading belong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tco.prices.list_prices import seller
from tco.readings.beginning import TOKENS
from tco.readings.prices.providers import on_list
from tco.readings.reading import Entry, Reading, ReadingError
from tco.scenario import writing
from tco.scenario.document import Scalar, nearest, parse
from tco.scenario.schema import Api, Own, Rent, Scenario
from tco.scenario.settings import Setting
from tco.scenario.writing import Step

# what says the same as a field that is read, and has to go
INSTEAD_OF = {
    "throughput": ("output_rate",),
    "output_rate": ("throughput",),
    "load": ("peak_to_mean",),
    "output_price": ("output_tiers",),
    "input_price": ("input_tiers",),
    "gpu_hours": ("output_tokens", "input_tokens", "reasoning_tokens", "tasks", "task"),
}
WORK = (*TOKENS, "gpu_hours")
ROOMS = {"card": ("hardware", "options"), "demand": ("demand",), "rental": ("options",),
         "api": ("options",), "currency": ("exchange_rates",)}  # fmt: skip


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


@dataclass
class Places:
    """The places of a scenario, as its file stands before anything is written into it.

    ``left`` says of each number that has no place why it was left. ``with_throughput`` are the
    cards that the readings measure, ``currencies`` those of their amounts.
    """

    text: str
    scenario: Scenario
    target: Target
    is_new: bool
    with_throughput: frozenset[str] = frozenset()
    currencies: frozenset[str] = frozenset()
    left: list[str] = field(default_factory=list)
    # of each model of the list that is being put in, who sells it
    sellers: dict[str, set[str | None]] = field(default_factory=dict)

    def look_at(self, reading: Reading) -> None:
        """Take note of who sells the models of a price list."""
        self.sellers = {}
        for entry in reading.entries:
            if entry.room == "api":
                sold = self.sellers.setdefault(model_name(entry.subject), set())
                sold.add(seller_of(entry.provider, entry.subject))

    def of(self, entry: Entry) -> Iterator[tuple[Step, ...]]:
        """The places that a number belongs to; none where it has no place."""
        if self.target.place is not None:
            yield from self._named_place(entry, self.target.place)
        elif entry.room == "card":
            if not self._is_a_result(entry):
                yield from self._places_of_card(entry)
        elif entry.room == "demand":
            yield from self._places_of_demand(entry)
        elif entry.room == "currency":
            if entry.subject in {*self.scenario.exchange_rates, *self.currencies}:
                yield "exchange_rates", entry.subject
        else:
            yield from self._places_of_option(entry)

    def _is_a_result(self, entry: Entry) -> bool:
        """Whether a new scenario says how busy the card is: by its demand and its throughput."""
        known = self.scenario.demand is not None and entry.subject in self.with_throughput
        if not (self.is_new and entry.field == "utilisation" and known):
            return False
        self.leave(
            f"{entry.label} of {entry.subject}, {entry.shown}: measured, and not written, since "
            "demand and throughput are known and say how busy it would be"
        )
        return True

    def _places_of_card(self, entry: Entry) -> Iterator[tuple[Step, ...]]:
        if not entry.subject:
            self.leave(
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
            self.leave(
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
                self.leave(
                    f"{dotted((*place, own[0]))} goes before hardware.{entry.subject}."
                    f"{entry.field} and was left: write it there with "
                    f"--into {self.target.file}:{dotted(place)}"
                )
            if of_card and entry.field == "throughput" and not own:
                self._compare_models(place, supply, entry)

    def _compare_models(
        self, place: tuple[Step, ...], supply: Own | Rent | Api, entry: Entry
    ) -> None:
        """Say where an option runs another model than the one that was measured."""
        measured = str(entry.content.get("source", ""))
        model = getattr(supply, "model", None)
        if model and measured and _letters(model) not in _letters(measured):
            self.leave(
                f"{dotted(place)} runs {model}, and what was measured is {measured}: the rate "
                "counts for it too; to keep it apart, name the option that it is of with "
                f"--into {self.target.file}:options.NAME"
            )

    def _places_of_demand(self, entry: Entry) -> Iterator[tuple[Step, ...]]:
        demand = self.scenario.demand
        if demand is None:
            self.leave(f"{entry.label}: the scenario has no demand; add one, or begin a new file")
        elif entry.field in WORK and demand.kind != _kind_of_work(entry.field):
            found, counted = _kind_of_work(entry.field), demand.kind
            self.leave(
                f"{entry.label}: the demand is in {counted.replace('_', '-')}, and the file has "
                f"{found.replace('_', '-')}: to put them in its place, write "
                f"--into {self.target.file}:demand"
            )
        elif demand.workloads and entry.field in WORK:
            names = ", ".join(f"demand.workloads.{name}" for name in demand.workloads)
            self.leave(f"{entry.label}: name the workload it is of with --into FILE:{names}")
        else:
            yield "demand", entry.field

    def _places_of_option(self, entry: Entry) -> Iterator[tuple[Step, ...]]:
        found = False
        for place, supply in self._supplies():
            if entry.room == "rental" and isinstance(supply, Rent) and supply.rent == entry.subject:
                found = True
                if supply.reserved is not None:
                    self.leave(f"{dotted(place)} is paid by its term (reserved) and was left")
                else:
                    yield (*place, entry.field)
            if entry.room == "api" and isinstance(supply, Api) and self._buys(place, supply, entry):
                yield (*place, entry.field)
        if not found and entry.room == "rental":
            self.leave(f"{entry.label}: no option rents {entry.subject}")

    def _buys(self, place: tuple[Step, ...], supply: Api, entry: Entry) -> bool:
        """Whether an API is the model of a price list, and its seller the one of the list."""
        if model_name(supply.api) != model_name(entry.subject):
            return False
        sellers = self.sellers[model_name(entry.subject)]
        if supply.provider is None and not self._is_named(place):
            others = [
                dotted(other)
                for other, one in self._supplies()
                if isinstance(one, Api) and one.provider is None
                and model_name(one.api) == model_name(supply.api)
            ]  # fmt: skip
            if len(others) > 1:
                self.leave(
                    f"{', '.join(others)} call {supply.api} and name no provider, so whose price "
                    "this list has is not known: add  provider: ...  to the one that is meant"
                )
                return False
        wanted = seller_of(supply.provider, supply.api)
        if wanted in sellers or (supply.provider is None and len(sellers) == 1):
            return len(sellers) == 1 or seller_of(entry.provider, entry.subject) == wanted
        names = ", ".join(sorted(str(name) for name in sellers))
        self.leave(
            f"{dotted(place)}: {supply.api} is sold by {names} in this list, "
            f"not by {wanted or 'a maker that is known'}; name who sells it with  provider: ..."
        )
        return False

    def _is_named(self, place: tuple[Step, ...]) -> bool:
        return self.target.place is not None and self.target.place.startswith(dotted(place))

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
            self.leave(f"{entry.label}: does not belong below {steps[0]}")
            return
        if entry.room in ("card", "rental") and entry.subject:
            card = self._card_at(steps)
            if card is not None and card != entry.subject:
                if entry.room == "rental":
                    self.leave(f"{entry.label}: {place} is of {card}")
                    return
                raise ReadingError(
                    str(self.target.file),
                    None,
                    place,
                    f"a place of {card}, and a measurement of {entry.subject}",
                    f"a file from {card}: what is measured on one card sizes no other",
                    f"name hardware.{entry.subject}, or read a file from {card}",
                )
        for supply_place, supply in self._supplies():
            if entry.room != "api" or steps[: len(supply_place)] != supply_place:
                continue
            if not isinstance(supply, Api) or not self._buys(supply_place, supply, entry):
                called = supply.api if isinstance(supply, Api) else "no API"
                self.leave(f"{place} calls {called}, of which these files have no price of its own")
                return
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

    def leave(self, why: str) -> None:
        """Say once why a number was left."""
        if why not in self.left:
            self.left.append(why)


FIELDS_READ = (
    *WORK, "load", "requests", "utilisation", "idle_power", "active_power", "throughput", "price",
    "output_price", "input_price", "cache_read_price", "cache_write_price", "cache_write_1h_price",
)  # fmt: skip


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _kind_of_work(name: str) -> str:
    return "gpu_hours" if name == "gpu_hours" else "tokens"


def model_name(name: str) -> str:
    """A model without who sells it: openai/gpt-4o is gpt-4o."""
    return name.casefold().rpartition("/")[2]


def seller_of(provider: str | None, model: str) -> str | None:
    """Who sells a model, by one name for each; a name that no list knows stands for itself."""
    name = on_list(provider) if provider else None
    return seller(name, model_name(model)) or (name.casefold() if name else None)


def dotted(place: Sequence[Step]) -> str:
    """A place as it is written: options.own[0].price."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
