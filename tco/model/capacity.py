"""What one supply of a chain serves: each takes what those before it left.

Capacity and load are in work an hour. What is left unserved is carried as a share of the demand,
so that work without output tokens is served by the first supply. The first supply of a chain finds
a capacity of 0 and a share of 1 before it.

A supply is ``measured`` when its throughput is given. One without (an API, or GPUs of unknown
throughput) is ``unlimited``: it is taken to serve what is left; for GPUs, what that would ask of
them is then ``required``.
"""

import numpy as np

from tco.engine.operations import highest, mean_excess, ratio, sum_product
from tco.units import (
    Fraction,
    Tokens,
    TokensPerSecond,
    TokensPerSecondPerGpu,
    Volume,
    VolumePerGpuHour,
    VolumePerMonth,
    Work,
    WorkPerGpuHour,
    WorkPerHour,
)


def capacity_through(capacity_before, capacity) -> WorkPerHour:
    """Capacity of this supply and those before it."""
    return capacity_before + capacity


def unserved_through__flat(demanded_rate, capacity_through) -> Fraction:
    """Share of the demand that this supply and those before it leave unserved.

    max(load - capacity, 0) / load: exactly 0 when capacity suffices.
    """
    return ratio(np.maximum(demanded_rate - capacity_through, 0), demanded_rate)


def unserved_rate_through__profile(
    demanded_rate, capacity_through, load_level, load_share
) -> WorkPerHour:
    """Average load above the capacity of this supply and those before it.

    The mean of max(level x load - capacity, 0) over the hours: exactly 0 when capacity suffices.
    """
    return mean_excess(demanded_rate, capacity_through, load_level, load_share)


def unserved_through__profile(unserved_rate_through, demanded_rate) -> Fraction:
    """Share of the demand that this supply and those before it leave unserved."""
    return ratio(unserved_rate_through, demanded_rate)


def served_share(unserved_before, unserved_through, tolerance) -> Fraction:
    """Share of the demand that this supply serves; what only rounding leaves is no work."""
    return np.where(
        unserved_before - unserved_through > tolerance, unserved_before - unserved_through, 0
    )


def served_work(served_share, work_demanded) -> Work:
    """Work that this supply serves."""
    return served_share * work_demanded


def served_volume__apart(served_work, work_per_volume) -> Volume:
    """Work that this supply serves, in what a price is for."""
    return served_work / work_per_volume


def served_input_tokens__tokens(served_share, input_tokens_demanded) -> Tokens:
    """Input tokens that this supply serves."""
    return served_share * input_tokens_demanded


def served_work_through(served_work_before, served_work) -> Work:
    """Work that this supply and those before it serve."""
    return served_work_before + served_work


def output_rate__point(point_output_rate, point_gpus) -> TokensPerSecondPerGpu:
    """Throughput of a GPU: what was measured over the GPUs that were measured together."""
    return point_output_rate / point_gpus


def output_rate__apart(decode_rate, prefill_rate, prefilled_per_output) -> TokensPerSecondPerGpu:
    """Throughput of a GPU in output tokens at the workload's mix.

    Times are added, never rates: 1 / (1 / decode + input for each output token / prefill).
    """
    return 1 / (1 / decode_rate + prefilled_per_output / prefill_rate)


def work_per_gpu_hour__tokens(
    output_rate, seconds_per_hour, tokeniser_factor, useful_share_of_hours
) -> WorkPerGpuHour:
    """Work that a busy GPU does in an hour."""
    return output_rate * seconds_per_hour / tokeniser_factor * useful_share_of_hours


def work_per_gpu_hour__tasks(tasks_per_hour, useful_share_of_hours) -> WorkPerGpuHour:
    """Work that a busy GPU does in an hour."""
    return tasks_per_hour * useful_share_of_hours


def work_per_gpu_hour__task_hours(hours_per_task, useful_share_of_hours) -> WorkPerGpuHour:
    """Work that a busy GPU does in an hour."""
    return useful_share_of_hours / hours_per_task


def work_per_gpu_hour__jobs(speed_up, useful_share_of_hours) -> WorkPerGpuHour:
    """Work that a busy GPU does in an hour."""
    return speed_up * useful_share_of_hours


def volume_per_gpu_hour__measured(work_per_gpu_hour, work_per_volume) -> VolumePerGpuHour:
    """Work that a busy GPU does in an hour, in what a price is for."""
    return work_per_gpu_hour / work_per_volume


def capacity__measured(gpus, work_per_gpu_hour) -> WorkPerHour:
    """Capacity of these GPUs in an hour."""
    return gpus * work_per_gpu_hour


def servable_volume__measured(capacity, hours, peak_to_mean, work_per_volume) -> Volume:
    """Most work of the month that can be served, its peak included, in what a price is for."""
    return capacity * hours / peak_to_mean / work_per_volume


def capacity_volume__measured(servable_volume, discount_factor, annuity_factor) -> VolumePerMonth:
    """Most work of a month that can be served, levelled over the horizon."""
    return sum_product(servable_volume, discount_factor) / annuity_factor


def capacity__limited(rate_limit, seconds_per_hour) -> WorkPerHour:
    """Capacity, as far as the provider lets one go."""
    return rate_limit * seconds_per_hour


def capacity__unlimited(peak_rate, capacity_before) -> WorkPerHour:
    """Capacity, taken to be what is left to serve."""
    return np.maximum(peak_rate - capacity_before, 0)


def capacity__unlimited_later(peak_rate, capacity_before, in_service) -> WorkPerHour:
    """Capacity, taken to be what is left to serve, as soon as these GPUs are in service."""
    return np.maximum(peak_rate - capacity_before, 0) * in_service


def served_rate_per_second__required(served_work, hours, seconds_per_hour) -> TokensPerSecond:
    """Output tokens a second that these GPUs would have to serve on average."""
    return ratio(served_work, hours * seconds_per_hour)


def required_output_rate__required(served_rate_per_second) -> TokensPerSecond:
    """Output tokens a second to sustain on average, all these GPUs together."""
    return highest(served_rate_per_second)


def required_output_rate_per_gpu__required(required_output_rate, count) -> TokensPerSecondPerGpu:
    """Output tokens a second to sustain on average, each GPU."""
    return required_output_rate / count


def required_peak_output_rate__required_peak(required_output_rate, peak_to_mean) -> TokensPerSecond:
    """Output tokens a second to sustain in the busiest hours, all these GPUs together."""
    return required_output_rate * peak_to_mean
