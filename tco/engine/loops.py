"""Which lines read one another in a circle, and in which order the rest can be computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def strongly_connected(names: Iterable[str], reads: Callable[[str], list[str]]) -> list[list[str]]:
    """Tarjan's groups of lines that read one another, each after what it reads.

    Source: R. Tarjan, Depth-first search and linear graph algorithms (1972), without recursion.
    """
    known = dict.fromkeys(names)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    stacked: set[str] = set()
    groups: list[list[str]] = []
    for root in known:
        if root in index:
            continue
        work = [(root, iter(reads(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        stacked.add(root)
        while work:
            name, rest = work[-1]
            for read in rest:
                if read not in known:
                    continue
                if read not in index:
                    index[read] = low[read] = len(index)
                    stack.append(read)
                    stacked.add(read)
                    work.append((read, iter(reads(read))))
                    break
                if read in stacked:
                    low[name] = min(low[name], index[read])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    group: list[str] = []
                    while not group or group[-1] != name:
                        group.append(stack.pop())
                    stacked.difference_update(group)
                    groups.append(group)
    return groups
