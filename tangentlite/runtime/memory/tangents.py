"""Tangents of arrays that are written in place: each lies in memory as its array does.

In: tangents, and the values they belong to.
Out: the same, as arrays of their own or as views of another tangent.
Next: finish.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tangentlite.errors import AliasError, DerivativeError
from tangentlite.persistent import PersistentArray
from tangentlite.runtime.containers.fields import identity, same
from tangentlite.runtime.containers.objects import opened
from tangentlite.runtime.memory.arrays import continuous, is_array
from tangentlite.runtime.memory.lying import root, start
from tangentlite.runtime.memory.private import folded, overlapping
from tangentlite.runtime.memory.shadow import zeros
from tangentlite.runtime.memory.views import FOLDED, RETYPED, shadow
from tangentlite.runtime.zero import FLOATS, MADE, ZERO

LAYOUT = "an array and its tangent lie in memory in different ways"


def still(y: Any) -> Any:
    """Zero as the tangent of ``y``: an array that lies in memory as ``y`` does, a nest of those for a nest.

    >>> still(np.ones((2, 3)).T).strides, still([1.0, np.ones(2)])
    ((8, 24), [0.0, array([0., 0.])])
    """
    return owned(ZERO, y)


def owned(dy: Any, y: Any) -> Any:
    """The tangent ``dy`` in memory of its own, which lies as that of ``y`` does.

    >>> dy = np.ones(2)
    >>> owned(dy, np.zeros(2)) is dy, owned(ZERO, np.ones(1)), owned(2.0, 1.0)
    (False, array([0.]), 2.0)
    """
    return _array(dy, y) if is_array(y) else _Nest([]).of(dy, y)


def _array(dy: Any, y: Any) -> Any:
    dense = type(y) is PersistentArray or y.flags.c_contiguous or not continuous(y.dtype)
    dense = dense or (0 in y.strides and not y.flags.writeable)  # nobody writes into it
    return _filled(zeros(y) if dense else shadow(y), dy)


def _filled(result: Any, dy: Any) -> Any:
    if dy is not ZERO:
        result[...] = dy.real if result.dtype.kind != "c" and np.iscomplexobj(dy) else dy
    return result


class _Nest:
    """The tangents of the parts of a nest: those of parts that share memory share theirs."""

    def __init__(self, pairs: list[tuple[Any, Any]]) -> None:
        self._arrays = list(_parts(pairs))
        self._made = {identity(x): dx for x, dx in _nests(pairs)}
        self._roots: dict[int, Any] = {}

    def of(self, dy: Any, y: Any) -> Any:
        """The tangent of a part: ``dy`` in memory of its own, or in that of another part."""
        dy, y = opened(dy), opened(y)
        if not isinstance(y, (np.ndarray, list, tuple, dict)):
            if dy is ZERO:
                return zeros(y)
            return dy[()] if isinstance(dy, np.ndarray) and dy.ndim == 0 else dy
        if identity(y) in self._made:
            return self._made[identity(y)]
        if isinstance(y, np.ndarray):
            self._made[identity(y)] = result = self._array(dy, y)
            return result
        if isinstance(y, dict):
            self._made[identity(y)] = table = {}
            table.update({key: self.of(ZERO if dy is ZERO else dy[key], y[key]) for key in y})
            return table
        self._made[identity(y)] = parts = []
        parts += [self.of(ZERO if dy is ZERO else dy[k], part) for k, part in enumerate(y)]
        return parts

    def _array(self, dy: Any, y: Any) -> Any:
        for x, dx in self._arrays:
            if y is x:
                return dx
            if overlapping(x, y):
                return _same_view(y, x, dx)
        whole = root(y)
        if whole.dtype != y.dtype or not continuous(y.dtype) or y.size == 0 or folded(y):
            return _array(dy, y)
        if id(whole) not in self._roots:
            self._roots[id(whole)] = _array(ZERO, whole)
        return _filled(_same_view(y, whole, self._roots[id(whole)]), dy)


def followed(dy: Any, y: Any, *pairs: Any) -> Any:
    """The tangent of ``y``: a view, as ``y`` is one of another array, else ``dy`` in memory of its own.

    ``pairs``: arrays, lists or dicts, each followed by its tangent.

    >>> a, da = np.ones(4), np.zeros(4)
    >>> followed(ZERO, a[1:], a, da).base is da, followed(ZERO, np.ones(1), a, da)
    (True, array([0.]))
    """
    y, known = opened(y), list(zip(map(opened, pairs[::2]), pairs[1::2]))
    for x, dx in known:
        if same(y, x):
            return still(y) if dx is ZERO else dx
        if dx is ZERO and _seen(y, x):
            return still(y)
    if not is_array(y):
        return _Nest(known).of(dy, y)
    for x, dx in _parts(known):
        if y is x:
            return dx
        if overlapping(x, y):
            return _same_view(y, x, dx)
    return _array(dy, y)


def unfollowed(dr: Any, y: Any, *others: Any) -> Any:
    """What ``followed`` takes of its first argument: nothing if ``y`` is a view of another array.

    >>> a = np.ones(4)
    >>> unfollowed(1.0, a[1:], a), unfollowed(1.0, np.ones(1), a)
    (ZERO, 1.0)
    """
    return ZERO if any(_seen(y, x) for x in others) else dr


def _seen(y: Any, x: Any) -> bool:
    return y is x if y is None or not is_array(y) else is_array(x) and overlapping(x, y)


def _parts(pairs: list[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """The arrays of nests, with their tangents."""
    for x, dx in pairs:
        x = opened(x)
        if dx is ZERO:
            continue
        if is_array(x):
            yield x, dx
        elif isinstance(x, (list, tuple)):
            yield from _parts(list(zip(x, dx, strict=True)))
        elif isinstance(x, dict):
            yield from _parts([(x[key], dx[key]) for key in x])


def _nests(pairs: list[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """Lists, tuples and dicts and those in them, with their tangents."""
    for x, dx in pairs:
        yield x, dx
        if dx is ZERO or not isinstance(x, (list, tuple, dict)):
            continue
        keys = x if isinstance(x, dict) else range(len(x))
        inside = [(opened(x[key]), dx[key]) for key in keys]
        yield from _nests([two for two in inside if isinstance(two[0], (list, tuple, dict))])


def stored(dv: Any, a: Any, v: Any = 0.0) -> Any:
    """The tangent of ``v`` that is stored in ``a``: an array of integers rounds it, unless it is one already.

    >>> stored(1.5, np.ones(2), 2.0), stored(1.5, np.arange(2), 2.0)
    (1.5, 0.0)
    """
    if not is_array(a) or continuous(a.dtype):
        return dv
    if np.result_type(v).kind not in "fc" and dv is not ZERO and np.any(dv):
        raise DerivativeError(MADE, None, FLOATS)
    return 0.0


def _same_view(y: Any, x: Any, dx: Any) -> Any:
    part = x.dtype.kind == "c" and y.dtype == x.real.dtype
    if y.dtype != x.dtype and not part:
        raise AliasError(RETYPED, None, "Make a copy of it, or store into the array itself.")
    if folded(y):
        raise AliasError(FOLDED, None, "Make a copy of it: `y = y.copy()`.")
    if _steps(x) != _steps(dx):
        raise AliasError(LAYOUT, None, "Make a copy of the array: `x = x.copy()`.")
    flat = (dx.base if isinstance(dx.base, np.ndarray) else dx).ravel(order="K")
    assert np.may_share_memory(flat, dx), "tangents that are written lie in one piece"
    offset = start(dx) - start(flat) + start(y) - start(x)
    return np.ndarray(y.shape, y.dtype, flat, offset, y.strides)


def _steps(x: Any) -> list[int]:
    return [stride for stride, count in zip(x.strides, x.shape) if count > 1]
