"""Functions inside a function are lifted once, and calls pass what they capture."""

from __future__ import annotations

import numpy as np

from tangentlite import frontend, lowering, syntax


def lines(function) -> list[str]:
    normal = lowering.normalize(frontend.read(function)).function
    return [syntax.unparse(s) for s in normal.body]


def lifted(function, name):
    normal = lowering.normalize(frontend.read(function)).function
    return normal.namespace.lookup(name)


def calls(x):
    k = x

    def g(a):
        return a * k

    k = g(k)
    return g(2.0)


def hands_on(x):
    k = x
    fs = [lambda a: a * k]
    k = 2.0
    return fs[0](x)


def counts(x):
    n = x

    def up(a):
        nonlocal n
        n = n * a

    up(2.0)
    return n


def without_captures(x):
    def g(a):
        return a * 2.0

    return np.sum([g(x), h(g)])


def h(f):
    return f(1.0)


def test_a_call_passes_what_is_captured_at_that_time():
    assert lines(calls) == ["k = x", "t1 = g(k, k)", "k = t1", "y = g(k, 2.0)", "return y"]


def test_what_is_bound_again_while_a_closure_lives_has_a_cell():
    assert "k_cell = [x]" in lines(hands_on)
    assert "k_cell[0] = 2.0" in lines(hands_on)


def test_what_is_bound_by_nonlocal_is_handed_back():
    assert lines(counts) == ["n = x", "given = up(n, 2.0)", "n = given[1]", "return n"]


def test_what_captures_nothing_is_a_function():
    assert "t2 = h(g)" in lines(without_captures)


def test_a_nested_function_is_lifted_once():
    assert lifted(calls, "g") is lifted(calls, "g")
    assert lifted(calls, "g")(3.0, 2.0) == 6.0
