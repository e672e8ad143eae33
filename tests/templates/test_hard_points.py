"""Points where a formula meets 0 * inf or NaN, though the derivative has a limit: both modes, first and second order."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

nan, inf = np.nan, np.inf
THERE = np.array([nan, 2.0, -1.0])
# A function, a point, its gradient there, and its Hessian if that has a limit too.
POINTS: list[tuple[Any, Any, Any, Any]] = [
    (lambda x: np.nansum(x * x), THERE, [0, 4, -2], np.diag([0.0, 2, 2])),
    (lambda x: np.nansum((x * x + 1.0) * x), THERE, [0, 13, 4], np.diag([0.0, 12, -6])),
    (lambda x: np.nanmean(x * x), THERE, [0, 2, -1], np.diag([0.0, 1, 1])),
    (lambda x: np.nanmax(x * x), THERE, [0, 4, 0], np.diag([0.0, 2, 0])),
    (lambda x: np.nanprod(x * x), THERE, [0, 4, -8], [[0, 0, 0], [0, 2, -8], [0, -8, 8]]),
    (lambda x: np.sum(np.where(np.isnan(x), 0.0, x * x)), THERE, [0, 4, -2], np.diag([0.0, 2, 2])),
    (lambda x: np.sum((x * x)[~np.isnan(x)]), THERE, [0, 4, -2], np.diag([0.0, 2, 2])),
    (lambda x: np.sum(x * x, where=np.isfinite(x)), THERE, [0, 4, -2], np.diag([0.0, 2, 2])),
    (lambda x: np.sum(np.nan_to_num(x * x)), THERE, [0, 4, -2], np.diag([0.0, 2, 2])),
    (lambda x: np.sum(x * np.sqrt(x)), np.array([0.0, 4.0]), [0, 3], None),
    (lambda x: np.sum(np.sqrt(x) * x), np.array([0.0, 4.0]), [0, 3], None),
    (
        lambda x: np.sum(np.where(x > 0, x * np.log(x), 0.0)),
        np.array([0.0, 1.0]),
        [0, 1],
        [[0, 0], [0, 1]],
    ),
    (lambda x: np.max(np.sqrt(x)), np.array([0.0, 4.0]), [0, 0.25], None),
    (lambda x: np.prod(x), np.array([0.0, 0.0, 3.0]), [0, 0, 0], [[0, 3, 0], [3, 0, 0], [0, 0, 0]]),
    (
        lambda x: np.logaddexp.reduce(x),
        np.array([800.0, 800.0]),
        [0.5, 0.5],
        [[0.25, -0.25], [-0.25, 0.25]],
    ),
    (lambda x: np.linalg.norm(x + 0j), np.zeros(2), [0, 0], None),
    (
        lambda x: np.linalg.det(x),
        np.zeros((2, 2)),
        np.zeros((2, 2)),
        np.eye(4)[::-1] * [[1], [-1], [-1], [1]],
    ),
    (lambda x: np.cos(np.linalg.norm(x)), np.zeros(2), [0, 0], -np.eye(2)),
    (lambda x: np.cosh(2.0 * np.hypot(x[0], x[1])), np.zeros(2), [0, 0], None),
    (lambda x: np.cosh(np.hypot(x[0], x[1])), np.zeros(2), [0, 0], np.eye(2)),
    (lambda x: np.cos(np.sqrt(np.sum(x * x))), np.zeros(2), [0, 0], -np.eye(2)),
    (lambda x: np.sinc(np.linalg.norm(x)), np.zeros(2), [0, 0], -(np.pi**2) / 3 * np.eye(2)),
    (lambda x: np.sum(np.cos(np.sqrt(x))), np.zeros(2), [-0.5, -0.5], np.eye(2) / 12),
    (lambda x: np.sum(np.cos(np.abs(x))), np.zeros(2), [0, 0], -np.eye(2)),
    (lambda x: np.sum(np.sqrt(x**4)), np.array([0.0, 1.0]), [0, 2], 2 * np.eye(2)),
    (lambda x: np.sum(np.sqrt((x * x) ** 2)), np.array([0.0, 1.0]), [0, 2], 2 * np.eye(2)),
    (lambda x: np.sum(np.sqrt(1 - np.cos(x) ** 2)), np.zeros(2), [0, 0], np.zeros((2, 2))),
    (lambda x: np.sum(np.sqrt(1.0 - np.sin(x) * np.sin(x))), np.array([0.0]), [0], [[-1]]),
    (lambda x: np.sum(np.sqrt(np.cosh(x) - 1.0)), np.zeros(2), [0, 0], np.zeros((2, 2))),
    (lambda x: np.sum(np.sqrt(np.log1p(x * x))), np.zeros(2), [0, 0], np.zeros((2, 2))),
    (lambda x: np.sum(x**2 * x**0.5), np.zeros(2), [0, 0], np.zeros((2, 2))),
    (lambda x: np.sum(np.sqrt(x) * x**2), np.array([0.0, 4.0]), [0, 20], np.diag([0, 7.5])),
    (lambda x: np.angle(x[0] + 1j * x[1]), np.zeros(2), [0, 0], np.zeros((2, 2))),
    (lambda x: x[0] ** x[1], np.array([0.0, 2.0]), [0, 0], [[2, 0], [0, 0]]),
    (lambda x: np.logaddexp(x[0], x[1]), np.array([-inf, -inf]), [0.5, 0.5], None),
    (lambda x: np.logaddexp(x[0], x[1]), np.array([-inf, 1.0]), [0, 1], np.zeros((2, 2))),
]


@pytest.mark.parametrize(("f", "x", "slope", "bend"), POINTS)
def test_the_limit_is_found(f: Any, x: Any, slope: Any, bend: Any) -> None:
    with np.errstate(all="ignore"):
        for optimized in (True, False):
            np.testing.assert_allclose(tl.grad(f, optimized=optimized)(x), slope, atol=1e-12)
        units = list(np.eye(x.size).reshape(-1, *x.shape))
        along = [tl.jvp(f)(x, tangent=v)[1] for v in units]
        np.testing.assert_allclose(along, np.ravel(slope), atol=1e-12)
        if bend is not None:
            df = tl.grad(f)
            for found in (
                [tl.jvp(df)(x, tangent=v)[1] for v in units],
                [tl.vjp(df)(x)[1](v) for v in units],
            ):
                np.testing.assert_allclose(np.reshape(found, (x.size, -1)), bend, atol=1e-12)


TIES = [
    (lambda x: np.median(x), [0.0, 2.0, 2.0, 3.0, 1.0], [0, 0.5, 0.5, 0, 0]),
    (lambda x: np.median(x), [1.0, 1.0, 2.0, 2.0], [0.25, 0.25, 0.25, 0.25]),
    (lambda x: np.median(x), [3.0, 1.0, 2.0, 2.0], [0, 0, 0.5, 0.5]),
    (lambda x: np.nanmedian(x), [2.0, nan, 2.0, 1.0], [0.5, 0, 0.5, 0]),
    (lambda x: np.percentile(x, 25), [1.0, 1.0, 2.0, 3.0, 0.0], [0.5, 0.5, 0, 0, 0]),
    (lambda x: np.sum(np.quantile(x, [0.5, 1.0])), [2.0, 2.0, 1.0], [1.0, 1.0, 0]),
    (lambda x: np.max(x) + np.min(x), [1.0, 2.0, 2.0, 1.0], [0.5, 0.5, 0.5, 0.5]),
    (lambda x: max(x), [1.0, 2.0, 2.0], [0, 0.5, 0.5]),
    (lambda x: np.unique(x)[1], [2.0, 1.0, 2.0], [0.5, 0, 0.5]),
]


@pytest.mark.parametrize(("f", "x", "slope"), TIES)
def test_equal_elements_share_what_is_chosen_of_them(f: Any, x: Any, slope: Any) -> None:
    x = np.array(x)
    np.testing.assert_allclose(tl.grad(f)(x), slope)
    np.testing.assert_allclose([tl.jvp(f)(x, tangent=v)[1] for v in np.eye(x.size)], slope)


WEIGHTS = np.array([1.0, 10.0, 100.0, 1000.0])


def sorted_in_place(x: Any) -> Any:
    y = x.copy()
    y.sort()
    return np.sum(y * WEIGHTS)


def list_in_place(x: Any) -> Any:
    y = list(x)
    y.sort()
    return sum(v * w for v, w in zip(y, WEIGHTS))


def popped_from_a_heap(x: Any) -> Any:
    heap, total = list(x), 0.0
    heapq.heapify(heap)
    for k in range(4):
        total += heapq.heappop(heap) * WEIGHTS[k]
    return total


MOVED = [
    lambda x: np.sum(np.sort(x) * WEIGHTS),
    lambda x: np.sum(x[np.argsort(x)] * WEIGHTS),
    lambda x: np.sum(np.partition(x, 2) * WEIGHTS),
    lambda x: sum(v * w for v, w in zip(sorted(x), WEIGHTS)),
    lambda x: sum(v * w for v, w in zip(heapq.nsmallest(4, x), WEIGHTS)),
    sorted_in_place,
    list_in_place,
    popped_from_a_heap,
]


@pytest.mark.parametrize("f", MOVED)
def test_what_is_moved_keeps_what_belongs_to_its_place(f: Any) -> None:
    """Each place has one element, and each element one place: nothing is shared."""
    x = np.array([2.0, 1.0, 2.0, 2.0])
    for optimized in (True, False):
        slope = tl.grad(f, optimized=optimized)(x)
        assert slope[1] == 1.0
        assert sorted(slope) == list(WEIGHTS)
    np.testing.assert_allclose([tl.jvp(f)(x, tangent=v)[1] for v in np.eye(4)], slope)


BOUNDS = [
    (lambda x: np.clip(x, 1, 1), 0.0),
    (lambda x: np.clip(x, x, x), 1.0),
    (lambda x: np.clip(1.0, x, x), 1.0),
    (lambda x: np.clip(1.0, x, 1.0), 0.0),
    (lambda x: np.clip(x, 1.0, x), 1.0),
    (lambda x: np.clip(x, 1.0, 2.0), 0.5),
    (lambda x: np.clip(x, 0.0, 1.0), 0.5),
    (lambda x: np.clip(x, 2.0, 0.0), 0.0),
    (lambda x: np.clip(x, min=1.0, max=x), 1.0),
    (lambda x: np.clip(x, min=1.0), 0.5),
    (lambda x: np.clip(x, None, 1.0), 0.5),
    (lambda x: np.asarray(x).clip(1.0, 1.0), 0.0),
    (lambda x: np.asarray(x).clip(x, x), 1.0),
    (lambda x: np.asarray(x).clip(0.0, 1.0), 0.5),
]


@pytest.mark.parametrize(("f", "slope"), BOUNDS)
@pytest.mark.parametrize("kind", [float, np.float32, np.array, lambda v: np.full(3, v)])
def test_between_equal_bounds_there_is_one_value(f: Any, slope: float, kind: Any) -> None:
    x = kind(1.0)
    for optimized in (True, False):
        found = tl.grad(lambda x: np.sum(f(x)), optimized=optimized)(x)
        np.testing.assert_array_equal(found, np.full(np.shape(x), slope))
    np.testing.assert_array_equal(tl.jvp(f)(x, tangent=x)[1], np.full(np.shape(x), slope))


NAN, LEFT = float("nan"), np.array([True, False])
UNTAKEN = [
    (lambda x: np.sum(np.where(LEFT, x * x, x * np.nan)), nan),
    (lambda x: np.sum(np.where(LEFT, x * x, NAN * x)), nan),
    (lambda x: np.sum(np.where(LEFT, x * x, x * float("inf") * 2.0)), inf),
    (lambda x: np.sum(np.where(LEFT, x * x, x / 0.0)), inf),
    (lambda x: np.nansum(np.stack([x[0] * x[0], x[1] * np.nan])), 0.0),
]


@pytest.mark.parametrize(("f", "right"), UNTAKEN)
def test_what_is_not_taken_may_be_infinite_everywhere(f: Any, right: float) -> None:
    x = np.array([3.0, 2.0])
    with np.errstate(all="ignore"):
        for optimized in (True, False):
            np.testing.assert_array_equal(tl.grad(f, optimized=optimized)(x), [6.0, right])
        assert tl.jvp(tl.grad(f))(x, tangent=x)[1][0] == 6.0
        assert tl.vjp(tl.grad(f))(x)[1](np.array([1.0, 0.0]))[0] == 2.0


CROSSED = [
    (lambda x, y: np.cross(x, y), (2,), (2,)),
    (lambda x, y: np.cross(x, y), (4, 2), (2,)),
    (lambda x, y: np.cross(x, y), (2,), (4, 3)),
    (lambda x, y: np.cross(x, y, axis=0), (3,), (3, 5)),
    (lambda x, y: np.cross(x, y, axisa=0), (2, 4), (4, 2)),
    (lambda x, y: np.cross(x, y, axisa=0, axisc=0), (3, 4), (4, 2)),
]


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
@pytest.mark.parametrize(("f", "one", "other"), CROSSED)
def test_vectors_in_a_plane_are_crossed(f: Any, one: Any, other: Any) -> None:
    if np.lib.NumpyVersion(np.__version__) >= "2.5.0" and (one, other) != ((3,), (3, 5)):
        pytest.skip("from 2.5 on, NumPy crosses vectors of three numbers only")
    draw = np.random.default_rng(4)
    x, y, v, w = (draw.normal(size=s) for s in (one, other, one, other))
    step = draw.normal(size=np.shape(f(x, y)))
    bx, by = tl.grad(f, (0, 1))(x, y, adjoint=step)
    along = tl.jvp(f, wrt=(0, 1))(x, y, tangent=(v, w))[1]
    np.testing.assert_allclose(along, f(v, y) + f(x, w))
    np.testing.assert_allclose(np.sum(bx * v) + np.sum(by * w), np.sum(step * along))


MEMORY = [
    lambda x: np.ravel(x, "K"),
    lambda x: np.ravel(x.T, order="A"),
    lambda x: x.T.flatten("A"),
    lambda x: np.reshape(x.T, (6, 4), order="A"),
    lambda x: np.reshape(x.transpose(1, 0, 2), (6, 4), order="A"),
    lambda x: x.T.reshape(6, 4, order="A"),
    lambda x: x.T.reshape((6, 4), order="F"),
]


@pytest.mark.parametrize("f", MEMORY)
def test_memory_decides_the_order(f: Any) -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    seed = np.arange(24.0).reshape(np.shape(f(x)))
    for given in (x, np.asfortranarray(x)):
        want = np.zeros(24)
        want[f(given).astype(int)] = seed
        np.testing.assert_array_equal(tl.grad(f)(given, adjoint=seed), want.reshape(x.shape))
        np.testing.assert_array_equal(tl.jvp(f)(given, tangent=x + 1.0)[1], f(given) + 1.0)
