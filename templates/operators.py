"""Arithmetic: the operators of Python, NumPy's functions of the same meaning, and their kin.

In: the notation of ``templates/__init__``.
Out: declarations.
Next: roots.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise


@elementwise(np.add, operator.add)
def add(x, y) -> z:
    d[z] = d[x] + d[y]


@elementwise(np.subtract, operator.sub)
def subtract(x, y) -> z:
    d[z] = d[x] - d[y]


@elementwise(np.multiply, operator.mul)
def multiply(x, y) -> z:
    d[z] = y * d[x] + x * d[y]


@elementwise(np.divide, operator.truediv, domain=(0.5, 2.0))
def divide(x, y) -> z:
    d[z] = rt.quotient(d[x] - rt.cancel(d[y], z), y)


@divide.when(lambda y: abs(y.literal) > 0)
def divide_by_literal(x, y) -> z:
    d[z] = d[x] / y


@elementwise(rt.quotient, domain=(0.5, 2.0))
def quotient(x, y) -> z:
    d[z] = rt.quotient(d[x] - rt.cancel(d[y], z), y)


@elementwise(np.negative, operator.neg)
def negative(x) -> y:
    d[y] = -d[x]


@elementwise(np.positive, operator.pos)
def positive(x) -> y:
    d[y] = d[x]


@elementwise(np.power, np.float_power, operator.pow, pow, math.pow, rt.power, domain=(0.5, 2.0))
def power(x, y) -> z:
    """``0 ** y`` has derivative zero in y; ``x ** 0`` has derivative zero in x."""
    d[z] = rt.times(d[x], rt.dpower_dx(x, y)) + rt.times(d[y], z * rt.log_or_zero(x))


@power.when(lambda y: y.exact == "complex")
def complex_power(x, y) -> z:
    d[z] = rt.times(d[x], rt.dpower_dx(x, y)) + rt.times(d[y], z * rt.complex_log(x))


@power.when(lambda y: y.literal == 1)
def first_power(x, y) -> z:
    d[z] = d[x]


@power.when(lambda y: y.literal == 2)
def second_power(x, y) -> z:
    d[z] = 2.0 * x * d[x]


@power.when(lambda y: y.literal > 1)
def literal_power(x, y) -> z:
    d[z] = y * x ** (y - 1) * d[x]


@elementwise(rt.dpower_dx, domain=(0.5, 2.0))
def dpower_dx(x, y) -> z:
    p = rt.power(x, y - 1.0)
    d[z] = rt.times(d[x], rt.times(y, rt.dpower_dx(x, y - 1.0))) + rt.times(
        d[y], p + y * p * rt.log_or_zero(x)
    )


@dpower_dx.when(lambda y: y.exact == "complex")
def complex_dpower_dx(x, y) -> z:
    p = rt.power(x, y - 1.0)
    d[z] = rt.times(d[x], rt.times(y, rt.dpower_dx(x, y - 1.0))) + rt.times(
        d[y], p + y * p * rt.complex_log(x)
    )


@elementwise(rt.log_or_zero, rt.complex_log, domain=(0.5, 2.0))
def log_or_zero(x) -> y:
    d[y] = rt.ratio(d[x], x)


@elementwise(np.remainder, operator.mod, samples=[(2.3, 0.7), (-2.3, 0.7), (2.3, -0.9)])
def remainder(x, y) -> z:
    """``x - (x // y) * y``: the quotient is constant between its jumps."""
    d[z] = d[x] - (x // y) * d[y]


@elementwise(np.fmod, math.fmod, samples=[(2.3, 0.7), (-2.3, 0.7)])
def fmod(x, y) -> z:
    d[z] = d[x] - np.trunc(x / y) * d[y]


@elementwise(math.remainder, samples=[(2.3, 0.7), (-2.3, 0.7)])
def ieee_remainder(x, y) -> z:
    d[z] = d[x] - np.rint((x - z) / y) * d[y]


@elementwise(np.divmod, divmod, samples=[(2.3, 0.7), (-2.3, 0.7)])
def divmod_(x, y) -> (q, r):
    d[r] = d[x] - q * d[y]


@elementwise(np.absolute, np.fabs, operator.abs, abs, math.fabs, samples=[(1.5,), (-0.7,)])
def absolute(x) -> y:
    """Zero at zero."""
    d[y] = np.real(rt.direction(x) * d[x])
    b[x] += b[y] * rt.direction(x)


@absolute.when(lambda x: x.exact == "complex")
def absolute_of_complex(x) -> y:
    d[y] = np.real(rt.direction(x) * d[x])
    b[x] += np.real(b[y]) * rt.direction(x)


@elementwise(rt.direction, samples=[(1.5,), (-0.7,)])
def direction(x) -> y:
    """The sign of a real number is flat, that of a complex one turns."""
    d[y] = rt.turned(d[x], x)
    b[x] += rt.turned(b[y], x)


@elementwise(rt.turned, samples=[(0.4, 1.5), (0.3, -0.7)])
def turned(v, x) -> y:
    """Of third order in a complex number: by a stand-in."""
    d[y] = rt.turned(d[v], x) + 0.0 * np.sign(rt.real_only(x)) * d[x]
    b[v] += rt.turned(b[y], x)
    b[x] += 0.0 * np.sign(rt.real_only(x)) * b[y]


@elementwise(np.sign, samples=[(1.5,), (-0.7,)])
def sign(x) -> y:
    """Zero for real numbers; refused for complex ones, whose sign turns."""
    d[y] = 0.0 * np.sign(rt.real_only(x)) * d[x]


def _is_number(fact: Any) -> bool:
    return type(fact.literal) in (int, float)


def _is_lost(*facts: Any) -> bool:
    return any(getattr(fact, "lost", False) for fact in facts)


@elementwise(np.maximum)
def maximum(x, y) -> z:
    """Where both are equal each takes half."""
    share = rt.wins(x, y)
    d[z] = rt.cancel(d[x], share) + rt.cancel(d[y], 1.0 - share)


@maximum.when(lambda x, y: _is_number(x) and not _is_lost(y))
def maximum_of_a_number(x, y) -> z:
    """``np.maximum(0.0, y)`` asks for the share of y."""
    share = rt.wins(y, x)
    d[z] = rt.cancel(d[x], 1.0 - share) + rt.cancel(d[y], share)


@maximum.when(lambda x, y: _is_number(x) and _is_lost(y))
def maximum_of_a_number_and_what_is_lost(x, y) -> z:
    share = rt.wins(y, x)
    z = np.maximum(x, y)
    d[z] = rt.cancel(d[x], 1.0 - share) + rt.cancel(d[y], share)


@maximum.when(lambda x, y: _is_lost(x, y))
def maximum_of_what_is_lost(x, y) -> z:
    """Who wins is kept, not the operands."""
    share = rt.wins(x, y)
    z = np.maximum(x, y)
    d[z] = rt.cancel(d[x], share) + rt.cancel(d[y], 1.0 - share)


@elementwise(np.minimum)
def minimum(x, y) -> z:
    """Where both are equal each takes half."""
    share = rt.wins(y, x)
    d[z] = rt.cancel(d[x], share) + rt.cancel(d[y], 1.0 - share)


@minimum.when(lambda x, y: _is_number(x) and not _is_lost(y))
def minimum_of_a_number(x, y) -> z:
    """``np.minimum(0.0, y)`` asks for the share of y."""
    share = rt.wins(x, y)
    d[z] = rt.cancel(d[x], 1.0 - share) + rt.cancel(d[y], share)


@minimum.when(lambda x, y: _is_number(x) and _is_lost(y))
def minimum_of_a_number_and_what_is_lost(x, y) -> z:
    share = rt.wins(x, y)
    z = np.minimum(x, y)
    d[z] = rt.cancel(d[x], 1.0 - share) + rt.cancel(d[y], share)


@minimum.when(lambda x, y: _is_lost(x, y))
def minimum_of_what_is_lost(x, y) -> z:
    """Who wins is kept, not the operands."""
    share = rt.wins(y, x)
    z = np.minimum(x, y)
    d[z] = rt.cancel(d[x], share) + rt.cancel(d[y], 1.0 - share)


@elementwise(np.fmax)
def fmax(x, y) -> z:
    """As ``maximum``; what is no number loses."""
    share = np.where(np.isnan(y), 1.0, rt.wins(x, y))
    d[z] = rt.cancel(d[x], share) + rt.cancel(d[y], 1.0 - share)


@elementwise(np.fmin)
def fmin(x, y) -> z:
    """As ``minimum``; what is no number loses."""
    share = np.where(np.isnan(y), 1.0, rt.wins(y, x))
    d[z] = rt.cancel(d[x], share) + rt.cancel(d[y], 1.0 - share)


def _apart(low: Any, high: Any) -> bool:
    """Whether two bounds are known not to be equal: one is none, or both are numbers."""
    return low.literal is None or high.literal is None or low.literal < high.literal


@elementwise(np.clip, samples=[(0.3, 0.0, 1.0), (-0.3, 0.0, 1.0), (1.3, 0.0, 1.0)])
def clip(a, a_min=None, a_max=None, *, min=None, max=None) -> y:
    """``minimum(maximum(a, a_min), a_max)``, ties shared evenly.

    Where all three are equal the upper bound has it all: ``clip(x, 1, 1)`` is constant, ``clip(x, x, x)`` is x.
    """
    room = rt.wins(a_max, a_min)
    inside = rt.wins(a, a_min) * rt.wins(a_max, a) * (room > 0.5)
    low = (1.0 - rt.wins(a, a_min)) * room * (rt.wins(a_max, a) > 0.5)
    high = 1.0 - inside - low
    d[y] = rt.cancel(d[a], inside) + rt.cancel(d[a_min], low) + rt.cancel(d[a_max], high)


@clip.when(
    lambda a_min, a_max, min, max: a_min.literal is a_max.literal is None and _apart(min, max)
)
def clip_to_numbers_by_keyword(a, a_min=None, a_max=None, *, min=None, max=None) -> y:
    inside = rt.wins(a, min) * rt.wins(max, a)
    low = (1.0 - rt.wins(a, min)) * rt.wins(max, min)
    high = 1.0 - inside - low
    d[y] = rt.cancel(d[a], inside) + rt.cancel(d[min], low) + rt.cancel(d[max], high)


@clip.when(lambda a_min, a_max: a_min.literal is a_max.literal is None)
def clip_by_keyword(a, a_min=None, a_max=None, *, min=None, max=None) -> y:
    room = rt.wins(max, min)
    inside = rt.wins(a, min) * rt.wins(max, a) * (room > 0.5)
    low = (1.0 - rt.wins(a, min)) * room * (rt.wins(max, a) > 0.5)
    high = 1.0 - inside - low
    d[y] = rt.cancel(d[a], inside) + rt.cancel(d[min], low) + rt.cancel(d[max], high)


@clip.when(lambda a_min, a_max: _apart(a_min, a_max))
def clip_to_numbers(a, a_min=None, a_max=None, *, min=None, max=None) -> y:
    inside = rt.wins(a, a_min) * rt.wins(a_max, a)
    low = (1.0 - rt.wins(a, a_min)) * rt.wins(a_max, a_min)
    high = 1.0 - inside - low
    d[y] = rt.cancel(d[a], inside) + rt.cancel(d[a_min], low) + rt.cancel(d[a_max], high)
