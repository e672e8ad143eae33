"""Shape, order, joining, splitting, copies: what moves elements and computes nothing.

In: the adjoints of layout in the runtime.
Out: rules.
Next: selection.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, linear, rule

inactive(rt.order_of)


@linear(np.reshape, in_=("x",))
def reshape(x, shape, order="C") -> y:
    b[x] += np.reshape(b[y], np.shape(x), order=rt.order_of(x, order))


@reshape.when(lambda order: order.literal in ("C", "F"))
def reshape_in_order(x, shape, order="C") -> y:
    b[x] += np.reshape(b[y], np.shape(x), order=order)


@linear(np.ndarray.reshape, in_=("x",))
def reshape_method(x, *shape, order="C") -> y:
    b[x] += np.reshape(b[y], np.shape(x), order=rt.order_of(x, order))


@reshape_method.when(lambda order: order.literal in ("C", "F"))
def reshape_method_in_order(x, *shape, order="C") -> y:
    b[x] += np.reshape(b[y], np.shape(x), order=order)


@linear(np.ravel, np.ndarray.ravel, np.ndarray.flatten, in_=("x",))
def ravel(x, order="C") -> y:
    """Where memory decides the order it is that of ``x``; a tangent lies in memory as its argument does."""
    b[x] += rt.unraveled(b[y], x, order)


@ravel.when(lambda order: order.literal in ("C", "F"))
def ravel_in_order(x, order="C") -> y:
    b[x] += np.reshape(b[y], np.shape(x), order=order)


@linear(rt.unraveled, in_=("g",), constant=("x",))
def unraveled(g, x, order="C") -> y:
    b[g] += rt.raveled(b[y], x, order)


@linear(rt.raveled, in_=("v",), constant=("x",))
def raveled(v, x, order="C") -> y:
    b[v] += rt.unraveled(b[y], x, order)


@linear(np.transpose, in_=("x",))
def transpose(x, axes=None) -> y:
    b[x] += rt.untranspose(b[y], axes)


@transpose.when(lambda axes: axes.literal is None)
def transpose_all(x, axes=None) -> y:
    b[x] += np.transpose(b[y])


@linear(np.ndarray.transpose, in_=("x",))
def transpose_method(x, *axes) -> y:
    b[x] += rt.untranspose(b[y], rt.axes_order(axes))


@linear(np.ndarray.T, rt.transposed, in_=("x",))
def T(x) -> y:
    b[x] += rt.transposed(b[y])


@T.when(lambda x: x.ndim)
def T_of_array(x) -> y:
    b[x] += b[y].T


@linear(np.matrix_transpose, np.linalg.matrix_transpose, np.ndarray.mT, in_=("x",))
def matrix_transpose(x) -> y:
    b[x] += np.swapaxes(b[y], -1, -2)


@linear(np.swapaxes, np.ndarray.swapaxes, in_=("x",))
def swapaxes(x, axis1, axis2) -> y:
    b[x] += np.swapaxes(b[y], axis1, axis2)


@linear(np.moveaxis, in_=("x",), constant=("source", "destination"))
def moveaxis(x, source, destination) -> y:
    b[x] += np.moveaxis(b[y], destination, source)


@linear(np.expand_dims, in_=("x",))
def expand_dims(x, axis) -> y:
    b[x] += np.reshape(b[y], np.shape(x))


@linear(np.squeeze, np.ndarray.squeeze, in_=("x",))
def squeeze(x, axis=None) -> y:
    b[x] += np.reshape(b[y], np.shape(x))


@linear(np.ndarray.view, in_=("x",))
def plain_view(x) -> y:
    b[x] += b[y]


@rule(np.frombuffer)
def frombuffer(buffer) -> y:
    d[y] = np.reshape(d[buffer], np.shape(y))
    b[buffer] += np.reshape(b[y], np.shape(buffer))


@linear(np.atleast_1d, np.atleast_2d, np.atleast_3d, in_=("x",))
def atleast(x) -> y:
    b[x] += np.reshape(b[y], np.shape(x))


@linear(np.resize, in_=("x",))
def resize(x, new_shape) -> y:
    b[x] += rt.uncycled(b[y], x)


@linear(np.broadcast_to, in_=("x",))
def broadcast_to(x, shape) -> y:
    b[x] += rt.unbroadcast(b[y], x)


@linear(np.flip, in_=("x",))
def flip(x, axis=None) -> y:
    b[x] += np.flip(b[y], axis)


@linear(np.fliplr, in_=("x",))
def fliplr(x) -> y:
    b[x] += np.fliplr(b[y])


@linear(np.flipud, in_=("x",))
def flipud(x) -> y:
    b[x] += np.flipud(b[y])


@linear(np.rot90, in_=("x",))
def rot90(x, k=1, axes=(0, 1)) -> y:
    b[x] += np.rot90(b[y], -k, axes)


@linear(np.roll, in_=("x",))
def roll(x, shift, axis=None) -> y:
    b[x] += np.roll(b[y], np.negative(shift), axis)


@rule(np.concatenate)
def concatenate(xs, axis=0, *, dtype=None) -> y:
    d[y] = rt.through(np.concatenate(rt.filled(d[xs], xs), axis), dtype)
    b[xs] += rt.split_like(rt.through(b[y], dtype), xs, axis)


@concatenate.when(lambda dtype: dtype.literal is None)
def concatenate_as_they_are(xs, axis=0, *, dtype=None) -> y:
    d[y] = np.concatenate(rt.filled(d[xs], xs), axis)
    b[xs] += rt.split_like(b[y], xs, axis)


@rule(np.stack)
def stack(xs, axis=0) -> y:
    d[y] = np.stack(rt.filled(d[xs], xs), axis)
    b[xs] += rt.unstack(b[y], xs, axis)


@rule(np.hstack)
def hstack(xs) -> y:
    d[y] = np.hstack(rt.filled(d[xs], xs))
    b[xs] += rt.unjoin(b[y], xs, "h")


@rule(np.vstack)
def vstack(xs) -> y:
    d[y] = np.vstack(rt.filled(d[xs], xs))
    b[xs] += rt.unjoin(b[y], xs, "v")


@rule(np.dstack)
def dstack(xs) -> y:
    d[y] = np.dstack(rt.filled(d[xs], xs))
    b[xs] += rt.unjoin(b[y], xs, "d")


@rule(np.column_stack)
def column_stack(xs) -> y:
    d[y] = np.column_stack(rt.filled(d[xs], xs))
    b[xs] += rt.unjoin(b[y], xs, "c")


@linear(np.split, np.array_split, in_=("x",))
def split(x, indices_or_sections, axis=0) -> parts:
    b[x] += rt.unsplit(b[parts], x, indices_or_sections, axis)


@linear(np.vsplit, in_=("x",))
def vsplit(x, indices_or_sections) -> parts:
    b[x] += rt.unsplit(b[parts], x, indices_or_sections)


@linear(np.hsplit, in_=("x",))
def hsplit(x, indices_or_sections) -> parts:
    b[x] += rt.unsplit(b[parts], x, indices_or_sections, min(np.ndim(x) - 1, 1))


@linear(np.dsplit, in_=("x",))
def dsplit(x, indices_or_sections) -> parts:
    b[x] += rt.unsplit(b[parts], x, indices_or_sections, 2)


@linear(np.tile, in_=("x",))
def tile(x, reps) -> y:
    b[x] += rt.untile(b[y], x, reps)


@linear(np.repeat, np.ndarray.repeat, in_=("x",))
def repeat(x, repeats, axis=None) -> y:
    b[x] += rt.unrepeat(b[y], x, repeats, axis)


@linear(np.diag, in_=("x",))
def diag(x, k=0) -> y:
    b[x] += rt.undiag(b[y], x, k)


@linear(np.diagonal, np.ndarray.diagonal, in_=("x",))
def diagonal(x, offset=0, axis1=0, axis2=1) -> y:
    b[x] += rt.undiagonal(b[y], x, offset, axis1, axis2)


@linear(np.tril, in_=("x",))
def tril(x, k=0) -> y:
    b[x] += rt.unbroadcast(np.tril(b[y], k), x)


@linear(np.triu, in_=("x",))
def triu(x, k=0) -> y:
    b[x] += rt.unbroadcast(np.triu(b[y], k), x)
