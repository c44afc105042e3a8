"""Delimited text in every form that programs write and spreadsheets save again."""

import contextlib
import math
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.readings.reading import Asked, Dropped, ReadingError
from tco.readings.texts import spreadsheet
from tco.readings.texts.cells import quantity_of
from tco.readings.texts.spreadsheet import (
    DOLLARS,
    MEBIBYTES,
    PERCENT,
    WATTS,
    Place,
    Sheet,
    is_missing,
    moment,
    number,
    raw_rows,
)

HERE = Place("a.csv", 7, "power")


def sheet(folder: Path, text: str | bytes, columns: list[str] | None = None) -> Sheet:
    path = folder / "a.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Sheet(path, Asked(), columns)


def cells(of: Sheet) -> list[list[str]]:
    return [list(row.cells.values()) for row in of.rows()]


def numbers(of: Sheet, units: dict[str, float] | None = None) -> list[list[float | None]]:
    return [
        [of.number(text, name, row.line, units or {}) for name, text in row.cells.items()]
        for row in of.rows()
    ]


def refusal(of: Sheet) -> str:
    with pytest.raises(ReadingError) as refused:
        numbers(of)
    return str(refused.value).replace(str(of.path), "a.csv")


# --------------------------------------------------------------------------- the rows

TABLE = [["10:00", "45"], ["10:01", "50"]]


@pytest.mark.parametrize(
    "text",
    [
        "time,used\n10:00,45\n10:01,50\n",
        "time, used\r\n10:00, 45\r\n10:01, 50\r\n",
        "time;used\n10:00;45\n10:01;50",
        "time\tused\r10:00\t45\r10:01\t50\r",
        "time|used|\n10:00|45|\n10:01|50|\n",
        '"time","used"\n"10:00","45"\n"10:01","50"\n',
        "sep=;\r\ntime;used\r\n10:00;45\r\n10:01;50\r\n",
        '"sep=,"\ntime,used\n10:00,45\n10:01,50\n',
        "\n\ntime,used,,\n10:00,45,,\n,,,\n10:01,50,,\n,,,\n",
        "time,used\n10:00,45,\n10:01,50,,\n",
        "﻿time,used\n10:00,45\n10:01,50\n",
        " time , used \n 10:00 , 45 \n\n 10:01 , 50 \n",
    ],
    ids=[
        "comma",
        "comma and space, CRLF",
        "semicolon, no last newline",
        "tab, CR",
        "bar, trailing separators",
        "all quoted",
        "sep line",
        "sep line in quotes",
        "blank rows and columns of a spreadsheet",
        "trailing separators in rows only",
        "byte order mark",
        "spaces",
    ],
)
def test_the_same_table_in_every_form(tmp_path: Path, text: str) -> None:
    read = sheet(tmp_path, text)
    assert (read.columns, cells(read), read.dropped) == (("time", "used"), TABLE, ())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_with_their_mark(tmp_path: Path, encoding: str) -> None:
    read = sheet(tmp_path, "name;价格\nA100 – 80GB;１２,5\n".encode(encoding))
    assert read.columns == ("name", "价格")
    assert [row.cells["name"] for row in read.rows()] == ["A100 – 80GB"]
    assert read.number("１２,5", "价格", 2) == 12.5


def test_a_cell_in_quotes_may_hold_separators_quotes_and_lines(tmp_path: Path) -> None:
    read = sheet(tmp_path, 'key,n\n"a, ""b""\nc",1\nd,2\n')
    assert [(row.line, row.cells["key"]) for row in read.rows()] == [(2, 'a, "b"\nc'), (4, "d")]


def test_a_file_without_a_head_is_given_its_names(tmp_path: Path) -> None:
    read = sheet(tmp_path, "10:00,45\n10:01,50\n", ["time", "used"])
    assert cells(read) == TABLE


def test_a_bar_divides_without_quotes(tmp_path: Path) -> None:
    # sacct writes a name with a quote as it is
    read = sheet(tmp_path, 'JobID|JobName\n1|"train" 7\n2|5" disk\n3|"\n')
    assert cells(read) == [["1", '"train" 7'], ["2", '5" disk'], ["3", '"']]


def test_the_head_again_is_passed_over_and_counted(tmp_path: Path) -> None:
    read = sheet(tmp_path, "a,b\n1,2\na,b\n3,4\na, b\n5,6\n")
    assert cells(read) == [["1", "2"], ["3", "4"], ["5", "6"]]
    assert read.dropped == (Dropped("the head again", 2, 3),)
    assert read.repeated_heads == 2


def test_another_head_among_the_rows_is_refused(tmp_path: Path) -> None:
    text = "time,used,power,name\n1,2,3,x\npower,time,used,name\n3,1,2,x\n"
    assert refusal(sheet(tmp_path, text.replace("x", "9"))) == (
        "a.csv, line 3\n"
        "  found:    another head: power, time, used, name\n"
        "  expected: the head of the first line, time, used, power, name\n"
        "  next:     give each table as a file of its own"
    )


def test_rows_of_another_width_are_counted_with_the_first(tmp_path: Path) -> None:
    read = sheet(tmp_path, "a,b,c\n1,2,3\n1,2\n1,2,3,4\n5,6,7\n")
    assert cells(read) == [["1", "2", "3"], ["5", "6", "7"]]
    assert read.dropped == (Dropped("another number of cells than the head", 2, 3),)
    assert read.ragged == 2
    # and the same when it is read again
    assert cells(read) == [["1", "2", "3"], ["5", "6", "7"]]
    assert read.ragged == 2


def test_no_row_of_the_width_of_the_head_is_refused(tmp_path: Path) -> None:
    assert refusal(sheet(tmp_path, "a,b,c\n1,2\n3,4\n")) == (
        "a.csv, line 2\n"
        "  found:    2 cells under 3 names, and no row has 3\n"
        "  expected: as many cells as the head has names\n"
        "  next:     the head and the rows are of different versions: export the file again"
    )


@pytest.mark.parametrize("end", ["3", '3,"4', '"3', '3,"4\n'])
def test_a_last_row_that_is_cut_off_is_left_out_and_told(tmp_path: Path, end: str) -> None:
    read = sheet(tmp_path, f"a,b\n1,2\n{end}")
    assert cells(read) == [["1", "2"]]
    assert read.dropped == (Dropped("the last row, which is cut off", 1, 3),)


@pytest.mark.parametrize("text", ['a,b\n"1,2\n3,4\n5,6\n', 'a,b\n1,"2"x\n3,4\n'])
def test_quotes_that_would_swallow_rows_are_refused(tmp_path: Path, text: str) -> None:
    message = refusal(sheet(tmp_path, text))
    assert message.startswith("a.csv, line 2\n  found:    a cell in quotes that is not closed")


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        ("a,b\n1,é\n".encode("latin-1"), 2, "the byte 0xE9, which is not UTF-8"),
        (b"a,b\n1,2\n3,\xff\xfe\n", 3, "the byte 0xFF, which is not UTF-8"),
        (b"a,b\n1,\xed\xa0\x80\n", 2, "the byte 0xED, which is not UTF-8"),
        (b"a,b\n1,2\0\n", 2, "bytes of zero: no text, or UTF-16 without its mark"),
        ("a,b\n".encode("utf-16-le"), 1, "bytes of zero: no text, or UTF-16 without its mark"),
        (
            "a,b\n1,2\n".encode("utf-16")[:-1],
            2,
            "text that begins as UTF-16 and does not go on so",
        ),
        (b"a,b\n" + b"1" * (spreadsheet.LONGEST_LINE + 1), 2, "a line of more than 1,048,576"),
        (b"a,a\n1,2\n", None, "two columns of the name a"),
        (b"", None, "an empty file"),
        (b"\n \n,,\n", None, "no row at all"),
    ],
    ids=range(10),
)
def test_what_is_no_table_is_refused_with_the_line(
    tmp_path: Path, content: bytes, line: int | None, found: str
) -> None:
    with pytest.raises(ReadingError) as refused:
        cells(sheet(tmp_path, content))
    assert refused.value.line == line
    assert refused.value.found.startswith(found)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadingError) as refused:
        Sheet(tmp_path / "no.csv", Asked())
    assert str(refused.value).split("\n", 1)[1] == (
        "  found:    No such file or directory\n"
        "  expected: a file that can be read\n"
        "  next:     check the path"
    )


def test_columns_are_found_in_any_case_and_missed_with_their_names(tmp_path: Path) -> None:
    read = sheet(tmp_path, "Power.Draw [W],Time\n1,2\n")
    assert read.column("power.draw [w]") == read.need("x", "POWER.DRAW [W]") == "Power.Draw [W]"
    assert read.column("power.limit [W]") is None
    with pytest.raises(ReadingError) as refused:
        read.need("utilization.gpu [%]", "util")
    assert refused.value.expected == "a column utilization.gpu [%] or util"
    assert refused.value.found == "columns Power.Draw [W], Time"


@pytest.mark.parametrize("rows", [0, 1, 18, 19, 20, 21, 22, 45])
def test_no_row_is_lost(tmp_path: Path, rows: int) -> None:
    # the separator is told from the first 20 lines, and the rows begin among them
    read = sheet(tmp_path, "a,b\n" + "".join(f"{n},{n}\n" for n in range(rows)))
    assert [row.cells["a"] for row in read.rows()] == [str(n) for n in range(rows)]
    assert [row.line for row in read.rows()] == list(range(2, rows + 2))


def test_progress_is_told_up_to_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "1,2\n" * 5000)
    told: list[tuple[int, int]] = []
    read = Sheet(path, Asked(progress=lambda done, total: told.append((done, total))))
    assert sum(1 for _ in read.rows()) == 5000
    size = path.stat().st_size
    assert told[-1] == (size, size)
    assert len(told) == 6
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_two_tables_in_one_file_are_read_as_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"Metric,avg\r\nLatency (ms),5.00\r\n\r\nMetric,Value\r\nRate,456.00\r\n")
    assert list(raw_rows(path, Asked())) == [
        (1, ["Metric", "avg"]),
        (2, ["Latency (ms)", "5.00"]),
        (3, []),
        (4, ["Metric", "Value"]),
        (5, ["Rate", "456.00"]),
    ]


# ------------------------------------------------------------------------- numbers alone


@pytest.mark.parametrize(
    ("text", "units", "value"),
    [
        ("45 %", PERCENT, 45),
        ("70%", PERCENT, 70),
        ("７０％", PERCENT, 70),
        ("298.48 W", WATTS, 298.48),
        ("20 W", WATTS, 20),
        ("0.3 kW", WATTS, 300),
        ("38742 MiB", MEBIBYTES, 38742),
        ("$1,234.50", DOLLARS, 1234.5),
        ("-$1,234.50", DOLLARS, -1234.5),
        ("$-0.02", DOLLARS, -0.02),
        ("($1,234.50)", DOLLARS, -1234.5),
        ("1,234.50 USD", DOLLARS, 1234.5),
        ("US$ 3", DOLLARS, 3),
        ("+5", {}, 5),
        ("−5", {}, -5),
        ("(5)", {}, -5),
        ("1e-06", {}, 1e-6),
        ("1.5E+05", {}, 150_000),
        (".5", {}, 0.5),
        ("5.", {}, 5),
        ("007", {}, 7),
        ("1 234.5", {}, 1234.5),
        ("1\u00a0234\u00a0567", {}, 1_234_567),
        ("1\u202f234.5", {}, 1234.5),
        ("1'234'567.5", {}, 1_234_567.5),
        ("1’234.5", {}, 1234.5),
        ("1,234,567", {}, 1_234_567),
        ("1.000", {}, 1),
        ("59200.0", {}, 59200),
    ],
)
def test_numbers_as_programs_write_them(text: str, units: dict[str, float], value: float) -> None:
    assert number(text, HERE, units) == value


@pytest.mark.parametrize("value", [3, 3.0, Decimal(3), "3"])
def test_numbers_of_json(value: object) -> None:
    assert number(value, HERE) == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "N/A",
        "[N/A]",
        "[Not Supported]",
        "[GPU requires reset]",
        "#N/A",
        "NaN",
        "null",
    ],
)
def test_what_says_that_there_is_no_value_is_none(text: str) -> None:
    assert number(text, HERE) is None
    assert moment(text, HERE) is None
    assert is_missing(text)


def test_missing_values_of_json_are_none() -> None:
    assert number(None, HERE) is None
    assert number(math.nan, HERE) is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "fast",
            '  found:    "fast"\n'
            "  expected: a number without a unit\n"
            "  next:     write a number such as 1234.5, or empty the cell if there is none",
        ),
        (
            "5 kg",
            '  found:    "5 kg"; kg is not a unit that is known here\n'
            "  expected: a number without a unit\n"
            "  next:     write the number in that unit, or leave the unit out if it is the one "
            "expected",
        ),
        (
            "inf",
            '  found:    "inf"\n'
            "  expected: a number without a unit\n"
            "  next:     an infinite value is no measurement: empty the cell or leave the row out",
        ),
        (
            "#DIV/0!",
            '  found:    "#DIV/0!"\n'
            "  expected: a number without a unit\n"
            "  next:     a formula of a spreadsheet failed here: mend it or empty the cell, and "
            "save again",
        ),
        (
            True,
            "  found:    True\n  expected: a number\n  next:     write a number such as 1234.5",
        ),
        (
            "1e400",
            "  found:    a number of the size 1e400\n"
            "  expected: a number between 1e-300 and 1e300\n"
            "  next:     empty the cell or leave the row out",
        ),
    ],
)
def test_what_is_no_number_is_refused(value: object, message: str) -> None:
    with pytest.raises(ReadingError) as refused:
        number(value, HERE)
    assert str(refused.value) == f"a.csv, line 7: power\n{message}"


@pytest.mark.parametrize(
    "text",
    [
        *("1,2,3", "1.2.3", "12,34", "1,23.4", "--5", "-(5)", "5-", "1 2", "1e", "0x10", "1_000"),
        *("²", "١٢", "½", "∞", "10²", "5 5 W", "1..5", ",", ".", "1,000 000", "$", "W", "1 234 5"),
        "9" * 70,
    ],
)
def test_what_looks_like_a_number_and_is_none_is_refused(text: str) -> None:
    with pytest.raises(ReadingError):
        number(text, HERE, WATTS | DOLLARS)


@pytest.mark.parametrize("value", [math.inf, -math.inf, [1], {"a": 1}, False])
def test_what_is_no_number_of_json_is_refused(value: object) -> None:
    with pytest.raises(ReadingError):
        number(value, HERE)


# ------------------------------------------------- numbers by the convention of the file


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # points: rates of a bank, of which 24.378 alone could be thousands
        (["24.378;1.1684"], [[24.378, 1.1684]]),
        (["1.234;0.123"], [[1.234, 0.123]]),
        (["1,234;1,234.5"], [[1234, 1234.5]]),
        (["1,234;1,234,567"], [[1234, 1_234_567]]),
        (["1.234;1234.567"], [[1.234, 1234.567]]),
        (["1.234;1.5e3"], [[1.234, 1500]]),
        (["1.234;1'234.5"], [[1.234, 1234.5]]),
        # commas
        (["1.000;2,5"], [[1000, 2.5]]),
        (["1,000;2,5"], [[1, 2.5]]),
        (["1,234;0,123"], [[1.234, 0.123]]),
        (["1.234;1.234,50"], [[1234, 1234.5]]),
        (["1.234;1.234.567"], [[1234, 1_234_567]]),
        (["1,234;1 234,5"], [[1.234, 1234.5]]),
        # the other cells may stand below, and in the same column
        (["1.000;7", "2.500;8", "2,5;9"], [[1000, 7], [2500, 8], [2.5, 9]]),
        # a whole number, or a nought, tells nothing and needs nothing
        (["1000;0"], [[1000, 0]]),
        (["1 000;1'000"], [[1000, 1000]]),
    ],
)
def test_other_cells_settle_what_a_point_and_a_comma_mean(
    tmp_path: Path, rows: list[str], expected: list[list[float]]
) -> None:
    assert numbers(sheet(tmp_path, "\n".join(["a;b", *rows]) + "\n")) == expected


@pytest.mark.parametrize(
    ("text", "sign"),
    [("1.000", "point"), ("1,000", "comma"), ("12.345", "point"), ("-123,456", "comma")],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_without_evidence_both_readings_are_named(
    tmp_path: Path, text: str, sign: str, separator: str
) -> None:
    decimals = f"{Decimal(text.replace(',', '.')).normalize():f}"
    thousands = text.replace(",", "").replace(".", "")
    assert refusal(sheet(tmp_path, f'a{separator}b\n"{text}"{separator}7\n')) == (
        "a.csv, line 2: a\n"
        f'  found:    "{text}", which can be read in two ways; no other cell of the file '
        "settles it\n"
        "  expected: a number that can be read in one way\n"
        f"  next:     write {decimals} if the {sign} begins the decimals, "
        f"{thousands} if it separates thousands"
    )


@pytest.mark.parametrize("separated", [1, 300])
def test_a_cell_of_the_other_convention_is_refused_with_both(
    tmp_path: Path, separated: int
) -> None:
    text = "a;b\n2,5;1\n" + "7;1\n" * (separated - 1) + "2.75;1\n"
    assert refusal(sheet(tmp_path, text)) == (
        f"a.csv, line {separated + 2}: a\n"
        '  found:    "2.75" (a decimal point), after "2,5" (a decimal comma) on line 2\n'
        "  expected: one way of writing numbers in the whole file\n"
        "  next:     write them all in one way; two files put together are read as two files"
    )


def test_versions_in_a_column_that_is_not_asked_for_settle_nothing_against_its_own(
    tmp_path: Path,
) -> None:
    read = sheet(tmp_path, "driver;power\n550.54;1.234\n550.54;298,48\n")
    assert [read.number(row.cells["power"], "power", row.line) for row in read.rows()] == [
        1234,
        298.48,
    ]


def test_other_columns_that_disagree_settle_nothing(tmp_path: Path) -> None:
    read = sheet(tmp_path, "power;driver;other\n1.234;550.54;2,5\n")
    with pytest.raises(ReadingError) as refused:
        read.number("1.234", "power", 2)
    assert "1.234 if the point begins the decimals, 1234 if" in refused.value.next_step


def test_exact_amounts_stay_exact(tmp_path: Path) -> None:
    read = sheet(tmp_path, "amount;n\n0,8958740000000000;1\n$0,00000000000000000001;2\n")
    amounts = [read.decimal(row.cells["amount"], "amount", 2, DOLLARS) for row in read.rows()]
    assert amounts == [Decimal("0.895874"), Decimal("1e-20")]


DIGITS = st.decimals(
    allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=3
) | st.integers(-(10**9), 10**9).map(Decimal)


def written(value: Decimal, decimal_sign: str, group: str, style: str, places: int) -> str:
    """A number as a spreadsheet of some country shows it, with a unit."""
    whole, _, decimals = f"{abs(value):.{places}f}".partition(".")
    grouped = f"{int(whole):,}".replace(",", group)
    text = grouped + (decimal_sign + decimals if decimals else "")
    sign = "-" if value < 0 else ""
    return {
        "plain": f"{sign}{text}",
        "accounting": f"({text})" if sign else text,
        "dollars": f"{sign}${text}",
        "euros": f"{sign}{text} €",
        "percent": f"{sign}{text} %",
    }[style]


CONVENTIONS = [
    (".", ","),
    (",", "."),
    (".", ""),
    (",", ""),
    (",", " "),
    (".", "'"),
    (",", "\u202f"),
]
STYLES = ["plain", "accounting", "dollars", "euros", "percent"]
UNITS = PERCENT | DOLLARS | {"€": 1.0}


@given(
    values=st.lists(DIGITS, min_size=1, max_size=6),
    convention=st.sampled_from(CONVENTIONS),
    style=st.sampled_from(STYLES),
    places=st.integers(0, 4),
)
def test_a_number_written_and_read_is_that_number_or_refused_with_both(
    tmp_path_factory: pytest.TempPathFactory,
    values: list[Decimal],
    convention: tuple[str, str],
    style: str,
    places: int,
) -> None:
    values = [value.quantize(Decimal(1).scaleb(-places)) for value in values]
    texts = [written(value, *convention, style, places) for value in values]
    folder = tmp_path_factory.getbasetemp()
    read = sheet(folder, "n;x\n" + "".join(f'"{text}";x\n' for text in texts))
    evidence = any(
        (quantity := quantity_of(text)) and quantity.meanings.side is not None for text in texts
    )
    for row, value in zip(read.rows(), values, strict=True):
        try:
            found = read.decimal(row.cells["n"], "n", row.line, UNITS)
        except ReadingError as refused:
            assert not evidence
            amounts = refused.next_step.replace("write ", "").split(" if ")
            named = [Decimal(amounts[0]), Decimal(amounts[1].split(", ")[1])]
            assert value in named
        else:
            assert found == value


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_none_or_refused(text: str) -> None:
    for read in (number, moment):
        with contextlib.suppress(ReadingError):
            value = read(text, HERE)
            assert value is None or isinstance(value, datetime) or math.isfinite(value)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e290, max_value=1e290))
def test_every_float_that_a_program_writes_is_read_back(value: float) -> None:
    if value == 0 or abs(value) > 1e-290:
        assert number(repr(value), HERE) == value
        assert number(value, HERE) == value


# ------------------------------------------------------------------------------- moments

TEN = datetime(2026, 6, 29, 10, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-06-29", datetime(2026, 6, 29)),
        ("2026-06-29T10:00:00", TEN),
        ("2026-06-29 10:00", TEN),
        ("2026/06/29 10:00:00.250", TEN.replace(microsecond=250_000)),
        ("2026-06-28 03:46:57.713", datetime(2026, 6, 28, 3, 46, 57, 713_000)),
        (
            "2026-06-29T10:00:00,123456789+02:00",
            TEN.replace(microsecond=123_456, tzinfo=timezone(timedelta(hours=2))),
        ),
        ("2026-06-29T10:00:00Z", TEN.replace(tzinfo=UTC)),
        ("2026-06-29 10:00:00 UTC", TEN.replace(tzinfo=UTC)),
        ("2026-06-29 10:00:00+00", TEN.replace(tzinfo=UTC)),
        ("2026-06-29 10:00:00 +0000 UTC", TEN.replace(tzinfo=UTC)),
        ("2026-06-29 10:00:00-0530", TEN.replace(tzinfo=timezone(-timedelta(hours=5.5)))),
        ("2026-6-9", datetime(2026, 6, 9)),
        ("20260318-154232", datetime(2026, 3, 18, 15, 42, 32)),
        ("29.06.2026 10:00", TEN),
        ("03.04.2026", datetime(2026, 4, 3)),
        ("29/06/2026 10:00", TEN),
        ("06/29/2026, 10:00:00 AM", TEN),
        ("6/29/2026 10:00 pm", TEN.replace(hour=22)),
        ("06/29/2026 12:00 AM", datetime(2026, 6, 29)),
        ("03/03/2026", datetime(2026, 3, 3)),
        ("13 April 2026", datetime(2026, 4, 13)),
        ("3 Apr 2026 10:00", datetime(2026, 4, 3, 10)),
        ("13-Apr-2026", datetime(2026, 4, 13)),
        ("April 13, 2026", datetime(2026, 4, 13)),
        ("Sept 3 2026", datetime(2026, 9, 3)),
        ("1759622400", datetime(2025, 10, 5, tzinfo=UTC)),
        ("1759622400.5", datetime(2025, 10, 5, 0, 0, 0, 500_000, tzinfo=UTC)),
        ("1759622400000", datetime(2025, 10, 5, tzinfo=UTC)),
        ("1759622400000000000", datetime(2025, 10, 5, tzinfo=UTC)),
        (1759622400, datetime(2025, 10, 5, tzinfo=UTC)),
        (1759622400.5, datetime(2025, 10, 5, 0, 0, 0, 500_000, tzinfo=UTC)),
        (None, None),
    ],
)
def test_moments_as_programs_write_them(text: object, expected: datetime | None) -> None:
    found = moment(text, HERE)
    assert found == expected
    assert getattr(found, "tzinfo", None) == getattr(expected, "tzinfo", None)


@pytest.mark.parametrize(
    "value",
    [
        *("2026-02-30", "2026-06-29 25:00", "2026-06-29 10:61", "2026-06-29 13:00 PM", "12:00"),
        *("29-06-26", "13-Apr-26", "yesterday", "2026-06-29 10:00 PST", "13 Floréal 2026"),
        *("1899-12-31", "9999-12-31", "2026-06/29", "32/13/2026"),
        *("99999999999999999999", "123456789", "-1759622400"),
        *(math.inf, math.nan, 1e300, True, [], 10**400),
    ],
)
def test_what_is_no_moment_is_refused(value: object) -> None:
    with pytest.raises(ReadingError):
        moment(value, HERE)


def test_the_day_number_of_a_spreadsheet_is_refused_with_what_to_do() -> None:
    # 46,202 days after 1899-12-30, of which 46,022 reach to 2025-12-31 and 180 to 2026-06-29
    with pytest.raises(ReadingError) as refused:
        moment("46202.4167", HERE)
    assert str(refused.value) == (
        "a.csv, line 7: power\n"
        '  found:    "46202.4167", a day number of a spreadsheet (2026-06-29 if it counts from '
        "1900)\n"
        "  expected: a date and time\n"
        "  next:     format the column as yyyy-mm-dd hh:mm:ss in the spreadsheet and save it again"
    )


def test_a_date_that_can_be_read_in_two_ways_is_refused_with_both() -> None:
    with pytest.raises(ReadingError) as refused:
        moment("03/04/2026 10:00", HERE)
    assert str(refused.value) == (
        "a.csv, line 7: power\n"
        '  found:    "03/04/2026 10:00", which can be read in two ways\n'
        "  expected: a date that can be read in one way\n"
        "  next:     write 2026-04-03 if the day stands first, 2026-03-04 if the month does"
    )


def moments(of: Sheet, column: str = "t") -> list[datetime | None]:
    return [of.moment(row.cells[column], column, row.line) for row in of.rows()]


@pytest.mark.parametrize(
    ("other", "expected"),
    [("13/04/2026", datetime(2026, 4, 3)), ("04/13/2026", datetime(2026, 3, 4))],
)
@pytest.mark.parametrize("between", [0, 11_000])
def test_another_cell_of_the_column_settles_the_order(
    tmp_path: Path, other: str, expected: datetime, between: int
) -> None:
    text = "t;n\n03/04/2026;1\n" + "03/04/2026;1\n" * between + f"{other};1\n"
    assert moments(sheet(tmp_path, text))[0] == expected


def test_a_cell_of_another_column_settles_no_order(tmp_path: Path) -> None:
    read = sheet(tmp_path, "t;ended\n03/04/2026;13/04/2026\n")
    with pytest.raises(ReadingError):
        moments(read)


def test_a_date_of_the_other_order_is_refused_with_both(tmp_path: Path) -> None:
    read = sheet(tmp_path, "t;n\n13/04/2026;1\n04/14/2026;1\n")
    with pytest.raises(ReadingError) as refused:
        moments(read)
    assert str(refused.value).replace(str(read.path), "a.csv") == (
        "a.csv, line 3: t\n"
        '  found:    "04/14/2026" (month first), after "13/04/2026" (day first) on line 2\n'
        "  expected: one way of writing dates in the whole column\n"
        "  next:     write them all in one way; two files put together are read as two files"
    )


FORMATS = ["%Y-%m-%d %H:%M:%S.%f", "%Y/%m/%d %H:%M:%S.%f", "%d.%m.%Y %H:%M:%S.%f"]
FORMATS += ["%d/%m/%Y %H:%M:%S.%f", "%m/%d/%Y %I:%M:%S.%f %p", "%d %B %Y %H:%M:%S.%f"]


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2099, 12, 31)),
    st.sampled_from(FORMATS),
)
def test_a_moment_written_and_read_is_that_moment_or_refused_with_both(
    value: datetime, form: str
) -> None:
    text = value.strftime(form)
    if "/%Y" in form and value.day <= 12 and value.day != value.month:
        with pytest.raises(ReadingError) as refused:
            moment(text, HERE)
        assert f"{value:%Y-%m-%d}" in refused.value.next_step
        assert f"{value:%Y-%d-%m}" in refused.value.next_step
    else:
        assert moment(text, HERE) == value
