"""``report.html``: what is on it; in Chromium quiet, alone, readable on a phone, whole on paper."""

import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tco.analysis.bases import value_text
from tco.errors import printable
from tco.scenario.inputs import STRUCTURAL
from tests.page.browser import Browser, Tab
from tests.page.conftest import NAMES, ROOT, Report, write

PHONE, DESKTOP = 390, 1200
PAPER = 703  # CSS pixels of A4 between margins of 12 mm: 186 mm / 25.4 * 96
EVERY_PAGE = pytest.mark.parametrize("name", NAMES)

# texts of elements, with the size of their letters, outside of charts
LETTERS = """
[...document.querySelectorAll('body *')]
  .filter(e => !e.closest('svg') && e.checkVisibility()
    && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .map(e => [parseFloat(getComputedStyle(e).fontSize), e.textContent.trim().slice(0, 40)])
"""
# elements that reach over the edge of the window, unless they scroll in a box of their own
OVER_THE_EDGE = """
[...document.querySelectorAll('body *')]
  .filter(e => !e.parentElement.closest('.scroll') && e.checkVisibility())
  .filter(e => { const r = e.getBoundingClientRect();
    return r.left < -0.5 || r.right > innerWidth + 0.5; })
  .map(e => e.outerHTML.slice(0, 80))
"""
# texts that are wider than what shows them
CLIPPED = """
[...document.querySelectorAll('body *')]
  .filter(e => !e.closest('svg') && !e.matches('.scroll') && e.checkVisibility()
    && e.clientWidth && e.scrollWidth > e.clientWidth + 1)
  .map(e => e.outerHTML.slice(0, 80))
"""
# the height of the letters in each chart as shown: their outlines are drawn 100 times as high
CHART_LETTERS = """
[...document.querySelectorAll('svg')].flatMap(svg => {
  const shown = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return [...svg.querySelectorAll('[id*="text_"] > g[transform]')]
    .map(g => Math.abs(parseFloat(g.getAttribute('transform').split('scale(')[1])) * 100 * shown);
})
"""
LOST_LINKS = """
[...document.querySelectorAll('[href]')].map(e => e.getAttribute('href'))
  .filter(href => !href.startsWith('data:image/png;base64,')
    && !(href.startsWith('#') && document.getElementById(href.slice(1))))
"""
TWICE = """
(ids => ids.filter((id, n) => ids.indexOf(id) !== n))
([...document.querySelectorAll('[id]')].map(e => e.id))
"""
# each chart as a patch of its own colour, so that its place on paper can be seen
STEP = 8
PATCHES = f"""
[...document.querySelectorAll('figure')].map((figure, n) => {{
  figure.style.background = `rgb(255, ${{n * {STEP}}}, 255)`;
  figure.querySelector('svg').style.visibility = 'hidden';
}}).length
"""


@pytest.fixture(scope="module")
def tabs(browser: Browser) -> dict[str, Tab]:
    """Pages that are shown already."""
    return {}


@pytest.fixture
def tab(
    browser: Browser, tabs: dict[str, Tab], reports: dict[str, Report], name: str, width: int
) -> Tab:
    """The page of ``name`` in a window of ``width`` pixels."""
    if name not in tabs:
        tabs[name] = browser.open(reports[name].file, width)
    tabs[name].resize(width)
    return tabs[name]


def on(*widths: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("width", widths)


@EVERY_PAGE
def test_the_page_says_what_the_screen_says(reports: dict[str, Report], name: str) -> None:
    report, summary = reports[name], reports[name].summary
    shown = report.text
    for part in (
        *(summary.title, summary.question, summary.counting, summary.conventions, summary.baseline),
        *(*summary.answer.verdict, summary.answer.focus, *summary.answer.conditions),
        *(*summary.answer.remarks, *summary.finance.texts, *summary.sure, *summary.why),
        *(*summary.warnings, *summary.left_out),
        *(f"{basis}: {inputs}" for basis, inputs in summary.rests_on),
    ):
        assert part is None or " ".join(printable(part).split()) in shown
    tables = (summary.costs, summary.flips, summary.moves, summary.cases)
    for table in (*tables, *summary.finance.statements):
        for row in table.rows if table else ():
            texts = (
                row.name,
                *([row.marks] if row.marks else []),
                *row.cells,
                *filter(None, [row.note]),
            )
            assert " ".join(" ".join(map(printable, texts)).split()) in shown


@EVERY_PAGE
def test_every_number_stands_with_where_it_is_from(reports: dict[str, Report], name: str) -> None:
    report = reports[name]
    shown = report.text
    for given in report.result.model.numbers:
        if given.kind == STRUCTURAL:
            continue
        assert f"{given.label} {value_text(report.result, given)} {given.unit_text}" in shown
        if given.quantity and given.quantity.source:
            assert " ".join(given.quantity.source.split()) in shown


@EVERY_PAGE
def test_the_page_is_small_enough_to_mail(reports: dict[str, Report], name: str) -> None:
    most = 2_000_000 if name == "everything" else 1_500_000
    assert reports[name].file.stat().st_size < most


@EVERY_PAGE
def test_a_page_has_a_policy_that_lets_nothing_in(reports: dict[str, Report], name: str) -> None:
    assert (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">"
    ) in reports[name].html


def test_the_same_scenario_gives_the_same_bytes(reports: dict[str, Report], tmp_path: Path) -> None:
    again = write(ROOT / "scenarios/chinese.yaml", tmp_path)
    assert again.file.read_bytes() == reports["chinese"].file.read_bytes()


def test_only_the_page_is_kept_of_what_was_drawn_for_it(reports: dict[str, Report]) -> None:
    assert [path.name for path in reports["midteam"].file.parent.iterdir()] == ["report.html"]


@EVERY_PAGE
@on(DESKTOP)
def test_nothing_is_said_and_nothing_leaves_the_page(tab: Tab) -> None:
    assert tab.said == []
    assert [url for url in tab.requested if not url.startswith("data:")] == [tab.url]
    assert tab.evaluate("document.scripts.length") == 0
    elements = "document.querySelectorAll('img, link, iframe, object, [onclick], [onerror]').length"
    assert tab.evaluate(elements) == 0


@EVERY_PAGE
@on(DESKTOP)
def test_every_id_stands_once_and_every_link_leads_to_one(tab: Tab) -> None:
    assert tab.evaluate(TWICE) == []
    assert tab.evaluate(LOST_LINKS) == []
    assert tab.evaluate("document.querySelectorAll('svg use').length") > 0


@EVERY_PAGE
@on(PHONE)
def test_a_phone_shows_the_page_without_moving_it_sideways(tab: Tab) -> None:
    assert tab.evaluate("document.scrollingElement.scrollWidth") <= PHONE
    assert tab.evaluate(OVER_THE_EDGE) == []
    assert tab.evaluate(CLIPPED) == []


@EVERY_PAGE
@on(PHONE)
def test_a_phone_shows_letters_that_can_be_read(tab: Tab) -> None:
    letters = tab.evaluate(LETTERS)
    assert len(letters) > 100
    assert [found for found in letters if found[0] < 14] == []
    in_charts = tab.evaluate(CHART_LETTERS)
    assert len(in_charts) > 10
    assert min(in_charts) >= 9


@EVERY_PAGE
def test_the_page_is_the_same_where_scripts_are_forbidden(
    browser: Browser, reports: dict[str, Report], name: str
) -> None:
    allowed = browser.open(reports[name].file, DESKTOP)
    forbidden = browser.open(reports[name].file, DESKTOP, scripts=False)
    shown = [tab.evaluate("document.body.innerText") for tab in (allowed, forbidden)]
    assert shown[0] == shown[1]
    assert printable(reports[name].summary.answer.verdict[0]) in shown[0]
    assert forbidden.said == []
    for tab in (allowed, forbidden):
        tab.close()


@EVERY_PAGE
@on(DESKTOP)
def test_months_are_folded_on_screen(tab: Tab) -> None:
    inside = "document.querySelector('details table').checkVisibility()"
    assert not tab.evaluate(inside)
    tab.evaluate("document.querySelector('details').open = true")
    assert tab.evaluate(inside)
    tab.evaluate("document.querySelector('details').open = false")


@EVERY_PAGE
@on(PAPER)
def test_nothing_is_wider_than_paper(tab: Tab) -> None:
    tab.call("Emulation.setEmulatedMedia", media="print")
    widest, clipped = tab.evaluate("document.scrollingElement.scrollWidth"), tab.evaluate(CLIPPED)
    tab.call("Emulation.setEmulatedMedia", media="")
    assert widest <= PAPER
    assert clipped == []


@pytest.fixture(scope="module")
def printed(
    browser: Browser, reports: dict[str, Report], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """Prints a page on A4, its charts as `PATCHES`."""
    folder = tmp_path_factory.mktemp("printed")

    def pdf(name: str) -> Path:
        path = folder / name / "report.pdf"
        if not path.exists():
            path.parent.mkdir()
            tab = browser.open(reports[name].file, DESKTOP)
            assert tab.evaluate(PATCHES)
            tab.print(path, backgrounds=True)
            tab.close()
        return path

    return pdf


@EVERY_PAGE
def test_the_answer_and_the_months_are_on_paper(
    printed: Callable[[str], Path], reports: dict[str, Report], name: str
) -> None:
    report = reports[name]
    command = ["pdftotext", "-layout", "-nopgbrk", printed(name), "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    text = "".join(done.stdout.decode().split())
    if name != "hostile":  # names that run to the left are printed in their own order
        for sentence in report.summary.answer.verdict:
            assert "".join(sentence.split()) in text
    last = report.result.scenario.months
    focus = report.result.focus or report.result.ranked[0].name
    costs = report.result.line(focus, "cumulative_cost")
    assert f"{last}{costs[last]:,.0f}" in text


@EVERY_PAGE
def test_no_chart_is_cut_on_paper(
    printed: Callable[[str], Path], reports: dict[str, Report], name: str
) -> None:
    pages = list(patches(printed(name)))
    for number in range(reports[name].html.count("<figure>")):
        shown = [page for page, found in enumerate(pages, start=1) if number * STEP in found]
        assert len(shown) == 1, f"chart {number + 1} is on pages {shown}"


def patches(pdf: Path) -> Iterator[set[int]]:
    """The patches on each page, by the green in them."""
    options = ("-r", "12", "-aa", "no", "-aaVector", "no")
    subprocess.run(["pdftoppm", *options, pdf, pdf.with_suffix("")], check=True)
    for page in sorted(pdf.parent.glob("*.ppm")):
        pixels = page.read_bytes().split(b"\n", 3)[3]
        found = {pixels[n : n + 3] for n in range(0, len(pixels), 3)}
        yield {red_green_blue[1] for red_green_blue in found if red_green_blue[::2] == b"\xff\xff"}


@on(DESKTOP)
@pytest.mark.parametrize("name", ["hostile"])
def test_what_is_typed_stays_text(tab: Tab, reports: dict[str, Report]) -> None:
    scenario = reports["hostile"].result.scenario
    assert tab.evaluate("document.querySelector('h1').textContent") == scenario.name
    assert tab.evaluate("document.title") == scenario.name
    heads = tab.evaluate(
        "[...document.querySelectorAll('tbody th')].map(e => e.textContent.trim())"
    )
    for option in scenario.options:
        assert any(head.startswith(printable(option)) for head in heads), option


@on(DESKTOP)
@pytest.mark.parametrize("name", ["midteam"])
def test_headings_go_down_one_by_one(tab: Tab) -> None:
    levels = tab.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(e => +e.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@on(DESKTOP)
@pytest.mark.parametrize("name", ["midteam"])
def test_every_chart_says_in_words_what_it_shows(tab: Tab) -> None:
    words = tab.evaluate("[...document.querySelectorAll('svg')].map(e => e.ariaLabel)")
    titles = tab.evaluate("[...document.querySelectorAll('svg > title')].map(e => e.textContent)")
    assert words == titles
    assert len(set(words)) == len(words)
    assert all(words)
    assert tab.evaluate("document.documentElement.lang") == "en"
