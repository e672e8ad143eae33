"""Whether to color, and the option that says so.

In: the words of the command line, a stream.
Out: yes or no.
Next: the commands.
"""

from __future__ import annotations

import argparse
import os
from typing import TextIO


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="color the output (auto: on a terminal, unless NO_COLOR is set)",
    )


def wanted(when: str, stream: TextIO) -> bool:
    """Whether a stream gets colors.

    >>> import io
    >>> wanted("auto", io.StringIO()), wanted("always", io.StringIO())
    (False, True)
    """
    if when != "auto":
        return when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
