"""How far long work is, on a terminal.

In: steps.
Out: one line on standard error that is written over, and wiped away in the end.
Next: check, reports, cli.
"""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType

PATIENCE = 1.0  # seconds until anything is shown


class Progress:
    """``with Progress("checking f") as progress: progress("forward")``; silent if nobody looks.

    >>> with Progress("checking") as progress:
    ...     progress("forward")
    """

    def __init__(self, title: str) -> None:
        self.title, self.began, self.shown = title, time.monotonic(), 0
        self.last = self.began + PATIENCE

    def __enter__(self) -> Progress:
        return self

    def __call__(self, doing: str) -> None:
        """Say what is being done."""
        now = time.monotonic()
        if now < self.last or not sys.stderr.isatty():
            return
        self.last = now + 0.1
        width = (
            shutil.get_terminal_size().columns - 1
        )  # a line that is broken cannot be written over
        self._write(f"{self.title}: {doing} ({now - self.began:.0f} s)"[:width])

    def _write(self, text: str) -> None:
        print(f"\r{text:{self.shown}}", end="", file=sys.stderr, flush=True)
        self.shown = len(text)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.shown:
            self._write("")
            print("\r", end="", file=sys.stderr, flush=True)
