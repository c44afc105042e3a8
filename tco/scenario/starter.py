"""Scenarios to begin with, as text with comments."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from tco.errors import OutputError, printable

NAMES = ("five-numbers", "midteam")


def starter(name: str = "five-numbers") -> str:
    """The text of a starter; it loads as it is.

    Raises ``KeyError`` for a name that is not one of ``NAMES``.

    >>> starter().splitlines()[0]
    '# yaml-language-server: $schema=scenario.schema.json'
    """
    if name not in NAMES:
        raise KeyError(name)
    return (files("tco.scenario") / "starters" / f"{name}.yaml").read_text(encoding="utf-8")


def keep(text: str, file: Path) -> str:
    """Write a scenario into a new file; its name as it may be shown.

    Raises `OutputError` where there is one of that name already, or where none can be written.
    """
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError as fault:
        raise OutputError(str(file), "it exists already", "choose another name") from fault
    except OSError as fault:
        why = (fault.strerror or str(fault)).lower()
        raise OutputError(str(file), why, "choose a folder that exists") from fault
    return printable(str(file))
