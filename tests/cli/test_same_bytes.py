"""The same scenario gives the same bytes in every file, wherever and however it is run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT

SETTINGS: tuple[dict[str, str], ...] = (
    {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0"},
    {"TZ": "Asia/Shanghai", "LC_ALL": "de_DE.UTF-8", "PYTHONHASHSEED": "12345", "COLUMNS": "40"},
)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("name", ["solo", "chinese"])
def test_two_runs_elsewhere_give_the_same_bytes(tmp_path: Path, name: str) -> None:
    written = []
    for n, setting in enumerate(SETTINGS):
        folder = tmp_path / ("a" * (n + 1)) / "under"
        folder.mkdir(parents=True)
        shutil.copy(ROOT / f"scenarios/{name}.yaml", folder / f"{name}.yaml")
        path = f"{name}.yaml" if n else str(folder / f"{name}.yaml")
        subprocess.run(
            [sys.executable, "-m", "tco", "run", path, "-o", f"out{n}", "--quiet"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **setting},
            check=True,
        )
        written.append(files(folder / f"out{n}"))
    one, two = written
    assert one.keys() == two.keys()
    # workbook, page, tables, and at least three charts in two formats
    assert {f"{name}/{file}" for file in (f"{name}.xlsx", "report.html", "result.json")} <= {*one}
    assert len(one) >= 5 + 2 * 3
    for file in one:
        assert one[file] == two[file], f"{file} differs"
