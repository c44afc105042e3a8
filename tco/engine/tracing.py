"""Readings of an expression: as a formula, as an equation, as a unit and as a shape.

Nothing here knows finance or the layout of a sheet: whoever prints says what a reference looks
like.

>>> from tco.engine.operations import Reference
>>> expression = (1 + Reference("rate")) ** (-Reference("month"))
>>> formula(expression, lambda reference, cells: {"rate": "$D$4", "month": "G6"}[reference.line])
'(1+$D$4)^(-G6)'
>>> equation(expression, lambda reference, cells: reference.line)
'(1 + rate) ^ (-month)'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from string import Formatter

from tco.engine.operations import (
    ATOM,
    COMPARED,
    PLAIN,
    RAISED,
    Expression,
    Literal,
    Operation,
    Reference,
    Units,
)

# what a reference looks like; the second argument says which cells: "" this month's, "past", "all"
Leaf = Callable[[Reference, str], str]
SCALAR, MONTHS, TABLE = "scalar", "months", "table"


class NoRow(ValueError):
    """A word that reads a whole row was given an expression without a row of its own."""


def formula(expression: Expression, leaf: Leaf) -> str:
    """The Excel text of an expression, without the leading ``=``."""
    return _render(expression, leaf, lambda operation: operation.excel)


def equation(expression: Expression, leaf: Leaf) -> str:
    """The expression as a person writes it: infix with spaces, named words as functions."""
    return _render(expression, leaf, _spoken)


def _spoken(operation: Operation) -> str:
    if operation.precedence < ATOM:
        return f"{{x}} {operation.name} {{y}}"
    if operation.name == "negative":
        return operation.excel
    return f"{operation.name}({', '.join(f'{{{name}}}' for name in operation.parameters)})"


def _render(expression: Expression, leaf: Leaf, template: Callable[[Operation], str]) -> str:
    if isinstance(expression, Literal):
        return str(expression.value)
    if isinstance(expression, Reference):
        return leaf(expression, "")
    operation = expression.operation
    assert operation is not None
    operands = dict(zip(operation.parameters, expression.operands, strict=True))
    text = template(operation)
    pieces = []
    position = 0
    for before, name, cells, _ in Formatter().parse(text):
        pieces.append(before)
        position += len(before)
        if name is None:
            continue
        position += len(name) + len(cells or "") + (3 if cells else 2)
        operand = operands[name]
        if cells:
            if not isinstance(operand, Reference):
                raise _no_row(operation)
            pieces.append(leaf(operand, cells))
            continue
        printed = _render(operand, leaf, template)
        alone = before[-1:] in ("(", ",", " ") and text[position : position + 1] in (")", ",")
        pieces.append(
            f"({printed})" if _needs_brackets(operation, operand, name, alone) else printed
        )
    return "".join(pieces)


def _no_row(operation: Operation) -> NoRow:
    return NoRow(f"{operation.name} needs a row of its own: name its operand as its own line")


def _needs_brackets(operation: Operation, operand: Expression, name: str, alone: bool) -> bool:
    if isinstance(operand, Literal) and operand.value < 0:
        return not alone
    inner = operand.operation.precedence if operand.operation else ATOM
    if inner == ATOM:
        return False
    if operation.precedence == ATOM:
        return not alone
    if operation.precedence in (COMPARED, RAISED):
        return inner <= operation.precedence
    # the right operand of + and * too: (a+b)+c and a+(b+c) differ in the last bit
    return inner < operation.precedence or (inner == operation.precedence and name != "x")


def references(expression: Expression) -> Iterator[tuple[Reference, str]]:
    """Each reference an expression reads, with the cells it reads of it.

    Raises `NoRow` where the cells of a row are wanted of something that is no line.
    """
    if isinstance(expression, Reference):
        yield expression, ""
    elif expression.operation is not None:
        operation = expression.operation
        rows = operation.reads_whole_row and re.findall(r"\{(\w+):(\w+)\}", operation.excel)
        suffixes = dict(rows or ())
        for name, operand in zip(operation.parameters, expression.operands, strict=True):
            if isinstance(operand, Reference):
                yield operand, suffixes.get(name, "")
            elif name in suffixes:
                raise _no_row(operation)
            else:
                yield from references(operand)


def words(expression: Expression) -> Iterator[Operation]:
    """Each operation of an expression, the outermost first."""
    if expression.operation is not None:
        yield expression.operation
        for operand in expression.operands:
            yield from words(operand)


def unit(expression: Expression, unit_of_line: Callable[[str], Units]) -> Units:
    """The unit of an expression; `UnitMismatch` where unlike quantities meet."""
    if isinstance(expression, Literal):
        return None if expression.value == 0 else PLAIN
    if isinstance(expression, Reference):
        return unit_of_line(expression.line)
    assert expression.operation is not None
    return expression.operation.unit(
        *(unit(operand, unit_of_line) for operand in expression.operands)
    )


def shape(expression: Expression, shape_of_line: Callable[[str], str]) -> str:
    """``scalar`` or ``months``: whether the value differs by month."""
    if isinstance(expression, Literal):
        return SCALAR
    if isinstance(expression, Reference):
        return shape_of_line(expression.line)
    assert expression.operation is not None
    if expression.operation.gives:
        return expression.operation.gives
    shapes = {shape(operand, shape_of_line) for operand in expression.operands}
    return MONTHS if MONTHS in shapes else SCALAR
