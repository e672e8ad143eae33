"""Polynomials by their roots, and back.

In: coefficients, highest power first, or roots.
Out: stand-ins.
Next: ufuncs.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.standins.table import stands_for


@stands_for(np.poly)
def poly(seq_of_zeros):
    """The coefficients of a polynomial with these roots, or of the characteristic one of a matrix."""
    zeros = np.atleast_1d(seq_of_zeros)
    roots = np.linalg.eigvals(zeros) if zeros.ndim == 2 else zeros
    dtype = np.result_type(roots.dtype, np.float32)
    coefficients = np.ones(1, dtype)
    for k in range(len(roots)):
        coefficients = np.convolve(coefficients, np.array([1.0, -roots[k]], dtype))
    paired = np.iscomplexobj(roots) and np.all(np.sort(roots) == np.sort(np.conj(roots)))
    return np.real(coefficients) if paired else coefficients


@stands_for(np.roots)
def roots(p):
    """The eigenvalues of the companion matrix, in the order in which they come; zeros at the end are roots at 0."""
    p = np.atleast_1d(p)
    filled = np.nonzero(p)[0]
    first, last = filled[0], filled[-1]
    degree = last - first
    dtype = np.result_type(p.dtype, np.float32)
    zeros = np.zeros(len(p) - last - 1, dtype)
    if degree == 0:
        return zeros
    companion = np.concatenate(
        (-p[None, first + 1 : last + 1] / p[first], np.eye(degree - 1, degree, 0, dtype))
    )
    return np.concatenate((np.linalg.eigvals(companion), zeros))


@stands_for(np.polydiv)
def polydiv(u, v):
    """Quotient and remainder; zeros that the division leaves in front are cut off."""
    rest = np.atleast_1d(u) + 0.0
    divisor = np.atleast_1d(v) + 0.0
    n = len(divisor) - 1
    count = max(len(rest) - n, 1)
    quotient = []
    for k in range(len(rest) - n):
        factor = rest[k] / divisor[0]
        quotient.append(factor)
        rest = np.concatenate((rest[:k], rest[k : k + n + 1] - factor * divisor, rest[k + n + 1 :]))
    first = 0
    while first < len(rest) - 1 and np.allclose(rest[first], 0, rtol=1e-14):
        first = first + 1
    return np.array(quotient) if quotient else np.zeros(count), rest[first:]


@stands_for(np.trim_zeros)
def trim_zeros(filt, trim="fb"):
    """The part between the zeros at the ends."""
    filled = np.nonzero(filt)[0]
    if len(filled) == 0:
        return filt[:0]
    first = filled[0] if "f" in trim.lower() else 0
    last = filled[-1] + 1 if "b" in trim.lower() else len(filt)
    return filt[first:last]


def value(coefficients, x):
    """What an object of ``np.poly1d`` gives when it is called."""
    return np.polyval(coefficients, x)


@stands_for(np.polynomial.polynomial.polyval)
def lowest_first(x, c, tensor=True):
    """A row of coefficients, lowest power first."""
    return np.polyval(np.flip(_row(c)), np.asarray(x))


@stands_for(np.polynomial.chebyshev.chebval)
def chebval(x, c, tensor=True):
    """A row of coefficients of Chebyshev's polynomials."""
    c, first, second = _row(c), 0.0, 0.0
    x = np.asarray(x, np.result_type(x, c))
    for k in range(len(c) - 1, 0, -1):
        first, second = c[k] + 2.0 * x * first - second, first
    return c[0] + x * first - second


@stands_for(np.polynomial.legendre.legval)
def legval(x, c, tensor=True):
    """A row of coefficients of Legendre's polynomials."""
    c, before, last = _row(c), 0.0, 1.0
    x = np.asarray(x, np.result_type(x, c))
    total = c[0] + 0.0 * x
    for k in range(1, len(c)):
        before, last = last, ((2.0 * k - 1.0) * x * last - (k - 1.0) * before) / k
        total = total + c[k] * last
    return total


@stands_for(np.polynomial.hermite.hermval)
def hermval(x, c, tensor=True):
    """A row of coefficients of Hermite's polynomials."""
    c, before, last = _row(c), 0.0, 1.0
    x = np.asarray(x, np.result_type(x, c))
    total = c[0] + 0.0 * x
    for k in range(1, len(c)):
        before, last = last, 2.0 * x * last - 2.0 * (k - 1.0) * before
        total = total + c[k] * last
    return total


@stands_for(np.polynomial.hermite_e.hermeval)
def hermeval(x, c, tensor=True):
    """A row of coefficients of the other polynomials of Hermite."""
    c, before, last = _row(c), 0.0, 1.0
    x = np.asarray(x, np.result_type(x, c))
    total = c[0] + 0.0 * x
    for k in range(1, len(c)):
        before, last = last, x * last - (k - 1.0) * before
        total = total + c[k] * last
    return total


@stands_for(np.polynomial.laguerre.lagval)
def lagval(x, c, tensor=True):
    """A row of coefficients of Laguerre's polynomials."""
    c, before, last = _row(c), 0.0, 1.0
    x = np.asarray(x, np.result_type(x, c))
    total = c[0] + 0.0 * x
    for k in range(1, len(c)):
        before, last = last, ((2.0 * k - 1.0 - x) * last - (k - 1.0) * before) / k
        total = total + c[k] * last
    return total


def derivative(p, m=1):
    """``p.deriv(m)`` of an object of ``np.poly1d``."""
    return rt.closure(value, np.polyder(p[1], m))


def integral(p, m=1, k=0):
    """``p.integ(m, k)`` of an object of ``np.poly1d``."""
    return rt.closure(value, np.polyint(p[1], m, k))


def _row(c):
    """The coefficients, or a TypeError if they are those of several polynomials."""
    if np.ndim(c) > 1:
        raise TypeError("the coefficients of one polynomial are a row: take several one by one")
    return np.atleast_1d(c)


def of_powers(c, x):
    """What an object of ``np.polynomial.Polynomial`` gives when it is called."""
    return lowest_first(x, c)


def of_chebyshev(c, x):
    """The same of ``np.polynomial.Chebyshev``."""
    return chebval(x, c)


def of_legendre(c, x):
    """The same of ``np.polynomial.Legendre``."""
    return legval(x, c)


def of_hermite(c, x):
    """The same of ``np.polynomial.Hermite``."""
    return hermval(x, c)


def of_hermite_e(c, x):
    """The same of ``np.polynomial.HermiteE``."""
    return hermeval(x, c)


def derivative_of_powers(p, m=1):
    """``p.deriv(m)`` of an object of ``np.polynomial.Polynomial``."""
    return rt.closure(of_powers, np.polyder(_row(p[1])[::-1], m)[::-1])


def integral_of_powers(p, m=1, k=()):
    """``p.integ(m)`` of an object of ``np.polynomial.Polynomial``; what it is at zero is nothing else than zero."""
    if len(np.atleast_1d(k)) > 0:
        raise TypeError("integ(m, k) of a polynomial: add the constants of integration apart")
    return rt.closure(of_powers, np.polyint(_row(p[1])[::-1], m)[::-1])


METHODS = {
    value: {"deriv": derivative, "integ": integral},
    of_powers: {"deriv": derivative_of_powers, "integ": integral_of_powers},
}
CALLED = {
    np.polynomial.Polynomial: of_powers,
    np.polynomial.Chebyshev: of_chebyshev,
    np.polynomial.Legendre: of_legendre,
    np.polynomial.Hermite: of_hermite,
    np.polynomial.HermiteE: of_hermite_e,
}
