# mypy: ignore-errors
# ruff: noqa: D103
"""Sums of products by subscripts, sums that undo broadcasting, and what is added at indices, as loops.

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
from tangentlite.runtime.einsum import labels


def _is_array(kind):
    return isinstance(kind, types.Array)


@overload(runtime.unbroadcast)
def unbroadcast(b, like):
    """The axes in front, and those that have length one in ``like``, are summed."""
    if not (_is_array(b) and _is_array(like)) or b.ndim < max(like.ndim, 3):
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


# Subscripts -------------------------------------------------------------------------------------


@overload(runtime.einsum, prefer_literal=True)
@overload(np.einsum, prefer_literal=True)
def einsum(spec, *xs):
    xs = xs[0].types if len(xs) == 1 and isinstance(xs[0], types.BaseTuple) else xs
    given = _labels(spec, xs)
    if given is None or (len(xs) == 1 and set(given[0][0]) == set(given[1])):
        return None  # of one array nothing is summed: that is a view
    inputs, output = given
    factors = " * ".join(f"xs[{n}]{_at(part)}" for n, part in enumerate(inputs))
    order = dict.fromkeys(output + "".join(inputs))
    lines = _sizes([(f"xs[{n}]", part) for n, part in enumerate(inputs)])
    if output:
        lines.append(f"r = np.zeros({_shape(output)}, dtype)")
        lines += _loops(order, f"r{_at(output)} += {factors}")
    else:
        lines += ["r = zero", *_loops(order, f"r += {factors}")]
    dtype = _dtype(xs)
    return made_of("spec, *xs", [*lines, "return r"], dtype=dtype, zero=dtype(0))


@overload(runtime.einsum_adjoint, prefer_literal=True)
def einsum_adjoint(spec, b, xs, k):
    place = getattr(k, "literal_value", None)
    given = _labels(spec, getattr(xs, "types", ())) if isinstance(place, int) else None
    if given is None or not given[0][place]:
        return None
    inputs, output = given
    if _is_array(b) != bool(output) or (output and b.ndim != len(output)):
        return None
    mine = inputs[place]
    others = [f"xs[{n}]{_at(part)}" for n, part in enumerate(inputs) if n != place]
    factors = " * ".join([f"b{_at(output)}" if output else "b", *others])
    lines = _sizes([(f"xs[{n}]", part) for n, part in enumerate(inputs)])
    lines += _sizes([("b", output)], set("".join(inputs)))
    lines.append(f"r = np.zeros({_shape(mine)}, dtype)")
    lines += _loops(dict.fromkeys(mine + output + "".join(inputs)), f"r{_at(mine)} += {factors}")
    return made_of("spec, b, xs, k", [*lines, "return r"], dtype=_dtype([b, *xs.types]))


def _labels(spec, xs):
    """The labels of real arrays, if the subscripts are written down."""
    text = getattr(spec, "literal_value", getattr(spec, "value", spec))
    plain = all(_is_array(x) and isinstance(x.dtype, (types.Float, types.Integer)) for x in xs)
    if not isinstance(text, str) or not xs or not plain:
        return None
    try:
        inputs, output = labels(text, tuple(x.ndim for x in xs))
    except ValueError:
        return None
    fitting = all(len(part) == x.ndim for part, x in zip(inputs, xs))
    once = len(set(output)) == len(output) and set(output) <= set("".join(inputs))
    return (inputs, output) if fitting and once else None


def _dtype(xs):
    kinds = {getattr(x, "dtype", x) for x in xs}
    if all(isinstance(kind, types.Integer) for kind in kinds):
        return np.int64
    return np.float32 if kinds == {types.float32} else np.float64


def _at(part):
    return f"[{', '.join(f'i_{c}' for c in part)}]"


def _shape(part):
    return f"({', '.join(f'n_{c}' for c in part)},)"


def _sizes(operands, met=()):
    """Lengths of labels, compared where a label stands twice."""
    lines, met = [], set(met)
    for name, part in operands:
        for axis, label in enumerate(part):
            if label in met:
                lines += [
                    f"if {name}.shape[{axis}] != n_{label}:",
                    "    raise ValueError(MISMATCH)",
                ]
            else:
                lines.append(f"n_{label} = {name}.shape[{axis}]")
            met.add(label)
    return lines


def _loops(order, line):
    text = [f"{'    ' * k}for i_{label} in range(n_{label}):" for k, label in enumerate(order)]
    return [*text, "    " * len(order) + line]


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
