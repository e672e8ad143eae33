"""A headless browser for tests, spoken to over two pipes in the DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --hide-scrollbars --remote-debugging-pipe""".split()
NAMES = ("chromium", "chromium-browser", "google-chrome")


def program() -> str:
    """The browser; without one the test is skipped."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    return found


class Browser:
    """One browser process with one page."""

    def __init__(self) -> None:
        path = program()
        self._folder = tempfile.mkdtemp()
        (read, self._to), (self._from, write) = os.pipe(), os.pipe()

        def wire() -> None:
            high = [os.dup(read), os.dup(write)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self._process = subprocess.Popen(
            [path, *FLAGS, f"--user-data-dir={self._folder}"],
            preexec_fn=wire,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read)
        os.close(write)
        self._number, self._rest, self._session = 0, b"", ""
        self.events: list[dict[str, Any]] = []
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        attached = self.command("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.command(f"{domain}.enable")

    def close(self) -> None:
        try:
            self._session = ""
            self.command("Browser.close")
        except (OSError, EOFError):
            pass
        self._process.wait(timeout=20)
        os.close(self._to)
        os.close(self._from)
        shutil.rmtree(self._folder, ignore_errors=True)

    def command(self, method: str, **params: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer)
                return answer["result"]
            self.events.append(answer)

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._from, 1 << 16)
            if not more:
                raise EOFError("the browser has ended")
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(text))

    def open(self, path: Path, width: int = 1300, dark: bool = False, script: bool = True) -> None:
        """Show a file."""
        self.events.clear()
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.command("Emulation.setEmulatedMedia", features=scheme)
        self.command("Emulation.setScriptExecutionDisabled", value=not script)
        self.command("Page.navigate", url=path.as_uri())
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if self.evaluate("document.readyState") == "complete":
                if self.evaluate("location.href").startswith("file:"):
                    return
            time.sleep(0.02)
        raise AssertionError("the page does not load")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page."""
        found = self.command("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def point(self, selector: str) -> None:
        """Move the mouse to the middle of an element."""
        self.evaluate(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        place = self.evaluate(
            f"(r => [r.left + Math.min(r.width, 300) / 2, r.top + r.height / 2])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())"
        )
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])

    def press(self, key: str, code: int) -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.command(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code
            )

    def screenshot(self, path: Path, whole: bool = True) -> None:
        shot = self.command("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))
