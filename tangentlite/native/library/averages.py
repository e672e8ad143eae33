# mypy: ignore-errors
# ruff: noqa: D103
"""Averages with weights along an axis, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.joints import _axis
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of, nest


def _is_floating(kind):
    return isinstance(kind, types.Array) and isinstance(kind.dtype, types.Float)


def _along(x, w, axis):
    """The axis along which a line of weights goes, or None."""
    if not _is_floating(x) or not (_is_floating(w) and w.ndim == 1):
        return None
    at = 0 if x.ndim == 1 and _is_none(axis) else _axis(axis)
    return at % x.ndim if at is not None and -x.ndim <= at < x.ndim else None


def _is_none(axis):
    axis = getattr(axis, "value", axis)
    return axis is None or isinstance(axis, types.NoneType)


def _made(params, x, w, at, size, line, last):
    """``line`` for each element at ``{all}``, whose weight is at ``{w}``; ``{left}`` is the place without the axis."""
    name = "a" if "a, " in params else "x"
    weights = "weights" if "weights" in params else "w"
    words = {"all": ", ".join(f"i{k}" for k in range(x.ndim)), "w": f"i{at}"}
    words["left"] = ", ".join(f"i{k}" for k in range(x.ndim) if k != at)
    sizes = [f"{name}.shape[{k}]" for k in range(x.ndim)]
    shape = {"all": sizes, "w": [sizes[at]], "left": sizes[:at] + sizes[at + 1 :]}[size]
    lines = [f"if len({weights}) != {sizes[at]}:"]
    lines += ['    raise ValueError("Shape of weights must be consistent with shape of a")']
    single = all(k.dtype == types.float32 for k in (x, w))
    zeros = f"np.zeros(({', '.join(shape)},), dtype)" if shape else "dtype(0)"
    lines += [f"total, r = np.sum({weights}), {zeros}"]
    lines += ["if total == 0.0:", '    raise ZeroDivisionError("Weights sum to zero")']
    lines += nest(x.ndim, [line.format(**words)], name)
    return made_of(params, [*lines, last], dtype=np.float32 if single else np.float64)


@overload(np.average, prefer_literal=True)
def average(a, axis=None, weights=None):
    at = _along(a, weights, axis)
    if at is None:
        plain = _is_floating(a) and _is_none(axis) and _is_none(weights)
        return (lambda a, axis=None, weights=None: np.mean(a)) if plain else None
    target = "r[{left}]" if a.ndim > 1 else "r"
    line = target + " += a[{all}] * weights[{w}]"
    return _made("a, axis=None, weights=None", a, weights, at, "left", line, "return r / total")


@overload(runtime.portions, prefer_literal=True)
def portions(w, x, axis=None):
    if _is_none(w) and _is_floating(x) and _is_none(axis):
        return lambda w, x, axis=None: np.full(x.shape, x.dtype.type(1) / max(x.size, 1), x.dtype)
    at = _along(x, w, axis)
    line = "r[{all}] = w[{w}] / total"
    return None if at is None else _made("w, x, axis=None", x, w, at, "all", line, "return r")


@overload(runtime.unportions, prefer_literal=True)
def unportions(b, w, x, axis=None):
    at = _along(x, w, axis)
    if at is None or not _is_floating(b) or b.ndim != x.ndim:
        return None
    line = "r[{w}] += b[{all}] / total"
    return _made("b, w, x, axis=None", x, w, at, "w", line, "return r")
