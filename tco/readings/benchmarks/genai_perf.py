"""Runs of GenAI-Perf and of AIPerf, its successor: ``profile_export_*.csv`` and ``.json``.

The CSV is two tables with an empty line between them: times and lengths of a request with their
mean and percentiles, then figures of the whole run with one value. Tables that follow, of the
power and use of GPUs, are not read. The CSV tells neither model, requests in flight nor machine;
the JSON may tell the first two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path

from tco.readings.benchmarks import file_names
from tco.readings.benchmarks.throughput import Latency, Rate, Run, Time, reading_of, usable
from tco.readings.reading import Asked, Head, Kind, Reading, ReadingError
from tco.readings.texts.cells import Place, as_float, in_unit, quantity_of, two_numbers
from tco.readings.texts.json_objects import Record, is_json, records_of
from tco.readings.texts.spreadsheet import raw_rows

TITLE = "benchmark of GenAI-Perf or AIPerf"
RATE = "output token throughput"

_TIMES: Mapping[Time, tuple[str, ...]] = {
    "first token": ("time to first token",),
    # both tools take it over all tokens after the first, so it is the time of an output token
    "token": ("inter token latency",),
    "request": ("request latency",),
}
_SECONDS = {"s": 1.0, "sec": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


@dataclass(frozen=True)
class Metric:
    """One metric of a run: its unit and its figures by the names of their columns."""

    unit: str
    figures: Mapping[str, float]

    @property
    def mean(self) -> float | None:
        """The mean, or the one value of a figure of the whole run."""
        return self.figures.get("avg", self.figures.get("value"))


def recognises(head: Head) -> bool:
    """Whether it has the metrics of a run by their names, as a table or as JSON."""
    if head.is_json:
        return {"output_token_throughput", "request_throughput"} <= head.keys
    columns = [column.lstrip("\ufeff") for column in head.columns]
    return (
        columns[:1] == ["metric"]
        and bool({"avg", "value"} & set(columns))
        and any(line.strip('"').casefold().startswith(RATE) for line in head.lines)
    )


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """A run for each file; raises `ReadingError` for a cell that is no number and for no run."""
    runs: list[Run] = []
    faults: list[ReadingError] = []
    for path in paths:
        if is_json(path):
            records, no_json = records_of(path)
            if no_json:
                raise no_json[0]
            found, unusable = usable(records, partial(_of_json, several=len(records) > 1))
            runs += found
            faults += unusable
        else:
            try:
                runs.append(_run(str(path), None, _metrics(path, asked)))
            except ReadingError as fault:
                if fault.line is not None:
                    raise
                faults.append(fault)
    return reading_of(TITLE, paths, asked, runs, faults)


KIND = Kind(TITLE, recognises, read)


# ---- the tables


def _metrics(path: Path, asked: Asked) -> dict[str, Metric]:
    """The metrics of the tables whose first column is ``Metric``, by their names."""
    cells = list(_cells(path, asked))
    side = _convention(cells)
    metrics: dict[str, dict[str, float]] = {}
    units: dict[str, str] = {}
    for name, column, text, place in cells:
        found = in_unit(text, place, {})
        if found is None:
            continue
        meanings = found[0]
        if meanings.ambiguous and side is None:
            raise two_numbers(text, meanings, place)
        value = meanings.second if side == 1 else meanings.first
        if value is None:
            raise place.refused(
                f'"{text}"',
                f"a number with a decimal {'comma' if side == 1 else 'point'}, as in other cells",
                "write all numbers of the file in one way",
            )
        title, unit = _named(name)
        number = as_float(Decimal(value), place)
        assert number is not None
        if number < 0:
            raise place.refused(f'"{text}"', "a number of 0 or more", "measure again")
        metrics.setdefault(title, {})[column] = number
        units[title] = unit
    return {name: Metric(units[name], figures) for name, figures in metrics.items()}


def _cells(path: Path, asked: Asked) -> Iterator[tuple[str, str, str, Place]]:
    """Each cell of the tables: the metric, the column, the text and its place."""
    head: list[str] = []
    read = False
    for line, row in raw_rows(path, asked):
        if not any(row):
            head = []
            continue
        if not head:
            head = [name.casefold() for name in _without_end(row)]
            read = head[0] == "metric"
            continue
        if not read:
            continue
        row = _without_end(row)
        if len(row) not in (1, 2, len(head)):
            raise ReadingError(
                str(path),
                line,
                row[0],
                f"{len(row)} cells under {len(head)} names",
                "a cell for each name; a number with commas stands in quotes",
                "export the file again",
            )
        for column, text in zip(head[1:], row[1:], strict=False):
            yield row[0], column, text, Place(str(path), line, row[0])


def _without_end(row: Sequence[str]) -> list[str]:
    """The row without the empty cells that a spreadsheet puts behind a shorter table."""
    cells = list(row)
    while len(cells) > 1 and not cells[-1]:
        cells.pop()
    return cells


def _convention(cells: Sequence[tuple[str, str, str, Place]]) -> int | None:
    """0 where the numbers have a decimal point, 1 where a comma, None where none tells."""
    told: dict[int, tuple[str, Place]] = {}
    for _, _, text, place in cells:
        quantity = quantity_of(text)
        if quantity is not None and quantity.meanings.side is not None:
            told.setdefault(quantity.meanings.side, (text, place))
    if len(told) == 2:
        (point, _), (comma, place) = told[0], told[1]
        raise place.refused(
            f'"{comma}" (a decimal comma), and "{point}" (a decimal point)',
            "one way of writing numbers in the whole file",
            "write them all in one way",
        )
    return next(iter(told), None)


def _named(name: str) -> tuple[str, str]:
    """A metric's name in small letters, and its unit.

    >>> _named("Time To First Token (ms)")
    ('time to first token', 'ms')
    """
    found = re.fullmatch(r"(.*?) ?(?:\(([^()]*)\))?", " ".join(name.split()))
    assert found is not None
    return found[1].casefold(), (found[2] or "").casefold()


# ---- the JSON


def _of_json(record: Record, several: bool) -> Run:
    metrics = {}
    for name, value in record.values.items():
        if isinstance(value, Mapping) and ("avg" in value or "value" in value):
            one = record.within(name)
            figures = {}
            for column in ("avg", "value", "p50", "p99"):
                number = one.number(column)
                if number is not None:
                    figures[column] = number
            metrics[name.replace("_", " ").casefold()] = Metric(one.text("unit") or "", figures)
    place = record.line if several else None
    return _run(record.file, place, metrics, record.within("input_config"))


def _load(config: Record) -> float | None:
    """Requests in flight that were asked for, where the options tell them."""
    for names in (("perf_analyzer", "stimulus"), ("loadgen",), ()):
        found = config.within(*names).values.get("concurrency")
        if isinstance(found, int | float) and not isinstance(found, bool) and found > 0:
            return float(found)
    return None


def _asked_output(config: Record) -> float | None:
    """Output tokens that were asked of a request, where the options tell them."""
    for names in (("input", "output_tokens"), ("input", "prompt", "output_tokens")):
        found = config.within(*names).values.get("mean")
        if isinstance(found, int | float) and not isinstance(found, bool) and found > 0:
            return float(found)
    return None


def _model(config: Record) -> str | None:
    for names in ((), ("endpoint",)):
        found = config.within(*names).values.get("model_names")
        if isinstance(found, list) and found and isinstance(found[0], str):
            return found[0]
    return None


# ---- the run


def _run(
    file: str, line: int | None, metrics: Mapping[str, Metric], config: Record | None = None
) -> Run:
    """The run of these metrics; raises `ReadingError` where it has no output rate."""

    def mean(*names: str) -> float | None:
        return next((metrics[name].mean for name in names if name in metrics), None)

    rate = mean(RATE)
    if not rate:
        raise ReadingError(
            file,
            line,
            "Output Token Throughput",
            "none" if rate is None else "0",
            "output tokens a second",
            "profile a model of text with --streaming, and give that export",
        )
    requests, completed = mean("request throughput"), mean("request count")
    output_length = mean("output sequence length", "num output token")
    duration = _time(metrics.get("benchmark duration")) or (
        completed / requests if completed and requests else None
    )
    also = []
    if requests and output_length:
        of = "requests a second times output tokens a request"
        also.append(Rate(requests * output_length, of))
    total = mean("total output tokens")
    if total and duration and "benchmark duration" in metrics:
        also.append(Rate(total / duration, "the output tokens over the duration"))
    times: dict[Time, Latency] = {}
    for time, names in _TIMES.items():
        for name in names:
            metric = metrics.get(name)
            factor = _SECONDS.get(metric.unit) if metric else None
            if metric and factor is not None:
                times[time] = Latency(
                    *(
                        value * factor if value is not None else None
                        for value in (
                            metric.figures.get("avg"),
                            metric.figures.get("p50"),
                            metric.figures.get("p99"),
                        )
                    )
                )
    options = config or Record(file, line or 1, {})
    return Run(
        file=file,
        line=line,
        engine="AIPerf" if "benchmark duration" in metrics else "GenAI-Perf",
        output_rate=rate,
        model=_model(options),
        input_length=mean("input sequence length", "num input token"),
        output_length=output_length,
        concurrency=_load(options),
        most_in_flight=completed,
        duration=duration,
        completed=completed,
        failed=mean("error request count") or 0.0,
        asked_output=_asked_output(options),
        named_output=file_names.output_length(file),
        also=tuple(also),
        times=times,
    )


def _time(metric: Metric | None) -> float | None:
    factor = _SECONDS.get(metric.unit) if metric else None
    return metric.mean * factor if metric and metric.mean and factor else None
