"""What loops keep for the other sweep: numbers in arrays, parts of arrays that are found again, lengths that are known."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import M, V, W, agree

CUBE = np.random.default_rng(8).normal(size=(3, 4, 5))


def stages(x, k):
    b = np.zeros(len(k) + 1)
    for t in range(len(x)):
        f = x[t]
        for i in range(len(k) - 1, -1, -1):
            f -= k[i] * b[i]
            b[i + 1] = b[i] + k[i] * f * f
        b[0] = f
        x[t] = f
    return np.sum(x * x)


def triangles(x, w):
    s = 1.0
    for i in range(len(x)):
        for j in range(i):
            for k in range(j, len(w)):
                s = np.sin(s) * x[i] + w[k] * x[j]
    return s * s


def bounds_that_move(x, w, n):
    s = 0.5
    for i in range(n):
        m = (7 * i) % len(x)
        for j in range(m):
            s = np.cos(s * x[j]) + w[i]
    return s * s


def left_in_between(x, w, n):
    s = 0.5
    for i in range(1000000000 * n):
        s = np.cos(s * x[i % len(x)]) * w[0]
        if i > 4:
            break
    return s * s


NUMBERS = [(stages, 1), (triangles, 1), (bounds_that_move, 1), (left_in_between, 0)]


@pytest.mark.parametrize(("function", "rows"), NUMBERS)
@pytest.mark.parametrize("size", [5, 2, 1, 0])
def test_numbers(function, rows, size) -> None:
    """They are elements of an array where it is known how many there will be, on a list elsewhere."""
    n = [min(size, 3)] if function.__code__.co_argcount == 3 else []
    made = agree(function, V[:size].copy(), W.copy(), *n)
    assert ("_rows" in made.kernels) == bool(rows)


def of_single_precision(x, w, n):
    s = np.float32(0.7)
    for i in range(n):
        s = s * np.float32(w[i]) + np.sin(s)
    return x * s * s


def typed(x, w, n):
    a = np.zeros(n, dtype=np.float32)
    s = x * 1.0
    for i in range(n):
        a[i] = s
        s = a[i] * a[i] * w[i] + np.sin(a[i])
    return s * s


def complex_in_between(x, w, n):
    s = x + 0.5j
    for i in range(n):
        s = s * s * w[i] + x
    return s.real * s.imag


@pytest.mark.parametrize("function", [of_single_precision, typed, complex_in_between])
def test_other_numbers(function) -> None:
    """What may be of single precision or complex stays what it is."""
    for x in (0.4, np.float32(0.4)):
        plain = tl.grad(function)(x, V, 4)
        try:
            made = tl.grad(function, compile="numba")(x, V, 4)
        except tl.DerivativeError:
            continue
        fine = type(x) is float and function is not of_single_precision
        np.testing.assert_allclose(made, plain, rtol=1e-12 if fine else 1e-6)


def test_arguments_of_single_precision() -> None:
    """A number of single precision is added and multiplied as one: nothing is kept with more digits."""

    def power(x, n):
        s = x
        for _ in range(n):
            s = s * x + np.sin(s)
        return s

    x = np.float32(0.3)
    made = tl.grad(power, compile="numba")
    assert "np.empty" not in made.kernels
    np.testing.assert_allclose(made(x, 5), tl.grad(power)(x, 5), rtol=1e-6)


def filled(r, a, b):
    h = np.empty_like(r)
    h[0] = a
    for t in range(1, len(r)):
        np.multiply(h[t - 1], b, out=h[t])
        h[t] += a * r[t - 1] ** 2
    return np.sum(np.log(1.0 + h * h) * r)


def rows_traded(r, a, b):
    h = r * 1.0
    for t in range(len(r)):
        part = h[t]
        np.multiply(part, b, out=part)
        h = h[::-1] * 1.0
        part += a
    return np.sum(h * h * r)


def both_ends(r, a, b):
    for i in range(len(r)):
        for j in range(i, len(a)):
            part = r[i, j:]
            np.multiply(part, b[j:] * part, out=part)
            r[i, : j + 1] += a[j]
    return np.sum(r * r)


def a_number_that_changes(r, a, b):
    k = 0
    for _ in range(len(r)):
        part = r[k]
        k = (k + 2) % len(r)
        np.multiply(part, b * part, out=part)
        r[k] += a
    return np.sum(r * r)


@pytest.mark.parametrize("function", [filled, rows_traded, both_ends, a_number_that_changes])
@pytest.mark.parametrize("rows", [4, 2, 1])
def test_parts(function, rows) -> None:
    """A part of an array that keeps its name is found again by the numbers of the loops."""
    made = agree(function, M[:rows].copy(), V.copy(), W.copy())
    if function is filled:
        assert "append" not in made.kernels


@pytest.mark.parametrize("function", [filled, both_ends])
def test_parts_of_any_memory(function) -> None:
    if function is filled:
        agree(function, np.asfortranarray(M), V.copy(), W.copy())
        agree(function, np.repeat(M, 2, axis=1)[:, ::2], V.copy(), W.copy())
    given = M.copy(), V.copy(), V.copy()
    plain = tl.grad(function, wrt=(0, 1, 2))(given[0], given[1], given[1])
    made = tl.grad(function, wrt=(0, 1, 2), compile="numba")(given[0], given[1], given[1])
    for mine, other in zip(made, plain, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9)


def factors(a, w):
    n = a.shape[1]
    f = np.zeros_like(a)
    for j in range(n):
        f[:, j, j] = np.sqrt(a[:, j, j] ** 2 + 1.0 + np.sum(f[:, j, :j] ** 2, axis=1))
        for i in range(j + 1, n):
            f[:, i, j] = (a[:, i, j] - np.sum(f[:, i, :j] * f[:, j, :j], axis=1)) / f[:, j, j]
    return np.sum(f * w)


def stretched(a, w):
    f = a * 1.0
    for j in range(a.shape[1]):
        f[:, j, :2] = np.sum(f[:, :1, :2] * a[:, :, :2] * f[:, j, :2][:, None], axis=1)
    return np.sum(f * w)


@pytest.mark.parametrize("function", [factors, stretched])
@pytest.mark.parametrize("size", [4, 2, 1])
def test_lengths(function, size) -> None:
    """Arrays of which the other sweep asks the lengths alone are not kept."""
    made = agree(function, CUBE[:, :size].copy(), CUBE[::-1, :size].copy())
    if function is factors:
        assert "append" not in made.kernels


def channels(x, w, n):
    rgb = np.zeros((3,) + x.shape)  # noqa: RUF005
    rgb[0] = x * w
    rgb[1:, ::2] = x[::2]
    r, g, b = rgb[0], rgb[1], rgb[-1, 1:]
    r[::2] *= np.cos(r[::2])
    g[1:-1] = g[:-2] * g[2:] + r[1:-1]
    b[:] = b * r[1:] * w[1:]
    for _ in range(n):
        first = rgb[0]
        first[1:] *= np.sin(g[1:])
        rgb = rgb * w
        first[:1] = 1.0
        rgb[2] *= first
    return np.sum(rgb * rgb * x)


@pytest.mark.parametrize("n", [2, 0])
@pytest.mark.parametrize("size", [4, 3])
def test_parts_that_are_written(n, size) -> None:
    """The adjoint of a part that has a name is that part of the adjoint."""
    agree(channels, CUBE[0, :size].copy(), CUBE[1, :size].copy(), n)
