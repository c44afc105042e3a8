"""``price: book``: what a scenario takes from the book of prices, and what it is told otherwise."""

import pytest

from tco.errors import ScenarioErrors
from tco.prices import book
from tco.results import Result, run_scenario
from tco.scenario.book import note_of
from tco.scenario.loading import read
from tco.scenario.reading import LONGEST_TEXT
from tco.scenario.schema import Own, Quantity, Rent, RentalPrice, Scenario


def scenario(text: str, *settings: str) -> Scenario:
    return read(f"name: a\n{text}".encode(), "s.yaml", settings)


def bought(text: str, *settings: str) -> Quantity:
    (supply,) = scenario(text, *settings).options["x"].supplies
    assert isinstance(supply, Own)
    assert supply.price is not None
    return supply.price


def rented(text: str, *settings: str) -> RentalPrice:
    (supply,) = scenario(text, *settings).options["x"].supplies
    assert isinstance(supply, Rent)
    assert supply.price is not None
    return supply.price


def message(text: str, *settings: str) -> str:
    with pytest.raises(ScenarioErrors) as caught:
        scenario(text, *settings)
    return f"{caught.value}\n"


OWN = "options: {x: {own: rtx-5090, count: 1, price: book}}"
RENT = "as_of: 2026-08-31\noptions: {x: {rent: h100-sxm, count: 1, price: book}}"


def test_a_card_has_its_newest_price_with_source_day_and_basis() -> None:
    price = bought(OWN)
    assert (price.value, price.currency, price.as_of) == (5000, None, "2026-10")
    assert price.source == "one secondary page on the street price of the RTX 5090"
    assert price.basis == "published"
    assert price.note == (
        "a figure that is printed without its seller, of 2026-10; 5,000 or more; no second source"
    )
    assert (price.path, price.line, price.low, price.high) == ("options.x.price", 2, None, None)


def test_a_launch_price_says_that_it_is_no_offer() -> None:
    price = bought(f"as_of: 2025-12-31\n{OWN}")
    assert (price.value, price.as_of) == (1999, "2025-01-30")
    assert price.note == "launch price of 2025-01-30, not an offer"


def test_the_price_may_stand_under_hardware() -> None:
    text = "hardware: {rtx-5090: {price: book}}\noptions: {x: {own: rtx-5090, count: 1}}"
    price = scenario(text).hardware["rtx-5090"].price
    assert price is not None
    assert (price.value, price.path) == (5000, "hardware.rtx-5090.price")


def test_a_rental_price_is_the_median_with_quarters_and_the_lowest() -> None:
    price = rented(RENT)
    # 2.4 2.95 2.99 3.26 3.5825 3.9 4.19 6.88
    assert price.median.value == pytest.approx((3.26 + 3.5825) / 2)
    assert price.minimum is not None
    assert price.p25 is not None
    assert price.p75 is not None
    assert price.minimum.value == 2.4
    assert price.p25.value == pytest.approx(2.95 + 0.75 * (2.99 - 2.95))
    assert price.p75.value == pytest.approx(3.9 + 0.25 * (4.19 - 3.9))
    # no younger than the oldest of them, which is of a year alone
    assert (price.median.as_of, price.median.basis) == ("2025-01", "published")
    assert price.median.source == (
        "price book, h100-sxm: AWS, Crusoe, Hyperstack, Lambda, Mithril, Nebius, RunPod, Vast.ai"
    )
    assert price.median.note == (
        "median of 8 providers, 2025 to 2026-08-21; left out: advertised as from Nebius 2.15"
    )


@pytest.mark.parametrize(
    ("card", "lowest", "market"),
    [("rtx-pro-6000", 1.51825, "GCP/g4-standard-6"), ("l40s", 0.8, "Vast.ai")],
)
def test_the_lowest_offer_is_of_the_day_of_its_own_row(
    card: str, lowest: float, market: str
) -> None:
    """Others of these prices are of 2026 alone, without a month."""
    price = rented(f"options: {{x: {{rent: {card}, count: 1, price: book}}}}")
    assert price.median.as_of == "2026-01"
    assert price.minimum is not None
    assert (price.minimum.value, price.minimum.as_of) == (lowest, "2026-08-21")
    (row,) = [
        row for row in book.observations("rentals") if row.value == lowest and row.thing == card
    ]
    assert (row.market, price.minimum.source) == (market, row.source)
    assert price.minimum.note == f"the lowest: {market}"
    assert (price.minimum.path, price.minimum.line) == ("options.x.price.minimum", 2)


def test_a_lowest_offer_may_have_a_day_of_its_own() -> None:
    price = rented(
        "options: {x: {rent: l40s, count: 1, price: {median: 2, as_of: 2026-01, source: a, "
        "minimum: {value: 1.5, as_of: 2026-03-02}}}}"
    )
    assert price.minimum is not None
    assert (price.minimum.value, price.minimum.as_of, price.minimum.source) == (
        1.5,
        "2026-03-02",
        "a",
    )
    assert price.median.as_of == "2026-01"


def test_one_provider_alone_has_no_lowest_offer_beside_it() -> None:
    price = rented("options: {x: {rent: mi300x, count: 1, price: book}}")
    assert (price.median.value, price.minimum, price.p25) == (1.45, None, None)
    assert price.median.note == "of RunPod alone, 2026-08-21"


def test_without_the_word_nothing_is_taken() -> None:
    (supply,) = scenario("options: {x: {own: rtx-5090, count: 1}}").options["x"].supplies
    assert isinstance(supply, Own)
    assert supply.price is None


def test_a_price_is_converted_as_a_quote_in_that_currency() -> None:
    text = (
        "as_of: 2026-11-30\ncurrency: CNY\nexchange_rates: {USD: book}\nmonths: 12\n"
        "options: {x: {own: rtx-5090, count: 1, price: book, tdp: 0}}"
    )
    price = bought(text)
    assert (price.value, price.currency) == (5000, "USD")
    result: Result = run_scenario(scenario(text))
    # six digits of the rate: 1.1684 / 7.9827 = 0.146367 USD/CNY
    assert result.metrics["x"]["upfront_cost"] == pytest.approx(5000 / 0.146367)
    assert result.metrics["x"]["upfront_cost"] == pytest.approx(5000 * 7.9827 / 1.1684, rel=4e-6)


def test_an_exchange_rate_says_its_direction_and_both_rates() -> None:
    rate = scenario(f"exchange_rates: {{CNY: book, EUR: book}}\n{OWN}").exchange_rates
    assert rate["CNY"].value == pytest.approx(7.9827 / 1.1684, rel=1e-6)
    assert (rate["CNY"].text, rate["CNY"].as_of) == ("6.83216 CNY/USD", "2026-04-13")
    assert rate["CNY"].note == "7.9827 CNY and 1.1684 USD for one EUR"
    assert rate["EUR"].value == pytest.approx(1 / 1.1684, rel=1e-6)


@pytest.mark.parametrize(
    "where",
    [
        "site: {%s}\noptions: {x: {own: rtx-4090, count: 1, price: 1}}",
        "options: {x: {own: rtx-4090, count: 1, price: 1, %s}}",
    ],
)
def test_electricity_of_a_place(where: str) -> None:
    read_ = scenario(where % "electricity_price: book us-industrial")
    (supply,) = read_.options["x"].supplies
    holder = read_.site or supply
    price = getattr(holder, "electricity_price", None)
    assert isinstance(price, Quantity)
    assert (price.value, price.as_of) == (0.0806, "2023-01")
    assert price.note == "the average of a statistic, of 2023"


def test_the_word_may_be_set_over_a_number_and_a_number_over_the_word() -> None:
    given = "options: {x: {own: rtx-5090, count: 1, price: {value: 9, low: 8, source: me}}}"
    price = bought(given, "options.x.price=book")
    assert (price.value, price.low, price.as_of) == (5000, None, "2026-10")
    over = bought(OWN, "options.x.price=3000")
    assert (over.value, over.source, over.note) == (3000, None, "set on the command line")


def test_a_range_and_a_note_of_ones_own_may_stand_beside_the_word() -> None:
    price = bought(OWN.replace("book", "{value: book, low: 3000, high: 6000, note: mine}"))
    assert (price.value, price.low, price.high, price.note) == (5000, 3000, 6000, "mine")
    assert price.source == "one secondary page on the street price of the RTX 5090"


def test_an_option_like_another_with_another_card_has_the_price_of_that_card() -> None:
    text = (
        "options:\n  a: {rent: rtx-4090, count: 1, price: book}\n"
        "  same: {like: a, count: 2}\n  x: {like: a, rent: rtx-5090}"
    )
    prices = {
        name: supply.price.median
        for name, option in scenario(text).options.items()
        for supply in option.supplies
        if isinstance(supply, Rent) and supply.price is not None
    }
    assert {name: price.value for name, price in prices.items()} == {
        "a": 0.54,
        "same": 0.54,
        "x": pytest.approx((0.84 + 0.39) / 2),
    }
    assert {name: price.path for name, price in prices.items()} == {
        "a": "options.a.price.median",
        "same": "options.a.price.median",
        "x": "options.x.price.median",
    }


def test_every_price_of_the_book_can_be_taken() -> None:
    """Its source and its note fit into a text of a scenario."""
    for subject, unit in (("cards", book.GPU), ("rentals", book.GPU_HOUR)):
        kind = {"cards": "own", "rentals": "rent"}[subject]
        for thing in book.things(subject):
            scenario(f"options: {{x: {{{kind}: {thing}, count: 1, price: book}}}}")
            price = book.price_at(thing, unit, None)
            assert price is not None
            assert len(note_of(price)) < LONGEST_TEXT


UNKNOWN = [
    pytest.param(
        "options:\n  x: {own: h200-sxm, count: 1, price: book}\n",
        """\
s.yaml, line 3: options.x.price
  found:    book
  expected: a card whose price is in the book: rtx-4090, rtx-5090, a100-40gb, a100-80gb, h100-sxm,
            h100-pcie
  next:     write the price that you pay, for example  price: 1500
""",
        id="card",
    ),
    pytest.param(
        "hardware: {mine: {tdp: 300 W}}\noptions:\n  x: {rent: mine, count: 1, price: book}\n",
        """\
s.yaml, line 4: options.x.price
  found:    book
  expected: a card whose rental price is in the book: a100-40gb-pcie, a100-80gb-pcie, a100-40gb,
            a100-80gb, b200-sxm, h100-pcie, h100-sxm, h200-sxm, l40s, mi300x, rtx-4090, rtx-5090,
            rtx-pro-6000
  next:     write the price that you pay, for example  price: 0.50
""",
        id="card of one's own",
    ),
    pytest.param(
        "as_of: 2022-09-30\noptions:\n  x: {own: rtx-4090, count: 1, price: book}\n",
        """\
s.yaml, line 4: options.x.price
  found:    book
  expected: an as_of from 2022-10 on, from which the book has a price of rtx-4090
  next:     write the price of that day, for example  price: 1500
""",
        id="day before the first",
    ),
    pytest.param(
        "currency: EUR\noptions:\n  x: {rent: rtx-4090, count: 1, price: book}\n",
        """\
s.yaml, line 4: options.x.price
  found:    book
  expected: an exchange rate for USD, in which the book has this price
  next:     add  exchange_rates: {USD: ...}  with the number of USD for one EUR, or with the word
            book
""",
        id="currency",
    ),
    pytest.param(
        "exchange_rates: {TWD: book}\noptions:\n  x: {api: a, output_price: 1}\n",
        """\
s.yaml, line 2: exchange_rates.TWD
  found:    book
  expected: two currencies that the book has a rate of: EUR, USD, JPY, CZK, DKK, GBP, HUF, PLN, RON,
            SEK, CHF, ISK, NOK, TRY, AUD, BRL, CAD, CNY, HKD, IDR, ILS, INR, KRW, MXN, MYR, NZD,
            PHP, SGD, THB, ZAR
  next:     write the rate itself, for example  TWD: 7.10 TWD/USD
""",
        id="rate",
    ),
    pytest.param(
        "as_of: 2026-04-12\nexchange_rates: {CNY: book}\noptions:\n"
        "  x: {api: a, output_price: 1}\n",
        """\
s.yaml, line 3: exchange_rates.CNY
  found:    book
  expected: an as_of from 2026-04-13 on, from which the book has exchange rates
  next:     write the rate itself, for example  CNY: 7.10 CNY/USD
""",
        id="rate of a day before the first",
    ),
    pytest.param(
        "site: {electricity_price: book us-industial}\noptions:\n  x: {api: a, output_price: 1}\n",
        """\
s.yaml, line 2: site.electricity_price
  found:    book us-industial
  expected: book and a place whose price is in the book: china-industrial, us-industrial,
            eu-non-household-finland, eu-non-household-cyprus, eu-non-household, us-industrial-iowa,
            us-industrial-rhode-island, us-commercial-missouri, us-commercial-connecticut
  next:     did you mean  book us-industrial?
""",
        id="place misspelled",
    ),
    pytest.param(
        "as_of: 2022-12-31\nsite: {electricity_price: book}\noptions:\n"
        "  x: {api: a, output_price: 1}\n",
        """\
s.yaml, line 3: site.electricity_price
  found:    book
  expected: book and a place whose price is in the book by 2022-12-31: china-industrial,
            us-industrial
  next:     write the price that you pay, for example  electricity_price: 0.10  or  book
            us-industrial
""",
        id="no place",
    ),
]


@pytest.mark.parametrize(("text", "expected"), UNKNOWN)
def test_what_is_not_in_the_book_is_said_with_what_to_write(text: str, expected: str) -> None:
    assert message(text) == expected
