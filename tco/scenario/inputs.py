"""The numbers of a scenario as inputs of the model: each once, with a name, a unit and a source.

An input is known by where it is written. A price under ``hardware`` that three options use is one
input, and one cell of the workbook; a value that is not given anywhere is a default, with the place
where it would be written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tco.scenario.schema import Quantity, Scenario
from tco.units import (
    TOKENS,
    AnnualRate,
    BillionParameters,
    BytesPerElement,
    BytesPerGigabyte,
    BytesPerParameter,
    Count,
    Counted,
    Customers,
    Days,
    ElementsPerToken,
    ExchangeRate,
    Factor,
    Fraction,
    Gigabytes,
    GpuHours,
    GpuHoursPerWork,
    Gpus,
    GpusPerNode,
    GpusPerReplica,
    Hours,
    HoursPerMonth,
    Kilowatts,
    Money,
    MoneyPerGigabyte,
    MoneyPerGigabyteMonth,
    MoneyPerGpu,
    MoneyPerGpuHour,
    MoneyPerGpuYear,
    MoneyPerKilowattHour,
    MoneyPerKilowattMonth,
    MoneyPerMonth,
    MoneyPerStaffHour,
    MoneyPerVolume,
    MoneyPerYear,
    Month,
    MonthlyRate,
    Months,
    MonthsPerYear,
    Period,
    PerMonth,
    Replicas,
    RequestsPerMonth,
    SecondsPerHour,
    Sequences,
    StaffHoursPerMonth,
    TokensPerMonth,
    TokensPerSecond,
    TokensPerSecondPerGpu,
    TokensPerSequence,
    Unit,
    Volume,
    WattsPerGpu,
    WattsPerKilowatt,
    WorkPerGpuHour,
    WorkPerMonth,
    WorkPerVolume,
    unit_of,
)

LIVE, DEFINITION, STRUCTURAL, SOLVED = "live", "definition", "structural", "solved"
KNOWN = "known"


@dataclass(frozen=True)
class Field:
    """What a field of the scenario holds: its unit, its label, and which values are allowed."""

    unit: Unit
    label: str
    minimum: float | None = 0.0
    maximum: float | None = None
    whole: bool = False


def _field(annotation: Any, label: str, minimum: float | None = 0.0, maximum: float | None = None,
           whole: bool = False) -> Field:  # fmt: skip
    return Field(unit_of(annotation), label, minimum, maximum, whole)


FIELDS: Mapping[str, Field] = {
    "output_tokens": _field(TokensPerMonth, "Output tokens a month"),
    "reasoning_tokens": _field(TokensPerMonth, "Reasoning tokens a month"),
    "input_tokens": _field(TokensPerMonth, "Input tokens a month"),
    "cache_read_tokens": _field(TokensPerMonth, "Input tokens a month read from a cache"),
    "cache_write_tokens": _field(TokensPerMonth, "Input tokens a month written to a cache"),
    "cache_write_1h_tokens": _field(
        TokensPerMonth, "Input tokens a month written to a cache for an hour"
    ),
    "tasks": _field(WorkPerMonth, "Tasks a month"),
    "gpu_hours": _field(WorkPerMonth, "GPU-hours of work a month"),
    "growth_per_year": _field(AnnualRate, "Growth of the work a year", minimum=-0.99),
    "growth_per_month": _field(MonthlyRate, "Growth of the work a month", minimum=-0.99),
    "retries": _field(Fraction, "Failed attempts for each that succeeds", maximum=1),
    "addressable": _field(Fraction, "Share of the work that can move", maximum=1),
    "discount_rate": _field(AnnualRate, "Discount rate, annual effective", minimum=-0.99),
    "hours_per_month": _field(HoursPerMonth, "Hours in a month", maximum=744),
    "electricity_price": _field(MoneyPerKilowattHour, "Electricity price"),
    "pue": _field(Factor, "Power usage effectiveness (PUE)", minimum=1),
    "utilisation": _field(Fraction, "Share of time the GPUs are busy", maximum=1),
    "hourly_cost": _field(MoneyPerStaffHour, "Cost of an hour of work"),
    "exchange_rate": _field(ExchangeRate, "Exchange rate", minimum=0.000001),
    "own.price": _field(MoneyPerGpu, "Purchase price of a GPU"),
    "rent.price": _field(MoneyPerGpuHour, "Rental price of a GPU-hour, median"),
    "rent.minimum": _field(MoneyPerGpuHour, "Rental price of a GPU-hour, lowest offer"),
    "count": _field(Gpus, "GPUs", minimum=1, whole=True),
    "tdp": _field(WattsPerGpu, "Rated power of a GPU"),
    "idle_power": _field(WattsPerGpu, "Power of an idle GPU"),
    "active_power": _field(WattsPerGpu, "Power of a busy GPU"),
    "output_rate": _field(
        TokensPerSecondPerGpu, "Throughput of a GPU, output tokens", minimum=0.000001
    ),
    "life_months": _field(Months, "Book life", minimum=1, whole=True),
    "salvage": _field(MoneyPerGpu, "Book value kept of a GPU"),
    "staff_hours_per_month": _field(StaffHoursPerMonth, "Hours of work a month"),
    "output_price": _field(MoneyPerVolume, "API price of a million output tokens"),
    "input_price": _field(MoneyPerVolume, "API price of a million input tokens"),
    "task_price": _field(MoneyPerVolume, "API price of a task"),
    "cache_read_price": _field(MoneyPerVolume, "API price of a million tokens read from a cache"),
    "cache_write_price": _field(MoneyPerVolume, "API price of a million tokens written to a cache"),
    "cache_write_1h_price": _field(
        MoneyPerVolume, "API price of a million tokens written to a cache for an hour"
    ),
    "long_output_price": _field(
        MoneyPerVolume, "API price of a million output tokens after a long prompt"
    ),
    "long_input_price": _field(
        MoneyPerVolume, "API price of a million input tokens of a long prompt"
    ),
    "tier_price": _field(MoneyPerVolume, "API price of a million tokens, by tier"),
    "tier_to": _field(Volume, "End of the tier"),
    "batch_share": _field(Fraction, "Share of the work sent as a batch", maximum=1),
    "batch_discount": _field(Fraction, "Discount of a batch", maximum=1),
    "commitment": _field(MoneyPerMonth, "Least bill of a month"),
    "overage_discount": _field(Fraction, "Discount beyond the least bill", maximum=1),
    "fx_fee": _field(Fraction, "Fee of the bank on the bill", maximum=1),
    "vat_rate": _field(Fraction, "Value-added tax", maximum=1),
    "vat_borne": _field(Fraction, "Share of the tax that is not got back", maximum=1),
    "billing_rate": _field(Factor, "Billed for one unit of the list price", minimum=0.000001),
    "tokeniser_factor": _field(Factor, "Tokens for one token of the demand", minimum=0.000001),
    "rate_limit": _field(TokensPerSecond, "Output tokens a second served at most"),
    "tasks_per_hour": _field(WorkPerGpuHour, "Tasks an hour of a GPU", minimum=0.000001),
    "hours_per_task": _field(GpuHoursPerWork, "GPU-hours of a task", minimum=0.000001),
    "speed_up": _field(WorkPerGpuHour, "Hours of work done in an hour of a GPU", minimum=0.000001),
    "point_output_rate": _field(
        TokensPerSecond, "Measured throughput, output tokens", minimum=0.000001
    ),
    "point_gpus": _field(Gpus, "GPUs measured together", minimum=1, whole=True),
    "gpus_per_replica": _field(GpusPerReplica, "GPUs of a replica", minimum=1, whole=True),
    "gpus_per_node": _field(GpusPerNode, "GPUs of a board or node", minimum=1, whole=True),
    "busy_ceiling": _field(Fraction, "Highest busy share to plan with", minimum=0.01, maximum=1),
    "spare_replicas": _field(Replicas, "Spare replicas", whole=True),
    "availability": _field(
        Fraction, "Share of the hours that GPUs are up", minimum=0.01, maximum=1
    ),
    "price_change_per_year": _field(AnnualRate, "Change of the purchase price a year", -0.99),
    "upfront": _field(MoneyPerGpu, "Paid for a GPU when a term begins"),
    "term_months": _field(Months, "Months of a term", minimum=1, whole=True),
    "hours_between_interruptions": _field(
        Hours, "Mean hours between interruptions", minimum=0.000001
    ),
    "checkpoint_hours": _field(Hours, "Hours between checkpoints"),
    "restart_hours": _field(Hours, "Hours until work goes on"),
    "sessions_per_month": _field(PerMonth, "Sessions a month", minimum=0.000001),
    "minimum_hours": _field(GpuHours, "Least GPU-hours billed for a session"),
    "increment_hours": _field(GpuHours, "Step in which GPU-hours are billed", minimum=0.000001),
    "startup_hours": _field(GpuHours, "GPU-hours of a start"),
    "storage_gb": _field(Gigabytes, "Storage kept"),
    "storage_price": _field(MoneyPerGigabyteMonth, "Price of storage"),
    "egress_gb": _field(Gigabytes, "Traffic a month"),
    "egress_price": _field(MoneyPerGigabyte, "Price of traffic"),
    "balance": _field(Money, "Balance paid in"),
    "lost_in_month": _field(Month, "Month in which the balance is lost, 0 for never", whole=True),
    "parameters_billion": _field(BillionParameters, "Parameters of the model", minimum=0.000001),
    "layers": _field(Count, "Layers of the model", whole=True),
    "heads": _field(Count, "Query heads of the model", minimum=1, whole=True),
    "kv_heads": _field(Count, "Key-value heads of the model", minimum=1, whole=True),
    "head_dim": _field(ElementsPerToken, "Size of a head of the model", whole=True),
    "latent": _field(ElementsPerToken, "Compressed cache of the model, a layer", whole=True),
    "window": _field(TokensPerSequence, "Tokens that the model looks back", whole=True),
    "bytes_per_parameter": _field(BytesPerParameter, "Bytes of a weight"),
    "kv_bytes": _field(BytesPerElement, "Bytes of an element of the cache"),
    "context": _field(TokensPerSequence, "Tokens of a sequence"),
    "sequences": _field(Sequences, "Sequences at the same time, a replica", whole=True),
    "overhead_gb": _field(Gigabytes, "Memory of the runtime, a GPU"),
    "usable_share": _field(Fraction, "Share of the memory that may be filled", maximum=1),
    "memory_gb": _field(Gigabytes, "Memory of a GPU"),
    "amount": _field(Money, "Amount"),
    "published_per_month": _field(MoneyPerMonth, "Printed cost a month, for comparison"),
    "discount_of_list": _field(Fraction, "Discount on the list price", maximum=1),
    "host": _field(MoneyPerGpu, "Server or computer, for a GPU"),
    "network": _field(MoneyPerGpu, "Network, for a GPU"),
    "rack_and_cooling": _field(MoneyPerGpu, "Rack, power distribution and cooling, for a GPU"),
    "installation": _field(MoneyPerGpu, "Installation, for a GPU"),
    "shipping": _field(MoneyPerGpu, "Shipping, for a GPU"),
    "duty_rate": _field(Fraction, "Import duty", maximum=1),
    "purchase_vat_rate": _field(Fraction, "Value-added tax on the purchase", maximum=1),
    "refund_months": _field(Months, "Months until the tax on the purchase is got back", whole=True),
    "spares": _field(Gpus, "Spare GPUs bought", whole=True),
    "item_amount": _field(Money, "Amount of an item of the quote"),
    "support_months": _field(Months, "Months of support", minimum=1, whole=True),
    "payment_share": _field(Fraction, "Share of the price paid", maximum=1),
    "lead_time_months": _field(Months, "Months from the order to service", whole=True),
    "resale_value": _field(MoneyPerGpu, "What a GPU that is owned already could be sold for"),
    "refresh_months": _field(Months, "Months after which GPUs are replaced", minimum=1, whole=True),
    "refresh_price": _field(MoneyPerGpu, "Price of a GPU that replaces another"),
    "maintenance_share_per_year": _field(
        AnnualRate, "Maintenance a year, share of the equipment value", maximum=1
    ),
    "maintenance_warranty_months": _field(Months, "Months without maintenance", whole=True),
    "failure_share_per_year": _field(AnnualRate, "GPUs that fail in a year, share", maximum=1),
    "failure_events": _field(Gpus, "GPUs that failed when it was counted", whole=True),
    "failure_gpus": _field(Gpus, "GPUs among which failures were counted", minimum=1, whole=True),
    "failure_days": _field(Days, "Days over which failures were counted", minimum=0.000001),
    "failure_warranty_months": _field(
        Months, "Months in which the seller replaces GPUs", whole=True
    ),
    "replacement_price": _field(MoneyPerGpu, "Price of a GPU that replaces one that failed"),
    "licence_price_per_year": _field(MoneyPerGpuYear, "Licences of a GPU a year"),
    "insurance_share_per_year": _field(
        AnnualRate, "Insurance a year, share of the equipment value", maximum=1
    ),
    "host_power": _field(WattsPerGpu, "Power of the computer around a GPU"),
    "decommissioning": _field(MoneyPerGpu, "Cost of taking a GPU down"),
    "sale_cost": _field(Fraction, "Cost of selling, share of the proceeds", maximum=1),
    "residual_share": _field(Fraction, "Share of its price that equipment sells for", maximum=1),
    "residual_loss_per_year": _field(AnnualRate, "Loss of market value a year", maximum=1),
    "residual_amount": _field(MoneyPerGpu, "What a GPU sells for in the last month"),
    "declining_factor": _field(
        Factor, "Declining balance, times the straight-line rate", minimum=1
    ),
    "written_off_share": _field(Fraction, "Share of the cost written off by an age", maximum=1),
    "requests": _field(RequestsPerMonth, "Requests a month", minimum=0.000001),
    "customers": _field(Customers, "Customers served", minimum=0.000001),
    "tax_rate": _field(Fraction, "Tax rate", maximum=1),
    "lag_months": _field(
        Months, "Months from the end of the fiscal year to the payment of tax", whole=True
    ),
    "loss_limit": _field(
        Fraction, "Largest share of a profit that earlier losses take away", maximum=1
    ),
    "profit_per_year": _field(MoneyPerYear, "Profit a year that costs can be set off against"),
    "bonus": _field(Fraction, "Share deducted in the year of service before the table", maximum=1),
    "tax_life_months": _field(Months, "Life for tax", minimum=1, whole=True),
    "tax_residual": _field(Fraction, "Share of the cost not deducted over the life", maximum=1),
    "tax_declining_factor": _field(
        Factor, "Declining balance for tax, times the straight-line rate", minimum=1
    ),
    "tax_share": _field(Fraction, "Share of the cost deducted in a fiscal year", maximum=1),
    "loan_share": _field(
        Fraction, "Share of the purchases that is lent", minimum=0.000001, maximum=1
    ),
    "loan_rate": _field(
        AnnualRate, "Rate of the loan, annual nominal, compounded monthly", minimum=-0.99, maximum=1
    ),
    "loan_months": _field(Months, "Months in which the loan is paid back", minimum=1, whole=True),
    "loan_fee": _field(Fraction, "Fee of the lender, share of the loan", maximum=1),
    "grace_months": _field(Months, "Months in which only interest is paid", whole=True),
    "balloon": _field(Fraction, "Share of the loan left for its last month", maximum=1),
    "lease_payment": _field(MoneyPerMonth, "Lease payment a month"),
    "lease_months": _field(Months, "Months of the lease", minimum=1, whole=True),
    "buyout": _field(Money, "Price of buying the leased equipment at the end"),
    "lease_rate": _field(
        AnnualRate, "Borrowing rate, annual nominal, compounded monthly", minimum=-0.99, maximum=1
    ),
    "residual_rate": _field(
        AnnualRate, "Rate for the residual value, annual effective", minimum=-0.99
    ),
    "colocation_price": _field(MoneyPerKilowattMonth, "Colocation price of a kW and month"),
    "contracted_kw": _field(Kilowatts, "Power contracted for colocation"),
    "demand_charge": _field(MoneyPerKilowattMonth, "Demand charge of a kW and month"),
    "ratchet": _field(
        Fraction, "Share of the highest peak before that is paid at least", maximum=1
    ),
    "peak_kw": _field(Kilowatts, "Highest power of a month"),
    "room_cost": _field(MoneyPerMonth, "Room a month"),
    "path_change_per_year": _field(AnnualRate, "Change of the price a year", minimum=-0.99),
    "path_factor": _field(Factor, "Factor of the first price", minimum=0.000001),
    "path_level": _field(Factor, "Factor of the first price to which it reverts", minimum=0.000001),
    "reverting_per_month": _field(
        MonthlyRate, "Share of the distance to that level made up in a month", maximum=1
    ),
}

# what the words "month", "hour" and "million" mean: named, so that no formula holds a bare number
DEFINITIONS: tuple[tuple[str, Any, float, str], ...] = (
    ("months_per_year", MonthsPerYear, 12.0, "Months in a year"),
    ("seconds_per_hour", SecondsPerHour, 3600.0, "Seconds in an hour"),
    ("work_per_volume", WorkPerVolume, 1e6, "Work for which a price holds"),
    ("watts_per_kilowatt", WattsPerKilowatt, 1000.0, "Watts in a kilowatt"),
    ("mean_share_lost", Fraction, 0.5, "Share of what lies between checkpoints lost on average"),
    ("bytes_per_gigabyte", BytesPerGigabyte, 1e9, "Bytes in a gigabyte"),
    ("one_replica", Replicas, 1.0, "The least that can be had"),
    ("months_per_quarter", Months, 3.0, "Months in a quarter"),
    ("quarters_per_year", Period, 4.0, "Quarters in a year"),
    ("days_per_year", Days, 365.0, "Days in a year"),
    ("half_month", Months, 0.5, "Half a month"),
    ("half_year", Fraction, 0.5, "What of a period counts by its middle"),
    ("straight_last_months", Months, 24.0, "Last months of a life written off evenly, China"),
    ("ratchet_months", Months, 12.0, "Months that a ratchet looks back on, the month included"),
    ("rate_step", AnnualRate, 0.03, "Points that the higher discount rate is higher"),
    ("tolerance", Factor, 1e-9, "Relative difference below which amounts count as equal"),
)


@dataclass(frozen=True)
class Input:
    """One number (or one column of a table) that the model reads.

    ``name`` is its cell's name without ``in_``; ``path`` is where the scenario gives it, or would;
    ``line`` is the line of the file, None for a default, a definition or a value set on the command
    line. ``values`` has one entry, or the rows of a table; ``known`` marks a fact of a card or a
    model.
    """

    name: str
    label: str
    values: tuple[float, ...]
    unit: Unit
    unit_text: str
    path: str
    kind: str = LIVE
    quantity: Quantity | None = None
    why_default: str | None = None
    known: bool = False
    minimum: float | None = None
    maximum: float | None = None
    whole: bool = False
    table: bool = False
    row_quantities: tuple[Quantity, ...] = ()

    @property
    def rows(self) -> tuple[Input, ...]:
        """The numbers of a live table as inputs of their own; any other input is itself."""
        if not (self.table and self.kind == LIVE):
            return (self,)
        return tuple(
            replace(
                self,
                name=f"{self.name}_{number}",
                label=f"{self.label}, row {number}",
                values=(value,),
                path=quantity.path,
                quantity=quantity,
                table=False,
                row_quantities=(),
            )
            for number, (value, quantity) in enumerate(
                zip(self.values, self.row_quantities, strict=True), start=1
            )
        )

    @property
    def value(self) -> float:
        """The number; the first row of a table."""
        return self.values[0]

    @property
    def line(self) -> int | None:
        """The line of the scenario's file that gives it."""
        return self.quantity.line if self.quantity else None

    @property
    def basis(self) -> str:
        """measured, quoted, published or assumed; if not given, ``known``, ``default``, ..."""
        if self.quantity is None:
            if self.kind in (DEFINITION, SOLVED):
                return self.kind
            return KNOWN if self.known else "default"
        return self.quantity.basis or "not stated"


def counted(scenario: Scenario) -> Counted:
    """The words for what the demand of a scenario counts.

    >>> from tco.scenario.loading import read
    >>> text = b"{name: a, demand: {tasks: 9, task: image}, options: {b: {api: c, task_price: 1}}}"
    >>> counted(read(text, "a.yaml")).lot
    'image'
    """
    demand = scenario.demand
    if demand is None or demand.kind == "tokens":
        return TOKENS
    if demand.kind == "gpu_hours":
        cards = {workload.card for workload in demand.parts.values() if workload.card}
        card = cards.pop() if len(cards) == 1 else "card"
        return Counted(f"{card} hours", f"{card} hours", f"{card} hour", 1.0)
    named = {workload.task for workload in demand.parts.values() if workload.task}
    task = named.pop() if len(named) == 1 else "task"
    return Counted(f"{task}s", f"{task}s", task, 1.0)


class Inputs:
    """The inputs of one model, collected while it is put together."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.by_name: dict[str, Input] = {}
        self.counted = counted(scenario)
        # an option that is like another reads the numbers of that one
        self._written: dict[tuple[object, ...], str] = {}
        self._cards = list(scenario.hardware)
        self._models = list(scenario.models)

    def take(
        self,
        field: str,
        quantity: Quantity | None,
        *,
        path: str,
        name: str,
        owner: str = "",
        default: float | None = None,
        why: str = "",
        foreign: bool = False,
        known: bool = False,
    ) -> str:
        """The id of an input, entered on first use: the number given, else the default."""
        if quantity is not None and quantity.path:
            name = self._written.setdefault((field, quantity.path, quantity.currency), name)
        if name in self.by_name:
            if quantity is not None and _is_written_under(owner, quantity):
                label = f"{FIELDS[field].label}, {owner}"
                self.by_name[name] = replace(self.by_name[name], label=label)
            return name
        about = FIELDS[field]
        value = quantity.value if quantity else default
        assert value is not None, f"{path} is neither given nor has it a default"
        unit, unit_text = about.unit, about.unit.text(self.scenario.currency, self.counted)
        if foreign:
            assert quantity is not None
            assert quantity.currency is not None
            unit = about.unit * FIELDS["exchange_rate"].unit
            unit_text = about.unit.text(quantity.currency, self.counted)
        if field == "exchange_rate":
            unit_text = f"{path.rpartition('.')[2]}/{self.scenario.currency}"
        self.by_name[name] = Input(
            name,
            f"{about.label}, {owner}" if owner else about.label,
            (value,),
            unit,
            unit_text,
            quantity.path if quantity and quantity.path else path,
            quantity=quantity,
            why_default=None if quantity else why,
            known=known and quantity is None,
            minimum=about.minimum,
            maximum=about.maximum,
            whole=about.whole,
        )
        return name

    def table_row(self, name: str, label: str, annotation: Any, value: float, path: str) -> str:
        """Enter one number of a table as a cell of its own."""
        return self.table(name, label, annotation, (value,), path)

    def solved(
        self, name: str, label: str, annotation: Any, value: float, path: str, why: str
    ) -> str:
        """Enter a number that was computed from the scenario before the model runs."""
        unit = unit_of(annotation)
        text = unit.text(self.scenario.currency, self.counted)
        self.by_name[name] = Input(
            name, label, (float(f"{value:.15g}"),), unit, text, path, kind=SOLVED, why_default=why
        )
        return name

    def billing_rate(self, billing: Quantity, name: str, listed: str | None) -> str:
        """Enter what a seller bills for one unit of its list price; it joins two currencies."""
        name = self._written.setdefault(("billing_rate", billing.path), name)
        if name in self.by_name:
            return name
        reporting = self.scenario.currency
        rate = FIELDS["exchange_rate"].unit
        unit = FIELDS["billing_rate"].unit
        billed, listed = billing.currency or reporting, listed or reporting
        if billed != reporting:
            unit = unit * rate
        if listed != reporting:
            unit = unit / rate
        self.by_name[name] = Input(
            name,
            FIELDS["billing_rate"].label,
            (billing.value,),
            unit,
            f"{billed}/{listed}",
            billing.path,
            quantity=billing,
            minimum=FIELDS["billing_rate"].minimum,
        )
        return name

    def define(self) -> dict[str, str]:
        """Enter the definitions (months in a year, ...): parameter to id."""
        for name, annotation, value, label in DEFINITIONS:
            unit = unit_of(annotation)
            if name == "work_per_volume":
                value = self.counted.work_per_volume
            text = unit.text(self.scenario.currency, self.counted)
            self.by_name[name] = Input(name, label, (value,), unit, text, "", kind=DEFINITION)
        return {name: name for name, *_ in DEFINITIONS}

    def table(
        self, name: str, label: str, annotation: Any, values: tuple[float, ...], path: str
    ) -> str:
        """Enter one column of a table that the structure of the scenario fixes."""
        unit = unit_of(annotation)
        text = unit.text(self.scenario.currency, self.counted)
        self.by_name[name] = Input(
            name, label, values, unit, text, path, kind=STRUCTURAL, table=True
        )
        return name

    def live_table(
        self, name: str, label: str, annotation: Any, given: Sequence[tuple[float, Quantity]]
    ) -> str:
        """Enter one column of a table whose numbers may be changed: values and what gives them."""
        unit = unit_of(annotation)
        text = unit.text(self.scenario.currency, self.counted)
        values, quantities = zip(*given, strict=True)
        paths = tuple((quantity.path, quantity.currency) for quantity in quantities)
        name = self._written.setdefault((annotation, values, paths), name)
        if name in self.by_name:
            return name
        self.by_name[name] = Input(
            name,
            label,
            values,
            unit,
            text,
            quantities[0].path,
            minimum=0.0,
            table=True,
            row_quantities=quantities,
        )
        return name

    def model_number(self, model: str) -> int:
        """The number of a model in cell names: its place among those that were asked for."""
        if model not in self._models:
            self._models.append(model)
        return self._models.index(model) + 1

    def card_number(self, card: str) -> int:
        """The number of a card in cell names: its place under ``hardware``, or after those."""
        if card not in self._cards:
            self._cards.append(card)
        return self._cards.index(card) + 1


def _is_written_under(owner: str, quantity: Quantity) -> bool:
    """Whether a number of an option stands under it, and not under one that it is like."""
    option = re.escape(owner.partition(", supply ")[0])
    return re.match(rf'options\."?{option}"?[.\[]', quantity.path) is not None
