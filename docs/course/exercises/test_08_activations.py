"""Exercise 8: values against tangentlite.learn, slopes against tangentlite."""

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.learn import layers, losses

X = np.array([[-1000.0, -2.0, -0.5, 0.25], [3.0, 1000.0, -1.5, 0.75]])
ROWS = np.random.default_rng(2).normal(size=(6, 4))
LABELS = np.array([0, 3, 1, 1, 2, 0])


@pytest.mark.parametrize("name", ["ReLU", "LeakyReLU", "Logistic", "Softmax"])
def test_values(work, name):
    yours = {"ReLU": "relu", "LeakyReLU": "leaky"}.get(name, name.lower())
    found = getattr(work, yours)(X)
    np.testing.assert_allclose(found, getattr(layers, name)()(X), rtol=1e-12, atol=1e-300)


def test_the_slope_of_relu(work):
    x = np.array([-2.0, -0.5, 0.0, 0.25, 3.0])
    np.testing.assert_array_equal(work.relu_slope(x), [0.0, 0.0, 0.5, 1.0, 1.0])
    np.testing.assert_array_equal(
        work.relu_slope(x), tl.grad(lambda x: np.sum(np.maximum(x, 0.0)))(x)
    )


@pytest.mark.parametrize(
    ("name", "f"), [("logistic", lambda x: 1.0 / (1.0 + np.exp(-x))), ("tanh", np.tanh)]
)
def test_slopes_from_values(work, name, f):
    found = getattr(work, f"{name}_slope")(f(ROWS))
    np.testing.assert_allclose(found, tl.grad(lambda x: np.sum(f(x)))(ROWS), rtol=1e-12)


def test_the_jacobian_of_softmax(work):
    row = ROWS[0]
    found = work.softmax_jacobian(np.exp(row) / np.sum(np.exp(row)))
    np.testing.assert_allclose(found, tl.jacrev(layers.Softmax())(row), rtol=1e-12, atol=1e-16)


def test_cross_entropy(work):
    found = work.cross_entropy(ROWS, LABELS)
    np.testing.assert_allclose(found, losses.cross_entropy(ROWS, LABELS), rtol=1e-12)
    far = np.array([[1000.0, 0.0], [0.0, 1000.0]])
    assert work.cross_entropy(far, np.array([0, 0])) == 500.0


def test_the_gradient_of_cross_entropy(work):
    kept = ROWS.copy()
    found = work.cross_entropy_gradient(ROWS, LABELS)
    np.testing.assert_allclose(found, tl.grad(losses.cross_entropy)(ROWS, LABELS), rtol=1e-12)
    np.testing.assert_array_equal(ROWS, kept)
