"""Helpers given to ``tl.checkpoint``: the derivatives are those of the helpers themselves; they run twice."""

from __future__ import annotations

import functools
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.memory.counting import calls

W = np.arange(1.0, 5.0)


def block(w: Any, x: Any) -> Any:
    h = np.tanh(w * x)
    for _ in range(3):
        h = np.sin(h) * w
    return h


def write(u: Any, k: Any) -> Any:
    u[k] = np.sin(u[k]) * u[0]
    return u[1]


def fill(u: Any, v: Any) -> None:
    u[:] = np.sin(u) * v


def grow(u: Any, v: Any) -> Any:
    u *= v
    u += 1.0
    return u


def pick(params: Any, x: Any) -> Any:
    return np.sum(params["w"] * x) + params["b"]


def rest(u: Any) -> Any:
    return u[1:]


def product(*xs: Any, **named: Any) -> Any:
    s = named["k"]
    for v in xs:
        s = s * np.sin(v)
    return s


def both(x: Any) -> Any:
    return x * x, np.sin(x)


def early(x: Any) -> Any:
    for _ in range(5):
        x = x * 1.5
        if x > 2.0:
            return x * x
    return x


def scaled(x: Any, *, scale: Any = 2.0) -> Any:
    return np.sin(x) * scale


class Layer:
    def __init__(self, w: Any) -> None:
        self.w = w

    def __call__(self, x: Any) -> Any:
        return np.tanh(self.w * x)


def chain(make: Any, w: Any, x: Any) -> Any:
    h = make(block)(w, x)
    return np.sum(make(block)(w, h) * W)


def in_place(make: Any, x: Any) -> Any:
    u = x.copy()
    a = make(write)(u, 2)
    b = make(write)(u, 0)
    make(fill)(u, x)
    make(fill)(u, 2.0)
    return np.sum(u * u) * a * b


def grown(make: Any, x: Any) -> Any:
    u = x.copy()
    v = make(grow)(u, np.cos(x))
    make(grow)(u, 2.0)
    return np.sum(u * v * x)


def overwritten(make: Any, x: Any) -> Any:
    u = x.copy()
    s = np.sum(make(block)(u, 0.5))
    u[:] = 3.0 * u
    return s * np.sum(u)


def of_dict(make: Any, x: Any) -> Any:
    p = {"w": x, "b": x[0]}
    y = make(pick)(p, x)
    p["w"] = 3.0 * x
    return y * make(pick)(p, x)


def view(make: Any, x: Any) -> Any:
    u = x.copy()
    v = make(rest)(u)
    v[0] = np.sin(u[0])
    return np.sum(u * W) * np.sum(v)


def many(make: Any, x: Any) -> Any:
    a, b = make(both)(np.sum(x))
    return a * b * make(product)(a, b, k=x[0]) + make(early)(x[1]) + make(scaled)(a, scale=b)


def captured(make: Any, x: Any) -> Any:
    k = np.sum(x)

    def inner(y: Any, n: float = 2.0) -> Any:
        return np.sin(y) * k * n

    return make(inner)(k) * make(lambda y: y * k)(3.0) * make(inner)(k, 0.5)


def method(make: Any, x: Any) -> Any:
    layer = Layer(2.0 * x)
    y = make(layer.__call__)(x)
    layer.w = 5.0 * x
    return np.sum(y * make(layer.__call__)(x))


PROGRAMS = (chain, in_place, grown, overwritten, of_dict, view, many, captured, method)


def itself(f: Any) -> Any:
    return f


def variants(program: Callable[..., Any]) -> tuple[Any, Any]:
    """The program with helpers that run again, and with plain ones."""
    if program is chain:
        return (lambda w, x: chain(tl.checkpoint, w, x)), (lambda w, x: chain(itself, w, x))
    return (lambda x: program(tl.checkpoint, x)), (lambda x: program(itself, x))


def arguments(program: Callable[..., Any]) -> tuple[Any, ...]:
    return (0.3 * W, 0.2 * W) if program is chain else (0.3 * W,)


each = pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)


@each
def test_gradient(program: Callable[..., Any]) -> None:
    found, expected = variants(program)
    assert found(*arguments(program)) == expected(*arguments(program))
    assert "_again(" in tl.grad(found).source
    args = arguments(program)
    np.testing.assert_array_equal(tl.grad(found)(*args), tl.grad(expected)(*arguments(program)))
    np.testing.assert_array_equal(args, arguments(program))


@each
def test_pullback_twice(program: Callable[..., Any]) -> None:
    found, expected = variants(program)
    value, pullback = tl.vjp(found)(*arguments(program))
    plain, plain_pullback = tl.vjp(expected)(*arguments(program))
    assert value == plain
    for seed in (1.0, 2.0, 1.0):
        np.testing.assert_array_equal(pullback(seed), plain_pullback(seed))


@each
def test_second_derivative_and_forward_mode(program: Callable[..., Any]) -> None:
    found, expected = variants(program)
    for derive in (lambda f: f, tl.grad):
        one, other = (
            tl.jvp(derive(f))(*arguments(program), tangent=np.cos(W)) for f in (found, expected)
        )
        np.testing.assert_allclose(one[1], other[1], rtol=1e-12, atol=1e-12)


@tl.checkpoint
def decorated(x: Any, k: float = 2.0) -> Any:
    """Doubles."""
    return x * k * np.sin(x)


@tl.checkpoint
def power(x: Any, n: int) -> Any:
    return x if n == 0 else np.sin(power(x, n - 1)) * x


def test_a_decorator() -> None:
    assert decorated(1.0) == 2.0 * np.sin(1.0)
    assert (decorated.__name__, decorated.__doc__) == ("decorated", "Doubles.")
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    slope = 2.0 * (np.sin(0.7) + 0.7 * np.cos(0.7))
    assert tl.grad(lambda x: decorated(x))(0.7) == pytest.approx(slope)
    assert tl.grad(decorated)(0.7) == pytest.approx(slope)


def test_a_recursive_helper() -> None:
    def plain(x: Any, n: int) -> Any:
        return x if n == 0 else np.sin(plain(x, n - 1)) * x

    assert tl.grad(lambda x: power(x, 3))(0.7) == tl.grad(lambda x: plain(x, 3))(0.7)


def test_methods_and_partials_outside() -> None:
    layer = Layer(0.3)
    run = tl.checkpoint(layer.__call__)
    half = tl.checkpoint(functools.partial(block, 0.5))
    assert run(0.7) == layer(0.7)
    assert half(0.7) == block(0.5, 0.7)
    found = tl.grad(lambda x: half(x) * half(x))(0.7)
    assert found == tl.grad(lambda x: block(0.5, x) * block(0.5, x))(0.7)


@pytest.mark.parametrize("value", [np.sin, 3.0, Layer, Layer(1.0), tl.grad(block)])
def test_what_is_no_function_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="takes a function or a method"):
        tl.checkpoint(value)


def step(x: Any) -> Any:
    return np.sin(x) * np.exp(x)


def test_nothing_is_kept_but_the_arguments_and_it_runs_twice() -> None:
    def f(x: Any) -> Any:
        y = tl.checkpoint(step)(x)
        return tl.checkpoint(step)(y)

    derivative = tl.grad(f)
    assert "step_forward(" not in derivative.source.partition("\n\n\n")[0]
    derivative(0.7)
    twice = dict.fromkeys(("step", "step_again", "step_forward", "step_backward"), 2)
    assert calls(derivative, "step", 0.7) == twice


@tl.checkpoint
def noisy(x: Any) -> Any:
    return x * np.random.normal()


@tl.checkpoint
def talking(x: Any) -> Any:
    print("x")
    return x * x


@tl.checkpoint
def asking(x: Any) -> Any:
    return talking(x) * x


@pytest.mark.parametrize(
    ("helper", "named"), [(noisy, "np.random.normal"), (talking, "print"), (asking, "print")]
)
def test_what_must_not_run_twice_is_refused_by_name(helper: Any, named: str) -> None:
    with pytest.raises(
        tl.UnsupportedSyntaxError, match=f"`{named}` in a function given to"
    ) as found:
        tl.grad(lambda x: helper(x) * 2.0)
    assert "Hand the value to the function" in str(found.value)


def test_the_pairs_of_one_helper_are_told_apart() -> None:
    """Two kinds of argument: texts that are alike call functions that are not."""
    source = tl.grad(variants(in_place)[0]).source
    defined = re.findall(r"^def (\w+)", source, re.MULTILINE)
    called = set(re.findall(r"\b((?:fill|write)_(?:kept|again|forward|backward)\w*)\(", source))
    assert len(set(defined)) == len(defined)
    assert called <= set(defined)
