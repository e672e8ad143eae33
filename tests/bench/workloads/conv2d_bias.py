"""Images folded with small kernels, position after position, and a bias."""

from __future__ import annotations

import numpy as np

SIZES = (32,)
WRT = (0, 1, 2)
LOOPS = True
GOAL = 1.4
BATCH, KERNEL, GIVEN, MADE = 8, 2, 3, 16


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    image, kernel = (BATCH, size, size, GIVEN), (KERNEL, KERNEL, GIVEN, MADE)
    left = size - KERNEL + 1
    return tuple(normal(size=s) for s in (image, kernel, (MADE,), (BATCH, left, left, MADE)))


def conv2d(input, weights):  # type: ignore[no-untyped-def]
    K = weights.shape[0]  # Assuming square kernel
    N = input.shape[0]
    H_out = input.shape[1] - K + 1
    W_out = input.shape[2] - K + 1
    C_out = weights.shape[3]
    output = np.empty((N, H_out, W_out, C_out), dtype=input.dtype)
    for i in range(H_out):
        for j in range(W_out):
            output[:, i, j, :] = np.sum(
                input[:, i : i + K, j : j + K, :, np.newaxis] * weights[np.newaxis, :, :, :],
                axis=(1, 2, 3),
            )
    return output


def conv2d_bias(input, weights, bias):  # type: ignore[no-untyped-def]
    return conv2d(input, weights) + bias


def loss(input, weights, bias, w):  # type: ignore[no-untyped-def]
    return np.sum(conv2d_bias(input, weights, bias) * w)


def by_hand(input, weights, bias, w):  # type: ignore[no-untyped-def]
    K, n = weights.shape[0], len(input)
    flat = weights.reshape(-1, weights.shape[3])
    back = np.ascontiguousarray(flat.T)
    binput, bflat = np.zeros(input.shape), np.zeros(flat.shape)
    for i in range(w.shape[1]):
        for j in range(w.shape[2]):
            b = w[:, i, j]
            seen = input[:, i : i + K, j : j + K]
            bflat += seen.reshape(n, -1).T @ b
            binput[:, i : i + K, j : j + K] += (b @ back).reshape(seen.shape)
    return binput, bflat.reshape(weights.shape), w.sum(axis=(0, 1, 2))


def as_loops(numba):  # type: ignore[no-untyped-def]
    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(input, weights, bias, w):  # type: ignore[no-untyped-def]
        K, _, C, M = weights.shape
        binput, bweights = np.zeros(input.shape), np.zeros(weights.shape)
        bbias = np.zeros(M)
        for n, i, j in np.ndindex(w.shape[0], w.shape[1], w.shape[2]):
            b = w[n, i, j]
            for m in range(M):
                bbias[m] += b[m]
            for k, l, c in np.ndindex(K, K, C):
                x, total = input[n, i + k, j + l, c], 0.0
                for m in range(M):
                    bweights[k, l, c, m] += x * b[m]
                    total += weights[k, l, c, m] * b[m]
                binput[n, i + k, j + l, c] += total
        return binput, bweights, bbias

    return adjoint


def jax_form(jax):  # type: ignore[no-untyped-def]
    def functional(input, weights, bias, w):  # type: ignore[no-untyped-def]
        n, K, C = input.shape[0], weights.shape[0], input.shape[3]
        rows, columns = w.shape[1:3]

        def place(k, output):  # type: ignore[no-untyped-def]
            i, j = k // columns, k % columns
            seen = jax.lax.dynamic_slice(input, (0, i, j, 0), (n, K, K, C))
            made = jax.numpy.sum(seen[..., None] * weights[None], axis=(1, 2, 3))
            return output.at[:, i, j, :].set(made)

        output = jax.lax.fori_loop(0, rows * columns, place, jax.numpy.zeros(w.shape))
        return jax.numpy.sum((output + bias) * w)

    return functional
