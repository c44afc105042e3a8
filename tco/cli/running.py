"""Commands that answer: ``tco run`` a scenario, ``tco ask`` without one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from tco.cli.group import FILE, SETTING, main

FORMATS = ("xlsx", "html", "csv", "json", "md", "png", "svg")
DRAWN = {"html", "png", "svg"}  # formats that need charts


def _read_formats(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    chosen = [part.strip().lower() for part in value.split(",") if part.strip()]
    unknown = [part for part in chosen if part not in FORMATS]
    if unknown or not chosen:
        found = f"{unknown[0]!r} is none" if unknown else "none is named"
        raise click.BadParameter(f"{found}; choose from {','.join(FORMATS)}")
    return tuple(chosen)


@main.command()
@FILE
@click.option(
    "directory",
    "-o",
    "--output",
    default="reports",
    show_default=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where to write; each scenario has a folder of its own in it.",
)
@SETTING
@click.option(
    "--only", multiple=True, metavar="NAME", help="Keep this option and the baseline. Repeatable."
)
@click.option(
    "--formats",
    default=",".join(FORMATS),
    show_default=True,
    callback=_read_formats,
    metavar="LIST",
    help="Which files to write.",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def run(
    file: str,
    directory: Path,
    settings: Sequence[str],
    only: Sequence[str],
    formats: Sequence[str],
    quiet: bool,
) -> None:
    """Answer a scenario and write its report.

    Prints the answer of FILE and writes workbook, chart and tables.
    """
    from tco.report.painter import Painter

    # started before NumPy is imported, so that matplotlib is imported meanwhile
    with Painter() if DRAWN & set(formats) else nullcontext() as painter:
        from tco import results
        from tco.analysis.findings import Findings
        from tco.analysis.summary import summarise
        from tco.report import folder, terminal

        result = results.run(file, settings=settings, only=only)
        findings = Findings(result)
        summary = summarise(result, findings)
        target, files, notes = folder.write_report(
            result, findings, summary, directory, formats, painter
        )
    if quiet:
        return
    written = f"{target.as_posix()}/: {'  '.join(files)}"
    click.echo(terminal.render(summary, written, _emphasis()))
    for note in notes:
        click.echo(f"note: {note}", err=True)


def _emphasis() -> Callable[[str], str]:
    """Bold on a terminal that may show it, else nothing."""
    if sys.stdout is None or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return str
    return lambda heading: click.style(heading, bold=True)


@main.command()
@click.option("--tokens", metavar="N", help="Output tokens a month, such as 30M.")
@click.option("input_tokens", "--input-tokens", metavar="N", help="Input tokens a month.")
@click.option(
    "own", "--own", multiple=True, metavar="CARDS", help='"2x RTX 4090@1599", a price each.'
)
@click.option(
    "rent", "--rent", multiple=True, metavar="PRICE", help='0.49 a GPU-hour, or "2x RTX 4090@0.49".'
)
@click.option("api", "--api", multiple=True, metavar="PRICE", help="15 a million, or gpt-4o@15.")
@click.option("--months", metavar="N", help="How many months.  [default: 36]")
@click.option("--electricity", metavar="PRICE", help="Price of a kWh.")
@click.option("--currency", metavar="CODE", help="The reporting currency.  [default: USD]")
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Keep the scenario.")
def ask(
    tokens: str | None,
    input_tokens: str | None,
    own: Sequence[str],
    rent: Sequence[str],
    api: Sequence[str],
    months: str | None,
    electricity: str | None,
    currency: str | None,
    save: Path | None,
) -> None:
    """Answer without a file.

    For example:  tco ask --tokens 30M --own "2x RTX 4090@1599" --rent 0.49 --api 15
    """
    from tco import results
    from tco.analysis.findings import Findings
    from tco.analysis.summary import summarise
    from tco.report import terminal
    from tco.scenario import asking, starter
    from tco.scenario.loading import read

    text = asking.ask(
        tokens=tokens,
        input_tokens=input_tokens,
        own=own,
        rent=rent,
        api=api,
        months=months,
        electricity=electricity,
        currency=currency,
    )
    result = results.run_scenario(read(text.encode(), str(save) if save else asking.ASKED))
    shown = starter.keep(text, save) if save else None
    summary = summarise(result, Findings(result))
    click.echo(terminal.render(summary, shown, _emphasis()))
