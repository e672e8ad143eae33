"""Memory that is written in place: buffers for adjoints, what a store took and what it overwrote.

In: arrays, and names of their kind that may hold numbers.
Out: the same.
Next: views.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.containers.fields import Fields, identity
from tangentlite.runtime.containers.objects import opened
from tangentlite.runtime.linear.contracting import frame
from tangentlite.runtime.memory.arrays import continuous, is_array
from tangentlite.runtime.memory.shadow import add, is_basic, is_mask, zeros
from tangentlite.runtime.shapes.broadcast import unbroadcast
from tangentlite.runtime.zero import INERT, ZERO


def buffer(bx: Any, x: Any) -> Any:
    """The adjoint ``bx`` as an array of the shape of ``x`` that may be written.

    >>> buffer(ZERO, np.ones(2))
    array([0., 0.])
    """
    if not is_array(x) or bx is INERT:
        return zeros(x) if bx is ZERO else bx
    dtype = x.dtype if continuous(x.dtype) else np.dtype(np.float64)
    if type(bx) is np.ndarray and bx.shape == x.shape and bx.flags.writeable:
        if bx.dtype == dtype or (bx.dtype.kind == dtype.kind and bx.itemsize > dtype.itemsize):
            return bx
    result = np.zeros(x.shape, dtype)
    if bx is not ZERO:
        result[...] = bx
    return result


def room(x: Any, bx: Any = ZERO) -> Any:
    """The adjoint ``bx`` of ``x`` as an array that may be written: of a number, one without dimensions.

    >>> room(np.ones(2)), room(3.0)
    (array([0., 0.]), array(0.))
    """
    if bx is ZERO and type(x) is np.ndarray and x.dtype.kind == "f":
        return np.zeros(x.shape, x.dtype)
    bx = zeros(x) if bx is ZERO else buffer(bx, x)
    return np.array(bx) if isinstance(bx, float | complex | np.inexact) else bx


def summed(bx: Any, e: Any, x: Any) -> Any:
    """The adjoint ``bx`` of an array or a number ``x`` and ``e``, in memory of its own; one of integers stays inert.

    >>> summed(np.ones(2), 2.0, np.ones(2)), summed(1.0, 2.0, 3.0)
    (array([3., 3.]), 3.0)
    """
    if bx is INERT or x is INERT:
        return INERT
    if x is ZERO:
        return bx
    if isinstance(x, list | tuple | dict):  # the record of a recursive helper
        return add(zeros(x) if bx is ZERO else bx, e)
    return buffer((zeros(x) if bx is ZERO else bx) + (0.0 if e is ZERO else unbroadcast(e, x)), x)


def outline(x: Any) -> Any:
    """What is read for its shape and dtype only: an array without elements of its own, whatever ``x`` holds.

    >>> outline(np.array([2.0, 3.0]))
    array([0., 0.])
    """
    return frame(x, x) if type(x) is np.ndarray and x.dtype.kind in "fc" else x


def storage(x: Any) -> Any:
    """Zeros for the adjoint of an array into which numbers are stored; an array of integers ends the derivative.

    >>> storage(np.ones(2))
    array([0., 0.])
    """
    if is_array(x) and not continuous(x.dtype):
        return INERT
    return zeros(x)


def settle(ba: Any, e: Any) -> None:
    """Write ``e`` into the shadow ``ba``, if it is not there already."""
    if e is ba or ba is ZERO or ba is INERT:
        return
    if type(ba) is np.ndarray:
        ba[...] = 0.0 if e is ZERO else e
    elif isinstance(ba, dict):
        for key, part in ba.items():
            settle(part, ZERO if e is ZERO else e[key])
    else:
        for k, part in enumerate(ba):
            settle(part, ZERO if e is ZERO else e[k])


def won(ba: Any, i: Any) -> Any:
    """``ba[i]``, zero where a store through ``i`` lets another element win.

    >>> won(np.array([1.0, 2.0]), [0, 1, 0])
    array([0., 2., 1.])
    """
    part = ba[i]
    if is_basic(i) or is_mask(i) or type(ba) is not np.ndarray:
        return part.copy() if isinstance(part, np.ndarray) else part
    places = np.arange(ba.size).reshape(ba.shape)[i]
    order = np.arange(places.size).reshape(places.shape)
    last = np.empty(ba.size, np.intp)
    last[places] = order
    return np.where(last[places] == order, part, 0.0)


def placed(part: Any, i: Any, ba: Any) -> Any:
    """Zeros like ``ba`` with ``part`` stored at ``i``: the transpose of ``won``.

    >>> placed(np.array([5.0, 6.0]), slice(0, 2), np.ones(3))
    array([5., 6., 0.])
    """
    result = np.zeros(ba.shape, ba.dtype)
    result[i] = part
    return result


def content(s: Any) -> Any:
    """What a call may overwrite: a copy of an array, a list or a dict."""
    return s.copy() if type(s) in (np.ndarray, list, dict, Fields) else None


def contents(s: Any) -> Any:
    """What a function that is given a list or a dict may overwrite: all that is in there, at any depth.

    >>> items = [np.zeros(1), 2.0]
    >>> kept = contents(items)
    >>> items[0][0], items[1] = 7.0, 3.0
    >>> put_contents_back(kept)
    >>> items
    [array([0.]), 2.0]
    """
    kept: list[tuple[Any, Any]] = []
    seen: set[int] = set()
    waiting = [s]
    while waiting:
        part = opened(waiting.pop())
        if identity(part) not in seen:
            seen.add(identity(part))
            kept.append((part, content(part)))
            if isinstance(part, list | tuple | dict):
                waiting += part.values() if isinstance(part, dict) else part
    return [(part, old) for part, old in kept if old is not None]


def put_contents_back(kept: Any) -> None:
    """Put back what ``contents`` kept."""
    for part, old in kept:
        put_back(part, old)


def put_back(s: Any, old: Any) -> None:
    """Put the content of an array, a list or a dict back."""
    if old is None:
        return
    if type(s) is np.ndarray:
        if s.flags.writeable or s.tobytes() != old.tobytes():
            s[...] = old
    elif type(s) is list:
        s[:] = old
    else:
        s.clear()
        s.update(old)
