"""A solved value put back: the lines that follow from changed inputs, once more at other values.

What has no closed form is solved by trying, and a solved number can be wrong unseen. A trial holds
every line between the changed inputs and the wanted lines a second time, under names of its own
(``x1/o1/s1/electricity_cost``), from the same functions; all else it reads from the model itself.
It belongs to the model like any other line: it has numbers, a formula and a unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tco.engine.graph import PREVIOUS, Graph, InputSpecification, Scope
from tco.engine.operations import Literal, Reference
from tco.engine.slices import Slice
from tco.engine.structure import Model
from tco.scenario.inputs import Input


@dataclass(frozen=True)
class Trial:
    """The lines of a trial, by the name of the line of the model that each repeats."""

    name: str
    lines: Mapping[str, str]

    def line(self, name: str) -> str:
        """The line of the trial that stands for a line of the model: itself if nothing moves it."""
        return self.lines.get(name, name)


def add_trial(
    model: Model, name: str, values: Mapping[str, Input], wanted: Iterable[str]
) -> tuple[Model, Trial]:
    """The same model with a trial added: inputs replaced by others, by the name of those replaced.

    ``wanted`` are full names of lines, such as the present values of two options.
    """
    graph = model.graph
    lines = Slice(graph, values, wanted, {}, model.scenario.months).lines
    trial = Trial(name, {line: f"{name}/{line}" for line in lines})
    tried = {replaced: given.name for replaced, given in values.items()}
    scopes: dict[str, Scope] = {}
    for full_name in lines:
        line = graph.lines[full_name]
        within = f"{name}/{line.scope}" if line.scope else name
        scope = scopes.setdefault(line.scope, Scope(within))
        scope.functions[line.short_name] = line.function
        for parameter, argument in line.arguments.items():
            wants = parameter.removeprefix(PREVIOUS)
            if isinstance(argument, Literal):
                scope.aliases[wants] = argument.value
            elif isinstance(argument, Reference):
                scope.aliases[wants] = tried.get(argument.line, trial.line(argument.line))
    inputs = {**model.inputs, **{given.name: given for given in values.values()}}
    known = {**graph.inputs, **{i.name: InputSpecification(i.unit) for i in values.values()}}
    added = tuple(scopes.values())
    return replace(
        model,
        inputs=inputs,
        scopes=(*model.scopes, *added),
        graph=Graph(added, known, onto=graph),
    ), trial
