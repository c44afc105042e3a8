"""Buy GPUs, rent them, or call an API: total cost of ownership, month by month.

>>> import tco
>>> tco.run  # doctest: +ELLIPSIS
<function run at ...>
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tco.results import Result, run
    from tco.scenario.loading import load
    from tco.scenario.schema import Scenario

__version__ = "0.3.0"
__all__ = ["Result", "Scenario", "__version__", "load", "run"]

# resolved on first use, so that `tco --help` does not wait for NumPy
_HOMES = {
    "load": "tco.scenario.loading",
    "run": "tco.results",
    "Scenario": "tco.scenario.schema",
    "Result": "tco.results",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tco' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
