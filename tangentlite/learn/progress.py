"""A bar that grows, on a terminal.

In: how many steps there are to be, and each as it is made.
Out: one line on standard error, which is written over; nothing where nobody looks.
Next: training.
"""

from __future__ import annotations

import sys
import time
from typing import Any

WIDTH = 30


class Bar:
    """``with Bar(100) as bar: bar(1, "loss 0.3")``.

    >>> with Bar(2, shown=False) as bar:
    ...     bar(1, "loss 0.3")
    """

    def __init__(self, total: int, shown: bool = True) -> None:
        self.total, self.shown = total, shown and sys.stderr.isatty()
        self.last, self.length = 0.0, 0

    def __enter__(self) -> Bar:
        return self

    def __call__(self, done: int, text: str = "") -> None:
        """Show how many steps are done, ten times a second at most."""
        now = time.monotonic()
        if not self.shown or (now - self.last < 0.1 and done < self.total):
            return
        self.last = now
        full = WIDTH * done // max(self.total, 1)
        self._write(f"[{'#' * full:{WIDTH}}] {done}/{self.total}  {text}")

    def _write(self, text: str) -> None:
        print(f"\r{text:{self.length}}", end="", file=sys.stderr, flush=True)
        self.length = len(text)

    def __exit__(self, *error: Any) -> None:
        if self.length:
            print(file=sys.stderr, flush=True)
