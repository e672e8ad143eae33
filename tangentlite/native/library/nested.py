# mypy: ignore-errors
# ruff: noqa: D103
"""Adjoints of tuples, of lists of lists and of lists of tuples, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: bundles.

Tuples of Numba hold any types and do not change: what is added to a part makes another tuple.
"""

from __future__ import annotations

from numba import types
from numba.core.errors import RequireLiteralValue

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.looping.nests import MISMATCH

NESTS = (types.List, types.BaseTuple)


def _is_list(kind):
    return isinstance(kind, types.List)


def _is_nested(kind):
    """A list of lists or tuples, or a tuple of these that has one type: its adjoint is a list."""
    return isinstance(kind, (types.List, types.UniTuple)) and isinstance(kind.dtype, NESTS)


def _is_mixed(kind):
    """A tuple whose adjoint is a tuple: that of one of floats, arrays or tuples of one type is a list."""
    alike = isinstance(kind, types.UniTuple) and not isinstance(kind.dtype, types.Integer)
    return isinstance(kind, types.BaseTuple) and not alike


@overload(runtime.zeros)
def zeros(x):
    if _is_mixed(x):
        return _each("x", [f"zeros(x[{k}])" for k in range(len(x))])
    return (lambda x: [runtime.zeros(part) for part in x]) if _is_nested(x) else None


@overload(runtime.add)
def add(a, b):
    """Numba keeps the type of a name: the sum is what the first one is."""
    if _is_mixed(a) and isinstance(b, types.BaseTuple) and len(a) == len(b):
        return _each("a, b", [f"add(a[{k}], b[{k}])" for k in range(len(a))])
    if _is_list(a) and isinstance(b, types.BaseTuple):
        sums = "".join(f"    a[{k}] = add(a[{k}], b[{k}])\n" for k in range(len(b)))
        return _made(f"def made(a, b):\n{_CHECK}{sums}    return a\n")
    if not (_is_nested(a) and _is_list(b)):
        return None

    def added(a, b):
        if len(a) != len(b):
            raise ValueError(MISMATCH)
        return [runtime.add(a[k], b[k]) for k in range(len(a))]

    return added


@overload(runtime.add_at)
def add_at(bx, i, e):
    """What is added to a list or a tuple on a list, or to several numbers of a list."""
    if _is_nested(bx) and isinstance(i, types.Integer):

        def added(bx, i, e):
            bx[i] = runtime.add(bx[i], e)
            return bx

        return added
    if not (_is_list(bx) and isinstance(i, types.SliceType) and _is_list(e)):
        return None

    def several(bx, i, e):
        low, high, step = i.indices(len(bx))
        if len(range(low, high, step)) != len(e):
            raise ValueError(MISMATCH)
        for k in range(len(e)):
            bx[low + k * step] = runtime.add(bx[low + k * step], e[k])
        return bx

    return several


def with_sum(b, k, e):
    """The adjoint of a tuple, with more at one part."""
    runtime.add_at(b, k, e)
    return b


@overload(with_sum, prefer_literal=True)
def _with_sum(b, k, e):
    if not isinstance(b, types.BaseTuple):
        return lambda b, k, e: runtime.add_at(b, k, e)
    if not isinstance(k, types.IntegerLiteral):
        raise RequireLiteralValue("k")
    place = k.literal_value % len(b)
    parts = [f"add(b[{n}], e)" if n == place else f"b[{n}]" for n in range(len(b))]
    return _each("b, k, e", parts)


_CHECK = "    if len(a) != len(b):\n        raise ValueError(MISMATCH)\n"


def _each(params, parts):
    return _made(f"def made({params}):\n    return ({', '.join(parts)},)\n")


def _made(text):
    scope = {"zeros": runtime.zeros, "add": runtime.add, "MISMATCH": MISMATCH}
    exec(text, scope)
    return scope["made"]
