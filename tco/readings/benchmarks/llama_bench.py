"""Tests of ``llama-bench`` of llama.cpp, as CSV (``-o csv``) or JSON (``-o json``, ``-o jsonl``).

Every row is a test of one stream: ``pp`` reads ``n_prompt`` tokens, ``tg`` writes ``n_gen``,
``pg`` does both. It is no serving of many requests. The rows ``pp`` and ``tg`` of one setting make
a point together; times are added, never rates: a request of n_prompt and n_gen tokens takes
n_prompt/pp + n_gen/tg seconds. The rate of a ``pg`` row counts input and output, so its time is
taken. Columns change from version to version and are found by their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from tco.readings.benchmarks.throughput import Doubt, Rate, Run, counted, figure, reading_of
from tco.readings.benchmarks.throughput_bounds import Weights, weights_of
from tco.readings.reading import Asked, Dropped, Head, Kind, Reading, ReadingError
from tco.readings.texts.cells import Place, moment
from tco.readings.texts.json_objects import Record, is_json, records_of
from tco.readings.texts.spreadsheet import Sheet, raw_rows

TITLE = "llama-bench of llama.cpp"
NEEDED = ("n_prompt", "n_gen", "avg_ts")

_MEASURED = frozenset(
    {"n_prompt", "n_gen", "test_time", "avg_ns", "stddev_ns", "avg_ts", "stddev_ts"}
) | {"samples_ns", "samples_ts"}
DOUBTFUL = "about "
"""Stands before a name of the head that may be another's."""
SAME_RATE = 0.05
"""Share by which the rate of a row may differ from its tokens over its time."""

_NUMBERS = (*NEEDED, "avg_ns", "stddev_ts", "model_size", "model_n_params")
"""Columns whose cells are read as numbers."""

_READ = frozenset(_NUMBERS) | {
    *("build_commit", "gpu_info", "model_filename", "model_type", "test_time"),
    *("split_mode", "devices", "n_gpu_layers", "n_cpu_moe"),
}
"""Columns that a reading rests on."""

# what a cell looks like, by the name of its column, to find the name that has none
_DECIMALS = frozenset({"avg_ts", "stddev_ts", "tensor_split"})
_WORDS = frozenset({"cpu_info", "gpu_info", "backends", "model_filename", "model_type"}) | {
    *("type_k", "type_v", "split_mode", "devices", "tensor_buft_overrides", "test_time")
}
_FLAGS = frozenset({"n_batch", "n_ubatch", "n_threads", "poll", "n_gpu_layers", "n_cpu_moe"}) | {
    *("main_gpu", "no_kv_offload", "use_mmap", "use_direct_io", "embeddings", "no_op_offload"),
    *("no_host", "repack", "fit_target", "fit_min_ctx", "n_prompt", "n_gen", "n_depth"),
    *("avg_ns", "stddev_ns", "model_size", "model_n_params", "build_number"),
}


@dataclass(frozen=True)
class Row:
    """One test: tokens read and written, and tokens a second with their standard deviation."""

    record: Record
    read: float
    written: float
    rate: float
    deviation: float | None
    seconds: float | None

    @property
    def setting(self) -> tuple[tuple[str, str], ...]:
        """Everything but what was measured: rows of one setting belong together."""
        return tuple(
            sorted((k, str(v)) for k, v in self.record.values.items() if k not in _MEASURED)
        )


def recognises(head: Head) -> bool:
    """Whether it has the columns or keys of a test."""
    if head.is_json:
        return set(NEEDED) <= head.keys
    return set(NEEDED) <= {column.lstrip("\ufeff") for column in head.columns}


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """The points of all rows of the files.

    Raises `ReadingError` for rows with another number of cells than the head, and where no row
    measures writing.
    """
    rows: list[Row] = []
    faults: list[ReadingError] = []
    dropped: list[Dropped] = []
    of_heads: list[str] = []
    for path in paths:
        for record in _records(path, asked, dropped, of_heads):
            try:
                rows.append(_row(record))
            except ReadingError as fault:
                faults.append(fault)
    runs, remarks = _runs(rows)
    if not runs and rows:
        first = rows[0].record
        raise ReadingError(
            first.file,
            first.line,
            "n_gen",
            "rows that read only (pp), n_gen 0",
            "a row that writes (tg)",
            "run llama-bench with  -n 128  as well",
        )
    reading = reading_of(TITLE, paths, asked, runs, faults, [*of_heads, *remarks])
    return replace(
        reading,
        used=len(rows),
        rows_are="tests",
        dropped=(*dropped, *reading.dropped),
    )


KIND = Kind(TITLE, recognises, read)


# ---- the rows


def _records(
    path: Path, asked: Asked, dropped: list[Dropped], remarks: list[str]
) -> Iterator[Record]:
    if is_json(path):
        records, faults = records_of(path)
        if faults:
            raise faults[0]
        yield from records
        return
    columns = _columns(path)
    sheet = Sheet(path, asked, columns)
    for row in sheet.rows():
        values: dict[str, object] = dict(row.cells)
        for name in _NUMBERS:
            if name in row.cells:
                values[name] = sheet.number(row.cells[name], name, row.line)
        yield Record(str(path), row.line, values)
    for left in sheet.dropped:
        # the head itself, which has one cell more than the names that are taken from it
        rows = left.rows - (columns is not None and left.first_line == 1)
        dropped += [replace(left, rows=rows)] if rows else []
    if columns is not None:
        remarks.append(
            f"the head has {len(columns) + 1} names and the rows have {len(columns)} cells: "
            f"{', '.join(name for name in columns if name.startswith(DOUBTFUL))} are not read, "
            "the others stand where they are under any of them"
        )


def _columns(path: Path) -> list[str] | None:
    """The names of the cells where the head has one too many; None where each has its cell.

    The head has had names that no row had a cell for. Where what is read stands in the same cell
    whichever of the likely names is the one too many, the rest is read without those in doubt.
    Raises `ReadingError` where it does not.
    """
    head: list[str] = []
    first: tuple[int, list[str]] | None = None
    for line, cells in raw_rows(path, Asked()):
        if not any(cells):
            continue
        if not head:
            head = cells
        elif len(cells) == len(head):
            return None
        elif first is None:
            first = line, cells
    if first is None:
        return None
    line, cells = first
    names = _without_cells(head, cells)
    if names and not _READ & set(names):
        begin, end = head.index(names[0]), head.index(names[-1])
        doubtful = [f"{DOUBTFUL}{name}" for name in head[begin:end]]
        return [*head[:begin], *doubtful, *head[end + 1 :]]
    raise ReadingError(
        str(path),
        line,
        None,
        f"{len(cells)} cells under {len(head)} names"
        + (f"; the cell that is missing is likely that of {_one_of(names)}" if names else ""),
        "a cell for each name: with one too few nobody can say which is which",
        "the head and the rows are of different versions of llama-bench: take out the name that "
        "has no cell, or measure again and keep the whole output",
    )


def _one_of(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


def _without_cells(head: Sequence[str], cells: Sequence[str]) -> list[str]:
    """The names that may have no cell: without each alone, the cells fit the names."""
    if len(head) != len(cells) + 1:
        return []
    return [
        name
        for place, name in enumerate(head)
        if _fits(dict(zip([*head[:place], *head[place + 1 :]], cells, strict=True)))
    ]


def _fits(cells: dict[str, str]) -> bool:
    """Whether every cell looks as its name asks, and the tokens over the time give the rate."""
    if not all(_looks_like(name, cell) for name, cell in cells.items()):
        return False
    if not set(NEEDED) <= set(cells):
        return False
    tokens, rate = float(cells["n_prompt"]) + float(cells["n_gen"]), float(cells["avg_ts"])
    nanoseconds = float(cells.get("avg_ns", 0))
    return not nanoseconds or abs(tokens / nanoseconds * 1e9 - rate) <= SAME_RATE * rate


def _looks_like(name: str, cell: str) -> bool:
    number = cell.lstrip("+-").replace(".", "", 1)
    if name in _DECIMALS:
        return number.isdigit() and "." in cell
    if name in _WORDS:
        return not number.isdigit()
    if name in _FLAGS:
        return number.isdigit() and "." not in cell
    return True


def _row(record: Record) -> Row:
    read, written = record.number("n_prompt") or 0.0, record.number("n_gen") or 0.0
    rate, nanoseconds = record.number("avg_ts"), record.number("avg_ns")
    if not rate or not read + written:
        raise ReadingError(
            record.file,
            record.line,
            "avg_ts" if not rate else "n_prompt and n_gen",
            "no rate" if not rate else "0 and 0",
            "tokens, and tokens a second",
            "run the test again",
        )
    return Row(
        record,
        read,
        written,
        rate,
        record.number("stddev_ts"),
        nanoseconds / 1e9 if nanoseconds else None,
    )


# ---- the points


def _runs(rows: Sequence[Row]) -> tuple[list[Run], list[str]]:
    """A run for each pair of reading and writing of one setting, and for each row of both."""
    runs: list[Run] = []
    remarks: list[str] = []
    by_setting: dict[tuple[tuple[str, str], ...], list[Row]] = {}
    for row in rows:
        by_setting.setdefault(row.setting, []).append(row)
    lonely = 0
    for of_setting in by_setting.values():
        reading = [row for row in of_setting if not row.written]
        writing = [row for row in of_setting if not row.read]
        for write in writing:
            runs += [_together(read, write) for read in reading] or [_alone(write)]
        runs += [_both(row) for row in of_setting if row.read and row.written]
        lonely += len(reading) if not writing else 0
    if any(not row.written for row in rows) and any(not row.read for row in rows):
        remarks.append(
            "a request of n_prompt and n_gen tokens takes n_prompt/pp + n_gen/tg seconds: the rows "
            "pp and tg of one setting are one point"
        )
    if runs:
        remarks.append(
            "one stream, concurrency 1: a server that answers many at the same time writes more"
        )
    if lonely:
        remarks.append(
            f"{counted(lonely, 'row')} pp without a row tg of the same setting gave no point"
        )
    if len(by_setting) > 1:
        remarks.append(f"{len(by_setting)} settings of llama-bench")
    return runs, remarks


def _together(read: Row, write: Row) -> Run:
    """The point of a prompt read and an answer written after it."""
    taken = read.read / read.rate + write.written / write.rate
    run = _run(write, write.written / taken, read.read, write.written)
    return replace(
        run,
        also=(*run.also, *_by_time(read, run.output_rate)),
        note=f"prompt {_spread(read)} (pp{read.read:g}), generation {_spread(write)} "
        f"(tg{write.written:g})",
    )


def _alone(write: Row) -> Run:
    """The point of an answer written after no prompt."""
    run = _run(write, write.rate, 0.0, write.written)
    return replace(run, note=f"generation {_spread(write)} (tg{write.written:g}), without a prompt")


def _both(row: Row) -> Run:
    """The point of a row that reads and writes; its rate counts both, so that of output is less."""
    rate = row.rate * row.written / (row.read + row.written)
    run = _run(row, rate, row.read, row.written)
    return replace(
        run,
        note=f"{_spread(row)} of input and output together (pp{row.read:g}+tg{row.written:g})",
    )


def _spread(row: Row) -> str:
    deviation = f" ± {figure(row.deviation)}" if row.deviation is not None else ""
    return f"{figure(row.rate)}{deviation} tokens/s"


def _run(row: Row, rate: float, read: float, written: float) -> Run:
    record = row.record
    name = record.text("model_filename", "model_type")
    gpu, gpus = _gpus(record)
    commit = record.text("build_commit")
    kind = record.text("model_type")
    return Run(
        file=record.file,
        line=record.line,
        engine=" ".join(("llama-bench", commit) if commit else ("llama-bench",)),
        output_rate=rate,
        model=name.replace("\\", "/").rsplit("/", 1)[-1] if name else None,
        input_length=read,
        output_length=written,
        concurrency=1.0,
        also=_by_time(row, rate),
        weights=_weights(record, kind),
        gpu=gpu,
        gpus=gpus,
        tensor_parallel=gpus,
        day=_day(record),
        doubts=tuple(_not_all_on_gpu(record)),
    )


def _by_time(row: Row, rate: float) -> tuple[Rate, ...]:
    """The rate of the point by the time of the row, if that is not the rate that the row tells.

    The mean of rates is above the rate of the mean time, by the square of their relative spread.
    """
    if not row.seconds:
        return ()
    ratio = (row.read + row.written) / row.seconds / row.rate
    spread = (row.deviation or 0.0) / row.rate
    if abs(ratio - 1) <= 2 * spread**2:
        return ()
    return (Rate(rate * ratio, f"the tokens and avg_ns of line {row.record.line}"),)


def _gpus(record: Record) -> tuple[str | None, int | None]:
    """The GPU and how many of them the test used: several names with commas between."""
    names = [name.strip() for name in (record.text("gpu_info") or "").split(",") if name.strip()]
    if not names:
        return None, None
    if len(set(names)) > 1:
        raise ReadingError(
            record.file,
            record.line,
            "gpu_info",
            f'"{", ".join(names)}"',
            "GPUs of one kind: the throughput of a card is of that card",
            "measure with GPUs of one kind (CUDA_VISIBLE_DEVICES)",
        )
    if record.text("split_mode") == "none":
        return names[0], 1
    devices = record.text("devices") or "auto"
    return names[0], len(names) if devices == "auto" else len(devices.split("/"))


def _not_all_on_gpu(record: Record) -> Iterator[Doubt]:
    """What of the work the settings leave to the processor."""

    def setting(name: str) -> str:
        return str(record.values.get(name, "")).strip()

    if setting("n_gpu_layers") == "0" or setting("backends").casefold() in ("cpu", "blas"):
        yield Doubt("the processor did the work, not the GPU (n_gpu_layers, backends)", stops=True)
    if setting("n_cpu_moe") not in ("", "0"):
        many = setting("n_cpu_moe")
        yield Doubt(f"the experts of {many} layers ran on the processor (n_cpu_moe)")


def _weights(record: Record, kind: str | None) -> Weights | None:
    """What a token reads: the parameters and bytes of the file, of a mixture those of its name."""
    size, parameters = record.number("model_size"), record.number("model_n_params")
    named = weights_of(kind) if kind else None
    if not size or not parameters or named is None:
        return named
    bytes_per_parameter = size / parameters
    # the name rounds: 7B is 7.6
    dense = parameters / 1e9 < 1.5 * named.active_billion
    active = parameters / 1e9 if dense else named.active_billion
    how = f"{active * bytes_per_parameter:.4g} GB of weights a token, by the file"
    return Weights(active, bytes_per_parameter, how, named.certain)


def _day(record: Record) -> date | None:
    """The day of ``test_time``; one that is written otherwise is not needed."""
    try:
        found = moment(record.text("test_time"), Place(record.file, record.line, "test_time"))
    except ReadingError:
        return None
    return found.date() if found else None
