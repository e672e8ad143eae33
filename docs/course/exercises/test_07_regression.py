"""Exercise 7: gradients against tangentlite, fits against tangentlite.learn."""

import numpy as np

import tangentlite as tl
from tangentlite.learn.losses import binary
from tangentlite.learn.optimizers import GradientDescent
from tangentlite.learn.searches import minimize


def samples():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(80, 3))
    y = x @ np.array([1.0, -2.0, 0.5]) + 0.25 + 0.1 * rng.normal(size=80)
    return x, y


W, B = np.array([0.3, -0.1, 0.2]), 0.4


def same(found, expected, rtol=1e-12):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-14)


def test_the_linear_gradient(work):
    x, y = samples()
    found = work.linear_gradient(W, B, x, y)
    same(found, tl.grad(work.linear_loss, wrt=("w", "b"))(W, B, x, y))


def test_least_squares(work):
    x, y = samples()
    w, b = work.least_squares(x, y)
    assert w.shape == (3,)
    for slope in tl.grad(work.linear_loss, wrt=("w", "b"))(w, b, x, y):
        np.testing.assert_allclose(slope, 0.0, atol=1e-12)


def test_descent_arrives_at_least_squares(work):
    x, y = samples()
    w, b = work.fit(work.linear_gradient, np.zeros(3), 0.0, x, y, rate=0.2, steps=300)
    same((w, b), work.least_squares(x, y), rtol=1e-8)


def test_the_logistic_loss(work):
    x, y = samples()
    labels = (y > 0.0).astype(float)
    found = work.logistic_loss(W, B, x, labels)
    np.testing.assert_allclose(found, binary(x @ W + B, labels), rtol=1e-12)


def test_the_logistic_loss_far_out(work):
    """A row of each kind that is right, and one that is wrong by 1000: without an overflow."""
    x, labels = np.array([[1000.0], [-1000.0], [-1000.0]]), np.array([1.0, 0.0, 1.0])
    found = work.logistic_loss(np.ones(1), 0.0, x, labels)
    np.testing.assert_allclose(found, 1000.0 / 3.0)
    assert all(np.all(np.isfinite(s)) for s in work.logistic_gradient(np.ones(1), 0.0, x, labels))


def test_the_logistic_gradient(work):
    x, y = samples()
    labels = (y > 0.0).astype(float)
    found = work.logistic_gradient(W, B, x, labels)
    same(found, tl.grad(work.logistic_loss, wrt=("w", "b"))(W, B, x, labels))


def test_a_fit_is_that_of_the_library(work):
    x, y = samples()
    labels = (y + 0.5 * x[:, 0] > 0.0).astype(float)
    found = work.fit(work.logistic_gradient, np.zeros(3), 0.0, x, labels, rate=0.5, steps=50)
    start, descent = {"w": np.zeros(3), "b": 0.0}, GradientDescent(0.5)

    def loss(p, x, labels):
        return binary(x @ p["w"] + p["b"], labels)

    p, _ = minimize(loss, start, x, labels, optimizer=descent, steps=50)
    same(found, (p["w"], p["b"]), rtol=1e-10)
