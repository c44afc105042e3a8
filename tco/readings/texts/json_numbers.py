"""Numbers of JSON, which some write as texts, with every digit that stands there.

>>> exact("0.0000003") * 1_000_000
Decimal('0.3000000')
>>> exact(""), exact("-1"), exact(True), exact("free")
(None, Decimal('-1'), None, None)
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

LONGEST = 60
"""Characters of a text that may be a number."""


def exact(value: object) -> Decimal | None:
    """A number of JSON, or a text of its digits; None for anything else, and for infinity."""
    if isinstance(value, float):
        value = repr(value)
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, str)):
        return None
    if isinstance(value, str) and (len(value) > LONGEST or "_" in value):
        return None
    try:
        number = Decimal(value)
    except InvalidOperation:
        return None
    # a number of a size that nothing here has would be slow to calculate with, exactly
    return number if number.is_finite() and abs(number.adjusted()) < LONGEST else None
