"""Amounts quoted in another currency, brought to the reporting currency.

An exchange rate is in units of the other currency for one unit of the reporting currency.
"""

from tco.units import (
    Money,
    MoneyPerGigabyte,
    MoneyPerGigabyteMonth,
    MoneyPerGpu,
    MoneyPerGpuHour,
    MoneyPerGpuYear,
    MoneyPerKilowattHour,
    MoneyPerKilowattMonth,
    MoneyPerMonth,
    MoneyPerStaffHour,
    MoneyPerVolume,
    MoneyPerYear,
)


def gpu_price(quoted, exchange_rate) -> MoneyPerGpu:
    """Amount per GPU in the reporting currency."""
    return quoted / exchange_rate


def gpu_hour_price(quoted, exchange_rate) -> MoneyPerGpuHour:
    """Price of a GPU-hour in the reporting currency."""
    return quoted / exchange_rate


def volume_price(quoted, exchange_rate) -> MoneyPerVolume:
    """Price of a unit of volume in the reporting currency."""
    return quoted / exchange_rate


def billed_volume_price__reporting(quoted, billing_rate) -> MoneyPerVolume:
    """Price of a unit of volume as the seller bills its list price."""
    return quoted * billing_rate


def billed_volume_price__foreign(quoted, billing_rate, exchange_rate) -> MoneyPerVolume:
    """Price of a unit of volume as the seller bills its list price, in the reporting currency."""
    return quoted * billing_rate / exchange_rate


def gigabyte_month_price(quoted, exchange_rate) -> MoneyPerGigabyteMonth:
    """Price of a gigabyte for a month in the reporting currency."""
    return quoted / exchange_rate


def gigabyte_price(quoted, exchange_rate) -> MoneyPerGigabyte:
    """Price of a gigabyte in the reporting currency."""
    return quoted / exchange_rate


def kilowatt_hour_price(quoted, exchange_rate) -> MoneyPerKilowattHour:
    """Price of a kilowatt-hour in the reporting currency."""
    return quoted / exchange_rate


def staff_hour_cost(quoted, exchange_rate) -> MoneyPerStaffHour:
    """Cost of an hour of work in the reporting currency."""
    return quoted / exchange_rate


def amount(quoted, exchange_rate) -> Money:
    """Amount in the reporting currency."""
    return quoted / exchange_rate


def amount_per_month(quoted, exchange_rate) -> MoneyPerMonth:
    """Amount a month in the reporting currency."""
    return quoted / exchange_rate


def amount_per_year(quoted, exchange_rate) -> MoneyPerYear:
    """Amount a year in the reporting currency."""
    return quoted / exchange_rate


def gpu_year_price(quoted, exchange_rate) -> MoneyPerGpuYear:
    """Price of a GPU for a year in the reporting currency."""
    return quoted / exchange_rate


def kilowatt_month_price(quoted, exchange_rate) -> MoneyPerKilowattMonth:
    """Price of a kilowatt for a month in the reporting currency."""
    return quoted / exchange_rate
