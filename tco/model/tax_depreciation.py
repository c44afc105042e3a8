"""Depreciation for tax by tables of fiscal years: MACRS, a table of one's own, all at once.

What is put into service in a fiscal year has its share of the table in that year and each that
follows, posted at the close of the year (IRS Publication 946, Appendix A, tables A-1 to A-5; the
salvage value is ignored). A bonus is deducted in the year of service, the table holds for the rest.
In the year of disposal half of the year's share is left by the half-year convention, and by the
mid-quarter convention as much as lies before the middle of its quarter; the rest of the basis is
deducted with the sale.
"""

import numpy as np

from tco.engine.operations import shares_by_age, sum_product, year_to_date
from tco.units import Fraction, Money, Period


def year_share__half_year(final, half_year) -> Fraction:
    """Share of the year's deduction that is left: half in the year of disposal."""
    return 1 - final * (1 - half_year)


def quarter_of_year__quarters(fiscal_quarter, fiscal_year, quarters_per_year) -> Period:
    """Quarter of the fiscal year, counted from 0."""
    return fiscal_quarter - fiscal_year * quarters_per_year


def final_quarter__quarters(quarter_of_year, final) -> Period:
    """Quarter of the fiscal year of the last month."""
    return sum_product(quarter_of_year, final)


def year_share__quarters(final, final_quarter, half_year, quarters_per_year) -> Fraction:
    """Share of the year's deduction that is left: to the middle of the quarter of disposal."""
    return 1 - final * (1 - (final_quarter + half_year) / quarters_per_year)


def added_in_quarter__quarter(cost_added, quarter_of_year, quarter) -> Money:
    """Hardware put into service in this quarter of a fiscal year."""
    return cost_added * np.where(quarter_of_year == quarter, 1, 0)


def table_deduction_through__quarter(
    table_deduction_before, added_in_quarter, fiscal_year, tax_age, tax_share, month, months_kept
) -> Money:
    """Deduction by the table of this quarter and those before it."""
    return table_deduction_before + shares_by_age(
        added_in_quarter, fiscal_year, tax_age, tax_share, month, months_kept
    )


def table_deduction__years(
    cost_added, fiscal_year, tax_age, tax_share, month, months_kept
) -> Money:
    """Deduction by the table for all that stands: each year's additions at their age in years."""
    return shares_by_age(cost_added, fiscal_year, tax_age, tax_share, month, months_kept)


def new_table_deduction_through__quarter_refresh(
    new_table_deduction_before, added_in_quarter, fiscal_year, tax_age, tax_share, month
) -> Money:
    """Deduction by the table of this quarter and those before it, on what is bought this month."""
    return new_table_deduction_before + shares_by_age(
        added_in_quarter, fiscal_year, tax_age, tax_share, month, 0
    )


def new_table_deduction__years_refresh(cost_added, fiscal_year, tax_age, tax_share, month) -> Money:
    """Deduction by the table on what is bought this month."""
    return shares_by_age(cost_added, fiscal_year, tax_age, tax_share, month, 0)


def new_depreciation__refresh(
    new_table_deduction, table_share, year_share, bonus, cost_added, fiscal_year_close
) -> Money:
    """Depreciation for tax on what is bought in the month in which a fiscal year closes."""
    return (new_table_deduction * table_share * year_share + bonus * cost_added) * fiscal_year_close


def disposed_value__refresh(opening_book_value, depreciation, new_depreciation, disposing) -> Money:
    """Basis deducted because the hardware is sold or given up, not that of what replaces it."""
    return (opening_book_value - depreciation + new_depreciation) * disposing


def added_in_year__bonus(cost_added, fiscal_year) -> Money:
    """Hardware put into service in the fiscal year so far."""
    return year_to_date(cost_added, fiscal_year)


def added_in_year__bonus_refresh(
    cost_added, fiscal_year, this_year, whole_share, month, months_kept
) -> Money:
    """Hardware put into service in the fiscal year so far and not sold since."""
    return shares_by_age(cost_added, fiscal_year, this_year, whole_share, month, months_kept)


def bonus_deduction__bonus(bonus, added_in_year) -> Money:
    """Bonus on what was put into service in the fiscal year."""
    return bonus * added_in_year


def table_share__bonus(bonus) -> Fraction:
    """Share of the cost that the table holds for."""
    return 1 - bonus


def depreciation__years(
    table_deduction, table_share, year_share, bonus_deduction, fiscal_year_close
) -> Money:
    """Depreciation for tax, posted at the close of the fiscal year."""
    return (table_deduction * table_share * year_share + bonus_deduction) * fiscal_year_close
