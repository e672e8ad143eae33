"""Exercise 9: initializers against those of tangentlite.learn, and what becomes of signals and gradients in depth."""

import numpy as np
import pytest

from tangentlite.learn import initializers

DEPTH, WIDTH = 10, 50


def relu(x):
    return np.maximum(x, 0.0)


def logistic(x):
    return 0.5 + 0.5 * np.tanh(0.5 * x)


def network(draw):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(200, WIDTH)), rng.normal(size=(200, WIDTH))
    return [draw(WIDTH, WIDTH, rng) for _ in range(DEPTH)], x, y


@pytest.mark.parametrize("name", ["xavier", "he"])
def test_variances(work, name):
    w = getattr(work, name)(300, 100, np.random.default_rng(1))
    expected = getattr(initializers, name)((300, 100), np.random.default_rng(1))
    assert w.shape == (300, 100)
    assert abs(np.mean(w)) < 2e-3
    assert abs(np.std(w) / np.std(expected) - 1.0) < 0.02


def test_deviations_last_with_he_and_relu(work):
    weights, x, _ = network(work.he)
    found = work.deviations(weights, x, relu)
    assert len(found) == DEPTH
    assert found[0] == pytest.approx(np.std(relu(x @ weights[0])))
    assert 0.2 < found[-1] / found[0] < 5.0


def test_deviations_shrink_with_half_of_that_variance(work):
    weights, x, _ = network(work.xavier)
    found = work.deviations(weights, x, relu)
    assert found[-1] < 0.15 * found[0]


def test_logistic_functions_let_little_of_the_gradient_through(work):
    found = work.gradient_sizes(*network(work.xavier), logistic)
    assert len(found) == DEPTH
    assert found[0] < 1e-4 * found[-1]


def test_relu_lets_most_of_it_through(work):
    found = work.gradient_sizes(*network(work.he), relu)
    assert found[0] > 0.05 * found[-1]


def test_the_sizes_are_those_of_the_gradient(work):
    weights, x, y = network(work.he)
    w = weights[0]
    size = work.gradient_sizes([w], x, y, relu)[0]
    z = x @ w
    by_hand = x.T @ (2.0 * (relu(z) - y) / y.size * (z > 0.0))
    np.testing.assert_allclose(size, np.mean(np.abs(by_hand)), rtol=1e-12)


def test_the_bound(work):
    slopes = logistic(np.linspace(-3.0, 3.0, 601)) * (1.0 - logistic(np.linspace(-3.0, 3.0, 601)))
    assert work.explained_decay(1) == pytest.approx(np.max(slopes))
    assert work.explained_decay(10) == pytest.approx(np.max(slopes) ** 10)
