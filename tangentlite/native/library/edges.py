# mypy: ignore-errors
# ruff: noqa: D103
"""What derivatives begin and end with, as Numba reads it: types are checked once, when it compiles.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: kernel.
"""

from __future__ import annotations

from numba import types

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload

FLOATS = types.float32, types.float64


def _is_array(kind):
    return isinstance(kind, types.Array)


@overload(runtime.unpack)
def unpack(xs, count):
    return lambda xs, count: xs


@overload(runtime.no_iterator)
def no_iterator(xs):
    """Numba is given no iterators, and makes none."""
    return lambda xs: None


@overload(runtime.numbers)
def numbers(*values):
    plain = (types.Float, types.Integer)
    fine = all(isinstance(v.dtype if _is_array(v) else v, plain) for v in values)
    return (lambda *values: None) if fine else None


@overload(runtime.like)
def like(b, x):
    """Of a derivative inside: what is given back is of the type of its argument."""
    if isinstance(x, types.Float) and isinstance(b, types.Float):
        return lambda b, x: b
    if not _is_array(x) or x.dtype not in FLOATS:
        return None
    return (lambda b, x: runtime.unbroadcast(b, x)) if _is_array(b) or b == x.dtype else None


@overload(runtime.seed)
def seed(b, y):
    return (lambda b, y: b) if _is_array(b) == _is_array(y) else None
