"""Functions that pages are made of."""

from __future__ import annotations

import numpy as np


def mlp(w, x, t):
    y = np.tanh(x @ w)
    r = y - t
    return np.sum(r * r)


MLP = np.array([0.1, -0.2]), np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([0.0, 1.0])


def helper(a, b):
    c = a * b
    return np.sin(c)


class Scale:
    def __init__(self, w):
        self.w = w

    def scale(self, x):
        self.last = x * self.w
        return self.last


def whole(x, n):
    y = x
    p = Scale(2.0)
    for i in range(n):
        y = np.sin(y) * x
        if np.sum(y) > 0:
            y = helper(y,
                x)  # fmt: skip
        y = p.scale(y)
    z = np.exp(y) + 1.0
    return np.sum(z)


def branches(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x
        if np.sum(y) > 0:
            y = y * 2.0
        else:
            z = y + 1.0
            y = z * x
    return np.sum(y)


def in_dict(p, x):
    return np.sum(p["w"] * x) + p["b"]


class Model:
    def __init__(self):
        self.w = np.array([1.0, 2.0])

    def loss(self, x):
        return np.sum(self.w * x * x)
