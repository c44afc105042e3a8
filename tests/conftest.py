"""The order of the tests, and the delivered workbooks that several of them read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.parity.delivered import Delivered

LONGEST = "tests/parity/test_libreoffice"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the recalculation by LibreOffice, which takes one worker most of its time."""
    items.sort(key=lambda item: LONGEST not in item.nodeid)


@pytest.fixture(scope="session")
def deliver(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Delivered]:
    """The delivered workbook of a scenario, written once for all the tests of a worker."""
    from tests.parity.delivered import Delivered

    @cache
    def delivered(scenario: Path) -> Delivered:
        return Delivered(scenario, tmp_path_factory.mktemp(scenario.stem))

    return delivered


@pytest.fixture(scope="module")
def delivered(
    request: pytest.FixtureRequest, deliver: Callable[[Path], Delivered]
) -> Iterator[Delivered]:
    """The workbook of the scenario that a test is parametrised with, indirectly.

    Its cells are let go afterwards: those of all scenarios at once fill a gigabyte.
    """
    found = deliver(request.param)
    yield found
    vars(found).pop("book", None)
