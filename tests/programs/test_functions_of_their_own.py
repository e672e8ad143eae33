"""Objects of one class of which some have a function of their own under the name of one of the class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def squared(y: Any) -> Any:
    return y * y


class Shaped:
    shape = staticmethod(squared)

    def __init__(self, w: float) -> None:
        self.w = w

    def forward(self, x: Any) -> Any:
        return self.shape(x * self.w)


class Scaled:
    def __init__(self, w: float) -> None:
        self.w = w

    def forward(self, x: Any) -> Any:
        return self.scale(x) * self.w

    def scale(self, x: Any) -> Any:
        return x * 3.0


class Layer:
    def __init__(self, w: float) -> None:
        self.w = w

    def forward(self, x: Any) -> Any:
        return np.tanh(x * self.w)


def through(layers: list[Any], x: Any) -> Any:
    for layer in layers:
        x = layer.forward(x)
    return x


def one_of(layers: list[Any], x: Any) -> Any:
    layer = layers[0] if x > 0 else layers[1]
    return layer.forward(x) * 2


def slope(f: Callable[..., Any], layers: list[Any]) -> float:
    return float((f(layers, 2.0 + 1e-6) - f(layers, 2.0 - 1e-6)) / 2e-6)


@pytest.mark.parametrize("f", [through, one_of])
@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_functions_of_the_class_that_know_no_object(f: Any, optimized: bool, which: int) -> None:
    layers = [Shaped(0.5), Shaped(0.7), Shaped(0.9)]
    layers[which].shape = np.sin  # type: ignore[method-assign,assignment]
    gradient = tl.grad(f, wrt="x", optimized=optimized)
    assert gradient(layers, 2.0) == pytest.approx(slope(f, layers), abs=1e-5)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_methods(which: int) -> None:
    """Which of the two an object has is not known where it is called: no number but a right one."""
    layers = [Scaled(0.5), Scaled(0.7), Scaled(0.9)]
    layers[which].scale = lambda x: x * 5.0  # type: ignore[method-assign]
    for f in (through, one_of):
        try:
            found = tl.grad(f, wrt="x")(layers, 2.0)
        except tl.DerivativeError as fault:
            assert "`scale`" in str(fault)
        else:
            assert found == pytest.approx(slope(f, layers), abs=1e-5)


@pytest.mark.parametrize("optimized", [True, False])
def test_a_method_of_one_object(optimized: bool) -> None:
    layers = [Layer(0.5), Layer(0.7)]
    gradient = tl.grad(through, wrt="x", optimized=optimized)
    assert gradient(layers, 2.0) == pytest.approx(slope(through, layers), abs=1e-5)
    layers[1].forward = lambda x: x * 2.0  # type: ignore[method-assign]
    assert gradient(layers, 2.0) == pytest.approx(slope(through, layers), abs=1e-5)


@pytest.mark.parametrize("optimized", [True, False])
def test_methods_that_are_bound_anew_more_than_once(
    optimized: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Functions of any name, those of before again, and those that a class has beside its base."""

    class Own(Layer):
        pass

    layers = [Own(0.5), Layer(0.7)]
    gradient = tl.grad(through, wrt="x", optimized=optimized)
    before = Layer.forward
    for method in (before, sine, before, double, lambda self, x: x / self.w, sine, before):
        monkeypatch.setattr(Layer, "forward", method)
        assert gradient(layers, 2.0) == pytest.approx(slope(through, layers), abs=1e-5)
    Own.forward = sine  # type: ignore[method-assign]
    assert gradient(layers, 2.0) == pytest.approx(slope(through, layers), abs=1e-5)
    del Own.forward
    assert gradient(layers, 2.0) == pytest.approx(slope(through, layers), abs=1e-5)


class Known:
    @classmethod
    def of(cls, x: Any) -> Any:
        return np.sin(x)


def by_class(known: Any, x: Any) -> Any:
    return known[0].of(x)


def test_class_methods_that_are_bound_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    gradient, known = tl.grad(by_class, wrt="x"), [Known()]
    for of in (np.exp, np.cos, np.exp):
        monkeypatch.setattr(Known, "of", classmethod(lambda cls, x, of=of: of(x)))
        assert gradient(known, 2.0) == pytest.approx(slope(by_class, known), abs=1e-5)


def sine(self: Any, x: Any) -> Any:
    return np.sin(x * self.w)


def double(self: Any, x: Any) -> Any:
    return 2 * x * self.w
