"""Cholesky's factor of a matrix, in place of its lower half."""

from __future__ import annotations

import numpy as np

SIZES = (100,)
WRT = (0,)
LOOPS = True
GOAL = 1.4


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    root = normal(size=(size, size))
    return root @ root.T / size + np.eye(size), normal(size=(size, size))


def cholesky(A):  # type: ignore[no-untyped-def]
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])


def loss(A, w):  # type: ignore[no-untyped-def]
    cholesky(A)
    return np.sum(A * w)


def by_hand(A, w):  # type: ignore[no-untyped-def]
    A, bA = A.copy(), w.copy()
    cholesky(A)
    for i in range(len(A) - 1, -1, -1):
        bA[i, i] /= 2.0 * A[i, i]
        bA[i, :i] -= 2.0 * bA[i, i] * A[i, :i]
        for j in range(i - 1, -1, -1):
            t = bA[i, j] / A[j, j]
            bA[i, j] = t
            bA[j, j] -= t * A[i, j]
            bA[i, :j] -= t * A[j, :j]
            bA[j, :j] -= t * A[i, :j]
    return bA


def as_loops(numba):  # type: ignore[no-untyped-def]
    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(A, w):  # type: ignore[no-untyped-def]
        A, bA, n = A.copy(), w.copy(), len(A)
        for i in range(n):
            for j in range(i + 1):
                total = A[i, j]
                for k in range(j):
                    total -= A[i, k] * A[j, k]
                A[i, j] = np.sqrt(total) if i == j else total / A[j, j]
        for i in range(n - 1, -1, -1):
            for j in range(i, -1, -1):
                scale = 2.0 * A[i, i] if i == j else A[j, j]
                t = bA[i, j] / scale
                bA[i, j] = t
                if i != j:
                    bA[j, j] -= t * A[i, j]
                for k in range(j):
                    bA[i, k] -= t * A[j, k]
                    bA[j, k] -= t * A[i, k]
        return bA

    return adjoint


def jax_form(jax):  # type: ignore[no-untyped-def]
    def functional(A, w):  # type: ignore[no-untyped-def]
        n = A.shape[0]
        columns = jax.numpy.arange(n)

        def row(i, A):  # type: ignore[no-untyped-def]
            def below(j, A):  # type: ignore[no-untyped-def]
                known = jax.numpy.sum(jax.numpy.where(columns < j, A[i] * A[j], 0.0))
                new = (A[i, j] - known) / A[j, j]
                return A.at[i, j].set(jax.numpy.where(j < i, new, A[i, j]))

            A = jax.lax.fori_loop(0, n, below, A)
            known = jax.numpy.sum(jax.numpy.where(columns < i, A[i] * A[i], 0.0))
            return A.at[i, i].set(jax.numpy.sqrt(A[i, i] - known))

        return jax.numpy.sum(jax.lax.fori_loop(0, n, row, A) * w)

    return functional
