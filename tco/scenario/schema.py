"""The words of a scenario file and what each of them takes.

What is not given stays None: no default is filled in here. The rooms beside this one hold the
kinds of fields, the demand and the supplies.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field, PrivateAttr

from tco.scenario import kinds, ownership, quantities, throughput
from tco.scenario.cases import Case, read_cases
from tco.scenario.correlations import Correlation, check_correlations, read_correlations
from tco.scenario.demand import Demand, Workload
from tco.scenario.document import Block, Items, Node, Scalar
from tco.scenario.fields import (
    AnnualRate,
    Bandwidth,
    Day,
    Fraction,
    Gigabytes,
    Money,
    MoneyPerKilowattHour,
    MoneyPerMonth,
    MoneyPerStaffHour,
    Name,
    NumberOf,
    OptionName,
    Parameters,
    Part,
    Pue,
    Quantity,
    QuantityMapping,
    RentalPrice,
    RentalPriceMapping,
    Text,
    field_units,
    reads,
    words,
)
from tco.scenario.finance import Colocation, DemandCharge, PricePath, Tax, check_colocation
from tco.scenario.reading import Reading, Rejected
from tco.scenario.supplies import (
    KINDS,
    PRESENT,
    Api,
    NamedOption,
    Option,
    Own,
    Published,
    Purchase,
    Rent,
    Speed,
    Supply,
)

# Models are built when first used: a run needs Scenario alone, which holds all the others. What
# stands under a field is read by `tco.scenario.json_schema`, not by pydantic at each import.
__all__ = [
    "KINDS",
    "Api",
    "Demand",
    "Hardware",
    "Option",
    "OtherCost",
    "Own",
    "Published",
    "Quantity",
    "Rent",
    "RentalPrice",
    "Scenario",
    "Site",
    "Staff",
    "Supply",
    "Workload",
    "field_units",
]


def _read_months(reading: Reading, node: Node) -> int:
    return int(reading.amount(node, kinds.MONTHS).value)


def _read_hours(reading: Reading, node: Node) -> Quantity | str:
    if not (isinstance(node, Scalar) and node.text == "calendar"):
        return Quantity(**reading.quantity(node, kinds.HOURS_PER_MONTH))
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


def _read_options(reading: Reading, node: Node) -> dict[str, NamedOption]:
    example = "{api-gpt-4o: {api: gpt-4o, output_price: 15}}"
    block = reading.block(node, example)
    if not block:
        raise reading.reject(
            node, "at least one option", f"add one, for example  {example}", found="no option"
        )
    reading.names(block, "an option")
    return {name: NamedOption(name, value) for name, value in block.items()}


def _read_hardware(reading: Reading, node: Node) -> Block:
    block = reading.block(node, "{rtx-4090: {price: 1599}}")
    reading.names(block, "a card")
    return block


def _read_models(reading: Reading, node: Node) -> Block:
    block = reading.block(node, f"{{my-model: {Architecture.example}}}")
    reading.names(block, "a model")
    return block


def _read_fiscal_year_end(reading: Reading, node: Node) -> int:
    month = int(reading.amount(node, kinds.MONTH_OF_YEAR).value)
    if not reading.has_start:
        raise reading.reject(
            node,
            "a start when the fiscal year has an end",
            "add the first month, for example  start: 2026-12",
        )
    return month


def _read_accounts(reading: Reading, node: Node) -> dict[str, str]:
    accounts: dict[str, str] = {}
    failed = False
    for line, account in reading.block(node, '{electricity_cost: "6420 Energy"}').items():
        try:
            accounts[line] = reading.name(account)
        except Rejected:
            failed = True
    if failed:
        raise Rejected()
    return accounts


def _read_list(reading: Reading, node: Node) -> Items:
    if isinstance(node, Items):
        return node
    raise reading.reject(
        node,
        "a list of costs",
        "begin each cost with a hyphen:  - {name: rack space, amount: 50, per: month}",
    )


StartMonth = Annotated[str, reads(lambda reading, node: reading.month(node), str)]
FiscalYearEnd = Annotated[int, Field(ge=1, le=12), reads(_read_fiscal_year_end, int | str)]
Currency = Annotated[str, reads(lambda reading, node: reading.reporting_currency(node), str)]
HoursPerMonth = Annotated[
    Quantity | Literal["calendar"],
    kinds.HOURS_PER_MONTH,
    reads(_read_hours, float | str | QuantityMapping),
]


class Site(Part):
    """Where owned cards stand; every owned supply may say otherwise."""

    example = "{electricity_price: 0.10}"

    electricity_price: MoneyPerKilowattHour | None = None
    """Price of a kWh; or the word book and a place, such as book us-industrial."""
    electricity_price_path: PricePath | None = None
    """How that price changes."""
    pue: Pue | None = None
    """Power usage effectiveness: what the site draws for each watt of its computers."""
    utilisation: Fraction | None = None
    """Busy share, used where demand or output_rate is missing."""
    demand_charge: DemandCharge | None = None
    """What the grid charges for the highest power of a month."""
    colocation: Colocation | None = None
    """Room in the data centre of another."""
    room_cost: MoneyPerMonth | None = None
    """What a room of one's own costs a month, for each owned supply."""

    def _check(self, reading: Reading, block: Block) -> None:
        check_colocation(self.colocation, reading, block)


class Staff(Part):
    """What work costs."""

    example = "{hourly_cost: 94}"

    hourly_cost: MoneyPerStaffHour | None = None
    """Cost of one hour of work."""


class Hardware(Speed, Purchase):
    """What all supplies of one card share; every supply may say otherwise."""

    example = "{tdp: 450 W, output_rate: 800}"

    memory_gb: Gigabytes | None = None
    """Memory of one card."""
    memory_bandwidth: Bandwidth | None = None
    """Memory bandwidth of one card."""
    note: Text | None = None
    """Whatever a reader should know."""


class Architecture(Part):
    """What of a model takes memory, for one that is not known by name."""

    example = "{parameters: 8 B, layers: 32, heads: 32, kv_heads: 8, head_dim: 128}"

    parameters: Parameters
    """All parameters, those of every expert included."""
    active_parameters: Parameters | None = None
    """Parameters that one token goes through; all if not given."""
    layers: NumberOf
    """Layers."""
    heads: NumberOf
    """Query heads."""
    kv_heads: NumberOf
    """Key-value heads (grouped-query attention)."""
    head_dim: NumberOf
    """Size of a head."""
    source: Text | None = None
    """Who says so."""


class OtherCost(Part):
    """A cost that belongs to no supply, such as a rack."""

    example = "{name: rack space, amount: 50, per: month}"

    name: Name
    """What it is."""
    amount: Money
    """How much, each time."""
    per: Annotated[Literal["once", "month", "year"], words("once", "month", "year")]
    """Once (month 0), every month, or every year (months 12, 24, ...)."""
    options: Annotated[list[str], reads(_read_option_names, list[str])] | None = None
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
    months: Annotated[int, Field(ge=1, le=120), reads(_read_months, int | str)] = 36
    """How many months are looked at, 1 to 120."""
    as_of: Day | None = None
    """The day from which ages are counted, as 2026-11-30."""
    hours_per_month: HoursPerMonth | None = None
    """Hours of a month, or the word calendar for those of each month."""
    discount_rate: AnnualRate | None = None
    """Effective yearly rate."""
    cash_timing: Annotated[
        Literal["month-end", "mid-month", "year-end"], words("month-end", "mid-month", "year-end")
    ] = "month-end"
    """When the cash of a month counts in present values."""
    fiscal_year_end: FiscalYearEnd = 12
    """The month of the year in which the fiscal year ends, 1 to 12."""
    tax: Tax | None = None
    """Tax on the profit that the costs reduce."""
    exchange_rates: Annotated[
        dict[str, Quantity],
        kinds.EXCHANGE_RATE,
        reads(_read_exchange_rates, dict[str, float | str | QuantityMapping]),
    ] = Field(default_factory=dict)
    """Units of each foreign currency for one unit of the reporting currency; the word book takes
    the reference rate of the price book."""
    baseline: OptionName | None = None
    """The option that the others are compared with; the first API if not given."""
    demand: Demand | None = None
    """The work of a month; without it costs alone are calculated."""
    site: Site | None = None
    """Where owned cards stand."""
    staff: Staff | None = None
    """What work costs."""
    hardware: Annotated[dict[str, Hardware], reads(_read_hardware, dict[str, Hardware])] = Field(
        default_factory=dict
    )
    """What is known of each card."""
    models: Annotated[dict[str, Architecture], reads(_read_models, dict[str, Architecture])] = (
        Field(default_factory=dict)
    )
    """What is known of each model that is not known by name."""
    options: Annotated[dict[str, Option], reads(_read_options, dict[str, Option])]
    """What may be done, in the order of the report."""
    other_costs: Annotated[list[OtherCost], reads(_read_list, list[OtherCost])] = Field(
        default_factory=list
    )
    """Costs that belong to no supply."""
    accounts: Annotated[dict[str, str], reads(_read_accounts, dict[str, str])] = Field(
        default_factory=dict
    )
    """The account of the ledger for each line of money."""
    correlations: Annotated[list[Correlation], reads(read_correlations, list[Correlation])] = Field(
        default_factory=list
    )
    """Numbers that are uncertain together, such as a rental and a resale price."""
    cases: Annotated[
        dict[str, dict[str, str]],
        reads(read_cases, dict[str, dict[str, float | str | QuantityMapping | RentalPriceMapping]]),
    ] = Field(default_factory=dict)
    """Other numbers, each set of them under a name: the path of a number and its value."""

    _file: str = PrivateAttr("")
    _digest: str = PrivateAttr("")
    _settings: tuple[str, ...] = PrivateAttr(())
    _lines: Mapping[str, int] = PrivateAttr(default_factory=dict)
    _in_cases: tuple[Case, ...] = PrivateAttr(())

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

    @property
    def in_cases(self) -> tuple[Case, ...]:
        """Each case with the scenario as it is then."""
        return self._in_cases

    def have_cases(self, cases: tuple[Case, ...]) -> None:
        """Note the scenario in each of its cases; only the loading does this."""
        self._in_cases = cases

    def _check(self, reading: Reading, block: Block) -> None:
        supplies = [supply for option in self.options.values() for supply in option.supplies]
        for supply in supplies:
            if isinstance(supply, Own):
                ownership.check(self, supply, reading)
            elif isinstance(supply, Api) and supply.input_tiers is not None:
                self._check_caches(supply, reading)
        for part in (*self.hardware.values(), *supplies):
            if not isinstance(part, Api) and part.throughput is not None:
                throughput.check(part.throughput, reading)
        for workload in self.demand.parts.values() if self.demand else ():
            self._check_staying(workload, reading)
        check_correlations(self, reading)

    def _check_caches(self, supply: Api, reading: Reading) -> None:
        """Tiers are of fresh input: no price of theirs is that of a cache."""
        quoted = {
            "cache_read": supply.cache_read_price,
            "cache_write": supply.cache_write_price,
            "cache_write_1h": supply.cache_write_1h_price or supply.cache_write_price,
        }
        for workload in self.demand.parts.values() if self.demand else ():
            for cache, price in quoted.items():
                tokens = getattr(workload, f"{cache}_tokens")
                if tokens is not None and tokens.value > 0 and price is None:
                    reading.report(
                        Block(supply.line, supply.path),
                        f"a price of {cache} tokens: input_tiers are those of fresh input",
                        f"add for example  {cache}_price: 1.5",
                        found="nothing",
                        below=f"{cache}_price",
                    )
                    return

    def _check_staying(self, workload: Workload, reading: Reading) -> None:
        """What cannot move must have a price where it stays."""
        addressable = workload.addressable
        if workload.present is not None:
            supplies = self.options[workload.present].supplies
            given = supplies[0] if len(supplies) == 1 else None
            priced = isinstance(given, Api) and not (
                given.output_tiers
                or given.input_tiers
                or given.commitment
                or given.prepaid
                or given.api == PRESENT
            )
            if not priced:
                reading.report(
                    Block(workload.line, workload.path),
                    "the name of an option that is one API without tiers, commitment or balance",
                    "write its prices as an option of their own and name that",
                    found=workload.present,
                    below="present",
                )
        elif addressable is not None and addressable.value < 1:
            reading.report(
                Scalar(addressable.text, True, addressable.line, addressable.path),
                "the option that the rest stays on",
                f"add  present: NAME  under {workload.path}, an option that is an API",
            )
