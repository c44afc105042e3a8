"""Measured throughput against what the memory bandwidth of a card allows at most.

Every step of decoding reads the weights that are active once and the cache of every sequence. A
point that was measured at a stated number of requests in flight can therefore be checked by
arithmetic; one above the bound is a slip (a sum over more cards, another precision) and would make
cards look cheaper than they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tco.engine.missing import points_of, replacement_of
from tco.engine.structure import card_of
from tco.errors import ScenarioError
from tco.model import fit
from tco.prices import cards, models
from tco.scenario.defaults import BYTES_PER_PARAMETER, KV_BYTES
from tco.scenario.schema import Api, Own, Rent, Scenario
from tco.scenario.supplies import Throughput

BYTES_PER_GIGABYTE = 1e9
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Reads:
    """What a step of a model reads: GB of active weights, and of cache a sequence."""

    weights_gb: float
    kv_gb_per_sequence: float


def faults_of(scenario: Scenario) -> list[ScenarioError]:
    """The measured points of a scenario that are above their bound, each once."""
    found: dict[str, ScenarioError] = {}
    for option in scenario.options.values():
        for supply in option.supplies:
            if isinstance(supply, Api):
                continue
            for fault in _faults_of(scenario, supply):
                assert fault.field is not None
                found.setdefault(fault.field, fault)
    return list(found.values())


def _faults_of(scenario: Scenario, supply: Own | Rent) -> Iterator[ScenarioError]:
    bandwidth = _bandwidth(scenario, str(card_of(supply)))
    if bandwidth is None:
        return
    for point in (*points_of(scenario, supply), *_bare_rate(scenario, supply)):
        reads = _reads(scenario, supply, point)
        if point.concurrency is None or reads is None:
            continue
        sequences, gpus = point.concurrency.value, point.gpus.value if point.gpus else 1.0
        caches = fit.kv_gb(reads.kv_gb_per_sequence, sequences)
        bound = fit.decode_bound(sequences, bandwidth, gpus, reads.weights_gb, caches)
        rate = point.output_rate
        if rate.value <= bound * (1 + TOLERANCE):
            continue
        length = f" at {point.input_length.value:,.6g} tokens" if point.input_length else ""
        precision = supply.memory.precision if supply.memory else "fp16, not given"
        yield ScenarioError(
            scenario.path,
            rate.line,
            rate.path,
            f"{rate.value:,.6g} tokens/s",
            f"at most {bound:,.6g} tokens/s, which the memory of the cards allows: "
            f"{sequences:,.6g} requests x {bandwidth:,.6g} GB/s x {gpus:g} / "
            f"({reads.weights_gb:,.4g} GB of weights ({precision}) + {sequences:,.6g} x "
            f"{reads.kv_gb_per_sequence:.4g} GB of cache{length})",
            "check the number of cards it was measured on (gpus), the precision, and whether it is "
            "a sum or counts input; delete concurrency if a step gives several tokens "
            "(speculative decoding)",
        )


def _bare_rate(scenario: Scenario, supply: Own | Rent) -> Iterator[Throughput]:
    """A throughput without a point, at the sequences that the supply says it serves at once."""
    hardware = scenario.hardware.get(str(card_of(supply)))
    rate = supply.output_rate or (hardware.output_rate if hardware else None)
    sequences = supply.memory.sequences if supply.memory else None
    if rate is not None and sequences is not None and sequences.value and not supply.throughput:
        yield Throughput.model_construct(output_rate=rate, concurrency=sequences)


def _bandwidth(scenario: Scenario, name: str) -> float | None:
    hardware, card = scenario.hardware.get(name), cards.card(name)
    if hardware is not None and hardware.memory_bandwidth is not None:
        return hardware.memory_bandwidth.value
    return card.bandwidth_gb_s if card else None


def _reads(scenario: Scenario, supply: Own | Rent, point: Throughput) -> Reads | None:
    """What the model of a supply reads in a step at a point; None where the model is not known."""
    name = supply.model or replacement_of(scenario)
    width = BYTES_PER_PARAMETER[supply.memory.precision if supply.memory else "fp16"]
    context = point.input_length.value if point.input_length else 0.0
    described = scenario.models.get(name) if name else None
    if described is not None:
        active = described.active_parameters or described.parameters
        token = fit.kv_bytes_per_token(
            described.layers.value, described.kv_heads.value, described.head_dim.value, KV_BYTES
        )
        cache = fit.kv_gb_per_sequence(token, context, BYTES_PER_GIGABYTE)
        return Reads(fit.active_weights_gb(active.value, width), float(cache))
    known = models.model(name) if name else None
    if known is None or not known.writes_text:
        return None
    if known.latent is not None:
        token = fit.kv_bytes_per_token__latent(known.layers, known.latent, KV_BYTES)
    else:
        token = fit.kv_bytes_per_token(known.layers, known.kv_heads, known.head_dim, KV_BYTES)
    if known.window is not None:
        cache = fit.kv_gb_per_sequence__window(token, context, known.window, BYTES_PER_GIGABYTE)
    else:
        cache = fit.kv_gb_per_sequence(token, context, BYTES_PER_GIGABYTE)
    return Reads(fit.active_weights_gb(known.active_billion, width), float(cache))
