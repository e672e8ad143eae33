"""Elementary functions: one rule for ``np.sin`` and ``math.sin``.

Local derivatives that may be infinite go through ``rt.quotient`` and ``rt.times``, which are zero
where nothing flows. Constants are literals: a NumPy scalar would turn float32 into float64.

In: the notation of ``templates/__init__``.
Out: declarations.
Next: inactive.
"""

from __future__ import annotations

import math

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, positions


@elementwise(np.sin, math.sin)
def sin(x) -> y:
    d[y] = np.cos(x) * d[x]


@elementwise(np.cos, math.cos)
def cos(x) -> y:
    d[y] = -np.sin(x) * d[x]


@elementwise(np.tan, math.tan)
def tan(x) -> y:
    d[y] = rt.times(d[x], 1.0 + y * y)


@elementwise(np.arcsin, math.asin, domain=(-0.9, 0.9))
def arcsin(x) -> y:
    d[y] = rt.quotient(d[x], np.sqrt((1.0 - x) * (1.0 + x)))


@elementwise(np.arccos, math.acos, domain=(-0.9, 0.9))
def arccos(x) -> y:
    d[y] = -rt.quotient(d[x], np.sqrt((1.0 - x) * (1.0 + x)))


@elementwise(np.arctan, math.atan)
def arctan(x) -> y:
    d[y] = rt.quotient(d[x], 1.0 + x * x)


@elementwise(np.arctan2, math.atan2, domain=(0.5, 2.0))
def arctan2(y, x) -> a:
    """Zero at the origin."""
    r = np.hypot(x, y)
    d[a] = rt.ratio(rt.ratio(x, r), r) * d[y] - rt.ratio(rt.ratio(y, r), r) * d[x]


@elementwise(np.hypot, domain=(0.5, 2.0))
def hypot(x, y) -> r:
    """Zero at the origin."""
    d[r] = rt.ratio(x, r) * d[x] + rt.ratio(y, r) * d[y]


@elementwise(math.hypot, samples=[(0.7, 1.3), (-0.6,), (0.5, -0.4, 2.0)])
def hypot_of_all(*xs) -> r:
    """Zero at the origin."""
    for k in positions(xs):
        d[r] += rt.ratio(xs[k], r) * d[xs[k]]


@elementwise(np.sinh, math.sinh)
def sinh(x) -> y:
    d[y] = rt.times(d[x], np.cosh(x))


@elementwise(np.cosh, math.cosh)
def cosh(x) -> y:
    d[y] = rt.times(d[x], np.sinh(x))


@elementwise(np.tanh, math.tanh)
def tanh(x) -> y:
    d[y] = (1.0 - y * y) * d[x]


@elementwise(np.arcsinh, math.asinh)
def arcsinh(x) -> y:
    d[y] = rt.quotient(d[x], np.sqrt(1.0 + x * x))


@elementwise(np.arccosh, math.acosh, domain=(1.2, 3.0))
def arccosh(x) -> y:
    d[y] = rt.quotient(d[x], np.sqrt(x - 1.0) * np.sqrt(x + 1.0))


@elementwise(np.arctanh, math.atanh, domain=(-0.9, 0.9))
def arctanh(x) -> y:
    d[y] = rt.quotient(d[x], (1.0 - x) * (1.0 + x))


@elementwise(np.exp, math.exp)
def exp(x) -> y:
    """What comes before a zero may be infinite: ``np.exp(-1.0 / x**2)``."""
    d[y] = rt.cancel(d[x], y)
    b[x] += rt.times(b[y], y)


@elementwise(np.exp2, *([math.exp2] if hasattr(math, "exp2") else []))
def exp2(x) -> y:
    d[y] = rt.cancel(d[x], 0.6931471805599453 * y)
    b[x] += rt.times(b[y], 0.6931471805599453 * y)


@elementwise(np.expm1, math.expm1)
def expm1(x) -> y:
    d[y] = rt.cancel(d[x], y + 1.0)
    b[x] += rt.times(b[y], y + 1.0)


@elementwise(np.log, domain=(0.5, 3.0))
def log(x) -> y:
    d[y] = rt.quotient(d[x], x)


@elementwise(math.log, domain=(0.5, 3.0), samples=[(2.0,), (2.0, 3.0)])
def log_of_base(x, base=None, /) -> y:
    d[y] = d[x] / (x * np.log(base)) - y * d[base] / (base * np.log(base))


@log_of_base.when(lambda base: base.literal is None)
def natural_log(x, base=None, /) -> y:
    d[y] = d[x] / x


@elementwise(np.log2, math.log2, domain=(0.5, 3.0))
def log2(x) -> y:
    d[y] = rt.quotient(d[x], 0.6931471805599453 * x)


@elementwise(np.log10, math.log10, domain=(0.5, 3.0))
def log10(x) -> y:
    d[y] = rt.quotient(d[x], 2.302585092994046 * x)


@elementwise(np.log1p, math.log1p, domain=(-0.5, 3.0))
def log1p(x) -> y:
    d[y] = rt.quotient(d[x], 1.0 + x)


@elementwise(np.logaddexp)
def logaddexp(x, y) -> z:
    """Where both are infinite they share."""
    d[z] = rt.cancel(d[x], rt.share(x, y)) + rt.cancel(d[y], rt.share(y, x))
    b[x] += b[z] * rt.share(x, y)
    b[y] += b[z] * rt.share(y, x)


@elementwise(np.logaddexp2)
def logaddexp2(x, y) -> z:
    d[z] = rt.cancel(d[x], rt.share(x, y, 2.0)) + rt.cancel(d[y], rt.share(y, x, 2.0))
    b[x] += b[z] * rt.share(x, y, 2.0)
    b[y] += b[z] * rt.share(y, x, 2.0)


@elementwise(rt.share, constant=("base",))
def share(x, y, base=math.e) -> s:
    d[s] = rt.cancel(d[x] - d[y], math.log(base) * s * rt.share(y, x, base))


@elementwise(np.sqrt, math.sqrt, domain=(0.5, 3.0))
def sqrt(x) -> y:
    d[y] = rt.quotient(0.5 * d[x], y)


@elementwise(np.cbrt, *([math.cbrt] if hasattr(math, "cbrt") else []), domain=(0.5, 3.0))
def cbrt(x) -> y:
    d[y] = rt.quotient(d[x], 3.0 * y * y)


@elementwise(np.square)
def square(x) -> y:
    d[y] = 2.0 * x * d[x]


@elementwise(np.reciprocal, domain=(0.5, 3.0))
def reciprocal(x) -> y:
    d[y] = -rt.times(d[x], y * y)


@elementwise(np.degrees, np.rad2deg, math.degrees)
def degrees(x) -> y:
    d[y] = 57.29577951308232 * d[x]


@elementwise(np.radians, np.deg2rad, math.radians)
def radians(x) -> y:
    d[y] = 0.017453292519943295 * d[x]


@elementwise(np.copysign, math.copysign, samples=[(1.5, -0.5), (-0.7, 2.0)])
def copysign(x, y) -> z:
    d[z] = rt.direction(x) * np.copysign(1.0, y) * d[x] + 0.0 * d[y]


@elementwise(np.heaviside, samples=[(1.5, 0.5), (-0.7, 0.5)])
def heaviside(x, h) -> y:
    """The step has derivative zero; the value at zero is h."""
    d[y] = 0.0 * d[x] + (1.0 - np.sign(x) * np.sign(x)) * d[h]


@elementwise(np.nan_to_num)
def nan_to_num(x, *, nan=0.0, posinf=None, neginf=None) -> y:
    d[y] = rt.cancel(d[x], np.isfinite(x))


@elementwise(np.modf, math.modf, samples=[(1.3,), (-2.7,)])
def modf(x) -> (f, i):
    d[f] = d[x]


@elementwise(np.ldexp, math.ldexp, samples=[(1.3, 2), (-2.7, -1)])
def ldexp(x, i) -> y:
    d[y] = np.ldexp(d[x], i)
    b[x] += np.ldexp(b[y], i)


@elementwise(math.erf)
def erf(x) -> y:
    d[y] = 1.1283791670955126 * np.exp(-x * x) * d[x]


@elementwise(math.erfc)
def erfc(x) -> y:
    d[y] = -1.1283791670955126 * np.exp(-x * x) * d[x]


@elementwise(np.sinc)
def sinc(x) -> y:
    d[y] = rt.dsinc(x) * d[x]


@elementwise(rt.dsinc, samples=[(0.3, 1), (-2.4, 2)])
def dsinc(x, n=1) -> y:
    d[y] = rt.dsinc(x, n + 1) * d[x]


@elementwise(math.lgamma, domain=(0.5, 3.0))
def lgamma(x) -> y:
    d[y] = rt.polygamma(x) * d[x]


@elementwise(math.gamma, domain=(0.5, 3.0))
def gamma(x) -> y:
    d[y] = y * rt.polygamma(x) * d[x]


@elementwise(rt.polygamma, samples=[(0.7, 0), (-1.4, 1), (20.5, 2)])
def polygamma(x, n=0) -> y:
    d[y] = rt.polygamma(x, n + 1) * d[x]


@elementwise(np.real)
def real(x) -> y:
    d[y] = np.real(d[x])
    b[x] += b[y]


@real.when(lambda x: x.exact == "complex")
def real_part(x) -> y:
    """The adjoint of a real number that became complex may still be complex here."""
    d[y] = np.real(d[x])
    b[x] += np.real(b[y])


@elementwise(np.imag)
def imag(x) -> y:
    d[y] = np.imag(d[x])
    b[x] += -1j * np.real(b[y])


@elementwise(np.conjugate)
def conjugate(x) -> y:
    d[y] = np.conjugate(d[x])
    b[x] += np.conjugate(b[y])


@elementwise(np.angle, domain=(0.5, 2.0))
def angle(z, deg=False) -> y:
    """In degrees if that is asked for; zero at the origin."""
    turn = np.where(deg, 57.29577951308232, 1.0)
    d[y] = np.imag(rt.ratio(d[z], z)) * turn
    b[z] += rt.unbroadcast(rt.ratio(-1j * np.real(b[y]), z) * turn, z)


@angle.when(lambda deg: deg.literal is False)
def angle_in_radians(z, deg=False) -> y:
    """The argument of a complex number; constant along the reals."""
    d[y] = np.imag(rt.ratio(d[z], z))
    b[z] += rt.unbroadcast(rt.ratio(-1j * np.real(b[y]), z), z)
