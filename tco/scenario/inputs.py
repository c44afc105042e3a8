"""The numbers of a scenario as inputs of the model: each once, with a name, a unit and a source.

An input is known by where it is written. A price under ``hardware`` that three options use is one
input, and one cell of the workbook; a value that is not given anywhere is a default, with the place
where it would be written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tco.scenario.schema import Quantity, Scenario
from tco.units import (
    AnnualRate,
    ExchangeRate,
    Factor,
    Fraction,
    Gpus,
    HoursPerMonth,
    Money,
    MoneyPerGpu,
    MoneyPerGpuHour,
    MoneyPerKilowattHour,
    MoneyPerMegatoken,
    MoneyPerMonth,
    MoneyPerStaffHour,
    Months,
    MonthsPerYear,
    SecondsPerHour,
    StaffHoursPerMonth,
    TokensPerMegatoken,
    TokensPerMonth,
    TokensPerSecondPerGpu,
    Unit,
    WattsPerGpu,
    WattsPerKilowatt,
    unit_of,
)

LIVE, DEFINITION, STRUCTURAL = "live", "definition", "structural"


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
    "input_tokens": _field(TokensPerMonth, "Input tokens a month"),
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
    "output_price": _field(MoneyPerMegatoken, "API price of a million output tokens"),
    "input_price": _field(MoneyPerMegatoken, "API price of a million input tokens"),
    "amount": _field(Money, "Amount"),
    "published_per_month": _field(MoneyPerMonth, "Printed cost a month, for comparison"),
}

# what the words "month", "hour" and "million" mean: named, so that no formula holds a bare number
DEFINITIONS: tuple[tuple[str, Any, float, str], ...] = (
    ("months_per_year", MonthsPerYear, 12.0, "Months in a year"),
    ("seconds_per_hour", SecondsPerHour, 3600.0, "Seconds in an hour"),
    ("tokens_per_megatoken", TokensPerMegatoken, 1e6, "Tokens in a million"),
    ("watts_per_kilowatt", WattsPerKilowatt, 1000.0, "Watts in a kilowatt"),
    ("tolerance", Factor, 1e-9, "Relative difference below which amounts count as equal"),
)


@dataclass(frozen=True)
class Input:
    """One number (or one column of a table) that the model reads.

    ``name`` is its cell's name without ``in_``; ``path`` is where the scenario gives it, or would;
    ``line`` is the line of the file, None for a default, a definition or a value set on the command
    line. ``values`` has one entry, or the rows of a table.
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
    minimum: float | None = None
    maximum: float | None = None
    whole: bool = False
    table: bool = False

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
        """measured, quoted, published or assumed; ``default`` or ``definition`` if not given."""
        if self.quantity is None:
            return DEFINITION if self.kind == DEFINITION else "default"
        return self.quantity.basis or "not stated"


class Inputs:
    """The inputs of one model, collected while it is put together."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.by_name: dict[str, Input] = {}
        self._cards = list(scenario.hardware)

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
    ) -> str:
        """The id of an input, entered on first use: the number given, else the default."""
        if name in self.by_name:
            return name
        known = FIELDS[field]
        value = quantity.value if quantity else default
        assert value is not None, f"{path} is neither given nor has it a default"
        unit, unit_text = known.unit, known.unit.text(self.scenario.currency)
        if foreign:
            assert quantity is not None
            assert quantity.currency is not None
            unit = known.unit * FIELDS["exchange_rate"].unit
            unit_text = known.unit.text(quantity.currency)
        if field == "exchange_rate":
            unit_text = f"{path.rpartition('.')[2]}/{self.scenario.currency}"
        self.by_name[name] = Input(
            name,
            f"{known.label}, {owner}" if owner else known.label,
            (value,),
            unit,
            unit_text,
            quantity.path if quantity and quantity.path else path,
            quantity=quantity,
            why_default=None if quantity else why,
            minimum=known.minimum,
            maximum=known.maximum,
            whole=known.whole,
        )
        return name

    def define(self) -> dict[str, str]:
        """Enter the definitions (months in a year, ...): parameter to id."""
        for name, annotation, value, label in DEFINITIONS:
            unit = unit_of(annotation)
            text = unit.text(self.scenario.currency)
            self.by_name[name] = Input(name, label, (value,), unit, text, "", kind=DEFINITION)
        return {name: name for name, *_ in DEFINITIONS}

    def table(
        self, name: str, label: str, annotation: Any, values: tuple[float, ...], path: str
    ) -> str:
        """Enter one column of a table that the structure of the scenario fixes."""
        unit = unit_of(annotation)
        text = unit.text(self.scenario.currency)
        self.by_name[name] = Input(
            name, label, values, unit, text, path, kind=STRUCTURAL, table=True
        )
        return name

    def card_number(self, card: str) -> int:
        """The number of a card in cell names: its place under ``hardware``, or after those."""
        if card not in self._cards:
            self._cards.append(card)
        return self._cards.index(card) + 1
