"""Where it flips: the value of an input at which the cheaper option changes, and its check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tco.engine.structure import BoundOption, Pair
from tco.report.workbook import words
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.texts import fitted
from tco.report.workbook.words import Term
from tco.results import BILLED, OK

NEVER = "never"
LIMITED = "does not exist: tax is saved only up to a profit"
_KINDS = {"api": "an API", "rent": "rented GPUs"}
_NAME = 24  # of another option than the baseline, beside what flips


@dataclass(frozen=True)
class Flip:
    """One row of "where it flips": the lines of its cells, or why it does not apply."""

    what: str
    unit: str
    lines: Mapping[str, str]
    reason: str = ""


class Flips:
    """Rows of every flip of a pair, in the order of the Summary."""

    def __init__(self, rows: Lookups) -> None:
        self.rows = rows
        self.result = rows.result
        self.found: list[Flip] = []
        self.checks: list[tuple[str, str]] = []
        rows.begin("Where it flips")
        pair = rows.main_pair()
        if pair is not None:
            self._flip_rows(pair)

    def _flip_rows(self, pair: Pair) -> None:
        this, base = pair.this, pair.other
        assert this.scope is not None
        p = pair.scope
        volume = f"{self.result.model.counted.volume}/month"
        if "tokens" in pair.variants:
            fixed = [self.rows.of(o, "fixed_cost_per_month") for o in (this, base)]
            variable = [self.rows.of(o, "marginal_cost") for o in (this, base)]
            flip = self.rows.term(p.line("break_even_volume"))
            always = Term(
                f"IF({{{p.line('cheaper_at_the_margin')}}}+{{{p.line('cheaper_fixed')}}}>0,"
                f'"always cheaper","{NEVER}")',
                "always cheaper"
                if self.result.value(p.line("cheaper_at_the_margin"))
                + self.result.value(p.line("cheaper_fixed"))
                > 0
                else NEVER,
            )
            otherwise = self.rows.add(
                "tokens_word",
                f"Where no number of {self.result.model.counted.work} is",
                "text",
                always,
            )
            used = self.rows.add(
                "tokens_used", f"{self.rows.work} a month, used", volume, self._used(this)
            )
            sides = [
                Term(f"{f.formula}+{v.formula}*{flip.formula}", f.number + v.number * flip.number)
                for f, v in zip(fixed, variable, strict=True)
            ]
            self._flip(
                "tokens",
                f"{self.rows.work} a month",
                volume,
                used,
                flip,
                self.rows.term(p.line("volumes_cross")),
                sides,
                otherwise,
                self.rows.term(p.line("beyond_capacity")) if "capacity" in pair.variants else None,
            )
        else:
            self._skip(
                f"{self.rows.work} a month",
                LIMITED
                if self._tax_is_limited
                else f"does not apply: cost does not grow evenly with "
                f"{self.result.model.counted.work}",
            )
        self._flip_utilisation(this)
        npv = [self.rows.term(o.line("npv_of_cost")) for o in (this, base)]
        if "own" in pair.variants:
            price, count = self.rows.of(this, "price"), self.rows.of(this, "discounted_gpus_bought")
            self._flip_price(
                "hardware_price",
                "Price of a GPU bought",
                f"{self.rows.currency}/GPU",
                price,
                p.line("break_even_hardware_price"),
                npv[0],
                npv[1],
                count,
            )
        else:
            self._skip(
                "Price of a GPU bought",
                self._why_no_hardware_price(this),
            )
        for kind, key, what, line, unit in (
            (
                "api",
                "output_price",
                "API price of output tokens"
                if self.result.model.counted.lot == "Mtok"
                else f"API price for each {self.result.model.counted.lot}",
                "break_even_output_price",
                self.result.model.counted.lot,
            ),
            (
                "rent",
                "price",
                "Rental price of a GPU-hour",
                "break_even_rental_price",
                "GPU-hour",
            ),
        ):
            found = self._pair_with(pair, kind)
            if found is None:
                self._skip(what, self._why_no_price(pair, kind))
                continue
            other = found.other
            short = what.removesuffix(" of output tokens").removesuffix(" of a GPU-hour")
            named = what if found is pair else f"{short}, {fitted(other.name, _NAME)}"
            self._flip_price(
                kind,
                named,
                f"{self.rows.currency}/{unit}",
                self.rows.of(other, key),
                found.scope.line(line),
                self.rows.term(other.line("npv_of_cost")),
                self.rows.term(this.line("npv_of_cost")),
                self.rows.of(other, BILLED[line].removeprefix("other_")),
            )
        self._flip_hours(pair)

    @property
    def _tax_is_limited(self) -> bool:
        """Whether a cost saves tax only as far as there is a profit."""
        tax = self.result.scenario.tax
        return tax is not None and tax.losses != "elsewhere"

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

    def _used(self, option: BoundOption) -> Term:
        if self.rows.is_plain():
            value = (
                self.rows.term("output_tokens").number / self.rows.term("work_per_volume").number
            )
            return Term("{output_tokens}/{work_per_volume}", value)
        return self.rows.of(option, "equivalent_volume")

    def _flip_hours(self, pair: Pair) -> None:
        this, base, p = pair.this, pair.other, pair.scope
        what = "Hours of work a month"
        if "break_even_staff_hours" not in p.functions:
            self._skip(what, LIMITED)
            return
        used = self.rows.term(this.line("average_staff_hours"))
        flip, hourly = (
            self.rows.term(p.line("break_even_staff_hours")),
            self.rows.term(self.rows.time_input("hour_of_work_cost")),
        )
        flag = self.rows.add(
            "staff_flag",
            "1 when some number of hours of work is the limit",
            "0/1",
            words.both(words.not_below_zero(flip), words.above_zero(hourly)),
        )
        cost = [self.rows.term(o.line("equivalent_monthly_cost")) for o in (this, base)]
        left = Term(
            f"{cost[0].formula}+({flip.formula}-{used.formula})*{hourly.formula}",
            cost[0].number + (flip.number - used.number) * hourly.number,
        )
        self._flip(
            "staff",
            "Hours of work a month",
            "hours of work/month",
            used,
            flip,
            flag,
            [left, cost[1]],
        )

    def _flip_utilisation(self, this: BoundOption) -> None:
        what = "Busy share, same GPUs rented instead"
        pairs = (p for p in self.result.model.pairs if p.this is this and "hours" in p.variants)
        pair = next(pairs, None)
        if pair is None:
            others = (p.other.sole for p in self.result.model.pairs if p.this is this)
            rented = any(
                o and this.sole and (o.given.kind, o.card) == ("rent", this.sole.card)
                for o in others
            )
            none = "does not apply: the same GPUs are not both bought and rented"
            self._skip(what, LIMITED if rented and self._tax_is_limited else none)
            return
        p = pair.scope
        flip = self.rows.term(p.line("break_even_utilisation"))
        flag = self.rows.add(
            "utilisation_flag",
            "1 when some share of the hours is the limit",
            "0/1",
            words.both(self.rows.term(p.line("utilisation_within_reach")), words.above_zero(flip)),
        )
        gap = self.rows.term(p.line("all_hours_gap"))
        sides = [
            Term(f"{flip.formula}*{gap.formula}", flip.number * gap.number),
            self.rows.term(p.line("fixed_difference_of_hours")),
        ]
        self._flip(
            "utilisation",
            what,
            "fraction",
            self.rows.term(this.line("busy_share")),
            flip,
            flag,
            sides,
        )

    def _flip_price(
        self,
        key: str,
        what: str,
        unit: str,
        used: Term,
        line: str,
        npv: Term,
        other_npv: Term,
        quantity: Term,
    ) -> None:
        flip = self.rows.term(line)
        left = Term(
            f"{npv.formula}+({flip.formula}-{used.formula})*{quantity.formula}",
            npv.number + (flip.number - used.number) * quantity.number,
        )
        flag = self.rows.add(
            f"{key}_flag",
            f"1 when some price is the limit ({what})",
            "0/1",
            words.both(words.not_below_zero(flip), words.above_zero(quantity)),
        )
        self._flip(key, what, unit, used, flip, flag, [left, other_npv])

    def _flip(
        self,
        key: str,
        what: str,
        unit: str,
        used: Term,
        flip: Term,
        flag: Term,
        sides: list[Term],
        otherwise: Term | str = NEVER,
        beyond: Term | None = None,
    ) -> None:
        """Rows of one flip: used, flip value or word, headroom, and the check that puts it back."""
        value = self.rows.add(
            f"{key}/flip", f"Flip: {what}", unit, words.chosen(flag, flip, otherwise)
        )
        if beyond is not None:
            value = self.rows.add(
                f"{key}/reach",
                f"Flip within its capacity: {what}",
                unit,
                words.chosen(beyond, "too many", value),
            )
        product = flag.number * used.number
        headroom = self.rows.add(
            f"{key}/headroom",
            f"Headroom: {what}",
            "fraction",
            Term(
                f'IF({flag.formula}*{used.formula}=0,"no figure",{flip.formula}/{used.formula}-1)',
                flip.number / used.number - 1 if product else "no figure",
            ),
        )
        this, other = (
            self.rows.add(
                f"{key}/{side}", f"Cost of {whose} at the flip: {what}", self.rows.currency, term
            )
            for side, whose, term in zip(
                ("this", "other"), ("one", "the other"), sides, strict=True
            )
        )
        check = self.rows.add(
            f"{key}/check",
            f"Costs differ at the flip: {what}",
            "0/1",
            words.both(flag, words.differ(this, other, self.rows.term("tolerance"))),
        )
        held = self.rows.add(
            f"{key}/held", f"Check alone: {what}", "text", words.chosen(check, "FAILS", "holds")
        )
        pair = self.rows.main_pair()
        assert pair is not None
        infeasible = self.rows.term(pair.this.line("infeasible"))
        word = self.rows.add(
            f"{key}/word",
            f"Check in words: {what}",
            "text",
            words.chosen(infeasible, "not served", held),
        )
        lines = {"used": used, "flip": value, "headroom": headroom, "check": word}
        self.found.append(Flip(what, unit, {k: t.formula.strip("{}") for k, t in lines.items()}))
        self.checks.append((f"Costs differ at the flip: {what}", f"answer/{key}/check"))

    def _skip(self, what: str, reason: str) -> None:
        self.found.append(Flip(what, "", {}, reason))

    def _pair_with(self, main: Pair, kind: str) -> Pair | None:
        """The baseline where it is of this kind, else the cheapest feasible option of the kind."""
        if kind in main.variants:
            return main
        pairs = {p.other.name: p for p in self.result.model.pairs if p.this is main.this}
        for option in self.result.ranked:
            found = pairs.get(option.name)
            if found and kind in found.variants and self.result.status[option.name] == OK:
                return found
        return None
