"""Which cards hold a model, how many of them, and what stands in the way.

The arithmetic is that of `tco.model.fit`, asked for every card and every number of cards at once.
This is the fit only: whether replies come fast enough (the SLO) is a separate test, and a measured
one.

>>> from tco.prices import models
>>> from tco.prices.cards import card
>>> question = Question(models.model("llama-3-70b"), "fp16", context=8192, sequences=10)
>>> (found,) = fits(question, [card("h100-sxm")])
>>> found.cards, found.binding, found.sequences
(4, 'head count', 52)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tco.engine.graph import Graph, InputSpecification, Scope
from tco.engine.guards import examine
from tco.engine.operations import Array
from tco.engine.structure import functions_of
from tco.model import fit
from tco.prices.cards import Card, card, names
from tco.prices.models import LanguageModel
from tco.scenario.defaults import BYTES_PER_PARAMETER, KV_BYTES, neutral
from tco.units import (
    BillionParameters,
    BytesPerElement,
    BytesPerGigabyte,
    BytesPerParameter,
    Count,
    ElementsPerToken,
    Factor,
    Fraction,
    Gigabytes,
    GigabytesPerSecond,
    Sequences,
    TokensPerSequence,
    unit_of,
)

PRECISIONS: Mapping[str, float] = BYTES_PER_PARAMETER
MOST_CARDS = 8
USUAL_CONTEXT = 8192
OVERHEAD_GB = float(neutral("overhead_gb").value)
USABLE_SHARE = float(neutral("usable_share").value)
BYTES_PER_GIGABYTE = 1e9
TOLERANCE = 1e-9

INPUTS: Mapping[str, Any] = {
    "parameters_billion": BillionParameters,
    "active_billion": BillionParameters,
    "bytes_per_parameter": BytesPerParameter,
    "layers": Count,
    "heads": Count,
    "kv_heads": Count,
    "head_dim": ElementsPerToken,
    "latent": ElementsPerToken,
    "window": TokensPerSequence,
    "kv_bytes": BytesPerElement,
    "context": TokensPerSequence,
    "sequences": Sequences,
    "tensor_parallel": Count,
    "overhead_gb": Gigabytes,
    "memory_gb": Gigabytes,
    "usable_share": Fraction,
    "bandwidth_gb_s": GigabytesPerSecond,
    "bytes_per_gigabyte": BytesPerGigabyte,
    "tolerance": Factor,
}

WEIGHTS, CACHE, OVERHEAD, HEADS = "weights", "KV cache", "runtime overhead", "head count"


@dataclass(frozen=True)
class Question:
    """What is asked of each card: a model, its precision, tokens of context and sequences.

    ``precision`` is one of `PRECISIONS` and is that of the weights; the KV cache takes 2 bytes.
    """

    model: LanguageModel
    precision: str
    context: int
    sequences: int

    @property
    def bytes_per_parameter(self) -> float:
        """Bytes that a parameter takes; the scales of 4-bit weights are not counted."""
        return PRECISIONS[self.precision]


@dataclass(frozen=True)
class Fit:
    """A model on one kind of card.

    ``cards`` is the smallest allowed number of them that holds it, None where 8 do not;
    ``needed_gb`` is on each of these, or of the most that are allowed. ``binding`` is what keeps it
    from fewer cards, and where one holds it, from more sequences. ``one_card_gb`` is what a single
    card lacks, ``shortfall_gb`` what each of the most allowed lacks. ``sequences`` and
    ``decode_bound`` (tokens/s) are None for a model that keeps no KV cache. ``unmeasured`` says
    that it takes more cards than NVLink joins: what they do together is known by measuring only.
    """

    card: Card
    cards: int | None
    most_cards: int
    needed_gb: float
    usable_gb: float
    binding: str | None
    one_card_gb: float
    shortfall_gb: float
    sequences: int | None
    decode_bound: float | None
    unmeasured: bool


def fits(question: Question, of: Sequence[Card]) -> list[Fit]:
    """How each of the cards holds the model, alone or several of them."""
    lines = solve(quantities(question), of, range(1, MOST_CARDS + 1))
    return [
        _fit(question, one, {name: array[place] for name, array in lines.items()})
        for place, one in enumerate(of)
    ]


@dataclass(frozen=True)
class Needs:
    """What a model takes wherever it runs: GB of weights, bytes a token and GB a sequence of KV."""

    weights_gb: float
    kv_bytes_per_token: float
    kv_gb_per_sequence: float


def needs(question: Question) -> Needs:
    """What the model takes, whatever the card."""
    # these lines read no card, so any one will do
    first = card(names()[0])
    assert first is not None
    lines = solve(quantities(question), [first], [1])
    return Needs(
        weights_gb=float(lines["weights_gb"][0, 0]),
        kv_bytes_per_token=float(lines["kv_bytes_per_token"][0, 0]),
        kv_gb_per_sequence=float(lines["kv_gb_per_sequence"][0, 0]),
    )


def quantities(question: Question) -> dict[str, float]:
    """What `solve` reads of a question."""
    model = question.model
    given = {
        "parameters_billion": model.parameters_billion,
        "active_billion": model.active_billion,
        "bytes_per_parameter": question.bytes_per_parameter,
        "layers": model.layers,
        "heads": model.heads,
        "kv_heads": model.kv_heads,
        "head_dim": model.head_dim,
        "latent": model.latent,
        "window": model.window,
        "context": question.context,
        "sequences": question.sequences,
    }
    return {name: float(value) for name, value in given.items() if value is not None}


def solve(
    given: Mapping[str, float], of: Sequence[Card], degrees: Sequence[int]
) -> dict[str, Array]:
    """Every line of `tco.model.fit`, as an array of cards x numbers of cards.

    ``given`` holds the model and what is asked of it; with ``latent`` or ``window`` among it the
    KV cache is counted that way.
    """
    graph = _graph(tuple(name for name in ("latent", "window") if name in given))
    known: dict[str, Any] = {
        "kv_bytes": KV_BYTES,
        "overhead_gb": OVERHEAD_GB,
        "usable_share": USABLE_SHARE,
        "bytes_per_gigabyte": BYTES_PER_GIGABYTE,
        "tolerance": TOLERANCE,
        **given,
        "tensor_parallel": [degrees],
        "memory_gb": [[one.memory_gb] for one in of],
        "bandwidth_gb_s": [[one.bandwidth_gb_s] for one in of],
    }
    shape = (len(of), len(degrees))
    # each pair of a card and a number of cards is a draw: all are computed at once
    values = {
        name: np.broadcast_to(np.asarray(known[name], float), shape).reshape(1, -1)
        for name in graph.inputs
    }
    return {name: array.reshape(shape) for name, array in graph.evaluate(values, months=0).items()}


@cache
def _graph(variants: tuple[str, ...]) -> Graph:
    functions = functions_of(fit, *variants)
    read = {name for function in functions.values() for name in examine(function)[0]}
    inputs = [name for name in INPUTS if name in read]
    scope = Scope("", inputs={name: name for name in inputs}, functions=functions)
    return Graph([scope], {name: InputSpecification(unit_of(INPUTS[name])) for name in inputs})


def _fit(question: Question, on: Card, lines: Mapping[str, Array]) -> Fit:
    """One row; ``lines`` hold 1, 2, ... cards."""
    allowed = np.flatnonzero(lines["tensor_parallel_not_allowed"] == 0).tolist()
    holding = np.flatnonzero(lines["does_not_fit"] == 0).tolist()
    chosen = next((place for place in allowed if place in holding), None)
    most = allowed[-1]
    place = most if chosen is None else chosen
    text = question.model.writes_text
    return Fit(
        card=on,
        cards=None if chosen is None else chosen + 1,
        most_cards=most + 1,
        needed_gb=float(lines["needed_gb_per_gpu"][place]),
        usable_gb=float(lines["usable_gb"][place]),
        binding=_binding(lines, allowed, holding, chosen, text),
        one_card_gb=float(lines["shortfall_gb"][0]),
        shortfall_gb=float(lines["shortfall_gb"][place]) if chosen is None else 0.0,
        sequences=int(lines["sequences_that_fit"][place]) if text else None,
        decode_bound=float(lines["decode_bound"][place]) if text and chosen is not None else None,
        unmeasured=place + 1 > on.linked,
    )


def _binding(
    lines: Mapping[str, Array],
    allowed: Sequence[int],
    holding: Sequence[int],
    chosen: int | None,
    text: bool,
) -> str | None:
    if chosen == 0:
        return CACHE if text else None
    refused = [place for place in allowed if chosen is None or place < chosen]
    if text and any(
        place not in allowed and (chosen is None or place < chosen) for place in holding
    ):
        return HEADS
    place, usable = refused[-1], lines["usable_gb"][refused[-1]]
    weights = lines["weights_gb_per_gpu"][place]
    runtime = lines["needed_gb_per_gpu"][place] - lines["kv_gb_per_gpu"][place]
    if weights > usable:
        return WEIGHTS
    return OVERHEAD if runtime > usable else CACHE
