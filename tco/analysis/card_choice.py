"""Which card for which workload: six recommendations, and the memory and speed behind each.

The recommendations are article A's. What a workload needs is counted by `tco.model.fit`; between
cards that hold it throughput per dollar decides, not the hourly rate, and that is measured. Only
the ratios of two cards' speeds stand here, which say how much dearer an hour may be.

>>> [workload.name for workload in WORKLOADS][:3]
['small-inference', 'lora', 'full-fine-tuning']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tco.analysis.figures import share, significant
from tco.analysis.fit import PRECISIONS, Fit, Question, fits, solve
from tco.prices import models
from tco.prices.cards import Card, card

# bytes a parameter while training with Adam in mixed precision: weights 2, gradients 2, and in
# FP32 a master copy 4 and two moments 8
TRAINED_BYTES = 16.0
FROZEN_BYTES = PRECISIONS["bf16"]
LORA_SHARE = 0.01
MOST_SHARDS = 64


@dataclass(frozen=True)
class Load:
    """What is put on cards: inference with a ``question``, or training of ``parameters_billion``.

    Training state is shared out over any number of cards, which the heads do not restrict;
    activations are not counted, but what is left for them is told.
    """

    label: str
    question: Question | None = None
    parameters_billion: float = 0.0
    bytes_per_parameter: float = 0.0


@dataclass(frozen=True)
class Held:
    """A load on one kind of card.

    ``cards`` is None where no allowed number holds it; ``needed_gb`` is on each of them, or on one
    card where none holds it; ``one_card_gb`` is what a single card lacks.
    """

    cards: int | None
    needed_gb: float
    one_card_gb: float
    unmeasured: bool


@dataclass(frozen=True)
class Workload:
    """A kind of work, the cards recommended for it, what to try on them, and why these."""

    name: str
    title: str
    recommended: tuple[str, ...]
    advice: str
    loads: tuple[Load, ...]
    reason: Callable[[], str]


def known(name: str) -> Card:
    """A card that the data hold."""
    found = card(name)
    assert found is not None, name
    return found


COMPARED = tuple(known(name) for name in ("rtx-4090", "a100-40gb", "a100-80gb", "h100-sxm"))


def held(load: Load, on: Card) -> Held:
    """How one kind of card holds a load."""
    if load.question is not None:
        (found,) = fits(load.question, [on])
        return Held(found.cards, found.needed_gb, found.one_card_gb, found.unmeasured)
    lines = _training(load, on)
    holding = [place for place, flag in enumerate(lines["does_not_fit"]) if not flag]
    place = holding[0] if holding else 0
    return Held(
        cards=place + 1 if holding else None,
        needed_gb=lines["needed_gb_per_gpu"][place],
        one_card_gb=lines["shortfall_gb"][0],
        unmeasured=place + 1 > on.linked,
    )


def _training(load: Load, on: Card) -> dict[str, list[float]]:
    given = {
        "parameters_billion": load.parameters_billion,
        "active_billion": load.parameters_billion,
        "bytes_per_parameter": load.bytes_per_parameter,
        # no KV cache, and no heads that would restrict the number of cards
        **dict.fromkeys(("layers", "head_dim", "context", "sequences"), 0.0),
        **dict.fromkeys(("heads", "kv_heads"), 1.0),
    }
    lines = solve(given, [on], range(1, MOST_SHARDS + 1))
    return {name: array[0].tolist() for name, array in lines.items()}


def rule(cheap: str, fast: str) -> str:
    """When the faster of two cards is the cheaper one per token or per job."""
    slow_card, fast_card = known(cheap), known(fast)
    reading = fast_card.bandwidth_gb_s / slow_card.bandwidth_gb_s
    arithmetic = fast_card.dense_fp16_tflops / slow_card.dense_fp16_tflops
    return (
        f"Throughput per dollar decides, not the hourly rate: {_the(fast_card)} has "
        f"{significant(reading)} times the memory bandwidth and {significant(arithmetic)} times "
        f"the dense FP16 arithmetic of {_the(slow_card)}, so it is the cheaper one per job only "
        "where its hour costs less than the speed-up that you measure, somewhere about these."
    )


def _the(of: Card) -> str:
    article = "an" if of.title[0] in "AHLMR" else "a"
    return f"{article} {of.title}"


def _asked(name: str, precision: str, context: int, sequences: int) -> Load:
    found = models.model(name)
    assert found is not None, name
    many = "sequence" if sequences == 1 else "sequences"
    return Load(
        f"{name} {precision}, {sequences} {many} of {context:,}",
        Question(found, precision, context, sequences),
    )


def _trained(name: str, how: str, bytes_per_parameter: float) -> Load:
    found = models.model(name)
    assert found is not None, name
    size = found.parameters_billion
    return Load(f"{name}, {how}", None, size, bytes_per_parameter)


LORA_BYTES = FROZEN_BYTES + LORA_SHARE * TRAINED_BYTES
SMALL_7B = _asked("qwen2.5-7b", "fp16", 8192, 4)
SMALL_8B = _asked("llama-3-8b", "fp16", 8192, 1)
QUANTISED_13B = _asked("llama-2-13b", "int8", 4096, 1)
FULL_13B = _asked("llama-2-13b", "fp16", 4096, 1)
LORA_8B = _trained("llama-3-8b", "LoRA", LORA_BYTES)
LORA_13B = _trained("llama-2-13b", "LoRA", LORA_BYTES)
TRAINED_7B = _trained("qwen2.5-7b", "all of it", TRAINED_BYTES)
TRAINED_13B = _trained("llama-2-13b", "all of it", TRAINED_BYTES)
TRAINED_70B = _trained("llama-3-70b", "all of it", TRAINED_BYTES)
SERVED_70B = _asked("llama-3-70b", "fp8", 8192, 16)
BATCH_7B = _asked("qwen2.5-7b", "fp16", 4096, 16)
BATCH_13B = _asked("llama-2-13b", "int4", 4096, 3)


def _small_inference() -> str:
    small, large = known("rtx-4090"), known("a100-40gb")
    return (
        "One RTX 4090 holds a whole 7B or 8B model in FP16 and a 13B one in INT8, so more load is "
        "more cards side by side, each with the whole model: nothing is sharded between them. 13B "
        f"in FP16 is {_gb(held(FULL_13B, small).one_card_gb)} too much for one; an A100 of 40 GB "
        f"needs {_gb(held(FULL_13B, large).needed_gb)} of its {_gb(usable_gb(large))}. "
        f"{rule('rtx-4090', 'h100-sxm')}"
    )


def _lora() -> str:
    small, large = known("rtx-4090"), known("a100-40gb")
    left_small = usable_gb(small) - held(LORA_8B, small).needed_gb
    left_large = usable_gb(large) - held(LORA_13B, large).needed_gb
    return (
        f"The weights stay frozen at {FROZEN_BYTES:g} bytes a parameter; only {share(LORA_SHARE)} "
        f"more are trained (assumed), at {TRAINED_BYTES:g} bytes each. 8B leaves {_gb(left_small)} "
        f"of an RTX 4090 for activations; 13B is {_gb(held(LORA_13B, small).one_card_gb)} too much "
        f"for it and leaves {_gb(left_large)} of an A100 of 40 GB. {rule('rtx-4090', 'a100-40gb')}"
    )


def _full_fine_tuning() -> str:
    on = {name: held(TRAINED_7B, known(name)) for name in ("rtx-4090", "a100-80gb", "h100-sxm")}
    state = _state(TRAINED_7B)
    return (
        f"Adam in mixed precision holds {TRAINED_BYTES:g} bytes a parameter: "
        f"{TRAINED_7B.parameters_billion:g} billion are {_gb(state)} before activations. That is "
        f"{on['a100-80gb'].cards} A100 of 80 GB, joined by "
        f"{known('a100-80gb').nvlink_gb_s:g} GB/s of NVLink, or {on['rtx-4090'].cards} RTX 4090 "
        "with none, where every step's gradients cross PCIe. "
        f"It takes {on['h100-sxm'].cards} H100 as well: no fewer, only faster ones. "
        f"{rule('a100-80gb', 'h100-sxm')}"
    )


def _large_training() -> str:
    on = {name: held(TRAINED_70B, known(name)) for name in ("a100-80gb", "h100-sxm")}
    state = _state(TRAINED_70B)
    fast, slow = known("h100-sxm"), known("a100-80gb")
    return (
        f"70 billion parameters are {_gb(state)} of training state before activations: at least "
        f"{on['a100-80gb'].cards} A100 of 80 GB or {on['h100-sxm'].cards} H100, several boards of "
        "either. Memory does not tell them apart; arithmetic and the links between cards do "
        f"(NVLink {fast.nvlink_gb_s:g} against {slow.nvlink_gb_s:g} GB/s). "
        f"{rule('a100-80gb', 'h100-sxm')}"
    )


def _high_throughput() -> str:
    assert SERVED_70B.question is not None
    on = {one.card.name: one for one in fits(SERVED_70B.question, COMPARED)}
    fast, slow, small = on["h100-sxm"], on["a100-80gb"], on["rtx-4090"]
    return (
        f"{SERVED_70B.question.sequences} sequences at once: {_on(fast)} hold {fast.sequences} and "
        f"their bandwidth allows {_rate(fast)} tokens/s at most, {_on(slow)} {_rate(slow)}; it "
        f"takes {_on(small)}, which no NVLink joins. An H100 has FP8 arithmetic too, an A100 has "
        f"not. {rule('a100-80gb', 'h100-sxm')}"
    )


def _offline_batch() -> str:
    assert BATCH_7B.question is not None
    (found,) = fits(BATCH_7B.question, [known("rtx-4090")])
    return (
        "Nobody waits, so no card is too slow: the cheapest per token of those that hold the model "
        f"wins. One RTX 4090 holds {found.sequences} sequences of "
        f"{BATCH_7B.question.context:,} tokens with a 7B model in FP16, and more cards share the "
        f"queue without talking to each other. {rule('rtx-4090', 'h100-sxm')}"
    )


def usable_gb(on: Card) -> float:
    """Memory of a card that may be used, in GB."""
    return _training(LORA_8B, on)["usable_gb"][0]


def _state(load: Load) -> float:
    return _training(load, known("h100-sxm"))["weights_gb"][0]


def _gb(value: float) -> str:
    return f"{significant(value)} GB"


def _on(found: Fit) -> str:
    return f"{found.cards} {found.card.title}"


def _rate(found: Fit) -> str:
    assert found.decode_bound is not None
    return significant(found.decode_bound)


WORKLOADS = (
    Workload(
        "small-inference",
        "Inference with 7B to 13B models",
        ("rtx-4090",),
        "RTX 4090; scale out with more cards",
        (SMALL_7B, SMALL_8B, QUANTISED_13B, FULL_13B),
        _small_inference,
    ),
    Workload(
        "lora",
        "LoRA fine-tuning",
        ("rtx-4090", "a100-40gb"),
        "RTX 4090, or A100 40 GB",
        (LORA_8B, LORA_13B),
        _lora,
    ),
    Workload(
        "full-fine-tuning",
        "Full fine-tuning and mid-size training",
        ("a100-80gb",),
        "A100 80 GB",
        (TRAINED_7B, TRAINED_13B),
        _full_fine_tuning,
    ),
    Workload(
        "large-training",
        "Large training",
        ("h100-sxm",),
        "H100",
        (TRAINED_70B,),
        _large_training,
    ),
    Workload(
        "high-throughput-api",
        "An API of high throughput",
        ("h100-sxm",),
        "H100",
        (SERVED_70B,),
        _high_throughput,
    ),
    Workload(
        "offline-batch",
        "Offline batches",
        ("rtx-4090",),
        "RTX 4090",
        (BATCH_7B, BATCH_13B),
        _offline_batch,
    ),
)
