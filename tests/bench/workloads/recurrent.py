"""A recurrent network: fifty steps of a state of 64 numbers."""

from __future__ import annotations

import numpy as np

SIZES = (64,)
WRT = (0, 1, 2)
LOOPS = True
GOAL = 1.1
STEPS = 50


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    weights = normal(size=(size, size)) / size**0.5, normal(size=(size, size)) / size**0.5
    return *weights, normal(size=size), normal(size=(STEPS, size))


def loss(w, u, b, xs):  # type: ignore[no-untyped-def]
    h = np.zeros(len(b))
    for x in xs:
        h = np.tanh(w @ h + u @ x + b)
    return np.sum(h**2)


def by_hand(w, u, b, xs):  # type: ignore[no-untyped-def]
    n = len(xs)
    hs = np.zeros((n + 1, len(b)))
    for i in range(n):
        hs[i + 1] = np.tanh(w @ hs[i] + u @ xs[i] + b)
    bw, bu, bb = np.zeros(w.shape), np.zeros(u.shape), np.zeros(b.shape)
    bh = 2.0 * hs[n]
    for i in range(n - 1, -1, -1):
        bz = bh * (1.0 - hs[i + 1] * hs[i + 1])
        bw += np.outer(bz, hs[i])
        bu += np.outer(bz, xs[i])
        bb += bz
        bh = w.T @ bz
    return bw, bu, bb


def torch_form(torch):  # type: ignore[no-untyped-def]
    def same(w, u, b, xs):  # type: ignore[no-untyped-def]
        h = torch.zeros(len(b), dtype=b.dtype)
        for x in xs:
            h = torch.tanh(w @ h + u @ x + b)
        return torch.sum(h**2)

    return same


def jax_form(jax):  # type: ignore[no-untyped-def]
    def scanned(w, u, b, xs):  # type: ignore[no-untyped-def]
        def step(h, x):  # type: ignore[no-untyped-def]
            return jax.numpy.tanh(w @ h + u @ x + b), None

        h, _ = jax.lax.scan(step, jax.numpy.zeros(len(b)), xs)
        return jax.numpy.sum(h**2)

    return scanned
