"""What a model function may hold: nothing that a formula would freeze.

A literal, a global or a closed-over value would become a number in a cell that no input moves, so
all of them are refused when the graph is built.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterable
from functools import cache
from types import CodeType, FunctionType
from typing import Any, get_type_hints

import numpy as np

from tco.engine.operations import Operation
from tco.units import Unit, unit_of


class GraphError(Exception):
    """The model's functions do not fit together; a fault of the program, never of a scenario."""


@cache
def examine(function: Callable[..., Any]) -> tuple[tuple[str, ...], Unit]:
    """The parameters of a model function and the unit of its line, after `guard` let it pass.

    Examined once for each function, since every option binds the same few dozen. Raises
    `GraphError` for a function that `guard` refuses or whose return names no unit.
    """
    guard(function)
    try:
        unit = unit_of(get_type_hints(function, include_extras=True).get("return"))
    except TypeError as fault:
        name = getattr(function, "__name__", "a function")
        problem = f"{name} names no unit: annotate its return"
        raise GraphError(f"{where_is(function)}: {problem}") from fault
    return tuple(inspect.signature(function).parameters), unit


def guard(function: Callable[..., Any]) -> None:
    """Refuse what a formula would freeze: literals but 0, 1, -1, globals, closures, defaults.

    Raises `GraphError` naming the function, its file and line, and what to do instead.
    """
    assert isinstance(function, FunctionType)
    if function.__closure__ or function.__defaults__ or function.__kwdefaults__:
        raise GraphError(
            f"{where_is(function)}: a model function has no default values and closes over nothing"
        )
    for code in _nested(function.__code__):
        for instruction in dis.get_instructions(code):
            value = instruction.argval
            if instruction.opname == "LOAD_GLOBAL" and not _allowed_global(
                function.__globals__.get(value)
            ):
                problem = f"{value} is a global; only np and the vocabulary may be used"
                cure = "make it a parameter, so that it has a cell"
                raise GraphError(f"{where_is(function)}: {problem}: {cure}")
            if instruction.opname in (
                "LOAD_CONST",
                "LOAD_SMALL_INT",
                "RETURN_CONST",
            ) and not _allowed(value):
                problem = f"{value!r} may not stand in a model function; name an input"
                raise GraphError(f"{where_is(function)}: {problem}")


def _allowed(value: Any) -> bool:
    if value is None or isinstance(value, CodeType):
        return True
    return type(value) is int and value in (0, 1, -1)


def _allowed_global(value: Any) -> bool:
    return value is np or isinstance(value, Operation)


def _nested(code: CodeType) -> Iterable[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def where_is(function: Callable[..., Any]) -> str:
    """The module and line of a function, for messages."""
    code = function.__code__ if isinstance(function, FunctionType) else None
    return f"{function.__module__} line {code.co_firstlineno}" if code else function.__module__
