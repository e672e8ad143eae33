"""Fourier transforms of real arrays, and of arrays that are cut or lengthened: their adjoints.

In: adjoints of transforms, and the operand (its shape only).
Out: adjoints of operands.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.shapes.broadcast import shape
from tangentlite.runtime.zero import ZERO

INVERSE = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


def one(n: Any) -> Any:
    """The length of one axis as the lengths of all: None stays None."""
    return None if n is None else (n,)


def other_norm(norm: Any) -> Any:
    """The name of the scaling that the inverse transform has under ``norm``."""
    return INVERSE[norm]


def shaped_axes(x: Any, s: Any = None, axes: Any = None) -> Any:
    """The axes that ``np.fft.fftn(x, s, axes)`` transforms: the last ones, if lengths are given only.

    >>> shaped_axes(np.zeros((2, 3, 4)), (3, 4)), shaped_axes(np.zeros((2, 3)))
    ((-2, -1), (0, 1))
    """
    if axes is not None:
        return axes
    rank = len(shape(x))
    return tuple(range(rank)) if s is None else tuple(range(-len(s), 0))


def resized(b: Any, x: Any) -> Any:
    """``b`` in the shape of ``x``: cut, or with zeros behind, along every axis.

    >>> resized(np.array([1.0, 2.0, 3.0]), np.zeros(2)), resized(np.ones(1), np.zeros(2))
    (array([1., 2.]), array([1., 0.]))
    """
    if b is ZERO or b.shape == shape(x):
        return b
    common = tuple(slice(min(m, n)) for m, n in zip(b.shape, shape(x), strict=True))
    result = np.zeros(shape(x), b.dtype)
    result[common] = b[common]
    return result


def _lengths(x: Any, s: Any, axes: Any) -> tuple[Any, list[int]]:
    axes = shaped_axes(x, s, axes)
    given = [None] * len(axes) if s is None else list(s)
    sizes = [
        shape(x)[k] if n is None or n == -1 else int(n) for k, n in zip(axes, given, strict=True)
    ]
    return axes, sizes


def unrfftn(b: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of ``np.fft.rfftn(x, s, axes, norm)``: the frequencies that it left out are zero.

    >>> unrfftn(np.array([1.0, 0.0]), np.zeros(3))
    array([1., 1., 1.])
    """
    if b is ZERO:
        return b
    axes, sizes = _lengths(x, s, axes)
    return resized(np.fft.fftn(b, sizes, axes, norm).real, x)


def unirfftn(b: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of ``np.fft.irfftn(x, s, axes, norm)``: frequencies inside count twice."""
    if b is ZERO:
        return b
    axes = shaped_axes(x, s, axes)
    n = shape(b)[axes[-1]]
    whole = np.fft.ifftn(b, None, axes, norm)
    rows = np.moveaxis(whole, axes[-1], -1)[..., : n // 2 + 1].copy()
    rows[..., 1 : (n + 1) // 2] *= 2.0
    return resized(np.moveaxis(rows, -1, axes[-1]), x)


def irfftn_like(x: Any, g: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """``np.fft.irfftn`` of ``x`` with a result in the shape of ``g``."""
    if x is ZERO:
        return x
    axes = shaped_axes(x, s, axes)
    return np.fft.irfftn(x, [shape(g)[k] for k in axes], axes, norm)
