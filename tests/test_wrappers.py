"""Derivatives of what is decorated, cached, filled in partly, static: it is called with the parameters that it has."""

from __future__ import annotations

import functools
import inspect
import math
import pickle
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import d
from tangentlite.errors import SourceUnavailableError

CALLS: list[str] = []


def noted(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        CALLS.append(function.__name__)
        return function(*args, **kwargs)

    return wrapper


def scaled(factor: float) -> Any:
    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return factor * function(*args, **kwargs)

        return wrapper

    return decorate


def extended(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(y, extra=2.0):
        return function(y) * extra

    return wrapper


@noted
@scaled(3.0)
def power(x, n=2, *, act=np.sin):
    return act(x) ** n


@functools.lru_cache(maxsize=None)
def cached(x):
    return x * x * x


@extended
def longer(x):
    return x * x


class Squared:
    def __init__(self, function: Any) -> None:
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, x):
        return self.function(x) ** 2


@Squared
def by_an_object(x):
    return x * x + 1.0


def product(a, b, *, c=1.0):
    return a * b * b * c


second = functools.partial(product, 2.0)
first = functools.partial(product, b=3.0, c=0.5)
both = functools.partial(functools.partial(product, 2.0), c=4.0)


class Model:
    def __init__(self, w):
        self.w = w

    @scaled(2.0)
    def loss(self, x):
        return self.w * x * x

    @staticmethod
    @scaled(4.0)
    def bent(x):
        return x * x

    @tl.grad
    @scaled(2.0)
    def slope(self, x):
        return self.w * x * x


@pytest.mark.parametrize(
    "f",
    [power, cached, longer, by_an_object, second, first, both, Model(3.0).loss, Model.bent],
)
def test_against_differences(f: Any, confirm: Any) -> None:
    confirm(f, 0.7)


def test_what_they_take() -> None:
    assert str(inspect.signature(tl.grad(power))) == "(x, n=2, *, act=<ufunc 'sin'>, by=1.0)"
    x = 0.3
    assert tl.grad(power)(x, 3) == pytest.approx(9.0 * np.sin(x) ** 2 * np.cos(x))
    assert tl.grad(power)(x, act=np.exp) == pytest.approx(6.0 * np.exp(2.0 * x))
    assert tl.grad(longer)(3.0, 5.0) == 30.0
    assert tl.grad(longer, wrt="extra")(3.0) == 9.0
    assert tl.jacrev(longer)(np.ones(2))[1, 1] == 4.0
    with pytest.raises(ValueError, match="it has y, extra"):
        tl.grad(longer, wrt="x")
    assert tl.grad(first, wrt="b")(2.0) == 6.0
    assert tl.grad(Model(3.0).loss, wrt="self")(2.0) == tl.Gradient(w=8.0)
    assert Model(3.0).slope(2.0) == 24.0


def test_a_wrapper_runs_once() -> None:
    df = tl.grad(power)
    df(0.3)
    del CALLS[:]
    df(0.4)
    tl.vjp(power)(0.4)[1](1.0)
    assert CALLS == ["power"] * 2


def around(x):
    return tl.grad(power)(x) + tl.grad(second)(x) * tl.grad(functools.partial(product, b=x))(x)


def test_derivatives_of_wrappers_inside(confirm: Any) -> None:
    confirm(around, 0.7, second=False)


def test_they_travel() -> None:
    for f in (longer, second):
        df = tl.grad(f)
        assert pickle.loads(pickle.dumps(df))(0.3) == df(0.3)


def test_a_decorator_before_the_names_are_bound() -> None:
    assert tl.value_and_grad(early)(2.0) == (16.0, 24.0)
    assert early_slope(2.0) == 24.0


@tl.grad
@scaled(2.0)
def early_slope(x):
    return later(x)


@scaled(2.0)
def early(x):
    return later(x)


def later(x):
    return x * x * x


def ruled(x, n=2):
    return np.sin(x) + n


@tl.adjoint(ruled)
def d_ruled(y, x, n=2):
    d[x] = 10.0 * n * d[y]


@tl.tangent(ruled)
def t_ruled(y, x, n=2):
    d[y] = 10.0 * n * d[x]


def through_ruled(x):
    return tl.grad(ruled)(x) * x * tl.grad(np.sin)(x)


class TestWhatHasARule:
    """The rule of a function is heard by ``tl.grad`` of the function itself."""

    def test_own_rules(self) -> None:
        assert tl.grad(ruled)(1.0) == tl.grad(lambda x: ruled(x))(1.0) == 20.0
        assert tl.grad(ruled)(1.0, n=3) == 30.0
        assert tl.vjp(ruled)(1.0)[1](2.0) == 40.0
        assert tl.jvp(ruled)(1.0, tangent=1.0)[1] == 20.0
        assert tl.grad(ruled) is tl.grad(ruled)
        assert tl.grad(through_ruled)(0.5) == pytest.approx(20 * (np.cos(0.5) - 0.5 * np.sin(0.5)))

    def test_a_rule_that_is_given_later(self) -> None:
        def late(x):
            return x * x

        assert tl.grad(late)(3.0) == 6.0

        @tl.adjoint(late)
        def _late(y, x):
            d[x] = -d[y]

        assert tl.grad(late)(3.0) == -1.0

    @pytest.mark.parametrize(
        "f, args",
        [
            (np.sin, (1.0,)),
            (math.atan2, (1.0, 2.0)),
            (abs, (-1.5,)),
            (np.linalg.norm, (np.arange(1.0, 4.0),)),
            (np.sum, (np.arange(3.0),)),
            (np.dot, (np.arange(3.0), np.ones(3))),
            (np.linalg.det, (np.array([[2.0, 1.0], [0.5, 3.0]]),)),
        ],
    )
    def test_functions_without_source(self, f: Any, args: tuple[Any, ...]) -> None:
        tl.check_grads(f, args)
        df = tl.grad(f)
        assert np.array_equal(pickle.loads(pickle.dumps(df))(*args), df(*args))

    def test_what_has_neither(self) -> None:
        with pytest.raises(SourceUnavailableError, match="`floor` has no Python source"):
            tl.grad(np.floor)


@pytest.mark.parametrize(
    ("function", "slope"),
    [(math.log, 0.5), (np.sin, math.cos(2.0)), (math.sqrt, 0.125**0.5), (abs, 1.0)],
)
def test_functions_of_which_no_parameters_are_told(function: Any, slope: float) -> None:
    assert tl.grad(function)(2.0) == pytest.approx(slope)
    _, tangent = tl.jvp(function)(2.0, tangent=3.0)
    assert tangent == pytest.approx(3.0 * slope)
