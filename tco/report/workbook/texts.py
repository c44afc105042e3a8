"""Names and descriptions as they stand in cells: one line, and no wider than there is room for."""

from __future__ import annotations

from tco.engine.structure import BoundOption
from tco.report.columns import width
from tco.results import Result
from tco.scenario.schema import Api, Own, Rent

LONGEST = 32000  # a cell holds 32,767 characters
NAME_WIDTH = 44


def fitted(text: str, room: int) -> str:
    """The text on one line, cut to a width with an ellipsis.

    >>> fitted("own two cards", 8), fitted("自购 双卡", 6)
    ('own two…', '自购…')
    """
    line = " ".join(text.split())
    if width(line) <= room:
        return line
    kept, used = 0, 0
    while used + width(line[kept]) <= room - 1:
        used += width(line[kept])
        kept += 1
    return line[:kept].rstrip() + "…"


def lines_of(texts: list[str], room: int, gap: str = "   ") -> list[str]:
    """Texts side by side, in as few lines as hold them.

    >>> lines_of(["one", "two", "three"], 10, gap=", ")
    ['one, two', 'three']
    """
    lines: list[str] = []
    for text in texts:
        joined = f"{lines[-1]}{gap}{text}" if lines else text
        if lines and width(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(fitted(text, room))
    return lines


def cell_text(text: str) -> str:
    """A text of any length, cut to what a cell can hold."""
    return text if len(text) <= LONGEST else text[:LONGEST] + " … (cut here)"


def option_texts(result: Result) -> dict[str, str]:
    """The options' names, cut to the room that a line of the answer has."""
    found: dict[str, str] = {}
    for option in result.model.options:
        name = fitted(option.name, NAME_WIDTH)
        found[option.name] = name if name not in found.values() else f"{name} ({option.number})"
    return found


def described(given: Own | Rent | Api) -> str:
    """A supply in words: ``2 x rtx-4090, bought``."""
    if isinstance(given, Api):
        provider = f" of {given.provider}" if given.provider else ""
        return f"API {given.api}{provider}"
    if isinstance(given, Own):
        return f"GPUs bought: {given.own}"
    if given.billed == "needed":
        return f"GPUs rented: {given.rent}, held and paid while needed"
    return f"GPUs rented: {given.rent}, every hour {given.billed} is paid"


def chain(option: BoundOption, result: Result) -> str:
    """An option's supplies in words."""
    supplies = result.scenario.options[option.name].supplies
    return ", then ".join(described(supply) for supply in supplies)
