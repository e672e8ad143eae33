"""Where a command writes its file.

In: text, and what ``-o`` says.
Out: a file, or standard output for ``-``.
Next: the commands that write something.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tangentlite.cli.target import NotFoundError


def describe(parser: argparse.ArgumentParser, ending: str) -> None:
    """Add the option that names the file."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"the file to write, - for standard output; otherwise the function's name with .{ending}",
    )


def default(target: str, ending: str) -> str:
    """The file for ``FILE.py:function``.

    >>> default("model.py:Layer.apply", "html")
    'Layer.apply.html'
    """
    return f"{target.rpartition(':')[2]}.{ending}"


def write(text: str, file: str) -> None:
    """Write a file, and say where; or print the text."""
    if file == "-":
        sys.stdout.write(text)
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise NotFoundError(f"{file} cannot be written: {fault.strerror}") from None
    print(f"wrote {file}", file=sys.stderr)
