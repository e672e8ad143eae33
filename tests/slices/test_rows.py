"""Rows of arrays in loops: differences of points, their lengths, what is added to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("RRRTN", value=False)
def lennard_jones(x, v, w, steps, dt):
    n = len(x)
    F = np.zeros((n, 3))
    for _ in range(steps):
        F[:] = 0.0
        for i in range(n - 1):
            for j in range(i + 1, n):
                d = x[i] - x[j]
                r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1.0
                s = 1.0 / (r2 * r2 * r2)
                f = 24.0 * s * (2.0 * s - 1.0) / r2
                F[i] += f * d
                F[j] -= f * d
        v += dt * F
        x += dt * v
    return np.sum(x * w)


@case("RV", value=False)
def accelerations(x, m):
    n = x.shape[0]
    a = np.zeros_like(x)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            d = x[j] - x[i]
            r = np.sqrt(np.sum(d**2) + 0.01)
            a[i] += m[j] * d / r**3
    return np.sum(a * a)


@case("RV", value=False)
def distances_with_names(x, m):
    F = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(len(x)):
            if i != j:
                d = x[j] - x[i]
                r = np.linalg.norm(d)
                F[i] += m[j] * d / r**3
    return np.sum(F**2)


@case("RV", value=False)
def potential(x, q):
    e = 0.0
    for i in range(len(x)):
        for j in range(i):
            e += q[i] * q[j] / np.linalg.norm(x[i] - x[j])
    return e


@case("RRV", value=False)
def radial(x, c, w):
    y = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(len(c)):
            d = x[i] - c[j]
            y[i] += w[j] * np.exp(-0.5 * np.dot(d, d))
    return np.sum(y * y)


@case("RN", value=False)
def kernel_matrix(x, h):
    n = len(x)
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            diff = x[i, :] - x[j, :]
            K[i, j] = np.exp(-(diff @ diff) / h)
    return np.sum(K * K)


@case("RN", value=False)
def springs(x, L):
    E = 0.0
    for i in range(len(x) - 1):
        d = x[i + 1] - x[i]
        E += 0.5 * (np.sqrt(d @ d) - L) ** 2
    return E


@case("RV", value=False)
def centroid(x, w):
    c = np.zeros(3)
    for i in range(len(x)):
        c += w[i] * x[i]
    return np.sum(c * c)


@case("PT")
def whole_rows(A, T):
    n = A.shape[0]
    for t in range(T):
        B = A.copy()
        for i in range(1, n - 1):
            A[i] = 0.5 * (B[i - 1] + B[i + 1])
    return np.sum(A * A)


@case("RV", slices=False)
def row_times_its_first(x, w):
    for i in range(1, len(x)):
        x[i] = x[i] * x[i][0] + w[i] * x[i - 1]
    return np.sum(x)


@case("RrV", slices=False)
def columns_that_are_spread(x, y, w):
    s = 0.0
    z = np.zeros_like(x)
    for i in range(len(x)):
        z[i] = x[i] * y[i]
    return np.sum(z * z) + w[0]


@case("RR", slices=False)
def row_as_a_whole(x, w):
    s = 0.0
    for i in range(len(x)):
        d = x[i] - w[i]
        s += np.max(d)
        s += d[0]
    return s


@case("RkV", slices=False)
def row_bound_twice(x, box, w):
    n = len(x)
    e = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            d = x[i] - x[j]
            d = d - box * np.rint(d / box)
            e += w[i] * w[j] / (1.0 + np.sum(d * d))
    return e


@case("RkV", value=False)
def nearest_images(x, box, w):
    n = len(x)
    e = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            d = x[i] - x[j]
            g = d - box * np.rint(d / box)
            e += w[i] * w[j] / (1.0 + np.sum(g * g))
    return e


@case("R", value=False)
def unit_rows(x):
    y = np.zeros(x.shape)
    for i in range(x.shape[0]):
        y[i] = x[i] / np.linalg.norm(x[i])
    return np.sum(y**3)


@case("RV", slices=False)
def row_written_before_it_is_read(x, w):
    for i in range(1, len(x)):
        d = x[i] - x[i - 1]
        x[i] += 0.1 * d
        x[i] -= 0.2 * d * w[i]
    return np.sum(x * x)


@case("RkV", slices=False)
def added_to_a_vector(x, y, w):
    c = np.zeros(3)
    for i in range(len(x)):
        d = x[i] * w[i]
        c += d
        c -= y * d[0]
    return np.sum(c * c)


@case("RVN", slices=False)
def row_in_a_condition(x, w, L):
    s = 0.0
    for i in range(len(x)):
        d = x[i] - x[0]
        if d[0] > L:
            s += w[i] * d[1]
        else:
            s -= w[i] * d[2]
    return s


@case("RV", slices=False)
def recurrence_of_rows(x, w):
    a = x.copy()
    for i in range(1, len(x)):
        a[i] = a[i] + a[i - 1]
        x[i] = a[i] * w[i]
    return np.sum(x * x)


@case("QV", value=False)
def rows_of_a_cube(Q, w):
    s = 0.0
    for i in range(Q.shape[0]):
        for j in range(Q.shape[1]):
            s += np.sum(Q[i, j] * w) * np.sum(Q[i, j, :] ** 2)
    return s


@case("RV")
def row_with_another_first(x, w):
    y = np.zeros(x.shape)
    for i in range(len(x)):
        d = x[i] * 1.0
        d[0] = w[i]
        y[i] = d * d
    for i in range(len(w)):
        w[i] = w[i] * 2.0
    return np.sum(y) + np.sum(w)


@case("RV")
def row_that_is_added_to(x, w):
    y = np.zeros(x.shape)
    for i in range(len(x)):
        d = x[i] - x[0]
        d += w[i]
        y[i] = d * d
    for i in range(len(w)):
        w[i] = w[i] * 2.0
    return np.sum(y) + np.sum(w)


@case("RV")
def row_that_is_a_view(x, w):
    for i in range(len(x)):
        row = x[i]
        row *= w[i]
    for i in range(len(w)):
        w[i] = w[i] * 2.0
    return np.sum(x * x) + np.sum(w)


@case("RV")
def rows_trade_places(x, w):
    n = len(x)
    for i in range(n // 2):
        t = x[i].copy()
        x[i] = x[n - 1 - i]
        x[n - 1 - i] = t
    for i in range(len(w)):
        w[i] = w[i] * 2.0
    return np.sum(x[:, 0] * w) + np.sum(x * x)


@case("RV")
def last_row_is_read(x, w):
    for i in range(len(x)):
        d = x[i] * w[i]
    for i in range(len(w)):
        w[i] = w[i] * 2.0
    return np.sum(d) + np.sum(w)


@case("RV")
def length_in_a_condition(x, w):
    s = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[i - 1]
        if np.sum(d * d) > 1.0:
            s += w[i]
        s += d[1]
    for i in range(len(w)):
        w[i] = w[i] * 2.0
    return s + np.sum(w)


@case("RV")
def row_before_the_first(x, w):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = x[i] - x[i - 1] + x[-1] * w[i]
    return np.sum(y * y)


@case("RV", value=False)
def numbers_in_rows(x, w):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = 1.0
        y[i] *= w[i]
        y[i] += x[i] @ x[0]
    return np.sum(y * y * x)


@case("RV", value=False)
def row_number_by_number(x, w):
    s = 0.0
    for i in range(len(x)):
        d = x[i] * w[i]
        for k in range(3):
            s += d[k] * (k + 1)
    return s


@case("RV", value=False)
def row_of_an_outer_loop(x, w):
    n = len(x)
    G = np.zeros((n, n))
    for i in range(n):
        a = x[i] * w[i]
        for j in range(n):
            b = x[j] - a
            G[i, j] = b @ a
    return np.sum(G * G)


@case("RV", value=False)
def directions(x, w):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        u = x[i] / np.sqrt(x[i].dot(x[i]) + 1.0)
        v = np.tanh(u) - u
        y[i] = u @ v + (u * v).sum() * w[i]
    return np.sum(y * y)


@case("RV")
def cross_products(x, w):
    n = len(x)
    y = np.zeros((n, 3))
    for i in range(n - 1):
        a = x[i]
        b = x[i + 1]
        y[i, 0] = a[1] * b[2] - a[2] * b[1]
        y[i, 1] = a[2] * b[0] - a[0] * b[2]
        y[i, 2] = a[0] * b[1] - a[1] * b[0]
    return np.sum(y * y)


@case("PV", value=False)
def rows_times_a_vector(A, w):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        y[i] = np.dot(A[i, :], w)
    return np.sum(y * y)


@case("PV", slices=False)
def largest_of_a_row(A, w):
    P = np.zeros_like(A)
    for i in range(A.shape[0]):
        e = np.exp(A[i] - np.max(A[i]))
        P[i] = e / np.sum(e)
    return np.sum(P * P)


@case("PV", value=False)
def shares_of_rows(A, w):
    P = np.zeros_like(A)
    for i in range(A.shape[0]):
        e = np.exp(A[i])
        P[i] = e / np.sum(e)
    return np.sum(P * P)


@case("PV", slices=False)
def vector_of_means(A, w):
    mu = np.zeros(A.shape[1])
    for i in range(A.shape[0]):
        mu += A[i]
    mu /= A.shape[0]
    C = np.zeros((A.shape[1], A.shape[1]))
    for i in range(A.shape[0]):
        d = A[i] - mu
        C += np.outer(d, d)
    return np.sum(C * C)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
