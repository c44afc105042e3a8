"""What an expression is printed as means what it computes."""

from typing import Any

import formualizer
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tco.engine import operations
from tco.engine.operations import (
    Expression,
    Literal,
    NotTraceable,
    Operation,
    Reference,
    at_most,
    cumulative,
    highest,
    lookup,
    ratio,
    sum_product,
    total,
)
from tco.engine.tracing import (
    MONTHS,
    SCALAR,
    TABLE,
    NoRow,
    equation,
    formula,
    references,
    shape,
    unit,
    words,
)
from tco.units import Factor, Hours, Money, UnitMismatch, unit_of

VALUES = {"a": 2.0, "b": 3.0, "c": 5.0, "d": 0.5, "e": 7.0}
a, b, c, d, e = (Reference(name) for name in VALUES)
LEAVES = st.sampled_from([a, b, c, d, e, Literal(0), Literal(1), Literal(-1)])
ARITHMETIC = [
    operations.add,
    operations.subtract,
    operations.multiply,
    operations.divide,
    operations.power,
]


def name_of(reference: Reference, cells: str) -> str:
    return f"{reference.line}.{cells}" if cells else reference.line


def apply(*operands: Expression | Operation) -> Expression:
    word, *rest = operands
    assert isinstance(word, Operation)
    traced = word(*rest)
    assert isinstance(traced, Expression)
    return traced


def arithmetic(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(apply, st.sampled_from(ARITHMETIC), inner, inner),
        st.builds(apply, st.just(operations.negative), inner),
    )


# sums and products of whole numbers and halves are exact, so a comparison has one answer everywhere
EXACT = st.recursive(
    LEAVES,
    lambda inner: st.builds(apply, st.sampled_from(ARITHMETIC[:3]), inner, inner),
    max_leaves=4,
)
COMPARISONS = [
    operations.greater,
    operations.greater_equal,
    operations.less,
    operations.less_equal,
    operations.equal,
]


def everything(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    comparison = st.builds(apply, st.sampled_from(COMPARISONS), EXACT, EXACT)
    return st.one_of(
        arithmetic(inner),
        st.builds(apply, st.sampled_from([operations.minimum, operations.maximum]), inner, inner),
        st.builds(apply, st.just(ratio), inner, EXACT),
        st.builds(apply, st.just(at_most), EXACT, EXACT, st.just(d)),
        st.builds(apply, st.just(operations.where), comparison, inner, inner),
    )


def compute(expression: Expression, sizes: list[float]) -> float:
    """The number an expression stands for; every number on the way is noted in ``sizes``."""
    if isinstance(expression, Literal):
        found = float(expression.value)
    elif isinstance(expression, Reference):
        found = VALUES[expression.line]
    else:
        assert expression.operation is not None
        operands = [compute(operand, sizes) for operand in expression.operands]
        with np.errstate(all="ignore"):
            found = float(expression.operation.numbers(*map(np.float64, operands)))
    sizes.append(abs(found))
    return found


@settings(max_examples=300, deadline=None)
@given(st.recursive(LEAVES, arithmetic, max_leaves=8))
def test_printed_arithmetic_means_the_same_to_the_last_bit(expression: Expression) -> None:
    """Python reads it too, once ^ is spelt **; brackets keep even the order of additions."""
    sizes: list[float] = []
    expected = compute(expression, sizes)
    assume(np.isfinite(sizes).all())
    for printed in (formula(expression, name_of), equation(expression, name_of)):
        assert eval(printed.replace("^", "**"), dict(VALUES)) == expected, printed


@settings(max_examples=200, deadline=None)
@given(st.recursive(LEAVES, everything, max_leaves=8))
def test_a_spreadsheet_reads_a_printed_formula_as_meant(expression: Expression) -> None:
    sizes: list[float] = []
    expected = compute(expression, sizes)
    assume(np.isfinite(sizes).all() and max(sizes) < 1e12)
    book = formualizer.Workbook()
    book.add_sheet("Tree")
    for column, value in enumerate(VALUES.values(), start=1):
        book.set_value("Tree", 1, column, value)
    printed = formula(expression, lambda reference, _: f"{reference.line.upper()}1")
    book.set_formula("Tree", 2, 1, f"={printed}")
    found = book.evaluate_cell("Tree", 2, 1)
    assert abs(found - expected) <= 1e-12 * max(sizes), printed


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        (a + b - c, "a+b-c"),
        (a - (b - c), "a-(b-c)"),
        (a + (b + c), "a+(b+c)"),  # the last bit differs from a+b+c
        ((a + b) * c, "(a+b)*c"),
        (a * (b / c), "a*(b/c)"),
        (a / b / c, "a/b/c"),
        (a * b + c, "a*b+c"),
        (-a, "(-a)"),
        (-(a + b), "(-(a+b))"),
        (-a * b, "(-a)*b"),
        (a - -b, "a-(-b)"),
        (a * -1, "a*(-1)"),
        ((a**b) ** c, "(a^b)^c"),
        (a ** (b**c), "a^(b^c)"),
        ((1 + a) ** (-b), "(1+a)^(-b)"),
        ((1 + a) ** (1 / b) - 1, "(1+a)^(1/b)-1"),
        (np.maximum(a - b, 0), "MAX(a-b,0)"),
        (np.minimum(a, -1), "MIN(a,-1)"),
        (np.where(a - b > 0, 1, 0), "IF(a-b>0,1,0)"),
        (ratio(a + b, b - c), "IF((b-c)=0,0,(a+b)/(b-c))"),
        (at_most(a, b + c, d), "IF(a-(b+c)<=d*MAX(a,b+c,1),1,0)"),
        (cumulative(a), "SUM(a.past)"),
        (sum_product(a, b) / c, "SUMPRODUCT(a.all,b.all)/c"),
        (lookup(a, b, c), "LOOKUP(a,b.all,c.all)"),
    ],
)
def test_formula(expression: Any, printed: str) -> None:
    assert formula(expression, name_of) == printed


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        (a * b + c, "a * b + c"),
        ((1 + a) ** (-b), "(1 + a) ^ (-b)"),
        (np.where(a > 0, 1, 0), "where(a > 0, 1, 0)"),
        (np.where(a == b, 1, 0), "where(a == b, 1, 0)"),
        (ratio(a + b, c), "ratio(a + b, c)"),
        (np.maximum(a - b, 0), "maximum(a - b, 0)"),
        (total(a) / b, "total(a) / b"),
        (at_most(a, b, d), "at_most(a, b, d)"),
    ],
)
def test_equation(expression: Any, printed: str) -> None:
    assert equation(expression, lambda reference, cells: reference.line) == printed


def test_last_month_is_left_to_whoever_prints() -> None:
    expression = Reference("balance", previous=True) + a
    printed = formula(
        expression, lambda reference, _: f"{'F' if reference.previous else 'G'}{reference.line}"
    )
    assert printed == "Fbalance+Ga"


@pytest.mark.parametrize(
    "expression", [total(a + b), cumulative(-a), highest(a * b), sum_product(a, b * c)]
)
def test_a_row_needs_a_line_of_its_own(expression: Any) -> None:
    with pytest.raises(NoRow, match="name its operand as its own line"):
        formula(expression, name_of)


def test_references_say_which_cells_are_read() -> None:
    expression = np.where(a > d, lookup(a, b, c), cumulative(e))
    found = [(reference.line, cells) for reference, cells in references(expression)]
    assert found == [
        ("a", ""), ("d", ""), ("a", ""), ("b", "all"), ("c", "all"), ("e", "past"),
    ]  # fmt: skip


def test_words_come_outermost_first() -> None:
    names = [word.name for word in words(np.maximum(a + b * c, total(d)))]
    assert names == ["maximum", "+", "*", "total"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (a, MONTHS),
        (b, SCALAR),
        (Literal(1), SCALAR),
        (a * b, MONTHS),
        (b + 1, SCALAR),
        (total(a), SCALAR),
        (total(a) * a, MONTHS),
        (cumulative(a), MONTHS),
        (lookup(a, c, c), MONTHS),
        (np.where(b > 0, b, 0), SCALAR),
    ],
)
def test_shape(expression: Any, expected: str) -> None:
    shapes = {"a": MONTHS, "b": SCALAR, "c": TABLE}
    assert shape(expression, shapes.__getitem__) == expected


def unit_here(expression: Any) -> Any:
    annotations = {"a": Money, "b": Hours, "c": Money, "d": Factor, "e": Factor}
    found = unit(expression, lambda line: unit_of(annotations[line]))
    return found and found.describe()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (a / b, "money/hour"),
        (a / b * b, "money"),
        (a * d + c, "money"),
        (np.maximum(a, 0), "money"),
        (np.where(d > 0, a, 0), "money"),
        ((1 + d) ** (-e), "no dimension"),
        (ratio(a, c), "no dimension"),
        (sum_product(a, b), "hour*money"),
    ],
)
def test_unit(expression: Any, expected: str) -> None:
    assert unit_here(expression) == expected


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (a + b, "money meets hour"),
        (a + 1, "money meets no dimension"),
        (np.minimum(a, b), "money meets hour"),
        (a**d, "a plain number is needed, not money"),
        (np.where(a > b, 1, 0), "money meets hour"),
        (np.where(d > 0, a, b), "money meets hour"),
    ],
)
def test_unlike_quantities_may_not_meet(expression: Any, message: str) -> None:
    with pytest.raises(UnitMismatch, match=message):
        unit_here(expression)


def test_a_comparison_is_only_a_condition() -> None:
    """TRUE + TRUE is 2 in a spreadsheet and True in NumPy; SUM counts TRUE in some of them."""
    for wrong in (
        lambda: (a > b) + (c > d),
        lambda: (a > b) * 1,
        lambda: -(a > b),
        lambda: np.where(a > b, c > d, 0),
        lambda: total(a > b),
    ):
        with pytest.raises(NotTraceable, match="a comparison may only be the condition"):
            wrong()
