"""Units of measure: what a line of the model or an input of the scenario is counted in.

A unit is a label to print and a product of powers of a few dimensions. Model functions name
their unit as return annotation, inputs name it in the scenario's schema; the unit of a parameter
is the unit of the line or input it is named after, so a unit is never written twice.

Months and years are labels without a dimension, or ``(1 + rate) ** (month / months_per_year)``
could not be checked. A fraction, a flag and a factor have no dimension either.

>>> (unit_of(MoneyPerKilowattHour) * unit_of(KilowattHours)).dimensions == unit_of(Money).dimensions
True
>>> (unit_of(Money) / unit_of(Tokens)).describe()
'money/token'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, get_args


class UnitMismatch(Exception):
    """Two quantities met that cannot be added, compared or raised to a power."""


@dataclass(frozen=True)
class Unit:
    """A label to print and the powers of its dimensions.

    ``{currency}`` in the label stands for the reporting currency. ``adds_up`` says whether the
    months of a line may be summed: those of a cost may, those of a price or a balance may not.
    """

    label: str
    dimensions: tuple[tuple[str, int], ...] = ()
    adds_up: bool = False

    def __mul__(self, other: Unit) -> Unit:
        return _product(self, other, 1)

    def __truediv__(self, other: Unit) -> Unit:
        return _product(self, other, -1)

    def describe(self) -> str:
        """The dimensions in words, ``money/hour/kilowatt``, or ``no dimension``."""
        above = "*".join(_power(name, power) for name, power in self.dimensions if power > 0)
        below = "".join(f"/{_power(name, -power)}" for name, power in self.dimensions if power < 0)
        return f"{above or '1'}{below}" if self.dimensions else "no dimension"

    def text(self, currency: str) -> str:
        """The label with the reporting currency filled in."""
        return self.label.replace("{currency}", currency)


def _power(name: str, power: int) -> str:
    return name if power == 1 else f"{name}^{power}"


def _product(left: Unit, right: Unit, sign: int) -> Unit:
    powers = dict(left.dimensions)
    for name, power in right.dimensions:
        powers[name] = powers.get(name, 0) + sign * power
    return Unit("derived", tuple(sorted((name, power) for name, power in powers.items() if power)))


def _of(**powers: int) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(powers.items()))


def unit_of(annotation: Any) -> Unit:
    """The unit that an annotation of this module carries.

    Raises ``TypeError`` for anything that is not one of them.
    """
    for argument in get_args(annotation)[1:]:
        if isinstance(argument, Unit):
            return argument
    raise TypeError(f"{annotation!r} is not a unit of tco.units")


Money = Annotated[Any, Unit("{currency}", _of(money=1), adds_up=True)]
MoneyPerMonth = Annotated[Any, Unit("{currency}/month", _of(money=1))]
Balance = Annotated[Any, Unit("{currency}", _of(money=1))]
MoneyPerGpu = Annotated[Any, Unit("{currency}/GPU", _of(money=1, gpu=-1))]
MoneyPerGpuHour = Annotated[Any, Unit("{currency}/GPU-hour", _of(money=1, gpu=-1, hour=-1))]
MoneyPerMegatoken = Annotated[Any, Unit("{currency}/Mtok", _of(money=1, megatoken=-1))]
MoneyPerKilowattHour = Annotated[Any, Unit("{currency}/kWh", _of(money=1, kilowatt=-1, hour=-1))]
MoneyPerStaffHour = Annotated[Any, Unit("{currency}/hour of work", _of(money=1, staff_hour=-1))]

Tokens = Annotated[Any, Unit("tokens", _of(token=1), adds_up=True)]
TokensPerMonth = Annotated[Any, Unit("tokens/month", _of(token=1))]
Megatokens = Annotated[Any, Unit("Mtok", _of(megatoken=1), adds_up=True)]
MegatokensPerGpuHour = Annotated[Any, Unit("Mtok/GPU-hour", _of(megatoken=1, gpu=-1, hour=-1))]
MegatokensPerMonth = Annotated[Any, Unit("Mtok/month", _of(megatoken=1))]
TokensPerMegatoken = Annotated[Any, Unit("tokens/Mtok", _of(token=1, megatoken=-1))]
TokensPerHour = Annotated[Any, Unit("tokens/hour", _of(token=1, hour=-1))]
TokensPerSecond = Annotated[Any, Unit("tokens/s", _of(token=1, second=-1))]
TokensPerSecondPerGpu = Annotated[Any, Unit("tokens/s/GPU", _of(token=1, second=-1, gpu=-1))]

Gpus = Annotated[Any, Unit("GPUs", _of(gpu=1))]
GpuHours = Annotated[Any, Unit("GPU-hours", _of(gpu=1, hour=1), adds_up=True)]
GpuHoursPerMonth = Annotated[Any, Unit("GPU-hours/month", _of(gpu=1, hour=1))]
Hours = Annotated[Any, Unit("hours", _of(hour=1), adds_up=True)]
HoursPerMonth = Annotated[Any, Unit("hours/month", _of(hour=1))]
SecondsPerHour = Annotated[Any, Unit("s/hour", _of(second=1, hour=-1))]
StaffHours = Annotated[Any, Unit("hours of work", _of(staff_hour=1), adds_up=True)]
StaffHoursPerMonth = Annotated[Any, Unit("hours of work/month", _of(staff_hour=1))]

WattsPerGpu = Annotated[Any, Unit("W/GPU", _of(watt=1, gpu=-1))]
WattsPerKilowatt = Annotated[Any, Unit("W/kW", _of(watt=1, kilowatt=-1))]
Kilowatts = Annotated[Any, Unit("kW", _of(kilowatt=1))]
KilowattHours = Annotated[Any, Unit("kWh", _of(kilowatt=1, hour=1), adds_up=True)]

Fraction = Annotated[Any, Unit("fraction")]
AnnualRate = Annotated[Any, Unit("fraction/year")]
MonthlyRate = Annotated[Any, Unit("fraction/month")]
Factor = Annotated[Any, Unit("factor")]
Flag = Annotated[Any, Unit("0/1")]
Month = Annotated[Any, Unit("month")]
Months = Annotated[Any, Unit("months")]
MonthsPerYear = Annotated[Any, Unit("months/year")]
Ratio = Annotated[Any, Unit("ratio")]
ExchangeRate = Annotated[Any, Unit("foreign/{currency}", _of(foreign=1, money=-1))]
