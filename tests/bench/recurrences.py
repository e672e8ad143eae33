"""Recurrences and coupled fields, each with its adjoint by hand; see `against_hand`."""

from __future__ import annotations

import numpy as np

from tests.bench.against_hand import Array, case
from tests.kernels.stencils import fdtd_2d, seidel_2d

LONG = [(2000,), (12,)]
PLANE, FEW = [(30, 25), (6, 7)], [10, 2]


def recurrence_adjoint(x: Array, a: float, w: Array) -> tuple[Array, float]:
    """The values are kept in ``y``, so that nothing else is recorded."""
    n = len(x)
    y = np.zeros(n)
    for i in range(1, n):
        y[i] = y[i - 1] * a + np.sin(x[i])
    by, bx, ba = w.copy(), np.zeros(n), 0.0
    for i in reversed(range(1, n)):
        bx[i] += by[i] * np.cos(x[i])
        ba += by[i] * y[i - 1]
        by[i - 1] += by[i] * a
    return bx, ba


@case(recurrence_adjoint, LONG, 0.5, LONG, wrt=(0, 1))
def recurrence(x, a, w):  # type: ignore[no-untyped-def]
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = y[i - 1] * a + np.sin(x[i])
    return np.sum(y * w)


def linear_adjoint(x: Array, a: float, w: Array) -> Array:
    """Nothing is read."""
    n = len(x)
    by, bx = w.copy(), np.zeros(n)
    for i in reversed(range(1, n)):
        bx[i] += by[i]
        by[i - 1] += by[i] * a
    return bx


@case(linear_adjoint, LONG, 0.5, LONG)
def linear_recurrence(x, a, w):  # type: ignore[no-untyped-def]
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = y[i - 1] * a + x[i]
    return np.sum(y * w)


def smoothed(x, a):  # type: ignore[no-untyped-def]
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = y[i - 1] * a + x[i]
    return y


@case(linear_adjoint, LONG, 0.5, LONG)
def helper_recurrence(x, a, w):  # type: ignore[no-untyped-def]
    return np.sum(smoothed(x, a) * w)


def carried_adjoint(x: Array, a: float, w: Array) -> tuple[Array, float]:
    """The states are kept in a list."""
    states, s = [], 0.0
    for i in range(len(x)):
        states.append(s)
        s = s * a + np.sin(x[i])
    bs, bx, ba = w[0], np.zeros(len(x)), 0.0
    for i in reversed(range(len(x))):
        bx[i] += bs * np.cos(x[i])
        ba += bs * states.pop()
        bs = bs * a
    return bx, ba


@case(carried_adjoint, LONG, 0.9, LONG, wrt=(0, 1))
def carried(x, a, w):  # type: ignore[no-untyped-def]
    s = 0.0
    for i in range(len(x)):
        s = s * a + np.sin(x[i])
    return s * w[0]


def seidel_adjoint(a: Array, w: Array, steps: int) -> Array:
    """Every statement of the sweep, last to first."""
    ba = w.copy()
    n, m = a.shape
    for _ in range(steps):
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(1, m - 1)):
                ba[i, j] /= 9.0
                ba[i, j - 1] += ba[i, j]
            t = ba[i, 1:-1].copy()
            for row in (i - 1, i + 1):
                ba[row, :-2] += t
                ba[row, 1:-1] += t
                ba[row, 2:] += t
            ba[i, 2:] += t
    return ba


@case(seidel_adjoint, PLANE, PLANE, FEW)
def seidel(a, w, steps):  # type: ignore[no-untyped-def]
    seidel_2d(steps, a)
    return np.sum(a * w)


def fields_adjoint(
    ex: Array, ey: Array, hz: Array, _fict_: Array, w: Array, steps: int
) -> tuple[Array, Array, Array]:
    """Two electric fields and a magnetic one."""
    bex, bey, bhz = np.zeros(ex.shape), np.zeros(ey.shape), w.copy()
    for _ in range(steps):
        t = bhz[:-1, :-1] * 0.7
        bey[:-1, :-1] += t
        bey[1:, :-1] -= t
        bex[:-1, :-1] += t
        bex[:-1, 1:] -= t
        t = bex[:, 1:] * 0.5
        bhz[:, :-1] += t
        bhz[:, 1:] -= t
        t = bey[1:] * 0.5
        bhz[:-1] += t
        bhz[1:] -= t
        bey[0] = 0.0
    return bex, bey, bhz


STEPS = [50, 3]
FIELD = [(60, 50), (6, 7)]


@case(fields_adjoint, FIELD, FIELD, FIELD, [(60,), (6,)], FIELD, STEPS, wrt=(0, 1, 2))
def fields(ex, ey, hz, _fict_, w, steps):  # type: ignore[no-untyped-def]
    fdtd_2d(steps, ex, ey, hz, _fict_)
    return np.sum(hz * w)
