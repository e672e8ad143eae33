"""Broadcasting between numbers and arrays of every rank, dtypes, reductions, products and indexing."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal
from tests.turns import every_other

SHAPES = [(), (1,), (3,), (2, 1), (2, 3), (1, 1), (1, 3)]
F32 = np.float32


def mix(x, y):
    u = x * y + x
    v = np.sin(u) - y
    w = v / (2.0 + y * y)
    return np.sum(w * x)


def grown(x, y):
    s = 0.0
    for k in range(2):
        s = s + x
        s = s * y
    return np.mean(s * s)


def branched(x, y):
    if np.sum(x) > 0:
        z = x
    else:
        z = x * y
    return np.sum(z * y + z)


def powers(x, y):
    return np.sum((x * x + 1.0) ** y + np.abs(y) ** 1.5 + x**2 + 2.0**x)


def vector_result(x, y):
    return x * y - np.exp(x)


PAIRS = [
    pytest.param(a, b, marks=[pytest.mark.slow] if every_other(k) else [])
    for k, (a, b) in enumerate(itertools.product(SHAPES, SHAPES))
]


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=str)
def test_pairs_of_shapes(a: Any, b: Any) -> None:
    x, y = normal(*a), normal(*b, seed=4)
    for f in (mix, grown, vector_result):
        check(f, x, y)
        if a == ():
            check(f, float(x), y)
    if a in ((), (3,), (2, 3)) and b in ((), (2, 1)):
        check(branched, x, y)
        check(powers, x, y)


@pytest.mark.parametrize("f", [mix, grown, branched, powers, vector_result], ids=label)
def test_single_precision(f: Any) -> None:
    check(f, normal(3).astype(F32), normal(2, 3).astype(F32))
    check(f, F32(0.7), normal(3).astype(F32))
    check(f, 0.7, normal(3).astype(F32))
    check(f, normal(3).astype(F32), normal(3))


@pytest.mark.parametrize("f", [mix, grown, branched, powers, vector_result], ids=label)
def test_scalars_of_every_type(f: Any) -> None:
    for x in (0.7, np.float64(0.7), np.array(0.7), 2, np.int64(2)):
        for y in (1.3, np.float64(1.3), np.array(1.3)):
            check(f, x, y, second=False)


@case(normal(3, 4))
def reductions(x):
    a = np.sum(x, axis=0) * x.mean(axis=0)
    b = x.sum(axis=1, keepdims=True) + np.mean(x, axis=(0, 1), keepdims=True)
    c = np.max(x, axis=-1) * np.min(x, axis=1)
    return np.sum(a) + np.sum(b * x) + np.sum(c * c) + np.prod(x[0])


@case(normal(3, 4))
def variances(x):
    return (
        np.sum(np.var(x, axis=0) * np.std(x, axis=0, ddof=1))
        + x.std()
        + np.sum(x.var(axis=1, keepdims=True) * x)
    )


@case(normal(2, 3, 4))
def reduction_over_two_axes(x):
    return np.sum(np.sum(x * x, axis=(0, 2)) * np.mean(x, axis=(0, -1))) + np.sum(
        x.max(axis=(1, 2))
    )


@case(normal(4))
def cumulative(x):
    return np.sum(np.cumsum(x * x) * np.cumprod(x)) + np.sum(np.diff(x) ** 3)


@case(np.array([1.1, 2.0, 2.0, 0.5]))
def where_without_a_tie(x):
    return np.sum(np.where(x > 1.0, x * x, 3.0 * x))


@case(normal(4), normal(4, seed=2))
@case(normal(4), 0.1)
@case(0.1, normal(2, 4))
def where_broadcasts(x, y):
    return np.sum(np.where(x > y, x * y, y) * x) + np.sum(np.maximum(x, y) * np.minimum(x, 2.0 * y))


@case(normal(5))
def clipping(x):
    return np.sum(np.clip(x, -0.5, 0.5) * x) + np.sum(np.abs(x) * np.sign(x))


@case(normal(3), normal(3, seed=1))
@case(normal(2, 3), normal(3))
@case(normal(3), normal(3, 2))
@case(normal(2, 3), normal(3, 4))
@case(normal(2, 2, 3), normal(3))
@case(normal(3), normal(2, 3, 2))
@case(normal(2, 2, 3), normal(3, 4))
@case(normal(2, 3), normal(4, 3, 2))
@case(normal(2, 1, 2, 3), normal(4, 3, 2))
def matrix_products(a, b):
    c = a @ b
    d = np.matmul(a, b)
    return np.sum(c * c) + np.sum(np.sin(d))


@case(normal(3), normal(3, seed=1))
@case(normal(2, 3), normal(3))
@case(normal(3), normal(3, 2))
@case(normal(2, 3), normal(3, 4))
@case(normal(2, 2, 3), normal(3))
@case(normal(2, 3), normal(4, 3, 2))
@case(0.3, normal(3))
@case(normal(2, 3), 0.3)
@case(0.3, 0.4)
def dots(a, b):
    c = np.dot(a, b)
    return np.sum(c * np.sin(c))


@case(normal(3), normal(4))
def outers(a, b):
    return np.sum(np.outer(a, b) ** 3)


@case(normal(3, 3), normal(3))
def products_in_a_row(a, v):
    return v @ a @ a.T @ v + np.sum(a @ a) + np.trace(a @ a.T)


@case(normal(3, 2), normal(2))
def einsums(a, b):
    return np.sum(np.einsum("ij,j->i", a, b) ** 2) + np.einsum("ij,ij->", a, a)


@case(normal(4, 3))
def views(x):
    return (
        np.sum(x.T[1] * x[:, 1])
        + np.sum(x.reshape(2, 6)[1] * x.ravel()[:6])
        + np.sum(x[None] * x[:, None])
    )


@case(normal(4, 3))
def transposed_and_swapped(x):
    y = np.transpose(x) @ x
    z = np.swapaxes(x, 0, 1) * x.T
    return np.sum(y * y) + np.sum(z) + np.sum(np.moveaxis(x, 0, 1) * x.transpose())


@case(normal(3), normal(3, seed=5))
def stacks(x, y):
    a = np.stack([x, y, x * y])
    b = np.concatenate([x, y * 2.0])
    c = np.vstack([x, y])
    d = np.array([x, y])
    return np.sum(a @ x) + np.sum(b * b) + np.sum(c * d) + np.sum(np.hstack((x, y)) ** 3)


@case(normal(3))
def array_of_elements(x):
    a = np.array([x[0], x[1] * x[2], 2.0, x[0]])
    m = np.array([[x[0], 1.0], [x[1], x[2]]])
    return np.sum(a * a) + np.sum(m @ m)


@case(0.4, 0.7)
def array_of_numbers(x, y):
    return np.sum(np.array([x, y, 1.0]) * np.array([y, x, x])) + np.array([[x, y]])[0, 1]


@case(normal(6))
def slices_with_steps(x):
    return (
        np.sum(x[::2] * x[1::2]) + np.sum(x[::-1] * x) + np.sum(x[4:1:-1] * x[-3:]) + x[-1] * x[-6]
    )


@case(normal(6))
def empty_slices(x):
    return np.sum(x[3:3]) + np.sum(x[10:]) * x[0] + np.sum(x * x)


@case(normal(4), np.array([0, 2, 2, 3, 0]))
def fancy_with_repeats(x, i):
    y = x[i]
    return np.sum(y * y) + np.sum(x[[1, 1]] * x[[0, 3]])


@case(normal(4, 3), np.array([0, 2, 2]))
def fancy_on_matrices(x, i):
    return (
        np.sum(x[i] ** 2)
        + np.sum(x[:, i] * x[:, [0]])
        + np.sum(x[i, i] * x[1, i])
        + np.sum(x[[[0, 1], [3, 3]], 2])
    )


@case(normal(4, 3), np.array([0, 2, 2]))
def take_and_diagonal(x, i):
    return np.sum(np.take(x, i, axis=0) ** 2) + np.sum(np.diag(x) ** 2) + np.sum(np.take(x, i))


@case(normal(6))
def boolean_masks(x):
    mask = x > 0
    y = x[mask]
    return np.sum(y * y) + np.sum(x[x < 0.5] ** 3) + np.sum(x[~mask])


@case(normal(3, 4))
def boolean_masks_of_rows(x):
    rows = x[:, 0] > 0
    return np.sum(x[rows] ** 2) + np.sum(x[x > 0]) * np.sum(x[rows, 1])


@case(normal(3, 4, 2))
def mixed_indices(x):
    return (
        np.sum(x[..., 0] * x[:, :, 1])
        + np.sum(x[1, :, None] ** 2)
        + x[0, 1, 1] * x[-1][2][0]
        + np.sum(x[:, -1:, ::-1])
    )


@case(normal(4), 2)
def index_arithmetic(x, k):
    n = len(x)
    return x[n - 1] * x[k % n] * x[-k] + x[(k + 3) % n] ** 2 + x[n // 2]


@case(normal(5))
def argmax_as_index(x):
    i = np.argmax(x)
    order = np.argsort(x)
    return x[i] * x[i] + np.sum(x[order] * np.arange(5))


@case(normal(5))
def sorting(x):
    return np.sum(np.sort(x) * np.arange(1.0, 6.0) * np.sort(x))


@case(normal(2, 3))
def shapes_as_values(x):
    m, n = x.shape
    k = x.size * x.ndim * len(x)
    return (
        np.sum(x) * m / n * k
        + np.sum(x.reshape(n, m) ** 2)
        + np.sum(x.reshape((x.shape[1], -1))[0])
    )


@case(normal(2, 3))
def zeros_and_ones(x):
    a = np.zeros(3) + x[0]
    b = np.ones_like(x) * x[1, 1]
    c = np.eye(3) * x[0]
    d = np.full((2, 3), 2.0) * x
    return np.sum(a * x) + np.sum(b * x) + np.sum(c @ a) + np.sum(d * d)


@case(normal(2, 3))
def broadcasting_functions(x):
    return np.sum(np.broadcast_to(x[0], (4, 3)) * np.tile(x[1], (4, 1))) + np.sum(
        np.repeat(x, 2, axis=0) ** 2
    )


@case(normal(2, 3))
def axes(x):
    y = np.expand_dims(x, 1)
    z = np.squeeze(y * y, axis=1)
    return (
        np.sum(z * x)
        + np.sum(np.atleast_2d(x[0]) * x)
        + np.sum(x[:, np.newaxis, :] * y)
        + np.sum(np.flip(x, 0) * x)
    )


@case(normal(3, 3) + 4.0 * np.eye(3), normal(3))
def solving(a, b):
    return np.sum(np.linalg.solve(a, b) * b) + np.linalg.det(a) + np.sum(np.linalg.inv(a))


@case(normal(3, 3), normal(3))
def norms(a, b):
    return np.linalg.norm(b) * np.linalg.norm(a) + np.sqrt(np.sum(a * a, axis=0)) @ b


@case(normal(4), normal(4, 3), normal(3))
def softmax_regression(x, w, b):
    z = x @ w + b
    p = np.exp(z - np.max(z))
    p = p / np.sum(p)
    return -np.log(p[1])


@case(np.float32(1.5), normal(3))
def single_scalar_times_double(x, y):
    return np.sum(x * y) * x


@case(normal(3).astype(F32))
def single_with_python_constants(x):
    y = 2.0 * x + 1
    for k in range(2):
        y = y * 0.5 + x / 3
    return np.sum(y * y)


@case(normal(3).astype(F32))
def single_to_double(x):
    return np.sum(x.astype(np.float64) ** 2)


@case(np.array([[0.5]]))
def one_by_one(x):
    return (x * x)[0, 0] + np.sum(x @ x * x)


@case(np.zeros((0, 3)), normal(3))
def empty_array(x, y):
    return np.sum(x * y) + np.sum(y * y)


@case(normal(3), np.array([1, 2, 3]), True)
def integers_and_flags(x, i, flag):
    y = x * i + flag
    return np.sum(y**i) + np.sum(i * 2) * x[0]


@case(normal(2, 3))
def methods(x):
    return (
        x.sum() * x.mean()
        + x.T.dot(x).trace()
        + x.max() * x.min()
        + x.flatten()[0]
        + x.copy().prod()
    )


@case(normal(2, 3))
def operators_of_all_sorts(x):
    return np.sum(-x + +x * 2 - x / 3 + (x * x + 1) ** 0.5 + abs(x) + 1 / (x * x + 2) + 3 - x)


def squared_distances(x, y):
    return np.sum(x**2, 1).reshape(-1, 1) + np.sum(y**2, 1) - 2 * np.dot(x, y.T)


@case(normal(4, 3), normal(3, 3), 0.7)
def kernel_of_points(x, y, width):
    inside = np.exp(-0.5 / width**2 * squared_distances(x, x))
    return np.sum(inside**2) + np.sum(np.exp(-squared_distances(x, y) / width) * y[:, 0])


def energies(x, y):
    return np.sum(x**2 * 0.5, 1, keepdims=True) + y


@case(normal(3, 3), normal(3, 3))
def sums_that_are_spread(x, y):
    return np.sum(np.sin(energies(x, y)) + energies(x[:1], y) ** 2) + np.sum(energies(x, y[0]))


@pytest.mark.parametrize("function", [squared_distances, energies])
def test_the_adjoint_of_a_spread_sum_is_summed_down(function: Any) -> None:
    x, y = normal(3, 3), normal(3, 3)
    seed = np.cos(np.arange(9.0)).reshape(3, 3)
    found = tl.grad(function)(x, y, adjoint=seed)
    moved = normal(3, 3)
    tangent = tl.jvp(function)(x, y, tangent=moved)[1]
    assert np.sum(found * moved) == pytest.approx(np.sum(seed * tangent), rel=1e-12)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
