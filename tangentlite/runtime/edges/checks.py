"""What NumPy and Python refuse, where generated code says it in another way.

In: what is about to be written or walked.
Out: nothing, or their own exception.
Next: entry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.errors import AliasError, UnsupportedSyntaxError
from tangentlite.runtime.memory.lying import start
from tangentlite.runtime.memory.private import overlapping
from tangentlite.runtime.shapes.places import turns

TRODDEN = "the value lies where it is stored, and NumPy overwrites elements that it has yet to read"
OUTSIDE = "this writes into an array that lives outside the function"
RESUMED = "a loop that may be left walks over an iterator ({}), which is read again"
LISTED = "Walk over a list: `items = list(…)`, or bind it by `it = iter(…)` in the function."
LEFT = "`zip` asks for an element that may write, and leaves it alone"
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


def no_array(s: Any) -> None:
    """Refuse ``s op= e`` where s turns out to be an array from outside the function.

    >>> no_array(0.5)
    """
    if isinstance(s, np.ndarray):
        raise AliasError(OUTSIDE, None, "Write into a copy of it, or write `s = s + e`.")


def level(counts: tuple[int, ...]) -> None:
    """Raise what ``zip(…, strict=True)`` raises when iterables have other lengths.

    >>> level((2, 3))
    Traceback (most recent call last):
    ValueError: zip() argument 2 is longer than argument 1
    """
    if len(set(counts)) > 1:
        list(zip(*map(range, counts), strict=True))


def left_alone(counts: tuple[int, ...], k: int) -> None:
    """Refuse ``zip`` of iterables of which one of the first ``k`` would do something for an element that is left.

    >>> left_alone((2, 2), 1), left_alone((1, 2), 1)
    (None, None)
    >>> left_alone((2, 1), 1)
    Traceback (most recent call last):
    tangentlite.errors.UnsupportedSyntaxError: `zip` asks for an element that may write, and leaves it alone
    Give it as many elements as the others have.
    """
    if counts and counts.index(min(counts)) >= k:
        raise UnsupportedSyntaxError(LEFT, None, "Give it as many elements as the others have.")


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


def no_iterator(xs: Any) -> None:
    """Refuse to walk over an iterator of which somebody may ask for the rest.

    >>> no_iterator(zip([1.0], [2.0]))
    Traceback (most recent call last):
    tangentlite.errors.UnsupportedSyntaxError: a loop that may be left walks over an iterator (zip), which is read again
    Walk over a list: `items = list(…)`, or bind it by `it = iter(…)` in the function.
    """
    if hasattr(type(xs), "__next__"):
        raise UnsupportedSyntaxError(RESUMED.format(type(xs).__name__), None, LISTED)


def in_step(part: Any, e: Any, mask: Any = None) -> None:
    """Refuse ``part[...] = e`` or ``part[mask] = e`` where NumPy reads elements that it has written before.

    It copies the value first, unless there is a mask, or both are vectors whose steps have one sign.

    >>> a = np.zeros((3, 3))
    >>> in_step(a[1], a[:, 1]), in_step(a[0, :2], a[0, ::2])
    (None, None)
    >>> in_step(a[1], a[:, 2])
    Traceback (most recent call last):
    tangentlite.errors.AliasError: the value lies where it is stored, and NumPy overwrites ...
    """
    if type(part) is np.ndarray and type(e) is np.ndarray and overlapping(part, e):
        if _trodden(part, e) if mask is None else _trodden_through(part, e, mask):
            raise AliasError(TRODDEN, None, "Copy the value first: `a[1] = a[:, 2].copy()`.")


def _trodden(part: Any, e: Any) -> bool:
    """Whether an element is written before another one that shares its bytes is read."""
    if part.ndim != 1 or e.ndim == 0 or len(part) != e.shape[-1]:
        return False
    count, step, stride = len(part), part.strides[0], e.strides[-1]
    if step * stride <= 0:
        return False
    offset = start(e) - start(part)
    if step < 0:  # NumPy walks upward
        offset += (count - 1) * (stride - step)
        step, stride = -step, -stride
    order = np.arange(count)
    reads = offset + order * stride
    first = np.maximum(-((part.itemsize - 1 - reads) // step), 0)
    last = np.minimum((reads + e.itemsize - 1) // step, count - 1)
    downward = offset < 0 < offset + count * stride
    early = last > order if downward else first < order
    return bool(np.any((first <= last) & early))


def _trodden_through(a: Any, e: Any, mask: Any) -> bool:
    """The same for ``a[mask] = e``, which goes from one element to the next."""
    mask = np.asarray(mask)
    if mask.dtype != bool or mask.shape != a.shape or e.dtype != a.dtype or not e.size:
        return False
    order = turns(e, a, mask)
    return not np.array_equal(order, np.arange(order.size) % e.size)
