"""Keeping owned hardware going: maintenance or repairs, licences, insurance, support, removal.

Maintenance and failures begin after the warranty; a contract that covers repairs and repairs
themselves are never counted both. Licences and insurance are paid a month ahead and are a cost of
the month they are for; support is paid with the purchase and is a cost over its own months.
"""

import numpy as np

from tco.engine.operations import backwards, following, over_cohorts, sum_product
from tco.units import AnnualRate, Balance, Flag, Gpus, Money, MoneyPerMonth, Months


def out_of_warranty__warranty(month, warranty_months) -> Flag:
    """1 at the ages at which a warranty has ended."""
    return np.where(month > warranty_months, 1, 0)


def out_of_warranty__warranty_refresh(month, warranty_months, refresh_months) -> Flag:
    """1 at the ages at which a warranty has ended and the hardware is not sold."""
    return np.where(month > warranty_months, 1, 0) * np.where(month <= refresh_months, 1, 0)


def backward_out_of_warranty__warranty_cohorts(out_of_warranty, month, operating_months) -> Flag:
    """The ages out of warranty, the row turned round."""
    return backwards(out_of_warranty, month, operating_months)


def maintained_value__maintenance_once(equipment_value, out_of_warranty) -> Balance:
    """Equipment out of warranty, at its price."""
    return equipment_value * out_of_warranty


def maintained_value__maintenance_cohorts(
    equipment_additions, backward_out_of_warranty, month, operating_months
) -> Balance:
    """Equipment out of warranty, at its price."""
    return over_cohorts(equipment_additions, backward_out_of_warranty, month, operating_months)


def maintenance_cost__maintenance(
    maintained_value, maintenance_share_per_year, months_per_year
) -> Money:
    """Maintenance of the month."""
    return maintained_value * maintenance_share_per_year / months_per_year


def failure_share_per_year__events(
    failure_events, failure_gpus, failure_days, days_per_year
) -> AnnualRate:
    """Failures of a GPU in a year, from those that were counted.

    220 of 16,384 GPUs in 54 days are 9.08 % a year.
    """
    return failure_events / failure_gpus * (days_per_year / failure_days)


def failing_gpus__failures_once(bought_gpus, out_of_warranty) -> Gpus:
    """GPUs whose failures one pays for."""
    return bought_gpus * out_of_warranty


def failing_gpus__failures_cohorts(
    gpus_added, backward_out_of_warranty, month, operating_months
) -> Gpus:
    """GPUs whose failures one pays for."""
    return over_cohorts(gpus_added, backward_out_of_warranty, month, operating_months)


def failures__failures(failing_gpus, failure_share_per_year, months_per_year) -> Gpus:
    """GPUs expected to fail in the month."""
    return failing_gpus * failure_share_per_year / months_per_year


def failure_cost__failures(failures, replacement_price) -> Money:
    """Replacements of the month."""
    return failures * replacement_price


def licence_due__licences(gpus, licence_price_per_year, months_per_year, operating) -> Money:
    """Licences for the month."""
    return gpus * licence_price_per_year / months_per_year * operating


def licence_cost__licences(licence_due) -> Money:
    """Licences paid in the month, for the next."""
    return following(licence_due)


def insured_value__insurance_once(equipment_value, in_service) -> Balance:
    """Equipment in service, at its price."""
    return equipment_value * in_service


def insured_age__insurance_refresh(month, refresh_months, operating) -> Flag:
    """1 at the ages at which hardware stands."""
    return np.where(month <= refresh_months, 1, 0) * operating


def backward_insured_age__insurance_cohorts(insured_age, month, operating_months) -> Flag:
    """The ages at which hardware stands, the row turned round."""
    return backwards(insured_age, month, operating_months)


def insured_value__insurance_cohorts(
    equipment_additions, backward_insured_age, month, operating_months
) -> Balance:
    """Equipment in service, at its price."""
    return over_cohorts(equipment_additions, backward_insured_age, month, operating_months)


def insurance_due__insurance(
    insured_value, insurance_share_per_year, months_per_year, operating
) -> Money:
    """Insurance for the month."""
    return insured_value * insurance_share_per_year / months_per_year * operating


def insurance_cost__insurance(insurance_due) -> Money:
    """Insurance paid in the month, for the next."""
    return following(insurance_due)


def support_through__support_item(support_before, item_amount) -> Balance:
    """Support of the quote, this line and those before it."""
    return support_before + item_amount


def support_used_through__support_item(
    support_used_before, item_amount, months_in_service, support_months, final
) -> Balance:
    """Support used up to this month, of this line and those before it.

    Over its own months; what is left in the last month is given up.
    """
    return support_used_before + item_amount * np.maximum(
        np.minimum(months_in_service / support_months, 1), final
    )


def months_in_service__service(month, lead_time_months) -> Months:
    """Months of service up to the end of this one."""
    return np.maximum(month - lead_time_months, 0)


def support_cost__support(support_price, paid_share) -> Money:
    """Support paid in the month, with the purchase."""
    return support_price * paid_share


def support_expense__support(support_used, previous_support_used) -> Money:
    """Support used in the month."""
    return support_used - previous_support_used


def decommissioning_cost__decommissioning(decommissioning, gpus, final) -> Money:
    """Removal of the hardware in the last month."""
    return decommissioning * gpus * final


def upkeep_cost(
    maintenance_cost,
    failure_cost,
    licence_cost,
    insurance_cost,
    support_cost,
    decommissioning_cost,
) -> Money:
    """What is paid in the month to keep the hardware going."""
    return (
        maintenance_cost
        + failure_cost
        + licence_cost
        + insurance_cost
        + support_cost
        + decommissioning_cost
    )


def upkeep_expense(
    maintenance_cost,
    failure_cost,
    licence_due,
    insurance_due,
    support_expense,
    decommissioning_cost,
) -> Money:
    """What keeping the hardware going costs in the month."""
    return (
        maintenance_cost
        + failure_cost
        + licence_due
        + insurance_due
        + support_expense
        + decommissioning_cost
    )


def equivalent_upkeep_cost(upkeep_cost, discount_factor, annuity_factor) -> MoneyPerMonth:
    """Upkeep, equivalent monthly cost."""
    return sum_product(upkeep_cost, discount_factor) / annuity_factor
