"""What follows from a result beyond its costs: each found once, and when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tco.results import OK, Result

if TYPE_CHECKING:
    from tco.analysis.attribution import Attribution
    from tco.analysis.break_even import BreakEven
    from tco.analysis.cases import Cases
    from tco.analysis.sensitivity import Tornado
    from tco.analysis.uncertainty import Simulation

# what is solved for the focus against the baseline, by the words of `tco.analysis.axes`
SOLVED = (
    "tokens",
    "utilisation",
    "hardware-price",
    "token-price",
    "rental-price",
    "electricity-price",
    "residual",
    "staff-hours",
    "addressable",
    "speed-up",
)


class Findings:
    """The analyses of one result; None where there is nothing to find."""

    def __init__(self, result: Result) -> None:
        self.result = result

    @property
    def is_compared(self) -> bool:
        """Whether there is an option that the answer is about, and one to compare it with."""
        focus, base = self.result.focus, self.result.baseline
        return focus is not None and self.result.pair(focus, base) is not None

    @cached_property
    def simulation(self) -> Simulation | None:
        """Which option is the cheapest how often, over the ranges of the inputs."""
        from tco.analysis.ranges import ranged
        from tco.analysis.uncertainty import simulate

        if not self.result.model.has_demand or not ranged(self.result):
            return None
        return simulate(self.result)

    @cached_property
    def tornado(self) -> Tornado | None:
        """How far each input moves the gap of the focus to the baseline."""
        from tco.analysis.ranges import ranged
        from tco.analysis.sensitivity import tornado

        if not self.is_compared or not ranged(self.result):
            return None
        return tornado(self.result)

    @cached_property
    def first_two(self) -> Tornado | None:
        """The same for the cheapest option against the next, where these are not those two."""
        from tco.analysis.ranges import ranged
        from tco.analysis.sensitivity import tornado

        serving = [o.name for o in self.result.ranked if self.result.status[o.name] == OK]
        if len(serving) < 2 or not self.result.model.has_demand or not ranged(self.result):
            return None
        if {*serving[:2]} == {self.result.focus, self.result.baseline}:
            return None
        return tornado(self.result, serving[0], serving[1], winners=False, solved=False)

    @cached_property
    def attribution(self) -> Attribution | None:
        """The gap of the focus to the baseline, part by part."""
        from tco.analysis.attribution import attribute

        focus, base = self.result.focus, self.result.baseline
        if not self.is_compared or focus is None or base is None:
            return None
        return attribute(self.result, focus, base)

    @cached_property
    def flips(self) -> tuple[BreakEven, ...]:
        """Where the focus and the baseline change places, input by input."""
        from tco.analysis.axes import axis_of
        from tco.analysis.break_even import break_even
        from tco.errors import ScenarioError

        focus, base = self.result.focus, self.result.baseline
        if not self.is_compared or focus is None or base is None:
            return ()
        found = []
        for word in SOLVED:
            try:
                axis_of(self.result, word, focus, base)
            except ScenarioError:
                continue  # the word stands for nothing here, or for several numbers
            found.append(break_even(self.result, word, focus, base))
        return tuple(found)

    @cached_property
    def cases(self) -> Cases | None:
        """What each case of the scenario costs."""
        from tco.analysis.cases import cases

        return cases(self.result)
