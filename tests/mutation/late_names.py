"""Names that have no value before a loop or a branch, and names that are numbers or arrays without axes."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, case, vector


@case(vector(), 3)
def same_name_for_old_and_new(x, n):
    u = x * 1.0
    for k in range(n):
        un = u
        u = np.empty_like(un)
        u[1:] = un[:-1] * un[1:]
        u[0] = un[k] + un[3]
        un[0] = u[2]
    return np.sum(W4 * u * un)


@case(vector(), 3)
def bound_in_the_loop_only(x, n):
    for k in range(n):
        w = x * (k + 1.0)
        w[k] = w[k + 1] * x[0]
        w[3] *= 2.0
    return np.sum(W4 * w * w) + w[0]


@case(vector(), 3)
def element_read_of_a_name_bound_in_the_loop(x, n):
    t = 0.0
    for k in range(n):
        w = x * (k + 1.0)
        t += w[k] * w[k + 1]
    return t * w[0] * w[2]


@case(vector(), 3)
def bound_in_a_branch_of_the_loop(x, n):
    t = 0.0
    for k in range(n):
        if k % 2 == 0:
            w = x * (k + 1.0)
            w[k] *= x[0]
        w[1] += w[0] * x[k]
        t += w[1]
    return t * np.sum(W4 * w)


@case(vector(), 1)
def bound_in_one_branch(x, n):
    if n:
        w = x * 2.0
        w[0] = x[1]
    t = np.sum(x)
    if n:
        w[1] = w[0] * t
        t = np.sum(W4 * w * w)
    return t


@case(vector(), 3)
def bound_in_a_while(x, n):
    while n > 0:
        v = x * n
        w = v[1:]
        w[0] *= x[n]
        u = w
        n -= 1
    u[1] = v[0]
    return np.sum(v * W4 * v) + np.sum(u)


@case(vector(), 3)
def matrix_bound_in_the_loop(x, n):
    for k in range(n):
        m = np.zeros((2, 4))
        m[0] = x * k
        if k > 0:
            m[1] = old[0] * m[0]
        old = m
        m[0, 0] = m[1, 3] + x[k]
    return np.sum(old * old * W4) + m[1, 2]


def fill_in(w, k):
    w[k] = w[k + 1] * w[3]
    return w[k]


@case(vector(), 2)
def helper_on_a_name_bound_in_the_loop(x, n):
    t = 1.0
    for k in range(n):
        w = x * 1.0
        t = t * fill_in(w, k)
        z = w
    return t + np.sum(W4 * w * z)


@case(vector(), 2)
def nested_loops_bind(x, n):
    for i in range(n):
        for j in range(n):
            w = x * (i + j + 1.0)
            w[j] = w[i] * w[3]
        w[2] += w[0]
    return np.sum(W4 * w * w)


def maybe(v, n):
    if n > 1:
        w = v * 2.0
        w[0] = v[1] * v[2]
    t = np.sum(v)
    if n > 1:
        w[1] += t
        t = t * w[0]
        v[3] = w[1]
    return t


@case(vector(), 2)
@case(vector(), 1)
def helper_with_a_late_name(x, n):
    a = x * 1.0
    s = maybe(a, n) + maybe(a, n + 1)
    return s * np.sum(W4 * a)


@case(vector(), 2)
def late_in_while_and_branch(x, n):
    k = 0
    while k < n:
        if k == 0:
            b = x * x
        else:
            b[k] = b[0] * x[k]
        b[3] += 0.5 * b[k]
        k += 1
    return np.sum(W4 * b * b)


@case(vector(), 3)
def late_view(x, n):
    a = x * 1.0
    for k in range(n):
        v = a[k:]
        v[0] *= v[1]
    v[0] += a[0]
    return np.sum(W4 * a * a) + np.sum(v)


@case(vector(), 3)
def loop_in_a_branch_with_late_names(x, n):
    t = 1.0
    if n > 2:
        for k in range(n):
            w = x * t
            w[k] *= w[3]
            t = t + w[k]
    else:
        w = x * 2.0
    w[1] = w[0] * t
    return np.sum(W4 * w * w)


@case(vector(), 0.4)
def numbers_of_arrays_without_axes(x, s):
    a = np.array(s)
    b = a * 1.0
    c = a + 0.0
    a += x[0]
    d = np.sin(a)
    a *= d + b
    e = a[()]
    a[...] = e * c
    return a * b + c * d + e


def accumulate(total, v):
    before = total + 0.0
    for k in range(len(v)):
        total += v[k] * before
    return before * total


@case(vector(), 0.4)
def array_without_axes_in_a_helper(x, s):
    a = np.array(s)
    def_ = accumulate(a, x)
    b = a
    more = accumulate(b, x * 2.0)
    return a * def_ + more


@case(np.array(0.7), np.array([0.3]))
def arrays_of_one_element(x, y):
    a = x * 1.0
    b = y * x
    b += a
    b[0] *= y[0]
    c = np.array([a, b[0]])
    c[0] += c[1]
    d = c.reshape(2, 1)
    d *= b
    return np.sum(c * c) + a
