"""What has to be served: tokens a month, flat within the month and over the months."""

from tco.engine.operations import highest, ratio, total
from tco.units import Megatokens, Ratio, Tokens, TokensPerHour, TokensPerSecond


def output_tokens_demanded(output_tokens, operating) -> Tokens:
    """Output tokens asked for."""
    return output_tokens * operating


def input_tokens_demanded(input_tokens, operating) -> Tokens:
    """Input tokens asked for."""
    return input_tokens * operating


def input_per_output(input_tokens, output_tokens) -> Ratio:
    """Input tokens for each output token."""
    return ratio(input_tokens, output_tokens)


def demanded_rate(output_tokens_demanded, hours) -> TokensPerHour:
    """Average load in output tokens an hour."""
    return ratio(output_tokens_demanded, hours)


def demanded_rate_per_second(demanded_rate, seconds_per_hour) -> TokensPerSecond:
    """Average load in output tokens a second.

    V / (3600 H): 50 million tokens in 730 hours are 19.03 tokens a second.
    """
    return demanded_rate / seconds_per_hour


def highest_demanded_rate(demanded_rate_per_second) -> TokensPerSecond:
    """Highest monthly average load in output tokens a second."""
    return highest(demanded_rate_per_second)


def demanded_megatokens(output_tokens_demanded, tokens_per_megatoken) -> Megatokens:
    """Output asked for, in millions of tokens."""
    return output_tokens_demanded / tokens_per_megatoken


def total_demanded_megatokens(demanded_megatokens) -> Megatokens:
    """Output asked for over all months, in millions of tokens."""
    return total(demanded_megatokens)
