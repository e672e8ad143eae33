"""Marks of ``with`` and ``try`` in normal forms; generated code has the statements themselves.

In: a context manager; what the body of a ``try`` reads.
Out: nothing: these are never called.
Next: rules.
"""

from __future__ import annotations

from typing import Any

NEVER = "this is a mark of normal forms, and is never called"


def enter(manager: Any) -> Any:
    """The beginning of a ``with``: what the manager hands over."""
    raise AssertionError(NEVER)


def leave(manager: Any) -> None:
    """The end of a ``with``."""
    raise AssertionError(NEVER)


def exception(held: Any) -> BaseException:
    """What a handler caught; it may hold what the ``try`` computed with."""
    raise AssertionError(NEVER)
