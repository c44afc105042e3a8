"""A loan on the hardware: drawn with each purchase, paid back in even instalments.

The rate is nominal, a twelfth of it a month. During the grace only interest is paid; a balloon is
left to the last month of the loan. What is still owed in the last of all months is paid back from
the sale. The schedule is a row of shares by age for each unit of money that is drawn (``arrears``,
or ``advance`` with each payment at the beginning of its month).
"""

import numpy as np

from tco.engine.operations import annuity, backwards, over_cohorts, sum_product
from tco.units import Balance, Flag, Fraction, Money, MonthlyRate


def loan_monthly_rate(loan_rate, months_per_year) -> MonthlyRate:
    """Interest of a month: a twelfth of the nominal rate."""
    return loan_rate / months_per_year


def instalment_share__arrears(balloon, loan_monthly_rate, loan_months, grace_months) -> Fraction:
    """Instalment for each unit of money of the loan.

    (1 - B (1 + i)^-(n - g)) / a(i, n - g): 15,000 at 8 % over 60 months are paid back in
    instalments of 304.15; at 0 % it is 1 / n.
    """
    return (1 - balloon * (1 + loan_monthly_rate) ** (grace_months - loan_months)) / annuity(
        loan_monthly_rate, loan_months - grace_months
    )


def instalment_share__advance(balloon, loan_monthly_rate, loan_months, grace_months) -> Fraction:
    """Instalment for each unit of money of the loan, paid at the beginning of the month."""
    return (
        (1 - balloon * (1 + loan_monthly_rate) ** (grace_months - loan_months))
        / annuity(loan_monthly_rate, loan_months - grace_months)
        / (1 + loan_monthly_rate)
    )


def paying_back__arrears(month, grace_months, loan_months) -> Flag:
    """1 at the ages at which an instalment is paid."""
    return np.where(month > grace_months, 1, 0) * np.where(month <= loan_months, 1, 0)


def paying_back__advance(month, grace_months, loan_months) -> Flag:
    """1 at the ages at which an instalment is paid."""
    return np.where(month >= grace_months, 1, 0) * np.where(month < loan_months, 1, 0)


def opening_loan_share(previous_loan_share_left) -> Fraction:
    """Share of the loan that is owed at the beginning of the month."""
    return previous_loan_share_left


def interest_share(opening_loan_share, loan_monthly_rate) -> Fraction:
    """Interest for each unit of money of the loan."""
    return opening_loan_share * loan_monthly_rate


def principal_share(
    instalment_share, interest_share, paying_back, balloon, month, loan_months
) -> Fraction:
    """Part of the loan that is paid back at this age; the balloon with the last."""
    return (instalment_share - interest_share) * paying_back + balloon * np.where(
        month == loan_months, 1, 0
    )


def loan_share_left(commissioning, opening_loan_share, principal_share) -> Fraction:
    """Share of the loan that is owed at the end of the month."""
    return commissioning + opening_loan_share - principal_share


def backward_principal_share(principal_share, month, operating_months) -> Fraction:
    """Part of the loan that is paid back by age, the row turned round."""
    return backwards(principal_share, month, operating_months)


def loan_drawn(capex, loan_share) -> Money:
    """Loan drawn in the month, with the purchases."""
    return capex * loan_share


def loan_fee_paid(loan_drawn, loan_fee) -> Money:
    """Fee on what is drawn."""
    return loan_drawn * loan_fee


def scheduled_principal(loan_drawn, backward_principal_share, month, operating_months) -> Money:
    """Paid back in the month by the schedule."""
    return over_cohorts(loan_drawn, backward_principal_share, month, operating_months)


def opening_loan(previous_loan_balance) -> Balance:
    """Loan owed at the beginning of the month."""
    return previous_loan_balance


def loan_interest(opening_loan, loan_monthly_rate) -> Money:
    """Interest of the month."""
    return opening_loan * loan_monthly_rate


def loan_principal(scheduled_principal, opening_loan, loan_drawn, final) -> Money:
    """Paid back in the month; in the last, all that is owed."""
    return np.where(final > 0, opening_loan + loan_drawn, scheduled_principal)


def loan_balance(opening_loan, loan_drawn, loan_principal) -> Balance:
    """Loan owed at the end of the month: opening + drawn - paid back."""
    return opening_loan + loan_drawn - loan_principal


def finance_cost(loan_interest, loan_fee_paid) -> Money:
    """Interest and fee of the month."""
    return loan_interest + loan_fee_paid


def financing_cash_flow(loan_drawn, loan_principal, finance_cost) -> Money:
    """Loan drawn less what is paid for it; money in is positive."""
    return loan_drawn - loan_principal - finance_cost


def loan_discount_factor(loan_monthly_rate, month) -> Fraction:
    """Present value of one unit of money at the rate of the loan."""
    return (1 + loan_monthly_rate) ** (-month)


def service_cash_flow(financing_cash_flow, loan_fee_paid) -> Money:
    """Loan drawn less interest and what is paid back; money in is positive."""
    return financing_cash_flow + loan_fee_paid


def loan_present_value(service_cash_flow, loan_discount_factor) -> Balance:
    """Worth of the loan at its own rate, the fee apart: 0 for every loan."""
    return sum_product(service_cash_flow, loan_discount_factor)
