"""What one supply of a chain serves: each takes what those before it left.

Capacity and load are in output tokens an hour. What is left unserved is carried as a share of the
demand, so that work without output tokens is served by the first supply. The first supply of a
chain finds a capacity of 0 and a share of 1 before it.

A supply is ``measured`` when its throughput is given. One without (an API, or GPUs of unknown
throughput) is ``unlimited``: it is taken to serve what is left; for GPUs, what that would ask of
them is then ``required``.
"""

import numpy as np

from tco.engine.operations import highest, ratio
from tco.units import (
    Fraction,
    MegatokensPerGpuHour,
    MegatokensPerMonth,
    Tokens,
    TokensPerHour,
    TokensPerSecond,
    TokensPerSecondPerGpu,
)


def capacity_through(capacity_before, capacity) -> TokensPerHour:
    """Capacity of this supply and those before it."""
    return capacity_before + capacity


def unserved_through(demanded_rate, capacity_through) -> Fraction:
    """Share of the demand that this supply and those before it leave unserved.

    max(load - capacity, 0) / load: exactly 0 when capacity suffices.
    """
    return ratio(np.maximum(demanded_rate - capacity_through, 0), demanded_rate)


def served_share(unserved_before, unserved_through) -> Fraction:
    """Share of the demand that this supply serves."""
    return unserved_before - unserved_through


def served_output_tokens(served_share, output_tokens_demanded) -> Tokens:
    """Output tokens that this supply serves."""
    return served_share * output_tokens_demanded


def served_input_tokens(served_share, input_tokens_demanded) -> Tokens:
    """Input tokens that this supply serves."""
    return served_share * input_tokens_demanded


def served_output_through(served_output_before, served_output_tokens) -> Tokens:
    """Output tokens that this supply and those before it serve."""
    return served_output_before + served_output_tokens


def capacity__measured(count, output_rate, seconds_per_hour) -> TokensPerHour:
    """Capacity of these GPUs in output tokens an hour."""
    return count * output_rate * seconds_per_hour


def megatokens_per_gpu_hour__measured(
    output_rate, seconds_per_hour, tokens_per_megatoken
) -> MegatokensPerGpuHour:
    """Millions of output tokens that a busy GPU gives in an hour."""
    return output_rate * seconds_per_hour / tokens_per_megatoken


def capacity_megatokens__measured(
    equivalent_gpu_hours, megatokens_per_gpu_hour
) -> MegatokensPerMonth:
    """Millions of output tokens a month when busy all the time."""
    return equivalent_gpu_hours * megatokens_per_gpu_hour


def capacity__unlimited(demanded_rate, capacity_before) -> TokensPerHour:
    """Capacity, taken to be what is left to serve."""
    return np.maximum(demanded_rate - capacity_before, 0)


def served_rate_per_second__required(
    served_output_tokens, hours, seconds_per_hour
) -> TokensPerSecond:
    """Output tokens a second that these GPUs would have to serve on average."""
    return ratio(served_output_tokens, hours * seconds_per_hour)


def required_output_rate__required(served_rate_per_second) -> TokensPerSecond:
    """Output tokens a second to sustain on average, all these GPUs together."""
    return highest(served_rate_per_second)


def required_output_rate_per_gpu__required(required_output_rate, count) -> TokensPerSecondPerGpu:
    """Output tokens a second to sustain on average, each GPU."""
    return required_output_rate / count
