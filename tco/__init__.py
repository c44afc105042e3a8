"""Buy GPUs, rent them, or call an API: total cost of ownership, month by month.

>>> import tco
>>> tco.run  # doctest: +ELLIPSIS
<function run at ...>
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tco.analysis.attribution import attribute
    from tco.analysis.break_even import break_even
    from tco.analysis.sensitivity import tornado
    from tco.analysis.uncertainty import simulate
    from tco.results import Result, run
    from tco.scenario.loading import load
    from tco.scenario.schema import Scenario

__version__ = "0.5.0"
__all__ = [
    "Result",
    "Scenario",
    "__version__",
    "attribute",
    "break_even",
    "load",
    "run",
    "simulate",
    "tornado",
]

# resolved on first use, so that `tco --help` does not wait for NumPy
_HOMES = {
    "load": "tco.scenario.loading",
    "run": "tco.results",
    "Scenario": "tco.scenario.schema",
    "Result": "tco.results",
    "attribute": "tco.analysis.attribution",
    "break_even": "tco.analysis.break_even",
    "simulate": "tco.analysis.uncertainty",
    "tornado": "tco.analysis.sensitivity",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tco' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
