"""Programs whose second derivative goes wrong first: shadows that are shared, cut off, or used too late."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


@case(vector())
def slope_zero_curvature_not(x):
    a = x * 1.0
    a[1] = a[0] - x[0] + (a[2] - x[2]) * a[3]
    return a[1] * a[1] + a[0] * a[0] * a[3]


@case(vector())
def product_of_old_and_new(x):
    a = x * 1.0
    p = a[1]
    a[1] = p * a[2]
    q = a[1]
    a[1] = p * q
    return a[1] * p * q


@case(vector())
def linear_once_square_twice(x):
    a = np.zeros(4)
    a[0] = x[0]
    a[1] = a[0] * x[1]
    a[0] = a[1] * a[1]
    a[1] = 1.0
    return a[0] * a[1]


@case(vector())
def everything_in_one_slot(x):
    a = np.ones(1)
    for i in range(4):
        a[0] = a[0] * x[i]
    return a[0]


@case(vector())
def cubes_in_place(x):
    a = x
    for _ in range(2):
        a *= a
    a *= x
    return np.sum(W4 * a)


@case(vector())
def repeats_of_an_index_twice(x):
    a = x * x
    k = np.array([1, 1, 2])
    a[k] = a[:3] * a[k]
    a[k] *= x[k]
    return np.sum(W4 * a * a)


@case(vector())
def gather_and_scatter(x):
    a = np.zeros(4)
    k = np.array([0, 0, 3])
    np.add.at(a, k, x[k] * x[:3])
    a[k] += a[k[::-1]]
    return np.sum(W4 * a * a * x)


@case(vector())
def constant_between_two_values(x):
    a = x * x
    s = a[2]
    a[2] = 0.0
    t = np.sum(a * a)
    a[2] = s * t
    return np.sum(W4 * a * a)


@case(square())
def shared_rows(m):
    rows = [m[0], m[0], m[1]]
    for row in rows:
        row *= rows[2] + 1.0
    return np.sum(W33 * m * m)


@case(vector())
def shadow_is_rebound_in_the_loop(x):
    u, v = x * 1.0, np.sin(x)
    for _ in range(3):
        v *= u
        u, v = v, u
    return np.sum(W4 * u * v)


@case(vector(), 0.7)
def one_number_into_many_slots(x, s):
    a = np.zeros((3, 4))
    a[:] = s
    a[1] = x
    a[:, 2] = s * x[1]
    a *= s
    return np.sum(W4 * a * a)


@case(vector())
def copy_before_and_after(x):
    a = x * 1.0
    b = a.copy()
    a *= b
    c = a.copy()
    a *= c
    return np.sum(W4 * a * b) + np.sum(c * x)


@case(vector())
def view_of_the_gradient_of_a_view(x):
    a = x * 1.0
    v = a[1:]
    w = v[1:]
    w *= v[:-1]
    v *= a[:-1]
    return np.sum(a * a * a)


def step(state, rate):
    state["x"] -= rate * np.sin(state["x"])
    state["m"] = state["m"] * 0.9 + state["x"]
    state["x"] += state["m"] * state["x"]


@case(vector(), 0.3)
def optimizer(x, rate):
    state = {"x": x * 1.0, "m": np.zeros(4)}
    for _ in range(3):
        step(state, rate)
    return np.sum(W4 * state["x"] * state["m"])


@case(vector())
def list_as_a_table(x):
    table = [0.0] * 5
    table[0] = 1.0
    for i in range(4):
        table[i + 1] = table[i] * x[i] + table[i - 1]
        table[i - 1] = table[i + 1] * 0.5
    return table[4] * table[3] + table[0]


@case(square())
def inverse_by_rows(m):
    a = m + 4.0 * np.eye(3)
    b = np.eye(3)
    for i in range(3):
        p = a[i, i]
        a[i] /= p
        b[i] /= p
        for j in range(3):
            if j != i:
                f = a[j, i]
                a[j] -= f * a[i]
                b[j] -= f * b[i]
    return np.sum(W33 * b * b)


@case(vector())
def value_written_with_its_own_square_root(x):
    a = x * x + 1.0
    np.sqrt(a, out=a)
    np.multiply(a, a, out=a)
    a **= 1.5
    return np.sum(W4 * a)


@case(vector())
def sorted_and_written_back(x):
    a = np.sin(x)
    order = np.argsort(a)
    b = a[order]
    a.sort()
    a *= b
    x[order] = a
    return np.sum(W4 * x * x)


@case(vector())
def overlapping_twice(x):
    for _ in range(2):
        x[1:] *= x[:-1]
        x[:-1] = x[1:] + x[:-1]
    return np.sum(W4 * x)


@case(vector())
def zero_times_trap(x):
    a = np.zeros(4)
    b = a * x
    a[1] = x[0]
    b[1] += a[1] * a[1]
    a[2] = b[1] * b[0] + b[1]
    return a[2] * a[1]


@case(vector())
def scatter_of_a_sum(x):
    a = np.zeros(4)
    for i in range(4):
        a[i] = np.sum(x * a) + x[i]
    return a[3] * a[2]


@case(vector())
def view_of_one_of_two_bound_by_a_nested_function(x):
    a = x * 1.0
    w = a[:2]

    def shift():
        nonlocal w
        w = a[1:3] if w[0] == a[0] else w[::-1]
        w[0] += 1.0

    shift()
    shift()
    shift()
    return np.sum(W4 * a) * w[0]
