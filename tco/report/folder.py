"""Writes the files of a run into a folder: all of them, or none.

Everything is made in a temporary folder beside the report and moved into place file by file at the
end, so a run that is killed or fails leaves the report of an earlier run as it was.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tco.analysis.summary import Summary
from tco.errors import OutputError, is_control
from tco.report.curves import cumulative_cost
from tco.report.markdown import summary_markdown
from tco.report.monthly import monthly_csv
from tco.report.painter import Painter
from tco.report.record import result_json
from tco.results import Result

FORMATS = ("xlsx", "csv", "json", "md", "png", "svg")
CHART = "charts/cumulative-cost"
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
            return write_report(result, summary, directory, formats, painter)
    name = folder_name(result.scenario.path)
    target = directory / name
    makers = _makers(result, summary, name, formats, painter)
    notes = write_all(target, makers, painter.finish)
    return target, [file for file in _order(name) if file in makers], notes


def _order(name: str) -> list[str]:
    """The files of a report as they are listed."""
    return [
        f"{name}.xlsx",
        "monthly.csv",
        "result.json",
        "summary.md",
        f"{CHART}.png",
        f"{CHART}.svg",
    ]


def _makers(
    result: Result, summary: Summary, name: str, formats: Sequence[str], painter: Painter
) -> Mapping[str, Write]:
    """What writes each file, by its path in the folder; charts first, as they are drawn beside."""

    def workbook(path: Path) -> None:
        from tco.report.workbook import write_workbook

        write_workbook(result, path)

    def chart(path: Path) -> None:
        painter.draw(cumulative_cost(result, summary), path)

    picture = next((f"{CHART}.{ending}" for ending in ("png", "svg") if ending in formats), None)
    every: dict[str, tuple[str, Write]] = {
        "png": (f"{CHART}.png", chart),
        "svg": (f"{CHART}.svg", chart),
        "xlsx": (f"{name}.xlsx", workbook),
        "csv": ("monthly.csv", lambda path: _write(path, monthly_csv(result))),
        "json": ("result.json", lambda path: _write(path, result_json(result))),
        "md": ("summary.md", lambda path: _write(path, summary_markdown(summary, picture))),
    }
    return dict(every[kind] for kind in every if kind in formats)


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def write_all(
    target: Path, makers: Mapping[str, Write], finish: Callable[[], list[str]] = list
) -> list[str]:
    """Write each file to ``target``; all or none, and no trace of a failure.

    ``finish`` waits for files that are still being made; what it gives is given on.
    """
    with _plain_messages(target), _removed_on_failure(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as temporary:
            made = Path(temporary)
            for file, write in makers.items():
                (made / file).parent.mkdir(parents=True, exist_ok=True)
                write(made / file)
            notes = finish()
            for file in makers:
                _refuse_open(target / file)
            for file in makers:
                (target / file).parent.mkdir(parents=True, exist_ok=True)
            for file in makers:
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
