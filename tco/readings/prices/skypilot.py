"""The catalogue of SkyPilot, ``vms.csv``: the list prices of a cloud's instances.

``Price`` and ``SpotPrice`` are of the whole instance, in USD an hour, and are divided by
``AcceleratorCount``. The order of the columns differs by cloud. The file does not say whose prices
it holds. Google Cloud is priced in two rows, the host without the accelerator and the accelerator
without the host: neither is the price of a GPU-hour, so neither is used. ``GpuInfo`` is written
the way Python writes a dict and is only searched, never run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from tco.prices.gpu_names import gpu_of
from tco.readings.prices.offers import Billing, LeftOut, Offer, plausible, reading_of
from tco.readings.reading import Asked, Head, Kind, Reading
from tco.readings.texts.spreadsheet import DOLLARS, Row, Sheet, is_missing

TITLE = "catalogue of SkyPilot (vms.csv)"
NEXT = "give the vms.csv of a cloud from the catalogue of SkyPilot"
COLUMNS = ("InstanceType", "AcceleratorName", "AcceleratorCount", "Price")
LEAST_MIB = 1024
"""A memory below this is in GiB, whatever its name says (RunPod writes 80)."""

HALF = "an accelerator without its host (InstanceType is empty): a part of a price"
HOST_ALONE = "the host alone, by its price for a vCPU: a part of a price"
HOSTS = {"a2": Decimal("0.15"), "a3": Decimal("0.15"), "a4": Decimal("0.15"), "g4": Decimal("0.05")}
"""USD for a vCPU and hour, by the family of Google Cloud, below which the GPU is not in a price."""

_COUNT = re.compile(r"""['"]Count['"]: (\d{1,9})""")
_NAME = re.compile(r"""['"]Name['"]: ['"]([^'"]{1,60})['"]""")
_MEMORY = re.compile(r"""['"]TotalGpuMemoryInMiB['"]: (\d{1,12})""")


@dataclass(frozen=True)
class _Instance:
    """What one row says of an instance; instances that are alike are one offer."""

    file: str
    name: str
    accelerator: str
    count: Fraction
    info: str
    price: Decimal | None
    spot: Decimal | None
    region: str


def recognises(head: Head) -> bool:
    """Whether this is a catalogue of SkyPilot, by the names of its columns."""
    return {name.casefold() for name in COLUMNS} <= set(head.columns)


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """The prices of a GPU-hour, each file a list of its own.

    Raises ReadingError for a file without the columns and for one with no GPU that has a price.
    """
    left_out = LeftOut()
    names = _names(paths)
    rows: dict[_Instance, list[int]] = {}
    sheets = [Sheet(path, asked) for path in paths]
    for sheet, name in zip(sheets, names, strict=True):
        reader = _Reader(sheet, name)
        alone: set[str] = set()
        whole: list[tuple[int, _Instance]] = []
        for row in sheet.rows():
            found = reader.instance(row)
            if isinstance(found, _Instance):
                whole.append((row.line, found))
                continue
            left_out.add(found, row.line)
            if found == HALF:
                alone.add(reader.accelerator(row))
        for line, found in whole:
            if found.accelerator in alone:
                left_out.add("an accelerator that has a price in a row of its own", line)
            else:
                rows.setdefault(found, []).append(line)
        for dropped in sheet.dropped:
            left_out.add(dropped.why, dropped.first_line, dropped.rows)
    offers = [
        replace(offer, row=number, rows=len(lines), line=lines[0])
        for number, (instance, lines) in enumerate(rows.items())
        for offer in _offers(instance)
    ]
    return reading_of(
        TITLE,
        paths,
        plausible(offers, asked, left_out),
        asked,
        basis="published",
        rows_are="rows",
        left_out=left_out,
        remarks=(*_remarks(rows),),
        warnings=(*_floors(rows), *_two_rows(left_out)),
        next_step=NEXT,
    )


def _names(paths: Sequence[Path]) -> tuple[str, ...]:
    """What each file is called where its prices stand: its name, with its folder if needed."""
    alike = Counter(path.name for path in paths)
    return tuple(
        path.name if alike[path.name] == 1 else f"{path.parent.name}/{path.name}" for path in paths
    )


class _Reader:
    """The rows of one file, by the columns it has."""

    def __init__(self, sheet: Sheet, name: str) -> None:
        self._sheet = sheet
        self._name = name
        self._columns = {wanted: sheet.need(wanted) for wanted in COLUMNS}
        for wanted in ("SpotPrice", "GpuInfo", "Region", "vCPUs"):
            found = sheet.column(wanted)
            if found is not None:
                self._columns[wanted] = found

    def instance(self, row: Row) -> _Instance | str:
        """What the row says, or why it is not used."""
        name, accelerator = self._text(row, "InstanceType"), self.accelerator(row)
        if accelerator.casefold().startswith("tpu"):
            return "a TPU, no GPU"
        if not accelerator:
            return "no GPU (AcceleratorName is empty)"
        if not name:
            return HALF
        count = self._amount(row, "AcceleratorCount")
        if count is None or count <= 0:
            return "no number of GPUs (AcceleratorCount)"
        info = self._text(row, "GpuInfo")
        counted = _COUNT.search(info)
        if counted and count >= 1 and int(counted[1]) != count:
            return "AcceleratorCount is not the number of GPUs in GpuInfo"
        price, spot = self._amount(row, "Price"), self._amount(row, "SpotPrice")
        # a price of 0 says that there is none
        price, spot = (amount if amount and amount > 0 else None for amount in (price, spot))
        cores = self._amount(row, "vCPUs")
        bound = HOSTS.get(name.split("-")[0])
        if bound and price and cores and price < bound * cores:
            return HOST_ALONE
        if price is None and spot is None:
            return "no price (Price and SpotPrice are empty or 0)"
        return _Instance(
            self._name,
            name,
            accelerator,
            Fraction(count),
            info,
            price,
            spot,
            self._text(row, "Region"),
        )

    def accelerator(self, row: Row) -> str:
        """The accelerator of a row."""
        return self._text(row, "AcceleratorName")

    def _text(self, row: Row, column: str) -> str:
        name = self._columns.get(column)
        return "" if name is None or is_missing(row.cells[name]) else row.cells[name]

    def _amount(self, row: Row, column: str) -> Decimal | None:
        name = self._columns.get(column)
        if name is None:
            return None
        return self._sheet.decimal(row.cells[name], name, row.line, DOLLARS)


def _offers(instance: _Instance) -> Iterable[Offer]:
    named = _NAME.search(instance.info)
    hint = f"{instance.name} {named[1] if named else ''}"
    gpu = gpu_of(instance.accelerator + _memory(instance), hint)
    prices: Mapping[Billing, Decimal | None] = {
        "on-demand": instance.price,
        "spot": instance.spot,
    }
    for billing, price in prices.items():
        if price is not None:
            each = Fraction(price) / instance.count
            amount = Decimal(each.numerator) / Decimal(each.denominator)
            yield Offer(gpu, instance.file, amount, instance.count, billing)


def _memory(instance: _Instance) -> str:
    """The memory of one GPU, as a text after its name; empty where GpuInfo does not tell it."""
    found = _MEMORY.search(instance.info)
    if found is None or int(found[1]) == 0:
        return ""
    each = int(found[1]) / max(instance.count, Fraction(1))
    return f" {round(each)} {'MiB' if each >= LEAST_MIB else 'GB'}"


def _remarks(rows: Mapping[_Instance, Sequence[int]]) -> Iterable[str]:
    several, used = [*rows], sum(len(lines) for lines in rows.values())
    yield (
        "Price is of the whole instance: divided by AcceleratorCount; the vCPUs and the memory of "
        "the instance are in it, storage and traffic are not told"
    )
    yield "whose prices they are is not in the file: they are kept apart by file"
    if used > len(several):
        yield (
            f"{used} rows are {len(several)} offers: the same instance at the same price in "
            "another zone of a region counts once"
        )
    regions = {(each.file, each.region) for each in several}
    if len(regions) > 1:
        yield f"{len(regions)} regions are put together"
    shares = sum(each.count < 1 for each in several)
    if shares:
        yield f"offers of a share of a GPU, priced as a whole one: {shares}"


def _floors(instances: Iterable[_Instance]) -> Iterable[str]:
    """Files in which nothing on demand is dearer than on spot."""
    by_file: dict[str, list[_Instance]] = {}
    for each in instances:
        if each.price is not None and each.spot is not None:
            by_file.setdefault(each.file, []).append(each)
    for file, several in by_file.items():
        if len(several) > 1 and all(each.price == each.spot for each in several):
            yield (
                f"{file}: Price equals SpotPrice in every row; it may be the floor of an auction, "
                "not what is paid on demand"
            )


def _two_rows(left_out: LeftOut) -> Iterable[str]:
    if {HALF, HOST_ALONE} & {dropped.why for dropped in left_out.reasons}:
        yield (
            "hosts and accelerators are priced in rows of their own, as Google Cloud does: the "
            "price of a GPU-hour is the sum of the two, which the file does not pair; neither is "
            "used"
        )


KIND = Kind(TITLE, recognises, read)
