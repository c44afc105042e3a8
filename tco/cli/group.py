"""The group of commands, and the options that several of them take."""

from __future__ import annotations

import errno
import gc
import os
import sys
from typing import Any

import click

from tco import __version__


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
OF = click.option("--of", metavar="NAME", help="The option asked about.  [default: the answer's]")
AGAINST = click.option(
    "--against", metavar="NAME", help="The option it is set against.  [default: the baseline]"
)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tco")
def main() -> None:
    """Buy GPUs, rent them, or call an API: total cost of ownership, month by month."""
