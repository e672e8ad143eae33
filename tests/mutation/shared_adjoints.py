"""One adjoint under several names: sums, views and helper results of which one name is written."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


def cleared(x):
    y = x * x
    y[0] = 0.0
    return y


@case(vector(), vector(1))
def loop_sums(x, u):
    z = x * 1.0
    s = np.zeros(4)
    for k in range(3):
        y = cleared(z)
        s = s + y
        z = y + u
    return np.sum(W4 * s * z)


@case(vector(), vector(1))
def loop_carries_its_sum(x, u):
    s = cleared(x)
    for k in range(3):
        t = cleared(s)
        s = t + u
        s[k] = t[k + 1] * u[k]
    return np.sum(W4 * s * s)


def reshaped(v):
    w = v * 1.0
    w[1] = w[0] * w[3]
    return w.reshape(2, 2)


@case(vector(), vector(1))
def reshape_shared(x, u):
    m = reshaped(x)
    w = m + u.reshape(2, 2)
    v = m.ravel() + u
    return np.sum(w * w) + np.sum(W4 * v * v)


def transposed_result(m):
    w = m * 1.0
    w[0] *= w[1]
    return w.T


@case(square(), square(1))
def transposes_shared(x, u):
    w = transposed_result(x) + u.T
    v = transposed_result(w).T + w
    return np.sum(W33 * v * v)


def early(v, k):
    y = v * v
    if k:
        y[0] = y[1] * v[2]
        return y
    y[3] *= y[0]
    return y * 2.0


@case(vector(), vector(1), True)
@case(vector(), vector(1), False)
def early_return_shared(x, u, flag):
    z = early(x, flag)
    w = z + u
    v = early(w, not flag) + w
    return np.sum(W4 * v * v)


def passed_on(v):
    y = cleared(v)
    y[1] = v[0]
    return y


@case(vector(), vector(1))
def helper_through_a_helper(x, u):
    w = u + passed_on(x)
    w = w + passed_on(w)
    return np.sum(W4 * w * w)


def pair_of_one(v):
    y = v * v
    y[0] = 1.5 * y[1]
    return y, y[1:], y.reshape(2, 2)


@case(vector(), vector(1))
def pieces_of_one(x, u):
    a, b, c = pair_of_one(x)
    w = a + u
    v = b + u[1:]
    return np.sum(W4 * w * w) + np.sum(v * v * v) + np.sum(c + u.reshape(2, 2) * c)


def written_and_kept(v, out):
    out[:] = v * v
    out[2] *= out[1]
    return out


@case(vector(), vector(1))
def returned_argument(x, u):
    buf = np.zeros(4)
    y = written_and_kept(x, buf)
    w = y + u
    buf[0] = u[1]
    v = buf + y
    return np.sum(W4 * w * v)


@case(vector(), vector(1))
def sum_written_terms_written(x, u):
    a, b = x * 1.0, u * 1.0
    a[0] = b[1] * 2.0
    c = a + b
    a[1] = c[0]
    b[2] = c[1] * a[1]
    d = a + b + c
    c[3] = d[0]
    e = d + c
    return np.sum(W4 * e * e)


@case(vector(), vector(1), 1)
@case(vector(), vector(1), 0)
def sum_in_a_branch(x, u, k):
    a = cleared(x)
    if k:
        b = a + u
    else:
        b = a - u
        a = cleared(b)
    c = a + b
    c[1] = b[0]
    return np.sum(W4 * c * c)


@case(vector(), vector(1))
def where_shares(x, u):
    a = cleared(x)
    b = np.where(u > 0.0, a, u)
    c = np.where(u > -10.0, b, a)
    b[1] = c[2] * 2.0
    return np.sum(W4 * (b + c) * (a + b))


@case(vector(), vector(1))
def copies_and_conversions(x, u):
    a = cleared(x)
    b = np.asarray(a) + u
    c = np.ascontiguousarray(a) + np.array(b)
    d = a.astype(float) + c.copy()
    a[2] = d[1]
    return np.sum(W4 * d * a) + np.sum(c * d)


@case(vector(), vector(1))
def broadcast_shares(x, u):
    m = np.zeros((3, 4))
    m[1] = cleared(x)
    w = m + u
    v = w + cleared(u)
    m[2] = v[1]
    z = m + w
    return np.sum(z * z * W4)


@case(vector())
def same_array_both_operands(x):
    a = cleared(x)
    a[1] = x[3]
    b = a + a
    b[2] = a[0]
    c = b + b
    c[0] = b[3] * c[1]
    return np.sum(W4 * c * c)


@case(vector(), vector(1))
def ravel_and_squeeze(x, u):
    a = cleared(x)
    b = a[None, :] + u
    c = np.squeeze(b)
    c[1] = a[2]
    d = np.atleast_2d(c) + u
    return np.sum(W4 * d * d) + np.sum(b * c)


@case(vector(), vector(1))
def concatenated_shares(x, u):
    a = cleared(x)
    b = np.concatenate((a, u))
    c = b[:4] + a
    b[4:] = c
    d = np.split(b, 2)
    e = d[0] + d[1]
    return np.sum(W4 * e * e)


@case(vector(), vector(1))
def while_shares(x, u):
    z = cleared(x) + u
    n = 0
    while n < 3:
        y = cleared(z)
        z = y + u
        y[n] = z[n + 1]
        u = y + z
        n += 1
    return np.sum(W4 * z * u)


def descend(v, n):
    if n == 0:
        return v
    w = v * 1.0
    w[n - 1] = v[n] * 0.7
    return descend(w, n - 1) + w


@case(vector(), vector(1))
def recursive_sums(x, u):
    w = descend(x, 3) + u
    v = u + descend(w, 2)
    return np.sum(W4 * v * w)


def view_of_argument(m, i):
    m[i] *= 2.0
    return m[i]


@case(square(), vector()[:3])
def helper_gives_views(m, u):
    a = m * 1.0
    r = view_of_argument(a, 0)
    s = view_of_argument(a, 1)
    w = r + s
    r[1] = w[2] * u[0]
    v = w + view_of_argument(a, 0)
    return np.sum(v * w) + np.sum(W33 * a * a)


def in_out(v, w):
    v += w
    w *= v
    return v + w


@case(vector(), vector(1))
def in_out_arguments(x, u):
    a, b = x * 1.0, u * 1.0
    c = in_out(a, b)
    d = in_out(c, a)
    e = in_out(b, d) + c
    return np.sum(W4 * e * e) + np.sum(a * b * c)


@case(vector(), 0.4)
def zero_dimensional_shared(x, s):
    a = np.array(s)
    b = a + x[0]
    a[...] = b * x[1]
    c = a + b
    d = np.array(c)
    d *= c
    e = d + c
    d[()] = e
    return e * d + a


@case(vector(), vector(1))
def tuples_share(x, u):
    p = (x * 1.0, u * 1.0)
    q = (p[1], p[0])
    a = p[0] + q[0]
    b = q[1] + p[1]
    p[0][1] = a[2]
    q[0][2] = b[1] * a[0]
    c = p[0] + p[1]
    return np.sum(W4 * a * b * c)
