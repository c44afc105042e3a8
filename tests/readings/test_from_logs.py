"""The scenario that was written by ``tco read`` alone, written once more."""

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tco.cli import main
from tco.scenario.writing import comments

ROOT = Path(__file__).parents[2]
COMMAND = "read from-logs --gpu rtx-4090 --gpus 2 --tp 1 --as-of 2026-11-23 --into from-logs.yaml"


def tco(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "scenarios" / "from-logs", tmp_path / "from-logs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_scenario_is_what_tco_read_writes(logs: Path) -> None:
    tco(*COMMAND.split())
    delivered = ROOT / "scenarios" / "from-logs.yaml"
    assert (logs / "from-logs.yaml").read_bytes() == delivered.read_bytes()


def test_its_report_names_each_file_and_the_age_of_each_price(logs: Path) -> None:
    shutil.copy(ROOT / "scenarios" / "from-logs.yaml", logs)
    screen = " ".join(tco("run", "from-logs.yaml", "--formats", "html,xlsx").split())
    for file in ("gpu-use.csv", "vllm-benchmark.json", "openai-usage.csv", "vastai-offers.json",
                 "litellm-prices.json"):  # fmt: skip
        assert f"from-logs/{file}" in screen
        assert f"from-logs/{file}" in (logs / "reports/from-logs/report.html").read_text()
    # 2022-10-01, the first day of the month of the launch, to 2026-11-23: 1,514 days
    assert "purchase price of a GPU 1,514" in screen
    assert "is the launch price of the rtx-4090 of 2022-10, not an offer" in screen


def test_a_file_that_changes_is_told_by_check(logs: Path) -> None:
    shutil.copy(ROOT / "scenarios" / "from-logs.yaml", logs)
    assert "from-logs/gpu-use.csv: unchanged since" in tco("check", "from-logs.yaml")
    with (logs / "from-logs" / "gpu-use.csv").open("a") as stream:
        stream.write("2026/11/24 00:00:00.000, 0, NVIDIA GeForce RTX 4090, 5 %, 40.10 W\n")
    told = " ".join(tco("check", "from-logs.yaml").split())
    assert re.search(r"from-logs/gpu-use\.csv: (it has )?changed", told), told
    (logs / "from-logs" / "vllm-benchmark.json").unlink()
    told = " ".join(tco("check", "from-logs.yaml").split())
    assert "from-logs/vllm-benchmark.json: missing" in told


def test_a_log_read_into_a_scenario_keeps_its_comments(logs: Path) -> None:
    before = (ROOT / "scenarios" / "midteam.yaml").read_text(encoding="utf-8")
    (logs / "midteam.yaml").write_text(before, encoding="utf-8")
    told = tco("read", "from-logs/gpu-use.csv", "--into", "midteam.yaml")
    after = (logs / "midteam.yaml").read_text(encoding="utf-8")
    assert comments(after) == comments(before)
    assert [line for line in after.splitlines() if line in before.splitlines()] == [
        line for line in before.splitlines() if line in after.splitlines()
    ]
    assert "hardware.rtx-4090.idle_power: 22.007 W (22.001 W to 22.012 W), before 20 W" in told
    assert "own-2x4090" in tco("run", "midteam.yaml", "--formats", "md")
