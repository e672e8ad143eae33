"""The functions of the runtime: generated code is differentiated again by these rules.

In: ``rt``. A parameter ``g`` is the adjoint or tangent that a function was made for.
Out: rules.
Next: memory.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, inactive, linear, rule
from tangentlite.runtime import checkpoints

inactive(rt.zeros, rt.count, rt.shape, rt.shares, rt.dtype_like, rt.axes_order)
inactive(rt.calls, rt.basis, rt.last_key, rt.nests, rt.stop_gradient)
inactive(rt.stops, checkpoints.checkpointed, checkpoints.slots_of)
inactive(rt.numbers, rt.numeric, rt.alike, rt.is_alike, pure=False)


# Shapes.
@rule(rt.lengthened)
def lengthened(g, row, like) -> y:
    d[y] = rt.lengthened(d[g], d[row], like)
    b[g] += b[y][:-1]
    b[row] += rt.unbroadcast(b[y][-1], row)


@linear(rt.unbroadcast, in_=("g",))
def unbroadcast(g, like) -> y:
    b[g] += rt.broadcast(b[y], g)


@linear(rt.broadcast, rt.spread, in_=("g",))
def broadcast(g, like) -> y:
    b[g] += rt.unbroadcast(b[y], g)


@rule(rt.weighted)
def weighted(g, t, like) -> y:
    d[y] = rt.weighted(d[g], t, like) + rt.weighted(g, d[t], like)
    b[g] += np.sum(b[y] * t)
    b[t] += rt.weighted(g, b[y], t)


@linear(rt.unreduce, in_=("g",), constant=("where",))
def unreduce(g, x, axis=None, keepdims=False, where=True) -> y:
    b[g] += rt.unbroadcast(np.sum(b[y], axis, keepdims=keepdims, where=where), g)


@linear(rt.kept, in_=("g",))
def kept(g, x, axis=None, keepdims=False) -> y:
    b[g] += np.reshape(b[y], np.shape(g))


@elementwise(rt.times)
def times(g, c) -> z:
    """Bilinear: a zero factor cancels an infinite one in each term by itself."""
    d[z] = rt.times(d[g], c) + rt.times(g, d[c])
    b[g] += rt.times(b[z], c)
    b[c] += rt.times(g, b[z])


@elementwise(rt.cancel)
def cancel(g, c) -> z:
    d[z] = rt.cancel(d[g], c) + rt.cancel(g, d[c])
    b[g] += rt.cancel(b[z], c)
    b[c] += rt.cancel(g, b[z])


@linear(rt.through, in_=("g",), constant=("dtype",))
def through(g, dtype=None) -> y:
    b[g] += rt.through(b[y], dtype)


@linear(rt.reached, in_=("g",), constant=("x",))
def reached(g, x) -> y:
    b[g] += rt.reached(b[y], x)


@rule(rt.in_order, constant=("key", "reverse"))
def in_order(xs, axis=-1, key=None, reverse=False) -> ys:
    d[ys] = rt.ordered_like(d[xs], xs, key, reverse)
    b[xs] += rt.unordered(b[ys], xs, key, reverse)


@linear(rt.ordered_like, in_=("ds",), constant=("xs", "key", "reverse"))
def ordered_like(ds, xs, key=None, reverse=False) -> ys:
    b[ds] += rt.unordered(b[ys], xs, key, reverse)


@linear(rt.unordered, in_=("by",), constant=("xs", "key", "reverse"))
def unordered(by, xs, key=None, reverse=False) -> y:
    b[by] += rt.ordered_like(b[y], xs, key, reverse)


# Buffers, the first line and the last.
@rule(rt.add_at)
def add_at(bx, i, e, like=None) -> y:
    d[y] = rt.add_at(d[bx], i, d[e], y)
    b[bx] += b[y]
    b[e] += rt.unbroadcast(rt.part(b[y], i), e)


@rule(rt.part)
def part(by, i) -> y:
    d[y] = rt.part(d[by], i)
    b[by] += rt.add_at(rt.zeros(by), i, b[y])


@rule(rt.add)
def add(x, y) -> z:
    """Of an array and a list of its rows the sum is a list."""
    d[z] = rt.add(d[x], d[y])
    b[x] += rt.broadcast(b[z], x)
    b[y] += rt.broadcast(b[z], y)


@rule(rt.seed, pure=False)
def seed(g, y, required=False) -> z:
    d[z] = d[g]
    b[g] += b[z]


@rule(rt.tangent, pure=False)
def tangent(g, x) -> z:
    d[z] = d[g]
    b[g] += b[z]


@linear(rt.like, in_=("g",))
def like(g, x) -> y:
    b[g] += rt.unbroadcast(b[y], g)


@linear(rt.complete, rt.replaced, in_=("g",), constant=("own",))
def complete(g, x, own=False) -> y:
    b[g] += rt.unbroadcast(b[y], g)


@rule(rt.distinct)
def distinct(gs) -> ys:
    d[ys] = d[gs]
    b[gs] += b[ys]


# Sequences.
@linear(rt.sequence, rt.some, rt.stack, in_=("xs",))
def sequence(xs) -> y:
    b[xs] += b[y]


@linear(rt.repeated, in_=("xs",))
def repeated(xs, n) -> y:
    b[xs] += rt.unrepeated(b[y], xs, n)


@linear(rt.unrepeated, in_=("g",))
def unrepeated(g, xs, n) -> y:
    b[g] += rt.repeated(b[y], n)


@linear(rt.unpack, in_=("value",), pure=False)
def unpack(value, n) -> y:
    b[value] += b[y]


@linear(rt.filled, in_=("ds",))
def filled(ds, xs) -> y:
    b[ds] += b[y]


@rule(rt.split_like)
def split_like(g, xs, axis=0) -> parts:
    d[parts] = rt.split_like(d[g], xs, axis)
    b[g] += np.concatenate(rt.filled(b[parts], xs), axis)


@linear(rt.unjoin, in_=("g",))
def unjoin(g, xs, form) -> parts:
    b[g] += rt.rejoin(b[parts], xs, form)


@linear(rt.rejoin, in_=("parts",))
def rejoin(parts, xs, form) -> y:
    b[parts] += rt.unjoin(b[y], xs, form)


@linear(rt.aligned, in_=("ds",))
def aligned(ds, xs) -> ys:
    b[ds] += b[ys]


@linear(rt.unstack, in_=("g",))
def unstack(g, xs, axis=0) -> parts:
    b[g] += np.stack(rt.filled(b[parts], xs), axis)


@linear(rt.unsplit, in_=("gs",))
def unsplit(gs, x, cuts, axis=0) -> z:
    b[gs] += np.array_split(b[z], cuts, axis)


# Elements that move.
@linear(rt.untranspose, in_=("g",))
def untranspose(g, axes=None) -> y:
    b[g] += np.transpose(b[y], axes)


@linear(rt.untile, in_=("g",))
def untile(g, x, reps) -> y:
    b[g] += np.tile(b[y], reps)


@linear(rt.unrepeat, in_=("g",))
def unrepeat(g, x, repeats, axis=None) -> y:
    b[g] += np.repeat(b[y], repeats, axis)


@linear(rt.unpad, in_=("g",))
def unpad(g, x, pad_width) -> y:
    b[g] += np.pad(b[y], pad_width)


@linear(rt.undiff, in_=("g",))
def undiff(g, n=1, axis=-1) -> y:
    b[g] += np.diff(b[y], n, axis)


@linear(rt.undiagonal, in_=("g",))
def undiagonal(g, x, offset=0, axis1=0, axis2=1) -> y:
    b[g] += np.diagonal(b[y], offset, axis1, axis2)


@linear(rt.untrace, in_=("g",))
def untrace(g, x, offset=0, axis1=0, axis2=1) -> y:
    b[g] += np.trace(b[y], offset, axis1, axis2)


@linear(rt.undiag, in_=("g",))
def undiag(g, x, k=0) -> y:
    b[g] += np.diag(b[y], k)


@linear(rt.scatter, in_=("g",), constant=("i",))
def scatter(g, x, i) -> y:
    b[g] += rt.unbroadcast(b[y][i], g)


@linear(rt.untake, in_=("g",), constant=("i",))
def untake(g, x, i, axis=None) -> y:
    b[g] += np.take(b[y], i, axis)


@linear(rt.put_along, in_=("g",), constant=("i",))
def put_along(g, x, i, axis=-1) -> y:
    b[g] += np.take_along_axis(np.atleast_1d(b[y]), i, axis)


# Scans.
@linear(rt.centered, in_=("x",), constant=("where",))
def centered(x, axis=None, where=True) -> y:
    b[x] += rt.centered(b[y], axis, where)


@rule(rt.merge, constant=("where",))
def merge(x, axis=None, where=True, fill=1.0) -> y:
    d[y] = rt.merge(d[x], axis, where, 0.0)
    b[x] += rt.unmerge(b[y], x, axis, where)


@linear(rt.unmerge, in_=("f",), constant=("where",))
def unmerge(f, x, axis=None, where=True) -> y:
    b[f] += rt.merge(b[y], axis, where, 0.0)


@linear(rt.lined, in_=("x",))
def lined(x, axis=None) -> y:
    b[x] += np.reshape(b[y], np.shape(x))


@rule(rt.shift)
def shift(x, axis=None, fill=0.0, back=False) -> y:
    d[y] = rt.shift(d[x], axis, 0.0, back)
    b[x] += rt.shift(b[y], axis, 0.0, not back)


@rule(rt.recurrence)
def recurrence(c, v, axis=None, back=False) -> r:
    """``dr[i] = dv[i] + dc[i] r[i-1] + c[i] dr[i-1]``: a recurrence, as is its transpose."""
    before = rt.shift(r, axis, 0.0, back)
    d[r] = rt.recurrence(c, d[v] + d[c] * before, axis, back)
    ahead = rt.recurrence(rt.shift(c, axis, 0.0, not back), b[r], axis, not back)
    b[v] += ahead
    b[c] += ahead * before


@rule(rt.weights)
def weights(w, x, axis=None) -> y:
    d[y] = rt.weights(d[w], x, axis)
    b[w] += rt.unweights(b[y], w, x, axis)


@linear(rt.unweights, in_=("g",))
def unweights(g, w, x, axis=None) -> y:
    b[g] += rt.weights(b[y], x, axis)


# Matrices.
@linear(rt.mT, in_=("x",))
def mT(x) -> y:
    b[x] += rt.mT(b[y])


@linear(rt.mH, in_=("x",))
def mH(x) -> y:
    b[x] += rt.mH(b[y])


@linear(rt.columns, in_=("x",))
def columns(x, y) -> z:
    b[x] += rt.uncolumns(b[z], y)


@linear(rt.uncolumns, in_=("x",))
def uncolumns(x, y) -> z:
    b[x] += rt.columns(b[z], y)


@linear(rt.lower, in_=("x",))
def lower(x) -> y:
    b[x] += rt.lower(b[y])


@linear(rt.real_only, in_=("x",))
def real_only(x) -> y:
    b[x] += b[y]


@rule(rt.cofactors)
def cofactors(a) -> c:
    d[c] = rt.cofactors_along(a, d[a])
    b[a] += rt.cofactors_along(a, b[c])


@linear(rt.cofactors_along, in_=("m",))
def cofactors_along(a, m) -> c:
    """Of third order in ``a``: refused."""
    b[m] += rt.cofactors_along(a, b[c])
