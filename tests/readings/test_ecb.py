"""Reference rates of the ECB: their direction, cross rates, the year behind them."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.readings.prices.ecb import KIND, Rates, rates_of
from tco.readings.reading import Asked, Dropped, Head, ReadingError

FILES = Path(__file__).parent / "files" / "ecb"
DAY, HISTORY = FILES / "day.csv", FILES / "history.csv"


def saved(folder: Path, text: str, name: str = "rates.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def history(folder: Path, days: int, cny: list[str] | None = None) -> Path:
    """A file of so many working days up to 2026-04-13, the latest first as the ECB has them."""
    last = date(2026, 4, 13)
    every = [last - timedelta(days=n) for n in range(2 * days)]
    working = [day for day in every if day.weekday() < 5][:days]
    rates = cny or ["8.0000"]
    rows = [f"{day},1.25,{rates[n % len(rates)]}," for n, day in enumerate(working)]
    return saved(folder, "\n".join(["Date,USD,CNY,", *rows]) + "\n", "history.csv")


def test_the_rates_are_foreign_units_for_one_euro() -> None:
    reading = KIND.read([DAY], Asked())
    assert {entry.subject: entry.content for entry in reading.entries} == {
        "EUR": {"value": 1.0, "per": "EUR"},
        "USD": {"value": 1.1684, "per": "EUR"},
        "JPY": {"value": 186.75, "per": "EUR"},
        "CNY": {"value": 7.9827, "per": "EUR"},
        "IDR": {"value": 20082.05, "per": "EUR"},
    }
    entry = reading.entries[3]
    assert (entry.room, entry.field, entry.day, entry.basis) == (
        "currency",
        "currency",
        date(2026, 4, 13),
        "published",
    )
    assert (entry.label, entry.shown) == ("CNY for one EUR", "7.9827 CNY/EUR")
    assert reading.used == 1


def test_a_cross_rate_is_the_quotient() -> None:
    rates = rates_of([DAY], Asked())
    # 7.9827 yuan and 1.1684 dollars are both one euro
    assert rates.rate("CNY", per="USD").value == float(f"{7.9827 / 1.1684:.6g}") == 6.83216
    assert rates.rate("USD", per="CNY").value == float(f"{1.1684 / 7.9827:.6g}")
    assert rates.rate("EUR", per="USD").value == float(f"{1 / 1.1684:.6g}")
    row = next(row for row in KIND.read([DAY], Asked()).tables[0].rows if row[0] == "CNY")
    assert row == ("CNY", "7.9827", "6.83216", "1")


@given(*[st.decimals("0.01", "1000", places=4)] * 2)
def test_there_and_back_is_one(one: Decimal, other: Decimal) -> None:
    rates = Rates({date(2026, 4, 13): {"AAA": one, "BBB": other}})
    there, back = rates.rate("AAA", per="BBB").value, rates.rate("BBB", per="AAA").value
    assert there * back == pytest.approx(1, rel=2e-5)
    assert rates.rate("AAA", per="AAA").value == 1


def test_no_rate_is_no_zero() -> None:
    with pytest.raises(KeyError, match="no rate of XXX for one USD on 2026-04-13"):
        rates_of([DAY], Asked()).rate("XXX", per="USD")


def test_days_of_both_spellings_are_one_history(tmp_path: Path) -> None:
    # eurofxref.csv writes 13 April 2026, the history 2026-04-10
    older = saved(tmp_path, "Date,USD,JPY,CNY,BGN,\n2026-04-10,1.1700,185.00,8.0000,1.9558,\n")
    reading = KIND.read([older, DAY], Asked())
    assert reading.used == 2
    assert reading.period is not None
    assert (reading.period.begin.date(), reading.period.last_day) == (
        date(2026, 4, 10),
        date(2026, 4, 13),
    )
    assert {entry.day for entry in reading.entries} == {date(2026, 4, 13)}
    assert reading.entries[1].content == {"value": 1.1684, "per": "EUR"}
    # of a currency that has gone there is no rate to write
    assert reading.remarks[-1] == "no rate on 2026-04-13, so none is written: BGN"


def test_na_is_no_rate() -> None:
    rates = rates_of([HISTORY], Asked())
    assert rates.currencies == ("EUR", "USD", "CNY")
    assert rates.days[date(2026, 4, 9)] == {"USD": Decimal("1.2000"), "CNY": Decimal("8.4000")}
    assert rates.rate("CNY", per="USD").value == 6.8  # 8.5 / 1.25


def test_the_year_behind_gives_low_and_high(tmp_path: Path) -> None:
    # 300 working days, of which 8.00 to 8.90 in turn: the P10 of ten equal parts lies between the
    # first and the second
    path = history(tmp_path, 300, [f"8.{n}000" for n in range(10)])
    rate = rates_of([path], Asked()).rate("CNY")
    days = 261  # working days from 2025-04-14 to 2026-04-13
    assert rate.days == days
    # 261 days are 26 of each and one more 8.00: a tenth is 26.1, within the 27 of 8.00
    assert (rate.low, rate.high) == (8.0, 8.8)
    reading = KIND.read([path], Asked())
    assert reading.entries[2].content == {"value": 8.0, "per": "EUR", "low": 8.0, "high": 8.8}
    assert reading.used == days
    assert reading.dropped == (
        Dropped("more than a year before the latest day", 300 - days, 2 + days),
    )
    assert reading.entries[2].note == "low and high: P10 and P90 of 261 days"
    assert (
        reading.remarks[1]
        == "low and high: the P10 and the P90 of the 261 days of the year before it"
    )


def test_a_rate_outside_its_own_year_widens_it(tmp_path: Path) -> None:
    # the latest rate is the highest of all; a scenario has no value above its high
    path = history(tmp_path, 300, ["9.0000", *["8.0000"] * 299])
    rate = rates_of([path], Asked()).rate("CNY")
    assert (rate.value, rate.low, rate.high) == (9.0, 8.0, 9.0)


def test_the_low_of_a_cross_rate_is_of_its_own_days(tmp_path: Path) -> None:
    # both move together, so that their quotient does not move at all
    rows = [
        f"{date(2026, 4, 13) - timedelta(days=n)},{1 + n % 2},{7 * (1 + n % 2)}" for n in range(365)
    ]
    rates = rates_of([saved(tmp_path, "\n".join(["Date,USD,CNY", *rows]))], Asked())
    assert (rates.rate("CNY").low, rates.rate("CNY").high) == (7.0, 14.0)
    cross = rates.rate("CNY", per="USD")
    assert (cross.low, cross.value, cross.high) == (7.0, 7.0, 7.0)


def test_less_than_a_year_has_no_low_and_high(tmp_path: Path) -> None:
    reading = KIND.read([history(tmp_path, 200)], Asked())
    assert reading.entries[2].content == {"value": 8.0, "per": "EUR"}
    assert reading.remarks[1] == (
        "low and high need a year of days: the file eurofxref-hist.csv has them"
    )


def test_saved_again_by_a_spreadsheet(tmp_path: Path) -> None:
    path = saved(tmp_path, "\ufeffDate;USD;JPY;CNY\r\n13.04.2026;1,1684;186,75;7,9827\r\n")
    assert rates_of([path], Asked()).rate("CNY", per="USD").value == 6.83216


def test_a_day_that_may_be_two_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, "Date,USD,JPY\n03/04/2026,1.1684,186.75\n")
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert (caught.value.line, caught.value.field) == (2, "Date")


@pytest.mark.parametrize(
    ("rates", "field", "found", "expected"),
    [
        ("1.1684,0.005355", "JPY", "0.005355: euros for one JPY", "JPY for one euro"),
        ("0,186.75", "USD", "0", "a rate above 0"),
        ("-1.1684,186.75", "USD", "-1.1684", "a rate above 0"),
    ],
)
def test_a_rate_that_cannot_be_one_is_refused(
    tmp_path: Path, rates: str, field: str, found: str, expected: str
) -> None:
    path = saved(tmp_path, f"Date,USD,JPY\n2026-04-13,{rates}\n")
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    error = caught.value
    assert (error.line, error.field, error.found, error.expected) == (2, field, found, expected)


def test_two_rates_of_one_day_are_refused(tmp_path: Path) -> None:
    other = saved(tmp_path, "Date,USD,CNY\n2026-04-13,1.1684,8.0000\n")
    with pytest.raises(ReadingError) as caught:
        KIND.read([DAY, other], Asked())
    assert str(caught.value) == (
        f"{other}, line 2: CNY\n"
        "  found:    8.0000, and 7.9827 before it on the same day, 2026-04-13\n"
        "  expected: one rate of a currency on a day\n"
        "  next:     leave one of the two rows or files out"
    )


def test_rows_without_a_day_are_counted(tmp_path: Path) -> None:
    path = saved(tmp_path, "Date,USD,CNY\n2026-04-13,1.1684,7.9827\n,1.2,8.0\n")
    assert KIND.read([path], Asked()).dropped == (Dropped("no date", 1, 3),)


@pytest.mark.parametrize("rows", ["", "2026-04-13,N/A,N/A\n"])
def test_a_file_without_a_rate(tmp_path: Path, rows: str) -> None:
    path = saved(tmp_path, f"Date,USD,CNY\n{rows}")
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert str(caught.value) == (
        f"{path}\n"
        "  found:    no day with a rate\n"
        "  expected: a row for each day\n"
        "  next:     give eurofxref.csv or eurofxref-hist.csv of the European Central Bank"
    )


def test_it_is_known_by_its_columns() -> None:
    assert KIND.recognises(Head(Path("a"), DAY.read_text()))
    assert KIND.recognises(Head(Path("a"), HISTORY.read_text()))
    assert not KIND.recognises(Head(DAY, "Date,usd,model\n"))
    assert not KIND.recognises(Head(DAY, "Date,cost,usd,tokens_in\n"))
