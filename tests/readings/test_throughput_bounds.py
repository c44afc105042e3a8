"""The most that a card can write of a model, and what a name says of the model."""

import pytest

from tco.prices.cards import Card, card
from tco.readings.benchmarks.throughput_bounds import (
    Weights,
    arithmetic_bound,
    decode_bound,
    weights_of,
)


def known_card(name: str) -> Card:
    found = card(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "billions", "stored", "certain"),
    [
        ("meta-llama/Meta-Llama-3-8B-Instruct", 8, 0.5, True),
        ("meta-llama/Llama-3.1-405B-Instruct-FP8", 405, 1, True),
        ("neuralmagic/Meta-Llama-3.1-70B-Instruct-quantized.w8a8", 70, 0.5, True),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", 70, 1, True),
        ("deepseek-ai/DeepSeek-R1-0528", 37, 0.5, True),
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", 70, 0.5, True),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1", 12.9, 0.5, True),
        ("Qwen/Qwen2.5-7B-Instruct-AWQ", 7.61, 0.5, True),
        ("Qwen/Qwen3-235B-A22B-FP8", 22, 1, True),
        ("Qwen/Qwen3-30B-A3B-GPTQ-Int4", 3, 0.5, True),
        ("google/gemma-3-27b-it", 27, 0.5, True),
        ("models/Qwen2.5-7B-Instruct-Q4_K_M.gguf", 7.61, 0.5, True),
        ("a/Some-7.5B-BF16", 7.5, 2, False),
        ("openai/gpt-oss-120b", 120, 0.5, False),
    ],
)
def test_names_of_models(name: str, billions: float, stored: float, certain: bool) -> None:
    weights = weights_of(name)
    assert weights is not None
    found = (weights.active_billion, weights.bytes_per_parameter, weights.certain)
    assert found == (billions, stored, certain)


@pytest.mark.parametrize("name", ["zai-org/GLM-5-FP8", "gpt-5-mini", "", "sdxl", "x-0b"])
def test_names_that_tell_no_size(name: str) -> None:
    assert weights_of(name) is None


def test_memory_bounds_the_writing() -> None:
    # 10 requests of Llama 3 8B in 16 bits on two H100: 10 x 3,350 x 2 / (8 x 2)
    weights = Weights(8, 2, "")
    assert decode_bound(weights, known_card("h100-sxm"), 2, 10) == 10 * 3350 * 2 / 16 == 4187.5
    assert decode_bound(weights, known_card("h100-sxm"), 2, 10, tokens_per_step=2) == 8375


@pytest.mark.parametrize(("stored", "faster"), [(2, 1), (1, 2), (0.5, 4), (0.25, 4), (4, 1)])
def test_arithmetic_bounds_reading_and_writing(stored: float, faster: float) -> None:
    # 989 TFLOPS over 2 x 8 billion operations a token, of which one in five is written
    bound = arithmetic_bound(Weights(8, stored, ""), known_card("h100-sxm"), 1, 4.0)
    assert bound == pytest.approx(faster * 989e12 / (2 * 8e9) / 5)
