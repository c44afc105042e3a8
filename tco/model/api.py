"""Calling an API: a price for each million tokens."""

import numpy as np

from tco.engine.operations import sum_product, total
from tco.units import Flag, Megatokens, Money, MoneyPerMegatoken, MoneyPerMonth, Tokens


def output_megatokens(served_output_tokens, tokens_per_megatoken) -> Megatokens:
    """Output tokens billed, in millions."""
    return served_output_tokens / tokens_per_megatoken


def input_megatokens(served_input_tokens, tokens_per_megatoken) -> Megatokens:
    """Input tokens billed, in millions."""
    return served_input_tokens / tokens_per_megatoken


def output_token_cost(output_megatokens, output_price) -> Money:
    """Bill for output tokens."""
    return output_megatokens * output_price


def input_token_cost(input_megatokens, input_price) -> Money:
    """Bill for input tokens."""
    return input_megatokens * input_price


def api_cost(output_token_cost, input_token_cost) -> Money:
    """Bill of the month."""
    return output_token_cost + input_token_cost


def cash_cost(api_cost, staff_cost) -> Money:
    """Cash cost of calling the API."""
    return api_cost + staff_cost


def variable_cost_per_mtok(output_price, input_price, input_per_output) -> MoneyPerMegatoken:
    """Cost of one more million output tokens, with the input tokens that go with them."""
    return output_price + input_price * input_per_output


def discounted_output_megatokens(output_megatokens, discount_factor) -> Megatokens:
    """Output tokens billed over all months, in millions, discounted."""
    return sum_product(output_megatokens, discount_factor)


def equivalent_api_cost(api_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """API, equivalent monthly cost."""
    return sum_product(api_cost, discount_factor) / annuity_factor


def equivalent_parts(equivalent_api_cost, equivalent_staff_cost) -> MoneyPerMonth:
    """Equivalent monthly cost of this supply, added up from its parts."""
    return equivalent_api_cost + equivalent_staff_cost


def total_served_input_tokens__unpriced(served_input_tokens) -> Tokens:
    """Input tokens served over all months."""
    return total(served_input_tokens)


def input_tokens_priced__unpriced(input_price) -> Flag:
    """1 when there is a price for input tokens."""
    return np.where(input_price > 0, 1, 0)


def input_tokens_unpriced__unpriced(total_served_input_tokens, input_tokens_priced) -> Flag:
    """There are input tokens and no price for them."""
    return np.where(total_served_input_tokens > 0, 1, 0) * (1 - input_tokens_priced)
