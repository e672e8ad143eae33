"""Which calls go to slices: those whose arguments take the same from arrays, and are large enough."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import twins
from tangentlite.slices import conditions

FACTOR = 2.0
LONG = np.linspace(0.1, 0.9, 60)


def difference(x, y):
    s = 0.0
    for i in range(len(x)):
        s += (x[i] - y[i]) * x[i]
    return s


def text(df: Any) -> str:
    return inspect.getsource(df.__func__)


def fresh(f: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, of which no derivative is known yet."""
    twins._twins.clear()
    made = type(f)(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    made.__dict__.update(f.__dict__)
    return made


def test_the_text_that_ran_is_shown() -> None:
    df = tl.grad(fresh(difference))
    df(LONG, LONG[::-1].copy())
    assert "for " not in text(df)
    assert "for " in df.source
    df(LONG[:3], LONG[:3])
    assert "for " in text(df)


@pytest.mark.parametrize("size", [0, 1, 2, 5, 23, 24, 60, 61])
def test_sizes_change_nothing(size: int) -> None:
    x, y = LONG[:size].copy(), LONG[::-1][:size].copy()
    np.testing.assert_allclose(tl.grad(difference)(x, y), 2.0 * x - y, rtol=1e-14)


def test_what_is_too_short_raises_the_error_of_the_loop() -> None:
    df = tl.grad(fresh(difference))
    df(LONG, LONG)
    with pytest.raises(IndexError, match="out of bounds"):
        df(LONG, LONG[:40])


def test_what_is_longer_is_not_read() -> None:
    np.testing.assert_allclose(tl.grad(difference)(LONG[:50], LONG), LONG[:50], rtol=1e-14)


def test_single_precision_and_integers_go_the_other_way() -> None:
    df = tl.grad(fresh(difference))
    found = df(LONG.astype(np.float32), LONG.astype(np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(df(LONG, np.arange(60)), 2.0 * LONG - np.arange(60), rtol=1e-14)


def test_arguments_by_keyword() -> None:
    np.testing.assert_allclose(tl.grad(difference)(LONG, y=LONG), LONG, rtol=1e-14)
    np.testing.assert_allclose(tl.grad(difference)(LONG, LONG, adjoint=2.0), 2.0 * LONG, rtol=1e-14)


def into(w, x, y):
    for i in range(len(x)):
        y[i] = y[i] + w[i] * x[i]
    return np.sum(y * y)


def test_arguments_that_share_memory() -> None:
    a = np.linspace(0.1, 0.9, 61)
    b = a.copy()
    found = tl.grad(fresh(into))(LONG, a[:-1], a[1:])
    known = tl.grad(into, optimized=False)(LONG, b[:-1], b[1:])
    np.testing.assert_allclose(found, known, rtol=1e-13)
    np.testing.assert_array_equal(a, b)
    with pytest.raises(tl.AliasError):
        tl.grad(into, wrt="x")(LONG, a[:-1], a[1:])


def test_written_arguments_that_are_read_twice_are_fine() -> None:
    df = tl.grad(fresh(difference))
    np.testing.assert_allclose(df(LONG, LONG), LONG, rtol=1e-14)
    assert "for " not in text(df)


def scaled(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i] * FACTOR
    return s


def test_numbers_outside_are_as_they_are_now(monkeypatch: pytest.MonkeyPatch) -> None:
    df = tl.grad(fresh(scaled))
    np.testing.assert_allclose(df(LONG), 4.0 * LONG)
    monkeypatch.setitem(scaled.__globals__, "FACTOR", 3.0)
    np.testing.assert_allclose(df(LONG), 6.0 * LONG)
    monkeypatch.setitem(scaled.__globals__, "FACTOR", np.ones(1))
    with pytest.raises(Exception, match=r"shape|scalar|number"):
        df(LONG)


def growing(x):
    s = 0.0
    for v in x:
        s += math.exp(v)
    return s


def rooted(x):
    s = 0.0
    for v in x:
        s += math.sqrt(v) * 0.0
    return s


def test_functions_of_math_raise_their_errors() -> None:
    df = tl.grad(fresh(growing))
    np.testing.assert_allclose(df(LONG), np.exp(LONG))
    assert "for " not in text(df)
    with pytest.raises(OverflowError):
        df(LONG * 1e4)
    with pytest.raises(ValueError, match="math domain error"):
        tl.grad(rooted)(-LONG)


def counted(x, k=50):
    s = 0.0
    for i in range(k):
        s += x[i] * x[i] * k
    return s


def test_defaults_and_large_integers() -> None:
    df = tl.grad(fresh(counted))
    found = df(LONG)
    np.testing.assert_allclose(found[:50], 100.0 * LONG[:50])
    assert not found[50:].any()
    with pytest.raises(IndexError):
        df(LONG, 2**40)
    assert not df(LONG, -3).any()


def shown(x):
    s = 0.0
    for v in x:
        s += math.cos(v)
    print("once")
    return s


def test_nothing_is_shown_twice(capsys: pytest.CaptureFixture[str]) -> None:
    tl.grad(fresh(shown))(LONG)
    assert capsys.readouterr().out == "once\n"


def test_the_second_derivative_of_loops() -> None:
    def slope(x):
        return np.sum(tl.grad(cubes)(x) ** 2)

    np.testing.assert_allclose(tl.grad(slope)(LONG), 36.0 * LONG**3, rtol=1e-12)


def cubes(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 3
    return s


def logs(x):
    s = 0.0
    for v in x:
        if v > 0.0:
            s += np.log(v)
    return s


def test_what_is_not_asked_for_may_fail() -> None:
    df, half = tl.grad(fresh(logs)), LONG - 0.5
    known = np.where(half > 0.0, 1.0 / half, 0.0)
    for _ in range(5):
        np.testing.assert_allclose(df(half), known)
    assert "for " in text(df)


def clipped(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = max(0.0, x[i]) * min(x[i], 0.5)
    return np.sum(y)


def test_ties_and_what_is_no_number() -> None:
    x = LONG.copy()
    x[3:6] = 0.0, 0.5, np.nan
    for f in clipped, logs:
        found, known = tl.grad(fresh(f))(x), tl.grad(f, optimized=False)(x)
        np.testing.assert_array_equal(found, known)


def pairs(x, y):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(y)):
            s += np.sin(x[i] - y[j])
    return s


def test_no_more_room_is_taken_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditions, "ROOM", 2000)
    df = tl.grad(fresh(pairs))
    known = np.cos(LONG[:, None] - LONG).sum(axis=1)
    np.testing.assert_allclose(df(LONG[:40], LONG)[:40], known[:40])
    assert "for " in text(df)
    np.testing.assert_allclose(df(LONG[:30], LONG)[:30], known[:30])
    assert "for " not in text(df)


def noisy(x):
    print("once")
    return x * 2.0


def after_noise(x):
    s = 0.0
    y = noisy(x)
    for i in range(len(x)):
        s += math.exp(x[i])
    return s + y[0]


def test_helpers_are_not_called_twice(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OverflowError):
        tl.grad(fresh(after_noise))(LONG * 1e5)
    assert capsys.readouterr().out == "once\n"


def endless(x, depth):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return endless(x, depth - 1) + s


def first_of(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s if len(x) > 2 else endless(x, 2)


def test_helpers_that_call_themselves() -> None:
    np.testing.assert_allclose(tl.grad(fresh(first_of))(LONG), 2.0 * LONG)
