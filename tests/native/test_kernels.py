"""Kernels in the text in which benchmarks have them, that write into their arguments: with Numba as without."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import normal
from tests.native.test_native import agree

BEFORE, BEHIND = 0.5, 0.25
KERNELS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}


def kernel(*args: Any) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        KERNELS[function.__name__] = function, args
        return function

    return add


def folded(nr, nq, n, a, c):
    a[:] = np.reshape(np.reshape(a, (nr, nq, 1, n)) @ c, (nr, nq, n))


@kernel(normal(size=(3, 4, 4)), 0.3 * normal(size=(4, 4)), normal(size=(3, 4, 4)))
def stacks(a, c, w):
    folded(a.shape[0], a.shape[1], a.shape[2], a, c)
    b = a @ np.tanh(a @ np.exp(c))
    return np.sum(a * w) + np.sum(b * b)


def covariances(m, count, data):
    data -= np.mean(data, axis=0)
    cov = np.zeros((m, m), dtype=data.dtype)
    for i in range(m):
        cov[i:m, i] = data[:, i] @ data[:, i:m] / (count - 1.0)
        cov[i, i:m] = cov[i:m, i]
    return cov


@kernel(normal(size=(6, 4)), normal(size=(4, 4)))
def covariance(data, w):
    return np.sum(covariances(data.shape[1], float(data.shape[0]), data) * w)


def correlations(m, count, data):
    mean, spread = np.mean(data, axis=0), np.std(data, axis=0)
    spread[spread <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(count) * spread
    corr = np.eye(m, dtype=data.dtype)
    for i in range(m - 1):
        corr[i + 1 : m, i] = corr[i, i + 1 : m] = data[:, i] @ data[:, i + 1 : m]
    return corr


@kernel(normal(size=(6, 4)), normal(size=(4, 4)))
def correlation(data, w):
    return np.sum(correlations(data.shape[1], float(data.shape[0]), data) * w)


def advected(u, v, step):
    n, m = u.shape
    c, d = np.ndarray((n, m), dtype=u.dtype), np.ndarray(shape=(n, m))
    last = np.ndarray((n,), dtype=u.dtype)
    for k in range(1):
        g = 0.25 * (v[1:, k + 1] + v[:-1, k + 1])
        c[:, k] = g * BEHIND
        d[:, k] = step * u[:, k] - g * BEFORE * (u[:, k + 1] - u[:, k])
    for k in range(1, m):
        g = -0.25 * (v[1:, k] + v[:-1, k])
        c[:, k] = g * BEHIND
        part = 1.0 / (step - c[:, k] - c[:, k - 1] * g * BEFORE)
        c[:, k] = c[:, k] * part
        d[:, k] = (u[:, k] * step - d[:, k - 1] * g) * part
    for k in range(m - 1, -1, -1):
        column = d[:, k] - c[:, k] * (last[:] if k < m - 1 else d[:, k])
        last[:] = column
        u[:, k] = step * (column - u[:, k])


@kernel(normal(size=(4, 5)), 0.1 * normal(size=(5, 5)), normal(size=(4, 5)))
def constants(u, v, w):
    advected(u, v, 3.0)
    return np.sum(u * w)


def pooled(x):
    made = np.empty([x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]], dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            made[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return made


def rectified(x):
    return np.maximum(x, 0)


def normalized(x, eps=1e-5):
    mean, spread = np.mean(x, axis=0, keepdims=True), np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(spread + eps)


@kernel(normal(size=(3, 5, 4, 2)), normal(size=(2,)), normal(size=(3, 2, 2, 2)))
def pools(x, bias, w):
    y = rectified(normalized(x) + bias)
    z = normalized(pooled(y), 0.1)
    return np.sum(rectified(z - 0.1) * w) + np.sum(pooled(x)[:, :, :1] * w[:, :, :1])


def in_place(a):
    a[:] = np.linalg.cholesky(a) + np.triu(a, k=1)


ROOT = normal(size=(5, 5))


@kernel(ROOT @ ROOT.T + 5.0 * np.eye(5), normal(size=(5, 5)))
def factors(a, w):
    in_place(a)
    return np.sum(a * w)


@kernel(normal(size=(4, 1)), normal(size=(4, 2)), normal(size=(4, 4)), normal(size=4))
def joined(a, b, w, v):
    c = np.hstack((np.sin(a), a * b[:, 0:1] if False else a * a, b))
    d = np.hstack((v, v * v))
    return np.sum(c * w) + np.sum(d * d) + np.sum(np.vstack((a, c[:, 1:2])) ** 2)


def relaxed(times, p, b):
    old = np.empty_like(p)
    for _ in range(times):
        old[:] = p.copy()
        p[1:-1] = 0.3 * (old[2:] * old[:-2]) - b[1:-1] * old[1:-1]
        p[0] = p[1]
        p[-1] = 0.0


def stepped(u, p, times, most):
    count, change = 0, 1.0
    while change > 1e-9 and count < most:
        un = u.copy()
        relaxed(times, p, un * u)
        u[1:-1] = un[1:-1] - 0.1 * un[1:-1] * (p[2:] - p[:-2])
        u[0] = 0.0
        change = abs(np.sum(u) - np.sum(un))
        count += 1
    return count


@kernel(0.1 * normal(size=9), 0.1 * normal(size=9), normal(size=9), 3, 4)
def records_of_helpers(u, p, w, times, most):
    stepped(u, p, times, most)
    return np.sum(u * w) + np.sum(p * w)


def sums_in_place(a, s, w):
    n = a.shape[0]
    for i in range(n):
        for k in range(i):
            s[i] += a[i, k] * a[k, i]
        for k in range(i + 1, n):
            s[i] -= a[i, k] * s[k]
        for k in range(n - 1, i, -1):
            a[i, i] += a[k, i] * s[k] * 0.1
        for k in range(0, n, 2):
            s[0] += a[k, i] * 0.1
    return np.sum(s * w) + np.sum(a)


def views_in_place(a, w):
    b = a[1:]
    for i in range(len(b)):
        for k in range(len(a) - 1):
            b[i] += 0.1 * a[k] * w[k]
            a[0] += b[i] * 0.01
    return np.sum(a * w)


@pytest.mark.parametrize("n", [4, *(pytest.param(n, marks=pytest.mark.slow) for n in range(4))])
def test_elements_at_which_loops_stay(n: int) -> None:
    agree(sums_in_place, (normal(size=(n, n)), normal(size=n), normal(size=n)))
    if n:
        agree(views_in_place, (normal(size=n), normal(size=n)))


def weighted_softmax(x, w):
    made = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return np.sum(made / np.sum(made, axis=-1, keepdims=True) * w)


@pytest.mark.slow
def test_rows_with_nan() -> None:
    x, w = normal(size=(4, 3)), normal(size=(4, 3))
    x[1, 2], x[2, 0], x[3, 1] = np.nan, np.inf, -np.inf
    made, plain = (tl.grad(weighted_softmax, compile=c) for c in ("numba", None))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(made(x, w), plain(x, w), rtol=1e-12)


PLAIN = ("constants", "records_of_helpers")  # without products of matrices
QUICK = ("covariance", "constants", "records_of_helpers")
CASES = [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in KERNELS]


@pytest.mark.parametrize("name", CASES)
def test_kernels(name: str) -> None:
    if name not in PLAIN:
        pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    agree(*KERNELS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stacks", "covariance", "records_of_helpers"])
def test_other_arrays(name: str) -> None:
    if name not in PLAIN:
        pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    function, args = KERNELS[name]
    agree(function, tuple(np.asfortranarray(a) if np.ndim(a) == 2 else a for a in args))
    if name != "records_of_helpers":
        return  # products of matrices want one precision
    made, plain = tl.grad(function, compile="numba"), tl.grad(function)
    short = tuple(a.astype(np.float32) if np.ndim(a) else a for a in args)
    mine, other = made(*copy.deepcopy(short)), plain(*copy.deepcopy(short))
    np.testing.assert_allclose(mine, other, rtol=2e-3, atol=1e-5)
    assert mine.dtype == other.dtype


def gathered_by_rows(a, b, w, steps):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.5 * (b[:-2, 1:-1] + b[2:, 1:-1])
    return np.sum(a * w)


def test_rows_of_sums() -> None:
    """What a row adds to several rows is added while it is at hand: it needs the memory of one row."""
    for sizes in ((7, 6), (5, 3), (2, 4)):
        made = agree(gathered_by_rows, (*(normal(size=sizes) for _ in range(3)), 3))
    assert re.search(r"np\.empty\(\(_len\d+,\)\)", made.kernels)


def scaled_below(a, b, n):
    for _ in range(n):
        b[2:, 1:-1] -= 0.3 * b[2:, 1:-1]
        a[1:-1, 1:-1] += 0.2 * (a[:-2, 1:-1] + b[1:-1, 2:] + a[2:, 1:-1] + np.tanh(b[1:-1, :-2]))
    return np.sum(a * a) + np.sum(a * b)


def test_rows_that_are_scaled_are_complete_before() -> None:
    """``b[2:] += -b[2:] * 0.3`` is no sum that may come in any order: it reads what the other sums add."""
    agree(scaled_below, (normal(size=(5, 5)), normal(size=(5, 5)), 2))


def filtered(x, P, F, Q, R, zs):
    total = 0.0
    for t in range(len(zs)):
        x[:] = F @ x
        P[:] = F @ P @ F.T + Q
        S = P + R
        gain = np.linalg.solve(S, P).T
        x += gain @ (zs[t] - x)
        P -= gain @ P
        total += np.log(np.linalg.det(S))
    return total + x @ x


def test_a_filter() -> None:
    """Adjoints that a loop adds to grow in place; systems and determinants are functions of our own."""
    pytest.importorskip("scipy", reason="Numba finds LAPACK in SciPy")
    eye, zs = np.eye(3), normal(size=(4, 3))
    noises = 0.1 * eye, 2.0 * eye
    made = agree(filtered, (np.ones(3), eye, eye + 0.1 * normal(size=(3, 3)), *noises, zs))
    assert "bQ[_0, _1] += " in made.kernels
    assert all(word in made.kernels for word in ("_solve(", "_product(", "_det("))
    assert "np.linalg" not in made.kernels


def multiplied(a, b, c, w):
    c[:] = 1.5 * a @ b + 1.2 * c
    return np.sum(c * w)


def test_products_that_nothing_reads_are_not_made() -> None:
    pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    a, b, c, w = (normal(size=s) for s in ((3, 4), (4, 5), (3, 5), (3, 5)))
    made, plain = (tl.grad(multiplied, wrt=(0, 1, 2), compile=how) for how in ("numba", None))
    for mine, other in zip(made(a, b, c, w), plain(a, b, c, w)):
        np.testing.assert_allclose(mine, other, rtol=1e-12)
    assert made.kernels.count("_product(") == 2
    with pytest.raises(tl.UnsupportedSyntaxError, match="shapes differ"):
        made(a, b[1:], c, w)


def powers(m, x, times):
    for _ in range(times):
        x[:] = m @ x
        x /= np.sqrt(x @ x)
    return x @ (m @ x)


def weighed(states, weights, bias, h):
    for t in range(states.shape[0]):
        h[:] = np.tanh(states[t] @ weights + bias + h)


def sums_of_what_is_not_read_backward(states, matrix, shift, h, w):
    weighed(states, matrix, shift, h)
    return np.sum(h * w)


def numbers_beside(states, weights, h, scale, times):
    for _ in range(times):
        h += scale * states
        h *= np.sin(weights * states)


def sums_of_numbers(states, factor, h, slope, w, times):
    numbers_beside(states, factor, h, slope, times)
    return np.sum(h * w)


@pytest.mark.parametrize("times", [3, 0])
def test_sums_of_products_in_loops(times: int) -> None:
    pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    agree(powers, (normal(size=(4, 4)), normal(size=4), times))
    states, matrix = normal(size=(times, 4)), normal(size=(4, 3))
    shift, h, w = (normal(size=3) for _ in range(3))
    agree(sums_of_what_is_not_read_backward, (states, matrix, shift, h, w))
    one = normal(size=4), 0.7, normal(size=4), 0.3, normal(size=4), times
    agree(sums_of_numbers, one)


def two_half_steps(a, w, steps):
    b = a.copy()
    for _ in range(steps):
        c = a[1:-1, 1:-1, 1:-1]
        b[1:-1, 1:-1, 1:-1] = c + 0.1 * (a[2:, 1:-1, 1:-1] - 2.0 * c + a[:-2, 1:-1, 1:-1])
        b[1:-1, 1:-1, 1:-1] += 0.1 * (a[1:-1, 2:, 1:-1] - 2.0 * c + a[1:-1, :-2, 1:-1])
        d = b[1:-1, 1:-1, 1:-1]
        a[1:-1, 1:-1, 1:-1] = d + 0.1 * (b[2:, 1:-1, 1:-1] - 2.0 * d + b[:-2, 1:-1, 1:-1])
        a[1:-1, 1:-1, 1:-1] += 0.1 * (b[1:-1, 2:, 1:-1] - 2.0 * d + b[1:-1, :-2, 1:-1])
    return np.sum(a * a * w)


def test_the_last_of_a_sum_stays_with_what_is_added() -> None:
    args = normal(size=(4, 5, 6)), normal(size=(4, 5, 6)), 2
    agree(two_half_steps, args)
    gradient = tl.grad(two_half_steps, compile="numba")
    gradient(*copy.deepcopy(args))
    made = [line.strip() for line in gradient.kernels.splitlines() if "np.empty(" in line]
    assert made[0].startswith("b = ")
    assert not [line for line in made[1:] if line.count("shape") > 1]  # rows, not solids


def messages(f, weights, source, target, rounds):
    heard = np.empty_like(f)
    for _ in range(rounds):
        heard[...] = 0.0
        for k in range(len(source)):
            heard[target[k]] += weights[k] * f[source[k]]
        f *= 0.3
        f += np.tanh(heard)
    return np.sum(f * f)


def test_rows_that_are_added_to_by_number() -> None:
    ends = np.array([0, 2, 1, 2, 4, 4]), np.array([3, 3, 0, 1, -1, 4])
    args = normal(size=(5, 3)), normal(size=6), *ends, 2
    agree(messages, args)
    gradient = tl.grad(messages, (0, 1), compile="numba")
    gradient(*copy.deepcopy(args))
    assert "add_at" not in gradient.kernels
