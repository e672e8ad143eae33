"""Integers in lists are exact, which floats in arrays are below ``2 ** 53`` only."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tangentlite as tl

FACTOR = 1103515245


def random_numbers(x, n):
    s = [42] * (n + 1)
    for i in range(n):
        s[i + 1] = (1103515245 * s[i] + 12345) % 2147483648
    t = 0.0
    for i in range(n + 1):
        t += x**2 * s[i] / 2147483648
    return t


def one_state(x, n):
    state = [7]
    t = 0.0
    for i in range(n):
        state[0] = (6364136223846793005 * state[0] + 1442695040888963407) % 18446744073709551616
        t += x * state[0] / 18446744073709551616
    return t


def next_state(s):
    return (FACTOR * s + 12345) % 2147483648


def state_by_a_helper(x, n):
    s = [1.0, 42]
    t = 0.0
    for i in range(n):
        s[1] = next_state(s[1])
        t += x**2 * s[1] / 2147483648
    return t


def state_through_a_name(x, n):
    s = [42 for k in range(n + 1)]
    a = 42
    t = 0.0
    for i in range(n):
        a = a * FACTOR
        s[i] = a
        a = a % 2147483648
        t += x * (s[i] % 2147483648)
    return t


def factorials(x, n):
    fact = [1] * (n + 1)
    for i in range(1, n + 1):
        fact[i] = fact[i - 1] * i
    t = 0.0
    for i in range(n + 1):
        t += x * (fact[i] % 7) + x**i / fact[i]
    return t


def sums_of_two(x, n):
    f = [0] * (n + 3)
    f[1] = 1
    for i in range(2, n + 3):
        f[i] = f[i - 1] * 3 + f[i - 2]
    return x * (f[n + 2] % 10)


def set_numbers(x, n):
    T = [[0] * (n + 1) for _ in range(n + 1)]
    T[0][0] = 1
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            T[i][j] = T[i - 1][j - 1] + j * T[i - 1][j]
    s = 0.0
    for k in range(n + 1):
        s += (T[n][k] % 5) * x**k
    return s


def powers(x, n):
    p = [3**k for k in range(n + 1)]
    s = 0.0
    for k in range(n + 1):
        s += x * (p[k] % 7)
    return s


def given_factor(x, n, c=2**40 + 1):
    s = [0] * (n + 1)
    for k in range(n + 1):
        s[k] = c * k + k
    return x * ((s[n] * 1) % 1021) + x * (s[n // 2] % 1021)


def names_of_numbers(x, n):
    u = [0] * (n + 1)
    s = 0.0
    for i in range(n):
        u[i + 1] = u[i] + 1
        if "%s" % u[i] == text_of(i):
            s += x * i
    return s + 0.0 * x


def text_of(i):
    return "%d" % i


def same_numbers(x, n):
    u = [0] * (n + 1)
    s = 0.0 * x
    for i in range(n):
        if u[i] is u[i + 1]:
            s += x
    return s


EXACT = [
    random_numbers,
    one_state,
    state_by_a_helper,
    state_through_a_name,
    factorials,
    sums_of_two,
    set_numbers,
    powers,
    given_factor,
    names_of_numbers,
    same_numbers,
]


@pytest.mark.parametrize("f", EXACT, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 3, 50])
def test_integers_are_those_of_python(f: Callable[..., float], n: int) -> None:
    known = tl.grad(f, optimized=False)(0.7, n)
    assert tl.grad(f)(0.7, n) == pytest.approx(known, rel=1e-12)
    assert tl.value_and_grad(f)(0.7, n) == (f(0.7, n), pytest.approx(known, rel=1e-12))


def test_integers_outside_may_become_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x, n):
        s = [1] * (n + 1)
        for k in range(n + 1):
            s[k] = STEP * (2 * k + 1)
        return x * ((s[n] + s[0]) % 1021)

    gradient = tl.grad(f)
    for step in (5, 2**60 + 1):
        monkeypatch.setitem(f.__globals__, "STEP", step)
        assert gradient(0.7, 8) == f(1.0, 8)


STEP = 3
