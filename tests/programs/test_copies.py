"""``copy.copy``: what is changed afterwards is one of the two; ``setattr``."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import check

X = np.array([0.4, 1.3, 0.8])


class Held:
    def __init__(self, v):
        self.v = v


def of_an_array(x):
    y = copy.copy(x)
    y[0] = x[1] * 2
    return np.sum(y * x)


def of_a_list(x):
    xs = [x[0], x[1] * x[1]]
    ys = copy.copy(xs)
    ys[0] = x[2] ** 3
    ys.append(x[0])
    return xs[0] * ys[0] + len(ys) * ys[1]


def of_shared_arrays(x):
    a = x * 1.0
    d = {"u": a, "v": (a, 2.0)}
    e = copy.copy(d)
    e["u"][0] = x[1] * 2
    e["w"] = copy.copy(e["v"])
    return np.sum(e["w"][0] * a) + len(d)


def of_numbers(x):
    return copy.copy(x[0]) * copy.copy(x[1]) * x[2]


def set_by_name(x):
    o = Held(x[0])
    o.v = o.v * x[1]
    o.w = 2.0
    return o.v * o.w


class Filled:
    def __init__(self, v):
        self.items = [v]


def of_what_another_filled(x):
    a = Filled(x[0])
    b = copy.copy(a)
    b.items.append(x[1] * x[1])
    c = copy.deepcopy(a)
    c.items[0] = 5.0
    return sum(a.items) * sum(c.items)


def of_a_dict_that_another_filled(x):
    a = {"kept": {"u": x[0]}}
    b = copy.copy(a)
    b["kept"]["v"] = x[1] * x[1]
    c = copy.deepcopy(a)
    c["kept"]["u"] = 3.0
    return c["kept"]["v"] * c["kept"]["u"] * a["kept"]["u"]


PROGRAMS = (
    of_an_array,
    of_a_list,
    of_shared_arrays,
    of_numbers,
    set_by_name,
    of_what_another_filled,
    of_a_dict_that_another_filled,
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    check(f, X)


def test_set_in_a_namespace() -> None:
    def in_a_namespace(x):
        ns = SimpleNamespace(a=x, b=x * x)
        ns.d = ns.b * 2
        return ns.d * ns.a

    assert tl.grad(in_a_namespace)(0.7) == pytest.approx(6 * 0.49)


def test_objects() -> None:
    def of_an_object(x):
        o = Held(x)
        p = copy.copy(o)
        p.v = x * x
        return o.v * p.v

    assert tl.grad(of_an_object)(0.7) == pytest.approx(3 * 0.49)


def test_deep_copies_of_one_thing_twice_are_refused() -> None:
    """What such a copy holds twice is one thing: ``e[1]`` changes with ``e[0]``."""

    def deep(x):
        a = x * 1.0
        e = copy.deepcopy([a, a])
        e[0][0] = x[1] * x[1]
        return np.sum(e[1] * x)

    with pytest.raises(tl.AliasError, match="twice"):
        tl.grad(deep)(X)
    with pytest.raises(tl.AliasError, match="twice"):
        tl.jvp(deep)(X, tangent=X)
