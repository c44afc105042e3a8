"""Ages of prices, and prices that nobody offers: where they are told."""

from tco.analysis.cautions import warnings
from tco.analysis.staleness import ages, in_short, no_offers, oldest_prices, stale_prices
from tco.results import Result, run_scenario
from tco.scenario.loading import read


def of(text: str) -> Result:
    return run_scenario(read(f"name: a\n{text}".encode(), "s.yaml"))


def own(price: str, more: str = "") -> Result:
    return of(f"{more}\noptions: {{x: {{own: rtx-4090, count: 2, price: {price}}}}}")


def offers(result: Result) -> list[str]:
    return [found.warning for found in no_offers(result)]


LAUNCH = (
    "options.x.price: $1,599 is the launch price of the rtx-4090 of 2022-10, not an offer: "
    "ask for one"
)


def test_a_typed_price_that_is_the_launch_price_to_the_cent_is_no_offer() -> None:
    assert offers(own("1599")) == [LAUNCH]
    assert offers(own("1599.004")) == [LAUNCH]
    assert offers(own("1599.01")) == []
    assert offers(own("1600")) == []


def test_a_launch_price_from_the_book_is_no_offer() -> None:
    assert offers(own("book")) == [LAUNCH]


def test_the_launch_price_is_compared_in_its_own_currency() -> None:
    rates = "currency: CNY\nexchange_rates: {USD: 0.14}"
    assert offers(own("1599", rates)) == []
    assert offers(own("1599 USD", rates)) == [LAUNCH]


def test_a_price_under_hardware_is_told_once_for_all_options() -> None:
    result = of(
        "hardware: {rtx-4090: {price: 1599}}\n"
        "options: {x: {own: rtx-4090, count: 1}, y: {own: rtx-4090, count: 2}}"
    )
    told = [text for text in warnings(result) if "launch price" in text]
    assert told == [LAUNCH.replace("options.x", "hardware.rtx-4090")]


def test_a_rental_price_that_is_advertised_as_from_is_no_offer() -> None:
    text = "options: {{x: {{rent: h100-sxm, count: 1, price: {}}}}}"
    assert offers(of(text.format("2.15"))) == [
        'options.x.price: $2.15 is the "from" price of Nebius of the h100-sxm of 2026-08-21, not '
        "an offer: ask for one"
    ]
    assert offers(of(text.format("2.99"))) == []
    assert offers(of(text.format("book"))) == []
    # the same number is nothing of the kind for another card
    assert offers(of(text.format("2.15").replace("sxm", "pcie"))) == []


def test_ages_of_prices_in_another_currency_are_counted_too() -> None:
    result = own(
        "{value: 1700 USD, as_of: 2026-01-30}",
        "as_of: 2026-03-01\ncurrency: CNY\nexchange_rates: {USD: {value: 0.14, as_of: 2026-02}}",
    )
    # 30 January to 1 March of a year that is no leap year: 1 + 28 + 1; a month from its first day
    assert [(given.path, days) for given, days in ages(result)] == [
        ("options.x.price", 30),
        ("exchange_rates.USD", 28),
    ]
    assert list(oldest_prices(result)) == [
        "oldest prices on 2026-03-01: purchase price of a GPU 2026-01-30 (30 days), exchange rate "
        "2026-02 (28 days)"
    ]


def test_the_oldest_prices_are_named_and_those_without_a_date_counted() -> None:
    result = own(
        "{value: 1700, as_of: 2026-02-28}", "as_of: 2026-03-01\nsite: {electricity_price: 1}"
    )
    assert list(oldest_prices(result)) == [
        "oldest prices on 2026-03-01: purchase price of a GPU 2026-02-28 (1 day); 1 without a date"
    ]
    assert in_short(result) == ["Oldest price: 1 day on 2026-03-01."]


def test_without_a_day_to_count_to_ages_are_not_counted() -> None:
    result = own("{value: 1700, as_of: 2026-02-28}")
    assert list(oldest_prices(result)) == [
        "the ages of prices are not counted: add as_of, the day to count them to"
    ]
    assert in_short(result) == []


def test_old_prices_and_launch_prices_in_short() -> None:
    result = own("book", "as_of: 2026-11-30")
    # from 2022-10-01: 4 years of which one is a leap year, 31 of October, 29 to the 30th
    assert in_short(result) == [
        f"Oldest price: {4 * 365 + 1 + 31 + 29:,} days on 2026-11-30, 1 older than 90.",
        "Not an offer: rtx-4090 $1,599 (launch price).",
    ]


def test_prices_of_a_later_day_are_warned_of_and_none_is_younger_than_0_days() -> None:
    result = own(
        "{value: 1700, as_of: 2026-10-11}",
        "as_of: 2026-03-01\nsite: {electricity_price: {value: 1, as_of: 2026-03}}",
    )
    # 1 March to 11 October: 31 + 30 + 31 + 30 + 31 + 31 + 30 + 10; a month counts from its first
    assert list(stale_prices(result)) == [
        "1 price is dated after 2026-03-01, from which ages are counted, the latest by 224 days: "
        "purchase price of a GPU 2026-10-11: correct as_of, or look up the price of that day"
    ]
    assert [days for _, days in ages(result)] == [0, 0]
    assert in_short(result) == ["Oldest price: 0 days on 2026-03-01."]
    (listed,) = oldest_prices(result)
    assert "purchase price of a GPU 2026-10-11 (0 days)" in listed


def test_later_prices_are_named_from_the_latest_and_beside_stale_ones() -> None:
    result = of(
        "as_of: 2026-03-01\ncurrency: CNY\n"
        "exchange_rates: {USD: {value: 0.14, as_of: 2026-03-03}}\n"
        "site: {electricity_price: {value: 1, as_of: 2025-11-30}}\n"
        "options: {x: {own: rtx-4090, count: 1, price: {value: 1700 USD, as_of: 2026-03-02}}}"
    )
    # 30 November to 1 March: 31 + 31 + 28 + 1 = 91 days
    assert list(stale_prices(result)) == [
        "1 price is more than 90 days old on 2026-03-01, the oldest 91 days: electricity price "
        "2025-11-30: look it up again",
        "2 prices are dated after 2026-03-01, from which ages are counted, the latest by 2 days: "
        "exchange rate 2026-03-03, purchase price of a GPU 2026-03-02: correct as_of, or look up "
        "the prices of that day",
    ]
