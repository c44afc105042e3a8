"""Calling an API: a price for each million tokens by class, or for each task.

Cached and written tokens are parts of the input. A long prompt makes a whole request dearer; a
batch makes a part of the work cheaper; a commitment is a minimum; a fee and a tax that is not got
back come on top. Tiers are in `tco.model.tiers`.
"""

import numpy as np

from tco.engine.operations import ratio, sum_product, total
from tco.units import (
    Factor,
    Flag,
    Fraction,
    Money,
    MoneyPerMonth,
    MoneyPerVolume,
    Ratio,
    Tokens,
    Volume,
)


def output_volume(served_work, billed_share, tokeniser_factor, work_per_volume) -> Volume:
    """Output billed, in what a price is for."""
    return served_work * billed_share * tokeniser_factor / work_per_volume


def input_volume__tokens(
    served_input_tokens, billed_share, tokeniser_factor, work_per_volume
) -> Volume:
    """Input billed, in what a price is for."""
    return served_input_tokens * billed_share * tokeniser_factor / work_per_volume


def cache_read_volume__cache_read(
    served_share, cache_read_tokens_demanded, billed_share, tokeniser_factor, work_per_volume
) -> Volume:
    """Input billed as read from a cache, in what a price is for."""
    return (
        served_share
        * cache_read_tokens_demanded
        * billed_share
        * tokeniser_factor
        / work_per_volume
    )


def cache_write_volume__cache_write(
    served_share, cache_write_tokens_demanded, billed_share, tokeniser_factor, work_per_volume
) -> Volume:
    """Input billed as written to a cache for 5 minutes, in what a price is for."""
    return (
        served_share
        * cache_write_tokens_demanded
        * billed_share
        * tokeniser_factor
        / work_per_volume
    )


def cache_write_1h_volume__cache_write_1h(
    served_share, cache_write_1h_tokens_demanded, billed_share, tokeniser_factor, work_per_volume
) -> Volume:
    """Input billed as written to a cache for an hour, in what a price is for."""
    return (
        served_share
        * cache_write_1h_tokens_demanded
        * billed_share
        * tokeniser_factor
        / work_per_volume
    )


def fresh_input_volume__caches(
    input_volume, cache_read_volume, cache_write_volume, cache_write_1h_volume
) -> Volume:
    """Input billed at the full price, in what a price is for."""
    return input_volume - cache_read_volume - cache_write_volume - cache_write_1h_volume


def mean_output_price__long(output_price, long_output_price, long_request_share) -> MoneyPerVolume:
    """Mean price of output: that of a long prompt holds for the whole request."""
    return output_price + (long_output_price - output_price) * long_request_share


def mean_input_price__long(input_price, long_input_price, long_input_share) -> MoneyPerVolume:
    """Mean price of input: that of a long prompt holds for the whole request."""
    return input_price + (long_input_price - input_price) * long_input_share


def cached_price_factor__long(mean_input_price, input_price) -> Ratio:
    """What cached input costs over its price: dearer after long prompts as other input is."""
    return 1 + ratio(mean_input_price - input_price, input_price)


def output_token_cost__priced(output_volume, mean_output_price, price_factor) -> Money:
    """Bill for output."""
    return output_volume * mean_output_price * price_factor


def input_token_cost__input(fresh_input_volume, mean_input_price, price_factor) -> Money:
    """Bill for input at the full price."""
    return fresh_input_volume * mean_input_price * price_factor


def cache_read_cost__cache_read(
    cache_read_volume, cache_read_price, cached_price_factor, price_factor
) -> Money:
    """Bill for input read from a cache."""
    return cache_read_volume * cache_read_price * cached_price_factor * price_factor


def cache_write_cost__cache_write(
    cache_write_volume, cache_write_price, cached_price_factor, price_factor
) -> Money:
    """Bill for input written to a cache for 5 minutes."""
    return cache_write_volume * cache_write_price * cached_price_factor * price_factor


def cache_write_1h_cost__cache_write_1h(
    cache_write_1h_volume, cache_write_1h_price, cached_price_factor, price_factor
) -> Money:
    """Bill for input written to a cache for an hour."""
    return cache_write_1h_volume * cache_write_1h_price * cached_price_factor * price_factor


def list_cost(
    output_token_cost, input_token_cost, cache_read_cost, cache_write_cost, cache_write_1h_cost
) -> Money:
    """Bill of the month at these prices."""
    return (
        output_token_cost
        + input_token_cost
        + cache_read_cost
        + cache_write_cost
        + cache_write_1h_cost
    )


def batch_factor__batch(batch_share, batch_discount) -> Factor:
    """What is paid of the price when a part of the work is sent as a batch."""
    return 1 - batch_share * batch_discount


def usage_cost__batch(list_cost, batch_factor) -> Money:
    """Bill of the month, batches at their discount."""
    return list_cost * batch_factor


def committed_cost__commitment(commitment, operating) -> Money:
    """Least bill of the month."""
    return commitment * operating


def charged_cost__commitment(committed_cost, usage_cost, overage_discount) -> Money:
    """Bill of the month: the commitment, and what goes beyond it at its discount."""
    return committed_cost + np.maximum(usage_cost - committed_cost, 0) * (1 - overage_discount)


def charge_factor__charged(fx_fee, vat_rate, vat_borne) -> Factor:
    """What is paid of the bill: the bank's fee, and the tax that is not got back."""
    return (1 + fx_fee) * (1 + vat_rate * vat_borne)


def api_cost__charged(charged_cost, charge_factor) -> Money:
    """Bill of the month, fee and tax included."""
    return charged_cost * charge_factor


def cash_cost(api_cost, prepaid_cost, staff_cost) -> Money:
    """Cash cost of calling the API."""
    return api_cost + prepaid_cost + staff_cost


def expense(api_cost, prepaid_expense, staff_cost) -> Money:
    """Expense of calling the API."""
    return api_cost + prepaid_expense + staff_cost


def marginal_cost__mix(output_price, input_price, input_per_output) -> MoneyPerVolume:
    """Cost of one more unit of output, with the input that goes with it."""
    return output_price + input_price * input_per_output


def marginal_cost__bill(
    api_cost, cost_discount_factor, served_volume, discount_factor
) -> MoneyPerVolume:
    """Cost of one more unit of output, with the input that goes with it: bill over volume."""
    return ratio(
        sum_product(api_cost, cost_discount_factor), sum_product(served_volume, discount_factor)
    )


def marginal_cash_cost__bill(api_cost, kept_share, served_volume) -> MoneyPerVolume:
    """The same from undiscounted cost."""
    return ratio(total(api_cost) * kept_share, total(served_volume))


def served_volume__bill(served_work, work_per_volume) -> Volume:
    """Work served, in what a price is for."""
    return served_work / work_per_volume


def output_charge__charged(batch_factor, charge_factor, ordinary_request_share) -> Ratio:
    """What is paid of the price of output."""
    return batch_factor * charge_factor * ordinary_request_share


def ordinary_request_share__long(long_request_share) -> Fraction:
    """Share of the requests whose prompt is not long."""
    return 1 - long_request_share


def priced_output_volume__path(output_volume, price_factor) -> Volume:
    """Output billed at the price of month 1 for the same bill, in what a price is for."""
    return output_volume * price_factor


def discounted_output_volume__linear(priced_output_volume, cost_discount_factor) -> Volume:
    """Output billed over all months, in what a price is for, discounted."""
    return sum_product(priced_output_volume, cost_discount_factor)


def discounted_output_charge__linear(discounted_output_volume, output_charge) -> Volume:
    """Output over all months that its price is charged on, with discounts and fees, discounted."""
    return discounted_output_volume * output_charge


def equivalent_api_cost(api_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """API, equivalent monthly cost."""
    return sum_product(api_cost, discount_factor) / annuity_factor


def equivalent_extra_cost__extras(prepaid_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Balance paid in, equivalent monthly cost."""
    return sum_product(prepaid_cost, discount_factor) / annuity_factor


def equivalent_parts(
    equivalent_api_cost, equivalent_extra_cost, equivalent_staff_cost
) -> MoneyPerMonth:
    """Equivalent monthly cost of this supply, added up from its parts."""
    return equivalent_api_cost + equivalent_extra_cost + equivalent_staff_cost


def total_served_input_tokens__unpriced(served_input_tokens) -> Tokens:
    """Input tokens served over all months."""
    return total(served_input_tokens)


def input_tokens_priced__unpriced(input_price) -> Flag:
    """1 when there is a price for input tokens."""
    return np.where(input_price > 0, 1, 0)


def input_tokens_unpriced__unpriced(total_served_input_tokens, input_tokens_priced) -> Flag:
    """There are input tokens and no price for them."""
    return np.where(total_served_input_tokens > 0, 1, 0) * (1 - input_tokens_priced)
