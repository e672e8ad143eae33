"""Errors of the user's own code, as they are told: without the frames of this package.

In: an exception.
Out: text; whether the exception is the user's.
Next: the commands.
"""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

PACKAGE = str(Path(__file__).resolve().parent.parent)
MACHINERY = ("<frozen ", PACKAGE)
LIBRARIES = tuple(
    sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
)


class UserError(Exception):
    """Code of the user that raised: at import, or in a call."""

    def __init__(self, what: str, error: BaseException) -> None:
        super().__init__(f"{what}\n{told(error)}")


def told(error: BaseException) -> str:
    """An exception with the frames that are the user's.

    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as error:
    ...     told(error).splitlines()[-1]
    'ZeroDivisionError: division by zero'
    """
    frames = [f for f in traceback.extract_tb(error.__traceback__) if _is_own(f.filename)]
    lines = traceback.format_list(frames) + traceback.format_exception_only(type(error), error)
    return "".join(lines).rstrip("\n")


def is_own(error: BaseException) -> bool:
    """Whether an exception was raised by what the user wrote, or by what that called."""
    frames = traceback.extract_tb(error.__traceback__)
    last = max((k for k, f in enumerate(frames) if not _is_own(f.filename)), default=-1)
    return any(not f.filename.startswith(LIBRARIES) for f in frames[last + 1 :])


def _is_own(file: str) -> bool:
    return not file.startswith(MACHINERY)
