# mypy: ignore-errors
"""Sums that undo broadcasting, and what is added at indices, as loops.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of, nest


def _is_array(kind):
    return isinstance(kind, types.Array)


@overload(runtime.unbroadcast)
def unbroadcast(b, like):
    """The axes in front, and those that have length one in ``like``, are summed."""
    if not (_is_array(b) and _is_array(like)) or b.ndim < max(like.ndim, 3):
        return None
    if isinstance(b.dtype, types.Complex) and not isinstance(like.dtype, types.Complex):
        return None
    lead = b.ndim - like.ndim
    lines, place = [], []
    for k in range(like.ndim):
        lines += [f"if b.shape[{k + lead}] != like.shape[{k}] and like.shape[{k}] != 1:"]
        lines += ["    raise ValueError(MISMATCH)", f"s{k} = 1 if like.shape[{k}] != 1 else 0"]
        place.append(f"i{k + lead} * s{k}")
    if not like.ndim:
        return None
    index = ", ".join(f"i{k}" for k in range(b.ndim))
    lines += ["r = np.zeros(like.shape, b.dtype)"]
    lines += nest(b.ndim, [f"r[{', '.join(place)}] += b[{index}]"], "b")
    return made_of("b, like", [*lines, "return r"])


# Indices ----------------------------------------------------------------------------------------


def accumulate(bx, i, e):
    """``np.add.at``: what is added is read before."""
    np.add.at(bx, i, e)


@overload(accumulate)
def _accumulate(bx, i, e):
    if isinstance(bx.dtype, types.Integer) and not isinstance(
        getattr(e, "dtype", e), types.Integer
    ):
        return None
    if _is_array(e):
        return lambda bx, i, e: runtime.add_at(bx, i, e.copy())
    return lambda bx, i, e: runtime.add_at(bx, i, e)


@overload(runtime.add_at)
def add_at(bx, i, e):
    """At an array of indices along the first axis or another one, or at a mask."""
    if not _is_array(bx):
        return None
    if _is_array(i) and i.ndim == bx.ndim and isinstance(i.dtype, types.Boolean):
        return _masked(bx, e)
    if isinstance(i, types.BaseTuple):
        return _crossed(bx, i.types, e)
    if not (_is_array(i) and isinstance(i.dtype, types.Integer)) or (i.ndim, bx.ndim) == (1, 1):
        return None
    return _crossed(bx, (i,), e, "i")


def _masked(bx, e):
    if _is_array(e) and e.ndim != 1:
        return None
    index = ", ".join(f"i{k}" for k in range(bx.ndim))
    value, count = ("e[n]", ["    n += 1"]) if _is_array(e) else ("e", [])
    lines = ["if bx.shape != i.shape:", "    raise ValueError(MISMATCH)", "n = 0"]
    lines += nest(bx.ndim, [f"if i[{index}]:", f"    bx[{index}] += {value}", *count], "bx")
    return made_of("bx, i, e", [*lines, "return bx"])


def _crossed(bx, parts, e, text="i[{}]"):
    """Arrays of indices, all of one shape and side by side, numbers, and slices: each slice is walked in a view."""
    arrays = [k for k, part in enumerate(parts) if _is_array(part)]
    plain = (types.Integer, types.SliceType)
    fine = all(
        isinstance(p.dtype, types.Integer) if _is_array(p) else isinstance(p, plain) for p in parts
    )
    numbers = any(isinstance(p, types.Integer) for p in parts)
    if not fine or not arrays or len(parts) > bx.ndim or numbers:
        return None
    rank, first = parts[arrays[0]].ndim, arrays[0]
    if any(parts[k].ndim != rank for k in arrays) or arrays != list(range(first, arrays[-1] + 1)):
        return None
    total = bx.ndim - len(arrays) + rank
    if _is_array(e) and e.ndim != total:
        return None
    names = [text.format(k) for k in range(len(parts))]
    views = ", ".join(names[k] if k not in arrays else ":" for k in range(len(parts)))
    loops = ", ".join(f"i{k}" for k in range(rank))
    inside = ", ".join(f"{names[k]}[{loops}]" if k in arrays else ":" for k in range(len(parts)))
    outside = ", ".join(
        [":"] * first + [f"i{k}" for k in range(rank)] + [":"] * (total - first - rank)
    )
    checks = [f"{names[k]}.shape != {names[first]}.shape" for k in arrays[1:]]
    if _is_array(e):
        checks += [f"e.shape[{first + k}] != {names[first]}.shape[{k}]" for k in range(rank)]
    lines = [f"if {' or '.join(checks)}:", "    raise ValueError(MISMATCH)"] if checks else []
    value = f"e[{outside}]" if _is_array(e) else "e"
    lines += [f"v = bx[{views}]", *nest(rank, [f"v[{inside}] += {value}"], names[first])]
    return made_of("bx, i, e", [*lines, "return bx"])
