# mypy: ignore-errors
# ruff: noqa: D103
"""Running products, products of blocks and medians of lines, as Numba reads them.

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
from tangentlite.native.library.reductions import made_of
from tangentlite.native.looping.nests import MISMATCH


def _is_array(kind, *ranks):
    return isinstance(kind, types.Array) and kind.ndim in (ranks or (kind.ndim,))


def _is_line(*kinds):
    return all(_is_array(k, 1) and isinstance(k.dtype, types.Float) for k in kinds)


def _is_whole(axis):
    """Whether an axis is that of a line, or none is given."""
    found = getattr(axis, "value", axis)
    return found is None or isinstance(found, types.NoneType) or _axis(axis) in (0, -1)


def _flag(kind):
    found = getattr(kind, "value", kind)
    return getattr(found, "literal_value", found)


@overload(runtime.untranspose)
def untranspose(b, axes=None):
    """Where each axis came from is found out when it runs: the numbers need not be written down."""
    if not _is_array(b) or not isinstance(axes, types.BaseTuple) or len(axes) != b.ndim:
        return None
    count = b.ndim
    lines = []
    for k in range(count):
        lines += [f"p{k} = 0"]
        lines += [f"if axes[{j}] % {count} == {k}:\n        p{k} = {j}" for j in range(count)]
    places = ", ".join(f"p{k}" for k in range(count))
    return made_of("b, axes=None", [*lines, f"return np.transpose(b, ({places},))"])


@overload(runtime.lined)
def lined(x, axis=None):
    return (lambda x, axis=None: x) if _is_line(x) else None


@overload(runtime.shift, prefer_literal=True)
def shift(x, axis=None, fill=0.0, back=False):
    if not _is_line(x) or not _is_whole(axis) or not isinstance(_flag(back), bool):
        return None
    begin, source = (0, 1) if _flag(back) else (1, -1)

    def shifted(x, axis=None, fill=0.0, back=False):
        result = np.empty_like(x)
        if len(x):
            result[0 if begin else -1] = fill
            result[-1 if source == 1 else 0] = fill
        for k in range(begin, len(x) - 1 + begin):
            result[k] = x[k + source]
        return result

    return shifted


@overload(runtime.recurrence, prefer_literal=True)
def recurrence(c, v, axis=None, back=False):
    plain = _is_line(c, v) and c.dtype == v.dtype
    if not plain or not _is_whole(axis) or not isinstance(_flag(back), bool):
        return None
    backward = _flag(back)

    def found(c, v, axis=None, back=False):
        if len(c) != len(v):
            raise ValueError(MISMATCH)
        n, result = len(c), v.copy()
        for k in range(1, n):
            if backward:
                result[n - 1 - k] += c[n - 1 - k] * result[n - k]
            else:
                result[k] += c[k] * result[k - 1]
        return result

    return found


@overload(np.kron)
def kron(a, b):
    return _blocks(
        "a, b", a, b, "r[{whole}] = a[{large}] * b[{small}]", "a.shape[{k}] * b.shape[{k}]", (a, b)
    )


@overload(runtime.kron_left)
def kron_left(b, x, y):
    return _blocks("b, x, y", x, y, "r[{large}] += b[{whole}] * y[{small}]", "x.shape[{k}]", (b, y))


@overload(runtime.kron_right)
def kron_right(b, x, y):
    return _blocks("b, x, y", x, y, "r[{small}] += b[{whole}] * x[{large}]", "y.shape[{k}]", (b, x))


def _blocks(params, one, other, line, size, made):
    """Loops over the elements of a product of two arrays by blocks."""
    if not (_is_array(one) and _is_array(other) and one.ndim == other.ndim):
        return None
    if not all(_is_array(k) and isinstance(k.dtype, types.Float) for k in made):
        return None
    first, second = params.split(", ")[-2:]
    count = one.ndim
    sizes = ", ".join(size.format(k=k) for k in range(count))
    whole = ", ".join(f"i{k} * {second}.shape[{k}] + j{k}" for k in range(count))
    large, small = (", ".join(f"{v}{k}" for k in range(count)) for v in "ij")
    lines = [f"for i{k} in range({first}.shape[{k}]):" for k in range(count)]
    lines += [f"for j{k} in range({second}.shape[{k}]):" for k in range(count)]
    nest = [f"{'    ' * k}{text}" for k, text in enumerate(lines)]
    inside = "    " * len(lines) + line.format(whole=whole, large=large, small=small)
    dtype = " + ".join(f"{'abxy'['abxy'.index(p)]}.dtype.type(0)" for p in _read(line))
    begin = [f"r = np.zeros(({sizes},), np.asarray({dtype}).dtype)"]
    return made_of(params, [*begin, *nest, inside, "return r"])


def _read(line):
    return [name for name in "abxy" if f" {name}[" in line]


@overload(runtime.quantile_shares)
def quantile_shares(x, q, axis=None):
    if not _is_line(x) or not _is_whole(axis) or not isinstance(q, types.Float):
        return None

    def shares(x, q, axis=None):
        at = q * (len(x) - 1)
        low = int(np.floor(at))
        order, result = np.argsort(x, kind="mergesort"), np.zeros(len(x), x.dtype)
        for side in range(2):
            value = x[order[min(low + side, len(x) - 1)]]
            share, count = (at - low) if side else 1.0 - (at - low), 0
            for k in range(len(x)):
                count += x[k] == value or (x[k] != x[k] and value != value)
            for k in range(len(x)):
                if x[k] == value or (x[k] != x[k] and value != value):
                    result[k] += share / count
        return result

    return shares


@overload(runtime.widths)
def widths(x, y, axis=-1):
    return (lambda x, y, axis=-1: np.diff(x)) if _is_line(x, y) else None


@overload(runtime.unwidths)
def unwidths(b, x, y, axis=-1):
    return (lambda b, x, y, axis=-1: runtime.undiff(b, 1, -1)) if _is_line(b, x, y) else None
