"""Views whose elements share memory: spread out by ``broadcast_to``, or windows that overlap; their bases are written."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.mutation.registry import W4, W33, case, square, vector


@case(vector())
def windows_see_a_write(x):
    a = x * 1.0
    w = sliding_window_view(a, 2)
    a[1] = a[0] * 3.0
    return np.sum(w * w * np.arange(6.0).reshape(3, 2))


@case(vector())
def operand_of_the_write(x):
    a = x * 1.0
    b = np.broadcast_to(a, (3, 4))
    s = b.sum()
    a *= b[1]
    a[0] = s
    return np.sum(b * b[2]) + s


@case(vector())
def column_and_a_part_of_it(x):
    a = x * 1.0
    b = np.broadcast_to(a[:, None], (4, 3))
    c = b[1:, 0]
    a[2] *= a[0]
    return np.sum(b**3) + c @ c


@case(vector())
def arrays_spread_over_each_other(x):
    a = x * 1.0
    p, q = np.broadcast_arrays(a[:, None], a)
    a[0] = a[1] * 2.0
    return np.sum(p * q * q)


@case(vector())
def name_of_the_base_moves_on(x):
    a = x * 1.0
    b = np.broadcast_to(a, (2, 4))
    c = a
    a = a * 3.0
    c[0] = a[1]
    a[2] = 7.0 * c[0]
    return np.sum(b * b * a)


@case(vector(), 3)
def made_in_a_loop(x, n):
    a = x * 1.0
    s = 0.0
    for k in range(n):
        v = a[k:]
        w = np.broadcast_to(v, (2, v.size))
        a[k] *= 2.0 * a[3]
        u = w[1]
        a[k + 1] += a[0]
        s += np.sum(w[0] * u) * w[0, 0]
    return s + np.sum(a * W4)


@case(vector())
def window_stored_into_its_base(x):
    a = x * 1.0
    a[1:] = sliding_window_view(a, 2).mean(axis=1)
    a[:2] = np.broadcast_to(a[3], 2)
    return np.sum(W4 * a * a)


@case(square())
def part_of_a_transpose(y):
    a = y * 1.0
    b = np.broadcast_to(a, (2, 3, 3)).T
    c = b[1, :, 0]
    a[0] *= a[1]
    d = c[::-1]
    a[1, 1] = 2.0 * d[0]
    return np.sum(W33 * b[..., 0] ** 2) + d @ c


@case(vector())
def kept_in_a_list(x):
    a = x * 1.0
    views = [np.broadcast_to(a, (2, 4)), a]
    views[1][0] = a[1] * a[2]
    return np.sum(views[0] ** 2)


@case(vector())
def copies_do_not_follow(x):
    a = x * 1.0
    b = np.broadcast_to(a, (3, 4))
    c, d, e, f = b.copy(), np.where(b > 0.5, b, 1.0), b[1, 1], b.flatten()
    a[1] = x[0] ** 2
    return np.sum(c * d) + e * f[5] + np.sum(b * W4)


@case(vector())
def parts_follow(x):
    a = x * 1.0
    b = np.broadcast_to(a, (3, 4))
    c, d, e, f = b[1, 1:], b[0], b.T[::2], np.squeeze(b[:1])
    a[1] = x[0] ** 2
    return np.sum(c * c) + np.sum(d * W4) + np.sum(e**3) + np.sum(f * f)


@case(vector())
def stretched_by_full(x):
    a = np.full((2, 4), x)
    x[2] = a[1, 3]
    return np.sum(W4 * a[0] * a[1]) + np.sum(x * x)
