"""One workload: how much of it there is in each month, and what of it cannot move.

``activity`` is 1 in month 1 and changes with growth, season and retries; what is not given counts
as 1. What is not ``addressable`` stays where it is in every option.
"""

from tco.engine.operations import at_most, lookup, modulo
from tco.units import Factor, Flag, Fraction, Month, Ratio, Tokens, Work, WorkPerMonth


def growth_factor__year(growth_per_year, month, months_per_year) -> Factor:
    """Work of a month over that of month 1, by growth.

    (1 + g)^((m - 1) / 12): at 20 % a year, month 13 has 1.2 times the work of month 1.
    """
    return (1 + growth_per_year) ** ((month - 1) / months_per_year)


def growth_factor__month(growth_per_month, month) -> Factor:
    """Work of a month over that of month 1, by growth.

    (1 + g)^(m - 1): 100 growing by 5 % a month are 551.6 in month 36.
    """
    return (1 + growth_per_month) ** (month - 1)


def growth_factor__steps(month, growth_month, growth_step) -> Factor:
    """Work of a month over that of month 1, by steps."""
    return lookup(month, growth_month, growth_step)


def month_of_year__season(month, first_month_of_year, months_per_year) -> Month:
    """Month of the year, January 0."""
    return modulo(month - 1 + first_month_of_year, months_per_year)


def season_factor__season(month_of_year, season_month, season_weight) -> Factor:
    """Work of the month of the year over the mean month's."""
    return lookup(month_of_year, season_month, season_weight)


def attempts__retries(retries) -> Factor:
    """Attempts for each that succeeds."""
    return 1 + retries


def activity(operating, growth_factor, season_factor, attempts) -> Factor:
    """Work of the month over that of month 1 without retries; 0 at the decision date."""
    return operating * growth_factor * season_factor * attempts


def work_per_month__reasoning(output_tokens, reasoning_tokens) -> WorkPerMonth:
    """Output tokens of a month, visible and reasoning."""
    return output_tokens + reasoning_tokens


def work_demanded(work_per_month, activity, addressable) -> Work:
    """Work asked for."""
    return work_per_month * activity * addressable


def input_tokens_demanded__tokens(input_tokens, activity, addressable) -> Tokens:
    """Input tokens asked for."""
    return input_tokens * activity * addressable


def cache_read_tokens_demanded__cache_read(cache_read_tokens, activity, addressable) -> Tokens:
    """Input tokens asked for that are read from a cache."""
    return cache_read_tokens * activity * addressable


def cache_write_tokens_demanded__cache_write(cache_write_tokens, activity, addressable) -> Tokens:
    """Input tokens asked for that are written to a cache for 5 minutes."""
    return cache_write_tokens * activity * addressable


def cache_write_1h_tokens_demanded__cache_write_1h(
    cache_write_1h_tokens, activity, addressable
) -> Tokens:
    """Input tokens asked for that are written to a cache for an hour."""
    return cache_write_1h_tokens * activity * addressable


def staying_share__staying(addressable) -> Ratio:
    """Share of the work that cannot move."""
    return 1 - addressable


def staying_work__staying(work_per_month, activity, staying_share) -> Work:
    """Work that stays where it is."""
    return work_per_month * activity * staying_share


def staying_input_tokens__staying_tokens(input_tokens, activity, staying_share) -> Tokens:
    """Input tokens that stay where they are."""
    return input_tokens * activity * staying_share


def staying_cache_read_tokens__staying_cache_read(
    cache_read_tokens, activity, staying_share
) -> Tokens:
    """Input tokens read from a cache that stay where they are."""
    return cache_read_tokens * activity * staying_share


def staying_cache_write_tokens__staying_cache_write(
    cache_write_tokens, activity, staying_share
) -> Tokens:
    """Input tokens written to a cache for 5 minutes that stay where they are."""
    return cache_write_tokens * activity * staying_share


def staying_cache_write_1h_tokens__staying_cache_write_1h(
    cache_write_1h_tokens, activity, staying_share
) -> Tokens:
    """Input tokens written to a cache for an hour that stay where they are."""
    return cache_write_1h_tokens * activity * staying_share


def useful_work__useful(work_demanded, attempts) -> Work:
    """Work asked for, without attempts that fail."""
    return work_demanded / attempts


def useful_staying_work__useful_staying(staying_work, attempts) -> Work:
    """Work that stays where it is, without attempts that fail."""
    return staying_work / attempts


def useful_share__unbilled(attempts) -> Fraction:
    """Share of the work that is not a failed attempt, of what moves and of what stays."""
    return 1 / attempts


def cache_parts__caches(
    cache_read_tokens, cache_write_tokens, cache_write_1h_tokens
) -> WorkPerMonth:
    """Input tokens of a month that are read from or written to a cache."""
    return cache_read_tokens + cache_write_tokens + cache_write_1h_tokens


def caches_above_input__caches(cache_parts, input_tokens, tolerance) -> Flag:
    """More input tokens are read from and written to caches than there are."""
    return 1 - at_most(cache_parts, input_tokens, tolerance)
