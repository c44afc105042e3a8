"""``--set PATH=VALUE``: one value of the scenario changed on the command line.

A path is made of keys with dots between them and of ``[0]`` for the first item of a list. A name
may hold dots itself: the longest key that fits is taken, and ``"..."`` around a name settles
the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tco.errors import ScenarioError, ScenarioErrors
from tco.scenario.document import Block, Items, Node, Scalar, nearest, parse_value
from tco.scenario.reading import OF_A_NUMBER, PROVENANCE

# A plain number opens into a block when something beside it is set, such as price.low.
QUANTITY_KEYS = ("value", "low", "high", *PROVENANCE)
RENTAL_KEYS = ("median", "minimum", "p25", "p75")
NUMBERS = ("median", "value")
OF_ITS_OWN = ("low", "high", "p25", "p75", *OF_A_NUMBER)
SECTIONS = ("demand", "site", "staff", "hardware", "exchange_rates")


def apply(root: Block, settings: Sequence[str], file: str) -> list[ScenarioError]:
    """Change the tree as the settings say; what cannot be set is returned as faults."""
    faults: list[ScenarioError] = []
    for setting in settings:
        try:
            _typed(setting, file).apply(root)
        except ScenarioErrors as error:
            faults += error.faults
    return faults


def _typed(text: str, file: str) -> Setting:
    """What was typed after ``--set``."""
    match = re.match(r'((?:"(?:[^"]|"")*"|[^"=])+)=(.*)', text, re.DOTALL)
    said = f"--set {text}"
    if not match or not match[1].strip():
        fault = ScenarioError(
            file,
            None,
            None,
            said,
            "PATH=VALUE",
            "write for example  --set hardware.rtx-4090.price=1700",
        )
        raise ScenarioErrors([fault])
    try:
        value = parse_value(match[2], file)
    except ScenarioErrors as error:
        first = error.faults[0]
        fault = ScenarioError(file, None, None, said, first.expected, first.next_step)
        raise ScenarioErrors([fault]) from None
    return Setting(match[1].strip(), value, file, said)


class Setting:
    """A value to put at a path; ``said`` is how a message shows it, on a ``line`` of the file."""

    def __init__(
        self, path: str, value: Node, file: str, said: str, line: int | None = None
    ) -> None:
        self.path = path
        self.value = value
        self.file = file
        self.said = said
        self.line = line

    def steps(self, root: Block) -> tuple[str | int, ...]:
        """The keys and indices of the path in a tree; those that are not there yet are new keys."""
        node: Node | None = root
        rest = self.path
        steps: list[str | int] = []
        while rest:
            step, rest = self._step(node if node is not None else Block(None), rest)
            steps.append(step)
            if isinstance(node, Items):
                node = node[self._index(node, step)]
            else:
                node = node.get(str(step)) if isinstance(node, Block) else None
        return tuple(steps)

    def apply(self, root: Block) -> None:
        """Put the value into the tree. Raises ``ScenarioErrors`` where no such path is."""
        self._set(root, self.path, self.value, above="")

    def _set(self, node: Node, path: str, value: Node, above: str) -> None:
        step, rest = self._step(node, path)
        if not rest:
            self._put(node, step, value)
            return
        self._set(self._child(node, step, rest, above), rest, value, above=str(step))

    def _step(self, node: Node, rest: str) -> tuple[str | int, str]:
        """The next key or index of a path and what is left after it."""
        index = re.match(r"\[(\d{1,9})\]", rest, re.ASCII)
        if index:
            return int(index[1]), rest[index.end() :].removeprefix(".")
        quoted = re.match(r'"((?:[^"]|"")*)"(?=[.\[]|$)', rest)
        if quoted:
            return quoted[1].replace('""', '"'), rest[quoted.end() :].removeprefix(".")
        if isinstance(node, Block):
            for key in sorted(node, key=len, reverse=True):
                after = rest[len(key) :]
                if key and rest.startswith(key) and (not after or after[0] in ".["):
                    return key, after.removeprefix(".")
        new = re.match(r"[^.\[]+", rest)
        if not new:
            raise self._fault("PATH=VALUE", "write keys with dots between them")
        return new[0], rest[new.end() :].removeprefix(".")

    def _child(self, node: Node, step: str | int, rest: str, above: str) -> Node:
        if isinstance(node, Items):
            return node[self._index(node, step)]
        if isinstance(node, Block) and isinstance(step, str):
            child = node.get(step)
            if child is None and (step in SECTIONS or above == "hardware" or "like" in node):
                child = node[step] = Block(None)
            elif isinstance(child, Scalar) and rest in (*QUANTITY_KEYS, *RENTAL_KEYS):
                opened = Block(child.line)
                opened["median" if rest in RENTAL_KEYS else "value"] = child
                child = node[step] = opened
            if child is not None:
                return child
        raise self._unknown(node, step)

    def _put(self, parent: Node, last: str | int, value: Node) -> None:
        if isinstance(parent, Items):
            parent[self._index(parent, last)] = value
        elif isinstance(parent, Block) and isinstance(last, str):
            old = parent.get(last)
            number = next((key for key in NUMBERS if isinstance(old, Block) and key in old), None)
            if isinstance(old, Block) and number and isinstance(value, Scalar):
                parent, last = old, number
            if last in NUMBERS and value.line is not None:
                # the range and the source of the file's own number are not those of a case
                for key in OF_ITS_OWN:
                    parent.pop(key, None)
            parent[last] = value
        else:
            raise self._unknown(parent, last)

    def _index(self, items: Items, step: str | int) -> int:
        if isinstance(step, int) and step < len(items):
            return step
        raise self._fault(
            f"an index from [0] to [{len(items) - 1}], for a list of {len(items)}",
            "count from 0: [0] is the first",
        )

    def _unknown(self, node: Node, step: str | int) -> ScenarioErrors:
        if not isinstance(node, Block):
            return self._fault("a path of the scenario", f"{step} lies below one value")
        names = ", ".join(node) or "nothing yet"
        if isinstance(step, int):
            return self._fault(f"a name instead of [{step}]: {names}", "write the name after a dot")
        near = nearest(step, [*node, *(SECTIONS if "options" in node else ())])
        return self._fault(
            f"one of {names}",
            f"did you mean {near}?" if near else "write one of these, or add it to the file first",
        )

    def _fault(self, expected: str, next_step: str) -> ScenarioErrors:
        return ScenarioErrors(
            [ScenarioError(self.file, self.line, None, self.said, expected, next_step)]
        )
