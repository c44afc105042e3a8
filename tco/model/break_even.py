"""Where one option (``this``) overtakes another (``other``): time, tokens, hours, work, prices.

The break-even month counts undiscounted cash, the discounted ones equivalent monthly cost. A month
that never comes is the number of months + 1, beside a flag. Against the ``baseline`` the discounted
payback, the funding and the present value by other conventions are found too. What is F / (p - v)
exists only where the cost of both options is a fixed part and a part in proportion to tokens
(``tokens``) or to hours (``hours``); what enters in proportion, any price, has a closed form.
"""

import numpy as np

from tco.engine.operations import at_most, cumulative, highest, highest_yet, ratio, total
from tco.units import (
    Balance,
    Count,
    Flag,
    Fraction,
    Money,
    MoneyPerGpu,
    MoneyPerGpuHour,
    MoneyPerMonth,
    MoneyPerVolume,
    Month,
    StaffHoursPerMonth,
    VolumePerMonth,
)


def monthly_saving(other_cash_cost, this_cash_cost) -> Money:
    """Cash saved in the month by this option against the other."""
    return other_cash_cost - this_cash_cost


def cumulative_saving(monthly_saving) -> Balance:
    """Cash saved from the decision date to this month."""
    return cumulative(monthly_saving)


def ahead(this_cumulative_cost, other_cumulative_cost, tolerance) -> Flag:
    """1 where this option has cost no more than the other so far."""
    return at_most(this_cumulative_cost, other_cumulative_cost, tolerance)


def not_yet_ahead(ahead) -> Flag:
    """1 until this option has cost no more than the other for the first time."""
    return 1 - highest_yet(ahead)


def break_even_month_first(not_yet_ahead) -> Month:
    """First month at whose end this option has cost no more than the other."""
    return total(not_yet_ahead)


def behind_until(period, ahead) -> Month:
    """The month after each in which this option is behind, else 0."""
    return period * (1 - ahead)


def break_even_month(behind_until) -> Month:
    """Month from whose end on this option stays ahead.

    The month after the last one in which it is behind; months of operation + 1 for never.
    """
    return highest(behind_until)


def breaks_even(break_even_month, operating_months) -> Flag:
    """1 when this option is ahead at the end of the horizon."""
    return np.where(break_even_month <= operating_months, 1, 0)


def turning(month, break_even_month) -> Flag:
    """1 in the month of the lasting break-even."""
    return np.where(month == break_even_month, 1, 0)


def crossing(turning, month, cumulative_saving, monthly_saving) -> Month:
    """Break-even inside its month, the month's flows taken as even."""
    return turning * np.maximum(month - ratio(cumulative_saving, monthly_saving), 0)


def break_even_month_unrounded(crossing) -> Month:
    """Lasting break-even month, not rounded up; 0 where there is none."""
    return total(crossing)


def final_saving(monthly_saving) -> Balance:
    """Cash saved by the end of the horizon; below 0 it is the shortfall."""
    return total(monthly_saving)


def equivalent_difference(
    this_equivalent_monthly_cost, other_equivalent_monthly_cost
) -> MoneyPerMonth:
    """Equivalent monthly cost of this option less that of the other."""
    return this_equivalent_monthly_cost - other_equivalent_monthly_cost


def lead_changes__baseline(ahead, previous_ahead, operating) -> Flag:
    """1 in a month at whose end another option has cost less than at the end of the last."""
    return np.maximum(ahead - previous_ahead, previous_ahead - ahead) * operating


def payback_crossings__baseline(lead_changes) -> Count:
    """How often the lead changes between this option and the other."""
    return total(lead_changes)


def discounted_saving__baseline(other_discounted_cost, this_discounted_cost) -> Money:
    """Cash saved in the month by this option against the other, discounted."""
    return other_discounted_cost - this_discounted_cost


def cumulative_discounted_saving__baseline(discounted_saving) -> Balance:
    """Cash saved from the decision date to this month, discounted."""
    return cumulative(discounted_saving)


def discounted_ahead__baseline(
    this_cumulative_discounted_cost, other_cumulative_discounted_cost, tolerance
) -> Flag:
    """1 where this option has cost no more than the other so far, discounted."""
    return at_most(this_cumulative_discounted_cost, other_cumulative_discounted_cost, tolerance)


def discounted_not_yet_ahead__baseline(discounted_ahead) -> Flag:
    """1 until this option has cost no more than the other for the first time, discounted."""
    return 1 - highest_yet(discounted_ahead)


def discounted_payback_month_first__baseline(discounted_not_yet_ahead) -> Month:
    """First month at whose end this option has cost no more than the other, discounted."""
    return total(discounted_not_yet_ahead)


def discounted_behind_until__baseline(period, discounted_ahead) -> Month:
    """The month after each in which this option is behind, discounted, else 0."""
    return period * (1 - discounted_ahead)


def discounted_payback_month__baseline(discounted_behind_until) -> Month:
    """Month from whose end on this option stays ahead, discounted."""
    return highest(discounted_behind_until)


def discounted_turning__baseline(month, discounted_payback_month) -> Flag:
    """1 in the month of the lasting discounted payback."""
    return np.where(month == discounted_payback_month, 1, 0)


def discounted_crossing__baseline(
    discounted_turning, month, cumulative_discounted_saving, discounted_saving
) -> Month:
    """Discounted payback inside its month, the month's flows taken as even."""
    return discounted_turning * np.maximum(
        month - ratio(cumulative_discounted_saving, discounted_saving), 0
    )


def discounted_payback_month_unrounded__baseline(discounted_crossing) -> Month:
    """Lasting discounted payback month, not rounded up; 0 where there is none."""
    return total(discounted_crossing)


def ahead_without_resale__resale(
    this_cumulative_cost_without_resale, other_cumulative_cost_without_resale, tolerance
) -> Flag:
    """1 where this option has cost no more than the other so far, sales of hardware apart."""
    return at_most(
        this_cumulative_cost_without_resale, other_cumulative_cost_without_resale, tolerance
    )


def behind_without_resale_until__resale(period, ahead_without_resale) -> Month:
    """The month after each in which this option is behind, sales of hardware apart, else 0."""
    return period * (1 - ahead_without_resale)


def payback_month_without_resale__resale(behind_without_resale_until) -> Month:
    """Month from whose end on this option stays ahead, sales of hardware apart."""
    return highest(behind_without_resale_until)


def extra_funding__baseline(
    other_cumulative_net_cash_flow, this_cumulative_net_cash_flow
) -> Balance:
    """Cash that this option has taken so far beyond the other, tax and financing included."""
    return other_cumulative_net_cash_flow - this_cumulative_net_cash_flow


def peak_funding_need__baseline(extra_funding) -> Balance:
    """Most cash that this option takes beyond the other at the end of any month."""
    return highest(extra_funding)


def highest_extra_funding_yet__baseline(extra_funding) -> Balance:
    """Most cash that this option has taken beyond the other up to this month."""
    return highest_yet(extra_funding)


def before_peak_funding__baseline(highest_extra_funding_yet, peak_funding_need, tolerance) -> Flag:
    """1 before the month in which this option has taken most."""
    return 1 - at_most(peak_funding_need, highest_extra_funding_yet, tolerance)


def peak_funding_month__baseline(before_peak_funding) -> Month:
    """Month at whose end this option has taken most cash beyond the other."""
    return total(before_peak_funding)


def npv_difference(this_npv_of_cost, other_npv_of_cost) -> Money:
    """Present value of the cost of this option less that of the other."""
    return this_npv_of_cost - other_npv_of_cost


def npv_difference_higher_rate__baseline(
    this_npv_of_cost_higher_rate, other_npv_of_cost_higher_rate
) -> Money:
    """Present value at the higher rate of the cost of this option less that of the other."""
    return this_npv_of_cost_higher_rate - other_npv_of_cost_higher_rate


def npv_difference_year_end__baseline(
    this_npv_of_cost_year_end, other_npv_of_cost_year_end
) -> Money:
    """The same at the given rate, as if the cash of each year were paid at its end."""
    return this_npv_of_cost_year_end - other_npv_of_cost_year_end


def break_even_staff_hours__staff(
    this_average_staff_hours, equivalent_difference, hour_of_work_cost
) -> StaffHoursPerMonth:
    """Hours of work a month on this option at which both cost the same; below 0 none."""
    return this_average_staff_hours - ratio(equivalent_difference, hour_of_work_cost)


def fixed_difference__tokens(
    this_fixed_cost_per_month, other_fixed_cost_per_month
) -> MoneyPerMonth:
    """Fixed cost of this option less that of the other."""
    return this_fixed_cost_per_month - other_fixed_cost_per_month


def fixed_cash_difference__tokens(
    this_fixed_cash_per_month, other_fixed_cash_per_month
) -> MoneyPerMonth:
    """Undiscounted fixed cost of this option less that of the other."""
    return this_fixed_cash_per_month - other_fixed_cash_per_month


def price_gap__tokens(other_marginal_cost, this_marginal_cost) -> MoneyPerVolume:
    """What a million more output tokens cost the other option more than this one."""
    return other_marginal_cost - this_marginal_cost


def cheaper_at_the_margin__tokens(other_marginal_cost, this_marginal_cost, tolerance) -> Flag:
    """1 when one more token costs less with this option."""
    return 1 - at_most(other_marginal_cost, this_marginal_cost, tolerance)


def dearer_at_the_margin__tokens(this_marginal_cost, other_marginal_cost, tolerance) -> Flag:
    """1 when one more token costs more with this option."""
    return 1 - at_most(this_marginal_cost, other_marginal_cost, tolerance)


def dearer_fixed__tokens(this_fixed_cost_per_month, other_fixed_cost_per_month, tolerance) -> Flag:
    """1 when the fixed cost of this option is the higher one."""
    return 1 - at_most(this_fixed_cost_per_month, other_fixed_cost_per_month, tolerance)


def cheaper_fixed__tokens(this_fixed_cost_per_month, other_fixed_cost_per_month, tolerance) -> Flag:
    """1 when the fixed cost of this option is the lower one."""
    return 1 - at_most(other_fixed_cost_per_month, this_fixed_cost_per_month, tolerance)


def volumes_cross__tokens(
    cheaper_at_the_margin, dearer_fixed, dearer_at_the_margin, cheaper_fixed
) -> Flag:
    """1 when there is a number of tokens at which both options cost the same."""
    return cheaper_at_the_margin * dearer_fixed + dearer_at_the_margin * cheaper_fixed


def break_even_volume__tokens(volumes_cross, fixed_difference, price_gap) -> VolumePerMonth:
    """Output tokens a month, in millions, at which both options cost the same.

    F / (p - v); 0 where there is none.
    """
    return volumes_cross * ratio(fixed_difference, price_gap)


def cash_price_gap__tokens(other_marginal_cash_cost, this_marginal_cash_cost) -> MoneyPerVolume:
    """The price gap from undiscounted cost."""
    return other_marginal_cash_cost - this_marginal_cash_cost


def break_even_volume_undiscounted__tokens(
    volumes_cross, fixed_cash_difference, cash_price_gap
) -> VolumePerMonth:
    """The same from undiscounted cost."""
    return volumes_cross * np.maximum(ratio(fixed_cash_difference, cash_price_gap), 0)


def beyond_capacity__capacity(break_even_volume, this_capacity_volume, tolerance) -> Flag:
    """1 when this option could not serve so many tokens."""
    return 1 - at_most(break_even_volume, this_capacity_volume, tolerance)


def fixed_difference_of_hours__hours(
    this_fixed_cost_per_month_of_hours, other_fixed_cost_per_month_of_hours
) -> MoneyPerMonth:
    """Cost of owning without busy hours less cost of renting without rent."""
    return this_fixed_cost_per_month_of_hours - other_fixed_cost_per_month_of_hours


def fixed_cash_difference_of_hours__hours(
    this_fixed_cash_per_month_of_hours, other_fixed_cash_per_month_of_hours
) -> MoneyPerMonth:
    """The same from undiscounted cost."""
    return this_fixed_cash_per_month_of_hours - other_fixed_cash_per_month_of_hours


def hour_price_gap__hours(other_hour_price, this_busy_hour_cost) -> MoneyPerGpuHour:
    """Rental price of a GPU-hour less the electricity of a busy hour of one's own."""
    return other_hour_price - this_busy_hour_cost


def hour_cash_price_gap__hours(other_hour_cash_price, this_busy_cash_hour_cost) -> MoneyPerGpuHour:
    """The same from undiscounted cost."""
    return other_hour_cash_price - this_busy_cash_hour_cost


def rent_above_electricity__hours(other_hour_price, this_busy_hour_cost, tolerance) -> Flag:
    """1 when an hour rented costs more than the electricity of a busy hour of one's own."""
    return 1 - at_most(other_hour_price, this_busy_hour_cost, tolerance)


def all_hours_gap__hours(this_equivalent_gpu_hours, hour_price_gap) -> MoneyPerMonth:
    """What renting for every hour costs more a month than the electricity of being busy."""
    return this_equivalent_gpu_hours * hour_price_gap


def all_hours_cash_gap__hours(this_average_gpu_hours, hour_cash_price_gap) -> MoneyPerMonth:
    """The same from undiscounted cost."""
    return this_average_gpu_hours * hour_cash_price_gap


def break_even_utilisation__hours(
    rent_above_electricity, fixed_difference_of_hours, all_hours_gap
) -> Fraction:
    """Share of the hours, busy when owned and held when rented, at which both cost the same.

    F / (H (p - v)); above 1 renting is always cheaper.
    """
    return rent_above_electricity * np.maximum(ratio(fixed_difference_of_hours, all_hours_gap), 0)


def break_even_utilisation_undiscounted__hours(
    rent_above_electricity, fixed_cash_difference_of_hours, all_hours_cash_gap
) -> Fraction:
    """The same from undiscounted cost."""
    return rent_above_electricity * np.maximum(
        ratio(fixed_cash_difference_of_hours, all_hours_cash_gap), 0
    )


def utilisation_within_reach__hours(
    rent_above_electricity, break_even_utilisation, tolerance
) -> Flag:
    """1 when owning is the cheaper one at some share of the hours up to all of them."""
    return rent_above_electricity * at_most(break_even_utilisation, 1, tolerance)


def break_even_hardware_price__own(
    this_price, npv_difference, this_discounted_gpus_bought
) -> MoneyPerGpu:
    """Price of a GPU at which both options cost the same; below 0 none."""
    return this_price - ratio(npv_difference, this_discounted_gpus_bought)


def break_even_output_price__api(
    other_output_price, npv_difference, other_discounted_output_charge
) -> MoneyPerVolume:
    """API price of a million output tokens at which both options cost the same; below 0 none."""
    return other_output_price + ratio(npv_difference, other_discounted_output_charge)


def break_even_rental_price__rent(
    other_price, npv_difference, other_discounted_priced_gpu_hours
) -> MoneyPerGpuHour:
    """Rental price of a GPU-hour at which both options cost the same; below 0 none."""
    return other_price + ratio(npv_difference, other_discounted_priced_gpu_hours)


def break_even_speed_up__rented(this_price, other_price) -> Fraction:
    """How much faster the dearer rented GPU must be for the same cost of a finished job.

    The ratio of the two hourly prices, the same quantile on both sides.
    """
    return ratio(this_price, other_price)


def break_even_share_of_hours__reserved(this_effective_price, other_price) -> Fraction:
    """Share of the hours above which a reservation is cheaper than renting by the hour.

    A reservation is paid for all hours: its effective price over the other's.
    """
    return ratio(this_effective_price, other_price)
