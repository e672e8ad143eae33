"""The last line of a derivative: each gradient in its argument's type, shape and dtype.

In: an adjoint and the argument it belongs to.
Out: a gradient that shares memory with nothing.
Next: products.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

from tangentlite.errors import DerivativeError
from tangentlite.persistent import PersistentArray
from tangentlite.runtime.containers.cycles import closed_gradient, holds_itself
from tangentlite.runtime.containers.objects import (
    Gradient,
    attributes,
    has_attributes,
    made,
    opened,
)
from tangentlite.runtime.edges.nested import Fits
from tangentlite.runtime.memory.arrays import is_array
from tangentlite.runtime.shapes.broadcast import DOUBLE, NESTS, unbroadcast
from tangentlite.runtime.zero import FLOATS, INERT, ROUNDED, ZERO

FLAT = frozenset((np.ndarray, float, np.float64))  # gradients that hold no others
WHOLE = frozenset((float, type(None)))  # gradients that are nobody else's
FITS = Fits()


def like(bx: Any, x: Any) -> Any:
    """The gradient ``bx`` as ``x`` is: a float for a float, an array for an array, a nest …

    >>> like(ZERO, 2), like(1.0, np.zeros(2)), like([ZERO, 1.0], (1.0, 2.0))
    (0.0, array([1., 1.]), (0.0, 1.0))
    """
    if type(x) is type(bx) is np.ndarray and x.dtype is bx.dtype is DOUBLE:
        if bx.base is None and bx.shape == x.shape and bx.flags.writeable:
            return bx
    kind: Any = type(x)
    if kind is float and type(bx) is float:
        return bx
    if kind in NESTS:
        return _nest(bx, x)
    if _is_like(bx, x):
        return bx
    if kind is float and type(bx) is np.float64:
        return float(bx)
    if is_array(x) or isinstance(x, int | float | complex | np.number | np.bool_):
        return _number_or_array(bx, x)
    return _nest(bx, x)


def _nest(bx: Any, x: Any) -> Any:
    """The gradient of what holds others: at once where it fits as those before it did."""
    found = FITS(bx, x)
    if found is None:
        found = _finished(bx, x)
        FITS.learn(bx, x)
    return found


def _finished(bx: Any, x: Any) -> Any:
    """The gradient of what holds others, part by part."""
    kind: Any = type(x)
    seen: set[int] = set()
    try:
        return _way(kind)(bx, x, seen)
    except RecursionError:
        if not holds_itself(x):
            raise
        seen.clear()
        return closed_gradient(bx, x, partial(_leaf, seen=seen))


def _is_like(bx: Any, x: Any) -> bool:
    """Whether a gradient is a float for a float, or a fitting array of its own for an array."""
    kind = type(x)
    if kind is not type(bx):
        return False
    if kind is np.ndarray:
        fitting = bx.dtype is x.dtype and bx.shape == x.shape and bx.dtype.kind in "fc"
        return fitting and bx.base is None and bx.flags.writeable
    return kind is float


def _number_or_array(bx: Any, x: Any) -> Any:
    if bx is INERT:
        if np.result_type(x).kind in "fc":
            bx = ZERO
        else:
            raise DerivativeError(ROUNDED, None, FLOATS)
    return _array(bx, x) if is_array(x) else _number(bx, x)


def _number(bx: Any, x: Any) -> Any:
    """A number of the type of ``x``: float for int and bool, the same NumPy scalar type."""
    if bx is ZERO:
        bx = 0.0
    bx = unbroadcast(bx, x)
    if isinstance(bx, np.ndarray):
        bx = bx[()]
    if isinstance(x, np.inexact):
        return type(x)(bx)
    if isinstance(x, np.integer | np.bool_):
        return np.float64(bx)
    return complex(bx) if isinstance(x, complex) else float(bx)


def _array(bx: Any, x: Any) -> Any:
    dtype = x.dtype if x.dtype.kind in "fc" else np.dtype(np.float64)
    if type(bx) is np.ndarray and bx.shape == x.shape and bx.dtype is dtype:
        return bx if bx.base is None and bx.flags.writeable else bx.copy()
    if bx is ZERO:
        return np.zeros(x.shape, dtype)
    if isinstance(bx, list):
        bx = _assembled(bx, x)
    return np.array(np.broadcast_to(unbroadcast(bx, x), x.shape), dtype)


def _assembled(bx: list[Any], x: Any) -> Any:
    """An adjoint per row as one array."""
    result = np.zeros(x.shape, np.result_type(x.dtype, np.float16))
    for k, row in enumerate(bx):
        result[k] = _array(row, x[k]) if isinstance(row, list) else row
    return result


def _leaves(parts: Iterable[Any], whole: Iterable[Any], seen: set[int]) -> list[Any]:
    """The parts of a nest: arrays of floats that fit are told at once."""
    leaves: list[Any] = []
    for b, x in zip(parts, whole):
        if type(x) is type(b) is np.ndarray and b.dtype is x.dtype is DOUBLE:
            if b.base is None and b.shape == x.shape and b.flags.writeable and id(b) not in seen:
                seen.add(id(b))
                leaves.append(b)
                continue
        elif type(x) is type(b) is dict:
            leaves.append(_named(b, x, seen))
            continue
        leaves.append(_leaf(b, x, seen))
    return leaves


def _named(bx: dict[Any, Any], x: Mapping[Any, Any], seen: set[int]) -> dict[Any, Any]:
    """The gradients of what has names: none where nothing reaches."""
    parts, given = {}, bx.get
    for name, value in x.items():
        b = given(name, ZERO)
        if type(value) is type(b) is np.ndarray and b.dtype is value.dtype is DOUBLE:
            if (
                b.base is None
                and b.shape == value.shape
                and id(b) not in seen
                and b.flags.writeable
            ):
                seen.add(id(b))
                parts[name] = b
                continue
        parts[name] = _leaf(b, value, seen)
    return parts


def _leaf(bx: Any, x: Any, seen: set[int]) -> Any:
    """A part of a nest, an array that was ``seen`` copied: integers, strings, None … have no gradient."""
    kind: Any = type(x)
    if kind is type(bx):
        if kind is float:
            return bx
        if kind is np.ndarray and _is_like(bx, x):
            bx = bx.copy() if id(bx) in seen else bx
            seen.add(id(bx))
            return bx
    return _way(kind)(bx, x, seen)


@lru_cache(512)
def _way(kind: Any) -> Callable[[Any, Any, set[int]], Any]:
    """How values of a type are finished inside of nests."""
    if issubclass(kind, dict):
        return _dict
    if issubclass(kind, list | tuple):
        return _sequence
    if has_attributes(kind):
        return _dataclass if dataclasses.is_dataclass(kind) else _object
    if kind in (np.ndarray, PersistentArray):
        return _array_inside
    return _number_inside if issubclass(kind, float | complex | np.inexact) else _nothing


def _nothing(bx: Any, x: Any, seen: set[int]) -> None:
    """What has no gradient."""


def _number_inside(bx: Any, x: Any, seen: set[int]) -> Any:
    return _number_or_array(bx, x)


def _array_inside(bx: Any, x: Any, seen: set[int]) -> Any:
    return _number_or_array(bx, x) if x.dtype.kind in "fc" else None


def _sequence(bx: Any, x: Any, seen: set[int]) -> Any:
    kind, given = type(x), type(bx)
    whole = (given is list or given is tuple) and len(bx) == len(x)
    parts = bx if whole else _slots(bx, len(x))
    if kind is list and x and type(x[0]) is type(parts[0]) is float:
        if set(map(type, x)) == set(map(type, parts)) == {float}:
            return list(parts)
    leaves = _leaves(parts, x, seen)
    if kind is list or kind is tuple:
        return leaves if kind is list else tuple(leaves)
    return kind(*leaves) if hasattr(x, "_fields") else kind(leaves)


def _slots(bx: Any, count: int) -> Any:
    bx = bx if type(bx) in NESTS else opened(bx)
    if isinstance(bx, dict):
        return [bx.get(k, ZERO) for k in range(count)]
    if isinstance(bx, list):  # inserted code may have made the primal longer
        return bx if len(bx) >= count else [*bx, *[ZERO] * (count - len(bx))]
    return [bx[k] for k in range(count)]


def _parts(bx: Any, x: Any, seen: set[int]) -> dict[Any, Any]:
    """The gradients of what a dict holds, or of attributes."""
    bx = bx if type(bx) in NESTS else opened(bx)
    if isinstance(bx, dict):
        return _named(bx, x, seen)
    return {key: _leaf(bx[key], part, seen) for key, part in x.items()}


def _dict(bx: Any, x: Any, seen: set[int]) -> Any:
    parts = _parts(bx, x, seen)
    if type(x) is dict:
        return parts
    result = x.copy()
    result.update(parts)
    return result


def _object(bx: Any, x: Any, seen: set[int]) -> Any:
    return Gradient(**_parts(bx, attributes(x), seen))


def _dataclass(bx: Any, x: Any, seen: set[int]) -> Any:
    """A new object of the class, its ``__init__`` not run: gradients need not satisfy it."""
    return made(type(x), **_parts(bx, attributes(x), seen))


def distinct(gradients: Any) -> Any:
    """The tuple of gradients, an array that is in it twice copied the second time."""
    if len(set(map(id, gradients))) == len(gradients) and FLAT.issuperset(map(type, gradients)):
        return tuple(gradients)
    seen: set[int] = set()
    return tuple(_own(gradient, seen) for gradient in gradients)


def _own(gradient: Any, seen: set[int]) -> Any:
    """The gradient, in which an array that was seen before is a copy; nests that were made here keep it themselves."""
    if type(gradient) in WHOLE:
        return gradient
    if isinstance(gradient, np.ndarray):
        if id(gradient) in seen:
            return gradient.copy()
        seen.add(id(gradient))
        return gradient
    if isinstance(gradient, tuple):
        parts = [_own(part, seen) for part in gradient]
        if all(map(operator.is_, parts, gradient)):
            return gradient
        return type(gradient)(*parts) if hasattr(gradient, "_fields") else type(gradient)(parts)
    held = dict(enumerate(gradient)) if isinstance(gradient, list) else opened(gradient)
    if isinstance(held, dict) and id(gradient) not in seen:
        seen.add(id(gradient))
        target = gradient if isinstance(gradient, list) else held
        for key, part in held.items():
            if (own := _own(part, seen)) is not part:
                target[key] = own
    return gradient
