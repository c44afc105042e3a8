"""What binding one owned supply needs to know, and the functions it has gathered so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tco.engine.gpus import Gpus
from tco.engine.graph import Scope
from tco.engine.taking import Place
from tco.scenario.finance import Colocation, Lease
from tco.scenario.schema import Own, Quantity

NOT_GIVEN = "not given, so not counted"


@dataclass
class Owned:
    """One owned supply; ``plain`` is a purchase that is a price and nothing else.

    ``functions`` are gathered by the rooms and settled together at the end.
    """

    gpus: Gpus
    given: Own
    plain: bool = True
    functions: dict[str, Any] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        """The scope of the supply."""
        return self.gpus.scope

    @property
    def has_lead_time(self) -> bool:
        """Whether the hardware serves later than from month 1."""
        return self.given.quote is not None and self.given.quote.lead_time_months is not None

    @property
    def is_cohorts(self) -> bool:
        """Whether hardware is put into service at more than one time, or later than month 0."""
        return self.gpus.is_auto or self.has_lead_time or self.given.refresh is not None

    @property
    def spread(self) -> str:
        """How purchases are spread over the months, as a variant of functions."""
        return "cohorts" if self.is_cohorts else "once"

    @property
    def is_owned_already(self) -> bool:
        """Whether nothing is bought at the decision."""
        return self.given.already_owned is not None

    @property
    def buys_nothing(self) -> bool:
        """Whether nothing is ever bought."""
        return self.is_owned_already and self.given.refresh is None

    @property
    def is_changing(self) -> bool:
        """Whether what is bought later has another price."""
        return self.gpus.is_auto and self.given.price_change_per_year is not None

    @property
    def lease(self) -> Lease | None:
        """The lease in place of paying the purchase."""
        return self.given.financing.lease if self.given.financing else None

    @property
    def colocation(self) -> Colocation | None:
        """The colocation in which it stands: its own, or that of the site."""
        site = self.gpus.taker.scenario.site
        return self.given.colocation or (site.colocation if site else None)

    def part(self, word: str) -> tuple[Any, str, str]:
        """What the supply says, or its card: the block, how its cells are named, its owner."""
        taker = self.gpus.taker
        found = getattr(self.given, word)
        if found is not None:
            return found, self.gpus.prefix, self.gpus.owner
        hardware = taker.scenario.hardware.get(self.given.own)
        found = getattr(hardware, word) if hardware else None
        return found, f"h{taker.inputs.card_number(self.given.own)}", self.given.own

    def take(
        self,
        field_name: str,
        quantity: Quantity | None,
        path: str,
        holder: str = "",
        owner: str = "",
        default: tuple[float, str] | None = (0.0, NOT_GIVEN),
    ) -> None:
        """An input of the supply, or of what else ``holder`` and ``owner`` name."""
        name = f"{holder or self.gpus.prefix}_{field_name}"
        place = Place(quantity, name, path, owner or self.gpus.owner)
        self.gpus.taker.take(self.scope, field_name, place, default=default)

    def take_or(
        self,
        literal: int,
        field_name: str,
        quantity: Quantity | None,
        path: str,
        holder: str = "",
        owner: str = "",
    ) -> None:
        """An input where it is given, else a literal that leaves no trace."""
        if quantity is None:
            self.scope.aliases[field_name] = literal
        else:
            self.take(field_name, quantity, path, holder, owner)

    def found(self, name: str) -> str | int:
        """What a name stands for: an input or an alias of the scope, or a line to come."""
        if name in self.functions:
            return self.scope.line(name)
        found = self.scope.find(name)
        assert found is not None, f"{self.scope.name} has no {name}"
        return found

    def add(self, functions: dict[str, Any]) -> None:
        """Functions to be settled with the others at the end."""
        self.functions.update(functions)
