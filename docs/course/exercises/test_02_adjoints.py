"""The adjoints of exercise 2: those of tangentlite, and sum(bz · dz) = sum(bx · dx) for any small changes."""

import numpy as np
import pytest

import tangentlite as tl


def arrays(*shapes):
    rng = np.random.default_rng(3)
    return [rng.normal(size=shape) for shape in shapes]


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    assert np.shape(found) == np.shape(expected)


@pytest.mark.parametrize(
    "shape", [(4, 3), (3,), (1, 3), (4, 1), (1,), (), (1, 1)], ids=lambda shape: str(shape)
)
def test_unbroadcast(work, shape):
    bz, dx = arrays((4, 3), shape)
    bx = work.unbroadcast(bz, shape)
    assert np.shape(bx) == shape
    same(np.sum(bx * dx), np.sum(bz * np.broadcast_to(dx, bz.shape)))


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((4, 3), (3,)), ((4, 1), (1, 3)), ((), (2, 3))])
def test_multiply(work, shapes):
    x, y = arrays(*shapes)
    (bz,) = arrays(np.shape(x * y))
    _, pullback = tl.vjp(lambda x, y: x * y, wrt=(0, 1))(np.asarray(x), np.asarray(y))
    for found, expected in zip(work.multiply(bz, x, y), pullback(bz)):
        same(found, expected)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_total(work, axis):
    (x,) = arrays((2, 3, 4))
    (bz,) = arrays(np.sum(x, axis).shape)
    _, pullback = tl.vjp(lambda x: np.sum(x, axis))(x)
    same(work.total(bz, x, axis), pullback(bz))


def test_matmul(work):
    x, y, bz = arrays((2, 3), (3, 4), (2, 4))
    _, pullback = tl.vjp(lambda x, y: x @ y, wrt=(0, 1))(x, y)
    for found, expected in zip(work.matmul(bz, x, y), pullback(bz)):
        same(found, expected)


def test_softmax(work):
    x, bz = arrays((5,), (5,))
    value, pullback = tl.vjp(lambda x: np.exp(x) / np.sum(np.exp(x)))(x)
    same(work.softmax(bz, value), pullback(bz))
