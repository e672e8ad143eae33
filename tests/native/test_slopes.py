"""``np.gradient`` along the axes of planes and solids, and lengths of complex numbers: compiled as they are interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("numba", reason="Numba is an extra")

A, W, C = normal(size=(4, 5)), normal(size=(4, 5)), normal(size=(2, 3, 4))


def planes(a, w):
    gx, gy = np.gradient(a)
    a *= gx * w + gy * gy
    return np.sum(a * w)


def along_axes(a, w):
    a += np.gradient(a, 0.2, axis=-1) ** 2 + np.gradient(a, axis=0)
    return np.sum(a * w)


def solids(c):
    gx, gy, gz = np.gradient(c, 0.5)
    return np.sum(gx * gy * gz) + np.sum(np.gradient(c, axis=1) ** 2)


def lines(a):
    return np.sum(np.gradient(a[0], 0.5) ** 2 * np.gradient(a[1]))


PROGRAMS = [(planes, (A, W)), (along_axes, (A, W)), (solids, (C,)), (lines, (A,))]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_slopes(program: Any) -> None:
    agree(*program)


def test_one_point_has_no_slope() -> None:
    with pytest.raises(ValueError, match="at least two elements"):
        tl.grad(lambda a: np.sum(np.gradient(a, axis=0)), compile="numba")(A[:1])


def lengths(z, w):
    return np.sum(np.abs(z) * w)


def test_lengths_of_complex_numbers() -> None:
    z = A + 1j * W
    z[0, 0] = 0.0
    found = tl.grad(lengths, compile="numba")(z.copy(), W)
    np.testing.assert_allclose(found, tl.grad(lengths)(z, W), rtol=1e-12)
