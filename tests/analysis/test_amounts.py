"""Slices with equal bounds are equally long, and what is made of a shape has it: only where that is so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def triangle(a, b):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, :j] = a[i, :j] * b[j] + a[j, :j]
        a[i, : i + 1] *= a[i, 0]
    return np.sum(a * a)


def the_bound_moves(a, b):
    n = 1
    for i in range(2):
        x = a[i, :n]
        n = n + i
        a[0, :n] = a[0, :n] * x
    return np.sum(a * a)


def a_trip_reads_the_last_one(a, b):
    x = b[:1]
    for i in range(1, 4):
        n = 1 if i < 2 else i
        y = a[0, :n]
        a[1, :n] = y * x
        x = a[1, :n] if i > 2 else b[:1]
    return np.sum(a * a) + np.sum(x)


def either_bound(a, b):
    n = 1 if b[0] > 10.0 else 3
    x = a[0, :n]
    if b[1] < 10.0:
        n = 1
    y = a[1, :n]
    a[2, :3] = a[2, :3] * x * y
    return np.sum(a * a)


def rows_of_other_lengths(a, b):
    n = 2
    for i in range(2):
        b[:n] = b[:n] * a[i, :n] + b[3:][:1]
    c = a[:, :1]
    c[:n] = c[:n] * 2.0 * a[:n, 1:2]
    return np.sum(a * a) + np.sum(b)


def beyond_the_end(a, b):
    n = 7
    a[0, :n] = a[0, :n] * b[:n] * b[n - 7 : 1]
    return np.sum(a * a)


def a_list_grows(a, b):
    xs = [1.0]
    for i in range(3):
        n = len(xs)
        x = a[i, :n]
        xs.append(2.0)
        m = len(xs)
        a[0, :m] = a[0, :m] * x[:1] * 0.5
    return np.sum(a * a)


def made_of_shapes(a, b):
    u, v = np.zeros(a.shape), np.ones(len(b))
    for i in range(4):
        u[i] = a[i] * v
        v[:i] = v[:i] * u[i, :i] + b[:i]
    a = a[:1]
    w = np.zeros(a.shape)
    w[0] = a[0] * u[1]
    return np.sum(u * w) + np.sum(v)


def a_shape_that_was(a, b):
    s = a.shape
    a = a[:1] * 2.0
    u = np.ones(s)
    u[...] = u * a
    return np.sum(u * u * b)


PROGRAMS = [
    *(triangle, the_bound_moves, a_trip_reads_the_last_one, either_bound, rows_of_other_lengths),
    *(beyond_the_end, a_list_grows, made_of_shapes, a_shape_that_was),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f: Any) -> None:
    g = np.random.default_rng(1)
    a, b = g.uniform(0.5, 1.5, (4, 4)), g.uniform(0.5, 1.5, 4)
    found = tl.grad(f, wrt=(0, 1))(a.copy(), b.copy())
    for k, x in enumerate((a, b)):
        for at in np.ndindex(x.shape):
            ends = []
            for h in (1e-6, -1e-6):
                given = [a.copy(), b.copy()]
                given[k][at] += h
                ends.append(f(*given))
            slope = (ends[0] - ends[1]) / 2e-6
            assert found[k][at] == pytest.approx(slope, rel=1e-6, abs=1e-7)
    tl.check_grads(f, (a, b), modes=("reverse", "forward"), order=2)


def test_a_triangle_needs_no_sums() -> None:
    a, b = np.ones((3, 3)), np.ones(3)
    special = tl.specialize(tl.grad(triangle), a, b)
    lines = special.source.splitlines()
    assert not any("unbroadcast" in line for line in lines)
    assert sum("rt.dot(" in line for line in lines) == 1


def test_what_has_a_shape_by_name() -> None:
    def doubled(a):
        u = np.zeros(a.shape, dtype=a.dtype)
        for i in range(2):
            u[1:] = a[1:] * 2.0 + u[1:]
        return np.sum(u * u)

    assert "unbroadcast" not in tl.grad(doubled).source


def complex_of_that_length(a, b):
    z = np.zeros(len(b), dtype=complex)
    w = np.zeros(b.shape, dtype=complex)
    for i in range(len(b)):
        z[i] = b[i] * np.exp(1.0j * b[i])
        w[i] = z[i] * z[i] * b[i]
    return np.sum(np.abs(w) ** 2 + np.real(z) * b)


def test_numbers_of_another_type() -> None:
    a, b = np.ones((2, 2)), np.array([0.5, 0.7, 1.1])
    tl.check_grads(complex_of_that_length, (a, b), modes=("reverse",), order=1)
    found = tl.grad(complex_of_that_length, wrt=1)(a, b)
    for k in range(3):
        h = 1e-6 * np.eye(3)[k]
        slope = (complex_of_that_length(a, b + h) - complex_of_that_length(a, b - h)) / 2e-6
        assert found[k] == pytest.approx(slope, rel=1e-7)


def test_the_adjoint_of_doubles_is_double() -> None:
    def sums(x):
        y = np.zeros(x.shape)
        for i in range(len(x)):
            y[i] = x[i] * 1.0
        z = y.copy()
        for _ in range(2):
            z[1:] = z[1:] * 1.0000001 + z[:-1]
        return np.sum(z)

    x = np.ones(3, np.float32)
    assert tl.grad(sums)(x).dtype == np.float32
