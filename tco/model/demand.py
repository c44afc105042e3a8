"""What has to be served by all workloads together: work a month and its shape within the month.

Work is output tokens, tasks, or GPU-hours measured on one card. Its volume is the same counted in
what a price is for: millions of tokens, or tasks.
"""

import numpy as np

from tco.engine.operations import highest, ratio, total
from tco.units import Flag, Fraction, Ratio, Tokens, TokensPerSecond, Volume, Work, WorkPerHour


def work_through__several(work_before, work_demanded) -> Work:
    """Work asked for, this workload and those before it."""
    return work_before + work_demanded


def input_tokens_through__several(input_tokens_before, input_tokens_demanded) -> Tokens:
    """Input tokens asked for, this workload and those before it."""
    return input_tokens_before + input_tokens_demanded


def cache_read_tokens_through__several(
    cache_read_tokens_before, cache_read_tokens_demanded
) -> Tokens:
    """Input tokens read from a cache, this workload and those before it."""
    return cache_read_tokens_before + cache_read_tokens_demanded


def cache_write_tokens_through__several(
    cache_write_tokens_before, cache_write_tokens_demanded
) -> Tokens:
    """Input tokens written to a cache for 5 minutes, this workload and those before it."""
    return cache_write_tokens_before + cache_write_tokens_demanded


def cache_write_1h_tokens_through__several(
    cache_write_1h_tokens_before, cache_write_1h_tokens_demanded
) -> Tokens:
    """Input tokens written to a cache for an hour, this workload and those before it."""
    return cache_write_1h_tokens_before + cache_write_1h_tokens_demanded


def useful_work_through__several(useful_work_before, useful_work) -> Work:
    """Work asked for without attempts that fail, this workload and those before it."""
    return useful_work_before + useful_work


def useful_staying_work_through__several(useful_staying_work_before, useful_staying_work) -> Work:
    """Work that stays where it is without attempts that fail, this workload and those before it."""
    return useful_staying_work_before + useful_staying_work


def staying_work_through__several(staying_work_before, staying_work) -> Work:
    """Work that stays where it is, this workload and those before it."""
    return staying_work_before + staying_work


def work_demanded__total(work_through) -> Work:
    """Work asked for."""
    return work_through


def input_tokens_demanded__total(input_tokens_through) -> Tokens:
    """Input tokens asked for."""
    return input_tokens_through


def total_staying_work__total_staying(staying_work) -> Work:
    """Work over all months that stays where it is."""
    return total(staying_work)


def input_per_output__mix(input_tokens, work_per_month) -> Ratio:
    """Input tokens for each output token."""
    return ratio(input_tokens, work_per_month)


def input_per_output__by_month(input_tokens_demanded, work_demanded) -> Ratio:
    """Input tokens for each output token."""
    return ratio(input_tokens_demanded, work_demanded)


def prefilled_per_output__by_month(
    input_tokens_demanded, cache_read_tokens_demanded, work_demanded
) -> Ratio:
    """Input tokens to be computed for each output token: those read from a cache cost no time."""
    return ratio(input_tokens_demanded - cache_read_tokens_demanded, work_demanded)


def useful_share__attempts(useful_work, work_demanded) -> Fraction:
    """Share of the work that is not a failed attempt; all of it where there is no work."""
    return 1 - ratio(work_demanded - useful_work, work_demanded)


def input_alone_now__tokens(input_tokens_demanded, work_demanded) -> Flag:
    """1 in a month that has input and no output: cards that count output cannot serve it."""
    return np.where(input_tokens_demanded > 0, 1, 0) * np.where(work_demanded > 0, 0, 1)


def input_alone__tokens(input_alone_now) -> Flag:
    """1 when any month has input and no output."""
    return highest(input_alone_now)


def demanded_rate(work_demanded, hours) -> WorkPerHour:
    """Average load in an hour."""
    return ratio(work_demanded, hours)


def peak_to_mean__profile(load_level) -> Ratio:
    """Load of the busiest hours over the average load."""
    return highest(load_level)


def peak_rate__profile(demanded_rate, peak_to_mean) -> WorkPerHour:
    """Load of the busiest hours."""
    return demanded_rate * peak_to_mean


def demanded_rate_per_second__tokens(demanded_rate, seconds_per_hour) -> TokensPerSecond:
    """Average load in output tokens a second.

    V / (3600 H): 50 million tokens in 730 hours are 19.03 tokens a second.
    """
    return demanded_rate / seconds_per_hour


def highest_demanded_rate__tokens(demanded_rate_per_second) -> TokensPerSecond:
    """Highest monthly average load in output tokens a second."""
    return highest(demanded_rate_per_second)


def demanded_volume(work_demanded, work_per_volume) -> Volume:
    """Work asked for, in what a price is for."""
    return work_demanded / work_per_volume


def total_demanded_volume(demanded_volume) -> Volume:
    """Work asked for over all months, in what a price is for."""
    return total(demanded_volume)


def highest_demanded_rate__counted(demanded_rate) -> WorkPerHour:
    """Highest monthly average load in an hour."""
    return highest(demanded_rate)
