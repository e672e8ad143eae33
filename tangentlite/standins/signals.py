"""``scipy.signal``, by NumPy.

In: arguments of SciPy's functions.
Out: stand-ins.
Next: densities.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite import runtime as rt
from tangentlite.standins.table import stands_for


@stands_for("scipy.signal.convolve")
def convolve(in1, in2, mode="full", method="auto"):
    """Along all axes; ``same`` has the shape of the first."""
    return convolve_along(in1, in2, mode)


@stands_for("scipy.signal.convolve2d")
def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """Beyond the edges there is nothing, or a value, or what continues the first array."""
    if mode == "valid" or (boundary == "fill" and fillvalue == 0):
        return convolve_along(in1, in2, mode)
    (rows, columns), (high, wide) = np.shape(in1), np.shape(in2)
    more = ((high - 1, high - 1), (wide - 1, wide - 1))
    if boundary == "fill":
        whole = np.pad(in1, more, constant_values=fillvalue)
    else:
        whole = np.pad(in1, more, "wrap" if boundary == "wrap" else "symmetric")
    whole = convolve_along(whole, in2, "valid")
    if mode == "full":
        return whole
    down, across = (high - 1) // 2, (wide - 1) // 2
    return whole[down : down + rows, across : across + columns]


@stands_for("scipy.signal.detrend")
def detrend(data, axis=-1, type="linear"):
    """Without the mean, or without the line that fits best."""
    rows = np.moveaxis(np.asarray(data), axis, -1)
    rows = rows - np.mean(rows, -1, keepdims=True)
    if type == "linear":
        times = np.arange(np.shape(rows)[-1], dtype=np.result_type(rows, np.float32))
        times = times - np.mean(times)
        rows = rows - np.expand_dims(rows @ times, -1) * times / np.sum(times * times)
    return np.moveaxis(rows, -1, axis)


@stands_for("scipy.signal.hilbert")
def hilbert(x, N=None, axis=-1):
    """The analytic signal: no negative frequencies."""
    count = np.shape(x)[axis] if N is None else N
    weights = np.zeros(count)
    weights[0] = 1.0
    weights[1 : (count + 1) // 2] = 2.0
    if count % 2 == 0:
        weights[count // 2] = 1.0
    whole = np.moveaxis(np.fft.fft(x, count, axis), axis, -1) * weights
    return np.moveaxis(np.fft.ifft(whole), -1, axis)


@stands_for("scipy.signal.sosfilt")
def sosfilt(sos, x, axis=-1):
    """Filters of second order, one after the other."""
    for k in range(len(sos)):
        x = lfilter(sos[k, :3], sos[k, 3:], x, axis)
    return x


@stands_for("scipy.signal.medfilt")
def medfilt(volume, kernel_size=3):
    """The middle element of each window of a row; beyond its ends there are zeros."""
    half = kernel_size // 2
    whole = np.pad(volume, half)
    return np.sort(np.lib.stride_tricks.sliding_window_view(whole, kernel_size), -1)[:, half]


@stands_for("scipy.signal.fftconvolve", "scipy.signal.oaconvolve")
def convolve_along(in1, in2, mode="full", axes=None):
    """A part of the full convolution along some axes."""
    whole = rt.convolved(in1, in2, axes)
    return whole if mode == "full" else whole[rt.middle(in1, in2, mode, axes)]


@stands_for("scipy.signal.correlate")
def correlate(in1, in2, mode="full", method="auto"):
    """The convolution with the second array turned round."""
    return convolve_along(in1, np.conj(np.flip(in2)), mode)


@stands_for("scipy.signal.correlate2d")
def correlate2d(in1, in2, mode="full"):
    """In ``valid`` mode the smaller array is conjugated; ``same`` is the middle of the arrays turned round."""
    smaller = np.shape(in1)[0] < np.shape(in2)[0] or np.shape(in1)[1] < np.shape(in2)[1]
    if mode == "valid" and smaller:
        return np.flip(convolve_along(in2, np.conj(np.flip(in1)), mode))
    return np.flip(convolve_along(np.flip(in1), np.conj(in2), mode))


@stands_for("scipy.signal.lfilter")
def lfilter(b, a, x, axis=-1):
    """A recurrence along one axis, from rest."""
    rows = np.moveaxis(np.asarray(x), axis, 0)
    kernel = np.reshape(b, (-1,) + (1,) * (np.ndim(x) - 1))
    ahead = rt.convolved(rows, kernel, 0)
    found: list[Any] = []
    for k in range(len(rows)):
        value = ahead[k]
        for j in range(1, min(len(a), k + 1)):
            value = value - a[j] * found[k - j]
        found.append(value / a[0])
    return np.moveaxis(np.stack(found), 0, axis)
