"""Why one option costs more than another: the gap between the two, part by part.

The parts are those of the equivalent monthly cost: hardware, electricity, rent, tax and so on, each
summed over the supplies of an option. They add up to the gap, in a month and in present value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tco.analysis.answer import staying
from tco.analysis.figures import money
from tco.analysis.marks import marks, models_of
from tco.results import INFEASIBLE, OK, PARTS, Result

WORDS = {"api": "API", "extra": "storage, traffic and balances"}
GIVEN_UP, TAX = "resale given up", "tax"
MONTHLY, NPV = "equivalent_monthly_cost", "npv_of_cost"
MOST_NAMED = 4


@dataclass(frozen=True)
class Part:
    """What one kind of cost adds to the gap: that of this option less that of the other.

    ``this``, ``other`` and ``difference`` are money a month; ``npv`` is the difference as present
    value of all months.
    """

    label: str
    this: float
    other: float
    difference: float
    npv: float


@dataclass(frozen=True)
class Attribution:
    """The gap between two options: money a month, in present value, and by parts.

    ``gap`` is the equivalent monthly cost of ``this`` less that of ``other``, below 0 where this
    one is cheaper. ``remarks`` are sentences on what the numbers do not show.
    """

    this: str
    other: str
    parts: tuple[Part, ...]
    gap: float
    gap_npv: float
    remarks: tuple[str, ...]


def attribute(result: Result, this: str, other: str) -> Attribution:
    """The gap between two options that are costed, part by part.

    A part that neither of them has is left out. Raises `KeyError` for an option that is not
    costed.
    """
    one, two = _parts(result, this), _parts(result, other)
    months = result.value("annuity_factor")
    parts = []
    for label in _in_order([*one, *two]):
        mine, theirs = one.get(label, 0.0), two.get(label, 0.0)
        if mine or theirs:
            parts.append(Part(label, mine, theirs, mine - theirs, (mine - theirs) * months))
    return Attribution(
        this,
        other,
        tuple(parts),
        _metric(result, this, MONTHLY) - _metric(result, other, MONTHLY),
        _metric(result, this, NPV) - _metric(result, other, NPV),
        tuple(_remarks(result, this, other)),
    )


def _parts(result: Result, option: str) -> dict[str, float]:
    """The equivalent monthly cost of an option by kind, the other costs by their names."""
    if result.option(option).scope is None:
        raise KeyError(option)
    found: dict[str, float] = {}
    for owner, what, amount in result.parts(option):
        label = owner if what == "other" else WORDS.get(what, what)
        if what == "other" and label in _KINDS:
            label = f"{label} (other cost)"
        found[label] = found.get(label, 0.0) + amount
    return found


_KINDS = (*(WORDS.get(part, part) for part in PARTS), GIVEN_UP, TAX)


def _in_order(labels: Iterable[str]) -> list[str]:
    """Kinds of cost in the order of the model, the other costs as they come, then tax."""
    named = (label for label in labels if label not in _KINDS)
    return list(dict.fromkeys([*_KINDS[: len(PARTS)], *named, GIVEN_UP, TAX]))


def _metric(result: Result, option: str, name: str) -> float:
    value = result.metrics[option][name]
    assert value is not None
    return value


def _remarks(result: Result, this: str, other: str) -> Iterator[str]:
    """What the numbers do not show, or hide."""
    yield from hidden(result, this, other)
    hours = {name: result.metrics[name]["average_staff_hours"] for name in (this, other)}
    for counted, left_out in ((this, other), (other, this)):
        if hours[counted] and not hours[left_out]:
            yield f"hours of work are counted for {counted} and none for {left_out}"
    yield from staying(result)


def hidden(result: Result, this: str, other: str) -> Iterator[str]:
    """What two costs do not say: another model, another reading, work that is not checked."""
    yield from _other_model(result, this, other)
    for name in (this, other):
        found = marks(result, name)
        if "~" in found:
            yield (
                f"the price of {name} is one printed number, which another option reads in another "
                "currency"
            )
        if "?" in found:
            yield f"no throughput is given for {name}: whether its cards do the work is not checked"
        if result.status[name] == INFEASIBLE:
            yield (
                f"not all of the work is done by {name}: the gap is not that of two equal services"
            )


def _other_model(result: Result, this: str, other: str) -> Iterator[str]:
    """Whether the model was switched, and what the model of the other costs elsewhere."""
    mine = list(models_of(result, result.option(this)))
    theirs = list(models_of(result, result.option(other)))
    if not mine or not theirs or set(mine) == set(theirs):
        return
    yield (
        f"the model was switched: {this} runs {', '.join(mine)}, {other} runs {', '.join(theirs)}; "
        "the gap is that of two models, whose answers may differ in quality"
    )
    alike = [
        option.name
        for option in result.ranked
        if result.status[option.name] == OK
        and option.name != other
        and set(models_of(result, option)) == set(theirs)
    ]
    if alike:
        costs = (
            f"{name} {money(_metric(result, name, MONTHLY), result.currency)}"
            for name in alike[:MOST_NAMED]
        )
        yield f"with {', '.join(theirs)} itself, a month: {', '.join(costs)}"
