"""``cases:``: named sets of other numbers, each run beside the scenario as it is given.

A change is a path and a value, written and read like ``--set``. The case is the same document with
its changes made; what stands on the command line is set on top of every case.
"""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tco.errors import ScenarioError, ScenarioErrors
from tco.scenario import settings as command_line
from tco.scenario.document import Block, Node, Scalar, describe, path_step, place, walk
from tco.scenario.reading import Reading, Rejected

if TYPE_CHECKING:
    from tco.scenario.schema import Scenario

CASES = "cases"
AS_GIVEN = "as given"  # the name of the scenario without a case
MOST_CASES = 20
LONGEST_NAME = 40  # it heads a column
EXAMPLE = "{cheap power: {site.electricity_price: 0.06}}"


@dataclass(frozen=True)
class Change:
    """One number that a case changes.

    ``path`` is what is written, ``place`` where the value then stands in the document, empty if the
    command line sets another in its place; ``text`` is the value as typed, on ``line`` of the file.
    """

    path: str
    place: str
    text: str
    line: int | None


@dataclass(frozen=True)
class Case:
    """A case with its changes, and the ``scenario`` as it is with them."""

    name: str
    line: int | None
    changes: tuple[Change, ...]
    scenario: Scenario

    @property
    def path(self) -> str:
        """Where the case stands, as ``--set`` takes it."""
        return f"{CASES}.{path_step(self.name, Block(None))}"


def read_cases(reading: Reading, node: Node) -> dict[str, dict[str, str]]:
    """The changes of each case as typed: ``{case: {path: value}}``."""
    block = reading.block(node, EXAMPLE)
    if not block:
        raise reading.reject(
            node, "at least one case", f"add one, for example  {EXAMPLE}", found="no case"
        )
    if len(block) > MOST_CASES:
        raise reading.reject(
            node,
            f"at most {MOST_CASES} cases",
            "keep those that decide, or write a second scenario",
            found=f"{len(block)} cases",
        )
    faults = len(reading.faults)
    reading.names(block, "a case", LONGEST_NAME)
    seen = {_alike(AS_GIVEN): AS_GIVEN}
    for name, case in block.items():
        other = seen.setdefault(_alike(name), name)
        if other != name or name == AS_GIVEN:
            reading.report(
                case,
                f"another name than {other}: a spreadsheet takes the two for one"
                if other != AS_GIVEN
                else f"another name: {AS_GIVEN} is the scenario without a case",
                "give the case a name of its own",
                found=f"the case {name}",
            )
    changes = {name: _changes(reading, case) for name, case in block.items()}
    if len(reading.faults) > faults:
        raise Rejected()
    return changes


def _alike(name: str) -> str:
    """A name as a spreadsheet compares it: capitals and wide letters are not told apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def _changes(reading: Reading, case: Node) -> dict[str, str]:
    example = "{site.electricity_price: 0.06}"
    if not isinstance(case, Block) or not case:
        reading.report(
            case,
            f"the numbers that the case changes, such as  {example}",
            "write paths and values, or delete the case",
            found="a case that changes nothing" if isinstance(case, Block) else None,
        )
        return {}
    changes = {}
    for path, value in case.items():
        number = _number(value)
        if number is None:
            reading.report(value, "one number", "write a path for each number that changes")
        elif number.is_empty:
            reading.report(value, "a number", "write a value, or delete the line")
        else:
            changes[path] = number.text
    return changes


def _number(value: Node) -> Scalar | None:
    """What is typed as the number of a change; None for a list or a block without one."""
    if isinstance(value, Block):
        value = value.get("value", value.get("median", value))
    return value if isinstance(value, Scalar) else None


def in_each_case(
    untouched: Block,
    block: Block,
    settings: Sequence[str],
    file: str,
    read: Callable[[Block], Scenario],
) -> tuple[Case, ...]:
    """Read the document once for each case.

    ``untouched`` is its tree as parsed, ``block`` the cases, ``read`` reads a tree. Raises
    ``ScenarioErrors`` with the faults of all cases.
    """
    found, faults = [], []
    for name, case in block.items():
        assert isinstance(case, Block)
        try:
            found.append(_in_case(name, case, copy.deepcopy(untouched), settings, file, read))
        except ScenarioErrors as error:
            faults += list(_in_the_words_of(case, error, file))
    if faults:
        raise ScenarioErrors(faults)
    return tuple(found)


def _in_case(
    name: str,
    case: Block,
    root: Block,
    settings: Sequence[str],
    file: str,
    read: Callable[[Block], Scenario],
) -> Case:
    values = {path: copy.deepcopy(value) for path, value in case.items()}
    faults: list[ScenarioError] = []
    for path, value in values.items():
        shown = f"{path}: {describe(value)}"
        try:
            command_line.Setting(path, value, file, shown, value.line).apply(root)
        except ScenarioErrors as error:
            faults += error.faults
    place(root)
    held = {id(node) for node in walk(root)}
    faults += [
        ScenarioError(
            file,
            value.line,
            None,
            f"{path}: {describe(value)}",
            "each number once in a case",
            "delete this or the other path that gives the same number",
        )
        for path, value in values.items()
        if id(value) not in held and not faults
    ]
    faults = faults or command_line.apply(root, settings, file)
    if faults:
        raise ScenarioErrors(faults)
    # how numbers vary together is of those that the file gives
    root.pop("correlations", None)
    place(root)
    held = {id(node) for node in walk(root)}
    changes = []
    for path, value in values.items():
        number = _number(value)
        assert number is not None
        # where the command line sets another number in its place, it stands nowhere
        where = value.path.removesuffix(".value") if id(value) in held else ""
        changes.append(Change(path, where, number.text, value.line))
    return Case(name, case.line, tuple(changes), read(root))


def _in_the_words_of(case: Block, error: ScenarioErrors, file: str) -> Iterator[ScenarioError]:
    """The faults of a document in a case, each with the path and a line of the case."""
    lines = {value.line for value in case.values()}
    for fault in error.faults:
        yield ScenarioError(
            file,
            fault.line if fault.line in lines else case.line,
            f"{case.path}.{fault.field.removesuffix('.value')}" if fault.field else case.path,
            fault.found,
            fault.expected,
            fault.next_step,
        )
