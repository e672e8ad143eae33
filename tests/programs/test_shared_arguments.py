"""Arguments of helpers that hold one array: in lists, dicts, tuples and objects, written and read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import check

X = np.array([0.4, 1.3, 0.8])


class Box:
    def __init__(self, v):
        self.v = v


def pairs(v, w):
    pair = (v["u"], v)
    w[0][0] += np.tanh(np.sum(pair[0]))
    return {"v": pair[0]}


def a_dict_and_a_list(x):
    t = pairs({"u": x}, [x])
    return np.sum(t["v"] ** 2)


def read_by_key(v, w):
    w[0][0] += np.tanh(np.sum(v["u"]))
    return v["u"]


def given_back(x):
    t = read_by_key({"u": x}, [x])
    return np.sum(t * t)


def held_by(b, w):
    w[0] += np.tanh(np.sum(b.v))
    return b.v


def an_object_and_an_array(x):
    x = x * 1.0
    r = held_by(Box(x), x)
    return np.sum(r * r)


def scaled(v, w):
    for row in v:
        row[0] *= np.sum(w[0])
    return w[0]


def two_lists(x):
    x = x * 1.0
    r = scaled([x], [x])
    return np.sum(r * r)


def shifted(v, w):
    a = v["u"][1:]
    a += w["u"][:-1]
    return w["u"][::-1]


def one_dict_twice(x):
    d = {"u": x * 1.0}
    r = shifted(d, d)
    return np.sum(r * r * np.arange(3))


def inner(v, w):
    w[0][1] = np.sum(v[0]) * v[0][0]


def outer(v, w):
    inner(v, w)
    return v


def handed_on(x):
    x = x * 1.0
    return np.sum(outer([x], [x])[0] ** 2)


def in_a_tuple(v, w):
    p = (v, w)
    p[1][0] = p[0][2] * p[0][1]
    q = p[0]
    return q * 2


def one_array_twice(x):
    x = x * 1.0
    return np.sum(in_a_tuple(x, x) ** 2) + np.sum(in_a_tuple(x, x[::-1]) ** 2)


def set_in(ns, w):
    ns.a[0] += w[1] * w[1]
    z = ns.a
    w[2] = z[0]
    return ns


def a_namespace_and_an_array(x):
    x = x * 1.0
    return np.sum(set_in(SimpleNamespace(a=x), x).a ** 3)


def again(v, w, n):
    if n == 0:
        return v
    w[0] = w[0] + v[0] * v[1]
    return again(w, v, n - 1)


def in_turns(x):
    x = x * 1.0
    return np.sum(again(x, x, 3) ** 2)


def appended(v, w):
    t = v.get("u")
    w.append(t)
    w[0][0] = 2.0 * t[1]
    return w


def put_beside_itself(x):
    x = x * 1.0
    r = appended({"u": x}, [x])
    return np.sum(r[1] * r[0])


PROGRAMS = (
    *(a_dict_and_a_list, given_back, an_object_and_an_array, two_lists, one_dict_twice),
    *(handed_on, one_array_twice, a_namespace_and_an_array, in_turns, put_beside_itself),
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_one_array_in_two_arguments(f: Any) -> None:
    check(f, X)
