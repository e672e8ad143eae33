"""Functions of complex numbers, by those of their sizes and parts.

In: complex arrays.
Out: stand-ins.
Next: parameters.
"""

from __future__ import annotations

import numpy as np

from tangentlite.standins.table import stands_for_complex


@stands_for_complex(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    """The norm of the absolute values; spectral norms need the matrix itself."""
    two = np.ndim(x) == 2 if axis is None else isinstance(axis, tuple) and len(axis) == 2
    if two and (ord == 2 or ord == -2 or ord == "nuc"):
        raise TypeError("spectral norms of complex matrices are not differentiated")
    return np.linalg.norm(np.abs(x), ord, axis, keepdims)


@stands_for_complex(np.linalg.vector_norm)
def vector_norm(x, axis=None, keepdims=False, ord=2):
    """The norm of the absolute values."""
    return np.linalg.vector_norm(np.abs(x), axis=axis, keepdims=keepdims, ord=ord)


@stands_for_complex(np.var)
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    """The mean square of the distances to the mean."""
    away = a - np.mean(a, axis, keepdims=True, where=where)
    squares = np.real(away) ** 2 + np.imag(away) ** 2
    count = np.sum(np.broadcast_to(where, np.shape(a)), axis, keepdims=keepdims)
    return np.sum(squares, axis, keepdims=keepdims, where=where) / (count - ddof)


@stands_for_complex(np.std)
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    """The root of the variance."""
    square = var(a, axis, None, None, ddof, keepdims, where)
    varies = square > 0  # the deviation of what is constant has no derivative: zero
    return np.sqrt(np.where(varies, square, 1.0)) * varies


@stands_for_complex(np.linalg.eigvalsh)
def eigvalsh(a, UPLO="L"):
    """Those of the real matrix of real and imaginary parts, where each comes twice."""
    lower = np.tril(a, -1) if UPLO.upper() == "L" else np.conj(np.swapaxes(np.triu(a, 1), -1, -2))
    half = np.imag(lower) - np.swapaxes(np.imag(lower), -1, -2)
    even = np.real(lower) + np.swapaxes(np.real(lower), -1, -2)
    whole = even + np.real(a) * np.eye(np.shape(a)[-1])
    top = np.concatenate((whole, -half), -1)
    return np.linalg.eigvalsh(np.concatenate((top, np.concatenate((half, whole), -1)), -2))[
        ..., ::2
    ]


@stands_for_complex(np.linalg.svdvals)
def svdvals(x):
    """Those of the real matrix of real and imaginary parts, where each comes twice."""
    top = np.concatenate((np.real(x), -np.imag(x)), -1)
    below = np.concatenate((np.imag(x), np.real(x)), -1)
    return np.linalg.svdvals(np.concatenate((top, below), -2))[..., ::2]
