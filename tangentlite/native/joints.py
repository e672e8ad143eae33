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
from numba.extending import overload

from tangentlite import runtime
from tangentlite.native.reductions import made_of


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
    if len(ranks) != 1 or form not in ("h", "v", "c"):
        return None
    (rank,) = ranks
    if rank == 1 and form != "h":
        one = "b[{k}].copy()" if form == "v" else "b[:, {k}].copy()"
        parts = ", ".join(one.format(k=k) for k in range(len(xs)))
        return made_of("b, xs, form", [f"return ({parts},)"])
    at, lines = 0 if form == "v" or rank == 1 else 1, ["n = 0"]
    for k in range(len(xs)):
        size = f"xs[{k}].shape[{at}]"
        lines += [f"p{k} = b[{':, ' * at}n:n + {size}].copy()", f"n += {size}"]
    parts = ", ".join(f"p{k}" for k in range(len(xs)))
    return made_of("b, xs, form", [*lines, f"return ({parts},)"])
