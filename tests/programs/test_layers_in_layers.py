"""Objects that hold others of their own class among unlike ones: each has a kind of its own."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl


class Scale:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return x * self.w


class Centered:
    def __init__(self, n):
        self.shift = np.full(n, 0.3)
        self.mean = np.zeros(n)

    def __call__(self, x):
        mean = np.mean(x, 0)
        self.mean = 0.9 * self.mean + 0.1 * tl.stop_gradient(mean)
        return x - mean + self.shift


class Chain:
    def __init__(self, *layers):
        self.layers = list(layers)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Residual:
    def __init__(self, inner):
        self.inner = inner

    def __call__(self, x):
        return x + self.inner(x)


def scale(k):
    return Scale(np.linspace(0.5, 1.0 + k, 2))


CHAINS = {
    "chain of chains": lambda: Chain(Chain(scale(1)), Chain(scale(2))),
    "beside another": lambda: Chain(scale(1), Chain(scale(2), scale(3))),
    "with a function": lambda: Chain(Chain(scale(1)), np.tanh),
    "three deep": lambda: Chain(Chain(Chain(scale(1), np.tanh), scale(2)), scale(3)),
    "residual": lambda: Chain(scale(1), Residual(Chain(np.tanh, scale(2))), scale(3)),
    "residual in residual": lambda: Residual(Chain(scale(1), Residual(Chain(np.tanh, scale(2))))),
    "one of two keeps what it saw": lambda: Chain(
        Chain(scale(1), Centered(2)), Chain(np.tanh, scale(2))
    ),
    "unlike chains": lambda: Chain(
        Chain(scale(1), np.tanh), Chain(scale(2)), Chain(np.sin, scale(2))
    ),
    "keeps what it saw": lambda: Chain(scale(1), Chain(np.tanh, Centered(2)), scale(2)),
}


def loss(chain, x):
    return np.sum(np.sin(chain(x)) ** 2)


@pytest.mark.parametrize("name", CHAINS)
def test_derivatives(name):
    x = np.array([[0.3, 0.7], [-0.4, 0.2], [0.9, -1.1]])
    assert tl.check_grads(loss, (CHAINS[name](), x), modes="reverse", order=1).ok
    assert tl.check_grads(loss, (CHAINS[name](), x), modes="forward", order=1).ok


def test_what_an_inner_one_saw_is_kept():
    chain = CHAINS["keeps what it saw"]()
    x = np.array([[0.3, 0.7], [-0.4, 0.2]])
    tl.grad(loss)(chain, x)
    seen = np.mean(np.tanh(x * chain.layers[0].w), 0)
    np.testing.assert_allclose(chain.layers[1].layers[1].mean, 0.1 * seen)
