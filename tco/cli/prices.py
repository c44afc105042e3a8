"""The command ``tco prices``: what is known of prices, of which day and from whom."""

from __future__ import annotations

from datetime import date

import click

from tco.cli.group import main


def _read_day(_: click.Context, __: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        if len(value) != len("2026-11-30"):
            raise ValueError
        return date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is no day; write for example 2026-11-30") from None


@main.command()
@click.argument("name", required=False)
@click.option(
    "day",
    "--at",
    callback=_read_day,
    metavar="DATE",
    help="What was known on that day, and how old it was then.  [default: the newest day there is]",
)
@click.option("--history", is_flag=True, help="Every price by its day, none left out.")
def prices(name: str | None, day: date | None, history: bool) -> None:
    """Show the prices that are known, with their day, their age and their source.

    NAME is a GPU (h100-sxm), a model (gpt-4o, openai/gpt-4o), a server, a price of electricity or
    a currency; without it, all but the models are listed. Nothing is fetched.
    """
    from tco.report import prices as listing

    if name is None:
        click.echo(listing.history(None, day) if history else listing.everything(day))
        return
    found = listing.named(name)
    if found is None:
        click.echo(listing.model(name, day, every=history))
    else:
        click.echo(listing.history(found, day) if history else listing.thing(found, day))
