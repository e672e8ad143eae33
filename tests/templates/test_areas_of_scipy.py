"""``scipy.integrate.quad``: integrals move with their limits, and with what the function under them holds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import pipeline, runtime as rt

quad: Any = pytest.importorskip("scipy.integrate", reason="SciPy is not there").quad


class Bell:
    """A function that holds its width."""

    def __init__(self, p: Any) -> None:
        self.p = p

    def at(self, x: Any) -> Any:
        return np.exp(-self.p * x * x)

    def mass(self, b: float) -> Any:
        return quad(self.at, 0.0, b)[0]


def with_error(p):
    area, error = quad(lambda x: math.sin(p * x), 0.0, 1.0, epsabs=1e-12)
    return area if error < 1e-6 else p


def in_an_integral(p):
    def inner(x):
        return quad(lambda y: np.exp(-p * x * y), 0.0, x)[0]

    return quad(inner, 0.0, 1.0)[0]


AREAS = [
    lambda p: quad(lambda x: math.exp(-p * x * x), 0.0, 2.0)[0],
    lambda p: quad(lambda x: np.exp(-p * x * x), -p, 2.0 * p)[0],
    lambda p: quad(lambda x: np.exp(-p * x * x), 2.0, p)[0],
    lambda p: quad(lambda x, q: np.exp(-q * x * x), 0.0, np.inf, args=(p,))[0],
    lambda p: quad(lambda x, q: np.exp(-q * x * x), 0.0, 1.0, p)[0],
    lambda p: quad(lambda x: np.exp(-p * x * x), -np.inf, np.inf)[0],
    lambda p: quad(lambda x: np.exp(p * x), -np.inf, p)[0],
    lambda p: quad(lambda x: np.exp(-p * x * x), np.inf, p)[0],
    lambda p: quad(np.sin, 0.0, p)[0],
    lambda p: quad(lambda x: abs(x - p), 0.0, 3.0, points=(p,))[0],
    lambda p: quad(lambda x: p if x < p else 0.5 * x, 0.0, 3.0, points=[p])[0],
    lambda p: Bell(p).mass(p),
    with_error,
    in_an_integral,
]


@pytest.mark.parametrize("f", AREAS, ids=range(len(AREAS)))
def test_areas(confirm, f):
    confirm(f, 1.3)


def test_values_are_those_of_scipy():
    for f in AREAS:
        assert tl.value_and_grad(f)(1.3)[0] == f(1.3)


def test_what_is_not_smooth_is_refused():
    """Where it jumps, the derivative is no integral of the derivative: that is zero."""
    for f in (
        lambda p: quad(lambda x: 1.0 if x < p else 0.0, 0.0, 2.0)[0],
        lambda p: quad(lambda x: abs(x - p), 0.0, 3.0)[0],
        lambda p: quad(lambda x: p / np.sqrt(x), 0.0, 3.0)[0],
    ):
        for p in (0.5, 1.0, 1.3):
            with pytest.raises(tl.DerivativeError, match="points="):
                tl.grad(f)(p)


def test_a_function_that_writes_is_refused():
    def f(p):
        seen = []

        def g(x):
            seen.append(x * p)
            return x * p

        return quad(g, 0.0, 1.0)[0] + seen[0]

    with pytest.raises(tl.DerivativeError):
        tl.grad(f)(1.3)


def test_a_helper_that_is_refused_is_studied_once(monkeypatch):
    """Its callers would ask twice each, and those that call them four times."""
    studied: list[Any] = []
    study = pipeline.Linker._study

    def counted(linker, callee, kinds):
        studied.append((callee.__name__, kinds))
        return study(linker, callee, kinds)

    def f(p):
        seen = []

        def g(x):
            seen.append(x * p)
            return x * p

        return quad(g, 0.0, 1.0)[0] + seen[0]

    monkeypatch.setattr(pipeline.Linker, "_study", counted)
    with pytest.raises(tl.DerivativeError):
        tl.grad(f)
    parts = [kinds for name, kinds in studied if name == "_parts"]
    assert len(parts) == len(set(parts)) > 0


def test_places_and_weights_sum_up_to_the_integral():
    places, weights = rt.between(math.sin, 0.0, 2.0, ())
    found = sum(2.0 * w * math.sin(2.0 * u) for u, w in zip(places, weights))
    assert found == pytest.approx(1.0 - math.cos(2.0), rel=1e-12)
    distances, weights = rt.beyond(lambda x: math.exp(-x), 1.0, 1.0, ())
    found = sum(w * math.exp(-1.0 - s) for s, w in zip(distances, weights))
    assert found == pytest.approx(math.exp(-1.0), rel=1e-12)
    places, weights = rt.everywhere(lambda x: math.exp(-x * x), ())
    found = sum(w * math.exp(-x * x) for x, w in zip(places, weights))
    assert found**2 == pytest.approx(math.pi, rel=1e-12)
