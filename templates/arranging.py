"""Elements put in, left out, chosen, repeated by position: ``np.insert``, ``np.select``, ``np.meshgrid``.

In: ``rt.numbered``, the flat index of every element: what the primal makes of it tells what moves where.
Out: rules.
Next: selection.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, linear, positions, rule

inactive(
    rt.numbered, rt.strided, rt.strewn, rt.nowhere, rt.groups, rt.lengths, np.ix_, np.mask_indices
)


@rule(np.append)
def append(x, values, axis=None) -> y:
    whole = np.concatenate(rt.filled((d[x], d[values]), (x, values)), axis)
    d[y] = rt.through(whole, rt.dtype_like(y))
    b[x] += rt.split_like(b[y], (x, values), axis)[0]
    b[values] += rt.split_like(b[y], (x, values), axis)[1]


@rule(np.insert)
def insert(x, obj, values, axis=None) -> y:
    """The new elements take the dtype of the array: integers carry no derivative."""
    old = np.insert(rt.numbered(x), obj, rt.nowhere(values), axis)
    new = np.insert(rt.nowhere(x), obj, rt.numbered(values), axis)
    d[y] = rt.gather(d[x], old) + rt.through(rt.gather(d[values], new), rt.dtype_like(y))
    b[x] += rt.ungather(b[y], x, old)
    b[values] += rt.ungather(rt.through(b[y], rt.dtype_like(y)), values, new)


@linear(np.delete, in_=("x",))
def delete(x, obj, axis=None) -> y:
    b[x] += rt.ungather(b[y], x, np.delete(rt.numbered(x), obj, axis))


@linear(np.compress, in_=("x",), constant=("condition",))
def compress(condition, x, axis=None) -> y:
    b[x] += rt.ungather(b[y], x, np.compress(condition, rt.numbered(x), axis))


@linear(np.ndarray.compress, in_=("x",), constant=("condition",))
def compress_method(x, condition, axis=None) -> y:
    b[x] += rt.ungather(b[y], x, np.compress(condition, rt.numbered(x), axis))


@linear(np.extract, in_=("x",), constant=("condition",))
def extract(condition, x) -> y:
    b[x] += rt.ungather(b[y], x, np.extract(condition, rt.numbered(x)))


@linear(sliding_window_view, in_=("x",))
def windows(x, window_shape, axis=None) -> y:
    b[x] += rt.ungather(b[y], x, sliding_window_view(rt.numbered(x), window_shape, axis))


@rule(as_strided, constant=("shape", "strides", "writeable"))
def strided(x, shape=None, strides=None, *, writeable=True) -> y:
    """The tangent may lie in memory otherwise than ``x`` does; elements that share memory are read only."""
    y = as_strided(x, shape, strides, writeable=rt.strewn(x, shape, strides, writeable))
    d[y] = rt.gather(d[x], rt.strided(x, shape, strides))
    b[x] += rt.ungather(b[y], x, rt.strided(x, shape, strides))


@rule(np.select, constant=("condlist",))
def select(condlist, choicelist, default=0) -> y:
    which = np.select(condlist, list(range(len(choicelist))), -1)
    d[y] = rt.broadcast(rt.chosen(rt.filled(d[choicelist], choicelist), which), y) + rt.broadcast(
        rt.through(np.where(which < 0, d[default], 0.0), rt.dtype_like(y)), y
    )
    b[choicelist] += rt.unchosen(b[y], choicelist, which)
    b[default] += rt.unbroadcast(np.where(which < 0, b[y], 0.0), default)


@rule(np.choose, np.ndarray.choose)
def choose(a, choices, *, mode="raise") -> y:
    which = np.choose(a, list(range(len(choices))), mode=mode)
    d[y] = rt.broadcast(rt.chosen(rt.filled(d[choices], choices), which), y)
    b[choices] += rt.unchosen(b[y], choices, which)


@linear(np.meshgrid, in_=("xi",))
def meshgrid(*xi, indexing="xy", sparse=False) -> parts:
    for k in positions(xi):
        b[xi[k]] += rt.unmesh(b[parts], xi, k, indexing, sparse)


@linear(np.broadcast_arrays, in_=("args",))
def broadcast_arrays(*args) -> parts:
    for k in positions(args):
        b[args[k]] += rt.unbroadcast(b[parts][k], args[k])


@rule(np.block)
def block(xs) -> y:
    d[y] = np.block(rt.filled(d[xs], xs))
    b[xs] += rt.unblock(b[y], xs)


if hasattr(np, "unstack"):

    @linear(np.unstack, in_=("x",))
    def unstack(x, *, axis=0) -> parts:
        b[x] += np.stack(rt.filled(b[parts], parts), axis)


@linear(np.rollaxis, in_=("x",))
def rollaxis(x, axis, start=0) -> y:
    b[x] += rt.ungather(b[y], x, np.rollaxis(rt.numbered(x), axis, start))


@linear(np.diagflat, in_=("x",))
def diagflat(x, k=0) -> y:
    b[x] += np.reshape(np.diagonal(b[y], k), np.shape(x))


@rule(np.unique, literal=("return_index", "return_inverse", "return_counts"))
def unique(x, return_index=False, return_inverse=False, return_counts=False) -> y:
    """Elements that are equal share the derivative of their value equally."""
    which = rt.groups(x, y)
    d[y] = rt.evenly(rt.ungather(d[x], y, which), which)
    b[x] += rt.gather(rt.evenly(b[y], which), which)


def count(*flags):
    """How many flags are written as True."""
    return sum(flag.literal is True for flag in flags)


@unique.when(
    lambda return_index, return_inverse, return_counts: (
        count(return_index, return_inverse, return_counts) == 1
    )
)
def unique_and_one(x, return_index=False, return_inverse=False, return_counts=False) -> (y, i):
    which = rt.groups(x, y)
    d[y] = rt.evenly(rt.ungather(d[x], y, which), which)
    b[x] += rt.gather(rt.evenly(b[y], which), which)


@unique.when(
    lambda return_index, return_inverse, return_counts: (
        count(return_index, return_inverse, return_counts) == 2
    )
)
def unique_and_two(x, return_index=False, return_inverse=False, return_counts=False) -> (y, i, j):
    which = rt.groups(x, y)
    d[y] = rt.evenly(rt.ungather(d[x], y, which), which)
    b[x] += rt.gather(rt.evenly(b[y], which), which)


@unique.when(
    lambda return_index, return_inverse, return_counts: (
        count(return_index, return_inverse, return_counts) == 3
    )
)
def unique_and_three(
    x, return_index=False, return_inverse=False, return_counts=False
) -> (y, i, j, k):
    which = rt.groups(x, y)
    d[y] = rt.evenly(rt.ungather(d[x], y, which), which)
    b[x] += rt.gather(rt.evenly(b[y], which), which)


@rule(np.unique_values)
def unique_values(x) -> y:
    which = rt.groups(x, y)
    d[y] = rt.evenly(rt.ungather(d[x], y, which), which)
    b[x] += rt.gather(rt.evenly(b[y], which), which)


# The functions of the runtime.
@linear(rt.gather, in_=("x",))
def gather(x, index) -> y:
    b[x] += rt.ungather(b[y], x, index)


@linear(rt.ungather, in_=("g",))
def ungather(g, x, index) -> y:
    b[g] += rt.unbroadcast(rt.gather(b[y], index), g)


@linear(rt.chosen, in_=("xs",))
def chosen(xs, which) -> y:
    b[xs] += rt.unchosen(b[y], xs, which)


@linear(rt.unchosen, in_=("g",))
def unchosen(g, xs, which) -> ys:
    b[g] += rt.unbroadcast(rt.chosen(rt.filled(b[ys], xs), which), g)


@linear(rt.unmesh, in_=("g",))
def unmesh(g, xs, k, indexing="xy", sparse=False) -> y:
    b[g] += rt.remesh(b[y], xs, k, indexing, sparse)


@linear(rt.remesh, in_=("v",))
def remesh(v, xs, k, indexing="xy", sparse=False) -> parts:
    b[v] += rt.unmesh(b[parts], xs, k, indexing, sparse)


@linear(rt.unblock, in_=("g",))
def unblock(g, xs) -> ys:
    b[g] += np.block(rt.filled(b[ys], xs))


@linear(rt.window, in_=("v",))
def window(v, like, start) -> y:
    b[v] += rt.unwindow(b[y], v, start)


@linear(rt.unwindow, in_=("g",))
def unwindow(g, v, start) -> y:
    b[g] += rt.window(b[y], g, start)


@linear(rt.evenly, in_=("g",))
def evenly(g, index) -> y:
    b[g] += rt.evenly(b[y], index)
