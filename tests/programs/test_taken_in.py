"""``l += u`` and ``d |= u`` where u is no list and no dict: a list takes in whatever is walked over, under all its names."""

from __future__ import annotations

import json
from collections import deque

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


class Box:
    pass


@case(1.3)
def tuple_with_a_name(x):
    u, l = (x, x * x), [x]
    k = l
    l += u
    return sum(k) * k[2]


@case(1.3)
def range_and_keys(x):
    u, d, l = range(3), {1: x, 2: x}, [x]
    l += u
    l += d
    l += {4}
    return sum(l) * x


@case(1.3)
def in_a_loop(x):
    l, u = [], ()
    for i in range(3):
        u += (x * i,)
        l += u
    return sum(v * k for k, v in enumerate(l)) + len(u) * x


@case(1.3)
@case(-1.3)
def list_or_tuple(x):
    l = [x] if x > 0 else (x,)
    k, u = l, (x * x,)
    l += u
    return sum(l) + 2 * sum(k)


@case(1.3)
def under_an_attribute(x):
    c = Box()
    c.l, c.t = [x], (x,)
    k, old, u = c.l, c.t, (x * x, 3 * x)
    c.l += u
    c.l += range(2)
    c.t += u
    return sum(k) * x + sum(c.t) * len(old)


@case(1.3)
def in_a_dict(x):
    d = {}
    for i in range(4):
        d.setdefault(i % 2, [])
        u = (x**i, x)
        d[i % 2] += u
    return sum(d[0]) + sum(d[1]) * 2


@case(1.3)
def in_a_helper(x):
    def add(s, u):
        s += u
        return s

    a = [x]
    return sum(add(a, (x * x, x))) + sum(a) * x + sum(add((x,), (x * x,))) + add(1.0, x)


@case(1.3)
def rows_of_arrays(x):
    a = np.ones(2) * x
    l, u = [a], (a, a * 2)
    l += u
    a[0] = x * x
    return sum(v.sum() for v in l)


@case(1.3)
def at_the_right_of_a_deque(x):
    q, u = deque([x]), (x * x, x)
    q += u
    return q[0] * q[1] * q[2]


@case(1.3)
def dict_in_a_list(x):
    c, u = [{"a": x}], {"b": x * x}
    k = c[0]
    c[0] |= u
    return sum(k.values()) * k["b"]


@case(1.3)
def dict_under_an_attribute(x):
    c, u = Box(), {"b": x * x}
    c.d = {"a": x}
    k = c.d
    c.d |= u
    return sum(k.values()) * k["b"]


@pytest.mark.parametrize("function, args, options", cases(__name__), ids=label)
def test_a_list_takes_in_what_is_walked_over(function, args, options):
    check(function, *args, **options)


def pairs_in_a_dict(x):
    d, pairs = {"a": x}, [("b", x * x)]
    k = d
    d |= pairs
    return sum(k.values())


def pairs_in_a_dict_of_a_list(x):
    c, pairs = [{"a": x}], [("b", x * x)]
    k = c[0]
    c[0] |= pairs
    return sum(k.values())


def letters(x):
    l = [x]
    k = l
    l += "ab"
    return k[0] * len(k)


def unknown(x):
    l = [x]
    k = l
    l += json.loads("[1.0, 2.0]")
    return k[0] * len(k)


@pytest.mark.parametrize("f", [pairs_in_a_dict, pairs_in_a_dict_of_a_list, letters, unknown])
def test_what_is_not_followed_is_refused(f):
    with pytest.raises(tl.DerivativeError):
        tl.grad(f)(1.3)
    with pytest.raises(tl.DerivativeError):
        tl.jvp(f)(1.3, tangent=1.0)


def wrong_type(x):
    t, u = (x,), [x * x]
    try:
        t += u
    except TypeError:
        return 7 * x
    return x


def test_a_tuple_takes_in_no_list():
    assert tl.grad(wrong_type)(1.3) == 7.0
