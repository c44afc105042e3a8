"""The answer in words: what is cheapest, by how much, from which month, and only if."""

from __future__ import annotations

from tco.analysis.marks import marks
from tco.engine.structure import Pair
from tco.report.workbook import words
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.words import Term


class Sentences:
    """The Summary's lines under ANSWER."""

    def __init__(self, rows: Lookups) -> None:
        self.rows = rows
        self.result = rows.result
        rows.begin("The answer in words")
        self._lines(rows.main_pair())

    def _lines(self, pair: Pair | None) -> None:
        lowest, name = self.rows.term("answer/lowest"), self.rows.term("answer/cheapest")
        start = self.rows.add(
            "currency", "Reporting currency", "text", words.quoted(f"{self.rows.currency} ")
        )
        cost = self.rows.add(
            "cheapest_cost",
            "What the cheapest costs",
            "text",
            words.joined(
                ": ", start, words.text(lowest, words.MONEY), " a month, up-front cost included"
            ),
        )
        self.rows.add("line_1", "Answer, line 1", "text", words.joined("Cheapest is ", name, cost))
        if pair is None:
            return
        p = pair.scope
        difference = self.rows.term(p.line("equivalent_difference"))
        present = self.rows.term(p.line("npv_difference"))
        monthly = self.rows.add(
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
        in_all = self.rows.add(
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
        feasible = self.rows.add(
            "focus_serves",
            "Whether the option asked about serves the demand",
            "text",
            words.chosen(
                self.rows.term(pair.this.line("infeasible")),
                "The option asked about does NOT serve the demand; it costs ",
                "The option asked about costs ",
            ),
        )
        self.rows.add(
            "line_2",
            "Answer, line 2",
            "text",
            words.joined(feasible, monthly, " than the baseline"),
        )
        self._break_even(pair, start, in_all)
        self._conditions(pair)

    def _break_even(self, pair: Pair, start: Term, in_all: Term) -> None:
        p = pair.scope
        month = self.rows.term(p.line("break_even_month"))
        inside = self.rows.term(p.line("break_even_month_unrounded"))
        months = self.rows.term("operating_months")
        short = self.rows.term(p.line("final_saving"))
        later = self.rows.add(
            "break_even_later",
            "Break-even after month 0",
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
        reached = self.rows.add(
            "break_even_reached",
            "Break-even, where there is one",
            "text",
            words.chosen(words.at_most_zero(month), "It is ahead from month 0 on", later),
        )
        missed = self.rows.add(
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
        payback = self.rows.add(
            "payback",
            "Break-even in words",
            "text",
            words.chosen(self.rows.term(p.line("breaks_even")), reached, missed),
        )
        counts = self.rows.add(
            "payback_counts",
            "Break-even in words, if the demand is served",
            "text",
            words.chosen(
                self.rows.term(pair.this.line("infeasible")),
                "Break-even: none that counts, it does not serve the demand",
                payback,
            ),
        )
        self.rows.add("line_3", "Answer, line 3", "text", words.joined(counts, "; ", in_all))
        line = pair.this.line("cumulative_cost")
        turning = p.line("turning")
        at_month = sum(
            cost * flag
            for cost, flag in zip(
                self.result.months(line), self.result.months(turning), strict=True
            )
        )
        self.rows.add(
            "marker",
            "Cumulative cost at the break-even",
            self.rows.currency,
            Term(f"SUMPRODUCT({{{line}:all}},{{{turning}:all}})", at_month),
        )

    def _hours(self, pair: Pair) -> Term:
        """The condition on hours of work, where some number of them is the limit."""
        if "break_even_staff_hours" not in pair.scope.functions:
            return words.quoted("(a) its hours of work are as given")
        hours = self.rows.term(pair.scope.line("break_even_staff_hours"))
        under = self.rows.add(
            "work_under",
            "Condition: hours of work",
            "text",
            words.joined(
                "(a) it takes under ",
                words.amount(hours, words.ONE_DECIMAL),
                " hours of work a month",
            ),
        )
        none = self.rows.add(
            "work_none",
            "Condition: hours of work, where no number helps",
            "text",
            words.quoted("(a) no number of hours of work decides it"),
        )
        flag = self.rows.term(f"answer/flip/{pair.number}/staff_flag")
        return words.chosen(flag, under, none)

    def _conditions(self, pair: Pair) -> None:
        this = pair.this
        used = self.rows.term(this.line("average_staff_hours"))
        work = self.rows.add(
            "work",
            "Condition: hours of work, as it is",
            "text",
            words.joined(
                self._hours(pair),
                " [used: ",
                words.text(used, words.ONE_DECIMAL),
                "]",
            ),
        )
        rate = self.rows.term("highest_demanded_rate")
        each = (
            "output tokens/s"
            if self.result.model.counted.lot == "Mtok"
            else f"{self.result.model.counted.work} an hour"
        )
        sustain = words.joined(
            "(b) it sustains ", words.text(rate, words.ONE_DECIMAL), f" {each} on average"
        )
        if not any(supply.card for supply in this.supplies):
            known = words.quoted(" [an API: no limit known]")
        elif all(supply.measured or not supply.card for supply in this.supplies):
            share = self.rows.term(this.line("busy_share"))
            known = words.joined(" [busy ", words.text(share, words.TENTH_PERCENT), "]")
        else:
            known = words.quoted(" [not given]")
        throughput = self.rows.add("throughput", "Condition: throughput", "text", sustain)
        stated = self.rows.add(
            "throughput_known", "Condition: throughput, what is known", "text", known
        )
        infeasible = self.rows.term(this.line("infeasible"))
        conditions = self.rows.add(
            "conditions",
            "Conditions in words",
            "text",
            words.joined("Cheaper only if ", work),
        )
        self.rows.add(
            "only_if",
            "Only if, in words",
            "text",
            words.chosen(
                infeasible, "Nothing makes it win: it does not serve the demand", conditions
            ),
        )
        another = "M" in marks(self.result, this.name)
        model = self.rows.add(
            "model",
            "Condition: the model",
            "text",
            words.quoted(
                "(c) its model replaces the baseline's [not modelled]"
                if another
                else "(c) both do the same work as well [not modelled]"
            ),
        )
        others = self.rows.add(
            "others", "Other conditions", "text", words.joined(throughput, stated, "; ", model)
        )
        self.rows.add(
            "and_if",
            "Only if, the other conditions in words",
            "text",
            words.chosen(infeasible, model, others),
        )
