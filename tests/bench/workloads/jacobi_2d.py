"""Jacobi's stencil on a plane, two arrays in turn."""

from __future__ import annotations

import numpy as np

SIZES = (150,)
WRT = (0,)
LOOPS = True
GOAL = 1.4
STEPS = 50


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    return *(normal(size=(size, size)) for _ in range(3)), STEPS


def jacobi_2d(TSTEPS, A, B):  # type: ignore[no-untyped-def]
    for t in range(1, TSTEPS):
        B[1:-1, 1:-1] = 0.2 * (
            A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]
        )
        A[1:-1, 1:-1] = 0.2 * (
            B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1]
        )


def loss(A, B, w, TSTEPS):  # type: ignore[no-untyped-def]
    jacobi_2d(TSTEPS, A, B)
    return np.sum(A * w)


def by_hand(A, B, w, TSTEPS):  # type: ignore[no-untyped-def]
    bA, bB = w.copy(), np.zeros(B.shape)
    for _ in range(1, TSTEPS):
        for to, back in ((bA, bB), (bB, bA)):
            t = to[1:-1, 1:-1] * 0.2
            to[1:-1, 1:-1] = 0.0
            back[1:-1, 1:-1] += t
            back[1:-1, :-2] += t
            back[1:-1, 2:] += t
            back[2:, 1:-1] += t
            back[:-2, 1:-1] += t
    return bA


def half(to, back):  # type: ignore[no-untyped-def]
    """What ``back`` gathers from ``to``, whose inner points were written: they only are not zero in ``t``."""
    n, m = to.shape
    t = np.zeros((n + 2, m + 2))
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            t[i + 1, j + 1] = 0.2 * to[i, j]
            to[i, j] = 0.0
    for i in range(n):
        for j in range(m):
            row = t[i + 1, j] + t[i + 1, j + 1] + t[i + 1, j + 2]
            back[i, j] += row + t[i, j + 1] + t[i + 2, j + 1]


def as_loops(numba):  # type: ignore[no-untyped-def]
    step = numba.njit(half)

    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(A, B, w, TSTEPS):  # type: ignore[no-untyped-def]
        bA, bB = w.copy(), np.zeros(B.shape)
        for _ in range(1, TSTEPS):
            step(bA, bB)
            step(bB, bA)
        return bA

    return adjoint


def jax_form(jax):  # type: ignore[no-untyped-def]
    def around(A):  # type: ignore[no-untyped-def]
        return 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])

    def functional(A, B, w, TSTEPS):  # type: ignore[no-untyped-def]
        def step(_, both):  # type: ignore[no-untyped-def]
            A, B = both
            B = B.at[1:-1, 1:-1].set(around(A))
            A = A.at[1:-1, 1:-1].set(around(B))
            return A, B

        A, _ = jax.lax.fori_loop(1, TSTEPS, step, (A, B))
        return jax.numpy.sum(A * w)

    return functional
