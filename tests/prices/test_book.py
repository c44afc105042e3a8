"""Prices of a day: which rows count, and what is made of them."""

from datetime import date
from statistics import median

import pytest

from tco.prices import book
from tco.prices.book import Observation, Price, price_at, rate_at


def found(thing: str, unit: str, day: str | None = None) -> Price:
    price = price_at(thing, unit, date.fromisoformat(day) if day else None)
    assert price is not None
    return price


def prices(rows: tuple[Observation, ...]) -> dict[str, float]:
    return {row.market: row.value for row in rows}


def test_a_rental_price_is_the_median_of_each_providers_newest_offer() -> None:
    price = found("h100-sxm", "GPU-hour")
    assert prices(price.used) == {
        "AWS/p5.48xlarge": 6.88,
        "Azure/ND": 12.29,
        "Crusoe": 3.9,
        "Hyperstack": 2.4,
        "Lambda": 4.19,
        "Mithril": 3.5825,
        "Nebius": 2.95,
        "RunPod/secure": 3.99,
        "Vast.ai": 2.4,
    }
    # 2.4 2.4 2.95 3.5825 3.9 3.99 4.19 6.88 12.29
    assert (price.value, price.minimum, price.p25, price.p75) == (3.9, 2.4, 2.95, 4.19)
    assert (price.oldest, price.newest, price.kinds) == ("2025", "2026-11-09", ("list", "median"))


def test_the_day_decides_which_offer_is_the_newest() -> None:
    then = prices(found("h100-sxm", "GPU-hour", "2026-08-31").used)
    assert (then["RunPod"], then["Vast.ai"]) == (2.99, 3.26)
    now = prices(found("h100-sxm", "GPU-hour", "2026-10-19").used)
    assert (now["RunPod"], now["Vast.ai"]) == (2.99, 2.4)
    # an offer of a later day is never looked ahead to
    early = found("h100-sxm", "GPU-hour", "2026-03-22")
    assert prices(early.used) == {
        "AWS/p5.48xlarge": 6.88,
        "Hyperstack": 2.4,
        "Mithril": 3.5825,
        "Nebius": 2.95,
    }
    assert early.value == (2.95 + 3.5825) / 2


def test_from_and_spot_prices_are_left_out_and_told() -> None:
    price = found("h100-sxm", "GPU-hour")
    left_out = {(row.market, row.kind): row.value for row in price.left_out}
    assert left_out == {
        ("Nebius", "from"): 2.15,
        ("Nebius", "spot"): 1.25,
        ("RunPod/community", "spot"): 2.69,
        ("SF Compute", "spot"): 2.03,
        ("Vast.ai", "spot"): 0.95,
    }
    assert 2.15 not in prices(price.used).values()


def test_a_provider_with_two_offers_of_a_day_counts_once() -> None:
    price = found("rtx-pro-6000", "GPU-hour")
    google = (4.49993 + 1.51825) / 2
    assert price.providers == ("AWS", "GCP", "RunPod")
    assert price.value == median([4.143, google, 1.89]) == google
    # the lowest is a row, not the median of a provider's rows
    assert (price.minimum, price.lowest.market) == (1.51825, "GCP/g4-standard-6")


def test_the_lowest_is_the_least_of_the_rows_that_are_used() -> None:
    price = found("l40s", "GPU-hour")
    assert prices(price.used) == {
        "AWS/g6e.xlarge": 2.56,
        "Crusoe": 1.5,
        "Nebius": 1.5484,
        "RunPod": 0.89,
        "Vast.ai": 0.8,
    }
    # the spot price of 0.77 and the 0.9 "from" are not among them
    assert (price.minimum, price.lowest.market, price.lowest.day) == (0.8, "Vast.ai", "2026-08-21")
    assert price.oldest == "2026"


def test_one_provider_alone_has_no_quarters() -> None:
    price = found("mi300x", "GPU-hour")
    assert (price.value, price.p25, price.p75) == (1.45, None, None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("h100-sxm", "h100-pcie"),
        ("a100-40gb", "a100-40gb-pcie"),
        ("a100-80gb", "a100-80gb-pcie"),
    ],
)
def test_forms_of_a_card_are_apart(one: str, other: str) -> None:
    here, there = found(one, "GPU-hour"), found(other, "GPU-hour")
    assert {row.form for row in (*here.used, *here.left_out)} == {"sxm"}
    assert {row.form for row in (*there.used, *there.left_out)} == {"pcie"}


def test_a_launch_price_is_taken_where_there_is_no_other() -> None:
    price = found("rtx-4090", "GPU")
    assert (price.value, price.newest, price.is_launch) == (1599, "2022-10", True)


def test_a_figure_that_repeats_the_launch_price_is_none_of_the_day() -> None:
    """Article C prints 1,599 for 2026: that is no offer either."""
    repeated = [row for row in book.observations("cards") if row.thing == "rtx-4090"]
    assert [(row.kind, row.value, row.day) for row in repeated] == [
        ("launch", 1599, "2022-10"),
        ("printed", 1599, "2026"),
    ]
    assert found("rtx-4090", "GPU").kinds == ("launch",)


def test_the_price_of_a_card_is_its_newest_that_is_not_the_launch() -> None:
    assert found("rtx-5090", "GPU", "2025-12-31").value == 1999
    assert found("rtx-5090", "GPU", "2025-12-31").is_launch
    march = found("rtx-5090", "GPU", "2026-03-31")
    assert (march.value, march.is_launch) == ((2909 + 3510) / 2, False)
    assert found("rtx-5090", "GPU", "2026-04-30").value == 3999
    assert found("rtx-5090", "GPU").value == 5000


def test_nothing_is_known_before_the_first_day() -> None:
    assert price_at("rtx-4090", "GPU", date(2022, 9, 30)) is None
    assert price_at("rtx-4090", "GPU", date(2022, 10, 1)) is not None
    assert price_at("rtx-3090", "GPU", None) is None
    assert price_at("rtx-4090", "kWh", None) is None


@pytest.mark.parametrize(
    ("place", "value", "currency", "day"),
    [
        ("us-industrial", 0.0806, "USD", "2023"),
        ("us-commercial-connecticut", 0.2446, "USD", "2025-04"),
        ("eu-non-household", 0.1902, "EUR", "2025-01"),
        ("china-industrial", 0.088, "USD", "2024"),
    ],
)
def test_electricity(place: str, value: float, currency: str, day: str) -> None:
    price = found(place, "kWh")
    assert (price.value, price.currency, price.newest) == (value, currency, day)


def test_a_cross_rate_is_the_quotient_of_two_rates_for_one_euro() -> None:
    rate = rate_at("CNY", "USD", None)
    assert rate is not None
    assert rate.value == pytest.approx(7.9827 / 1.1684)
    assert rate.value == pytest.approx(6.83216, abs=5e-6)
    assert (rate.day, [row.thing for row in rate.used]) == ("2026-04-13", ["CNY", "USD"])
    back = rate_at("USD", "CNY", None)
    assert back is not None
    assert back.value * rate.value == pytest.approx(1)


def test_rates_with_the_euro() -> None:
    there, back = rate_at("USD", "EUR", None), rate_at("EUR", "USD", None)
    assert there is not None
    assert back is not None
    assert there.value == 1.1684
    assert back.value == 1 / 1.1684


def test_no_rate_before_its_day_nor_of_a_currency_that_is_not_listed() -> None:
    assert rate_at("CNY", "USD", date(2026, 4, 12)) is None
    assert rate_at("CNY", "USD", date(2026, 4, 13)) is not None
    assert rate_at("TWD", "USD", None) is None


def test_the_last_day_is_that_of_the_newest_row() -> None:
    assert book.last_day() == date(2026, 11, 9)
