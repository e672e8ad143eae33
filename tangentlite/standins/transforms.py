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


@stands_for("scipy.fft.fftshift")
def fftshift(x, axes=None):
    """As NumPy's."""
    return np.fft.fftshift(x, axes)


@stands_for("scipy.fft.ifftshift")
def ifftshift(x, axes=None):
    """As NumPy's."""
    return np.fft.ifftshift(x, axes)


@stands_for("scipy.fft.dct")
def dct(x, type=2, n=None, axis=-1, norm=None):
    """Of all types."""
    return _along(x, type, n, axis, norm, False)


@stands_for("scipy.fft.dst")
def dst(x, type=2, n=None, axis=-1, norm=None):
    """Of all types."""
    return _along(x, type, n, axis, norm, True)


@stands_for("scipy.fft.idct")
def idct(x, type=2, n=None, axis=-1, norm=None):
    """The inverse is the transform of the type that belongs to it."""
    return _along(x, _inverse(type), n, axis, _other(norm), False)


@stands_for("scipy.fft.idst")
def idst(x, type=2, n=None, axis=-1, norm=None):
    """The inverse is the transform of the type that belongs to it."""
    return _along(x, _inverse(type), n, axis, _other(norm), True)


def _inverse(type):
    return 5 - type if type == 2 or type == 3 else type


def _other(norm):
    if norm == "ortho":
        return norm
    return "backward" if norm == "forward" else "forward"


def _along(x, type, n, axis, norm, odd):
    """Rows put where a Fourier transform, four or eight times as long, has cosines or sines at the places wanted."""
    rows = np.moveaxis(np.asarray(x), axis, -1)
    if n is not None:
        short = max(0, n - np.shape(rows)[-1])
        rows = np.pad(rows, [(0, 0)] * (np.ndim(rows) - 1) + [(0, short)])[..., :n]
    count = np.shape(rows)[-1]
    size = 2 * (count + (odd - (not odd)) * (type == 1))
    read, put = _steps(count, type, odd)
    first, last = _scales(count, type, norm, odd)
    long = {1: size, 2: 2 * size, 3: 2 * size, 4: 4 * size}[type]
    index = np.full(long, count)
    index[put] = np.arange(count)
    filled = np.concatenate((rows * first, np.zeros_like(rows[..., :1])), -1)
    whole = np.fft.fft(filled[..., index])[..., read]
    turned = (-np.imag(whole) if odd else np.real(whole)) * last
    if norm == "forward":
        turned = turned / size
    elif norm == "ortho":
        turned = turned / math.sqrt(size)
    return np.moveaxis(np.asarray(turned, np.result_type(x, np.float32)), -1, axis)


def _steps(count, type, odd):
    """Where the transform is read, and where the elements are put."""
    plain, middle = np.arange(count) + odd, 2 * np.arange(count) + 1
    return (middle if type > 2 else plain), (middle if type == 2 or type == 4 else plain)


def _scales(count, type, norm, odd):
    """Factors of the elements before and after: the ends count half, or by the root of a half."""
    ends = np.zeros(count)
    if type == 1 and not odd:
        ends[0] = ends[count - 1] = 1.0
    elif type == 2 or type == 3:
        ends[count - 1 if odd else 0] = 1.0
    if norm != "ortho":
        half = type == 3 or (type == 1 and not odd)
        return (2.0 - ends if half else 2.0), 1.0
    root = 1.0 + ends * (math.sqrt(0.5) - 1.0)
    if type == 2:
        return 2.0, root
    if type == 3:
        return 2.0 * root, 1.0
    return 2.0 * root, root


@stands_for("scipy.fft.dctn")
def dctn(x, type=2, s=None, axes=None, norm=None):
    """Along several axes, one after the other."""
    for k, axis in enumerate(range(np.ndim(x)) if axes is None else axes):
        x = dct(x, type, None if s is None else s[k], axis, norm)
    return x


@stands_for("scipy.fft.idctn")
def idctn(x, type=2, s=None, axes=None, norm=None):
    """Along several axes, one after the other."""
    for k, axis in enumerate(range(np.ndim(x)) if axes is None else axes):
        x = idct(x, type, None if s is None else s[k], axis, norm)
    return x


@stands_for("scipy.fft.dstn")
def dstn(x, type=2, s=None, axes=None, norm=None):
    """Along several axes, one after the other."""
    for k, axis in enumerate(range(np.ndim(x)) if axes is None else axes):
        x = dst(x, type, None if s is None else s[k], axis, norm)
    return x


@stands_for("scipy.fft.idstn")
def idstn(x, type=2, s=None, axes=None, norm=None):
    """Along several axes, one after the other."""
    for k, axis in enumerate(range(np.ndim(x)) if axes is None else axes):
        x = idst(x, type, None if s is None else s[k], axis, norm)
    return x
