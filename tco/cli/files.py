"""Commands around a scenario file: check it, start one, describe its words, explain its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from tco.cli.group import FILE, SETTING, main


@main.command()
@FILE
@SETTING
def check(file: str, settings: Sequence[str]) -> None:
    """Validate the scenario FILE; write nothing."""
    from tco import results
    from tco.analysis.cases import changes_of
    from tco.report import listings

    result = results.run(file, settings=settings)
    changes_of(result)  # a case that changes more than numbers is a mistake too
    click.echo(listings.checked(result))


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "start",
    "--from",
    default="five-numbers",
    show_default=True,
    metavar="NAME",
    help="Which starter to write: five-numbers or midteam.",
)
def new(file: Path, start: str) -> None:
    """Write a scenario to start from into FILE."""
    from tco.scenario import starter

    if start not in starter.NAMES:
        raise click.BadParameter(
            f"{start!r} is no starter; choose from {', '.join(starter.NAMES)}",
            param_hint="'--from'",
        )
    shown = starter.keep(starter.starter(start), file)
    click.echo(f"wrote {shown}; change its numbers, then:  tco run {shown}")


@main.command()
def schema() -> None:
    """Print the JSON Schema of scenario files, for editors."""
    from tco.scenario import json_schema

    click.echo(json_schema.text(), nl=False)


@main.command()
def defaults() -> None:
    """List what is used when something is not given."""
    from tco.report import listings

    click.echo(listings.defaults())


@main.command()
@FILE
@click.argument("line", required=False)
@click.option("--option", metavar="NAME", help="The line of this option.")
@click.option(
    "--supply",
    type=click.IntRange(min=1),
    metavar="N",
    help="The line of the Nth supply of the option.",
)
@click.option("--against", metavar="NAME", help="The comparison with this option.")
@click.option(
    "--month", type=int, default=None, metavar="M", help="The month to show.  [default: 1]"
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="D",
    help="How many levels of lines to open.",
)
@SETTING
def explain(
    file: str,
    line: str | None,
    option: str | None,
    supply: int | None,
    against: str | None,
    month: int | None,
    depth: int,
    settings: Sequence[str],
) -> None:
    """Show how a line of the model is computed.

    Follows LINE down to the numbers of the scenario FILE; without LINE, lists the lines.
    """
    from tco import results
    from tco.report import explain as explanation

    result = results.run(file, settings=settings)
    asked = explanation.Asked(line, option, supply, against, month, depth)
    click.echo(explanation.render(result, asked))
