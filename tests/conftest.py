"""The order of the tests: the longest file first, so that two workers end together."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the recalculation by LibreOffice, which takes one worker most of its time."""
    items.sort(key=lambda item: "tests/parity/test_libreoffice" not in item.nodeid)
