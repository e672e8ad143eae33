"""``tl.specialize``: the same numbers as the general derivative, a text without what the examples decide, a guard."""

from __future__ import annotations

import copy
import importlib
import math
import pkgutil
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
import tests.programs
from tests.golden import numbers
from tests.golden.case import read
from tests.golden.test_golden import CASES as GOLDEN
from tests.programs import strict

MODULES = [m.name for m in pkgutil.iter_modules(tests.programs.__path__) if "test_" in m.name]


def programs(each: int) -> Iterator[Any]:
    """The first programs of every module of the corpus."""
    for name in MODULES:
        importlib.import_module(f"tests.programs.{name}")
        cases = strict.CASES.get(f"tests.programs.{name}", [])
        plain = [c for c in cases if not c[2].get("gap") and not c[2].get("long")]
        for function, args, _ in plain[:each]:
            yield pytest.param(function, args, id=f"{name[5:]}-{function.__name__}")


def close(a: Any, b: Any) -> None:
    """The same types and shapes, and the same numbers but for the order in which they are added."""
    if isinstance(a, np.ndarray | np.generic):
        assert (type(a), a.dtype, a.shape) == (type(b), b.dtype, b.shape)
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)
    elif isinstance(a, float):
        assert type(a) is type(b)
        assert math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-14) or a != a != b
    elif isinstance(a, list | tuple):
        assert type(a) is type(b)
        for one, other in zip(a, b, strict=True):
            close(one, other)
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for key in a:
            close(a[key], b[key])


def compare(function: Any, args: tuple[Any, ...]) -> None:
    active = next((k for k, a in enumerate(args) if strict.leaves(a)), None)
    if active is None:
        return
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        general = tl.grad(function, wrt=active)
        special = tl.specialize(general, *copy.deepcopy(args))
        close(special(*copy.deepcopy(args)), general(*copy.deepcopy(args)))


@pytest.mark.parametrize(("function", "args"), list(programs(1)))
def test_the_same_numbers(function: Any, args: Any) -> None:
    compare(function, args)


@pytest.mark.slow
@pytest.mark.parametrize(("function", "args"), list(programs(8)))
def test_the_same_numbers_of_more(function: Any, args: Any) -> None:
    compare(function, args)


JOINT = [p for p in GOLDEN if "split" not in p.stem]  # two functions have no one text


@pytest.mark.parametrize("path", JOINT, ids=lambda p: p.stem)
def test_the_same_numbers_of_the_gallery(path: Any) -> None:
    case = read(path)
    for point in numbers.points(case):
        special = tl.specialize(case.derive(), *copy.deepcopy(point))
        numbers.agree(case, special, copy.deepcopy(point))


def layer(w, b, x):
    return np.sum(np.tanh(x @ w + b) ** 2)


W, B, X = np.ones((3, 2)) * 0.3, np.array([0.1, -0.2]), np.arange(12.0).reshape(4, 3) / 12


def cube(x):
    return x * x * x


def test_the_text_says_what_it_is_for_and_tests_nothing_else() -> None:
    general = tl.grad(layer, wrt=("w", "b"))
    special = tl.specialize(general, W, B, X)
    assert "# Specialized for w: a float array with 2 axes" in special.source
    assert "rt.matmul_right" in general.source
    assert "rt.matmul_right" not in special.source
    assert "rt.numbers" not in special.source
    assert special.source.count("rt.unbroadcast") < general.source.count("rt.unbroadcast")
    close(special(W, B, X), general(W, B, X))
    assert "specialized for w, b, x" in repr(special)


@pytest.mark.parametrize(
    ("args", "error", "told"),
    [
        ((W, B, X[0]), TypeError, "`x`: a float array with 2 axes"),
        ((W.astype(int), B, X), TypeError, "`w`: a float array"),
        ((W, 0.5, X), TypeError, "`b`: a float array with 1 axis"),
        ((W, B[:1], X), ValueError, r"w\.shape\[1\] == b\.shape\[0\]"),
        ((W, list(B), X), TypeError, "`b`: a float array with 1 axis"),
    ],
)
def test_other_arguments_are_refused(args: Any, error: Any, told: str) -> None:
    with pytest.raises(error, match=told):
        tl.specialize(tl.grad(layer), W, B, X)(*args)


def test_numbers_of_one_type() -> None:
    special = tl.specialize(tl.grad(cube), 2.0)
    assert special(3.0) == 27.0
    assert type(special(3.0)) is float
    for other in (np.float64(3.0), 3, np.ones(2)):
        with pytest.raises(TypeError, match="`x`: a float"):
            special(other)
    scalar = tl.specialize(tl.grad(cube), np.float32(2.0))(np.float32(3.0))
    assert scalar == 27.0
    assert type(scalar) is np.float32


def test_every_way_in() -> None:
    assert tl.specialize(tl.value_and_grad(cube), 2.0)(2.0) == (8.0, 12.0)
    assert tl.specialize(tl.jvp(cube), 2.0)(2.0, tangent=1.0) == (8.0, 12.0)
    assert tl.specialize(tl.grad(tl.grad(cube)), 2.0)(3.0) == 18.0
    assert tl.grad(tl.specialize(tl.grad(cube), 2.0))(3.0) == 18.0
    assert tl.specialize(tl.specialize(tl.grad(cube), 2.0), np.ones(2)).source.count("axis") > 0
    assert tl.specialize(tl.grad(layer), W, b=B, x=X)(W, x=X, b=B).shape == (3, 2)


def test_what_has_no_one_text_is_refused() -> None:
    for other in (cube, tl.vjp(cube), tl.autodiff(cube, motion="split")):
        with pytest.raises(TypeError, match="specialize"):
            tl.specialize(other, 2.0)
    with pytest.raises((TypeError, tl.DerivativeError), match="`x`"):
        tl.specialize(tl.grad(cube), object())


class Scale:
    def __init__(self, by: float) -> None:
        self.by = by

    def scaled(self, x):
        return self.by * x * x


SCALE = Scale(3.0)


def through(x, f=SCALE.scaled, g=cube):
    return f(x) + g(x)


def test_functions_are_examples_too():
    special = tl.specialize(tl.grad(through), 2.0)
    assert special(2.0) == special(2.0, SCALE.scaled) == special(2.0, SCALE.scaled, cube) == 24.0
    with pytest.raises(TypeError, match=r"`f`: the function `Scale.scaled`, not method"):
        special(2.0, Scale(1.0).scaled)
    with pytest.raises(TypeError, match=r"`g`: the function `cube`, not ufunc"):
        special(2.0, g=np.sin)
    assert tl.specialize(tl.grad(through), 2.0, np.square)(2.0, np.square) == 16.0
