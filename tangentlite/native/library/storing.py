# mypy: ignore-errors
"""What a store through an index takes out of an adjoint, as Numba reads it.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.choosing import chosen
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of, nest

FEW = 16


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
    return _last(arrays[0], texts, ba.ndim - len(arrays) + 1)


def _last(first, texts, rank):
    """Zero where another element comes to the same place: ``first`` is the axis that all arrays of indices walk."""
    lines, key = [f"count = len({texts[0]})"], "0"
    for k, text in enumerate(texts):
        size = f"ba.shape[{first + k}]"
        if k:
            lines += [f"if len({text}) != count:", "    raise ValueError(MISMATCH)"]
        key = f"({key}) * {size} + {text}[k] % {size}" if k else f"{text}[k] % {size}"
    sizes = " * ".join(f"ba.shape[{first + k}]" for k in range(len(texts)))
    lines += ["part = chosen(ba, i)", "keys = np.empty(count, np.int64)", "for k in range(count):"]
    lines += [f"    keys[k] = {key}", f"lost = hidden(keys, {sizes})"]
    place = ", ".join(f"i{k}" for k in range(rank))
    lines += nest(rank, [f"if lost[i{first}]:", f"    part[{place}] = 0.0"], "part")
    return made_of("ba, i", [*lines, "return part"], hidden=hidden, chosen=chosen)


def hidden(keys, size):
    """Which numbers below ``size`` come again further on."""


@overload(hidden)
def _hidden(keys, size):
    def found(keys, size):
        count = len(keys)
        lost = np.zeros(count, np.bool_)
        if count <= FEW:
            for k in range(count):
                for later in range(k + 1, count):
                    lost[k] |= keys[later] == keys[k]
            return lost
        last = np.empty(size, np.int64)
        for k in range(count):
            last[keys[k]] = k
        for k in range(count):
            lost[k] = last[keys[k]] != k
        return lost

    return found
