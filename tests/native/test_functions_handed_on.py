"""Functions that are handed on, and tuples, lists and names as people write them, in machine code."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba", reason="Numba is not installed: pip install tangentlite[numba]")
from tangentlite.native.bundles import without_closures  # noqa: E402

X = np.array([0.4, 1.3, 0.7])
Case = tuple[Callable[..., Any], tuple[Any, ...]]


def simpson(f: Any, a: Any, b: Any, n: int) -> Any:
    h = (b - a) / n
    s = f(a) + f(b)
    for i in range(1, n):
        s += f(a + i * h) * (4 if i % 2 else 2)
    return s * h / 3


def integral_of_a_lambda(w: Any, a: Any) -> Any:
    return simpson(lambda t: np.sin(w * t), 0.0, a, 20) + simpson(lambda t: a * t, 0.0, w, 4)


def rk4(f: Any, y: Any, t: Any, h: Any) -> Any:
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(t + h, y + h * k3))


def integrator(y: Any, k: Any) -> Any:
    def rhs(t: Any, y: Any) -> Any:
        return -k * y + np.sin(t) * y[0]

    t = 0.0
    for _ in range(4):
        y = rk4(rhs, y, t, 0.1)
        t += 0.1
    return np.sum(y**2)


def newton(f: Any, df: Any, x: Any, n: int = 10) -> Any:
    for _ in range(n):
        x = x - f(x) / df(x)
    return x


def root(a: Any) -> Any:
    return newton(lambda x: x * x - a, lambda x: 2.0 * x, a)


def power(x: Any, n: int = 2, *, scale: Any = 1.0) -> Any:
    s = scale
    for _ in range(n):
        s = s * x + 0.1 * scale
    return s


def keywords(x: Any) -> Any:
    part = functools.partial(power, scale=x)
    return power(x) * power(x, 3) + power(x, scale=2.0 * x) + part(x * x, n=1)


def arrays_captured(w: Any, x: Any) -> Any:
    def layer(h: Any) -> Any:
        return np.tanh(w @ h + x)

    def twice(f: Any, h: Any) -> Any:
        return f(f(h))

    return np.sum(twice(layer, x) * x)


def by_parts(p: Any, v: Any) -> Any:
    a, b = p
    s = v
    for _ in range(3):
        s = s * p[0] + b * a
    return s


def parts_of_a_tuple(x: Any, w: Any) -> Any:
    return by_parts((x, w), x) + by_parts((w, np.sum(np.ones(2) * x)), w)


def pairs_on_a_list(x: Any) -> Any:
    s = 0.0
    for a, b in [(x * k, x + k) for k in range(4)]:
        s += a * b
    return s


def rows_of_unlike_lengths(x: Any) -> Any:
    rows = [[v * w for w in x if w > v] for v in x]
    s = 0.0
    for row in rows:
        for v in row:
            s += v * v
    return s


def starred(x: Any) -> Any:
    first, *rest = [v * v for v in x]
    return first * rest[0] + rest[1] * first


def left_early(x: Any) -> Any:
    s = 0.0
    for v in x:
        if s > 0.5:
            break
        s = s + v * v
    else:
        s = 2.0 * s
    return s * x[0]


def other_letters(x: Any, Δ: Any) -> Any:
    α = np.exp(2.0 * x)
    for i in range(1, len(x)):
        α[i] = α[i - 1] * Δ + x[i]
    σ = 2.0 * Δ
    return np.sum(x * α) * σ


def copies_of_arrays(x: Any) -> Any:
    y, z = np.array(x), np.array(x, dtype=float)
    y[0] = 2.0 * z[1]
    z[1:] *= y[:-1]
    return np.sum(y * z) + np.sum(np.array(z, np.float64, copy=True) ** 2)


def quietly(x: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        y = np.where(x > 0.5, np.log(x), 0.0)
    return np.sum(y * x)


def descends(x: Any) -> Any:
    def loss(y: Any) -> Any:
        return np.sum((y * y - x) ** 2)

    y = np.ones(3)
    for _ in range(3):
        y = y - 0.1 * tl.grad(loss)(y)
    return np.sum(y * x)


def f(x: Any) -> Any:
    """A function whose name parameters of helpers have, too."""
    return x * 100.0


def at_half(f: Any, v: Any) -> Any:
    return f(v) * f(0.5 * v)


def shadowed_names(x: Any) -> Any:
    return at_half(np.sin, x) + at_half(np.exp, x) + f(x)


def shadowed_in_the_kernel(x: Any) -> Any:
    power = x * 2.0
    newton = power * x
    return at_half(lambda v: v * newton, power)


CASES: list[Case] = [
    (integral_of_a_lambda, (1.2, 0.7)),
    (integrator, (X, 0.7)),
    (root, (1.2,)),
    (keywords, (1.2,)),
    (arrays_captured, (np.outer(X, X), X)),
    (parts_of_a_tuple, (1.2, 0.7)),
    (pairs_on_a_list, (1.2,)),
    (rows_of_unlike_lengths, (X,)),
    (starred, (X,)),
    (left_early, (X,)),
    (other_letters, (X, 0.3)),
    (copies_of_arrays, (X,)),
    (quietly, (X,)),
    (descends, (X,)),
    (shadowed_names, (1.2,)),
    (shadowed_in_the_kernel, (1.2,)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_machine_code_agrees(case: Case) -> None:
    function, args = case
    wrt = tuple(range(len(args)))
    expected = tl.grad(function, wrt=wrt)(*args)
    compiled = tl.grad(function, wrt=wrt, compile="numba")
    for _ in range(2):
        for found, right in zip(compiled(*args), expected):
            np.testing.assert_allclose(found, right, rtol=1e-10, atol=1e-12)
        args = tuple(0.9 * a for a in args)
        expected = tl.grad(function, wrt=wrt)(*args)


def test_chains_without_end_are_refused_in_words() -> None:
    def chain(x: Any) -> Any:
        t = (x, None)
        while x < 10.0:
            x = x * 2.0
            t = (x * x, t)
        s = 0.0
        while t is not None:
            v, t = t
            s = s * 0.5 + v
        return s

    with pytest.raises(tl.UnsupportedSyntaxError, match="the tuple `t` grows"):
        tl.grad(chain, compile="numba")(0.7)


def test_parts_of_tuples_of_a_trip_before_are_not_what_has_their_name_now() -> None:
    text = (
        "def f(x):\n for v in x:\n  if v > 1: kept = v, x\n  s = kept[0] * v + kept[1]\n return s"
    )
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.FunctionDef)
    without_closures(tree, lambda node: None)
    assert "s = kept[0] * v + kept[1]" in ast.unparse(tree)
