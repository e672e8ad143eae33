# mypy: ignore-errors
# ruff: noqa: D103
"""Arrays put side by side, widened and taken apart again, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of

DIFFER = "all the input array dimensions except for the concatenation axis must match exactly"


def _is_array(kind):
    return isinstance(kind, types.Array)


def _axis(axis):
    """A number that is written down; None for others."""
    axis = getattr(axis, "value", axis)
    axis = getattr(axis, "literal_value", axis)
    return axis if isinstance(axis, int) else None


@overload(np.pad)
def pad(array, pad_width):
    """With zeros."""
    widths = _widths(pad_width, getattr(array, "ndim", 0))
    if widths is None:
        return None
    sizes = [f"array.shape[{k}] + {m} + {n}" for k, (m, n) in enumerate(widths)]
    checks = " or ".join(f"{w} < 0" for pair in widths for w in pair)
    lines = [f"if {checks}:", '    raise ValueError("index can\'t contain negative values")']
    lines += [f"r = np.zeros(({', '.join(sizes)},), array.dtype)"]
    inside = [f"{m}:{m} + array.shape[{k}]" for k, (m, _) in enumerate(widths)]
    return made_of(
        "array, pad_width", [*lines, f"np.copyto(r[{', '.join(inside)}], array)", "return r"]
    )


@overload(runtime.unpad)
def unpad(b, x, pad_width):
    widths = _widths(pad_width, getattr(x, "ndim", 0))
    if widths is None or not _is_array(b) or b.ndim != x.ndim:
        return None
    inside = [f"{m}:{m} + x.shape[{k}]" for k, (m, _) in enumerate(widths)]
    return made_of("b, x, pad_width", [f"return b[{', '.join(inside)}].copy()"])


def _widths(kind, rank):
    """The texts of the widths before and behind each axis."""
    if not rank:
        return None
    if isinstance(kind, types.Integer):
        return [("pad_width", "pad_width")] * rank
    if not isinstance(kind, types.BaseTuple) or not len(kind):
        return None
    if all(isinstance(part, types.Integer) for part in kind):
        if len(kind) == 1:
            return [("pad_width[0]", "pad_width[0]")] * rank
        return [("pad_width[0]", "pad_width[1]")] * rank if len(kind) == 2 else None
    pairs = all(isinstance(part, types.BaseTuple) and len(part) == 2 for part in kind)
    if not pairs or len(kind) not in (1, rank):
        return None
    if not all(isinstance(w, types.Integer) for part in kind for w in part):
        return None
    places = range(rank) if len(kind) == rank else [0] * rank
    return [(f"pad_width[{k}][0]", f"pad_width[{k}][1]") for k in places]


@overload(runtime.split_like, prefer_literal=True)
def split_like(b, xs, axis=0):
    at = _axis(axis)
    fine = isinstance(xs, types.BaseTuple) and all(map(_is_array, xs.types)) and _is_array(b)
    if not fine or at is None or any(x.ndim != b.ndim for x in xs.types):
        return None
    at, lines = at % b.ndim, ["n = 0"]
    for k in range(len(xs)):
        lead = ":, " * at
        lines += [f"p{k} = b[{lead}n:n + xs[{k}].shape[{at}]].copy()", f"n += xs[{k}].shape[{at}]"]
    parts = ", ".join(f"p{k}" for k in range(len(xs)))
    return made_of("b, xs, axis=0", [*lines, f"return ({parts},)"])


@overload(runtime.unstack, prefer_literal=True)
def unstack(b, xs, axis=0):
    at = _axis(axis)
    fine = isinstance(xs, types.BaseTuple) and all(map(_is_array, xs.types)) and _is_array(b)
    if not fine or at is None or any(x.ndim + 1 != b.ndim for x in xs.types):
        return None
    lead = ":, " * (at % b.ndim)
    parts = ", ".join(f"b[{lead}{k}].copy()" for k in range(len(xs)))
    return made_of("b, xs, axis=0", [f"return ({parts},)"])


@overload(runtime.undiff, prefer_literal=True)
def undiff(b, n=1, axis=-1):
    if _axis(n) != 1 or not _is_array(b) or b.ndim != 1:
        return None

    def made(b, n=1, axis=-1):
        result = np.zeros(len(b) + 1, b.dtype)
        for k in range(len(b)):
            result[k + 1] += b[k]
            result[k] -= b[k]
        return result

    return made


@overload(runtime.unjoin, prefer_literal=True)
def unjoin(b, xs, form):
    """Arrays side by side: each gets its part."""
    fine = isinstance(xs, types.BaseTuple) and all(map(_is_array, xs.types)) and _is_array(b)
    form = getattr(form, "literal_value", None)
    ranks = {x.ndim for x in xs.types} if fine else set()
    if form not in ("h", "v", "c") or not ranks or (len(ranks) != 1 and not _is_mixed(ranks, form)):
        return None
    at, lines = 0 if form == "v" or (max(ranks) == 1 and form == "h") else 1, ["n = 0"]
    for k, x in enumerate(xs.types):
        line = x.ndim == 1 and form != "h"
        size = "1" if line else f"xs[{k}].shape[{at}]"
        part = "n" if line else f"n:n + {size}"
        lines += [f"p{k} = b[{':, ' * at}{part}].copy()", f"n += {size}"]
    parts = ", ".join(f"p{k}" for k in range(len(xs)))
    return made_of("b, xs, form", [*lines, f"return ({parts},)"])


def _is_mixed(ranks, form):
    """Whether lines stand among matrices."""
    return ranks == {1, 2} and form != "h"


@overload(np.vstack)
def vstack(tup):
    """Lines among matrices: those of Numba have as many axes each."""
    return _lines_among(tup, 0)


@overload(np.column_stack)
def column_stack(tup):
    return _lines_among(tup, 1)


def _lines_among(tup, at):
    fine = isinstance(tup, types.BaseTuple) and all(map(_is_array, tup.types))
    if not fine or {x.ndim for x in tup.types} != {1, 2}:
        return None
    shapes = [
        ("1", f"tup[{k}].shape[0]")
        if x.ndim == 1
        else (f"tup[{k}].shape[{at}]", f"tup[{k}].shape[{1 - at}]")
        for k, x in enumerate(tup.types)
    ]
    count, other = " + ".join(size for size, _ in shapes), shapes[0][1]
    tests = " or ".join(f"{size} != {other}" for _, size in shapes[1:])
    sizes = f"{count}, {other}" if not at else f"{other}, {count}"
    lines = [f"if {tests}:", "    raise ValueError(DIFFER)"]
    lines += [f"r = np.empty(({sizes}), dtype)", "n = 0"]
    for k, (x, (size, _)) in enumerate(zip(tup.types, shapes)):
        place = "n" if x.ndim == 1 else f"n:n + {size}"
        lines += [f"np.copyto(r[{':, ' * at}{place}], tup[{k}])", f"n += {size}"]
    dtype = np.result_type(*(np.dtype(str(x.dtype)) for x in tup.types))
    return made_of("tup", [*lines, "return r"], dtype=dtype, DIFFER=DIFFER)
