"""The data themselves: complete, sourced, within reason, and spelled as scenarios spell them."""

import re

import pytest

from tco.prices import cards, models

NAME = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")


@pytest.mark.parametrize("name", cards.names())
def test_a_card_is_within_reason(name: str) -> None:
    card = cards.card(name)
    assert card is not None
    assert NAME.fullmatch(name)
    assert 16 <= card.memory_gb <= 400
    assert 500 <= card.bandwidth_gb_s <= 20_000
    assert card.nvlink_gb_s == 0 or 300 <= card.nvlink_gb_s < card.bandwidth_gb_s
    # dense: a printed figure with sparsity or in FP8 would be twice as much
    assert 100 <= card.dense_fp16_tflops <= 2_500
    # reading the whole memory takes between 10 and 60 ms, on every card
    assert 0.010 < card.memory_gb / card.bandwidth_gb_s < 0.060
    assert card.board_sizes in {(1,), (4, 8), (8,)}
    assert card.source
    assert card.speed_source


def test_figures_that_are_often_printed_twice_as_high() -> None:
    known = {name: cards.card(name) for name in cards.names()}
    dense = {name: card.dense_fp16_tflops for name, card in known.items() if card}
    assert dense["rtx-4090"] == 165.2  # 330.3 with FP16 accumulation
    assert dense["h100-sxm"] == 989  # 1,979 with sparsity
    assert dense["h200-sxm"] == dense["h100-sxm"]


def test_fp8_is_dense_and_said_only_where_a_source_is_read() -> None:
    known = {name: cards.card(name) for name in cards.names()}
    fp8 = {name: card.dense_fp8_tflops for name, card in known.items() if card}
    # printed with sparsity it would be four times the dense FP16
    assert fp8["h100-sxm"] == fp8["h200-sxm"] == 1979
    assert fp8["rtx-4090"] == 330.3
    assert {name for name, rate in fp8.items() if rate == 0} == {
        name for name in fp8 if name.startswith("a100")
    }
    for name, rate in fp8.items():
        card = known[name]
        assert card is not None
        assert not rate or rate == pytest.approx(2 * card.dense_fp16_tflops, rel=0.01)


def test_what_nvlink_joins() -> None:
    linked = {name: card.linked for name in cards.names() if (card := cards.card(name))}
    alone = ("rtx-4090", "rtx-5090", "rtx-pro-6000", "l40s")
    assert [linked[name] for name in alone] == [1, 1, 1, 1]
    assert linked["h100-pcie"] == 2
    assert linked["h100-sxm"] == linked["a100-80gb"] == linked["b200-sxm"] == 8


@pytest.mark.parametrize("name", models.names())
def test_a_model_is_within_reason(name: str) -> None:
    model = models.model(name)
    assert model is not None
    assert NAME.fullmatch(name)
    assert model.title
    assert model.source
    assert 0 < model.active_billion <= model.parameters_billion < 2_000
    if not model.writes_text:
        assert (model.heads, model.kv_heads, model.longest_context) == (1, 1, None)
        return
    assert model.heads % model.kv_heads == 0
    assert bool(model.head_dim) != bool(model.latent)
    assert model.longest_context
    assert model.longest_context % 1024 == 0
    assert model.window is None or model.window <= model.longest_context
    # the name says how large it is, to the rounding of names; 8x7b share what is not expert
    said = re.search(r"-(\d+)b", name)
    if said:
        assert model.parameters_billion == pytest.approx(float(said[1]), rel=0.09)


def test_the_weights_of_an_attention_layer_follow_from_its_shape() -> None:
    """Queries and outputs of all heads, keys and values of the KV heads."""
    model = models.model("llama-3-70b")
    assert model is not None
    hidden, key_values = model.heads * model.head_dim, model.kv_heads * model.head_dim
    attention = 2 * hidden * hidden + 2 * hidden * key_values
    feed_forward, embeddings = 3 * hidden * 28_672, 2 * 128_256 * hidden
    counted = (model.layers * (attention + feed_forward) + embeddings) / 1e9
    assert counted == pytest.approx(70.55, abs=0.01)
    assert "70.6" in (model.note or "")
    assert model.parameters_billion == 70  # as published


def test_names_are_found_in_any_case() -> None:
    assert models.model("Llama-3-70B") is models.model("llama-3-70b")
    assert models.model("llama-3-70") is None
    assert models.model("") is None


def test_mixtures_hold_all_experts_and_read_a_few() -> None:
    deepseek, mixtral = models.model("deepseek-v3"), models.model("mixtral-8x7b")
    assert deepseek is not None
    assert mixtral is not None
    assert (deepseek.parameters_billion, deepseek.active_billion) == (671, 37)
    assert (deepseek.latent, deepseek.kv_heads) == (512 + 64, 1)
    assert mixtral.parameters_billion < 8 * 7
