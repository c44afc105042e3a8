"""What owned hardware costs until it runs: price, what comes on top, when it is paid.

All prices are of one card. Duty is on the goods and their carriage, value-added tax on that and the
duty. A tax that is not got back is a part of the cost (IAS 16); one that is got back is cash out
and in again, and never a cost. A fixed number of cards is ordered in month 0 (``once``; ``later``
where it serves after a lead time), one that follows the demand in ``cohorts``.
"""

import numpy as np

from tco.engine.operations import cumulative, lag, modulo, ratio, sum_product
from tco.units import (
    Balance,
    Factor,
    Flag,
    Fraction,
    Gpus,
    Money,
    MoneyPerGpu,
    Month,
)


def quoted_capital_through__item(quoted_capital_before, item_amount) -> Balance:
    """Hardware and network of the quote, this line and those before it."""
    return quoted_capital_before + item_amount


def price__quote(quoted_capital, bought_gpus) -> MoneyPerGpu:
    """Purchase price of a GPU: hardware and network of the quote over all cards."""
    return quoted_capital / bought_gpus


def net_price(purchase_price, discount_of_list) -> MoneyPerGpu:
    """Purchase price of a GPU after the discount."""
    return purchase_price * (1 - discount_of_list)


def duty_cost__duty(duty_rate, net_price, host, network, shipping) -> MoneyPerGpu:
    """Import duty on a GPU and what is shipped with it."""
    return duty_rate * (net_price + host + network + shipping)


def untaxed_unit_cost(
    net_price, host, network, rack_and_cooling, installation, shipping, duty_cost
) -> MoneyPerGpu:
    """Cost of a GPU until it runs, before value-added or sales tax."""
    return net_price + host + network + rack_and_cooling + installation + shipping + duty_cost


def unit_cost__vat(untaxed_unit_cost, purchase_vat_rate) -> MoneyPerGpu:
    """Cost of a GPU until it runs, with the tax that is not got back."""
    return untaxed_unit_cost * (1 + purchase_vat_rate)


def untaxed_spare_cost__spares(net_price, duty_rate) -> MoneyPerGpu:
    """Cost of a spare card with its duty, before value-added or sales tax."""
    return net_price * (1 + duty_rate)


def spare_unit_cost__spares_vat(untaxed_spare_cost, purchase_vat_rate) -> MoneyPerGpu:
    """Cost of a spare card, with the tax that is not got back."""
    return untaxed_spare_cost * (1 + purchase_vat_rate)


def spare_cost__spares(spares, first_spare_unit_cost) -> Balance:
    """Cost of the spare cards: they lie on a shelf and serve nothing."""
    return spares * first_spare_unit_cost


def first_spare_unit_cost__first(spare_unit_cost, commissioning) -> MoneyPerGpu:
    """Cost of a spare card at the decision."""
    return sum_product(spare_unit_cost, commissioning)


def hardware_cost__once(unit_cost, bought_gpus, spare_cost) -> Balance:
    """Cost of all these GPUs until they run, those that fill a node and spares included."""
    return unit_cost * bought_gpus + spare_cost


def equipment_price(net_price, host, network) -> MoneyPerGpu:
    """What of a GPU's cost can be sold again, insured and maintained: card, host, network."""
    return net_price + host + network


def spare_equipment__spares(spares, first_net_price) -> Balance:
    """Price of the spare cards."""
    return spares * first_net_price


def first_net_price__first(net_price, commissioning) -> MoneyPerGpu:
    """Purchase price of a GPU after the discount, at the decision."""
    return sum_product(net_price, commissioning)


def equipment_value__once(equipment_price, bought_gpus, spare_equipment) -> Balance:
    """Equipment of the supply, at its price."""
    return equipment_price * bought_gpus + spare_equipment


def equipment_value__owned(resale_value, bought_gpus) -> Balance:
    """Equipment of the supply, at what it would fetch now."""
    return resale_value * bought_gpus


# when it is commissioned, and when it is paid


def commissioned__later(month, lead_time_months) -> Flag:
    """1 in the month at whose end the hardware is put into service."""
    return np.where(month == lead_time_months, 1, 0)


def in_service__later(month, lead_time_months) -> Flag:
    """1 in the months in which the hardware serves."""
    return np.where(month > lead_time_months, 1, 0)


def gpus__later(bought_gpus, in_service) -> Gpus:
    """GPUs in service."""
    return bought_gpus * in_service


def refreshed__refresh(commissioned_months, refresh_months, final) -> Flag:
    """1 in a month in which all cards are sold and new ones bought; never in the last."""
    return (
        np.where(modulo(commissioned_months, refresh_months) == 0, 1, 0)
        * np.where(commissioned_months > 0, 1, 0)
        * (1 - final)
    )


def commissioned_months__refresh(month, lead_time_months) -> Factor:
    """Months since the first cards were put into service."""
    return month - lead_time_months


def refresh_cost__refresh(refresh_price, bought_gpus) -> Balance:
    """Cost of the new cards of a refresh, all in."""
    return refresh_price * bought_gpus


def payment_through__payments(payment_before, payment_share, month, payment_month) -> Fraction:
    """Share of the price that is paid in the month, by this payment and those before it."""
    return payment_before + payment_share * np.where(month == payment_month, 1, 0)


def paid_on_order__payments(hardware_cost, paid_share) -> Money:
    """Payments of the month for what is ordered at the decision."""
    return hardware_cost * paid_share


def additions__once(hardware_cost, commissioned) -> Money:
    """Purchases of hardware, at the end of the month in which it is put into service."""
    return hardware_cost * commissioned


def additions__refresh(hardware_cost, commissioned, refresh_cost, refreshed) -> Money:
    """Purchases of hardware, at the end of the month in which it is put into service."""
    return hardware_cost * commissioned + refresh_cost * refreshed


def additions__cohorts(gpus_bought, unit_cost) -> Money:
    """Purchases of hardware, at the end of the month in which it is put into service."""
    return gpus_bought * unit_cost


def additions__cohorts_spares(gpus_bought, unit_cost, spare_cost, commissioning) -> Money:
    """Purchases of hardware, spares included, at the end of the month that puts it into service."""
    return gpus_bought * unit_cost + spare_cost * commissioning


def equipment_additions__once(equipment_value, commissioned) -> Money:
    """Equipment put into service at the end of the month, at its price."""
    return equipment_value * commissioned


def equipment_additions__refresh(equipment_value, commissioned, refresh_cost, refreshed) -> Money:
    """Equipment put into service at the end of the month, at its price."""
    return equipment_value * commissioned + refresh_cost * refreshed


def equipment_additions__cohorts(gpus_bought, equipment_price) -> Money:
    """Equipment put into service at the end of the month, at its price."""
    return gpus_bought * equipment_price


def equipment_additions__cohorts_spares(
    gpus_bought, equipment_price, spare_equipment, commissioning
) -> Money:
    """Equipment put into service at the end of the month, at its price, spares included."""
    return gpus_bought * equipment_price + spare_equipment * commissioning


def gpus_added__once(bought_gpus, commissioned) -> Gpus:
    """GPUs put into service at the end of the month."""
    return bought_gpus * commissioned


def gpus_added__refresh(bought_gpus, commissioned, refreshed) -> Gpus:
    """GPUs put into service at the end of the month."""
    return bought_gpus * (commissioned + refreshed)


def capex__payments(paid_on_order) -> Money:
    """Purchases of hardware in the month, as they are paid."""
    return paid_on_order


def capex__payments_refresh(paid_on_order, refresh_cost, refreshed) -> Money:
    """Purchases of hardware in the month, as they are paid."""
    return paid_on_order + refresh_cost * refreshed


def discounted_gpus_bought__cohorts(gpus_bought, discount_factor) -> Gpus:
    """GPUs bought over all months, discounted."""
    return sum_product(gpus_bought, discount_factor)


def price_over_first__changing(purchase_price, price) -> Factor:
    """Purchase price of the month over that at the decision."""
    return ratio(purchase_price, price)


def weighted_gpus_bought__changing(gpus_bought, price_over_first) -> Gpus:
    """GPUs bought in the month, at the price over that at the decision."""
    return gpus_bought * price_over_first


def discounted_gpus_bought__changing(weighted_gpus_bought, discount_factor) -> Gpus:
    """GPUs bought over all months at prices over that at the decision, discounted."""
    return sum_product(weighted_gpus_bought, discount_factor)


# value-added tax that is got back: cash, never a cost


def vat_of_purchase__once(
    untaxed_unit_cost, bought_gpus, spares, first_spare_unit_cost, purchase_vat_rate
) -> Balance:
    """Value-added tax on the purchase that is got back."""
    return (untaxed_unit_cost * bought_gpus + spares * first_spare_unit_cost) * purchase_vat_rate


def vat_paid__once(vat_of_purchase, paid_share) -> Money:
    """Value-added tax paid with the purchase."""
    return vat_of_purchase * paid_share


def vat_paid__cohorts(additions, purchase_vat_rate) -> Money:
    """Value-added tax paid with the purchase."""
    return additions * purchase_vat_rate


def vat_paid_to_date__back(vat_paid) -> Balance:
    """Value-added tax paid up to this month."""
    return cumulative(vat_paid)


def vat_refunded_to_date__back(vat_paid_to_date, month, refund_months, final) -> Balance:
    """Value-added tax got back up to this month; what is still due comes in the last."""
    return np.where(final > 0, vat_paid_to_date, lag(vat_paid_to_date, month, refund_months))


def vat_owed__back(vat_paid_to_date, vat_refunded_to_date) -> Balance:
    """Value-added tax that is still to be got back."""
    return vat_paid_to_date - vat_refunded_to_date


def vat_cost__back(vat_owed, previous_vat_owed) -> Money:
    """Value-added tax paid less what is got back in the month."""
    return vat_owed - previous_vat_owed


# hardware that is there already


def tax_month_of_sale__owned_taxed(tax_payment_month, commissioning) -> Month:
    """Month in which the tax on a sale at the decision would be settled."""
    return sum_product(tax_payment_month, commissioning)


def opportunity_cost__owned(
    equipment_value, sale_cost, commissioning, tax_rate, month, tax_month_of_sale
) -> Money:
    """Resale value given up by keeping the hardware, less what a sale costs and its tax.

    The book value of what is there already counts as 0: all of the price would be a gain.
    """
    return (
        equipment_value
        * (1 - sale_cost)
        * (commissioning - tax_rate * np.where(month == tax_month_of_sale, 1, 0))
    )


def opportunity_through__owned(opportunity_before, opportunity_cost) -> Money:
    """Resale value given up, this supply and those before it."""
    return opportunity_before + opportunity_cost
