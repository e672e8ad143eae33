# mypy: ignore-errors
# ruff: noqa: D103
"""Slopes along the axes of an array whose points have one distance, as Numba reads them.

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

SHORT = '    raise ValueError("np.gradient wants at least two elements")'


def _is_floating(kind):
    return isinstance(kind, types.Array) and isinstance(kind.dtype, types.Float)


def _is_number(kind):
    return isinstance(kind, (types.Float, types.Integer))


def _axes(axis, rank):
    """The axes that are meant; none where they are not written down."""
    given = getattr(axis, "value", axis)
    if given is None or isinstance(given, types.NoneType):
        return list(range(rank))
    found = _axis(axis)
    return [found % rank] if found is not None and -rank <= found < rank else []


def _neighbors(rank, at):
    """The places before and behind ``i``, and inside."""
    whole = [f"i{k}" for k in range(rank)]
    low, high = ([*whole[:at], name, *whole[at + 1 :]] for name in ("low", "high"))
    return [", ".join(places) for places in (whole, low, high)]


def _slopes(params, f, axis, step):
    axes = _axes(axis, f.ndim) if _is_floating(f) else []
    if not axes or not (step is None or _is_number(step)):
        return None
    lines, by = [], "" if step is None else " * step"
    for at in axes:
        whole, low, high = _neighbors(f.ndim, at)
        lines += [f"if f.shape[{at}] < 2:", SHORT, f"r{at} = np.empty(f.shape, f.dtype)"]
        found = f"r{at}[{whole}] = (f[{high}] - f[{low}]) / ((high - low){by})"
        ends = [f"low = max(i{at} - 1, 0)", f"high = min(i{at} + 1, f.shape[{at}] - 1)"]
        lines += nest(f.ndim, [*ends, found], "f")
    made = ", ".join(f"r{at}" for at in axes)
    return made_of(params, [*lines, f"return {made}"])


@overload(np.gradient, prefer_literal=True)
def gradient(f, axis=None):
    return _slopes("f, axis=None", f, axis, None)


@overload(np.gradient, prefer_literal=True)
def gradient_with_steps(f, step, axis=None):
    return _slopes("f, step, axis=None", f, axis, step) if _is_number(step) else None


@overload(runtime.ungradient, prefer_literal=True)
def ungradient(b, x, spacing, axis=None):
    axes = _axes(axis, x.ndim) if _is_floating(x) else []
    plain = isinstance(spacing, types.BaseTuple) and len(spacing) < 2
    if not axes or not plain or not all(map(_is_number, spacing)):
        return None
    several = len(axes) > 1
    kinds = list(b) if isinstance(b, types.BaseTuple) else [getattr(b, "dtype", b)]
    if several and len(kinds) not in (1, len(axes)):
        return None
    if not all(_is_floating(k) and k.ndim == x.ndim for k in (kinds if several else [b])):
        return None
    first = "b[0]" if several else "b"
    by = " * spacing[0]" if len(spacing) else ""
    lines = [f"r = np.zeros(x.shape, {first}.dtype)"]
    for place, at in enumerate(axes):
        whole, low, high = _neighbors(x.ndim, at)
        part = f"b[{place}]" if several else "b"
        ends = [f"low = max(i{at} - 1, 0)", f"high = min(i{at} + 1, x.shape[{at}] - 1)"]
        step = f"e = c[{whole}] / ((high - low){by})"
        lines += [f"c = {part}"]
        lines += nest(x.ndim, [*ends, step, f"r[{high}] += e", f"r[{low}] -= e"], "x")
    return made_of("b, x, spacing, axis=None", [*lines, "return r"])
