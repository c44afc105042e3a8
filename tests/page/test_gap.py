"""The tables of the gap on the page, from closed forms."""

from pathlib import Path

import pytest

import tco
from tco.analysis.findings import Findings
from tco.report import gap

# without discounting: 3,600 for a card, or 50 M tokens a month at 15 for 36 months
SCENARIO = """\
name: one card
months: 36
discount_rate: 0%
demand: {output_tokens: 50 M}
options:
  card: {own: rtx-4090, count: 1, price: 3600}
  api: {api: model, output_price: 15}
"""


@pytest.fixture
def findings(tmp_path: Path) -> Findings:
    path = tmp_path / "scenario.yaml"
    path.write_text(SCENARIO, encoding="utf-8")
    return Findings(tco.run(path))


def test_the_parts_add_up_to_the_gap(findings: Findings) -> None:
    assert findings.attribution is not None
    table = gap.parts(findings.result, findings.attribution)
    assert table.title == "card less api, USD a month"
    assert table.heads == ("card", "api", "difference", "present value")
    card, api = 3600 / 36, 50 * 15
    assert [(row.name, row.cells) for row in table.rows] == [
        ("hardware", (f"{card:.2f}", "0.00", f"{card:.2f}", "3,600.00")),
        ("API", ("0.00", f"{api:.2f}", f"-{api:.2f}", f"-{api * 36:,.2f}")),
        ("all", (f"{card:.2f}", f"{api:.2f}", f"{card - api:.2f}", f"{3600 - api * 36:,.2f}")),
    ]


def test_the_zeros_are_the_closed_forms(findings: Findings) -> None:
    table = gap.zeros(findings.result, findings.flips)
    assert table is not None
    assert table.title == "card against api"
    assert table.heads == ("as given", "turns at", "cheaper below", "cheaper above", "looked at")
    shown = {row.name: row.cells[:4] for row in table.rows}
    assert shown["tokens a month"] == ("50 M", f"{3600 / 36 / 15:.3g} M", "api", "card")
    assert shown["purchase price of a GPU"] == ("$3,600", f"${15 * 50 * 36:,}", "card", "api")
    price = 3600 / 36 / 50
    assert shown["API price of a million output tokens"] == ("$15", f"${price:.3g}", "api", "card")


def test_what_never_turns_is_said_so(findings: Findings) -> None:
    table = gap.zeros(findings.result, findings.flips)
    assert table is not None
    shown = {row.name: row.cells[:4] for row in table.rows}
    assert shown["electricity price"] == ("$0/kWh", "none seen", "card", "card")


def test_without_break_evens_there_is_no_table(findings: Findings) -> None:
    assert gap.zeros(findings.result, ()) is None
