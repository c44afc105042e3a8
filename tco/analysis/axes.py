"""An input, or several that move together, as the axis of a break-even, a curve or a map.

What is asked for is a word that people use (tokens, rental-price) or the path of a number as the
scenario writes it. A word names what the first of two options pays, else what the second pays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np
from numpy.typing import ArrayLike

from tco.analysis.bases import field_label, value_text
from tco.analysis.figures import exact, share, tokens
from tco.engine.operations import Array
from tco.engine.structure import BoundOption, card_of
from tco.errors import ScenarioError
from tco.results import Result
from tco.scenario import kinds
from tco.scenario.inputs import FIELDS, LIVE, Input
from tco.scenario.kinds import Kind
from tco.scenario.quantities import NotAQuantity, parse

TOKENS, UTILISATION = "tokens", "utilisation"
# what each word stands for: fields of `tco.scenario.inputs.FIELDS`
WORDS: Mapping[str, tuple[str, ...]] = {
    TOKENS: (),
    UTILISATION: ("utilisation",),
    "hardware-price": ("own.price", "item_amount"),
    "rental-price": ("rent.price",),
    "token-price": ("output_price", "task_price"),
    "electricity-price": ("electricity_price",),
    "residual": ("residual_share", "residual_amount", "residual_loss_per_year"),
    "staff-hours": ("staff_hours_per_month",),
    "addressable": ("addressable",),
    "speed-up": ("speed_up", "output_rate", "point_output_rate", "tasks_per_hour"),
    "discount-rate": ("discount_rate",),
}
# the work of a month: what is written and read, in whatever the demand counts
WORK = (
    "output_tokens",
    "reasoning_tokens",
    "input_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "cache_write_1h_tokens",
    "tasks",
    "gpu_hours",
)
CACHED = ("cache_read_tokens", "cache_write_tokens", "cache_write_1h_tokens")
WRITTEN = ("output_tokens", "reasoning_tokens")
FULL_TIME_HOURS = 160.0  # of a month: the scale of hours of work where none are given
TIMES = 10.0  # how many times the given value is looked at, where nothing else is asked
LARGEST_RATE = 0.5
SMALL = 0.001


@dataclass(frozen=True)
class Axis:
    """What is varied: one input, or several in proportion to their values.

    ``base`` is the value in the scenario, in ``unit``; ``low`` and ``high`` bound what is looked at
    where nothing else is asked; ``given`` is the input that lends its words; ``bases`` the values
    of the inputs ``names``.
    """

    word: str
    label: str
    unit: str
    base: float
    low: float
    high: float
    given: Input
    names: tuple[str, ...]
    bases: tuple[float, ...]
    in_proportion: bool = False

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are values of it."""
        return self.given.whole and not self.in_proportion

    def values(self, x: ArrayLike) -> dict[str, Array]:
        """The values of the inputs at points of the axis."""
        points = np.atleast_1d(np.asarray(x, dtype=float))
        if not self.in_proportion:
            return dict.fromkeys(self.names, points)
        return {
            name: base * (points / self.base)
            for name, base in zip(self.names, self.bases, strict=True)
        }

    def text(self, result: Result, value: float) -> str:
        """A point of the axis in words: ``35.5 M``, ``$0.32``, ``15.8 %``."""
        if self.word == UTILISATION:
            return share(value)
        if self.word == TOKENS:
            counts_tokens = result.model.counted.lot == "Mtok"
            return tokens(value) if counts_tokens else exact(float(f"{value:.4g}"))
        digits = 4 if "money" in dict(self.given.unit.dimensions) else 3
        rounded = float(f"{value:.{digits}g}") if not self.whole else value
        return value_text(result, replace(self.given, values=(rounded,)))

    def parse(self, result: Result, text: str) -> float:
        """A point of the axis from its text, as a scenario would write it: ``20 M``, ``15%``.

        Raises `ScenarioError` for what is no such number, or outside what the input allows.
        """
        try:
            value = parse(text.strip().removesuffix(" a year"), _kind(self.given)).value
        except NotAQuantity as fault:
            raise self._fault(result, text, fault.expected, fault.next_step) from None
        least, most = self.given.minimum, self.given.maximum
        if (least is not None and value < least) or (most is not None and value > most):
            bounds = f"{exact(least or 0.0)} or more" if most is None else (
                f"{exact(least or 0.0)} to {exact(most)}"
            )  # fmt: skip
            raise self._fault(result, text, f"{self.label} of {bounds}", "ask for values in it")
        return value

    def _fault(self, result: Result, text: str, expected: str, next_step: str) -> ScenarioError:
        return ScenarioError(result.scenario.path, None, "--range", text, expected, next_step)


def axis_of(result: Result, over: str, this: str, other: str | None = None) -> Axis:
    """The axis that a word or a path names, for one option or two.

    Raises `ScenarioError` for what is neither, with what comes close; for a word that stands for
    nothing here or for several numbers, with their paths.
    """
    word = over.strip().lower().replace("_", "-").replace(" ", "-")
    if word in ("month", "months"):
        expected = "a number of the scenario: the month is the axis of time itself"
        raise _fault(result, over, expected, "ask for  tco breakeven FILE --over month")
    options = [result.option(name) for name in dict.fromkeys(filter(None, (this, other)))]
    if word in (TOKENS, "tasks", "gpu-hours", result.model.counted.work.replace(" ", "-")):
        return _work(result, over)
    if word in WORDS:
        return _by_word(result, word, options)
    found = [i for i in result.model.numbers if i.kind == LIVE and over.strip() in _paths(i)]
    if not found:
        found = [i for i in result.model.numbers if i.kind == LIVE and i.name == over.strip()]
    if not found:
        found = _read_elsewhere(result, over.strip())
    if not found:
        raise _unknown(result, over)
    return _axis(over.strip(), [_within_input(result, given) for given in found])


def _within_input(result: Result, given: Input) -> Input:
    """Tokens of a cache are a part of the input of their workload: at most all of it."""
    if not any(is_field(given, field) for field in CACHED):
        return given
    whole = f"{given.path.rpartition('.')[0]}.input_tokens"
    read = next((i.value for i in result.model.numbers if i.path == whole), None)
    return given if read is None else replace(given, maximum=read)


def inputs_of(result: Result, options: Sequence[BoundOption]) -> list[Input]:
    """The live numbers that the cost of any of the options depends on, in the scenario's order."""
    graph = result.model.graph
    reached: set[str] = set()
    waiting = [option.line("npv_of_cost") for option in options if option.scope is not None]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += graph.reads(name) if name in graph.lines else []
    return [
        row
        for given in result.model.inputs.values()
        if given.kind == LIVE and given.name in reached
        for row in given.rows
    ]


def is_field(given: Input, field: str) -> bool:
    """Whether an input is one of a field, by its label."""
    label = FIELDS[field].label
    return given.label == label or given.label.startswith(f"{label}, ")


def _paths(given: Input) -> tuple[str, ...]:
    """The paths by which an input may be asked for: a price is its median."""
    path = given.path
    return (path, path.removesuffix(".median").removesuffix(".value"))


def _axis(word: str, found: Sequence[Input], base: float | None = None) -> Axis:
    """The axis of some inputs; the last of them lends its words."""
    first = found[-1]
    value = first.value if base is None else base
    in_proportion = (len(found) > 1 and len({i.value for i in found}) > 1) or base is not None
    low, high = _range(first, value)
    return Axis(
        word,
        field_label(first),
        first.unit_text,
        value,
        low,
        high,
        first,
        tuple(given.name for given in found),
        tuple(given.value for given in found),
        in_proportion,
    )


def _range(given: Input, value: float) -> tuple[float, float]:
    """From the least that is allowed to several times what is given."""
    quantity = given.quantity
    bounds = (quantity.low, quantity.high) if quantity else ()
    stated = [bound for bound in bounds if bound is not None]
    least = 0.0 if given.minimum is None else given.minimum
    if 0 < least < SMALL:  # what must be above 0 is looked at from a fraction of its value on
        least = abs(value) / TIMES or least
    if given.unit_text.startswith("fraction"):
        # a rate that may fall below 0 is looked at to the same distance on both sides
        largest = given.maximum if given.maximum is not None else max(LARGEST_RATE, 3 * abs(value))
        return max(least, -LARGEST_RATE), max([largest, *stated])
    if is_field(given, "staff_hours_per_month"):
        return 0.0, max([FULL_TIME_HOURS, TIMES * value, *stated])
    highest = max([TIMES * abs(value), *stated]) or 1.0
    if given.maximum is not None:
        highest = min(highest, given.maximum)
    return min([least, value, *stated]), highest


def _work(result: Result, over: str) -> Axis:
    """All the work of a month, in proportion; counted by what is written, where tokens are."""
    demanded = [
        given
        for given in result.model.numbers
        if given.kind == LIVE
        and given.value
        and given.path.startswith("demand")
        and any(is_field(given, field) for field in WORK)
    ]
    if not demanded:
        raise _fault(result, over, "a demand to vary", "add demand: {output_tokens: 50 M}")
    written = [i for i in demanded if any(is_field(i, field) for field in WRITTEN)]
    counted = written or demanded
    base = sum(given.value for given in counted)
    axis = _axis(TOKENS, [*demanded, counted[0]][-len(demanded) :], base)
    label = f"{result.model.counted.work} a month"
    names = tuple(given.name for given in demanded)
    bases = tuple(given.value for given in demanded)
    low, high = 0.0, TIMES * base
    if len(counted) == 1:
        low, high = _range(counted[0], base)
    return replace(
        axis, label=label, given=counted[0], names=names, bases=bases, low=low, high=high
    )


def _by_word(result: Result, word: str, options: Sequence[BoundOption]) -> Axis:
    fields = WORDS[word]
    for option in options:
        found = [i for i in inputs_of(result, [option]) if any(is_field(i, f) for f in fields)]
        if not found:
            continue
        rows_of_one = len({i.name.rpartition("_")[0] for i in found}) == 1
        if len({i.path for i in found}) > 1 and not rows_of_one:
            paths = [_paths(i)[-1] for i in found]
            raise _fault(
                result,
                word,
                f"one of the {len(paths)} numbers that {option.name} has of it",
                f"ask for one of  {'  '.join(paths)}",
            )
        return _axis(word, found)
    if word == UTILISATION:
        return _busy_share(result, options)
    names = " and ".join(option.name for option in options)
    depends = "depends" if len(options) == 1 else "depend"
    near = ", ".join(_words_of(result, options))
    raise _fault(result, word, f"a number that {names} {depends} on", f"there is: month, {near}")


def _words_of(result: Result, options: Sequence[BoundOption]) -> list[str]:
    """The words that stand for something with these options."""
    given = inputs_of(result, options)
    return [
        word
        for word, fields in WORDS.items()
        if (word == TOKENS and result.model.has_demand)
        or any(is_field(i, field) for i in given for field in fields)
    ]


def _busy_share(result: Result, options: Sequence[BoundOption]) -> Axis:
    """The work in proportion to the busy share of the first option whose share is a result."""
    for option in options:
        assert option.scope is not None
        if "busy_share" not in option.scope.functions or not result.model.has_demand:
            continue
        busy = result.value(option.line("busy_share"))
        fixed = option.sole and getattr(option.sole.given, "count", None) != "auto"
        if busy and fixed:
            work = _work(result, UTILISATION)
            return replace(
                work,
                word=UTILISATION,
                label=f"busy share of {option.name}",
                unit="fraction",
                base=busy,
                low=0.0,
                high=1.0,
                given=replace(
                    work.given, minimum=0.0, maximum=1.0, unit=FIELDS["utilisation"].unit
                ),
            )
    raise _fault(
        result,
        UTILISATION,
        "an option with cards of a fixed number, whose share of busy hours can be varied",
        "ask for --over tokens, or compare options that own or rent cards",
    )


def _read_elsewhere(result: Result, over: str) -> list[Input]:
    """A number of an option by its own path, where it is written for its card or its site."""
    for name, option in result.scenario.options.items():
        for place, supply in enumerate(option.supplies):
            alone = len(option.supplies) == 1
            begins = f"options.{name}." if alone else f"options.{name}[{place}]."
            if not over.startswith(begins):
                continue
            field, card = over.removeprefix(begins), card_of(supply)
            homes = (f"hardware.{card}.{field}", f"site.{field}")
            return [i for i in result.model.numbers if i.kind == LIVE and i.path in homes][:1]
    return []


def _unknown(result: Result, over: str) -> ScenarioError:
    live = [given for given in result.model.numbers if given.kind == LIVE]
    paths = list(dict.fromkeys(path for given in live for path in _paths(given)))
    close = get_close_matches(over, [*WORDS, "month", *paths], n=1)
    example = next((path for path in paths if path.endswith("price")), paths[0])
    hint = f"did you mean {close[0]}?" if close else f"write a path as the file has it: {example}"
    words = ", ".join(("month", *WORDS))
    return _fault(result, over, f"{words}, or the path of a number that the model reads", hint)


def _fault(result: Result, over: str, expected: str, next_step: str) -> ScenarioError:
    return ScenarioError(result.scenario.path, None, "--over", over, expected, next_step)


def _kind(given: Input) -> Kind:
    """How a number of an input is typed."""
    known = (kind for kind in vars(kinds).values() if isinstance(kind, Kind))
    same = [kind for kind in known if kind.unit == given.unit]
    # of several, the one that bounds least: the input's own bounds are checked anyway
    same.sort(key=lambda kind: (kind.more_than == 0, kind.least is not None, kind.whole))
    if same:
        return same[0]
    return kinds.MONEY if given.quantity is not None and given.quantity.currency else kinds.FACTOR
