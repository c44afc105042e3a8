"""Scenarios to begin with, as text with comments."""

from __future__ import annotations

from importlib.resources import files

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
