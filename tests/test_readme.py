"""What the README says is what the project does: its screen, its scenario, its commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import tco
from tco.cli import main
from tco.scenario.loading import read

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_screen_is_what_the_main_job_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    command = ["run", "scenarios/midteam.yaml", "-o", str(tmp_path), "--formats", "md"]
    printed = CliRunner().invoke(main, command, catch_exceptions=False).stdout
    (screen,) = blocks("text")
    assert printed.startswith(screen.rstrip())


def test_the_shortest_scenario_is_five_numbers() -> None:
    (shown,) = blocks("yaml")
    delivered = (ROOT / "scenarios" / "five-numbers.yaml").read_text(encoding="utf-8")
    assert shown.rstrip() == delivered[delivered.index("name:") :].rstrip()
    assert list(read(shown.encode(), "README.md").options) == [
        "own-2x4090",
        "rent-2x4090",
        "api-gpt-4o",
    ]


def test_two_commands_stand_alone_on_a_line_for_the_checks_to_run() -> None:
    run, tests = (block for block in blocks("sh") if block.startswith("python3 -m venv"))
    assert run.rstrip().endswith("&& .venv/bin/tco run scenarios/midteam.yaml")
    assert tests.rstrip().endswith("&& .venv/bin/python -m pytest -q -n 2 --dist loadfile")
    assert run.count("\n") == tests.count("\n") == 1


def test_the_commands_of_a_new_scenario_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (listing,) = (block for block in blocks("sh") if "tco new" in block)
    for line in listing.splitlines():
        arguments = line.partition("#")[0].split()
        assert arguments[0] == ".venv/bin/tco"
        result = CliRunner().invoke(main, arguments[1:], catch_exceptions=False)
        assert result.exit_code == 0, result.output
    assert (tmp_path / "reports" / "my" / "my.xlsx").exists()


def test_the_python_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (example,) = blocks("python")
    names: dict[str, tco.Result] = {}
    exec(example, names)
    for line in example.splitlines():
        if match := re.match(r"result\.(\w+) +# (.*)", line):
            table = getattr(names["result"], match[1])
            assert list(table.columns) == match[2].split(", ")
            assert len(table)


def test_every_command_of_the_tool_is_in_the_table() -> None:
    for command in main.commands:
        assert f"tco {command}" in README


def test_linked_files_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
