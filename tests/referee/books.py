"""What is bought: its cost, how it is written off, its keep, and what it is sold for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.referee import cards
from tests.referee.market import Given, Market, between, factors

DAYS_OF_A_YEAR = 365
Row = list[float]


@dataclass
class Cohort:
    """Cards that went into service in the same month."""

    month: int
    """In service at the end of this month: they serve from the next one on."""
    cost: float
    """What is capitalised."""
    equipment: float
    """The value that is maintained, insured and sold."""
    gpus: float
    retired: int
    """The last month of service; they are sold at its end."""

    def serves(self, month: int) -> bool:
        """Whether these cards serve in a month."""
        return self.month < month <= self.retired


@dataclass
class Books:
    """The purchases of one owned supply, and all they cost but electricity; month 0 first."""

    net_price: Row = field(default_factory=list)
    duty_cost: Row = field(default_factory=list)
    untaxed_unit_cost: Row = field(default_factory=list)
    vat_amount: Row = field(default_factory=list)
    unit_cost: Row = field(default_factory=list)
    spare_cost: float = 0.0
    salvage_share: float = 0.0
    sale_cost: float = 0.0
    opportunity_cost: Row = field(default_factory=list)
    bought: Row = field(default_factory=list)
    price_path: Row = field(default_factory=list)
    cohorts: list[Cohort] = field(default_factory=list)
    capex: Row = field(default_factory=list)
    vat_timing: Row = field(default_factory=list)
    additions: Row = field(default_factory=list)
    depreciation: Row = field(default_factory=list)
    disposed_value: Row = field(default_factory=list)
    book_value: Row = field(default_factory=list)
    resale: Row = field(default_factory=list)
    net_resale: Row = field(default_factory=list)
    maintenance: Row = field(default_factory=list)
    failures: Row = field(default_factory=list)
    licences: Row = field(default_factory=list)
    insurance: Row = field(default_factory=list)
    support: Row = field(default_factory=list)
    licences_paid: Row = field(default_factory=list)
    insurance_paid: Row = field(default_factory=list)
    support_paid: Row = field(default_factory=list)
    decommissioning: Row = field(default_factory=list)

    @property
    def expense(self) -> Row:
        """What is expensed, in the months that it is for."""
        return total(
            self.maintenance,
            self.failures,
            self.licences,
            self.insurance,
            self.support,
            self.decommissioning,
        )

    @property
    def paid(self) -> Row:
        """Cash of purchases, their keep and their sale."""
        return total(
            self.capex,
            self.vat_timing,
            self.maintenance,
            self.failures,
            self.licences_paid,
            self.insurance_paid,
            self.support_paid,
            self.decommissioning,
            [-amount for amount in self.net_resale],
        )


def total(*rows: Row) -> Row:
    """Rows added up month by month.

    >>> total([1.0, 2.0], [3.0, 4.0])
    [4.0, 6.0]
    """
    return [sum(amounts) for amounts in zip(*rows, strict=True)]


def word(market: Market, terms: Given, name: str) -> Any:
    """What a supply says, else its card."""
    if terms.get(name) is not None:
        return terms[name]
    return cards.hardware_of(market, terms).get(name)


def written_off(given: Given, life: int, floor: float, ages: int) -> Row:
    """The share of the cost that is written off at each age in months, age 0 first.

    Declining goes over to straight where that is more (``switch``), or for the last months of the
    life where ``straight_at_last`` says how many.

    >>> round(sum(written_off({}, 60, 0.1, 24)), 9)
    0.36
    """
    method = given.get("method", "straight-line")
    delay = 1 if given.get("start", "service-month") == "next-month" else 0
    if method == "straight-line":
        shares = [(1 - floor) / life] * life
    elif method == "declining":
        last = given.get("straight_at_last")
        shares = _declining(life, floor, float(given.get("factor", 2)), given.get("switch"), last)
    else:
        points = [(0.0, 0.0)]
        points += [(float(one["months"]), float(one["share"])) for one in given["written_off"]]
        last = int(points[-1][0])
        shares = [between(points, age) - between(points, age - 1) for age in range(1, last + 1)]
    found = [0.0] * (delay + 1) + shares
    return (found + [0.0] * (ages + 1))[: ages + 1]


def _declining(life: int, floor: float, factor: float, switch: Any, last: int | None) -> Row:
    """A share of what is left; where it switches, straight as soon as that is more."""
    shares, left = [], 1.0
    for age in range(1, life + 1):
        share = left * factor / life
        evenly = (left - floor) / (life - age + 1)
        if last is not None:
            share = evenly if age > life - last else share
        elif switch != "no":
            share = max(share, evenly)
        shares.append(max(min(share, left - floor), 0.0))
        left -= shares[-1]
    return shares


def residual_share(given: Given, age: int) -> float:
    """What cards of an age in months are sold for, as a share of what they were bought for.

    >>> round(residual_share({"loss_per_year": 0.3}, 24), 9)
    0.49
    """
    if "by_age" in given:
        points = [(float(one["months"]), float(one["share"])) for one in given["by_age"]]
        if points[0][0] > 0:
            points.insert(0, (0.0, 1.0))
        return between(points, age)
    if "loss_per_year" in given:
        return float((1 - float(given["loss_per_year"])) ** (age / 12))
    return 0.0


def failure_rate(given: Given) -> float:
    """Share of the cards that fail in a year.

    >>> round(failure_rate({"events": 220, "gpus": 16384, "days": 54}), 6)
    0.090762
    """
    if "share_per_year" in given:
        return float(given["share_per_year"])
    return float(given["events"]) / float(given["gpus"]) * DAYS_OF_A_YEAR / float(given["days"])


def kept(market: Market, terms: Given, found: cards.Gpus) -> Books:
    """The books of an owned supply."""
    books = Books()
    delivered = cards.delivered_in(market, terms)
    _purchases(market, terms, found, books, delivered)
    _depreciation(market, terms, books)
    _sales(market, terms, found, books)
    _upkeep(market, terms, found, books)
    _prepaid_upkeep(market, terms, found, books)
    _support(market, terms, books, delivered)
    return books


def price_of(market: Market, terms: Given, gpus: float) -> float:
    """The price of one card before any discount."""
    if "already_owned" in terms:
        return 0.0
    if "quote" in terms:
        items = terms["quote"]["items"]
        hardware = [one for one in items if one.get("kind", "hardware") != "support"]
        return sum(market.number(one["amount"]) for one in hardware) / gpus
    return market.number(word(market, terms, "price"))


def _purchases(
    market: Market, terms: Given, found: cards.Gpus, books: Books, delivered: int
) -> None:
    last = market.months
    gpus = found.gpus[last]
    parts: Given = word(market, terms, "purchase") or {}
    host, network, rack, installation, shipping, duty = (
        market.number(parts.get(name))
        for name in ("host", "network", "rack_and_cooling", "installation", "shipping", "duty")
    )
    vat: Given = parts.get("vat") or {}
    vat_rate = market.number(vat.get("rate"))
    borne = vat_rate if vat.get("recoverable") == "no" else 0.0
    got_back = vat_rate if vat.get("recoverable") != "no" else 0.0
    spares = market.number(parts.get("spares"))

    price = price_of(market, terms, gpus) * (1 - market.number(parts.get("discount")))
    # a fixed number is bought at once
    later = terms["count"] == "auto"
    change = market.number(terms.get("price_change_per_year")) if later else 0.0
    books.price_path = [float((1 + change) ** (month / 12)) for month in range(last + 1)]
    books.net_price = [price * factor for factor in books.price_path]
    books.duty_cost = [duty * (price + host + network + shipping) for price in books.net_price]
    books.untaxed_unit_cost = [
        price + host + network + rack + installation + shipping + of_customs
        for price, of_customs in zip(books.net_price, books.duty_cost, strict=True)
    ]
    books.vat_amount = [vat_rate * cost for cost in books.untaxed_unit_cost]
    books.unit_cost = [cost * (1 + borne) for cost in books.untaxed_unit_cost]
    untaxed_spare_cost = books.net_price[0] * (1 + duty)
    books.spare_cost = spares * untaxed_spare_cost * (1 + borne)
    salvage = market.number(word(market, terms, "salvage"))
    books.salvage_share = salvage / books.unit_cost[0] if books.unit_cost[0] > 0 else 0.0

    books.bought = [0.0] * (last + 1)
    if later:
        for month in range(last):
            books.bought[month] = max(found.gpus[month + 1] - found.gpus[month], 0.0)
    else:
        books.bought[0] = gpus
    books.capex, books.vat_timing = [0.0] * (last + 1), [0.0] * (last + 1)
    back_after = int(market.number(vat.get("refund_months")))
    payment = (terms.get("quote") or {}).get("payment") or [{"month": 0, "share": 1}]
    for month, bought in enumerate(books.bought):
        kept_back = spares if month == 0 else 0.0
        if bought == 0 and kept_back == 0:
            continue
        of_spares = kept_back * untaxed_spare_cost
        cost = bought * books.unit_cost[month] + of_spares * (1 + borne)
        equipment = bought * (books.net_price[month] + host + network)
        equipment += kept_back * books.net_price[0]
        if "already_owned" in terms:
            # what is there already is worth what it would fetch now
            equipment = bought * market.number(terms["already_owned"]["resale_value"])
        taxed = bought * books.untaxed_unit_cost[month] + of_spares
        in_service = max(month, delivered)
        books.cohorts.append(Cohort(in_service, cost, equipment, bought, last))
        for part in payment:
            paid_in = month + int(part["month"])
            share = float(part["share"])
            books.capex[paid_in] += cost * share
            books.vat_timing[paid_in] += got_back * taxed * share
            books.vat_timing[min(paid_in + back_after, last)] -= got_back * taxed * share
    _refresh(market, terms, books, delivered)
    books.additions = [0.0] * (last + 1)
    for cohort in books.cohorts:
        books.additions[cohort.month] += cohort.cost


def _refresh(market: Market, terms: Given, books: Books, delivered: int) -> None:
    """New cards for old, again and again."""
    if "refresh" not in terms:
        return
    after = int(market.number(terms["refresh"]["after_months"]))
    price = market.number(terms["refresh"]["price"])
    for month in range(delivered + after, market.months, after):
        old = books.cohorts[-1]
        old.retired = month
        amount = old.gpus * price
        books.cohorts.append(Cohort(month, amount, amount, old.gpus, market.months))
        books.capex[month] += amount


def _depreciation(market: Market, terms: Given, books: Books) -> None:
    given: Given = word(market, terms, "depreciation") or {}
    profile = written_off(given, life_of(market, terms), books.salvage_share, market.months)
    books.depreciation, books.disposed_value = by_profile(market, books.cohorts, profile)
    books.book_value = left_over(books.additions, books.depreciation, books.disposed_value)


def life_of(market: Market, terms: Given) -> int:
    """Months of life in the books."""
    return int(market.number(word(market, terms, "life_months"), market.months))


def by_profile(market: Market, cohorts: list[Cohort], profile: Row) -> tuple[Row, Row]:
    """What is written off month by month, and what is left to write off when cards go."""
    depreciation, disposed = [0.0] * (market.months + 1), [0.0] * (market.months + 1)
    for cohort in cohorts:
        left = cohort.cost
        for month in range(cohort.month, cohort.retired + 1):
            amount = cohort.cost * profile[month - cohort.month]
            depreciation[month] += amount
            left -= amount
        disposed[cohort.retired] += left
    return depreciation, disposed


def left_over(additions: Row, depreciation: Row, disposed: Row) -> Row:
    """The value at the end of each month."""
    value, values = 0.0, []
    for added, written, gone in zip(additions, depreciation, disposed, strict=True):
        value += added - written - gone
        values.append(value)
    return values


def _sales(market: Market, terms: Given, found: cards.Gpus, books: Books) -> None:
    given: Given = word(market, terms, "residual_value") or {}
    last = market.months
    books.sale_cost = market.number(given.get("sale_cost"))
    books.resale = [0.0] * (last + 1)
    for cohort in books.cohorts:
        age = cohort.retired - cohort.month
        books.resale[cohort.retired] += cohort.equipment * residual_share(given, age)
    if "amount" in given:
        books.resale[last] += market.number(given["amount"]) * found.gpus[last]
    books.net_resale = [amount * (1 - books.sale_cost) for amount in books.resale]
    books.decommissioning = [0.0] * (last + 1)
    books.decommissioning[last] = market.number(terms.get("decommissioning")) * found.gpus[last]
    books.opportunity_cost = [0.0] * (last + 1)
    if "already_owned" in terms:
        given_up = market.number(terms["already_owned"]["resale_value"]) * found.gpus[last]
        gain = given_up * (1 - books.sale_cost)
        books.opportunity_cost[0] = gain
        # a sale now would be taxed with the rest of its fiscal year
        books.opportunity_cost[market.tax_month[0]] -= market.tax_rate * gain


def _upkeep(market: Market, terms: Given, found: cards.Gpus, books: Books) -> None:
    """Maintenance, or failures, out of warranty."""
    every = range(market.months + 1)
    maintenance: Given = word(market, terms, "maintenance") or {}
    share = market.number(maintenance.get("share_per_year")) / 12
    books.maintenance = [
        share
        * sum(
            cohort.equipment
            for cohort in _out_of_warranty(market, maintenance, books.cohorts, month)
        )
        for month in every
    ]
    failures: Given = word(market, terms, "failures") or {}
    rate = failure_rate(failures) / 12 if failures else 0.0
    given_price = failures.get("replacement_price")
    if "already_owned" in terms:
        # another card is bought at its price, where that is known
        now = cards.hardware_of(market, terms).get("price", terms["already_owned"]["resale_value"])
        given_price = given_price or now
    books.failures = [
        rate
        * market.number(given_price, books.net_price[month])
        * sum(cohort.gpus for cohort in _out_of_warranty(market, failures, books.cohorts, month))
        for month in every
    ]


def _out_of_warranty(
    market: Market, given: Given, cohorts: list[Cohort], month: int
) -> Iterator[Cohort]:
    warranty = market.number(given.get("warranty_months"))
    for cohort in cohorts:
        if cohort.serves(month) and month - cohort.month > warranty:
            yield cohort


def _prepaid_upkeep(market: Market, terms: Given, found: cards.Gpus, books: Books) -> None:
    """Licences and insurance: for a month, paid in the month before."""
    every = range(market.months + 1)
    licence = market.number((word(market, terms, "licences") or {}).get("price_per_year"))
    insured = market.number((word(market, terms, "insurance") or {}).get("share_per_year"))
    books.licences = [licence / 12 * found.gpus[month] if month else 0.0 for month in every]
    books.insurance = [
        insured / 12 * sum(cohort.equipment for cohort in books.cohorts if cohort.serves(month))
        for month in every
    ]
    books.licences_paid = [*books.licences[1:], 0.0]
    books.insurance_paid = [*books.insurance[1:], 0.0]


def _support(market: Market, terms: Given, books: Books, delivered: int) -> None:
    """Support of a quote: paid as the quote is, for the months after delivery."""
    last = market.months
    books.support, books.support_paid = [0.0] * (last + 1), [0.0] * (last + 1)
    quote: Given = terms.get("quote") or {}
    for item in quote.get("items", ()):
        if item.get("kind") != "support":
            continue
        amount, months = market.number(item["amount"]), int(market.number(item["months"]))
        for part in quote.get("payment") or [{"month": 0, "share": 1}]:
            books.support_paid[int(part["month"])] += amount * float(part["share"])
        for month in range(delivered + 1, delivered + months + 1):
            # what is left of it at the end is of no use after it
            books.support[min(month, last)] += amount / months


@dataclass
class Site:
    """What the room of an owned supply costs by the month."""

    tariff: Row = field(default_factory=list)
    contracted_kw: Row = field(default_factory=list)
    colocation: Row = field(default_factory=list)
    peak_kw: Row = field(default_factory=list)
    billed_kw: Row = field(default_factory=list)
    demand_charge: Row = field(default_factory=list)
    room: Row = field(default_factory=list)

    @property
    def cost(self) -> Row:
        """All of it."""
        return total(self.colocation, self.demand_charge, self.room)


def billed_kilowatts(peaks: Row, ratchet: float) -> Row:
    """The peak that is billed: no less than a share of the highest of the 11 months before.

    >>> billed_kilowatts([0.0, 60.0, 80.0, 55.0], 0.8)
    [0.0, 60.0, 80.0, 64.0]
    """
    return [
        max(peak, ratchet * max(peaks[max(month - 11, 0) : month], default=0.0))
        for month, peak in enumerate(peaks)
    ]


def housed(market: Market, terms: Given, gpus: Row, rated: float, pue: float) -> Site:
    """What the place costs, a card and its host being rated at so many watts."""
    site = Site()
    every = range(market.months + 1)
    common: Given = market.scenario.get("site") or {}
    serving = [month > 0 and gpus[month] > 0 for month in every]
    colocation: Given = terms.get("colocation") or common.get("colocation") or {}
    # what a supply says of its place, it says instead of the site
    shared = {} if "colocation" in terms else common
    tariff = word(market, terms, "electricity_price") or common.get("electricity_price")
    path = terms.get("electricity_price_path") or common.get("electricity_price_path")
    if colocation.get("kind") == "all-in":
        site.tariff = [0.0 for _ in every]
    else:
        rising = factors(path, market.months, by="year")
        site.tariff = [market.number(tariff) * factor for factor in rising]
    price = market.number(colocation.get("price"))
    given = colocation.get("contracted_kw")
    site.contracted_kw = [
        gpus[month] * rated / 1000 if given is None else market.number(given) for month in every
    ]
    site.colocation = [site.contracted_kw[month] * price * serving[month] for month in every]
    charge: Given = shared.get("demand_charge") or {}
    site.peak_kw = [gpus[month] * rated / 1000 * pue * (month > 0) for month in every]
    for point in charge.get("peak_kw", ()):
        for month in every:
            # as the meter says, whatever stands there
            if month >= point["month"]:
                site.peak_kw[month] = market.number(point["kw"])
    site.billed_kw = billed_kilowatts(site.peak_kw, market.number(charge.get("ratchet")))
    of_a_kilowatt = market.number(charge.get("price"))
    site.demand_charge = [of_a_kilowatt * billed for billed in site.billed_kw]
    room = market.number(shared.get("room_cost"))
    site.room = [room * serving[month] for month in every]
    return site
