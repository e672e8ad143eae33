"""A softmax over the last axis of four."""

from __future__ import annotations

import numpy as np

SIZES = (128,)
WRT = (0,)
GOAL = 1.4
BATCH, HEADS = 4, 8


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    return tuple(normal(size=(BATCH, HEADS, size, size)) for _ in range(2))


def softmax(x):  # type: ignore[no-untyped-def]
    tmp_max = np.max(x, axis=-1, keepdims=True)
    tmp_out = np.exp(x - tmp_max)
    tmp_sum = np.sum(tmp_out, axis=-1, keepdims=True)
    return tmp_out / tmp_sum


def loss(x, w):  # type: ignore[no-untyped-def]
    return np.sum(softmax(x) * w)


def by_hand(x, w):  # type: ignore[no-untyped-def]
    y = np.exp(x - x.max(axis=-1, keepdims=True))
    y /= y.sum(axis=-1, keepdims=True)
    t = y * w
    y *= t.sum(axis=-1, keepdims=True)
    t -= y
    return t


def as_loops(numba):  # type: ignore[no-untyped-def]
    @numba.njit  # type: ignore[untyped-decorator]
    def adjoint(x, w):  # type: ignore[no-untyped-def]
        n = x.shape[-1]
        bx = np.empty(x.shape)
        rows, weights, made = x.reshape(-1, n), w.reshape(-1, n), bx.reshape(-1, n)
        for i in range(len(rows)):
            top = rows[i].max()
            total, mean = 0.0, 0.0
            for j in range(n):
                made[i, j] = np.exp(rows[i, j] - top)
                total += made[i, j]
                mean += made[i, j] * weights[i, j]
            mean /= total
            for j in range(n):
                made[i, j] *= (weights[i, j] - mean) / total
        return bx

    return adjoint


def torch_form(torch):  # type: ignore[no-untyped-def]
    def same(x, w):  # type: ignore[no-untyped-def]
        e = torch.exp(x - torch.amax(x, -1, keepdim=True))
        return torch.sum(e / torch.sum(e, -1, keepdim=True) * w)

    return same
