"""The sheet of inputs: the file that a number was read from, and the age of a price."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from tco.analysis.files import MOST_LISTED
from tco.report.workbook import write_workbook
from tco.results import run
from tests.report.opened import LABEL, Sheet, opened
from tests.report.rules import AGE, ALLOWED, DATE, RULES, SOURCE, WHY

OFFER = "offers/=cmd|' -C calc'!A0.json"
FILE = Path(__file__).parents[1] / "cli/files/measured.yaml"
GPU, SHORT, LONG, OFFERS = (
    hashlib.sha256((FILE.parent / name).read_bytes()).hexdigest()[:12]
    for name in ("logs/gpu.csv", "runs/short.json", "runs/long.json", OFFER)
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("inputs") / "book.xlsx"
    write_workbook(run(FILE), path)
    return path


def inputs(path: Path) -> Sheet:
    return opened(path).sheets["Inputs"]


def row_of(sheet: Sheet, label: str) -> int:
    """The row of an input; one that cases change stands with them first."""
    return max(row for row in sheet.rows if sheet.text(row, LABEL) == label)


def test_the_workbook_holds_to_the_rules(written: Path) -> None:
    book = opened(written)
    assert {str(rule): found for rule in RULES if (found := list(rule.faults(book)))} == {}


def test_the_head_says_on_which_day_a_price_is_how_old(written: Path) -> None:
    sheet = inputs(written)
    heads = {column: sheet.text(5, column) for column in (SOURCE, DATE, AGE, WHY, ALLOWED)}
    assert heads == {
        SOURCE: "Source",
        DATE: "Date",
        AGE: "Days old on 2026-11-30",
        WHY: "Note",
        ALLOWED: "Allowed",
    }


@pytest.mark.parametrize(
    ("label", "days"),
    [
        ("Purchase price of a GPU, rtx-4090", 31),
        ("Rental price of a GPU-hour, median, rent", 14),
        ("API price of a million output tokens, api", 182),
        ("Exchange rate, CNY for 1 USD", 17),
        ("Electricity price", None),  # it has no date
        ("Output tokens a month", None),  # it is no price
        ("Months in a year", None),
    ],
)
def test_each_dated_price_has_its_age(written: Path, label: str, days: int | None) -> None:
    sheet = inputs(written)
    row = row_of(sheet, label)
    assert sheet.number(row, AGE) == days
    assert sheet.text(row, AGE) == ("-" if days is None else "")


@pytest.mark.parametrize(
    ("label", "source"),
    [
        (
            "Power of an idle GPU, rtx-4090",
            f"nvidia-smi log; read from ./logs/gpu.csv (SHA-256 {GPU})",
        ),
        ("Power of a busy GPU, rtx-4090", f"read from logs/gpu.csv (SHA-256 {GPU})"),
        (
            "Rental price of a GPU-hour, median, rent",
            f"vast.ai offers; read from {OFFER} (SHA-256 {OFFERS})",
        ),
        ("Purchase price of a GPU, rtx-4090", "a shop"),
        ("GPUs, own", "not stated"),
        ("Months in a year", "this program"),
        (
            "Decoding alone, output tokens a second of a GPU, rtx-4090",
            f"read from runs/short.json (SHA-256 {SHORT}) and runs/long.json (SHA-256 {LONG})",
        ),
    ],
)
def test_the_source_names_the_files(written: Path, label: str, source: str) -> None:
    sheet = inputs(written)
    assert sheet.text(row_of(sheet, label), SOURCE) == source


def test_the_load_stands_in_the_structure_with_its_file(written: Path) -> None:
    """The loads of a day have five levels: 1, 2, 4, 6 and 8."""
    sheet = inputs(written)
    said = sheet.text(row_of(sheet, "Load within a month"), 3)
    words = "24 loads, measured, from logs/gpu.csv to 2026-11-14"
    assert said == f"{words}, as 5 levels: see the table"


SPOKEN = """
name: spoken
as_of: 2026-11-30
demand: {output_tokens: 50 M}
options:
  b: {api: c, output_price: {value: 1, basis: quoted, as_of: 2027-01-02, files: FILES}}
"""


def of(tmp_path: Path, files: str, text: str = SPOKEN) -> Path:
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(text.replace("FILES", files), encoding="utf-8")
    write_workbook(run(scenario), tmp_path / "book.xlsx")
    return tmp_path / "book.xlsx"


@pytest.mark.parametrize("name", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "{=1+1}", "http://a.b/c"])
def test_a_file_name_stays_text(tmp_path: Path, name: str) -> None:
    book = opened(of(tmp_path, f"{{'{name}': {'ab' * 32}}}"))
    sheet = book.sheets["Inputs"]
    cell = sheet.cells[row_of(sheet, "API price of a million output tokens, b"), SOURCE]
    assert (cell.value, cell.formula) == (f"read from {name} (SHA-256 {'ab' * 6})", None)
    assert not any("<hyperlink" in part for part in book.parts.values())
    assert not any(name in str(cell.formula) for _, cell in book.formulas())


def test_of_many_files_the_first_are_named(tmp_path: Path) -> None:
    files = ", ".join(f"f{n}: {'ab' * 32}" for n in range(100))
    sheet = inputs(of(tmp_path, f"{{{files}}}"))
    source = sheet.text(row_of(sheet, "API price of a million output tokens, b"), SOURCE)
    assert source.count("SHA-256") == MOST_LISTED
    assert source.endswith("and 95 more")


def test_no_row_is_taller_than_excel_takes(tmp_path: Path) -> None:
    files = ", ".join(f"{'f' * 499}{n}: {'ab' * 32}" for n in range(5))
    sheet = inputs(of(tmp_path, f"{{{files}}}"))
    row = row_of(sheet, "API price of a million output tokens, b")
    found = re.search(rf'<row r="{row}"[^>]* ht="([0-9.]+)"', sheet.xml)
    assert found
    assert 300 < float(found[1]) <= 409


def test_a_price_of_a_later_day_has_no_age_yet(tmp_path: Path) -> None:
    """2027-01-02 is after 2026-11-30, from which ages are counted: a warning says so."""
    sheet = inputs(of(tmp_path, f"{{a: {'ab' * 32}}}"))
    assert sheet.number(row_of(sheet, "API price of a million output tokens, b"), AGE) == 0


def test_without_a_day_no_price_has_an_age(tmp_path: Path) -> None:
    text = SPOKEN.replace("as_of: 2026-11-30\n", "")
    sheet = inputs(of(tmp_path, f"{{a: {'ab' * 32}}}", text))
    assert sheet.text(5, AGE) == "Days old"
    assert sheet.text(row_of(sheet, "API price of a million output tokens, b"), AGE) == "-"
