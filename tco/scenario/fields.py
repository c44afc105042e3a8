"""How a field of the scenario file is read: quantities with their provenance, texts, blocks.

Every number of the file becomes a ``Quantity`` that knows where it stands, who says so and of
what day it is. Units are those of ``tco.scenario.kinds``, in the reporting currency unless a
quantity names its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationInfo,
    model_validator,
)

from tco.scenario import kinds
from tco.scenario.document import Block, Items, Node, Scalar
from tco.scenario.kinds import Kind
from tco.scenario.reading import MOST_FILES, SHA256, ReadFile, Reading
from tco.units import Unit

Basis = Literal["measured", "quoted", "published", "assumed"]

NUMBER_OF_BOOK = {
    "book": "write the number itself: the word book stands alone, as the price of a card, a "
    "GPU-hour or an API",
}


Sha256 = Annotated[str, Field(pattern=f"^{SHA256.pattern}$")]


class Provenance(BaseModel):
    """What is known about a number, as typed."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    source: str | None = None
    """Who says so."""
    as_of: str | None = None
    """The day or month of the number, 2026-11-30 or 2026-11."""
    basis: Basis | None = None
    """How the number is known."""
    files: Annotated[dict[str, Sha256], Field(min_length=1, max_length=MOST_FILES)] | None = None
    """Files it was read from: the path from the scenario's folder, and the SHA-256 it then had."""
    note: str | None = None
    """Whatever a reader should know."""


class QuantityMapping(Provenance):
    """A number with what is known about it."""

    value: float | str
    """The number, or a text with its unit."""
    low: float | str | None = None
    """The 1-in-10 low."""
    high: float | str | None = None
    """The 1-in-10 high."""
    currency: str | None = None
    """Three letters, when it is not the reporting currency."""


class OfferMapping(Provenance):
    """A price that is not planned with, with what is known about it."""

    value: float | str
    """The number, or a text with its unit."""
    currency: str | None = None
    """Three letters, when it is not the reporting currency."""


class RentalPriceMapping(Provenance):
    """The prices of a GPU-hour on a market, with what is known about them."""

    median: float | str
    """What to plan with."""
    minimum: float | str | OfferMapping | None = None
    """The lowest offer: printed as a bound, never calculated with."""
    p25: float | str | None = None
    """A quarter of the offers are at or below it."""
    p75: float | str | None = None
    """Three quarters of the offers are at or below it."""
    low: float | str | None = None
    """The 1-in-10 low of the median."""
    high: float | str | None = None
    """The 1-in-10 high of the median."""
    currency: str | None = None
    """Three letters, when it is not the reporting currency."""


class Known(BaseModel):
    """What is known about a number of the file, and where it stands.

    ``files`` are those it was read from; ``path`` is what ``--set`` takes, ``line`` the line of the
    file (None when set on the command line).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    source: str | None = None
    as_of: str | None = None
    basis: Basis | None = None
    files: tuple[ReadFile, ...] = ()
    note: str | None = None
    path: str = ""
    line: int | None = None


class Quantity(Known):
    """One number of the file.

    ``value``, ``low`` and ``high`` are in the unit of the field and have 15 significant digits;
    ``currency`` is None for the reporting currency unless the file named it; ``text`` is the value
    as typed.
    """

    value: float
    currency: str | None = None
    low: float | None = None
    high: float | None = None
    text: str = ""


def typed(quantity: Quantity) -> Scalar:
    """A number as it stands in the file, to report a fault at."""
    return Scalar(quantity.text, True, quantity.line, quantity.path)


class RentalPrice(BaseModel):
    """Prices of one GPU-hour: the median is calculated with, ``minimum`` only printed."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    median: Quantity
    minimum: Quantity | None = None
    p25: Quantity | None = None
    p75: Quantity | None = None


def is_node(value: object) -> bool:
    """Whether a value is a piece of the file, still to be read."""
    return isinstance(value, (Scalar, Block, Items))


def reading_of(info: ValidationInfo) -> Reading:
    """The reading that goes through the file."""
    assert isinstance(info.context, Reading), "nodes are read with a Reading as context"
    return info.context


def reads(read: Callable[[Reading, Any], Any], as_typed: Any) -> BeforeValidator:
    """A validator that reads a node of the file and lets other Python values through."""

    def validate(value: Any, info: ValidationInfo) -> Any:
        return read(reading_of(info), value) if is_node(value) else value

    return BeforeValidator(validate, json_schema_input_type=as_typed)


def quantity_of(kind: Kind, later: Mapping[str, str] | None = None) -> BeforeValidator:
    """Reads a quantity of a kind; ``later`` are words that are not numbers, with what to say."""
    return reads(
        lambda reading, node: Quantity(**reading.quantity(node, kind, later)),
        float | str | QuantityMapping,
    )


def _read_rental_price(reading: Reading, node: Node) -> RentalPrice:
    prices = reading.rental_price(node, NUMBER_OF_BOOK)
    return RentalPrice(**{name: Quantity(**price) for name, price in prices.items()})


def numbers_of(kind: Kind, count: int | None, expected: str, example: str) -> BeforeValidator:
    """Reads a list of plain numbers, ``count`` of them if given."""

    def read(reading: Reading, node: Node) -> tuple[float, ...]:
        if not isinstance(node, Items) or (count is not None and len(node) != count):
            found = f"{len(node)} numbers" if isinstance(node, Items) else None
            raise reading.reject(node, expected, f"write for example  {example}", found=found)
        return tuple(reading.amount(item, kind).value for item in node)

    return reads(read, list[float | str])


def items_of(what: str, example: str) -> BeforeValidator:
    """Reads a list of blocks; one block alone stands for a list of one."""

    def read(reading: Reading, node: Node) -> Items:
        if isinstance(node, Items) and node:
            return node
        if isinstance(node, Block):
            alone = Items(node.line, node.path)
            alone.append(node)
            return alone
        raise reading.reject(node, f"a list of {what}", f"write for example  {example}")

    return reads(read, list[Any])


def words(*allowed: str, later: Mapping[str, str] | None = None) -> BeforeValidator:
    """Reads one of a few words."""
    literal: Any = Literal
    return reads(lambda reading, node: reading.word(node, allowed, later or {}), literal[allowed])


Text = Annotated[str, reads(lambda reading, node: reading.text(node), str)]
Name = Annotated[str, reads(lambda reading, node: reading.name(node), str)]
CardName = Annotated[str, reads(lambda reading, node: reading.card(node), str)]
OptionName = Annotated[str, reads(lambda reading, node: reading.option_name(node), str)]
YesOrNo = Annotated[Literal["yes", "no"], words("yes", "no")]
Fraction = Annotated[Quantity, kinds.FRACTION, quantity_of(kinds.FRACTION)]
AnnualRate = Annotated[Quantity, kinds.ANNUAL_RATE, quantity_of(kinds.ANNUAL_RATE)]
Pue = Annotated[Quantity, kinds.PUE, quantity_of(kinds.PUE)]
LifeMonths = Annotated[Quantity, kinds.LIFE_MONTHS, quantity_of(kinds.LIFE_MONTHS)]
StaffHours = Annotated[Quantity, kinds.STAFF_HOURS, quantity_of(kinds.STAFF_HOURS)]
Tokens = Annotated[Quantity, kinds.TOKENS, quantity_of(kinds.TOKENS)]
OutputRate = Annotated[Quantity, kinds.TOKENS_PER_SECOND, quantity_of(kinds.TOKENS_PER_SECOND)]
TotalRate = Annotated[
    Quantity,
    kinds.TOKENS_PER_SECOND_TOGETHER,
    quantity_of(kinds.TOKENS_PER_SECOND_TOGETHER),
]
Requests = Annotated[Quantity, kinds.REQUESTS, quantity_of(kinds.REQUESTS)]
RequestsPerMonth = Annotated[
    Quantity, kinds.REQUESTS_PER_MONTH, quantity_of(kinds.REQUESTS_PER_MONTH)
]
Customers = Annotated[Quantity, kinds.CUSTOMERS, quantity_of(kinds.CUSTOMERS)]
Power = Annotated[Quantity, kinds.POWER, quantity_of(kinds.POWER)]
Money = Annotated[Quantity, kinds.MONEY, quantity_of(kinds.MONEY)]
MoneyPerGpu = Annotated[
    Quantity, kinds.MONEY_PER_GPU, quantity_of(kinds.MONEY_PER_GPU, NUMBER_OF_BOOK)
]
MoneyPerKilowattHour = Annotated[
    Quantity, kinds.MONEY_PER_KILOWATT_HOUR, quantity_of(kinds.MONEY_PER_KILOWATT_HOUR)
]
MoneyPerMegatoken = Annotated[
    Quantity,
    kinds.MONEY_PER_MEGATOKEN,
    quantity_of(kinds.MONEY_PER_MEGATOKEN, NUMBER_OF_BOOK),
]
MoneyPerStaffHour = Annotated[
    Quantity, kinds.MONEY_PER_STAFF_HOUR, quantity_of(kinds.MONEY_PER_STAFF_HOUR)
]
MoneyPerMonth = Annotated[Quantity, kinds.MONEY_PER_MONTH, quantity_of(kinds.MONEY_PER_MONTH)]
MonthlyRate = Annotated[Quantity, kinds.MONTHLY_RATE, quantity_of(kinds.MONTHLY_RATE)]
Growth = Annotated[Quantity, kinds.GROWTH, quantity_of(kinds.GROWTH)]
Factor = Annotated[Quantity, kinds.FACTOR, quantity_of(kinds.FACTOR)]
Peak = Annotated[Quantity, kinds.PEAK, quantity_of(kinds.PEAK)]
Share = Annotated[Quantity, kinds.SHARE, quantity_of(kinds.SHARE)]
NumberOf = Annotated[Quantity, kinds.NUMBER_OF, quantity_of(kinds.NUMBER_OF)]
StepHours = Annotated[Quantity, kinds.STEP_HOURS, quantity_of(kinds.STEP_HOURS)]
Whole = Annotated[Quantity, kinds.WHOLE, quantity_of(kinds.WHOLE)]
TimesPerMonth = Annotated[Quantity, kinds.TIMES_PER_MONTH, quantity_of(kinds.TIMES_PER_MONTH)]
Tasks = Annotated[Quantity, kinds.TASKS, quantity_of(kinds.TASKS)]
WorkHours = Annotated[Quantity, kinds.WORK_HOURS, quantity_of(kinds.WORK_HOURS)]
TasksPerHour = Annotated[Quantity, kinds.TASKS_PER_HOUR, quantity_of(kinds.TASKS_PER_HOUR)]
HoursPerTask = Annotated[Quantity, kinds.HOURS_PER_TASK, quantity_of(kinds.HOURS_PER_TASK)]
SpeedUp = Annotated[Quantity, kinds.SPEED_UP, quantity_of(kinds.SPEED_UP)]
DurationHours = Annotated[Quantity, kinds.DURATION_HOURS, quantity_of(kinds.DURATION_HOURS)]
TokenLength = Annotated[Quantity, kinds.TOKEN_LENGTH, quantity_of(kinds.TOKEN_LENGTH)]
Gigabytes = Annotated[Quantity, kinds.GIGABYTES, quantity_of(kinds.GIGABYTES)]
Bandwidth = Annotated[Quantity, kinds.BANDWIDTH, quantity_of(kinds.BANDWIDTH)]
Parameters = Annotated[Quantity, kinds.PARAMETERS, quantity_of(kinds.PARAMETERS)]
MoneyPerTask = Annotated[Quantity, kinds.MONEY_PER_TASK, quantity_of(kinds.MONEY_PER_TASK)]
MoneyPerGigabyteMonth = Annotated[
    Quantity, kinds.MONEY_PER_GIGABYTE_MONTH, quantity_of(kinds.MONEY_PER_GIGABYTE_MONTH)
]
MoneyPerGigabyte = Annotated[
    Quantity, kinds.MONEY_PER_GIGABYTE, quantity_of(kinds.MONEY_PER_GIGABYTE)
]
NumberOfCards = Annotated[Quantity, kinds.COUNT, quantity_of(kinds.COUNT)]
HostPower = Annotated[Quantity, kinds.HOST_POWER, quantity_of(kinds.HOST_POWER)]
MoneyForEachGpu = Annotated[
    Quantity, kinds.MONEY_FOR_EACH_GPU, quantity_of(kinds.MONEY_FOR_EACH_GPU)
]
NominalRate = Annotated[Quantity, kinds.NOMINAL_RATE, quantity_of(kinds.NOMINAL_RATE)]
PriceChange = Annotated[Quantity, kinds.PRICE_CHANGE, quantity_of(kinds.PRICE_CHANGE)]
SharePerYear = Annotated[Quantity, kinds.SHARE_PER_YEAR, quantity_of(kinds.SHARE_PER_YEAR)]
SharePerMonth = Annotated[Quantity, kinds.SHARE_PER_MONTH, quantity_of(kinds.SHARE_PER_MONTH)]
DecliningFactor = Annotated[Quantity, kinds.DECLINING_FACTOR, quantity_of(kinds.DECLINING_FACTOR)]
MonthNumber = Annotated[Quantity, kinds.MONTH_NUMBER, quantity_of(kinds.MONTH_NUMBER)]
OperatingMonth = Annotated[Quantity, kinds.OPERATING_MONTH, quantity_of(kinds.OPERATING_MONTH)]
WholeMonths = Annotated[Quantity, kinds.WHOLE_MONTHS, quantity_of(kinds.WHOLE_MONTHS)]
CardsOrNone = Annotated[Quantity, kinds.CARDS_OR_NONE, quantity_of(kinds.CARDS_OR_NONE)]
Days = Annotated[Quantity, kinds.DAYS, quantity_of(kinds.DAYS)]
Kilowatts = Annotated[Quantity, kinds.KILOWATTS, quantity_of(kinds.KILOWATTS)]
MoneyPerKilowattMonth = Annotated[
    Quantity, kinds.MONEY_PER_KILOWATT_MONTH, quantity_of(kinds.MONEY_PER_KILOWATT_MONTH)
]
MoneyPerGpuYear = Annotated[
    Quantity, kinds.MONEY_PER_GPU_YEAR, quantity_of(kinds.MONEY_PER_GPU_YEAR)
]
MoneyPerYear = Annotated[Quantity, kinds.MONEY_PER_YEAR, quantity_of(kinds.MONEY_PER_YEAR)]
Day = Annotated[str, reads(lambda reading, node: reading.day(node), str)]
RentalPriceAsTyped = Annotated[
    RentalPrice,
    kinds.MONEY_PER_GPU_HOUR,
    reads(_read_rental_price, float | str | RentalPriceMapping),
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
        if not is_node(value):
            return handler(value)
        reading = reading_of(info)
        block = reading.block(value, cls.example)
        unknown = reading.unknown_keys(block, cls.words())
        known = Block(block.line, block.path)
        known.update((key, node) for key, node in block.items() if key not in unknown)
        part = handler(known)
        part._path = block.path
        part._line = block.line
        part._check(reading, block)
        return part

    @classmethod
    def words(cls) -> tuple[str, ...]:
        """The keys that it takes: those of its example first, then its own, then shared ones."""
        usual = [name for name in re.findall(r"(\w+):", cls.example) if name in cls.model_fields]
        own = [name for name in cls.model_fields if name in cls.__annotations__]
        return tuple(dict.fromkeys([*usual, *own, *cls.model_fields]))

    def _check(self, reading: Reading, block: Block) -> None:
        """Report what no single field shows."""


def field_units(part: type[BaseModel]) -> dict[str, Unit]:
    """The unit of every field of a block that takes a quantity.

    >>> from tco.scenario.schema import Site
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
