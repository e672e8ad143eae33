"""Sums of products over broadcast axes are the same whether or not the product is made."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime
from tests.programs.strict import Check

NORMAL = np.random.default_rng(0).normal
SHAPES = [s for n in range(4) for s in itertools.product((1, 8), repeat=n)]


def spread_out(x: Any) -> list[Any]:
    """An array, and views of it that repeat its elements."""
    return [x, np.broadcast_to(x, (8,) * x.ndim), np.asfortranarray(x)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_it_is_the_sum_of_the_product(shape: tuple[int, ...]) -> None:
    for other, target in itertools.product(SHAPES, SHAPES):
        for a, b in itertools.product(spread_out(NORMAL(size=shape)), [NORMAL(size=other)]):
            product, like = a * b, np.zeros(target)
            if np.broadcast_shapes(product.shape, target) == product.shape:
                found = runtime.unbroadcast_product(a, b, like)
                assert np.shape(found) == target
                assert np.allclose(found, runtime.unbroadcast(product, like))


def test_what_is_no_number_stays_so() -> None:
    a, b = np.full((30, 30), np.inf), np.zeros((30, 1))
    with np.errstate(invalid="ignore"):
        assert np.isnan(runtime.unbroadcast_product(a, b, np.zeros((1, 30)))).all()


def windows(x: Any, w: Any) -> Any:
    y = np.empty((x.shape[0], x.shape[1] - 1, w.shape[2]))
    for i in range(x.shape[1] - 1):
        y[:, i] = np.sum(x[:, i : i + 2, :, np.newaxis] * w[np.newaxis], axis=(1, 2))
    return np.sum(y * y)


def windows_of_one_more_axis(x: Any, w: Any) -> Any:
    y = np.empty((x.shape[0], x.shape[1] - 1, w.shape[2]))
    for i in range(x.shape[1] - 1):
        y[:, i] = np.sum(x[:, i : i + 2, :, None] * w[None], axis=(1, 2))
    return np.sum(y * y)


@pytest.mark.parametrize("count", (1, 12))
@pytest.mark.parametrize("function", (windows, windows_of_one_more_axis))
def test_windows_of_many_and_of_few(function: Any, count: int) -> None:
    x, w = NORMAL(size=(count, 4, 5)), NORMAL(size=(2, 5, 6))
    Check(function, (x, w)).run()
    derivative = tl.grad(function, wrt=(0, 1))
    derivative(x, w)
    assert derivative.source.count("rt.unreduce_product") == 2


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("axis", (0, -1, (0, 1), (1, 2), (0, 1, 2)), ids=str)
def test_the_adjoint_of_a_sum_of_products(shape: tuple[int, ...], axis: Any) -> None:
    """Along axes of both factors, of one of them and of none, of whatever strides."""
    for other in SHAPES:
        whole = np.broadcast_shapes(shape, other)
        if len(whole) <= (max(axis) if isinstance(axis, tuple) else abs(axis) - 1):
            continue
        like = np.zeros(other)
        for x in spread_out(NORMAL(size=shape)):
            made = np.sum(np.zeros(np.broadcast_shapes(x.shape, other)), axis=axis)
            b = NORMAL(size=made.shape)
            repeated = runtime.unreduce(b, x * like, axis)
            wanted = runtime.unbroadcast(repeated * x, like)
            for given in (b, np.asfortranarray(b), b[::-1][::-1] if b.ndim else b):
                found = runtime.unreduce_product(given, x, like, axis)
                assert np.shape(found) == np.shape(like)
                assert np.allclose(found, wanted)


def test_other_numbers_and_zero() -> None:
    b, x, like = NORMAL(size=8), NORMAL(size=(8, 40)), NORMAL(size=(1, 40))
    wanted = runtime.unreduce_product(b, x, like, 1)
    for kind in (np.float32, complex):
        found = runtime.unreduce_product(b.astype(kind), x.astype(kind), like.astype(kind), 1)
        assert found.dtype == kind
        assert np.allclose(found, wanted, rtol=1e-4, atol=1e-4)
    assert runtime.unreduce_product(runtime.ZERO, x, like, 1) is runtime.ZERO
    assert np.shape(runtime.unreduce_product(b * 0, x[:, :0], like[:, :0], 1)) == (1, 0)


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("il,kji->l", ((1, 2), (2, 1, 2))),
        ("ij,ij->", ((1, 3), (2, 3))),
        ("ii,ij->j", ((2, 2), (1, 3))),
        ("ljl,lii,->", ((1, 2, 1), (3, 2, 2), ())),
        ("i,i->", ((0,), (1,))),
        ("ij,jk->ik", ((2, 0), (1, 3))),
    ],
)
def test_sums_over_what_is_repeated_from_one(
    text: str, shapes: tuple[tuple[int, ...], ...]
) -> None:
    def of_two(x: Any, y: Any) -> Any:
        return np.sum(np.einsum(text, x, y) ** 2)

    def of_three(x: Any, y: Any, z: Any) -> Any:
        return np.sum(np.einsum(text, x, y, z) ** 2)

    function = of_two if len(shapes) == 2 else of_three
    xs, ways = ([NORMAL(size=s) for s in shapes] for _ in range(2))
    gradients = tl.grad(function, wrt=tuple(range(len(xs))))(*xs)
    assert all(g.shape == s and g.flags.writeable for g, s in zip(gradients, shapes) if s)
    lines = [function(*[x + step * w for x, w in zip(xs, ways)]) for step in (1e-6, -1e-6)]
    along = sum(np.sum(g * w) for g, w in zip(gradients, ways))
    assert along == pytest.approx((lines[0] - lines[1]) / 2e-6, rel=1e-6)
