"""Text in columns of a terminal, where Chinese characters take two places and accents none.

>>> width("双卡4090"), width("abc")
(8, 3)
>>> fill("双卡", 6) + "|", fill("7", 3, right=True)
('双卡  |', '  7')
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

LINE = 100


def width(text: str) -> int:
    """Places that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fill(text: str, places: int, *, right: bool = False) -> str:
    """A text with spaces up to so many places, after it or (``right``) before it."""
    spaces = " " * max(places - width(text), 0)
    return spaces + text if right else text + spaces


def wrap(text: str, *, first: str = "", rest: str = "", places: int = LINE) -> list[str]:
    """A text in lines of at most so many places; ``first`` and ``rest`` begin its lines.

    A word that is longer than a line is cut, as is text without spaces.

    >>> wrap("one two three", first="- ", rest="  ", places=9)
    ['- one two', '  three']
    >>> wrap("每月三千万", places=6)
    ['每月三', '千万']
    """
    lines: list[str] = []
    line, empty = first, True
    for word in re.findall(r"\S+", text):
        for piece in _pieces(word, places - max(width(first), width(rest))):
            if not empty and width(line) + 1 + width(piece) > places:
                lines.append(line)
                line, empty = rest, True
            line += piece if empty else f" {piece}"
            empty = False
    return [*lines, line] if line or not lines else lines


def _pieces(word: str, places: int) -> list[str]:
    if width(word) <= places:
        return [word]
    pieces, piece = [], ""
    for character in word:
        if piece and width(piece) + _width(character) > places:
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]


def table(rows: Sequence[Sequence[str]], *, left: int = 1, gap: str = "  ") -> list[str]:
    """Rows of cells in columns, the first ``left`` of them to the left, the others to the right."""
    columns = max(len(row) for row in rows)
    places = [max(width(row[n]) for row in rows if n < len(row)) for n in range(columns)]
    return [
        gap.join(fill(text, places[n], right=n >= left) for n, text in enumerate(row)).rstrip()
        for row in rows
    ]
