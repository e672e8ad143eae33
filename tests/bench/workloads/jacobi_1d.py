"""Jacobi's stencil on a line, two arrays in turn."""

from __future__ import annotations

import numpy as np

SIZES = (3_200,)
WRT = (0,)
LOOPS = True
GOAL = 1.4
STEPS = 100


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    return normal(size=size), normal(size=size), normal(size=size), STEPS


def jacobi_1d(TSTEPS, A, B):  # type: ignore[no-untyped-def]
    for t in range(1, TSTEPS):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])


def loss(A, B, w, TSTEPS):  # type: ignore[no-untyped-def]
    jacobi_1d(TSTEPS, A, B)
    return np.sum(A * w)


def by_hand(A, B, w, TSTEPS):  # type: ignore[no-untyped-def]
    bA, bB = w.copy(), np.zeros(B.shape)
    for _ in range(1, TSTEPS):
        for to, back in ((bA, bB), (bB, bA)):
            t = to[1:-1] * 0.33333
            to[1:-1] = 0.0
            back[:-2] += t
            back[1:-1] += t
            back[2:] += t
    return bA


def half(to, back):  # type: ignore[no-untyped-def]
    """What ``back`` gathers from ``to``, whose inner points were written."""
    n = len(to)
    back[0] += 0.33333 * to[1]
    back[1] += 0.33333 * (to[1] + to[2])
    for i in range(2, n - 2):
        back[i] += 0.33333 * (to[i - 1] + to[i] + to[i + 1])
    back[n - 2] += 0.33333 * (to[n - 3] + to[n - 2])
    back[n - 1] += 0.33333 * to[n - 2]
    to[1 : n - 1] = 0.0


def as_loops(numba):  # type: ignore[no-untyped-def]
    step = numba.njit(half)

    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(A, B, w, TSTEPS):  # type: ignore[no-untyped-def]
        bA, bB = w.copy(), np.zeros(len(B))
        for _ in range(1, TSTEPS):
            step(bA, bB)
            step(bB, bA)
        return bA

    return adjoint


def jax_form(jax):  # type: ignore[no-untyped-def]
    def functional(A, B, w, TSTEPS):  # type: ignore[no-untyped-def]
        def step(_, both):  # type: ignore[no-untyped-def]
            A, B = both
            B = B.at[1:-1].set(0.33333 * (A[:-2] + A[1:-1] + A[2:]))
            A = A.at[1:-1].set(0.33333 * (B[:-2] + B[1:-1] + B[2:]))
            return A, B

        A, _ = jax.lax.fori_loop(1, TSTEPS, step, (A, B))
        return jax.numpy.sum(A * w)

    return functional
