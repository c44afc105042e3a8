"""Texts of the Summary that follow the inputs: each word as a formula and as what it now says.

These formulas look up and join traced cells and compute nothing that is read again.

>>> saved = Term("$D$9", -1234.5)
>>> text = joined("USD ", amount(saved), chosen(at_most_zero(saved), " less", " more"))
>>> text.formula
'"USD "&TEXT(ABS($D$9),"#,##0.00")&IF($D$9<=0," less"," more")'
>>> text.value
'USD 1,234.50 less'
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal

MONEY, WHOLE, ONE_DECIMAL, PERCENT, TENTH_PERCENT = "#,##0.00", "#,##0", "#,##0.0", "0%", "0.0%"


@dataclass(frozen=True)
class Term:
    """A piece of a formula, in the template language of the layout, and its value as delivered."""

    formula: str
    value: float | str
    condition: str = ""  # of a flag: the bare comparison, so that no IF stands inside an IF

    @property
    def number(self) -> float:
        """Its value, where it is a number."""
        assert not isinstance(self.value, str)
        return self.value

    @property
    def holds(self) -> bool:
        """Whether it is the flag 1."""
        return self.value == 1


def shown(value: float, pattern: str) -> str:
    """A number as a spreadsheet's TEXT shows it: halves of its 15 digits away from zero.

    >>> shown(0.125, "#,##0.00"), shown(1234567.8, "#,##0"), shown(0.1, "0.0%")
    ('0.13', '1,234,568', '10.0%')
    """
    percent = pattern.endswith("%")
    decimals = len(pattern.rstrip("%").partition(".")[2])
    number = Decimal(f"{value:.15g}").scaleb(2 if percent else 0)
    # the default precision of 28 digits does not hold what a scenario may come to
    rounded = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, Context(prec=400))
    return f"{rounded:,}{'%' if percent else ''}"


def text(term: Term, pattern: str) -> Term:
    """A number as text."""
    return Term(f'TEXT({term.formula},"{pattern}")', shown(term.number, pattern))


def amount(term: Term, pattern: str = MONEY) -> Term:
    """The size of a number as text, without its sign."""
    return Term(f'TEXT(ABS({term.formula}),"{pattern}")', shown(abs(term.number), pattern))


def joined(*pieces: Term | str) -> Term:
    """Pieces of text one after the other."""
    terms = [quoted(piece) if isinstance(piece, str) else piece for piece in pieces]
    return Term("&".join(t.formula for t in terms), "".join(str(t.value) for t in terms))


def quoted(piece: str) -> Term:
    """A fixed text; a program's own words, never a user's."""
    assert not set(piece) & set('"{}')
    return Term(f'"{piece}"', piece)


def chosen(flag: Term, yes: Term | str, no: Term | str) -> Term:
    """One of two pieces, by a flag."""
    first, second = (quoted(p) if isinstance(p, str) else p for p in (yes, no))
    value = first.value if flag.holds else second.value
    condition = flag.condition or f"{flag.formula}=1"
    return Term(f"IF({condition},{first.formula},{second.formula})", value)


def _flag(condition: str, holds: bool) -> Term:
    return Term(f"IF({condition},1,0)", float(holds), condition)


def at_most_zero(term: Term) -> Term:
    """1 where a number is 0 or less."""
    return _flag(f"{term.formula}<=0", term.number <= 0)


def above_zero(term: Term) -> Term:
    """1 where a number is above 0."""
    return _flag(f"{term.formula}>0", term.number > 0)


def not_below_zero(term: Term) -> Term:
    """1 where a number is 0 or more."""
    return _flag(f"{term.formula}>=0", term.number >= 0)


def both(one: Term, two: Term) -> Term:
    """1 where two flags are 1; the product of two numbers."""
    return Term(f"{one.formula}*{two.formula}", one.number * two.number)


def differ(one: Term, two: Term, tolerance: Term) -> Term:
    """1 where two amounts differ by more than a relative tolerance."""
    scale = max(abs(one.number), abs(two.number), 1.0)
    a, b = one.formula, two.formula
    return Term(
        f"IF(ABS({a}-{b})<={tolerance.formula}*MAX(ABS({a}),ABS({b}),1),0,1)",
        float(abs(one.number - two.number) > tolerance.number * scale),
    )
