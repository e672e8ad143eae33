"""Arrays that trade places are apart, whatever they are called; nothing is mistaken for such a trade."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import V, W, agree


def steps(p, w, n):
    q = np.zeros_like(p)
    for _ in range(n):
        q[1:-1] = p[:-2] * p[2:] + w[1:-1]
        q[0] = q[1] * p[0]
        p, q = q, p
    return np.sum(p * w) + np.sum(q * p)


def trade_first(p, w, n):
    q = p * w
    for _ in range(n):
        p, q = q, p
        q[1:] += p[:-1] * w[1:]
        p[:-1] *= q[1:]
    return np.sum(p * w) + np.sum(q * p)


def between(p, w, n):
    q = p * w
    for _ in range(n):
        q[1:] += p[:-1] * w[1:]
        p, q = q, p
        q[1:] += p[:-1] * w[1:]
        p[0] = q[1]
    return np.sum(p * w) + np.sum(q * p)


def written_on_both_sides(p, w, n):
    q = p * w
    for _ in range(n):
        q[1:] = p[:-1] * w[1:]
        p, q = q, p
        p[:-1] = q[1:] * w[:-1]
        q[...] = p * q
    return np.sum(p * w) + np.sum(q * p)


def three(p, w, n):
    q, r = p * w, np.sin(w)
    for _ in range(n):
        r[1:] = p[:-1] * q[1:] + r[:-1]
        p, q, r = q, r, p
    return np.sum(p * w) + np.sum(q * p) - np.sum(r)


def now_and_then(p, w, n):
    q = p * w
    for k in range(n):
        q[1:] = p[:-1] * w[1:] + q[:-1]
        if k % 2 == 0:
            p, q = q, p
        q[:-1] += p[1:] * w[1:]
    return np.sum(p * w) + np.sum(q * p)


def one_array_twice(p, w, n):
    q = p
    for _ in range(n):
        q[1:] = p[:-1] * w[1:] + 0.5 * q[1:]
        p, q = q, p
    return np.sum(p * w) + np.sum(q * p)


def a_part_of_it(p, w, n):
    q = p[::-1]
    for _ in range(n):
        q[1:] = p[:-1] * w[1:] + 0.5 * q[1:]
        p, q = q, p
    return np.sum(p * w) + np.sum(q * p)


def lost(p, w, n):
    q = p * w
    for k in range(n):
        q[1:] = p[:-1] * w[1:] + 0.5 * q[1:]
        p, q = q, p
        if k == 1:
            p = q
        p[1:] += q[:-1]
    return np.sum(p * w) + np.sum(q * p)


def also_given(p, w, n):
    q = w
    for _ in range(n):
        q[1:] = p[:-1] * w[:-1] + 0.5 * q[1:]
        p, q = q, p
        w[0] += 0.1 * p[0]
    return np.sum(p * w) + np.sum(q * p)


def begun_again(p, w, n):
    total = 0.0
    for k in range(n):
        q = np.sin(p)
        for _ in range(2):
            q[1:] += p[:-1] * w[1:]
            p, q = q, p
        total += np.sum(q * p * w)
    return total


def views_behind(p, w, n):
    q = p * w
    total = 0.0
    for _ in range(n):
        inner = p[1:-1]
        q[1:-1] = inner * w[1:-1] + p[2:]
        p, q = q, p
        total += np.sum(inner * p[1:-1])
        inner *= 0.5
    return total + np.sum(q * w)


TRADES = [steps, trade_first, between, written_on_both_sides, three, now_and_then]
OTHERS = [one_array_twice, a_part_of_it, lost, also_given, begun_again, views_behind]


@pytest.mark.parametrize("function", [*TRADES, *OTHERS], ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [1, 4])
def test_every_form(function, n) -> None:
    agree(function, V.copy(), W.copy(), n)


def test_no_array_is_made_between() -> None:
    """What one array is made of the other goes straight there, and by its name: nothing is a view."""
    made = agree(steps, V.copy(), W.copy(), 3)
    forward = made.kernels.partition("range(n - 1")[0]
    assert "_w" not in forward and "[:-2]" not in forward, forward
    assert "held" not in made.kernels


SHORT = np.array([0.5, 1.5])
MADE_FROM = {
    "every other element": (np.repeat(V, 2)[::2], W),
    "backwards": (V[::-1], W[::-1]),
    "single precision": (V.astype(np.float32), W.astype(np.float32)),
    "of two elements": (SHORT, SHORT[::-1].copy()),
    "not a number": (np.where(V > 1.0, np.nan, V), W),
    "infinite": (np.where(V == V.max(), np.inf, V), W),
}


def spread(p, w, n):
    q = np.zeros_like(p)
    for _ in range(n):
        q[1:] = p[:-1] * w[1:] + 0.5 * p[1:]
        q[0] = p[0] * w[0]
        p, q = q, p
    return np.sum(p * w) + np.sum(q * p)


@pytest.mark.parametrize("args", MADE_FROM.values(), ids=MADE_FROM)
@pytest.mark.parametrize("n", [0, 1, 4])
def test_what_is_traded_comes_back_in_an_array_of_its_own(args, n) -> None:
    """The kernel gives back nothing: it fills what its caller made, whichever of the two arrays is the last."""
    made = tl.grad(spread, wrt=(0, 1), compile="numba")
    plain = tl.grad(spread, wrt=(0, 1), optimized=False)
    with np.errstate(all="ignore"):
        for _ in range(3):
            found, wanted = made(*args, n), plain(*args, n)
            for mine, other in zip(found, wanted, strict=True):
                tight = mine.dtype == float
                np.testing.assert_allclose(mine, other, rtol=1e-9 if tight else 1e-4, atol=1e-6)
                assert mine.base is None and mine.dtype == args[0].dtype
            assert not np.shares_memory(*found)


def test_one_array_twice_is_refused_where_arrays_are_traded() -> None:
    for how in ({}, {"compile": "numba"}):
        with pytest.raises(tl.errors.AliasError, match="share memory"):
            tl.grad(spread, wrt=(0, 1), **how)(V, V, 2)


def edges(p, w, n):
    q = p.copy()
    for _ in range(n):
        q[1:-1] = p[1:-1] - w[1:-1] * np.where(w[1:-1] > 0.0, p[1:-1] - p[:-2], p[2:] - p[1:-1])
        q[0], q[-1] = q[1], q[-2]
        p, q = q, p
    return np.sum(p * p * w)


def planes(p, w, n):
    q = p.copy()
    for _ in range(n):
        q[1:-1] = p[:-2] * p[2:] + w[1:-1]
        q[0], q[-1] = q[1], q[-2]
        p, q = q, p
    return np.sum(p * p * w)


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("size", [2, 3, 12])
def test_adjoints_of_what_is_traded_are_rows_of_one_array(n, size) -> None:
    """Also those of which a record holds a row."""
    rng = np.random.default_rng(size)
    line, plane = rng.normal(size=(2, size)), 0.5 * rng.normal(size=(2, size, 4))
    for function, (p, w) in ((edges, line), (planes, plane), (planes, plane[:, :, ::2])):
        fast, plain = tl.grad(function, (0, 1), compile="numba"), tl.grad(function, (0, 1))
        for one, other in zip(fast(p, w, n), plain(p, w, n)):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)
        assert "_rows_bp" in fast.kernels
    small = tl.grad(planes, compile="numba")(np.float32(plane[0]), np.float32(plane[1]), n)
    assert small.dtype == np.float32
    np.testing.assert_allclose(small, tl.grad(planes)(*plane, n), rtol=1e-3, atol=1e-4)


def test_what_is_traded_is_not_made_by_the_kernel() -> None:
    made = agree(spread, V.copy(), W.copy(), 3)
    assert "return" not in made.kernels, made.kernels


def test_records_of_many_parts_are_handed_on_as_one() -> None:
    made = agree(long, V.copy(), W.copy(), 3)
    (opened,) = [line for line in made.kernels.splitlines() if "= saved[0]" in line]
    assert opened.count(",") >= 7, made.kernels


def waves(x, w):
    a = np.sin(x) * np.tanh(w)
    b = np.cos(a) + np.tanh(x * a)
    c = np.sqrt(1.0 + b * b) * np.tanh(a)
    d = np.exp(-c) / (1.0 + b * b)
    for _ in range(2):
        d = np.sin(d) + d * c
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = a[i] * b[i - 1] + c[i] * d[i]
        y[i] += np.sin(y[i - 1]) * d[i - 1] / (1.0 + a[i] ** 2)
        y[i] *= np.tanh(y[i]) + np.cos(y[i - 1])
    for i in range(len(x) - 1):
        y[i] += y[i + 1] * np.sin(c[i])
    return y


def long(x, w, n):
    for _ in range(n):
        t = waves(x, w)
        x = x + 0.1 * t * waves(t, x)
    return np.sum(x * w)


def renewed(p, w, n):
    q = p * w
    for k in range(n):
        low, high = q[:-1], q[1:]
        high += 0.5 * low * w[1:]
        q = q * w + k
        low, high = q[:-1], q[1:]
        low *= np.cos(high)
        q[0] += p[1]
    return np.sum(q * q)


def renewed_now_and_then(p, w, n):
    for k in range(n):
        part = p[1:]
        if k % 2:
            p = np.sin(p) * w
            part = p[:-1]
        part *= w[1:]
        p[0] = part[1] * p[2]
    return np.sum(p * w)


def view_of_what_was(p, w, n):
    total = 0.0
    for _ in range(n):
        part = p[1:]
        p = p * w + 1.0
        part *= 0.5
        total += np.sum(part * p[:-1])
        part = p[1:]
        part += w[1:]
    return total + np.sum(p * w)


def before_and_behind_a_loop(p, w, n):
    p = p * w
    part = p[1:]
    for k in range(n):
        part *= w[1:]
        p[0] += part[0] * k
    p = np.sin(p)
    part = p[:-1]
    part += w[:-1] * p[1:]
    return np.sum(p * w)


def renewed_by_a_helper(p, w, n):
    for _ in range(n):
        p = shifted(p, w)
        part = p[2:]
        part *= p[:-2]
    return np.sum(p * w)


def shifted(a, b):
    c = np.zeros_like(a)
    c[1:] = a[:-1] * b[1:]
    return c + a


RENEWED = [renewed, renewed_now_and_then, view_of_what_was, before_and_behind_a_loop]


@pytest.mark.parametrize("function", [*RENEWED, renewed_by_a_helper], ids=lambda f: f.__name__)
def test_parts_of_arrays_that_are_renewed(function) -> None:
    agree(function, V.copy(), W.copy(), 3)


def numbers_in_a_tuple(p, w, n):
    for k in range(3):
        e = (0.0, 1.0, -1.0)[k]
        s = (0.5, 0.25, 0.25)[-1]
        p += (s * (w + 3.0 * e * p) - p) / (1.0 + n)
    return np.sum(p * w)


def test_numbers_in_a_tuple_are_numbers() -> None:
    """A loop over elements, and no array between."""
    made = agree(numbers_in_a_tuple, V.copy(), W.copy(), 2)
    assert "_p1" not in made.kernels and "for _0 in range" in made.kernels


def scaled_as_a_whole(p, w, n):
    q = np.zeros_like(p)
    for _ in range(n):
        q[1:] = p[:-1] * w[1:] + 0.1
        p, q = q, p
        p /= 1.0 + np.sum(p * p)
    return np.sum(p * w)


def test_whole_arrays_that_are_written_are_loops() -> None:
    made = agree(scaled_as_a_whole, V.copy(), W.copy(), 3)
    assert "copyto" not in made.kernels


def added_to_only(p, w, n):
    total = 0.0
    for k in range(n):
        rows = np.zeros((2, len(p)))
        part = rows[k % 2]
        part += p * w
        p = p + rows[0] * 0.5 - rows[1]
        total += np.sum(rows * rows)
    return total + np.sum(p)


def test_parts_that_are_only_added_to() -> None:
    agree(added_to_only, V.copy(), W.copy(), 3)
