"""Writes the files of a run into a folder: all of them, or none.

Everything is made in a temporary folder beside the report and moved into place file by file at the
end, so a run that is killed or fails leaves the report of an earlier run as it was.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tco.analysis.findings import Findings
from tco.analysis.summary import Summary
from tco.errors import OutputError, is_control
from tco.report.drawing import Drawing
from tco.report.markdown import summary_markdown
from tco.report.monthly import monthly_csv
from tco.report.page import Picture, page
from tco.report.painter import Painter
from tco.report.plots import chart_requests
from tco.report.record import result_json
from tco.results import Result

FORMATS = ("xlsx", "html", "csv", "json", "md", "png", "svg")
PICTURES = ("png", "svg")
LONGEST_NAME = 150  # bytes, so that an ending and a prefix still fit in the 255 of a file name
RESERVED = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)),
}
Write = Callable[[Path], None]


def folder_name(scenario: str) -> str:
    """A name for the folder of a scenario file that every file system takes.

    >>> folder_name("scenarios/midteam.yaml"), folder_name("a:b?.yaml"), folder_name("..yaml")
    ('midteam', 'a_b_', 'scenario')
    >>> folder_name("con.yaml"), folder_name("客服.yaml")
    ('_con', '客服')
    """
    stem = Path(scenario).stem
    kept = "".join("_" if is_control(c) or c in '<>:"/\\|?*' else c for c in stem)
    cut = kept.encode()[:LONGEST_NAME].decode(errors="ignore").strip(". ")
    return f"_{cut}" if cut.lower().partition(".")[0] in RESERVED else cut or "scenario"


def write_report(
    result: Result,
    findings: Findings,
    summary: Summary,
    directory: Path,
    formats: Sequence[str] = FORMATS,
    painter: Painter | None = None,
) -> tuple[Path, list[str], list[str]]:
    """Write the files of a result into ``directory``/<name of the scenario file>.

    Gives that folder, the files in it, and notes such as a font that is missing. ``painter`` draws
    the charts, if one is started already. Raises `OutputError` when the files cannot be written;
    nothing is changed then.
    """
    if painter is None:
        with Painter() as painter:
            return write_report(result, findings, summary, directory, formats, painter)
    name = folder_name(result.scenario.path)
    target = directory / name
    charts: Mapping[str, Drawing] = {}
    if {"html", "png", "svg"} & set(formats):
        charts = _charts(result, findings, summary)
    drawn = _drawn(charts, formats, painter)
    makers = drawn | _makers(result, findings, summary, name, formats, charts)
    last = {"report.html": _page(result, findings, summary, charts)} if "html" in formats else {}
    kept = [file for file in _order(name, charts, formats) if file in {*makers, *last}]
    notes = write_all(target, makers, finish=painter.finish, last=last, kept=kept)
    return target, kept, notes


def _charts(result: Result, findings: Findings, summary: Summary) -> Mapping[str, Drawing]:
    """What each chart shows, by its kind."""
    return dict(chart_requests(result, findings, summary))


def _order(name: str, charts: Iterable[str], formats: Sequence[str]) -> list[str]:
    """The files of a report as they are listed."""
    return [
        f"{name}.xlsx",
        "report.html",
        "monthly.csv",
        "result.json",
        "summary.md",
        *(f"charts/{kind}.{end}" for kind in charts for end in PICTURES if end in formats),
    ]


def _drawn(
    charts: Mapping[str, Drawing], formats: Sequence[str], painter: Painter
) -> dict[str, Write]:
    """What draws each chart: the formats asked for, and SVG for the page."""
    endings = [end for end in PICTURES if end in formats or (end == "svg" and "html" in formats)]

    def chart(drawing: Drawing) -> Write:
        return lambda path: painter.draw(drawing, path)

    return {
        f"charts/{kind}.{end}": chart(drawing)
        for kind, drawing in charts.items()
        for end in endings
    }


def _makers(
    result: Result,
    findings: Findings,
    summary: Summary,
    name: str,
    formats: Sequence[str],
    charts: Iterable[str],
) -> dict[str, Write]:
    """What writes each file that no other is needed for, by its path in the folder."""

    def workbook(path: Path) -> None:
        from tco.report.workbook import write_workbook

        write_workbook(result, path, findings)

    first = next(iter(charts), None)
    picture = next((f"charts/{first}.{end}" for end in PICTURES if end in formats), None)
    every: dict[str, tuple[str, Write]] = {
        "xlsx": (f"{name}.xlsx", workbook),
        "csv": ("monthly.csv", lambda path: _write(path, monthly_csv(result))),
        "json": ("result.json", lambda path: _write(path, result_json(result, findings))),
        "md": ("summary.md", lambda path: _write(path, summary_markdown(summary, picture))),
    }
    return dict(every[kind] for kind in every if kind in formats)


def _page(
    result: Result, findings: Findings, summary: Summary, charts: Mapping[str, Drawing]
) -> Write:
    """What writes the page, from the charts that are drawn beside it by then."""

    def write(path: Path) -> None:
        pictures = [
            Picture(kind, drawing.title, drawing.headline, path.parent / f"charts/{kind}.svg")
            for kind, drawing in charts.items()
        ]
        _write(path, page(result, findings, summary, pictures))

    return write


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def write_all(
    target: Path,
    makers: Mapping[str, Write],
    *,
    finish: Callable[[], list[str]] = list,
    last: Mapping[str, Write] | None = None,
    kept: Sequence[str] | None = None,
) -> list[str]:
    """Write each file to ``target``; all or none, and no trace of a failure.

    ``finish`` waits for files that are still being made; what it gives is given on. ``last`` writes
    the files that are made from those; of all files, only the ``kept`` are moved to ``target``.
    """
    with _plain_messages(target), _removed_on_failure(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as temporary:
            made = Path(temporary)
            for file, write in makers.items():
                (made / file).parent.mkdir(parents=True, exist_ok=True)
                write(made / file)
            notes = finish()
            for file, write in (last or {}).items():
                write(made / file)
            files = [*makers, *(last or {})] if kept is None else kept
            for file in files:
                _refuse_open(target / file)
            for file in files:
                (target / file).parent.mkdir(parents=True, exist_ok=True)
            for file in files:
                os.replace(made / file, target / file)
    return notes


def _refuse_open(path: Path) -> None:
    """Refuse a file that another program holds, before any file of the report is replaced."""
    locks = (path.with_name(f".~lock.{path.name}#"), path.with_name(f"~${path.name}"))
    for lock in locks:
        if lock.exists():
            raise OutputError(
                str(path),
                "it is open in another program",
                f"close it there, or write elsewhere with  -o DIR; if nothing has it open, "
                f"delete {lock.name} beside it",
            )
    if path.is_dir():
        raise OutputError(str(path), "a folder has this name", "rename or move that folder")
    if path.exists():
        with path.open("r+b"):  # Windows refuses this for a file that is open in Excel
            pass


@contextmanager
def _removed_on_failure(target: Path) -> Iterator[None]:
    """Take back the folders that a failed run would leave empty."""
    absent = [folder for folder in (target, *target.parents) if not folder.exists()]
    try:
        yield
    except BaseException:
        if target in absent:
            shutil.rmtree(target, ignore_errors=True)
        for folder in absent:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        raise


@contextmanager
def _plain_messages(target: Path) -> Iterator[None]:
    """Turn what the system says into what a user can do."""
    elsewhere = "write elsewhere with  -o DIR"
    try:
        yield
    except PermissionError as fault:
        what = str(fault.filename or target)
        raise OutputError(
            what,
            "it may not be changed, or another program has it open",
            f"close it there, or {elsewhere}",
        ) from fault
    except (FileExistsError, NotADirectoryError) as fault:
        raise OutputError(
            str(target), f"{_file_in_the_way(target)} is a file, not a folder", elsewhere
        ) from fault
    except OSError as fault:
        raise OutputError(str(target), (fault.strerror or str(fault)).lower(), elsewhere) from fault


def _file_in_the_way(target: Path) -> Path:
    return next((f for f in (target, *target.parents) if f.exists() and not f.is_dir()), target)
