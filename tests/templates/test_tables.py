"""Tables of ``scipy.interpolate`` and polynomials of NumPy, which are constants, read at points that are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt

si: Any = pytest.importorskip("scipy.interpolate", reason="SciPy is not there")

X = np.linspace(0.0, 5.0, 9)
Y = np.sin(X) + 0.1 * X**2
Z = np.outer(np.cos(X), np.sqrt(1.0 + X[:7]))
TCK = si.splrep(X, Y)
LINEAR = si.splrep(X, Y, k=1)
PLANE = si.bisplrep(*np.meshgrid(X, X[:7], indexing="ij"), Z, s=0)
CUBIC = si.CubicSpline(X, Y)
PCHIP = si.PchipInterpolator(X, Y)
AKIMA = si.Akima1DInterpolator(X, Y)
BASE = si.make_interp_spline(X, Y, 5)
SMOOTH = si.UnivariateSpline(X, Y, s=0.1)
HELD = si.UnivariateSpline(X, Y, ext=3)
BETWEEN = si.interp1d(X, Y)
ROUND = si.interp1d(X, Y, kind="cubic")
BEYOND = si.interp1d(X, Y, fill_value="extrapolate")
FILLED = si.interp1d(X, Y, bounds_error=False, fill_value=(1.0, 2.0))
STEP = si.interp1d(X, Y, kind="previous")
GRID = si.RegularGridInterpolator((X, X[:7]), Z)
OUTSIDE = si.RegularGridInterpolator((X, X[:7]), Z, bounds_error=False, fill_value=0.5)
ON = si.RegularGridInterpolator((X, X[:7]), Z, bounds_error=False, fill_value=None)
CUBE = si.RegularGridInterpolator((X, X[:7], X[:4]), Z[:, :, None] * np.cosh(X[:4]))
SURFACE = si.RectBivariateSpline(X, X[:7], Z)
POLYNOMIAL = np.polynomial.Polynomial([0.3, -1.0, 0.5, 0.2])
CHEBYSHEV = np.polynomial.Chebyshev([0.3, -1.0, 0.5, 0.2], domain=(0.0, 5.0))
POLY1D = np.poly1d([0.3, -1.0, 0.5])
CURVE = si.CubicSpline(X, np.stack([Y, X], -1))


class Table:
    """Holds a table, and reads it."""

    def __init__(self, read: Any) -> None:
        self.read = read

    def at(self, x: Any) -> Any:
        return self.read(x) * x


HOLDER = Table(CUBIC)


def made_inside(x):
    """Of constants."""
    spline = si.CubicSpline(X, Y)
    lines = si.interp1d(X, Y**2)
    return spline(x) * lines(x)


def by_splrep(x):
    return si.splev(x, si.splrep(X, Y**2))


READ = [
    lambda x: si.splev(x, TCK),
    lambda x: si.splev(x, TCK, der=1) * si.splev(x, TCK, 2),
    lambda x: si.splev(x, LINEAR) * x,
    lambda x: CUBIC(x) + CUBIC(x, 1) * CUBIC(x, nu=2),
    lambda x: PCHIP(x) * AKIMA(x),
    lambda x: BASE(x) * SMOOTH(x),
    lambda x: HELD(x) * HELD(x, 1),
    lambda x: BETWEEN(x) * ROUND(x),
    lambda x: BEYOND(3.0 * x) * FILLED(x) * FILLED(10.0 * x),
    lambda x: STEP(x) * x,
    lambda x: POLYNOMIAL(x) * CHEBYSHEV(x) + POLY1D(x),
    lambda x: np.reshape(GRID(np.stack([x, 0.7 * x], -1)), np.shape(x)),
    lambda x: GRID((x, 0.7 * x**2 / 3.0)),
    lambda x: OUTSIDE((x, 4.0 * x)) + OUTSIDE((x, 0.5 * x)),
    lambda x: ON((3.0 * x, 4.0 * x)),
    lambda x: CUBE((x, 0.7 * x, 0.2 * x)),
    lambda x: SURFACE.ev(x, 0.6 * x) * SURFACE(0.3 * x, x, grid=False),
    lambda x: HOLDER.at(x),
    made_inside,
    by_splrep,
]


@pytest.mark.parametrize("f", READ, ids=range(len(READ)))
def test_reading(confirm, f):
    confirm(lambda x: np.sum(np.cos(f(x))), np.array([1.3, 2.1, 2.7]))
    confirm(lambda x: np.sum(np.cos(f(x))), 1.3)


def test_a_surface_on_a_grid(confirm):
    confirm(lambda x, y: np.sum(np.sin(si.bisplev(x, y, PLANE))), X[1:4] + 0.1, X[2:4] + 0.2)
    confirm(lambda x, y: np.sum(np.sin(SURFACE(x, y))), X[1:4] + 0.1, X[2:4] + 0.2)
    confirm(lambda x, y: si.bisplev(x, y, PLANE, 1, 0) * si.bisplev(x, y, PLANE), 1.2, 0.7)
    np.testing.assert_array_equal(
        tl.value_and_grad(lambda x: si.bisplev(x, 1.0, PLANE))(-1.0),
        (si.bisplev(0.0, 1.0, PLANE), 0.0),
    )


def test_beyond_the_ends():
    """What is held or filled does not rise; what goes on does."""
    assert tl.grad(lambda x: si.splev(x, TCK, ext=3))(7.0) == 0.0
    assert tl.grad(lambda x: si.splev(x, TCK, ext=1))(7.0) == 0.0
    assert tl.grad(lambda x: HELD(x))(7.0) == 0.0
    assert tl.grad(lambda x: FILLED(x))(-1.0) == 0.0
    assert tl.grad(lambda x: OUTSIDE((x, 1.0)))(-1.0) == 0.0
    np.testing.assert_allclose(tl.grad(lambda x: si.splev(x, TCK))(7.0), si.splev(7.0, TCK, 1))
    np.testing.assert_allclose(tl.grad(lambda x: BEYOND(x))(7.0), (Y[-1] - Y[-2]) / X[1])
    with pytest.raises(ValueError, match="bounds"):
        tl.grad(lambda x: GRID((x, 1.0)))(9.0)


def test_values_are_those_of_scipy():
    for f in READ:
        x = np.array([1.3, 2.1, 2.7])
        value = tl.vjp(f)(x)[0]
        np.testing.assert_allclose(value, f(x), rtol=1e-12)
        assert np.shape(value) == np.shape(f(x))
        assert type(tl.vjp(f)(1.3)[0]) is type(f(1.3))


def test_tables_that_depend_are_refused():
    for f in (
        lambda x: si.splev(2.0, si.splrep(X, x * Y)),
        lambda x: si.splev(2.0, (TCK[0], x * TCK[1], 3)),
        lambda x: si.CubicSpline(X, x * Y)(2.0),
        lambda x: si.interp1d(X, x * Y)(2.0),
    ):
        with pytest.raises(tl.DerivativeError):
            tl.grad(f)(1.5)


def test_curves_are_refused():
    """Rather than what only looks like their slope."""
    with pytest.raises((TypeError, tl.DerivativeError)):
        tl.grad(lambda x: np.sum(CURVE(x)))(1.5)
    curve = si.splprep([Y, X], s=0)[0]
    with pytest.raises((TypeError, tl.DerivativeError)):
        tl.grad(lambda x: si.splev(x, curve)[0])(0.5)


def helper(x, polynomial):
    return polynomial(x) * x


def test_a_polynomial_is_handed_to_a_helper(confirm):
    """It has no hash."""
    confirm(lambda x: helper(x, POLYNOMIAL), 1.3)


def each_number(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total += float(si.splev(x[i], TCK)) * 2.0
    return total


def test_a_number_out_of_an_array_has_no_axes_of_the_table() -> None:
    x = np.array([0.5, 1.5])
    step = 1e-6
    slopes = [
        (each_number(x + step * e) - each_number(x - step * e)) / (2.0 * step) for e in np.eye(2)
    ]
    for optimized in (True, False):
        assert np.allclose(tl.grad(each_number, optimized=optimized)(x), slopes, rtol=1e-6)


@pytest.mark.parametrize("kind", ["Polynomial", "Chebyshev", "Legendre", "Hermite", "HermiteE"])
def test_a_polynomial_made_inside(confirm, kind):
    """Its coefficients may depend on an input."""
    made = getattr(np.polynomial, kind)

    def f(x, c):
        p = made([0.3, c, c * x, 0.2])
        return p(x) * p(2.0) + made(np.array([1.0, 2.0, 0.5]))(x)

    confirm(f, 1.3, 0.7)


def test_a_polynomial_with_a_domain(confirm):
    def f(x):
        p = np.polynomial.Polynomial([0.3, 0.2, 0.7], domain=[0.0, 3.0])
        return p(x) ** 2

    confirm(f, 1.3)


def forwarding(*args, **kwargs):
    """As libraries do that import SciPy late."""
    from scipy.interpolate import splev

    return splev(*args, **kwargs)


def test_a_function_that_hands_on_what_it_is_given(confirm):
    confirm(lambda x: float(forwarding(x, TCK)) * forwarding(x, tck=TCK, der=1), 1.3)
    with pytest.raises(tl.DerivativeError):
        tl.grad(lambda x: forwarding(2.0, (TCK[0], x * TCK[1], 3)))(1.3)


def test_pieces_of_a_line() -> None:
    knots = [0.0, 0.0, 1.0, 1.0]
    assert rt.spline_basis(0.25, knots, 1).tolist() == [0.75, 0.25]
    assert float(rt.spline(0.25, knots, [2.0, 3.0], 1, 1)) == 1.0


def derived(c, x):
    p = np.poly1d(c)
    return p.deriv()(x) * p(x) + p.deriv(2)(x) + p.integ(k=0.3)(x)


def derived_of_powers(c, x):
    p = np.polynomial.Polynomial(c)
    q = p.deriv(m=2)
    return p(x) * q(x) + p.integ()(x) + np.polynomial.Polynomial([1.0, c[0]]).deriv()(x)


def newton_on_it(c, x):
    p = np.polynomial.Polynomial(c)
    slope = p.deriv()
    for _ in range(3):
        x = x - p(x) / slope(x)
    return x


@pytest.mark.parametrize("f", [derived, derived_of_powers, newton_on_it], ids=lambda f: f.__name__)
def test_polynomials_are_derived_and_integrated(confirm, f):
    confirm(f, np.array([0.5, 1.2, -0.7, 0.3]), 0.6)
