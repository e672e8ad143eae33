"""Loops whose trips do not need each other are done at once, and all others are left as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

RATE = 0.5
N = np.random.default_rng(7).normal


def text(function: Callable[..., Any], wrt: Any, *args: Any) -> str:
    df = tl.grad(function, wrt)
    df(*args)
    return "\n".join(unit.source for unit in df._units)


def backward(function: Callable[..., Any], wrt: Any, *args: Any) -> str:
    """The backward lines of the text for arguments of these ranks, without remarks."""
    df = tl.grad(function, wrt)
    df(*args)
    ((unit, _),) = df._variants.values()
    lines = unit.source.partition("# Backward")[2].splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("#"))


def agree(function: Callable[..., Any], wrt: tuple[int, ...], *args: Any) -> None:
    """The gradients are those of the text that is not optimized, and of finite differences."""
    found = tl.grad(function, wrt)(*args)
    plain = tl.grad(function, wrt, optimized=False)(*args)
    for a, b in zip(found, plain):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)
        assert a.dtype == b.dtype
    ways = [N(size=np.shape(args[k])) for k in wrt]

    def moved(step: float) -> Any:
        given = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
        for k, way in zip(wrt, ways):
            given[k] = given[k] + step * way
        return function(*given)

    slope = (moved(1e-6) - moved(-1e-6)) / 2e-6
    assert slope == pytest.approx(sum(np.sum(a * w) for a, w in zip(found, ways)), rel=1e-6)


def rank_updates(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[i, : i + 1] += 1.5 * A[i, k] * B[: i + 1, k]
    return np.sum(C * w)


def multiply(A, C):  # type: ignore[no-untyped-def]
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[i, j] += np.dot(A[i + 1 :, i], C[i + 1 :, j])


def triangular(C, A, B, w):  # type: ignore[no-untyped-def]
    multiply(A, C)
    return np.sum(C * w) + np.sum(B)


def transposed(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[k, i] += A[i, k] * B[k, i] - 2.0 * B[k, 0]
            C[k, :i] -= A[i, k] * B[k, :i]
    return np.sum(C * w)


def with_offsets(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(1, A.shape[1]):
            C[i, k] += A[i, k - 1] * B[i, k] + A[i, k] * B[i, k - 1]
    return np.sum(C * w)


def from_diagonal(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for j in range(i, A.shape[0]):
            C[i, j] -= A[i, :i] @ B[:i, j]
    return np.sum(C * w)


def totals(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[i, k] += A[0, 0] * B[i, k] * np.sin(A[i, k])
    return np.sum(C * w)


def summed(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[:i, k] += A[0, 0] * B[:i, k]
    return np.sum(C * w)


ALL = (summed, rank_updates, triangular, transposed, with_offsets, from_diagonal, totals)


@pytest.mark.parametrize("size", [0, 1, 2, 5, 40])
@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_loops_at_once(function: Callable[..., Any], size: int) -> None:
    args = tuple(N(size=(size, size)) for _ in range(4))
    agree(function, (0, 1, 2), *args)
    assert text(function, (0, 1, 2), *args).count("for ") < text_of_steps(function, *args)


def text_of_steps(function: Callable[..., Any], *args: Any) -> int:
    df = tl.grad(function, (0, 1, 2))
    df(*args)
    return "\n".join(unit.stepwise.source for unit in df._units).count("for ")


@pytest.mark.parametrize("shape", [(3, 6), (6, 3), (4, 0), (0, 4), (1, 5), (5, 1)])
def test_shapes_that_are_not_square(shape: tuple[int, int]) -> None:
    for function in (with_offsets, totals):
        agree(function, (0, 1, 2), *(N(size=shape) for _ in range(4)))


def test_what_a_loop_would_not_find_is_not_found() -> None:
    """A slice ends where the array does; a loop raises there."""
    A, B = N(size=(3, 4)), N(size=(3, 1))
    with pytest.raises(IndexError):
        totals(N(size=(3, 4)), A, B, N(size=(3, 4)))
    with pytest.raises(IndexError):
        tl.grad(totals, (0, 1, 2))(N(size=(3, 4)), A, B, N(size=(3, 4)))


def test_no_trip_reads_nothing() -> None:
    def f(C, A, B, w):  # type: ignore[no-untyped-def]
        for i in range(C.shape[0]):
            for k in range(A.shape[1]):
                C[i, k] += A[5, k] * B[i, k]
        return np.sum(C)

    agree(f, (0,), N(size=(3, 2)), N(size=(2, 0)), N(size=(3, 2)), 0.0)


def recurrence(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(1, A.shape[1]):
            C[i, k] += C[i, k - 1] * A[i, k]
    return np.sum(C * w)


def by_position(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[i, k] += k * A[i, k]
    return np.sum(C * w)


def diagonal(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[k, k] += A[i, k] * A[i, k]
    return np.sum(C * w)


def growing(C, A, B, w):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[i, :k] += A[i, k] * B[i, :k]
    return np.sum(C * w)


@pytest.mark.parametrize(
    "function", (recurrence, by_position, diagonal, growing), ids=lambda f: f.__name__
)
def test_loops_that_are_left(function: Callable[..., Any]) -> None:
    args = tuple(N(size=(5, 5)) for _ in range(4))
    agree(function, (0, 1, 2), *args)
    assert text(function, (0, 1, 2), *args).count("for ") == text_of_steps(function, *args)


def test_single_precision_and_integers() -> None:
    for dtype in (np.float32, np.int64):
        args = [(10 * N(size=(6, 6))).astype(dtype if k == 1 else np.float64) for k in range(4)]
        for function in ALL:
            found = tl.grad(function, (0, 2))(*args)
            plain = tl.grad(function, (0, 2), optimized=False)(*args)
            for a, b in zip(found, plain):
                np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-3)


def test_overlapping_arguments() -> None:
    base = N(size=(6, 6))

    def f(C, A, B, w):  # type: ignore[no-untyped-def]
        return rank_updates(C, A, B, w)

    A = base[:, ::-1]
    found = tl.grad(f, (0,))(base.copy(), A, A.T, N(size=(6, 6)))
    assert np.isfinite(found[0]).all()
    agree(f, (1,), base.copy(), base, base.T, N(size=(6, 6)))


def test_second_derivatives() -> None:
    def inner(C, A, B, w):  # type: ignore[no-untyped-def]
        return np.sum(tl.grad(totals, 1)(C, A, B, w) ** 2)

    args = tuple(N(size=(3, 3)) for _ in range(4))
    agree(inner, (1, 2, 3), *args)


def test_machine_code_is_made_of_the_loops() -> None:
    pytest.importorskip("numba")
    args = tuple(N(size=(5, 5)) for _ in range(4))
    fast = tl.grad(rank_updates, 1, compile="numba")
    np.testing.assert_allclose(fast(*args), tl.grad(rank_updates, 1)(*args), rtol=1e-12)
    assert "for k in " in fast.source
    assert "None]" not in fast.source


def test_vectors_are_turned_by_slices() -> None:
    def f(C, A, B, w):  # type: ignore[no-untyped-def]
        y = np.zeros(C.shape[0])
        for k in range(1, C.shape[0]):
            y[:k] += C[k, k] * np.flip(y[:k])
            y[k] = A[0, k]
        return np.sum(y * w[0]) + np.sum(np.flip(B))

    args = tuple(N(size=(5, 5)) for _ in range(4))
    agree(f, (0, 1, 2), *args)
    found = backward(f, (0, 1), *args)
    assert "[::-1]" in found and "np.flip(" not in found


def test_parts_are_taken_before_the_loop() -> None:
    def f(u, v, c, w, steps):  # type: ignore[no-untyped-def]
        for t in range(steps):
            v[1:-1] = u[2:] - c[1:-1] * u[:-2]
            if t % 2:
                u[1:-1] += v[1:-1] * v[2:]
            u, v = v, u
        return np.sum(u * w)

    def fixed(u, v, c, w, steps):  # type: ignore[no-untyped-def]
        for _ in range(steps):
            v[1:-1] = 0.5 * (u[2:] + u[:-2])
            u[1:-1] = 0.5 * (v[2:] + v[:-2])
        return np.sum(u * w)

    for function in (f, fixed):
        for size in (0, 1, 2, 3, 8):
            for steps in (0, 1, 3):
                agree(function, (0, 1, 2), *(N(size=size) for _ in range(4)), steps)
    found = backward(fixed, 0, *(N(size=8) for _ in range(4)), 3)
    assert ":-1]" not in found.partition("for ")[2]


def test_one_branch_with_a_part() -> None:
    def f(u, v, c, w, steps):  # type: ignore[no-untyped-def]
        for t in range(steps):
            if t > 1:
                u[1:-1] += 2.0
            else:
                u[1:-1] = c[1:-1]
            v[1:-1] += u[1:-1] * u[1:-1]
        return np.sum(v * w)

    agree(f, (0, 1, 2), *(N(size=5) for _ in range(4)), 4)


def test_parts_times_a_number_of_the_module() -> None:
    def f(C, A, B, s):  # type: ignore[no-untyped-def]
        for i in range(1, A.shape[0]):
            t = RATE * A[:i, i]
            r = A[i, :i] * s
            C[i, :i] += t * B[i, :i] * B[i, i] + r * r
        return np.sum(C)

    agree(f, (0, 1, 2), *(N(size=(5, 5)) for _ in range(3)), 1.5)


def scaled(a, b, A, B, C):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        C[i, : i + 1] *= b
        for k in range(A.shape[1]):
            C[i, : i + 1] += A[: i + 1, k] * a * B[i, k] + B[: i + 1, k] * a * A[i, k]
    return np.sum(C * C)


def inner(a, b, A, B, C):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            total += a * A[i, k] * B[i, k] - b * C[i, k]
    return total * b


def offset(a, b, A, B, C):  # type: ignore[no-untyped-def]
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[i, k] += (a - A[i, k]) * B[i, k] + b
    return np.sum(C * C) + a


def alike(a, b, A, B, C):  # type: ignore[no-untyped-def]
    """What is added does not depend on the trip."""
    total = 0.0
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            total += a * b
            C[i, k] += a * b * b
    return total + np.sum(C * B)


def squared(a, b, A, B, C):  # type: ignore[no-untyped-def]
    """A sum that is read while it grows."""
    total = a
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            total = total + total * b * A[i, k]
            C[i, k] += total * B[i, k]
    return np.sum(C)


SUMS = (scaled, inner, offset, alike, squared)


@pytest.mark.parametrize("shape", [(3, 3), (1, 1), (0, 0), (5, 5)])
@pytest.mark.parametrize("function", SUMS, ids=lambda f: f.__name__)
def test_sums_under_names(
    function: Callable[..., Any], shape: tuple[int, int], confirm: Any
) -> None:
    args = (0.7, -1.3, *(N(size=shape) for _ in range(3)))
    found = tl.grad(function, (0, 1, 2, 3, 4))(*args)
    plain = tl.grad(function, (0, 1, 2, 3, 4), optimized=False)(*args)
    for a, b in zip(found, plain):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)
        assert type(a) is type(b)
    confirm(function, *args)


def test_coefficients_spare_the_loop() -> None:
    args = (0.7, -1.3, *(N(size=(4, 4)) for _ in range(3)))
    assert "range(A.shape[1])):" not in backward(offset, (0, 1, 2, 3, 4), *args)
