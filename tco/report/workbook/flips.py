"""Where it flips: the values at which the cheaper option changes, as the Summary shows them."""

from __future__ import annotations

from tco.engine.structure import BoundOption, Pair
from tco.report.workbook.break_even_forms import ClosedForms, Flip
from tco.report.workbook.lookups import Lookups
from tco.results import OK

LIMITED = "does not exist: tax is saved only up to a profit"
_KINDS = {"api": "an API", "rent": "rented GPUs"}


class Flips:
    """Rows of every flip of the option that the answer is about.

    ``found`` are those of the Summary, in its order; ``against`` all closed forms by the other
    option, the baseline first.
    """

    def __init__(self, rows: Lookups) -> None:
        self.rows = rows
        self.result = rows.result
        self.found: list[Flip] = []
        self.against: dict[str, list[Flip]] = {}
        main = rows.main_pair()
        self.main = main
        pairs = [p for p in self.result.model.pairs if main and p.this is main.this]
        self._forms = {
            pair.number: ClosedForms(rows, pair, main=pair is main)
            for pair in sorted(pairs, key=lambda pair: pair is not main)
        }
        rows.begin("Where it flips")
        if main is not None:
            self._of_summary(main)
        for pair in sorted(pairs, key=lambda pair: pair is not main):
            rows.begin(f"Where it flips, pair {pair.number}")
            self.against[pair.other.name] = self._forms[pair.number].all()

    @property
    def checks(self) -> list[tuple[str, str]]:
        """What is checked and the row that is 1 where it fails."""
        return [check for forms in self._forms.values() for check in forms.checks]

    def _of_summary(self, pair: Pair) -> None:
        forms = self._forms[pair.number]
        work = f"{self.rows.work} a month"
        uneven = f"does not apply: cost does not grow evenly with {self.result.model.counted.work}"
        self._show(forms.tokens(), work, LIMITED if self._tax_is_limited else uneven)
        rented = next((f for f in self._forms.values() if "hours" in f.pair.variants), None)
        self._show(
            rented.utilisation() if rented else None,
            "Busy share, same GPUs rented instead",
            self._why_no_utilisation(pair.this),
        )
        self._show(
            forms.hardware_price(), "Price of a GPU bought", self._why_no_hardware_price(pair.this)
        )
        lot = self.result.model.counted.lot
        tokens = "API price of output tokens" if lot == "Mtok" else f"API price for each {lot}"
        for kind, what in (("api", tokens), ("rent", "Rental price of a GPU-hour")):
            other = self._forms_with(pair, kind)
            self._show(other.price(kind) if other else None, what, self._why_no_price(pair, kind))
        self._show(forms.hours(), "Hours of work a month", LIMITED)

    def _show(self, flip: Flip | None, what: str, reason: str) -> None:
        self.found.append(flip or Flip(what, "", {}, reason))

    @property
    def _tax_is_limited(self) -> bool:
        """Whether a cost saves tax only as far as there is a profit."""
        tax = self.result.scenario.tax
        return tax is not None and tax.losses != "elsewhere"

    def _why_no_utilisation(self, this: BoundOption) -> str:
        others = (forms.pair.other.sole for forms in self._forms.values())
        rented = any(
            o and this.sole and (o.given.kind, o.card) == ("rent", this.sole.card) for o in others
        )
        none = "does not apply: the same GPUs are not both bought and rented"
        return LIMITED if rented and self._tax_is_limited else none

    def _why_no_hardware_price(self, this: BoundOption) -> str:
        if this.sole is None or this.sole.given.kind != "own":
            return "does not apply: no option of bought GPUs alone here"
        if self._tax_is_limited:
            return LIMITED
        return "does not exist: what is bought is more than a plain price, or taxed"

    def _why_no_price(self, pair: Pair, kind: str) -> str:
        others = (p.other.sole for p in self.result.model.pairs if p.this is pair.this)
        if not any(sole and sole.given.kind == kind for sole in others):
            return f"does not apply: no option of {_KINDS[kind]} alone to compare with"
        if self._tax_is_limited:
            return LIMITED
        return "does not exist: its cost is not in proportion to one price"

    def _forms_with(self, main: Pair, kind: str) -> ClosedForms | None:
        """The baseline where it is of this kind, else the cheapest feasible option of the kind."""
        if kind in main.variants:
            return self._forms[main.number]
        forms = {found.pair.other.name: found for found in self._forms.values()}
        for option in self.result.ranked:
            found = forms.get(option.name)
            if found and kind in found.pair.variants and self.result.status[option.name] == OK:
                return found
        return None
