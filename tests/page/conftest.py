"""Reports of a few scenarios as pages, written once, and a browser to read them."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tco
from tco.analysis.findings import Findings
from tco.analysis.ranges import ranged
from tco.analysis.summary import Summary, summarise
from tco.analysis.uncertainty import simulate
from tco.report.folder import write_report
from tco.report.painter import Painter
from tco.results import Result
from tests.page.browser import Browser, program

ROOT = Path(__file__).parents[2]
# names that a browser might take for more than text
HOSTILE = """\
name: "</title></svg><script>alert('name')</script>"
question: "<img src=https://example.com/a.png onerror=alert(1)> &amp; \\"quoted\\" 'too' --> ]]>"
demand:
  output_tokens: {value: 50 M, low: 10 M, high: 100 M, source: "javascript:alert(1) </style>"}
staff: {hourly_cost: {value: 94, basis: assumed, note: "<b onclick='x()'>"}}
options:
  "</svg><script>alert(1)</script>":
    {own: rtx-4090, count: 2, price: {value: 1599, low: 1500, high: 2800}, staff_hours_per_month: 1}
  "\\" onmouseover=\\"alert(2)": {api: "<iframe src=//example.com>", output_price: 15}
  "\\u200fright to left\\u200f &lt;": {rent: rtx-4090, count: 2, price: 0.49}
  "شركة البحث عن البيانات": {api: mixed, output_price: 9}
  onewordwithoutaplacetobreakitaslongasanamemaybeonewordwithoutaplacetobreakitaslo:
    {api: long, output_price: 12}
other_costs:
  - {name: "<link rel=stylesheet href=https://example.com/a.css>", amount: 50, per: month}
"""
NAMES = ("midteam", "chinese", "everything", "hostile")


@dataclass(frozen=True)
class Report:
    """A report with a page: what is on it, and where it is."""

    result: Result
    findings: Findings
    summary: Summary
    file: Path

    @property
    def html(self) -> str:
        return self.file.read_text(encoding="utf-8")

    @property
    def text(self) -> str:
        """What a reader sees of the page, with single blanks."""
        reader = _Reader()
        reader.feed(self.html)
        return " ".join("".join(reader.seen).split())


class _Reader(HTMLParser):
    """Collects text that is content, each element apart."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unseen += tag in ("head", "svg")
        self.seen.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in ("head", "svg")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.seen.append(data)


def write(scenario: Path, directory: Path) -> Report:
    """The report of a scenario, of which only the page is written."""
    with Painter() as painter:
        result = tco.run(scenario)
        findings = Findings(result)
        if result.model.has_demand and ranged(result):
            # fewer draws than a run takes: the page is the same but for the numbers in a sentence
            vars(findings)["simulation"] = simulate(result, draws=500)
        summary = summarise(result, findings)
        folder, files, _ = write_report(result, findings, summary, directory, ("html",), painter)
    assert files == ["report.html"]
    return Report(result, findings, summary, folder / "report.html")


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """A report of each of `NAMES`."""
    directory = tmp_path_factory.mktemp("reports")
    hostile = directory / "hostile.yaml"
    hostile.write_text(HOSTILE, encoding="utf-8")
    scenarios = {name: ROOT / f"scenarios/{name}.yaml" for name in NAMES} | {"hostile": hostile}
    return {name: write(scenario, directory) for name, scenario in scenarios.items()}


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests of a worker."""
    missing = [word for word in ("pdftotext", "pdftoppm") if shutil.which(word) is None]
    missing += [] if program() else ["chromium"]
    if missing:
        reason = f"not installed: {', '.join(missing)} (apt-get install chromium poppler-utils)"
        if os.environ.get("TCO_REQUIRE_CHROMIUM") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser
