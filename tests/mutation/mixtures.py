"""Two or three features at once: swaps, rings, views of views, recursion, nests, changed indices."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


@case(square())
def rows_swapped_without_copies(m):
    a = m * 1.0
    a[0], a[2] = a[2], a[0]
    a[1] *= a[0]
    return np.sum(W33 * a * a)


@case(vector(), 1, 1)
@case(vector(), 1, 3)
def elements_swapped_perhaps_one(x, i, j):
    a = x * 1.0
    a[i], a[j] = a[j] * 2.0, a[i] * a[j]
    a[j], a[i] = a[i], a[j]
    return np.sum(W4 * a * a)


@case(vector())
def index_array_changed_in_a_loop(x):
    k = np.array([0, 1])
    a = x * 1.0
    for _ in range(3):
        a[k] *= a[k + 1] if k[1] < 3 else a[k - 1]
        k += 1
        k %= 4
    return np.sum(W4 * a * a)


@case(vector())
def mask_changed_after_use(x):
    keep = x > 0.4
    a = x * 1.0
    b = a[keep]
    a[keep] = b * b
    keep[0] = True
    a[keep] += a[~keep][0]
    keep[:] = False
    return np.sum(W4 * a * a) + np.sum(b)


@case(vector(), 5)
def ring_of_three(x, n):
    ring = np.zeros((3, 4))
    ring[0], ring[1] = x, x * x
    for k in range(n):
        a, b, c = ring[k % 3], ring[(k + 1) % 3], ring[(k + 2) % 3]
        c[:] = 0.6 * b * a - 0.4 * c + x
        b[1:3] += 0.1 * c[:2]
    return np.sum(W4 * ring[0] * ring[2]) + np.sum(ring[1])


@case(vector())
def copyto_where_overlapping(x):
    a = x * 1.0
    np.copyto(a[1:], a[:-1], where=np.array([True, False, True]))
    np.copyto(a, a[::-1], where=a > 0.0)
    return np.sum(W4 * a * a)


@case(vector())
def integers_hold_floats(x):
    k = np.array([3, 1, 2, 0])
    k[1:3] = x[1:3] * 10.0
    a = x * 1.0
    a[0] = k[1] * x[2]
    k[0] = 2
    a[k[0]] *= k[2] + a[0]
    return np.sum(W4 * a * a)


@case(vector())
def view_shrinks_from_both_ends(x):
    a = x * 1.0
    v = a
    t = 1.0
    while len(v) >= 2:
        t = t * v[0] + v[-1]
        v[0] = t * v[-1]
        v = v[1:-1]
    return t * np.sum(W4 * a * a)


@case(vector(), 2.0)
def number_then_array(x, s):
    t = s
    for i in range(3):
        t += x * x[i]
        t *= s
    u = t
    u += 1.0
    return np.sum(W4 * t * u)


def exchange(p, q):
    q, p = p, q
    p[0] += q[1]
    q[2] = p[0] * p[3]
    return q


@case(vector())
def parameters_exchanged(x):
    a, b = x * 1.0, x * x
    c = exchange(a, b)
    d = exchange(b, c)
    d[1] *= c[2]
    return np.sum(W4 * a * b) + np.sum(c * d)


def tail_view(v, n):
    if n == 0:
        return v
    v[0] *= 1.5
    return tail_view(v[1:], n - 1)


@case(vector())
def recursion_returns_a_view(x):
    a = x * 1.0
    t = tail_view(a, 2)
    t[0] = a[0] * a[1]
    a[3] += t[1]
    return np.sum(W4 * a * a) + np.sum(t)


@case(vector())
def aliases_in_nests(x):
    a = x * 1.0
    nest = [a, [a[1:], (a, a[:2])], {"k": a}]
    nest[1][0][0] = x[0] * x[3]
    nest[1][1][0][3] += nest[2]["k"][1]
    nest[1][1][1][0] *= a[3]
    return np.sum(W4 * a * nest[0])


@case(square())
def view_of_a_view_of_a_fancy_copy(m):
    c = m[[0, 2, 0]]
    v = c[1:].T[::-1]
    v[0] = c[0, :2] * m[1, 1]
    w = v[:, 0]
    w *= v[1, 1]
    return np.sum(W33 * c * c) + np.sum(w * m[0])


@case(square())
def real_flat_reshape(m):
    a = m * 1.0
    a.real[0] *= a[1]
    a.flat[3:6] = a.flat[:3] * m[2]
    a.T.reshape(-1)[2] = 100.0
    a.reshape(-1)[::4] *= a[0]
    return np.sum(W33 * a * a)


def halves_in_place(v):
    n = len(v)
    if n == 1:
        v[0] *= 1.1
        return v
    left = halves_in_place(v[: n // 2])
    right = halves_in_place(v[n // 2 :])
    left += right
    right *= left
    return v


@case(vector())
def recursion_on_halves_returns_itself(x):
    a = x * 1.0
    b = halves_in_place(a)
    b[0] += a[3]
    return np.sum(W4 * a * b)


@case(vector(), True)
@case(vector(), False)
def result_or_argument(x, fresh):
    y = x if not fresh else x * x
    y[0] = x[1] * 2.0
    y += x
    x[2] *= y[0]
    return np.sum(W4 * x * y)


@case(square())
def list_of_rows_of_an_array(m):
    a = m * 1.0
    rows = [a[0], a[1], a[2]]
    rows[0], rows[2] = rows[2], rows[0]
    rows[0][:] = rows[1] * rows[2]
    rows[1] += a[2]
    a[0] = rows[0] * 2.0
    return np.sum(W33 * a * a)


def helper_reads_after_writing(p, q):
    s = np.sum(p * q)
    p[:] = q * s
    t = np.sum(p * q)
    q[1:] = p[:-1] * t
    return s * t


@case(vector(), vector(1))
def helper_result_dropped(x, u):
    a = x * 1.0
    helper_reads_after_writing(a, u)
    s = helper_reads_after_writing(u, a)
    helper_reads_after_writing(a, a)
    return s * np.sum(W4 * a * u)


@case(square())
def where_and_indices(m):
    a = m * 1.0
    i, j = np.where(m > 0.2)
    a[i, j] *= a[j, i]
    i, j = np.triu_indices(3, 1)
    a[j, i] = a[i, j] * m[1, 1]
    d = np.diag_indices(3)
    a[d] += a[0]
    a[np.ix_([0, 2], [1, 2])] *= a[np.ix_([1, 2], [0, 1])]
    return np.sum(W33 * a * a)


@case(square())
def triangles(m):
    a = np.tril(m)
    b = np.triu(a.T, 1)
    a[0] = b[1] + a[2]
    b += a
    a -= np.tril(b, -1)
    np.fill_diagonal(a, np.diag(b) * 2.0)
    return np.sum(W33 * a * b)


@case(vector(), 3)
def history_in_rows(x, n):
    h = np.zeros((n + 1, 4))
    h[0] = x
    for k in range(n):
        v = h[k]
        w = h[k + 1]
        w[:] = v[::-1] * v
        w[k] += v[k + 1]
        v[0] = w[3]
    return np.sum(W4 * h * h)
