"""Roots that ``scipy.optimize`` finds: they move with what the equation holds and is given, not with where it begins."""

from __future__ import annotations

import functools
import pickle
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

so: Any = pytest.importorskip("scipy.optimize", reason="SciPy is not there")
si: Any = pytest.importorskip("scipy.integrate", reason="SciPy is not there")


def cubic(x, p, q=2.0):
    return x**3 + p * x - q


def slope(x, p):
    return 3.0 * x**2 + p


class Model:
    """An equation that holds its parameter."""

    def __init__(self, p: Any) -> None:
        self.p = p

    def equation(self, x: Any) -> Any:
        return cubic(x, self.p)

    def root(self) -> Any:
        return so.brentq(self.equation, 0.0, 10.0)


def captured(p):
    def equation(x):
        return np.exp(x) * x - p

    return so.brentq(equation, 0.0, 10.0, xtol=1e-13) ** 2


def in_a_loop(p):
    total = 0.0
    for k in range(3):
        total = total + so.brentq(lambda x: cubic(x, p + k), 0.0, 10.0)
    return total


def solve(equation, low, high):
    return so.ridder(equation, low, high)


def in_a_root(p):
    """An equation in which another one is solved."""
    return so.brentq(lambda x: x - so.brentq(cubic, -9.0, 9.0, (x * p,)), 0.1, 3.0)


def told(p):
    root, about = so.brentq(cubic, 0.0, 10.0, (p,), full_output=True)
    return root * about.root if about.converged else about.iterations * p


def told_of_scalar(p):
    about = so.root_scalar(cubic, args=(p,), bracket=(0.0, 10.0), method="brentq")
    return about.root**2 if about.converged else p


NUMBERS = [
    lambda p: so.brentq(lambda x: cubic(x, p), 0.0, 10.0),
    lambda p: so.brentq(cubic, 0.0, 10.0, args=(p,)) * p,
    lambda p: so.brentq(cubic, 0.0, 10.0, (p, 3.0 * p)),
    lambda p: so.brentq(cubic, 0.0, 10.0, p),
    lambda p: so.brentq(cubic, 0.0 * p, 10.0 * p, args=(p,)),
    lambda p: so.bisect(cubic, 0.0, 10.0, args=(p,)) + so.brenth(cubic, 0.0, 10.0, (p,)),
    lambda p: so.toms748(cubic, 0.0, 10.0, args=(p,), k=2),
    lambda p: so.newton(cubic, 0.5 * p, args=(p,), tol=1e-13),
    lambda p: so.newton(cubic, 0.5, slope, (p,), tol=1e-13),
    lambda p: so.newton(lambda x: cubic(x, p), 0.5, tol=1e-13),
    lambda p: so.root_scalar(lambda x: cubic(x, p), x0=0.5, x1=0.9, xtol=1e-13).root,
    lambda p: solve(lambda x: cubic(x, p), 0.0, 10.0),
    lambda p: so.brentq(functools.partial(cubic, p=p), 0.0, 10.0),
    lambda p: Model(p).root(),
    captured,
    in_a_loop,
    in_a_root,
    told,
    told_of_scalar,
]


@pytest.mark.parametrize("f", NUMBERS, ids=range(len(NUMBERS)))
def test_of_one_unknown(confirm, f):
    confirm(f, 1.3)


def test_of_several_unknowns(confirm):
    def two(v, p, q):
        x, y = v
        return [x**2 + p * y - 2.0, y**3 - q * x]

    def both(p, q):
        v = so.fsolve(two, [1.0, 1.0], args=(p, q), xtol=1e-12)
        return v[0] * v[1] + v[0]

    def solution(p, q):
        told = so.root(lambda v: np.array(two(v, p, q)), np.ones(2), tol=1e-12)
        return np.sum(np.sin(told.x)) if told.success else p

    def one(p, q):
        return so.fsolve(lambda x: x**3 + p * x - q, 1.0, xtol=1e-12)[0]

    for f in (both, solution, one):
        confirm(f, 1.3, 0.8)


def test_each_element_has_its_root(confirm):
    def f(p):
        return np.sum(np.sin(so.newton(cubic, np.ones(3), args=(p,), tol=1e-13)))

    confirm(f, np.array([0.4, 1.3, 2.0]))


def test_where_it_begins_does_not_matter():
    assert tl.grad(lambda a: so.brentq(cubic, a, 10.0, (1.0,)))(0.1) == 0.0
    assert tl.grad(lambda a: so.newton(cubic, a, args=(1.0,)))(0.1) == 0.0


def test_values_are_those_of_scipy():
    for f in NUMBERS:
        assert tl.value_and_grad(f)(1.3)[0] == f(1.3)


def square(x, p):
    return x**2 - p


def square_root(p):
    return so.brentq(square, 0.1, 10.0, args=(p,))


def root_of_captured(p):
    return so.newton(lambda x: x**2 - p, 1.0, tol=1e-13)


def root_of_two(p):
    return so.fsolve(lambda v: [v[0] ** 2 - v[1], v[1] - p], [1.0, 1.0], xtol=1e-13)[0]


def root_under_an_integral(p):
    """Of what root(p t) is, over t from 0.5 to 1: 2/3 root(p) (1 - root(1/8))."""
    return si.quad(lambda t: square_root(p * t), 0.5, 1.0)[0] / (2.0 / 3.0 * (1.0 - 0.125**0.5))


def pushed(f):
    def moved(p):
        return tl.jvp(f)(p, tangent=1.0)[1]

    return moved


ORDERS = [
    (square_root, tl.grad, 5),
    (root_of_captured, tl.grad, 5),
    (root_of_two, tl.grad, 4),
    (root_under_an_integral, tl.grad, 2),
    (square_root, pushed, 6),
    (root_of_captured, pushed, 6),
    (root_of_two, pushed, 5),
    (root_under_an_integral, pushed, 3),
]


@pytest.mark.parametrize("f, derived, highest", ORDERS, ids=range(len(ORDERS)))
def test_of_any_order(f, derived, highest):
    for k in range(1, highest + 1):
        f = derived(f)
        expected = np.prod([0.5 - i for i in range(k)]) * 2.0 ** (0.5 - k)
        np.testing.assert_allclose(f(2.0), expected, rtol=1e-8)


def test_reads_as_the_implicit_function_theorem():
    """One slope at the root, and one look at what the equation holds."""
    text = tl.grad(lambda p: so.brentq(square, 0.1, 10.0, args=(p,))).source
    assert "= -rt.unbroadcast(by / " in text
    assert text.count("square_backward(saved") == text.count("slope = ") == 1
    assert "dy = -drest / rt.sure_slope(slope, rest, x)" in tl.jvp(square_root).source


def test_a_system_solves_with_the_transpose():
    assert "brest = -np.linalg.solve(rt.mT(slope), by)" in tl.grad(root_of_two).source


def test_can_be_kept():
    """Derivatives are pickled, and those of derivatives."""
    df = tl.grad(root_of_two)
    for d in (df, tl.grad(df)):
        assert pickle.loads(pickle.dumps(d))(2.0) == d(2.0) != 0.0


def test_what_is_found_may_be_written():
    def f(p):
        v = so.fsolve(lambda v: [v[0] ** 2 - p, v[1] - p], [1.0, 1.0], xtol=1e-13)
        v[0] *= 2.0
        v[1] = v[0] * p
        return v[1] + v[0]

    assert tl.grad(f)(2.0) == pytest.approx(3.0 * 2.0**0.5 + 2.0**-0.5)
    assert tl.jvp(f)(2.0, tangent=1.0)[1] == pytest.approx(3.0 * 2.0**0.5 + 2.0**-0.5)


def test_an_equation_without_slope_says_so():
    with pytest.raises(tl.DerivativeError, match="no slope"):
        tl.grad(lambda p: so.brentq(lambda x: (x - 1.0) ** 3 * p, 0.0, 2.0))(1.0)
    with pytest.raises(tl.DerivativeError, match="no slope"):
        tl.grad(lambda p: so.fsolve(lambda v: [v[0] * p, v[0] * p * 2.0], [0.0, 0.0])[0])(1.0)


@pytest.mark.filterwarnings("ignore")
def test_what_is_no_root_is_refused():
    """A jump from below zero to above, and an equation without root."""
    with pytest.raises(tl.DerivativeError, match="no root"):
        tl.grad(lambda p: so.brentq(lambda x: x - p + (3.0 if x > p else -3.0), 0.0, 2.0))(1.3)
    with pytest.raises(tl.DerivativeError, match="no root"):
        tl.grad(lambda p: so.fsolve(lambda x: x**2 + p * x + 9.0, 0.3)[0])(1.0)


def test_an_equation_that_writes_is_refused():
    def f(p):
        seen = []

        def equation(x):
            seen.append(x * p)
            return cubic(x, p)

        return so.brentq(equation, 0.0, 10.0) + sum(seen)

    def g(p):
        count = 0

        def equation(x):
            nonlocal count
            count += 1
            return cubic(x, p)

        return so.brentq(equation, 0.0, 10.0) * count

    for function in (f, g):
        with pytest.raises(tl.DerivativeError):
            tl.grad(function)(1.3)
        with pytest.raises(tl.DerivativeError):
            tl.jvp(function)(1.3, tangent=1.0)


def one_of_two_equations(a: Any, b: Any) -> Any:
    f = (lambda y: y * y - a) if b > 1.0 else (lambda y: y**3 - a * b)
    return so.bisect(f, 0.1, 10.0)


def test_what_is_refused_is_told_where_the_user_calls_it() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match=r"`scipy.optimize.bisect` is not") as told:
        tl.grad(one_of_two_equations)(2.0, 1.5)
    assert told.value.place is not None
    assert told.value.place.file == __file__
    assert "so.bisect(f, 0.1, 10.0)" in told.value.place.text
