"""What a card can write at most, so that a measurement above it is known to be none.

Arithmetic bounds the tokens that are read and written together, memory bandwidth those that are
written at a given number of requests in flight. Both are generous: caches, attention and traffic
between cards only take more time.

>>> from tco.prices.cards import card
>>> weights = weights_of("meta-llama/Meta-Llama-3-8B-Instruct-FP8")
>>> weights.active_billion, weights.bytes_per_parameter
(8.0, 1.0)
>>> decode_bound(weights, card("h100-sxm"), gpus=1, in_flight=1)  # 3350 GB/s / 8 GB
418.75
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tco.prices import models
from tco.prices.cards import Card

BYTES_AT_LEAST = 0.5
"""Bytes of a parameter where nothing tells how they are stored: 4 bits, in favour of the claim."""

_ENDINGS = re.compile(
    r"instruct|chat|it|hf|base|fp8|fp16|bf16|int8|int4|nvfp4|mxfp4|fp4|awq|gptq|gguf|dynamic|block|"
    r"quantized|bnb|kv|static|preview|turbo|w\d+a\d+|\dbits?|q\d\w*|\d{4}|\d{6}|v\d[\d.]*|s|m|l|k"
)
"""Words behind the name of a model that say how it is stored or tuned, not which one it is."""

_STORED = (
    (re.compile(r"fp8|int8|w8a8|w8a16|8bit|8bits"), 1.0),
    (re.compile(r"awq|int4|fp4|nvfp4|mxfp4|w4a\d+|4bit|4bits|gptq|bnb"), 0.5),
    (re.compile(r"fp16|bf16|f16"), 2.0),
)
_B = r"(\d+(?:\.\d+)?)b"
_BETWEEN = re.compile(r"[-_ :]+|\.(?=a\d)|\.gguf\b")
_DENSE = ("llama", "qwen", "mistral", "gemma", "phi", "falcon", "yi", "vicuna", "opt", "smollm")
"""Families whose mixtures say in their names what a token reads; the others read all of it."""
_Q_BITS = re.compile(r"i?q(\d)(_\w+)?")


@dataclass(frozen=True)
class Weights:
    """What one token reads of a model.

    ``active_billion`` parameters of ``bytes_per_parameter`` each; ``how`` says where both are from.
    Not ``certain`` are parameters by a name that may be of a mixture, of which a token reads few.
    """

    active_billion: float
    bytes_per_parameter: float
    how: str
    certain: bool = True

    @property
    def gigabytes(self) -> float:
        """GB that one step reads at least."""
        return self.active_billion * self.bytes_per_parameter

    @property
    def speed_up(self) -> float:
        """How much faster than in FP16 the arithmetic may be: 2 in 8 bits, 4 in 4 bits."""
        return max(2 / max(self.bytes_per_parameter, BYTES_AT_LEAST), 1.0)


def weights_of(model: str) -> Weights | None:
    """The weights behind the name of a model; None where its parameters are not known.

    A known model is told by its name, and otherwise the size in the name is taken: ``-8B``, and of
    a mixture what one token reads, ``-A3B``. Of a mixture that says no more than ``8x7B`` one
    expert is taken.

    >>> weights_of("Qwen/Qwen3-30B-A3B-GPTQ-Int4").how
    '3B parameters a token and 4 bits, by its name'
    >>> weights_of("openai/gpt-oss-120b").certain
    False
    >>> weights_of("deepseek-ai/DeepSeek-R1-0528").active_billion
    37.0
    >>> weights_of("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B").active_billion
    7.0
    >>> weights_of("zai-org/GLM-5-FP8") is None
    True
    """
    words = [word for word in _BETWEEN.split(model.rsplit("/", 1)[-1].casefold()) if word]
    stored = _bytes(words)
    bits = f"{stored * 8:g} bits" if stored is not None else "4 bits at least"
    known = _known(words)
    if known is not None:
        active, certain = known.active_billion, True
        how = f"{known.title}, {active:g}B parameters a token, {bits}"
    else:
        size = _size(words)
        if size is None:
            return None
        active, told = size
        certain = told or any(word.startswith(_DENSE) for word in words)
        how = f"{active:g}B parameters a token and {bits}, by its name"
    return Weights(active, BYTES_AT_LEAST if stored is None else stored, how, certain)


def _known(words: list[str]) -> models.LanguageModel | None:
    """The known model whose name the words begin with, if the rest only says how it is stored."""
    words = words[1:] if words[:1] == ["meta"] else words
    for length in range(len(words), 0, -1):
        found = models.model("-".join(words[:length]))
        if found is not None and found.writes_text:
            return found if all(map(_ENDINGS.fullmatch, words[length:])) else None
    return None


def _size(words: list[str]) -> tuple[float, bool] | None:
    """Billions of parameters by the words of a name, and whether they are what a token reads."""
    for pattern, told in (
        (r"a(\d+(?:\.\d+)?)b", True),
        (r"\d+x(\d+(?:\.\d+)?)b", True),
        (_B, False),
    ):
        for word in words:
            found = re.fullmatch(pattern, word)
            if found and float(found[1]) > 0:
                return float(found[1]), told
    return None


def _bytes(words: list[str]) -> float | None:
    for pattern, stored in _STORED:
        if any(pattern.fullmatch(word) for word in words):
            return stored
    for word in words:
        bits = _Q_BITS.fullmatch(word)
        if bits:
            return int(bits[1]) / 8
    return None


def decode_bound(
    weights: Weights, card: Card, gpus: int, in_flight: float, tokens_per_step: float = 1.0
) -> float:
    """Output tokens a second that memory bandwidth allows at most on all GPUs together.

    A step gives each request in flight a token and reads the weights at least once: n B g / W.
    With speculative decoding it gives ``tokens_per_step``.
    """
    rate = in_flight * card.bandwidth_gb_s * gpus / weights.gigabytes
    return rate * tokens_per_step


def arithmetic_bound(weights: Weights, card: Card, gpus: int, input_per_output: float) -> float:
    """Output tokens a second that arithmetic allows at most on all GPUs together.

    A token takes two operations a parameter, whether it is read or written: 2 P (1 + in/out) r
    <= F g, with the dense FLOPS of FP16, twice that in 8 bits and four times in 4 bits.
    """
    flops = card.dense_fp16_tflops * 1e12 * gpus * weights.speed_up
    return flops / (2 * weights.active_billion * 1e9 * (1 + input_per_output))
