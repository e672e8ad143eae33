"""The edges of a derivative: which arguments it takes, and which seed.

In: what the caller passed.
Out: the same, checked; KindError for what another variant must take, TypeError for the rest.
Next: finish.
"""

from __future__ import annotations

from types import MethodType
from typing import Any

import numpy as np

from tangentlite.persistent import PersistentArray
from tangentlite.runtime.containers.closures import Closure
from tangentlite.runtime.containers.objects import calculates, opened
from tangentlite.runtime.edges.foreign import own
from tangentlite.runtime.memory.arrays import is_array
from tangentlite.runtime.shapes.broadcast import (
    DOUBLE,
    FLOATS,
    NESTS,
    even_shape,
    having_shape,
    shape,
)
from tangentlite.runtime.zero import ZERO

NUMBERS = frozenset((float, int, bool, np.float64, np.float32))


class KindError(TypeError):
    """An argument that is neither a real number nor an array of those: another variant takes it."""

    def __init__(self, value: object, text: str = "") -> None:
        self.value = value
        complex_ = isinstance(value, complex | np.complexfloating) or is_array(value)
        found = "complex numbers" if complex_ else type(value).__name__
        super().__init__(text or f"expected a number or an array, got {found}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.value, str(self))


def numeric(*values: Any) -> bool:
    """Whether `numbers` takes every value; TypeError for foreign arrays."""
    for value in values:
        kind = type(value)
        if kind in NESTS:
            return False
        if kind not in NUMBERS and (kind is not np.ndarray or value.dtype is not DOUBLE):
            break
    else:
        return True
    try:
        numbers(*values)
    except KindError:
        return False
    return True


def alike(value: Any, default: Any) -> None:
    """Check that a text may take ``value`` which was written for a default that is no number.

    >>> alike((1.0, 2), (3.0, 4.0)), alike(np.sin, np.sin)
    (None, None)
    >>> alike(np.cos, np.sin)
    Traceback (most recent call last):
    tangentlite.runtime.edges.entry.KindError: this text was written for <ufunc 'sin'>, not for <ufunc 'cos'>
    """
    if not is_alike(value, default):
        shown = f"this text was written for {default!r}, not for {value!r}"
        raise KindError(value, shown)


def is_alike(value: Any, default: Any) -> bool:
    """Whether a value has the structure of a default, and its functions."""
    if value is default or (isinstance(default, MethodType) and value == default):
        return True
    if isinstance(default, list | tuple):
        if type(value) is not type(default) or len(value) != len(default):
            return False
        return all(map(is_alike, value, default))
    if isinstance(default, dict):
        if type(value) is not type(default) or list(value) != list(default):
            return False
        return all(is_alike(value[key], default[key]) for key in default)
    number = is_array(default) or isinstance(default, int | float | complex | np.number)
    if number:
        return value is not None and numeric(value)
    return isinstance(default, str | bytes) and type(value) is type(default)


def unfit(name: str, value: Any, wanted: str) -> str:
    """What is said of an argument that a text was not written for.

    >>> unfit("x", np.ones(3), "a float")
    'specialized for `x`: a float, not a float64 array of shape (3,)'
    """
    found = type(value).__name__
    if type(value) is np.ndarray:
        found = f"a {value.dtype} array of shape {value.shape}"
    return f"specialized for `{name}`: {wanted}, not {found}"


def numbers(*values: Any) -> None:
    """Check that every value is a real number, a plain array of those, or None."""
    for value in values:
        kind = type(value)
        if kind in NUMBERS or (
            kind is np.ndarray and (value.dtype is DOUBLE or value.dtype.kind in "fiub")
        ):
            continue
        _check_rare(value)


def _check_rare(value: Any) -> None:
    """None may stand for a number that is not given: nothing is computed with it."""
    if value is None:
        return None
    kind = type(value)
    if isinstance(value, np.number | np.bool_ | bool | int | float | complex):
        return _check_number(value)
    if kind is np.ndarray and value.dtype.kind == "c":
        raise KindError(value)
    if kind is np.ndarray:
        raise TypeError(
            f"an array of dtype {value.dtype} is not differentiated; pass x.astype(float)"
        )
    if kind is PersistentArray:
        raise KindError(value)
    own(value, "x")
    raise KindError(value)


def _check_number(value: Any) -> None:
    """A number of a class of its own may have arithmetic of its own."""
    kind: type = type(value)
    if isinstance(value, np.timedelta64):
        raise TypeError("timedelta64 values are not differentiated; pass x.astype(float)")
    if isinstance(value, complex | np.complexfloating):
        raise KindError(value)
    if calculates(kind):
        name = f"{kind.__module__}.{kind.__qualname__}"
        raise TypeError(f"{name} is not differentiated; pass float(x)")


def seed(by: Any, y: Any, required: bool = False) -> Any:
    """The seed ``by``, checked against the result ``y``.

    >>> seed(1.0, np.zeros(3))
    Traceback (most recent call last):
    TypeError: the result has shape (3,): a gradient needs a scalar result, or a seed: \
df(x, adjoint=…)
    """
    if type(by) is float and type(y) in FLOATS:
        return by
    own(by, "adjoint")
    y, by = (y if isinstance(y, Closure) else opened(y)), opened(by)
    if isinstance(y, list | tuple | dict) and not isinstance(y, Closure):
        return _seed_container(by, y)
    if y is None or isinstance(y, str | bytes) or not _numeric(y):
        raise TypeError(f"the result is {_described(y)}, which has no derivative")
    if by is ZERO:
        return by
    if even_shape(by) != shape(y):
        raise TypeError(_mismatch(by, shape(y), required))
    if isinstance(by, list | tuple) or (is_array(by) and by.dtype.kind in "iub"):
        return np.array(by, float)
    return np.array(by) if is_array(by) else by


def _mismatch(by: Any, target: tuple[int, ...], required: bool) -> str:
    if required or even_shape(by) != ():
        return f"the seed {having_shape(by)}, the result has shape {target}"
    return (
        f"the result has shape {target}: a gradient needs a scalar result, "
        "or a seed: df(x, adjoint=…)"
    )


def _numeric(y: Any) -> bool:
    if isinstance(y, int | float | complex | np.number | np.bool_):
        return True
    return is_array(y) and y.dtype.kind in "fiubc"


def _described(y: Any) -> str:
    if isinstance(y, Closure):
        return "a function"
    return "None" if y is None else f"of type {type(y).__name__}"


def _seed_container(by: Any, y: Any) -> Any:
    """A seed per element, in the structure of the result."""
    if by is ZERO:
        return by
    if isinstance(y, dict):
        if not isinstance(by, dict) or set(by) != set(y):
            raise TypeError(f"the result is a dict: the seed must be one with keys {list(y)}")
        return {key: _seed_leaf(by[key], y[key]) for key in y}
    if isinstance(by, np.ndarray) and by.ndim:
        by = list(by)
    if not isinstance(by, list | tuple) or len(by) != len(y):
        name = type(y).__name__
        raise TypeError(
            f"the result is a {name} of {len(y)}: a gradient needs a scalar result, "
            f"or a seed: df(x, adjoint=…) with a {name} of {len(y)}"
        )
    return [_seed_leaf(part, whole) for part, whole in zip(by, y, strict=True)]


def _seed_leaf(by: Any, y: Any) -> Any:
    if by is None or y is None or isinstance(y, str | bytes):
        return ZERO
    return seed(by, y, True)
