"""Methods that were taken from their objects elsewhere: in a global, a table, a default, a `functools.partial`."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([0.5, 1.5])


class Model:
    scale = 2.0

    def __init__(self, w):
        self.w = w

    def loss(self, x, k=2.0):
        return np.sum(self.w * x**2) * k

    def deeper(self, x, n):
        return x if n == 0 else self.deeper(x * self.w, n - 1)

    @classmethod
    def scaled(cls, x, k):
        return np.sum(np.sin(x)) * k * cls.scale


class Doubled(Model):
    def loss(self, x, k=2.0):
        return super().loss(x, k) * self.w


MODEL = Model(3.0)
LOSS, DOUBLED, SCALED = MODEL.loss, Doubled(1.5).loss, Doubled.scaled
TABLE = {"loss": MODEL.loss, "other": Doubled(2.0).loss}
FILLED = functools.partial(MODEL.loss, k=3.0)
TWICE = functools.partial(functools.partial(Doubled(0.5).loss), k=0.5)


@case(X)
def held_by_a_global(x):
    return LOSS(x) * DOUBLED(x, k=x[0]) + SCALED(x, 2.0)


@case(X)
def held_by_a_table(x):
    return TABLE["loss"](x) - sum(f(x) for f in TABLE.values())


@case(X)
def held_by_a_default(x, f=MODEL.deeper):
    return np.sum(f(x, 3))


@case(X)
def filled_in(x):
    return FILLED(x) + FILLED(x, k=x[1]) + TWICE(x)


def applied(f, *args):
    return f(*args)


@case(X)
def handed_on(x):
    return applied(LOSS, x) * applied(functools.partial(LOSS, x), x[0])


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_methods(f, args, options):
    check(f, *args, **options)


@pytest.mark.parametrize(
    "f", [FILLED, TWICE, functools.partial(Model.scaled, k=1.5)], ids=["one", "two", "of a class"]
)
def test_a_method_that_is_filled_in(f):
    step = 1e-6 * np.eye(2)
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in step]
    np.testing.assert_allclose(tl.grad(f)(X), expected, rtol=1e-6)


def test_the_object_is_looked_at_in_each_call():
    model = Model(3.0)
    loss = model.loss

    def f(x):
        return loss(x)

    df = tl.grad(f)
    np.testing.assert_allclose(df(X), 12.0 * X)
    model.w = 5.0
    np.testing.assert_allclose(df(X), 20.0 * X)
    loss = Model(7.0).loss
    np.testing.assert_allclose(df(X), 28.0 * X)
