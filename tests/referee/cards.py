"""What GPUs do and cost, bought or rented."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.referee.market import Given, Market, at_most, whole_above, whole_below

WATTS_OF_KNOWN_CARDS = {
    "rtx-4090": 450.0,
    "a100-40gb": 400.0,
    "a100-80gb": 400.0,
    "h100-sxm": 700.0,
}
GIGABYTES_OF_KNOWN_CARDS = {
    "rtx-4090": 24.0,
    "a100-40gb": 40.0,
    "a100-80gb": 80.0,
    "h100-sxm": 80.0,
}
# latent: values of the compressed cache of a token in a layer; window: tokens looked back on
KNOWN_MODELS: dict[str, Given] = {
    "llama-3-8b": {
        "parameters": 8, "layers": 32, "heads": 32, "kv_heads": 8, "head_dim": 128,
    },
    "llama-3-70b": {
        "parameters": 70, "layers": 80, "heads": 64, "kv_heads": 8, "head_dim": 128,
    },
    "mistral-7b-v0.1": {
        "parameters": 7.24, "layers": 32, "heads": 32, "kv_heads": 8, "head_dim": 128,
        "window": 4096,
    },
    "deepseek-v3": {
        "parameters": 671, "layers": 61, "heads": 128, "kv_heads": 1, "latent": 576,
    },
}  # fmt: skip
BYTES = {"fp16": 2.0, "bf16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5}


@dataclass
class Sizes:
    """Sizing as it is given, each with its default."""

    per_replica: float
    per_node: float
    ceiling: float
    spare: float
    availability: float

    @property
    def replicas_per_node(self) -> float:
        """Whole replicas on a node."""
        return max(whole_below(self.per_node / self.per_replica), 1.0)

    @property
    def nodes_per_replica(self) -> float:
        """Whole nodes for a replica."""
        return whole_above(self.per_replica / self.per_node)


@dataclass
class Gpus:
    """The GPUs of one supply, month by month."""

    work_of_an_hour: list[float] | None = None
    gpus: list[float] = field(default_factory=list)
    capacity: list[float] = field(default_factory=list)
    nodes: list[float] = field(default_factory=list)
    replicas: list[float] = field(default_factory=list)
    sizes: Sizes | None = None


def card_of(terms: Given) -> str:
    """The card of a supply."""
    return str(terms["own"] if "own" in terms else terms["rent"])


def hardware_of(market: Market, terms: Given) -> Given:
    """What the scenario says of the card of a supply."""
    return dict(market.scenario.get("hardware", {}).get(card_of(terms), {}))


def work_fields(market: Market, terms: Given) -> Given | None:
    """What says how much one GPU does: the supply's own word, else that of its card."""
    if not market.has_demand:
        return None
    fields = {
        "tokens": ("output_rate", "throughput"),
        "tasks": ("tasks_per_hour", "hours_per_task"),
        "gpu_hours": ("speed_up",),
    }[market.kind]
    for place in (terms, hardware_of(market, terms)):
        for name in fields:
            if place.get(name) is not None:
                return {name: place[name]}
    measured_on = {given.get("card") for given in market.given_workloads.values()}
    if market.kind == "gpu_hours" and measured_on == {card_of(terms)}:
        return {"speed_up": 1.0}
    return None


def work_of_an_hour(market: Market, terms: Given) -> list[float] | None:
    """Work that a busy GPU does in an hour, month by month."""
    given = work_fields(market, terms)
    if given is None:
        return None
    name, value = next(iter(given.items()))
    useful = _useful_hours(market, terms)
    found = []
    for month in range(market.months + 1):
        if name == "hours_per_task":
            work = 1 / market.number(value)
        elif name in ("tasks_per_hour", "speed_up"):
            work = market.number(value)
        else:
            rate = market.number(value) if name == "output_rate" else _rate(market, value, month)
            work = rate * 3600 / market.number(terms.get("tokeniser_factor"), 1.0)
        found.append(work * useful)
    return found


def lost_hours(market: Market, spot: Given) -> float:
    """Hours lost by an interruption."""
    checkpoint = market.number(spot.get("checkpoint_hours"))
    return checkpoint * 0.5 + market.number(spot.get("restart_hours"))


def _useful_hours(market: Market, terms: Given) -> float:
    if "spot" not in terms:
        return 1.0
    between = market.number(terms["spot"]["hours_between_interruptions"])
    return max(1 - lost_hours(market, terms["spot"]) / between, 0.0)


def _rate(market: Market, points: list[Given], month: int) -> float:
    """Output tokens a second of one GPU at the month's mix of input and output."""
    rates = [
        market.number(point["output_rate"])
        / market.number(point.get("gpus", point.get("tensor_parallel")), 1.0)
        for point in points
    ]
    if len(points) == 1:
        return rates[0]
    mixes = [
        market.number(point["input_length"]) / market.number(point["output_length"])
        for point in points
    ]
    seconds = [1 / rate for rate in rates]
    mean_mix, mean_seconds = sum(mixes) / len(mixes), sum(seconds) / len(seconds)
    slope = sum(
        (mix - mean_mix) * (second - mean_seconds)
        for mix, second in zip(mixes, seconds, strict=True)
    ) / sum((mix - mean_mix) ** 2 for mix in mixes)
    decode = mean_seconds - slope * mean_mix
    asked = market.asked[month]
    mix = (asked.input_tokens - asked.cache_read) / asked.work if asked.work > 0 else 0.0
    return 1 / (decode + slope * mix)


def measured_together(market: Market, terms: Given) -> float | None:
    """How many cards held one copy of the model where the throughput was measured."""
    given = work_fields(market, terms) or {}
    points = given.get("throughput") or []
    together = {market.number(p["tensor_parallel"]) for p in points if "tensor_parallel" in p}
    if market.kind != "tokens" or len(together) != 1 or together == {1.0}:
        return None
    return together.pop() if "tensor_parallel" in points[0] else None


def sizes_of(market: Market, terms: Given) -> Sizes | None:
    """How a supply is sized; None where its GPUs are simply counted."""
    needed = terms.get("billed") == "needed"
    together = measured_together(market, terms)
    if "sizing" not in terms and terms["count"] != "auto" and not needed and together is None:
        return None
    sizing = terms.get("sizing") or {}
    return Sizes(
        market.number(sizing.get("gpus_per_replica"), together or 1.0),
        market.number(sizing.get("gpus_per_node"), 1.0),
        market.number(sizing.get("busy_ceiling"), 1.0),
        market.number(sizing.get("spare_replicas"), 0.0),
        market.number(sizing.get("availability"), 1.0),
    )


def delivered_in(market: Market, terms: Given) -> int:
    """The month in which bought cards are there; they serve from the next one on."""
    return int(market.number((terms.get("quote") or {}).get("lead_time_months")))


def sized(market: Market, terms: Given, capacity_before: list[float]) -> Gpus:
    """The GPUs of a supply and what they can do."""
    found = Gpus(work_of_an_hour(market, terms))
    sizes = found.sizes = sizes_of(market, terms) if found.work_of_an_hour else None
    most = 0.0
    for month in range(market.months + 1):
        peak = market.rate[month] * market.peak_to_mean
        left = max(peak - capacity_before[month], 0.0)
        if found.work_of_an_hour is None or sizes is None:
            count = market.number(terms["count"])
            found.gpus.append(count)
            work = found.work_of_an_hour
            found.capacity.append(left if work is None else count * work[month])
            continue
        planned = found.work_of_an_hour[month] * sizes.per_replica
        planned *= sizes.ceiling * sizes.availability
        if terms["count"] == "auto":
            some = 0.0 if at_most(peak, capacity_before[month]) else 1.0
            replicas = max(whole_above(left / planned), some)
            replicas += sizes.spare if replicas > 0 else 0.0
            most = max(most, replicas)
            replicas = most if "own" in terms else replicas
            nodes = whole_above(replicas / sizes.replicas_per_node) * sizes.nodes_per_replica
        else:
            nodes = whole_above(market.number(terms["count"]) / sizes.per_node)
            replicas = whole_below(nodes / sizes.nodes_per_replica) * sizes.replicas_per_node
        found.replicas.append(replicas)
        found.nodes.append(nodes)
        found.gpus.append(nodes * sizes.per_node)
        found.capacity.append(max(replicas - sizes.spare, 0.0) * planned)
    delivered = delivered_in(market, terms)
    for month in range(delivered + 1 if delivered else 0):
        found.gpus[month] = found.capacity[month] = 0.0
    return found


def needed_hours(market: Market, found: Gpus, capacity_before: list[float]) -> list[float]:
    """GPU-hours held where GPUs are given back whenever the load does without them."""
    sizes, work = found.sizes, found.work_of_an_hour
    assert sizes is not None
    assert work is not None
    hours = []
    for month in range(market.months + 1):
        planned = work[month] * sizes.per_replica * sizes.ceiling * sizes.availability
        of_a_node = planned * sizes.replicas_per_node / sizes.nodes_per_replica
        held = 0.0
        for share, level in market.levels:
            if level > 0:
                left = max(market.rate[month] * level - capacity_before[month], 0.0)
                nodes = min(whole_above(left / of_a_node), found.nodes[month])
                held += share * market.hours[month] * sizes.per_node * nodes
        hours.append(held)
    return hours


def billed_in_sessions(market: Market, sessions: Given, used: float) -> float:
    """GPU-hours billed when GPUs are taken and given back so many times a month."""
    if used <= 0:
        return 0.0
    times = market.number(sessions["per_month"])
    length = used / times + market.number(sessions.get("startup_hours"))
    if "increment_hours" in sessions:
        step = market.number(sessions["increment_hours"])
        length = whole_above(length / step) * step
    return times * max(market.number(sessions.get("minimum_hours")), length)


def memory_of(market: Market, terms: Given) -> dict[str, float] | None:
    """What a model needs of each card and what there is; None where either is not known."""
    if not market.has_demand:
        return None
    workloads = market.given_workloads.values()
    replacements = {given["replacement"] for given in workloads if "replacement" in given}
    common = replacements.pop() if len(replacements) == 1 else None
    known = {**KNOWN_MODELS, **market.scenario.get("models", {})}
    model: Any = known.get(terms.get("model", common))
    hardware = hardware_of(market, terms)
    there = hardware.get("memory_gb", GIGABYTES_OF_KNOWN_CARDS.get(card_of(terms)))
    if model is None or there is None:
        return None
    memory = terms.get("memory") or {}
    measured = measured_together(market, terms) or 1.0
    gpus = market.number((terms.get("sizing") or {}).get("gpus_per_replica"), measured)
    weights = market.number(model["parameters"]) * BYTES[memory.get("precision", "fp16")] / gpus
    besides = weights + market.number(memory.get("overhead_gb"), 1.5)
    usable = market.number(memory.get("usable_share"), 0.9) * market.number(there)
    heads, kv_heads = market.number(model["heads"]), market.number(model["kv_heads"])
    shares = min(gpus, kv_heads)
    of_a_sequence = _cache_of_a_sequence(market, model, memory)
    cache = of_a_sequence * market.number(memory.get("sequences"), 1.0) / shares
    room = max(usable - besides, 0.0) * shares
    shared_out = heads % gpus == 0 and (kv_heads % gpus == 0 or gpus % kv_heads == 0)
    return {
        "needed_gb_per_gpu": besides + cache,
        "usable_gb": usable,
        "does_not_fit": float(not at_most(besides + cache, usable)),
        "shortfall_gb": max(besides + cache - usable, 0.0),
        "kv_room_gb": room,
        "sequences_that_fit": whole_below(room / of_a_sequence) if of_a_sequence else 0.0,
        "tensor_parallel_not_allowed": float(not shared_out),
    }


def _cache_of_a_sequence(market: Market, model: Given, memory: Given) -> float:
    """Gigabytes of cache for one sequence; none where no context is asked for."""
    if "context" not in memory:
        return 0.0
    values = 2 * market.number(model.get("head_dim")) * market.number(model["kv_heads"])
    context = market.number(memory["context"])
    tokens = min(context, market.number(model.get("window"), context))
    of_a_layer = market.number(model.get("latent"), values) * 2.0
    return market.number(model["layers"]) * of_a_layer * tokens / 1e9
