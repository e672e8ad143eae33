"""Lists and dicts that change, with shadows that change as they do.

In: a list or dict, its shadow, and what is done to it.
Out: the same, and a record from which both are put back.
Next: memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.errors import DerivativeError
from tangentlite.runtime.shapes.broadcast import unbroadcast
from tangentlite.runtime.zero import INERT, ZERO

HOLLOW = "a second derivative in reverse through lists of tuples that change"


def pour(bx: Any, e: Any) -> None:
    """Add ``e`` into the shadow ``bx``: arrays in place, lists and dicts part by part.

    >>> shadow = [np.zeros(2), np.zeros(())]
    >>> pour(shadow, [1.0, ZERO])
    >>> shadow
    [array([1., 1.]), array(0.)]
    """
    if e is ZERO or e is None or bx is INERT:
        return
    if type(bx) is np.ndarray:
        if isinstance(e, list | tuple | dict) and not bx.ndim:
            raise DerivativeError(HOLLOW, None, "Take it in forward mode: tl.jvp(tl.grad(f)).")
        bx += unbroadcast(e.real if bx.dtype.kind != "c" and np.iscomplexobj(e) else e, bx)
    elif isinstance(bx, dict):
        for key in e:
            pour(bx[key], e[key])
    elif bx is not ZERO and len(bx) == len(e):
        for part, given in zip(bx, e):
            pour(part, given)
    elif bx is not ZERO and not _is_nothing(e):  # the list has changed since
        raise DerivativeError(HOLLOW, None, "Take it in forward mode: tl.jvp(tl.grad(f)).")


def _is_nothing(e: Any) -> bool:
    if isinstance(e, list | tuple):
        return all(map(_is_nothing, e))
    return e is ZERO or (isinstance(e, float) and e == 0.0)


def nests(*values: Any) -> bool:
    """Whether all are lists, tuples or dicts, and none a zero that stands for one.

    >>> nests([1.0], {}), nests([1.0], ZERO)
    (True, False)
    """
    return all(isinstance(value, list | tuple | dict) for value in values)


def joined(a: Any, b: Any) -> Any:
    """The shadow of ``xs + ys``.

    >>> joined([1.0], [2.0])
    [1.0, 2.0]
    """
    return a + b


def in_order(xs: Any, axis: int = -1, key: Any = None, reverse: bool = False) -> Any:
    """What ``xs.sort()`` leaves in an array or a list.

    >>> in_order([2.0, 1.0], reverse=True), in_order(np.array([2.0, 1.0]))
    ([2.0, 1.0], array([1., 2.]))
    """
    return sorted(xs, key=key, reverse=reverse) if isinstance(xs, list) else np.sort(xs, axis)


def _order(xs: Any, key: Any, reverse: bool) -> list[int]:
    by = (lambda k: xs[k]) if key is None else (lambda k: key(xs[k]))
    return sorted(range(len(xs)), key=by, reverse=reverse)


def ordered_like(ds: Any, xs: Any, key: Any = None, reverse: bool = False) -> Any:
    """The tangents of a sorted list.

    >>> ordered_like([1.0, 2.0], [4.0, 3.0])
    [2.0, 1.0]
    """
    return ds if ds is ZERO else [ds[k] for k in _order(xs, key, reverse)]


def unordered(by: Any, xs: Any, key: Any = None, reverse: bool = False) -> Any:
    """The adjoints of a list from those of the sorted one.

    >>> unordered([1.0, 2.0], [4.0, 3.0])
    [2.0, 1.0]
    """
    if by is ZERO:
        return by
    result = [ZERO] * len(xs)
    for part, k in zip(by, _order(xs, key, reverse)):
        result[k] = part
    return result


def drained(bx: Any) -> Any:
    """What a shadow has gathered, as the adjoint of a value.

    >>> drained([np.ones(()), np.zeros(2)])
    [np.float64(1.0), array([0., 0.])]
    """
    if type(bx) is np.ndarray:
        return bx.copy() if bx.ndim else bx[()]
    if isinstance(bx, dict):
        return {key: drained(part) for key, part in bx.items()}
    if bx is ZERO or bx is INERT:
        return ZERO
    return [drained(part) for part in bx] if isinstance(bx, list | tuple) else bx


def mutate(xs: Any, bxs: Any, method: str, args: Any, shadows: Any, named: Any) -> Any:
    """Do to a list or dict what ``method`` does, and to its shadow; the result and its shadow.

    ``named``: the keyword arguments, and their shadows.

    >>> xs, bxs = [1.0], [np.zeros(())]
    >>> _ = mutate(xs, bxs, "extend", ((2.0, 3.0),), ((np.zeros(()), np.zeros(())),), ({}, {}))
    >>> xs, bxs
    ([1.0, 2.0, 3.0], [array(0.), array(0.), array(0.)])
    """
    if isinstance(xs, dict):
        return _updated(xs, bxs, args, shadows, named)
    items = list(args[0])
    return xs.extend(items), bxs.extend(list(shadows[0])[: len(items)])


def _updated(xs: Any, bxs: Any, args: Any, shadows: Any, named: Any) -> Any:
    parts = [(args[0], shadows[0])] if args else []
    for given, shadow in [*parts, named]:
        xs.update(given)
        bxs.update(shadow if isinstance(shadow, dict) else dict(zip(dict(given), shadow)))
    return None, ZERO


def last_key(d: Any) -> Any:
    """The key that ``d.popitem()`` takes out.

    >>> last_key({"a": 1.0, "b": 2.0})
    'b'
    """
    return next(reversed(d)) if d else d.popitem()


__all__ = [
    "drained",
    "in_order",
    "joined",
    "last_key",
    "ordered_like",
    "unordered",
    "mutate",
    "pour",
]
