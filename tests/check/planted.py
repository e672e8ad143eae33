"""Programs whose rules are wrong on purpose: ``# wrong`` marks the line that must be named, in a helper ``# wrong: program``."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

import tangentlite as tl
from tangentlite import d

W = np.arange(1.0, 5.0)
CASES: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = []


def case(*args, **options):
    """Add a program, with its arguments and the options of the check."""

    def add(function):
        CASES.append((function, args, options))
        return function

    return add


def flipped(x):
    return np.tanh(x)


def without_factor(x):
    return x**3


def wrong_in_reverse(x):
    return np.exp(x)


def wrong_in_forward(x):
    return np.exp(x)


def wrong_at_second_order(x):
    return np.sin(x)


def slope_of_it(x):
    return np.cos(x)


def wrong_in_one(x, w):
    return x * np.exp(w)


def not_transposed(a, x):
    return a @ x


def slightly_off(x):
    return np.log(x)


def declare():
    """Register the wrong rules."""

    @tl.adjoint(flipped)
    def _(y, x):
        d[x] = -(1.0 - y * y) * d[y]

    @tl.tangent(flipped)
    def _(y, x):
        d[y] = -(1.0 - y * y) * d[x]

    @tl.adjoint(without_factor)
    def _(y, x):
        d[x] = x**2 * d[y]

    @tl.tangent(without_factor)
    def _(y, x):
        d[y] = x**2 * d[x]

    @tl.adjoint(wrong_in_reverse)
    def _(y, x):
        d[x] = 2.0 * y * d[y]

    @tl.tangent(wrong_in_reverse)
    def _(y, x):
        d[y] = y * d[x]

    @tl.adjoint(wrong_in_forward)
    def _(y, x):
        d[x] = y * d[y]

    @tl.tangent(wrong_in_forward)
    def _(y, x):
        d[y] = 1.01 * y * d[x]

    @tl.adjoint(wrong_at_second_order)
    def _(y, x):
        d[x] = slope_of_it(x) * d[y]

    @tl.tangent(wrong_at_second_order)
    def _(y, x):
        d[y] = slope_of_it(x) * d[x]

    @tl.adjoint(slope_of_it)
    def _(y, x):
        d[x] = np.sin(x) * d[y]

    @tl.tangent(slope_of_it)
    def _(y, x):
        d[y] = np.sin(x) * d[x]

    @tl.adjoint(wrong_in_one)
    def _(y, x, w):
        d[x] = np.exp(w) * d[y]
        d[w] = x * d[y]

    @tl.tangent(wrong_in_one)
    def _(y, x, w):
        d[y] = np.exp(w) * d[x] + x * d[w]

    @tl.adjoint(not_transposed)
    def _(y, a, x):
        d[a] = np.outer(d[y], x)
        d[x] = a @ d[y]

    @tl.tangent(not_transposed)
    def _(y, a, x):
        d[y] = d[a] @ x + a @ d[x]

    @tl.adjoint(slightly_off)
    def _(y, x):
        d[x] = d[y] / x * 1.00001

    @tl.tangent(slightly_off)
    def _(y, x):
        d[y] = d[x] / x * 1.00001


@case(W)
def straight(x):
    a = np.sin(x)
    b = a * x
    c = flipped(b)  # wrong
    e = c * c + a
    return np.sum(e)


@case(0.7, 4)
def loop(x, n):
    y = x
    for i in range(n):
        y = y * 1.1
        if i == 2:
            y = without_factor(y)  # wrong
        y = np.sin(y) + x
    return y


@case(W, modes=("reverse",))
def onlyrev(x):
    t = 0.0
    for v in x:
        u = v * 0.1
        t += wrong_in_reverse(u)  # wrong
    return t


@case(W)
def onlyfwd(x):
    y = x * 0.1
    z = wrong_in_forward(y)  # wrong
    return np.sum(z * W)


@case(W)
def onlyrev2(x):
    y = x * 0.1
    z = {"a": wrong_in_reverse(y), "b": y}  # wrong
    q = z["a"] * z["b"]
    return np.sum(q * W)


@case(W)
def second(x):
    y = x * x
    z = wrong_at_second_order(y)  # wrong
    return np.sum(z)


def helper(u, k):
    s = u * k
    if k > 1.5:
        s = without_factor(s)  # wrong: helper_call
    else:
        s = s + 1.0
    return s


@case(W)
def helper_call(x):
    total = 0.0
    for k in (1.0, 2.0, 3.0):
        h = helper(x, k)
        total = total + np.sum(h)
    return total


@case(W, 0.5)
def two(x, w):
    y = x * x
    z = wrong_in_one(y, w)  # wrong
    return np.sum(z) * w


@case(np.arange(9.0).reshape(3, 3) + 1, W[:3])
def perm(a, x):
    y = a @ x
    y = y / 10.0
    z = not_transposed(a, y)  # wrong
    return z.sum()


@case(W)
def inplace(x):
    y = np.zeros(4)
    y[:] = x
    for i in range(1, 4):
        y[i] = y[i - 1] * y[i]
        y[i] += slightly_off(y[i])  # wrong
    return np.sum(y)


@case(W)
def closure(x):
    k = 2.0

    def inner(u):
        v = u * k
        return flipped(v)  # wrong

    return np.sum(inner(x * 0.1) * x)


class Model:
    def __init__(self):
        self.w = np.array([0.3, -0.2, 0.5, 0.1])
        self.state = 0.0

    def step(self, x):
        z = self.w * x
        self.state = flipped(z)  # wrong: obj
        return self.state


@case(Model(), W)
def obj(m, x):
    a = m.step(x)
    b = m.step(a + x)
    return np.sum(b * m.w)


class Meth:
    def __init__(self):
        self.k = 0.3

    def loss(self, x):
        y = x * self.k
        for _ in range(3):
            y = flipped(y) + x * 0.1  # wrong: loss
        return np.sum(y)


CASES.append((Meth().loss, (W,), {}))


@dataclasses.dataclass
class Par:
    w: np.ndarray
    b: float


@case(Par(W * 0.1, 0.3), W)
def dc(p, x):
    y = p.w * x + p.b
    z, r = np.tanh(y), wrong_in_reverse(y * 0.01)  # wrong
    return np.sum(z * r)


CASES.append((lambda x: np.sum(flipped(x) * x), (W,), {}))  # wrong: <lambda>


@case(W)
def branch(x):
    if x[0] > 0:
        if x[1] > 5:
            y = flipped(x)
        else:
            y = slightly_off(x)  # wrong
    else:
        y = without_factor(x)
    while np.sum(y) < 10:
        y = y * 1.5 + 0.1
    return y[0] * y[2]


@case([1.0, 2.0], {"a": 0.5})
def nest(l, dd):
    out = []
    for v in l:
        out.append(flipped(v * dd["a"]))  # wrong
    return out[0] * out[1]


@case(W)
def vector(x):
    y = np.cumsum(x)
    return flipped(y * 0.1) * x  # wrong


@case(W)
def comp(x):
    parts = [without_factor(v) for v in x]  # wrong
    return sum(parts)


def deep3(x):
    return flipped(x) + 1.0  # wrong: deep


def deep2(x):
    y = x + 1.0
    return deep3(y * 0.1)


def deep1(x):
    return deep2(x) * 2.0


@case(W)
def deep(x):
    a = x * 2
    return np.sum(deep1(a))


@case(W)
def tryit(x):
    try:
        y = slightly_off(x)  # wrong
        z = y * 2
    except ValueError:
        z = x
    finally:
        q = 1.0
    return np.sum(z) * q


@case(W, 1e8, 1e-8)
def scaled(x, big, small):
    a = big * x
    b = small * x
    c = slightly_off(b * 1e8)  # wrong
    return np.sum(a * b) + np.sum(c)


@case(W.astype(np.float32))
def single(x):
    y = x * np.float32(0.1)
    z = without_factor(y)  # wrong
    return np.sum(z)


@case(W)
def inactive_branch(x):
    s = float(np.sum(x))
    with np.errstate(all="ignore"):
        t = wrong_in_reverse(x * 0.1)  # wrong
    return np.sum(t) / s


@case(np.array([1 + 1j, 2 - 1j]))
def compl(z):
    w = z * z
    return np.sum(np.abs(without_factor(w)))  # wrong
