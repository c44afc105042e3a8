"""``like:``: an option that is another one with changes.

Works on the tree, before anything of it is read. What is taken over is copied with the line and
the path of where it is written: a number that two options share stays one number.
"""

from __future__ import annotations

import copy

from tco.errors import ScenarioError
from tco.scenario.document import (
    MOST_NODES,
    Block,
    Items,
    Node,
    Scalar,
    describe,
    nearest,
    walk,
)
from tco.scenario.reading import PROVENANCE

LIKE = "like"
KINDS = ("own", "rent", "api")
# a block that says the number itself is another number, with nothing of what was said of the old
NUMBERS = ("value", "median")
# what somebody printed of one option was not printed of another
NOT_TAKEN_OVER = ("published",)
# what is offered for all cards of an option together: the key, and what under it
OF_ALL_CARDS = (("quote", ""), ("financing", "lease"))
# what may be added to a plain number, which then opens into a block
BESIDE_A_NUMBER = {"low", "high", "minimum", "p25", "p75", *PROVENANCE}
NULLS = ("~", "null", "Null", "NULL")


def resolve(root: Block, file: str) -> list[ScenarioError]:
    """Write out every option that is like another; what cannot be is returned as faults.

    The tree has its paths. A changed option bears the other costs of the one that it is like.
    """
    options = root.get("options")
    if not isinstance(options, Block):
        return []
    likeness = _Likeness(options, file)
    originals = {name: node.get(LIKE) for name, node in options.items() if isinstance(node, Block)}
    for name in options:
        likeness.write_out(name, ())
    options.update(likeness.written)
    _bear_the_same_costs(root, originals)
    return likeness.faults


class _Refused(Exception):
    """A fault that has been noted."""


class _Likeness:
    def __init__(self, options: Block, file: str) -> None:
        self.options = options
        self.file = file
        self.faults: list[ScenarioError] = []
        self.written: dict[str, Node] = {}
        self.refused: set[str] = set()
        self.nodes = 0

    def write_out(self, name: str, above: tuple[str, ...]) -> Node:
        """An option as it would stand without ``like``."""
        if name not in self.written:
            node = self.options[name]
            try:
                written = self._supply(node, name, above)
                if isinstance(node, Items):
                    chain = Items(node.line, node.path)
                    chain.extend(self._link(supply, name, above) for supply in node)
                    written = chain
            except _Refused:
                self.refused.add(name)
                # one error is enough: an API stands in its place for the rest of the file
                written = Block(node.line, node.path)
                written["api"] = Scalar(LIKE, True, node.line, node.path)
            self.written[name] = written
        return self.written[name]

    def _link(self, supply: Node, name: str, above: tuple[str, ...]) -> Node:
        written = self._supply(supply, name, above)
        if isinstance(written, Items) and isinstance(supply, Block):
            raise self._refuse(
                supply[LIKE],
                "an option of one supply: a chain is no part of a chain",
                "write its supplies here, one after the other",
            )
        return written

    def _supply(self, node: Node, name: str, above: tuple[str, ...]) -> Node:
        if not isinstance(node, Block) or LIKE not in node:
            return node
        like = node[LIKE]
        original = self._original(like, name, (*above, name))
        changes = {key: value for key, value in node.items() if key != LIKE}
        if isinstance(original, Items):
            if changes:
                raise self._refuse(
                    next(iter(changes.values())),
                    f"no change beside  like: {_text(like)}, which is a chain",
                    "write the chain out; each of its supplies may be like an option of one supply",
                    found=", ".join(changes),
                )
            return self._copied(original)
        assert isinstance(original, Block)
        self._check_kind(original, changes, _text(like))
        self._check_count(original, changes, _text(like))
        merged = self._merged(original, changes)
        merged.line, merged.path = node.line, node.path
        return merged

    def _original(self, like: Node, name: str, above: tuple[str, ...]) -> Node:
        other = _text(like)
        if not isinstance(like, Scalar) or like.is_empty or other not in self.options:
            others = tuple(key for key in self.options if key != name)
            near = nearest(other, others)
            raise self._refuse(
                like,
                f"the name of another option: {', '.join(others) or 'there is none'}",
                f"did you mean {near}?" if near else "write one of these names",
            )
        if other == name:
            raise self._refuse(
                like, "another option than itself", "write the name of the option that it is like"
            )
        if other in above:
            circle = above[above.index(other) :]
            words = " is like ".join([*circle, circle[0]])
            raise self._refuse(
                like,
                "a first option that is like no other",
                f"write one of {', '.join(circle)} out",
                found=words,
            )
        written = self.write_out(other, above)
        if other in self.refused:
            raise _Refused()
        if isinstance(written, Scalar):
            raise self._refuse(
                like,
                "an option with a supply",
                f"write first what {other} is",
                found=describe(written),
            )
        return written

    def _check_kind(self, original: Block, changes: dict[str, Node], other: str) -> None:
        kinds = [kind for kind in KINDS if kind in original]
        for kind in KINDS:
            if kind in changes and len(kinds) == 1 and kind not in kinds:
                raise self._refuse(
                    changes[kind],
                    f"{kinds[0]}, as {other} says: an option keeps the kind of what it is like",
                    f"write the option out, without  like: {other}",
                    found=kind,
                )

    def _check_count(self, original: Block, changes: dict[str, Node], other: str) -> None:
        """An offer for all cards together is none for another number of them."""
        count = changes.get("count")
        if count is None or _text(count) == _text(original.get("count")):
            return
        for key, below in OF_ALL_CARDS:
            given = original.get(key)
            offer = given.get(below) if isinstance(given, Block) and below else given
            if offer is not None and key not in changes:
                offer_is = below or key
                raise self._refuse(
                    count,
                    f"a {offer_is} for that number of cards too: that of {other} is for its own",
                    f"write the {offer_is} that holds for it under {key}, or  {key}: null",
                )

    def _merged(self, original: Block, changes: dict[str, Node]) -> Block:
        """Keys of both, those that change in place of the others; null takes a key away."""
        merged = Block(None)
        for key, value in original.items():
            if key in NOT_TAKEN_OVER and key not in changes:
                continue
            if key not in changes:
                merged[key] = self._copied(value)
            elif not _is_null(changes[key]):
                merged[key] = self._changed(value, changes[key])
        merged.update((key, value) for key, value in changes.items() if key not in original)
        return merged

    def _changed(self, old: Node, new: Node) -> Node:
        if not isinstance(new, Block) or any(key in new for key in NUMBERS):
            return new
        if isinstance(old, Scalar) and set(new) <= BESIDE_A_NUMBER:
            number, old = old, Block(old.line, old.path)
            old["value"] = number
        if not isinstance(old, Block):
            return new
        merged = self._merged(old, dict(new))
        merged.line, merged.path = new.line, new.path
        return merged

    def _copied(self, node: Node) -> Node:
        if self.nodes > MOST_NODES:
            raise _Refused()
        self.nodes += sum(1 for _ in walk(node))
        if self.nodes > MOST_NODES:
            raise self._refuse(
                node,
                f"at most {MOST_NODES:,} values in options that are like others",
                "write fewer options",
                found=f"more than {MOST_NODES:,} values, counting what is taken over",
            )
        copied = copy.deepcopy(node)
        if isinstance(copied, Items):
            for supply in (link for link in copied if isinstance(link, Block)):
                for key in NOT_TAKEN_OVER:
                    supply.pop(key, None)
        return copied

    def _refuse(
        self, node: Node, expected: str, next_step: str, found: str | None = None
    ) -> _Refused:
        shown = describe(node) if found is None else found
        self.faults.append(
            ScenarioError(self.file, node.line, node.path or None, shown, expected, next_step)
        )
        return _Refused()


def _bear_the_same_costs(root: Block, originals: dict[str, Node | None]) -> None:
    """Enter an option in the list of each cost of what it is like, unless it has one of its own."""
    costs = root.get("other_costs")
    bearing: list[tuple[str, Items, set[str]]] = []
    for cost in costs if isinstance(costs, Items) else ():
        names = cost.get("options") if isinstance(cost, Block) else None
        if isinstance(cost, Block) and isinstance(names, Items):
            bearing.append((_text(cost.get("name")), names, {_text(name) for name in names}))
    for name, like in originals.items():
        if not isinstance(like, Scalar):
            continue
        own = {what for what, _, bearers in bearing if name in bearers}
        line_of_ancestors = set(_ancestors(name, originals))
        for what, names, bearers in bearing:
            if what not in own and bearers & line_of_ancestors:
                names.append(Scalar(name, False, like.line, f"{names.path}[{len(names)}]"))


def _ancestors(name: str, originals: dict[str, Node | None]) -> list[str]:
    found: list[str] = []
    while isinstance(like := originals.get(name), Scalar) and like.text not in found:
        name = like.text
        found.append(name)
    return found


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.plain and node.text in NULLS
