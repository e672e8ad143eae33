"""What a helper gave is written, where its backward function reads it."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, case, vector


def powers(v):
    w = np.exp(v)
    return w


def twice_powers(v):
    return powers(v * 2.0)


def both(v):
    w = np.exp(v)
    return {"w": w, "u": [np.sin(v), w * v]}


def every_other(v):
    w = np.exp(v)
    return w[::2]


def kept_as_it_was(v, n):
    w = np.zeros_like(v)
    for i in range(n):
        w[...] = v
        v[i] = np.sum(w * w) * 0.1
    return w


@case(vector())
def copied_and_cleared(x):
    b = powers(x)
    c = b.copy()
    b[:] = 0.0
    return np.sum(W4 * c * c)


@case(vector())
def result_of_a_result(x):
    b = twice_powers(x * 0.3)
    y = b @ b
    b[1:] = b[:-1]
    return y + b[3]


@case(vector())
def again_and_again(x):
    b, total = x * 0.5, 0.0
    for _ in range(3):
        b = powers(b * 0.3)
        total = total + np.sum(W4 * b * b)
        b *= x
    return total + b[0]


@case(vector())
def collected(x):
    bs = []
    for k in range(3):
        b = powers(x * 0.2 * k)
        bs.append(b)
        b[0] = k
    return np.sum(W4 * bs[1] * bs[2])


@case(vector())
def in_a_nest(x):
    d = both(x)
    y = np.sum(W4 * d["w"] * d["u"][1])
    d["w"][:] = 0.0
    d["u"][1] *= 2.0
    return y + d["u"][1][0]


@case(vector())
def a_view_is_given(x):
    b = every_other(x)
    y = b @ b
    b[...] = 1.0
    return y


@case(vector())
def result_that_is_used_for_nothing_else(x):
    a = x * 1.0
    b = kept_as_it_was(a, 2)
    b[1] = x[0]
    return np.sum(W4 * a)


@case(vector())
def under_another_name_in_a_branch(x):
    b = powers(x)
    c = b if x[0] > 0.0 else x * 1.0
    y = b @ b
    c[0] = 5.0
    return y


class Holder:
    def __init__(self, v):
        self.w = powers(v)

    def spent(self):
        y = np.sum(W4 * self.w * self.w)
        self.w[:] = 1.0
        return y


@case(vector())
def held_by_an_object(x):
    holder = Holder(x)
    return holder.spent() * holder.w[0] * x[0]


@case(vector())
def cleared_by_a_helper(x):
    b = powers(x)
    y = b @ b
    cleared(b)
    return y + b[0]


def cleared(a):
    a[...] = 0.0
