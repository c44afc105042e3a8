"""What a purchase costs, how it is written off, taxed, financed, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from tco.errors import ScenarioError
from tco.scenario import kinds
from tco.scenario.document import Block, Items, Node, describe, nearest
from tco.scenario.fields import (
    AnnualRate,
    CardsOrNone,
    Day,
    Days,
    DecliningFactor,
    Factor,
    Fraction,
    Kilowatts,
    LifeMonths,
    Money,
    MoneyForEachGpu,
    MoneyPerGpu,
    MoneyPerGpuYear,
    MoneyPerKilowattMonth,
    MoneyPerMonth,
    MoneyPerYear,
    MonthNumber,
    Name,
    NominalRate,
    NumberOfCards,
    OperatingMonth,
    Part,
    PriceChange,
    Quantity,
    QuantityMapping,
    Share,
    SharePerMonth,
    SharePerYear,
    WholeMonths,
    YesOrNo,
    items_of,
    reads,
    typed,
    words,
)
from tco.scenario.reading import Reading

if TYPE_CHECKING:
    from tco.scenario.schema import Scenario

ALL = 1.0
NEAR = 1e-9
TABLE = "[40%, 30%, 20%, 10%]"
MACRS = ("macrs", "macrs-mid-quarter")
# the least months of the tax law of China for electronic equipment, with the article that says so
CHINESE_LIVES = {
    "china-straight-line": (36, "Art. 60(5) of the Regulations on Enterprise Income Tax"),
    "china-shortened": (22, "60 % of 36, Art. 98 of the Regulations on Enterprise Income Tax"),
    "china-declining": (36, "Art. 60(5) of the Regulations on Enterprise Income Tax"),
}
ONE_OFF = "china-one-off"
# the words that a way of tax depreciation takes beside its name
WORDS_OF_METHOD: dict[str, tuple[str, ...]] = {
    "book": (),
    "straight-line": ("life_months", "residual"),
    "declining": ("life_months", "residual", "factor"),
    "table": ("shares",),
    **dict.fromkeys(MACRS, ("bonus",)),
    **dict.fromkeys(CHINESE_LIVES, ("life_months", "residual")),
    ONE_OFF: (),
}


def _exactly_one(part: Part, reading: Reading, block: Block, *ways: str) -> None:
    """Report a part that is given in no way or in more than one."""
    given = [way for way in ways if getattr(part, way) is not None]
    misspelt = not given and any(word not in part.words() for word in block)
    if len(given) == 1 or misspelt:
        return
    reading.report(
        block,
        f"exactly one of {', '.join(ways[:-1])} and {ways[-1]}",
        "keep one of them" if given else f"write for example  {part.example}",
        found=" and ".join(given) or (describe(block) if block else "nothing"),
    )


def _without(
    words: Iterable[str], reading: Reading, block: Block, where: str, next_step: str
) -> None:
    """Report words of a block that mean nothing ``where`` they stand."""
    for word in words:
        if word in block:
            reading.report(block[word], f"no {word} {where}", next_step)


def _ascending(months: Sequence[Quantity], reading: Reading, things: str) -> None:
    """Report a month that is not after the one before it."""
    for before, after in pairwise(months):
        if before.value >= after.value:
            reading.report(
                typed(after),
                f"a later month than the {before.text} before it",
                f"write the {things} in ascending order of their months",
            )


def _all_of_it(shares: Sequence[Quantity], reading: Reading, block: Block, below: str) -> None:
    """Report shares that are not 100% together."""
    together = sum(share.value for share in shares)
    if abs(together - ALL) > NEAR:
        reading.report(
            block,
            "shares that sum to 100%",
            "correct the shares",
            found=f"{together * 100:.6g}% in all",
            below=below,
        )


class Vat(Part):
    """Value-added tax on the bill."""

    example = "{rate: 6%, recoverable: no}"

    rate: Fraction
    """Its rate."""
    recoverable: YesOrNo = "yes"
    """Whether it is got back: if so it is no cost."""


class PurchaseVat(Vat):
    """Value-added tax on a purchase: paid with it, and got back later or never."""

    example = "{rate: 13%, recoverable: yes, refund_months: 2}"

    refund_months: WholeMonths | None = None
    """Months until it is got back; at once if not given."""

    def _check(self, reading: Reading, block: Block) -> None:
        if self.recoverable == "no":
            _without(
                ("refund_months",),
                reading,
                block,
                "for a tax that is not got back",
                "delete it, or write  recoverable: yes",
            )


class PurchaseParts(Part):
    """What stands on the bill beside the list price of the cards."""

    example = "{discount: 10%, host: 2000, installation: 300, vat: {rate: 13%}}"

    discount: Fraction | None = None
    """What is taken off the price of the cards."""
    host: MoneyForEachGpu | None = None
    """Servers or computers around the cards, for each card."""
    network: MoneyForEachGpu | None = None
    """Network cards, switches and cables, for each card."""
    rack_and_cooling: MoneyForEachGpu | None = None
    """Racks, power distribution and cooling, for each card."""
    installation: MoneyForEachGpu | None = None
    """Installation, for each card."""
    shipping: MoneyForEachGpu | None = None
    """Shipping and insurance on the way, for each card."""
    duty: Fraction | None = None
    """Import duty, as a share of cards, hosts, network and shipping."""
    vat: PurchaseVat | None = None
    """Value-added tax on all of it."""
    spares: CardsOrNone | None = None
    """Cards that are bought with the others and lie on the shelf."""


class WrittenOff(Part):
    """How much of a purchase is written off at an age."""

    example = "{months: 12, share: 40%}"

    months: WholeMonths
    """The age in months."""
    share: Fraction
    """Share of the cost that is written off by then."""


WRITTEN_OFF = "[{months: 12, share: 60%}, {months: 24, share: 100%}]"


def _check_table(ages: Sequence[WrittenOff], reading: Reading) -> None:
    _ascending([age.months for age in ages], reading, "ages")
    if not ages[0].months.value:
        reading.report(
            typed(ages[0].months),
            "an age of 1 month or more: nothing is written off before",
            "begin with the end of the first months, for example  months: 12",
        )
    for before, after in pairwise(age.share for age in ages):
        if before.value > after.value:
            reading.report(
                typed(after),
                f"a share that is not below the {before.text} before it: shares add up by age",
                "write what is written off in all by that age",
            )
    last = ages[-1].share
    if abs(last.value - ALL) > NEAR:
        reading.report(
            typed(last),
            "a last share of 100%",
            "add the age at which all is written off; what is kept in the books is salvage",
        )


class BookDepreciation(Part):
    """How a purchase is written off in the books."""

    example = "{method: straight-line, start: next-month}"

    method: Annotated[
        Literal["straight-line", "declining", "table"], words("straight-line", "declining", "table")
    ] = "straight-line"
    """Evenly, by a share of what is left, or as a table says."""
    start: Annotated[
        Literal["service-month", "next-month"], words("service-month", "next-month")
    ] = "service-month"
    """Whether the first month of service is written off already, or only the one after it."""
    factor: DecliningFactor | None = None
    """How many times the straight-line rate is written off of what is left; 2 if not given."""
    switch: YesOrNo = "yes"
    """Whether declining goes over to straight-line once that is faster."""
    written_off: Annotated[list[WrittenOff], items_of("ages", WRITTEN_OFF)] | None = None
    """What is written off by which age: straight lines between, 100% at the end."""

    def _check(self, reading: Reading, block: Block) -> None:
        where = f"with the method {self.method}"
        if self.method != "declining":
            next_step = "delete it, or write  method: declining"
            _without(("factor", "switch"), reading, block, where, next_step)
        if self.method != "table":
            next_step = "delete it, or write  method: table"
            _without(("written_off",), reading, block, where, next_step)
        elif self.written_off is None:
            reading.report(
                block,
                "what is written off by which age, where the method is a table",
                f"add for example  written_off: {WRITTEN_OFF}",
                found="nothing",
                below="written_off",
            )
        else:
            _check_table(self.written_off, reading)


def _read_shares(reading: Reading, node: Node) -> list[Quantity]:
    if not isinstance(node, Items) or not node:
        raise reading.reject(
            node, "a list of the shares of the fiscal years", f"write for example  shares: {TABLE}"
        )
    return [Quantity(**reading.quantity(item, kinds.FRACTION)) for item in node]


class TaxDepreciation(Part):
    """How a purchase is deducted for tax."""

    example = "{method: straight-line, life_months: 36}"

    method: Annotated[
        Literal[
            "book",
            "straight-line",
            "declining",
            "table",
            "macrs",
            "macrs-mid-quarter",
            "china-straight-line",
            "china-shortened",
            "china-declining",
            "china-one-off",
        ],
        words(*WORDS_OF_METHOD),
    ] = "book"
    """As in the books, by a life, by a table, or by the law of the United States or of China."""
    life_months: LifeMonths | None = None
    """Months over which it is deducted; those of the books, or the least of Chinese law."""
    residual: Fraction | None = None
    """Share of the cost that is not deducted over the life."""
    factor: DecliningFactor | None = None
    """How many times the straight-line rate is deducted of what is left; 2 if not given."""
    bonus: Fraction | None = None
    """Share that is deducted in the year of service, before the table of MACRS."""
    shares: (
        Annotated[
            list[Quantity],
            kinds.FRACTION,
            reads(_read_shares, list[float | str | QuantityMapping]),
        ]
        | None
    ) = None
    """Shares of the cost by fiscal year, that of service first; 100% in all."""

    def _check(self, reading: Reading, block: Block) -> None:
        for word in ("life_months", "residual", "factor", "bonus", "shares"):
            if word in WORDS_OF_METHOD[self.method]:
                continue
            takes = [method for method, words in WORDS_OF_METHOD.items() if word in words]
            _without(
                (word,),
                reading,
                block,
                f"with the method {self.method}",
                f"delete it, or choose a method that takes it: {', '.join(takes)}",
            )
        if self.method == "table" and self.shares is None:
            reading.report(
                block,
                "the shares of the fiscal years, where the method is a table",
                f"add for example  shares: {TABLE}",
                found="nothing",
                below="shares",
            )
        if self.method == "table" and self.shares is not None:
            _all_of_it(self.shares, reading, block, "shares")
        if self.method in MACRS and reading.currency == "CNY":
            reading.report(
                block["method"],
                "a method that China knows, where the currency is CNY: MACRS is that of the "
                "United States",
                "write for example  method: china-straight-line",
            )
        if self.method.startswith("china-") and reading.currency != "CNY":
            reading.report(
                block["method"],
                f"a method for amounts in {reading.currency}: this one is that of China, for CNY",
                "write for example  method: straight-line, or  currency: CNY",
            )
        least, article = CHINESE_LIVES.get(self.method, (0, ""))
        if self.life_months is not None and self.life_months.value < least:
            reading.report(
                typed(self.life_months),
                f"at least {least} months ({article})",
                f"write  life_months: {least}, or more",
            )


class Tax(Part):
    """Tax on the profit that the costs reduce."""

    example = "{rate: 25%}"

    rate: Fraction
    """Its rate."""
    paid: Annotated[Literal["year-end", "month"], words("year-end", "month")] = "year-end"
    """Whether it is settled for the fiscal year or month by month."""
    lag_months: WholeMonths | None = None
    """Months from the end of the fiscal year to the payment; 0 if not given."""
    losses: Annotated[
        Literal["elsewhere", "carried", "worthless"], words("elsewhere", "carried", "worthless")
    ] = "elsewhere"
    """What costs above the profit are worth: set off elsewhere, carried to later years, nothing."""
    profit_per_year: MoneyPerYear | None = None
    """Profit that the costs can be set off against, where losses are not used elsewhere."""
    loss_limit: Fraction | None = None
    """Largest share of a year's profit that losses of earlier years may take away."""
    depreciation: TaxDepreciation | None = None
    """How purchases are deducted; as in the books if not given."""

    def _check(self, reading: Reading, block: Block) -> None:
        if self.paid == "month":
            _without(
                ("lag_months",),
                reading,
                block,
                "where tax is paid month by month",
                "delete it, or write  paid: year-end",
            )
            if self.losses != "elsewhere":
                reading.report(
                    block["losses"],
                    "losses: elsewhere, where tax is paid month by month: losses are counted by "
                    "fiscal year",
                    "write  paid: year-end, or  losses: elsewhere",
                )
        if self.losses == "elsewhere":
            _without(
                ("profit_per_year",),
                reading,
                block,
                "where losses are set off elsewhere: all costs save tax",
                "delete it, or write  losses: carried  or  losses: worthless",
            )
        if self.losses != "carried":
            _without(
                ("loss_limit",),
                reading,
                block,
                f"with losses: {self.losses}",
                "delete it, or write  losses: carried",
            )


class QuoteItem(Part):
    """One line of a quote, for all cards of the supply."""

    example = "{name: 8 cards, amount: 12800, kind: hardware}"

    name: Name
    """What it is."""
    amount: Money
    """What all of it costs."""
    kind: Annotated[
        Literal["hardware", "network", "support"], words("hardware", "network", "support")
    ] = "hardware"
    """Hardware and network are bought; support is an expense of its months."""
    months: LifeMonths | None = None
    """Months that support is for."""

    def _check(self, reading: Reading, block: Block) -> None:
        if self.kind == "support" and self.months is None:
            reading.report(
                block,
                "the months that the support is for",
                "add for example  months: 36",
                found="nothing",
                below="months",
            )
        if self.kind != "support":
            _without(
                ("months",),
                reading,
                block,
                f"for {self.kind}, which is bought",
                "delete it, or write  kind: support",
            )


class Payment(Part):
    """A part of the price and the month in which it is paid."""

    example = "{month: 0, share: 30%}"

    month: MonthNumber
    """The month, 0 for the decision."""
    share: Fraction
    """Share of the price."""


ITEMS = "[{name: servers, amount: 120000}]"
PAYMENTS = "[{month: 0, share: 30%}, {month: 2, share: 70%}]"


class Quote(Part):
    """What a vendor offers for all cards of the supply, in place of a price."""

    example = f"{{items: {ITEMS}, valid_until: 2026-12-31}}"

    items: Annotated[list[QuoteItem], items_of("items", ITEMS)]
    """The lines of the quote."""
    valid_until: Day | None = None
    """The last day on which it can be accepted."""
    payment: Annotated[list[Payment], items_of("payments", PAYMENTS)] | None = None
    """What is paid when; all in month 0 if not given."""
    lead_time_months: WholeMonths | None = None
    """Months from the order to service; 0 if not given."""

    def _check(self, reading: Reading, block: Block) -> None:
        if not any(item.kind == "hardware" for item in self.items):
            reading.report(
                block,
                "at least one item of hardware, which is the price of the cards",
                f"add for example  {QuoteItem.example}",
                found="no hardware",
                below="items",
            )
        if self.payment is not None:
            _ascending([part.month for part in self.payment], reading, "payments")
            _all_of_it([part.share for part in self.payment], reading, block, "payment")


class AlreadyOwned(Part):
    """Cards that are there already: nothing is bought, but they could be sold."""

    example = "{resale_value: 900}"

    resale_value: MoneyForEachGpu
    """What one card could be sold for now."""


class Refresh(Part):
    """Cards that are replaced again and again."""

    example = "{after_months: 36, price: 1500}"

    after_months: LifeMonths
    """Months of service after which they are replaced."""
    price: MoneyPerGpu
    """Price of one new card with all that belongs to it."""


class Maintenance(Part):
    """A contract that keeps the equipment going."""

    example = "{share_per_year: 5%, warranty_months: 12}"

    share_per_year: SharePerYear
    """Its price a year as a share of the price of the equipment."""
    warranty_months: WholeMonths | None = None
    """Months in which the seller bears it; 0 if not given."""


class Failures(Part):
    """Cards that fail and are replaced, where no contract covers that."""

    example = "{share_per_year: 4%}"

    share_per_year: SharePerYear | None = None
    """Share of the cards that fail in a year."""
    events: CardsOrNone | None = None
    """Failures that were counted, in place of a share."""
    gpus: NumberOfCards | None = None
    """Cards among which they were counted."""
    days: Days | None = None
    """Days over which they were counted."""
    warranty_months: WholeMonths | None = None
    """Months in which the seller replaces them; 0 if not given."""
    replacement_price: MoneyPerGpu | None = None
    """Price of a replacement; the net price of a card if not given."""

    def _check(self, reading: Reading, block: Block) -> None:
        counted = ("events", "gpus", "days")
        given = [word for word in counted if getattr(self, word) is not None]
        if (self.share_per_year is not None) == bool(given):
            reading.report(
                block,
                "share_per_year, or events, gpus and days together",
                "keep one of the two ways" if given else f"write for example  {self.example}",
                found=f"share_per_year and {given[0]}"
                if given
                else (describe(block) if block else "nothing"),
            )
        elif given and len(given) < len(counted):
            lacking = [word for word in counted if word not in given]
            reading.report(
                block,
                "events, gpus and days together: how many failed among how many in how long",
                f"add {' and '.join(lacking)}, or write  share_per_year: 4%  in their place",
                found=f"{' and '.join(given)} alone",
            )


class Licences(Part):
    """Software that is paid by the card."""

    example = "{price_per_year: 4500}"

    price_per_year: MoneyPerGpuYear
    """Price of one card for a year."""


class Insurance(Part):
    """Insurance of the equipment."""

    example = "{share_per_year: 1%}"

    share_per_year: SharePerYear
    """Premium a year as a share of the price of the equipment."""


class AgeShare(Part):
    """What equipment of an age sells for."""

    example = "{months: 36, share: 30%}"

    months: WholeMonths
    """The age in months."""
    share: Fraction
    """Share of its price that it sells for."""


AGES = "[{months: 12, share: 70%}, {months: 36, share: 30%}]"


class ResidualValue(Part):
    """What equipment sells for when it is no longer used: cash, unlike a salvage value."""

    example = "{loss_per_year: 30%, sale_cost: 10%}"

    by_age: Annotated[list[AgeShare], items_of("ages", AGES)] | None = None
    """Shares of its price by age: straight lines between, the last share after that."""
    loss_per_year: SharePerYear | None = None
    """Share of its value that it loses each year."""
    amount: MoneyForEachGpu | None = None
    """What one card sells for in the last month."""
    sale_cost: Fraction | None = None
    """Share of the price that selling costs."""

    def _check(self, reading: Reading, block: Block) -> None:
        _exactly_one(self, reading, block, "by_age", "loss_per_year", "amount")
        _ascending([age.months for age in self.by_age or ()], reading, "ages")


class Loan(Part):
    """Money that is lent for the purchases and paid back in equal instalments."""

    example = "{rate: 8%, months: 36}"

    share: Share | None = None
    """Share of the purchases that is lent; all if not given."""
    rate: NominalRate
    """Nominal rate a year: a twelfth of it is charged each month."""
    months: LifeMonths
    """Months in which it is paid back."""
    paid: Annotated[Literal["advance", "arrears"], words("advance", "arrears")] = "arrears"
    """Whether an instalment is paid at the beginning of its month or at its end."""
    fee: Fraction | None = None
    """Fee of the lender, as a share of the loan."""
    grace_months: WholeMonths | None = None
    """First months in which only interest is paid."""
    balloon: Fraction | None = None
    """Share of the loan that is left for the last month."""

    def _check(self, reading: Reading, block: Block) -> None:
        grace = self.grace_months
        if grace is not None and grace.value >= self.months.value:
            reading.report(
                typed(grace),
                f"fewer months than the {self.months.text} of the loan",
                "shorten the grace, or pay the loan back over more months",
            )


class Lease(Part):
    """Equipment that is leased in place of being paid."""

    example = "{payment: 900, months: 36, rate: 8%}"

    payment: MoneyPerMonth
    """What is paid each month for all cards."""
    months: LifeMonths
    """Months that are paid."""
    paid: Annotated[Literal["advance", "arrears"], words("advance", "arrears")] = "arrears"
    """Whether a month is paid at its beginning or at its end."""
    buyout: Money | None = None
    """What buying it at the end costs; without it the equipment goes back."""
    rate: NominalRate
    """Nominal rate a year at which money could be borrowed instead."""
    residual_rate: AnnualRate | None = None
    """Effective rate a year for the value at the end; else the borrowing rate after tax."""


class Financing(Part):
    """Who pays for the purchase: a lender or a lessor."""

    example = "{loan: {rate: 8%, months: 36}}"

    loan: Loan | None = None
    """Money that is lent."""
    lease: Lease | None = None
    """Equipment that is leased."""

    def _check(self, reading: Reading, block: Block) -> None:
        _exactly_one(self, reading, block, "loan", "lease")


class Colocation(Part):
    """Room in the data centre of another, paid by the kW."""

    example = "{kind: metered, price: 150}"

    kind: Annotated[Literal["metered", "all-in"], words("metered", "all-in")]
    """Whether electricity is paid on top (metered) or is in the price (all-in)."""
    price: MoneyPerKilowattMonth
    """Price of a kW for a month."""
    contracted_kw: Kilowatts | None = None
    """kW that are contracted for the supply; what its cards and hosts are rated at if not given."""


# what an all-in price of colocation covers
COVERED = ("electricity_price", "electricity_price_path", "pue", "demand_charge")


def check_colocation(colocation: Colocation | None, reading: Reading, block: Block) -> None:
    """Report what is paid twice beside colocation in the same block."""
    if colocation is None:
        return
    if colocation.kind == "all-in":
        _without(
            COVERED,
            reading,
            block,
            "beside an all-in colocation, whose price covers it",
            "delete it, or write  kind: metered",
        )
    _without(
        ("room_cost",),
        reading,
        block,
        "beside colocation, which is the room of another",
        "delete one of the two",
    )


class PeakPower(Part):
    """The highest power of the months from one on."""

    example = "{month: 1, kw: 10}"

    month: OperatingMonth
    """The first month it holds for."""
    kw: Kilowatts
    """The highest power of such a month."""


PEAKS = "[{month: 1, kw: 10}, {month: 7, kw: 14}]"


class DemandCharge(Part):
    """What the grid charges for the highest power of a month."""

    example = "{price: 15, ratchet: 80%}"

    price: MoneyPerKilowattMonth
    """Price of a kW for a month."""
    ratchet: Fraction | None = None
    """Share of the highest power of the 11 months before that is paid at least."""
    peak_kw: Annotated[list[PeakPower], items_of("months", PEAKS)] | None = None
    """Highest power by month; what the cards and hosts are rated at times PUE if not given."""

    def _check(self, reading: Reading, block: Block) -> None:
        months = [peak.month for peak in self.peak_kw or ()]
        _ascending(months, reading, "peaks")
        if months and months[0].value != 1:
            reading.report(
                typed(months[0]),
                "a first peak that holds from month 1",
                "add a peak for month 1 before it, for example  {month: 1, kw: 10}",
            )


class PathStep(Part):
    """The price of the months from one on, compared with the first price."""

    example = "{month: 13, factor: 0.8}"

    month: OperatingMonth
    """The first month it holds for."""
    factor: Factor
    """How many times the first price."""


STEPS = "[{month: 13, factor: 0.8}, {month: 25, factor: 0.6}]"


class PricePath(Part):
    """How a price changes over the months: at a rate, in steps, or back to a level."""

    example = "{change_per_year: -20%}"

    change_per_year: PriceChange | None = None
    """Change a year, compounding."""
    by: Annotated[Literal["month", "year"], words("month", "year")] | None = None
    """Whether it changes each month or once a year; electricity by the year if not given."""
    steps: Annotated[list[PathStep], items_of("steps", STEPS)] | None = None
    """Factors of the first price, from a month on."""
    level: Factor | None = None
    """The factor of the first price to which it reverts."""
    reverting_per_month: SharePerMonth | None = None
    """Share of the distance to that level that is made up in a month."""

    def _check(self, reading: Reading, block: Block) -> None:
        _exactly_one(self, reading, block, "change_per_year", "steps", "level")
        _ascending([step.month for step in self.steps or ()], reading, "steps")
        if self.steps or self.level:
            _without(
                ("by",),
                reading,
                block,
                "without a change_per_year",
                "delete it: steps and a level say by themselves when the price changes",
            )
        if self.level is None:
            _without(
                ("reverting_per_month",),
                reading,
                block,
                "without the level to which it reverts",
                "add for example  level: 0.5",
            )
        elif self.reverting_per_month is None:
            reading.report(
                block,
                "how fast the price reverts to that level",
                "add for example  reverting_per_month: 5%",
                found="nothing",
                below="reverting_per_month",
            )


def faults_of_accounts(scenario: Scenario, names: Iterable[str]) -> list[ScenarioError]:
    """The accounts of lines that no model has; ``names`` are those of all lines of money."""
    allowed = sorted(names)
    faults = []
    for line in scenario.accounts:
        if line in allowed:
            continue
        near = nearest(line, allowed)
        faults.append(
            ScenarioError(
                scenario.path,
                scenario.lines.get(f"accounts.{line}"),
                f"accounts.{line}",
                f"the key {line}",
                f"the name of a line of money, one of {', '.join(allowed)}",
                f"did you mean {near}?" if near else "delete the line, or use one of these names",
            )
        )
    return faults
