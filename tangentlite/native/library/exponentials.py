# mypy: ignore-errors
"""``np.exp`` and ``np.tanh`` of one element, in steps that the processor takes for several elements at once.

In: nothing.
Out: ``OWN``, the names that loops call them by, known to Numba once this module is imported.
Next: elements.

Numba asks the C library for each element. Here ``exp(x)`` is ``2**k * exp(r)``, ``k`` whole and ``r`` small, and
``exp(r)`` is a polynomial. The last bit may be another one than that of NumPy; infinite numbers, NaN, the signs of
zeros and numbers too small for all their digits are as there.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tangentlite.native.library.perhaps import overload

NEAR = ("contract",)
ROUNDED = 1.5 * 2.0**52  # what is added to it loses what is behind the point
LOG2E = 1.4426950408889634
HIGH, LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # log(2) in two parts
COEFFICIENTS = [1.0 / factorial(k) for k in range(13, 1, -1)]
DOUBLE, WHOLE = ir.DoubleType(), ir.IntType(64)


def exponential(x):
    """``np.exp``."""
    return np.exp(x)


def hyperbolic(x):
    """``np.tanh``."""
    return np.tanh(x)


class Steps:
    """Arithmetic on doubles of a function that is being built."""

    def __init__(self, builder):
        self._builder = builder

    def number(self, value):
        """A number that is written down."""
        return ir.Constant(DOUBLE, value)

    def plus(self, a, b):
        """``a + b``."""
        return self._builder.fadd(a, b)

    def product(self, a, b, c=0.0):
        """``a * b + c``, rounded once if the processor does that in one step."""
        found = self._builder.fmul(a, b, flags=NEAR if c else ())
        return self._builder.fadd(found, c, flags=NEAR) if c else found

    def ratio(self, a, b):
        """``a / b``."""
        return self._builder.fdiv(a, b)

    def least(self, x, bound):
        """The smaller one; NaN stays."""
        return self._builder.select(self._builder.fcmp_ordered(">", x, bound), bound, x)

    def most(self, x, bound):
        """The larger one; NaN stays."""
        return self._builder.select(self._builder.fcmp_ordered("<", x, bound), bound, x)

    def rounded(self, a, b):
        """The whole number next to ``a * b``."""
        wide = self.product(a, b, self.number(ROUNDED))
        return self._builder.fsub(wide, self.number(ROUNDED))

    def power(self, k):
        """``2.0**k``: the bits of ``k`` where those of the exponent belong."""
        bits = self._builder.bitcast(self.plus(k, self.number(ROUNDED)), WHOLE)
        moved = self._builder.shl(bits, ir.Constant(WHOLE, 52))
        one = ir.Constant(WHOLE, 1023 << 52)
        return self._builder.bitcast(self._builder.add(moved, one), DOUBLE)

    def split(self, x):
        """``k`` and ``exp(r) - 1``."""
        k = self.rounded(x, self.number(LOG2E))
        r = self.product(k, self.number(-LOW), self.product(k, self.number(-HIGH), x))
        first, *rest = map(self.number, COEFFICIENTS)
        for coefficient in rest:
            first = self.product(first, r, coefficient)
        return k, self.product(self.product(r, r), first, r)

    def sign(self, x, y):
        """``x`` with the sign of ``y``."""
        kind = ir.FunctionType(DOUBLE, [DOUBLE, DOUBLE])
        copied = self._builder.module.declare_intrinsic("llvm.copysign", [DOUBLE], kind)
        return self._builder.call(copied, [x, y])


def exp_steps(do, x):
    """The power of two goes on in halves: it may be too large or too small for one number."""
    x = do.most(do.least(x, do.number(1000.0)), do.number(-1000.0))
    k, rest = do.split(x)
    half = do.rounded(k, do.number(0.5))
    other = do.plus(k, do.product(half, do.number(-1.0)))
    whole = do.product(do.plus(rest, do.number(1.0)), do.power(half))
    return do.product(whole, do.power(other))


def tanh_steps(do, x):
    """``e / (e + 2)``, where ``e`` is ``exp(2 * abs(x)) - 1``; from 22 on it is one."""
    twice = do.sign(do.product(x, do.number(2.0)), do.number(1.0))
    k, rest = do.split(do.least(twice, do.number(50.0)))
    power = do.power(k)
    e = do.product(power, rest, do.plus(power, do.number(-1.0)))
    return do.sign(do.ratio(e, do.plus(e, do.number(2.0))), x)


def _built(steps):
    def one(typing, x):
        def build(context, builder, signature, args):
            return steps(Steps(builder), *args)

        return types.float64(types.float64), build

    return intrinsic(one)


_exp, _tanh = _built(exp_steps), _built(tanh_steps)


@overload(exponential)
def _exponential(x):
    if x == types.float64:
        return lambda x: _exp(x)
    return lambda x: np.exp(x)


@overload(hyperbolic)
def _hyperbolic(x):
    if x == types.float64:
        return lambda x: _tanh(x)
    return lambda x: np.tanh(x)


OWN = {"_exp_of": exponential, "_tanh_of": hyperbolic}


def spoken(function: Any) -> str | None:
    """The name that loops call a function by; None for what Numba is asked for."""
    return "_exp_of" if function is np.exp else "_tanh_of" if function is np.tanh else None
