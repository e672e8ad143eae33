"""Functions of ``cmath``: of one number, whose result is complex whatever the argument is.

In: the notation of ``templates/__init__``.
Out: declarations.
Next: inactive.
"""

from __future__ import annotations

import cmath

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, inactive, rule

inactive(cmath.isclose, cmath.isfinite, cmath.isinf, cmath.isnan)


@elementwise(cmath.exp)
def exp(z) -> w:
    d[w] = rt.times(d[z], w)


@elementwise(cmath.log, domain=(0.5, 3.0), samples=[(2.0,), (2.0, 3.0)])
def log_of_base(z, base=None, /) -> w:
    d[w] = d[z] / (z * cmath.log(base)) - w * d[base] / (base * cmath.log(base))


@log_of_base.when(lambda base: base.literal is None)
def natural_log(z, base=None, /) -> w:
    d[w] = rt.quotient(d[z], z)


@elementwise(cmath.log10, domain=(0.5, 3.0))
def log10(z) -> w:
    d[w] = rt.quotient(d[z], 2.302585092994046 * z)


@elementwise(cmath.sqrt, domain=(0.5, 3.0))
def sqrt(z) -> w:
    d[w] = rt.quotient(0.5 * d[z], w)


@elementwise(cmath.sin)
def sin(z) -> w:
    d[w] = cmath.cos(z) * d[z]


@elementwise(cmath.cos)
def cos(z) -> w:
    d[w] = -cmath.sin(z) * d[z]


@elementwise(cmath.tan)
def tan(z) -> w:
    d[w] = rt.times(d[z], 1.0 + w * w)


@elementwise(cmath.asin, domain=(-0.9, 0.9))
def asin(z) -> w:
    d[w] = rt.quotient(d[z], cmath.sqrt(1.0 - z) * cmath.sqrt(1.0 + z))


@elementwise(cmath.acos, domain=(-0.9, 0.9))
def acos(z) -> w:
    d[w] = -rt.quotient(d[z], cmath.sqrt(1.0 - z) * cmath.sqrt(1.0 + z))


@elementwise(cmath.atan)
def atan(z) -> w:
    d[w] = rt.quotient(d[z], 1.0 + z * z)


@elementwise(cmath.sinh)
def sinh(z) -> w:
    d[w] = cmath.cosh(z) * d[z]


@elementwise(cmath.cosh)
def cosh(z) -> w:
    d[w] = cmath.sinh(z) * d[z]


@elementwise(cmath.tanh)
def tanh(z) -> w:
    d[w] = rt.times(d[z], 1.0 - w * w)


@elementwise(cmath.asinh)
def asinh(z) -> w:
    d[w] = rt.quotient(d[z], cmath.sqrt(1.0 + 1j * z) * cmath.sqrt(1.0 - 1j * z))


@elementwise(cmath.acosh, domain=(1.2, 3.0))
def acosh(z) -> w:
    d[w] = rt.quotient(d[z], cmath.sqrt(z - 1.0) * cmath.sqrt(z + 1.0))


@elementwise(cmath.atanh, domain=(-0.9, 0.9))
def atanh(z) -> w:
    d[w] = rt.quotient(d[z], (1.0 - z) * (1.0 + z))


@elementwise(cmath.rect, domain=(0.5, 2.0))
def rect(r, phi) -> w:
    d[w] = cmath.rect(1.0, phi) * d[r] + 1j * w * d[phi]


@elementwise(cmath.phase, domain=(0.5, 2.0))
def phase(z) -> phi:
    """Zero at the origin, constant along the reals."""
    d[phi] = np.imag(rt.ratio(d[z], z))
    b[z] += rt.unbroadcast(rt.ratio(-1j * b[phi], z), z)


@rule(cmath.polar, samples=[(0.8,), (1.3,)])
def polar(z) -> (r, phi):
    d[r] = np.real(rt.direction(z) * d[z])
    d[phi] = np.imag(rt.quotient(d[z], z))
    b[z] += rt.unbroadcast(rt.direction(z) * b[r] + rt.quotient(-1j * b[phi], z), z)
