"""Durbin's recursion for a Toeplitz system, in one array."""

from __future__ import annotations

import numpy as np

SIZES = (400,)
WRT = (0,)
LOOPS = True
GOAL = 1.4


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    return 0.5 * 0.9 ** np.arange(size) * (1.0 + 0.1 * normal(size=size)), normal(size=size)


def durbin(r):  # type: ignore[no-untyped-def]
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def loss(r, w):  # type: ignore[no-untyped-def]
    return np.sum(durbin(r) * w)


def there(r):  # type: ignore[no-untyped-def]
    """Every state of the vector, and the numbers beside it."""
    n = len(r)
    y, alphas, betas = np.zeros((n, n)), np.zeros(n), np.ones(n)
    alphas[0] = y[0, 0] = -r[0]
    for k in range(1, n):
        betas[k] = betas[k - 1] * (1.0 - alphas[k - 1] * alphas[k - 1])
        old = y[k - 1, :k]
        alphas[k] = -(r[k] + np.dot(r[:k][::-1], old)) / betas[k]
        y[k, :k] = old + alphas[k] * old[::-1]
        y[k, k] = alphas[k]
    return y, alphas, betas


def by_hand(r, w):  # type: ignore[no-untyped-def]
    y, alphas, betas = there(r)
    by, br, balpha, bbeta = w.copy(), np.zeros(len(r)), 0.0, 0.0
    for k in range(len(r) - 1, 0, -1):
        old = y[k - 1, :k]
        s = -(balpha + by[k] + np.dot(by[:k], old[::-1])) / betas[k]
        bbeta += s * alphas[k]
        br[k] += s
        br[:k] += s * old[::-1]
        by[:k] += alphas[k] * by[:k][::-1] + s * r[:k][::-1]
        balpha = -2.0 * alphas[k - 1] * betas[k - 1] * bbeta
        bbeta *= 1.0 - alphas[k - 1] * alphas[k - 1]
    br[0] -= by[0] + balpha
    return br


def forth(r, y, alphas, betas):  # type: ignore[no-untyped-def]
    """The same in loops."""
    alphas[0] = y[0, 0] = -r[0]
    for k in range(1, len(r)):
        betas[k] = betas[k - 1] * (1.0 - alphas[k - 1] * alphas[k - 1])
        total = r[k]
        for i in range(k):
            total += r[k - 1 - i] * y[k - 1, i]
        alphas[k] = -total / betas[k]
        for i in range(k):
            y[k, i] = y[k - 1, i] + alphas[k] * y[k - 1, k - 1 - i]
        y[k, k] = alphas[k]


def as_loops(numba):  # type: ignore[no-untyped-def]
    forward = numba.njit(forth)

    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(r, w):  # type: ignore[no-untyped-def]
        n = len(r)
        y, alphas, betas = np.zeros((n, n)), np.zeros(n), np.ones(n)
        forward(r, y, alphas, betas)
        by, new, br, balpha, bbeta = w.copy(), np.zeros(n), np.zeros(n), 0.0, 0.0
        for k in range(n - 1, 0, -1):
            total = balpha + by[k]
            for i in range(k):
                total += by[i] * y[k - 1, k - 1 - i]
            s = -total / betas[k]
            bbeta += s * alphas[k]
            br[k] += s
            for i in range(k):
                br[i] += s * y[k - 1, k - 1 - i]
                new[i] = by[i] + alphas[k] * by[k - 1 - i] + s * r[k - 1 - i]
            by, new = new, by
            balpha = -2.0 * alphas[k - 1] * betas[k - 1] * bbeta
            bbeta *= 1.0 - alphas[k - 1] * alphas[k - 1]
        br[0] -= by[0] + balpha
        return br

    return adjoint


def jax_form(jax):  # type: ignore[no-untyped-def]
    def functional(r, w):  # type: ignore[no-untyped-def]
        n = r.shape[0]
        places = jax.numpy.arange(n)

        def step(k, state):  # type: ignore[no-untyped-def]
            y, alpha, beta = state
            beta = beta * (1.0 - alpha * alpha)
            turned = (k - 1 - places) % n
            flipped = jax.numpy.where(places < k, y[turned], 0.0)
            alpha = -(r[k] + jax.numpy.sum(r * flipped)) / beta
            return (y + alpha * flipped).at[k].set(alpha), alpha, beta

        start = jax.numpy.zeros(n).at[0].set(-r[0]), -r[0], 1.0
        y, _, _ = jax.lax.fori_loop(1, n, step, start)
        return jax.numpy.sum(y * w)

    return functional
