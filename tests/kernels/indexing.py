"""Index arrays, masks, views, aliases and functions that write into an array given to them."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import integers, kernel, normal, positive, record, series


@kernel(
    A_row=np.array([0, 2, 2, 5, 6]),
    A_col=np.array([1, 3, 0, 2, 4, 1]),
    A_val=normal(6),
    x=normal(5),
)
def spmv(A_row, A_col, A_val, x):
    y = np.empty(A_row.size - 1, A_val.dtype)
    for i in range(A_row.size - 1):
        cols = A_col[A_row[i] : A_row[i + 1]]
        vals = A_val[A_row[i] : A_row[i + 1]]
        y[i] = vals @ x[cols]
    return y


@kernel(rows=integers(4, 7), cols=integers(5, 7), values=normal(7), x=normal(5), y=normal(4))
def coordinate_product(rows, cols, values, x, y):
    for k in range(len(values)):
        y[rows[k]] += values[k] * x[cols[k]]


@kernel(out=normal(4, 2), index=integers(4, 6), source=normal(6, 2))
def scatter_add(out, index, source):
    np.add.at(out, index, np.tanh(source))
    out *= out


@kernel(a=normal(5), index=np.array([3, 0, 3, 1]), v=normal(4))
def last_write_wins(a, index, v):
    a[index] = v * v
    return a


@kernel(a=normal(5), index=np.array([3, 0, 3, 1]), v=normal(4))
def repeated_update(a, index, v):
    """As NumPy has it: of two updates of one element, one remains."""
    a[index] += v
    a[index] *= 2.0


@kernel(a=normal(4, 5), rows=np.array([0, 2, 3]), cols=np.array([1, 1, 4]), v=normal(3))
def paired_index(a, rows, cols, v):
    a[rows, cols] *= v
    a[rows[:, None], cols] += 1.0
    a[1:3, cols] -= a[0, cols]


@kernel(a=normal(4, 5), rows=np.array([0, 3]), cols=np.array([1, 2, 4]), v=normal(2, 3))
def open_mesh(a, rows, cols, v):
    a[np.ix_(rows, cols)] = v * a[np.ix_(rows, cols)]


@kernel(x=normal(4, 4), low=-0.5, high=0.7)
def clamp_by_masks(x, low, high):
    x[x < low] = low
    x[x > high] = high
    x[np.abs(x) < 0.1] *= 3.0


@kernel(x=normal(8), y=normal(8))
def where_indices(x, y):
    (hits,) = np.where(x > 0.0)
    y[hits] += x[hits] ** 2
    y[np.flatnonzero(x < 0.0)] = 0.0
    x[x > 0.0] = y[x > 0.0]


@kernel(dst=normal(4, 3), src=normal(3), flag=np.array([True, False, True]))
def copies(dst, src, flag):
    np.copyto(dst, src, where=flag)
    dst[0].fill(0.5)
    np.copyto(dst[1], dst[2] * src)
    dst[3, ...] = dst[1] * dst[2]


@kernel(x=normal(7), y=normal(3, 4))
def sorted_in_place(x, y):
    x.sort()
    x *= np.arange(7)
    y.sort(axis=0)
    y[0] *= 2.0
    y[::-1].sort(axis=1)


@kernel(x=normal(5), y=positive(5))
def ufuncs_with_out(x, y):
    out = np.empty_like(x)
    np.multiply(x, y, out=out)
    np.sin(out, out)
    np.add(out, x, out=x)
    np.power(y, 1.5, out=out)
    np.maximum(out, x, out=out)
    np.cumsum(x, out=x)
    return out


@kernel(x=normal(6), y=positive(6))
def ufuncs_with_where(x, y):
    ratio = np.zeros_like(x)
    np.divide(x, y, out=ratio, where=x > 0)
    np.log(y, out=ratio, where=x < -0.5)
    return ratio


@kernel(a=normal(6))
def overlapping_shift(a):
    a[1:] = a[:-1]
    a[:-1] += a[1:] * a[:-1]
    a[::2] = a[1::2] * 3.0


@kernel(a=normal(6))
def reversal(a):
    a[:] = a[::-1] * np.arange(6)
    a[::-1][:2] *= 0.5
    lo, hi = 0, len(a) - 1
    while lo < hi:
        a[lo], a[hi] = a[hi], a[lo]
        lo += 1
        hi -= 1


@kernel(a=normal(3, 4))
def writes_through_views(a):
    b = a
    row = a[1]
    col = a.T[2]
    flat = a.reshape(-1)
    row *= 2.0
    col += row[2]
    flat[::5] = col[0] * flat[1::5][:3]
    b[0, 0] = row[0] * flat[-1]
    a.ravel()[3] **= 2
    np.transpose(a)[1][0] = 0.3 * b[2, 2]


@kernel(a=normal(3, 4))
def copies_that_look_like_views(a):
    t = a.T.ravel()
    t *= 2.0
    f = a.flatten()
    f[0] = 0.0
    fancy = a[[0, 2]]
    fancy += 1.0
    c = np.array(a)
    c[1] = 0.0
    again = np.asarray(a)
    again[2] *= f[:4] + t[:4]
    return fancy * c[1:]


@kernel(a=normal(4, 4), d=normal(4))
def diagonals(a, d):
    np.fill_diagonal(a, d * d)
    n = len(a)
    idx = np.arange(n - 1)
    a[idx, idx + 1] = a[idx + 1, idx]
    a.flat[:: n + 1] += 1.0
    a[np.diag_indices(n)] *= 2.0
    a[np.triu_indices(n, 2)] = 0.0


@kernel(x=normal(3, 4), axis_values=normal(3, 1))
def along_axis(x, axis_values):
    index = np.argmax(x, axis=1)[:, None]
    np.put_along_axis(x, index, axis_values, axis=1)
    np.put(x, [0, 5], [x[1, 0] ** 2, 0.4])
    np.place(x, x > 1.0, [0.2])
    np.putmask(x, x < -1.0, x * 0.1)


@kernel(a=normal(2, 3, 4), v=normal(4))
def ellipsis_and_newaxis(a, v):
    a[..., 0] = v[:3]
    a[0, ...] *= v
    a[:, np.newaxis, 1] += v
    a[-1, -1, -2:] = a[0, 0, :2]


def swap(a, i, j):
    tmp = a[i].copy()
    a[i] = a[j]
    a[j] = tmp


@kernel(a=normal(5))
def selection_sort(a):
    for i in range(len(a) - 1):
        least = i + int(np.argmin(a[i:]))
        if least != i:
            swap(a, i, least)
    a *= np.arange(1.0, 6.0)


@kernel(a=normal(6))
def bubble_sort(a):
    a_len = len(a)
    swapped = True
    while swapped:
        swapped = False
        for i in range(1, a_len):
            if a[i - 1] > a[i]:
                a[i - 1], a[i] = a[i], a[i - 1]
                swapped = True
        a_len -= 1
    return a * np.arange(6)


def axpy(alpha, x, y):
    y += alpha * x


@kernel(a=normal(3, 4), x=normal(3))
def same_array_twice(a, x):
    axpy(x[0], a[0], a[1])
    axpy(x[1], a[1], a[1])
    axpy(x[2], a[:, 0], x)


def fresh_or_same(x, flag):
    if flag:
        return x
    return x * 1.0


@kernel(x=normal(4))
def alias_from_a_call(x):
    y = fresh_or_same(x, True)
    y[0] = 3.0 * y[1]
    z = fresh_or_same(x, False)
    z[1] = z[0] * y[2]
    return z


@kernel(x=normal(4), cache=record(hits=normal(4)))
def memo_in_dict(x, cache):
    for key in ("a", "b", "a"):
        if key not in cache:
            cache[key] = np.sin(x) * (len(cache) + 1.0)
        cache["hits"] += cache[key]
    return cache["hits"]


@kernel(rows=series(3, normal(4)), scale=1.3)
def list_of_rows(rows, scale):
    rows[0] = rows[1] * scale
    rows[1] += rows[2]
    rows[-1][1:] = 0.0
    rows.append(rows[0] + rows[1])
    rows[0], rows[1] = rows[1], rows[0]


@kernel(x=[0.3, -1.2, 0.8, 2.0])
def python_list(x):
    n = len(x)
    for i in range(1, n):
        x[i] = x[i] * x[i - 1]
    table = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            table[i][j] = x[i] * x[j] + (table[i - 1][j] if i else 0.0)
    return table[n - 1][0] + table[n - 1][n - 1]


@kernel(x=normal(5))
def buffer_used_again(x):
    buffer = np.zeros(2)
    total = 0.0
    for i in range(len(x) - 1):
        buffer[0] = x[i]
        buffer[1] = x[i + 1]
        total += buffer[0] * buffer[1]
        buffer *= buffer
        total += buffer.sum()
    return total


@kernel(a=normal(3, 3), b=normal(3, 3))
def einsum_out(a, b):
    c = np.empty((3, 3))
    np.einsum("ij,jk->ik", a, b, out=c)
    a[:] = np.einsum("ij,ij->ij", c, a)
    return c
