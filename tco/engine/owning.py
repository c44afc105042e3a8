"""Binds an owned supply: purchase, power, place, upkeep, books, financing, what it comes to.

What a scenario does not give is bound as 0 or 1 and leaves no line behind (`tco.engine.settling`).
"""

from __future__ import annotations

from tco.engine.buying import bind_purchase
from tco.engine.financing import bind_financing
from tco.engine.gpus import Gpus
from tco.engine.owned import Owned
from tco.engine.running import bind_power, bind_residual, bind_site, bind_upkeep
from tco.engine.settling import settle
from tco.engine.structure import functions_of
from tco.engine.writing_off import bind_books
from tco.model import own
from tco.scenario.schema import Own

# what stays a line, whatever it comes to: what a reader looks for
KEPT = (
    "hardware_cost",
    "capex",
    "capex_through",
    "cash_cost",
    "expense",
    "depreciation",
    "depreciation_through",
    "opening_book_value",
    "disposed_value",
    "book_value",
    "equivalent_hardware_cost",
    "equivalent_electricity_cost",
    "equivalent_parts",
    "opening_loan",
    "loan_drawn",
    "loan_interest",
    "loan_principal",
    "loan_balance",
    "opening_liability",
    "finance_cost",
    "lease_liability",
    "financing_cash_flow",
)


def bind_owned(gpus: Gpus) -> bool:
    """All lines of an owned supply; returns whether its purchase is a price and nothing else."""
    assert isinstance(gpus.given, Own)
    owned = Owned(gpus, gpus.given)
    bind_purchase(owned)
    bind_power(owned)
    bind_site(owned)
    bind_upkeep(owned)
    bind_residual(owned)
    bind_financing(owned)
    bind_books(owned)
    _add_up(owned)
    _leave_out(owned)
    settle(owned.scope, owned.functions, KEPT)
    return owned.plain and gpus.taker.scenario.tax is None and owned.lease is None


def _add_up(owned: Owned) -> None:
    """Cash, expense, and what the option adds up."""
    found = functions_of(own)
    if owned.lease is not None and owned.lease.buyout is None:
        owned.scope.aliases["disposal_loss"] = owned.scope.line("disposed_value")
        del found["disposal_loss"]
    if owned.buys_nothing:
        for name in ("capex_through", "depreciation_through", "equivalent_hardware_cost"):
            del found[name]
        owned.scope.aliases["equivalent_hardware_cost"] = 0
    owned.add(found)


def _leave_out(owned: Owned) -> None:
    """Lines that nothing reads: the worth of equipment where nobody insures, maintains or sells."""
    needed = {"maintained_value", "insured_value", "resale_worth", "opportunity_cost"}
    if not needed & set(owned.functions):
        for name in ("equipment_price", "equipment_value", "equipment_additions",
                     "spare_equipment", "first_net_price"):  # fmt: skip
            owned.functions.pop(name, None)
    if not owned.is_cohorts:
        owned.functions.pop("equipment_additions", None)
    if "failing_gpus" not in owned.functions or not owned.is_cohorts:
        owned.functions.pop("gpus_added", None)
    if owned.given.refresh is None:
        for name in ("commissioned_months", "refreshed", "refresh_cost"):
            owned.functions.pop(name, None)
