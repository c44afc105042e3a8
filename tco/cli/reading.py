"""The command ``tco read``: files that people hold, read into numbers of a scenario."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import click

from tco.cli.group import main

LONG_BYTES = 100_000_000  # a file that takes more than a moment


def _named(_: click.Context, __: click.Parameter, values: Sequence[str]) -> tuple[Path, ...]:
    """The files; an empty name is that of no file, though the library takes it for this folder."""
    if "" in values:
        raise click.BadParameter("an empty name; name a file or a folder, . for this one")
    return tuple(Path(value) for value in values)


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", callback=_named)
@click.option(
    "--gpu", metavar="NAME", help="The card that the files are of, where they do not say."
)
@click.option(
    "--gpus", type=click.IntRange(min=1), metavar="N", help="Cards that were measured together."
)
@click.option(
    "tensor_parallel",
    "--tp",
    type=click.IntRange(min=1),
    metavar="T",
    help="Cards that held one copy of the model.",
)
@click.option(
    "as_of",
    "--as-of",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="The day that files without a date are of.",
)
@click.option(
    "into",
    "--into",
    metavar="FILE[:PATH]",
    help="Write the numbers into this scenario, or begin it; PATH names the place in it.",
)
def read(
    files: Sequence[Path],
    gpu: str | None,
    gpus: int | None,
    tensor_parallel: int | None,
    as_of: datetime | None,
    into: str | None,
) -> None:
    """Read logs, benchmark results, usage exports and price lists.

    Each FILE is recognised by its content; of a folder every file is read.
    """
    from tco import results
    from tco.readings import recognition
    from tco.readings.into import hours_per_month, write
    from tco.readings.reading import Asked
    from tco.report import readings as report

    asked = Asked(gpu, gpus, tensor_parallel, hours_per_month(into), _progress())
    found = recognition.read_all(files, asked)
    day = as_of.date() if as_of else None
    written = write(found.readings, into, day, results.run_scenario).told() if into else ()
    click.echo(report.shown(found.readings, not_read=found.not_read, written=written), nl=False)


def _progress() -> Callable[[int, int], None]:
    """What tells on stderr how far a long file has been read."""
    terminal = sys.stderr is not None and sys.stderr.isatty()
    said = {"percent": 0, "at": time.monotonic()}

    def tell(done: int, total: int) -> None:
        percent = int(100 * done / total) if total else 100
        now = time.monotonic()
        if done < said["percent"] * total / 100:  # another file
            said["percent"] = 0
        step, pause = (1, 0.2) if terminal else (10, 0)
        if total < LONG_BYTES or percent < said["percent"] + step or now < said["at"] + pause:
            return
        said["percent"], said["at"] = percent, now
        line = f"read {percent} % of {total / 1e6:,.0f} MB"
        click.echo(f"\r{line}" if terminal else line, err=True, nl=not terminal or percent >= 100)

    return tell
