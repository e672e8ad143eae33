"""Fourier transforms: symmetric matrices, hence their own adjoints.

In: real or complex arrays; the compiler takes the real part for a real operand.
Out: rules.
Next: indexing.
"""

from __future__ import annotations

import numpy as np

from tangentlite.rules.notation import b, linear


@linear(np.fft.fft, in_=("x",))
def fft(x, *, axis=-1, norm=None) -> y:
    b[x] += np.fft.fft(b[y], axis=axis, norm=norm)


@linear(np.fft.ifft, in_=("x",))
def ifft(x, *, axis=-1, norm=None) -> y:
    b[x] += np.fft.ifft(b[y], axis=axis, norm=norm)


@linear(np.fft.fft2, in_=("x",))
def fft2(x, *, axes=(-2, -1), norm=None) -> y:
    b[x] += np.fft.fft2(b[y], axes=axes, norm=norm)


@linear(np.fft.ifft2, in_=("x",))
def ifft2(x, *, axes=(-2, -1), norm=None) -> y:
    b[x] += np.fft.ifft2(b[y], axes=axes, norm=norm)
