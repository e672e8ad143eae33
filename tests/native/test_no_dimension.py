"""Arrays of no dimension under Numba: `s[()]` has no last index."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba")


def crowded(a: Any) -> Any:
    s = np.zeros(())
    b, c = np.zeros(len(a)), np.zeros(len(a))
    for i in range(1, len(a)):
        b[i] = a[i] + c[i - 1]
        c[i] = b[i] * a[i - 1]
        a[i] = b[i] * c[i] + s[()]
        s[()] = c[i]
    return np.sum(a) + s[()]


def by_columns(a: Any) -> Any:
    s = np.ones(())
    n, m = a.shape
    for j in range(m):
        for i in range(n):
            a[i, j] = a[i, j] * s[()]
    for j in range(m):
        for i in range(n):
            s[()] += a[i, j]
    for j in range(m):
        s[()] = np.sum(a[:, j]) * s[()]
    return np.sum(a) * s[()]


@pytest.mark.parametrize(("f", "shape"), [(crowded, (4,)), (by_columns, (3, 4))])
def test_an_element_of_no_dimension(f: Any, shape: Any) -> None:
    a = np.random.default_rng(0).random(shape)
    np.testing.assert_allclose(tl.grad(f, compile="numba")(a), tl.grad(f)(a), rtol=1e-12)
