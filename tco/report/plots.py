"""The charts of a result by kind: which there are, what each is asked, and writing one of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tco.analysis.axes import TOKENS, UTILISATION, Axis, axis_of
from tco.analysis.break_even import break_even
from tco.analysis.findings import Findings
from tco.analysis.summary import Summary, summarise
from tco.analysis.sweeps import busy_shares, cheapest_map
from tco.analysis.what_if import WhatIf
from tco.errors import ScenarioError
from tco.report import bars, curves, regions
from tco.report.drawing import Drawing
from tco.report.scales import rounded_up
from tco.report.subject import Subject, subject
from tco.results import OK, Result
from tco.scenario.document import nearest

KINDS = (
    "cumulative-cost",
    "tokens",
    "utilisation",
    "map",
    "tornado",
    "waterfall",
    "monthly",
)
FORMATS = ("png", "svg")
# the axes of a map where none are asked for: the first two of these that the options depend on
MAP_AXES = (TOKENS, "token-price", "hardware-price", "rental-price", "electricity-price")
TIMES = 2.0  # how many times the scenario's value an axis reaches
FARTHEST = 10.0  # and how many times at most, to show where two options cross
BEYOND = 1.25
FEW = 11  # cells along each side of a map that is only looked at
NOTICED = 0.05  # share of a map that a second region takes at least, for the map to be chosen
EXAMPLE = "for example  tco plot FILE map --x tokens --y hardware-price"


@dataclass(frozen=True)
class Asked:
    """What a chart is asked for beside its kind; a range is a text ``A:B``."""

    of: str | None = None
    against: str | None = None
    x: str | None = None
    y: str | None = None
    range_x: str | None = None
    range_y: str | None = None


def chart_requests(
    result: Result, findings: Findings, summary: Summary
) -> list[tuple[str, Drawing]]:
    """Every kind of chart that there is for a result, with what it shows."""
    found = []
    for kind in KINDS:
        try:
            found.append((kind, drawing(result, findings, summary, kind, Asked())))
        except ScenarioError:
            continue  # nothing to show for this scenario
    return found


def plot(
    result: Result,
    findings: Findings,
    kind: str,
    of: str | None = None,
    against: str | None = None,
    x: str | None = None,
    y: str | None = None,
    range_x: str | None = None,
    range_y: str | None = None,
    directory: Path = Path("reports"),
    formats: Sequence[str] = FORMATS,
) -> tuple[list[str], list[str]]:
    """Write one chart into ``directory``/<name of the scenario>/charts; its files, and notes.

    Raises `ScenarioError` for a chart that there is not and says why, `OutputError` for files that
    cannot be written.
    """
    from tco.report.folder import folder_name, write_all
    from tco.report.painter import Painter

    unknown = [name for name in formats if name not in FORMATS]
    if unknown or not formats:
        found = unknown[0] if unknown else "none"
        raise _fault(result, "--formats", found, "png, svg or both", "write  --formats png,svg")
    _refuse_unknown(result, kind)
    asked = Asked(of, against, x, y, range_x, range_y)
    target = directory / folder_name(result.scenario.path)
    files = [f"charts/{kind}.{ending}" for ending in FORMATS if ending in formats]
    # started first, so that it imports matplotlib while the numbers are found
    with Painter() as painter:
        shown = drawing(result, findings, summarise(result, findings), kind, asked)

        def paint(path: Path) -> None:
            painter.draw(shown, path)

        notes = write_all(target, dict.fromkeys(files, paint), finish=painter.finish)
    return [(target / file).as_posix() for file in files], notes


def drawing(
    result: Result, findings: Findings, summary: Summary, kind: str, asked: Asked
) -> Drawing:
    """What a chart of a kind shows. Raises `ScenarioError` where there is none, and says why."""
    _refuse_unknown(result, kind)
    _refuse_what_it_does_not_take(result, kind, asked)
    about = subject(result, summary, asked.of, asked.against)
    match kind:
        case "cumulative-cost":
            return curves.cumulative_cost(result, summary, about)
        case "tokens":
            return _along(about, findings, TOKENS, asked)
        case "utilisation":
            return _over_busy_share(about, findings, asked)
        case "map":
            return _map(about, findings, asked)
        case "tornado":
            return _tornado(about, findings)
        case "waterfall":
            return _waterfall(about, findings)
    return bars.monthly(about)


def _refuse_unknown(result: Result, kind: str) -> None:
    if kind not in KINDS:
        close = nearest(kind, KINDS)
        hint = f"did you mean {close}?" if close else "for example  tco plot FILE map"
        raise _fault(result, "KIND", kind, f"one of {', '.join(KINDS)}", hint)


def _refuse_what_it_does_not_take(result: Result, kind: str, asked: Asked) -> None:
    takes = {"map": ("x", "y", "range_x", "range_y"), "tokens": ("range_x",)}.get(kind, ())
    for name in ("x", "y", "range_x", "range_y"):
        value = getattr(asked, name)
        if value is not None and name not in takes:
            expected = "inputs for a map only" if name in "xy" else f"no range with {kind}"
            raise _fault(result, _flag(name), value, expected, EXAMPLE)
    if kind != "map":
        return
    for name in ("x", "y"):
        value = getattr(asked, name)
        if value is not None and "," in value:
            raise _fault(result, _flag(name), value, "two inputs: one each way", EXAMPLE)
    if (asked.x is None) != (asked.y is None):
        given, lacking = ("x", "y") if asked.y is None else ("y", "x")
        found = f"only {_flag(given)} {getattr(asked, given)}"
        next_step = f"add {_flag(lacking)}, {EXAMPLE}"
        raise _fault(result, _flag(lacking), found, "two inputs, one each way", next_step)


def _flag(name: str) -> str:
    return f"--{'-'.join(name.split('_'))}"


def _fault(result: Result, field: str, found: str, expected: str, next_step: str) -> ScenarioError:
    return ScenarioError(result.scenario.path, None, field, found, expected, next_step)


def _along(about: Subject, findings: Findings, word: str, asked: Asked) -> Drawing:
    axis = _axis(about, word, "KIND", about.pair or _costed(about))
    between = _between(about, findings, axis, "--range-x", asked.range_x)
    crossings = _crossings(about, findings, axis, between)
    return curves.along(about, axis, between, crossings)


def _over_busy_share(about: Subject, findings: Findings, asked: Asked) -> Drawing:
    found = busy_shares(about.result, asked.of, asked.against)
    if found is not None:
        return curves.busy_share(about, found)
    return _along(about, findings, UTILISATION, asked)


def _map(about: Subject, findings: Findings, asked: Asked) -> Drawing:
    result = about.result
    if not result.model.has_demand:
        raise _fault(
            result,
            "KIND",
            "map",
            "a demand: without one nothing is ranked, so no option is the cheapest",
            "add demand: {output_tokens: 50 M}",
        )
    options = _costed(about) if asked.of is None and asked.against is None else about.pair
    if asked.x is None or asked.y is None:
        x, y = _usual_axes(about, findings, options)
    else:
        first = tuple(dict.fromkeys([*about.pair, *options]))
        x, y = (_axis(about, asked.x, "--x", first), _axis(about, asked.y, "--y", first))
    between = (
        _between(about, findings, x, "--range-x", asked.range_x),
        _between(about, findings, y, "--range-y", asked.range_y),
    )
    found = cheapest_map(result, (x, y), between, options)
    return regions.cheapest(about, found)


def _costed(about: Subject) -> tuple[str, ...]:
    return tuple(option.name for option in about.result.model.complete)


def _usual_axes(about: Subject, findings: Findings, options: Sequence[str]) -> tuple[Axis, Axis]:
    """The first two inputs that show more than one region, else the first two.

    Looked at are those of the two options that the chart is about, and of the two cheapest.
    """
    cheapest = tuple(o.name for o in about.result.ranked if o.name in options)[:2]
    found: dict[tuple[str, ...], Axis] = {}
    for names in (about.pair or cheapest, cheapest):
        for word in MAP_AXES:
            with suppress(ScenarioError):
                axis = axis_of(about.result, word, *names)
                if axis.base:
                    found.setdefault(axis.names, axis)
    axes = list(found.values())
    if len(axes) < 2:
        raise _fault(
            about.result,
            "KIND",
            "map",
            "two inputs that these options depend on",
            f"name them, {EXAMPLE}",
        )
    x, *others = axes
    range_x = _between(about, findings, x, "--range-x", None)
    for y in others:
        range_y = _between(about, findings, y, "--range-y", None)
        looked = cheapest_map(about.result, (x, y), (range_x, range_y), options, FEW)
        if looked.second_share >= NOTICED:
            return x, y
    return x, others[0]


def _axis(about: Subject, over: str, field: str, options: Sequence[str]) -> Axis:
    """An axis for the first of the options that depends on it."""
    faults = []
    pairs = [options[:2], *((name,) for name in options[2:])]
    for pair in pairs:
        try:
            axis = axis_of(about.result, over, *pair)
        except ScenarioError as fault:
            faults.append(fault)
        else:
            _refuse_without_effect(about, axis, field, options)
            return axis
    first = faults[0]
    next_step = first.next_step.replace("--over", field)
    raise _fault(about.result, field, first.found, first.expected, next_step)


def _refuse_without_effect(about: Subject, axis: Axis, field: str, options: Sequence[str]) -> None:
    what_if = WhatIf(about.result, axis.names, options)
    if not any(what_if.moves(name) for name in options):
        raise _fault(
            about.result,
            field,
            axis.word,
            f"an input that the cost of {' or '.join(options)} depends on",
            EXAMPLE,
        )


def _between(
    about: Subject, findings: Findings, axis: Axis, field: str, asked: str | None
) -> tuple[float, float]:
    """The range of an axis: as asked for, else about the scenario's value and the crossing."""
    if asked is not None:
        return _read_range(about.result, axis, field, asked)
    if axis.base <= 0 or axis.unit.startswith("fraction"):
        return axis.low, axis.high
    reach = TIMES * axis.base
    for crossing in _crossings(about, findings, axis, None):
        if crossing <= FARTHEST * axis.base:
            reach = max(reach, BEYOND * crossing)
            break
    least = min(axis.low, axis.base)
    return (least if axis.whole else 0.0), rounded_up(reach)


def _read_range(result: Result, axis: Axis, field: str, asked: str) -> tuple[float, float]:
    low, colon, high = asked.partition(":")
    if not (colon and low.strip() and high.strip()):
        raise _fault(
            result, field, asked, "two values with a colon between", f"for example  {field} 10M:80M"
        )
    try:
        found = axis.parse(result, low), axis.parse(result, high)
    except ScenarioError as fault:
        raise _fault(result, field, fault.found, fault.expected, fault.next_step) from None
    if found[0] >= found[1]:
        next_step = f"write  {field} {high.strip()}:{low.strip()}"
        if found[0] == found[1]:
            next_step = "write two different values"
        raise _fault(result, field, asked, "the lower value first", next_step)
    return found


def _crossings(
    about: Subject, findings: Findings, axis: Axis, between: tuple[float, float] | None
) -> list[float]:
    """Where the two options that a chart is about cost the same, in the range or where is usual."""
    result = about.result
    if len(about.pair) < 2 or any(result.status[name] != OK for name in about.pair):
        return []
    if not result.model.has_demand:
        return []
    this, other = about.pair
    try:
        if axis_of(result, axis.word, this, other).names != axis.names:
            return []
    except ScenarioError:
        return []  # the two do not depend on it
    if about.is_usual and "flips" in vars(findings):
        # found already; one chart alone does not ask for all of them
        for found in findings.flips:
            if found.axis.names == axis.names and found.axis.word == axis.word:
                low, high = between or (found.low, found.high)
                if found.low <= low and high <= found.high:
                    return [c.value for c in found.crossings if c.served and low <= c.value <= high]
    crossings = break_even(result, axis.word, this, other, between).crossings
    return [crossing.value for crossing in crossings if crossing.served]


def _tornado(about: Subject, findings: Findings) -> Drawing:
    from tco.analysis.ranges import ranged
    from tco.analysis.sensitivity import tornado

    result = about.result
    if len(about.pair) < 2:
        raise _fault(
            result, "KIND", "tornado", "two options to compare", "add a demand and an option"
        )
    if not ranged(result):
        raise _fault(
            result,
            "KIND",
            "tornado",
            "an input with a range",
            "give one, for example  {value: 50 M, low: 10 M, high: 100 M}",
        )
    asked = about.pair != (result.focus, result.baseline)
    found = tornado(result, *about.pair) if asked else findings.tornado
    if found is None or not found.bars:
        raise _fault(
            result,
            "KIND",
            "tornado",
            f"an input with a range that moves {' or '.join(about.pair)}",
            "give a low and a high to what they depend on",
        )
    return bars.tornado(about, found)


def _waterfall(about: Subject, findings: Findings) -> Drawing:
    from tco.analysis.attribution import attribute

    result = about.result
    if len(about.pair) < 2:
        raise _fault(
            result,
            "KIND",
            "waterfall",
            "two options to compare",
            "name them with  --of NAME --against NAME",
        )
    asked = about.pair != (result.focus, result.baseline)
    found = None if asked else findings.attribution
    return bars.waterfall(about, found or attribute(result, *about.pair))
