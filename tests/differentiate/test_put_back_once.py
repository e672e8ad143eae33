"""An array all of which comes back is not put back before as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

Array = np.ndarray
X, Y, Z = (np.random.default_rng(3).normal(size=4) for _ in range(3))


def polynomial(x, c, y):
    y[:] = c[-1]
    for k in range(c.shape[0] - 2, -1, -1):
        y *= x
        y += c[k]
    return np.sum(y * y)


def normalized(x, gamma, beta):
    x -= x.mean(axis=0)
    x /= np.sqrt(np.mean(x * x, axis=0) + 0.1)
    x *= gamma
    x += beta
    return np.sum(x * x)


def of_a_view(x, y, z):
    a = x * y
    v = a[1:]
    s = np.sin(a)
    v[:] = s[1:] * z[1:]
    a[0] = z[0]
    v += 1.0
    return np.sum(s * np.exp(a)) + np.sum(v * v)


def of_another_name(x, y, z):
    a = x * y
    b = a
    s = a * a
    b[...] = s * z
    a += 0.1 * b * b
    b[1:] *= 0.1 * a[:-1]
    return np.sum(s * a) + np.sum(np.sin(b))


def in_one_branch(x, y, z):
    a = x * y
    s = np.sin(a) * a
    if s[0] > z[0]:
        a[...] = s * z
    a *= z
    for k in range(3):
        if k != 1:
            a[:] = a * y
        a -= z * k
    return np.sum(s * a * a)


def bound_anew(x, y, z):
    a = x * y
    b = a[::-1]
    s = a * b
    for _ in range(2):
        a[:] = s * a
        b += z
        a = b * a
        a += s
    return np.sum(a * b * s)


def told(function: Callable[..., Any], args: tuple[Array, ...]) -> None:
    """The gradients against tangents and differences."""
    wrt = (0, 1, 2)
    ways = [np.random.default_rng(k).normal(size=np.shape(a)) for k, a in enumerate(args)]

    def at(step: float) -> Any:
        return function(*[a + step * w for a, w in zip(args, ways)])

    def own() -> list[Array]:
        return [a.copy() for a in args]

    _, tangent = tl.jvp(function, wrt=wrt)(*own(), tangent=tuple(ways))
    np.testing.assert_allclose(tangent, (at(1e-6) - at(-1e-6)) / 2e-6, rtol=1e-6)
    _, pullback = tl.vjp(function, wrt=wrt)(*own())
    plain = tl.grad(function, wrt=wrt, optimized=False)(*own())
    for found in (tl.grad(function, wrt=wrt)(*own()), plain, pullback(1.0), pullback(1.0)):
        product = sum(np.sum(b * w) for b, w in zip(found, ways))
        np.testing.assert_allclose(product, tangent, rtol=1e-10)


@pytest.mark.parametrize("function", [of_a_view, of_another_name, in_one_branch, bound_anew])
def test_numbers(function: Callable[..., Any]) -> None:
    told(function, (X, Y, Z))
    told(function, (Y, Z, X))


@pytest.mark.parametrize(("function", "copies"), [(polynomial, 1), (normalized, 2)])
def test_copies(function: Callable[..., Any], copies: int) -> None:
    args = (X, Y[:3], Z) if function is polynomial else (np.outer(X, Y), Y, Z)
    told(function, args)
    gradient = tl.grad(function, wrt=(0, 1, 2))
    gradient(*[a.copy() for a in args])
    name = "y" if function is polynomial else "x"
    assert gradient.source.count(f" = {name}[...].copy()") == copies
