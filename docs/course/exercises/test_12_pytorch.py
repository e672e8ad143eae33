"""Exercise 12: PyTorch's gradients and training against tangentlite's, to rounding."""

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.learn.optimizers import Momentum
from tangentlite.learn.searches import minimize

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install torch)")


def problem():
    rng = np.random.default_rng(6)
    p = {"w1": rng.normal(size=(4, 7)), "b1": 0.1 * rng.normal(size=7)}
    p |= {"w2": rng.normal(size=(7, 3)), "b2": 0.1 * rng.normal(size=3)}
    return p, rng.normal(size=(20, 4)), rng.integers(0, 3, 20)


def same(found, expected, rtol):
    assert found.keys() == expected.keys()
    for name in expected:
        assert isinstance(found[name], np.ndarray)
        np.testing.assert_allclose(found[name], expected[name], rtol=rtol, atol=1e-14)


def test_the_loss(work):
    p, x, labels = problem()
    tensors = {name: torch.tensor(value) for name, value in p.items()}
    found = work.loss(tensors, torch.tensor(x), torch.tensor(labels))
    np.testing.assert_allclose(float(found), work.numpy_loss(p, x, labels), rtol=1e-13)


def test_the_gradient(work):
    p, x, labels = problem()
    same(work.gradient(p, x, labels), tl.grad(work.numpy_loss)(p, x, labels), 1e-11)


def test_training(work):
    p, x, labels = problem()
    kept = {name: value.copy() for name, value in p.items()}
    found = work.train(p, x, labels, 0.05, 30)
    expected, _ = minimize(work.numpy_loss, p, x, labels, optimizer=Momentum(0.05), steps=30)
    same(found, expected, 1e-9)
    same(p, kept, 0.0)
