"""``scipy.ndimage``: filters, as windows of an array that is continued beyond its edges.

In: arguments of SciPy's functions.
Out: stand-ins.
Next: distances.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.standins.table import stands_for

MODES: dict[str, Any] = {
    "reflect": "symmetric",
    "grid-mirror": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "grid-wrap": "wrap",
}


def _continued(rows, before, after, mode, cval):
    """An array with so much more along each axis."""
    if np.ndim(rows) == 0:
        return rows
    widths = tuple([(before[k], after[k]) for k in range(np.ndim(rows))])
    if mode == "constant" or mode == "grid-constant":
        return np.pad(rows, widths, constant_values=cval)
    return np.pad(rows, widths, MODES[mode])


def _windows(x, shape, mode, cval, origin):
    """The windows round all elements, in the last axes."""
    rows = np.asarray(x)
    shifts = [origin] * np.ndim(rows) if isinstance(origin, int) else list(origin)
    before = [n // 2 + shift for n, shift in zip(shape, shifts)]
    after = [n - 1 - left for n, left in zip(shape, before)]
    whole = _continued(rows, before, after, mode, cval)
    return np.lib.stride_tricks.sliding_window_view(whole, tuple(shape))


@stands_for("scipy.ndimage.correlate")
def correlate(input, weights, mode="reflect", cval=0.0, origin=0):
    """The sum of the products of all windows with the weights."""
    windows = _windows(input, np.shape(weights), mode, cval, origin)
    return np.tensordot(windows, weights, np.ndim(weights))


@stands_for("scipy.ndimage.convolve")
def convolve(input, weights, mode="reflect", cval=0.0, origin=0):
    """The correlation with the weights turned round."""
    shifts = [origin] * np.ndim(weights) if isinstance(origin, int) else list(origin)
    shifts = [-shift - (1 - n % 2) for shift, n in zip(shifts, np.shape(weights))]
    windows = _windows(input, np.shape(weights), mode, cval, shifts)
    return np.tensordot(windows, np.flip(weights), np.ndim(weights))


def _along(x, weights, axis, mode, cval, origin):
    """The correlation along one axis."""
    rows = np.asarray(x)
    shape, shifts = [1] * np.ndim(rows), [0] * np.ndim(rows)
    shape[axis], shifts[axis] = np.size(weights), origin
    windows = _windows(rows, shape, mode, cval, shifts)
    return np.reshape(windows, (*np.shape(rows), -1)) @ np.asarray(weights)


@stands_for("scipy.ndimage.correlate1d")
def correlate1d(input, weights, axis=-1, mode="reflect", cval=0.0, origin=0):
    """Along one axis."""
    return _along(input, weights, axis, mode, cval, origin)


@stands_for("scipy.ndimage.convolve1d")
def convolve1d(input, weights, axis=-1, mode="reflect", cval=0.0, origin=0):
    """Along one axis, with the weights turned round."""
    shift = -origin - (1 - np.size(weights) % 2)
    return _along(input, np.flip(weights), axis, mode, cval, shift)


@stands_for("scipy.ndimage.uniform_filter1d")
def uniform_filter1d(input, size, axis=-1, mode="reflect", cval=0.0, origin=0):
    """The mean along one axis."""
    weights = np.full(size, 1.0 / size, np.result_type(input, np.float32))
    return _along(input, weights, axis, mode, cval, origin)


@stands_for("scipy.ndimage.uniform_filter")
def uniform_filter(input, size=3, mode="reflect", cval=0.0, origin=0):
    """The mean along each axis."""
    for axis in range(np.ndim(input)):
        width = size if isinstance(size, int) else size[axis]
        input = uniform_filter1d(input, width, axis, mode, cval, origin)
    return input


@stands_for("scipy.ndimage.gaussian_filter1d")
def gaussian_filter1d(
    input, sigma, axis=-1, order=0, mode="reflect", cval=0.0, truncate=4.0, *, radius=None
):
    """A bell along one axis, or one of its first three derivatives."""
    width = int(truncate * float(sigma) + 0.5) if radius is None else radius
    places = np.arange(-width, width + 1, dtype=np.result_type(input, np.float32))
    bell = np.exp(-0.5 * (places / sigma) ** 2)
    bell = bell / np.sum(bell)
    if order > 3:
        raise TypeError("scipy.ndimage.gaussian_filter1d is differentiated up to the order 3")
    if order == 1:
        bell = bell * places / sigma**2
    elif order == 2:
        bell = bell * ((places / sigma) ** 2 - 1.0) / sigma**2
    elif order == 3:
        bell = bell * ((places / sigma) ** 2 - 3.0) * places / sigma**4
    return _along(input, bell, axis, mode, cval, 0)


@stands_for("scipy.ndimage.gaussian_filter")
def gaussian_filter(input, sigma, order=0, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    """A bell along each axis."""
    for axis in range(np.ndim(input)):
        wide = sigma if np.ndim(sigma) == 0 else sigma[axis]
        which = order if isinstance(order, int) else order[axis]
        input = gaussian_filter1d(input, wide, axis, which, mode, cval, truncate, radius=radius)
    return input


@stands_for("scipy.ndimage.gaussian_laplace")
def gaussian_laplace(input, sigma, mode="reflect", cval=0.0):
    """The sum of the second derivatives."""
    count = np.ndim(input)
    parts = [
        gaussian_filter(input, sigma, tuple([2 * (k == axis) for k in range(count)]), mode, cval)
        for axis in range(count)
    ]
    return sum(parts[1:], parts[0])


@stands_for("scipy.ndimage.gaussian_gradient_magnitude")
def gaussian_gradient_magnitude(input, sigma, mode="reflect", cval=0.0):
    """The root of the sum of the squares of the first derivatives."""
    count = np.ndim(input)
    parts = [
        gaussian_filter(input, sigma, tuple([int(k == axis) for k in range(count)]), mode, cval)
        for axis in range(count)
    ]
    return np.sqrt(np.sum(np.stack(parts) ** 2, 0))


@stands_for("scipy.ndimage.sobel")
def sobel(input, axis=-1, mode="reflect", cval=0.0):
    """A difference along one axis, smooth along the others."""
    return _edges(input, axis, mode, cval, 2.0)


@stands_for("scipy.ndimage.prewitt")
def prewitt(input, axis=-1, mode="reflect", cval=0.0):
    """A difference along one axis, sums along the others."""
    return _edges(input, axis, mode, cval, 1.0)


def _edges(input, axis, mode, cval, middle):
    count, dtype = np.ndim(input), np.result_type(input, np.float32)
    result = _along(input, np.array([-1.0, 0.0, 1.0], dtype), axis, mode, cval, 0)
    for other in range(count):
        if other != axis % count:
            result = _along(result, np.array([1.0, middle, 1.0], dtype), other, mode, cval, 0)
    return result


@stands_for("scipy.ndimage.laplace")
def laplace(input, mode="reflect", cval=0.0):
    """The sum of second differences."""
    weights = np.array([1.0, -2.0, 1.0], np.result_type(input, np.float32))
    parts = [_along(input, weights, axis, mode, cval, 0) for axis in range(np.ndim(input))]
    return sum(parts[1:], parts[0])


def _square(input, size, mode, cval, origin):
    """All windows of one size, each in the last axis."""
    shape = [size] * np.ndim(input) if isinstance(size, int) else list(size)
    return np.reshape(_windows(input, shape, mode, cval, origin), (*np.shape(input), -1))


@stands_for("scipy.ndimage.maximum_filter")
def maximum_filter(input, size=None, *, mode="reflect", cval=0.0, origin=0):
    """The largest element of each window."""
    return np.max(_square(input, size, mode, cval, origin), -1)


@stands_for("scipy.ndimage.minimum_filter")
def minimum_filter(input, size=None, *, mode="reflect", cval=0.0, origin=0):
    """The smallest element of each window."""
    return np.min(_square(input, size, mode, cval, origin), -1)


@stands_for("scipy.ndimage.median_filter")
def median_filter(input, size=None, *, mode="reflect", cval=0.0, origin=0):
    """The middle element of each window."""
    windows = _square(input, size, mode, cval, origin)
    return np.sort(windows, -1)[..., np.shape(windows)[-1] // 2]
