"""Loops over numbers run in Python's floats and lists; what these cannot do is done in NumPy's numbers."""

from __future__ import annotations

import inspect
import math
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

SEEN: list[int] = []
W = np.array([0.5, -1.0, 2.0])
RATE = 0.9
X = np.array([0.4, 0.7, -0.2])


def recurrence(x, a):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = y[i - 1] * a + np.sin(x[i])
    return np.sum(y * y)


def overflowing(x):
    s = 0.0
    for i in range(len(x)):
        s = s + 1.0 / (1.0 + np.exp(800.0 + x[i])) + x[i]
    return s


def divided(x):
    s = 0.0
    for i in range(len(x)):
        s = s + 0.0 / x[i] + x[i]
    return s


def root_of_nought(x):
    s = 0.0
    for i in range(len(x)):
        s = s + 0.0 * np.sqrt(x[i]) + x[i]
    return s


def beyond(x):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * x[i + 1]
    return s


def counted(x):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * x[i]
        SEEN.append(i)
    return s / (x[0] - x[0])


def noted(y, x):
    for i in range(len(x)):
        y[i] = x[i] * x[i]
        SEEN.append(i)


def counted_in_a_helper(x):
    y = np.zeros(len(x))
    noted(y, x)
    s = 0.0
    for i in range(len(x)):
        s = s + y[i] / (x[0] - x[0])
    return s


def weighted(x):
    s = 0.0
    for i in range(len(x)):
        s = s * RATE + x[i] * W[i] * s + x[i]
    return s


def first(x, k):
    y = x.copy()
    for i in range(1, k):
        y[i] = y[i - 1] * y[i]
    return y[k - 1]


def floats(x, n):
    s = x
    for _ in range(n):
        s = s * s + 0.1
    return s


def either(x):
    for i in range(3):
        if x > 1.0:
            return x * i
        x = np.sin(x) + 1.0
    return x


def begun_with_a_float(x, c, n):
    s = 0.0
    for i in range(n):
        s = s + np.sin(x[i]) * 0.0 + (x[0] if i > 0 else c)
    return s


def only_floats_at_first(x, c, n):
    s = 0.0
    for i in range(n):
        d = math.sin(c)
        if i > 0:
            d = x[i]
        s = s + d
    return s


def cell(h, x):
    return np.sin(h + x) * np.exp(x) * np.log1p(x * x)


def cells(x):
    h = 0.0
    for i in range(len(x)):
        h = cell(h, x[i])
    return h


def hashed(x, k):
    h = 1
    s = 0.0
    for i in range(len(x)):
        h = h * 6364136223846793005 + k[i]
        s = s * 0.5 + x[i] * x[h % 3]
    return s


def model(c, w):
    def loss(x):
        y = np.zeros(len(x))
        for i in range(1, len(x)):
            y[i] = np.sin(y[i - 1]) * c + x[i] / (c + y[i - 1] ** 2) + w[i]
        return np.sum(y * y)

    return loss


def halved(r, q):
    for j in range(len(r)):
        r[j] = r[j] * 0.5 + q[j] * q[j - 1]


def rows(A):
    for i in range(1, A.shape[0]):
        halved(A[i], A[i - 1])
    return np.sum(A * A)


def level(x, theta):
    a, p, total = 0.0, 1.0, 0.0
    q, r = theta
    for i in range(len(x)):
        v = x[i] - a
        k = p / (p + r)
        a = a + k * v
        p = p * (1 - k) + q
        total += v * v / (p + r)
    return total


def spiral(theta, n):
    a, b = theta
    for _ in range(n):
        a, b = 0.9 * a - 0.1 * b, 0.1 * a + 0.9 * b
    return a


def corners(P, n):
    total = 0.0
    for k in range(n):
        a, b = P[k]
        total = total * 0.5 + a * np.sin(b)
    return total


def text(df: Any) -> str:
    """The text that the last call ran."""
    return inspect.getsource(df.__func__)


def test_numbers_are_floats_and_arrays_lists() -> None:
    df = tl.grad(recurrence, wrt=(0, 1))
    found = df(X, 0.5)
    for a, b in zip(found, tl.grad(recurrence, wrt=(0, 1), optimized=False)(X, 0.5)):
        np.testing.assert_allclose(a, b, rtol=1e-14)
    assert "y_list[i] = y_list[i - 1] * a + math.sin(" in text(df)
    assert "rt.cancel" not in text(df)


@pytest.mark.parametrize("function", [overflowing, divided, root_of_nought])
@pytest.mark.parametrize("x", [X, np.array([1.0, 0.0, 2.0])])
def test_what_raises_or_is_nan_is_done_in_numbers_of_numpy(function: Any, x: Any) -> None:
    with np.errstate(all="ignore"):
        found, expected = tl.grad(function)(x), tl.grad(function, optimized=False)(x)
    np.testing.assert_array_equal(found, expected)


def test_errors_are_told_in_the_words_of_numpy() -> None:
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        tl.grad(beyond)(X)


@pytest.mark.parametrize("function", [counted, counted_in_a_helper])
def test_what_can_be_seen_happens_once(function: Any) -> None:
    SEEN.clear()
    with np.errstate(all="ignore"):
        tl.grad(function)(X)
    assert SEEN == [0, 1, 2]


def test_other_types_keep_their_precision() -> None:
    df = tl.grad(recurrence)
    df(X, 0.5)
    single = df(X.astype("f"), 0.5)
    assert single.dtype == np.float32
    expected = tl.grad(recurrence, optimized=False)(X.astype("f"), 0.5)
    np.testing.assert_allclose(single, expected, rtol=1e-6)
    np.testing.assert_allclose(df(X, 0.5, adjoint=2.0), 2.0 * df(X, 0.5), rtol=1e-14)


def test_numbers_outside_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    df = tl.grad(weighted)
    for rate, weights in (
        (0.9, W),
        (0.8, W),
        (np.float32(0.7), W),
        (0.9, W.astype("f")),
        (1, 2 * W),
    ):
        monkeypatch.setitem(globals(), "RATE", rate)
        monkeypatch.setitem(globals(), "W", weights)
        np.testing.assert_allclose(df(X), tl.grad(weighted, optimized=False)(X), rtol=1e-6)


def test_long_arrays_are_not_turned_into_lists_for_a_few_places() -> None:
    df, long = tl.grad(first), np.linspace(1.0, 2.0, 1000)
    np.testing.assert_allclose(df(long, 4)[:5], tl.grad(first, optimized=False)(long, 4)[:5])
    assert "y_list = y.tolist() if len(y) <= 8 * k else y" in text(df)


def test_values_are_the_functions_own_to_the_last_digit() -> None:
    for function, args in (
        (recurrence, (X, 0.5)),
        (floats, (0.3, 4)),
        (weighted, (X,)),
        (cells, (X,)),
    ):
        value, expected = tl.value_and_grad(function)(*args)[0], function(*args)
        assert value == expected
        assert type(value) is type(expected)
    for n in (1, 2):
        for function in (begun_with_a_float, only_floats_at_first):
            value, expected = tl.value_and_grad(function)(X, 0.5, n)[0], function(X, 0.5, n)
            assert (value, type(value)) == (expected, type(expected))
    for x in (1.5, 0.5):  # a float of Python's, then one of NumPy's
        value = tl.value_and_grad(either)(x)[0]
        assert (value, type(value)) == (either(x), type(either(x)))


def test_helpers_that_are_given_parts_of_one_array_write_into_it() -> None:
    A = np.arange(12.0).reshape(3, 4) / 10.0
    found = tl.grad(rows)(A)
    np.testing.assert_allclose(found, tl.grad(rows, optimized=False)(A), rtol=1e-13)


def test_integers_of_numpy_wrap_around() -> None:
    keys = np.array([3, 5, 7])
    with np.errstate(all="ignore"):
        value, found = tl.value_and_grad(hashed)(X, keys)
        np.testing.assert_allclose(found, tl.grad(hashed, optimized=False)(X, keys), rtol=1e-14)
        assert value == hashed(X, keys)


def test_closures_of_one_function_have_numbers_of_their_own() -> None:
    for c, w in ((0.7, W), (1.3, W.astype("f")), (np.float32(0.5), W)):
        loss = model(c, w)
        np.testing.assert_allclose(tl.grad(loss)(X), tl.grad(loss, optimized=False)(X), rtol=1e-13)


def test_the_same_array_twice() -> None:
    def product(x: Any, y: Any) -> Any:
        s = 0.0
        for i in range(1, len(x)):
            s = s * 0.5 + x[i] * y[i - 1]
        return s

    df, plain = tl.grad(product, wrt=(0, 1)), tl.grad(product, wrt=(0, 1), optimized=False)
    for a, b in zip(df(X, X), plain(X, X)):
        np.testing.assert_allclose(a, b, rtol=1e-14)


@pytest.mark.parametrize(
    "theta", [np.array([0.3, 0.8]), np.array([0.3, 0.8], "f"), X[:2], [0.3, 0.8]]
)
def test_numbers_that_an_array_is_taken_apart_into_are_floats(theta: Any) -> None:
    df, plain = tl.grad(level, wrt=(0, 1)), tl.grad(level, wrt=(0, 1), optimized=False)
    for a, b in zip(df(X, theta), plain(X, theta)):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=1e-6 if X.dtype != np.result_type(*theta) else 1e-13)
    for a, b in zip(df(theta, theta), plain(theta, theta)):
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_they_are_floats_in_the_text_and_numbers_of_numpy_in_the_value() -> None:
    df = tl.grad(FunctionType(level.__code__, globals()), wrt=(0, 1))
    df(X, np.array([0.3, 0.8]))
    assert "q, r = theta.tolist()" in text(df)
    for function, args in (
        (spiral, (X[:2], 3)),
        (spiral, (X[:2], 0)),
        (corners, (np.outer(X, X[:2]), 3)),
    ):
        value, found = tl.value_and_grad(function)(*args)
        assert (value, type(value)) == (function(*args), type(function(*args)))
        np.testing.assert_allclose(found, tl.grad(function, optimized=False)(*args), rtol=1e-13)
    tl.check_grads(spiral, (X[:2], 4))


def test_too_many_numbers_are_refused_as_by_the_function() -> None:
    for theta in (X, X[:1]):
        with pytest.raises(ValueError, match="values to unpack"):
            tl.grad(level, wrt=1)(X, theta)
