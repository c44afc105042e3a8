"""Which two options a chart is about, and the texts that all charts of a result have."""

from __future__ import annotations

from dataclasses import dataclass

from tco.analysis.summary import Summary
from tco.errors import ScenarioError
from tco.report.drawing import BASELINE, FOCUS, OTHER
from tco.results import INCOMPLETE, OK, Result
from tco.scenario.document import nearest


@dataclass(frozen=True)
class Subject:
    """The option ``this`` against the option ``other``; the focus and the baseline if not asked.

    Either is None where the result has none.
    """

    result: Result
    this: str | None
    other: str | None
    question: str
    convention: str

    @property
    def pair(self) -> tuple[str, ...]:
        """The two options, as far as there are two."""
        return tuple(name for name in (self.this, self.other) if name is not None)

    @property
    def is_usual(self) -> bool:
        """Whether these are the two that the answer is about."""
        return (self.this, self.other) == (self.result.focus, self.result.baseline)

    def role(self, name: str) -> str:
        """How an option is to be drawn."""
        return {self.this: FOCUS, self.other: BASELINE}.get(name, OTHER)

    def noted(self, name: str) -> str:
        """The name of an option with what has to be known of it."""
        if self.result.model.has_demand and self.result.status[name] != OK:
            return f"{name} (serves too little)"
        return f"{name} (baseline)" if name == self.result.baseline else name


def subject(
    result: Result, summary: Summary, of: str | None = None, against: str | None = None
) -> Subject:
    """What a chart is about, of two options by name where they are given.

    Raises `ScenarioError` for a name that is no option, an option that cannot be costed, and one
    option against itself.
    """
    this, other = _known(result, "--of", of), _known(result, "--against", against)
    if of is None and against is None:
        this, other = result.focus, result.baseline
        return _subject(result, summary, this, other)
    # what is not asked for is the focus against the baseline, or one of them against what is
    other = other or next((n for n in (result.baseline, result.focus) if n != this), None)
    this = this or next((n for n in (result.focus, result.baseline) if n != other), None)
    if this is not None and this == other:
        raise ScenarioError(
            result.scenario.path,
            None,
            "--against",
            this,
            f"another option than {this}: nothing differs between an option and itself",
            "name two options",
        )
    return _subject(result, summary, this, other)


def _subject(result: Result, summary: Summary, this: str | None, other: str | None) -> Subject:
    return Subject(
        result,
        this,
        other,
        summary.question or summary.title,
        f"{summary.counting}; {summary.conventions}",
    )


def _known(result: Result, flag: str, name: str | None) -> str | None:
    if name is None:
        return None
    costed = [option.name for option in result.model.complete]
    if name in costed:
        return name
    if result.status.get(name) == INCOMPLETE:
        missing = result.option(name).missing
        assert missing is not None
        found = f"{name}, which cannot be costed: {missing.what}"
        next_step = f"add {missing.add}"
    else:
        close = nearest(name, costed)
        found, next_step = name, f"did you mean {close}?" if close else "name one of them"
    expected = f"one of {', '.join(costed)}"
    return _refuse(result, flag, found, expected, next_step)


def _refuse(result: Result, flag: str, found: str, expected: str, next_step: str) -> str:
    raise ScenarioError(result.scenario.path, None, flag, found, expected, next_step)
