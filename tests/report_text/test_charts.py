"""The charts: right numbers, labels that do not overlap, names that stay text, Chinese fonts."""

import pickle
import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tco
from tco.analysis.axes import axis_of
from tco.analysis.findings import Findings
from tco.analysis.summary import Summary, summarise
from tco.analysis.sweeps import REFINED, busy_shares, cheapest_map
from tco.errors import ScenarioError
from tco.report import curves, plots
from tco.report.charts import Chart, fonts
from tco.report.charts.frame import Sheet, Space, apart
from tco.report.drawing import Bars, Curve, Curves, Drawing, Map, Swings, Waterfall
from tco.report.painter import Painter
from tco.report.plots import KINDS, Asked
from tco.results import Result
from tests.report_text.conftest import ROOT, Run

# own: 500 over 10 months is 50 a month, staff 2 hours at 5 is 10; api: 5 a million; rent: 0.10 for
# each of 730 hours is 73. Nothing is discounted and electricity costs nothing.
PLAIN = """\
name: plain
months: 10
discount_rate: 0
demand: {output_tokens: {value: 20 M, low: 4 M, high: 40 M}}
site: {electricity_price: 0}
staff: {hourly_cost: 5}
options:
  own: {own: rtx-4090, count: 1, price: 500, output_rate: 20, staff_hours_per_month: 2}
  rent: {rent: rtx-4090, count: 1, price: 0.10, output_rate: 20}
  api: {api: m, output_price: 5}
baseline: api
"""
LOOKED_AT = (
    "midteam",
    "chinese",
    "enterprise",
    "hybrid-peak",
    "lease-or-buy",
    "us-hgx-h100-loan",
)


@pytest.fixture
def plain(run: Run) -> Result:
    return run(PLAIN)


def shown(result: Result, kind: str, **asked: str) -> Any:
    findings = Findings(result)
    return plots.drawing(result, findings, summarise(result), kind, Asked(**asked))


def requests(result: Result) -> list[tuple[str, Drawing]]:
    return plots.chart_requests(result, Findings(result), summarise(result))


def draw(result: Result, folder: Path) -> list[str]:
    chart = Chart(curves.cumulative_cost(result, summarise(result)))
    for ending in ("png", "svg"):
        chart.save(folder / f"chart.{ending}")
    assert (folder / "chart.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "chart.svg").read_bytes().startswith(b"<?xml")
    return chart.notes


class TestNumbers:
    """What the drawings hold, by arithmetic."""

    def test_cost_against_tokens(self, plain: Result) -> None:
        drawing: Curves = shown(plain, "tokens", range_x="0:40M")
        by_name = {curve.name: curve for curve in drawing.curves}
        places = np.array(drawing.places)
        assert by_name["api (baseline)"].values == pytest.approx(5 * places / 1e6)
        assert by_name["own"].values == pytest.approx(np.full(len(places), 60.0))
        (mark,) = drawing.marks
        assert (mark.x, mark.y, mark.text) == (pytest.approx(12e6), pytest.approx(60), "12 M")
        assert drawing.title == "own costs less than api above 12 M tokens a month"
        assert drawing.here == 20e6

    def test_a_line_is_dotted_beyond_its_capacity(self, plain: Result) -> None:
        # 20 tokens/s x 3,600 x 730 = 52.56 M a month
        drawing: Curves = shown(plain, "tokens", range_x="0:100M")
        own = next(curve for curve in drawing.curves if curve.name == "own")
        serves = [place for place, flag in zip(drawing.places, own.serves, strict=True) if flag]
        assert max(serves) == pytest.approx(52.56e6, abs=100e6 / 400)
        assert serves == list(drawing.places[: len(serves)])
        assert own.amount.startswith("serves to 52.")

    def test_cost_against_the_busy_share(self, plain: Result) -> None:
        drawing: Curves = shown(plain, "utilisation")
        ends = {curve.name: (curve.values[0], curve.values[-1]) for curve in drawing.curves}
        assert ends == {
            "own: owned": (pytest.approx(60), pytest.approx(60)),
            "rent: rented, paid by the busy hour": (pytest.approx(0), pytest.approx(73)),
            "rent: rented, held all month": (pytest.approx(73), pytest.approx(73)),
        }
        (mark,) = drawing.marks
        assert (mark.x, mark.y) == (pytest.approx(60 / 73), pytest.approx(60))

    def test_the_crossing_is_that_of_the_comparison(self, midteam: Result) -> None:
        shares = busy_shares(midteam, None, None)
        assert shares is not None
        assert (shares.this, shares.other) == ("own-2x4090", "rent-4090")
        known = midteam.comparison("own-2x4090", "rent-4090")["break_even_utilisation"]
        assert shares.crossing == pytest.approx(known, rel=1e-12)

    def test_the_map_against_the_formula(self, plain: Result) -> None:
        axes = (axis_of(plain, "tokens", "api"), axis_of(plain, "token-price", "api"))
        found = cheapest_map(plain, axes, ((1e6, 41e6), (1.0, 9.0)), ("own", "api"))
        tokens, price = np.meshgrid(found.x / 1e6, found.y)
        assert found.lead("own") == pytest.approx(tokens * price - 60, abs=1e-6)
        assert found.lead("api") == pytest.approx(60 - tokens * price, abs=1e-6)
        owned = found.cheapest == found.options.index("own")
        tied = abs(tokens * price - 60) < 1e-9
        assert (owned == (tokens * price > 60))[~tied].all()
        drawing: Map = shown(
            plain, "map", x="tokens", y="token-price", of="own", range_x="1M:41M", range_y="1:9"
        )
        leads = {region.name: np.array(region.lead) for region in drawing.regions}
        # the points that were computed, among those drawn between them
        assert leads["own"][::REFINED, ::REFINED] == pytest.approx(tokens * price - 60, abs=1e-6)
        x, y = (np.array(side.places) for side in (drawing.x, drawing.y))
        between = np.outer(y, x / 1e6) - 60
        # along each axis the cost is a straight line, so that what is drawn between is right too
        assert leads["own"] == pytest.approx(between, abs=1e-6)
        assert (drawing.here.x, drawing.here.y) == (20e6, 5) if drawing.here else False

    def test_where_nothing_serves_the_map_is_hatched(self, plain: Result) -> None:
        drawing: Map = shown(
            plain, "map", x="tokens", y="electricity-price", of="own", against="rent",
            range_x="20M:100M", range_y="0:1",
        )  # fmt: skip
        unserved = np.array(drawing.unserved)
        places = np.array(drawing.x.places)
        computed = abs(places - 52.56e6) > 1e6  # half a step of 2 M: as at the nearest point
        over = places > 52.56e6
        assert (unserved[:, computed] == over[None, computed]).all()
        assert "no option serves" in drawing.footer

    def test_the_parts_of_a_bar_add_up(self, plain: Result) -> None:
        drawing: Bars = shown(plain, "monthly")
        found = {
            bar.name: dict(zip(drawing.parts, bar.amounts, strict=True)) for bar in drawing.bars
        }
        assert found["own"] == {"hardware": pytest.approx(50), "rent": 0, "API": 0,
                                "staff": pytest.approx(10)}  # fmt: skip
        assert found["rent"]["rent"] == pytest.approx(73)
        assert found["api (baseline)"]["API"] == pytest.approx(100)
        for bar in drawing.bars:
            assert sum(bar.amounts) == pytest.approx(bar.sum)

    def test_the_tornado(self, plain: Result) -> None:
        drawing: Swings = shown(plain, "tornado")
        (swing,) = drawing.swings
        # own less api: 60 - 5 t
        assert drawing.base == pytest.approx(60 - 100)
        assert (swing.at_low, swing.at_high) == (pytest.approx(40), pytest.approx(-140))
        assert (swing.low, swing.high, swing.flips) == ("4 M", "40 M", "turns at 12 M")

    def test_the_waterfall_ends_where_it_should(self, plain: Result) -> None:
        drawing: Waterfall = shown(plain, "waterfall")
        steps = {step.label: step.difference for step in drawing.steps}
        assert drawing.first[:2] == ("api", pytest.approx(100))
        assert drawing.last[:2] == ("own", pytest.approx(60))
        assert steps == {
            "hardware": pytest.approx(50),
            "API": pytest.approx(-100),
            "staff": pytest.approx(10),
        }
        assert drawing.first[1] + sum(steps.values()) == pytest.approx(drawing.last[1])

    def test_two_options_that_are_asked_about(self, plain: Result) -> None:
        drawing: Waterfall = shown(plain, "waterfall", of="rent", against="own")
        assert drawing.title.startswith("rent costs $13 a month more than own")
        cost: Curves = shown(plain, "cumulative-cost", of="rent", against="own")
        # 500 + 10 m against 73 m: 500 / 63 = 7.9 months until renting has cost more
        assert (
            cost.headline
            == "rent: $73 a month, own: $60 a month; never paid back: $130 short at month 10"
        )

    def test_curves_that_are_the_same_are_one(self) -> None:
        one, two = (Curve(name, "other", "$1", (0.0, 1.0)) for name in ("a", "b"))
        other = Curve("c", "other", "$2", (0.0, 2.0))
        assert [curve.name for curve in curves.merged([one, two, other])] == ["a, b", "c"]


class TestKinds:
    """Which charts there are, and what is said where there is none."""

    def test_all_kinds_of_midteam(self, midteam: Result) -> None:
        assert tuple(kind for kind, _ in requests(midteam)) == KINDS

    def test_without_a_demand_there_are_costs_only(self) -> None:
        result = tco.run(ROOT / "scenarios/lease-or-buy.yaml")
        assert [kind for kind, _ in requests(result)] == [
            "cumulative-cost",
            "utilisation",
            "monthly",
        ]

    @pytest.mark.parametrize(
        ("kind", "asked", "message"),
        [
            (
                "mapp",
                {},
                "KIND\n"
                "  found:    mapp\n"
                "  expected: one of cumulative-cost, tokens, utilisation, map, tornado, waterfall, "
                "monthly\n"
                "  next:     did you mean map?",
            ),
            (
                "map",
                {"x": "tokens"},
                "--y\n"
                "  found:    only --x tokens\n"
                "  expected: two inputs, one each way\n"
                "  next:     add --y, for example  tco plot FILE map --x tokens --y hardware-price",
            ),
            (
                "map",
                {"x": "tokens", "y": "demand.output_tokens"},
                "--y\n"
                "  found:    demand.output_tokens: it varies the same input as tokens\n"
                "  expected: two different inputs\n"
                "  next:     ask for another --y, for example  --x tokens --y electricity-price",
            ),
            (
                "map",
                {"x": "tokens,token-price", "y": "hardware-price"},
                "--x\n"
                "  found:    tokens,token-price\n"
                "  expected: two inputs: one each way\n"
                "  next:     for example  tco plot FILE map --x tokens --y hardware-price",
            ),
            (
                "map",
                {"x": "tokens", "y": "hardware-price", "of": "api", "against": "rent"},
                "--y\n"
                "  found:    hardware-price\n"
                "  expected: a number that api and rent depend on\n",
            ),
            (
                "map",
                {"x": "tokens", "y": "options.own.price", "of": "api", "against": "rent"},
                "--y\n"
                "  found:    options.own.price\n"
                "  expected: an input that the cost of api or rent depends on\n"
                "  next:     for example  tco plot FILE map --x tokens --y hardware-price",
            ),
            (
                "tokens",
                {"range_x": "80M:10M"},
                "--range-x\n"
                "  found:    80M:10M\n"
                "  expected: the lower value first\n"
                "  next:     write  --range-x 10M:80M",
            ),
            (
                "tokens",
                {"range_x": "80M"},
                "--range-x\n"
                "  found:    80M\n"
                "  expected: two values with a colon between\n"
                "  next:     for example  --range-x 10M:80M",
            ),
            (
                "tokens",
                {"range_x": "ten:80M"},
                "--range-x\n  found:    ten\n",
            ),
            (
                "tokens",
                {"x": "token-price"},
                "--x\n"
                "  found:    token-price\n"
                "  expected: inputs for a map only\n"
                "  next:     for example  tco plot FILE map --x tokens --y hardware-price",
            ),
            (
                "waterfall",
                {"of": "own", "against": "own"},
                "--against\n"
                "  found:    own\n"
                "  expected: another option than own: nothing differs between an option and "
                "itself\n"
                "  next:     name two options",
            ),
            (
                "waterfall",
                {"of": "ownn"},
                "--of\n"
                "  found:    ownn\n"
                "  expected: one of own, rent, api\n"
                "  next:     did you mean own?",
            ),
        ],
    )
    def test_what_cannot_be_drawn_is_said(
        self, plain: Result, kind: str, asked: dict[str, str], message: str
    ) -> None:
        with pytest.raises(ScenarioError) as caught:
            shown(plain, kind, **asked)
        text = str(caught.value).partition(": ")[2]
        assert text == message if message.endswith(("?", "price", "options", "M")) else (
            text.startswith(message)
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("kind", "expected"),
        [
            ("tokens", "a demand to vary"),
            ("map", "a demand: without one nothing is ranked, so no option is the cheapest"),
            ("tornado", "two options to compare"),
            ("waterfall", "two options to compare"),
        ],
    )
    def test_without_a_demand(self, kind: str, expected: str) -> None:
        result = tco.run(ROOT / "scenarios/lease-or-buy.yaml")
        with pytest.raises(ScenarioError) as caught:
            shown(result, kind)
        assert caught.value.expected == expected

    def test_an_input_without_a_range_makes_no_tornado(self, run: Run) -> None:
        result = run(PLAIN.replace("{value: 20 M, low: 4 M, high: 40 M}", "20 M"))
        with pytest.raises(ScenarioError) as caught:
            shown(result, "tornado")
        assert caught.value.expected == "an input with a range"

    def test_plot_writes_both_formats(self, plain: Result, tmp_path: Path) -> None:
        files, notes = plots.plot(plain, Findings(plain), "map", directory=tmp_path)
        folder = (tmp_path / "scenario/charts").as_posix()
        assert (files, notes) == ([f"{folder}/map.png", f"{folder}/map.svg"], [])
        assert all(Path(file).stat().st_size > 1000 for file in files)

    def test_an_unknown_format(self, plain: Result, tmp_path: Path) -> None:
        with pytest.raises(ScenarioError) as caught:
            plots.plot(plain, Findings(plain), "map", directory=tmp_path, formats=("pdf",))
        assert (caught.value.field, caught.value.found) == ("--formats", "pdf")
        assert not list(tmp_path.glob("*/charts"))


def written(chart: Chart) -> list[tuple[str, Any]]:
    """Every text of a chart that is seen, with its place in pixels."""
    with chart.styled():
        return _written(chart.sheet)


def _written(sheet: Sheet) -> list[tuple[str, Any]]:
    canvas: Any = sheet.figure.canvas
    canvas.draw()
    renderer = canvas.get_renderer()
    texts = list(sheet.figure.texts)
    for axes in sheet.figure.axes:
        texts += [*axes.texts, axes.xaxis.label, axes.yaxis.label]
        for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
            texts += [text for at, text in ticks if min(limits) <= at <= max(limits)]
    return [
        (text.get_text(), text.get_window_extent(renderer)) for text in texts if text.get_text()
    ]


@pytest.mark.parametrize("scenario", LOOKED_AT)
def test_texts_lie_within_the_figure_and_not_on_each_other(scenario: str) -> None:
    result = tco.run(ROOT / f"scenarios/{scenario}.yaml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind, drawing in requests(result):
            chart = Chart(drawing)
            assert chart.notes == [] or not has_chinese_font()
            texts = written(chart)
            canvas = chart.sheet.figure.bbox
            for text, place in texts:
                inside = (
                    place.x0 >= -1
                    and place.y0 >= -1
                    and place.x1 <= canvas.width + 1
                    and place.y1 <= canvas.height + 1
                )
                assert inside, (kind, text, place, canvas)
            for (one, first), (two, second) in combinations(texts, 2):
                apart_enough = (
                    min(first.x1, second.x1) - max(first.x0, second.x0) < 1.5
                    or min(first.y1, second.y1) - max(first.y0, second.y0) < 1.5
                )
                assert apart_enough, (kind, one, two)


def test_the_same_drawing_gives_the_same_bytes(midteam: Result, tmp_path: Path) -> None:
    """Of each kind, all of which the mid-size team has."""
    again = tco.run(ROOT / "scenarios/midteam.yaml")
    for (kind, one), (_, two) in zip(requests(midteam), requests(again), strict=True):
        assert one == two
        sent = pickle.loads(pickle.dumps(two))
        for name, drawing in (("one", one), ("two", sent)):
            chart = Chart(drawing)
            chart.save(tmp_path / f"{name}.png")
            chart.save(tmp_path / f"{name}.svg")
        for ending in ("png", "svg"):
            first, second = ((tmp_path / f"{n}.{ending}").read_bytes() for n in ("one", "two"))
            assert first == second, kind


def test_the_painter_draws_every_kind(midteam: Result, tmp_path: Path) -> None:
    with Painter() as painter:
        for kind, drawing in requests(midteam):
            painter.draw(drawing, tmp_path / f"{kind}.svg")
        assert painter.finish() == []
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(KINDS)


def test_names_are_drawn_as_they_are(hostile: Result, tmp_path: Path) -> None:
    assert draw(hostile, tmp_path) == []
    for _, drawing in requests(hostile):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            written(Chart(drawing))


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


@pytest.mark.parametrize(
    ("months", "name"),
    [(1, "n" * 70), (120, "客服" * 30), (1, "a b " * 15 + "c"), (120, "WWWW-" * 9 + "c")],
)
def test_long_names_and_one_month_can_be_drawn(
    run: Run, tmp_path: Path, months: int, name: str
) -> None:
    result = run(options(8, name).replace("name: many", f"name: many\nmonths: {months}"))
    assert draw(result, tmp_path) == [] or not has_chinese_font()
    for kind, drawing in requests(result):
        chart = Chart(drawing)
        for text, place in written(chart):
            assert place.x1 <= chart.sheet.figure.bbox.width + 1, (kind, text)


def has_chinese_font() -> bool:
    return len(fonts.fonts_for(set("客服"))[0]) == 2


def test_without_a_font_for_the_names_a_note_says_which(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "CHINESE_FONTS", ())
    monkeypatch.setattr(fonts, "FONT_FILES", ("no such font",))
    (note,) = draw(run(options(2, "客服")), tmp_path)
    assert "apt install fonts-noto-cjk" in note


@given(
    st.lists(st.tuples(st.floats(0, 300), st.sampled_from([14.0, 26.0])), min_size=1, max_size=8)
)
def test_labels_are_moved_apart(wanted: list[tuple[float, float]]) -> None:
    ends = sorted(wanted)
    needs = [need for _, need in ends]
    places = apart([place for place, _ in ends], needs, 300.0)
    for n in range(1, len(places)):
        assert places[n] - places[n - 1] >= (needs[n] + needs[n - 1]) / 2 - 1e-9
    assert places[-1] <= 300.0


def test_a_text_keeps_off_lines_and_other_texts(plain: Result) -> None:
    sheet = Sheet(curves.cumulative_cost(plain, summarise(plain)))
    axes = sheet.axes(1, 1, 0.5, 0.5)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    space = Space(sheet, axes)
    space.draw([0, 1], [0, 1])
    middle = space.points([0.5], [0.5])
    first = space.spot(middle, (40, 12), 5)
    second = space.spot(middle, (40, 12), 5)
    for x, y in (first, second):
        # the rising line passes neither box
        at = np.linspace(x - 20, x + 20, 50) / space.width * space.height
        assert not (abs(at - y) < 6).any()
    assert abs(first - second)[0] >= 40 or abs(first - second)[1] >= 12


def test_the_chart_says_what_the_answer_turns_on(midteam: Result) -> None:
    summary: Summary = summarise(midteam)
    headline = curves.headline(summary)
    assert "ONLY IF running it takes under 6.32 hours of work a month" in headline
