"""Scenarios written for a test, and what they give."""

from collections.abc import Callable
from pathlib import Path

import pytest

import tco
from tco.results import Result

ROOT = Path(__file__).parents[2]
Run = Callable[[str], Result]

# names that a spreadsheet, a terminal, Markdown or matplotlib might take for more than text
HOSTILE = """\
name: "=1+1"
question: "@SUM(A1)"
demand: {output_tokens: 50 M}
options:
  "=1+1": {own: rtx-4090, count: 2, price: 1599}
  "@SUM(A1)": {api: "=cmd|' /C calc'!A0", output_price: 15}
  "[red]x |_*$y^2$": {rent: rtx-4090, count: 2, price: 0.49}
other_costs:
  - {name: "+rack", amount: 50, per: month}
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a scenario given as text."""

    def from_text(text: str) -> Result:
        path = tmp_path / "scenario.yaml"
        path.write_text(text, encoding="utf-8")
        return tco.run(path)

    return from_text


@pytest.fixture
def hostile(run: Run) -> Result:
    return run(HOSTILE)


@pytest.fixture(scope="session")
def midteam() -> Result:
    return tco.run(ROOT / "scenarios/midteam.yaml")
