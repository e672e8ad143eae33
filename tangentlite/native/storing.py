# mypy: ignore-errors
"""What a store through an index takes out of an adjoint, as Numba reads it.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload

from tangentlite import runtime
from tangentlite.native.reductions import made_of, nest

FEW = 16
LIKE = ["if x.shape != m.shape:", "    raise ValueError(MISMATCH)"]


def _is_array(kind):
    return isinstance(kind, types.Array)


@overload(runtime.won)
def won(ba, i):
    """Through arrays of indices the last element wins that is stored at a place."""
    if not _is_array(ba):
        return None
    parts = i.types if isinstance(i, types.BaseTuple) else (i,)
    arrays = [k for k, part in enumerate(parts) if _is_array(part)]
    if not arrays:
        numbers = sum(isinstance(part, types.Integer) for part in parts)
        return (lambda ba, i: ba[i]) if numbers == ba.ndim else (lambda ba, i: ba[i].copy())
    if len(parts) == 1 and isinstance(parts[0].dtype, types.Boolean):
        return lambda ba, i: ba[i]
    plain = all(_is_array(p) or isinstance(p, types.SliceType) for p in parts)
    lines = all(parts[k].ndim == 1 and isinstance(parts[k].dtype, types.Integer) for k in arrays)
    side_by_side = arrays == list(range(arrays[0], arrays[-1] + 1))
    if not (plain and lines and side_by_side):
        return None
    texts = [f"i[{k}]" if isinstance(i, types.BaseTuple) else "i" for k in arrays]
    return _last(arrays[0], texts)


def _last(first, texts):
    """Zero where another element comes to the same place: ``first`` is the axis that all arrays of indices walk."""
    lines, key = [f"count = len({texts[0]})"], "0"
    for k, text in enumerate(texts):
        size = f"ba.shape[{first + k}]"
        if k:
            lines += [f"if len({text}) != count:", "    raise ValueError(MISMATCH)"]
        key = f"({key}) * {size} + {text}[k] % {size}" if k else f"{text}[k] % {size}"
    lines += ["part = ba[i]", "keys = np.empty(count, np.int64)", "for k in range(count):"]
    lines += [f"    keys[k] = {key}", "lost = hidden(keys)"]
    lines += ["for k in range(count):", "    if lost[k]:", f"        part[{':, ' * first}k] = 0.0"]
    return made_of("ba, i", [*lines, "return part"], hidden=hidden)


def hidden(keys):
    """Which numbers come again further on."""


@overload(hidden)
def _hidden(keys):
    def found(keys):
        count = len(keys)
        lost = np.zeros(count, np.bool_)
        if count <= FEW:
            for k in range(count):
                for later in range(k + 1, count):
                    lost[k] |= keys[later] == keys[k]
            return lost
        order = np.argsort(keys, kind="mergesort")
        for k in range(count - 1):
            lost[order[k]] = keys[order[k]] == keys[order[k + 1]]
        return lost

    return found


def chosen(x, m):
    """``x[m]`` of a mask with several axes."""
    return x[m]


def put(x, m, v):
    """``x[m] = v`` of a mask with several axes."""
    x[m] = v


def _is_mask(x, m):
    return _is_array(x) and _is_array(m) and isinstance(m.dtype, types.Boolean)


@overload(chosen)
def _chosen(x, m):
    if not _is_mask(x, m):
        return lambda x, m: x[m]
    if x.ndim != m.ndim:
        return None
    place = ", ".join(f"i{k}" for k in range(x.ndim))
    lines = [*LIKE, "n = 0", *nest(x.ndim, [f"if m[{place}]:", "    n += 1"])]
    lines += ["r, n = np.empty(n, x.dtype), 0"]
    lines += nest(x.ndim, [f"if m[{place}]:", f"    r[n] = x[{place}]", "    n += 1"])
    return made_of("x, m", [*lines, "return r"])


@overload(put)
def _put(x, m, v):
    if not _is_mask(x, m):

        def plain(x, m, v):
            x[m] = v

        return plain
    if x.ndim != m.ndim or (_is_array(v) and v.ndim != 1):
        return None
    place = ", ".join(f"i{k}" for k in range(x.ndim))
    if not _is_array(v):
        return made_of(
            "x, m, v", [*LIKE, *nest(x.ndim, [f"if m[{place}]:", f"    x[{place}] = v"])]
        )
    lines = [*LIKE, "n = 0", *nest(x.ndim, [f"if m[{place}]:", "    n += 1"])]
    lines += ["if len(v) != n:", "    raise ValueError(MISMATCH)", "v, n = v.copy(), 0"]
    lines += nest(x.ndim, [f"if m[{place}]:", f"    x[{place}] = v[n]", "    n += 1"])
    return made_of("x, m, v", lines)
