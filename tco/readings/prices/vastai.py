"""What ``vastai search offers --raw`` prints: the offers of Vast.ai at one moment.

The price of an offer is for all its GPUs, so it is divided by ``num_gpus``. ``dph_base`` is the
price of the GPUs; ``dph_total`` adds the disk that was asked for, in months of 720 hours, and is
not used: 0.32 and 10 GB at 0.20 USD a month are 0.32 + 10 x 0.2 / 720 = 0.322778. ``min_bid`` is
what must be bid for the same machine on spot. Prices after credit (``discounted_dph_total``) and
those under ``search`` and ``instance`` are of other things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from tco.prices.gpu_names import gpu_of
from tco.readings.prices.offers import Billing, LeftOut, Offer, plausible, reading_of, shown
from tco.readings.reading import Asked, Head, Kind, Reading, ReadingError
from tco.readings.texts.json_numbers import exact
from tco.readings.texts.json_values import values

TITLE = "offers of Vast.ai (vastai search offers --raw)"
MARKETPLACE = "Vast.ai"
HOURS_PER_MONTH = 720
"""Of the months for which Vast.ai asks a price of storage."""
NEXT = "save it again: vastai search offers --raw > offers.json"

Row = Mapping[str, Any]


def recognises(head: Head) -> bool:
    """Whether these are offers of Vast.ai: a price ``dph_base`` of ``num_gpus``."""
    return (
        "dph_base" in head.keys
        or ("num_gpus" in head.keys and any(key.startswith("dph") for key in head.keys))
        or (head.is_json and head.keys == {"offers"})
    )


def read(paths: Sequence[Path], asked: Asked) -> Reading:
    """The prices of the cards on offer.

    Raises ReadingError for a file that is cut off, is no list, or has no offer that can be used.
    """
    rows: dict[object, tuple[int | None, Row]] = {}
    left_out = LeftOut()
    lengths = []
    for path in paths:
        listed = _listed(path, asked)
        lengths.append(len(listed))
        for line, row in listed:
            if not isinstance(row, dict):
                left_out.add("no offer, but another kind of value", line)
                continue
            key = row.get("id")
            if isinstance(key, (int, str)) and key in rows:
                left_out.add("the same offer once more, by its id", line)
            rows[key if isinstance(key, (int, str)) else object()] = (line, row)
    offers: list[Offer] = []
    for number, (line, row) in enumerate(rows.values()):
        why = _unusable(row)
        if why:
            left_out.add(why, line)
        else:
            offers += _offers(row, number, line)
    offers = plausible(offers, asked, left_out)
    numbers = {offer.row for offer in offers}
    used = [row for number, (_, row) in enumerate(rows.values()) if number in numbers]
    return reading_of(
        TITLE,
        paths,
        offers,
        asked,
        basis="quoted",
        rows_are="offers",
        left_out=left_out,
        remarks=(*_what_is_in_it(used), *_hosts(used)),
        warnings=(*_samples(lengths), *_inconsistent(used)),
        next_step=NEXT,
    )


def _listed(path: Path, asked: Asked) -> list[tuple[int | None, Any]]:
    """The offers of a file, each with its line where it is known."""
    found: list[tuple[int | None, Any]] = [*values(path, asked.progress)]
    if len(found) == 1 and isinstance(found[0][1], dict) and "offers" in found[0][1]:
        inside = found[0][1]["offers"]
        found = [(None, row) for row in (inside if isinstance(inside, list) else [inside])]
    if not found:
        raise ReadingError(
            str(path), None, None, "no offer", 'a list of offers, or {"offers": [...]}', NEXT
        )
    return found


def _unusable(row: Row) -> str | None:
    """Why an offer is not used, None if it is."""
    gpus, price = exact(row.get("num_gpus")), exact(row.get("dph_base"))
    if not isinstance(row.get("gpu_name"), str) or not row["gpu_name"].strip():
        return "no GPU (gpu_name)"
    if gpus is None or gpus <= 0:
        return "no number of GPUs (num_gpus)"
    if price is None:
        return "no price of its GPUs (dph_base)"
    if price <= 0:
        return f"a price of {'0' if price == 0 else 'less than 0'} (dph_base)"
    if row.get("rentable") is False or row.get("rented") is True:
        return "not to be rented now (rentable false or rented true)"
    return None


def _offers(row: Row, number: int, line: int | None) -> Iterable[Offer]:
    gpus = _number(row, "num_gpus")
    memory = exact(row.get("gpu_ram"))
    gpu = gpu_of(row["gpu_name"] + (f" {memory:.0f} MiB" if memory and memory > 0 else ""))
    price, bid = _number(row, "dph_base"), exact(row.get("min_bid"))
    if row.get("is_bid") is True:
        price, bid = Decimal(0), price
    prices: Mapping[Billing, Decimal | None] = {"on-demand": price, "spot": bid}
    for billing, amount in prices.items():
        if amount is not None and amount > 0:
            each = amount / gpus
            yield Offer(gpu, MARKETPLACE, each, Fraction(gpus), billing, number, line=line)


def _what_is_in_it(rows: Sequence[Row]) -> Iterable[str]:
    yield (
        "the price is dph_base / num_gpus: the GPUs alone, for one of them; dph_total adds the "
        "disk that was asked for, and is not used"
    )
    storage = [price for row in rows if (price := exact(row.get("storage_cost"))) is not None]
    if storage:
        yield (
            f"storage comes on top: {_range(storage)} USD per GB and month of {HOURS_PER_MONTH} "
            f"hours, median {shown(median(storage))}"
        )
    disks = [
        disk * HOURS_PER_MONTH / price
        for row in rows
        if (price := exact(row.get("storage_cost"))) and price > 0
        if (disk := exact(row.get("storage_total_cost"))) is not None
    ]
    if disks:
        yield f"the disk that was asked for: {_range(disks, 'GB')}"
    traffic = [
        price
        for row in rows
        for key in ("inet_up_cost", "inet_down_cost")
        if (price := exact(row.get(key))) is not None
    ]
    if traffic:
        yield f"traffic comes on top: {_range(traffic)} USD per GB"


def _hosts(rows: Sequence[Row]) -> Iterable[str]:
    machines = Counter(str(row["machine_id"]) for row in rows if "machine_id" in row)
    hosts = Counter(str(row["host_id"]) for row in rows if "host_id" in row)
    if hosts:
        (_, most), *_ = hosts.most_common(1)
        yield (
            f"{len(rows)} offers of {len(machines)} machines of {len(hosts)} hosts; the most of "
            f"one host: {most}"
        )
    states = Counter(str(row["verification"]) for row in rows if "verification" in row)
    if states:
        listed = ", ".join(f"{count} {state}" for state, count in states.most_common())
        yield f"by their verification: {listed}"
    bids = sum(row.get("is_bid") is True for row in rows)
    if bids:
        yield f"offers to bid for (is_bid), whose price counts as spot: {bids}"


def _samples(lengths: Sequence[int]) -> Iterable[str]:
    for length in dict.fromkeys(lengths):
        if _is_limit(length):
            yield (
                f"{length} offers in a file is a round number: the search ends at its limit, and "
                "what it leaves out is not told; ask for more with --limit"
            )


def _is_limit(length: int) -> bool:
    """Whether so many offers look like the limit of a search.

    >>> [length for length in (10, 32, 63, 64, 100, 130, 200, 1000) if _is_limit(length)]
    [32, 64, 100, 200, 1000]
    """
    return length >= 32 and (length & (length - 1) == 0 or length % 50 == 0)


def _inconsistent(rows: Sequence[Row]) -> Iterable[str]:
    wrong = 0
    for row in rows:
        parts = [exact(row.get(key)) for key in ("dph_base", "storage_total_cost", "dph_total")]
        if None not in parts:
            base, disk, whole = (Decimal(part) for part in parts if part is not None)
            wrong += abs(base + disk - whole) > Decimal("0.001") + whole / 100
    if wrong:
        yield (
            f"in {wrong} of {len(rows)} offers dph_base and storage_total_cost do not add up to "
            "dph_total: look at what their price holds"
        )


def _range(numbers: Sequence[Decimal], unit: str = "") -> str:
    low, high = shown(min(numbers)), shown(max(numbers))
    return f"{low} {unit}".strip() if low == high else f"{low} to {high} {unit}".strip()


def _number(row: Row, key: str) -> Decimal:
    number = exact(row.get(key))
    assert number is not None, f"{key} has been looked at by _unusable"
    return number


KIND = Kind(TITLE, recognises, read)
