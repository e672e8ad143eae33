"""Quantiles: what each element has in them, however many are asked for, and whichever rule is meant.

In: an array, probabilities, the axes.
Out: tangents and adjoints.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.axes.choices import shared
from tangentlite.runtime.axes.scan import merge, unmerge
from tangentlite.runtime.shapes.broadcast import unreduce
from tangentlite.runtime.zero import ZERO

PLACE: Any = np.quantile


def from_quantiles(
    d: Any,
    x: Any,
    q: Any,
    axis: Any = None,
    keepdims: bool = False,
    method: str = "linear",
    skip: bool = False,
) -> Any:
    """The tangent of ``np.quantile(x, q, …)``; with ``skip`` that of ``np.nanquantile``.

    >>> from_quantiles(np.array([1.0, 10.0, 100.0]), np.array([3.0, 1.0, 2.0]), [0.5, 0.75])
    array([100. ,  50.5])
    """
    if d is ZERO:
        return d
    rows = [
        np.sum(_weights(x, p, axis, method, skip) * d, axis, keepdims=keepdims) for p in np.ravel(q)
    ]
    return np.reshape(np.stack(rows), (*np.shape(q), *np.shape(rows[0])))[()]


def to_quantiles(
    b: Any,
    x: Any,
    q: Any,
    axis: Any = None,
    keepdims: bool = False,
    method: str = "linear",
    skip: bool = False,
) -> Any:
    """The adjoint of ``x`` in ``np.quantile(x, q, …)``."""
    if b is ZERO:
        return b
    probabilities = np.ravel(q)
    rows = np.reshape(b, (len(probabilities), *np.shape(b)[np.ndim(q) :]))
    total: Any = 0.0
    for p, row in zip(probabilities, rows, strict=True):
        total = total + _weights(x, p, axis, method, skip) * unreduce(row, x, axis, keepdims)
    return total


def _weights(x: Any, q: float, axis: Any, method: str, skip: bool) -> Any:
    rows = merge(x, axis)
    if rows.size == 0:
        return np.zeros(np.shape(x), rows.dtype)
    order = np.argsort(rows, axis=-1, kind="stable")
    counts = np.sum(~np.isnan(rows), -1) if skip else np.full(rows.shape[:-1], rows.shape[-1])
    result = np.zeros(rows.shape, rows.dtype)
    at = np.zeros(counts.shape)
    for count in np.unique(counts):
        at[counts == count] = PLACE(np.arange(max(count, 1)), q, method=method)
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, rows.shape[-1] - 1)
    for place, share in ((low, 1.0 - (at - low)), (high, at - low)):
        index = np.take_along_axis(order, place[..., np.newaxis], -1)
        result += shared(rows, index, np.where(counts > 0, share, 0.0)[..., np.newaxis])
    return unmerge(result, x, axis)


def tail(x: Any, like: Any, axis: Any = None) -> Any:
    """The last entries of ``x`` along an axis, as many as ``like`` has."""
    if x is ZERO:
        return x
    axis = -1 if axis is None else axis
    size = np.shape(like)[axis] if np.ndim(like) else 1
    rows = np.moveaxis(x, axis, 0)
    return np.moveaxis(rows[len(rows) - size :], 0, axis)


def untail(b: Any, x: Any, axis: Any = None) -> Any:
    """The adjoint of ``tail``: as long as ``x``, with zeros in front.

    >>> untail(np.ones(2), np.zeros(3))
    array([0., 1., 1.])
    """
    if b is ZERO:
        return b
    axis = -1 if axis is None else axis
    rows = np.moveaxis(b, axis, 0)
    size = np.shape(x)[axis] if np.ndim(x) else 1
    result = np.zeros((size, *rows.shape[1:]), rows.dtype)
    result[len(result) - len(rows) :] = rows
    return np.moveaxis(result, 0, axis)


def observations(ds: Any, xs: Any, rowvar: bool = True) -> Any:
    """The variables of ``np.cov`` as rows: of ``m`` and of ``y``, tangents or values.

    >>> observations((np.ones(2), ZERO), (np.zeros(2), np.zeros(2)))
    array([[1., 1.],
           [0., 0.]])
    """
    if ds is ZERO:
        return ds
    return np.concatenate(
        [_rows(d, x, rowvar) for d, x in zip(ds, xs, strict=True) if x is not None]
    )


def _rows(d: Any, x: Any, rowvar: bool) -> Any:
    x = np.zeros(np.shape(x)) if d is ZERO else np.asarray(d)
    rows = np.atleast_2d(x.astype(np.result_type(x, float)))
    return rows if rowvar or len(rows) == 1 else rows.T


def unobserved(b: Any, xs: Any, rowvar: bool = True) -> Any:
    """The adjoint of ``observations``."""
    if b is ZERO:
        return b
    parts: list[Any] = []
    start = 0
    for x in xs:
        if x is None:
            parts.append(ZERO)
            continue
        flat = rowvar or len(np.atleast_2d(x)) == 1
        stop = start + (len(np.atleast_2d(x)) if flat else np.shape(x)[1])
        rows = b[start:stop]
        parts.append(np.reshape(rows if flat else rows.T, np.shape(x)))
        start = stop
    return parts


def freedom(rows: Any, bias: bool = False, ddof: Any = None) -> float:
    """What ``np.cov`` divides by: the number of observations, less one."""
    return float(np.shape(rows)[1] - ((0 if bias else 1) if ddof is None else ddof))
