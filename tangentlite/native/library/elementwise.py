# mypy: ignore-errors
# ruff: noqa: D103
"""Functions of the runtime on whole arrays, element by element: loops compile faster than arrays.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.np.numpy_support import as_dtype

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of


def _is_array(kind):
    return isinstance(kind, types.Array)


def _dtype(kind):
    return as_dtype(getattr(kind, "dtype", kind))


def placed(name, ndim, rank):
    """The index of an element, where axes of length one are met again and again."""
    lead = rank - ndim
    return ", ".join(f"i{k + lead} * {name}{k}" for k in range(ndim))


def strides(name, ndim):
    """Zero for an axis of length one, else one."""
    return [f"{name}{k} = 1 if {name}.shape[{k}] != 1 else 0" for k in range(ndim)]


def _lengths(arrays, rank):
    """What arrays broadcast to: ``n0``, ``n1`` and so on; refused if they do not."""
    lines = []
    for k in range(rank):
        mine = [f"{a}.shape[{k - rank + n}]" for a, n in arrays.items() if k - rank + n >= 0]
        lines.append(f"n{k} = {mine[0]}")
        for other in mine[1:]:
            lines += [f"if n{k} == 1:", f"    n{k} = {other}"]
            lines += [f"elif {other} != 1 and {other} != n{k}:", "    raise ValueError(MISMATCH)"]
    return lines


def nested(rank, line):
    """Loops over ``n0``, ``n1`` and so on."""
    text = [f"{'    ' * k}for i{k} in range(n{k}):" for k in range(rank)]
    return [*text, "    " * rank + line]


def paired(params, kinds, number, dtype=None):
    """``number`` is the text for ``x`` and ``y``, two elements, or one and a number."""
    arrays = {p: kind.ndim for p, kind in zip(params, kinds) if _is_array(kind)}
    if not arrays or any(isinstance(k, types.Optional) for k in kinds):
        return None
    rank = max(arrays.values())
    found = dtype or np.result_type(np.float16, *map(_dtype, kinds))
    lines = _lengths(arrays, rank)
    for name, ndim in arrays.items():
        lines += strides(name, ndim)
    counts = ", ".join(f"n{k}" for k in range(rank))
    places = ", ".join(f"i{k}" for k in range(rank))
    lines += [f"r = np.empty(({counts},), dtype)"] if rank else ["r = np.empty((), dtype)"]
    read = [
        f"{p}[{placed(p, arrays[p], rank)}]" if arrays.get(p) else f"{p}[()]" if p in arrays else p
        for p in params
    ]
    text = number.format(*read)
    lines += nested(rank, f"r[{places or '()'}] = {text}")
    return made_of(", ".join(params), [*lines, "return r"], dtype=found)


def _one(params, number, dtype=None):
    """The overload for numbers, and for arrays."""

    def chosen(kinds):
        if any(map(_is_array, kinds)):
            return paired(params, kinds, number, dtype)
        return made_of(", ".join(params), [f"return {number.format(*params)}"])

    return chosen


_CANCEL = _one("bd", "0.0 if {0} == 0.0 or {1} == 0.0 else {0} * {1}")
_TIMES = _one("bd", "0.0 if {0} == 0.0 else {0} * {1}")
_QUOTIENT = _one("by", "0.0 if {0} == 0.0 and ({1} == 0.0 or {1} != {1}) else np.divide({0}, {1})")
_RATIO = _one("by", "0.0 if {1} == 0.0 else {0} / {1}")
_SHARE = _one("xy", "0.5 if {0} == {1} else 1.0 / (1.0 + np.exp({1} - {0}))")
_WHOLE = "{0} == {1} and ({1} == 0.0 or {1} - {1} != 0.0)"
_EXP_SHARE = _one("eu", f"1.0 if {_WHOLE} else np.divide({{0}}, {{1}})")
_SURE = _one("by", "{0} if {1} - {1} == 0.0 or {0} == 0.0 else np.nan")
_DIRECTION = _one("x", "0.0 if {0} == 0.0 else np.conj({0}) / np.abs({0})")
_WINS = _one("xy", "1.0 if {0} > {1} else (0.5 if {0} == {1} else 0.0)", np.dtype(float))


@overload(runtime.cancel)
def cancel(b, d):
    return _CANCEL((b, d))


@overload(runtime.times)
def times(b, d):
    return _TIMES((b, d))


@overload(runtime.quotient)
def quotient(b, y):
    return _QUOTIENT((b, y))


@overload(runtime.ratio)
def ratio(b, y):
    return _RATIO((b, y))


@overload(runtime.wins)
def wins(x, y):
    if isinstance(x, types.NoneType) or isinstance(y, types.NoneType):
        return lambda x, y: 1.0
    return _WINS((x, y))


@overload(runtime.direction)
def direction(x):
    kind = getattr(x, "dtype", x)
    if isinstance(kind, types.Complex):
        return _DIRECTION((x,))
    return (lambda x: np.sign(x)) if isinstance(kind, types.Float) else None


@overload(runtime.share)
def share(x, y):
    return _SHARE((x, y))


@overload(runtime.sure)
def sure(b, y):
    return _SURE((b, y))


@overload(runtime.exp_share)
def exp_share(e, u):
    return _EXP_SHARE((e, u))


@overload(runtime.spread)
@overload(runtime.broadcast)
def spread(b, like):
    """A copy in the shape of another array."""
    if not _is_array(like):
        return lambda b, like: b
    if not _is_array(b):
        return lambda b, like: np.full(like.shape, b)
    if not 0 < b.ndim <= like.ndim:
        return None
    lead = like.ndim - b.ndim
    lines = [f"n{k} = like.shape[{k}]" for k in range(like.ndim)]
    for k in range(b.ndim):
        lines += [f"if b.shape[{k}] != 1 and b.shape[{k}] != n{k + lead}:"]
        lines += ["    raise ValueError(MISMATCH)"]
    places = ", ".join(f"i{k}" for k in range(like.ndim))
    lines += [*strides("b", b.ndim), "r = np.empty(like.shape, b.dtype)"]
    lines += nested(like.ndim, f"r[{places}] = b[{placed('b', b.ndim, like.ndim)}]")
    return made_of("b, like", [*lines, "return r"])


@overload(np.copyto)
def copyto(dst, src):
    given = src.dtype if _is_array(src) else src
    if not _is_array(dst) or not dst.ndim:
        return None
    if isinstance(dst.dtype, types.Integer) and not isinstance(given, types.Integer):
        return None
    if not _is_array(src) or not src.ndim:

        def filled(dst, src):
            dst[:] = src

        return filled
    if src.ndim > dst.ndim:
        return None
    lead = dst.ndim - src.ndim
    lines = [f"n{k} = dst.shape[{k}]" for k in range(dst.ndim)]
    for k in range(src.ndim):
        lines += [f"if src.shape[{k}] != 1 and src.shape[{k}] != n{k + lead}:"]
        lines += ["    raise ValueError(MISMATCH)"]
    places = ", ".join(f"i{k}" for k in range(dst.ndim))
    lines += strides("src", src.ndim)
    lines += nested(dst.ndim, f"dst[{places}] = src[{placed('src', src.ndim, dst.ndim)}]")
    return made_of("dst, src", lines)
