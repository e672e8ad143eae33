"""Programs whose derivatives are right: kinks away from the point, numbers of all sizes, single precision, objects."""

from __future__ import annotations

import cmath
import dataclasses
import math
import random
from collections import namedtuple
from typing import Any

import numpy as np

import tangentlite as tl

W = np.arange(1.0, 5.0)
BIG = np.random.default_rng(3).normal(size=(20, 30))
CASES: list[tuple[Any, tuple[Any, ...]]] = []


def case(*args):
    def add(function):
        CASES.append((function, args))
        return function

    return add


@case(np.array([1e-6, -1e-6, 2.0]))
@case(np.array([1e-3, -1.0, 2.0]))
@case(np.array([1e-9, -3.0, 1e9]))
def rectified(x):
    return np.sum(np.maximum(x, 0.0) ** 2 + 0.1 * np.abs(x))


@case(np.array([0.0, 1.0, -1.0]))
def at_a_kink(x):
    return np.sum(np.abs(x)) + np.sum(np.maximum(x, 0.0))


@case(np.array([2.4, -0.3, 7.9]))
def steps(x):
    return np.sum(np.floor(x) * x + np.round(x) * x * x)


@case(1e8)
@case(1e-8)
@case(1e-150)
@case(1e150)
def powers(x):
    return x * x / (1.0 + abs(x)) + np.sqrt(abs(x))


@case(np.array([1e-8, 1.0, 1e8]))
def all_sizes(x):
    return np.sum(np.log(x)) + np.sum(x[:2] * 1e-3) / x[2]


@case(np.array([1e-8, 2e-8]), np.array([1e8, 3e8]))
def products_of_sizes(a, b):
    y = a * b
    return np.stack([y, a / b, b / a])


@case(1e-6)
def steep(x):
    return np.sin(1e6 * x) + x


@case(0.0)
def steep_at_zero(x):
    return np.sin(1e5 * x) * np.exp(x)


@case(3.0)
def cancelling(x):
    return (x + 1e10) - 1e10 + x * x


@case(W.astype(np.float32))
def single(x):
    return np.sum(np.tanh(x) * x) / np.float32(3.0)


@case(W.astype(np.float32), np.float32(0.5))
def single_result(x, w):
    y = np.exp(-w * x)
    return y / y.sum()


@case(W)
def cast_inside(x):
    y = x.astype(np.float32)
    return np.sum(y * y).astype(np.float64)


@case(np.array([1 + 2j, 0.5 - 1j]))
def complex_array(z):
    return np.abs(z) ** 2 * np.exp(1j * z.real)


@case(0.5 + 0.2j)
def complex_number(z):
    return cmath.sin(z) * z.conjugate()


@case(W)
def complex_inside(x):
    return np.abs(np.fft.fft(x))


@case(BIG)
def many(x):
    return np.sum(np.tanh(x @ x.T)) + x[0, 0]


@case(BIG)
def many_results(x):
    return np.cumsum(x, axis=1) * x


@case([1.0, 2.0], {"a": W, "n": 3, "s": "text"}, (0.5, [W[:2], None]))
def nests(xs, d, t):
    y = xs[0] * d["a"] ** d["n"] + t[0]
    return {"y": y, "z": (xs[1] * t[1][0], [y[0], "kept"])}


@dataclasses.dataclass
class Layer:
    w: Any
    b: float
    name: str = "layer"

    def apply(self, x):
        return np.tanh(self.w * x + self.b)


class Net:
    def __init__(self):
        self.layers = [Layer(W * 0.1, 0.2), Layer(W[::-1] * 0.3, -0.1)]
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        for layer in self.layers:
            x = layer.apply(x)
        return np.sum(x)


CASES.append((Net().forward, (W,)))


@case(Net(), W)
def network(net, x):
    return net.forward(x) ** 2


Pair = namedtuple("Pair", "a b")


@case(Pair(2.0, W))
def named(p):
    return Pair(p.a * p.b, p.a**2)


SHARED = Layer(W * 0.2, 0.3)


@case([SHARED, SHARED], W)
def shared_objects(layers, x):
    for layer in layers:
        x = layer.apply(x)
    return x


@case([SHARED, SHARED], W)
def shared_and_written(layers, x):
    for layer in layers:
        x = layer.apply(x)
        layer.w = x * 0.5
    return x


@case(W.copy(), 3)
def writes_its_argument(x, n):
    for i in range(1, n):
        x[i] *= x[i - 1]
        x[0] += x[i]
    return np.sum(x)


@case([W.copy()], {"k": 1.0})
def writes_into_nests(xs, d):
    d["k"] *= 2.0
    xs.append(xs[0] * d["k"])
    return np.sum(xs[1]) * d["k"]


@case(1.5)
def prints(x):
    print("here", x)
    return x * x


@case(W)
def draws(x):
    np.random.seed(0)
    return np.sum(x * np.random.normal(size=4)) * random.random() ** 0


@case(1.5, 30.0)
def while_loop(x, limit):
    trips = 0
    while x < limit:
        x = x * x + 0.5
        trips += 1
    return x / trips


@case(0.4)
def chaotic(x):
    for _ in range(12):
        x = 3.9 * x * (1.0 - x)
    return x


@case(np.array([[4.0, 1.0], [1.0, 3.0]]), W[:2])
def linear_algebra(a, b):
    return np.linalg.solve(a, b) + np.linalg.det(a)


@case(np.array([[4.0, 1.0], [1.0, 3.0]]))
def eigenvalues(a):
    return np.linalg.eigvalsh(a + a.T)


@case(W)
def sorts(x):
    return np.sort(x)[::-1] * np.argsort(x)


@case(np.array([0.1, 5.0, -2.0]))
def clips(x):
    return np.clip(x, -1.0, 1.0) * x


@case(0.3)
def branches(x):
    if x > 0.2999999:
        return math.sin(x) * 2.0
    return x


@case(1.0, 2.0)
def constant_in_one(x, y):
    return x * x + 0.0 * y


@case(np.zeros(3))
def zeros(x):
    return np.sum(np.exp(x) - 1.0 - x)


@case(np.array(2.0))
def zero_dimensional(x):
    return np.sin(x) * x


@case(np.float64(2.0), np.float32(1.5))
def scalars(x, y):
    return x * y


@case(2.0, 3)
def an_integer_beside(x, n):
    total = 0.0
    for i in range(n):
        total += x**i
    return total, n


def helper(u, *, scale=2.0):
    return np.log1p(u * u) * scale


@case(W)
def helpers(x):
    return sum(helper(v, scale=0.5) for v in x)


@case(W)
def closures(x):
    k = x[0]

    def inner(v):
        return v * k

    return np.sum(inner(x))


@case(W)
def tries(x):
    try:
        if x[0] > 0.5:
            raise ValueError(x[1])
    except ValueError as error:
        return error.args[0] * x[0]
    return x[0]


CASES.append((lambda x, y=2.0: np.sum(x * y), (W,)))
CASES.append((tl.grad(lambda x: np.sum(x**3)), (W,)))


@tl.grad
def decorated(x):
    return np.sum(np.sin(x) * x)


CASES.append((decorated, (W,)))


@case(1e-3)
@case(1e3)
def rational(x):
    return (x**3 - 2.0 * x) / (x * x + 1.0)


@case(np.array([1.0, 1e-17, 0.0]))
def nearly_zero(x):
    return np.sum(x * x + x)


@case(0.0)
def one_sided(x):
    return x**1.5


@case(0.0)
def at_the_end(x):
    return np.sqrt(1.0 + x) * np.arccos(x * 0.5)
