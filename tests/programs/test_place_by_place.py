"""Numbers one by one: loops that read and write arrays place by place, as Python's floats can do it, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

SIX = np.array([0.31, -0.42, 0.87, -0.15, 0.64, 0.23])
PLANE = np.array(
    [[0.3, -0.2, 0.7, 0.1], [0.5, 0.9, -0.4, 0.2], [-0.6, 0.8, 0.35, -0.1], [0.15, 0.45, -0.3, 0.6]]
)
W = np.array([0.5, -1.0, 2.0, 0.3, 0.7, -0.2])


@case(SIX)
def zero_div(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] / (1.0 + x[i]) + 1.0 / x[i] ** 2
    return s


@case(SIX, SIX[::-1].copy())
def same_twice(x, y):
    s = 0.0
    for i in range(1, len(x)):
        s = s * 0.5 + x[i] * y[i - 1]
    return s


@case(SIX)
def viewed(x):
    n = len(x)
    y = np.zeros(n)
    v = y[1:]
    for i in range(1, n):
        y[i] = x[i] * 2.0 + v[i - 2] if i > 1 else x[i]
    return np.sum(y * y)


@case(SIX)
def view_written(x):
    n = len(x)
    y = x.copy()
    v = y[1:]
    for i in range(n - 1):
        v[i] = v[i] * y[i]
    return np.sum(y)


@case(SIX)
def int_stores(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        if i % 3 == 0:
            y[i] = 1
        elif i % 3 == 1:
            y[i] = i
        else:
            y[i] = x[i]
        y[i] = y[i] / 2 * x[i]
    return np.sum(y)


@case(SIX)
def bool_stores(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] > 0.0
        y[i] += x[i] * (x[i] > 0.2)
    return np.sum(y * x)


@case(SIX)
def negatives(x):
    n = len(x)
    s = 0.0
    for i in range(n):
        s = s + x[-i - 1] * x[i]
    return s


@case(SIX)
def swapped(x):
    n = len(x)
    a = x.copy()
    b = np.zeros(n)
    for t in range(3):
        for i in range(1, n - 1):
            b[i] = a[i - 1] * 0.3 + a[i] * a[i + 1]
        a, b = b, a
    return np.sum(a)


@case(SIX)
def bound_inside(x):
    n = len(x)
    s = 0.0
    for t in range(3):
        y = np.zeros(n)
        for i in range(n):
            y[i] = x[i] * s + x[i]
        s = s + np.sum(y)
    return s


@case(PLANE[:3])
def rows(A):
    n, m = A.shape
    s = 0.0
    for i in range(n):
        r = A[i]
        for j in range(m):
            s += r[j] * A[i][j] + A[i, j - 1]
    return s


@case(PLANE)
def plane(A):
    n, m = A.shape
    B = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            B[i, j] = A[i, j] * A[j % n, i % m]
    return np.sum(B * B)


@case(PLANE[:, :3].copy())
def plane_and_rows(A):
    n, m = A.shape
    for i in range(1, n):
        for j in range(m):
            A[i, j] = A[i, j] + A[i - 1, j] * 0.1
        A[i] = A[i] / 2.0
    return np.sum(A * A)


@case(SIX)
def breaking(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] < -0.5:
            continue
        s = s + x[i] * s + x[i]
        if s > 3.0:
            break
    else:
        s = s * 2.0
    return s


@case(np.abs(SIX))
def early(x):
    s = 1.0
    for i in range(len(x)):
        s = s * (1.0 + x[i])
        if s > 2.0:
            return s * 3.0
    return s


@case(SIX)
def extremes(x):
    s = x[0]
    t = x[0]
    for i in range(1, len(x)):
        s = max(s * 0.9, x[i])
        t = min(t, abs(x[i]), 0.3)
    return s * t


@case(SIX, 1.7)
def powers(x, p):
    s = 0.0
    for i in range(len(x)):
        a = x[i] * x[i] + 0.5
        s = s + a**p + a**2 + a**-1 + 2.0 ** x[i] + a**0.5
    return s


@case(SIX)
def negative_power(x):
    s = 0.0
    for i in range(len(x)):
        s = s + (x[i] ** 3) * 2.0
    return s


@case(np.abs(SIX), 0.33)
def cube_root(x, p):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] ** p
    return s


@case(SIX, np.array([2, 2, 0, 5]))
def indexed(x, k):
    s = 0.0
    for i in range(len(k)):
        s = s + x[k[i]] * x[i]
    return s


@case(np.linspace(0.5, 1.5, 300))
def short_of_long(x):
    s = 0.0
    for i in range(3):
        s = s + x[i] * x[i + 1]
    return s


@case(np.linspace(0.5, 1.5, 300), 4)
def written_long(x, k):
    y = x.copy()
    for i in range(1, k):
        y[i] = y[i - 1] * y[i]
    return np.sum(y)


@case(SIX)
def global_array(x):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * W[i] * s + x[i]
    return s


@case(SIX)
def truths(x):
    s = 0.0
    for i in range(len(x)):
        s = s + (x[i] > 0) * x[i] + ((x[i] > 0.1) + (x[i] > 0.2)) * x[i]
    return s


@case(SIX)
def where(x):
    s = 0.0
    for i in range(len(x)):
        s = s + np.where(x[i] > 0, x[i] * 2.0, x[i] * 3.0)
    return s


@case(SIX)
def functions(x):
    s = 0.0
    for i in range(len(x)):
        s = (
            s
            + np.arctan2(x[i], 1.3)
            + np.hypot(x[i], 0.4)
            + np.expm1(x[i])
            + np.log1p(x[i] ** 2)
            + np.sign(x[i])
            + np.maximum(x[i], 0.1)
            + np.cbrt(x[i] + 3)
            + np.square(x[i])
        )
    return s


@case(0.7, 5)
def fib(x, n):
    a = x
    b = x * x
    for i in range(n):
        a, b = b, a + 0.5 * b
    return a * b


@case(SIX)
def while_array(x):
    i = 0
    s = 0.0
    while i < len(x) and s < 1.0:
        s = s + x[i] * x[i]
        i += 1
    return s * i


@case(SIX)
def mean_var(x):
    m = 0.0
    v = 0.0
    for i in range(len(x)):
        d = x[i] - m
        m += d / (i + 1)
        v += d * (x[i] - m)
    return v / len(x)


@case(PLANE[:3], PLANE[:, :2].copy())
def matmul(A, B):
    n, m = A.shape
    k = B.shape[1]
    C = np.zeros((n, k))
    for i in range(n):
        for j in range(k):
            for l in range(m):
                C[i, j] += A[i, l] * B[l, j]
    return np.sum(C * C)


@case(PLANE + 3.0 * np.eye(4))
def lu(A):
    A = A.copy()
    n = A.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    s = 0.0
    for i in range(n):
        s += np.log(np.abs(A[i, i]))
    return s


@case(SIX, 0.4)
def nested_helper(x, c):
    y = np.zeros(len(x))
    fill(y, x, c)
    fill(y, x, c * c)
    return np.sum(y * y)


def fill(y, x, c):
    for i in range(1, len(x)):
        y[i] = y[i - 1] * c + g(x[i], y[i])


def g(a, b):
    return np.sin(a) * b + a / (1.0 + b * b)


@case(PLANE)
def helper_views(A):
    for i in range(1, A.shape[0]):
        relax(A[i], A[i - 1])
    return np.sum(A * A)


def relax(r, q):
    for j in range(len(r)):
        r[j] = r[j] * 0.5 + q[j] * q[j - 1]


@case(SIX)
def helper_same(A):
    relax(A[1:], A[:-1])
    return np.sum(A * A)


@case(SIX)
def helper_global(x):
    relax2(x)
    return np.sum(x * W)


def relax2(x):
    v = x[1:]
    for j in range(len(x) - 1):
        x[j] = v[j] * x[j] + W[j]


@case(SIX, 4)
def recursive(x, i):
    if i == 0:
        return x[0]
    return recursive(x, i - 1) * 0.5 + x[i] * x[i]


@case(SIX)
def tuple_state(x):
    state = (0.0, 1.0)
    for i in range(len(x)):
        a, b = state
        state = (a + b * x[i], b * 0.9 + x[i])
    return state[0] * state[1]


@case(SIX)
def dict_state(x):
    d = {"m": 0.0, "v": 0.0}
    for i in range(len(x)):
        d["m"] = 0.9 * d["m"] + 0.1 * x[i]
        d["v"] = 0.99 * d["v"] + 0.01 * x[i] * x[i]
    return d["m"] / np.sqrt(d["v"] + 1e-8)


@case(SIX)
def list_state(x):
    out = []
    for i in range(len(x)):
        out.append(x[i] * (out[-1] if out else 1.0))
    return sum(out)


@case(4, 0.7)
def ints(n, x):
    s = 0
    for i in range(n):
        s = s + i * x
    return s / n


@case(SIX)
def floor(x):
    s = 0.0
    for i in range(len(x)):
        s = s + (x[i] * 10.0) // 3.0 * x[i] + x[i] % 0.3
    return s


@case(SIX, SIX[::-1].copy())
def enum(x, w):
    s = 0.0
    for i, (a, b) in enumerate(zip(x, w)):
        s = s * 0.5 + a * b * i
    return s


@case(SIX)
def iterated(x):
    s = 0.0
    for v in x:
        s = s * v + np.tanh(v)
    return s


@case(SIX)
def prefix(x):
    n = len(x)
    c = np.empty(n + 1)
    c[0] = 0.0
    for i in range(n):
        c[i + 1] = c[i] + x[i] ** 2
    s = 0.0
    for i in range(n):
        for j in range(i + 1, n + 1):
            s += np.sqrt(c[j] - c[i] + 0.1)
    return s


@case(PLANE)
def tri(A):
    s = 0.0
    for i in range(A.shape[0]):
        for j in range(i):
            s += A[i, j] * A[j, i]
    return s


@case(SIX, SIX[:4].copy(), np.array([0, 1, 1, 2, 3, 0]), np.array([0, 2, 3, 4, 6]))
def spmv(data, x, indices, indptr):
    n = len(indptr) - 1
    y = np.zeros(n)
    for i in range(n):
        for k in range(indptr[i], indptr[i + 1]):
            y[i] += data[k] * x[indices[k]]
    return np.sum(y * y)


@case(SIX[:5].copy(), np.array([0, 1, 2, 0, 3]), np.array([1, 1, 0, 2, 3]), SIX[1:5])
def graph(w, src, dst, h):
    out = np.zeros(len(h))
    for e in range(len(src)):
        out[dst[e]] += w[e] * np.tanh(h[src[e]])
    return np.sum(out**2)


@case(SIX[:4].copy(), np.arange(1, 9).reshape(4, 2))
def lookup(x, table):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * table[i, i % 2]
    return s


@case(SIX[:5].copy(), np.array([0, 1, 2, 1, 0]))
def hist(x, k):
    h = np.zeros(3)
    for i in range(len(x)):
        h[k[i]] += x[i] ** 2
    return np.prod(h)


@case(np.abs(SIX[:4]) + 0.5, np.array([1, 2, 3, 4]))
def div_int(x, k):
    s = 0.0
    for i in range(len(x)):
        s += x[i] / k[i] + x[i] * k[i] ** 2 + (k[i] // 2) * x[i] ** 2 + x[i] ** k[i]
    return s


@case(SIX[:4].copy(), np.array([0, 2, 1, 0]))
def int_zero(x, k):
    s = 0.0
    for i in range(len(x)):
        if k[i]:
            s += x[i] / k[i]
        s += x[i] * x[i - k[i]]
    return s


@case(SIX[:5].copy(), np.array([2, 0, 1, 4, 3]))
def permuted(x, p):
    y = x.copy()
    for i in range(len(p)):
        y[p[i]] = y[p[i]] * y[i] + x[p[i]]
    return np.sum(y)


@case(SIX[:5].copy(), 5)
def counts(x, n):
    c = np.zeros(3, dtype=int)
    s = 0.0
    for i in range(n):
        c[i % 3] += 1
        s += x[i] * c[i % 3]
    return s


@case(np.abs(SIX) + 1.0, SIX[:3].copy(), np.array([0, 0, 1, 0, 1, 2]), np.array([0, 1, 3, 6]))
def csr_lower(L, b, idx, ptr):
    n = len(b)
    x = b.copy()
    for i in range(n):
        for k in range(ptr[i], ptr[i + 1] - 1):
            x[i] -= L[k] * x[idx[k]]
        x[i] /= L[ptr[i + 1] - 1]
    return np.sum(x * x)


@case(SIX, 6)
def left_early(x, n):
    y = x.copy()
    u = x.copy()
    for t in range(n):
        u = y.copy()
        for i in range(1, len(x) - 1):
            y[i] = u[i - 1] * 0.5 + y[i] * y[i - 1]
        if y[1] > 0.4:
            continue
        for i in range(len(x)):
            y[i] = y[i] * 1.1
        if np.sum(u) > 4.0:
            break
        y[0] = y[0] + u[1]
    return np.sum(y * u)


@case(SIX, 6)
def skipped(x, n):
    y = x.copy()
    s = 0.0
    for t in range(n):
        s = s + np.sum(y)
        for i in range(1, len(x)):
            y[i] = y[i - 1] * 0.5 + y[i] * y[i]
        if t % 2 == 0:
            continue
        for i in range(len(x)):
            y[i] = y[i] * 0.9 + x[i] * y[i]
        if s > 40.0:
            break
        y[0] = y[0] * 1.1
    return s + np.sum(y * y)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(function, *args, **options)
