"""Marks of ``with`` and ``try`` in normal forms; generated code has the statements themselves.

In: a context manager; what the body of a ``try`` reads; whether an exception is one that the text raises.
Out: nothing: the marks are never called.
Next: rules.
"""

from __future__ import annotations

from typing import Any

from tangentlite.errors import UnsupportedSyntaxError

ELSEWHERE = (
    "what a handler reads of an exception that was raised elsewhere is not differentiated yet"
)
RAISE = (
    "Raise it in the function itself, or in a function that the body of the `try` calls by name."
)
NEVER = "this is a mark of normal forms, and is never called"


def begin_with(manager: Any) -> Any:
    """The beginning of a ``with``: what the manager hands over."""
    raise AssertionError(NEVER)


def end_with(manager: Any) -> None:
    """The end of a ``with``."""
    raise AssertionError(NEVER)


def error_caught(held: Any) -> BaseException:
    """What a handler caught; it may hold what the ``try`` computed with."""
    raise AssertionError(NEVER)


def came(raised: Any) -> None:
    """Refuse an exception of which nobody knows what it holds.

    >>> came(True)
    """
    if not raised:
        raise UnsupportedSyntaxError(ELSEWHERE, None, RAISE)
