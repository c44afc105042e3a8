"""Fonts that can draw the names of a chart, Chinese among them."""

from __future__ import annotations

from pathlib import Path

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

LATIN = "DejaVu Sans"
CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
    "Droid Sans Fallback",
    "Arial Unicode MS",
)
FONT_FILES = (
    "notosanscjk",
    "notosanssc",
    "sourcehansans",
    "wqy",
    "pingfang",
    "msyh",
    "simhei",
    "droidsansfallback",
)
MISSING_FONT = (
    "the charts show boxes for names that no installed font can draw; install one, on Debian and "
    "Ubuntu:  apt install fonts-noto-cjk"
)


def fonts_for(characters: set[str]) -> tuple[list[str], list[str]]:
    """Fonts that draw the characters, in order of preference, and a note when none can."""
    manager = font_manager.fontManager
    missing = {ord(c) for c in characters if c != "\n"} - _characters(font_manager.findfont(LATIN))
    if not missing:
        return [LATIN], []
    known = {entry.name: entry.fname for entry in manager.ttflist}
    for family in (name for name in CHINESE_FONTS if name in known):
        if missing <= _characters(known[family]):
            return [LATIN, family], []
    for file in sorted(font_manager.findSystemFonts()):
        # installed after matplotlib made its list of fonts
        if Path(file).name.lower().startswith(FONT_FILES):
            manager.addfont(file)
            if missing <= _characters(file):
                return [LATIN, font_manager.FontProperties(fname=file).get_name()], []
    return [LATIN], [MISSING_FONT]


_read: dict[str, set[int]] = {}  # the characters of each font file looked into, for the next chart


def _characters(file: str) -> set[int]:
    if file not in _read:
        _read[file] = set(FT2Font(file).get_charmap())
    return _read[file]
