"""How recalculated words are held against cached ones."""

from tests.parity.words import _same_words


def test_words_differ_by_more_than_a_half() -> None:
    assert _same_words("USD 5,224,549 less", "USD 5,224,548 less")
    assert not _same_words("USD 5,224,550 less", "USD 5,224,548 less")
    assert not _same_words("USD 5,224,548 more", "USD 5,224,548 less")
    assert not _same_words("month 1.25", "month 1.3")
