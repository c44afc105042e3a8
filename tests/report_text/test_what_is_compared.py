"""Half of the work is not compared with all of it, and a printed figure keeps its source."""

from pathlib import Path

from tco.analysis.findings import Findings
from tco.analysis.summary import summarise
from tco.report.folder import write_report
from tests.report_text.conftest import Run

OPTIONS = """
name: one card is too slow
demand: {output_tokens: 50 M}
baseline: BASELINE
options:
  slow: {own: rtx-4090, count: 1, price: 1599, output_rate: 1}
  fast: {own: rtx-4090, count: 1, price: 1700, output_rate: 800}
  api: {api: m, output_price: 15, published: {per_month: 168, source: a table}}
"""


def test_an_infeasible_option_is_costed_and_not_compared(run: Run) -> None:
    result = run(OPTIONS.replace("BASELINE", "api"))
    assert result.status["slow"] == "infeasible"
    assert result.metrics["slow"]["upfront_cost"] == 1599
    assert [(c.this, c.other) for c in result.comparisons] == [("fast", "api")]
    assert "difference_to_baseline" not in result.metrics["slow"]


def test_nothing_is_compared_with_an_infeasible_baseline(run: Run) -> None:
    result = run(OPTIONS.replace("BASELINE", "slow"))
    assert [(c.this, c.other) for c in result.comparisons] == [("fast", "api")]
    assert "difference_to_baseline" not in result.metrics["fast"]


def test_a_printed_figure_keeps_the_source_beside_it(run: Run) -> None:
    printed = run(OPTIONS.replace("BASELINE", "api")).model.inputs["o3_published"].quantity
    assert printed is not None
    assert (printed.source, printed.basis) == ("a table", "published")


def test_every_output_can_be_written_with_an_infeasible_baseline(run: Run, tmp_path: Path) -> None:
    result = run(OPTIONS.replace("BASELINE", "slow"))
    findings = Findings(result)
    summary = summarise(result, findings)
    _, files, _ = write_report(result, findings, summary, tmp_path)
    written = ["scenario.xlsx", "report.html", "monthly.csv", "result.json", "summary.md"]
    assert files[:6] == [*written, "charts/cumulative-cost.png"]
    assert "there is no baseline to compare it with" in str(summary.answer.focus)
