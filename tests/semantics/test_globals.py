"""Globals, captured variables, attributes and defaults: what they mean at a call is what counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.4, 1.3, 0.7, 0.9])
MODES: dict[str, Callable[..., Any]] = {
    "reverse": lambda d, *args: d(*args),
    "value": lambda d, *args: d(*args)[1],
    "split": lambda d, *args: d(*args)[1](1.0),
    "forward": lambda d, *args: [d(*args, tangent=e)[1] for e in np.eye(4)],
}
MAKE = {"reverse": tl.grad, "value": tl.value_and_grad, "split": tl.vjp, "forward": tl.jvp}


def square(v):
    return v * v


def cube(v):
    return v * v * v


FLOAT, SIZE, ARRAY, SHAPE, FUNCTION, AXIS, PART = 2.0, 1, np.ones(4), (4,), np.tanh, 0, slice(0, 1)
LIST, TABLE, NOTHING, HELPER, FLAG = [1.0, 2.0], {"a": 2.0}, None, square, True
THINGS = SimpleNamespace(scale=2.0, place=1, shape=(4,), function=np.tanh)


@pytest.fixture(autouse=True)
def as_they_were() -> Iterator[None]:
    names = [n for n in globals() if n.isupper()]
    before = {n: globals()[n] for n in names}
    attributes = dict(vars(THINGS))
    yield
    globals().update(before)
    vars(THINGS).update(attributes)


def reads_a_float(x):
    y = x * FLOAT
    y[0] = np.sum(FLOAT) * x[1]
    return np.sum(y * y)


def reads_an_exponent(x):
    y = x * 1.0
    y **= SIZE
    return np.sum(y * x**SIZE)


def reads_an_index(x):
    y = x * x
    z = y[SIZE]
    z *= 3.0
    return np.sum(y * y) + np.sum(z)


def reads_a_part(x):
    y = x * x
    z = y[PART]
    z *= 3.0
    return np.sum(y * y) + np.sum(z)


def reads_a_shape(x):
    y = np.reshape(x * x, SHAPE)
    z = y[0]
    z *= 2.0
    return np.sum(y * y)


def reads_an_array(x):
    y = np.zeros(ARRAY.shape)
    y[0] = x[0] * x[1]
    z = y[0]
    z += x[1]
    return np.sum(y * y * ARRAY) + np.sum(z)


def makes_an_array_like_it(x):
    y = np.zeros_like(ARRAY)
    y[0] = x[0] * x[1]
    return np.sum(y * y)


def reads_an_axis(x):
    y = np.sum(np.outer(x, x), axis=AXIS)
    y *= x[0]
    return np.sum(y)


def calls_a_function(x):
    return np.sum(FUNCTION(x))


def calls_a_helper(x):
    return np.sum(HELPER(x))


def reads_a_list(x):
    y = LIST[0] * x
    y += 1.0
    return np.sum(y * LIST[1])


def reads_a_dict(x):
    return np.sum(x * x * TABLE["a"])


def asks_for_none(x):
    if NOTHING is None:
        return np.sum(x * x)
    return np.sum(x * NOTHING)


def asks_a_flag(x):
    if FLAG:
        x[0] = x[1] * x[1]
    return np.sum(x * x)


def reads_attributes(x):
    y = np.reshape(x * THINGS.scale, THINGS.shape)
    z = y[THINGS.place]
    z *= 2.0
    return np.sum(y * y) + np.sum(THINGS.function(x))


CHANGES: list[tuple[Callable[..., Any], dict[str, list[Any]]]] = [
    (reads_a_float, {"FLOAT": [3.5, 3, np.arange(4.0), np.float32(2.0)]}),
    (reads_an_exponent, {"SIZE": [3, 0, 2.5, np.arange(4.0)]}),
    (reads_an_index, {"SIZE": [2, slice(0, 2), np.array([0, 1]), -1]}),
    (reads_a_part, {"PART": [0, slice(1, 3), [0, 1]]}),
    (reads_a_shape, {"SHAPE": [(2, 2), 4, (1, 4)]}),
    (reads_an_array, {"ARRAY": [np.ones((2, 2)), np.arange(4.0), np.arange(4)]}),
    (makes_an_array_like_it, {"ARRAY": [np.arange(4.0), np.ones(3)]}),
    (reads_an_axis, {"AXIS": [1, -1]}),
    (calls_a_function, {"FUNCTION": [np.sin, square, np.tanh]}),
    (calls_a_helper, {"HELPER": [cube, np.exp, square]}),
    (reads_a_list, {"LIST": [[3, 4], [X, 2.0], (1.0, 2.0), np.ones(2)]}),
    (reads_a_dict, {"TABLE": [{"a": 3}, {"a": X}, {"b": 1.0, "a": 0.5}]}),
    (asks_for_none, {"NOTHING": [2.0, X, None]}),
    (asks_a_flag, {"FLAG": [False, True, 0]}),
]


def slopes(f: Any, *args: Any) -> Any:
    return [(f(X + 1e-6 * e, *args) - f(X - 1e-6 * e, *args)) / 2e-6 for e in np.eye(4)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("f", "values"), CHANGES, ids=lambda v: getattr(v, "__name__", ""))
def test_a_global_that_is_bound_anew(f: Any, values: dict[str, list[Any]], mode: str) -> None:
    derivative = MAKE[mode](f)
    np.testing.assert_allclose(MODES[mode](derivative, X.copy()), slopes(f), rtol=1e-4, atol=1e-6)
    for name, others in values.items():
        for value in others:
            globals()[name] = value
            found = MODES[mode](derivative, X.copy())
            np.testing.assert_allclose(found, slopes(f), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_attributes_that_are_bound_anew(mode: str) -> None:
    derivative = MAKE[mode](reads_attributes)
    changes = [("scale", np.arange(4.0)), ("place", slice(0, 2)), ("function", np.sin)]
    for name, value in [("scale", 2.0), *changes, ("shape", (2, 2)), ("place", 1)]:
        setattr(THINGS, name, value)
        found = MODES[mode](derivative, X.copy())
        np.testing.assert_allclose(found, slopes(reads_attributes), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_captured_variables_that_are_bound_anew(mode: str) -> None:
    scale, place, function = 2.0, 1, np.tanh

    def captures(x):
        y = x * scale
        y[place] = x[0]
        z = y[place]
        z += 1.0
        return np.sum(function(y) * y)

    derivative = MAKE[mode](captures)
    for scale, place, function in (  # noqa: B020
        (2.0, 1, np.tanh),
        (np.arange(4.0), slice(0, 2), np.sin),
        (3, 2, square),
    ):
        found = MODES[mode](derivative, X.copy())
        np.testing.assert_allclose(found, slopes(captures), rtol=1e-4, atol=1e-6)


def has_a_function(x, act=np.tanh):
    return np.sum(act(x))


def has_none(x, w=None):
    if w is None:
        return np.sum(x * x)
    return np.sum(x * w)


def has_none_that_is_added(x, w=None):
    y = x * x
    if w is not None:
        y += w * x
    return np.sum(y)


def has_a_pair(x, w=(1.0, 2.0)):
    return np.sum(x * len(w + w)) * w[0]


def has_a_name(x, how="square"):
    return np.sum(x * x) if how == "square" else np.sum(x)


DEFAULTS: list[tuple[Callable[..., Any], list[Any]]] = [
    (has_a_function, [np.sin, square, np.tanh]),
    (has_none, [2.0, X, 3, None]),
    (has_none_that_is_added, [2.0, X, None]),
    (has_a_pair, [(3.0,), [1.0, 2.0, 3.0], np.ones(3)]),
    (has_a_name, ["sum", "square"]),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("f", "values"), DEFAULTS, ids=lambda v: getattr(v, "__name__", ""))
def test_another_argument_than_the_default(f: Any, values: list[Any], mode: str) -> None:
    derivative = MAKE[mode](f)
    np.testing.assert_allclose(MODES[mode](derivative, X.copy()), slopes(f), rtol=1e-4, atol=1e-6)
    for value in values:
        found = MODES[mode](derivative, X.copy(), value)
        np.testing.assert_allclose(found, slopes(f, value), rtol=1e-4, atol=1e-6)


def test_the_text_itself_takes_its_defaults_only() -> None:
    text = tl.grad(has_a_function).function
    np.testing.assert_allclose(text(X), slopes(has_a_function), rtol=1e-6)
    with pytest.raises(TypeError):
        text(X, np.sin)


def test_a_second_derivative_of_another_function_than_the_default() -> None:
    twice = tl.grad(tl.grad(has_a_function, wrt=0), wrt=0)
    np.testing.assert_allclose(twice(0.3, np.sin), -np.sin(0.3))
    np.testing.assert_allclose(twice(0.3), -2.0 * np.tanh(0.3) * (1.0 - np.tanh(0.3) ** 2))
