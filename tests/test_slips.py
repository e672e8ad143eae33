"""A slip of the finger is answered with the word that was meant, at its place."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

rate = 2.0
plugins = types.ModuleType("plugins")


class Line:
    def __init__(self, w: Any) -> None:
        self.weight = w

    def predict(self, x: float) -> Any:
        return self.weight * x


def scaled(x: Any) -> Any:
    return rate * x


def module(x: Any) -> Any:
    return np.sum(np.sinn(x) ** 2)  # type: ignore[attr-defined]


def inner_module(x: Any) -> Any:
    y = np.linalg.nrm(x)  # type: ignore[attr-defined]
    return y * y


def of_another_library(x: Any) -> Any:
    return np.sum(np.relu(x))  # type: ignore[attr-defined]


def renamed(x: Any) -> Any:
    return np.trapz(x * x)  # type: ignore[attr-defined]


def removed(x: Any) -> Any:
    return np.sum(np.maximum(x, np.infty))  # type: ignore[attr-defined]


def method(x: Any) -> Any:
    return x.summ()


def function_as_method(x: Any) -> Any:
    return x.exp().sum()


def attribute(x: Any) -> Any:
    return np.sum(x.shap[0] * x)


def parameter(x: Any) -> Any:
    return np.sum(x, dim=0)  # type: ignore[call-overload]


def helper(x: Any) -> Any:
    return scalde(x)  # type: ignore[name-defined] # noqa: F821


def variable(x: Any) -> Any:
    return x * raet  # type: ignore[name-defined] # noqa: F821


def of_object(x: Any) -> Any:
    return Line(x).wieght  # type: ignore[attr-defined]


def method_of_object(x: Any) -> Any:
    line = Line(x)
    return line.perdict(2.0)  # type: ignore[attr-defined]


def too_many(x: Any) -> Any:
    return scaled(x, 2)  # type: ignore[call-arg]


SLIPS = {
    module: ("np.sinn(", "Did you mean `np.sin`?"),
    inner_module: ("np.linalg.nrm", "Did you mean `np.linalg.norm`?"),
    of_another_library: ("np.relu", "Write `np.maximum(x, 0.0)`."),
    renamed: ("np.trapz", "Write `np.trapezoid(y, x)`."),
    removed: ("np.infty", "`np.infty` was removed in the NumPy 2.0 release. Use `np.inf` instead."),
    method: ("x.summ", "Did you mean `.sum`?"),
    function_as_method: ("x.exp", "It is a function: `np.exp(x)`."),
    attribute: ("x.shap", "Did you mean `.shape`?"),
    parameter: ("np.sum", "Did you mean `axis`?"),
    helper: ("scalde", "Did you mean `scaled`?"),
    variable: ("raet", "Did you mean `rate`?"),
    of_object: ("Line(x).wieght", "Did you mean `weight`?"),
    method_of_object: ("line.perdict", "Did you mean `predict`?"),
    too_many: ("scaled(x, 2)", "Give it what it takes, no more and no less."),
}


@pytest.mark.parametrize("function", SLIPS, ids=lambda f: f.__name__)
def test_a_slip_is_answered_at_its_place(function: Callable[..., Any]) -> None:
    spot, hint = SLIPS[function]
    with pytest.raises(tl.DerivativeError) as caught:
        tl.grad(function)(np.ones(2))
    fault = caught.value
    assert fault.hint == hint
    assert fault.place is not None
    assert fault.place.text[fault.place.column :].startswith(spot)


def perhaps(x: Any) -> Any:
    if hasattr(np, "no_such"):
        x = np.no_such(x)
    return np.sum(x * x)


def one_or_the_other(x: Any) -> Any:
    try:
        return np.trapz(x)  # type: ignore[attr-defined]
    except AttributeError:
        return np.trapezoid(x)


def in_a_ternary(x: Any) -> Any:
    s = 0.0
    for v in x:
        s += np.no_such(v) if v > 5.0 else v * v  # type: ignore[attr-defined]
    return s


def by_its_name(x: Any) -> Any:
    return np.sum(getattr(np, "no_such", np.sin)(x))


@pytest.mark.parametrize("function", (perhaps, one_or_the_other, in_a_ternary, by_its_name))
def test_what_is_not_reached_is_no_fault(function: Callable[..., Any]) -> None:
    x = np.array([0.5, 1.5, 2.5])
    h = 1e-6
    want = [(function(x + h * e) - function(x - h * e)) / (2 * h) for e in np.eye(3)]
    assert np.allclose(tl.grad(function)(x), want, rtol=1e-6)
    assert np.allclose(tl.grad(function, optimized=False)(x), want, rtol=1e-6)


def in_a_list(x: Any) -> Any:
    return sum([np.no_such(v) for v in x])  # type: ignore[attr-defined]


def when_it_is_large(x: Any) -> Any:
    if np.sum(x) > 1.0:
        return np.no_such(x)  # type: ignore[attr-defined]
    return np.sum(x)


@pytest.mark.parametrize("function", (in_a_list, when_it_is_large))
def test_what_is_reached_raises_as_it_does(function: Callable[..., Any]) -> None:
    with pytest.raises(AttributeError, match="module 'numpy' has no attribute 'no_such'"):
        tl.grad(function)(np.ones(2))


def with_plugins(x: Any) -> Any:
    if hasattr(plugins, "twice"):
        x = plugins.twice(x)
    return np.sum(x * x)


def test_what_a_module_gets_later_is_seen() -> None:
    gradient = tl.grad(with_plugins)
    assert gradient(np.ones(2)).tolist() == [2.0, 2.0]
    plugins.twice = lambda x: 2.0 * x  # type: ignore[attr-defined]
    assert gradient(np.ones(2)).tolist() == [8.0, 8.0]
    del plugins.twice
    assert gradient(np.ones(2)).tolist() == [2.0, 2.0]
