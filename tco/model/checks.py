"""Checks of the model on itself: each is 0 when it holds and 1 when it fails."""

from tco.engine.operations import at_most, highest, sum_product, total
from tco.units import Balance, Flag, Money, MoneyPerMonth, Work


def parts_differ(parts_with_tax, equivalent_monthly_cost, tolerance) -> Flag:
    """The parts of the equivalent monthly cost do not add up to it."""
    return 1 - at_most(parts_with_tax, equivalent_monthly_cost, tolerance) * at_most(
        equivalent_monthly_cost, parts_with_tax, tolerance
    )


def parts_with_tax(
    parts_through, equivalent_tax_cost, equivalent_opportunity_cost
) -> MoneyPerMonth:
    """Equivalent monthly cost added up from its parts, tax and what is given up included."""
    return parts_through + equivalent_tax_cost + equivalent_opportunity_cost


def untaxed_cash_flow__books(operating_cash_flow, financing_cash_flow) -> Money:
    """Cash of the month before tax; money in is positive."""
    return operating_cash_flow + financing_cash_flow


def total_untaxed_outlay__books(untaxed_cash_flow) -> Balance:
    """Cash paid over all months before tax."""
    return -total(untaxed_cash_flow)


def books_differ_from_cash__books(total_pretax_cost, total_untaxed_outlay, tolerance) -> Flag:
    """Cost in the books before tax does not come to the cash paid before tax."""
    return 1 - at_most(total_pretax_cost, total_untaxed_outlay, tolerance) * at_most(
        total_untaxed_outlay, total_pretax_cost, tolerance
    )


def cash_decided__ledgers(operating_cash_flow, tax_cash_flow, opportunity_cost) -> Money:
    """Cost of the month by the ledgers of operation and tax, and what is given up."""
    return opportunity_cost - operating_cash_flow - tax_cash_flow


def total_cash_decided__ledgers(cash_decided) -> Balance:
    """Cost over all months by the ledgers of operation and tax, and what is given up."""
    return total(cash_decided)


def ledgers_differ__ledgers(total_cash_decided, total_cost, tolerance) -> Flag:
    """The ledgers of operation and tax do not come to the cost that is decided on."""
    return 1 - at_most(total_cash_decided, total_cost, tolerance) * at_most(
        total_cost, total_cash_decided, tolerance
    )


# of one supply


def largest_book_value__supply(book_value) -> Balance:
    """Largest book value of any month."""
    return highest(book_value)


def left_in_books__supply(book_value, final) -> Balance:
    """Book value after the last month."""
    return sum_product(book_value, final)


def book_value_left__supply(left_in_books, largest_book_value, tolerance) -> Flag:
    """Book value is left after the last month."""
    return 1 - at_most(left_in_books, largest_book_value * tolerance, tolerance)


def total_loan_drawn__loan(loan_drawn) -> Balance:
    """Loan drawn over all months."""
    return total(loan_drawn)


def total_loan_principal__loan(loan_principal) -> Balance:
    """Loan paid back over all months."""
    return total(loan_principal)


def loan_not_repaid__loan(total_loan_drawn, total_loan_principal, tolerance) -> Flag:
    """What is paid back of the loan is not what was drawn."""
    return 1 - at_most(total_loan_drawn, total_loan_principal, tolerance) * at_most(
        total_loan_principal, total_loan_drawn, tolerance
    )


def loan_drawn_and_worth__loan(loan_present_value, total_loan_drawn) -> Balance:
    """Loan drawn over all months, and its worth at its own rate."""
    return total_loan_drawn + loan_present_value


def loan_not_worth_its_price__loan(loan_drawn_and_worth, total_loan_drawn, tolerance) -> Flag:
    """The loan has a worth at its own rate."""
    return 1 - at_most(loan_drawn_and_worth, total_loan_drawn, tolerance) * at_most(
        total_loan_drawn, loan_drawn_and_worth, tolerance
    )


def owed_after_all__lease(lease_liability, final) -> Balance:
    """Owed by the lease after the last month."""
    return sum_product(lease_liability, final)


def lease_not_paid__lease(owed_after_all, right_of_use, tolerance) -> Flag:
    """Something is owed by the lease after the last month."""
    return 1 - at_most(owed_after_all + right_of_use, right_of_use, tolerance)


def served_and_unserved_work__demand(total_served_work, total_unserved_work) -> Work:
    """Output tokens served and unserved."""
    return total_served_work + total_unserved_work


def work_lost__demand(served_and_unserved_work, total_demanded_work, tolerance) -> Flag:
    """Output tokens served and unserved do not add up to those asked for."""
    return 1 - at_most(served_and_unserved_work, total_demanded_work, tolerance) * at_most(
        total_demanded_work, served_and_unserved_work, tolerance
    )
