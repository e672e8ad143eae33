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
def convolve2d(in1, in2, mode="full"):
    """Beyond the edges there is nothing."""
    return convolve_along(in1, in2, mode)


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
