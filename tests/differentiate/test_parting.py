"""Tuples that are taken apart: their adjoints are tuples, and one statement unpacks them."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([0.4, 1.1, -0.7, 0.9])
W = np.arange(1.0, 5.0)


def parts(x, k):
    return np.sin(x) * k, x * x, k


def cell(h, c, x):
    c = c * 0.5 + np.tanh(x + h)
    return np.tanh(c) * h + x, c


@case(X, 0.6)
def a_cell_in_a_loop(x, k):
    h = x * k
    c = x
    for i in range(2):
        h, c = cell(h, c, x[i] * W)
    return np.sum(h * W) + c[0]


@case(X, 0.6)
def some_unused(x, k):
    u, _, _ = parts(x, k)
    return np.sum(u * W)


@case(X, 0.6)
def unpacked_again(x, k):
    u, v, w = parts(x, k)
    u, v, w = parts(u, w)
    v, u = u, v
    return np.sum(u * v * W) * w


@case(X, 0.6)
def on_two_paths(x, k):
    if k > 0:
        u, v, w = parts(x, k)
    else:
        u, v, w = parts(x * 2, k)
    return np.sum(u * v * W) * w


@case(X, 0.6)
def whole_and_in_parts(x, k):
    t = parts(x, k)
    u = t[0]
    v = t[1]
    return np.sum(u * v * W) + np.sum(t[1]) * len(t)


@case(X, 0.6)
def one_part_twice(x, k):
    t = parts(x, k)
    u = t[0]
    v = t[0]
    w = t[2]
    return np.sum(u * v * W) * w


@case(X, 0.6)
def bound_by_its_own_part(x, k):
    t = parts(x, k)
    w = t[2]
    t = t[1]
    return np.sum(t * W) * w


@case(X, 0.6)
def written_afterwards(x, k):
    u, v, w = parts(x, k)
    u[1:] += v[:-1]
    v *= u
    return np.sum(u * v * W) * w


@case(X, 0.6)
def a_state_in_a_while(x, k):
    s = (x[0], k, 0)
    while s[2] < 3:
        a, b, n = s
        s = (a * b + k, b * 1.1, n + 1)
    return s[0] * s[1]


@case(X, 0.6)
def of_a_primitive(x, k):
    values, vectors = np.linalg.eigh(np.outer(x, x) + np.diag(W))
    return np.sum(values * W) * k + np.sum(vectors**2 * W)


@case(0.7, 1.3)
def variables_handed_back(a, b):
    n = 0
    t = a

    def bump(k=1):
        nonlocal n, t
        n += k
        t = t * b + n
        return t

    s = bump() + bump(2)
    return s * t + n


@case(0.7, 1.3)
def one_of_a_display(a, b):
    return (a, b := a * b, b)[0] * b + (b, a * b)[-1]


@pytest.mark.parametrize("function, args, options", cases(__name__), ids=label)
def test_program(function, args, options):
    check(function, *args, **options)


def test_no_tuple_is_kept_on_the_tape():
    def f(x):
        h, c = x, 0.5 * x
        for _ in range(3):
            h, c = cell(h, c, x)
        return np.sum(h * c)

    source = tl.grad(f).source
    assert "h, c = t" in source and "tape.append((h, c, saved))" in source
    assert "cell_backward(saved, (rt.unbroadcast(bh, h), bc))" in source
    assert "add_at" not in source and "rt.zeros" not in source


def test_one_statement_unpacks():
    def f(x, k):
        u, v, w = parts(x, k)
        return np.sum(u * v) * w

    source = tl.grad(f).source
    assert "u, v, w = parts(x, k)" in source and "unpack" not in source
    assert "(bu, bv, " in source or "bu, bv, bw" in source, source


def test_of_too_many_python_complains():
    def f(x):
        u, v = parts(x, x)
        return u * v

    with pytest.raises(ValueError, match="too many values to unpack"):
        tl.grad(f)(2.0)
