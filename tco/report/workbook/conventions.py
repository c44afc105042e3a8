"""What the numbers rest on, in words: currency, months, rate, and how work is counted."""

from __future__ import annotations

from tco.analysis.answer import counted_by
from tco.report.workbook import words
from tco.report.workbook.lookups import Lookups
from tco.report.workbook.words import Term


class Conventions:
    """The Summary's lines under its title."""

    def __init__(self, rows: Lookups) -> None:
        self.rows = rows
        self.result = rows.result
        rows.begin("Conventions in words")
        self._basis()
        self._counting()

    def _basis(self) -> None:
        scenario = self.result.scenario
        rate = self.rows.term(self.rows.time_input("discount_rate"))
        hours = (
            words.quoted("hours by the calendar")
            if scenario.hours_per_month == "calendar"
            else words.joined(
                words.text(self.rows.term(self.rows.time_input("hours_per_month")), "0.0"),
                " hours a month",
            )
        )
        basis = words.joined(
            f"{self.rows.currency}, ",
            words.text(self.rows.term("operating_months"), "0"),
            " months, ",
            words.text(rate, words.TENTH_PERCENT),
            " a year effective, ",
        )
        first = self.rows.add("basis_1", "Currency, months and rate", "text", basis)
        taxed = self.rows.add("taxed", "Before or after tax", "text", self._tax())
        counted = words.joined(hours, ", ", taxed, ", costs positive")
        second = self.rows.add("basis_2", "Hours and tax", "text", counted)
        dated = f"; as of {scenario.as_of}" if scenario.as_of else ""
        self.rows.add(
            "basis", "Basis", "text", words.joined(first, second, *([dated] if dated else []))
        )

    def _tax(self) -> Term:
        tax = self.result.scenario.tax
        if tax is None:
            return words.quoted("before tax")
        rate = words.text(self.rows.term(self.rows.time_input("tax_rate")), words.TENTH_PERCENT)
        return words.joined("after tax at ", rate)

    def _counting(self) -> None:
        if not self.result.model.has_demand:
            self.rows.add(
                "counting",
                "How tokens are counted",
                "text",
                words.quoted(
                    "No demand is given: these are costs of ownership, and nothing is ranked."
                ),
            )
            return
        if not self.rows.is_plain():
            self._count_work()
            return
        mega = self.rows.term("work_per_volume")
        output, given = (
            self.rows.term(self.rows.time_input(f"{kind}_tokens")) for kind in ("output", "input")
        )

        def millions(tokens: Term) -> Term:
            return words.text(
                Term(f"{tokens.formula}/{mega.formula}", tokens.number / mega.number),
                words.ONE_DECIMAL,
            )

        asked = self.rows.add(
            "output",
            "Output tokens in words",
            "text",
            words.joined(millions(output), " M output tokens and "),
        )
        some = self.rows.add(
            "input",
            "Input tokens in words",
            "text",
            words.joined(millions(given), f" M input tokens a month{self._shape()}"),
        )
        supplies = [s for option in self.result.model.complete for s in option.supplies]
        if any(supply.card for supply in supplies):
            note = "; the capacity of cards counts output alone"
            some = self.rows.add("input_cards", "With cards", "text", words.joined(some, note))
        # the source is a text of the user's: it stands on Inputs, never in a formula
        whose = ", as their source counts" if counted_by(self.result) else ""
        alone = self.rows.add(
            "output_alone",
            "Output tokens alone",
            "text",
            words.quoted(f"0 input tokens a month: all counted as output{whose}{self._shape()}"),
        )
        self.rows.add(
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
        volume = self.rows.term("total_demanded_volume")
        months = self.rows.term("operating_months")
        mean = Term(f"{volume.formula}/{months.formula}", volume.number / months.number)
        asked = self.rows.add(
            "output",
            "Work in words",
            "text",
            words.joined(
                words.text(mean, words.ONE_DECIMAL),
                f" {self.result.model.counted.volume} a month on average",
            ),
        )
        bound = self.result.model.demand
        several = bound is not None and len(bound.workloads) > 1
        where = f", in {len(bound.workloads)} workloads" if bound and several else ""
        if bound is None or not any(workload.stays for workload in bound.workloads):
            self.rows.add(
                "counting", "How work is counted", "text", words.joined(asked, where or ".")
            )
            return
        kept, lot = self.rows.term("total_staying_work"), self.rows.term("work_per_volume")
        stays = self.rows.add(
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
        said = self.rows.add("output_rest", "Work that stays, in words", "text", rest)
        self.rows.add("counting", "How work is counted", "text", words.joined(asked, said))
