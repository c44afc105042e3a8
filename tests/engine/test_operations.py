"""Each word of the vocabulary: its two meanings agree, on numbers chosen to pull them apart.

A number is written as a spreadsheet would compute it (``3*(1+2^-52)``, ``0.1*0.3``), so that both
worlds start from the same bits: a file keeps only some fifteen digits of a number.
"""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import formualizer
import numpy as np
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st
from xlsxwriter.utility import xl_rowcol_to_cell

from tco.engine.operations import (
    NAMED,
    VOCABULARY,
    Expression,
    Literal,
    NotTraceable,
    Operation,
    Reference,
    annuity,
    at_most,
    backwards,
    ceil,
    following,
    lag,
    lookup,
    mean_excess,
    modulo,
    over_cohorts,
    ratio,
    shares_by_age,
    sum_product,
    whole,
)
from tco.engine.tracing import MONTHS, SCALAR, NoRow, formula
from tco.units import (
    Flag,
    GpuHours,
    Hours,
    KilowattHours,
    Money,
    MoneyPerGpuHour,
    Month,
    Unit,
    UnitMismatch,
    unit_of,
)
from tests.recalculation import recalculate_with_formualizer, recalculate_with_libreoffice

Row = list[str]  # one number for each month, as a spreadsheet would compute it
Sample = tuple[Row, ...]  # one row for each operand of a word

SAMPLES_IN_THE_WORKBOOK = 25
MONTH_0 = 1  # its column
# words that add up; how large what they add up may be, by the positions of what they multiply
SUMS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("+", "-"), ()),
    **dict.fromkeys(("total", "cumulative", "year_to_date"), (0,)),
    **dict.fromkeys(("sum_product", "over_cohorts"), (0, 1)),
    "mean_excess": (0, 2),
    "shares_by_age": (0, 3),
}
# tables that must stand in a column, so that a row times a column is a rectangle
UPRIGHT = {"shares_by_age": ("ages", "shares")}

# word: operands by month, and the result as arithmetic; one number where the word gives a scalar
CASES: dict[str, tuple[Sample, list[float]]] = {
    "+": ((["1", "2"], ["10", "-20"]), [1 + 10, 2 - 20]),
    "-": ((["1", "2"], ["10", "-20"]), [1 - 10, 2 + 20]),
    "*": ((["3", "0.5"], ["4", "-8"]), [12, -4]),
    "/": ((["3", "1"], ["4", "-8"]), [3 / 4, -1 / 8]),
    "^": ((["2", "4"], ["10", "-0.5"]), [1024, 1 / 2]),
    "negative": ((["3", "-0.5", "0"],), [-3, 0.5, 0]),
    ">": ((["1", "2", "3"], ["2", "2", "2"]), [0, 0, 1]),
    ">=": ((["1", "2", "3"], ["2", "2", "2"]), [0, 1, 1]),
    "<": ((["1", "2", "3"], ["2", "2", "2"]), [1, 0, 0]),
    "<=": ((["1", "2", "3"], ["2", "2", "2"]), [1, 1, 0]),
    "==": ((["1", "2", "3"], ["2", "2", "2"]), [0, 1, 0]),
    "where": ((["1", "0"], ["10", "10"], ["20", "20"]), [10, 20]),
    "minimum": ((["1", "-3"], ["2", "-4"]), [1, -4]),
    "maximum": ((["1", "-3"], ["2", "-4"]), [2, -3]),
    "ratio": ((["6", "6", "0"], ["3", "0", "0"]), [6 / 3, 0, 0]),
    # 10 is at most 9 only with a tolerance of a tenth: 10 - 9 <= 0.1 * 10
    "at_most": (
        (["9", "10", "10", "10"], ["10", "10", "9", "8"], ["0", "0", "0.1", "0.1"]),
        [1, 1, 1, 0],
    ),
    # (0.1*3)*10 is one ulp above 3 and (0.7+0.1)*10 one below 8: both are whole but for rounding
    "ceil": (
        (["((0.1*3)*10)", "3", "3.000001", "0", "-5"], ["0.000000001"] * 5),
        [3, 3, 4, 0, 0],
    ),
    "whole": (
        (["((0.7+0.1)*10)", "8", "7.999999", "0", "-0.5"], ["0.000000001"] * 5),
        [8, 8, 7, 0, -1],
    ),
    "modulo": ((["12", "13", "-1"], ["12", "12", "12"]), [0, 1, 11]),
    # a knot holds from its month on, the last one for good
    "lookup": ((["0", "2", "3", "9"], ["0", "1", "3", "5"], ["7", "8", "9", "6"]), [7, 8, 9, 6]),
    "total": ((["1", "-2", "4"],), [1 - 2 + 4]),
    "highest": ((["-3", "-1", "-2"],), [-1]),
    "cumulative": ((["1", "-2", "4"],), [1, 1 - 2, 1 - 2 + 4]),
    "highest_yet": ((["-3", "-1", "-2"],), [-3, -1, -1]),
    "sum_product": ((["1", "-2", "4"], ["5", "6", "7"]), [1 * 5 - 2 * 6 + 4 * 7]),
    # nothing follows the last month
    "following": ((["1", "-2", "4"],), [-2, 4, 0]),
    # what was 2 months ago is 0 in the first two, and what was 0 months ago is there
    "lag": (
        (["5", "-6", "7", "8"], ["0", "1", "2", "3"], ["2", "2", "2", "0"]),
        [0, 0, 5, 8],
    ),
    # a quarter of the hours at twice the rate, three quarters at half of it, above 2 or above 1
    "mean_excess": (
        (["3", "1"], ["2", "0.25"], ["2", "0.5"], ["0.25", "0.75"]),
        [0.25 * (2 * 3 - 2), 0.25 * (2 * 1 - 0.25) + 0.75 * (0.5 * 1 - 0.25)],
    ),
    "backwards": ((["5", "-6", "7", "8"], ["0", "1", "2", "3"], ["3"] * 4), [8, 7, -6, 5]),
    # 3 bought in month 0 and 2 in month 2; nothing at age 0, then 0.5, 0.3 and 0.2, turned round
    "over_cohorts": (
        (["3", "0", "2", "0"], ["0.2", "0.3", "0.5", "0"], ["0", "1", "2", "3"], ["3"] * 4),
        [3 * 0, 3 * 0.5, 3 * 0.3 + 2 * 0, 3 * 0.2 + 2 * 0.5],
    ),
    "year_to_date": ((["1", "-2", "4", "8"], ["0", "0", "1", "1"]), [1, 1 - 2, 4, 4 + 8]),
    # a half in the year of purchase and a quarter in the next, for 2 months after the purchase:
    # 10 of year 0 is gone by month 3; 100 of year 1 is a year old in month 4
    "shares_by_age": (
        (
            ["10", "0", "100", "0", "0"],
            ["0", "0", "1", "1", "2"],
            ["0", "1"],
            ["0.5", "0.25"],
            ["0", "1", "2", "3", "4"],
            ["2"] * 5,
        ),
        [10 * 0.5, 10 * 0.5, 10 * 0.25 + 100 * 0.5, 100 * 0.5, 100 * 0.25],
    ),
    # the month itself and the one before it; of negative numbers too, and of month 0 alone
    "trailing_highest": (
        (["60", "80", "55", "-1", "-2"], ["0", "1", "2", "3", "4"], ["2"] * 5),
        [60, 80, 80, 55, -1],
    ),
    # 1 a period is worth its number of periods without interest
    "annuity": ((["0", "1", "1"], ["12", "2", "3"]), [12, 1 / 2 + 1 / 4, 1 / 2 + 1 / 4 + 1 / 8]),
}

# months, counts and flags
integer = st.integers(-1000, 1000).map(str)
flag = st.sampled_from(["0", "1"])
near_whole = st.builds(
    lambda number, ulps: f"({number}*(1+{ulps}*2^-52))",
    st.integers(-1000, 1000),
    st.integers(-4, 4),
)
product_of_decimals = st.builds(
    lambda left, right: f"({left / 10}*{right / 10})",
    st.integers(-999, 999),
    st.integers(-999, 999),
)
nasty = st.one_of(integer, near_whole, product_of_decimals)
# what should be whole, or is by a millionth not, above or below
count = st.one_of(
    nasty,
    st.builds(
        lambda number, change: f"({number}{change})",
        st.integers(-1000, 1000),
        st.sampled_from(["+0.000001", "-0.000001", "+0.5"]),
    ),
)
months_back = st.integers(0, 12).map(str)
not_zero = nasty.filter(lambda text: value(text) != 0)


@st.composite
def close_pair(draw: st.DrawFn) -> tuple[str, str, str]:
    """Two amounts, often equal but for rounding or for a millionth, and the tolerance."""
    amount = draw(nasty)
    change = draw(st.sampled_from(["0", "-2^-50", "2^-50", "-0.000001", "0.000001"]))
    other = draw(st.one_of(nasty, st.just(f"({amount}*(1+{change}))")))
    return amount, other, "0.000000001"


@st.composite
def table(draw: st.DrawFn) -> Sample:
    """Months to look up, ascending whole knots that begin at 0 or before, and values."""
    steps = draw(st.lists(st.integers(1, 30), min_size=6, max_size=6))
    first = draw(st.integers(-5, 0))
    knots = [str(first + sum(steps[:position])) for position in range(7)]
    months = draw(st.lists(st.integers(0, 200).map(str), min_size=7, max_size=7))
    return months, knots, draw(st.lists(nasty, min_size=7, max_size=7))


@st.composite
def of_the_past(draw: st.DrawFn) -> Sample:
    """A row, its months from 0 on, and how far back each looks: never ahead."""
    row = draw(st.lists(nasty, min_size=7, max_size=7))
    return row, [str(m) for m in range(7)], draw(st.lists(months_back, min_size=7, max_size=7))


@st.composite
def load_curve(draw: st.DrawFn) -> Sample:
    """Rates, capacities (some of them exactly a level of the load), levels and shares of hours."""
    levels = draw(st.lists(st.integers(0, 300).map(lambda n: f"({n}/100)"), min_size=7, max_size=7))
    hours = draw(st.lists(st.integers(1, 200), min_size=7, max_size=7))
    rates = draw(st.lists(st.integers(0, 10**6).map(str), min_size=7, max_size=7))
    limits = [
        draw(st.one_of(st.integers(0, 10**6).map(str), st.just(f"({rate}*{level})")))
        for rate, level in zip(rates, draw(st.permutations(levels)), strict=True)
    ]
    return rates, limits, levels, [f"({share}/{sum(hours)})" for share in hours]


ROW = st.lists(nasty, min_size=7, max_size=7)
PURCHASES = st.lists(st.one_of(st.just("0"), nasty), min_size=7, max_size=7)
MONTHS_0_TO_6 = [str(month) for month in range(7)]
FISCAL_YEARS = st.lists(st.integers(0, 1), min_size=7, max_size=7).map(
    lambda steps: [str(sum(steps[: month + 1])) for month in range(7)]
)


@st.composite
def table_of_years(draw: st.DrawFn) -> Sample:
    """Purchases, fiscal years, ages in any order with their shares, and how long things stand."""
    ages = draw(st.lists(st.integers(0, 8), min_size=1, max_size=7, unique=True))
    shares = draw(st.lists(nasty, min_size=len(ages), max_size=len(ages)))
    kept = str(draw(st.integers(0, 12)))
    years = draw(FISCAL_YEARS)
    return draw(PURCHASES), years, list(map(str, ages)), shares, MONTHS_0_TO_6, [kept] * 7


def by_month(*operands: st.SearchStrategy[Any]) -> st.SearchStrategy[Sample]:
    month = st.tuples(*operands)
    return st.lists(month, min_size=7, max_size=7).map(
        lambda months: tuple(list(row) for row in zip(*months, strict=True))
    )


# what a word promises to work on; whole numbers where LibreOffice would call neighbours equal
DOMAINS: dict[str, st.SearchStrategy[Sample]] = {
    "+": by_month(nasty, nasty),
    "-": by_month(nasty, nasty),
    "*": by_month(nasty, nasty),
    "/": by_month(nasty, not_zero),
    # growth and discounting: 1 + a rate above -1, to any number of months or years
    "^": by_month(
        st.integers(-90, 300).map(lambda hundredths: f"(1+{hundredths / 100})"),
        st.integers(-120, 120).flatmap(lambda n: st.sampled_from([str(n), f"({n}/12)"])),
    ),
    "negative": by_month(nasty),
    **dict.fromkeys((">", ">=", "<", "<=", "=="), by_month(integer, integer)),
    "where": by_month(flag, nasty, nasty),
    "minimum": by_month(nasty, nasty),
    "maximum": by_month(nasty, nasty),
    "ratio": by_month(nasty, st.one_of(st.just("0"), nasty)),
    "at_most": st.lists(close_pair(), min_size=7, max_size=7).map(
        lambda months: tuple(list(row) for row in zip(*months, strict=True))
    ),
    "ceil": by_month(count, st.just("0.000000001")),
    "whole": by_month(count, st.just("0.000000001")),
    "modulo": by_month(integer, st.integers(1, 60).map(str)),
    "lookup": table(),
    "total": by_month(nasty),
    "highest": by_month(nasty),
    "cumulative": by_month(nasty),
    "highest_yet": by_month(nasty),
    "sum_product": by_month(nasty, nasty),
    "following": by_month(nasty),
    "lag": of_the_past(),
    "mean_excess": load_curve(),
    "backwards": st.tuples(ROW, st.just(MONTHS_0_TO_6), st.just(["6"] * 7)),
    "over_cohorts": st.tuples(PURCHASES, ROW, st.just(MONTHS_0_TO_6), st.just(["6"] * 7)),
    "year_to_date": st.tuples(ROW, FISCAL_YEARS),
    "shares_by_age": table_of_years(),
    "trailing_highest": st.tuples(
        ROW, st.just(MONTHS_0_TO_6), st.integers(1, 12).map(lambda months: [str(months)] * 7)
    ),
    # nominal rates from 0 and from a hundredth of a percent a year to 100 %, by month
    "annuity": by_month(
        st.integers(0, 10_000).map(lambda n: f"({n}/120000)"), st.integers(0, 120).map(str)
    ),
}
WORDS = pytest.mark.parametrize("name", list(VOCABULARY))


def value(text: str) -> float:
    return float(eval(text.replace("^", "**")))


def array(row: Row) -> Any:
    return np.array([[value(text)] for text in row])


def numbers(word: Operation, sample: Sample) -> list[float]:
    """What the word gives as numbers: by month, or one for a scalar."""
    with np.errstate(all="raise"):
        return [float(x) for x in word.numbers(*map(array, sample))[:, 0]]


def traced(word: Operation) -> Expression:
    expression = word(*(Reference(parameter) for parameter in word.parameters))
    assert isinstance(expression, Expression)
    return expression


def places(word: Operation, sample: Sample, top: int, operand: int) -> list[tuple[int, int]]:
    """The cells of an operand: a row from ``top`` on, or beside the rows a column for a table."""
    length = len(sample[operand])
    if word.parameters[operand] in UPRIGHT.get(word.name, ()):
        beside = MONTH_0 + len(sample[0]) + 1 + operand
        return [(top + position, beside) for position in range(length)]
    return [(top + operand, MONTH_0 + month) for month in range(length)]


def formulas(word: Operation, sample: Sample, top: int) -> list[str]:
    """What the word gives as formulas, its operands standing in rows from ``top`` (0-based) on.

    Months begin in the second column; the first one opens them and is empty, as is what follows
    the last.
    """

    def cells(month: int) -> Callable[[Reference, str], str]:
        def leaf(reference: Reference, which: str) -> str:
            whole = places(word, sample, top, word.parameters.index(reference.line))
            (row, first), last = whole[0], whole[-1]
            if which in ("all", "end"):
                end: str = xl_rowcol_to_cell(*last, col_abs=True)
                start = xl_rowcol_to_cell(row, first, col_abs=True)
                return end if which == "end" else f"{start}:{end}"
            here: str = xl_rowcol_to_cell(row, first + month + (which == "next"))
            if which in ("", "next"):
                return here
            first = 0 if which == "opened" else first
            return f"{xl_rowcol_to_cell(row, first, col_abs=True)}:{here}"

        return leaf

    months = 1 if word.gives == SCALAR else len(sample[0])
    return ["=" + formula(traced(word), cells(month)) for month in range(months)]


def agree(word: Operation, sample: Sample, found: list[Any]) -> bool:
    """Equal to 1e-9, and for sums to 1e-12 of what is added up."""
    expected = numbers(word, sample)
    scale = 0.0
    if word.name in SUMS:
        sizes = [np.abs(array(row)).max() for row in sample]
        multiplied = SUMS[word.name]
        scale = np.prod([sizes[position] for position in multiplied]) if multiplied else max(sizes)
        if word.name == "mean_excess":  # a level times a rate, less a limit
            scale = max(scale, sizes[1])
    return len(found) == len(expected) and all(
        isinstance(there, (int, float))
        and abs(here - there) <= 1e-9 * max(abs(here), abs(there)) + 1e-12 * scale
        for here, there in zip(expected, found, strict=True)
    )


def samples(name: str) -> list[Sample]:
    """The worked case of a word, and samples of its domain, the same on every run."""
    drawn = [CASES[name][0]]

    @settings(max_examples=SAMPLES_IN_THE_WORKBOOK, derandomize=True, database=None, deadline=None)
    @given(DOMAINS[name])
    def draw(sample: Sample) -> None:
        drawn.append(sample)

    draw()
    return drawn


@pytest.fixture(scope="module")
def drawn() -> dict[str, list[Sample]]:
    return {name: samples(name) for name in VOCABULARY}


@pytest.fixture(scope="module")
def workbook(drawn: dict[str, list[Sample]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sheet for each word; under the operands of each sample stand the formulas."""
    path = tmp_path_factory.mktemp("operations") / "words.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        for number, (name, word) in enumerate(VOCABULARY.items()):
            sheet = book.add_worksheet(f"Word_{number}")
            top = 0
            for sample in drawn[name]:
                for operand, row in enumerate(sample):
                    cells = places(word, sample, top, operand)
                    for cell, text in zip(cells, row, strict=True):
                        sheet.write_formula(*cell, f"={text}")
                for month, text in enumerate(formulas(word, sample, top)):
                    sheet.write_formula(top + len(sample), MONTH_0 + month, text)
                top += len(sample) + 1
    return path


def compare(number: int, samples: list[Sample], sheets: dict[str, dict[str, Any]]) -> int:
    """Compare the samples of one word with its recalculated sheet; the number of cells compared."""
    word = list(VOCABULARY.values())[number]
    cells, top, compared = sheets[f"Word_{number}"], 0, 0
    for sample in samples:
        row = top + len(sample)
        months = len(formulas(word, sample, top))
        found = [cells[xl_rowcol_to_cell(row, MONTH_0 + month)] for month in range(months)]
        assert agree(word, sample, found), (word.name, sample, numbers(word, sample), found)
        compared += months
        top = row + 1
    return compared


def compare_all(drawn: dict[str, list[Sample]], sheets: dict[str, dict[str, Any]]) -> int:
    return sum(compare(number, drawn[name], sheets) for number, name in enumerate(VOCABULARY))


def test_every_word_has_a_case_and_a_domain() -> None:
    assert set(CASES) == set(DOMAINS) == set(VOCABULARY)


@WORDS
def test_both_meanings_have_the_same_operands(name: str) -> None:
    word = VOCABULARY[name]
    fields = set(re.findall(r"\{(\w+)(?::\w+)?\}", word.excel))
    assert fields == set(word.parameters)
    if isinstance(word.numbers, np.ufunc):
        assert word.numbers.nin == len(word.parameters)
    elif word in NAMED and inspect.isfunction(word.numbers):
        assert tuple(inspect.signature(word.numbers).parameters) == word.parameters


@WORDS
def test_numbers_of_the_worked_case(name: str) -> None:
    sample, expected = CASES[name]
    assert numbers(VOCABULARY[name], sample) == expected


@WORDS
def test_formula_agrees_with_numbers(name: str) -> None:
    word = VOCABULARY[name]

    @settings(max_examples=40, deadline=None)
    @given(DOMAINS[name])
    def check(sample: Sample) -> None:
        book = formualizer.Workbook()
        book.add_sheet("Words")
        for operand, texts in enumerate(sample):
            for (row, column), text in zip(places(word, sample, 0, operand), texts, strict=True):
                book.set_formula("Words", row + 1, column + 1, f"={text}")
        written = formulas(word, sample, 0)
        for column, text in enumerate(written, start=MONTH_0 + 1):
            book.set_formula("Words", len(sample) + 1, column, text)
        book.evaluate_all()
        columns = range(MONTH_0 + 1, MONTH_0 + 1 + len(written))
        found = [book.get_value("Words", len(sample) + 1, column) for column in columns]
        assert agree(word, sample, found), (numbers(word, sample), found)

    check()


def test_workbook_recalculated_by_formualizer(
    drawn: dict[str, list[Sample]], workbook: Path
) -> None:
    compared = compare_all(drawn, recalculate_with_formualizer(workbook))
    assert compared > len(VOCABULARY) * SAMPLES_IN_THE_WORKBOOK


def test_workbook_recalculated_by_libreoffice(
    drawn: dict[str, list[Sample]], workbook: Path
) -> None:
    compared = compare_all(drawn, recalculate_with_libreoffice([workbook])[0])
    assert compared > len(VOCABULARY) * SAMPLES_IN_THE_WORKBOOK


def test_a_wrong_meaning_is_seen(drawn: dict[str, list[Sample]], workbook: Path) -> None:
    sheets = recalculate_with_formualizer(workbook)
    for number, (name, word) in enumerate(VOCABULARY.items()):
        compare(number, drawn[name], sheets)
        sheets[f"Word_{number}"][f"B{len(word.parameters) + 1}"] += 0.001
        with pytest.raises(AssertionError):
            compare(number, drawn[name], sheets)


def test_libreoffice_takes_neighbours_as_equal(tmp_path: Path) -> None:
    """Why plain comparisons are kept to whole numbers: 3 and its neighbours count as equal there.

    The bound is a relative difference of 2^-48; NumPy compares the bits.
    """
    path = tmp_path / "neighbours.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Neighbours")
        sheet.write_formula("A1", "=3*(1+2^-51)")
        sheet.write_formula("B1", "=IF(A1=3,1,0)")
        sheet.write_formula("C1", "=IF(A1>3,1,0)")
        sheet.write_formula("A2", "=3*(1+2^-40)")
        sheet.write_formula("B2", "=IF(A2=3,1,0)")
    cells = recalculate_with_libreoffice([path])[0]["Neighbours"]
    assert 3 * (1 + 2**-51) > 3
    assert (cells["B1"], cells["C1"]) == (1, 0)
    assert cells["B2"] == 0


@pytest.mark.parametrize(
    "word",
    [w for w in VOCABULARY.values() if w not in (lookup, lag, mean_excess, shares_by_age)],
    ids=lambda w: w.name,
)
def test_axis_0_is_months_and_axis_1_draws(word: Operation) -> None:
    """7 months and 11 draws: together they give what each draw gives alone."""
    generator = np.random.default_rng(7)
    operands = [1 + generator.random((7, 11)) for _ in word.parameters]
    together = word.numbers(*operands)
    assert together.shape == ((1, 11) if word.gives == SCALAR else (7, 11))
    for draw in range(11):
        alone = word.numbers(*(operand[:, draw : draw + 1] for operand in operands))
        np.testing.assert_array_equal(together[:, draw : draw + 1], alone)


def test_lookup_gives_each_month_its_value_for_every_draw() -> None:
    values = np.arange(22.0).reshape(2, 11)
    found = lookup.numbers(np.arange(7.0).reshape(7, 1), np.array([[0.0], [3.0]]), values)
    np.testing.assert_array_equal(found, values[[0, 0, 0, 1, 1, 1, 1], :])


def test_lag_looks_back_in_each_draw_by_its_own_months() -> None:
    """Row m of draw d holds 10 m + d; draw d looks back d months, which is 9 d below."""
    row = np.array([[10.0 * month + draw for draw in range(3)] for month in range(5)])
    months = np.arange(5.0).reshape(5, 1)
    found = lag.numbers(row, months, np.arange(3.0).reshape(1, 3))
    expected = [[10 * (m - d) + d if m >= d else 0 for d in range(3)] for m in range(5)]
    np.testing.assert_array_equal(found, expected)
    # one row, three lives; three rows, one life
    assert lag.numbers(row[:, :1], months, np.array([[0.0, 1.0, 2.0]])).shape == (5, 3)
    np.testing.assert_array_equal(lag.numbers(row, months, np.array([[1.0]]))[1:], row[:-1])


def test_mean_excess_is_that_of_every_hour() -> None:
    """Levels and shares are one table for all draws; 4 equal hours of load 4, 2, 1, 1."""
    rates = np.array([[10.0, 20.0], [30.0, 0.0]])
    limits = np.array([[15.0, 15.0], [15.0, 15.0]])
    levels, shares = np.array([[4.0], [2.0], [1.0]]), np.array([[1 / 4], [1 / 4], [2 / 4]])
    hours = [4, 2, 1, 1]
    expected = [
        [sum(max(hour * rate - 15, 0) for hour in hours) / 4 for rate in row] for row in rates
    ]
    np.testing.assert_allclose(mean_excess.numbers(rates, limits, levels, shares), expected)


THREE_DRAWS = np.array([[1.0, 2.0, 4.0]])


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("backwards", ["x"]),
        ("over_cohorts", ["x"]),
        ("over_cohorts", ["reversed_shares"]),
        ("over_cohorts", ["x", "reversed_shares"]),
        ("year_to_date", ["x"]),
        ("shares_by_age", ["x"]),
        ("shares_by_age", ["shares"]),
        ("shares_by_age", ["months"]),
        ("shares_by_age", ["x", "shares", "months"]),
        ("trailing_highest", ["x"]),
        ("trailing_highest", ["months"]),
        ("annuity", ["rate"]),
        ("annuity", ["periods"]),
    ],
)
def test_what_is_drawn_meets_what_is_not(name: str, drawn: list[str]) -> None:
    """Three draws of some operands and one of the others: each draw as it is alone."""
    word = VOCABULARY[name]
    once = {p: array(row) for p, row in zip(word.parameters, CASES[name][0], strict=True)}
    for one_number in {"months", "last_month"} & set(once):
        once[one_number] = once[one_number][:1]
    operands = {p: x * THREE_DRAWS if p in drawn else x for p, x in once.items()}
    together = word.numbers(*operands.values())
    assert together.shape == (len(CASES[name][1]), 3)
    for draw, factor in enumerate(THREE_DRAWS[0]):
        alone = word.numbers(*(x * factor if p in drawn else x for p, x in once.items()))
        np.testing.assert_array_equal(together[:, draw : draw + 1], alone)
    # what is drawn counts
    assert (together[:, 0] != together[:, 2]).any()


@pytest.mark.parametrize(
    ("name", "operand", "literal"),
    [
        ("lag", "months", 0),
        ("lag", "months", 1),
        ("shares_by_age", "months", 0),
        ("shares_by_age", "months", 1),
        ("trailing_highest", "months", 1),
        ("annuity", "rate", 0),
        ("annuity", "periods", 1),
    ],
)
def test_a_literal_counts_as_a_number(name: str, operand: str, literal: int) -> None:
    """What a model function writes as 0 or 1 means what a cell with that number means."""
    word = VOCABULARY[name]
    operands = {p: array(row) for p, row in zip(word.parameters, CASES[name][0], strict=True)}
    operands[operand] = np.array([[float(literal)]])
    expected = word.numbers(*operands.values())
    found = word.numbers(*(literal if p == operand else x for p, x in operands.items()))
    np.testing.assert_array_equal(found, expected)
    assert expected.any()


def test_over_cohorts_adds_up_every_purchase_at_its_age() -> None:
    generator = np.random.default_rng(3)
    bought, shares = generator.random((7, 1)), generator.random((7, 1))
    month, last = np.arange(7.0).reshape(7, 1), np.array([[6.0]])
    found = over_cohorts.numbers(bought, backwards.numbers(shares, month, last), month, last)
    expected = [sum(bought[k, 0] * shares[m - k, 0] for k in range(m + 1)) for m in range(7)]
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-12)


def test_an_annuity_is_the_worth_of_1_a_period() -> None:
    for rate in (0, 0.0001 / 12, 0.06 / 12, 1):
        expected = sum((1 + rate) ** -period for period in range(1, 61))
        found = annuity(np.array([[rate]]), np.array([[60.0]]))
        np.testing.assert_allclose(found, [[expected]], rtol=1e-10)


def test_following_gives_every_draw_its_next_month() -> None:
    row = np.arange(6.0).reshape(3, 2)
    np.testing.assert_array_equal(following.numbers(row), [[2, 3], [4, 5], [0, 0]])


def test_whole_things_forgive_rounding_and_not_a_millionth() -> None:
    """Nine billionths more than 3 GPUs are 4 of them; half a billionth more are 3."""
    tolerance = np.array([[1e-9]])

    def counted(word: Operation, x: float) -> float:
        return float(word(np.array([[x]]), tolerance)[0, 0])

    assert [counted(ceil, 3 + excess) for excess in (5e-10, 9e-9)] == [3, 4]
    assert [counted(whole, 3 - lack) for lack in (5e-10, 9e-9)] == [3, 2]
    # a need of nothing is no GPU, also where rounding makes it less than nothing
    assert [counted(ceil, x) for x in (0, -1e-12, 1e-12, -2)] == [0, 0, 0, 0]


def test_ratio_is_0_where_it_would_divide_by_0() -> None:
    with np.errstate(all="raise"):
        found = ratio(np.array([[1.0, -1.0, 0.0, 6.0]]), np.array([[0.0, 0.0, 0.0, 3.0]]))
    np.testing.assert_array_equal(found, [[0, 0, 0, 6 / 3]])


def test_at_most_forgives_rounding_and_not_a_cent_in_a_million() -> None:
    tolerance = np.array([[1e-9]])

    def holds(x: float, y: float) -> float:
        return float(at_most(np.array([[x]]), np.array([[y]]), tolerance)[0, 0])

    assert 0.1 + 0.2 > 0.3
    assert holds(0.1 + 0.2, 0.3) == 1
    assert holds(1_000_000 + 0.01, 1_000_000) == 0
    # below an amount of 1 the tolerance is absolute, so that rounding around 0 is forgiven too
    assert holds(1e-10, -1e-10) == 1
    assert holds(1e-8, -1e-8) == 0


def test_power_is_written_so_that_no_spreadsheet_reads_it_otherwise() -> None:
    """-2^2 is 4 in a spreadsheet and -4 in Python; 2^3^2 is 64 there and 512 here."""

    def leaf(reference: Reference, cells: str) -> str:
        return reference.line

    x, y = Reference("x"), Reference("y")
    assert formula(-(x**y), leaf) == "(-(x^y))"
    assert formula((-x) ** y, leaf) == "(-x)^y"
    assert formula(x ** (y**x), leaf) == "x^(y^x)"
    assert formula((x**y) ** x, leaf) == "(x^y)^x"


def plain(expression: Any) -> str:
    return formula(expression, lambda reference, cells: reference.line)


def test_what_changes_nothing_leaves_no_trace() -> None:
    """A literal 1 or 0 stands for what the scenario does not give."""
    x = Reference("x")
    for same in (x * 1, 1 * x, x / 1, x + 0, 0 + x, x - 0):
        assert same is x
    assert plain((x + 0) * 1 - 0) == "x"
    # inside another expression too, and before its brackets are chosen
    assert plain((x + 0) * Reference("y")) == "x*y"
    assert plain((x * 1 + Reference("y")) / 1) == "x+y"


def test_what_comes_to_nothing_is_0() -> None:
    """What is not there has no total, no past and no share; the numbers of a word say so too."""
    x = Reference("x")
    for nothing in (x * 0, 0 * x, -(x * 0), 0 * x / x, 0 + x * 0, sum_product(x, 0)):
        assert isinstance(nothing, Literal)
        assert nothing.value == 0

    vanishing = set()
    for name, word in VOCABULARY.items():
        for position in range(len(word.parameters)):
            operands: list[Any] = [Reference(parameter) for parameter in word.parameters]
            operands[position] = Literal(0)
            try:
                comes_to = word(*operands)
            except NotTraceable:
                continue
            if isinstance(comes_to, Literal):
                vanishing.add((name, position))
                sample = [array(row) for row in CASES[name][0]]
                sample[position] = 0 * sample[position]
                found = word.numbers(*sample)
                assert comes_to.value == 0
                np.testing.assert_array_equal(found, 0 * found)
                assert (word.numbers(*map(array, CASES[name][0])) != 0).any()
    words = {
        "*", "/", "negative", "ratio", "total", "highest", "cumulative", "highest_yet",
        "following", "lag", "sum_product", "backwards", "over_cohorts", "year_to_date",
        "shares_by_age", "trailing_highest",
    }  # fmt: skip
    products = {("*", 1), ("sum_product", 1), ("over_cohorts", 1)}
    assert vanishing == {(word, 0) for word in words} | products


def test_what_changes_something_stays() -> None:
    """0 - x, 1 / x and x to the power of 1 are not x."""
    x = Reference("x")
    assert plain(0 - x) == "0-x"
    assert plain(1 / x) == "1/x"
    assert plain(np.minimum(x, 0)) == "MIN(x,0)"
    assert plain(np.where(x > 0, 0, x)) == "IF(x>0,0,x)"
    assert plain(x / Reference("zero")) == "x/zero"
    assert plain(annuity(0, x)) == "(-PV(0,x,1))"
    assert plain(x * -1) == "x*(-1)"
    assert plain(x + 1) == "x+1"
    assert plain(x - 1) == "x-1"
    assert plain(x**1) == "x^1"
    assert plain(np.maximum(x, 0)) == "MAX(x,0)"
    # a number that is 1 by what it holds and not by what it is stays in sight
    assert plain(x * Reference("one")) == "x*one"


def test_a_comparison_plus_nothing_is_still_refused() -> None:
    with pytest.raises(NotTraceable, match="a comparison may only be the condition"):
        (Reference("x") > 0) + 0


@pytest.mark.parametrize("word", [w for w in VOCABULARY.values() if w.reads_whole_row])
def test_a_word_over_a_row_needs_a_row(word: Operation) -> None:
    operands = [Reference(parameter) + 1 for parameter in word.parameters]
    with pytest.raises(NoRow, match="name its operand as its own line"):
        formula(word(*operands), lambda reference, cells: "A1")


def test_which_words_change_the_shape() -> None:
    given = {word.name: word.gives for word in VOCABULARY.values() if word.gives}
    assert given == {
        "lookup": MONTHS,
        "total": SCALAR,
        "highest": SCALAR,
        "sum_product": SCALAR,
        "backwards": MONTHS,
    }


MONEY, HOURS, KWH, FLAG, PRICE, GPU_HOURS = map(
    unit_of, (Money, Hours, KilowattHours, Flag, MoneyPerGpuHour, GpuHours)
)


@pytest.mark.parametrize(
    ("name", "operands", "gives"),
    [
        *[(name, (MONEY, MONEY), MONEY) for name in ("+", "-", "minimum", "maximum")],
        *[(name, (MONEY, None), MONEY) for name in ("+", "-", "minimum", "maximum")],
        ("*", (GPU_HOURS, PRICE), MONEY),
        ("*", (MONEY, None), None),  # a literal 0 stays a fit for any unit
        ("/", (MONEY, GPU_HOURS), PRICE),
        ("ratio", (MONEY, GPU_HOURS), PRICE),
        ("^", (FLAG, unit_of(Month)), FLAG),
        ("negative", (MONEY,), MONEY),
        *[(name, (MONEY, MONEY), FLAG) for name in (">", ">=", "<", "<=", "==")],
        ("at_most", (MONEY, MONEY, FLAG), FLAG),
        ("where", (FLAG, MONEY, MONEY), MONEY),
        ("where", (FLAG, MONEY, None), MONEY),
        ("modulo", (FLAG, FLAG), FLAG),
        ("lookup", (FLAG, FLAG, HOURS), HOURS),
        *[(name, (MONEY,), MONEY) for name in ("total", "highest", "cumulative", "highest_yet")],
        ("sum_product", (GPU_HOURS, PRICE), MONEY),
        ("ceil", (HOURS, FLAG), HOURS),
        ("whole", (HOURS, FLAG), HOURS),
        ("following", (MONEY,), MONEY),
        ("lag", (MONEY, FLAG, FLAG), MONEY),
        ("mean_excess", (HOURS, HOURS, FLAG, FLAG), HOURS),
        ("mean_excess", (HOURS, None, FLAG, FLAG), HOURS),
        ("backwards", (MONEY, FLAG, FLAG), MONEY),
        ("over_cohorts", (MONEY, FLAG, FLAG, FLAG), MONEY),
        ("over_cohorts", (GPU_HOURS, PRICE, FLAG, FLAG), MONEY),
        ("year_to_date", (MONEY, FLAG), MONEY),
        ("shares_by_age", (MONEY, FLAG, FLAG, FLAG, FLAG, FLAG), MONEY),
        ("trailing_highest", (KWH, FLAG, FLAG), KWH),
        ("annuity", (FLAG, FLAG), FLAG),
    ],
)
def test_unit_of_a_word(name: str, operands: tuple[Unit | None, ...], gives: Unit | None) -> None:
    found = VOCABULARY[name].unit(*operands)
    assert (found and found.dimensions) == (gives and gives.dimensions)


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        *[(name, (MONEY, HOURS)) for name in ("+", "-", "minimum", "maximum")],
        *[(name, (MONEY, HOURS)) for name in (">", ">=", "<", "<=", "==")],
        ("^", (MONEY, FLAG)),
        ("^", (FLAG, MONEY)),
        ("at_most", (MONEY, HOURS, FLAG)),
        ("at_most", (MONEY, MONEY, MONEY)),
        ("where", (MONEY, HOURS, HOURS)),
        ("where", (FLAG, MONEY, HOURS)),
        ("modulo", (MONEY, FLAG)),
        ("lookup", (MONEY, HOURS, KWH)),
        ("mean_excess", (HOURS, MONEY, FLAG, FLAG)),
        ("mean_excess", (HOURS, HOURS, HOURS, FLAG)),
        ("lag", (MONEY, FLAG, HOURS)),
        ("ceil", (HOURS, HOURS)),
        ("whole", (HOURS, HOURS)),
        ("backwards", (MONEY, FLAG, HOURS)),
        ("over_cohorts", (MONEY, FLAG, FLAG, HOURS)),
        ("year_to_date", (MONEY, HOURS)),
        ("shares_by_age", (MONEY, FLAG, HOURS, FLAG, FLAG, FLAG)),
        ("shares_by_age", (MONEY, FLAG, FLAG, HOURS, FLAG, FLAG)),
        ("shares_by_age", (MONEY, FLAG, FLAG, FLAG, FLAG, HOURS)),
        ("trailing_highest", (MONEY, FLAG, HOURS)),
        ("annuity", (MONEY, FLAG)),
        ("annuity", (FLAG, HOURS)),
    ],
)
def test_unlike_quantities_may_not_meet(name: str, operands: tuple[Unit, ...]) -> None:
    with pytest.raises(UnitMismatch):
        VOCABULARY[name].unit(*operands)


def test_a_word_called_with_numbers_computes() -> None:
    np.testing.assert_array_equal(modulo(np.array([[13.0]]), np.array([[12.0]])), [[1.0]])
