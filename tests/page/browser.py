"""Headless Chromium, driven by its own protocol over a pipe: JSON texts with a zero byte between.

No library is needed for it; https://chromedevtools.github.io/devtools-protocol describes the words.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 60  # that an answer may take, on a machine that is busy
# said of a page: what a script printed, what went wrong, what the browser itself complains of
SAID = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


def program() -> str | None:
    """The browser that is installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    """One browser; `open` shows a file in a tab of its own."""

    def __init__(self, profile: Path) -> None:
        found = program()
        assert found is not None
        theirs, ours = os.pipe()
        self._answers, answers = os.pipe()
        self._requests = ours
        self._rest = b""
        self._number = 0
        self._events: list[dict[str, Any]] = []
        # it reads from descriptor 3 and writes to 4
        command = f'exec "$0" "$@" 3<&{theirs} 4>&{answers}'
        options = (
            "--headless=new",
            "--remote-debugging-pipe",
            "--no-sandbox",  # which root has to give up
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-extensions",
            "--no-first-run",
            f"--user-data-dir={profile}",
        )
        self._process = subprocess.Popen(
            ["bash", "-c", command, found, *options, "about:blank"],
            pass_fds=(theirs, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(answers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.call("Browser.close")
            self._process.wait(SECONDS)
        finally:
            self._process.kill()
            self._process.wait()
            os.close(self._requests)
            os.close(self._answers)

    def open(self, file: Path, width: int, *, scripts: bool = True) -> "Tab":
        """Show a file in a window of that many pixels across, and wait until it is loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        tab = Tab(self, target, attached["sessionId"])
        for domain in ("Page", "Runtime", "Log", "Network"):
            tab.call(f"{domain}.enable")
        tab.resize(width)
        if not scripts:
            tab.call("Emulation.setScriptExecutionDisabled", value=True)
        tab.url = file.as_uri()
        failed = tab.call("Page.navigate", url=tab.url).get("errorText")
        assert not failed, f"{tab.url}: {failed}"
        self.wait(tab.session, "Page.loadEventFired")
        return tab

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Ask for something and wait for the answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        content = json.dumps(message).encode() + b"\0"
        while content:
            content = content[os.write(self._requests, content) :]
        for answer in self._messages(method):
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            self._events.append(answer)
        raise AssertionError("unreachable")

    def wait(self, session: str, event: str) -> None:
        """Wait until something is reported of a tab."""
        if not self.events(session, event):
            for message in self._messages(event):
                self._events.append(message)
                if message.get("sessionId") == session and message.get("method") == event:
                    return

    def events(self, session: str, *methods: str) -> list[dict[str, Any]]:
        """What was reported of a tab so far."""
        return [
            event["params"]
            for event in self._events
            if event.get("sessionId") == session and event.get("method") in methods
        ]

    def _messages(self, waiting_for: str) -> Iterator[dict[str, Any]]:
        end = time.monotonic() + SECONDS
        while True:
            while b"\0" not in self._rest:
                left = end - time.monotonic()
                ready, _, _ = select.select([self._answers], [], [], max(left, 0))
                assert ready, f"the browser does not answer: {waiting_for}"
                read = os.read(self._answers, 1 << 20)
                assert read, f"the browser has gone: {waiting_for}"
                self._rest += read
            message, _, self._rest = self._rest.partition(b"\0")
            yield json.loads(message)


class Tab:
    """A page that is shown."""

    url = ""

    def __init__(self, browser: Browser, target: str, session: str) -> None:
        self.browser = browser
        self.target = target
        self.session = session

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask for something of this page."""
        return self.browser.call(method, self.session, **parameters)

    def resize(self, width: int, height: int = 844) -> None:
        """Make the window so wide and high, in CSS pixels, as a phone does below 700."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 700,
        )

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript in this page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    @property
    def said(self) -> list[dict[str, Any]]:
        """Everything on the console: messages, exceptions, complaints of the browser."""
        return self.browser.events(self.session, *SAID)

    @property
    def requested(self) -> list[str]:
        """The addresses that were asked for."""
        events = self.browser.events(self.session, "Network.requestWillBeSent")
        return [event["request"]["url"] for event in events]

    def print(self, file: Path, *, backgrounds: bool = False) -> None:
        """Print as a user does on the paper that the page names, into a PDF."""
        made = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=backgrounds)
        file.write_bytes(base64.b64decode(made["data"]))

    def screenshot(self, file: Path) -> None:
        """The whole page as a picture."""
        made = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(made["data"]))

    def close(self) -> None:
        """Close the page."""
        self.browser.call("Target.closeTarget", targetId=self.target)
