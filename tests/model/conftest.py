"""A way to ask the whole tool one question: a scenario as text, run as a user would."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tco.results import Result, run

Ask = Callable[..., Result]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Runs a scenario given as text; an undiscounted 36 months unless the text says otherwise."""

    def ask(
        text: str, *, rate: str = "0%", months: int = 36, settings: Sequence[str] = ()
    ) -> Result:
        path = tmp_path / "case.yaml"
        head = f"name: case\ndiscount_rate: {rate}\nmonths: {months}\n"
        path.write_text(head + text, encoding="utf-8")
        return run(path, settings=settings)

    return ask
