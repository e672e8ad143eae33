"""Programs for Numba: name, arguments; every float argument is differentiated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
normal = np.random.default_rng(11).normal
SCALE = 0.7


def program(*args: Any) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        PROGRAMS[function.__name__] = function, args
        return function

    return add


V, W = normal(size=9), normal(size=9)
M, N = normal(size=(5, 6)), normal(size=(5, 6))


@program(V, 0.4, W)
def recurrence(x, a, w):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = y[i - 1] * a + np.sin(x[i])
    return np.sum(y * w)


@program(0.3, 7)
def until(x, n):
    s = x
    i = 0
    while i < n:
        s = s - 0.1 * s * s * x
        i += 1
    return s


@program(V, W, 3)
def two_arrays(a, w, steps):
    b = a.copy()
    for _ in range(steps):
        b[1:-1] = 0.3 * (a[:-2] * a[1:-1] + a[2:])
        a[1:-1] = 0.3 * (b[:-2] + b[1:-1] * b[2:])
    return np.sum(a * w)


@program(V, W)
def overlapping(a, w):
    a[1:] = a[:-1] * a[1:]
    a[:-1] = a[1:]
    a[2:] += a[:-2]
    return np.sum(a * w)


@program(V, W)
def backward_slices(a, w):
    a[::-1] = a * np.exp(-a)
    a[1::2] *= a[:-1:2]
    b = a[::-2] + a[8::-2]
    return np.sum(b * w[:5]) + np.sum(a[-3:] * w[-6:-3])


@program(M, N)
def rows_and_columns(a, w):
    for i in range(1, 5):
        a[i, 1:] += a[i - 1, :-1] * a[i, :-1]
    for j in range(1, 6):
        a[:, j] = a[:, j - 1] * 0.5 + np.tanh(a[:, j])
    return np.sum(a * w)


@program(M, N, 2)
def plane(u, w, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] += 0.2 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
    return np.sum(u * w)


@program(M, N, 2)
def points(a, w, steps):
    n, m = a.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                a[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] * a[i, j + 1]) / 3.0
    return np.sum(a * w)


@program(M @ M.T + 6.0 * np.eye(5), normal(size=(5, 5)))
def factor(a, w):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        for k in range(i):
            a[i, i] -= a[i, k] * a[i, k]
        a[i, i] = np.sqrt(a[i, i])
    return np.sum(a * w)


def half_step(a, b):
    b[1:-1] = 0.3 * (a[:-2] + a[1:-1] + a[2:])


@program(V, W, 3)
def helpers(a, w, steps):
    b = a.copy()
    for _ in range(steps):
        half_step(a, b)
        half_step(b, a)
    return np.sum(a * w)


@program(V, W)
def outside(a, w):
    a[1:] *= SCALE
    return np.sum(a * w)


@program(V, W)
def branches(x, w):
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            total += x[i] ** 2 * w[i]
        else:
            total -= np.exp(x[i])
    return total


@program(V)
def elementwise(x):
    y = np.where(x > 0.0, x, 0.1 * x)
    return np.sum(100.0 * (y[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@program(V, np.array([2, 0, 2, 5]))
def gathered(x, at):
    total = 0.0
    for k in range(len(at)):
        total += x[at[k]] * x[at[k] + 1]
    return total + np.sum(x[at] ** 2)


@program(normal(size=(4, 3)), normal(size=3), 5)
def zero_trips(a, b, n):
    for i in range(n, 5):
        a[i] = b * a[i]
    return np.sum(a[1:1] * b) + np.sum(a * a)


@program(normal(size=(4, 4)), normal(size=4))
def products(a, x):
    y = np.zeros(4)
    for i in range(4):
        _0 = a[i] * x
        y[i] = np.sum(_0[1:]) + np.add(x[i], 2.0)
    y[1:3] += a[1:3, 0] * y[:2]
    return np.sum(y * x)


def eliminated(a, b, d):
    for i in range(1, len(d)):
        w = a[i - 1] / b[i - 1]
        b[i] -= w * a[i - 1]
        d[i] -= w * d[i - 1]
    x = b
    x[-1] = d[-1] / b[-1]
    for i in range(len(d) - 2, -1, -1):
        x[i] = (d[i] - a[i] * x[i + 1]) / b[i]
    return x


@program(V[:8], V * V + 3.0, W)
def one_array_under_two_names(a, b, d):
    return np.sum(eliminated(a, b, d) * d)


def rows_added(C, A, alpha):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= alpha
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]


@program(normal(size=(5, 5)), M, 0.7)
def arrays_on_a_tape(C, A, alpha):
    rows_added(C, A, alpha)
    return np.sum(C * C)


@program(M, W[:6])
def along_axes(data, w):
    top = np.max(data, axis=1, keepdims=True)
    spread = np.log(np.sum(np.exp(data - top), axis=1)) + top[:, 0]
    return np.sum(data.mean(axis=0) * w) + np.sum(spread * spread)


@program(normal(size=(2, 3, 4)), normal(size=(2, 4)))
def a_middle_axis(x, w):
    return np.sum(x.sum(axis=1) * w) + np.sum(x.mean(axis=-1, keepdims=True) ** 2)


def doubling(x, step):
    for length in range(2, 6, step):
        for i in range(0, len(x) - length, length):
            x[i + 1] += 0.5 * x[i] * x[i + length]


@program(V, 2)
def steps_that_are_names(x, step):
    doubling(x, step)
    return np.sum(x * x)


def softmax(x):
    x -= np.max(x, axis=1, keepdims=True)
    x[:] = np.exp(x)
    x /= np.sum(x, axis=1, keepdims=True)


@program(M, N)
def softmax_in_place(x, w):
    softmax(x)
    return np.sum(x * w)


@program(normal(size=(4, 5, 4)), normal(size=(4, 5, 4)))
def cube(a, w):
    b = a.copy()
    b[1:-1, 1:-1, 1:-1] = 0.2 * (a[2:, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1]) + (
        a[1:-1, 1:-1, 1:-1] * a[1:-1, 2:, 1:-1]
    )
    return np.sum(b * w)


def softmax_of_a_buffer(x):
    top = np.max(x, axis=-1, keepdims=True)
    out = np.exp(x - top)
    whole = np.sum(out, axis=-1, keepdims=True)
    np.divide(out, whole, out=out)
    return out


@program(M, N)
def taken_out_of_a_buffer(x, w):
    return np.sum(softmax_of_a_buffer(x) * w)


@program(V, W)
def nothing_is_left(x, w):
    y = x * w
    return np.sum(y) + np.sum(y[:0]) + np.sum(y[1:0] * 2.0) + np.sum(y[0:0] * y[3:3])


@program(V, W)
def loops_that_may_be_one(x, w):
    y = np.zeros(len(x))
    t = x[1:] * x[:-1]
    y[1:] = t * w[1:]
    y[:-1] -= np.sin(t)
    z = y.copy()
    z[:-1] += y[1:] * x[:-1]
    z[1:] *= y[:-1]
    return np.sum(z * z)


@program(M, N)
def turned_and_flipped(a, w):
    n = a.shape[0]
    y = np.zeros(n)
    y[:] = a[:, 0]
    rows = np.outer(y, np.flip(y)) + a[:, :n].T * w[:, 1 : n + 1]
    y[1:] += 0.5 * np.flip(y)[1:]
    return np.sum(rows * rows) + np.dot(y, np.flip(y[:]))


@program(normal(size=(2, 3, 4)), normal(size=(3, 4)), normal(size=4))
def over_leading_axes(x, y, z):
    return np.sum(np.tanh(x * y + z) * x)


@program(M, N)
def chosen_elements(a, w):
    big = a * w > 0.1
    return np.sum(np.where(big, a * w, 0.1 * np.minimum(a, w)) * w)


@program(V, W)
def views_of_views(x, w):
    inner = x[1:-1]
    most = inner[1:]
    last = inner[-1]
    most[:2] *= w[:2]
    return np.sum(most[::2] * most[::2]) + last * inner[2] + np.sum(inner[:-2] * w[2:7])


@program(M, 3)
def other_bindings(a, n):
    total = 0.0
    for k in range(n):
        row = a[k] * 2.0
        total += np.sum(row * a[k + 1])
    for k in range(n):
        row = a[k, 1:]
        total += np.sum(row * row)
    return total


@program(V, W)
def sums_that_loops_wait_for(x, w):
    y = x * np.sum(x)
    z = y * np.sum(y) + np.sum(x * w) * w
    return np.sum(z * w) * np.sum(z)


I, J = np.array([0, 2, 2, -1]), np.array([[0, 1], [3, 0]])


@program(M, V)
def padded(a, x):
    wide = np.pad(a, ((1, 0), (0, 2)))
    return (
        np.sum(np.pad(x, 2)[1:] ** 2)
        + np.sum(np.pad(x, (0, 3)) ** 3)
        + np.sum(wide[:-1] * wide[1:])
    )


@program(M, V)
def deviations(a, x):
    z = (x - np.mean(x)) / np.std(x)
    rows = np.var(a, axis=1) * np.std(a, axis=-1)
    return np.sum(z**3) + np.sum(rows) + np.var(a) + np.sum(a.std(axis=0, keepdims=True) * a)


@program(M, N, V[:6])
def subscripts(a, b, x):
    both = np.einsum("ij,kj->ik", a, b)
    line = np.einsum("ij,j->i", a, x) * np.einsum("ij,ji->i", both, both)
    return (
        np.sum(both * both)
        + np.sum(line)
        + np.einsum("ij,ij,j", a, b, x)
        + np.einsum("i,i->", x, x)
    )


@program(V, W)
def joined_parts(x, w):
    line = np.concatenate([x[:2] * 2.0, w[1:3], x[::-2]])
    plane = np.stack([x, w * x])
    return np.sum(line * line) + np.sum(plane**3) + np.sum(np.diff(x) ** 2)


@program(V, M, I, J)
def at_indices(x, a, i, j):
    y = np.zeros(9)
    np.add.at(y, i, x[:4] * x[1:5])
    np.add.at(y, i[:2], y[3:5])
    near = np.sum(a[:, i] ** 2) + np.sum(a[i] ** 3) + np.sum(x[j] ** 2) + np.sum(a[i, i[::-1]] ** 2)
    return np.sum(y * y) + near + np.sum(x[x > 0.0] ** 3) + np.sum(np.abs(x) * x)


@program(V, normal(size=(2, 3, 4, 9)))
def summed_axes(x, big):
    y = big * x
    z = y + x[:4, None] * x
    return np.sum(z * z) + np.linalg.norm(x)


@program(V[:6], M)
def made_axes(x, m):
    return np.sum(x[None, :] * m) + np.sum(m.std(axis=0, keepdims=True) * m)


@program(V, W, 4)
def ties_of_slices(x, w, n):
    v = x * 1.0
    v[2] = w[2]
    for i in range(n):
        v[: i + 2] = np.maximum(v[: i + 2], w[: i + 2] * 0.5 + v[1 : i + 3] * 0.1)
    return np.sum(np.maximum(v, w) * x)


@program(np.abs(V) + 0.1, 2.5, W)
def powers(x, y, w):
    s = 1.0
    for i in range(len(x)):
        s += s**0.5 * x[i] ** y
    e = np.array([2.0, 0.0, 1.0])
    return np.sum(x**w) + s + np.sum(x[:3] ** e) + np.sum(0.5**w * x**3)


@program(M, N)
def axes_by_name(x, w):
    axis = 1
    new = np.newaxis
    s = np.max(x * w, axis=axis)
    return np.sum(s[:, new] * w) + np.sum(np.sum(x[new, :, :] * w[np.newaxis], axis=(0, 1)))


def rows_of(z):
    e = np.exp(z - np.max(z, axis=1)[:, None])
    return e / np.sum(e, axis=1)[:, None]


@program(M, N)
def rows_by_new_axes(x, w):
    p = rows_of(x)
    q = rows_of(p * w - np.mean(w, axis=0)[None])
    centre = np.mean(x, axis=0)[None, :, None]
    return np.sum(q * p) + np.sum(centre[0] * x.T[:, :1] * w[None, 0, :, None][0])
