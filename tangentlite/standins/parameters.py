"""Functions with parameters that their rules do not know: said with calls that the rules know.

In: arguments of NumPy's functions.
Out: stand-ins.
Next: calling.
"""

from __future__ import annotations

import numpy as np

from tangentlite.standins.table import stands_for


@stands_for(np.prod)
def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    """A product of another type of numbers."""
    return np.prod(np.asarray(a, dtype), axis, keepdims=keepdims, initial=initial, where=where)


@stands_for(np.cumprod)
def cumprod(a, axis=None, dtype=None):
    """Products of another type of numbers."""
    return np.cumprod(np.asarray(a, dtype), axis)


@stands_for(np.var)
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None):
    """A variance round a mean that is given."""
    x = np.asarray(a, dtype)
    middle = np.mean(x, axis, keepdims=True, where=where) if mean is None else mean
    away = x - middle
    squares = np.real(away * np.conj(away))
    total = np.sum(squares, axis, keepdims=keepdims, where=where)
    count = np.sum(np.broadcast_to(where, np.shape(x)), axis, keepdims=keepdims) - ddof
    return total / np.asarray(count, total.dtype)


@stands_for(np.std)
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None):
    """A deviation from a mean that is given."""
    square = var(a, axis, dtype, None, ddof, keepdims, where, mean)
    varies = square != 0  # the deviation of what is constant has no derivative: zero
    return np.sqrt(np.where(varies, square, 1.0)) * varies


@stands_for(np.nansum)
def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
    """A sum of what is there."""
    x = np.where(np.isnan(a), 0.0, a)
    return np.sum(np.asarray(x, dtype), axis, keepdims=keepdims, initial=initial, where=where)


@stands_for(np.nanprod)
def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    """A product of what is there."""
    x = np.where(np.isnan(a), 1.0, a)
    return np.prod(np.asarray(x, dtype), axis, keepdims=keepdims, initial=initial, where=where)


@stands_for(np.nanmean)
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=True):
    """The mean of what is there."""
    there = np.logical_and(where, np.logical_not(np.isnan(a)))
    return np.mean(np.asarray(a, dtype), axis, keepdims=keepdims, where=there)


@stands_for(np.nanvar)
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    """The variance of what is there."""
    there = np.logical_and(where, np.logical_not(np.isnan(a)))
    return np.var(np.asarray(a, dtype), axis, ddof=ddof, keepdims=keepdims, where=there)


@stands_for(np.nanstd)
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    """The deviation of what is there."""
    there = np.logical_and(where, np.logical_not(np.isnan(a)))
    return np.std(np.asarray(a, dtype), axis, ddof=ddof, keepdims=keepdims, where=there)


@stands_for(np.atleast_1d)
def atleast_1d(*arys):
    """Several arrays."""
    return tuple([np.atleast_1d(a) for a in arys])


@stands_for(np.atleast_2d)
def atleast_2d(*arys):
    """Several arrays."""
    return tuple([np.atleast_2d(a) for a in arys])


@stands_for(np.atleast_3d)
def atleast_3d(*arys):
    """Several arrays."""
    return tuple([np.atleast_3d(a) for a in arys])


@stands_for(np.array)
def array(object, dtype=None, *, ndmin=0):
    """An array with so many axes at least."""
    made = np.array(object, dtype=dtype)
    return np.reshape(made, (1,) * (ndmin - np.ndim(made)) + np.shape(made))


@stands_for(np.full_like)
def full_like(a, fill_value, dtype=None, shape=None):
    """An array of another shape."""
    return np.full(shape, fill_value, np.asarray(a).dtype if dtype is None else dtype)


@stands_for(np.interp)
def interp(x, xp, fp, left=None, right=None, period=None):
    """What lies outside has values of its own, or there is no outside."""
    if period is not None:
        x, period = np.asarray(x, np.float64), np.abs(period)
        order = np.argsort(np.asarray(xp) % period)
        places, values = (np.asarray(xp) % period)[order], np.asarray(fp)[order]
        places = np.concatenate((places[-1:] - period, places, places[:1] + period))
        return np.interp(x % period, places, np.concatenate((values[-1:], values, values[:1])))
    y = np.interp(x, xp, fp)
    if left is not None:
        y = np.where(x < np.asarray(xp)[0], left, y)[()]
    if right is not None:
        y = np.where(x > np.asarray(xp)[-1], right, y)[()]
    return y


@stands_for(np.cross)
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The vectors of each factor along an axis of its own; ``axis`` stands for all three."""
    if axis is not None:
        axisa, axisb, axisc = axis, axis, axis
    z = np.cross(np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1))
    return z if np.shape(a)[axisa] == np.shape(b)[axisb] == 2 else np.moveaxis(z, -1, axisc)


@stands_for(np.logspace)
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Powers of bases that may be an array, along another axis."""
    exponents = np.linspace(start, stop, num, endpoint, axis=axis)
    if np.ndim(base) > 0:
        base = np.expand_dims(base, axis)
    values = np.power(base, exponents)
    return values if dtype is None else np.asarray(values, dtype)


@stands_for(np.geomspace)
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Even steps of logarithms, along another axis."""
    values = np.moveaxis(np.geomspace(start, stop, num, endpoint), 0, axis)
    return values if dtype is None else np.asarray(values, dtype)


@stands_for(np.linalg.svd)
def svd(a, full_matrices=True, *, hermitian=False):
    """Of a matrix that is its own adjoint the lower triangle is read."""
    return np.linalg.svd(_own_adjoint(a) if hermitian else a, full_matrices)


@stands_for(np.linalg.tensorsolve)
def tensorsolve(a, b, axes=None):
    """The axes that are summed stand at the end."""
    return np.linalg.tensorsolve(np.moveaxis(a, axes, tuple(range(-len(axes), 0))), b)


@stands_for(np.polyint)
def polyint(p, m=1, k=None):
    """An integral with constants."""
    constants = np.asarray(k) * np.ones(m)
    y = np.asarray(p)
    for j in range(m):
        y = np.concatenate((y / np.arange(len(y), 0, -1), np.reshape(constants[j], (1,))))
    return y


@stands_for(np.polyfit)
def polyfit(x, y, deg, rcond=None, full=False, w=None):
    """Weighted least squares."""
    if full:
        raise TypeError("np.polyfit(full=True) is not differentiated")
    weights = np.reshape(w, (-1, 1))
    values = np.asarray(y) * (weights if np.ndim(y) == 2 else np.asarray(w))
    return np.linalg.lstsq(np.vander(x, deg + 1) * weights, values, rcond=rcond)[0]


@stands_for(np.linalg.cholesky)
def cholesky(a, upper=False):
    """The upper factor is the lower one of the transposed matrix, which is read above its diagonal."""
    return np.swapaxes(np.linalg.cholesky(np.swapaxes(a, -1, -2)), -1, -2)


@stands_for(np.cov)
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    """Weighted by how often an observation was made, and by how much it counts."""
    rows = np.atleast_2d(m) if rowvar or np.ndim(m) < 2 else np.transpose(m)
    if y is not None:
        others = np.atleast_2d(y) if rowvar or np.ndim(y) < 2 else np.transpose(y)
        rows = np.concatenate((rows, others))
    often = np.ones(np.shape(rows)[1]) if fweights is None else np.asarray(fweights)
    share = np.ones(np.shape(rows)[1]) if aweights is None else np.asarray(aweights)
    weights = often * share
    total = np.sum(weights)
    lost = (0 if bias else 1) if ddof is None else ddof
    free = total - lost * np.sum(weights * share) / total
    away = rows - np.sum(rows * weights, 1, keepdims=True) / total
    return np.squeeze((away * weights) @ np.conj(np.transpose(away)) / free)


@stands_for(np.linalg.pinv)
def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    """Of a matrix that is its own adjoint the lower triangle is read."""
    return np.linalg.pinv(_own_adjoint(a) if hermitian else a, rtol if rcond is None else rcond)


def _own_adjoint(a):
    """The matrix that LAPACK sees: nothing above the diagonal is read, and of that the real part."""
    half = np.tril(a, -1)
    return half + np.conj(np.swapaxes(half, -1, -2)) + np.real(a) * np.eye(np.shape(a)[-1])


@stands_for(np.stack)
def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Arrays of another type of numbers."""
    return np.concatenate([np.expand_dims(a, axis) for a in arrays], axis, dtype=dtype)


@stands_for(np.vstack)
def vstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays of another type of numbers."""
    return np.concatenate([np.atleast_2d(a) for a in tup], 0, dtype=dtype)


@stands_for(np.hstack)
def hstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays of another type of numbers."""
    parts = [np.atleast_1d(a) for a in tup]
    return np.concatenate(parts, 0 if np.ndim(parts[0]) == 1 else 1, dtype=dtype)


@stands_for(np.trace)
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """A sum of another type of numbers."""
    return np.trace(np.asarray(a, dtype), offset, axis1, axis2)
