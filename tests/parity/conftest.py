"""The delivered workbook of each scenario, written once for a module."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.parity.delivered import Delivered


@pytest.fixture(scope="module")
def delivered(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Delivered:
    scenario: Path = request.param
    return Delivered(scenario, tmp_path_factory.mktemp(scenario.stem))
