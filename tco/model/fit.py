"""Whether a model fits a card: weights, KV cache and runtime against the memory there is.

A GB is 1e9 bytes throughout, never 2^30. The weights are all that must be resident, every expert of
a mixture. With ``tensor_parallel`` cards each holds a part of every layer: the weights divide by
it, the KV cache only as far as there are KV heads, and beyond that it is held again on each card.

That a model fits says nothing of its speed. ``decode_bound`` is what memory bandwidth allows at
most: no more can be measured where a step gives a sequence one token and caches share nothing.
"""

import numpy as np

from tco.engine.operations import at_most, modulo, ratio, whole
from tco.units import (
    BytesPerToken,
    Flag,
    Gigabytes,
    GigabytesPerSequence,
    Sequences,
    TokensPerSecond,
)


def weights_gb(parameters_billion, bytes_per_parameter) -> Gigabytes:
    """Weights of the model, all of them resident.

    W = P b_w: 2 GB a billion parameters in FP16, 1 in FP8, 0.5 in 4 bits.

    >>> weights_gb(70, 2)
    140
    """
    return parameters_billion * bytes_per_parameter


def active_weights_gb(active_billion, bytes_per_parameter) -> Gigabytes:
    """Weights that one token reads: of a mixture, those of its experts."""
    return active_billion * bytes_per_parameter


def kv_bytes_per_token(layers, kv_heads, head_dim, kv_bytes) -> BytesPerToken:
    """KV cache of one token: a key and a value in every layer and KV head.

    2 L H_kv d_h b_k, with the KV heads of grouped-query attention, not the query heads.

    >>> kv_bytes_per_token(80, 8, 128, 2)
    327680
    """
    return layers * kv_heads * (head_dim + head_dim) * kv_bytes


def kv_bytes_per_token__latent(layers, latent, kv_bytes) -> BytesPerToken:
    """KV cache of one token: one compressed vector in every layer.

    L (d_c + d_rope) b_k, for multi-head latent attention.
    """
    return layers * latent * kv_bytes


def kv_gb_per_sequence(kv_bytes_per_token, context, bytes_per_gigabyte) -> GigabytesPerSequence:
    """KV cache of one sequence at the stated context."""
    return kv_bytes_per_token * context / bytes_per_gigabyte


def kv_gb_per_sequence__window(
    kv_bytes_per_token, context, window, bytes_per_gigabyte
) -> GigabytesPerSequence:
    """KV cache of one sequence, no more than the window that attention looks back."""
    return kv_bytes_per_token * np.minimum(context, window) / bytes_per_gigabyte


def kv_gb(kv_gb_per_sequence, sequences) -> Gigabytes:
    """KV cache of all sequences."""
    return kv_gb_per_sequence * sequences


def weights_gb_per_gpu(weights_gb, tensor_parallel) -> Gigabytes:
    """Weights on each GPU."""
    return weights_gb / tensor_parallel


def kv_gb_per_gpu(kv_gb, tensor_parallel, kv_heads) -> Gigabytes:
    """KV cache on each GPU, held again where there are more GPUs than KV heads.

    KV / min(tp, H_kv).
    """
    return kv_gb / np.minimum(tensor_parallel, kv_heads)


def needed_gb_per_gpu(weights_gb_per_gpu, kv_gb_per_gpu, overhead_gb) -> Gigabytes:
    """Memory needed on each GPU: weights, KV cache and runtime."""
    return weights_gb_per_gpu + kv_gb_per_gpu + overhead_gb


def usable_gb(memory_gb, usable_share) -> Gigabytes:
    """Memory of a GPU that a server may use."""
    return memory_gb * usable_share


def shortfall_gb(needed_gb_per_gpu, usable_gb) -> Gigabytes:
    """Memory that each GPU lacks."""
    return np.maximum(needed_gb_per_gpu - usable_gb, 0)


def does_not_fit(needed_gb_per_gpu, usable_gb, tolerance) -> Flag:
    """1 where the model does not fit."""
    return 1 - at_most(needed_gb_per_gpu, usable_gb, tolerance)


def kv_room_gb(usable_gb, weights_gb_per_gpu, overhead_gb, tensor_parallel, kv_heads) -> Gigabytes:
    """Room for KV cache on all GPUs together, what is held again counted once."""
    return np.maximum(usable_gb - weights_gb_per_gpu - overhead_gb, 0) * np.minimum(
        tensor_parallel, kv_heads
    )


def sequences_that_fit(kv_room_gb, kv_gb_per_sequence, tolerance) -> Sequences:
    """Whole sequences that fit at the stated context; 0 for a model without KV cache."""
    return whole(ratio(kv_room_gb, kv_gb_per_sequence), tolerance)


def tensor_parallel_not_allowed(tensor_parallel, heads, kv_heads) -> Flag:
    """1 where the heads cannot be shared out over so many GPUs.

    Allowed: tp divides the query heads, and tp divides the KV heads or they divide tp.

    >>> [int(tensor_parallel_not_allowed(tp, 64, 8)) for tp in (1, 2, 3, 4, 8, 16)]
    [0, 0, 1, 0, 0, 0]
    """
    return np.where(
        modulo(heads, tensor_parallel)
        + np.minimum(modulo(kv_heads, tensor_parallel), modulo(tensor_parallel, kv_heads))
        > 0,
        1,
        0,
    )


def decode_bound(
    sequences, bandwidth_gb_s, tensor_parallel, active_weights_gb, kv_gb
) -> TokensPerSecond:
    """Output tokens a second of one replica that memory bandwidth allows at most.

    Every step gives each sequence a token, and reads the active weights once and every cache:
    S B tp / (W_active + KV). Arithmetic and traffic between GPUs only take more time; speculative
    decoding, with more than one token a step, is not in it.
    """
    return sequences * bandwidth_gb_s * tensor_parallel / (active_weights_gb + kv_gb)
