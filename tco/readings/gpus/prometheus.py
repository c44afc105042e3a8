"""Answers of Prometheus about GPUs: instant and range queries, as JSON.

What a number means is told by the name of its metric: some count use from 0 to 100, others from 0
to 1, and power in watts or thousandths of them. A GPU that several series show, one for each pod
that shares it, is one GPU: its samples of one moment are one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tco.readings.gpus.gpu_use import CUT_BY_MIG, MOST_WATTS, reading
from tco.readings.gpus.integration import SECOND, Device, Log, Moments, Numbers
from tco.readings.gpus.log_text import Losses
from tco.readings.reading import Asked, Head, Kind, Reading, ReadingError, Table
from tco.readings.texts.cells import Place, short
from tco.readings.texts.json_objects import text_of

ACTIVE = "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
USE: Mapping[str, float] = {
    "DCGM_FI_DEV_GPU_UTIL": 0.01,
    ACTIVE: 1.0,
    "nvidia_smi_utilization_gpu_ratio": 1.0,
    "nvidia_gpu_duty_cycle": 0.01,
    "nv_gpu_utilization": 1.0,
}
"""Metrics of use, in the order in which they are taken, with what makes them a share."""
POWER: Mapping[str, float] = {
    "DCGM_FI_DEV_POWER_USAGE": 1.0,
    "DCGM_FI_DEV_POWER_USAGE_INSTANT": 1.0,
    "nvidia_smi_power_draw_watts": 1.0,
    "nvidia_smi_power_draw_average_watts": 1.0,
    "nvidia_smi_power_draw_instant_watts": 1.0,
    "nvidia_gpu_power_usage_milliwatts": 0.001,
    "nv_gpu_power_usage": 1.0,
}
"""Metrics of power, in the order in which they are taken, with what makes them watts."""

AGREE = 0.05
"""By how much the mean use by two metrics may differ: they sample differently."""
BLANKS = ((2147483632, 2147483635), (140737488355328, 140737488355331), (2**63 - 16, 2**63))
"""What DCGM writes where a card does not support a field, of 32, 64 and floating bits."""
SLICES = {"a30": 4}
"""Into how many parts MIG cuts a card; the others into seven."""
ALL_SLICES = 7
_PARTS = re.compile(r"(?:(\d+)c\.)?(\d+)g\.\d+gb")

QUERY = (
    "curl 'http://PROMETHEUS:9090/api/v1/query_range?query="
    '{__name__=~"DCGM_FI_DEV_GPU_UTIL|DCGM_FI_DEV_POWER_USAGE"}'
    "&start=2026-06-01T00:00:00Z&end=2026-06-15T00:00:00Z&step=60s'"
)


DISAGREE = "its metrics disagree about its use; query one of them alone"

Series = tuple[Moments, Numbers]
NOTHING: Series = (np.zeros(0, np.int64), np.zeros(0))


@dataclass
class _Gpu:
    """The series of one GPU by their metrics, and the use of the parts that MIG cut it into."""

    device: Device
    series: dict[str, list[Series]] = field(default_factory=dict)
    parts: dict[str, list[Series]] = field(default_factory=dict)
    is_cut: bool = False

    def of_all(self) -> Iterator[Series]:
        """Each of its series, those of one metric as one."""
        for series in (*self.series.values(), *self.parts.values()):
            yield _merged(series)

    def uses(self) -> dict[str, Series]:
        """Its use by each metric that has a number."""
        found = {metric: self.use(metric) for metric in USE}
        return {metric: series for metric, series in found.items() if len(series[0])}

    def use(self, metric: str | None) -> Series:
        """Its use by a metric; of one that is cut, that of its parts together."""
        if metric == ACTIVE and metric not in self.series and self.parts:
            parts = [_merged(part) for part in self.parts.values()]
            times = np.unique(np.concatenate([times for times, _ in parts]))
            total = np.zeros(len(times))
            for moments, values in parts:
                total[np.searchsorted(times, moments)] += values
            return times, np.minimum(total, 1.0)
        return _merged(self.series.get(metric or "", []))

    def power(self, metric: str | None) -> Series:
        """Its power by a metric."""
        return _merged(self.series.get(metric or "", []))

    def chosen(self) -> tuple[str | None, str | None, str | None]:
        """The metrics of its use and of its power, and why its use is in doubt, if it is."""
        power = next((metric for metric in POWER if len(self.power(metric)[0])), None)
        uses = self.uses()
        if self.is_cut:
            return (ACTIVE, power, None) if ACTIVE in uses else (None, power, CUT_BY_MIG)
        means = [float(values.mean()) for _, values in uses.values()]
        if means and max(means) - min(means) > AGREE:
            return next(iter(uses)), power, DISAGREE
        return next(iter(uses), None), power, None


def recognises(head: Head) -> bool:
    """Whether it is an answer of Prometheus, be it an error."""
    if not head.is_json:
        return False
    keys = head.keys
    answer = "resultType" in keys or {"status", "errorType"} <= keys
    return answer or ("metric" in keys and bool({"value", "values"} & keys))


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """One reading of all answers together.

    Raises ``ReadingError`` for an error of the interface, JSON that is cut off, series without the
    name of their metric and answers without use and power of a GPU.
    """
    gpus: dict[str, _Gpu] = {}
    names: dict[str, str] = {}
    losses = Losses()
    taken: dict[str, int] = {}
    others: dict[str, None] = {}
    total = sum(path.stat().st_size for path in paths)
    done = 0
    for path in paths:
        for labels, points in _series(path):
            metric = labels.get("__name__", "")
            _remember_name(labels, names)
            if metric in USE or metric in POWER:
                gpu = gpus.setdefault(_identity(labels), _Gpu(_device(labels)))
                taken[metric] = taken.get(metric, 0) + 1
                _take(gpu, labels, metric, _numbers(path, metric, points, losses))
            else:
                others[metric] = None
        done += path.stat().st_size
        asked.progress(done, total)
    if not taken:
        raise _without_metrics(paths[0], others)
    moments = [times for gpu in gpus.values() for times, _ in gpu.of_all() if len(times)]
    log = Log(min((int(times[0]) for times in moments), default=None), local=False)
    metrics: list[tuple[str, ...]] = []
    used: dict[str, None] = {}
    for gpu in gpus.values():
        use, power, doubt = gpu.chosen()
        used |= dict.fromkeys(metric for metric in (use if not doubt else None, power) if metric)
        if doubt == DISAGREE:
            metrics += [
                (gpu.device.label, metric, f"{values.mean() * 100:.4g} %")
                for metric, (_, values) in gpu.uses().items()
            ]
        device = replace(gpu.device, doubt=doubt, name=names.get(gpu.device.identity, ""))
        _add(log, device, gpu.use(use), gpu.power(power))
    found = reading(
        "Prometheus answer",
        log,
        paths,
        asked,
        used=sum(track.samples for track in log.tracks.values()),
        dropped=losses.dropped,
        remarks=list(_told(gpus, taken, used, others)),
        name_field="modelName",
    )
    if not metrics:
        return found
    table = Table("Metrics that disagree", (("GPU", "metric", "mean use"), *metrics))
    return replace(found, tables=(*found.tables, table))


def _told(
    gpus: Mapping[str, _Gpu],
    taken: Mapping[str, int],
    used: Mapping[str, None],
    others: Mapping[str, None],
) -> Iterator[str]:
    for metric in used:
        yield f"{'use' if metric in USE else 'power'} from the metric {metric}"
    spare = [metric for metric in taken if metric not in used]
    if used and spare:
        yield f"not taken beside them: {', '.join(spare)}"
    if any(others):
        yield f"metrics of something else: {short(', '.join(filter(None, others)))}"
    if sum(taken.values()) > sum(len(gpu.series) + len(gpu.parts) for gpu in gpus.values()):
        yield (
            f"{sum(taken.values())} series of {len(gpus)} GPUs: one that several pods share is "
            "counted once"
        )


def _add(log: Log, device: Device, use: Series, power: Series) -> None:
    """Take the samples of one GPU, those of one moment together."""
    times = np.union1d(use[0], power[0])
    columns = [np.full(len(times), np.nan) for _ in range(2)]
    for column, (moments, values) in zip(columns, (use, power), strict=True):
        column[np.searchsorted(times, moments)] = values
    log.add(device, times, *columns)


def _series(path: Path) -> Iterator[tuple[dict[str, str], list[Any]]]:
    """The labels of each series and its points. Raises ``ReadingError``."""
    place = Place(str(path))
    text = text_of(path)
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_json(path, text, error) from error
    if isinstance(answer, dict) and answer.get("status") == "error":
        kind, said = answer.get("errorType", "error"), answer.get("error", "")
        raise place.refused(
            f"an error of Prometheus: {kind}: {said}",
            "the answer to a query",
            f"mend the query and save its answer again, for example  {QUERY}",
        )
    data = answer.get("data", answer) if isinstance(answer, dict) else {"result": answer}
    result = data.get("result") if isinstance(data, dict) else None
    kind = data.get("resultType") if isinstance(data, dict) else None
    if not isinstance(result, list) or kind in ("scalar", "string"):
        raise place.refused(
            f"a result of the type {kind}" if kind else "no list of series",
            "data.result with series: a vector or a matrix",
            f"query the metrics themselves, for example  {QUERY}",
        )
    for n, series in enumerate(result):
        labels = series.get("metric") if isinstance(series, dict) else None
        if not isinstance(labels, dict):
            raise Place(str(path), None, f"data.result[{n}]").refused(
                short(json.dumps(series)), "an object with metric and values", "query again"
            )
        points = series.get("values", [series["value"]] if "value" in series else [])
        yield {str(name): str(label) for name, label in labels.items()}, points


def _no_json(path: Path, text: str, error: Exception) -> ReadingError:
    line = error.lineno if isinstance(error, json.JSONDecodeError) else None
    ends = isinstance(error, json.JSONDecodeError) and (
        error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
    )
    return Place(str(path), line).refused(
        "the file ends in the middle of its JSON" if ends else f"no JSON: {error}",
        "the whole answer of Prometheus",
        "save the answer again; a query over a shorter time gives a smaller one",
    )


def _without_metrics(path: Path, others: Mapping[str, None]) -> ReadingError:
    if "" in others:
        found = "series without the name of their metric, as a function such as avg() leaves them"
    else:
        found = f"the metrics {short(', '.join(others))}" if others else "an empty answer"
    return Place(str(path), None, "__name__").refused(
        found,
        f"one of {', '.join([*USE, *POWER])}",
        f"query the metrics themselves, for example  {QUERY}",
    )


def _label(labels: Mapping[str, str], *names: str) -> str:
    """The first of these labels, whatever its letters; empty if there is none."""
    plain = {name.casefold(): label for name, label in labels.items()}
    return next((plain[name] for name in names if plain.get(name)), "")


def _uuid(labels: Mapping[str, str]) -> str:
    return _label(labels, "uuid", "gpu_uuid").casefold()


def _identity(labels: Mapping[str, str]) -> str:
    """What tells a GPU from the others: its uuid, else its host and number, else all labels."""
    uuid = _uuid(labels)
    if uuid:
        return uuid
    number = _label(labels, "gpu", "index", "minor_number", "device", "gpu_index")
    if number:
        return f"{_label(labels, 'hostname', 'node', 'instance')}\n{number}"
    return json.dumps({name: label for name, label in labels.items() if name != "__name__"})


def _device(labels: Mapping[str, str]) -> Device:
    number = _label(labels, "gpu", "index", "minor_number", "device", "gpu_index")
    host = _label(labels, "hostname", "node", "instance")
    label = " on ".join(filter(None, (number, host))) if number else _label(labels, "uuid")
    return Device(
        identity=_identity(labels),
        label=label or _label(labels, "gpu_uuid") or "the GPU",
        name=_name(labels),
    )


def _name(labels: Mapping[str, str]) -> str:
    return _label(labels, "modelname", "gpu_name", "model", "gpu_model", "product_name", "name")


def _remember_name(labels: Mapping[str, str], names: dict[str, str]) -> None:
    name = _name(labels)
    if name:
        names.setdefault(_identity(labels), name)


def _numbers(path: Path, metric: str, points: list[Any], losses: Losses) -> Series:
    """The moments of a series in microseconds and its numbers; what is no number is left out."""
    try:
        times = np.array([float(moment) for moment, _ in points])
        values = np.array([float(text) for _, text in points])
    except (TypeError, ValueError) as error:
        raise Place(str(path), None, metric).refused(
            f"a point that is no pair of a time and a number ({error})",
            '[1772476205.73, "0"]',
            "save the answer of Prometheus as it came",
        ) from error
    factor, most = (USE[metric], 1.0) if metric in USE else (POWER[metric], MOST_WATTS)
    blank = np.zeros(len(values), bool)
    for low, high in BLANKS:
        blank |= (values >= low) & (values <= high)
    share = values * factor
    with np.errstate(invalid="ignore"):
        known = (share >= 0) & (share <= most)
    nothing = np.isnan(values)
    for why, rows in (
        (f"{metric} NaN", nothing),
        (f"{metric} blank (the card does not support it)", blank),
        (f"{metric} out of bounds", ~known & ~nothing & ~blank),
        ("a moment that is none", known & ~((times > 9e8) & (times < 4.1e9))),
    ):
        losses.count(why, int(rows.sum()))
    known &= (times > 9e8) & (times < 4.1e9)
    return np.round(times[known] * SECOND).astype(np.int64), share[known]


def _take(gpu: _Gpu, labels: Mapping[str, str], metric: str, numbers: Series) -> None:
    profile = _label(labels, "gpu_i_profile")
    if profile or _label(labels, "gpu_i_id"):
        gpu.is_cut = True
        found = _PARTS.search(profile.casefold())
        if metric == ACTIVE and found:
            slices = next(
                (n for name, n in SLICES.items() if name in _name(labels).casefold()), ALL_SLICES
            )
            times, values = numbers
            part = _label(labels, "gpu_i_id") + profile
            gpu.parts.setdefault(part, []).append((times, values * int(found[2]) / slices))
            return
        if metric in USE:
            return
    gpu.series.setdefault(metric, []).append(numbers)


def _merged(series: Sequence[Series]) -> Series:
    """Several series of one thing as one in the order of time; of one moment their mean."""
    if not series:
        return NOTHING
    times = np.concatenate([times for times, _ in series])
    values = np.concatenate([values for _, values in series])
    unique, place = np.unique(times, return_inverse=True)
    return unique, np.bincount(place, values, len(unique)) / np.bincount(place)


KIND = Kind("an answer of Prometheus (use and power of GPUs)", recognises, read)
