"""Joint and split motion, forward mode, and containers as values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.4, 1.3, 0.7])


def layers(params, x):
    h = x
    for w, b in params:
        h = np.tanh(h @ w + b)
    return np.sum(h * h)


def by_name(d, x):
    return np.sum(d["w"] * x) + d["b"] * d["w"][0]


def nest(p):
    (a, b), rest = p
    return a * b["k"] + rest[0] * rest[1]


def builds(x):
    out = (x, x * 2.0, [x * 3.0, {"k": x * x}])
    return out[2][1]["k"] + out[0] * out[2][0]


def comprehends(x):
    ys = [np.sin(v) * v for v in x if v > 0.5]
    return sum(ys)


def stacks(x):
    ys = []
    for v in x:
        ys.append(v * v)
    total = 0.0
    while len(ys) > 1:
        total = total + ys.pop() * ys[0]
    return total


def swaps(x, y):
    for i in range(3):
        x, y = y, x * y
    return np.sum(x * y)


def rebinds(x):
    x = x * x
    x = np.sin(x)
    return np.sum(x)


def unused(x, y):
    return np.sum(x)


def constant(x):
    return 2.0


def returns_input(x):
    return x


def ternary(x, y):
    return x * y if x > y else x - y


def conditions(x, y):
    a = x and y
    b = x or 2.0
    return a * b


RNG = np.random.default_rng(3)
LAYERS = [
    (RNG.normal(size=(3, 4)), RNG.normal(size=4)),
    (RNG.normal(size=(4, 2)), RNG.normal(size=2)),
]
PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (layers, (LAYERS, RNG.normal(size=(5, 3)))),
    (layers, ([], X)),
    (by_name, ({"w": X, "b": 0.5}, X + 1.0)),
    (nest, (((0.5, {"k": 2.0}), [3.0, 4.0]),)),
    (nest, (((0.5, {"k": 2.0, "text": "kept"}), (3.0, 4.0, 7)),)),
    (builds, (1.4,)),
    (comprehends, (X,)),
    (stacks, (X,)),
    (swaps, (1.2, 0.7)),
    (swaps, (X, 0.7)),
    (rebinds, (X,)),
    (unused, (X, 2.0)),
    (constant, (2.0,)),
    (returns_input, (2.0,)),
    (ternary, (1.5, 0.5)),
    (ternary, (0.5, 1.5)),
    (conditions, (1.5, 0.5)),
]


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_derivatives(f: Any, args: tuple[Any, ...], confirm: Any) -> None:
    confirm(f, *args)


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_split_is_joint(f: Any, args: tuple[Any, ...]) -> None:
    """The pullback at one is the gradient, and at two it is twice that."""
    value, pullback = tl.vjp(f)(*args)
    np.testing.assert_allclose(value, f(*args), rtol=1e-13)
    gradient = tl.grad(f)(*args)
    for factor in (1.0, 2.0, 1.0):
        np.testing.assert_allclose(
            flat(pullback(factor)), factor * flat(gradient), rtol=1e-12, atol=1e-14
        )


def flat(x: Any) -> np.ndarray:
    if isinstance(x, dict):
        return flat(list(x.values()))
    if isinstance(x, (list, tuple)):
        return np.concatenate([flat(e) for e in x] or [np.zeros(0)])
    return np.zeros(0) if x is None else np.ravel(x)


def test_what_does_not_reach_the_result_has_zeros_of_its_form() -> None:
    np.testing.assert_array_equal(tl.grad(unused, "y")(X, X), np.zeros(3))
    assert tl.grad(constant)(2.0) == 0.0
    assert type(tl.grad(constant)(2.0)) is float
    assert tl.jvp(constant)(2.0, tangent=1.0) == (2.0, 0.0)
    assert tl.grad(constant)(np.float32(2)).dtype == np.float32


def test_zero_never_leaves() -> None:
    for f, args in PROGRAMS:
        for derivative in (tl.grad(f), tl.value_and_grad(f)):
            assert "ZERO" not in repr(derivative(*args))


@pytest.mark.parametrize("x", [2.0, np.float32(2.0), np.array(2.0), np.array([2.0])])
def test_a_result_that_is_the_input(x: Any) -> None:
    seed = np.ones_like(x) * 3 if isinstance(x, np.ndarray) else 3.0
    gradient = tl.grad(returns_input)(x, adjoint=seed)
    assert gradient == 3.0
    assert gradient is not seed or not isinstance(seed, np.ndarray)
    assert type(gradient) is type(x)


def test_integers_select_they_do_not_flow() -> None:
    def weighted(x, n):
        return np.sum(x * n)

    assert tl.grad(weighted, "n")(X, 3) == pytest.approx(np.sum(X))
    assert isinstance(tl.grad(weighted, "n")(X, 3), float)
