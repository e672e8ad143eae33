"""The runtime is `rt` in every text where that means nothing else, however often a function was looked at."""

import re

import numpy as np

import tangentlite as tl


def ident(x):
    return x


class Layer:
    def __init__(self, w, b, act):
        self.w, self.b, self.act = w, b, act

    def __call__(self, x):
        return self.act(np.einsum("bi,ij->bj", x, self.w) + self.b)


class Net:
    def __init__(self, *layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def loss(net, x):
    return np.sum(np.square(net(x)))


def test_methods_that_choose_a_function():
    net = Net(*(Layer(np.eye(2), np.ones(2), act) for act in (np.tanh, ident)))
    df, x = tl.grad(loss), np.array([[0.3, 0.4]])
    found = df(net, x)
    plain = tl.grad(loss, optimized=False)(net, x)
    for one, other in zip(found.layers, plain.layers):
        np.testing.assert_allclose(one.w, other.w)
        np.testing.assert_allclose(one.b, other.b)
    called = set(re.findall(r"\brt\w*\.", df.source))
    assert called == {"rt."}
    assert "rt.einsum(" in df.source


def test_a_variable_of_that_name():
    def f(rt, n):
        for _ in range(n):
            rt = np.sin(rt) * rt
        return np.sum(rt)

    df = tl.grad(f)
    np.testing.assert_allclose(df(np.ones(2), 3), tl.grad(f, optimized=False)(np.ones(2), 3))
