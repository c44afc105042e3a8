"""A throughput above what the memory of a card can be read is refused, with the bound."""

import pytest

from tco.engine import bounds
from tco.errors import ScenarioErrors
from tco.prices import cards, models
from tco.results import run_scenario
from tco.scenario.loading import read
from tco.scenario.schema import Scenario

# Llama 3 8B in FP16: 16 GB of weights; a key and a value of 2 bytes in 32 layers x 8 heads x 128
WEIGHTS = 8 * 2
CACHE = 2 * 32 * 8 * 128 * 2 * 1024 / 1e9
BANDWIDTH = 1008  # GB/s of an RTX 4090


def scenario_of(point: str, supply: str = "model: llama-3-8b", more: str = "") -> Scenario:
    text = (
        "name: a\n"
        "demand: {output_tokens: 50 M, input_tokens: 200 M}\n"
        f"options: {{x: {{own: rtx-4090, count: 1, price: 1599, {supply},\n"
        f"  throughput: {{{point}}}}}}}\n"
        f"{more}"
    )
    return read(text.encode(), "s.yaml")


def is_refused(point: str, supply: str = "model: llama-3-8b", more: str = "") -> bool:
    return bool(bounds.faults_of(scenario_of(point, supply, more)))


def test_the_whole_message() -> None:
    """64 x 1008 / (16 + 64 x 0.1342) is 2623.51 tokens a second."""
    assert pytest.approx(2623.51, abs=0.005) == 64 * BANDWIDTH / (WEIGHTS + 64 * CACHE)
    point = "output_rate: 50000, input_length: 1024, output_length: 256, concurrency: 64"
    with pytest.raises(ScenarioErrors) as caught:
        run_scenario(scenario_of(point))
    assert str(caught.value) == (
        "s.yaml, line 4: options.x.throughput.output_rate\n"
        "  found:    50,000 tokens/s\n"
        "  expected: at most 2,623.51 tokens/s, which the memory of the cards allows: "
        "64 requests x 1,008\n"
        "            GB/s x 1 / (16 GB of weights (fp16, not given) + 64 x 0.1342 GB of cache at "
        "1,024\n"
        "            tokens)\n"
        "  next:     check the number of cards it was measured on (gpus), the precision, and "
        "whether it is a\n"
        "            sum or counts input; delete concurrency if a step gives several tokens "
        "(speculative\n"
        "            decoding)"
    )


def test_a_rate_at_the_bound_is_let_through_and_one_above_is_not() -> None:
    """One request without input: 1008 / 16 = 63 tokens a second."""
    assert BANDWIDTH / WEIGHTS == 63
    assert not is_refused("output_rate: 63, concurrency: 1")
    assert is_refused("output_rate: 63.001, concurrency: 1")


@pytest.mark.parametrize(
    ("point", "bound"),
    [
        # requests share the weights they read
        ("concurrency: 10", 10 * BANDWIDTH / WEIGHTS),
        # and each reads its own cache
        ("concurrency: 10, input_length: 1024", 10 * BANDWIDTH / (WEIGHTS + 10 * CACHE)),
        # cards that were measured together read together
        ("concurrency: 10, gpus: 4", 4 * 10 * BANDWIDTH / WEIGHTS),
    ],
)
def test_the_bound(point: str, bound: float) -> None:
    assert not is_refused(f"output_rate: {bound * 0.999}, {point}")
    assert is_refused(f"output_rate: {bound * 1.001}, {point}")


@pytest.mark.parametrize(
    ("precision", "width"), [("fp16", 2), ("bf16", 2), ("fp8", 1), ("int8", 1), ("int4", 0.5)]
)
def test_the_precision_counts(precision: str, width: float) -> None:
    supply = f"model: llama-3-8b, memory: {{precision: {precision}}}"
    bound = BANDWIDTH / (8 * width)
    assert not is_refused(f"output_rate: {bound * 0.999}, concurrency: 1", supply)
    assert is_refused(f"output_rate: {bound * 1.001}, concurrency: 1", supply)


def test_a_mixture_reads_the_experts_of_one_token() -> None:
    """Mixtral 8x7B: 12.9 of its 46.7 billion parameters are active."""
    mixtral = models.model("mixtral-8x7b")
    assert mixtral is not None
    bound = BANDWIDTH / (mixtral.active_billion * 2)
    assert not is_refused(f"output_rate: {bound * 0.999}, concurrency: 1", "model: mixtral-8x7b")
    assert is_refused(f"output_rate: {bound * 1.001}, concurrency: 1", "model: mixtral-8x7b")


@pytest.mark.parametrize(("active", "weights"), [("", 10 * 2), (", active_parameters: 3 B", 3 * 2)])
def test_a_model_and_a_card_of_ones_own(active: str, weights: float) -> None:
    """2 x 10 layers x 4 heads x 100 x 2 bytes x 5000 tokens: 0.08 GB."""
    more = (
        "hardware: {rtx-4090: {memory_bandwidth: 500}}\n"
        "models: {mine: {parameters: 10 B, layers: 10, heads: 8, kv_heads: 4, head_dim: 100"
        f"{active}}}}}\n"
    )
    bound = 20 * 500 / (weights + 20 * 0.08)
    point = "concurrency: 20, input_length: 5000"
    assert not is_refused(f"output_rate: {bound * 0.999}, {point}", "model: mine", more)
    assert is_refused(f"output_rate: {bound * 1.001}, {point}", "model: mine", more)


def test_a_model_with_a_compressed_cache_or_a_window_is_counted_that_way() -> None:
    for name in (name for name in models.names() if models.model(name)):
        model = models.model(name)
        assert model is not None
        if not model.writes_text or not (model.latent or model.window):
            continue
        token = model.layers * (model.latent or 2 * model.kv_heads * model.head_dim) * 2
        context = min(100_000, model.window or 100_000)
        bound = 8 * BANDWIDTH / (model.active_billion * 2 + 8 * token * context / 1e9)
        point = "concurrency: 8, input_length: 100000"
        assert not is_refused(f"output_rate: {bound * 0.999}, {point}", f"model: {name}")
        assert is_refused(f"output_rate: {bound * 1.001}, {point}", f"model: {name}")


def test_the_model_that_replaces_the_present_one_is_taken_where_none_is_named() -> None:
    scenario = read(
        b"name: a\n"
        b"demand: {output_tokens: 5 M, replacement: llama-3-8b}\n"
        b"hardware: {h100-sxm: {throughput: {output_rate: 1 M, concurrency: 64}}}\n"
        b"options:\n"
        b"  x: {rent: h100-sxm, count: 1, price: 2}\n"
        b"  y: {rent: h100-sxm, count: 2, price: 2}\n",
        "s.yaml",
    )
    card = cards.card("h100-sxm")
    assert card is not None
    (fault,) = bounds.faults_of(scenario)  # once, though two options share the point
    assert (fault.line, fault.field) == (3, "hardware.h100-sxm.throughput.output_rate")
    assert f"at most {64 * card.bandwidth_gb_s / 16:,.6g} tokens/s" in fault.expected


@pytest.mark.parametrize(
    ("point", "supply"),
    [
        ("output_rate: 1 M", "model: llama-3-8b"),
        ("output_rate: 1 M, concurrency: 1", "model: a-model-nobody-knows"),
        ("output_rate: 1 M, concurrency: 1", "pue: 1"),
    ],
    ids=["no concurrency", "unknown model", "no model"],
)
def test_what_cannot_be_checked_is_let_through(point: str, supply: str) -> None:
    assert not is_refused(point, supply)


def test_a_card_of_unknown_bandwidth_is_not_checked() -> None:
    scenario = read(
        b"name: a\ndemand: {output_tokens: 5 M}\nhardware: {mine: {tdp: 100 W}}\n"
        b"options: {x: {own: mine, count: 1, price: 1, model: llama-3-8b,\n"
        b"  throughput: {output_rate: 1 M, concurrency: 1}}}\n",
        "s.yaml",
    )
    assert bounds.faults_of(scenario) == []
