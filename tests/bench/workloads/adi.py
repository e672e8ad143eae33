"""Alternating directions: a tridiagonal system for every row, then one for every column."""

from __future__ import annotations

import numpy as np

SIZES = (100,)
WRT = (0,)
LOOPS = True
GOAL = 1.4
STEPS = 5
a, b, d, e = -0.4, 1.9, -0.3, 1.6


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    return normal(size=(size, size)), normal(size=(size, size)), STEPS


def adi(TSTEPS, N, u, a, b, d, e):  # type: ignore[no-untyped-def]
    v = np.empty(u.shape, dtype=u.dtype)
    p = np.empty(u.shape, dtype=u.dtype)
    q = np.empty(u.shape, dtype=u.dtype)
    for t in range(1, TSTEPS + 1):
        v[0, 1 : N - 1] = 1.0
        p[1 : N - 1, 0] = 0.0
        q[1 : N - 1, 0] = v[0, 1 : N - 1]
        for j in range(1, N - 1):
            p[1 : N - 1, j] = -a / (a * p[1 : N - 1, j - 1] + b)
            q[1 : N - 1, j] = (
                -d * u[j, 0 : N - 2]
                + (1.0 + 2.0 * d) * u[j, 1 : N - 1]
                - d * u[j, 2:N]
                - a * q[1 : N - 1, j - 1]
            ) / (a * p[1 : N - 1, j - 1] + b)
        v[N - 1, 1 : N - 1] = 1.0
        for j in range(N - 2, 0, -1):
            v[j, 1 : N - 1] = p[1 : N - 1, j] * v[j + 1, 1 : N - 1] + q[1 : N - 1, j]
        u[1 : N - 1, 0] = 1.0
        p[1 : N - 1, 0] = 0.0
        q[1 : N - 1, 0] = u[1 : N - 1, 0]
        for j in range(1, N - 1):
            p[1 : N - 1, j] = -d / (d * p[1 : N - 1, j - 1] + e)
            q[1 : N - 1, j] = (
                -a * v[0 : N - 2, j]
                + (1.0 + 2.0 * a) * v[1 : N - 1, j]
                - a * v[2:N, j]
                - d * q[1 : N - 1, j - 1]
            ) / (d * p[1 : N - 1, j - 1] + e)
        u[1 : N - 1, N - 1] = 1.0
        for j in range(N - 2, 0, -1):
            u[1 : N - 1, j] = p[1 : N - 1, j] * u[1 : N - 1, j + 1] + q[1 : N - 1, j]


def loss(u, w, TSTEPS):  # type: ignore[no-untyped-def]
    adi(TSTEPS, u.shape[0], u, a, b, d, e)
    return np.sum(u * w)


def pivots(n, a, b):  # type: ignore[no-untyped-def]
    """The factors of the way back, and the divisors of the way there: alike for all rows."""
    p, r = np.zeros(n), np.zeros(n)
    for j in range(1, n - 1):
        r[j] = a * p[j - 1] + b
        p[j] = -a / r[j]
    return p, r


def by_hand(u, w, TSTEPS):  # type: ignore[no-untyped-def]
    n = len(u)
    (p, r), (s, z) = pivots(n, a, b), pivots(n, d, e)
    bu = w.copy()
    for _ in range(TSTEPS):
        bv, bq = np.zeros((n, n)), np.zeros((n - 2, n))
        for j in range(1, n - 1):
            bq[:, j] = bu[1:-1, j]
            bu[1:-1, j + 1] += s[j] * bu[1:-1, j]
        bu[1:-1, :] = 0.0
        for j in range(n - 2, 0, -1):
            t = bq[:, j] / z[j]
            bq[:, j - 1] -= d * t
            bv[:-2, j] -= a * t
            bv[1:-1, j] += (1.0 + 2.0 * a) * t
            bv[2:, j] -= a * t
        for j in range(1, n - 1):
            bq[:, j] = bv[j, 1:-1]
            bv[j + 1, 1:-1] += p[j] * bv[j, 1:-1]
        for j in range(n - 2, 0, -1):
            t = bq[:, j] / r[j]
            bq[:, j - 1] -= a * t
            bu[j, :-2] -= d * t
            bu[j, 1:-1] += (1.0 + 2.0 * d) * t
            bu[j, 2:] -= d * t
    return bu


def columns(bu, bv, s, z):  # type: ignore[no-untyped-def]
    """The way back through the systems of the columns."""
    n = len(bu)
    for i in range(1, n - 1):
        for j in range(1, n - 2):
            bu[i, j + 1] += s[j] * bu[i, j]
        t = 0.0
        for j in range(n - 2, 0, -1):
            t = (bu[i, j] - d * t) / z[j]
            bv[i - 1, j] -= a * t
            bv[i, j] += (1.0 + 2.0 * a) * t
            bv[i + 1, j] -= a * t
            bu[i, j] = 0.0
        bu[i, 0] = bu[i, n - 1] = 0.0


def rows(bu, bv, t, p, r):  # type: ignore[no-untyped-def]
    """The way back through the systems of the rows."""
    n = len(bu)
    for j in range(1, n - 2):
        for i in range(1, n - 1):
            bv[j + 1, i] += p[j] * bv[j, i]
    t[:] = 0.0
    for j in range(n - 2, 0, -1):
        for i in range(1, n - 1):
            t[i] = (bv[j, i] - a * t[i]) / r[j]
            bu[j, i - 1] -= d * t[i]
            bu[j, i] += (1.0 + 2.0 * d) * t[i]
            bu[j, i + 1] -= d * t[i]


def as_loops(numba):  # type: ignore[no-untyped-def]
    first, down, across = numba.njit(pivots), numba.njit(columns), numba.njit(rows)

    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(u, w, TSTEPS):  # type: ignore[no-untyped-def]
        n = len(u)
        p, r = first(n, a, b)
        s, z = first(n, d, e)
        bu, bv, t = w.copy(), np.zeros((n, n)), np.zeros(n)
        for _ in range(TSTEPS):
            bv[:] = 0.0
            down(bu, bv, s, z)
            across(bu, bv, t, p, r)
        return bu

    return adjoint


def jax_form(jax):  # type: ignore[no-untyped-def]
    def system(right, first, last, a, b):  # type: ignore[no-untyped-def]
        """Solve for every column of ``right``; its first and last rows are given."""
        n = right.shape[0]

        def there(j, both):  # type: ignore[no-untyped-def]
            p, q = both
            z = a * p[j - 1] + b
            return p.at[j].set(-a / z), q.at[j].set((right[j] - a * q[j - 1]) / z)

        p, q = jax.numpy.zeros_like(right), jax.numpy.zeros_like(right).at[0].set(first)
        p, q = jax.lax.fori_loop(1, n - 1, there, (p, q))

        def back(k, x):  # type: ignore[no-untyped-def]
            j = n - 1 - k
            return x.at[j].set(p[j] * x[j + 1] + q[j])

        return jax.lax.fori_loop(1, n - 1, back, jax.numpy.zeros_like(right).at[-1].set(last))

    def spread(u, a):  # type: ignore[no-untyped-def]
        return -a * u[:, :-2] + (1.0 + 2.0 * a) * u[:, 1:-1] - a * u[:, 2:]

    def functional(u, w, TSTEPS):  # type: ignore[no-untyped-def]
        def step(_, u):  # type: ignore[no-untyped-def]
            v = jax.numpy.zeros_like(u)
            v = v.at[0, 1:-1].set(1.0).at[-1, 1:-1].set(1.0)
            v = v.at[1:-1, 1:-1].set(system(spread(u, d), 1.0, 1.0, a, b)[1:-1])
            inner = system(spread(v.T, a), 1.0, 1.0, d, e)[1:-1]
            u = u.at[1:-1, 0].set(1.0).at[1:-1, -1].set(1.0)
            return u.at[1:-1, 1:-1].set(inner.T)

        return jax.numpy.sum(jax.lax.fori_loop(0, TSTEPS, step, u) * w)

    return functional
