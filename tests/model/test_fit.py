"""Memory fit: right answers as arithmetic, on the functions that the graph calls."""

import itertools
import random

import numpy as np
import pytest

from tco.analysis.fit import INPUTS
from tco.cli.fitting import PRECISIONS
from tco.engine.graph import Graph, GraphError, InputSpecification, Scope
from tco.engine.guards import examine
from tco.engine.structure import functions_of
from tco.model import fit
from tco.scenario.defaults import BYTES_PER_PARAMETER
from tco.units import BytesPerGigabyte, TokensPerSecond, unit_of

GB, GIB = 1e9, 2.0**30
VARIANTS = [
    variants
    for count in range(3)
    for variants in itertools.combinations(("latent", "window"), count)
]


def graph(*variants: str, **other: object) -> Graph:
    functions = functions_of(fit, *variants)
    read = {name for function in functions.values() for name in examine(function)[0]}
    units = {**INPUTS, **other}
    names = [name for name in units if name in read]
    scope = Scope("", inputs={name: name for name in names}, functions=functions)
    return Graph([scope], {name: InputSpecification(unit_of(units[name])) for name in names})


def fits_on(tensor_parallel: int, kv_gb: float) -> bool:
    """Llama 3 70B in FP16 on cards of 80 GB."""
    needed = fit.needed_gb_per_gpu(
        fit.weights_gb_per_gpu(fit.weights_gb(70, 2), tensor_parallel),
        fit.kv_gb_per_gpu(kv_gb, tensor_parallel, 8),
        1.5,
    )
    return not fit.does_not_fit(needed, fit.usable_gb(80, 0.9), 1e-9)


def test_kv_01_bytes_of_a_token_count_kv_heads_not_query_heads() -> None:
    assert fit.kv_bytes_per_token(32, 8, 128, 2) == 2 * 32 * 8 * 128 * 2 == 131_072
    assert fit.kv_bytes_per_token(80, 8, 128, 2) == 2 * 80 * 8 * 128 * 2 == 327_680
    assert fit.kv_bytes_per_token(126, 8, 128, 2) == 2 * 126 * 8 * 128 * 2 == 516_096
    assert fit.kv_bytes_per_token(80, 64, 128, 2) == 8 * 327_680


def test_kv_01_a_compressed_cache_keeps_one_vector_for_all_heads() -> None:
    # 512 values and 64 of position, in each of 61 layers, 2 bytes each
    assert fit.kv_bytes_per_token__latent(61, 512 + 64, 2) == 61 * 576 * 2 == 70_272


@pytest.mark.parametrize(
    ("context", "gib"),
    [(4096, 1.25), (8192, 2.5), (16384, 5), (32768, 10), (65536, 20), (131072, 40)],
)
def test_kv_02_one_sequence_of_70b_in_gb_of_1e9_bytes(context: int, gib: float) -> None:
    found = fit.kv_gb_per_sequence(327_680, context, GB)
    assert found == 327_680 * context / 1e9
    # never GiB: the same bytes are 7.4 % fewer of those
    assert found * GB / GIB == gib
    assert found == pytest.approx(gib * GIB / GB, rel=1e-15)
    assert found > 1.07 * gib


def test_a_window_limits_what_is_kept() -> None:
    assert fit.kv_gb_per_sequence__window(131_072, 32_768, 4_096, GB) == 131_072 * 4_096 / 1e9
    assert fit.kv_gb_per_sequence__window(131_072, 1_000, 4_096, GB) == 131_072 * 1_000 / 1e9


@pytest.mark.parametrize("billion", [7, 8, 70, 405])
def test_vram_01_a_byte_a_parameter_is_a_gb_a_billion(billion: int) -> None:
    assert fit.weights_gb(billion, 2) == 2 * billion
    assert fit.weights_gb(billion, 1) == billion
    assert fit.weights_gb(billion, 0.5) == billion / 2


def test_vram_02_the_fit_of_70b_on_cards_of_80_gb() -> None:
    a_sequence = fit.kv_gb_per_sequence(327_680, 8192, GB)
    kv = fit.kv_gb(a_sequence, 10)
    assert kv == pytest.approx(10 * 327_680 * 8192 / 1e9) == pytest.approx(26.8435456)
    at_two = fit.needed_gb_per_gpu(fit.weights_gb_per_gpu(140, 2), fit.kv_gb_per_gpu(kv, 2, 8), 1.5)
    assert at_two == pytest.approx(140 / 2 + 26.8435456 / 2 + 1.5) == pytest.approx(84.9217728)
    assert fit.usable_gb(80, 0.9) == 72
    assert fit.shortfall_gb(at_two, 72) == pytest.approx(84.9217728 - 72)
    allowed = [tp for tp in range(1, 9) if not fit.tensor_parallel_not_allowed(tp, 64, 8)]
    assert allowed == [1, 2, 4, 8]
    assert min(tp for tp in allowed if fits_on(tp, kv)) == 4
    # without the cache two would do, with 0.5 GB to spare on each
    assert min(tp for tp in allowed if fits_on(tp, 0)) == 2
    # all of it over the memory of a card gives three, which 64 heads cannot share
    assert np.ceil((140 + kv + 1.5) / 80) == 3
    assert fit.tensor_parallel_not_allowed(3, 64, 8) == 1


def test_what_fits_exactly_fits() -> None:
    assert fit.does_not_fit(72.0, 72.0, 1e-9) == 0
    assert fit.does_not_fit(0.1 + 0.2, 0.3, 1e-9) == 0  # one bit above
    assert fit.does_not_fit(72.01, 72.0, 1e-9) == 1


@pytest.mark.parametrize(
    ("heads", "kv_heads", "allowed"),
    [
        (64, 8, [1, 2, 4, 8, 16, 32, 64]),  # 16 is a multiple of the 8 KV heads
        (28, 4, [1, 2, 4, 28]),  # 7 and 14 divide 28, but neither fits 4
        (40, 8, [1, 2, 4, 8, 40]),  # 5 and 20 divide 40, but neither fits 8
        (40, 40, [1, 2, 4, 5, 8, 10, 20, 40]),
        (128, 1, [1, 2, 4, 8, 16, 32, 64, 128]),
        (1, 1, [1]),
    ],
)
def test_allowed_numbers_of_gpus(heads: int, kv_heads: int, allowed: list[int]) -> None:
    degrees = range(1, 129)
    assert [
        d for d in degrees if not fit.tensor_parallel_not_allowed(d, heads, kv_heads)
    ] == allowed


def test_the_cache_is_held_again_beyond_the_kv_heads() -> None:
    assert fit.kv_gb_per_gpu(40, 4, 8) == 40 / 4
    assert fit.kv_gb_per_gpu(40, 8, 8) == 40 / 8
    assert fit.kv_gb_per_gpu(40, 16, 8) == 40 / 8


def test_sequences_that_fit_are_whole() -> None:
    # 72 - 35 - 1.5 GB on each of four
    room = fit.kv_room_gb(72, 35, 1.5, 4, 8)
    assert room == (72 - 35 - 1.5) * 4
    assert fit.sequences_that_fit(room, 2.68435456, 1e-9) == 142 // 2.68435456 == 52
    assert fit.sequences_that_fit(0.3, 0.1, 1e-9) == 3  # 0.3 / 0.1 is one bit below 3
    assert fit.kv_room_gb(21.6, 35, 1.5, 1, 8) == 0
    assert fit.sequences_that_fit(10, 0, 1e-9) == 0


def test_sequences_that_fit_do_fit_and_one_more_does_not() -> None:
    draw = random.Random(7)
    for _ in range(200):
        memory, weights = draw.uniform(16, 200), draw.uniform(1, 150)
        tp, kv_heads, each = draw.choice([1, 2, 4, 8]), draw.choice([1, 2, 8]), draw.uniform(0.1, 9)
        usable = fit.usable_gb(memory, 0.9)
        per_gpu = fit.weights_gb_per_gpu(weights, tp)
        room = fit.kv_room_gb(usable, per_gpu, 1.5, tp, kv_heads)
        count = fit.sequences_that_fit(room, each, 1e-9)

        for sequences, lacking in ((count + 1, 1), (count, 0)):
            kv = fit.kv_gb_per_gpu(fit.kv_gb(each, sequences), tp, kv_heads)
            needed = fit.needed_gb_per_gpu(per_gpu, kv, 1.5)
            if sequences:
                assert fit.does_not_fit(needed, usable, 1e-9) == lacking


def test_the_bandwidth_bound_on_decoding() -> None:
    # one sequence: each token reads 16 GB of weights at 1,008 GB/s
    assert fit.decode_bound(1, 1008, 1, 16, 0) == 1008 / 16 == 63
    # ten on two GPUs: ten tokens for one reading of the weights and ten caches
    assert fit.decode_bound(10, 3350, 2, 140, 26.8) == pytest.approx(10 * 3350 * 2 / (140 + 26.8))
    # a mixture reads its active experts only
    assert fit.active_weights_gb(37, 1) == 37
    # more sequences give more tokens, ever fewer each, and never beyond what the caches allow
    bounds = [fit.decode_bound(s, 3350, 1, 16, s * 1.0) for s in (1, 10, 100, 1e6)]
    assert bounds == sorted(bounds)
    assert bounds[-1] < 3350 / 1.0


@pytest.mark.parametrize("variants", VARIANTS, ids=lambda names: "+".join(names) or "plain")
def test_the_units_fit_in_every_variant(variants: tuple[str, ...]) -> None:
    built = graph(*variants)
    assert built.unit("decode_bound") == unit_of(TokensPerSecond)
    assert ("head_dim" in built.inputs) == ("latent" not in variants)
    assert ("window" in built.inputs) == ("window" in variants)


def test_bytes_and_gb_do_not_mix() -> None:
    """The conversion is a definition with a unit: without it the graph is refused."""
    with pytest.raises(GraphError, match="kv_gb_per_sequence: it gives"):
        graph(bytes_per_gigabyte=INPUTS["usable_share"])
    assert unit_of(BytesPerGigabyte).describe() == "byte/gigabyte"


def test_the_graph_gives_what_the_functions_give() -> None:
    given = {
        "parameters_billion": 70, "active_billion": 70, "bytes_per_parameter": 2, "layers": 80,
        "heads": 64, "kv_heads": 8, "head_dim": 128, "kv_bytes": 2, "context": 8192,
        "sequences": 10, "tensor_parallel": 2, "overhead_gb": 1.5, "memory_gb": 80,
        "usable_share": 0.9, "bandwidth_gb_s": 3350, "bytes_per_gigabyte": 1e9, "tolerance": 1e-9,
    }  # fmt: skip
    found = graph().evaluate({k: np.array([[v]], float) for k, v in given.items()}, months=0)
    values = {name: float(array[0, 0]) for name, array in found.items()}
    assert values["needed_gb_per_gpu"] == pytest.approx(84.9217728)
    assert values["does_not_fit"] == 1
    assert values["sequences_that_fit"] == (72 - 70 - 1.5) * 2 // 2.68435456 == 0
    assert values["decode_bound"] == pytest.approx(10 * 3350 * 2 / (140 + 26.8435456))


def test_the_command_offers_the_precisions_that_are_known() -> None:
    assert tuple(BYTES_PER_PARAMETER) == PRECISIONS
