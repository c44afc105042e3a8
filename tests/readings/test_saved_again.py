"""Tables of every kind as a spreadsheet saves them again: the numbers stay the same."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tco.readings.reading import Asked, Reading
from tco.readings.recognition import read_all
from tests.readings.test_bad_files import TABLES

ASKED = Asked(gpu="rtx-4090", gpus=1, tensor_parallel=1)
# dmon is cut to columns and sacct divided by bars: no spreadsheet opens them as tables
NAMES = [name for name in TABLES if name not in ("dmon", "sacct")]
NO_END = "its last row has no end of line"

Rows = list[list[str]]


def rows_of(text: str) -> Rows:
    return list(csv.reader(io.StringIO(text), skipinitialspace=True))


def saved(rows: Rows, separator: str = ",", end: str = "\r\n", *, quoted: bool = False) -> str:
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=separator, lineterminator=end, quoting=quoting).writerows(rows)
    return out.getvalue()


def with_commas(rows: Rows) -> Rows:
    """Cells that are numbers, with their unit if they have one, with a decimal comma."""
    number = re.compile(r"(-?(?:\d+|\d{1,3}(?:,\d{3})+))\.(\d+)((?: [%W])?)")
    return [
        [
            f"{match[1].replace(',', '.')},{match[2]}{match[3]}"
            if (match := number.fullmatch(cell))
            else cell
            for cell in row
        ]
        for row in rows
    ]


def padded(rows: Rows) -> Rows:
    """Every row as wide as the widest, rows of blanks behind them, as a sheet that is saved."""
    most = max(len(row) for row in rows)
    return [row + [""] * (most - len(row)) for row in rows] + [[""] * most] * 3


WAYS: dict[str, Callable[[Rows], bytes]] = {
    "CSV": lambda rows: saved(rows).encode(),
    "CSV UTF-8 of Excel": lambda rows: saved(padded(rows)).encode("utf-8-sig"),
    "all quoted": lambda rows: saved(rows, quoted=True).encode(),
    "semicolons": lambda rows: saved(rows, ";").encode("utf-8-sig"),
    "semicolons and decimal commas": lambda rows: saved(with_commas(rows), ";").encode(),
    "decimal commas, all quoted": lambda rows: saved(with_commas(rows), quoted=True).encode(),
    "padded, decimal commas": lambda rows: saved(padded(with_commas(rows)), ";").encode(),
    "sep line": lambda rows: ("sep=;\r\n" + saved(with_commas(rows), ";")).encode(),
    "Unicode text of Excel": lambda rows: saved(rows, "\t").encode("utf-16"),
    "no last end of line": lambda rows: saved(rows, end="\n").rstrip("\n").encode(),
}


def read(content: bytes, folder: Path) -> Reading:
    path = folder / "a.csv"
    path.write_bytes(content)
    (reading,) = read_all([path], ASKED).readings
    return reading


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_a_table_that_is_saved_again_says_the_same(tmp_path: Path, name: str, way: str) -> None:
    before = read(TABLES[name].encode(), tmp_path)
    after = read(WAYS[way](rows_of(TABLES[name])), tmp_path)
    cut = [text for text in after.warnings if NO_END in text]
    assert len(cut) == (way == "no last end of line")
    # a line of its own for the separator puts the rows one line further down
    assert [re.sub(r"line \d+", "line n", part) for part in parts(after)] == [
        re.sub(r"line \d+", "line n", part) for part in parts(before)
    ]
    assert before.entries or name == "openai_costs"


def parts(reading: Reading) -> list[str]:
    return [
        *map(repr, reading.entries),
        *map(repr, reading.tables),
        *(text for text in reading.warnings if NO_END not in text),
        f"{reading.used} {reading.period}",
    ]
