"""Exercise 5: nodes against tangentlite, and what goes wrong in first versions."""

import math

import numpy as np
import pytest

import tangentlite as tl


@pytest.mark.parametrize(
    ("f", "point"),
    [
        (lambda x, y: x + y, (2.0, 5.0)),
        (lambda x, y: x * y, (2.0, 5.0)),
        (lambda x, y: x - y, (2.0, 5.0)),
        (lambda x, y: x / y, (2.0, 5.0)),
        (lambda x: x**3, (2.0,)),
        (lambda x: 2.0 + x, (2.0,)),
        (lambda x: 2.0 * x, (2.0,)),
        (lambda x: 2.0 - x, (2.0,)),
        (lambda x: 2.0 / x, (2.0,)),
        (lambda x: x * x + x, (3.0,)),
        (lambda a, b: (a * b + a) / (b - a) ** 2, (0.3, 1.2)),
    ],
)
def test_operators(work, f, point):
    expected = tl.grad(f, wrt=tuple(range(len(point))))(*point)
    np.testing.assert_allclose(work.gradient(f, *point), expected, rtol=1e-12)


def test_values(work):
    x = work.Node(2.0)
    assert (x + 1.0).value == 3.0
    assert (3.0 * x).value == 6.0
    assert (x**3).value == 8.0


@pytest.mark.parametrize("name", ["exp", "tanh"])
def test_functions(work, name):
    f, expected = getattr(work, name), getattr(np, name)
    assert math.isclose(f(work.Node(0.3)).value, expected(0.3))
    (found,) = work.gradient(lambda x: f(x * x), 0.6)
    assert math.isclose(found, tl.grad(lambda x: expected(x * x))(0.6), rel_tol=1e-12)


def test_each_node_comes_once_and_after_its_parents(work):
    x = work.Node(2.0)
    y = x * x
    result = (y + x) * y
    order = work.ordered(result)
    assert len(order) == len({id(one) for one in order}) == 4
    places = {id(one): k for k, one in enumerate(order)}
    assert all(places[id(p)] < places[id(one)] for one in order for p, _ in one.parents)
    assert order[-1] is result


def test_paths_are_not_walked_one_by_one(work):
    """There are 2¹⁰⁰ of them."""

    def doubled(x):
        for _ in range(100):
            x = x + x
        return x

    assert work.gradient(doubled, 1.0) == (2.0**100,)


def test_long_chains(work):
    def chain(x):
        y = x
        for _ in range(10_000):
            y = 1.0 * y
        return y

    assert work.gradient(chain, 0.5) == (1.0,)


def test_a_second_sweep_begins_anew(work):
    x = work.Node(3.0)
    y = x * x
    work.backward(y)
    work.backward(y)
    assert x.adjoint == 6.0


def test_what_is_not_used_has_adjoint_zero(work):
    assert work.gradient(lambda x, y: x * 1.0, 2.0, 3.0) == (1.0, 0.0)


def test_a_program_with_a_loop_and_a_branch(work):
    def grow(x, y, exp=np.exp):
        for k in range(5):
            x = x * y + exp(x * -1.0) if k % 2 else x + y
        return x

    found = work.gradient(lambda x, y: grow(x, y, work.exp), 0.4, 1.3)
    np.testing.assert_allclose(found, tl.grad(grow, wrt=(0, 1))(0.4, 1.3), rtol=1e-12)
