"""``copy.deepcopy`` and ``copy.copy`` of what is written afterwards."""

from __future__ import annotations

import copy
from copy import deepcopy

import numpy as np

from tests.mutation.registry import W4, case, vector


class Cell:
    """A number and an array."""

    def __init__(self, v, w):
        self.v = v
        self.w = w


@case(vector())
def of_an_array_and_a_number(x):
    a, s = x * 1.0, x[0] * 2.0
    b, t = copy.deepcopy(a), deepcopy(s)
    b[0] = a[1] * 2.0
    a[2] *= b[0]
    t += s
    return np.sum(W4 * a * b) * t * s


@case(vector(), 3)
def of_lists(x, n):
    rows = [x * 1.0, x * 2.0]
    other = deepcopy(rows)
    other[0][1] *= rows[1][0]
    rows[0][1] = 5.0 * x[0]
    rows += [other[0]]
    many = [[x[k] * 1.0, x * k] for k in range(n)]
    twins = deepcopy(many)
    twins[1][0] *= many[2][0]
    twins[1][1][0] += 3.0 * x[1]
    many[1][1] *= x
    return (
        np.sum(W4 * rows[0] * other[0]) + np.sum(rows[2] * many[1][1] * twins[1][1]) * twins[1][0]
    )


@case(vector())
def of_a_dict(x):
    state = {"a": x * 1.0, "n": x[0], "parts": ([x[:2] * 2.0], "name")}
    old = copy.deepcopy(state)
    state["a"][1] = 3.0 * x[0]
    state["parts"][0][0] *= 3.0
    state["n"] += old["n"]
    keyed = {k: x * len(k) for k in ("p", "qq")}
    twin = deepcopy(keyed)
    twin["p"][0] *= keyed["qq"][1]
    return np.sum(W4 * state["a"] * old["a"]) * state["n"] + np.sum(
        state["parts"][0][0] * old["parts"][0][0] * keyed["p"][:2] * twin["p"][:2]
    )


@case({"a": vector(), "b": [0.3, 0.5]})
def of_an_argument(p):
    q = copy.deepcopy(p)
    q["a"] *= 2.0
    q["b"][0] *= p["b"][1]
    return np.sum(p["a"] * q["a"]) * q["b"][0]


@case(vector())
def of_objects(x):
    first = Cell(x * 1.0, x[0])
    deep, shallow = copy.deepcopy(first), first
    shallow = copy.copy(first)
    deep.v[0] *= first.w
    shallow.v[1] *= 2.0
    shallow.w += 1.0
    deep.w *= shallow.w
    return np.sum(W4 * deep.v * first.v) * deep.w * first.w


@case(vector(), gap="a copy of what stands there twice")
def of_one_array_twice(x):
    a = x * 1.0
    pair = [a, a]
    twin = copy.deepcopy(pair)
    twin[0][0] = 9.0 * x[1]
    return np.sum(twin[1] ** 2) + np.sum(a)
