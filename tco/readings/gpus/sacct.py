"""Job accounting of Slurm, ``sacct -P`` or ``-p``: how many hours GPUs were allocated to jobs.

An hour that a job holds a GPU is an hour allocated, busy or not. The steps of a job repeat its
resources, and the typed count of GPUs stands beside the untyped one: each job counts once, and each
of its GPUs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from tco.prices.gpu_names import gpu_of
from tco.readings.gpus.log_text import Losses
from tco.readings.reading import (
    WEEK,
    Asked,
    Entry,
    Head,
    Kind,
    Period,
    Reading,
    ReadingError,
    Source,
    Table,
)
from tco.readings.texts.cells import YEARS, is_missing, short
from tco.readings.texts.spreadsheet import lines_of
from tco.readings.weeks import left_over, shortfall, significant, weekly

COMMAND = (
    "sacct -a -X -P -S 2026-06-01 -E 2026-06-15 "
    "--format=JobIDRaw,JobName,State,Start,End,ElapsedRaw,AllocTRES"
)
FAILED = ("FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT", "BOOT_FAIL", "DEADLINE")
STATES = {
    *FAILED,
    *("COMPLETED", "CANCELLED", "RUNNING", "PENDING", "REQUEUED", "RESIZING", "REVOKED"),
    *(
        "SUSPENDED",
        "PREEMPTED",
        "COMPLETING",
        "CONFIGURING",
        "STAGE_OUT",
        "STOPPED",
        "SPECIAL_EXIT",
    ),
}
HOUR = timedelta(hours=1)
WEEK_HOURS = 168
ROWS_LOOKED_AT = 200
UNTYPED = ""

_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "job": ("jobidraw", "jobid"),
    "name": ("jobname",),
    "state": ("state",),
    "elapsed": ("elapsedraw", "elapsed"),
    "gpus": ("alloctres", "allocgres", "reqtres", "reqgres"),
    "start": ("start",),
    "end": ("end",),
    "submit": ("submit",),
}
_ELAPSED = re.compile(r"(?:(?:(\d+)-)?(\d+):)?(\d{1,2}):(\d\d)(?:\.\d+)?")
_JOB = re.compile(r"\d+(?:[_+]\S+)?(?:\.\S+)?")
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_GPU = re.compile(r"(?:gres/)?gpu(?::([^=:,(]+))?[=:](\d+)")


@dataclass(frozen=True)
class Job:
    """A job: its state, the seconds it ran, its GPUs by type, and when it began if that is told."""

    state: str
    seconds: float
    gpus: Mapping[str, int]
    begin: datetime | None

    @property
    def gpu_hours(self) -> float:
        """Hours that GPUs were allocated to it, over all of them."""
        return sum(self.gpus.values()) * self.seconds / 3600


def gpus_of(text: str) -> dict[str, int]:
    """The GPUs by their type, from AllocTRES or AllocGRES; of no type under an empty name.

    The untyped count is that of all, the typed ones are among them.

    >>> gpus_of("billing=8,cpu=8,gres/gpu:h200=1,gres/gpu=1,mem=180G,node=1")
    {'h200': 1}
    >>> gpus_of("gres/gpu:a100=2,gres/gpu=3"), gpus_of("gpu:4"), gpus_of("cpu=8,mem=4G")
    ({'a100': 2, '': 1}, {'': 4}, {})
    """
    typed: dict[str, int] = {}
    untyped = 0
    for part in text.split(","):
        match = _GPU.match(part.strip())
        if match is None:
            continue
        kind, count = match[1] or UNTYPED, int(match[2])
        if kind == UNTYPED:
            untyped = max(untyped, count)
        else:
            typed[kind] = typed.get(kind, 0) + count
    rest = untyped - sum(typed.values())
    found = {**typed, **({UNTYPED: rest} if rest > 0 else {})}
    return {kind: count for kind, count in found.items() if count}


LONGEST_JOB = 10 * 366 * 86_400
"""Seconds that no job takes."""


def seconds_of(text: str) -> float | None:
    """The seconds of ``ElapsedRaw`` or of ``Elapsed``; None for another text.

    >>> seconds_of("1-02:03:04"), seconds_of("02:03:04"), seconds_of("03:04"), seconds_of("184")
    (93784.0, 7384.0, 184.0, 184.0)
    """
    if len(text) > len(str(LONGEST_JOB)) + 3:
        return None
    if text.isdecimal():
        return float(text) if float(text) < LONGEST_JOB else None
    match = _ELAPSED.fullmatch(text)
    if match is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)


def recognises(head: Head) -> bool:
    """Whether it is a table of jobs: with its names, without them, or cut to columns."""
    if head.is_json or not head.lines:
        return False
    line = head.lines[0].lstrip("\ufeff").casefold()
    names = set(re.split(r"[|\s]+", line))
    if names & {"jobid", "jobidraw"} and names & {
        *("state", "elapsed", "elapsedraw", "alloctres", "reqtres", "allocgres"),
        *("exitcode", "partition"),
    }:
        return True
    cells = head.lines[0].split("|")
    return (
        len(cells) > 2
        and any(_JOB.fullmatch(cell) for cell in cells)
        and (any(_state(cell) in STATES for cell in cells) or any("node=" in c for c in cells))
    )


def _state(cell: str) -> str:
    """``CANCELLED by 50001`` is CANCELLED; a state cut to its column ends with a plus sign."""
    return cell.split(" ")[0].rstrip("+")


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """One reading of all tables together; a job that stands in several counts once.

    Raises ``ReadingError`` for a table without names whose cells do not tell what they are, for
    columns cut to their width, and for a table without GPUs, state or elapsed time.
    """
    losses = Losses()
    jobs: dict[tuple[str, ...], Job] = {}
    total = sum(path.stat().st_size for path in paths)
    done = 0
    tables = []
    for path in paths:

        def progress(bytes_read: int, _: int, before: int = done) -> None:
            asked.progress(before + bytes_read, total)

        table = _Table(path)
        for line, key, job in table.jobs(Asked(progress=progress), losses):
            if key in jobs:
                losses.add("a job that stands above already", [line])
            else:
                jobs[key] = job
        tables.append(table)
        done += path.stat().st_size
    asked.progress(total, total)
    if not jobs:
        raise ReadingError(
            str(paths[0]),
            None,
            None,
            "no job that held a GPU"
            + "".join(f"; {d.rows:,} with {d.why}" for d in losses.dropped),
            "jobs with gres/gpu among their allocated resources",
            f"check that Slurm accounts for gres/gpu, or list the jobs of others too:  {COMMAND}",
        )
    return _reading(tables, list(jobs.values()), losses, asked)


class _Table:
    """A table of jobs: where its columns stand.

    Raises ``ReadingError`` for a table whose columns are not known or cut to their width.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.has_head = True
        begin = islice(lines_of(path, Asked()), ROWS_LOOKED_AT)
        lines = [line.strip("\ufeff\r\n") for line in begin]
        lines = [line for line in lines if line.strip()]
        head = lines[0] if lines else ""
        if "|" not in head:
            raise self.refused(
                f"columns cut to their width: {short(head.strip())}" if head else "an empty file",
                "whole cells with | between them",
            )
        names = head.casefold().split("|")
        self.ends_with_bar = names[-1] == ""
        if self.ends_with_bar:
            names.pop()
        self.names = tuple(name.strip() for name in names)
        self.places = {
            what: next(self.names.index(name) for name in known if name in self.names)
            for what, known in _COLUMNS.items()
            if set(known) & set(self.names)
        }
        if "job" not in self.places:
            self.has_head = False
            rows = [self.cells(line) for line in lines]
            self.places = _by_shape([row for row in rows if row and len(row) == len(names)])
            if not self.places:
                raise self.refused(
                    f"rows without the names of the columns: {short(head)}",
                    "a first line of names, since the cells alone do not tell what they are",
                )
        for what in ("elapsed", "gpus"):
            if what not in self.places:
                raise self.refused(
                    f"the columns {short(', '.join(self.names))}",
                    f"a column {' or '.join(_TITLES[what])}",
                )
        self.gpus_from = self.names[self.places["gpus"]] if self.has_head else "alloctres"

    def refused(self, found: str, expected: str) -> ReadingError:
        """A table that cannot be read."""
        return ReadingError(
            str(self.path), 1, None, found, expected, f"list the jobs again with  {COMMAND}"
        )

    def cells(self, line: str) -> list[str] | None:
        """The cells of a row, a | in the name of the job left in it; None if they do not fit."""
        cells = line.split("|")
        if self.ends_with_bar and cells[-1] == "":
            cells.pop()
        more = len(cells) - len(self.names)
        name = self.places.get("name") if hasattr(self, "places") else None
        if more > 0 and name is not None:
            cells[name : name + more + 1] = ["|".join(cells[name : name + more + 1])]
        return cells if len(cells) == len(self.names) else None

    def jobs(self, asked: Asked, losses: Losses) -> Iterator[tuple[int, tuple[str, ...], Job]]:
        """Each job that held a GPU, with its line and what tells it from the others."""
        for line, text in enumerate(lines_of(self.path, asked), 1):
            text = text.strip("\ufeff\r\n")
            if not text.strip() or (self.has_head and line == 1):
                continue
            cells = self.cells(text)
            if cells is None:
                losses.add("another number of cells than names", [line])
                continue
            of = {what: cells[place].strip() for what, place in self.places.items()}
            if self.has_head and tuple(cell.strip().casefold() for cell in cells) == self.names:
                losses.add("the head again", [line])
            elif "." in of["job"] or of.get("name") in ("batch", "extern"):
                losses.add("a step of a job, which repeats its resources", [line])
            else:
                job = _job(of)
                if isinstance(job, str):
                    losses.add(job, [line])
                else:
                    told = (of["job"], of.get("start", ""), of["elapsed"], of.get("state", ""))
                    yield line, told, job


_TITLES = {"elapsed": ("ElapsedRaw", "Elapsed"), "gpus": ("AllocTRES", "ReqTRES")}


def _job(of: Mapping[str, str]) -> Job | str:
    """The job of a row, or why it is none that counts."""
    gpus = gpus_of(of["gpus"])
    if not gpus:
        return "no GPU"
    seconds = seconds_of(of["elapsed"])
    if seconds is None:
        return f"no elapsed time: {short(of['elapsed']) or 'empty'}"
    begin = next((of[what] for what in ("start", "submit") if what in of), "")
    return Job(_state(of.get("state", "")) or "not stated", seconds, gpus, _moment(begin))


def _moment(text: str) -> datetime | None:
    """A time of Slurm, local to the cluster; None for Unknown, None or another text."""
    if is_missing(text) or not _STAMP.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.year in YEARS else None


def _by_shape(rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Where the columns of a table without names stand; empty if that is not certain.

    The elapsed time is known by its being the time between two moments, in every row that has both.
    """
    if not rows:
        return {}
    columns = list(zip(*rows, strict=True))

    def those(fits: Callable[[str], bool]) -> list[int]:
        return [n for n, cells in enumerate(columns) if all(fits(cell.strip()) for cell in cells)]

    jobs = those(lambda cell: bool(_JOB.fullmatch(cell)))
    states = those(lambda cell: _state(cell) in STATES)
    gpus = those(lambda cell: "=" in cell or not cell)
    gpus = [n for n in gpus if any("gres/gpu" in cell for cell in columns[n])]
    stamps = those(lambda cell: is_missing(cell) or cell == "Unknown" or _moment(cell) is not None)
    stamps = [n for n in stamps if any(_moment(cell) for cell in columns[n])]
    found = [
        (begin, end, n)
        for begin in stamps
        for end in stamps
        for n in range(len(columns))
        if n not in (begin, end) and _is_between(columns[begin], columns[end], columns[n])
    ]
    if not jobs or jobs[0] != 0 or len(states) != 1 or len(gpus) != 1 or len(found) != 1:
        return {}
    ((begin, end, elapsed),) = found
    return {
        "job": 0,
        "state": states[0],
        "gpus": gpus[0],
        "start": begin,
        "end": end,
        "elapsed": elapsed,
    }


def _is_between(begins: Sequence[str], ends: Sequence[str], cells: Sequence[str]) -> bool:
    pairs = [
        ((end - begin).total_seconds(), seconds_of(cell.strip()))
        for begin, end, cell in zip(map(_moment, begins), map(_moment, ends), cells, strict=True)
        if begin is not None and end is not None
    ]
    return any(length for length, _ in pairs) and all(
        length == seconds for length, seconds in pairs
    )


def _reading(
    tables: Sequence[_Table], jobs: Sequence[Job], losses: Losses, asked: Asked
) -> Reading:
    told = [
        "GPU-hours allocated to jobs, whether the GPUs were busy or not; a log of nvidia-smi or "
        "Prometheus tells how busy they were"
    ]
    warned: list[str] = []
    if any(table.gpus_from.startswith("req") for table in tables):
        warned.append("ReqTRES is what was asked for: AllocTRES is what was given")
    counted, subject, one_card = _card(tables, jobs, asked, told, warned)
    period = _period(counted)
    hours = sum(job.gpu_hours for job in counted)
    failed = sum(job.gpu_hours for job in counted if job.state in FAILED)
    if hours:
        told.append(
            f"{failed / hours * 100:.4g} % of the GPU-hours went to jobs that failed "
            f"({', '.join(sorted({job.state for job in counted} & set(FAILED))) or 'none'})"
        )
    entries: list[Entry] = []
    if period is None or not period.length:
        warned.append(
            "no Start in the file, so the hours of a month are not known and none are written: "
            f"{COMMAND}"
        )
    else:
        if all("start" not in table.places for table in tables):
            told.append("no Start: each job is taken to begin when it was submitted")
        warned.extend(filter(None, [shortfall(period)]))
        told.extend(filter(None, [left_over(period)]))
        if one_card:
            entries.append(_hours_entry(counted, period, subject, asked.hours_per_month))
    return Reading(
        kind="Slurm sacct",
        sources=tuple(Source.of(table.path) for table in tables),
        used=len(counted),
        rows_are="jobs",
        dropped=losses.dropped,
        period=period,
        entries=tuple(entries),
        tables=(_by_state(counted), _by_card(counted)),
        remarks=tuple(told),
        warnings=tuple(warned),
    )


def _card(
    tables: Sequence[_Table],
    jobs: Sequence[Job],
    asked: Asked,
    told: list[str],
    warned: list[str],
) -> tuple[list[Job], str, bool]:
    """The jobs that are counted, the card they ran on, and whether it is one card."""
    kinds = sorted({kind for job in jobs for kind in job.gpus})
    typed = {kind: gpu_of(kind) for kind in kinds if kind != UNTYPED}
    if asked.gpu:
        wanted = gpu_of(asked.gpu)
        fits = {wanted.name, *wanted.ambiguous}
        mine = {
            kind
            for kind in kinds
            if kind == UNTYPED or fits & {typed[kind].name, *typed[kind].ambiguous}
        }
        others = [kind for kind in kinds if kind not in mine]
        if not mine:
            raise ReadingError(
                str(tables[0].path),
                None,
                tables[0].gpus_from,
                f"GPUs of the type {', '.join(others)}",
                f"{asked.gpu}, as --gpu asks",
                "leave --gpu out, or give the jobs of that card",
            )
        if others:
            told.append(f"left out, as --gpu {asked.gpu} asks: {', '.join(others)}")
        return [part for job in jobs if (part := _only(job, mine)).gpus], asked.gpu, True
    if len(kinds) > 1:
        names = ", ".join(kind or "no type stated" for kind in kinds)
        warned.append(
            f"hours of several types of GPU ({names}) are not one number, and none is written: "
            "add --gpu and one of them"
        )
        return list(jobs), "", False
    found = typed.get(kinds[0])
    if found is None or found.ambiguous:
        may_be = (
            f"{kinds[0]} may be {' or '.join(found.ambiguous)}"
            if found
            else ("the file does not name the GPU")
        )
        warned.append(f"{may_be}: add --gpu and the name of the card")
        return list(jobs), "", True
    return list(jobs), found.card or found.name, True


def _only(job: Job, kinds: set[str]) -> Job:
    return replace(job, gpus={kind: n for kind, n in job.gpus.items() if kind in kinds})


def _period(jobs: Iterable[Job]) -> Period | None:
    spans = [
        (job.begin, job.begin + timedelta(seconds=job.seconds))
        for job in jobs
        if job.begin is not None
    ]
    if not spans:
        return None
    return Period(
        min(begin for begin, _ in spans),
        max(end for _, end in spans),
        "local time of the cluster, the zone is not stated",
    )


def by_week(jobs: Iterable[Job], period: Period) -> dict[int, float]:
    """GPU-hours of each whole week of a period; a job that spans two weeks counts in both."""
    weeks = dict.fromkeys(range(period.whole_weeks), 0.0)
    for job in jobs:
        if job.begin is None:
            continue
        begin = job.begin - period.begin
        end = begin + timedelta(seconds=job.seconds)
        for week in range(begin // WEEK, end // WEEK + 1):
            within = min(end, (week + 1) * WEEK) - max(begin, week * WEEK)
            if week in weeks:
                weeks[week] += sum(job.gpus.values()) * (within / HOUR)
    return weeks


def _hours_entry(
    jobs: Sequence[Job], period: Period, subject: str, hours_per_month: float
) -> Entry:
    months = {week: n * hours_per_month / WEEK_HOURS for week, n in by_week(jobs, period).items()}
    spread = weekly(period, months)
    if spread is not None:
        content = spread.content
    else:
        dated = sum(job.gpu_hours for job in jobs if job.begin is not None)
        content = {"value": significant(dated * hours_per_month / (period.length / HOUR))}
    shown = f"{content['value']:,.6g} GPU-hours a month"
    if spread is not None:
        shown += f" ({content['low']:,.6g} to {content['high']:,.6g})"
    return Entry(
        "demand",
        subject,
        "gpu_hours",
        content,
        "GPU-hours allocated a month",
        shown,
        note=spread.note if spread else None,
        day=period.last_day,
    )


def _by_state(jobs: Sequence[Job]) -> Table:
    total = sum(job.gpu_hours for job in jobs)
    states: dict[str, list[Job]] = {}
    for job in jobs:
        states.setdefault(job.state, []).append(job)
    rows = [
        (
            state,
            f"{len(those):,}",
            f"{(hours := sum(job.gpu_hours for job in those)):,.2f}",
            f"{hours / total * 100:.4g} %" if total else "-",
        )
        for state, those in sorted(states.items())
    ]
    rows.append(("all", f"{len(jobs):,}", f"{total:,.2f}", "100 %" if total else "-"))
    return Table("GPU-hours by state", (("state", "jobs", "GPU-hours", "share"), *rows))


def _by_card(jobs: Sequence[Job]) -> Table:
    cards: dict[str, float] = {}
    for job in jobs:
        for kind, count in job.gpus.items():
            cards[kind] = cards.get(kind, 0.0) + count * job.seconds / 3600
    rows = [(kind or "no type stated", f"{hours:,.2f}") for kind, hours in sorted(cards.items())]
    return Table("GPU-hours by type of GPU", (("type", "GPU-hours"), *rows))


KIND = Kind("a table of jobs from Slurm sacct (GPU-hours allocated)", recognises, read)
