"""Padding in every mode: one axis after the other, each a linear map along it.

In: an array, the widths, and a mode. Of the values only which entries win an extremum is read.
Out: a tangent padded as its array is, and the adjoint of that.
Next: the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tangentlite.runtime.axes.choices import quantile_shares
from tangentlite.runtime.axes.scan import shares
from tangentlite.runtime.shapes.broadcast import shape, unbroadcast
from tangentlite.runtime.shapes.gathering import numbered, ungather
from tangentlite.runtime.shapes.layout import pairs
from tangentlite.runtime.zero import ZERO

Step = tuple[int, tuple[int, int], Any]
PAD: Any = np.pad
GATHERING = ("edge", "reflect", "symmetric", "wrap")


def padded(
    d: Any, x: Any, pad_width: Any, mode: str, stat_length: Any = None, reflect_type: str = "even"
) -> Any:
    """The tangent of ``np.pad(x, …)``, if the constants do not move.

    >>> padded(np.array([1.0, 2.0]), np.array([5.0, 3.0]), 1, "maximum")
    array([1., 1., 2., 1.])
    """
    if d is ZERO:
        return d
    if mode in GATHERING and reflect_type == "even":
        return PAD(d, pad_width, mode)
    for axis, _, matrices in _steps(x, pad_width, mode, stat_length, reflect_type):
        rows = np.moveaxis(d, axis, -1)[..., np.newaxis]
        ends = [(matrix.astype(rows.dtype) @ rows)[..., 0] for matrix in matrices]
        d = np.moveaxis(np.concatenate([ends[0], rows[..., 0], ends[1]], -1), -1, axis)
    return d


def unpadded(
    b: Any, x: Any, pad_width: Any, mode: str, stat_length: Any = None, reflect_type: str = "even"
) -> Any:
    """The adjoint of ``x`` in ``np.pad(x, …)``.

    >>> unpadded(np.array([1.0, 2.0, 4.0, 8.0]), np.zeros(2), 1, "edge")
    array([ 3., 12.])
    """
    if b is ZERO:
        return b
    if mode in GATHERING and reflect_type == "even":
        return ungather(b, x, PAD(numbered(x), pad_width, mode))
    for axis, (before, after), matrices in reversed(
        list(_steps(x, pad_width, mode, stat_length, reflect_type))
    ):
        rows = np.moveaxis(b, axis, -1)
        last = rows.shape[-1] - after
        b = rows[..., before:last]
        for matrix, end in zip(matrices, (rows[..., :before], rows[..., last:]), strict=True):
            b = b + (np.swapaxes(matrix, -1, -2).astype(b.dtype) @ end[..., np.newaxis])[..., 0]
        b = np.moveaxis(b, -1, axis)
    return unbroadcast(b, x)


def _steps(
    x: Any, pad_width: Any, mode: str, stat_length: Any, reflect_type: str
) -> Iterator[Step]:
    """Axis by axis: how wide, and the matrices that make the values put before and behind."""
    if not isinstance(mode, str):
        raise TypeError("np.pad with a function as mode is not differentiated")
    widths = pairs(pad_width, len(shape(x)))
    now = np.asarray(x)
    for axis, (before, after) in enumerate(widths):
        n = now.shape[axis]
        if mode in ("maximum", "minimum", "mean", "median"):
            lengths = (n, n) if stat_length is None else pairs(stat_length, now.ndim)[axis]
            rows = np.moveaxis(now, axis, -1)
            matrices = [_statistic(rows, mode, before, slice(0, min(lengths[0], n)))]
            matrices += [_statistic(rows, mode, after, slice(n - min(lengths[1], n), n))]
        else:
            matrix = _matrix(n, (before, after), mode, reflect_type)
            matrices = [matrix[:before], matrix[before + n :]]
        yield axis, (before, after), matrices
        now = PAD(
            now,
            [(before, after) if k == axis else (0, 0) for k in range(now.ndim)],
            mode,
            **_options(mode, stat_length, reflect_type, now.ndim),
        )


def _options(mode: str, stat_length: Any, reflect_type: str, rank: int) -> dict[str, Any]:
    if mode in ("maximum", "minimum", "mean", "median"):
        return {"stat_length": None if stat_length is None else pairs(stat_length, rank)}
    return {"reflect_type": reflect_type} if mode in ("reflect", "symmetric") else {}


def _matrix(n: int, widths: tuple[int, int], mode: str, reflect_type: str) -> Any:
    """What padding makes of the unit vectors of length ``n``."""
    options = _options(mode, None, reflect_type, 2)
    return PAD(np.eye(n), (widths, (0, 0)), "constant" if mode == "empty" else mode, **options)


def _statistic(rows: Any, mode: str, width: int, part: slice) -> Any:
    """The rows of weights with which ``mode`` makes one value of a part of each row, ``width`` times."""
    chunk = rows[..., part]
    share = np.zeros(rows.shape)
    if mode == "mean":
        share[..., part] = 1.0 / chunk.shape[-1]
    elif mode == "median":
        share[..., part] = quantile_shares(chunk, 0.5, -1)
    else:
        extremum = np.max if mode == "maximum" else np.min
        share[..., part] = shares(chunk, extremum(chunk, -1), -1)
    return np.repeat(share[..., np.newaxis, :], width, -2)
