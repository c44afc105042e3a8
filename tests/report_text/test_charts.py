"""The chart: labels that do not overlap, names that stay text, and fonts for Chinese."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.analysis.summary import summarise
from tco.report import charts, curves
from tco.report.charts import CumulativeCost
from tco.results import Result
from tests.report_text.conftest import Run


def draw(result: Result, folder: Path) -> list[str]:
    chart = CumulativeCost(curves.cumulative_cost(result, summarise(result)))
    for ending in ("png", "svg"):
        chart.save(folder / f"chart.{ending}")
    assert (folder / "chart.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "chart.svg").read_bytes().startswith(b"<?xml")
    return chart.notes


def test_names_are_drawn_as_they_are(hostile: Result, tmp_path: Path) -> None:
    assert draw(hostile, tmp_path) == []


def test_the_pictures_name_no_time_and_no_program(midteam: Result, tmp_path: Path) -> None:
    draw(midteam, tmp_path)
    svg = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    png = (tmp_path / "chart.png").read_bytes()
    assert "dc:date" not in svg
    assert "Created with matplotlib" not in svg.split("<svg", 1)[1]
    assert b"Software" not in png
    assert b"tIME" not in png


def options(number: int, name: str = "option") -> str:
    lines = [f"  {name}-{n}: {{api: m, output_price: {n + 1}}}\n" for n in range(number)]
    return f"name: many\ndemand: {{output_tokens: 50 M}}\noptions:\n{''.join(lines)}"


@pytest.mark.parametrize("number", [1, 2, 8, 9, 20])
def test_at_most_eight_lines_and_the_others_are_named(run: Run, number: int) -> None:
    result = run(options(number))
    shown, hidden = curves.choose(result)
    assert len(shown) == min(number, 8)
    assert len(hidden) == max(number - 8, 0)
    assert result.baseline in shown
    assert result.focus is None or result.focus in shown


@pytest.mark.parametrize("name", ["n" * 70, "客服" * 30, "a b " * 15 + "c"])
def test_long_names_and_one_month_can_be_drawn(run: Run, tmp_path: Path, name: str) -> None:
    for months in (1, 120):
        result = run(options(8, name).replace("name: many", f"name: many\nmonths: {months}"))
        assert draw(result, tmp_path) == [] or not has_chinese_font()


def has_chinese_font() -> bool:
    return len(charts._fonts("客服")[0]) == 2


def test_without_a_font_for_the_names_a_note_says_which(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "CHINESE_FONTS", ())
    monkeypatch.setattr(charts, "FONT_FILES", ("no such font",))
    (note,) = draw(run(options(2, "客服")), tmp_path)
    assert "apt install fonts-noto-cjk" in note


@given(
    st.lists(st.tuples(st.floats(0, 300), st.sampled_from([14.0, 26.0])), min_size=1, max_size=8)
)
def test_labels_are_moved_apart(wanted: list[tuple[float, float]]) -> None:
    ends = sorted(wanted)
    needs = [need for _, need in ends]
    places = charts._apart([place for place, _ in ends], needs, 300.0)
    for n in range(1, len(places)):
        assert places[n] - places[n - 1] >= (needs[n] + needs[n - 1]) / 2 - 1e-9
    assert places[-1] <= 300.0


def test_the_chart_says_what_the_answer_turns_on(midteam: Result) -> None:
    headline = curves.headline(summarise(midteam))
    assert "ONLY IF running it takes under 6.32 hours of work a month" in headline
