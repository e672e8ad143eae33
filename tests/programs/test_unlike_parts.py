"""Objects of one class in a list, of which each holds an object of another class: layers with their activations."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl

X = np.array([[0.3, -0.7], [0.4, 0.2]])


class Activation:
    def __call__(self, z):
        return self.values(z.reshape(1, -1) if z.ndim == 1 else z)


class Soft(Activation):
    def __init__(self, slope=0.5):
        self.slope = slope

    def values(self, z):
        return np.where(z > 0, z, self.slope * np.expm1(z))


class Bounded(Activation):
    def values(self, z):
        return np.tanh(z)


class Layer:
    def __init__(self, activation, w):
        self.activation = activation
        self.parameters = {"w": w}
        self.calls, self.seen, self.kept = 0, [], {"z": []}

    def forward(self, x):
        self.calls += 1
        y, z = self.both(x)
        self.seen.append(x)
        self.kept["z"].append(z)
        return y

    def both(self, x):
        z = x @ self.parameters["w"]
        return self.activation(z), z


def through_all(x, v, w):
    layers = [Layer(Soft(), v), Layer(Bounded(), w), Layer(Soft(0.3), v)]
    y = x
    for layer in layers:
        y = layer.forward(y)
    size = 0.0
    for layer in layers:
        for name, value in layer.parameters.items():
            if name == "w":
                size += np.sum(value**2) * layer.calls
    return np.sum(y**2) + size + np.sum(layers[1].kept["z"][-1] * layers[2].seen[0])


def one_after_the_other(x, v, w):
    layers = [Layer(Soft(), v), Layer(Bounded(), w)]
    first = layers[0]
    first.calls += 1
    return np.sum(layers[1].forward(first.forward(x)) * first.calls)


def one_of_them_twice(x, v, w):
    layer = Layer(Bounded(), w)
    layers = [layer, Layer(Soft(), v), layer]
    y = x
    for other in layers:
        y = other.forward(y)
        other.parameters["w"] = other.parameters["w"] * 1.5
    return np.sum(y**2) + layer.calls * np.sum(layer.seen[1])


@pytest.mark.parametrize("f", [through_all, one_after_the_other, one_of_them_twice])
def test_derivatives(f):
    args = X, X + 0.5, 0.5 - X.T
    wanted = f(*args)
    value, _ = tl.value_and_grad(f, wrt=(0, 1, 2))(*args)
    assert value == pytest.approx(wanted, rel=1e-13)
    assert tl.check_grads(f, args, order=1).ok


def chosen(x, k):
    layers = [Layer(Soft(), x), Layer(Bounded(), x)]
    layers[k].activation = Soft(0.2)
    return np.sum(layers[0].forward(x) ** 2)


def exchanged(x, k):
    layers = [Layer(Soft(), x), Layer(Bounded(), x + k)]
    first, again = layers[0], layers[0]
    again.activation = Bounded()
    layers[1].activation = Soft(0.1)
    return np.sum(layers[1].forward(first.forward(x)) ** 2)


@pytest.mark.parametrize("f", [chosen, exchanged])
@pytest.mark.parametrize("k", [0, 1])
def test_what_is_exchanged_is_right_or_refused(f, k):
    try:
        value, _ = tl.value_and_grad(f)(X, k)
    except tl.UnsupportedSyntaxError:
        return
    assert value == f(X, k)
    assert tl.check_grads(f, (X, k), order=1).ok
