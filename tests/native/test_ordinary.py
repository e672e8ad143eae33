"""Ordinary words of NumPy in code that writes into its arguments: with Numba as without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("numba", reason="Numba is an extra")

KERNELS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
V, W, M, N = normal(size=6), normal(size=6), normal(size=(5, 5)), normal(size=(5, 5))


def kernel(*args: Any) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        KERNELS[function.__name__] = function, args
        return function

    return add


@kernel(M, N)
def pivots(a, w):
    for k in range(len(a) - 1):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            t = a[k].copy()
            a[k] = a[p]
            a[p] = t
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.multiply.outer(a[k + 1 :, k], a[k, k + 1 :])
    return np.sum(a * w)


@kernel(M, N)
def rows_by_a_list(a, w):
    for k in range(len(a) - 1):
        p = k + np.argmax(np.abs(a[k:, k]))
        a[[k, p]] = a[[p, k]]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k, None] * a[k, k + 1 :]
    return np.sum(a * w)


@kernel(np.abs(M), N)
def shortest(path, w):
    for k in range(len(path)):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))
    return np.sum(path * w)


@kernel(V, W)
def ghost_cells(u, d):
    g = np.zeros(len(u) + 2)
    g[1:-1] = u
    for _ in range(2):
        g[0], g[-1] = g[2], 0.5 * g[-2]
        g[1:-1] += d * (g[2:] - 2.0 * g[1:-1] + g[:-2])
    return np.sum(g * g)


@kernel(M, V[:5], N)
def diagonals(a, d, w):
    a += np.diag(d * d)
    a *= a
    np.fill_diagonal(a, 1.0)
    return np.sum(np.diag(a) * d) + np.sum(a * w) + np.trace(a)


@kernel(V, 0.7)
def added_exponentials(x, t):
    s = -1e3
    for i in range(len(x)):
        s = np.logaddexp(s, x[i] * t)
    return s


@kernel(M, N)
def rolled(u, w):
    u += 0.1 * (np.roll(u, 1, axis=0) + np.roll(u, -1, axis=1)) + np.flip(u, 1)
    u[:] = np.cumsum(u, axis=1)
    return np.sum(u * w)


@kernel(M, N)
def lengths(x, w):
    n = np.linalg.norm(x, axis=1)
    x /= np.linalg.norm(x, axis=0, keepdims=True)
    return np.sum(x * w) + np.sum(n)


@kernel(M, N)
def divided_twice_in_place(a, w):
    for _ in range(1):
        a /= 1.0 + np.linalg.norm(a, axis=1, keepdims=True)
        a /= 1.0 + np.linalg.norm(a, axis=1, keepdims=True)
    return np.sum(a * w)


@kernel(M, N)
def masks_of_two_axes(x, w):
    m = x > 0
    x[m] *= 2.0
    x[~m] = 0.1
    x[x > 1.0] -= 1.0
    return np.sum(x * x * w)


@kernel(V, W)
def masks_and_places(x, w):
    i = np.nonzero(x > 0)[0]
    x[i] *= 3.0
    x[[0, -1]] = x[[-1, 0]]
    k = np.minimum((np.abs(w) * 2).astype(int), len(x) - 1)
    x[k] += w
    return np.sum(x * x * w)


@kernel(V, W)
def lists_of_numbers(x, w):
    parts = []
    for i in range(len(x)):
        parts.append(x[i] * w[i])
    y = np.array(parts)
    y *= y
    x *= np.ndim(x) * np.shape(x)[0]
    return np.sum(y) + sum(parts) + np.prod(x)


@kernel(normal(size=(4, 4)), V[:4])
def determinants(a, b):
    a += 5.0 * np.eye(a.shape[0])
    x = np.linalg.solve(a, b)
    sign, log = np.linalg.slogdet(a)
    return x @ x + np.log(np.linalg.det(a)) + sign * log


@kernel(M, N)
def views(x, w):
    a = x.reshape(25)
    a *= a
    c = x.ravel()
    c *= 2.0
    return np.sum(x * w)


@kernel(normal(size=(7, 3)), np.array([3, 1, 6, 1]), normal(size=(4, 3)))
def gathered_rows(a, i, w):
    b = a[i]
    b *= b
    a[i] += 1.0
    a[i, 0] = 2.0
    a[:, [0, 2]] = a[:, [2, 0]]
    a[i[:2], i[2:] - 4] = 0.5
    return np.sum(b * w) + np.sum(a * a)


@kernel(M, N)
def triangles(a, w):
    a[:] = np.triu(a) * np.tril(w, 1)
    a[1:] += np.triu(a, 1)[:-1]
    a[2:] = a[:-2]
    a[:, 1:] -= a[0, :-1]
    return np.sum(a * a * w)


@kernel(V, W[:3], W)
def lines(x, k, w):
    x[:] = np.convolve(x, k, mode="same")
    x += np.interp(np.abs(w), np.arange(len(x)) * 0.3, x) * np.heaviside(w, 0.5)
    y = np.sort(x)
    y *= y
    x[:3] += np.cross(x[:3], w[:3])
    z = np.tile(x, 2)
    z *= z
    return np.sum(x * w) + np.trapezoid(z, dx=0.1) + np.sum(y * w)


def test_what_is_gathered_is_no_view() -> None:
    function, args = KERNELS["gathered_rows"]
    made = tl.grad(function)
    made(*(a.copy() for a in args))
    assert "rt.view" not in made.source
    assert "isinstance" not in made.source


@kernel(M, N)
def normalized_twice(a, w):
    """The adjoint of what is kept of an axis is summed before it is stretched again."""
    for _ in range(2):
        a /= 1.0 + np.sum(a * a, axis=1, keepdims=True)
        a /= 1.0 + np.sum(a * a, axis=1, keepdims=True)
        a /= np.sum(a * a, axis=0).reshape(1, -1)
    return np.sum(a * w)


@kernel(normal(size=(4, 3)), normal(size=(2, 3)), normal(size=(4, 3)))
def rows_by_masks(x, c, w):
    for k in range(len(c)):
        near = x[:, 0] > c[k, 0]
        if np.any(near):
            c[k] = np.sum(x[near], axis=0)
            x[near] *= 0.9
            x[near] += c[k]
    return np.sum(x * w)


@kernel(V, W)
def bound_in_a_loop(x, w):
    for i in range(3):
        if i > 0:
            x += y * x  # noqa: F821
        y = np.sin(x)
        t = x[i].copy()
        x[i] = x[i + 1]
        x[i + 1] = t
    return np.sum(x * w)


def turned(x, k):
    return np.tanh(x @ k)


@kernel(normal(size=(4, 3)), M[:3, :3], normal(size=(4, 3)))
def results_of_a_helper_in_turn(x, k, w):
    y = turned(x, k)
    for _ in range(3):
        x += 0.5 * y
        y = turned(x, k)
        x += 0.5 * y
    return np.sum(x * w)


@kernel(normal(size=(5, 6, 2)), normal(size=(3, 4, 2)), normal(size=(3, 4, 2)))
def lengths_of_a_shape(a, out, w):
    rows, columns, _ = out.shape
    d = a[1 : rows + 2, 1 : columns + 1, :] - a[:-1, 1 : columns + 1, :]
    kept = np.where(d * a[1:, 1 : columns + 1, :] > 0.0, 0.0, d)
    out[:, :, :] = kept[1:] - kept[:-1] * out
    return np.sum(out * w)


@kernel(normal(size=(4, 3)), W[:3], normal(size=(5, 3)))
def lines_among_matrices(x, y, w):
    s = np.vstack((x, y)) * w
    t = np.column_stack((x.T, y))
    parts = [s, s * y]
    return np.sum(np.hstack(parts) ** 2) + np.sum(t**3) + np.inner(s[0], y)


@kernel(V[:4], V, W)
def polynomials(c, x, w):
    x[:] = np.polyval(c, 0.5 * x)
    for k in range(3):
        c[k] = np.polyval(c, w[k])
    return np.sum(x * w) + np.sum(c)


def _wrapped(q, s):
    for k in range(2):
        q[[0, -1]] = q[[1, -2]] * s
        q[1:-1] += np.tanh(q[2:] * q[:-2])


@kernel(M, N)
def lists_in_a_helper(q, w):
    _wrapped(q, 0.5)
    return np.sum(q * w)


def _relaxed(f, weights, tau):
    for t in range(2):
        rho = np.sum(f, axis=0)
        square = 1.5 * rho * rho
        for k in range(len(weights)):
            f[k] += (weights[k] * rho * (1.0 + 0.5 * rho - square) - f[k]) / tau


@kernel(np.abs(normal(size=(3, 4, 2))), normal(size=3), normal(size=(3, 4, 2)))
def sums_begun_in_a_loop(f, weights, w):
    _relaxed(f, weights, 0.8)
    return np.sum(f * w)


@kernel(V, W)
def types_by_name(x, w):
    y = np.zeros(len(x), dtype=float)
    kept, twice = np.ones(len(x), dtype=bool), np.ones((2, len(x)), int)
    kept[0] = False
    twice[1] = 2
    steps = np.arange(len(x), dtype=float)
    y[:] = x * twice[1] * kept + steps * x.astype(int)
    z = np.zeros_like(x, dtype=float)
    z += y * x
    return np.sum(z * w) + np.eye(6, dtype=float)[2] @ x


@kernel(M, N)
def clipped(a, w):
    a[1:] += np.clip(a[:-1], -0.5, 0.5)
    a[:, 0] = a[:, 1].clip(max=0.2) * a[:, 2]
    b = np.clip(a, a_min=0.1, a_max=None)
    b[0] *= b[1]
    return np.sum(b * w) + np.clip(a[0, 0], 0.0, 1.0) * a[1, 1]


@kernel(M, N)
def means_of_parts(a, w):
    for k in range(2):
        part = a[k : k + 2]
        m = part.mean()
        part[...] = (part - m) / np.sqrt(np.mean((part - m) ** 2) + 0.1)
        part -= part[0].mean()
    return np.sum(a * w)


@kernel(V, 0.3, N, W)
def filled(x, c, z, w):
    v, total = np.full(len(x), 0.5), np.full_like(x, 0.7)
    for t in range(3):
        v += np.maximum(v, 0.0) * c + z[t, 0] * x
        total *= np.exp(-v * x[t]) + v
    whole = np.full_like(np.arange(len(x)), 1.7)
    return np.sum(total * w * whole)


@kernel(M, N, V, 3)
def rolled_in_loops(a, w, x, far):
    for k in range(2):
        around = np.roll(a, 1, 0) + np.roll(a, -1, axis=0) + np.roll(a, k + far, 1)
        a += 0.1 * around * np.roll(np.roll(a, -7, axis=-1), k, axis=0)
        a[:] = np.roll(a, -1, 1) * w
        a[1:] *= np.roll(a[:-1], far, 1)
        x[:] = np.roll(x, 2) * x + np.roll(x * x, -far)
    return np.sum(a * w) + np.sum(x * np.roll(x, 1)) + np.sum(np.roll(a, 2) * w)


@kernel(M, N)
def padded_by_edges(a, w):
    g, h = np.pad(a, 1, mode="edge"), np.pad(a, ((0, 2), (7, 1)), "wrap")
    a += g[2:, 1:-1] * g[:-2, 1:-1] * h[1:6, 3:8]
    g, h = np.pad(a, ((2, 1), (1, 9)), mode="reflect"), np.pad(a, (3, 6), mode="symmetric")
    a *= g[2:7, 5:10] + h[1:6, 9:14]
    return np.sum(a * w) + np.sum(g[:5, -5:] * np.pad(a[0], 2, "wrap")[4:])


@kernel(M, N)
def coordinates(a, w):
    n, m = a.shape
    x, y = np.meshgrid(np.arange(5.0), np.linspace(0.0, 1.0, 5))
    u, v = np.meshgrid(w[0] > 0.0, w[:4, 1] > 0.0, indexing="ij")
    i, j = np.mgrid[:n, 0:m]
    a *= x + 0.1 * y + i
    a[:, 1:] += np.where(u & v, 0.5, 2.0) * j[:, 1:]
    return np.sum(a * w)


@kernel(M, N)
def differences_along_axes(a, w):
    a[:, 1:] += np.diff(a, axis=1) ** 2
    a[:-1] += np.diff(a, axis=0) * np.diff(w, axis=-2)
    return np.sum(a * w) + np.sum(np.diff(a) * np.diff(a))


@kernel(M, N)
def rows_made_anew(a, w):
    total = np.zeros(a.shape)
    for i in range(1, len(a)):
        row, square = np.zeros(len(w)), a[i] * a[i - 1]
        for k in range(2):
            row += square * a[k]
            part = a[i, 1:] - a[i - 1, 1:]
            total[i, 1:] += part * part[0] + row[1:]
        total[i] *= row + square
    return np.sum(total * w)


@kernel(M, N, M[0])
def two_arrays_by_name(u, v, w):
    for z in (u, v):
        z[0, :] = z[1, :]
        z[:, -1] += z[:, -2] * w
    for to, back in ((u, v), (v, u)):
        to[1:-1] = 0.3 * (back[:-2] + back[1:-1] * back[2:])
    return np.sum(u * v * w)


@kernel(M, N)
def pairs_of_rows(x, w):
    force = np.zeros((len(x), 5))
    for i in range(len(x) - 1):
        for j in range(i + 1, len(x)):
            d = x[i] - x[j]
            f = d[0] * d[0] + d[1] * d[2]
            force[i] += f * d
            force[j] -= f * d
    return np.sum(force * w)


PRODUCTS = ("determinants", "lines")
QUICK = (
    "divided_twice_in_place",
    "pivots",
    "shortest",
    "added_exponentials",
    "masks_of_two_axes",
    "lists_of_numbers",
    "normalized_twice",
    "rows_by_masks",
    "bound_in_a_loop",
    "ghost_cells",
    "results_of_a_helper_in_turn",
    "lengths_of_a_shape",
    "lines_among_matrices",
    "polynomials",
    "lists_in_a_helper",
    "sums_begun_in_a_loop",
    "types_by_name",
    "clipped",
    "means_of_parts",
    "pairs_of_rows",
    "two_arrays_by_name",
    "filled",
    "rows_made_anew",
    "rolled_in_loops",
    "padded_by_edges",
    "differences_along_axes",
    "coordinates",
)
CASES = [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in KERNELS]


@pytest.mark.parametrize("name", CASES)
def test_kernels(name: str) -> None:
    if name in PRODUCTS:
        pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    agree(*KERNELS[name])


def test_what_is_made_for_one_row_is_added_in_loops() -> None:
    made = agree(*KERNELS["pairs_of_rows"])
    assert "rt.add_at(" not in made.kernels


def test_all_that_reads_a_clipped_array_is_a_loop() -> None:
    made = agree(*KERNELS["clipped"])
    assert "clip(" not in made.kernels
    assert "np.copyto(" not in made.kernels


def test_rows_are_made_once() -> None:
    made = agree(*KERNELS["pairs_of_rows"])
    _, _, backward = made.kernels.partition("tape.pop()")
    assert "np.empty(" not in backward
    assert "zeros(" not in backward


TABLES = (np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0]), 3)


def read_from_a_tuple_outside(x: Any) -> Any:
    weights, shifts, count = TABLES
    return np.sum(weights) * x[0] + count * np.sum(shifts * x) + TABLES[0][1] * x[1]


def test_a_tuple_of_arrays_outside_is_read() -> None:
    x = np.array([0.5, 1.5])
    gradient = tl.grad(read_from_a_tuple_outside, compile="numba")
    assert gradient(x).tolist() == tl.grad(read_from_a_tuple_outside)(x).tolist() == [16.0, 17.0]
