"""Catalogues of SkyPilot: prices of instances made prices of GPUs, and rows that are a part."""

from pathlib import Path

import pytest

from tco.readings.prices.skypilot import KIND
from tco.readings.reading import Asked, Dropped, Head, Reading, ReadingError

FILES = Path(__file__).parent / "files" / "skypilot"
CLOUD_A, CLOUD_B = FILES / "cloud_a.csv", FILES / "cloud_b.csv"
HEAD = (
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region,GpuInfo"
)


def saved(folder: Path, *rows: str, head: str = HEAD, name: str = "vms.csv") -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join((head, *rows)) + "\n", "utf-8")
    return path


def info(name: str, count: float, mib: int) -> str:
    return (
        f"\"{{'Gpus': [{{'Name': '{name}', 'Manufacturer': null, 'Count': {count}, 'MemoryInfo': "
        f"{{'SizeInMiB': {mib}}}}}], 'TotalGpuMemoryInMiB': {mib * count}}}\""
    )


def medians(reading: Reading) -> dict[str, float]:
    return {entry.subject: entry.content["median"] for entry in reading.entries}


def test_the_price_is_that_of_the_instance_divided_by_its_gpus() -> None:
    reading = KIND.read([CLOUD_A], Asked())
    # 3.10 for 1 and 24.80 for 8 are both 3.10
    assert 24.80 / 8 == 3.10
    assert medians(reading) == {"h100-sxm": 3.10, "l40s": 1.55}
    assert reading.tables[0].rows[1:] == (
        ("h100-sxm", "cloud_a.csv", "on-demand", "2", "9", *["3.1"] * 6),
        ("h100-sxm", "cloud_a.csv", "spot", "2", "9", *["1.3"] * 6),
        ("l40s", "cloud_a.csv", "on-demand", "1", "1", *["1.55"] * 6),
    )
    assert reading.dropped == (Dropped("no GPU (AcceleratorName is empty)", 1, 2),)
    assert (reading.used, reading.rows_are) == (3, "rows")
    assert {entry.basis for entry in reading.entries} == {"published"}


def test_columns_may_stand_in_any_order_and_a_zone_is_no_offer() -> None:
    reading = KIND.read([CLOUD_B], Asked())
    assert medians(reading) == {"a100-80gb-pcie": 1.39}
    assert reading.used == 3
    assert (
        "3 rows are 2 offers: the same instance at the same price in another zone of a region "
        "counts once"
    ) in reading.remarks


def test_catalogues_of_two_clouds_are_kept_apart() -> None:
    reading = KIND.read([CLOUD_A, CLOUD_B], Asked())
    assert {row[1] for row in reading.tables[0].rows[1:]} == {"cloud_a.csv", "cloud_b.csv"}
    assert medians(reading) == {"h100-sxm": 3.10, "l40s": 1.55, "a100-80gb-pcie": 1.39}


def test_two_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    row = "a,L40S,1,8,32,{},,r,"
    one = saved(tmp_path, row.format("1.00"), name="here/vms.csv")
    other = saved(tmp_path, row.format("2.00"), name="there/vms.csv")
    reading = KIND.read([one, other], Asked())
    assert [row[1] for row in reading.tables[0].rows[1:]] == ["here/vms.csv", "there/vms.csv"]
    assert reading.entries == ()
    assert any(warning.startswith("l40s has 2 medians") for warning in reading.warnings)


def test_a_price_of_four_gpus_is_not_that_of_one(tmp_path: Path) -> None:
    # 4 USD an hour for 4 GPUs is 1 USD for each
    path = saved(tmp_path, "big,L40S,4,8,32,4.0,,r,")
    assert medians(KIND.read([path], Asked())) == {"l40s": 1.0}


def test_a_gpu_info_that_counts_other_gpus_is_not_believed(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        f"x,L40S,1,8,32,4.0,,r,{info('L40S', 4, 46068)}",
        f"y,L40S,4,8,32,4.0,,r,{info('L40S', 4, 46068)}",
    )
    reading = KIND.read([path], Asked())
    assert medians(reading) == {"l40s": 1.0}
    assert reading.dropped == (
        Dropped("AcceleratorCount is not the number of GPUs in GpuInfo", 1, 2),
    )


@pytest.mark.parametrize(
    ("name", "instance", "gpu_info", "card"),
    [
        ("H100", "gpu-h100-sxm_8gpu", "", "h100-sxm"),
        ("H100-80G-SXM5", "n3", "", "h100-sxm"),
        ("H100-80G-PCIe", "n3", "", "h100-pcie"),
        ("H100", "1x-H100_NVL-32-65536", info("H100", 1, 95830), "h100-nvl"),
        ("RTXPRO6000", "x", "", "rtx-pro-6000"),
        ("RTX-PRO-6000", "x", "", "rtx-pro-6000"),
        ("RTX PRO 6000 96GB", "x", "", "rtx-pro-6000"),
        ("A100", "1x-A100_SXM4-32", info("A100", 1, 40960), "a100-40gb"),
        ("A100", "1x-A100_SXM4-32", info("A100", 1, 81920), "a100-80gb"),
        # RunPod writes GiB where the name says MiB, and the form only in GpuInfo
        ("A100-80GB", "1x_A100-80GB_SECURE", info("A100 PCIe", 1, 80), "a100-80gb-pcie"),
        # Nebius writes 0, which is not told
        ("L40S", "gpu-l40s", info("L40S", 1, 0), "l40s"),
        # of 48 GB it is another card
        ("RTX4090", "1x-RTX_4090", info("RTX4090", 1, 49140), "rtx-4090-48gb"),
    ],
)
def test_names_of_accelerators_drift(
    tmp_path: Path, name: str, instance: str, gpu_info: str, card: str
) -> None:
    path = saved(tmp_path, f"{instance},{name},1,8,32,2.0,,r,{gpu_info}")
    assert list(medians(KIND.read([path], Asked()))) == [card]


def test_the_memory_of_several_gpus_is_divided(tmp_path: Path) -> None:
    path = saved(tmp_path, f"8x-A100_SXM4,A100,8,8,32,8.0,,r,{info('A100', 8, 40960)}")
    assert medians(KIND.read([path], Asked())) == {"a100-40gb": 1.0}


def test_gpu_info_is_searched_and_never_run(tmp_path: Path) -> None:
    marker = tmp_path / "run"
    code = f"\"__import__('pathlib').Path('{marker}').touch()\""
    path = saved(tmp_path, f"x,L40S,1,8,32,2.0,,r,{code}")
    assert medians(KIND.read([path], Asked())) == {"l40s": 2.0}
    assert not marker.exists()


def test_host_and_accelerator_in_rows_of_their_own_are_not_used(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        "a2-highgpu-1g,,,12,85,0.94803,0.41783,asia,",
        ",A100,1,,,2.934,1.2,asia,",
        "g2-standard-4,L4,1,4,16,0.71,0.3,asia,",
    )
    reading = KIND.read([path], Asked())
    assert medians(reading) == {"l4": 0.71}
    assert reading.dropped == (
        Dropped("no GPU (AcceleratorName is empty)", 1, 2),
        Dropped("an accelerator without its host (InstanceType is empty): a part of a price", 1, 3),
    )
    assert (
        "hosts and accelerators are priced in rows of their own, as Google Cloud does: the price "
        "of a GPU-hour is the sum of the two, which the file does not pair; neither is used"
    ) in reading.warnings


@pytest.mark.parametrize(
    ("row", "whole"),
    [
        # 0.94 for 12 vCPUs is the host; with its A100 it is 4.05
        ("a2-highgpu-1g,A100,1,12,85,{},,asia,", ("0.94803", "4.05")),
        ("a3-highgpu-8g,H100,8,208,1872,{},,us,", ("9.46006", "88.49")),
        # 0.558 was taken for an RTX PRO 6000 that costs 4.49993 with its host
        ("g4-standard-48,RTX-PRO-6000,1,48,180,{},,us,", ("0.558", "4.49993")),
    ],
)
def test_the_price_of_a_host_alone_is_not_that_of_its_gpu(
    tmp_path: Path, row: str, whole: tuple[str, str]
) -> None:
    other = "x,L40S,1,8,32,2.0,,r,"
    reading = KIND.read([saved(tmp_path, row.format(whole[0]), other)], Asked())
    assert list(medians(reading)) == ["l40s"]
    assert reading.dropped == (
        Dropped("the host alone, by its price for a vCPU: a part of a price", 1, 2),
    )
    reading = KIND.read([saved(tmp_path, row.format(whole[1]), other)], Asked())
    assert len(reading.entries) == 2


def test_a_host_is_a_part_where_its_accelerator_has_a_row(tmp_path: Path) -> None:
    path = saved(
        tmp_path, ",A100,1,,,2.93,,asia,", "big,A100,1,12,85,2.0,,asia,", "x,L40S,1,8,32,2.0,,r,"
    )
    reading = KIND.read([path], Asked())
    assert list(medians(reading)) == ["l40s"]
    assert Dropped("an accelerator that has a price in a row of its own", 1, 3) in reading.dropped


def test_a_tpu_is_no_gpu(tmp_path: Path) -> None:
    path = saved(tmp_path, ",tpu-v6e-8,1,,,700.0,700.0,asia,tpu-v6e-8", "x,L40S,1,8,32,2.0,,r,")
    reading = KIND.read([path], Asked())
    assert reading.dropped == (Dropped("a TPU, no GPU", 1, 2),)


@pytest.mark.parametrize("price", ["", "0", "0.00"])
def test_no_price_is_no_price_of_0(tmp_path: Path, price: str) -> None:
    path = saved(tmp_path, f"x,L40S,1,8,32,{price},{price},r,", f"y,L40S,1,8,32,2.0,{price},r,")
    reading = KIND.read([path], Asked())
    assert medians(reading) == {"l40s": 2.0}
    assert [row[2] for row in reading.tables[0].rows[1:]] == ["on-demand"]
    assert reading.dropped == (Dropped("no price (Price and SpotPrice are empty or 0)", 1, 2),)


def test_an_instance_only_on_spot_has_no_price_on_demand(tmp_path: Path) -> None:
    path = saved(tmp_path, "x,L40S,1,8,32,,0.7,r,")
    reading = KIND.read([path], Asked())
    assert reading.entries == ()
    assert [(row[2], row[8]) for row in reading.tables[0].rows[1:]] == [("spot", "0.7")]


def test_the_floor_of_an_auction_is_dropped_or_doubted(tmp_path: Path) -> None:
    # a B200 at 0.01 is none; 1.00 for each H100 and each H200 equals its spot price
    path = saved(
        tmp_path,
        "b200,B200,8,168,1814,0.08,0.08,r,",
        "h100-80gb.sxm.8x,H100,8,168,1814,8.0,8.0,r,",
        "ccs-h200.sxm.1x,H200,1,20,200,1.0,1.0,r,",
    )
    reading = KIND.read([path], Asked())
    assert medians(reading) == {"h100-sxm": 1.0, "h200-sxm": 1.0}
    # its two prices are those of one row
    assert [(dropped.rows, dropped.first_line) for dropped in reading.dropped] == [(1, 2)]
    assert reading.used == 2
    assert reading.warnings[0] == (
        "vms.csv: Price equals SpotPrice in every row; it may be the floor of an auction, not what "
        "is paid on demand"
    )
    assert sum("of the price book" in warning for warning in reading.warnings) == 2


def test_a_share_of_a_gpu_is_priced_as_a_whole_one(tmp_path: Path) -> None:
    # half an A10 at 0.454 an hour is 0.908 for a whole one
    path = saved(tmp_path, "nv6,A10,0.5,6,55,0.454,,r,")
    reading = KIND.read([path], Asked())
    assert medians(reading) == {"a10": 0.908}
    assert "offers of a share of a GPU, priced as a whole one: 1" in reading.remarks


def test_a_card_whose_form_is_not_told(tmp_path: Path) -> None:
    path = saved(tmp_path, "x,H100,8,8,32,24.0,,r,")
    reading = KIND.read([path], Asked())
    assert reading.entries == ()
    assert reading.warnings[0] == (
        "h100 (1 offer of 8 GPUs) may be h100-pcie or h100-sxm: its price is not written; "
        "--gpu h100-sxm says which it is"
    )
    assert medians(KIND.read([path], Asked(gpu="h100-sxm"))) == {"h100-sxm": 3.0}


def test_saved_again_by_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "vms.csv"
    rows = [
        "InstanceType;AcceleratorName;AcceleratorCount;vCPUs;MemoryGiB;Price;Region;SpotPrice",
        "gpu-h100-sxm_8gpu;H100;8;128;1600;24,80;north;10,40",
        "gpu-l40s;L40S;1;8;32;1,55;north;",
    ]
    path.write_text("\ufeff" + "\r\n".join(rows) + "\r\n", "utf-8")
    assert medians(KIND.read([path], Asked())) == {"h100-sxm": 3.10, "l40s": 1.55}


def test_it_is_known_by_its_columns(tmp_path: Path) -> None:
    assert KIND.recognises(Head(Path("a.txt"), CLOUD_A.read_text()))
    assert KIND.recognises(Head(Path("a.txt"), CLOUD_B.read_text()))
    # gpuhunt
    assert not KIND.recognises(Head(CLOUD_A, "instance_name,location,price,gpu_count,gpu_name\n"))


def test_a_price_that_is_no_number(tmp_path: Path) -> None:
    path = saved(tmp_path, "x,L40S,1,8,32,on request,,r,")
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert (caught.value.file, caught.value.line, caught.value.field) == (str(path), 2, "Price")
    assert "on request" in caught.value.found


def test_without_the_column_of_the_count(tmp_path: Path) -> None:
    path = saved(tmp_path, "x,L40S,2.0", head="InstanceType,AcceleratorName,Price")
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert caught.value.expected == "a column AcceleratorCount"


def test_a_catalogue_without_gpus(tmp_path: Path) -> None:
    path = saved(tmp_path, "m5.large,,,2,8,0.096,0.03,us,")
    with pytest.raises(ReadingError) as caught:
        KIND.read([path], Asked())
    assert str(caught.value) == (
        f"{path}\n"
        "  found:    no offer of a GPU with a price (no GPU (AcceleratorName is empty): 1)\n"
        "  expected: one offer or more with a GPU and its price\n"
        "  next:     give the vms.csv of a cloud from the catalogue of SkyPilot"
    )
