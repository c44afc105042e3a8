"""The model once more, in plain Python floats and loops.

It shares no line with the package: it takes the scenario as it stands in the file (numbers and
mappings) and walks through the months one by one. Where the package and this file differ, one
of them has misread the definitions. The rooms beside this one hold what is asked for
(`market`), what GPUs do (`cards`), what an API bills (`bills`), what is bought and kept (`books`),
what is deducted and taxed (`tax`) and how it is paid for (`financing`).

>>> cost({"name": "a", "months": 2, "discount_rate": 0, "options": {
...     "buy": {"own": "rtx-4090", "count": 2, "price": 1599}}})["options"]["buy"]["metrics"][
...     "total_cost"]
3198.0
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.referee import bills, books, cards, financing, tax
from tests.referee.market import SAME, Amount, Given, Market, Workload, at_most, factors, worth

Metrics = dict[str, float | None]
Lines = dict[str, float | list[float]]


@dataclass
class Supply:
    """What one supply does and costs; lists have one entry a month, month 0 first."""

    kind: str
    terms: Given
    price: float = 0.0
    operating_cost: list[float] = field(default_factory=list)
    expense: list[float] = field(default_factory=list)
    books: books.Books | None = None
    tax_books: tax.TaxBooks | None = None
    financing: financing.Financing | None = None
    staff_hours: float = 0.0
    served: list[Amount] = field(default_factory=list)
    capacity: list[float] = field(default_factory=list)
    gpus: cards.Gpus | None = None
    gpu_hours: list[float] = field(default_factory=list)
    busy_gpu_hours: list[float] = field(default_factory=list)
    billed_gpu_hours: list[float] = field(default_factory=list)
    cost_per_volume: float = 0.0
    cash_per_volume: float = 0.0
    price_path: list[float] = field(default_factory=list)
    """What its price of the first month is multiplied by."""
    cost_of_a_busy_hour: list[float] = field(default_factory=list)
    """Electricity of a GPU that is busy for one more hour."""
    unfit: bool = False
    lines: Lines = field(default_factory=dict)

    @property
    def measured(self) -> bool:
        """Whether these are GPUs of known throughput, with work to do."""
        return self.gpus is not None and self.gpus.work_of_an_hour is not None

    @property
    def linear(self) -> bool:
        """Whether its cost is a fixed part and one in proportion to its work."""
        bent = ("sessions", "output_tiers", "input_tiers", "commitment", "prepaid")
        counted = self.terms.get("count") != "auto" and self.terms.get("billed") != "needed"
        return counted and not any(name in self.terms for name in bent)


@dataclass
class Option:
    """What one option costs; lists have one entry a month, month 0 first."""

    status: str
    supplies: list[Supply] = field(default_factory=list)
    monthly: dict[str, list[float]] = field(default_factory=dict)
    metrics: Metrics = field(default_factory=dict)

    @property
    def cash_cost(self) -> list[float]:
        """What the decision counts: operating cost, tax, and what is given up."""
        return self.monthly["cash_cost"]

    @property
    def cumulative_cost(self) -> list[float]:
        """The cash cost up to each month."""
        return self.monthly["cumulative_cost"]

    @property
    def owned(self) -> list[books.Books]:
        """The books of what is bought."""
        return [supply.books for supply in self.supplies if supply.books is not None]

    @property
    def in_books(self) -> list[books.Books]:
        """What is written off in the books: purchases, and rights to use what is leased."""
        return [
            (supply.financing and supply.financing.books) or supply.books
            for supply in self.supplies
            if supply.books is not None
        ]

    @property
    def sole(self) -> Supply | None:
        """The only supply; None for a chain."""
        return self.supplies[0] if len(self.supplies) == 1 else None


def cost(scenario: Given) -> dict[str, Any]:
    """Cost every option of a scenario, and compare every two of them."""
    market = Market(scenario)
    options = {name: _option(market, name, chain) for name, chain in scenario["options"].items()}
    costed = [name for name in options if options[name].status != "incomplete"]
    return {
        "baseline": _baseline(scenario),
        "time": _time(market),
        "demand": _demand(market),
        "workloads": [_workload(market, workload) for workload in market.workloads],
        "options": {
            name: {
                "status": option.status,
                "metrics": option.metrics,
                "monthly": option.monthly,
                "supplies": [supply.lines for supply in option.supplies],
            }
            for name, option in options.items()
        },
        "savings": {
            (this, other): _savings(options[this], options[other])
            for this in costed
            for other in costed
        },
        "comparisons": {
            (this, other): _comparison(market, options[this], options[other])
            for this in costed
            for other in costed
            if this != other
        },
    }


def _time(market: Market) -> Lines:
    lines: Lines = {
        "discount_factor": market.discount,
        "higher_discount_factor": market.higher_discount,
        "year_end_discount_factor": market.year_end_discount,
        "fiscal_year": [float(year) for year in market.fiscal_year],
        "fiscal_quarter": [float(quarter) for quarter in market.fiscal_quarter],
        "fiscal_year_close": [float(market.closes(m)) for m in range(market.months + 1)],
    }
    if market.tax and market.in_proportion:
        lines["tax_payment_month"] = [float(month) for month in market.tax_month]
        lines["after_tax_discount_factor"] = market.after_tax
    return lines


def _demand(market: Market) -> Lines:
    volumes = [amount.work / market.work_of_a_price for amount in market.asked]
    stays = [
        sum(workload.staying[month].work for workload in market.workloads)
        for month in range(market.months + 1)
    ]
    lines: Lines = {
        "work_demanded": [amount.work for amount in market.asked],
        "input_tokens_demanded": [amount.input_tokens for amount in market.asked],
        "demanded_rate": market.rate,
        "peak_rate": [rate * market.peak_to_mean for rate in market.rate],
        "demanded_volume": volumes,
        "total_demanded_volume": sum(volumes),
        "total_staying_work": sum(stays),
        "highest_demanded_rate": max(market.rate),
    }
    if market.kind == "tokens":
        lines["input_per_output"] = _input_per_output(market)
        lines["demanded_rate_per_second"] = [rate / 3600 for rate in market.rate]
        lines["highest_demanded_rate"] = max(market.rate) / 3600
    return lines


def _input_per_output(market: Market) -> float | list[float]:
    """Input tokens for each output token: by month only where workloads differ."""
    shares = [amount.input_tokens / amount.work if amount.work else 0.0 for amount in market.asked]
    if "workloads" in market.demand:
        return shares
    asked = market.demand
    output = market.number(asked.get("output_tokens")) + market.number(
        asked.get("reasoning_tokens")
    )
    return market.number(asked.get("input_tokens")) / output if output else 0.0


def _workload(market: Market, workload: Workload) -> Lines:
    given = market.given_workloads[workload.name]
    caches = [market.number(given.get(f"{cache}_tokens")) for cache in bills.CACHES]
    return {
        "cache_parts": sum(caches),
        "caches_above_input": 0.0,
        "work_demanded": [amount.work for amount in workload.moving],
        "input_tokens_demanded": [amount.input_tokens for amount in workload.moving],
        "staying_work": [amount.work for amount in workload.staying],
        "staying_input_tokens": [amount.input_tokens for amount in workload.staying],
    }


def _baseline(scenario: Given) -> str:
    if "baseline" in scenario:
        return str(scenario["baseline"])
    for name, chain in scenario["options"].items():
        if "api" in (chain[0] if isinstance(chain, list) else chain):
            return str(name)
    return str(next(iter(scenario["options"])))


def _present_terms(market: Market, workload: Workload) -> Given:
    chain = market.scenario["options"][workload.present]
    return dict(chain[0] if isinstance(chain, list) else chain)


def _staying_cost(market: Market, month: int) -> float:
    """The bill of what cannot move, where it is."""
    return sum(
        bills.bill(
            market, _present_terms(market, workload), workload.staying[month], month
        ).api_cost
        for workload in market.workloads
        if workload.present
    )


def _option(market: Market, name: str, chain: Any) -> Option:
    given = chain if isinstance(chain, list) else [chain]
    if any(_is_incomplete(market, terms, len(given)) for terms in given):
        return Option("incomplete")
    option = Option("ok")
    months = market.months
    other_cost = [_staying_cost(market, month) for month in range(months + 1)]
    served = [0.0] * (months + 1)
    unserved_before = [1.0] * (months + 1)
    capacity_before = [0.0] * (months + 1)
    for terms in given:
        supply = _supply(market, terms, unserved_before, capacity_before)
        option.supplies.append(supply)
        for month in range(months + 1):
            served[month] += supply.served[month].work
    for other in market.scenario.get("other_costs", []):
        if "options" in other and name not in other["options"]:
            continue
        amount = market.number(other["amount"])
        for month in range(months + 1):
            if (
                (other["per"] == "once" and month == 0)
                or (other["per"] == "month" and month > 0)
                or (other["per"] == "year" and month > 0 and month % 12 == 0)
            ):
                other_cost[month] += amount
    _ledgers(market, option, other_cost)
    # cards of known throughput count output: a month of input alone is beyond them
    alone = market.kind == "tokens" and any(
        amount.input_tokens > 0 and amount.work == 0 for amount in market.asked
    )
    counting = any(supply.gpus and supply.gpus.work_of_an_hour for supply in option.supplies)
    does_not_fit = any(supply.unfit for supply in option.supplies) or (alone and counting)
    if does_not_fit or not at_most(market.total_work, sum(served)):
        option.status = "infeasible"
    option.metrics = _metrics(market, option, served)
    first_published = given[0].get("published")
    if first_published is not None:
        printed = market.number(first_published["per_month"])
        option.metrics["published_difference"] = (option.metrics["cost_per_month"] or 0.0) - printed
    return option


def _added(rows: list[list[float]], months: int) -> list[float]:
    """Rows added up month by month; zeros where there is none."""
    return [sum(row[month] for row in rows) for month in range(months + 1)]


def _cumulative(row: list[float]) -> list[float]:
    total, found = 0.0, []
    for amount in row:
        total += amount
        found.append(total)
    return found


def _ledgers(market: Market, option: Option, other_cost: list[float]) -> None:
    """Operating cash, tax cash, financing cash, and the profit and loss account."""
    months, every = market.months, range(market.months + 1)
    row = option.monthly
    owned = [supply for supply in option.supplies if supply.books is not None]
    operating_cost = _added(
        [other_cost, *(supply.operating_cost for supply in option.supplies)], months
    )
    row["expense"] = _added([other_cost, *(supply.expense for supply in option.supplies)], months)
    row["capex"] = _added([one.capex for one in option.owned], months)
    in_books, disposed, sold, in_tax_books, flows, interest, because = ([] for _ in range(7))
    for supply in owned:
        assert supply.books is not None
        assert supply.tax_books is not None
        assert supply.financing is not None
        by = supply.financing
        held = by.books or supply.books
        in_books.append(held.depreciation)
        disposed.append(held.disposed_value)
        sold.append([0.0 for _ in every] if by.given_back else supply.books.net_resale)
        in_tax_books += [supply.tax_books.depreciation, supply.tax_books.disposed_value]
        flows.append(by.cash_flow)
        interest.append(by.interest)
        because.append(by.deduction)
    row["depreciation"] = _added(in_books, months)
    gone = _added(disposed, months)
    row["disposal_loss"] = [
        loss - proceeds for loss, proceeds in zip(gone, _added(sold, months), strict=True)
    ]
    row["interest_cost"] = _added(interest, months)
    row["financing_cash_flow"] = _added(flows, months)
    row["book_cost"] = _added([row["expense"], row["depreciation"], row["disposal_loss"]], months)
    row["pretax_cost"] = _added([row["book_cost"], row["interest_cost"]], months)
    row["ebitda_effect"] = [-amount for amount in row["expense"]]
    opportunity = _added([one.opportunity_cost for one in option.owned], months)
    row["tax_cost"] = [0.0 for _ in every]
    if market.tax:
        deducted = _added(in_tax_books, months)
        resale = _added([one.net_resale for one in option.owned], months)
        levied = tax.levied(
            market, [row["expense"][month] + deducted[month] - resale[month] for month in every]
        )
        row["taxable_cost"] = levied.taxable_cost
        row["tax_cost"] = levied.paid
        if levied.taxable_cost_of_year:
            row |= {
                "taxable_cost_of_year": levied.taxable_cost_of_year,
                "tax_due": levied.due,
                "tax_due_to_date": _cumulative(levied.due),
                "tax_paid_to_date": _cumulative(levied.paid),
            }
        if market.losses == "carried":
            row |= {
                "taxable_income": levied.taxable_income,
                "losses_added": levied.loss_added,
                "losses_used": levied.loss_used,
                "losses_carried": levied.loss_carried,
            }
        # what is sold counts on both sides, so that a lessee, who sells nothing, pays no tax on it
        row["deferred_tax"] = [
            market.tax_rate
            * (
                deducted[month]
                - resale[month]
                - row["depreciation"][month]
                - row["disposal_loss"][month]
            )
            for month in every
        ]
        saved = [0.0 for _ in every]
        if market.in_proportion:
            saved = _financing_tax(market, row, _added(because, months))
        elif market.losses == "carried":
            for month in every:
                kept_for_later = row["losses_added"][month] - row["losses_used"][month]
                row["deferred_tax"][month] -= market.tax_rate * kept_for_later
        row["tax_expense"] = [
            levied.due[month] + row["deferred_tax"][month] - saved[month] for month in every
        ]
        row["pnl_cost"] = _added([row["pretax_cost"], row["tax_expense"]], months)
    row["cash_cost"] = _added([operating_cost, row["tax_cost"], opportunity], months)
    row["cumulative_cost"] = _cumulative(row["cash_cost"])
    row["discounted_cost"] = [
        cost * factor for cost, factor in zip(row["cash_cost"], market.discount, strict=True)
    ]
    row["cumulative_discounted_cost"] = _cumulative(row["discounted_cost"])
    sold_in_all = _added([one.net_resale for one in option.owned], months)
    if any(sold_in_all):
        row["cash_cost_without_resale"] = _added([row["cash_cost"], sold_in_all], months)
    row["operating_cash_flow"] = [-amount for amount in operating_cost]
    row["tax_cash_flow"] = [-amount for amount in row["tax_cost"]]
    flows = [row["operating_cash_flow"], row["tax_cash_flow"], row["financing_cash_flow"]]
    if "financing_tax_cash_flow" in row:
        flows.append(row["financing_tax_cash_flow"])
    row["net_cash_flow"] = _added(flows, months)


def _financing_tax(
    market: Market, row: dict[str, list[float]], because: list[float]
) -> list[float]:
    """What loans and leases save in tax, when it is due: in the books, and later in cash."""
    due, paid = [0.0 for _ in because], [0.0 for _ in because]
    for month, deducted in enumerate(because):
        due[month if market.taxed_monthly else market.closing[month]] += market.tax_rate * deducted
        paid[market.tax_month[month]] += market.tax_rate * deducted
    # books bear interest and rights to use, tax the payments: a matter of time
    for month in range(market.months + 1):
        row["deferred_tax"][month] += market.tax_rate * (
            because[month] - row["interest_cost"][month]
        )
    row["financing_tax"], row["financing_tax_cash_flow"] = due, paid
    return due


def _is_incomplete(market: Market, terms: Given, supplies: int) -> bool:
    workloads = market.given_workloads.values()
    asked = [
        sum(market.number(given.get(f"{part}_tokens")) for given in workloads)
        for part in ("output", "reasoning", "input")
    ]
    has_output, has_input = asked[0] + asked[1] > 0, asked[2] > 0
    if "api" in terms:
        if not market.has_demand:
            return True
        if terms["api"] == "present":
            return any(workload.present is None for workload in market.workloads)
        failing = {market.number(given.get("retries")) for given in workloads}
        if terms.get("retries_billed") == "no" and len(failing) > 1:
            return True
        if market.kind != "tokens":
            return terms.get("task_price") is None or "rate_limit" in terms
        return (
            (terms.get("output_price") is None and terms.get("output_tiers") is None)
            or (has_input and terms.get("input_price") is None and "input_tiers" not in terms)
            or ("long_context" in terms and "request_sizes" not in market.demand)
        )
    price = terms.get("price", terms.get("reserved"))
    if "own" in terms:
        price = books.word(market, terms, "price")
        price = terms.get("quote", terms.get("already_owned", price))
    known = cards.work_fields(market, terms) is not None
    auto = terms["count"] == "auto"
    if price is None or (auto and not market.has_demand):
        return True
    if not market.has_demand:
        return False
    if known:
        only_input = market.kind == "tokens" and has_input and not has_output
        return only_input or (auto and "reserved" in terms)
    return (
        market.kind != "tokens"
        or supplies > 1
        or auto
        or terms.get("billed", "held") != "held"
        or "spot" in terms
    )


def _supply(
    market: Market, terms: Given, unserved_before: list[float], capacity_before: list[float]
) -> Supply:
    """One supply of a chain; what it leaves is noted in ``unserved_before`` and the capacity."""
    kind = next(kind for kind in ("own", "rent", "api") if kind in terms)
    supply = Supply(kind, terms)
    supply.staff_hours = market.number(terms.get("staff_hours_per_month"))
    months = range(market.months + 1)
    if kind != "api":
        supply.gpus = cards.sized(market, terms, capacity_before)
        supply.capacity = supply.gpus.capacity
    else:
        for month in months:
            peak = market.rate[month] * market.peak_to_mean
            left = max(peak - capacity_before[month], 0.0)
            limit = terms.get("rate_limit")
            supply.capacity.append(left if limit is None else market.number(limit) * 3600)
    before = list(capacity_before)
    for month in months:
        capacity_before[month] += supply.capacity[month]
        left = market.unserved_share(month, capacity_before[month])
        share = unserved_before[month] - left
        # what only rounding leaves is no work
        supply.served.append(market.asked[month].times(share if share > SAME else 0.0))
        unserved_before[month] = left
    staff = [supply.staff_hours * market.hourly_cost if month else 0.0 for month in months]
    supply.lines["staff_cost"] = staff
    if market.has_demand:
        supply.lines["capacity"] = supply.capacity
        supply.lines["served_work"] = [amount.work for amount in supply.served]
        supply.lines["served_input_tokens"] = [amount.input_tokens for amount in supply.served]
    if kind == "api":
        supply.price_path = factors(terms.get("price_path"), market.months)
        costs, expensed = _api(market, supply)
    else:
        _hours(market, supply, before)
        costs, expensed = (_own if kind == "own" else _rent)(market, supply)
        memory = cards.memory_of(market, terms)
        if memory is not None:
            not_shared_out = memory["tensor_parallel_not_allowed"] > 0
            supply.unfit = memory["does_not_fit"] > 0 or not_shared_out
            supply.lines.update(memory)
    if supply.linear and any(amount.work for amount in supply.served):
        supply.lines["marginal_cost"] = supply.cost_per_volume
        supply.lines["marginal_cash_cost"] = supply.cash_per_volume
    supply.operating_cost = books.total(costs, staff)
    supply.expense = books.total(expensed, staff)
    supply.lines["cash_cost"] = supply.operating_cost
    supply.lines["expense"] = supply.expense
    return supply


def _of(market: Market, supply: Supply, name: str, default: float) -> float:
    """A number of a supply, else of its card, else of the site."""
    for place in (
        supply.terms,
        cards.hardware_of(market, supply.terms),
        market.scenario.get("site", {}),
    ):
        if place.get(name) is not None:
            return market.number(place[name])
    return default


def _hours(market: Market, supply: Supply, capacity_before: list[float]) -> None:
    """GPU-hours held and busy, and what else is known of GPUs at work."""
    found, terms, lines = supply.gpus, supply.terms, supply.lines
    assert found is not None
    work = found.work_of_an_hour
    if terms.get("billed") == "needed" and work is not None:
        supply.gpu_hours = cards.needed_hours(market, found, capacity_before)
    else:
        supply.gpu_hours = [
            gpus * hours for gpus, hours in zip(found.gpus, market.hours, strict=True)
        ]
    assumed = _of(market, supply, "utilisation", 0.70)
    for month, held in enumerate(supply.gpu_hours):
        busy = assumed
        if work is not None:
            busy = supply.served[month].work / (work[month] * held) if held > 0 else 0.0
        supply.busy_gpu_hours.append(held * busy)
    lines["gpu_hours"] = supply.gpu_hours
    lines["busy_gpu_hours"] = supply.busy_gpu_hours
    lines["gpus"] = found.gpus
    if work is not None:
        lines["work_per_gpu_hour"] = work
        servable = [
            capacity * hours / market.peak_to_mean / market.work_of_a_price
            for capacity, hours in zip(found.capacity, market.hours, strict=True)
        ]
        lines["capacity_volume"] = market.discounted(servable) / market.annuity
        if found.sizes is not None:
            lines["nodes"] = found.nodes
            lines["replicas"] = found.replicas
            lines["replica_busy_share"] = [
                amount.work / (replicas * work[month] * found.sizes.per_replica * hours)
                if replicas * hours > 0
                else 0.0
                for month, (amount, replicas, hours) in enumerate(
                    zip(supply.served, found.replicas, market.hours, strict=True)
                )
            ]
            if terms["count"] == "auto":
                lines["most_gpus"] = max(found.gpus)
    elif market.has_demand:
        rate = max(
            amount.work / hours / 3600 if hours else 0.0
            for amount, hours in zip(supply.served, market.hours, strict=True)
        )
        lines["required_output_rate"] = rate
        lines["required_peak_output_rate"] = rate * market.peak_to_mean
        lines["required_output_rate_per_gpu"] = rate / market.number(terms["count"])


def _own(market: Market, supply: Supply) -> tuple[list[float], list[float]]:
    """Purchases, their keep, and electricity: as paid, and as expensed."""
    found, terms = supply.gpus, supply.terms
    assert found is not None
    tdp = _of(market, supply, "tdp", cards.WATTS_OF_KNOWN_CARDS.get(terms["own"], 0.0))
    idle = _of(market, supply, "idle_power", 0.0)
    active = _of(market, supply, "active_power", tdp)
    host = _of(market, supply, "host_power", 0.0)
    pue = _of(market, supply, "pue", 1.0)
    months = range(market.months + 1)

    owned = supply.books = books.kept(market, terms, found)
    taxed = supply.tax_books = tax.deducted(market, terms, owned)
    supply.financing = financing.financed(market, terms, owned, taxed)
    site = books.housed(market, terms, found.gpus, tdp + host, pue)
    supply.price = books.price_of(market, terms, max(found.gpus))
    energy, electricity = [], []
    for month in months:
        held, busy = supply.gpu_hours[month], supply.busy_gpu_hours[month]
        watt_hours = idle * held + (active - idle) * busy
        energy.append((watt_hours + host * held) / 1000 * pue)
        electricity.append(energy[-1] * site.tariff[month])
    by = supply.financing
    in_books = by.books or owned
    supply.lines |= {
        "net_price": owned.net_price,
        "duty_cost": owned.duty_cost,
        "untaxed_unit_cost": owned.untaxed_unit_cost,
        "unit_cost": owned.unit_cost,
        "spare_cost": owned.spare_cost,
        "capex": owned.capex,
        "gpus_bought": owned.bought,
        "discounted_gpus_bought": market.discounted(
            [one * path for one, path in zip(owned.bought, owned.price_path, strict=True)]
        ),
        "additions": owned.additions,
        "depreciation": in_books.depreciation,
        "disposed_value": in_books.disposed_value,
        "opening_book_value": [0.0, *in_books.book_value[:-1]],
        "book_value": in_books.book_value,
        "largest_book_value": max(in_books.book_value),
        "resale": owned.resale,
        "net_resale": owned.net_resale,
        "disposal_loss": [
            loss - (0.0 if by.given_back else sold)
            for loss, sold in zip(in_books.disposed_value, owned.net_resale, strict=True)
        ],
        "vat_cost": owned.vat_timing,
        "maintenance_cost": owned.maintenance,
        "failure_cost": owned.failures,
        "licence_cost": owned.licences_paid,
        "insurance_cost": owned.insurance_paid,
        "support_cost": owned.support_paid,
        "support_expense": owned.support,
        "decommissioning_cost": owned.decommissioning,
        "opportunity_cost": owned.opportunity_cost,
        "colocation_cost": site.colocation,
        "contracted_kw": site.contracted_kw,
        "peak_kw": site.peak_kw,
        "billed_kw": site.billed_kw,
        "demand_cost": site.demand_charge,
        "floor_cost": site.room,
        "energy_kwh": energy,
        "electricity_cost": electricity,
        "finance_cost": by.interest,
        **by.lines,
    }
    if market.tax:
        supply.lines["tax_deduction"] = [
            written + gone - sold
            for written, gone, sold in zip(
                taxed.depreciation, taxed.disposed_value, owned.net_resale, strict=True
            )
        ]
        supply.lines |= {
            "t/depreciation": taxed.depreciation,
            "t/disposed_value": taxed.disposed_value,
            "t/book_value": taxed.value,
        }
    supply.cost_of_a_busy_hour = [(active - idle) / 1000 * pue * tariff for tariff in site.tariff]
    if supply.measured:
        _margin(market, supply, supply.cost_of_a_busy_hour)
    return (
        books.total(owned.paid, electricity, site.cost),
        books.total(owned.expense, electricity, site.cost),
    )


def _margin(market: Market, supply: Supply, of_a_busy_hour: list[float]) -> None:
    """What one more unit of work costs when GPUs are busy for longer."""
    costs = [
        hours * cost for hours, cost in zip(supply.busy_gpu_hours, of_a_busy_hour, strict=True)
    ]
    _margin_of_work(market, supply, costs)
    assert supply.gpus is not None
    assert supply.gpus.work_of_an_hour is not None
    points = (cards.work_fields(market, supply.terms) or {}).get("throughput", ())
    always_the_same = len({*of_a_busy_hour}) == 1 and len(points) < 2 and not market.tax
    if not any(amount.work for amount in supply.served) and always_the_same:
        volume = supply.gpus.work_of_an_hour[0] / market.work_of_a_price
        supply.cost_per_volume = supply.cash_per_volume = of_a_busy_hour[0] / volume


def _margin_of_work(market: Market, supply: Supply, costs: list[float]) -> None:
    """What one more unit of work costs, where costs are in proportion to it."""
    volumes = [amount.work / market.work_of_a_price for amount in supply.served]
    if sum(volumes) > 0:
        supply.cost_per_volume = market.discounted_after_tax(costs) / market.discounted(volumes)
        supply.cash_per_volume = market.kept * sum(costs) / sum(volumes)


def _rent(market: Market, supply: Supply) -> tuple[list[float], list[float]]:
    """Hours, terms, storage, traffic and balances: as paid, and as expensed."""
    terms, lines = supply.terms, supply.lines
    reserved, sessions = terms.get("reserved"), terms.get("sessions")
    given = reserved["price"] if reserved else terms["price"]
    minimum = None
    if isinstance(given, dict) and "median" in given:
        currency = {"currency": given["currency"]} if "currency" in given else {}
        if "minimum" in given:
            minimum = market.number({"value": given["minimum"], **currency})
        given = {"value": given["median"], **currency}
    supply.price = market.number(given)
    used = supply.busy_gpu_hours if terms.get("billed") == "busy" else supply.gpu_hours
    billed = supply.billed_gpu_hours = [
        cards.billed_in_sessions(market, sessions, hours) if sessions else hours for hours in used
    ]
    lines["billed_gpu_hours"] = billed
    months = range(market.months + 1)
    path = supply.price_path = factors(terms.get("price_path"), market.months)
    prices = [supply.price * factor for factor in path]
    lines["equivalent_billed_gpu_hours"] = market.discounted(billed) / market.annuity
    lines["rent_cost"] = rent = [billed[month] * prices[month] for month in months]
    if minimum is not None:
        lines["rent_at_lowest_offer"] = [billed[month] * minimum * path[month] for month in months]
    upfront, over_terms = [0.0 for _ in months], [0.0 for _ in months]
    if reserved:
        term = int(market.number(reserved["term_months"]))
        of_a_term = market.number(reserved.get("upfront"))
        assert supply.gpus is not None
        for month in range(0, market.months, term):
            upfront[month] = of_a_term * supply.gpus.gpus[0]
            for later in range(month + 1, month + term + 1):
                over_terms[min(later, market.months)] += upfront[month] / term
        mean_hours = sum(market.hours) / market.months
        lines["effective_price"] = supply.price + of_a_term / (term * mean_hours)
    if "spot" in terms and supply.measured:
        between = market.number(terms["spot"]["hours_between_interruptions"])
        lost = cards.lost_hours(market, terms["spot"])
        lines["effective_price"] = supply.price * between / (between - lost)
    lines["upfront_cost"] = upfront
    lines["storage_cost"] = storage = _each_month(market, terms.get("storage"), "gb")
    lines["egress_cost"] = egress = _each_month(market, terms.get("egress"), "gb_per_month")
    lines["prepaid_cost"] = prepaid = _prepaid(market, terms)
    extra = [sum(parts) for parts in zip(upfront, storage, egress, prepaid, strict=True)]
    lines["extra_cost"] = extra
    if supply.measured and terms.get("billed") == "busy":
        _margin(market, supply, prices)
    gone = _lost_balance(market, terms)
    return books.total(rent, extra), books.total(rent, over_terms, storage, egress, gone)


def _each_month(market: Market, terms: Given | None, gigabytes: str) -> list[float]:
    amount = market.number(terms[gigabytes]) * market.number(terms["price"]) if terms else 0.0
    return [0.0] + [amount] * market.months


def _prepaid(market: Market, terms: Given) -> list[float]:
    paid = [0.0] * (market.months + 1)
    if "prepaid" in terms:
        balance = market.number(terms["prepaid"]["balance"])
        lost = int(market.number(terms["prepaid"].get("lost_in_month")))
        paid[0] += balance
        paid[market.months] -= balance
        if 1 <= lost <= market.months:
            paid[lost] += balance
    return paid


def _lost_balance(market: Market, terms: Given) -> list[float]:
    """What of a balance is lost: the rest of it only lies with the provider."""
    lost = [0.0] * (market.months + 1)
    if "prepaid" in terms:
        month = int(market.number(terms["prepaid"].get("lost_in_month")))
        if 1 <= month <= market.months:
            lost[month] = market.number(terms["prepaid"]["balance"])
    return lost


def _api(market: Market, supply: Supply) -> tuple[list[float], list[float]]:
    """The bills of an API, or of those that the workloads are on now: as paid, as expensed."""
    terms, lines = supply.terms, supply.lines
    if terms["api"] == "present":
        costs = [0.0] * (market.months + 1)
        for month in range(market.months + 1):
            asked, served = market.asked[month].work, supply.served[month].work
            share = served / asked if asked > 0 else float(market.asked[month] != Amount())
            for workload in market.workloads:
                amount = workload.moving[month].times(share)
                costs[month] += bills.bill(
                    market, _present_terms(market, workload), amount, month
                ).api_cost
        lines["api_cost"] = costs
        _margin_of_work(market, supply, costs)
        return costs, costs
    found = [bills.bill(market, terms, amount, month) for month, amount in enumerate(supply.served)]
    for month, one in enumerate(found):
        bills.commit(market, terms, month, one)
    for name in vars(found[0]):
        lines[name] = [getattr(one, name) for one in found]
    costs = [one.api_cost for one in found]
    lines["prepaid_cost"] = prepaid = _prepaid(market, terms)
    field_of_price = "output_price" if market.kind == "tokens" else "task_price"
    supply.price = bills.price(market, terms, field_of_price) or 0.0
    charge = bills.fee_and_tax(market, terms) * bills.batch_factor(market, terms)
    charge *= 1 - bills.long_output_share(market, terms)
    volumes = [one.output_volume for one in found]
    lines["discounted_output_charge"] = charge * market.discounted_after_tax(
        [volume * factor for volume, factor in zip(volumes, supply.price_path, strict=True)]
    )
    _margin_of_work(market, supply, costs)
    return books.total(costs, prepaid), books.total(costs, _lost_balance(market, terms))


def _first_peak(amounts: list[float]) -> int:
    """The first month with the largest amount."""
    return next(month for month, amount in enumerate(amounts) if at_most(max(amounts), amount))


def _metrics(market: Market, option: Option, served: list[float]) -> Metrics:
    total = sum(option.cash_cost)
    npv = market.discounted(option.cash_cost)
    first = _first_peak(option.cumulative_cost)
    funding = [-amount for amount in _cumulative(option.monthly["net_cash_flow"])]
    peak_month = _first_peak(funding)
    volume = market.discounted([work / market.work_of_a_price for work in served])
    counting = [
        (work / asked.work * asked.useful if asked.work > 0 else 0.0)
        + sum(workload.staying[month].useful for workload in market.workloads)
        for month, (work, asked) in enumerate(zip(served, market.asked, strict=True))
    ]
    useful = market.discounted([work / market.work_of_a_price for work in counting])
    months = market.months
    gpu_hours = sum(sum(supply.gpu_hours) for supply in option.supplies)
    busy_gpu_hours = sum(sum(supply.busy_gpu_hours) for supply in option.supplies)
    useful_gpu_hours = sum(
        market.discounted(supply.busy_gpu_hours) for supply in option.supplies if supply.gpus
    )
    metrics: Metrics = {
        "upfront_cost": option.cash_cost[0],
        "running_cost_per_month": sum(option.cash_cost[1:]) / months,
        "total_cost": total,
        "cost_per_month": total / months,
        "npv_of_cost": npv,
        "equivalent_monthly_cost": npv / market.annuity,
        "npv_of_cost_higher_rate": worth(option.cash_cost, market.higher_discount),
        "npv_of_cost_year_end": worth(option.cash_cost, market.year_end_discount),
        "total_depreciation": sum(option.monthly["depreciation"]),
        "total_net_cash_flow": sum(option.monthly["net_cash_flow"]),
        "total_tax_cost": sum(option.monthly["tax_cost"]),
        "total_interest_cost": sum(option.monthly["interest_cost"]),
        "total_pretax_cost": sum(option.monthly["pretax_cost"]),
        "total_book_cost": sum(option.monthly["book_cost"]),
        "peak_funding_need": funding[peak_month],
        "peak_funding_month": float(peak_month),
        "largest_cumulative_cost": max(option.cumulative_cost),
        "largest_cumulative_cost_month": float(first),
        "levelised_cost": npv / useful if useful > 0 else None,
        "busy_share": busy_gpu_hours / gpu_hours if gpu_hours > 0 else None,
        "total_unserved_work": market.total_work - sum(served),
        "total_served_work": sum(served),
        "average_staff_hours": sum(supply.staff_hours for supply in option.supplies),
        "final_book_value": sum(one.disposed_value[-1] for one in option.in_books),
        "cost_per_useful_gpu_hour": npv / useful_gpu_hours if useful_gpu_hours > 0 else None,
    }
    supply = option.sole
    for leased in (supply.financing for supply in option.supplies if supply.financing):
        if "net_advantage_of_leasing" in leased.lines:
            advantage = leased.lines["net_advantage_of_leasing"]
            assert isinstance(advantage, float)
            metrics["net_advantage_of_leasing"] = (
                metrics.get("net_advantage_of_leasing") or 0.0
            ) + advantage
    if supply is not None and supply.linear and market.total_work > 0 and market.in_proportion:
        variable = supply.cost_per_volume * volume / market.annuity
        metrics["fixed_cost_per_month"] = npv / market.annuity - variable
        variable_cash = supply.cash_per_volume * sum(served) / market.work_of_a_price / months
        metrics["fixed_cash_per_month"] = total / months - variable_cash
    for word, name in (("requests", "cost_per_request"), ("customers", "cost_per_customer")):
        if word in market.demand:
            metrics[name] = npv / market.annuity / market.number(market.demand[word])
    return metrics


def _payback(this: list[float], other: list[float]) -> tuple[int, int, int]:
    """The first month in which this has cost no more, the month from which on, and the turns."""
    ahead = [at_most(mine, theirs) for mine, theirs in zip(this, other, strict=True)]
    first = permanent = len(ahead)
    for month in reversed(range(len(ahead))):
        if ahead[month]:
            first = month
            if permanent == month + 1:
                permanent = month
    # Walking backwards, the permanent month is the end of the unbroken run that reaches month N.
    turns = sum(ahead[month] != ahead[month - 1] for month in range(1, len(ahead)))
    return first, permanent, turns


def _savings(this: Option, other: Option) -> Lines:
    """What one option costs less than another month by month."""
    lines: Lines = {}
    for saving, cost in (
        ("monthly_saving", "cash_cost"),
        ("discounted_saving", "discounted_cost"),
        ("cumulative_discounted_saving", "cumulative_discounted_cost"),
    ):
        pairs = zip(other.monthly[cost], this.monthly[cost], strict=True)
        lines[saving] = [theirs - mine for theirs, mine in pairs]
    return lines


def _comparison(market: Market, this: Option, other: Option) -> Metrics:
    first, permanent, turns = _payback(this.cumulative_cost, other.cumulative_cost)
    worth_this, worth_other = (one.monthly["cumulative_discounted_cost"] for one in (this, other))
    discounted_first, discounted, _ = _payback(worth_this, worth_other)
    npv_this, npv_other = _value(this, "npv_of_cost"), _value(other, "npv_of_cost")
    emc_this = _value(this, "equivalent_monthly_cost")
    emc_other = _value(other, "equivalent_monthly_cost")
    at_higher, at_year_end = "npv_of_cost_higher_rate", "npv_of_cost_year_end"
    funding = [
        theirs - mine
        for mine, theirs in zip(
            _cumulative(this.monthly["net_cash_flow"]),
            _cumulative(other.monthly["net_cash_flow"]),
            strict=True,
        )
    ]
    result: Metrics = {
        "peak_funding_need": max(funding),
        "peak_funding_month": float(_first_peak(funding)),
        "discounted_payback_month_unrounded": _crossing(worth_this, worth_other, discounted),
        "break_even_month_first": float(first),
        "break_even_month": float(permanent),
        "discounted_payback_month_first": float(discounted_first),
        "discounted_payback_month": float(discounted),
        "payback_crossings": float(turns),
        "final_saving": other.cumulative_cost[-1] - this.cumulative_cost[-1],
        "equivalent_difference": emc_this - emc_other,
        "npv_difference": npv_this - npv_other,
        "npv_difference_higher_rate": _value(this, at_higher) - _value(other, at_higher),
        "npv_difference_year_end": _value(this, at_year_end) - _value(other, at_year_end),
        "breaks_even": 1.0 if permanent <= market.months else 0.0,
        "break_even_month_unrounded": _crossing(
            this.cumulative_cost, other.cumulative_cost, permanent
        ),
    }
    if any(sum(one.resale) > 0 for option in (this, other) for one in option.owned):
        result["payback_month_without_resale"] = float(
            _payback(_without_resale(this), _without_resale(other))[1]
        )
    if market.in_proportion:
        result |= _break_evens(market, this, other)
    mine, theirs = this.sole, other.sole
    if mine and theirs and (mine.kind, theirs.kind) == ("rent", "rent") and theirs.price > 0:
        by_the_busy_hour = all(
            one.terms.get("billed") == "busy" and "sessions" not in one.terms
            for one in (mine, theirs)
        )
        if by_the_busy_hour:
            result["break_even_speed_up"] = mine.price / theirs.price
        same_card = cards.card_of(mine.terms) == cards.card_of(theirs.terms)
        if same_card and "reserved" in mine.terms and "reserved" not in theirs.terms:
            effective = mine.lines["effective_price"]
            assert isinstance(effective, float)
            result["break_even_share_of_hours"] = effective / theirs.price
    return result


def _without_resale(option: Option) -> list[float]:
    """The cost up to each month when nothing is sold."""
    return _cumulative(option.monthly.get("cash_cost_without_resale", option.cash_cost))


def _break_evens(market: Market, this: Option, other: Option) -> Metrics:
    """Where both cost the same, in closed form: what costs more saves tax in proportion."""
    npv_this, npv_other = _value(this, "npv_of_cost"), _value(other, "npv_of_cost")
    staff_hours = sum(supply.staff_hours for supply in this.supplies)
    of_an_hour = market.hourly_cost * sum(market.after_tax[1:])
    result: Metrics = {
        "break_even_staff_hours": (
            staff_hours + (npv_other - npv_this) / of_an_hour if of_an_hour > 0 else None
        ),
    }
    mine, theirs = this.sole, other.sole
    if mine is not None and mine.kind == "own" and _is_plain_purchase(market, mine.terms):
        bought = mine.lines["discounted_gpus_bought"]
        assert isinstance(bought, float)
        result["break_even_hardware_price"] = (
            mine.price + (npv_other - npv_this) / bought if bought > 0 else None
        )
    if theirs is not None and theirs.kind != "own":
        result.update(_break_even_price(market, npv_this - npv_other, theirs))
    if mine is None or theirs is None:
        return result
    kinds = (mine.kind, theirs.kind)
    if "api" in kinds and mine.linear and theirs.linear and market.total_work > 0:
        result.update(_break_even_volume(this, other, mine, theirs))
    if kinds == ("own", "rent") and _is_same_set(market, mine, theirs):
        result.update(_break_even_utilisation(market, this, other, mine, theirs))
    return result


def _is_plain_purchase(market: Market, terms: Given) -> bool:
    """Whether the price of a card moves nothing but what is paid for it."""
    words = ("purchase", "maintenance", "insurance")
    moved = any(books.word(market, terms, word) for word in words)
    failures: Given = books.word(market, terms, "failures") or {}
    residual: Given = books.word(market, terms, "residual_value") or {}
    return not (
        market.tax
        or moved
        or (failures and "replacement_price" not in failures)
        or "by_age" in residual
        or "loss_per_year" in residual
        or "quote" in terms
        or "already_owned" in terms
        or "lease" in terms.get("financing", {})
    )


def _break_even_price(market: Market, difference: float, theirs: Supply) -> Metrics:
    """The price of the other option at which both cost the same."""
    if theirs.kind == "rent":
        path = theirs.price_path
        name = "break_even_rental_price"
        billed = market.discounted_after_tax(
            [hours * factor for hours, factor in zip(theirs.billed_gpu_hours, path, strict=True)]
        )
    elif theirs.terms["api"] != "present" and theirs.linear:
        name, charge = "break_even_output_price", theirs.lines["discounted_output_charge"]
        assert isinstance(charge, float)
        billed = charge
    else:
        return {}
    return {name: theirs.price + difference / billed if billed > 0 else None}


def _is_same_set(market: Market, mine: Supply, theirs: Supply) -> bool:
    """Whether the same GPUs are bought here and rented there."""
    if not (mine.linear and theirs.linear and mine.gpus and theirs.gpus):
        return False
    same_cards = cards.card_of(mine.terms) == cards.card_of(theirs.terms)
    return same_cards and mine.gpus.gpus == theirs.gpus.gpus


def _value(option: Option, metric: str) -> float:
    value = option.metrics[metric]
    assert value is not None
    return value


def _crossing(this: list[float], other: list[float], permanent: int) -> float:
    """The permanent break-even month with its fraction, the costs of a month being even.

    0 when there is none.
    """
    if permanent in (0, len(this)):
        return 0.0
    before = this[permanent - 1] - other[permanent - 1]
    after = this[permanent] - other[permanent]
    return permanent - 1 + before / (before - after)


def _break_even_volume(this: Option, other: Option, mine: Supply, theirs: Supply) -> Metrics:
    names = ("fixed_cost_per_month", "fixed_cash_per_month")
    gap, gap_cash = (_value(this, name) - _value(other, name) for name in names)
    slope = theirs.cost_per_volume - mine.cost_per_volume
    slope_cash = theirs.cash_per_volume - mine.cash_per_volume
    cross = _sign(_value(this, names[0]), _value(other, names[0])) * _sign(
        theirs.cost_per_volume, mine.cost_per_volume
    )
    result: Metrics = {
        "volumes_cross": 1.0 if cross > 0 else 0.0,
        "break_even_volume": gap / slope if cross > 0 else 0.0,
        "break_even_volume_undiscounted": max(gap_cash / slope_cash, 0.0) if cross > 0 else 0.0,
    }
    if mine.measured:
        capacity = mine.lines["capacity_volume"]
        assert isinstance(capacity, float)
        within = at_most(result["break_even_volume"] or 0.0, capacity)
        result["beyond_capacity"] = 0.0 if within else 1.0
    return result


def _sign(one: float, other: float) -> int:
    """1 when ``one`` is the larger, -1 when it is the smaller, 0 when they are equal."""
    return int(not at_most(one, other)) - int(not at_most(other, one))


def _break_even_utilisation(
    market: Market, this: Option, other: Option, mine: Supply, theirs: Supply
) -> Metrics:
    every = range(market.months + 1)
    energy = mine.cost_of_a_busy_hour
    rental = [theirs.price * factor for factor in theirs.price_path]
    result: Metrics = {}
    dearer = False
    for name, metric, weights in (
        ("break_even_utilisation", "npv_of_cost", market.after_tax),
        ("break_even_utilisation_undiscounted", "total_cost", [market.kept for _ in every]),
    ):
        held, busy, billed = theirs.gpu_hours, mine.busy_gpu_hours, theirs.billed_gpu_hours
        of_rent = sum(held[month] * rental[month] * weights[month] for month in every)
        of_energy = sum(held[month] * energy[month] * weights[month] for month in every)
        dearer = not at_most(of_rent, of_energy)
        if not dearer:
            result[name] = 0.0
            continue
        used = sum(busy[month] * energy[month] * weights[month] for month in every)
        rented = sum(billed[month] * rental[month] * weights[month] for month in every)
        fixed_own, fixed_rent = _value(this, metric) - used, _value(other, metric) - rented
        result[name] = max((fixed_own - fixed_rent) / (of_rent - of_energy), 0.0)
    within = dearer and at_most(result["break_even_utilisation"] or 0.0, 1.0)
    result["utilisation_within_reach"] = 1.0 if within else 0.0
    return result
