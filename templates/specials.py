"""Parts of numbers, sequences in even ratios, products and distances of Python's numbers.

In: the notation of ``templates/__init__``.
Out: declarations.
Next: inactive.
"""

from __future__ import annotations

import math

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, inactive, rule

inactive(rt.octave, rt.ramp, rt.intervals, math.ulp, np.isneginf, np.isposinf, np.isfortran)
inactive(np.histogram_bin_edges, np.min_scalar_type, np.iterable, np.isdtype)


@elementwise(np.frexp, math.frexp, samples=[(1.3,), (-0.2,)])
def frexp(x) -> (m, e):
    d[m] = rt.octave(m, e) * d[x]


@elementwise(np.nextafter, math.nextafter, samples=[(1.3, 2.0), (-0.2, -1.0)])
def nextafter(x, y) -> z:
    d[z] = d[x] + 0.0 * d[y]


@elementwise(np.i0)
def i0(x) -> y:
    d[y] = rt.bessel(x, 1) * d[x]


@elementwise(rt.bessel, samples=[(0.7, 0), (-1.4, 1), (3.0, 2)])
def bessel(x, n=0) -> y:
    d[y] = 0.5 * (rt.bessel(x, n - 1) + rt.bessel(x, n + 1)) * d[x]


@rule(np.linspace, literal=("retstep",), constant=("num",))
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0) -> y:
    t = rt.ramp(num, endpoint, y, axis)
    rows = rt.broadcast((1.0 - t) * d[start] + t * d[stop], np.moveaxis(y, axis, 0))
    d[y] = rt.through(np.moveaxis(rows, 0, axis), dtype)
    back = np.moveaxis(rt.through(b[y], dtype), axis, 0)
    b[start] += rt.unbroadcast((1.0 - t) * back, start)
    b[stop] += rt.unbroadcast(t * back, stop)


@linspace.when(lambda retstep: retstep.literal is True)
def linspace_and_step(
    start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0
) -> (y, step):
    t = rt.ramp(num, endpoint, y, axis)
    d[y] = rt.through(rt.ramped(d[start], d[stop], t, y, axis), dtype)
    d[step] = rt.broadcast(d[stop] - d[start], step) / rt.intervals(num, endpoint)
    wide = b[step] / rt.intervals(num, endpoint)
    b[start] += rt.unramped(rt.through(b[y], dtype), -wide, 1.0 - t, start, axis)
    b[stop] += rt.unramped(rt.through(b[y], dtype), wide, t, stop, axis)


@linspace.when(lambda start, stop, dtype: start.scalar and stop.scalar and dtype.literal is None)
def linspace_numbers(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0) -> y:
    t = np.linspace(0.0, 1.0, num, endpoint)
    d[y] = (1.0 - t) * d[start] + t * d[stop]
    b[start] += np.sum((1.0 - t) * b[y])
    b[stop] += np.sum(t * b[y])


@rule(np.real_if_close)
def real_if_close(x, tol=100) -> y:
    d[y] = rt.broadcast(d[x], y)
    b[x] += rt.unbroadcast(b[y], x)


@rule(np.logspace, constant=("num",))
def logspace(start, stop, num=50, endpoint=True, base=10.0) -> y:
    t = np.expand_dims(np.linspace(0.0, 1.0, num, endpoint), tuple(range(1, np.ndim(y))))
    steep = y * np.log(base)
    d[y] = rt.through(steep * ((1.0 - t) * d[start] + t * d[stop]), rt.dtype_like(y))
    b[start] += rt.unbroadcast((1.0 - t) * steep * b[y], start)
    b[stop] += rt.unbroadcast(t * steep * b[y], stop)


@rule(np.geomspace, constant=("num",))
def geomspace(start, stop, num=50, endpoint=True) -> y:
    t = np.expand_dims(np.linspace(0.0, 1.0, num, endpoint), tuple(range(1, np.ndim(y))))
    d[y] = y * ((1.0 - t) * rt.quotient(d[start], start) + t * rt.quotient(d[stop], stop))
    b[start] += rt.unbroadcast((1.0 - t) * y * b[y] / start, start)
    b[stop] += rt.unbroadcast(t * y * b[y] / stop, stop)


@rule(math.dist)
def dist(p, q) -> r:
    """Zero where the points are one."""
    direction = rt.ratio(np.subtract(p, q), r)
    d[r] = np.sum(direction * np.asarray(rt.filled(d[p], p))) - np.sum(
        direction * np.asarray(rt.filled(d[q], q))
    )
    b[p] += direction * b[r]
    b[q] -= direction * b[r]


@rule(math.prod)
def prod(xs, *, start=1) -> y:
    """Each factor times the product of the others: zeros are right."""
    others = rt.others(rt.merge(xs)) * start
    d[y] = np.sum(others * np.asarray(rt.filled(d[xs], xs))) + np.prod(xs) * d[start]
    b[xs] += others * b[y]
    b[start] += np.prod(xs) * b[y]
