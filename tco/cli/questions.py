"""Commands that ask one question of a scenario: where it flips, how sure it is, why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from tco.cli.group import AGAINST, FILE, OF, SETTING, main

# written here so that `tco --help` loads nothing but click; a test holds them to the defaults
DRAWS, SEED = 10_000, 1


@main.command()
@FILE
@click.option(
    "--over",
    required=True,
    metavar="WHAT",
    help="What is varied: month, tokens, utilisation, hardware-price, rental-price, token-price, "
    "electricity-price, residual, staff-hours, addressable, speed-up, discount-rate, or the path "
    "of a number.",
)
@OF
@AGAINST
@click.option("between", "--range", metavar="A:B", help="Where to look, such as 0:200M or 5%:80%.")
@SETTING
def breakeven(
    file: str,
    over: str,
    of: str | None,
    against: str | None,
    between: str | None,
    settings: Sequence[str],
) -> None:
    """Find where one option becomes cheaper than another.

    Gives every crossing of the two costs of FILE as one number is varied, the first and the last.
    """
    from tco import results
    from tco.report import break_even as listing

    result = results.run(file, settings=settings)
    click.echo(listing.answered(result, over, of, against, between))


@main.command()
@FILE
@OF
@AGAINST
@SETTING
def sensitivity(file: str, of: str | None, against: str | None, settings: Sequence[str]) -> None:
    """Show which inputs move the answer, and at which value it turns.

    Takes each input of FILE that has a low and a high to both, the others as given.
    """
    from tco import results
    from tco.analysis import sensitivity as moving
    from tco.report import sensitivity as listing

    result = results.run(file, settings=settings)
    click.echo(listing.render(result, moving.tornado(result, of, against)))


@main.command()
@FILE
@click.option(
    "--draws",
    type=int,
    default=DRAWS,
    show_default=True,
    metavar="N",
    help="How many draws.",
)
@click.option("--seed", type=int, default=SEED, show_default=True, metavar="S", help="Which draws.")
@SETTING
def simulate(file: str, draws: int, seed: int, settings: Sequence[str]) -> None:
    """Show how likely each option is the cheapest.

    Draws the inputs of FILE that have a low and a high, all options at the same draws.
    """
    from tco import results
    from tco.analysis import uncertainty
    from tco.report import simulation as listing

    result = results.run(file, settings=settings)
    click.echo(listing.render(result, uncertainty.simulate(result, draws, seed)))


@main.command()
@FILE
@OF
@AGAINST
@SETTING
def attribute(file: str, of: str | None, against: str | None, settings: Sequence[str]) -> None:
    """Show what makes one option dearer than another, line by line.

    The parts of FILE's two costs a month, and their differences, which add up to the gap.
    """
    from tco import results
    from tco.report import attribution as listing

    result = results.run(file, settings=settings)
    click.echo(listing.answered(result, of, against))


@main.command()
@FILE
@click.argument("kind", metavar="KIND")
@OF
@AGAINST
@click.option("--x", metavar="WHAT", help="What a map varies to the right.")
@click.option("--y", metavar="WHAT", help="What a map varies upwards.")
@click.option("range_x", "--range-x", metavar="A:B", help="From where to where, to the right.")
@click.option("range_y", "--range-y", metavar="A:B", help="From where to where, upwards.")
@click.option(
    "directory",
    "-o",
    "--output",
    default="plots",
    show_default=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where to write, into the folder of the scenario.",
)
@click.option(
    "--formats", default="png,svg", show_default=True, metavar="LIST", help="png, svg or both."
)
@SETTING
def plot(
    file: str,
    kind: str,
    of: str | None,
    against: str | None,
    x: str | None,
    y: str | None,
    range_x: str | None,
    range_y: str | None,
    directory: Path,
    formats: str,
    settings: Sequence[str],
) -> None:
    """Draw one chart of FILE.

    KIND is cumulative-cost, tokens, utilisation, map, tornado, waterfall or monthly.
    """
    from tco import results
    from tco.analysis.findings import Findings
    from tco.report import plots

    result = results.run(file, settings=settings)
    chosen = tuple(part.strip() for part in formats.split(",") if part.strip())
    files, notes = plots.plot(
        result, Findings(result), kind, of, against, x, y, range_x, range_y, directory, chosen
    )
    click.echo(f"wrote {'  '.join(files)}")
    for note in notes:
        click.echo(f"note: {note}", err=True)


@main.command()
@FILE
@click.option("--option", metavar="NAME", help="Only this option: one that owns first.")
@SETTING
def mix(file: str, option: str | None, settings: Sequence[str]) -> None:
    """Find how many cards to own before the rest is sent on.

    Takes every chain of FILE that owns first and goes on with rented cards or an API.
    """
    from tco import results
    from tco.analysis import mix as mixing
    from tco.report import mix as listing

    result = results.run(file, settings=settings)
    click.echo(listing.render(result, mixing.mixes(result, option)))
