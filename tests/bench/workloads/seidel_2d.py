"""The sweeps of Gauss and Seidel on a plane: every point reads new and old ones."""

from __future__ import annotations

import numpy as np

SIZES = (50,)
WRT = (0,)
LOOPS = True
GOAL = 1.4
STEPS = 8


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    return normal(size=(size, size)), normal(size=(size, size)), STEPS


def seidel_2d(TSTEPS, N, A):  # type: ignore[no-untyped-def]
    for t in range(0, TSTEPS - 1):
        for i in range(1, N - 1):
            A[i, 1:-1] += (
                A[i - 1, :-2]
                + A[i - 1, 1:-1]
                + A[i - 1, 2:]
                + A[i, 2:]
                + A[i + 1, :-2]
                + A[i + 1, 1:-1]
                + A[i + 1, 2:]
            )
            for j in range(1, N - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0


def loss(A, w, TSTEPS):  # type: ignore[no-untyped-def]
    seidel_2d(TSTEPS, A.shape[0], A)
    return np.sum(A * w)


def by_hand(A, w, TSTEPS):  # type: ignore[no-untyped-def]
    bA, n = w.copy(), len(A)
    for _ in range(TSTEPS - 1):
        for i in range(n - 2, 0, -1):
            for j in range(n - 2, 0, -1):
                bA[i, j] /= 9.0
                bA[i, j - 1] += bA[i, j]
            t = bA[i, 1:-1].copy()
            for row in (i - 1, i + 1):
                bA[row, :-2] += t
                bA[row, 1:-1] += t
                bA[row, 2:] += t
            bA[i, 2:] += t
    return bA


def as_loops(numba):  # type: ignore[no-untyped-def]
    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(A, w, TSTEPS):  # type: ignore[no-untyped-def]
        bA, n = w.copy(), len(A)
        for _ in range(TSTEPS - 1):
            for i in range(n - 2, 0, -1):
                for j in range(n - 2, 0, -1):
                    t = bA[i, j] / 9.0
                    bA[i, j] = t
                    bA[i, j - 1] += t
                    for k in range(j - 1, j + 2):
                        bA[i - 1, k] += t
                        bA[i + 1, k] += t
                for j in range(n - 1, 1, -1):
                    bA[i, j] += bA[i, j - 1]
        return bA

    return adjoint


def jax_form(jax):  # type: ignore[no-untyped-def]
    def functional(A, w, TSTEPS):  # type: ignore[no-untyped-def]
        n = A.shape[0]

        def row(i, A):  # type: ignore[no-untyped-def]
            above, here, below = (A[i + k] for k in (-1, 0, 1))
            whole = above[:-2] + above[1:-1] + above[2:] + here[2:]
            whole += below[:-2] + below[1:-1] + below[2:]
            A = A.at[i, 1:-1].add(whole)
            return jax.lax.fori_loop(
                1, n - 1, lambda j, A: A.at[i, j].set((A[i, j] + A[i, j - 1]) / 9.0), A
            )

        def sweep(_, A):  # type: ignore[no-untyped-def]
            return jax.lax.fori_loop(1, n - 1, row, A)

        return jax.numpy.sum(jax.lax.fori_loop(0, TSTEPS - 1, sweep, A) * w)

    return functional
