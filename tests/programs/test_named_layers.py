"""Layers of several classes in a dict, under names that a loop writes."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


class Affine:
    def __init__(self, W: Any, b: Any = 0.0) -> None:
        self.W, self.b = W, b

    def forward(self, x):
        return x @ self.W + self.b

    def __call__(self, x):
        return self.forward(x)


class Relu:
    def forward(self, x):
        return x * (x > 0.0)

    def __call__(self, x):
        return self.forward(x)


class Sequential:
    def __init__(self, *layers: Any) -> None:
        self.layers: Any = OrderedDict()
        for i, layer in enumerate(layers):
            self.layers[f"layer{i}"] = layer

    def __call__(self, x):
        for _, layer in self.layers.items():
            x = layer(x)
        return x


def sequential(x, W, V):
    return np.sum(Sequential(Affine(W), Relu(), Affine(V, 1.0))(x) ** 2)


def by_f_string(x, W, V):
    layers: dict[str, Any] = {}
    for i in range(2):
        layers[f"Affine{i + 1}"] = Affine(W)
        layers[f"Relu{i + 1}"] = Relu()
    layers["last"] = Affine(V)
    for layer in layers.values():
        x = layer.forward(x)
    return np.sum(x) ** 2


def by_sum(x, W, V):
    layers: dict[str, Any] = OrderedDict()
    for idx in range(1, 3):
        layers["Affine" + str(idx)] = Affine(W)
        layers["Relu" + str(idx)] = Relu()
    idx = 3
    layers["Affine" + str(idx)] = Affine(V)
    return np.sum(layers["Affine3"](layers["Relu2"](layers["Affine1"](x))))


def by_percent(x, W, V):
    layers: dict[str, Any] = {}
    for i, layer in enumerate([Affine(W), Relu(), Affine(V)]):
        layers["layer%d" % i] = layer
    return np.sum(layers["layer2"](layers["layer1"](layers["layer0"](x))))


def by_format(x, W, V):
    layers: dict[str, Any] = {}
    for i, layer in enumerate([Affine(W), Relu(), Affine(V)]):
        name = "layer{}".format(i)
        layers[name] = layer
    for name in layers:
        x = layers[name](x)
    return np.sum(x)


class MultiLayerNet:
    """As textbooks write it: the last layer goes on counting."""

    def __init__(self, params: Any, hidden: int) -> None:
        self.params, self.layers = params, OrderedDict()
        for idx in range(1, hidden + 1):
            self.layers["Affine" + str(idx)] = Affine(
                self.params["W" + str(idx)], self.params["b" + str(idx)]
            )
            self.layers["Activation" + str(idx)] = Relu()
        idx = hidden + 1
        self.layers["Affine" + str(idx)] = Affine(self.params["W" + str(idx)])

    def predict(self, x):
        for layer in self.layers.values():
            x = layer.forward(x)
        return x


def multi_layer(x, W, V):
    params = {"W1": W, "b1": 0.1, "W2": 2.0 * W, "b2": -0.1, "W3": V}
    return np.sum(MultiLayerNet(params, 2).predict(x) ** 2)


PROGRAMS = [sequential, by_f_string, by_sum, by_percent, by_format, multi_layer]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_each_layer_is_its_own(confirm, f):
    draw = np.random.default_rng(3)
    confirm(f, draw.normal(size=(2, 3)), draw.normal(size=(3, 3)), draw.normal(size=(3, 2)))


def test_a_name_that_is_written_over_is_not_known():
    """Two layers under one name: the first is gone."""

    def f(x, W):
        layers: dict[str, Any] = {}
        name = ""
        for i in range(2):
            name = name + str(i // 2)
            layers[name] = Affine(W) if i else Relu()
        return np.sum(layers["00"](x))

    with pytest.raises(tl.DerivativeError):
        tl.grad(f)(np.ones((2, 3)), np.ones((3, 3)))


def test_words_in_a_sorted_set():
    """Texts that are arguments are numbers, as long as nobody has called the derivative with them."""

    def f(W, text):
        words = text.split()
        place = {word: i for i, word in enumerate(sorted(set(words)))}
        return sum(W[place[word]] ** 2 for word in words)

    assert tl.grad(f)(np.array([1.0, 2.0, 3.0]), "b a c a").tolist() == [4.0, 4.0, 6.0]

    def g(W, words):
        place = {word: i for i, word in enumerate(sorted(set(words)))}
        return sum(W[place[word]] ** 2 for word in words)

    assert tl.grad(g)(np.array([1.0, 2.0, 3.0]), ["b", "a", "c", "a"]).tolist() == [4.0, 4.0, 6.0]
    with pytest.raises(tl.DerivativeError, match="a set of numbers"):
        tl.grad(g, wrt=1)(np.array([1.0, 2.0]), [0.0, 1.0])
