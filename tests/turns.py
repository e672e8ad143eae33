"""Which tests of a large collection are left to the slow run."""

from __future__ import annotations

from collections.abc import Sequence

EVERY = 4


def slow(number: int, mode: str, modes: Sequence[str]) -> bool:
    """Every program runs in reverse mode, and one of four in one of the other modes: they take turns.

    >>> [mode for mode in ("reverse", "forward", "split") if not slow(4, mode, ("forward", "split"))]
    ['reverse', 'split']
    """
    turn, rest = divmod(number, EVERY)
    return mode in modes and (rest != 0 or mode != modes[turn % len(modes)])


def every_other(number: int) -> bool:
    """Whether a test that costs much is left to the slow run, beside others that ask the same.

    >>> [every_other(number) for number in range(3)]
    [False, True, False]
    """
    return number % 2 == 1
