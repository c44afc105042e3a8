"""How cells look: blue may be changed, green comes from another sheet, black is computed."""

from __future__ import annotations

from typing import Any

INPUT, FIXED, COMPUTED, LINKED, TEXT = "input", "fixed", "computed", "linked", "text"
HEADING, HEADER, TITLE, NOTE, ASSUMED = "heading", "header", "title", "note", "assumed"
BLUE, GREEN, GREY, BLACK = "#0000FF", "#007A33", "#595959", "#000000"

_KINDS: dict[str, dict[str, Any]] = {
    INPUT: {"font_color": BLUE, "bg_color": "#FFF9DB", "border": 4, "border_color": "#BFBFBF"},
    FIXED: {"font_color": GREY, "bg_color": "#EDEDED"},
    COMPUTED: {"font_color": BLACK},
    LINKED: {"font_color": GREEN},
    TEXT: {},
    HEADING: {"bold": True, "bg_color": "#DCE6F1"},
    HEADER: {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"},
    TITLE: {"bold": True, "font_size": 14},
    NOTE: {"font_color": GREY, "font_size": 9},
    ASSUMED: {"bg_color": "#FCE4D6"},
}
_BY_UNIT = {
    "0/1": "0",
    "GPUs": "0",
    "options": "0",
    "tokens": "#,##0",
    "tokens/month": "#,##0",
    "tokens/hour": "#,##0",
    "fraction": "0.0%",
    "fraction/year": "0.00%",
    "fraction/month": "0.0000%",
    "factor": "0.00000",
    "ratio": "0.0000",
    "month": "General",
    "months": "General",
}


def number_format(unit: str) -> str:
    """The number format of a unit; prices of small things get four decimals.

    >>> number_format("USD"), number_format("USD/kWh"), number_format("fraction")
    ('#,##0.00', '#,##0.0000', '0.0%')
    """
    if unit in _BY_UNIT:
        return _BY_UNIT[unit]
    above, _, below = unit.partition("/")
    # a price of one small thing: three letters of money over what is neither a time nor a card
    small = len(above) == 3 and above.isupper() and below not in ("", "month", "GPU")
    return "#,##0.0000" if small else "#,##0.00"


class Styles:
    """The formats of one workbook, each made once."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._made: dict[tuple[Any, ...], Any] = {}

    def __call__(self, kind: str, number: str = "", **more: Any) -> Any:
        """The format of a kind of cell, with a number format and whatever else."""
        key = (kind, number, *sorted(more.items()))
        if key not in self._made:
            properties = {**_KINDS[kind], **more}
            if number:
                properties["num_format"] = number
            self._made[key] = self._workbook.add_format(properties)
        return self._made[key]
