"""What a reader should be warned of: values that nothing reads, terms that cannot be, signs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import PurePath

from tco.analysis.answer import given_text
from tco.analysis.figures import exact, money, share, significant
from tco.analysis.ownership import last, owned, said
from tco.analysis.staleness import no_offers, stale_prices
from tco.engine.missing import input_tokens, output_tokens, points_of
from tco.engine.structure import BoundSupply
from tco.prices.list_prices import retirement
from tco.results import OK, Result
from tco.scenario.finance import MACRS, PricePath
from tco.scenario.schema import Api, Own, Quantity, Rent
from tco.scenario.throughput import input_per_output

# the price of the makers' list for each price of a scenario
PRICES_OF_LIST = {
    "output_price": "output_price",
    "input_price": "input_price",
    "cache_read_price": "cache_read_price",
    "cache_write_price": "cache_write_price",
    "cache_write_1h_price": "cache_write_hour_price",
}
# of a year's purchases, beyond which the law of the United States wants them taken by quarter
FOURTH_QUARTER = 0.4


def warnings(result: Result) -> Iterator[str]:
    """What a reader should be warned of, each once, with values that nothing reads last."""
    yield from dict.fromkeys(_warnings(result))


def _warnings(result: Result) -> Iterator[str]:
    """Terms that cannot be or are easily misread, and values that nothing reads.

    The file is named without its folder, so that outputs are the same wherever it lies. What an
    option that is not costed would read is no reason to warn.
    """
    file = PurePath(result.scenario.path).name
    if result.scenario.months < 12:
        for cost in result.scenario.other_costs:
            if cost.per == "year":
                yield (
                    f"{cost.name} falls due in month 12: never within {result.scenario.months} "
                    "months"
                )
    yield from _timing(result)
    yield from _quotes(result)
    yield from _ownership(result)
    yield from _never_reached(result)
    yield from _law(result)
    yield from _fourth_quarters(result)
    yield from _deductions(result)
    yield from _terms_of_rent(result)
    yield from _list_prices(result)
    yield from _retired(result)
    yield from (found.warning for found in no_offers(result))
    yield from stale_prices(result)
    yield from _other_mixes(result)
    for quantity in result.model.unread():
        place = f"{file}, line {quantity.line}" if quantity.line else "set on the command line"
        yield f"{place}: {quantity.path} is given and no option reads it"


def _timing(result: Result) -> Iterator[str]:
    """A present value whose sign hangs on when in a year the cash is taken to flow."""
    focus, base = result.focus, result.baseline
    if focus is None or base is None or focus == base or result.status[base] != OK:
        return
    comparison = result.comparison(focus, base)
    now = comparison["npv_difference"] or 0.0
    if result.scenario.cash_timing == "year-end":
        what = "with cash at month ends"
        then = _at_month_ends(result, focus) - _at_month_ends(result, base)
    else:
        what = "with cash at year ends"
        (then, *_) = result.amounts(comparison.pair.scope, "npv_difference_year_end") or (now,)
    if now * then < 0:
        yield (
            f"the timing of cash decides: {what} {focus} is {_dearer(result, then)} than {base}, "
            f"here it is {_dearer(result, now)}"
        )


def _at_month_ends(result: Result, option: str) -> float:
    """Net present value of the cost with the cash of each month at its end."""
    factor = 1 + result.value("monthly_discount_rate")
    scope = result.option(option).scope
    costs = (result.amounts(scope, "cash_cost") if scope else None) or []
    return sum(cost * factor**-month for month, cost in enumerate(costs))


def _dearer(result: Result, difference: float) -> str:
    word = "dearer" if difference > 0 else "cheaper"
    return f"{word} by {money(abs(difference), result.currency)}"


def _never_reached(result: Result) -> Iterator[str]:
    """What is given for months that never come, or for lines that are not there."""
    months = result.scenario.months
    for option, supply, given in owned(result):
        first = given.quote.lead_time_months if given.quote else None
        refresh = given.refresh
        if refresh is not None:
            after = refresh.after_months.value + (first.value if first is not None else 0)
            if after >= months:
                yield (
                    f"{option.name}: its cards would be replaced in month {exact(after)}, which "
                    f"does not come before the end in month {months}: nothing is replaced"
                )
        yield from _odd_values(result, option.name, supply, given)
        yield from _unread_words(option.name, given)
    for path in _paths(result):
        late = [step for step in path.steps or () if step.month.value > months]
        if late:
            yield (
                f"{late[0].path}: month {exact(late[0].month.value)} is after the last, "
                f"{months}: the step never comes"
            )
    money_lines = {
        line.short_name
        for line in result.model.graph.lines.values()
        if result.model.graph.shapes[line.name] == "months"
    }
    for line in result.scenario.accounts:
        if line not in money_lines:
            yield f"accounts.{line}: no option has such a line: no month goes to that account"


def _unread_words(option: str, given: Own) -> Iterator[str]:
    """Blocks of a supply that have no meaning beside others."""
    leased = given.financing is not None and given.financing.lease is not None
    if given.already_owned is not None and given.refresh is None:
        for word in ("depreciation", "tax_depreciation", "purchase"):
            if getattr(given, word) is not None:
                yield (
                    f"{given.path}.{word} is not read: nothing is bought for {option}, and its "
                    "book value counts as 0"
                )
    elif leased and given.depreciation is not None:
        yield (
            f"{given.path}.depreciation is not read: the right of use of {option} is written off "
            "evenly over its lease"
        )


def _law(result: Result) -> Iterator[str]:
    """Tax law that changes with the day, or holds in one country."""
    tax, start = result.scenario.tax, result.scenario.start
    if tax is None:
        return
    for option, supply, given in owned(result):
        rule = said(result, given, "tax_depreciation") or tax.depreciation
        if rule is None:
            continue
        if rule.method in MACRS and result.currency != "USD":
            yield f"{option.name}: MACRS is the law of the United States, and amounts are in " + (
                f"{result.currency}"
            )
        bonus = rule.bonus
        if bonus is not None and bonus.value > 0.6 and start is not None and start < "2025-02":
            yield (
                f"{option.name}: a bonus of {bonus.text} holds for what is acquired after "
                "2025-01-19: check that of the day"
            )
        if rule.method.startswith("china-") and result.scenario.fiscal_year_end != 12:
            yield f"{option.name}: the tax year of China is the calendar year (Art. 53)"
        if rule.method == "china-one-off" and start is not None:
            year, first = (int(part) for part in start.split("-"))
            added = result.amounts(supply.scope, "additions") or []
            left = (2027 - year) * 12 + 12 - first + 1  # months up to 2027-12
            if any(amount > 0 for amount in added[left + 1 :]):
                yield (
                    f"{option.name}: the one-off deduction is for what is bought up to 2027-12; "
                    "what it buys later is deducted so too"
                )


def _odd_values(result: Result, option: str, supply: BoundSupply, given: Own) -> Iterator[str]:
    """Values of used hardware, and of contracted power, that are hard to believe."""
    residual = said(result, given, "residual_value")
    shares = [age.share.value for age in residual.by_age or ()] if residual is not None else []
    if any(later > earlier for earlier, later in pairwise(shares)):
        yield f"{option}: its residual value rises with age: check {residual.path}.by_age"
    value = result.amounts(supply.scope, "resale")
    cost = result.amounts(supply.scope, "hardware_cost")
    if value and cost and cost[0] and max(value) > cost[0] * (1 + 1e-9):
        yield (
            f"{option}: it is sold for {money(max(value), result.currency)}, more than the "
            f"{money(cost[0], result.currency)} that it cost: check {residual.path}"
        )
    contracted = result.amounts(supply.scope, "contracted_kw") or []
    power = result.amounts(supply.scope, "it_power_kw") or []
    if contracted and power and max(power) > max(contracted) * (1 + 1e-9):
        yield (
            f"{option}: {significant(max(contracted))} kW are contracted, and its cards draw "
            f"{significant(max(power))} kW: contract what they draw at least"
        )


def _paths(result: Result) -> Iterator[PricePath]:
    """Every path of a price that options read."""
    site = result.scenario.site
    given = [site.electricity_price_path if site is not None else None]
    for option in result.model.complete:
        for supply in option.supplies:
            for word in ("price_path", "electricity_price_path"):
                given.append(getattr(supply.given, word, None))
    yield from (path for path in given if path is not None)


def _quotes(result: Result) -> Iterator[str]:
    """Quotes that have expired by the day of the scenario."""
    day = result.scenario.as_of or (result.scenario.start and f"{result.scenario.start}-01")
    for option, _, given in owned(result):
        until = given.quote.valid_until if given.quote else None
        if day is not None and until is not None and day > until:
            yield (
                f"{option.name}: its quote was valid until {until} and has expired by {day}: ask "
                "for a new one"
            )


def _ownership(result: Result) -> Iterator[str]:
    """Terms of owned hardware that are easily taken for what they are not."""
    last_month = result.scenario.months
    for option, supply, given in owned(result):
        salvage = said(result, given, "salvage")
        if salvage is not None and salvage.value and said(result, given, "residual_value") is None:
            yield (
                f"{option.name}: its salvage value is a value in the books and no cash; what the "
                "hardware sells for is residual_value, not given, so 0"
            )
        failures = said(result, given, "failures")
        if failures is not None and failures.events is not None:
            yield (
                f"{option.name}: events that were counted are interruptions, of which many need no "
                "new card; each is counted as a replacement here"
            )
        financing = given.financing
        loan = financing.loan if financing else None
        paid = last(result, supply, "loan_principal")
        rest = "" if paid is None else f", {money(paid, result.currency)} in all,"
        due = last(result, supply, "scheduled_principal") or 0.0
        left = (paid or 0.0) - due
        in_time = loan is not None and loan.months.value <= last_month
        if in_time and left > max(paid or 0.0, 1.0) * 1e-9:
            yield (
                f"{option.name}: what was drawn of its loan after month 0 is not paid back by "
                f"month {last_month}: the {money(left, result.currency)} that are left are paid "
                "back in that month"
            )
        if loan is not None and loan.months.value > last_month:
            yield (
                f"{option.name}: its loan of {exact(loan.months.value)} months goes on after month "
                f"{last_month}: what is owed then{rest} is paid back in that month"
            )
        lease = financing.lease if financing else None
        if lease is not None and lease.buyout is not None and result.scenario.tax is not None:
            yield (
                f"{option.name}: the payments of its lease and the {lease.buyout.text} that keep "
                "the hardware are deducted as they are paid; where the price is nominal, tax law "
                "may take the lease for a purchase on credit"
            )
        if lease is not None and lease.months.value > last_month:
            paid = last(result, supply, "lease_paid")
            rest = "" if paid is None else f", {money(paid, result.currency)} in all,"
            yield (
                f"{option.name}: its lease of {exact(lease.months.value)} months goes on after "
                f"month {last_month}: what is owed then{rest} is settled in that month"
            )


def _fourth_quarters(result: Result) -> Iterator[str]:
    """MACRS by the convention that the purchases of a fiscal year do not allow."""
    for option, supply, given in owned(result):
        method = _tax_method(result, given)
        added = result.amounts(supply.scope, "cost_added")
        if method not in MACRS or added is None:
            continue
        whole: dict[str, float] = {}
        late: dict[str, float] = {}
        for (year, quarter), amount in zip(result.fiscal_periods, added, strict=True):
            whole[year] = whole.get(year, 0.0) + amount
            late[year] = late.get(year, 0.0) + (amount if quarter.endswith("Q4") else 0.0)
        shares = {year: late[year] / whole[year] for year in whole if whole[year]}
        over = {year: found for year, found in shares.items() if found > FOURTH_QUARTER}
        if method == "macrs" and over:
            yield _convention(option.name, "more", over, "mid-quarter", "macrs-mid-quarter")
        elif method == "macrs-mid-quarter" and shares and not over:
            yield _convention(option.name, "not more", shares, "half-year", "macrs")


def _convention(
    option: str, word: str, shares: Mapping[str, float], convention: str, method: str
) -> str:
    years = ", ".join(f"{year} {share(found)}" for year, found in shares.items())
    return (
        f"{option}: {word} than {share(FOURTH_QUARTER)} of its purchases of a fiscal year fall in "
        f"the fourth quarter ({years}): the {convention} convention is due, method: {method}"
    )


def _tax_method(result: Result, given: Own) -> str | None:
    """How hardware is deducted for tax; None without tax."""
    tax = result.scenario.tax
    if tax is None:
        return None
    found = said(result, given, "tax_depreciation") or tax.depreciation
    return found.method if found is not None else "book"


def _deductions(result: Result) -> Iterator[str]:
    """Costs that find no profit to be set against."""
    tax = result.scenario.tax
    if tax is None or tax.losses == "elsewhere" or not tax.rate.value:
        return
    for option in result.model.complete:
        assert option.scope is not None
        costs = result.amounts(option.scope, "taxable_cost_of_year") or []
        incomes = result.amounts(option.scope, "taxable_income") or []
        left = result.amounts(option.scope, "losses_carried") or [0.0]
        deducted = sum(cost for cost in costs if cost > 0)
        lost = left[-1] if tax.losses == "carried" else -sum(x for x in incomes if x < 0)
        if lost > max(deducted, 1.0) * 1e-9:
            where = (
                f"are carried on after month {result.scenario.months}"
                if tax.losses == "carried"
                else "are lost"
            )
            profit = "no profit is given, tax.profit_per_year"
            if tax.profit_per_year is not None and tax.profit_per_year.value:
                given = given_text(tax.profit_per_year, result.currency)
                profit = f"a profit of {given} a year is too small"
            yield (
                f"{option.name}: {money(lost, result.currency)} of "
                f"{money(deducted, result.currency)} of deductions find no profit and {where}: "
                f"{profit}"
            )


def _list_prices(result: Result) -> Iterator[str]:
    """Prices of a named provider that are not its list prices, and models it no longer serves."""
    for option in result.model.options:
        for given in result.scenario.options[option.name].supplies:
            if not isinstance(given, Api) or (given.provider is None and given.price is None):
                continue
            # the list is large: it is read only where a provider is named
            from tco.prices.list_prices import ListPrice, differences, list_price

            listed = list_price(given.provider, given.api, result.scenario.as_of)
            if not isinstance(listed, ListPrice):
                continue
            quoted = {
                listed_as: value
                for name, listed_as in PRICES_OF_LIST.items()
                if (value := _in_usd(result, getattr(given, name))) is not None
            }
            for difference in differences(quoted, listed):
                yield f"{option.name}: {difference}"


def _terms_of_rent(result: Result) -> Iterator[str]:
    """Terms of rented cards that cannot be, or that go on after the last month."""
    for option in result.model.complete:
        for supply in option.supplies:
            given, scope = supply.given, supply.scope
            if not isinstance(given, Rent):
                continue
            months = result.scenario.months
            if given.reserved is not None and given.reserved.term_months.value > months:
                yield (
                    f"{option.name}: its term of {exact(given.reserved.term_months.value)} months "
                    f"goes on after month {months}; what is owed then is not counted"
                )
            if given.sessions is not None:
                billed = result.months(scope.line("billed_gpu_hours"))
                gpus, hours = scope.find("gpus"), result.months("hours")
                assert isinstance(gpus, str)
                inputs = result.model.inputs
                held = [inputs[gpus].value] * len(hours) if gpus in inputs else result.months(gpus)
                month = next(
                    (m for m, b in enumerate(billed) if b > held[m] * hours[m] * (1 + 1e-9)), None
                )
                if month is not None:
                    paid, there = (
                        significant(billed[month]),
                        significant(held[month] * hours[month]),
                    )
                    yield (
                        f"{option.name}: its sessions bill {paid} GPU-hours in month {month}, and "
                        f"its cards have {there}: fewer sessions, or more cards"
                    )


def _retired(result: Result) -> Iterator[str]:
    """Models that their maker does not serve, or will not to the last month."""
    scenario = result.scenario
    if scenario.as_of is None and scenario.start is None:
        return  # without a date nobody is late
    found: dict[str, list[str]] = {}
    for name, option in scenario.options.items():
        for given in option.supplies:
            known = retirement(given.api, None) if isinstance(given, Api) else None
            if known is not None:
                assert isinstance(given, Api)
                found.setdefault(f"{given.api} of {known.provider} is {known}", []).append(name)
    for fate, names in found.items():
        yield f"{', '.join(names)}: {fate}"


def _in_usd(result: Result, quantity: Quantity | None) -> float | None:
    """A price in USD for a million tokens; None where it is not given or not in dollars."""
    if quantity is None or (quantity.currency or result.currency) != "USD":
        return None
    return quantity.value


def _other_mixes(result: Result) -> Iterator[str]:
    """Throughput measured at another mix of input and output than the workload's."""
    demand = result.scenario.demand
    if demand is None or demand.kind != "tokens":
        return
    read, written = input_tokens(result.scenario), output_tokens(result.scenario)
    if not written:
        return
    said = set()
    for option in result.model.complete:
        for supply in option.supplies:
            if isinstance(supply.given, Api):
                continue
            points = points_of(result.scenario, supply.given)
            measured = input_per_output(points[0]) if len(points) == 1 else None
            if measured is None or points[0].path in said:
                continue
            wanted = read / written
            low, high = sorted((measured, wanted))
            if high > 2 * low:
                said.add(points[0].path)
                yield (
                    f"{points[0].path} was measured at {significant(measured)} input tokens for "
                    f"each output token, the workload has {significant(wanted)}: measure at its "
                    f"mix, or give a second point so that prefill and decode are told apart"
                )
