"""Loops that ask where they are: at an end, next to an end, inside."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("LLT")
def fixed_ends(u, w, steps):
    n = len(u)
    for _ in range(steps):
        v = u.copy()
        for i in range(n):
            if i == 0:
                u[i] = v[0]
            elif i == n - 1:
                u[i] = v[n - 1]
            else:
                u[i] = v[i] + 0.1 * (v[i - 1] - 2 * v[i] + v[i + 1])
    return np.sum(u * w)


@case("LLT")
def periodic(u, w, steps):
    n = len(u)
    for _ in range(steps):
        v = u.copy()
        for i in range(n):
            u[i] = v[i] + 0.1 * (v[(i - 1) % n] - 2 * v[i] + v[(i + 1) % n])
    return np.sum(u * w)


@case("LL", value=False)
def index_minus_one(u, w):
    n = len(u)
    s = 0.0
    for i in range(n):
        s += w[i] * (u[i] - u[i - 1]) ** 2
    return s


@case("PP")
def nearest_inside(A, w):
    n, m = A.shape
    B = np.zeros((n, m))
    for i in range(n):
        up = max(i - 1, 0)
        dn = min(i + 1, n - 1)
        for j in range(m):
            lf = max(j - 1, 0)
            rt = min(j + 1, m - 1)
            B[i, j] = A[up, j] + A[dn, j] + A[i, lf] + A[i, rt] - 4 * A[i, j]
    return np.sum(B * B * w)


@case("LL", value=False)
def choice_at_ends(u, w):
    n = len(u)
    s = 0.0
    for i in range(n):
        l = u[i - 1] if i > 0 else 0.0
        r = u[i + 1] if i < n - 1 else 0.0
        s += w[i] * (l + r - 2 * u[i]) ** 2
    return s


@case("PPT")
def free_ends(A, w, T):
    n, m = A.shape
    for t in range(T):
        B = A.copy()
        for i in range(n):
            for j in range(m):
                s = 0.0
                if i > 0:
                    s += B[i - 1, j] - B[i, j]
                if i < n - 1:
                    s += B[i + 1, j] - B[i, j]
                if j > 0:
                    s += B[i, j - 1] - B[i, j]
                if j < m - 1:
                    s += B[i, j + 1] - B[i, j]
                A[i, j] = B[i, j] + 0.1 * s
    return np.sum(A * w)


@case("LLL", value=False)
def energy_of_pairs(x, y, m):
    n = len(x)
    e = 0.0
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r2 = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2
            e -= m[i] * m[j] / np.sqrt(r2)
    return e


@case("LLLL", value=False)
def forces_of_pairs(x, y, fx, fy):
    n = len(x)
    for i in range(n):
        for j in range(n):
            if j != i:
                dx = x[j] - x[i]
                dy = y[j] - y[i]
                r = np.sqrt(dx * dx + dy * dy + 0.01)
                fx[i] += dx / r**3
                fy[i] += dy / r**3
    return np.sum(fx * fx + fy * fy)


@case("LL", value=False)
def trapezoids(x, w):
    s = 0.0
    n = len(x)
    for i in range(n):
        c = 1.0
        if i == 0 or i == n - 1:
            c = 0.5
        s += c * x[i] * w[i]
    return s


@case("LL", value=False)
def simpson(x, w):
    s = 0.0
    n = len(x)
    for i in range(n):
        if i == 0 or i == n - 1:
            s += x[i] * w[i]
        else:
            s += 2 * x[i] * w[i]
    return s


@case("LL")
def two_halves(x, w):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        if i < n // 2:
            y[i] = x[i] * x[n - 1 - i]
        else:
            y[i] = x[i] + w[i - n // 2]
    return np.sum(y * w)


@case("LLT", value=False)
def from_the_kth(x, w, k):
    s = 0.0
    for i in range(len(x)):
        if i < k:
            s += x[i] * w[i]
        else:
            s += x[i] * x[i - k]
    return s


@case("LL")
def downwards(u, w):
    n = len(u)
    y = np.zeros(n)
    for i in range(n - 1, -1, -1):
        if i == n - 1:
            y[i] = u[i]
        elif i == n - 2:
            y[i] = u[i] * u[i + 1]
        else:
            y[i] = u[i] + u[i + 1] * u[i + 2]
    return np.sum(y * w)


@case("LL", slices=False)
def recurrence(u, w):
    n = len(u)
    y = np.zeros(n)
    for i in range(n):
        if i == 0:
            y[i] = u[i]
        else:
            y[i] = y[i - 1] * 0.9 + u[i]
    return np.sum(y * w)


@case("LL", slices=False)
def counter_is_read(u, w):
    n = len(u)
    for i in range(n):
        if i == 0:
            u[i] *= 2.0
        else:
            u[i] += w[i - 1]
    return np.sum(u * w) * i


@case("LL", slices=False)
def counter_is_read_later(x, w):
    n = len(x)
    s = 0.0
    for i in range(n):
        if i < n - 1:
            s += x[i] * w[i + 1]
    return s * i + x[i - 1]


@case("PV")
def laplacian(A, w):
    n = len(w)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i == j:
                L[i, j] = 2.0 * w[i]
            elif abs(i - j) == 1:
                L[i, j] = -1.0 * w[j]
    return np.sum(L * A)


@case("PT")
def mirrored_by_names(A, T):
    n, m = A.shape
    for t in range(T):
        B = np.empty_like(A)
        for i in range(n):
            im = i - 1 if i > 0 else i
            ip = i + 1 if i < n - 1 else i
            for j in range(m):
                jm = j - 1 if j > 0 else j
                jp = j + 1 if j < m - 1 else j
                B[i, j] = A[i, j] + 0.1 * (A[im, j] + A[ip, j] + A[i, jm] + A[i, jp] - 4 * A[i, j])
        A[:] = B
    return np.sum(A * A)


@case("PV", value=False)
def ising(A, w):
    n, m = A.shape
    e = 0.0
    for i in range(n):
        for j in range(m):
            e -= A[i, j] * (A[(i + 1) % n, j] + A[i, (j + 1) % m]) + w[i] * A[i, j]
    return e


@case("Lk")
def conv_same(x, k3):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        for d in range(-1, 2):
            if 0 <= i + d < n:
                y[i] += x[i + d] * k3[d + 1]
    return np.sum(y * y)


@case("PW")
def conv_pad(A, W):
    n, m = A.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            acc = 0.0
            for di in range(3):
                for dj in range(3):
                    ii = i + di - 1
                    jj = j + dj - 1
                    if ii >= 0 and ii < n and jj >= 0 and jj < m:
                        acc += A[ii, jj] * W[di, dj]
            out[i, j] = acc
    return np.sum(out * out)


@case("LL")
def central(y, x):
    n = len(y)
    d = np.zeros(n)
    for i in range(n):
        if i == 0:
            d[i] = (y[1] - y[0]) / (x[1] - x[0])
        elif i == n - 1:
            d[i] = (y[-1] - y[-2]) / (x[-1] - x[-2])
        else:
            d[i] = (y[i + 1] - y[i - 1]) / (x[i + 1] - x[i - 1])
    return np.sum(d * d)


@case("P", value=False)
def total_variation(A):
    n, m = A.shape
    s = 0.0
    for i in range(n):
        for j in range(m):
            dx = A[i + 1, j] - A[i, j] if i + 1 < n else 0.0
            dy = A[i, j + 1] - A[i, j] if j + 1 < m else 0.0
            s += math.sqrt(dx * dx + dy * dy + 1e-3)
    return s


@case("LL", value=False)
def first_last(x, w):
    n = len(x)
    total = 0.0
    for i, v in enumerate(x):
        if i == 0:
            total += v
        elif i == n - 1:
            total += 3 * v
        else:
            total += v * w[i]
    return total


@case("LLT", slices=False)
def before_the_start(x, w, k):
    s = 0.0
    for i in range(len(x)):
        if i < k - 10:
            s += x[i] * w[i]
        else:
            s += 2 * x[i]
    return s


@case("LL")
def both_neighbors(x, w):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        c = 0.0
        for d in (-1, 1):
            k = (i + d) % n
            c += x[k]
        y[i] = c * w[i]
    return np.sum(y * y)


@case("PLT")
def four_neighbors(A, w, T):
    n, m = A.shape
    for t in range(T):
        B = A.copy()
        for i in range(n):
            for j in range(m):
                acc = 0.0
                for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    ii = (i + di) % n
                    jj = (j + dj) % m
                    acc += B[ii, jj]
                A[i, j] = B[i, j] + 0.1 * (acc - 4 * B[i, j])
    return np.sum(A * A) + w[0]


@case("P", value=False)
def neighbors_inside(A):
    n, m = A.shape
    s = 0.0
    for i in range(n):
        for j in range(m):
            for di, dj in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
                ii, jj = i + di, j + dj
                if ii < 0 or ii >= n or jj < 0 or jj >= m:
                    continue
                s += (A[i, j] - A[ii, jj]) ** 2
    return s


@case("PW")
def blur(A, K):
    n, m = A.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if 0 <= i + di < n and 0 <= j + dj < m:
                        out[i, j] += K[di + 1, dj + 1] * A[i + di, j + dj]
    return np.sum(out * out)


@case("Lk")
def circular(x, k3):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        for d in range(3):
            y[i] += k3[d] * x[(i - d) % n]
    return np.sum(y * y)


@case("Lk")
def causal(x, k3):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        for d in range(3):
            if i - d >= 0:
                y[i] += k3[d] * x[i - d]
    return np.sum(y * y)


@case("Lk")
def causal_of_any_length(x, k3):
    y = np.zeros_like(x)
    for n in range(len(x)):
        for k in range(len(k3)):
            if n >= k:
                y[n] += k3[k] * x[n - k]
    return np.sum(y * y)


@case("LT", value=False)
def autocorr(x, lags):
    n = len(x)
    r = np.zeros(lags)
    for k in range(lags):
        for i in range(n):
            if i + k < n:
                r[k] += x[i] * x[i + k]
    return np.sum(r * r)


@case("LLT", slices=False)
def smooth(x, w, h):
    n = len(x)
    s = 0.0
    for i in range(n):
        a = 0.0
        for k in range(max(0, i - h), min(n, i + h + 1)):
            a += x[k]
        s += a * w[i]
    return s


@case("LL")
def counters_of_others(x, w):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        k = i + 1
        if i == 0:
            y[i] = w[sum([i for i in range(3)])] + sum([x[k] for k in range(2)])
        else:
            y[i] = x[i - 1] * len([i for i in range(3)]) + w[k - 1]
    for i in range(n):
        w[i] = w[i] * 2.0
    return np.sum(y * y) + np.sum(w)


@case("LL")
def counter_bound_again(x, w):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        if i == 0:
            y[i] += w[0]
        i = n - 1 - i
        y[i] += x[i]
    for i in range(n):
        for i in range(2):
            if i == 0:
                y[i] += x[i + 1]
    for i in range(n):
        w[i] = w[i] * 2.0
    return np.sum(y * y) + np.sum(w)


@case("LL")
def stretches_that_fail(x, w):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        try:
            if i == 0:
                y[i] = x[i] / 2.0
            else:
                y[i] = x[i - 1]
        finally:
            y[i] += w[i]
    for i in range(n):
        w[i] = w[i] * 2.0
    return np.sum(y * y) + np.sum(w)


@case("LL", slices=False)
def both_ends_in_one_question(x, w):
    n = len(x)
    for i in range(n):
        if i > 0 and w[i - 1] > 0.0:
            w[i] = x[i - 1]
        elif i < n - 1 and x[i + 1] > 0.0:
            w[i] = x[i + 1] * 2.0
    return np.sum(w * x)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
