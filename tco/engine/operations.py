"""The vocabulary of the model: every word with its two meanings, as numbers and as Excel text.

A model function may use NumPy's arithmetic, comparisons, ``np.where``, ``np.minimum`` and
``np.maximum``, and the named words below; nothing else. Called with arrays it computes; called with
expressions it gives the tree of what it would compute, which `tco.engine.tracing` reads as an
Excel formula, as an equation and as a check of units.

The words are few on purpose. A new one needs a meaning in each of the two worlds, a worked case
and a property test against recalculating spreadsheets, because many functions that share a name
differ there: rounding half, powers of negatives, TRUE in sums, ceilings one ulp above a whole
number. Plain comparisons are for months, counts and flags only: LibreOffice takes numbers within
2^-48 of one another as equal. Computed money is compared with `at_most`.

>>> total(np.array([[1.0], [2.0]]))
array([[3.]])
>>> print(total(Reference("cash_cost")).operation.excel)
SUM({x:all})
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from tco.units import Unit, UnitMismatch

Array = np.ndarray[Any, np.dtype[np.float64]]
Units = Unit | None  # None is the unit of a literal 0, which fits any

PLAIN = Unit("plain number")
COMPARED, ADDED, MULTIPLIED, RAISED, ATOM = range(5)


class NotTraceable(TypeError):
    """A model function did something that has no form in a spreadsheet."""


def same(*units: Units) -> Units:
    """The one unit of quantities that are added or chosen between, else `UnitMismatch`."""
    known = [unit for unit in units if unit is not None]
    for unit in known[1:]:
        if unit.dimensions != known[0].dimensions:
            raise UnitMismatch(f"{known[0].describe()} meets {unit.describe()}")
    return known[0] if known else None


def product(left: Units, right: Units) -> Units:
    """The unit of a product; a literal 0 stays a fit for any unit."""
    return None if left is None or right is None else left * right


def quotient(left: Units, right: Units) -> Units:
    """The unit of a quotient."""
    return None if left is None or right is None else left / right


def plain(*units: Units) -> Unit:
    """No unit at all, and none may come in (rates, exponents, flags)."""
    for unit in units:
        if unit is not None and unit.dimensions:
            raise UnitMismatch(f"a plain number is needed, not {unit.describe()}")
    return PLAIN


def _compared(left: Units, right: Units) -> Unit:
    same(left, right)
    return PLAIN


def _nearly_compared(left: Units, right: Units, tolerance: Units) -> Unit:
    plain(tolerance)
    return _compared(left, right)


def _looked_up(x: Units, knots: Units, values: Units) -> Units:
    same(x, knots)
    return values


def _excess(x: Units, limit: Units, levels: Units, shares: Units) -> Units:
    plain(levels, shares)
    return same(x, limit)


def _chosen(condition: Units, yes: Units, no: Units) -> Units:
    plain(condition)
    return same(yes, no)


def _first(unit: Units, *_: Units) -> Units:
    return unit


def _nearly_whole(unit: Units, tolerance: Units) -> Units:
    plain(tolerance)
    return unit


def _of_before(unit: Units, month: Units, months: Units) -> Units:
    same(month, months)
    return unit


def _grouped(unit: Units, group: Units) -> Units:
    plain(group)
    return unit


def _by_age(unit: Units, group: Units, ages: Units, shares: Units, *months: Units) -> Units:
    plain(group, ages, shares)
    same(*months)
    return unit


def _of_cohorts(unit: Units, reversed_shares: Units, month: Units, last_month: Units) -> Units:
    same(month, last_month)
    return product(unit, reversed_shares)


def _reversed(unit: Units, month: Units, last_month: Units) -> Units:
    same(month, last_month)
    return unit


@dataclass(frozen=True)
class Operation:
    """One word of the vocabulary.

    ``numbers`` computes it on arrays of months x draws. ``excel`` is its formula: its fields are
    the parameters of ``numbers``, and a suffix says which cells of a row are meant: ``{x}`` this
    column, ``{x:past}`` from month 0 to here, ``{x:opened}`` the same with the opening column,
    ``{x:next}`` the next column, ``{x:all}`` the whole row or table, ``{x:end}`` its last cell.
    ``unit`` gives the unit of the result from the units of the operands. ``precedence`` places
    infix operators; what is written as a function is an atom. ``gives`` is the shape of the result
    where it is not simply that of its operands.
    """

    name: str
    parameters: tuple[str, ...]
    numbers: Callable[..., Any]
    excel: str
    unit: Callable[..., Units]
    precedence: int = ATOM
    gives: str | None = None

    @property
    def reads_whole_row(self) -> bool:
        """Whether it needs other months than its own, which a month-by-month loop cannot give."""
        return any(
            f":{cells}}}" in self.excel for cells in ("past", "all", "next", "opened", "end")
        )

    def __call__(self, *operands: Any) -> Any:
        """The value for arrays, the expression as soon as one operand is an expression."""
        if any(isinstance(operand, Expression) for operand in operands):
            given = tuple(as_expression(operand) for operand in operands)
            counted = given[1:] if self.name == "where" else given
            if any(operand.is_comparison for operand in counted):
                raise NotTraceable(
                    "a comparison may only be the condition of np.where: TRUE + TRUE is 2 in a "
                    "spreadsheet and True in NumPy"
                )
            same_as = _without_neutral(self, given)
            return Expression(self, given) if same_as is None else same_as
        return self.numbers(*operands)


class Expression(NDArrayOperatorsMixin):
    """What a model function would compute: an operation and its operands.

    It answers NumPy's own protocols, so model functions need no second spelling. Everything that
    would need a number now (a truth value, an index, a loop) raises `NotTraceable`.
    """

    def __init__(
        self, operation: Operation | None = None, operands: tuple[Expression, ...] = ()
    ) -> None:
        self.operation = operation
        self.operands = operands

    __hash__ = object.__hash__

    @property
    def is_comparison(self) -> bool:
        """Whether its value is TRUE or FALSE."""
        return self.operation is not None and self.operation.precedence == COMPARED

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        operation = _BY_UFUNC.get(ufunc)
        if operation is None or method != "__call__" or keywords:
            raise NotTraceable(f"np.{ufunc.__name__} is not in the vocabulary: {_words()}")
        return operation(*inputs)

    def __array_function__(self, function: Any, types: Any, inputs: Any, keywords: Any) -> Any:
        if function is not np.where or len(inputs) != 3 or keywords:
            raise NotTraceable(f"np.{function.__name__} is not in the vocabulary: {_words()}")
        return where(*inputs)

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise NotTraceable("an expression cannot become an array; keep to arithmetic and np.where")

    def _no_number(self, *_: Any) -> NoReturn:
        raise NotTraceable(
            "a model function cannot branch, loop, count or index on a value; "
            "write np.where(...), np.minimum(...) or np.maximum(...)"
        )

    __bool__ = __float__ = __int__ = __index__ = __iter__ = __len__ = _no_number
    __getitem__ = __round__ = __contains__ = _no_number


class Reference(Expression):
    """Another line or input, this month's or (``previous``) last month's; 0 before month 0."""

    def __init__(self, line: str, previous: bool = False) -> None:
        super().__init__()
        self.line = line
        self.previous = previous

    def __repr__(self) -> str:
        return f"Reference({self.line!r}, previous={self.previous})"


class Literal(Expression):
    """One of the numbers that may stand in a model function: 0, 1 and -1."""

    def __init__(self, value: int) -> None:
        super().__init__()
        self.value = value

    def __repr__(self) -> str:
        return f"Literal({self.value})"


def as_expression(value: Any) -> Expression:
    """``value`` as an expression; `NotTraceable` for a number that should be a named input."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value in (0, 1, -1):
        return Literal(value)
    raise NotTraceable(f"{value!r} may not stand in a model function; make it a named input")


# words that come to 0 when what they add up, choose from or look back on is 0
_VANISHING = frozenset(
    ("*", "/", "negative", "ratio", "total", "highest", "cumulative", "highest_yet", "following",
     "lag", "backwards", "over_cohorts", "year_to_date", "shares_by_age", "trailing_highest")
)  # fmt: skip
# words that come to 0 when either of their first two operands is 0
_PRODUCTS = ("*", "sum_product", "over_cohorts")


def _is_literal(operand: Expression, value: int) -> bool:
    return isinstance(operand, Literal) and operand.value == value


def _without_neutral(operation: Operation, operands: tuple[Expression, ...]) -> Expression | None:
    """What is left of an operation: x * 1, x / 1, x + 0 and x - 0 are x, and x * 0 is 0.

    What a scenario does not give is bound as a literal 1 or 0, and leaves no trace in a formula.
    """
    if operation.name in _VANISHING and _is_literal(operands[0], 0):
        return Literal(0)
    if operation.name in _PRODUCTS and any(_is_literal(o, 0) for o in operands[:2]):
        return Literal(0)
    neutral = {"*": 1, "/": 1, "+": 0, "-": 0}.get(operation.name)
    if neutral is None:
        return None
    left, right = operands
    if isinstance(right, Literal) and right.value == neutral:
        return left
    if operation.name in "*+" and isinstance(left, Literal) and left.value == neutral:
        return right
    return None


def _words() -> str:
    return ", ".join(sorted(VOCABULARY))


def _divide(above: Any, below: Any) -> Any:
    above, below = np.broadcast_arrays(np.asarray(above, float), np.asarray(below, float))
    return np.divide(above, below, out=np.zeros(above.shape), where=below != 0)


def _at_most(x: Any, y: Any, tolerance: Any) -> Any:
    scale = np.maximum(np.maximum(x, y), 1)
    return np.where(x - y <= tolerance * scale, 1.0, 0.0)


def _lookup(x: Any, knots: Any, values: Any) -> Any:
    position = np.maximum(np.searchsorted(knots[:, 0], x, side="right") - 1, 0)
    if position.shape[1] == 1:
        return values[position[:, 0], :]
    rows = np.broadcast_to(values, (values.shape[0], position.shape[1]))
    return np.take_along_axis(rows, position, axis=0)


def _lag(x: Any, month: Any, months: Any) -> Any:
    position = np.asarray(month - months, dtype=int)
    rows, draws = position.shape[0], max(position.shape[1], x.shape[1])
    position = np.broadcast_to(position, (rows, draws))
    found = np.take_along_axis(np.broadcast_to(x, (rows, draws)), np.maximum(position, 0), axis=0)
    return np.where(position < 0, 0.0, found)


def _trailing_highest(x: Any, month: Any, months: Any) -> Any:
    months = np.atleast_2d(months)  # a literal may stand for it
    found = np.zeros(np.broadcast_shapes(x.shape, np.shape(months)))
    for position in range(x.shape[0]):
        first = np.floor(np.maximum(month[position] - months[0] + 1, 0))  # as INDEX counts
        within = month[: position + 1] >= first
        found[position] = np.max(np.where(within, x[: position + 1], -np.inf), axis=0)
    return found


def _year_to_date(x: Any, group: Any) -> Any:
    found = np.zeros(x.shape)
    for position in range(x.shape[0]):
        found[position] = np.sum(
            np.where(group[: position + 1] == group[position], x[: position + 1], 0.0), axis=0
        )
    return found


def _shares_by_age(x: Any, group: Any, ages: Any, shares: Any, month: Any, months: Any) -> Any:
    months = np.atleast_2d(months)  # a literal may stand for it
    kept = np.atleast_2d(np.asarray(months, dtype=float))
    found = np.zeros(np.broadcast_shapes(x.shape, (1, shares.shape[1]), kept.shape))
    for position in range(x.shape[0]):
        in_service = month[position] - month[: position + 1] <= kept[0]
        standing = np.where(in_service, x[: position + 1], 0.0)
        age = group[position] - group[: position + 1]
        for known, share in zip(ages[:, 0], shares, strict=True):
            found[position] += np.sum(np.where(age == known, standing * share, 0.0), axis=0)
    return found


def _over_cohorts(x: Any, reversed_shares: Any, month: Any, last_month: Any) -> Any:
    rows = x.shape[0]
    shares = reversed_shares[::-1]
    found = np.zeros((rows, max(x.shape[1], shares.shape[1])))
    for entered in range(rows):
        if x[entered].any():
            found[entered:] += x[entered] * shares[: rows - entered]
    return found


def _annuity(rate: Any, periods: Any) -> Any:
    rate, periods = np.broadcast_arrays(np.asarray(rate, float), np.asarray(periods, float))
    return np.where(rate == 0, periods, _divide(1 - (1 + rate) ** -periods, rate))


def _mean_excess(x: Any, limit: Any, levels: Any, shares: Any) -> Any:
    pairs = zip(levels[:, 0], shares[:, 0], strict=True)
    return sum(share * np.maximum(level * x - limit, 0) for level, share in pairs)


def _infix(
    name: str, ufunc: Any, sign: str, unit: Callable[..., Units], precedence: int
) -> Operation:
    return Operation(name, ("x", "y"), ufunc, f"{{x}}{sign}{{y}}", unit, precedence)


add = _infix("+", np.add, "+", same, ADDED)
subtract = _infix("-", np.subtract, "-", same, ADDED)
multiply = _infix("*", np.multiply, "*", product, MULTIPLIED)
divide = _infix("/", np.divide, "/", quotient, MULTIPLIED)
power = _infix("^", np.power, "^", plain, RAISED)
greater = _infix(">", np.greater, ">", _compared, COMPARED)
greater_equal = _infix(">=", np.greater_equal, ">=", _compared, COMPARED)
less = _infix("<", np.less, "<", _compared, COMPARED)
less_equal = _infix("<=", np.less_equal, "<=", _compared, COMPARED)
equal = _infix("==", np.equal, "=", _compared, COMPARED)
negative = Operation("negative", ("x",), np.negative, "(-{x})", same)
where = Operation(
    "where", ("condition", "yes", "no"), np.where, "IF({condition},{yes},{no})", _chosen
)
minimum = Operation("minimum", ("x", "y"), np.minimum, "MIN({x},{y})", same)
maximum = Operation("maximum", ("x", "y"), np.maximum, "MAX({x},{y})", same)

# the named words, imported by model functions
ratio = Operation("ratio", ("above", "below"), _divide, "IF({below}=0,0,{above}/{below})", quotient)
at_most = Operation(
    "at_most",
    ("x", "y", "tolerance"),
    _at_most,
    "IF({x}-{y}<={tolerance}*MAX({x},{y},1),1,0)",
    _nearly_compared,
)
# 0.1 * 3 * 10 rounds up to 4 in NumPy and to 3 in LibreOffice: whole units need the tolerance
ceil = Operation(
    "ceil",
    ("x", "tolerance"),
    lambda x, tolerance: np.ceil(np.maximum(x - tolerance, 0)),
    "ROUNDUP(MAX({x}-{tolerance},0),0)",
    _nearly_whole,
)
whole = Operation(
    "whole",
    ("x", "tolerance"),
    lambda x, tolerance: np.floor(x + tolerance),
    "INT({x}+{tolerance})",
    _nearly_whole,
)
modulo = Operation("modulo", ("x", "y"), np.mod, "MOD({x},{y})", plain)
lookup = Operation(
    "lookup",
    ("x", "knots", "values"),
    _lookup,
    "LOOKUP({x},{knots:all},{values:all})",
    _looked_up,
    gives="months",
)
total = Operation(
    "total",
    ("x",),
    lambda x: np.sum(x, axis=0, keepdims=True),
    "SUM({x:all})",
    _first,
    gives="scalar",
)
highest = Operation(
    "highest",
    ("x",),
    lambda x: np.max(x, axis=0, keepdims=True),
    "MAX({x:all})",
    _first,
    gives="scalar",
)
cumulative = Operation(
    "cumulative", ("x",), lambda x: np.cumsum(x, axis=0), "SUM({x:past})", _first
)
highest_yet = Operation(
    "highest_yet", ("x",), lambda x: np.maximum.accumulate(x, axis=0), "MAX({x:past})", _first
)
sum_product = Operation(
    "sum_product",
    ("x", "y"),
    lambda x, y: np.sum(x * y, axis=0, keepdims=True),
    "SUMPRODUCT({x:all},{y:all})",
    product,
    gives="scalar",
)
following = Operation(
    "following",
    ("x",),
    lambda x: np.vstack([x[1:], np.zeros((1, x.shape[1]))]),
    "{x:next}",
    _first,
)
lag = Operation(
    "lag",
    ("x", "month", "months"),
    _lag,
    "INDEX({x:opened},MAX({month}-{months}+1,0)+1)",
    _of_before,
)
mean_excess = Operation(
    "mean_excess",
    ("x", "limit", "levels", "shares"),
    _mean_excess,
    "SUMPRODUCT({shares:all}*({levels:all}*{x}-{limit})*({levels:all}*{x}-{limit}>0))",
    _excess,
)
# Cohorts: what is bought in a month has shares by its age. The row of shares lies on the axis of
# months, as ages; turned round, the share of what was bought j months ago stands above it.
backwards = Operation(
    "backwards",
    ("x", "month", "last_month"),
    lambda x, month, last_month: x[::-1],
    "INDEX({x:all},{last_month}-{month}+1)",
    _reversed,
    gives="months",
)
over_cohorts = Operation(
    "over_cohorts",
    ("x", "reversed_shares", "month", "last_month"),
    _over_cohorts,
    "SUMPRODUCT({x:past},"
    "INDEX({reversed_shares:all},{last_month}-{month}+1):{reversed_shares:end})",
    _of_cohorts,
)
year_to_date = Operation(
    "year_to_date",
    ("x", "group"),
    _year_to_date,
    "SUMIF({group:past},{group},{x:past})",
    _grouped,
)
shares_by_age = Operation(
    "shares_by_age",
    ("x", "group", "ages", "shares", "month", "months"),
    _shares_by_age,
    "SUMPRODUCT({x:past}*{shares:all}*(({group}-{group:past})={ages:all})"
    "*(({month}-{month:past})<={months}))",
    _by_age,
)
trailing_highest = Operation(
    "trailing_highest",
    ("x", "month", "months"),
    _trailing_highest,
    "MAX(INDEX({x:past},MAX({month}-{months}+1,0)+1):{x})",
    _of_before,
)
annuity = Operation("annuity", ("rate", "periods"), _annuity, "(-PV({rate},{periods},1))", plain)

_INFIX = (add, subtract, multiply, divide, power, greater, greater_equal, less, less_equal, equal)
_NUMPY = (*_INFIX, negative, minimum, maximum)
_BY_UFUNC: dict[Any, Operation] = {operation.numbers: operation for operation in _NUMPY}
NAMED = (
    ratio,
    at_most,
    ceil,
    whole,
    modulo,
    lookup,
    total,
    highest,
    cumulative,
    highest_yet,
    sum_product,
    following,
    lag,
    mean_excess,
    backwards,
    over_cohorts,
    year_to_date,
    shares_by_age,
    trailing_highest,
    annuity,
)
VOCABULARY: dict[str, Operation] = {word.name: word for word in (*_NUMPY, where, *NAMED)}
