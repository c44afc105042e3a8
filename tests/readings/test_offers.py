"""Quantiles of offers: closed cases, properties, and what is never mixed or written."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.prices.book import price_at
from tco.prices.gpu_names import gpu_of
from tco.readings.prices.offers import (
    SHARES,
    LeftOut,
    Offer,
    plausible,
    reading_of,
    weighted_quantile,
)
from tco.readings.reading import Asked, Dropped, Reading, ReadingError

FILE = Path(__file__).parent / "files" / "vastai" / "offers.json"

H100 = price_at("h100-sxm", "GPU-hour", None)
assert H100
BOOK = f"{H100.value:.4g}"
"""What the price book has for a GPU-hour of an H100 SXM: near 4, from the newest of each."""

prices = st.lists(st.decimals("0.01", "100", places=4, allow_nan=False), min_size=1, max_size=40)
shares = st.sampled_from(list(SHARES.values()))


def offered(name: str, price: str, gpus: int = 1, **more: Any) -> Offer:
    return Offer(gpu_of(name), "a market", Decimal(price), Fraction(gpus), **more)


def read(*offers: Offer, gpu: str | None = None) -> Reading:
    numbered = [
        Offer(o.gpu, o.marketplace, o.price, o.gpus, o.billing, row) for row, o in enumerate(offers)
    ]
    asked, left_out = Asked(gpu=gpu), LeftOut()
    return reading_of(
        "offers",
        [FILE],
        plausible(numbered, asked, left_out),
        asked,
        basis="quoted",
        rows_are="offers",
        left_out=left_out,
        next_step="give others",
    )


@pytest.mark.parametrize(
    ("values", "weights", "share", "expected"),
    [
        # of four equal ones two are at or below 2 and two above: the mean of 2 and 3
        ([4, 1, 2, 3], [1, 1, 1, 1], "median", "2.5"),
        ([3, 1, 2], [1, 1, 1], "median", "2"),
        # a quarter of four is met exactly by the first: the mean of 1 and 2
        ([1, 2, 3, 4], [1, 1, 1, 1], "P25", "1.5"),
        # a tenth of five is half of the first
        ([1, 2, 3, 4, 5], [1, 1, 1, 1, 1], "P10", "1"),
        ([1, 2, 3, 4, 5], [1, 1, 1, 1, 1], "P90", "5"),
        # 8 GPUs at 9 outweigh one at 1
        ([1, 9], [1, 8], "median", "9"),
        # 4 + 1 + 2 + 1 of 16 GPUs are at or below 0.45: the mean of 0.45 and 0.5
        (["0.3", "0.32", "0.4", "0.45", "0.5"], [4, 1, 2, 1, 8], "median", "0.475"),
        ([7], [1], "P90", "7"),
    ],
)
def test_closed_cases(values: list[int], weights: list[int], share: str, expected: str) -> None:
    found = weighted_quantile(
        [Decimal(v) for v in values], [Fraction(w) for w in weights], SHARES[share]
    )
    assert found == Decimal(expected)


@given(prices)
def test_with_weights_of_1_it_is_the_method_of_numpy(values: list[Decimal]) -> None:
    ones = [Fraction(1)] * len(values)
    # shares that a float holds exactly: NumPy's own rounding would decide at 0.1 x 10 otherwise
    for share in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
        expected = np.quantile(
            [float(v) for v in values], float(share), method="averaged_inverted_cdf"
        )
        assert float(weighted_quantile(values, ones, share)) == pytest.approx(expected, rel=1e-12)


@given(prices, st.data(), shares, shares)
def test_between_the_lowest_and_the_highest_and_rising_with_the_share(
    values: list[Decimal], data: st.DataObject, one: Fraction, other: Fraction
) -> None:
    weights = [Fraction(data.draw(st.integers(1, 8))) for _ in values]
    low, high = (weighted_quantile(values, weights, share) for share in sorted((one, other)))
    assert min(values) <= low <= high <= max(values)


@given(prices, st.data(), shares)
def test_doubling_all_weights_changes_nothing_and_a_weight_counts_as_repetition(
    values: list[Decimal], data: st.DataObject, share: Fraction
) -> None:
    counts = [data.draw(st.integers(1, 5)) for _ in values]
    weights = [Fraction(count) for count in counts]
    found = weighted_quantile(values, weights, share)
    assert found == weighted_quantile(values, [2 * weight for weight in weights], share)
    repeated = [value for value, count in zip(values, counts, strict=True) for _ in range(count)]
    assert found == weighted_quantile(repeated, [Fraction(1)] * len(repeated), share)


@pytest.mark.parametrize(("values", "weights"), [([], []), ([1, 2], [1, 0]), ([1], [-1])])
def test_no_quantile_without_prices_or_of_weights_that_are_none(
    values: list[int], weights: list[int]
) -> None:
    with pytest.raises(ValueError, match="one price or more, each with a weight above 0"):
        weighted_quantile(
            [Decimal(v) for v in values], [Fraction(w) for w in weights], SHARES["median"]
        )


def test_the_median_written_counts_each_offer_once_and_says_so() -> None:
    reading = read(
        *(offered("RTX 4090", price) for price in ("0.30", "0.32", "0.40", "0.45")),
        offered("RTX 4090", "0.50", gpus=12),
    )
    (entry,) = reading.entries
    # of 5 offers the 3rd; a quarter of 5 is in the 2nd, three quarters in the 4th
    assert entry.content == {
        "median": 0.4,
        "p25": 0.32,
        "p75": 0.45,
        "minimum": 0.3,
        "currency": "USD",
    }
    assert (entry.room, entry.subject, entry.field, entry.basis) == (
        "rental",
        "rtx-4090",
        "price",
        "quoted",
    )
    # 12 of 16 GPUs are at 0.50
    assert entry.note == (
        "median of 5 offers of 16 GPUs, a market; each offer counted once (with each GPU counted "
        "once 0.5); minimum: one offer, a bound"
    )
    by_offer, by_gpu = reading.tables
    assert by_offer.rows[1] == (
        *("rtx-4090", "a market", "on-demand", "5", "16"),
        *("0.3", "0.3", "0.32", "0.4", "0.45", "0.5"),
    )
    assert by_gpu.rows[1][5:] == ("0.3", "0.32", "0.475", "0.5", "0.5", "0.5")


def test_few_offers_have_no_quartiles() -> None:
    reading = read(offered("RTX 4090", "0.3"), offered("RTX 4090", "0.5"))
    (entry,) = reading.entries
    assert entry.content == {"median": 0.4, "minimum": 0.3, "currency": "USD"}
    assert reading.warnings == (
        "fewer than 5 offers: rtx-4090; too small a sample for quartiles, so no P25 and P75 are "
        "written",
    )


def test_forms_and_memories_of_a_card_are_never_mixed() -> None:
    reading = read(
        offered("H100 SXM", "3.00"),
        offered("H100 PCIE", "2.00"),
        offered("H100 NVL", "2.20"),
        offered("A100 SXM4 40960 MiB", "1.10"),
        offered("A100 SXM4 81920 MiB", "1.60"),
        offered("RTX 4090 49140 MiB", "0.60"),
    )
    assert {entry.subject: entry.content["median"] for entry in reading.entries} == {
        "h100-sxm": 3.0,
        "h100-pcie": 2.0,
        "h100-nvl": 2.2,
        "a100-40gb": 1.1,
        "a100-80gb": 1.6,
        "rtx-4090-48gb": 0.6,
    }


def test_marketplaces_are_never_mixed() -> None:
    reading = read(
        offered("L40S", "1.00"),
        Offer(gpu_of("L40S"), "another", Decimal("2.00"), Fraction(1)),
        offered("RTX 4090", "0.4"),
    )
    assert [entry.subject for entry in reading.entries] == ["rtx-4090"]
    assert (
        "l40s has 2 medians (1 in a market, 2 in another): none is written; read one file to "
        "write its price"
    ) in reading.warnings
    assert [row[1] for row in reading.tables[0].rows[1:3]] == ["a market", "another"]


def test_a_form_that_is_not_told_is_not_guessed() -> None:
    reading = read(offered("H100", "3.00", 8), offered("RTX 4090", "0.4"))
    assert [entry.subject for entry in reading.entries] == ["rtx-4090"]
    assert reading.tables[0].rows[2][0] == "h100 (form not told)"
    assert (
        "h100 (1 offer of 8 GPUs) may be h100-pcie or h100-sxm: its price is not written; "
        "--gpu h100-sxm says which it is"
    ) in reading.warnings


def test_the_user_settles_which_card_it_is() -> None:
    reading = read(offered("H100", "3.00"), offered("RTX 4090", "0.4"), gpu="h100-pcie")
    assert [entry.subject for entry in reading.entries] == ["h100-pcie", "rtx-4090"]


def test_the_user_does_not_turn_another_card_into_it() -> None:
    reading = read(offered("RTX 4090", "0.4"), gpu="h100-sxm")
    assert [entry.subject for entry in reading.entries] == ["rtx-4090"]
    assert reading.warnings[-1] == "no offer is of h100-sxm, which was asked for with --gpu"


def test_spot_is_shown_and_never_written() -> None:
    reading = read(offered("RTX 4090", "0.4"), offered("RTX 4090", "0.2", billing="spot"))
    (entry,) = reading.entries
    assert entry.content["median"] == 0.4
    assert [row[2] for row in reading.tables[0].rows[1:]] == ["on-demand", "spot"]
    assert reading.remarks[-1] == (
        "spot prices stand in the tables only: no option's price is taken from them"
    )
    only_spot = read(offered("RTX 4090", "0.2", billing="spot"))
    assert only_spot.entries == ()


@pytest.mark.parametrize(
    ("name", "price", "why"),
    [
        # host prices of 900 a day or 700 for what is not sold
        ("RTX 4090", "700", "rtx-4090 on-demand above 100 USD for a GPU-hour"),
        (
            "B200",
            "0.01",
            "b200-sxm on-demand under 0.05 USD for a GPU-hour: the floor of an auction, no price",
        ),
        (
            "H100 SXM",
            "0.25",
            f"h100-sxm on-demand at a tenth or less of the median of {BOOK} USD: the floor of an "
            "auction, or the price of a part",
        ),
        ("H100 SXM", "60", f"h100-sxm on-demand at ten times the median of {BOOK} USD or more"),
    ],
)
def test_absurd_prices_are_dropped(name: str, price: str, why: str) -> None:
    reading = read(offered(name, price), offered("L40S", "1.0"))
    assert [entry.subject for entry in reading.entries] == ["l40s"]
    assert reading.dropped == (Dropped(why, 1),)
    assert reading.used == 1


def test_an_absurd_price_is_seen_by_the_other_offers_of_its_card() -> None:
    # the price of eight cards as that of one, among six: ten times the median of 0.20
    usual = [offered("RTX 3090", "0.20") for _ in range(5)]
    reading = read(*usual, offered("RTX 3090", "2.00"), offered("RTX 3090", "0.02"))
    assert reading.used == 5
    assert [dropped.why for dropped in reading.dropped] == [
        "rtx-3090 on-demand at ten times the median of 0.2 USD or more",
        "rtx-3090 on-demand at a tenth or less of the median of 0.2 USD: the floor of an auction, "
        "or the price of a part",
    ]


def test_a_median_far_from_the_price_book_is_written_with_a_doubt() -> None:
    # the floor of an auction, 1 USD, where list prices are near 4
    reading = read(offered("H100 SXM", "1.00"))
    (entry,) = reading.entries
    doubt = f"1 is far below the {BOOK} USD of the price book"
    assert doubt in str(entry.note)
    assert any(doubt in warning for warning in reading.warnings)
    assert not any("price book" in warning for warning in read(offered("H100 SXM", "2")).warnings)


def test_without_any_usable_offer_all_reasons_are_told() -> None:
    with pytest.raises(ReadingError) as caught:
        read(offered("RTX 4090", "0.01"), offered("RTX 3090", "500"))
    assert str(caught.value) == (
        f"{FILE}\n"
        "  found:    no offer of a GPU with a price (rtx-4090 on-demand under 0.05 USD for a "
        "GPU-hour: the\n"
        "            floor of an auction, no price: 1; rtx-3090 on-demand above 100 USD for a "
        "GPU-hour: 1)\n"
        "  expected: one offer or more with a GPU and its price\n"
        "  next:     give others"
    )


def test_a_long_list_is_cut_on_the_screen_and_written_whole() -> None:
    reading = read(*(offered(f"RTX {number}", "0.4") for number in range(1001, 1031)))
    assert len(reading.entries) == 30
    assert len(reading.tables[0].rows) == 1 + 20
    assert reading.tables[0].notes[0] == "and 10 more, with fewer offers"
