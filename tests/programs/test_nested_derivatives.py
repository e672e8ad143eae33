"""Derivatives inside functions that are differentiated: all modes in all modes, over closures, stored and handed on."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


def energy(q):
    return np.sum(q**4) + np.sum(np.sin(q))


@case(np.array([0.3, 0.5]))
def force_global(x):
    g = tl.grad(energy)(x)
    return np.sum(g * x)


@case(0.7)
def saxena(x):
    def inner(s):
        return s * s * s * x

    return tl.grad(inner)(x)


@case(0.7)
def confusion(x):
    return x * tl.grad(lambda y: x + y)(2.0) + x * tl.grad(lambda y: x * y)(x)


denergy = tl.grad(energy)


@case(np.array([0.3, 0.5]))
def outside(x):
    return np.sum(denergy(x) * np.cos(x))


@case(0.7, 3)
def descent(x, n):
    def loss(w):
        return (w * w - x) ** 2 + w * x

    w = 1.0
    dl = tl.grad(loss)
    for i in range(n):
        w = w - 0.1 * dl(w)
    return w


@case(0.7)
def newton(x):
    def phi(w):
        return w**4 / 4 + w * w / 2 - x * w

    d1 = tl.grad(phi)
    d2 = tl.grad(d1)
    w = 0.5
    for i in range(3):
        w = w - d1(w) / d2(w)
    return w * w


@case(0.7)
def forward_inside(x):
    y, t = tl.jvp(lambda s: np.sin(s * x))(x, tangent=2.0)
    return y * t


@case(np.array([0.3, 0.5]))
def vag(x):
    v, g = tl.value_and_grad(lambda s: np.sum(s**3) * np.sum(x))(x)
    return v * np.sum(g)


@case(np.array([0.3, 0.5]))
def pulled(x):
    y, pull = tl.vjp(lambda s: s * s * x)(x)
    return np.sum(pull(y))


@case(0.7)
def two(x):
    a, b = tl.grad(lambda u, v: u * u * v * x, wrt=(0, 1))(x, 2.0)
    return a * b


@case(0.7)
def seeded(x):
    return np.sum(tl.grad(lambda s: s * s * np.ones(2) * x)(x, adjoint=np.array([1.0, 2.0])))


def steer(potential, q, n):
    v = 0.0
    for i in range(n):
        v = v - 0.1 * tl.grad(potential)(q)
        q = q + 0.1 * v
    return q


@case(0.7)
def particle(k):
    return steer(lambda q: k * np.cos(q), 0.3, 3)


@case(0.7)
def stored(x):
    table = {"d": tl.grad(lambda s: s * s * x), "f": np.sin}
    return table["d"](x) * table["f"](x)


@case(0.7)
def decorated(x):
    @tl.grad
    def g(s):
        return s * s * x

    return g(x) + g(2.0)


@case(0.7)
def third(x):
    return tl.grad(tl.grad(lambda s: s**4 * x))(x)


d1 = functools.partial(tl.grad, wrt=1)


@case(0.7)
def decorated2(x):
    @tl.grad(wrt=1)
    def g(s, t):
        return s * t * t * x

    return g(x, x)


@case(0.7)
def decorated3(x):
    return d1(lambda s, t: s * t * t * x)(2.0, x)


@case(0.7)
def aux(x):
    g, a = tl.grad(lambda s: (s * s * x, s * x), has_aux=True)(x)
    return g * a


@case(0.7)
def named(x):
    return tl.grad(lambda s, t: s * t * t * x, wrt="t")(2.0, t=x)


@case(0.7)
def jvp2(x):
    y, t = tl.jvp(lambda a, b: a * b * x, wrt=(0, 1))(x, 2.0, tangent=(x, 3.0))
    return y * t


@case(np.array([0.3, 0.5]))
def lists(x):
    g = tl.grad(lambda ps: np.sum(ps[0] * ps[1] * x))([x, 2.0 * x])
    return np.sum(g[0] * g[1])


@case(0.7)
def grad_in_loop_var(x):
    s = 0.0
    for i in range(1, 4):
        s = s + tl.grad(lambda t: t**i * x)(x)
    return s


def deriv(f):
    return tl.grad(f)


@case(0.7)
def through_helper(x):
    return deriv(lambda s: s**3 * x)(x)


def minimum(f, w, n):
    df = tl.grad(f)
    ddf = tl.grad(df)
    for _ in range(n):
        w = w - df(w) / ddf(w)
    return w


@case(0.7)
def inner_argmin(x):
    w = minimum(lambda w: w**4 / 4 + w * w / 2 - x * w, 0.5, 3)
    return (w - 1) ** 2


@case(0.7, second=False)
def inloop_alg(x):
    def saddle(y):
        def inner(z):
            return (z - y) ** 2 * x + z**4

        z = 0.3
        for i in range(2):
            z = z - 0.1 * tl.grad(inner)(z)
        return z * z + (y - x) ** 2

    y = 0.1
    for i in range(2):
        y = y - 0.1 * tl.grad(saddle)(y)
    return y


@case(0.7)
def mixed(x):
    f = lambda s: s**3 * np.sin(x * s)
    return tl.jvp(tl.grad(f))(x, tangent=1.0)[1] + tl.grad(lambda s: tl.jvp(f)(s, tangent=x)[1])(x)


@case(np.array([0.3, 0.5]))
def curvature(x):
    h = tl.hessian(lambda q: np.sum(q**3 * x))(x)
    return np.sum(h * h)


@case(np.array([0.3, 0.5]))
def hessian_times_vector(x):
    return np.sum(tl.hvp(lambda q: np.sum(q**3 * x))(x, np.cos(x)))


@case(np.array([0.3, 0.5]))
def jacobians(x):
    forward = tl.jacfwd(lambda q: q**3 * x)(x)
    return np.sum(forward) + np.sum(tl.jacrev(lambda q: q**2 * x)(x))


X, WEIGHTS = np.array([0.4, 1.3, 0.7, 2.1]), np.arange(1.0, 5.0)


class Cubic:
    def __init__(self, a):
        self.a = a

    def loss(self, v):
        return np.sum(v**3) * self.a


@case(X)
def hvp_of_a_closure(x):
    def f(v):
        return np.sum(v**4) * x[0]

    return tl.hvp(f)(x, x[::-1]) @ WEIGHTS


@case(X)
def hvp_with_more_arguments(x):
    c = x[1]

    def f(v, k):
        return np.sum(v**4) * k * x[2] + c * np.prod(v)

    return tl.hvp(f)(x, x[::-1], x[0]) @ WEIGHTS


@case(X)
def hvp_of_two(x):
    c = x[1]

    def f(k, v):
        return np.sum(v**4) * k**2 * x[2] + c * np.prod(v)

    H = tl.hvp(f, wrt=(0, 1))
    a, b = H(x[0], (x[3], x[::-1]), x)
    return a + b @ WEIGHTS


@case(X)
def hvp_of_a_partial(x):
    f = functools.partial(lambda a, v: np.sum(v**3) * a, x[0])
    H = tl.hvp(f)
    return H(x, x[::-1]) @ WEIGHTS


@case(X)
def hvp_of_a_method(x):
    return tl.hvp(Cubic(x[0]).loss)(x, x[::-1]) @ WEIGHTS


@case(X)
def jacobians_of_closures_by_name(x):
    def f(k, v):
        return v**2 * x[0] * k

    return (
        np.sum(tl.jacrev(f, wrt=1)(x[1], x) * WEIGHTS)
        + np.sum(tl.jacfwd(f, wrt="v")(x[1], x) ** 2)
        + np.sum(tl.hessian(lambda k, v: np.sum(f(k, v)), wrt=1)(x[2], x))
    )


@case(X)
def products_of_closures_by_name(x):
    def f(k, v):
        return v**2 * x[0] * k

    y, pull = tl.vjp(f, wrt=(0, 1))(x[1], x)
    a, b = pull(WEIGHTS)
    t, dt = tl.jvp(f, wrt=1)(x[3], x, tangent=x[::-1])
    g = tl.grad(lambda k, v: np.sum(f(k, v)) ** 2, wrt=(1, 0))(x[1], x)
    return a + b @ x + dt @ WEIGHTS + g[1] + g[0] @ WEIGHTS


def powers(x, n=2):
    return np.array([x[0] ** n * x[1], np.sum(np.sin(x))])


def cubed(x, k):
    return np.sum(x**3) * x[0] * k


by_rows, by_columns, bend = tl.jacrev(powers), tl.jacfwd(powers, wrt="x"), tl.hessian(cubed)


@case(X)
def jacobians_made_outside(x):
    step = np.linalg.solve(bend(x, 2.0) + 9.0 * np.eye(len(x)), x)
    return np.sum(by_rows(x) @ step) + np.sum(by_columns(x=x, n=3) ** 2) + by_rows(x, n=3)[0, 1]


@case(X)
def jacobians_by_name(x):
    return np.sum(tl.jacrev(powers)(x=x, n=3) ** 2) + np.sum(tl.jacfwd(powers)(x, n=3)[0])


@pytest.mark.parametrize("inner", [tl.jacrev, tl.jacfwd, tl.grad])
@pytest.mark.parametrize("outer", [tl.jacrev, tl.jacfwd])
def test_jacobians_of_jacobians(outer: Any, inner: Any) -> None:
    """As others write Hessians: ``jacfwd(jacrev(f))`` (a ValueError about ``*args`` before)."""
    x = np.array([0.7, -0.4, 1.1])
    np.testing.assert_allclose(outer(inner(cubed))(x, 2.0), bend(x, 2.0), rtol=1e-12)
    assert outer(outer(inner(cubed)))(x, 2.0).shape == (3, 3, 3)
    assert outer(bend, wrt="x")(x, k=2.0).shape == (3, 3, 3)


def test_the_gradient_of_a_jacobian() -> None:
    x = np.array([0.7, -0.4, 1.1])
    rows = tl.grad(tl.jacrev(cubed))(x, 2.0, adjoint=x)
    np.testing.assert_allclose(rows, tl.hvp(cubed)(x, x, 2.0), rtol=1e-12)
    with pytest.raises(ValueError, match=r"\*args"):
        tl.jacfwd(tl.jacrev(cubed, wrt=(0, 1)))


def turned(x, z):
    return abs(x * z) + np.real(z * x**2)


@case(0.7, 1.0 + 2.0j, second=False)
def complex_arguments_handed_on(x, z):
    return x * tl.grad(turned)(x, z)


@case(0.7, 1.0 + 2.0j, second=False)
def complex_numbers_captured(x, z):
    k = 3.0 + 4.0j
    return x * tl.grad(lambda y: np.real(y**2 * k * z) + abs(y * z))(x)


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_nested_derivatives(f, args, options):
    check(f, *args, **options)
