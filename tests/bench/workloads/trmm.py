"""A triangular matrix times a matrix, in place."""

from __future__ import annotations

import numpy as np

SIZES = (65,)
WRT = (0, 1)
LOOPS = True
GOAL = 1.4
COLUMNS, ALPHA = 80, 1.5


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    return *(normal(size=(size, m)) for m in (size, COLUMNS, COLUMNS)), ALPHA


def trmm(alpha, A, B):  # type: ignore[no-untyped-def]
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha


def loss(A, B, w, alpha):  # type: ignore[no-untyped-def]
    trmm(alpha, A, B)
    return np.sum(B * w)


def by_hand(A, B, w, alpha):  # type: ignore[no-untyped-def]
    bA, bB = np.zeros(A.shape), w * alpha
    for i in range(B.shape[0] - 1, -1, -1):
        for j in range(B.shape[1] - 1, -1, -1):
            bA[i + 1 :, i] += bB[i, j] * B[i + 1 :, j]
            bB[i + 1 :, j] += bB[i, j] * A[i + 1 :, i]
    return bA, bB


def as_loops(numba):  # type: ignore[no-untyped-def]
    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(A, B, w, alpha):  # type: ignore[no-untyped-def]
        bA, bB = np.zeros(A.shape), w * alpha
        n, m = B.shape
        for i in range(n - 1, -1, -1):
            for k in range(i + 1, n):
                total = 0.0
                for j in range(m):
                    total += bB[i, j] * B[k, j]
                    bB[k, j] += bB[i, j] * A[k, i]
                bA[k, i] += total
        return bA, bB

    return adjoint


def jax_form(jax):  # type: ignore[no-untyped-def]
    def functional(A, B, w, alpha):  # type: ignore[no-untyped-def]
        n, m = B.shape
        rows = jax.numpy.arange(n)

        def row(i, B):  # type: ignore[no-untyped-def]
            below = jax.numpy.where(rows > i, A[:, i], 0.0)
            return jax.lax.fori_loop(0, m, lambda j, B: B.at[i, j].add(below @ B[:, j]), B)

        return jax.numpy.sum(jax.lax.fori_loop(0, n, row, B) * alpha * w)

    return functional
