"""Methods that are generators, consumed where they are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal


class Layer:
    def __init__(self, w):
        self.w = w
        self.b = np.ones(w.shape[1])

    def __call__(self, x):
        return np.tanh(x @ self.w + self.b)

    def parameters(self):
        yield self.w
        yield self.b

    def named(self):
        return {"w": self.w, "b": self.b}


class Net:
    def __init__(self, x):
        self.layers = [Layer(x.reshape(4, 1) * np.ones((4, 3))), Layer(np.full((3, 1), 0.3))]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        for layer in self.layers:
            yield from layer.parameters()

    def listed(self):
        return [p for layer in self.layers for p in layer.parameters()]

    def get_param(self):
        found = {}
        for i, layer in enumerate(self.layers):
            for k, v in layer.named().items():
                found[f"{i}.{k}"] = v
        return found


class Bag:
    def __init__(self, items):
        self.items = list(items)
        self.seen = 0

    def numbered(self):
        for i, v in enumerate(self.items):
            yield i, v

    def large(self):
        for v in self.items:
            if v > 1:
                yield v
            else:
                yield v * v

    def counted(self):
        for v in self.items:
            self.seen += 1
            yield v * self.seen

    def forever(self):
        k = 0
        while True:
            yield self.items[k % 4]
            k += 1

    def by_index(self):
        for i in range(4):
            yield self.items[i]


class Tree:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right

    def walk(self):
        if self.left is not None:
            yield from self.left.walk()
        yield self.v
        if self.right is not None:
            yield from self.right.walk()


@case(normal(4))
def penalty(x):
    net = Net(x)
    return np.sum(net(np.ones(4))) + 0.1 * sum(np.sum(p**2) for p in net.parameters())


@case(normal(4))
def penalty_in_a_loop(x):
    net, s = Net(x), 0.0
    for p in net.listed():
        s += np.sum(p * p)
    return s + np.sum(net(x))


@case(normal(4))
def penalty_of_a_dict(x):
    net = Net(x)
    return sum(np.sum(p**2) for p in net.get_param().values()) * np.sum(net(x))


@case(normal(4))
def numbered(x):
    return sum(v * (i + 1) for i, v in Bag(x).numbered())


@case(normal(4))
def chosen(x):
    s = 0.0
    for v in Bag(x).large():
        s = s * v + v
    return s


@case(normal(4))
def side_by_side(x):
    b, s = Bag(x), 0.0
    for p, q in zip(b.large(), b.by_index()):
        s = s + p * q
    return s + max(b.large()) + list(b.by_index())[1]


@case(normal(4))
def in_order(x):
    t = Tree(x[0], Tree(x[1]), Tree(x[2], Tree(x[3])))
    return sum(v * (i + 1) for i, v in enumerate(t.walk()))


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_consumed(f: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(f, *args, **options)


def regularized(net, x):
    return np.sum(net(x)) + 0.1 * sum(np.sum(p**2) for p in net.parameters())


def test_the_parameters_of_a_model() -> None:
    net, x = Net(np.ones(4)), np.ones(4)
    gradient = tl.grad(regularized)(net, x)
    expected = 1 - net(x) ** 2 + 0.2 * net.layers[1].b
    assert np.allclose(gradient.layers[1].b, expected)


def counts(x):
    b = Bag(x)
    return sum(b.counted()) * b.seen


def runs_for_ever(x):
    s = 0.0
    for v in Bag(x).forever():
        s += v
        if s > 5:
            break
    return s


def changed_meanwhile(x):
    b, s = Bag(x), 0.0
    for v in b.by_index():
        b.items[3] = v * 2
        s += v
    return s


def changed_by_a_function(x):
    b = Bag(x)

    def double(v):
        b.items[3] = b.items[3] * v
        return v

    return sum(double(v) for v in b.by_index())


def kept_for_later(x):
    b = Bag(x)
    late = b.large()
    b.items[0] = x[3]
    return sum(late)


@pytest.mark.parametrize(
    "f", [counts, runs_for_ever, changed_meanwhile, changed_by_a_function, kept_for_later]
)
def test_what_could_be_seen_is_refused(f: Any) -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="what the generator .* yields"):
        tl.grad(f)(np.array([1.3, 0.7, 1.9, 0.4]))
