"""The cover: purpose, version, use, colours and changes."""

from __future__ import annotations

import tco
from tco.report.workbook import styles
from tco.report.workbook.page import A4, FIXED_NOTE, Page
from tco.report.workbook.texts import fitted

CHANGES = (
    ("0.1.0", "first version"),
    ("0.2.0", "load curves, whole GPUs, how rent and bills are counted"),
    ("0.3.0", "statements by fiscal year, tax, resale, loans and leases, internal rates"),
    ("0.4.0", "break-evens put back into the model, what moves the gap and how sure it is"),
)
ABOUT = (
    ("Purpose", "What each option costs month by month, and where the cheaper one changes."),
    ("How to use", "Change a blue cell on Inputs; every other sheet follows."),
    ("", "Options, months and currency are fixed here: change the scenario and run again."),
    ("", "It calculates on opening, so a program may ask to save it on closing."),
    ("Sheets", "Summary: the answer on one page. Inputs: every number, with its source."),
    ("", "Break_even: at which value of an input the cheaper one changes, live or as solved."),
    ("", "Sensitivity: what the gap is made of, what moves it, the chance of being cheapest."),
    ("", "Timeline: months, discounting, demand. Option_1 and on: one for each option."),
    (
        "",
        "Statement_1 and on: its cash and its profit and loss; fiscal years and quarters print.",
    ),
    ("", "Comparison: pairs of options, ranking, the Summary's words. Checks: 0 is right."),
    ("", "Trials: each solved break-even once more in the model, where the saving has to be 0."),
    ("Columns", "Line, unit, how it is computed, constant, total, opening, months."),
    ("", "They are the same on every sheet. Opening is empty: balances start from nothing."),
    (
        "Conventions",
        "Costs are positive. Month 0 is the decision; running costs fall at a month's end.",
    ),
    ("", "A cash flow, an effect on EBITDA and a profit are positive where money comes in."),
    ("", "An internal rate is solved once, for the inputs as delivered; a check holds it to that."),
    (
        "",
        "Grey on Break_even and Sensitivity: solved for the inputs as delivered, run again after.",
    ),
    ("", "Rates are annual, effective. A month that never comes is N + 1, and the word never."),
    ("", "A row of months holds one formula. Nothing is rounded; formats show fewer digits."),
)
CASES = (
    "",
    "Choose a case on the Summary: its numbers are the blue cells at the top of Inputs.",
)


class AboutPage(Page):
    """What the workbook is and how to use it."""

    def write(self) -> None:
        """Write the page."""
        scenario = self.result.scenario
        self.open("About this workbook", (0, 1), paper=A4)
        self.page.freeze_panes(1, 0)
        self.page.repeat_rows(0, 0)
        self.page.set_column(0, 0, 30)
        self.page.set_column(1, 1, 100)
        rows = [
            ABOUT[0],
            ("Scenario", fitted(scenario.name, 98)),
            ("Digest of the scenario", scenario.digest),
            ("Version", f"tco {tco.__version__}"),
            ("Date of the prices", scenario.as_of or "not stated"),
            *ABOUT[1:3],
            *([CASES] if scenario.in_cases else []),
            *ABOUT[3:],
        ]
        at = 2
        for label, text in rows:
            self.text(at, 0, label, self.style(styles.TEXT, bold=True))
            self.text(at, 1, text)
            at += 1
        self.text(at, 0, "How tokens are counted", self.style(styles.TEXT, bold=True))
        self.link(at, 1, "answer/counting")
        at += 2
        self.text(at, 0, "Colours", self.style(styles.TEXT, bold=True))
        for text, kind in (
            ("an input: change it", styles.INPUT),
            ("computed on this sheet", styles.COMPUTED),
            ("brought from another sheet", styles.LINKED),
            (FIXED_NOTE, styles.FIXED),
            ("an assumed input: its basis is marked so", styles.ASSUMED),
        ):
            self.text(at, 1, text, self.style(kind))
            at += 1
        at += 1
        self.text(at, 0, "Changes of the workbook", self.style(styles.TEXT, bold=True))
        for version, what in CHANGES:
            self.text(at, 1, f"{version}: {what}")
            at += 1
