"""A symmetric update of rank k, of which the lower half is written."""

from __future__ import annotations

import numpy as np

SIZES = (70,)
WRT = (0,)
LOOPS = True
GOAL = 1.4
RANK, ALPHA, BETA = 50, 1.5, 1.2


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    matrices = (normal(size=(size, m)) for m in (RANK, size, size))
    return *matrices, ALPHA, BETA


def syrk(alpha, beta, C, A):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]


def loss(A, C, w, alpha, beta):  # type: ignore[no-untyped-def]
    syrk(alpha, beta, C, A)
    return np.sum(C * w)


def by_hand(A, C, w, alpha, beta):  # type: ignore[no-untyped-def]
    bA = np.zeros(A.shape)
    for i in range(A.shape[0]):
        t = w[i, : i + 1] * alpha
        for k in range(A.shape[1]):
            bA[: i + 1, k] += t * A[i, k]
            bA[i, k] += t @ A[: i + 1, k]
    return bA


def as_loops(numba):  # type: ignore[no-untyped-def]
    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(A, C, w, alpha, beta):  # type: ignore[no-untyped-def]
        bA = np.zeros(A.shape)
        for i in range(A.shape[0]):
            for j in range(i + 1):
                t = w[i, j] * alpha
                for k in range(A.shape[1]):
                    bA[j, k] += t * A[i, k]
                    bA[i, k] += t * A[j, k]
        return bA

    return adjoint


def jax_form(jax):  # type: ignore[no-untyped-def]
    def functional(A, C, w, alpha, beta):  # type: ignore[no-untyped-def]
        columns = jax.numpy.arange(C.shape[1])

        def row(i, C):  # type: ignore[no-untyped-def]
            def add(k, r):  # type: ignore[no-untyped-def]
                return r + jax.numpy.where(columns <= i, alpha * A[i, k] * A[:, k], 0.0)

            begin = jax.numpy.where(columns <= i, C[i] * beta, C[i])
            return C.at[i].set(jax.lax.fori_loop(0, A.shape[1], add, begin))

        return jax.numpy.sum(jax.lax.fori_loop(0, A.shape[0], row, C) * w)

    return functional
