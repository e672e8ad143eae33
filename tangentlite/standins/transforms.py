"""``scipy.fft``, by ``np.fft``; cosine transforms are Fourier transforms of what is continued evenly.

In: arguments of SciPy's functions.
Out: stand-ins.
Next: densities.
"""

from __future__ import annotations

import math

import numpy as np

from tangentlite.standins.table import stands_for


@stands_for("scipy.fft.fft")
def fft(x, n=None, axis=-1, norm=None):
    """As NumPy's."""
    return np.fft.fft(x, n, axis, norm)


@stands_for("scipy.fft.ifft")
def ifft(x, n=None, axis=-1, norm=None):
    """As NumPy's."""
    return np.fft.ifft(x, n, axis, norm)


@stands_for("scipy.fft.rfft")
def rfft(x, n=None, axis=-1, norm=None):
    """As NumPy's."""
    return np.fft.rfft(x, n, axis, norm)


@stands_for("scipy.fft.irfft")
def irfft(x, n=None, axis=-1, norm=None):
    """As NumPy's."""
    return np.fft.irfft(x, n, axis, norm)


@stands_for("scipy.fft.hfft")
def hfft(x, n=None, axis=-1, norm=None):
    """As NumPy's."""
    return np.fft.hfft(x, n, axis, norm)


@stands_for("scipy.fft.ihfft")
def ihfft(x, n=None, axis=-1, norm=None):
    """As NumPy's."""
    return np.fft.ihfft(x, n, axis, norm)


@stands_for("scipy.fft.fft2")
def fft2(x, s=None, axes=(-2, -1), norm=None):
    """As NumPy's."""
    return np.fft.fftn(x, s, axes, norm)


@stands_for("scipy.fft.ifft2")
def ifft2(x, s=None, axes=(-2, -1), norm=None):
    """As NumPy's."""
    return np.fft.ifftn(x, s, axes, norm)


@stands_for("scipy.fft.fftn")
def fftn(x, s=None, axes=None, norm=None):
    """As NumPy's."""
    return np.fft.fftn(x, s, axes, norm)


@stands_for("scipy.fft.ifftn")
def ifftn(x, s=None, axes=None, norm=None):
    """As NumPy's."""
    return np.fft.ifftn(x, s, axes, norm)


@stands_for("scipy.fft.rfft2")
def rfft2(x, s=None, axes=(-2, -1), norm=None):
    """As NumPy's."""
    return np.fft.rfftn(x, s, axes, norm)


@stands_for("scipy.fft.irfft2")
def irfft2(x, s=None, axes=(-2, -1), norm=None):
    """As NumPy's."""
    return np.fft.irfftn(x, s, axes, norm)


@stands_for("scipy.fft.rfftn")
def rfftn(x, s=None, axes=None, norm=None):
    """As NumPy's."""
    return np.fft.rfftn(x, s, axes, norm)


@stands_for("scipy.fft.irfftn")
def irfftn(x, s=None, axes=None, norm=None):
    """As NumPy's."""
    return np.fft.irfftn(x, s, axes, norm)


@stands_for("scipy.fft.dct")
def dct(x, type=2, *, axis=-1, norm=None):
    """Of the second and third type."""
    if type == 3:
        whole = idct(x, axis=axis, norm=norm)
        return whole if norm == "ortho" else 2.0 * np.shape(x)[axis] * whole
    if type != 2:
        raise TypeError("scipy.fft.dct is differentiated for the types 2 and 3 only")
    rows = np.moveaxis(x, axis, -1)
    count = np.shape(rows)[-1]
    whole = np.fft.fft(np.concatenate((rows, np.flip(rows, -1)), -1))[..., :count]
    turned = np.real(whole * np.exp(-0.5j * math.pi / count * np.arange(count)))
    turned = turned * _weights(count) if norm == "ortho" else turned
    return np.moveaxis(np.asarray(turned, np.result_type(x, np.float32)), -1, axis)


@stands_for("scipy.fft.idct")
def idct(x, type=2, *, axis=-1, norm=None):
    """The inverse of the second type."""
    if type != 2:
        raise TypeError("scipy.fft.idct is differentiated for the type 2 only")
    rows = np.moveaxis(x, axis, -1)
    count = np.shape(rows)[-1]
    rows = rows / _weights(count) if norm == "ortho" else rows
    phases = np.exp(0.5j * math.pi / count * np.arange(count))
    whole = 2.0 * np.real(np.fft.ifft(rows * phases, 2 * count))[..., :count]
    whole = whole - rows[..., :1] / (2.0 * count)
    return np.moveaxis(np.asarray(whole, np.result_type(x, np.float32)), -1, axis)


def _weights(count):
    """What makes the rows of a cosine transform as long as one."""
    return np.where(np.arange(count) == 0, math.sqrt(0.25 / count), math.sqrt(0.5 / count))


@stands_for("scipy.fft.dctn")
def dctn(x, type=2, *, axes=None, norm=None):
    """Along several axes, one after the other."""
    for axis in range(np.ndim(x)) if axes is None else axes:
        x = dct(x, type, axis=axis, norm=norm)
    return x


@stands_for("scipy.fft.idctn")
def idctn(x, type=2, *, axes=None, norm=None):
    """Along several axes, one after the other."""
    for axis in range(np.ndim(x)) if axes is None else axes:
        x = idct(x, type, axis=axis, norm=norm)
    return x
