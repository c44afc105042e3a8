"""The command ``tco``: reads its arguments, calls, prints. No arithmetic and no wording of results.

Everything but click is imported inside the commands, so that ``tco --help`` answers at once.
"""

from tco.cli import (  # noqa: F401  each adds its commands
    files,
    fitting,
    prices,
    questions,
    reading,
    running,
)
from tco.cli.group import main

__all__ = ["main"]
