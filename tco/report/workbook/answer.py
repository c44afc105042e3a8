"""The part of Comparison that the Summary shows: ranking, flips and the answer in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tco.analysis.answer import CARDS_COUNT_OUTPUT, counted_by
from tco.analysis.marks import marks
from tco.engine.structure import BoundOption, Pair
from tco.report.workbook import words
from tco.report.workbook.layout import WORDS, Row, Value
from tco.report.workbook.texts import option_texts
from tco.report.workbook.words import Term
from tco.results import OK, Result

NEVER = "never"


@dataclass(frozen=True)
class Flip:
    """One row of "where it flips": the lines of its cells, or why it does not apply."""

    what: str
    unit: str
    lines: Mapping[str, str]
    reason: str = ""


class Answer:
    """Rows that look up and join what the options and comparisons give."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.names = option_texts(result)
        self.rows: dict[str, list[Row]] = {}
        self.flips: list[Flip] = []
        self.checks: list[tuple[str, str]] = []
        self.currency = result.currency
        self._values: dict[str, Value] = {}
        self._block = ""
        complete = result.model.complete
        if not result.model.has_demand:
            self._printed_figures(complete)
            self._conventions()
            return
        self._rank(complete)
        self._block = "Where it flips"
        pair = self.main_pair()
        if pair is not None:
            self._flip_rows(pair)
        self._answer(pair)
        self._conventions()

    def blocks(self) -> list[tuple[str, list[Row]]]:
        """Headings and rows, in order."""
        return list(self.rows.items())

    def term(self, line: str) -> Term:
        """A scalar line of the model, an input or one of these rows, as a piece of a formula."""
        if line in self._values:
            return Term(f"{{{line}}}", self._values[line])
        inputs = self.result.model.inputs
        value = inputs[line].value if line in inputs else self.result.value(line)
        return Term(f"{{{line}}}", value)

    def _add(self, name: str, label: str, unit: str, term: Term, note: str = "") -> Term:
        line = f"answer/{name}"
        row = Row(line, WORDS, label, unit, note, term.formula, values=[term.value])
        self.rows.setdefault(self._block, []).append(row)
        self._values[line] = term.value
        return self.term(line)

    def main_pair(self) -> Pair | None:
        """The option that the answer is about against the baseline."""
        focus, base = self.result.focus, self.result.baseline
        return self.result.pair(focus, base) if focus and base else None

    # without demand

    def _printed_figures(self, complete: list[BoundOption]) -> None:
        self._block = "Beside the printed figures"
        for option in complete:
            n = option.number
            assert option.scope is not None
            cost = self.term(option.line("cost_per_month"))
            if "published_difference" in option.scope.functions:
                figure = self._of(option, "published_per_month")
                difference = self.term(option.line("published_difference"))
            else:
                figure = difference = words.quoted("none printed")
            unit = f"{self.currency}/month"
            note = self.names[option.name]
            self._add(f"cost/{n}", f"Cost per month, option {n}", unit, cost, note)
            self._add(f"printed/{n}", f"Printed cost per month, option {n}", unit, figure)
            self._add(f"difference/{n}", f"Calculated less printed, option {n}", unit, difference)

    # ranking

    def _rank(self, complete: list[BoundOption]) -> None:
        self._block = "Ranking"
        unit = f"{self.currency}/month"
        for option in complete:
            ranked = words.chosen(
                self.term(option.line("infeasible")),
                "infeasible",
                self.term(option.line("equivalent_monthly_cost")),
            )
            self._add(
                f"ranked/{option.number}",
                f"Equivalent monthly cost if feasible, option {option.number}",
                unit,
                ranked,
                self.names[option.name],
            )
        first, last = (f"answer/ranked/{complete[i].number}" for i in (0, -1))
        costs = [self._values[f"answer/ranked/{option.number}"] for option in complete]
        feasible = [cost for cost in costs if not isinstance(cost, str)]
        cells = f"{{{first}}}:{{{last}}}"
        names = f"{{{first}:name}}:{{{last}:name}}"
        count = self._add(
            "feasible",
            "Options that serve the demand",
            "options",
            Term(f"COUNT({cells})", float(len(feasible))),
        )
        lowest = self._add(
            "lowest",
            "Lowest equivalent monthly cost",
            unit,
            Term(f"MIN({cells})", min(feasible, default=0.0)),
        )
        name = self.names[complete[costs.index(lowest.value)].name] if feasible else "no option"
        found = f"INDEX({names},MATCH({lowest.formula},{cells},0))"
        self._add(
            "cheapest",
            "Cheapest option",
            "text",
            Term(f'IF({count.formula}=0,"no option",{found})', name),
        )
        for option in complete:
            self._shown(option, unit)

    def _shown(self, option: BoundOption, unit: str) -> None:
        """Cells of the Summary that hold a word where there is no number."""
        n = option.number
        if option.scope and "levelised_cost" in option.scope.functions:
            tokens = self._of(option, "discounted_useful_volume")
            self._add(
                f"per_mtok/{n}",
                f"Levelised cost, option {n}",
                self.result.unit(option.line("levelised_cost")),
                words.chosen(
                    words.above_zero(tokens),
                    self.term(option.line("levelised_cost")),
                    f"no {self.result.model.counted.work}",
                ),
            )
        unserved = self.term(option.line("total_unserved_work"))
        asked = self.term(option.line("total_demanded_work"))
        share_value = unserved.number / asked.number if asked.number else 0.0
        share = self._add(
            f"unserved/{n}",
            f"Share of the work unserved, option {n}",
            "fraction",
            Term(f"IF({asked.formula}=0,0,{unserved.formula}/{asked.formula})", share_value),
        )
        base = self.result.baseline
        pair = self.result.pair(option.name, base) if base else None
        if option.name == base:
            difference = words.quoted("base")
        elif pair is None:
            difference = words.quoted("no baseline")
        else:
            difference = self.term(pair.scope.line("equivalent_difference"))
        self._add(
            f"difference/{n}",
            f"Equivalent monthly cost less the baseline's, option {n}",
            unit,
            words.chosen(
                self.term(option.line("infeasible")),
                self._why_infeasible(option, share),
                difference,
            ),
        )

    def _why_infeasible(self, option: BoundOption, share: Term) -> Term:
        unserved = words.joined(words.text(share, words.PERCENT), " unserved")
        assert option.scope is not None
        unfit = option.scope.find("unfit_through")
        if not isinstance(unfit, str) or "infeasible" not in option.scope.functions:
            return unserved
        name = f"unserved_words/{option.number}"
        said = self._add(name, f"Unserved in words, option {option.number}", "text", unserved)
        name = f"why/{option.number}"
        return self._add(
            name,
            f"Why it is infeasible, option {option.number}",
            "text",
            words.chosen(self.term(unfit), "cannot do it", said),
        )

    # where it flips

    def _flip_rows(self, pair: Pair) -> None:
        this, base = pair.this, pair.other
        assert this.scope is not None
        p = pair.scope
        volume = f"{self.result.model.counted.volume}/month"
        if "tokens" in pair.variants:
            fixed = [self._of(o, "fixed_cost_per_month") for o in (this, base)]
            variable = [self._of(o, "marginal_cost") for o in (this, base)]
            flip = self.term(p.line("break_even_volume"))
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
                "tokens_word",
                f"Where no number of {self.result.model.counted.work} is",
                "text",
                always,
            )
            used = self._add("tokens_used", f"{self._work} a month, used", volume, self._used(this))
            sides = [
                Term(f"{f.formula}+{v.formula}*{flip.formula}", f.number + v.number * flip.number)
                for f, v in zip(fixed, variable, strict=True)
            ]
            self._flip(
                "tokens",
                f"{self._work} a month",
                volume,
                used,
                flip,
                self.term(p.line("volumes_cross")),
                sides,
                otherwise,
                self.term(p.line("beyond_capacity")) if "capacity" in pair.variants else None,
            )
        else:
            self._skip(
                f"{self._work} a month",
                f"does not apply: cost does not grow evenly with {self.result.model.counted.work}",
            )
        self._flip_utilisation(this)
        npv = [self.term(o.line("npv_of_cost")) for o in (this, base)]
        if "own" in pair.variants:
            price, count = self._of(this, "price"), self._of(this, "discounted_gpus_bought")
            self._flip_price(
                "hardware_price",
                "Price of a GPU bought",
                f"{self.currency}/GPU",
                price,
                p.line("break_even_hardware_price"),
                npv[0],
                npv[1],
                count,
            )
        else:
            self._skip(
                "Price of a GPU bought", "does not apply: no option of bought GPUs alone here"
            )
        for kind, key, what, line, quantity, unit in (
            (
                "api",
                "output_price",
                "API price of output tokens"
                if self.result.model.counted.lot == "Mtok"
                else f"API price for each {self.result.model.counted.lot}",
                "break_even_output_price",
                "discounted_output_charge",
                self.result.model.counted.lot,
            ),
            (
                "rent",
                "price",
                "Rental price of a GPU-hour",
                "break_even_rental_price",
                "discounted_billed_gpu_hours",
                "GPU-hour",
            ),
        ):
            found = self._pair_with(pair, kind)
            if found is None:
                self._skip(
                    what, f"does not apply: no option of {_KINDS[kind]} alone to compare with"
                )
                continue
            other = found.other
            named = what if found is pair else f"{what}, option {other.number}"
            self._flip_price(
                kind,
                named,
                f"{self.currency}/{unit}",
                self._of(other, key),
                found.scope.line(line),
                self.term(other.line("npv_of_cost")),
                self.term(this.line("npv_of_cost")),
                self._of(other, quantity),
            )
        self._flip_hours(pair)

    @property
    def _work(self) -> str:
        """What the demand counts, as the beginning of a label."""
        counted = self.result.model.counted
        work = "output tokens" if counted.lot == "Mtok" else counted.work
        return work[0].upper() + work[1:]

    def _is_plain(self) -> bool:
        """Whether the demand is one number of output tokens and one of input tokens."""
        inputs = self.result.model.time.inputs
        aliases = self.result.model.time.aliases
        return (
            "output_tokens" in inputs
            and "reasoning_tokens" not in inputs
            and aliases.get("activity") == "operating"
            and aliases.get("addressable") == 1
        )

    def _used(self, option: BoundOption) -> Term:
        if self._is_plain():
            value = self.term("output_tokens").number / self.term("work_per_volume").number
            return Term("{output_tokens}/{work_per_volume}", value)
        return self._of(option, "equivalent_volume")

    def _flip_hours(self, pair: Pair) -> None:
        this, base, p = pair.this, pair.other, pair.scope
        used = self.term(this.line("average_staff_hours"))
        flip, hourly = self.term(p.line("break_even_staff_hours")), self.term(self._hourly_cost())
        flag = self._add(
            "staff_flag",
            "1 when some number of hours of work is the limit",
            "0/1",
            words.both(words.not_below_zero(flip), words.above_zero(hourly)),
        )
        cost = [self.term(o.line("equivalent_monthly_cost")) for o in (this, base)]
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

    def _hourly_cost(self) -> str:
        found = self.result.model.time.find("hourly_cost")
        assert isinstance(found, str)
        return found

    def _flip_utilisation(self, this: BoundOption) -> None:
        what = "Busy share, same GPUs rented instead"
        pairs = (p for p in self.result.model.pairs if p.this is this and "hours" in p.variants)
        pair = next(pairs, None)
        if pair is None:
            self._skip(what, "does not apply: the same GPUs are not both bought and rented")
            return
        p = pair.scope
        flip = self.term(p.line("break_even_utilisation"))
        flag = self._add(
            "utilisation_flag",
            "1 when some share of the hours is the limit",
            "0/1",
            words.both(self.term(p.line("utilisation_within_reach")), words.above_zero(flip)),
        )
        gap = self.term(p.line("all_hours_gap"))
        sides = [
            Term(f"{flip.formula}*{gap.formula}", flip.number * gap.number),
            self.term(p.line("fixed_difference_of_hours")),
        ]
        self._flip(
            "utilisation", what, "fraction", self.term(this.line("busy_share")), flip, flag, sides
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
        flip = self.term(line)
        left = Term(
            f"{npv.formula}+({flip.formula}-{used.formula})*{quantity.formula}",
            npv.number + (flip.number - used.number) * quantity.number,
        )
        flag = self._add(
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
            self._add(f"{key}/{side}", f"Cost of {whose} at the flip: {what}", self.currency, term)
            for side, whose, term in zip(
                ("this", "other"), ("one", "the other"), sides, strict=True
            )
        )
        check = self._add(
            f"{key}/check",
            f"Costs differ at the flip: {what}",
            "0/1",
            words.both(flag, words.differ(this, other, self.term("tolerance"))),
        )
        held = self._add(
            f"{key}/held", f"Check alone: {what}", "text", words.chosen(check, "FAILS", "holds")
        )
        pair = self.main_pair()
        assert pair is not None
        infeasible = self.term(pair.this.line("infeasible"))
        word = self._add(
            f"{key}/word",
            f"Check in words: {what}",
            "text",
            words.chosen(infeasible, "not served", held),
        )
        lines = {"used": used, "flip": value, "headroom": headroom, "check": word}
        self.flips.append(Flip(what, unit, {k: t.formula.strip("{}") for k, t in lines.items()}))
        self.checks.append((f"Costs differ at the flip: {what}", f"answer/{key}/check"))

    def _skip(self, what: str, reason: str) -> None:
        self.flips.append(Flip(what, "", {}, reason))

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

    def _of(self, option: BoundOption, name: str) -> Term:
        """A line or input of an option, or of its only supply."""
        assert option.scope is not None
        found = option.scope.find(name)
        assert found is not None, f"{name} of {option.name}"
        return self.term(found) if isinstance(found, str) else Term(str(found), float(found))

    # the answer in words

    def _answer(self, pair: Pair | None) -> None:
        self._block = "The answer in words"
        lowest, name = self.term("answer/lowest"), self.term("answer/cheapest")
        start = self._add(
            "currency", "Reporting currency", "text", words.quoted(f"{self.currency} ")
        )
        cost = self._add(
            "cheapest_cost",
            "What the cheapest costs",
            "text",
            words.joined(
                ": ", start, words.text(lowest, words.MONEY), " a month, up-front cost included"
            ),
        )
        self._add("line_1", "Answer, line 1", "text", words.joined("Cheapest is ", name, cost))
        if pair is None:
            return
        p = pair.scope
        difference = self.term(p.line("equivalent_difference"))
        present = self.term(p.line("npv_difference"))
        monthly = self._add(
            "gap_month",
            "Gap a month",
            "text",
            words.joined(
                start,
                words.amount(difference),
                words.chosen(words.at_most_zero(difference), " less", " more"),
                " a month",
            ),
        )
        in_all = self._add(
            "gap_npv",
            "Gap in present value",
            "text",
            words.joined(
                start,
                words.amount(present, words.WHOLE),
                words.chosen(words.at_most_zero(present), " less", " more"),
                " in present value",
            ),
        )
        feasible = self._add(
            "focus_serves",
            "Whether the option asked about serves the demand",
            "text",
            words.chosen(
                self.term(pair.this.line("infeasible")),
                "The option asked about does NOT serve the demand; it costs ",
                "The option asked about costs ",
            ),
        )
        self._add(
            "line_2",
            "Answer, line 2",
            "text",
            words.joined(feasible, monthly, " than the baseline: ", in_all),
        )
        self._break_even(pair, start)
        self._conditions(pair)

    def _break_even(self, pair: Pair, start: Term) -> None:
        p = pair.scope
        month = self.term(p.line("break_even_month"))
        inside = self.term(p.line("break_even_month_unrounded"))
        months = self.term("operating_months")
        short = self.term(p.line("final_saving"))
        reached = self._add(
            "break_even_reached",
            "Break-even, where there is one",
            "text",
            words.joined(
                "It breaks even in month ",
                words.text(month, "0"),
                " of ",
                words.text(months, "0"),
                " (",
                words.text(inside, "0.00"),
                " before rounding up)",
            ),
        )
        missed = self._add(
            "break_even_missed",
            "Break-even, where there is none",
            "text",
            words.joined(
                "Break-even: never, short by ",
                start,
                words.amount(short, words.WHOLE),
                " at month ",
                words.text(months, "0"),
            ),
        )
        payback = self._add(
            "payback",
            "Break-even in words",
            "text",
            words.chosen(self.term(p.line("breaks_even")), reached, missed),
        )
        self._add(
            "line_3",
            "Answer, line 3",
            "text",
            words.chosen(
                self.term(pair.this.line("infeasible")),
                "Break-even: none that counts, it does not serve the demand",
                payback,
            ),
        )
        line = pair.this.line("cumulative_cost")
        turning = p.line("turning")
        at_month = sum(
            cost * flag
            for cost, flag in zip(
                self.result.months(line), self.result.months(turning), strict=True
            )
        )
        self._add(
            "marker",
            "Cumulative cost at the break-even",
            self.currency,
            Term(f"SUMPRODUCT({{{line}:all}},{{{turning}:all}})", at_month),
        )

    def _conditions(self, pair: Pair) -> None:
        this = pair.this
        hours = self.term(pair.scope.line("break_even_staff_hours"))
        used = self.term(this.line("average_staff_hours"))
        flag = self.term("answer/staff_flag")
        under = self._add(
            "work_under",
            "Condition: hours of work",
            "text",
            words.joined(
                "(a) it takes under ",
                words.amount(hours, words.ONE_DECIMAL),
                " hours of work a month",
            ),
        )
        none = self._add(
            "work_none",
            "Condition: hours of work, where no number helps",
            "text",
            words.quoted("(a) no number of hours of work decides it"),
        )
        work = self._add(
            "work",
            "Condition: hours of work, as it is",
            "text",
            words.joined(
                words.chosen(flag, under, none),
                " [used: ",
                words.text(used, words.ONE_DECIMAL),
                "]",
            ),
        )
        rate = self.term("highest_demanded_rate")
        each = (
            "output tokens/s"
            if self.result.model.counted.lot == "Mtok"
            else f"{self.result.model.counted.work} an hour"
        )
        sustain = words.joined(
            "; (b) it sustains ", words.text(rate, words.ONE_DECIMAL), f" {each} on average"
        )
        if not any(supply.card for supply in this.supplies):
            known = words.quoted(" [an API: no limit known]")
        elif all(supply.measured or not supply.card for supply in this.supplies):
            share = self.term(this.line("busy_share"))
            known = words.joined(" [busy ", words.text(share, words.TENTH_PERCENT), "]")
        else:
            known = words.quoted(" [throughput not given]")
        throughput = self._add("throughput", "Condition: throughput", "text", sustain)
        stated = self._add(
            "throughput_known", "Condition: throughput, what is known", "text", known
        )
        conditions = self._add(
            "conditions",
            "Conditions in words",
            "text",
            words.joined("Cheaper only if ", work, throughput, stated),
        )
        self._add(
            "only_if",
            "Only if, in words",
            "text",
            words.chosen(
                self.term(this.line("infeasible")),
                "Nothing makes it win: it does not serve the demand",
                conditions,
            ),
        )
        another = "M" in marks(self.result, this.name)
        self._add(
            "model",
            "Condition: the model",
            "text",
            words.quoted(
                "and (c) its model, another one, can do the work of the baseline's [not modelled]"
                if another
                else "and (c) both do the same work as well as one another [not modelled]"
            ),
        )

    # conventions

    def _conventions(self) -> None:
        self._block = "Conventions in words"
        scenario = self.result.scenario
        rate = self.term(self._time_input("discount_rate"))
        hours = (
            words.quoted("hours by the calendar")
            if scenario.hours_per_month == "calendar"
            else words.joined(
                words.text(self.term(self._time_input("hours_per_month")), "0.0"), " hours a month"
            )
        )
        basis = words.joined(
            f"{self.currency}, ",
            words.text(self.term("operating_months"), "0"),
            " months, ",
            words.text(rate, words.TENTH_PERCENT),
            " a year effective, ",
        )
        first = self._add("basis_1", "Currency, months and rate", "text", basis)
        second = self._add(
            "basis_2", "Hours and tax", "text", words.joined(hours, ", before tax, costs positive")
        )
        dated = f"; as of {scenario.as_of}" if scenario.as_of else ""
        self._add(
            "basis", "Basis", "text", words.joined(first, second, *([dated] if dated else []))
        )
        if not self.result.model.has_demand:
            self._add(
                "counting",
                "How tokens are counted",
                "text",
                words.quoted(
                    "No demand is given: these are costs of ownership, and nothing is ranked."
                ),
            )
            return
        if not self._is_plain():
            self._count_work()
            return
        mega = self.term("work_per_volume")
        output, given = (
            self.term(self._time_input(f"{kind}_tokens")) for kind in ("output", "input")
        )

        def millions(tokens: Term) -> Term:
            return words.text(
                Term(f"{tokens.formula}/{mega.formula}", tokens.number / mega.number),
                words.ONE_DECIMAL,
            )

        asked = self._add(
            "output",
            "Output tokens in words",
            "text",
            words.joined(millions(output), " M output tokens and "),
        )
        some = self._add(
            "input",
            "Input tokens in words",
            "text",
            words.joined(millions(given), f" M input tokens a month{self._shape()}"),
        )
        supplies = [s for option in self.result.model.complete for s in option.supplies]
        if any(supply.card for supply in supplies):
            note = f"; {CARDS_COUNT_OUTPUT}"
            some = self._add("input_cards", "With cards", "text", words.joined(some, note))
        # the source is a text of the user's: it stands on Inputs, never in a formula
        whose = ", as their source counts" if counted_by(self.result) else ""
        alone = self._add(
            "output_alone",
            "Output tokens alone",
            "text",
            words.quoted(f"0 input tokens a month: all counted as output{whose}{self._shape()}"),
        )
        self._add(
            "counting",
            "How tokens are counted",
            "text",
            words.joined(
                asked,
                words.chosen(
                    words.above_zero(given),
                    some,
                    alone,
                ),
            ),
        )

    def _shape(self) -> str:
        bound = self.result.model.demand
        return ", flat" if bound is None or bound.curve is None else ", with a peak"

    def _count_work(self) -> None:
        """How work is counted where it is not two plain numbers of tokens."""
        volume = self.term("total_demanded_volume")
        months = self.term("operating_months")
        mean = Term(f"{volume.formula}/{months.formula}", volume.number / months.number)
        asked = self._add(
            "output",
            "Work in words",
            "text",
            words.joined(
                words.text(mean, words.ONE_DECIMAL),
                f" {self.result.model.counted.volume} a month on average{self._shape()}",
            ),
        )
        bound = self.result.model.demand
        several = bound is not None and len(bound.workloads) > 1
        where = f", in {len(bound.workloads)} workloads" if bound and several else ""
        if bound is None or not any(workload.stays for workload in bound.workloads):
            self._add("counting", "How work is counted", "text", words.joined(asked, where or "."))
            return
        kept, lot = self.term("total_staying_work"), self.term("work_per_volume")
        stays = self._add(
            "staying",
            "Work that stays, a month",
            f"{self.result.model.counted.volume}/month",
            Term(
                f"{kept.formula}/{lot.formula}/{months.formula}",
                kept.number / lot.number / months.number,
            ),
        )
        rest = words.joined(
            f" can move{where}; ",
            words.text(stays, words.ONE_DECIMAL),
            " more stays and is paid in every option",
        )
        said = self._add("output_rest", "Work that stays, in words", "text", rest)
        self._add("counting", "How work is counted", "text", words.joined(asked, said))

    def _time_input(self, parameter: str) -> str:
        found = self.result.model.time.find(parameter)
        assert isinstance(found, str)
        return found


_KINDS = {"api": "an API", "rent": "rented GPUs"}
