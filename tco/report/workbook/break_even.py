"""The sheet Break_even: where the cheaper option changes, by closed forms and as solved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tco.report.workbook import styles
from tco.report.workbook.break_even_forms import Flip
from tco.report.workbook.break_even_trials import Tried
from tco.report.workbook.page import A4, Page
from tco.report.workbook.styles import number_format
from tco.report.workbook.texts import fitted

if TYPE_CHECKING:
    from tco.analysis.break_even import BreakEven

SOLVED_NOTE = "solved for the inputs as delivered"
RUN_AGAIN = "run again"
RIGHT = {"align": "right", "shrink": True}
COLUMNS = (
    ("Input", 42),
    ("Unit", 20),
    ("Value used", 16),
    ("Flips at", 16),
    ("Headroom", 12),
    ("Check", 12),
    ("Cheaper below", 26),
    ("Cheaper above", 26),
    ("Serve the demand", 12),
    ("Saved there, or just below", 16),
    ("Saved just above", 16),
)
WORDS = {"always": "always cheaper", "equal": "never: the same"}
NAMES = (6, 7)  # the columns of names of options
NAME = 23


class BreakEvenPage(Page):
    """Closed forms, which are live, then what was solved, which is checked live."""

    def write(self) -> None:
        """Write the page."""
        focus, base = self.result.focus, self.result.baseline
        self.open("Break-even", (0, 5), paper=A4)
        self.page.freeze_panes(4, 1)
        self.page.repeat_rows(0, 3)
        asked = f"Of {fitted(focus, 40)} " if focus else ""
        said = f"{asked}against each other option: at which value of one input both cost the same."
        self.text(1, 0, said if focus and base else "Nothing is compared here.")
        self.formula(2, 0, "=Checks!$D$4", "inputs as delivered", self.style(styles.LINKED))
        self.text(
            2,
            2,
            "By present value, all other inputs as they are; cash: as it is paid, not discounted.",
            self._note,
        )
        for position, (head, room) in enumerate(COLUMNS):
            text = f"{head}, {self.result.currency}" if head.startswith("Saved") else head
            self.page.set_column(position, position, room)
            align: dict[str, Any] = {"align": "right"} if position not in (0, 1) else {}
            if position in NAMES:
                align = {"align": "left", "indent": 1}
            self.text(3, position, text, self.style(styles.HEADER, **align))
        at = 4
        for other, flips in self.answer.closed_forms.items():
            if flips:
                at = self.heading(at, f"Live, against {fitted(other, 40)}", len(COLUMNS))
            for flip in flips:
                self._live(at, flip)
                at += 1
        if not any(self.answer.closed_forms.values()):
            at = self.heading(at, "Live", len(COLUMNS))
            self.text(at, 0, "No closed form: no cost is in proportion here.", self._note)
            at += 1
        if focus and base:
            self._solved(at, base)

    @property
    def _note(self) -> Any:
        return self.style(styles.NOTE)

    def _live(self, at: int, flip: Flip) -> None:
        self.text(at, 0, flip.what)
        self.text(at, 1, flip.unit, self._note)
        number = number_format(flip.unit)
        self.link(at, 2, flip.lines["used"], number, **RIGHT)
        self.link(at, 3, flip.lines["flip"], number, **RIGHT)
        self.link(at, 4, flip.lines["headroom"], "+0%;-0%;0%", **RIGHT)
        self.link(at, 5, flip.lines["check"], align="right")

    def _solved(self, at: int, base: str) -> None:
        found = self.desk.findings.flips if self.desk.findings else None
        heading = f"{SOLVED_NOTE.capitalize()}, against {fitted(base, 40)}"
        at = self.heading(at, heading, len(COLUMNS))
        if not found:
            self.text(at, 0, "Nothing was solved for this workbook.", self._note)
            return
        tried = {id(one.found): one for one in self.desk.trials.tried}
        for break_even in found:
            self._solved_row(at, break_even, tried.get(id(break_even)))
            at += 1
        at += 1
        for said in (
            f"Grey: {SOLVED_NOTE}. The check puts the value back into the model, on the sheet "
            "Trials, and is live.",
            "It holds where the present value saved is 0 there, or changes its sign between the "
            "values just below and above.",
        ):
            self.text(at, 0, said, self._note)
            at += 1

    def _solved_row(self, at: int, found: BreakEven, tried: Tried | None) -> None:
        axis = found.axis
        fixed = self.style(styles.FIXED, indent=1)
        right = self.style(styles.FIXED, align="right")
        self.text(at, 0, axis.label[:1].upper() + axis.label[1:])
        self.text(at, 1, axis.unit, self._note)
        self.text(at, 2, axis.text(self.result, axis.base), right)
        if not found.crossings:
            self.text(at, 3, WORDS.get(found.status, found.status), right)
            for position in range(4, 6):
                self.page.write_blank(at, position, None, fixed)
            self.text(at, 6, self._looked_at(found), fixed)
            for position in range(7, 9):
                self.page.write_blank(at, position, None, fixed)
            return
        crossing = found.nearest
        assert crossing is not None
        self.text(at, 3, axis.text(self.result, crossing.value), right)
        share = self.style(styles.FIXED, "+0%;-0%;0%", align="right")
        if axis.base:
            self.page.write_number(at, 4, crossing.value / axis.base - 1, share)
        else:
            self.text(at, 4, "no figure", right)
        self.text(at, 6, fitted(crossing.below, NAME), fixed)
        self.text(at, 7, fitted(crossing.above, NAME), fixed)
        self.text(at, 8, "both" if crossing.served else "not both", right)
        if tried is None:
            self.text(at, 5, "not tried", right)
            return
        home = self.book.homes[tried.row("word")]
        linked = self.style(styles.LINKED, align="right")
        formula = f'=IF(Checks!$C$4=1,{home.cell},"{RUN_AGAIN}")'
        self.formula(at, 5, formula, home.values[0], linked)
        self.link(at, 9, tried.row("saving"), "#,##0.00", **RIGHT)
        if tried.leaps:
            self.link(at, 10, tried.row("saving_above"), "#,##0.00", **RIGHT)

    def _looked_at(self, found: BreakEven) -> str:
        low, high = (found.axis.text(self.result, x) for x in (found.low, found.high))
        return f"looked at from {low} to {high}"
