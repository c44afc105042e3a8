"""``python -m tco`` is the command ``tco``."""

from tco.cli import main

main()
