# mypy: ignore-errors
# ruff: noqa: D103
"""Stacks of matrices, transposes and triangles, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import operator

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.products import outer, product, solid
from tangentlite.native.library.reductions import made_of


def _is_array(kind):
    return isinstance(kind, types.Array)


def _shape(name, places):
    return ", ".join(f"{name}.shape[{k}]" for k in places)


def _made(params, lines):
    return made_of(params, lines, solid=solid, product=product, outer=outer)


def _are_stacks(*kinds):
    ranks = {kind.ndim for kind in kinds if _is_array(kind)}
    return all(map(_is_array, kinds)) and len(ranks) == 1 and ranks.pop() > 2


def _is_flat(x, y):
    """A stack times one matrix, or one vector: it is one large matrix."""
    return _is_array(x) and _is_array(y) and x.ndim > 2 and y.ndim in (1, 2)


def _loops(rank, lines, *names):
    """Over the matrices of stacks, of which those of length one are met again and again."""
    lead = rank - 2
    text = []
    for k in range(lead):
        text.append(f"n{k} = {names[0]}.shape[{k}]")
        for other in names[1:]:
            text += [f"if n{k} == 1:", f"    n{k} = {other}.shape[{k}]"]
            text += [f"if {other}.shape[{k}] != 1 and {other}.shape[{k}] != n{k}:"]
            text += ["    raise ValueError(MISMATCH)"]
        text += [f"{name}{k} = 1 if {name}.shape[{k}] != 1 else 0" for name in names]
    nest = [f"{'    ' * k}for i{k} in range(n{k}):" for k in range(lead)]
    return text, [*nest, *("    " * lead + line for line in lines)]


def _place(name, rank):
    return ", ".join(f"i{k} * {name}{k}" for k in range(rank - 2))


@overload(operator.matmul)
def matmul(x, y):
    if _is_flat(x, y):
        rank, last = x.ndim, "y.shape[1], " if y.ndim == 2 else ""
        lines = [f"if x.shape[{rank - 1}] != y.shape[0]:", "    raise ValueError(MISMATCH)"]
        flat = f"solid(x).reshape((-1, x.shape[{rank - 1}]))"
        if y.ndim == 2:
            flat = f"solid(x).reshape(({_size('x', range(rank - 1))}, x.shape[{rank - 1}]))"
        lines.append(f"m = product({flat}, y)")
        lines.append(f"return m.reshape(({_shape('x', range(rank - 1))}, {last}))")
        return _made("x, y", lines)
    if not _are_stacks(x, y) or _are_of_two_precisions(x, y):
        return None
    rank = x.ndim
    inside = f"product(x[{_place('x', rank)}], y[{_place('y', rank)}])"
    target = f"r[{', '.join(f'i{k}' for k in range(rank - 2))}]"
    head, nest = _loops(rank, [f"np.copyto({target}, {inside})"], "x", "y")
    counts = ", ".join(f"n{k}" for k in range(rank - 2))
    sizes = f"({counts}, x.shape[{rank - 2}], y.shape[{rank - 1}])"
    return _made("x, y", [*head, f"r = np.empty({sizes}, x.dtype)", *nest, "return r"])


def _size(name, places):
    return " * ".join(f"{name}.shape[{k}]" for k in places)


def _are_of_two_precisions(x, y):
    """Whether what Numba does not multiply meets: arrays of single and of double precision."""
    floats = _is_array(x) and _is_array(y) and {x.dtype, y.dtype} == {types.float32, types.float64}
    return floats and (max(x.ndim, y.ndim) < 3 or _are_stacks(x, y))


@overload(operator.matmul)
def matmul_of_two_precisions(x, y):
    if _are_of_two_precisions(x, y):
        return lambda x, y: x.astype(np.float64) @ y.astype(np.float64)
    return None


@overload(np.dot)
def dot_of_two_precisions(a, b):
    if _are_of_two_precisions(a, b):
        return lambda a, b: np.dot(a.astype(np.float64), b.astype(np.float64))
    return None


@overload(runtime.matmul_left)
def matmul_left(b, x, y):
    if _is_flat(x, y) and _is_array(b):
        rank = x.ndim
        if y.ndim == 2:
            flat = f"product(solid(b).reshape(({_size('x', range(rank - 1))}, y.shape[1])), y.T)"
        else:
            flat = f"outer(solid(b).reshape({_size('x', range(rank - 1))}), y)"
        return _made("b, x, y", [f"m = {flat}", "return m.reshape(x.shape)"])
    if not _are_stacks(b, x, y):
        return None
    part, term = f"b[{_place('b', x.ndim)}]", f"y[{_place('y', x.ndim)}].T"
    head, nest = _loops(x.ndim, _adding("x", x.ndim, f"product({part}, {term})"), "b", "x", "y")
    return _made("b, x, y", [*head, "r = np.zeros(x.shape, b.dtype)", *nest, "return r"])


def _adding(name, rank, term):
    """``r[...] += term`` of one of the matrices."""
    lines = [f"v, t = r[{_place(name, rank)}], {term}", "for i in range(v.shape[0]):"]
    return [*lines, "    for j in range(v.shape[1]):", "        v[i, j] += t[i, j]"]


@overload(runtime.matmul_right)
def matmul_right(b, x, y):
    if _is_flat(x, y) and _is_array(b):
        size = _size("x", range(x.ndim - 1))
        flat = f"solid(x).reshape(({size}, y.shape[0])).T"
        other = f"({size}, y.shape[1])" if y.ndim == 2 else size
        return _made("b, x, y", [f"return product({flat}, solid(b).reshape({other}))"])
    if not _are_stacks(b, x, y):
        return None
    part, term = f"x[{_place('x', x.ndim)}].T", f"b[{_place('b', x.ndim)}]"
    head, nest = _loops(x.ndim, _adding("y", x.ndim, f"product({part}, {term})"), "b", "x", "y")
    return _made("b, x, y", [*head, "r = np.zeros(y.shape, b.dtype)", *nest, "return r"])


@overload(runtime.mT)
@overload(runtime.mH)
def mT(x):
    real = _is_array(x) and not isinstance(x.dtype, types.Complex)
    return (lambda x: x.T) if real and x.ndim == 2 else None


@overload(runtime.lower)
def lower(x):
    if not _is_array(x) or x.ndim != 2:
        return None

    def half(x):
        made = np.zeros(x.shape, x.dtype)
        for i in range(x.shape[0]):
            for j in range(min(i + 1, x.shape[1])):
                made[i, j] = x[i, j] * (0.5 if i == j else 1.0)
        return made

    return half


@overload(runtime.columns)
def columns(x, y):
    if not _is_array(x) or not _is_array(y):
        return None
    return (lambda x, y: np.expand_dims(x, -1)) if y.ndim == 1 else (lambda x, y: x)


@overload(runtime.uncolumns)
def uncolumns(x, y):
    if not _is_array(x) or not _is_array(y):
        return None
    if y.ndim == 1:
        return (lambda x, y: x[:, 0]) if x.ndim == 2 else None
    return lambda x, y: x
