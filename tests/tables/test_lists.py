"""Lists of numbers that a function makes are arrays in its gradient, where nobody can tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.doors import sliced

Function = Callable[..., Any]
SIZES = (0, 1, 2, 3, 4, 7, 25)


def case(letters: str, arrays: bool = True) -> Callable[[Function], Function]:
    """A program, its arguments: ``N`` a number, ``V`` a vector, ``n`` a size; whether arrays are taken."""

    def mark(f: Function) -> Function:
        f.__dict__["case"] = letters, arrays
        return f

    return mark


@case("Nn")
def multiples(x, n):
    u = [0.0] * n
    for i in range(n):
        u[i] = x * i
    return sum(u) * x


@case("Nn")
def from_whole_zeros(x, n):
    u = [0] * (n + 1)
    u[0] = x
    for i in range(1, n + 1):
        u[i] = u[i - 1] * 0.5 + math.sin(u[i - 1])
    return u[-1] + u[n // 2]


@case("Nn")
def another_name(x, n):
    u = [x] * (n + 1)
    v = u
    for i in range(n):
        v[i + 1] = u[i] * 0.9
    return u[n] * v[0]


@case("Nn")
def sliced_copy(x, n):
    u = [x] * (n + 1)
    v = u[:]
    for i in range(n):
        v[i + 1] = u[i] * 0.9 + v[i]
    return u[n] * v[n]


@case("Nn")
def made_anew(x, n):
    u = [x * k for k in range(n + 1)]
    for t in range(3):
        u = [0.5 * u[k] + 0.2 * u[k - 1] for k in range(n + 1)]
    return u[n]


@case("Nn")
def rollback(x, n):
    u = [float(k) for k in range(n + 1)]
    w = list(u)
    for k in range(n, 0, -1):
        u = [0.6 * x * u[j] + 0.4 * u[j + 1] for j in range(k)]
    return u[0] + w[n]


@case("Nn")
def rows_and_columns(x, n):
    A = [[0.0] * (n + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        A[i][0] = x * i
        A[0][i] = x * i * 0.5
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            A[i][j] = min(A[i - 1][j], A[i][j - 1]) + x * abs(i - j)
    return A[n][n] + A[-1][0]


@case("Nn")
def two_counters(x, n):
    A = [[x * i * j for j in range(3)] for i in range(n)]
    s = 0.0
    for i in range(n):
        for j in range(len(A[i])):
            s += A[i][j] ** 2
    return s + len(A)


@case("Nn")
def places_trade(x, n):
    u = [1.0, x, 0.5]
    for i in range(n):
        u[0], u[1] = u[1], u[0] * 0.5 + u[2]
    return u[0] + u[2]


@case("Nn")
def state_of_two(x, n):
    s = [1.0, 0.0]
    for i in range(n):
        s = [s[0] + 0.1 * s[1] * x, s[1] - 0.1 * s[0]]
    return s[0] + s[1]


@case("Nn")
def names_trade(x, n):
    u, v = [0.0] * n, [x] * n
    for t in range(3):
        for i in range(1, n - 1):
            u[i] = v[i - 1] + v[i + 1] * x
        u, v = v, u
    return sum(v) + sum(u)


@case("Nn")
def branch_by_place(x, n):
    u = [0.0] * n
    d = 0.0
    for i in range(n):
        d = d + x
        u[i] = 1.0 / (d - x) if i > 0 else 0.0
    return sum(u)


@case("Nn")
def error_at_three(x, n):
    u = [0.0] * (n + 1)
    for i in range(n + 1):
        u[i] = 1.0 / (i - 3) + x
    return sum(u)


@case("Nn")
def large_numbers(x, n):
    u = [x] * (n + 1)
    for i in range(n):
        u[i + 1] = u[i] * 1e30
        if u[i + 1] > 1e200:
            u[i + 1] = x
    return u[n]


@case("Nn")
def roots(x, n):
    u = [-x] * (n + 1)
    for i in range(n):
        u[i + 1] = (u[i] * u[i]) ** 0.5 * -1.0
    return u[n]


@case("Vn")
def from_places(x, n):
    u = [x[i] for i in range(n)]
    for i in range(1, n):
        u[i] += u[i - 1]
    return sum(u)


@case("Nn")
def beyond_the_end(x, n):
    u = [0.0] * n
    for i in range(n + 1):
        u[i] = x
    return sum(u)


@case("Nn")
def best_cost(x, n):
    best = [1e9] * (n + 1)
    best[0] = 0.0
    for i in range(1, n + 1):
        for j in range(i):
            c = best[j] + (i - j) ** 2 * x + 1.0
            if c < best[i]:
                best[i] = c
    return best[n]


@case("Nn")
def whole_and_real(x, n):
    u = [0.0] * n
    for i in range(n):
        u[i] = x if i % 2 else 3
    return sum(u) * x


@case("Nn")
def weights(x, n):
    K = [[0.1, 0.2, 0.1], [0.2, x, 0.2], [0.1, 0.2, 0.1]]
    s = 0.0
    for i in range(n):
        for j in range(3):
            s += K[i % 3][j] * i
    return s


@case("Nn")
def sorted_by_hand(x, n):
    u = [x * (k + 1) for k in range(n)]
    for i in range(n):
        for j in range(n - 1 - i):
            if u[j] < u[j + 1]:
                u[j], u[j + 1] = u[j + 1], u[j]
    s = 0.0
    for i in range(n):
        s += u[i] * i
    return s


@case("Nn")
def name_changes(x, n):
    u = [0.0] * n
    w = [0.0] * n
    for i in range(n):
        u[i] = x
        w[i] = u[i]
        u = w
    return sum(u)


@case("Nn")
def one_number(x, n):
    r = [1.0]
    for i in range(n):
        r = [r[0] * x]
    return r[0]


@case("Nn")
def legendre(x, n):
    P = [0.0] * (n + 2)
    P[0] = 1.0
    P[1] = x
    for k in range(1, n):
        P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1)
    return P[n]


@case("NNn")
def tridiagonal(x, c, n):
    a = [0.0] * n
    b = [2.0 + c] * n
    d = [x] * n
    for i in range(1, n):
        m = 1.0 / b[i - 1]
        b[i] = b[i] - m * 0.5
        d[i] = d[i] - m * d[i - 1]
    y = [0.0] * n
    if n > 0:
        y[n - 1] = d[n - 1] / b[n - 1]
    for i in range(n - 2, -1, -1):
        y[i] = (d[i] - 0.3 * y[i + 1]) / b[i]
    return sum(y)


@case("Nn")
def while_counter(x, n):
    u = [0.0 for _ in range(n)]
    while n > 0:
        n -= 1
        u[n] = x * n
    return sum(u)


def rounded(v):
    return round(v, 2)


# Lists that stay lists --------------------------------------------------------------------------


@case("Nn", arrays=False)
def rows_that_are_one(x, n):
    A = [[0.0] * 3] * 3
    A[0][1] = x
    for i in range(n):
        A[i % 3][0] += x * i
    return A[2][1] * A[1][0]


@case("Nn", arrays=False)
def rows_of_many_lengths(x, n):
    A = [[x * j for j in range(i + 1)] for i in range(n)]
    s = 0.0
    for i in range(n):
        for j in range(i + 1):
            s += A[i][j] ** 2
    return s


@case("Nn", arrays=False)
def appended(x, n):
    u = [0.0] * n
    for i in range(n):
        u[i] = x
    u.append(x)
    s = 0.0
    for v in u:
        s += v * x
    return s


@case("Nn", arrays=False)
def whole_numbers_as_places(x, n):
    u = [1.0] * 5
    k = [0] * 5
    for i in range(n):
        k[i % 5] += 1
        u[k[i % 5] % 5] *= x
    return sum(u)


@case("Nn", arrays=False)
def real_place(x, n):
    u = [0.0] * 3
    u[0.0 if n > 4 else 1] = x
    for i in range(n):
        u[2] += x
    return u[1] + u[2]


@case("Nn", arrays=False)
def either_list(x, n):
    u = [0.0] * 3
    for i in range(n):
        u[i % 3] += x
    v = u if n > 2 else [1.0, 2.0, 3.0]
    return v[0] + u[1]


@case("Nn", arrays=False)
def read_in_a_function(x, n):
    u = [0.0] * 3

    def g(k):
        return u[k]

    for i in range(n):
        u[i % 3] += x
    return g(0)


@case("Nn", arrays=False)
def joined(x, n):
    u = [x] * n
    u = u + [1.0]
    s = 0.0
    for i in range(len(u)):
        s += u[i]
    return s


@case("Nn", arrays=False)
def popped(x, n):
    u = [x * k for k in range(n)]
    s = 0.0
    for i in range(n - 1, -1, -1):
        s += u.pop() * i
    return s


@case("Nn", arrays=False)
def made_of_none(x, n):
    u = [None] * (n + 1)
    u[0] = x
    for i in range(n):
        u[i + 1] = u[i] * x
    return u[n]


@case("Nn", arrays=False)
def tried(x, n):
    try:
        u = [0.0] * n
        u[0] = x
        for i in range(n):
            u[i] += x
        return u[n - 1]
    except IndexError:
        return x


@case("Nn", arrays=False)
def with_python_rounding(x, n):
    u = [2.675] * (n + 1)
    for i in range(n):
        u[i] = u[i + 1] * 1.0
    return x * rounded(u[0])


@case("Nn")
def filled_with_a_sum(x, n):
    b = [2.0 + x] * (n + 1)
    for i in range(n):
        b[i + 1] = b[i] - 0.5 / b[i]
    return b[n]


@case("Nn")
def numpy_functions(x, n):
    u = [x] * (n + 1)
    for i in range(n):
        u[i + 1] = np.sin(u[i]) + np.maximum(u[i], 0.2)
    return u[n]


@case("Vn")
def mixed_with_arrays(x, n):
    z = np.zeros(n)
    u = [0.0] * n
    for i in range(n):
        u[i] = x[i] ** 2
        z[i] = u[i] * x[i - 1]
    return np.sum(z * z) + np.sum(x)


@case("Vn", arrays=False)
def an_array_of_a_list(x, n):
    u = [0.0] * n
    for i in range(n):
        u[i] = x[i] ** 2
    return np.sum(np.array(u) * x)


@case("Vn", arrays=False)
def returned_list(x, n):
    u = [0.0] * (n + 1)
    for i in range(n):
        u[i] = x[i] ** 2
    return first(u)


@case("Nn", arrays=False)
def list_in_a_list(x, n):
    u = [0.0] * 3
    held = [u, u]
    for i in range(n):
        held[0][i % 3] += x
    return u[0] + held[1][1]


def first(values):
    return values[0]


def arguments(letters: str, size: int) -> list[Any]:
    draw = np.random.default_rng(size).normal
    made = {
        "N": lambda: 0.7,
        "V": lambda: draw(size=size),
        "n": lambda: size,
    }
    return [made[letter]() for letter in letters]


def result(call: Function, letters: str, size: int) -> Any:
    """What a call gives, or the kind of error that it raises."""
    try:
        return call(*arguments(letters, size))
    except Exception as error:
        return type(error)


CASES = [pytest.param(f, id=n) for n, f in globals().items() if hasattr(f, "case")]


@np.errstate(all="ignore")
@pytest.mark.parametrize("f", CASES)
def test_arrays_give_what_lists_give(f: Function, monkeypatch: pytest.MonkeyPatch) -> None:
    letters, arrays = f.__dict__["case"]
    taken, emitted = list[str](), sliced.emitted
    monkeypatch.setattr(
        sliced, "emitted", lambda made, what: taken.append(what) or emitted(made, what)
    )
    wrt = tuple(k for k, letter in enumerate(letters) if letter != "n")
    found, known = tl.grad(f, wrt=wrt), tl.grad(f, wrt=wrt, optimized=False)
    for size in SIZES:
        _agree(result(found, letters, size), result(known, letters, size))
    assert ("lists" in taken) == arrays
    taken.clear()
    both = tl.value_and_grad(f, wrt=wrt)
    for size in SIZES:
        own, pair = result(f, letters, size), result(both, letters, size)
        if isinstance(own, type):
            assert pair is own
        else:
            assert type(pair[0]) is type(own)
            assert pair[0] == own
            _agree(pair[1], result(known, letters, size))
    assert ("lists" in taken) == arrays


def _agree(found: Any, known: Any) -> None:
    if isinstance(known, type):
        assert found is known or not isinstance(found, type)  # what nobody needs is not computed
        return
    for a, b in zip(found, known, strict=True):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
