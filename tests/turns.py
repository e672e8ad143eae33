"""Which tests of a large collection are left to the slow run."""

from __future__ import annotations

from collections.abc import Sequence


def slow(number: int, mode: str, modes: Sequence[str]) -> bool:
    """Every program runs in reverse mode, and in one of the other modes: they take turns.

    >>> [mode for mode in ("reverse", "forward", "split") if not slow(3, mode, ("forward", "split"))]
    ['reverse', 'split']
    """
    return mode in modes and mode != modes[number % len(modes)]
