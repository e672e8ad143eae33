"""Exercise 13: JAX's gradients against tangentlite's, to rounding."""

import numpy as np
import pytest

import tangentlite as tl

jax = pytest.importorskip("jax", reason="JAX is not installed (pip install jax)")


def problem():
    rng = np.random.default_rng(7)
    p = {"w1": rng.normal(size=(4, 7)), "b1": 0.1 * rng.normal(size=7)}
    p |= {"w2": rng.normal(size=(7, 3)), "b2": 0.1 * rng.normal(size=3)}
    return p, rng.normal(size=(20, 4)), rng.integers(0, 3, 20)


def same(found, expected):
    assert found.keys() == expected.keys()
    for name in expected:
        assert isinstance(found[name], np.ndarray)
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-11, atol=1e-14)


def test_the_loss(work):
    p, x, labels = problem()
    np.testing.assert_allclose(work.loss(p, x, labels), work.numpy_loss(p, x, labels), rtol=1e-13)


def test_the_gradient(work):
    p, x, labels = problem()
    same(work.gradient(p, x, labels), tl.grad(work.numpy_loss)(p, x, labels))


def test_the_gradients_of_rows(work):
    p, x, labels = problem()
    slope = tl.grad(work.numpy_loss)
    rows = [slope(p, x[k : k + 1], labels[k : k + 1]) for k in range(len(x))]
    same(work.gradients_of_rows(p, x, labels), {n: np.stack([r[n] for r in rows]) for n in p})
