"""Tuples that grow, shrink, or have one length or another: lists that nothing changes."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


@case(1.2, 3)
def what_was_seen(x, k):
    log, v = (), x
    for i in range(k):
        v = v * x + i
        log = log + (v,)
    return log[0] * log[-1] + sum(log)


@case(1.2, 3)
def the_one_before_stays(x, k):
    log = (x,)
    for i in range(k):
        old = log
        log += (log[-1] * x * i,)
    return sum(old) * log[-1] + len(log)


@case(1.2, 3, long=True)
def tuples_in_a_list(x, k):
    log, seen = (), []
    for i in range(k):
        log += (x * i,)
        seen.append(log)
    return sum(seen[0]) + sum(seen[1]) * sum(seen[2])


@case(1.2, 3, long=True)
def one_of_a_dict(x, k):
    log = (x,)
    kept = {"log": log}
    for i in range(k):
        kept["log"] += (x * i,)
    return sum(log) * sum(kept["log"])


@case(1.2, 3)
def twice_as_long(x, k):
    log = ()
    for i in range(k):
        old = log
        log += (x * i,)
        log *= 2
    return sum(log) * sum(old)


@case(1.2, 3, long=True)
def states_of_an_oscillator(x, k):
    states = ((x, 0.0),)
    for _ in range(k):
        q, p = states[-1]
        states += ((q + 0.1 * p, p - 0.1 * np.sin(q)),)
    return sum(q * p for q, p in states) + states[-1][0]


@case(np.array([0.3, -0.2, 0.7]), 3, long=True)
def arrays_that_are_written(x, k):
    hs = (x * 1.0,)
    for _ in range(k):
        hs = (*hs, np.tanh(hs[-1]) * x)
    hs[0][1] = hs[1][0] * 2
    hs[-1][:] += hs[0]
    return np.sum(np.concatenate(hs) ** 2)


@case(1.2)
def its_head_and_its_tail(x):
    def total(t):
        if not t:
            return 0.0
        return t[0] * t[0] + total(t[1:])

    return total((x, x * x, 2 * x))


@case((1.2, 0.5, 2.0))
def until_it_is_empty(t):
    s = 0.0
    while t:
        s = s * t[0] + t[0] ** 2
        t = t[1:]
    return s


@case(1.2, 2)
def the_last_three(x, k):
    window, s = (), 0.0
    for i in range(3 + k):
        window = (window + (x * i * i,))[-3:]
        s += sum(window) / len(window)
    return s * window[0]


@case(np.arange(12.0).reshape(3, 4) / 7 - 0.8, False)
def an_index_of_one_length_or_another(a, whole):
    index = (0,) if whole else (0, 1)
    b = a * 1.0
    b[index] = b[1, 1] ** 2
    axes = (0, 1) if whole else (0,)
    return np.sum(b[index] ** 2) + np.sum(np.mean(b**2, axis=axes) ** 2)


@case(1.2, 3)
def a_list_or_a_tuple(x, k):
    t = [x, x * x] if k > 2 else (x,)
    if k > 2:
        t.append(x * x * x)
    return sum(t) * t[-1]


@case(1.3, 3)
def lists_that_begin_without_derivatives(x, k):
    log = [1]
    for i in range(k):
        log = log + [x * (i + 1)]
    return log[1] * log[2]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function, args, options):
    check(function, *args, **options)


def sum_and_product(xs):  # type: ignore[no-untyped-def]
    a = (0.0, 1.0)
    for item in xs:
        a = (a[0] + item, a[1] * item)
    return a[0] * a[1]


def test_a_pair_that_goes_on_in_a_second_derivative() -> None:
    (_, tangent), pullback = tl.vjp(tl.jvp(sum_and_product))([0.5, 1.3], dxs=[1.0, 1.0])
    assert tangent == pytest.approx(4.54)
    assert pullback((0.0, 1.0)) == pytest.approx([6.2, 4.6])
