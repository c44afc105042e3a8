"""The finance of an answer in sentences: present values at several rates, return, payback, ledgers.

Like the answer itself, every output prints these same texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tco.analysis.answer import month_name
from tco.analysis.figures import cell, exact, money, share
from tco.analysis.ownership import is_financed, last, owned
from tco.analysis.statement import Statement, by_fiscal_year
from tco.analysis.tables import Row, Table
from tco.engine.internal_rate import ONE, SEVERAL, InternalRate
from tco.engine.structure import BoundOption, BoundSupply
from tco.results import OK, Comparison, Result
from tco.scenario.schema import Own

MOST_STATEMENTS = 4
NOTHING = 1e-9  # of an amount, the tolerance of the model
# the columns of a statement by fiscal year
COLUMNS = (
    ("capex", "capex"),
    ("operating_cash_flow", "operating"),
    ("tax_cash_flow", "tax"),
    ("financing_cash_flow", "financing"),
    ("financing_tax_cash_flow", "its tax"),
    ("net_cash_flow", "net cash"),
    ("ebitda_effect", "EBITDA"),
    ("pretax_cost", "P&L cost"),
    ("pnl_cost", "P&L cost"),
)


@dataclass(frozen=True)
class Finance:
    """What finance asks first: ``texts`` are sentences, ``statements`` tables by fiscal year."""

    texts: tuple[str, ...] = ()
    statements: tuple[Table, ...] = ()


def finance(result: Result) -> Finance:
    """The finance of a result; empty where nothing is compared and nothing of it is given."""
    texts = tuple(dict.fromkeys(text for text in (instead(result), *_financing(result)) if text))
    if not is_financed(result):
        return Finance(texts)
    shown = [result.option(result.focus)] if result.focus else _without_focus(result)
    tables = [_by_year(result, by_fiscal_year(result, option.name)) for option in shown]
    return Finance(texts, tuple(tables))


def _without_focus(result: Result) -> list[BoundOption]:
    return result.model.complete[:MOST_STATEMENTS]


# this option instead of that one


def instead(result: Result) -> str | None:
    """The option that the answer is about instead of the baseline, in one sentence."""
    focus, base = result.focus, result.baseline
    if focus is None or base is None or focus == base or result.status[base] != OK:
        return None
    comparison = result.comparison(focus, base)
    parts = [
        f"NPV {_present_values(result, comparison)}",
        _return(result.internal_rates[comparison.pair.number]),
        _payback(result, comparison),
        *_funding(result, comparison),
    ]
    return f"{focus} instead of {base}: {'; '.join(parts)}"


def _present_values(result: Result, comparison: Comparison) -> str:
    """What is gained at no discount, at the given rate and at a higher one."""
    rate = result.model.inputs["discount_rate"].value
    gains = {0.0: comparison["final_saving"] or 0.0}
    gains[rate] = -(comparison["npv_difference"] or 0.0)
    higher = comparison.metrics.get("npv_difference_higher_rate")
    if higher is not None and higher.value is not None:
        gains[result.value("higher_discount_rate")] = -higher.value
    said, words = "", []
    for at, gain in sorted(gains.items()):
        gain = gain if abs(gain) >= LEAST else 0.0
        word = "worse" if gain < 0 else "better"
        amount = f"by {money(abs(gain), result.currency)} at {share(at)}"
        words.append(amount if word == said else f"{word} {amount}")
        said = word
    return ", ".join(words)


def _return(found: InternalRate) -> str:
    rates = " and ".join(map(_annual, found.annual))
    reason = f" ({found.reason})" if found.reason else ""
    if found.status == ONE:
        return f"IRR {rates} a year{reason}"
    sensible = [rate for rate in found.annual if rate > NEARLY_ALL_LOST]
    if len(sensible) == 1:
        return (
            f"IRR {share(sensible[0])} a year (another root, {_annual(found.annual[0])}, has no "
            "economic meaning)"
        )
    if found.status == SEVERAL:
        return f"several IRR, {rates} a year{reason}"
    return f"no IRR{reason}"


# what rounding leaves of a present value that is nothing
LEAST = 0.005
# a year that loses more is an artefact of late flows of another sign
NEARLY_ALL_LOST = -0.9


def _annual(rate: float) -> str:
    """A yearly rate; near a loss of everything its digits say nothing."""
    return share(rate) if rate > -0.9995 else "below -99.9 %"


def _payback(result: Result, comparison: Comparison) -> str:
    """Months of payback: in cash, discounted, and without what hardware is sold for."""
    first, lasting = (
        _reached(result, comparison, name)
        for name in ("break_even_month_first", "break_even_month")
    )
    if lasting == 0:
        return "ahead from the first day"
    text = f"payback {_month(lasting)}"
    if first and first != lasting:
        text = f"payback {_month(first)} at first, {_month(lasting)} for good"
    for word, name in (
        ("discounted", "discounted_payback_month"),
        ("without resale", "payback_month_without_resale"),
    ):
        if name in comparison.metrics:
            month = _reached(result, comparison, name)
            # what never comes in cash comes neither discounted nor without the sale
            if month is not None or lasting is not None:
                text += f", {word} {_month(month, short=lasting is not None)}"
    changes = comparison.metrics.get("payback_crossings")
    if changes is not None and changes.value is not None and changes.value > 1:
        text += f", the lead changes {exact(changes.value)} times"
    return text


def _reached(result: Result, comparison: Comparison, name: str) -> float | None:
    """A month of payback; None where it does not come."""
    month = comparison[name]
    return month if month is not None and month <= result.scenario.months else None


def _month(month: float | None, *, short: bool = False) -> str:
    if month is None:
        return "never"
    return exact(month) if short else f"month {exact(month)}"


def _funding(result: Result, comparison: Comparison) -> Iterator[str]:
    """The most cash that it takes beyond the baseline, tax and financing included."""
    need, month = (comparison.metrics.get(f"peak_funding_{word}") for word in ("need", "month"))
    if need is not None and month is not None and need.value is not None:
        if need.value <= 0:
            yield "no funding need"
            return
        yield f"peak funding need {money(need.value, result.currency)} in {_month(month.value)}"


# loans, leases and what hardware is sold for


def _financing(result: Result) -> Iterator[str]:
    """What is lent and sold, option by option."""
    for option, supply, given in owned(result):
        if option.name != result.focus and result.model.has_demand:
            continue
        assert option.scope is not None
        interest = sum(result.amounts(option.scope, "interest_cost") or [])
        if interest and given.financing is not None and given.financing.loan is not None:
            yield (
                f"{option.name}: {money(interest, result.currency)} of interest and fees over "
                f"{result.scenario.months} months; no NPV holds them, the discount rate stands for "
                "them"
            )
        yield from _sale(result, option, supply, given)


def _sale(result: Result, option: BoundOption, supply: BoundSupply, given: Own) -> Iterator[str]:
    """What hardware is sold for, beside what is then left of it in the books."""
    sold, written = last(result, supply, "net_resale"), last(result, supply, "disposed_value")
    lease = given.financing.lease if given.financing else None
    if not sold or (lease is not None and lease.buyout is None):
        return
    left = written if written is not None and abs(written) > abs(sold) * NOTHING else 0.0
    currency, loss = result.currency, left - sold
    outcome = f"a {'loss' if loss > 0 else 'gain'} of {money(abs(loss), currency)} in the P&L"
    yield (
        f"{option.name}: sold for {money(sold, currency)} in "
        f"{month_name(result, result.scenario.months)}; {money(left, currency)} is then left in "
        f"the books, which is no cash: {outcome}"
    )


# the statement by fiscal year


def _by_year(result: Result, statement: Statement) -> Table:
    """A statement with a row for each fiscal year and one for all of them."""
    rows = {name: statement.row(name) for name, _ in COLUMNS}
    if rows["pnl_cost"] is not None:
        rows["pretax_cost"] = None  # after tax where there is tax
    shown = [(row, head) for (name, head) in COLUMNS if (row := rows[name]) is not None]
    lines = [
        Row(period, cells=tuple(cell(row.amounts[place], 0) for row, _ in shown))
        for place, period in enumerate(statement.periods)
    ]
    if len(lines) > 1:
        lines.append(Row("all", cells=tuple(cell(sum(row.amounts), 0) for row, _ in shown)))
    notes = (
        "capex and P&L: a cost is positive; cash (operating, with capex; tax; financing and the "
        "tax it saves; net) and EBITDA: money in is positive",
    )
    return Table(statement.option, tuple(head for _, head in shown), tuple(lines), notes)
