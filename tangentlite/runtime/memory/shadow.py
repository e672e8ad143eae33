"""Buffers in which adjoints of elements gather: zeros of a value, and adding at an index.

In: a value, or its buffer with an index and a contribution.
Out: the buffer.
Next: sequences.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray, zeros as new

from tangentlite.errors import AliasError, DerivativeError
from tangentlite.runtime.containers.objects import attributes, is_object
from tangentlite.runtime.containers.structures import pour
from tangentlite.runtime.memory.arrays import continuous, is_array
from tangentlite.runtime.memory.unshaped import is_unshaped
from tangentlite.runtime.shapes.broadcast import DOUBLE, unbroadcast
from tangentlite.runtime.zero import FLOATS, INERT, MADE, PART, ZERO

BASIC = (int, np.integer, slice, type(None), type(Ellipsis))
CHANGING = "a second derivative in reverse through a list whose elements are replaced"
FORWARD = "Take it in forward mode: tl.jvp(tl.grad(f))."
ROWS = (list, tuple)
ALL_ZERO = frozenset((id(ZERO),))
TRUTHS = (np.ndarray, np.bool_, bool)


def zeros(x: Any) -> Any:
    """A zero adjoint for ``x``, that contributions may be added into.

    >>> zeros([1.0, 2.0]), zeros(3), zeros(np.arange(2))
    ([ZERO, ZERO], 0.0, array([0., 0.]))
    """
    kind = type(x)
    if kind is ndarray:
        dtype = x.dtype
        if dtype is DOUBLE or dtype.kind == "f":
            return new(x.shape, dtype)
    if kind is float or kind is int or kind is bool:
        return 0.0
    if kind is tuple:
        return [ZERO] * len(x)
    if kind is dict:
        return dict.fromkeys(x, ZERO)
    if kind is list:  # a list that nothing reaches may still have to shrink with its primal
        return [zeros(e) if type(e) is list else ZERO for e in x]
    if x is INERT:
        return INERT
    if is_array(x):
        return np.zeros(x.shape, x.dtype if continuous(x.dtype) else np.float64)
    if isinstance(x, list):
        return [zeros(e) if type(e) is list else ZERO for e in x]
    if isinstance(x, tuple):
        return [ZERO] * len(x)
    if isinstance(x, dict):
        return dict.fromkeys(x, ZERO)
    if isinstance(x, complex | np.inexact):
        return kind(0)
    if isinstance(x, np.integer | np.bool_):
        return 0.0
    return dict.fromkeys(attributes(x), ZERO) if is_object(x) else ZERO


OF_CLASS = "the attribute `{0}` is one that some objects have of their class only"
SET = "Set it where the objects are made: `self.w = …` in `__init__`."


def add_at(bx: Any, i: Any, e: Any, like: Any = None, *, of: Any = None) -> Any:
    """Add ``e`` to ``bx`` at index ``i``, in place; an index that repeats adds each time.

    A ZERO for ``bx`` becomes a buffer of zeros for ``like``, if that is given. ``of``: the value whose
    adjoint this is; what is ZERO itself gathers nothing.

    >>> add_at(np.zeros(3), [0, 0, 2], 1.0)
    array([2., 0., 1.])
    """
    if type(bx) is list and e is not ZERO and e is not INERT:
        if type(i) is int:
            held = bx[i]
            bx[i] = e if held is ZERO else add(held, e)
            return bx
        if type(i) is slice and type(e) is list and _are_free(bx[i], e):
            bx[i] = e
            return bx
    if bx is ZERO and like is not None:
        bx = zeros(like)
    if bx is INERT:
        return bx
    if e is INERT and type(bx) is ndarray:
        raise DerivativeError(MADE, None, FLOATS)
    if e is ZERO or e is INERT or (of is ZERO and bx is ZERO):
        return bx
    if type(bx) is not np.ndarray:
        if type(i) is str and type(bx) is dict and bx.get(i, ZERO) is ZERO:
            return _add_first(bx, i, e)
        return _add_to_container(bx, i, e)
    if type(i) is int and type(e) is float and bx.ndim == 1:
        bx[i] += e
    elif is_basic(i):
        _add_to_view(bx, i, e)
    elif is_mask(i):
        bx[i] += _real(e, bx)
    else:
        np.add.at(bx, _ranges(i) if type(i) is tuple else i, _real(e, bx))
    return bx


def _ranges(i: tuple[Any, ...]) -> tuple[Any, ...]:
    """An index whose ranges are arrays, which NumPy takes in less time."""
    if range not in map(type, i):
        return i
    return tuple([np.arange(k.start, k.stop, k.step) if type(k) is range else k for k in i])


def _add_to_view(bx: Any, i: Any, e: Any) -> None:
    part = bx[i]
    if bx.ndim == 0 and type(e) is ndarray and e.ndim and is_unshaped(bx):
        raise AliasError(CHANGING, None, FORWARD)
    e = unbroadcast(e, part)
    if type(part) is np.ndarray:
        part += e
    else:
        bx[i] = part + e


def is_basic(i: Any) -> bool:
    """Whether ``i`` names each element at most once, as a view does."""
    for k in i if isinstance(i, tuple) else (i,):
        if type(k) is np.ndarray or not isinstance(k, BASIC) or isinstance(k, bool):
            return False
    return True


def is_mask(i: Any) -> bool:
    """Whether ``i`` is one array of booleans."""
    return isinstance(i, TRUTHS) and np.asarray(i).dtype.kind == "b"


def _real(e: Any, bx: Any) -> Any:
    if type(e) is np.ndarray and e.dtype.kind == "f":
        return e
    return e.real if bx.dtype.kind != "c" and np.iscomplexobj(e) else e


def _add_first(bx: dict[str, Any], name: str, e: Any) -> Any:
    """The adjoint of an attribute that nothing was added to yet; what only the class has is none of an object's."""
    if name not in bx:
        raise DerivativeError(OF_CLASS.format(name), None, SET)
    bx[name] = e
    return bx


def _add_to_container(bx: Any, i: Any, e: Any) -> Any:
    """Slots of lists and dicts hold the adjoints of their elements; a number gives the sum."""
    if bx is ZERO:
        raise DerivativeError(PART, None, FLOATS)
    if isinstance(bx, tuple):
        pour(bx if i is Ellipsis else bx[i], e)
        return bx
    if not isinstance(bx, list | dict):
        return bx + unbroadcast(e, bx)
    if i is Ellipsis:
        for key in bx if isinstance(bx, dict) else range(len(bx)):
            bx[key] = add(bx[key], e[key])
    elif isinstance(i, slice):
        for k, index in enumerate(range(*i.indices(len(bx)))):
            held = bx[index]
            bx[index] = e[k] if held is ZERO else add(held, e[k])
    else:
        bx[i] = add(bx[i], e)
    return bx


def _are_free(held: list[Any], e: list[Any]) -> bool:
    """Whether nothing was added to some slots yet, and something will be to each."""
    return len(held) == len(e) and ALL_ZERO.issuperset(map(id, held))


def part(by: Any, i: Any) -> Any:
    """What ``add_at`` gives at ``i``: all of a number.

    >>> part(np.array([1.0, 2.0]), 1), part(3.0, ...)
    (np.float64(2.0), 3.0)
    """
    return by if i is Ellipsis else by[i]


def add(a: Any, b: Any) -> Any:
    """The sum of two adjoints of one value, elementwise through lists, tuples and dicts.

    >>> add([1.0, ZERO], [2.0, 3.0])
    [3.0, 3.0]
    """
    if type(a) is float and type(b) is float:
        return a + b
    if a is ZERO or b is ZERO:
        return b if a is ZERO else a
    if isinstance(a, ROWS) or isinstance(b, ROWS):
        return [add(x, y) for x, y in zip(a, b, strict=True)]
    return _together(a, b) if isinstance(a, dict) else a + b


def _together(a: dict[Any, Any], b: Any) -> dict[Any, Any]:
    """The sum of two adjoints of a dict, or of the attributes of an object."""
    total, shared = {}, 0
    for key, x in a.items():
        if key in b:
            y = b[key]
            shared += 1
            if type(x) is type(y) is ndarray or type(x) is type(y) is float:
                x = x + y
            elif y is not ZERO:
                x = y if x is ZERO else add(x, y)
        total[key] = x
    if shared < len(b):
        total |= {key: part for key, part in b.items() if key not in a}
    return total
