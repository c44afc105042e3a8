"""Units of measure: what a line of the model or an input of the scenario is counted in.

A unit is a label to print and a product of powers of a few dimensions. Model functions name
their unit as return annotation, inputs name it in the scenario's schema; the unit of a parameter
is the unit of the line or input it is named after, so a unit is never written twice.

Months and years are labels without a dimension, or ``(1 + rate) ** (month / months_per_year)``
could not be checked. A fraction, a flag and a factor have no dimension either.

>>> (unit_of(MoneyPerKilowattHour) * unit_of(KilowattHours)).dimensions == unit_of(Money).dimensions
True
>>> (unit_of(Money) / unit_of(Tokens)).describe()
'money/work'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, get_args


class UnitMismatch(Exception):
    """Two quantities met that cannot be added, compared or raised to a power."""


@dataclass(frozen=True)
class Counted:
    """The words for what a demand counts: ``lot`` is what one price is for."""

    work: str
    volume: str
    lot: str
    work_per_volume: float


TOKENS = Counted("tokens", "Mtok", "Mtok", 1e6)


@dataclass(frozen=True)
class Unit:
    """A label to print and the powers of its dimensions.

    ``{currency}`` in the label stands for the reporting currency, ``{work}``, ``{volume}`` and
    ``{lot}`` for what the demand counts. ``adds_up`` says whether the months of a line may be
    summed: those of a cost may, those of a price or a balance may not.
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

    def text(self, currency: str, counted: Counted | None = None) -> str:
        """The label with the reporting currency and what the demand counts filled in."""
        counted = counted or TOKENS
        text = self.label.replace("{currency}", currency).replace("{work}", counted.work)
        return text.replace("{volume}", counted.volume).replace("{lot}", counted.lot)


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
MoneyPerYear = Annotated[Any, Unit("{currency}/year", _of(money=1))]
Balance = Annotated[Any, Unit("{currency}", _of(money=1))]
MoneyPerGpu = Annotated[Any, Unit("{currency}/GPU", _of(money=1, gpu=-1))]
MoneyPerGpuYear = Annotated[Any, Unit("{currency}/GPU/year", _of(money=1, gpu=-1))]
MoneyPerGpuHour = Annotated[Any, Unit("{currency}/GPU-hour", _of(money=1, gpu=-1, hour=-1))]
MoneyPerVolume = Annotated[Any, Unit("{currency}/{lot}", _of(money=1, volume=-1))]
MoneyPerKilowattHour = Annotated[Any, Unit("{currency}/kWh", _of(money=1, kilowatt=-1, hour=-1))]
MoneyPerKilowattMonth = Annotated[Any, Unit("{currency}/kW-month", _of(money=1, kilowatt=-1))]
MoneyPerStaffHour = Annotated[Any, Unit("{currency}/hour of work", _of(money=1, staff_hour=-1))]
MoneyPerRequest = Annotated[Any, Unit("{currency}/request", _of(money=1, request=-1))]
MoneyPerCustomer = Annotated[Any, Unit("{currency}/customer", _of(money=1, customer=-1))]
RequestsPerMonth = Annotated[Any, Unit("requests/month", _of(request=1))]
Customers = Annotated[Any, Unit("customers", _of(customer=1))]

Tokens = Annotated[Any, Unit("tokens", _of(work=1), adds_up=True)]
TokensPerMonth = Annotated[Any, Unit("tokens/month", _of(work=1))]
TokensPerSecond = Annotated[Any, Unit("tokens/s", _of(work=1, second=-1))]
TokensPerSecondPerGpu = Annotated[Any, Unit("tokens/s/GPU", _of(work=1, second=-1, gpu=-1))]
# work as the demand counts it, and its volume: counted in what a price is for
Work = Annotated[Any, Unit("{work}", _of(work=1), adds_up=True)]
WorkPerMonth = Annotated[Any, Unit("{work}/month", _of(work=1))]
WorkPerHour = Annotated[Any, Unit("{work}/hour", _of(work=1, hour=-1))]
WorkPerGpuHour = Annotated[Any, Unit("{work}/GPU-hour", _of(work=1, gpu=-1, hour=-1))]
Volume = Annotated[Any, Unit("{volume}", _of(volume=1), adds_up=True)]
VolumePerGpuHour = Annotated[Any, Unit("{volume}/GPU-hour", _of(volume=1, gpu=-1, hour=-1))]
VolumePerMonth = Annotated[Any, Unit("{volume}/month", _of(volume=1))]
WorkPerVolume = Annotated[Any, Unit("{work}/{lot}", _of(work=1, volume=-1))]

Gpus = Annotated[Any, Unit("GPUs", _of(gpu=1))]
# nodes and replicas are sets of GPUs: how many GPUs one has is a plain number
Nodes = Annotated[Any, Unit("nodes", _of(gpu=1))]
Replicas = Annotated[Any, Unit("replicas", _of(gpu=1))]
WorkPerReplicaHour = Annotated[Any, Unit("{work}/replica-hour", _of(work=1, gpu=-1, hour=-1))]
WorkPerNodeHour = Annotated[Any, Unit("{work}/node-hour", _of(work=1, gpu=-1, hour=-1))]
GpusPerReplica = Annotated[Any, Unit("GPUs/replica")]
GpusPerNode = Annotated[Any, Unit("GPUs/node")]
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

Gigabytes = Annotated[Any, Unit("GB", _of(gigabyte=1))]
GigabytesPerSecond = Annotated[Any, Unit("GB/s", _of(gigabyte=1, second=-1))]
BillionParameters = Annotated[Any, Unit("billion", _of(billion_parameters=1))]
MoneyPerGigabyteMonth = Annotated[Any, Unit("{currency}/GB-month", _of(money=1, gigabyte=-1))]
MoneyPerGigabyte = Annotated[Any, Unit("{currency}/GB", _of(money=1, gigabyte=-1))]
GpuHoursPerWork = Annotated[Any, Unit("GPU-hours/{lot}", _of(work=-1, gpu=1, hour=1))]
PerMonth = Annotated[Any, Unit("a month")]

Fraction = Annotated[Any, Unit("fraction")]
AnnualRate = Annotated[Any, Unit("fraction/year")]
MonthlyRate = Annotated[Any, Unit("fraction/month")]
Factor = Annotated[Any, Unit("factor")]
Flag = Annotated[Any, Unit("0/1")]
Month = Annotated[Any, Unit("month")]
Months = Annotated[Any, Unit("months")]
Days = Annotated[Any, Unit("days")]
MonthsPerYear = Annotated[Any, Unit("months/year")]
Ratio = Annotated[Any, Unit("ratio")]
ExchangeRate = Annotated[Any, Unit("foreign/{currency}", _of(foreign=1, money=-1))]

# Memory of a card and of a model. A gigabyte is 1e9 bytes; a byte a parameter is a gigabyte a
# billion. A sequence gains one token in a step: in dimensions it is that token, so that sequences
# over the time of a step are tokens/s.
GigabytesPerSequence = Annotated[Any, Unit("GB/sequence", _of(gigabyte=1, work=-1))]
BytesPerGigabyte = Annotated[Any, Unit("bytes/GB", _of(byte=1, gigabyte=-1))]
BytesPerToken = Annotated[Any, Unit("bytes/token", _of(byte=1, work=-1))]
BytesPerElement = Annotated[Any, Unit("bytes/element", _of(byte=1, element=-1))]
ElementsPerToken = Annotated[Any, Unit("elements/token", _of(element=1, work=-1))]
BytesPerParameter = Annotated[Any, Unit("bytes/parameter", _of(gigabyte=1, billion_parameters=-1))]
Sequences = Annotated[Any, Unit("sequences", _of(work=1))]
TokensPerSequence = Annotated[Any, Unit("tokens/sequence")]
Count = Annotated[Any, Unit("count")]
# a fiscal year or quarter, counted from 0
Period = Annotated[Any, Unit("number")]
