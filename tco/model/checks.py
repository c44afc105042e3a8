"""Checks of the model on itself: each is 0 when it holds and 1 when it fails."""

from tco.engine.operations import at_most
from tco.units import Balance, Flag, Work


def parts_differ(parts_through, equivalent_monthly_cost, tolerance) -> Flag:
    """The parts of the equivalent monthly cost do not add up to it."""
    return 1 - at_most(parts_through, equivalent_monthly_cost, tolerance) * at_most(
        equivalent_monthly_cost, parts_through, tolerance
    )


def book_cost_and_value__books(total_book_cost, final_book_value) -> Balance:
    """Cost in the books and the book value that is left."""
    return total_book_cost + final_book_value


def books_differ_from_cash__books(book_cost_and_value, total_cost, tolerance) -> Flag:
    """Cost in the books and book value left do not add up to the cash paid."""
    return 1 - at_most(book_cost_and_value, total_cost, tolerance) * at_most(
        total_cost, book_cost_and_value, tolerance
    )


def served_and_unserved_work__demand(total_served_work, total_unserved_work) -> Work:
    """Output tokens served and unserved."""
    return total_served_work + total_unserved_work


def work_lost__demand(served_and_unserved_work, total_demanded_work, tolerance) -> Flag:
    """Output tokens served and unserved do not add up to those asked for."""
    return 1 - at_most(served_and_unserved_work, total_demanded_work, tolerance) * at_most(
        total_demanded_work, served_and_unserved_work, tolerance
    )
