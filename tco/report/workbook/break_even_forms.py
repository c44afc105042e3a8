"""The closed forms of a break-even: where one option and another cost the same, and its check.

Each row is live: what enters in proportion has a formula, whatever the inputs are. Beside the value
at which both cost the same stands the cost of both at that value, and 1 where they differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tco.engine.structure import Pair
from tco.report.workbook import words
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.texts import fitted
from tco.report.workbook.words import Term
from tco.results import BILLED

NEVER = "never"
_NAME = 24  # of another option than the baseline, beside what flips


@dataclass(frozen=True)
class Flip:
    """One row of "where it flips": the lines of its cells, or why it does not apply."""

    what: str
    unit: str
    lines: Mapping[str, str]
    reason: str = ""


class ClosedForms:
    """The rows of a pair, each made when it is first asked for.

    A form is None where the pair has none. ``checks`` are the rows that are 1 where the costs
    differ at the flip, with what is checked.
    """

    def __init__(self, rows: Lookups, pair: Pair, *, main: bool) -> None:
        self.rows, self.pair = rows, pair
        self.result = rows.result
        self.checks: list[tuple[str, str]] = []
        self._made: dict[str, Flip] = {}
        self._main = main
        self._suffix = "" if main else f", pair {pair.number}"

    def key(self, name: str) -> str:
        """The name of a row of this pair among the answer's."""
        return f"flip/{self.pair.number}/{name}"

    def all(self) -> list[Flip]:
        """Every form that the pair has."""
        found = (
            self.tokens(),
            self.tokens_in_cash(),
            self.utilisation(),
            self.utilisation_in_cash(),
            self.hardware_price(),
            self.price("api"),
            self.price("rent"),
            self.hours(),
        )
        return [flip for flip in found if flip is not None]

    def tokens(self) -> Flip | None:
        """The work a month at which both cost the same: F / (p - v)."""
        pair, p = self.pair, self.pair.scope
        this, base = pair.this, pair.other
        if "tokens" not in pair.variants:
            return None
        if "tokens" in self._made:
            return self._made["tokens"]
        volume = f"{self.result.model.counted.volume}/month"
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
        otherwise = self._add(
            "tokens_word", f"Where no number of {self.result.model.counted.work} is", "text", always
        )
        used = self._add("tokens_used", f"{self.rows.work} a month, used", volume, self._used())
        sides = [
            Term(f"{f.formula}+{v.formula}*{flip.formula}", f.number + v.number * flip.number)
            for f, v in zip(fixed, variable, strict=True)
        ]
        return self._flip(
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

    def tokens_in_cash(self) -> Flip | None:
        """The same from cash as it is paid, not discounted."""
        pair, p = self.pair, self.pair.scope
        if self.tokens() is None:
            return None
        flip = self.rows.term(p.line("break_even_volume_undiscounted"))
        some = words.both(self.rows.term(p.line("volumes_cross")), words.above_zero(flip))
        flag = self._add("tokens_cash_flag", "1 when some number is the limit in cash", "0/1", some)
        sides = []
        for option in (pair.this, pair.other):
            fixed, each = (
                self.rows.of(option, name)
                for name in ("fixed_cash_per_month", "marginal_cash_cost")
            )
            paid = f"{fixed.formula}+{each.formula}*{flip.formula}"
            sides.append(Term(paid, fixed.number + each.number * flip.number))
        return self._flip(
            "tokens_cash",
            f"{self.rows.work} a month, cash",
            f"{self.result.model.counted.volume}/month",
            self.rows.term(f"answer/{self.key('tokens_used')}"),
            flip,
            flag,
            sides,
        )

    def utilisation(self) -> Flip | None:
        """The share of the hours, busy or held, at which owning and renting cost the same."""
        p = self.pair.scope
        if "hours" not in self.pair.variants:
            return None
        if "utilisation" in self._made:
            return self._made["utilisation"]
        flip = self.rows.term(p.line("break_even_utilisation"))
        flag = self._add(
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
        return self._flip(
            "utilisation",
            "Busy share, same GPUs rented instead",
            "fraction",
            self.rows.term(self.pair.this.line("busy_share")),
            flip,
            flag,
            sides,
        )

    def utilisation_in_cash(self) -> Flip | None:
        """The same from cash as it is paid, not discounted."""
        p = self.pair.scope
        if self.utilisation() is None:
            return None
        flip, gap, within = (
            self.rows.term(p.line(name))
            for name in (
                "break_even_utilisation_undiscounted",
                "all_hours_cash_gap",
                "utilisation_within_reach",
            )
        )
        some = words.both(within, words.above_zero(flip))
        flag = self._add(
            "utilisation_cash_flag", "1 when some share is the limit in cash", "0/1", some
        )
        sides = [
            Term(f"{flip.formula}*{gap.formula}", flip.number * gap.number),
            self.rows.term(p.line("fixed_cash_difference_of_hours")),
        ]
        return self._flip(
            "utilisation_cash",
            "Busy share, same GPUs rented instead, cash",
            "fraction",
            self.rows.term(self.pair.this.line("busy_share")),
            flip,
            flag,
            sides,
        )

    def hardware_price(self) -> Flip | None:
        """The price of a GPU bought at which both cost the same."""
        if "own" not in self.pair.variants:
            return None
        this, base = self.pair.this, self.pair.other
        return self._price(
            "hardware_price",
            "Price of a GPU bought",
            "Price of a GPU bought",
            f"{self.rows.currency}/GPU",
            self.rows.of(this, "price"),
            "break_even_hardware_price",
            [self.rows.term(option.line("npv_of_cost")) for option in (this, base)],
            self.rows.of(this, "discounted_gpus_bought"),
        )

    def price(self, kind: str) -> Flip | None:
        """The price of the other option, an ``api`` or GPUs for ``rent``, where both cost alike."""
        if kind not in self.pair.variants:
            return None
        this, other = self.pair.this, self.pair.other
        lot = self.result.model.counted.lot
        tokens = "API price of output tokens" if lot == "Mtok" else f"API price for each {lot}"
        what, name, line, unit = {
            "api": (tokens, "output_price", "break_even_output_price", lot),
            "rent": ("Rental price of a GPU-hour", "price", "break_even_rental_price", "GPU-hour"),
        }[kind]
        short = what.removesuffix(" of output tokens").removesuffix(" of a GPU-hour")
        return self._price(
            kind,
            what,
            what if self._main else f"{short}, {fitted(other.name, _NAME)}",
            f"{self.rows.currency}/{unit}",
            self.rows.of(other, name),
            line,
            [self.rows.term(option.line("npv_of_cost")) for option in (other, this)],
            self.rows.of(other, BILLED[line].removeprefix("other_")),
        )

    def hours(self) -> Flip | None:
        """The hours of work a month on this option at which both cost the same."""
        this, base, p = self.pair.this, self.pair.other, self.pair.scope
        if "break_even_staff_hours" not in p.functions:
            return None
        if "staff" in self._made:
            return self._made["staff"]
        used = self.rows.term(this.line("average_staff_hours"))
        flip, hourly = (
            self.rows.term(p.line("break_even_staff_hours")),
            self.rows.term(self.rows.time_input("hour_of_work_cost")),
        )
        flag = self._add(
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
        return self._flip(
            "staff",
            "Hours of work a month",
            "hours of work/month",
            used,
            flip,
            flag,
            [left, cost[1]],
        )

    def _used(self) -> Term:
        if self.rows.is_plain():
            value = (
                self.rows.term("output_tokens").number / self.rows.term("work_per_volume").number
            )
            return Term("{output_tokens}/{work_per_volume}", value)
        return self.rows.of(self.pair.this, "equivalent_volume")

    def _price(
        self,
        key: str,
        label: str,
        what: str,
        unit: str,
        used: Term,
        line: str,
        npv: list[Term],
        quantity: Term,
    ) -> Flip:
        if key in self._made:
            return self._made[key]
        flip = self.rows.term(self.pair.scope.line(line))
        left = Term(
            f"{npv[0].formula}+({flip.formula}-{used.formula})*{quantity.formula}",
            npv[0].number + (flip.number - used.number) * quantity.number,
        )
        flag = self._add(
            f"{key}_flag",
            f"1 when some price is the limit ({label})",
            "0/1",
            words.both(words.not_below_zero(flip), words.above_zero(quantity)),
        )
        return self._flip(key, what, unit, used, flip, flag, [left, npv[1]])

    def _add(self, name: str, label: str, unit: str, term: Term) -> Term:
        return self.rows.add(self.key(name), f"{label}{self._suffix}", unit, term)

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
    ) -> Flip:
        """Rows of one flip: used, flip value or word, headroom, and the check that puts it back."""
        value = self._add(f"{key}/flip", f"Flip: {what}", unit, words.chosen(flag, flip, otherwise))
        if beyond is not None:
            value = self._add(
                f"{key}/reach",
                f"Flip within its capacity: {what}",
                unit,
                words.chosen(beyond, "too many", value),
            )
        product = flag.number * used.number
        headroom = self._add(
            f"{key}/headroom",
            f"Headroom: {what}",
            "fraction",
            Term(
                f'IF({flag.formula}*{used.formula}=0,"no figure",{flip.formula}/{used.formula}-1)',
                flip.number / used.number - 1 if product else "no figure",
            ),
        )
        this, other = (
            self._add(
                f"{key}/{side}", f"Cost of {whose} at the flip: {what}", self.rows.currency, term
            )
            for side, whose, term in zip(
                ("this", "other"), ("one", "the other"), sides, strict=True
            )
        )
        check = self._add(
            f"{key}/check",
            f"Costs differ at the flip: {what}",
            "0/1",
            words.both(flag, words.differ(this, other, self.rows.term("tolerance"))),
        )
        held = self._add(
            f"{key}/held", f"Check alone: {what}", "text", words.chosen(check, "FAILS", "holds")
        )
        infeasible = self.rows.term(self.pair.this.line("infeasible"))
        word = self._add(
            f"{key}/word",
            f"Check in words: {what}",
            "text",
            words.chosen(infeasible, "not served", held),
        )
        lines = {"used": used, "flip": value, "headroom": headroom, "check": word}
        self._made[key] = Flip(what, unit, {k: t.formula.strip("{}") for k, t in lines.items()})
        label = f"Costs differ at the flip: {what}{self._suffix}"
        self.checks.append((label, f"answer/{self.key(key)}/check"))
        return self._made[key]
