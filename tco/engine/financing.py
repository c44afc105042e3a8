"""Binds who pays for the purchase: a lender or a lessor."""

from __future__ import annotations

from tco.engine.owned import Owned
from tco.engine.structure import functions_of
from tco.engine.writing_off import functions_of_only
from tco.model import checks, lease, loan, own
from tco.scenario.finance import Lease, Loan

ALL_OF_IT = (1.0, "not given: all of it")
OF_LOAN = (
    "total_loan_drawn",
    "total_loan_principal",
    "loan_not_repaid",
    "loan_drawn_and_worth",
    "loan_not_worth_its_price",
)
OF_LEASE = ("owed_after_all", "lease_not_paid")


def bind_financing(owned: Owned) -> None:
    """A loan or a lease on the purchases of a supply."""
    financing = owned.given.financing
    if financing is None or owned.buys_nothing:
        return
    if financing.loan is not None:
        _loan(owned, financing.loan)
    elif financing.lease is not None:
        _lease(owned, financing.lease)
    through = (
        "financing_cash_flow_through",
        "financing_deduction_through",
        "finance_cost_through",
    )
    owned.add(functions_of_only(own, through, "financed"))


def _loan(owned: Owned, given: Loan) -> None:
    path = given.path
    owned.take("loan_share", given.share, f"{path}.share", default=ALL_OF_IT)
    owned.take("loan_rate", given.rate, f"{path}.rate")
    owned.take("loan_months", given.months, f"{path}.months")
    owned.take_or(0, "loan_fee", given.fee, f"{path}.fee")
    owned.take_or(0, "grace_months", given.grace_months, f"{path}.grace_months")
    owned.take_or(0, "balloon", given.balloon, f"{path}.balloon")
    # tax deducts interest and fee as they are paid
    owned.scope.aliases["financing_deduction"] = owned.scope.line("finance_cost")
    owned.add(functions_of(loan, given.paid))
    owned.add(functions_of_only(checks, OF_LOAN, "loan"))


def _lease(owned: Owned, given: Lease) -> None:
    scope, path = owned.scope, given.path
    owned.take("lease_payment", given.payment, f"{path}.payment")
    owned.take("lease_months", given.months, f"{path}.months")
    owned.take("lease_rate", given.rate, f"{path}.rate")
    variants: list[str] = [given.paid]
    if given.buyout is not None:
        variants.append("kept")
        owned.take("buyout", given.buyout, f"{path}.buyout")
        scope.aliases.update(resale_forgone=0, resale_kept=owned.found("net_resale"))
    else:
        variants.append("returned")
        scope.aliases.update(buyout_due=0, buyout_at_start=0, resale_kept=0)
        scope.aliases["resale_forgone"] = owned.found("net_resale")
    if given.residual_rate is not None and given.buyout is None:
        variants.append("risky")
        owned.take("residual_rate", given.residual_rate, f"{path}.residual_rate")
    else:
        scope.aliases["residual_monthly_rate"] = scope.line("after_tax_borrowing_rate")
    if owned.gpus.taker.is_taxed_elsewhere:
        variants.append("taxed")
    else:
        scope.aliases["lease_tax_difference"] = 0
    owned.add(functions_of(lease, *variants))
    owned.add(functions_of_only(checks, OF_LEASE, "lease"))
