"""What a chart of cumulative cost shows, as plain data that another process can be sent."""

from __future__ import annotations

from dataclasses import dataclass

FOCUS, BASELINE, OTHER = "focus", "baseline", "other"


@dataclass(frozen=True)
class Curve:
    """The cumulative cost of one option at the end of months 0 to N, in the reporting currency."""

    name: str
    role: str
    amount: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class BreakEven:
    """The month and the cost at which the focus has paid back, and what to write beside it."""

    month: float
    cost: float
    text: str


@dataclass(frozen=True)
class Drawing:
    """The texts and curves of a chart of cumulative cost by month."""

    title: str
    headline: str
    convention: str
    footer: str
    currency: str
    curves: tuple[Curve, ...]
    months: tuple[str, ...]
    break_even: BreakEven | None

    @property
    def names(self) -> str:
        """All the characters that a font has to have."""
        curves = "".join(curve.name for curve in self.curves)
        return f"{self.title}{self.footer}{curves}"
