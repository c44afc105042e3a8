"""The offers of Vast.ai: which price is that of a GPU-hour, and which rows are no offer."""

import json
from pathlib import Path
from typing import Any

import pytest

from tco.readings.prices.vastai import KIND
from tco.readings.reading import Asked, Dropped, Head, Reading, ReadingError

FILES = Path(__file__).parent / "files" / "vastai"
OFFERS = FILES / "offers.json"


def saved(folder: Path, content: Any, name: str = "offers.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def offer(**more: Any) -> dict[str, Any]:
    return {"gpu_name": "RTX 3090", "gpu_ram": 24576, "num_gpus": 1, "dph_base": 0.32, **more}


def medians(reading: Reading) -> dict[str, float]:
    return {entry.subject: entry.content["median"] for entry in reading.entries}


def test_the_price_is_of_one_gpu_and_of_nothing_but_gpus() -> None:
    reading = KIND.read([OFFERS], Asked())
    # 24.0 for 8, 4.2 for 2, 0.80 for 4; of the five RTX 4090 0.32, 0.80 / 2, 1.20 / 4, 4.00 / 8
    # and 0.45 the middle one
    assert medians(reading) == {
        "h100-sxm": 24.0 / 8,
        "h100-pcie": 4.2 / 2,
        "rtx-3090": 0.80 / 4,
        "rtx-4090": 0.80 / 2,
        "rtx-4090-48gb": 0.60,
        "a100-80gb": 1.1,
        "a100-40gb": 0.75,
    }
    assert reading.entries[0].content == {
        "median": 0.4,
        "p25": 0.32,
        "p75": 0.45,
        "minimum": 0.3,
        "currency": "USD",
    }


def test_the_disk_is_not_in_the_price(tmp_path: Path) -> None:
    # 0.32 and 10 GB of 0.20 USD a month of 720 hours are 0.32 + 10 x 0.2 / 720 = 0.322778
    total = 0.32 + 10 * 0.2 / 720
    assert total == pytest.approx(0.322778, abs=5e-7)
    row = offer(dph_total=total, storage_cost=0.2, storage_total_cost=10 * 0.2 / 720)
    reading = KIND.read([saved(tmp_path, [row])], Asked())
    assert medians(reading) == {"rtx-3090": 0.32}
    assert "the disk that was asked for: 10 GB" in reading.remarks
    assert (
        "storage comes on top: 0.2 USD per GB and month of 720 hours, median 0.2"
    ) in reading.remarks
    assert not any("add up" in warning for warning in reading.warnings)


@pytest.mark.parametrize(
    "ghost",
    [
        {"discounted_dph_total": 0.1},
        {"search": {"gpuCostPerHour": 9.0, "totalHour": 9.0}},
        {"instance": {"gpuCostPerHour": 0, "totalHour": 1e-5}},
        {"dph_total_adj": 5.0},
        {"vram_costperhour": 0.01},
        {"gpu_frac": 0.25},
    ],
)
def test_other_prices_beside_it_are_ignored(tmp_path: Path, ghost: dict[str, Any]) -> None:
    reading = KIND.read([saved(tmp_path, [offer(**ghost)])], Asked())
    assert medians(reading) == {"rtx-3090": 0.32}


def test_parts_that_do_not_add_up_are_told(tmp_path: Path) -> None:
    row = offer(dph_total=0.9, storage_total_cost=0.01)
    reading = KIND.read([saved(tmp_path, [row])], Asked())
    assert (
        "in 1 of 1 offers dph_base and storage_total_cost do not add up to dph_total: look at what "
        "their price holds"
    ) in reading.warnings


def test_what_is_no_offer_is_dropped_with_its_reason_and_line() -> None:
    reading = KIND.read([OFFERS], Asked())
    lines = OFFERS.read_text().splitlines()
    begins = {
        number: next(n for n in range(lines.index(f'  "id": {number},'), 0, -1) if "{" in lines[n])
        for number in range(112, 118)
    }
    assert reading.dropped == (
        Dropped("a price of 0 (dph_base)", 1, begins[112] + 1),
        Dropped("a price of less than 0 (dph_base)", 1, begins[113] + 1),
        Dropped("no number of GPUs (num_gpus)", 1, begins[114] + 1),
        Dropped("no GPU (gpu_name)", 1, begins[115] + 1),
        Dropped("not to be rented now (rentable false or rented true)", 1, begins[116] + 1),
        Dropped("rtx-4090 on-demand above 100 USD for a GPU-hour", 1, begins[117] + 1),
    )
    assert (reading.used, reading.rows_are) == (11, "offers")


@pytest.mark.parametrize("price", [None, "", "a lot", [0.3], True])
def test_a_price_that_is_none_is_no_zero(tmp_path: Path, price: Any) -> None:
    reading = KIND.read([saved(tmp_path, [offer(), offer(dph_base=price)])], Asked())
    assert reading.dropped == (Dropped("no price of its GPUs (dph_base)", 1, 1),)
    assert medians(reading) == {"rtx-3090": 0.32}


def test_numbers_may_be_texts(tmp_path: Path) -> None:
    reading = KIND.read([saved(tmp_path, [offer(dph_base="0.64", num_gpus="2")])], Asked())
    assert medians(reading) == {"rtx-3090": 0.32}


def test_spot_is_the_bid_per_gpu_and_not_written(tmp_path: Path) -> None:
    rows = [offer(num_gpus=4, dph_base=1.2, min_bid=0.6)]
    reading = KIND.read([saved(tmp_path, rows)], Asked())
    assert [(row[2], row[8]) for row in reading.tables[0].rows[1:]] == [
        ("on-demand", "0.3"),
        ("spot", "0.15"),
    ]
    assert medians(reading) == {"rtx-3090": 0.3}


def test_a_search_for_bids_has_no_price_on_demand(tmp_path: Path) -> None:
    rows = [offer(is_bid=True, dph_base=0.15, min_bid=0.15)]
    reading = KIND.read([saved(tmp_path, rows)], Asked())
    assert reading.entries == ()
    assert [(row[2], row[8]) for row in reading.tables[0].rows[1:]] == [("spot", "0.15")]
    assert "offers to bid for (is_bid), whose price counts as spot: 1" in reading.remarks


def test_many_offers_of_one_host_are_told() -> None:
    reading = KIND.read([OFFERS], Asked())
    assert ("11 offers of 11 machines of 5 hosts; the most of one host: 3") in reading.remarks
    assert "by their verification: 10 verified, 1 unverified" in reading.remarks


@pytest.mark.parametrize("count", [32, 64, 100, 200])
def test_a_sample_under_the_limit_is_told(tmp_path: Path, count: int) -> None:
    rows = [offer(id=number) for number in range(count)]
    reading = KIND.read([saved(tmp_path, rows)], Asked())
    assert reading.warnings == (
        f"{count} offers in a file is a round number: the search ends at its limit, and what it "
        "leaves out is not told; ask for more with --limit",
    )
    reading = KIND.read([saved(tmp_path, rows[:-1])], Asked())
    assert reading.warnings == ()


def test_an_offer_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    first = saved(tmp_path, [offer(id=1), offer(id=2, dph_base=0.30)])
    second = saved(tmp_path, [offer(id=2, dph_base=0.40)], "later.json")
    reading = KIND.read([first, second], Asked())
    assert reading.used == 2
    assert reading.dropped == (Dropped("the same offer once more, by its id", 1, 1),)
    # what the later file says of it holds: (0.32 + 0.40) / 2
    assert medians(reading) == {"rtx-3090": 0.36}
    assert [source.path for source in reading.sources] == [first, second]


@pytest.mark.parametrize(
    "content", [{"offers": [offer()]}, {"success": True, "offers": [offer()]}, {"offers": offer()}]
)
def test_the_answer_of_the_api_is_read_as_well(tmp_path: Path, content: Any) -> None:
    path = saved(tmp_path, content)
    assert KIND.recognises(Head(path, path.read_text()))
    assert medians(KIND.read([path], Asked())) == {"rtx-3090": 0.32}


def test_it_is_known_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    assert KIND.recognises(Head(Path("week.csv"), OFFERS.read_text()[:5000]))
    assert not KIND.recognises(Head(OFFERS, '[{"num_gpus": 1, "price": 2}]'))
    assert not KIND.recognises(Head(OFFERS, "dph_base,num_gpus\n1,2\n"))


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    path = saved(tmp_path, OFFERS.read_text()[:1000])
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert str(caught.value) == (
        f"{path}, line 31\n"
        "  found:    the file ends in the middle of a value that begins on this line\n"
        "  expected: a whole JSON file\n"
        "  next:     export or copy the file again; it was cut off"
    )


@pytest.mark.parametrize("content", ["[]", '{"offers": []}'])
def test_a_list_without_offers(tmp_path: Path, content: str) -> None:
    path = saved(tmp_path, content)
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert str(caught.value) == (
        f"{path}\n"
        "  found:    no offer\n"
        '  expected: a list of offers, or {"offers": [...]}\n'
        "  next:     save it again: vastai search offers --raw > offers.json"
    )


def test_offers_none_of_which_can_be_used(tmp_path: Path) -> None:
    path = saved(tmp_path, [offer(dph_base=0), offer(num_gpus=None), 3])
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert caught.value.found == (
        "no offer of a GPU with a price (no offer, but another kind of value: 1; a price of 0 "
        "(dph_base): 1; no number of GPUs (num_gpus): 1)"
    )


def test_every_offer_is_counted_once_and_alike_everywhere(tmp_path: Path) -> None:
    good = [offer(id=n, machine_id=n, host_id=n, min_bid=0.16) for n in range(22)]
    # on demand and on spot far above any price: one offer that is left out, not two
    dear = offer(id=22, machine_id=22, host_id=22, dph_base=500, min_bid=400)
    reading = KIND.read([saved(tmp_path, [*good, dear])], Asked())
    assert (reading.used, sum(one.rows for one in reading.dropped)) == (22, 1)
    assert "22 offers of 22 machines of 22 hosts; the most of one host: 1" in reading.remarks
    assert [one.why for one in reading.dropped] == [
        "rtx-3090 on-demand above 100 USD for a GPU-hour"
    ]


def test_a_price_left_out_of_an_offer_that_is_used_leaves_no_offer_out(tmp_path: Path) -> None:
    good = [offer(id=n, host_id=n, min_bid=0.16) for n in range(22)]
    half = offer(id=22, host_id=22, min_bid=400)
    reading = KIND.read([saved(tmp_path, [*good, half])], Asked())
    assert (reading.used, reading.dropped) == (23, ())
    assert (
        "left out, of 1 row used for another price: rtx-3090 spot above 100 USD for a GPU-hour"
    ) in reading.remarks
    assert any(text.startswith("23 offers of ") for text in reading.remarks)
