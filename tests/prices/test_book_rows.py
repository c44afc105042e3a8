"""The rows of the price book: complete, sourced, within reason, and never changed once released."""

import csv
import hashlib
import re
from collections import Counter
from datetime import date
from importlib.resources import files
from math import prod

import pytest

from tco.prices import book, cards
from tco.prices.book import Observation
from tco.prices.gpu_names import gpu_of

# the day on which the newest rows were looked up: no row is of a later one
LOOKED_UP = date(2026, 11, 30)

# Rows are added at the end of a file and never changed. Each release of the book adds a line here:
# how many rows a file had then, and the SHA-256 of these lines with the head.
RELEASES = [
    ("cards", 11, "5ad338e6109c9569328c0b92ab99e37c100e1aaa0e4968e864bbbcb2edc83af2"),
    ("rentals", 85, "02359ce1f589edac9207ef10536ffa4779a352d38469f50509f7803caaaa68af"),
    ("servers", 2, "30e7eee952353724c8d389f042907f4b1cd83abd00e615694f23a16a4d1c792e"),
    ("site", 17, "6ec288c6d71fea79ce560961e1c7e2ee01acf20b24470443ba3071357da4c605"),
    ("exchange rates", 29, "757f66aeec7ae5651f1408a4fc96e0c0d6cc7d24fe9142484652c7b909110a1f"),
]

HEAD = "thing,form,market,value,unit,currency,date,kind,source,note"
CURRENCIES = {"USD", "EUR", *(row.thing for row in book.observations("exchange rates"))}
# for a unit, the sizes between which a price of it can be believed
SIZES = {
    ("rentals", "GPU-hour"): (0.05, 30),
    ("cards", "GPU"): (500, 100_000),
    ("servers", "server"): (50_000, 1_000_000),
    ("site", "kWh"): (0.03, 0.40),
    ("site", "kW-month"): (50, 500),
    ("exchange rates", "EUR"): (0.1, 50_000),
}
ROWS = [(subject, row) for subject in book.FILES for row in book.observations(subject)]
EVERY_ROW = pytest.mark.parametrize(
    ("subject", "row"), ROWS, ids=[f"{row.thing} {row.market} {row.day}" for _, row in ROWS]
)


def lines(subject: str) -> list[str]:
    return (files("tco.prices") / book.FILES[subject]).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("subject", "rows", "digest"), RELEASES)
def test_released_rows_are_never_changed(subject: str, rows: int, digest: str) -> None:
    released = lines(subject)[: rows + 1]
    assert len(released) == rows + 1
    assert hashlib.sha256("\n".join(released).encode()).hexdigest() == digest


def test_every_row_is_of_a_release() -> None:
    released = {subject: max(n for s, n, _ in RELEASES if s == subject) for subject in book.FILES}
    assert released == {subject: len(lines(subject)) - 1 for subject in book.FILES}


@pytest.mark.parametrize("subject", book.FILES)
def test_a_row_is_one_line_with_every_cell(subject: str) -> None:
    head, *rest = lines(subject)
    assert head == HEAD
    assert [len(row) for row in csv.reader(rest)] == [len(HEAD.split(","))] * len(rest)


@EVERY_ROW
def test_a_row_is_complete_and_within_reason(subject: str, row: Observation) -> None:
    assert row.source.strip()
    assert row.market.strip()
    assert row.kind in book.KINDS
    assert row.currency in CURRENCIES
    assert re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", row.day)
    assert date(2019, 1, 1) <= row.since <= LOOKED_UP
    low, high = SIZES[subject, row.unit]
    assert low < row.value < high


@EVERY_ROW
def test_a_gpu_is_a_known_card_in_its_form(subject: str, row: Observation) -> None:
    if subject in ("cards", "rentals"):
        assert cards.card(row.thing) is not None
        assert row.form == (gpu_of(row.thing).form or "")
    else:
        assert cards.card(row.thing) is None
        assert row.form in ("", "sxm")


@EVERY_ROW
def test_arithmetic_in_a_note_gives_the_price(subject: str, row: Observation) -> None:
    """An instance by its GPUs, 55.04/8 = 6.88, or a host and an accelerator together."""
    shared = re.match(r"([\d.]+)/(\d+)", row.note)
    if shared:
        assert row.value == pytest.approx(float(shared[1]) / int(shared[2]), abs=5e-5)
    together = re.match(r"host ([\d.]+) \+ accelerator ([\d.]+)", row.note)
    if together:
        assert row.value == pytest.approx(float(together[1]) + float(together[2]))


def test_so_many_notes_hold_arithmetic() -> None:
    notes = [row.note for _, row in ROWS]
    assert sum(bool(re.match(r"[\d.]+/\d", note)) for note in notes) == 17
    assert sum(note.startswith("host ") for note in notes) == 2


def test_no_two_rows_say_the_price_of_the_same() -> None:
    keys = Counter((row.thing, row.unit, row.market, row.kind, row.day) for _, row in ROWS)
    assert [key for key, number in keys.items() if number > 1] == []


def test_one_currency_for_the_gpu_hour_of_a_card_so_that_a_median_can_be_taken() -> None:
    assert {row.currency for row in book.observations("rentals")} == {"USD"}


def test_a_spot_price_is_below_the_offers_on_demand_of_the_same_provider_and_day() -> None:
    by_key = {(row.thing, row.market, row.day, row.kind): row for _, row in ROWS}
    pairs = [
        (row, by_key[row.thing, row.market, row.day, "median"])
        for _, row in ROWS
        if row.kind == "spot" and (row.thing, row.market, row.day, "median") in by_key
    ]
    assert len(pairs) == 20
    # one bid is above the offers, as it was read
    dearer = [(spot.thing, spot.market) for spot, offer in pairs if spot.value >= offer.value]
    assert dearer == [("rtx-5090", "Vast.ai")]


def test_what_article_c_printed() -> None:
    printed = {row.thing: row.value for row in book.observations("cards") if row.kind == "printed"
               and row.market == "article C"}  # fmt: skip
    assert printed == {"rtx-4090": 1599, "a100-40gb": 10000, "a100-80gb": 15000, "h100-sxm": 30000}


def test_the_rates_of_13_april_2026_are_for_one_euro() -> None:
    rates = {row.thing: row.value for row in book.observations("exchange rates")}
    assert (rates["USD"], rates["CNY"]) == (1.1684, 7.9827)
    assert all(row.currency == row.thing for row in book.observations("exchange rates"))
    # the pound is dearer than the euro, the yuan cheaper: not the other way round
    assert rates["GBP"] < 1 < rates["CNY"]


def test_orders_of_magnitude_of_the_cards() -> None:
    """A dearer card rents dearer: a price of an instance in place of a GPU's would stand out."""
    medians = [
        price.value
        for card in ("rtx-4090", "l40s", "h100-sxm", "b200-sxm")
        if (price := book.price_at(card, "GPU-hour", None)) is not None
    ]
    assert medians == sorted(medians)
    assert prod(medians) > 0
