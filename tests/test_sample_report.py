"""The report that the repository holds is the one that `tco run scenarios/midteam.yaml` writes.

Compared by content, since the bytes of pictures and archives differ with the libraries' versions.
"""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tco.analysis.findings import Findings
from tco.analysis.summary import summarise
from tco.report.folder import write_report
from tco.results import run

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "reports" / "midteam"
CURE = "run  tco run scenarios/midteam.yaml  and commit reports/midteam"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        result = run("scenarios/midteam.yaml")
    findings = Findings(result)
    summary = summarise(result, findings)
    return write_report(result, findings, summary, tmp_path_factory.mktemp("reports"))[0]


def alike(one: Any, two: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(alike(one[key], two[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(two) and all(map(alike, one, two))
    if isinstance(one, float):
        return isinstance(two, (int, float)) and math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-6)
    return bool(one == two)


def test_the_same_files(fresh: Path) -> None:
    def files(folder: Path) -> set[str]:
        return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}

    assert files(fresh) == files(SAMPLE), CURE


def test_the_same_summary(fresh: Path) -> None:
    texts = [(folder / "summary.md").read_text(encoding="utf-8") for folder in (fresh, SAMPLE)]
    assert texts[0] == texts[1], CURE


def test_the_same_results(fresh: Path) -> None:
    one, two = (
        json.loads((f / "result.json").read_text(encoding="utf-8")) for f in (fresh, SAMPLE)
    )
    assert alike(one, two), CURE


def test_the_same_months(fresh: Path) -> None:
    tables = []
    for folder in (fresh, SAMPLE):
        with (folder / "monthly.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))[1:]
            tables.append([[*row[:5], float(row[5]), *row[6:]] for row in rows])
    assert alike(tables[0], tables[1]), CURE


def test_the_same_cells(fresh: Path) -> None:
    for values in (False, True):
        one, two = (
            openpyxl.load_workbook(folder / "midteam.xlsx", read_only=True, data_only=values)
            for folder in (fresh, SAMPLE)
        )
        assert one.sheetnames == two.sheetnames, CURE
        for sheet in one.sheetnames:
            rows = [
                [list(row) for row in book[sheet].iter_rows(values_only=True)]
                for book in (one, two)
            ]
            assert alike(rows[0], rows[1]), f"{sheet}: {CURE}"
