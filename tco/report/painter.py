"""Charts drawn by a process of their own, beside the rest of a run.

Importing matplotlib takes longer than all other work of a run. The process is therefore started
first and imports while the scenario is read and computed; it draws while the workbook is written.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import IO, TYPE_CHECKING, BinaryIO, Self

from tco.report.drawing import Drawing

if TYPE_CHECKING:
    # whatever backend the user's own plots take, files are painted by this one
    os.environ["MPLBACKEND"] = "agg"
    from tco.report.charts import Chart

Request = tuple[Drawing, str]  # what to draw and the file to write
Reply = tuple[list[str], OSError | None]  # notes for the user, and why it could not be written


class Painter:
    """Draws charts into files; `finish` waits for them and gives the notes for the user.

    Without a process (none can be started, or it died) the charts are drawn here.
    """

    def __init__(self) -> None:
        self._requests: list[Request] = []
        self._process = _start()
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        if self._process is not None and self._process.stdin is not None:
            # a thread sends them: a pipe is soon full, and the run is not to wait for the charts
            self._sender = Thread(target=_send, args=(self._waiting, self._process.stdin))
            self._sender.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._waiting.put(None)
        if self._process is not None:
            self._process.kill()
            self._sender.join()
            self._process.communicate()

    def draw(self, drawing: Drawing, path: Path) -> None:
        """Ask for a chart in a .png or .svg file; `finish` says whether it could be written."""
        self._requests.append((drawing, str(path)))
        self._waiting.put(pickle.dumps(self._requests[-1]))

    def finish(self) -> list[str]:
        """Wait for the charts; notes for the user, each once. Raises ``OSError``."""
        notes: dict[str, None] = {}
        for request in self._requests:
            found, fault = self._reply() or paint(request)
            if fault is not None:
                raise fault
            notes.update(dict.fromkeys(found))
        self._requests.clear()
        return list(notes)

    def _reply(self) -> Reply | None:
        if self._process is None or self._process.stdout is None:
            return None
        try:
            reply: Reply = pickle.load(self._process.stdout)  # noqa: S301  our own process wrote it
        except (EOFError, OSError, pickle.UnpicklingError):
            return None
        return reply


def _send(waiting: SimpleQueue[bytes | None], requests: IO[bytes]) -> None:
    """Send what waits until there is no more, or nobody who takes it."""
    with suppress(OSError):
        while (request := waiting.get()) is not None:
            requests.write(request)
            requests.flush()


def _start() -> subprocess.Popen[bytes] | None:
    if not sys.executable:
        return None
    # -P keeps the user's folder off the path: a numpy.py in it is none of ours
    command = [sys.executable, "-P", "-m", "tco.report.painter"]
    home = str(Path(__file__).parents[2])
    path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
    try:
        return subprocess.Popen(  # noqa: S603  Python itself, with our own module
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path, "MPLBACKEND": "agg"},
        )
    except OSError:
        return None


def paint(request: Request) -> Reply:
    """Draw one chart here."""
    from tco.report.charts import Chart

    drawing, path = request
    chart = _drawn.get(drawing)
    if chart is None:
        _drawn.clear()
        chart = _drawn[drawing] = Chart(drawing)
    try:
        chart.save(Path(path))
    except OSError as fault:
        return chart.notes, fault
    return chart.notes, None


_drawn: dict[Drawing, Chart] = {}  # the last chart, for its other formats


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Draw what is asked for until there is no more."""
    import tco.report.charts  # noqa: F401  what takes long, before the first request

    while True:
        try:
            request: Request = pickle.load(requests)  # noqa: S301  the run that started us wrote it
        except EOFError:
            return
        pickle.dump(paint(request), replies)
        replies.flush()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer)
