"""``tco explain``: one line of the model, from its equation down to the scenario's numbers."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from tco.analysis.answer import month_name
from tco.analysis.figures import LARGEST, exact
from tco.analysis.files import Origin, load_words, origin, origin_of
from tco.engine import tracing
from tco.engine.operations import Literal, Reference
from tco.errors import ScenarioError, printable
from tco.report.columns import table, wrap
from tco.results import Result, describe_supply
from tco.scenario.inputs import DEFINITION, SOLVED, STRUCTURAL, Input


@dataclass(frozen=True)
class Asked:
    """What the user asks for: a line by its name, and which one of several with that name."""

    line: str | None = None
    option: str | None = None
    supply: int | None = None
    against: str | None = None
    month: int | None = None
    depth: int = 1


@dataclass(frozen=True)
class Place:
    """A scope in the user's words, and the flags that choose it."""

    scope: str
    title: str
    option: str | None = None
    supply: int | None = None
    against: str | None = None


def render(result: Result, asked: Asked) -> str:
    """The explanation, or the list of lines, or of the places that hold the line.

    Raises `ScenarioError` for a line, an option, a supply or a month that there is not.
    """
    explanation = _Explanation(result, asked)
    lines = explanation.listing() if asked.line is None else explanation.line(asked.line)
    return "\n".join(printable(line).rstrip() for line in lines)


class _Explanation:
    def __init__(self, result: Result, asked: Asked) -> None:
        self.result, self.asked = result, asked
        self.graph, self.inputs = result.model.graph, result.model.inputs
        self.month = 1 if asked.month is None else asked.month
        self._check()
        self.places = list(self._places())
        self.by_scope = {place.scope: place for place in self.places}

    def _refuse(self, what: str, found: str, expected: str, next_step: str) -> ScenarioError:
        return ScenarioError(self.result.scenario.path, None, what, found, expected, next_step)

    def _check(self) -> None:
        last = self.result.scenario.months
        if not 0 <= self.month <= last:
            raise self._refuse(
                "--month", str(self.month), f"a month from 0 to {last}", "leave it out for month 1"
            )
        names = [option.name for option in self.result.model.options]
        for flag, name in (("--option", self.asked.option), ("--against", self.asked.against)):
            if name is not None and name not in names:
                close = get_close_matches(name, names, n=1)
                hint = f"did you mean {close[0]}?" if close else "choose one of these"
                raise self._refuse(flag, name, f"one of {', '.join(names)}", hint)
        if self.asked.option is None:
            return
        option = self.result.option(self.asked.option)
        if option.missing is not None:
            raise self._refuse(
                "--option",
                f"{option.name}, which cannot be costed: {option.missing.what}",
                "an option that can be costed",
                f"add {option.missing.add}",
            )
        supply = self.asked.supply
        if supply is not None and supply > len(option.supplies):
            count = len(option.supplies)
            held = "one supply" if count == 1 else f"{count} supplies"
            raise self._refuse(
                "--supply",
                f"{supply}; {option.name} has {held}",
                f"a number from 1 to {count}",
                f"use  --supply {count}",
            )

    def _places(self) -> Iterator[Place]:
        model = self.result.model
        yield Place(model.time.name, "shared by all options")
        for name, words in model.inner_scopes("").items():
            yield Place(name, f"{words}, shared by all options")
        for option in model.complete:
            assert option.scope is not None
            for supply in option.supplies:
                title = f"{option.name}, supply {describe_supply(supply)}"
                yield Place(supply.scope.name, title, option.name, supply.number)
                for name, words in model.inner_scopes(supply.scope.name).items():
                    yield Place(name, f"{title}, {words}", option.name, supply.number)
            for cost, scope in option.items:
                yield Place(scope.name, f"{option.name}, {cost.name}", option.name)
            yield Place(option.scope.name, option.name, option.name)
        for pair in model.pairs:
            title = f"{pair.this.name} against {pair.other.name}"
            yield Place(pair.scope.name, title, pair.this.name, against=pair.other.name)

    # which line is meant

    def _wanted(self, place: Place) -> bool:
        asked = self.asked
        return (
            (asked.option is None or place.option == asked.option)
            and (asked.supply is None or place.supply == asked.supply)
            and (asked.against is None or place.against == asked.against)
        )

    def _found(self, name: str) -> dict[str, Place]:
        """The lines and inputs of a name, with the place of each."""
        if name in self.graph.lines:
            return {name: self.by_scope[self.graph.lines[name].scope]}
        found = {}
        for line in self.graph.lines.values():
            if line.short_name == name:
                found[line.name] = self.by_scope[line.scope]
        for scope in self.result.model.scopes:
            given, place = scope.inputs.get(name), self.by_scope[scope.name]
            if given in self.inputs and (given not in found or self._wanted(place)):
                found[given] = place
        if not found and name in self.inputs:
            found[name] = self.by_scope[""]
        for scope in self.result.model.scopes if not found else ():
            other = scope.aliases.get(name)  # without a line of its own it stands for another
            if isinstance(other, str) and other in self.graph.lines:
                found[other] = self.by_scope[self.graph.lines[other].scope]
        return found

    def line(self, name: str) -> Iterator[str]:
        """The line that is asked for, or the places that hold it."""
        every = self._found(name)
        if not every:
            raise self._unknown(name)
        shared = {line: place for line, place in every.items() if place.option is None}
        found = {line: place for line, place in every.items() if self._wanted(place)} or shared
        if not found:
            raise self._refuse(
                "LINE",
                f"{name}, which {self._where_asked()} does not have",
                f"a line of {', '.join(dict.fromkeys(p.title for p in every.values()))}",
                self._command(name, next(iter(every.values())), next(iter(every))),
            )
        if (
            len(found) > 1
            and self.asked.option
            and not self.asked.supply
            and not self.asked.against
        ):
            # an option's own line comes before those of its supplies, which --supply asks for
            own = self.result.option(self.asked.option).scope
            assert own is not None
            found = {own.line(name): found[own.line(name)]} if own.line(name) in found else found
        if len(found) > 1:
            yield from self._choices(name, found)
            return
        yield from self._explained(*next(iter(found.items())))

    def _where_asked(self) -> str:
        asked = self.asked
        parts = [
            asked.option or "",
            f"supply {asked.supply}" if asked.supply else "",
            f"against {asked.against}" if asked.against else "",
        ]
        return ", ".join(part for part in parts if part)

    def _unknown(self, name: str) -> ScenarioError:
        names = {line.short_name for line in self.graph.lines.values()} | set(self.inputs)
        names |= {parameter for scope in self.result.model.scopes for parameter in scope.inputs}
        close = get_close_matches(name, sorted(names), n=1, cutoff=0.5)
        listing = f"tco explain {shlex.quote(self.result.scenario.path)}  lists the lines"
        hint = f"did you mean {close[0]}? {listing}" if close else listing
        return self._refuse("LINE", name, "a line of the model", hint)

    def _choices(self, name: str, found: dict[str, Place]) -> Iterator[str]:
        yield f"{name} is a line of several; ask for one of them:"
        yield ""
        rows = [
            (f"  {place.title}", self._value(line), self._unit(line))
            for line, place in found.items()
        ]
        for row, (line, place) in zip(table(rows), found.items(), strict=True):
            yield row
            yield f"    {self._command(name, place, line)}"

    def _is_inner(self, place: Place) -> bool:
        """Whether a place lies within a supply or the time axis, as a level or a tier does."""
        outer = ["", *(s.scope.name for o in self.result.model.complete for s in o.supplies)]
        return any(place.scope in self.result.model.inner_scopes(scope) for scope in outer)

    def _command(self, name: str, place: Place, line: str) -> str:
        """What to type for a line."""
        words = ["tco", "explain", self.result.scenario.path]
        if self._is_inner(place):
            return shlex.join([*words, line])  # no flags choose a level or a tier
        if place.option and self._is_item(place):
            words.append(line)
        else:
            words.append(name.rpartition("/")[2])
            words += ["--option", place.option] if place.option else []
            words += ["--supply", str(place.supply)] if place.supply else []
            words += ["--against", place.against] if place.against else []
        words += ["--month", str(self.month)] if self.asked.month is not None else []
        for setting in self.result.scenario.settings:
            words += ["--set", setting]
        return shlex.join(words)

    def _is_item(self, place: Place) -> bool:
        return place.scope.rpartition("/")[2].startswith(("c", "w")) and "/" in place.scope

    # the list

    def listing(self) -> Iterator[str]:
        """The lines of every place that is asked for."""
        path = shlex.quote(self.result.scenario.path)
        yield f"lines of {self.result.scenario.path}; for one of them:"
        yield f"  tco explain {path} LINE --option NAME --supply N --month M"
        filled = {line.scope for line in self.graph.lines.values()}
        for place in self.places:
            if place.scope not in filled:
                continue  # none of its lines says more than another line does
            if self._asked_about(place) and not (place.against and not self.asked.against):
                yield ""
                yield from self._listed(place)
        pairs = [place for place in self.places if place.against and self._asked_about(place)]
        if pairs and not self.asked.against and not self.asked.supply:
            yield ""
            yield "comparisons, listed with --option NAME --against NAME:"
            yield from (f"  {place.title}" for place in pairs)

    def _asked_about(self, place: Place) -> bool:
        alone = self.asked.option is None and self.asked.supply is None and not self.asked.against
        return alone or (place.option is not None and self._wanted(place))

    def _listed(self, place: Place) -> Iterator[str]:
        yield place.title
        rows = []
        for line in self.graph.lines.values():
            if line.scope == place.scope:
                name = line.name if self._is_item(place) else line.short_name
                rows.append((f"  {name}", line.label, self.result.unit(line.name)))
        yield from table(rows, left=3)

    # one line

    def _explained(self, name: str, place: Place) -> Iterator[str]:
        if name in self.inputs:
            yield from self._input(self.inputs[name], self.inputs[name].name, "")
            return
        line = self.graph.lines[name]
        monthly = self.graph.shapes[name] == tracing.MONTHS
        when = f"; {month_name(self.result, self.month)}" if monthly else ""
        yield f"{line.short_name}: {line.label}, in {self.result.unit(name)}"
        yield f"  of {place.title}{when}"
        yield ""
        shown: set[str] = set()
        yield from self._opened(name, "  ", self.asked.depth, shown)
        below = [given for given in self._inputs_below(name) if given.name not in shown]
        if below:
            yield ""
            yield "  and through these on:"
            for given in below:
                yield from self._input(given, given.name, "    ")

    def _inputs_below(self, name: str) -> list[Input]:
        """Every input of the scenario that a line depends on, in the order of the inputs."""
        reached, waiting = {name}, [name]
        while waiting:
            line = waiting.pop()
            new = set(self.graph.reads(line)) - reached if line in self.graph.lines else set()
            reached |= new
            waiting += new
        return [
            given
            for given in self.inputs.values()
            if given.name in reached and given.kind != DEFINITION
        ]

    def _opened(self, name: str, indent: str, depth: int, shown: set[str]) -> Iterator[str]:
        """A line's equation, its values, and what it reads."""
        shown.add(name)
        line, expression = self.graph.lines[name], self.graph.expressions[name]
        rows = {r.line for r, cells in tracing.references(expression) if cells}
        first = f"{indent}{line.short_name} = "
        rest = " " * len(first)
        equation = tracing.equation(expression, lambda r, _: self._name_in(name, r))
        values = tracing.equation(expression, lambda r, _: self._value_in(r, rows))
        yield from wrap(equation, first=first, rest=rest)
        if not isinstance(expression, (Reference, Literal)):
            yield from wrap(values, first=f"{rest[:-2]}= ", rest=rest)
        yield f"{rest[:-2]}= {self._value(name)} {self._unit(name)}"
        yield ""
        for parameter, argument in line.arguments.items():
            if isinstance(argument, Reference):
                yield from self._read(parameter, argument, indent, depth, shown, rows)
            elif isinstance(argument, Literal):
                begins = parameter.endswith("_before")
                why = "the first of its chain" if begins else "not given, so not counted"
                yield f"{indent}  {parameter} = {argument.value}: {why}"

    def _read(
        self,
        parameter: str,
        argument: Reference,
        indent: str,
        depth: int,
        shown: set[str],
        rows: set[str],
    ) -> Iterator[str]:
        """One of the lines or inputs that a line reads."""
        name, inner = argument.line, f"{indent}  "
        if name in self.inputs:
            shown.add(name)
            yield from self._input(self.inputs[name], parameter, inner)
            return
        line = self.graph.lines[name]
        origin = "" if self._same(parameter, name) else f" ({self._full(name)})"
        series = name in rows and self.graph.shapes[name] == tracing.MONTHS
        value = self._series(name) if series else self._value(name, argument.previous)
        yield from wrap(
            f"{line.label}{origin}",
            first=f"{inner}{parameter} = {value} {self.result.unit(name)}: ",
            rest=f"{inner}  ",
        )
        if depth > 1 and name not in shown:
            yield from self._opened(name, f"{inner}  ", depth - 1, shown)

    def _same(self, parameter: str, name: str) -> bool:
        return parameter == name.rpartition("/")[2]

    def _full(self, name: str) -> str:
        line = self.graph.lines[name]
        return f"{line.short_name} of {self.by_scope[line.scope].title}"

    def _input(self, given: Input, parameter: str, indent: str) -> Iterator[str]:
        """An input with its value and where it comes from."""
        value = (
            self._value(given.name) if not given.table else f"a table of {len(given.values)} rows,"
        )
        first = f"{indent}{parameter} = {value} {given.unit_text}: "
        yield from wrap(given.label, first=first, rest=f"{indent}  ")
        yield from wrap("; ".join(self._origin(given)), first=f"{indent}    ", rest=f"{indent}    ")

    def _origin(self, given: Input) -> Iterator[str]:
        if given.kind == DEFINITION:
            yield "by definition"
            return
        if given.kind == STRUCTURAL:
            yield f"follows from {given.path}"
            demand = self.result.scenario.demand
            if demand is not None and given.path == demand.load.path:
                yield load_words(demand.load)
                yield from self._files(origin_of(demand.load))
            return
        quantity = given.quantity
        if quantity is None:
            known = str(given.why_default)
            yield known if given.kind == SOLVED else f"default: {known}"
            yield from self._files(origin(self.result, given))
            yield f"to give it, write {given.path}"
            return
        if quantity.line is None:
            yield f"{quantity.path}, set on the command line"
        else:
            yield f"{self.result.scenario.path}, line {quantity.line}: {quantity.path}"
        typed = quantity.text.strip()
        if typed and typed not in (exact(quantity.value), f"{quantity.value:g}"):
            yield f"written {typed}"
        if quantity.source:
            yield f"source: {quantity.source}"
        if quantity.as_of:
            yield f"of {quantity.as_of}"
        yield quantity.basis or "basis not stated"
        yield from self._files(origin_of(quantity))
        if quantity.note:
            yield quantity.note

    def _files(self, found: Origin | None) -> Iterator[str]:
        """The files that it was read from, all of them."""
        for file in found.files if found else ():
            yield f"read from {file.path}, SHA-256 {file.sha256}"

    # values

    def _name_in(self, reader: str, reference: Reference) -> str:
        """How the function that reads a line calls it."""
        arguments = self.graph.lines[reader].arguments
        return next(
            parameter
            for parameter, argument in arguments.items()
            if isinstance(argument, Reference)
            and (argument.line, argument.previous) == (reference.line, reference.previous)
        )

    def _value_in(self, reference: Reference, rows: set[str]) -> str:
        name = reference.line
        if name in rows and self.graph.shapes.get(name) == tracing.MONTHS:
            return f"[{self._series(name)}]"
        if name in self.inputs and self.inputs[name].table:
            return f"[{', '.join(_number(v) for v in self.inputs[name].values[:3])}, ...]"
        return self._value(name, reference.previous)

    def _value(self, name: str, previous: bool = False) -> str:
        """The number of a line in the month that is asked for, or of an input."""
        if name in self.inputs:
            return _number(self.inputs[name].value)
        if self.graph.shapes[name] != tracing.MONTHS:
            return _number(self.result.value(name))
        month = self.month - previous
        return _number(self.result.months(name)[month]) if month >= 0 else "0"

    def _unit(self, name: str) -> str:
        """The unit of a line, and the word for a month that never comes."""
        unit = self.result.unit(name)
        counted = self.graph.lines[name].short_name in (
            "break_even_month",
            "break_even_month_first",
        )
        if counted and self.result.value(name) > self.result.scenario.months:
            return f"{unit}: never within the {self.result.scenario.months} months"
        return unit

    def _series(self, name: str) -> str:
        """The months of a line, in brief."""
        values = [_number(value) for value in self.result.months(name)]
        if len(values) <= 4:
            return ", ".join(values)
        return f"{values[0]}, {values[1]}, {values[2]}, ... {values[-1]}"


def _number(value: float) -> str:
    """A number to ten digits, without the noise of its last bits."""
    if value != 0 and not 1e-4 <= abs(value) < LARGEST:
        return f"{value:.8g}" if abs(value) > 1e-11 else "0"
    return exact(float(f"{value:.10g}"))
