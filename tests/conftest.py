"""The order of the files, and the delivered workbooks that several of them read."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.parity.delivered import Delivered

# files that take a worker a minute and more, the longest first
LONGEST = [
    "tests/parity/test_formualizer.py",
    "tests/parity/test_libreoffice.py",
    "tests/referee/test_referee.py",
    "tests/cli/test_golden.py",
    "tests/page/test_page.py",
    "tests/report_text/test_charts.py",
    "tests/report/test_break_even_sheet.py",
]


def pytest_configure(config: pytest.Config) -> None:
    """Have xdist hand out the files in the order below, not those with most tests first.

    And have the collector of circles go less often through what stays until the end: models of
    hundreds of scenarios are held at once, and it took a fifth of the time of the tests.
    """
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False
    gc.set_threshold(50_000, 20, 50)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that no worker is left with one at the end."""

    def place(item: pytest.Item) -> int:
        file = item.nodeid.partition("::")[0]
        return LONGEST.index(file) if file in LONGEST else len(LONGEST)

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Leave what is imported and collected out of the search for circles."""
    gc.freeze()


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
