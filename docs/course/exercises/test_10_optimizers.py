"""Exercise 10: step by step what the optimizers of tangentlite.learn do."""

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.learn import optimizers


def valley(w):
    return (1.0 - w[0]) ** 2 + 5.0 * (w[1] - w[0] ** 2) ** 2


SLOPE = tl.grad(valley)
START = np.array([-0.5, 0.8])


@pytest.mark.parametrize("name", ["Momentum", "Nesterov", "RMSProp", "Adam"])
def test_forty_steps(work, name):
    step, library = getattr(work, name.lower()), getattr(optimizers, name)(0.01)
    w, state, expected = START, {}, START.copy()
    for _ in range(40):
        w = step(w, SLOPE(w), state, 0.01)
        expected = library.step(expected, SLOPE(expected))
        np.testing.assert_allclose(w, expected, rtol=1e-9)


@pytest.mark.parametrize("name", ["momentum", "nesterov", "rmsprop", "adam"])
def test_parameters_and_gradients_are_left_as_they_are(work, name):
    w, g, state = np.array([1.0, 2.0]), np.array([0.5, -0.5]), {}
    for _ in range(3):
        getattr(work, name)(w, g, state, 0.1)
    assert (w.tolist(), g.tolist()) == ([1.0, 2.0], [0.5, -0.5])


@pytest.mark.parametrize("name", ["momentum", "nesterov", "adam"])
def test_they_arrive(work, name):
    w, state = START, {}
    for _ in range(3000):
        w = getattr(work, name)(w, SLOPE(w), state, 0.01)
    np.testing.assert_allclose(w, [1.0, 1.0], atol=1e-3)


def test_the_first_step_of_adam_has_the_length_of_the_rate(work):
    w = work.adam(np.zeros(2), np.array([1e3, -1e-3]), {}, 0.1)
    np.testing.assert_allclose(w, [-0.1, 0.1], rtol=1e-4)


def test_clipping(work):
    np.testing.assert_allclose(work.clip(np.array([3.0, 4.0]), 1.0), [0.6, 0.8])
    np.testing.assert_array_equal(work.clip(np.array([0.3, 0.4]), 1.0), [0.3, 0.4])
    np.testing.assert_array_equal(work.clip(np.zeros(2), 1.0), np.zeros(2))
