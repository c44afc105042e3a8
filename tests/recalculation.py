"""Recalculates workbooks with spreadsheet engines that know nothing of this project.

Two engines: formualizer, which pip installs, and LibreOffice, which is asked for when it is there.
Both would keep a value that stands cached beside a formula, so what is cached is taken out of the
file first: a wrong formula then cannot hide behind the right number.

`TCO_REQUIRE_LIBREOFFICE=1` makes the absence of LibreOffice a failure instead of a skip.
"""

import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import formualizer
import openpyxl
import pytest

Values = dict[str, dict[str, Any]]  # {sheet: {cell: value}}

# formula recalculation on load: 0 always, which LibreOffice does not do by itself
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"
 xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""
# a formula of its own or a shared one, then the value cached for it
CACHED = re.compile(rb"(<f(?:\s[^>]*)?(?:/>|>[^<]*</f>))<v>[^<]*</v>")


def without_cached_values(path: Path, target: Path) -> Path:
    """Copy a workbook to ``target`` without the values cached beside its formulas."""
    with (
        zipfile.ZipFile(path) as source,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy,
    ):
        for part in source.infolist():
            content = source.read(part.filename)
            if part.filename.startswith("xl/worksheets/sheet"):
                content = CACHED.sub(rb"\1", content)
            copy.writestr(part, content)
    return target


def recalculate_with_formualizer(path: Path) -> Values:
    """Every non-empty cell of a workbook, its formulas recalculated by formualizer."""
    with tempfile.TemporaryDirectory() as folder:
        stripped = without_cached_values(path, Path(folder) / path.name)
        formualizer.recalculate_file(str(stripped))
        return _values(stripped)


def recalculate_with_libreoffice(paths: Sequence[Path]) -> list[Values]:
    """The same by LibreOffice, several workbooks in one start; skips where it is not installed."""
    program = libreoffice()
    names = [path.name for path in paths]
    assert len(set(names)) == len(names), "the workbooks need different names"
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        profile = work / "profile" / "user"
        profile.mkdir(parents=True)
        (profile / "registrymodifications.xcu").write_text(PROFILE, encoding="utf-8")
        (work / "in").mkdir()
        stripped = [without_cached_values(path, work / "in" / path.name) for path in paths]
        command = [program, "--headless", "--norestore",
                   f"-env:UserInstallation={(work / 'profile').as_uri()}",
                   "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(work / "out"),
                   *map(str, stripped)]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        written = [work / "out" / name for name in names]
        assert all(path.exists() for path in written), done.stdout + done.stderr
        return [_values(path) for path in written]


@cache
def find_libreoffice() -> str | None:
    """Where LibreOffice is installed; None where it is not."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def libreoffice() -> str:
    """The LibreOffice program; skips the test, or fails where it is required."""
    program = find_libreoffice()
    if program is None:
        reason = "LibreOffice is not installed (apt-get install libreoffice-calc)"
        if os.environ.get("TCO_REQUIRE_LIBREOFFICE") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return program


def _values(path: Path) -> Values:
    book = openpyxl.load_workbook(path, data_only=True)
    return {
        sheet.title: {
            cell.coordinate: cell.value
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None
        }
        for sheet in book.worksheets
    }
