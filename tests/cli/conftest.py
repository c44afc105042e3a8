"""Runs the command in a folder of its own that holds the project's scenarios."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tco.cli import main

ROOT = Path(__file__).parents[2]
SCENARIOS = {
    path.stem: path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / "scenarios").rglob("*.yaml"))
}
Tco = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: scenarios/ and files/ are in it, and reports/ is made in it."""
    shutil.copytree(ROOT / "scenarios", tmp_path / "scenarios")
    shutil.copytree(ROOT / "tests/cli/files", tmp_path / "files")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tco(folder: Path) -> Tco:
    """The command: ``tco("run", "scenarios/midteam.yaml")``. A fault of the program is raised."""

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(main, arguments, prog_name="tco")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run
