"""Runs of a benchmark made into measured points of a card, and what speaks against them.

Every kind of benchmark gives `Run`; what is checked of them, which of them become points and how
they are shown is the same for all. A point is output tokens a second over the whole time of the
run, the reading of the prompts included, on all the GPUs that were measured together.

A run is not written where its figures contradict each other, where it produced less than half of
what was asked or about one token a request, where it lasted under 5 seconds, and where it is above
what the card can do. It is flagged, and written, under 95 % of the tokens asked, under 30 seconds,
with failed requests, and where the requests came no faster than they were answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

from tco.prices.cards import Card, card
from tco.prices.gpu_names import Gpu, gpu_of
from tco.readings.benchmarks.throughput_bounds import (
    Weights,
    arithmetic_bound,
    decode_bound,
    weights_of,
)
from tco.readings.reading import Asked, Dropped, Entry, Reading, ReadingError, Source, Table
from tco.readings.texts.json_objects import Record
from tco.readings.weeks import significant

AGREES = 0.01
"""Share by which two figures of the same run may differ: they are rounded to two decimals."""
NEARLY_ALL, HALF = 0.95, 0.5
"""Shares of the output asked for under which a run is flagged, and under which not written."""
NEARLY_ALL_NAMED = 0.85
"""The same of a length in a file's name: InferenceX draws from 0.8 of it on, 0.9 in the mean."""
ABOUT_ONE = 2.0
"""Output tokens of a request under which a run measured the prompts, not the writing."""
TOO_SHORT, SHORT = 5.0, 30.0
"""Seconds under which a run is not written, and under which it is flagged."""
MOSTLY_FAILED = 0.5
"""Share of the requests that failed from which a run is not written."""
NEARLY = 1.05
"""A run may be above a bound by so much: clocks are boosted, and printed figures are rounded."""
UNEVEN = 1.25
"""Mean times of requests of unequal lengths may understate the rate by so much."""
KEPT_UP = 0.95
"""Answered requests over those sent, above which the card may do more than it was asked."""
FEW_ROUNDS = 3
"""Requests for each one in flight, under which filling and emptying weigh much."""
SATURATED = 0.95
"""Of the runs with one mix, the least load that reaches this share of the highest rate is taken."""
SAME_MIX = 1.1
"""Mixes of input and output that differ by less than this factor are one mix."""

Time = Literal["first token", "token", "request"]


@dataclass(frozen=True)
class Latency:
    """A time of the run in seconds, None where the file has none."""

    mean: float | None = None
    median: float | None = None
    p99: float | None = None


@dataclass(frozen=True)
class Rate:
    """Output tokens a second that other figures of the run come to, and which figures."""

    value: float
    of: str


@dataclass(frozen=True)
class Doubt:
    """What speaks against a run; ``stops`` where it must not become a number of a scenario."""

    text: str
    stops: bool = False


@dataclass(frozen=True)
class Run:
    """One run of a benchmark.

    ``line`` is that of its file where there are several in it. ``output_rate`` is output tokens a
    second of all GPUs, a length is of tokens of a request. ``most_in_flight`` bounds the
    requests at the same time where ``concurrency`` is not told. ``asked_output`` is the length that
    was asked of a request, ``named_output`` what the name of the file says of it, which counts
    where the file itself tells nothing. ``also`` are output rates that other figures of the file
    come to. ``gpu``, ``gpus`` and ``tensor_parallel`` are what the file tells of the machine.
    """

    file: str
    line: int | None
    engine: str
    output_rate: float
    model: str | None = None
    input_length: float | None = None
    output_length: float | None = None
    concurrency: float | None = None
    most_in_flight: float | None = None
    duration: float | None = None
    completed: float | None = None
    failed: float = 0.0
    offered: float | None = None
    asked_output: float | None = None
    named_output: float | None = None
    also: tuple[Rate, ...] = ()
    times: Mapping[Time, Latency] = field(default_factory=dict)
    tokens_per_step: float = 1.0
    weights: Weights | None = None
    gpu: str | None = None
    gpus: int | None = None
    tensor_parallel: int | None = None
    day: date | None = None
    doubts: tuple[Doubt, ...] = ()
    note: str | None = None

    @property
    def input_per_output(self) -> float | None:
        """Input tokens for each output token."""
        if self.input_length is None or not self.output_length:
            return None
        return self.input_length / self.output_length


@dataclass(frozen=True)
class Machine:
    """What a run was measured on: the name a scenario has for the card, and how many."""

    name: str
    card: Card | None
    gpus: int
    tensor_parallel: int | None


def usable(
    records: Sequence[Record], run_of: Callable[[Record], Run]
) -> tuple[list[Run], list[ReadingError]]:
    """The runs of the records, and why a record gave none."""
    runs: list[Run] = []
    faults: list[ReadingError] = []
    for record in records:
        try:
            runs.append(run_of(record))
        except ReadingError as fault:
            faults.append(fault)
    return runs, faults


def reading_of(
    kind: str,
    paths: Sequence[Path],
    asked: Asked,
    runs: Sequence[Run],
    faults: Sequence[ReadingError] = (),
    remarks: Sequence[str] = (),
) -> Reading:
    """What the runs of one kind of file say; ``faults`` are of runs that were left out.

    Raises `ReadingError` where no run is left, and where the file tells another machine than asked.
    """
    if not runs:
        raise _none_left(paths, faults)
    machines = [_machine(run, asked) for run in runs]
    places = _places(runs)
    doubts = [list(_doubts(run, machine)) for run, machine in zip(runs, machines, strict=True)]
    sound = [
        (run, machine)
        for run, machine, of_run in zip(runs, machines, doubts, strict=True)
        if not any(doubt.stops for doubt in of_run)
    ]
    points, choices, obstacles = _points(sound)
    warnings = [
        f"{place}: {doubt.text}{'; not written' if doubt.stops else ''}"
        for place, of_run in zip(places, doubts, strict=True)
        for doubt in of_run
    ]
    missing = _missing(runs, machines, asked)
    written = {id(run) for run, _ in points}
    for path in paths:
        asked.progress(path.stat().st_size, path.stat().st_size)
    return Reading(
        kind=kind,
        sources=tuple(Source.of(path) for path in paths),
        used=len(runs),
        rows_are="runs",
        dropped=_dropped(paths, faults),
        entries=tuple(_entry(run, machine) for run, machine in points),
        tables=tuple(_tables(places, runs, machines, written)),
        remarks=(*remarks, *choices, *_not_bounded(runs, machines)),
        warnings=(*warnings, *missing, *(obstacles if not missing else ())),
    )


def _places(runs: Sequence[Run]) -> list[str]:
    """Where each run is: its file by its name alone where no other is called so."""
    files = {run.file for run in runs}
    names = Counter(Path(file).name for file in files)
    shown = {file: Path(file).name if names[Path(file).name] == 1 else file for file in files}
    return [
        shown[run.file] + (f", line {run.line}" if run.line is not None else "") for run in runs
    ]


def _none_left(paths: Sequence[Path], faults: Sequence[ReadingError]) -> ReadingError:
    if faults:
        return min(faults, key=lambda fault: fault.line or 0)
    return ReadingError(
        ", ".join(map(str, paths)),
        None,
        None,
        "no run of a benchmark",
        "at least one",
        "give the file that the benchmark wrote",
    )


def _dropped(paths: Sequence[Path], faults: Sequence[ReadingError]) -> tuple[Dropped, ...]:
    """The runs left out, those of one file and reason together."""
    by_reason: dict[str, list[ReadingError]] = {}
    for fault in faults:
        why = f"{fault.field}: {fault.found}" if fault.field else fault.found
        where = f"{Path(fault.file).name}, " if len(paths) > 1 else ""
        by_reason.setdefault(where + why, []).append(fault)
    return tuple(
        Dropped(why, len(of_one), min((fault.line or 0 for fault in of_one), default=None))
        for why, of_one in by_reason.items()
    )


# ---- the machine


def _machine(run: Run, asked: Asked) -> Machine | None:
    """What the run was measured on, None where that is not known."""
    told = gpu_of(run.gpu, hint=asked.gpu or "") if run.gpu else None
    wanted = gpu_of(asked.gpu) if asked.gpu else None
    _same("gpu", run, told, wanted)
    if run.gpus and asked.gpus and run.gpus != asked.gpus:
        raise _other_machine(run, "gpus", counted(run.gpus, "GPU"), f"the {asked.gpus} of --gpus")
    gpu = wanted if wanted and not wanted.ambiguous else told
    gpus = asked.gpus or run.gpus or asked.tensor_parallel or run.tensor_parallel
    tensor_parallel = asked.tensor_parallel or run.tensor_parallel
    if gpus and tensor_parallel and gpus % tensor_parallel:
        raise _other_machine(
            run,
            "tensor_parallel",
            f"{gpus} GPUs with {tensor_parallel} to a copy of the model",
            "whole copies of the model",
            "write all the GPUs that were measured together:  --gpus "
            f"{tensor_parallel * (gpus // tensor_parallel + 1)}",
        )
    if gpu is None or gpu.ambiguous or gpus is None:
        return None
    return Machine(gpu.name, card(gpu.card) if gpu.card else None, gpus, tensor_parallel)


def _same(name: str, run: Run, told: Gpu | None, wanted: Gpu | None) -> None:
    if told is None or wanted is None or told.name == wanted.name:
        return
    if wanted.name in told.ambiguous or told.name in wanted.ambiguous:
        return
    assert run.gpu is not None
    raise _other_machine(
        run, name, f'"{run.gpu}", which is {told.name}', f"the {wanted.name} of --gpu"
    )


def _other_machine(
    run: Run,
    name: str,
    found: str,
    expected: str,
    next_step: str = "leave out what the file tells, or give the file of the other machine",
) -> ReadingError:
    return ReadingError(run.file, run.line, name, found, expected, next_step)


def _missing(
    runs: Sequence[Run], machines: Sequence[Machine | None], asked: Asked
) -> tuple[str, ...]:
    """What has to be added before a point can be written."""
    if all(machines):
        return ()
    run = next(run for run, machine in zip(runs, machines, strict=True) if machine is None)
    wanted = gpu_of(asked.gpu or run.gpu or "") if asked.gpu or run.gpu else None
    add = []
    if wanted is None:
        add.append("--gpu NAME")
    elif wanted.ambiguous:
        add.append(" or ".join(f"--gpu {name}" for name in wanted.ambiguous))
    if not (asked.gpus or run.gpus or asked.tensor_parallel or run.tensor_parallel):
        add.append("--gpus N")
    not_told = (
        f'"{asked.gpu or run.gpu}" may be {" or ".join(wanted.ambiguous)}'
        if wanted is not None and wanted.ambiguous
        else "the file does not tell the card, or how many were measured together"
    )
    return (f"no throughput is written: {not_told}; add {' and '.join(add)}",)


# ---- what speaks against a run


def _doubts(run: Run, machine: Machine | None) -> Iterator[Doubt]:
    yield from run.doubts
    yield from _contradictions(run)
    yield from _too_little_produced(run)
    yield from _too_short(run)
    yield from _failures(run)
    yield from _idle(run)
    if machine is not None:
        yield from _impossible(run, machine)


def _contradictions(run: Run) -> Iterator[Doubt]:
    for other in run.also:
        if abs(run.output_rate - other.value) > AGREES * max(run.output_rate, other.value):
            yield Doubt(
                f"the file says {figure(run.output_rate)} output tokens/s, but {other.of} come to "
                f"{figure(other.value)}",
                stops=True,
            )
    first, token = (run.times.get(name, Latency()).mean for name in ("first token", "token"))
    in_flight, length = run.concurrency or run.most_in_flight, run.output_length
    if token and in_flight and length and length > 1:
        limit = in_flight * length / ((first or 0.0) + (length - 1) * token)
        if run.output_rate > UNEVEN * limit:
            yield Doubt(
                f"{counted(in_flight, 'request')} in flight with a mean TPOT of {seconds(token)} "
                f"write {figure(limit)} output tokens/s at most, but the file says "
                f"{figure(run.output_rate)}",
                stops=True,
            )


def _too_little_produced(run: Run) -> Iterator[Doubt]:
    produced, asked, least = run.output_length, run.asked_output, NEARLY_ALL
    of = f" of {figure(asked)} asked"
    if not asked:
        asked, least = run.named_output, NEARLY_ALL_NAMED
        of = f", but its name says {figure(asked)}"
    if produced is None:
        return
    if asked and produced < least * asked:
        requests = run.completed
        total = (
            f", {figure(produced * requests)} of {figure(asked * requests)} in all"
            if requests
            else ""
        )
        yield Doubt(
            f"{counted(produced, 'output token')} a request produced{of}"
            f"{total} ({produced / asked:.1%}); let the server ignore the end of a text "
            "(--ignore-eos)",
            stops=produced < HALF * asked,
        )
    if produced < ABOUT_ONE:
        yield Doubt(
            f"{counted(produced, 'output token')} a request: it measured the reading of prompts, "
            "not the writing",
            stops=True,
        )


def _too_short(run: Run) -> Iterator[Doubt]:
    if run.duration is None or run.duration >= SHORT:
        rounds = run.completed / run.concurrency if run.completed and run.concurrency else None
        if rounds is not None and rounds < FEW_ROUNDS and (run.concurrency or 0) > 1:
            yield Doubt(
                f"{counted(run.completed, 'request')} with {figure(run.concurrency)} in flight: "
                "filling and emptying are much of the run; send at least "
                f"{FEW_ROUNDS} times as many as are in flight"
            )
        return
    requests = f" for {counted(run.completed, 'request')}" if run.completed else ""
    if run.duration < TOO_SHORT:
        yield Doubt(
            f"it lasted {figure(run.duration)} s{requests}: too short to be a steady state, under "
            f"{TOO_SHORT:g} s; measure for a few minutes",
            stops=True,
        )
    else:
        yield Doubt(
            f"it lasted {figure(run.duration)} s{requests}, under {SHORT:g} s: short for a steady "
            "state"
        )


def _failures(run: Run) -> Iterator[Doubt]:
    if not run.failed:
        return
    share = run.failed / (run.failed + (run.completed or 0.0))
    yield Doubt(
        f"{figure(run.failed)} of {figure(run.failed + (run.completed or 0.0))} requests failed, "
        f"{share:.1%}: they took time and gave no tokens",
        stops=share > MOSTLY_FAILED,
    )


def _idle(run: Run) -> Iterator[Doubt]:
    if not run.offered or not run.duration or not run.completed:
        return
    answered = run.completed / run.duration
    if answered >= KEPT_UP * run.offered:
        yield Doubt(
            f"requests came at {figure(run.offered)} a second and {figure(answered)} a second were "
            "answered: the cards may do more than they were asked"
        )


def _weights(run: Run) -> Weights | None:
    return run.weights or (weights_of(run.model) if run.model else None)


def _not_bounded(runs: Sequence[Run], machines: Sequence[Machine | None]) -> list[str]:
    """What is not known of cards and models, so that nothing is said of what they can do."""
    unknown: dict[str, None] = {}
    for run, machine in zip(runs, machines, strict=True):
        if machine is not None and machine.card is None:
            unknown[f"the speed of {machine.name}"] = None
        elif machine is not None and _weights(run) is None:
            unknown[f"the parameters of {run.model}" if run.model else "the model"] = None
    if not unknown:
        return []
    return [f"not held against the most the card can do, not known here: {', '.join(unknown)}"]


def _impossible(run: Run, machine: Machine) -> Iterator[Doubt]:
    """Rates above what the card can do, with the bound."""
    weights = _weights(run)
    if machine.card is None or weights is None:
        return
    many = f"{machine.gpus} x {machine.card.title}" if machine.gpus > 1 else machine.card.title
    on = f"{many} ({weights.how})"
    in_flight = run.concurrency or run.most_in_flight
    if in_flight:
        bound = decode_bound(weights, machine.card, machine.gpus, in_flight, run.tokens_per_step)
        step = f", {figure(run.tokens_per_step)} tokens a step" if run.tokens_per_step > 1 else ""
        many = f"{counted(in_flight, 'request')} in flight{step}"
        reason = (
            "" if step else "; speculative decoding would explain it, but the file tells of none"
        )
        text = f"what the memory bandwidth of {on} allows with {many}, {figure(bound)}{reason}"
        yield from _above(run.output_rate, bound, text, weights)
    bound = arithmetic_bound(weights, machine.card, machine.gpus, 0.0)
    text = f"what the arithmetic of {on} allows, {figure(bound)}"
    if run.output_rate <= bound and run.input_per_output:
        bound = arithmetic_bound(weights, machine.card, machine.gpus, run.input_per_output)
        text = (
            f"what the arithmetic of {on} allows with {figure(run.input_per_output)} input tokens "
            f"for each, {figure(bound)}: the prompts came from a cache, or were not read"
        )
    yield from _above(run.output_rate, bound, text, weights)


def _above(rate: float, bound: float, what: str, weights: Weights) -> Iterator[Doubt]:
    if rate > bound:
        mixture = "" if weights.certain else "; a mixture of experts that reads less may reach it"
        yield Doubt(
            f"{figure(rate)} output tokens/s are above {what}{mixture}",
            stops=weights.certain and rate > NEARLY * bound,
        )


# ---- which runs become points


Point = tuple[Run, Machine]


def _points(
    sound: Sequence[tuple[Run, Machine | None]],
) -> tuple[list[Point], list[str], list[str]]:
    """One run of each card and mix of lengths, how it was chosen, and what stands in the way."""
    by_card: dict[str, list[Point]] = {}
    for run, machine in sound:
        if machine is not None:
            by_card.setdefault(machine.name, []).append((run, machine))
    points: list[Point] = []
    choices: list[str] = []
    obstacles: list[str] = []
    for name, known in by_card.items():
        chosen, why, obstacle = _points_of_card(name, known)
        points += chosen
        choices += why
        obstacles += obstacle
    return points, choices, obstacles


def _points_of_card(name: str, known: Sequence[Point]) -> tuple[list[Point], list[str], list[str]]:
    models = sorted({run.model or "a model that is not named" for run, _ in known})
    if len(models) > 1:
        text = (
            f"no throughput of {name} is written: the runs are of {len(models)} models, "
            f"{', '.join(models)}, and a card has the throughput of one; give the files of one"
        )
        return [], [], [text]
    mixes = _mixes(known)
    points = [_least_load(mix) for mix in mixes]
    choices = [_why(point, mix) for point, mix in zip(points, mixes, strict=True) if len(mix) > 1]
    if len(points) > 1 and not _explained(points):
        text = (
            f"no throughput of {name} is written: no speed of reading and of writing explains its "
            "mixes of input and output together; measure them at the same load, or give the files "
            "of the mix that is nearest to your demand"
        )
        return [], choices, [text]
    return points, choices, []


def _mixes(points: Sequence[Point]) -> list[list[Point]]:
    """The points of one mix of input and output together; those without lengths are one mix."""
    mixes: list[list[Point]] = []
    for point in sorted(points, key=lambda one: one[0].input_per_output or 0.0):
        mix = point[0].input_per_output or 0.0
        if mixes and mix <= SAME_MIX * (mixes[-1][0][0].input_per_output or 0.0):
            mixes[-1].append(point)
        else:
            mixes.append([point])
    return mixes


def _per_gpu(point: Point) -> float:
    return point[0].output_rate / point[1].gpus


def _least_load(mix: Sequence[Point]) -> Point:
    """The point of the least load that writes nearly as much as any; of equals the fastest."""
    best = max(map(_per_gpu, mix))
    enough = [point for point in mix if _per_gpu(point) >= SATURATED * best]
    return min(enough, key=lambda one: (one[0].concurrency or float("inf"), -_per_gpu(one)))


def _why(chosen: Point, mix: Sequence[Point]) -> str:
    best = max(mix, key=_per_gpu)
    run = chosen[0]
    at = f"with {figure(run.concurrency)} in flight" if run.concurrency else "that is fastest"
    of = (
        f"of {len(mix)} runs with about {figure(run.input_per_output)} input tokens for each "
        "output token"
        if run.input_per_output is not None
        else f"of {len(mix)} runs without lengths"
    )
    return (
        f"{of} the one {at} is taken, {figure(run.output_rate)} output tokens/s: the least load "
        f"within {1 - SATURATED:.0%} of the highest rate, {figure(best[0].output_rate)}; give one "
        "file alone to take another"
    )


def _explained(points: Sequence[Point]) -> bool:
    """Whether positive times of reading and of writing a token fit the points (least squares)."""
    if any(run.input_per_output is None for run, _ in points):
        return False
    mixes = [run.input_per_output or 0.0 for run, _ in points]
    times = [1 / _per_gpu(point) for point in points]
    count = len(points)
    mean_mix, mean_time = sum(mixes) / count, sum(times) / count
    slope = sum(
        (mix - mean_mix) * (time - mean_time) for mix, time in zip(mixes, times, strict=True)
    ) / sum((mix - mean_mix) ** 2 for mix in mixes)
    return slope > 0 and mean_time - slope * mean_mix > 0


# ---- what is written and shown


def _entry(run: Run, machine: Machine) -> Entry:
    content: dict[str, Any] = {
        "output_rate": {"value": significant(run.output_rate)},
        "gpus": machine.gpus,
    }
    for name in ("input_length", "output_length", "concurrency"):
        value = getattr(run, name)
        if value is not None:
            content[name] = _plain(value)
    if machine.tensor_parallel is not None:
        content["tensor_parallel"] = machine.tensor_parallel
    content["source"] = ", ".join(part for part in (run.model, run.engine) if part)
    each = f", {figure(run.output_rate / machine.gpus)} each" if machine.gpus > 1 else ""
    return Entry(
        room="card",
        subject=machine.name,
        field="throughput",
        content=content,
        label="output tokens a second",
        shown=f"{figure(run.output_rate)} tokens/s on {machine.gpus} GPU"
        f"{'s' if machine.gpus > 1 else ''}{each}",
        note=run.note,
        day=run.day,
    )


def _plain(value: float) -> float | int:
    return int(value) if value == int(value) else significant(value)


def _tables(
    places: Sequence[str],
    runs: Sequence[Run],
    machines: Sequence[Machine | None],
    written: set[int],
) -> Iterator[Table]:
    several = len({run.model for run in runs}) > 1
    model = f" of {runs[0].model}" if runs[0].model and not several else ""
    rows = [
        (
            "run",
            *(("model",) if several else ()),
            "in flight",
            "input",
            "output",
            "requests",
            "seconds",
            "output tokens/s",
            "per GPU",
            "written",
        )
    ]
    for place, run, machine in zip(places, runs, machines, strict=True):
        rows.append(
            (
                place,
                *((run.model or "-",) if several else ()),
                figure(run.concurrency),
                figure(run.input_length),
                figure(run.output_length),
                figure(run.completed),
                figure(run.duration),
                figure(run.output_rate),
                figure(run.output_rate / machine.gpus) if machine else "-",
                "yes" if id(run) in written else "no",
            )
        )
    yield Table(
        f"Runs{model}",
        rows,
        ("input and output are tokens of a request; the rate is over the whole time of the run",),
    )
    if any(run.times for run in runs):
        yield _latencies(places, runs)


def _latencies(places: Sequence[str], runs: Sequence[Run]) -> Table:
    names: tuple[tuple[Time, str], ...] = (
        ("first token", "TTFT"),
        ("token", "TPOT"),
        ("request", "request"),
    )
    head = ["run"]
    for _, title in names:
        head += [title, f"{title} p99"]
    rows = [head]
    for place, run in zip(places, runs, strict=True):
        row = [place]
        for name, _ in names:
            time = run.times.get(name, Latency())
            median = f"{seconds(time.median)} (median)" if time.median is not None else "-"
            row += [seconds(time.mean) if time.mean is not None else median, seconds(time.p99)]
        rows.append(row)
    return Table(
        "Latencies",
        rows,
        ("means, where nothing else is said; TTFT: to the first token, TPOT: each one after it",),
    )


def figure(value: float | None) -> str:
    """A number with six significant digits and thousands commas, "-" for None.

    >>> figure(403.5809313421254), figure(144687.2208), figure(16.0), figure(None)
    ('403.581', '144,687', '16', '-')
    """
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1e6 else f"{value:,.6g}"


def counted(number: float | None, what: str) -> str:
    """A number of things.

    >>> counted(1, "request"), counted(1000, "request")
    ('1 request', '1,000 requests')
    """
    return f"{figure(number)} {what}{'' if number == 1 else 's'}"


def seconds(value: float | None) -> str:
    """A time in the unit that suits it.

    >>> seconds(2.077586937), seconds(0.0336149), seconds(0.0000105920), seconds(None)
    ('2.08 s', '33.6 ms', '0.0106 ms', '-')
    """
    if value is None:
        return "-"
    return f"{value:,.3g} s" if value >= 1 else f"{value * 1e3:.3g} ms"
