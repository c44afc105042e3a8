"""The words of a scenario file and what each of them takes.

Every number of the file becomes a ``Quantity`` that knows where it stands, who says so and of
what day it is. What is not given stays None: no default is filled in here. Units are those of
``tco.scenario.quantities``, in the reporting currency unless a quantity names its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    PrivateAttr,
    Tag,
    ValidationInfo,
    model_validator,
)
from pydantic_core import CoreSchema

from tco.prices import cards
from tco.scenario import quantities
from tco.scenario.document import Block, Items, Node, Scalar, describe
from tco.scenario.quantities import Kind
from tco.scenario.reading import Reading, Rejected
from tco.units import Unit

# Models are built when first used: a run needs Scenario alone, which holds all the others. What
# stands under a field is read by `tco.scenario.json_schema`, not by pydantic at each import.
Basis = Literal["measured", "quoted", "published", "assumed"]

NUMBER_OF_BOOK = {
    "book": "write the price itself: the price book comes with a later version",
}
NUMBER_OF_COUNT = {
    "auto": "write the number of cards: count: auto comes with a later version",
}
LATER_LOADS = dict.fromkeys(
    ("office-hours", "office_hours", "measured", "profile"),
    "write  load: flat  or delete the line: other loads come with a later version",
)


class QuantityMapping(BaseModel):
    """A number with what is known about it."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    value: float | str
    """The number, or a text with its unit."""
    low: float | str | None = None
    """The 1-in-10 low."""
    high: float | str | None = None
    """The 1-in-10 high."""
    source: str | None = None
    """Who says so."""
    as_of: str | None = None
    """The day or month of the number, 2026-11-30 or 2026-11."""
    basis: Basis | None = None
    """How the number is known."""
    note: str | None = None
    """Whatever a reader should know."""
    currency: str | None = None
    """Three letters, when it is not the reporting currency."""


class RentalPriceMapping(BaseModel):
    """The prices of a GPU-hour on a market."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    median: float | str
    """What to plan with."""
    minimum: float | str | None = None
    """The lowest offer: printed as a bound, never calculated with."""
    p25: float | str | None = None
    """A quarter of the offers are at or below it."""
    p75: float | str | None = None
    """Three quarters of the offers are at or below it."""
    low: float | str | None = None
    """The 1-in-10 low of the median."""
    high: float | str | None = None
    """The 1-in-10 high of the median."""
    source: str | None = None
    """Who says so."""
    as_of: str | None = None
    """The day or month of the prices."""
    basis: Basis | None = None
    """How they are known."""
    note: str | None = None
    """Whatever a reader should know."""
    currency: str | None = None
    """Three letters, when it is not the reporting currency."""


class Quantity(BaseModel):
    """One number of the file.

    ``value``, ``low`` and ``high`` are in the unit of the field and have 15 significant digits;
    ``currency`` is None for the reporting currency unless the file named it. ``path`` is what
    ``--set`` takes, ``line`` the line of the file (None when set on the command line), ``text``
    the value as typed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    value: float
    currency: str | None = None
    low: float | None = None
    high: float | None = None
    source: str | None = None
    as_of: str | None = None
    basis: Basis | None = None
    note: str | None = None
    path: str = ""
    line: int | None = None
    text: str = ""


class RentalPrice(BaseModel):
    """Prices of one GPU-hour: the median is calculated with, ``minimum`` only printed."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    median: Quantity
    minimum: Quantity | None = None
    p25: Quantity | None = None
    p75: Quantity | None = None


def _is_node(value: object) -> bool:
    return isinstance(value, (Scalar, Block, Items))


def _reading(info: ValidationInfo) -> Reading:
    assert isinstance(info.context, Reading), "nodes are read with a Reading as context"
    return info.context


def _reads(read: Callable[[Reading, Any], Any], as_typed: Any) -> BeforeValidator:
    """A validator that reads a node of the file and lets other Python values through."""

    def validate(value: Any, info: ValidationInfo) -> Any:
        return read(_reading(info), value) if _is_node(value) else value

    return BeforeValidator(validate, json_schema_input_type=as_typed)


def _quantity(kind: Kind, later: Mapping[str, str] | None = None) -> BeforeValidator:
    return _reads(
        lambda reading, node: Quantity(**reading.quantity(node, kind, later)),
        float | str | QuantityMapping,
    )


def _read_rental_price(reading: Reading, node: Node) -> RentalPrice:
    prices = reading.rental_price(node, NUMBER_OF_BOOK)
    return RentalPrice(**{name: Quantity(**price) for name, price in prices.items()})


def _read_months(reading: Reading, node: Node) -> int:
    return int(reading.amount(node, quantities.MONTHS).value)


def _read_hours(reading: Reading, node: Node) -> Quantity | str:
    if not (isinstance(node, Scalar) and node.text == "calendar"):
        return Quantity(**reading.quantity(node, quantities.HOURS_PER_MONTH))
    if not reading.has_start:
        raise reading.reject(
            node,
            "a start when the hours are those of the calendar",
            "add the first month, for example  start: 2026-12",
        )
    return node.text


def _read_exchange_rates(reading: Reading, node: Node) -> dict[str, Quantity]:
    rates: dict[str, Quantity] = {}
    failed = False
    for key, value in reading.block(node, f"{{CNY: 7.10 CNY/{reading.currency}}}").items():
        try:
            if key not in quantities.CURRENCIES:
                near = key.upper() if key.upper() in quantities.CURRENCIES else None
                raise reading.reject(
                    value,
                    "a currency by its three letters, such as CNY",
                    f"did you mean {near}?" if near else "write for example  CNY: 7.10",
                    found=key,
                )
            if key == reading.currency:
                raise reading.reject(
                    value,
                    f"a currency other than the reporting currency {key}",
                    "delete the line",
                    found=key,
                )
            rates[key] = Quantity(**reading.exchange_rate(value, key))
        except Rejected:
            failed = True
    if failed:
        raise Rejected()
    return rates


def _read_option_names(reading: Reading, node: Node) -> list[str]:
    if not isinstance(node, Items) or not node:
        raise reading.reject(
            node,
            "a list of options",
            "write the names in brackets, or delete the line if all options bear the cost",
        )
    return [reading.option_name(item) for item in node]


@dataclass(frozen=True)
class _NamedOption:
    """An option of the file before it is read: its key and what stands under it."""

    name: str
    node: Node


def _read_options(reading: Reading, node: Node) -> dict[str, _NamedOption]:
    example = "{api-gpt-4o: {api: gpt-4o, output_price: 15}}"
    block = reading.block(node, example)
    if not block:
        raise reading.reject(
            node, "at least one option", f"add one, for example  {example}", found="no option"
        )
    reading.names(block, "an option")
    return {name: _NamedOption(name, value) for name, value in block.items()}


def _read_hardware(reading: Reading, node: Node) -> Block:
    block = reading.block(node, "{rtx-4090: {price: 1599}}")
    reading.names(block, "a card")
    return block


def _read_list(reading: Reading, node: Node) -> Items:
    if isinstance(node, Items):
        return node
    raise reading.reject(
        node,
        "a list of costs",
        "begin each cost with a hyphen:  - {name: rack space, amount: 50, per: month}",
    )


def _words(*allowed: str, later: Mapping[str, str] | None = None) -> BeforeValidator:
    literal: Any = Literal
    return _reads(lambda reading, node: reading.word(node, allowed, later or {}), literal[allowed])


Text = Annotated[str, _reads(lambda reading, node: reading.text(node), str)]
Name = Annotated[str, _reads(lambda reading, node: reading.name(node), str)]
CardName = Annotated[str, _reads(lambda reading, node: reading.card(node), str)]
OptionName = Annotated[str, _reads(lambda reading, node: reading.option_name(node), str)]
StartMonth = Annotated[str, _reads(lambda reading, node: reading.month(node), str)]
Day = Annotated[str, _reads(lambda reading, node: reading.day(node), str)]
Currency = Annotated[str, _reads(lambda reading, node: reading.reporting_currency(node), str)]

Fraction = Annotated[Quantity, quantities.FRACTION, _quantity(quantities.FRACTION)]
AnnualRate = Annotated[Quantity, quantities.ANNUAL_RATE, _quantity(quantities.ANNUAL_RATE)]
Pue = Annotated[Quantity, quantities.PUE, _quantity(quantities.PUE)]
Count = Annotated[Quantity, quantities.COUNT, _quantity(quantities.COUNT, NUMBER_OF_COUNT)]
LifeMonths = Annotated[Quantity, quantities.LIFE_MONTHS, _quantity(quantities.LIFE_MONTHS)]
StaffHours = Annotated[Quantity, quantities.STAFF_HOURS, _quantity(quantities.STAFF_HOURS)]
Tokens = Annotated[Quantity, quantities.TOKENS, _quantity(quantities.TOKENS)]
OutputRate = Annotated[
    Quantity, quantities.TOKENS_PER_SECOND, _quantity(quantities.TOKENS_PER_SECOND)
]
Power = Annotated[Quantity, quantities.POWER, _quantity(quantities.POWER)]
Money = Annotated[Quantity, quantities.MONEY, _quantity(quantities.MONEY)]
MoneyPerGpu = Annotated[
    Quantity, quantities.MONEY_PER_GPU, _quantity(quantities.MONEY_PER_GPU, NUMBER_OF_BOOK)
]
MoneyPerKilowattHour = Annotated[
    Quantity, quantities.MONEY_PER_KILOWATT_HOUR, _quantity(quantities.MONEY_PER_KILOWATT_HOUR)
]
MoneyPerMegatoken = Annotated[
    Quantity,
    quantities.MONEY_PER_MEGATOKEN,
    _quantity(quantities.MONEY_PER_MEGATOKEN, NUMBER_OF_BOOK),
]
MoneyPerStaffHour = Annotated[
    Quantity, quantities.MONEY_PER_STAFF_HOUR, _quantity(quantities.MONEY_PER_STAFF_HOUR)
]
MoneyPerMonth = Annotated[
    Quantity, quantities.MONEY_PER_MONTH, _quantity(quantities.MONEY_PER_MONTH)
]
HoursPerMonth = Annotated[
    Quantity | Literal["calendar"],
    quantities.HOURS_PER_MONTH,
    _reads(_read_hours, float | str | QuantityMapping),
]
RentalPriceAsTyped = Annotated[
    RentalPrice,
    quantities.MONEY_PER_GPU_HOUR,
    _reads(_read_rental_price, float | str | RentalPriceMapping),
]


class Part(BaseModel):
    """A block of the file: it knows its path and its line, and refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    example: ClassVar[str] = "{key: value}"
    _path: str = PrivateAttr("")
    _line: int | None = PrivateAttr(None)

    @property
    def path(self) -> str:
        """Where the block stands, as ``--set`` takes it."""
        return self._path

    @property
    def line(self) -> int | None:
        """The line of the block in the file."""
        return self._line

    @model_validator(mode="wrap")
    @classmethod
    def _read(
        cls, value: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        if not _is_node(value):
            return handler(value)
        reading = _reading(info)
        block = reading.block(value, cls.example)
        unknown = reading.unknown_keys(block, tuple(cls.model_fields))
        known = Block(block.line, block.path)
        known.update((key, node) for key, node in block.items() if key not in unknown)
        part = handler(known)
        part._path = block.path
        part._line = block.line
        part._check(reading, block)
        return part

    def _check(self, reading: Reading, block: Block) -> None:
        """Report what no single field shows."""


class Published(Part):
    """What somebody else printed for the option, to be shown beside the result."""

    example = "{per_month: 168, source: article C}"

    per_month: MoneyPerMonth
    """Money a month as printed."""
    source: Text | None = None
    """Who printed it."""


class Own(Part):
    """Cards that are bought."""

    example = "{own: rtx-4090, count: 2, price: 1599}"

    own: CardName
    """The card: a known one, or one described under hardware."""
    count: Count
    """How many cards."""
    price: MoneyPerGpu | None = None
    """Price of one card."""
    tdp: Power | None = None
    """Rated power of one card."""
    idle_power: Power | None = None
    """Watts of one card without work."""
    active_power: Power | None = None
    """Watts of one card at work; the rated power if not given."""
    output_rate: OutputRate | None = None
    """Output tokens a second of one card."""
    utilisation: Fraction | None = None
    """Busy share, used where demand or output_rate is missing."""
    electricity_price: MoneyPerKilowattHour | None = None
    """Price of a kWh, if not that of the site."""
    pue: Pue | None = None
    """Power usage effectiveness, if not that of the site."""
    life_months: LifeMonths | None = None
    """Months over which the purchase is written off."""
    salvage: MoneyPerGpu | None = None
    """Book value of one card at the end of its life; never cash."""
    staff_hours_per_month: StaffHours | None = None
    """Hours of work a month for the whole supply."""
    model: Name | None = None
    """The model it runs."""
    published: Published | None = None
    """What somebody printed for this option."""

    @property
    def kind(self) -> Literal["own"]:
        """The kind of supply."""
        return "own"


class Rent(Part):
    """Cards that are rented by the hour."""

    example = "{rent: rtx-4090, count: 2, price: 0.49}"

    rent: CardName
    """The card: a known one, or one described under hardware."""
    count: Count
    """How many cards."""
    price: RentalPriceAsTyped | None = None
    """Price of a GPU-hour: the median, or median and minimum."""
    billed: Annotated[Literal["held", "busy"], _words("held", "busy")] = "held"
    """Paid for all hours (held) or for the busy ones (busy)."""
    output_rate: OutputRate | None = None
    """Output tokens a second of one card."""
    utilisation: Fraction | None = None
    """Busy share, used where demand or output_rate is missing."""
    staff_hours_per_month: StaffHours | None = None
    """Hours of work a month for the whole supply."""
    model: Name | None = None
    """The model it runs."""
    published: Published | None = None
    """What somebody printed for this option."""

    @property
    def kind(self) -> Literal["rent"]:
        """The kind of supply."""
        return "rent"


class Api(Part):
    """An API that is paid by the token."""

    example = "{api: gpt-4o, output_price: 15}"

    api: Name
    """The model."""
    provider: Name | None = None
    """Who sells it."""
    output_price: MoneyPerMegatoken | None = None
    """Price of a million output tokens."""
    input_price: MoneyPerMegatoken | None = None
    """Price of a million input tokens."""
    staff_hours_per_month: StaffHours | None = None
    """Hours of work a month."""
    published: Published | None = None
    """What somebody printed for this option."""

    @property
    def kind(self) -> Literal["api"]:
        """The kind of supply."""
        return "api"


KINDS: tuple[type[Own | Rent | Api], ...] = (Own, Rent, Api)


def _kind_of(value: Any) -> str:
    if isinstance(value, Block):
        return next(kind for kind in ("own", "rent", "api") if kind in value)
    return str(getattr(value, "kind", ""))


Supply = Annotated[
    Annotated[Own, Tag("own")] | Annotated[Rent, Tag("rent")] | Annotated[Api, Tag("api")],
    Discriminator(_kind_of),
]


class Option(BaseModel):
    """A chain of supplies, each serving what those before it left."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: str
    supplies: list[Supply]
    line: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, _NamedOption):
            return value
        reading = _reading(info)
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


class Demand(Part):
    """The work of a month; at least one of the two kinds of tokens."""

    example = "{output_tokens: 50 M}"

    output_tokens: Tokens | None = None
    """Tokens a month that the model writes."""
    input_tokens: Tokens | None = None
    """Tokens a month that the model reads."""
    load: Annotated[Literal["flat"], _words("flat", later=LATER_LOADS)] = "flat"
    """The shape within the month."""

    def _check(self, reading: Reading, block: Block) -> None:
        if self.output_tokens is None and self.input_tokens is None:
            raise reading.reject(
                block,
                "output_tokens, input_tokens or both",
                "add the tokens of a month, for example  output_tokens: 50 M; "
                "without the whole block demand, costs alone are calculated",
            )


class Site(Part):
    """Where owned cards stand; every owned supply may say otherwise."""

    example = "{electricity_price: 0.10}"

    electricity_price: MoneyPerKilowattHour | None = None
    """Price of a kWh."""
    pue: Pue | None = None
    """Power usage effectiveness: what the site draws for each watt of its computers."""
    utilisation: Fraction | None = None
    """Busy share, used where demand or output_rate is missing."""


class Staff(Part):
    """What work costs."""

    example = "{hourly_cost: 94}"

    hourly_cost: MoneyPerStaffHour | None = None
    """Cost of one hour of work."""


class Hardware(Part):
    """What all supplies of one card share; every supply may say otherwise."""

    example = "{tdp: 450 W, output_rate: 800}"

    price: MoneyPerGpu | None = None
    """Price of one card."""
    tdp: Power | None = None
    """Rated power of one card."""
    idle_power: Power | None = None
    """Watts of one card without work."""
    active_power: Power | None = None
    """Watts of one card at work; the rated power if not given."""
    output_rate: OutputRate | None = None
    """Output tokens a second of one card."""
    utilisation: Fraction | None = None
    """Busy share, used where demand or output_rate is missing."""
    life_months: LifeMonths | None = None
    """Months over which the purchase is written off."""
    salvage: MoneyPerGpu | None = None
    """Book value of one card at the end of its life; never cash."""
    note: Text | None = None
    """Whatever a reader should know."""


class OtherCost(Part):
    """A cost that belongs to no supply, such as a rack."""

    example = "{name: rack space, amount: 50, per: month}"

    name: Name
    """What it is."""
    amount: Money
    """How much, each time."""
    per: Annotated[Literal["once", "month", "year"], _words("once", "month", "year")]
    """Once (month 0), every month, or every year (months 12, 24, ...)."""
    options: Annotated[list[str], _reads(_read_option_names, list[str])] | None = None
    """The options that bear it; all if not given."""


class Scenario(Part):
    """One question: what is needed, what may be had, at which prices."""

    example = "name: my question"

    name: Name
    """The title of every output."""
    question: Text | None = None
    """The question in one sentence."""
    currency: Currency = "USD"
    """The reporting currency."""
    start: StartMonth | None = None
    """Month 1, as 2026-12; without it months are only numbered."""
    months: Annotated[int, Field(ge=1, le=120), _reads(_read_months, int | str)] = 36
    """How many months are looked at, 1 to 120."""
    as_of: Day | None = None
    """The day from which ages are counted, as 2026-11-30."""
    hours_per_month: HoursPerMonth | None = None
    """Hours of a month, or the word calendar for those of each month."""
    discount_rate: AnnualRate | None = None
    """Effective yearly rate."""
    exchange_rates: Annotated[
        dict[str, Quantity],
        quantities.EXCHANGE_RATE,
        _reads(_read_exchange_rates, dict[str, float | str | QuantityMapping]),
    ] = Field(default_factory=dict)
    """Units of each foreign currency for one unit of the reporting currency."""
    baseline: OptionName | None = None
    """The option that the others are compared with; the first API if not given."""
    demand: Demand | None = None
    """The work of a month; without it costs alone are calculated."""
    site: Site | None = None
    """Where owned cards stand."""
    staff: Staff | None = None
    """What work costs."""
    hardware: Annotated[dict[str, Hardware], _reads(_read_hardware, dict[str, Hardware])] = Field(
        default_factory=dict
    )
    """What is known of each card."""
    options: Annotated[dict[str, Option], _reads(_read_options, dict[str, Option])]
    """What may be done, in the order of the report."""
    other_costs: Annotated[list[OtherCost], _reads(_read_list, list[OtherCost])] = Field(
        default_factory=list
    )
    """Costs that belong to no supply."""

    _file: str = PrivateAttr("")
    _digest: str = PrivateAttr("")
    _settings: tuple[str, ...] = PrivateAttr(())
    _lines: Mapping[str, int] = PrivateAttr(default_factory=dict)

    @property
    def path(self) -> str:
        """The file, as it was named."""
        return self._file

    @property
    def digest(self) -> str:
        """SHA-256 of the content with all settings."""
        return self._digest

    @property
    def settings(self) -> tuple[str, ...]:
        """What was set on the command line, ``PATH=VALUE``."""
        return self._settings

    @property
    def lines(self) -> Mapping[str, int]:
        """The line of every key and list item of the file, by its path."""
        return self._lines

    def come_from(
        self, file: str, digest: str, settings: tuple[str, ...], lines: Mapping[str, int]
    ) -> None:
        """Note where the scenario was read from; only the loading does this."""
        self._file = file
        self._digest = digest
        self._settings = settings
        self._lines = MappingProxyType(dict(lines))

    def _check(self, reading: Reading, block: Block) -> None:
        for option in self.options.values():
            for supply in option.supplies:
                if isinstance(supply, Own):
                    self._check_owned(supply, reading)

    def _check_owned(self, supply: Own, reading: Reading) -> None:
        hardware = self.hardware.get(supply.own, Hardware())
        salvage = supply.salvage or hardware.salvage
        price = supply.price or hardware.price
        if salvage and price and self._worth(salvage) > self._worth(price):
            reading.report(
                Scalar(salvage.text, True, salvage.line, salvage.path),
                f"a salvage value that is not above the price of {price.text} "
                f"({price.path}{f', line {price.line}' if price.line else ''})",
                "lower the salvage value: it is that of one card at the end of its life",
            )
        if not supply.tdp and not hardware.tdp and cards.card(supply.own) is None:
            reading.report(
                Block(supply.line, supply.path),
                f"the rated power of {supply.own}, which is no known card",
                f"add  tdp: 450 W  under hardware.{supply.own}, with the watts of your card",
                found="nothing",
                below="tdp",
            )

    def _worth(self, amount: Quantity) -> float:
        """An amount in the reporting currency."""
        if amount.currency in (None, self.currency):
            return amount.value
        return amount.value / self.exchange_rates[str(amount.currency)].value


def field_units(part: type[BaseModel]) -> dict[str, Unit]:
    """The unit of every field of a block that takes a quantity.

    >>> field_units(Site)["electricity_price"].text("USD")
    'USD/kWh'
    """
    units: dict[str, Unit] = {}
    for name, field in part.model_fields.items():
        for kind in (*field.metadata, *_metadata(field.annotation)):
            if isinstance(kind, Kind):
                units[name] = kind.unit
    return units


def _metadata(annotation: Any) -> list[Any]:
    found = list(getattr(annotation, "__metadata__", ()))
    for inner in getattr(annotation, "__args__", ()):
        found += _metadata(inner)
    return found
