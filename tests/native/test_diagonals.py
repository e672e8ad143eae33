"""Diagonals of matrices under Numba: views, as NumPy gives them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba")


def determinant(a: Any) -> Any:
    for k in range(len(a) - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return np.prod(a.diagonal())


def beside(a: Any) -> Any:
    s = np.sum(np.diagonal(a, offset=-1) ** 2) + np.sum(np.log(np.diagonal(a)))
    for k in range(-len(a) - 1, a.shape[1] + 2):
        d = a.diagonal(k)
        s += np.sum(d**2) * k
        for i in range(len(d)):
            s += d[i] * i
    return s


def turned(a: Any) -> Any:
    b = a @ a.T
    return np.sum(np.log(np.diagonal(b))) + np.sum(b[::-1].diagonal() * a[:, ::2].diagonal()[0])


@pytest.mark.parametrize("f", [determinant, beside, turned])
@pytest.mark.parametrize("shape", [(4, 4), (4, 3), (2, 5)])
def test_what_is_taken_out(f: Any, shape: Any) -> None:
    if f is determinant and shape[0] > shape[1]:
        return
    a = np.random.default_rng(0).random(shape) + 0.1
    np.testing.assert_allclose(tl.grad(f, compile="numba")(a), tl.grad(f)(a), rtol=1e-9)


def written_later(x: Any, a: Any) -> Any:
    d = np.diagonal(a, 1)
    a[0, 1] = 5.0
    for i in range(len(d)):
        a[i, i] = d[i] * 2
    return np.sum(d) * x + a[0, 0] * x


def test_a_view_sees_what_is_written() -> None:
    a = np.random.default_rng(0).random((4, 4))
    fast = tl.grad(written_later, compile="numba")
    np.testing.assert_allclose(fast(2.0, a), tl.grad(written_later)(2.0, a), rtol=1e-12)
