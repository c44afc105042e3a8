"""What serves work: cards that are bought, cards that are rented, an API; and chains of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    GetJsonSchemaHandler,
    Tag,
    ValidationInfo,
    model_validator,
)
from pydantic_core import CoreSchema

from tco.scenario import kinds
from tco.scenario.document import Block, Items, Node, Scalar, describe
from tco.scenario.fields import (
    AnnualRate,
    CardName,
    DurationHours,
    Factor,
    Fraction,
    Gigabytes,
    HostPower,
    HoursPerTask,
    LifeMonths,
    Money,
    MoneyForEachGpu,
    MoneyPerGigabyte,
    MoneyPerGigabyteMonth,
    MoneyPerGpu,
    MoneyPerKilowattHour,
    MoneyPerMegatoken,
    MoneyPerMonth,
    MoneyPerTask,
    Name,
    NumberOfCards,
    OutputRate,
    Part,
    Power,
    Pue,
    Quantity,
    QuantityMapping,
    RentalPriceAsTyped,
    Requests,
    Share,
    SpeedUp,
    StaffHours,
    StepHours,
    TasksPerHour,
    Text,
    TimesPerMonth,
    TokenLength,
    TotalRate,
    Whole,
    YesOrNo,
    items_of,
    quantity_of,
    reading_of,
    reads,
    words,
)
from tco.scenario.finance import (
    AlreadyOwned,
    BookDepreciation,
    Colocation,
    Failures,
    Financing,
    Insurance,
    Licences,
    Maintenance,
    PricePath,
    PurchaseParts,
    Quote,
    Refresh,
    ResidualValue,
    TaxDepreciation,
    Vat,
    check_colocation,
)
from tco.scenario.reading import Reading, Rejected

AUTO = "auto"
COUNT_OR_AUTO = replace(kinds.COUNT, expected=f"{kinds.COUNT.expected}, or the word {AUTO}")
PRECISIONS = ("fp16", "bf16", "fp8", "int8", "int4")
PRESENT = "present"


# what the cards cost, which one of these says
SOURCES = ("price", "quote", "already_owned")
# what is said of a fixed number of cards
FIXED = ("quote", "already_owned", "refresh")


def _read_count(reading: Reading, node: Node) -> Quantity | str:
    if isinstance(node, Scalar) and node.text == AUTO:
        return AUTO
    return Quantity(**reading.quantity(node, COUNT_OR_AUTO))


def _read_billing_rate(reading: Reading, node: Node) -> Quantity:
    return Quantity(**reading.billing_rate(node))


Count = Annotated[Quantity | Literal["auto"], kinds.COUNT, reads(_read_count, float | str)]


class Published(Part):
    """What somebody else printed for the option, to be shown beside the result."""

    example = "{per_month: 168, source: article C}"

    per_month: MoneyPerMonth
    """Money a month as printed."""
    source: Text | None = None
    """Who printed it."""


class Throughput(Part):
    """What was measured: output tokens a second at one mix of lengths and load."""

    example = "{output_rate: 2400, input_length: 1024, output_length: 256, concurrency: 64}"

    output_rate: TotalRate
    """Output tokens a second, all the cards that were measured together."""
    gpus: NumberOfCards | None = None
    """Cards that were measured together; 1 if not given."""
    input_length: TokenLength | None = None
    """Input tokens of a request."""
    output_length: TokenLength | None = None
    """Output tokens of a request."""
    concurrency: Requests | None = None
    """Requests in flight at the same time."""
    tensor_parallel: NumberOfCards | None = None
    """Cards that held one copy of the model."""
    source: Text | None = None
    """Who measured it, with which engine and version."""
    note: Text | None = None
    """Whatever a reader should know."""

    def _check(self, reading: Reading, block: Block) -> None:
        together, gpus = self.tensor_parallel, self.gpus
        if together is not None and gpus is not None and gpus.value % together.value:
            reading.report(
                Scalar(gpus.text, True, gpus.line, gpus.path),
                f"a multiple of the {together.text} cards that hold one copy (tensor_parallel)",
                "write all the cards that were measured together",
            )


class Sizing(Part):
    """How many cards are needed for a load, and how much of them may be planned with."""

    example = "{gpus_per_replica: 4, busy_ceiling: 70%, spare_replicas: 1}"

    gpus_per_replica: NumberOfCards | None = None
    """Cards that hold one copy of the model together (tensor parallel); 1 if not given."""
    gpus_per_node: NumberOfCards | None = None
    """Cards that are bought or rented as one board or node; 1 if not given."""
    busy_ceiling: Share | None = None
    """Highest busy share to plan with; 100% if not given."""
    spare_replicas: Whole | None = None
    """Replicas on top of those the load needs (N+1 is 1)."""
    availability: Share | None = None
    """Share of the hours that the cards are up, where there is no spare."""

    def _check(self, reading: Reading, block: Block) -> None:
        if self.spare_replicas and self.availability and self.spare_replicas.value:
            reading.report(
                block,
                "spare_replicas or availability",
                "keep one: a spare stands in for what is down",
                found="both",
                below="availability",
            )


class Memory(Part):
    """What the memory of a card has to hold beside the weights of the model."""

    example = "{precision: fp16, context: 8192, sequences: 10}"

    precision: Annotated[Literal["fp16", "bf16", "fp8", "int8", "int4"], words(*PRECISIONS)] = (
        "fp16"
    )
    """How a weight is stored."""
    context: TokenLength | None = None
    """Tokens of one sequence, prompt and answer together."""
    sequences: Whole | None = None
    """Sequences that are served at the same time by one copy of the model."""
    overhead_gb: Gigabytes | None = None
    """Memory of the runtime on each card."""
    usable_share: Fraction | None = None
    """Share of the memory that may be filled."""


# two ways to say what one card does in an hour, of which one is enough
SPEEDS = (("output_rate", "throughput"), ("tasks_per_hour", "hours_per_task"))


class Speed(Part):
    """What one card does, which a supply or its card may say."""

    output_rate: OutputRate | None = None
    """Output tokens a second of one card."""
    throughput: (
        Annotated[list[Throughput], items_of("measured points", Throughput.example)] | None
    ) = None
    """Measured points in place of output_rate."""
    tasks_per_hour: TasksPerHour | None = None
    """Tasks an hour of one card."""
    hours_per_task: HoursPerTask | None = None
    """Hours of one card for one task."""
    speed_up: SpeedUp | None = None
    """Hours of work, of the card the demand was measured on, that one hour of this card does."""
    utilisation: Fraction | None = None
    """Busy share, used where demand or output_rate is missing."""

    def _check(self, reading: Reading, block: Block) -> None:
        """Report a speed that is given twice."""
        for one, other in SPEEDS:
            if getattr(self, one) is not None and getattr(self, other) is not None:
                reading.report(
                    block, f"{one} or {other}", "keep one of the two", found="both", below=other
                )
        super()._check(reading, block)


class Purchase(Part):
    """What one bought card costs and draws, which a supply or its card may say."""

    price: MoneyPerGpu | None = None
    """Price of one card; the word book takes the newest of the price book by as_of."""
    tdp: Power | None = None
    """Rated power of one card."""
    idle_power: Power | None = None
    """Watts of one card without work."""
    active_power: Power | None = None
    """Watts of one card at work; the rated power if not given."""
    life_months: LifeMonths | None = None
    """Months over which the purchase is written off."""
    salvage: MoneyPerGpu | None = None
    """Book value of one card at the end of its life; never cash."""
    purchase: PurchaseParts | None = None
    """What stands on the bill beside the price of the cards."""
    depreciation: BookDepreciation | None = None
    """How it is written off in the books; straight-line if not given."""
    tax_depreciation: TaxDepreciation | None = None
    """How it is deducted for tax, if not as the whole scenario says."""
    maintenance: Maintenance | None = None
    """A contract that keeps it going."""
    failures: Failures | None = None
    """Cards that fail and are replaced, in place of a contract."""
    licences: Licences | None = None
    """Software that is paid by the card."""
    insurance: Insurance | None = None
    """Insurance of the equipment."""
    residual_value: ResidualValue | None = None
    """What it sells for in the end."""
    host_power: HostPower | None = None
    """Watts of the computer around it, for each card, with or without work."""

    def _check(self, reading: Reading, block: Block) -> None:
        """Report failures that are paid twice."""
        if self.maintenance is not None and self.failures is not None:
            reading.report(
                block["failures"],
                "maintenance or failures",
                "keep one: a contract covers what fails",
                found="both",
            )
        super()._check(reading, block)


class Cards(Speed):
    """A supply of cards, bought or rented."""

    count: Count
    """How many cards, or auto: as many as the demand needs."""
    sizing: Sizing | None = None
    """Replicas, boards, spares and the busy share to plan with."""
    memory: Memory | None = None
    """What the model needs of the card's memory."""
    tokeniser_factor: Factor | None = None
    """Tokens of its model for one token of the demand; 1 if not given."""
    staff_hours_per_month: StaffHours | None = None
    """Hours of work a month for the whole supply."""
    model: Name | None = None
    """The model it runs."""
    published: Published | None = None
    """What somebody printed for this option."""


class Own(Cards, Purchase):
    """Cards that are bought."""

    example = "{own: rtx-4090, count: 2, price: 1599}"

    own: CardName
    """The card: a known one, or one described under hardware."""
    price_change_per_year: AnnualRate | None = None
    """How the price of cards that are bought later changes a year."""
    electricity_price: MoneyPerKilowattHour | None = None
    """Price of a kWh, if not that of the site; or book and a place, such as book us-industrial."""
    electricity_price_path: PricePath | None = None
    """How that price changes, if not as that of the site."""
    pue: Pue | None = None
    """Power usage effectiveness, if not that of the site."""
    colocation: Colocation | None = None
    """Room in the data centre of another, if not as the site says."""
    quote: Quote | None = None
    """What a vendor offers for all cards, in place of a price."""
    already_owned: AlreadyOwned | None = None
    """Cards that are there already, in place of a price."""
    refresh: Refresh | None = None
    """How the cards are replaced again and again."""
    financing: Financing | None = None
    """Who pays for the purchase."""
    decommissioning: MoneyForEachGpu | None = None
    """What taking one card down costs in the last month."""

    @property
    def kind(self) -> Literal["own"]:
        """The kind of supply."""
        return "own"

    def _check(self, reading: Reading, block: Block) -> None:
        super()._check(reading, block)
        self._check_source(reading, block)
        self._check_lease(reading, block)
        check_colocation(self.colocation, reading, block)

    def _check_source(self, reading: Reading, block: Block) -> None:
        """A price, a quote or what is owned already: one of them, and for how many cards."""
        sources = [name for name in SOURCES if getattr(self, name) is not None]
        if len(sources) > 1:
            reading.report(
                block[sources[1]],
                f"one of {', '.join(SOURCES[:-1])} and {SOURCES[-1]}",
                "keep one of them: it says what the cards cost",
                found=" and ".join(sources),
            )
        fixed = [name for name in FIXED if getattr(self, name) is not None]
        fixed += ["financing.lease"] if self.financing and self.financing.lease else []
        for name in fixed if self.count == AUTO else ():
            reading.report(
                _below(block, name),
                f"no {name} where the count follows the demand: it is for a fixed number",
                f"write for example  count: 8, or delete {name}",
                found=f"count: {AUTO}",
            )
        if self.already_owned is None:
            return
        for name in ("salvage", "purchase"):
            if name in block:
                reading.report(
                    block[name],
                    f"no {name} of cards that are owned already: nothing is bought",
                    "delete it, or give a price in place of already_owned",
                )
        if self.financing is not None and self.refresh is None:
            reading.report(
                block["financing"],
                "no financing of cards that are owned already: nothing is bought",
                "delete it, or give a price in place of already_owned",
            )

    def _check_lease(self, reading: Reading, block: Block) -> None:
        """What a lease, which pays for one delivery, cannot be combined with."""
        if self.financing is None or self.financing.lease is None:
            return
        quote = self.quote
        for name, given in (
            ("refresh", self.refresh),
            ("quote.payment", quote.payment if quote else None),
            ("quote.lead_time_months", quote.lead_time_months if quote else None),
        ):
            if given is not None:
                reading.report(
                    _below(block, name),
                    f"no {name} beside a lease, which pays for one delivery in month 0",
                    "delete it, or finance the purchase with a loan",
                    found=f"a lease and {name}",
                )


def _below(block: Block, path: str) -> Node:
    """What stands in a block under keys with dots between them."""
    node: Node = block
    for key in path.split("."):
        assert isinstance(node, Block)
        node = node[key]
    return node


class Reserved(Part):
    """A rental for a term: all its hours are paid, used or not."""

    example = "{price: 1.70, upfront: 1752, term_months: 12}"

    price: RentalPriceAsTyped
    """Price of a GPU-hour in the term."""
    upfront: MoneyPerGpu | None = None
    """Paid for each card at the beginning of each term."""
    term_months: LifeMonths
    """Months of a term; it is renewed at the same terms."""


class Spot(Part):
    """Cards that may be taken away at any time."""

    example = "{hours_between_interruptions: 8, checkpoint_hours: 0.5, restart_hours: 0.15}"

    hours_between_interruptions: DurationHours
    """Mean hours from one interruption to the next."""
    checkpoint_hours: DurationHours | None = None
    """Hours between checkpoints: half of one is lost by an interruption."""
    restart_hours: DurationHours | None = None
    """Hours until work goes on."""

    def _check(self, reading: Reading, block: Block) -> None:
        checkpoint = self.checkpoint_hours.value if self.checkpoint_hours else 0.0
        restart = self.restart_hours.value if self.restart_hours else 0.0
        between = self.hours_between_interruptions
        if between.value <= checkpoint / 2 + restart:
            reading.report(
                Scalar(between.text, True, between.line, between.path),
                f"more hours than an interruption costs: {checkpoint:g}/2 + {restart:g}",
                "checkpoint more often, or do not use spot cards",
            )


class Sessions(Part):
    """How rented cards are taken and given back, where not all hours are paid."""

    example = "{per_month: 60, minimum_hours: 1, increment_hours: 1, startup_hours: 0.1}"

    per_month: TimesPerMonth
    """How often a month a card is taken, all cards counted together."""
    minimum_hours: DurationHours | None = None
    """Hours that are billed at least, each time."""
    increment_hours: StepHours | None = None
    """Hours are billed in steps of this."""
    startup_hours: DurationHours | None = None
    """Hours before work begins, each time: image and weights are loaded."""


class Storage(Part):
    """What is kept while cards are off."""

    example = "{gb: 500, price: 0.10}"

    gb: Gigabytes
    """Gigabytes that are kept."""
    price: MoneyPerGigabyteMonth
    """Price of a gigabyte for a month."""


class Egress(Part):
    """What is sent out of the provider's network."""

    example = "{gb_per_month: 200, price: 0.09}"

    gb_per_month: Gigabytes
    """Gigabytes a month."""
    price: MoneyPerGigabyte
    """Price of a gigabyte."""


class Prepaid(Part):
    """A balance that is paid in at the decision, kept up, and used up in the last month."""

    example = "{balance: 200, lost_in_month: 12}"

    balance: Money
    """The balance."""
    lost_in_month: Whole | None = None
    """The month in which it is lost and paid again; 0 for never."""


class Rent(Cards):
    """Cards that are rented by the hour."""

    example = "{rent: rtx-4090, count: 2, price: 0.49}"

    rent: CardName
    """The card: a known one, or one described under hardware."""
    price: RentalPriceAsTyped | None = None
    """Price of a GPU-hour: the median, or median and minimum; or the word book, for that of the
    price book by as_of."""
    price_path: PricePath | None = None
    """How that price changes."""
    billed: Annotated[Literal["held", "busy", "needed"], words("held", "busy", "needed")] = "held"
    """Paid for all hours (held), for the busy ones (busy), or for those in which the load is above
    what stands before it (needed)."""
    reserved: Reserved | None = None
    """A term in place of the price."""
    spot: Spot | None = None
    """How often the cards are taken away."""
    sessions: Sessions | None = None
    """Minimum, increment and start-up where not all hours are paid."""
    storage: Storage | None = None
    """What is kept all the time."""
    egress: Egress | None = None
    """What is sent out."""
    prepaid: Prepaid | None = None
    """A balance with the provider."""

    @property
    def kind(self) -> Literal["rent"]:
        """The kind of supply."""
        return "rent"

    def _check(self, reading: Reading, block: Block) -> None:
        super()._check(reading, block)
        if self.reserved is not None:
            for other, given in (
                ("price", self.price),
                ("billed", None if self.billed == "held" else self.billed),
                ("spot", self.spot),
                ("price_path", self.price_path),
            ):
                if given is not None:
                    reading.report(
                        block,
                        f"reserved or {other}",
                        "a reservation is paid for all hours at its own price: keep one of the two",
                        found="both",
                        below=other,
                    )
        if self.sessions is not None and self.billed == "held":
            reading.report(
                block,
                "no sessions where all hours are paid",
                "write  billed: busy  or  billed: needed, or delete the sessions",
                found="sessions",
                below="sessions",
            )


TIERS = "[{up_to: 100 M, price: 10}, {price: 8}]"


class Tier(Part):
    """The price of the units of a month up to a volume."""

    example = "{up_to: 100 M, price: 10}"

    price: MoneyPerMegatoken
    """Price of a million tokens."""
    up_to: Annotated[Quantity, kinds.TOKENS, quantity_of(kinds.TOKENS)] | None = None
    """The last token of a month that it holds for; the last tier has none."""


class LongContext(Part):
    """Dearer prices for every token of a request whose prompt is long."""

    example = "{above: 200k, input_price: 6, output_price: 22.5}"

    above: TokenLength
    """Tokens of a prompt above which the whole request is billed at these prices."""
    input_price: MoneyPerMegatoken | None = None
    """Price of a million input tokens; cached ones are dearer in the same proportion."""
    output_price: MoneyPerMegatoken | None = None
    """Price of a million output tokens."""


class Batch(Part):
    """Work that can wait."""

    example = "{share: 30%, discount: 50%}"

    share: Fraction
    """Share of the work that is sent as a batch."""
    discount: Fraction
    """What is taken off its price."""


class Commitment(Part):
    """A minimum to be paid each month."""

    example = "{amount: 5000, overage_discount: 10%}"

    amount: MoneyPerMonth
    """What is paid at least."""
    overage_discount: Fraction | None = None
    """What is taken off the price of what goes beyond it."""


class Api(Part):
    """An API that is paid by the token or by the task."""

    example = "{api: gpt-4o, output_price: 15}"

    api: Name
    """The model."""
    provider: Name | None = None
    """Who sells it."""
    price: Annotated[Literal["book"], words("book")] | None = None
    """The word book takes the provider's list prices of the day of the scenario."""
    output_price: MoneyPerMegatoken | None = None
    """Price of a million output tokens."""
    input_price: MoneyPerMegatoken | None = None
    """Price of a million input tokens."""
    cache_read_price: MoneyPerMegatoken | None = None
    """Price of a million input tokens read from a cache; the input price if not given."""
    cache_write_price: MoneyPerMegatoken | None = None
    """Price of a million input tokens written to a cache for 5 minutes; else the input price."""
    cache_write_1h_price: MoneyPerMegatoken | None = None
    """Price of a million input tokens written to a cache for an hour; else as for 5 minutes."""
    output_tiers: Annotated[list[Tier], items_of("tiers", TIERS)] | None = None
    """Prices of output by the volume of a month, in place of output_price."""
    input_tiers: Annotated[list[Tier], items_of("tiers", TIERS)] | None = None
    """Prices of input by the volume of a month, in place of input_price."""
    tiering: Annotated[Literal["graduated", "all-units"], words("graduated", "all-units")] = (
        "graduated"
    )
    """Each unit at the price of its tier, or all at that of the tier the month reaches."""
    long_context: LongContext | None = None
    """Prices of requests with a long prompt."""
    batch: Batch | None = None
    """Work sent as a batch."""
    commitment: Commitment | None = None
    """A minimum to be paid each month."""
    task_price: MoneyPerTask | None = None
    """Price of one task."""
    fx_fee: Fraction | None = None
    """What the bank adds to a bill in another currency."""
    vat: Vat | None = None
    """Value-added tax on the bill."""
    billing_rate: Annotated[Quantity, reads(_read_billing_rate, str | QuantityMapping)] | None = (
        None
    )
    """What a reseller bills for one unit of the list price: 1 CNY/USD."""
    retries_billed: YesOrNo = "yes"
    """Whether attempts that fail are billed."""
    tokeniser_factor: Factor | None = None
    """Tokens of its model for one token of the demand; 1 if not given."""
    price_path: PricePath | None = None
    """How all its prices change."""
    rate_limit: TotalRate | None = None
    """Output tokens a second that it serves at most."""
    prepaid: Prepaid | None = None
    """A balance with the provider."""
    staff_hours_per_month: StaffHours | None = None
    """Hours of work a month."""
    published: Published | None = None
    """What somebody printed for this option."""

    @property
    def kind(self) -> Literal["api"]:
        """The kind of supply."""
        return "api"

    def _check(self, reading: Reading, block: Block) -> None:
        for name in ("output", "input"):
            tiers = getattr(self, f"{name}_tiers")
            if tiers is None:
                continue
            if getattr(self, f"{name}_price") is not None:
                reading.report(
                    block,
                    f"{name}_price or {name}_tiers",
                    "keep one of the two",
                    found="both",
                    below=f"{name}_tiers",
                )
            _check_tiers(tiers, reading)
            if self.long_context is not None:
                reading.report(
                    block,
                    f"{name}_tiers or long_context",
                    "keep one: two prices that change by different volumes have no one bill",
                    found="both",
                    below="long_context",
                )
        self._check_billing_rate(reading)

    def _check_billing_rate(self, reading: Reading) -> None:
        """The list that a seller bills by must be the one whose prices stand here."""
        rate = self.billing_rate
        if rate is None:
            return
        listed = rate.text.rpartition("/")[2]
        for price in self._prices():
            currency = price.currency or reading.currency
            if currency != listed:
                reading.report(
                    Scalar(rate.text, True, rate.line, rate.path),
                    f"a rate for one {currency}, in which {price.path} is listed",
                    f"write the price in {listed}, or the rate as  1 {rate.currency}/{currency}",
                )
                return

    def _prices(self) -> list[Quantity]:
        """Every price by the token or the task."""
        long = self.long_context
        tiers = [*(self.output_tiers or ()), *(self.input_tiers or ())]
        given = [
            self.output_price,
            self.input_price,
            self.cache_read_price,
            self.cache_write_price,
            self.cache_write_1h_price,
            self.task_price,
            *(tier.price for tier in tiers),
            *((long.output_price, long.input_price) if long else ()),
        ]
        return [price for price in given if price is not None]


def _check_tiers(tiers: list[Tier], reading: Reading) -> None:
    for position, tier in enumerate(tiers, start=1):
        last = position == len(tiers)
        node = Block(tier.line, tier.path)
        if last != (tier.up_to is None):
            reading.report(
                node,
                "no up_to in the last tier" if last else "the volume at which the tier ends",
                "delete up_to: the last tier holds for all that is above the others"
                if last
                else "add for example  up_to: 100 M",
                found="up_to" if last else "nothing",
                below="up_to",
            )
    for lower, higher in pairwise(tier.up_to for tier in tiers if tier.up_to is not None):
        if lower is not None and higher is not None and lower.value >= higher.value:
            reading.report(
                Scalar(higher.text, True, higher.line, higher.path),
                f"more than the {lower.text} of the tier before it",
                "write the tiers in ascending order",
            )


KINDS: tuple[type[Own | Rent | Api], ...] = (Own, Rent, Api)


def _kind_of(value: Any) -> str:
    if isinstance(value, Block):
        return next(kind for kind in ("own", "rent", "api") if kind in value)
    return str(getattr(value, "kind", ""))


Supply = Annotated[
    Annotated[Own, Tag("own")] | Annotated[Rent, Tag("rent")] | Annotated[Api, Tag("api")],
    Discriminator(_kind_of),
]


@dataclass(frozen=True)
class NamedOption:
    """An option of the file before it is read: its key and what stands under it."""

    name: str
    node: Node


class Option(BaseModel):
    """A chain of supplies, each serving what those before it left."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: str
    supplies: list[Supply]
    line: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, NamedOption):
            return value
        reading = reading_of(info)
        node = value.node
        supplies = list(node) if isinstance(node, Items) else [node]
        if not supplies:
            raise reading.reject(
                node, "at least one supply", f"add one, for example  [{Own.example}]"
            )
        failed = False
        for supply in supplies:
            failed |= not cls._is_supply(supply, reading)
        if failed:
            raise Rejected()
        return {"name": value.name, "supplies": supplies, "line": node.line}

    @staticmethod
    def _is_supply(node: Node, reading: Reading) -> bool:
        if not isinstance(node, Block):
            reading.report(
                node,
                "a supply that says own, rent or api",
                f"write for example  {Own.example}",
            )
            return False
        kinds = [kind for kind in ("own", "rent", "api") if kind in node]
        if len(kinds) == 1:
            return True
        if kinds:
            reading.report(
                node,
                "exactly one of own, rent and api",
                "keep one, or write a chain:  [{own: ...}, {api: ...}]",
                found=" and ".join(kinds),
            )
        else:
            reading.report(
                node,
                "exactly one of own, rent and api",
                "say what it is:  own: rtx-4090  or  rent: rtx-4090  or  api: gpt-4o",
                found=describe(node) if node else "an empty option",
            )
        return False

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        whole = handler.resolve_ref_schema(handler(core_schema))
        supply = whole["properties"]["supplies"]["items"]
        return {
            "description": cls.__doc__,
            "anyOf": [supply, {"type": "array", "items": supply, "minItems": 1}],
        }
