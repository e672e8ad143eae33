"""Fourier transforms: symmetric matrices, hence their own adjoints.

In: real or complex arrays; ``rt.unbroadcast`` takes the real part for a real operand.
Out: rules.
Next: indexing.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, linear, rule  # noqa: F401 (d is a parameter too)

inactive(rt.shaped_axes)


@linear(np.fft.fft, in_=("x",))
def fft(x, n=None, axis=-1, norm=None) -> y:
    b[x] += rt.unbroadcast(rt.resized(np.fft.fft(b[y], axis=axis, norm=norm), x), x)


@fft.when(lambda n: n.literal is None)
def fft_of_all(x, n=None, axis=-1, norm=None) -> y:
    b[x] += rt.unbroadcast(np.fft.fft(b[y], axis=axis, norm=norm), x)


@linear(np.fft.ifft, in_=("x",))
def ifft(x, n=None, axis=-1, norm=None) -> y:
    b[x] += rt.unbroadcast(rt.resized(np.fft.ifft(b[y], axis=axis, norm=norm), x), x)


@ifft.when(lambda n: n.literal is None)
def ifft_of_all(x, n=None, axis=-1, norm=None) -> y:
    b[x] += rt.unbroadcast(np.fft.ifft(b[y], axis=axis, norm=norm), x)


@linear(np.fft.fft2, in_=("x",), constant=("s", "axes"))
def fft2(x, s=None, axes=(-2, -1), norm=None) -> y:
    b[x] += rt.unbroadcast(
        rt.resized(np.fft.fft2(b[y], axes=rt.shaped_axes(x, s, axes), norm=norm), x), x
    )


@fft2.when(lambda s: s.literal is None)
def fft2_of_all(x, s=None, axes=(-2, -1), norm=None) -> y:
    b[x] += rt.unbroadcast(np.fft.fft2(b[y], axes=axes, norm=norm), x)


@linear(np.fft.ifft2, in_=("x",), constant=("s", "axes"))
def ifft2(x, s=None, axes=(-2, -1), norm=None) -> y:
    b[x] += rt.unbroadcast(
        rt.resized(np.fft.ifft2(b[y], axes=rt.shaped_axes(x, s, axes), norm=norm), x), x
    )


@ifft2.when(lambda s: s.literal is None)
def ifft2_of_all(x, s=None, axes=(-2, -1), norm=None) -> y:
    b[x] += rt.unbroadcast(np.fft.ifft2(b[y], axes=axes, norm=norm), x)


@linear(np.fft.fftn, in_=("x",), constant=("s", "axes"))
def fftn(x, s=None, axes=None, norm=None) -> y:
    b[x] += rt.unbroadcast(
        rt.resized(np.fft.fftn(b[y], axes=rt.shaped_axes(x, s, axes), norm=norm), x), x
    )


@fftn.when(lambda s: s.literal is None)
def fftn_of_all(x, s=None, axes=None, norm=None) -> y:
    b[x] += rt.unbroadcast(np.fft.fftn(b[y], axes=axes, norm=norm), x)


@linear(np.fft.ifftn, in_=("x",), constant=("s", "axes"))
def ifftn(x, s=None, axes=None, norm=None) -> y:
    b[x] += rt.unbroadcast(
        rt.resized(np.fft.ifftn(b[y], axes=rt.shaped_axes(x, s, axes), norm=norm), x), x
    )


@ifftn.when(lambda s: s.literal is None)
def ifftn_of_all(x, s=None, axes=None, norm=None) -> y:
    b[x] += rt.unbroadcast(np.fft.ifftn(b[y], axes=axes, norm=norm), x)


@linear(np.fft.rfft, in_=("x",))
def rfft(x, n=None, axis=-1, norm=None) -> y:
    b[x] += rt.unrfftn(b[y], x, rt.one(n), (axis,), norm)


@linear(np.fft.rfft2, in_=("x",), constant=("s", "axes"))
def rfft2(x, s=None, axes=(-2, -1), norm=None) -> y:
    b[x] += rt.unrfftn(b[y], x, s, axes, norm)


@linear(np.fft.rfftn, in_=("x",), constant=("s", "axes"))
def rfftn(x, s=None, axes=None, norm=None) -> y:
    b[x] += rt.unrfftn(b[y], x, s, axes, norm)


@linear(np.fft.irfft, in_=("x",))
def irfft(x, n=None, axis=-1, norm=None) -> y:
    b[x] += rt.unbroadcast(rt.unirfftn(b[y], x, rt.one(n), (axis,), norm), x)


@linear(np.fft.irfft2, in_=("x",), constant=("s", "axes"))
def irfft2(x, s=None, axes=(-2, -1), norm=None) -> y:
    b[x] += rt.unbroadcast(rt.unirfftn(b[y], x, s, axes, norm), x)


@linear(np.fft.irfftn, in_=("x",), constant=("s", "axes"))
def irfftn(x, s=None, axes=None, norm=None) -> y:
    b[x] += rt.unbroadcast(rt.unirfftn(b[y], x, s, axes, norm), x)


@linear(np.fft.hfft, in_=("x",))
def hfft(x, n=None, axis=-1, norm=None) -> y:
    b[x] += rt.unbroadcast(
        np.conj(rt.unirfftn(b[y], x, rt.one(n), (axis,), rt.other_norm(norm))), x
    )


@linear(np.fft.ihfft, in_=("x",))
def ihfft(x, n=None, axis=-1, norm=None) -> y:
    b[x] += rt.unrfftn(np.conj(b[y]), x, rt.one(n), (axis,), rt.other_norm(norm))


@linear(np.fft.fftshift, in_=("x",))
def fftshift(x, axes=None) -> y:
    b[x] += np.fft.ifftshift(b[y], axes)


@linear(np.fft.ifftshift, in_=("x",))
def ifftshift(x, axes=None) -> y:
    b[x] += np.fft.fftshift(b[y], axes)


@rule(np.fft.fftfreq, np.fft.rfftfreq)
def fftfreq(n, d=1.0) -> f:
    """Frequencies are proportional to the inverse of the spacing."""
    d[f] = -f / d * d[d]
    b[d] -= np.sum(f / d * b[f])


# The functions of the runtime.
inactive(rt.one, rt.other_norm)


@linear(rt.resized, in_=("g",))
def resized(g, x) -> y:
    b[g] += rt.resized(b[y], g)


@linear(rt.unrfftn, in_=("g",))
def unrfftn(g, x, s=None, axes=None, norm=None) -> y:
    b[g] += rt.unbroadcast(np.fft.rfftn(b[y], s, axes, norm), g)


@linear(rt.unirfftn, in_=("g",))
def unirfftn(g, x, s=None, axes=None, norm=None) -> y:
    b[g] += rt.irfftn_like(b[y], g, s, axes, norm)


@linear(rt.irfftn_like, in_=("x",))
def irfftn_like(x, g, s=None, axes=None, norm=None) -> y:
    b[x] += rt.unbroadcast(rt.unirfftn(b[y], x, s, axes, norm), x)
