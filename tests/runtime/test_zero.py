"""ZERO vanishes in sums, swallows products, and is never taken for an array."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from tangentlite.runtime import ZERO

X = np.array([1.0, -2.0])


@pytest.mark.parametrize("x", [2.0, 3, np.float64(2.0), np.float32(1.5), X, 1j], ids=repr)
def test_a_sum_gives_the_other_operand(x: object) -> None:
    assert (ZERO + x) is x
    assert (x + ZERO) is x
    assert (x - ZERO) is x
    np.testing.assert_array_equal(ZERO - x, -x)
    assert type(ZERO - x) is type(-x)


@pytest.mark.parametrize("x", [2.0, np.float64(2.0), X], ids=repr)
def test_a_product_is_zero(x: object) -> None:
    assert all(p is ZERO for p in (ZERO * x, x * ZERO, ZERO / x, ZERO * ZERO, -ZERO, +ZERO))


def test_matrix_products_are_zero() -> None:
    assert all(p is ZERO for p in (ZERO @ X, X @ ZERO, np.dot(X, ZERO), np.matmul(ZERO, X)))
    assert np.einsum("i,i", X, ZERO) is ZERO
    assert np.multiply.outer(ZERO, X) is ZERO
    assert np.linalg.solve(np.eye(2), ZERO) is ZERO


def test_linear_functions_give_zero() -> None:
    assert all(f(ZERO) is ZERO for f in (np.sum, np.mean, np.transpose, np.ravel, np.conj))
    assert np.reshape(ZERO, (2, 3)) is ZERO
    assert np.broadcast_to(ZERO, (3,)) is ZERO
    assert np.add.reduce(ZERO) is ZERO
    methods = (ZERO.sum(), ZERO.reshape(2), ZERO.T, ZERO.real, ZERO.imag, ZERO[1:], ZERO.copy())
    assert all(m is ZERO for m in methods)


def test_other_functions_take_it_for_the_number() -> None:
    np.testing.assert_array_equal(np.where(X > 0, ZERO, X), [0.0, -2.0])
    np.testing.assert_array_equal(np.maximum(X, ZERO), [1.0, 0.0])
    assert np.where(X > 0, ZERO, ZERO) is ZERO
    assert np.exp(ZERO) == 1.0
    assert float(ZERO) == 0.0
    assert ZERO == 0.0
    assert not (ZERO == 1.0)
    assert not ZERO


def test_adding_in_place() -> None:
    a = ZERO
    a += X
    assert a is X
    y = X.copy()
    y += ZERO
    np.testing.assert_array_equal(y, X)
    y[0] = ZERO
    assert y[0] == 0.0


@pytest.mark.parametrize("f", [np.concatenate, np.stack, np.vstack])
def test_joining_it_is_refused(f: object) -> None:
    with pytest.raises(TypeError, match="shape of this zero"):
        f([ZERO, X])


def test_its_parts_are_zero() -> None:
    assert np.array_split(ZERO, 3) == [ZERO, ZERO, ZERO]
    assert all(part is ZERO for part in np.split(ZERO, [1, 4], axis=1))
    assert len(np.split(ZERO, [1, 4])) == 3


def test_it_cannot_be_walked() -> None:
    with pytest.raises(TypeError, match="no elements"):
        list(ZERO)


def test_there_is_one() -> None:
    assert pickle.loads(pickle.dumps(ZERO)) is ZERO
    assert copy.copy(ZERO) is ZERO
    assert copy.deepcopy([ZERO])[0] is ZERO
    assert repr(ZERO) == "ZERO"


def test_powers() -> None:
    assert ZERO**2 is ZERO
    assert ZERO**0 == 1.0
    np.testing.assert_array_equal(X**ZERO, [1.0, 1.0])
    with pytest.raises(ZeroDivisionError):
        1.0 / ZERO
