"""The command ``tco``: reads its arguments, calls, prints. No arithmetic and no wording of results.

Everything but click is imported inside the commands, so that ``tco --help`` answers at once.
"""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from tco import __version__

FORMATS = ("xlsx", "csv", "json", "md", "png", "svg")
# written here so that `tco --help` loads nothing but click; a test holds them to the defaults
PRECISIONS = ("fp16", "bf16", "fp8", "int8", "int4", "awq", "gptq")


class Commands(click.Group):
    """The group of commands: what the user can put right ends as a message, with exit code 1."""

    def invoke(self, context: click.Context) -> Any:
        """Run a command; a `TcoError` becomes its message on stderr."""
        for stream in (sys.stdout, sys.stderr):
            # a terminal that cannot show a character shows its escape instead of failing
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        # a command is short and keeps what it makes: looking for garbage is a fifth of its time
        collecting = gc.isenabled()
        gc.disable()
        try:
            returned = super().invoke(context)
            sys.stdout.flush()
            return returned
        except click.ClickException:
            raise
        except OSError as fault:
            if fault.errno != errno.ENOSPC:
                raise
            click.echo("what is printed cannot be written: no space is left", err=True)
            os._exit(1)  # what waits to be printed would fail once more
        except Exception as fault:
            from tco.errors import TcoError

            if not isinstance(fault, TcoError):
                raise
            click.echo(str(fault), err=True)
            context.exit(1)
        finally:
            if collecting:
                gc.enable()


SETTING = click.option(
    "settings",
    "--set",
    multiple=True,
    metavar="PATH=VALUE",
    help="Change a value of the scenario first, for example demand.output_tokens=20M. Repeatable.",
)
FILE = click.argument("file", type=click.Path())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tco")
def main() -> None:
    """Buy GPUs, rent them, or call an API: total cost of ownership, month by month."""


def _read_formats(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    chosen = [part.strip().lower() for part in value.split(",") if part.strip()]
    unknown = [part for part in chosen if part not in FORMATS]
    if unknown or not chosen:
        found = f"{unknown[0]!r} is none of them" if unknown else "none is named"
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
    with Painter() if {"png", "svg"} & set(formats) else nullcontext() as painter:
        from tco import results
        from tco.analysis.summary import summarise
        from tco.report import folder, terminal

        result = results.run(file, settings=settings, only=only)
        summary = summarise(result)
        target, files, notes = folder.write_report(result, summary, directory, formats, painter)
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
@FILE
@SETTING
def check(file: str, settings: Sequence[str]) -> None:
    """Validate the scenario FILE; write nothing."""
    from tco import results
    from tco.report import listings

    click.echo(listings.checked(results.run(file, settings=settings)))


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
    from tco.errors import OutputError, printable
    from tco.scenario import starter

    if start not in starter.NAMES:
        raise click.BadParameter(
            f"{start!r} is no starter; choose from {', '.join(starter.NAMES)}",
            param_hint="'--from'",
        )
    content = starter.starter(start)
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(content)
    except FileExistsError as fault:
        raise OutputError(str(file), "it exists already", "choose another name") from fault
    except OSError as fault:
        why = (fault.strerror or str(fault)).lower()
        raise OutputError(str(file), why, "choose a folder that exists") from fault
    shown = printable(str(file))
    click.echo(f"wrote {shown}; change its numbers, then:  tco run {shown}")


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


def _read_billions(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?) ?([MBT])", value.strip(), re.IGNORECASE)
    billions = float(found[1]) * {"M": 1e-3, "B": 1.0, "T": 1e3}[found[2].upper()] if found else 0
    if not billions:
        raise click.BadParameter(f"{value!r} is no number of parameters; write 8B or 350M")
    return billions


@main.command()
@click.argument("model", required=False)
@click.option(
    "--precision",
    type=click.Choice(PRECISIONS, case_sensitive=False),
    default="fp16",
    show_default=True,
    help="What the weights are held in.",
)
@click.option(
    "--context",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help="Tokens of each sequence.  [default: 8192, or the model's longest]",
)
@click.option(
    "--sequences",
    type=click.IntRange(1, 10**6),
    default=1,
    show_default=True,
    metavar="S",
    help="Sequences at once.",
)
@click.option("cards", "--card", multiple=True, metavar="NAME", help="Only this card. Repeatable.")
@click.option(
    "--parameters",
    callback=_read_billions,
    metavar="8B",
    help="Describe a model in place of MODEL, with this and the next four.",
)
@click.option("--layers", type=click.IntRange(1, 10**4), metavar="N", help="Its layers.")
@click.option("--heads", type=click.IntRange(1, 10**4), metavar="N", help="Its query heads.")
@click.option("--kv-heads", type=click.IntRange(1, 10**4), metavar="N", help="Its KV heads.")
@click.option("--head-dim", type=click.IntRange(1, 10**4), metavar="N", help="Values of a head.")
@click.option(
    "--active",
    callback=_read_billions,
    metavar="3B",
    help="Parameters that one token reads, of a mixture.  [default: all]",
)
@click.option(
    "--workload",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="Which card for a kind of work, and why; without a name, lists them.",
)
def fit(
    model: str | None,
    precision: str,
    context: int | None,
    sequences: int,
    cards: Sequence[str],
    parameters: float | None,
    layers: int | None,
    heads: int | None,
    kv_heads: int | None,
    head_dim: int | None,
    active: float | None,
    workload: str | None,
) -> None:
    """Ask which cards hold a model, and how many of them.

    MODEL is a known one (llama-3-70b); any other is described by options. Instead of a model,
    --workload asks for a kind of work.
    """
    from tco.analysis import fit as fitting
    from tco.prices import cards as known_cards
    from tco.prices import models
    from tco.report import fit as listing

    shape = {"layers": layers, "heads": heads, "kv_heads": kv_heads, "head_dim": head_dim}
    described = {"parameters": parameters, **shape, "active": active}
    given = [f"--{name.replace('_', '-')}" for name, value in described.items() if value]
    if workload is not None:
        if model or given or cards:
            raise click.UsageError("ask about a model or about a workload, not both")
        chosen = listing.chosen(workload)
        if chosen is None:
            raise click.BadParameter(listing.unknown_workload(workload), param_hint="'--workload'")
        click.echo(chosen)
        return
    if model and given:
        raise click.UsageError(f"give MODEL or describe one, not both: {given[0]} is not needed")
    if model:
        found = models.model(model)
        if found is None:
            raise click.BadParameter(listing.unknown_model(model), param_hint="'MODEL'")
    else:
        missing = [name for name, value in described.items() if not value and name != "active"]
        if missing:
            start = f"{given[0]} is given, but not" if given else "name a MODEL, or describe one:"
            lacking = ", ".join(f"--{name.replace('_', '-')}" for name in missing)
            raise click.UsageError(f"{start} {lacking}\nfor example:  {listing.DESCRIBE}")
        # nothing is missing, which the type checker cannot see
        assert parameters is not None
        assert layers is not None
        assert heads is not None
        assert kv_heads is not None
        assert head_dim is not None
        if heads % kv_heads:
            raise click.UsageError(
                f"{heads} query heads cannot share {kv_heads} KV heads: "
                "--heads must be a multiple of --kv-heads"
            )
        if active and active > parameters:
            raise click.UsageError("--active cannot be more than --parameters")
        found = models.LanguageModel(
            name="described",
            title="A model",
            parameters_billion=parameters,
            active_billion=active or parameters,
            layers=layers,
            heads=heads,
            kv_heads=kv_heads,
            head_dim=head_dim,
        )
    asked_cards = []
    for name in cards or known_cards.names():
        card = known_cards.card(name.lower())
        if card is None:
            raise click.BadParameter(listing.unknown_card(name), param_hint="'--card'")
        asked_cards.append(card)
    tokens = context or min(fitting.USUAL_CONTEXT, found.longest_context or fitting.USUAL_CONTEXT)
    question = fitting.Question(found, precision.lower(), tokens, sequences)
    click.echo(listing.question(question, fitting.fits(question, asked_cards)))


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
