"""What NumPy and Python refuse, where generated code says it in another way.

In: what is about to be written or walked.
Out: nothing, or their own exception.
Next: entry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.errors import UnsupportedSyntaxError

CHANGED = "a list grew or shrank while a loop walked over it"


def fits(s: Any, e: Any) -> None:
    """Raise what ``s op= e`` raises where the result cannot be cast, or is larger than s.

    >>> fits(np.zeros(2), np.ones((1, 2)))
    Traceback (most recent call last):
    ValueError: non-broadcastable output operand with shape (2,) doesn't match the broadcast shape (1,2)
    """
    if isinstance(s, np.ndarray):
        e = np.asarray(e)
        np.multiply(e, np.ones((), e.dtype), out=np.empty(s.shape, s.dtype))


def takes(part: Any, e: Any) -> None:
    """Raise what ``a[i] = e`` raises where ``e`` is larger than ``part``, which is ``a[i]``.

    >>> takes(1.0, np.ones(2))
    Traceback (most recent call last):
    ValueError: setting an array element with a sequence.
    """
    if isinstance(part, np.ndarray):
        np.empty(part.shape, part.dtype)[...] = e
    else:
        np.empty(1, np.asarray(part).dtype)[0] = e


def level(counts: tuple[int, ...]) -> None:
    """Raise what ``zip(…, strict=True)`` raises when iterables have other lengths.

    >>> level((2, 3))
    Traceback (most recent call last):
    ValueError: zip() argument 2 is longer than argument 1
    """
    if len(set(counts)) > 1:
        list(zip(*map(range, counts), strict=True))


def steady(xs: Any, count: int) -> None:
    """Raise what Python raises when a dict has grown or shrunk while a loop walked over it; lists are refused.

    >>> steady({"a": 1}, 2)
    Traceback (most recent call last):
    RuntimeError: dictionary changed size during iteration
    """
    if isinstance(xs, dict) and len(xs) != count:
        raise RuntimeError("dictionary changed size during iteration")
    if isinstance(xs, list) and len(xs) != count:
        raise UnsupportedSyntaxError(CHANGED, None, "Walk over a copy: `for x in list(xs)`.")
