"""Programs with a `PersistentArray` have the derivatives that they have with an array."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.errors import AliasError, UnsupportedSyntaxError
from tests.persistent.programs import LENGTHS, PROGRAMS, WHOLE, looked_up
from tests.programs.strict import check, label
from tests.turns import every_other

X = np.random.default_rng(4).normal(size=(5, 2))
W = np.array([0.7, -0.4])
Program = Any


ALL = [
    pytest.param(program, marks=[pytest.mark.slow] if every_other(k) else [])
    for k, program in enumerate([*PROGRAMS, *LENGTHS])
]


@pytest.mark.parametrize("program", ALL, ids=label)
def test_every_mode_to_the_second_order(program: Program) -> None:
    def whole(x, w):
        return program(tl.PersistentArray(x), w)

    check(whole, X, W)


@pytest.mark.parametrize("program", WHOLE, ids=label)
def test_programs_that_make_their_own(program: Program) -> None:
    check(program, X, W)


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("program", PROGRAMS, ids=label)
def test_the_same_as_with_an_array(program: Program, optimized: bool) -> None:
    derivative = tl.grad(program, wrt=(0, 1), optimized=optimized)
    for found, expected in zip(derivative(tl.PersistentArray(X), W), derivative(X, W)):
        assert type(found) is np.ndarray and found.flags.writeable
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("program", PROGRAMS, ids=label)
def test_arguments_are_left_alone(program: Program) -> None:
    p = tl.PersistentArray(X)
    expected, before = tl.grad(program)(X, W), program(X.copy(), W)
    value, gradient = tl.value_and_grad(program)(p, W)
    np.testing.assert_allclose(value, before, rtol=1e-14)
    np.testing.assert_allclose(gradient, expected, rtol=1e-12)
    value, pullback = tl.vjp(program)(p, W)
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0), expected, rtol=1e-12)
    _, tangent = tl.jvp(program)(p, W, tangent=np.ones((5, 2)))
    np.testing.assert_allclose(tangent, np.sum(expected), rtol=1e-10)
    np.testing.assert_array_equal(p, X)


def test_a_result() -> None:
    def f(p, w):
        p[0] = w * p[1]
        return p

    p, seed = tl.PersistentArray(X), np.arange(10.0).reshape(5, 2)
    expected = tl.vjp(f)(X, W)[1](seed)
    value, pullback = tl.vjp(f)(p, W)
    assert type(value) is tl.PersistentArray
    np.testing.assert_array_equal(value[0], W * X[1])
    for given in (seed, tl.PersistentArray(seed)):
        np.testing.assert_array_equal(pullback(given), expected)
    value, tangent = tl.jvp(f)(p, W, tangent=tl.PersistentArray(seed))
    np.testing.assert_array_equal(tangent[0], W * seed[1])
    with pytest.raises(TypeError, match="the result has shape"):
        tl.grad(f)(p, W)


def test_in_a_list_of_arguments() -> None:
    def f(ps, w):
        return np.sum(ps[0][1] * w) * np.sum(ps[1])

    found = tl.grad(f)([tl.PersistentArray(X), tl.PersistentArray(W)], W)
    expected = tl.grad(f)([X, W], W)
    for a, b in zip(found, expected):
        assert type(a) is np.ndarray
        np.testing.assert_allclose(a, b)


def test_single_precision_and_complex_numbers() -> None:
    def f(p, w):
        p[0] = p[1] * w
        return np.sum(np.real(p * p))

    for x in (X.astype(np.float32), X + 1j * X[::-1]):
        found, expected = tl.grad(f)(tl.PersistentArray(x), W), tl.grad(f)(x, W)
        assert found.dtype == x.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_integers_end_the_derivative() -> None:
    def f(w):
        p = tl.PersistentArray(np.zeros(2, int))
        p[0] = w * 10.0
        return p[0] * w

    assert tl.grad(f)(0.7) == 7.0


def test_many_handles_cost_what_is_written() -> None:
    """Each trip keeps all the earlier states; a plain array is copied for that."""

    def f(p, w):
        total = 0.0
        for i in range(1, len(p)):
            before = p.copy()
            p[i] = np.tanh(w * p[i - 1])
            total = total + np.sum(before[i - 1] * p[i])
        return total

    derivative, peaks = tl.grad(f, wrt="w"), []
    for n in (50, 100):
        p = tl.PersistentArray(np.ones((n, 300)))
        derivative(p, 0.5)
        tracemalloc.start()
        derivative(p, 0.5)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2.4 * peaks[0]


def test_a_call_makes_no_zeros_for_what_it_is_given() -> None:
    def f(x, w):
        p = tl.PersistentArray(x)
        return np.sum(looked_up(p, 1) * w)

    assert "def looked_up_backward(saved, by, bp):" in tl.grad(f).source


def twice_indexed(x):
    p = tl.PersistentArray(x)
    p[1][0] = x[0, 0]
    return np.sum(p)


def twice_indexed_sum(x):
    p = tl.PersistentArray(x)
    p[1][0] += x[0, 0]
    return np.sum(p)


def grown_under_two_names(x):
    p = tl.PersistentArray(x)
    q = p
    p.append(x[0])
    return np.sum(q * p)


def grown_in_a_list(x):
    ps = [tl.PersistentArray(x)]
    ps[0].append(x[0])
    return np.sum(ps[0])


def grown_for_the_caller(x):
    p = tl.PersistentArray(x)
    add_row(p, x[0])
    return np.sum(p)


def add_row(p, row):
    p.append(row)


@pytest.mark.parametrize(
    ("program", "words", "line"),
    [
        (twice_indexed, "what is read of the persistent array `p` is a copy", "p[1][0] = x[0, 0]"),
        (twice_indexed_sum, "what is read of the persistent array `p` is a copy", "p[1][0] += "),
        (grown_under_two_names, "`p` gets another length while another name", "p.append(x[0])"),
        (grown_in_a_list, "gets another length while another name", "ps[0].append(x[0])"),
        (grown_for_the_caller, "`p` gets another length while another name", "p.append(row)"),
    ],
)
def test_refusals(program: Program, words: str, line: str) -> None:
    with pytest.raises(UnsupportedSyntaxError) as caught:
        tl.grad(program)(X)
    fault = caught.value
    assert words in fault.message and fault.hint
    assert fault.place is not None and fault.place.text.strip().startswith(line)


def test_one_handle_given_twice() -> None:
    def f(p, q):
        p[0] = q[1]
        return np.sum(p * q)

    p = tl.PersistentArray(X)
    with pytest.raises(AliasError):
        tl.grad(f)(p, p)
    np.testing.assert_allclose(tl.grad(f)(p, p.version()), tl.grad(f)(X, X.copy()))


def test_either_on_two_paths_is_refused() -> None:
    def f(x, n):
        if n > 0:
            p = tl.PersistentArray(x)
        else:
            p = x.copy()
        p[0] = 2.0 * x[1]
        return np.sum(p)

    with pytest.raises(UnsupportedSyntaxError, match="different kinds"):
        tl.grad(f)(X, 1)
